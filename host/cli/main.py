"""Shell: the command line. In: arguments. Out: calls and printing; errors as one sentence on standard error.

Exit status 0 for success, 1 for failure, 2 for wrong use.
"""

import argparse
import asyncio
import io
import json
import logging
import sys
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, NoReturn, TextIO

from host import __version__, logs
from host.cli import check, format
from host.config import Config, ConfigError, load, notify_socket, read_duration
from host.daemon.main import ROLES, Daemon, StartError, now
from host.demo import demo, simulate
from host.engine import record
from host.games import GAMES
from host.mail import oauth
from host.mail.inbound.sandbox import ReadingError, Sandbox, Unread
from host.store import moving
from host.store.database import Store, StoreError, connect, open_store
from host.turn import admin, question_bank, reports
from host.turn.work import Services, begin

SLUGS = {slug: game.seats for slug, game in GAMES.items()}


class Failure(Exception):
    """A command failed; the message is the sentence to print."""


class Parser(argparse.ArgumentParser):
    """argparse with errors of one sentence."""

    def error(self, message: str) -> NoReturn:
        """Wrong use: exit 2."""
        _tell(f"{self.prog}: {message}; {self.prog} --help tells more.", sys.stderr)
        raise SystemExit(2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name may hold anything; `\ud800` is JSON too
    parsed = _parser().parse_args(arguments)
    try:
        status: int = parsed.run(parsed)
        return status
    except (Failure, ConfigError, StoreError, StartError, admin.AdminError, oauth.OAuthError) as error:
        _tell(f"podium: {error}", sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> Parser:
    parser = Parser(prog="podium", description="A play-by-email host for card game shows.")
    parser.add_argument("--version", action="version", version=f"podium {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
    _add_offline(commands)
    _add_looking(commands)
    _add_hand(commands)
    _add_questions(commands)
    return parser


def _add(commands: Any, name: str, run: Any, words: str, config: bool = True) -> Parser:
    command: Parser = commands.add_parser(name, help=words, description=words)
    command.set_defaults(run=run)
    if config:
        command.add_argument("--config", type=Path, metavar="FILE", help="default: $PODIUM_CONFIG, else podium.toml")
    return command


def _add_offline(commands: Any) -> None:
    command = _add(commands, "run", _run, "the daemon: watches the mailbox, plays, sends, keeps the deadlines")
    command.add_argument(
        "--role",
        type=_roles,
        default=ROLES,
        metavar="ROLE,...",
        help=f"on PostgreSQL, what this process does, of {', '.join(ROLES)}; default: all",
    )
    _add(commands, "check", _check, "say line by line whether config, database, IMAP, SMTP and templates work")
    command = _add(commands, "login", _login, "let Podium into a mailbox that takes no password (OAuth2)")
    command.add_argument("--browser", action="store_true", help="consent in a browser on this machine, without a code")
    command.add_argument("--port", type=_port, default=0, help="port of this machine that the browser is sent back to")
    command = _add(commands, "demo", _demo, "a whole host on this machine, nothing to configure", config=False)
    command.add_argument("--port", type=_port, default=0, help="port of the demo's IMAP server")
    command.add_argument(
        "--headless", choices=sorted(GAMES), metavar="GAME", help="robots play one episode, then it ends"
    )
    command.add_argument(
        "--game", choices=sorted(GAMES), default="champ-cards", metavar="GAME", help="what you play (champ-cards)"
    )
    command = _add(commands, "replay", _replay, "replay episode records", config=False)
    command.add_argument("files", nargs="+", metavar="FILE")
    command = _add(
        commands, "verify", _verify, "replay records and check their seeds against commitments", config=False
    )
    command.add_argument("files", nargs="+", metavar="FILE")
    promised = command.add_mutually_exclusive_group()
    promised.add_argument("--commitment", type=_hex, metavar="HEX", help="64 hex digits, from the first mail")
    promised.add_argument("--mail", type=Path, metavar="FIRST.eml", help="the first mail of the episode")
    command = _add(commands, "read", _read, "what Podium reads in a mail, touching nothing", config=False)
    command.add_argument("files", nargs="+", metavar="FILE.eml")
    command.add_argument(
        "--sent", nargs="+", default=[], action="extend", metavar="FILE.eml", help="letters sent before"
    )
    command.add_argument("--json", action="store_true", help="one JSON object a line (always so)")
    command = _add(commands, "simulate", _simulate, "play episodes with robots, no mail", config=False)
    command.add_argument("game", choices=sorted(GAMES), metavar="GAME")
    command.add_argument("--episodes", type=_count, required=True, metavar="N")
    command.add_argument("--seed", default="podium", metavar="S")
    command.add_argument("--json", action="store_true")


def _add_looking(commands: Any) -> None:
    command = _add(commands, "status", _status, "what is going on")
    command.add_argument("--json", action="store_true")
    command.add_argument("--alive", action="store_true", help="exit 1 where no daemon was seen in the last two minutes")
    command = _add(commands, "episode", _episode, "one episode: table, deadlines, record")
    command.add_argument("code", metavar="CODE")
    command.add_argument("--json", action="store_true")
    command.add_argument("--reveal", action="store_true", help="show seed and hidden cards too; this is logged")
    command = _add(commands, "queue", _queue, "who waits for a game")
    command.add_argument("game", choices=sorted(GAMES), metavar="GAME")
    command.add_argument("--json", action="store_true")
    command = _add(commands, "mail", _mail, "each mail in and out: arrival, what was read, why it was refused")
    command.add_argument("wanted", nargs="?", default="", metavar="CODE|ADDRESS")
    command.add_argument("--json", action="store_true")
    command = _add(commands, "announce", _announce, "a text for a forum: the game in short and how to register")
    command.add_argument("game", choices=sorted(GAMES), metavar="GAME")
    command = _add(commands, "backup", _backup, "a consistent copy of the database while the daemon runs")
    command.add_argument("file", type=Path, metavar="FILE")
    command = _add(commands, "move", _move, "move from SQLite to PostgreSQL, while podium run is stopped")
    way = command.add_mutually_exclusive_group(required=True)
    way.add_argument("--to", metavar="URL", help="postgresql://user:password@host/name, an empty database")
    way.add_argument("--undo", action="store_true", help="play on in the SQLite file, as it was before the move")


def _add_hand(commands: Any) -> None:
    command = _add(commands, "extend", _extend, "give more time")
    command.add_argument("code", metavar="CODE")
    command.add_argument("name", nargs="?", default="", metavar="NAME")
    command.add_argument("--by", type=_duration, required=True, metavar="24h")
    for name, run, words in (
        ("pause", _pause, "stop an episode's clocks; replies are refused until it goes on"),
        ("resume", _resume, "let a paused episode go on"),
    ):
        _add(commands, name, run, words).add_argument("code", metavar="CODE")
    command = _add(commands, "withdraw", _withdraw, "take a player out of an episode")
    command.add_argument("code", metavar="CODE")
    command.add_argument("name", metavar="NAME")
    command = _add(commands, "resend", _resend, "send the table and the open question again")
    command.add_argument("code", metavar="CODE")
    command.add_argument("name", nargs="?", default="", metavar="NAME")
    command = _add(
        commands, "retry", _retry, "take a mail again that could not be handled, or send a failed letter again"
    )
    command.add_argument("what", choices=("mail", "letter"), metavar="mail|letter")
    command.add_argument("number", type=_count, metavar="NUMBER")
    command = _add(commands, "say", _say, "a host command of the game, or with --as a player's in their place")
    command.add_argument("code", metavar="CODE")
    command.add_argument("text", metavar="COMMAND")
    command.add_argument("--as", dest="as_name", default="", metavar="NAME")
    command = _add(commands, "back", _back, "return to the state after a line of the record")
    command.add_argument("code", metavar="CODE")
    command.add_argument("line", type=_count, metavar="LINE")
    command = _add(commands, "begin", _begin, "begin an episode with those who wait")
    command.add_argument("game", choices=sorted(GAMES), metavar="GAME")


def _add_questions(commands: Any) -> None:
    words = "the question bank of a game"
    command: Parser = commands.add_parser("questions", help=words, description=words)
    parts = command.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
    part = _add(parts, "import", _import_questions, "add the questions of a TOML or CSV file to the bank")
    part.add_argument("file", metavar="FILE", help="a file, or starter for the questions that come with Podium")
    part = _add(parts, "list", _list_questions, "the questions of the bank, and in how many episodes each was put")
    part.add_argument("--json", action="store_true")


def _roles(text: str) -> tuple[str, ...]:
    roles = tuple(dict.fromkeys(each.strip() for each in text.split(",") if each.strip()))
    unknown = [each for each in roles if each not in ROLES]
    if unknown or not roles:
        raise argparse.ArgumentTypeError(f"write some of {', '.join(ROLES)} with commas between")
    return roles


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number from 1 on")
    return int(text)


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text} is not a port")
    return int(text)


def _hex(text: str) -> str:
    if len(text) != 64 or set(text.lower()) - set("0123456789abcdef"):
        raise argparse.ArgumentTypeError("a commitment is 64 hex digits")
    return text.lower()


def _duration(text: str) -> timedelta:
    try:
        value = read_duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text}: {error}") from None
    if value <= timedelta():
        raise argparse.ArgumentTypeError("give more than no time")
    return value


def _opened(arguments: argparse.Namespace) -> tuple[Config, Services, Store]:
    config = load(arguments.config, SLUGS)
    store = open_store(config.database.url)
    return config, Services(config, store), store


def _tell(text: object, stream: TextIO | None = None) -> None:
    """The only way to the terminal: what others wrote is shown there, and not obeyed."""
    print(logs.visible(str(text), kept="\n"), file=stream, flush=True)


def _print(value: object) -> None:
    _tell(logs.visible_json(value))


def _show(arguments: argparse.Namespace, found: Any, in_words: Callable[[Any], str]) -> int:
    """What a command found: one JSON value with --json, else text for a person."""
    if arguments.json:
        _print(found)
    else:
        _tell(in_words(logs.all_visible(found)))
    return 0


def _run(arguments: argparse.Namespace) -> int:
    config = load(arguments.config, SLUGS)
    logs.configure(config.health.log_format, sys.stderr)
    check.check_options(config)
    store = open_store(config.database.url)
    store.lock()
    asyncio.run(Daemon(config, store, manager=notify_socket(), roles=arguments.role).run())
    store.close()
    return 0


def _check(arguments: argparse.Namespace) -> int:
    found = asyncio.run(check.check(arguments.config, SLUGS))
    for line in found:
        _tell({True: "ok    ", False: "WRONG ", None: "note  "}[line.is_good] + line.words)
    return 1 if any(line.is_good is False for line in found) else 0


def _login(arguments: argparse.Namespace) -> int:
    config = load(arguments.config, SLUGS)
    if config.oauth is None:
        raise Failure("The configuration has no [oauth] section: config.example.toml shows it.")
    _tell(f"This lets Podium read and send the mail of {config.imap.username}: log in there as that.")
    tokens = oauth.Tokens(config.oauth, now)
    asyncio.run(tokens.log_in(_tell, arguments.browser, arguments.port))
    _tell(f"Podium has access now; it is kept in {config.oauth.token_file}.")
    return 0


def _demo(arguments: argparse.Namespace) -> int:
    logging.basicConfig(level=logging.ERROR)
    if arguments.headless:
        asyncio.run(demo.headless(GAMES[arguments.headless], _tell, arguments.port))
    else:
        asyncio.run(demo.in_terminal(GAMES[arguments.game], arguments.port))
    return 0


def _record(file: str) -> record.Record | str:
    """The record in a file, or the sentence that says why it is none."""
    try:
        return record.read(Path(file).read_bytes(), GAMES)
    except OSError as error:
        return f"{file} cannot be read: {error.strerror}."
    except record.NotARecord as error:
        return f"{file} is not an episode record: {error}."


def _replay(arguments: argparse.Namespace) -> int:
    status = 0
    write = sys.stdout.write
    for file in arguments.files:
        found = _record(file)
        if isinstance(found, str):
            _tell(f"podium: {found}", sys.stderr)
            status = 2
            continue
        for row in record.rows(GAMES[found.header.game], found):
            write(logs.visible_json({"file": file, **row}) + "\n")
            if row.get("ok") is False:
                status = max(status, 1)
    return status


def _verify(arguments: argparse.Namespace) -> int:
    promised = arguments.commitment
    if arguments.mail:
        promised = _promised_in(arguments.mail)
    status = 0
    for file in arguments.files:
        found = _record(file)
        if isinstance(found, str):
            _tell(f"podium: {found}", sys.stderr)
            status = 2
            continue
        verified = record.verify(GAMES[found.header.game], found, promised)
        _tell(format.verification(file, verified))
        status = max(status, 0 if verified.holds else 1)
    return status


def _promised_in(file: Path) -> str:
    try:
        found = format.commitment_in(file.read_bytes())
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}.") from None
    if found is None:
        raise Failure(f"{file} has no X-Podium-Commitment header: give the contestant's first mail of the episode.")
    return found


