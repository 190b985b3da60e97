"""Shell: `podium check`. In: a configuration. Out: line by line, whether what a host needs works."""

import argparse
import asyncio
import shlex
import stat
from collections.abc import Mapping
from glob import escape
from pathlib import Path

from aiosmtplib import SMTPException

from host.cli import roundtrip
from host.cli.roundtrip import Finding
from host.cli.terminal import SLUGS, now, tell
from host.config import Config, ConfigError, load
from host.engine.chance import Chance
from host.engine.game import new_options, usual_seats
from host.games import GAMES
from host.mail import oauth
from host.mail.inbound.imap import Inbox, InboxError
from host.mail.outbound import render
from host.mail.outbound.draft import TableView
from host.mail.outbound.smtp import Outbox, describe
from host.store.database import StoreError, open_store
from host.turn.play import WINS_OPTION

SQLITE = "sqlite:///"


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
    found.append(_database(config))
    token = oauth.source(config.oauth, now)
    if token is not None:
        found.append(await _oauth(token))
    for mailbox in (config.imap.mailbox, config.imap.junk):
        if mailbox:
            found.append(await _imap(config, mailbox, token))
    found.append(await _smtp(config, token))
    if all(each.is_good for each in found):
        found.extend(await roundtrip.check(config, token))
    found.extend(_templates(slug) for slug in config.games)
    found.extend(_open_to_all(file) for file in _private_files(config) if _is_open_to_all(file))
    return found


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


def _database(config: Config) -> Finding:
    try:
        store = open_store(config.database.url)
    except StoreError as error:
        return Finding(False, f"database: {error}")
    store.close()
    return Finding(True, "database: opened, its tables are up to date")


def _private_files(config: Config) -> list[Path]:
    """What nobody else on the machine should read: secrets, and all mail, tokens and seeds in a SQLite file and beside it."""
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


def _open_to_all(file: Path) -> Finding:
    return Finding(None, f"rights: {file} is open to everybody on this machine: chmod 600 {shlex.quote(str(file))}")


async def _oauth(token: oauth.Token) -> Finding:
    try:
        await token()
    except oauth.OAuthError as error:
        return Finding(False, f"oauth: {error}")
    return Finding(True, "oauth: there is an access token")


async def _imap(config: Config, mailbox: str, token: oauth.Token | None) -> Finding:
    inbox = Inbox(config.imap, mailbox, token)
    try:
        await inbox.connect()
        pushes = inbox.client.has_capability("IDLE")
        await inbox.close()
    except InboxError as error:
        inbox.abandon()
        return Finding(False, f"imap: {config.imap.host}:{config.imap.port}, mailbox {mailbox}: {error}; check [imap]")
    news = "tells of new mail at once" if pushes else f"is asked every {config.imap.poll_every}"
    return Finding(True, f"imap: logged in, mailbox {mailbox} can be read; the server {news}")


async def _smtp(config: Config, token: oauth.Token | None) -> Finding:
    outbox = Outbox(config.smtp, token)
    try:
        await outbox.connect()
    except (SMTPException, OSError) as error:
        return Finding(False, f"smtp: {config.smtp.host}:{config.smtp.port}: {describe(error)}; check [smtp]")
    await outbox.close()
    return Finding(True, "smtp: connected" + (" and logged in" if config.smtp.username else ""))


def _templates(slug: str) -> Finding:
    game = GAMES[slug]
    try:
        outcome = game.deal(min(game.seats), {}, Chance(bytes(32)))
        names = tuple("ABCDEFGH"[: min(game.seats)])
        for question in game.questions(outcome.state):
            table = TableView(slug, game.view(outcome.state, question.seat), names, question.seat)
            render.question_words(slug, question.phase, table)
        render.tell(slug, game.news(outcome.events, 0), names, 0)
    except Exception as error:
        return Finding(False, f"templates: {game.title}: {error}")
    return Finding(True, f"templates: {game.title} can be written")
