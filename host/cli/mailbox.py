"""Shell: the mailbox of a new host. In: its address, servers that were given as options. Out: places, and what to say of them."""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, replace

from host.cli.asking import Asker, Question
from host.cli.terminal import Failure
from host.config import Imap, Smtp, problem_in
from host.mail.discovery import Found, Network, find
from host.mail.places import PORTS, Place, Protocol, Transport
from host.mail.providers import Provider
from host.mail.proving import NAMES, Unproved

GivenServers = Mapping[Protocol, tuple[Place, ...]]
_UNKNOWN = Provider("the server", Place("", 0), Place("", 0))
_APP_PASSWORD = "Check the password; many providers want one made for programs (an app password), and IMAP switched on."  # noqa: S105


@dataclass(frozen=True)
class Mailbox:
    """An address and its servers, as far as they are found. `given` are those that the host named: no other is tried."""

    address: str
    found: Found
    given: frozenset[Protocol] = frozenset()

    @property
    def provider(self) -> Provider:
        """The provider; one of which nothing is known where there is none. Servers that were named it neither has nor refuses."""
        provider = self.found.provider or _UNKNOWN
        return replace(provider, refuses="", oauth="") if self.given else provider

    @property
    def domain(self) -> str:
        """All behind the @ of the address."""
        return self.address.rpartition("@")[2]

    def in_words(self, failure: Unproved) -> str:
        """A failed login with what may be behind it."""
        if not failure.is_refusal:
            return " ".join((*self.found.notes, str(failure)))
        known = f"{self.provider.name}: " if self.found.provider else ""
        return f"{failure}. {known}{self.provider.wants or _APP_PASSWORD}"

    def asked_for(self, protocol: Protocol, asker: Asker) -> "Mailbox":
        """The same with a server that is asked for. Raises `Failure`."""
        question = Question(f"--{protocol}-host", f"{NAMES[protocol]} server of this mailbox", _host_problem)
        host, port = _host_and_port(asker.answer(question))
        places = {**self.found.places, protocol: _places(protocol, host, int(port) if port else None, None)}
        return replace(self, found=replace(self.found, places=places), given=self.given | {protocol})

    def without_strangers(self, asker: Asker) -> "Mailbox":
        """The same without servers that only DNS names, outside of the domain, where the host does not know them."""
        named = {each.host for places in self.found.places.values() for each in places if not each.is_vouched}
        if not named:
            return self
        hosts = ", ".join(sorted(named))
        words = f"DNS names {hosts} for {self.domain}. Is that your provider, who may get the password"
        question = Question(
            "--imap-host, --smtp-host", words, lambda text: "" if text in ("yes", "no") else "write yes or no", "yes"
        )
        if asker.may_ask() and asker.answer(question) == "yes":
            return self
        places = {
            protocol: tuple(each for each in found if each.is_vouched) for protocol, found in self.found.places.items()
        }
        outside = f"DNS names {hosts}, outside of {self.domain}"
        note = f"{outside}: if that is your provider, say so with --imap-host and --smtp-host."
        return replace(self, found=replace(self.found, places=places, notes=(*self.found.notes, note)))

    def unproved(self, password: str) -> tuple[Imap, Smtp]:
        """The settings of the first places, without a login. Raises `Failure` where they would be guesses."""
        if self.found.provider is None and len(self.given) < len(NAMES):
            raise Failure("--without-login needs --imap-host and --smtp-host: no provider is known for this address.")
        login = {"username": self.found.usernames[0], "password": password}
        imap, smtp = (self.found.places[protocol][0].settings | login for protocol in NAMES)
        return Imap.model_validate(imap | {"junk": self.provider.junk}), Smtp.model_validate(smtp)


def given_servers(arguments: argparse.Namespace) -> GivenServers:
    """The servers that the options name. Raises `Failure`."""
    found: dict[Protocol, tuple[Place, ...]] = {}
    for protocol in NAMES:
        host, port, security = (getattr(arguments, f"{protocol}_{each}") for each in ("host", "port", "security"))
        if host is not None:
            settings = {"host": host, "security": security or "tls", "username": "-"}
            problem = _host_problem(host) or problem_in(Imap, settings)
            if problem:
                raise Failure(f"--{protocol}-host: {problem}.")
            found[protocol] = _places(protocol, host, port, security)
        elif port is not None or security is not None:
            raise Failure(f"--{protocol}-port and --{protocol}-security need --{protocol}-host.")
    return found


async def look_up(address: str, given: GivenServers, username: str | None, network: Network) -> Mailbox:
    """Find the servers that were not given."""
    if len(given) == len(NAMES):
        found = Found(given, (address, address.rpartition("@")[0]))
    else:
        found = await find(address, network)
        found = replace(found, places={**found.places, **given})
    if username:
        found = replace(found, usernames=(username,))
    return Mailbox(address, found, frozenset(given))


def _places(protocol: Protocol, host: str, port: int | None, security: Transport | None) -> tuple[Place, ...]:
    """The ways to speak to a server that the host named: as they said, else the usual ones."""
    usual = [kind for (each, kind), number in PORTS.items() if each == protocol and number == port and kind != "none"]
    either: list[Transport] = ["tls", "starttls"]
    kinds = [security] if security is not None else usual or either
    return tuple(Place(host, port or PORTS[protocol, kind], kind) for kind in kinds)


def _host_and_port(text: str) -> tuple[str, str]:
    """A name and, behind a colon, a port; the colons of an IPv6 address are its own."""
    host, _, port = text.partition(":") if text.count(":") == 1 else (text, "", "")
    return host, port


def _host_problem(text: str) -> str:
    host, port = _host_and_port(text)
    is_good = host and not any(each.isspace() or each in "/@" for each in host)
    is_port = not port or (port.isascii() and port.isdigit() and 1 <= int(port) <= 65535)
    return "" if is_good and is_port else "write the name of a server, such as mail.example.org"
