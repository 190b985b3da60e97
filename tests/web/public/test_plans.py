"""No public page asks more as episodes grow: its queries are few, and each finds its rows by an index, on both databases."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection

from host.store.database import Store
from host.web.pages import Web
from host.web.public.paths import document_at
from tests.store.server import server
from tests.store.test_plans import noted, scanned
from tests.web.scale import build, counted, paths
from tests.web.stored import web_in, web_of

EPISODES = 600
PEOPLE = 20_000
MOST_QUERIES = 9
MOST_ON_FRONT = 21
"""The first page asks three times for each game."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgresql, pytest.mark.storm])])
def web(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    is_sqlite = request.param == "sqlite"
    found = web_in(tmp_path_factory.mktemp("plans")) if is_sqlite else web_of(server().fresh())
    build(found, EPISODES)
    with found.services.store.engine.begin() as connection:
        many_people(connection)
        connection.exec_driver_sql("ANALYZE")
        if (
            not is_sqlite
        ):  # who was first here played in what is looked at: a merge of all that ends after them would do
            name = connection.engine.url.database
            connection.exec_driver_sql(f"ALTER DATABASE {name} SET enable_mergejoin = off")
    found.services.store.engine.dispose()
    yield found
    found.services.store.close()


def many_people(connection: Connection) -> None:
    """So that no plan takes all of them because they are few."""
    connection.exec_driver_sql(
        "INSERT INTO contestants (id, address, name, nickname, hometown, called, created_at, wrote_at) "
        f"WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < {PEOPLE}) "
        "SELECT 50000000 + n, 'more' || n, '', '', '', 'More ' || n, began_at, began_at FROM more, "
        "(SELECT began_at FROM episodes WHERE id = 1) AS moment"
    )


def test_pages_ask_little_and_scan_nothing_that_grows(web: Web) -> None:
    store: Store = web.services.store
    with noted(store) as statements:
        for path in paths():
            with counted(store) as asked:
                document_at(web, path)
            queries = [each for each in asked if each.startswith(("SELECT", "WITH"))]
            assert len(queries) + (path in ("/verify/", "/how-to-play/", "/record-format/")) > 0, path
            assert len(queries) <= (MOST_ON_FRONT if path == "/" else MOST_QUERIES), (path, queries)
    found = scanned(store, statements)
    assert not found, "\n\n".join(found)
