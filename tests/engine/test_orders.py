"""Standing orders: how people say them, their canonical words, and the command that each gives."""

import pytest

from host.engine.orders import NeverFires, Orders, command_of, lasts
from host.games import GAMES
from tests.rows import every

ORDERS = {slug.replace("-", "_"): Orders(f"host.games.{slug.replace('-', '_')}") for slug in GAMES}

SAID = [
    ("champ_cards", "keep 8 or more", "keep 8 or more, else draw"),
    ("champ_cards", "Please keep anything 8 and up!", "keep 8 or more, else draw"),
    ("champ_cards", "if the card is 9 or more keep else draw", "keep 9 or more, else draw"),
    ("champ_cards", "if the card is at least nine, keep it, otherwise draw", "keep 9 or more, else draw"),
    ("champ_cards", "draw below 8", "draw 7 or less, else keep"),
    ("champ_cards", "keep 8+ this round", "keep 8 or more, else draw, this round"),
    ("champ_cards", "this round keep 8 or more, else draw", "keep 8 or more, else draw, this round"),
    ("champ_cards", "Only in this round: keep 8 or more", "keep 8 or more, else draw, this round"),
    ("champ_cards", "keep 8 or more this time, else draw", "keep 8 or more, else draw, once"),
    ("bluffjack", "stand if this hand is 17 or more", "stand 17 or more, else hit"),
    ("bluffjack", "hit until this hand is 17", "hit until 17, else stand"),
    ("champ_cards", "from now on keep 8 or more", "keep 8 or more, else draw"),
    ("champ_cards", "keep a ten or better, just once", "keep 10 or more, else draw, once"),
    ("champ_cards", "freeze at 18", "freeze 18 or more"),
    ("champ_cards", "freeze with 18 or more from now on", "freeze 18 or more"),
    ("champ_cards", "refuse below 3000", "decline 2999 or less"),
    ("champ_cards", "accept $3,000 or more", "accept 3000 or more, else decline"),
    ("champ_cards", "cut 26 every round", "always cut 26"),
    ("champ_cards", "always pick any", "always pick the next"),
    ("bluffjack", "hit until 17", "hit until 17, else stand"),
    ("bluffjack", "call up to 20, else fold", "call 20 or less, else fold"),
    ("bluffjack", "call if it costs no more than 20, if not fold", "call 20 or less, else fold"),
    ("champ_cards", "stick at 15", "freeze 15 or more"),
    ("champ_cards", "freeze once I reach 17", "freeze 17 or more"),
    ("champ_cards", "If it's a 9 or better I keep it, otherwise draw", "keep 9 or more, else draw"),
    ("champ_cards", "only accept 4000 or more", "accept 4000 or more, else decline"),
    ("bluffjack", "hit until I have 17", "hit until 17, else stand"),
    ("bluffjack", "keep hitting until 17", "hit until 17, else stand"),
    ("bluffjack", "keep hitting until I have 17 or better", "hit until 17, else stand"),
    ("bluffjack", "hit until 18, then stand", "hit until 18, else stand"),
    ("bluffjack", "hit till 17", "hit until 17, else stand"),
    ("bluffjack", "keep hitting til I got 17", "hit until 17, else stand"),
    ("bluffjack", "stand at 17", "stand 17 or more, else hit"),
    ("bluffjack", "fold with 12 or less", "fold if total is 12 or less, else call"),
    ("bluffjack", "I'll call up to 30 chips, beyond that fold", "call 30 or less, else fold"),
    ("split_decision", "high if 10+, low if 5-, else discard", "high 10 or more, low 5 or less, else discard"),
    (
        "split_decision",
        "high 10 or more, low 4 or less, discard the rest",
        "high 10 or more, low 4 or less, else discard",
    ),
    ("game_of_champions", "always send my strongest first", "always strongest first"),
    ("champion_poker", "play with a pair or better else fold", "play with a pair or better, else fold"),
    ("champion_poker", "play if I have an ace or better", "play if high is 14 or more, else fold"),
    ("champion_poker", "same bet every hand", "always bet 20"),
    ("champion_poker", "bet 30 each hand", "always bet 30"),
    ("game_of_champions", "always strongest first", "always strongest first"),
    ("game_of_champions", "Strongest first every time.", "always strongest first"),
    ("split_decision", "high 9 or more, low 5 or less, else discard", "high 9 or more, low 5 or less, else discard"),
    ("split_decision", "high Q or more, low 5 or less, else discard", "high 12 or more, low 5 or less, else discard"),
    ("split_decision", "discard below 7, otherwise high", "discard 6 or less, else high"),
]
NONE = [
    ("bluffjack", "hit until 17, then call"),
    ("champ_cards", "freeze 17 or more, then accept"),
    ("champ_cards", "keep"),
    ("champ_cards", "keep the 8"),
    ("champ_cards", "don't keep 8 or more"),
    ("champ_cards", "should I keep 8 or more?"),
    ("champ_cards", "my wife says keep 8 or more"),
    ("champ_cards", "freeze until 18"),
    ("champ_cards", "I always lose"),
    ("bluffjack", "hit"),
    ("bluffjack", "I would call up to 20 if I were you"),
    ("champion_poker", "play with me every day"),
    ("split_decision", "8 or more"),
]


