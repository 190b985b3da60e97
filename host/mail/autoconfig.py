"""Pure: a provider's description of itself for mail programs (Mozilla's autoconfig). In: XML of strangers. Out: places.

Nothing of it is believed but hosts, ports and kinds of encryption: no entity is resolved, nothing is fetched, what is
missing or odd is passed over.
"""

import re
from dataclasses import dataclass

from lxml import etree

from host.mail.places import Place, Transport

MAX_BYTES = 64 * 1024
"""A description takes two or three thousand."""
MAX_SERVERS = 4
"""That many of each kind are looked at."""
_SECURITY: dict[str, Transport] = {"SSL": "tls", "STARTTLS": "starttls"}
_HOST = r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?"
_USERNAMES = {"%EMAILADDRESS%", "%EMAILLOCALPART%"}


@dataclass(frozen=True)
class Described:
    """The servers of a description, the most wanted first. `usernames` hold the placeholders of address and local part."""

    imap: tuple[Place, ...] = ()
    smtp: tuple[Place, ...] = ()
    usernames: tuple[str, ...] = ()


def read(raw: bytes, domain: str) -> Described:
    """The content of `raw`; nothing where it is too long, no XML, or has a document type."""
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
    found = [[place for each in part if (place := _place(each, domain))] for part in (incoming, outgoing)]
    usernames = dict.fromkeys(_text(each, "username") for each in incoming)
    return Described(tuple(found[0]), tuple(found[1]), tuple(each for each in usernames if each in _USERNAMES))


def _place(server: etree._Element, domain: str) -> Place | None:
    host = _text(server, "hostname").replace("%EMAILDOMAIN%", domain)
    port, security = _text(server, "port"), _SECURITY.get(_text(server, "socketType").upper())
    if security is None or not re.fullmatch(_HOST, host) or not re.fullmatch(r"[1-9][0-9]{0,4}", port, re.ASCII):
        return None
    return Place(host.lower(), int(port), security) if int(port) <= 65535 else None


def _text(server: etree._Element, name: str) -> str:
    return str(server.findtext(name) or "").strip()
