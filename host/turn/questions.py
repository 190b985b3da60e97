"""Shell: the question bank of a game. In: a file of questions. Out: rows of the bank, and a sentence about them."""

from collections.abc import Sequence
from datetime import datetime
from importlib.resources import files
from typing import Any

from host.game import Entry, Game
from host.games import GAMES
from host.store.bank import add_entry, entries_with_uses, known_prompts
from host.store.store import Session


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


def starter(game: Game[Any, Any]) -> tuple[Entry, ...]:
    """The questions that a room brings along."""
    if game.bank is None:
        return ()
    package = game.deal.__module__.rpartition(".rules")[0]
    return game.bank.read(game.bank.starter, files(package).joinpath(game.bank.starter).read_text("utf-8"))


def listing(session: Session, game: Game[Any, Any]) -> list[dict[str, Any]]:
    """The bank for the host's eyes: each question, its answers, in how many episodes it was put."""
    return [
        {"number": entry.id, "ask": entry.ask, "answers": entry.answers, "episodes": uses}
        for entry, uses in entries_with_uses(session, game.slug)
    ]
