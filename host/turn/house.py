"""Shell: what every turn needs at hand. In: the configuration and the store. Out: `House`, and the rows often asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from host import record
from host.chance import Chance
from host.config import Config, GameSettings
from host.game import HOST, Game, decode_event
from host.games import GAMES
from host.store.schema import (
    Address,
    Contestant,
    Episode,
    Happening,
    Lobby,
    Question,
    RecordLine,
    Seat,
)
from host.store.states import load_state
from host.store.store import Store


@dataclass(frozen=True)
class House:
    """One host: its configuration and its store. Held by whoever calls a turn."""

    config: Config
    store: Store

    def settings(self, slug: str) -> GameSettings:
        """How a game is offered."""
        return self.config.games.get(slug) or GameSettings.model_validate({})

    def seats(self, game: Game[Any, Any]) -> int:
        """With how many contestants an episode begins."""
        return self.settings(game.slug).seats or min(game.seats)


@dataclass(frozen=True)
class Play:
    """An episode under way: its row, its game, its state as it was loaded."""

    episode: Episode
    game: Game[Any, Any]
    state: Any

    @property
    def chance(self) -> Chance:
        """The chance of this episode."""
        return Chance(self.episode.seed)

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits where."""
        return tuple(seat.name for seat in self.episode.seats)

    @property
    def header(self) -> record.Header:
        """The header of its record."""
        return record.Header(self.game.slug, self.episode.seed, self.names, self.episode.options, self.episode.commitment)

    def seat_of(self, contestant_id: int | None) -> Seat | None:
        """Where a contestant sits."""
        return next((seat for seat in self.episode.seats if seat.contestant_id == contestant_id), None)

    def seat_named(self, name: str) -> Seat | None:
        """The seat of the player of this name, however it is capitalised."""
        return next((seat for seat in self.episode.seats if seat.name.casefold() == name.casefold()), None)

    def name(self, seat: int) -> str:
        """A seat's name in the record."""
        return record.HOST_NAME if seat == HOST else self.names[seat]


def load_play(episode: Episode) -> Play:
    """An episode with its state."""
    game = GAMES[episode.game]
    return Play(episode, game, load_state(game, episode.state))


def episode_of_code(session: Session, code: str) -> Episode | None:
    """The episode with this short name."""
    return session.scalar(select(Episode).where(Episode.code == code.upper()))


def running_episodes(session: Session, slug: str) -> Sequence[Episode]:
    """The episodes of a game that are not over, oldest first."""
    return session.scalars(select(Episode).where(Episode.game == slug, Episode.over_at.is_(None)).order_by(Episode.id)).all()


def contestant_of_address(session: Session, address: str) -> Contestant | None:
    """Whose address this is, registered or confirmed since."""
    found = session.scalar(select(Contestant).where(Contestant.address == address))
    if found:
        return found
    return session.scalar(
        select(Contestant).join(Address, Address.contestant_id == Contestant.id).where(Address.address == address)
    )


def lobby_of(session: Session, slug: str) -> Lobby:
    """The lobby's row of a game, made where there is none yet."""
    lobby = session.get(Lobby, slug)
    if lobby is None:
        lobby = Lobby(game=slug, episodes=0, champion_id=None, champion_wins=0, hold_until=None, begin_requested=False)
        session.add(lobby)
        session.flush()
    return lobby


def open_questions(session: Session, **fields: Any) -> Sequence[Question]:
    """The open questions with these field values, oldest first."""
    return session.scalars(select(Question).filter_by(closed_at=None, **fields).order_by(Question.id)).all()


def close_question(question: Question, outcome: str, now: datetime) -> None:
    """End a question: replies to it are stale from now on."""
    question.closed_at, question.outcome = now, outcome


def record_lines(session: Session, episode: Episode) -> list[record.Line]:
    """The lines of an episode's record after the header."""
    rows = session.scalars(
        select(RecordLine.text).where(RecordLine.episode_id == episode.id).order_by(RecordLine.line)
    )
    return [record.read_line(text) for text in rows]


def record_file(session: Session, play: Play) -> bytes:
    """An episode's record as its file."""
    lines = [record.write_header(play.header), *map(record.write_line, record_lines(session, play.episode))]
    return ("\n".join(lines) + "\n").encode()


def happenings(session: Session, play: Play, after: int) -> tuple[int, list[Any]]:
    """How many events there are, and those after the first `after`."""
    rows = session.scalars(
        select(Happening).where(Happening.episode_id == play.episode.id, Happening.number > after).order_by(Happening.number)
    ).all()
    return (rows[-1].number if rows else after), [decode_event(play.game, row.event) for row in rows]


def count_rows(session: Session, column: Any, *conditions: Any) -> int:
    """How many rows there are."""
    return session.scalar(select(func.count(column)).where(*conditions)) or 0
