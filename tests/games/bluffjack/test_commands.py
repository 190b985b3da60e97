"""What people write to Bluffjack: sayings by phase, the commands they mean, and what is not understood."""

from pathlib import Path

import pytest

from host.engine.game import Invalid
from host.engine.grammar import is_polite
from host.games.bluffjack import GAME
from host.games.bluffjack.commands import VOCABULARY
from host.games.bluffjack.state import State
from host.play.interpret import interpret
from host.play.interpretation import ReplyContext
from tests.games.bluffjack.playing import CHANCE, betting, last_bets, new_game, say, table, turns
from tests.games.sayings import Sayings, commands
from tests.rows import every

SAYINGS = Path(__file__).parent / "sayings.toml"
HANDS = ("Tc 7c", "Td 7d", "Th 7h")
TABLES: dict[str, State] = {
    "owing": betting(HANDS, in_pot=(20, 50, 50)),
    "free": last_bets(HANDS),
    "card": table(HANDS),
}
LAST: dict[str, State] = {
    "owing": betting(HANDS[:2], in_pot=(20, 50), acted=(False, True)),
    "free": betting(HANDS[:2], acted=(False, True)),
    "card": table(HANDS, standing=(False, True, True), top="2c 2d 2h"),
}

SEVERAL: list[tuple[str, str, list[str]]] = [
    ("owing", "call, hit", ["call", "hit"]),
    ("owing", "Call and hit me", ["call", "hit"]),
    ("owing", "I'll call, then hit me please", ["call", "hit"]),
    ("owing", "call; stand", ["call", "stand"]),
    ("owing", "Call. Stay.", ["call", "stand"]),
    ("owing", "Call 30, another card please!", ["call", "hit"]),
    ("owing", "Hi! I call the bet & I'll take a card. Thanks", ["call", "hit"]),
    ("free", "check; hit", ["check", "hit"]),
    ("free", "Check and then stand", ["check", "stand"]),
    ("free", "pass then no more cards", ["check", "stand"]),
    ("card", "hit; hit; stand", ["hit", "hit", "stand"]),
    ("card", "hit me, hit me, then stay", ["hit", "hit", "stand"]),
    ("card", "one more card and one more card", ["hit", "hit"]),
    ("card", "stand; check", ["stand", "check"]),
    ("card", "Stand on 17, then bet 20", ["stand", "raise 20"]),
    ("card", "stand and raise all", ["stand", "raise all"]),
    ("card", "stand, all in", ["stand", "raise all"]),
    ("card", "No more cards, thanks. Bet twenty, please.", ["stand", "raise 20"]),
    ("card", "stick & raise by 1,000 chips", ["stand", "raise 1000"]),
]


class TestSayings(Sayings):
    game = GAME
    file = SAYINGS
    tables = TABLES
    attempts = ("raise", "raise 12.5", "raise to 50", "don't fold", "cal", "call 31", "hitt", "riase 20")
    reasons = (
        ("owing", "raise -5", "I could not read “raise -5”: type raise and a whole number of chips, or raise all."),
        (
            "owing",
            "raise to 50",
            "I could not read “raise to 50”: type raise and a whole number of chips, or raise all.",
        ),
        ("owing", "call 31", "I could not read “call 31”: type the word call."),
        ("card", "stand on 16", "I could not read “stand on 16”: type the word stand."),
        ("card", "abracadabra", "I could not read “abracadabra” as a move."),
    )


@every(("phase", "text", "wanted"), SEVERAL)
def test_several_in_a_line(phase: str, text: str, wanted: list[str]) -> None:
    state = LAST[phase]
    said = []
    for part in GAME.split(text):
        if not is_polite(part):
            said.append(GAME.say(GAME.parse(part, state, 0)))
            if said[-1] not in ("raise 1000",):
                state = say(state, part, seat=0).state
    assert said == wanted


@pytest.mark.parametrize(
    "text",
    [
        "call and raise 20",
        "I'll see it and raise 20",
        "see you and raise 20",
        "I see your 30 and raise you 20",
        "call 30 & raise by 20",
        "match the bet and re-raise 20",
    ],
)
def test_to_call_and_raise_is_one_move(text: str) -> None:
    assert commands(GAME, text, TABLES["owing"]) == ["raise 20"]
    assert commands(GAME, "call, raise 20", TABLES["owing"]) == ["call", "raise 20"]
    assert commands(GAME, "call then raise 20", TABLES["owing"]) == ["call", "raise 20"]


