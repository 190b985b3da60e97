"""Shell: an episode that is taken back. In: a line of its record. Out: the state after it, and new questions."""

from typing import Any

from host.engine import record
from host.engine.game import Outcome
from host.store.database import Session
from host.store.episodes import has_ended_one_since
from host.store.people import contestant_of_id, ledger_sums
from host.store.schema import Episode
from host.store.standings import follow_throne
from host.turn.changes import Change, book, close, score, set_playing
from host.turn.outcome import CAME_BACK, advance, drop_premoves
from host.turn.play import Play, record_lines, replayed
from host.turn.work import Work


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
        lobby.champion = None if lobby.champion_id is None else contestant_of_id(work.session, lobby.champion_id)
        follow_throne(work.session, lobby, work.now, is_taken_back=True)
    episode.over_at = None


def _is_last_word(session: Session, episode: Episode, champion_id: int | None, made: int | None) -> bool:
    """Is the throne as the end of this episode left it, or empty because whom it had `made` champion stepped down?"""
    if champion_id is None:
        return made is None or made != episode.champion_before_id  # a champion of before it who stepped down stays down
    if champion_id != made or episode.over_at is None:
        return False
    return not has_ended_one_since(session, episode.game, champion_id, episode.over_at)
