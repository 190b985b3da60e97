"""Edge: what is shown of a mail. In: a mail's page, its bytes. Out: the page without anything that leads or loads, its headers.

Tokens are taken out where they can be read: in decoded text, never in a transfer encoding, which would hide them.
"""

import email
import email.policy
from collections.abc import Iterator

from lxml import etree
from lxml import html as markup

from host.logs import redact

LARGEST_PAGE = 512 * 1024
"""Characters of a page that are shown; a letter of ours has some ten thousand."""
HEADERS_SHOWN = 64 * 1024
_TAGS = frozenset(
    """a abbr address article aside b bdi bdo big blockquote body br caption center cite code col colgroup dd del details dfn
    div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 head header hr html i ins kbd li main mark nav ol p pre q s
    samp section small span strike strong style sub summary sup table tbody td tfoot th thead time title tr tt u ul
    var""".split()
)
_ATTRIBUTES = frozenset(
    """align bgcolor border cellpadding cellspacing class color colspan dir face height hidden lang role rowspan size span style
    valign width""".split()
)


def shown_page(page: str) -> str:
    """A page with the tags and attributes that set text, and no others: nothing in it can be followed, sent or loaded."""
    try:
        tree = markup.document_fromstring(page[:LARGEST_PAGE])
    except (etree.LxmlError, ValueError):
        return ""
    for element in list(tree.iter()):
        if not isinstance(element.tag, str):
            element.drop_tree()
        elif element.tag not in _TAGS:
            if element.tag in ("script", "svg", "math", "template", "noscript", "iframe", "object"):
                element.drop_tree()
            else:
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
    return redact("\n".join(_headers(raw[:HEADERS_SHOWN])))


def _headers(raw: bytes) -> Iterator[str]:
    try:
        message = email.message_from_bytes(raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n", policy=email.policy.default)
        names = list(message.keys())
    except Exception:  # headers of strangers make the parser fail in many ways
        return
    for name in names:
        try:
            value = " ".join(str(message[name]).split())
        except Exception:
            value = "(it cannot be read)"
        yield f"{name}: {value}"
