"""Pure: the grammar of Bluffjack. It reads as a `Command` what somebody at a seat wrote in a state of play."""

from host.engine.cards import total
from host.engine.game import Choice, Question
from host.engine.grammar import AtTable, Value, words
from host.engine.vocabulary import Command, Vocabulary, one_word, with_orders, with_value
from host.engine.words import pattern, plain
from host.games.bluffjack.state import State, ante_of, may_bet, missing, to_call

_CALL_AND_RAISE = pattern(
    r"\b(?:call|match|see)\b(?: (?:it|that|this|you|the|your|his|her|their|bet|raise|\d+))* (?:and|&) (?=(?:re-?)?raise\b)"
)
_TO_A_SUM = pattern(r"\bto\s+\S*\d")
_A_SUM = pattern(
    r"\b(?:raise (?:it )?to|make (?:it|that)) \$?(\d{1,6})\b|\b(\d{1,6}) (?:in )?(?:total|all|altogether|to go)\b"
)

VOCABULARY = Vocabulary("host.games.bluffjack")


def split(line: str) -> tuple[str, ...]:
    """The fragments of a line, each a command of its own; to call and raise is one."""
    return VOCABULARY.split(_CALL_AND_RAISE.sub("", plain(line)))


def parse(fragment: str, state: State, seat: int) -> Command:
    """The command in one fragment. Raises `Invalid` where there is none; to raise to a sum is none."""
    command = VOCABULARY.parse(fragment, state.phase, _at_table(state, seat))
    if (
        command == Command("raise", ("all",))
        and "raise" not in words(fragment)
        and 0 < state.chips[seat] <= to_call(state, seat)
    ):
        return Command("call")  # everything is no more than what a call costs
    if command.number is not None and _TO_A_SUM.search(plain(fragment)):
        raise VOCABULARY.refuse(fragment)
    return command


def _at_table(state: State, seat: int) -> AtTable:
    """A figure beside a move may repeat what a call costs, or the total one stands on; the least raise is the ante (BJ-11)."""
    least: dict[str, Value] = {"least": ante_of(state)}
    cost = to_call(state, seat)
    if state.phase == "bet":
        beside = {"call": {str(cost), *(("all", "in") if cost == state.chips[seat] else ())}}
    else:
        beside = {"stand": {str(total(state.cards[seat]))}}
        if state.phase != "card" or (state.options.more_betting and may_bet(state, seat)):
            beside["call"] = {str(cost)}
    return AtTable(beside, values=least)


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
        label = f"Raise all-in ({spare})"
        found.append(Choice(("raise all",), label, "the words raise all", "raise all", also=f"raise {spare}"))
    return tuple(found)


def guesses(state: State, seat: int, text: str) -> tuple[tuple[Command, ...], ...]:
    """A raise to a sum: on top of the highest stake, or of what a call costs, which people mean as often."""
    found = _A_SUM.search(plain(text)) if state.phase == "bet" else None
    if not found:
        return ()
    stakes = [max(state.in_pot), to_call(state, seat)]
    is_to = found[0].startswith("raise")
    sizes = (int(found[1] or found[2]) - each for each in (stakes if is_to else reversed(stakes)))
    return tuple((Command("raise", (size,)),) for size in dict.fromkeys(sizes) if size > 0)


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
    is_done = state.acted[seat]  # who bet is not asked again, unless somebody raises
    if state.phase == "card" or is_done or not state.chips[seat]:
        return cards if not state.standing[seat] and state.stage != "final" else ()
    return bets


def whole(state: State, question: Question) -> tuple[Choice, ...]:
    """Offers a card or a bet with the rest of the hand by rule, once or from now on; to who is not asked the rule alone."""
    seat, most = question.seat, 4 * ante_of(state)
    if not state.dealt[seat] or state.folded[seat]:
        return ()
    price = to_call(state, seat)
    bets = {f"call {most} or less, else fold": f"up to {most} a bet"} if price < state.chips[seat] else {}
    cards = {"hit until 17, else stand": "hit until 17"} if state.stage != "final" else {}
    is_card = question.phase == "card"
    orders = cards | bets if is_card else bets | cards  # in the order in which the hand asks for them
    if not orders:
        return ()
    label = ", ".join(orders.values())
    if is_card or state.turn != seat:
        return with_orders((), label.capitalize() if is_card or not bets else f"Call {label}", tuple(orders))
    said = "call" if price else "check"
    return with_orders((said,), f"{said.capitalize()}; then {label}", tuple(orders))
