"""Shell: the command line. In: arguments. Out: the command that they name, called; errors as one sentence on standard error.

Exit status 0 for success, 1 for failure, 2 for wrong use.
"""

import argparse
import io
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from host import __version__, troubles
from host.cli import commands, helping, hosting, init, interpreting, tools
from host.cli.terminal import Failure, tell
from host.config import ConfigError
from host.daemon.first_connections import StartError
from host.daemon.main import ROLES
from host.games import GAMES
from host.mail import oauth
from host.store.database import StoreError
from host.turn import admin
from host.turn.operator_commands import read_count


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
        status: int = parsed.run(parsed)
        return status
    except (Failure, ConfigError, StoreError, StartError, admin.AdminError, oauth.OAuthError) as error:
        tell(f"podium: {error}", sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        sentence = troubles.sentence(error)
        if not sentence:
            raise  # a fault of ours, whose trace is needed
        tell(f"podium: {sentence}", sys.stderr)
        return 1


def parser() -> Parser:
    """All commands and their options."""
    parser = Parser(prog="podium", description="A play-by-email host for card game shows.")
    parser.add_argument("--version", action="version", version=f"podium {__version__}")
    parts = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
    _add_offline(parts)
    _add_looking(parts)
    commands.add_commands(partial(_add, parts))
    _add_questions(parts)
    _add_helping(parser, parts)
    return parser


def _add(parts: Any, name: str, run: Any, words: str, config: bool = True) -> Parser:
    command: Parser = parts.add_parser(name, help=words, description=words)
    command.set_defaults(run=run)
    if config:
        command.add_argument("--config", type=Path, metavar="FILE", help="default: $PODIUM_CONFIG, else podium.toml")
    return command


def _add_offline(parts: Any) -> None:
    command = _add(parts, "run", hosting.run, "the daemon: watches the mailbox, plays, sends, keeps the deadlines")
    command.add_argument(
        "--role",
        type=_roles,
        default=ROLES,
        metavar="ROLE,...",
        help=f"on PostgreSQL, what this process does, of {', '.join(ROLES)}; default: all",
    )
    init.add_arguments(
        _add(parts, "init", init.run, "ask what a new host needs, find its servers, write podium.toml", False)
    )
    _add(parts, "check", hosting.check_host, "say line by line whether config, database, IMAP, SMTP and templates work")
    command = _add(parts, "login", hosting.login, "let Podium into a mailbox that takes no password (OAuth2)")
    command.add_argument("--browser", action="store_true", help="consent in a browser on this machine, without a code")
    command.add_argument("--port", type=_port, default=0, help="port of this machine that the browser is sent back to")
    command = _add(parts, "demo", hosting.show_demo, "a whole host on this machine, nothing to configure", config=False)
    command.add_argument("--port", type=_port, default=0, help="port of the page; without one, of the IMAP server")
    command.add_argument(
        "--headless", choices=sorted(GAMES), metavar="GAME", help="robots play one episode, then it ends"
    )
    command.add_argument(
        "--game", choices=sorted(GAMES), metavar="GAME", help="what you play first; in the terminal champ-cards"
    )
    command.add_argument("--terminal", action="store_true", help="letters in the terminal, not in the browser")
    command.add_argument("--no-open", action="store_true", help="serve the page and open no browser")
    command = _add(parts, "replay", tools.replay, "replay episode records", config=False)
    command.add_argument("files", nargs="+", metavar="FILE")
    command = _add(
        parts, "verify", tools.verify, "replay records and check their seeds against commitments", config=False
    )
    command.add_argument("files", nargs="+", metavar="FILE")
    promised = command.add_mutually_exclusive_group()
    promised.add_argument("--commitment", type=_hex, metavar="HEX", help="64 hex digits, from the first mail")
    promised.add_argument("--mail", type=Path, metavar="FIRST.eml", help="the first mail of the episode")
    command = _add(parts, "read", tools.read, "what Podium reads in a mail, touching nothing", config=False)
    command.add_argument("files", nargs="+", metavar="FILE.eml")
    command.add_argument(
        "--sent", nargs="+", default=[], action="extend", metavar="FILE.eml", help="letters sent before"
    )
    command.add_argument("--json", action="store_true", help="one JSON object a line (always so)")
    command = _add(
        parts, "interpret", interpreting.interpret_texts, "what a text would be read as, touching nothing", config=False
    )
    command.add_argument("file", nargs="?", metavar="FILE.jsonl", help="an episode record; the text comes at its end")
    command.add_argument("name", nargs="?", metavar="NAME", help="who writes: a player of the record, or host")
    command.add_argument("text", nargs="?", metavar="TEXT")
    command.add_argument(
        "--json", action="store_true", help="JSON; without a record, one object for each row of standard input"
    )
    command = _add(parts, "simulate", tools.simulate_game, "play episodes with robots, no mail", config=False)
    command.add_argument("game", choices=sorted(GAMES), metavar="GAME")
    command.add_argument("--episodes", type=_count, required=True, metavar="N")
    command.add_argument("--seed", default="podium", metavar="S")
    command.add_argument("--json", action="store_true")


def _add_looking(parts: Any) -> None:
    command = _add(parts, "status", hosting.status, "what is going on")
    command.add_argument("--json", action="store_true")
    command.add_argument("--alive", action="store_true", help="exit 1 where no daemon was seen in the last two minutes")
    command = _add(parts, "episode", hosting.episode, "one episode: table, deadlines, record")
    command.add_argument("code", metavar="CODE")
    command.add_argument("--json", action="store_true")
    command.add_argument("--reveal", action="store_true", help="show seed and hidden cards too; this is logged")
    command = _add(parts, "queue", hosting.queue, "who waits for a game")
    command.add_argument("game", choices=sorted(GAMES), metavar="GAME")
    command.add_argument("--json", action="store_true")
    command = _add(parts, "mail", hosting.mail, "each mail in and out: arrival, what was read, why it was refused")
    command.add_argument("wanted", nargs="?", default="", metavar="CODE|ADDRESS")
    command.add_argument("--json", action="store_true")
    command = _add(parts, "announce", hosting.announce, "a text for a forum: the game in short and how to register")
    command.add_argument("game", choices=sorted(GAMES), metavar="GAME")
    command = _add(parts, "site", hosting.site, "the public pages as files, for any host of static pages")
    command.add_argument("folder", type=Path, metavar="FOLDER")
    command = _add(
        parts, "login-link", hosting.login_link, "a link to the desk for an operator, good once, for half an hour"
    )
    command.add_argument(
        "address", nargs="?", default="", metavar="ADDRESS", help="the operator, where there are several"
    )
    command = _add(parts, "backup", hosting.backup, "a consistent copy of the database while the daemon runs")
    command.add_argument("file", type=Path, metavar="FILE")
    command = _add(parts, "move", hosting.move, "move from SQLite to PostgreSQL, while podium run is stopped")
    way = command.add_mutually_exclusive_group(required=True)
    way.add_argument("--to", metavar="URL", help="postgresql://user:password@host/name, an empty database")
    way.add_argument("--undo", action="store_true", help="play on in the SQLite file, as it was before the move")


def _add_questions(parts: Any) -> None:
    words = "the question bank of a game"
    command: Parser = parts.add_parser("questions", help=words, description=words)
    parts = command.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
    part = _add(parts, "import", hosting.import_questions, "add the questions of a TOML or CSV file to the bank")
    part.add_argument("file", metavar="FILE", help="a file, or starter for the questions that come with Podium")
    part = _add(
        parts, "list", hosting.list_questions, "the questions of the bank, and in how many episodes each was put"
    )
    part.add_argument("--json", action="store_true")


def _add_helping(parser: Parser, parts: Any) -> None:
    command = _add(parts, "help", partial(helping.show_help, parser), "what a command does, and its options", False)
    command.add_argument("words", nargs="*", metavar="COMMAND")
    words = "what the shell completes after Tab, for its own folder of such files"
    command = _add(parts, "completion", partial(helping.show_completion, parser), words, False)
    command.add_argument("shell", choices=helping.SHELLS, metavar="SHELL", help=" or ".join(helping.SHELLS))
    _add(parts, "manual", partial(helping.show_manual, parser), "all of this as a page for man", False)


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
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text} is not a port")
    return int(text)


def _hex(text: str) -> str:
    if len(text) != 64 or set(text.lower()) - set("0123456789abcdef"):
        raise argparse.ArgumentTypeError("a commitment is 64 hex digits")
    return text.lower()
