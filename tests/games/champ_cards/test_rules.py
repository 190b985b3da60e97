"""The rules of Champ Cards: at least one test for each clause of RULES.md, by its number."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from host.engine.cards import DECK, is_blackjack, total
from host.engine.chance import Chance
from host.engine.events import DeckCut, Event
from host.engine.game import HOST, Illegal, Invalid, Result
from host.games.champ_cards import GAME
from host.games.champ_cards.events import (
    BetPlaced,
    BonusOver,
    CardDrawn,
    CardKept,
    CardTurned,
    Eliminated,
    Frozen,
    HandWon,
    HousePlayed,
    MainGameWon,
    OfferMade,
    RoundWon,
)
from host.games.champ_cards.state import State
from tests.games.champ_cards.playing import CHANCE, bonus, choosing, new_game, say, table
from tests.rows import every


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


def asked(state: State) -> tuple[int, str]:
    (question,) = GAME.questions(state)
    return question.seat, question.phase


# Hands


@every(
    ("hand", "points"),
    [
        ("", 0),
        ("2c 3d", 5),
        ("Th 9s", 19),
        ("Jc Qd", 20),
        ("Kc 2c", 12),
        ("Ac", 11),
        ("Ac Ad", 12),
        ("Ac Ad Ah As", 14),
        ("Ac 5c 5d", 21),
        ("Ac 5c 6d", 12),
        ("Ac Kc Qc", 21),
        ("Ac Kc Qc 2c", 23),
        ("Tc Td 2h", 22),
        ("Ac Ad Kc Kd", 22),
    ],
)
def test_cc_01_totals(hand: str, points: int) -> None:
    assert total(hand.split()) == points


def test_cc_01_every_rank_alone() -> None:
    worth = {rank: total([rank + "c"]) for rank in "23456789TJQKA"}
    assert list(worth.values()) == [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11]


@pytest.mark.parametrize(
    ("hand", "is_one"),
    [
        ("Ac Tc", True),
        ("Kd As", True),
        ("Jc Ad", True),
        ("Ac 9c", False),
        ("Tc Jc", False),
        ("Ac Ad", False),
        ("Ac", False),
    ],
)
def test_cc_01_blackjack_is_an_ace_and_a_ten(hand: str, is_one: bool) -> None:
    assert is_blackjack(hand.split()) is is_one


def test_cc_01_no_third_card_in_a_blackjack() -> None:
    assert not is_blackjack(["Ac", "5c", "5d"])
    assert not is_blackjack(["Ac", "Kc", "Qc"])
    outcome = say(choosing("5d", ["Ac", "5c"]), "keep")
    assert only(outcome.events, RoundWon).by == "twenty-one"


# The main game


def test_cc_02_a_round_waits_for_the_cut_of_seat_0() -> None:
    state = new_game()
    assert asked(state) == (0, "cut")
    assert (state.round, state.stage, state.spaces) == (1, "main", ("",) * 9)
    assert state.stock == CHANCE.shuffled("round:1:deck", DECK)
    assert refusal(state, "cut 5", seat=1) == "CC-4"
    assert refusal(state, "pick 5") == "CC-4"


@pytest.mark.parametrize("count", [0, 1, 26, 51])
def test_cc_02_the_top_cards_go_to_the_bottom(count: int) -> None:
    state = new_game()
    outcome = say(state, f"cut {count}")
    deck = (*outcome.state.spaces, *outcome.state.stock)
    assert deck == (*state.stock[count:], *state.stock[:count])
    assert outcome.events == (DeckCut(0, "round:1:deck", count),)


@pytest.mark.parametrize("count", [52, 53, 99, 1000])
def test_cc_02_no_cut_beyond_51(count: int) -> None:
    assert refusal(new_game(), f"cut {count}") == "CC-2"


def test_cc_02_every_round_has_a_fresh_deck() -> None:
    state = say(choosing("5d", ["Ac", "5c"]), "keep").state
    assert asked(state) == (0, "cut")
    assert state.round == 2
    assert state.stock == CHANCE.shuffled("round:2:deck", DECK)
    assert state.hands == ((), ())


def test_cc_03_nine_cards_face_down_and_seat_0_begins() -> None:
    state = say(new_game(), "cut 7").state
    assert asked(state) == (0, "pick")
    assert len(state.spaces) == 9
    assert state.shown == (False,) * 9
    assert len(state.stock) == 43
    assert GAME.view(state, 0)["spaces"] == ["??"] * 9


def test_cc_03_seat_0_begins_after_a_round_that_it_lost_too() -> None:
    state = say(choosing("5d", ["Ac", "5c"], turn=1), "keep").state
    assert state.rounds_won == (0, 1)
    assert asked(say(state, "cut 3").state) == (0, "pick")


def test_cc_04_a_picked_card_is_turned_up() -> None:
    state = table(spaces=["2c", "3c", "4c"])
    outcome = say(state, "pick 3")
    assert asked(outcome.state) == (0, "choose")
    assert GAME.view(outcome.state, 1)["spaces"] == ["??", "??", "4c", *["??"] * 6]
    assert outcome.events == (CardTurned(0, 3, "4c", was_shown=False, by_game=False),)


def test_cc_04_a_card_that_lies_open_may_be_picked() -> None:
    state = table(spaces=["2c", "3c"], shown=(True, *[False] * 8))
    outcome = say(state, "pick 1", "keep")
    assert outcome.state.hands[0] == ("2c",)
    assert only(outcome.events, CardTurned).was_shown


@pytest.mark.parametrize("space", [0, 10, 99])
def test_cc_04_spaces_are_1_to_9(space: int) -> None:
    assert refusal(table(), f"pick {space}") == "CC-4"


def test_cc_04_a_blank_space_cannot_be_picked() -> None:
    state = table(spaces=["2c", "", "4c"])
    assert refusal(state, "pick 2") == "CC-4"
    assert asked(say(state, "pick 3").state) == (0, "choose")


def test_cc_04_only_in_turn() -> None:
    assert refusal(table(), "pick 1", seat=1) == "CC-4"
    assert refusal(choosing("5c"), "keep", seat=1) == "CC-4"


def test_cc_04_one_pick_a_turn() -> None:
    assert refusal(choosing("5c"), "pick 1") == "CC-4"


def test_cc_05_a_kept_card_leaves_its_space_blank() -> None:
    outcome = say(choosing("5c", space=4), "keep")
    assert outcome.state.spaces[3] == ""
    assert outcome.state.hands[0] == ("5c",)
    assert outcome.events == (CardKept(0, 4, "5c", 5),)


def test_cc_05_a_left_card_stays_open_and_the_stock_gives_its_top() -> None:
    outcome = say(choosing("5c", space=4, top=["9d", "8d"]), "draw")
    assert outcome.state.spaces[3] == "5c"
    assert outcome.state.shown[3]
    assert outcome.state.hands[0] == ("9d",)
    assert outcome.state.stock[0] == "8d"
    assert outcome.events == (CardDrawn(0, "9d", 9, left="5c", space=4, by_game=False),)


def test_cc_05_no_keeping_or_drawing_before_a_pick() -> None:
    assert refusal(table(), "keep") == "CC-4"
    assert refusal(table(), "draw") == "CC-5"


@pytest.mark.parametrize(
    ("hand", "may"), [(["Tc", "2c"], True), (["Tc", "Jc"], True), (["6c", "5c"], False), ([], False)]
)
def test_cc_06_freezing_from_12_on(hand: list[str], may: bool) -> None:
    state = table(hands=(hand, ["2d"]))
    if may:
        outcome = say(state, "freeze")
        assert outcome.state.frozen == 0
        assert outcome.events[0] == Frozen(0, total(hand))
    else:
        assert refusal(state, "freeze") == "CC-6"


def test_cc_06_an_ace_counts_11_for_freezing() -> None:
    assert say(table(hands=(["Ac", "Ad"], ["2d"])), "freeze").state.frozen == 0


def test_cc_06_not_against_a_frozen_opponent() -> None:
    state = table(hands=(["Tc", "2c"], ["Td", "5d"]), frozen=1)
    assert refusal(state, "freeze") == "CC-6"
    assert "freeze" not in {choice.kind for choice in GAME.choices(state, GAME.questions(state)[0])}


def test_cc_06_only_at_the_start_of_a_turn() -> None:
    assert refusal(choosing("5c", ["Td", "2d"]), "freeze") == "CC-4"


@pytest.mark.parametrize("text", ["bet -5", "bet 12.5", "bet +2500", "bet 2500.5", "bet -2500", "bet 1,2", "bet 25,00"])
def test_cc_07_signs_and_fractions_are_no_numbers(text: str) -> None:
    with pytest.raises(Invalid):
        say(replace(bonus(), phase="bet"), text)


@pytest.mark.parametrize("text", ["bet 2000", "Bet $2,000", "I bet two thousand, ", "2000", "wager 2000 dollars"])
def test_cc_07_what_can_be_understood_one_way_is_understood(text: str) -> None:
    state = replace(bonus(), phase="bet")
    (fragment,) = GAME.split(text)
    assert GAME.say(GAME.parse(fragment, state, 0)) == "bet 2000"


def test_cc_07_a_number_alone_answers_what_is_asked() -> None:
    assert GAME.say(GAME.parse("5", new_game(), 0)) == "cut 5"
    assert GAME.say(GAME.parse("5", table(), 0)) == "pick 5"
    with pytest.raises(Invalid):
        GAME.parse("5", choosing("5c"), 0)


def test_cc_08_a_last_space_is_picked_by_the_game() -> None:
    state = table(spaces=["2c", "3c"], is_full=False, hands=(["4c"], ["5d"]))
    outcome = say(state, "pick 1", "keep")
    assert asked(outcome.state) == (1, "choose")
    assert outcome.events[-1] == CardTurned(1, 2, "3c", was_shown=False, by_game=True)


def test_cc_08_a_last_space_is_asked_where_freezing_is_possible() -> None:
    state = table(spaces=["2c", "3c"], is_full=False, hands=(["4c"], ["5d", "7d"]))
    outcome = say(state, "pick 1", "keep")
    assert asked(outcome.state) == (1, "pick")
    kinds = [choice.kind for choice in GAME.choices(outcome.state, GAME.questions(outcome.state)[0])]
    assert kinds == ["pick", "freeze"]


def test_cc_08_without_spaces_the_stock_gives_card_after_card() -> None:
    state = choosing("2c", ["4c"], other=["5d"], top=["3h", "4h", "6h", "7h"])
    state = replace(state, spaces=("", "", "", "", "2c", "", "", "", ""))
    outcome = say(state, "keep")
    drawn = [event for event in outcome.events if isinstance(event, CardDrawn)]
    assert [(event.seat, event.card) for event in drawn] == [(1, "3h"), (0, "4h"), (1, "6h"), (0, "7h")]
    assert all(event.by_game for event in drawn)
    assert outcome.state.hands == (("4c", "2c", "4h", "7h"), ("5d", "3h", "6h"))
    assert asked(outcome.state) == (1, "pick")


def test_cc_08_without_spaces_draw_or_freeze_is_asked() -> None:
    state = table(is_full=False, hands=(["Tc", "3c"], ["2d"]), top=["4h"])
    assert [choice.say for choice in GAME.choices(state, GAME.questions(state)[0])] == [("draw",), ("freeze",)]
    assert refusal(state, "pick 1") == "CC-8"
    outcome = say(state, "draw")
    assert outcome.events[0] == CardDrawn(0, "4h", 17, left="", space=0, by_game=False)


def test_cc_08_a_question_has_two_answers_or_more() -> None:
    for seed in range(40):
        chance = Chance(bytes([seed]) * 32)
        state = GAME.deal(2, {}, chance).state
        while questions := GAME.questions(state):
            choices = GAME.choices(state, questions[0])
            assert len(choices) > 1
            for text in choices[seed % len(choices)].say:
                state = GAME.apply(state, state.turn, GAME.parse(text, state, state.turn), chance).state


def test_cc_09_a_blackjack_wins_round_and_game() -> None:
    outcome = say(choosing("Kc", ["Ac"], other=["2d"]), "keep")
    won = only(outcome.events, RoundWon)
    assert (won.seat, won.by, won.amount) == (0, "blackjack", 5000)
    assert outcome.state.stage == "bonus"
    assert outcome.state.winner == 0


def test_cc_09_21_wins_the_round() -> None:
    outcome = say(choosing("6c", ["Kc", "5c"]), "keep")
    won = only(outcome.events, RoundWon)
    assert (won.seat, won.by, won.total) == (0, "twenty-one", 21)
    assert outcome.state.stage == "main"


def test_cc_09_over_21_loses_the_round() -> None:
    outcome = say(choosing("2c", ["Kc", "5c"], other=["2d"], top=["Qc"]), "draw")
    won = only(outcome.events, RoundWon)
    assert (won.seat, won.by, won.total, won.other_total) == (1, "bust", 2, 25)


def test_cc_09_a_total_above_a_frozen_one_wins_the_round() -> None:
    outcome = say(choosing("9c", ["Kd"], other=["Kc", "8c"], frozen=1), "keep")
    won = only(outcome.events, RoundWon)
    assert (won.seat, won.by, won.total, won.other_total) == (0, "beat", 19, 18)


def test_cc_09_otherwise_the_turn_passes() -> None:
    assert asked(say(choosing("9c", ["Kc"]), "keep").state) == (1, "pick")


def test_cc_09_or_stays_where_the_opponent_has_frozen() -> None:
    outcome = say(choosing("2c", ["Kc"], other=["Kd", "8d"], frozen=1), "keep")
    assert asked(outcome.state) == (0, "pick")


def test_cc_10_an_equal_total_is_not_enough() -> None:
    outcome = say(choosing("8c", ["Kc"], other=["Kd", "8d"], frozen=1), "keep")
    assert outcome.state.rounds_won == (0, 0)
    assert asked(outcome.state) == (0, "pick")


def test_cc_10_an_opponent_who_has_more_wins_at_once() -> None:
    outcome = say(table(hands=(["Tc", "2c"], ["Td", "3d"])), "freeze")
    won = only(outcome.events, RoundWon)
    assert (won.seat, won.by, won.total, won.other_total) == (1, "frozen-below", 13, 12)
    assert asked(outcome.state) == (0, "cut")


@pytest.mark.parametrize("theirs", [["Td", "2d"], ["2d"], []])
def test_cc_10_an_opponent_who_has_no_more_plays_on(theirs: list[str]) -> None:
    outcome = say(table(hands=(["Tc", "2c"], theirs)), "freeze")
    assert asked(outcome.state) == (1, "pick")
    assert outcome.state.frozen == 0


def test_cc_11_a_round_pays_2500() -> None:
    state = say(choosing("6c", ["Kc", "5c"]), "keep").state
    assert state.winnings == (2500, 0)
    assert state.rounds_won == (1, 0)


def test_cc_11_a_blackjack_pays_5000_instead() -> None:
    state = say(choosing("Kc", ["Ac"], winnings=(2500, 2500), rounds_won=(1, 1)), "keep").state
    assert state.winnings == (7500, 2500)
    assert state.rounds_won == (2, 1)


def test_cc_12_two_rounds_win() -> None:
    outcome = say(choosing("6c", ["Kc", "5c"], winnings=(2500, 2500), rounds_won=(1, 1), round=3), "keep")
    assert only(outcome.events, MainGameWon) == MainGameWon(0, "rounds", 5000, 2500)
    assert outcome.state.stage == "bonus"


def test_cc_12_one_round_each_needs_a_third() -> None:
    state = say(choosing("6c", ["Kc", "5c"], winnings=(0, 2500), rounds_won=(0, 1), round=2), "keep").state
    assert (state.stage, state.round, state.rounds_won) == ("main", 3, (1, 1))


def test_cc_12_so_does_one_blackjack() -> None:
    outcome = say(choosing("Kc", ["Ac"], turn=1), "keep")
    assert only(outcome.events, MainGameWon).by == "blackjack"
    assert outcome.state.rounds_won == (0, 1)
    assert outcome.state.winner == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [((0, 0), (0, 5000)), ((2500, 0), (2500, 5000)), ((2500, 2500), (2500, 5000)), ((0, 7500), (0, 7500))],
)
def test_cc_13_silence_eliminates(before: tuple[int, int], after: tuple[int, int]) -> None:
    outcome = GAME.timeout(table(winnings=before, rounds_won=(1, 1)), 0, CHANCE)
    assert outcome.state.winnings == after
    assert outcome.state.rounds_won == (1, 1)
    assert (outcome.state.stage, outcome.state.winner, outcome.state.bank) == ("bonus", 1, 2500)
    assert only(outcome.events, Eliminated) == Eliminated(0, "timeout", before[0], after[1])
    assert asked(outcome.state) == (1, "bet")


def test_cc_13_resigning_is_possible_out_of_turn() -> None:
    outcome = say(table(), "resign", seat=1)
    assert outcome.state.winner == 0
    assert only(outcome.events, Eliminated).by == "resign"
    assert only(outcome.events, MainGameWon).by == "elimination"


def test_cc_13_only_who_is_waited_for_runs_out_of_time() -> None:
    for seat in (1, HOST, 5):
        with pytest.raises(Illegal) as caught:
            GAME.timeout(table(), seat, CHANCE)
        assert caught.value.clause == "CC-13"


def test_cc_13_the_loser_is_out() -> None:
    state = bonus()
    assert GAME.is_out(state, 1)
    assert not GAME.is_out(state, 0)
    assert not GAME.is_out(table(), 1)
    assert refusal(state, "pick 1", seat=1) == "CC-13"
    assert refusal(state, "resign", seat=1) == "CC-13"


# The bonus round


@pytest.mark.parametrize(("card", "hand", "stake"), [("Kc", ["Ac"], 5000), ("6c", ["Kc", "5c"], 2500)])
def test_cc_14_the_stake(card: str, hand: list[str], stake: int) -> None:
    state = say(choosing(card, hand, rounds_won=(1, 0), winnings=(2500, 0)), "keep").state
    assert (state.bank, state.round, state.phase) == (stake, 1, "bet")


def test_cc_14_at_most_five_hands() -> None:
    state = say(replace(bonus(["Kc", "6d"]), round=5, spaces=("5c", *[""] * 8), picked=0, phase="choose"), "keep").state
    assert state.phase == "over"
    assert state.round == 5


@pytest.mark.parametrize(("bank", "least"), [(2500, 1250), (2501, 1251), (3, 2), (5000, 2500)])
def test_cc_15_from_half_rounded_up_to_all(bank: int, least: int) -> None:
    state = replace(bonus(), phase="bet", bank=bank, bet=0)
    assert refusal(state, f"bet {least - 1}") == "CC-15"
    assert refusal(state, f"bet {bank + 1}") == "CC-15"
    assert say(state, f"bet {least}").state.bet == least
    assert say(state, f"bet {bank}").state.bet == bank
    assert say(state, "bet half").state.bet == least
    assert say(state, "bet all").state.bet == bank


def test_cc_15_the_only_bet_is_made_by_the_game() -> None:
    state = replace(bonus(["Kc", "8c"], house=["Td", "9d"]), bank=2501, bet=2500)
    outcome = say(state, "freeze")
    assert outcome.state.bank == 1
    assert only(outcome.events, BetPlaced) == BetPlaced(0, 2, 1, 1, by_game=True)
    assert outcome.state.phase in ("pick", "offer")


def test_cc_16_nine_cards_then_the_hole_then_the_up_card() -> None:
    state = say(replace(bonus(), phase="bet", round=3), "bet all").state
    deck = CHANCE.shuffled("bonus:3:deck", DECK)
    assert state.spaces == deck[:9]
    assert state.shown == (False,) * 9
    assert state.house == deck[9:11]
    assert state.stock == deck[11:]
    assert GAME.view(state, 0)["house"] == ["??", deck[10]]


def chance_with_up_card(ranks: str, hand: int = 1) -> Chance:
    for number in range(1000):
        chance = Chance(number.to_bytes(32, "big"))
        if chance.shuffled(f"bonus:{hand}:deck", DECK)[10][0] in ranks:
            return chance
    raise AssertionError("no such seed")


@every("rank", list("23456789TJQKA"))
def test_cc_17_tens_and_aces_bring_an_offer(rank: str) -> None:
    state = replace(bonus(), phase="bet", bet=0)
    outcome = GAME.apply(state, 0, GAME.parse("bet all", state, 0), chance_with_up_card(rank))
    assert outcome.state.phase == ("offer" if rank in "TJQKA" else "pick")
    assert bool(outcome.state.offer) == (rank in "TJQKA")


@every("bank", [2500, 5000, 2525, 3751, 100, 99, 67, 34, 33, 2])
def test_cc_17_between_half_and_one_and_a_half_in_steps_of_50(bank: int) -> None:
    chance = chance_with_up_card("K")
    state = replace(bonus(), phase="bet", bank=bank)
    outcome = GAME.apply(state, 0, GAME.parse("bet all", state, 0), chance)
    low, high = -(-bank // 100) * 50, bank * 3 // 100 * 50
    if high < low:
        assert outcome.state.offer == bank
    else:
        assert outcome.state.offer == low + 50 * chance.below("bonus:1:offer", (high - low) // 50 + 1)
        assert low <= outcome.state.offer <= high
    assert only(outcome.events, OfferMade) == OfferMade(outcome.state.offer, bank, by_host=False)


def offered(**fields: Any) -> State:
    return replace(bonus(house=["9c", "Kc"], phase="offer", offer=2600), **fields)


def test_cc_18_the_host_may_change_the_offer_again_and_again() -> None:
    outcome = say(offered(), "offer 3000", "offer 1", seat=HOST)
    assert outcome.state.offer == 1
    assert outcome.events == (OfferMade(3000, 2500, by_host=True), OfferMade(1, 2500, by_host=True))
    assert asked(outcome.state) == (0, "offer")


def test_cc_18_a_changed_offer_is_a_new_question() -> None:
    (before,) = GAME.questions(offered())
    (after,) = GAME.questions(say(offered(), "offer 3000", seat=HOST).state)
    assert before.key != after.key


def test_cc_18_nothing_else_for_the_host_and_no_offer_for_players() -> None:
    assert refusal(offered(), "offer 0", seat=HOST) == "CC-18"
    assert refusal(bonus(), "offer 3000", seat=HOST) == "CC-18"
    assert refusal(offered(), "offer 3000", seat=0) == "CC-18"
    assert refusal(offered(), "accept", seat=HOST) == "CC-18"
    assert refusal(table(), "resign", seat=HOST) == "CC-18"


def test_cc_19_accepting_pays_the_offer_in_place_of_the_bank() -> None:
    outcome = say(offered(), "accept")
    assert outcome.state.phase == "over"
    assert GAME.winnings(outcome.state) == (7600, 0)
    assert GAME.ending(outcome.state) == "accepted"
    assert GAME.result(outcome.state) == Result(0, 0, {"bonus": 2600})


@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_cc_20_the_hole_card_is_shown(answer: str) -> None:
    assert GAME.view(offered(), 0)["house"] == ["??", "Kc"]
    outcome = say(offered(), answer)
    assert GAME.view(outcome.state, 0)["house"] == ["9c", "Kc"]


def test_cc_20_declining_plays_on() -> None:
    outcome = say(offered(), "decline")
    assert asked(outcome.state) == (0, "pick")
    assert outcome.state.offer == 0
    assert outcome.state.bank == 2500


@pytest.mark.parametrize("house", [["Ac", "Kc"], ["Tc", "Ac"]])
def test_cc_20_a_blackjack_of_the_house_takes_the_bank(house: list[str]) -> None:
    outcome = say(offered(house=tuple(house)), "decline")
    assert GAME.ending(outcome.state) == "house-blackjack"
    assert GAME.winnings(outcome.state) == (5000, 0)
    assert GAME.winnings(say(offered(house=tuple(house)), "accept").state) == (7600, 0)


def test_cc_21_turns_as_in_the_main_game() -> None:
    state = bonus()
    outcome = say(state, "pick 4")
    assert asked(outcome.state) == (0, "choose")
    assert say(outcome.state, "keep").state.hands[0] == (state.spaces[3],)
    assert say(outcome.state, "draw").state.hands[0] == (state.stock[0],)
    assert asked(say(outcome.state, "keep").state) == (0, "pick")


def test_cc_21_freezing_from_12_on_at_the_start_of_a_turn() -> None:
    assert refusal(bonus(["6d", "5d"]), "freeze") == "CC-6"
    assert refusal(replace(bonus(["Kd", "5d"]), phase="choose", picked=0), "freeze") == "CC-4"
    assert isinstance(say(bonus(["7d", "5d"]), "freeze").events[0], Frozen)


def test_cc_22_over_21_loses_the_bank() -> None:
    state = replace(bonus(["Kd", "7d"]), phase="choose", spaces=("5d", *[""] * 8), picked=0, shown=(True, *[False] * 8))
    outcome = say(state, "keep")
    assert GAME.ending(outcome.state) == "busted"
    assert GAME.winnings(outcome.state) == (5000, 0)
    assert GAME.result(outcome.state) == Result(0, 0, {"bonus": 0})


@pytest.mark.parametrize(
    ("hand", "card", "by"),
    [(["Kd", "7d"], "4d", "twenty-one"), (["Kd"], "Ad", "blackjack"), (["5d", "5h"], "Ad", "twenty-one")],
)
def test_cc_22_21_wins_the_hand_at_once(hand: list[str], card: str, by: str) -> None:
    state = replace(bonus(hand), phase="choose", picked=0, spaces=(card, *[""] * 8), bet=2000)
    outcome = say(state, "keep")
    assert only(outcome.events, HandWon).by == by
    assert (outcome.state.phase, outcome.state.round, outcome.state.bank) == ("bet", 2, 4500)


@every(
    ("house", "stock", "played", "is_won"),
    [
        (["Tc", "7c"], ["2d"], "Tc 7c", True),  # 17 stands below 18
        (["Tc", "8c"], ["2d"], "Tc 8c", True),  # a tie is the player's
        (["Tc", "9c"], ["2d"], "Tc 9c", False),
        (["Tc", "6c"], ["2d"], "Tc 6c 2d", True),  # 16 draws: 18, a tie
        (["Tc", "6c"], ["5d"], "Tc 6c 5d", False),  # 21
        (["Tc", "6c"], ["Kh"], "Tc 6c Kh", True),  # over 21
        (["Ac", "6c"], ["Kh"], "Ac 6c", True),  # a soft 17 stands
        (["2c", "3c"], ["2d", "3d", "4d", "5d"], "2c 3c 2d 3d 4d 5d", False),  # 14, then 19
        (["Ac", "5c"], ["Kd", "2h"], "Ac 5c Kd 2h", True),  # the ace falls to 1: 16, then 18
        (["Ac", "Kh"], ["2d"], "Ac Kh", False),
    ],
)
def test_cc_23_the_house_draws_up_to_16(house: list[str], stock: list[str], played: str, is_won: bool) -> None:
    state = replace(bonus(["Ks", "8s"], house=house), stock=tuple(stock), bet=2000)
    outcome = say(state, "freeze")
    assert only(outcome.events, HousePlayed) == HousePlayed(tuple(played.split()), total(played.split()))
    assert outcome.state.bank == (4500 if is_won else 500)
    assert bool([event for event in outcome.events if isinstance(event, HandWon)]) is is_won


def test_cc_23_a_house_over_21_loses() -> None:
    state = replace(bonus(["Ks", "2s"], house=["Tc", "6c"]), stock=("Kd",))
    assert only(say(state, "freeze").events, HandWon).by == "house-bust"


def test_cc_24_an_empty_bank_ends_it() -> None:
    outcome = say(bonus(["Ks", "2s"], house=["Tc", "9c"]), "freeze")
    assert GAME.ending(outcome.state) == "bank-gone"
    assert (outcome.state.bank, GAME.winnings(outcome.state)) == (0, (5000, 0))


def test_cc_24_after_the_fifth_hand_the_bank_is_paid() -> None:
    outcome = say(bonus(["Ks", "8s"], house=["Tc", "7c"], round=5, bank=3000, bet=2000), "freeze")
    assert GAME.ending(outcome.state) == "five-hands"
    assert (outcome.state.bank, GAME.winnings(outcome.state)) == (5000, (10000, 0))


def test_cc_24_a_fifth_hand_that_is_lost_pays_the_rest() -> None:
    outcome = say(bonus(["Ks", "2s"], house=["Tc", "9c"], round=5, bank=3000, bet=2000), "freeze")
    assert GAME.ending(outcome.state) == "five-hands"
    assert GAME.winnings(outcome.state) == (6000, 0)


def test_cc_25_silence_and_resigning_lose_the_bank() -> None:
    silent = GAME.timeout(bonus(), 0, CHANCE)
    resigned = say(bonus(), "resign")
    for outcome, by in ((silent, "timeout"), (resigned, "resign")):
        assert GAME.ending(outcome.state) == by
        assert GAME.winnings(outcome.state) == (5000, 0)
        assert only(outcome.events, BonusOver) == BonusOver(0, by, lost=2500, paid=0, winnings=5000)
        assert outcome.state.bank == 0


def test_cc_26_what_was_paid_joins_the_winnings_and_the_winner_is_champion() -> None:
    state = say(offered(winnings=(0, 7500), winner=1, turn=1), "accept").state
    assert GAME.winnings(state) == (0, 10100)
    assert [(each.seat, each.account, each.amount) for each in GAME.earnings(state)] == [
        (1, "main game", 7500),
        (1, "bonus round", 2600),
    ]
    assert GAME.result(state) == Result(1, 1, {"bonus": 2600})


def test_cc_26_afterwards_nothing_is_legal() -> None:
    state = say(offered(), "accept").state
    assert GAME.questions(state) == ()
    for text, seat in (("pick 1", 0), ("resign", 0), ("resign", 1), ("offer 5", HOST)):
        assert refusal(state, text, seat=seat) == "CC-26"
    with pytest.raises(Illegal):
        GAME.timeout(state, 0, CHANCE)


def test_an_order_about_cards_knows_nothing_of_one_that_would_lose_the_round() -> None:
    for hand, wanted in ((("9h",), 10), (("9h", "Th"), None)):
        state = choosing("Qc", hand)
        facts = GAME.order_facts(GAME.view(state, 0), 0)
        assert facts.get("card") == wanted
        assert facts["makes"] == (19 if wanted else 29)
