"""Shell: the demo in the terminal. In: a game. Out: an episode between robots that is printed, or you against robots."""

import asyncio
import contextlib
import sys
from collections.abc import Callable
from textwrap import indent
from typing import Any

from host.demo.robot import ReadLetter, one_line, write
from host.demo.world import NAME_LENGTH, YOU, Player, World, robots
from host.engine.game import Game, usual_seats
from host.logs import visible

Say = Callable[[str], None]
TO_ANSWER = ("refused", "help")
"""Kinds of letters that ask nothing and still want you to write: what you wrote was not understood, or you asked."""


def _text(letter: ReadLetter) -> str:
    return letter.text.replace("\r\n", "\n").strip()


async def headless(game: Game[Any, Any], say: Say, imap_port: int = 0) -> None:
    """One episode between robots, by mail, printed as it goes. Raises `StartError` where pymap is not installed."""
    players = robots(usual_seats(game))
    names = {player.address: player.name for player in players}
    finished: set[str] = set()
    over = asyncio.Event()

    def heard(address: str, letter: ReadLetter, _raw: bytes) -> None:
        if address in names:
            head = f"\n<<< to {names[address]}: {letter.kind} - {letter.headers['subject']}"
            say(f"{head}\n{indent(_text(letter), '    ', bool)}")
            if letter.kind == "result":
                finished.add(address)
                if len(finished) == len(names):
                    over.set()

    def answered(address: str, raw: bytes) -> None:
        if address in names:
            say(f"\n>>> {names[address]} writes\n{indent(_text(ReadLetter(raw)), '    ', bool)}")

    world = World({game.slug: len(players)}, players, heard, answered=answered, imap_port=imap_port)
    async with world.running():
        for player in players:
            await world.register(player, game)
        await over.wait()
    say("\nThe episode is over; every contestant has the result and the record.")


async def in_terminal(game: Game[Any, Any], imap_port: int = 0) -> None:
    """You against robots: each mail to you is printed, what you type is your reply. Raises `StartError` without pymap."""
    letters: asyncio.Queue[ReadLetter] = asyncio.Queue()

    def heard(address: str, letter: ReadLetter, _raw: bytes) -> None:
        if address == YOU:
            letters.put_nowait(letter)

    players = robots(usual_seats(game) - 1)
    world = World({game.slug: len(players) + 1}, players, heard, imap_port=imap_port)
    async with world.running():
        print(
            f"This is {game.title} by mail. Each letter to you is printed; type your reply, and an empty line sends it."
        )
        print("Press Control-D to leave.\n")
        with contextlib.suppress(EOFError):
            while "@" in (name := one_line(await _line("What is your name? "))[:NAME_LENGTH]):
                print("A name, please, not a mail address.")  # no host takes it for one
            you = Player(name or "You", YOU)
            for player in (you, *players):
                await world.register(player, game)
            await _play(world, you, letters)


async def _play(world: World, you: Player, letters: asyncio.Queue[ReadLetter]) -> None:
    while True:
        letter = await letters.get()
        print(visible(f"\n{'=' * 70}\nSubject: {letter.headers['subject']}\n\n{_text(letter)}", kept="\n"))
        if letter.kind == "result":
            return
        if not (letter.asks or letter.kind in TO_ANSWER):
            continue
        lines: list[str] = []
        while line := await _line("your reply> " if not lines else "          > "):
            lines.append(line)
        if lines:
            subject = "Re: " + letter.headers["subject"]
            to = letter.headers["reply-to"]
            raw = write(you.address, you.name, to, subject, "\n".join(lines), letter.headers["message-id"])
            await world.send(raw, you.address, to)
        else:
            letters.put_nowait(letter)


async def _line(prompt: str) -> str:
    print(prompt, end="", flush=True)
    line = await asyncio.to_thread(sys.stdin.readline)
    if not line:
        raise EOFError
    return str(line).rstrip("\n")
