"""DKIM with real keys and a real name server on loopback."""

import asyncio
import base64
import socket
import threading
import time
from collections.abc import Callable, Iterator

import dkim
import dns.asyncresolver
import dns.flags
import dns.message
import dns.rcode
import dns.rrset
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from host.mail.inbound.dkim import MAX_HEAD, MAX_LINES, judge, key_names
from host.mail.inbound.dkim_keys import KEEP_KEY, KEEP_NOTHING, LIMIT, Keys, Lookup, lookup_with
from host.mail.inbound.mail import MAX_BYTES
from host.states import Proof
from tests.patience import SECONDS, not_for_ever
from tests.size import size

ANN = "ann@post.example.org"
MAIL = (
    b"From: Ann <ann@post.example.org>\r\nTo: show@podium.test\r\nSubject: Re: your turn\r\n"
    b"Message-ID: <1@post.example.org>\r\n\r\ncall\r\n"
)


class NameServer:
    """Answers TXT questions on a UDP port of loopback; what it does not know does not exist."""

    def __init__(self) -> None:
        self.records: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.is_silent = False
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            try:
                wire, peer = self.socket.recvfrom(4096)
            except OSError:
                return
            question = dns.message.from_wire(wire)
            name = question.question[0].name
            self.asked.append(str(name))
            if self.is_silent:
                continue
            answer = dns.message.make_response(question)
            answer.flags |= dns.flags.RA
            record = self.records.get(str(name))
            if record is None:
                answer.set_rcode(dns.rcode.NXDOMAIN)
            else:
                strings = " ".join(f'"{record[at : at + 200].decode()}"' for at in range(0, len(record) or 1, 200))
                answer.answer.append(dns.rrset.from_text(name, 60, "IN", "TXT", strings))
            self.socket.sendto(answer.to_wire(max_size=65535), peer)

    def resolver(self) -> dns.asyncresolver.Resolver:
        resolver = dns.asyncresolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], self.socket.getsockname()[1]
        return resolver

    def publish(self, domain: str, record: bytes, selector: str = "s1") -> None:
        self.records[f"{selector}._domainkey.{domain}."] = record


class SetClock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def new_key(bits: int) -> tuple[bytes, bytes]:
    private = rsa.generate_private_key(public_exponent=65537, key_size=bits)
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )
    public = private.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return pem, b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)


PRIVATE, PUBLIC = new_key(2048)


def signed(
    mail: bytes = MAIL,
    domain: bytes = b"post.example.org",
    private: bytes = PRIVATE,
    headers: tuple[bytes, ...] = (b"from", b"to", b"subject", b"message-id"),
    length: bool = False,
    algorithm: bytes = b"rsa-sha256",
) -> bytes:
    return bytes(
        dkim.sign(
            mail,
            b"s1",
            domain,
            private,
            include_headers=list(headers),
            length=length,
            signature_algorithm=algorithm,
            canonicalize=(b"relaxed", b"relaxed"),
        )
        + mail
    )


@pytest.fixture
def server() -> Iterator[NameServer]:
    server = NameServer()
    server.publish("post.example.org", PUBLIC)
    yield server
    server.socket.close()


class Signatures:
    """A check as a reader makes it: which keys it needs, their records, the verdict."""

    def __init__(self, lookup: Lookup, steady: Callable[[], float] = time.monotonic, limit: float = LIMIT) -> None:
        self.keys = Keys(lookup, steady, limit)

    async def check(self, raw: bytes, sender: str) -> Proof:
        names = key_names(raw, sender)
        return judge(raw, sender, await self.keys.look_up(names))


def always(record: bytes) -> Lookup:
    async def lookup(_name: bytes) -> bytes:
        return record

    return lookup


@pytest.fixture
def signatures(server: NameServer, monkeypatch: pytest.MonkeyPatch) -> Signatures:
    monkeypatch.setattr("host.mail.inbound.dkim_keys.LIFETIME", float(SECONDS))
    return Signatures(lookup_with(server.resolver()), limit=SECONDS)


