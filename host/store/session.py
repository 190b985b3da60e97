"""Edge: one transaction's session. In: rows that are only added. Out: their numbers at once, their statements in groups.

What is changed goes through SQLAlchemy's own session. What a move only adds (letters, what they ask, lines of the record,
events) has no object there, which costs ten times as much as the row: `put` gathers it, and `flush` writes it, a statement a
table. A row has its number as soon as `number` gave it one.

Objects are written before gathered rows: an object that refers to a gathered row is added after a `flush`. Queries about
classes flush by themselves; statements on `connection()` do not, and are for what was not changed yet.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Table, bindparam, func, insert, orm, select, update
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


class Session(orm.Session):
    """A session that also writes rows without objects. All else is SQLAlchemy's."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._gathered: dict[type[Base], list[dict[str, Any]]] = {kind: [] for kind in ORDER}
        self._numbers: dict[type[Base], Iterator[int]] = {}
        self._states: list[dict[str, Any]] = []
        self._given_state: set[Episode] = set()

    def put(self, kind: type[Base], values: dict[str, Any]) -> None:
        """Add a row of one of the kinds in `ORDER`: every column by name, but for those with a default."""
        self._gathered[kind].append(values)

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
        super().flush(objects)
        for kind, rows in self._gathered.items():
            if rows:
                self._gathered[kind] = []
                self.connection().execute(_INSERTS[kind], rows)

    def put_state(self, episode: Episode, state: dict[str, Any]) -> None:
        """Give an episode that is taken another state: one statement for all of a group, where the session would write each."""
        before = {"b_id": episode.id, "b_version": episode.version}
        set_committed_value(episode, "state", state)
        set_committed_value(episode, "version", episode.version + 1)
        self._states.append(before | {"state": state, "version": episode.version})
        self._given_state.add(episode)

    def _write_states(self) -> None:
        rows, self._states = self._states, []
        if rows and self.connection().execute(_SET_STATE, rows).rowcount != len(rows):
            raise StaleDataError("The episode was changed by another transaction meanwhile.")

    def forget_gathered(self) -> None:
        """What was gathered since the last `flush` is not written: the savepoint in which it was is undone."""
        for rows in self._gathered.values():
            rows.clear()
        self._states.clear()
        for episode in self._given_state:
            self.expire(episode)

    def _reserve(self, kind: type[Base]) -> None:
        connection = self.connection()
        if connection.dialect.name == "sqlite":  # the one writer; nobody else adds rows before this transaction ends
            for each, last in zip(_NUMBERED, connection.execute(_LAST).one(), strict=True):
                self._numbers[each] = itertools.count((last or 0) + 1)
        else:
            self._numbers[kind] = iter(connection.scalars(_NEXT[kind]).all())
