"""Shell: commands that need no configuration. In: files, texts, a game. Out: what a record, a mail or many episodes show."""

import argparse
import asyncio
import codecs
import functools
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from host.cli import format
from host.cli.terminal import Failure, content, json_line, print_json, read_record, show, tell
from host.demo import simulate
from host.engine import record
from host.engine.game import HOST, Game
from host.games import GAMES
from host.mail.inbound.quotation import read_lines
from host.mail.inbound.sandbox import ReadingError, Sandbox, Unread
from host.play import interpret
from host.play.interpretation import NO_COMMAND, Question, ReplyContext
from host.play.services import take_wishes
from host.play.taking_back import asked_instead
from host.turn import question_bank

LABELS = {
    "commands": "Played",
    "ahead": "Kept until it is asked",
    "ask": "Asked back",
    "suggest": "Offered",
    "services": "Served",
    "to_host": "To the host",
    "passed_over": "Passed over as talk",
}
"""How what was found in a text is shown to people."""
NOTHING = "Nothing was found in it."


def replay(arguments: argparse.Namespace) -> int:
    """Replay records; 0, 1 where a line does not hold, 2 where a file is no record."""
    status = 0
    for file in arguments.files:
        found = _record_or_complaint(file)
        status = max(status, 0 if found else 2)
        for row in record.rows(GAMES[found.header.game], found) if found else ():
            sys.stdout.write(json_line({"file": file, **row}) + "\n")
            status = max(status, 1 if row.get("ok") is False else 0)
    return status


def verify(arguments: argparse.Namespace) -> int:
    """Check records against their seeds and a commitment; the status as of `replay`."""
    promised, mail = arguments.commitment, b""
    if arguments.mail:
        mail = content(arguments.mail)
        promised = format.commitment_in(mail)
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
        if mail:
            faults = format.chain_of_letter(mail, verified.chain)
            verified = replace(verified, faults=(*verified.faults, *faults))
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
    """Show what Podium reads in mails, held against letters that were sent before."""
    sent = [content(file) for file in arguments.sent]

    async def read_files() -> int:
        status = 0
        worker = Sandbox()
        for file in arguments.files:
            row = {"file": file, "from": None, "token": None, "lines": [], "silence": None, "problem": None}
            try:
                mail = await worker.open(content(file).removeprefix(codecs.BOM_UTF8))
                typed = await worker.read(Unread(mail.text, sent, page=mail.page, writer=mail.display_name))
                row |= {"from": mail.sender or None, "token": next(iter(mail.tokens), None), "lines": list(typed.lines)}
                print_json(row | {"silence": mail.silence, "problem": mail.problem})
            except ReadingError as error:
                print_json(row | {"problem": str(error)})
            except Failure as failure:
                tell(f"podium: {failure}", sys.stderr)
                status = 1
        await worker.close()
        return status

    return asyncio.run(read_files())


def simulate_game(arguments: argparse.Namespace) -> int:
    """Robots play episodes."""
    game = GAMES[arguments.game]
    report = simulate.simulate(game, arguments.episodes, arguments.seed, question_bank.starter(game))
    return show(arguments, report, simulate.in_words)


def interpret_texts(arguments: argparse.Namespace) -> int:
    """One text, shown for people; or with --json rows of standard input, one object a line. 1 where a row cannot be read."""
    given = [each for each in (arguments.file, arguments.name, arguments.text) if each is not None]
    if len(given) == 3:
        found = _read_as(*given)
        if arguments.json:
            print_json(found)
            return 0
        shown = {key: value if isinstance(value, str) else ", ".join(value or ()) for key, value in found.items()}
        tell("\n".join(f"{LABELS[key]}: {value}" for key, value in shown.items() if value) or NOTHING)
        return 0
    if given or not arguments.json:
        words = "Give a record, a player's name and a text; or --json alone, with rows on standard input."
        tell(f"podium: {words}", sys.stderr)
        return 2
    status = 0
    for row in sys.stdin:
        if row.strip():
            try:
                found = json.loads(row.removeprefix("\ufeff"))
                given = [found[key] for key in ("record", "seat", "text")]
                if not all(isinstance(each, str) for each in given):
                    raise TypeError
            except (ValueError, KeyError, TypeError, RecursionError):
                print_json({"problem": "A row is an object with record, seat and text, each a string."})
                status = 1
                continue
            try:
                print_json(_read_as(*given))
            except Failure as failure:
                print_json({"problem": str(failure)})
                status = 1
    return status


def _read_as(file: str, name: str, text: str) -> dict[str, Any]:
    replay = _ended(file)
    header = replay.header
    name = next((each for each in header.players if each.casefold() == name.casefold()), name)
    if name not in (*header.players, record.HOST_NAME):
        raise Failure(f"Nobody called {name} plays in {file}: there are {', '.join(header.players)}.")
    seat = HOST if name == record.HOST_NAME else header.players.index(name)
    return reading(replay.game, replay.state, seat, header.players, typed_in(text))


def typed_in(text: str) -> str:
    """A text as mail is read, without what is quoted in it and without a signature; as it is where it holds neither."""
    typed, lines = read_lines(text, ()).lines, [line for line in text.splitlines() if line.strip()]
    return "\n".join(typed) if len(typed) < len(lines) else text


def reading(game: Game[Any, Any], state: Any, seat: int, players: Sequence[str], text: str) -> dict[str, Any]:
    """The meaning of a text in a state, before anything of it is played: the row of `podium interpret --json`."""
    mine = frozenset(question.key for question in game.questions(state) if question.seat == seat)
    reply = ReplyContext(mine, is_unasked=not mine, names=tuple(players))

    def is_move(line: str) -> bool:
        return interpret.seen_by(game, state, seat, players).is_move(line)

    lines, wishes = take_wishes(text.split("\n"), game.slug, is_move=is_move)
    instead = asked_instead(lines)
    found = interpret.read(game, state, seat, lines if instead is None else instead, reply)
    services = (*(() if instead is None else ("undo",)), *found.services, *(wish.service for wish in wishes))
    plan = [each.text for each in found.plan]
    is_asked = bool(mine) or seat == HOST
    question = found.question if instead is None or instead else None
    ahead = [*([] if is_asked else plan), *found.orders]
    over = interpret.out_of_it(game, state, seat) if ahead else ""
    if not (plan or question or services or found.orders or found.to_host or found.chat):
        question = Question(NO_COMMAND, text)
    return {
        "commands": plan if is_asked else [],
        "ahead": [] if over else ahead,
        "ask": over or (question.reason if question else None),
        "suggest": list(question.readings[: interpret.MOST_OFFERED]) if question else [],
        "services": list(services),
        "to_host": found.to_host or None,
        "passed_over": list(found.chat),
    }


@functools.cache
def _ended(file: str) -> record.Replay:
    """The record in a file, played to its last line. Raises Failure where it is no record, or does not hold."""
    found = read_record(file)
    replay = record.Replay(GAMES[found.header.game], found.header)
    for number, line in enumerate(found.lines, 2):
        refused = replay.step(line)
        if refused:
            raise Failure(f"Line {number} of {file} does not hold: {refused}")
    return replay
