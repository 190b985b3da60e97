import asyncio
import time
from datetime import timedelta
from pathlib import Path

from sqlalchemy import update

from host.daemon.outbound_worker import OutboundWorker
from host.daemon.runtime import Runtime
from host.store.schema import Letter
from tests.patience import until
from tests.turn.test_outbound_worker import Server, with_letters


def test_a_new_letter_does_not_wait_for_one_that_hangs(tmp_path: Path) -> None:
    story = with_letters(tmp_path, "slow@example.com", "quick@example.com")
    with story.store.transaction() as session:
        hour = story.now + timedelta(hours=1)
        session.execute(update(Letter).where(Letter.address == "quick@example.com").values(try_at=hour))
    server = Server()

    async def go() -> None:
        desk = Runtime(story.services, lambda: story.now, time.monotonic)
        task = asyncio.create_task(OutboundWorker(desk, server).run())  # type: ignore[arg-type]
        await until(lambda: server.tried)
        story.later(hours=2)
        desk.letters.set()
        await until(lambda: server.accepted)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        desk.close()

    asyncio.run(go())
    assert server.accepted == ["quick@example.com"]