def _read(arguments: argparse.Namespace) -> int:
    sent: list[bytes] = []
    for file in arguments.sent:
        try:
            sent.append(Path(file).read_bytes())
        except OSError as error:
            raise Failure(f"{file} cannot be read: {error.strerror}.") from None
    return asyncio.run(_read_files(arguments.files, sent))


async def _read_files(files: Sequence[str], sent: Sequence[bytes]) -> int:
    status = 0
    worker = Sandbox()
    for file in files:
        try:
            raw = Path(file).read_bytes()
        except OSError as error:
            _tell(f"podium: {file} cannot be read: {error.strerror}.", sys.stderr)
            status = 1
            continue
        _print({"file": file} | await _reading(worker, raw, sent))
    await worker.close()
    return status


async def _reading(worker: Sandbox, raw: bytes, sent: Sequence[bytes]) -> dict[str, Any]:
    """What Podium reads in a mail, held against letters that were sent before."""
    try:
        mail = await worker.open(raw)
        typed = await worker.read(Unread(mail.text, sent, page=mail.page, writer=mail.display_name))
    except ReadingError as error:
        return {"from": None, "token": None, "lines": [], "silence": None, "problem": str(error)}
    return {
        "from": mail.sender or None,
        "token": mail.tokens[0] if mail.tokens else None,
        "lines": list(typed.lines),
        "silence": mail.silence,
        "problem": mail.problem,
    }


