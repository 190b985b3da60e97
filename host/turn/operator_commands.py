"""Shell: the commands of operators, in one table. In: words of a command. Out: its values, and the sentence of who ran it.

The command line and the desk make their arguments from `COMMANDS`, `operators` reads mails by it, and the audit log has its
words. What carries a command out is imported when one is run: whoever asks for help waits for no game.
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from host.games import GAMES
from host.states import RIGHTS, Right

if TYPE_CHECKING:
    from host.table.work import Work

LARGEST = 2**31 - 1
"""No row has a larger number."""


def read_count(text: str) -> int:
    """A whole number from 1 on. Raises ValueError."""
    if not text.isascii() or not text.isdigit() or len(text) > 10 or not 1 <= int(text) <= LARGEST:
        raise ValueError(f"{text} is not a whole number from 1 on")
    return int(text)


def read_day(text: str) -> date:
    """A day such as 2026-12-31, not too far away to reckon with. Raises ValueError."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text} is not a day: write it as 2026-12-31") from None
    if not 1900 <= day.year <= 9000:
        raise ValueError(f"{text} is too far away")
    return day


def read_time(text: str) -> timedelta | str:
    """A time such as `24h`, `24 hours` or `a day`, more than none, or a day such as `until Monday`. Raises ValueError."""
    from host.config import read_duration
    from host.play.deadlines import more_time

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
    right: Right = "judge"
    """What it takes to give it a value, where that is more than the command takes."""


@dataclass(frozen=True)
class OperatorCommand:
    """A command, carried out by the function of its name, or of its last word, in a module of `turn`."""

    name: str
    help: str
    arguments: tuple[Argument, ...]
    by_mail: bool = True
    module: str = "admin"
    right: Right = "host"

    @property
    def usage(self) -> str:
        """How it is written in a mail."""
        shown = (f"[{each.shown}]" if each.is_optional else each.shown for each in self.arguments)
        return " ".join((self.name, *shown))

    def right_needed(self, values: Mapping[str, Any]) -> Right:
        """What whoever runs it with these values must be; at the shell everybody is an owner."""
        given = (each.right for each in self.arguments if values.get(each.name))
        return max((self.right, *given), key=RIGHTS.index)

    def run(self, work: "Work", **values: Any) -> str:
        """Carry it out with the values of its arguments; says what was done. Raises `AdminError`."""
        carry_out = getattr(importlib.import_module(f"host.turn.{self.module}"), self.name.split()[-1])
        said: str = carry_out(work, **values)
        return said

    def audit_words(self, values: Mapping[str, str]) -> str:
        """The command as the audit log has it, given the text of each argument."""
        said = [self.name]
        for argument in self.arguments:
            text = values.get(argument.name, "")
            if text or not argument.is_optional:
                said += [argument.option, text] if argument.option else [text]
        return " ".join(filter(None, said))


CODE = Argument("code", "CODE")
WHO = Argument("who", "WHO")
"""An address, or what letters call somebody."""
NAME = Argument("name", "NAME")
ANYBODY = Argument("name", "NAME", is_optional=True)
GAME = Argument("slug", "GAME", choices=tuple(sorted(GAMES)))

COMMANDS = (
    OperatorCommand(
        "extend",
        "give more time",
        (CODE, ANYBODY, Argument("by", "24h", read_time, "--by", is_wordy=True)),
    ),
    OperatorCommand("pause", "stop an episode's clocks; replies are refused until it goes on", (CODE,)),
    OperatorCommand("resume", "let a paused episode go on", (CODE,)),
    OperatorCommand(
        "withdraw",
        "take a player out of an episode, perhaps with why",
        (CODE, NAME, Argument("why", "WHY", option="--why", is_optional=True, is_wordy=True)),
    ),
    OperatorCommand(
        "seat",
        "let another contestant play on for a player, if they and the others agree",
        (CODE, NAME, WHO),
        module="people",
    ),
    OperatorCommand(
        "warn", "warn a player, with why", (CODE, NAME, Argument("why", "WHY", is_wordy=True)), module="people"
    ),
    OperatorCommand(
        "write",
        "write to one, to a table, or to all of a game or season",
        (Argument("who", "WHO|CODE|GAME|season"), Argument("text", "TEXT", is_wordy=True)),
        module="people",
    ),
    OperatorCommand("resend", "send the table and the open question again", (CODE, ANYBODY)),
    OperatorCommand(
        "retry",
        "take a mail again that could not be handled, or send a failed letter again",
        (
            Argument("what", "mail|letter", choices=("mail", "letter")),
            Argument("number", "NUMBER", read_count),
        ),
        by_mail=False,
    ),
    OperatorCommand(
        "say",
        "a host command of the game, or a player's in their place",
        (CODE, Argument("as_name", "NAME", option="--as", is_optional=True, right="host"), Argument("text", "COMMAND")),
        by_mail=False,  # in a mail the command itself is enough
        right="judge",
    ),
    OperatorCommand(
        "hush", "stop what a player, or anybody, said to the table and letters have not carried yet", (CODE, ANYBODY)
    ),
    OperatorCommand(
        "back",
        "return to the state after a line of the record",
        (CODE, Argument("line", "LINE", read_count)),
    ),
    OperatorCommand("begin", "begin an episode with those who wait", (GAME,)),
)


def _of_people(
    name: str, help: str, *arguments: Argument, by_mail: bool = True, right: Right = "host"
) -> OperatorCommand:
    return OperatorCommand(f"people {name}", help, arguments, by_mail, "people", right)


_ADDRESS = Argument("address", "ADDRESS")

PEOPLE_COMMANDS = (
    _of_people(
        "add",
        "register somebody by hand; they get a letter",
        NAME,
        _ADDRESS,
        replace(GAME, name="game", option="--game", is_optional=True),
        Argument("hometown", "TOWN", option="--hometown", is_optional=True),
        by_mail=False,
    ),
    _of_people(
        "invite",
        "invite addresses to a table of their own, which begins when all say yes",
        GAME,
        Argument("addresses", "ADDRESSES", is_wordy=True),
    ),
    _of_people("name", "correct what somebody is called", WHO, Argument("new", "NEW", is_wordy=True)),
    _of_people(
        "bar", "bar an address, with why; nothing from it is played", _ADDRESS, Argument("why", "WHY", is_wordy=True)
    ),
    _of_people("unbar", "let a barred address write again", _ADDRESS),
    _of_people("leave", "take somebody out of a queue", WHO, GAME),
    _of_people(
        "merge", "make two contestants one, who has what both had", WHO, Argument("into", "INTO"), right="owner"
    ),
    _of_people("forget", "forget somebody, as their own words forget me do", WHO, right="owner"),
)
"""The host's hand over contestants."""


def out_of_right(right: Right) -> str:
    """A sentence for somebody of the house whose right does not reach."""
    if right == "judge":
        return "You are a judge here: you answer what games ask the host, and nothing else. A host can do this."
    return "You are a co-host here: this is for an owner, one of the operators in the configuration."
