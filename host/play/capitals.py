"""Pure: names as names are written. In: a name or a place in capitals or small letters. Out: it with its own capitals.

What has capitals and small letters already is left as its owner wrote it.
"""

import re

from host.play.form_words import PARTICLES

_JOINING = frozenset("upon on of the sur en les under am an der in bei im and y e".split()) | PARTICLES
"""Words within the name of a place that are written small."""
_NUMERALS = frozenset("ii iii iv".split())
_KEPT = frozenset("usa uk uae nyc us dc".split())
_STATES = frozenset(
    """al ak az ar ca co ct de dc fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok or pa ri
    sc sd tn tx ut vt va wa wv wi wy ab bc mb nb nl ns nt nu on pe qc sk yt""".split()
)
"""Of the United States and Canada, as they are shortened behind a town."""
_REGIONS = frozenset(
    """alabama,alaska,arizona,arkansas,california,colorado,connecticut,delaware,florida,georgia,hawaii,idaho,illinois,indiana,
    iowa,kansas,kentucky,louisiana,maine,maryland,massachusetts,michigan,minnesota,mississippi,missouri,montana,nebraska,nevada,
    new hampshire,new jersey,new mexico,new york,north carolina,north dakota,ohio,oklahoma,oregon,pennsylvania,rhode island,
    south carolina,south dakota,tennessee,texas,utah,vermont,virginia,washington,west virginia,wisconsin,wyoming,ontario,quebec,
    alberta,british columbia,manitoba,saskatchewan,nova scotia,new brunswick,england,scotland,wales,northern ireland,ireland,
    united states,united kingdom,great britain,canada,australia,new zealand,germany,austria,switzerland,france,belgium,
    netherlands,the netherlands,italy,spain,portugal,poland,sweden,norway,denmark,finland,india,mexico,brazil""".replace(
        "\n    ", ""
    ).split(",")
)
"""States and countries, as they stand behind a town."""
_WORD = re.compile(r"[^\s,]+")
SHORT = 3
"""Letters of what may be initials (`AJ`, `ACE`) and so stays in capitals where it stands alone."""


def as_name(text: str) -> str:
    """`MIKE RAY` is `Mike Ray`, `ann o'neil` is `Ann O'Neil`, `jan van der berg` is `Jan van der Berg`."""
    if not _is_even(text) or (text.isupper() and " " not in text and len(text) <= SHORT):
        return text
    return _WORD.sub(lambda found: _word(found[0].lower(), found.start() > 0, PARTICLES), text)


def as_nickname(text: str) -> str:
    """Like a name; what has digits or signs in it is a handle, which is left alone."""
    return as_name(text) if re.fullmatch(r"[^\W\d_]+(?:[ '’-][^\W\d_]+)*", text) else text


def as_place(text: str) -> str:
    """`BOISE, ID` is `Boise, ID`, `stratford upon avon` is `Stratford upon Avon`."""
    if not _is_even(text):
        return text
    last = max((found.start() for found in _WORD.finditer(text)), default=0)

    def written(found: re.Match[str]) -> str:
        word = found[0].lower()
        bare = word.replace(".", "")
        if found.start() and (bare in _KEPT or (found.start() == last and bare in _STATES)):
            return word.upper()
        return _word(word, found.start() > 0, _JOINING)

    return _WORD.sub(written, text)


def is_region(text: str) -> bool:
    """Is it a state or a country, which belongs to the town before it?"""
    bare = text.strip(" .").lower()
    return bare in _REGIONS or bare.replace(".", "") in _KEPT | _STATES


def _is_even(text: str) -> bool:
    """Is all of it in capitals, or nothing?"""
    return "@" not in text and (text.isupper() or text.islower())


def _word(word: str, is_within: bool, small: frozenset[str]) -> str:
    if is_within and word in small:
        return word
    if word in _NUMERALS or re.fullmatch(r"(?:\w\.)+\w?|[bcdfghjklmnpqrstvwxz]{2}", word):
        return word.upper() if word.strip(".") not in ("jr", "sr", "st", "ft", "mt", "ng") else word.capitalize()
    parts = re.split(r"([-'’.])", word)
    for at, part in enumerate(parts):
        if at and part in small and parts[at - 1] == "-":
            continue
        is_ending = at and parts[at - 1] in "'’" and len(part) < 3  # `rock'n'roll`, `ann's`
        parts[at] = part if is_ending else _capital(part)
    return "".join(parts)


def _capital(part: str) -> str:
    if re.fullmatch(r"mc[^\W\d_]{3,}", part):
        return "Mc" + part[2:].capitalize()
    return part.capitalize()
