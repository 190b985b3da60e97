"""Shell: `podium check`. In: a configuration. Out: line by line, whether what a host needs works."""

import argparse
import asyncio
import shlex
import stat
from collections.abc import Awaitable, Mapping
from glob import escape
from pathlib import Path
from typing import Any

from aiosmtplib import SMTPException

from host.cli import roundtrip
from host.cli.roundtrip import Finding
from host.cli.terminal import SLUGS, now, tell
from host.config import SQLITE, Config, ConfigError, SecondReader, load
from host.engine.chance import Chance
from host.engine.game import Game, new_options, usual_seats
from host.errors import PodiumError
from host.games import GAMES
from host.mail import oauth
from host.mail.inbound.imap import Inbox, InboxError
from host.mail.outbound import render
from host.mail.outbound.draft import TableView
from host.mail.outbound.smtp import Outbox, describe
from host.second_reader import SAMPLE, choose
from host.store.database import open_store
from host.turn.play import WINS_OPTION


def run(arguments: argparse.Namespace) -> int:
    """Say line by line what works."""
    found = asyncio.run(check(arguments.config, SLUGS))
    for line in found:
        tell({True: "ok    ", False: "WRONG ", None: "note  "}[line.is_good] + line.words)
    return 1 if any(line.is_good is False for line in found) else 0


async def check(path: Path | None, slugs: Mapping[str, tuple[int, ...]]) -> list[Finding]:
    """All findings; where the configuration cannot be read there is only that one."""
    try:
        config = load(path, slugs)
        check_options(config)
    except ConfigError as error:
        return [Finding(False, f"config: {each}") for each in str(error).splitlines()]
    found = [Finding(True, "config: read and understood")]
    if not config.games:
        found.append(Finding(False, "games: none is offered; add a table such as [games.champ-cards]"))
    found.append(await _tried("database", _open(config)))
    token = oauth.source(config.oauth, now)
    if token is not None:
        found.append(await _tried("oauth", _ask(token)))
    for mailbox in filter(None, (config.imap.mailbox, config.imap.junk)):
        place = f"{config.imap.host}:{config.imap.port}, mailbox {mailbox}: "
        found.append(await _tried("imap", _look(config, mailbox, token), place, "; check [imap]"))
    place = f"{config.smtp.host}:{config.smtp.port}: "
    found.append(await _tried("smtp", _connect(config, token), place, "; check [smtp]"))
    if all(each.is_good for each in found):
        found.extend(await roundtrip.check(config, token))
    if config.reader.url:
        advice = "; letters go out as without it; check [reader]"
        found.append(await _tried("reader", _choose(config.reader), f"{config.reader.url}: ", advice))
    for slug in config.games:
        found.append(await _tried("templates", _write(GAMES[slug]), f"{GAMES[slug].title}: ", errors=(Exception,)))
    private = [each for each in _private_files(config) if _is_open_to_all(each)]
    told = "is open to everybody on this machine: chmod 600"
    return found + [Finding(None, f"rights: {each} {told} {shlex.quote(str(each))}") for each in private]


async def _tried(
    subject: str,
    attempt: Awaitable[str],
    place: str = "",
    advice: str = "",
    errors: tuple[type[Exception], ...] = (PodiumError, InboxError, SMTPException, OSError),
) -> Finding:
    """The words of an attempt that worked; else the place where it failed, why, and what to do."""
    try:
        return Finding(True, f"{subject}: {await attempt}")
    except errors as error:
        why = describe(error) if isinstance(error, SMTPException | OSError) else str(error)
        return Finding(False, f"{subject}: {place}{why}{advice}")


def check_options(config: Config) -> None:
    """Does each game allow its options and seats? Raises `ConfigError`."""
    faults: list[str] = []
    for slug, settings in config.games.items():
        game = GAMES[slug]
        try:
            own = {WINS_OPTION} if game.bank is None else {WINS_OPTION, "questions"}
            for name in own & set(settings.options):
                raise ValueError(f"the option {name} cannot be set here; take it out")
            for name in set(settings.prizes) - set(game.prizes):
                raise ValueError(f"there is no prize {name}; there are: {', '.join(game.prizes) or 'none'}")
            options = new_options(game, settings.options)
            game.deal(settings.seats or usual_seats(game), options, Chance(bytes(32)))
        except (ValueError, TypeError) as error:
            faults.append(f"games.{slug}: {error}.")
    if faults:
        raise ConfigError("\n".join(faults))


async def _open(config: Config) -> str:
    open_store(config.database.url).close()
    return "opened, its tables are up to date"


async def _ask(token: oauth.Token) -> str:
    await token()
    return "there is an access token"


async def _look(config: Config, mailbox: str, token: oauth.Token | None) -> str:
    inbox = Inbox(config.imap, mailbox, token)
    try:
        await inbox.connect()
        pushes = inbox.client.has_capability("IDLE")
        await inbox.close()
    finally:
        inbox.abandon()
    news = "tells of new mail at once" if pushes else f"is asked every {config.imap.poll_every}"
    return f"logged in, mailbox {mailbox} can be read; the server {news}"


async def _connect(config: Config, token: oauth.Token | None) -> str:
    outbox = Outbox(config.smtp, token)
    await outbox.connect()
    await outbox.close()
    return "connected" + (" and logged in" if config.smtp.username else "")


async def _choose(settings: SecondReader) -> str:
    return f"{settings.model} takes “{SAMPLE.typed}” for {await choose(settings, SAMPLE) or 'none of its commands'}"


async def _write(game: Game[Any, Any]) -> str:
    seats = min(game.seats)
    outcome, names = game.deal(seats, {}, Chance(bytes(32))), tuple("ABCDEFGH"[:seats])
    for question in game.questions(outcome.state):
        table = TableView(game.slug, game.view(outcome.state, question.seat), names, question.seat)
        render.question_words(game.slug, question.phase, table)
    render.tell(game.slug, game.news(outcome.events, 0), names, 0)
    return f"{game.title} can be written"


def _private_files(config: Config) -> list[Path]:
    """The files for the host alone: secrets, and all mail, tokens and seeds in a SQLite file and beside it."""
    url = config.database.url
    if not url.startswith(SQLITE):
        return list(config.secret_files)
    file = Path(url.removeprefix(SQLITE))
    return [*config.secret_files, *sorted(file.parent.glob(f"{escape(file.name)}*"))]


def _is_open_to_all(file: Path) -> bool:
    try:
        return file.is_file() and bool(file.stat().st_mode & stat.S_IRWXO)
    except OSError:
        return False
