"""Shell: what `podium init` asks on the terminal. In: options. Out: answers that can be used.

A question is asked again where its answer cannot be used, three times at most. With `--yes` none is asked.
"""

import argparse
import getpass
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

from host.cli.terminal import Failure, tell
from host.config import Host, machine_timezone, problem_in
from host.games import GAMES

MAX_TRIES = 3
MAX_QUESTIONS = 10
NOTHING_WRITTEN = "nothing was written"
ALL, NOBODY, LATER = "all", "none", "write-the-client-id-here"
YES, NO = ("yes", "y", "true", "on"), ("no", "n", "false", "off")

Problem = Callable[[str], str]
"""Tells what is wrong with an answer; empty where nothing is."""


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
        Question("--web", "Pages for you at http://127.0.0.1:8025", _yes_problem, YES[0], web),
    ]
    for each in asked:
        problem = "" if each.given is None else each.problem(each.given)
        if problem:
            raise Failure(f"{each.option}: {problem}.")
    return {each.option: each for each in [*asked, client_id]}  # the last is asked, and looked at, where it is needed


def password_question(address: str, given: str | None) -> Question:
    """The question for the password of the mailbox; what is typed is not shown."""
    words = f"Password of {address} (not shown)"
    return Question("--password-file", words, _password_problem, given=given, is_secret=True)


def other_than(question: Question, address: str) -> Question:
    """The same question, to which the games' own address is no answer: alerts would be read as replies."""

    def problem(text: str) -> str:
        is_same = address.lower() in (each.lower() for each in parts(text))
        return "write another address than that of the games" if is_same else question.problem(text)

    return replace(question, problem=problem)


def parts(text: str) -> list[str]:
    """The parts of an answer between commas, each once."""
    return list(dict.fromkeys(each.strip() for each in text.split(",") if each.strip()))


def _problem_of(key: str) -> Problem:
    """Checks an answer as the configuration checks this key of `[host]`."""
    return lambda text: _writable(text) or problem_in(Host, {"address": "games@example.org", key: text})


def _operator_problem(text: str) -> str:
    if text == NOBODY:
        return ""
    values = {"address": "games@example.org", "operators": parts(text)}
    problem = _writable(text) or problem_in(Host, values)
    return problem or ("" if parts(text) else f"write an address, or {NOBODY}")


def _games_problem(text: str) -> str:
    is_good = text == ALL or (parts(text) and set(parts(text)) <= set(GAMES))
    return "" if is_good else f"write {ALL}, or some of {', '.join(sorted(GAMES))} with commas between"


def _yes_problem(text: str) -> str:
    return "" if text.lower() in (*YES, *NO) else "write yes or no"


def _password_problem(text: str) -> str:
    if not text:
        return "write the password of the mailbox"
    return _writable(text) or ("" if text.isprintable() else "a password is one line without control characters")


def _writable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return "write it in UTF-8"
    return ""


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

    def __init__(
        self,
        is_quiet: bool,
        read: Callable[[str], str] = read_line,
        read_hidden: Callable[[str], str] = read_secret,
    ) -> None:
        self.is_quiet = is_quiet
        self.asked: list[str] = []
        self._read, self._read_hidden = read, read_hidden

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
            except EOFError:
                tell("")
                raise Failure(f"The input ended before all was answered; {NOTHING_WRITTEN}.") from None
            except KeyboardInterrupt:
                tell("")
                raise
            answer = (answer if question.is_secret else answer.strip()) or question.default or ""
            problem = question.problem(answer)
            if not problem:
                return answer
            tell(f"  {problem[0].upper()}{problem[1:]}.")
        raise Failure(f"{question.words}: no answer that could be used, {NOTHING_WRITTEN}; see podium init --help.")
