"""Edge: the pages of the demo. In: a world, your mailbox, what your browser asks. Out: an inbox, letters, a composer.

All pages work without a script; one of our own looks for new mail once a second. A letter is a document of its own in a
sandboxed frame. What is sent goes by SMTP, like any other mail.
"""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.utils import parseaddr
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from host.demo import composing
from host.demo.composing import Draft
from host.demo.hints import hint
from host.demo.mailbox import Mail, Mailbox
from host.demo.robot import ReadLetter, one_line, write
from host.demo.server import ADDRESS
from host.demo.travel import Stuck, travel
from host.demo.world import NAME_LENGTH, OPERATOR, YOU, World, registration
from host.engine.chance import new_token
from host.games import GAMES
from host.mail.outbound.templates import templates_folder
from host.turn.login import make_link
from host.turn.work import Services, begin
from host.web.guard import Guard

FOLDER = "demo"
STATIC = {"mail.css": "text/css", "script.js": "text/javascript"}
HOURS = {6: "6 hours", 24: "a day", 48: "two days"}
"""By how much time may be pushed on, and by `A_LITTLE` more, so that what is due a day after a letter is seen a day later."""
A_LITTLE = timedelta(minutes=5)
SUBJECT_LENGTH = 900
LETTER_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; "
        "frame-ancestors 'self'; sandbox allow-same-origin allow-top-navigation-by-user-activation"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}
"""Of a letter, which is a document of its own: no script runs in it, whatever it holds."""


class Sorry(Exception):
    """A request that cannot be answered; the message says what to do."""

    def __init__(self, status: HTTPStatus, words: str) -> None:
        super().__init__(words)
        self.status = status


@dataclass(frozen=True)
class Tab:
    """A page beside the mail."""

    title: str
    href: str


@dataclass
class Visit:
    """One demo in the browser. `tabs` are the pages beside the mail; `token` proves that a form is one of ours."""

    mailbox: Mailbox = field(default_factory=Mailbox)
    name: str = ""
    tabs: tuple[Tab, ...] = ()
    note: str = ""
    token: str = field(default_factory=new_token)


