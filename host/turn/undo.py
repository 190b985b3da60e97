"""Shell: taking back. In: the host's going back to a line of a record, a seat's `undo`. Out: the episode as it is then."""

from dataclasses import dataclass
from typing import Any

from host.engine import record
from host.engine.game import Outcome, Refusal
from host.play.taking_back import Said, may_take_back
from host.store.database import Session
from host.store.episodes import has_ended_one_since, last_question, record_rows
from host.store.people import ledger_sums
from host.store.schema import Contestant, Episode, Seat
from host.store.standings import follow_throne
from host.turn.changes import Change, book, close, score, set_playing
from host.turn.clocks import is_over
from host.turn.outcome import CAME_BACK, advance, drop_premoves
from host.turn.play import Play, record_lines, replayed
from host.turn.work import Work

NOTHING = "There is nothing of yours to take back."
TOO_LATE = "That cannot be taken back any more: somebody was shown something new by it, or you were."
TIME_IS_OVER = "That cannot be taken back any more: the time for that answer is over."


@dataclass(frozen=True)
class TakenBack:
    """The episode without the commands that were taken back; `why_not` where none was."""

    play: Play
    commands: tuple[str, ...] = ()
    why_not: str = ""


def take_back(work: Work, play: Play, seat: Seat) -> TakenBack:
    """Take back a seat's last command, or the last mail's commands of it that still wait to be asked for."""
    rows = record_rows(work.session, play.episode.id)
    lines = [record.read_line(row.text) for row in rows]
    own = [at for at, line in enumerate(lines) if isinstance(line, record.Say) and line.player == seat.name]
    last = own[-1] if own else None
    waiting = play.episode.waiting_premoves(seat.seat)
    latest = max((row.inbound_id or 0 for row in waiting), default=0)
    batch = [row for row in waiting if (row.inbound_id or 0) == latest]
    if batch and (last is None or batch[-1].at >= rows[last].at):
        for each in batch:
            each.state = "cancelled"
        return TakenBack(play, tuple(each.text for each in batch))
    if last is None or play.episode.over_at is not None or play.episode.paused_at is not None:
        return TakenBack(play, why_not=NOTHING if last is None else TOO_LATE)
    return _without(work, play, seat, lines, last)


def _without(work: Work, play: Play, seat: Seat, lines: list[record.Line], at: int) -> TakenBack:
    """The episode without line `at` of its record, what the others said since played again."""
    game, line, later = play.game, lines[at], lines[at + 1 :]
    if not isinstance(line, record.Say) or not all(isinstance(each, record.Say) for each in later):
        return TakenBack(play, why_not=TOO_LATE)
    try:
        before = replayed(work.session, play).states[at]
        outcome = game.apply(before, seat.seat, game.parse(line.text, before, seat.seat), play.chance)
        state = _played(play, before, later)
    except (Refusal, ValueError):
        return TakenBack(play, why_not=TOO_LATE)
    said = Said(seat.seat, line.text, outcome.events)
    if not may_take_back(game, state, play.state, said, len(play.names), play.chance):
        return TakenBack(play, why_not=TOO_LATE)
    asked = [each.key for each in game.questions(state) if each.seat == seat.seat]
    earlier = {key: last_question(work.session, play.episode.id, seat.seat, key) for key in asked}
    if any(row is not None and is_over(row, work.now) for row in earlier.values()):
        return TakenBack(play, why_not=TIME_IS_OVER)
    back: list[record.Line] = [record.BackTo(at + 1), *later]
    play, change = advance(work, play, Outcome[Any](state, ()), back)
    for row in change.opened:
        before = earlier.get(row.key) if row.seat == seat.seat else None
        if before is not None and before.asked_at is not None and before.due_at is not None:
            left = int((before.due_at - work.now).total_seconds())
            row.due_at, row.within = before.due_at, max(1, left)
    work.session.flush()  # asked again, even where the rest of the mail answers it at once
    return TakenBack(play, (line.text,))


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
    drop_premoves(work, play, CAME_BACK)
    outcome: Outcome[Any] = Outcome(replay.states[line - 1], ())
    play, change = advance(work, play, outcome, [record.BackTo(line)])
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
    lobby = work.lobby(episode.game)
    lobby.running += 1
    if play.is_about_throne and _is_last_word(work.session, episode, lobby.champion_id, made):
        lobby.champion_id, lobby.champion_wins = episode.champion_before_id, episode.champion_wins_before
        lobby.champion = None if lobby.champion_id is None else work.session.get(Contestant, lobby.champion_id)
        follow_throne(work.session, lobby, work.now, is_taken_back=True)
    episode.over_at = None


def _is_last_word(session: Session, episode: Episode, champion_id: int | None, made: int | None) -> bool:
    """Is the throne as the end of this episode left it, or empty because whom it had `made` champion stepped down?"""
    if champion_id is None:
        return made is None or made != episode.champion_before_id  # a champion of before it who stepped down stays down
    if champion_id != made or episode.over_at is None:
        return False
    return not has_ended_one_since(session, episode.game, champion_id, episode.over_at)
