"""Edge: mails that arrived. In: mails from a mailbox or a delivery, as they look at a glance. Out: their rows, to be claimed.

A mail is a row before anything else is done with it, or in the transaction that also plays it. The row and the mailbox's
watermark are one transaction, so no mail is lost and none is stored twice. Of a mail that concerns nobody here
(`_concerning`) only the row is kept.

**Ordered.** Each mail gets an ordering key from what its headers name: an episode (`e7`), a contestant (`c7`), several things
or an operator (`a7`, `a`), or else its sender (`u` and the address). Mails with one key are played one after the other, as
they arrived; mails with different keys in any order. A wrong key costs order and never truth, because an episode is locked
before it is played. `is_known` says that a mail names a letter of ours: those that do not have a worker of their own.
"""

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, insert, select, text

from host.mail.inbound.raw import RawMail
from host.states import LetterPurpose, MailState
from host.store.database import Store
from host.store.queues.mailboxes import note_seen
from host.store.schema import NEW, Address, Contestant, Inbound, Letter, Mailbox
from host.store.session import Session, table

LONGEST_ORDERING_KEY = 340
"""Characters, as many as the column takes."""
OPERATORS_PURPOSES: tuple[LetterPurpose, ...] = ("operator", "host")
"""Of letters to operators."""
STRANGE = "a stranger's, not opened"
KEPT_OF_UNKNOWN = 128 * 1024
"""Bytes that are fetched and kept of a mail that names no letter of ours: a form to register is short."""

# mypy looks at what is assigned, not at what SQLAlchemy inserts and compares
_NEW: MailState = "new"
_STRANGER: MailState = "stranger"


@dataclass(frozen=True)
class Arrived:
    """A mail to be stored, and what it seems to have at a glance: `tokens`, `quoted_tokens` and `senders`.

    `may_concern`: it concerns the host whoever sent it (a registration, an operator's). `note` says of one that concerns nobody
    why that is so.
    """

    mail: RawMail
    tokens: tuple[str, ...]
    quoted_tokens: tuple[str, ...]
    senders: tuple[str, ...]
    may_concern: bool
    note: str = STRANGE

    @property
    def unknown_key(self) -> str:
        """The ordering key of its sender, where it names no letter to anybody known."""
        return f"u{self.senders[0] if self.senders else ''}"[:LONGEST_ORDERING_KEY]


@dataclass(frozen=True)
class Kept:
    """A mail that was just stored and is to be played; `row` where that is to be done at once."""

    id: int
    ordering_key: str
    is_known: bool
    row: Inbound | None = None


_inbound, _letters, _contestants = table(Inbound), table(Letter), table(Contestant)
_INSERT = insert(_inbound)
_STORED = select(_inbound.c.uid).where(
    _inbound.c.mailbox == bindparam("mailbox"),
    _inbound.c.uidvalidity == bindparam("uidvalidity"),
    _inbound.c.uid.in_(bindparam("uids", expanding=True)),
)
_OTHERS_OF_KEY = (
    select(_inbound.c.id)
    .where(text(NEW), _inbound.c.ordering_key == bindparam("ordering_key"), _inbound.c.id != bindparam("id"))
    .limit(1)
)
_NAMED = (
    select(
        _letters.c.token,
        _letters.c.episode_id,
        _letters.c.contestant_id,
        _letters.c.purpose,
        _contestants.c.confirmed_at,
    )
    .outerjoin_from(_letters, _contestants, _contestants.c.id == _letters.c.contestant_id)
    .where(_letters.c.token.in_(bindparam("tokens", expanding=True)))
)


