"""Shell: the demo in the browser. In: a port, perhaps a game. Out: an inbox, letters, a composer, for as long as it runs.

All pages work without a script; one of our own looks for new mail once a second. A letter is a document of its own in a
sandboxed frame. What is sent goes by SMTP, like any other mail. The pages, the daemon and the mail server share one loop, so that
what a page shows is never half changed.
"""

import asyncio
import contextlib
import hmac
import signal
import socket
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from email.utils import parseaddr
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp
from uvicorn import Config, Server

from host.daemon.main import now
from host.daemon.runtime import StartError
from host.demo.inbox import Draft, Mail, Mailbox, draft_of_link, hint, page_to_show, reply_to
from host.demo.robot import ReadLetter, one_line, write
from host.demo.world import ADDRESS, NAME_LENGTH, OPERATOR, YOU, World, is_host, need_extra, registration, robots
from host.engine.chance import new_token
from host.engine.game import usual_seats
from host.games import GAMES
from host.mail.outbound.templates import templates_folder
from host.table.work import begin
from host.turn.login import make_link
from host.web.guard import LOOPBACK, Guard
from host.web.pages import see, templates, templates_in
from host.web.server import listening

FOLDER = templates_folder() / "demo"
STATIC = ("mail.css", "script.js")
SUBJECT_LENGTH = 900
THINKING = 1.2
"""Seconds that a robot takes for an answer, so that letters are seen to come."""
FEWEST = 2
"""Players of a game that one could play alone: others are to be seen."""
REQUESTS_AT_ONCE = 32
HEAD_BYTES = 8192
LETTER_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; "
        "frame-ancestors 'self'; sandbox allow-same-origin allow-top-navigation-by-user-activation"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}
"""Headers of a letter, which is a document of its own: no script runs in it, whatever it holds."""


