"""Edge: the parts of all tables. In: a value, a condition. Out: column types, moments moved by the database, indexes."""

from datetime import UTC, datetime
from typing import Any, ClassVar

from sqlalchemy import (
    JSON,
    BigInteger,
    DateTime,
    Dialect,
    FunctionElement,
    Index,
    Integer,
    MetaData,
    Text,
    TypeDecorator,
    literal,
    text,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.sql.compiler import SQLCompiler

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


class Shifted(FunctionElement[datetime]):
    """A moment, later by the time from `begin` to `end`; NULL where it is NULL. Each may be a column."""

    name = "shifted"
    type = Instant()
    inherit_cache = True

    def __init__(self, moment: Any, begin: Any, end: Any) -> None:
        super().__init__(
            *(literal(each, Instant()) if isinstance(each, datetime) else each for each in (moment, begin, end))
        )


@compiles(Shifted, "postgresql")
def _on_postgresql(element: Shifted, compiler: SQLCompiler, **options: Any) -> str:
    moment, begin, end = (compiler.process(each, **options) for each in element.clauses)
    return f"({moment} + (CAST({end} AS TIMESTAMPTZ) - {begin}))"


@compiles(Shifted, "sqlite")
def _on_sqlite(element: Shifted, compiler: SQLCompiler, **options: Any) -> str:
    """SQLite keeps moments as text, `2026-11-21 13:00:00.000000`, and reckons in milliseconds; so seconds and the rest apart."""
    moment, begin, end = (
        f"(strftime('%s', substr({each}, 1, 19)) * 1000000 + substr({each}, 21, 6))"
        for each in (compiler.process(each, **options) for each in element.clauses)
    )
    micros = f"({moment} + {end} - {begin})"
    return f"(strftime('%Y-%m-%d %H:%M:%S', {micros} / 1000000, 'unixepoch') || printf('.%06d', {micros} % 1000000))"


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
