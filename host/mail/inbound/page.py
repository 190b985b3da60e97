"""Pure: an HTML page as text. In: the page of a mail, however broken. Out: its lines, quotations marked with `>`.

What a mail program quotes is marked, never deleted, since people write between and below it; what is left is judged by
`quotation`. What nobody sees (styles, scripts, hidden text) and what was struck out is dropped.
"""

import html
import itertools
import re
from collections.abc import Callable

from lxml import etree
from lxml import html as markup

from host.engine.words import pattern
from host.mail.inbound.rows import read_page

MAX_HTML = 300 * 1024
MAX_ELEMENTS = 20_000
"""Elements that are read one by one: about a second. A letter of ours has two hundred."""
MAX_HEADER = 1_000
"""Characters in the header of a quotation. What is longer is no header alone."""
MAX_LOOKED_AT = 100
"""Elements that are looked at where a header is expected; elements within each other must not each be read to their ends."""

RULE = "_" * 32
"""Outlook's own sign, in plain text, that a quotation begins."""

_TAG = pattern(r"<[^<>]{0,4000}>")
_WORD = pattern(r"[^\W_]+")
_UNSEEN = ("head", "style", "script", "title", "template")
_STRUCK = {"s", "strike", "del"}
_ZERO = r"(?:0+(?:\.0*)?|\.0+)(?:px|pt|em|rem|%|in|cm)?(?:!important)?(?:;|$)"
_HIDDEN = pattern(
    rf"(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|mso-hide:all|opacity:{_ZERO}|color:transparent"
    r"|(?:text-indent|margin-left|left|top):-\d{3}|clip:rect\(0|text-decoration(?:-line)?:[^;]*line-through)"
)
_STRIKES = pattern(r"<(?:s|strike|del)[\s>]|line-through", re.IGNORECASE)
_COLOURS = pattern(r"(?:^|;)(color|background)(?:-color)?:(#[^;!]+|rgb[^;!]+|white(?![^;!]))")
_NO_SIZE = pattern(rf"(?:^|;)font-size:{_ZERO}")
_NO_HEIGHT = pattern(rf"(?:^|;)(?:max-)?(?:height|width):{_ZERO}")
_OVERFLOW = pattern(r"(?:^|;)overflow(?:-[xy])?:hidden")
_TOP_BORDER = pattern(r"border-top:solid|border-style:solidnonenone|border-top-style:solid")
_NO_BORDER = pattern(r"(?:^|;)border(?:-style)?:(?:none|0|medium)")
_REPLY_HEADER = pattern(r"(?:^|_)divRplyFwdMsg$")
_BOXED_HEADERS = {"gmail_attr", "moz-cite-prefix", "yahoo-quoted-begin"}
_SIGNATURE = pattern(r"(?:^|[\s_-])(?:sig|\w{0,40}signature)(?:[\s_-]|$)", re.IGNORECASE)
"""How mail programs name the box of a signature, in its class or id."""
_BOXES = {"__QUOTED_TEXT__", "__HEADERS__"}


def html_to_text(page: str) -> str:
    """An HTML page as text; the quotations of mail programs come out marked with `>`, their headers too.

    Where a program draws no box around its quotation (Outlook, Yahoo), a rule of underscores is put over the header, and
    what follows is not marked. Never raises. What is beyond `MAX_HTML` characters is cut.
    """
    return _as_text(seen_tree, page[:MAX_HTML])


def letter_to_text(page: str) -> str:
    """The page of a letter of ours as text, with what it hides, since a mail program may quote that too."""
    return _as_text(letter_tree, page)


def _as_text(tree_of: Callable[[str], markup.HtmlElement], page: str) -> str:
    try:
        return read_page(tree_of(page)).as_text()
    except Exception:  # whatever a page does to the parser, the mail must be answered
        return html.unescape(_TAG.sub("\n", page.replace("\0", "")))


def has_words(page: str, number: int) -> bool:
    """Has a page so many words, those that nobody sees counted too?"""
    return len(list(itertools.islice(_WORD.finditer(_TAG.sub(" ", page)), number))) == number


def has_struck(page: str) -> bool:
    """Is anything in a page struck out? The text that goes beside it may not show that."""
    return _STRIKES.search(page) is not None


def seen_tree(page: str) -> markup.HtmlElement:
    """A page as a tree, without what is not seen, quotations in block quotations.

    Raises ValueError or an error of lxml where it cannot be read within the limits.
    """
    tree = _tree(page[:MAX_HTML].replace("\0", ""))
    elements = list(tree.iter("*"))  # held, as lxml would make each of them anew whenever it is looked at
    if len(elements) > MAX_ELEMENTS:
        raise ValueError("too many elements")
    _drop_unseen(tree)
    for element in list(tree.iter("*")):
        _mark(element)
    return tree


