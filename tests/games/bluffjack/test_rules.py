"""The rules of Bluffjack: at least one test for each clause of RULES.md, by its number."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from host.engine.cards import DECK, total
from host.engine.events import Event, Shuffled
from host.engine.game import HOST, Illegal, Invalid, NotYet, Result
from host.games.bluffjack import GAME
from host.games.bluffjack.events import (
    Broke,
    Called,
    Checked,
    DownCard,
    EpisodeWon,
    Folded,
    HandBegan,
    Hit,
    OpeningBet,
    PotLost,
    PotWon,
    Raised,
    Returned,
    Shown,
    Stood,
    UpCards,
    Withdrew,
    WonUnseen,
)
from host.games.bluffjack.rules.showdown import rank
from host.games.bluffjack.state import Options, State, ante_of, playing
from host.play.interpret import interpret
from host.play.interpretation import ReplyContext
from tests.games.bluffjack.playing import CHANCE, betting, laid_open, last_bets, new_game, say, silent, table, turns
from tests.rows import every

SAFE = ("Tc 7c", "Td 7d", "Th 7h", "Ts 7s", "9c 6c", "9d 6d", "9h 6h", "9s 6s")
Kind = TypeVar("Kind", bound=Event)


def refusal(state: State, text: str, seat: int | None = None) -> str:
    """The clause that refuses `text`."""
    with pytest.raises(Illegal) as caught:
        say(state, text, seat=seat)
    assert caught.value.reason.endswith(".")
    return caught.value.clause


def all_of(events: Sequence[Event], kind: type[Kind]) -> list[Kind]:
    return [event for event in events if isinstance(event, kind)]


def only(events: Sequence[Event], kind: type[Kind]) -> Kind:
    (found,) = all_of(events, kind)
    return found


def kinds(events: Sequence[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def asked(state: State) -> tuple[int, str, str]:
    (question,) = GAME.questions(state)
    return question.seat, question.phase, state.stage


# The table


@pytest.mark.parametrize("seats", range(2, 9))
def test_bj_01_two_to_eight_play(seats: int) -> None:
    state = new_game(seats)
    assert len(state.cards) == seats
    assert all(len(hand) == 2 for hand in state.cards)


@pytest.mark.parametrize("seats", [-1, 0, 1, 9, 10])
def test_bj_01_no_other_number_plays(seats: int) -> None:
    with pytest.raises(ValueError, match="two to eight"):
        new_game(seats)


def test_bj_01_no_dealer_has_a_hand_of_its_own() -> None:
    outcome = laid_open(["Tc 8c", "Td 7d"], in_pot=(20, 20))
    assert [event.seat for event in all_of(outcome.events, Shown)] == [0, 1]
    assert outcome.state.chips == (40, 0)


def test_bj_02_two_hundred_chips_each() -> None:
    state = new_game(5)
    assert [have + bet for have, bet in zip(state.chips, state.in_pot, strict=True)] == [200] * 5
    assert GAME.options == {
        "chips": 200,
        "ante": 10,
        "double_every": 5,
        "max_hands": 0,
        "more_betting": False,
        "two_bets": False,
        "no_house": False,
        "charlie": 0,
        "longer_charlie": False,
        "best_hand": False,
    }


def test_bj_02_no_limit_of_hands() -> None:
    state = betting(SAFE[:2], hand=400, options={"double_every": 0})
    assert say(state, "fold").state.hand == 401


def test_bj_02_other_figures_may_be_named() -> None:
    state = new_game(2, chips=71, ante=7, double_every=1, max_hands=3)
    assert (state.chips, state.in_pot) == ((57, 64), (14, 7))
    assert ante_of(replace(state, hand=3)) == 28


@every(
    "options",
    [
        {"chips": 0},
        {"chips": -5},
        {"ante": 0},
        {"double_every": -1},
        {"max_hands": -1},
        {"charlie": 6},
        {"charlie": True},
        {"longer_charlie": 1},
        {"chips": "200"},
        {"chips": 10.5},
        {"two_bets": 1},
        {"deck": []},
    ],
)
def test_bj_02_figures_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        new_game(2, **options)


@every(
    ("hand", "points"),
    [
        ("2c 3d", 5),
        ("Th 9s", 19),
        ("Jc Qd", 20),
        ("Kc 2c", 12),
        ("Ac Ad", 12),
        ("Ac Kc", 21),
        ("Ac 5c 5d", 21),
        ("Ac 5c 6d", 12),
        ("Ac Kc Qc 2c", 23),
        ("Tc Td 2h", 22),
        ("Ac Ad Ah As", 14),
    ],
)
def test_bj_03_totals(hand: str, points: int) -> None:
    assert total(hand.split()) == points
    assert (rank(tuple(hand.split()), Options()) is None) == (points > 21)
    view = GAME.view(table([hand, "9h 9d"]), 0)
    assert view["totals"] == [points, None]


def test_bj_03_nobody_else_is_certain_of_a_bust() -> None:
    state = table(["Tc 9c 3c", "Td 9d"])
    assert GAME.view(state, 0)["totals"] == [22, None]
    assert GAME.view(state, 1)["totals"] == [None, 19]
    assert asked(state) == (0, "card", "cards")


def test_bj_04_the_last_seat_deals_first() -> None:
    state = new_game(4)
    assert state.dealer == 3
    assert only(GAME.deal(4, {}, CHANCE).events, OpeningBet).seat == 0
    assert state.turn == 1


def test_bj_04_the_deal_goes_left() -> None:
    state = say(betting(SAFE[:3]), "fold", "fold").state
    assert (state.hand, state.dealer, state.turn) == (2, 0, 2)
    assert state.in_pot == (10, 20, 10)


def test_bj_04_the_deal_passes_seats_that_are_out() -> None:
    state = betting(["Tc 7c", "", "", "Td 7d"], dealer=0, chips=(100, 0, 0, 100))
    outcome = say(state, "fold")
    assert outcome.state.dealer == 3
    assert only(outcome.events, HandBegan).seats == (0, 3)


def test_bj_04_cards_are_asked_from_the_dealers_left() -> None:
    state = betting(SAFE[:3], dealer=0, turn=0, acted=(False, True, True))
    assert asked(say(state, "check").state) == (1, "card", "cards")


@pytest.mark.parametrize("hand", [1, 2, 7])
def test_bj_05_each_hand_has_a_fresh_deck(hand: int) -> None:
    outcome = GAME.deal(3, {}, CHANCE) if hand == 1 else say(betting(SAFE[:3], hand=hand - 1), "fold", "fold")
    deck = CHANCE.shuffled(f"hand:{hand}:deck", DECK)
    assert only(outcome.events, Shuffled) == Shuffled(f"hand:{hand}:deck", deck)
    assert outcome.state.stock == deck[6:]
    assert outcome.state.hand == hand


def test_bj_05_the_first_card_is_its_owners_secret() -> None:
    state = table(["2c 3c 4c", "5c 6c"])
    assert GAME.view(state, 0)["cards"] == [["2c", "3c", "4c"], ["??", "6c"]]
    assert GAME.view(state, 1)["cards"] == [["??", "3c", "4c"], ["5c", "6c"]]
    assert GAME.view(state, HOST)["cards"] == [["??", "3c", "4c"], ["??", "6c"]]
    assert GAME.view(state, None)["cards"] == [["2c", "3c", "4c"], ["5c", "6c"]]


def test_bj_05_a_folded_hand_stays_secret_after_a_showdown() -> None:
    state = laid_open(["2c 3c", "Tc 9c", "Td 8d"], in_pot=(10, 20, 20), folded=(True, False, False)).state
    assert GAME.view(state, 1)["cards"] == [["??", "3c"], ["Tc", "9c"], ["Td", "8d"]]


def test_bj_05_nobody_sees_the_deck() -> None:
    dealt = GAME.deal(2, {}, CHANCE)
    for seat in (0, 1, HOST):
        assert "stock" not in GAME.view(dealt.state, seat)
        news = GAME.news(dealt.events, seat)
        assert not all_of(news, Shuffled)
        assert [event.seat for event in all_of(news, DownCard)] == [each for each in (0, 1) if each == seat]


# Deal and bets


def test_bj_06_a_card_face_down_to_all_then_one_face_up() -> None:
    outcome = GAME.deal(3, {}, CHANCE)
    deck = CHANCE.shuffled("hand:1:deck", DECK)
    assert [(event.seat, event.card) for event in all_of(outcome.events, DownCard)] == list(enumerate(deck[:3]))
    assert only(outcome.events, UpCards) == UpCards((0, 1, 2), deck[3:6])
    assert outcome.state.cards == tuple(zip(deck[:3], deck[3:6], strict=True))


def test_bj_06_the_deal_begins_at_the_dealers_left() -> None:
    outcome = say(betting(SAFE[:3]), "fold", "fold")
    deck = CHANCE.shuffled("hand:2:deck", DECK)
    assert [event.seat for event in all_of(outcome.events, DownCard)] == [1, 2, 0]
    assert outcome.state.cards == ((deck[2], deck[5]), (deck[0], deck[3]), (deck[1], deck[4]))


@pytest.mark.parametrize(("hand", "ante"), [(1, 10), (5, 10), (6, 20), (10, 20), (11, 40), (15, 40), (16, 80)])
def test_bj_07_the_ante_doubles_after_each_five_hands(hand: int, ante: int) -> None:
    outcome = GAME.deal(2, {}, CHANCE) if hand == 1 else say(betting(SAFE[:2], hand=hand - 1, chips=(400, 400)), "fold")
    assert only(outcome.events, HandBegan).ante == ante
    assert sorted(outcome.state.in_pot) == [ante, 2 * ante]


@pytest.mark.parametrize(("every", "ante"), [(0, 10), (1, 2560), (4, 40), (8, 20), (9, 10)])
def test_bj_07_how_often_it_doubles_may_be_named(every: int, ante: int) -> None:
    assert ante_of(table(SAFE[:2], hand=9, options={"double_every": every})) == ante


def test_bj_07_who_has_less_antes_all_they_have() -> None:
    state = say(betting(SAFE[:3], chips=(100, 90, 7)), "fold", "fold").state
    assert state.in_pot == (10, 20, 10)
    state = say(betting(SAFE[:3], chips=(7, 90, 90)), "fold", "fold").state
    assert (state.in_pot, state.chips) == ((7, 20, 10), (0, 70, 140))


def test_bj_08_the_host_makes_the_opening_bet() -> None:
    outcome = GAME.deal(3, {}, CHANCE)
    assert outcome.events[-1] == OpeningBet(0, 10, all_in=False)
    assert (outcome.state.in_pot, outcome.state.turn) == ((20, 10, 10), 1)


def test_bj_08_it_is_that_players_action() -> None:
    assert asked(say(new_game(3), "call", "call").state) == (0, "card", "cards")


def test_bj_08_with_too_few_it_is_all_they_have() -> None:
    outcome = GAME.deal(2, {"chips": 14}, CHANCE)
    assert outcome.events[-1] == OpeningBet(0, 4, all_in=True)
    assert (outcome.state.in_pot, outcome.state.turn) == ((14, 10), 1)
    assert GAME.view(outcome.state, 1)["to_call"] == 4


def test_bj_08_who_has_none_is_passed_over() -> None:
    outcome = say(betting(SAFE[:4], chips=(90, 10, 90, 90)), "fold", "fold", "fold")
    assert only(outcome.events, OpeningBet) == OpeningBet(2, 10, all_in=False)
    assert (outcome.state.in_pot, outcome.state.turn) == ((10, 10, 20, 10), 3)


def test_bj_08_no_opening_bet_where_the_antes_took_all() -> None:
    outcome = GAME.deal(3, {"chips": 10}, CHANCE)
    assert not all_of(outcome.events, OpeningBet)
    assert asked(outcome.state) == (0, "card", "cards")


def test_bj_09_in_turn() -> None:
    state = new_game(4)
    assert (state.turn, say(state, "call").state.turn) == (1, 2)
    for seat in (0, 2, 3):
        for text in ("call", "fold", "check", "raise 10", "hit"):
            assert refusal(state, text, seat=seat) == "BJ-9"


def test_bj_09_a_fold_gives_up_the_hand_and_the_bet() -> None:
    outcome = say(betting(SAFE[:3], in_pot=(20, 30, 30)), "fold")
    assert outcome.events == (Folded(0, "say"),)
    assert (outcome.state.folded, outcome.state.in_pot) == ((True, False, False), (20, 30, 30))
    assert asked(outcome.state) == (1, "bet", "opening")


def test_bj_09_a_fold_is_no_longer_standing() -> None:
    state = last_bets(SAFE[:3])
    assert say(state, "fold").state.standing == (False, True, True)


def test_bj_09_a_call_pays_what_is_missing() -> None:
    outcome = say(betting(SAFE[:3], in_pot=(20, 55, 55)), "call")
    assert outcome.events == (Called(0, 35, all_in=False),)
    assert (outcome.state.chips, outcome.state.in_pot) == ((65, 100, 100), (55, 55, 55))


@pytest.mark.parametrize("chips", [1, 34, 35])
def test_bj_09_a_call_for_all_chips_is_all_in(chips: int) -> None:
    outcome = say(betting(SAFE[:3], in_pot=(20, 55, 55), chips=(chips, 100, 100)), "call")
    assert outcome.events == (Called(0, chips, all_in=True),)
    assert (outcome.state.chips[0], outcome.state.in_pot[0]) == (0, 20 + chips)


def test_bj_09_no_cards_while_there_is_betting() -> None:
    for text in ("hit", "stand"):
        assert refusal(betting(SAFE[:2]), text) == "BJ-9"
        with pytest.raises(NotYet):
            say(betting(SAFE[:2]), text)


@pytest.mark.parametrize("text", ["check", "call"])
def test_bj_10_to_check_is_to_call_nothing(text: str) -> None:
    outcome = say(betting(SAFE[:3]), text)
    assert outcome.events == (Checked(0, "say"),)
    assert outcome.state.chips == (100, 100, 100)
    assert outcome.state.turn == 1


def test_bj_10_no_check_where_something_is_owed() -> None:
    assert refusal(betting(SAFE[:3], in_pot=(20, 21, 20)), "check") == "BJ-10"
    assert say(betting(SAFE[:3], in_pot=(21, 20, 20)), "check").state.turn == 1


@pytest.mark.parametrize("due", [0, 15])
@pytest.mark.parametrize("amount", [10, 11, 37])
def test_bj_11_a_raise_is_on_top_of_the_call(due: int, amount: int) -> None:
    outcome = say(betting(SAFE[:3], in_pot=(20, 20 + due, 20)), f"raise {amount}")
    assert outcome.events == (Raised(0, amount, due + amount, all_in=False),)
    assert outcome.state.in_pot[0] == 20 + due + amount
    assert outcome.state.chips[0] == 100 - due - amount
    assert outcome.state.turn == 1


@pytest.mark.parametrize(("hand", "amount"), [(1, 0), (1, 1), (1, 9), (6, 19), (11, 39)])
def test_bj_11_not_below_the_ante_of_the_hand(hand: int, amount: int) -> None:
    state = betting(SAFE[:3], hand=hand)
    assert refusal(state, f"raise {amount}") == "BJ-11"
    assert say(state, f"raise {ante_of(state)}").state.in_pot[0] == 20 + ante_of(state)


def test_bj_11_not_more_than_is_left_after_the_call() -> None:
    state = betting(SAFE[:3], in_pot=(20, 50, 50))
    for amount in (71, 100, 10**17):
        assert refusal(state, f"raise {amount}") == "BJ-11"
    outcome = say(state, "raise 70")
    assert outcome.events == (Raised(0, 70, 100, all_in=True),)


@pytest.mark.parametrize("chips", [31, 39, 40, 100])
def test_bj_12_raise_all_bets_every_chip(chips: int) -> None:
    outcome = say(betting(SAFE[:3], in_pot=(20, 50, 50), chips=(chips, 100, 100)), "raise all")
    assert outcome.events == (Raised(0, chips - 30, chips, all_in=True),)
    assert outcome.state.chips[0] == 0


def test_bj_12_only_this_form_allows_less_than_an_ante() -> None:
    state = betting(SAFE[:3], in_pot=(20, 50, 50), chips=(35, 100, 100))
    assert refusal(state, "raise 5") == "BJ-11"
    assert say(state, "raise all").state.in_pot[0] == 55


@every("chips", [1, 29, 30])
@every("text", ["raise all", "raise 10", "raise 1"])
def test_bj_12_a_raise_needs_more_than_the_call_takes(chips: int, text: str) -> None:
    assert refusal(betting(SAFE[:3], in_pot=(20, 50, 50), chips=(chips, 100, 100)), text) == "BJ-12"


def test_bj_12_a_small_raise_counts_in_full() -> None:
    state = betting(SAFE[:3], chips=(1, 100, 100), turn=0, acted=(False, True, True))
    after = say(state, "raise all").state
    assert asked(after) == (1, "bet", "opening")
    after = say(after, "call").state
    assert asked(after) == (2, "bet", "opening")
    assert say(after, "raise 50").state.in_pot == (21, 21, 71)


def test_bj_12_a_raise_that_nobody_can_afford_to_call() -> None:
    state = betting(SAFE[:3], chips=(100, 5, 5))
    after = say(state, "raise 90").state
    assert (after.in_pot[0], asked(after)) == (110, (1, "bet", "opening"))
    after = say(after, "call", "call").state
    assert (after.chips, after.in_pot) == ((10, 0, 0), (110, 25, 25))


def test_bj_13_all_have_acted_after_the_latest_raise() -> None:
    state = say(new_game(3), "call", "raise 10").state
    assert asked(state) == (0, "bet", "opening")
    state = say(state, "call").state
    assert asked(state) == (1, "bet", "opening")
    state = say(state, "raise 10", "call").state
    assert asked(state) == (0, "bet", "opening")
    state = say(state, "call").state
    assert asked(state) == (0, "card", "cards")
    assert state.in_pot == (40, 40, 40)


def test_bj_13_without_chips_nobody_is_asked() -> None:
    state = betting(SAFE[:3], chips=(100, 0, 100), in_pot=(20, 15, 20))
    assert say(state, "check").state.turn == 2
    assert asked(say(state, "check", "check").state) == (0, "card", "cards")


def test_bj_13_nobody_is_asked_whom_nobody_can_answer() -> None:
    state = betting(SAFE[:3], chips=(100, 0, 30), in_pot=(20, 20, 20))
    after = say(state, "raise 50", "call").state
    assert asked(after) == (0, "card", "cards")
    assert after.chips == (50, 0, 0)
    stood = say(after, "stand", "stand", "stand")
    assert "Shown" in kinds(stood.events)
    assert not all_of(stood.events, Checked)


def test_bj_13_the_last_with_chips_is_still_asked_what_they_owe() -> None:
    state = betting(SAFE[:2], chips=(30, 100))
    assert asked(say(state, "raise all").state) == (1, "bet", "opening")


def test_bj_13_a_question_lapses_when_someone_withdraws() -> None:
    state = betting(SAFE[:3], chips=(100, 0, 100), in_pot=(20, 20, 20))
    outcome = say(state, "resign", seat=2)
    assert asked(outcome.state) == (0, "card", "cards")
    owing = betting(SAFE[:3], chips=(100, 0, 100), in_pot=(20, 30, 20))
    assert asked(say(owing, "resign", seat=2).state) == (0, "bet", "opening")


def test_bj_14_the_last_one_left_takes_the_whole_pot() -> None:
    state = betting(SAFE[:3], in_pot=(20, 20, 90), chips=(100, 100, 30), options={"max_hands": 1})
    outcome = say(state, "fold", "fold")
    assert kinds(outcome.events) == ["Folded", "Folded", "WonUnseen", "EpisodeWon"]
    assert only(outcome.events, WonUnseen) == WonUnseen(2, 130)
    assert outcome.state.chips == (100, 100, 160)
    assert GAME.view(outcome.state, 0)["cards"][2] == ["??", "7h"]


def test_bj_14_bust_or_not() -> None:
    state = last_bets(["Tc 7c 9c", "Td 7d"], turn=1, acted=(True, False), options={"max_hands": 1})
    assert total(state.cards[0]) == 26
    assert say(state, "fold").state.chips == (140, 100)


def test_bj_14_also_while_cards_are_taken() -> None:
    outcome = say(table(SAFE[:2], options={"max_hands": 1}), "resign")
    assert only(outcome.events, WonUnseen) == WonUnseen(1, 40)


# More cards


def test_bj_15_hit_brings_a_card_face_up() -> None:
    outcome = say(table(SAFE[:3], top="2c 3c"), "hit")
    assert outcome.events == (Hit(0, "2c"),)
    assert GAME.news(outcome.events, 2) == outcome.events
    assert outcome.state.cards[0] == ("Tc", "7c", "2c")
    assert outcome.state.stock[0] == "3c"
    assert GAME.view(outcome.state, 1)["cards"][0] == ["??", "7c", "2c"]
    assert asked(outcome.state) == (1, "card", "cards")


def test_bj_15_stand_is_for_the_rest_of_the_hand() -> None:
    outcome = say(table(SAFE[:3], top="2c 2d 2h 2s"), "stand", "hit", "hit")
    assert outcome.events[0] == Stood(0, "say")
    assert asked(outcome.state) == (1, "card", "cards")
    after = say(outcome.state, "hit", "stand").state
    assert asked(after) == (1, "card", "cards")
    assert after.standing == (True, False, True)


def test_bj_15_round_and_round_until_all_stand() -> None:
    state = table(SAFE[:2], top="2c 2d 2h 2s")
    state = say(state, "hit", "hit", "hit", "hit").state
    assert asked(state) == (0, "card", "cards")
    state = say(state, "stand", "stand").state
    assert asked(state) == (0, "bet", "final")


@pytest.mark.parametrize("text", ["fold", "call", "check", "raise 10", "raise all"])
def test_bj_15_no_bets_while_cards_are_taken(text: str) -> None:
    assert refusal(table(SAFE[:2]), text) == "BJ-15"
    assert refusal(table(SAFE[:2]), "hit", seat=1) == "BJ-9"


def test_bj_16_all_in_players_are_asked_for_cards() -> None:
    state = table(SAFE[:2], chips=(0, 0))
    assert asked(state) == (0, "card", "cards")
    assert asked(say(state, "hit").state) == (1, "card", "cards")


def test_bj_16_hit_is_allowed_over_21() -> None:
    state = table(["Tc 7c 9c", "Td 7d"], top="5c")
    assert len(say(state, "hit").state.cards[0]) == 4


def test_bj_16_nobody_stands_by_themselves_with_21() -> None:
    state = table(["Ac Kc", "Td 7d"])
    assert asked(state) == (0, "card", "cards")
    assert asked(say(state, "hit", "stand").state) == (0, "card", "cards")


def test_bj_17_the_last_card_makes_everybody_stand() -> None:
    state = replace(table(SAFE[:4], standing=(False, False, False, True), turn=1), stock=("2c",))
    outcome = say(state, "hit")
    assert outcome.events == (Hit(1, "2c"), *(Stood(seat, "deck") for seat in (0, 1, 2)))
    assert outcome.state.standing == (True,) * 4
    assert asked(outcome.state) == (0, "bet", "final")


def test_bj_17_not_those_who_folded() -> None:
    state = replace(table(SAFE[:3], folded=(False, True, False)), stock=("2c",))
    assert say(state, "hit").state.standing == (True, False, True)


def test_bj_17_the_last_but_one_does_not() -> None:
    state = replace(table(SAFE[:2]), stock=("2c", "3c"))
    assert asked(say(state, "hit").state) == (1, "card", "cards")


def test_bj_18_a_final_round_of_betting() -> None:
    state = say(table(SAFE[:3], dealer=1, turn=2), "stand", "stand", "stand").state
    assert asked(state) == (2, "bet", "final")
    assert GAME.view(state, 2)["to_call"] == 0
    outcome = say(state, "check", "raise 10", "call", "call")
    assert len(all_of(outcome.events, Shown)) == 3


def test_bj_18_with_nothing_owed_it_begins() -> None:
    state = table(SAFE[:3], chips=(100, 0, 100), in_pot=(60, 20, 60), turn=2, standing=(True, True, False))
    after = say(state, "stand").state
    assert asked(after) == (0, "bet", "final")
    assert say(after, "check").state.turn == 2


# Showdown


def test_bj_19_all_who_are_left_show_their_cards() -> None:
    outcome = laid_open(["Tc 9c", "Td 8d", "Th 7h"], in_pot=(20, 20, 20), dealer=0)
    assert all_of(outcome.events, Shown) == [
        Shown(1, ("Td", "8d"), 18),
        Shown(2, ("Th", "7h"), 17),
        Shown(0, ("Tc", "9c"), 19),
    ]
    for seat in (0, 1, 2, HOST):
        assert GAME.view(outcome.state, seat)["cards"] == [["Tc", "9c"], ["Td", "8d"], ["Th", "7h"]]
        assert GAME.news(outcome.events, seat) == outcome.events


@every(
    ("hands", "winners"),
    [
        (("Tc 9c", "Td 8d"), (0,)),
        (("Tc 9c", "Td 9d"), (0, 1)),
        (("Tc 9c 3c", "2d 3d"), (1,)),
        (("Ac Kc", "7d 7h 7s"), (0, 1)),
        (("Ac Kc", "Td 9d"), (0,)),
        (("2c 3c 4c 5c 6c", "Td Jd"), (0, 1)),
        (("2c 3c 2d 3d 2h", "Tc 3h"), (1,)),
        (("Ac Ad", "Td 3d"), (1,)),
    ],
)
def test_bj_19_the_highest_total_that_is_no_bust_wins(hands: tuple[str, str], winners: tuple[int, ...]) -> None:
    outcome = laid_open(hands, in_pot=(20, 20))
    assert only(outcome.events, PotWon).seats == winners
    assert outcome.state.chips == tuple(40 // len(winners) * (seat in winners) for seat in (0, 1))


@pytest.mark.parametrize(
    ("dealer", "shares"),
    [(3, (18, 18, 17, 0)), (0, (17, 18, 18, 0)), (1, (18, 17, 18, 0)), (2, (18, 18, 17, 0))],
)
def test_bj_19_odd_chips_go_from_the_dealers_left(dealer: int, shares: tuple[int, ...]) -> None:
    hands = ["Tc 9c", "Td 9d", "Th 9h", "2c 2d"]
    outcome = laid_open(hands, in_pot=(15, 15, 15, 8), folded=(False, False, False, True), dealer=dealer)
    assert outcome.state.chips == shares
    assert only(outcome.events, PotWon).amount == 53


def test_bj_20_what_nobody_matched_comes_back() -> None:
    outcome = laid_open(["Tc 9c", "Td 8d", "Th 7h"], in_pot=(20, 30, 75))
    assert outcome.events[1] == Returned(2, 45)
    assert outcome.state.chips == (60, 20, 45)


def test_bj_20_what_a_folder_matched_does_not() -> None:
    outcome = laid_open(["2c 3c", "Td 8d", "Th 7h"], in_pot=(50, 30, 75), folded=(True, False, False))
    assert only(outcome.events, Returned) == Returned(2, 25)
    assert outcome.state.chips == (0, 90, 65)


def test_bj_20_a_bust_gets_it_back_too() -> None:
    outcome = laid_open(["Tc 9c 5c", "Td 8d"], in_pot=(50, 20))
    assert outcome.state.chips == (30, 40)


def test_bj_20_every_different_amount_makes_a_pot() -> None:
    outcome = laid_open(["Tc Kc", "Td 9d", "Th 8h", "Ts 7s"], in_pot=(10, 30, 60, 60))
    assert all_of(outcome.events, PotWon) == [
        PotWon(40, (0,), (40,)),
        PotWon(60, (1,), (60,)),
        PotWon(60, (2,), (60,)),
    ]
    assert outcome.state.chips == (40, 60, 60, 0)


def test_bj_20_the_best_hand_takes_all_it_paid_for() -> None:
    outcome = laid_open(["Tc 7c", "Td 9d", "Th 8h"], in_pot=(10, 30, 60))
    assert all_of(outcome.events, PotWon) == [PotWon(30, (1,), (30,)), PotWon(40, (1,), (40,))]
    assert outcome.state.chips == (0, 70, 30)


def test_bj_20_a_side_pot_may_be_shared_where_the_main_pot_is_not() -> None:
    outcome = laid_open(["Tc Kc", "Td 9d", "Th 9h"], in_pot=(11, 30, 30))
    assert [event.shares for event in all_of(outcome.events, PotWon)] == [(33,), (19, 19)]


def test_bj_21_folded_bets_make_no_pot_of_their_own() -> None:
    hands = ["2c 3c", "Td 9d", "Th 8h", "Ts 7s"]
    outcome = laid_open(hands, in_pot=(25, 40, 10, 40), folded=(True, False, False, False))
    assert all_of(outcome.events, PotWon) == [PotWon(40, (1,), (40,)), PotWon(75, (1,), (75,))]


def test_bj_21_they_count_in_each_pot_up_to_its_amount() -> None:
    hands = ["2c 3c", "Td 8d", "Th 9h", "Ts 7s"]
    outcome = laid_open(hands, in_pot=(25, 40, 10, 40), folded=(True, False, False, False))
    assert all_of(outcome.events, PotWon) == [PotWon(40, (2,), (40,)), PotWon(75, (1,), (75,))]
    assert outcome.state.chips == (0, 75, 40, 0)


def test_bj_21_what_exceeds_the_showdown_is_lost() -> None:
    outcome = laid_open(["2c 3c", "Td 8d", "Th 9h"], in_pot=(50, 40, 40), folded=(True, False, False))
    assert only(outcome.events, PotLost) == PotLost(10, "unmatched")
    assert (outcome.state.chips, outcome.state.aside) == ((0, 0, 120), 10)


def test_bj_22_all_bust_and_the_house_takes_it() -> None:
    outcome = laid_open(["Tc 9c 5c", "Td 9d 5d", "2c 2d"], in_pot=(20, 20, 5), folded=(False, False, True))
    assert only(outcome.events, PotLost) == PotLost(45, "bust")
    assert (outcome.state.chips, outcome.state.aside) == ((0, 0, 0), 45)
    result = GAME.result(outcome.state)
    assert result is not None
    assert result.extra["house"] == 45


def test_bj_22_so_it_is_with_each_pot() -> None:
    outcome = laid_open(["Tc 9c", "Td 9d 5d", "Th 9h 5h"], in_pot=(10, 30, 30))
    assert only(outcome.events, PotWon) == PotWon(30, (0,), (30,))
    assert only(outcome.events, PotLost) == PotLost(40, "bust")
    assert (outcome.state.chips, outcome.state.aside) == ((30, 0, 0), 40)


def test_bj_22_also_a_pot_in_which_only_one_has_a_share() -> None:
    outcome = laid_open(["Tc 9c", "Td 9d 5d", "2c 2d"], in_pot=(10, 30, 25), folded=(False, False, True))
    assert only(outcome.events, Returned) == Returned(1, 5)
    assert only(outcome.events, PotLost) == PotLost(30, "bust")
    assert (outcome.state.chips, outcome.state.aside) == ((30, 5, 0), 30)


# The end


def test_bj_23_without_chips_a_player_is_out() -> None:
    state = table(
        ["Tc 9c", "Td 8d", "Th 7h"], chips=(0, 0, 0), in_pot=(20, 50, 50), standing=(True, True, False), turn=2
    )
    outcome = say(state, "stand")
    assert only(outcome.events, Broke) == Broke(2)
    after = outcome.state
    assert (after.hand, after.dealt, after.cards[2]) == (2, (True, True, False), ())
    assert [GAME.is_out(after, seat) for seat in (0, 1, 2)] == [False, False, True]
    for text in ("call", "hit", "fold", "resign"):
        assert refusal(after, text, seat=2) == "BJ-23"


def test_bj_23_all_in_is_not_out() -> None:
    state = table(SAFE[:2], chips=(0, 100))
    assert not GAME.is_out(state, 0)


def test_bj_23_all_the_chips_win() -> None:
    outcome = laid_open(["Tc 9c", "Td 8d"], in_pot=(200, 200), options={"max_hands": 0})
    assert outcome.events[-1] == EpisodeWon(0, "chips", 400, 0)
    assert GAME.ending(outcome.state) == "chips"
    assert GAME.result(outcome.state) == Result(0, 0, {"house": 0, "hands": 1})
    assert GAME.questions(outcome.state) == ()
    assert outcome.state.in_pot == (0, 0)
    assert GAME.winnings(outcome.state) == (400, 0)
    assert refusal(outcome.state, "call", seat=0) == "BJ-23"


def test_bj_23_chips_lost_to_the_house_are_not_needed() -> None:
    outcome = laid_open(["Tc 9c", "Td 9d 5d", "Th 9h 5h"], in_pot=(10, 30, 30), options={"max_hands": 0})
    assert outcome.events[-1] == EpisodeWon(0, "chips", 30, 0)


def test_bj_24_the_most_chips_after_the_last_hand() -> None:
    state = betting(SAFE[:3], hand=4, chips=(100, 150, 120), options={"max_hands": 4})
    outcome = say(state, "fold", "fold")
    assert outcome.events[-1] == EpisodeWon(2, "hands", 180, 0)
    assert GAME.ending(outcome.state) == "hands"
    assert GAME.result(outcome.state) == Result(2, 2, {"house": 0, "hands": 4})


def test_bj_24_not_before_it() -> None:
    state = betting(SAFE[:3], hand=3, options={"max_hands": 4})
    assert say(state, "fold", "fold").state.hand == 4


def test_bj_24_the_lower_seat_of_two_equals() -> None:
    state = betting(SAFE[:3], chips=(50, 160, 100), options={"max_hands": 1})
    outcome = say(state, "fold", "fold")
    assert outcome.state.chips == (50, 160, 160)
    assert outcome.events[-1] == EpisodeWon(1, "hands", 160, 0)


def test_bj_24_one_with_all_the_chips_in_the_last_hand_has_them_all() -> None:
    assert GAME.ending(laid_open(["Tc 9c", "Td 8d"], in_pot=(20, 20)).state) == "chips"


def test_bj_24_nobody_has_chips_left() -> None:
    hands = ["2c 3c", "Tc 9c 5c", "Td 9d 5d"]
    outcome = laid_open(hands, in_pot=(20, 20, 20), folded=(True, False, False), options={"max_hands": 0})
    assert outcome.events[-1] == EpisodeWon(1, "nobody", 0, 0)
    assert GAME.ending(outcome.state) == "nobody"
    assert GAME.result(outcome.state) == Result(1, 1, {"house": 60, "hands": 1})


def test_bj_25_silence_checks_where_nothing_is_owed() -> None:
    outcome = silent(betting(SAFE[:3]))
    assert outcome.events == (Checked(0, "timeout"),)
    assert asked(outcome.state) == (1, "bet", "opening")


def test_bj_25_silence_folds_where_something_is_owed() -> None:
    outcome = silent(betting(SAFE[:3], in_pot=(20, 21, 21)))
    assert outcome.events == (Folded(0, "timeout"),)
    assert not outcome.state.gone[0]


def test_bj_25_silence_stands() -> None:
    outcome = silent(table(SAFE[:3]))
    assert outcome.events == (Stood(0, "timeout"),)
    assert outcome.state.standing[0]


@pytest.mark.parametrize("seat", [1, 2, HOST])
def test_bj_25_only_who_is_asked_has_a_deadline(seat: int) -> None:
    with pytest.raises(Illegal) as caught:
        GAME.timeout(table(SAFE[:3]), seat, CHANCE)
    assert caught.value.clause == "BJ-25"


@pytest.mark.parametrize("state", [table(SAFE[:3]), betting(SAFE[:3]), betting(SAFE[:3], in_pot=(20, 30, 30))])
def test_bj_26_two_deadlines_in_a_row_withdraw(state: State) -> None:
    outcome = silent(replace(state, missed=(1, 0, 0)))
    assert outcome.events == (Withdrew(0, "timeout", 100),)
    after = outcome.state
    assert (after.gone, after.folded) == ((True, False, False), (True, False, False))
    assert (after.chips, after.aside, after.in_pot) == ((0, 100, 100), 100, state.in_pot)
    assert after.turn == 1
    assert GAME.is_out(after, 0)


def test_bj_26_they_are_two_in_a_row_of_the_same_player() -> None:
    state = silent(silent(table(SAFE[:2])).state).state
    assert (state.missed, state.gone) == ((1, 1), (False, False))
    outcome = silent(state)
    assert only(outcome.events, Withdrew).seat == 0


def test_bj_26_an_accepted_command_lies_between() -> None:
    state = silent(betting(SAFE[:2])).state
    state = say(state, "check", "hit").state
    assert state.missed == (0, 0)
    state = say(state, "hit").state
    assert silent(state).events == (Stood(0, "timeout"),)


def test_bj_26_a_refused_command_does_not() -> None:
    state = betting(SAFE[:3], in_pot=(20, 30, 30), missed=(1, 0, 0))
    assert refusal(state, "check") == "BJ-10"
    assert only(silent(state).events, Withdrew).by == "timeout"


def test_bj_26_resign_withdraws_at_once() -> None:
    outcome = say(betting(SAFE[:3]), "resign", seat=2)
    assert outcome.events == (Withdrew(2, "resign", 100),)
    assert outcome.state.aside == 100
    assert asked(outcome.state) == (0, "bet", "opening")
    for text in ("resign", "call"):
        assert refusal(outcome.state, text, seat=2) == "BJ-23"


@pytest.mark.parametrize("fields", [{"folded": (False, False, True)}, {"chips": (100, 100, 0)}])
def test_bj_26_also_after_a_fold_or_all_in(fields: dict[str, Any]) -> None:
    state = betting(SAFE[:3], **fields)
    after = say(state, "resign", seat=2).state
    assert after.gone == (False, False, True)
    assert after.folded == (False, False, True)
    assert after.aside == state.chips[2]


def test_bj_26_who_withdrew_is_dealt_no_more_cards() -> None:
    outcome = say(betting(SAFE[:3]), "resign", "fold")
    assert outcome.state.hand == 2
    assert outcome.state.dealt == (False, True, True)
    assert outcome.state.cards[0] == ()


def test_bj_26_the_bet_still_has_to_be_called() -> None:
    state = betting(SAFE[:3], in_pot=(70, 20, 20), chips=(50, 100, 100), turn=1, acted=(True, False, False))
    after = say(state, "resign", seat=0).state
    assert GAME.view(after, 1)["to_call"] == 50
    assert refusal(after, "check") == "BJ-10"
    assert say(after, "call").state.in_pot == (70, 70, 20)


def test_bj_27_numbers_are_whole_and_without_a_sign() -> None:
    for text in ("raise -5", "raise +20", "raise 12.5", "raise 20.0", "raise 1e2", "raise 5 6", "raise", "raise half"):
        with pytest.raises(Invalid):
            GAME.parse(text, betting(SAFE[:2]), 0)


def test_bj_27_several_commands_in_order_until_one_is_not_allowed() -> None:
    state = betting(SAFE[:2], turn=0, acted=(False, True))
    keys = frozenset(question.key for question in GAME.questions(state))
    heard = interpret(GAME, state, 0, ["check, hit, stand, hit"], ReplyContext(keys), CHANCE)
    assert heard.said == ("check", "hit")
    assert [each.text for each in heard.ahead] == ["stand", "hit"]
    heard = interpret(GAME, state, 0, ["raise 5, call"], ReplyContext(keys), CHANCE)
    assert heard.refused is not None
    assert (heard.said, heard.refused.line, heard.untried) == ((), "raise 5", ("call",))


def test_bj_27_never_a_question_with_one_answer() -> None:
    for state in (
        table(SAFE[:2], chips=(0, 0)),
        betting(SAFE[:2], in_pot=(20, 200)),
        betting(SAFE[:2], chips=(1, 1)),
        new_game(8),
    ):
        (question,) = GAME.questions(state)
        assert len(GAME.choices(state, question)) > 1


def test_who_has_folded_keeps_nothing_for_later_in_that_hand() -> None:
    folded = betting(SAFE[:3], turn=1, folded=(True, False, False))
    for text in ("call", "raise 20", "hit"):
        with pytest.raises(Illegal) as refused:
            GAME.apply(folded, 0, GAME.parse(text, folded, 0), CHANCE)
        assert not isinstance(refused.value, NotYet)


def test_bj_27_the_host_commands_nothing() -> None:
    for text in ("call", "hit", "resign"):
        assert refusal(betting(SAFE[:2]), text, seat=HOST) == "BJ-27"


# Variants


def test_bj_28_the_first_bets_come_before_the_card_face_up() -> None:
    outcome = GAME.deal(3, {"two_bets": True}, CHANCE)
    deck = CHANCE.shuffled("hand:1:deck", DECK)
    assert kinds(outcome.events) == ["Shuffled", "HandBegan", *["DownCard"] * 3, "OpeningBet"]
    assert outcome.state.cards == tuple((card,) for card in deck[:3])
    assert asked(outcome.state) == (1, "bet", "opening")


def test_bj_28_then_a_card_for_those_who_did_not_fold_and_bets_again() -> None:
    deck = CHANCE.shuffled("hand:1:deck", DECK)
    outcome = say(new_game(3, two_bets=True), "fold", "call")
    assert outcome.events[-1] == UpCards((0, 2), deck[3:5])
    assert outcome.state.cards == ((deck[0], deck[3]), (deck[1],), (deck[2], deck[4]))
    assert asked(outcome.state) == (0, "bet", "second")
    assert GAME.view(outcome.state, 0)["to_call"] == 0
    after = say(outcome.state, "check", "check").state
    assert asked(after) == (0, "card", "cards")


def test_bj_28_the_face_up_cards_come_where_nobody_can_bet() -> None:
    state = new_game(2, two_bets=True, chips=10)
    assert [len(hand) for hand in state.cards] == [2, 2]
    assert asked(state) == (0, "card", "cards")


def test_bj_28_no_variant_unless_named() -> None:
    options = new_game(2).options
    assert (options.two_bets, options.more_betting, options.no_house, options.charlie, options.best_hand) == (
        *(False, False, False),
        0,
        False,
    )
    assert asked(say(new_game(2), "call").state) == (0, "card", "cards")


def test_bj_29_the_bet_is_part_of_the_turn() -> None:
    state = turns(SAFE[:3], dealer=1, turn=2, top="2c 2d")
    hit = say(state, "hit")
    assert hit.events == (Hit(2, "2c"),)
    assert asked(hit.state) == (2, "bet", "between")
    assert GAME.view(hit.state, 2)["to_call"] == 0
    assert refusal(hit.state, "hit") == "BJ-9"
    assert refusal(hit.state, "check", seat=0) == "BJ-9"
    after = say(hit.state, "check").state
    assert asked(after) == (0, "card", "cards")
    assert refusal(after, "check") == "BJ-15"


def test_bj_29_who_stands_now_bets_too() -> None:
    after = say(turns(SAFE[:3]), "stand").state
    assert (asked(after), after.standing) == ((0, "bet", "between"), (True, False, False))
    assert asked(say(after, "raise 10").state) == (1, "card", "cards")


def test_bj_29_who_stood_before_is_asked_for_the_bet_alone() -> None:
    state = turns(SAFE[:3], turn=2, standing=(True, False, False), acted=(True, True, False))
    after = say(state, "hit", "raise 10").state
    assert asked(after) == (0, "bet", "between")
    assert GAME.view(after, 0)["to_call"] == 10
    after = say(after, "call").state
    assert asked(after) == (1, "card", "cards")


def test_bj_29_call_check_raise_and_fold_against_the_highest_stake() -> None:
    state = say(turns(SAFE[:3], in_pot=(20, 35, 20)), "hit").state
    assert refusal(state, "check") == "BJ-10"
    assert refusal(state, "raise 5") == "BJ-11"
    assert say(state, "call").events == (Called(0, 15, all_in=False),)
    assert say(state, "raise 10").events == (Raised(0, 10, 25, all_in=False),)
    assert say(state, "raise all").events == (Raised(0, 85, 100, all_in=True),)
    folded = say(state, "fold")
    assert folded.events == (Folded(0, "say"),)
    for after in (say(state, text).state for text in ("call", "raise 10", "raise all", "fold")):
        assert asked(after) == (1, "card", "cards")


def test_bj_29_others_meet_a_raise_in_their_turns() -> None:
    state = say(turns(SAFE[:3], top="2c 2d 2h 2s"), "hit", "check", "hit", "raise 30").state
    assert asked(state) == (2, "card", "cards")
    state = say(state, "hit", "call").state
    assert asked(state) == (0, "card", "cards")
    assert state.in_pot == (20, 50, 50)
    state = say(state, "stand").state
    assert (asked(state), GAME.view(state, 0)["to_call"]) == ((0, "bet", "between"), 30)
    state = say(state, "call").state
    assert asked(state) == (1, "card", "cards")


def test_bj_29_who_raised_bets_again_in_the_next_round() -> None:
    state = say(turns(SAFE[:2]), "hit", "raise 10", "stand", "call", "stand").state
    assert asked(state) == (0, "bet", "between")
    assert say(state, "raise 10").state.in_pot == (40, 30)


def test_bj_29_the_round_after_which_all_stand_is_the_last() -> None:
    state = say(turns(SAFE[:3]), "stand", "check", "stand", "check", "stand").state
    assert asked(state) == (2, "bet", "between")
    state = say(state, "check").state
    assert asked(state) == (0, "bet", "final")
    assert state.acted == (False,) * 3
    outcome = say(state, "check", "check", "check")
    assert len(all_of(outcome.events, Shown)) == 3


def test_bj_29_a_round_goes_to_its_end_though_all_stand() -> None:
    state = turns(SAFE[:3], standing=(False, True, True))
    state = say(state, "stand", "raise 20").state
    assert asked(state) == (1, "bet", "between")
    state = say(state, "call").state
    assert asked(state) == (2, "bet", "between")
    assert asked(say(state, "call").state) == (0, "bet", "final")


def test_bj_29_one_more_round_where_one_does_not_stand() -> None:
    state = turns(SAFE[:3], standing=(True, True, False), turn=2, acted=(True, True, False))
    state = say(state, "hit", "check").state
    assert asked(state) == (0, "bet", "between")
    state = say(state, "check", "check").state
    assert asked(state) == (2, "card", "cards")


def test_bj_29_what_is_owed_then_is_due_in_the_final_round() -> None:
    state = turns(SAFE[:3], standing=(True, True, False), turn=2, acted=(True, True, False))
    state = say(state, "stand", "raise 40").state
    assert asked(state) == (0, "bet", "final")
    assert GAME.view(state, 0)["to_call"] == 40
    assert refusal(state, "check") == "BJ-10"
    state = say(state, "call", "fold").state
    assert asked(state) == (2, "bet", "final")
    outcome = say(state, "check")
    assert [event.seat for event in all_of(outcome.events, Shown)] == [0, 2]


def test_bj_29_a_raise_at_the_end_that_everybody_folds_to() -> None:
    state = turns(SAFE[:3], standing=(True, True, False), turn=2, acted=(True, True, False))
    outcome = say(state, "stand", "raise 40", "fold", "fold")
    assert only(outcome.events, WonUnseen) == WonUnseen(2, 100)


def test_bj_29_the_last_who_folds_in_their_turns() -> None:
    outcome = say(turns(SAFE[:3]), "hit", "fold", "stand", "fold")
    assert only(outcome.events, WonUnseen) == WonUnseen(2, 60)
    assert outcome.state.hand == 2


def test_bj_29_without_chips_cards_but_no_bets() -> None:
    state = turns(SAFE[:3], chips=(0, 100, 100), top="2c 2d 2h 2s")
    state = say(state, "hit").state
    assert asked(state) == (1, "card", "cards")
    state = say(state, "hit", "raise all", "hit", "call").state
    assert (asked(state), state.chips) == ((0, "card", "cards"), (0, 0, 0))
    state = say(state, "hit", "stand", "stand").state
    assert asked(state) == (0, "card", "cards")
    assert "Shown" in kinds(say(state, "stand").events)


def test_bj_29_nobody_bets_whom_nobody_can_answer() -> None:
    state = turns(SAFE[:3], chips=(100, 0, 0))
    assert asked(say(state, "hit").state) == (1, "card", "cards")
    owing = turns(SAFE[:3], chips=(100, 0, 0), in_pot=(20, 30, 20))
    assert asked(say(owing, "hit").state) == (0, "bet", "between")


def test_bj_29_who_was_passed_over_gets_no_second_card_in_the_round() -> None:
    state = turns(SAFE[:3], chips=(100, 0, 0), top="2c 2d 2h 2s")
    state = say(state, "hit", "hit", "hit").state
    assert [len(cards) for cards in state.cards] == [3, 3, 3]
    assert asked(state) == (0, "card", "cards")


def test_bj_29_after_the_last_card_of_the_deck_the_round_still_bets() -> None:
    state = replace(turns(SAFE[:3], turn=1, acted=(True, False, False)), stock=("2c",))
    state = say(state, "hit").state
    assert (asked(state), state.standing) == ((1, "bet", "between"), (True,) * 3)
    state = say(state, "raise 10").state
    assert asked(state) == (2, "bet", "between")
    state = say(state, "call").state
    assert asked(state) == (0, "bet", "final")
    assert GAME.view(state, 0)["to_call"] == 10


def test_bj_29_silence_in_both_parts() -> None:
    state = silent(turns(SAFE[:3])).state
    assert (asked(state), state.standing[0], state.missed) == ((0, "bet", "between"), True, (1, 0, 0))
    assert say(state, "check").state.missed == (0, 0, 0)
    outcome = silent(state)
    assert outcome.events == (Withdrew(0, "timeout", 100),)
    assert asked(outcome.state) == (1, "card", "cards")


@pytest.mark.parametrize(("due", "event"), [(0, Checked(0, "timeout")), (1, Folded(0, "timeout"))])
def test_bj_29_silence_after_the_card(due: int, event: Event) -> None:
    state = say(turns(SAFE[:3], in_pot=(20, 20 + due, 20)), "hit").state
    outcome = silent(state)
    assert outcome.events == (event,)
    assert asked(outcome.state) == (1, "card", "cards")


@pytest.mark.parametrize("said", [[], ["hit"], ["stand"]])
def test_bj_29_who_resigns_within_their_turn_ends_it(said: list[str]) -> None:
    state = say(turns(SAFE[:3]), *said).state
    outcome = say(state, "resign", seat=0)
    assert outcome.events == (Withdrew(0, "resign", 100),)
    assert asked(outcome.state) == (1, "card", "cards")
    assert outcome.state.standing == (False,) * 3


def test_bj_29_another_who_resigns_leaves_the_turn_as_it_is() -> None:
    state = say(turns(SAFE[:3], in_pot=(20, 20, 45)), "hit").state
    after = say(state, "resign", seat=2).state
    assert asked(after) == (0, "bet", "between")
    assert GAME.view(after, 0)["to_call"] == 25
    assert GAME.questions(after) == GAME.questions(state)
    assert asked(say(after, "call").state) == (1, "card", "cards")


def test_bj_29_a_question_to_bet_lapses_when_nobody_else_can() -> None:
    state = say(turns(SAFE[:3], chips=(100, 0, 100), top="2c 2d 2h"), "hit").state
    after = say(state, "resign", seat=2).state
    assert asked(after) == (1, "card", "cards")
    after = say(after, "hit").state
    assert (asked(after), len(after.cards[0])) == ((0, "card", "cards"), 3)


def test_bj_29_the_last_of_a_round_who_resigns() -> None:
    state = turns(SAFE[:3], standing=(True, True, False), turn=2, acted=(True, True, False))
    assert asked(say(state, "resign").state) == (0, "bet", "final")
    assert asked(say(say(state, "hit").state, "resign", seat=2).state) == (0, "bet", "final")
    left = turns(SAFE[:3], standing=(True, False, False), turn=2, acted=(True, True, False))
    assert asked(say(left, "resign").state) == (0, "bet", "between")


def test_bj_29_each_round_begins_at_the_dealers_left() -> None:
    state = turns(SAFE[:3], dealer=0, turn=0, acted=(False, True, True), top="2c")
    assert asked(say(state, "hit", "check").state) == (1, "card", "cards")


def test_bj_29_after_two_initial_bets() -> None:
    state = new_game(2, more_betting=True, two_bets=True)
    state = say(state, "call").state
    assert asked(state) == (0, "bet", "second")
    state = say(state, "check", "check", "hit").state
    assert asked(state) == (0, "bet", "between")


def test_bj_29_not_unless_it_is_played() -> None:
    state = say(table(SAFE[:2]), "hit", "hit").state
    assert asked(state) == (0, "card", "cards")
    assert asked(say(state, "stand", "stand").state) == (0, "bet", "final")


def test_bj_29_all_see_the_same_of_a_turn() -> None:
    state = turns(SAFE[:3], in_pot=(20, 40, 20))
    for seat in (0, 1, 2, HOST):
        view = GAME.view(state, seat)
        assert (view["phase"], view["bet_follows"], view["missing"], view["to_call"]) == ("card", True, [20, 0, 20], 0)
        assert GAME.view(say(state, "hit").state, seat)["bet_follows"] is False
    assert GAME.view(turns(SAFE[:3], chips=(100, 0, 0)), 0)["bet_follows"] is False
    assert GAME.view(table(SAFE[:3]), 0)["bet_follows"] is False
    betted = GAME.table(say(state, "hit").state, ("ann", "bob", "cleo"))
    assert (betted["phase"], betted["turn"], betted["to_call"]) == ("bet", "ann", 20)


@every("number", range(40))
def test_bj_29_a_round_asks_from_the_dealers_left_nobody_twice_and_the_card_before_the_bet(number: int) -> None:
    rng = random.Random(number)
    state = new_game(2 + number % 4, more_betting=True, two_bets=number % 3 == 0, max_hands=3)
    last: tuple[int, int] | None = None
    rounds = 0
    while state.phase != "over":
        seat, phase, stage = asked(state)
        if stage in ("cards", "between"):
            place = ((seat - state.dealer - 1) % len(state.chips), int(phase == "bet"))
            if last is None or place <= last:
                rounds += 1
                assert not any(state.acted)
                assert not all(state.standing[each] for each in playing(state))
            assert state.standing[seat] <= (phase == "bet")
            last = place
        else:
            last = None
        unwanted = "fold" if stage == "opening" else "both"
        choices = [
            each for each in GAME.choices(state, GAME.questions(state)[0]) if each.kind not in (unwanted, "both")
        ]
        before, state = state, say(state, rng.choice(choices).say[0]).state
        last = last if state.hand == before.hand else None
    assert rounds


@pytest.mark.parametrize("no_house", [True, False])
def test_bj_30_without_a_house_the_winner_gets_what_was_put_aside(no_house: bool) -> None:
    outcome = laid_open(
        ["Tc 9c", "Td 9d 5d", "Th 9h 5h"], in_pot=(10, 30, 30), aside=25, options={"no_house": no_house}
    )
    assert outcome.events[-1] == EpisodeWon(0, "chips", 95 if no_house else 30, 65 if no_house else 0)
    assert outcome.state.chips == (95 if no_house else 30, 0, 0)
    assert GAME.result(outcome.state) == Result(0, 0, {"house": 0 if no_house else 65, "hands": 1})


def test_bj_30_all_of_it_where_nobody_has_chips() -> None:
    outcome = laid_open(["Tc 9c 5c", "Td 9d 5d"], in_pot=(30, 30), options={"no_house": True})
    assert outcome.events[-1] == EpisodeWon(0, "nobody", 60, 60)
    assert outcome.state.chips == (60, 0)


def test_bj_30_not_before_the_episode_is_over() -> None:
    state = last_bets(["Tc 9c 5c", "Td 9d 5d"], turn=1, acted=(True, False), options={"no_house": True})
    after = say(state, "check").state
    assert (after.hand, after.aside) == (2, 40)
    assert sum(after.chips) + sum(after.in_pot) == 200


def test_bj_30_chips_of_who_withdrew_are_put_aside_too() -> None:
    outcome = say(betting(SAFE[:2], options={"no_house": True}), "resign")
    assert outcome.state.chips == (0, 240)


def worth(hand: str, **options: Any) -> tuple[int, int, int] | None:
    return rank(tuple(hand.split()), Options(**options))


def ranked(hands: Sequence[str], **options: Any) -> None:
    """Each of these hands is better than the next."""
    found = [worth(hand, **options) or (-1, 0, 0) for hand in hands]
    assert found == sorted(set(found), reverse=True)


FIVE = "2c 2d 2h 3c 3d"
FIVE_13 = "2c 2d 2h 3c 4c"
FIVE_20 = "2c 3c 4c 5c 6d"
SIX_13 = "Ac Ad 2c 2d 3c 4c"
SEVEN = "Ac Ad 2c 2d 2h 2s 3c"
SEVEN_20 = "Ac 2c 2d 2h 4c 4d 5c"
EIGHT = "Ac Ad Ah As 2c 2d 2h 2s"
TEN = "Ac Ad Ah As 2c 2d 2h 2s 3c 3d"


def test_bj_31_a_charlie_beats_all_other_hands_below_21() -> None:
    ranked(["Ac Kc", FIVE, "Tc Jc", "Tc 9c"], charlie=5)
    assert only(laid_open([FIVE, "Tc Jc"], in_pot=(20, 20), options={"charlie": 5}).events, PotWon).seats == (0,)
    assert only(laid_open([FIVE, "Tc Jc"], in_pot=(20, 20)).events, PotWon).seats == (1,)


CHARLIES = [
    (5, "2c 2d 2h 3c", "none"),
    (5, FIVE, "exact"),
    (5, SIX_13, "longer"),
    (5, SEVEN, "longer"),
    (7, FIVE, "none"),
    (7, "Ac Ad Ah As 2c 2d", "none"),
    (7, SEVEN, "exact"),
    (7, EIGHT, "longer"),
    (10, SEVEN, "none"),
    (10, TEN, "exact"),
    (0, TEN, "none"),
]


def is_charlie(hand: str, **options: Any) -> bool:
    """Does it beat 20 in two cards?"""
    assert total(hand.split()) < 20
    found, twenty = worth(hand, **options), worth("Tc Jc", **options)
    assert found is not None
    assert twenty is not None
    return found > twenty


@every(("charlie", "hand", "kind"), CHARLIES)
def test_bj_31_of_exactly_5_7_or_10_cards(charlie: int, hand: str, kind: str) -> None:
    assert is_charlie(hand, charlie=charlie) is (kind == "exact")


def test_bj_31_a_longer_hand_loses_to_20_in_a_showdown() -> None:
    hands = [SIX_13, "Tc Jc"]
    assert only(laid_open(hands, in_pot=(20, 20), options={"charlie": 5}).events, PotWon).seats == (1,)
    longer = {"charlie": 5, "longer_charlie": True}
    assert only(laid_open(hands, in_pot=(20, 20), options=longer).events, PotWon).seats == (0,)


def test_bj_31_not_21() -> None:
    assert worth("2c 3c 4c 5c 7d", charlie=5) == worth("Ac Kc", charlie=5)
    ranked(["Ac Kc", FIVE_20], charlie=5)


def test_bj_31_the_higher_total_of_two_charlies() -> None:
    ranked([FIVE_20, FIVE_13, FIVE], charlie=5)
    ranked([SEVEN_20, SEVEN], charlie=7)
    assert worth(FIVE_13, charlie=5) == worth("3d 3h 3s 2h 2d", charlie=5) == (1, 13, 0)


def test_bj_31_a_bust_is_no_charlie() -> None:
    assert worth("9c 9d 2c 2d 2h", charlie=5) is None
    assert worth("9c 9d 2c 2d 2h 2s", charlie=5, longer_charlie=True) is None


def test_bj_32_the_order_of_the_best_hands() -> None:
    ranked(
        [
            "Ac Kc",
            "Ac Kd",
            "Qh Ah",
            "Ac Qd",
            "Ac Jc",
            "Jc Ad",
            "Ts As",
            "Ac Td",
            "7c 7d 7h",
            FIVE_20,
            FIVE,
            "Tc Jc",
            "Tc 9c",
            "2c 3c",
            "Tc 9c 5c",
        ],
        best_hand=True,
        charlie=5,
    )


def test_bj_32_21_in_three_cards_or_more_is_all_the_same() -> None:
    assert worth("7c 7d 7h", best_hand=True) == worth("2c 3c 4c 5c 7d", best_hand=True, charlie=5) == (2, 0, 0)


def test_bj_32_one_suit_goes_before_two_in_a_showdown() -> None:
    hands = ["Ac Kd", "Ah Kh", "7c 7d 7h"]
    outcome = laid_open(hands, in_pot=(20, 20, 20), options={"best_hand": True})
    assert only(outcome.events, PotWon) == PotWon(60, (1,), (60,))
    assert only(laid_open(hands, in_pot=(20, 20, 20)).events, PotWon).shares == (20, 20, 20)


def test_bj_32_without_it_all_hands_of_21_are_equal() -> None:
    assert worth("Ac Kc") == worth("Ac Td") == worth("7c 7d 7h")


@every(("charlie", "hand", "kind"), [each for each in CHARLIES if each[0]])
def test_bj_33_of_that_many_cards_or_more(charlie: int, hand: str, kind: str) -> None:
    assert is_charlie(hand, charlie=charlie, longer_charlie=True) is (kind != "none")


def test_bj_33_of_equal_totals_the_longer_wins() -> None:
    ranked([FIVE_20, SEVEN, SIX_13, FIVE_13, FIVE, "Tc Jc"], charlie=5, longer_charlie=True)
    hands = ["Ac 2c 2d 4c 4d", "Ad Ah As 2h 2s 3c 3d"]
    assert [total(hand.split()) for hand in hands] == [13, 13]
    outcome = laid_open(hands, in_pot=(20, 20), options={"charlie": 5, "longer_charlie": True})
    assert only(outcome.events, PotWon) == PotWon(40, (1,), (40,))


def test_bj_33_not_beyond_the_total() -> None:
    ranked([FIVE_20, SEVEN], charlie=5, longer_charlie=True)
    ranked(["Ac Kc", SEVEN_20], charlie=7, longer_charlie=True)


def test_bj_33_as_long_and_as_high_they_share() -> None:
    options = {"charlie": 5, "longer_charlie": True}
    assert worth(FIVE_13, **options) == worth("3d 3h 3s 2h 2d", **options)
    assert worth("Tc 3c", **options) == worth("2c 2d 9c", **options)


@pytest.mark.parametrize(
    "options", [{"longer_charlie": True}, {"longer_charlie": True, "charlie": 0, "best_hand": True}]
)
def test_bj_33_only_together_with_charlies(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="longer_charlie is a variant of charlie"):
        new_game(2, **options)
    assert new_game(2, **options | {"charlie": 7}).options.longer_charlie


def test_bj_33_beside_best_hands() -> None:
    ranked(["Ac Kd", "7c 7d 7h", FIVE_20, SEVEN, FIVE_13, "Tc Jc"], best_hand=True, charlie=5, longer_charlie=True)
