"""Shell: an episode under way. In: its rows. Out: a `Play`, its record, its events, and what a change adds to
them."""

import functools
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from host.engine import record
from host.engine.chance import Chance
from host.engine.events import DeckCut, Event, Shuffled
from host.engine.game import HOST, Game, Question, Result, are_rules_of, decode_event, encode_event
from host.games import GAMES
from host.store.database import Session
from host.store.episodes import deck_of, events_after, keep_deck, load_state, record_rows, record_texts
from host.store.people import went_back_at
from host.store.schema import Contestant, Episode, EventRow, QuestionRow, RecordLine, Seat
from host.store.seasons import place_in_chain

if TYPE_CHECKING:
    from host.table.work import Work

WINS_OPTION = "champion_wins"
"""The option of a game that takes how many episodes in a row its first seat has won; the house sets it."""


@dataclass(frozen=True)
class Play:
    """An episode under way: its row, its game, its state as it was loaded. What the rules say of that is asked once."""

    episode: Episode
    game: Game[Any, Any]
    state: Any

    @functools.cached_property
    def questions(self) -> tuple[Question, ...]:
        """The questions that the game asks now."""
        return self.game.questions(self.state)

    @functools.cached_property
    def result(self) -> Result | None:
        """The end of the episode; None while it is under way."""
        return self.game.result(self.state)

    @functools.cached_property
    def chance(self) -> Chance:
        """The chance of this episode."""
        return Chance(self.episode.seed)

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """The names in the order of the seats."""
        return tuple(seat.name for seat in self.episode.seats)

    @property
    def public_names(self) -> tuple[str, ...]:
        """The names in the order of the seats, as they are shown to everybody."""
        return tuple(seat.public_name for seat in self.episode.seats)

    @property
    def header(self) -> record.Header:
        """The header of its record."""
        return record.Header(
            self.game.slug, self.episode.seed, self.names, self.episode.options, self.episode.commitment
        )

    @property
    def is_about_throne(self) -> bool:
        """Does it decide who is champion? Not where the champion plays elsewhere, or friends play by themselves."""
        before = self.episode.champion_before_id
        return not self.episode.is_unlisted and (before is None or self.seat_of(before) is not None)

    def seat_of(self, contestant_id: int | None) -> Seat | None:
        """The seat of a contestant."""
        return next((seat for seat in self.episode.seats if seat.contestant_id == contestant_id), None)

    def asked(self, seat: Seat) -> list[QuestionRow]:
        """What a seat is asked."""
        return [row for row in self.episode.open_questions if row.seat == seat.seat]

    def name(self, seat: int) -> str:
        """A seat's name in the record."""
        return record.HOST_NAME if seat == HOST else self.names[seat]


@dataclass(frozen=True)
class Change:
    """The effects of one change of an episode: the questions that opened, all that are open, and its events with their numbers.

    `before` is how many events there were before it.
    """

    opened: Sequence[QuestionRow]
    open: Sequence[QuestionRow]
    before: int
    events: Sequence[tuple[int, Event]]


def load_play(episode: Episode) -> Play:
    """An episode with its state."""
    game = GAMES[episode.game]
    return Play(episode, game, load_state(game, episode.state))


def loaded(episode: Episode) -> Play | None:
    """An episode as it stands; None where it began under rules that have changed since, so that it cannot be looked at."""
    try:
        return load_play(episode)
    except ValueError:
        return None


def seated(work: "Work", episode_id: int | None, contestant: Contestant) -> tuple[Play, Seat] | None:
    """An episode, taken, and a contestant's seat in it; None where they sit in none."""
    if episode_id is None:
        return None
    play = load_play(work.episode(episode_id))
    seat = play.seat_of(contestant.id)
    return (play, seat) if seat else None


def has_todays_rules(episode: Episode) -> bool:
    """Are the rules of its game, for an episode, those that it began with?"""
    return are_rules_of(GAMES[episode.game], episode.rules_version, episode.options)


