"""Shell: the unit of work, and a mail's turn in it. In: a host's services and the moment, a mail as it was read. Out: one
transaction and what belongs to it, and what each step of the mail's way asks for.

Everything that a mail, a deadline or an operator's command changes is one `Work`: rows and letters are committed together,
or not at all. It is passed from function to function; nothing of it is kept elsewhere. Rows are SQLAlchemy's objects, which
are written before the next query and at the end; who needs the number of a new row saves it at once.
"""

import contextlib
import functools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from host.config import Config, GameSettings
from host.engine.game import Game, usual_seats
from host.mail.inbound.mail import Mail, Typed
from host.mail.inbound.parsing import without_reference
from host.play.services import Wish
from host.states import MailState, Proof, QuestionOutcome
from host.store import episodes, mails, people
from host.store.database import Session, Store
from host.store.mails import count_letters_to
from host.store.schema import Contestant, Episode, Inbound, Letter, LobbyRow, QuestionRow

ANSWERS_AN_HOUR = 20
ANSWERS_A_DAY = 100
"""Answers to mails that played nothing, to one address; more would feed a mail loop."""
ANSWERS_WITHOUT_TOKEN = 5


@dataclass(frozen=True)
class Services:
    """One host: its configuration and its store. Held by whoever begins a work."""

    config: Config
    store: Store

    def settings(self, slug: str) -> GameSettings:
        """The settings by which a game is offered."""
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


def keep_message_id(contestant: Contestant, at: datetime, message_id: str) -> None:
    """Keep the Message-ID of a contestant's last mail: of the one that arrived last, in whatever order they are read."""
    if contestant.message_at is None or at >= contestant.message_at:
        contestant.message_id, contestant.message_at = message_id, at


@contextlib.contextmanager
def begin(services: Services, now: datetime) -> Iterator[Work]:
    """One work: committed at the end, undone by any exception."""
    with services.store.transaction() as session:
        yield Work(session, services, now)


class Verdict(NamedTuple):
    """The fate of a mail: its state, and a note for the host."""

    state: MailState
    note: str


@dataclass(frozen=True)
class Opened:
    """A mail as it was read.

    `typed` is what the person typed, `proof` how the check of its sender ended, `second` the command that the second reader
    takes it for, empty where that was not asked or did not help.
    """

    mail: Mail
    typed: Typed = field(default_factory=lambda: Typed(()))
    proof: Proof = "none"
    second: str = ""

    @property
    def is_forged(self) -> bool:
        """Did its authentication fail?"""
        return self.proof == "fail"


@dataclass(frozen=True)
class Turn:
    """One mail in its transaction: the `letters` of ours that it names, in their order, and the content keys `seen` before."""

    work: Work
    inbound: Inbound
    opened: Opened
    letters: Sequence[Letter] = ()
    seen: Collection[str | None] = ()

    @property
    def mail(self) -> Mail:
        """The mail, opened."""
        return self.opened.mail

    @property
    def letter(self) -> Letter | None:
        """The letter that the mail answers: of those that it names the first that went to its sender, else the first.

        What it quotes may name a letter to somebody else.
        """
        of_sender = (each for each in self.letters if each.address.lower() == self.mail.sender)
        return next(of_sender, next(iter(self.letters), None))

    @functools.cached_property
    def lines(self) -> Sequence[str]:
        """The typed lines, which others may be shown: no reference to a letter passes in them."""
        return tuple(filter(None, map(without_reference, self.opened.typed.lines)))

    def is_capped(self, address: str) -> bool:
        """Were there too many answers, this hour or this day, to mails of this address that played nothing?

        Mails that name no letter of ours have a small count of their own: whoever writes them must not be able to
        silence what an address hears of its true replies.
        """
        has_token, now = self.letter is not None, self.work.now
        an_hour, a_day = ANSWERS_AN_HOUR, ANSWERS_A_DAY
        if not has_token:
            an_hour, a_day = ANSWERS_WITHOUT_TOKEN, 3 * ANSWERS_WITHOUT_TOKEN

        def count(within: timedelta) -> int:
            return count_letters_to(
                self.work.session, address, now - within, now, "refused", "help", has_token=has_token
            )

        of_the_day = count(timedelta(days=1))
        return of_the_day >= a_day or (of_the_day >= an_hour and count(timedelta(hours=1)) >= an_hour)


@dataclass(frozen=True)
class Reply:
    """A contestant's reply to a letter of theirs, which asked the questions `asked`.

    `lines` are what the person typed but for what corrected their own registration, of which `said` tells, and for `wishes`.
    """

    turn: Turn
    letter: Letter
    contestant: Contestant
    lines: Sequence[str]
    said: tuple[str, ...]
    asked: Sequence[QuestionRow]
    wishes: tuple[Wish, ...] = ()

    @property
    def row(self) -> QuestionRow | None:
        """The open question besides play that the letter asked."""
        return next((each for each in self.asked if each.closed_at is None and each.purpose != "game"), None)
