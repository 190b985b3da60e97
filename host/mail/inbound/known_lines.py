"""Pure: the lines of a reply that stand in a letter of ours. In: lines, a letter. Out: the lines, marked as quoted.

The comparison is by words, so that a mail program may wrap lines as it likes. Two lines or more, of six words or more, that
follow each other in the letter as they do in the reply are a run; a run is quoted. Around runs more is believed: lines of
the letter that stand just where the quotation says they must, what was wrapped or broken, and lines that begin with the same
sign as known ones.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence

from host.mail.inbound.sent_text import MAX_TAIL_WORDS, MIN_BROKEN_WORD, MIN_RUN_WORDS, Place, SentText
from host.mail.inbound.text_lines import MIN_ALIKE, Line, has_colon

MIN_RUN_LINES = 2
"""Lines of a run, at least."""
_MARKS = frozenset('“”"?�')
"""Quotation marks, and what old character sets make of them."""
MAX_PLACES = 20
"""Places in a letter that are kept for one line; its words may stand all over it."""
MAX_BROKEN_LINES = 6
"""Lines that one line of a letter becomes below the first, where a mail program wraps it."""


def mark_known(lines: Sequence[Line], letter: SentText) -> None:
    """Mark runs of lines whose words follow each other in the letter, then single lines that continue such a run."""
    unmarked = [line for line in lines if line.words and not line.marked]
    worded = [line for line in unmarked if not _is_taken_from(line, letter)]
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
    known = {id(line): place for line, place in zip(worded, places, strict=True)}
    _mark_between(unmarked, [known.get(id(line)) for line in unmarked], letter)
    _mark_wrapped(lines, letter)
    _mark_alike(lines)
    _mark_title(worded, letter)


def _is_taken_from(line: Line, letter: SentText) -> bool:
    """Is it what the letter shows in quotation marks, without them? A quotation has them, and who does as it says types none."""
    return line.words in letter.shown and _MARKS.isdisjoint(line.text)


def _mark_run(run: Sequence[Line], places: list[tuple[int, int] | None], last: int, end: int, letter: SentText) -> None:
    """Mark a run that ends at word `end`; a few words before it that are only the tail of a line may be typed."""
    for back, line in enumerate(reversed(run)):
        start = end - len(line.words)
        if back == len(run) - 1 and start not in letter.starts and len(line.words) <= MAX_TAIL_WORDS:
            return
        line.quoted, places[last - back] = True, (start, end)
        end = start


def _unmark_inserted(worded: Sequence[Line], places: list[tuple[int, int] | None], letter: SentText) -> None:
    """Words typed right before the same words of the quotation: the line that goes on with the letter is the quoted one."""
    for at, (line, following) in enumerate(itertools.pairwise(worded)):
        place = places[at]
        if place is not None and place[1] not in letter.ends and len(following.words) > len(line.words):
            start = place[0]
            if letter.words[start : start + len(following.words)] == list(following.words):
                line.quoted, places[at] = False, None
                following.quoted, places[at + 1] = True, (start, start + len(following.words))


def _mark_between(worded: Sequence[Line], places: Sequence[tuple[int, int] | None], letter: SentText) -> None:
    """A whole line of the letter that stands just where the quotation around it says it must is quoted too, and lines that are
    just what the letter has between two quoted ones."""
    known = [(at, place) for at, place in enumerate(places) if place is not None]
    for (above, first), (below, last) in itertools.pairwise(known):
        between = worded[above + 1 : below]
        if letter.words[first[1] : last[0]] == [word for line in between for word in line.words]:
            for line in between:
                line.quoted = True
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


def _mark_wrapped(lines: Sequence[Line], letter: SentText) -> None:
    """Mark what a mail program wrapped: the letter goes on in it where the quoted line above ends."""
    if all(line.quoted for line in lines):
        return
    ends: list[Place] = []
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


def _ends(words: Sequence[str], before: Iterable[Place], letter: SentText) -> list[Place]:
    """The ends of quoted words: right after what was quoted before if they stand there, else wherever they stand."""
    following = [place for start in before if (place := letter.follow(words, start))]
    if following:
        return following
    found = (letter.follow(words, (start, 0)) for start in letter.places.get(words[0], ()))
    return list(itertools.islice((place for place in found if place), MAX_PLACES))


def _wrapped_length(lines: Sequence[Line], at: int, ends: Sequence[Place], letter: SentText) -> int:
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


def _is_wrapped(lines: Sequence[Line], at: int, length: int, start: Place, end: Place, letter: SentText) -> bool:
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


def _mark_alike(lines: Sequence[Line]) -> None:
    """Mark the lines that begin like others that are known, with a sign, or with space like most that do."""
    indents = Counter(line.indent for line in lines if line.words and line.indent and not line.marked)
    known = Counter(line.indent for line in lines if line.words and line.quoted and not line.marked)
    for line in lines:
        is_mark = known[line.indent] >= MIN_ALIKE and (
            line.indent.strip() or 2 * known[line.indent] >= indents[line.indent]
        )
        if line.indent and is_mark:
            line.quoted = True


def _mark_title(worded: Sequence[Line], letter: SentText) -> None:
    """Mark a long line of the letter right between a header and what is quoted: some programs show its title there."""
    for above, line, below in zip(worded, worded[1:], worded[2:], strict=False):
        if has_colon(above.text) and below.quoted and not line.quoted and len(line.words) >= MIN_RUN_WORDS:
            ends = (at + len(line.words) for at in letter.find(line.words) if at in letter.starts)
            line.quoted = any(end in letter.ends for end in ends)
