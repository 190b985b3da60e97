"""Edge: the pages of the demo. In: a world, your mailbox, what your browser asks. Out: an inbox, letters, a composer.

All pages work without a script; one of our own looks for new mail once a second. A letter is a document of its own in a
sandboxed frame. What is sent goes by SMTP, like any other mail.
"""

import hmac
from collections.abc import Mapping, Sequence
from email.utils import parseaddr
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from host.daemon.main import now
from host.demo.hints import hint
from host.demo.inbox import Draft, Mail, Mailbox, draft_of_link, page_to_show, reply_to
from host.demo.loopback import ADDRESS, is_host
from host.demo.robot import ReadLetter, one_line, write
from host.demo.world import NAME_LENGTH, OPERATOR, YOU, World, registration
from host.engine.chance import new_token
from host.games import GAMES
from host.mail.outbound.templates import templates_folder
from host.turn.login import make_link
from host.turn.work import Services, begin
from host.web.guard import Guard
from host.web.pages import templates_in

FOLDER = templates_folder() / "demo"
STATIC = ("mail.css", "script.js")
SUBJECT_LENGTH = 900
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

    def heard(self, address: str, _letter: ReadLetter, raw: bytes) -> None:
        """A letter came to somebody; yours go into your mailbox."""
        if address == YOU:
            self.mailbox.came(raw, now())

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
        if not self.mailbox.mails:
            return self._show("games.html", error="")
        note, self.note = self.note, ""
        return self._show("inbox.html", mail=None, conversation=None, as_text=False, note=note)

    async def _games(self, _request: Request) -> Response:
        return self._show("games.html", error="")

    async def _mail(self, request: Request) -> Response:
        mail = self._numbered(request.path_params["number"])
        conversation = self.mailbox.conversation(mail)
        as_text = not mail.letter.page or request.query_params.get("as") == "text"
        return self._show("inbox.html", mail=mail, conversation=conversation, as_text=as_text, note="")

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
        return self._show("write.html", draft=self._draft(request.query_params), error="")

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
        return _to(await runtime.work(_let_in, runtime.services))

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
            return _to("/")
        return _to(f"/write?game={game.slug}")

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
        self.mailbox.went(raw, now())
        await self.world.send(raw, YOU, to)
        return _to("/")

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
        page = self._templates.get_template(template).render(
            tabs=self.tabs,
            token=self.token,
            name=self._name,
            you=YOU,
            host=ADDRESS,
            now=now(),
            games=[GAMES[slug] for slug in self.world.seats],
            conversations=self.mailbox.conversations(),
            unread=self.mailbox.unread,
            version=self.mailbox.version,
            hint=hint(self.mailbox) if self.mailbox.mails else "",
            **more,
        )
        return HTMLResponse(page, status)

    async def _sorry(self, _request: Request, error: Any) -> Response:
        is_own = error.detail != HTTPStatus(error.status_code).phrase
        words = error.detail if is_own else "There is no such page; go back to your mail."
        return self._show("sorry.html", error.status_code, words=words)


def _let_in(services: Services) -> str:
    with begin(services, now()) as work:
        return make_link(work, OPERATOR)


def _to(path: str) -> Response:
    return RedirectResponse(path, 303)
