"""Shell: the question bank of a game. In: a file of questions. Out: rows of the bank, how many were new, a listing."""

import csv
import functools
import io
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from host.engine.game import Entry, Game, Outcome
from host.games import GAMES
from host.mail.outbound.formatting import were
from host.store.bank import add_entry, entries_with_uses, is_put, known_prompts
from host.store.database import Session
from host.store.episodes import episodes_after
from host.store.schema import BankEntry
from host.table.notify import Notice
from host.table.play import Play, load_play, room_text
from host.table.work import Services, Work, begin
from host.turn.outcome import carry_out, has_entry, host_questions

WOKEN_AT_ONCE = 100


def game_with_a_bank() -> Game[Any, Any]:
    """The game that takes questions from a bank. Raises LookupError where there is none."""
    found = next((game for game in GAMES.values() if game.bank), None)
    if found is None:
        raise LookupError("no game here takes questions from a bank")
    return found


def read_entries(game: Game[Any, Any], name: str, text: str) -> tuple[Entry, ...]:
    """The questions in a file. Raises ValueError with a line for each thing that is wrong with it."""
    return game.bank.read(name, text) if game.bank else ()


def add_entries(work: Work, game: Game[Any, Any], entries: Sequence[Entry]) -> tuple[int, int]:
    """Put questions into the bank; gives how many were new, and how many were there already."""
    known = set(known_prompts(work.session, game.slug))
    before = len(known)
    for entry in entries:
        if entry.ask not in known:
            known.add(entry.ask)
            add_entry(work.session, game.slug, entry.ask, entry.answers, work.now)
    return len(known) - before, len(entries) - (len(known) - before)


def add_in_words(work: Work, game: Game[Any, Any], entries: Sequence[Entry]) -> str:
    """Put questions into the bank; says how many were new."""
    new, known = add_entries(work, game, entries)
    return f"{were(new, 'question')} added" + (f", {were(known, 'question')} in the bank already." if known else ".")


def change_entry(work: Work, game: Game[Any, Any], number: int, entry: Entry) -> str:
    """Put a question of the bank otherwise, or its answers; what was put already stays as it was. Raises ValueError."""
    row = work.session.get(BankEntry, number)
    if row is None:
        raise ValueError("There is no such question in the bank any more; nothing was changed.")
    file = io.StringIO()
    csv.writer(file).writerows([("ask", "answers"), (entry.ask, "|".join(entry.answers))])
    try:
        (checked,) = read_entries(game, "form.csv", file.getvalue())
    except ValueError as error:
        raise ValueError(f"Nothing was changed: {str(error).removeprefix('line 2: ')}.") from None
    if checked.ask != row.ask and checked.ask in known_prompts(work.session, game.slug):
        raise ValueError("Nothing was changed: another entry of the bank asks that already.")
    row.ask, row.answers = checked.ask, list(checked.answers)
    return "The question is changed; episodes in which it was put keep it as it was."


def remove_entry(work: Work, number: int) -> str:
    """Take a question out of the bank. Raises ValueError where it was put in an episode."""
    row = work.session.get(BankEntry, number)
    if row is None:
        raise ValueError("There is no such question in the bank any more; nothing was done.")
    if is_put(work.session, number):
        raise ValueError("It was put in an episode, so it stays: else it could be put to the same people again.")
    work.session.delete(row)
    return "The question is taken out of the bank."


def wake(work: Work, play: Play) -> None:
    """An episode that waits for a question of the host goes on, where the bank has one for it now."""
    bank = play.game.bank
    waits = bank and any(each.phase == bank.phase for each in host_questions(play))
    if waits and play.episode.paused_at is None and has_entry(work.session, play):
        carry_out(work, play, Outcome(play.state, ()), [], Notice())


def wake_all(services: Services, game: Game[Any, Any], now: datetime) -> None:
    """The same for every running episode of a game, each in its own transaction."""
    after: int | None = 0
    while after is not None:
        with services.store.reading() as session:
            numbers = episodes_after(session, game.slug, after, WOKEN_AT_ONCE)
        for number in numbers:
            with begin(services, now) as work:
                wake(work, load_play(work.episode(number)))
        after = numbers[-1] if numbers else None


def starter(game: Game[Any, Any]) -> tuple[Entry, ...]:
    """The questions that a room brings along."""
    return _starter(game.slug)


@functools.cache
def _starter(slug: str) -> tuple[Entry, ...]:
    bank = GAMES[slug].bank
    return bank.read(bank.starter, room_text(GAMES[slug], bank.starter)) if bank else ()


def listing(session: Session, game: Game[Any, Any]) -> list[dict[str, Any]]:
    """The bank for the host's eyes: each question, its answers, in how many episodes it was put."""
    return [
        {"number": entry.id, "ask": entry.ask, "answers": entry.answers, "episodes": uses}
        for entry, uses in reversed(entries_with_uses(session, game.slug))
    ]
