"""Shell: the world of the demo. In: games, a clock, who the players are. Out: a mail server, the daemon, robots that play.

The daemon is the one of production, talking real IMAP and SMTP to the demo's own server: pymap serves IMAP, aiosmtpd takes SMTP;
both run in this process and forget everything when it ends. pymap is an extra of the package. Everybody in the world but you is
a robot: it answers every letter that asks by tapping a link, after `delay` seconds. The operator is one too; it answers
where a game asks the host.
"""

import asyncio
import contextlib
import random
import tempfile
from argparse import Namespace
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from aiosmtpd import smtp
from aiosmtplib import SMTP

from host.config import Config
from host.daemon.main import Daemon, now
from host.daemon.runtime import StartError
from host.demo.robot import ReadLetter, one_line, tap, write
from host.engine.game import Game
from host.games import GAMES
from host.store.database import open_store
from host.store.episodes import running_episodes
from host.store.people import lobbies, queue_of
from host.table.work import Services, begin
from host.turn.question_bank import add_entries, starter

if TYPE_CHECKING:
    from pymap.backend.dict import DictBackend

ADDRESS = "games@example.org"
PASSWORD = "loopback"  # noqa: S105 - the demo's own server, on loopback, for as long as it runs
NAMES = ("Bob Ray", "Cleo Fox", "Dov Orr", "Eve Kim", "Fay Poe", "Gus Nye", "Hal Ives", "Ida Lund")
YOU = "you@example.net"
OPERATOR = "operator@example.net"
WAITS_FOR_HOST = " waits for you"
"""A letter that puts a game's question to the host begins so (`host.table.letters`)."""
HOST_TAKES = 12
"""The host's robot takes this many times as long as others, for whoever would rather say it at the desk."""
MISSING = 'The demo needs one more library: pip install "podium-host[demo]".'
NAME_LENGTH = 80
MOST_EPISODES = 10
MANY = 1000
"""Registrations that are answered; nobody floods the demo."""

Heard = Callable[[str, ReadLetter, bytes], None]
"""Is told of every letter to anybody: to whom, the letter, its bytes."""
Answered = Callable[[str, bytes], None]
"""Is told of every answer of a robot: whose, and its bytes."""


@dataclass(frozen=True)
class Player:
    """Somebody with a mailbox."""

    name: str
    address: str


def robots(count: int = len(NAMES)) -> tuple[Player, ...]:
    """The first few robots, or all."""
    return tuple(Player(name, f"{name.split()[0].lower()}@example.net") for name in NAMES[:count])


def need_extra() -> None:
    """Raises `StartError` where the library of the demo's mail server is not installed."""
    if find_spec("pymap") is None:
        raise StartError(MISSING)


def registration(name: str) -> str:
    """The body of a registration, as the host's announcement asks for it."""
    name = one_line(name)[:NAME_LENGTH]
    nickname = name.partition(",")[2] or name  # `Lee, Ann` has the surname first
    return f"Name: {name}\nName you go by at TGSF: {(nickname.split() or [''])[0]}\nHometown: Springfield"


def is_host(address: str) -> bool:
    """Is this the host's address, plain or with a token behind a plus?"""
    user, _, domain = address.lower().rpartition("@")
    return f"{user.partition('+')[0]}@{domain}" == ADDRESS


