"""Edge: leases of roles and of processes. In: a role, who wants it; a process. Out: whether it is theirs for a while.

Only PostgreSQL needs them: a SQLite file has one process. Time is the database's, since machines' clocks differ. All
functions raise SQLAlchemy's errors where the database is out of reach (`host.store.database.is_passing`), and no others.

**A role** (`hold`, `let_go`) is led by one process; another takes its lease once it is over.

**A process** has one lease, under a name that no process had before (`begin`, `renew`). It claims mails and letters by
writing that name into their rows, and they are its own as long as the lease's row is there. A lease that is over is ended by
any process (`end_those_over`): its row is deleted, and what was claimed under its name is given back, in one transaction.
From then on the name is nobody's: a process that stood still finds nothing to renew, and begins anew under another name.

- A claim holds the lease's row (FOR KEY SHARE, `may_be_claimed`), so that nobody ends a lease between the claim and its
  commit, which would leave mails that nobody gives back; and a process whose lease was ended claims nothing.
- A renewal and the end of the same lease meet in its row: whichever comes second finds it changed.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, bindparam, delete, exists, func, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert

from host.engine.chance import new_token
from host.store.database import Session, Store
from host.store.schema import NEW, UNSENT, Inbound, Lease, Letter

_PATIENCE = text("SET LOCAL lock_timeout = '100ms'")
"""A process that waited longer for others' locks would renew its own lease too late."""


LEASE_HELD = select(Lease.name).where(Lease.name == bindparam("claimer")).with_for_update(read=True, key_share=True)
"""The lease of this process, `claimer`, which it keeps until the commit; no row where it was ended."""


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


def begin(store: Store, holder: str, length: timedelta) -> None:
    """Take a lease for this process, and claim under its name from now on."""
    name = new_token()
    with store.transaction() as session:
        session.execute(insert(Lease).values(name=name, holder=holder, until=func.clock_timestamp() + length))
    store.claimer = name


def renew(store: Store, length: timedelta) -> bool:
    """Prolong this process's lease, so long from now; False where it was ended."""
    until = func.clock_timestamp() + length
    with store.transaction() as session:
        renewed = update(Lease).where(Lease.name == store.claimer).values(until=until).returning(Lease.name)
        return session.scalar(renewed, execution_options={"synchronize_session": False}) is not None


def end(store: Store) -> None:
    """End this process's lease: what it has claimed may be claimed by any other at once."""
    name, store.claimer = store.claimer, ""
    with store.transaction() as session:
        _end(session, [name])


def end_those_over(store: Store) -> int:
    """End the leases that are over, and give back what was claimed under them; gives how many there were.

    Raises a passing error where what was claimed is locked: by a process that stands still in a transaction, for some seconds.
    """
    over = select(Lease.name).where(Lease.until < func.clock_timestamp())
    with store.transaction() as session:
        session.execute(_PATIENCE)
        names = session.scalars(over.with_for_update(skip_locked=True)).all()
        if names:
            _end(session, names)
    return len(names)


def may_be_claimed(claimed_by: Any) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Conditions of a claim: no other process has the row; this one, `claimer`, has a lease, which it keeps until the commit."""
    claimer: BindParameter[str] = bindparam("claimer")
    mine = LEASE_HELD.cte("mine")
    return or_(claimed_by.is_(None), claimed_by == claimer), exists(select(mine.c.name))


def _end(session: Session, names: Sequence[str]) -> None:
    for ended in (
        delete(Lease).where(Lease.name.in_(names)),
        update(Letter).where(text(f"letters.{UNSENT}"), Letter.claimed_by.in_(names)).values(claimed_by=None),
        update(Inbound).where(text(f"inbound.{NEW}"), Inbound.claimed_by.in_(names)).values(claimed_by=None),
    ):
        session.execute(ended, execution_options={"synchronize_session": False})
