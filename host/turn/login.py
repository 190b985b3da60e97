"""Shell: the way to the desk. In: an operator's address, a link's token, a browser's key. Out: links, letters, sessions.

An operator logs in with a link that is good once and for a short while; it goes to their own address, or whoever has the shell
of the machine makes it. The store has only hashes of links and of what browsers hold; a link that is mailed stands in its letter,
which the desk shows to nobody.
"""

import hashlib
from datetime import datetime, timedelta

from host.engine.chance import new_token
from host.store import desk_access
from host.store.mails import count_letters_to
from host.store.schema import LoginLink, WebSession
from host.table.letters import write
from host.table.work import Services, Work, begin
from host.turn.admin import AdminError, audit

LINK_LASTS = timedelta(minutes=30)
SESSION_IDLES = timedelta(days=3)
"""A session that nobody uses lasts so long."""
SESSION_LASTS = timedelta(days=30)
SEEN_EVERY = timedelta(minutes=10)
"""Its use is noted so often."""
LINKS_KEPT = timedelta(days=2)
LINKS_AN_HOUR = 5
"""Links that are mailed to an operator in an hour, where anybody can ask for them."""


def key_of(secret: str) -> str:
    """The key under which a link, a session or a form is in the store."""
    return hashlib.sha256(secret.encode()).hexdigest()


def desk_address(services: Services, path: str = "") -> str:
    """The address of a page of the desk. Raises `AdminError` where there is no desk."""
    if services.config.web.endpoint is None:
        raise AdminError('There is no desk: write listen = "127.0.0.1:8025" under [web] in the configuration.')
    return f"{services.config.web.address}/desk/{path}"


def make_link(work: Work, address: str = "") -> str:
    """A link for somebody of the house, by default the only one. Raises `AdminError`."""
    operators = {each.lower(): each for each in work.config.host.crew()}
    if not address and len(operators) == 1:
        address = next(iter(operators))
    if not operators:
        raise AdminError(
            'There is no operator: write operators = ["me@example.org"] under [host] in the configuration.'
        )
    if address.lower() not in operators:
        raise AdminError(f"Name an operator; there are: {', '.join(operators.values())}.")
    token = new_token()
    link = desk_address(work.services, f"login/{token}/")
    address, until = operators[address.lower()], work.now + LINK_LASTS
    work.session.add(LoginLink(key=key_of(token), address=address, made_at=work.now, until=until, used_at=None))
    return link


def operator_of(services: Services, address: str) -> str:
    """The address of somebody of the house as the configuration has it; empty where it is none."""
    low = address.strip().lower()
    return next((each for each in services.config.host.crew() if each.lower() == low), "")


def mail_link(work: Work, address: str, is_sure: bool = False) -> None:
    """Mail a link to an operator: to others nothing, and nobody learns whether an address is one.

    Anybody may ask for it, within limits. Without them it comes where it `is_sure` that the operator asks.
    """
    known = operator_of(work.services, address)
    an_hour_ago = work.now - timedelta(hours=1)
    if not known:
        return
    sent = count_letters_to(work.session, known, an_hour_ago, work.now, purpose="login")
    if not is_sure and sent >= LINKS_AN_HOUR:
        return
    lead = (
        "Somebody asked for a link to the desk, you I hope. It lets whoever opens it in, once, within 30 minutes. If it was "
        "not you, leave it alone: nothing happens then.",
    )
    link = make_link(work, known)
    headline, page = "Your way to the desk", ("Log in", link)
    write(work, known, headline, *lead, kind="alert", purpose="login", page=page, services=False)


def log_in(work: Work, token: str) -> str | None:
    """Use a link: what the browser is to hold; None where the link is used, over, or none of ours."""
    address = desk_access.use_link(work.session, key_of(token), work.now)
    if address is None or not operator_of(work.services, address):
        return None
    desk_access.forget_old(work.session, work.now, SESSION_IDLES, LINKS_KEPT)
    held = new_token()
    work.session.add(WebSession(key=key_of(held), address=address, began_at=work.now, seen_at=work.now))
    audit(work, address, "log in to the desk", "")
    return held


def log_out(work: Work, held: str) -> None:
    """End a browser's session."""
    found = work.session.get(WebSession, key_of(held))
    if found is not None:
        audit(work, found.address, "log out of the desk", "")
        work.session.delete(found)


def visitor(services: Services, held: str, now: datetime) -> str | None:
    """The operator whose session a browser holds; None where none is good. Its use is noted now and then."""
    with services.store.reading() as session:
        found = session.get(WebSession, key_of(held))
    if found is None or not operator_of(services, found.address):
        return None
    if now - found.seen_at >= SESSION_IDLES or now - found.began_at >= SESSION_LASTS:
        return None
    if now - found.seen_at >= SEEN_EVERY:
        with begin(services, now) as work:
            note = work.session.get(WebSession, found.key)
            if note is not None:
                note.seen_at = now
    return found.address
