"""Edge: the operator at the desk. In: an address, a link's token, a request. Out: a session, its visitor, the forms on pages.

A link shows a page with a button, and only the button uses it up: programs that look into mail open links, too. A form belongs
to the session that it was shown to, is good for a day and is carried out once: it holds a word of its own, which is noted
together with what it led to. So a second click, or the back button, changes nothing and learns what became of the first.
"""

import hashlib
import hmac
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from anyio import CapacityLimiter, to_thread
from sqlalchemy.exc import IntegrityError
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from host.club.seasons import SeasonError
from host.engine.chance import new_token
from host.states import RIGHTS, Right, suffices
from host.store import desk_access
from host.store.database import Session
from host.store.desk_pages import A_PAGE
from host.store.schema import Inbound, Letter
from host.table.work import Work, begin
from host.turn import login
from host.turn.admin import AdminError, audit
from host.turn.operator_commands import LARGEST, out_of_right
from host.web.guard import LARGEST_FORM
from host.web.pages import PageError, Web, page, see

FORM_LASTS = timedelta(days=1)
TYPED = ("text", "ask", "answers", "why", "name", "prizes")
"""The fields of forms that hold what somebody wrote."""
WRONG = "This link does not let anybody in: it was used, its half hour is over, or it is none of ours. Ask for a new one below."
COOKIE = "podium-desk"
SHOWN_FOR = timedelta(minutes=15)
"""After this time what was shown is hidden again."""


@dataclass(frozen=True)
class Visitor:
    """Somebody of the house at the desk: their address and right, the key their browser holds, their request, the moment."""

    web: Web
    address: str
    right: Right
    held: str
    request: Request
    now: datetime

    def page(self, session: Session | None, template: str, status: int = 200, **context: Any) -> Response:
        """A page of the desk; with what the form led to that was sent before it, where there is a session of the store."""
        done = self.request.query_params.get("done", "")
        said = (desk_access.form_said(session, done) or "") if session is not None and done and status == 200 else ""
        context |= {"visitor": self, "said": said, "form": self.form}
        return page(self.web, self.request.url.path, f"desk/{template}", status, **context)

    def may(self, needed: Right) -> bool:
        """Have they this right?"""
        return suffices(self.right, needed)

    @property
    def rights(self) -> tuple[Right, ...]:
        """All that they have."""
        return tuple(each for each in RIGHTS if self.may(each))

    def must(self, needed: Right) -> None:
        """Raises `PageError` for whoever has not this right."""
        if not self.may(needed):
            raise PageError(403, f"{out_of_right(self.right)} Nothing was done.")

    def asked_for(self, name: str, default: str = "") -> str:
        """A field of the page's address."""
        return self.request.query_params.get(name, default).strip()

    @property
    def before(self) -> int | None:
        """The number that a list begins before; None for its newest. Raises `PageError` for what is no number."""
        text = self.request.query_params.get("before", "")
        if not re.fullmatch("[0-9]{0,10}", text) or int(text or 0) > LARGEST:
            raise PageError(400, "That is no page of this list: go back to its beginning.")
        return int(text) if text else None

    @property
    def number(self) -> int:
        """The number in a page's address. Raises `PageError` where no row can have it."""
        number = int(self.request.path_params["number"])
        if number > LARGEST:
            raise PageError(404, "There is no such page: the list has those there are.")
        return number

    @property
    def form(self) -> str:
        """The word of a new form: when it was made, and that it is this session's."""
        word = f"{new_token()}.{int(self.now.timestamp())}"
        return f"{word}.{self._seal(word)}"

    def _seal(self, word: str) -> str:
        return hmac.new(self.held.encode(), word.encode(), hashlib.sha256).hexdigest()

    def may_send(self, form: str) -> bool:
        """Is this the word of a form of this session, and not too old?"""
        try:
            return bool(self.key_of_form(form))
        except (PageError, ValueError):
            return False

    def key_of_form(self, form: str) -> str:
        """The key under which a form that was sent is noted: of a page with several forms each has its own.

        Raises `PageError` for another session's, or one too old.
        """
        word, _, seal = form.rpartition(".")
        if not hmac.compare_digest(seal.encode(), self._seal(word).encode()):
            words = "This form is not of your session, so nothing was done. Open the page anew and send it again."
            raise PageError(403, words)
        if self.now - datetime.fromtimestamp(int(word.rpartition(".")[2]), self.now.tzinfo) >= FORM_LASTS:
            raise PageError(403, "This form is too old, so nothing was done. Open the page anew and send it again.")
        return login.key_of(f"{word} {self.request.url.path}")

    def carry_out(
        self, form: FormData, act: Callable[[Work], str], command: str, code: str = "", then: str = "../"
    ) -> Response:
        """Carry out what a form asks for, once, log it as `command`, and lead to the page `then`, which says what `act` said.

        Where it cannot be done a page says why, with what was typed. Raises `PageError` where it was done before.
        """
        key = self.key_of_form(text_of(form, "form"))
        try:
            with begin(self.web.services, self.now) as work:
                before = desk_access.form_said(work.session, key)
                if before is not None:
                    raise PageError(409, f"This was done already, and is not done twice. {before}")
                said = act(work)
                audit(work, self.address, command[:400], code[:16].upper())
                desk_access.add_form(work.session, key, self.now, said)
        except (AdminError, SeasonError) as error:
            return self.page(None, "refused.html", 409, problem=str(error), typed=typed_in(form))
        except IntegrityError:
            raise PageError(409, "This was done already, a moment ago, and is not done twice.") from None
        return see(f"{then}?done={key}")

    def reveal(self, form: FormData, what: str, said: str, command: str, code: str) -> Response:
        """Show this browser what is hidden of an episode or a mail, for a while, and log that."""

        def act(work: Work) -> str:
            desk_access.reveal(work.session, login.key_of(self.held), what, self.now + SHOWN_FOR)
            return f"{said} shown to you for fifteen minutes; that is logged."

        return self.carry_out(form, act, command, code)

    def shown_until(self, session: Session, what: str) -> datetime | None:
        """The moment until which this browser may see what is hidden of an episode or a mail; None where it may not."""
        return (
            desk_access.revealed_until(session, login.key_of(self.held), what, self.now) if self.may("host") else None
        )