async def test_a_signed_mail_passes_with_either_line_end(signatures: Signatures) -> None:
    raw = signed()
    assert await signatures.check(raw, ANN) == "pass"
    assert await signatures.check(raw.replace(b"\r\n", b"\n"), ANN) == "pass"


async def test_a_signature_of_the_domain_above_counts(server: NameServer, signatures: Signatures) -> None:
    server.publish("example.org", PUBLIC)
    assert await signatures.check(signed(domain=b"Example.org"), ANN) == "pass"


async def test_a_tampered_body_fails(signatures: Signatures) -> None:
    assert await signatures.check(signed().replace(b"\r\n\r\ncall", b"\r\n\r\nfold"), ANN) == "fail"


async def test_a_tampered_from_fails(signatures: Signatures) -> None:
    raw = signed().replace(b"<ann@", b"<bob@")
    assert await signatures.check(raw, "bob@post.example.org") == "fail"


async def test_a_second_from_fails(signatures: Signatures) -> None:
    assert await signatures.check(b"From: bob@post.example.org\r\n" + signed(), ANN) == "fail"


async def test_another_key_fails(server: NameServer, signatures: Signatures) -> None:
    server.publish("post.example.org", new_key(1024)[1])
    assert await signatures.check(signed(), ANN) == "fail"


@pytest.mark.parametrize("domain", [b"evil.example", b"org", b"ost.example.org", b"deep.post.example.org"])
async def test_who_is_not_aligned_is_not_even_asked_for(
    domain: bytes, server: NameServer, signatures: Signatures
) -> None:
    server.publish(domain.decode(), PUBLIC)
    assert await signatures.check(signed(domain=domain), ANN) == "none"
    assert server.asked == []


async def test_an_unsigned_mail_is_none_without_a_question(server: NameServer, signatures: Signatures) -> None:
    assert await signatures.check(MAIL, ANN) == "none"
    assert server.asked == []


@pytest.mark.parametrize(
    "record",
    [
        None,
        b"",
        b"v=DKIM1; p=",
        b"v=DKIM1; k=rsa",
        b"v=DKIM9; p=AAAA",
        b"v=DKIM1; p=AAAA",
        b"v=DKIM1; p=!",
        b"v=DKIM1; k=ed25519; p=AAAA",
        b"v=spf1 -all",
        PUBLIC + b"; s=tlsrpt",
        PUBLIC + b"; s=else",
        PUBLIC + b"; n=" + b"x" * 1000,
    ],
)
async def test_a_key_that_is_not_there_or_no_use_is_none(
    record: bytes | None, server: NameServer, signatures: Signatures
) -> None:
    server.records.clear()
    if record is not None:
        server.publish("post.example.org", record)
    assert await signatures.check(signed(), ANN) == "none"
    assert server.asked == ["s1._domainkey.post.example.org."]


async def test_a_short_key_is_none(server: NameServer, signatures: Signatures) -> None:
    modulus = (b"\x00" + b"\xc1" * 64).hex()
    der = bytes.fromhex("3048" + "0241" + modulus + "0203010001")
    server.publish("post.example.org", b"v=DKIM1; p=" + base64.b64encode(der))
    assert await signatures.check(signed(), ANN) == "none"


async def test_a_monstrous_key_is_not_computed_with(server: NameServer) -> None:
    size = 60_000
    number = b"\x02\x83" + size.to_bytes(3, "big") + b"\x7f" * size
    der = b"\x30\x83" + (2 * len(number)).to_bytes(3, "big") + number * 2
    record = b"v=DKIM1; p=" + base64.b64encode(der)
    with not_for_ever():
        assert await Signatures(always(record)).check(signed(), ANN) == "none"


