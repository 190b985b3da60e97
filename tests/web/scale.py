"""What public pages cost with many episodes. `python -m tests.web.scale` fills a store and prints milliseconds and queries.

Of each game one episode that is over and one that runs are played; all the others are copies of these two, of contestants of
their own, each with mails and letters.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, event, text

from host.games import GAMES
from host.store.database import Store
from host.web.pages import Web
from host.web.public.paths import document_at
from tests.games.playouts import playout
from tests.store.test_plans import FIRST_ROW, fill
from tests.web.stored import NOW, store_episode, web_in

OVER, RUNNING = 3, 4
ENDED_OF_TEN = 9
ROUNDS = 5


def build(web: Web, episodes: int, mails_each: int = 2) -> None:
    """That many episodes of all games together."""
    each = episodes // len(GAMES)
    for at, (slug, game) in enumerate(GAMES.items()):
        store_episode(web, playout(slug, OVER))
        running = playout(slug, RUNNING)
        store_episode(web, running, len(running.steps) // 2)
        first = FIRST_ROW * (at + 1)
        with web.services.store.engine.begin() as connection:
            fill(connection, slug, first, each, ENDED_OF_TEN)
            for code, is_over in ((f"{game.code}-1", True), (f"{game.code}-2", False)):
                _copy(connection, code, first, each, is_over)
            _more_mails(connection, first, each, mails_each - 2)
            _run(connection, f"UPDATE episodes SET code = '{game.code}-' || id WHERE id >= {first}")
            _add_up(connection, slug, first, each)


def _run(connection: Connection, statement: str) -> Any:
    return connection.execute(text(statement))


def _copy(connection: Connection, code: str, first: int, count: int, is_over: bool) -> None:
    """Make filled episodes copies of a played one."""
    which = f"BETWEEN {first} AND {first + count - 1}"
    ended = "IS NOT NULL" if is_over else "IS NULL"
    (played,) = _run(connection, f"SELECT id FROM episodes WHERE code = '{code}'").one()
    copied = f"SELECT id FROM episodes WHERE id {which} AND over_at {ended}"
    same = ", ".join(
        f"{name} = (SELECT {name} FROM episodes WHERE id = {played})"
        for name in ("state", "options", "seed", "rules_version")
    )
    _run(connection, f"UPDATE episodes SET {same} WHERE id IN ({copied})")
    for table in ("seats", "record_lines", "happenings"):
        _run(connection, f"DELETE FROM {table} WHERE episode_id IN ({copied})")
    person = f"{first} + (copy.id * 7 + played.seat * 13) % {count}"
    for table, columns, values in (
        (
            "seats",
            "seat, contestant_id, name, told, thread, won, winnings",
            f"played.seat, {person}, played.name, 0, '', played.won, played.winnings",
        ),
        ("record_lines", "line, text, at", "played.line, played.text, played.at"),
        ("happenings", "number, event", "played.number, played.event"),
    ):
        _run(
            connection,
            f"INSERT INTO {table} (episode_id, {columns}) SELECT copy.id, {values} FROM episodes copy, {table} played "
            f"WHERE copy.id IN ({copied}) AND played.episode_id = {played}",
        )


def _more_mails(connection: Connection, first: int, count: int, more: int) -> None:
    """Letters of the same episodes; SQLite only."""
    if more <= 0:
        return
    _run(connection, "CREATE TEMPORARY TABLE more (m integer)")
    _run(connection, "INSERT INTO more VALUES " + ", ".join(f"({at})" for at in range(1, more + 1)))
    names = (
        "kind, purpose, address, contestant_id, episode_id, game, subject, packed, answers_id, created_at, "
        "state, attempts, try_at, sent_at, response"
    )
    _run(
        connection,
        f"INSERT INTO letters (id, token, {names}) SELECT id + m * 100000000, 'm' || m || 't' || id, {names} FROM letters, more "
        f"WHERE id BETWEEN {first} AND {first + count - 1}",
    )
    _run(connection, "DROP TABLE more")


def _add_up(connection: Connection, slug: str, first: int, count: int) -> None:
    running = count - count * ENDED_OF_TEN // 10
    _run(connection, f"UPDATE lobbies SET episodes = {count + 2}, running = {running + 1} WHERE game = '{slug}'")
    insert = "INSERT INTO standings (game, season, contestant_id, episodes, wins, winnings)"
    for game, season in ((slug, 0), ("", 0), ("", NOW.year)):
        _run(
            connection,
            f"{insert} SELECT '{game}', {season}, id, 5, id % 7, id % 9000 FROM contestants "
            f"WHERE id BETWEEN {first} AND {first + count - 1}",
        )


def paths() -> list[str]:
    """Public pages of every kind, late pages of lists too."""
    found = ["/", "/feed.xml", "/champions/", "/standings/", "/ledger/", f"/ledger/{NOW.year}/page-3/"]
    for slug, game in GAMES.items():
        found += [f"/games/{slug}/", f"/games/{slug}/page-2/", f"/champions/{slug}/", f"/champions/{slug}/page-2/"]
        found += [f"/standings/{slug}/", f"/standings/{slug}/page-2/", f"/games/{slug}/rules/", f"/how-to-play/{slug}/"]
        for code in (f"{game.code}-1", f"{game.code}-2"):
            found += [f"/episodes/{code}/", f"/episodes/{code}/preview.png"]
        found += [f"/episodes/{game.code}-1/{rest}" for rest in ("replay/", "replay/open/", "record.jsonl")]
    return [*found, "/how-to-play/", "/verify/", "/record-format/"]


@contextmanager
def counted(store: Store) -> Iterator[list[str]]:
    """The statements that are executed meanwhile, each time."""
    found: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        found.append(statement)

    event.listen(store.engine, "before_cursor_execute", note)
    yield found
    event.remove(store.engine, "before_cursor_execute", note)


def main() -> None:
    """Fill, look, print; the slowest last."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--episodes", type=int, default=10_000)
    parser.add_argument("--mails", type=int, default=10, help="of each episode")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        web = web_in(Path(folder))
        began = time.perf_counter()
        build(web, arguments.episodes, arguments.mails)
        print(f"filled in {time.perf_counter() - began:.0f} s")  # noqa: T201 - it is for a terminal
        rows = []
        for path in paths():
            times = []
            for _ in range(ROUNDS):
                with counted(web.services.store) as statements:
                    began = time.perf_counter()
                    size = len(document_at(web, path).body)
                    times.append((time.perf_counter() - began) * 1000)
            rows.append((sorted(times)[ROUNDS // 2], times[0], len(statements), size, path))
        for median, first, queries, size, path in sorted(rows):
            print(f"{median:7.1f} ms ({first:6.1f} at first) {queries:3} queries {size:7} bytes {path}")  # noqa: T201
        web.services.store.close()


if __name__ == "__main__":
    main()
