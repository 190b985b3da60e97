"""Shell: lists of contestants. In: the configuration and its store, a CSV file. Out: who there is; a file; contestants that are
new, one audit entry, one sentence."""

import argparse
import os

from host.cli import format
from host.cli.operating import note
from host.cli.terminal import Failure, content, now, opened, show, tell
from host.table.work import Services, begin
from host.turn import admin, people


def listing(arguments: argparse.Namespace) -> int:
    """All contestants."""
    _, store = opened(arguments)
    with store.reading() as session:
        return show(arguments, people.listing(session), format.people)


def write_file(arguments: argparse.Namespace) -> int:
    """All contestants as a file, which nobody else on this machine may read."""
    config, store = opened(arguments)
    with store.reading() as session:
        text = people.to_csv(session)
    try:
        with open(os.open(arguments.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            note(Services(config, store), f"people export {arguments.file}"[:400])
            file.write(text)
    except FileExistsError:
        raise Failure(f"{arguments.file} is there already: name a new file.") from None
    except OSError as error:
        raise Failure(f"{arguments.file} cannot be written: {error.strerror}.") from None
    tell(f"The contestants are in {arguments.file}.")
    return 0


def read_file(arguments: argparse.Namespace) -> int:
    """Register all of a file."""
    try:
        text = content(arguments.file).decode()
    except UnicodeDecodeError:
        raise Failure(f"{arguments.file} is not UTF-8 text: save it as UTF-8.") from None
    with begin(Services(*opened(arguments, may_make=True)), now()) as work:
        said = people.from_csv(work, text)
        admin.audit(work, admin.operator_name(), f"people import {arguments.file}"[:400], "")
    tell(said)
    return 0
