"""Pure: the grammar of Champ Cards: a line becomes a `Command`, a question the choices that links offer."""

import re
from dataclasses import replace

from host.engine.cards import RANK_WORDS, face, read_card, total
from host.engine.game import HOST, Choice, MoreThanOne, Question
from host.engine.grammar import AtTable, words
from host.engine.vocabulary import Command, Vocabulary, one_word, with_orders, with_value
from host.engine.words import pattern, plain
from host.games.champ_cards.state import FREEZE_FROM, SPACES, State, bet_limits, hand_total, may_freeze, open_spaces

HALF = 26
"""The cut of a link that also picks."""
_KEEPING, _FREEZING = "keep 8 or more, else draw", "freeze 17 or more"
"""Orders that letters offer."""
VOCABULARY = Vocabulary("host.games.champ_cards")
_IN = r",? *(?:the |one |in |on |at |of |very |far |right in )*"
_ROW, _COLUMN = r"(top|upper|middle|bottom|lower|last) row", r"(left|middle|cent(?:er|re)|right)"
_IN_ROW = pattern(rf"(?i)\b{_ROW}{_IN}{_COLUMN}\b(?: one| corner| card)?")
_OF_ROW = pattern(rf"(?i)(?<!one )(?<!card )(?<!cards )\b{_COLUMN}(?: one| card)?{_IN}{_ROW}\b")
"""A space by its row and its place in it; `the one left in the top row` names none."""
_OPEN = pattern(
    r"\b(?:the|that) (?:open|visible|uncovered|(?:face|turned)[- ]up)(?: (?P<what>\w+(?: of (?:club|diamond|heart|spade)s)?))?\b"
    r"|\bthe (?:one|card) (?:(?:that|which)(?: is|'s) )?(?:lying |already )*(?:open|visible|uncovered|face[- ]up)\b"
)
"""The card that lies open, where there is one."""
_OF_BOTTOM = pattern(r"\b(?:from|off) (?:the )?bottom\b")
_ANOTHER_OFFER = pattern(r"\b(?:make|made) (?:it|that) \$?(\d[\d,]{2,6})\b")
_AT_AN_OFFER = pattern(
    r"\btak(?:e|ing)\b.{0,20}\b(?:cards?|bank|chances?|hand)\b|\bkeep(?:ing)?\b.{0,20}\b(?:money|cash|dollars)\b"
    r"|\bleav(?:e|ing) with\b|\bstop (?:it|that|this)\b"
)
"""At an offer `take` and `keep` are of the money, or of the hand that is left unplayed for it: what they name decides."""


def split(line: str) -> tuple[str, ...]:
    """The fragments of a line, each a command of its own."""
    return VOCABULARY.split(_IN_ROW.sub(r"\1 \2", _OF_ROW.sub(r"\2 \1", line)))


def parse(fragment: str, state: State, seat: int) -> Command:
    """The command in one fragment. Raises `Invalid` where there is none; a card that lies open stands for its space."""
    phase = "pick" if state.phase == "cut" and seat not in (state.turn, HOST) else state.phase  # who never cuts
    at = _at_table(state)
    if phase == "offer" and _AT_AN_OFFER.search(plain(fragment)):
        raise MoreThanOne("I could not tell whether you take the offer.")
    if phase == "pick":
        fragment = _OPEN.sub(lambda found: _number_of(found, at), plain(fragment))
    command = VOCABULARY.parse(fragment, phase, at, at_hand(state, seat))
    is_of_bottom = command.verb == "cut" and _OF_BOTTOM.search(plain(fragment))
    if is_of_bottom or (command.verb == "pick" and command.number is None):
        raise VOCABULARY.refuse(fragment)
    return command


def _number_of(said: re.Match[str], at: AtTable) -> str:
    """The number of the one space whose open card is meant, by its rank or as the only one; else no number at all."""
    what = said["what"] or "one"
    is_any, meant = what in ("one", "card", "space"), read_card(words(what)) or RANK_WORDS.get(what, "-")
    numbers = [number for card, number in at.values.items() if is_any or card.startswith(meant)]
    return f"number {numbers[0]}" if len(numbers) == 1 else said[0].removesuffix(what)


def _at_table(state: State) -> AtTable:
    """The words that may stand beside a move: the space of the card, the offer, the total one freezes at."""
    keep = {} if state.picked is None else {"keep": {str(state.picked + 1)}}
    offer = {"accept": {str(state.offer)}} if state.phase == "offer" else {}
    freeze = {"freeze": {str(hand_total(state, state.turn))}} if state.phase in ("pick", "choose") else {}
    shown = {state.spaces[place]: place + 1 for place in open_spaces(state) if state.shown[place]}
    return AtTable({**keep, **offer, **freeze}, cards={"pick": (tuple(shown),)}, values=shown)


