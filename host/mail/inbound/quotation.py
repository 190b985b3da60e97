"""Pure: what a person typed, apart from what they quoted. In: the lines of a reply, the letters sent before. Out: their lines.

Dropped are lines marked with `>`, runs of lines that stand in a letter we sent (compared word by word, so that a mail
program may wrap them as it likes) and lines that begin like those, the header a mail program puts over a quotation,
signatures and "sent from my phone" lines. What is left is the person's, above, below and between. The library quotequail
gives a second opinion.
"""

import functools
import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import quotequail

from host.engine.chance import TOKEN_LENGTH
from host.engine.grammar import plain

MAX_LINES = 1000
MAX_LINE = 998
ANSWERED = 2
"""How many of the letters' texts are of the one that is answered: its text, its page."""
MIN_RUN_LINES = 2
MIN_RUN_WORDS = 6
MAX_TAIL_WORDS = 3
MAX_PLACES = 20
"""Places in a letter that are kept for one line; its words may stand all over it."""
MAX_BROKEN_LINES = 6
"""Lines that one line of a letter becomes below the first, where a mail program wraps it."""
MIN_BROKEN_WORD = 20
"""Letters and digits in a word that a mail program may break, as it has no line that would hold it."""
MAX_BARE_WORDS = 8
"""Words in a header that has neither date nor address."""
MAX_HEADER = 200
"""Characters in a row that is shown to quotequail, some of whose patterns need the square of them."""
MAX_ADDRESSES = 4
"""Signs that begin an address in such a row: one of the patterns needs the cube of them."""
MIN_ALIKE = 4
"""Lines that begin alike, so that what they begin with is the mark of a quotation."""
MAX_CARD = 7
"""Lines of a signature below the name."""
MAX_LABELS = 20
"""Lines of labels in the header of a quotation."""
MIN_NAME = 4
"""Characters of a name that is looked for right behind other words."""
REFERENCE = "ref"
"""What the last line of a letter begins with; it ends with a token."""
MIN_KNOWN_SHARE = 0.5
"""Of the words below a quotation header, the share that must be known for the rest to be believed typed."""

