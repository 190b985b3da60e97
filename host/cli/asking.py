"""Shell: what `podium init` asks on the terminal. In: options. Out: answers that can be used; the mailbox of a new host.

A question is asked again where its answer cannot be used, three times at most. With `--yes` none is asked.
"""

import argparse
import getpass
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from host.cli.terminal import Failure, is_text, parts, tell
from host.config import Deadlines, Host, Imap, Smtp, machine_timezone, problem_in
from host.games import GAMES
from host.mail.discovery import Network, find
from host.mail.places import PORTS, Place, Protocol, Provider, Transport
from host.mail.proving import NAMES, Unproved

MAX_TRIES = 3
MAX_QUESTIONS = 10
NOTHING_WRITTEN = "nothing was written"
ALL, NOBODY, LATER = "all", "none", "write-the-client-id-here"
YES, NO = ("yes", "y", "true", "on"), ("no", "n", "false", "off")

_UNKNOWN = Provider("the server", Place("", 0), Place("", 0))
_APP_PASSWORD = "Check the password; many providers want one made for programs (an app password), and IMAP switched on."  # noqa: S105

GivenServers = Mapping[Protocol, tuple[Place, ...]]
Problem = Callable[[str], str]
"""Tells what is wrong with an answer; empty where nothing is."""
Reader = Callable[[str], str]
"""Gives what is typed behind a prompt. Raises EOFError."""


@dataclass(frozen=True)
class Question:
    """A question, the option that answers it too, and the check of an answer.

    `default` is what Enter means, shown in brackets, None where there is none; `given` the answer that the option has.
    """

    option: str
    words: str
    problem: Problem
    default: str | None = None
    given: str | None = None
    is_secret: bool = False


def questions(arguments: argparse.Namespace) -> dict[str, Question]:
    """All questions but those about servers and the password. Raises `Failure` where an option cannot be used."""
    games = f"Games, of {', '.join(sorted(GAMES))}"
    web = None if arguments.web is None else YES[0] if arguments.web else NO[0]
    name = _problem_of("name")
    client_id = Question("--client-id", "Client ID of Podium at the provider", name, LATER, arguments.client_id)
    asked = [
        Question("--address", "Mail address of the games", _problem_of("address"), None, arguments.address),
        Question("--name", "Your name as the host", name, "The Millionaire", arguments.name),
        Question("--games", games, _games_problem, ALL, arguments.games),
        Question(
            "--operator", "Your own address, for alerts and commands", _operator_problem, NOBODY, arguments.operator
        ),
        Question("--timezone", "Time zone", _problem_of("timezone"), machine_timezone(), arguments.timezone),
        Question(
            "--time-bank", "Spare time for each in an episode, such as 3d", _bank_problem, "0", arguments.time_bank
        ),
        Question("--web", "Pages for you at http://127.0.0.1:8025", one_of((*YES, *NO)), YES[0], web),
    ]
    for each in asked:
        problem = "" if each.given is None else each.problem(each.given)
        if problem:
            raise Failure(f"{each.option}: {problem}.")
    return {each.option: each for each in [*asked, client_id]}  # the last is asked, and looked at, where it is needed


def password_question(address: str, given: str | None) -> Question:
    """The question for the password of the mailbox; what is typed is not shown."""

    def problem(text: str) -> str:
        if not text:
            return "write the password of the mailbox"
        return _writable(text) or ("" if text.isprintable() else "a password is one line without control characters")

    return Question("--password-file", f"Password of {address} (not shown)", problem, given=given, is_secret=True)


def other_than(question: Question, address: str) -> Question:
    """The same question, to which the games' own address is no answer: alerts would be read as replies."""

    def problem(text: str) -> str:
        is_same = address.lower() in (each.lower() for each in parts(text))
        return "write another address than that of the games" if is_same else question.problem(text)

    return replace(question, problem=problem)


def one_of(words: tuple[str, ...]) -> Problem:
    """Takes these words for an answer, however they are written."""
    return lambda text: "" if text.lower() in words else "write yes or no"


def _problem_of(key: str) -> Problem:
    """Checks an answer as the configuration checks this key of `[host]`."""
    return lambda text: _writable(text) or problem_in(Host, {"address": "games@example.org", key: text})


def _bank_problem(text: str) -> str:
    return problem_in(Deadlines, {"time_bank": text})


def _operator_problem(text: str) -> str:
    if text == NOBODY:
        return ""
    if not parts(text):
        return f"write an address, or {NOBODY}"
    return _writable(text) or problem_in(Host, {"address": "games@example.org", "operators": parts(text)})


def _games_problem(text: str) -> str:
    is_good = text == ALL or (parts(text) and set(parts(text)) <= set(GAMES))
    return "" if is_good else f"write {ALL}, or some of {', '.join(sorted(GAMES))} with commas between"


def _writable(text: str) -> str:
    return "" if is_text(text) else "write it in UTF-8"


def read_line(prompt: str) -> str:
    """A line of standard input. Raises EOFError."""
    if sys.stdin.isatty():
        return input(prompt)
    # `input` would drop a Ctrl-C that comes while it writes to what is no terminal
    sys.stdout.write(prompt)
    sys.stdout.flush()
    return _next_line()


