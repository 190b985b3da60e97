"""No page of the desk asks more as mails grow: its queries are few, and each finds its rows by an index, on both databases."""

from collections.abc import Iterator

import pytest

from host.web.pages import Web
from tests.store.server import server
from tests.store.test_plans import noted, scanned
from tests.web.desk.scale import PAGES, browser, more_of_all
from tests.web.public.test_plans import EPISODES, many_people
from tests.web.scale import build, counted
from tests.web.stored import web_in, web_of

MOST_QUERIES = 30
"""The first page looks for twelve kinds of things; a list of queues asks four times for each game."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgresql, pytest.mark.storm])])
def web(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    is_sqlite = request.param == "sqlite"
    changes = {"web": {"url": ""}}
    found = web_in(tmp_path_factory.mktemp("plans"), **changes) if is_sqlite else web_of(server().fresh(), **changes)
    build(found, EPISODES)
    with found.services.store.engine.begin() as connection:
        many_people(connection)
        more_of_all(connection)
        connection.exec_driver_sql("ANALYZE")
        if not is_sqlite:  # with so few rows PostgreSQL would rather merge whole tables
            name = connection.engine.url.database
            connection.exec_driver_sql(f"ALTER DATABASE {name} SET enable_mergejoin = off")
    found.services.store.engine.dispose()
    yield found
    found.services.store.close()


def test_pages_ask_little_and_scan_nothing_that_grows(web: Web) -> None:
    client = browser(web)
    with noted(web.services.store) as statements:
        for path in PAGES:
            with counted(web.services.store) as asked:
                assert client.get(f"/desk/{path}").status_code == 200, path
            assert 0 < len([each for each in asked if each.startswith("SELECT")]) <= MOST_QUERIES, (path, asked)
    found = scanned(web.services.store, statements)
    assert not found, "\n\n".join(found)