def letter_tree(page: str) -> markup.HtmlElement:
    """The page of a letter of ours as a tree, with the text that it hides, since a mail program may quote that too."""
    tree = _tree(page)
    for element in list(tree.iter(*_UNSEEN)):
        element.drop_tree()
    return tree


def _tree(page: str) -> markup.HtmlElement:
    parser = markup.HTMLParser(
        encoding="utf-8", huge_tree=True, recover=True, remove_comments=True, remove_pis=True, no_network=True
    )
    return markup.document_fromstring(page.encode("utf-8", "replace"), parser=parser)


def _drop_unseen(tree: markup.HtmlElement) -> None:
    unseen = list(tree.iter(*_UNSEEN))
    unseen += [each for each in tree.iter("*") if each.tag not in ("html", "body") and _is_hidden(each)]
    for element in reversed(unseen):
        element.clear(keep_tail=True)  # not dropped: the text behind each would be copied to the text before it
        element.tag = "span"


def _style(element: markup.HtmlElement) -> str:
    return "".join((element.get("style") or "").lower().split())


def _is_hidden(element: markup.HtmlElement) -> bool:
    """Is it what nobody sees, was struck out, or nobody typed?"""
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    if element.tag in _STRUCK or element.get("hidden") is not None:
        return True
    if "sig" in names.lower() and _SIGNATURE.search(names[:MAX_HEADER]):
        return True
    style = _style(element)
    if _HIDDEN.search(style) or (_NO_HEIGHT.search(style) and _OVERFLOW.search(style)):
        return True
    colours = dict(_COLOURS.findall(style))
    if len(colours) == 2 and colours["color"] == colours["background"]:
        return True
    return bool(_NO_SIZE.search(style)) and element.find(".//*[@style]") is None  # a size given inside would show again


def _mark(element: markup.HtmlElement) -> None:
    """Make a box of a mail program a block quotation; put a rule over a header that stands without a box."""
    style = _style(element)
    if element.tag == "blockquote":
        known = element.get("type") or element.get("cite") or "quote" in (element.get("class") or "")
        if not known and _NO_BORDER.search(style) and "border-left" not in style:
            element.tag = "div"  # how Gmail indents what somebody typed
        return
    if element.tag == "ol":
        element.tag = "ul"  # its numbers are the program's; `1. cut 5` would be heard as two answers
        return
    classes = set((element.get("class") or "").split())
    if element.get("data-marker") in _BOXES or (classes & _BOXED_HEADERS and _reads_as_header(element)):
        element.tag = "blockquote"
    elif _REPLY_HEADER.search(element.get("id") or "") or (_TOP_BORDER.search(style) and _is_labelled(element)):
        _put_rule(element)
    elif element.get("name") == "quote":
        header = element.find("div")
        if header is not None and _is_labelled(header):
            _put_rule(header)
    elif "yahoo_quoted" in classes:
        leaves = (each for each in itertools.islice(element.iter("div", "p"), 50) if each.find("div") is None)
        first = next((each for each in leaves if _text(each)), None)
        if first is not None and _reads_as_header(first):
            _put_rule(first)


def _text(element: markup.HtmlElement) -> str:
    """The first characters of the text in an element, white space folded, with `…` where not all of it was looked at."""
    pieces, length = list[str](), 0
    for event, each in itertools.islice(etree.iterwalk(element, events=("start", "end")), 2 * MAX_LOOKED_AT):
        piece = each.text if event == "start" else "" if each is element else each.tail
        pieces.append(piece or "")
        length += len(pieces[-1])
        if length > MAX_HEADER or (event == "end" and each is element):
            return " ".join("".join(pieces).split())
    return " ".join("".join(pieces).split()) + "…"


def _reads_as_header(element: markup.HtmlElement) -> bool:
    """Is it a header and nothing else? Somebody may have typed in its box."""
    text = _text(element)
    return text.endswith((":", "：")) and len(text) < MAX_HEADER


def _is_labelled(element: markup.HtmlElement) -> bool:
    """Does it begin with bold labels, as Outlook's `From:` and `Sent:`?"""
    bold = [each for each in itertools.islice(element.iter(), MAX_LOOKED_AT) if each.tag in ("b", "strong")]
    return sum(_text(each).endswith((":", "：")) for each in bold[:4]) > 1


def _put_rule(element: markup.HtmlElement) -> None:
    rule = markup.HtmlElement(RULE)
    rule.tag = "p"
    element.addprevious(rule)
