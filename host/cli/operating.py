"""Shell: commands with which a host hosts. In: arguments. Out: what is changed or served; one audit entry, one sentence."""

import argparse
import asyncio
import logging
import sys
from pathlib import Path

from host import logs
from host.cli import format
from host.cli.terminal import SLUGS, Failure, check_options, now, opened, show, tell
from host.club.seasons import ends_now
from host.config import load, notify_socket
from host.games import GAMES
from host.store.database import StoreError, open_store
from host.store.schema import AuditEntry
from host.table.work import Services, begin
from host.turn import admin, question_bank, requests
from host.turn import login as desk_login

FIRST_GAME = "champ-cards"
"""Played in the terminal's demo where no game is named."""


def carry_out(arguments: argparse.Namespace) -> int:
    """A command of `host.turn.operator_commands`."""
    command = arguments.command
    typed = {each.name: str(getattr(arguments, each.name)) for each in command.arguments}
    values = {each.name: each.read(typed[each.name]) for each in command.arguments}
    is_first = command.name == "people add"  # who is known already, is written down before the first run
    with begin(Services(*opened(arguments, may_make=is_first)), now()) as work:
        said = command.run(work, **values)
        admin.audit(work, admin.operator_name(), command.audit_words(typed), typed.get("code", "").upper()[:16])
    tell(said)
    return 0


def note(services: Services, command: str, code: str = "") -> int:
    """Log a command that was carried out; gives the entry's number."""
    with begin(services, now()) as work:
        return admin.audit(work, admin.operator_name(), command, code)


def announce(arguments: argparse.Namespace) -> int:
    """A text for a forum."""
    config, store = opened(arguments, may_make=True)  # it is announced before it first runs
    if arguments.game not in config.games:
        raise Failure(f"This host does not offer {arguments.game}: add [games.{arguments.game}] to the configuration.")
    with store.reading() as session:
        season = ends_now(session, now(), arguments.game)
    tell(requests.forum_text(config, GAMES[arguments.game], now(), season))
    return 0


def site(arguments: argparse.Namespace) -> int:
    """The public pages as files."""
    from host.web.pages import Web
    from host.web.public.paths import SiteError, write_site

    services = Services(*opened(arguments))
    try:
        written = write_site(Web(services, now), arguments.folder)
    except SiteError as error:
        raise Failure(str(error)) from None
    tell(f"{written.files} files are in {arguments.folder}: {written.changed} written, {written.removed} removed.")
    if not services.config.web.url:
        tell("Write in [web] url where they will be reached, so that the feed and link previews lead there.")
    return 0


def import_questions(arguments: argparse.Namespace) -> int:
    """Add the questions of a file to the bank."""
    game = question_bank.game_with_a_bank()
    try:
        if arguments.file == "starter":
            entries = question_bank.starter(game)
        else:
            entries = question_bank.read_entries(game, arguments.file, Path(arguments.file).read_text("utf-8-sig"))
    except OSError as error:
        raise Failure(f"{arguments.file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise Failure(f"{arguments.file} is not UTF-8 text: save it as UTF-8.") from None
    except ValueError as error:
        raise Failure(f"{arguments.file}: nothing was imported.\n{error}") from None
    services = Services(*opened(arguments, may_make=True))
    with begin(services, now()) as work:
        said = question_bank.add_in_words(work, game, entries)
        admin.audit(work, admin.operator_name(), f"questions import {arguments.file}"[:400], "")
    question_bank.wake_all(services, game, now())
    tell(said)
    return 0


def list_questions(arguments: argparse.Namespace) -> int:
    """The questions of the bank."""
    _, store = opened(arguments, may_make=True)
    with store.reading() as session:
        found = question_bank.listing(session, question_bank.game_with_a_bank())
    return show(arguments, found, format.questions)


def login_link(arguments: argparse.Namespace) -> int:
    """A link to the desk."""
    with begin(Services(*opened(arguments)), now()) as work:
        link = desk_login.make_link(work, arguments.address)
        admin.audit(work, admin.operator_name(), f"login-link {arguments.address}".strip(), "")
    tell(link)
    return 0


def backup(arguments: argparse.Namespace) -> int:
    """A copy of the database."""
    config, store = opened(arguments)
    services = Services(config, store)
    entry = note(services, f"backup {arguments.file}")  # in the copy, too
    try:
        store.backup(arguments.file)
    except StoreError:
        with begin(services, now()) as work:
            work.session.delete(work.session.get_one(AuditEntry, entry))
        raise
    tell(f"The copy is {arguments.file}.")
    return 0


def run(arguments: argparse.Namespace) -> int:
    """Serve until stopped."""
    import uvloop

    from host.daemon.main import Daemon

    config = load(arguments.config, SLUGS)
    logs.configure(config.health.log_format, sys.stderr)
    check_options(config)
    store = open_store(config.database.url)
    store.lock()
    uvloop.run(Daemon(config, store, manager=notify_socket(), roles=arguments.role).run())
    store.close()
    return 0


def login(arguments: argparse.Namespace) -> int:
    """Let Podium into a mailbox that takes no password."""
    from host.mail import oauth

    config = load(arguments.config, SLUGS)
    if config.oauth is None:
        raise Failure("The configuration has no [oauth] section: config.example.toml shows it.")
    tell(f"This lets Podium read and send the mail of {config.imap.username}: log in there as that.")
    tokens = oauth.Tokens(config.oauth, now)
    asyncio.run(tokens.log_in(tell, arguments.browser, arguments.port))
    tell(f"Podium has access now; it is kept in {config.oauth.token_file}.")
    return 0


def show_demo(arguments: argparse.Namespace) -> int:
    """A whole host on this machine."""
    from host.demo import browser, terminal

    logging.basicConfig(level=logging.ERROR)
    if arguments.headless:
        asyncio.run(terminal.headless(GAMES[arguments.headless], tell, arguments.port))
    elif arguments.terminal:
        asyncio.run(terminal.in_terminal(GAMES[arguments.game or FIRST_GAME], arguments.port))
    else:
        asyncio.run(browser.in_browser(arguments.port, arguments.game or "", tell, not arguments.no_open))
    return 0
