"""Pure: the grammar of Champ Cards. In: a fragment of what somebody wrote, the state, the seat. Out: a `Command`.

`GRAMMAR` is the one table: it parses, says what can be written, and makes the links.
"""

import re
from dataclasses import dataclass

from host.engine.cards import RANK_NAMES, Card, face, read_card
from host.engine.game import Choice, Invalid, Question
from host.engine.grammar import is_polite, is_social, is_thankful, number, plain, resembles, split_line, tokens, words
from host.engine.vocabulary import LONGEST, open_fragment
from host.games.champ_cards.state import FREEZE_FROM, SPACES, State, bet_limits, hand_total, may_freeze, open_spaces

Phrase = tuple[str, ...]


@dataclass(frozen=True)
class Command:
    """One command in its canonical form: a verb, and a number or a word (`bet all`) where it takes one."""

    verb: str
    number: int | None = None
    word: str = ""


@dataclass(frozen=True)
class Verb:
    """A row of the grammar.

    `names` are what stands before a number, `phrases` whole ways to say it, `phase_phrases` those that mean it in some
    phases only; `bare` are the phases in which a number alone means it.
    """

    verb: str
    takes_number: bool
    usage: str
    names: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    phase_phrases: tuple[tuple[str, tuple[str, ...]], ...] = ()
    bare: tuple[str, ...] = ()


_TAKE = (
    "take",
    "take it",
    "take card",
    "take that",
    "take that card",
    "want it",
    "mine",
    "have it",
    "accept card",
    "add it",
)

GRAMMAR: tuple[Verb, ...] = (
    Verb("cut", True, "cut and a number from 0 to 51", ("cut", "cut deck"), bare=("cut",)),
    Verb(
        "pick",
        True,
        "pick and the number of a space",
        (
            "pick",
            "take",
            "choose",
            "select",
            "open",
            "flip",
            "flip over",
            "turn",
            "turn over",
            "reveal",
            "show",
            "play",
            "try",
        ),
        bare=("pick",),
    ),
    Verb(
        "keep",
        False,
        "keep",
        phrases=(
            "keep",
            "keep it",
            "keep card",
            "keep that",
            "keep that card",
            "keeping",
            "keeping it",
            "hold it",
            "hold onto it",
        ),
        phase_phrases=(("choose", _TAKE),),
    ),
    Verb(
        "draw",
        False,
        "draw",
        phrases=(
            *(
                "draw",
                "draw card",
                "draw one",
                "draw 1",
                "hit",
                "hit me",
                "hit deck",
                "stock",
                "deck",
                "from stock",
                "from deck",
            ),
            *(
                "top card",
                "take top card",
                "next card",
                "take next card",
                "draw next card",
                "draw top card",
                "draw from stock",
            ),
            *(
                "draw from deck",
                "take from deck",
                "take from stock",
                "take one from deck",
                "take 1 from deck",
                "take card from deck",
                "take card from stock",
                "card off deck",
                "top of deck",
                "leave it",
            ),
            *("leave card", "pass it", "take top card from deck", "take next card from deck", "take top card of deck"),
            *(
                "take next card from top of deck",
                "new card",
                "drawing",
                "draw another",
                "draw another card",
                "another",
                "next",
                "next 1",
                "1 more",
                "new 1",
                "leave that card",
                "pass on it",
                "leave that",
                "another card",
                "card from deck",
                "card from stock",
            ),
        ),
    ),
    Verb(
        "freeze",
        False,
        "freeze",
        phrases=(
            "freeze",
            "freeze it",
            "stay",
            "stand",
            "stick",
            "hold",
            "stand pat",
            "stay put",
            "stop",
            "staying",
            "freezing",
            "freeze here",
            "freeze hand",
            "stop here",
        ),
    ),
    Verb("bet", True, "bet and an amount", ("bet", "wager", "stake", "risk", "put", "bet amount"), bare=("bet",)),
    Verb(
        "accept",
        False,
        "accept",
        phrases=(
            "accept",
            "accept it",
            "accept offer",
            "accept deal",
            "deal",
            "take offer",
            "take deal",
            "take money",
            "accept money",
            "take cash",
        ),
        phase_phrases=(
            ("offer", ("yes", "take it", "take", "stop", "cash out", "take money and run", "it deal", "that deal")),
        ),
    ),
    Verb(
        "decline",
        False,
        "decline",
        phrases=(
            "decline",
            "decline it",
            "decline offer",
            "decline deal",
            "no deal",
            "reject",
            "reject it",
            "reject offer",
            "reject deal",
            "refuse deal",
            "turn it down",
            "refuse offer",
        ),
        phase_phrases=(
            (
                "offer",
                (
                    "no",
                    "refuse",
                    "nope",
                    "no way",
                    "refuse it",
                    "no thanks",
                    "play",
                    "play hand",
                    "keep playing",
                    "play on",
                    "carry on",
                    "go on",
                    "continue",
                    "risk it",
                    "leave it",
                    "pass",
                ),
            ),
        ),
    ),
    Verb("offer", True, "offer and an amount", ("offer",)),
    Verb("resign", False, "resign", phrases=("resign",)),
)
_CANONICAL = frozenset(row.verb for row in GRAMMAR)

