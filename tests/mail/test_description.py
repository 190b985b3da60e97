"""What is read in a provider's description of itself, and that a hostile one costs nothing."""

from host.mail import discovery
from host.mail.discovery import Described
from host.mail.discovery import read_description as read
from host.mail.places import Place
from tests.rows import every


def description(incoming: str = "", outgoing: str = "", head: str = "") -> bytes:
    provider = f'<emailProvider id="example.org"><domain>example.org</domain>{incoming}{outgoing}</emailProvider>'
    return f'<?xml version="1.0"?>{head}<clientConfig version="1.1">{provider}</clientConfig>'.encode()


def server(kind: str, tag: str, host: str, port: str, security: str, username: str = "%EMAILADDRESS%") -> str:
    facts = f"<hostname>{host}</hostname><port>{port}</port><socketType>{security}</socketType>"
    return f'<{tag} type="{kind}">{facts}<username>{username}</username></{tag}>'


def imap(
    host: str = "imap.example.org", port: str = "993", security: str = "SSL", username: str = "%EMAILADDRESS%"
) -> str:
    return server("imap", "incomingServer", host, port, security, username)


def test_a_description_in_its_order() -> None:
    smtp = server("smtp", "outgoingServer", " SMTP.example.org ", "587", "STARTTLS")
    pop = server("pop3", "incomingServer", "pop.example.org", "995", "SSL")
    found = read(
        description(pop + imap() + imap("mail.%EMAILDOMAIN%", "143", "STARTTLS", "%EMAILLOCALPART%"), smtp),
        "example.org",
    )
    assert found.imap == (Place("imap.example.org", 993), Place("mail.example.org", 143, "starttls"))
    assert found.smtp == (Place("smtp.example.org", 587, "starttls"),)
    assert found.usernames == ("%EMAILADDRESS%", "%EMAILLOCALPART%")


@every(
    "odd",
    [
        imap(security="plain"),
        imap(port="0"),
        imap(port="70000"),
        imap(port="９９３"),
        imap(port="-1"),
        imap(host="imap.example.org/x"),
        imap(host="a b"),
        imap(host=""),
        imap(host="x" * 400),
        imap(host="imap.example.org\n[smtp]"),
    ],
)
def test_what_is_odd_is_passed_over(odd: str) -> None:
    assert read(description(odd), "example.org").imap == ()
    assert read(description(odd + imap()), "example.org").imap == (Place("imap.example.org", 993),)


def test_a_username_that_is_no_placeholder_is_not_taken() -> None:
    assert read(description(imap(username="admin")), "example.org").usernames == ()


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {after} "{f"&{before};" * 10}">' for before, after in zip("abcdefgh", "bcdefghi", strict=True)
)


@every(
    "raw",
    [
        b"",
        b"<",
        b"<html><body>There is nothing here</body></html>",
        b"\x00\xff\xfe",
        description(imap("&i;"), head=f"{BOMB}]>"),
        description(imap("&f;"), head='<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/hostname">]>'),
        description(imap(), head='<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd">'),
        description(imap(), head='<!DOCTYPE x [<!ENTITY f "x">]>').decode().encode("utf-16"),
        b"<a>" * 20000,
        description(imap() + " " * discovery.MAX_BYTES),
    ],
)
def test_a_hostile_one_says_nothing(raw: bytes) -> None:
    assert read(raw, "example.org") == Described()


def test_only_some_servers_are_looked_at() -> None:
    many = "".join(imap(f"imap{number}.example.org") for number in range(100))
    assert len(read(description(many), "example.org").imap) == discovery.MAX_SERVERS
