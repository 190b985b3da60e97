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
from host.table.letters import alert
from host.table.work import Work
from tests.patience import SECONDS, until
from tests.turn.desk import Desk


class Server:
    """Accepts so many letters to the quick, and more once it may go on; the slow get no answer."""

    def __init__(self, at_once: int = 100) -> None:
        self.at_once, self.may_go_on = at_once, asyncio.Event()
        self.tried: list[str] = []
        self.accepted: list[str] = []

    async def send(self, sender: str, recipient: str, message: bytes, *more: object) -> Sent:
        self.tried.append(recipient)
        if recipient.startswith("slow"):
            await asyncio.Event().wait()
        if len(self.accepted) >= self.at_once:
            await self.may_go_on.wait()
        self.accepted.append(recipient)
        return Sent("sent", "250 ok")

    async def close(self) -> None:
        """Nothing."""


def with_letters(folder: Path, *addresses: str) -> Desk:
    story = Desk(folder, host={"operators": list(addresses)})
    with story.store.transaction() as session:
        alert(Work(session, story.services, story.now), "Look", "Look at it")
    return story


def sent(story: Desk) -> list[str]:
    with story.store.reading() as session:
        return sorted(session.scalars(select(Letter.address).where(Letter.state == "sent")))


def test_what_was_accepted_is_stored_though_another_letter_hangs_when_the_daemon_stops(tmp_path: Path) -> None:
    story = with_letters(tmp_path, *(f"quick{n}@example.com" for n in range(3)), "slow@example.com")
    server = Server(at_once=1)

    async def go() -> None:
        desk = Runtime(story.services, lambda: story.now, time.monotonic)
        task = asyncio.create_task(OutboundWorker(desk, server).run())  # type: ignore[arg-type]
        await until(lambda: server.accepted)
        desk.stopping.set()  # as `host.daemon.main` does: some time to finish, then the end
        server.may_go_on.set()
        await until(lambda: len(sent(story)) == 3)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        desk.close()

    asyncio.run(go())
    assert sent(story) == sorted(server.accepted) == [f"quick{n}@example.com" for n in range(3)]


@pytest.mark.parametrize("smtp", [{}, {"letters_a_minute": 100}])
def test_letters_to_one_address_follow_each_other_without_a_pause(tmp_path: Path, smtp: dict[str, int]) -> None:
    story = Desk(tmp_path, host={"operators": ["quick@example.com"]}, smtp=smtp)
    with story.store.transaction() as session:
        for number in range(4):
            alert(Work(session, story.services, story.now), "Look", f"Look at {number}")
    server = Server()
    pauses: list[float] = []

    async def paused(seconds: float) -> None:
        pauses.append(seconds)

    async def go() -> None:
        desk = Runtime(story.services, lambda: story.now, time.monotonic, paused)
        task = asyncio.create_task(OutboundWorker(desk, server).run())  # type: ignore[arg-type]
        await until(lambda: len(server.accepted) == 4)
        assert pauses == []
        desk.stopping.set()
        desk.letters.set()
        async with asyncio.timeout(SECONDS):
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
        async with asyncio.timeout(SECONDS):
            await sending.run()
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
        await until(is_tried.is_set)
        desk.stopping.set()
        async with asyncio.timeout(SECONDS):
            await task
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
        await asyncio.sleep(0)
        accepted.append(recipient)
        moments[0] = 1000.0  # frozen meanwhile
        desk[0].stopping.set()
        return Sent("sent", "250 ok")

    monkeypatch.setattr(Outbox, "send", send)
    desk: list[Runtime] = []

    async def go() -> None:
        desk.append(Runtime(story.services, lambda: story.now, lambda: moments[0]))
        async with asyncio.timeout(SECONDS):
            await OutboundWorker(desk[0], Outboxes(story.config.smtp), lambda _: moments[0] < 7).run()
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
