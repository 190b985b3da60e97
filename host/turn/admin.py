"""Shell: the host's hand. In: a command of the host, by shell or by mail. Out: one sentence, what changed, letters.

Each function is one transaction's work and raises `HandError` with a sentence where it cannot be done; nothing is
changed then. All work beside a running daemon.
"""

import getpass
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from host.config import read_duration
from host.engine import record
from host.engine.game import HOST, Illegal, Outcome
from host.games import GAMES
from host.mail.outbound.draft import Transcript
from host.mail.outbound.render import deadline_words
from host.play.interpret import Interpretation, ReplyContext, interpret
from host.store.database import Session
from host.store.episodes import episode_of_code, episode_with, open_questions, running_with, take_episode
from host.store.letters import letters_asking_host
from host.store.people import count_waiting, forget_lobbies, lobby_of
from host.store.queues import retry_letter, retry_mail
from host.store.schema import AuditEntry, Episode, Letter, QuestionRow, Seat
from host.store.state_codec import dump_state
from host.turn import alerts, clocks, lobby, outage, question_bank
from host.turn.commit import commit, host_questions
from host.turn.notify import Notice, notify_all, repeat_questions
from host.turn.outcome import go_back
from host.turn.services import Play, Services, has_todays_rules, load_play, replayed

WENT_BACK = "back"
"""What stands for the question of a letter to an operator that the host went back behind; no game asks it."""
LONGEST_EXTENSION = timedelta(days=366)


class AdminError(Exception):
    """What the host asked for cannot be done; the message says why and what to do."""


def operator_name() -> str:
    """Who types at the shell, for the audit log."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "shell"


def audit(session: Session, who: str, command: str, code: str, now: datetime) -> None:
    """Log what the host did."""
    session.add(AuditEntry(at=now, who=who, command=command, episode=code))


def find(session: Session, code: str) -> Play:
    """The episode of this code. Raises `HandError`."""
    episode = episode_of_code(session, code)
    if episode is None:
        raise AdminError(f"There is no episode {code.upper()}: podium status lists them.")
    return load_play(take_episode(session, episode.id))


def _running(session: Session, code: str) -> Play:
    play = find(session, code)
    if play.episode.over_at is not None:
        raise AdminError(f"Episode {play.episode.code} is over; podium back {play.episode.code} LINE opens it again.")
    return play


def _seat(play: Play, name: str) -> Seat:
    seat = play.seat_named(name)
    if seat is None:
        raise AdminError(f"{name} does not play in {play.episode.code}; there are {', '.join(play.names)}.")
    return seat


def extend(session: Session, services: Services, code: str, name: str, by: timedelta, now: datetime) -> str:
    """Move the open deadlines of an episode, or of one player, later; who is asked gets the new time by mail."""
    play = _running(session, code)
    seat = _seat(play, name) if name else None
    if by > LONGEST_EXTENSION:
        raise AdminError(f"That is more than {LONGEST_EXTENSION.days} days: give a shorter time.")
    rows = _asked(session, play, seat)
    if not rows:
        raise AdminError(f"Nobody{f' called {name}' if name else ''} is asked anything in {play.episode.code} now.")
    clocks.start_clocks(session, rows, now)
    clocks.move_deadlines(session, by, play.episode.id, seat.seat if seat else None)
    session.flush()
    for row in rows:
        each = play.seat_of(row.contestant_id)
        if each:
            lead = ("The host gave you more time.",)
            repeat_questions(session, services, play, each, "turn", now, lead=lead, headline="You have more time")
    dues = ", ".join(f"{play.name(row.seat or 0)} until {_when(services, row)}" for row in rows)
    return f"{play.episode.code}: {dues}."


def _asked(session: Session, play: Play, seat: Seat | None) -> Sequence[QuestionRow]:
    fields = {"seat": seat.seat} if seat else {}
    return open_questions(session, episode_id=play.episode.id, purpose="game", **fields)


def _when(services: Services, row: QuestionRow) -> str:
    return deadline_words(row.due_at, services.config.host.timezone, timedelta(hours=48)) if row.due_at else "no end"


def pause(session: Session, services: Services, code: str, now: datetime) -> str:
    """Stop an episode's clocks; replies are refused until it goes on."""
    play = _running(session, code)
    if play.episode.paused_at is not None:
        raise AdminError(f"Episode {play.episode.code} is paused already.")
    clocks.start_clocks(session, _asked(session, play, None), now)
    play.episode.paused_at = now
    lead = (
        "The host has paused this episode. Your letters stay good and your time does not run; I shall write when it "
        "goes on.",
    )
    _news_to_all(session, services, play, lead, now)
    return f"{play.episode.code} is paused."


