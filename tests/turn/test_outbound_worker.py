"""Letters that were accepted are known to be, however the daemon ends."""

import asyncio
import time
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from host.daemon import steps
from host.daemon.outbound_worker import OutboundWorker
from host.daemon.runtime import Runtime
from host.mail.outbound.pipeline import PipelinedSession
from host.mail.outbound.smtp import LETTERS_A_CONNECTION, Outbox, Outboxes, Sent
from host.store import queues
from host.store.queues import ClaimedLetter
from host.store.schema import Letter
from host.turn import alerts
from host.turn.work import Work
from tests.turn.desk import Desk


class Server:
    """Accepts at once what is for the quick; the slow get no answer."""

    def __init__(self) -> None:
        self.tried: list[str] = []
        self.accepted: list[str] = []

    async def send(self, sender: str, recipient: str, message: bytes, *more: object) -> Sent:
        if recipient.startswith("slow"):
            await asyncio.sleep(3600)
        self.tried.append(recipient)
        await asyncio.sleep(0.05 * len(self.tried))
        self.accepted.append(recipient)
        return Sent("sent", "250 ok")

    async def close(self) -> None:
        """Nothing."""


def with_letters(folder: Path, *addresses: str) -> Desk:
    story = Desk(folder, host={"operators": list(addresses)})
    with story.store.transaction() as session:
        alerts.alert(Work(session, story.services, story.now), "Look", "Look at it")
    return story


def sent(story: Desk) -> list[str]:
    with story.store.reading() as session:
        return sorted(session.scalars(select(Letter.address).where(Letter.state == "sent")))


def test_what_was_accepted_is_stored_though_another_letter_hangs_when_the_daemon_stops(tmp_path: Path) -> None:
    story = with_letters(tmp_path, *(f"quick{n}@example.com" for n in range(3)), "slow@example.com")
    server = Server()

    async def go() -> None:
        desk = Runtime(story.services, lambda: story.now, time.monotonic)
        task = asyncio.create_task(OutboundWorker(desk, server).run())  # type: ignore[arg-type]
        while not server.accepted:
            await asyncio.sleep(0.005)
        desk.stopping.set()  # as `host.daemon.main` does: so long to finish, then the end
        await asyncio.wait({task}, timeout=0.5)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        desk.close()

    asyncio.run(go())
    assert sent(story) == sorted(server.accepted)


@pytest.mark.parametrize("smtp", [{}, {"letters_a_minute": 100}])
def test_letters_to_one_address_follow_each_other_without_a_pause(tmp_path: Path, smtp: dict[str, int]) -> None:
    story = Desk(tmp_path, host={"operators": ["quick@example.com"]}, smtp=smtp)
    with story.store.transaction() as session:
        for number in range(4):
            alerts.alert(Work(session, story.services, story.now), "Look", f"Look at {number}")
    server = Server()

    async def go() -> None:
        desk = Runtime(story.services, lambda: story.now, time.monotonic)
        task = asyncio.create_task(OutboundWorker(desk, server).run())  # type: ignore[arg-type]
        async with asyncio.timeout(10):  # with nobody to tell of letters, a look for others comes after 30 s
            while len(server.accepted) < 4:
                await asyncio.sleep(0.005)
        desk.stopping.set()
        desk.letters.set()
        await task
        desk.close()

    asyncio.run(go())
    assert sent(story) == ["quick@example.com"] * 4


def test_what_could_not_be_stored_is_stored_when_the_daemon_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = with_letters(tmp_path, "quick@example.com")
    server = Server()

    async def go() -> None:
        desk = Runtime(story.services, lambda: story.now, time.monotonic)
        sending = OutboundWorker(desk, server)  # type: ignore[arg-type]
        store = steps.settle_letters
        failures: list[int] = []

        def failing(*args: object) -> object:
            if not failures:
                failures.append(1)
                desk.stopping.set()
                raise OperationalError("COMMIT", {}, Exception("database is locked"))
            return store(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(steps, "settle_letters", failing)
        await asyncio.wait_for(sending.run(), 5)
        desk.close()

    asyncio.run(go())
    assert server.accepted == ["quick@example.com"]
    assert sent(story) == ["quick@example.com"]


def test_one_letter_that_cannot_be_settled_sends_no_other_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = with_letters(tmp_path, "quick@example.com", "odd@example.com")

    class Refusing(Server):
        async def send(self, sender: str, recipient: str, message: bytes, *more: object) -> Sent:
            if recipient.startswith("odd"):
                await asyncio.sleep(0.01)
                return Sent("refused", "550 no")
            return await super().send(sender, recipient, message)

    server = Refusing()

    async def go() -> None:
        desk = Runtime(story.services, lambda: story.now, time.monotonic)
        sending = OutboundWorker(desk, server)  # type: ignore[arg-type]
        finished = sending._finished

        async def all_finished(_which: str) -> list[tuple[ClaimedLetter, Sent]]:
            return await finished(asyncio.ALL_COMPLETED)

        loop, is_tried = asyncio.get_running_loop(), asyncio.Event()

        def odd(*_: object) -> None:
            loop.call_soon_threadsafe(is_tried.set)
            raise ValueError("odd")

        sending._finished = all_finished  # type: ignore[assignment, method-assign]
        monkeypatch.setattr(steps, "put_off", odd)
        task = asyncio.create_task(sending.run())
        await asyncio.wait_for(is_tried.wait(), 20)
        desk.stopping.set()
        await asyncio.wait_for(task, 10)
        desk.close()

    asyncio.run(go())
    assert server.accepted == ["quick@example.com"]
    assert sent(story) == ["quick@example.com"]


def test_a_letter_whose_turn_comes_after_a_freeze_is_left_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = with_letters(tmp_path, *(f"quick{n}@example.com" for n in range(8)))
    moments = [0.0]
    accepted: list[str] = []

    async def send(_self: Outbox, sender: str, recipient: str, message: bytes) -> Sent:
        await asyncio.sleep(0.01)
        accepted.append(recipient)
        moments[0] = 1000.0  # frozen meanwhile
        desk[0].stopping.set()
        return Sent("sent", "250 ok")

    monkeypatch.setattr(Outbox, "send", send)
    desk: list[Runtime] = []

    async def go() -> None:
        desk.append(Runtime(story.services, lambda: story.now, lambda: moments[0]))
        await asyncio.wait_for(OutboundWorker(desk[0], Outboxes(story.config.smtp), lambda _: moments[0] < 7).run(), 5)
        desk[0].close()

    asyncio.run(go())
    assert len(accepted) == LETTERS_A_CONNECTION
    assert sent(story) == sorted(accepted)


def test_what_a_server_says_in_another_character_set_is_stored(tmp_path: Path) -> None:
    story = with_letters(tmp_path, "quick@example.com")
    said = answer_of(b"250 2.0.0 Gr\xfc\xdfe \0\r\n")
    with story.store.transaction() as session:
        queues.settle_sent(session, {1: said}, story.now)
    assert sent(story) == ["quick@example.com"]


def answer_of(octets: bytes) -> str:
    async def go() -> str:
        session = PipelinedSession(MagicMock(), (), 5.0)
        session._ask(b"")
        session.data_received(octets)
        return (await session._answer()).message

    return asyncio.run(go())
