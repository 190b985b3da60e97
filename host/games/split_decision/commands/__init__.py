"""Pure: the grammar of Split Decision. It reads as a `Command` what somebody at a seat wrote in a state of play.

What stands behind `answer` and `ask` is text to the end of its line and keeps its letters as they are.

`VOCABULARY` is the table of verbs; `links` has what is offered to tap.
"""

import re
from dataclasses import dataclass

from host.engine.cards import RANK_WORDS, SUIT_WORDS, read_card
from host.engine.game import HOST, Entry, Invalid
from host.engine.grammar import number, plain, words
from host.engine.lazy import pattern
from host.engine.vocabulary import Found, Phrase, Vocabulary, canonical, joined
from host.games.split_decision.commands.links import ahead, choices
from host.games.split_decision.state import CODES, COLOURS, State, bet_limits, in_round, to_try

__all__ = ["VOCABULARY", "Command", "ahead", "at_hand", "choices", "parse", "prompt", "split"]

LONGEST_TEXT = 1000
_BETTING = pattern(r"^\W*(?:(?:i|i'll|i'd|please|ok)\s+)*(?:bet|wager|risk|stake|\$?\d)", re.IGNORECASE)
_ACE = pattern(
    r"\ba\b(?=\W*(?:please\W*)?$|\W+(?:high|low|and|ace|king|queen|jack|ten|[akqjt2-9]|10)\b)", re.IGNORECASE
)
"""An `a` that is no article but an ace: at the end of a bet, or before another rank."""
_TEXT = pattern(r"\s*(answer|ask)(?![a-z])[ \t]*[:]?[ \t]*(.*)", re.IGNORECASE | re.DOTALL)
_SLOTS_BY_LABEL = pattern(
    r"(?:amount|bet|stake)\s*[:=]\s*(\$?[\d,]+|all|half)\s*[\n,;/]\s*high\s*[:=]\s*(\w+)\s*[\n,;/]\s*low\s*[:=]\s*(\w+)",
    re.IGNORECASE,
)
"""A bet written as a list of its parts."""
_LONE_TEXT_VERB = pattern(r"(?:answer|ask)\s*:?", re.IGNORECASE)
"""Its text stands on the next line, as where somebody typed below what a link had filled in."""
_SIGNS = str.maketrans(dict.fromkeys("⬆↑🔼👆", " high ") | dict.fromkeys("⬇↓🔽👇", " low "))
_NUMBERS_IN_A_ROW = pattern(r"(?<=\d)[-–/](?=\d)")
_AT_RANDOM = pattern(
    r"\brandom(?:ly|ize|ise)?\b|🎲|\bsurprise me\b|\b(?:quick pick|lucky dip)\b"
    r"|\b(?:draw|pick|choose|make|generate|roll|find|invent)\b(?: \w+){0,2} (?:them|mine|codes?|numbers|some"
    r"|any)\b(?: .*\bfor me\b)?"
    r"|\b(?:you|the (?:machine|computer|show|host)|let the (?:machine|computer))(?: can| may"
    r"| please)? (?:draw|pick|choose|decide)\b"
)
"""Codes that somebody else shall find."""
_NOT_AT_RANDOM = pattern(r"^\W*(?:played|read|kept)\b|\d|\b(?:or|shall|each|not|no|don'?t|never|he|she|my \w+|who)\b")
_RANK_OF = RANK_WORDS | {"deuce": "2", "trey": "3"}
_STRENGTH = "23456789TJQKA"
_AMOUNTS = {
    **dict.fromkeys(("all", "everything", "whole", "lot", "max", "maximum", "most"), "all"),
    "half": "half",
    **dict.fromkeys(("least", "minimum", "min", "smallest"), "least"),
}
_BESIDE_BET = frozenset("i've i'm got have bank my just can bet me of money down put top bottom".split())
_COLOUR_OF = {"red": "dh", "black": "cs"}
_NOUNS = frozenset(
    """also well as plus at between bucks buzz by card cards code codes deck dollars down from high in it low number numbers of on
    place places player podium to up""".split()
)
_VALUES = frozenset((*_RANK_OF, *SUIT_WORDS, *COLOURS, *("all", "half", "everything")))
_OVER = frozenset({"over", "above"})
_UNDER = frozenset({"under", "underneath", "below", "beneath"})
_OF = frozenset("of top his her its that mine on goes".split())
_PRONOUNS = frozenset("her him them it me".split())
_PLACING = frozenset(
    "as card drop go in into it keep lay make place pop put set slide slot stick take that use".split()
)
"""These words may stand beside `high` or `low` when a card is placed: `put it in the high slot`."""


