"""Edge: mails made harmless to look at. In: a mail's bytes, a page. Out: its headers, the page without what leads or loads.

A mail that somebody wrote is opened in a process of its own, as everywhere (`host.mail.inbound.sandbox`). Tokens are taken out
where they can be read: in decoded text, never in a transfer encoding, which would hide them.
"""

import asyncio
import re

from markupsafe import escape

from host.logs import redact
from host.mail.inbound.parsing import decoded_header, parted
from host.mail.inbound.sandbox import ReadingError, Sandbox

LARGEST_PAGE = 256 * 1024
"""Characters of a page that are shown; a letter of ours has some ten thousand."""
HEADERS_SHOWN, LINES_SHOWN, LINE_SHOWN = 64 * 1024, 200, 1000
"""Bytes of the headers, lines of them, characters of a line."""
_TAGS = frozenset(
    """a abbr address article aside b bdi bdo big blockquote body br caption center cite code col colgroup dd del details dfn
    div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 head header hr html i ins kbd li main mark nav ol p pre q s
    samp section small span strike strong style sub summary sup table tbody td tfoot th thead time title tr tt u ul
    var""".split()
)
_GONE = frozenset("iframe math noscript object script svg template".split())
_ATTRIBUTES = frozenset(
    """align bgcolor border cellpadding cellspacing class color colspan dir face height hidden lang role rowspan size span style
    valign width""".split()
)


def opened(raw: bytes) -> str:
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

    try:
        tree = markup.document_fromstring(page[:LARGEST_PAGE])
    except (etree.LxmlError, ValueError):
        return ""
    for element in list(tree.iter()):
        if not isinstance(element.tag, str):
            element.text = ""
        elif element.tag in _GONE:
            element.clear(keep_tail=True)
            element.tag = "span"
        elif element.tag not in _TAGS:
            element.tag = "span"
            element.attrib.clear()
        else:
            for name in set(element.attrib) - _ATTRIBUTES:
                del element.attrib[name]
    for element in tree.iter():
        element.text, element.tail = (redact(each) if each else each for each in (element.text, element.tail))
    return f"<!DOCTYPE html>{etree.tostring(tree, encoding='unicode', method='html')}"


def shown_headers(raw: bytes) -> str:
    """The headers of a mail, unfolded and decoded, one a line."""
    head = parted(raw[:HEADERS_SHOWN])[0].decode("utf-8", "replace")
    lines = [line for line in re.sub(r"\r?\n[ \t]+", " ", head).splitlines() if line.strip()][:LINES_SHOWN]
    return redact("\n".join(" ".join(decoded_header(line[:LINE_SHOWN]).split()) for line in lines))
