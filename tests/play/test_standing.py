"""Standing orders in people's own words: nothing is kept of them but what reads as one, and none is lost without a word.

`strangers/orders.jsonl` are 80 replies with an order by a writer who saw letters alone; `meant` are moves and orders.
"""

import json
from dataclasses import dataclass
from functools import cache

import pytest

from host.play.interpret import MOST_OFFERED, read
from tests.patience import not_for_ever
from tests.play.judging import played_to_its_end, seated
from tests.play.strangers_now import FOLDER
from tests.rows import every

LOST = {
    "o-34": "`ten in each hand after that` has no verb",
    "o-39": "`no raising for me, ever` says it of a word that no order has",
    "o-40": "`in the hands that are left` says that it is to stand in words that nobody here knows",
    "o-53": "`my biggest ones lead` names no act",
}
OFFERED = 38
"""How many of the 79 at least have all their orders among the buttons; 36 when this was written, 41 now, none before."""
STRONGEST = "order Tc 7h 7d 5c 4s, always strongest first"


@dataclass(frozen=True)
class Heard:
    """What became of a reply: what is played or kept of it, the buttons, the orders that are meant."""

    id: str
    kept: frozenset[str]
    buttons: tuple[str, ...]
    orders: frozenset[str]


def heard(position: str, seat_name: str, text: str, meant: list[str], name: str = "") -> Heard:
    header, replay = played_to_its_end(FOLDER / "positions" / f"{position}.jsonl")
    game = replay.game
    seat, reply = seated(header, replay, seat_name)
    found = read(game, replay.state, seat, text.split("\n"), reply)
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


@cache
def replies() -> tuple[Heard, ...]:
    rows = map(json.loads, (FOLDER / "orders.jsonl").read_text("utf-8").splitlines())
    return tuple(heard(row["position"], row["seat"], row["text"], row["meant"], row["id"]) for row in rows)


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


@pytest.mark.parametrize("text", ["don't hit if I have 17 or more", "hit unless I have 17 or more"])
def test_what_is_not_wanted_is_not_offered_as_an_order(text: str) -> None:
    found = heard("3-bluffjack-card-1", "Bob", text, [])
    assert not found.kept
    assert not [each for each in found.buttons if each.startswith("hit 17")]


@pytest.mark.parametrize(
    ("position", "seat", "text", "first"),
    [
        ("s6-champ-cards-pick-5", "Bob", "pick 3. accept > 2,500", "pick 3, accept 2501 or more, else decline"),
        ("s6-champion-poker-bet-1", "Ann", "bet 50 now, always bet 10 my friend", "bet 50, always bet 10"),
        (
            "s6-champ-cards-pick-5",
            "Bob",
            "I turn over number three, and if it is 8 or higher I keep it, otherwise I draw from the stock",
            "pick 3, keep 8 or more, else draw",
        ),
        (
            "s6-bluffjack-card-2",
            "Bob",
            "Keep them coming till I've got 19 or better, then that's it",
            "hit until 19, else stand",
        ),
        ("s6-champion-poker-bet-1", "Ann", "20. And the same in all later hands", "always bet 20"),
        ("25-game-of-champions-order-20", "Bob", "Strongest first. That's how I want it in every battle.", STRONGEST),
        ("s6-champ-cards-cut-3", "Ann", "cut 7 this time and I'd say always cut 30 after that", "cut 7, always cut 30"),
        (
            "s6-bluffjack-card-2",
            "Bob",
            "Enough. If Ann bets again I'll pay whatever is 40 or under, more than that and I'm gone.",
            "stand, call 40 or less, else fold",
        ),
        (
            "s6-champion-poker-bet-1",
            "Ann",
            "Just a modest fifteen, to look at some cards. And from now on I stay in with whatever I'm dealt.",
            "bet 15, always play",
        ),
        ("3-bluffjack-card-1", "Bob", "I'd stand with 17 or more", "stand 17 or more, else hit"),
        (
            "3-bluffjack-card-1",
            "Bob",
            "hit, and stand with anything from 17 up please",
            "hit, stand 17 or more, else hit",
        ),
        ("23-champion-poker-play-14", "Bob", "I'd play any ace or better", "play if high is 14 or more, else fold"),
        (
            "s6-champ-cards-pick-5",
            "Bob",
            "from now on, keep anything 8 or more, not just this time",
            "keep 8 or more, else draw",
        ),
        (
            "s6-champ-cards-pick-5",
            "Bob",
            "I nearly lost this round, so from now on I'd freeze at 17",
            "freeze 17 or more",
        ),
        ("s6-champion-poker-bet-1", "Ann", "Ten, the smallest I like. I mean ten every hand", "always bet 10"),
        (
            "s6-champion-poker-bet-1",
            "Ann",
            "Bet 10, from now on never any raise from me, only check",
            "bet 10, always check",
        ),
        (
            "s6-split-decision-place-8",
            "Bob",
            "High. For the next ones: 10 or more up, four or less down, the rest away",
            "high, high 10 or more, low 4 or less, else discard",
        ),
        (
            "s6-bluffjack-card-2",
            "Bob",
            "if that's under 17 then keep them coming until I get to 17, then I stay put",
            "hit until 17, else stand",
        ),
        (
            "s6-split-decision-place-8",
            "Bob",
            "high. And later: ten or more high, four or less low, and throw away what lies in between",
            "high, high 10 or more, low 4 or less, else discard",
        ),
        (
            "s6-champ-cards-pick-5",
            "Bob",
            "pick 3, no wait, pick 5. keep 8 or more",
            "pick 5, keep 8 or more, else draw",
        ),
    ],
)
def test_the_first_reading_is_what_stands_beside_the_words(position: str, seat: str, text: str, first: str) -> None:
    assert heard(position, seat, text, []).buttons[0] == first


