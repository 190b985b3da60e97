"""Tables of The Game of Champions as the tests need them, and saying things at them."""

from dataclasses import replace
from typing import Any

from host.engine.cards import DECK, Card
from host.engine.chance import Chance
from host.engine.events import Event
from host.engine.game import Outcome
from host.games.game_of_champions import GAME
from host.games.game_of_champions.state import Battalion, State, asked, is_face

CHANCE = Chance(bytes(32))
SALT = "00" * 8


def army(text: str) -> tuple[Battalion, ...]:
    """`Kh 9c 4d / Qs`: a king with two cards, and a bare queen."""
    groups = [each.split() for each in text.split("/") if each.strip()]
    return tuple(Battalion(group[0], tuple(group[1:])) for group in groups)


def written(found: tuple[Battalion, ...]) -> str:
    return " / ".join(" ".join((each.commander, *each.cards)) for each in found)


def table(mine: str, theirs: str, top: str = "", is_spent: bool = False, **fields: Any) -> State:
    """Seat 0 is in the middle of its turn; seat 1 has dealt. The reserve pile begins with `top`.

    It holds all cards that lie nowhere else; where it `is_spent` it is empty, and these went as casualties of seat 1.
    """
    armies = (army(mine), army(theirs))
    known: dict[str, Any] = {
        "phase": "turn",
        "turn": 0,
        "casualties": ((), ()),
        "gone": ((), ()),
        "drawn": None,
    } | fields
    used = [card for side in armies for each in side for card in (each.commander, *each.cards)]
    used += [card for pile in (*known["casualties"], *known["gone"], top.split()) for card in pile]
    used += [known["drawn"]] if known["drawn"] else []
    assert len(set(used)) == len(used), "a card is there twice"
    rest = tuple(card for card in DECK if card not in used)
    state = State(**{"salt": SALT, "match": None, "dealer": 1, "army": armies} | known)
    if not is_spent:
        return replace(state, reserve=(*top.split(), *rest))
    assert not top
    (lost, theirs_lost), (gone, theirs_gone) = state.casualties, state.gone
    numbers = tuple(card for card in rest if not is_face(card))
    return replace(
        state,
        casualties=(lost, (*numbers, *theirs_lost)),
        gone=(gone, (*theirs_gone, *(card for card in rest if is_face(card)))),
    )


def placing(mine: str, theirs: str, drawn: Card, then: str = "turn", **fields: Any) -> State:
    """Seat 0 has drawn a number card."""
    return table(mine, theirs, phase="place", drawn=drawn, then=then, **fields)


def ordering(mine: str, theirs: str, attack: str, **fields: Any) -> State:
    """Seat 0 has attacked."""
    return say(table(mine, theirs, **fields), f"attack {attack}").state


def fight(mine: str, theirs: str, **fields: Any) -> Outcome[State]:
    """The first battalion of seat 0 attacks the first of seat 1, both in the order written; one flip is made."""
    state = table(mine, theirs, **fields)
    first, second = state.army[0][0], state.army[1][0]
    outcome = say(state, f"attack {first.commander} {second.commander}")
    for seat, each in enumerate((first, second)):
        if len(each.cards) > 1:
            after = say(outcome.state, f"order {' '.join(each.cards)}", seat=seat)
            outcome = Outcome(after.state, (*outcome.events, *after.events))
    return outcome


def hands(mine: str, theirs: str, **fields: Any) -> State:
    """Both are to deploy these hands; seat 1 has dealt."""
    held = (tuple(mine.split()), tuple(theirs.split()))
    rest = tuple(card for card in DECK if card not in {*held[0], *held[1]})
    return replace(State(salt=SALT, phase="deploy", match=None, dealer=1, hands=held, reserve=rest), **fields)


def say(state: State, *texts: str, seat: int | None = None) -> Outcome[State]:
    """Each text is said by `seat`, else by the first who is asked."""
    events: list[Event] = []
    for text in texts:
        speaker = asked(state)[0] if seat is None else seat
        outcome = GAME.apply(state, speaker, GAME.parse(text, state, speaker), CHANCE)
        state = outcome.state
        events.extend(outcome.events)
    return Outcome(state, tuple(events))


def throw(state: State, mine: str, theirs: str) -> Outcome[State]:
    """Both sides throw."""
    first = say(state, f"throw {mine}", seat=0)
    second = say(first.state, f"throw {theirs}", seat=1)
    return Outcome(second.state, (*first.events, *second.events))


def new_game() -> State:
    return GAME.deal(2, {}, CHANCE).state
