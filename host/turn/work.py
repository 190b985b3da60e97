"""Shell: the unit of work. In: a host's services and the moment. Out: one transaction, and what belongs to it.

Everything that a mail, a deadline or an operator's command changes is one `Work`: rows and letters are committed together,
or not at all. It is passed from function to function; nothing of it is kept elsewhere.

Writes need no order of their own: what was changed is written before the next query about classes asks, and at the end (of
what is gathered see `host.store.session`). A group of mails
asks for its rows in advance (`fetch`); those rows are asked for here, by name, and come from what was fetched or from the
database. What this work changes in them is noted where it is changed.
"""

import contextlib
import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from host.config import Config, GameSettings
from host.engine.game import Game, usual_seats
from host.states import QuestionOutcome
from host.store import episodes, letters, people, premoves
from host.store.database import Session, Store
from host.store.episodes import StoredEvent
from host.store.prefetch import Expected, Prefetched, prefetch, prefetch_episodes, without_copy
from host.store.queues import ClaimedLetter, claim_ahead
from host.store.schema import Contestant, Episode, Inbound, Letter, LobbyRow, PremoveRow, QuestionRow
from host.turn.finishing import Finisher, Finishing


@dataclass(frozen=True)
class Services:
    """One host: its configuration, its store, and how its letters are finished. Held by whoever begins a work."""

    config: Config
    store: Store
    finish: Finisher = Finishing

    def settings(self, slug: str) -> GameSettings:
        """How a game is offered."""
        return self.config.games.get(slug) or GameSettings.model_validate({})

    def seats(self, game: Game[Any, Any]) -> int:
        """With how many contestants an episode begins."""
        return self.settings(game.slug).seats or usual_seats(game)


@dataclass(frozen=True)
class HandedOver:
    """A letter that is to be sent as soon as it is committed."""

    number: int
    address: str
    letter: Finishing
    answers_id: int | None


