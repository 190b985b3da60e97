"""Shell: the command line. In: arguments. Out: the command that they name, called; errors as one sentence on standard error.

Exit status 0 for success, 1 for failure, 2 for wrong use. Each command names the function that carries it out as
`module:function` here in `cli`; that is imported when the command is called, so that none waits for what another needs.
"""

import argparse
import importlib
import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from host import __version__
from host.cli.terminal import tell
from host.errors import PodiumError
from host.games import GAMES
from host.states import ROLES
from host.turn.operator_commands import COMMANDS, Argument, read_count

SHELLS = ("bash", "zsh")


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
    parsed = parser().parse_args(arguments)
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


def function(name: str) -> Callable[[argparse.Namespace], int]:
    """The function that carries a command out, imported now."""
    module, _, word = name.partition(":")
    found: Callable[[argparse.Namespace], int] = getattr(importlib.import_module(f"host.cli.{module}"), word)
    return found


def parser() -> Parser:
    """All commands and their options."""
    parser = Parser(prog="podium", description="A play-by-email host for card game shows.")
    parser.add_argument("--version", action="version", version=f"podium {__version__}")
    parts = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
    _add_hosting(parts)
    _add_offline(parts)
    _add_looking(parts)
    _add_operators(parts)
    _add_questions(parts)
    _add_helping(parser, parts)
    return parser


def _add(parts: Any, name: str, function: str, words: str, config: bool = True) -> Parser:
    command: Parser = parts.add_parser(name, help=words, description=words)
    command.set_defaults(function=function)
    if config:
        command.add_argument("--config", type=Path, metavar="FILE", help="default: $PODIUM_CONFIG, else podium.toml")
    return command


def _add_hosting(parts: Any) -> None:
    command = _add(parts, "run", "hosting:run", "the daemon: watches the mailbox, plays, sends, keeps the deadlines")
    command.add_argument(
        "--role",
        type=_roles,
        default=ROLES,
        metavar="ROLE,...",
        help=f"on PostgreSQL, what this process does, of {', '.join(ROLES)}; default: all",
    )
    words = "ask what a new host needs, find its servers, write podium.toml"
    _add_init_options(_add(parts, "init", "init:run", words, config=False))
    _add(parts, "check", "check:run", "say line by line whether config, database, IMAP, SMTP and templates work")
    command = _add(parts, "login", "hosting:login", "let Podium into a mailbox that takes no password (OAuth2)")
    command.add_argument("--browser", action="store_true", help="consent in a browser on this machine, without a code")
    command.add_argument("--port", type=_port, default=0, help="port of this machine that the browser is sent back to")
    words = "a whole host on this machine, nothing to configure"
    command = _add(parts, "demo", "hosting:show_demo", words, config=False)
    command.add_argument("--port", type=_port, default=0, help="port of the page; without one, of the IMAP server")
    command.add_argument(
        "--headless", choices=sorted(GAMES), metavar="GAME", help="robots play one episode, then it ends"
    )
    command.add_argument(
        "--game", choices=sorted(GAMES), metavar="GAME", help="what you play first; in the terminal champ-cards"
    )
    command.add_argument("--terminal", action="store_true", help="letters in the terminal, not in the browser")
    command.add_argument("--no-open", action="store_true", help="serve the page and open no browser")


