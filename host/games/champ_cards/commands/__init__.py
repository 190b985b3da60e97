"""Pure: the grammar of Champ Cards. It reads as a `Command` what somebody at a seat wrote in a state of play.

`VOCABULARY` is the table of verbs; `links` has what is offered to tap.
"""

from functools import cache

from host.engine.cards import RANK_NAMES, Card, read_card
from host.engine.grammar import is_social, is_thankful, number, plain, tokens, words
from host.engine.lazy import pattern
from host.engine.vocabulary import Command, Found, Phrase, Vocabulary, joined
from host.games.champ_cards.commands.links import ahead, choices
from host.games.champ_cards.state import State, hand_total, open_spaces

__all__ = ["VOCABULARY", "ahead", "at_hand", "choices", "parse", "split"]

_KEEPING = frozenset("keep keeping take taking have having want wanting".split())
_BARE = frozenset({"cut", "pick", "bet"})
"""The phases in which a number alone means the verb of the same name."""


VOCABULARY = Vocabulary("host.games.champ_cards")
_ALL = set("all|all in|everything|maximum|whole bank|all of it|it all|whole lot|max bet|all money".split("|"))
_HALF = {"half", "minimum", "min bet", "half of it", "half it", "half bank", "half of bank"}
_NOUNS = frozenset(
    "number no nr space card box square spot position tile # it dollars dollar bucks cards tgsf deck at".split()
)
_OF_SPACES = frozenset("space box square spot position tile".split())
_CUTTING = frozenset("off deep deck bottom under underneath".split())
"""Beside a number these cut the deck: `take 19 off the top`."""
_OF_CUTS = frozenset("off from top bottom under underneath deep down straight through middle of it".split())
_PLACES = {
    frozenset((row, column)): 3 * down + across + 1
    for down, row in enumerate(("top", "middle", "bottom"))
    for across, column in enumerate(("left", "middle", "right"))
}
_ALSO = {"center": "middle", "centre": "middle", "upper": "top", "lower": "bottom", "central": "middle"}
_LEAVE_AND = pattern(
    r"\b(?:leave|skip|pass(?: on)?) (?:it|that|this|(?:that|the|this) card)(?: there)?[\s,;]*(?:(?:and then|and|then)\s+|(?<=\s))"
    r"(?=(?:i'?ll )?(?:draw|hit|take))"
)
_AND_SO_ON = pattern(r"\band (?:stop|play on|run|walk away)\b")
_NEXT_VERB = pattern(r"(?<=\d)\s+(?=(?:pick|keep|draw|cut|freeze)\b)")
_REQUEST = pattern(
    r"^(?:(?:can|could|may) (?:i|we) (?:please )?(?:have|see|get|take|pick|open)|let me (?:see|have)|give me|gimme|show me)\s++"
    r"(?=[^?]*\d|[^?]*\b(?:one|two|three|four|five|six|seven|eight|nine)\b)([^?]*)\?*$"
)
_NO_CUT = pattern(
    r"(?:so )?(?:zero|0|(?:leave|keep) (?:the deck|it|the cards) (?:as (?:it|they) (?:is|are)|alone|be|uncut)"
    r"|(?:no|without a|don'?t|do not|not) cut(?:ting)?(?: (?:it|the deck|please|this time|for me|at all))*)"
)
_OF_A_PLACE = frozenset("in 1 row corner hand over up right-hand on of".split())
_MIDDLE = frozenset({"to", "from", "is", "of", "at"})
_TELLING = frozenset({"i'm", "im", "it's", "its", "am", "pm", "was", "have", "has"})


@cache
def _with_value() -> frozenset[str]:
    """The names of the verbs behind which a number stands."""
    return frozenset(name for row in VOCABULARY.rows if row.takes_value for name in (row.verb, *row.names))


def split(line: str) -> tuple[str, ...]:
    """The fragments of a line, each a command of its own.

    A number belongs to the verb before it, however the two are parted; a condition to what it limits; a `yes` or `no` to what
    follows it.
    """
    text = _NEXT_VERB.sub(", ", _AND_SO_ON.sub("", _LEAVE_AND.sub("", plain(line))))
    return joined(VOCABULARY.split(text, _is_value), lambda last, _: words(last) in (("yes",), ("no",)))


def _is_value(found: Phrase) -> bool:
    return len(found) == 1 and number(found[0]) is not None


def parse(fragment: str, state: State, seat: int) -> Command:
    """The command in one fragment. Raises `Invalid` where there is none; a bare number means what is asked now."""
    text = plain(fragment) if state.phase == "choose" else _REQUEST.sub(r"pick \1", plain(fragment))
    if state.phase == "cut" and _NO_CUT.fullmatch(text.strip(" .!")):
        return Command("cut", 0)
    found = VOCABULARY.read(fragment, state.phase, text)
    command = _value(found.verb, found.rest, state) if found and is_social(text) else _understood(text, found, state)
    if command is None or (is_social(text) and command.number is None):
        raise VOCABULARY.refuse(fragment, text)
    return command


