"""Shell: what is asked of the service, and what it gives. In: nothing. Out: the types that the functions of `SERVICES` take
and give."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from host.engine.game import Game
from host.play.services import Service
from host.store.schema import Contestant, Seat
from host.table.play import Play
from host.table.work import Turn, Work


@dataclass(frozen=True)
class Request:
    """A service that somebody asks for, in answer to a letter of a `game`.

    `named` is the game that they name, or the value of a wish.
    `play` and `seat` are theirs where the letter belongs to an episode; `beside` are all
    services that the mail asks for, and `is_alone` tells whether it says nothing else.
    """

    turn: Turn
    contestant: Contestant
    game: Game[Any, Any] | None
    named: str = ""
    beside: Sequence[Service] = ()
    is_alone: bool = False
    play: Play | None = None
    seat: Seat | None = None

    @property
    def work(self) -> Work:
        """The work that the mail's turn is in."""
        return self.turn.work

    @property
    def slug(self) -> str:
        """The game's, empty where there is none."""
        return self.game.slug if self.game else ""


@dataclass(frozen=True)
class Served:
    """Additions of services to an answer: paragraphs, how one stands outside of the episode, and whether another letter has
    answered everything already."""

    paragraphs: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()
    headline: str = ""
    is_settled: bool = False
