"""The rules of The Game of Champions: at least one test for each clause of RULES.md, by its number."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import pytest

from host.engine.cards import DECK
from host.engine.chance import Chance
from host.engine.events import Event, Shuffled
from host.engine.game import HOST, Illegal, Invalid, NotYet, Result
from host.games.game_of_champions import GAME
from host.games.game_of_champions.events import (
    ArmyShown,
    Attacked,
    BattleOver,
    Dealt,
    Defeated,
    Drawn,
    Flipped,
    Generaled,
    HandDealt,
    Held,
    Left,
    Placed,
    Queued,
    Revived,
    Spied,
    Standstill,
    Stopped,
    ThrowsMet,
    TieBroken,
    Traded,
    TurnBegan,
    Won,
)
from host.games.game_of_champions.state import State, asked, is_face, strength
from host.play.interpret import interpret
from host.play.interpretation import ReplyContext
from tests.games.game_of_champions.conserved import unseen
from tests.games.game_of_champions.playing import (
    CHANCE,
    army,
    fight,
    hands,
    new_game,
    ordering,
    placing,
    say,
    table,
    throw,
    written,
)
from tests.games.playouts import playout
from tests.rows import every
from tests.size import a_few

Kind = TypeVar("Kind", bound=Event)
BEATS = [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")]
# Seeds whose first deal leaves somebody without a face card; and one with a hand of one face card.
REDEALT, LONE = (895, 1190, 1241), (8, 24, 33, 44)


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


def open_questions(state: State) -> list[tuple[int, str]]:
    return [(question.seat, question.phase) for question in GAME.questions(state)]


def armies(state: State) -> tuple[str, str]:
    return written(state.army[0]), written(state.army[1])


def dealt(number: int, dealer: int = 0) -> State:
    """A fresh deal of a seed."""
    state = new_game()
    winning = ("rock", "scissors") if dealer == 0 else ("scissors", "rock")
    luck = Chance(number.to_bytes(32, "big"))
    for seat, each in enumerate(winning):
        state = GAME.apply(state, seat, GAME.parse(f"throw {each}", state, seat), luck).state
    return state


# Roshambo


@pytest.mark.parametrize(("better", "worse"), BEATS)
def test_gc_01_what_beats_what(better: str, worse: str) -> None:
    for winner, throws in enumerate([(better, worse), (worse, better)]):
        outcome = throw(new_game(), *throws)
        assert outcome.state.dealer == winner
        assert only(outcome.events, ThrowsMet) == ThrowsMet("dealer", throws, winner)


@pytest.mark.parametrize("both", ["rock", "paper", "scissors"])
def test_gc_01_equal_throws_are_played_again(both: str) -> None:
    outcome = throw(new_game(), both, both)
    assert only(outcome.events, ThrowsMet).winner == -1
    assert open_questions(outcome.state) == [(0, "roshambo"), (1, "roshambo")]
    assert outcome.state.dealer is None
    assert throw(outcome.state, "paper", "rock").state.dealer == 0


def test_gc_02_throws_wait_in_their_order_and_stay_for_the_episode() -> None:
    state = say(new_game(), "throw rock", "throw paper scissors", "throw paper", seat=0).state
    assert state.queues == (("rock", "paper", "scissors", "paper"), ())
    state = say(state, "throw scissors", seat=1).state
    assert state.queues == (("paper", "scissors", "paper"), ())
    assert state.phase == "deploy"


@pytest.mark.parametrize(
    "state",
    [
        new_game(),
        hands("Kh Qs 2c", "Ac Jd 3c"),
        placing("Kh 2c / Qs", "Ad 3d", "4s"),
        table("Kh 2c / Qs", "Ad 3d"),
        ordering("Kh 2c 3c", "Ad 3d 4d", "Kh Ad"),
        fight("Kh 2c 3c 5s", "Ad 8d 9d").state,
    ],
)
def test_gc_02_either_may_throw_at_any_time(state: State) -> None:
    for seat in (0, 1):
        after = say(state, "throw rock scissors", seat=seat)
        assert after.state.queues[seat] == ("rock", "scissors")
        assert after.events == (Queued(seat, ("rock", "scissors")),)
        assert after.state == replace(state, queues=after.state.queues)


def test_gc_02_throws_are_hidden() -> None:
    state = table("Kh 2c / Qs", "Ad 3d")
    for one, two in [("rock", "paper"), ("paper paper", "scissors")]:
        first, second = say(state, f"throw {one}", seat=1), say(state, f"throw {two}", seat=1)
        assert GAME.view(first.state, 0) == GAME.view(second.state, 0) == GAME.view(state, 0)
        assert GAME.view(first.state, 1)["queue"] == [[], one.split()]
        assert GAME.news(first.events, 0) == ()
        assert GAME.news(first.events, 1) == first.events
        assert GAME.table(first.state, ("ann", "bob"))["queued"] == {"ann": 0, "bob": len(one.split())}


def test_gc_03_only_an_empty_queue_is_asked() -> None:
    state = say(new_game(), "throw rock paper", seat=1).state
    assert open_questions(state) == [(0, "roshambo")]
    state = say(state, "throw rock", seat=0).state
    assert open_questions(state) == [(0, "roshambo")]
    assert state.queues == ((), ("paper",))
    outcome = say(state, "throw rock rock", seat=0)
    assert outcome.state.dealer == 1
    assert outcome.state.queues == (("rock",), ())


def test_gc_03_a_repeated_match_takes_the_next_throws_at_once() -> None:
    state = say(new_game(), "throw rock paper scissors rock", seat=0).state
    outcome = say(state, "throw rock paper paper rock", seat=1)
    assert [each.winner for each in all_of(outcome.events, ThrowsMet)] == [-1, -1, 0]
    assert outcome.state.queues == (("rock",), ("rock",))
    assert outcome.state.dealer == 0


@every("match", ["dealer", "first", "flip", "standstill"])
@every(
    "text", ["deploy Kh 2c", "place Kh", "attack Kh Ad", "fortify", "hold", "order 2c", "continue", "stop", "trade Kh"]
)
def test_gc_03_nothing_else_is_possible_in_a_match(match: str, text: str) -> None:
    state = {
        "dealer": new_game(),
        "first": table("Kh 2c", "Ad 3d", phase="roshambo", match="first", turn=None),
        "flip": fight("Kh 2c 4c", "Ad 2d 5d").state,
        "standstill": say(table("Kh 2c", "Ad 2d", is_spent=True, holds=5), "hold").state,
    }[match]
    assert state.match == match
    for seat in (0, 1):
        assert refusal(state, text, seat=seat) == "GC-3"
        assert say(state, "resign", seat=seat).state.winner == 1 - seat


def test_gc_03_the_other_side_sees_only_that_a_throw_is_there() -> None:
    one, two = (say(new_game(), f"throw {each}", seat=0) for each in ("rock", "paper scissors"))
    assert GAME.view(one.state, 1) == GAME.view(two.state, 1)
    assert GAME.news(one.events, 1) == GAME.news(two.events, 1) == ()
    assert GAME.view(one.state, 1)["is_asked"] == [False, True]


# The deal


@pytest.mark.parametrize("seats", [-1, 0, 1, 3, 4])
def test_gc_04_two_play(seats: int) -> None:
    assert GAME.seats == (2,)
    with pytest.raises(ValueError, match="two players"):
        GAME.deal(seats, {}, CHANCE)


def test_gc_04_with_52_cards() -> None:
    state = dealt(1)
    assert sorted((*state.hands[0], *state.hands[1], *state.reserve)) == sorted(DECK)


def test_gc_04_there_are_no_options() -> None:
    assert GAME.options == {}
    with pytest.raises(ValueError, match="no options"):
        GAME.deal(2, {"players": 3}, CHANCE)


def test_gc_05_a_match_comes_first_and_its_winner_deals() -> None:
    state = new_game()
    assert open_questions(state) == [(0, "roshambo"), (1, "roshambo")]
    assert (state.hands, state.army, state.reserve, state.dealer) == (((), ()), ((), ()), (), None)
    assert throw(state, "rock", "scissors").state.dealer == 0
    outcome = throw(state, "rock", "paper")
    assert only(outcome.events, Dealt) == Dealt(1, again=False)


@pytest.mark.parametrize("dealer", [0, 1])
def test_gc_06_fifteen_each_singly_the_non_dealer_first(dealer: int) -> None:
    throws = ("rock", "scissors") if dealer == 0 else ("scissors", "rock")
    outcome = throw(new_game(), *throws)
    deck = CHANCE.shuffled("deal:1", DECK)
    state = outcome.state
    assert state.hands[1 - dealer] == deck[0:30:2]
    assert state.hands[dealer] == deck[1:30:2]
    assert state.reserve == deck[30:]
    assert (len(state.hands[0]), len(state.hands[1]), len(state.reserve)) == (15, 15, 22)
    assert only(outcome.events, Shuffled) == Shuffled("deal:1", deck)


def test_gc_06_each_sees_their_own_cards_only() -> None:
    outcome = throw(new_game(), "rock", "scissors")
    for seat in (0, 1):
        shown = GAME.view(outcome.state, seat)
        assert shown["hands"][seat] == list(outcome.state.hands[seat])
        assert shown["hands"][1 - seat] == ["??"] * 15
        assert shown["reserve_count"] == 22
        assert "reserve" not in shown
        assert [each.seat for each in all_of(GAME.news(outcome.events, seat), HandDealt)] == [seat]
        assert not all_of(GAME.news(outcome.events, seat), Shuffled)


def test_gc_07_face_cards_and_number_cards() -> None:
    assert [card for card in DECK if is_face(card)] == [rank + suit for suit in "cdhs" for rank in "JQKA"]
    assert [strength(rank + "h") for rank in "23456789T"] == [2, 3, 4, 5, 6, 7, 8, 9, 10]


def test_gc_07_suits_make_no_difference() -> None:
    for one in "cdhs":
        for two in "cdhs":
            if one != two:
                outcome = fight(f"K{one} 9{one} 2{one}", f"Q{two} 9{two} 3{two}")
                assert only(outcome.events, Flipped).winner == -1


def test_gc_07_face_cards_do_not_fight() -> None:
    assert refusal(ordering("Kh 2c 3c", "Ad 3d 4d", "Kh Ad"), "order Kh 2c 3c", seat=0) == "GC-22"
    assert refusal(hands("Kh Qs 2c", "Ac Jd 3c"), "deploy 2c Kh Qs", seat=0) == "GC-10"


@pytest.mark.parametrize("number", REDEALT)
@pytest.mark.parametrize("dealer", [0, 1])
def test_gc_08_without_a_face_card_it_is_dealt_again(number: int, dealer: int) -> None:
    luck = Chance(number.to_bytes(32, "big"))
    deck = luck.shuffled("deal:1", DECK)
    assert not all(any(map(is_face, hand)) for hand in (deck[0:30:2], deck[1:30:2]))
    state = dealt(number, dealer)
    again = luck.shuffled("deal:2", DECK)
    assert (state.hands[1 - dealer], state.hands[dealer], state.reserve) == (again[0:30:2], again[1:30:2], again[30:])


@pytest.mark.parametrize("lacking", ["face", "number"])
def test_gc_08_a_player_needs_face_cards_and_number_cards(lacking: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = [card for card in DECK if is_face(card) == (lacking == "number")]
    rest = [card for card in DECK if card not in kind[:15]]
    unfit = [card for pair in zip(kind[:15], [*rest[:3], *rest[-12:]], strict=True) for card in pair]
    decks = {"deal:1": (*unfit, *rest[3:-12]), "deal:2": CHANCE.shuffled("deal:2", DECK)}
    assert sorted(decks["deal:1"]) == sorted(DECK)
    monkeypatch.setattr(Chance, "shuffled", lambda _self, label, _items: decks[label])
    outcome = throw(new_game(), "rock", "scissors")
    assert [each.label for each in all_of(outcome.events, Shuffled)] == ["deal:1", "deal:2"]
    assert only(outcome.events, Dealt).again
    assert outcome.state.reserve == decks["deal:2"][30:]


# Deployment

MINE, THEIRS = "Kh Qs Jd 9c 4d 7h", "Ac Jc 2c 3c"


def test_gc_09_numbers_are_divided_as_one_likes() -> None:
    for text, wanted in {
        "deploy Kh 9c 4d 7h": "Kh 9c 4d 7h / Qs / Jd",
        "deploy Qs 9c Kh 4d Jd 7h": "Qs 9c / Kh 4d / Jd 7h",
        "deploy Jd Qs 7h 4d Kh 9c": "Jd / Qs 7h 4d / Kh 9c",
    }.items():
        state = say(hands(MINE, THEIRS), text, seat=0).state
        assert written(state.deployed[0]) == wanted
        after = say(state, "deploy Ac Jc 2c 3c", seat=1).state
        assert Counter(armies(after)[0].split(" / ")) == Counter(wanted.split(" / "))


def test_gc_10_face_cards_and_their_numbers_in_one_command() -> None:
    state = say(hands("Kh Qs 9c 4d 7h", THEIRS), "deploy Kh 9c 4d Qs 7h", seat=0).state
    assert written(state.deployed[0]) == "Kh 9c 4d / Qs 7h"


@every(
    "text",
    [
        "deploy Kh 9c 4d",  # a number card left out
        "deploy Kh Qs Jd",
        "deploy Kh 9c 4d 7h 7h",  # a number card twice
        "deploy Kh 9c Qs 4d Kh 7h",  # a face card twice
        "deploy 9c Kh 4d 7h",  # a number card without a commander
        "deploy 9c 4d 7h",
        "deploy Kh 9c 4d 7h 2s",  # not in the hand
        "deploy Kh 9c 4d 7h 2c",  # in the other's hand
        "deploy Ac 9c 4d 7h",
    ],
)
def test_gc_10_a_deployment_that_does_not_fit_is_refused(text: str) -> None:
    assert refusal(hands(MINE, THEIRS), text, seat=0) == "GC-10"


def test_gc_10_a_face_card_left_out_or_named_alone_is_bare() -> None:
    for text in ("deploy Kh 9c 4d 7h", "deploy Kh 9c 4d 7h Qs", "deploy Jd Qs Kh 9c 4d 7h"):
        state = say(hands(MINE, THEIRS), text, seat=0).state
        assert sorted(written(state.deployed[0]).split(" / ")) == ["Jd", "Kh 9c 4d 7h", "Qs"]


def test_gc_11_both_deploy_side_by_side_and_hidden() -> None:
    state = hands(MINE, THEIRS)
    assert open_questions(state) == [(0, "deploy"), (1, "deploy")]
    one, two = (say(state, f"deploy {each}", seat=0) for each in ("Kh 9c 4d 7h", "Qs 9c Jd 4d 7h"))
    assert open_questions(one.state) == [(1, "deploy")]
    assert GAME.view(one.state, 1) == GAME.view(two.state, 1)
    assert GAME.news(one.events, 1) == GAME.news(two.events, 1) == ()
    assert GAME.view(one.state, 1)["hands"] == [["??"] * 6, THEIRS.split()]
    assert GAME.view(one.state, 1)["deployed"] == GAME.view(one.state, 1)["army"] == [[], []]
    assert [each["commander"] for each in GAME.view(one.state, 0)["deployed"][0]] == ["Kh", "Qs", "Jd"]
    whole = GAME.table(one.state, ("ann", "bob"))
    assert whole["hands"] == {"ann": MINE.split(), "bob": THEIRS.split()}
    assert whole["army"] == {"ann": [], "bob": []}


def test_gc_11_then_both_armies_are_shown() -> None:
    state = say(hands(MINE, THEIRS), "deploy Kh 9c 4d 7h", seat=0).state
    outcome = say(state, "deploy Ac 2c Jc 3c", seat=1)
    shown = all_of(outcome.events, ArmyShown)
    assert [(each.seat, each.by_game) for each in shown] == [(0, False), (1, False)]
    assert shown[1].cards == ("Ac", "2c", "Jc", "3c")
    assert outcome.state.hands == ((), ())
    assert len(GAME.view(outcome.state, 0)["army"][1]) == 2


def test_gc_11_a_deployment_cannot_be_changed() -> None:
    state = say(hands(MINE, THEIRS), "deploy Kh 9c 4d 7h", seat=0).state
    assert refusal(state, "deploy Qs 9c 4d 7h", seat=0) == "GC-11"


@pytest.mark.parametrize("number", LONE)
def test_gc_11_with_one_face_card_the_host_deploys(number: int) -> None:
    state = dealt(number)
    faces = [sum(map(is_face, hand)) for hand in state.hands]
    (lone,) = [seat for seat in (0, 1) if faces[seat] == 1]
    assert open_questions(state) == [(1 - lone, "deploy")]
    assert len(state.hands[lone]) == 15
    (whole,) = state.deployed[lone]
    assert sorted((whole.commander, *whole.cards)) == sorted(state.hands[lone])
    assert refusal(state, f"deploy {whole.commander} {' '.join(whole.cards)}", seat=lone) == "GC-11"
    choice = GAME.choices(state, GAME.questions(state)[0])[0]
    outcome = say(state, choice.say[0], seat=1 - lone)
    assert {each.seat: each.by_game for each in all_of(outcome.events, ArmyShown)} == {lone: True, 1 - lone: False}
    assert outcome.state.turn == lone


@pytest.mark.parametrize(
    ("mine", "theirs", "first"),
    [("Kh Qs Jd 2c", "Ac Jc 3c", 1), ("Kh Qs 2c", "Ac Jc Js 3c", 0), ("Kh Qs 2c", "Ac 3c", 1)],
)
def test_gc_12_fewer_face_cards_begin(mine: str, theirs: str, first: int) -> None:
    state = say(hands(mine, theirs), f"deploy {mine}", seat=0).state
    outcome = say(state, f"deploy {theirs}", seat=1)
    assert only(outcome.events, TurnBegan).seat == first
    assert outcome.state.turn == first


@pytest.mark.parametrize("winner", [0, 1])
def test_gc_12_equal_numbers_throw_for_it(winner: int) -> None:
    state = say(hands("Kh Qs 2c", "Ac Jc 3c"), "deploy Kh 2c", seat=0).state
    state = say(state, "deploy Ac 3c", seat=1).state
    assert (state.match, state.turn) == ("first", None)
    assert open_questions(state) == [(0, "roshambo"), (1, "roshambo")]
    throws = ("paper", "rock") if winner == 0 else ("rock", "paper")
    outcome = throw(state, *throws)
    assert outcome.state.turn == winner
    assert only(outcome.events, ThrowsMet).match == "first"


def test_gc_12_queued_throws_decide_it_at_once() -> None:
    state = hands("Kh Qs 2c", "Ac Jc 3c", queues=(("paper",), ("rock", "rock")))
    state = say(state, "deploy Kh 2c", seat=0).state
    state = say(state, "deploy Ac 3c", seat=1).state
    assert (state.turn, state.queues) == (0, ((), ("rock",)))


def test_gc_13_armies_and_casualties_are_open() -> None:
    state = table("Kh 2c / Qs", "Ad 3d 4d", casualties=(("5h",), ("6h", "7h")), gone=(("Jh",), ()))
    one, two = GAME.view(state, 0), GAME.view(state, 1)
    for key in ("army", "casualties", "gone", "reserve_count"):
        assert one[key] == two[key]
    assert one["army"][1] == [{"commander": "Ad", "cards": ["3d", "4d"], "sum": 7}]
    assert one["casualties"] == [["5h"], ["6h", "7h"]]
    assert one["gone"] == [["Jh"], []]


@pytest.mark.parametrize("number", a_few(range(12), 4))
def test_gc_13_what_is_secret_does_not_show(number: int) -> None:
    rng = random.Random(number)
    for state in playout("game-of-champions", number).states:
        for seat in (0, 1):
            other = unseen(state, seat, rng)
            assert GAME.view(other, seat) == GAME.view(state, seat)
            assert GAME.questions(other) == GAME.questions(state)
            for question in GAME.questions(state):
                if question.seat == seat:
                    assert GAME.choices(other, question) == GAME.choices(state, question)
            assert GAME.ahead(other, seat) == GAME.ahead(state, seat)


def test_gc_13_the_reserve_is_secret() -> None:
    state = table("Kh 2c / Qs", "Ad 3d 4d")
    turned = replace(state, reserve=tuple(reversed(state.reserve)))
    for seat in (0, 1, HOST):
        assert GAME.view(state, seat) == GAME.view(turned, seat)
    assert GAME.view(state, None)["reserve"] == list(state.reserve)


# A turn


def test_gc_14_fortify_then_advantages_then_attack() -> None:
    state = table("Kh 2c / Qs 3c", "Ad 3d / Jc 4d", top="5h 6h 7h")
    state = say(state, "fortify", "place Kh").state
    assert open_questions(state) == [(1, "place")]
    assert (state.turn, state.drawn) == (1, "6h")
    for text in ("attack Ad Kh", "spy 2c 3c", "fortify", "trade Jc", "hold"):
        assert refusal(state, text, seat=1) == "GC-15"
    state = say(state, "place Ad").state
    assert open_questions(state) == [(1, "turn")]
    state = say(state, "spy 2c 3c", "attack Ad Kh").state
    assert state.phase == "order"


def test_gc_14_only_in_turn() -> None:
    state = table("Kh 2c / Qs 3c", "Ad 3d / Jc 4d")
    for text in ("fortify", "attack Ad Kh", "spy 2c 3c", "hold", "trade Jc", "general 3d Jc"):
        with pytest.raises(NotYet) as caught:
            say(state, text, seat=1)
        assert caught.value.clause == "GC-14"
    with pytest.raises(NotYet) as caught:
        say(placing("Kh 2c / Qs", "Ad 3d / Jc", "5h"), "place Ad", seat=1)
    assert caught.value.clause == "GC-14"


def test_gc_15_the_top_card_goes_under_any_commander() -> None:
    for commander, wanted in {"Kh": "Kh 2c 5h / Qs", "Qs": "Kh 2c / Qs 5h"}.items():
        outcome = say(placing("Kh 2c / Qs", "Ad 3d", "5h"), f"place {commander}")
        assert armies(outcome.state)[0] == wanted
        assert outcome.state.drawn is None
        assert outcome.events == (Placed(0, "5h", commander, by_game=False),)
        assert open_questions(outcome.state) == [(0, "turn")]


@pytest.mark.parametrize("text", ["place Ad", "place 2c", "place 5h", "place Jc", "place Kh Qs", "place Kh Kh"])
def test_gc_15_under_no_other_card(text: str) -> None:
    assert refusal(placing("Kh 2c / Qs", "Ad 3d", "5h"), text) == "GC-15"


def test_gc_15_both_see_the_drawn_card() -> None:
    outcome = say(table("Kh 2c / Qs", "Ad 3d", top="5h 6h"), "fortify")
    assert only(GAME.news(outcome.events, 1), Drawn) == Drawn(0, "5h", "end", len(outcome.state.reserve))
    assert outcome.state.reserve[0] == "6h"
    assert GAME.view(outcome.state, 1)["drawn"] == "5h"


def test_gc_15_a_drawn_face_card_is_a_bare_commander() -> None:
    outcome = say(table("Kh 2c / Qs", "Ad 3d / As", top="Jh Jd"), "fortify")
    assert armies(outcome.state) == ("Kh 2c / Qs / Jh", "Ad 3d / As / Jd")
    assert open_questions(outcome.state) == [(1, "turn")]
    assert not all_of(outcome.events, Placed)


def test_gc_15_without_a_reserve_the_first_step_is_left_out() -> None:
    outcome = say(table("Kh 2c / Qs", "Ad 3d / As", is_spent=True), "hold")
    assert open_questions(outcome.state) == [(1, "turn")]
    assert not all_of(outcome.events, Drawn)


def test_gc_16_a_lone_commander_gets_the_card() -> None:
    outcome = say(table("Kh 2c", "Ad 3d", top="5h 6h"), "fortify")
    assert armies(outcome.state) == ("Kh 2c 5h", "Ad 3d 6h")
    assert [each.by_game for each in all_of(outcome.events, Placed)] == [True, True]
    assert open_questions(outcome.state) == [(1, "turn")]


def test_gc_16_a_lone_card_needs_no_order() -> None:
    outcome = say(table("Kh 2c / Qs 4c", "Ad 3d 5d / Js 6d"), "attack Kh Ad")
    assert open_questions(outcome.state) == [(1, "order")]
    outcome = say(table("Kh 2c 4c / Qs", "Ad 3d / Js 6d"), "attack Kh Ad")
    assert open_questions(outcome.state) == [(0, "order")]
    outcome = say(table("Kh 2c / Qs 4c", "Ad 3d / Js 6d"), "attack Kh Ad")
    assert only(outcome.events, Flipped) == Flipped(1, "2c", "3d", as_ten=False, winner=1)
    assert outcome.state.turn == 1


def test_gc_16_the_commands_of_a_mail_up_to_one_that_is_not_allowed() -> None:
    state = placing("Kh 2c 4c / Qs 5c", "Ad 3d / Js 6d 7d", "9h")
    reply = ReplyContext(frozenset(each.key for each in GAME.questions(state)))
    lines = ["place Qs", "general 2c Qs", "general 4c Qs", "attack Qs Ad"]
    heard = interpret(GAME, state, 0, lines, reply, CHANCE)
    assert heard.said == ("place Qs", "general 2c Qs")
    assert heard.refused is not None
    assert (heard.refused.line, heard.refused.clause) == ("general 4c Qs", "GC-17")
    assert heard.untried == ("attack Qs Ad",)


@pytest.mark.parametrize(("rank", "text", "clause"), [("K", "general 2c Js", "GC-18"), ("A", "spy 3d 4d", "GC-19")])
def test_gc_17_a_bare_commander_has_no_advantage(rank: str, text: str, clause: str) -> None:
    state = table(f"{rank}h / Qs 2c / Js", "Ad 3d / Jc 4d")
    assert refusal(state, text) == clause
    assert GAME.view(state, 0)["may_general"] is GAME.view(state, 0)["may_spy"] is False
    held = table(f"{rank}h 5c / Qs 2c / Js", "Ad 3d / Jc 4d")
    assert say(held, text).state.has_used == rank
    assert (GAME.view(held, 0)["may_general"], GAME.view(held, 0)["may_spy"]) == (rank == "K", rank == "A")


def test_gc_17_each_once_in_a_turn_however_many() -> None:
    state = table("Kh 2c / Ks 3c 4c / Ah 5c / As 6c", "Ad 3d 5d / Jc 4d 6d")
    state = say(state, "general 2c Ks").state
    assert refusal(state, "general 3c Kh") == "GC-17"
    state = say(state, "spy 3d 4d").state
    assert refusal(state, "spy 5d 6d") == "GC-17"
    assert refusal(state, "general 3c Kh") == "GC-17"
    assert state.has_used == "KA"


def test_gc_17_again_in_the_next_turn() -> None:
    state = table("Kh 2c / Qs 3c", "Kd 3d / Jc 4d", top="Jh Jd Js As")
    state = say(state, "general 2c Qs", "fortify", "general 3d Jc", "fortify").state
    assert (state.turn, state.has_used) == (0, "")
    assert refusal(state, "general 3c Kh") == "GC-18"
    assert say(table("Kh 2c / Qs 3c", "Kd 3d"), "general 3c Kh").state.has_used == "K"


def test_gc_17_not_the_opponents_king_and_not_in_their_turn() -> None:
    assert refusal(table("Qh 2c / Qs 3c", "Kd 3d / Jc 4d"), "general 2c Qs") == "GC-18"
    assert refusal(table("Qh 2c / Qs 3c", "Kd 3d / Jc 4d"), "general 3d Jc", seat=1) == "GC-14"


def test_gc_17_king_and_ace_only_before_the_attack() -> None:
    state = ordering("Kh 2c 3c / Ah 4c", "Ad 3d 5d / Jc 4d", "Kh Ad")
    assert refusal(state, "general 2c Ah", seat=0) == "GC-22"
    assert refusal(state, "spy 3d 4d", seat=0) == "GC-22"
    state = fight("Kh 2c 3c 6c / Ah 4c", "Ad 3d 5d / Jc 4d").state
    assert refusal(state, "general 3c Ah") == "GC-26"
    assert refusal(state, "spy 3d 4d") == "GC-26"


def test_gc_17_a_bare_commander_that_gets_a_card_has_its_advantage() -> None:
    state = say(table("Kh 2c / Ah", "Ad 3d / Jc 4d"), "general 2c Ah").state
    assert say(state, "spy 3d 4d").state.has_used == "KA"


def test_gc_18_up_to_three_cards_move() -> None:
    state = table("Kh 2c 3c / Qs 4c 5c / Jh", "Ad 3d")
    for text, wanted in {
        "general 2c Qs": "Kh 3c / Qs 4c 5c 2c / Jh",
        "general 4c Jh 5c Kh": "Kh 2c 3c 5c / Qs / Jh 4c",
        "general 2c Jh 3c Jh 4c Jh": "Kh / Qs 5c / Jh 2c 3c 4c",
        "general 2c Qs 4c Kh 3c Jh": "Kh 4c / Qs 5c 2c / Jh 3c",
    }.items():
        outcome = say(state, text)
        assert armies(outcome.state)[0] == wanted
        assert outcome.events == (Generaled(0, tuple(text.split()[1:])),)
        assert open_questions(outcome.state) == [(0, "turn")]


@every(
    "text",
    [
        "general 2c Qs 3c Qs 4c Kh 5c Kh",  # four cards
        "general 2c Qs 2c Jh",  # a card twice
        "general 2c Qs 2c Qs",
        "general 2c Kh",  # it lies there
        "general 2c Qs 4c Qs",
        "general 2c",
        "general 2c Qs 3c",
        "general Qs 2c",
        "general 2c 4c",
        "general 2c Ad",  # the opponent's commander
        "general 3d Kh",  # the opponent's card
        "general 9h Kh",  # a card of the reserve pile
        "general Jh Kh",  # a face card
    ],
)
def test_gc_18_no_other_move(text: str) -> None:
    assert refusal(table("Kh 2c 3c / Qs 4c 5c / Jh", "Ad 3d"), text) == "GC-18"


def test_gc_18_an_emptied_battalion_is_bare_not_defeated() -> None:
    outcome = say(table("Kh 2c / Qs 4c", "Ad 3d"), "general 2c Qs")
    assert armies(outcome.state)[0] == "Kh / Qs 4c 2c"
    assert outcome.state.gone == ((), ())
    assert not all_of(outcome.events, Defeated)
    assert say(outcome.state, "trade Kh").state.gone == (("Kh",), ())


def test_gc_19_two_of_the_opponents_cards_are_exchanged() -> None:
    state = table("Ah 2c / Qs 4c", "Ad 3d 5d / Jc 4d 6d / Kc")
    outcome = say(state, "spy 5d 4d")
    assert armies(outcome.state) == ("Ah 2c / Qs 4c", "Ad 3d 4d / Jc 5d 6d / Kc")
    assert outcome.events == (Spied(0, "5d", "4d"),)
    assert open_questions(outcome.state) == [(0, "turn")]


@every(
    "text",
    [
        "spy 3d 5d",  # one battalion
        "spy 3d 3d",
        "spy Ad Jc",  # face cards
        "spy 3d Jc",
        "spy 3d Kc",
        "spy 2c 4c",  # one's own
        "spy 3d 2c",
        "spy 3d 9h",
        "spy 3d",
        "spy 3d 4d 6d",
    ],
)
def test_gc_19_no_other_exchange(text: str) -> None:
    assert refusal(table("Ah 2c / Qs 4c", "Ad 3d 5d / Jc 4d 6d / Kc"), text) == "GC-19"


def test_gc_20_a_bare_commander_for_a_card() -> None:
    outcome = say(table("Kh 2c / Qs / Jd", "Ad 3d", top="5h 6h"), "trade Qs")
    state = outcome.state
    assert armies(state)[0] == "Kh 2c / Jd"
    assert state.gone == (("Qs",), ())
    assert (state.drawn, state.reserve[0]) == ("5h", "6h")
    assert open_questions(state) == [(0, "place")]
    assert outcome.events == (Traded(0, "Qs"), Drawn(0, "5h", "trade", len(state.reserve)))
    after = say(state, "place Jd").state
    assert open_questions(after) == [(0, "turn")]
    assert armies(after)[0] == "Kh 2c / Jd 5h"


def test_gc_20_placed_by_the_game_or_a_new_commander() -> None:
    state = say(table("Kh 2c / Qs", "Ad 3d", top="5h"), "trade Qs").state
    assert armies(state)[0] == "Kh 2c 5h"
    assert open_questions(state) == [(0, "turn")]
    state = say(table("Kh 2c / Qs", "Ad 3d", top="Jh"), "trade Qs").state
    assert armies(state)[0] == "Kh 2c / Jh"
    assert open_questions(state) == [(0, "turn")]


def test_gc_20_as_often_as_one_likes_beside_the_advantages() -> None:
    state = table("Kh 2c 3c / Qs / Jd / Jc", "Ad 3d", top="5h 6h As")
    state = say(state, "trade Qs", "place Kh", "general 2c Jd", "trade Jc", "place Kh").state
    assert armies(state)[0] == "Kh 3c 5h 6h / Jd 2c"
    assert state.gone == (("Qs", "Jc"), ())
    assert (state.has_used, state.turn) == ("K", 0)
    assert say(state, "fortify").state.turn == 1


@pytest.mark.parametrize("text", ["trade Kh", "trade Jc", "trade As", "trade 2c", "trade Qs Jd", "trade Qs Qs"])
def test_gc_20_only_bare_commanders_of_ones_own(text: str) -> None:
    assert refusal(table("Kh 2c / Qs / Jd", "Ad 3d / Jc"), text) == "GC-20"


def test_gc_20_not_with_an_empty_reserve_pile() -> None:
    state = table("Kh 2c / Qs / Jd", "Ad 3d", is_spent=True)
    assert refusal(state, "trade Qs") == "GC-20"
    assert "trade" not in {each.kind for each in GAME.choices(state, GAME.questions(state)[0])}


def test_gc_20_not_before_the_first_step_nor_in_a_battle_nor_out_of_turn() -> None:
    assert refusal(placing("Kh 2c / Qs", "Ad 3d / Jc", "5h"), "trade Qs") == "GC-15"
    assert refusal(ordering("Kh 2c 3c / Qs", "Ad 3d / Jc", "Kh Ad"), "trade Qs") == "GC-22"
    assert refusal(fight("Kh 2c 3c 4c / Qs", "Ad 3d 4d / Jc").state, "trade Qs") == "GC-26"
    assert refusal(table("Kh 2c / Qs", "Ad 3d / Jc"), "trade Jc", seat=1) == "GC-14"


@every(
    "text",
    [
        "attack Ad Kh",
        "attack Kh",
        "attack Kh Ad Jc",
        "attack Qs Ad",
        "attack Kh Jc",
        "attack Kh Kh",
        "attack Kh 3d",
        "attack 2c 3d",
        "attack Ks Ad",
    ],
)
def test_gc_21_an_attack_names_one_battalion_of_each_side(text: str) -> None:
    assert refusal(table("Kh 2c / Qs", "Ad 3d / Jc"), text) == "GC-21"


def test_gc_21_an_attack_begins_a_battle() -> None:
    outcome = say(table("Kh 2c 3c / Qs", "Ad 3d 4d / Jc"), "attack Kh Ad")
    assert outcome.events == (Attacked(0, "Kh", "Ad"),)
    whole = GAME.table(outcome.state, ("ann", "bob"))
    assert whole["battle"] == {"attacker": "Kh", "defender": "Ad", "flips": 0}
    assert (whole["turn"], whole["phase"]) == ("ann", "order")


def test_gc_21_fortify_draws_once_more_and_ends_the_turn() -> None:
    state = say(table("Kh 2c / Qs", "Ad 3d", top="5h 6h 7h"), "fortify").state
    assert (state.turn, state.phase, state.drawn) == (0, "place", "5h")
    state = say(state, "place Qs").state
    assert armies(state) == ("Kh 2c / Qs 5h", "Ad 3d 6h")
    assert (state.turn, state.reserve[0]) == (1, "7h")


def test_gc_21_hold_with_an_empty_reserve_pile_only() -> None:
    assert refusal(table("Kh 2c", "Ad 3d"), "hold") == "GC-21"
    spent = table("Kh 2c", "Ad 3d", is_spent=True)
    assert refusal(spent, "fortify") == "GC-21"
    outcome = say(spent, "hold")
    assert outcome.events == (Held(0, 1), TurnBegan(1))
    last = replace(table("Kh 2c", "Ad 3d"), reserve=("9h",), gone=((), ()))
    assert refusal(last, "hold") == "GC-21"
    assert say(last, "fortify").state.reserve == ()


# A battle


def test_gc_22_orders_are_side_by_side_and_hidden() -> None:
    state = ordering("Kh 2c 3c 4c", "Ad 3d 4d 5d", "Kh Ad")
    assert open_questions(state) == [(0, "order"), (1, "order")]
    for seat, one, two in ((0, "2c 3c 4c", "4c 3c 2c"), (1, "3d 4d 5d", "5d 4d 3d")):
        first, second = (say(state, f"order {each}", seat=seat) for each in (one, two))
        assert open_questions(first.state) == [(1 - seat, "order")]
        assert GAME.view(first.state, 1 - seat) == GAME.view(second.state, 1 - seat)
        assert GAME.news(first.events, 1 - seat) == ()
        assert GAME.table(first.state, ("a", "b")) == GAME.table(second.state, ("a", "b"))


def test_gc_22_the_cards_fight_in_their_order() -> None:
    state = ordering("Kh 9c 3c 8c", "Ad 2d 4d 5d", "Kh Ad")
    state = say(state, "order 8c 3c 9c", seat=0).state
    outcome = say(state, "order 5d 2d 4d", seat=1)
    more = say(outcome.state, "continue all")
    flips = all_of((*outcome.events, *more.events), Flipped)
    assert [(each.attacking, each.defending) for each in flips] == [("8c", "5d"), ("3c", "2d"), ("9c", "4d")]


@pytest.mark.parametrize(
    "text", ["order 2c 3c", "order 2c 3c 4c 4c", "order 2c 3c 5c", "order 2c 2c 3c", "order 3d 4d 5d"]
)
def test_gc_22_an_order_names_every_card_once(text: str) -> None:
    assert refusal(ordering("Kh 2c 3c 4c / Qs 5c", "Ad 3d 4d 5d", "Kh Ad"), text, seat=0) == "GC-22"


def test_gc_22_an_order_cannot_be_changed() -> None:
    state = say(ordering("Kh 2c 3c 4c", "Ad 3d 4d 5d", "Kh Ad"), "order 2c 3c 4c", seat=0).state
    assert refusal(state, "order 4c 3c 2c", seat=0) == "GC-22"
    state = say(state, "order 3d 4d 5d", seat=1).state
    assert refusal(state, "order 4c 3c", seat=0) == "GC-26"


@every("mine", "23456789T")
@every("theirs", "23456789T")
def test_gc_23_the_higher_card_wins(mine: str, theirs: str) -> None:
    outcome = fight(f"Kh {mine}c 3h 4h", f"Ad {theirs}d 3s 4s")
    lead = "23456789T".index(mine) - "23456789T".index(theirs)
    flip = only(outcome.events, Flipped)
    assert flip.winner == (-1 if not lead else 0 if lead > 0 else 1)
    assert outcome.state.casualties == ((), (f"{theirs}d",) if lead > 0 else ()) if lead >= 0 else ((f"{mine}c",), ())
    if not lead:
        assert (outcome.state.phase, outcome.state.match) == ("roshambo", "flip")


@pytest.mark.parametrize("winner", [0, 1])
def test_gc_23_roshambo_decides_between_equals(winner: int) -> None:
    state = fight("Kh 5c 3h 4h", "Ad 5d 8s 9s").state
    assert open_questions(state) == [(0, "roshambo"), (1, "roshambo")]
    assert GAME.table(state, ("a", "b"))["battle"] == {"attacker": "Kh", "defender": "Ad", "flips": 1}
    assert state.turn == 0
    outcome = throw(state, *(("rock", "scissors") if winner == 0 else ("rock", "paper")))
    lost = "5d" if winner == 0 else "5c"
    assert only(outcome.events, TieBroken) == TieBroken(1 - winner, lost)
    assert outcome.state.casualties[1 - winner] == (lost,)
    assert outcome.state.casualties[winner] == ()
    assert open_questions(outcome.state) == [(0, "battle")]


def test_gc_23_the_loser_goes_to_the_casualties_of_its_owner() -> None:
    state = fight("Kh 9c 2h 4h", "Ad 5d 8s 9s", casualties=(("7c",), ("7d",))).state
    assert state.casualties == (("7c",), ("7d", "5d"))
    state = say(state, "continue").state
    assert state.casualties == (("7c", "2h"), ("7d", "5d"))
    assert armies(state) == ("Kh 9c 4h", "Ad 8s 9s")


@pytest.mark.parametrize(("defending", "winner"), [("9d", 0), ("Td", -1), ("2d", 0), ("8d", 0)])
def test_gc_24_a_two_under_an_attacking_jack_counts_ten(defending: str, winner: int) -> None:
    outcome = fight("Jh 2c 3h 4h", f"Ad {defending} 5s 6s")
    assert only(outcome.events, Flipped) == Flipped(1, "2c", defending, as_ten=True, winner=winner)


def test_gc_24_no_other_card_and_no_other_commander() -> None:
    assert only(fight("Jh 3c 4h", "Ad 9d 5s").events, Flipped) == Flipped(1, "3c", "9d", as_ten=False, winner=1)
    for rank in "AKQ":
        assert only(fight(f"{rank}h 2c 4h", "Jd 9d 5s").events, Flipped).winner == 1


def test_gc_24_not_in_defence() -> None:
    outcome = fight("Kh 3c 4h", "Jd 2d 5s")
    assert only(outcome.events, Flipped) == Flipped(1, "3c", "2d", as_ten=False, winner=0)
    outcome = fight("Jh 2h 4h", "Jd 2d 5s")
    assert only(outcome.events, Flipped).winner == 0


def test_gc_25_the_defenders_alive_come_round_in_their_order() -> None:
    state = fight("Kh 3c 9c 2c 4c 5c 6c", "Ad 8d 7d Td").state
    outcome = say(state, "continue all")
    flips = [(each.attacking, each.defending) for each in all_of(outcome.events, Flipped)]
    assert flips == [("9c", "7d"), ("2c", "Td"), ("4c", "8d"), ("5c", "Td"), ("6c", "8d")]
    assert only(outcome.events, BattleOver) == BattleOver(0, 1, 2)
    assert armies(outcome.state)[0] == "Kh 9c"


def test_gc_25_it_ends_after_the_attackers_last_card() -> None:
    outcome = fight("Kh 9c / Qs 4c", "Ad 8d 7d Td / Jc 2d")
    assert len(all_of(outcome.events, Flipped)) == 1
    assert only(outcome.events, BattleOver) == BattleOver(0, 1, 2)
    assert outcome.state.turn == 1
    assert outcome.state.battle is None


def test_gc_25_it_ends_when_no_defender_is_alive() -> None:
    outcome = fight("Kh 9c 8c 7c", "Ad 3d / Jc 2d")
    assert len(all_of(outcome.events, Flipped)) == 1
    assert only(outcome.events, BattleOver) == BattleOver(0, 3, 0)
    assert armies(outcome.state)[0] == "Kh 9c 8c 7c"


def test_gc_25_a_lone_defender_fights_every_card() -> None:
    outcome = say(fight("Kh 2c 3c 4c / Qs 9c", "Ad 5d / Jc 2d").state, "continue all")
    assert [each.defending for each in all_of(outcome.events, Flipped)] == ["5d", "5d"]
    assert only(outcome.events, BattleOver) == BattleOver(0, 0, 1)


def long_battle() -> State:
    """One flip of six is made; the defender's cards always win."""
    return fight("Kh 2c 3c 4c 5c 6c 7c / Qs 2h", "Ad 8d 9d").state


