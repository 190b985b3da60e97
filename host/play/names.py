"""Pure: what a contestant is called, and which addresses are one mailbox. In: names, addresses. Out: a name; those addresses.

A name is never a surname, an address, the host's name or a word that means something else; distinct, by `-2`, `-3`, ... where
needed. What it means that addresses deliver to one mailbox the host decides: a family may share it, and nobody is refused for it.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence

from host.engine.words import plain

RESERVED = frozenset(
    """host all podium yes no nobody everybody everyone somebody someone anybody anyone i me my mine myself you your yours
    yourself he him his she her hers it its we us our ours they them their theirs""".split()
)
"""What commands and letters use for somebody or something else."""
_FORGOTTEN = re.compile(r"gone-?\d*")
"""What those are called who were forgotten."""
COLOURS = frozenset("red gold blue".split())
"""Of podiums. A name that is one of them gets a number."""
_TITLES = frozenset("dr mr mrs ms miss mx prof rev sir".split())
_LATIN = str.maketrans(
    dict(zip("ŁłØøĐđÐðıĦħŊŋƏə", "LlOoDdDdiHhNnEe", strict=True))
    | {"Æ": "Ae", "æ": "ae", "Œ": "Oe", "œ": "oe", "Þ": "Th", "þ": "th", "ß": "ss", "ẞ": "SS"}
)
"""Letters that are no plain one with a sign above or below."""
_LETTERS = frozenset(("Lu", "Ll", "Lt", "Lo"))
_ALIKE = re.compile("[\u0370-\u052f]")
"""Greek and Cyrillic, whose letters look like plain ones: a word of both is read without them."""
_ACCENTS = re.compile(
    "[\u0483-\u0489\u115f\u1160\u2cef-\u2cf1\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]"
)
"""Signs of no script of their own, of which any number can be piled up, and signs that nobody sees."""
MAX_LENGTH = 20
_WITHOUT_DOTS = frozenset(("gmail.com", "googlemail.com"))
"""Where dots before the @ do not count, and both names are one."""


def called(name: str, nickname: str, is_taken: Callable[[str], bool], host: str = "") -> str:
    """The nickname, else the first name, else `Player`, made typeable and distinct. `host` is the name of the host."""
    given, surnames = _parts(name)
    words = [] if "@" in nickname else [_typeable(word) for word in nickname.split()]
    kept = [word for word in words if word and word.casefold() not in surnames]
    candidates = (kept, [_typeable(given)])
    base = next((_joined(each) for each in candidates if _joined(each) and not _means_another(each, host)), "Player")
    if base.casefold() not in COLOURS and not base.isdigit() and not is_taken(base):
        return base
    return f"{base}-{_free(lambda number: is_taken(f'{base}-{number}'))}"


def why_not(name: str, nickname: str, host: str = "") -> str:
    """Why somebody is not called by the nickname that they gave, as a sentence; nothing where they are."""
    shown = nickname[: 2 * MAX_LENGTH]
    words = [_typeable(word) for word in nickname.split()]
    _, surnames = _parts(name)
    if not words or own(name, nickname, host) == _joined(word for word in words if word):
        return ""
    if not any(words) or "@" in nickname:
        return f"“{shown}” is no nickname that others could type."
    if _means_another(words, host):
        return f"Nobody can be called “{shown}”: it would be taken for somebody else."
    if own(name, nickname, host).casefold().startswith(_joined(words).casefold()):
        return f"“{shown}” alone means something else at the table, so a number stands behind it."
    if not surnames.isdisjoint(word.casefold() for word in words):
        return f"“{shown}” is, or holds, your last name, which nobody is shown."
    return ""


def _means_another(words: Iterable[str], host: str) -> bool:
    """Are these words what commands and letters use for somebody else, or the host's name, an article aside?"""
    said, called = (
        [part for word in some for part in _typeable(word).casefold().split("-") if part not in ("", "a", "the")]
        for some in (words, host.split())
    )
    return bool(said) and (said == called or RESERVED.issuperset(said) or bool(_FORGOTTEN.fullmatch("-".join(said))))


def own(name: str, nickname: str, host: str = "") -> str:
    """The name of somebody where nobody else is called so."""
    return called(name, nickname, lambda _: False, host)


def at_table(people: Sequence[tuple[str, str]], host: str = "") -> tuple[str, ...]:
    """The names of these people at one table, each a name and a nickname; who comes later gets a number where two are alike."""
    found: list[str] = []

    def is_taken(candidate: str) -> bool:
        return candidate.casefold() in {each.casefold() for each in found}

    for name, nickname in people:
        found.append(called(name, nickname, is_taken, host))
    return tuple(found)


def _joined(words: Iterable[str]) -> str:
    return "-".join(word for word in words if word)[:MAX_LENGTH].strip("-")


def _free(is_taken: Callable[[int], bool]) -> int:
    """A free number from 2 on, with few questions: the first one where those taken have no gaps."""
    low, high = 1, 2
    while is_taken(high):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_taken(middle) else (low, middle)
    return high


def unnamed(line: str, *names: str) -> str:
    """A line without the words of its writer's names: what stands beside a signature."""
    own = {word for name in names for word in plain(name).split()}
    return " ".join(word for word in line.split() if plain(word).strip(",.!-") not in own)


def _parts(name: str) -> tuple[str, frozenset[str]]:
    """The first name, and the surnames folded; `Lee, Ann` has the surname first."""
    if "@" in name:
        return "", frozenset()
    if "," in name:
        last, _, first = name.partition(",")
        words = [*first.split(), *last.split()]
    else:
        words = name.split()
    untitled = [word for word in words if word.casefold().rstrip(".") not in _TITLES]
    given = (untitled or words or [""])[0]
    return given, frozenset(_typeable(word).casefold() for word in words if word != given) - {
        _typeable(given).casefold()
    }


def _typeable(word: str) -> str:
    """Plain letters where all have some (`José` is `Jose`, `Łukasz` is `Lukasz`), else its own letters with their vowel signs."""
    folded = "".join(
        each for each in unicodedata.normalize("NFKD", word).translate(_LATIN) if not unicodedata.combining(each)
    )
    others = [each for each in folded if unicodedata.category(each) in _LETTERS and not each.isascii()]
    if others and not (_ALIKE.search("".join(others)) and re.search("[A-Za-z]", folded)):
        whole = _ACCENTS.sub("", unicodedata.normalize("NFC", word))
        return "".join(each for each in whole if unicodedata.category(each)[0] in "LMN" or each == "-").strip("-")
    return re.sub(r"[^A-Za-z0-9_-]", "", folded).strip("-_")


def mailbox_of(address: str) -> str:
    """An address as its mailbox: without a tag behind a plus, and without dots where they do not count."""
    local, _, domain = address.lower().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in _WITHOUT_DOTS:
        local, domain = local.replace(".", ""), "gmail.com"
    return f"{local}@{domain}"


def alike(addresses: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """For each address that shares its mailbox the others that do."""
    boxes: dict[str, list[str]] = {}
    for each in dict.fromkeys(addresses):
        boxes.setdefault(mailbox_of(each), []).append(each)
    return {each: tuple(other for other in box if other != each) for box in boxes.values() for each in box if box[1:]}
