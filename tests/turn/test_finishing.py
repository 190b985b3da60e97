"""Letters finished by a second process are those finished here, and nothing depends on that process."""

import os
import pickle
import signal
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from host.games import GAMES
from host.mail.outbound.draft import Draft, Envelope, TableView
from host.turn import finishing
from host.turn.finishing import LONGEST_JOB, MAX_LETTER, TOGETHER, Finishing, FinishingProcess, finish_here
from host.turn.work import Services
from tests.patience import wait_until
from tests.turn.desk import Desk

DRAFT = Draft(kind="news", headline="Nothing new", lead=("All is well.",))
ENVELOPE = Envelope(
    token="0123456789abcdefghij",
    host_name="The host",
    address="games@example.org",
    plus=True,
    recipient="ann@example.net",
    topic="Champ Cards",
    code="CC-1",
    timezone="UTC",
    written_at=datetime(2026, 11, 23, tzinfo=UTC),
)


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> Iterator[FinishingProcess]:
    monkeypatch.setattr(finishing, "PATIENCE", 20.0)
    monkeypatch.setattr(finishing, "RESTED", 0.05)
    made = FinishingProcess()
    made.start(list(GAMES))
    use(made)
    yield made
    made.close()


def some(process: FinishingProcess, draft: Draft = DRAFT) -> list[Finishing]:
    """As many letters as are given to the process at once."""
    return [process.finish(draft, ENVELOPE) for _ in range(TOGETHER)]


def use(process: FinishingProcess) -> None:
    """Wait until it takes letters."""

    def is_used() -> bool:
        letters = some(process)
        is_taken = all(each.process is process for each in letters)
        assert {each.finished() for each in letters} == {finish_here(DRAFT, ENVELOPE)}
        return is_taken

    wait_until(is_used, "the process that finishes letters")


def pid(process: FinishingProcess) -> int:
    assert process._process is not None
    return process._process.pid


@pytest.mark.parametrize("slug", list(GAMES))
def test_its_letters_are_those_finished_here(process: FinishingProcess, tmp_path: Path, slug: str) -> None:
    asked: list[tuple[Draft, Envelope]] = []

    def noting(draft: Draft, envelope: Envelope) -> Finishing:
        asked.append((draft, envelope))
        return Finishing(draft, envelope)

    desk = Desk(tmp_path, slug)
    desk.services = Services(desk.config, desk.store, noting)
    desk._begin()
    for address in [to for to, _, _ in desk.sent]:
        desk.answer(address, "status")
    while len(asked) % TOGETHER:
        asked.append(asked[-1])
    letters = []
    for at in range(0, len(asked), TOGETHER):
        letters += [process.finish(*each) for each in asked[at : at + TOGETHER]]
        assert all(each.process is process for each in letters[-TOGETHER:])
        assert [each.finished() for each in letters[-TOGETHER:]] == [
            finish_here(*each) for each in asked[at : at + TOGETHER]
        ]
    assert any(draft.table and draft.asks for draft, _ in asked)


def test_few_letters_are_finished_here(process: FinishingProcess) -> None:
    for _ in range(2 * TOGETHER):
        letter = process.finish(DRAFT, ENVELOPE)
        assert letter.finished() == finish_here(DRAFT, ENVELOPE)
        assert process.finish(DRAFT, ENVELOPE).process is None
        process._next.clear()


def test_a_letter_finished_here_is_not_given_away_afterwards(process: FinishingProcess) -> None:
    for _ in range(2 * TOGETHER):
        letter = process.finish(DRAFT, ENVELOPE)
        letter.finished()
        assert letter.process is None
    assert len(process._next) <= 1


def test_while_it_is_behind_letters_are_finished_here(process: FinishingProcess) -> None:
    os.kill(pid(process), signal.SIGSTOP)
    letters = [each for _ in range(5) for each in some(process)]
    assert [each.process is process for each in letters] == [True] * 2 * TOGETHER + [False] * 3 * TOGETHER
    os.kill(pid(process), signal.SIGCONT)
    assert {each.finished() for each in letters} == {finish_here(DRAFT, ENVELOPE)}


def test_what_a_killed_one_had_is_finished_here_and_another_takes_its_place(
    process: FinishingProcess, caplog: pytest.LogCaptureFixture
) -> None:
    first = pid(process)
    os.kill(first, signal.SIGSTOP)
    letters = some(process)
    os.kill(first, signal.SIGKILL)
    assert {each.finished() for each in letters} == {finish_here(DRAFT, ENVELOPE)}
    assert "is lost" in caplog.text
    assert "ended with -9" in caplog.text
    use(process)
    assert pid(process) != first


