"""Shell: the steps of a move, in their order, and taking one back. In: an outcome of the rules, a line of the record to go
back to, a seat's `undo`. Out: what it changed, its letters, the lobby.

1. What follows by itself is played on: the game's question bank answers what the host is asked, and premoves are played
   when they are asked for.
2. State, record and events are stored; questions that are settled close, new ones open (`clocks`).
3. Where the episode is over, the ledger and the throne follow.
4. Letters tell it (`notify`), and the host is asked what only the host can answer.
5. The lobby goes on where the episode is over.

All of it is one work: a move and the letters that tell it are committed together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from host.club import company, lobby
from host.engine import record
from host.engine.game import HOST, Entry, Outcome, Question, Refusal
from host.mail.outbound.formatting import many
from host.mail.outbound.render import zone_of
from host.play.premoves import Premove, order_of, play_premoves
from host.play.taking_back import Said, may_take_back
from host.states import RegistrationState
from host.store import roster
from host.store.bank import count_unseen, next_entry, use_entry
from host.store.database import Session
from host.store.episodes import dump_state, has_ended_one_since, last_question, record_rows, record_texts
from host.store.people import ledger_sums, registration_of
from host.store.schema import Episode, LedgerEntry, QuestionRow, RecordLine, Seat
from host.store.standings import Score, add_scores
from host.table.clocks import close, is_over, reconcile_questions
from host.table.letters import alert, ask_host
from host.table.notify import Notice, notify_all, tell_of_prizes
from host.table.play import Change, Play, record_lines, replayed, store_events
from host.table.work import Work

FEW_QUESTIONS = 30
WARN_EVERY = timedelta(days=1)
CAME_BACK = "the host took the episode back."
RULES_CHANGED = "the rules of the game were changed."


def carry_out(
    work: Work,
    play: Play,
    outcome: Outcome[Any],
    lines: Sequence[record.Line],
    notice: Notice,
) -> Play:
    """Store an outcome, write its letters, and let the lobby go on where the episode is over."""
    was_over = play.episode.over_at is not None
    asked_host_before = {each.key for each in host_questions(play)}
    play, change = advance(work, play, outcome, lines)
    ended = play.episode.over_at is not None and not was_over
    if ended:
        notice = replace(notice, next_up=frozenset(lobby.plan(work, play.game).begin))
    notify_all(work, play, change, notice)
    for question in host_questions(play):
        if question.key not in asked_host_before:
            ask_host(work, play, question)
    if ended:
        company.wake_watchers(work, play.episode)
        tell_of_prizes(work, play)
        lobby.run(work, play.game)
    return play


def advance(work: Work, play: Play, outcome: Outcome[Any], lines: Sequence[record.Line]) -> tuple[Play, Change]:
    """Store what was played: record lines, events, state, questions; where the episode is over, its end.

    Gives the play as it stands, and what changed.
    """
    outcome, lines = _go_on(work, play, outcome, lines)
    play = replace(play, state=outcome.state)
    episode, last_event = play.episode, play.episode.last_event
    episode.state = dump_state(play.game, outcome.state)
    work.session.add_all(
        RecordLine(episode_id=episode.id, line=at, text=record.write_line(line), at=work.now)
        for at, line in enumerate(lines, episode.last_line + 1)
    )
    episode.last_line += len(lines)
    store_events(work.session, play, outcome.events)
    opened, still_open = reconcile_questions(work, play)
    if play.result and play.episode.over_at is None:
        _finish(work, play)
    return play, Change(opened, still_open, last_event, list(enumerate(outcome.events, last_event + 1)))


def _go_on(
    work: Work, play: Play, outcome: Outcome[Any], lines: Sequence[record.Line]
) -> tuple[Outcome[Any], list[record.Line]]:
    """Play on as far as nobody has to be asked."""
    whole = list(lines)
    while True:
        if supplied := _supplied(work, play, outcome):
            outcome, line = supplied
            whole.append(line)
            continue
        outcome, played = _premoves(play, outcome)
        if not played:
            return outcome, whole
        whole += played


def _supplied(work: Work, play: Play, outcome: Outcome[Any]) -> tuple[Outcome[Any], record.Line] | None:
    """Answer for the host, where a question is asked of them, with the next of the bank that no contestant has seen."""
    bank = play.game.bank
    if bank is None or not any(each.phase == bank.phase for each in play.game.questions(outcome.state)):
        return None
    contestants = [seat.contestant_id for seat in play.episode.seats]
    entry = next_entry(work.session, play.game.slug, contestants)
    if entry is None:
        return None
    use_entry(work.session, entry, play.episode.id)
    left = count_unseen(work.session, play.game.slug, contestants)
    if left < FEW_QUESTIONS:
        text = (
            f"The bank of {play.game.title} has only {many(left, 'question')} left that the contestants of "
            f"{play.episode.code} have not seen. Add some with podium questions import FILE."
        )
        alert(work, "The question bank runs low", text, play, every=WARN_EVERY, cause="question bank")
    said = bank.say(Entry(entry.ask, tuple(entry.answers)))
    command = play.game.parse(said, outcome.state, HOST)
    after = play.game.apply(outcome.state, HOST, command, play.chance)
    line = record.Say(record.HOST_NAME, play.game.say(command))
    return Outcome(after.state, (*outcome.events, *after.events)), line


def _premoves(play: Play, outcome: Outcome[Any]) -> tuple[Outcome[Any], list[record.Line]]:
    """Play what was sent ahead, as far as it is asked for now."""
    rows = {row.id: row for row in play.episode.waiting_premoves()}
    if not rows:
        return outcome, []
    waiting = [Premove(row.id, row.seat, row.text, row.scope, row.inbound_id) for row in rows.values()]
    settled = play_premoves(play.game, outcome.state, waiting, play.chance)
    for each in settled.played:
        rows[each.id].state = "played"
    for each, why in settled.dropped:
        rows[each.id].state, rows[each.id].note = "dropped", why
    for each in settled.waiting:
        rows[each.id].scope = each.scope
    lines: list[record.Line] = [record.Say(play.name(seat), text) for seat, text in settled.said]
    return Outcome(settled.state, (*outcome.events, *settled.events)), lines


def _finish(work: Work, play: Play) -> None:
    """The end of an episode: ledger, champion, and its contestants free to register again."""
    episode, game = play.episode, play.game
    episode.over_at, episode.paused_at = work.now, None
    for earning in game.earnings(play.state) if not episode.is_unlisted else ():
        contestant_id = episode.seats[earning.seat].contestant_id
        book(work, episode, contestant_id, earning.account, earning.amount, "earned")
    set_playing(work.session, episode, "playing", "played")
    result = game.result(play.state)
    row = work.lobby(game.slug)
    row.running -= 1
    if not episode.is_unlisted:
        episode.champion_before_id, episode.champion_wins_before = row.champion_id, row.champion_wins
    score(work, play)
    if not play.is_about_throne:
        return
    winner = None if result is None or result.champion is None else episode.seats[result.champion].contestant
    may_not = winner is None or winner.is_leaving or roster.barred(work.session, winner.address)
    champion = None if winner is None or may_not else winner.id
    is_champion_again = champion is not None and champion == row.champion_id
    lobby.set_champion(work, row, champion, row.champion_wins + 1 if is_champion_again else int(champion is not None))


def has_entry(session: Session, play: Play) -> bool:
    """Does the bank hold a question that nobody of this episode has seen?"""
    return next_entry(session, play.game.slug, [seat.contestant_id for seat in play.episode.seats]) is not None


def host_questions(play: Play) -> list[Question]:
    """Questions that the game asks of the host now."""
    return [each for each in play.questions if each.seat == HOST]


def drop_premoves(play: Play, why: str) -> None:
    """Drop what was sent ahead: it was meant for what no longer counts."""
    for row in play.episode.waiting_premoves():
        row.state, row.note = "dropped", why


def set_playing(session: Session, episode: Episode, before: RegistrationState, after: RegistrationState) -> None:
    """The registrations of those who sit in an episode go from one state to another: `playing`, `played`."""
    for seat in episode.seats:
        registration = registration_of(session, seat.contestant_id, episode.game, before)
        if registration:
            registration.state = after


def score(work: Work, play: Play, is_taken_back: bool = False) -> None:
    """The end of an episode counts for its contestants' seats and in the standings; or not any more, where it is taken back.

    What friends play by themselves stands in no standings.
    """
    episode, sign = play.episode, -1 if is_taken_back else 1
    result = play.result
    if result is None or episode.over_at is None:
        return
    scores = []
    for seat, winnings in zip(episode.seats, play.game.winnings(play.state), strict=True):
        won = seat.seat == result.winner
        scores.append(Score(seat.contestant_id, sign, sign * int(won), sign * winnings))
        seat.won, seat.winnings = (None, None) if is_taken_back else (won, winnings)
    if not episode.is_unlisted:
        year = episode.over_at.astimezone(zone_of(work.config.host.timezone)).year
        add_scores(work.session, episode.game, year, scores, play.game.currency == "$")


def book(work: Work, episode: Episode, contestant_id: int, account: str, amount: int, note: str) -> None:
    """An entry in the ledger of play money."""
    work.session.add(
        LedgerEntry(
            contestant_id=contestant_id, episode_id=episode.id, account=account, amount=amount, at=work.now, note=note
        )
    )


# Taking back


NOTHING = "There is nothing of yours to take back."
TOO_LATE = "That cannot be taken back any more: somebody was shown something new by it, or you were."
PAUSED = "The episode is paused, so nothing is taken back: write that once more when it goes on."
TIME_IS_OVER = "That cannot be taken back any more: the time for that answer is over."


@dataclass(frozen=True)
class TakenBack:
    """The episode without the commands that were taken back, and without the `orders` that would give them again; `why_not`
    where none was."""

    play: Play
    commands: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    why_not: str = ""


@dataclass(frozen=True)
class Earlier:
    """The table without a command, and the rows of the questions that are asked again, by key."""

    state: Any
    command: str
    questions: Mapping[str, QuestionRow | None]


def take_back(work: Work, play: Play, seat: Seat) -> TakenBack:
    """Take back a seat's last command, or the last mail's commands of it that still wait to be asked for."""
    rows = record_rows(work.session, play.episode.id)
    lines = [record.read_line(row.text) for row in rows]
    last = _last_said(lines, seat)
    waiting = play.episode.waiting_premoves(seat.seat)
    latest = max((row.inbound_id or 0 for row in waiting), default=0)
    batch = [row for row in waiting if (row.inbound_id or 0) == latest]
    said_at = None if last is None else rows[last].at
    is_of_orders = all(
        order_of(play.game, row.text) for row in batch
    )  # of the same mail, they stand for what they played
    if batch and (said_at is None or batch[-1].at > said_at or (batch[-1].at == said_at and not is_of_orders)):
        for each in batch:
            each.state = "cancelled"
        return TakenBack(play, tuple(each.text for each in batch))
    if last is None:
        return TakenBack(play, why_not=NOTHING)
    return _without(work, play, seat, lines, last)


def can_be_undone(work: Work, play: Play, seat: Seat) -> str:
    """The last command of a seat that counts, where it may still be taken back; else empty."""
    lines = [record.read_line(text) for text in record_texts(work.session, play.episode.id)]
    last = _last_said(lines, seat)
    earlier = NOTHING if last is None else _before(work, play, seat, lines, last)
    return "" if isinstance(earlier, str) else earlier.command


def _last_said(lines: Sequence[record.Line], seat: Seat) -> int | None:
    """The place among the lines of a record, header aside, of a seat's last command that counts."""
    kept = (number - 2 for number in reversed(record.standing(lines)[1:]))
    return next((at for at in kept if isinstance(line := lines[at], record.Say) and line.player == seat.name), None)