def _add_init_options(command: Parser) -> None:
    """Options for `podium init`, one for each of its questions among them."""
    add = command.add_argument
    add("--config", type=Path, default=Path("podium.toml"), metavar="FILE", help="default: podium.toml")
    add("--yes", action="store_true", help="ask nothing: defaults for what is not given")
    add("--force", action="store_true", help="replace a configuration, and keep it as .bak")
    add("--without-login", action="store_true", help="write it without a login that proves it")
    add("--address", metavar="ADDRESS", help="of the games' mailbox")
    words = "with its password; or PODIUM_IMAP__PASSWORD in the environment"
    add("--password-file", type=Path, metavar="FILE", help=words)
    add("--client-id", metavar="ID", help="where the provider takes no password: docs/oauth.md")
    add("--name", metavar="NAME", help="of the host, who signs the letters")
    add("--games", metavar="GAME,...", help=f"of {', '.join(sorted(GAMES))}; or all")
    add("--operator", metavar="ADDRESS,...", help="who gets alerts and may command by mail; or none")
    add("--timezone", metavar="ZONE", help="such as Europe/Berlin; default: this machine's")
    words = "pages for the host, on this machine; default: yes"
    add("--web", action=argparse.BooleanOptionalAction, help=words)
    add("--username", metavar="NAME", help="to log in with; default: the address, or what is before its @")
    for name in ("imap", "smtp"):
        add(f"--{name}-host", metavar="HOST", help=f"the {name.upper()} server; default: it is found")
        add(f"--{name}-port", type=_port_in_use, metavar="PORT")
        add(f"--{name}-security", choices=("tls", "starttls", "none"), help="none only on this machine")


def _add_offline(parts: Any) -> None:
    command = _add(parts, "replay", "tools:replay", "replay episode records", config=False)
    command.add_argument("files", nargs="+", metavar="FILE")
    words = "replay records and check their seeds against commitments"
    command = _add(parts, "verify", "tools:verify", words, config=False)
    command.add_argument("files", nargs="+", metavar="FILE")
    promised = command.add_mutually_exclusive_group()
    promised.add_argument("--commitment", type=_hex, metavar="HEX", help="64 hex digits, from the first mail")
    promised.add_argument("--mail", type=Path, metavar="FIRST.eml", help="the first mail of the episode")
    command = _add(parts, "read", "tools:read", "what Podium reads in a mail, touching nothing", config=False)
    command.add_argument("files", nargs="+", metavar="FILE.eml")
    command.add_argument(
        "--sent", nargs="+", default=[], action="extend", metavar="FILE.eml", help="letters sent before"
    )
    command.add_argument("--json", action="store_true", help="one JSON object a line (always so)")
    words = "what a text would be read as, touching nothing"
    command = _add(parts, "interpret", "interpreting:interpret_texts", words, config=False)
    command.add_argument("file", nargs="?", metavar="FILE.jsonl", help="an episode record; the text comes at its end")
    command.add_argument("name", nargs="?", metavar="NAME", help="who writes: a player of the record, or host")
    command.add_argument("text", nargs="?", metavar="TEXT")
    command.add_argument(
        "--json", action="store_true", help="JSON; without a record, one object for each row of standard input"
    )
    command = _add(parts, "simulate", "tools:simulate_game", "play episodes with robots, no mail", config=False)
    command.add_argument("game", choices=sorted(GAMES), metavar="GAME")
    command.add_argument("--episodes", type=_count, required=True, metavar="N")
    command.add_argument("--seed", default="podium", metavar="S")
    command.add_argument("--json", action="store_true")


def _add_looking(parts: Any) -> None:
    command = _add(parts, "status", "looking:status", "what is going on")
    command.add_argument("--json", action="store_true")
    command.add_argument("--alive", action="store_true", help="exit 1 where no daemon was seen in the last two minutes")
    command = _add(parts, "episode", "looking:episode", "one episode: table, deadlines, record")
    command.add_argument("code", metavar="CODE")
    command.add_argument("--json", action="store_true")
    command.add_argument("--reveal", action="store_true", help="show seed and hidden cards too; this is logged")
    command = _add(parts, "queue", "looking:queue", "who waits for a game")
    command.add_argument("game", choices=sorted(GAMES), metavar="GAME")
    command.add_argument("--json", action="store_true")
    command = _add(parts, "mail", "looking:mail", "each mail in and out: arrival, what was read, why it was refused")
    command.add_argument("wanted", nargs="?", default="", metavar="CODE|ADDRESS")
    command.add_argument("--json", action="store_true")
    words = "a text for a forum: the game in short and how to register"
    command = _add(parts, "announce", "operating:announce", words)
    command.add_argument("game", choices=sorted(GAMES), metavar="GAME")
    command = _add(parts, "site", "operating:site", "the public pages as files, for any host of static pages")
    command.add_argument("folder", type=Path, metavar="FOLDER")
    words = "a link to the desk for an operator, good once, for half an hour"
    command = _add(parts, "login-link", "operating:login_link", words)
    words = "the operator, where there are several"
    command.add_argument("address", nargs="?", default="", metavar="ADDRESS", help=words)
    words = "a consistent copy of the database while the daemon runs"
    command = _add(parts, "backup", "operating:backup", words)
    command.add_argument("file", type=Path, metavar="FILE")
    words = "move from SQLite to PostgreSQL, while podium run is stopped"
    command = _add(parts, "move", "operating:move", words)
    way = command.add_mutually_exclusive_group(required=True)
    way.add_argument("--to", metavar="URL", help="postgresql://user:password@host/name, an empty database")
    way.add_argument("--undo", action="store_true", help="play on in the SQLite file, as it was before the move")


