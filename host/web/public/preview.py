"""Edge: pictures for link previews. In: a title, names, a table. Out: PNG; the cards that lie open, as they lie on the table.

What shows links shows no SVG, so it is drawn here. The font that comes with the library draws Latin letters; a line with others
is left out, since the preview's own title has it in words.
"""

import functools
import io
from collections.abc import Mapping, Sequence
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from host.mail.outbound.templates import templates_folder
from host.web.pages import cards_in

KIND = "image/png"
WIDTH, HEIGHT = 1200, 630
BADGE_WIDTH = 480
"""For a post in a forum."""
CARD_WIDTH, CARD_HEIGHT, GAP = 118, 150, 14
A_ROW, ROWS = 8, 2
SUITS, SUIT = "cdhs", 56
"""The signs on `suits.png`, from the left, and how wide each is: light where there is colour."""
LAST_LETTER = 0x17F
LONGEST = 52
UNSEEN = "remaining"
"""Cards of a stock, in no order: they lie nowhere."""
GREEN, GOLD, PAPER, INK, RED, PALE = "#1f5c42", "#b8892b", "#fffdf7", "#22201c", "#b3201a", "#d8e6dd"


def drawn(
    title: str, names: Sequence[str], standing: str, view: Mapping[str, Any], foot: str, width: int = WIDTH
) -> bytes:
    """The picture, as wide as wanted."""
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
            draw.text((WIDTH / 2, middle), cut, colour, ImageFont.load_default(size), anchor="mm")
    lying = cards_in({key: value for key, value in view.items() if key != UNSEEN})
    codes = [code for code in dict.fromkeys(lying) if code != "??"][: A_ROW * ROWS]
    top = 240 if len(codes) > A_ROW else 310
    for at in range(0, len(codes), A_ROW):
        row = codes[at : at + A_ROW]
        left = (WIDTH - len(row) * (CARD_WIDTH + GAP) + GAP) // 2
        for place, code in enumerate(row):
            card = _card(code)
            picture.paste(card, (left + place * (CARD_WIDTH + GAP), top), card)
        top += CARD_HEIGHT + GAP
    if width != WIDTH:
        picture = picture.resize((width, HEIGHT * width // WIDTH), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=4)
    return file.getvalue()


@functools.cache
def _card(code: str) -> Image.Image:
    card = Image.new("RGBA", (CARD_WIDTH, CARD_HEIGHT), "#00000000")
    draw = ImageDraw.Draw(card)
    draw.rounded_rectangle((0, 0, CARD_WIDTH - 1, CARD_HEIGHT - 1), 12, PAPER, "#cfc6b2")
    colour = RED if code[1] in "dhr" else INK
    if code[1] not in SUITS:
        draw.text((CARD_WIDTH / 2, CARD_HEIGHT / 2), "Joker", colour, ImageFont.load_default(36), anchor="mm")
        return card
    draw.text((CARD_WIDTH / 2, 43), code[0].replace("T", "10"), colour, ImageFont.load_default(60), anchor="mm")
    with Image.open(templates_folder() / "web" / "pictures" / "suits.png") as signs:
        left = SUITS.index(code[1]) * SUIT
        sign = signs.crop((left, 0, left + SUIT, SUIT))
    card.paste(Image.new("RGBA", sign.size, colour), ((CARD_WIDTH - SUIT) // 2, 80), sign)
    return card
