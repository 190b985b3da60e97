"""What people write to Split Decision: sayings by phase, the commands they mean, and what is not understood."""

from pathlib import Path

import pytest

from host.engine.game import HOST, Entry, Invalid
from host.games.split_decision import GAME
from host.games.split_decision.commands import VOCABULARY, entry_in, parse, prompt
from host.games.split_decision.state import State
from host.play.answers import answer_in
from host.play.interpret import seen_by
from tests.games.sayings import Sayings, commands, sayings_in
from tests.games.split_decision.playing import bonus, new_game, say, second, silence, table
from tests.rows import every

SAYINGS = Path(__file__).parent / "sayings.toml"
TABLES: dict[str, State] = {
    "setup": new_game(),
    "card": table("peek", card="7d"),
    "look": table("free-look", card="7d", number=6),
    "question": table(),
    "nopeek": table("no-peek", chips=(0, 2, 2)),
    "choose": bonus(),
    "bet": bonus("bet", shown="A K T 4"),
    "suit": bonus("suit"),
}
ALL_TABLES: dict[str, State] = TABLES | {
    "free-ace": second("free-ace", card="A*", actor=1),
    "head-start": table("head-start", card="7d", seen=1, number=0),
    "place": table("place", card="7d", chips=(0, 2, 2)),
    "passed": table("passed", card="7d"),
}
THIRTY = " ".join(map(str, range(1, 31)))

SEVERAL: list[tuple[str, str, list[str]]] = [
    (
        "bet",
        "I bet one thousand dollars between the three and the ace, with the ace as the high card",
        ["bet 1000 A 3"],
    ),
    ("bet", "five hundred on the 7 and the ace, ace being the high one", ["bet 500 A 7"]),
    ("bet", "$500 please, with the 7 as high card and the ace as the low one", ["bet 500 7 A"]),
    ("choose", "the last four in the row", ["choose 12 13 14 15"]),
    ("setup", "codes random; cut 26", ["codes random", "cut 26"]),
    ("setup", "Cut 26, random codes", ["cut 26", "codes random"]),
    ("setup", "cut 26 then codes random", ["cut 26", "codes random"]),
    ("setup", "Hi! I'll cut at 26 and I'd like random codes, please. Thanks", ["cut 26", "codes random"]),
    ("setup", f"cut 26\ncodes {THIRTY}", ["cut 26", f"codes {THIRTY}"]),
    ("setup", f"codes {THIRTY}\ncut 26", [f"codes {THIRTY}", "cut 26"]),
    ("setup", f"codes {THIRTY[:30]}\n{THIRTY[30:]}".replace(" \n", "\n"), [f"codes {THIRTY}"]),
    ("setup", f"codes: {THIRTY.replace(' ', ', ')}. Cut: 26.", [f"codes {THIRTY}", "cut 26"]),
    ("choose", "choose 1 2 3 4; bet 500 K 4", ["choose 1 2 3 4", "bet 500 K 4"]),
    ("choose", "1, 2, 3 and 4, then bet 500 on K and 4", ["choose 1 2 3 4", "bet 500 K 4"]),
    ("suit", "suit s, suit h", ["suit s", "suit h"]),
    ("suit", "spades then hearts", ["suit s", "suit h"]),
    ("look", "refuse; low", ["refuse", "low"]),
    ("look", "Refuse it. High.", ["refuse", "high"]),
    ("question", "answer Paris\nhigh", ["answer Paris", "high"]),
    ("question", "Answer Paris, of course\nplease put it high", ["answer Paris, of course", "high"]),
]


class TestSayings(Sayings):
    game = GAME
    file = SAYINGS
    tables = ALL_TABLES
    attempts = ("cut", "bet 12.5", "don't discard", "cut -1", "hihg", "choose 1.5", "disscard", "suit x")

    def test_is_not_understood(self) -> None:
        """Of `yes and no` one part alone is refused."""

        def check(phase: str, text: str, wanted: str) -> None:
            with pytest.raises(Invalid) as caught:
                commands(GAME, text, TABLES[phase])
            assert caught.value.reason.endswith("."), wanted

        self.each(sayings_in(SAYINGS, understood=False), check)


