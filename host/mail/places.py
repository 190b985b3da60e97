"""Pure: where a mail server is. In: names, ports. Out: a `Place`, and what can be said of it without asking it."""

from dataclasses import dataclass, replace
from ipaddress import ip_address
from typing import Literal

Protocol = Literal["imap", "smtp"]
Transport = Literal["tls", "starttls", "none"]

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
