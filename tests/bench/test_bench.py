"""The benchmark itself: every contender answers twenty mails; a filled store is one that the daemon can serve."""

import contextlib
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

import bench.__main__
from bench import instructions, measure, peer, servers, table
from bench.contenders import NAMES
from bench.fill import asked, fill, make_template, new_token
from bench.replies import replies
from host.mail.inbound.reply import open_mail
from tests.mail.inbound.typed import typed_in
from tests.size import size
from tests.wire.world import a_short_folder

MAILS = 20
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
OURS = [
    pytest.param(name, marks=pytest.mark.salmon) if name in measure.SALMON else name
    for name in size(["podium"], NAMES)
    if name not in ("clicked", "postgresql", "pair")
]


@pytest.fixture(scope="module")
def ground() -> Iterator[measure.Ground]:
    with a_short_folder() as folder, servers.running(folder, wants_postgresql=False) as those:
        yield measure.prepare(those, MAILS, datetime.now(UTC))


@pytest.mark.storm
@pytest.mark.dovecot
@pytest.mark.parametrize("name", OURS)
def test_a_contender_works_off_a_backlog(ground: measure.Ground, name: str) -> None:
    figures = measure.backlog(name, ground, ground.replies)
    assert figures["letters_s"] == pytest.approx(figures["mails_s"] * measure.letters_a_mail(name))
    assert figures["cpu_ms"] > 0
    assert figures["memory_mib"] > 5
    assert figures["letter_bytes"] == pytest.approx(11_000, rel=0.15)


@pytest.mark.storm
@pytest.mark.dovecot
def test_answers_are_timed_one_by_one(ground: measure.Ground) -> None:
    seconds = measure.latency("floor", ground, ground.replies[: measure.WARMING + 3])
    assert len(seconds) == 3
    assert all(0 < each < measure.ANSWER_PATIENCE for each in seconds)


@pytest.mark.storm
@pytest.mark.dovecot
@pytest.mark.salmon
def test_the_peer_answers_who_wrote_and_keeps_the_mail(ground: measure.Ground) -> None:
    seconds = measure.latency("salmon", ground, ground.replies[: measure.WARMING + 2])
    assert len(seconds) == 2
    assert all(0 < each < measure.ANSWER_PATIENCE for each in seconds)
    with contextlib.closing(sqlite3.connect(ground.folder / "salmon.db")) as database:
        rows = database.execute("SELECT sender, subject, lines, raw FROM mails ORDER BY id").fetchall()
    assert len(rows) == measure.WARMING + 2
    for (sender, subject, lines, raw), reply in zip(rows, ground.replies, strict=False):
        assert reply.sender in sender
        assert "Champ Cards" in subject
        assert "keep" in lines
        assert reply.message_id.encode() in raw


@pytest.mark.storm
@pytest.mark.dovecot
@pytest.mark.valgrind
def test_instructions_of_a_mail_are_counted_and_the_start_is_not(
    ground: measure.Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(instructions, "SETTLE", 0.5)
    figures = instructions.a_mail("floor", ground, few=2, many=8)
    assert 3 < figures["millions"] < 15, "its start takes 250"


def test_a_process_that_does_not_say_what_it_took_is_an_error(tmp_path: Path) -> None:
    log = tmp_path / "1234"
    log.write_text("==1234== Command: python\n==1234== \n==1234== I   refs:      1,722,370,332\n")
    assert instructions.counted(log) == 1_722_370_332
    log.write_text("==1234== Command: python\n")
    with pytest.raises(RuntimeError, match="python"):
        instructions.counted(log)


def test_without_valgrind_one_sentence_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(instructions, "PROGRAM", "a-program-that-is-not-there")
    bench.__main__.main(["instructions"])
    assert "apt-get install valgrind" in capsys.readouterr().out


def test_the_peer_is_made_once_and_anew_after_a_change_of_its_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    monkeypatch.setattr(peer, "FOLDER", tmp_path / "salmon")
    monkeypatch.setattr(peer, "LOCK", tmp_path / "lock")
    monkeypatch.setattr(peer, "_make", lambda: made.append(peer.LOCK.read_text()))
    for lock in ("one", "one", "two", "two"):
        peer.LOCK.write_text(lock)
        peer.python()
    assert made == ["one", "two"]


def test_a_peer_that_cannot_be_installed_is_told_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peer, "FOLDER", tmp_path / "salmon")
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(SystemExit, match="salmon-mail could not be installed"):
        bench.__main__.main(["backlog", "--contenders", "salmon"])
    assert not (tmp_path / "salmon" / "made-from").exists()


