"""Knocking at servers that are slow, silent or something else: none holds up the others, and no password is shown to them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from host.mail import proving
from host.mail.places import Place
from host.mail.proving import Login, Trouble, Unproved, knock, prove_imap, prove_smtp
from tests.patience import SECONDS

IMAP_OFFER = b"* CAPABILITY IMAP4rev1 STARTTLS\r\na OK done\r\n"


class Talker:
    """A server that says its lines, one after each line that it hears, and remembers what it heard."""

    def __init__(self, *says: bytes) -> None:
        self.says, self.heard = list(says), b""
        self.port = 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, ValueError):
            for said in self.says:
                writer.write(said)
                await writer.drain()
                self.heard += await reader.readline()
            await asyncio.Event().wait()


@contextlib.asynccontextmanager
async def talking(*says: bytes) -> AsyncIterator[Talker]:
    talker = Talker(*says)
    tasks: set[asyncio.Task[None]] = set()

    def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.create_task(talker.answer(reader, writer)))

    listening = await asyncio.start_server(accepted, "127.0.0.1", 0)
    talker.port = listening.sockets[0].getsockname()[1]
    try:
        yield talker
    finally:
        listening.close()
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ([], "no answer"),
        ([b"* OK ready\r\n"], "no answer"),
        ([b"* OK ready\r\n", b"* x\r\n" * 1000], "offers no encryption"),
        ([b"HTTP/1.1 400 Bad Request\r\n\r\n* BYE\r\n"], "no IMAP server answers there"),
        ([b"* BYE full\r\n"], "no IMAP server answers there"),
        ([b"x" * 200_000], "no IMAP server answers there"),
        ([b"\xff\x00\r\n* \xff\r\n"], "no IMAP server answers there"),
    ],
    ids="silent falls-silent floods http full long-line bytes".split(),
)
async def test_what_is_no_good_server_is_told(says: list[bytes], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Place, "is_here", False)
    async with talking(*says) as talker:
        [found] = await knock(
            "imap", [Place("127.0.0.1", talker.port, "starttls")], 0.3 if words == "no answer" else SECONDS
        )
    assert isinstance(found, Trouble)
    assert words in found.words


async def test_a_server_without_tls_from_the_first_byte() -> None:
    async with talking(b"* OK ready\r\n") as talker:
        [found] = await knock("imap", [Place("127.0.0.1", talker.port, "tls")], SECONDS)
    assert isinstance(found, Trouble)
    assert (found.kind, found.words) == ("plain", "the server speaks no TLS at this port")


async def test_a_good_one_does_not_wait_for_a_silent_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "GRACE_SECONDS", 0.05)
    async with talking(b"* OK ready\r\n", IMAP_OFFER) as good, talking() as silent, asyncio.timeout(SECONDS):
        good_place, silent_place = (Place("127.0.0.1", each.port, "starttls") for each in (good, silent))
        assert await knock("imap", [good_place, silent_place], 600) == [good_place]


async def test_the_order_is_kept_however_they_answer() -> None:
    one, other = (b"220 a\r\n", b"250-x\r\n250 STARTTLS\r\n"), (b"220-b\r\n220 b\r\n", b"250 STARTTLS\r\n")
    async with talking(*one) as first, talking(*other) as second:
        places = [Place("127.0.0.1", each.port, "starttls") for each in (second, first)]
        assert await knock("smtp", places, SECONDS) == places


async def test_after_a_refusal_no_other_server_is_asked() -> None:
    login = Login(("games@example.org", "games"), "secret")
    async with talking(b"* OK ready\r\n", b"* CAPABILITY IMAP4rev1\r\na OK done\r\n") as other:
        untouched = Place("127.0.0.1", other.port, "none")
        async with _refusing() as port:
            with pytest.raises(Unproved) as failure:
                await prove_imap([Place("127.0.0.1", port, "none"), untouched], login)
        assert failure.value.is_refusal
        assert "it said: [AUTHENTICATIONFAILED] not you" in str(failure.value)
        assert other.heard == b""


@contextlib.asynccontextmanager
async def _refusing() -> AsyncIterator[int]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"* OK ready\r\n")
        while line := await reader.readline():
            tag, command = line.split()[:2]
            if command == b"CAPABILITY":
                writer.write(b"* CAPABILITY IMAP4rev1\r\n" + tag + b" OK done\r\n")
            else:
                writer.write(tag + b" NO [AUTHENTICATIONFAILED] not you.\r\n")
        writer.close()

    listening = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        yield listening.sockets[0].getsockname()[1]
    finally:
        listening.close()


async def test_a_server_that_falls_silent_at_the_login(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "LOGIN_SECONDS", 0.3)
    async with talking(b"220 ready\r\n") as talker:
        with pytest.raises(Unproved) as failure:
            await prove_smtp([Place("127.0.0.1", talker.port, "none")], Login(("games@example.org",), "secret"))
    assert not failure.value.is_refusal
    assert "cannot be reached (the server did not answer in time)" in str(failure.value)
    assert b"secret" not in talker.heard
