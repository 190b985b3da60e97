"""Where servers are looked for: a DNS server and an HTTPS server on loopback, kind and unkind."""

import asyncio
import contextlib
import gzip
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from host.mail import discovery
from host.mail.discovery import Network, find
from host.mail.places import Place
from tests.mail.test_description import description, imap, server
from tests.patience import SECONDS
from tests.wire.names import Names

PAGE = description(imap(), server("smtp", "outgoingServer", "smtp.example.org", "465", "SSL"))
Answer = Callable[[asyncio.StreamWriter], "asyncio.Future[None]"]


@pytest.fixture
def names() -> Iterator[Callable[[dict[tuple[str, str], str]], Names]]:
    made: list[Names] = []

    def make(records: dict[tuple[str, str], str]) -> Names:
        made.append(Names(records))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificate")
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names, *files]
    subprocess.run(command, check=True, capture_output=True)
    return folder


@contextlib.asynccontextmanager
async def served(
    folder: Path | None, parts: list[bytes], pause: float = 0.0, asked: list[bytes] | None = None
) -> AsyncIterator[str]:
    """An HTTPS server that answers whatever is asked with these bytes, part by part; without a certificate's folder HTTP."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH) if folder else None
    if folder and context:
        context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    busy: set[asyncio.Task[None]] = set()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        busy.add(task)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            if asked is not None:
                asked.append(head)
            for part in parts:
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(pause)
        writer.transport.abort()

    listening = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    try:
        yield f"http{'s' if folder else ''}://localhost:{listening.sockets[0].getsockname()[1]}"
    finally:
        listening.close()
        for each in busy:
            each.cancel()


def ok(body: bytes, head: bytes = b"") -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n%s\r\n%s" % (len(body), head, body)


def network(names: Names, *pages: str, seconds: float = SECONDS) -> Network:
    return Network(names.resolver, pages=pages, names={"imap": (), "smtp": ()}, seconds=seconds)


Make = Callable[[dict[tuple[str, str], str]], Names]


async def test_a_known_domain_asks_nobody(names: Make) -> None:
    served_names = names({})
    found = await find("games@gmail.com", network(served_names))
    assert found.provider is not None
    assert found.places["imap"] == (Place("imap.gmail.com", 993),)
    assert served_names.asked == []


async def test_a_provider_by_its_exchanger(names: Make) -> None:
    records = {("example.org", "MX"): "10 alt.example.net.\n5 example-org.mail.protection.outlook.com."}
    found = await find("games@Example.org", network(names(records)))
    assert found.provider is not None
    assert found.provider.name == "Microsoft 365"
    assert found.usernames == ("games@Example.org",)


async def test_services_in_their_order(names: Make) -> None:
    records = {
        (
            "_imaps._tcp.example.org",
            "SRV",
        ): "10 1 993 late.example.org.\n0 1 1993 light.example.org.\n0 9 993 mail.example.org.",
        ("_imap._tcp.example.org", "SRV"): "0 1 143 mail.example.org.",
        ("_submission._tcp.example.org", "SRV"): "0 1 587 smtp.elsewhere.example.",
        ("_submissions._tcp.example.org", "SRV"): "0 0 0 .",
    }
    found = await find("games@example.org", network(names(records)))
    assert [str(each) for each in found.places["imap"]] == [
        "mail.example.org:993",
        "light.example.org:1993",
        "late.example.org:993",
        "mail.example.org:143",
    ]
    assert found.places["smtp"] == (Place("smtp.elsewhere.example", 587, "starttls", is_vouched=False),)
    assert found.usernames == ("games@example.org", "games")


async def test_the_server_of_a_known_provider_is_vouched_for(names: Make) -> None:
    records = {("_imaps._tcp.example.org", "SRV"): "0 1 993 imap.fastmail.com."}
    found = await find("games@example.org", network(names(records)))
    assert found.places["imap"] == (Place("imap.fastmail.com", 993),)


async def test_usual_names_come_last(names: Make) -> None:
    records = {("_imaps._tcp.example.org", "SRV"): "0 1 993 mail.example.org."}
    found = await find("games@example.org", Network(names(records).resolver, pages=()))
    assert [str(each) for each in found.places["imap"]][:3] == [
        "mail.example.org:993",
        "imap.example.org:993",
        "example.org:993",
    ]
    assert [str(each) for each in found.places["smtp"]] == [
        *("smtp.example.org:465", "mail.example.org:465", "example.org:465"),
        *("smtp.example.org:587", "mail.example.org:587", "example.org:587"),
    ]


async def test_the_domains_own_description(names: Make, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "certificate.pem"))
    asked: list[bytes] = []
    async with served(certificate, [ok(PAGE)], asked=asked) as url:
        redirect = b"HTTP/1.1 302 Found\r\nLocation: %s/there\r\nContent-Length: 0\r\n\r\n" % url.encode()
        async with served(certificate, [redirect]) as first:
            page = first + "/mail/config-v1.1.xml?emailaddress={address}&domain={domain}"
            found = await find("ga&mes@example.org", network(names({}), page))
    assert found.places["imap"] == (Place("imap.example.org", 993),)
    assert found.places["smtp"] == (Place("smtp.example.org", 465),)
    assert asked[0].startswith(b"GET /there ")


async def test_the_address_is_quoted(names: Make, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "certificate.pem"))
    asked: list[bytes] = []
    async with served(certificate, [ok(PAGE)], asked=asked) as url:
        await find("ga&m=es@example.org", network(names({}), url + "/?emailaddress={address}"))
    assert asked[0].startswith(b"GET /?emailaddress=ga%26m%3Des%40example.org ")


GZIPPED = b"Content-Encoding: gzip\r\n"
ENDLESS = b"HTTP/1.1 200 OK\r\n\r\n"


@pytest.mark.parametrize(
    ("parts", "pause"),
    [
        ([ENDLESS, *[b"<a>" * 10000] * 100], 0.0),
        ([ENDLESS, *[b"<"] * 1000], 0.05),
        ([b"HTTP/1.1 200 OK\r\nX: ", *[b"x"] * 1000], 0.05),
        ([], 0.0),
        ([b"no HTTP at all\r\n\r\n"], 0.0),
        ([ok(gzip.compress(PAGE), GZIPPED)], 0.0),
        ([b"HTTP/1.1 404 Not Found\r\nContent-Length: %d\r\n\r\n%s" % (len(PAGE), PAGE)], 0.0),
        ([b"HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n"], 0.0),
        ([b"HTTP/1.1 302 Found\r\nLocation: https://[::1/\r\nContent-Length: 0\r\n\r\n"], 0.0),
        ([ok(b"\xff" * 100)], 0.0),
    ],
    ids="huge slow slow-head nothing no-http packed missing circle bad-address rubbish".split(),
)
async def test_a_hostile_page_names_nothing_and_ends(
    names: Make, certificate: Path, monkeypatch: pytest.MonkeyPatch, parts: list[bytes], pause: float
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "certificate.pem"))
    async with served(certificate, parts, pause) as url, asyncio.timeout(SECONDS):
        found = await find("games@example.org", network(names({}), url + "/", seconds=0.6))
    assert found.places == {"imap": (), "smtp": ()}


async def test_no_page_is_taken_from_where_nothing_is_encrypted(
    names: Make, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "certificate.pem"))
    asked: list[bytes] = []
    async with served(None, [ok(PAGE)], asked=asked) as plain:
        redirect = b"HTTP/1.1 302 Found\r\nLocation: %s/\r\nContent-Length: 0\r\n\r\n" % plain.encode()
        async with served(certificate, [redirect]) as url:
            found = await find("games@example.org", network(names({}), url + "/"))
    assert found.places == {"imap": (), "smtp": ()}
    assert asked == []


async def test_a_certificate_of_nobody_is_not_believed(names: Make, certificate: Path) -> None:
    async with served(certificate, [ok(PAGE)]) as url:
        found = await find("games@example.org", network(names({}), url + "/"))
    assert found.places == {"imap": (), "smtp": ()}


async def test_no_more_of_a_page_is_read_than_a_description_takes(
    names: Make, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "certificate.pem"))
    seen: list[int] = []

    def read(raw: bytes, domain: str) -> discovery.Described:
        seen.append(len(raw))
        return discovery.Described()

    monkeypatch.setattr(discovery, "read_description", read)
    async with served(certificate, [ENDLESS, *[b"x" * 100_000] * 50]) as url:
        await find("games@example.org", network(names({}), url + "/"))
    assert seen == [0]
