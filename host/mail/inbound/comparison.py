"""Pure: the page of a reply held against the page of the letter that it answers. In: both. Out: the lines of the reply.

Mail programs put what a person types wherever the caret stood: between two cells of our tables, into one, in the middle
of a sentence. So the words of both pages are aligned (`alignment`), in the order of their trees. Then each run is believed
to be quoted or not, and each line is written: what stands in the letter comes out marked with `>`, whatever box it stands
in, and what stands beside it comes out as lines of its own. Where words of the letter were changed, not only left out or
written between, nobody knows what that says: those lines are doubtful.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lxml import etree

from host.mail.inbound.alignment import Run, TooMuch, aligned
from host.mail.inbound.page import Page, Row, letter_page, read_text, seen_page
from host.mail.inbound.sent_text import MAX_TAIL_WORDS, MIN_RUN_WORDS
from host.mail.inbound.text_lines import has_colon, is_drawn

MAX_WORDS = 20_000
"""Words of a page that are compared. A letter of ours has some hundreds, the rules of a game some thousands."""
MAX_SLIDE = 50
"""Words by which the place may be moved where something was typed between words that are like it."""
MAX_CHANGED = 0.5
"""The share of a line's words that may stand in the line of the letter in whose place it was typed."""

MAX_ALONE = 1.5
"""A reply that quotes one form of the letter only has at most so many words for each that is known."""


@dataclass(frozen=True)
class Compared:
    """The lines of a reply, those of the letter marked with `>`; `doubtful` are those that may be either."""

    text: str
    doubtful: tuple[str, ...]


def compare(page: str, letter: str, text: str = "") -> Compared | None:
    """The lines of a reply's page, held against the letter's page and its text; None where neither is quoted.

    None, too, where they cannot be compared.
    """
    try:
        reply, *sent = seen_page(page), letter_page(letter), read_text(text)
        if max(len(each.words) for each in (reply, *sent)) > MAX_WORDS:
            return None
        return _best(reply, *sent).result()
    except (TooMuch, ValueError, etree.LxmlError):
        return None


def _best(reply: Page, page: Page, text: Page) -> "_Comparison":
    """The reply beside the form of the letter of which it quotes more; where much is left, beside one after the other."""
    found = [_Comparison(reply, page), _Comparison(reply, text)]
    if len(reply.words) > MAX_ALONE * max(each.known for each in found) > 0:
        found += [_Comparison(reply, page.with_below(text)), _Comparison(reply, text.with_below(page))]
    return max(found, key=lambda each: each.known)