def at_hand(state: State, seat: int) -> tuple[str, ...]:
    """The card that lies turned over."""
    return (state.spaces[state.picked],) if state.phase == "choose" and state.picked is not None else ()


def choices(state: State, question: Question) -> tuple[Choice, ...]:
    """Offers at least one answer for every kind of legal move, fit for a link."""
    match question.phase:
        case "cut":
            return _cuts()
        case "pick":
            return _picks(state)
        case "choose":
            card = state.spaces[state.picked or 0]
            points = total([*state.hands[state.turn], card])
            return (one_word("keep", f"Keep the {face(card)}: {points}"), one_word("draw", "Leave it and draw"))
        case "bet":
            smallest, largest = bet_limits(state.bank)
            middle = -(-(smallest + largest) // 2)
            usage = f"the word bet and a whole number from {smallest} to {largest}"
            names = {smallest: "half", middle: "", largest: "all"}
            return tuple(
                with_value("bet", amount, f"Bet ${amount:,}{name and f' ({name})'}", usage, also=name and f"bet {name}")
                for amount, name in names.items()
            )
        case _:
            return (
                one_word("accept", f"Accept ${state.offer:,} and stop"),
                one_word("decline", "Decline and play on"),
            )


def guesses(state: State, seat: int, text: str) -> tuple[tuple[Command, ...], ...]:
    """A no to an offer that somebody would take if it were another."""
    other = _ANOTHER_OFFER.search(plain(text)) if state.phase == "offer" else None
    is_other = other and int(other[1].replace(",", "")) > state.offer
    return ((Command("decline"),),) if is_other else ()


def ahead(state: State, seat: int) -> tuple[Choice, ...]:
    """Offers what can be settled before it is asked: the next turn of this round."""
    if state.stage != "main" or state.phase not in ("cut", "pick", "choose") or state.turn == seat:
        return ()
    picks = (replace(choice, spot="") for choice in _places(state))
    may = state.frozen is None and hand_total(state, seat) >= FREEZE_FROM
    return (*picks, *([one_word("freeze")] if may else []))


def _cuts() -> tuple[Choice, ...]:
    for_both, for_cut = "the words cut and pick, each with its number", "the word cut and any number from 0 to 51"
    both = (
        Choice((f"cut {HALF}", f"pick {space}"), f"Cut {HALF}, pick {space}", for_both, "cut and pick", spot=str(space))
        for space in range(1, SPACES + 1)
    )
    return (*both, *(with_value("cut", count, f"Cut {count}", for_cut) for count in (13, HALF, 39)))


def _picks(state: State) -> tuple[Choice, ...]:
    places = _places(state)
    draws = () if places else (one_word("draw", "Draw from the stock"),)
    freezes = (one_word("freeze", f"Freeze at {hand_total(state, state.turn)}"),) if may_freeze(state) else ()
    return (*places, *draws, *freezes)


def _places(state: State) -> tuple[Choice, ...]:
    """A pick of each space that holds a card, with the card where it lies open; of some, before they are dealt."""
    usage = "the word pick and the number of a space"
    cards = {place: f" ({face(state.spaces[place])})" if state.shown[place] else "" for place in open_spaces(state)}
    if state.phase == "cut":
        cards = dict.fromkeys((0, SPACES // 2, SPACES - 1), "")
    return tuple(
        with_value("pick", place + 1, f"Pick {place + 1}{card}", usage, str(place + 1)) for place, card in cards.items()
    )


def whole(state: State, question: Question) -> tuple[Choice, ...]:
    """Offers a pick, and a cut with one, with what becomes of the card; a hand of the bonus round by rule."""
    is_waiting = question.phase == "cut" and state.turn != question.seat
    if is_waiting or (question.phase == "pick" and open_spaces(state)):
        closed = [place for place in open_spaces(state) if not state.shown[place]]
        pick = f"pick {SPACES if is_waiting else (closed or open_spaces(state))[0] + 1}"
        once, ever = with_orders((pick,), f"{pick.capitalize()}, keep an 8 or more, else draw", (_KEEPING,))
        return once, replace(ever, say=(*ever.say, _FREEZING), label=f"{ever.label}; freeze from 17 on")
    if question.phase == "cut":
        once, ever = with_orders((f"cut {HALF}", "pick 5"), f"Cut {HALF}, pick 5, keep an 8 or more", (_KEEPING,))
        return once, replace(ever, say=(*ever.say, f"always cut {HALF}", _FREEZING))
    if question.phase == "bet":
        orders = ("always decline", _KEEPING, _FREEZING, "always pick the next")
        label = "Bet half; no offer, keep an 8 or more, freeze from 17 on"
        once, ever = with_orders((f"bet {bet_limits(state.bank)[0]}",), label, orders)
        return once, replace(ever, say=(*ever.say, "always bet half"))
    return ()
