"""Pure: sentences in which somebody says who they are. In: lines that hold no form. Out: a name, a nickname, a place.

A phrase begins it (`my name is`, `I live in`); what follows counts only where it is written like a name or a place, and
ends like one. Sentences that only begin alike say nothing. Where no phrase names anybody, a whole name that begins a
sentence does, with what stands behind it in the order of the form (`Jill Kane, Zappo, Fargo`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from host.engine.grammar import is_polite
from host.engine.words import courtesies, first_names, ordinary_words, pattern
from host.play.form_words import fold, is_region, phrase, words
from host.play.subjects import wants_in

WRAPPED_FROM = 45
"""A line as long as this, without an end, was probably wrapped by the mail program."""
MOST_READ = 4000
"""Characters."""
_BARE = pattern(
    r"(?:^|\n|[,;] ?|\band )(?:my )?(?:new )?(?:(?P<name>name)|(?P<nickname>nick ?name|nick)|(?P<hometown>home ?town)) +"
)
"""A label that no sign follows."""
_HERE = pattern(r",? (?:here|hier|ici|aqui|qui)\b")
"""Behind a name: it is the writer's."""
_FROM = pattern(r",? +(?:and )?(?:from|aus|uit) +")
"""Behind a name: what follows is a place."""
_GOES_ON = pattern(
    r",? (?:from|aus|uit)\b|,? and (?:i(?:'m| am)? (?:from|live|come|go)|my|people|they|every|friends)"
    r"|,? (?:und|et|y|e|en|och|og) "
)
"""Behind a single name, where it is one."""
_SENTENCE_END = pattern(
    r"(?<!\b[sfmjdSFMJD][trTR])(?<!\b[mM]s)(?<!\b[mMD]rs)(?<!\bRev)(?<!\bProf)(?<!\b\w)[.](?=\s)|[!?](?=\s)"
)
_QUOTED = pattern(r"[ \n]*[\"“„«]([^\"“”„«»\n]{1,40})[\"“”»]")
_WORD = pattern(r"[ \n]*([^\s]+)")
_PARTS = pattern(r"[,;/|\t]|:\s|(?<=\s)[-–—]\s")
_ANOTHER = pattern(r" +(?:and|&|\+) +")
_LONGEST = {"name": 5, "nickname": 3, "hometown": 4}
"""Words of a value."""


@dataclass(frozen=True)
class Form:
    """The fields of a registration; empty where it did not say them."""

    name: str = ""
    nickname: str = ""
    hometown: str = ""

    @property
    def says_something(self) -> bool:
        """Was anything said at all?"""
        return bool(self.name or self.nickname or self.hometown)


@dataclass(frozen=True)
class _Value:
    """A value that stands in a text up to `end`. `is_closed`: a sign or the end of the line closes it."""

    text: str
    end: int
    is_closed: bool

    @property
    def is_capital(self) -> bool:
        """Does it begin with a capital, or a letter that has none?"""
        return _looks_capital(self.text.removeprefix("the "))

    @property
    def is_small(self) -> bool:
        """Is it all in small letters, short, and is no word of it a sentence's?"""
        found = fold(self.text).split()
        return self.text.islower() and len(found) <= 3 and words("no_value").isdisjoint(found)


def sentence_end(text: str) -> int:
    """The end of the first sentence of a text, without its sign; the text's length where it is one."""
    found = _SENTENCE_END.search(text)
    return found.start() if found else len(text)


def joined(lines: Sequence[str]) -> str:
    """These lines as one text; those that a mail program wrapped are one line again."""
    text = ""
    for line in (" ".join(each.split()) for each in lines):
        last = text.rpartition("\n")[2]
        is_wrapped = len(last) >= WRAPPED_FROM and last[-1:].isalnum()
        text += (" " if is_wrapped else "\n") + line
    return text


def read_sentences(lines: Sequence[str], is_correction: bool = False) -> Form:
    """Finds what these lines say of a person; with `is_correction` only what names the thing that it is about."""
    text = joined(lines)[:MOST_READ]
    folded = fold(text)
    named = next(
        (each for each in _behind("name_is", text, folded, "name") if each.is_capital or _is_small_name(each)), None
    )
    if not named and not is_correction:
        named = next((each for each in _behind("i_am", text, folded, "name") if _is_alone(each, folded)), None)
    called = next((each for each in _behind("called", text, folded, "nickname") if _is_nickname(each, folded)), None)
    said = Form(named.text if named else "", called.text if called else "")
    if not named and not is_correction:
        lone = _unlabelled(text)
        said = Form(lone.name, said.nickname or lone.nickname, lone.hometown)
        if lone.hometown:
            return said
    bare = _bare_labels(text, folded)
    places = (
        _place(text, folded, lead.end()) for lead in phrase("town_is" if is_correction else "lives").finditer(folded)
    )
    hometown = next(filter(None, places), "")
    if not is_correction:
        behind = (_place_behind(text, folded, each.end) for each in (named, called) if each)
        hometown = next(filter(None, behind), hometown)
    return Form(
        said.name or bare.get("name", ""),
        said.nickname or bare.get("nickname", ""),
        hometown or bare.get("hometown", ""),
    )


