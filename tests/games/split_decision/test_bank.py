"""Question banks: files, their faults by line, and the bank that Podium brings along."""

from pathlib import Path

import pytest

import host.games.split_decision
from host.engine.game import HOST, Entry
from host.games.split_decision import GAME
from host.games.split_decision.bank import MOST_FAULTS, read, say
from host.games.split_decision.commands import entry_in
from host.games.split_decision.rules.answers import judge, plain
from tests.games.split_decision.playing import CHANCE, table
from tests.rows import every

STARTER = Path(host.games.split_decision.__file__).parent / "starter.toml"
TWO = (Entry("Who wrote Faust?", ("Goethe", "J. W. von Goethe")), Entry("Seven times eight?", ("56",)))
GOOD_TOML = """
# some questions
[[question]]
ask = "Who wrote Faust?"
answers = ["Goethe", "J. W. von Goethe"]

[[question]]
ask = "  Seven times eight? "
answers = [" 56 "]
"""
GOOD_CSV = 'ask,answers\nWho wrote Faust?,"Goethe|J. W. von Goethe"\n  Seven times eight? , 56 \n'


def faults(name: str, text: str) -> list[str]:
    with pytest.raises(ValueError) as caught:
        read(name, text)
    return str(caught.value).split("\n")


# Files


@pytest.mark.parametrize("name", ["bank.toml", "BANK.TOML", "a.b.toml"])
def test_toml(name: str) -> None:
    assert read(name, GOOD_TOML) == TWO


@pytest.mark.parametrize("name", ["bank.csv", "BANK.CSV", "bank.txt", "bank"])
def test_csv(name: str) -> None:
    assert read(name, GOOD_CSV) == TWO


@pytest.mark.parametrize(
    "text",
    [
        GOOD_CSV.replace("\n", "\r\n"),
        "\ufeff" + GOOD_CSV,
        'answers,ask\n"Goethe|J. W. von Goethe",Who wrote Faust?\n56,Seven times eight?\n',
        'ask,level,answers\nWho wrote Faust?,3,"Goethe | J. W. von Goethe"\nSeven times eight?,1,56\n',
        '"ask","answers"\n"Who wrote Faust?","Goethe|J. W. von Goethe"\n"Seven times eight?","56"',
        'ask,answers\nWho wrote Faust?,"Goethe|J. W. von Goethe"\n\nSeven times eight?,56\n\n',
    ],
)
def test_csv_as_spreadsheets_write_it(text: str) -> None:
    assert read("bank.csv", text) == TWO


def test_commas_and_quotes_in_a_csv_field() -> None:
    text = 'ask,answers\n"Veni, vidi, and ""what""?","vici, he said"\n'
    assert read("bank.csv", text) == (Entry('Veni, vidi, and "what"?', ("vici, he said",)),)


def test_an_equals_sign_in_the_question_is_fine() -> None:
    (entry,) = read("bank.csv", "ask,answers\nIf x = 2 what is x + x = ?,4\n")
    command = GAME.parse(say(entry), table("ask"), HOST)
    assert entry_in(command.word) == entry


def test_files_without_entries() -> None:
    assert read("bank.csv", "ask,answers\n") == ()
    assert read("bank.toml", "question = []") == ()


# Faults


@every(
    ("row", "fault"),
    [
        (",Goethe", "ask is missing or empty"),
        ("   ,Goethe", "ask is missing or empty"),
        ('"Who\nwrote Faust?",Goethe', "ask has a line break; write it in one line"),
        ("Who wrote Faust?,", "an answer is empty"),
        ("Who wrote Faust?", "1 fields under 2 columns; quote a field that has a comma in it"),
        ("Who, if anybody, wrote it?,Goethe", "4 fields under 2 columns; quote a field that has a comma in it"),
        ("Who wrote Faust?,  ", "an answer is empty"),
        ("Who wrote Faust?,Goethe||Schiller", "an answer is empty"),
        ("Who wrote Faust?,Goethe|", "an answer is empty"),
        ("Who wrote Faust?,!!!", "the answer '!!!' has no letter and no digit, so nobody could give it"),
        ("What is x?,x=2", "the answer 'x=2' has =, | or a line break, which would not survive in a record"),
        (
            'What?,"two\nlines"',
            "the answer 'two\\nlines' has =, | or a line break, which would not survive in a record",
        ),
    ],
)
def test_faults_of_a_csv_name_their_line(row: str, fault: str) -> None:
    assert faults("bank.csv", f"ask,answers\nSeven times eight?,56\n{row}\nOne?,1\n") == [f"line 3: {fault}"]


def test_lines_are_counted_through_fields_of_several_lines() -> None:
    text = 'ask,note,answers\nOne?,"a\nlong\nnote",1\n,none,2\n'
    assert faults("bank.csv", text) == ["line 5: ask is missing or empty"]


def test_lines_are_counted_past_empty_ones() -> None:
    assert faults("bank.csv", "ask,answers\n\n\n,2\n") == ["line 4: ask is missing or empty"]


