"""Edge: the claims of both queues. In: statements about what waits. Out: rows, claimed for this process where several share them.

A claim looks at the oldest `LOOKED_AT` rows that wait, and takes of each key (an address, an ordering key) the first alone.
Where very many rows of few keys wait, so that these do not suffice, it goes from key to key: one step of an index for a key.
What a claim costs does not grow with what waits.

On PostgreSQL a claim writes the name of its process (`claimed_by`), and passes over rows that another process is just claiming
(SKIP LOCKED). When the process's lease ends, its claims are given back (`host.store.leases`). The one process on a SQLite file
remembers what it has claimed; that ends with it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Row, Select, bindparam, func, literal, select, tuple_, update
from sqlalchemy.orm import Session

from host.store.database import Store
from host.store.leases import may_be_claimed
from host.store.schema import Inbound, Letter

LOOKED_AT = 256
"""Rows that a claim looks at in their order, more than are ever under way; and keys that it then goes through."""
_LAST_ID = 2**31 - 1


def claim(
    store: Store,
    table: type[Inbound | Letter],
    oldest: Select[*tuple[Any, ...]],
    others: tuple[Select[int], Select[*tuple[Any, ...]]] | None,
    **given: Any,
) -> list[Row[Any]]:
    """At most `limit` rows: those of `oldest`; where these are too few and more wait, `others` too.

    These are the first rows of the first keys, and a statement for `these` numbers. `given` is what the statements ask for
    besides; `under_way` are the rows that this process has claimed already, which is all that the one process on a SQLite file
    needs. On PostgreSQL a process whose lease has ended gets none.
    """
    given |= {"looked_at": LOOKED_AT}
    if store.file is not None:
        with store.reading() as session:
            return _oldest_and_others(session, oldest, others, given, bool(given["under_way"]))
    given |= {"claimer": store.claimer}
    with store.transaction() as session:
        free = _free(oldest, table), (others[0], _free(others[1], table)) if others else None
        rows = _oldest_and_others(session, *free, given, True)
        if rows:
            claimed = update(table).where(table.id.in_([row.id for row in rows])).values(claimed_by=store.claimer)
            session.execute(claimed, execution_options={"synchronize_session": False})
        return rows


def _oldest_and_others(
    session: Session,
    oldest: Select[*tuple[Any, ...]],
    others: tuple[Select[int], Select[*tuple[Any, ...]]] | None,
    given: Mapping[str, Any],
    may_be_hidden: bool,
) -> list[Row[Any]]:
    """The claim within one session. `may_be_hidden`: others can wait behind oldest rows that are all claimed already."""
    rows = list(session.execute(oldest, given))
    left = given["limit"] - len(rows)
    if others and left and (rows[0].is_more if rows else may_be_hidden):
        firsts, these = others
        numbers = set(session.scalars(firsts, given)) - {*given["under_way"], *(row.id for row in rows)}
        if numbers:
            rows += session.execute(these, {**given, "these": list(numbers), "limit": left})
    return rows


def _free(rows: Select[*tuple[Any, ...]], table: type[Inbound | Letter]) -> Select[*tuple[Any, ...]]:
    """Those rows that no other process has, or is just claiming; they are locked."""
    return rows.where(*may_be_claimed(table.claimed_by)).with_for_update(skip_locked=True)


def oldest(
    columns: Sequence[Any],
    table: type[Inbound | Letter],
    at: Any,
    end: Any,
    first: Any,
    in_order: Select[Any],
    *which: Any,
) -> Select[*tuple[Any, ...]]:
    """The rows that go `first`, among the first `looked_at` of those `in_order`, by the moment `at`; those `under_way` aside.

    At most `limit`; with each goes whether more rows wait than these oldest. No row is later than `end`.
    """
    in_order = in_order.order_by(at, table.id)
    next_one = in_order.limit(1).offset(bindparam("looked_at"))
    next_at = next_one.with_only_columns(at).correlate(None).scalar_subquery()
    next_id = next_one.with_only_columns(table.id).correlate(None).scalar_subquery()
    is_old = tuple_(at, table.id) < tuple_(func.coalesce(next_at, end), func.coalesce(next_id, _LAST_ID))
    rows = select(*columns, next_id.is_not(None).label("is_more")).where(*which, is_old, table.id == first)
    rows = rows.where(table.id.not_in(bindparam("under_way", expanding=True)))
    return rows.order_by(at, table.id).limit(bindparam("limit"))


def first_by_key(key: Any, lowest: Select[str], begin: Select[str], first: Callable[[Any], Any]) -> Select[int]:
    """The row that goes `first` of each of `looked_at` keys, from the one of `begin` on; `lowest` asks for the lowest."""
    keys = select(begin.scalar_subquery().label("key"), literal(1).label("step")).cte("keys", recursive=True)
    following = lowest.where(key > keys.c.key).correlate(keys).scalar_subquery()  # behind the last one stands a NULL
    is_on = (keys.c.key.is_not(None), keys.c.step < bindparam("looked_at"))
    keys = keys.union_all(select(following, keys.c.step + 1).where(*is_on))
    return select(first(keys.c.key)).where(keys.c.key.is_not(None))


def these(columns: Sequence[Any], table: type[Inbound | Letter], at: Any, *which: Any) -> Select[*tuple[Any, ...]]:
    """The rows of `these` numbers, by the moment `at`, at most `limit`."""
    rows = select(*columns).where(*which, table.id.in_(bindparam("these", expanding=True)))
    return rows.order_by(at, table.id).limit(bindparam("limit"))