@dataclass(frozen=True)
class Command:
    """One command: a verb, and the numbers, ranks (high, low), word (a colour, a suit, `random`, `all`) or text it takes."""

    verb: str
    numbers: tuple[int, ...] = ()
    ranks: tuple[str, ...] = ()
    word: str = ""
    text: str = ""
    entry: Entry | None = None

    def __str__(self) -> str:
        """`codes random`, `cut 27`, `bet 500 K 4`, `answer a hexagon`."""
        return canonical(self.verb, *self.numbers, self.word, *self.ranks, self.text)


VOCABULARY = Vocabulary("host.games.split_decision")


def split(line: str) -> tuple[str, ...]:
    """The fragments of a mail's lines, each a command of its own; a line of text stays whole."""
    parts: list[str] = []
    plain: list[str] = []
    line = _SLOTS_BY_LABEL.sub(r"bet \1 \2 \3", line)
    for each in line.split("\n"):
        each = each if _TEXT.match(each) else each.translate(_SIGNS)
        if each.strip() and not plain and parts and _LONE_TEXT_VERB.fullmatch(parts[-1]):
            parts[-1] = f"{parts[-1]} {each.strip()}"
        elif _TEXT.match(each):
            parts.extend(_commands("\n".join(plain)))
            parts.append(each.strip())
            plain = []
        else:
            plain.append(each if len(VOCABULARY.split(each, _is_value)) < 2 else _with_aces(each))
    return (*parts, *_commands("\n".join(plain)))


def _commands(text: str) -> tuple[str, ...]:
    """The fragments of a text, numbers in a row together though no verb stands before them (`1, 5, 9 and 14`)."""

    def belongs(last: str, part: str) -> bool:
        before = tuple(each for each in words(last) if each != "are")
        has_number = any(number(each) is not None or each in _AMOUNTS for each in before)
        return has_number and _is_value(before) and _is_value(words(part))

    return joined(VOCABULARY.split(text, _is_value), belongs)


def _is_value(found: Phrase) -> bool:
    """May these words belong to the verb before them? `high` and `low` alone are commands of their own."""
    return (
        found[:1] not in (("code",), ("codes",))
        and found not in (("high",), ("low",))
        and all(number(each) is not None or each in _VALUES or each in _NOUNS for each in found)
    )


def _with_aces(text: str) -> str:
    return _ACE.sub("ace", text) if _BETTING.match(text) else text


def parse(fragment: str, state: State, seat: int) -> Command:
    """The command in one fragment. Raises `Invalid` where there is none; bare numbers, suits mean what is asked now."""
    text = _TEXT.match(fragment)
    if text and len(fragment) <= LONGEST_TEXT:
        return _with_text(text[1].lower(), " ".join(text[2].split()))
    if state.phase == "setup" and _AT_RANDOM.search(plain(fragment)) and not _NOT_AT_RANDOM.search(plain(fragment)):
        return Command("codes", word="random")
    fragment = _with_aces(_NUMBERS_IN_A_ROW.sub(" ", fragment) if state.phase == "choose" else fragment)
    found = VOCABULARY.read(fragment, "" if seat == HOST else state.phase)
    if found and found.verb in ("right", "wrong") and seat != HOST and words(fragment) != (found.verb,):
        found = None
    command = _placed(words(fragment), state) or (
        _built(found, state, words(fragment)) if found else _bare(words(fragment), state)
    )
    if command is None:
        raise VOCABULARY.refuse(fragment)
    return command


def _placed(found: Phrase, state: State) -> Command | None:
    """`put it in the high slot`, `place the 7♦ low`, `discard the 7♦ for a chip`, whatever the phase."""
    rest = tuple(each for each in found if each not in _PLACING)
    over = _over_or_under(rest)
    if over:
        return Command(over)
    verbs = tuple(
        each for each in rest if each in ("high", "low") or (each in ("discard", "refuse") and each == found[0])
    )
    card = tuple(each for each in rest if each not in (*verbs, "chip"))
    is_mine = not card or card in (("ace",), ("joker",)) or read_card(card) == state.card
    return Command(verbs[0]) if len(verbs) == 1 and is_mine else None


def _over_or_under(found: Phrase) -> str:
    """`over the king`, `mine goes under the 2`: the slot that lies there; empty for anything else."""
    at = next((at for at, each in enumerate(found) if each in _OVER | _UNDER), len(found))
    rest = [each for each in found[at + 1 :] if each not in _OF]
    is_rank = len(rest) == 1 and rest[0] in _RANK_OF
    is_alone = all(
        each in ("mine", "ace", "joker", "high", "low", "up", "down", "top", "goes", "at", "bottom")
        for each in found[:at]
    )
    return ("high" if found[at] in _OVER else "low") if is_rank and is_alone else ""


