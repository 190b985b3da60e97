"""Pure: an HTML page as text. In: the page of a mail, however broken. Out: its lines, quotations marked with `>`.

The tree of a page becomes lines and words that keep what shows where words stand: cells apart, quotations numbered, the
ends of the pieces that the page was made of. What a mail program quotes is marked, never deleted, since people write between
and below it; what is left is judged by `quotation`. What nobody sees (styles, scripts, hidden text) and what was struck out
is dropped.
"""

import html
import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from lxml import etree
from lxml import html as markup

from host.engine.words import pattern, plain

MAX_HTML = 300 * 1024
MAX_ELEMENTS = 20_000
"""Elements that are read one by one: about a second. A letter of ours has two hundred."""
MAX_HEADER = 1_000
"""Characters in the header of a quotation. What is longer is no header alone."""
MAX_LOOKED_AT = 100
"""Elements that are looked at where a header is expected; elements within each other must not each be read to their ends."""
MAX_DEPTH = 2_000
"""Elements within each other: a little less than where libxml2 stops reading."""
MAX_MARKS = 40
"""Marks that a line of a quotation within others is given."""
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
_LINES = frozenset(
    """address article aside blockquote body br caption center dd details dir div dl dt fieldset figcaption figure footer
    form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol p pre section summary table tbody tfoot thead tr
    ul""".split()
)
_APART = frozenset("blockquote h1 h2 h3 h4 h5 h6 ol p pre table ul".split())
_CELLS = frozenset(("td", "th"))
_KEPT_SPACE = pattern(r"white-space:\s*(?:pre|break)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a page.

    `box` is the quotation that it stands in (0: none), `depth` how many are around it. `is_beside`: it is a cell beside
    the row before. `is_apart`: there is room above it. `ends` are the places where a piece of its text begins or ends.
    """

    text: str
    box: int
    depth: int
    is_beside: bool
    is_apart: bool
    ends: frozenset[int]


@dataclass(frozen=True, slots=True)
class Word:
    """A word, folded, and where it stands."""

    folded: str
    row: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Page:
    """The lines of a page and their words. `starts` are how many words stand before each line.

    `firsts` and `lasts` are the words that begin and end a line.
    """

    rows: list[Row]
    words: list[Word] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    firsts: set[int] = field(default_factory=set)
    lasts: set[int] = field(default_factory=set)

    def with_below(self, other: "Page") -> "Page":
        """Its lines, and another's below."""
        return _worded(self.rows + other.rows)

    def as_text(self) -> str:
        """Its lines, quotations marked with `>`; the cells of a table's row stand on one line."""
        pieces: list[str] = []
        depth = 0
        for row in self.rows:
            if row.is_beside:
                pieces += " ", row.text
                continue
            if row.is_apart or row.depth != depth:
                pieces += "\n", ("> " * min(row.depth, depth, MAX_MARKS)).rstrip()
            depth = row.depth
            pieces += "\n", "> " * min(depth, MAX_MARKS), row.text
        return "".join(pieces[1:])

    def row(self, at: int) -> Row:
        """The line of a word."""
        return self.rows[self.words[at].row]

    def words_of(self, number: int) -> range:
        """The words of a line."""
        following = self.starts[number + 1 : number + 2]
        return range(self.starts[number], following[0] if following else len(self.words))

    def line_of(self, at: int) -> range:
        """The words of the line that a word stands in."""
        return self.words_of(self.words[at].row)

    def shown(self, at: int) -> str:
        """A word as it stands there."""
        word = self.words[at]
        return self.rows[word.row].text[word.start : word.end]

    def space_before(self, at: int) -> str:
        """The signs between a word and the one before it in its line."""
        start = 0 if at in self.firsts else self.words[at - 1].end
        return "".join(self.row(at).text[start : self.words[at].start].split())

    def space_after(self, at: int) -> str:
        """The signs between a word and the next in its line."""
        text = self.row(at).text
        end = len(text) if at in self.lasts else self.words[at + 1].start
        return "".join(text[self.words[at].end : end].split())


def html_to_text(page: str) -> str:
    """An HTML page as text; the quotations of mail programs come out marked with `>`, their headers too.

    Where a program draws no box around its quotation (Outlook, Yahoo), a rule of underscores is put over the header, and
    what follows is not marked. Never raises. What is beyond `MAX_HTML` characters is cut.
    """
    return _as_text(seen_page, page[:MAX_HTML])


def letter_to_text(page: str) -> str:
    """The page of a letter of ours as text, with what it hides, since a mail program may quote that too."""
    return _as_text(letter_page, page)


def _as_text(read: Callable[[str], Page], page: str) -> str:
    try:
        return read(page).as_text()
    except Exception:  # whatever a page does to the parser, the mail must be answered
        return html.unescape(_TAG.sub("\n", page.replace("\0", "")))


def has_words(page: str, number: int) -> bool:
    """Has a page so many words, those that nobody sees counted too?"""
    return len(list(itertools.islice(_WORD.finditer(_TAG.sub(" ", page)), number))) == number


def has_struck(page: str) -> bool:
    """Is anything in a page struck out? The text that goes beside it may not show that."""
    return _STRIKES.search(page) is not None


def seen_page(page: str) -> Page:
    """A page without what is not seen, quotations in block quotations.

    Raises ValueError or an error of lxml where it cannot be read within the limits.
    """
    tree = _tree(page[:MAX_HTML].replace("\0", ""))
    elements = list(tree.iter("*"))  # held, as lxml would make each of them anew whenever it is looked at
    if len(elements) > MAX_ELEMENTS:
        raise ValueError("too many elements")
    _drop_unseen(tree)
    for element in list(tree.iter("*")):
        _mark(element)
    return _worded(_Reader().read(tree))


def letter_page(page: str) -> Page:
    """The page of a letter of ours, with the text that it hides, since a mail program may quote that too.

    Raises ValueError or an error of lxml where it cannot be read.
    """
    tree = _tree(page)
    for element in list(tree.iter(*_UNSEEN)):
        element.drop_tree()
    return _worded(_Reader().read(tree))


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
    if "mso-list:ignore" in style or _HIDDEN.search(style) or (_NO_HEIGHT.search(style) and _OVERFLOW.search(style)):
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


def read_text(text: str) -> Page:
    """A text as lines and words."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return _worded([Row(line, 0, 0, False, False, frozenset((0, len(line)))) for line in lines if line])


def _worded(rows: list[Row]) -> Page:
    page = Page(rows)
    folded: dict[str, str] = {}
    for number, row in enumerate(page.rows):
        before = len(page.words)
        page.starts.append(before)
        for found in _WORD.finditer(row.text):
            shown = found[0]
            if shown not in folded:
                folded[shown] = shown.lower() if shown.isascii() else plain(shown)
            page.words.append(Word(folded[shown], number, found.start(), found.end()))
        if len(page.words) > before:
            page.firsts.add(before)
            page.lasts.add(len(page.words) - 1)
    return page


class _Reader:
    """Makes lines of a tree."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.pieces: list[str] = []
        self.boxes = [0]
        self.count = 0
        self.kept = 0
        self.is_beside = self.is_apart = False

    def read(self, tree: markup.HtmlElement) -> list[Row]:
        """The lines of a tree. Raises ValueError where it is too deep."""
        depth = 0
        for event, element in etree.iterwalk(tree, events=("start", "end")):
            tag = str(element.tag)
            self._turn(tag)
            depth += 1 if event == "start" else -1
            if depth > MAX_DEPTH:
                raise ValueError("too deep")
            if event == "start":
                self._enter(tag, element)
                self._take(element.text)
            else:
                self._leave(tag, element)
                self._take(element.tail)
        self._end()
        return self.rows

    def _turn(self, tag: str) -> None:
        """A new line, where such an element begins or ends."""
        if tag in _LINES:
            self._end()
            self.is_beside = False
            self.is_apart = self.is_apart or tag in _APART
        elif tag in _CELLS:
            self._end()

    def _enter(self, tag: str, element: markup.HtmlElement) -> None:
        if tag == "blockquote":
            self.count += 1
            self.boxes.append(self.count)
        elif tag == "li":
            self.pieces.append("* ")
        self.kept += _keeps_space(tag, element)

    def _leave(self, tag: str, element: markup.HtmlElement) -> None:
        self.kept -= _keeps_space(tag, element)
        if tag == "blockquote":
            self.boxes.pop()

    def _take(self, text: str | None) -> None:
        """Text of the line; with its own line ends where they are kept."""
        if not text:
            return
        first, *others = re.split(r"\r\n|\r|\n", text) if self.kept else [text]
        self.pieces.append(first)
        for other in others:
            self._end()
            self.is_beside = False
            self.pieces.append(other)

    def _end(self) -> None:
        """The line ends here, if there is anything in it."""
        text, ends = "", set[int]()
        for piece in self.pieces:
            if piece[:1].isspace() and text and not text.endswith(" "):
                text += " "
            ends.add(len(text))
            text += " ".join(piece.split())
            ends.add(len(text))
            if piece[-1:].isspace() and text and not text.endswith(" "):
                text += " "
        self.pieces = []
        if text.strip(" *"):
            place = self.boxes[-1], len(self.boxes) - 1
            self.rows.append(Row(text.rstrip(), *place, self.is_beside, self.is_apart, frozenset(ends)))
            self.is_beside, self.is_apart = True, False


def _keeps_space(tag: str, element: markup.HtmlElement) -> bool:
    return tag == "pre" or _KEPT_SPACE.search(element.get("style") or "") is not None
