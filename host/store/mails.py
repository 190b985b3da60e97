"""Edge: the rows of mails as turns look at them. In: a token, an address. Out: letters, stored mails, mails held.

The daemon's clock and how far the mailboxes were read are here too; `host.store.queues` has the mail that is under way.

What a reply looks up before it changes anything does not write first what is changed already (`no_autoflush`): each write
costs as much as some look-ups.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, bindparam, func, or_, select, text, true
from sqlalchemy.orm import Session, joinedload

from host.states import LetterKind, LetterPurpose, MailState, Proof
from host.store.database import count, load_related
from host.store.packing import unpack
from host.store.schema import (
    ANSWERS_REGISTRATION,
    DEFERRED,
    NEW,
    AskRow,
    Contestant,
    Episode,
    Heartbeat,
    HeldMail,
    Inbound,
    Letter,
    Mailbox,
)

MOST_LOOKED_AT = 50
"""Replies of a contestant that are looked through; no more are answered in half a day."""
_NAMED = Letter.token.in_(bindparam("tokens", expanding=True))
_EPISODES_NAMED = select(Letter.episode_id).where(_NAMED).distinct()
_WITH_TOKENS = (
    select(Letter)
    .where(_NAMED)
    .options(
        joinedload(Letter.contestant).joinedload(Contestant.passed_over),
        joinedload(Letter.premoves),
    )
)

_THESE_MAILS = (
    select(Inbound).where(Inbound.id.in_(bindparam("ids", expanding=True))).order_by(Inbound.id).with_for_update()
)
_NEW: MailState = "new"
_SEEN = select(Inbound.content_key).where(
    Inbound.content_key.in_(bindparam("content_keys", expanding=True)), Inbound.state != _NEW
)
_KNOWN_BEFORE = (
    select(Inbound.id).where(text(NEW), Inbound.is_known == true(), Inbound.arrived_at < bindparam("until")).limit(1)
)
_OUTAGE = select(Mailbox.blind_from, Mailbox.blind_until).where(Mailbox.name == bindparam("name"))
_ANSWERS = _KNOWN_BEFORE.where(Inbound.ordering_key.in_(bindparam("keys", expanding=True)))
_NEWS = (
    select(Letter.id)
    .where(Letter.contestant_id == bindparam("contestant_id"), Letter.episode_id == bindparam("episode_id"))
    .where(Letter.kind == "news", Letter.answers_id.is_(None))
    .where(Letter.created_at > bindparam("since"), Letter.created_at <= bindparam("now"))
    .limit(1)
)


def episodes_named(session: Session, tokens: Collection[str]) -> list[int]:
    """The numbers of the episodes to which the letters with these tokens belong."""
    return [number for number in session.scalars(_EPISODES_NAMED, {"tokens": list(tokens)}) if number is not None]


def letters_named(session: Session, tokens: Collection[str]) -> dict[str, Letter]:
    """The letters that carry these tokens, by token, with what they ask; tokens that are none of ours are left out."""
    if not tokens:
        return {}
    letters = session.scalars(_WITH_TOKENS, {"tokens": list(tokens)}).unique().all()
    load_related(session, letters, Letter.questions)
    return {letter.token: letter for letter in letters}


def take_mails(session: Session, ids: Collection[int]) -> dict[int, Inbound]:
    """These stored mails by number: until this transaction ends, no other changes them."""
    return {row.id: row for row in session.scalars(_THESE_MAILS, {"ids": list(ids)})}


def letters_asking_host(session: Session, episode_id: int) -> Sequence[Letter]:
    """The letters of an episode that put a question of its game to an operator."""
    return session.scalars(select(Letter).where(Letter.episode_id == episode_id, Letter.host_question != "")).all()


def count_letters_to(
    session: Session,
    address: str,
    since: datetime,
    now: datetime,
    *kinds: LetterKind,
    purpose: LetterPurpose | None = None,
    has_token: bool | None = None,
) -> int:
    """Count the letters that were written to an address after `since`: of these kinds, with this purpose.

    `has_token`: those alone that answered mails that named a letter of ours, or mails that did not, which anybody can write.
    """
    letters = select(Letter.id).where(Letter.address == address, *_written(since, now))
    if kinds:
        letters = letters.where(Letter.kind.in_(kinds))
    if purpose is not None:
        letters = letters.where(Letter.purpose == purpose)
    if has_token is not None:
        named = Inbound.token.is_not(None) if has_token else Inbound.token.is_(None)
        letters = letters.join(Inbound, Inbound.id == Letter.answers_id).where(named)
    return count(session, letters)


def count_of_cause(session: Session, cause: str) -> int:
    """Count the letters that were written for one cause."""
    return count(session, select(Letter.id).where(Letter.cause == cause, text("letters.cause <> ''")))


def _written(since: datetime, now: datetime) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return Letter.created_at > since, Letter.created_at <= now


def count_registrations(
    session: Session, since: datetime, now: datetime, address: str = "", proof: Proof | None = None
) -> int:
    """Count the letters after `since` that answered registrations: of all, to an address, or whose sender had that proof."""
    answers = select(Letter.id).where(text(f"letters.{ANSWERS_REGISTRATION}"), *_written(since, now))
    if address:
        answers = answers.where(Letter.address == address)
    if proof:
        answers = answers.join(Inbound, Inbound.id == Letter.answers_id).where(Inbound.proof == proof)
    return count(session, answers)


def mails_waiting_for(session: Session, address: str) -> Sequence[Inbound]:
    """The registrations that wait until an address has answered another one."""
    return session.scalars(select(Inbound).where(Inbound.sender == address, Inbound.state == "waiting")).all()


def deferred_mails(session: Session, limit: int) -> Sequence[Inbound]:
    """The registrations that wait to be answered: first those that prove whose they are, then the oldest."""
    waiting = select(Inbound).where(text(f"inbound.{DEFERRED}"))
    return session.scalars(waiting.order_by(Inbound.proof != "pass", Inbound.id).limit(limit)).all()


def count_deferred(session: Session, address: str) -> int:
    """Count the registrations of an address that wait to be answered."""
    waiting = select(Inbound.id).where(Inbound.sender == address, Inbound.state.in_(("deferred", "waiting")))
    return count(session, waiting)


def is_full(session: Session, most: int) -> bool:
    """Do that many registrations wait to be answered?"""
    return count(session, select(Inbound.id).where(text(f"inbound.{DEFERRED}")), most) >= most


def has_letter_since(session: Session, contestant_id: int, episode_id: int, since: datetime) -> bool:
    """Was a letter of an episode written to a contestant at `since` or later?"""
    found = select(Letter.id).where(
        Letter.contestant_id == contestant_id, Letter.episode_id == episode_id, Letter.created_at >= since
    )
    return session.scalar(found.limit(1)) is not None


def is_latest(session: Session, letter: Letter) -> bool:
    """Is a letter the last one of its episode that its contestant was written?"""
    later = select(Letter.id).where(
        Letter.contestant_id == letter.contestant_id, Letter.episode_id == letter.episode_id, Letter.id > letter.id
    )
    return session.scalar(later.limit(1)) is None


def has_news_since(session: Session, contestant_id: int, episode_id: int, since: datetime, now: datetime) -> bool:
    """Was a contestant written to after `since` with mere news of an episode, in answer to nothing?"""
    given = {"contestant_id": contestant_id, "episode_id": episode_id, "since": since, "now": now}
    return session.scalar(_NEWS, given) is not None


def notes_of_replies(
    session: Session, episode_id: int, contestant_id: int, before_id: int, since: datetime
) -> Sequence[str]:
    """The notes on the latest of a contestant's replies in an episode that came since then, the latest first."""
    found = select(Inbound.note).where(
        Inbound.episode_id == episode_id,
        Inbound.contestant_id == contestant_id,
        Inbound.id != before_id,
        Inbound.fetched_at >= since,
        Inbound.state.in_(("played", "refused", "answered")),
    )
    return session.scalars(found.order_by(Inbound.id.desc()).limit(MOST_LOOKED_AT)).all()