_MARKED = re.compile(r"\s*>")
_INITIALS = re.compile(r"\w{1,5}>")
_INDENT = re.compile(r"\t|\s*[|:%#}\]](?!\S)| {2,}(?=\S)")
_BEFORE_MARK = re.compile(r"\s*([^\s<>@](?:[^<>@]*[^\s<>@=-])?)(>(?:\s.*)?)")
_BEFORE_DATE = re.compile(r"\s*(\S.*?(?<![\sA-Z]))((?:On|Am|Le|El|Il|Em|Op|Den|Dne) (?:\w+[.,]* ){0,3}\d.*)")
_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_REACHED = re.compile(
    r"[\w.+-]@[\w-]+\.\w|\bwww\.|https?://|^[+(0][\d\s()/.-]{5,40}\d$"
    r"|\b(?:tel|telephone|telefon|phone|fon|mobile?|mob|cell|fax|handy|office|[tmpf](?=[.:]))\W{0,4}\d[\d\s()/.-]{4,40}\d"
)
"""How to reach somebody: an address, a page, a telephone."""
_LABEL = re.compile(r"\s*\*{0,2}[^\W\d_][^:：]{0,24}\*{0,2}\s?[:：]")
_RULE = re.compile(r"\s*(?:_{5,}|-{5,}|={5,}|[-_=*]{2,}\s?\w[^-_=]{2,60}\s?[-_=*]{2,})\s*$")
_SIGNATURE = re.compile(r"--\s?$")
_PHONE = re.compile(
    r"(?:sent|get|gesendet|von mein|enviad|envoy|inviat|verstuurd|verzonden|skickat|wysłan|lähetetty|sendt|odesláno|"
    r"отправлено|στάλθηκε|elküldve|télécharge[zr]|obtenir|obtener|descargar|holen sie|laden sie|holen|hol |hämta|ottieni|"
    r"baixar|obter|download|pobierz|skaff deg|hent|hanki|získat|скачать|λήψη|从我的|发自|從我的|寄自|传自|傳自|获取|取得|下载)"
    r".{0,60}(?:iphon|ipad|android|outlook|samsung|galaxy|yahoo|aol|proton|k-9|mobile|mobil|handy|smartphone|phone|"
    r"windows|blackberry|fastmail|gmx|web\.de|thunderbird|huawei|xiaomi|mail).{0,60}$"
    r"|^(?:az )?outlook.{0,30}(?:beziehen|downloaden|入手|beszerzése.{0,12})$|^.{0,12}から送信.{0,8}$|^yahoo mail:.{0,60}$"
    r"|^(?:나의 )?(?:iphone|ipad|android|galaxy|samsung).{0,30}(?:gönderildi|edinin|보냄|다운로드)$"
)
_WROTE = re.compile(
    r"\b(?:wrote|schrieb|geschrieben|écrit|escribió|scritto|escreveu|schreef|geschreven|skrev|kirjoitti|napisał|pisze|"
    r"napsal|написал|пишет|yazdı|írta|έγραψε)\b|写道|寫道|書きました|のメール|작성|쓴 글"
)
_BEGINNING = re.compile(
    r"(?:on|am|le|el|il|em|no dia|op|den|dne|v|w dniu|wiadomość|στις|pe|pt|fre|pá|пт|mon|tue|wed|thu|fri|sat|sun)\b|[在于]"
)
_RULE_AND_LABELS = re.compile(r"[-_]{3,}[^-_]{2,60}[-_]{3}(?=[^:：]*[:：].*@)")
_DATED = re.compile(r"\b20\d\d\b|\d{1,2}[:.h]\d\d")
_DIGITS = re.compile(r"\d+")
_SUITS = re.compile("[♣♦♥♠♧♢♡♤❤]")  # old character sets turn them into question marks
_WORD = re.compile(r"[^\W_]+")
_PERHAPS_HEADER = re.compile(r"[> ]*(?:_{32}|--)")
_SHORT_DATE = re.compile(r"\d/\d")


_Place = tuple[int, int]
"""Where a line ends in a letter: the words before, and the characters of a word that is broken there."""


@dataclass(frozen=True)
class Typed:
    """What a person typed: `lines`; `doubtful` are those that may be quoted, or that were dropped and may be typed."""

    lines: tuple[str, ...]
    doubtful: tuple[str, ...] = ()


@dataclass(slots=True)
class _Line:
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


class SentText:
    """One letter that we sent, ready to be compared with: its text, taken apart into words once they are asked for.

    `page` is its HTML, where the text is what that shows.
    """

    def __init__(self, text: str, page: str = "") -> None:
        self._text = text
        self.page = page

    @functools.cached_property
    def words(self) -> list[str]:
        """All words, in order."""
        return [word for line in self._lines for word in line]

    @functools.cached_property
    def ends(self) -> set[int]:
        """The places behind the last word of each line."""
        return set(itertools.accumulate(len(line) for line in self._lines))

    @functools.cached_property
    def starts(self) -> set[int]:
        """The places of the first word of each line."""
        return {0, *self.ends} - {len(self.words)}

    @functools.cached_property
    def places(self) -> dict[str, list[int]]:
        """Where each word stands."""
        places: dict[str, list[int]] = {}
        for place, word in enumerate(self.words):
            places.setdefault(word, []).append(place)
        return places

    @functools.cached_property
    def _lines(self) -> list[tuple[str, ...]]:
        return [words for line in self._text.splitlines() if (words := _words(line))]

    @functools.cached_property
    def signers(self) -> frozenset[tuple[str, ...]]:
        """Who signed it: the words of the line above its reference."""
        return frozenset(_signers(self._lines))

    def may_hold(self, words: Collection[str]) -> bool:
        """Could all these words stand in it? False only where they do not."""
        return all(word in self._folded for word in words)

    @functools.cached_property
    def _folded(self) -> str:
        return plain(_SUITS.sub(" ", self._text))

    def find(self, words: Sequence[str]) -> list[int]:
        """Where these words stand, one after the other."""
        found = self.places.get(words[0], ())
        return [at for at in found if self.words[at : at + len(words)] == list(words)]

    def follow(self, words: Sequence[str], place: _Place) -> _Place | None:
        """Where these words end if they stand at this place, the first and the last perhaps parts of a word."""
        at, inside = place
        for number, word in enumerate(words, start=1):
            rest = self.words[at][inside:] if at < len(self.words) else ""
            if word == rest:
                at, inside = at + 1, 0
            elif number == len(words) and rest.startswith(word):
                inside += len(word)
            else:
                return None
        return at, inside

    def breaks_long(self, place: _Place) -> bool:
        """Is a word broken here that is so long that a mail program must break it?"""
        return place[1] > 0 and len(self.words[place[0]]) >= MIN_BROKEN_WORD


