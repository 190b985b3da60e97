"""Pure: forms of what people write, pleas and turns of speech among them. In: a text. Out: its pattern, what it is.

The syntax is that of hassil's sentence templates: words, `[what may be left out]`, `(one | of these)` and `<parts>`, which are
forms that stand under `[parts]` in the same file. Semicolons part the forms of a name. `...` stands for up to six words; `!word`
says that this word does not stand there: behind what comes before it or, where a form begins with it, before the form.

A clause that has a form from its first word to its last says nothing else: no move, no negation, no condition.

A plea asks for time, or tells of an absence: who, what, and until when or for how long. `Wait` alone is none, and nothing
about cards is: `hit until 17`, `give me time to fold`.
"""

import functools
import re
from collections.abc import Mapping, Sequence
from typing import get_args

from host.engine.vocabulary import Idea
from host.engine.words import FILLERS, frames, pattern, plain, table

WORD = pattern(r"[^\W_]+(?:'[^\W_]+)*")
CLAUSE = pattern(r"[^,;.!?]+[,;.!?]*")
BETWEEN_SENTENCES = pattern(r"(?<=[.!?;])\s+")
_TOKEN = pattern(r"[\[\]()|]|[^\s\[\]()|]+")
_PART = pattern(r"<([^<>]+)>")
_SIGNS = {"[": "(?:", "]": ")?", "(": "(?:", ")": ")", "|": "|", "...": r"(?:\S+ ){0,6}?"}
MAX_LOOKED_AT = 2_000
"""Characters of a text in which a plea is looked for."""
_PARTING = pattern(r",|(?<=\s)[-–—]+(?=\s)")
_RUN = pattern(r"[\w\s',-]+")
"""Words that no sign but a comma parts."""
MOST_WORDS = 16
"""Words: what is longer is a story."""
IDEAS: tuple[Idea, ...] = get_args(Idea)
_PLUS = pattern(r"\+ ?(\d)")
_THANKS = pattern(r"\bthank you\b")


@functools.cache
def forms(file: str, name: str) -> re.Pattern[str]:
    """The forms of a name, for words with a blank behind each: as a whole, at their beginning, or anywhere in them."""
    found = table("host.play", f"{file}.toml")
    written = "|".join(_written_out(form, found["parts"]) for form in found["forms"][name].split(";"))
    return re.compile(rf"(?<![\w'])(?:{written})")


def _written_out(form: str, parts: Mapping[str, str]) -> str:
    while "<" in form:
        form = _PART.sub(lambda part: f"({parts[' '.join(part[1].split())]})", form)
    written = ""
    for token in _TOKEN.findall(form):
        if token.startswith("!"):
            written += f"(?!{token[1:]} )" if written else f"(?<!{token[1:]} )"
        else:
            written += _SIGNS.get(token) or token + " "
    return written


def words_in(text: str) -> str:
    """The words of a folded text in full, with a blank behind each."""
    return "".join(f"{word} " for word in in_full(WORD.findall(text)))


def contractions() -> Mapping[str, str]:
    """Words written together, or without their apostrophe, in full."""
    short: Mapping[str, str] = table("host.play", "contractions.toml")["words"]
    return short


def in_full(found: Sequence[str]) -> list[str]:
    """The words with contractions written out."""
    short = contractions()
    endings: Mapping[str, str] = table("host.play", "contractions.toml")["endings"]
    full: list[str] = []
    for word in found:
        ending = next((each for each in endings if word.endswith(each)), "") if "'" in word else ""
        if word in short:
            full += short[word].split()
        else:
            full += [word.removesuffix(ending), endings[ending]] if ending else [word]
    return full


def is_plea(text: str) -> bool:
    """Does it ask for time, or tell of an absence?"""
    runs = map(words_in, _RUN.findall(plain(text[:MAX_LOOKED_AT])))
    return any(forms("pleas", "plea").search(run) for run in runs)


def without_pleas(lines: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """The lines without the sentences that are pleas, and whether there was one; a plea may go over several lines.

    Of a sentence with commas or dashes only those parts are taken out that plead by themselves, if any does.
    """
    if not is_plea(" ".join(lines)):
        return tuple(lines), False
    rest = [" ".join(filter(None, map(_unpleading, BETWEEN_SENTENCES.split(line)))) for line in lines]
    if is_plea(" ".join(rest)):
        return (), True
    return tuple(filter(None, rest)), True


def _unpleading(sentence: str) -> str:
    if not is_plea(sentence):
        return sentence
    parts = _PARTING.split(sentence)
    kept = [part for part in parts if not is_plea(part)]
    return ", ".join(kept).strip(" ,") if len(kept) < len(parts) else ""


@functools.cache
def _around() -> tuple[frozenset[str], frozenset[str]]:
    """Words that may stand around a saying without being a part of it: behind it, and before it."""
    words = table("host.play", "idioms.toml")["words"]
    behind = (frames().neutral | FILLERS) - frozenset(words["meaning"].split())
    return behind, behind | frozenset(words["before"].split())


@functools.cache
def words_of_doing() -> frozenset[str]:
    """The words by which somebody says that they do something, whatever it is."""
    parts = table("host.play", "idioms.toml")["parts"]
    return frozenset(WORD.findall(" ".join(parts[each] for each in ("doing", "anything", "extra", "stuff"))))


@functools.lru_cache(maxsize=1024)
def idea_of(text: str) -> Idea | None:
    """The idea that a folded clause says, and nothing else; None where it says none."""
    said = in_full(WORD.findall(_PLUS.sub(r"\1 more", _THANKS.sub("thanks", text))))
    if not 0 < len(said) <= MOST_WORDS:
        return None
    behind, before = _around()
    while True:
        whole = " ".join((*said, ""))
        for idea in IDEAS:
            if forms("idioms", idea).fullmatch(whole):
                return idea
        if len(said) > 2 and said[-2] == "this" and said[-1] in ("time", "turn", "hand", "round"):
            said = said[:-2]
        elif len(said) > 1 and said[-1] in behind:
            said = said[:-1]
        elif len(said) > 1 and said[0] in before:
            said = said[1:]
        else:
            return None