def _behind(lead: str, text: str, folded: str, field: str) -> Iterator[_Value]:
    """The values behind the phrases of a name."""
    for found in phrase(lead, is_whole=lead == "i_am").finditer(folded):
        value = _value(text, found.end(), field)
        if value:
            yield value


def _is_alone(value: _Value, folded: str) -> bool:
    """`I'm Ann Lee.`, `I'm Ann from Dayton`: two names that end the clause, or one before more of the kind."""
    goes_on = _GOES_ON.match(folded, value.end) is not None
    return value.is_capital and (goes_on or (value.is_closed and " " in value.text))


def _is_small_name(value: _Value) -> bool:
    """Is it a name in small letters, and not what a name is like: `the name is fine`?"""
    found = fold(value.text).split()
    return value.is_small and not (ordinary_words().issuperset(found) and first_names().isdisjoint(found))


def _is_nickname(value: _Value, folded: str) -> bool:
    if value.is_capital:
        return value.is_closed or _stops(folded, value.end)
    return value.is_closed and " " not in value.text


def _bare_labels(text: str, folded: str) -> dict[str, str]:
    """`name Mike Ray and nickname Mickey`: what stands behind labels without a sign, and ends there."""
    found: dict[str, str] = {}
    for lead in _BARE.finditer(folded):
        field = str(lead.lastgroup)
        if field == "hometown":
            said = _place(text, folded, lead.end())
        else:
            value = _value(text, lead.end(), field)
            is_plain = value and (value.is_capital or value.is_small) and (value.is_closed or _stops(folded, value.end))
            said = value.text if value and is_plain else ""
        if said:
            found.setdefault(field, said)
    return found