@pytest.mark.storm
@pytest.mark.dovecot
@pytest.mark.postgresql
def test_the_daemon_works_off_a_backlog_on_postgresql() -> None:
    with a_short_folder() as folder, servers.running(folder, wants_postgresql=True) as those:
        made = measure.prepare(those, MAILS, datetime.now(UTC))
        assert measure.backlog("pair", made, made.replies)["mails_s"] > 0
        figures = measure.backlog("postgresql", made, made.replies)
    assert figures["mails_s"] > 0
    assert figures["server_cpu_ms"] > 0


def test_a_filled_store_is_whole(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'filled.db'}"
    template = make_template(tmp_path, 5, NOW)
    fill(template, url, 50, 10)
    with contextlib.closing(sqlite3.connect(tmp_path / "filled.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        assert database.execute("SELECT count(*), count(DISTINCT code) FROM episodes").fetchone() == (50, 50)
        assert database.execute("SELECT episodes FROM lobbies").fetchone() == (50,)
        assert database.execute("SELECT count(*) FROM letters WHERE state <> 'sent'").fetchone() == (0,)
        indexes = "SELECT name FROM sqlite_master WHERE type = 'index'"
        kept = set(database.execute(indexes).fetchall())
    with contextlib.closing(sqlite3.connect(template)) as database:
        assert kept == set(database.execute(indexes).fetchall())
    people = asked(url, 100)
    assert 8 <= len(people) <= 20
    assert len({each.address for each in people}) == len(people)


def test_replies_say_one_command_to_the_letter_that_asks(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'filled.db'}"
    fill(make_template(tmp_path, 2, NOW), url, 4, 4)
    people = asked(url, 4)
    for person, reply in zip(people, replies(people), strict=True):
        mail = open_mail(reply.raw)
        assert mail.sender == person.address
        assert mail.tokens[0].encode() in person.letter.replace(b"=\r\n", b"")
        assert typed_in(mail, []).lines[:1] == ("keep",)


def test_tokens_of_copies_are_tokens_and_differ() -> None:
    made = {new_token("a" * 26, copy) for copy in range(40_000)}
    assert len(made) == 40_000
    assert all(len(each) == 26 and set(each) <= set("abcdefghijklmnopqrstuvwxyz234567") for each in made)


def test_ratios_compare_the_same_round() -> None:
    rounds = {"podium": [{"letters_s": 10.0}, {"letters_s": 30.0}], "floor": [{"letters_s": 20.0}, {"letters_s": 20.0}]}
    assert table.ratios(rounds, "podium", "letters_s") == [0.5, 1.5]
    assert table.spread([3.0, 1.0, 2.0], "{:.0f}") == "2 [1–3]"
    figures = table.latency_figures([0.6, 0.7, 0.8], 0.5)
    assert figures["p50_less_push_ms"] == pytest.approx(200)
    assert figures["p99_ms"] == pytest.approx(800)


def test_all_that_was_measured_is_one_table() -> None:
    def volume(letters: float) -> dict[str, float]:
        return {"letters_s": letters, "mails_s": letters / 2, "cpu_ms": 4.0, "memory_mib": 100.0}

    results = {
        "push_ms": [500.0],
        "backlog": {
            "podium": [volume(200.0), volume(300.0)],
            "floor": [volume(400.0), volume(400.0)],
            "salmon": [volume(100.0), volume(100.0)],
        },
        "instructions": {"podium": [{"millions": 26.5}], "floor": [{"millions": 5.3}]},
        "stages": {"fetch": 0.5, "play": 2.0},
    }
    shown = table.markdown(results, ["podium", "postgresql", "floor", "salmon"], "podium")
    lines = shown.splitlines()
    assert lines[:2] == ["|  | `podium` | `floor` | `salmon` |", "| --- | --- | --- | --- |"]
    at = lines.index("| backlog: letters a second | 250 [200–300] | 400 [400–400] | 100 [100–100] |")
    assert lines[at + 1] == "| … to the floor's | 0.62 [0.50–0.75] |  | 0.25 [0.25–0.25] |"
    assert lines[at + 2] == "| … to `salmon`'s | 2.50 [2.00–3.00] | 4.00 [4.00–4.00] |  |"
    at = lines.index("| instructions: millions a mail | 26.50 | 5.30 |  |")
    assert lines[at + 1] == "| … to the floor's | 5.00 |  |  |"
    assert lines[-1] == "| stages: all, CPU ms a mail | 2.50 |  |  |"
    assert "PostgreSQL" not in shown
    assert {line.count("|") for line in lines} == {5}


def test_stages_alone_are_a_table() -> None:
    assert table.markdown({"stages": {"play": 2.0}}, ["podium", "floor"], "postgresql").splitlines() == [
        "|  | `postgresql` |",
        "| --- | --- |",
        "| stages: play, CPU ms a mail | 2.00 |",
        "| stages: all, CPU ms a mail | 2.00 |",
    ]
