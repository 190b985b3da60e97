"""Edge: the way in to the desk and out of it. In: an address, a link's token. Out: a letter, a session, the first page.

A link shows a page with a button, and only the button uses it up: programs that look into mail open links, too.
"""

from collections.abc import Awaitable, Callable

from anyio import CapacityLimiter, to_thread
from starlette.background import BackgroundTask
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from host.store import desk_access
from host.turn import login
from host.turn.work import Work, begin
from host.web.desk.visitor import COOKIE, Visitor, form_of, read_form, text_of, visited
from host.web.pages import Web, page, render, see

WRONG = "This link does not let anybody in: it was used, its half hour is over, or it is none of ours. Ask for a new one below."


def routes(web: Web) -> list[Route]:
    """Logging in, and out."""

    def ask(request: Request) -> Response:
        if visited(web, request) is not None:
            return see("../")
        return _page(web, request)

    def let_in(request: Request) -> str | None:
        """The address that the link of a request lets in; None where it is none that does."""
        with web.services.store.reading() as session:
            return desk_access.link_address(session, login.key_of(request.path_params["token"]), web.clock())

    def confirm(request: Request) -> Response:
        address = let_in(request)
        if address is None:
            return _page(web, request, 403, WRONG)
        return page(render(web, "desk/welcome.html", request.url.path.lstrip("/"), address=address))

    def enter(request: Request, _form: FormData) -> Response:
        held = None
        if let_in(request) is not None:  # whoever tries links at random writes nothing
            with begin(web.services, web.clock()) as work:
                held = login.log_in(work, request.path_params["token"])
        if held is None:
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
            return _page(web, request, 400, "Write the address of an operator, such as me@example.org.")
        answer = _page(web, request, 200, mailed=True)
        operator = login.operator_of(web.services, address)
        if operator and operator not in asked:
            asked.add(operator)
            # nobody learns from the time it takes who is an operator
            answer.background = BackgroundTask(send, operator)
        return answer

    async def send(operator: str) -> None:
        try:
            await to_thread.run_sync(write, operator, limiter=one_letter)
        finally:
            asked.discard(operator)

    def write(operator: str) -> None:
        with begin(web.services, web.clock()) as work:
            login.mail_link(work, operator)

    return mail


def _page(web: Web, request: Request, status: int = 200, problem: str = "", mailed: bool = False) -> Response:
    path = request.url.path.lstrip("/")
    return page(render(web, "desk/login.html", path, problem=problem, mailed=mailed), status)
