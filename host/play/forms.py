"""Pure: forms of what people write. In: a data file, the name of some of its forms. Out: their pattern; words in full.

The syntax is that of hassil's sentence templates: words, `[what may be left out]`, `(one | of these)` and `<parts>`, which are
forms that stand under `[parts]` in the same file. Semicolons part the forms of a name. `...` stands for up to six words; `!word`
says that this word does not stand there: behind what comes before it or, where a form begins with it, before the form.

A clause that has a form from its first word to its last says nothing else: no move, no negation, no condition.
"""

import functools
import re
from collections.abc import Mapping, Sequence

from host.engine.words import pattern, table

WORD = pattern(r"[^\W_]+(?:'[^\W_]+)*")
_TOKEN = pattern(r"[\[\]()|]|[^\s\[\]()|]+")
_PART = pattern(r"<([^<>]+)>")
_SIGNS = {"[": "(?:", "]": ")?", "(": "(?:", ")": ")", "|": "|", "...": r"(?:\S+ ){0,6}?"}


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
