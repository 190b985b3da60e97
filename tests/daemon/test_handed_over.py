"""Letters that are claimed as they are written: sent at once by the process that wrote them, and by no other."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from host.daemon import outbound_worker, steps
from host.daemon.outbound_worker import LETTERS_AT_ONCE, OutboundWorker
from host.mail.outbound.smtp import Sent
from host.store import queues
from host.store.database import open_store
from host.store.queues import ClaimedLetter
from host.store.schema import Letter
from host.turn import receive
from host.turn.incoming import Turn, Verdict
from tests.daemon.test_alone import ANN, House


class Server:
    """Notes what it is given, and says the same of everything; until `may_answer` it says nothing."""

    def __init__(self, said: Sent) -> None:
        self.said = said
        self.given: list[bytes] = []
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def send(self, sender: str, recipient: str, message: bytes, *more: object) -> Sent:
        self.given.append(message)
        await self.may_answer.wait()
        return self.said

    async def close(self) -> None:
        """Nothing."""


class Sending:
    """A house whose process has a name, and sends what it writes."""

    def __init__(self, folder: Path, said: Sent) -> None:
        self.house = House(folder)
        self.server = Server(said)
        self.worker = OutboundWorker(self.house.wiring, self.server)  # type: ignore[arg-type]

    def letters(self) -> list[tuple[str, str | None, int]]:
        """State, claimer and attempts of all letters since the cut, in their order."""
        with self.house.desk.store.reading() as session:
            rows = session.scalars(select(Letter).where(Letter.id > self.before).order_by(Letter.id))
            return [(each.state, each.claimed_by, each.attempts) for each in rows]

    async def read(self, words: str) -> None:
        with self.house.desk.store.reading() as session:
            self.before = max(session.scalars(select(Letter.id)))
        await self.house.read(self.house.reply(words))

    async def until(self, count: int, within: float = 5) -> None:
        """Send until the server was given so many letters and what it said is stored."""
        self.running = asyncio.create_task(self.worker.run())
        async with asyncio.timeout(within):
            while len(self.server.given) < count or self.worker._sending or self.worker._unstored:
                await asyncio.sleep(0.005)

    async def close(self) -> None:
        self.house.wiring.stopping.set()
        self.house.wiring.look_at_all()
        self.server.may_answer.set()
        await asyncio.gather(self.running, return_exceptions=True)
        await self.house.player.close()
        self.house.wiring.close()
        self.house.desk.store.close()


SENT = Sent("sent", "250 ok")


async def test_a_letter_goes_out_without_being_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sending = Sending(tmp_path, SENT)
    await sending.until(0)
    while not sending.house.wiring.room:
        await asyncio.sleep(0.005)
    looks = 0
    claim = steps.claim_letters

    def looked(*given: Any) -> list[ClaimedLetter] | None:
        nonlocal looks
        looks += 1
        return claim(*given)

    monkeypatch.setattr(steps, "claim_letters", looked)
    await sending.read("cut 5")
    while [state for state, _, _ in sending.letters()] != ["sent"]:
        await asyncio.sleep(0.005)
    assert (len(sending.server.given), looks) == (1, 0)
    await sending.close()


async def test_without_room_it_waits_in_the_queue(tmp_path: Path) -> None:
    sending = Sending(tmp_path, SENT)
    await sending.read("cut 5")
    assert sending.letters() == [("queued", None, 0)]
    await sending.until(1)
    assert sending.letters() == [("sent", None, 1)]
    await sending.close()


async def test_behind_another_to_its_address_it_waits(tmp_path: Path) -> None:
    sending = Sending(tmp_path, SENT)
    with sending.house.desk.store.transaction() as session:
        to_ann = select(Letter).where(Letter.address == ANN).order_by(Letter.id.desc()).limit(1)
        earlier = session.scalars(to_ann).one()
        earlier.state = "queued"
        message = earlier.message
    sending.house.wiring.room = LETTERS_AT_ONCE
    await sending.read("cut 5")
    assert sending.letters() == [("queued", None, 0)]
    assert not sending.house.wiring.handed
    await sending.until(2)
    assert sending.server.given[0] == message
    assert sending.letters() == [("sent", None, 1)]
    await sending.close()


async def test_where_more_is_handed_over_than_there_are_places_no_other_is_claimed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sending = Sending(tmp_path, SENT)
    house = sending.house
    house.wiring.room = LETTERS_AT_ONCE
    await sending.read("cut 5")
    with house.desk.store.transaction() as session:
        session.scalars(select(Letter).where(Letter.address != ANN).limit(1)).one().state = "queued"
    monkeypatch.setattr(outbound_worker, "LETTERS_AT_ONCE", 0)
    sending.server.may_answer.clear()
    sending.running = asyncio.create_task(sending.worker.run())
    while not sending.server.given:
        await asyncio.sleep(0.005)
    house.wiring.letters.set()
    await asyncio.sleep(0.3)
    assert (len(sending.server.given), house.wiring.room) == (1, 0)
    await sending.close()


async def test_what_was_handed_over_is_claimed_by_nobody_else(tmp_path: Path) -> None:
    sending = Sending(tmp_path, SENT)
    house = sending.house
    house.wiring.room = LETTERS_AT_ONCE
    await sending.read("cut 5")
    assert len(house.wiring.handed) == 1
    assert house.wiring.room == LETTERS_AT_ONCE - 1
    assert steps.claim_letters(house.desk.services, house.desk.now, 50) == []
    await sending.until(1)
    assert sending.letters() == [("sent", None, 1)]
    assert not house.desk.store.in_hand
    await sending.close()


async def test_nobody_claims_it_before_it_was_heard_of(tmp_path: Path) -> None:
    sending = Sending(tmp_path, SENT)
    desk = sending.house.desk
    raw = sending.house.reply("cut 5")
    desk.keep(raw, desk.now)
    ((mail,), _) = steps.claim_mails(desk.services, desk.now, 16, seen_at=desk.now)
    (played,) = next(steps.play_mails(desk.services, [(mail.id, desk.opened(mail.id))], desk.now, room=5))
    assert [each.id in desk.store.in_hand for each in played.handed] == [True]
    assert steps.claim_letters(desk.services, desk.now, 50) == [], "it is committed, and its sender has not heard of it"
    await sending.until(0)
    await sending.close()


async def test_what_is_undone_is_in_nobodys_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sending = Sending(tmp_path, SENT)
    house = sending.house
    house.wiring.room = LETTERS_AT_ONCE
    take = receive._take

    def broken(turn: Turn) -> Verdict:
        take(turn)
        assert house.desk.store.in_hand
        raise ValueError("a fault behind the letters")

    with monkeypatch.context() as patch:
        patch.setattr(receive, "_take", broken)
        await sending.read("cut 5")
    assert (sending.letters(), house.wiring.handed, house.desk.store.in_hand) == ([], [], set())
    await sending.until(0)
    await sending.close()


async def test_after_a_kill_the_next_process_sends_it(tmp_path: Path) -> None:
    sending = Sending(tmp_path, SENT)
    house = sending.house
    house.wiring.room = LETTERS_AT_ONCE
    await sending.read("cut 5")
    message = house.wiring.handed[0].message
    following = open_store(house.desk.config.database.url)
    (claimed,) = queues.claim_letters(following, house.desk.now, 50)
    following.close()
    assert (claimed.message, sending.letters()) == (message, [("queued", None, 0)])
    await sending.until(0)
    await sending.close()


@pytest.mark.parametrize(
    ("said", "after"),
    [
        (Sent("later", "451 busy"), ("queued", None, 1)),
        (Sent("refused", "550 no"), ("failed", None, 1)),
        (Sent("away", "gone"), ("queued", None, 0)),
    ],
)
async def test_what_the_server_says_of_it_counts_as_for_any_other(
    tmp_path: Path, said: Sent, after: tuple[str, None, int]
) -> None:
    sending = Sending(tmp_path, said)
    sending.house.wiring.room = LETTERS_AT_ONCE
    await sending.read("cut 5")
    await sending.until(1)
    assert sending.letters()[0] == after
    assert sending.house.wiring.room == 0 or said.outcome != "away"
    await sending.close()


async def test_where_the_server_is_away_what_was_handed_over_meanwhile_is_given_back(tmp_path: Path) -> None:
    sending = Sending(tmp_path, Sent("away", "gone"))
    sending.house.wiring.room = LETTERS_AT_ONCE
    await sending.read("cut 5")
    sending.server.may_answer.clear()
    running = asyncio.create_task(sending.until(1))
    while not sending.server.given:
        await asyncio.sleep(0.005)
    before = sending.before
    await sending.read("status")
    assert len(sending.house.wiring.handed) <= 1
    sending.before = before
    sending.server.may_answer.set()
    await running
    assert {(state, claimer) for state, claimer, _ in sending.letters()} == {("queued", None)}
    await sending.close()
