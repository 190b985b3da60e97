"""What people write to The Game of Champions: sayings by phase, the commands they mean, and what is not understood."""

import random
from pathlib import Path

import pytest

from host.engine.cards import DECK, face, name
from host.engine.chance import Chance
from host.engine.game import Illegal, Invalid
from host.games.game_of_champions import GAME
from host.games.game_of_champions.commands import THROWS_IN_A_LINK, VOCABULARY
from host.games.game_of_champions.state import State, asked, is_face
from host.mail.outbound.formatting import typed
from host.play.interpret import OVER_BY_THEN, interpret
from host.play.interpretation import Interpretation, ReplyContext
from tests.games.game_of_champions.playing import CHANCE, fight, hands, new_game, ordering, placing, say, table
from tests.games.sayings import Sayings, commands
from tests.rows import every

SAYINGS = Path(__file__).parent / "sayings.toml"
TABLES: dict[str, State] = {
    "roshambo": new_game(),
    "deploy": hands("Kh Qs 9c 4d 7h", "Ac Jd 2c 3c"),
    "place": placing("Kh 9c 4d / Qs 7h / Jc", "Ad 2c / Ks 3d 8s / Ah", "5s"),
    "turn": table(
        "Kh 4d 3h / Ac 9c / Qd 5c / Jd", "Qs 7h 8c / As 6h 8d / Ks", top="Kd", queues=(("rock",), ("paper",))
    ),
    "order": ordering("Kh 9c 4d 2s / Qc 3c", "Qs 7h 8c", "Kh Qs"),
    "battle": fight("Kh 9c 4d 2s 5d / Qc 3c", "Qs 7h 8c 6c").state,
}
CANONICAL = [
    "throw rock",
    "throw rock paper scissors",
    "deploy Kh 9c 4d Qs 7h",
    "place Kh",
    "general 9c Kh",
    "general 9c Kh 4d Qs 2c Kh",
    "spy 9c 4d",
    "trade Jc",
    "attack Kh Qs",
    "fortify",
    "hold",
    "order 9c 4d 2s",
    "continue",
    "continue 3",
    "continue all",
    "stop",
    "resign",
]
SEVERAL: list[tuple[str, str, list[str]]] = [
    ("deploy", "deploy Kh 9c 4d; Qs 7h; throw rock, paper", ["deploy Kh 9c 4d Qs 7h", "throw rock paper"]),
    ("deploy", "throw rock, paper then deploy K: 9 4, Q: 7", ["throw rock paper", "deploy Kh 9c 4d Qs 7h"]),
    ("deploy", "deploy K♥: 9♣ 4♦; Q♠: 7♥. Then throw scissors.", ["deploy Kh 9c 4d Qs 7h", "throw scissors"]),
    ("place", "Kh, attack Kh Ad", ["place Kh", "attack Kh Ad"]),
    ("place", "place Kh; attack king ace", ["place Kh", "attack Kh Ad"]),
    ("place", "Put it under the queen, then swap 2c and 3d", ["place Qs"]),
    ("place", "5♠ under K♥, move 9♣ and 4♦ to J♣, J♣ attacks A♦", ["place Kh", "general 9c Jc 4d Jc", "attack Jc Ad"]),
    ("place", "place it under the jack and fortify", ["place Jc", "fortify"]),
    ("place", "place Kh; attack Kh Ks; order 9c 4d 5s", ["place Kh", "attack Kh Ks", "order 9c 4d 5s"]),
    ("turn", "trade Jd, fortify", ["trade Jd", "fortify"]),
    ("turn", "move 9 to the king and 4 to the queen; spy 7h 6h", ["general 9c Kh 4d Qd"]),
    ("turn", "swap 7h and 6h, attack Q♠ with K♥, order 4d 3h", ["spy 7h 6h", "attack Kh Qs", "order 4d 3h"]),
    ("turn", "attack Kh Qs, rock, paper", []),
    ("turn", "attack Kh Qs and then throw rock, paper", ["attack Kh Qs", "throw rock paper"]),
    ("battle", "continue and stop", ["continue", "stop"]),
    ("battle", "keep going, then stop", ["continue", "stop"]),
    ("battle", "one more flip, then stop", ["continue 1", "stop"]),
    ("battle", "throw rock; continue 2", ["throw rock", "continue 2"]),
    ("battle", "Two more flips! Then retreat. Thanks!", ["continue 2", "stop"]),
    ("roshambo", "first rock, then paper", ["throw rock paper"]),
    ("roshambo", "paper first, and if that's equal rock, and then paper", ["throw paper rock paper"]),
    ("roshambo", "Rock; should it be a tie, scissors", ["throw rock scissors"]),
]


