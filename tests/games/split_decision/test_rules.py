"""The rules of Split Decision: at least one test for each clause of RULES.md, by its number."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from host.engine.cards import DECK, DECK_WITH_JOKERS, cut
from host.engine.events import DeckCut, Event, Shuffled
from host.engine.game import HOST, Entry, Flow, Illegal, Invalid, NotYet, are_rules_of, new_options
from host.games.split_decision import GAME
from host.games.split_decision.events import (
    AcePlaced,
    AllWithdrew,
    Answered,
    BetPlaced,
    BonusBegan,
    BonusOver,
    CalledEarly,
    CardShown,
    CardTurned,
    CodesSent,
    Consoled,
    CutSent,
    Discarded,
    GoneUnseen,
    HandBegan,
    HandOver,
    Helped,
    Judged,
    NobodyKnew,
    NobodyWon,
    OutOfRound,
    Paid,
    Passed,
    Placed,
    PlacesOpened,
    Pushed,
    Refused,
    Reshuffled,
    RoundWon,
    Skipped,
    SuitOpened,
    TookControl,
    Withdrew,
)
from host.games.split_decision.rules import hands, rounds
from host.games.split_decision.rules.bonus import BOARD, times
from host.games.split_decision.state import RANKS, State, fitting, rank_as
from tests.games.playouts import playout
from tests.games.split_decision.conserved import unseen
from tests.games.split_decision.playing import (
    CHANCE,
    CODES,
    PARIS,
    all_but,
    asked,
    bonus,
    new_game,
    right,
    say,
    second,
    silence,
    table,
    third,
)
from tests.rows import every
from tests.size import size

THIRTY = " ".join(map(str, range(1, 31)))


def refusal(state: State, text: str, seat: int | None = None) -> str:
    """The clause that refuses `text`."""
    with pytest.raises(Illegal) as caught:
        say(state, text, seat=seat)
    assert caught.value.reason.endswith(".")
    return caught.value.clause


def only(events: Sequence[Event], kind: type[Event]) -> Any:
    found = [event for event in events if isinstance(event, kind)]
    assert len(found) == 1, [type(event).__name__ for event in events]
    return found[0]


def kinds(events: Sequence[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def use(high: str, low: str, card: str) -> str:
    return hands.use_of(table(high=f"{high} - -", low=f"{low} - -"), 0, card)


def set_up(options: dict[str, Any] | None = None) -> State:
    """Round 1 begins as it does in play."""
    state = say(new_game(**options or {}), "cut 5", "codes random", "codes random", "codes random").state
    assert state.phase == "head-start"
    return state


# Cards


@pytest.mark.parametrize(
    ("card", "what"),
    [("Qd", "win"), ("5d", "win"), ("9s", "win"), ("3d", "unusable"), ("2s", "unusable"), ("Ad", "unusable")],
)
def test_sd_01_a_card_strictly_between_the_two_wins(card: str, what: str) -> None:
    assert use("Kc", "4c", card) == what


def test_sd_01_either_slot_first_and_the_third_card_wins_the_round() -> None:
    for first, then, cards in (("high", "low", "Kc 4c"), ("low", "high", "4c Kc")):
        state = table(top=f"{cards} 7d 2d 3d")
        for slot in (first, then):
            state = say(state, "answer Paris", slot, f"ask {PARIS.ask} = Paris").state
            state = replace(state, actor=0, tries=0, buzz=(0, 1, 2))
        assert (state.high[0], state.low[0]) == ("Kc", "4c")
        won = only(right(state).events, RoundWon)
        assert (won.seat, won.round, won.by, won.card) == (0, 1, "card", "7d")


def test_sd_02_ranks() -> None:
    high = [rank_as(rank + "c", "high") for rank in "23456789TJQKA"]
    low = [rank_as(rank + "c", "low") for rank in "A23456789TJQK"]
    assert high == list(range(2, 15))
    assert low == list(range(1, 14))


def test_sd_02_an_ace_stays_what_it_is_placed_as() -> None:
    assert use("Ac", "Qd", "Kd") == "win"
    assert use("3c", "Ad", "2d") == "win"
    assert use("Ac", "Qd", "2d") == "unusable"
    assert use("Ac", "-", "As") == "push"
    assert say(table("peek", card="As"), "high").state.high[0] == "As"
    assert say(table("peek", card="As"), "low").state.low[0] == "As"
    assert fitting(table(high="2c - -"), 0, "Ad") == ("low",)


@pytest.mark.parametrize("joker", ["Xr", "Xb"])
def test_sd_03_a_joker_wins_or_is_placed_as_an_ace(joker: str) -> None:
    won = only(right(table(top=joker, high="5c - -", low="4d - -")).events, RoundWon)
    assert (won.by, won.card) == ("joker", joker)
    assert use("-", "-", joker) == "fits"
    assert fitting(table(), 0, joker) == ("high", "low")
    assert fitting(table(high="2c - -"), 0, joker) == ("low",)
    assert fitting(table(low="Kc - -"), 0, joker) == ("high",)
    assert (rank_as(joker, "high"), rank_as(joker, "low")) == (14, 1)


def test_sd_03_in_a_slot_a_joker_is_an_ace() -> None:
    assert use("Xr", "Qd", "Kd") == "win"
    assert use("3d", "Xr", "2d") == "win"
    assert use("Xr", "-", "Kd") == "fits"
    assert fitting(table(high="Xr - -"), 0, "Kd") == ("low",)


@every(
    ("high", "low", "card", "what"),
    [
        ("Kc", "-", "Kd", "push"),
        ("-", "Kc", "Kd", "push"),
        ("Kc", "4c", "4d", "push"),
        ("Xr", "4c", "Ad", "push"),
        ("9c", "Xr", "Ad", "push"),
        ("A*", "4c", "Ad", "push"),
        ("Ac", "-", "Xr", "fits"),
        ("Xb", "-", "Xr", "fits"),
        ("Xb", "4c", "Xr", "win"),
        ("Kc", "-", "Qd", "fits"),
    ],
)
def test_sd_04_the_same_rank_is_a_push(high: str, low: str, card: str, what: str) -> None:
    assert use(high, low, card) == what


def test_sd_04_a_push_is_paid_and_the_card_gone_at_no_chip() -> None:
    outcome = right(table(top="Kd 5d", high="Kc - -"))
    assert only(outcome.events, Pushed) == Pushed(0, "Kd", 100)
    assert asked(outcome.state) == (HOST, "ask")
    assert (outcome.state.winnings[0], outcome.state.chips[0]) == (200, 2)
    assert outcome.state.high[0] == "Kc"
    assert "Kd" not in outcome.state.stock


@every(
    ("high", "low", "card", "slots"),
    [
        ("-", "-", "7d", "high low"),
        ("-", "4c", "7d", "high"),
        ("-", "8c", "7d", ""),
        ("8c", "-", "7d", "low"),
        ("4c", "-", "7d", ""),
        ("Kc", "4c", "7d", ""),
        ("-", "Ac", "2d", "high"),
        ("Ac", "-", "Kd", "low"),
        ("2c", "-", "Xr", "low"),
        ("-", "Ac", "Xr", "high"),
    ],
)
def test_sd_05_where_a_card_fits(high: str, low: str, card: str, slots: str) -> None:
    assert fitting(table(high=f"{high} - -", low=f"{low} - -"), 0, card) == tuple(slots.split())


def test_sd_05_no_card_goes_where_it_does_not_fit() -> None:
    state = table("peek", card="7d", high="Kc - -")
    assert refusal(state, "high") == "SD-5"
    assert refusal(table("peek", card="7d", low="4c - -"), "low") == "SD-5"
    assert say(state, "low").state.low[0] == "7d"
    assert use("8c", "-", "9d") == use("-", "8c", "7d") == "unusable"


def test_sd_05_a_push_comes_before_all_else() -> None:
    outcome = right(table(top="Kd", high="Kc - -", low="4c - -"))
    assert kinds(outcome.events) == ["Answered", "Paid", "CardShown", "Pushed"]
    assert outcome.state.round == 1


# Before the first round


def test_sd_06_red_is_seat_0_and_the_champion_where_there_is_one() -> None:
    assert GAME.view(new_game(), 0)["colours"] == ["red", "gold", "blue"]
    assert set_up().order == (0, 1, 2)
    assert set_up({"champion_wins": 3}).order == (0, 1, 2)
    assert set_up({"champion_wins": 3}).actor == 0
    for seats in (1, 2, 4):
        with pytest.raises(ValueError, match="three"):
            GAME.deal(seats, {}, CHANCE)


@every(
    "options",
    [
        {"champion_wins": -1},
        {"champion_wins": 5},
        {"champion_wins": True},
        {"champion_wins": "1"},
        {"judge": "no"},
        {"judge": None},
        {"dry": -1},
        {"dry": True},
        {"dry": "12"},
        {"questions": {}},
        {"questions": [{}]},
        {"questions": ["Who?"]},
        {"questions": [{"ask": "", "answers": ["x"]}]},
        {"questions": [{"ask": "Who?", "answers": []}]},
        {"questions": [{"ask": "Who?", "answers": [" "]}]},
        {"questions": [{"ask": "Who?", "answers": "Bob"}]},
        {"wins": 1},
    ],
)
def test_sd_06_options_that_are_not_allowed(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        new_game(**options)


@pytest.mark.parametrize("count", [1, 26, 53])
def test_sd_07_red_cuts_the_one_deck(count: int) -> None:
    outcome = say(new_game(), "codes random", f"cut {count}", "codes random", "codes random")
    deck = CHANCE.shuffled("deck", DECK_WITH_JOKERS)
    assert len(deck) == 54
    shown = outcome.state.card
    assert (shown, *outcome.state.stock) == cut(deck, count)
    assert DeckCut(0, "deck", count) in outcome.events
    assert Shuffled("deck", deck) in outcome.events


def test_sd_07_a_cut_is_red_s_once_and_from_1_to_53() -> None:
    for text in ("cut 0", "cut 54", "cut 100"):
        assert refusal(new_game(), text, seat=0) == "SD-7"
    assert refusal(new_game(), "cut 5", seat=1) == "SD-7"
    assert refusal(say(new_game(), "cut 5").state, "cut 6", seat=0) == "SD-7"
    for text in ("cut -4", "cut 7.5", "cut", "cut 1 2"):
        with pytest.raises(Invalid):
            say(new_game(), text)


def test_sd_08_thirty_codes_in_secret() -> None:
    outcome = say(new_game(), f"codes {THIRTY}", seat=1)
    assert outcome.state.codes[1] == tuple(range(1, 31))
    assert outcome.events == (CodesSent(1, tuple(range(1, 31)), "say"),)
    assert GAME.news(outcome.events, 1) == outcome.events
    for other in (0, 2, HOST):
        assert GAME.news(outcome.events, other) == ()
        assert GAME.view(outcome.state, other)["codes"] == []
    assert GAME.view(outcome.state, 1)["codes"] == list(range(1, 31))


@pytest.mark.parametrize(
    "codes", [THIRTY[:-3], f"{THIRTY} 5", f"0 {THIRTY[2:]}", f"101 {THIRTY[2:]}", "5", "100 " * 29, "100 " * 31]
)
def test_sd_08_no_other_codes_will_do(codes: str) -> None:
    assert refusal(new_game(), f"codes {codes}", seat=1) == "SD-8"


def test_sd_08_from_1_to_100_the_same_one_too() -> None:
    assert say(new_game(), "codes" + " 100" * 30, seat=2).state.codes[2] == (100,) * 30
    assert say(new_game(), "codes" + " 1" * 30, seat=2).state.codes[2] == (1,) * 30


def test_sd_08_random_codes_come_from_the_seed() -> None:
    stream = CHANCE.stream("codes:2")
    drawn = tuple(stream.below(100) + 1 for _ in range(30))
    outcome = say(new_game(), "codes random", seat=2)
    assert outcome.state.codes[2] == drawn
    assert outcome.events == (CodesSent(2, drawn, "random"),)


def test_sd_08_what_is_sent_cannot_be_changed() -> None:
    state = say(new_game(), "codes random", seat=1).state
    assert refusal(state, f"codes {THIRTY}", seat=1) == "SD-8"
    assert refusal(state, "codes random", seat=1) == "SD-8"


def test_sd_09_silence_has_codes_and_the_cut_drawn() -> None:
    outcome = silence(new_game(), 0)
    drawn = CHANCE.below("cut", 53) + 1
    assert outcome.state.cut == drawn
    assert outcome.state.codes[0] == say(new_game(), "codes random", seat=0).state.codes[0]
    assert outcome.events == (CodesSent(0, outcome.state.codes[0], "timeout"), CutSent(0, drawn, "timeout"))
    assert GAME.news(outcome.events, 1) == ()
    kept = silence(say(new_game(), "cut 7", seat=0).state, 0).state
    assert kept.cut == 7
    cut_only = silence(say(new_game(), f"codes {THIRTY}", seat=0).state, 0)
    assert cut_only.state.cut == drawn
    assert cut_only.state.codes[0] == tuple(range(1, 31))
    assert cut_only.events == (CutSent(0, drawn, "timeout"),)


def test_sd_09_silence_of_the_others_draws_no_cut() -> None:
    state = silence(new_game(), 1, 2).state
    assert state.cut == 0
    assert [question.seat for question in GAME.questions(state)] == [0]
    with pytest.raises(Illegal):
        silence(state, 1)


def test_sd_09_who_withdraws_is_not_waited_for() -> None:
    state = say(new_game(), "resign", seat=0).state
    assert state.cut == CHANCE.below("cut", 53) + 1
    assert [question.seat for question in GAME.questions(state)] == [1, 2]
    state = say(state, "codes random", "codes random").state
    assert (state.round, asked(state)) == (1, (1, "head-start"))
    assert state.order == (0, 1, 2)


def test_sd_10_all_see_which_cards_remain_never_their_order() -> None:
    state = table(top="Kd 5d 9s", card="", high="Kc - -")
    for seat in (0, 1, 2, HOST):
        remaining = GAME.view(state, seat)["remaining"]
        assert remaining == all_but(DECK_WITH_JOKERS, "Kc")
        assert "stock" not in GAME.view(state, seat)
    assert GAME.view(state, None)["stock"][:3] == ["Kd", "5d", "9s"]


def test_sd_10_nothing_shows_that_a_seat_may_not_see() -> None:
    rng = random.Random(1)
    for number in range(size(3, 12)):
        for state in playout(GAME.slug, number).states:
            for seat in range(3):
                other = unseen(state, seat, rng)
                assert GAME.view(other, seat) == GAME.view(state, seat)
                assert GAME.ahead(other, seat) == GAME.ahead(state, seat)
                assert GAME.questions(other) == GAME.questions(state)
                for question in GAME.questions(state):
                    assert GAME.choices(other, question) == GAME.choices(state, question)


def test_sd_10_an_empty_stock_is_shuffled_anew_without_the_hands() -> None:
    state = table(high="Kc 9d -", low="4c - -", out=(False, True, False), stock=())
    outcome = right(state)
    stock = CHANCE.shuffled("reshuffle:1", all_but(DECK_WITH_JOKERS, "Kc", "9d", "4c"))
    assert Shuffled("reshuffle:1", stock) in outcome.events
    assert only(outcome.events, Reshuffled).count == 51
    assert next(event.card for event in outcome.events if isinstance(event, CardShown)) == stock[0]
    assert not any(isinstance(event, DeckCut) for event in outcome.events)
    again = right(replace(state, reshuffles=1))
    assert any(isinstance(event, Shuffled) and event.label == "reshuffle:2" for event in again.events)


def test_sd_10_the_free_ace_is_no_card_of_the_stock() -> None:
    outcome = right(second(high="- A* -", stock=()))
    assert only(outcome.events, Reshuffled).count == 54


def test_sd_10_a_stock_is_there_before_a_card_is_kept_or_passed() -> None:
    state = right(table(stock=(), chips=(0, 2, 2))).state
    assert asked(state) == (0, "no-peek")
    assert len(state.stock) == 54


# The rounds


def test_sd_11_who_plays_which_round() -> None:
    won = right(table(top="7d", high="Kc - -", low="4c - -")).state
    assert (won.round, won.order) == (2, (1, 2))
    won = right(second(top="7d", high="- Kc -", low="- 4c -")).state
    assert (won.round, won.order) == (3, (0, 1))
    won = right(third(top="7d", high="Kc - -", low="4c - -")).state
    assert (won.round, won.order, won.winners) == (4, (0,), (0, 1, 0))


@pytest.mark.parametrize(
    ("winnings", "reached", "order"),
    [
        ((0, 300, 200), (0, 3, 2), (1, 2)),
        ((0, 200, 300), (0, 3, 2), (2, 1)),
        ((0, 300, 300), (0, 3, 2), (2, 1)),
        ((0, 300, 300), (0, 2, 3), (1, 2)),
        ((0, 0, 0), (0, 0, 0), (1, 2)),
    ],
)
def test_sd_12_the_order_of_round_2(
    winnings: tuple[int, ...], reached: tuple[int, ...], order: tuple[int, ...]
) -> None:
    state = table(top="7d", high="Kc - -", low="4c - -", winnings=winnings, reached=reached, growths=9)
    assert right(state).state.order == order


def test_sd_12_who_got_to_the_money_earlier_is_told_by_play() -> None:
    state = table("place", card="Kc", chips=(0, 2, 2), actor=2, winnings=(0, 250, 0), reached=(0, 1, 0), growths=1)
    state = say(state, "high").state
    assert state.winnings == (0, 250, 250)
    assert state.reached == (0, 1, 2)


def test_sd_12_in_round_3_the_winner_of_round_1_is_first() -> None:
    state = second(top="7d", high="- Kc -", low="- 4c -", winners=(2,), order=(1, 0), buzz=(1, 0))
    assert right(state).state.order == (2, 1)


def test_sd_13_each_round_begins_with_two_chips_and_empty_slots() -> None:
    state = right(table(top="7d", high="Kc 9d -", low="4c - 2d", chips=(1, 0, 0), out=(False, True, False))).state
    assert (state.chips, state.high, state.low) == ((2, 2, 2), ("", "", ""), ("", "", ""))
    assert state.out == (False, False, False)
    assert set_up().chips == (2, 2, 2)


@pytest.mark.parametrize(("number", "phase"), [(8, "head-start"), (9, "free-ace"), (15, "free-ace")])
def test_sd_14_a_free_ace_after_more_than_eight_questions(number: int, phase: str) -> None:
    state = table("peek", number=number, high="- Kc Kd", low="- 4c 4d", card="Th", top="7d 8d")
    state = replace(state, phase="question", card="", high=("Kc", "", ""), low=("4c", "", ""))
    state = replace(state, chips=(0, 0, 0), phase="no-peek")
    won = say(state, "keep").state
    assert (won.round, won.phase, won.number) == (2, phase, 0)


def test_sd_14_it_is_placed_in_order_unpaid_and_high_in_silence() -> None:
    state = second("free-ace", card="A*", first_round_questions=9, top="7d 8d")
    outcome = say(state, "low")
    assert asked(outcome.state) == (2, "free-ace")
    assert outcome.events == (AcePlaced(1, "low", "say"),)
    assert outcome.state.low[1] == "A*"
    assert outcome.state.winnings == (0, 0, 0)
    assert len(outcome.state.stock) == 54
    after = silence(outcome.state)
    assert after.events[0] == AcePlaced(2, "high", "timeout")
    assert after.state.high[2] == "A*"
    assert asked(after.state) == (1, "head-start")
    assert refusal(state, "refuse") == "SD-14"


def test_sd_15_up_to_two_cards_each_in_order() -> None:
    state = table("head-start", card="Kc", seen=1, top="9c 8c 7c 6c 5c 4c", number=0)
    state = say(state, "refuse").state
    assert (asked(state), state.card) == ((0, "head-start"), "9c")
    state = say(state, "refuse").state
    assert (asked(state), state.card) == ((1, "head-start"), "8c")
    state = say(state, "high").state
    assert (asked(state), state.card) == ((2, "head-start"), "7c")
    assert state.winnings == (0, 250, 0)
    state = say(state, "refuse", "low").state
    assert asked(state) == (HOST, "ask")
    assert (state.high, state.low) == (("", "8c", ""), ("", "", "6c"))
    assert (state.number, state.chips) == (1, (2, 2, 2))
    assert state.stock[0] == "5c"


def test_sd_15_a_head_start_card_cannot_be_discarded() -> None:
    assert refusal(table("head-start", card="Kc", seen=1), "discard") == "SD-15"


def test_sd_16_a_push_uses_up_one_of_the_two() -> None:
    state = second("free-ace", card="A*", actor=2, high="- A* -", top="Ac 7d Kd")
    outcome = say(state, "low")
    assert only(outcome.events, Pushed) == Pushed(1, "Ac", 50)
    assert (asked(outcome.state), outcome.state.card) == ((1, "head-start"), "7d")
    assert say(outcome.state, "refuse").state.actor == 2
    both = say(replace(state, stock=("Ac", "Ad", "7d")), "low")
    assert kinds(both.events).count("Pushed") == 2
    assert (asked(both.state), both.state.card) == ((2, "head-start"), "7d")


def test_sd_16_in_silence_the_card_is_refused_and_no_other_shown() -> None:
    outcome = silence(table("head-start", card="Kc", seen=1, top="9c"))
    assert outcome.events[0] == Refused(0, "Kc", "timeout")
    assert (asked(outcome.state), outcome.state.card) == ((1, "head-start"), "9c")


# Questions


def put(codes: tuple[tuple[int, ...], ...], **fields: Any) -> State:
    """The host puts a question."""
    return say(table("ask", codes=codes, **fields), "ask Who? = Bob").state


def test_sd_17_the_nearest_to_the_target_has_buzzed_in() -> None:
    target = CHANCE.below("target:1", 100) + 1
    assert 3 < target < 90
    state = put(((target + 3,) * 30, (target - 2,) * 30, (target + 9,) * 30))
    assert state.target == target
    assert state.buzz == (1, 0, 2)
    assert asked(state) == (1, "question")
    assert put(CODES, questions_put=7).target == CHANCE.below("target:7", 100) + 1
    assert put(((target,) * 30, (target - 2,) * 30, (target + 1,) * 30)).buzz == (0, 2, 1)


def test_sd_17_only_players_of_the_round_are_compared() -> None:
    assert set(put(CODES, out=(False, True, False)).buzz) == {0, 2}
    assert say(second("ask"), "ask Who? = Bob").state.buzz == tuple(seat for seat in put(CODES).buzz if seat in (1, 2))


def test_sd_18_equal_distances_throw_out_the_set() -> None:
    target = CHANCE.below("target:1", 100) + 1
    near, far = target + 1, target + 20
    tied = ((near, far, *[1] * 28), (target - 1, near, *[2] * 28), (far, target + 5, *[3] * 28))
    state = put(tied)
    assert (state.target, state.buzz, state.code_set) == (target, (1, 2, 0), 2)
    last = put(((*[1] * 29, near), (*[2] * 29, near), (*[3] * 29, far)), code_set=29)
    assert last.code_set == 1
    assert put(CODES, code_set=29).code_set == 0
    assert put(CODES, code_set=4).code_set == 5


def test_sd_18_two_who_are_not_nearest_may_not_be_equal_either() -> None:
    target = CHANCE.below("target:1", 100) + 1
    codes = ((target, target + 1) * 15, (target + 2, target + 2) * 15, (target - 2, target + 3) * 15)
    assert put(codes).code_set == 2


def test_sd_18_after_thirty_tied_sets_the_last_is_used() -> None:
    target = CHANCE.below("target:1", 100) + 1
    state = put(((target + 1,) * 30, (target,) * 30, (target - 1,) * 30), code_set=7)
    assert (state.buzz, state.code_set) == ((1, 0, 2), 7)
    assert put(((50,) * 30,) * 3).buzz == (0, 1, 2)


def test_sd_19_one_try_each_the_nearest_first() -> None:
    state = table(buzz=(2, 0, 1), actor=2)
    outcome = say(state, "answer Rome")
    assert outcome.events == (Answered(2, "Rome", "wrong"),)
    assert asked(outcome.state) == (0, "question")
    assert refusal(outcome.state, "answer Paris", seat=2) == "SD-19"
    skipped = say(outcome.state, "skip")
    assert skipped.events == (Skipped(0, "say"),)
    late = silence(skipped.state)
    assert late.events == (Skipped(1, "timeout"), NobodyKnew("Paris"))
    assert asked(late.state) == (HOST, "ask")
    assert late.state.number == 2
    assert late.state.winnings == (0, 0, 0)


def test_sd_19_an_answer_may_be_sent_before_one_s_try() -> None:
    for text in ("answer Paris", "skip"):
        with pytest.raises(NotYet):
            say(table(), text, seat=1)
    assert refusal(table("ask"), "answer Paris", seat=1) == "SD-19"
    assert refusal(table("peek", card="7d"), "skip", seat=1) == "SD-19"
    assert refusal(table(out=(False, True, False)), "answer Paris", seat=1) == "SD-19"
    assert [choice.say for choice in GAME.ahead(table(), 1)] == [("answer ",), ("skip",)]
    assert GAME.ahead(table(), 0) == GAME.ahead(table("ask"), 1) == ()


@pytest.mark.parametrize(
    "text", ["Paris", "paris!", "  The PARIS ", "the city of light", "City-of-Light", "«Párìs»", "PAR IS."]
)
def test_sd_20_case_accents_signs_spaces_and_articles_make_no_difference(text: str) -> None:
    outcome = say(table(), f"answer {text}")
    assert only(outcome.events, Answered) == Answered(0, " ".join(text.split()), "right")


@pytest.mark.parametrize("text", ["Paris, please", "Paris then Rome", "I think Paris", "Paris; skip"])
def test_sd_20_everything_to_the_end_of_the_line_is_the_answer(text: str) -> None:
    (fragment,) = GAME.split(f"answer {text}")
    outcome = say(table(), fragment)
    assert only(outcome.events, Answered) == Answered(0, text, "wrong")


def test_sd_20_an_answer_cannot_be_empty_nor_signs_only() -> None:
    for text in ("answer", "answer  ", "Answer:"):
        with pytest.raises(Invalid):
            say(table(), text)
    for judge in ("near", "auto", "host", "fair"):
        outcome = say(table(options={"judge": judge}), "answer !?")
        assert only(outcome.events, Answered).verdict == "wrong"


@every(
    ("text", "judge", "verdict"),
    [
        ("Pari", "near", "near"),
        ("Pari", "auto", "wrong"),
        ("Pari", "host", "near"),
        ("Rome", "near", "wrong"),
        ("Rome", "auto", "wrong"),
        ("Rome", "host", "near"),
        ("Paris", "host", "right"),
        ("Paris", "auto", "right"),
        ("The Zity of Lihgt", "near", "wrong"),
        ("The Zity of Lght", "near", "near"),
        ("Pari", "fair", "near"),
        ("Rome", "fair", "wrong"),
        ("Paris", "fair", "right"),
        ("It is Paris, I think", "near", "wrong"),
        ("It is Paris, I think", "fair", "near"),
        ("Light", "near", "wrong"),
        ("Light", "fair", "near"),
        ("of", "fair", "wrong"),
    ],
)
def test_sd_21_what_waits_for_the_host(text: str, judge: str, verdict: str) -> None:
    outcome = say(table(options={"judge": judge}), f"answer {text}")
    assert only(outcome.events, Answered).verdict == verdict
    if verdict == "near":
        assert asked(outcome.state) == (HOST, "judging")
        assert GAME.view(outcome.state, 1)["answer"] == text


@pytest.mark.parametrize(
    ("judge", "verdict"), [("fair", "right"), ("near", "wrong"), ("auto", "wrong"), ("host", "near")]
)
def test_sd_21_a_number_is_the_same_in_a_word_and_in_digits(judge: str, verdict: str) -> None:
    state = table(options={"judge": judge}, question=Entry("How many angry men?", ("twelve men",)))
    assert only(say(state, "answer 12 men").events, Answered).verdict == verdict


def test_sd_21_the_judge_is_fair_in_a_new_episode_and_near_in_a_record_that_names_none() -> None:
    assert new_game().options.judge == "near"
    assert new_game(**new_options(GAME, {})).options.judge == "fair"
    assert new_game(**new_options(GAME, {"judge": "near"})).options.judge == "near"
    versions = [({}, 1), ({"dry": 12, "judge": "near"}, 2), (new_options(GAME, {}), 3)]
    for options, version in versions:
        assert are_rules_of(GAME, version, options)
        assert not are_rules_of(GAME, version - 1, options)


def test_sd_21_the_host_says_right_or_wrong() -> None:
    state = say(table(top="7d"), "answer Pari").state
    is_right = say(state, "right")
    assert is_right.events[:2] == (Judged(0, "Pari", True), Paid(0, 100))
    assert asked(is_right.state) == (0, "peek")
    is_wrong = say(state, "wrong")
    assert is_wrong.events == (Judged(0, "Pari", False),)
    assert asked(is_wrong.state) == (1, "question")
    assert refusal(state, "right", seat=0) == "SD-22"
    assert refusal(state, "answer Paris", seat=0) == "SD-19"
    assert refusal(table(), "right", seat=HOST) == "SD-21"
    assert refusal(table("ask"), "wrong", seat=HOST) == "SD-21"
    with pytest.raises(Illegal):
        silence(state, 0)


def test_sd_22_questions_come_from_the_list_then_from_the_host() -> None:
    listed = [{"ask": "One?", "answers": ["1", "one"]}, {"ask": "Two?", "answers": ["2"]}]
    state = say(table(options={"questions": listed}, number=3, questions_put=3), "skip", "skip", "skip").state
    assert state.question == Entry("One?", ("1", "one"))
    assert (state.number, state.questions_put) == (4, 4)
    assert state.target == CHANCE.below("target:4", 100) + 1
    state = say(state, "skip", "skip", "skip").state
    assert state.question == Entry("Two?", ("2",))
    state = say(state, "skip", "skip", "skip").state
    assert asked(state) == (HOST, "ask")
    assert (state.number, state.question, state.target, state.buzz) == (6, None, None, ())
    state = say(state, "ask What is x, if x = 1? = one | 1").state
    assert state.question == Entry("What is x, if x = 1?", ("one", "1"))
    assert state.number == 6


@pytest.mark.parametrize("text", ["ask Who =", "ask = Alice", "ask Who = Alice | | Bob", "ask Who = |"])
def test_sd_22_neither_question_nor_answers_may_be_empty(text: str) -> None:
    assert refusal(table("ask"), text) == "SD-22"


def test_sd_22_only_the_host_asks_and_only_when_asked() -> None:
    for text in ("ask", "ask Who?"):
        with pytest.raises(Invalid):
            say(table("ask"), text)
    assert refusal(table("ask"), "ask Who? = Bob", seat=0) == "SD-22"
    assert refusal(table(), "ask Who? = Bob", seat=HOST) == "SD-22"
    assert refusal(table(), "skip", seat=HOST) == "SD-22"


@pytest.mark.parametrize(("number", "phase"), [(8, "head-start"), (9, "free-ace")])
def test_sd_22_a_numbered_question_counts_though_never_put(number: int, phase: str) -> None:
    state = say(table("ask", number=number, out=(False, False, True)), "resign", seat=0).state
    assert (state.winners, state.first_round_questions) == ((1, 2), number)
    state = table("no-peek", number=number, top="9c", high="Kc - -", low="4c - -", chips=(0, 0, 0))
    assert say(state, "keep").state.phase == phase


def test_sd_23_the_right_answer_pays_and_gives_control() -> None:
    outcome = right(table(top="7d", actor=1, buzz=(1, 0, 2)))
    assert kinds(outcome.events) == ["Answered", "Paid", "CardShown"]
    assert asked(outcome.state) == (1, "peek")
    assert outcome.state.winnings == (0, 100, 0)
    state = say(outcome.state, "high").state
    assert (asked(state), state.number, state.round) == ((HOST, "ask"), 2, 1)


def dry(in_vain: int, n: int = 12, **fields: Any) -> State:
    """Blue is asked last, behind red and gold; nobody got the `in_vain` questions before this one."""
    known: dict[str, Any] = {"buzz": (0, 1, 2), "actor": 2, "tries": 2, "number": 3, "options": {"dry": n}}
    return table(in_vain=in_vain, **known | fields)


@pytest.mark.parametrize(("number", "phase"), [(3, "peek"), (12, "free-look")])
def test_sd_23_after_a_dry_row_the_nearest_takes_control_unpaid(number: int, phase: str) -> None:
    outcome = say(dry(11, number=number, top="7d"), "skip")
    assert outcome.events == (Skipped(2, "say"), NobodyKnew("Paris"), TookControl(0, 12), CardShown(0, "7d", phase))
    assert asked(outcome.state) == (0, phase)
    assert (outcome.state.winnings, outcome.state.in_vain) == ((0, 0, 0), 0)
    placed = say(outcome.state, "high").state
    assert (asked(placed), placed.winnings) == ((HOST, "ask"), (250, 0, 0))


@pytest.mark.parametrize("last", ["skip", "answer Rome", "timeout", "resign"])
def test_sd_23_it_is_the_nearest_who_is_still_in_the_round(last: str) -> None:
    for gone in (False, True):
        state = dry(11, top="7d", gone=(gone, False, False), out=(gone, False, False))
        outcome = silence(state) if last == "timeout" else say(state, last)
        if gone and last == "resign":
            assert "TookControl" not in kinds(outcome.events)
        else:
            assert only(outcome.events, TookControl).seat == outcome.state.actor == int(gone)


def test_sd_23_an_answer_that_the_host_calls_wrong_counts_for_none() -> None:
    outcome = say(dry(11, top="7d"), "answer Pari", "wrong")
    assert only(outcome.events, TookControl).seat == 0


def test_sd_23_the_count_begins_anew_with_control_and_with_a_round() -> None:
    assert say(dry(4), "skip").state.in_vain == 5
    assert right(dry(4, top="7d")).state.in_vain == 0
    assert say(dry(0, n=1, top="7d"), "skip").state.in_vain == 0
    won = right(dry(4, top="7d", high="- - Kc", low="- - 4c")).state
    assert (won.round, won.in_vain) == (2, 0)


@pytest.mark.parametrize("in_vain", [0, 11, 500])
def test_sd_23_without_dry_rows_only_an_answer_gives_control(in_vain: int) -> None:
    for state in (dry(in_vain, n=0), dry(in_vain, options={})):
        assert asked(say(state, "skip").state) == (HOST, "ask")


def test_sd_23_a_new_episode_of_three_who_always_skip_ends() -> None:
    state = set_up(new_options(GAME, {}))
    put = 0
    while state.phase not in ("choose", "over"):
        kinds_offered = {choice.kind for choice in GAME.choices(state, GAME.questions(state)[0])}
        if state.phase == "ask":
            put += 1
            assert put < 1000, "a round goes on for ever"
            state = say(state, "ask Who? = Nobody").state
        else:
            move = next(each for each in ("skip", "refuse", "discard", "keep", "high", "low") if each in kinds_offered)
            state = say(state, move).state
    assert state.round == 4
    assert put % 12 == 0


# Control


@pytest.mark.parametrize(("number", "phase"), [(5, "peek"), (6, "free-look"), (7, "free-look"), (20, "free-look")])
def test_sd_24_a_free_look_from_the_sixth_question_on(number: int, phase: str) -> None:
    for chips in (2, 0):
        state = right(table(top="7d", number=number, chips=(chips, 2, 2))).state
        assert asked(state) == (0, phase if chips or phase == "free-look" else "no-peek")


def test_sd_24_refused_at_no_cost_and_on_as_usual() -> None:
    state = table("free-look", number=6, card="7d", top="8d")
    outcome = say(state, "refuse")
    assert outcome.events == (Refused(0, "7d", "say"), CardShown(0, "8d", "peek"))
    assert (asked(outcome.state), outcome.state.chips) == ((0, "peek"), (2, 2, 2))
    assert asked(say(replace(state, chips=(0, 2, 2)), "refuse").state) == (0, "no-peek")
    assert silence(state).events[0] == Refused(0, "7d", "timeout")
    assert refusal(state, "discard") == "SD-24"


def test_sd_24_one_that_does_not_fit_is_refused_by_the_host() -> None:
    outcome = right(table(number=6, top="2d 7d", high="Kc - -", low="4c - -"))
    assert Refused(0, "2d", "game") in outcome.events
    assert only(outcome.events, RoundWon).card == "7d"


def test_sd_24_a_card_placed_or_a_push_ends_control() -> None:
    placed = say(table("free-look", number=6, card="7d", top="8d"), "low")
    assert asked(placed.state) == (HOST, "ask")
    assert placed.state.winnings[0] == 250
    pushed = right(table(number=6, top="Kd 7d", high="Kc - -"))
    assert asked(pushed.state) == (HOST, "ask")
    assert pushed.state.winnings[0] == 200


def test_sd_25_with_a_chip_the_card_is_placed_or_discarded() -> None:
    state = table("peek", card="7d", top="8d")
    outcome = say(state, "discard")
    assert outcome.events == (Discarded(0, "7d", 1, "say"),)
    assert (asked(outcome.state), outcome.state.chips) == ((HOST, "ask"), (1, 2, 2))
    assert silence(state).events == (Discarded(0, "7d", 1, "timeout"),)
    assert say(state, "high").state.high[0] == "7d"
    for text in ("pass blue", "keep", "refuse"):
        assert refusal(state, text) == "SD-25"


def test_sd_25_an_unusable_card_is_discarded_by_the_host() -> None:
    outcome = right(table(top="2d", high="Kc - -", low="4c - -"))
    assert outcome.events[-1] == Discarded(0, "2d", 1, "game")
    assert asked(outcome.state) == (HOST, "ask")


def test_sd_26_without_a_chip_the_card_is_not_shown() -> None:
    outcome = right(table(top="7d", chips=(0, 2, 2)))
    assert asked(outcome.state) == (0, "no-peek")
    assert not any(isinstance(event, CardShown) for event in outcome.events)
    assert GAME.view(outcome.state, 0)["card"] == ""
    assert len(GAME.view(outcome.state, 0)["remaining"]) == 54
    for text in ("high", "low", "discard"):
        assert refusal(outcome.state, text) in ("SD-26",)


def test_sd_26_pass_to_another_player_of_the_round() -> None:
    state = table("no-peek", top="7d", chips=(0, 2, 2), out=(False, True, False))
    outcome = say(state, "pass blue")
    assert outcome.events == (Passed(0, 2), CardShown(2, "7d", "passed"))
    for colour in ("red", "gold"):
        assert refusal(state, f"pass {colour}") == "SD-26"


def test_sd_26_in_silence_the_card_is_gone_unseen() -> None:
    outcome = silence(table("no-peek", top="7d 8d", chips=(0, 2, 2)))
    assert outcome.events == (GoneUnseen(0),)
    assert outcome.state.stock[0] == "8d"
    assert asked(outcome.state) == (HOST, "ask")


@pytest.mark.parametrize(
    ("high", "low", "card", "kind"),
    [
        ("Kc", "-", "Kd", "Pushed"),
        ("Kc", "4c", "7d", "RoundWon"),
        ("Kc", "4c", "2d", "OutOfRound"),
        ("Kc", "-", "7d", "Placed"),
        ("-", "8c", "7d", "OutOfRound"),
    ],
)
def test_sd_27_a_card_kept_pushes_wins_is_placed_or_puts_out(high: str, low: str, card: str, kind: str) -> None:
    state = table("no-peek", top=card, high=f"{high} - -", low=f"{low} - -", chips=(0, 2, 2))
    outcome = say(state, "keep")
    assert kind in kinds(outcome.events)
    assert outcome.state.out[0] == (kind == "OutOfRound")
    assert kind == "RoundWon" or asked(outcome.state) == (HOST, "ask")


def test_sd_27_high_or_low_is_asked_where_both_would_do() -> None:
    outcome = say(table("no-peek", top="7d", chips=(0, 2, 2)), "keep")
    assert asked(outcome.state) == (0, "place")
    assert say(outcome.state, "low").state.low[0] == "7d"
    late = silence(outcome.state)
    assert late.events == (Placed(0, "7d", "high", 250, "timeout"),)
    for text in ("discard", "refuse"):
        assert refusal(outcome.state, text) == "SD-27"


@pytest.mark.parametrize(
    ("chips", "high", "low", "card", "kind"),
    [
        (2, "Kc", "-", "Kd", "Pushed"),
        (0, "Kc", "-", "Kd", "Pushed"),
        (2, "Kc", "4c", "7d", "RoundWon"),
        (0, "Kc", "4c", "Xr", "RoundWon"),
        (0, "Kc", "4c", "2d", "OutOfRound"),
        (0, "-", "8c", "7d", "OutOfRound"),
    ],
)
def test_sd_28_a_passed_card_is_the_receiver_s(chips: int, high: str, low: str, card: str, kind: str) -> None:
    state = table("no-peek", top=card, high=f"- {high} -", low=f"- {low} -", chips=(0, chips, 2))
    outcome = say(state, "pass gold")
    (event,) = [event for event in outcome.events if type(event).__name__ == kind]
    assert event.seat == 1  # type: ignore[attr-defined]  # all of these have one
    assert outcome.state.out[1] == (kind == "OutOfRound")
    assert outcome.state.winnings[0] == 0


def test_sd_28_the_receiver_may_place_it_or_discard_it_for_a_chip() -> None:
    state = say(table("no-peek", top="7d", chips=(0, 1, 2), high="- Kc -"), "pass gold").state
    assert asked(state) == (1, "passed")
    placed = say(state, "low")
    assert placed.events == (Placed(1, "7d", "low", 250, "say"),)
    discarded = say(state, "discard")
    assert discarded.events == (Discarded(1, "7d", 0, "say"),)
    assert asked(discarded.state) == (HOST, "ask")
    assert refusal(state, "high") == "SD-5"
    without = say(table("no-peek", top="7d", chips=(0, 0, 2)), "pass gold").state
    assert asked(without) == (1, "passed")
    assert refusal(without, "discard") == "SD-28"


def test_sd_29_one_choice_is_taken_by_the_host() -> None:
    state = table("no-peek", top="2d", high="- Kc -", low="- 4c -", chips=(0, 1, 2))
    assert say(state, "pass gold").events[-1] == Discarded(1, "2d", 0, "game")
    state = table("no-peek", top="7d", high="- Kc -", chips=(0, 0, 2))
    assert say(state, "pass gold").events[-1] == Placed(1, "7d", "low", 250, "game")


def test_sd_29_the_receiver_s_silence() -> None:
    with_chip = say(table("no-peek", top="7d", chips=(0, 1, 2)), "pass gold").state
    assert silence(with_chip).events == (Discarded(1, "7d", 0, "timeout"),)
    without = say(table("no-peek", top="7d", chips=(0, 0, 2)), "pass gold").state
    assert silence(without).events == (Placed(1, "7d", "high", 250, "timeout"),)


def test_sd_30_the_next_question_follows_control() -> None:
    for text in ("high", "low", "discard"):
        state = say(table("peek", card="7d"), text).state
        assert (asked(state), state.number, state.actor) == ((HOST, "ask"), 2, -1)
        assert (state.buzz, state.target, state.card) == ((), None, "")
    listed = [{"ask": "Two?", "answers": ["2"]}]
    state = say(table("peek", card="7d", options={"questions": listed}), "high").state
    assert (state.phase, state.number) == ("question", 2)


def test_sd_30_only_in_turn_and_never_with_one_choice() -> None:
    with pytest.raises(NotYet):
        say(table("peek", card="7d"), "high", seat=1)
    for number in range(20):
        for state in playout(GAME.slug, number).states:
            for question in GAME.questions(state):
                choices = GAME.choices(state, question)
                assert len(choices) > 1 or choices[0].say[0] in ("codes random", "ask ")


def test_sd_31_a_round_is_won_by_default() -> None:
    state = table("no-peek", top="2d", high="Kc - -", low="4c - -", chips=(0, 2, 2), out=(False, True, False))
    outcome = say(state, "keep")
    assert only(outcome.events, OutOfRound) == OutOfRound(0, 1, "2d")
    assert only(outcome.events, RoundWon) == RoundWon(2, 1, "default", "", 1000)
    assert outcome.state.winners == (2,)
    assert say(replace(state, out=(False, False, False)), "keep").state.round == 1


# Money

ROUNDS = [(table, 100, 250, 1000), (second, 50, 125, 500), (third, 100, 500, 1000)]


@pytest.mark.parametrize(("played", "amount", "_placed", "_won"), ROUNDS)
def test_sd_32_right_answers_and_pushes(played: Any, amount: int, _placed: int, _won: int) -> None:
    state = played(top="Kd", high="Kc - -" if played is not second else "- Kc -")
    outcome = right(state)
    assert only(outcome.events, Paid).amount == amount
    assert only(outcome.events, Pushed).amount == amount
    assert sum(outcome.state.winnings) == 2 * amount


@pytest.mark.parametrize(("played", "amount", "placed", "won"), ROUNDS)
def test_sd_33_cards_placed_and_rounds_won(played: Any, amount: int, placed: int, won: int) -> None:
    state = played("peek", card="Kc")
    seat = state.actor
    for slot, card in (("high", "Kc"), ("low", "4c")):
        outcome = say(replace(played("peek", card=card), high=state.high, low=state.low), slot)
        assert only(outcome.events, Placed).amount == placed
        assert outcome.state.winnings[seat] == placed
        state = outcome.state
    full = replace(played(top="7d"), high=state.high, low=state.low)
    full = replace(full, stock=("7d", *all_but(full.stock, "7d", "Kc", "4c")))
    outcome = right(full)
    assert only(outcome.events, RoundWon).amount == won
    assert outcome.state.winnings[seat] == amount + won


def test_sd_33_a_card_placed_at_the_head_start_is_paid() -> None:
    assert say(table("head-start", card="Kc", seen=1), "high").state.winnings[0] == 250


def test_sd_34_what_is_won_stays_won() -> None:
    state = table("peek", card="7d", winnings=(0, 400, 800), high="- Kc -")
    state = say(state, "high").state
    assert state.winnings == (250, 400, 800)
    state = say(state, "resign", seat=1).state
    assert state.winnings == (250, 400, 800)
    state = say(state, "resign", seat=0).state
    assert state.winnings[:2] == (250, 400)
    assert state.winnings[2] >= 1800
    assert sum(earning.amount for earning in GAME.earnings(state)) == sum(state.winnings)


@pytest.mark.parametrize(
    ("champion_wins", "order", "winner", "consoled"),
    [(0, (1, 2), 1, 2), (0, (1, 0), 1, 0), (1, (1, 0), 1, None), (1, (1, 2), 1, 2), (3, (1, 0), 1, None)],
)
def test_sd_35_the_loser_of_round_2_is_consoled(
    champion_wins: int, order: tuple[int, ...], winner: int, consoled: int | None
) -> None:
    first = next(seat for seat in range(3) if seat not in order)
    state = second(
        top="7d",
        high="- Kc -",
        low="- 4c -",
        order=order,
        buzz=order,
        winners=(first,),
        options={"champion_wins": champion_wins},
    )
    outcome = right(state)
    assert outcome.state.winners[1] == winner
    assert outcome.state.consolation == consoled
    assert ("Consoled" in kinds(outcome.events)) == (consoled is not None)


def test_sd_35_one_who_withdrew_is_consoled_too() -> None:
    outcome = say(second(), "resign", seat=2)
    assert only(outcome.events, Consoled).seat == 2
    assert outcome.state.consolation == 2


def test_sd_35_nobody_is_consoled_where_round_2_has_no_winner() -> None:
    state = table(gone=(False, True, False), out=(False, True, False))
    outcome = say(state, "resign", seat=2)
    assert only(outcome.events, NobodyWon).round == 2
    assert outcome.state.consolation is None
    assert outcome.state.winners == (0, -1, 0)
    assert not any(isinstance(event, Consoled) for event in outcome.events)


# Luck of the Draw


def test_sd_36_a_bank_a_new_deck_and_five_hands() -> None:
    outcome = right(third(top="7d", high="Kc - -", low="4c - -"))
    state = outcome.state
    deck = CHANCE.shuffled("bonus:deck", DECK_WITH_JOKERS)
    assert (state.bank, state.number, asked(state)) == (1500, 1, (0, "choose"))
    assert state.stock == deck
    assert only(outcome.events, BonusBegan) == BonusBegan(0, 1500, 1, 1)
    assert only(outcome.events, HandBegan) == HandBegan(1, 1500, 0)
    assert GAME.view(state, 1)["remaining"] == list(DECK_WITH_JOKERS)


def test_sd_36_the_deck_lasts_for_all_hands() -> None:
    state = say(bonus("bet", top="7d Kc 9c"), "bet 250 K 4").state
    assert state.number == 2
    assert state.stock[:2] == ("Kc", "9c")
    assert len(state.stock) == 53


def test_sd_36_the_last_call_adds_1000() -> None:
    outcome = say(bonus("bet", top="7d", number=4), "bet 250 K 4")
    assert outcome.state.bank == 2750
    assert only(outcome.events, HandBegan) == HandBegan(5, 2750, 1000)
    over = say(bonus("bet", top="7d", number=5, bank=2750), "bet 2750 K 4")
    assert GAME.ending(over.state) == "hands"
    assert over.state.paid == 5500


def test_sd_37_fifteen_places_newly_mixed_for_each_hand() -> None:
    assert sorted(BOARD) == sorted([*"A23456789TJQK", "A", "Devil"])
    state = say(bonus("bet", top="7d"), "bet 250 K 4").state
    assert state.places == CHANCE.shuffled("bonus:2:board", BOARD)
    outcome = say(bonus(), "choose 15 1 3 14")
    assert outcome.events == (PlacesOpened(0, (15, 1, 3, 14), ("Devil", "A", "K", "2")),)
    assert outcome.state.shown == ("Devil", "A", "K", "2")
    assert asked(outcome.state) == (0, "bet")


@pytest.mark.parametrize("places", ["1 2 3", "1 2 3 3", "0 1 2 3", "13 14 15 16", "1 2 3 4 5", "1"])
def test_sd_37_four_different_places(places: str) -> None:
    assert refusal(bonus(), f"choose {places}") == "SD-37"


@pytest.mark.parametrize(
    ("shown", "text", "between"),
    [
        ("K 4 9 2", "bet 500 K 4", ("K", "4")),
        ("K 4 9 2", "bet 500 9 4", ("9", "4")),
        ("A 4 9 2", "bet 500 A 9", ("A", "9")),
        ("A 4 9 2", "bet 500 9 A", ("9", "A")),
        ("A A 9 2", "bet 500 A A", ("A", "A")),
        ("T 4 9 2", "bet 500 10 4", ("T", "4")),
    ],
)
def test_sd_38_two_of_the_shown_cards_the_high_one_first(shown: str, text: str, between: tuple[str, str]) -> None:
    outcome = say(bonus("bet", shown=shown), text)
    assert outcome.events[0] == BetPlaced(0, 500, *between)


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        ("K 4 9 2", "bet 500 4 K"),
        ("K 4 9 2", "bet 500 K 5"),
        ("K 4 9 2", "bet 500 Q 4"),
        ("K 4 9 2", "bet 500 K K"),
        ("A 4 9 2", "bet 500 A A"),
    ],
)
def test_sd_38_no_other_pairs(shown: str, text: str) -> None:
    assert refusal(bonus("bet", shown=shown), text) == "SD-38"


def test_sd_38_the_next_card_decides() -> None:
    outcome = say(bonus("bet", top="7d"), "bet 500 K 4")
    assert outcome.events[1] == CardTurned("7d", "won", False, False)
    for text in ("bet 500", "bet K 4", "bet 500 K Devil", "bet -500 K 4", "bet 500.5 K 4"):
        with pytest.raises(Invalid):
            say(bonus("bet", shown="K 4 9 Devil"), text)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_sd_39_from_250_in_steps_of_50(number: int) -> None:
    state = bonus("bet", top="7d", number=number)
    for amount in (250, 300, 1450, 1500):
        assert only(say(state, f"bet {amount} K 4").events, BetPlaced).amount == amount
    for amount in (0, 200, 249, 275, 1475, 1550, 100000):
        assert refusal(state, f"bet {amount} K 4") == "SD-39"
    assert only(say(state, "bet all K 4").events, BetPlaced).amount == 1500
    assert only(say(state, "bet half K 4").events, BetPlaced).amount == 750


@pytest.mark.parametrize(
    ("bank", "least", "bad"), [(2500, 1250, 1225), (2550, 1275, 1250), (1050, 525, 500), (1025, 525, 500)]
)
def test_sd_39_in_the_last_call_half_or_more_in_steps_of_25(bank: int, least: int, bad: int) -> None:
    state = bonus("bet", top="7d", number=5, bank=bank)
    for amount in (least, least + 25, bank):
        assert only(say(state, f"bet {amount} K 4").events, BetPlaced).amount == amount
    for amount in (bad, bank + 25, least + 10, 0):
        assert refusal(state, f"bet {amount} K 4") == "SD-39"
    assert only(say(state, "bet half K 4").events, BetPlaced).amount == least


@every(
    ("shown", "bet", "card", "outcome"),
    [
        ("K 4 9 2", "K 4", "Qd", "won"),
        ("K 4 9 2", "K 4", "5d", "won"),
        ("K 4 9 2", "K 4", "Xr", "won"),
        ("K 4 9 2", "K 4", "Kd", "push"),
        ("K 4 9 2", "K 4", "4d", "push"),
        ("K 4 9 2", "K 4", "3d", "lost"),
        ("K 4 9 2", "K 4", "Ad", "lost"),
        ("K 4 9 Devil", "K 4", "4d", "lost"),
        ("K 4 9 Devil", "K 4", "7d", "won"),
        ("K 4 9 Devil", "K 4", "Xb", "won"),
        ("A 4 9 2", "A 4", "Kd", "won"),
        ("A 4 9 2", "A 4", "Ad", "push"),
        ("A 4 9 2", "4 A", "2d", "won"),
        ("A 4 9 2", "4 A", "Ac", "push"),
        ("A 4 9 2", "4 A", "5c", "lost"),
        ("A A 9 2", "A A", "2c", "won"),
        ("A A 9 2", "A A", "Kc", "won"),
        ("A A 9 2", "A A", "Ac", "push"),
        ("A A 9 Devil", "A A", "Ac", "lost"),
    ],
)
def test_sd_40_won_a_push_or_lost(shown: str, bet: str, card: str, outcome: str) -> None:
    found = say(bonus("bet", top=card, shown=shown), f"bet 500 {bet}")
    turned = only(found.events, CardTurned)
    assert turned.outcome == outcome
    assert turned.devil == (outcome == "lost" and card[0] in bet.split())
    bank = {"won": 2000, "push": 1500, "lost": 1500}[outcome]
    assert (found.state.bank, found.state.phase) == (bank, "suit" if outcome == "lost" else "choose")


@pytest.mark.parametrize(("suit", "bank"), [("d", 1000), ("h", 1000)])
def test_sd_41_a_no_takes_the_bet(suit: str, bank: int) -> None:
    outcome = say(bonus("suit"), f"suit {suit}")
    assert outcome.events[:2] == (SuitOpened(0, suit, "no"), HandOver(1, "lost", 500, bank))
    assert (outcome.state.bank, outcome.state.number) == (bank, 2)


def test_sd_41_one_lets_pick_again() -> None:
    outcome = say(bonus("suit"), "suit s")
    assert outcome.events == (SuitOpened(0, "s", "again"),)
    assert asked(outcome.state) == (0, "suit")
    assert say(outcome.state, "suit d").state.bank == 1000


@pytest.mark.parametrize(
    ("card", "shown", "outcome", "bank"),
    [
        ("7d", "K 4 9 2", "won", 2000),
        ("Xr", "K 4 9 2", "won", 2000),
        ("Kd", "K 4 9 2", "push", 1500),
        ("3d", "K 4 9 2", "lost", 1000),
        ("Kd", "K 4 9 Devil", "lost", 1000),
    ],
)
def test_sd_41_the_second_chance_turns_the_next_card(card: str, shown: str, outcome: str, bank: int) -> None:
    found = say(bonus("suit", top=card, shown=shown), "suit c")
    turned = only(found.events, CardTurned)
    assert (turned.card, turned.outcome, turned.is_second) == (card, outcome, True)
    assert (found.state.bank, found.state.phase, found.state.number) == (bank, "choose", 2)


def test_sd_42_opened_suits_stay_open() -> None:
    state = say(bonus("suit"), "suit d").state
    assert state.opened == "d"
    again = bonus("suit", opened="d")
    assert refusal(again, "suit d") == "SD-42"
    assert "suit d" not in {choice.say[0] for choice in GAME.choices(again, GAME.questions(again)[0])}
    kept = say(again, "suit s").state
    assert (kept.opened, kept.suit_boards) == ("ds", 1)


@pytest.mark.parametrize(("opened", "suit"), [("", "c"), ("d", "h"), ("sd", "h"), ("s", "c"), ("ds", "c")])
def test_sd_42_the_suits_are_mixed_anew(opened: str, suit: str) -> None:
    state = say(bonus("suit", opened=opened, top="7d"), f"suit {suit}").state
    assert (state.opened, state.suit_boards) == ("", 2)
    assert state.suits == CHANCE.shuffled("bonus:suits:2", ("chance", "no", "no", "again"))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_sd_43_the_first_time_500_the_second_time_the_last_call(number: int) -> None:
    state = bonus("suit", number=number, bank=700)
    outcome = say(state, "suit d")
    assert only(outcome.events, Helped) == Helped(500, 700)
    assert (outcome.state.bank, outcome.state.number) == (700, number + 1)
    outcome = say(replace(state, helps=1), "suit d")
    assert only(outcome.events, CalledEarly) == CalledEarly(200)
    assert (outcome.state.bank, outcome.state.number) == (1200, 5)


def test_sd_43_not_from_250_on_and_not_after_hand_4() -> None:
    assert say(bonus("suit", bank=750), "suit d").state.bank == 250
    assert say(bonus("suit", bank=500), "suit d").state.bank == 500
    state = say(bonus("suit", bank=500, number=4), "suit d").state
    assert (state.bank, state.number, state.helps) == (1000, 5, 0)


@pytest.mark.parametrize(("wins", "day", "times"), [(0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 4, 2), (4, 5, 5)])
def test_sd_44_what_the_bonus_round_pays(wins: int, day: int, times: int) -> None:
    state = bonus("bet", top="7d", number=5, bank=2500, options={"champion_wins": wins})
    outcome = say(state, "bet 2500 K 4")
    assert only(outcome.events, BonusOver) == BonusOver(0, "hands", 5000, times, 5000 * times, 3000 + 5000 * times)
    assert outcome.state.winnings == (3000 + 5000 * times, 0, 0)
    result = GAME.result(outcome.state)
    assert result
    assert result.extra == {"bonus": 5000 * times, "day": day, "retired": day == 5}
    assert {earning.account: earning.amount for earning in GAME.earnings(outcome.state)} == {
        "main game": 3000,
        "bonus round": 5000 * times,
    }


def test_sd_44_the_most_it_can_pay() -> None:
    assert (1500 * 2**4 + 1000) * 2 == 50_000
    assert [times(day) * 50_000 for day in (1, 3, 4, 5)] == [50_000, 50_000, 100_000, 250_000]


def test_sd_44_a_challenger_is_on_the_first_day() -> None:
    state = third(top="7d", high="- Kc -", low="- 4c -", actor=1, buzz=(1, 0), options={"champion_wins": 4})
    assert right(state).state.day == 1
    state = third(top="7d", high="Kc - -", low="4c - -", options={"champion_wins": 3})
    assert right(state).state.day == 4


@pytest.mark.parametrize(("wins", "champion"), [(0, 0), (3, 0), (4, None)])
def test_sd_45_the_winner_returns_but_retires_after_five(wins: int, champion: int | None) -> None:
    state = bonus("suit", number=5, bank=500, suits=("no", "no", "chance", "again"), options={"champion_wins": wins})
    outcome = say(state, "suit c")
    assert outcome.state.paid == 0
    result = GAME.result(outcome.state)
    assert result
    assert (result.winner, result.champion) == (0, champion)
    assert GAME.ending(outcome.state) == ("retired" if wins == 4 else "hands")
    assert ("Retired" in kinds(outcome.events)) == (wins == 4)


# Leaving


def test_sd_46_a_second_deadline_in_a_row_withdraws() -> None:
    state = silence(table()).state
    assert state.missed == (1, 0, 0)
    again = replace(table(), missed=(1, 0, 0))
    outcome = silence(again)
    assert only(outcome.events, Withdrew) == Withdrew(0, "timeout")
    assert outcome.state.gone == (True, False, False)
    assert say(again, "skip").state.missed == (0, 0, 0)
    with pytest.raises(Illegal):
        say(again, "discard")
    assert again.missed == (1, 0, 0)


def test_sd_46_a_card_in_play_is_gone_and_control_ends() -> None:
    for phase in ("peek", "free-look", "place"):
        state = say(table(phase, card="7d", number=6, top="8d"), "resign").state
        assert (asked(state), state.card, state.stock[0]) == ((HOST, "ask"), "", "8d")
        assert state.number == 7
    state = say(table("no-peek", top="8d", chips=(0, 2, 2)), "resign").state
    assert (asked(state), state.stock[0]) == ((HOST, "ask"), "8d")
    state = say(table("head-start", card="7d", seen=1, top="8d"), "resign").state
    assert (asked(state), state.card) == ((1, "head-start"), "8d")


def test_sd_46_the_next_nearest_is_asked() -> None:
    state = say(table(), "resign").state
    assert asked(state) == (1, "question")
    judging = say(table(), "answer Pari").state
    outcome = say(judging, "resign", seat=0)
    assert asked(outcome.state) == (1, "question")
    assert outcome.state.answer == ""
    passed_over = say(say(table(), "resign", seat=1).state, "skip").state
    assert asked(passed_over) == (2, "question")


def test_sd_46_who_got_a_card_from_you_decides_on_it() -> None:
    state = say(table("no-peek", top="7d", chips=(0, 2, 2)), "pass gold").state
    state = say(state, "resign", seat=0).state
    assert (asked(state), state.card) == ((1, "passed"), "7d")


def test_sd_46_in_the_bonus_round_a_single_silence_ends_it() -> None:
    for phase in ("choose", "bet", "suit"):
        outcome = silence(bonus(phase))
        assert (GAME.ending(outcome.state), outcome.state.paid) == ("timeout", 0)
        assert outcome.state.winnings == (3000, 0, 0)
        outcome = say(bonus(phase), "resign")
        assert (GAME.ending(outcome.state), outcome.state.paid) == ("resign", 0)
        result = GAME.result(outcome.state)
        assert result
        assert (result.winner, result.champion) == (0, 0)
    retired = silence(bonus(options={"champion_wins": 4}))
    assert GAME.ending(retired.state) == "retired"


def test_sd_47_left_alone_in_a_round() -> None:
    state = say(table(), "resign", seat=1).state
    assert state.round == 1
    outcome = say(state, "resign", seat=2)
    wins = [event for event in outcome.events if isinstance(event, RoundWon)]
    assert [(event.seat, event.round, event.by) for event in wins] == [(0, 1, "default"), (0, 3, "absence")]
    assert outcome.state.winnings == (2000, 0, 0)
    assert asked(outcome.state) == (0, "choose")


def test_sd_47_left_alone_before_round_1() -> None:
    state = say(say(new_game(), "resign", seat=0).state, "resign", seat=2).state
    assert [question.seat for question in GAME.questions(state)] == [1]
    outcome = say(state, "codes random")
    wins = [event for event in outcome.events if isinstance(event, RoundWon)]
    assert [(event.seat, event.round, event.by) for event in wins] == [(1, 1, "absence"), (1, 3, "absence")]
    assert outcome.state.winners == (1, -1, 1)
    assert outcome.state.day == 1


def test_sd_47_who_left_in_round_1_is_one_of_the_two_of_round_2() -> None:
    state = table(top="7d", high="Kc - -", low="4c - -", gone=(False, True, False), out=(False, True, False))
    outcome = right(state)
    assert outcome.state.winners == (0, 2)
    assert outcome.state.consolation == 1
    wins = [event for event in outcome.events if isinstance(event, RoundWon)]
    assert wins[1] == RoundWon(2, 2, "absence", "", 500)
    assert outcome.state.round == 3


def test_sd_47_where_the_other_is_missing_in_round_3() -> None:
    state = second(top="7d", high="- Kc -", low="- 4c -", gone=(True, False, False))
    assert right(state).state.winners == (0, 1, 1)
    assert say(third(), "resign", seat=0).state.winners == (0, 1, 1)
    assert say(third(), "resign", seat=1).state.winners == (0, 1, 0)


def test_sd_47_all_gone_before_round_1() -> None:
    state = say(say(new_game(), "resign", seat=0).state, "resign", seat=1).state
    outcome = say(state, "resign", seat=2)
    assert outcome.events[-1] == AllWithdrew()
    assert GAME.ending(outcome.state) == "all-withdrew"
    result = GAME.result(outcome.state)
    assert result
    assert (result.winner, result.champion) == (None, None)
    assert result.extra == {"bonus": 0, "day": None, "retired": False}
    assert outcome.state.out == (True, True, True)


def test_sd_47_nobody_left_for_round_3() -> None:
    state = second(gone=(True, False, False), winners=(0,), order=(1, 2), phase="question")
    over = replace(state, gone=(True, True, True), step="round")
    flow = Flow(CHANCE, over)
    rounds.begin(flow)
    rounds.begin(flow)
    assert flow.state.phase == "over"
    assert GAME.ending(flow.state) in GAME.endings
    assert GAME.result(flow.state).winner is None  # type: ignore[union-attr]  # it is over


def test_sd_48_who_is_out_cannot_resign() -> None:
    gone = table(gone=(False, False, True), out=(False, False, True))
    assert refusal(gone, "resign", seat=2) == "SD-48"
    assert refusal(gone, "skip", seat=2) == "SD-48"
    assert refusal(third(), "resign", seat=2) == "SD-48"
    assert refusal(bonus(), "resign", seat=1) == "SD-48"
    over = silence(bonus()).state
    assert refusal(over, "resign", seat=0) == "SD-48"
    assert [GAME.is_out(third(), seat) for seat in range(3)] == [False, False, True]


def test_sd_48_out_of_round_1_is_not_out() -> None:
    state = table(out=(False, False, True))
    assert not GAME.is_out(state, 2)
    outcome = say(state, "resign", seat=2)
    assert only(outcome.events, Withdrew).seat == 2
    assert outcome.state.gone == (False, False, True)
    waiting = second()
    assert not GAME.is_out(waiting, 0)
    assert say(waiting, "resign", seat=0).state.gone == (True, False, False)


@pytest.mark.parametrize("text", ["cut -5", "cut 12.5", "cut +5"])
def test_sd_48_numbers_are_whole_and_without_a_sign(text: str) -> None:
    with pytest.raises(Invalid):
        GAME.parse(text, new_game(), 0)


def test_sd_48_only_decks_of_this_game() -> None:
    assert len(DECK_WITH_JOKERS) == len(DECK) + 2
    assert RANKS == "A23456789TJQK"
