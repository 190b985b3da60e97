"""Edge: the rows of the desk. In: keys, addresses, moments. Out: links to log in, sessions, forms sent, what was shown.

All of them are few and short-lived: `forget_old` lets go of what is over.
"""

from datetime import datetime, timedelta

from sqlalchemy import CursorResult, delete, func, select, update
from sqlalchemy.orm import Session

from host.store.schema import LoginLink, Reveal, SeenTo, SentForm, WebSession


def add_link(session: Session, key: str, address: str, now: datetime, until: datetime) -> None:
    """A new link to log in."""
    session.add(LoginLink(key=key, address=address, made_at=now, until=until, used_at=None))


def count_links(session: Session, since: datetime, address: str = "") -> int:
    """How many links were made after a moment; of one address where that is given."""
    made = select(func.count()).select_from(LoginLink).where(LoginLink.made_at > since)
    return session.scalar(made.where(LoginLink.address == address) if address else made) or 0


def link_address(session: Session, key: str, now: datetime) -> str | None:
    """Whom a link would let in now; None where it is over or there is none."""
    found = session.get(LoginLink, key)
    return found.address if found and found.used_at is None and found.until > now else None


def use_link(session: Session, key: str, now: datetime) -> str | None:
    """Use a link up: whom it lets in, None where it was used, is over, or there is none."""
    used = session.execute(
        update(LoginLink)
        .where(LoginLink.key == key, LoginLink.used_at.is_(None), LoginLink.until > now)
        .values(used_at=now)
        .execution_options(synchronize_session=False)
    )
    assert isinstance(used, CursorResult)
    return session.scalar(select(LoginLink.address).where(LoginLink.key == key)) if used.rowcount == 1 else None


def add_session(session: Session, key: str, address: str, now: datetime) -> None:
    """A browser is logged in."""
    session.add(WebSession(key=key, address=address, began_at=now, seen_at=now))


def session_of(session: Session, key: str) -> WebSession | None:
    """The session with this key, fresh or not."""
    return session.get(WebSession, key)


def end_session(session: Session, key: str) -> None:
    """A browser is logged out."""
    session.execute(delete(WebSession).where(WebSession.key == key))


def form_said(session: Session, key: str) -> str | None:
    """What a form led to; None where it was not sent yet."""
    return session.scalar(select(SentForm.said).where(SentForm.key == key))


def add_form(session: Session, key: str, now: datetime, said: str) -> None:
    """A form was carried out. A second time the database raises IntegrityError."""
    session.add(SentForm(key=key, at=now, said=said))
    session.flush()


def reveal(session: Session, session_key: str, what: str, until: datetime) -> None:
    """A session may see what is hidden, until a moment."""
    session.merge(Reveal(session_key=session_key, what=what, until=until))


def hide(session: Session, session_key: str, what: str) -> None:
    """It need not see that any more."""
    session.execute(delete(Reveal).where(Reveal.session_key == session_key, Reveal.what == what))


def revealed_until(session: Session, session_key: str, what: str, now: datetime) -> datetime | None:
    """Until when a session may see what is hidden; None where it may not."""
    found = session.get(Reveal, (session_key, what))
    return found.until if found and found.until > now else None


def see_to(session: Session, letter_id: int, now: datetime, who: str) -> None:
    """A contestant's words were answered, or need no answer."""
    if session.get(SeenTo, letter_id) is None:
        session.add(SeenTo(letter_id=letter_id, at=now, who=who))


def forget_old(session: Session, now: datetime, idle: timedelta, kept: timedelta) -> None:
    """Let go of sessions that were idle for so long, and of links and forms of that long ago."""
    for statement in (
        delete(WebSession).where(WebSession.seen_at <= now - idle),
        delete(LoginLink).where(LoginLink.made_at <= now - kept),
        delete(SentForm).where(SentForm.at <= now - kept),
        delete(Reveal).where(Reveal.until <= now),
    ):
        session.execute(statement, execution_options={"synchronize_session": False})