def test_a_figure_beside_call_or_stand_must_be_that_of_the_table() -> None:
    assert commands(GAME, "call 30", TABLES["owing"]) == ["call"]
    assert commands(GAME, "call 45", betting(HANDS, in_pot=(5, 50, 50))) == ["call"]
    assert commands(GAME, "call 12", betting(HANDS, in_pot=(5, 50, 50), chips=(12, 100, 100))) == ["call"]
    assert commands(GAME, "call all in", betting(HANDS, in_pot=(5, 50, 50), chips=(12, 100, 100))) == ["call"]
    assert commands(GAME, "stand on 20", table(["Tc Jc", "Td 7d"])) == ["stand"]
    for text, state in (("call 30", TABLES["free"]), ("call 30", TABLES["card"]), ("stand on 17", TABLES["owing"])):
        with pytest.raises(Invalid):
            commands(GAME, text, state)


def test_numbers_in_digits_are_what_they_are() -> None:
    for number in range(1000):
        assert GAME.say(GAME.parse(f"raise {number}", TABLES["owing"], 0)) == f"raise {number}"


def test_canonical_words_mean_themselves_in_every_phase() -> None:
    said = ["fold", "call", "check", "raise 5", "raise all", "hit", "stand", "resign"]
    assert {text.split()[0] for text in said} == {row.verb for row in VOCABULARY.rows}
    for state in TABLES.values():
        for text in said:
            assert GAME.say(GAME.parse(text, state, 0)) == text


# Links


def said(state: State) -> list[str]:
    return [choice.say[0] for choice in GAME.choices(state, GAME.questions(state)[0])]


def test_each_kind_of_link_is_there() -> None:
    kinds = {
        phase: {choice.kind for choice in GAME.choices(state, GAME.questions(state)[0])}
        for phase, state in TABLES.items()
    }
    assert kinds == {
        "owing": {"call", "raise", "raise all", "fold"},
        "free": {"check", "raise", "raise all", "fold"},
        "card": {"hit", "stand"},
    }


def test_links_to_raise_are_of_an_ante_two_and_the_pots_size() -> None:
    assert said(TABLES["owing"]) == ["call", "raise 10", "raise 20", "raise 50", "raise all", "fold"]
    assert said(TABLES["free"]) == ["check", "raise 10", "raise 20", "raise all", "fold"]
    assert said(betting(HANDS, hand=6)) == ["check", "raise 20", "raise 40", "raise all", "fold"]


@pytest.mark.parametrize(
    ("chips", "wanted"),
    [
        (30, ["call", "fold"]),
        (31, ["call", "raise all", "fold"]),
        (40, ["call", "raise all", "fold"]),
        (41, ["call", "raise 10", "raise all", "fold"]),
    ],
)
def test_links_to_raise_are_those_that_can_be_paid(chips: int, wanted: list[str]) -> None:
    assert said(betting(HANDS, in_pot=(20, 50, 50), chips=(chips, 100, 100))) == wanted


def test_the_labels_name_the_chips() -> None:
    labels = [choice.label for choice in GAME.choices(TABLES["owing"], GAME.questions(TABLES["owing"])[0])]
    assert labels == [
        "Call (30 of your 100)",
        "Raise by 10",
        "Raise by 20",
        "Raise by 50",
        "Raise all-in (70)",
        "Fold",
    ]
    short = betting(HANDS, in_pot=(20, 50, 50), chips=(12, 100, 100))
    assert GAME.choices(short, GAME.questions(short)[0])[0].label == "Call with all 12"


def test_what_can_be_sent_ahead() -> None:
    def ahead(state: State, seat: int) -> list[str]:
        return [choice.say[0] for choice in GAME.ahead(state, seat)]

    assert ahead(TABLES["card"], 0) == []
    assert ahead(TABLES["card"], 1) == ["stand", "hit"]
    assert ahead(TABLES["owing"], 2) == ["call", "fold"]
    assert ahead(table(HANDS, standing=(False, True, False)), 1) == []
    assert ahead(betting(HANDS, folded=(False, True, False)), 1) == []
    assert ahead(betting(["Tc 7c", "", "Td 7d"]), 1) == []