class Pages:
    """The app. The world tells `heard` of every letter."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self._world: World | None = None
        self._is_travelling = False
        folder = templates_folder() / FOLDER
        self._static = {name: (folder / name).read_bytes() for name in STATIC}
        self._templates = Environment(
            loader=FileSystemLoader(folder),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    @property
    def world(self) -> World:
        """The world that the pages show."""
        if self._world is None:
            raise RuntimeError("the pages show no world yet")
        return self._world

    @world.setter
    def world(self, world: World) -> None:
        self._world = world

    def heard(self, address: str, _letter: ReadLetter, raw: bytes) -> None:
        """A letter came to somebody; yours go into your mailbox."""
        if address == YOU:
            self.visit.mailbox.came(raw, self.world.clock.now())

    def app(self, names: frozenset[str]) -> ASGIApp:
        """The app, which answers under these names and takes forms only from its own pages."""
        return Guard(
            self._routed(), names, lambda _path, status, words: PlainTextResponse(f"{words}\n", status), lambda _: True
        )

    def _routed(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/", self._inbox),
                Route("/games", self._games),
                Route("/games", self._pick, methods=["POST"]),
                Route("/mail/{number:int}", self._mail),
                Route("/mail/{number:int}/page", self._page),
                Route("/mail/{number:int}/file/{at:int}", self._file),
                Route("/write", self._compose),
                Route("/write", self._send, methods=["POST"]),
                Route("/later", self._later, methods=["POST"]),
                Route("/news", self._news),
                Route("/desk", self._desk),
                Route("/{name}", self._static_file),
            ],
            exception_handlers={
                Sorry: self._sorry,
                HTTPStatus.NOT_FOUND: self._not_found,
                HTTPStatus.METHOD_NOT_ALLOWED: self._not_found,
            },
        )

    # What is shown

    async def _inbox(self, _request: Request) -> Response:
        if not self.visit.mailbox.mails:
            return self._show("games.html", error="")
        note, self.visit.note = self.visit.note, ""
        return self._show("inbox.html", mail=None, conversation=None, as_text=False, note=note)

    async def _games(self, _request: Request) -> Response:
        return self._show("games.html", error="")

    async def _mail(self, request: Request) -> Response:
        mail = self._mail_of(request)
        conversation = self.visit.mailbox.conversation(mail)
        as_text = not mail.letter.page or request.query_params.get("as") == "text"
        return self._show("inbox.html", mail=mail, conversation=conversation, as_text=as_text, note="")

    async def _page(self, request: Request) -> Response:
        mail = self._mail_of(request)
        return HTMLResponse(composing.page_to_show(mail), headers=LETTER_HEADERS)

    async def _file(self, request: Request) -> Response:
        attached, at = self._mail_of(request).attached, request.path_params["at"]
        if at >= len(attached):
            raise Sorry(HTTPStatus.NOT_FOUND, "This letter has no such file; go back to it.")
        name = "".join(each for each in attached[at].name if each.isascii() and (each.isalnum() or each in "-_."))
        disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(attached[at].content, headers=disposition, media_type="application/jsonl")

    async def _compose(self, request: Request) -> Response:
        return self._show("write.html", draft=self._draft(request), error="")

    def _draft(self, request: Request) -> Draft:
        asked = request.query_params
        if (game := GAMES.get(asked.get("game", ""))) is not None:
            words = "This is the registration, written for you: press Send."
            return Draft(ADDRESS, game.subject, registration(self._name), hint=words)
        if "mail" not in asked:
            return Draft(ADDRESS, hint="A new mail to the host.")
        mail = self._numbered(asked["mail"])
        if "link" not in asked:
            return composing.reply(mail)
        number = asked["link"]
        found = composing.of_link(mail.letter, int(number)) if number.isdecimal() else None
        if found is None:
            raise Sorry(HTTPStatus.NOT_FOUND, "This letter has no such button; go back to it.")
        return found

    async def _news(self, _request: Request) -> Response:
        now = self.world.clock.now()
        return JSONResponse({"version": self.visit.mailbox.version, "time": f"{now:%a %d %b, %H:%M} UTC"})

    async def _desk(self, _request: Request) -> Response:
        """The host's desk: with a link that lets its operator in, made now and good once."""
        runtime = self.world.daemon.runtime
        return self._to(await runtime.work(self._let_in, runtime.services))

    def _let_in(self, services: Services) -> str:
        with begin(services, self.world.clock.now()) as work:
            return make_link(work, OPERATOR)

    async def _static_file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in STATIC:
            raise Sorry(HTTPStatus.NOT_FOUND, "There is no such page; go back to your mail.")
        return Response(self._static[name], media_type=STATIC[name])

    # What is done

    async def _pick(self, request: Request) -> Response:
        """A game was chosen; who is its champion need not register."""
        given = await self._form(request)
        game, name = GAMES.get(given.get("game", "")), one_line(given.get("name", self._name))
        if game is None or game.slug not in self.world.seats:
            raise Sorry(HTTPStatus.UNPROCESSABLE_ENTITY, "There is no such game here; choose another.")
        if "@" in name or not any(each.isalpha() for each in name) or len(name) > NAME_LENGTH:
            error = f"Write a name with letters in it, of at most {NAME_LENGTH} signs, and no mail address."
            return self._show("games.html", HTTPStatus.UNPROCESSABLE_ENTITY, error=error)
        self.visit.name = name
        if await self.world.is_champion(YOU, game.slug):
            await self.world.call_up(game.slug)
            self.visit.note = f"You are the champion of {game.title} and play without registering; robots register now."
            return self._to("/")
        return self._to(f"/write?game={game.slug}")

    async def _send(self, request: Request) -> Response:
        given = await self._form(request)
        body, number = given.get("body", "").replace("\r\n", "\n"), given.get("answers", "")
        answered = self._numbered(number) if number.isdecimal() and number != "0" else None
        draft = Draft(one_line(given.get("to", "")), one_line(given.get("subject", ""))[:SUBJECT_LENGTH], body)
        draft = replace(draft, answers=answered.number if answered else 0)
        to = parseaddr(draft.to)[1].lower()
        user, _, domain = to.rpartition("@")
        if f"{user.partition('+')[0]}@{domain}" != ADDRESS:
            error = f"Only the host has a mailbox here: write to {ADDRESS}."
            return self._show("write.html", HTTPStatus.UNPROCESSABLE_ENTITY, draft=draft, error=error)
        in_reply_to = answered.letter.headers.get("message-id", "") if answered else ""
        raw = write(YOU, self._name, to, draft.subject, body, in_reply_to)
        self.visit.mailbox.went(raw, self.world.clock.now())
        await self.world.send(raw, YOU, to)
        return self._to("/")

    async def _later(self, request: Request) -> Response:
        """Time is pushed on. The robots answer first, so that nobody but you forfeits."""
        hours = (await self._form(request)).get("hours", "")
        if not hours.isdecimal() or int(hours) not in HOURS:
            raise Sorry(HTTPStatus.UNPROCESSABLE_ENTITY, "Time passes by 6, 24 or 48 hours; press one of the buttons.")
        if self._is_travelling:
            raise Sorry(HTTPStatus.CONFLICT, "Time is passing already; go back to your mail in a moment.")
        self._is_travelling = True
        try:
            by = timedelta(hours=int(hours)) + A_LITTLE
            with self.world.hurried():
                await travel(self.world.clock, self.world.daemon, by, self.world.rest)
        except Stuck as error:
            raise Sorry(HTTPStatus.GATEWAY_TIMEOUT, str(error)) from None
        finally:
            self._is_travelling = False
        self.visit.note = f"It is {HOURS[int(hours)]} later."
        return self._to("/")

    # How

    @property
    def _name(self) -> str:
        return self.visit.name or "Ann Lee"

    def _mail_of(self, request: Request) -> Mail:
        return self._numbered(str(request.path_params["number"]))

    def _numbered(self, number: str) -> Mail:
        mail = self.visit.mailbox.read(int(number)) if number.isdecimal() and len(number) < 10 else None
        if mail is None:
            raise Sorry(HTTPStatus.NOT_FOUND, "There is no such mail; go back to your mail.")
        return mail

    async def _form(self, request: Request) -> Mapping[str, str]:
        """The fields of a form of ours."""
        text = (await request.body()).decode("utf-8", "replace")
        fields = {name: values[0] for name, values in parse_qs(text, keep_blank_values=True, max_num_fields=20).items()}
        if not hmac.compare_digest(fields.get("token", "").encode(), self.visit.token.encode()):
            raise Sorry(HTTPStatus.FORBIDDEN, "This page is of an earlier demo; go back to your mail and do it there.")
        return fields

    def _to(self, path: str) -> Response:
        return RedirectResponse(path, HTTPStatus.SEE_OTHER)

    def _show(self, template: str, status: HTTPStatus = HTTPStatus.OK, **more: Any) -> Response:
        mailbox = self.visit.mailbox
        page = self._templates.get_template(template).render(
            tabs=self.visit.tabs,
            token=self.visit.token,
            name=self._name,
            you=YOU,
            host=ADDRESS,
            now=self.world.clock.now(),
            hours=HOURS,
            games=[GAMES[slug] for slug in self.world.seats],
            conversations=mailbox.conversations(),
            unread=mailbox.unread,
            version=mailbox.version,
            hint=hint(mailbox) if mailbox.mails else "",
            **more,
        )
        return HTMLResponse(page, status)

    async def _sorry(self, _request: Request, error: Exception) -> Response:
        status = error.status if isinstance(error, Sorry) else HTTPStatus.INTERNAL_SERVER_ERROR
        return self._show("sorry.html", status, words=str(error))

    async def _not_found(self, _request: Request, error: Any) -> Response:
        return self._show(
            "sorry.html", HTTPStatus(error.status_code), words="There is no such page; go back to your mail."
        )