def test_gc_26_the_first_flip_is_not_asked_for() -> None:
    outcome = fight("Kh 2c 3c", "Ad 8d 9d")
    assert only(outcome.events, Flipped).number == 1
    assert open_questions(outcome.state) == [(0, "battle")]


@every(
    ("text", "flips"),
    [
        ("continue", 1),
        ("continue 1", 1),
        ("continue 2", 2),
        ("continue 4", 4),
        ("continue 5", 5),
        ("continue 6", 5),
        ("continue 99", 5),
        ("continue all", 5),
    ],
)
def test_gc_26_so_many_flips_as_are_asked_for(text: str, flips: int) -> None:
    outcome = say(long_battle(), text)
    assert len(all_of(outcome.events, Flipped)) == flips
    assert (outcome.state.battle is None) == (flips == 5)
    if flips < 5:
        assert open_questions(outcome.state) == [(0, "battle")]
        assert GAME.view(outcome.state, 1)["battle"]["flips"] == 1 + flips


def test_gc_26_the_attacker_may_stop() -> None:
    outcome = say(long_battle(), "stop")
    assert outcome.events[:2] == (Stopped(0), BattleOver(0, 5, 2))
    assert armies(outcome.state)[0] == "Kh 3c 4c 5c 6c 7c / Qs 2h"
    assert outcome.state.turn == 1


