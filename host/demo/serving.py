"""Shell: the demo in the browser. In: a port, perhaps a game. Out: pages on loopback for as long as it runs.

The pages, the daemon and the mail server share one loop, so that what a page shows is never half changed.
"""

import asyncio
import contextlib
import signal
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterator, Mapping

from uvicorn import Config, Server

from host.daemon.runtime import StartError
from host.demo.browser import Pages
from host.demo.world import NAMES, World, need_extra, robots
from host.engine.game import usual_seats
from host.games import GAMES
from host.web.guard import LOOPBACK
from host.web.pages import templates
from host.web.server import listening

THINKING = 1.2
"""Seconds that a robot takes for an answer, so that letters are seen to come."""
FEWEST = 2
"""Players of a game that one could play alone: others are to be seen."""
REQUESTS_AT_ONCE = 32
HEAD_BYTES = 8192


class _PageServer(Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals end the whole demo, which then ends this server."""
        yield


def seats() -> dict[str, int]:
    """All games, and how many play each in the browser."""
    return {
        slug: max(usual_seats(game), min(count for count in game.seats if count >= min(FEWEST, max(game.seats))))
        for slug, game in GAMES.items()
    }


@contextlib.asynccontextmanager
async def served(
    port: int = 0, *, delay: float = THINKING, offered: Mapping[str, int] | None = None
) -> AsyncIterator[tuple[str, Pages]]:
    """The demo, served inside; gives its address. Raises `StartError` where it cannot start."""
    try:
        door = listening(("127.0.0.1", port))
    except OSError as error:
        raise StartError(f"Port {port} cannot be had ({error.strerror}): choose another with --port.") from None
    with contextlib.closing(door):
        port = door.getsockname()[1]
        with listening(("127.0.0.1", 0)) as free:
            web = f"127.0.0.1:{free.getsockname()[1]}"
        pages = Pages((("Host's desk", "/desk"), ("Public pages", f"http://{web}/")))
        pages.world = World(offered or seats(), robots(len(NAMES)), pages.heard, delay=delay, web=web)
        templates().globals["way_back"] = f"http://127.0.0.1:{port}/"
        async with pages.world.running():
            config = Config(
                pages.app(frozenset(f"{name}:{port}" for name in LOOPBACK)),
                http="h11",
                ws="none",
                lifespan="off",
                limit_concurrency=REQUESTS_AT_ONCE,
                h11_max_incomplete_event_size=HEAD_BYTES,
                timeout_graceful_shutdown=1,
                proxy_headers=False,
                server_header=False,
                access_log=False,
                log_config=None,
            )
            server = _PageServer(config)
            serving = asyncio.create_task(server.serve([door]))
            try:
                yield f"http://127.0.0.1:{port}/", pages
            finally:
                server.should_exit = True
                await serving
                templates().globals["way_back"] = ""


async def in_browser(port: int, game: str, say: Callable[[str], None], is_opened: bool) -> None:
    """Serve until Control-C. The first page is the registration for `game`, where one is named."""
    need_extra()
    say("The demo is starting: a mail server, the host, and eight robots ...")
    async with served(port) as (address, _):
        address += f"write?game={game}" if game else ""
        say(f"Your mail program is at {address}")
        say("Control-C ends the demo; nothing of it is kept.")
        if is_opened:
            await asyncio.to_thread(_open, address)
        ended = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, ended.set)
        await ended.wait()


def _open(address: str) -> None:
    """Open the page, but in no browser of the terminal: it would take the terminal for itself."""
    with contextlib.suppress(webbrowser.Error):
        browser = webbrowser.get()
        if type(browser) is not webbrowser.GenericBrowser:
            browser.open(address)
