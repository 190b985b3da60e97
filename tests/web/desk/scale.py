"""What the desk costs with many episodes. `python -m tests.web.desk.scale` fills a store and prints milliseconds and queries."""

import argparse
import tempfile
import time
from pathlib import Path

from sqlalchemy import Connection, text
from starlette.testclient import TestClient

from host.games import GAMES
from host.table.work import begin
from host.turn import login
from host.web.app import web_app
from host.web.pages import Web
from tests.web.scale import ROUNDS, build, counted
from tests.web.stored import web_in

ORIGIN = "http://127.0.0.1:8025"
PAGES = (
    "",
    "episodes/",
    "episodes/?before=2000000",
    "contestants/",
    "contestants/?who=More",
    "contestants/?who=more@example.net",
    "contestants/1/",
    "season/",
    "queues/",
    "ledger/",
    "bank/",
    "mail/",
    "mail/?way=out",
    "mail/?way=out&before=3000000",
    "mail/?who=CC-1",
    "health/",
    "log/",
    *(f"episodes/{game.code}-{number}/" for game in GAMES.values() for number in (1, 2)),
)


def browser(web: Web) -> TestClient:
    """Logged in."""
    with begin(web.services, web.clock()) as work:
        link = login.make_link(work)
    client = TestClient(web_app(web), base_url=ORIGIN, headers={"origin": ORIGIN})
    assert client.post(f"/desk/login/{link.rstrip('/').rpartition('/')[2]}/").status_code == 200
    return client


def more_of_all(connection: Connection) -> None:
    """Episodes that have something for the operator: words, failures, bounces, questions to the host."""
    for statement in (
        "UPDATE letters SET purpose = 'host', about_id = contestant_id, packed = NULL "
        "WHERE id % 97 = 0 AND contestant_id IS NOT NULL",
        "UPDATE letters SET state = 'failed' WHERE id % 89 = 0",
        "UPDATE letters SET host_question = 'ask' WHERE id % 83 = 0",
        "UPDATE inbound SET state = 'quarantined' WHERE id % 79 = 0",
        "UPDATE contestants SET bounced_at = wrote_at WHERE id % 73 = 0",
    ):
        connection.execute(text(statement))


def main() -> None:
    """Fill, look, print; the slowest last."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--episodes", type=int, default=10_000)
    parser.add_argument("--mails", type=int, default=10, help="of each episode")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        web = web_in(Path(folder), web={"url": ""})
        build(web, arguments.episodes, arguments.mails)
        with web.services.store.engine.begin() as connection:
            more_of_all(connection)
        client = browser(web)
        rows = []
        for path in PAGES:
            times = []
            for _ in range(ROUNDS):
                with counted(web.services.store) as statements:
                    began = time.perf_counter()
                    answer = client.get(f"/desk/{path}")
                    times.append((time.perf_counter() - began) * 1000)
                assert answer.status_code == 200, path
            rows.append((sorted(times)[ROUNDS // 2], times[0], len(statements), len(answer.text), path))
        for median, first, queries, size, path in sorted(rows):
            print(f"{median:7.1f} ms ({first:6.1f} at first) {queries:3} queries {size:7} bytes /desk/{path}")  # noqa: T201
        web.services.store.close()


if __name__ == "__main__":
    main()
