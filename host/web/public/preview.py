"""Pure: pictures for link previews. In: a title, names, a table. Out: SVG; the cards that lie open, as they lie on the table."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from host.engine.cards import face

WIDTH, HEIGHT = 1200, 630
CARD_WIDTH, CARD_HEIGHT, GAP = 118, 160, 14
A_ROW, ROWS = 8, 2
LONGEST = 44
UNSEEN = "remaining"
"""Cards of a stock, in no order: they lie nowhere."""


def drawn(title: str, names: Sequence[str], standing: str, view: Mapping[str, Any], foot: str) -> str:
    """The picture."""
    cards = list(
        dict.fromkeys(each for each in cards_in({k: v for k, v in view.items() if k != UNSEEN}) if each != "??")
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" aria-label="{_text(f"{title}: {standing}", 200)}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#1f5c42"/>',
        f'<rect x="24" y="24" width="{WIDTH - 48}" height="{HEIGHT - 48}" rx="22" fill="none" stroke="#b8892b"/>',
        _line(title, 105, 58, "bold"),
        _line(" v ".join(names), 165, 38),
        _line(standing, 222, 38, "bold", "#f5d98b"),
        *_cards(cards[: A_ROW * ROWS]),
        _line(foot, HEIGHT - 48, 26, "normal", "#d8e6dd"),
        "</svg>",
    ]
    return "\n".join(parts)


def cards_in(value: Any) -> Iterator[str]:
    """The cards of a view, in order, those face down too."""
    if isinstance(value, str):
        if value == "??" or (len(value) == 2 and value[0] in "23456789TJQKAX" and value[1] in "cdhsrb"):
            yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from cards_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from cards_in(each)


def _cards(codes: Sequence[str]) -> list[str]:
    rows = [codes[at : at + A_ROW] for at in range(0, len(codes), A_ROW)]
    found = []
    for at, row in enumerate(rows):
        top = 256 + at * (CARD_HEIGHT + GAP) - (20 if len(rows) > 1 else -60)
        begin = (WIDTH - len(row) * (CARD_WIDTH + GAP) + GAP) // 2
        found += [_card(code, begin + place * (CARD_WIDTH + GAP), top) for place, code in enumerate(row)]
    return found


def _card(code: str, left: int, top: int) -> str:
    colour = "#b3201a" if code[1] in "dhr" else "#22201c"
    middle, base = left + CARD_WIDTH // 2, top + CARD_HEIGHT // 2 + 18
    return (
        f'<rect x="{left}" y="{top}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="12" fill="#fffdf7" stroke="#cfc6b2"/>'
        f'<text x="{middle}" y="{base}" text-anchor="middle" font-family="Georgia, serif" font-size="50" font-weight="bold" '
        f'fill="{colour}">{_text(face(code), 8)}</text>'
    )


def _line(text: str, base: int, size: int, weight: str = "normal", colour: str = "#ffffff") -> str:
    return (
        f'<text x="{WIDTH // 2}" y="{base}" text-anchor="middle" font-family="Georgia, serif" font-size="{size}" '
        f'font-weight="{weight}" fill="{colour}">{_text(text, LONGEST if size > 30 else 80)}</text>'
    )


def _text(text: str, most: int) -> str:
    cut = text if len(text) <= most else f"{text[: most - 1]}…"
    return escape(cut)
