"""Edge: what processes on one PostgreSQL tell each other. In: a session; a store. Out: notices, told at the commit.

Triggers tell (`migrations`): whoever inserts mails or letters, or makes some due again, daemon, command line or desk. A
process tells nobody of what it works off itself (`does_itself`). A notice is `mails` or `letters` and says nothing more.

`overhear` gives what others tell, on a line of its own. Through a pooler that parts lines among transactions (pgbouncer)
nothing would be heard, and nobody told so: whoever listens first says something (`probe`) and waits to hear it.
"""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import event, func, select

from host.store.database import Session, Store

CHANNEL = "podium"


class Unheard(Exception):
    """What others tell does not come through now."""


def tell(session: Session, *notices: str) -> None:
    """Tell all who listen, as soon as this is committed."""
    for notice in notices:
        session.execute(select(func.pg_notify(CHANNEL, notice)))


def probe(store: Store, word: str) -> None:
    """Say a word that the one who listens waits for. Raises SQLAlchemy's errors (`host.store.database.is_passing`)."""
    with store.transaction() as session:
        tell(session, word)


def does_itself(store: Store, kinds: Collection[str]) -> None:
    """What this process writes of `mails` or `letters` it works off itself: from now on it tells nobody of it."""
    own = "".join(f" -c podium.{kind}=own" for kind in sorted(kinds))

    def add(_dialect: Any, _record: Any, _arguments: Any, named: dict[str, Any]) -> None:
        named["options"] = store.line["options"] + own  # `named` stays from line to line

    if store.file is None:
        event.listen(store.engine, "do_connect", add)
        store.engine.dispose()


@asynccontextmanager
async def overhear(store: Store) -> AsyncIterator[AsyncIterator[str]]:
    """What others tell from now on. Raises `Unheard` where the line cannot be had, or is lost."""
    import psycopg  # is there where PostgreSQL is used

    _, named = store.engine.dialect.create_connect_args(store.engine.url)
    try:
        async with await psycopg.AsyncConnection.connect(**{**named, **store.line}, autocommit=True) as line:
            await line.execute(f"LISTEN {CHANNEL}")
            yield (notice.payload async for notice in line.notifies())
    except psycopg.Error as error:
        raise Unheard(" ".join(str(error).split())[:160]) from error
