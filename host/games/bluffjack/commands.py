"""Pure: the grammar of Bluffjack. It reads as a `Command` what somebody at a seat wrote in a state of play."""

from host.engine.cards import total
from host.engine.game import Choice, Invalid, Question
from host.engine.grammar import is_social, number, plain, words
from host.engine.lazy import pattern
from host.engine.vocabulary import LONGEST, Command, Phrase, Vocabulary, one_word, with_value
from host.games.bluffjack.state import State, ante_of, may_bet, missing, to_call

_ALL = frozenset(
    {"all", "all in", "everything", "all chips", "all have", "everything have", "it all", "max", "maximum", "to max"}
)
_ALL_IN = frozenset(
    {"all in", "all chips", "whole stack", "go all in", "going all in", "push all in", "put it all in", "shove"}
    | {f"{verb} {each}" for verb in ("raise", "bet", "shove") for each in _ALL}
)
_BESIDE_NUMBER = frozenset("all at bet chip chips for on".split())
_BESIDE_RAISE = frozenset("chip chips more another it extra in on top".split())
_PUTTING = frozenset("all in put putting throw shove push my last other with chips chip goes going here the".split())
_TO_A_NUMBER = pattern(r"\bto\s+\S*\d")
_CALL_AND_RAISE = pattern(
    r"\b(?:call|match|see)\b(?: (?:it|that|this|you|the|your|his|her|their|bet|raise|\d+))* (?:and|&) (?=(?:re-?)?raise\b)"
)
_I_AM_IN = pattern(r"(?:ok(?:ay)?,? )?(?:i'm|im|i am) in[.!]*")
_MAY_I_HAVE = pattern(r"(?:can|could|may) i (?:please )?((?:have|get|take)\b[^?]*)[?.!]*")
_REMARK = pattern(r"\blucky\b")


VOCABULARY = Vocabulary("host.games.bluffjack")


def split(line: str) -> tuple[str, ...]:
    """The fragments of a line, each a command of its own."""
    return VOCABULARY.split(
        _CALL_AND_RAISE.sub("", plain(line)),
        lambda found: all(number(each) is not None or each in ("all", "in", "chips") for each in found),
    )


def parse(fragment: str, state: State, seat: int) -> Command:
    """The command in one fragment. Raises `Invalid` where there is none."""
    found = None
    if len(fragment) <= LONGEST:
        if _REMARK.search(plain(fragment)):
            raise Invalid(VOCABULARY.refuse(fragment).reason, chatter=True)
        short = None if is_social(fragment) else _in_short(fragment, state, seat)
        if short:
            return short
        asks = _MAY_I_HAVE.fullmatch(plain(fragment))
        found = VOCABULARY.find(asks[1], state.phase) if asks else None
    found = found or VOCABULARY.read(fragment, state.phase)
    if found is None:
        raise VOCABULARY.refuse(fragment)
    if found.verb != "raise":
        return Command(found.verb)
    if " ".join(found.rest) in _ALL:
        return Command("raise", word="all")
    values = [each for each in found.rest if each not in _BESIDE_RAISE]
    amount = number(values[0]) if len(values) == 1 else None
    if amount is None or _TO_A_NUMBER.search(plain(fragment)):
        raise VOCABULARY.refuse(fragment)
    return Command("raise", amount)


def _in_short(fragment: str, state: State, seat: int) -> Command | None:
    """Reads what the table of verbs cannot say: all in, `I'm in`, and a figure that only repeats what is on the table."""
    said = words(fragment)
    if state.phase == "bet" or (state.phase == "card" and state.options.more_betting and may_bet(state, seat)):
        cost = to_call(state, seat)
        if " ".join(said) in _ALL_IN:
            is_a_call = cost >= state.chips[seat] and said[0] not in ("raise", "bet")
            return Command("call") if is_a_call else Command("raise", word="all")
        if _I_AM_IN.fullmatch(plain(fragment)) or _names(said, ("call", "match", "pay", "see"), cost):
            return Command("call")
        if cost and said[:1] not in (("raise",), ("bet",), ("reraise",)) and _is_putting_in(said, cost):
            return Command("call")
        if said in (("call", "all"), ("call", "all", "in")) and cost == state.chips[seat]:
            return Command("call")
    if state.phase == "card" and _names(said, ("stand", "stay", "stick"), total(state.cards[seat])):
        return Command("stand")
    return None


def _is_putting_in(said: Phrase, cost: int) -> bool:
    """Does it put just what a call takes into the pot (`my last 20 in`)?"""
    values = [number(each) for each in said if number(each) is not None]
    return values == [cost] and "in" in said and all(each in _PUTTING or number(each) is not None for each in said)


def _names(said: Phrase, verbs: Phrase, figure: int) -> bool:
    """Is it one of the verbs with just this figure (`call 30`, `stand on 17`)?"""
    figures = [number(each) for each in said[1:] if each not in _BESIDE_NUMBER]
    return bool(said) and said[0] in verbs and figures == [figure]


def choices(state: State, question: Question) -> tuple[Choice, ...]:
    """Offers at least one answer for every kind of legal move, fit for a link."""
    seat = question.seat
    if question.phase == "card":
        return (
            one_word("hit"),
            one_word("stand"),
            *_both_parts(state, seat),
        )
    cost = to_call(state, seat)
    if cost:
        label = f"Call ({cost} of your {state.chips[seat]})" if cost < state.chips[seat] else f"Call with all {cost}"
        first = one_word("call", label)
    else:
        first = one_word("check")
    return (first, *_raises(state, seat), one_word("fold"))


def _both_parts(state: State, seat: int) -> tuple[Choice, ...]:
    """With more betting the card and the bet of a turn in one answer (BJ-29)."""
    if not (state.options.more_betting and may_bet(state, seat)):
        return ()
    cost = to_call(state, seat)
    bet, label = ("call", f"call {cost}") if cost else ("check", "check")
    return tuple(
        Choice((card, bet), f"{card.title()}, then {label}", f"both in one reply: {card}, {bet}", "both")
        for card in ("stand", "hit")
    )


def _raises(state: State, seat: int) -> tuple[Choice, ...]:
    spare = state.chips[seat] - missing(state, seat)
    ante = ante_of(state)
    usage = f"the word raise and a whole number from {ante} to {spare}"
    sizes = dict.fromkeys(size for size in (ante, 2 * ante, max(state.in_pot) // ante * ante) if ante <= size < spare)
    found = [with_value("raise", size, f"Raise by {size}", usage) for size in sizes]
    if spare > 0:
        found.append(Choice(("raise all",), f"Raise all-in ({spare})", "the words raise all", "raise all"))
    return tuple(found)


def ahead(state: State, seat: int) -> tuple[Choice, ...]:
    """Offers what can be settled before it is asked: the next turn of this hand."""
    if state.phase == "over" or not state.dealt[seat] or state.folded[seat] or state.turn == seat:
        return ()
    cards = (one_word("stand"), one_word("hit"))
    bets = (
        Choice(("call",), "Call", "the word call, which counts as long as nobody raises", "call"),
        one_word("fold"),
    )
    if state.stage in ("cards", "between") and state.options.more_betting:
        return cards if not state.standing[seat] else bets if may_bet(state, seat) else ()
    if state.phase == "card" or not state.chips[seat]:
        return cards if not state.standing[seat] and state.stage != "final" else ()
    return bets