def test_gc_26_one_flip_at_least() -> None:
    assert refusal(long_battle(), "continue 0") == "GC-26"
    for text in ("continue -1", "continue 1.5", "continue half"):
        with pytest.raises(Invalid):
            say(long_battle(), text)


def test_gc_26_only_the_attacker_and_only_in_a_battle() -> None:
    for text in ("continue", "stop", "continue all"):
        assert refusal(long_battle(), text, seat=1) == "GC-14"
        assert refusal(table("Kh 2c", "Ad 3d"), text) == "GC-14"


@pytest.mark.parametrize(
    ("text", "flips", "phase"), [("continue 2", 2, "battle"), ("continue 3", 3, "battle"), ("continue all", 5, "turn")]
)
def test_gc_27_a_tie_counts_and_the_flips_go_on(text: str, flips: int, phase: str) -> None:
    state = fight("Kh 2c 9h 4c 5c 6c / Qs 2h", "Ad 8d 9d / Jc 2d").state
    tied = say(state, text)
    assert only(tied.events, Flipped).number == 2
    assert tied.state.phase == "roshambo"
    outcome = throw(tied.state, "rock", "paper")
    assert len(all_of((*tied.events, *outcome.events), Flipped)) == min(flips, 4)
    assert (outcome.state.phase == "battle") == (phase == "battle")