def _simulate(arguments: argparse.Namespace) -> int:
    game = GAMES[arguments.game]
    report = simulate.simulate(game, arguments.episodes, arguments.seed, question_bank.starter(game))
    return _show(arguments, report, simulate.in_words)


def _status(arguments: argparse.Namespace) -> int:
    _, services, store = _opened(arguments)
    with store.reading() as session:
        found = reports.status(session, services)
    if arguments.json:
        _print(found)
    elif not arguments.alive:
        _tell(format.status(logs.all_visible(found)))
    if arguments.alive:
        return 0 if format.is_alive(found, now()) else 1
    return 0


def _episode(arguments: argparse.Namespace) -> int:
    _, services, _ = _opened(arguments)
    with begin(services, now()) as work:
        found = reports.episode(work.session, arguments.code, arguments.reveal)
        if arguments.reveal and found:
            admin.audit(work, admin.operator_name(), f"episode {arguments.code} --reveal", found["code"])
    if found is None:
        raise Failure(f"There is no episode {arguments.code.upper()}: podium status lists them.")
    return _show(arguments, found, format.episode)


def _queue(arguments: argparse.Namespace) -> int:
    _, _, store = _opened(arguments)
    with store.reading() as session:
        found = reports.queue(session, arguments.game)
    return _show(arguments, found, format.queue)


