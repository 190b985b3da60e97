"""Pure: the table of Split Decision: its frozen state, and what both rules and grammar ask of it."""

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from host.engine.cards import DECK_WITH_JOKERS, JOKERS, Card
from host.engine.game import Entry

Phase = Literal[
    "setup",
    "free-ace",
    "head-start",
    "question",
    "judging",
    "free-look",
    "peek",
    "no-peek",
    "place",
    "passed",
    "ask",
    "choose",
    "bet",
    "suit",
    "over",
]
Step = Literal["", "round", "free-ace", "head-start", "question", "put", "try", "control", "next-card", "bonus", "hand"]
Slot = Literal["high", "low"]

PHASES: tuple[str, ...] = tuple(phase for phase in get_args(Phase) if phase != "over")
"""Those in which somebody is asked."""

SEATS = 3
COLOURS = ("red", "gold", "blue")
FREE_ACE = "A*"
RANKS = "A23456789TJQK"
HIGH_ACE = 14
CODES = 30
HIGHEST_CODE = 100
CHIPS = 2
HEAD_START_CARDS = 2
FREE_LOOK_FROM = 6
FREE_ACE_AFTER = 8
BONUS = 4
LAST_CALL = 5
PLACES = 15
DEVIL = "Devil"
LEAST_BET = 250


@dataclass(frozen=True)
class Options:
    """How an episode is played: seat 0 has won `champion_wins` in a row; `judge` is one of `JUDGES` (SD-21).

    After `dry` questions of a round in a row that nobody got right the nearest takes control (SD-23); 0: never.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}  # a stored state with other options does not fit

    champion_wins: int = 0
    questions: tuple[Entry, ...] = ()
    judge: str = "near"
    dry: int = 0


@dataclass(frozen=True)
class State:
    """One episode; tuples are by seat (red, gold, blue), money in dollars.

    `step` is what the game does next by itself, empty while somebody is asked. `actor` is the seat that acts: at a head
    start, on a question, in control, or with a card that was passed. `high` and `low` are cards, empty where open. `code_set`
    is the set of codes that counts next (0-29). `reached` tells when a seat's money last grew (`growths` counts that).
    `winners` are those of rounds 1 to 3, -1 for nobody; `day` is the bonus player's. In the bonus round `number` is the hand,
    `stock` its deck, `places` the board of fifteen, `suits` the second-chance board over c d h s, `helps` how often the bank
    fell below the least bet. `moves` counts what was done: it makes the keys of questions. `in_vain` counts the questions of
    the round in a row that nobody got right.
    """

    options: Options
    phase: Phase = "setup"
    step: Step = ""
    round: int = 1
    number: int = 0
    questions_put: int = 0
    questions_used: int = 0
    order: tuple[int, ...] = (0, 1, 2)
    out: tuple[bool, ...] = (False,) * SEATS
    gone: tuple[bool, ...] = (False,) * SEATS
    missed: tuple[int, ...] = (0,) * SEATS
    codes: tuple[tuple[int, ...], ...] = ((),) * SEATS
    cut: int = 0
    code_set: int = 0
    stock: tuple[Card, ...] = DECK_WITH_JOKERS
    reshuffles: int = 0
    high: tuple[Card, ...] = ("",) * SEATS
    low: tuple[Card, ...] = ("",) * SEATS
    chips: tuple[int, ...] = (CHIPS,) * SEATS
    card: Card = ""
    actor: int = -1
    seen: int = 0
    question: Entry | None = None
    target: int | None = None
    buzz: tuple[int, ...] = ()
    tries: int = 0
    answer: str = ""
    in_vain: int = 0
    winnings: tuple[int, ...] = (0,) * SEATS
    reached: tuple[int, ...] = (0,) * SEATS
    growths: int = 0
    winners: tuple[int, ...] = ()
    first_round_questions: int = 0
    consolation: int | None = None
    bank: int | None = None
    bet: int = 0
    between: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    suits: tuple[str, ...] = ()
    suit_boards: int = 0
    opened: str = ""
    helps: int = 0
    is_called_early: bool = False
    paid: int = 0
    day: int | None = None
    ending: str | None = None
    moves: int = 0


def is_ace(card: Card) -> bool:
    """An ace, or a joker in a slot, which stands for one (SD-2, SD-3)."""
    return card[:1] == "A" or card in JOKERS


def rank_as(card: Card, slot: Slot) -> int:
    """A card's rank in a slot: an ace is 14 high and 1 low (SD-2)."""
    if is_ace(card):
        return HIGH_ACE if slot == "high" else 1
    return RANKS.index(card[0]) + 1


def fits(state: State, seat: int, card: Card, slot: Slot) -> bool:
    """May this card go there: the slot is open, and the other one open or on its proper side (SD-5)?"""
    high, low = state.high[seat], state.low[seat]
    if slot == "high":
        return not high and (not low or rank_as(low, "low") < rank_as(card, "high"))
    return not low and (not high or rank_as(high, "high") > rank_as(card, "low"))


def fitting(state: State, seat: int, card: Card) -> tuple[Slot, ...]:
    """The slots that can take a card, high first."""
    slots: tuple[Slot, ...] = ("high", "low")
    return tuple(slot for slot in slots if fits(state, seat, card, slot))


def in_round(state: State) -> tuple[int, ...]:
    """The seats still in the round, in its order."""
    return tuple(seat for seat in state.order if not state.out[seat] and not state.gone[seat])


def to_try(state: State) -> tuple[int, ...]:
    """The seats that have not had their try at this question, the nearest first; the first of them is asked."""
    return tuple(seat for seat in state.buzz[state.tries :] if seat in in_round(state))


def heir(state: State) -> int:
    """The seat that takes control if nobody gets this question right: the nearest, at the end of a dry row; else -1 (SD-23)."""
    if state.in_vain + 1 != state.options.dry:
        return -1
    return next((seat for seat in state.buzz if seat in in_round(state)), -1)


def bet_limits(state: State) -> tuple[int, int, int]:
    """The least bet, the most, and the step between bets (SD-39)."""
    bank = state.bank or 0
    if state.number == LAST_CALL:
        return -(-bank // 50) * 25, bank, 25
    return LEAST_BET, bank, 50


def asked(state: State) -> tuple[int, ...]:
    """The seats that are asked now; none where the host is."""
    if state.phase == "setup":
        return tuple(seat for seat in range(SEATS) if not state.gone[seat] and not is_set_up(state, seat))
    if state.phase in ("judging", "ask", "over"):
        return ()
    return (state.actor,)


def is_set_up(state: State, seat: int) -> bool:
    """Has a seat sent what it has to send before round 1 (SD-7, SD-8)?"""
    return bool(state.codes[seat]) and (seat != 0 or state.cut > 0)


def loser_of_second(state: State) -> int | None:
    """The loser of round 2, once it has a winner."""
    if len(state.winners) < 2 or state.winners[1] < 0:
        return None
    return next(seat for seat in range(SEATS) if seat not in state.winners[:2])