def lines_before(session: Session, mail: Inbound) -> Sequence[str]:
    """What the writer of a mail had typed in their mail before it."""
    theirs = select(Inbound.lines).where(Inbound.contestant_id == mail.contestant_id, Inbound.id < mail.id)
    return session.scalar(theirs.order_by(Inbound.id.desc()).limit(1)) or ()


def content_keys_seen(session: Session, content_keys: Collection[str]) -> set[str | None]:
    """Those of these content keys that mails have which were worked off."""
    return set(session.scalars(_SEEN, {"content_keys": list(content_keys)}))


def has_alert(session: Session, cause: str, since: datetime, now: datetime) -> bool:
    """Was an operator told of this cause after `since`?"""
    found = select(Letter.id).where(Letter.cause == cause, text("letters.cause <> ''"), *_written(since, now))
    return session.scalar(found.limit(1)) is not None


def held_for(session: Session, question_id: int) -> Sequence[HeldMail]:
    """The mails held until a question is answered, in the order in which they were stored."""
    return session.scalars(
        select(HeldMail).where(HeldMail.question_id == question_id).order_by(HeldMail.inbound_id)
    ).all()


def latest_mails(
    session: Session, limit: int, episode: Episode | None = None, person: Contestant | None = None, address: str = ""
) -> tuple[Sequence[Inbound], Sequence[Letter]]:
    """The latest mails in and out: of an episode, else of a contestant, else of an address, else of all."""
    incoming, outgoing = select(Inbound), select(Letter)
    if episode:
        incoming = incoming.where(Inbound.episode_id == episode.id)
        outgoing = outgoing.where(Letter.episode_id == episode.id)
    elif person:
        incoming = incoming.where(or_(Inbound.contestant_id == person.id, Inbound.sender == person.address))
        outgoing = outgoing.where(Letter.contestant_id == person.id)
    elif address:
        incoming = incoming.where(Inbound.sender == address)
        outgoing = outgoing.where(Letter.address == address)
    received = session.scalars(incoming.order_by(Inbound.id.desc()).limit(limit)).all()
    return received, session.scalars(outgoing.order_by(Letter.id.desc()).limit(limit)).all()


