"""Shell: commands that only look. In: the configuration and its store. Out: what is going on.

They read rows, and load nothing that plays.
"""

import argparse

from host import logs
from host.cli import format
from host.cli.terminal import Failure, now, opened, print_json, show, tell
from host.turn import reports


def status(arguments: argparse.Namespace) -> int:
    """What is going on; with --alive 1 where no daemon was seen lately. Nothing is written: it may be asked every minute."""
    config, store = opened(arguments, may_change=False)
    with store.reading() as session:
        found = reports.status(session, config)
    if arguments.json:
        print_json(found)
    elif not arguments.alive:
        tell(format.status(logs.all_visible(found)))
    if arguments.alive:
        return 0 if reports.is_alive(found, now()) else 1
    return 0


def episode(arguments: argparse.Namespace) -> int:
    """One episode; before what is hidden is shown, that is logged."""
    config, store = opened(arguments)
    with store.reading() as session:
        found = reports.episode(session, arguments.code, arguments.reveal)
    if found is None:
        raise Failure(f"There is no episode {arguments.code.upper()}: podium status lists them.")
    if arguments.reveal:
        from host.cli.operating import note
        from host.turn.work import Services

        note(Services(config, store), f"episode {arguments.code} --reveal", found["code"])
    return show(arguments, found, format.episode)


def queue(arguments: argparse.Namespace) -> int:
    """Who waits for a game."""
    _, store = opened(arguments)
    with store.reading() as session:
        found = reports.queue(session, arguments.game)
    return show(arguments, found, format.queue)


def mail(arguments: argparse.Namespace) -> int:
    """Each mail in and out."""
    _, store = opened(arguments)
    with store.reading() as session:
        found = reports.mails(session, arguments.wanted)
    return show(arguments, logs.redacted(found), format.mails)
