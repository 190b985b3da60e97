"""Edge: one transaction's session. In: rows that are added, values that change. Out: numbers at once, statements in groups.

Most of what is changed goes through SQLAlchemy's own session. What a move only adds (letters, what they ask, lines of the
record, events) has no object there, which costs ten times as much as the row: `put` gathers it, and `flush` writes it, a
statement a table. A row has its number as soon as `number` gave it one. Most of what every move changes is given to `change`
and `put_state`, which gather it, too, so that a group is one statement where SQLAlchemy looks at each object. An assignment is
as good, but for its cost, and both may meet in one row.

A `flush` writes gathered changes, then objects, then gathered rows: an object that refers to a gathered row is added after a
`flush`. Queries about classes flush by themselves; statements on `connection()` do not, and are for what was not changed yet.
"""

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sqlalchemy import Table, Update, bindparam, func, insert, inspect, orm, select, update
from sqlalchemy.orm.attributes import set_committed_value
from sqlalchemy.orm.exc import StaleDataError

from host.store.schema import AskRow, Base, Episode, EventRow, Inbound, Letter, QuestionRow, RecordLine


def table(kind: type[Base]) -> Table:
    """The table behind a class: a statement about its columns costs half of one about the class."""
    found = kind.__table__
    assert isinstance(found, Table)
    return found


ORDER: tuple[type[Base], ...] = (Letter, AskRow, RecordLine, EventRow)
"""In which gathered rows are written: what others refer to goes first."""
_INSERTS = {kind: insert(table(kind)) for kind in ORDER}
_episodes = table(Episode)
_SET_STATE = (
    update(_episodes)
    .where(_episodes.c.id == bindparam("b_id"), _episodes.c.version == bindparam("b_version"))
    .values(state=bindparam("state"), version=bindparam("version"))
)
RESERVED = 4
"""Numbers that are fetched at once on PostgreSQL. Those that are not needed are left out for ever, and there are 2**31."""
_NUMBERED: tuple[type[Base], ...] = (Letter, QuestionRow, Inbound)
_LAST = select(*(select(func.max(table(kind).c.id)).scalar_subquery() for kind in _NUMBERED))
_NEXT = {
    kind: select(func.nextval(func.pg_get_serial_sequence(table(kind).name, "id"))).select_from(
        func.generate_series(1, RESERVED).table_valued("value")
    )
    for kind in _NUMBERED
}


@functools.cache
def _key(kind: type[Base]) -> tuple[str, ...]:
    return tuple(column.name for column in table(kind).primary_key)


@functools.cache
def _update_of(kind: type[Base], names: tuple[str, ...]) -> Update:
    """Rows of a kind get these columns; the parts of their key are named `of_...`."""
    columns = table(kind).c
    found = [columns[name] == bindparam(f"of_{name}") for name in _key(kind)]
    return update(table(kind)).where(*found).values({name: bindparam(name) for name in names})


class Session(orm.Session):
    """A session that also writes rows without objects. All else is SQLAlchemy's."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._gathered: dict[type[Base], list[dict[str, Any]]] = {kind: [] for kind in ORDER}
        self._later: list[tuple[dict[str, Any], dict[str, Callable[[], Any]]]] = []
        self._numbers: dict[type[Base], Iterator[int]] = {}
        self._states: list[dict[str, Any]] = []
        self._changed: dict[Base, dict[str, Any]] = {}
        self._given: set[Base] = set()

    def put(self, kind: type[Base], values: dict[str, Any], **later: Callable[[], Any]) -> None:
        """Add a row of one of the kinds in `ORDER`: every column by name, but for those with a default.

        What comes `later` is asked for when the row is written.
        """
        self._gathered[kind].append(values)
        if later:
            self._later.append((values, later))

    def number(self, kind: type[Base]) -> int:
        """The number of a new row of this kind. Who adds such rows in this transaction takes all their numbers here."""
        numbers = self._numbers.setdefault(kind, iter(()))
        found = next(numbers, None)
        if found is None:
            self._reserve(kind)
            found = next(self._numbers[kind])
        return found

    def flush(self, objects: Sequence[Any] | None = None) -> None:
        """Write what was changed and added; asked for before each query and at the end."""
        self._write_states()
        self._write_changes()
        super().flush(objects)
        for values, later in self._later:
            values.update({name: ask() for name, ask in later.items()})
        self._later.clear()
        for kind, rows in self._gathered.items():
            if rows:
                self._gathered[kind] = []
                self.connection().execute(_INSERTS[kind], rows)

    def change(self, row: Base, **values: Any) -> None:
        """Give a row other values: one statement for all of a group in which the same columns of a kind change.

        Not for an episode, whose version counts.
        """
        assert not isinstance(row, Episode)
        new = {name: value for name, value in values.items() if getattr(row, name) != value}
        if not inspect(row).persistent:
            for name, value in new.items():
                setattr(row, name, value)
        elif new:
            for name, value in new.items():
                set_committed_value(row, name, value)
            self._changed.setdefault(row, {}).update(new)
            self._given.add(row)

    def put_state(self, episode: Episode, state: dict[str, Any]) -> None:
        """Give an episode that is taken another state: one statement for all of a group, where the session would write each."""
        before = {"b_id": episode.id, "b_version": episode.version}
        set_committed_value(episode, "state", state)
        set_committed_value(episode, "version", episode.version + 1)
        self._states.append(before | {"state": state, "version": episode.version})
        self._given.add(episode)

    def _write_states(self) -> None:
        rows, self._states = self._states, []
        if rows:
            self._update(_SET_STATE, rows)

    def _write_changes(self) -> None:
        """By kind and key, as SQLAlchemy does, so that two processes do not wait for each other crosswise."""
        changed, self._changed = self._changed, {}
        keys = {row: tuple(getattr(row, name) for name in _key(type(row))) for row in changed}
        groups: dict[tuple[type[Base], tuple[str, ...]], list[dict[str, Any]]] = {}
        for row in sorted(changed, key=lambda row: (row.__tablename__, keys[row])):
            values = changed[row] | {f"of_{name}": part for name, part in zip(_key(type(row)), keys[row], strict=True)}
            groups.setdefault((type(row), tuple(sorted(changed[row]))), []).append(values)
        for (kind, names), rows in groups.items():
            self._update(_update_of(kind, names), rows)

    def _update(self, statement: Update, rows: list[dict[str, Any]]) -> None:
        if self.connection().execute(statement, rows).rowcount != len(rows):
            raise StaleDataError("What is changed here was changed by another transaction meanwhile.")

    def forget_gathered(self) -> None:
        """What was gathered since the last `flush` is not written: the savepoint in which it was is undone."""
        for rows in self._gathered.values():
            rows.clear()
        self._later.clear()
        self._states.clear()
        self._changed.clear()
        for row in filter(self.__contains__, self._given):
            self.expire(row)

    def _reserve(self, kind: type[Base]) -> None:
        connection = self.connection()
        if connection.dialect.name == "sqlite":  # the one writer; nobody else adds rows before this transaction ends
            for each, last in zip(_NUMBERED, connection.execute(_LAST).one(), strict=True):
                self._numbers[each] = itertools.count((last or 0) + 1)
        else:
            self._numbers[kind] = iter(connection.scalars(_NEXT[kind]).all())