def lone_answer(state: State, seat: int, line: str) -> str:
    """The command that a mail's only line is taken for, empty for none."""
    seen = seen_by(GAME, state, seat)
    found = answer_in([line], seen.prompt, seen.names) if seen.prompt else None
    return seen.answering(found.text) if found and found.text else ""


def test_there_are_enough_sayings() -> None:
    assert len(sayings_in(SAYINGS, understood=True)) >= 150


@every(("phase", "text", "wanted"), SEVERAL)
def test_several_in_a_line(phase: str, text: str, wanted: list[str]) -> None:
    assert commands(GAME, text, TABLES[phase]) == wanted


def test_a_number_below_zero_is_the_end_of_no_range() -> None:
    listed = " ".join(map(str, range(1, 29)))
    state = new_game()
    with pytest.raises(Invalid):
        parse(f"codes {listed} 6 -7", state, 0)
    assert len(parse(f"codes {listed} 29 - 30", state, 0).numbers) == 30


def test_canonical_words_mean_themselves_in_every_phase() -> None:
    said = [
        "codes random",
        f"codes {THIRTY}",
        "cut 5",
        "high",
        "low",
        "refuse",
        "skip",
        "discard",
        "keep",
        "pass blue",
        "choose 1 2 3 4",
        "bet 500 K 4",
        "bet all K 4",
        "suit h",
        "right",
        "wrong",
        "resign",
    ]
    assert {text.split()[0] for text in said} == {row.verb for row in VOCABULARY.rows}
    for state in ALL_TABLES.values():
        for text in [*said, "answer Paris", "ask Who? = Bob"]:
            assert GAME.say(GAME.parse(text, state, 0)) == text


@pytest.mark.parametrize("text", ["right", "Right!", "correct", "accept it", "yes", "Yes."])
def test_the_host_says_right(text: str) -> None:
    state = say(table(), "answer Pari").state
    assert GAME.say(GAME.parse(text, state, HOST)) == "right"


@pytest.mark.parametrize("text", ["wrong", "Wrong!", "incorrect", "reject answer", "no", "No."])
def test_the_host_says_wrong(text: str) -> None:
    state = say(table(), "answer Pari").state
    assert GAME.say(GAME.parse(text, state, HOST)) == "wrong"


# Text to the end of the line


@every(
    "text",
    ["Paris", "PARIS", "McDonald", "a, b; then c", "München", "please", "résumé & more", "a = b | c", "♥", "20%"],
)
def test_an_answer_keeps_its_letters(text: str) -> None:
    (fragment,) = GAME.split(f"Answer {text}")
    command = GAME.parse(fragment, table(), 0)
    assert command.word == text
    assert GAME.say(command) == f"answer {text}"


def test_a_question_keeps_its_letters() -> None:
    (fragment,) = GAME.split("ASK Who said: “Veni, vidi” = Julius Caesar|Caesar")
    command = GAME.parse(fragment, table("ask"), HOST)
    assert entry_in(command.word) == Entry("Who said: “Veni, vidi”", ("Julius Caesar", "Caesar"))
    assert GAME.say(command) == "ask Who said: “Veni, vidi” = Julius Caesar | Caesar"


def test_the_last_equals_sign_divides() -> None:
    command = GAME.parse("ask If x = 1, what is x? = one | 1", table("ask"), HOST)
    assert entry_in(command.word) == Entry("If x = 1, what is x?", ("one", "1"))


def test_each_line_of_text_stands_alone() -> None:
    assert GAME.split("answer A, B\nanswer C then D\nhigh, low") == ("answer A, B", "answer C then D", "high", "low")
    assert GAME.split("answering the phone, sorry")[0] == "answering the phone"
    with pytest.raises(Invalid):
        GAME.parse("answering the phone", table(), 0)


