"""Shell: the unit of work. In: a host's services and the moment. Out: one transaction, and what belongs to it.

Everything that a mail, a deadline or an operator's command changes is one `Work`: rows and letters are committed together,
or not at all. It is passed from function to function; nothing of it is kept elsewhere. Rows are SQLAlchemy's objects, which
are written before the next query and at the end; who needs the number of a new row saves it at once.
"""

import contextlib
import functools
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from host.config import Config, GameSettings
from host.engine.game import Game, usual_seats
from host.states import QuestionOutcome
from host.store import episodes, mails, people
from host.store.database import Session, Store
from host.store.schema import Contestant, Episode, Letter, LobbyRow, QuestionRow


@dataclass(frozen=True)
class Services:
    """One host: its configuration and its store. Held by whoever begins a work."""

    config: Config
    store: Store

    def settings(self, slug: str) -> GameSettings:
        """How a game is offered."""
        return self.config.games.get(slug) or GameSettings.model_validate({})

    def seats(self, game: Game[Any, Any]) -> int:
        """With how many contestants an episode begins."""
        return self.settings(game.slug).seats or usual_seats(game)


@dataclass
class Work:
    """One transaction at one moment. `written` are the letters written in it, in their order."""

    session: Session
    services: Services
    now: datetime
    written: list[Letter] = field(default_factory=list)
    _lobbies: dict[str, LobbyRow] = field(default_factory=dict)
    _episodes: dict[int, Episode] = field(default_factory=dict)

    @property
    def config(self) -> Config:
        """The host's configuration."""
        return self.services.config

    def save(self, row: Any) -> None:
        """Write a new row at once: its number is known from then on."""
        self.session.add(row)
        self.session.flush()

    @contextlib.contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo what is done within, and nothing else, where it raises."""
        written = len(self.written)
        try:
            with self.session.begin_nested():
                yield
        except BaseException:
            del self.written[written:]
            self._lobbies.clear()  # made or taken since then, and neither any more
            self._episodes.clear()
            raise

    def lobby(self, slug: str) -> LobbyRow:
        """The queue and the champion of a game, taken: no other work changes them until this one ends."""
        if slug not in self._lobbies:
            self._lobbies[slug] = people.take_lobby(self.session, slug)
        return self._lobbies[slug]

    def take_episodes(self, ids: Collection[int]) -> None:
        """Take several episodes at once, with their open questions and what was sent ahead."""
        self._episodes |= {each.id: each for each in episodes.take_episodes(self.session, ids)}

    def episode(self, episode_id: int | None) -> Episode:
        """An episode, taken: no other work changes it until this one ends. Raises KeyError where there is none."""
        if episode_id is not None and episode_id not in self._episodes:
            self.take_episodes([episode_id])
        return self._episodes[episode_id or 0]

    @functools.cached_property
    def outage(self) -> tuple[datetime, datetime] | None:
        """From when to when the first mailbox was out of reach, while that is still to be told; looked up once."""
        return mails.outage_to_tell(self.session, self.config.mailboxes[0])

    def close_question(self, question: QuestionRow, outcome: QuestionOutcome) -> None:
        """End a question: replies to it are stale from now on."""
        question.closed_at, question.outcome = self.now, outcome

    def heard_from(self, contestant: Contestant, at: datetime) -> None:
        """A contestant wrote: they are present, and their place in queues counts again."""
        contestant.wrote_at = max(contestant.wrote_at, at)
        for place in contestant.passed_over:
            if place.passed_at is not None and place.passed_at <= contestant.wrote_at:
                place.is_passed = False


@contextlib.contextmanager
def begin(services: Services, now: datetime) -> Iterator[Work]:
    """One work: committed at the end, undone by any exception."""
    with services.store.transaction() as session:
        yield Work(session, services, now)
