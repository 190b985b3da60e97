"""A runtime over a store, without servers."""

from datetime import UTC, datetime

from host.config import Config
from host.daemon.main import steady
from host.daemon.runtime import Runtime
from host.store.database import Store
from host.table.work import Services

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def runtime_of(store: Store) -> Runtime:
    place = {"host": "127.0.0.1", "security": "none"}
    data = {"host": {"address": "games@example.org"}, "imap": place | {"username": "x"}, "smtp": place}
    return Runtime(Services(Config.model_validate(data), store), lambda: NOW, steady)
