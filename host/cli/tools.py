"""Shell: commands that need no configuration. In: files, a game. Out: what a record, a mail or a thousand episodes show."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from host import logs
from host.cli import format
from host.cli.terminal import Failure, print_json, show, tell
from host.demo import simulate
from host.engine import record
from host.games import GAMES
from host.mail.inbound.sandbox import ReadingError, Sandbox, Unread
from host.turn import question_bank


def replay(arguments: argparse.Namespace) -> int:
    """Replay records; 0, 1 where a line does not hold, 2 where a file is no record."""
    status = 0
    write = sys.stdout.write
    for file in arguments.files:
        found = _record(file)
        if isinstance(found, str):
            tell(f"podium: {found}", sys.stderr)
            status = 2
            continue
        for row in record.rows(GAMES[found.header.game], found):
            write(logs.visible_json({"file": file, **row}) + "\n")
            if row.get("ok") is False:
                status = max(status, 1)
    return status


def verify(arguments: argparse.Namespace) -> int:
    """Check records against their seeds and a commitment; the status as of `replay`."""
    promised = arguments.commitment
    if arguments.mail:
        promised = _promised_in(arguments.mail)
    status = 0
    for file in arguments.files:
        found = _record(file)
        if isinstance(found, str):
            tell(f"podium: {found}", sys.stderr)
            status = 2
            continue
        verified = record.verify(GAMES[found.header.game], found, promised)
        tell(format.verification(file, verified))
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


def _record(file: str) -> record.Record | str:
    """The record in a file, or the sentence that says why it is none."""
    try:
        return record.read(Path(file).read_bytes(), GAMES)
    except OSError as error:
        return f"{file} cannot be read: {error.strerror}."
    except record.NotARecord as error:
        return f"{file} is not an episode record: {error}."


def read(arguments: argparse.Namespace) -> int:
    """Show what Podium reads in mails."""
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
            tell(f"podium: {file} cannot be read: {error.strerror}.", sys.stderr)
            status = 1
            continue
        print_json({"file": file} | await _reading(worker, raw, sent))
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


def simulate_game(arguments: argparse.Namespace) -> int:
    """Robots play episodes."""
    game = GAMES[arguments.game]
    report = simulate.simulate(game, arguments.episodes, arguments.seed, question_bank.starter(game))
    return show(arguments, report, simulate.in_words)
