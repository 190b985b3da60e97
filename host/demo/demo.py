"""Shell: `podium demo`. In: nothing to configure. Out: a whole host on this machine, robots, and you in the terminal.

The daemon is the one of production, talking real IMAP and SMTP to the demo's own server.
"""

import asyncio
import contextlib
import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from aiosmtplib import SMTP

from host.config import Config
from host.daemon.main import Daemon, StartError, now
from host.demo.robot import ReadLetter, read_letter, tap, write
from host.demo.server import ADDRESS, PASSWORD, DemoServer
from host.engine.game import Game, usual_seats
from host.store.database import open_store
from host.turn.question_bank import add_entries, starter
from host.turn.work import Services, begin

NAMES = ("Ann Lee", "Bob Ray", "Cleo Fox", "Dov Orr", "Eve Kim", "Fay Poe", "Gus Nye", "Hal Ives")
YOU = "you@example.net"
OPERATOR = "operator@example.net"
MISSING = 'The demo needs one more library: pip install "podium-host[demo]".'

Say = Callable[[str], None]


@dataclass
class Player:
    """A contestant of the demo. `letters` are those that came and were not answered yet."""

    name: str
    address: str
    letters: asyncio.Queue[ReadLetter] = field(default_factory=asyncio.Queue)
    finished: asyncio.Event = field(default_factory=asyncio.Event)


class Demo:
    """The server, the daemon and the players of one demo."""

    def __init__(self, game: Game[Any, Any], players: list[Player], folder: Path, say: Say, imap_port: int = 0) -> None:
        self.game = game
        self.players = {player.address: player for player in players}
        self.say = say
        self.server = DemoServer(self._deliver, imap_port)
        self.folder = folder
        self.operator = Player("Operator", OPERATOR)
        self.players[OPERATOR] = self.operator
        self.known = {entry.ask: entry.answers[0] for entry in starter(game)}
        self._random = random.Random()  # noqa: S311 - which link a robot taps is no chance of a game

    async def _deliver(self, recipient: str, raw: bytes) -> None:
        letter = read_letter(raw)
        player = self.players.get(recipient)
        if player is not None:
            player.letters.put_nowait(letter)

    def config(self) -> Config:
        """The host's configuration: the demo's servers, the game with all seats of the players."""
        server = {"host": "127.0.0.1", "security": "none"}
        return Config.model_validate(
            {
                "host": {"name": "The Millionaire", "address": ADDRESS, "timezone": "UTC", "operators": [OPERATOR]},
                "imap": server
                | {"port": self.server.imap_port, "username": ADDRESS, "password": PASSWORD, "poll_every": "2s"},
                "smtp": server | {"port": self.server.smtp_port},
                "database": {"url": f"sqlite:///{self.folder / 'demo.db'}"},
                "games": {self.game.slug: {"seats": len(self.players) - 1}},
            }
        )

    async def send(self, raw: bytes, sender: str, to: str) -> None:
        """Hand a mail to the demo's SMTP server."""
        async with SMTP(hostname="127.0.0.1", port=self.server.smtp_port) as client:
            await client.sendmail(sender, [to], raw)

    async def register(self, player: Player) -> None:
        """Write the registration mail."""
        body = f"Name: {player.name}\nName you go by at TGSF: {player.name.split()[0]}\nHometown: Springfield"
        self.say(f"\n>>> {player.name} registers\n{_indented(body)}")
        raw = write(player.address, player.name, ADDRESS, self.game.subject, body)
        await self.send(raw, player.address, ADDRESS)

    async def judge(self) -> None:
        """The operator's robot: taps a link wherever the game asks the host."""
        while True:
            letter = await self.operator.letters.get()
            reply = tap(letter, OPERATOR, self.operator.name, self._random)
            if reply is not None:
                await self.send(reply, OPERATOR, letter.headers["reply-to"])

    async def play_robot(self, player: Player, is_shown: bool) -> None:
        """Answer every letter that asks by tapping a link, until the result comes."""
        while True:
            letter = await player.letters.get()
            if is_shown:
                self.say(
                    f"\n<<< to {player.name}: {letter.kind} - {letter.headers['subject']}\n{_indented(letter.text)}"
                )
            if letter.kind == "result":
                player.finished.set()
                return
            reply = tap(letter, player.address, player.name, self._random, self.known) if letter.asks else None
            if reply is not None:
                if is_shown:
                    self.say(f"\n>>> {player.name} answers: {', '.join(_typed(reply).splitlines())}")
                await self.send(reply, player.address, letter.headers["reply-to"])


