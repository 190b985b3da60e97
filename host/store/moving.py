"""Edge: a host moves from SQLite to PostgreSQL. In: the store at hand, where to. Out: every row, read back and compared.

The target sees all rows or none: they are one transaction, and what it gives back is compared row by row before the
commit. The SQLite file is left as it was but for a mark, which `host.store.database` refuses.
"""

import contextlib
import json
import sqlite3
from collections.abc import Callable, Collection, Iterator
from itertools import chain, zip_longest
from typing import Any

from sqlalchemy import (
    JSON,
    URL,
    Connection,
    String,
    Table,
    collate,
    func,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError

from host import troubles
from host.store.database import Store, StoreError, connect, migrate, revision_of
from host.store.schema import Base

BATCH = 100
"""Rows in memory at a time; some hold a whole mail, up to 2 MB."""
_TAKEN = "it holds rows of a Podium already: name an empty database."

Tell = Callable[[str], None]


def move(source: Store, to: str, tell: Tell) -> str:
    """Copy every row of `source`, a SQLite file, to the PostgreSQL at the URL `to`; gives that without its password.

    `tell` gets a line a table. Where a move before this one ended between the
    target's commit and the mark, the rows are compared and the mark is set. Raises `StoreError`: the file is in use,
    the target is not an empty database, or a row is not there as it was; the target is then as it was.
    """
    if source.file is None:
        raise StoreError("The database is PostgreSQL already: pg_dump and pg_restore move it.")
    try:
        url = make_url(to)
        is_usable = (url.get_backend_name(), url.get_driver_name()) == ("postgresql", "psycopg") and url.database
    except (ArgumentError, ValueError):
        is_usable = False
    if not is_usable:
        raise StoreError("--to cannot be read: write postgresql://user:password@host/name.")
    place = _shown(url)
    _only_user(source)
    with source.reading() as session:
        if not _holds_rows(session.connection(), Base.metadata.tables):
            raise StoreError(f"{source.file} holds nothing yet: check [database] url, or write {place} there at once.")
    target = connect(url.update_query_dict({"client_encoding": "utf8"}).render_as_string(hide_password=False))
    try:
        with source.engine.begin() as old:
            _prepare(target, old)
            with target.engine.begin() as new:
                _carry(old, new, tell)
            _mark(old, place)
    except DBAPIError as error:
        raise StoreError(
            f"{place}: {troubles.cause(error)}; {source.file} stays the database until the move is made again."
        ) from None
    except StoreError as error:
        raise StoreError(f"{place}: {error}") from None
    finally:
        target.close()
    return place


def undo(source: Store) -> str:
    """Take the mark off a SQLite file that was moved; gives where it was moved to. Raises `StoreError`."""
    if source.file is None or not source.file.exists():
        raise StoreError("Only a SQLite file can have been moved, and [database] url names none.")
    _only_user(source)
    with contextlib.closing(sqlite3.connect(source.file, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        if not connection.execute("PRAGMA user_version").fetchone()[0]:
            raise StoreError(f"{source.file} was not moved.")
        place: str = connection.execute("SELECT place FROM moved_to").fetchone()[0]
        connection.execute("DROP TABLE moved_to")
        connection.execute("PRAGMA user_version = 0")
        connection.execute("COMMIT")
    return place


def _shown(url: URL) -> str:
    """A URL without its password, wherever that stands."""
    secret = [key for key in url.query if "pass" in key]
    return url.difference_update_query(secret).render_as_string(hide_password=True)


def _only_user(source: Store) -> None:
    try:
        source.lock()
    except StoreError:
        raise StoreError(f"podium run is using {source.file}: stop it first, then move.") from None


def _prepare(target: Store, old: Connection) -> None:
    """Make the tables of this version at the target, unless somebody's are there. Raises `StoreError`."""
    with target.engine.connect() as connection:
        encoding = connection.scalar(text("SHOW server_encoding"))
        if encoding != "UTF8":
            raise StoreError(f"it keeps text as {encoding}: name a database whose encoding is UTF8.")
        names = set(inspect(connection).get_table_names())
        if names - {"alembic_version"} and not {"contestants", "episodes", "letters"} <= names:
            raise StoreError("it holds tables that are not Podium's: name an empty database.")
        if _holds_rows(connection, names):
            if revision_of(connection) != revision_of(old):
                raise StoreError(_TAKEN)
            return
    migrate(target)


def _holds_rows(connection: Connection, names: Collection[str]) -> bool:
    """Is there a row in any of Podium's tables that are among these?"""
    tables = (table for name, table in Base.metadata.tables.items() if name in names)
    return any(connection.execute(select(table).limit(1)).first() is not None for table in tables)


def _carry(old: Connection, new: Connection, tell: Tell) -> None:
    """All rows to the target, where they are not there already, and compare them. Raises `StoreError`."""
    tables = Base.metadata.sorted_tables
    names = [table.name for table in tables]
    new.execute(text(f"LOCK TABLE {', '.join(names)} IN EXCLUSIVE MODE"))  # a Podium that runs there must not write
    are_there = _holds_rows(new, names)
    for table in tables:
        if not are_there:
            _copy(old, new, table)
        _compare(old, new, table, are_there)
        tell(f"{table.name}: {new.scalar(select(func.count()).select_from(table)):,} rows, the same on both sides")


def _copy(old: Connection, new: Connection, table: Table) -> None:
    """The rows of a table to the target, where its numbers go on behind them. Raises `StoreError`, which names a row."""
    for batch in _batches(old, table):
        try:
            with new.begin_nested():
                new.execute(insert(table), batch)
        except (DataError, IntegrityError):
            for row in batch:  # which of them is not taken?
                try:
                    new.execute(insert(table), row)
                except (DataError, IntegrityError) as error:
                    words = f"the row {_key(table, row)} of {table.name} is not taken: {troubles.cause(error)}"
                    raise StoreError(f"{words}; nothing was moved.") from None
    new.exec_driver_sql(f"ANALYZE {table.name}")
    column = table.autoincrement_column
    if column is not None:
        sequence = func.pg_get_serial_sequence(table.name, column.name)
        new.execute(select(func.setval(sequence, func.coalesce(func.max(column), 1), func.max(column).is_not(None))))


def _compare(old: Connection, new: Connection, table: Table, were_there: bool) -> None:
    """Raises `StoreError` where a row is not the same on both sides, through the schema's types."""
    as_json = [column.name for column in table.columns if isinstance(column.type, JSON)]
    sides = (_batches(old, table), _batches(new, table))
    for before, after in zip_longest(*(chain.from_iterable(side) for side in sides)):
        for name in as_json:  # 1, 1.0 and True are equal in Python
            for row in filter(None, (before, after)):
                row[name] = json.dumps(row[name], sort_keys=True)
        if before != after and were_there:
            raise StoreError(_TAKEN)
        if before != after:
            key = _key(table, before or after)
            raise StoreError(f"the row {key} of {table.name} is not there as it was; nothing was moved.")


def _batches(connection: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    """The rows by key, in an order that both databases share, a batch in memory at a time."""
    by = [
        collate(column, "C") if isinstance(column.type, String) and connection.dialect.name == "postgresql" else column
        for column in table.primary_key
    ]
    rows = connection.execute(select(table).order_by(*by).execution_options(yield_per=BATCH)).mappings()
    for batch in rows.partitions():
        yield [dict(row) for row in batch]


def _key(table: Table, row: dict[str, Any]) -> str:
    return "/".join(str(row[column.name]) for column in table.primary_key)


def _mark(old: Connection, place: str) -> None:
    """From the commit on, `open_store` refuses the file, and so do writers that waited for it."""
    old.exec_driver_sql("CREATE TABLE moved_to (place TEXT NOT NULL)")
    old.exec_driver_sql("INSERT INTO moved_to VALUES (?)", (place,))
    old.exec_driver_sql("PRAGMA user_version = 1")