def test_gc_27_a_tie_at_the_last_of_them_asks_again() -> None:
    state = fight("Kh 2c 9h 4c 5c 6c / Qs 2h", "Ad 8d 9d / Jc 2d").state
    outcome = throw(say(state, "continue 1").state, "rock", "paper")
    assert not all_of(outcome.events, Flipped)
    assert open_questions(outcome.state) == [(0, "battle")]


def test_gc_27_queued_throws_decide_on_the_way() -> None:
    state = fight("Kh 2c 9h 4c 5c 6c / Qs 2h", "Ad 8d 9d / Jc 2d", queues=(("rock",), ("paper",))).state
    outcome = say(state, "continue 2")
    assert [type(each).__name__ for each in outcome.events] == ["Flipped", "ThrowsMet", "TieBroken", "Flipped"]
    assert outcome.state.queues == ((), ())


def test_gc_28_the_defender_without_cards_is_defeated() -> None:
    outcome = fight("Kh 9c", "Ad 3d / Jc 2d")
    assert only(outcome.events, Defeated) == Defeated(1, "Ad")
    assert outcome.state.gone == ((), ("Ad",))
    assert [each.commander for each in outcome.state.army[1]] == ["Jc"]


def test_gc_28_the_attacker_without_cards_is_defeated() -> None:
    outcome = fight("Kh 2c / Qs 9c", "Ad 3d / Jc 2d")
    assert only(outcome.events, Defeated) == Defeated(0, "Kh")
    assert outcome.state.gone == (("Kh",), ())
    assert [each.commander for each in outcome.state.army[0]] == ["Qs"]


