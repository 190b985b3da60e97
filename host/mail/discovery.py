"""Edge: where the mail servers of an address are. In: a mail address. Out: places to try, the most trusted first.

A known provider, by domain or by MX, is all that is asked. Else DNS names them (SRV, RFC 6186 and 8314), then the domain
itself over HTTPS (autoconfig), then the usual names are guessed. Whoever forges DNS could name a server of their own: what
SRV names outside of the domain is marked, and a person is asked before a password goes there. All waits are bounded.

Of the domain's own description (Mozilla's autoconfig) nothing is believed but hosts, ports and kinds of encryption: no entity is
resolved, nothing is fetched, what is missing or odd is passed over.
"""

import asyncio
import re
import ssl
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import quote

import dns.asyncresolver
import dns.exception
import dns.resolver

from host.mail.places import PORTS, Place, Protocol, Provider, Transport, hosts, of_domain, of_exchangers

if TYPE_CHECKING:
    from lxml import etree

MAX_HOPS = 3
"""Redirections that are followed, and only to HTTPS."""
MAX_RECORDS = 4
MAX_BYTES = 64 * 1024
"""A description takes two or three thousand."""
MAX_SERVERS = 4
"""That many of each kind are looked at."""
_SECURITY: dict[str, Transport] = {"SSL": "tls", "STARTTLS": "starttls"}
_HOST = r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?"
_USERNAMES = {"%EMAILADDRESS%", "%EMAILLOCALPART%"}
SERVICES: tuple[tuple[Protocol, str, Transport], ...] = (
    ("imap", "_imaps._tcp", "tls"),
    ("imap", "_imap._tcp", "starttls"),
    ("smtp", "_submissions._tcp", "tls"),
    ("smtp", "_submission._tcp", "starttls"),
)


@dataclass(frozen=True)
class Network:
    """The servers and pages that are asked; tests name others. `seconds` bound each question, each page and each server."""

    resolver: dns.asyncresolver.Resolver | None = None
    pages: tuple[str, ...] = (
        "https://autoconfig.{domain}/mail/config-v1.1.xml?emailaddress={address}",
        "https://{domain}/.well-known/autoconfig/mail/config-v1.1.xml?emailaddress={address}",
    )
    names: Mapping[Protocol, tuple[str, ...]] = field(
        default_factory=lambda: {
            "imap": ("imap.{domain}", "mail.{domain}", "{domain}"),
            "smtp": ("smtp.{domain}", "mail.{domain}", "{domain}"),
        }
    )
    ports: Mapping[tuple[Protocol, Transport], int] = field(default_factory=lambda: PORTS)
    seconds: float = 8.0


@dataclass(frozen=True)
class Found:
    """Places to try, names to log in with, and what went wrong on the way, a sentence each."""

    places: Mapping[Protocol, tuple[Place, ...]]
    usernames: tuple[str, ...]
    provider: Provider | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Described:
    """The servers of a description, the most wanted first. `usernames` hold the placeholders of address and local part."""

    imap: tuple[Place, ...] = ()
    smtp: tuple[Place, ...] = ()
    usernames: tuple[str, ...] = ()


class _Names:
    """DNS. `trouble` tells what it did not answer."""

    def __init__(self, network: Network, domain: str) -> None:
        self.network, self.domain = network, domain
        self.trouble = ""

    async def ask(self, name: str, kind: str) -> list[tuple[int, int, str, int]]:
        """Priority, weight, host and port of the records, the most wanted first; an empty host for "not offered"."""
        try:
            resolver = self.network.resolver or dns.asyncresolver.get_default_resolver()
            answer = await resolver.resolve(name, kind, lifetime=self.network.seconds, search=False)
        except (dns.resolver.NXDOMAIN, dns.exception.SyntaxError, UnicodeError):
            if name == self.domain:
                self.trouble = f"DNS knows no domain {self.domain}: is the address right?"
            return []
        except dns.resolver.NoAnswer:
            return []
        except (dns.exception.DNSException, OSError):
            self.trouble = f"DNS did not answer when it was asked for {self.domain}."
            return []
        if kind == "MX":
            return sorted((each.preference, 0, _host(each.exchange), 0) for each in answer)
        found = [(each.priority, -each.weight, _host(each.target), each.port) for each in answer]
        return sorted(found)[:MAX_RECORDS]