def keep_mails(
    session: Session,
    mailbox: str,
    uidvalidity: int,
    mails: Sequence[Arrived],
    now: datetime,
    began_at: datetime | None = None,
    are_played: bool = False,
) -> list[Kept]:
    """Store raw mails and the watermark with them; a second time changes nothing. Gives those that are to be played.

    With `began_at` they are the last of a pass that began then: the mailbox was read whole. Of a mail that concerns nobody
    here no more is kept than that it came; it is never opened. Raises `sqlalchemy.exc.NoResultFound` where the mailbox was
    never begun. Where they are to be played in the same transaction (`are_played`), their rows are written with what that
    changes of them.
    """
    row = session.get_one(Mailbox, mailbox, with_for_update=True)
    connection = session.connection()
    given = {"mailbox": mailbox, "uidvalidity": uidvalidity, "uids": [each.mail.uid for each in mails]}
    stored = set(connection.scalars(_STORED, given))
    new = {each.mail.uid: each for each in mails if each.mail.uid not in stored}
    named = _letters_of(session, {token for each in new.values() for token in (*each.tokens, *each.quoted_tokens)})
    keys = {uid: key for uid, each in new.items() if (key := _ordering_key(each, named))}
    concerning = _concerning(session, [each for uid, each in new.items() if uid not in keys], named)
    rows: list[dict[str, Any]] = [
        {
            "id": session.number(Inbound),
            "mailbox": mailbox,
            "uidvalidity": uidvalidity,
            "uid": uid,
            "arrived_at": min(each.mail.arrived_at, now),
            "fetched_at": now,
            "raw": (each.mail.raw if uid in keys else each.mail.raw[:KEPT_OF_UNKNOWN]) if is_kept else None,
            "size": each.mail.size,
            "state": _NEW if is_kept else _STRANGER,
            "sender": "",
            "lines": [],
            "note": "" if is_kept else each.note,
            "ordering_key": keys.get(uid, each.unknown_key) if is_kept else "",
            "is_known": uid in keys,
        }
        for uid, each in new.items()
        for is_kept in (uid in keys or uid in concerning,)
    ]
    objects = [Inbound(**each) for each in rows] if are_played else []
    session.add_all(objects)
    if rows and not objects:
        connection.execute(_INSERT, rows)
    if row.uidvalidity == uidvalidity:  # else it was made anew while this process stood still
        row.uid = max(row.uid, *(each.mail.uid for each in mails))
    if began_at is not None:
        note_seen(row, began_at, is_read=True)
    return [
        Kept(each["id"], each["ordering_key"], each["is_known"], row)
        for each, row in itertools.zip_longest(rows, objects)
        if each["state"] == _NEW
    ]


def is_first(session: Session, mail: Kept) -> bool:
    """Does no other mail wait with the ordering key of this one, which was just stored?"""
    given = {"ordering_key": mail.ordering_key, "id": mail.id}
    return session.connection().scalar(_OTHERS_OF_KEY, given) is None


@dataclass(frozen=True)
class _Named:
    """A letter of ours that a mail names. `ordering_key` is the one of mails that name it.

    It is empty where the letter went neither to somebody who has confirmed an address nor to an operator.
    """

    contestant_id: int | None
    ordering_key: str


def _letters_of(session: Session, tokens: Collection[str]) -> dict[str, _Named]:
    """The letters of ours that carry these tokens, by token."""
    return {
        row.token: _Named(
            row.contestant_id,
            _key_of(row.episode_id, row.contestant_id)
            if row.confirmed_at is not None or row.purpose in OPERATORS_PURPOSES
            else "",
        )
        for row in (session.connection().execute(_NAMED, {"tokens": list(tokens)}) if tokens else ())
    }


def _key_of(episode_id: int | None, contestant_id: int | None) -> str:
    return f"e{episode_id}" if episode_id else f"c{contestant_id}" if contestant_id else "a"


def _ordering_key(mail: Arrived, letters: Mapping[str, _Named]) -> str:
    """The ordering key of a mail that names a letter of ours to a confirmed contestant or to an operator; else "".

    `e7`: it names no letter of another episode than 7; `c7`: of contestant 7 outside of episodes; `a7`: several, of which the
    likeliest is contestant 7's; `a`: an operator's. Never by its sender, whom anybody can invent. What it quotes counts only
    where its headers name none.
    """
    named = [letters[token] for token in mail.tokens if token in letters and letters[token].ordering_key]
    quoted = [letters[token] for token in mail.quoted_tokens if token in letters and letters[token].ordering_key]
    found = named or quoted
    keys = {letter.ordering_key for letter in found}
    if len(keys) > 1:
        return f"a{found[0].contestant_id or ''}"
    return next(iter(keys), "")


def _concerning(session: Session, mails: Sequence[Arrived], letters: Mapping[str, _Named]) -> set[int]:
    """Which of these mails, that name no letter of ours to a contestant, concern somebody here all the same, by their UIDs.

    A registration, an operator's, a contestant's, an answer to any letter of ours; also of somebody whose registration
    waits to be worked off.
    """
    found = {
        each.mail.uid
        for each in mails
        if each.may_concern or not letters.keys().isdisjoint((*each.tokens, *each.quoted_tokens))
    }
    rest = [each for each in mails if each.mail.uid not in found]
    senders = {sender for mail in rest for sender in mail.senders}
    if senders:
        known = {
            *session.scalars(select(Contestant.address).where(Contestant.address.in_(senders))),
            *session.scalars(select(Address.address).where(Address.address.in_(senders))),
        }
        keys = {each.unknown_key for each in mails if each.mail.uid in found}
        waiting = select(Inbound.ordering_key).where(
            text(NEW), Inbound.ordering_key.in_({mail.unknown_key for mail in rest})
        )
        keys.update(session.scalars(waiting))
        found.update(each.mail.uid for each in rest if known.intersection(each.senders) or each.unknown_key in keys)
    return found


def names_letter(store: Store, tokens: Collection[str]) -> bool:
    """Is one of these tokens that of a letter of ours to a contestant or an operator?

    Asked before all of a large mail is fetched.
    """
    with store.reading() as session:
        return any(letter.ordering_key for letter in _letters_of(session, tokens).values())
