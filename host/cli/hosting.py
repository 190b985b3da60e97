"""Shell: what serves or waits for somebody. In: arguments. Out: the daemon, the demo, a host's consent; each loads its own."""

import argparse
import sys

from host.cli.terminal import SLUGS, Failure, now, tell
from host.games import GAMES

FIRST_GAME = "champ-cards"
"""Played in the terminal's demo where no game is named."""


def run(arguments: argparse.Namespace) -> int:
    """Serve until stopped."""
    import uvloop

    from host import logs
    from host.cli.check import check_options
    from host.config import load, notify_socket
    from host.daemon.main import Daemon
    from host.store.database import open_store

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
    import asyncio

    from host.config import load
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
    import asyncio
    import logging

    from host.demo import browser, terminal

    logging.basicConfig(level=logging.ERROR)
    if arguments.headless:
        asyncio.run(terminal.headless(GAMES[arguments.headless], tell, arguments.port))
    elif arguments.terminal:
        asyncio.run(terminal.in_terminal(GAMES[arguments.game or FIRST_GAME], arguments.port))
    else:
        asyncio.run(browser.in_browser(arguments.port, arguments.game or "", tell, not arguments.no_open))
    return 0
