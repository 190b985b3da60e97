"""Edge: the feed. In: the store. Out: Atom of the episodes that began and ended last."""

from host.games import GAMES
from host.store import public_pages as public
from host.store.database import Session
from host.web.pages import Web, render
from host.web.public.document import Document, place_of, whole_base_of

LATEST = 20
KIND = "application/atom+xml; charset=utf-8"


def feed(web: Web, session: Session) -> Document:
    """Episodes that began, and that ended."""
    began = [(each.began_at, False, each) for each in public.begun(session, LATEST)]
    ended = [(each.over_at, True, each) for each in public.finished(session, None, most=LATEST) if each.over_at]
    entries = sorted(began + ended, key=lambda entry: (entry[0], entry[2].id, entry[1]), reverse=True)
    updated = entries[0][0] if entries else web.clock().replace(hour=0, minute=0, second=0, microsecond=0)
    text = render(
        web,
        "public/feed.xml",
        "feed.xml",
        entries=[each for each in entries if each[2].game in GAMES],
        updated=updated,
        games=GAMES,
        base=whole_base_of(web) or ".",
        place=place_of(web),
    )
    return Document(KIND, text.encode())
