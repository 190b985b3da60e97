"""Letters finished by a second process are those finished here, and nothing depends on that process."""

import os
import signal
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
from tests.turn.desk import Desk
from tests.wire.world import wait_until

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
def process() -> Iterator[FinishingProcess]:
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
    use(process)
    assert pid(process) != first


def test_one_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finishing, "PATIENCE", 0.2)
    process = FinishingProcess()
    process.start(list(GAMES))
    use(process)
    first = pid(process)
    os.kill(first, signal.SIGSTOP)
    letters = some(process)
    assert {each.finished() for each in letters} == {finish_here(DRAFT, ENVELOPE)}
    assert pid(process) != first
    process.close()


def test_one_that_never_was_ready_is_done_without(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    process = FinishingProcess()
    process.start(list(GAMES))

    def is_lost() -> bool:
        assert {each.finished() for each in some(process)} == {finish_here(DRAFT, ENVELOPE)}
        return process._process is None

    wait_until(is_lost, "the end of it")
    monkeypatch.setattr(sys, "executable", "/no/such/program")
    process.start(list(GAMES))
    assert process._process is None
    assert caplog.text.count("is lost") == 2
    assert [each.process for each in some(process)] == [None] * TOGETHER
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
