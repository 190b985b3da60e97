"""Edge: what all tables are made of. In: a value, a condition. Out: column types, the base of all classes, indexes."""

from datetime import UTC, datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, BigInteger, DateTime, Dialect, Index, Integer, MetaData, Text, TypeDecorator, text
from sqlalchemy.orm import DeclarativeBase

NAMING = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


Number32 = BigInteger().with_variant(Integer, "sqlite")
"""An unsigned number of 32 bits, as IMAP has them (RFC 9051), or a longer one."""


class Instant(TypeDecorator[datetime]):
    """A moment in UTC, on both databases."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """To the database, in UTC."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """From the database; SQLite forgets the zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """All tables."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: Instant(),
        dict[str, Any]: JSON,
        list[Any]: JSON,
        str: Text,
    }


def partial(name: str, *columns: str, where: str) -> Index:
    """An index of the rows that are still in work, so that it stays as short as the work is."""
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))
