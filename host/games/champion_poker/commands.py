"""Pure: the grammar of Champion Poker. It reads as a `Command` what somebody at a seat wrote in a state of play."""

from host.engine.game import Choice, MoreThanOne, Question
from host.engine.grammar import AtTable, Value, number, words
from host.engine.vocabulary import MORE, Command, Vocabulary, one_word, with_orders, with_value
from host.engine.words import pattern, plain
from host.games.champion_poker.state import State, largest_bet, smallest_wager

VOCABULARY = Vocabulary("host.games.champion_poker")
split = VOCABULARY.split
_ONE_OF_BOTH = pattern(
    r"\b(?:bonus|blind)(?: bet)? (?:only|alone)\b|\bonly (?:on )?(?:the )?(?:bonus|blind)\b"
    r"|\b(?:no|not|none|nothing|without|zero|0)(?: on| for)?(?: the| a| my)? (?:bonus|blind)\b"
)
_IN_ALL = pattern(r"\b(\d{1,6})\b[^.?!;,\n]{0,30}? (?:in (?:all|total)|all ?together|altogether)\b")


def parse(fragment: str, state: State, seat: int) -> Command:
    """The command in one fragment. Raises `Invalid` where there is none.

    In version 1 `20 and 20`, or a blind without its side, leaves open whether it has one; in version 2 there is no bet without a
    blind.
    """
    version, said = state.options.version, words(fragment)
    price = {str(state.wagers[seat].blind)}
    is_double = version == 2 or not VOCABULARY.lists["side"].keys().isdisjoint(said)
    limits: dict[str, Value] = {"most": largest_bet(state, seat, is_double), "least": state.options.min_bet}
    if version == 2 and state.phase == "bet" and _ONE_OF_BOTH.search(plain(fragment)):
        raise MoreThanOne("A bet goes on the Bonus and on the Blind, as much on each.")
    command = VOCABULARY.parse(fragment, state.phase, AtTable({"play": price, "raise": price}, values=limits))
    is_bare = version == 1 and command.verb == "bet" and not command.word
    is_twice = sum(number(each) == command.number for each in said) > 1
    is_of_blind = not {"blind", "blinds", "both", "each"}.isdisjoint(said) and {"no", "without", "not"}.isdisjoint(said)
    if (is_bare and (is_twice or is_of_blind)) or (command.word == "alone" and version == 2):
        raise VOCABULARY.refuse(fragment)
    return Command("bet", command.numbers) if command.word == "alone" else command


def guesses(state: State, seat: int, text: str) -> tuple[tuple[Command, ...], ...]:
    """A bet that says what it costs with the blind, which is as large."""
    found = _IN_ALL.search(plain(text)) if state.phase == "bet" else None
    size = int(found[1]) // 2 if found else 0
    return ((Command("bet", (size,)),),) if found and 2 * size == int(found[1]) and state.options.version == 2 else ()


def choices(state: State, question: Question) -> tuple[Choice, ...]:
    """Offers at least one answer for every kind of legal move, fit for a link."""
    seat = question.seat
    blind = state.wagers[seat].blind
    if question.phase == "play":
        return (one_word("play", f"Play for {blind} more"), one_word("fold"))
    if question.phase == "raise":
        return (one_word("raise", f"Raise by {blind}"), one_word("check"))
    return (*_bets(state, seat), one_word("sit", "Sit this hand out"))


def _bets(state: State, seat: int) -> tuple[Choice, ...]:
    options = state.options
    if options.version == 2:
        usage = f"the word bet and a number from {options.min_bet} to {largest_bet(state, seat, True)}"
        return tuple(with_value("bet", size, f"Bet {size} and {size}", usage) for size in _sizes(state, seat, True))
    usage = f"the word bet and a number from {options.min_bet} to {largest_bet(state, seat, False)}"
    has_blind = state.bankrolls[seat] >= 2 * smallest_wager(options)
    sizes = _sizes(state, seat, False)
    found = [with_value("bet", size, f"Bet {size}, no Blind", usage) for size in (sizes[:1] if has_blind else sizes)]
    if has_blind:
        for side in ("player", "dealer"):
            most = largest_bet(state, seat, True)
            words_for_it = f"the word bet, a number from {options.min_bet} to {most}, and the word {side}"
            found += [
                Choice((f"bet {size} {side}",), f"{size} + {size} on {side}", words_for_it, f"bet {side}")
                for size in _sizes(state, seat, True)[-2:]
            ]
    return tuple(found)


def _sizes(state: State, seat: int, is_double: bool) -> tuple[int, ...]:
    """The least, a middle and the largest bet."""
    least, most = state.options.min_bet, largest_bet(state, seat, is_double)
    return tuple(dict.fromkeys((least, (least + most) // 2, most)))


def ahead(state: State, seat: int) -> tuple[Choice, ...]:
    """Offers what can be settled before it is asked: the next hand's wager with the last answer of this one."""
    is_early = seat in state.asked and state.phase != "raise"
    if state.phase == "over" or is_early or state.gone[seat] or state.broke[seat]:
        return ()
    if state.phase == "play" and state.wagers[seat].play and state.bankrolls[seat] >= state.wagers[seat].blind:
        return (one_word("check"), one_word("raise"))
    least = state.options.min_bet
    if state.phase == "bet" or state.hand == state.options.hands:
        return ()
    return (with_value("bet", least, f"Bet {least} in the next hand", "the word bet and a number"),)


def whole(state: State, question: Question) -> tuple[Choice, ...]:
    """Offers a bet for every hand, and to play with the raise and the next hand's bet, where chips are sure to be left for it."""
    seat, last = question.seat, state.hand == state.options.hands
    if seat not in state.asked:
        return ()  # theirs is here already
    if question.phase == "bet":
        bet = _bets(state, seat)[0].say[0]
        return with_orders(
            (bet,),
            f"{bet.capitalize()}, now and in every hand; play, and check",
            (f"always {bet}", "always play", "always check"),
        )
    if question.phase == "play":
        bonus, blind, chips = state.wagers[seat].bonus, state.wagers[seat].blind, state.bankrolls[seat]
        plays = [("play", "raise"), ("play", "check")] if chips >= 2 * blind else [("play",)]
        ways = []
        for play in (*plays, ("fold",)):
            left = chips - blind * sum(each in ("play", "raise") for each in play)
            may_bet = not last and state.options.version > 1 and left >= 2 * bonus
            ways.append((*play, f"bet {bonus}") if may_bet else play)
        ways = [way for way in ways if len(way) > 1]
        return tuple(Choice(way, ", ".join(way).capitalize(), "\n".join(way), "whole", group=MORE) for way in ways)
    return ()
