"""Shell: the command line. In: arguments. Out: the command that they name, called; errors as one sentence on standard error.

Exit status 0 for success, 1 for failure, 2 for wrong use. The commands stand in `data/commands.toml`, each with the function that
carries it out as `module:function` here in `cli`; that is imported when the command is called, so that none waits for what
another needs.
"""

import argparse
import io
import pkgutil
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from host import __version__
from host.cli.terminal import is_text, parts, tell
from host.engine.words import table
from host.errors import PodiumError
from host.games import GAMES
from host.states import ROLES
from host.turn.operator_commands import COMMANDS, PEOPLE_COMMANDS, Argument, OperatorCommand, read_count, read_day

CONFIG = {"name": "--config", "type": "path", "metavar": "FILE", "help": "default: $PODIUM_CONFIG, else podium.toml"}


class Parser(argparse.ArgumentParser):
    """argparse with errors of one sentence."""

    def error(self, message: str) -> NoReturn:
        """Wrong use: exit 2."""
        tell(f"{self.prog}: {message}; {self.prog} --help tells more.", sys.stderr)
        raise SystemExit(2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name may hold anything; `\ud800` is JSON too
    parsed = _parsed(arguments)
    try:
        return function(parsed.function)(parsed)
    except PodiumError as error:
        tell(f"podium: {error}", sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        from host import troubles

        sentence = troubles.sentence(error)
        if not sentence:
            raise  # a fault of ours, whose trace is needed
        tell(f"podium: {sentence}", sys.stderr)
        return 1


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The arguments, read; the parser is not kept, for a daemon would keep it for months."""
    read = parser()
    if odd := next((each for each in arguments or sys.argv[1:] if not is_text(each)), ""):
        read.error(f"{odd!r} is not UTF-8 text: write it anew, or set the terminal to UTF-8")
    return read.parse_args(arguments)


def function(name: str) -> Callable[[argparse.Namespace], int]:
    """The function that carries a command out, imported now."""
    found: Callable[[argparse.Namespace], int] = pkgutil.resolve_name(f"host.cli.{name}")
    return found


def parser() -> Parser:
    """All commands and their options."""
    parser = Parser(prog="podium", description="A play-by-email host for card game shows.")
    parser.add_argument("--version", action="version", version=f"podium {__version__}")
    commands = table("host.cli", "commands.toml")
    over_people = [*map(_operators, PEOPLE_COMMANDS), *commands["people"]["commands"]]
    people = commands["people"] | {"commands": over_people}
    _add_commands(parser, [*commands["first"], *map(_operators, COMMANDS), people, *commands["last"]])
    return parser


def _operators(command: OperatorCommand) -> dict[str, Any]:
    """An operator's command, as `commands.toml` would have it."""
    name = command.name.split()[-1]
    return {"name": name, "function": "operating:carry_out", "help": command.help, "command": command}


def _add_commands(
    parser: Parser, rows: Sequence[Mapping[str, Any]], is_needed: bool = True, is_within: bool = False
) -> None:
    """Adds commands, one of which has to follow if it `is_needed`; before those `is_within` another `--config` may stand."""
    parts = parser.add_subparsers(title="commands", metavar="COMMAND", required=is_needed, parser_class=Parser)
    config = CONFIG | {"default": argparse.SUPPRESS} if is_within else CONFIG
    for row in rows:
        part = parts.add_parser(row["name"], help=row["help"], description=row["help"], usage=row.get("usage"))
        part.set_defaults(**{key: row[key] for key in ("function", "command") if key in row})
        for argument in ([config] if row.get("config", True) else []) + row.get("arguments", []):
            _add(part, argument)
        if "either" in row:
            either = part.add_mutually_exclusive_group()
            for argument in row["either"]:
                _add(either, argument)
        for each in row["command"].arguments if "command" in row else ():
            _add(part, _as_row(each))
        if "commands" in row:
            _add_commands(part, row["commands"], is_needed="function" not in row, is_within=True)


def _add(part: argparse._ActionsContainer, argument: Mapping[str, Any]) -> None:
    """One argument, as `commands.toml` has it."""
    options = {key: value for key, value in argument.items() if key != "name"}
    games, roles = sorted(GAMES), ", ".join(ROLES)
    for key in ("help", "default"):
        if isinstance(options.get(key), str):
            options[key] = options[key].format(games=", ".join(games), roles=roles)
    if options.get("choices") == "games":
        options["choices"] = games
    if options.get("action") == "yes or no":
        options["action"] = argparse.BooleanOptionalAction
    if "type" in options:
        options["type"] = _told(TYPES.get(options["type"], options["type"]))
    part.add_argument(argument["name"], **options)


def _as_row(argument: Argument) -> dict[str, Any]:
    """An argument of an operator's command, as `commands.toml` would have it."""

    def read(text: str) -> str:
        """The text as it was typed, where the table can read it."""
        try:
            argument.read(text)
        except ValueError as error:
            raise ValueError(f"{text}: {error}" if text not in str(error) else str(error)) from None
        return text

    row: dict[str, Any] = {"name": argument.option or argument.name, "type": read, "metavar": argument.shown}
    if argument.choices:
        row["choices"] = argument.choices
    if argument.is_optional:
        row["default"] = ""
    if argument.option:
        return row | {"dest": argument.name, "required": not argument.is_optional}
    return row | {"nargs": "?" if argument.is_optional else None}


def _told(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """The same reader, whose words argparse shows where a text cannot be read."""

    def take(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return take


def _some_of(text: str, names: Collection[str], is_needed: bool) -> tuple[str, ...]:
    """Some of these names with commas between; or none of them, unless that `is_needed`."""
    found = parts(text)
    if not set(found) <= set(names) or (is_needed and not found):
        raise ValueError(f"write some of {', '.join(names)} with commas between")
    return tuple(found)


def _port(text: str, lowest: int = 0) -> int:
    """A port; 0 stands for any."""
    if not text.isascii() or not text.isdigit() or not lowest <= int(text) <= 65535:
        raise ValueError(f"{text} is not a port")
    return int(text)


def _hex(text: str) -> str:
    if len(text) != 64 or set(text.lower()) - set("0123456789abcdef"):
        raise ValueError("a commitment is 64 hex digits")
    return text.lower()


TYPES: Mapping[str, Callable[[str], Any]] = {
    "path": Path,
    "roles": lambda text: _some_of(text, ROLES, is_needed=True),
    "games": lambda text: _some_of(text, sorted(GAMES), is_needed=False),
    "day": read_day,
    "count": read_count,
    "port": _port,
    "port in use": lambda text: _port(text, 1),
    "hex": _hex,
}


def show_help(arguments: argparse.Namespace) -> int:
    """Print the same as `COMMAND --help`."""
    parser().parse_args([*arguments.words, "--help"])
    return 0