def mailboxes(session: Session) -> Sequence[Mailbox]:
    """The mailboxes that were read."""
    return session.scalars(select(Mailbox)).all()


def outage_to_tell(session: Session, name: str) -> tuple[datetime, datetime] | None:
    """The time (from, until) that a mailbox was out of reach and not all were told so; None where there is none."""
    with session.no_autoflush:
        row = session.execute(_OUTAGE, {"name": name}).first()
    return (row.blind_from, row.blind_until) if row and row.blind_from and row.blind_until else None


def heartbeat(session: Session) -> Heartbeat | None:
    """The daemon's clock as last seen; None before the first time."""
    return session.get(Heartbeat, 1)


def is_first_to_ask(session: Session, letter_id: int, question_id: int) -> bool:
    """Was this letter the first that asked the question?"""
    return session.scalar(select(func.min(AskRow.letter_id)).where(AskRow.question_id == question_id)) == letter_id


def oldest_new_mail(session: Session) -> datetime | None:
    """The arrival of the mail that names a letter of ours and waits longest; None where none waits."""
    waiting = (
        select(Inbound.arrived_at).where(text(NEW), Inbound.is_known == true()).order_by(Inbound.arrived_at, Inbound.id)
    )
    return session.scalar(waiting.limit(1))


def may_be_answered(session: Session, episode_ids: Collection[int | None], until: datetime) -> bool:
    """Is there a stored mail, not worked off, that came before `until` and may answer a question of any of these episodes?

    It names a letter of ours; of which episode its ordering key says (`host.store.queues.keep_mails`). What names none, which
    anybody can write, answers nothing. None stands for questions outside of episodes.
    """
    # what names several may answer any (key a; older mail has none); what names no episode (key c) answers none
    keys = [f"e{number}" for number in episode_ids if number is not None]
    of_any = _KNOWN_BEFORE.where(Inbound.ordering_key < ("e" if None in episode_ids else "c"))
    if session.scalar(of_any, {"until": until}) is not None:
        return True
    return bool(keys) and session.scalar(_ANSWERS, {"until": until, "keys": keys}) is not None


@dataclass(frozen=True)
class SentLetter:
    """A letter that a reply may quote, and to whom it was sent. `message` is empty where it was let go of."""

    id: int
    contestant_id: int | None
    address: str
    message: bytes


_AS_SENT = (Letter.id, Letter.contestant_id, Letter.address, Letter.packed)
_SENT_WITH_TOKENS = select(*_AS_SENT, Letter.token).where(_NAMED)
_RAWS = select(Inbound.id, Inbound.raw).where(Inbound.id.in_(bindparam("numbers", expanding=True)))


def raws_of(session: Session, numbers: Collection[int]) -> dict[int, bytes]:
    """The bytes of these stored mails; none where they were let go."""
    rows = session.execute(_RAWS, {"numbers": list(numbers)})
    return {row.id: row.raw or b"" for row in rows}


def letter_answered(session: Session, tokens: Sequence[str], sender: str) -> SentLetter | None:
    """The letter that a mail answers: of those with these tokens the first that went to the sender, else the first."""
    found = {row.token: row for row in session.execute(_SENT_WITH_TOKENS, {"tokens": list(tokens)})}
    rows = [found[token] for token in tokens if token in found]
    row = next((each for each in rows if each.address.lower() == sender), rows[0] if rows else None)
    return None if row is None else _sent(row)


def letters_before(session: Session, letter: SentLetter, limit: int) -> Sequence[SentLetter]:
    """The letters to the same person before this one, at most `limit`, the latest first."""
    same = Letter.contestant_id == letter.contestant_id if letter.contestant_id else Letter.address == letter.address
    found = select(*_AS_SENT).where(same, Letter.id < letter.id).order_by(Letter.id.desc()).limit(limit)
    return [_sent(row) for row in session.execute(found)]


def _sent(row: Row[*tuple[Any, ...]]) -> SentLetter:
    return SentLetter(row.id, row.contestant_id, row.address, unpack(row.packed) if row.packed else b"")
