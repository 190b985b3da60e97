"""Pure: the grammar of Champion Poker. It reads as a `Command` what somebody at a seat wrote in a state of play."""

from host.engine.game import Choice, Question
from host.engine.grammar import number, plain, words
from host.engine.lazy import pattern
from host.engine.vocabulary import Command, Phrase, Vocabulary, joined, one_word, with_value
from host.games.champion_poker.state import State, largest_bet, smallest_wager

_NOUNS = frozenset(
    """it on chips chip dollars each both per spot spots hand card cards bonus blind with behind side of to for wins win
    back backing here there go in put have""".split()
)
_MOST = frozenset("max maximum most limit".split())
_LEAST = frozenset("min minimum least smallest lowest".split())
_ALLOWED = frozenset("possible allowed allow can they me bet bets i'm am as much let that whatever down".split())
_MORE = frozenset(
    "it on by in for with more another other extra chips chip dollars blind hand cards top my last there "
    "here's here put pay".split()
)
_ADDING = frozenset("more another other extra in put pay here here's".split())
_SIDES = {
    **dict.fromkeys(("player", "player's", "players"), "player"),
    **dict.fromkeys(("dealer", "dealer's", "dealers", "house"), "dealer"),
}
_BONUS_ONLY = (
    *("bonus only", "only bonus", "only on bonus", "no blind", "without blind", "no side", "without side"),
    *("nothing on blind", "neither player nor dealer", "neither side", "blind none", "blind 0"),
)
_ALONE = {"hundred": 100, "thousand": 1000}
_NO_BET = pattern(r"\b(?:hand|round) \d|\bi'?m\b|\bmay\b|\d(?:st|nd|rd|th)\b")
"""Beside a bare number: an age, a date."""


VOCABULARY = Vocabulary("host.games.champion_poker")


def split(line: str) -> tuple[str, ...]:
    """The fragments of a line, each a command of its own. A bare bet keeps together: `20 on the bonus and 20 on the dealer`."""
    fragments = VOCABULARY.split(line, _is_value)
    return joined(fragments, lambda last, part: _is_value(words(last)) and _is_value(words(part)))


def _is_value(found: Phrase) -> bool:
    is_known = all(_number(each) is not None or each in _NOUNS or each in _SIDES for each in found)
    return bool(found) and (is_known or " ".join(found) in _BONUS_ONLY)


def _number(word: str) -> int | None:
    return _ALONE.get(word, number(word))


def parse(fragment: str, state: State, seat: int) -> Command:
    """The command in one fragment. Raises `Invalid` where there is none; a bare number is a bet where one is asked for."""
    is_in = words(fragment) == ("in",)  # `I'm in`, which is small talk elsewhere
    found = VOCABULARY.find(fragment, state.phase) if is_in else VOCABULARY.read(fragment, state.phase)
    command: Command | None = None
    if found and found.verb == "bet":
        command = _bet(found.rest, state, seat)
    elif found:
        command = Command(found.verb) if _is_its_price(found.rest, state, seat) else None
    elif (
        state.phase in ("play", "raise")
        and words(fragment)
        and _is_its_price(words(fragment), state, seat, is_needed=True)
    ):
        command = Command(state.phase)
    elif (
        state.phase == "bet" and not _NO_BET.search(plain(fragment)) and plain(fragment) not in ("max", "min")
    ):  # names, too
        command = _bet(words(fragment), state, seat)
    if command is None:
        raise VOCABULARY.refuse(fragment)
    return command


def _is_its_price(rest: Phrase, state: State, seat: int, is_needed: bool = False) -> bool:
    """Play and Raise have one price, as large as the Blind; who names it names that one.

    Where no verb is named (`is_needed`), a price alone may be small talk: a word such as `more` makes it one.
    """
    values = [_number(each.lstrip("+")) for each in rest if each not in _MORE]
    price = state.wagers[seat].blind
    if is_needed:
        return values == [price] and (rest[0].startswith("+") or not _ADDING.isdisjoint(rest))
    return values in ([], [price])


def _bet(rest: Phrase, state: State, seat: int) -> Command | None:
    """A bet in these words. Its number may be said for each of two spots: `20 on the bonus and 20 on the dealer`."""
    text = " ".join(rest).replace("5 card bonus", "bonus")
    sides = {_SIDES[each] for each in text.split() if each in _SIDES}
    if state.options.version == 1 and not sides:
        for phrase in _BONUS_ONLY:
            text = text.replace(phrase, "")
    values = [_number(each) for each in text.split() if each not in _NOUNS and each not in _SIDES]
    limit = _limit(tuple(text.split()), state, seat, bool(sides) or state.options.version == 2)
    if limit is not None and len(sides) < 2:
        return Command("bet", limit, "".join(sides))
    least, most = state.options.min_bet, largest_bet(state, seat, True)
    is_backed = not {"with", "on", "back", "backing", "for"}.isdisjoint(text.split())
    if not values and len(sides) == 1 and least == most and is_backed:
        return Command("bet", least, "".join(sides))
    is_twice = len(values) == 2 < len(text.split()) and (state.options.version == 2 or sides)
    if len(set(values)) != 1 or values[0] is None or len(sides) > 1 or (len(values) > 1 and not is_twice):
        return None
    return Command("bet", values[0], "".join(sides))


def _limit(found: Phrase, state: State, seat: int, is_double: bool) -> int | None:
    """The largest or the least bet, where just that is said (`the max`, `as much as they let me`)."""
    rest = {each for each in found if each not in _NOUNS and each not in _SIDES}
    if rest & _LEAST and rest <= _LEAST | _ALLOWED:
        return state.options.min_bet
    is_most = bool(rest & _MOST) or {"as", "much"} <= rest
    return largest_bet(state, seat, is_double) if is_most and rest <= _MOST | _ALLOWED else None


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
    if state.phase == "play" and state.wagers[seat].play:
        return (one_word("check"), one_word("raise"))
    least = state.options.min_bet
    if state.phase == "bet" or state.hand == state.options.hands:
        return ()
    return (with_value("bet", least, f"Bet {least} in the next hand", "the word bet and a number"),)