def test_what_is_sent_ahead_is_good_for_the_hand() -> None:
    state = new_game(2)
    command = GAME.parse("call", state, 0)
    assert GAME.scope(state, command) == GAME.scope(say(state, "call").state, command)
    assert GAME.scope(state, command) != GAME.scope(say(state, "fold").state, command)


# Turns of more betting


def links(state: State) -> list[tuple[str, ...]]:
    return [choice.say for choice in GAME.choices(state, GAME.questions(state)[0])]


OWING = turns(HANDS, in_pot=(20, 50, 20))
FREE = turns(HANDS)


def test_a_card_and_a_bet_may_be_one_link() -> None:
    assert links(FREE) == [("hit",), ("stand",), ("stand", "check"), ("hit", "check")]
    assert links(OWING) == [("hit",), ("stand",), ("stand", "call"), ("hit", "call")]
    assert links(turns(HANDS, chips=(0, 100, 100))) == [("hit",), ("stand",)]
    assert links(turns(HANDS, chips=(100, 0, 0))) == [("hit",), ("stand",)]
    assert links(turns(HANDS, chips=(100, 0, 0), in_pot=(20, 50, 20))) == links(OWING)
    assert links(TABLES["card"]) == [("hit",), ("stand",)]
    assert links(say(OWING, "hit").state)[0] == ("call",)


@pytest.mark.parametrize("state", [FREE, OWING, say(FREE, "hit").state, say(OWING, "stand").state])
def test_their_labels_can_be_typed_and_are_legal(state: State) -> None:
    question = GAME.questions(state)[0]
    for choice in GAME.choices(state, question):
        heard = interpret(GAME, state, 0, [choice.label], ReplyContext(frozenset({question.key})), CHANCE)
        assert (heard.refused, heard.said) == (None, choice.say), choice.label


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("hit, raise 20", ("hit", "raise 20")),
        ("Hit me and raise 20 please", ("hit", "raise 20")),
        ("I'll take a card, then I'll call", ("hit", "call")),
        ("stand. raise all!", ("stand", "raise all")),
        ("No more cards for me; I fold", ("stand", "fold")),
        ("one more card, match it", ("hit", "call")),
    ],
)
def test_both_parts_in_ones_own_words(text: str, wanted: tuple[str, ...]) -> None:
    keys = frozenset(question.key for question in GAME.questions(OWING))
    heard = interpret(GAME, OWING, 0, [text], ReplyContext(keys), CHANCE)
    assert (heard.said, heard.refused) == (wanted, None)


def test_the_bet_before_the_card_is_refused() -> None:
    keys = frozenset(question.key for question in GAME.questions(OWING))
    heard = interpret(GAME, OWING, 0, ["raise 20, hit"], ReplyContext(keys), CHANCE)
    assert heard.said == ()
    assert heard.refused is not None
    assert (heard.refused.clause, heard.untried) == ("BJ-15", ("hit",))


def test_what_can_be_sent_ahead_in_a_round_of_turns() -> None:
    def ahead(state: State, seat: int) -> list[str]:
        return [choice.say[0] for choice in GAME.ahead(state, seat)]

    for state in (FREE, say(FREE, "hit").state):
        assert ahead(state, 0) == []
        assert ahead(state, 1) == ["stand", "hit"]
    assert ahead(turns(HANDS, standing=(False, True, False)), 1) == ["call", "fold"]
    assert ahead(turns(HANDS, standing=(False, True, False), chips=(100, 0, 100)), 1) == []
    assert ahead(turns(HANDS, folded=(False, True, False)), 1) == []


def test_a_bet_sent_ahead_is_good_for_the_stake_a_card_for_the_hand() -> None:
    before, after = FREE, say(FREE, "hit", "raise 20").state
    for text, is_same in (("call", False), ("raise 20", False), ("raise all", False), ("hit", True), ("fold", True)):
        command = GAME.parse(text, before, 1)
        assert (GAME.scope(before, command) == GAME.scope(after, command)) is is_same
