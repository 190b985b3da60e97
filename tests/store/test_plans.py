"""That nothing costs more as it grows: every statement of real play finds its rows by an index, on both databases."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event

from host.club import lobby
from host.demo.robot import write
from host.store import queues
from host.store.database import Store
from host.store.health import vital_signs
from host.table import clocks
from host.table.work import Work
from host.turn import admin, expire, interruptions, question_bank, reports
from tests.club.test_calls import played, week_before
from tests.size import size
from tests.store.counting import steps_on_sqlite
from tests.store.server import claiming
from tests.turn.desk import ADDRESS, Desk
from tests.turn.test_bounces import bounce

from .test_postgresql import database, play

__all__ = ["database"]

ANN, BOB, CLEO = "ann@example.net", "bob@example.net", "cleo@example.net"
GROWING = frozenset(
    "contestants addresses registrations episodes seats record_lines decks happenings questions letters asks inbound held "
    "ledger audit kept bank_entries bank_uses standings reigns".split()
)
MAY_SCAN = {
    r"FROM (audit|episodes|inbound|letters|contestants|ledger)\b[^?]*ORDER BY \w+.id DESC\s+LIMIT": "the latest of all, found at "
    "the end of the table",
    r"FROM bank_entries\s+WHERE bank_entries.game = \S+ ORDER BY bank_entries.id DESC\s+LIMIT": "a page of the bank",
    r"FROM lobbies LEFT OUTER JOIN contestants": "a row for each game",
    r"FROM seasons\b": "a row for each season",
    r"FROM season_episodes LEFT OUTER JOIN chains": "an episode's own row; chains are a few for each season",
    r"FROM registrations JOIN contestants .*ORDER BY registrations.queued_at, registrations.id$": "podium queue",
    r"FROM bank_entries\s+WHERE bank_entries.game = \S+ ORDER BY bank_entries.id DESC$": "podium questions list shows all of it",
    "SELECT bank_entries.ask": "podium questions import compares with the whole bank",
    "UPDATE questions SET due_at=": "a long outage, or a clock that jumped, moves every open deadline",
}
"""Expressions for the statements that may look at every row, and why."""

Statements = dict[str, Any]


@contextmanager
def noted(store: Store) -> Iterator[Statements]:
    """The statements that are executed meanwhile, with the parameters of the first time."""
    found: Statements = {}

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, many: bool) -> None:
        if statement.startswith(("SELECT", "UPDATE", "DELETE", "WITH")):
            found.setdefault(statement, parameters[0] if many else parameters)

    event.listen(store.engine, "before_cursor_execute", note)
    yield found
    event.remove(store.engine, "before_cursor_execute", note)


def real_play(desk: Desk) -> None:
    """An episode, a second one with everything that goes wrong, and what the host looks at and does."""
    desk.begin()
    play(desk, (ANN, BOB))
    desk.register(CLEO, "Cleo Fox")
    for words in ("status", "help", "leave", "host hello", "nonsense"):
        desk.answer(CLEO, words)
    desk.register(CLEO, "Cleo Fox")
    desk.register(ANN, "Ann Lee")
    desk.tick()
    desk.later(hours=4)
    desk.answer(desk.sent[-1][0], "bet 5", sender="else@example.net")
    desk.deliver(write(BOB, "Bob", ADDRESS, "hello", "bet 5"))
    bounce(desk, desk.last(BOB), BOB)
    clocks.keep_time(desk.services, desk.now, 1000.0, "boot")
    desk.later(hours=40)
    clocks.keep_time(desk.services, desk.now, 1001.0, "boot")
    for _ in range(3):
        desk.tick()
        desk.later(hours=30)
        desk.see_again()
        clocks.start_overdue_clocks(desk.services, desk.now)
    desk.tick()


def host_at_work(desk: Desk) -> None:
    """What the daemon asks besides, and what the host looks at and does by hand."""
    store, now = desk.store, desk.now
    expire.is_due(desk.services, now)
    expire.waits_for_mailbox(desk.services, now)
    queues.allowance(store, now, 5, 5000)
    queues.claim_letters(store, now, 5, is_short=True)
    queues.has_letters(store, now)
    queues.forget_mails(store, now)
    queues.forget_letters(store, now)
    interruptions.pause_changed_games(desk.services, now)
    with store.reading() as session:
        vital_signs(session, now, ["INBOX"])
        reports.status(session, desk.services.config, desk.now)
        reports.queue(session, desk.game.slug)
        reports.episode(session, f"{desk.game.code}-1", True)
        for wanted in (f"{desk.game.code}-1", ANN, "somebody@example.com", ""):
            reports.mails(session, wanted)
    with store.transaction() as session:
        for command in (admin.pause, admin.resume):
            command(Work(session, desk.services, now), f"{desk.game.code}-2")
        admin.resend(Work(session, desk.services, now), f"{desk.game.code}-2", "")
        admin.extend(Work(session, desk.services, now), f"{desk.game.code}-2", "", timedelta(hours=1))
        for name in ("Ann", "Bob"):  # whoever of them is champion would play in two episodes
            with suppress(admin.AdminError):
                admin.withdraw(Work(session, desk.services, now), f"{desk.game.code}-2", name)
        admin.back(Work(session, desk.services, now), f"{desk.game.code}-1", 1)
    desk.send()


FILL = {
    "contestants (id, address, name, nickname, hometown, called, created_at, wrote_at)": (
        "n, n || '@example.com', 'Ann', '', '', 'Player ' || n, {at}, {at}"
    ),
    "addresses (address, contestant_id, confirmed_at)": "n || '@example.org', n, {at}",
    "registrations (id, contestant_id, game, state, created_at, queued_at)": "n, n, '{game}', 'waiting', {at}, {at}",
    "episodes (id, code, game, rules_version, options, seed, commitment, state, began_at, over_at, champion_wins_before, "
    "version)": ("n, 'X-' || n, '{game}', 1, '{{}}', {bytes}, '', '{{}}', {at}, {ended}, 0, 1"),
    "seats (episode_id, seat, contestant_id, name, told, thread)": "n, 0, n, 'Ann', 0, ''",
    "record_lines (episode_id, line, text, at)": "n, 2, '', {at}",
    "decks (episode_id, label, cards)": "n, 'deck', '[]'",
    "happenings (episode_id, number, event)": "n, 1, '{{}}'",
    "questions (id, purpose, contestant_id, episode_id, game, seat, key, phase, opened_at, asked_at, within, due_at, "
    "remind, remind_at, was_stopped, closed_at, outcome)": (
        "n, 'game', n, n, '{game}', 0, 'turn', 'turn', {at}, {at}, 60, {later}, '[]', {later}, {no}, {ended}, ''"
    ),
    "inbound (id, mailbox, uidvalidity, uid, arrived_at, fetched_at, raw, size, state, content_key, sender, "
    "contestant_id, episode_id, lines, note, ordering_key)": (
        "n, 'INBOX', 0, n, {at}, {at}, NULL, 1, 'played', 'key ' || n, n || '@example.com', n, n, '[]', '', ''"
    ),
    "letters (id, token, kind, purpose, address, contestant_id, episode_id, game, subject, packed, "
    "answers_id, created_at, state, attempts, try_at, sent_at, response)": (
        "n, 't' || n, 'turn', 'game', n || '@example.com', n, n, '{game}', '', {bytes}, n, {at}, 'sent', 1, {at}, "
        "{at}, ''"
    ),
    "asks (letter_id, question_id)": "n, n",
    "held (inbound_id, question_id, letter_id)": "n, n, n",
    "ledger (id, contestant_id, episode_id, account, amount, at, note)": "n, n, n, 'bank', 1, {at}, ''",
    "audit (id, at, who, command, episode)": "n, {at}, 'host', '', 'X-' || n",
    "kept (id, episode_id, seat, letter_id, inbound_id, text, scope, state, note, is_told, at)": (
        "n, n, 0, n, n, '', '', 'played', '', {yes}, {at}"
    ),
    "bank_entries (id, game, ask, answers, at)": "n, '{game}', 'ask ' || n, '[]', {at}",
    "bank_uses (entry_id, episode_id)": "n, n",
    "standings (game, season, contestant_id, episodes, wins, winnings)": "'{game}', 2026, n, 1, n % 7, n",
    "reigns (id, game, contestant_id, began_at, ended_at, wins)": "n, '{game}', n, {at}, {at}, 1",
}
"""For each table that grows: its columns, and their values in row `n`."""
FIRST_ROW = 1_000_000


def fill(connection: Connection, game: str, first: int, count: int, ended_of_ten: int = 0) -> None:
    """That many episodes, with a contestant, a question, a mail and a letter each, all sent; some of ten have ended.

    Also as many who wait in the queue of the game.
    """
    sqlite = {"bytes": "x'00'", "yes": "1", "no": "0"}
    postgresql = {"bytes": "'\\x00'::bytea", "yes": "true", "no": "false"}
    is_sqlite = connection.dialect.name == "sqlite"
    words = sqlite if is_sqlite else postgresql
    moments = (
        (
            "strftime('%Y-%m-%d %H:%M:%S.000000', '2026-11-01', (n % 1000000) || ' seconds')",
            "'2099-01-01 00:00:00.000000'",
        )
        if is_sqlite
        else ("timestamptz '2026-11-01Z' + n % 1000000 * interval '1 second'", "timestamptz '2099-01-01Z'")
    )
    ended = f"CASE WHEN n % 10 < {ended_of_ten} THEN {moments[0]} END"
    words |= {"at": moments[0], "later": moments[1], "ended": ended}
    rows = f"WITH RECURSIVE numbers(n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM numbers WHERE n < {first + count - 1})"
    connection.exec_driver_sql("CREATE TEMPORARY TABLE numbers (n integer)")
    connection.exec_driver_sql(f"INSERT INTO numbers {rows} SELECT n FROM numbers")
    for table, values in FILL.items():
        statement = f"INSERT INTO {table} SELECT {values.format(game=game, **words)} FROM numbers"
        connection.exec_driver_sql(statement if is_sqlite else statement.replace("%", "%%"), () if is_sqlite else {})
    connection.exec_driver_sql("DROP TABLE numbers")


def scans_on_sqlite(connection: Connection, statement: str, parameters: Any) -> list[str]:
    """The steps of a plan that read a whole table that grows, or a whole index that does."""
    partial = {
        name
        for (name,) in connection.exec_driver_sql(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '% WHERE %' AND name NOT LIKE 'ix_questions%'"
        )
    }
    steps = [str(step[3]) for step in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)]
    found = [(step, re.match(r"SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?", step)) for step in steps]
    return [
        step
        for step, scan in found
        if scan and re.sub(r"_\d+$", "", scan[1]) in GROWING and (scan[2] or "") not in partial
    ]


def scans_on_postgresql(connection: Connection, statement: str, parameters: Any) -> list[str]:
    """The tables that grow which a plan reads from their beginning, though that is forbidden where there is another way."""
    explained = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", parameters).scalar_one()
    plan = json.loads(explained) if isinstance(explained, str) else explained

    def walk(node: dict[str, Any]) -> Iterator[str]:
        whole_index = node["Node Type"].startswith("Index") and "Index Cond" not in node
        if node["Node Type"] == "Seq Scan" and node["Relation Name"] in GROWING:
            yield f"Seq Scan on {node['Relation Name']}"
        if whole_index and node["Index Name"].startswith(("pk_", "uq_")):
            yield f"all of {node['Index Name']}"
        for each in node.get("Plans", ()):
            yield from walk(each)

    return list(walk(plan[0]["Plan"]))


def scanned(store: Store, statements: Statements) -> list[str]:
    """The statements that read whole tables that grow, those that may aside."""
    look = scans_on_sqlite if store.file else scans_on_postgresql
    found: list[str] = []
    with store.engine.connect() as connection:
        if not store.file:
            connection.exec_driver_sql("SET enable_seqscan = off")
        for statement, parameters in statements.items():
            bad = look(connection, statement, parameters)
            if bad and not any(re.search(piece, statement, re.S) for piece in MAY_SCAN):
                found.append(f"{', '.join(bad)}: {statement}")
    return found


def check_plans(desk: Desk) -> None:
    with noted(desk.store) as statements:
        if desk.game.bank:
            with desk.store.transaction() as session:
                question_bank.add_entries(
                    Work(session, desk.services, desk.now), desk.game, question_bank.starter(desk.game)
                )
            desk.begin()
            question_bank.wake_all(desk.services, desk.game, desk.now)
            with desk.store.transaction() as session:
                question_bank.listing(session, desk.game)
        else:
            real_play(desk)
            host_at_work(desk)
    assert len(statements) > (30 if desk.game.bank else 120)
    with desk.store.engine.begin() as connection:
        fill(connection, desk.game.slug, FIRST_ROW, 3000, ended_of_ten=9)
        connection.exec_driver_sql("ANALYZE")
    found = scanned(desk.store, statements)
    assert not found, "\n\n".join(found)


@pytest.mark.parametrize("game", size(["split-decision"], ["champ-cards", "split-decision"]))
def test_no_statement_of_real_play_reads_a_whole_table_on_sqlite(game: str, tmp_path: Path) -> None:
    desk = Desk(tmp_path, game=game)
    check_plans(desk)
    desk.store.close()


@pytest.mark.storm
@pytest.mark.postgresql
@pytest.mark.parametrize("game", ["champ-cards", "split-decision"])
def test_no_statement_of_real_play_reads_a_whole_table_on_postgresql(
    game: str, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.turn.desk.open_store", lambda _url: claiming(database))
    desk = Desk(tmp_path, game=game)
    check_plans(desk)
    desk.store.close()


@pytest.mark.storm
def test_no_statement_of_a_calendar_reads_a_whole_table(tmp_path: Path) -> None:
    desk = played(lambda **changes: Desk(tmp_path, **changes), tables=3)
    with noted(desk.store) as statements:
        week_before(desk)
        for address in (ANN, CLEO):
            desk.answer(address, "yes")
        desk.register("dov@example.net", "Dov Orr")
        desk.later(days=7)
        for address in (ANN, BOB, CLEO, "dov@example.net"):
            desk.answer(address, "status")
        desk.tick()
    assert [each for each in statements if "max(episodes.over_at)" in each], "who is called"
    assert [each for each in statements if "seats AS seats_2" in each], "who has met whom"
    with desk.store.engine.begin() as connection:
        fill(connection, desk.game.slug, FIRST_ROW, 3000, ended_of_ten=9)
        connection.exec_driver_sql("ANALYZE")
    found = scanned(desk.store, statements)
    assert not found, "\n\n".join(found)
    desk.store.close()


def steps(desk: Desk) -> int:
    """What a registration, a mail, a tick and a look at the health cost SQLite."""

    def work() -> None:
        desk.register(f"new{desk.now.timestamp():.0f}@example.net", "Zoe Zed")
        desk.answer(ANN, "status")
        desk.deliver(write(BOB, "Ann", ADDRESS, "hello", "help"))
        desk.later(seconds=1)
        desk.tick()
        with desk.store.reading() as session:
            vital_signs(session, desk.now, ["INBOX"])

    return steps_on_sqlite(desk.store, work)


def test_ten_times_the_episodes_and_the_queue_cost_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "FARTHEST_PLACE", 100)
    monkeypatch.setattr("host.store.health.COUNTED", 100)
    desk = Desk(tmp_path)
    desk.begin()
    desk.deliver(write(CLEO, "Cleo", ADDRESS, "hello", "help"))
    with desk.store.transaction() as session:
        fill(session.connection(), desk.game.slug, FIRST_ROW, 500)
    steps(desk)
    few = steps(desk)
    with desk.store.transaction() as session:
        fill(session.connection(), desk.game.slug, 2 * FIRST_ROW, 4500)
    many = steps(desk)
    assert few > 1000
    assert many <= few * 1.2
    desk.store.close()