def has_colon(text: str) -> bool:
    """Does it end with a colon? One that is written from right to left may be stored from left to right."""
    text = _DIRECTIONS.sub("", text).strip("* \t")
    is_turned = text.startswith(":") and any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in text[1:10])
    return text.endswith((":", "：")) or is_turned


def may_quote(text: str) -> bool:
    """Could a part of the text be a run out of a letter, or what stands over one? If not, no letter need be looked at."""
    rows = text.strip().splitlines()[:MAX_LINES]
    return len(rows) > 1 and (len(_WORD.findall(text)) >= MIN_RUN_WORDS or any(map(has_colon, rows)))


def read_lines(text: str, sent: Iterable[SentText], writer: str = "") -> Typed:
    """What the person typed, without blank lines, white space folded.

    With the lines of which quotequail says the contrary where neither reading is certain. `sent` are the texts and pages
    of letters that may be quoted, those of the letter that is answered first; as soon as each line is explained no more
    of them are looked at. `writer` is the name under which the person writes mail.
    """
    rows = _rows(text)
    lines = _judged(rows, sent, writer)
    doubtful = tuple(line.text for line in _doubtful(lines, rows, _words(writer)))
    return Typed(tuple(line.text for line in lines if not line.quoted), doubtful)


def _parted(rows: Sequence[str], initials: Collection[str], writer: str) -> Iterator[tuple[int, str]]:
    """The rows with their numbers; what was typed right before what a mail program wrote is a row of its own.

    That is where some programs put the caret: before the mark of the first quoted line, the header, the signature.
    """
    for at, row in enumerate(rows):
        found = _BEFORE_MARK.fullmatch(row)
        if found and (_initials(row) in initials or not _is_marked_beside(rows, at)):
            found = None
        found = found or _before_header(rows, at) or _before_name(row, writer)
        if found:
            yield at, found[1]
            yield at, found[2]
        else:
            yield at, row


def _is_marked_beside(rows: Sequence[str], at: int) -> bool:
    return any(_MARKED.match(row) for row in (*rows[max(at - 1, 0) : at], *rows[at + 1 : at + 2]))


def _before_header(rows: Sequence[str], at: int) -> re.Match[str] | None:
    """What was typed before the date of an attribution, and the attribution."""
    found = _BEFORE_DATE.match(rows[at])
    if not found:
        return None
    header = [found[2], *rows[at + 1 : at + 3]]
    ends = (" ".join(header[: length + 1]) for length, row in enumerate(header) if has_colon(row))
    text = next(ends, "")
    return found if "@" in text or _WROTE.search(text.casefold()) else None


def _before_name(row: str, writer: str) -> re.Match[str] | None:
    """What was typed without a space before the writer's name, and the name."""
    if len(writer) < MIN_NAME or not row.rstrip().endswith(writer):
        return None
    return re.fullmatch(rf"\s*(\S.*[^\s<(\"'])({re.escape(writer)})\s*", row)