def _understood(text: str, found: Found | None, state: State) -> Command | None:
    said = words(text)
    if state.phase == "offer" and said[:1] in (("yes",), ("no",)) and said != ("no", "deal"):
        return _agreeing(said, state)
    if found and found.verb not in _with_value():
        return Command(found.verb)
    if found and found.verb == "pick" and state.phase == "cut" and not _CUTTING.isdisjoint(said):
        return _bare("cut", found.rest, state)
    named = _naming_a_card(said, state)
    if named or _is_telling(text, said):
        return named
    if found:
        return _value(found.verb, found.rest, state) or _naming_a_place(said, state)
    verb = "pick" if said[:1] and said[0] in _OF_SPACES else state.phase
    bare = _bare(verb, said, state) if verb in _BARE else None
    return bare or _naming_a_place(said, state)


def _is_telling(text: str, said: Phrase) -> bool:
    """Are these a number that is told (`I have 8`, `from 5`), or thanks to all?"""
    if not said or said[0] in _with_value():
        return False
    every = tokens(text)
    has_number = any(word[0].isdigit() for word in said)
    is_told = has_number and (bool(set(every) & _TELLING) or every[0] in _MIDDLE)
    return is_told or (is_thankful(text) and " ".join(said) in _ALL | _HALF)


def _agreeing(said: Phrase, state: State) -> Command | None:
    """`yes`, `no`, and these before words that say the same; `Yes, let's play on` contradicts itself."""
    verb = "accept" if said[0] == "yes" else "decline"
    rest = " ".join(said[1:])
    found = VOCABULARY.find(rest, state.phase)
    is_the_same = found is not None and found.verb == verb and rest not in ("yes", "no")
    return Command(verb) if not rest or is_the_same else None


def at_hand(state: State, seat: int) -> tuple[str, ...]:
    """The card that lies turned over."""
    return (state.spaces[state.picked],) if state.phase == "choose" and state.picked is not None else ()


def _value(verb: str, rest: Phrase, state: State) -> Command | None:
    """The number (or `all`, `half` of a bet, or a card face up for a pick) after a verb."""
    if verb == "bet" and rest[-1:] == ("bet",):
        rest = rest[:-1]
    text = " ".join(rest)
    return _bare(verb, tuple({"max": "all", "lot": "all", "min": "half"}.get(text, text).split()), state)


def _bare(verb: str, rest: Phrase, state: State) -> Command | None:
    """The same where no verb is named: `max` is a name as well."""
    text = " ".join(rest)
    if verb == "bet" and text in _ALL | _HALF:
        return Command("bet", word="all" if text in _ALL else "half")
    if verb == "bet" and rest[-1:] == ("bet",):
        return _value(verb, rest, state)
    nouns = _NOUNS - _OF_SPACES | _OF_CUTS if verb == "cut" else _NOUNS | {"over", "up"} if verb == "pick" else _NOUNS
    values = [token for token in rest if token not in nouns]
    value = number(values[0]) if len(values) == 1 else None
    if value is not None:
        return Command(verb, value)
    return _space_of_card(values, state) if verb == "pick" else None


def _space_of_card(values: list[str], state: State) -> Command | None:
    """A card that lies face up may be named instead of its space: `10♦`."""
    card: Card | None = read_card(values)
    if card is None:
        return None
    for place in open_spaces(state):
        if state.shown[place] and state.spaces[place] == card:
            return Command("pick", place + 1)
    return None


def _naming_a_card(found: Phrase, state: State) -> Command | None:
    """`keep the ten of diamonds`, `keep the ten`, `keep 5`: the card or space that lies open; `freeze at 15`: the own total."""
    rest = [token for token in found[1:] if token not in _NOUNS | {"on"}]
    if not rest:
        return None
    if state.phase == "offer" and found[0] in ("accept", "take") and [number(each) for each in rest] == [state.offer]:
        return Command("accept")
    if found[0] in ("freeze", "stay", "stand", "hold") and rest == [str(hand_total(state, state.turn))]:
        return Command("freeze")
    if state.phase == "choose" and state.picked is not None and found[0] in _KEEPING:
        card = state.spaces[state.picked]
        rank = "10" if card[0] == "T" else card[0].lower()
        if read_card(rest) == card or rest in ([str(state.picked + 1)], [rank], [RANK_NAMES[card[0]]]):
            return Command("keep")
    return None


def _naming_a_place(found: Phrase, state: State) -> Command | None:
    """`top left`, `the middle one`: a space of the board."""
    names = next(row.names for row in VOCABULARY.rows if row.verb == "pick")
    rest = found[1:] if found and found[0] in ("pick", *names) else found
    said = frozenset(_ALSO.get(token, token) for token in rest if token not in _NOUNS | _OF_A_PLACE)
    place = _PLACES.get(said) if len(said) <= 2 else None
    return Command("pick", place) if place and state.phase == "pick" else None
