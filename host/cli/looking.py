"""Shell: commands that only look. In: the configuration and its store. Out: what is going on.

They read rows, and load nothing that plays; and nothing that reads before the configuration is known to be good.
"""

import argparse

from host import logs
from host.cli import format
from host.cli.terminal import Failure, now, opened, print_json, show, tell


def status(arguments: argparse.Namespace) -> int:
    """All that is going on; with --alive 1 where no daemon was seen lately: that writes nothing, for every minute."""
    config, store = opened(arguments, may_migrate=not arguments.alive)
    from host.turn import reports

    with store.reading() as session:
        found = reports.status(session, config, now())
    if arguments.json:
        print_json(found)
    elif not arguments.alive:
        tell(format.status(logs.all_visible(found)))
    return int(arguments.alive and not reports.is_alive(found, now()))


def episode(arguments: argparse.Namespace) -> int:
    """One episode; before what is hidden is shown, that is logged."""
    config, store = opened(arguments)
    from host.turn import reports

    with store.reading() as session:
        found = reports.episode(session, arguments.code, arguments.reveal)
    if found is None:
        raise Failure(f"There is no episode {arguments.code.upper()}: podium status lists them.")
    if arguments.reveal:
        from host.cli.operating import note
        from host.table.work import Services

        note(Services(config, store), f"episode {arguments.code} --reveal", found["code"])
    return show(arguments, found, format.episode)


def queue(arguments: argparse.Namespace) -> int:
    """The contestants who wait for a game."""
    config, store = opened(arguments)
    from host.turn import reports

    start = reports.next_start(config, arguments.game, now())
    with store.reading() as session:
        found = reports.queue(session, arguments.game)
    return show(arguments, found, lambda each: format.queue(each, start))


def mail(arguments: argparse.Namespace) -> int:
    """Each mail in and out."""
    _, store = opened(arguments)
    from host.turn import reports

    with store.reading() as session:
        return show(arguments, logs.redacted(reports.mails(session, arguments.wanted)), format.mails)