async def find(address: str, network: Network) -> Found:
    """The places where the servers of this address may be."""
    local, _, domain = address.rpartition("@")
    domain = domain.lower()
    names = _Names(network, domain)
    provider = of_domain(domain) or of_exchangers(tuple(host for _, _, host, _ in await names.ask(domain, "MX")))
    if provider is not None:
        usernames = tuple(address if each == "address" else local for each in provider.logins)
        return Found({"imap": (provider.imap,), "smtp": (provider.smtp,)}, usernames, provider)
    places, notes = await _by_service(names)
    described = Described()
    if not all(places.values()):  # the domain's own description over HTTPS
        urls = [each.format(domain=domain, address=quote(address)) for each in network.pages]
        pages = await asyncio.gather(*(_page(url, network.seconds) for url in urls))
        read = [read_description(page, domain) for page in pages]
        described = next((each for each in read if each.imap or each.smtp), described)
    told: dict[Protocol, tuple[Place, ...]] = {"imap": described.imap, "smtp": described.smtp}
    found = {each: _once((*places[each], *told[each], *_guesses(each, domain, network))) for each in told}
    wanted = {"%EMAILADDRESS%": address, "%EMAILLOCALPART%": local}
    usernames = tuple(dict.fromkeys((*(wanted[each] for each in described.usernames), address, local)))
    return Found(found, usernames, None, tuple(filter(None, (*notes, names.trouble))))


async def _by_service(names: _Names) -> tuple[dict[Protocol, list[Place]], list[str]]:
    """The places that SRV records name, and what they say is not offered."""
    answers = await asyncio.gather(*(names.ask(f"{service}.{names.domain}", "SRV") for _, service, _ in SERVICES))
    places: dict[Protocol, list[Place]] = {"imap": [], "smtp": []}
    refused: set[Protocol] = set()
    for (protocol, _, security), records in zip(SERVICES, answers, strict=True):
        for _, _, host, port in records:
            if not (host and port):
                refused.add(protocol)
                continue
            place = Place(host, port, security)
            is_within = host == names.domain or host.endswith(f".{names.domain}")
            places[protocol].append(replace(place, is_vouched=is_within or place.is_here or host in hosts()))
    words: dict[Protocol, str] = {"imap": "IMAP", "smtp": "sending by mail programs"}
    without = [each for each in places if each in refused and not places[each]]
    return places, [f"The DNS of {names.domain} says that it offers no {words[each]}." for each in without]


async def _page(url: str, seconds: float) -> bytes:
    """The page at `url`, no more than a description may take, in no more than these seconds; else nothing."""
    import httpx  # no other command waits for it to be loaded

    try:
        async with (
            asyncio.timeout(seconds),
            httpx.AsyncClient(verify=ssl.create_default_context(), timeout=seconds) as client,
        ):
            for _ in range(MAX_HOPS):
                async with client.stream("GET", url) as answer:
                    if not answer.is_redirect:
                        body = b""
                        async for part in answer.aiter_raw():  # never unpacked: what is small here may be huge then
                            body += part
                            if len(body) > MAX_BYTES:
                                return b""
                        return body if answer.status_code == httpx.codes.OK else b""
                    url = str(answer.url.join(answer.headers["location"]))
                if not url.startswith("https://"):
                    return b""
    except (TimeoutError, httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, UnicodeError):
        pass
    return b""


def _guesses(protocol: Protocol, domain: str, network: Network) -> list[Place]:
    kinds: tuple[Transport, ...] = ("tls", "starttls")
    hosts = [name.format(domain=domain) for name in network.names[protocol]]
    return [Place(host, network.ports[protocol, kind], kind) for kind in kinds for host in hosts]


def _once(places: Iterable[Place]) -> tuple[Place, ...]:
    """Each place once, at its best: what DNS and the domain itself name is vouched for."""
    best: dict[tuple[str, int, str], Place] = {}
    for place in places:
        key = (place.host, place.port, place.security)
        if key not in best or place.is_vouched:
            best[key] = place
    return tuple(best.values())


def _host(name: object) -> str:
    return str(name).rstrip(".").lower()


def read_description(raw: bytes, domain: str) -> Described:
    """The content of a description; nothing where it is too long, no XML, or has a document type."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    if len(raw) > MAX_BYTES:
        return Described()
    try:
        root = etree.fromstring(raw, parser)
    except (etree.XMLSyntaxError, ValueError):
        return Described()
    if root.getroottree().docinfo.doctype:
        return Described()
    incoming = root.xpath("/clientConfig/emailProvider/incomingServer[@type='imap']")[:MAX_SERVERS]
    outgoing = root.xpath("/clientConfig/emailProvider/outgoingServer[@type='smtp']")[:MAX_SERVERS]
    found = [[place for each in part if (place := _described_place(each, domain))] for part in (incoming, outgoing)]
    usernames = dict.fromkeys(_text(each, "username") for each in incoming)
    return Described(tuple(found[0]), tuple(found[1]), tuple(each for each in usernames if each in _USERNAMES))


def _described_place(server: "etree._Element", domain: str) -> Place | None:
    host = _text(server, "hostname").replace("%EMAILDOMAIN%", domain)
    port, security = _text(server, "port"), _SECURITY.get(_text(server, "socketType").upper())
    if security is None or not re.fullmatch(_HOST, host) or not re.fullmatch(r"[1-9][0-9]{0,4}", port, re.ASCII):
        return None
    return Place(host.lower(), int(port), security) if int(port) <= 65535 else None


def _text(server: "etree._Element", name: str) -> str:
    return str(server.findtext(name) or "").strip()
