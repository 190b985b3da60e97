"""Edge: the way in to the desk and out of it. In: an address, a link's token. Out: a letter, a session, the first page.

A link shows a page with a button, and only the button uses it up: programs that look into mail open links, too.
"""

from starlette.background import BackgroundTask
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from host.store import web as rows
from host.turn import login
from host.turn.work import begin
from host.web.desk.forms import COOKIE, read_form, text_of, visited
from host.web.pages import Web, page, render, see

WRONG = "This link does not let anybody in: it was used, its half hour is over, or it is none of ours. Ask for a new one below."


def routes(web: Web) -> list[Route]:
    """Logging in, and out."""

    def ask(request: Request) -> Response:
        if visited(web, request) is not None:
            return see("../")
        return _page(web, request)

    def mail(request: Request, form: FormData) -> Response:
        address = text_of(form, "address")
        if "@" not in address:
            return _page(web, request, 400, "Write the address of an operator, such as me@example.org.")
        answer = _page(web, request, 200, mailed=True)
        answer.background = BackgroundTask(
            write, address
        )  # so that nobody learns from the time it takes who is an operator
        return answer

    def write(address: str) -> None:
        with begin(web.services, web.clock()) as work:
            login.mail_link(work, address)

    def confirm(request: Request) -> Response:
        now, token = web.clock(), str(request.path_params["token"])
        with web.services.store.reading() as session:
            address = rows.link_address(session, login.key_of(token), now)
        if address is None:
            return _page(web, request, 403, WRONG)
        return page(render(web, "desk/welcome.html", request.url.path.lstrip("/"), address=address))

    def enter(request: Request, _form: FormData) -> Response:
        now, token = web.clock(), str(request.path_params["token"])
        with begin(web.services, now) as work:
            held = login.log_in(work, token)
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
        Route("/desk/login/", read_form(mail), methods=["POST"]),
        Route("/desk/login/{token}/", confirm, methods=["GET"]),
        Route("/desk/login/{token}/", read_form(enter), methods=["POST"]),
        Route("/desk/logout/", read_form(leave), methods=["POST"]),
    ]


def _page(web: Web, request: Request, status: int = 200, problem: str = "", mailed: bool = False) -> Response:
    path = request.url.path.lstrip("/")
    return page(render(web, "desk/login.html", path, problem=problem, mailed=mailed), status)