async def test_one_good_signature_among_bad_ones_passes_and_three_are_looked_at(signatures: Signatures) -> None:
    good, bad = signed(), signed(MAIL.replace(b"call", b"fold")).removesuffix(MAIL.replace(b"call", b"fold"))
    assert await signatures.check(bad * 2 + good, ANN) == "pass"
    assert await signatures.check(bad * 3 + good, ANN) == "fail"
    other = signed(domain=b"evil.example").removesuffix(MAIL)
    assert await signatures.check(other * 5 + good, ANN) == "pass"


@pytest.mark.parametrize(
    ("what", "instead"),
    [
        (b"v=1;", b"v=2;"),
        (b"v=1;", b"v=1; x=1000000000;"),
        (b"v=1;", b"v=1; v=1;"),
        (b"v=1;", b"v=1; q=carrier/pigeon;"),
        (b"v=1;", b"v=1; t=99999999999;"),
        (b"v=1;", b"v=1; i=@elsewhere.example;"),
        (b"v=1;", b"v=1; x=;"),
        (b"v=1;", b"v=1"),
        (b"s=s1;", b"s=s 1;"),
        (b"s=s1;", b"s=" + b"a" * 300 + b";"),
        (b"s=s1;", b""),
        (b"a=rsa-sha256;", b"a=rsa-md5;"),
        (b"relaxed/relaxed", b"tense"),
        (b"DKIM-Signature:", b"DKIM-Signature: \xff\xfe;"),
    ],
)
async def test_a_malformed_or_expired_signature_is_none(what: bytes, instead: bytes, signatures: Signatures) -> None:
    raw = signed()
    assert what in raw
    assert await signatures.check(raw.replace(what, instead), ANN) == "none"


async def test_a_signature_that_does_not_cover_enough_is_none(signatures: Signatures) -> None:
    assert await signatures.check(signed(length=True) + b"fold\r\n", ANN) == "none"
    assert await signatures.check(signed(length=True), ANN) == "none"
    assert await signatures.check(signed(algorithm=b"rsa-sha1"), ANN) == "none"
    raw = signed().replace(b"from", b"sender")
    assert await signatures.check(raw, ANN) == "none"


