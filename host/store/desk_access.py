"""Edge: rows about who is at the desk. In: keys, addresses, moments. Out: links to log in, forms sent, what was shown.

All of them are few and short-lived: `forget_old` lets go of what is over.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, select, text, update
from sqlalchemy.orm import Session

from host.store.schema import TO_HOST, Letter, LoginLink, Reveal, SeenTo, SentForm, WebSession


def link_address(session: Session, key: str, now: datetime) -> str | None:
    """The address that a link would let in now; None where it is over or there is none."""
    found = session.get(LoginLink, key)
    return found.address if found and found.used_at is None and found.until > now else None


def use_link(session: Session, key: str, now: datetime) -> str | None:
    """Use a link up. Gives the address that it lets in, None where it was used, is over, or there is none."""
    used = (
        update(LoginLink)
        .where(LoginLink.key == key, LoginLink.used_at.is_(None), LoginLink.until > now)
        .values(used_at=now)
        .returning(LoginLink.address)
    )
    return session.scalar(used, execution_options={"synchronize_session": False})


def form_said(session: Session, key: str) -> str | None:
    """The words that a form led to; None where it was not sent yet."""
    return session.scalar(select(SentForm.said).where(SentForm.key == key))


def add_form(session: Session, key: str, now: datetime, said: str) -> None:
    """A form was carried out. A second time the database raises IntegrityError."""
    session.add(SentForm(key=key, at=now, said=said))
    session.flush()


def reveal(session: Session, session_key: str, what: str, until: datetime) -> None:
    """Something hidden is shown to a session until a moment."""
    session.merge(Reveal(session_key=session_key, what=what, until=until))


def hide(session: Session, session_key: str, what: str) -> None:
    """Something that was shown to a session is hidden from it again."""
    session.execute(delete(Reveal).where(Reveal.session_key == session_key, Reveal.what == what))


def revealed_until(session: Session, session_key: str, what: str, now: datetime) -> datetime | None:
    """The moment until which a session may see what is hidden; None where it may not."""
    found = session.get(Reveal, (session_key, what))
    return found.until if found and found.until > now else None


def see_to(session: Session, what: str, now: datetime, who: str) -> None:
    """Something needs nobody any more: `out 12` is a letter, `in 7` a mail. Who was first stays."""
    if session.get(SeenTo, what) is None:
        session.add(SeenTo(what=what, at=now, who=who))


def see_to_words(session: Session, letter: Letter, now: datetime, who: str) -> None:
    """A contestant's words to the host need nobody any more, to whichever operator they went."""
    written = select(Letter.id, Letter.address).where(
        text(f"letters.{TO_HOST}"), Letter.about_id == letter.about_id, Letter.created_at == letter.created_at
    )
    copies = copy_numbers([(row.id, row.address) for row in session.execute(written.order_by(Letter.id))])
    for number, copy in copies.items():
        if copy == copies[letter.id]:
            see_to(session, f"out {number}", now, who)


def copy_numbers(letters: Sequence[tuple[int, str]]) -> dict[int, int]:
    """Number the copies among letters of one moment: the first to each operator, the second to each, and so on."""
    seen: Counter[str] = Counter()
    found = {}
    for number, address in letters:
        found[number] = seen[address]
        seen[address] += 1
    return found


def forget_old(session: Session, now: datetime, idle: timedelta, kept: timedelta) -> None:
    """Let go of sessions that were idle for so long, and of links and forms of that long ago."""
    for statement in (
        delete(WebSession).where(WebSession.seen_at <= now - idle),
        delete(LoginLink).where(LoginLink.made_at <= now - kept),
        delete(SentForm).where(SentForm.at <= now - kept),
        delete(Reveal).where(Reveal.until <= now),
    ):
        session.execute(statement, execution_options={"synchronize_session": False})
