"""Shell: a reply to a `confirm` or `ready` mail. In: the mail, its question. Out: what it changed; None for other questions.

Yes, no, later, neither: a no is heard first, then a yes; what says neither is asked once more, and so is a yes to begin with
a reservation. What a reply says besides goes to the host.
"""

from collections.abc import Sequence

from host.games import GAMES
from host.mail.outbound.draft import Draft
from host.play.agreement import acknowledges, confirms, has_reservation, says_later, says_no, wait_in, wants_peace
from host.play.services import Service, services_in, take_host_text
from host.store.schema import Contestant, Letter, QuestionRow
from host.turn import confirmation, lobby, service_words
from host.turn.incoming import Turn, Verdict
from host.turn.letters import send


def agree(
    turn: Turn, row: QuestionRow, contestant: Contestant, letter: Letter, lines: Sequence[str], said: tuple[str, ...]
) -> Verdict | None:
    """What a reply to a question of purpose `confirm` or `ready` leads to; None for another purpose, and for services alone.

    `lines` are those left behind what the reply corrected, `said` tells what that was.
    """
    if row.purpose not in ("confirm", "ready"):
        return None
    if _is_no(row, lines):
        return _said_no(turn, row, contestant, lines)
    if said and not lines and row.purpose == "ready":
        return None
    own = take_host_text(lines)[0]
    is_yes = acknowledges(own) or (row.purpose == "confirm" and bool(said))
    if is_yes and row.purpose == "ready" and has_reservation(own):
        return _said_neither(turn, row, contestant, lines, said, is_yes)
    if not is_yes and not _says_more_than_services(lines):
        return None
    if is_yes or (row.purpose == "confirm" and confirms(own, (contestant.name, contestant.called))):
        return _confirmed(turn, row, contestant, letter, lines, said)
    return _said_neither(turn, row, contestant, lines, said)


def _says_more_than_services(lines: Sequence[str]) -> bool:
    """Is a reply to a `confirm` or `ready` mail more than words to the host, or something asked of the service?"""
    rest, to_host = take_host_text(lines)
    asked = services_in(rest, service_words.TITLES)
    return not asked and bool(rest or not to_host)


def _is_no(row: QuestionRow, lines: Sequence[str]) -> bool:
    """Is it a no to this question, or a wish to leave or to be asked later?"""
    return says_no(lines) or _wants_out(lines) or (row.purpose == "ready" and says_later(lines))


def _wants_out(lines: Sequence[str]) -> bool:
    """Is it a no for good?"""
    asked = services_in(take_host_text(lines)[0], service_words.TITLES)
    return wants_peace(lines) or any(service in (Service.LEAVE, Service.RESIGN) for service, _ in asked)


def _said_no(turn: Turn, row: QuestionRow, contestant: Contestant, lines: Sequence[str]) -> Verdict:
    """A `confirm` or `ready` mail was answered with a no. Who leaves the queue says so by `leave`."""
    if row.purpose == "confirm":
        service_words.pass_on(turn.work, contestant, turn.lines, ())
        return Verdict("answered", confirmation.refuse(turn, row, contestant))
    said = service_words.pass_on(turn.work, contestant, turn.lines, [each for each in lines if not says_later([each])])
    if _wants_out(turn.lines):
        note = lobby.let_go(turn.work, contestant, row, turn.answering, said)
    else:
        wait = wait_in(turn.lines, turn.work.now)
        note = lobby.not_now(turn.work, contestant, row, turn.answering, wait, said)
    lobby.run(turn.work, GAMES[row.game])
    return Verdict("answered", note)


def _said_neither(
    turn: Turn,
    row: QuestionRow,
    contestant: Contestant,
    lines: Sequence[str],
    said: tuple[str, ...] = (),
    is_reserved: bool = False,
) -> Verdict:
    """A `confirm` or `ready` mail was answered with neither yes nor no, or with a yes that `is_reserved`: it asks once more."""
    if turn.is_capped(contestant.address):
        return Verdict("refused", "neither yes nor no; not answered: too many answers this hour")
    if row.purpose == "confirm":
        return Verdict("refused", confirmation.ask_once_more(turn, row, contestant, lines))
    why = "You said yes, and something besides. Shall it begin now all the same, or not now?" if is_reserved else ""
    said = (*said, *service_words.pass_on(turn.work, contestant, turn.lines, lines))
    lobby.ask_ready_once_more(turn.work, contestant, row, why or lobby.unread(turn.lines), said, turn.answering)
    return Verdict("refused", f"no plain yes or no to being ready for {row.game}; asked once more")


def _confirmed(
    turn: Turn,
    row: QuestionRow,
    contestant: Contestant,
    letter: Letter,
    lines: Sequence[str],
    said: tuple[str, ...] = (),
) -> Verdict:
    """A `confirm` or `ready` mail was answered with yes; what is asked besides has its own answer. `said`: what it corrected."""
    if services_in(take_host_text(turn.lines)[0], service_words.TITLES):
        is_capped = turn.is_capped(contestant.address)
        service_words.outside_play(turn.work, turn.answering, letter, contestant, turn.lines, is_capped)
    else:
        said = (*said, *service_words.pass_on(turn.work, contestant, turn.lines, lines))
    game = GAMES[row.game]
    if row.purpose == "confirm":
        return Verdict("answered", confirmation.confirm(turn, row, said))
    turn.work.close_question(row, "answered")
    turn.work.heard_from(contestant, turn.work.now)
    if not lobby.run(turn.work, game):
        lead = ("Thank you! The episode begins as soon as the others have answered too.", *said)
        draft = Draft(kind="registered", headline="Good to have you", lead=lead)
        send(turn.work, draft, contestant, game, answering=turn.answering)
    return Verdict("answered", f"ready for {row.game}")
