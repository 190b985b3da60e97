"""Edge: leases of what only one process may do at a time. In: a role, who wants it. Out: whether it is theirs for a while.

Only PostgreSQL needs them: a SQLite file has one process. Time is the database's, since machines' clocks differ. Both
functions raise SQLAlchemy's errors where the database is out of reach (`host.store.database.is_passing`), and no others.
"""

from datetime import timedelta

from sqlalchemy import delete, func, or_
from sqlalchemy.dialects.postgresql import insert

from host.store.database import Store
from host.store.schema import Lease


def hold(store: Store, name: str, holder: str, length: timedelta) -> bool:
    """Take a lease that is free, over or this holder's own, for so long from now; False where another has it."""
    until = func.clock_timestamp() + length
    wanted = insert(Lease).values(name=name, holder=holder, until=until)
    taken = wanted.on_conflict_do_update(
        index_elements=[Lease.name],
        set_={"holder": holder, "until": until},
        where=or_(Lease.holder == holder, Lease.until < func.clock_timestamp()),
    ).returning(Lease.name)
    with store.transaction() as session:
        return session.scalar(taken) is not None


def let_go(store: Store, name: str, holder: str) -> None:
    """Give a lease back, so that another takes over at once."""
    with store.transaction() as session:
        session.execute(delete(Lease).where(Lease.name == name, Lease.holder == holder))
