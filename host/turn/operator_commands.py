"""Shell: the commands of operators, in one table. In: words typed at the shell, or a line of an operator's mail. Out: a sentence.

The command line makes its arguments from `COMMANDS`, a mail is read by it, and the audit log has its words.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from host.config import read_duration
from host.games import GAMES
from host.play.spans import more_time
from host.store.episodes import episode_of_code
from host.store.schema import Episode, Letter
from host.turn import admin
from host.turn.admin import AdminError
from host.turn.login import mail_link
from host.turn.outcome import host_questions
from host.turn.work import Work

LARGEST = 2**31 - 1
"""No row has a larger number."""


def read_count(text: str) -> int:
    """A whole number from 1 on. Raises ValueError."""
    if not text.isascii() or not text.isdigit() or len(text) > 10 or not 1 <= int(text) <= LARGEST:
        raise ValueError(f"{text} is not a whole number from 1 on")
    return int(text)


def read_time(text: str) -> timedelta | str:
    """A time such as `24h`, `24 hours` or `a day`, more than none, or a day such as `until Monday`. Raises ValueError."""
    found = more_time(text)
    if found is None:
        try:
            found = read_duration("".join(text.split()))
        except ValueError:
            raise ValueError("write how much more time, such as 24h, 24 hours, a day or until Monday") from None
    if isinstance(found, timedelta) and found <= timedelta():
        raise ValueError("give more than no time")
    return found


@dataclass(frozen=True)
class Argument:
    """One argument: its name, how a usage line calls it, and how its text is read (a ValueError says what is wrong).

    At the shell one with an `option` is given by that; in a mail all stand in their order. An optional one may be left out.
    """

    name: str
    shown: str
    read: Callable[[str], Any] = str
    option: str = ""
    is_optional: bool = False
    choices: tuple[str, ...] = ()
    is_wordy: bool = False
    """The last one, and of more than one word: in a mail it takes as many as it can read."""


@dataclass(frozen=True)
class OperatorCommand:
    """A command: `run` takes the work and the values of its arguments, and says what was done or raises `AdminError`."""

    name: str
    help: str
    run: Callable[..., str]
    arguments: tuple[Argument, ...]
    by_mail: bool = True

    def audit_words(self, values: Mapping[str, str]) -> str:
        """The command as the audit log has it, given the text of each argument."""
        said = [self.name]
        for argument in self.arguments:
            text = values.get(argument.name, "")
            if text or not argument.is_optional:
                said += [argument.option, text] if argument.option else [text]
        return " ".join(filter(None, said))


CODE = Argument("code", "CODE")
NAME = Argument("name", "NAME")
ANYBODY = Argument("name", "NAME", is_optional=True)

COMMANDS = (
    OperatorCommand(
        "extend",
        "give more time",
        admin.extend,
        (CODE, ANYBODY, Argument("by", "24h", read_time, "--by", is_wordy=True)),
    ),
    OperatorCommand("pause", "stop an episode's clocks; replies are refused until it goes on", admin.pause, (CODE,)),
    OperatorCommand("resume", "let a paused episode go on", admin.resume, (CODE,)),
    OperatorCommand("withdraw", "take a player out of an episode", admin.withdraw, (CODE, NAME)),
    OperatorCommand("resend", "send the table and the open question again", admin.resend, (CODE, ANYBODY)),
    OperatorCommand(
        "retry",
        "take a mail again that could not be handled, or send a failed letter again",
        admin.retry,
        (
            Argument("what", "mail|letter", choices=("mail", "letter")),
            Argument("number", "NUMBER", read_count),
        ),
        by_mail=False,
    ),
    OperatorCommand(
        "say",
        "a host command of the game, or a player's in their place",
        admin.say,
        (CODE, Argument("as_name", "NAME", option="--as", is_optional=True), Argument("text", "COMMAND")),
        by_mail=False,  # in a mail the command itself is enough
    ),
    OperatorCommand(
        "back",
        "return to the state after a line of the record",
        admin.back,
        (CODE, Argument("line", "LINE", read_count)),
    ),
    OperatorCommand(
        "begin",
        "begin an episode with those who wait",
        admin.begin,
        (Argument("slug", "GAME", choices=tuple(sorted(GAMES))),),
    ),
)


def is_command(work: Work, line: str) -> bool:
    """Is it a command for an episode that it names, such as `pause CC-12`, or `login-link`, and nothing more?"""
    if _asks_for_link(line):
        return True
    word, *rest = line.split() or [""]
    command = next((each for each in COMMANDS if each.by_mail and each.name == word.lower()), None)
    if command is None or CODE not in command.arguments or not rest or not episode_of_code(work.session, rest[0]):
        return False
    try:
        return _values(command, rest[1:], line) is not None
    except AdminError:
        return False


def _asks_for_link(line: str) -> bool:
    return line.lower().replace("-", " ").split() == ["login", "link"]


def by_mail(work: Work, letter: Letter, line: str) -> str:
    """One line of an operator's reply to an alert. The episode is the letter's, unless the line names one."""
    word, *rest = line.split()
    code = ""
    if letter.episode_id is not None:
        code = work.session.get_one(Episode, letter.episode_id).code
    if rest and episode_of_code(work.session, rest[0]):
        code, rest = rest[0].upper(), rest[1:]
    try:
        with work.savepoint():
            answer = _answer(work, letter, word.lower(), code, rest, line)
            admin.audit(work, letter.address, line[:400], code)
            return answer
    except AdminError as error:
        return str(error)


def _answer(work: Work, letter: Letter, word: str, code: str, rest: Sequence[str], line: str) -> str:
    if _asks_for_link(line):
        mail_link(work, letter.address, is_sure=True)
        return "A link to the desk comes in a mail of its own."
    command = next((each for each in COMMANDS if each.by_mail and each.name == word), None)
    values = None if command is None else _values(command, rest, line)
    if command and values and CODE not in command.arguments:
        return command.run(work, **values)
    if not code:
        raise AdminError(f"“{line[:80]}”: name the episode too, such as pause CC-12.")
    if command and values is not None:
        return command.run(work, code=code, **values)
    if letter.host_question and letter.host_question not in {
        each.key for each in host_questions(admin.find(work, code))
    }:
        raise AdminError(f"What that letter asked is settled; {code} stands as podium episode {code} shows it.")
    return admin.say(work, code, " ".join(rest) if word == "say" else line)


def _values(command: OperatorCommand, words: Sequence[str], line: str) -> dict[str, Any] | None:
    """The values of a command's arguments but for the episode; None where there are not as many words as it takes.

    Each takes a word, an optional one as many as are left. Raises `AdminError` where a word cannot be read.
    """
    arguments = [each for each in command.arguments if each is not CODE]
    if arguments and arguments[-1].is_wordy:
        words = _last_joined(words, arguments[-1].read)
    spare = len(words) - sum(not each.is_optional for each in arguments)
    if spare < 0 or (spare and not any(each.is_optional for each in arguments)):
        return None
    left, values = list(words), {}
    for argument in arguments:
        count = spare if argument.is_optional else 1
        text, left = " ".join(left[:count]), left[count:]
        try:
            values[argument.name] = argument.read(text)
        except ValueError as error:
            raise AdminError(f"“{line[:80]}”: {error}.") from None
    return values


def _last_joined(words: Sequence[str], read: Callable[[str], Any]) -> Sequence[str]:
    """The words, as many of the last made one as can be read together."""
    for at in range(len(words)):
        try:
            read(" ".join(words[at:]))
        except ValueError:
            continue
        return [*words[:at], " ".join(words[at:])]
    return words