Look = Callable[[Visitor, Session], Response]
"""Makes a page, while a session of the store is open."""
Act = Callable[[Visitor, FormData], Response]
"""Does what a form asks for."""


def visited(web: Web, request: Request) -> Visitor | None:
    """The operator who asks; None for whoever is not logged in."""
    held = request.cookies.get(COOKIE, "")
    now = web.clock()
    address = login.visitor(web.services, held, now) if held else None
    right = address and web.services.config.host.right_of(address)
    return Visitor(web, address, right, held, request, now) if address and right else None


def seen(web: Web, path: str, look: Look, needed: Right) -> Route:
    """A page of the desk, for who has the right: whoever is not logged in is sent to do that."""

    def endpoint(request: Request) -> Response:
        visitor = visited(web, request)
        if visitor is None:
            return see(f"{'../' * (request.url.path.count('/') - 2)}login/")
        visitor.must(needed)
        with web.services.store.reading() as session:
            return look(visitor, session)

    return Route(f"/desk/{path}", endpoint, methods=["GET"])


def sent(web: Web, path: str, act: Act, needed: Right) -> Route:
    """A form of the desk, for who has the right. Opening its address anew leads back to the page that it stands on."""
    back = "../../" if path.startswith("words/") else "../"

    def carried_out(request: Request, form: FormData) -> Response:
        visitor = visited(web, request)
        if visitor is None:
            return page(web, request.url.path, "desk/lost.html", 403, typed=typed_in(form))
        visitor.must(needed)
        return act(visitor, form)

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


def typed_in(form: FormData) -> list[str]:
    """What somebody wrote in a form."""
    return [text for name in TYPED if (text := text_of(form, name)).strip()]