def _after(lines: Sequence[record.Line], at: int) -> list[record.Line]:
    """What counts of a record behind line `at`."""
    found = [lines[number - 2] for number in record.standing(lines)[1:] if number - 2 > at]
    return [line for line in found if not isinstance(line, record.BackTo)]


def _before(work: Work, play: Play, seat: Seat, lines: list[record.Line], at: int) -> Earlier | str:
    """The state without line `at` of the record, and the questions that it asks again; or why it cannot be left out."""
    game, line, later = play.game, lines[at], _after(lines, at)
    if play.episode.paused_at is not None:
        return PAUSED
    if (
        play.episode.over_at is not None
        or not isinstance(line, record.Say)
        or not all(isinstance(each, record.Say) for each in later)
    ):
        return TOO_LATE
    try:
        before = replayed(work.session, play).states[at]
        outcome = game.apply(before, seat.seat, game.parse(line.text, before, seat.seat), play.chance)
        state = _played(play, before, later)
    except (Refusal, ValueError):
        return TOO_LATE
    said = Said(seat.seat, line.text, outcome.events)
    if not may_take_back(game, state, play.state, said, len(play.names), play.chance):
        return TOO_LATE
    asked = [each.key for each in game.questions(state) if each.seat == seat.seat]
    earlier = {key: last_question(work.session, play.episode.id, seat.seat, key) for key in asked}
    is_late = any(row is not None and is_over(row, work.now) for row in earlier.values())
    return TIME_IS_OVER if is_late else Earlier(state, line.text, earlier)


