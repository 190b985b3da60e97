"""Edge: who asks for a page of the desk, and the forms on it. In: a request. Out: its visitor, or a page that says why not.

A form belongs to the session that it was shown to, is good for a day and is carried out once: it holds a word of its own, which
is noted together with what it led to. So a second click, or the back button, changes nothing and learns what became of the
first.
"""

import hashlib
import hmac
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.exc import IntegrityError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from host.engine.chance import new_token
from host.store import web as rows
from host.store.database import Session
from host.turn import login
from host.turn.admin import AdminError, audit
from host.turn.work import Work, begin
from host.web.guard import LARGEST_FORM
from host.web.pages import PageError, Web, page, render, see

FORM_LASTS = timedelta(days=1)
TYPED = ("text", "ask", "answers")
"""The fields of forms that hold what somebody wrote."""
COOKIE = "podium-desk"
SHOWN_FOR = timedelta(minutes=15)
"""So long what is hidden stays shown."""


@dataclass(frozen=True)
class Visitor:
    """An operator at the desk: their address, what their browser holds, the page they ask for, and the moment."""

    web: Web
    address: str
    held: str
    path: str
    query: Any
    now: datetime

    def page(self, session: Session | None, template: str, status: int = 200, **context: Any) -> Response:
        """A page of the desk; with what the form led to that was sent before it, where there is a session of the store."""
        done = self.query.get("done", "")
        said = (rows.form_said(session, done) or "") if session is not None and done and status == 200 else ""
        markup = render(self.web, f"desk/{template}", self.path, visitor=self, said=said, form=self.form, **context)
        return page(markup, status)

    @property
    def form(self) -> str:
        """The word of a new form: when it was made, and that it is this session's."""
        word = f"{new_token()}.{int(self.now.timestamp())}"
        return f"{word}.{self._seal(word)}"

    def _seal(self, word: str) -> str:
        return hmac.new(self.held.encode(), word.encode(), hashlib.sha256).hexdigest()

    def key_of_form(self, form: str) -> str:
        """Under which a form that was sent is noted. Raises `PageError` for one that is not this session's, or too old."""
        word, _, seal = form.rpartition(".")
        if not hmac.compare_digest(seal.encode(), self._seal(word).encode()):
            raise PageError(
                403, "This form is not of your session, so nothing was done. Open the page anew and send it again."
            )
        if self.now - datetime.fromtimestamp(int(word.rpartition(".")[2]), self.now.tzinfo) >= FORM_LASTS:
            raise PageError(403, "This form is too old, so nothing was done. Open the page anew and send it again.")
        return login.key_of(word)

    def carry_out(self, form: str, act: Callable[[Work], str], command: str, code: str = "") -> str:
        """Carry out what a form asks for, once, and log it as `command`. Gives the key under which is noted what it led to.

        Raises `PageError` where it cannot be done, or was done before.
        """
        key = self.key_of_form(form)
        try:
            with begin(self.web.services, self.now) as work:
                before = rows.form_said(work.session, key)
                if before is not None:
                    raise PageError(409, f"This was done already, and is not done twice. {before}")
                said = act(work)
                audit(work, self.address, command[:400], code[:16].upper())
                rows.add_form(work.session, key, self.now, said)
        except AdminError as error:
            raise PageError(409, str(error)) from None
        except IntegrityError:
            raise PageError(409, "This was done already, a moment ago, and is not done twice.") from None
        return key

    def shown_until(self, session: Session, what: str) -> datetime | None:
        """Until when this browser may see what is hidden of an episode or a mail; None where it may not."""
        return rows.revealed_until(session, login.key_of(self.held), what, self.now)


Look = Callable[[Visitor, Request], Response]
Act = Callable[[Visitor, Request, FormData], Response]


def visited(web: Web, request: Request) -> Visitor | None:
    """Who asks; None for whoever is not logged in."""
    held = request.cookies.get(COOKIE, "")
    now = web.clock()
    address = login.visitor(web.services, held, now) if held else None
    if address is None:
        return None
    return Visitor(web, address, held, request.url.path.lstrip("/"), request.query_params, now)


def seen(web: Web, path: str, look: Look) -> Route:
    """A page of the desk: whoever is not logged in is sent to do that."""

    def endpoint(request: Request) -> Response:
        visitor = visited(web, request)
        return look(visitor, request) if visitor else _to_login(request)

    return Route(f"/desk/{path}", endpoint, methods=["GET"])


def sent(web: Web, path: str, act: Act, back: str = "../") -> Route:
    """A form of the desk. Who opens its address anew is sent `back` to the page that it stands on."""

    def carried_out(request: Request, form: FormData) -> Response:
        visitor = visited(web, request)
        if visitor is None:
            typed = [text_of(form, name) for name in TYPED if text_of(form, name).strip()]
            return page(render(web, "desk/lost.html", request.url.path.lstrip("/"), typed=typed), 403)
        return act(visitor, request, form)

    reading = read_form(carried_out)

    async def endpoint(request: Request) -> Response:
        return await reading(request) if request.method == "POST" else see(back)

    return Route(f"/desk/{path}", endpoint, methods=["GET", "POST"])


def read_form(act: Callable[[Request, FormData], Response]) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint that reads the form and then works on a thread."""

    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(act, request, await form_of(request))

    return endpoint


async def form_of(request: Request) -> FormData:
    """The form that a request brings. Raises `PageError`."""
    try:
        return await request.form(max_files=1, max_fields=60, max_part_size=LARGEST_FORM)
    except Exception:
        raise PageError(400, "This form cannot be read, so nothing was done.") from None


def text_of(form: FormData, name: str) -> str:
    """A field's text; empty where it is not there."""
    value = form.get(name, "")
    return value.replace("\r\n", "\n").replace("\x00", "") if isinstance(value, str) else ""


def _to_login(request: Request) -> Response:
    depth = request.url.path.lstrip("/").count("/")
    return RedirectResponse(f"{'../' * (depth - 1)}login/", 303)
