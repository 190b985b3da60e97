"""Edge: what the reading of mails asks the store. In: numbers, tokens. Out: raw mails, letters as they were sent."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from host.store.packing import unpack
from host.store.schema import Inbound, Letter


@dataclass(frozen=True)
class SentLetter:
    """A letter that a reply may quote, and to whom it was sent. `message` is empty where it was let go of."""

    id: int
    contestant_id: int | None
    address: str
    message: bytes


_COLUMNS = (Letter.id, Letter.contestant_id, Letter.address, Letter.packed)


def raws_of(session: Session, numbers: Collection[int]) -> dict[int, bytes]:
    """The bytes of these stored mails; none where they were let go."""
    rows = session.execute(select(Inbound.id, Inbound.raw).where(Inbound.id.in_(numbers)))
    return {row.id: row.raw or b"" for row in rows}


def letter_answered(session: Session, tokens: Iterable[str], sender: str) -> SentLetter | None:
    """The letter that a mail answers: of those with these tokens the first that went to the sender, else the first."""
    first: SentLetter | None = None
    for token in tokens:
        row = session.execute(select(*_COLUMNS).where(Letter.token == token)).first()
        if row is not None and row.address.lower() == sender:
            return _sent(row)
        first = first or (_sent(row) if row is not None else None)
    return first


def letters_before(session: Session, letter: SentLetter, limit: int) -> Sequence[SentLetter]:
    """The letters to the same person before this one, at most `limit`, the latest first."""
    same = Letter.contestant_id == letter.contestant_id if letter.contestant_id else Letter.address == letter.address
    found = select(*_COLUMNS).where(same, Letter.id < letter.id).order_by(Letter.id.desc()).limit(limit)
    return [_sent(row) for row in session.execute(found)]


def _sent(row: Row[*tuple[Any, ...]]) -> SentLetter:
    return SentLetter(row.id, row.contestant_id, row.address, unpack(row.packed) if row.packed else b"")
