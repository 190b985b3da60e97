"""Pure: what an invitation says. In: the line behind `invite`. Out: addresses, the game as it was named, if pages show it."""

from dataclasses import dataclass

from host.engine.grammar import is_polite
from host.engine.words import pattern

_ADDRESS = pattern(r"<?([\w.%+'-]{1,64}@(?:[\w-]{1,63}\.)+[\w-]{2,63})>?")
_NAMED = pattern(r"(?:\"[^\"<>@]{1,80}\"\s?|(?<!\w)(?:(?!\band\b)[^,;&<>@\"]){1,80})(?=<[^<>@\s]{1,64}@)")
"""A name before an address in angle brackets (RFC 5322, 3.4)."""
_PUBLIC = pattern(r"(?i)[ ,](?:in public|publicly|public)$")
_BETWEEN = pattern(r"(?i)[\s,;&]+|\band\b")


@dataclass(frozen=True)
class Invitation:
    """`addresses` in their order, each once; `game` as it was named; `odd` are the words before it that are no address."""

    addresses: tuple[str, ...]
    game: str
    is_public: bool
    odd: str


def read_invitation(text: str) -> Invitation:
    """Read `bob@example.org, cid@example.org to Champ Cards`, with `in public` behind it or not."""
    text = text.rstrip(" .!")
    while text and is_polite(text.rpartition(" ")[2]):
        text = text.rpartition(" ")[0].rstrip(" ,.!")
    rest = _PUBLIC.sub("", text)
    before, _, game = f" {rest}".partition(" to ")
    before = _NAMED.sub(" ", before)
    addresses = dict.fromkeys(each.lower() for each in _ADDRESS.findall(before))
    odd = " ".join(filter(None, _BETWEEN.split(_ADDRESS.sub(" ", before))))
    return Invitation(tuple(addresses), game.strip(" .!"), rest != text, odd)
