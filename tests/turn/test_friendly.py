"""Nobody is scolded for being friendly: talk, regrets, pleas and wishes reach the host, and what is known is told."""

import pytest

from host.demo.robot import ReadLetter
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import OPERATOR, Desk, words
from tests.turn.test_kind_words import record, said, to_host

ANN, BOB, CLEO, ZOE = "ann@example.net", "bob@example.net", "cleo@example.net", "zoe@example.net"
FRIENDLY = ["thanks, good game so far!", "Tell Bob good luck", "Sorry, that was my kid on my phone"]
SCOLDING = ("Nothing was played", "Not played", "Nothing was changed", "I could not do anything")
KNOWN = ["what do I have?", "who is the champion now?", "what is my score so far?"]


def is_scolded(desk: Desk, address: str) -> bool:
    return any(each in words(desk.last(address)) for each in SCOLDING)


@pytest.mark.parametrize("text", a_few(FRIENDLY, 1))
@pytest.mark.parametrize(
    "game", a_few(["champ-cards", "bluffjack", "champion-poker", "split-decision", "game-of-champions"], 2)
)
def test_friendly_words_of_who_is_asked_nothing_reach_the_host_in_every_game(
    make_desk: MakeDesk, game: str, text: str
) -> None:
    desk = make_desk(game=game)
    desk.begin()
    idle = next((each for each in (ANN, BOB, CLEO) if desk.letters(each) and not desk.last(each).asks), None)
    if idle is None:  # everybody at the table is asked at once
        desk.register(ZOE, "Zoe Poe")
        idle = ZOE
    before = len(record(desk))
    row = desk.answer(idle, text)
    assert row.state == "answered"
    assert not is_scolded(desk, idle)
    assert text in to_host(desk)[-1]
    assert "Your words went to the host" in words(desk.last(idle))
    assert len(desk.last(idle).links) == 0
    assert len(record(desk)) == before


def test_one_line_says_whose_turn_it_is_and_until_when(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, FRIENDLY[0])
    assert words(desk.last(BOB)).startswith("Nothing is asked of you now It is up to Ann, until Sunday 7:00 AM EST")


@pytest.mark.parametrize("kind", ["news", "help", "result"])
def test_friendly_words_in_answer_to_any_letter(desk: Desk, kind: str) -> None:
    desk.begin()
    if kind == "news":
        desk.answer(ANN, "cut 10, pick 3, keep")
    if kind == "help":
        desk.answer(BOB, "status")
    if kind == "result":
        for address in (ANN, BOB):
            desk.answer(address, "resign")
            desk.answer(address, "yes", desk.last(address))
    writer = {"news": ANN, "help": BOB, "result": ANN}[kind]
    assert desk.last(writer).kind == kind
    desk.answer(writer, FRIENDLY[0])
    assert not is_scolded(desk, writer)
    assert FRIENDLY[0] in to_host(desk)[-1]


@pytest.mark.parametrize("text", [*FRIENDLY, "Oops, I pressed the wrong button"])
@pytest.mark.parametrize(
    "game", a_few(["champ-cards", "bluffjack", "champion-poker", "split-decision", "game-of-champions"])
)
def test_friendly_words_and_regrets_of_who_is_asked_reach_the_host_and_the_question_stands_there_again(
    make_desk: MakeDesk, game: str, text: str
) -> None:
    desk = make_desk(game=game)
    desk.begin()
    asked = next(each for each in (ANN, BOB, CLEO) if desk.letters(each) and desk.last(each).asks)
    links, before = desk.last(asked).links, len(record(desk))
    row = desk.answer(asked, text)
    assert row.state == "answered"
    assert not is_scolded(desk, asked)
    assert text in to_host(desk)[-1]
    assert len(desk.last(asked).links) == len(links)
    assert len(record(desk)) == before


@pytest.mark.parametrize("text", ["Sorry, that was my kid. Keep!", "Good luck Bob! I think I draw?"])
def test_friendly_words_with_a_move_are_no_mere_talk(desk: Desk, text: str) -> None:
    desk.begin()
    desk.answer(ANN, "cut 10, pick 3")
    desk.answer(ANN, text)
    assert said(desk)[2:] in ([], ["keep"])
    assert said(desk)[2:] or desk.last(ANN).kind == "refused"


def test_a_thank_you_of_who_is_asked_is_answered_with_the_question(desk: Desk) -> None:
    desk.begin()
    links = desk.last(ANN).links
    desk.answer(ANN, "Thanks!")
    assert not is_scolded(desk, ANN)
    assert "You wrote: “Thanks!”. I found no command in it." in words(desk.last(ANN))
    assert len(desk.last(ANN).links) == len(links)


def test_a_second_plea_reaches_the_host_too(desk: Desk) -> None:
    desk.begin()
    pleas = ["Could I have until Friday? I am in hospital.", "Please, I need more time until Friday, my leg hurts."]
    for plea in pleas:
        row = desk.answer(ANN, plea)
        assert row.state == "answered"
        assert plea in to_host(desk)[-1]
        assert not is_scolded(desk, ANN)
        assert "Your words went to the host" in words(desk.last(ANN))
    assert len(to_host(desk)) == 2


@pytest.mark.parametrize(
    "wish", a_few(["I would like to play against Bob please", "Can I be moved up? I leave town on the 26th", *FRIENDLY])
)
def test_a_wish_in_the_queue_goes_to_the_host_and_its_writer_hears_so(desk: Desk, wish: str) -> None:
    desk.begin()
    desk.register(ZOE, "Zoe Poe")
    row = desk.answer(ZOE, wish)
    assert row.state == "answered"
    assert not is_scolded(desk, ZOE)
    assert wish in to_host(desk)[-1]
    assert "Your words went to the host" in words(desk.last(ZOE))