class TestSayings(Sayings):
    game = GAME
    file = SAYINGS
    tables = TABLES
    attempts = ("attack", "place", "throw", "order", "continue -3", "don't attack", "atack him", "deploy?", "spy 5")
    reasons = (
        ("turn", "attack Kx", "I could not read “attack Kx”: type attack, your commander, then theirs."),
        ("turn", "place it", "I could not read “place it”: type place and one of your commanders."),
        ("turn", "abracadabra", "I could not read “abracadabra” as a move."),
        ("turn", "spy 8 7", "There is more than one eight: name its suit too."),
    )


def heard(state: State, *lines: str) -> Interpretation:
    """What becomes of a mail of seat 0 that answers what is asked."""
    return interpret(GAME, state, 0, lines, ReplyContext(frozenset(each.key for each in GAME.questions(state))), CHANCE)


@every(("phase", "text", "wanted"), SEVERAL)
def test_several_in_a_line(phase: str, text: str, wanted: list[str]) -> None:
    assert list(heard(TABLES[phase], text).said) == wanted


@pytest.mark.parametrize("text", ["general 7h under", "(7h) onto", "put the 7h and the 9c onto"])
def test_a_card_that_goes_under_nobody_is_no_command(text: str) -> None:
    with pytest.raises(Invalid):
        GAME.parse(text, TABLES["turn"], 0)


@every("card", [card for card in DECK if is_face(card)])
def test_each_commander_can_be_named(card: str) -> None:
    for text in (card, face(card), name(card), card.upper(), f"the {name(card)}", name(card).title()):
        assert commands(GAME, f"place {text}", TABLES["place"]) == [f"place {card}"]
        assert commands(GAME, f"put it under {text}", TABLES["place"]) == [f"place {card}"]


@every("card", [card for card in DECK if not is_face(card)])
def test_each_number_card_can_be_named(card: str) -> None:
    rank = "10" if card[0] == "T" else card[0]
    for text in (
        card,
        face(card),
        name(card),
        rank + card[1],
        f"{rank} of {name(card).split()[-1]}",
        f"{rank} {card[1]}",
    ):
        assert commands(GAME, f"order {text}", TABLES["order"]) == [f"order {card}"]
        assert commands(GAME, f"move {text} to Kh", TABLES["turn"]) == [f"general {card} Kh"]


def test_numbers_of_flips_are_what_they_are() -> None:
    for number in range(1, 101):
        assert commands(GAME, f"continue {number} flips", TABLES["battle"]) == [f"continue {number}"]


def test_canonical_words_mean_themselves_in_every_phase() -> None:
    assert {text.split()[0] for text in CANONICAL} == {row.verb for row in VOCABULARY.rows}
    for state in TABLES.values():
        for text in CANONICAL:
            for seat in (0, 1):
                assert GAME.say(GAME.parse(text, state, seat)) == text


@pytest.mark.parametrize(
    ("phase", "text"),
    [
        ("turn", "attack Qs Kh"),
        ("turn", "general 9c 4d Qd"),
        ("turn", "general 4d Kh"),
        ("place", "place 5s Kh"),
        ("place", "deploy Kh"),
        ("order", "attack 9c 4d 2s"),
    ],
)
def test_canonical_words_are_not_put_right(phase: str, text: str) -> None:
    assert commands(GAME, text, TABLES[phase]) == [text]
    with pytest.raises(Illegal):
        say(TABLES[phase], text, seat=0)


# Ranks without suits


def test_a_rank_means_the_one_commander_it_can() -> None:
    state = table("Kh 4d / Ks / Qd 5c", "Qs 7h / Qc / Kc 2c")
    assert commands(GAME, "attack king queen", state) == ["attack Kh Qs"]
    assert commands(GAME, "attack their king with my queen", state) == ["attack Qd Kc"]
    assert commands(GAME, "trade king", state) == ["trade Ks"]
    assert commands(GAME, "move 4 to the queen", state) == ["general 4d Qd"]


@pytest.mark.parametrize("text", ["attack king queen", "K vs Q", "attack their queen with my king"])
def test_a_rank_of_two_commanders_does_not_do(text: str) -> None:
    state = table("Kh 4d / Ks 3d", "Qs 7h")
    with pytest.raises(Invalid, match="more than one king"):
        GAME.parse(text, state, 0)


def test_a_rank_means_nothing_of_the_other_side() -> None:
    state = table("Kh 4d / Jd", "Qs 7h / Ac 5h")
    for text in (
        "attack ace king",
        "attack king king",
        "trade ace",
        "move 7 to the king",
        "spy 4 5",
        "attack jack ace",
    ):
        with pytest.raises(Invalid):
            GAME.parse(text, state, 0)