def ways_in(web: Web) -> list[Route]:
    """The routes of logging in, and out."""

    def ask(request: Request) -> Response:
        if visited(web, request) is not None:
            return see("../")
        return _login_page(web, request)

    def let_in(request: Request) -> str | None:
        """The address that the link of a request lets in; None where it is none that does."""
        with web.services.store.reading() as session:
            return desk_access.link_address(session, login.key_of(request.path_params["token"]), web.clock())

    def confirm(request: Request) -> Response:
        address = let_in(request)
        if address is None:
            return _login_page(web, request, 403, WRONG)
        return page(web, request.url.path, "desk/welcome.html", address=address)

    def enter(request: Request, _form: FormData) -> Response:
        held = None
        if let_in(request) is not None:  # whoever tries links at random writes nothing
            with begin(web.services, web.clock()) as work:
                held = login.log_in(work, request.path_params["token"])
        if held is None:
            return _login_page(web, request, 403, WRONG)
        answer = see("../../")
        is_safe = web.services.config.web.url.startswith("https://")
        seconds = int(login.SESSION_LASTS.total_seconds())
        answer.set_cookie(COOKIE, held, seconds, path="/", secure=is_safe, httponly=True, samesite="lax")
        return answer

    def leave(request: Request, _form: FormData) -> Response:
        with begin(web.services, web.clock()) as work:
            login.log_out(work, request.cookies.get(COOKIE, ""))
        answer = see("../login/")
        answer.delete_cookie(COOKIE, path="/")
        return answer

    return [
        Route("/desk/login/", ask, methods=["GET"]),
        Route("/desk/login/", _mailing(web), methods=["POST"]),
        Route("/desk/login/{token}/", confirm, methods=["GET"]),
        Route("/desk/login/{token}/", read_form(enter), methods=["POST"]),
        Route("/desk/logout/", read_form(leave), methods=["POST"]),
    ]


def another_link(visitor: Visitor, form: FormData) -> Response:
    """Mail the operator a link for another browser."""

    def act(work: Work) -> str:
        login.mail_link(work, visitor.address, is_sure=True)
        return f"A link for another browser is on its way to {visitor.address}. It is good once, for half an hour."

    return visitor.carry_out(form, act, "login-link")


def _mailing(web: Web) -> Callable[[Request], Awaitable[Response]]:
    """The form that anybody may send: it takes no thread that makes pages, and its letter no place."""
    one_letter = CapacityLimiter(1)
    asked: set[str] = set()

    async def mail(request: Request) -> Response:
        address = text_of(await form_of(request), "address")
        if "@" not in address:
            return _login_page(web, request, 400, "Write the address of an operator, such as me@example.org.")
        answer = _login_page(web, request, 200, mailed=True)
        operator = login.operator_of(web.services, address)
        if operator and operator not in asked:
            asked.add(operator)
            # nobody learns from the time it takes who is an operator
            answer.background = BackgroundTask(send, operator)
        return answer

    async def send(operator: str) -> None:
        def write() -> None:
            with begin(web.services, web.clock()) as work:
                login.mail_link(work, operator)

        try:
            await to_thread.run_sync(write, limiter=one_letter)
        finally:
            asked.discard(operator)

    return mail


def _login_page(web: Web, request: Request, status: int = 200, problem: str = "", mailed: bool = False) -> Response:
    return page(web, request.url.path, "desk/login.html", status, problem=problem, mailed=mailed)


def both_ways(received: Sequence[Inbound], written: Sequence[Letter]) -> list[tuple[str, datetime, Inbound | Letter]]:
    """Mails in and out as one list, the latest first: which way, when, and the row."""
    mails: list[tuple[str, datetime, Inbound | Letter]] = [("in", each.arrived_at, each) for each in received]
    mails += [("out", each.created_at, each) for each in written]
    return sorted(mails, key=lambda each: each[1], reverse=True)


def last_number(rows: Sequence[Any]) -> int | None:
    """The number after which the list goes on; None where it ends."""
    return rows[-1].id if len(rows) == A_PAGE else None
