"""Edge: the claims of both queues. In: statements about what waits. Out: rows, claimed for this process where several share them.

A claim looks at the oldest `LOOKED_AT` rows that wait, and takes of each key (an address, an ordering key) the first alone.
Where very many rows of few keys wait, so that these do not suffice, it goes from key to key: one step of an index for a key.
What a claim costs does not grow with what waits.

On PostgreSQL a claim writes the name of its process (`claimed_by`), and passes over rows that another process is just claiming
(SKIP LOCKED). When the process's lease ends, its claims are given back (`host.store.leases`). The one process on a SQLite file
remembers what it has claimed; that ends with it.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import CTE, ColumnElement, Row, Select, bindparam, func, literal, select, tuple_, update
from sqlalchemy.orm import Session

from host.store.leases import may_be_claimed
from host.store.schema import Inbound, Letter

LOOKED_AT = 256
"""Rows that a claim looks at in their order, more than are ever under way; and keys that it then goes through."""
_LAST_ID = 2**31 - 1


def claim(
    session: Session,
    table: type[Inbound | Letter],
    oldest: Select[*tuple[Any, ...]],
    others: tuple[Select[int], Select[*tuple[Any, ...]]] | None,
    given: Mapping[str, Any],
) -> list[Row[Any]]:
    """At most `limit` rows: those of `oldest`; where these are too few and more wait, `others` too.

    These are the first rows of the first keys, and a statement for `these` numbers. `claimer` is given where several processes
    share the table.
    """
    is_shared = "claimer" in given
    rows = list(session.execute(free(oldest, table) if is_shared else oldest, given))
    left = given["limit"] - len(rows)
    if others and left and (rows[0].is_more if rows else is_shared or given["under_way"]):
        firsts, these = others
        numbers = set(session.scalars(firsts, given)) - {*given["under_way"], *(row.id for row in rows)}
        if numbers:
            these = free(these, table) if is_shared else these
            rows += session.execute(these, {**given, "these": list(numbers), "limit": left})
    if rows and is_shared:
        claimed = update(table).where(table.id.in_([row.id for row in rows])).values(claimed_by=given["claimer"])
        session.execute(claimed, execution_options={"synchronize_session": False})
    return rows


def free(rows: Select[*tuple[Any, ...]], table: type[Inbound | Letter]) -> Select[*tuple[Any, ...]]:
    """Those rows that no other process has, or is just claiming; they are locked."""
    return rows.where(*may_be_claimed(table.claimed_by)).with_for_update(skip_locked=True)


def among_oldest(
    in_order: Select[Any], moment: Any, number: Any, end: ColumnElement[Any]
) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Two conditions: a row is among the first `looked_at` of those in order (by moment and number); there are more."""
    next_one = in_order.limit(1).offset(bindparam("looked_at"))
    next_at = next_one.with_only_columns(moment).correlate(None).scalar_subquery()
    next_id = next_one.with_only_columns(number).correlate(None).scalar_subquery()
    is_before = tuple_(moment, number) < tuple_(func.coalesce(next_at, end), func.coalesce(next_id, _LAST_ID))
    return is_before, next_id.is_not(None)


def first_keys(key: Any, lowest: Select[str], begin: Select[str]) -> CTE:
    """The first `looked_at` keys, from the one of `begin` on; `lowest` asks for the lowest. Behind the last one stands a NULL."""
    keys = select(begin.scalar_subquery().label("key"), literal(1).label("step")).cte("keys", recursive=True)
    following = lowest.where(key > keys.c.key).correlate(keys).scalar_subquery()
    is_on = (keys.c.key.is_not(None), keys.c.step < bindparam("looked_at"))
    return keys.union_all(select(following, keys.c.step + 1).where(*is_on))
