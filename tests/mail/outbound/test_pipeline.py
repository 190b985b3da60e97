"""Letters that follow each other closely on one connection, and everything a server may do to them."""

import asyncio
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session

from host.config import Smtp
from host.mail.outbound import pipeline, smtp
from host.mail.outbound.smtp import Outbox, Outboxes, Sent
from host.states import SendOutcome
from tests.mail.outbound.scripted import Scripted
from tests.patience import SECONDS, until

HOST = "games@example.org"
ANN, BEN = "ann@example.net", "ben@example.net"


def letter(number: int = 0, more: bytes = b"") -> bytes:
    return b"Subject: %d\r\n\r\nThe cards are dealt.\r\n%b" % (number, more)


@pytest.fixture
async def server() -> AsyncIterator[Scripted]:
    async with Scripted().serving() as made:
        yield made


async def sent_in_turn(sending: Outbox | Outboxes, *addresses: str) -> list[Sent]:
    """Letters that are all under way at once, begun in this order."""
    tasks = [sending.send(HOST, each, letter(number)) for number, each in enumerate(addresses)]
    found = await asyncio.gather(*tasks)
    await sending.close()
    return found


def outcomes(found: list[Sent]) -> list[str]:
    return [each.outcome for each in found]


# What goes over the line


async def test_a_letters_commands_go_out_together(server: Scripted) -> None:
    [sent] = await sent_in_turn(Outbox(server.settings()), ANN)
    assert (sent.outcome, sent.said) == ("sent", "kept")
    size = len(letter())
    assert server.pieces[1] == f"MAIL FROM:<{HOST}> size={size}\r\nRCPT TO:<{ANN}>\r\nDATA\r\n".encode()
    assert server.commands[-1] == "QUIT"


async def test_the_next_letters_commands_do_not_wait_for_the_last_word_on_this_one(server: Scripted) -> None:
    server.held.clear()
    sending = Outbox(server.settings())
    first, second = (asyncio.create_task(sending.send(HOST, each, letter())) for each in (ANN, BEN))
    await until(lambda: any(f"<{BEN}>".encode() in each for each in server.pieces))
    assert not first.done()
    server.held.set()
    assert outcomes(list(await asyncio.gather(first, second))) == ["sent", "sent"]
    assert server.connections == 1
    assert server.messages == [letter(), letter()]
    await sending.close()


async def test_each_waits_for_the_other_where_the_server_does_not_pipeline() -> None:
    async with Scripted(offers=()).serving() as server:
        assert outcomes(await sent_in_turn(Outbox(server.settings()), ANN, BEN)) == ["sent", "sent"]
    assert all(piece.endswith(b"\r\n") for piece in server.pieces)
    assert server.pieces[1:4] == [f"MAIL FROM:<{HOST}>\r\n".encode(), f"RCPT TO:<{ANN}>\r\n".encode(), b"DATA\r\n"]
    assert server.pieces[5] == server.pieces[1]


async def test_a_server_that_knows_no_ehlo_is_greeted_with_helo(server: Scripted) -> None:
    server.offers = ()
    original = server.answer
    server.answer = lambda command: "502 what?" if command == "EHLO" else original(command)  # type: ignore[method-assign]
    assert outcomes(await sent_in_turn(Outbox(server.settings()), ANN)) == ["sent"]
    assert [each[:4] for each in server.commands[:3]] == ["EHLO", "HELO", "MAIL"]