def test_gc_28_other_bare_commanders_stay() -> None:
    outcome = fight("Kh 9c / Qs", "Ad 3d / Jc 2d / Js")
    assert outcome.state.gone == ((), ("Ad",))
    assert "Js" in {each.commander for each in outcome.state.army[1]}
    assert "Qs" in {each.commander for each in outcome.state.army[0]}


def test_gc_29_the_queen_brings_back_the_latest_casualty() -> None:
    outcome = say(fight("Qh 9c 2c / Kh 4c", "Ad 3d 5d / Jc 2d / Js", casualties=(("8h", "7h"), ())).state, "continue")
    assert only(outcome.events, Revived) == Revived(0, "2c", "Qh")
    assert armies(outcome.state)[0] == "Qh 9c 2c / Kh 4c"
    assert outcome.state.casualties == (("8h", "7h"), ("3d",))
    assert outcome.state.turn == 1


def test_gc_29_whichever_battle_it_fell_in() -> None:
    outcome = fight("Qh 9c / Kh 4c", "Ad 3d / Jc 2d / Js", casualties=(("8h", "7h"), ()))
    assert only(outcome.events, Revived) == Revived(0, "7h", "Qh")
    assert outcome.state.casualties[0] == ("8h",)


def test_gc_29_after_a_stop_too() -> None:
    state = fight("Qh 2c 9c 3c / Kh 4c", "Ad 3d 5d / Jc 2d / Js").state
    assert only(say(state, "stop").events, Revived).card == "2c"