_ALL = {
    "all",
    "all in",
    "everything",
    "maximum",
    "whole bank",
    "all of it",
    "it all",
    "whole lot",
    "max bet",
    "all money",
}
_HALF = {"half", "minimum", "min bet", "half of it", "half it", "half bank", "half of bank"}
_NOUNS = frozenset(
    "number no nr space card box square spot position tile # it dollars dollar bucks cards tgsf deck at".split()
)
_PLACES = {
    **{"top left": 1, "top middle": 2, "top center": 2, "top centre": 2, "top right": 3},
    **{"middle left": 4, "left middle": 4, "middle": 5, "center": 5, "centre": 5, "middle right": 6, "right middle": 6},
    **{"bottom left": 7, "bottom middle": 8, "bottom center": 8, "bottom centre": 8, "bottom right": 9},
}
_LEAVE_AND = re.compile(
    r"\b(?:leave|skip|pass(?: on)?) (?:it|that|this|(?:that|the|this) card)(?: there)?[\s,;]*(?:(?:and then|and|then)\s+|(?<=\s))"
    r"(?=(?:i'?ll )?(?:draw|hit|take))"
)
_AND_SO_ON = re.compile(r"\band (?:stop|play on|run|walk away)\b")
_NEXT_VERB = re.compile(r"(?<=\d)\s+(?=(?:pick|keep|draw|cut|freeze)\b)")
_REQUEST = re.compile(
    r"^(?:(?:can|could|may) (?:i|we) (?:please )?(?:have|see|get|take|pick|open)|let me (?:see|have)|give me|gimme|show me)\s++"
    r"(?=[^?]*\d|[^?]*\b(?:one|two|three|four|five|six|seven|eight|nine)\b)([^?]*)\?*$"
)
_IDLE = re.compile(
    r"\||\b(?:hold on|hang on|come on|keep (?:going|on|up|it up|well|warm|safe)|stay (?:well|warm|safe|tuned)|take care|"
    r"take (?:my|your) time|play (?:nice|fair)|well played|your turn|my turn|see you|you bet|what a draw|if it'?s)\b"
)
_LIMITING = frozenset({"if", "unless", "when", "but", "or", "only", "except"})
_MIDDLE = frozenset({"to", "from", "is", "of", "at"})
_TELLING = frozenset({"i'm", "im", "it's", "its", "am", "pm", "was", "have", "has"})
_WANT_A_NUMBER = frozenset(name for row in GRAMMAR for name in row.names)
_VOCABULARY = (
    _CANONICAL
    | {name for row in GRAMMAR for name in row.names if " " not in name}
    | {"stay", "stand", "hit", "deck", "half"}
)


def split(line: str) -> tuple[str, ...]:
    """The fragments of a line, each a command of its own.

    A number belongs to the verb before it, however the two are parted; a condition belongs to what it limits; a `yes` or
    `no` to what follows it.
    """
    text = _AND_SO_ON.sub("", _LEAVE_AND.sub("", plain(line)))
    parts: list[str] = []
    for part in split_line(_NEXT_VERB.sub(", ", text)):
        last = open_fragment(parts)
        before = " ".join(words(last))
        is_value = bool(before) and number(part) is not None and before in _WANT_A_NUMBER
        if last and (is_value or before in ("yes", "no") or part.split()[0] in _LIMITING):
            parts[-1] = f"{parts[-1]} {part}"
        else:
            parts.append(part)
    return tuple(parts)