class DemoServer:
    """Both servers. `deliver` gets every mail for an address that is not the host's: (recipient, raw)."""

    def __init__(self, deliver: Callable[[str, bytes], Awaitable[None]], imap_port: int = 0) -> None:
        self.deliver = deliver
        self._wanted_port = imap_port
        self._servers: list[asyncio.Server] = []
        self._backend: DictBackend
        self.imap_port = self.smtp_port = 0

    async def start(self) -> None:
        """Listen on loopback; ports the system chooses, unless one was given for IMAP."""
        from proxyprotocol.reader import ProxyProtocolReader
        from pymap.backend.dict import DictBackend
        from pymap.imap import IMAPServer

        arguments = Namespace(
            debug=False,
            host="127.0.0.1",
            port=0,
            tls=False,
            demo_data=False,
            demo_user=ADDRESS,
            demo_password=PASSWORD,
            **dict.fromkeys(("cert", "key", "proxy_protocol", "passlib_cfg", "inherited_sockets")),
        )
        self._backend, config = await DictBackend.init(arguments, invalid_user_sleep=0.0)
        config.apply_context()
        reader = ProxyProtocolReader(config.proxy_protocol)
        callback = reader.get_callback(IMAPServer(self._backend.login, config))
        imap = await asyncio.start_server(callback, "127.0.0.1", self._wanted_port)
        loop = asyncio.get_running_loop()
        taking = await loop.create_server(lambda: smtp.SMTP(self, enable_SMTPUTF8=True, loop=loop), "127.0.0.1", 0)
        self._servers = [imap, taking]
        self.imap_port, self.smtp_port = (server.sockets[0].getsockname()[1] for server in self._servers)

    async def stop(self) -> None:
        """Stop listening."""
        for server in self._servers:
            server.close()

    async def handle_DATA(self, _server: smtp.SMTP, _session: smtp.Session, envelope: smtp.Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        """Deliver one mail (aiosmtpd's hook)."""
        from pymap.parsing.message import AppendMessage

        content = envelope.content
        raw = content if isinstance(content, bytes) else (content or "").encode()
        for recipient in envelope.rcpt_tos:
            if is_host(recipient):
                own = AppendMessage(f"Delivered-To: {recipient}\r\n".encode() + raw, now(), frozenset())
                async with self._backend.login.demo_user_identity.new_session() as session:
                    await (await session.mailbox_set.get_mailbox("INBOX")).append(own, recent=True)
            else:
                await self.deliver(recipient.lower(), raw)
        return "250 delivered"


class World:
    """The server, the daemon and the robots of one demo. `seats` are the games that are offered, and how many play each.

    `web` is where the daemon serves its own pages; empty: nowhere.
    """

    def __init__(
        self,
        seats: Mapping[str, int],
        players: Sequence[Player],
        heard: Heard,
        *,
        answered: Answered = lambda _address, _raw: None,
        imap_port: int = 0,
        delay: float = 0.0,
        web: str = "",
    ) -> None:
        self.seats, self.delay, self.web = seats, delay, web
        self.server = DemoServer(self._deliver, imap_port)
        self._heard, self._answered = heard, answered
        self._robots = {player.address: player for player in (*players, Player("Operator", OPERATOR))}
        self._letters: dict[str, asyncio.Queue[ReadLetter]] = {address: asyncio.Queue() for address in self._robots}
        self._called_up: set[str] = set()
        self._known = {entry.ask: entry.answers[0] for slug in seats for entry in starter(GAMES[slug])}
        self._random = random.Random()  # noqa: S311 - which link a robot taps is no chance of a game
        self.daemon: Daemon

    def config(self, folder: str) -> Config:
        """The host's configuration: the demo's servers, and its games. Who played may play again at once, and often."""
        server = {"host": "127.0.0.1", "security": "none"}
        return Config.model_validate(
            {
                "host": {"name": "The Millionaire", "address": ADDRESS, "timezone": "UTC", "operators": [OPERATOR]},
                "imap": server
                | {"port": self.server.imap_port, "username": ADDRESS, "password": PASSWORD, "poll_every": "2s"},
                "smtp": server | {"port": self.server.smtp_port},
                "database": {"url": f"sqlite:///{folder}/demo.db"},
                "web": {"listen": self.web},
                "deadlines": {"objection": "1s"},
                "security": {"registrations_a_day": MANY, "registrations_an_hour": MANY},
                "games": {slug: {"seats": count} for slug, count in self.seats.items()},
            }
        )

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Everything runs inside, and nothing of it is kept.

        Raises `StartError` where pymap is not installed or the daemon cannot start.
        """
        need_extra()
        try:
            await self.server.start()
        except OSError as error:
            raise StartError(f"The port cannot be had ({error.strerror}): choose another with --port.") from None
        with tempfile.TemporaryDirectory(prefix="podium-demo-") as folder:
            config = self.config(folder)
            store = open_store(config.database.url)
            store.lock()
            for slug in self.seats:
                entries = list(starter(GAMES[slug]))
                self._random.shuffle(entries)
                with begin(Services(config, store), now()) as work:
                    add_entries(work, GAMES[slug], entries)
            self.daemon = daemon = Daemon(config, store)
            serving = asyncio.create_task(daemon.run(handle_signals=False))
            ready = asyncio.create_task(daemon.ready.wait())
            await asyncio.wait({serving, ready}, return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                ready.cancel()
                serving.result()
            playing = [asyncio.create_task(self._play(player)) for player in self._robots.values()]
            try:
                yield
            finally:
                daemon.stop()
                for task in playing:
                    task.cancel()
                await asyncio.gather(*playing, return_exceptions=True)
                await serving
                store.close()
                await self.server.stop()

    async def _deliver(self, recipient: str, raw: bytes) -> None:
        letter = ReadLetter(raw)
        self._heard(recipient, letter, raw)
        if recipient in self._letters:
            self._letters[recipient].put_nowait(letter)
        elif letter.kind == "begin":
            code = letter.headers.get("x-podium-episode", "").partition("-")[0]
            self._called_up -= {game.slug for game in GAMES.values() if game.code == code}
        elif letter.kind == "registered":
            for slug in self.seats:
                waiting, _, _ = await self.daemon.runtime.work(self._line, slug)
                if recipient in waiting:
                    await self.call_up(slug)

    async def send(self, raw: bytes, sender: str, to: str) -> None:
        """Hand a mail to the demo's SMTP server."""
        async with SMTP(hostname="127.0.0.1", port=self.server.smtp_port) as client:
            await client.sendmail(sender, [to], raw)

    async def register(self, player: Player, game: Game[Any, Any]) -> None:
        """Write the registration mail of a player."""
        raw = write(player.address, player.name, ADDRESS, game.subject, registration(player.name))
        self._answered(player.address, raw)
        await self.send(raw, player.address, ADDRESS)

    async def _play(self, player: Player) -> None:
        """A robot: answers every letter that asks by tapping a link.

        It looks for itself whether the demo ends: `asyncio.wait_for` of Python 3.11, in which it sends, may lose a cancellation.
        """
        is_host = player.address == OPERATOR
        while not self.daemon.runtime.stopping.is_set():
            letter = await self._letters[player.address].get()
            # what contestants write to the host is for whoever sits at the desk
            is_asked = WAITS_FOR_HOST in letter.text.partition("\n")[0] if is_host else letter.asks
            raw = tap(letter, player.address, player.name, self._random, self._known) if is_asked else None
            if raw is not None:
                await asyncio.sleep(self.delay * (HOST_TAKES if is_host else 1))
                self._answered(player.address, raw)
                await self.send(raw, player.address, letter.headers["reply-to"])

    async def call_up(self, slug: str) -> None:
        """Let as many robots register for a game as are missing beside you and the champion; once an episode."""
        if slug in self._called_up:
            return
        self._called_up.add(slug)
        waiting, champion, playing = await self.daemon.runtime.work(self._line, slug)
        missing = self.seats[slug] - len({*waiting, *champion})
        free = [each for each in self._robots.values() if each.address not in {*waiting, *champion, *playing, OPERATOR}]
        for player in free[: max(missing, 0)]:
            await self.register(player, GAMES[slug])

    async def is_champion(self, address: str, slug: str) -> bool:
        """Does somebody play the next episode of a game without registering?"""
        _, champion, _ = await self.daemon.runtime.work(self._line, slug)
        return address in champion

    def _line(self, slug: str) -> tuple[set[str], set[str], set[str]]:
        """The addresses of who waits for the next episode of a game, of its champion, and of who plays one now."""
        with self.daemon.services.store.reading() as session:
            waiting = {each.contestant.address for each in queue_of(session, slug)}
            champion = {row.champion.address for row in lobbies(session) if row.game == slug and row.champion}
            episodes = running_episodes(session, slug, MOST_EPISODES)
            return waiting, champion, {seat.contestant.address for each in episodes for seat in each.seats}
