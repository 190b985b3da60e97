"""Pure: the spelling in letters. In: sums, names, cards, paragraphs. Out: words, and lines that no mail program wraps."""

import functools
import textwrap
from collections.abc import Callable, Container, Iterable, Sequence
from datetime import UTC, datetime

from host.engine.cards import face
from host.engine.words import pattern

TEXT_WIDTH = 58
"""Mail programs wrap at 72 to 78; a quoted line that is wrapped loses its mark."""
CARD = pattern(r"(?<!\S)[2-9TJQKA][cdhs](?!\S)")
_TENS = pattern(r"(?<!\S)T(?=[cdhs]?(?!\S))")


def money(amount: int) -> str:
    """`$2,500`."""
    return f"${amount:,}"


def many(count: int, thing: str) -> str:
    """`1 episode`, `3 episodes`."""
    return f"{count} {thing}{'' if count == 1 else 's'}"


def moment(at: datetime) -> str:
    """A moment for programs, in UTC and whole seconds: `2026-11-29T12:43:34Z`."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def were(count: int, thing: str) -> str:
    """`1 question was`, `3 questions were`."""
    return f"{many(count, thing)} {'was' if count == 1 else 'were'}"


def listed(names: Iterable[str]) -> str:
    """`Ann`, `Ann and Bob`, `Ann, Bob and Cleo`."""
    names = list(names)
    return " and ".join([*([", ".join(names[:-1])] if names[:-1] else []), *names[-1:]])


@functools.lru_cache(maxsize=1024)
def fold(text: str) -> str:
    """A paragraph in lines that no mail program wraps again."""
    hanging = "  " if text.startswith(("* ", "- ")) else ""
    return "\n".join(
        textwrap.fill(line, TEXT_WIDTH, initial_indent=hanging if at else "", subsequent_indent=hanging)
        for at, line in enumerate(text.split("\n"))
    )


def continued(text: str, word: str) -> str:
    """A list whose lines after the first begin with `and:` or `or:`, so that none of them is by itself a command."""
    return textwrap.fill(text, TEXT_WIDTH, subsequent_indent=f"  {word}: ").replace("\N{NO-BREAK SPACE}", " ")


def commands(said: Iterable[str]) -> str:
    """Commands as people read them, with commas between; in the text of a letter a line ends only between two of them."""
    return ", ".join(
        shown(each).replace(" ", "\N{NO-BREAK SPACE}" if len(each) < TEXT_WIDTH // 2 else " ") for each in said
    )


def centred(text: str, width: int) -> str:
    """The text in the middle of `width` signs; the sign that makes a suit black and white has no width."""
    gap = width - len(text.replace("\ufe0e", ""))
    return " " * (gap // 2) + text + " " * (gap - gap // 2)


def card_face(code: str) -> str:
    """A card as letters show it; one face down stays `??`."""
    return code if code == "??" else face(code)


def typed(text: str) -> str:
    """A command as people type it: a ten is `10d`, never `Td`, which stands in records only."""
    return _TENS.sub("10", text)


def shown(text: str) -> str:
    """A command as people read it: `attack K♥ 10♠`."""
    return typed(CARD.sub(lambda found: face(found[0]), text))


def runs(present: Container[str], order: Sequence[str]) -> str:
    """Which of `order` are there, neighbours drawn together: `2-4 6 9-K`; a dash where none is."""
    groups: list[list[str]] = [[]]
    for each in order:
        if each in present:
            groups[-1].append(each)
        elif groups[-1]:
            groups.append([])
    joined = (f"{found[0]}-{found[-1]}" if len(found) > 1 else found[0] for found in groups if found)
    return " ".join(joined) or "-"


def lower_you(who: str) -> str:
    """`you` within a sentence, names as they are."""
    return "you" if who == "You" else who


def quoted(text: str) -> str:
    """The text in the marks of a quotation."""
    return f"“{text}”"


def first_up(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]


def ended(text: str) -> str:
    """The text with the mark at its end that a sentence has."""
    return text if text.rstrip("\"'”’)")[-1:] in ".?!" else f"{text}."


FILTERS: dict[str, Callable[..., str]] = {
    each.__name__: each
    for each in (
        centred,
        commands,
        continued,
        ended,
        first_up,
        fold,
        listed,
        lower_you,
        money,
        quoted,
        runs,
        shown,
        typed,
    )
} | {"face": card_face}
"""How all templates, of letters and of pages, write things."""