def _news_to_all(session: Session, services: Services, play: Play, lead: tuple[str, ...], now: datetime) -> None:
    told = Notice(everyone=True, lead={seat.seat: lead for seat in play.episode.seats})
    notify_all(session, services, play, None, told, now)


def _require_todays_rules(play: Play) -> None:
    if not has_todays_rules(play.episode):
        code, title = play.episode.code, play.game.title
        raise AdminError(
            f"{code} began under other rules of {title} than today's: nothing can be played or taken back."
        )


def _to_todays_rules(session: Session, play: Play) -> Play:
    """An episode that began under former rules goes on under these, where they lead to the table that stands."""
    try:
        state = replayed(session, play).state
    except ValueError as error:
        raise AdminError(
            f"{play.episode.code} began under other rules of {play.game.title} and cannot go on: {error}. Let the Podium "
            f"that it began with play it to its end, or end it by podium withdraw {play.episode.code} NAME."
        ) from None
    play.episode.rules_version, play.episode.state = play.game.version, dump_state(play.game, state)
    return replace(play, state=state)


def resume(session: Session, services: Services, code: str, now: datetime) -> str:
    """Let a paused episode go on; its deadlines move by the pause's length."""
    play = _running(session, code)
    paused_at = play.episode.paused_at
    if paused_at is None:
        raise AdminError(f"Episode {play.episode.code} is not paused.")
    changed: tuple[str, ...] = ()
    if not has_todays_rules(play.episode):
        play = _to_todays_rules(session, play)
        changed = (f"Since it began the rules of {play.game.title} were changed; from here on those of today hold.",)
    length = outage.unseen(session, services.config.mailboxes[0], paused_at, now)
    length += timedelta(microseconds=-length.microseconds, seconds=1)
    play.episode.paused_at = None
    clocks.move_deadlines(session, length, play.episode.id)
    session.flush()
    asked = {row.seat for row in _asked(session, play, None)}
    for seat in play.episode.seats:
        lead = (
            ("The episode goes on. Your time was moved by the length of the pause.",)
            if seat.seat in asked
            else ("The episode goes on.",)
        )
        kind = "turn" if seat.seat in asked else "news"
        repeat_questions(session, services, play, seat, kind, now, lead=lead + changed, headline="The episode goes on")
    session.flush()
    question_bank.wake(session, services, play, now)
    return f"{play.episode.code} goes on; its deadlines moved by {length}."


def withdraw(session: Session, services: Services, code: str, name: str, now: datetime) -> str:
    """Take a player out of an episode, as `resign` does."""
    play = _running(session, code)
    seat = _seat(play, name)
    lead = {seat.seat: ("The host withdrew you from this episode.",)}
    _play_for(session, services, play, seat, ["resign"], Notice(lead=lead), now)
    return f"{seat.name} is withdrawn from {play.episode.code}."


def say(session: Session, services: Services, code: str, text: str, as_name: str, now: datetime) -> str:
    """A command of the host's own, or one typed for a player, who gets a copy."""
    play = _running(session, code)
    _require_todays_rules(play)
    if not as_name:
        heard = interpret(play.game, play.state, HOST, [text], ReplyContext(frozenset()), play.chance)
        _require(heard)
        lines = [record.Say(record.HOST_NAME, said) for said in heard.said]
        commit(session, services, play, Outcome(heard.state, heard.events), lines, Notice(), now)
        return f"{play.episode.code}: the host said {', '.join(heard.said)}."
    seat = _seat(play, as_name)
    heard = _play_for(session, services, play, seat, [text], None, now)
    return f"{play.episode.code}: {', '.join(heard.said)}, said for {seat.name}."