def room_text(game: Game[Any, Any], name: str) -> str:
    """A text file of a game's room, such as RULES.md."""
    return files(f"host.games.{game.slug.replace('-', '_')}").joinpath(name).read_text("utf-8")


def record_lines(session: Session, episode: Episode) -> list[record.Line]:
    """The lines of an episode's record after the header."""
    return [record.read_line(text) for text in record_texts(session, episode.id)]


def replayed(session: Session, play: Play) -> record.Replay:
    """An episode's record, replayed. Raises ValueError with why where these rules do not lead to its table."""
    replay = record.Replay(play.game, play.header)
    for at, line in enumerate(record_lines(session, play.episode), 2):
        refused = replay.step(line)
        if refused:
            raise ValueError(f"line {at} of the record is refused by these rules: {refused.removesuffix('.')}")
    view, asked = play.game.view, play.game.questions
    if view(replay.state, None) != view(play.state, None) or asked(replay.state) != asked(play.state):
        raise ValueError("its record leads to another table under these rules")
    return replay


def history(session: Session, play: Play) -> list[tuple[record.Line | None, tuple[Event, ...]]]:
    """The lines of an episode that count after something was taken back, each with its events; the deal's line is None.

    The host's going back is one of them, a player's is not. Empty where nobody went back, or today's rules refuse a line: then
    the events count that are stored.
    """
    rows = record_rows(session, play.episode.id)
    lines = [record.read_line(row.text) for row in rows]
    if not any(isinstance(line, record.BackTo) for line in lines):
        return []
    replay = record.Replay(play.game, play.header)
    steps: list[tuple[record.Line | None, tuple[Event, ...]]] = [(None, replay.events)]
    for line in lines:
        if replay.step(line):
            return []
        steps.append((line, replay.events))
    by_host = went_back_at(session, play.episode.code)
    found = [number for number in record.standing(lines) if number == 1 or not _is_undo(rows[number - 2], by_host)]
    return [steps[number - 1] for number in found]


def _is_undo(row: RecordLine, by_host: Collection[datetime]) -> bool:
    return isinstance(record.read_line(row.text), record.BackTo) and row.at not in by_host


def state_at(session: Session, play: Play, at: datetime) -> Any:
    """The state of an episode at a moment; None where its record does not replay with these rules."""
    replay = record.Replay(play.game, play.header)
    for row in record_rows(session, play.episode.id):
        if row.at > at:
            break
        if replay.step(record.read_line(row.text)):
            return None
    return replay.state


def record_file(session: Session, play: Play, names: Sequence[str] = ()) -> bytes:
    """An episode's record as its file; with `names`, under these, and without Message-IDs where one is not shown."""
    shown = dict(zip(play.names, names or play.names, strict=True))
    found = (
        line if isinstance(line, record.BackTo) else replace(line, player=shown.get(line.player, line.player))
        for line in record_lines(session, play.episode)
    )
    chain = place_in_chain(session, play.episode) if tuple(shown.values()) == play.names else None
    header = replace(play.header, players=tuple(shown.values()), chain=chain)
    lines = [record.write_header(header), *map(record.write_line, found)]
    return ("\n".join(lines) + "\n").encode()


def events_of(work: "Work", play: Play, after: int, until: int | None = None) -> list[tuple[int, Any]]:
    """The events after the first `after`, each with its number; with `until`, up to that one."""
    rows = events_after(work.session, play.episode.id, after, until)
    return [(row.number, decode_event(play.game, row.event)) for row in rows]


def store_events(session: Session, play: Play, events: Sequence[Event]) -> None:
    """Store what happened, behind what happened before, and the decks that it shows."""
    for event in events:
        play.episode.last_event += 1
        play.episode.untold.append(EventRow(number=play.episode.last_event, event=encode_event(event)))
        if isinstance(event, Shuffled):
            keep_deck(session, play.episode.id, event.label, list(event.deck))
        elif isinstance(event, DeckCut):
            deck = deck_of(session, play.episode.id, event.label)
            if deck:
                deck.cut = event.count
