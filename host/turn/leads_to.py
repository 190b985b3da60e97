"""Shell: all that a reply to a letter of ours can lead to. In: the mail, its letter. Out: what it changed, and its answer.

A letter is written for a purpose (`host.states`). `ANSWERS` has who takes a contestant's reply while a question besides play is
open that the letter asked, `OF_ADDRESSES` who takes the reply to a letter that went to no contestant. All else that a
contestant writes is about the episode of the letter (`replies`), or about queues (`service_words`).
"""

from collections.abc import Callable, Mapping

from host.games import GAMES
from host.play.agreement import says_no, says_yes
from host.play.services import take_host_text
from host.states import LetterPurpose, QuestionPurpose
from host.store.people import contestant_of_address
from host.store.schema import Contestant, Letter, QuestionRow
from host.turn import (
    agreement,
    held,
    interruptions,
    lobby,
    operators,
    registration,
    replies,
    requests,
    service_words,
)
from host.turn.letters import answer
from host.turn.registration import correct_by_reply
from host.turn.work import Reply, Turn, Verdict


def reply(turn: Turn, letter: Letter, contestant: Contestant) -> Verdict:
    """Take a reply to a letter, from whom it was sent to."""
    lines, said = correct_by_reply(turn, letter, contestant)
    if letter.episode_id is not None:
        turn.work.episode(letter.episode_id)  # before its questions, which others may be closing
    this = Reply(turn, letter, contestant, lines, said, letter.questions)
    answer = ANSWERS.get(this.row.purpose) if this.row else None
    verdict = answer(this, this.row) if answer and this.row else None
    if verdict:
        return verdict
    wanted = held.asked_to_add(lines)
    if wanted:
        return _add_address(turn, contestant, wanted)
    if letter.episode_id is not None:
        return replies.in_episode(this)
    return service_words.outside_play(turn, letter, contestant, lines, said)


def to_an_address(turn: Turn, letter: Letter) -> Verdict:
    """Take a reply to a letter that went to no contestant."""
    if turn.mail.sender != letter.address.lower():
        return Verdict("refused", f"a reply to a letter for another address, {letter.address}; not answered")
    answer = OF_ADDRESSES.get(letter.purpose)
    verdict = answer(turn, letter) if answer else None
    return verdict or Verdict("refused", "a reply to a letter that asked nothing; not answered")


def take_request(turn: Turn, request: requests.Request) -> Verdict:
    """Register a sender for the games that their mail names, or tell what these are."""
    if request.about:
        return requests.announce(turn, request.about)
    if not request.games:
        return requests.not_offered(turn)
    lines = turn.lines or tuple(line.lstrip("> ") for line in turn.mail.text.splitlines() if line.strip("> "))
    contestant = contestant_of_address(turn.work.session, turn.mail.sender)
    if contestant and turn.opened.proof == "pass":
        interruptions.wrote(turn.work, contestant, turn.inbound.arrived_at)
    said = ("The other game that you named is not played here.",) if request.is_more else ()
    registered = registration.register(turn, request.games, lines, said=said)
    for each in request.games:
        lobby.run(turn.work, each)
    return registered


def _is_theirs(this: Reply, row: QuestionRow) -> Verdict | None:
    """Was a held mail theirs? Yes: hear what was held."""
    if not says_yes(this.lines):
        return held.drop(this.turn, row, this.contestant) if says_no(this.lines) else None
    notes: list[str] = []
    for earlier, letter in held.release(this.turn, row, this.letter, this.contestant):
        earlier.inbound.state, earlier.inbound.note = reply(earlier, letter, this.contestant)
        notes.append(f"mail {earlier.inbound.id}: {earlier.inbound.note}")
    return Verdict("played", f"confirmed {row.key}; " + "; ".join(notes))


def _name(turn: Turn, letter: Letter) -> Verdict:
    """Somebody was asked for a name."""
    if says_no(turn.lines):
        return agreement.leave_in_peace(turn, letter)
    if turn.is_capped(letter.address):
        return Verdict("refused", "not answered: too many answers this hour")
    game = GAMES[letter.game]
    registered = registration.register(turn, [game], turn.lines, is_answer=True)
    lobby.run(turn.work, game)
    return registered


def _about_games(turn: Turn, letter: Letter) -> Verdict | None:
    """Somebody was told what a game is, or how to register."""
    if says_no(turn.lines):
        return agreement.leave_in_peace(turn, letter)
    wanted = requests.game_wanted(letter, turn.lines)
    if wanted is None:
        return None
    return take_request(turn, requests.Request((wanted,) if wanted.slug in turn.work.config.games else ()))


def _new_address(turn: Turn, letter: Letter) -> Verdict:
    """A new address was asked whose it is."""
    return held.confirm(turn, letter, next((row for row in letter.questions if row.closed_at is None), None))


def _add_address(turn: Turn, contestant: Contestant, address: str) -> Verdict:
    if turn.is_capped(contestant.address):
        return Verdict("refused", "not answered: too many answers this hour")
    _, to_host = take_host_text(turn.lines)
    if to_host:
        service_words.forward(turn.work, contestant, to_host)
    answer(turn, contestant, "One more address", held.add(turn, contestant, address))
    return Verdict("answered", f"asked to add the address {address}")


ANSWERS: Mapping[QuestionPurpose, Callable[[Reply, QuestionRow], Verdict | None]] = {
    "confirm": agreement.agree,
    "ready": agreement.agree,
    "address": _is_theirs,
    "resign": agreement.give_up,
    "retire": agreement.give_up,
}
"""By what the open question is about; None where the reply answers something else."""
OF_ADDRESSES: Mapping[LetterPurpose, Callable[[Turn, Letter], Verdict | None]] = {
    "name": _name,
    "registration": _about_games,
    "confirm": agreement.too_late,
    "new-address": _new_address,
    "host": operators.from_operator,
    "operator": operators.from_operator,
}
"""By what the letter was written for; None where it asked nothing."""
