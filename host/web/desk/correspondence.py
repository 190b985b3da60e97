"""Edge: mail at the desk. In: a mail's number. Out: mails and letters as they looked, how mail flows, the log.

A letter of a running episode may show what its contestant alone may see, so it is shown as what is hidden of an episode is. No
token is shown: who has one can play. They are taken out where they can be read: in decoded text, never in a transfer encoding,
which would hide them. A mail that somebody wrote is opened in a process of its own, as everywhere (`host.mail.inbound.sandbox`);
its page stands in a frame that may do nothing, without what leads or loads.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from markupsafe import escape
from starlette.datastructures import FormData
from starlette.responses import Response

from host.engine.words import table
from host.logs import redact
from host.mail.inbound.parsing import decoded_header, parted
from host.mail.inbound.sandbox import ReadingError, Sandbox
from host.store import desk_access, desk_pages
from host.store.database import Session
from host.store.episodes import due_of_letter, episode_of_code
from host.store.mails import heartbeat, latest_mails, mailboxes
from host.store.people import contestant_called
from host.store.schema import AuditEntry, Episode, Inbound, Letter
from host.table.work import Work
from host.web.desk.needs import log_words, signs_of
from host.web.desk.visitor import Visitor, last_number
from host.web.pages import PageError

FRAME_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
MAILS_SHOWN = 200
TABLES: dict[str, type[Inbound | Letter]] = {"in": Inbound, "out": Letter}
LARGEST_PAGE = 256 * 1024
"""Characters of a page that are shown; a letter of ours has some ten thousand."""
HEADERS_SHOWN, LINES_SHOWN, LINE_SHOWN = 64 * 1024, 200, 1000
"""Bytes of the headers, lines of them, characters of a line."""
TO_OPERATORS = ("operator", "host")
"""The purposes of letters that were written to operators."""


def mails(visitor: Visitor, session: Session) -> Response:
    """Mails or letters: the newest, or those of an episode, a contestant, an address."""
    wanted, way = visitor.asked_for("who")[:320], visitor.request.query_params.get("way", "in")
    if way not in TABLES:
        raise PageError(404, "Mails come in and go out; there is no other way.")
    older: int | None = None
    found: Sequence[Inbound | Letter]
    if wanted:
        episode = episode_of_code(session, wanted)
        people = desk_pages.contestants_named(session, wanted)
        person = people[0] if len(people) == 1 else contestant_called(session, wanted)
        found = latest_mails(session, MAILS_SHOWN, episode, person, wanted.lower())[way == "out"]
    else:
        found = desk_pages.newest(session, TABLES[way], visitor.before)
        older = last_number(found)
    return visitor.page(session, "mails.html", mails=found, way=way, wanted=wanted, older=older)


def _found(visitor: Visitor, session: Session) -> tuple[str, Inbound | Letter, Episode | None]:
    way, number = str(visitor.request.path_params["way"]), visitor.number
    row = session.get(TABLES[way], number) if way in TABLES else None
    if not isinstance(row, Inbound | Letter):
        raise PageError(404, "There is no such mail: the list has those there are.")
    return f"{way} {number}", row, session.get(Episode, row.episode_id) if row.episode_id is not None else None


def _may_see(visitor: Visitor, session: Session, what: str, row: Inbound | Letter, episode: Episode | None) -> bool:
    """May this operator see what a mail says: one to operators, one of an episode that is over, one that was shown on demand?"""
    if isinstance(row, Letter) and row.purpose == "login":
        return False
    if isinstance(row, Letter) and row.purpose in TO_OPERATORS:
        return True
    if episode is not None and (episode.over_at is not None or visitor.shown_until(session, episode.code)):
        return True
    return visitor.shown_until(session, what) is not None


def mail(visitor: Visitor, session: Session) -> Response:
    """One mail or letter, and what became of it."""
    from host.mail.inbound.sent_text import letter_forms

    what, row, episode = _found(visitor, session)
    is_letter, raw = isinstance(row, Letter), _bytes_of(row)
    is_shown = _may_see(visitor, session, what, row, episode)
    return visitor.page(
        session,
        "mail.html",
        way="out" if is_letter else "in",
        mail=row,
        episode=episode,
        is_shown=is_shown,
        text=redact(letter_forms(raw)[0]) if is_shown and is_letter and raw else "",
        headers=shown_headers(raw) if is_shown and raw else "",
        has_page=is_shown and _has_page(row),
        lines=[redact(str(each)) for each in row.lines] if is_shown and isinstance(row, Inbound) else [],
        due_at=due_of_letter(session, row.id) if is_letter else None,
    )


def _bytes_of(row: Inbound | Letter) -> bytes | None:
    return row.message if isinstance(row, Letter) else row.raw


def _has_page(row: Inbound | Letter) -> bool:
    """Is there something to be shown as it looked? What could not be read is not opened again here."""
    return bool(_bytes_of(row)) and (isinstance(row, Letter) or row.state not in ("quarantined", "new"))


def page_within(visitor: Visitor, session: Session) -> Response:
    """The page within a mail, for the frame that shows it and for nothing else."""
    from host.mail.inbound.sent_text import letter_forms

    if visitor.request.headers.get("sec-fetch-dest", "iframe") != "iframe":
        raise PageError(403, "This is shown in its frame only: open the mail's own page.")
    what, row, episode = _found(visitor, session)
    if not _may_see(visitor, session, what, row, episode):
        raise PageError(403, "This is not shown to you: ask for it on the mail's own page.")
    raw = _bytes_of(row) if _has_page(row) else None
    html = "" if raw is None else letter_forms(raw)[1] if isinstance(row, Letter) else _opened(raw)
    headers = {"Content-Security-Policy": FRAME_POLICY, "X-Frame-Options": "SAMEORIGIN"}
    return Response(shown_page(html), headers=headers, media_type="text/html")


def show(visitor: Visitor, form: FormData) -> Response:
    """Show a mail that may hold what is hidden: this one, not its episode."""
    with visitor.web.services.store.reading() as session:
        what, row, episode = _found(visitor, session)
        if isinstance(row, Letter) and row.purpose == "login":
            raise PageError(403, "A letter that lets somebody in is shown to nobody.")
    return visitor.reveal(form, what, "It is", f"show mail {what}", episode.code if episode else "")


def put_aside(visitor: Visitor, form: FormData) -> Response:
    """A letter that failed, or a mail that could not be handled, needs nobody any more."""
    with visitor.web.services.store.reading() as session:
        what, _, _ = _found(visitor, session)

    def act(work: Work) -> str:
        desk_access.see_to(work.session, what, work.now, visitor.address)
        return "It is put aside; it is found under Mail."

    return visitor.carry_out(form, act, f"put aside mail {what}", then="../../../../")


def health(visitor: Visitor, session: Session) -> Response:
    """The daemon's health, and how mail flows."""
    return visitor.page(
        session,
        "health.html",
        signs=signs_of(session, visitor),
        mailboxes=mailboxes(session),
        heartbeat=heartbeat(session),
        incoming=_flow(desk_pages.latest_times(session, Inbound, Inbound.arrived_at, Inbound.fetched_at)),
        outgoing=_flow(desk_pages.latest_times(session, Letter, Letter.created_at, Letter.sent_at)),
    )