@pytest.mark.parametrize(
    ("given", "arrives"),
    [
        (b".\r\n.a\r\n..\r\nb.\r\n", b"..\r\n..a\r\n...\r\nb.\r\n"),
        (b"a\r\n\r\n.", b"a\r\n\r\n..\r\n"),
        (b"a\nb\rc\r\n.\n\nd", b"a\r\nb\r\nc\r\n..\r\n\r\nd\r\n"),
        (b"a\n\rb\r\n", b"a\r\n\r\nb\r\n"),
        (b"no end", b"no end\r\n"),
        ("größer\r\n".encode(), "größer\r\n".encode()),
        (b"\xff\xfe\x00\r\n", b"\xff\xfe\x00\r\n"),
        (b"a\r\n" * 100_000, b"a\r\n" * 100_000),
    ],
    ids=["dots", "a dot at the end", "bare ends", "reversed ends", "no end", "utf-8", "bytes", "300 KB"],
)
async def test_a_message_arrives_as_it_is(server: Scripted, given: bytes, arrives: bytes) -> None:
    sending = Outbox(server.settings())
    assert (await sending.send(HOST, ANN, given)).outcome == "sent"
    assert (await sending.send(HOST, ANN, letter())).outcome == "sent"
    await sending.close()
    assert server.messages == [arrives, letter()]
    told = int(server.commands[1].rpartition("=")[2])
    assert told == len(arrives) - sum(line.startswith(b"..") for line in arrives.split(b"\r\n"))


@pytest.mark.parametrize("address", ["änne@example.net", "a b@example.net", "a\x01@b.c"])
async def test_an_address_that_cannot_be_written_is_refused_and_nothing_is_sent(server: Scripted, address: str) -> None:
    assert outcomes(await sent_in_turn(Outbox(server.settings()), address, ANN)) == ["refused", "sent"]
    assert [each[:4] for each in server.commands] == ["EHLO", "MAIL", "RCPT", "DATA", "QUIT"]


# What the server refuses


@pytest.mark.parametrize("after", ["503 no recipient", "554 no valid recipients", "354 go on"])
@pytest.mark.parametrize(("words", "outcome"), [("550 5.1.1 nobody", "refused"), ("450 4.2.1 busy", "later")])
async def test_a_refused_recipient_stops_only_its_own_letter(
    server: Scripted, words: str, outcome: str, after: str
) -> None:
    server.says("RCPT", words)
    server.says("DATA", after)
    found = await sent_in_turn(Outbox(server.settings()), ANN, BEN)
    assert outcomes(found) == [outcome, "sent"]
    assert found[0].said == words
    assert server.messages == [letter(1)]
    assert server.connections == 2, "servers count refusals against a connection"
    assert server.commands.count("QUIT") == 2


@pytest.mark.parametrize("words", ["550 5.7.1 not you", "451 not now"])
async def test_a_refused_sender_is_trouble_with_the_account(server: Scripted, words: str) -> None:
    server.says("MAIL", words)
    server.says("RCPT", "503 MAIL first")
    server.says("DATA", "503 MAIL first")
    found = await sent_in_turn(Outbox(server.settings()), ANN, BEN)
    assert outcomes(found) == ["away", "sent"]
    assert found[0].said == words


async def test_a_letter_that_is_too_large_is_refused_for_good(server: Scripted) -> None:
    server.says("MAIL", "552 5.3.4 too large")
    server.says("RCPT", "503 MAIL first")
    server.says("DATA", "503 MAIL first")
    assert outcomes(await sent_in_turn(Outbox(server.settings()), ANN, BEN)) == ["refused", "sent"]


@pytest.mark.parametrize(
    ("words", "outcome", "is_pausing"),
    [
        ("554 5.7.1 spam", "refused", False),
        ("451-a\r\n451 later", "later", False),
        ("550 5.4.5 daily sending quota", "later", True),
    ],
)
@pytest.mark.parametrize("step", ["DATA", "."])
async def test_a_refused_message(
    server: Scripted, step: str, words: str, outcome: SendOutcome, is_pausing: bool
) -> None:
    server.says(step, words)
    found = await sent_in_turn(Outbox(server.settings()), ANN, BEN)
    assert (found[0].outcome, found[0].is_pausing) == (outcome, is_pausing)
    assert found[0].said == words.replace("\r\n451", "").replace("-", " ")
    assert found[1].outcome == "sent"
    assert server.messages[-1] == letter(1)


@pytest.mark.parametrize("step", ["MAIL", "RCPT", "DATA", "."])
async def test_a_server_that_closes_with_421_takes_down_what_is_under_way(server: Scripted, step: str) -> None:
    server.says(step, "421 4.7.0 enough")
    found = await sent_in_turn(Outbox(server.settings()), ANN, BEN, BEN)
    assert found[0] == Sent("away" if step == "MAIL" else "later", "421 4.7.0 enough", is_pausing=True)
    assert found[1].outcome == ("later" if step == "." else "sent")
    assert not found[1].is_pausing
    assert found[2].outcome == "sent"
    assert server.connections == 2


