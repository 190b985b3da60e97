"""Edge: what programs look for on a site. In: the games, the latest episodes. Out: robots.txt, feed, icon, previews."""

from urllib.parse import urlsplit

from host.games import GAMES
from host.mail.outbound.templates import templates_folder
from host.store import public_pages
from host.web.pages import render
from host.web.public.document import Asked, Document
from host.web.public.example import example

LATEST = 20
"""In the feed, of those that began and of those that ended."""


def robots(asked: Asked) -> Document:
    """Tell programs that look through sites what to leave out: the desk; all of it, where the host shows nothing."""
    closed = "/desk/" if asked.web.services.config.web.public else "/"
    return Document("text/plain; charset=utf-8", f"User-agent: *\nDisallow: {closed}\n".encode())


def feed(asked: Asked) -> Document:
    """Episodes that began, and that ended. Its entries keep their names, whatever becomes of the address."""
    config = asked.web.services.config
    began = [(each.began_at, False, each) for each in public_pages.begun(asked.session, LATEST)]
    finished = public_pages.finished(asked.session, None, most=LATEST)
    ended = [(each.over_at, True, each) for each in finished if each.over_at]
    entries = sorted(began + ended, key=lambda entry: (entry[0], entry[2].id, entry[1]), reverse=True)
    text = render(
        asked.web,
        "public/feed.xml",
        "feed.xml",
        entries=[each for each in entries if each[2].game in GAMES],
        updated=entries[0][0] if entries else asked.web.clock().replace(hour=0, minute=0, second=0, microsecond=0),
        games=GAMES,
        base=asked.whole_base or ".",
        place=urlsplit(config.web.url).hostname or config.host.address.rpartition("@")[2],
    )
    return Document("application/atom+xml; charset=utf-8", text.encode())


def icon(_asked: Asked) -> Document:
    """The icon, for what takes no SVG or looks for it where icons used to be."""
    return Document("image/x-icon", (templates_folder() / "web" / "pictures" / "favicon.ico").read_bytes())


def game_preview(asked: Asked, slug: str) -> Document:
    """A picture of a game for link previews."""
    from host.web.public import preview

    game, _ = asked.game(slug)
    drawn = preview.drawn(game.title, [game.pace.partition(":")[0]], "Played by e-mail", example(slug).view, "")
    return Document(preview.KIND, drawn)