def _without(work: Work, play: Play, seat: Seat, lines: list[record.Line], at: int) -> TakenBack:
    """The episode without line `at` of its record, what the others said since played again."""
    earlier = _before(work, play, seat, lines, at)
    if isinstance(earlier, str):
        return TakenBack(play, why_not=earlier)
    orders = [each for each in play.episode.waiting_premoves(seat.seat) if order_of(play.game, each.text)]
    for order in orders:  # one of them would give the command again at once
        order.state = "cancelled"
    back: list[record.Line] = [record.BackTo(at + 1), *_after(lines, at)]
    play, change = advance(work, play, Outcome[Any](earlier.state, ()), back)
    for row in change.opened:
        before = earlier.questions.get(row.key) if row.seat == seat.seat else None
        if before is not None and before.asked_at is not None and before.due_at is not None:
            left = int((before.due_at - work.now).total_seconds())
            row.due_at, row.within = before.due_at, max(1, left)
    work.session.flush()  # asked again, even where the rest of the mail answers it at once
    return TakenBack(play, (earlier.command,), tuple(each.text for each in orders))


def _played(play: Play, state: Any, lines: list[record.Line]) -> Any:
    """The state after what others said. Raises `Refusal`, or ValueError where one of them is nobody's here."""
    for line in lines:
        if isinstance(line, record.Say):
            by = play.names.index(line.player)
            state = play.game.apply(state, by, play.game.parse(line.text, state, by), play.chance).state
    return state