def test_one_that_hangs_is_not_waited_for(
    process: FinishingProcess, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first = pid(process)
    os.kill(first, signal.SIGSTOP)
    letters = some(process) + some(process)
    monkeypatch.setattr(finishing, "PATIENCE", 0.2)
    assert {each.finished() for each in letters} == {finish_here(DRAFT, ENVELOPE)}
    assert caplog.text.count("no answer for") == 1, "both jobs together are waited for once"
    monkeypatch.setattr(finishing, "PATIENCE", 20.0)
    use(process)
    assert pid(process) != first


def test_one_that_is_lost_again_and_again_is_started_less_and_less_often(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    process = FinishingProcess()
    process.start(list(GAMES))

    def is_lost() -> bool:
        assert {each.finished() for each in some(process)} == {finish_here(DRAFT, ENVELOPE)}
        return process._process is None

    wait_until(is_lost, "the end of it")
    assert "ended with 1" in caplog.text
    monkeypatch.setattr(sys, "executable", "/no/such/program")
    for number in range(1, 12):
        assert caplog.text.count("is lost") == number
        assert process._rests == min(finishing.RESTED * 2**number, finishing.RESTED_MOST)
        assert [each.process for each in some(process)] == [None] * TOGETHER
        assert caplog.text.count("is lost") == number, "it rests"
        process._rested_at = 0.0
        some(process)
    process.close()


def test_what_one_person_may_see_goes_to_nobody_else_where_an_answer_is_lost(
    process: FinishingProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [f"person{number}@example.net" for number in range(20 * TOGETHER)]
    loads = pickle.loads
    lost: list[bytes] = []

    def failing(data: bytes) -> object:
        if not lost:
            lost.append(data)
            raise MemoryError
        return loads(data)

    monkeypatch.setattr(pickle, "loads", failing)
    letters = [process.finish(DRAFT, replace(ENVELOPE, recipient=person)) for person in people]
    found = [
        f"To: {person}".encode() in letter.finished().message for person, letter in zip(people, letters, strict=True)
    ]
    assert lost
    assert all(found)


def test_an_answer_that_is_not_due_is_taken_for_none(process: FinishingProcess) -> None:
    letters = some(process)
    process._under_way[0] = replace(process._under_way[0], number=77)
    assert {each.finished() for each in letters} == {finish_here(DRAFT, ENVELOPE)}
    assert process._process is None
    use(process)


def test_what_cannot_be_given_to_it_is_finished_here(process: FinishingProcess) -> None:
    odd = replace(DRAFT, table=TableView("champ-cards", {"odd": lambda: None}, ("Ann", "Bob"), 0))
    letters = [process.finish(draft, ENVELOPE) for draft in (DRAFT, DRAFT, DRAFT, odd)]
    assert [each.process for each in letters] == [None] * TOGETHER
    assert letters[0].finished() == finish_here(DRAFT, ENVELOPE)
    use(process)


def test_one_that_says_nothing_for_long_is_lost_though_nobody_waits(
    process: FinishingProcess, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    os.kill(pid(process), signal.SIGSTOP)
    some(process)
    some(process)
    monkeypatch.setattr(finishing, "SILENT", 0.0)
    letters = some(process)
    assert "not a word" in caplog.text
    assert [each.process for each in letters] == [None] * TOGETHER
    monkeypatch.setattr(finishing, "SILENT", 60.0)
    use(process)


def test_one_of_another_version_is_not_used(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(finishing, "READY", b"ready 7.0.0")
    process = FinishingProcess()
    process.start(list(GAMES))

    def is_refused() -> bool:
        return [each.process for each in some(process)] == [None] * TOGETHER and "another version" in caplog.text

    wait_until(is_refused, "its first word")
    process.close()


def test_it_runs_the_same_code_and_has_no_passwords(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for module in ("host", "jinja2"):
        (tmp_path / f"{module}.py").write_text("raise SystemExit('another module of this name')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PODIUM_SMTP__PASSWORD", "secret")
    process = FinishingProcess()
    process.start(list(GAMES))
    use(process)
    assert b"PODIUM_" not in Path(f"/proc/{pid(process)}/environ").read_bytes()
    process.close()
    assert capfd.readouterr().err == ""


def test_where_sockets_have_small_buffers_neither_side_waits_for_the_other(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    make = socket.socketpair

    def small() -> tuple[socket.socket, socket.socket]:
        pair = make()
        for each in pair:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
        return pair

    monkeypatch.setattr(socket, "socketpair", small)
    monkeypatch.setattr(finishing, "PATIENCE", 2.0)
    process = FinishingProcess()
    process.start(list(GAMES))
    use(process)
    long = [replace(DRAFT, lead=(f"{number} " * 4000,)) for number in range(4 * TOGETHER)]
    letters = [process.finish(each, ENVELOPE) for each in long]
    assert [each.finished() for each in letters] == [finish_here(each, ENVELOPE) for each in long]
    assert "is lost" not in caplog.text
    process.close()


def test_what_cannot_be_finished_there_raises_here(process: FinishingProcess) -> None:
    letters = some(process, replace(DRAFT, table=TableView("no-such-game", {}, ("Ann", "Bob"), 0)))
    assert letters[0].process is process
    with pytest.raises(FileNotFoundError):
        letters[0].finished()
    use(process)


def test_what_is_long_is_finished_here_and_cut(process: FinishingProcess) -> None:
    letters = some(process, replace(DRAFT, lead=("x" * LONGEST_JOB,)))
    assert [each.process for each in letters] == [None] * TOGETHER
    (longest,) = {each.finished() for each in some(process, replace(DRAFT, lead=("é" * MAX_LETTER,)))}
    assert len(longest.message) < MAX_LETTER


def test_it_ends_in_silence_where_the_daemon_ended_first(capfd: pytest.CaptureFixture[str]) -> None:
    process = FinishingProcess()
    process.start(list(GAMES))
    started, line = process._process, process._line
    assert started is not None
    assert line is not None
    line.close()
    assert started.wait(20) == 0
    assert capfd.readouterr().err == ""


def test_it_ends_with_the_daemon(process: FinishingProcess) -> None:
    started, line = process._process, process._line
    assert started is not None
    assert line is not None
    os.kill(started.pid, signal.SIGTERM)
    time.sleep(0.1)
    assert started.poll() is None, "the daemon has letters to finish until it ends"
    line.close()
    assert started.wait(10) == 0
