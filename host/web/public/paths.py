"""Edge: the public pages by their paths. In: a path, a folder. Out: what stands there, as an answer; all of it as files.

For files, pages are found by following links from the first one. Each file is written whole or not at all, one that has not
changed is left alone, and a page that is gone is removed if it was written from here: `MANIFEST` lists what was. Nothing is
written where a link of the file system leads out of the folder.
"""

import contextlib
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, compile_path

from host.web.health import Answer, response
from host.web.pages import PageError, Web, asset_bytes, asset_names, board, look_assets, page, templates
from host.web.public import contestants, front, guides, programs, seasons, watching
from host.web.public.document import Asked, example

MANIFEST = ".podium-site.json"
_HERE = "http://site.invalid"
FOR_A_MINUTE = "public, max-age=60"
NOT_PUBLIC = "This host does not show its games to the public. Contestants get everything by e-mail."
PAGES: dict[str, Callable[..., Answer]] = {
    "/": front.home,
    "/games/{slug}/": front.game_page,
    "/games/{slug}/page-{page:int}/": front.game_page,
    "/games/{slug}/rules/": guides.rules,
    "/games/{slug}/preview.png": front.game_preview,
    "/episodes/{code}/": watching.episode_page,
    "/episodes/{code}/preview.png": watching.preview_of,
    "/episodes/{code}/badge.png": watching.preview_of,
    "/episodes/{code}/record.jsonl": watching.record_of,
    "/episodes/{code}/replay/": watching.replay_page,
    "/episodes/{code}/replay/{page:int}/": watching.replay_page,
    "/episodes/{code}/replay/open/": watching.replay_page,
    "/episodes/{code}/replay/open/{page:int}/": watching.replay_page,
    "/champions/": front.champions,
    "/champions/{slug}/": front.champions,
    "/champions/{slug}/page-{page:int}/": front.champions,
    "/standings/": front.standings,
    "/standings/{slug}/": front.standings,
    "/standings/{slug}/page-{page:int}/": front.standings,
    "/standings/{slug}/embed/": front.standings_embedded,
    "/ledger/": front.ledger,
    "/ledger/page-{page:int}/": front.ledger,
    "/ledger/{year:int}/": front.ledger,
    "/ledger/{year:int}/page-{page:int}/": front.ledger,
    "/contestants/{number:int}/": contestants.contestant,
    "/seasons/": seasons.seasons,
    "/seasons/{number:int}/": seasons.season_page,
    "/seasons/{number:int}/standings.csv": seasons.season_csv,
    "/how-to-play/": guides.how_to_play,
    "/how-to-play/{slug}/": guides.how_to_play_a_game,
    "/record-format/": guides.record_format,
    "/verify/": guides.verify,
    "/feed.xml": front.feed,
    "/robots.txt": front.robots,
    "/favicon.ico": front.icon,
    "/openapi.json": programs.openapi,
    **{path: programs.as_json(made) for path, made in programs.PROGRAMS.items()},
}
IN_FRAMES = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors *"
FOR_PROGRAMS = ("application/json", "text/csv", "application/atom+xml")
UNLINKED = ("/feed.xml", "/robots.txt", "/favicon.ico")
"""No page needs to link these, since programs ask for them by their names."""
SMALLER = Middleware(GZipMiddleware, minimum_size=1024, compresslevel=6)
"""Only what everybody may see is compressed: the length of a page with a secret and somebody's words in it tells of both."""


def routes(web: Web) -> list[Route]:
    """All public paths; where the host is not public they say so."""
    is_public = web.services.config.web.public
    if is_public:  # what takes long and is kept, a third of a second, is made before the first page
        for slug in web.services.config.games:
            found = example(slug)
            board(slug, found.view, found.names, 0)
        for name in templates().list_templates(filter_func=lambda name: name.startswith("public/")):
            templates().get_template(name)

    def answer(request: Request) -> Response:
        if not is_public and request.url.path == "/":
            return page(web, "", "public/closed.html")
        if not is_public and request.url.path not in ("/robots.txt", "/favicon.ico"):
            raise PageError(404, NOT_PUBLIC)
        document = document_at(web, request.url.path)
        return response(document, {"Cache-Control": FOR_A_MINUTE} | _for_others(request.url.path, document))

    return [Route(pattern, answer, methods=["GET"], middleware=[SMALLER]) for pattern in PAGES]


def _for_others(path: str, document: Answer) -> dict[str, str]:
    """The headers by which pages of others may show, or read, what is made for that."""
    if path.endswith("/embed/"):
        return {"Content-Security-Policy": IN_FRAMES}
    if document.kind.startswith("image/"):
        return {"Cross-Origin-Resource-Policy": "cross-origin"}  # a badge stands in forums, a preview beside links
    return {"Access-Control-Allow-Origin": "*"} if document.kind.startswith(FOR_PROGRAMS) else {}


