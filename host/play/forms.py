"""Pure: forms of what people write. In: forms, a clause. Out: the pattern of the forms, the clause's words in full.

A form is written in words, `[what may be left out]`, `(one | of these)` and `<parts>`, which are forms themselves. A clause
has to be a form from its first word to its last, so whatever else it says (a move, a negation, a condition) makes it none.
"""

import re
from collections.abc import Mapping, Sequence

WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
SHORT = {"can't": "can not", "cannot": "can not", "won't": "will not", "let's": "let us"} | {
    "wanna": "want to",
    "gonna": "going to",
    "gotta": "have to",
    "whos": "who is",
    "whats": "what is",
    "wheres": "where is",
    "whens": "when is",
    "hows": "how is",
    "im": "i am",
    "id": "i would",
    "ive": "i have",
    "dont": "do not",
    "didnt": "did not",
    "cant": "can not",
    "wont": "will not",
    "isnt": "is not",
}
"""Words written together, or without their apostrophe, in full."""
_ENDINGS = {"n't": " not", "'m": " am", "'re": " are", "'s": " is", "'d": " would", "'ll": " will", "'ve": " have"}


def pattern(forms: str, parts: Mapping[str, str]) -> str:
    """The pattern of what has one of these forms, parted by semicolons, for a text in which a blank follows each word."""
    return "|".join(_written_out(form, parts) for form in forms.split(";"))


def _written_out(form: str, parts: Mapping[str, str]) -> str:
    form = " ".join(form.split())
    while "<" in form:
        form = re.sub(r"<([^<>]+)>", lambda part: f"({parts[part[1]]})", form)
    signs = {"[": "(?:", "]": ")?", "(": "(?:", ")": ")", "|": "|"}
    return "".join(signs.get(each) or f"{each} " for each in re.findall(r"[\[\]()|]|[^\s\[\]()|]+", form))


def in_full(found: Sequence[str]) -> list[str]:
    """The words with contractions written out."""
    full: list[str] = []
    for word in found:
        ending = next((each for each in _ENDINGS if word.endswith(each)), "") if "'" in word else ""
        whole = SHORT.get(word) or (word.removesuffix(ending) + _ENDINGS[ending] if ending else word)
        full += whole.split()
    return full
