"""Pure: a host's own look. In: two lines, two colours as `#1f5c42`. Out: a type for them; the contrast of colours.

The contrast is counted as WCAG 2.2 does.
"""

from dataclasses import dataclass

READABLE = 4.5
"""What words need to be read (WCAG 2.2, 1.4.3)."""


@dataclass(frozen=True)
class Look:
    """Colours of buttons and of the ground, words at the top and the foot; what is empty is Podium's."""

    button: str = ""
    ground: str = ""
    top: str = ""
    foot: str = ""


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 (the same) to 21 (black and white)."""
    paler, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (paler + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