def _add_operators(parts: Any) -> None:
    """The commands that operators may give by mail and at the desk too."""
    for command in COMMANDS:
        parser = _add(parts, command.name, "operating:carry_out", command.help)
        parser.set_defaults(command=command)
        for argument in command.arguments:
            options: dict[str, Any] = {"type": _text_of(argument), "metavar": argument.shown}
            if argument.choices:
                options["choices"] = argument.choices
            if argument.is_optional:
                options["default"] = ""
            if argument.option:
                parser.add_argument(argument.option, dest=argument.name, required=not argument.is_optional, **options)
            else:
                parser.add_argument(argument.name, nargs="?" if argument.is_optional else None, **options)


def _add_questions(parts: Any) -> None:
    words = "the question bank of a game"
    command: Parser = parts.add_parser("questions", help=words, description=words)
    parts = command.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
    words = "add the questions of a TOML or CSV file to the bank"
    part = _add(parts, "import", "operating:import_questions", words)
    part.add_argument("file", metavar="FILE", help="a file, or starter for the questions that come with Podium")
    words = "the questions of the bank, and in how many episodes each was put"
    part = _add(parts, "list", "operating:list_questions", words)
    part.add_argument("--json", action="store_true")


def _add_helping(parser: Parser, parts: Any) -> None:
    command = _add(parts, "help", "helping:show_help", "what a command does, and its options", False)
    command.add_argument("words", nargs="*", metavar="COMMAND")
    words = "what the shell completes after Tab, for its own folder of such files"
    completion = _add(parts, "completion", "helping:show_completion", words, False)
    completion.add_argument("shell", choices=SHELLS, metavar="SHELL", help=" or ".join(SHELLS))
    manual = _add(parts, "manual", "helping:show_manual", "all of this as a page for man", False)
    for each in (command, completion, manual):
        each.set_defaults(parser=parser)


def _text_of(argument: Argument) -> Callable[[str], str]:
    """Takes an argument's text as it was typed, where the table can read it."""

    def take(text: str) -> str:
        try:
            argument.read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"{text}: {error}" if text not in str(error) else str(error)) from None
        return text

    return take


def _roles(text: str) -> tuple[str, ...]:
    roles = tuple(dict.fromkeys(each.strip() for each in text.split(",") if each.strip()))
    unknown = [each for each in roles if each not in ROLES]
    if unknown or not roles:
        raise argparse.ArgumentTypeError(f"write some of {', '.join(ROLES)} with commas between")
    return roles


def _count(text: str) -> int:
    try:
        return read_count(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _port(text: str) -> int:
    """A port, or 0 for any."""
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text} is not a port")
    return int(text)


def _port_in_use(text: str) -> int:
    if not _port(text):
        raise argparse.ArgumentTypeError(f"{text} is not a port")
    return int(text)


def _hex(text: str) -> str:
    if len(text) != 64 or set(text.lower()) - set("0123456789abcdef"):
        raise argparse.ArgumentTypeError("a commitment is 64 hex digits")
    return text.lower()