def test_gc_29_not_without_a_battalion_a_casualty_or_a_queen() -> None:
    outcome = fight("Qh 2c / Kh 4c", "Ad 3d / Jc 2d / Js", casualties=(("8h",), ()))
    assert not all_of(outcome.events, Revived)
    assert outcome.state.casualties[0] == ("8h", "2c")
    assert outcome.state.gone[0] == ("Qh",)
    assert not all_of(fight("Qh 9c / Kh 4c", "Ad 3d / Jc 2d").events, Revived)
    assert not all_of(fight("Kh 9c / Qh 4c", "Ad 3d / Jc 2d", casualties=(("8h",), ())).events, Revived)


def test_gc_29_not_for_a_defending_queen() -> None:
    outcome = fight("Kh 2c / Qs 4c", "Qd 3d / Jc 2d", casualties=((), ("8h",)))
    assert not all_of(outcome.events, Revived)
    assert outcome.state.casualties[1] == ("8h",)


# The end


def test_gc_30_the_last_battalion_defeated() -> None:
    outcome = fight("Kh 9c", "Ad 3d / Jc / Js")
    assert only(outcome.events, Won) == Won(0, "battalions")
    assert (outcome.state.phase, outcome.state.winner, GAME.ending(outcome.state)) == ("over", 0, "battalions")
    assert outcome.state.army[1] == army("Jc / Js")
    assert GAME.questions(outcome.state) == ()
    whole = GAME.table(outcome.state, ("ann", "bob"))
    assert (whole["phase"], whole["turn"], whole["battle"], whole["dealer"]) == ("over", None, None, "bob")