@every(("room", "text", "canonical"), SAID)
def test_people_say_orders_in_their_words(room: str, text: str, canonical: str) -> None:
    order = ORDERS[room].read(text, {"bet": 20})
    assert order
    assert order.text == canonical
    assert ORDERS[room].read(canonical) == order == ORDERS[room].known(canonical)


@every(("room", "text"), NONE)
def test_what_only_resembles_an_order_is_none(room: str, text: str) -> None:
    assert ORDERS[room].read(text, {}) is None


@pytest.mark.parametrize(
    ("room", "text", "rest", "orders"),
    [
        ("champ_cards", "pick 5, keep 8 or more", "pick 5", ["keep 8 or more, else draw"]),
        ("champ_cards", "Pick 5 and keep 8 or more, else draw.", "pick 5", ["keep 8 or more, else draw"]),
        (
            "champ_cards",
            "keep 9 or more and freeze at 17",
            "",
            ["keep 9 or more, else draw", "freeze 17 or more"],
        ),
        (
            "game_of_champions",
            "attack Kc Qh, strongest first every battle, continue all",
            "attack kc qh, continue all",
            ["always strongest first"],
        ),
    ],
)
def test_an_order_is_taken_out_of_its_line(room: str, text: str, rest: str, orders: list[str]) -> None:
    found = ORDERS[room].parted(text, {}, lambda part: part if part.startswith(("pick", "attack", "continue")) else "")
    assert ", ".join(each for each in found if isinstance(each, str)) == rest
    assert [each.text for each in found if not isinstance(each, str)] == orders


@pytest.mark.parametrize(
    "text",
    [
        "Don't, keep 2 or more",
        "Bob said, keep 2 or more",
        "keep 2 or more, or not",
        "keep 2 or more, maybe",
        "as long as Bob is below 15, keep 2 or more",
        "next round, keep 2 or more",
        "keep 8 or more, but ask me first",
    ],
)
def test_what_shares_its_sentence_with_a_doubt_is_no_certain_order(text: str) -> None:
    with pytest.raises(NeverFires, match="could not tell"):
        ORDERS["champ_cards"].parted(text, {}, lambda part: "")


@pytest.mark.parametrize(
    ("room", "text"),
    [("champ_cards", "keep 15 or more"), ("champ_cards", "freeze at 25"), ("champion_poker", "same bet every hand")],
)
def test_an_order_that_can_never_fire_says_why(room: str, text: str) -> None:
    with pytest.raises(NeverFires, match=r"never do anything|no bet yet"):
        ORDERS[room].read(text, {})


@pytest.mark.parametrize("text", ["fold under 15", "call 18 or more", "call at 19 or better, otherwise fold"])
def test_a_price_that_nobody_would_go_by_is_no_certain_order(text: str) -> None:
    with pytest.raises(NeverFires, match="could not tell"):
        ORDERS["bluffjack"].read(text, {})


def test_the_same_bet_is_on_the_same_hand() -> None:
    order = ORDERS["champion_poker"].read("same bet every hand", {"bet": "7 player"})
    assert order
    assert order.text == "always bet 7 player"


def gives(room: str, text: str, seen: dict[str, int | str], *offered: str) -> str:
    order = ORDERS[room].read(text, seen)
    assert order
    return command_of(order, ORDERS[room], seen, offered)


def test_an_order_gives_a_command_when_a_rule_of_it_fits() -> None:
    keeping = "keep 8 or more"
    assert gives("champ_cards", keeping, {"card": 8}, "keep", "draw") == "keep"
    assert gives("champ_cards", keeping, {"card": 7}, "keep", "draw") == "draw"
    assert gives("champ_cards", keeping, {"total": 14}, "pick", "freeze") == ""
    assert gives("champ_cards", "freeze at 18", {"total": 17}, "pick", "freeze") == ""
    assert gives("champ_cards", "freeze at 18", {"total": 18}, "pick", "freeze") == "freeze"
    assert gives("bluffjack", "call up to 20 else fold", {"call": 0}, "check", "fold") == "check"
    assert gives("bluffjack", "call up to 20 else fold", {"call": 21}, "call", "fold") == "fold"
    assert gives("split_decision", "high 9 or more, else discard", {"card": 9}, "low", "refuse") == "refuse"
    strongest: dict[str, int | str] = {"strongest": "Tc 8c 2c"}
    assert gives("game_of_champions", "always strongest first", strongest, "order") == "order Tc 8c 2c"
    assert gives("game_of_champions", "always strongest first", {}, "order") == ""


def test_an_order_for_a_round_lasts_as_long_as_that() -> None:
    order = ORDERS["champ_cards"].read("keep 8 or more this round")
    ever = ORDERS["champ_cards"].read("keep 8 or more")
    assert order
    assert ever
    assert (lasts(order, {"round": "main 1"}), lasts(ever, {"round": "main 1"})) == ("main 1", "")
