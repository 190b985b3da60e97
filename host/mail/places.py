"""Pure: where mail servers are, as far as it is known without asking. In: names, ports, domains. Out: places, providers.

The providers of mailboxes stand in `data/providers.toml`. What could not be established is left out there: `plus` is None then
and tried by a letter, limits are 0 for none known.
"""

import functools
import re
from dataclasses import dataclass, replace
from ipaddress import ip_address
from typing import Any, Literal, cast

from host.engine.words import table

Protocol = Literal["imap", "smtp"]
Transport = Literal["tls", "starttls", "none"]
Login = Literal["address", "local part"]

PORTS: dict[tuple[Protocol, Transport], int] = {
    ("imap", "tls"): 993,
    ("imap", "starttls"): 143,
    ("imap", "none"): 143,
    ("smtp", "tls"): 465,
    ("smtp", "starttls"): 587,
    ("smtp", "none"): 25,
}


def is_loopback(host: str) -> bool:
    """Is it a name or an address of this machine, as only this machine has it?"""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Place:
    """A server as a mail program is told of it. `is_vouched` is False where only DNS, which anybody may forge, names it."""

    host: str
    port: int
    security: Transport = "tls"
    is_vouched: bool = True

    @property
    def is_here(self) -> bool:
        """Is it on this machine? Only there may a password go unencrypted."""
        return is_loopback(self.host)

    @property
    def settings(self) -> dict[str, object]:
        """The keys of a server's section that say where it is."""
        return {"host": self.host, "port": self.port, "security": self.security}

    def without_tls(self) -> "Place":
        """The same, spoken to without encryption."""
        return replace(self, security="none")

    def __str__(self) -> str:
        """Host and port."""
        return f"{self.host}:{self.port}"


@dataclass(frozen=True)
class Provider:
    """A provider: whose domains and mail exchangers, where its servers are, what it wants and allows.

    `exchangers` are endings of MX names. `wants` is one sentence about what a host has to do or make first. With `oauth`
    it takes no password at all. `plus`: does mail to local+word@domain arrive? `refuses` says why there is no IMAP.
    """

    name: str
    imap: Place
    smtp: Place
    domains: tuple[str, ...] = ()
    exchangers: tuple[str, ...] = ()
    logins: tuple[Login, ...] = ("address",)
    wants: str = ""
    oauth: Literal["", "microsoft"] = ""
    tenant: str = "common"
    plus: bool | None = None
    letters_a_minute: int = 0
    letters_a_day: int = 0
    junk: str = ""
    refuses: str = ""


@functools.cache
def providers() -> tuple[Provider, ...]:
    """All of them."""
    found = []
    for row in table("host.mail", "providers.toml")["provider"]:
        fixed: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
        found.append(Provider(**fixed | {key: _place(row.get(key, "")) for key in ("imap", "smtp")}))
    return tuple(found)


def _place(text: str) -> Place:
    """A server such as `imap.example.org:993 tls`; one without a name where there is none."""
    found = re.fullmatch(r"(.*):(\d+) (tls|starttls|none)", text)
    return Place(found[1], int(found[2]), cast(Transport, found[3])) if found else Place("", 0)


@functools.cache
def hosts() -> frozenset[str]:
    """The servers of known providers, which are vouched for wherever they are named."""
    return frozenset(place.host for each in providers() for place in (each.imap, each.smtp) if place.host)


def of_domain(domain: str) -> Provider | None:
    """The provider whose own domain this is."""
    wanted = domain.lower().rstrip(".")
    return next((each for each in providers() if wanted in each.domains), None)


def of_exchangers(names: tuple[str, ...]) -> Provider | None:
    """The provider to whose servers the mail of a domain goes; `names` are its MX records, the most wanted first."""
    wanted = [f".{name.lower().rstrip('.')}" for name in names]
    found = (
        each for name in wanted for each in providers() if any(name.endswith(f".{end}") for end in each.exchangers)
    )
    return next(found, None)