# Connections that break


@pytest.mark.parametrize("step", ["MAIL", "RCPT", "DATA", "."])
async def test_a_lost_connection_means_later(server: Scripted, step: str) -> None:
    server.says(step, None)
    found = await sent_in_turn(Outbox(server.settings()), ANN, BEN, BEN)
    assert found[0].outcome == "later"
    assert "lost" in found[0].said
    assert found[2].outcome == "sent"
    assert len(server.messages) == 1 + (step == ".") + (found[1].outcome == "sent")


async def test_a_refusal_before_the_connection_is_lost_counts(server: Scripted) -> None:
    server.says("RCPT", "550 nobody")
    server.says("DATA", None)
    assert outcomes(await sent_in_turn(Outbox(server.settings()), ANN, BEN)) == ["refused", "sent"]


@pytest.mark.parametrize("step", ["MAIL", "RCPT", "DATA", "."])
async def test_an_answer_that_does_not_come_is_waited_for_so_long(
    server: Scripted, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smtp, "TIMEOUT", 0.2)
    server.says(step, "")
    found = await sent_in_turn(Outbox(server.settings()), ANN)
    assert (found[0].outcome, found[0].is_pausing) == ("later", False)
    assert "did not answer in time" in found[0].said


async def test_the_time_limit_is_for_each_answer(server: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "TIMEOUT", 1.5)
    server.delay = 0.5
    assert outcomes(await sent_in_turn(Outbox(server.settings()), ANN)) == ["sent"]


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("MAIL", "hello"),
        ("RCPT", "25"),
        ("DATA", "2500 x"),
        (".", "\x00\xff"),
        (".", "250-never\r\n554x"),
        (".", "25O ok"),
        (".", "250-" + "x" * 40_000),
        (".", "y" * 40_000),
    ],
)
async def test_garbage_is_no_answer(server: Scripted, step: str, words: str) -> None:
    server.says(step, words)
    found = await sent_in_turn(Outbox(server.settings()), ANN)
    assert (found[0].outcome, found[0].is_pausing) == ("later", False)
    assert len(found[0].said) <= 300
    sending = Outbox(server.settings())
    assert (await sending.send(HOST, ANN, letter(9))).outcome == "sent"
    await sending.close()


@pytest.mark.parametrize(("step", "words"), [(".", "354 more"), (".", "100 hm"), ("DATA", "250 ok"), ("RCPT", "354 x")])
async def test_a_good_answer_in_the_wrong_place_sends_nothing_more_there(
    server: Scripted, step: str, words: str
) -> None:
    server.says(step, words)
    found = await sent_in_turn(Outbox(server.settings()), ANN)
    assert found[0].outcome == "later"
    assert "QUIT" not in server.commands


@pytest.mark.parametrize("step", ["MAIL", "RCPT", "DATA", "."])
async def test_a_server_that_answers_too_much_never_makes_a_letter_sent_that_is_not(
    server: Scripted, step: str
) -> None:
    words = pipeline_answer(step)
    server.says(step, f"{words}\r\n{words}")
    found = await sent_in_turn(Outbox(server.settings()), ANN, BEN, ANN)
    taken = set(server.messages)
    assert all(letter(number) in taken for number, each in enumerate(found) if each.outcome == "sent")
    assert {each.outcome for each in found} <= {"sent", "later", "away"}
    again = Outbox(server.settings())
    assert (await again.send(HOST, ANN, letter(9))).outcome == "sent"
    await again.close()


def pipeline_answer(step: str) -> str:
    return {"DATA": "354 go on"}.get(step, "250 ok")


async def test_a_connection_on_which_something_unasked_was_said_is_not_used_again(server: Scripted) -> None:
    sending = Outbox(server.settings())
    server.says(".", "250 kept\r\n250 kept")
    assert (await sending.send(HOST, ANN, letter())).outcome == "sent"
    assert not sending.is_open
    assert (await sending.send(HOST, BEN, letter(1))).outcome == "sent"
    await sending.close()
    assert server.connections == 2