class Pages:
    """The app, and what it shows: your mailbox, your name, a note. `tabs` are pages beside the mail: title and address.

    `token` proves that a form is one of ours.
    """

    world: World

    def __init__(self, tabs: Sequence[tuple[str, str]]) -> None:
        self.tabs, self.mailbox, self.name, self.note, self.token = tabs, Mailbox(), "", "", new_token()
        self._templates = templates_in(FOLDER)
        self._templates.globals |= {"you": YOU, "host": ADDRESS}
        self._templates.globals |= dict.fromkeys(("mail", "conversation", "note", "error"))

    def heard(self, address: str, _letter: ReadLetter, raw: bytes) -> None:
        """A letter came to somebody; yours go into your mailbox."""
        if address == YOU:
            self.mailbox.keep(raw, now())

    def app(self, names: frozenset[str]) -> ASGIApp:
        """The app, which answers under these names and takes forms only from its own pages."""
        routes = [
            Route("/", self._inbox),
            Route("/games", self._games),
            Route("/games", self._pick, methods=["POST"]),
            Route("/mail/{number}", self._mail),
            Route("/mail/{number}/page", self._page),
            Route("/mail/{number}/file/{at:int}", self._file),
            Route("/write", self._compose),
            Route("/write", self._send, methods=["POST"]),
            Route("/news", self._news),
            Route("/desk", self._desk),
            Route("/{name}", self._static_file),
        ]
        app = Starlette(routes=routes, exception_handlers={HTTPException: self._sorry})
        return Guard(app, names, lambda _, status, words: PlainTextResponse(f"{words}\n", status), lambda _: True)

    # What is shown

    async def _inbox(self, _request: Request) -> Response:
        note, self.note = self.note, ""
        return self._show("inbox.html" if self.mailbox.mails else "games.html", note=note)

    async def _games(self, _request: Request) -> Response:
        return self._show("games.html")

    async def _mail(self, request: Request) -> Response:
        mail = self._numbered(request.path_params["number"])
        as_text = not mail.letter.page or request.query_params.get("as") == "text"
        return self._show("inbox.html", mail=mail, conversation=self.mailbox.conversation(mail), as_text=as_text)

    async def _page(self, request: Request) -> Response:
        mail = self._numbered(request.path_params["number"])
        return HTMLResponse(page_to_show(mail), headers=LETTER_HEADERS)

    async def _file(self, request: Request) -> Response:
        files, at = list(self._numbered(request.path_params["number"]).attached.items()), request.path_params["at"]
        if at >= len(files):
            raise HTTPException(404, "This letter has no such file; go back to it.")
        name = "".join(each for each in files[at][0] if each.isascii() and (each.isalnum() or each in "-_."))
        disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(files[at][1], headers=disposition, media_type="application/jsonl")

    async def _compose(self, request: Request) -> Response:
        return self._show("write.html", draft=self._draft(request.query_params))

    def _draft(self, asked: Mapping[str, str]) -> Draft:
        game = GAMES.get(asked.get("game", ""))
        if game is not None:
            words = "This is the registration, written for you: press Send."
            return Draft(ADDRESS, game.subject, registration(self._name), hint=words)
        if "mail" not in asked:
            return Draft(ADDRESS, hint="A new mail to the host.")
        mail = self._numbered(asked["mail"])
        if "link" not in asked:
            return reply_to(mail)
        found = draft_of_link(mail.letter, int(asked["link"])) if asked["link"].isdecimal() else None
        if found is None:
            raise HTTPException(404, "This letter has no such button; go back to it.")
        return found

    async def _news(self, _request: Request) -> Response:
        return JSONResponse({"version": self.mailbox.version, "time": f"{now():%a %d %b, %H:%M} UTC"})

    async def _desk(self, _request: Request) -> Response:
        """The host's desk: with a link that lets its operator in, made now and good once."""
        runtime = self.world.daemon.runtime

        def let_in() -> str:
            with begin(runtime.services, now()) as work:
                return make_link(work, OPERATOR)

        return see(await runtime.work(let_in))

    async def _static_file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in STATIC:
            raise HTTPException(404)
        return FileResponse(FOLDER / name)

    # What is done

    async def _pick(self, request: Request) -> Response:
        """A game was chosen; who is its champion need not register."""
        given = await self._form(request)
        game, name = GAMES.get(given.get("game", "")), one_line(given.get("name", self._name))
        if game is None or game.slug not in self.world.seats:
            raise HTTPException(422, "There is no such game here; choose another.")
        if "@" in name or not any(each.isalpha() for each in name) or len(name) > NAME_LENGTH:
            error = f"Write a name with letters in it, of at most {NAME_LENGTH} signs, and no mail address."
            return self._show("games.html", 422, error=error)
        self.name = name
        if await self.world.is_champion(YOU, game.slug):
            await self.world.call_up(game.slug)
            self.note = f"You are the champion of {game.title} and play without registering; robots register now."
            return see("/")
        return see(f"/write?game={game.slug}")

    async def _send(self, request: Request) -> Response:
        given = await self._form(request)
        number = given.get("answers", "0")
        answered = None if number == "0" else self._numbered(number)
        body, subject = given.get("body", "").replace("\r\n", "\n"), one_line(given.get("subject", ""))[:SUBJECT_LENGTH]
        draft = Draft(one_line(given.get("to", "")), subject, body, answered.number if answered else 0)
        to = parseaddr(draft.to)[1].lower()
        if not is_host(to):
            error = f"Only the host has a mailbox here: write to {ADDRESS}."
            return self._show("write.html", 422, draft=draft, error=error)
        in_reply_to = answered.letter.headers.get("message-id", "") if answered else ""
        raw = write(YOU, self._name, to, subject, body, in_reply_to)
        self.mailbox.keep(raw, now(), is_mine=True)
        await self.world.send(raw, YOU, to)
        return see("/")

    # How

    @property
    def _name(self) -> str:
        return self.name or "Ann Lee"

    def _numbered(self, number: str) -> Mail:
        mail = self.mailbox.read(int(number)) if number.isdecimal() and len(number) < 10 else None
        if mail is None:
            raise HTTPException(404, "There is no such mail; go back to your mail.")
        return mail

    async def _form(self, request: Request) -> Mapping[str, str]:
        """The fields of a form of ours."""
        text = (await request.body()).decode("utf-8", "replace")
        fields = {name: values[0] for name, values in parse_qs(text, keep_blank_values=True, max_num_fields=20).items()}
        if not hmac.compare_digest(fields.get("token", "").encode(), self.token.encode()):
            raise HTTPException(403, "This page is of an earlier demo; go back to your mail and do it there.")
        return fields

    def _show(self, template: str, status: int = 200, **more: Any) -> Response:
        shown: dict[str, Any] = {
            "tabs": self.tabs,
            "token": self.token,
            "name": self._name,
            "now": now(),
            "games": [GAMES[slug] for slug in self.world.seats],
            "conversations": self.mailbox.conversations(),
            "unread": self.mailbox.unread,
            "version": self.mailbox.version,
            "hint": hint(self.mailbox) if self.mailbox.mails else "",
        }
        return HTMLResponse(self._templates.get_template(template).render(shown | more), status)

    async def _sorry(self, _request: Request, error: Any) -> Response:
        is_own = error.detail != HTTPStatus(error.status_code).phrase
        words = error.detail if is_own else "There is no such page; go back to your mail."
        return self._show("sorry.html", error.status_code, words=words)


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
    with contextlib.closing(door), socket.socket() as reserved:
        port = door.getsockname()[1]
        # bound and not listening: nobody else is given the port before the daemon listens there
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserved.bind(("127.0.0.1", 0))
        web = f"127.0.0.1:{reserved.getsockname()[1]}"
        pages = Pages((("Host's desk", "/desk"), ("Public pages", f"http://{web}/")))
        pages.world = World(offered or seats(), robots(), pages.heard, delay=delay, web=web)
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