def _play_for(
    session: Session, services: Services, play: Play, seat: Seat, lines: list[str], told: Notice | None, now: datetime
) -> Interpretation:
    keys = frozenset(question.key for question in play.game.questions(play.state))
    if lines == ["resign"]:
        try:
            outcome = play.game.apply(
                play.state, seat.seat, play.game.parse("resign", play.state, seat.seat), play.chance
            )
        except Illegal as refusal:
            raise AdminError(f"{refusal.reason} Nothing was changed.") from None
        heard = Interpretation(outcome.state, outcome.events, ("resign",))
    else:
        heard = interpret(play.game, play.state, seat.seat, lines, ReplyContext(keys), play.chance)
        _require(heard)
    said = [record.Say(seat.name, each) for each in heard.said]
    copy = Notice(
        writer=seat.seat,
        transcript=Transcript(heard.said),
        lead={seat.seat: ("The host played this in your place.",)},
    )
    commit(session, services, play, Outcome(heard.state, heard.events), said, told or copy, now)
    return heard


def _require(heard: Interpretation) -> None:
    if heard.ahead:
        raise AdminError(f"“{heard.ahead[0].text}” is not asked of them now. Nothing was changed.")
    if heard.refused:
        raise AdminError(f"“{heard.refused.line}” is refused: {heard.refused.reason} Nothing was changed.")
    if not heard.said:
        raise AdminError("There is no command of the game in that; nothing was changed.")


def resend(session: Session, services: Services, code: str, name: str, now: datetime) -> str:
    """Send the table and the open question again, to all or to one; deadlines stay, clocks that stand still go on."""
    play = _running(session, code)
    seats = [_seat(play, name)] if name else list(play.episode.seats)
    clocks.start_clocks(session, _asked(session, play, seats[0] if name else None), now)
    asked = {row.seat for row in _asked(session, play, None)}
    for seat in seats:
        kind = "turn" if seat.seat in asked else "news"
        repeat_questions(session, services, play, seat, kind, now, lead=("Here is the table once more.",))
    return f"{play.episode.code}: sent again to {', '.join(seat.name for seat in seats)}."


def back(session: Session, services: Services, code: str, line: int, now: datetime) -> str:
    """Go back to the state after a line of the record; new questions are asked, old mails are stale."""
    play = find(session, code)
    _require_todays_rules(play)
    if play.episode.over_at is not None:
        lobby_of(session, play.game.slug)  # nobody begins an episode with them meanwhile
        _refuse_second_episode(session, play)
    try:
        play, change = go_back(session, services, play, line, now)
    except ValueError as error:
        raise AdminError(f"{play.episode.code} cannot go back: {error}.") from None
    for letter in letters_asking_host(session, play.episode.id):
        letter.host_question = WENT_BACK
    lead = (
        f"The host took this episode back: it stands again as after line {line} of its record. What came later does "
        "not count.",
    )
    told = Notice(
        everyone=True, lead={seat.seat: lead + _unqueued(session, play, seat, now) for seat in play.episode.seats}
    )
    notify_all(session, services, play, change, told, now)
    for question in host_questions(play):
        alerts.ask_host(session, services, play, question, now)
    return f"{play.episode.code} stands as after line {line} of its record."


def _refuse_second_episode(session: Session, play: Play) -> None:
    """Who plays another episode of the game since cannot go back to this one. Raises `HandError`."""
    contestants = {seat.contestant_id: seat.name for seat in play.episode.seats}
    elsewhere = [
        (contestants[seat.contestant_id], other.episode.code, seat.name)
        for other in map(load_play, running_with(session, play.game.slug, contestants))
        for seat in other.episode.seats
        if seat.contestant_id in contestants and not other.game.is_out(other.state, seat.seat)
    ]
    if elsewhere:
        seats = " and ".join(f"{name} plays in {code}" for name, code, _ in elsewhere)
        ways = " and ".join(f"podium withdraw {code} {name}" for _, code, name in elsewhere)
        raise AdminError(
            f"{play.episode.code} cannot be opened again, since {seats} now: wait until that is over, or withdraw them there "
            f"first ({ways})."
        )


