"""Shell: questions on the terminal. In: questions, answers that were given as options. Out: answers that can be used.

A question is asked again where its answer cannot be used, three times at most. With `--yes` none is asked.
"""

import getpass
import sys
from collections.abc import Callable
from dataclasses import dataclass

from host.cli.terminal import Failure, tell

MAX_TRIES = 3
MAX_QUESTIONS = 10
NOTHING_WRITTEN = "nothing was written"


@dataclass(frozen=True)
class Question:
    """What is asked, the option that answers it too, and what is wrong with an answer (empty where nothing is).

    `default` is what Enter means, shown in brackets; None where there is none.
    """

    option: str
    words: str
    problem: Callable[[str], str]
    default: str | None = None
    is_secret: bool = False


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
    if sys.stdin.isatty():
        return getpass.getpass(prompt)
    return _next_line()


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

    def answer(self, question: Question, given: str | None) -> str:
        """The answer: the one that was given, else the default or what is typed. Raises `Failure`."""
        if given is not None:
            problem = question.problem(given)
            if problem:
                raise Failure(f"{question.option}: {problem}; {NOTHING_WRITTEN}.")
            return given
        if self.is_quiet:
            if question.default is None:
                raise Failure(f"{question.option} is missing, and --yes asks nothing; {NOTHING_WRITTEN}.")
            return question.default
        return self._asked(question)

    def may_ask(self, count: int = 1) -> bool:
        """May so many questions more be asked?"""
        return not self.is_quiet and len(self.asked) + count <= MAX_QUESTIONS

    def _asked(self, question: Question) -> str:
        if question.option not in self.asked:
            self.asked.append(question.option)
        default = "" if question.default is None else f" [{question.default}]"
        for _ in range(MAX_TRIES):
            answer = self._line(f"{question.words}{default}: ", question.is_secret)
            answer = answer if question.is_secret else answer.strip()
            answer = answer or question.default or ""
            problem = question.problem(answer)
            if not problem:
                return answer
            tell(f"  {problem[0].upper()}{problem[1:]}.")
        raise Failure(f"{question.words}: no answer that could be used, {NOTHING_WRITTEN}; see podium init --help.")

    def _line(self, prompt: str, is_secret: bool) -> str:
        try:
            return self._read_hidden(prompt) if is_secret else self._read(prompt)
        except EOFError:
            tell("")
            raise Failure(f"The input ended before all was answered; {NOTHING_WRITTEN}.") from None
        except KeyboardInterrupt:
            tell("")
            raise
