"""Edge: opening the store. In: a database URL. Out: short transactions; migrations, backups and the one-daemon lock.

SQLite: BEGIN IMMEDIATE for every writing transaction (a deferred one loses updates), WAL, synchronous FULL, foreign
keys. Never await the network inside a transaction.
"""

import contextlib
import fcntl
import functools
import os
import sqlite3
import time
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, Select, bindparam, create_engine, event, func, inspect, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DisconnectionError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
)
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.orm import Session as Session  # for those who open no store and speak no SQL
from sqlalchemy.orm.attributes import set_committed_value
from sqlalchemy.orm.exc import StaleDataError

from host import troubles
from host.errors import PodiumError

BUSY_SECONDS = 5
"""How long is waited for another program's lock on a SQLite file: what is ours holds it for milliseconds."""
RESTED_SECONDS = 5.0
"""After so long without use a line to PostgreSQL is tried before it is used."""
_MIGRATION_LOCK = 0x706F6469756D
_LINE = {"connect_timeout": 5, "keepalives_idle": 4, "keepalives_interval": 2, "keepalives_count": 3} | {
    "tcp_user_timeout": 10_000
}
"""A line to PostgreSQL that gives no sign of life is dead after ten seconds. What a URL says of these goes before."""
_SESSION = "-c idle_in_transaction_session_timeout=5s -c lock_timeout=3s"
"""PostgreSQL ends a transaction whose process stands still, so that its locks hold up no other for long; and who waits for
a lock gives up before its own leases end, and tries again."""
_MOMENTS = "-c timezone=UTC -c datestyle=ISO"
"""Whatever a server is set to: its days have 24 hours, as those have by which deadlines move, and it writes what is read here."""
_PASSING = frozenset(("25P03", "25006"))
"""PostgreSQL's words (SQLSTATE) for a transaction that it ended so, and for one that writes where nothing can be written."""
MISSING = 'A database at postgresql:// needs one more library: pip install "podium-host[postgresql]".'
MOUNTS = Path("/proc/mounts")
NETWORK_FILE_SYSTEMS = frozenset("nfs nfs4 cifs smb3 smbfs ncpfs afs fuse.sshfs fuse.rclone fuse.s3fs davfs".split())


class StoreError(PodiumError):
    """The store cannot be used; the message says what to do."""