def _unqueued(session: Session, play: Play, seat: Seat, now: datetime) -> tuple[str, ...]:
    if not lobby.give_up_place(session, play.game, seat.contestant_id, now):
        return ()
    return ("You had registered again; that place in the queue is given up, so register once more when this is over.",)


def begin(session: Session, services: Services, slug: str, now: datetime) -> str:
    """Begin an episode with those who wait, as many as the game allows; who has been quiet is asked first."""
    game = GAMES.get(slug)
    if game is None or slug not in services.config.games:
        raise AdminError(f"There is no game {slug} here; there are: {', '.join(services.config.games)}.")
    row = lobby_of(session, slug)
    row.begin_requested = True
    session.flush()
    champion = row.champion_id is not None and not episode_with(session, slug, row.champion_id)
    present = count_waiting(session, slug, max(game.seats)) + champion
    if present < min(game.seats):
        raise AdminError(f"{game.title} needs at least {min(game.seats)} contestants, and {present} wait.")
    step = lobby.plan(session, services, game, now)
    done = lobby.run(session, services, game, now)
    if step.begin:
        return f"An episode of {game.title} begins."
    if done or step.ask:
        return f"{game.title}: some have been quiet and were asked whether they are ready; it begins when they answer."
    return f"{game.title} begins as soon as there is a free table and nobody's forfeit can be objected to any more."


def by_mail(session: Session, services: Services, letter: Letter, line: str, now: datetime) -> str:
    """One line of an operator's reply to an alert. The episode is the letter's, unless the line names one."""
    parts = line.split()
    word, rest = parts[0].lower(), parts[1:]
    code = ""
    if letter.episode_id is not None:
        code = session.get_one(Episode, letter.episode_id).code
    if rest and episode_of_code(session, rest[0]):
        code, rest = rest[0].upper(), rest[1:]
    try:
        with session.begin_nested():
            answer = _dispatch(session, services, letter, word, code, rest, line, now)
            audit(session, letter.address, line[:400], code, now)
            return answer
    except AdminError as error:
        forget_lobbies(session)
        return str(error)


def _dispatch(
    session: Session,
    services: Services,
    letter: Letter,
    word: str,
    code: str,
    rest: list[str],
    line: str,
    now: datetime,
) -> str:
    if word == "begin" and len(rest) == 1:
        return begin(session, services, rest[0], now)
    if not code:
        raise AdminError(f"“{line[:80]}”: name the episode too, such as pause CC-12.")
    if word in ("pause", "resume") and not rest:
        return (pause if word == "pause" else resume)(session, services, code, now)
    if word == "withdraw" and len(rest) == 1:
        return withdraw(session, services, code, rest[0], now)
    if word == "resend" and len(rest) < 2:
        return resend(session, services, code, " ".join(rest), now)
    if word == "back" and len(rest) == 1 and rest[0].isascii() and rest[0].isdecimal():
        return back(session, services, code, int(rest[0]), now)
    if word == "extend" and rest:
        try:
            by = read_duration(rest[-1])
        except ValueError as error:
            raise AdminError(f"“{line[:80]}”: {error}.") from None
        return extend(session, services, code, " ".join(rest[:-1]), by, now)
    if letter.host_question and letter.host_question not in {each.key for each in host_questions(find(session, code))}:
        raise AdminError(f"What that letter asked is settled; {code} stands as podium episode {code} shows it.")
    return say(session, services, code, " ".join(rest) if word == "say" else line, "", now)


def retry(session: Session, services: Services, what: str, number: int, now: datetime) -> str:
    """Take a mail again that could not be handled, or send a letter again that was refused for good."""
    if what == "mail":
        if not retry_mail(session, number):
            raise AdminError(
                f"Mail {number} is none that could not be handled: podium mail lists them with their numbers."
            )
        return f"Mail {number} is taken again by the daemon."
    letter = retry_letter(session, number, now)
    if letter is None:
        raise AdminError(f"Letter {number} is none that failed: podium mail lists them with their numbers.")
    if letter.contestant_id is not None:
        clocks.start_clocks(session, open_questions(session, contestant_id=letter.contestant_id), now)
    return f"Letter {number} is sent again by the daemon."