def _with_text(verb: str, text: str) -> Command:
    if verb == "answer":
        if not text:
            raise Invalid("Write your answer behind the word answer.")
        return Command("answer", text=text)
    prompt, divider, answers = text.rpartition("=")
    if not divider:
        raise Invalid("A question is: ask PROMPT = ANSWER, with | between several answers that are right.")
    entry = Entry(prompt.strip(), tuple(each.strip() for each in answers.split("|")))
    return Command("ask", text=f"{entry.ask} = {' | '.join(entry.answers)}", entry=entry)


def _built(found: Found, state: State, said: Phrase) -> Command | None:
    """The command of a verb and what stands behind it, of all that was `said`."""
    rest = tuple(each for each in found.rest if each not in _NOUNS)
    match found.verb:
        case "codes" | "cut" | "choose":
            if found.verb == "codes" and rest == ("random",):
                return Command("codes", word="random")
            is_elsewhere = found.verb == "choose" and state.phase != "choose" and said[:1] in (("have",), ("take",))
            return None if is_elsewhere else _numbered(found.verb, rest)
        case "pass":
            named = [each for each in rest if each not in _PRONOUNS]
            if not named and state.phase == "no-peek" and len(said) > 1:
                others = [each for each in in_round(state) if each != state.actor]
                return Command("pass", word=COLOURS[others[0]]) if len(others) == 1 else None
            return Command("pass", word=named[0]) if len(named) == 1 and named[0] in COLOURS else None
        case "bet":
            return _bet(found.rest, state)
        case "suit":
            return Command("suit", word=SUIT_WORDS[rest[0]]) if len(rest) == 1 and rest[0] in SUIT_WORDS else None
        case verb:
            return Command(verb)


def _numbered(verb: str, rest: Phrase) -> Command | None:
    values = tuple(number(part) for each in rest if each != "are" for part in each.split(","))
    if not values or None in values:
        return None
    return Command(verb, numbers=tuple(value for value in values if value is not None))


def _bet(said: Phrase, state: State) -> Command | None:
    """`500 K 4`: the amount, the high card, the low card; `all`, `half`, `least` are amounts, the lower card may come first."""
    rest = tuple(each for each in said if each not in _BESIDE_BET and each not in _NOUNS)
    if len(rest) == 4 and rest[0] in _AMOUNTS and number(rest[1]) is not None:
        rest = rest[1:]  # the whole 1700
    if len(rest) != 3:
        return None
    amount, *ranks = (_AMOUNTS.get(rest[0], rest[0]), *rest[1:])
    value = number(amount)
    found = tuple(_RANK_OF.get(rank, "") for rank in ranks)
    if amount == "least" and state.phase == "bet":
        value = bet_limits(state)[0]
    if not all(found) or (value is None and amount not in ("all", "half")):
        return None
    is_range = not {"between", "from", "to"}.isdisjoint(said)
    if is_range and "A" not in found and _STRENGTH.index(found[0]) < _STRENGTH.index(found[1]):
        found = (found[1], found[0])
    return Command(
        "bet", numbers=() if value is None else (value,), ranks=found, word="" if value is not None else amount
    )


def _bare(found: Phrase, state: State) -> Command | None:
    """Reads what needs no verb where it is asked for: codes, a cut, places, a bet, a suit, a colour."""
    rest = tuple(each for each in found if each not in _NOUNS)
    if state.phase == "setup":
        if rest == ("random",):
            return Command("codes", word="random")
        codes = _numbered("codes", rest)
        return codes if codes and len(codes.numbers) == CODES else None
    if state.phase == "no-peek" and len(rest) == 1 and rest[0] in COLOURS:
        return Command("pass", word=rest[0])
    if state.phase == "choose":
        return _numbered("choose", rest) if len(rest) == 4 else None
    if state.phase == "bet":
        return _bet(found, state)
    if state.phase == "suit" and len(rest) in (1, 2) and rest[0] in _COLOUR_OF and set(rest[1:]) <= {"1"}:
        left = [suit for suit in _COLOUR_OF[rest[0]] if suit not in state.opened]
        return Command("suit", word=left[0]) if len(left) == 1 else None
    if state.phase == "suit" and len(rest) == 1 and rest[0] in SUIT_WORDS:
        return Command("suit", word=SUIT_WORDS[rest[0]])
    return None


def at_hand(state: State, seat: int) -> tuple[str, ...]:
    """The card that is turned up for somebody to place, keep or refuse."""
    is_seen = state.phase in ("free-ace", "head-start", "free-look", "peek", "place")
    return (state.card,) if state.card and is_seen else ()


def prompt(state: State, seat: int) -> str:
    """The question that somebody has a try at, or will have one."""
    is_open = state.phase in ("question", "judging") and seat in to_try(state) and state.question
    return state.question.ask if is_open and state.question else ""