@every(
    ("position", "seat", "text", "command"),
    [
        ("s6-bluffjack-card-2", "Bob", "Hit me <3", "hit"),
        ("s6-bluffjack-card-2", "Bob", "I stand, I'm happy with 35, any more would be greedy.", "stand"),
        ("s6-bluffjack-bet-1", "Ann", "Fold, with 13 I can only lose.", "fold"),
        ("s6-bluffjack-bet-1", "Ann", "Call, as always!", "call"),
        ("s6-bluffjack-bet-1", "Ann", "Call, I won't raise", "call"),
        ("s6-bluffjack-bet-1", "Ann", "call, you can check", "call"),
        ("s6-bluffjack-bet-1", "Ann", "call, it's only 10", "call"),
        ("s6-champ-cards-offer-4", "Bob", "Decline, as always", "decline"),
        ("s6-game-of-champions-turn-6", "Bob", "fortify, so no trade", "fortify"),
        ("s6-game-of-champions-turn-6", "Bob", "fortify - no attack today", "fortify"),
        ("s6-game-of-champions-roshambo-5", "Ann", "✊ rock", "throw rock"),
        ("s6-champion-poker-bet-1", "Ann", "12! Any offer under 20 is dull", "bet 12"),
        ("s6-champion-poker-bet-1", "Ann", "5 because always 20 is silly", "bet 5"),
        ("s6-champ-cards-cut-3", "Ann", "17 and whatever comes", "cut 17"),
        ("s6-champ-cards-cut-3", "Ann", "26. See you all at 5, as every time", "cut 26"),
    ],
)
def test_a_move_in_company_is_played(position: str, seat: str, text: str, command: str) -> None:
    found = heard(position, seat, text, [])
    assert found.buttons == ()
    assert found.kept == {command}


@pytest.mark.parametrize(
    ("position", "seat", "text"),
    [
        ("s6-champion-poker-bet-1", "Ann", "Forget what I said about always playing"),
        ("s6-bluffjack-card-2", "Bob", "hit until 17, else stand. Actually forget the order"),
        ("s6-bluffjack-card-2", "Bob", "please drop the order to always stand"),
    ],
)
def test_an_order_that_is_let_go_of_is_no_button(position: str, seat: str, text: str) -> None:
    found = heard(position, seat, text, [])
    assert not found.kept
    assert not [each for each in found.buttons if "always" in each or "until" in each]


def test_an_order_is_about_what_it_names() -> None:
    for text in ("freeze when my total is 11 or more", "freeze at 10"):
        assert heard("s6-champ-cards-pick-5", "Bob", text, []).kept <= {"freeze 11 or more", "freeze 10 or more"}


def test_of_two_orders_of_which_one_takes_the_place_of_the_other_one_is_offered() -> None:
    text = "If it's under 5, draw it my friend. If it's 9 or more I keep it my friend."
    for button in heard("s6-champ-cards-choose-2", "Bob", text, []).buttons:
        assert button.count(" or ") <= 1


@pytest.mark.parametrize(
    "text",
    [
        "cut 5\n" + ("Whenever " + "at 8 keep " * 98 + "\n") * 40,
        "cut 5. whenever " + "keep 8 or more " * 300,
        "cut 5\n" + ("if " + "x" * 990 + "\n") * 40,
        "cut 5\n" + ("if 8" + "," * 990 + "\n") * 40,
        "cut 5\nif " + "9" * 990,
    ],
)
def test_nothing_takes_long_nor_becomes_a_long_button(text: str) -> None:
    with not_for_ever():
        found = heard("s6-champ-cards-cut-3", "Ann", text, [])
    assert all(len(button) < 120 for button in found.buttons)


@pytest.mark.parametrize("text", ["bet half\nalways accept", "bet half. Always accept."])
def test_a_move_that_is_to_stand_and_makes_no_order_is_not_passed_over(text: str) -> None:
    found = heard("25-champ-cards-bet-9", "Bob", text, [])
    assert not found.kept
    assert found.buttons[0] == "bet half"


def test_words_of_ever_that_name_no_move_are_talk() -> None:
    assert heard("25-champ-cards-bet-9", "Bob", "bet half\nalways a pleasure", []).kept == {"bet half"}
