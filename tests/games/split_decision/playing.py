"""Tables of Split Decision as the tests need them, and saying things at them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from host.engine.cards import DECK_WITH_JOKERS
from host.engine.chance import Chance
from host.engine.events import Event
from host.engine.game import HOST, Entry, Outcome
from host.games.split_decision import GAME
from host.games.split_decision.rules import options_of
from host.games.split_decision.rules.bonus import BOARD, SECOND_CHANCES
from host.games.split_decision.state import BONUS, SEATS, State

CHANCE = Chance(bytes(32))
PARIS = Entry("What is the capital of France?", ("Paris", "The City of Light"))
CODES = ((10,) * 30, (45,) * 30, (91,) * 30)
"""No target is equally far from any two of these."""
ASKING = ("setup", "free-ace", "head-start", "ask", "over")


def new_game(**options: Any) -> State:
    return GAME.deal(SEATS, options, CHANCE).state


def table(
    phase: str = "question",
    high: str = "- - -",
    low: str = "- - -",
    top: str = "",
    card: str = "",
    options: Mapping[str, Any] | None = None,
    **fields: Any,
) -> State:
    """Question 1 of round 1, red the nearest to its target and the one who acts. `high` and `low` are cards by seat
    (`Kc - 4d`), the stock begins with `top`, all other cards of the deck lie below."""
    highs, lows = by_seat(high), by_seat(low)
    used = {*highs, *lows, *top.split(), card}
    is_put = phase not in ASKING
    known: dict[str, Any] = {
        "round": 1,
        "number": 1 if is_put or phase == "ask" else 0,
        "questions_put": 1,
        "codes": CODES,
        "cut": 5,
        "actor": -1 if phase == "ask" else 0,
        "question": PARIS if is_put else None,
        "target": 12 if is_put else None,
        "buzz": (0, 1, 2) if is_put else (),
    }
    state = State(
        options=options_of(options or {}),
        phase=phase,  # type: ignore[arg-type]  # a phase in words
        high=highs,
        low=lows,
        card=card,
        stock=(*top.split(), *(each for each in DECK_WITH_JOKERS if each not in used)),
    )
    return replace(state, **known | fields)


def by_seat(cards: str) -> tuple[str, ...]:
    return tuple(card.replace("-", "") for card in cards.split())


def second(phase: str = "question", **fields: Any) -> State:
    """As `table`, in round 2, which red has left to gold and blue; gold acts."""
    known: dict[str, Any] = {"round": 2, "order": (1, 2), "winners": (0,), "actor": 1, "buzz": (1, 2)}
    if phase in ASKING:
        known["buzz"] = ()
    return table(phase, **known | fields)


def third(phase: str = "question", **fields: Any) -> State:
    """As `table`, in round 3, which red and gold play; red acts."""
    known: dict[str, Any] = {"round": 3, "order": (0, 1), "winners": (0, 1), "buzz": (0, 1)}
    if phase in ASKING:
        known["buzz"] = ()
    return table(phase, **known | fields)


def bonus(
    phase: str = "choose",
    top: str = "",
    shown: str = "K 4 9 2",
    card: str = "",
    options: Mapping[str, Any] | None = None,
    **fields: Any,
) -> State:
    """Hand 1 of Luck of the Draw, which red plays with a bank of $1,500. Places hold the board in its usual order (1 and 2
    the aces, 15 the Devil), `c d h s` hide chance, no, no, again; in the phase `suit` $500 are bet on king and 4."""
    known: dict[str, Any] = {
        "round": BONUS,
        "number": 1,
        "order": (0,),
        "winners": (0, 1, 0),
        "actor": 0,
        "codes": CODES,
        "cut": 5,
        "winnings": (3000, 0, 0),
        "bank": 1500,
        "day": (options or {}).get("champion_wins", 0) + 1,
        "places": BOARD,
        "suits": SECOND_CHANCES,
        "suit_boards": 1,
        "shown": tuple(shown.split()) if phase != "choose" else (),
        "bet": 500 if phase == "suit" else 0,
        "between": ("K", "4") if phase == "suit" else (),
    }
    card = card or ("2c" if phase == "suit" else "")
    used = {card, *top.split()}
    state = State(
        options=options_of(options or {}),
        phase=phase,  # type: ignore[arg-type]  # a phase in words
        card=card,
        stock=(*top.split(), *(each for each in DECK_WITH_JOKERS if each not in used)),
    )
    return replace(state, **known | fields)


def say(state: State, *texts: str, seat: int | None = None) -> Outcome[State]:
    """Each text is said by `seat`, else by whoever is asked first."""
    events: list[Event] = []
    for text in texts:
        speaker = GAME.questions(state)[0].seat if seat is None else seat
        outcome = GAME.apply(state, speaker, GAME.parse(text, state, speaker), CHANCE)
        state = outcome.state
        events.extend(outcome.events)
    return Outcome(state, tuple(events))


def silence(state: State, *seats: int) -> Outcome[State]:
    """The deadlines of these seats pass, else that of whoever is asked."""
    events: list[Event] = []
    for seat in seats or (GAME.questions(state)[0].seat,):
        outcome = GAME.timeout(state, seat, CHANCE)
        state = outcome.state
        events.extend(outcome.events)
    return Outcome(state, tuple(events))


def right(state: State) -> Outcome[State]:
    """Whoever is asked knows it."""
    return say(state, "answer Paris")


def asked(state: State) -> tuple[int, str]:
    """Who is asked, and for what; the host is `HOST`."""
    (question,) = GAME.questions(state)
    assert question.seat == HOST or not GAME.is_out(state, question.seat)
    return question.seat, question.phase


def all_but(stock: Sequence[str], *cards: str) -> list[str]:
    """The deck without some cards, in its own order."""
    return [card for card in stock if card not in cards]
