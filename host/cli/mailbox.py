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
from host.mail.proving import NAMES, Trouble, Unproved, knock

GivenServers = Mapping[Protocol, tuple[Place, ...]]
_PROTOCOLS: tuple[Protocol, ...] = ("imap", "smtp")
_APP_PASSWORD = "Check the password; many providers want one made for programs (an app password), and IMAP switched on."  # noqa: S105


@dataclass(frozen=True)
class Mailbox:
    """Where its servers may be. `given` are the protocols whose server the host named: no other is tried."""

    address: str
    found: Found
    given: frozenset[Protocol] = frozenset()

    @property
    def usernames(self) -> tuple[str, ...]:
        """The names to log in with, the likeliest first."""
        return self.found.usernames

    @property
    def provider(self) -> Provider | None:
        """The provider, where it is known and its own servers are used."""
        return self.found.provider

    @property
    def provider_name(self) -> str:
        """Its name."""
        return self.provider.name if self.provider else "the server"

    @property
    def words(self) -> str:
        """What to know of the provider before a password is typed."""
        return f"This is a mailbox of {self.provider.name}. {self.provider.wants}".rstrip() if self.provider else ""

    @property
    def refuses(self) -> str:
        """Why the provider cannot be used; empty where it can."""
        return self.provider.refuses if self.provider and not self.given else ""

    @property
    def oauth(self) -> str:
        """By which provider's consent there is access in place of a password; empty where a password will do."""
        return self.provider.oauth if self.provider and not self.given else ""

    @property
    def tenant(self) -> str:
        """Microsoft's word for whose mailboxes these are."""
        if self.provider is None or self.provider.tenant != "common":
            return self.provider.tenant if self.provider else ""
        return self.address.rpartition("@")[2]

    @property
    def plus(self) -> bool | None:
        """Does mail to an address with a plus arrive? None where only a letter can tell."""
        return self.provider.plus if self.provider else None

    @property
    def letters_a_minute(self) -> int:
        """The provider's limit; 0 for none known."""
        return self.provider.letters_a_minute if self.provider else 0

    @property
    def letters_a_day(self) -> int:
        """The provider's limit; 0 for none known."""
        return self.provider.letters_a_day if self.provider else 0

    def in_words(self, failure: Unproved) -> str:
        """A failed login with what may be behind it."""
        if not failure.is_refusal:
            return " ".join((*self.found.notes, str(failure)))
        wants = f"{self.provider.name}: {self.provider.wants or _APP_PASSWORD}" if self.provider else _APP_PASSWORD
        return f"{failure}. {wants}"

    def is_given(self, protocol: Protocol) -> bool:
        """Did the host name this server?"""
        return protocol in self.given

    def asked_for(self, protocol: Protocol, asker: Asker) -> "Mailbox":
        """The same with a server that is asked for. Raises `Failure`."""
        question = Question(f"--{protocol}-host", f"{NAMES[protocol]} server of this mailbox", _host_problem)
        host, port = _host_and_port(asker.answer(question, None))
        places = {**self.found.places, protocol: _places(protocol, host, int(port) if port else None, None)}
        return replace(self, found=replace(self.found, places=places), given=self.given | {protocol})

    async def knocked(self, seconds: float) -> tuple[list[Place | Trouble], list[Place | Trouble]]:
        """Which of the places are good, for IMAP and SMTP."""
        imap, smtp = self.found.places["imap"], self.found.places["smtp"]
        return await knock("imap", imap, seconds), await knock("smtp", smtp, seconds)


def given_servers(arguments: argparse.Namespace) -> GivenServers:
    """The servers that the options name. Raises `Failure`."""
    found: dict[Protocol, tuple[Place, ...]] = {}
    for protocol in _PROTOCOLS:
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
    usernames = (username,) if username else None
    if len(given) == len(_PROTOCOLS):
        found = Found(given, usernames or (address, address.rpartition("@")[0]))
        return Mailbox(address, found, frozenset(given))
    found = await find(address, network)
    if given:
        found = replace(found, places={**found.places, **given})
    return Mailbox(address, replace(found, usernames=usernames or found.usernames), frozenset(given))


def choose(mailbox: Mailbox, asker: Asker) -> Mailbox:
    """The same without servers that only DNS names, outside of the domain, where the host does not know them."""
    named = {each.host for places in mailbox.found.places.values() for each in places if not each.is_vouched}
    if not named:
        return mailbox
    hosts, domain = ", ".join(sorted(named)), mailbox.address.rpartition("@")[2]
    words = f"DNS names {hosts} for {domain}. Is that your provider, who may get the password"
    question = Question(
        "--imap-host, --smtp-host", words, lambda text: "" if text in ("yes", "no") else "write yes or no", "yes"
    )
    if asker.may_ask() and asker.answer(question, None) == "yes":
        return mailbox
    places = {
        protocol: tuple(each for each in found if each.is_vouched) for protocol, found in mailbox.found.places.items()
    }
    note = f"DNS names {hosts}, outside of {domain}: if that is your provider, say so with --imap-host and --smtp-host."
    return replace(mailbox, found=replace(mailbox.found, places=places, notes=(*mailbox.found.notes, note)))


def settings_without_login(mailbox: Mailbox, password: str) -> tuple[Imap, Smtp]:
    """The first of the places, unproved. Raises `Failure` where they would be guesses."""
    if mailbox.provider is None and len(mailbox.given) < len(_PROTOCOLS):
        raise Failure("--without-login needs --imap-host and --smtp-host: no provider is known for this address.")
    chosen = {protocol: mailbox.found.places[protocol][0] for protocol in _PROTOCOLS}
    values = {
        protocol: {"host": place.host, "port": place.port, "security": place.security, "username": mailbox.usernames[0]}
        for protocol, place in chosen.items()
    }
    junk = mailbox.provider.junk if mailbox.provider else ""
    imap = Imap.model_validate(values["imap"] | {"password": password, "junk": junk})
    return imap, Smtp.model_validate(values["smtp"] | {"password": password})


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
