"""Pure: a text as lines. In: the text of a reply. Out: its lines with their words, and what each of them begins with.

A row is a line as it stands in the text. Where a person typed right before what a mail program wrote, one row becomes two
lines. A line is marked where it begins with `>`, or with initials (`TM>`) as some other rows do.
"""

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from host.engine.words import pattern, plain
from host.mail.inbound.programs import any_of, words_pattern

MAX_LINES = 1000
"""Lines of a reply that are read."""
MAX_LINE = 998
"""Characters of a row that are read: as many as a line of a mail may have (RFC 5322 section 2.1.1)."""
MIN_ALIKE = 4
"""Lines that begin alike, so that what they begin with is the mark of a quotation."""
MIN_NAME = 4
"""Characters of a name that is looked for right behind other words."""
_MARKED = pattern(r"\s*>")
_INITIALS = pattern(r"\w{1,5}>")
_INDENT = pattern(r"\t|\s*[|:%#}\]](?!\S)| {2,}(?=\S)")
_BEFORE_MARK = pattern(r"\s*([^\s<>@](?:[^<>@]*[^\s<>@=-])?)(>(?:\s.*)?)")
_BEFORE_DATE = pattern(r"\s*(\S.*?(?<![\sA-Z]))((?:On|Am|Le|El|Il|Em|Op|Den|Dne) (?:\w+[.,]* ){0,3}\d.*)")
_DIRECTIONS = pattern("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_SUITS = pattern("[♣♦♥♠♧♢♡♤❤]")  # old character sets turn them into question marks
_WROTE = words_pattern(lambda: rf"\b{any_of('attribution', 'verbs')}\b|{any_of('attribution', 'signs')}")
WORD = pattern(r"[^\W_]+")
_STROKES = frozenset("-_=*~#|+.:;,<>/\\^'\"`´·•‣◦●○■□▪▫()[]{}«»‹›“”„‘’¯§¶†‡\ufffc\ufffd")
_FORMLESS = frozenset(("Zs", "Zl", "Zp", "Cc", "Cf", "Mn", "Me", "Co", "Pd", "Pc"))
"""Categories of characters that show nothing by themselves, or a dash."""


@dataclass(slots=True)
class Line:
    """A line that is not blank; `assumed` is quoted for no other reason than the header of a quotation above it.

    `certain` is quoted because of a mark or a letter. `indent` is what it begins with, if lines of text do not begin so.
    `introduces`: it names who signed what is quoted, and ends with a colon; where that is not known, None.
    """

    row: int
    text: str
    words: tuple[str, ...]
    marked: bool = False
    indent: str = ""
    quoted: bool = False
    certain: bool = False
    assumed: bool = False
    introduces: bool | None = False

    @property
    def shape(self) -> str:
        """The text without the signs that only say in which direction it is written."""
        return _DIRECTIONS.sub("", self.text).strip()


def has_colon(text: str) -> bool:
    """Does it end with a colon? One that is written from right to left may be stored from left to right."""
    text = _DIRECTIONS.sub("", text).strip("* \t")
    is_turned = text.startswith(":") and any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in text[1:10])
    return text.endswith((":", "：")) or is_turned


def is_drawn(text: str) -> bool:
    """Is it made of strokes, dots and brackets only, as rules and tables are drawn? A lone plus, `?` and `♠` are signs."""
    signs = unicodedata.normalize("NFKC", "".join(text.split()))
    return not 0 < len(signs) == signs.count("+") < MIN_ALIKE and all(map(_is_stroke, signs))


def _is_stroke(sign: str) -> bool:
    return sign in _STROKES or "\u2500" <= sign <= "\u259f" or unicodedata.category(sign) in _FORMLESS


def fold(text: str) -> str:
    """The text as `plain` folds it, without the signs of suits."""
    return plain(_SUITS.sub(" ", text))


def words_of(line: str) -> tuple[str, ...]:
    """The words of a line, folded: letters and digits, no signs."""
    return tuple(WORD.findall(line.lower() if line.isascii() else fold(line)))


def rows_of(text: str) -> list[str]:
    """The rows of a text, blank ones too, cut at `MAX_LINE` characters; at most four times `MAX_LINES`."""
    return [row[:MAX_LINE] for row in text.splitlines()[: 4 * MAX_LINES]]


def lines_of(rows: Sequence[str], writer: str) -> list[Line]:
    """The lines of a reply that are not blank, quoted where they are marked. `writer` is the name they write mail under."""
    initials = {mark for mark, count in Counter(map(_initials, rows)).items() if mark and count >= MIN_ALIKE}
    parted = ((at, row) for at, row in _parted(rows, initials, writer) if row.strip())
    lines: list[Line] = []
    for at, row in itertools.islice(parted, MAX_LINES):
        is_marked = bool(_MARKED.match(row)) or _initials(row) in initials
        text = " ".join(row.split())
        lines.append(Line(at, text, words_of(row), is_marked, _indent(row), quoted=is_marked))
    return lines


def _parted(rows: Sequence[str], initials: Collection[str], writer: str) -> Iterator[tuple[int, str]]:
    """The rows with their numbers; what was typed right before what a mail program wrote is a row of its own.

    That is where some programs put the caret: before the mark of the first quoted line, the header, the signature.
    """
    for at, row in enumerate(rows):
        found = _BEFORE_MARK.fullmatch(row)
        beside = (*rows[max(at - 1, 0) : at], *rows[at + 1 : at + 2])
        if found and (_initials(row) in initials or not any(map(_MARKED.match, beside))):
            found = None
        found = found or _before_header(rows, at) or _before_name(row, writer)
        if found:
            yield at, found[1]
            yield at, found[2]
        else:
            yield at, row


def _before_header(rows: Sequence[str], at: int) -> re.Match[str] | None:
    """Parts what was typed before the date of an attribution from the attribution."""
    found = _BEFORE_DATE.match(rows[at])
    if not found:
        return None
    header = [found[2], *rows[at + 1 : at + 3]]
    ends = (" ".join(header[: length + 1]) for length, row in enumerate(header) if has_colon(row))
    text = next(ends, "")
    return found if "@" in text or tells_who_wrote(text) else None


def tells_who_wrote(text: str) -> bool:
    """Has it a verb, in any language, that tells who wrote what is quoted?"""
    return _WROTE.search(text.casefold()) is not None


def _before_name(row: str, writer: str) -> re.Match[str] | None:
    """Parts what was typed without a space before the writer's name from the name."""
    if len(writer) < MIN_NAME or not row.rstrip().endswith(writer):
        return None
    return re.fullmatch(rf"\s*(\S.*[^\s<(\"'])({re.escape(writer)})\s*", row)


def _initials(row: str) -> str:
    """The initials with which some programs mark what they quote, as in `TM> `."""
    found = _INITIALS.match(row)
    return found[0] if found else ""


def _indent(row: str) -> str:
    """The beginning of a row, if that is more than text has."""
    found = _INDENT.match(row)
    return found[0].strip(" ") or "  " if found else ""
