"""Shell: the question bank of a game. In: a file of questions. Out: rows of the bank, how many were new, a listing."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from host.game import Entry, Game, Outcome
from host.games import GAMES
from host.store.bank import add_entry, entries_with_uses, known_prompts
from host.store.episodes import running_episodes
from host.store.store import Session
from host.turn.house import House, load_play, room_text
from host.turn.playing import commit, host_questions
from host.turn.settling import has_entry
from host.turn.telling import Told


def game_with_a_bank() -> Game[Any, Any]:
    """The game that takes questions from a bank. Raises LookupError where there is none."""
    found = next((game for game in GAMES.values() if game.bank), None)
    if found is None:
        raise LookupError("no game here takes questions from a bank")
    return found


def read_entries(game: Game[Any, Any], name: str, text: str) -> tuple[Entry, ...]:
    """The questions in a file. Raises ValueError with a line for each thing that is wrong with it."""
    return game.bank.read(name, text) if game.bank else ()


def add_entries(session: Session, game: Game[Any, Any], entries: Sequence[Entry], now: datetime) -> tuple[int, int]:
    """Put questions into the bank; gives how many were new, and how many were there already."""
    known = set(known_prompts(session, game.slug))
    before = len(known)
    for entry in entries:
        if entry.ask not in known:
            known.add(entry.ask)
            add_entry(session, game.slug, entry.ask, entry.answers, now)
    session.flush()
    return len(known) - before, len(entries) - (len(known) - before)


def wake(session: Session, house: House, game: Game[Any, Any], now: datetime) -> None:
    """Episodes that wait for a question of the host go on, where the bank has one for them now."""
    for episode in running_episodes(session, game.slug):
        play = load_play(episode)
        waits = game.bank and any(each.phase == game.bank.phase for each in host_questions(play))
        if waits and episode.paused_at is None and has_entry(session, play):
            commit(session, house, play, Outcome(play.state, ()), [], Told(), now)


def starter(game: Game[Any, Any]) -> tuple[Entry, ...]:
    """The questions that a room brings along."""
    if game.bank is None:
        return ()
    return game.bank.read(game.bank.starter, room_text(game, game.bank.starter))


def listing(session: Session, game: Game[Any, Any]) -> list[dict[str, Any]]:
    """The bank for the host's eyes: each question, its answers, in how many episodes it was put."""
    return [
        {"number": entry.id, "ask": entry.ask, "answers": entry.answers, "episodes": uses}
        for entry, uses in entries_with_uses(session, game.slug)
    ]