def read_secret(prompt: str) -> str:
    """A line that is not shown where it is typed. Raises EOFError."""
    return getpass.getpass(prompt) if sys.stdin.isatty() else _next_line()


def _next_line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\r\n")


class Asker:
    """Asks, and counts: `asked` are the questions so far, each once however often it was put."""

    def __init__(self, is_quiet: bool, read: Reader = read_line, read_hidden: Reader = read_secret) -> None:
        self.is_quiet, self._read, self._read_hidden = is_quiet, read, read_hidden
        self.asked: list[str] = []

    def answer(self, question: Question) -> str:
        """The answer: the one that was given, else the default or what is typed. Raises `Failure`."""
        if question.given is not None:
            problem = question.problem(question.given)
            if problem:
                raise Failure(f"{question.option}: {problem}; {NOTHING_WRITTEN}.")
            return question.given
        if not self.is_quiet:
            return self._asked(question)
        if question.default is None:
            raise Failure(f"{question.option} is missing, and --yes asks nothing; {NOTHING_WRITTEN}.")
        return question.default

    def may_ask(self, count: int = 1) -> bool:
        """May so many questions more be asked?"""
        return not self.is_quiet and len(self.asked) + count <= MAX_QUESTIONS

    def _asked(self, question: Question) -> str:
        if question.option not in self.asked:
            self.asked.append(question.option)
        read = self._read_hidden if question.is_secret else self._read
        default = "" if question.default is None else f" [{question.default}]"
        for _ in range(MAX_TRIES):
            try:
                answer = read(f"{question.words}{default}: ")
            except (EOFError, KeyboardInterrupt) as ending:
                tell("")
                if isinstance(ending, KeyboardInterrupt):
                    raise
                raise Failure(f"The input ended before all was answered; {NOTHING_WRITTEN}.") from None
            answer = (answer if question.is_secret else answer.strip()) or question.default or ""
            problem = question.problem(answer)
            if not problem:
                return answer
            tell(f"  {problem[0].upper()}{problem[1:]}.")
        raise Failure(f"{question.words}: no answer that could be used, {NOTHING_WRITTEN}; see podium init --help.")


@dataclass(frozen=True)
class Mailbox:
    """An address, its servers and the names to log in with, as far as they are found, and what went wrong on the way.

    `given` are the servers that the host named: no other is tried.
    """

    address: str
    places: GivenServers
    usernames: tuple[str, ...]
    provider: Provider = _UNKNOWN
    notes: tuple[str, ...] = ()
    given: frozenset[Protocol] = frozenset()

    @property
    def is_known(self) -> bool:
        """Is its provider known?"""
        return self.provider.name != _UNKNOWN.name

    @property
    def domain(self) -> str:
        """All behind the @ of the address."""
        return self.address.rpartition("@")[2]

    def in_words(self, failure: Unproved) -> str:
        """A failed login with what may be behind it."""
        if not failure.is_refusal:
            return " ".join((*self.notes, str(failure)))
        known = f"{self.provider.name}: " if self.is_known else ""
        return f"{failure}. {known}{self.provider.wants or _APP_PASSWORD}"

    def asked_for(self, protocol: Protocol, asker: Asker) -> "Mailbox":
        """The same with a server that is asked for. Raises `Failure`."""
        question = Question(f"--{protocol}-host", f"{NAMES[protocol]} server of this mailbox", _host_problem)
        host, port = _host_and_port(asker.answer(question))
        places = {**self.places, protocol: _places(protocol, host, int(port) if port else None, None)}
        return replace(self, places=places, given=self.given | {protocol})

    def without_strangers(self, asker: Asker) -> "Mailbox":
        """The same without servers that only DNS names, outside of the domain, where the host does not know them."""
        named = {each.host for places in self.places.values() for each in places if not each.is_vouched}
        if not named:
            return self
        hosts = ", ".join(sorted(named))
        words = f"DNS names {hosts} for {self.domain}. Is that your provider, who may get the password"
        question = Question("--imap-host, --smtp-host", words, one_of(("yes", "no")), "yes")
        if asker.may_ask() and asker.answer(question) == "yes":
            return self
        places = {protocol: tuple(each for each in found if each.is_vouched) for protocol, found in self.places.items()}
        outside = f"DNS names {hosts}, outside of {self.domain}"
        note = f"{outside}: if that is your provider, say so with --imap-host and --smtp-host."
        return replace(self, places=places, notes=(*self.notes, note))

    def unproved(self, password: str) -> tuple[Imap, Smtp]:
        """The settings of the first places, without a login. Raises `Failure` where they would be guesses."""
        if not self.is_known and len(self.given) < len(NAMES):
            raise Failure("--without-login needs --imap-host and --smtp-host: no provider is known for this address.")
        login = {"username": self.usernames[0], "password": password}
        imap, smtp = (self.places[protocol][0].settings | login for protocol in NAMES)
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
    usernames = (username,) if username else ()
    if len(given) == len(NAMES):
        return Mailbox(address, given, usernames or (address, address.rpartition("@")[0]), given=frozenset(given))
    found = await find(address, network)
    provider = found.provider or _UNKNOWN
    if given:  # servers that were named it neither has nor refuses
        provider = replace(provider, refuses="", oauth="")
    places = {**found.places, **given}
    return Mailbox(address, places, usernames or found.usernames, provider, found.notes, frozenset(given))


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