async def test_a_goodbye_that_nobody_asked_for_costs_no_letter(server: Scripted) -> None:
    sending = Outbox(server.settings())
    assert (await sending.send(HOST, ANN, letter())).outcome == "sent"
    for each in server.open:
        each.write(b"421 4.4.2 idle for too long\r\n")
        each.close()
    await until(lambda: not sending.is_open)
    assert (await sending.send(HOST, BEN, letter(1))).outcome == "sent"
    await sending.close()
    assert server.connections == 2


async def test_a_connection_that_was_idle_for_long_is_not_trusted(
    server: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    sending = Outbox(server.settings())
    assert (await sending.send(HOST, ANN, letter())).outcome == "sent"
    monkeypatch.setattr(smtp, "KEEP_SECONDS", -1.0)
    assert (await sending.send(HOST, ANN, letter())).outcome == "sent"
    await sending.close()
    assert server.connections == 2


async def test_letters_that_waited_learn_at_once_that_the_server_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Scripted()
    server.greetings = [""] * 10
    monkeypatch.setattr(smtp, "TIMEOUT", 0.3)
    async with server.serving():
        found = await sent_in_turn(Outboxes(server.settings()), *[ANN] * 10)
    assert {each.outcome for each in found} == {"away"}
    assert server.connections <= 1 + 10 // smtp.LETTERS_A_CONNECTION


@pytest.mark.parametrize("step", ["DATA", "."])
async def test_a_letter_that_is_given_up_disturbs_no_other(server: Scripted, step: str) -> None:
    sending = Outbox(server.settings())
    server.says(step, "")
    lost = asyncio.create_task(sending.send(HOST, ANN, letter()))
    await until(lambda: server.counts[step])
    lost.cancel()
    await asyncio.gather(lost, return_exceptions=True)
    if step == "DATA":
        assert (await sending.send(HOST, BEN, letter(1))).outcome == "sent"
        assert server.messages == [letter(1)]
    await sending.close()


async def test_a_server_that_ignores_quit_holds_nobody_up(server: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "QUIT_SECONDS", 0.1)
    server.says("QUIT", "")
    async with asyncio.timeout(SECONDS):
        assert outcomes(await sent_in_turn(Outbox(server.settings()), ANN)) == ["sent"]


async def test_closing_waits_for_the_letters_under_way(server: Scripted) -> None:
    server.held.clear()
    sending = Outbox(server.settings())
    writing = asyncio.create_task(sending.send(HOST, ANN, letter()))
    await until(lambda: server.counts["DATA"])
    closing = asyncio.create_task(sending.close())
    await asyncio.sleep(0)  # it has begun
    server.held.set()
    assert (await writing).outcome == "sent"
    await closing
    assert server.commands[-1] == "QUIT"


# Several connections


async def sent_while_a_second_opens(server: Scripted, sending: Outboxes, count: int) -> list[Sent]:
    """So many letters, none of them answered before a second connection is asked for: all could be out by then."""
    await sending.connect()
    server.held.clear()
    sent = asyncio.gather(*(sending.send(HOST, ANN, letter(number)) for number in range(count)))
    await until(lambda: server.connections >= 2)
    server.held.set()
    return await sent


async def test_one_letter_after_the_other_needs_one_connection(server: Scripted) -> None:
    sending = Outboxes(server.settings(connections=5))
    for number in range(10):
        assert (await sending.send(HOST, ANN, letter(number))).outcome == "sent"
    await sending.close()
    assert server.connections == 1


async def test_letters_that_wait_open_more_connections_but_not_too_many(server: Scripted) -> None:
    sending = Outboxes(server.settings(connections=3))
    async with asyncio.timeout(SECONDS):
        found = await sent_while_a_second_opens(server, sending, 200)
        await sending.close()
    assert {each.outcome for each in found} == {"sent"}
    assert sorted(server.messages) == sorted(letter(number) for number in range(200))
    assert 2 <= server.connections <= 3


@pytest.mark.parametrize("greeting", ["421 too many connections", None, ""], ids=["421", "hung up", "silence"])
async def test_a_second_connection_that_is_refused_holds_up_nobody(
    server: Scripted, greeting: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    server.greetings = ["220 here", greeting]
    sending = Outboxes(server.settings(connections=4))
    async with asyncio.timeout(SECONDS):
        found = await sent_while_a_second_opens(server, sending, 100)
        await sending.close()
    assert {each.outcome for each in found} == {"sent"}
    assert len(server.messages) == 100
    assert server.connections == 2, "it is not asked again at once"


async def test_a_second_login_that_is_refused_later_on_is_done_without(server: Scripted) -> None:
    sending = Outboxes(server.settings(connections=2))
    first = 0
    while server.connections < 2:  # on a busy machine all may be out before the second is open
        await asyncio.gather(*(sending.send(HOST, ANN, letter(number)) for number in range(first, first + 50)))
        first += 50
    server.greetings = ["", "", "220 here", *["421 too many"] * 20]
    for each in list(server.open):
        each.abort()
    await until(lambda: not any(each.is_open for each in sending._all), "the lines to be found cut")
    found = await asyncio.gather(*(sending.send(HOST, ANN, letter(number)) for number in range(first, first + 50)))
    await sending.close()
    assert {each.outcome for each in found} == {"sent"}
    assert len(server.messages) == first + 50


async def test_a_server_that_comes_back_is_found_again() -> None:
    server = Scripted()
    async with server.serving():
        sending = Outboxes(server.settings(connections=2))
        await asyncio.gather(*(sending.send(HOST, ANN, letter()) for _ in range(30)))
    found = await asyncio.gather(*(sending.send(HOST, ANN, letter()) for _ in range(30)))
    assert {each.outcome for each in found[-10:]} == {"away"}
    async with server.serving():
        found = await asyncio.gather(*(sending.send(HOST, ANN, letter()) for _ in range(30)))
        assert {each.outcome for each in found} == {"sent"}
        await sending.close()


# A real server


class Pipelined:
    """aiosmtpd's handler that keeps what arrives; the server behind it takes commands together, so it may say so."""

    def __init__(self) -> None:
        self.arrived: list[tuple[str, bytes]] = []

    async def handle_EHLO(  # noqa: N802
        self, _server: SMTP, session: Session, _envelope: Envelope, name: str, answers: list[str]
    ) -> list[str]:
        session.host_name = name
        return [answers[0], "250-PIPELINING", *answers[1:]]

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        self.arrived.append((envelope.rcpt_tos[0], envelope.content))
        return "250 kept"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("tls")
    key, made = folder / "key.pem", folder / "certificate.pem"
    words = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-days", "2"]
    files = ["-keyout", str(key), "-out", str(made)]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *files, *words]
    subprocess.run(command, check=True, capture_output=True)
    return key, made


@asynccontextmanager
async def a_server(security: str, key: Path, made: Path) -> AsyncIterator[tuple[Pipelined, Smtp]]:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(made, key)
    loop, handler = asyncio.get_running_loop(), Pipelined()
    upgrade = context if security == "starttls" else None
    server = await loop.create_server(
        lambda: SMTP(handler, tls_context=upgrade, loop=loop),
        "127.0.0.1",
        ssl=context if security == "tls" else None,
    )
    port = server.sockets[0].getsockname()[1]
    try:
        yield handler, Smtp.model_validate({"host": "localhost", "port": port, "security": security})
    finally:
        server.close()


@pytest.mark.parametrize("security", ["none", "tls", "starttls"])
async def test_many_letters_arrive_once_and_whole_whatever_the_line(
    security: str, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[1]))
    wanted = [(f"p{number}@example.net", letter(number, b".dots\r\n..\r\n" * 200)) for number in range(60)]
    async with a_server(security, *certificate) as (handler, settings):
        sending = Outboxes(settings)
        await sending.connect()
        found = await asyncio.gather(*(sending.send(HOST, each, message) for each, message in wanted))
        await sending.close()
        assert {each.outcome for each in found} == {"sent"}
        assert sorted(handler.arrived) == sorted(wanted)