def go_back(work: Work, play: Play, line: int) -> tuple[Play, Change]:
    """The state as it was after `line` of the record; an episode that was over is under way again.

    Raises ValueError where there is no such line, or the record does not lead to the table with these rules.
    """
    lines = record_lines(work.session, play.episode)
    if not 1 <= line <= len(lines) + 1:
        raise ValueError(f"the record has lines 1 to {len(lines) + 1}; name one of them")
    replay = replayed(work.session, play)
    if play.episode.over_at is not None:
        _reopen(work, play)
    for row in play.episode.open_questions:
        close(work, row, "back")
    drop_premoves(play, CAME_BACK)
    state = replay.states[line - 1]
    asked = [each for each in play.game.questions(state) if each.seat != HOST]
    earlier = [last_question(work.session, play.episode.id, each.seat, each.key) for each in asked]
    play, change = advance(work, play, Outcome[Any](state, ()), [record.BackTo(line)])
    for row in change.opened:
        until = next((each.due_at for each in earlier if each and (each.seat, each.key) == (row.seat, row.key)), None)
        if until and row.due_at:  # it may have been moved before what is taken back
            row.due_at = max(row.due_at, until)
    for seat in play.episode.seats:
        seat.told = play.episode.last_event
    return play, change


def _reopen(work: Work, play: Play) -> None:
    """Undo the end of an episode: ledger entries are balanced by their opposites, the champion is who it was before, unless
    there was a word about the throne since."""
    episode = play.episode
    for contestant_id, account, amount in ledger_sums(work.session, episode.id):
        if amount:
            book(work, episode, contestant_id, account, -amount, "taken back")
    set_playing(work.session, episode, "played", "playing")
    score(work, play, is_taken_back=True)
    result = play.result
    made = None if result is None or result.champion is None else episode.seats[result.champion].contestant_id
    row = work.lobby(episode.game)
    row.running += 1
    if play.is_about_throne and _is_last_word(work.session, episode, row.champion_id, made):
        before, wins = episode.champion_before_id, episode.champion_wins_before
        lobby.set_champion(work, row, before, wins, is_taken_back=True)
    episode.over_at = None


def _is_last_word(session: Session, episode: Episode, champion_id: int | None, made: int | None) -> bool:
    """Is the throne as the end of this episode left it, or empty because whom it had `made` champion stepped down?"""
    if champion_id is None:
        return made is None or made != episode.champion_before_id  # a champion of before it who stepped down stays down
    if champion_id != made or episode.over_at is None:
        return False
    return not has_ended_one_since(session, episode.game, champion_id, episode.over_at)
