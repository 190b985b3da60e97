"""Standing orders in people's own words: nothing is kept of them but what reads as one, and none is lost without a word.

`strangers/orders.jsonl` are 80 replies with an order by a writer who saw letters alone; `meant` are moves and orders.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from host.play.interpret import MOST_OFFERED, read
from host.play.interpretation import ReplyContext
from tests.play.judging import played_to_its_end
from tests.play.strangers_now import FOLDER

LOST = {
    "o-39": "`no raising for me, ever` says it of a word that no order has",
    "o-40": "`in the hands that are left` says that it is to stand in words that nobody here knows",
    "o-53": "`my biggest ones lead` names no act",
}
OFFERED = 30
"""How many of the 79 at least have all their orders among the buttons; 33 when this was written, none before."""


@dataclass(frozen=True)
class Heard:
    """What became of a reply: what is played or kept of it, the buttons, the orders that are meant."""

    id: str
    kept: frozenset[str]
    buttons: tuple[str, ...]
    orders: frozenset[str]


def heard(position: str, seat_name: str, text: str, meant: list[str], name: str = "") -> Heard:
    header, replay = played_to_its_end(FOLDER / "positions" / f"{position}.jsonl")
    game, seat = replay.game, header.players.index(seat_name)
    mine = frozenset(question.key for question in game.questions(replay.state) if question.seat == seat)
    found = read(game, replay.state, seat, text.split("\n"), ReplyContext(mine, names=header.players))
    facts = game.order_facts(game.view(replay.state, seat), seat)
    if position.startswith("s6-champion-poker"):
        facts = {"bet": 20, **facts}  # of the same mail
    orders = (game.orders.read(each, facts) for each in meant) if game.orders else ()
    return Heard(
        name,
        frozenset((*(each.text for each in found.plan), *found.orders)),
        found.question.readings[:MOST_OFFERED] if found.question else (),
        frozenset(order.text for order in orders if order),
    )


def replies() -> Iterator[Heard]:
    for line in (FOLDER / "orders.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        yield heard(row["position"], row["seat"], row["text"], row["meant"], row["id"])


def test_no_order_is_passed_over_beside_a_move() -> None:
    assert {each.id for each in replies() if each.kept and not each.kept >= each.orders} <= LOST.keys()


def test_what_is_to_stand_is_offered_as_a_button() -> None:
    offered = [
        each for each in replies() if any(all(order in button for order in each.orders) for button in each.buttons)
    ]
    assert len(offered) >= OFFERED


@pytest.mark.parametrize(
    ("text", "buttons"),
    [
        ("High, and from now on refuse eights and up for me.", ("high, refuse 8 or more",)),
        ("High it goes, and after this queens and better go high.", ("high, high 12 or more",)),
    ],
)
def test_an_order_stands_behind_the_move_that_is_plain(text: str, buttons: tuple[str, ...]) -> None:
    assert heard("s6-split-decision-place-8", "Bob", text, []).buttons[: len(buttons)] == buttons


@pytest.mark.parametrize(
    "text",
    [
        "High. My husband always said that kings go low, but he never played this.",
        "High. If Ann has 10 or more, she can refuse what she likes.",
        "High! I keep 3 or more cats at home.",
    ],
)
def test_what_is_told_of_others_is_no_order(text: str) -> None:
    found = heard("s6-split-decision-place-8", "Bob", text, [])
    assert not any("always" in each or " or " in each for each in (*found.buttons, *found.kept))