def _unlabelled(text: str) -> Form:
    """Finds what neither a label nor a phrase introduces: `Jill Kane here from Fargo`; or name, nickname and town in a row."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        start = 0
        while start < len(line):
            end = start + sentence_end(line[start:])
            found = _lone_name(line[start:end], lines[at + 1 :] if end >= len(line) - 1 else ())
            if found.name:
                return found
            start = end + 1
    return Form()


def _lone_name(sentence: str, below: Sequence[str]) -> Form:
    """A name that begins a sentence, courtesies and a wish to play aside, and what stands behind it and `below`."""
    start, first = 0, len(sentence)
    for part in _PARTS.finditer(sentence):
        before = sentence[start : part.start()]
        if not is_polite(before) and not wants_in([before]):
            first = part.start()
            break
        start = part.end()
    folded = fold(sentence)
    value = _value(sentence[:first], start, "name")
    if value is None or not value.is_capital:
        return Form()
    another = _ANOTHER.match(folded, value.end)
    second = _value(sentence, another.end(), "name") if another else None
    whole = second if second and second.is_capital else value
    end = whole.end
    here = _HERE.match(folded, end)
    place = _place_behind(sentence, folded, here.end() if here else end)
    is_name = is_whole_name(value.text) or fold(value.text) in first_names()
    if (here and (is_name or fold(value.text) not in ordinary_words())) or (place and is_name):
        return Form(value.text, "", place)
    if not is_whole_name(value.text) or not whole.is_closed:
        return Form()
    return Form(value.text, *_in_order([each for each in _PARTS.split(sentence[end:]) if each.strip()], below))


def _in_order(beside: Sequence[str], below: Sequence[str]) -> tuple[str, str]:
    """Nickname and town, as they stand behind a name and in the lines below it. One value alone is the town."""
    found: list[str] = []
    for part in (*beside, *(below if all(map(is_plain_value, beside)) else ())):
        if not is_plain_value(part):
            break
        if part in below or len(found) == 0 or not is_region(part):
            found.append(part.strip(" .*"))
        else:
            found[-1] += f", {part.strip(' .')}"
    kept = ["" if fold(each) in words("none") else each for each in found[:2]]
    return (kept[0], kept[1]) if len(kept) > 1 else ("", "".join(kept))


def is_plain_value(part: str) -> bool:
    """Is it written like a nickname or a town, and no talk?"""
    found = [_bare(each) for each in part.split()]
    bare = {fold(each) for each in found}
    if fold(part.strip(" .")) in words("none"):
        return True
    is_said = part.rstrip().endswith(("!", "?", ":")) or is_polite(part) or len(found) > _LONGEST["hometown"]
    if is_said or bare & (words("no_value") - {"the"} | words("stops") | words("joining") | words("played")):
        return False
    is_small = len(found) == 1 and not bare & ordinary_words()
    return is_small or _is_written_like_a_name(found)


def _is_written_like_a_name(found: Sequence[str]) -> bool:
    return all(_looks_capital(each) or each in words("particles") for each in found)


def is_whole_name(text: str) -> bool:
    """Is it written like a first and a last name, and is it no greeting or title?"""
    found = fold(text).split()
    no_name = words("no_value") | words("joining") | words("played") | frozenset(map(fold, courtesies()))
    if len(found) < 2 or not no_name.isdisjoint(found) or is_polite(text):
        return False
    is_known = found[0] in first_names() or not ordinary_words().issuperset(found)
    return is_known and _is_written_like_a_name(text.split())


def _place_behind(text: str, folded: str, end: int) -> str:
    """`Ann from Dayton`: what stands behind a name."""
    behind = _FROM.match(folded, end)
    return _place(text, folded, behind.end()) if behind else ""


def _place(text: str, folded: str, start: int) -> str:
    """A place, with what stands behind a comma of it: `Dayton, Ohio`."""
    value = _value(text, start, "hometown")
    if value is None or not (value.is_capital or (value.is_small and not _has_names(text))):
        return ""
    found, end = value.text, value.end
    while value and value.is_capital and found.count(",") < 2 and text[end : end + 2] == ", ":
        value = _value(text, end + 1, "hometown")
        if value and value.is_capital and (value.is_closed or _stops(folded, value.end)):
            found, end = f"{found}, {value.text}", value.end
        else:
            break
    return found


def _value(text: str, start: int, field: str) -> _Value | None:
    """Reads a value that stands at a place of a text: quoted, or words that are written like one."""
    quoted = _QUOTED.match(text, start)
    if quoted and quoted[1].strip(" ,."):
        return _Value(quoted[1].strip(" ,."), quoted.end(), is_closed=True)
    particles, no_value = words("particles"), words("no_value")
    kept: list[str] = []
    end, is_closed = start, False
    while not is_closed and (found := _WORD.match(text, end)):
        bare = _bare(found[1])
        if (kept and "\n" in text[end : found.start(1)]) or _is_stop(bare, is_first=not kept):
            break
        small = fold(bare)
        if kept and bare.islower() and _looks_capital(kept[0]) and (small in no_value or small not in particles):
            break
        if (small in no_value and bare.islower()) and not (field == "hometown" and small == "the" and not kept):
            return None
        if not re.fullmatch(r"[^\W\d_][\w'’.-]*", bare) or len(kept) == _LONGEST[field]:
            return None
        kept.append(bare)
        end = found.start(1) + len(bare)
        is_closed = bare != found[1]
    while kept and kept[-1] in particles | {"the"}:
        kept.pop()
    if not kept or not _may_begin(kept):
        return None
    return _Value(" ".join(kept), end, is_closed or not text[end:].partition("\n")[0].strip())


def _may_begin(kept: Sequence[str]) -> bool:
    """Is the first word none of a sentence? `the Netherlands` is a place, `the internet` is none."""
    if fold(kept[0]) == "the":
        return len(kept) > 1 and _looks_capital(kept[1])
    return fold(kept[0]) not in words("no_value")


def _bare(word: str) -> str:
    """A word without what closes it; `St.` and `J.` keep their dot."""
    bare = word.rstrip(",;:!?)\"”'*")
    return bare.rstrip(".") if sentence_end(bare + " ") < len(bare) or bare.endswith("..") else bare


def _is_stop(word: str, is_first: bool) -> bool:
    """Does something new begin with this word? `I` does, `La Barre` does not."""
    small = fold(word).strip(".")
    return small in words("stops") and (word.islower() or is_first or len(word) == 1 or "'" in small)


def _looks_capital(word: str) -> bool:
    """Is its first letter a capital, or one that has none?"""
    return not word[:1].islower()


def _has_names(text: str) -> bool:
    """Does this text write names with capitals, within its sentences?"""
    return re.search(r"[^\W\d_],? (?!I\b)(?=[^\W\d_])[^\Wa-z\d_]", text) is not None


def _stops(folded: str, end: int) -> bool:
    """Does something new begin here?"""
    found = _WORD.match(folded, end)
    stops = words("stops") | {"please", "in", "for"}
    return found is None or found[1].strip(",.;:!?") in stops or "\n" in folded[end : found.start(1)]