class Store:
    """The database behind one URL. Open it with `open_store`.

    `line` is what a line to PostgreSQL is made with besides the URL. `claimer` is the name under which this process claims
    mails and letters (`host.store.leases`); none on SQLite.
    """

    def __init__(self, engine: Engine, line: Mapping[str, Any] | None = None) -> None:
        self.engine = engine
        self.line = dict(line or {})
        self.claimer = ""
        alone: dict[str, Any] = {} if engine.dialect.name == "sqlite" else {"isolation_level": "AUTOCOMMIT"}
        self._reading = engine.execution_options(podium_reading=True, **alone)
        self._lock: int | None = None

    @property
    def file(self) -> Path | None:
        """SQLite's file, None on PostgreSQL."""
        name = self.engine.url.database
        return Path(name) if self.engine.dialect.name == "sqlite" and name else None

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Session]:
        """One unit of work: committed at the end, undone by any exception."""
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            yield session

    @contextlib.contextmanager
    def reading(self) -> Iterator[Session]:
        """A look that changes nothing and waits for nobody.

        On SQLite all of it is of one moment. On PostgreSQL each statement is of its own, as in any transaction there, so that
        none is begun: that would be two trips more.
        """
        with Session(self._reading, expire_on_commit=False) as session:
            yield session

    def close(self) -> None:
        """Let go of connections and of the lock."""
        self.engine.dispose()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def lock(self) -> None:
        """Be the only daemon on this SQLite file. The lock is the operating system's: it ends with the process.

        Raises `StoreError` where another daemon has it.
        """
        if self.file is None:
            return
        handle = os.open(self.file.with_name(self.file.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            raise StoreError(
                f"Another podium run is using {self.file}: stop it first, or give this one its own database."
            ) from None
        self._lock = handle

    def backup(self, target: Path) -> None:
        """A consistent copy of the database, while others write. Raises `StoreError`."""
        if self.file is None:
            raise StoreError("The database is PostgreSQL: make the copy with pg_dump.")
        if target.exists():
            raise StoreError(f"{target} is there already: name a new file.")
        partial = target.with_name(target.name + ".partial")
        try:
            with contextlib.closing(sqlite3.connect(f"file:{quote(str(self.file))}?mode=ro", uri=True)) as source:
                handle = os.open(partial, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
                os.close(handle)
                with contextlib.closing(sqlite3.connect(partial)) as copy:
                    source.backup(copy)
            partial.replace(target)
        except FileNotFoundError:
            raise StoreError(f"There is no folder {target.parent}: make it first.") from None
        except (sqlite3.Error, OSError) as error:
            with contextlib.suppress(OSError):
                partial.unlink(missing_ok=True)
            raise StoreError(f"The copy {target} could not be written: {error}.") from None


def folds(text: str) -> tuple[str, ...]:
    """A name in small letters as `lower` of either database writes it: SQLite's leaves all but ASCII as it is."""
    written = (text, text.lower(), text.upper(), text.title(), text.capitalize())
    by_sqlite = ("".join(sign.lower() if sign.isascii() else sign for sign in each) for each in written)
    return tuple(dict.fromkeys((text.lower(), *by_sqlite)))


NOT_OURS = "The database is not one of Podium's (it holds tables of another program): check [database] url."


def open_store(url: str, may_make: bool = True, may_migrate: bool = True) -> Store:
    """The store at `url`, migrated to this version. Raises `StoreError`.

    A migration is one transaction under a lock, with a copy of a SQLite file made before; several processes may call
    this at once. Without `may_make` or `may_migrate` a store that would need it is a `StoreError`.
    """
    store = connect(url)
    try:
        migrate(store, may_make, may_migrate)
    except BaseException:
        store.close()
        raise
    return store


def connect(url: str) -> Store:
    """The store at `url` as it is. Raises `StoreError` where it cannot be reached or psycopg is not installed."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        hint = "write sqlite:///podium.db or postgresql://user:password@host/name"
        raise StoreError(f"[database] url cannot be read: {hint}.") from None
    if parsed.get_backend_name() == "sqlite":
        _refuse_folder(Path(parsed.database or ".").absolute().parent)
        engine = create_engine(
            parsed, hide_parameters=True, connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False}
        )
        event.listen(engine, "do_connect", lambda *_: _create_for_its_owner(parsed.database))
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    else:
        options = f"{_SESSION} {parsed.query.get('options', '')} {_MOMENTS}"
        line = {name: value for name, value in _LINE.items() if name not in parsed.query} | {"options": options}
        try:
            engine = create_engine(parsed, hide_parameters=True, connect_args=line)
        except ImportError:  # psycopg, or the libpq that it needs
            raise StoreError(MISSING) from None
        event.listen(engine, "checkin", _note_use)
        event.listen(engine, "checkout", _try_after_rest)
        return Store(engine, line)
    return Store(engine)


def _note_use(_line: Any, record: Any) -> None:
    record.info["used"] = time.monotonic()


def _try_after_rest(line: Any, record: Any, _user: Any) -> None:
    """A line that rested may be dead, and is tried before it is used; each time that would be a trip more."""
    if time.monotonic() - record.info.get("used", time.monotonic()) > RESTED_SECONDS:
        try:
            line.execute("")
            line.rollback()
        except Exception as error:
            raise DisconnectionError from error  # the pool makes a new one


def _refuse_folder(folder: Path) -> None:
    """SQLite makes no folder, and its locks do not hold on a network file system: two hosts could write at once. Raises
    `StoreError`."""
    if not folder.is_dir():
        raise StoreError(f"There is no folder {folder} for the database: make it, or name another in [database] url.")
    try:
        mounts = [line.split()[1:3] for line in MOUNTS.read_text("utf-8", "replace").splitlines()]
    except (OSError, IndexError):
        return
    kinds = {Path(point.replace("\\040", " ")): kind for point, kind in mounts}
    kind = next((kinds[each] for each in (folder, *folder.parents) if each in kinds), "")
    if kind in NETWORK_FILE_SYSTEMS:
        raise StoreError(
            f"{folder} is on a network file system ({kind}), where SQLite is not safe: name a local folder in [database] "
            "url, or use PostgreSQL."
        )


def _create_for_its_owner(file: str | None) -> None:
    """SQLite lets all local users read what it creates. What it puts beside the file (-wal, -shm) has the file's rights."""
    with contextlib.suppress(OSError):  # it is there already; or SQLite will say what is wrong
        if file:
            os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: Connection) -> None:
    reading = connection.get_execution_options().get("podium_reading")
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def is_passing(error: Exception) -> bool:
    """Is this the database's trouble of the moment (locked, full, gone, changed under us), not the work's own fault?"""
    if isinstance(error, InternalError):
        return getattr(error.orig, "sqlstate", "") in _PASSING
    return isinstance(error, OperationalError | InterfaceError | StaleDataError)


def is_conflict(error: Exception) -> bool:
    """Does a row contradict others? Where another process wrote those in the same moment, who looks again sees them."""
    return isinstance(error, IntegrityError)


def count(session: Session, rows: Select[Any], most: int | None = None) -> int:
    """Count the rows of a statement, up to `most` where that is given: so far and no further the database looks."""
    return session.scalar(select(func.count()).select_from(rows.limit(most).subquery())) or 0


def insert_of(session: Session) -> Any:
    """The `insert` of this database's dialect, which can say what happens where the row is there already."""
    return (postgresql if session.get_bind().dialect.name == "postgresql" else sqlite).insert


def load_related(session: Session, rows: Collection[Any], *relations: InstrumentedAttribute[Any]) -> None:
    """Load what belongs to these rows of one table, and is not loaded yet, a statement for each of these relations.

    So does `selectinload`, but it makes its statements anew each time, which takes longer than to carry them out.
    """
    for relation in relations:
        wanted = {row.id: row for row in rows if relation.key in inspect(row).unloaded}
        found: dict[int, list[Any]] = {number: [] for number in wanted}
        for number, each in session.execute(_related(relation), {"ids": list(wanted)}) if wanted else ():
            found[number].append(each)
        for number, row in wanted.items():
            set_committed_value(row, relation.key, found[number])


@functools.cache
def _related(relation: InstrumentedAttribute[Any]) -> Select[Any]:
    owner, order = relation.parent.class_, relation.property.order_by
    rows = select(owner.id, relation.property.entity).join(relation)
    return rows.where(owner.id.in_(bindparam("ids", expanding=True))).order_by(*order)


def migrations_folder() -> Path:
    """The folder of the migrations: beside the package, or in it where it is installed."""
    inside = Path(__file__).parents[1] / "migrations"
    return inside if inside.is_dir() else Path(__file__).parents[2] / "migrations"


def migrate(store: Store, may_make: bool = True, may_migrate: bool = True) -> None:
    """Bring the schema to this version. Raises `StoreError`: unreachable, made by a newer Podium, or not allowed."""
    if not may_make and store.file is not None and not store.file.exists():
        raise StoreError(f"There is no database {store.file} yet: podium run makes it.")
    revisions = {file.stem.partition("_")[0] for file in (migrations_folder() / "versions").glob("[0-9]*.py")}
    newest = max(revisions)
    try:
        with store._reading.connect() as connection:
            current = _revision_of(connection)
            if store.file is not None and current is None and inspect(connection).get_table_names():
                raise StoreError(NOT_OURS)
        if current == newest:
            return
        if current is not None and current not in revisions:
            raise StoreError("The database was made by a newer Podium: install that version, or go back to a copy.")
        if not may_migrate or (current is None and not may_make):
            raise StoreError("The database is not of this version of Podium yet: podium run brings it there.")
        if current is not None and store.file is not None:
            target = store.file.with_name(f"{store.file.name}.before-{newest}.bak")
            if not target.exists():
                store.backup(target)
        with store.engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
            if _revision_of(connection) is None:
                _make(connection, newest)
            else:
                _upgrade(connection)
    except DatabaseError as error:
        words = f"The database is not one of Podium's ({troubles.cause(error)}): check [database] url."
        raise StoreError(troubles.sentence(error) or words) from None


def _revision_of(connection: Connection) -> str | None:
    """The migration that brought a database to where it is; None where none ran yet."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def _make(connection: Connection, revision: str) -> None:
    """Make all tables at once in a database that has none, as the migrations up to `revision` would have made them."""
    from host.store.schema import Base

    Base.metadata.create_all(connection, checkfirst=False)
    key = "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)"
    connection.execute(text(f"CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, {key})"))
    connection.execute(text("INSERT INTO alembic_version VALUES (:revision)"), {"revision": revision})


def _upgrade(connection: Connection) -> None:
    """Run the migrations that are missing. Alembic is loaded here alone: most starts have nothing to migrate."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(migrations_folder()))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
