"""Pure: an HTML page as text. In: the page of a reply, broken or hostile as it may be. Out: its lines, quotations marked with `>`.

Nothing a mail program quotes is deleted here, only marked, since people write between and below it; what is left to
judge is judged by `mail.quotation`. What nobody sees (styles, scripts, hidden text) is dropped.
"""

import contextlib
import html
import re
from collections.abc import Iterator

import html2text
from lxml import etree
from lxml import html as lxml_html

MAX_HTML = 300 * 1024
MAX_ELEMENTS = 12_000
"""Elements that are read: html2text takes about a second for so many table rows. A letter of ours has two hundred."""
MAX_DEPTH = 40
"""Quotations within each other that are marked: html2text writes a `>` for each, on each line."""

RULE = "_" * 32
"""What is put over the header of a quotation that has no container: Outlook's own sign for it in plain text."""

_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!>|~])")
_TABLE_RULE = re.compile(r"^[ >]*(?:-{3}[ |]*)+$", re.MULTILINE)
_TAG = re.compile(r"<[^<>]{0,4000}>")
_UNSEEN = ("head", "style", "script", "title", "template", "noscript")
_ZERO = r"0(?:\.0*)?(?:px|pt|em|rem|%|in|cm)?(?:!important)?(?:;|$)"
_HIDDEN = re.compile(rf"(?:^|;)(?:display:none|visibility:hidden|mso-hide:all|opacity:{_ZERO})")
_NO_SIZE = re.compile(rf"(?:^|;)font-size:{_ZERO}")
_NO_HEIGHT = re.compile(rf"(?:^|;)max-height:{_ZERO}")
_OVERFLOW = re.compile(r"(?:^|;)overflow(?:-y)?:hidden")
_TOP_BORDER = re.compile(r"border-top:solid|border-style:solidnonenone|border-top-style:solid")
_INDENTED = re.compile(r"border(?:-style)?:(?:none|0|medium)")
_REPLY_HEADER = re.compile(r"(?:^|_)divRplyFwdMsg$")
_APPEND = re.compile(r"(?:^|_)appendonsend$")
_HEADERS = {"gmail_attr", "moz-cite-prefix", "yahoo-quoted-begin"}


def html_to_text(page: str, *, with_hidden: bool = False) -> str:
    """An HTML page as text; the quotations of mail programs, and what they write over them, come out marked with `>`.

    Where a program draws no box around its quotation (Outlook, Yahoo), a rule of underscores is put over the header
    instead. `with_hidden` keeps hidden text, for letters of ours that a mail program may quote with what it hid.
    Never raises; what is beyond `MAX_HTML` characters and `MAX_ELEMENTS` elements is cut.
    """
    page = page[:MAX_HTML].replace("\0", "")
    try:
        return _rendered(_marked(page, with_hidden))
    except Exception:  # noqa: BLE001 - whatever a page does to the libraries, the mail must be answered
        with contextlib.suppress(Exception):
            return _rendered(page)
    return html.unescape(_TAG.sub("\n", page))


def _rendered(page: str) -> str:
    reader = html2text.HTML2Text(bodywidth=0)
    reader.ignore_links = reader.ignore_images = reader.ignore_emphasis = True
    reader.unicode_snob = True
    text = _ESCAPE.sub(r"\1", reader.handle(page))
    return _TABLE_RULE.sub("", text).replace("|", " ")


def _marked(page: str, with_hidden: bool) -> str:
    """The page again, without what is not seen, quotations in blockquotes."""
    if not page.strip():
        return ""
    parser = lxml_html.HTMLParser(
        encoding="utf-8", huge_tree=True, recover=True, remove_comments=True, remove_pis=True, no_network=True
    )
    tree = lxml_html.document_fromstring(page.encode("utf-8", "replace"), parser=parser)
    _cut(tree)
    for element in list(tree.iter(*_UNSEEN)):
        _drop(element)
    if not with_hidden:
        for element in [each for each in tree.iter("*") if _is_hidden(each)]:
            _drop(element)
    elements = list(tree.iter("*"))
    for element in elements:
        _mark(element)
    _flatten(tree)
    return etree.tostring(tree, encoding="unicode", method="html")
