"""Edge: mail at the desk. In: a mail's number. Out: mails and letters as they looked, how mail flows, the log.

A letter of a running episode may show what its contestant alone may see, so it is shown as what is hidden of an episode is. No
token is shown: who has one can play. A page within a mail stands in a frame that may do nothing.
"""

import re
from typing import Any

from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from host.logs import redact
from host.mail.inbound.reply import letter_forms, open_mail
from host.store import desk, letters
from host.store import web as rows
from host.store.database import Session
from host.store.episodes import due_of_letter, episode_of_code
from host.store.people import contestant_called, contestant_of_address
from host.store.schema import Episode, Inbound, Letter
from host.turn import login
from host.turn.work import Work
from host.web.desk.charts import chart_of_letters, chart_of_mails
from host.web.desk.forms import SHOWN_FOR, Visitor, seen, sent, text_of
from host.web.desk.needs import signs_of
from host.web.desk.paging import before_of, last_number
from host.web.pages import PageError, Web, see

FRAME_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
SOURCE_SHOWN = 64 * 1024
MAILS_SHOWN = 200
_LINK = re.compile(r'[\s/"\'](?:href|src|action|background)\s*=\s*("[^"]*"|\'[^\']*\'|[^\s>]+)', re.IGNORECASE)
_REFRESH = re.compile(r"<\s*(?:meta|base|link)\b[^>]*>", re.IGNORECASE)


def routes(web: Web) -> list[Route]:
    """Lists, one mail, its page in a frame; health; the log."""
    return [
        seen(web, "mail/", _list),
        seen(web, "mail/{way}/{number:int}/", _one),
        seen(web, "mail/{way}/{number:int}/page/", _page_of),
        sent(web, "mail/{way}/{number:int}/show/", _show),
        seen(web, "health/", _health),
        seen(web, "log/", _log),
    ]


def _list(visitor: Visitor, request: Request) -> Response:
    wanted = str(request.query_params.get("who", "")).strip()[:320]
    way = str(request.query_params.get("way", "in"))
    if way not in ("in", "out"):
        raise PageError(404, "Mails come in and go out; there is no other way.")
    with visitor.web.services.store.reading() as session:
        older = None
        found: Any
        if wanted:
            episode = episode_of_code(session, wanted)
            person = contestant_of_address(session, wanted.lower()) or contestant_called(session, wanted)
            found = letters.latest_mails(session, MAILS_SHOWN, episode, person, wanted.lower())[way == "out"]
        else:
            found = (desk.mails_in if way == "in" else desk.letters_out)(session, before_of(request))
            older = last_number(found)
        return visitor.page("mails.html", mails=found, way=way, wanted=wanted, older=older)


def _found(session: Session, request: Request) -> tuple[str, Inbound | Letter]:
    way, number = str(request.path_params["way"]), int(request.path_params["number"])
    found: Inbound | Letter | None = None
    if way in ("in", "out"):
        found = desk.mail_of(session, number) if way == "in" else desk.letter_of(session, number)
    if found is None:
        raise PageError(404, "There is no such mail: the list has those there are.")
    return way, found


def _what(session: Session, way: str, row: Inbound | Letter) -> str:
    """Under what it is noted that this may be shown: an episode's code, or the mail's own number."""
    episode = session.get(Episode, row.episode_id) if row.episode_id is not None else None
    return episode.code if episode else f"{way} {row.id}"


def _is_open(session: Session, row: Inbound | Letter) -> bool:
    """May every operator see it: nothing of a running episode?"""
    if row.episode_id is None:
        return isinstance(row, Letter) and row.purpose != "login"
    return session.get_one(Episode, row.episode_id).over_at is not None


def _one(visitor: Visitor, request: Request) -> Response:
    with visitor.web.services.store.reading() as session:
        way, row = _found(session, request)
        is_shown = _may_see(visitor, session, way, row)
        episode = session.get(Episode, row.episode_id) if row.episode_id is not None else None
        source = _source(row) if is_shown else ""
        return visitor.page(
            "mail.html",
            way=way,
            mail=row,
            episode=episode,
            is_shown=is_shown,
            text=redact(letter_forms(row.message)[0]) if is_shown and isinstance(row, Letter) else "",
            source=source,
            has_page=is_shown and bool(_html(row)),
            lines=[redact(str(each)) for each in row.lines] if is_shown and isinstance(row, Inbound) else [],
            due_at=due_of_letter(session, row.id) if isinstance(row, Letter) else None,
        )


def _may_see(visitor: Visitor, session: Session, way: str, row: Inbound | Letter) -> bool:
    if isinstance(row, Letter) and row.purpose == "login":
        return False
    return _is_open(session, row) or visitor.shown_until(_what(session, way, row)) is not None


def _source(row: Inbound | Letter) -> str:
    raw = row.message if isinstance(row, Letter) else (row.raw or b"")
    text = raw[:SOURCE_SHOWN].decode("utf-8", "replace").replace("\r\n", "\n")
    return redact(text)


def _html(row: Inbound | Letter) -> str:
    """The page in a mail; of one that could not be read, or is not kept, nothing is opened again here."""
    if isinstance(row, Letter):
        return letter_forms(row.message)[1]
    if row.raw is None or row.state in ("quarantined", "new"):
        return ""
    return open_mail(row.raw).page


def _page_of(visitor: Visitor, request: Request) -> Response:
    with visitor.web.services.store.reading() as session:
        way, row = _found(session, request)
        if not _may_see(visitor, session, way, row):
            raise PageError(403, "This is not shown to you: ask for it on the mail's own page.")
        shown = _LINK.sub(" ", _REFRESH.sub("", redact(_html(row))))
    headers = {"Content-Security-Policy": FRAME_POLICY, "X-Frame-Options": "SAMEORIGIN"}
    return Response(Markup(shown).encode(), headers=headers, media_type="text/html")  # noqa: S704 - it may do nothing


def _show(visitor: Visitor, request: Request, form: FormData) -> Response:
    """Show a mail that may hold what is hidden."""
    with visitor.web.services.store.reading() as session:
        way, row = _found(session, request)
        if isinstance(row, Letter) and row.purpose == "login":
            raise PageError(403, "A letter that lets somebody in is shown to nobody.")
        what = _what(session, way, row)
        code = what if row.episode_id is not None else ""
        number = row.id

    def act(work: Work) -> str:
        rows.reveal(work.session, login.key_of(visitor.held), what, visitor.now + SHOWN_FOR)
        return "It is shown to you for fifteen minutes; that is logged."

    done = visitor.carry_out(text_of(form, "form"), act, f"show mail {way} {number} ({what})", code)
    return see(f"../?done={done}")


def _health(visitor: Visitor, _request: Request) -> Response:
    with visitor.web.services.store.reading() as session:
        return visitor.page(
            "health.html",
            signs=signs_of(session, visitor),
            mailboxes=letters.mailboxes(session),
            heartbeat=letters.heartbeat(session),
            incoming=chart_of_mails(desk.latest_mail_times(session)),
            outgoing=chart_of_letters(desk.latest_letter_times(session)),
        )


def _log(visitor: Visitor, request: Request) -> Response:
    with visitor.web.services.store.reading() as session:
        entries = desk.audit_entries(session, before_of(request))
        return visitor.page("log.html", entries=entries, older=last_number(entries))