def _flow(times: Sequence[tuple[datetime, datetime | None, str]]) -> dict[str, Any]:
    """How many mails these are, what became of them, and the median of the seconds from their beginning to their end."""
    waits = sorted(max((ended - began).total_seconds(), 0.0) for began, ended, _ in times if ended is not None)
    return {
        "count": len(times),
        "seconds": waits[len(waits) // 2] if waits else None,
        "states": Counter(state for _, _, state in times).most_common(),
    }


def log(visitor: Visitor, session: Session) -> Response:
    """The log of what operators did."""
    entries = desk_pages.newest(session, AuditEntry, visitor.before)
    over = desk_pages.codes_over(session, {each.episode for each in entries})
    shown = [(each, log_words(each.command, each.episode in over or not each.episode)) for each in entries]
    return visitor.page(session, "log.html", entries=shown, older=last_number(entries))


def _opened(raw: bytes) -> str:
    """The page of a mail that somebody wrote, or its text as a page; empty where it cannot be read. It takes a process."""

    async def apart() -> tuple[str, str]:
        worker = Sandbox()
        try:
            mail = await worker.open(raw)
        except ReadingError:
            return "", ""
        finally:
            await worker.close()
        return mail.text, mail.page

    text, page = asyncio.run(apart())
    return page or (f"<pre>{escape(text)}</pre>" if text else "")


def shown_page(page: str) -> str:
    """A page with the tags and attributes that set text, and no others: nothing in it can be followed, sent or loaded."""
    from lxml import etree
    from lxml import html as markup

    tags, gone, attributes = (
        set(table("host.web", "harmless.toml")[key].split()) for key in ("tags", "gone", "attributes")
    )
    try:
        tree = markup.document_fromstring(page[:LARGEST_PAGE])
    except (etree.LxmlError, ValueError):
        return ""
    for element in list(tree.iter()):
        if not isinstance(element.tag, str):
            element.text = ""
        elif element.tag in gone:
            element.clear(keep_tail=True)
            element.tag = "span"
        elif element.tag not in tags:
            element.tag = "span"
            element.attrib.clear()
        else:
            for name in set(element.attrib) - attributes:
                del element.attrib[name]
    for element in tree.iter():
        element.text, element.tail = (redact(each) if each else each for each in (element.text, element.tail))
    return f"<!DOCTYPE html>{etree.tostring(tree, encoding='unicode', method='html')}"


def shown_headers(raw: bytes) -> str:
    """The headers of a mail, unfolded and decoded, one a line."""
    head = parted(raw[:HEADERS_SHOWN])[0].decode("utf-8", "replace")
    lines = [line for line in re.sub(r"\r?\n[ \t]+", " ", head).splitlines() if line.strip()][:LINES_SHOWN]
    return redact("\n".join(" ".join(decoded_header(line[:LINE_SHOWN]).split()) for line in lines))