def document_at(web: Web, path: str) -> Answer:
    """Make the document that stands at a path. Raises `PageError`."""
    for pattern, make in PAGES.items():
        expression, _, convertors = compile_path(pattern)
        found = expression.match(path)
        if found is not None and path.isprintable() and not re.search(r"\d{10}", path):
            values: dict[str, Any] = {name: convertors[name].convert(text) for name, text in found.groupdict().items()}
            if values.get("page") == 1:
                raise PageError(404, "The first page of a list is the list itself: leave its number out.")
            with web.services.store.reading() as session:
                return make(Asked(web, session, path), **values)
    raise PageError(404, "There is no such page.")


class SiteError(Exception):
    """The pages cannot be written; the message says what to do."""


@dataclass(frozen=True)
class Written:
    """Counts of files: all, those that are new or changed, those that were removed."""

    files: int
    changed: int
    removed: int


def write_site(web: Web, folder: Path) -> Written:
    """Write all public pages into a folder, made where there is none. Raises `SiteError`."""
    if not web.services.config.web.public:
        raise SiteError("The configuration says [web] public = false: nothing was written.")
    now: set[str] = set()
    changed = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        root = folder.resolve(strict=True)
        before = _written_before(root, folder)
        _note(root, before)
        try:
            for name, body in _files(web):
                now.add(name)
                changed += _put(root, name, body)
        except BaseException:
            _note(root, before | now)
            raise
        for name in before - now:
            _remove(root, name)
        _note(root, now)
    except OSError as error:
        words = f"{error.filename or folder} cannot be written: {error.strerror}. Name another folder."
        raise SiteError(words) from None
    return Written(len(now), changed, len(before - now))


def _files(web: Web) -> Iterator[tuple[str, bytes]]:
    """Every file: its path in the folder, and what is in it."""
    for name in asset_names():
        yield f"static/{name}", asset_bytes(name)
    for name, (_, body) in look_assets(web.services.config.look).items():
        yield f"static/{name}", body
    todo = ["/", *UNLINKED]
    seen = set(todo)
    while todo:
        path = todo.pop()
        try:
            found = document_at(web, path)
        except PageError:  # it has gone since the page that leads to it was made
            continue
        yield path.lstrip("/") + ("index.html" if path.endswith("/") else ""), found.body
        if not found.kind.startswith("text/html"):
            continue
        leads = list(_links(path, found.body.decode()))
        if re.fullmatch("/(episodes|games)/[^/]+/", path):
            leads.append(f"{path}preview.png")
        for lead in leads:
            if lead not in seen:
                seen.add(lead)
                todo.append(lead)


def _links(path: str, markup: str) -> Iterator[str]:
    for href in re.findall(r'(?:href|src)="([^"#?]+)', markup):
        whole = urlsplit(urljoin(f"{_HERE}{path}", href))
        if whole.netloc == urlsplit(_HERE).netloc and not whole.path.startswith("/static/"):
            yield unquote(whole.path)


def _place(root: Path, name: str) -> Path:
    """The file of a page. Raises `SiteError` for a name or a link of the file system that leads elsewhere."""
    parts = PurePosixPath(name).parts
    if not parts or not all(re.fullmatch("[A-Za-z0-9][A-Za-z0-9._-]*", part) for part in parts):
        raise SiteError(f"“{name}” is no name for a page: nothing more was written.")
    place = root
    for part in parts:
        place = place / part
        if place.is_symlink():
            raise SiteError(f"{place} leads out of the folder: remove that link, and try again.")
    return place


def _put(root: Path, name: str, body: bytes) -> bool:
    """Write a file, if it is not there as it is; says whether it was written."""
    place = _place(root, name)
    if place.exists() and place.read_bytes() == body:
        return False
    place.parent.mkdir(parents=True, exist_ok=True)
    _replace(place, body)
    return True


def _replace(place: Path, body: bytes) -> None:
    handle, partial = tempfile.mkstemp(dir=place.parent, prefix=".podium-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(body)
        Path(partial).chmod(0o644)
        Path(partial).replace(place)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise


def _remove(root: Path, name: str) -> None:
    """Remove a file, and the folders that are empty then."""
    place = _place(root, name)
    place.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # not empty
        for parent in place.parents[: len(PurePosixPath(name).parts) - 1]:
            parent.rmdir()


def _written_before(root: Path, folder: Path) -> set[str]:
    """The files that were written from here before. Raises `SiteError` where there are others, or the list cannot be read."""
    try:
        names = set(map(str, json.loads((root / MANIFEST).read_text("utf-8"))["files"]))
    except FileNotFoundError:
        if not any(root.iterdir()):
            return set()
        words = f"{folder} holds other files: name an empty folder, or one that podium site has written before."
        raise SiteError(words) from None
    except (ValueError, KeyError, TypeError):
        raise SiteError(f"{root / MANIFEST} cannot be read: name an empty folder.") from None
    for name in names:
        _place(root, name)
    return names


def _note(root: Path, names: set[str]) -> None:
    """List what was written from here. It is there before the first page, so that a run that was killed can be made again."""
    _replace(root / MANIFEST, json.dumps({"files": sorted(names)}, indent=0).encode())