def test_gc_30_an_attacker_may_lose_it() -> None:
    outcome = fight("Kh 2c / Qs", "Ad 3d / Jc")
    assert only(outcome.events, Won) == Won(1, "battalions")


def test_gc_30_a_battalion_left_plays_on() -> None:
    for state in (fight("Kh 9c", "Ad 3d / Jc 2d / Js").state, fight("Kh 2c / Qs 3c", "Ad 3d").state):
        assert (state.phase, state.turn) != ("over", None)
        assert state.turn == 1


def test_gc_30_looked_at_after_the_queen() -> None:
    outcome = fight("Qh 9c", "Ad 3d / Jc", casualties=(("8h",), ()))
    names = [type(each).__name__ for each in outcome.events]
    assert names[-4:] == ["BattleOver", "Defeated", "Revived", "Won"]
    assert armies(outcome.state)[0] == "Qh 9c 8h"


def test_gc_30_nothing_can_be_said_afterwards() -> None:
    state = fight("Kh 9c", "Ad 3d").state
    for seat in (0, 1):
        for text in ("fortify", "throw rock", "resign"):
            assert refusal(state, text, seat=seat) == "GC-30"


def test_gc_31_six_holds_are_a_standstill() -> None:
    state = table("Kh 2c 9c / Qs", "Ad 3d 4d", is_spent=True)
    for count in range(1, 6):
        outcome = say(state, "hold")
        state = outcome.state
        assert only(outcome.events, Held).count == count
        assert state.turn == count % 2
    outcome = say(state, "hold")
    assert only(outcome.events, Standstill) == Standstill((11, 7))
    assert only(outcome.events, Won) == Won(0, "standstill")
    assert GAME.ending(outcome.state) == "standstill"


