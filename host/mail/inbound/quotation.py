"""Pure: lines typed, apart from lines quoted. In: the lines of a reply, the letters sent before. Out: their lines.

How it works:

1. `text_lines` makes lines of the text. Those that are marked with `>` are quoted.
2. `program_lines` drops what a mail program puts over a quotation and below the text.
3. Lines that this does not explain are held against the letters that were sent, the answered one first. `known_lines`
   drops what stands in a letter. After each letter that told something new, step 2 is done once more from the beginning,
   since a header is easier to tell where the quotation below it is known. As soon as each line is explained, no more
   letters are taken apart.
4. What is left is the person's, above, below and between. quotequail has a second opinion: where no quotation is certain, a
   line that only one of the two readings drops is doubtful.
"""

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

import quotequail

from host.engine.words import pattern
from host.mail.inbound.known_lines import mark_known
from host.mail.inbound.mail import Typed
from host.mail.inbound.program_lines import RULE, is_header, mark_headers, note_introductions, signed
from host.mail.inbound.sent_text import MIN_RUN_WORDS, SentText, signers_in
from host.mail.inbound.text_lines import MAX_LINES, WORD, Line, has_colon, is_drawn, lines_of, rows_of, words_of

ANSWERED = 2
"""How many of the letters' texts are of the one that is answered: its text, its page."""
MOST_BESIDE, LONGEST_BESIDE = 3, 40
"""Marked lines on which somebody typed, and words of one."""
MAX_ROW = 200
"""Characters in a row that is shown to quotequail, some of whose patterns need the square of them."""
MAX_ADDRESSES = 4
"""Signs that begin an address in such a row: one of the patterns needs the cube of them."""
_PERHAPS_HEADER = pattern(r"[> ]*(?:_{32}|--)")
_SHORT_DATE = pattern(r"\d/\d")


def may_quote(text: str) -> bool:
    """Could a part of the text be a run out of a letter, or what stands over one? If not, no letter need be looked at."""
    rows = text.strip().splitlines()[:MAX_LINES]
    return len(rows) > 1 and (len(WORD.findall(text)) >= MIN_RUN_WORDS or any(map(has_colon, rows)))


def read_lines(text: str, sent: Iterable[SentText], writer: str = "") -> Typed:
    """Tell the lines that the person typed, without blank ones, white space folded.

    With the lines of which quotequail says the contrary where neither reading is certain. `sent` are the texts and pages
    of letters that may be quoted, those of the letter that is answered first; as soon as each line is explained no more
    of them are looked at. `writer` is the name under which the person writes mail.
    """
    rows = rows_of(text)
    lines = _judged(rows, sent, writer)
    unsure = tuple(line.text for line in _doubtful(lines, rows, words_of(writer)))
    return Typed(tuple(line.text for line in lines if not line.quoted), unsure, tuple(_within(lines)))


def beside_quoted(text: str, letters: Sequence[SentText], writer: str) -> tuple[str, ...]:
    """What stands on the marked lines of a mail and in no letter: an answer behind a quoted question (`> 0 to 51? 13`).

    None where it is much: then another letter is quoted.
    """
    found: list[str] = []
    for line in lines_of(rows_of(text), writer):
        words = [each.group() for each in WORD.finditer(line.text)]
        is_like_one = line.marked and 0 < len(words) == len(line.words) <= LONGEST_BESIDE
        if not is_like_one or has_colon(line.text) or is_header(line.shape):
            continue
        if not any(letter.find(line.words) for letter in letters):
            found.append(_foreign(line, letters))
        if len(found) > MOST_BESIDE:
            return ()
    return tuple(filter(None, found))


def _foreign(line: Line, letters: Sequence[SentText]) -> str:
    """The part of a line between what a letter has at its beginning and at its end."""
    count = len(line.words)

    def is_known(begin: int, end: int) -> bool:
        return end - begin > 1 and any(letter.find(line.words[begin:end]) for letter in letters)

    begin = next((at for at in range(count, 0, -1) if is_known(0, at)), 0)
    end = next((at for at in range(begin, count) if is_known(at, count)), count)
    places = [each.span() for each in WORD.finditer(line.text)][begin:end]
    return line.text[places[0][0] : places[-1][1]] if places else ""


def _within(lines: Sequence[Line]) -> Iterator[str]:
    """The lines not quoted below the first that is, be it a header, and above the last that is for certain."""
    first = next((at for at, line in enumerate(lines) if line.quoted), len(lines))
    last = next((at for at in reversed(range(len(lines))) if lines[at].certain), 0)
    return (line.text for line in lines[first:last] if not line.quoted)


def _judged(rows: Sequence[str], sent: Iterable[SentText], writer: str) -> list[Line]:
    """The lines that are not blank, each with whether it is quoted."""
    lines = lines_of(rows, writer)
    signers = set(signers_in(line.words for line in lines))
    judged = _settled(lines, signers, words_of(writer))
    letters = iter(sent)
    for looked_at in itertools.count():
        unexplained = list(_unexplained(judged, is_answered=looked_at < ANSWERED))
        letter = next(letters, None) if unexplained else None
        if letter is None:
            break
        before = [line.quoted for line in lines], len(signers)
        signers |= letter.signers
        if any(map(letter.may_hold, unexplained)):
            mark_known(lines, letter)
        if before != ([line.quoted for line in lines], len(signers)):
            judged = _settled(lines, signers, words_of(writer))
    return judged