class _Comparison:
    """A reply's page beside the letter's."""

    def __init__(self, reply: Page, letter: Page) -> None:
        self.reply, self.letter = reply, letter
        self.lines = {row.text for row in letter.rows}
        found = aligned([word.folded for word in reply.words], [word.folded for word in letter.words])
        self.runs = self._slid(self._believed(found))
        self.known = sum(
            self._is_exact(run.at + step, run.of + step) for run in self.runs for step in range(run.length)
        )
        """Words of the reply that are the letter's, letter by letter."""
        self.of: list[int | None] = [None] * len(reply.words)
        """For each word of the reply, the word of the letter that it is."""
        self.parts: dict[int, tuple[int, int, int | None]] = {}
        """Words that hold one of the letter: where in the line the part begins and ends that was typed; and the word of
        the letter, if all of it stands before that."""
        self.changed: set[int] = set()
        """Lines that were made of lines of the letter."""
        self.boxes: set[int] = set()
        """The quotations that hold the letter."""

    def result(self) -> Compared | None:
        """The lines, or None where the letter is not quoted."""
        if not self.runs:
            return None
        for run in self.runs:
            self.of[run.at : run.end] = range(run.of, run.of_end)
        ends = Run(0, 0, 0), Run(len(self.reply.words), len(self.letter.words), 0)
        for before, after in itertools.pairwise([ends[0], *self.runs, ends[1]]):
            self._judge(before, after)
        quoted = [at for at, of in enumerate(self.of) if of is not None]
        if not quoted or 2 * len(quoted) < quoted[-1] - quoted[0]:
            return None
        self.boxes = {self.reply.row(at).box for at in quoted} - {0}
        return self._written(range(self.reply.words[quoted[0]].row, self.reply.words[quoted[-1]].row + 1))

    # Which runs are quoted

    def _believed(self, runs: Sequence[Run]) -> list[Run]:
        """The runs that are quoted: long ones, what goes on with them, and whole lines between them or in their box."""
        solid = [run for run in runs if self._is_solid(run)]
        if not solid:
            return []
        boxes = {self.reply.row(run.at).box for run in solid} - {0}
        between = range(solid[0].at, solid[-1].at)
        believed = set(solid)
        for order, is_down in ((runs, True), (runs[::-1], False)):
            last: Run | None = None
            for run in order:
                is_near = run.at in between or self.reply.row(run.at).box in boxes
                is_next = last is not None and (run.of == last.of_end if is_down else run.of_end == last.of)
                goes_on = is_next and (is_near or self._is_flush(run, is_down))
                if run in believed or goes_on or (is_near and self._is_like(run)):
                    believed.add(run)
                    last = run
        return [run for run in runs if run in believed]

    def _is_solid(self, run: Run) -> bool:
        """Is it so long that nobody typed it: words of several lines, or a line as it stands in the letter?"""
        has_lines = self.letter.words[run.of].row != self.letter.words[run.of_end - 1].row
        if run.length >= MIN_RUN_WORDS and has_lines:
            return True
        return run.length + has_lines >= MIN_RUN_WORDS and self._is_whole(run) and self._is_same(run)

    def _is_like(self, run: Run) -> bool:
        """Is it, letter by letter, whole lines of the letter in whole lines of the reply, or a good part of one?"""
        return (self._is_whole(run) or run.length > MAX_TAIL_WORDS) and self._is_same(run)

    def _is_whole(self, run: Run) -> bool:
        ends = ((self.reply, run.at, run.end - 1), (self.letter, run.of, run.of_end - 1))
        return all(first in page.firsts and last in page.lasts for page, first, last in ends)

    def _is_flush(self, run: Run, is_down: bool) -> bool:
        """Does it, letter by letter, go to the end of a line in both pages, or come from the beginning of one?"""
        if is_down:
            is_at_edge = run.end - 1 in self.reply.lasts and run.of_end - 1 in self.letter.lasts
        else:
            is_at_edge = run.at in self.reply.firsts and run.of in self.letter.firsts
        return is_at_edge and self._is_same(run)

    def _is_same(self, run: Run) -> bool:
        return all(self._is_exact(run.at + step, run.of + step) for step in range(run.length))

    def _is_exact(self, at: int, of: int) -> bool:
        return self.reply.shown(at) == self.letter.shown(of)

    # Where something was typed

    def _slid(self, runs: Sequence[Run]) -> list[Run]:
        """The runs, where it is best to part them: what is typed may be like the words before it, or behind."""
        slid: list[Run] = []
        for run in runs:
            if slid and slid[-1].of_end == run.of and slid[-1].end < run.at:
                slid[-1:] = self._parted(slid[-1], run)
            else:
                slid.append(run)
        return [run for run in slid if run.length]

    def _parted(self, before: Run, after: Run) -> tuple[Run, Run]:
        words = self.reply.words
        left = right = 0
        while left < min(before.length, MAX_SLIDE) and (
            words[before.end - 1 - left].folded == words[after.at - 1 - left].folded
        ):
            left += 1
        while right < min(after.length, MAX_SLIDE) and (
            words[before.end + right].folded == words[after.at + right].folded
        ):
            right += 1
        step = max(range(-left, right + 1), key=lambda step: (self._fitness(before, after, step), -abs(step)))
        length = before.length + step
        moved = Run(before.at, before.of, length)
        return moved, Run(after.at + step, after.of + step, after.length - step)

    def _fitness(self, before: Run, after: Run, step: int) -> tuple[int, int, int]:
        """How well it fits that something was typed there: words that are the letter's to the letter, ends of lines."""
        start, end = before.end + step, after.at + step
        moved = range(min(step, 0), max(step, 0))
        exact = sum(
            self._is_exact((before.end if step > 0 else after.at) + each, after.of + each) for each in moved
        ) - sum(self._is_exact((after.at if step > 0 else before.end) + each, after.of + each) for each in moved)
        lines = (start in self.reply.firsts) + (end - 1 in self.reply.lasts)
        pieces = (self.reply.words[start].start in self.reply.row(start).ends) + (
            self.reply.words[end - 1].end in self.reply.row(end - 1).ends
        )
        return exact, lines, pieces

    def _judge(self, before: Run, after: Run) -> None:
        """Decides what stands between two runs: typed, if the letter's words between them are all there or gone as lines.

        Else a line of the reply that goes on, or begins, with words of a line that is cut was changed, or typed if there
        is little of the letter in it. Typed is, too, what is written otherwise than there: no mail program does that.
        """
        left_out = range(before.of_end, after.of)
        if not left_out or self._holds(range(before.end, after.at), left_out):
            return
        if before.length:
            row, of_row = self.reply.line_of(before.end - 1), self.letter.line_of(before.of_end - 1)
            found, cut = range(before.end, min(row.stop, after.at)), range(before.of_end, min(of_row.stop, after.of))
            self._judge_edge(row, found, cut)
        if after.length:
            row, of_row = self.reply.line_of(after.at), self.letter.line_of(after.of)
            found, cut = range(max(row.start, before.end), after.at), range(max(of_row.start, before.of_end), after.of)
            self._judge_edge(row, found, cut)

    def _judge_edge(self, row: range, found: range, cut: range) -> None:
        """A line of the reply beside words that were left out; `cut` are those of its own line, `found` stand there now."""
        is_line = len(row) >= MIN_RUN_WORDS and self.reply.row(row.start).text in self.lines
        if is_line or (cut and self._holds(found, cut)):
            return
        known = [(at, of) for at in row if (of := self.of[at]) is not None]
        is_exact = all(self._is_exact(at, of) for at, of in known)
        is_begun = self.of[row.start] in self.letter.firsts
        if is_exact and cut and (is_begun or len(known) > MAX_CHANGED * len(row)):
            self.changed.add(self.reply.words[row.start].row)
        elif cut or not is_exact:
            for at, _ in known:
                self.of[at] = None

    def _holds(self, found: range, left_out: range) -> bool:
        """Are all the letters of these words of the letter there, with something typed right before, behind or in a word?

        Digits beside digits are another number, and nobody knows who wrote it.
        """
        folded = "".join(self.reply.words[at].folded for at in found)
        wanted = "".join(self.letter.words[of].folded for of in left_out)
        if len(folded) != sum(len(self.reply.shown(at)) for at in found):
            return False
        before = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(folded, wanted, strict=False)))
        end = len(folded) - (len(wanted) - before)
        if end <= before or folded[end:] != wanted[before:]:
            return False
        if any(0 < at < len(folded) and folded[at - 1 : at + 1].isdigit() for at in (before, end)):
            self.changed.update(self.reply.words[at].row for at in found)
            return True
        place = 0
        for at in found:
            word = self.reply.words[at]
            low, high = max(before - place, 0), min(end - place, len(word.folded))
            if low >= high:
                self.of[at] = left_out[0]
            elif high - low < len(word.folded):
                self.parts[at] = word.start + low, word.start + high, left_out[-1] if before == len(wanted) else None
            place += len(word.folded)
        return True

    # The lines

    def _written(self, extent: range) -> Compared:
        """The lines; `extent` are those from the first to the last that the letter has."""
        lines: list[str] = []
        doubtful = [self.reply.rows[number].text for number in sorted(self.changed)]
        was_quoted = is_whole = False
        for number, row in enumerate(self.reply.rows):
            pieces = list(self._pieces(number, row, extent, doubtful))
            for text, is_quoted in pieces:
                if row.is_beside and is_whole and len(pieces) == 1 and is_quoted == was_quoted:
                    lines[-1] += f" {text}"
                    continue
                lines += [""] if row.is_apart or is_quoted != was_quoted else []
                lines.append(f"> {text}" if is_quoted else text)
                was_quoted = is_quoted
            is_whole = len(pieces) == 1
        return Compared("\n".join(lines), tuple(dict.fromkeys(doubtful)))

    def _pieces(self, number: int, row: Row, extent: range, doubtful: list[str]) -> Iterator[tuple[str, bool]]:
        """A line, or its parts; and whether they are quoted."""
        words = self.reply.words_of(number)
        known = [self.of[at] is not None for at in words]
        if number in self.changed or (words and all(known)):
            doubtful += [self._typed(at, end) for at, end in self._parts_typed(words) if number in self.changed]
            yield row.text, True
        elif any(known) or any(at in self.parts for at in words):
            yield from self._parted_line(words)
        elif words or number not in extent or self._is_sign(row, words.start):
            is_before = number == extent.start - 1 and has_colon(row.text)
            is_old = row.depth > 1 and row.box in self.boxes
            if is_old:
                doubtful.append(row.text)
            text = row.text.removeprefix("* ") if number in extent else row.text
            yield text, row.box != 0 and (row.box not in self.boxes or is_before or is_old)

    def _is_sign(self, row: Row, at: int) -> bool:
        """Is it a sign that somebody typed before the word `at`? No stroke, no line of the letter, not a part of one."""
        if is_drawn(row.text) or row.text in self.lines:
            return False
        before = next((each for each in reversed(range(max(at - MAX_SLIDE, 0), at)) if self.of[each] is not None), None)
        after = next((each for each in range(at, min(at + MAX_SLIDE, len(self.of))) if self.of[each] is not None), None)
        is_ending = before is not None and self._is_missed(row.text, before, Page.space_after)
        return not is_ending and (after is None or not self._is_missed(row.text, after, Page.space_before))

    def _is_missed(self, sign: str, at: int, space: Callable[[Page, int], str]) -> bool:
        """Does a sign stand beside this word in the letter, and not in the reply?"""
        of = self.of[at]
        return of is not None and sign in space(self.letter, of) and sign not in space(self.reply, at)

    def _parted_line(self, words: range) -> Iterator[tuple[str, bool]]:
        at = words.start
        for first, last in self._parts_typed(words):
            if at < first:
                yield self._shown(at, first), True
            yield self._typed(first, last), False
            at = last
        if at < words.stop:
            yield self._shown(at, words.stop), True

    def _parts_typed(self, words: range) -> Iterator[tuple[int, int]]:
        """The words of a line that do not stand in the letter, as runs."""
        for is_typed, run in itertools.groupby(words, key=lambda at: self.of[at] is None):
            if is_typed:
                found = list(run)
                yield found[0], found[-1] + 1

    def _shown(self, first: int, end: int) -> str:
        return self.reply.row(first).text[self.reply.words[first].start : self.reply.words[end - 1].end]

    def _typed(self, first: int, end: int) -> str:
        """Words that were typed, with the signs around them that are not the letter's."""
        start, before = self._edge_before(first)
        stop, after = self._edge_after(end - 1)
        signs = ""
        if before is not None:
            signs = self.letter.space_after(before)
        elif after is not None:
            signs = self.letter.space_before(after)
        text, signs = _without_start(self.reply.row(first).text[start:stop], signs)
        if before is not None and after is not None and after != before + 1:
            signs = self.letter.space_before(after)
        goes_on = after is None and end < len(self.of) and self.of[end] is None  # the next word is typed, too
        return text.rstrip() if goes_on else _without_end(text, signs)

    def _edge_before(self, at: int) -> tuple[int, int | None]:
        """The place in its line at which what was typed begins, and the word of the letter before it."""
        word, part = self.reply.words[at], self.parts.get(at)
        if part and part[0] > word.start:
            return part[0], part[2]
        return (0, None) if at in self.reply.firsts else (self.reply.words[at - 1].end, self.of[at - 1])

    def _edge_after(self, at: int) -> tuple[int, int | None]:
        """The place in its line at which what was typed ends, and the word of the letter behind it."""
        word, part = self.reply.words[at], self.parts.get(at)
        if part and part[1] < word.end:
            return part[1], None
        if at in self.reply.lasts:
            return len(self.reply.row(at).text), None
        return self.reply.words[at + 1].start, self.of[at + 1]


def _without_start(text: str, signs: str) -> tuple[str, str]:
    """A text without the signs that it begins with, and those of them that it does not begin with."""
    text = text.lstrip()
    while signs and text.startswith(signs[0]):
        text, signs = text[1:].lstrip(), signs[1:]
    return text, signs


def _without_end(text: str, signs: str) -> str:
    text = text.rstrip()
    while signs and text.endswith(signs[-1]):
        text, signs = text[:-1].rstrip(), signs[:-1]
    return text
