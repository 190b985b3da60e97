"""Edge: pictures for link previews. In: a title, names, a table. Out: PNG; the cards that lie open, as they lie on the table.

What shows links shows no SVG, so it is drawn here. The font that comes with the library draws Latin letters; a line with others
is left out, since the preview's own title has it in words.
"""

import functools
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from PIL import Image, ImageDraw, ImageFont

KIND = "image/png"
WIDTH, HEIGHT = 1200, 630
CARD_WIDTH, CARD_HEIGHT, GAP = 118, 150, 14
A_ROW, ROWS = 8, 2
SUIT, FINER = 56, 6
"""How wide a suit's sign is, and how much larger it is drawn before it is made small and smooth."""
LAST_LETTER = 0x17F
LONGEST = 52
UNSEEN = "remaining"
"""Cards of a stock, in no order: they lie nowhere."""
GREEN, GOLD, PAPER, INK, RED, PALE = "#1f5c42", "#b8892b", "#fffdf7", "#22201c", "#b3201a", "#d8e6dd"
Box = tuple[float, float, float, float]
SIGNS: Mapping[str, tuple[tuple[Box, ...], tuple[tuple[tuple[float, float], ...], ...]]] = {
    "d": ((), (((0.5, 0), (0.88, 0.5), (0.5, 1), (0.12, 0.5)),)),
    "h": (((0.04, 0.08, 0.54, 0.58), (0.46, 0.08, 0.96, 0.58)), (((0.09, 0.46), (0.91, 0.46), (0.5, 1)),)),
    "s": (
        ((0.04, 0.34, 0.54, 0.84), (0.46, 0.34, 0.96, 0.84)),
        (((0.5, 0), (0.92, 0.5), (0.08, 0.5)), ((0.5, 0.55), (0.7, 1), (0.3, 1))),
    ),
    "c": (
        ((0.27, 0, 0.73, 0.46), (0.02, 0.36, 0.48, 0.82), (0.52, 0.36, 0.98, 0.82)),
        (((0.4, 0.3), (0.6, 0.3), (0.6, 0.7), (0.4, 0.7)), ((0.5, 0.5), (0.68, 1), (0.32, 1))),
    ),
}
"""Suits, drawn in a box of one by one: circles, and corners of shapes."""


def drawn(title: str, names: Sequence[str], standing: str, view: Mapping[str, Any], foot: str) -> bytes:
    """The picture."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), GREEN)
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((24, 24, WIDTH - 24, HEIGHT - 24), 22, outline=GOLD, width=4)
    for text, middle, size, colour in (
        (title, 88, 58, "white"),
        (" v ".join(names), 152, 38, "white"),
        (standing, 208, 38, "#f5d98b"),
        (foot, HEIGHT - 52, 26, PALE),
    ):
        if all(ord(letter) <= LAST_LETTER for letter in text):
            cut = text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
            draw.text((WIDTH / 2, middle), cut, colour, _font(size), anchor="mm")
    lying = (each for each in cards_in({key: value for key, value in view.items() if key != UNSEEN}) if each != "??")
    _lay(picture, list(dict.fromkeys(lying))[: A_ROW * ROWS])
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=4)
    return file.getvalue()


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


def _lay(picture: Image.Image, codes: Sequence[str]) -> None:
    rows = [codes[at : at + A_ROW] for at in range(0, len(codes), A_ROW)]
    top = 240 if len(rows) > 1 else 310
    for row in rows:
        left = (WIDTH - len(row) * (CARD_WIDTH + GAP) + GAP) // 2
        for place, code in enumerate(row):
            card = _card(code)
            picture.paste(card, (left + place * (CARD_WIDTH + GAP), top), card)
        top += CARD_HEIGHT + GAP


@functools.cache
def _card(code: str) -> Image.Image:
    card = Image.new("RGBA", (CARD_WIDTH, CARD_HEIGHT), "#00000000")
    draw = ImageDraw.Draw(card)
    draw.rounded_rectangle((0, 0, CARD_WIDTH - 1, CARD_HEIGHT - 1), 12, PAPER, "#cfc6b2")
    colour = RED if code[1] in "dhr" else INK
    if code[1] not in SIGNS:
        draw.text((CARD_WIDTH / 2, CARD_HEIGHT / 2), "Joker", colour, _font(36), anchor="mm")
        return card
    draw.text((CARD_WIDTH / 2, 43), code[0].replace("T", "10"), colour, _font(60), anchor="mm")
    sign = suit(code[1], SUIT)
    card.paste(Image.new("RGBA", sign.size, colour), ((CARD_WIDTH - SUIT) // 2, 80), sign)
    return card


@functools.cache
def suit(sign: str, width: int) -> Image.Image:
    """A suit's sign as a mask, so many points wide."""
    size = width * FINER
    fine = Image.new("L", (size, size), 0)
    draw = ImageDraw.Draw(fine)
    circles, shapes = SIGNS[sign]
    for circle in circles:
        draw.ellipse(tuple(each * size for each in circle), 255)
    for shape in shapes:
        draw.polygon([(across * size, down * size) for across, down in shape], 255)
    return fine.resize((width, width), Image.Resampling.LANCZOS)


@functools.cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
