"""Pure: the tree of a page as lines and words. In: a tree of `page`. Out: its lines, each with the box it stands in.

They keep what shows where words stand: cells apart, quotations numbered, the ends of the pieces that the page was made of.
"""

import re
from dataclasses import dataclass, field

from lxml import etree
from lxml import html as markup

from host.engine.words import pattern, plain

_WORD = pattern(r"[^\W_]+")
_LINES = frozenset(
    """address article aside blockquote body br caption center dd details dir div dl dt fieldset figcaption figure footer
    form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol p pre section summary table tbody tfoot thead tr
    ul""".split()
)
_APART = frozenset("blockquote h1 h2 h3 h4 h5 h6 ol p pre table ul".split())
_CELLS = frozenset(("td", "th"))
_KEPT_SPACE = pattern(r"white-space:\s*(?:pre|break)", re.IGNORECASE)


MAX_DEPTH = 2_000
"""Elements within each other: a little less than where libxml2 stops reading."""
MAX_MARKS = 40
"""Marks that a line of a quotation within others is given."""


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


def read_page(tree: markup.HtmlElement) -> Page:
    """A tree as lines and words. Raises ValueError where it is too deep."""
    return _worded(_Reader().read(tree))


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