@pytest.mark.parametrize(
    ("mine", "theirs", "winner"),
    [
        ("Kh 2c 3c", "Ad 6d", 1),
        ("Kh 2c 3c / Qs Tc", "Ad 6d 8d", 0),
        ("Jh 2c 2h", "Ad 5d", 1),
        ("Jh 2c / Jd 2h", "Ad 3d", 0),
    ],
)
def test_gc_31_the_larger_sum_wins_and_a_two_is_two(mine: str, theirs: str, winner: int) -> None:
    assert say(table(mine, theirs, is_spent=True, holds=5), "hold").state.winner == winner


def test_gc_31_casualties_do_not_count() -> None:
    state = table("Kh 2c", "Ad 3d", is_spent=True, holds=5, casualties=(("9c", "8c"), ()))
    assert say(state, "hold").state.winner == 1


def test_gc_31_an_attack_makes_the_count_begin_unseen() -> None:
    state = table("Kh 9c 2c / Qs 3c", "Ad 8d / Jc 4d", is_spent=True, holds=5)
    state = say(state, "attack Kh Ad", "order 2c 9c", "stop").state
    assert (state.turn, state.holds) == (1, 0)
    outcome = say(state, "hold")
    assert only(outcome.events, Held).count == 1
    assert outcome.state.phase == "turn"


def test_gc_31_advantages_do_not_end_the_count() -> None:
    state = table("Kh 9c 2c / Qs 3c", "Ad 8d / Jc 4d", is_spent=True, holds=5)
    assert say(state, "general 9c Qs", "hold").state.phase == "over"


@pytest.mark.parametrize("winner", [0, 1])
def test_gc_31_equal_sums_throw_for_it(winner: int) -> None:
    state = say(table("Kh 2c 9c", "Ad 5d 6d", is_spent=True, holds=5), "hold").state
    assert (state.match, state.turn) == ("standstill", None)
    assert open_questions(state) == [(0, "roshambo"), (1, "roshambo")]
    outcome = throw(state, *(("rock", "scissors") if winner == 0 else ("paper", "scissors")))
    assert only(outcome.events, Won) == Won(winner, "roshambo")
    assert GAME.ending(outcome.state) == "roshambo"


STATES = {
    "roshambo": new_game(),
    "deploy": hands(MINE, THEIRS),
    "place": placing("Kh 2c / Qs", "Ad 3d", "4s"),
    "turn": table("Kh 2c / Qs", "Ad 3d"),
    "order": ordering("Kh 2c 3c", "Ad 3d 4d", "Kh Ad"),
    "battle": fight("Kh 2c 3c 5s", "Ad 8d 9d").state,
}


@every("phase", list(STATES))
@every("seat", [0, 1])
def test_gc_32_silence_and_resigning_give_the_game_away(phase: str, seat: int) -> None:
    state = STATES[phase]
    outcome = say(state, "resign", seat=seat)
    assert outcome.events == (Left(seat, "resign"), Won(1 - seat, "resign"))
    assert GAME.result(outcome.state) == Result(1 - seat, 1 - seat)
    if seat not in asked(state):
        with pytest.raises(Illegal) as caught:
            GAME.timeout(state, seat, CHANCE)
        assert caught.value.clause == "GC-32"
        return
    outcome = GAME.timeout(state, seat, CHANCE)
    assert outcome.events == (Left(seat, "timeout"), Won(1 - seat, "timeout"))
    assert (GAME.ending(outcome.state), outcome.state.turn) == ("timeout", None)
    assert GAME.result(outcome.state) == Result(1 - seat, 1 - seat)


def test_gc_32_who_has_sent_theirs_cannot_be_silent() -> None:
    sent = [
        say(STATES["roshambo"], "throw rock", seat=0).state,
        say(STATES["deploy"], "deploy Kh 9c 4d 7h", seat=0).state,
        say(STATES["order"], "order 2c 3c", seat=0).state,
    ]
    for state in sent:
        with pytest.raises(Illegal):
            GAME.timeout(state, 0, CHANCE)
        assert GAME.timeout(state, 1, CHANCE).state.winner == 0


def test_gc_32_there_is_no_money() -> None:
    for state in (*STATES.values(), fight("Kh 9c", "Ad 3d").state):
        assert GAME.winnings(state) == (0, 0)
        assert GAME.earnings(state) == ()
    assert GAME.currency == ""


def test_gc_32_the_rest_of_the_table_stands() -> None:
    state = STATES["battle"]
    after = say(state, "resign", seat=1).state
    assert replace(after, phase="battle", turn=0, winner=None, ending=None) == state


@pytest.mark.parametrize("text", ["resign", "throw rock", "deploy Kh 2c", "fortify", "continue"])
def test_gc_13_the_host_has_no_command(text: str) -> None:
    for state in STATES.values():
        assert refusal(state, text, seat=HOST) == "GC-13"