@every(
    ("entry", "fault"),
    [
        ('answers = ["Goethe"]', "ask is missing or empty"),
        ('ask = ""\nanswers = ["Goethe"]', "ask is missing or empty"),
        ('ask = 5\nanswers = ["Goethe"]', "ask is missing or empty"),
        (
            'ask = "Who\\u202e wrote Faust?"\nanswers = ["Goethe"]',
            "it has a sign that nobody can see, or that turns the text around; type it anew",
        ),
        ('ask = "One\\ntwo?"\nanswers = ["Goethe"]', "ask has a line break; write it in one line"),
        ('ask = "Who?"', "answers are missing"),
        ('ask = "Who?"\nanswers = []', "answers are missing"),
        ('ask = "Who?"\nanswers = "Goethe"', "answers are missing"),
        ('ask = "Who?"\nanswers = [5]', "an answer is empty"),
        ('ask = "Who?"\nanswers = ["Goethe", " "]', "an answer is empty"),
        (
            'ask = "Who?"\nanswers = ["a|b"]',
            "the answer 'a|b' has =, | or a line break, which would not survive in a record",
        ),
    ],
)
def test_faults_of_a_toml_name_the_line_of_their_entry(entry: str, fault: str) -> None:
    text = f'# bank\n[[question]]\nask = "One?"\nanswers = ["1"]\n\n[[ question ]]\n{entry}\n'
    assert faults("bank.toml", text) == [f"line 6: {fault}"]


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("bank.toml", "", "line 1: there is no [[question]]; each one needs ask and answers"),
        (
            "bank.toml",
            "[[questions]]\nask = 'Who?'",
            "line 1: there is no [[question]]; each one needs ask and answers",
        ),
        ("bank.toml", "question = 5", "line 1: there is no [[question]]; each one needs ask and answers"),
        ("bank.toml", "question = [5]", "line 1: there is no [[question]]; each one needs ask and answers"),
        ("bank.csv", "", "line 1: the columns have to be named ask and answers"),
        ("bank.csv", "question;answer\nWho?;Goethe\n", "line 1: the columns have to be named ask and answers"),
        ("bank.csv", "ask,answer\nWho?,Goethe\n", "line 1: the columns have to be named ask and answers"),
    ],
)
def test_files_that_are_no_bank(name: str, text: str, fault: str) -> None:
    assert faults(name, text) == [fault]


def test_what_is_no_toml_says_where() -> None:
    (fault,) = faults("bank.toml", '[[question]]\nask = "Who?\n')
    assert fault.startswith("not TOML: ")
    assert "line 2" in fault


def test_a_csv_field_that_is_too_long_is_a_fault() -> None:
    (fault,) = faults("bank.csv", f"ask,answers\nOne?,1\n{'x' * 200_000},2\n")
    assert fault.startswith("line 3: ")


def test_all_faults_are_named_the_first_twenty_of_many() -> None:
    assert faults("bank.csv", "ask,answers\n,1\nTwo?,2\nThree?,\n") == [
        "line 2: ask is missing or empty",
        "line 4: an answer is empty",
    ]
    found = faults("bank.csv", "ask,answers\n" + ",1\n" * (MOST_FAULTS + 3))
    assert len(found) == MOST_FAULTS + 1
    assert found[-1] == "and 3 more"
    assert len(faults("bank.csv", "ask,answers\n" + ",1\n" * MOST_FAULTS)) == MOST_FAULTS


# The host's command


def test_what_the_host_says() -> None:
    assert say(TWO[0]) == "ask Who wrote Faust? = Goethe | J. W. von Goethe"
    assert say(Entry("A  wide\tgap?", ("1",))) == "ask A wide gap? = 1"


# The bank of the room

ENTRIES = read(STARTER.name, STARTER.read_text("utf-8"))


def test_the_starter_bank_is_the_one_that_the_game_names() -> None:
    assert GAME.bank is not None
    assert GAME.bank.starter == STARTER.name
    assert GAME.bank.phase == "ask"
    assert GAME.bank.read is read
    assert GAME.bank.say is say


def test_the_starter_bank_is_big_enough() -> None:
    assert len(ENTRIES) >= 200


def test_no_question_is_there_twice() -> None:
    assert len({plain(entry.ask) for entry in ENTRIES}) == len(ENTRIES)


def test_each_entry_goes_through_the_host_s_command_and_back() -> None:
    state = table("ask")
    for entry in ENTRIES:
        text = say(entry)
        assert GAME.split(text) == (text,)
        command = GAME.parse(text, state, HOST)
        assert entry_in(command.word) == entry
        assert GAME.say(command) == text
        assert GAME.apply(state, HOST, command, CHANCE).state.question == entry


def test_each_answer_of_the_starter_bank_is_right_and_needed() -> None:
    for entry in ENTRIES:
        found = [plain(answer) for answer in entry.answers]
        assert all(found), entry
        assert len(set(found)) == len(found), entry
        for answer in entry.answers:
            assert judge(f"The {answer}!", entry.answers) == "right", entry


def test_each_question_of_the_starter_bank_is_one_line_of_some_length() -> None:
    for entry in ENTRIES:
        assert entry.ask == " ".join(entry.ask.split())
        assert 10 <= len(entry.ask) <= 200, entry
        assert all(len(answer) <= 60 for answer in entry.answers), entry
