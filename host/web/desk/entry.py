"""Edge: the way in to the desk and out of it. In: an address, a link's token. Out: a letter, a session, the first page.

A link shows a page with a button, and only the button uses it up: programs that look into mail open links, too.
"""

import threading
from collections import deque
from datetime import datetime, timedelta

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from host.store import web as rows
from host.turn import login
from host.turn.work import begin
from host.web.desk.forms import COOKIE, Visitor, read_form, sent, text_of, visited
from host.web.pages import PageError, Web, page, render, see

TRIES, TRIES_WITHIN = 60, timedelta(minutes=10)
"""How many logins may be tried that lead to nothing, from wherever they come."""
WRONG = "This link does not let anybody in: it was used, its half hour is over, or it is none of ours. Ask for a new one below."


class _Tries:
    """When links were tried that are none."""

    def __init__(self) -> None:
        self._at: deque[datetime] = deque(maxlen=TRIES)
        self._lock = threading.Lock()

    def are_too_many(self, now: datetime) -> bool:
        with self._lock:
            return len(self._at) == TRIES and now - self._at[0] < TRIES_WITHIN

    def note(self, now: datetime) -> None:
        with self._lock:
            self._at.append(now)


def routes(web: Web) -> list[Route]:
    """Logging in, and out."""
    tries = _Tries()

    def ask(request: Request) -> Response:
        if visited(web, request) is not None:
            return see("../")
        return _page(web, request)

    def mail(request: Request, form: FormData) -> Response:
        address = text_of(form, "address")
        if "@" not in address:
            return _page(web, request, 400, "Write the address of an operator, such as me@example.org.")
        with begin(web.services, web.clock()) as work:
            login.mail_link(work, address)
        return _page(web, request, 200, mailed=True)

    def confirm(request: Request) -> Response:
        now, token = web.clock(), str(request.path_params["token"])
        _limit(now)
        with web.services.store.reading() as session:
            address = rows.link_address(session, login.key_of(token), now)
        if address is None:
            tries.note(now)
            return _page(web, request, 403, WRONG)
        return page(render(web, "desk/welcome.html", request.url.path.lstrip("/"), address=address))

    def enter(request: Request, _form: FormData) -> Response:
        now, token = web.clock(), str(request.path_params["token"])
        _limit(now)
        with begin(web.services, now) as work:
            held = login.log_in(work, token)
        if held is None:
            tries.note(now)
            return _page(web, request, 403, WRONG)
        answer = see("../../")
        is_safe = web.services.config.web.url.startswith("https://")
        answer.set_cookie(
            COOKIE,
            held,
            max_age=int(login.SESSION_LASTS.total_seconds()),
            path="/",
            secure=is_safe,
            httponly=True,
            samesite="lax",
        )
        return answer

    def leave(visitor: Visitor, _request: Request, form: FormData) -> Response:
        visitor.key_of_form(text_of(form, "form"))
        with begin(web.services, visitor.now) as work:
            login.log_out(work, visitor.held)
        answer = see("../login/")
        answer.delete_cookie(COOKIE, path="/")
        return answer

    def _limit(now: datetime) -> None:
        if tries.are_too_many(now):
            raise PageError(429, "Too many links were tried that are none. Wait ten minutes and try again.")

    return [
        Route("/desk/login/", ask, methods=["GET"]),
        Route("/desk/login/", read_form(mail), methods=["POST"]),
        Route("/desk/login/{token}/", confirm, methods=["GET"]),
        Route("/desk/login/{token}/", read_form(enter), methods=["POST"]),
        sent(web, "logout/", leave),
    ]


def _page(web: Web, request: Request, status: int = 200, problem: str = "", mailed: bool = False) -> Response:
    path = request.url.path.lstrip("/")
    return page(render(web, "desk/login.html", path, problem=problem, mailed=mailed), status)
