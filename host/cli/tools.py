"""Shell: commands that need no configuration. In: files, a game. Out: what a record, a mail or a thousand episodes show."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from typing import Any

from host import logs
from host.cli import format
from host.cli.terminal import Failure, content, print_json, read_record, show, tell
from host.demo import simulate
from host.engine import record
from host.games import GAMES
from host.mail.inbound.sandbox import ReadingError, Sandbox, Unread
from host.turn import question_bank


def replay(arguments: argparse.Namespace) -> int:
    """Replay records; 0, 1 where a line does not hold, 2 where a file is no record."""
    status = 0
    for file in arguments.files:
        found = _record_or_complaint(file)
        status = max(status, 0 if found else 2)
        for row in record.rows(GAMES[found.header.game], found) if found else ():
            sys.stdout.write(logs.visible_json({"file": file, **row}) + "\n")
            status = max(status, 1 if row.get("ok") is False else 0)
    return status


def verify(arguments: argparse.Namespace) -> int:
    """Check records against their seeds and a commitment; the status as of `replay`."""
    promised = arguments.commitment
    if arguments.mail:
        promised = format.commitment_in(content(arguments.mail))
        if promised is None:
            words = "has no X-Podium-Commitment header: give the contestant's first mail of the episode."
            raise Failure(f"{arguments.mail} {words}")
    status = 0
    for file in arguments.files:
        found = _record_or_complaint(file)
        if found is None:
            status = 2
            continue
        verified = record.verify(GAMES[found.header.game], found, promised)
        tell(format.verification(file, verified))
        status = max(status, 0 if verified.holds else 1)
    return status


def _record_or_complaint(file: str) -> record.Record | None:
    try:
        return read_record(file)
    except Failure as failure:
        tell(f"podium: {failure}", sys.stderr)
        return None


def read(arguments: argparse.Namespace) -> int:
    """Show what Podium reads in mails."""
    return asyncio.run(_read_files(arguments.files, [content(file) for file in arguments.sent]))


async def _read_files(files: Sequence[str], sent: Sequence[bytes]) -> int:
    status = 0
    worker = Sandbox()
    for file in files:
        try:
            print_json({"file": file} | await _reading(worker, content(file), sent))
        except Failure as failure:
            tell(f"podium: {failure}", sys.stderr)
            status = 1
    await worker.close()
    return status


async def _reading(worker: Sandbox, raw: bytes, sent: Sequence[bytes]) -> dict[str, Any]:
    """The row of a mail, held against letters that were sent before."""
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