def _typed(raw: bytes) -> str:
    return read_letter(raw).text.strip()


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.strip().splitlines())


def _needs_pymap() -> None:
    if find_spec("pymap") is None:
        raise StartError(MISSING)


async def headless(game: Game[Any, Any], say: Say, imap_port: int = 0) -> None:
    """One episode between robots, by mail, printed as it goes. Raises `StartError` where pymap is not installed."""
    _needs_pymap()
    seats = usual_seats(game)
    players = [Player(name, f"{name.split()[0].lower()}@example.net") for name in NAMES[:seats]]
    with tempfile.TemporaryDirectory(prefix="podium-demo-") as folder:
        demo = Demo(game, players, Path(folder), say, imap_port)
        async with _served(demo):
            judge = asyncio.create_task(demo.judge())
            robots = [asyncio.create_task(demo.play_robot(player, True)) for player in players]
            for player in players:
                await demo.register(player)
            await asyncio.gather(*robots)
            judge.cancel()
    say("\nThe episode is over; every contestant has the result and the record.")


async def in_terminal(game: Game[Any, Any], imap_port: int = 0) -> None:
    """You against robots: each mail to you is printed, what you type is your reply. Raises `StartError` without pymap."""
    _needs_pymap()
    seats = usual_seats(game)
    you = Player("You", YOU)
    robots = [Player(name, f"{name.split()[0].lower()}@example.net") for name in NAMES[: seats - 1]]
    print(f"This is {game.title} by mail. Each letter to you is printed; type your reply, and an empty line sends it.")
    print("Press Control-D to leave.\n")
    you.name = await _name()
    with tempfile.TemporaryDirectory(prefix="podium-demo-") as folder:
        demo = Demo(game, [you, *robots], Path(folder), print, imap_port)
        async with _served(demo):
            for player in (you, *robots):
                await demo.register(player)
            tasks = [asyncio.create_task(demo.play_robot(player, False)) for player in robots]
            tasks.append(asyncio.create_task(demo.judge()))
            with contextlib.suppress(EOFError):
                await _play_in_terminal(demo, you)
            for task in tasks:
                task.cancel()


async def _name() -> str:
    """What you are called; a host takes no mail address for a name."""
    while "@" in (name := (await _line("What is your name? ")).strip()):
        print("A name, please, not a mail address.")
    return name or "You"


async def _play_in_terminal(demo: Demo, you: Player) -> None:
    while True:
        letter = await you.letters.get()
        print(f"\n{'=' * 70}\nSubject: {letter.headers['subject']}\n\n{letter.text}")
        if letter.kind == "result":
            return
        if not letter.asks:
            continue
        lines: list[str] = []
        while line := await _line("your reply> " if not lines else "          > "):
            lines.append(line)
        if lines:
            subject = "Re: " + letter.headers["subject"]
            raw = write(
                you.address,
                you.name,
                letter.headers["reply-to"],
                subject,
                "\n".join(lines),
                letter.headers["message-id"],
            )
            await demo.send(raw, you.address, letter.headers["reply-to"])
        else:
            you.letters.put_nowait(letter)


async def _line(prompt: str) -> str:
    print(prompt, end="", flush=True)
    line = await asyncio.to_thread(sys.stdin.readline)
    if not line:
        raise EOFError
    return str(line).rstrip("\n")


@contextlib.asynccontextmanager
async def _served(demo: Demo) -> Any:
    await demo.server.start()
    config = demo.config()
    store = open_store(config.database.url)
    store.lock()
    with begin(Services(config, store), now()) as work:
        entries = list(starter(demo.game))
        random.shuffle(entries)
        add_entries(work, demo.game, entries)
    daemon = Daemon(config, store)
    task = asyncio.create_task(daemon.run(handle_signals=False))
    ready = asyncio.create_task(daemon.ready.wait())
    await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        ready.cancel()
        task.result()
    try:
        yield
    finally:
        daemon.stop()
        await task
        store.close()
        await demo.server.stop()