def test_in_an_order_equal_ranks_are_named_as_often() -> None:
    state = ordering("Kh 9c 4d 9s", "Qs 7h 8c", "Kh Qs")
    assert commands(GAME, "9, 4, 9", state) == ["order 9s 4d 9c"]
    assert commands(GAME, "order nine nine four", state) == ["order 9s 9c 4d"]
    with pytest.raises(Invalid):
        GAME.parse("order 9 9 9 4", state, 0)


def test_the_defender_orders_by_ranks_too() -> None:
    assert GAME.say(GAME.parse("8, 7", TABLES["order"], 1)) == "order 8c 7h"


@pytest.mark.parametrize(
    "text", ["8 last", "the seven first", "7h in front", "the 8 at the end", "seven leads", "first the 7"]
)
def test_of_two_that_fight_the_other_has_the_place_that_is_left(text: str) -> None:
    assert GAME.say(GAME.parse(text, TABLES["order"], 1)) == "order 7h 8c"


@pytest.mark.parametrize("text", ["the 8 behind the 7", "those eight first", "both 7 and 8 first"])
def test_words_that_turn_an_order_round_say_none(text: str) -> None:
    with pytest.raises(Invalid):
        GAME.parse(text, TABLES["order"], 1)


def test_of_three_that_fight_one_alone_says_no_order() -> None:
    assert GAME.say(GAME.parse("9 first", TABLES["order"], 0)) == "order 9c"


def test_a_deployment_may_take_several_lines() -> None:
    found = heard(TABLES["deploy"], "Hello!", "", "deploy", "K♥: 9♣ 4♦", "Q♠: 7♥", "", "Thanks,", "Jack")
    assert (found.said, found.refused) == (("deploy Kh 9c 4d Qs 7h",), None)


# Links


@pytest.mark.parametrize("phase", list(TABLES))
def test_the_labels_of_the_links_can_be_typed(phase: str) -> None:
    state = TABLES[phase]
    question = next(each for each in GAME.questions(state) if each.seat == 0)
    assert question.phase == phase
    for choice in GAME.choices(state, question):
        said = ("continue 1",) if choice.label == "One more flip" else choice.say
        assert tuple(commands(GAME, choice.label, state)) == said
        found = heard(state, choice.label)
        assert (found.said, found.refused) == (said, None)


def test_each_kind_of_link_is_there() -> None:
    kinds = {
        phase: {choice.kind for choice in GAME.choices(state, GAME.questions(state)[0])}
        for phase, state in TABLES.items()
    }
    assert kinds == {
        "roshambo": {"throw"},
        "deploy": {"deploy"},
        "place": {"place"},
        "turn": {"attack", "fortify", "general", "spy", "trade"},
        "order": {"order"},
        "battle": {"continue all", "continue", "continue some", "stop"},
    }
    spent = table("Kh 4d / Jd", "Qs 7h", is_spent=True)
    assert {each.kind for each in GAME.choices(spent, GAME.questions(spent)[0])} == {"attack", "hold", "general"}


def test_there_is_a_link_for_every_commander_to_place_under() -> None:
    state = TABLES["place"]
    said = [choice.say for choice in GAME.choices(state, GAME.questions(state)[0])]
    assert said == [("place Kh",), ("place Qs",), ("place Jc",)]


def test_a_link_throws_ten() -> None:
    tens = set()
    for salt in ("00" * 8, "11" * 8):
        state = State(salt=salt)
        for question in GAME.questions(state):
            (ten,) = GAME.choices(state, question)[-1].say
            assert len(ten.split()) == 1 + THROWS_IN_A_LINK
            tens.add(ten)
    assert len(tens) == 4


def test_sending_ahead_is_proposed_to_an_attacker_who_waits() -> None:
    state = TABLES["order"]
    assert [choice.say for choice in GAME.ahead(state, 0)] == [("continue all",)]
    waiting = say(state, "order 9c 4d 2s", seat=0).state
    assert asked(waiting) == (1,)
    assert [choice.say for choice in GAME.ahead(waiting, 0)] == [("continue all",)]
    assert GAME.ahead(waiting, 1) == ()
    assert GAME.ahead(TABLES["turn"], 0) == ()


def test_what_is_for_a_battle_is_dropped_after_it() -> None:
    def scope(phase: str, text: str) -> str:
        return GAME.scope(TABLES[phase], GAME.parse(text, TABLES[phase], 0))

    assert scope("battle", "continue all") == scope("battle", "stop") == scope("order", "order 9c 4d 2s") == "1"
    assert scope("turn", "continue all") == scope("battle", "attack Kh Qs") == scope("battle", "throw rock") == ""