async def test_a_mail_that_was_cut_short_is_none(signatures: Signatures) -> None:
    raw = signed(MAIL + b"x\r\n" * (MAX_BYTES // 3))
    assert await signatures.check(raw[:MAX_BYTES], ANN) == "none"


@pytest.mark.parametrize("more", [b"X-Long: " + b"x" * MAX_HEAD + b"\r\n", b"X-Many: x\r\n" * MAX_LINES])
async def test_a_mail_with_monstrous_headers_is_none(more: bytes, signatures: Signatures) -> None:
    assert await signatures.check(signed(more + MAIL), ANN) == "none"


async def test_a_server_that_never_answers_gives_none_in_time_and_is_left_alone(
    server: NameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("host.mail.inbound.dkim_keys.LIFETIME", 0.6)
    server.is_silent = True
    clock = SetClock()
    signatures = Signatures(lookup_with(server.resolver()), clock, limit=0.3)
    with not_for_ever():
        assert await signatures.check(signed(), ANN) == "none"
    asked = len(server.asked)
    clock.now += KEEP_NOTHING - 1
    assert await signatures.check(signed(), ANN) == "none"
    assert len(server.asked) == asked


async def test_after_five_minutes_the_server_is_asked_again() -> None:
    asked = 0

    async def lookup(name: bytes) -> bytes:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise TimeoutError
        return PUBLIC

    clock = SetClock()
    signatures = Signatures(lookup, clock)
    assert await signatures.check(signed(), ANN) == "none"
    clock.now += KEEP_NOTHING - 1
    assert await signatures.check(signed(), ANN) == "none"
    clock.now += 1
    assert await signatures.check(signed(), ANN) == "pass"
    assert asked == 2


async def test_a_key_is_kept_for_an_hour(server: NameServer) -> None:
    clock = SetClock()
    signatures = Signatures(lookup_with(server.resolver()), clock)
    raw = signed()
    for seconds in (0, KEEP_KEY / 2, KEEP_KEY - 1):
        clock.now = seconds
        assert await signatures.check(raw, ANN) == "pass"
    assert len(server.asked) == 1
    clock.now = KEEP_KEY
    assert await signatures.check(raw, ANN) == "pass"
    assert len(server.asked) == 2


async def test_a_thousand_names_are_kept_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.mail.inbound.dkim_keys.MAX_NAMES", 2)
    asked: list[bytes] = []

    async def lookup(name: bytes) -> bytes:
        asked.append(name)
        return PUBLIC

    signatures = Signatures(lookup)
    for domain in ("a.example", "b.example", "c.example", "a.example", "c.example"):
        raw = signed(MAIL.replace(b"post.example.org", domain.encode()), domain.encode())
        assert await signatures.check(raw, f"ann@{domain}") == "pass"
    assert [name.split(b".")[2] for name in asked] == [b"a", b"b", b"c", b"a"]


async def test_many_at_once_do_not_disturb_each_other(signatures: Signatures) -> None:
    raws = [signed(), signed().replace(b"\r\n\r\ncall", b"\r\n\r\nfold")] * 8
    assert await asyncio.gather(*(signatures.check(raw, ANN) for raw in raws)) == ["pass", "fail"] * 8


HEAD = b"From: ann@post.example.org\r\nDKIM-Signature: v=1; a=rsa-sha256; d=post.example.org; s=s1; "
HOSTILE = [
    b"",
    b"\r\n",
    b"\r\n\r\n",
    b" folded\r\n\r\n",
    b"no header at all\r\n\r\nbody",
    b"\x00\xff\r\n\r\n",
    b"DKIM-Signature:\r\n\r\n",
    b"DKIM-Signature: ;;;=\r\n\r\n",
    HEAD + b"h=from; bh=; b=\r\n\r\n",
    HEAD + b"h=from; bh=AAA; b=AAA=\r\n\r\n",
    HEAD + b"h=from; bh=AAAA; b" + b"\r\n " * 1200 + b"\r\n\r\nx",
    HEAD + b"h=from; bh=AAAA; b=" + b"A\r\n " * 1000 + b"\r\n\r\nx",
    HEAD + b"h=" + b":".join(b"x%d" % n for n in range(700)) + b":from; bh=AAAA; b=AAAA\r\n"
    + b"".join(b"y%d: \r\n" % n for n in range(2900)) + b"\r\nx",
    HEAD + b"h=from" + b" " * 3000 + b"x; bh=AAAA; b=AAAA\r\n\r\nx",
    HEAD + b"c=relaxed/relaxed; h=from; bh=AAAA; b=AAAA\r\n\r\n" + b" \t" * 900_000 + b"x",
    HEAD + b"c=relaxed/relaxed; h=from; bh=AAAA; b=AAAA\r\n\r\n" + (b" " * 249 + b"x") * 7800,
    HEAD + b"c=simple/simple; h=from; bh=AAAA; b=AAAA\r\n\r\n" + b"\r\n" * 990_000,
    b"Subject: x\r\n" + b" y\r\n" * 400_000 + HEAD + b"\r\n\r\n",
    b"x: y\r\n" * 300_000 + b"\r\n",
]  # fmt: skip
TRIED = HOSTILE[:: size(2, 1)]


@pytest.mark.parametrize("raw", TRIED, ids=range(len(TRIED)))
async def test_hostile_mail_neither_raises_nor_takes_long(raw: bytes) -> None:
    signatures = Signatures(always(PUBLIC))
    with not_for_ever():
        assert await signatures.check(raw, ANN) in ("none", "fail")


@pytest.mark.parametrize("sender", ["", "@", "ann", "ann@", "ann@org", "ann@bücher.example", "\udcff@\x00"])
async def test_a_strange_sender_is_none(sender: str, signatures: Signatures) -> None:
    assert await signatures.check(signed(), sender) == "none"