def parse(fragment: str, state: State, seat: int) -> Command:
    """The command in one fragment. Raises `Invalid` where there is none; a bare number means what is asked now.

    In a greeting or a compliment only a verb with its number counts (`Nice draw`, `Hi all` and `Good deal` are no moves).
    """
    if len(fragment) > LONGEST or _IDLE.search(plain(fragment)):
        raise Invalid(_why(fragment, ()), chatter=True)
    text = _REQUEST.sub(r"pick \1", plain(fragment))
    found = words(text)
    command = _with_number(found, state) if is_social(text) else _understood(text, found, state)
    if command and (not is_social(text) or (found[0] in _CANONICAL and command.number is not None)):
        return command
    chatter = is_polite(text) or is_social(text) or not resembles(text, _VOCABULARY)
    raise Invalid(_why(fragment, found), chatter=chatter)


def _understood(fragment: str, found: Phrase, state: State) -> Command | None:
    text = " ".join(found)
    if state.phase == "offer" and found[:1] in (("yes",), ("no",)) and text != "no deal":
        return _agreeing(found, state)
    for row in GRAMMAR:
        if any(phase == state.phase and text in said for phase, said in row.phase_phrases):
            return Command(row.verb)
    for row in GRAMMAR:
        if not row.takes_number and text in row.phrases:
            return Command(row.verb)
    is_bare = bool(found) and found[0] not in _WANT_A_NUMBER
    said = tokens(fragment)
    is_telling = any(word[0].isdigit() for word in found) and (bool(set(said) & _TELLING) or said[0] in _MIDDLE)
    if is_bare and ((is_thankful(fragment) and text in _ALL | _HALF) or is_telling):
        return _naming_a_card(found, state)
    return _naming_a_card(found, state) or _with_number(found, state) or _naming_a_place(found, state)


def _agreeing(found: Phrase, state: State) -> Command | None:
    """`yes`, `no`, and these before words that say the same; `Yes, let's play on` contradicts itself."""
    verb = "accept" if found[0] == "yes" else "decline"
    if len(found) == 1:
        return Command(verb)
    rest = " ".join(found[1:])
    row = next(row for row in GRAMMAR if row.verb == verb)
    phrases = (*row.phrases, *(each for _, said in row.phase_phrases for each in said))
    return Command(verb) if rest in phrases and rest not in ("yes", "no") else None


def say(command: Command) -> str:
    """A command in canonical words."""
    value = command.word or ("" if command.number is None else str(command.number))
    return f"{command.verb} {value}".strip()


def _with_number(found: Phrase, state: State) -> Command | None:
    for row in GRAMMAR:
        if not row.takes_number:
            continue
        for name in sorted(row.names, key=len, reverse=True):
            head = tuple(name.split())
            if found[: len(head)] == head:
                return _value(row, found[len(head) :], state, named=True)
        if state.phase in row.bare:
            command = _value(row, found, state, named=False)
            if command:
                return command
    return None


def _value(row: Verb, rest: Phrase, state: State, named: bool) -> Command | None:
    """The number (or `all`, `half` of a bet, or a card face up for a pick) after a verb."""
    text = {"max": "all", "lot": "all", "min": "half"}.get(" ".join(rest), " ".join(rest)) if named else " ".join(rest)
    if row.verb == "bet" and text in _ALL | _HALF:
        return Command("bet", word="all" if text in _ALL else "half")
    if row.verb == "bet" and rest[-1:] == ("bet",):
        return _value(row, rest[:-1], state, named=True)
    nouns = _NOUNS | {"over", "up"} if row.verb == "pick" else _NOUNS
    values = [token for token in rest if token not in nouns]
    value = number(values[0]) if len(values) == 1 else None
    if value is not None:
        return Command(row.verb, value)
    return _space_of_card(values, state) if row.verb == "pick" else None


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
    if state.phase == "choose" and state.picked is not None and found[0] in ("keep", "take"):
        card = state.spaces[state.picked]
        rank = "10" if card[0] == "T" else card[0].lower()
        if read_card(rest) == card or rest in ([str(state.picked + 1)], [rank], [RANK_NAMES[card[0]]]):
            return Command("keep")
    return None


