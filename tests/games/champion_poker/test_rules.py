"""The rules of Champion Poker: at least one test for each clause of RULES.md, by its number."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from host.engine.cards import DECK
from host.engine.events import Event, Shuffled
from host.engine.game import HOST, Illegal, Invalid, Refusal, Result
from host.games.champion_poker import GAME
from host.games.champion_poker.events import (
    BetPlaced,
    BetsShown,
    BonusSettled,
    Broke,
    Checked,
    DealerCards,
    EpisodeOver,
    Flop,
    Folded,
    HandOver,
    HandsCompared,
    OwnCards,
    Played,
    PlayerCards,
    PlaysShown,
    RaisePlaced,
    RaisesShown,
    SatOut,
    TurnAndRiver,
    Withdrew,
)
from host.games.champion_poker.rules.ranking import rank
from host.games.champion_poker.state import Options, State, Wager
from tests.games.champion_poker.playing import (
    CHANCE,
    around,
    blind,
    deck,
    new_game,
    say,
    showdown,
    table,
)
from tests.games.playouts import playout
from tests.rows import every

OWN = "Jc 9d"


def refusal(state: State, text: str, seat: int = 0) -> str:
    """The clause that refuses `text`."""
    with pytest.raises(Illegal) as caught:
        say(state, text, seat=seat)
    assert caught.value.reason.endswith(".")
    return caught.value.clause


def all_of(events: Sequence[Event], kind: type[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def only(events: Sequence[Event], kind: type[Event]) -> Any:
    found = all_of(events, kind)
    assert len(found) == 1, [type(event).__name__ for event in events]
    return found[0]


def kinds(events: Sequence[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def asked(state: State) -> list[tuple[int, str]]:
    return [(question.seat, question.phase) for question in GAME.questions(state)]


# The table


def test_cp_01_version_2_and_paytable_a_by_default() -> None:
    state = new_game()
    assert (state.options.version, state.options.paytable) == (2, "A")
    assert say(state, "bet 10").state.wagers == (Wager(10, 10, side="player"),)
    assert GAME.options["version"] == 2
    assert GAME.options["paytable"] == "A"


def test_cp_01_the_texas_holdem_wager_is_a_choice_in_version_1_only() -> None:
    assert say(new_game(2, version=1), "bet 10").state.wagers[0] == Wager(10)
    assert say(new_game(2, version=2), "bet 10").state.wagers[0] == Wager(10, 10, side="player")


@every(
    "options",
    [
        {"version": 0},
        {"version": 3},
        {"version": "2"},
        {"version": True},
        {"paytable": "C"},
        {"paytable": "a"},
        {"paytable": ""},
        {"paytable": 1},
        {"bankroll": 9},
        {"bankroll": 0},
        {"bankroll": 1000.0},
        {"version": 1, "bankroll": 4},
        {"hands": 0},
        {"hands": -1},
        {"min_bet": 0},
        {"min_bet": 101},
        {"max_bet": 4},
        {"max_bet": "100"},
        {"side": "player"},
    ],
)
def test_cp_02_options_that_are_not_allowed(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        new_game(2, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"bankroll": 10},
        {"version": 1, "bankroll": 5},
        {"hands": 1},
        {"min_bet": 1},
        {"min_bet": 100},
        {"max_bet": 5},
        {"max_bet": 10**12, "bankroll": 10**15, "hands": 10**6},
    ],
)
def test_cp_02_options_that_are(options: dict[str, Any]) -> None:
    assert asked(new_game(2, **options)) == [(0, "bet"), (1, "bet")]


def test_cp_02_the_defaults() -> None:
    assert dict(GAME.options) == {
        "version": 2,
        "paytable": "A",
        "bankroll": 1000,
        "hands": 5,
        "min_bet": 5,
        "max_bet": 100,
    }
    state = new_game(3)
    assert GAME.winnings(state) == (1000, 1000, 1000)
    assert refusal(state, "bet 4") == "CP-7"
    assert refusal(state, "bet 101") == "CP-7"
    for hand in range(1, 6):
        assert (state.hand, state.phase) == (hand, "bet")
        state = around(state, "sit", "sit", "sit").state
    assert GAME.ending(state) == "hands"
    assert state.hand == 5


@pytest.mark.parametrize("seats", [0, 7])
def test_cp_02_one_to_six_players(seats: int) -> None:
    with pytest.raises(ValueError):
        new_game(seats)


def test_cp_03_a_fresh_deck_for_each_hand() -> None:
    state = new_game()
    for hand in (1, 2, 3):
        outcome = say(state, "bet 5")
        assert only(outcome.events, Shuffled) == Shuffled(f"hand:{hand}:deck", deck(hand))
        assert sorted(deck(hand)) == sorted(DECK)
        assert outcome.state.cards == (deck(hand)[:2],)
        state = say(outcome.state, "fold").state
    assert len({deck(hand) for hand in (1, 2, 3)}) == 3


def test_cp_03_nothing_is_known_before_it_is_turned_over() -> None:
    state = around(new_game(2), "bet 5", "bet 5").state
    for seat in (0, 1):
        seen = GAME.view(state, seat)
        assert (seen["community"], seen["dealer_cards"]) == ([], [])
        assert seen["cards"][seat] == list(state.cards[seat])
        assert seen["cards"][1 - seat] == []
    state = around(state, "play", "play").state
    seen = GAME.view(state, 0)
    assert (seen["community"], seen["dealer_cards"]) == ([], list(deck()[9:11]))
    assert GAME.view(state, HOST)["cards"] == [[], []]
    for seat in (0, 1, HOST):
        assert not all_of(GAME.news([Shuffled("hand:1:deck", deck())], seat), Shuffled)


def test_cp_03_what_was_not_turned_over_stays_so_when_it_is_over() -> None:
    state = new_game(2, hands=1)
    end = around(around(state, "bet 5", "bet 5").state, "fold", "resign").state
    seen = GAME.view(end, 1)
    assert end.phase == "over"
    assert seen["dealer_cards"] == []
    assert seen["community"] == list(deck()[4:9])
    assert GAME.view(end, 0)["cards"] == [list(deck()[:2]), []]
    gone = around(around(state, "bet 5", "bet 5").state, "resign", "resign").state
    assert GAME.view(gone, 0)["community"] == []
    played = around(around(around(state, "bet 5", "bet 5").state, "play", "fold").state, "check").state
    assert GAME.view(played, HOST)["dealer_cards"] == list(deck()[9:11])
    assert GAME.view(played, HOST)["cards"] == [list(deck()[:2]), list(deck()[2:4])]


def test_cp_04_all_are_asked_at_the_same_time() -> None:
    state = new_game(3)
    assert asked(state) == [(0, "bet"), (1, "bet"), (2, "bet")]
    state = say(state, "bet 5", seat=2).state
    assert asked(state) == [(0, "bet"), (1, "bet")]
    state = around(state, "bet 5", "bet 10").state
    assert asked(state) == [(0, "play"), (1, "play"), (2, "play")]
    state = around(state, "play", "play", "play").state
    assert asked(state) == [(0, "raise"), (1, "raise"), (2, "raise")]


def waiting(phase: str, seats: int = 3) -> State:
    """All of them are asked in this phase."""
    if phase == "bet":
        return new_game(seats)
    return table([blind(10, played=phase == "raise")] * seats, [OWN, "2d 2h", "Ad 9h"][:seats], phase=phase)


@pytest.mark.parametrize(
    ("phase", "first", "second"),
    [("bet", "bet 50", "sit"), ("play", "play", "fold"), ("raise", "raise", "check")],
)
def test_cp_04_answers_are_hidden_until_all_have_answered(phase: str, first: str, second: str) -> None:
    state = waiting(phase)
    before = {seat: GAME.view(state, seat) for seat in (1, 2, HOST)}
    outcome = around(state, first, second)
    assert asked(outcome.state) == [(2, phase)]
    for seat in (2, HOST):
        assert GAME.news(outcome.events, seat) == ()
        assert GAME.view(outcome.state, seat) == before[seat]
    for seat in (0, 1):
        assert {getattr(event, "seat", None) for event in GAME.news(outcome.events, seat)} == {seat}
        assert GAME.view(outcome.state, seat)["bankrolls"][1 - seat] == before[2]["bankrolls"][1 - seat]
    assert GAME.view(outcome.state, 0)["bankrolls"][0] == outcome.state.bankrolls[0] < state.bankrolls[0]


@pytest.mark.parametrize(
    ("phase", "texts", "shown"),
    [
        ("bet", ["bet 50", "sit", "bet 5"], BetsShown((0, 2), (50, 5), ("player", "player"))),
        ("play", ["play", "fold", "play"], PlaysShown((0, 2), (1,))),
        ("raise", ["raise", "check", "check"], RaisesShown((0,), (1, 2))),
    ],
)
def test_cp_04_then_all_answers_are_shown_to_all(phase: str, texts: list[str], shown: Event) -> None:
    outcome = around(waiting(phase), *texts)
    for seat in (0, 1, 2, HOST):
        assert only(GAME.news(outcome.events, seat), type(shown)) == shown
        assert GAME.view(outcome.state, seat)["bankrolls"] == list(outcome.state.bankrolls)


def test_cp_04_no_answer_can_be_changed() -> None:
    state = say(new_game(2), "bet 5").state
    for text in ("bet 5", "bet 10", "sit"):
        assert refusal(state, text) == "CP-4"
    state = say(say(state, "bet 5", seat=1).state, "play", seat=1).state
    assert refusal(state, "play", seat=1) == "CP-4"
    assert refusal(state, "fold", seat=1) == "CP-4"
    state = say(say(state, "play").state, "check").state
    assert refusal(state, "raise") == "CP-4"


def test_cp_04_the_host_and_who_is_not_asked_answer_nothing() -> None:
    state = table([blind(), Wager()], [OWN, ""])
    for text in ("play", "fold", "bet 5", "resign"):
        assert refusal(state, text, seat=HOST) == "CP-4"
    for text in ("play", "fold", "bet 5", "sit", "raise", "check"):
        assert refusal(state, text, seat=1) == "CP-4"


# Wagers


@pytest.mark.parametrize("size", [5, 6, 99, 100])
def test_cp_05_a_bet_is_for_bonus_and_blind(size: int) -> None:
    outcome = say(new_game(2), f"bet {size}")
    assert outcome.state.wagers[0] == Wager(size, size, 0, 0, "player")
    assert outcome.state.bankrolls == (1000 - 2 * size, 1000)
    assert only(outcome.events, BetPlaced) == BetPlaced(0, size, "player")


def test_cp_05_no_side_in_version_2() -> None:
    for side in ("player", "dealer"):
        assert refusal(new_game(), f"bet 10 {side}") == "CP-5"


@pytest.mark.parametrize("phase", ["play", "raise"])
def test_cp_05_wagers_are_for_when_they_are_asked(phase: str) -> None:
    state = table([blind(played=phase == "raise")], [OWN], phase=phase)
    assert refusal(state, "bet 10") == {"play": "CP-12", "raise": "CP-13"}[phase]
    assert refusal(state, "sit") == {"play": "CP-12", "raise": "CP-13"}[phase]
    assert refusal(new_game(), phase) == "CP-5"


def test_cp_06_without_a_side_there_is_no_blind() -> None:
    outcome = say(new_game(2, version=1), "bet 10")
    assert outcome.state.wagers[0] == Wager(10, 0, 0, 0, None)
    assert outcome.state.bankrolls == (990, 1000)
    assert only(outcome.events, BetPlaced) == BetPlaced(0, 10, "")


@pytest.mark.parametrize("side", ["player", "dealer"])
def test_cp_06_a_side_stakes_the_same_again(side: str) -> None:
    state = say(new_game(2, version=1), f"bet 10 {side}").state
    assert (state.wagers[0].bonus, state.wagers[0].blind, state.wagers[0].side) == (10, 10, side)
    assert state.bankrolls == (980, 1000)


@pytest.mark.parametrize("text", ["bet -5", "bet 12.5", "bet +10", "bet", "bet ten and a half", "bet 10 20", "bet 10%"])
def test_cp_07_a_bet_is_a_whole_number_without_a_sign(text: str) -> None:
    for version in (1, 2):
        with pytest.raises(Invalid):
            say(new_game(version=version), text)


@pytest.mark.parametrize("version", [1, 2])
def test_cp_07_from_the_lowest_to_the_highest(version: int) -> None:
    state = new_game(2, version=version, min_bet=7, max_bet=20)
    for size in (0, 1, 6, 21, 22, 10**9):
        assert refusal(state, f"bet {size}") == "CP-7"
    for size in (7, 20):
        assert say(state, f"bet {size}").state.wagers[0].bonus == size


@pytest.mark.parametrize(
    ("options", "good", "bad"),
    [
        ({"bankroll": 30}, "bet 15", "bet 16"),
        ({"bankroll": 31}, "bet 15", "bet 16"),
        ({"bankroll": 30, "version": 1}, "bet 30", "bet 31"),
        ({"bankroll": 30, "version": 1}, "bet 15 player", "bet 16 player"),
        ({"bankroll": 31, "version": 1}, "bet 15 dealer", "bet 16 dealer"),
        ({"bankroll": 5, "version": 1}, "bet 5", "bet 5 player"),
    ],
)
def test_cp_07_the_bankroll_covers_it_and_pays_at_once(options: dict[str, Any], good: str, bad: str) -> None:
    state = new_game(2, **options)
    assert refusal(state, bad) == "CP-7"
    after = say(state, good).state
    wager = after.wagers[0]
    assert after.bankrolls[0] == options["bankroll"] - wager.bonus - wager.blind
    assert GAME.winnings(after) == after.bankrolls


def test_cp_07_the_links_stay_within_it() -> None:
    for chips in (10, 11, 12, 30, 199, 200, 1000):
        for version in (1, 2):
            state = new_game(version=version, bankroll=chips)
            for choice in GAME.choices(state, GAME.questions(state)[0]):
                say(state, *choice.say)


def test_cp_08_sitting_out_one_hand() -> None:
    outcome = around(new_game(2), "sit", "bet 10")
    assert outcome.state.cards == ((), deck()[:2])
    assert outcome.state.bankrolls == (1000, 980)
    assert asked(outcome.state) == [(1, "play")]
    assert only(outcome.events, SatOut) == SatOut(0, "say")
    after = say(outcome.state, "fold", seat=1).state
    assert (after.hand, asked(after)) == (2, [(0, "bet"), (1, "bet")])


def test_cp_08_a_hand_that_all_sit_out_counts() -> None:
    outcome = around(new_game(2, hands=2), "sit", "sit")
    assert not all_of(outcome.events, Shuffled)
    assert only(outcome.events, HandOver) == HandOver(1, (1000, 1000))
    assert (outcome.state.hand, outcome.state.last) == (2, ((0, 0), (0, 0)))
    assert (outcome.state.community, outcome.state.dealer_cards) == ((), ())
    assert GAME.ending(around(outcome.state, "sit", "sit").state) == "hands"


def test_cp_08_without_a_wager_left_the_hand_is_over() -> None:
    state = around(new_game(3), "bet 5", "bet 10", "sit").state
    outcome = around(state, "resign", "resign")
    assert not {"Flop", "TurnAndRiver", "DealerCards", "PlaysShown"} & set(kinds(outcome.events))
    assert only(outcome.events, HandOver) == HandOver(1, (990, 980, 1000))
    assert (outcome.state.hand, asked(outcome.state)) == (2, [(2, "bet")])


@pytest.mark.parametrize(
    ("options", "chips", "is_broke"),
    [
        ({}, 9, True),
        ({}, 10, False),
        ({"version": 1}, 4, True),
        ({"version": 1}, 5, False),
        ({"min_bet": 50}, 99, True),
        ({"min_bet": 50}, 100, False),
    ],
)
def test_cp_09_without_the_smallest_wager_no_further_part(options: dict[str, Any], chips: int, is_broke: bool) -> None:
    state = table([Wager(5), Wager(5)], [OWN, "2d 2h"] if options.get("version") != 1 else [OWN], options=options)
    state = replace(state, bankrolls=(chips, 500), asked=(0,), wagers=(blind(5), Wager(5)))
    outcome = say(state, "fold")
    assert GAME.is_out(outcome.state, 0) is is_broke
    assert asked(outcome.state) == ([(1, "bet")] if is_broke else [(0, "bet"), (1, "bet")])
    if is_broke:
        assert only(outcome.events, Broke) == Broke(0, chips)
        for text in ("bet 5", "sit", "resign"):
            assert refusal(outcome.state, text) == "CP-9"


def test_cp_09_who_is_broke_may_still_win() -> None:
    state = replace(new_game(2), hand=5, broke=(True, False), bankrolls=(9, 12), asked=(1,))
    resigned = say(state, "resign", seat=1).state
    assert GAME.result(resigned) == Result(0, 0)
    assert GAME.ending(resigned) == "hands"


# The deal


def test_cp_10_version_2_deals_a_pair_to_each_who_bet() -> None:
    outcome = around(new_game(4), "bet 5", "sit", "bet 5", "bet 5")
    top = deck()
    assert outcome.state.cards == (top[:2], (), top[2:4], top[4:6])
    assert [event.seat for event in all_of(outcome.events, OwnCards)] == [0, 2, 3]
    for seat in range(4):
        mine = all_of(GAME.news(outcome.events, seat), OwnCards)
        assert [event.seat for event in mine] == ([seat] if seat != 1 else [])
        assert [bool(each) for each in GAME.view(outcome.state, seat)["cards"]] == [
            seat == each != 1 for each in range(4)
        ]


def test_cp_10_version_1_has_one_pair_for_all() -> None:
    outcome = around(new_game(3, version=1), "bet 5 player", "sit", "bet 5 dealer")
    assert outcome.state.cards == (deck()[:2],) * 3
    for seat in (0, 1, 2, HOST):
        assert only(GAME.news(outcome.events, seat), PlayerCards) == PlayerCards(deck()[:2])
        assert GAME.view(outcome.state, seat)["shared_cards"] == list(deck()[:2])
        assert GAME.view(outcome.state, seat)["cards"] == [list(deck()[:2])] * 3


@pytest.mark.parametrize("bettors", [1, 2, 3, 4, 5, 6])
def test_cp_11_pairs_in_seat_order_then_five_then_two(bettors: int) -> None:
    texts = ["bet 5"] * bettors + ["sit"] * (6 - bettors)
    state = around(new_game(6), *texts[::-1]).state
    at = 2 * bettors
    assert [card for pair in state.cards for card in pair] == list(deck()[:at])
    assert state.cards[5] == deck()[at - 2 : at]
    assert state.community == deck()[at : at + 5]
    assert state.dealer_cards == deck()[at + 5 : at + 7]


@pytest.mark.parametrize("seats", [1, 2, 6])
def test_cp_11_version_1_deals_nine_cards(seats: int) -> None:
    state = around(new_game(seats, version=1), *["bet 5 player"] * seats).state
    assert (state.community, state.dealer_cards) == (deck()[2:7], deck()[7:9])


def test_cp_12_play_adds_as_much_as_the_blind() -> None:
    state = table([blind(30), blind(10)], [OWN, "2d 2h"])
    outcome = say(state, "play")
    assert outcome.state.wagers[0] == Wager(30, 30, 30, 0, "player")
    assert outcome.state.bankrolls == (910, 980)
    assert outcome.events == (Played(0, 30),)


def test_cp_12_fold_loses_the_blind_and_keeps_the_bonus() -> None:
    state = table([blind(30), blind(10)], [OWN, "2d 2h"])
    outcome = say(state, "fold")
    assert outcome.state.wagers[0] == Wager(30, 0, 0, 0, None)
    assert outcome.state.bankrolls == (940, 980)
    assert outcome.state.blind_net == (-30, 0)
    assert outcome.events == (Folded(0, "say", 30),)


def test_cp_12_after_a_fold_the_bonus_is_settled() -> None:
    outcome = say(table([blind(30)], ["Kd Kh"]), "fold")
    assert only(outcome.events, BonusSettled) == BonusSettled(0, ("Kd", "Kh"), "three of a kind", 4, 120)
    assert outcome.state.bankrolls == (940 + 150,)
    assert outcome.state.last == ((120,), (-30,))


def test_cp_12_only_who_has_a_blind_is_asked() -> None:
    outcome = around(new_game(3, version=1), "bet 5", "bet 5 dealer", "sit")
    assert asked(outcome.state) == [(1, "play")]
    assert refusal(outcome.state, "play") == "CP-4"
    outcome = around(new_game(2, version=1), "bet 5", "bet 5")
    assert outcome.state.hand == 2
    assert {"Flop", "TurnAndRiver"} <= set(kinds(outcome.events))
    assert "PlaysShown" not in kinds(outcome.events)


def test_cp_13_the_dealer_cards_are_shown_to_all() -> None:
    state = table([blind(), blind()], [OWN, "2d 2h"])
    outcome = around(state, "play", "fold")
    for seat in (0, 1, HOST):
        news = GAME.news(outcome.events, seat)
        assert only(news, PlaysShown) == PlaysShown((0,), (1,))
        assert only(news, DealerCards) == DealerCards(("4d", "6c"))
        assert GAME.view(outcome.state, seat)["dealer_cards"] == ["4d", "6c"]
    assert asked(outcome.state) == [(0, "raise")]


def test_cp_13_raise_adds_as_much_as_the_blind() -> None:
    state = table([blind(30, played=True), blind(10, played=True)], [OWN, "2d 2h"], phase="raise")
    outcome = say(state, "raise")
    assert outcome.state.wagers[0] == Wager(30, 30, 30, 30, "player")
    assert outcome.state.bankrolls == (880, 970)
    assert outcome.events == (RaisePlaced(0, 30),)


def test_cp_13_check_adds_nothing() -> None:
    state = table([blind(30, played=True), blind(10, played=True)], [OWN, "2d 2h"], phase="raise")
    outcome = say(state, "check")
    assert outcome.state.wagers[0] == Wager(30, 30, 30, 0, "player")
    assert outcome.state.bankrolls == state.bankrolls
    ended = say(outcome.state, "raise", seat=1)
    assert only(ended.events, RaisesShown) == RaisesShown((1,), (0,))


def test_cp_13_left_out_where_nobody_plays() -> None:
    outcome = around(table([blind(), blind()], [OWN, "2d 2h"]), "fold", "fold")
    assert not {"DealerCards", "RaisesShown", "HandsCompared", "Checked"} & set(kinds(outcome.events))
    assert only(outcome.events, PlaysShown) == PlaysShown((), (0, 1))
    assert (outcome.state.hand, outcome.state.phase) == (2, "bet")


def test_cp_13_play_and_raise_have_no_other_price() -> None:
    state = table([blind(30)], [OWN])
    for text in ("play 29", "play for 31", "play 60"):
        with pytest.raises(Invalid):
            say(state, text)
    raising = say(state, "play for 30").state
    assert raising.wagers[0].play == 30
    for text in ("raise 10", "raise by 100", "raise to 60"):
        with pytest.raises(Invalid):
            say(raising, text)
    assert say(raising, "raise by 30").state.last is not None


@pytest.mark.parametrize(("chips", "can"), [(29, False), (30, True), (0, False)])
def test_cp_14_without_the_chips_the_game_folds(chips: int, can: bool) -> None:
    state = replace(new_game(2), bankrolls=(chips + 60, 500))
    outcome = around(state, "bet 30", "bet 10")
    assert asked(outcome.state) == ([(0, "play"), (1, "play")] if can else [(1, "play")])
    if not can:
        assert only(outcome.events, Folded) == Folded(0, "game", 30)
        assert outcome.state.wagers[0] == Wager(30)
        assert outcome.state.blind_net == (-30, 0)


@pytest.mark.parametrize(("chips", "can"), [(29, False), (30, True), (0, False)])
def test_cp_14_without_the_chips_the_game_checks(chips: int, can: bool) -> None:
    state = table([blind(30), blind(10)], [OWN, "2d 2h"], bankrolls=[chips + 30, 500])
    outcome = around(state, "play", "play")
    assert asked(outcome.state) == ([(0, "raise"), (1, "raise")] if can else [(1, "raise")])
    if not can:
        assert only(outcome.events, Checked) == Checked(0, "game")
        assert outcome.state.wagers[0] == Wager(30, 30, 30, 0, "player")


def test_cp_14_a_fold_by_the_game_may_end_the_hand() -> None:
    outcome = say(new_game(bankroll=29), "bet 10")
    assert outcome.state.hand == 2 or outcome.state.phase == "over"
    assert only(outcome.events, Folded).by == "game"
    assert only(outcome.events, BonusSettled).seat == 0


def test_cp_14_commands_in_order_until_one_is_not_allowed() -> None:
    state = say(new_game(), "bet 10", "play", "check").state
    assert (state.hand, state.phase) == (2, "bet")
    with pytest.raises(Refusal):
        say(new_game(), "bet 10", "check", "play")


# The 5 Card Bonus


def test_cp_15_the_flop_and_the_player_cards() -> None:
    """The turn and the river would make better hands: two pair at the flop, full house at the river."""
    outcome = say(table([blind(10)], ["Kd Qd"], community="Kc Qc 2s Kh Qh"), "fold")
    assert only(outcome.events, Flop) == Flop(("Kc", "Qc", "2s"))
    assert only(outcome.events, BonusSettled) == BonusSettled(0, ("Kd", "Qd"), "two pair", 2, 20)
    order = kinds(outcome.events)
    assert order.index("Flop") < order.index("BonusSettled") < order.index("TurnAndRiver")


def test_cp_15_version_2_goes_by_ones_own_cards() -> None:
    outcome = around(table([blind(10), blind(20)], ["Kd Kh", "4h 7s"]), "fold", "fold")
    settled = all_of(outcome.events, BonusSettled)
    assert [(event.seat, event.pays, event.net) for event in settled] == [(0, 4, 40), (1, 0, -20)]


def test_cp_15_version_1_goes_by_the_player_cards_for_all() -> None:
    state = table([Wager(10), blind(20, "dealer"), Wager()], ["Kd Kh"], options={"version": 1})
    outcome = say(state, "fold", seat=1)
    settled = all_of(outcome.events, BonusSettled)
    assert [(event.seat, event.pays, event.net) for event in settled] == [(0, 4, 40), (1, 4, 80)]


BONUS = [
    ("As Ks", "Qs Js Ts", 100, 200),
    ("2h 3h", "4h 5h 6h", 40, 50),
    ("Ah 2h", "3h 4h 5h", 40, 50),
    ("9c 9d", "9h 9s 2c", 20, 20),
    ("9c 9d", "2h 9s 2c", 8, 10),
    ("9c Kc", "2c 5c 7c", 6, 8),
    ("9c Kd", "Th Jc Qc", 5, 6),
    ("Ac 2d", "3h 4c 5c", 5, 6),
    ("9c 9d", "9h 4c 5c", 4, 3),
    ("9c 9d", "4h 4c 5c", 2, 2),
    ("7c 7d", "4h 3c 5c", 1, 1),
    ("7c 2d", "4h 7h 5c", 1, 1),
    ("Ac Ad", "4h 3c 5c", 1, 1),
    ("6c 6d", "4h 3c 5c", 0, 0),
    ("6c 2d", "4h 2c Ac", 0, 0),
    ("Ac Kd", "Qh Jc 9c", 0, 0),
    ("Kc Ad", "2h 3c 4c", 0, 0),
]


def bonus(own: str, flop: str, paytable: str) -> State:
    unused = [card for card in DECK if card not in {*own.split(), *flop.split()}]
    community, dealer = f"{flop} {unused[0]} {unused[1]}", f"{unused[2]} {unused[3]}"
    return say(table([blind(7)], [own], dealer, community, options={"paytable": paytable}), "fold").state


@every(("own", "flop", "a", "b"), BONUS)
def test_cp_16_paytable_a(own: str, flop: str, a: int, b: int) -> None:
    state = bonus(own, flop, "A")
    assert state.last == ((7 * a if a else -7,), (-7,))
    assert state.bankrolls == (986 + (7 * (a + 1) if a else 0),)


@every(("own", "flop", "a", "b"), BONUS)
def test_cp_17_paytable_b(own: str, flop: str, a: int, b: int) -> None:
    state = bonus(own, flop, "B")
    assert state.last == ((7 * b if b else -7,), (-7,))
    assert state.bankrolls == (986 + (7 * (b + 1) if b else 0),)


def test_cp_18_paid_hands_bring_the_wager_back_and_others_lose_it() -> None:
    paid = bonus("7c 7d", "4h 3c 5c", "A")
    lost = bonus("6c 6d", "4h 3c 5c", "A")
    assert paid.bankrolls[0] - 986 == 14
    assert lost.bankrolls[0] - 986 == 0
    assert paid.wagers[0].bonus == lost.wagers[0].bonus == 0


# The showdown


def test_cp_19_turn_and_river_then_the_best_five_of_seven() -> None:
    outcome = say(showdown("Ad 4h", "Kd 9h", "2s 3s 5h Jc Kc"), "check")
    assert only(outcome.events, TurnAndRiver) == TurnAndRiver(("Jc", "Kc"))
    found = only(outcome.events, HandsCompared)
    assert found == HandsCompared(0, "player", ("Ad", "4h"), "straight", "pair", 20)


def test_cp_19_five_community_cards_may_be_the_hand_of_both() -> None:
    outcome = say(showdown("2d 3d", "4d 5h", "As Ks Qs Js Ts"), "raise")
    assert only(outcome.events, HandsCompared).net == 0
    assert outcome.state.last == ((-10,), (0,))


def test_cp_19_version_2_each_player_for_themselves() -> None:
    wagers = [blind(10, played=True), blind(20, played=True), blind(30, played=True)]
    state = table(wagers, ["Kd 7h", "8s 2d", "6d 7c"], "8h 6s", "Kc 8d 5h 3s 4c", phase="raise")
    outcome = around(state, "check", "raise", "check")
    compared = all_of(outcome.events, HandsCompared)
    assert [(each.seat, each.hand, each.dealer, each.net) for each in compared] == [
        (0, "pair", "pair", 20),
        (1, "pair", "pair", -60),
        (2, "straight", "pair", 60),
    ]


@pytest.mark.parametrize(("side", "sign"), [("player", 1), ("dealer", -1)])
@pytest.mark.parametrize(("answer", "stake"), [("check", 20), ("raise", 30)])
def test_cp_20_even_money_for_the_winning_side(side: str, sign: int, answer: str, stake: int) -> None:
    wins = say(showdown("Kd 7h", "Qd 7s", "Kc 8d 5h 3s 2c", side), answer).state
    assert wins.last == ((10,), (sign * stake,))
    assert wins.bankrolls == (1000 + 10 + sign * stake,)
    loses = say(showdown("Qd 7h", "Kd 7s", "Kc 8d 5h 3s 2c", side), answer).state
    assert loses.last == ((-10,), (-sign * stake,))
    assert loses.bankrolls == (1000 - 10 - sign * stake,)


@pytest.mark.parametrize("side", ["player", "dealer"])
@pytest.mark.parametrize("answer", ["check", "raise"])
def test_cp_20_a_tie_gives_them_back(side: str, answer: str) -> None:
    state = say(showdown("Ad 2h", "Ah 3c", "Kc Qd Jh 9s 8c", side), answer).state
    assert state.last == ((-10,), (0,))
    assert state.bankrolls == (990,)
    assert state.wagers == (Wager(),)


def test_cp_20_in_version_1_both_sides_may_be_backed() -> None:
    wagers = [blind(10, "player", played=True), blind(20, "dealer", played=True)]
    state = table(wagers, ["Kd 7h"], "Qd 7s", phase="raise", options={"version": 1})
    outcome = around(state, "raise", "raise")
    assert [(each.seat, each.side, each.net) for each in all_of(outcome.events, HandsCompared)] == [
        (0, "player", 30),
        (1, "dealer", -60),
    ]
    assert outcome.state.bankrolls == (1000 + 10 + 30, 1000 + 20 - 60)


LADDER = [  # from the best hand to the worst, each better than the next
    "As Ks Qs Js Ts 2c 3d",
    "9h 8h 7h 6h 5h Ac Ad",
    "5d 4d 3d 2d Ad Ac Kc",
    "Ac Ad Ah As 2c 3d 4h",
    "2c 2d 2h 2s Kc Qd Jh",
    "2c 2d 2h 2s Qc Jd 9h",
    "Ac Ad Ah 2c 2d 9s 8h",
    "Kc Kd Kh Ac Ad Qs Jh",
    "Ac Jc 9c 4c 2c Kd Qd",
    "Ac Jc 9c 3c 2c Kd Qd",
    "Ac Kd Qh Js Tc 2d 2h",
    "6c 5d 4h 3s 2c Ad Ah",
    "5c 4d 3h 2s Ac Ad 9h",
    "Ac Ad Ah Kc Qd 9h 8s",
    "Kc Kd Kh Ac Qd 9h 8s",
    "Ac Ad Kh Ks Qd 9h 8s",
    "Ac Ad Kh Ks Jd 9h 8s",
    "Ac Ad Qh Qs Kd 9h 8s",
    "Kc Kd Qh Qs Ad 9h 8s",
    "Ac Ad Kh Qs Jd 3h 2s",
    "Ac Ad Kh Qs Td 3h 2s",
    "2c 2d Ah Ks Qd 9h 8s",
    "Ac Kd Qh Js 9d 3h 2s",
    "Ac Kd Qh Js 8d 3h 2s",
    "9c 8d 7h 5s 4d 3h 2s",
]


@every("at", range(len(LADDER) - 1))
def test_cp_21_hands_rank_as_usual(at: int) -> None:
    assert rank(LADDER[at].split()) < rank(LADDER[at + 1].split())


def test_cp_21_an_ace_is_high_or_low_but_not_in_between() -> None:
    low = rank("Ac 2d 3h 4s 5c 9d 9h".split())
    assert rank("2c 3d 4h 5s 6c 9d 9h".split()) < low < rank("9c 9d 9h As Kd 3c 2h".split())
    assert rank("Qc Kd Ah 2s 3c 7d 8h".split()) == rank("Ac Kd Qh 8s 7c 3d 2h".split())


@pytest.mark.parametrize("turn", ["dcsh", "hscd", "shdc"])
def test_cp_21_no_suit_is_better(turn: str) -> None:
    other = str.maketrans("cdhs", turn)
    for hand in LADDER:
        assert rank(hand.split()) == rank([card[0] + card[1].translate(other) for card in hand.split()])


# The end


def last_hand(bankrolls: Sequence[int], **fields: Any) -> State:
    """The last hand: the wagers are asked for."""
    count = len(bankrolls)
    state = replace(new_game(count), hand=5, bankrolls=tuple(bankrolls), shown_bankrolls=tuple(bankrolls))
    return replace(state, **fields)


@pytest.mark.parametrize(
    ("bankrolls", "winner"),
    [((900, 1100), 1), ((1100, 900), 0), ((500, 500), 0), ((400, 500, 500), 1), ((5, 5, 6, 6), 2)],
)
def test_cp_22_after_the_last_hand_the_largest_bankroll_wins(bankrolls: tuple[int, ...], winner: int) -> None:
    outcome = around(last_hand(bankrolls), *["sit"] * len(bankrolls))
    assert GAME.ending(outcome.state) == "hands"
    assert GAME.result(outcome.state) == Result(winner, winner)
    assert only(outcome.events, EpisodeOver) == EpisodeOver(winner, "hands", bankrolls[winner])
    assert GAME.questions(outcome.state) == ()
    assert GAME.winnings(outcome.state) == bankrolls
    assert GAME.earnings(outcome.state) == ()


@pytest.mark.parametrize(("chips", "winner"), [(1001, 0), (1000, None), (999, None)])
def test_cp_22_one_player_has_to_gain(chips: int, winner: int | None) -> None:
    state = say(last_hand([chips]), "sit").state
    assert GAME.result(state) == Result(winner, winner)
    alone = say(last_hand([chips, 5000], asked=(0,), gone=(False, True)), "sit").state
    assert GAME.result(alone) == Result(0, 0)


def test_cp_22_earlier_when_nobody_can_bet() -> None:
    state = table([blind(10)], [OWN], options={"bankroll": 29})
    state = replace(state, bankrolls=(9,), asked=(0,), hand=2)
    outcome = say(state, "fold")
    assert GAME.ending(outcome.state) == "nobody-can-bet"
    assert (outcome.state.hand, outcome.state.phase) == (2, "over")
    assert GAME.result(outcome.state) == Result(None, None)
    two = table([blind(10), blind(10)], [OWN, "2d 6h"])
    outcome = around(replace(two, bankrolls=(3, 8)), "fold", "fold")
    assert GAME.ending(outcome.state) == "nobody-can-bet"
    assert GAME.result(outcome.state) == Result(1, 1)
    assert all_of(outcome.events, Broke) == [Broke(0, 3), Broke(1, 8)]


def test_cp_22_afterwards_nothing_is_legal() -> None:
    state = say(last_hand([1000]), "sit").state
    for text in ("bet 5", "sit", "play", "resign"):
        assert refusal(state, text) == "CP-22"
        assert refusal(state, text, seat=HOST) == "CP-22"
    with pytest.raises(Illegal):
        GAME.timeout(state, 0, CHANCE)


def test_cp_22_when_it_is_over_the_table_is_that_of_the_last_hand() -> None:
    state = say(new_game(hands=1), "bet 10", "play", "check").state
    shown = GAME.table(state, ["ann"])
    assert (shown["phase"], shown["hand"]) == ("over", 1)
    assert shown["player_cards"] == {"ann": list(deck()[:2])}
    assert (shown["community"], shown["dealer_cards"]) == (list(deck()[2:7]), list(deck()[7:9]))
    assert shown["wagers"] == {"ann": {"bonus": 0, "blind": 0, "play": 0, "raise": 0, "side": None}}
    last = shown["last"]
    assert shown["bankrolls"]["ann"] == 1000 + last["bonus"]["ann"] + last["blind"]["ann"]


def test_cp_22_chips_are_only_won_and_lost_in_hands() -> None:
    for number in range(60):
        found = playout(GAME.slug, number)
        chips = list(GAME.winnings(found.start))
        hands: dict[int, Any] = {}
        for step in found.steps:
            if only_over := all_of(step.events, HandOver):
                assert len(only_over) == 1
                hands[only_over[0].hand] = step.after.last
        assert list(hands) == list(range(1, found.end.hand + 1))
        for at in range(found.seats):
            won = sum(last[0][at] + last[1][at] for last in hands.values())
            assert chips[at] + won == GAME.winnings(found.end)[at]


def test_cp_23_silence_sits_out() -> None:
    outcome = around(new_game(2), "timeout", "bet 5")
    assert only(outcome.events, SatOut) == SatOut(0, "timeout")
    assert (outcome.state.bankrolls, outcome.state.missed) == ((1000, 990), (1, 0))
    assert asked(outcome.state) == [(1, "play")]


def test_cp_23_silence_folds() -> None:
    outcome = around(table([blind(10), blind(10)], [OWN, "2d 2h"]), "timeout")
    assert outcome.events == (Folded(0, "timeout", 10),)
    assert outcome.state.wagers[0] == Wager(10)


def test_cp_23_silence_checks() -> None:
    wagers = [blind(10, played=True), blind(10, played=True)]
    outcome = around(table(wagers, [OWN, "2d 2h"], phase="raise"), "timeout")
    assert outcome.events == (Checked(0, "timeout"),)
    assert outcome.state.wagers[0] == wagers[0]


def test_cp_23_only_who_is_waited_for_runs_out_of_time() -> None:
    state = table([blind(), Wager()], [OWN, ""])
    for seat in (1, 2, HOST):
        with pytest.raises(Illegal) as caught:
            GAME.timeout(state, seat, CHANCE)
        assert caught.value.clause == "CP-23"


@pytest.mark.parametrize("phase", ["bet", "play", "raise"])
def test_cp_24_a_second_silence_in_a_row_withdraws(phase: str) -> None:
    wagers = [blind(10, played=phase == "raise")] * 2
    state = new_game(2) if phase == "bet" else table(wagers, [OWN, "2d 2h"], phase=phase)
    outcome = GAME.timeout(replace(state, missed=(1, 0)), 0, CHANCE)
    assert outcome.events == (Withdrew(0, "timeout"),)
    assert GAME.is_out(outcome.state, 0)
    assert outcome.state.wagers[0] == Wager()
    assert outcome.state.bankrolls == state.bankrolls
    assert [seat for seat, _phase in asked(outcome.state)] == [1]


def test_cp_24_an_accepted_command_in_between_counts() -> None:
    state = around(new_game(2), "timeout", "sit").state
    state = around(state, "bet 5", "sit").state
    assert state.missed == (0, 0)
    state = around(state, "timeout").state
    assert not state.gone[0]
    state = around(state, "timeout", "").state
    assert state.gone == (True, False)


def test_cp_24_a_refused_command_in_between_does_not_count() -> None:
    state = around(new_game(2), "timeout", "sit").state
    assert refusal(state, "bet 1000") == "CP-7"
    assert refusal(state, "play") == "CP-5"
    assert around(state, "timeout").state.gone == (True, False)


@pytest.mark.parametrize(
    ("wager", "phase", "bonus_lost", "hand_lost"),
    [
        (blind(10), "play", 10, 10),
        (blind(10, played=True), "raise", 10, 20),
        (Wager(10, 10, 10, 10, "player"), "raise", 10, 30),
        (Wager(10), "play", 10, 0),
    ],
)
def test_cp_24_all_on_the_table_is_lost(wager: Wager, phase: str, bonus_lost: int, hand_lost: int) -> None:
    """The Bonus would have paid, and the hand would have won."""
    other = blind(20, played=phase == "raise")
    state = table([wager, other], ["Kd Kh", "2d 6h"], phase=phase)
    state = replace(state, asked=tuple(seat for seat in state.asked if seat or not wager.raised))
    outcome = say(state, "resign")
    assert outcome.events[0] == Withdrew(0, "resign")
    assert outcome.state.bankrolls[0] == state.bankrolls[0]
    assert (outcome.state.bonus_net[0], outcome.state.blind_net[0]) == (-bonus_lost, -hand_lost)
    texts = ["", "fold"] if phase == "play" else ["", "check"]
    end = around(outcome.state, *texts)
    assert [event.seat for event in all_of(end.events, BonusSettled)] == [1]
    assert 0 not in [event.seat for event in all_of(end.events, HandsCompared)]
    assert end.state.last is not None
    assert (end.state.last[0][0], end.state.last[1][0]) == (-bonus_lost, -hand_lost)
    assert asked(end.state) == [(1, "bet")]


def test_cp_24_before_the_deal_no_cards() -> None:
    state = around(new_game(3), "bet 5", "bet 10").state
    state = say(state, "resign", seat=0).state
    state = say(state, "bet 5", seat=2).state
    assert state.cards == ((), deck()[:2], deck()[2:4])
    assert state.bankrolls == (990, 980, 990)
    assert state.bonus_net == (-5, 0, 0)
    assert asked(state) == [(1, "play"), (2, "play")]


def test_cp_24_who_withdrew_cannot_win_and_is_refused() -> None:
    state = around(last_hand([5000, 800, 900]), "resign").state
    for text in ("bet 5", "sit", "resign"):
        assert refusal(state, text) == "CP-24"
    state = around(state, "", "sit", "sit").state
    assert GAME.result(state) == Result(2, 2)


def test_cp_24_resigning_is_possible_when_nothing_is_asked() -> None:
    state = table([blind(), Wager()], [OWN, ""])
    after = say(state, "resign", seat=1).state
    assert after.gone == (False, True)
    assert asked(after) == [(0, "play")]


def test_cp_24_when_all_have_withdrawn_it_is_over() -> None:
    outcome = around(new_game(2), "resign", "resign")
    assert GAME.ending(outcome.state) == "withdrawn"
    assert GAME.result(outcome.state) == Result(None, None)
    assert only(outcome.events, EpisodeOver) == EpisodeOver(-1, "withdrawn", 0)
    assert only(outcome.events, HandOver) == HandOver(1, (1000, 1000))
    assert outcome.state.last == ((0, 0), (0, 0))
    dealt = around(around(new_game(2), "bet 5", "bet 10").state, "resign", "resign").state
    assert (GAME.ending(dealt), dealt.hand) == ("withdrawn", 1)
    assert dealt.last == ((-5, -10), (-5, -10))


def test_cp_24_the_other_plays_on_alone() -> None:
    state = around(new_game(2, hands=2), "resign", "sit").state
    assert (state.hand, asked(state)) == (2, [(1, "bet")])
    state = say(state, "bet 5", seat=1).state
    assert state.cards == ((), deck(2)[:2])
    state = say(state, "fold", seat=1).state
    assert GAME.result(state) == Result(1, 1)


def test_the_options_of_a_state_are_those_it_was_dealt_with() -> None:
    assert new_game(2, hands=3).options == Options(hands=3)