def _settled(lines: Sequence[Line], signers: Collection[tuple[str, ...]], writer: tuple[str, ...]) -> list[Line]:
    """The lines once more, with all that can be told without letters. `signers` are those who signed what is quoted."""
    lines = [replace(each, certain=each.quoted, assumed=False) for each in lines]
    note_introductions(lines, signers)
    mark_headers(lines)
    for line in signed(lines, writer):
        line.quoted = True
    _mark_strokes(lines)
    return lines


def _unexplained(lines: Sequence[Line], *, is_answered: bool) -> Iterator[tuple[str, ...]]:
    """Words that a letter must hold if it is to tell anything new: of lines that may be quoted, though nothing shows it.

    Such are lines below the header of a quotation, lines beside others that are known, what follows a quoted line as if
    it were wrapped, and lines side by side that are long enough for a run. `is_answered`: in the letter that is answered
    it is also looked for what was copied out of it above the header, and for words broken further down.
    """
    below = _below_header(lines)
    has_known = any(line.certain and not line.marked for line in lines)
    is_below = False
    for above, line in itertools.pairwise([Line(-1, "", ()), *below]):
        is_below = is_below or above.certain
        follows = is_below and (is_answered or (above.certain and line.row == above.row + 1))
        if line.words and (line.assumed or (not line.quoted and (has_known or follows))):
            yield line.words[1:-1]  # the first and the last may be parts of words that a mail program broke
    if is_answered and any(line.introduces is None for line in lines):
        yield ()
    yield from _possible_runs([line for line in (lines if is_answered else below) if line.words and not line.marked])


def _below_header(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines from the first that is certain to be quoted, if a header stands over it; else all."""
    first = next((at for at, line in enumerate(lines) if line.certain), 0)
    over = next((line for line in reversed(lines[:first]) if line.words), None)
    return lines[first:] if over and over.quoted and not over.assumed else lines


def _possible_runs(worded: Sequence[Line]) -> Iterator[tuple[str, ...]]:
    """The words of each two lines of what could become a run. The headers and signatures of mail programs part runs."""
    for is_open, lines in itertools.groupby(worded, key=lambda line: line.certain or not line.quoted):
        run = list(lines)
        if is_open and sum(len(line.words) for line in run) >= MIN_RUN_WORDS:
            yield from (
                one.words + two.words for one, two in itertools.pairwise(run) if not (one.quoted and two.quoted)
            )


def _mark_strokes(lines: Sequence[Line]) -> None:
    """Strokes beside a quotation are its drawing, and so are other signs that stand right within it.

    A sign by itself above, below or between what is quoted is an answer: `♠`, `👍`, `?`.
    """
    for order in (lines, list(reversed(lines))):
        beside = False
        for line in order:
            if line.words:
                beside = line.quoted
            elif RULE.match(line.text) or (beside and is_drawn(line.text)):
                line.quoted = True
    for above, line, below in zip(lines, lines[1:], lines[2:], strict=False):
        is_within = above.quoted and below.quoted and not (above.marked or below.marked)
        if not line.words and is_within and below.row - above.row == 2:
            line.quoted = True


def _doubtful(lines: Sequence[Line], rows: Sequence[str], writer: tuple[str, ...]) -> list[Line]:
    """Lines that only one of two readings drops, while no quotation that is certain speaks for either."""
    unsure = [line for line in lines if line.words and not line.certain and (line.assumed or not line.quoted)]
    header = next((at for at, row in enumerate(rows) if _is_perhaps_header(row)), len(rows))
    if not any(line.assumed or line.row > header for line in unsure):
        return []
    begins = _begin_by_quotequail(rows) if header < len(rows) else header
    if begins is None:
        return []
    sure = next((line.row for line in lines if line.certain and line.row >= begins), len(rows))
    below = {line.row for line in signed(lines, writer)}
    dropped = [line for line in unsure if line.assumed and line.row < begins and line.row not in below]
    is_seen = next((line.quoted for line in reversed(lines) if line.row < begins), False)
    kept = [line for line in unsure if not line.assumed and begins <= line.row < sure and not is_seen]
    return dropped + kept


def _is_perhaps_header(row: str) -> bool:
    """Has it what any of quotequail's patterns would need?"""
    end = row.rstrip()[-1:]
    return end == ":" or bool(_PERHAPS_HEADER.match(row)) or (end == ">" and bool(_SHORT_DATE.search(row)))


def _begin_by_quotequail(rows: Sequence[str]) -> int | None:
    """The row below which quotequail takes all for quotation; past the last if none, None if it fails."""
    shown = [row if len(row) <= MAX_ROW and row.count("<") <= MAX_ADDRESSES else "-" for row in rows]
    try:
        typed = quotequail.quote("\n".join(shown), limit=len(shown) + 1)[0][1]
    except Exception:  # a second opinion is not worth a mail
        return None
    return len(typed.split("\n"))