@every(
    "line",
    [
        "Paris",
        "  Paris  ",
        "I think Paris",
        "I think it's Paris",
        "I think it’s Paris",
        "I think it is Paris",
        "I think that it's Paris",
        "I think the answer is Paris",
        "I believe it's Paris",
        "I guess Paris",
        "I'd guess Paris",
        "I'd say Paris",
        "I would say Paris",
        "I say Paris",
        "my answer is Paris",
        "My answer: Paris",
        "My final answer is Paris",
        "The answer is Paris",
        "the answer: Paris",
        "My guess is Paris",
        "Is it Paris?",
        "is it Paris",
        "It's Paris",
        "It is Paris",
        "It must be Paris",
        "That's Paris",
        "That would be Paris",
        "I'll go with Paris",
        "I will go with Paris",
        "I'll say Paris",
        "Going with Paris",
        "I'm going with Paris",
        "Let's say Paris",
        "Hmm, Paris?",
        "Hi, I think it's Paris",
        "Hello! My answer is Paris.",
        "Well, I think it's Paris.",
        "ok, Paris",
        "Could it be Paris?",
        "Paris!",
        "paris.",
        "PARIS",
        "Paris?",
        "A: Paris",
        "Paris, I think",
        "Paris please",
        "Paris, of course!",
        "I'm pretty sure it's Paris",
        "I am sure it is Paris",
    ],
)
def test_a_lone_line_is_an_answer_however_it_is_put(line: str) -> None:
    text = lone_answer(table(), 0, line)
    assert text.startswith("answer ")
    state = say(table(), text).state
    assert state.winnings[0] == 100, text


@every(
    ("line", "text"),
    [
        ("The Who", "answer The Who"),
        ("McDonald's", "answer McDonald's"),
        ("56", "answer 56"),
        ("Wellington", "answer Wellington"),
        ("Isitra", "answer Isitra"),
        ("Oklahoma", "answer Oklahoma"),
        ("Hidalgo", "answer Hidalgo"),
        ("Ave Maria", "answer Ave Maria"),
        ("Ibsen", "answer Ibsen"),
    ],
)
def test_nothing_of_an_answer_is_lost(line: str, text: str) -> None:
    assert lone_answer(table(), 0, line) == text


def test_a_lone_line_is_an_answer_only_of_who_has_a_try() -> None:
    state = table()
    assert lone_answer(state, 1, "Paris") == "answer Paris"
    tried = say(state, "skip").state
    assert lone_answer(tried, 0, "Paris") == ""
    assert lone_answer(tried, 2, "Paris") == "answer Paris"
    assert lone_answer(table(out=(False, True, False)), 1, "Paris") == ""
    judging = say(state, "answer Pari").state
    assert lone_answer(judging, 1, "Paris") == "answer Paris"
    for other in (table("ask"), table("peek", card="7d"), new_game(), bonus()):
        assert lone_answer(other, 0, "Paris") == ""
    assert lone_answer(state, HOST, "Paris") == ""
    assert GAME.prompt is prompt


def test_what_a_lone_line_gives_is_one_command() -> None:
    for line in ("Paris", "  two\twords ", "a, b"):
        text = lone_answer(table(), 0, line)
        assert GAME.split(text) == (text,)
        assert parse(text, table(), 0).verb == "answer"


# Links


def test_each_kind_of_link_is_there() -> None:
    found = {
        phase: {choice.kind for choice in GAME.choices(state, GAME.questions(state)[0])}
        for phase, state in ALL_TABLES.items()
    }
    assert found == {
        "setup": {"codes and cut"},
        "card": {"high", "low", "discard"},
        "look": {"high", "low", "refuse"},
        "question": {"answer", "skip"},
        "nopeek": {"keep", "pass"},
        "choose": {"choose"},
        "bet": {"bet"},
        "suit": {"suit"},
        "free-ace": {"high", "low"},
        "head-start": {"high", "low", "refuse"},
        "place": {"high", "low"},
        "passed": {"high", "low", "discard"},
    }


@pytest.mark.parametrize(
    ("bank", "number", "shown"),
    [
        (250, 1, "K 4 9 2"),
        (1500, 1, "A A 9 2"),
        (1450, 4, "A Devil 3 2"),
        (2475, 5, "2 A Devil A"),
        (1000, 5, "K Q J A"),
    ],
)
def test_links_to_bet_are_in_bounds_and_differ(bank: int, number: int, shown: str) -> None:
    state = bonus("bet", bank=bank, number=number, shown=shown)
    found = [choice.say[0] for choice in GAME.choices(state, GAME.questions(state)[0])]
    assert len(set(found)) == len(found)
    for text in found:
        say(state, text)


def test_a_silent_red_is_asked_for_nothing_more() -> None:
    state = silence(new_game(), 0).state
    assert [question.seat for question in GAME.questions(state)] == [1, 2]
