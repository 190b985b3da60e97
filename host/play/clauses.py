"""Pure: a reply parted into clauses. In: its text. Out: each clause as typed, and how it is tied to what stands before it.

A room says what belongs together (`Game.split`); here stand the words by which people take back what they have just said,
and where a sentence, or a question, ends.
"""

import itertools
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from host.engine.words import first_names, pattern, plain

MAX_SAID = 6_000
"""Characters of a mail in which commands are looked for."""
MAX_CLAUSES = 100
"""No mail has more commands than that; what is longer is no reply."""
MOST_READ = 40
"""Clauses of a mail by which readings are ranked."""
MOST_PUT_RIGHT = 300
"""Words of a mail in which slips are looked for."""
SHOWN = 60
"""Characters of a clause that an answer shows."""

_TAKING_BACK = (
    r"(?:scratch|strike|scrap) that|edit(?=:)"
    r"|(?:forget|cancel|disregard|ignore) (?:that|this|it|the (?:above|last|first)(?: one)?"
    r"|my (?:last|first)(?: \w{1,12})?|what i (?:said|wrote))|correction|(?:on )?second thoughts?"
    r"|(?:i(?:['’]ve| have)? )?changed? my mind"
    r"|(?<!but )never ?mind(?! (?:the|my|about|if|that|how|what|him|her|them)\b)|i meant? the (?:exact )?opposite"
    r"|(?:that|this)(?:['’]?s| is| was) (?:all )?wrong(?=\s*(?:[.!?;]|$))"
    r"|i take (?:that|it) back|undo (?:that|this|it|the last)(?: one)?|my (?:bad|mistake)|typo|wrong one|w?h?o{2,5}ps(?:ie)?"
)
_SOFTLY = (
    r"(?<!\bi )(?<!\bi'll )wait(?: a (?:sec(?:ond)?|min(?:ute)?|moment))?"
    r"|(?:hang|hold) on(?! to\b)|sorry|sry|srry|apologies|actually|or rather|rather"
    r"|(?:i mean|(?:i |(?<=ops )|(?<=ops, )|(?<=rry )|(?<=rry, ))meant)(?: to (?:say|type|write|put))?"
    r"|(?:please )?make (?:that|it)"
    r"|(?:please )?change (?:that|it|this|my \w{1,12}) to"
    r"|on (?:further |second )?(?:reflection|reading)"
    r"|(?<=[,;] )better(?= (?!luck|not|safe)\w+[.!]*$)"
    r"|let['’]?s (?:make|say)(?: (?:that|it))?|no+|nope|nah|oh|hmm+|argh?|ugh|uh|um|er|well|ok(?:ay)?"
)
_SIGNS = r"(?<=\s)(?:/|\\|→|⇒)(?=\s)"
_GAP = r"[\s,.!;:…–—-]{1,6}"
_MARK = pattern(
    rf"{_SIGNS}\s*|(?<![\w'’])(?:{_TAKING_BACK}|{_SOFTLY})(?:{_GAP}(?:{_TAKING_BACK}|{_SOFTLY}))*(?![\w'’])[\s,.!;:…–—-]*",
    re.IGNORECASE,
)
_TAKES_BACK = pattern(
    rf"\b(?:{_TAKING_BACK})\b|\bno\b.{{0,6}}\bwait\b|\bwait\b.{{0,6}}\bno\b|\bactually\b.{{0,3}}\bno\b|\bno\W{{1,3}}sorry\b",
    re.IGNORECASE,
)
_ALONE_IT_STOPS = pattern(r"\b(?:wait|no+|nope|nah|hang on|hold on)\b", re.IGNORECASE)
_IS_FILLER = pattern(r"(?:oh|hmm+|argh?|ugh|uh|um|er|well|ok(?:ay)?|[\s,.!;:…–—-])*", re.IGNORECASE)
NO_ONLY = pattern(r"(?:no+|nope|nah)\W*", re.IGNORECASE)
_IF = pattern(r"(?<=[.!])(\s+)(?=If\b)")
_NUMERO = pattern(r"no\.? ?\d", re.IGNORECASE)
_LOUD_END = pattern(r"([?!]++)(\s*+)")
_WORD = pattern(r"[^\W_]+")
_COURTESY_IF = pattern(
    r"(?:,\s*+|(?<!\s)\s++)?\b(?:if|when|as long as|unless) (?:i (?:may|might|can)\b(?! (?:not|still))"
    r"|you(?:'d| would)? (?:please|would|be so (?:kind|good)|don't mind|wouldn't mind|can|get (?:a|the) (?:chance|moment))"
    r"|(?:it|that|this|number \w+|space \w+)(?:'s| is) (?:still |yet )?(?:there|free|available|open|left|closed|going)"
    r"|(?:it )?(?:is )?possible|i'?m allowed(?: to)?|nobody (?:minds|objects)|no ?one (?:minds|objects)"
    r"|(?:that|it|this)(?:'s| is) (?:ok|okay|alright|all right|fine|allowed|possible|not too late)"
    r"(?: (?:with|by) (?:you|everyone|everybody|all))?)\b",
    re.IGNORECASE,
)
_SENT_FROM = pattern(
    r"\s*(?:sent|get outlook) (?:from|for|via) (?:my|an?|outlook|yahoo|gmail|ios|android)\b"
    r"|\s*sent (?:from|via|with|by) \w[\w.'’-]*(?: \w[\w.'’-]*){0,3}\s*$|\s*get \w+ for (?:android|ios)\s*$",
    re.IGNORECASE,
)
_CLOSING = pattern(
    r"\W*(?:(?:with|many|my|kind|kindest|best|warm|warmest|friendly|yours) )*"
    r"(?:regards|wishes|greetings|[a-z]{3,}ly)(?: from [\w ]{1,30})?\W*",
    re.IGNORECASE,
)
_TELEPHONE = pattern(r"(?:(?:tel|phone|mobile|cell|fax|m|p|t)\b[.: ]*)?[+(\d][-\d ./()]*", re.IGNORECASE)
LEAST_DIGITS = 7
"""Digits of a telephone number with its area."""
_DIGITS = pattern(r"\d+")
_SAYS_NOTHING = pattern(
    r"(?<!\s)\s++in (?:exactly )?(?:this|that) (?:exact )?order\b|\bthank(?:s| you),? but(?= no\b)"
    r"|\b(?:erm+|uhm+|um+|uh+|hmm+|er)\b(?:…|\.{2,})|:[-']?[()D|/](?=\s|$)",
    re.IGNORECASE,
)
_LETTERS = pattern(r"(?<![^\W_])[^\W\d_]{3,20}(?!['’]?[^\W_])")
_EXCLAIMED = pattern(r"[^!?\n]+[!?]*|[!?\n]+")
_BULLETS = pattern(r"^[ \t]*(?:\d{1,2}[.)]|[a-h]\)|[-*•·–+>](?=[ \t]))[ \t]+", re.MULTILINE)
_NUMBER_AND = pattern(r"(?<=hundred|housand)( and )(?=[a-z0-9])", re.IGNORECASE)
_FINER = pattern(
    r"(?<!\s)[^\S\n]*+\n\s*+|(?<=[.!?…;])\s++|(?<=\.\.)(?=[^\W\d])|(?<!\s)\s++[-–—]++\s++"
    r"|[^\w\s\d.,:;!?'\"’‘“”()\[\]$€£#%+*/&=<>^|~`{}@\\_♣♧♦♢♥♡❤♠♤\uFE0F\u20E3-]+"
    r"|(?<![,\s]),\s++and\s++(?=(?:good|best|thanks?|cheers|have|see|all the|greetings|regards|love|happy|take care)\b)"
    r"|\s++(?:lol|lmao|haha+|hehe)\b\s*+|(?<![,\s])[,\s]++so\s++|(?<![,\s])(?<!thing)(?<!none)(?<!all)[,\s]++(?=but\s)"
    r"|(?<=\d)\s++(?=(?:an?d? )?[a-z]{3,9}\s++\d)",
    re.IGNORECASE,
)
_ANNOUNCED = pattern(r"([^:\n]{1,120}):\s+(?=(\S+)([^\n]{0,40}))")
_LEADING = pattern(
    r"^(?:(?:and|so|then|well|now|anyway|anyhow|ok|okay|right|also|plus|because)\b(?! (?:only|not|if|unless)\b)[\s,]*)+",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Clause:
    """One fragment of a reply: `fragment` as its room reads it, `typed` as it was written.

    `mark` are the words before it that may take back what was said; `marked` is the fragment with them. `is_question` where
    a question mark ends it, `begins` where it begins a sentence or a line; `line` and `sentence` are the numbers of these.
    """

    fragment: str
    typed: str
    mark: str = ""
    marked: str = ""
    is_question: bool = False
    is_respelt: bool = False
    begins: bool = True
    line: int = 0
    sentence: int = 0

    @property
    def takes_back(self) -> bool:
        """Do the words before it take back what was said, whatever follows?"""
        return _TAKES_BACK.search(self.mark) is not None or (
            not self.fragment and _ALONE_IT_STOPS.search(self.mark) is not None
        )


def place(text: str, clause: Clause) -> int:
    """Where a clause stands in its text, from 0; -1 where it was made up."""
    return plain(text).find(plain(clause.typed))


def behind(text: str, clause: Clause) -> str:
    """What stands behind a clause in its text, folded."""
    return plain(text)[place(text, clause) + len(plain(clause.typed)) :]


def clauses(
    typed_text: str,
    split: Callable[[str], tuple[str, ...]],
    respelt: Callable[[str], str] = lambda word: word,
    free_text: re.Pattern[str] | None = None,
) -> list[Clause]:
    """The clauses of a text, in order; no more than `MAX_CLAUSES`.

    `respelt` puts a word right, or leaves it; what `free_text` matches stays whole, whatever is in it.
    """
    found: list[Clause] = []
    typed_text = text = typed_text[:MAX_SAID]
    places: Callable[[int], int] = _same
    if not (free_text and free_text.search(typed_text)):
        text, places = _put_right(_prepared(typed_text), respelt)
    whole = [found.span() for found in free_text.finditer(text)] if free_text else []
    folded, origin = _folded(text)
    cursor = sentence = 0
    for mark, start, end in _segments(text, whole):
        mark_left, whole_start = mark, start - len(mark)
        parts = [
            (part, at) for at in _sentences(text, start, end, whole) for part in split(_without_end(text, at, whole))
        ]
        if not parts and mark:
            found.append(Clause("", mark.strip(), mark=mark, marked=mark, line=text.count("\n", 0, whole_start)))
        for part, (sentence_start, sentence_end) in parts:
            cursor = max(cursor, bisect_left(origin, sentence_start))
            span = _locate(part, folded, cursor, bisect_left(origin, sentence_end))
            typed, begins, asks, line = part, True, False, text.count("\n", 0, sentence_start)
            if span:
                first, last = origin[span[0]], origin[span[1] - 1] + 1
                typed = typed_text[places(first) : places(last - 1) + 1]
                asks = text[last:sentence_end].lstrip(" \"'”’)*_")[:1] == "?"
                before = text[max(0, first - 40) : first].rstrip(" \t\"'“‘(*_")
                begins = not before.strip() or before[-1] in ".!?…\n"
                line = text.count("\n", 0, first)
                cursor = span[1]
            marked = f"{mark_left.strip()} {part}" if mark_left else part
            is_respelt = text[first:last].casefold() != typed.casefold() if span else False
            sentence += begins
            found.append(Clause(part, typed, mark_left, marked, asks, is_respelt, begins, line, sentence))
            mark_left = ""
            if len(found) >= MAX_CLAUSES:
                return found
    return found


def _without_lines_said_twice(text: str) -> str:
    """A line of several words that stood above already is blank: a mail that was pasted twice says its moves once."""
    seen: set[str] = set()
    kept: list[str] = []
    for line in text.split("\n"):
        key = " ".join(_WORD.findall(line.casefold()))
        kept.append(" " * len(line) if key in seen and key.count(" ") >= 3 else line)
        seen.add(key)
    return "\n".join(kept)


def _without_exclamations_said_twice(text: str) -> str:
    """`Hit, call! Hit, call!`: what stands before an exclamation mark and right behind it again is blank there."""
    if "!" not in text:
        return text
    kept: list[str] = []
    before, is_exclaimed = "", False
    for part in _EXCLAIMED.findall(text):
        key = " ".join(_WORD.findall(part.casefold()))
        is_again = is_exclaimed and key == before and " " in key
        kept.append(" " * len(part) if is_again else part)
        before, is_exclaimed = key, part.endswith("!")
    return "".join(kept)


def _prepared(text: str) -> str:
    """The text without lines and exclamations said twice and what numbers a list, `two hundred and five` as one number.

    Each letter stays in its place.
    """
    text = _without_exclamations_said_twice(_without_lines_said_twice(text))
    if len(_BULLETS.findall(text)) > 1:
        text = _BULLETS.sub(lambda found: " " * len(found[0]), text)
    text = _SAYS_NOTHING.sub(lambda found: " " * len(found[0]), text)
    text = _COURTESY_IF.sub(lambda found: " " * len(found[0]), text)
    return _NUMBER_AND.sub("     ", text)


def _same(place: int) -> int:
    return place


def _put_right(text: str, respelt: Callable[[str], str]) -> tuple[str, Callable[[int], int]]:
    """The text with slips put right, and which place of what was typed each of its places stands for."""
    looked_at = itertools.islice(_LETTERS.finditer(text), MOST_PUT_RIGHT)
    changes = [(each.start(), each.end(), right) for each in looked_at if (right := respelt(each[0])) != each[0]]
    if not changes:
        return text, _same
    parts: list[str] = []
    origin: list[int] = []
    at = 0
    for start, end, right in changes:
        parts += [text[at:start], right]
        origin += [*range(at, start), *(min(start + place, end - 1) for place in range(len(right) - 1)), end - 1]
        at = end
    parts.append(text[at:])
    origin += range(at, len(text))
    return "".join(parts), origin.__getitem__


def pieces(clause: Clause, split: Callable[[str], tuple[str, ...]]) -> list[Clause]:
    """A clause that could not be read as a whole, parted further: at lines, dashes, colons, signs, `so`, `but`."""
    parts = [
        (at, part)
        for at, typed in _pieces_of(_NUMBER_AND.sub("     ", clause.typed))
        for part in (split(typed) if typed else ())
        if part
    ]
    if len(parts) < 2:
        return []
    last = parts[-1][0]
    return [
        replace(
            clause,
            fragment=part,
            typed=part,
            mark=clause.mark if number == 0 else "",
            marked=part,
            is_question=clause.is_question and at == last,
            begins=(clause.begins if at == 0 else _starts(clause.typed, at))
            and (number == 0 or parts[number - 1][0] != at),
        )
        for number, (at, part) in enumerate(parts)
    ]


def _pieces_of(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    announced = _ANNOUNCED.match(text)
    if announced and (announced[1].count(" ") > 1 or announced[2].isalpha()):
        yield 0, text[: announced.end()].rstrip(" :")
        at = announced.end()
    for found in _FINER.finditer(text, at):
        yield at, _LEADING.sub("", text[at : found.start()].strip(), count=1)
        at = found.end()
    yield at, _LEADING.sub("", text[at:].strip(), count=1)


def _starts(text: str, at: int) -> bool:
    """Does what stands here begin a sentence, a line, or what a colon or a dash has announced?"""
    before = text[:at].rstrip(" ")
    return not before or before[-1] in ".!?…\n:;–—-"


def _without_end(text: str, at: tuple[int, int], whole: Sequence[tuple[int, int]]) -> str:
    """A sentence without the question mark at its end, which `is_question` tells; free text keeps it."""
    part = text[at[0] : at[1]]
    return part if any(first < at[1] <= last for first, last in whole) else part.rstrip("? !")


def _segments(text: str, whole: Sequence[tuple[int, int]]) -> Iterator[tuple[str, int, int]]:
    """The text parted before words that may take something back: these words, and where what follows begins and ends."""
    start, mark = 0, ""
    for found in _MARK.finditer(text):
        if _IS_FILLER.fullmatch(found[0]) or not _parts(text, found.start(), found[0]):
            continue
        if any(first <= found.start() < last for first, last in whole):
            continue
        yield mark, start, found.start()
        mark, start = found[0], found.end()
    yield mark, start, len(text)


def _parts(text: str, at: int, mark: str) -> bool:
    """May these words take something back here? A `no` in the middle of a sentence does not."""
    before = text[:at].rstrip()
    if not before or (before[-6:].casefold() == "please" and not _TAKES_BACK.search(mark)):
        return False
    if before[-1] == ":" and "\n" in mark and NO_ONLY.fullmatch(mark):
        return False  # the value of a label
    if before[-1].isalnum() and _NUMERO.fullmatch(f"{mark}{text[at + len(mark) : at + len(mark) + 1]}"):
        return False  # `card no. 5`
    ends = any(each in mark for each in ".!;…")
    return (
        not NO_ONLY.fullmatch(mark) or ends or before[-1] in ",.!?;:…-–—(\n" or text[len(before) : at].count("\n") > 0
    )


def begins_to_take_back(line: str) -> bool:
    """Does a line begin with words that may take back what was said?"""
    found = _MARK.match(line.lstrip())
    return found is not None and not _IS_FILLER.fullmatch(found[0])


def has_second_thought(text: str) -> bool:
    """Do words that may take back stand behind others in a text?"""
    found = _MARK.finditer(text)
    return any(text[: each.start()].strip() and not _IS_FILLER.fullmatch(each[0]) for each in found)


def second_thought(text: str) -> tuple[str, str] | None:
    """`Paris, no wait, Rome`: what stands before and behind words in a text that may take back; None where there are none."""
    for found in _MARK.finditer(text):
        before, after = text[: found.start()].rstrip(), text[found.end() :].strip()
        is_set_off = before[-1:] in (*",.!?;:…-–—",) or _TAKES_BACK.search(found[0])
        if after and before and is_set_off and not _IS_FILLER.fullmatch(found[0]):
            return before.rstrip(" ,;:-–—"), after
    return None


def _sentences(text: str, start: int, end: int, whole: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """A segment parted behind question marks, and before a sentence that begins with `If`."""
    at = start
    ends = [
        (found.start() + found[1].find("?") + 1, found.end())
        for found in _LOUD_END.finditer(text, start, end)
        if found[2]
    ]
    ends = [(place, behind) for place, behind in ends if text[place - 1] == "?"]
    ends += [found.span() for found in _IF.finditer(text, start, end)]
    for place, behind in sorted(ends):
        if place < at or any(first <= place < last for first, last in whole):
            continue
        yield at, place
        at = behind
    if text[at:end].strip():
        yield at, end


def _folded(text: str) -> tuple[str, list[int]]:
    """The text as rooms see it, and for each of its characters the place that it came from."""
    folded: list[str] = []
    origin: list[int] = []
    for at, character in enumerate(text):
        for each in plain(character) or (" " if character.isspace() else ""):
            folded.append(each)
            origin.append(at)
    return "".join(folded), origin


def _locate(part: str, folded: str, start: int, end: int) -> tuple[int, int] | None:
    """The place of a fragment, from its first word to its last, between `start` and `end`; None where it was made up."""
    at = start
    first = -1
    for word in _WORD.findall(plain(part)):
        place = anywhere = folded.find(word, at, end)
        while place >= 0 and (
            folded[place - 1 : place].isalnum() or folded[place + len(word) : place + len(word) + 1].isalnum()
        ):
            place = folded.find(word, place + 1, end)  # `he`, and not in `then`
        place = anywhere if place < 0 else place
        if place < 0:
            continue
        first = place if first < 0 else first
        at = place + len(word)
    return (first, at) if first >= 0 else None


def unsigned(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines above a signature that begins with two dashes, without what a telephone adds, and without its number."""
    kept: list[str] = []
    for at, line in enumerate(lines):
        if line.rstrip() == "--" or (_CLOSING.fullmatch(line) and _is_name(lines[at + 1 :])):
            break
        if not (_SENT_FROM.match(line) or (kept and _is_telephone_number(line.strip()))):
            kept.append(line)
    return tuple(kept)


def _is_name(lines: Sequence[str]) -> bool:
    """Are these lines, one or two of them, the name of whoever signs: a first name, or words with capitals?"""
    found = [line.strip(" .,!") for line in lines if line.strip()]
    said = found[0].split() if len(found) in (1, 2) else []
    is_full = 1 < len(said) < 4 and all(word.istitle() and word.isalpha() for word in said)
    return is_full or (len(said) == 1 and plain(said[0]) in first_names())


def _is_telephone_number(line: str) -> bool:
    """Is it a line such as `(089) 45-1234`? In a list of codes or cards only blanks stand between short numbers."""
    groups = _DIGITS.findall(line) if _TELEPHONE.fullmatch(line) else []
    is_long = len("".join(groups)) >= LEAST_DIGITS and any(len(each) > 2 for each in groups)
    return is_long and len(groups) < LEAST_DIGITS and any(sign in line for sign in "+-()/.")


def shortened(text: str, most: int = SHOWN) -> str:
    """A text as an answer shows it: on one line, not cut inside a word."""
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    cut = text[:most].rsplit(" ", 1)[0]
    return f"{cut}…"
