"""Loops: a step and a pause until the daemon stops, and how long is waited after a fault."""

import asyncio
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from host.daemon import runtime
from host.daemon.runtime import BackOff, Runtime
from host.mail.inbound.imap import InboxError
from tests.patience import until
from tests.turn.desk import Desk


async def for_ever(_seconds: float) -> None:
    """Waits as a timer that does not run down while a test looks."""
    await asyncio.Event().wait()


@pytest.fixture
def loops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runtime]:
    """What loops share, without jitter."""
    monkeypatch.setattr(runtime, "jittered", lambda seconds: seconds)
    desk = Desk(tmp_path)
    made = Runtime(desk.services, lambda: desk.now, time.monotonic, for_ever)
    yield made
    made.close()
    desk.store.close()


def waits_of(
    loops: Runtime, monkeypatch: pytest.MonkeyPatch, outcomes: list[Exception | None], **options: object
) -> list[float]:
    """What a loop waits for, one number a round, when its step ends so, round after round."""
    waits: list[float] = []
    left = list(outcomes)

    async def step() -> None:
        outcome = left.pop(0)
        if outcome is not None:
            raise outcome

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        if not left:
            loops.stopping.set()

    monkeypatch.setattr(loops, "sleep", sleep)
    asyncio.run(loops.repeat(step, 7.0, "it cannot be done", **options))  # type: ignore[arg-type]
    return waits


def test_a_fault_is_waited_for_twice_as_long_each_time_and_five_minutes_at_most(
    loops: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = ValueError("no")
    waits = waits_of(loops, monkeypatch, [None, *[fault] * 10, None, fault])
    assert waits == [7.0, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 7.0, 2]


def test_a_login_that_was_refused_three_times_is_not_hammered_on(
    loops: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = InboxError("refused", is_login=True)
    waits = waits_of(loops, monkeypatch, [refused, refused, refused, refused, InboxError("gone")])
    assert waits == [2, 4, 900, 900, 32]


def test_what_is_done_every_few_seconds_is_tried_again_at_its_next_turn(
    loops: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    back_off = BackOff(loops.steady, always=5.0)
    fault = ValueError("no")
    assert waits_of(loops, monkeypatch, [fault, fault, fault, None], back_off=back_off) == [5.0, 5.0, 5.0, 7.0]


def test_a_fault_of_the_pause_is_waited_for_too_and_told(
    loops: Runtime, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[Exception] = []
    fault = InboxError("hung up")

    async def step() -> None:
        """Works each time."""

    async def pause() -> None:
        raise fault

    async def failed(error: Exception) -> None:
        told.append(error)

    async def sleep(seconds: float) -> None:
        assert seconds == 2.0, "the step worked meanwhile"
        if len(told) == 3:
            loops.stopping.set()

    monkeypatch.setattr(loops, "sleep", sleep)
    asyncio.run(loops.repeat(step, pause, "mailbox INBOX", known=(InboxError,), failed=failed))
    assert told == [fault] * 3
    assert [each.getMessage() for each in caplog.records] == ["mailbox INBOX: hung up; trying again in 2 s"] * 3
    assert not any(each.exc_info for each in caplog.records)


def test_a_fault_that_nobody_knows_is_logged_with_its_traceback(
    loops: Runtime, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    waits_of(loops, monkeypatch, [ValueError("odd")])
    assert [bool(each.exc_info) for each in caplog.records] == [True]


def test_how_long_it_has_not_worked(loops: Runtime) -> None:
    seconds = [0.0]
    back_off = BackOff(lambda: seconds[0])
    assert back_off.lasts == timedelta()
    back_off.failed()
    seconds[0] = 100.0
    back_off.failed()
    assert back_off.lasts == timedelta(seconds=100)
    back_off.worked()
    assert back_off.lasts == timedelta()


@pytest.mark.parametrize("fault", [None, ValueError("no")])
async def test_a_loop_that_waits_ends_at_once_when_the_daemon_stops(loops: Runtime, fault: Exception | None) -> None:
    begun = asyncio.Event()

    async def step() -> None:
        begun.set()
        if fault is not None:
            raise fault

    task = asyncio.create_task(loops.repeat(step, 3600.0, "it cannot be done"))
    await until(begun.is_set)
    loops.stopping.set()
    await until(task.done)
    await task


async def test_between_two_pieces_of_a_step_other_work_has_its_turn(loops: Runtime) -> None:
    done: list[str] = []

    def pieces() -> Iterator[str]:
        for name in ("first", "second"):
            done.append(name)
            yield name

    walk = pieces()
    assert await loops.piece(walk) == "first"
    await loops.work(done.append, "other")
    assert await loops.piece(walk) == "second"
    assert await loops.piece(walk) is None
    assert done == ["first", "other", "second"]
