"""What a database does, in its own count."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import event

from host.store.database import Store


def steps_on_sqlite(store: Store, what: Callable[[], object]) -> int:
    """The steps of SQLite's virtual machine while something is done with a store."""
    count = 0

    def more() -> int:
        nonlocal count
        count += 1
        return 0

    def listen(connection: Any, *_: Any) -> None:
        connection.set_progress_handler(more, 1)

    event.listen(store.engine, "checkout", listen)
    what()
    event.remove(store.engine, "checkout", listen)
    with store.engine.connect() as connection:
        connection.connection.driver_connection.set_progress_handler(None, 1)  # type: ignore[union-attr]
    return count