def test_a_deployment_with_a_ten_that_ends_with_a_bare_commander_is_read_as_its_button_writes_it() -> None:
    chance = Chance((24).to_bytes(32, "big"))
    state = GAME.deal(2, GAME.named_options, chance).state
    for seat, text in ((0, "throw rock"), (1, "throw paper")):
        state = GAME.apply(state, seat, GAME.parse(text, state, seat), chance).state
    offered = [choice.say[0] for each in GAME.questions(state) for choice in GAME.choices(state, each)]
    assert any("T" in each and each[-2] in "JQKA" for each in offered)
    for text in offered:
        assert GAME.say(GAME.parse(typed(text), state, 0)) == text


@pytest.mark.parametrize(
    "text", ["please deploy Kh 10c As 8h Js", "deploy Kh 10c As 8h Js, thanks!", "DEPLOY KH 10C AS 8H PLEASE"]
)
def test_the_ace_of_spades_is_no_small_word(text: str) -> None:
    state = hands("Kh As Js Tc 8h", "Ac Jd 2c 3c")
    context = ReplyContext(frozenset(question.key for question in GAME.questions(state) if question.seat == 0))
    found = interpret(GAME, state, 0, [text], context, CHANCE)
    assert found.said in (("deploy Kh Tc As 8h",), ("deploy Kh Tc As 8h Js",), ())
    assert found.said or (found.refused and found.refused.readings[0].startswith("deploy Kh Tc As 8h"))


@every(
    "text",
    [
        "K 9c 4d, A 7h 2s",
        "K: 9c 4d\nA: 7h 2s",
        "K - 9c 4d\nA - 7h 2s",
        "k 9c 4d; a 7h 2s",
        "K with 9c 4d, A with 7h 2s",
        "7h, 2s under my A, 9c 4d under the K",
    ],
)
def test_an_ace_may_be_written_as_a_letter(text: str) -> None:
    found = heard(hands("Kh Ac 9c 4d 7h 2s", "Qc Jd 2c 3c 5c 6c"), *text.split("\n"))
    assert {*" ".join(found.said).split("deploy ")[1:]} in ({"Kh 9c 4d Ac 7h 2s"}, {"Ac 7h 2s Kh 9c 4d"})


@every("text", ["a 9c would suit the K", "Have A nice game, A"])
def test_an_a_that_may_be_an_article_plays_nothing(text: str) -> None:
    assert not heard(hands("Kh Ac 9c 4d 7h 2s", "Qc Jd 2c 3c 5c 6c"), text).said


@every("text", ["attack Q with my J", "attack the Q with J", "my J attacks the Q"])
def test_who_attacks_with_a_letter(text: str) -> None:
    assert heard(table("Jh 4d / Qd 5c", "Qs 7h / Ks 6d"), text).said[:1] == ("attack Jh Qs",)


@every(
    "text",
    ["attack Jh Qs, fortify", "fortify, attack Jh Qs", "J attacks the Q. Then I attack the K with Q"],
)
def test_of_two_that_end_a_turn_none_is_played(text: str) -> None:
    found = heard(table("Jh 4d / Qd 5c", "Qs 7h / Ks 6d"), text)
    assert (found.said, found.ahead) == ((), ())
    assert found.refused is not None
    assert "attack Jh Qs" in found.refused.readings[:2]


def test_what_was_for_a_battle_ends_with_it() -> None:
    state = fight("Kh 9c 8c / Qc 3c", "Qs 7h 2h / Jc 6d").state
    found = heard(state, "continue, then continue all")
    assert found.said == ("continue",)
    assert found.ahead == ()
    assert found.refused is not None
    assert found.refused.reason == OVER_BY_THEN


def test_the_second_step_of_a_button_falls_away_where_the_first_ended_the_battle() -> None:
    fallen = 0
    for seed in range(12):
        chance, pick = Chance(bytes([seed]) * 32), random.Random(seed)
        state = GAME.deal(2, {}, chance).state
        while questions := GAME.questions(state):
            each = pick.choice(questions)
            steps = pick.choice([*GAME.choices(state, each), *GAME.whole(state, each)]).say
            keys = frozenset(question.key for question in questions)
            found = interpret(GAME, state, each.seat, steps, ReplyContext(keys), chance)
            assert found.refused is None, (seed, steps)
            fallen += len(found.said) + len(found.ahead) < len(steps)
            state = found.state
            if state.moves > 150:
                break
    assert fallen > 3
