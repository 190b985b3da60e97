"""Edge: what programs look for on a site. In: the games, the latest episodes. Out: robots.txt, the sitemap, the icon."""

import functools
import io

from PIL import Image, ImageDraw

from host.games import GAMES
from host.store import public_pages as public
from host.store.database import Session
from host.store.people import lobbies
from host.web.pages import PageError, Web
from host.web.public.document import Document, has_guide, whole_base_of
from host.web.public.preview import GREEN, PAPER, suit

MOST_EPISODES = 2000
"""In the sitemap; the rest is found by links."""
SIZE, SIGN = 64, 40
LISTS = ("", "champions/", "standings/", "ledger/", "how-to-play/", "verify/", "record-format/")


def robots(web: Web, _session: Session) -> Document:
    """What programs that look through sites should leave out: the desk; all of it, where the host shows nothing."""
    is_public = web.services.config.web.public
    lines = ["User-agent: *", "Disallow: /desk/" if is_public else "Disallow: /"]
    base = whole_base_of(web)
    if base and is_public:
        lines += ["", f"Sitemap: {base}/sitemap.xml"]
    return Document("text/plain; charset=utf-8", ("\n".join(lines) + "\n").encode())


def sitemap(web: Web, session: Session) -> Document:
    """The pages that there are, by their whole addresses. Raises `PageError` where nobody said what these are."""
    base = whole_base_of(web)
    if not base:
        raise PageError(404, "There is no sitemap: [web] url does not say where these pages are.")
    played = {row.game for row in lobbies(session)}
    slugs = [slug for slug in GAMES if slug in web.services.config.games or slug in played]
    paths = [*LISTS, *(f"games/{slug}/{each}" for slug in slugs for each in ("", "rules/"))]
    paths += [f"how-to-play/{slug}/" for slug in slugs if has_guide(slug)]
    paths += [f"episodes/{code}/" for code in public.latest_codes(session, MOST_EPISODES)]
    urls = "".join(f"<url><loc>{base}/{path}</loc></url>\n" for path in paths)
    head = '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    return Document("application/xml; charset=utf-8", f"{head}{urls}</urlset>\n".encode())


def icon(_web: Web, _session: Session) -> Document:
    """The icon, for what takes no SVG or looks for it where icons used to be."""
    return Document("image/x-icon", _icon())


@functools.cache
def _icon() -> bytes:
    picture = Image.new("RGBA", (SIZE, SIZE), "#00000000")
    ImageDraw.Draw(picture).rounded_rectangle((2, 2, SIZE - 3, SIZE - 3), 12, GREEN)
    sign = suit("s", SIGN)
    picture.paste(Image.new("RGBA", sign.size, PAPER), ((SIZE - SIGN) // 2, (SIZE - SIGN) // 2), sign)
    file = io.BytesIO()
    picture.save(file, "ICO", sizes=[(16, 16), (32, 32), (48, 48)])
    return file.getvalue()
