"""Pure: what a contestant is called. In: their name and nickname, the names taken. Out: a short name that can be typed.

Never a surname, an address, `host` or the colour of a podium; distinct, by `-2`, `-3`, ... where needed.
"""

import re
import unicodedata
from collections.abc import Callable

RESERVED = frozenset({"host", "red", "gold", "blue", "all", "podium"})
MAX_LENGTH = 20


def called(name: str, nickname: str, is_taken: Callable[[str], bool]) -> str:
    """The nickname, else the first name, else `Player`, made typeable and distinct."""
    given, surnames = _parts(name)
    words = [] if "@" in nickname else [_typeable(word) for word in nickname.split()]
    kept = [word for word in words if word and word.casefold() not in surnames] or [_typeable(given)]
    base = "-".join(word for word in kept if word)[:MAX_LENGTH].strip("-") or "Player"
    number, candidate = 1, base
    while candidate.casefold() in RESERVED or candidate.isdigit() or is_taken(candidate):
        number += 1
        candidate = f"{base}-{number}"
    return candidate


def _parts(name: str) -> tuple[str, frozenset[str]]:
    """The first name, and the surnames folded; `Lee, Ann` has the surname first."""
    if "@" in name:
        return "", frozenset()
    if "," in name:
        last, _, first = name.partition(",")
        words = [*first.split(), *last.split()]
    else:
        words = name.split()
    given = words[0] if words else ""
    return given, frozenset(_typeable(word).casefold() for word in words[1:]) - {_typeable(given).casefold()}


def _typeable(word: str) -> str:
    """Plain letters where there are any (`José` is `Jose`), else the letters of its own alphabet."""
    folded = "".join(each for each in unicodedata.normalize("NFKD", word) if not unicodedata.combining(each))
    ascii_only = re.sub(r"[^A-Za-z0-9_-]", "", folded)
    return (ascii_only or re.sub(r"[\W_]", "", unicodedata.normalize("NFC", word))).strip("-_")
