"""Edge: mail at the desk. In: a mail's number. Out: mails and letters as they looked, how mail flows, the log.

A letter of a running episode may show what its contestant alone may see, so it is shown as what is hidden of an episode is. No
token is shown: who has one can play. A page within a mail stands in a frame that may do nothing.
"""

from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from host.logs import redact
from host.mail.inbound.own_letter import letter_forms
from host.store import desk, letters
from host.store import web as rows
from host.store.database import Session
from host.store.episodes import due_of_letter, episode_of_code
from host.store.people import contestant_called
from host.store.schema import Episode, Inbound, Letter
from host.turn import login
from host.turn.work import Work
from host.web.desk.charts import chart_of_letters, chart_of_mails
from host.web.desk.commands import log_words
from host.web.desk.forms import SHOWN_FOR, Visitor, seen, sent, text_of
from host.web.desk.frames import opened, shown_headers, shown_page
from host.web.desk.needs import signs_of
from host.web.desk.paging import before_of, last_number, number_of
from host.web.pages import PageError, Web, see

FRAME_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
MAILS_SHOWN = 200
TO_OPERATORS = ("operator", "host")
"""The purposes of letters that were written to operators."""


def routes(web: Web) -> list[Route]:
    """Lists, one mail, its page in a frame; health; the log."""
    return [
        seen(web, "mail/", _list),
        seen(web, "mail/{way}/{number:int}/", _one),
        seen(web, "mail/{way}/{number:int}/page/", _page_of),
        sent(web, "mail/{way}/{number:int}/show/", _show),
        sent(web, "mail/{way}/{number:int}/aside/", _put_aside),
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
            people = desk.contestants(session, wanted, None)
            person = people[0] if len(people) == 1 else contestant_called(session, wanted)
            found = letters.latest_mails(session, MAILS_SHOWN, episode, person, wanted.lower())[way == "out"]
        else:
            found = (desk.mails_in if way == "in" else desk.letters_out)(session, before_of(request))
            older = last_number(found)
        return visitor.page(session, "mails.html", mails=found, way=way, wanted=wanted, older=older)


def _found(session: Session, request: Request) -> tuple[str, Inbound | Letter]:
    way, number = str(request.path_params["way"]), number_of(request)
    found: Inbound | Letter | None = None
    if way in ("in", "out"):
        found = desk.mail_of(session, number) if way == "in" else desk.letter_of(session, number)
    if found is None:
        raise PageError(404, "There is no such mail: the list has those there are.")
    return way, found


def _may_see(visitor: Visitor, session: Session, way: str, row: Inbound | Letter) -> bool:
    """May this operator see what a mail says: one to operators, one of an episode that is over, one that was shown on demand?"""
    if isinstance(row, Letter) and row.purpose == "login":
        return False
    if isinstance(row, Letter) and row.purpose in TO_OPERATORS:
        return True
    episode = session.get(Episode, row.episode_id) if row.episode_id is not None else None
    if episode is not None and (episode.over_at is not None or visitor.shown_until(session, episode.code)):
        return True
    return visitor.shown_until(session, f"{way} {row.id}") is not None


def _one(visitor: Visitor, request: Request) -> Response:
    with visitor.web.services.store.reading() as session:
        way, row = _found(session, request)
        is_shown = _may_see(visitor, session, way, row)
        text = letter_forms(row.message)[0] if is_shown and isinstance(row, Letter) and row.message else ""
        raw = row.message if isinstance(row, Letter) else row.raw
        return visitor.page(
            session,
            "mail.html",
            way=way,
            mail=row,
            episode=session.get(Episode, row.episode_id) if row.episode_id is not None else None,
            is_shown=is_shown,
            text=redact(text),
            headers=shown_headers(raw) if is_shown and raw else "",
            has_page=is_shown and _has_page(row),
            lines=[redact(str(each)) for each in row.lines] if is_shown and isinstance(row, Inbound) else [],
            due_at=due_of_letter(session, row.id) if isinstance(row, Letter) else None,
        )


def _has_page(row: Inbound | Letter) -> bool:
    """Is there something to be shown as it looked? What could not be read is not opened again here."""
    if isinstance(row, Letter):
        return bool(row.message)
    return row.raw is not None and row.state not in ("quarantined", "new")


def _page_of(visitor: Visitor, request: Request) -> Response:
    """The page within a mail, for the frame that shows it and for nothing else."""
    if request.headers.get("sec-fetch-dest", "iframe") != "iframe":
        raise PageError(403, "This is shown in its frame only: open the mail's own page.")
    with visitor.web.services.store.reading() as session:
        way, row = _found(session, request)
        if not _may_see(visitor, session, way, row):
            raise PageError(403, "This is not shown to you: ask for it on the mail's own page.")
        raw = row.message if isinstance(row, Letter) else row.raw
        is_there, is_ours = _has_page(row), isinstance(row, Letter)
    html = (letter_forms(raw)[1] if is_ours else opened(raw)) if is_there and raw else ""
    headers = {"Content-Security-Policy": FRAME_POLICY, "X-Frame-Options": "SAMEORIGIN"}
    return Response(shown_page(html), headers=headers, media_type="text/html")


def _show(visitor: Visitor, request: Request, form: FormData) -> Response:
    """Show a mail that may hold what is hidden: this one, not its episode."""
    with visitor.web.services.store.reading() as session:
        way, row = _found(session, request)
        if isinstance(row, Letter) and row.purpose == "login":
            raise PageError(403, "A letter that lets somebody in is shown to nobody.")
        episode = session.get(Episode, row.episode_id) if row.episode_id is not None else None
        what, code = f"{way} {row.id}", episode.code if episode else ""

    def act(work: Work) -> str:
        rows.reveal(work.session, login.key_of(visitor.held), what, visitor.now + SHOWN_FOR)
        return "It is shown to you for fifteen minutes; that is logged."

    done = visitor.carry_out(text_of(form, "form"), act, f"show mail {what}", code)
    return see(f"../?done={done}")


def _put_aside(visitor: Visitor, request: Request, form: FormData) -> Response:
    """A letter that failed, or a mail that could not be handled, needs nobody any more."""
    with visitor.web.services.store.reading() as session:
        way, row = _found(session, request)
        what = f"{way} {row.id}"

    def act(work: Work) -> str:
        rows.see_to(work.session, what, work.now, visitor.address)
        return "It is put aside; it is found under Mail."

    done = visitor.carry_out(text_of(form, "form"), act, f"put aside mail {what}")
    return see(f"../../../../?done={done}")


def _health(visitor: Visitor, _request: Request) -> Response:
    with visitor.web.services.store.reading() as session:
        return visitor.page(
            session,
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
        over = desk.codes_over(session, {each.episode for each in entries})
        shown = [(each, log_words(each.command, each.episode in over or not each.episode)) for each in entries]
        return visitor.page(session, "log.html", entries=shown, older=last_number(entries))