def _initials(row: str) -> str:
    """The initials with which some programs mark what they quote, as in `TM> `."""
    found = _INITIALS.match(row)
    return found[0] if found else ""


def _indent(row: str) -> str:
    """What a row begins with, if that is more than text has."""
    found = _INDENT.match(row)
    return found[0].strip(" ") or "  " if found else ""


def _signers(lines: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """The words of each line above a letter's reference: its end, which begins with this word and ends with a token."""
    for above, line in itertools.pairwise(lines):
        if above and line and line[0] == REFERENCE and len(line) > 2 and len(line[-1]) == TOKEN_LENGTH:
            yield above


def _note_introductions(lines: Sequence[_Line], signers: Collection[tuple[str, ...]]) -> None:
    """Note the short lines that end with a colon above a quotation, be it further down, or at the end of all."""
    has_quoted, is_end = False, True
    for line in reversed(lines):
        is_short = 1 < len(line.words) <= MAX_BARE_WORDS and has_colon(line.text)
        if is_short and not line.quoted and (has_quoted or is_end):
            line.introduces = any(set(signer) <= set(line.words) for signer in signers) if signers else None
        has_quoted, is_end = has_quoted or line.certain, is_end and not line.words


def _rows(text: str) -> list[str]:
    return [row[:MAX_LINE] for row in text.splitlines()[: 4 * MAX_LINES]]


def _judged(rows: Sequence[str], sent: Iterable[SentText], writer: str) -> list[_Line]:
    """The lines that are not blank, each with whether it is quoted."""
    initials = {mark for mark, count in Counter(map(_initials, rows)).items() if mark and count >= MIN_ALIKE}
    parted = ((at, row) for at, row in _parted(rows, initials, writer) if row.strip())
    lines = [
        _Line(
            at, " ".join(row.split()), _words(row), bool(_MARKED.match(row)) or _initials(row) in initials, _indent(row)
        )
        for at, row in itertools.islice(parted, MAX_LINES)
    ]
    for line in lines:
        line.quoted = line.marked
    signers = set(_signers(line.words for line in lines))
    judged = _settled(lines, signers, _words(writer))
    letters = iter(sent)
    for looked_at in itertools.count():
        unexplained = list(_unexplained(judged, is_answered=looked_at < ANSWERED))
        letter = next(letters, None) if unexplained else None
        if letter is None:
            break
        before = [line.quoted for line in lines], len(signers)
        signers |= letter.signers
        if any(map(letter.may_hold, unexplained)):
            _mark_known(lines, letter)
        if before != ([line.quoted for line in lines], len(signers)):
            judged = _settled(lines, signers, _words(writer))
    return judged


def _settled(lines: Sequence[_Line], signers: Collection[tuple[str, ...]], writer: tuple[str, ...]) -> list[_Line]:
    """The lines once more, with all that can be told without letters. `signers` are those who signed what is quoted."""
    lines = [replace(each, certain=each.quoted, assumed=False) for each in lines]
    _note_introductions(lines, signers)
    _mark_headers(lines)
    for line in _signed(lines, writer):
        line.quoted = True
    _mark_strokes(lines)
    return lines


def _unexplained(lines: Sequence[_Line], *, is_answered: bool) -> Iterator[tuple[str, ...]]:
    """Words that a letter must hold if it is to tell anything new: of lines that may be quoted, though nothing shows it.

    Such are lines below the header of a quotation, lines beside others that are known, what follows a quoted line as if
    it were wrapped, and lines side by side that are long enough for a run. `is_answered`: in the letter that is answered
    it is also looked for what was copied out of it above the header, and for words broken further down.
    """
    below = _below_header(lines)
    has_known = any(line.certain and not line.marked for line in lines)
    is_below = False
    for above, line in itertools.pairwise([_Line(-1, "", ()), *below]):
        is_below = is_below or above.certain
        follows = is_below and (is_answered or (above.certain and line.row == above.row + 1))
        if line.words and (line.assumed or (not line.quoted and (has_known or follows))):
            yield _inner(line.words)
    if is_answered and any(line.introduces is None for line in lines):
        yield ()
    yield from _possible_runs([line for line in (lines if is_answered else below) if line.words and not line.marked])


def _below_header(lines: Sequence[_Line]) -> Sequence[_Line]:
    """The lines from the first that is certain to be quoted, if a header stands over it; else all."""
    first = next((at for at, line in enumerate(lines) if line.certain), 0)
    over = next((line for line in reversed(lines[:first]) if line.words), None)
    return lines[first:] if over and over.quoted and not over.assumed else lines


def _inner(words: tuple[str, ...]) -> tuple[str, ...]:
    """Without the first and the last, which may be parts of words that a mail program broke."""
    return words[1:-1]


def _possible_runs(worded: Sequence[_Line]) -> Iterator[tuple[str, ...]]:
    """The words of each two lines of what could become a run. The headers and signatures of mail programs part runs."""
    for is_open, lines in itertools.groupby(worded, key=lambda line: line.certain or not line.quoted):
        run = list(lines)
        if is_open and sum(len(line.words) for line in run) >= MIN_RUN_WORDS:
            yield from (
                one.words + two.words for one, two in itertools.pairwise(run) if not (one.quoted and two.quoted)
            )


def _doubtful(lines: Sequence[_Line], rows: Sequence[str], writer: tuple[str, ...]) -> list[_Line]:
    """Lines that only one of two readings drops, while no quotation that is certain speaks for either."""
    unsure = [line for line in lines if line.words and not line.certain and (line.assumed or not line.quoted)]
    header = next((at for at, row in enumerate(rows) if _is_perhaps_header(row)), len(rows))
    if not any(line.assumed or line.row > header for line in unsure):
        return []
    begins = _second_opinion(rows) if header < len(rows) else header
    if begins is None:
        return []
    sure = next((line.row for line in lines if line.certain and line.row >= begins), len(rows))
    signed = {line.row for line in _signed(lines, writer)}
    dropped = [line for line in unsure if line.assumed and line.row < begins and line.row not in signed]
    is_seen = next((line.quoted for line in reversed(lines) if line.row < begins), False)
    kept = [line for line in unsure if not line.assumed and begins <= line.row < sure and not is_seen]
    return dropped + kept


def _is_perhaps_header(row: str) -> bool:
    """Has it what any of quotequail's patterns would need?"""
    end = row.rstrip()[-1:]
    return end == ":" or bool(_PERHAPS_HEADER.match(row)) or (end == ">" and bool(_SHORT_DATE.search(row)))


def _second_opinion(rows: Sequence[str]) -> int | None:
    """The row below which quotequail takes all for quotation; past the last if none, None if it fails."""
    shown = [row if len(row) <= MAX_HEADER and row.count("<") <= MAX_ADDRESSES else "-" for row in rows]
    try:
        typed = quotequail.quote("\n".join(shown), limit=len(shown) + 1)[0][1]
    except Exception:  # a second opinion is not worth a mail
        return None
    return len(typed.split("\n"))


def _words(line: str) -> tuple[str, ...]:
    if line.isascii():
        return tuple(_WORD.findall(line.lower()))
    return tuple(_WORD.findall(plain(_SUITS.sub(" ", line))))


def _mark_known(lines: Sequence[_Line], letter: SentText) -> None:
    """Mark runs of lines whose words follow each other in the letter, then single lines that continue such a run."""
    worded = [line for line in lines if line.words and not line.marked]
    ends: dict[int, tuple[int, int]] = {}
    places: list[tuple[int, int] | None] = [None] * len(worded)
    for at, line in enumerate(worded):
        following: dict[int, tuple[int, int]] = {}
        for place in letter.find(line.words):
            count, total = ends.get(place, (0, 0))
            following[place + len(line.words)] = (count + 1, total + len(line.words))
        for end, (count, total) in following.items():
            if count >= MIN_RUN_LINES and total >= MIN_RUN_WORDS:
                _mark_run(worded[at - count + 1 : at + 1], places, at, end, letter)
        ends = following
    _unmark_inserted(worded, places, letter)
    _mark_between(worded, places, letter)
    _mark_wrapped(lines, letter)
    _mark_alike(lines)
    _mark_title(worded, letter)


def _mark_alike(lines: Sequence[_Line]) -> None:
    """Mark the lines that begin like others that are known, with a sign, or with space like most that do."""
    indents = Counter(line.indent for line in lines if line.words and line.indent and not line.marked)
    known = Counter(line.indent for line in lines if line.words and line.quoted and not line.marked)
    for line in lines:
        is_mark = known[line.indent] >= MIN_ALIKE and (
            line.indent.strip() or 2 * known[line.indent] >= indents[line.indent]
        )
        if line.indent and is_mark:
            line.quoted = True


def _mark_title(worded: Sequence[_Line], letter: SentText) -> None:
    """Mark a long line of the letter right between a header and what is quoted: some programs show its title there."""
    for above, line, below in zip(worded, worded[1:], worded[2:], strict=False):
        if has_colon(above.text) and below.quoted and not line.quoted and len(line.words) >= MIN_RUN_WORDS:
            ends = (at + len(line.words) for at in letter.find(line.words) if at in letter.starts)
            line.quoted = any(end in letter.ends for end in ends)


def _mark_run(
    run: Sequence[_Line], places: list[tuple[int, int] | None], last: int, end: int, letter: SentText
) -> None:
    """Mark a run that ends at word `end`; a few words before it that are only the tail of a line may be typed."""
    for back, line in enumerate(reversed(run)):
        start = end - len(line.words)
        if back == len(run) - 1 and start not in letter.starts and len(line.words) <= MAX_TAIL_WORDS:
            return
        line.quoted, places[last - back] = True, (start, end)
        end = start


def _unmark_inserted(worded: Sequence[_Line], places: list[tuple[int, int] | None], letter: SentText) -> None:
    """Words typed right before the same words of the quotation: the line that goes on with the letter is the quoted one."""
    for at, (line, following) in enumerate(itertools.pairwise(worded)):
        place = places[at]
        if place is not None and place[1] not in letter.ends and len(following.words) > len(line.words):
            start = place[0]
            if letter.words[start : start + len(following.words)] == list(following.words):
                line.quoted, places[at] = False, None
                following.quoted, places[at + 1] = True, (start, start + len(following.words))


def _mark_between(worded: Sequence[_Line], places: Sequence[tuple[int, int] | None], letter: SentText) -> None:
    """A whole line of the letter that stands just where the quotation around it says it must is quoted too."""
    for step, edge in ((1, 1), (-1, 0)):
        reached: int | None = None
        order = range(len(worded)) if step == 1 else range(len(worded) - 1, -1, -1)
        for at in order:
            line, place = worded[at], places[at]
            if place is not None:
                reached = place[edge]
            elif reached is not None and not line.quoted:
                start = reached if step == 1 else reached - len(line.words)
                end = start + len(line.words)
                whole = start in letter.starts and end in letter.ends
                if start >= 0 and letter.words[start:end] == list(line.words) and (whole or len(line.words) > 2):
                    line.quoted = True
                    reached = end if step == 1 else start


def _mark_wrapped(lines: Sequence[_Line], letter: SentText) -> None:
    """Mark what a mail program wrapped: the letter goes on in it where the quoted line above ends."""
    if all(line.quoted for line in lines):
        return
    ends: list[_Place] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        length = 0 if line.quoted else _wrapped_length(lines, at, ends, letter)
        for part in lines[at : at + length]:
            part.quoted = True
        for part in lines[at : at + max(1, length)]:
            if part.quoted and part.words:
                ends = _ends(part.words, ends, letter)
        at += max(1, length)


def _ends(words: Sequence[str], before: Iterable[_Place], letter: SentText) -> list[_Place]:
    """Where quoted words end: right after what was quoted before if they stand there, else wherever they stand."""
    following = [place for start in before if (place := letter.follow(words, start))]
    if following:
        return following
    found = (letter.follow(words, (start, 0)) for start in letter.places.get(words[0], ()))
    return list(itertools.islice((place for place in found if place), MAX_PLACES))


def _wrapped_length(lines: Sequence[_Line], at: int, ends: Sequence[_Place], letter: SentText) -> int:
    """How many lines from here continue the quoted line above; 0 if none."""
    longest = 0
    for start in ends:
        place = start
        is_broken = letter.breaks_long(start)
        for length, line in enumerate(lines[at : at + MAX_BROKEN_LINES], start=1):
            following = None if line.quoted or not line.words else letter.follow(line.words, place)
            if following is None:
                break
            place = following
            if place[1]:
                is_broken = is_broken or letter.breaks_long(place)
            elif is_broken or _is_wrapped(lines, at, length, start, place, letter):
                longest = max(longest, length)
    return longest


def _is_wrapped(lines: Sequence[_Line], at: int, length: int, start: _Place, end: _Place, letter: SentText) -> bool:
    """Are these lines, which stand in the letter from `start` to `end`, the rest of a marked line? Or typed below it?"""
    above = lines[at - 1]
    if not above.marked or lines[at + length - 1].row != above.row + length:
        return False
    below = next((line for line in lines[at + length :] if line.words and line.quoted), None)
    if below is not None and letter.follow(below.words, start):
        return False
    if below is not None and letter.follow(below.words, end):
        return True
    if (start[1] == 0 and start[0] in letter.starts) or end[0] not in letter.ends:
        return False
    words = letter.words[start[0] : end[0]]
    return len(words) > MAX_TAIL_WORDS or any(len(word) >= MIN_BROKEN_WORD for word in words)


def _mark_headers(lines: Sequence[_Line]) -> None:
    """Mark what mail programs write over a quotation; without marks or known text below it, all that follows is quoted.

    What stands between one header and the next, before anything known, is an older reply of the person's own.
    """
    at = 0
    since: int | None = None
    while at < len(lines):
        length = _header_length(lines, at)
        if not length:
            since = None if lines[at].certain else since
            at += 1
            continue
        for line in [] if since is None else lines[since:at]:
            line.quoted = True
        since = at + length
        for line in lines[at : at + length]:
            line.quoted = True
        below = lines[at + length :]
        total = sum(len(line.words) for line in below)
        known = sum(len(line.words) for line in below if line.quoted)
        is_boxed = bool(below) and (
            below[0].marked or (lines[at + length - 1].introduces and any(line.marked for line in below))
        )
        if not is_boxed and known < MIN_KNOWN_SHARE * total:
            for line in below:
                line.assumed = line.assumed or not line.quoted
                line.quoted = True
        at += length


def _header_length(lines: Sequence[_Line], at: int) -> int:
    """How many lines from here are a quotation header: a rule, a block of labels, or an attribution; 0 if none."""
    if lines[at].quoted:
        return 0
    rules = 1 if _RULE.match(lines[at].text) else 0
    start = at + rules
    labels = lines[start : start + MAX_LABELS]
    block = sum(1 for _ in itertools.takewhile(lambda line: _LABEL.match(line.shape) and not line.quoted, labels))
    if block >= 3 and any("@" in line.text or _names_episode(line.text) for line in lines[start : start + block]):
        return rules + block
    if rules and block >= 1 and start + block < len(lines):
        return rules + block
    length = _attribution_length(lines, start)
    if length:
        return rules + length
    if rules and start < len(lines) and lines[start].quoted:
        return rules
    return 0


def _attribution_length(lines: Sequence[_Line], start: int) -> int:
    """How many lines from here are one attribution, of three at most; 0 if none."""
    for length in (1, 2, 3):
        part = lines[start : start + length]
        if len(part) < length or any(line.quoted for line in part) or part[-1].row != part[0].row + length - 1:
            return 0
        following = lines[start + length : start + length + 1]
        if _is_attribution(part, following):
            alone = length > 1 and _is_attribution(part[1:], following)
            return length if length == 1 or _is_begun(part[0], part[1], alone) else 0
    return 0


def _is_attribution(part: Sequence[_Line], following: Sequence[_Line]) -> bool:
    """`On ... somebody <address> wrote:` in any language: ends with a colon, has a date or an address, a quotation below.

    Above a quotation that is certain it may do with a name and a verb, or the name of who signed what is quoted.
    """
    text = " ".join(line.shape for line in part)
    if _RULE_AND_LABELS.match(text):
        return True
    if not has_colon(text) or len(text) > 400:
        return False
    if part[-1].introduces:
        return True
    dated = len(_DIGITS.findall(text)) >= 2
    if following and following[0].quoted:
        return dated or "@" in text or _is_bare(part)
    return dated and ("@" in text or "wrote" in text)


def _is_bare(part: Sequence[_Line]) -> bool:
    """Is it a line like `Somebody wrote:`?"""
    if len(part) != 1 or not 1 < len(part[0].words) <= MAX_BARE_WORDS:
        return False
    return _WROTE.search(unicodedata.normalize("NFC", part[0].text).casefold()) is not None


def _is_begun(line: _Line, following: _Line, alone: bool) -> bool:
    """Does an attribution begin with this line? It has the date, or the name at least; if the next would do alone, surely."""
    if _DATED.search(line.text) or following.text.startswith("<"):
        return True
    return not alone and ("@" in line.text or _BEGINNING.match(line.text.casefold()) is not None)


def _names_episode(text: str) -> bool:
    return re.search(r"\[[A-Z]{2,}-\d+", text) is not None


def _signed(lines: Sequence[_Line], writer: tuple[str, ...]) -> list[_Line]:
    """The lines of signatures, and what telephones write below."""
    found: list[_Line] = []
    signing = False
    for at, line in enumerate(lines):
        if line.quoted and not line.assumed:
            signing = False
        elif _SIGNATURE.match(line.text) or _is_card(lines, at, writer):
            signing = True
        if signing or ((not line.quoted or line.assumed) and _PHONE.match(line.text.casefold())):
            found.append(line)
    return found


def _is_card(lines: Sequence[_Line], at: int, writer: tuple[str, ...]) -> bool:
    """Does a signature begin with this line: the writer's name, and below it, to the end, what stands on their card?

    Lines of names, beside which a number may stand, or any lines as long as one of them tells how to reach the writer. A
    name of one word, which may be a command, counts among lines of more.
    """
    if not writer or sorted(lines[at].words) != sorted(writer):
        return False
    following = lines[at + 1 : at + MAX_CARD + 2]
    below = list(itertools.takewhile(lambda line: not line.quoted or line.assumed, following))
    if not 0 < len(below) <= MAX_CARD:
        return False
    many = sum(len(line.words) > 1 for line in below) > 1
    is_card = all(_is_named(line) and (many or len(line.words) > 1) for line in below)
    return is_card or any(_REACHED.search(line.text.casefold()) for line in below)


def _is_named(line: _Line) -> bool:
    """Is it a line like `Springfield Bridge Club`, `12 Elm Street`: are most of its words written as names?"""
    words = _WORD.findall(line.text)
    return 2 * len([word for word in words if word[0].isupper() and not word.isupper()]) > len(words)


def _mark_strokes(lines: Sequence[_Line]) -> None:
    """Lines without a letter or digit beside a quotation are its drawing."""
    for order in (lines, list(reversed(lines))):
        beside = False
        for line in order:
            if line.words:
                beside = line.quoted
            elif beside or _RULE.match(line.text):
                line.quoted = True