def _mail(arguments: argparse.Namespace) -> int:
    _, _, store = _opened(arguments)
    with store.reading() as session:
        found = reports.mails(session, arguments.wanted)
    return _show(arguments, logs.redacted(found), format.mails)


def _import_questions(arguments: argparse.Namespace) -> int:
    game = question_bank.game_with_a_bank()
    try:
        if arguments.file == "starter":
            entries = question_bank.starter(game)
        else:
            entries = question_bank.read_entries(game, arguments.file, Path(arguments.file).read_text("utf-8"))
    except OSError as error:
        raise Failure(f"{arguments.file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise Failure(f"{arguments.file} is not UTF-8 text: save it as UTF-8.") from None
    except ValueError as error:
        raise Failure(f"{arguments.file}: nothing was imported.\n{error}") from None
    _, services, _ = _opened(arguments)
    with begin(services, now()) as work:
        new, known = question_bank.add_entries(work, game, entries)
        admin.audit(work, admin.operator_name(), f"questions import {arguments.file}"[:400], "")
    question_bank.wake_all(services, game, now())
    _tell(f"{new} questions were added" + (f", {known} were in the bank already." if known else "."))
    return 0


def _list_questions(arguments: argparse.Namespace) -> int:
    _, _, store = _opened(arguments)
    with store.reading() as session:
        found = question_bank.listing(session, question_bank.game_with_a_bank())
    return _show(arguments, found, format.questions)


def _announce(arguments: argparse.Namespace) -> int:
    config = load(arguments.config, SLUGS)
    if arguments.game not in config.games:
        raise Failure(f"This host does not offer {arguments.game}: add [games.{arguments.game}] to the configuration.")
    _tell(format.announcement(GAMES[arguments.game], config))
    return 0


def _backup(arguments: argparse.Namespace) -> int:
    _, services, store = _opened(arguments)
    store.backup(arguments.file)
    with begin(services, now()) as work:
        admin.audit(work, admin.operator_name(), f"backup {arguments.file}", "")
    _tell(f"The copy is {arguments.file}.")
    return 0


def _move(arguments: argparse.Namespace) -> int:
    config = load(arguments.config, SLUGS)
    if arguments.undo:
        store = connect(config.database.url)
        place = moving.undo(store)
        store.close()
        _tell(f"{store.file} is played on from where it was; stop using {place}, or both send letters.")
        return 0
    store = open_store(config.database.url)
    place = moving.move(store, arguments.to, _tell, lambda line: _tell(line, sys.stderr))
    store.close()
    with begin(Services(config, open_store(arguments.to)), now()) as work:
        admin.audit(work, admin.operator_name(), f"move --to {place}", "")
    _tell("All is moved and compared. Write this in the configuration, with the password in place of any ***:")
    _tell(f"[database]\nurl = {json.dumps(place)}")
    return 0


def _by_hand(arguments: argparse.Namespace, words: str, function: Any, *values: Any) -> int:
    """One command of the host's hand: one transaction, one audit entry, one sentence."""
    _, services, _ = _opened(arguments)
    with begin(services, now()) as work:
        said = function(work, *values)
        admin.audit(work, admin.operator_name(), words, getattr(arguments, "code", "").upper()[:16])
    _tell(said)
    return 0


def _extend(arguments: argparse.Namespace) -> int:
    words = f"extend {arguments.code} {arguments.name} --by {arguments.by}"
    return _by_hand(arguments, words, admin.extend, arguments.code, arguments.name, arguments.by)


def _pause(arguments: argparse.Namespace) -> int:
    return _by_hand(arguments, f"pause {arguments.code}", admin.pause, arguments.code)


def _resume(arguments: argparse.Namespace) -> int:
    return _by_hand(arguments, f"resume {arguments.code}", admin.resume, arguments.code)


def _withdraw(arguments: argparse.Namespace) -> int:
    words = f"withdraw {arguments.code} {arguments.name}"
    return _by_hand(arguments, words, admin.withdraw, arguments.code, arguments.name)


def _resend(arguments: argparse.Namespace) -> int:
    words = f"resend {arguments.code} {arguments.name}".strip()
    return _by_hand(arguments, words, admin.resend, arguments.code, arguments.name)


def _retry(arguments: argparse.Namespace) -> int:
    words = f"retry {arguments.what} {arguments.number}"
    return _by_hand(arguments, words, admin.retry, arguments.what, arguments.number)


def _say(arguments: argparse.Namespace) -> int:
    speaker = f" --as {arguments.as_name}" if arguments.as_name else ""
    words = f"say {arguments.code}{speaker} {arguments.text}"
    return _by_hand(arguments, words, admin.say, arguments.code, arguments.text, arguments.as_name)


def _back(arguments: argparse.Namespace) -> int:
    words = f"back {arguments.code} {arguments.line}"
    return _by_hand(arguments, words, admin.back, arguments.code, arguments.line)


def _begin(arguments: argparse.Namespace) -> int:
    return _by_hand(arguments, f"begin {arguments.game}", admin.begin, arguments.game)
