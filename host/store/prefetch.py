"""Edge: what a group of mails will ask for, looked up at once. In: the mails. Out: `Prefetched` rows.

A few statements for a group in place of a dozen for each mail.
"""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import BindParameter, bindparam, exists, func, select, text

from host.store.episodes import ASKED, StoredEvent
from host.store.schema import (
    Contestant,
    Episode,
    EventRow,
    Inbound,
    Letter,
    PremoveRow,
    QuestionRow,
    RecordLine,
    Registration,
    Seat,
)
from host.store.session import Session, table

_THESE: BindParameter[Any] = bindparam("these", expanding=True)
_MAILS = select(Inbound).where(Inbound.id.in_(_THESE)).order_by(Inbound.id).with_for_update()
_inbound, _happenings, _seats = table(Inbound), table(EventRow), table(Seat)
_COPIED = select(_inbound.c.content_key).where(
    _inbound.c.content_key.in_(_THESE), _inbound.c.id.not_in(bindparam("mails", expanding=True))
)
_IS_PASSED = exists().where(text("registrations.is_passed"), Registration.contestant_id == Letter.contestant_id)
_LETTERS = (
    select(Letter, Contestant, _IS_PASSED.correlate(Letter))
    .outerjoin(Contestant, Contestant.id == Letter.contestant_id)
    .where(Letter.token.in_(_THESE))
)
_EPISODES = select(Episode).where(Episode.id.in_(_THESE)).order_by(Episode.id).with_for_update()
_OPEN = (
    select(QuestionRow)
    .where(QuestionRow.closed_at.is_(None), QuestionRow.episode_id.in_(_THESE))
    .order_by(QuestionRow.id)
)
_TOLD = select(func.min(_seats.c.told)).where(_seats.c.episode_id == _happenings.c.episode_id).scalar_subquery()
_UNTOLD = (
    select(_happenings.c.episode_id, _happenings.c.number, _happenings.c.event)
    .where(_happenings.c.episode_id.in_(_THESE), _happenings.c.number > _TOLD)
    .order_by(_happenings.c.episode_id, _happenings.c.number)
)
_episodes = table(Episode)
_ENDS = select(
    _episodes.c.id,
    select(func.max(RecordLine.line)).where(RecordLine.episode_id == _episodes.c.id).scalar_subquery(),
    select(func.max(_happenings.c.number)).where(_happenings.c.episode_id == _episodes.c.id).scalar_subquery(),
    exists().where(PremoveRow.episode_id == _episodes.c.id),
).where(_episodes.c.id.in_(_THESE))


@dataclass(frozen=True)
class Expected:
    """A mail that will be worked off: its number and its tokens."""

    id: int
    tokens: tuple[str, ...]


@dataclass
class Prefetched:
    """What was looked up: by number of a mail, by token, by letter, by episode.

    `without_premoves` are episodes in which nothing was ever sent ahead, `in_line` contestants whom no queue has passed over.
    """

    mails: dict[int, Inbound] = field(default_factory=dict)
    without_copy: set[str] = field(default_factory=set)
    letters: dict[str, Letter] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    contestants: dict[int, Contestant] = field(default_factory=dict)
    episodes: dict[int, Episode] = field(default_factory=dict)
    asked: dict[int, list[QuestionRow]] = field(default_factory=dict)
    open: dict[int, list[QuestionRow]] = field(default_factory=dict)
    ends: dict[int, tuple[int, int]] = field(default_factory=dict)
    untold: dict[int, list[StoredEvent]] = field(default_factory=dict)
    without_premoves: set[int] = field(default_factory=set)
    in_line: set[int] = field(default_factory=set)


def prefetch(session: Session, mails: Sequence[Expected], stored: Sequence[Inbound] = ()) -> Prefetched:
    """Look up what these mails will ask for. Mails and episodes are taken: no other transaction changes them meanwhile.

    `stored` are those that this transaction stores itself.
    """
    found = Prefetched()
    ids = [mail.id for mail in mails]
    found.mails = {row.id: row for row in stored or session.scalars(_MAILS, {"these": ids})}
    tokens = {token for mail in mails for token in mail.tokens}
    if tokens:
        _letters_and_what_they_ask(session, found, tokens)
    return found


def without_copy(session: Session, keys: Mapping[int, str]) -> set[str]:
    """Those of these content keys, by number of a mail, that only one mail has.

    Asked when episodes are taken, since a copy may have been played while we waited for them.
    """
    once = {key for key, count in Counter(keys.values()).items() if count == 1}
    these = {"these": list(once), "mails": list(keys)}
    return once - set(session.connection().scalars(_COPIED, these))


def _letters_and_what_they_ask(session: Session, found: Prefetched, tokens: set[str]) -> None:
    for letter, contestant, is_passed in session.execute(_LETTERS, {"these": list(tokens)}):
        found.letters[letter.token] = letter
        if contestant is not None:
            found.contestants[contestant.id] = contestant
            if not is_passed:
                found.in_line.add(contestant.id)
    found.unknown = tokens - found.letters.keys()
    _episodes_of(
        session, found, {letter.episode_id for letter in found.letters.values() if letter.episode_id is not None}
    )
    found.asked = {letter.id: [] for letter in found.letters.values()}
    for letter_id, question in session.execute(ASKED, {"these": list(found.asked)}):
        found.asked[letter_id].append(question)


def prefetch_episodes(session: Session, numbers: Set[int]) -> Prefetched:
    """Look up what will be asked for where something happens in these episodes, which are taken."""
    found = Prefetched()
    _episodes_of(session, found, numbers)
    return found


def _episodes_of(session: Session, found: Prefetched, numbers: Set[int]) -> None:
    """In the order of their numbers, so that two processes do not take them crosswise; all else of them after that."""
    these = {"these": list(numbers)}
    if not numbers:
        return
    found.episodes = {row.id: row for row in session.scalars(_EPISODES, these)}
    found.open = {number: [] for number in numbers}
    for question in session.scalars(_OPEN, these):
        if question.episode_id is not None:
            found.open[question.episode_id].append(question)
    found.untold = {number: [] for number in numbers}
    connection = session.connection()
    for episode_id, *event in connection.execute(_UNTOLD, these):
        found.untold[episode_id].append(StoredEvent(*event))
    for number, line, event, has_premoves in connection.execute(_ENDS, these):
        found.ends[number] = (line or 1, event or 0)
        if not has_premoves:
            found.without_premoves.add(number)
