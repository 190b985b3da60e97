"""Working off stored mails: what takes long is put aside, and is in nobody's way."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from host.daemon.inbound_worker import InboundWorker
from host.daemon.main import steady
from host.daemon.runtime import Runtime
from host.demo.robot import write
from host.mail.inbound.dkim_keys import Keys
from host.store.schema import Inbound
from host.turn import receive
from tests.mail.inbound.test_dkim import PUBLIC, signed
from tests.patience import SECONDS
from tests.turn.desk import OPERATOR, Desk

ANN, EVE = "ann@example.net", "eve@example.com"
HARD = b"<p>x<div><b>" * 60_000
"""A page that takes more than a hundredth of a second to read."""


class House:
    """A host with an episode, and the daemon's desk on it."""

    def __init__(self, folder: Path) -> None:
        self.runtime = Desk(folder)
        self.runtime.begin()
        self.wiring = Runtime(self.runtime.services, lambda: self.runtime.now, steady)

    def reply(self, body: bytes, kind: str = "text/plain") -> bytes:
        letter = self.runtime.last(ANN)
        head = f"From: {ANN}\r\nTo: {letter.headers['reply-to']}\r\nSubject: Re\r\nContent-Type: {kind}\r\n\r\n"
        return head.encode() + body

    def states(self) -> dict[int, str]:
        with self.runtime.store.reading() as session:
            return {row.uid: row.state for row in session.execute(select(Inbound.uid, Inbound.state))}


@pytest.fixture
def services(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    made.wiring.close()
    made.runtime.store.close()


async def test_a_hard_mail_that_names_a_letter_is_read_to_the_end_beside_the_others(services: House) -> None:
    intake = InboundWorker(services.wiring)
    intake.reader.worker.seconds = 0.02
    services.runtime.keep(services.reply(b"cut 5\r\n" + HARD, "text/html"), services.runtime.now)
    hard = services.runtime.uid
    await intake.take_new_mails()
    assert services.states()[hard] == "new"
    await intake.wait_aside()
    assert services.states()[hard] in ("played", "refused", "answered")
    await intake.close()


async def test_a_silent_name_server_is_in_nobodys_way_and_those_behind_it_wait(services: House) -> None:
    gate = asyncio.Event()
    asked: list[bytes] = []

    async def lookup(name: bytes) -> bytes:
        asked.append(name)
        await gate.wait()
        return PUBLIC

    intake = InboundWorker(services.wiring)
    intake.reader.keys = Keys(lookup)
    raw = signed(services.reply(b"cut 5\r\n"), b"example.net", headers=(b"from", b"to", b"subject"))
    services.runtime.keep(raw, services.runtime.now)
    first = services.runtime.uid
    services.runtime.keep(services.reply(b"status\r\n"), services.runtime.now)
    await intake.take_new_mails()
    states = services.states()
    assert (states[first], states[first + 1]) == ("new", "new"), "nothing with one ordering key overtakes"
    others = InboundWorker(services.wiring, is_known=False)
    services.runtime.keep(
        write(EVE, "Eve Fox", "games@example.org", services.runtime.game.subject, "Name: Eve Fox"), services.runtime.now
    )
    await others.take_new_mails()
    assert services.states()[first + 2] == "answered"
    gate.set()
    await intake.wait_aside()
    assert services.states()[first] == "played"
    await intake.take_new_mails()
    assert services.states()[first + 1] == "answered"
    assert len(asked) == 1
    for each in (intake, others):
        await each.close()


@pytest.mark.parametrize("sender", [EVE, ANN])
async def test_a_hard_mail_that_names_no_letter_is_left_alone(services: House, sender: str) -> None:
    intake = InboundWorker(services.wiring, is_known=False)
    intake.reader.worker.seconds = 0.02
    head = f"From: {sender}\r\nSubject: {services.runtime.game.subject}\r\nContent-Type: text/html\r\n\r\n".encode()
    services.runtime.keep(head + HARD, services.runtime.now)
    told = len(services.runtime.letters(OPERATOR))
    await intake.take_new_mails()
    with services.runtime.store.reading() as session:
        row = session.scalars(select(Inbound).order_by(Inbound.id.desc()).limit(1)).one()
        assert (row.state, row.raw) == ("stranger", None)
        assert "took more than" in row.note
    services.runtime.send()
    assert len(services.runtime.letters(OPERATOR)) == told
    await intake.close()


async def test_what_is_put_aside_is_let_go_at_the_end(services: House) -> None:
    gate = asyncio.Event()

    async def wait(name: bytes) -> bytes | None:
        await gate.wait()
        return None

    intake = InboundWorker(services.wiring)
    intake.reader.keys = Keys(wait)
    services.runtime.keep(
        signed(services.reply(b"cut 5\r\n"), b"example.net", headers=(b"from",)), services.runtime.now
    )
    waiting = services.runtime.uid
    await intake.take_new_mails()
    async with asyncio.timeout(SECONDS):
        await intake.close()
    assert not gate.is_set()
    gate.set()
    assert services.states()[waiting] == "new", "the next start plays it"


async def test_a_group_that_cannot_be_played_lets_go_of_the_one_that_is_read_beside_it(
    services: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    intake = InboundWorker(services.wiring, is_known=False)
    intake._group = 1
    for name in ("Eve", "Flo", "Gus"):
        address = f"{name.lower()}@example.com"
        form = write(address, name, "games@example.org", services.runtime.game.subject, f"Name: {name} Fox")
        services.runtime.keep(form, services.runtime.now)
    with monkeypatch.context() as broken:
        broken.setattr(receive, "receive", _locked)
        with pytest.raises(OperationalError):
            await intake.take_new_mails()
    last = services.runtime.uid
    assert [services.states()[uid] for uid in (last - 2, last - 1, last)] == ["new"] * 3
    await intake.take_new_mails()
    assert [services.states()[uid] for uid in (last - 2, last - 1, last)] == ["answered"] * 3
    await intake.close()


def _locked(*_args: object) -> NoReturn:
    raise OperationalError("BEGIN IMMEDIATE", None, Exception("database is locked"))