@dataclass
class Work:
    """One transaction at one moment. `written` are the numbers of the letters written in it, in their order.

    Where this process has `room` to send so many letters at once, they are `handed` over as they are written.
    """

    session: Session
    services: Services
    now: datetime
    prefetched: Prefetched = field(default_factory=Prefetched)
    written: list[int] = field(default_factory=list)
    room: int = 0
    handed: list[HandedOver] = field(default_factory=list)
    _free: set[str] = field(default_factory=set)
    _lobbies: dict[str, LobbyRow] = field(default_factory=dict)

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
        """What is done within is undone alone where it raises."""
        written, handed = len(self.written), len(self.handed)
        try:
            with self.session.begin_nested():
                yield
        except BaseException:
            del self.written[written:]
            self.take_back(handed)
            self.prefetched = Prefetched()  # it knows of what was undone
            self._lobbies.clear()  # made or taken since then, and neither any more
            self.session.forget_gathered()
            raise

    def lobby(self, slug: str) -> LobbyRow:
        """The queue and the champion of a game, taken: no other work changes them until this one ends."""
        if slug not in self._lobbies:
            self._lobbies[slug] = people.take_lobby(self.session, slug)
        return self._lobbies[slug]

    @functools.cached_property
    def outage(self) -> tuple[datetime, datetime] | None:
        """From when to when the first mailbox was out of reach, while that is still to be told; looked up once."""
        return letters.outage_to_tell(self.session, self.config.mailboxes[0])

    def fetch(self, mails: Sequence[Expected], stored: Sequence[Inbound] = ()) -> None:
        """Ask in advance for what these mails need; mails and episodes are taken. This work stores those `stored` itself."""
        with self.session.no_autoflush:  # what is changed already is of mailboxes and mails
            _ = self.outage
            self.prefetched = prefetch(self.session, mails, stored)

    def look_for_copies(self, keys: Mapping[int, str]) -> None:
        """Ask in advance for copies of mails, given their content keys by number, when all else of them was fetched."""
        self.prefetched.without_copy = without_copy(self.session, keys)

    def look_who_is_free(self) -> None:
        """Ask to which addresses of what was fetched letters may be handed over. What is asked late is true for longer."""
        if self.room:
            addresses = {each.address for each in self.prefetched.contestants.values()}
            addresses.update(seat.contestant.address for row in self.prefetched.episodes.values() for seat in row.seats)
            with self.session.no_autoflush:
                self._free = claim_ahead(self.session, self.services.store, addresses)

    def fetch_episodes(self, episode_ids: Set[int]) -> None:
        """Ask in advance for what is needed where something happens in these episodes; they are taken."""
        _ = self.outage  # looked up while nothing is changed yet
        self.prefetched = prefetch_episodes(self.session, episode_ids)

    def mail(self, inbound_id: int) -> Inbound:
        """A stored mail, taken. Raises `NoResultFound` where there is none."""
        return self.prefetched.mails.get(inbound_id) or self.session.get_one(Inbound, inbound_id, with_for_update=True)

    def has_copy(self, content_key: str, inbound_id: int) -> bool:
        """Is there another mail of the same content?"""
        if content_key in self.prefetched.without_copy:
            return False
        return letters.count_copies(self.session, content_key, inbound_id) > 0

    def contestant(self, contestant_id: int) -> Contestant:
        """A contestant. Raises `NoResultFound` where there is none."""
        return self.prefetched.contestants.get(contestant_id) or self.session.get_one(Contestant, contestant_id)

    def letters_named(self, tokens: Iterable[str]) -> list[Letter]:
        """The letters that carry these tokens, in their order; tokens that are none of ours are passed over."""
        return [letter for letter in map(self._letter_of_token, tokens) if letter is not None]

    def _letter_of_token(self, token: str) -> Letter | None:
        if token in self.prefetched.letters or token in self.prefetched.unknown:
            return self.prefetched.letters.get(token)
        return letters.letter_of_token(self.session, token)

    def episode(self, episode_id: int | None) -> Episode:
        """An episode, taken. Raises `NoResultFound` where there is none."""
        taken = self.prefetched.episodes
        if episode_id is None or episode_id not in taken:
            episode = episodes.take_episode(self.session, episode_id)
            taken[episode.id] = episode
            return episode
        return taken[episode_id]

    def questions_of_letter(self, letter: Letter) -> Sequence[QuestionRow]:
        """The questions that a letter asks, open or not."""
        asked = self.prefetched.asked.get(letter.id)
        return episodes.questions_of_letter(self.session, letter.id) if asked is None else asked

    def open_questions(self, episode_id: int) -> Sequence[QuestionRow]:
        """The open questions of an episode, oldest first."""
        rows = self.prefetched.open.get(episode_id)
        if rows is None:
            return episodes.open_questions(self.session, episode_id=episode_id)
        return [row for row in rows if row.closed_at is None]

    def ends(self, episode_id: int) -> tuple[int, int]:
        """The numbers of the last line of an episode's record (1 is the header) and of its last event (0 is none)."""
        return self.prefetched.ends.get(episode_id) or episodes.ends(self.session, episode_id)

    def events(self, episode_id: int, after: int, until: int | None = None) -> Sequence[StoredEvent]:
        """The events of an episode after the first `after`, in order; with `until`, up to that one."""
        untold = self.prefetched.untold.get(episode_id)
        if untold is None or until is None:
            return episodes.events_after(self.session, episode_id, after, until)
        first = untold[0].number if untold else self.prefetched.ends[episode_id][1] + 1
        if after + 1 < first:  # older than what letters still had to tell
            return episodes.events_after(self.session, episode_id, after, until)
        return [each for each in untold if after < each.number <= until]

    def premoves(self, episode_id: int, seat: int | None = None) -> Sequence[PremoveRow]:
        """The premoves that wait in an episode, in the order in which they came; of one seat, or of all."""
        if episode_id in self.prefetched.without_premoves:
            return []
        return premoves.waiting_premoves(self.session, episode_id, seat)

    def premoves_to_tell(self, episode_id: int) -> Sequence[PremoveRow]:
        """The premoves that wait in an episode, and those played or dropped of which their seats have not been told."""
        if episode_id in self.prefetched.without_premoves:
            return []
        return premoves.premoves_to_tell(self.session, episode_id)

    def premoves_replying_to(self, letter: Letter) -> Sequence[str]:
        """The texts of premoves that earlier replies to a letter made, cancelled ones aside."""
        if letter.episode_id in self.prefetched.without_premoves:
            return []
        return premoves.premoves_replying_to(self.session, letter)

    def keep_premove(self, premove: PremoveRow) -> None:
        """Store a premove, or a command that was played and is not to be played again."""
        self.prefetched.without_premoves.discard(premove.episode_id)
        self.save(premove)

    def hand_over(self, number: int, address: str, letter: Finishing, answers_id: int | None) -> str | None:
        """The name under which a letter that is just written is claimed, to be sent as soon as it is committed.

        None on SQLite, where claims need no name, and where the letter waits in the queue like any other: behind another one to
        its address, or because there is no room.
        """
        if address not in self._free or len(self.handed) >= self.room:
            return None
        self._free.remove(address)
        store = self.services.store
        self.handed.append(HandedOver(number, address, letter, answers_id))
        store.in_hand.add(number)
        return store.claimer or None

    def claimed(self) -> dict[int, ClaimedLetter]:
        """What was handed over, by number, finished."""
        claimer = self.services.store.claimer
        return {
            each.number: ClaimedLetter(
                each.number, each.address, each.letter.finished().message, 1, self.now, each.answers_id, claimer
            )
            for each in self.handed
        }

    def take_back(self, first: int = 0) -> None:
        """The letters that were handed over from this place on are not written after all."""
        self.services.store.in_hand.difference_update(each.number for each in self.handed[first:])
        del self.handed[first:]

    def close_question(self, question: QuestionRow, outcome: QuestionOutcome) -> None:
        """End a question: replies to it are stale from now on."""
        self.session.change(question, closed_at=self.now, outcome=outcome)

    def heard_from(self, contestant: Contestant, at: datetime) -> None:
        """A contestant wrote: they are present, and their place in queues counts again."""
        self.session.change(contestant, wrote_at=max(contestant.wrote_at, at))
        if contestant.id not in self.prefetched.in_line:
            people.stand_in_line(self.session, contestant)

    def note_question(self, question: QuestionRow) -> None:
        """A question of an episode was opened in this work."""
        if question.episode_id in self.prefetched.open:
            self.prefetched.open[question.episode_id].append(question)

    def note_growth(self, episode_id: int, last_line: int, events: Sequence[StoredEvent]) -> None:
        """The record of an episode ends with this line now, and these events are its newest."""
        if episode_id in self.prefetched.ends:
            _, last_event = self.prefetched.ends[episode_id]
            self.prefetched.ends[episode_id] = (last_line, events[-1].number if events else last_event)
            self.prefetched.untold[episode_id].extend(events)


@contextlib.contextmanager
def begin(services: Services, now: datetime, room: int = 0) -> Iterator[Work]:
    """One work: committed at the end, undone by any exception."""
    work = None
    try:
        with services.store.transaction() as session:
            work = Work(session, services, now, room=room)
            yield work
    except BaseException:
        if work is not None:
            work.take_back()
        raise
