"""Edge: what programs look for on a site. In: the games, the latest episodes. Out: robots.txt, sitemap, feed, icon, previews."""

from urllib.parse import urlsplit

from host.games import GAMES
from host.mail.outbound.templates import templates_folder
from host.store import public_pages
from host.web.pages import PageError, render
from host.web.public.document import Asked, Document, has_guide
from host.web.public.example import example

MOST_EPISODES = 2000
"""In the sitemap; the rest is found by links."""
LATEST = 20
"""In the feed, of those that began and of those that ended."""
LISTS = ("", "champions/", "standings/", "ledger/", "how-to-play/", "verify/", "record-format/")


def robots(asked: Asked) -> Document:
    """Tell programs that look through sites what to leave out: the desk; all of it, where the host shows nothing."""
    is_public = asked.web.services.config.web.public
    lines = ["User-agent: *", "Disallow: /desk/" if is_public else "Disallow: /"]
    if asked.whole_base and is_public:
        lines += ["", f"Sitemap: {asked.whole_base}/sitemap.xml"]
    return Document("text/plain; charset=utf-8", ("\n".join(lines) + "\n").encode())


def sitemap(asked: Asked) -> Document:
    """The pages that there are, by their whole addresses. Raises `PageError` where nobody said what these are."""
    base, slugs = asked.whole_base, asked.played()
    if not base:
        raise PageError(404, "There is no sitemap: [web] url does not say where these pages are.")
    paths = [*LISTS, *(f"games/{slug}/{each}" for slug in slugs for each in ("", "rules/"))]
    paths += [f"how-to-play/{slug}/" for slug in slugs if has_guide(slug)]
    paths += [f"episodes/{code}/" for code in public_pages.latest_codes(asked.session, MOST_EPISODES)]
    urls = "".join(f"<url><loc>{base}/{path}</loc></url>\n" for path in paths)
    head = '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    return Document("application/xml; charset=utf-8", f"{head}{urls}</urlset>\n".encode())


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
