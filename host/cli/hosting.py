"""Shell: commands around a host. In: its configuration. Out: the daemon, checks, what is going on, copies, questions."""

import argparse
import asyncio
import json
import logging
import sys
from pathlib import Path

import uvloop

from host import logs
from host.cli import check, format
from host.cli.terminal import SLUGS, Failure, opened, print_json, show, tell
from host.config import load, notify_socket
from host.daemon.main import Daemon, now
from host.demo import serving, terminal
from host.games import GAMES
from host.mail import oauth
from host.store import moving
from host.store.database import connect, open_store
from host.turn import admin, announcing, question_bank, reports
from host.turn import login as desk_login
from host.turn.work import Services, begin
from host.web.pages import Web
from host.web.public.site import SiteError, write_site

FIRST_GAME = "champ-cards"
"""What is played in the terminal's demo where no game is named."""


def run(arguments: argparse.Namespace) -> int:
    """Serve until stopped."""
    config = load(arguments.config, SLUGS)
    logs.configure(config.health.log_format, sys.stderr)
    check.check_options(config)
    store = open_store(config.database.url)
    store.lock()
    uvloop.run(Daemon(config, store, manager=notify_socket(), roles=arguments.role).run())
    store.close()
    return 0


def check_host(arguments: argparse.Namespace) -> int:
    """Say line by line what works."""
    found = asyncio.run(check.check(arguments.config, SLUGS))
    for line in found:
        tell({True: "ok    ", False: "WRONG ", None: "note  "}[line.is_good] + line.words)
    return 1 if any(line.is_good is False for line in found) else 0


def login(arguments: argparse.Namespace) -> int:
    """Let Podium into a mailbox that takes no password."""
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
    logging.basicConfig(level=logging.ERROR)
    if arguments.headless:
        asyncio.run(terminal.headless(GAMES[arguments.headless], tell, arguments.port))
    elif arguments.terminal:
        asyncio.run(terminal.in_terminal(GAMES[arguments.game or FIRST_GAME], arguments.port))
    else:
        asyncio.run(serving.in_browser(arguments.port, arguments.game or "", tell, not arguments.no_open))
    return 0


def status(arguments: argparse.Namespace) -> int:
    """What is going on; with --alive 1 where no daemon was seen lately. Nothing is written: it may be asked every minute."""
    _, services, store = opened(arguments, may_change=False)
    with store.reading() as session:
        found = reports.status(session, services)
    if arguments.json:
        print_json(found)
    elif not arguments.alive:
        tell(format.status(logs.all_visible(found)))
    if arguments.alive:
        return 0 if reports.is_alive(found, now()) else 1
    return 0


def episode(arguments: argparse.Namespace) -> int:
    """One episode."""
    _, services, _ = opened(arguments)
    with begin(services, now()) as work:
        found = reports.episode(work.session, arguments.code, arguments.reveal)
        if arguments.reveal and found:
            admin.audit(work, admin.operator_name(), f"episode {arguments.code} --reveal", found["code"])
    if found is None:
        raise Failure(f"There is no episode {arguments.code.upper()}: podium status lists them.")
    return show(arguments, found, format.episode)


def queue(arguments: argparse.Namespace) -> int:
    """Who waits for a game."""
    _, _, store = opened(arguments)
    with store.reading() as session:
        found = reports.queue(session, arguments.game)
    return show(arguments, found, format.queue)


def mail(arguments: argparse.Namespace) -> int:
    """Each mail in and out."""
    _, _, store = opened(arguments)
    with store.reading() as session:
        found = reports.mails(session, arguments.wanted)
    return show(arguments, logs.redacted(found), format.mails)


def announce(arguments: argparse.Namespace) -> int:
    """A text for a forum."""
    config = load(arguments.config, SLUGS, with_secrets=False)
    if arguments.game not in config.games:
        raise Failure(f"This host does not offer {arguments.game}: add [games.{arguments.game}] to the configuration.")
    tell(announcing.forum_text(config, GAMES[arguments.game]))
    return 0


def site(arguments: argparse.Namespace) -> int:
    """The public pages as files."""
    _, services, _ = opened(arguments)
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
            entries = question_bank.read_entries(game, arguments.file, Path(arguments.file).read_text("utf-8"))
    except OSError as error:
        raise Failure(f"{arguments.file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise Failure(f"{arguments.file} is not UTF-8 text: save it as UTF-8.") from None
    except ValueError as error:
        raise Failure(f"{arguments.file}: nothing was imported.\n{error}") from None
    _, services, _ = opened(arguments)
    with begin(services, now()) as work:
        new, known = question_bank.add_entries(work, game, entries)
        admin.audit(work, admin.operator_name(), f"questions import {arguments.file}"[:400], "")
    question_bank.wake_all(services, game, now())
    tell(f"{new} questions were added" + (f", {known} were in the bank already." if known else "."))
    return 0


def list_questions(arguments: argparse.Namespace) -> int:
    """The questions of the bank."""
    _, _, store = opened(arguments)
    with store.reading() as session:
        found = question_bank.listing(session, question_bank.game_with_a_bank())
    return show(arguments, found, format.questions)


def login_link(arguments: argparse.Namespace) -> int:
    """A link to the desk."""
    _, services, _ = opened(arguments)
    with begin(services, now()) as work:
        link = desk_login.make_link(work, arguments.address)
        admin.audit(work, admin.operator_name(), f"login-link {arguments.address}".strip(), "")
    tell(link)
    return 0


def backup(arguments: argparse.Namespace) -> int:
    """A copy of the database."""
    _, services, store = opened(arguments)
    store.backup(arguments.file)
    with begin(services, now()) as work:
        admin.audit(work, admin.operator_name(), f"backup {arguments.file}", "")
    tell(f"The copy is {arguments.file}.")
    return 0


def move(arguments: argparse.Namespace) -> int:
    """Move to PostgreSQL, or back to the file as it was."""
    config = load(arguments.config, SLUGS, with_secrets=False)
    if arguments.undo:
        store = connect(config.database.url)
        place = moving.undo(store)
        store.close()
        tell(f"{store.file} is played on from where it was; stop using {place}, or both send letters.")
        return 0
    store = open_store(config.database.url)
    place = moving.move(store, arguments.to, tell, lambda line: tell(line, sys.stderr))
    store.close()
    with begin(Services(config, open_store(arguments.to)), now()) as work:
        admin.audit(work, admin.operator_name(), f"move --to {place}", "")
    tell("All is moved and compared. Write this in the configuration, with the password in place of any ***:")
    tell(f"[database]\nurl = {json.dumps(place)}")
    return 0
