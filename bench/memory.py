"""Shell: `python -m bench.memory`. In: two games. Out: what the daemon and all below it hold in memory after an episode, as PSS.

Memory that processes share is counted once (proportional set size): what the machine would have again if all of them ended.
"""

import asyncio
import json
import random
import sqlite3
import sys
import tempfile
from pathlib import Path

from aiosmtplib import SMTP

from bench.contenders import tree
from host.demo.robot import ReadLetter, tap, write
from host.demo.world import ADDRESS, PASSWORD, DemoServer, registration
from host.engine.game import usual_seats
from host.games import GAMES
from host.store.database import open_store

PLAYED, OFFERED = "champ-cards", "champion-poker"
EPISODE_SECONDS = 600.0
QUIET_SECONDS = 3.0
"""After the episode: its last letters go out, and what was loaded beside it is."""
CONFIGURATION = """
[host]
address = "{address}"
[imap]
host = "127.0.0.1"
port = {imap}
security = "none"
username = "{address}"
password = "{password}"
[smtp]
host = "127.0.0.1"
port = {smtp}
security = "none"
[web]
listen = "127.0.0.1:{web}"
[health]
listen = "127.0.0.1:{web}"
[games.{played}]
[games.{offered}]
"""


def held(process: int) -> dict[int, float]:
    """The PSS of a process and of each below it, in MiB."""
    found = {}
    for each in tree(process):
        lines = Path(f"/proc/{each}/smaps_rollup").read_text().splitlines()
        found[each] = sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
    return found


class Robots:
    """Contestants that tap a link of each letter that asks."""

    def __init__(self, count: int) -> None:
        self.names = {f"robot{number}@example.net": f"Robot {'ABCDEFGH'[number]}" for number in range(count)}
        self.choice = random.Random(7)
        self.letters: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()

    async def take(self, address: str, raw: bytes) -> None:
        """Put a letter to one of them beside the others."""
        await self.letters.put((address, raw))

    async def play(self, port: int) -> None:
        """Register, and answer until cancelled."""
        for address, name in self.names.items():
            await send(port, address, write(address, name, ADDRESS, GAMES[PLAYED].subject, registration(name)))
        while True:
            address, raw = await self.letters.get()
            letter = ReadLetter(raw)
            answer = tap(letter, address, self.names[address], self.choice) if letter.asks else None
            if answer is not None:
                await send(port, address, answer)


async def send(port: int, address: str, raw: bytes) -> None:
    """Send a mail to whom it names."""
    recipient = ReadLetter(raw).headers["to"]
    async with SMTP(hostname="127.0.0.1", port=port, start_tls=False, use_tls=False) as client:
        await client.sendmail(address, [recipient], raw)


async def measured(folder: Path) -> dict[str, object]:
    """Play an episode; what is held then."""
    robots = Robots(usual_seats(GAMES[PLAYED]))
    server = DemoServer(robots.take)
    await server.start()
    file = folder / "podium.toml"
    file.write_text(
        CONFIGURATION.format(
            address=ADDRESS,
            password=PASSWORD,
            imap=server.imap_port,
            smtp=server.smtp_port,
            web=random.Random().randrange(20_000, 30_000),
            played=PLAYED,
            offered=OFFERED,
        )
    )
    open_store(f"sqlite:///{folder / 'podium.db'}").close()  # as every start but the first finds it
    log = (folder / "log").open("wb")
    command = [sys.executable, "-m", "host", "run", "--config", str(file)]
    daemon = await asyncio.create_subprocess_exec(*command, stderr=log)
    playing = asyncio.create_task(robots.play(server.smtp_port))
    try:
        async with asyncio.timeout(EPISODE_SECONDS):
            while not is_over(folder / "podium.db"):
                if daemon.returncode is not None or playing.done():
                    raise RuntimeError((folder / "log").read_text("utf-8", "replace")[-3000:])
                await asyncio.sleep(0.5)
        await asyncio.sleep(QUIET_SECONDS)
        found = held(daemon.pid)
        return {"PSS, MiB": round(sum(found.values()), 1), "each": [round(each, 1) for each in found.values()]}
    finally:
        playing.cancel()
        if daemon.returncode is None:
            daemon.terminate()
        await daemon.wait()
        await server.stop()


def is_over(database: Path) -> bool:
    """Is an episode over?"""
    try:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as store:
            return bool(store.execute("SELECT 1 FROM episodes WHERE over_at IS NOT NULL").fetchone())
    except sqlite3.Error:
        return False


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        sys.stdout.write(json.dumps(asyncio.run(measured(Path(place)))) + "\n")