def test_a_wish_beside_a_command_in_the_queue_is_done_and_told(desk: Desk) -> None:
    desk.begin()
    desk.register(ZOE, "Zoe Poe")
    desk.answer(ZOE, "call me Zozo\nCould my brother sit next to me?")
    assert "Others will call you Zozo." in words(desk.last(ZOE))
    assert "Could my brother sit next to me?" in words(desk.last(OPERATOR))
    assert "went to the host" in words(desk.last(ZOE))


@pytest.mark.parametrize("text", ["yes", "hi all"])
def test_a_yes_and_a_greeting_to_nothing_are_no_offence(desk: Desk, text: str) -> None:
    desk.begin()
    desk.register(ZOE, "Zoe Poe")
    row = desk.answer(ZOE, text)
    assert row.state == "answered"
    assert not is_scolded(desk, ZOE)
    assert to_host(desk) == []


@pytest.mark.parametrize("text", a_few(KNOWN))
@pytest.mark.parametrize("writer", [ANN, BOB, ZOE])
def test_what_is_known_is_told_to_everybody(desk: Desk, text: str, writer: str) -> None:
    desk.begin()
    desk.register(ZOE, "Zoe Poe")
    desk.answer(writer, text)
    answer = desk.last(writer)
    assert answer.kind == "help"
    assert "How things stand" in words(answer)
    assert "Champ Cards has no champion now." in words(answer)
    assert to_host(desk) == []
    assert record(desk) == []


def test_the_champion_is_named_and_told_what_they_won(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "resign")
    desk.answer(BOB, "yes", desk.last(BOB))
    desk.answer(ANN, "resign")
    desk.answer(ANN, "yes", desk.last(ANN))
    desk.answer(BOB, "who is the champion now?")
    assert "Ann is the champion of Champ Cards." in words(desk.last(BOB))
    desk.answer(ANN, "what is my score so far?")
    assert "You are the champion of Champ Cards." in words(desk.last(ANN))
    desk.answer(ANN, "private")
    desk.answer(BOB, "who is the champion now?")
    assert "Somebody is the champion of Champ Cards." in words(desk.last(BOB))


@pytest.mark.parametrize(
    ("asked", "told"),
    a_few(
        [
            ("Who is the champion?", "Ann is the champion of Champ Cards."),
            ("who is the champion of champ cards", "Ann is the champion of Champ Cards."),
            ("Who is the champion of Bluffjack?", "Bluffjack has no champion now."),
            ("standings", "Say of which game, such as: standings of Champ Cards."),
            ("standings of Champ Cards", "The standings of Champ Cards, of all time:"),
            ("history of Champ Cards", "The champions of Champ Cards, the latest first:"),
        ],
        3,
    ),
)
def test_what_is_looked_up_is_found_from_a_letter_of_no_game(make_desk: MakeDesk, asked: str, told: str) -> None:
    desk = make_desk(games={"champ-cards": {}, "bluffjack": {}})
    desk.begin()
    for address in (BOB, ANN):
        desk.answer(address, "resign")
        desk.answer(address, "yes", desk.last(address))
    desk.answer(OPERATOR, "Good evening.", word_to_host(desk))
    letter = desk.last(BOB)
    assert "x-podium-episode" not in letter.headers
    desk.answer(BOB, asked, letter)
    assert told in words(desk.last(BOB))


@pytest.mark.parametrize("is_over", [False, True])
@pytest.mark.parametrize(
    ("asked", "told"),
    a_few(
        [
            ("Who is the champion of Bluffjack?", "Bluffjack has no champion now."),
            ("who is the champion of Game of Champions?", "The Game of Champions has no champion now."),
            ("standings of bluffjack", "No episode of Bluffjack is over yet."),
            ("history of bluffjack", "Bluffjack has had no champion yet."),
        ]
    ),
)
def test_another_game_is_looked_up_from_a_letter_of_an_episode(
    make_desk: MakeDesk, asked: str, told: str, is_over: bool
) -> None:
    desk = make_desk(games={"champ-cards": {}, "bluffjack": {}, "game-of-champions": {}})
    desk.begin()
    for address in (BOB, ANN) if is_over else ():
        desk.answer(address, "resign")
        desk.answer(address, "yes", desk.last(address))
    letter = next(each for each in desk.letters(BOB)[::-1] if "x-podium-episode" in each.headers)
    desk.answer(BOB, asked, letter)
    assert told in words(desk.last(BOB))
    assert "message to the host" not in words(desk.last(BOB))


def word_to_host(desk: Desk) -> ReadLetter:
    """A letter that the host can answer: Bob wrote to them."""
    desk.answer(BOB, "host good evening")
    return desk.last(OPERATOR)


@pytest.mark.parametrize("writer", [ANN, BOB])
def test_who_does_not_understand_what_to_do_is_helped(desk: Desk, writer: str) -> None:
    desk.begin()
    desk.answer(writer, "I do not understand what I must do")
    assert "How to play by mail" in words(desk.last(writer))
    assert bool(desk.last(writer).links) is (writer == ANN), "what is asked stands there again"


@pytest.mark.parametrize("writer", [ANN, BOB])
@pytest.mark.parametrize("text", a_few(["I give up, this is too hard", "I give up", "Sorry, I'm giving up."]))
def test_giving_up_asks_whether_that_is_a_resignation_and_names_its_cost(desk: Desk, writer: str, text: str) -> None:
    desk.begin()
    desk.answer(writer, text)
    asked = desk.last(writer)
    assert "Do you really want to resign?" in words(asked)
    assert "If you resign, you leave with $0" in words(asked)
    assert record(desk) == []
    desk.answer(writer, "no", asked)
    assert said(desk) == []