def _naming_a_place(found: Phrase, state: State) -> Command | None:
    """`top left`, `the middle one`: a space of the board."""
    rest = found[1:] if found[:1] in (("pick",), ("take",), ("open",), ("choose",)) else found
    place = _PLACES.get(" ".join(token for token in rest if token not in _NOUNS))
    return Command("pick", place) if place and state.phase == "pick" else None


def _why(fragment: str, found: Phrase) -> str:
    shown = fragment.strip()[:60]
    row = next((row for row in GRAMMAR if found and found[0] in (row.verb, *row.names)), None)
    if row is None:
        return f"I could not read “{shown}” as a move."
    if not row.takes_number:
        return f"“{row.verb}” stands alone, so I could not read “{shown}”."
    if row.verb == "bet":
        return "A bet is “bet” and a whole number of dollars, or “bet half”, or “bet all”."
    return f"“{row.verb}” takes one whole number, so I could not read “{shown}”."


def choices(state: State, question: Question) -> tuple[Choice, ...]:
    """What may be answered, one at least for every kind of legal move, fit for a link."""
    return _CHOICES[question.phase](state)


def ahead(state: State, seat: int) -> tuple[Choice, ...]:
    """What can be settled before it is asked: the next turn of this round."""
    if state.stage != "main" or state.phase not in ("pick", "choose") or state.turn == seat:
        return ()
    usage = "the word pick and the number of a space"
    picks = [Choice((f"pick {place + 1}",), _pick_label(state, place), usage, "pick") for place in open_spaces(state)]
    may = state.frozen is None and hand_total(state, seat) >= FREEZE_FROM
    return (*picks, *([Choice(("freeze",), "Freeze", "the word freeze", "freeze")] if may else []))


def _cut_choices(state: State) -> tuple[Choice, ...]:
    words_for_both = "the word cut with a number from 0 to 51, a comma, and pick with a space from 1 to 9"
    plain = tuple(
        Choice((f"cut {count}",), f"Cut {count}", "the word cut and any number from 0 to 51", "cut")
        for count in (0, 13, 26, 39)
    )
    both = tuple(
        Choice((f"cut {count}", f"pick {space}"), f"Cut {count} and open {space}", words_for_both, "cut and pick")
        for count, space in zip((5, 11, 17, 22, 28, 34, 40, 45, 51), range(1, SPACES + 1), strict=True)
    )
    return (*both, *plain)


def _pick_choices(state: State) -> tuple[Choice, ...]:
    spaces = open_spaces(state)
    picks = tuple(
        Choice((f"pick {place + 1}",), _pick_label(state, place), "the word pick and the number of a space", "pick")
        for place in spaces
    )
    draws = () if spaces else (Choice(("draw",), "Draw from the stock", "the word draw", "draw"),)
    points = hand_total(state, state.turn)
    freezes = (Choice(("freeze",), f"Freeze at {points}", "the word freeze", "freeze"),) if may_freeze(state) else ()
    return (*picks, *draws, *freezes)


def _pick_label(state: State, place: int) -> str:
    return f"Pick {place + 1} ({face(state.spaces[place])})" if state.shown[place] else f"Pick {place + 1}"


def _keep_or_draw(state: State) -> tuple[Choice, ...]:
    card = face(state.spaces[state.picked or 0])
    return (
        Choice(("keep",), f"Keep the {card}", "the word keep", "keep"),
        Choice(("draw",), "Draw from the stock", "the word draw", "draw"),
    )


def _bet_choices(state: State) -> tuple[Choice, ...]:
    smallest, largest = bet_limits(state.bank)
    middle = -(-(smallest + largest) // 2)
    usage = f"the word bet and a whole number from {smallest} to {largest}"
    amounts = [(f"bet {smallest}", f"Bet ${smallest:,} (half)"), (f"bet {largest}", f"Bet ${largest:,} (all)")]
    if smallest < middle < largest:
        amounts.insert(1, (f"bet {middle}", f"Bet ${middle:,}"))
    return tuple(Choice((command,), label, usage, "bet") for command, label in amounts)


def _offer_choices(state: State) -> tuple[Choice, ...]:
    return (
        Choice(("accept",), f"Accept ${state.offer:,} and stop", "the word accept", "accept"),
        Choice(("decline",), "Decline and play on", "the word decline", "decline"),
    )


_CHOICES = {
    "cut": _cut_choices,
    "pick": _pick_choices,
    "choose": _keep_or_draw,
    "bet": _bet_choices,
    "offer": _offer_choices,
}
