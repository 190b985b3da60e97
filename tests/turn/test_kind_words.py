"""Stories of people at the table: corrections, second thoughts, friendly words, what a tap may cost. By mail, to the end."""

import re

import pytest
from sqlalchemy import select

from host.store.schema import RecordLine
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import OPERATOR, Desk, words

ANN, BOB = "ann@example.net", "bob@example.net"


def record(desk: Desk) -> list[str]:
    """The lines of the first episode's record."""
    with desk.store.reading() as session:
        return [row.text for row in session.scalars(select(RecordLine).order_by(RecordLine.line))]


def said(desk: Desk) -> list[str]:
    """What the record holds, in order."""
    return [re.search(r'"say":"([^"]*)"', line)[1] for line in record(desk) if '"say"' in line]  # type: ignore[index]


def to_host(desk: Desk) -> list[str]:
    """What contestants wrote to the host, as the operator reads it."""
    return [words(letter) for letter in desk.letters(OPERATOR) if "writes to the host" in words(letter)]


@pytest.mark.parametrize(
    "correction", a_few(["draw - actually pick 2", "draw, no wait, keep", "keep. Sorry, I meant draw"])
)
def test_of_a_correction_nothing_is_played_and_the_later_wish_is_offered_first(desk: Desk, correction: str) -> None:
    desk.begin()
    desk.answer(ANN, "cut 10, pick 3")
    before = said(desk)
    desk.answer(ANN, correction)
    assert said(desk) == before, "a correction is judged by nothing that came of it"
    asked = desk.last(ANN)
    assert asked.kind == "refused"
    later = re.split(r"actually |wait, |meant ", correction)[1]
    assert "Not played" not in words(asked)
    assert "Is that right?" in words(asked)
    assert asked.links[0].endswith(f"body={later}") or later == "pick 2", "pick 2 is not legal now"
    desk.answer(ANN, "keep")
    assert said(desk) == [*before, "keep"]


def test_sorry_i_meant_takes_back_a_cut_that_showed_nobody_anything(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 10")
    desk.answer(ANN, "Sorry, I meant 20")
    assert said(desk) == ["cut 10", "cut 20"]
    assert "Taken back: cut 10." in words(desk.last(ANN))
    desk.answer(ANN, "pick 1")
    desk.answer(ANN, "undo")
    assert said(desk)[-1] == "pick 1", "a card was shown"


def test_a_pick_in_answer_to_the_first_letter_cuts_and_turns_as_a_tap_on_it_does(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "pick 3 please")
    assert said(desk) == ["cut 26", "pick 3"]


@pytest.mark.parametrize(
    "text", ["thanks, good game so far!", "good game far", "Tell Bob good luck", "can my wife play too?"]
)
def test_who_is_asked_nothing_is_not_refused_for_friendly_words(desk: Desk, text: str) -> None:
    desk.begin()
    desk.answer(BOB, text)
    answer = words(desk.last(BOB))
    assert "Nothing was played" not in answer
    assert "Not played" not in answer
    if desk.last(BOB).kind == "help":
        assert "It is up to Ann, until" in answer
        assert text in to_host(desk)[-1]
    assert record(desk) == []


def test_words_beside_a_move_do_not_spoil_it_and_reach_the_host_whole_and_once(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 10, pick 3. By the way, how long does a game take? I am away in March.")
    assert said(desk) == ["cut 10", "pick 3"]
    assert "Your words went to the host" in words(desk.last(ANN))
    assert "for talk" not in words(desk.last(ANN))
    assert len(to_host(desk)) == 1
    assert "how long does a game take? I am away in March." in to_host(desk)[0]


def test_a_courtesy_beside_a_move_goes_to_nobody(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "Hi all, cut 10, pick 3 please. Thanks and good luck!\nAnn")
    assert said(desk) == ["cut 10", "pick 3"]
    assert to_host(desk) == []


@pytest.mark.parametrize(
    "text", ["Should I turn one over or wait? My wife says keep, I say draw", "keep? Make it 12 and I draw"]
)
def test_a_question_another_move_or_another_number_beside_a_move_asks(desk: Desk, text: str) -> None:
    desk.begin()
    desk.answer(ANN, "cut 10, pick 3")
    desk.answer(ANN, text)
    assert said(desk) == ["cut 10", "pick 3"]
    assert desk.last(ANN).kind == "refused"


def test_the_question_whether_to_resign_names_what_it_costs_and_hears_a_no_and_a_stop(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "resign")
    asked = desk.last(ANN)
    assert "If you resign, you leave with $0, and Bob plays on." in words(asked)
    assert [link.rpartition("body=")[2] for link in asked.links] == ["resign%20yes", "no"]
    desk.answer(ANN, "STOP", asked)
    again = desk.last(ANN)
    assert "I could not tell what is to stop, so nothing has changed" in words(again)
    assert [link.rpartition("body=")[2] for link in again.links] == ["resign%20yes", "no"]
    desk.answer(ANN, "no", again)
    assert "You stay in the game." in words(desk.last(ANN))
    desk.answer(ANN, "mine")
    assert "1 thing waits for you" in words(desk.last(ANN)), (
        "a wish of their own that a silence lets go waits for nobody"
    )
    assert record(desk) == []


def test_a_yes_to_a_cost_that_is_no_longer_so_asks_once_more(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "resign")
    asked = desk.last(ANN)
    assert "you leave with $0" in words(asked)
    desk.answer(BOB, "resign")
    desk.answer(BOB, "yes")
    assert desk.answer(ANN, "yes", asked).state == "answered"
    again = desk.last(ANN)
    assert "no longer what you were asked about" in words(again)
    assert "you leave with $0" not in words(again)
    assert desk.answer(ANN, "yes", asked).state != "played", "the first letter asks nothing any more"
    assert desk.answer(ANN, "yes", again).state == "played"


def test_the_last_one_left_hears_that_resigning_ends_the_episode(make_desk: MakeDesk) -> None:
    desk = make_desk(game="champion-poker", games={"champion-poker": {"seats": 2}})
    desk.register(ANN, "Ann Lee")
    desk.register(BOB, "Bob Ray")
    desk.answer(BOB, "resign")
    desk.answer(BOB, "yes")
    desk.answer(ANN, "resign")
    assert "the episode is over" in words(desk.last(ANN))


def test_a_plea_of_somebody_who_has_resigned_reaches_the_host(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "resign")
    desk.answer(ANN, "yes", desk.last(ANN))
    for plea in ("I pressed the wrong button, that was not what I wanted", "Please, it was my son on my phone"):
        desk.answer(ANN, plea)
        assert plea in to_host(desk)[-1]
        assert "Not played" not in words(desk.last(ANN))


def test_a_result_begins_with_no_button_and_a_title_is_given_up_only_after_a_question(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.begin()
    for address in (BOB, ANN):
        desk.answer(address, "resign")
        desk.answer(address, "yes", desk.last(address))
    for address, body in ((ANN, "retire"), (BOB, "again")):
        result = desk.last(address)
        assert result.kind == "result"
        assert [link.rpartition("body=")[2] for link in result.links] == [body]
        assert result.page.index("In all:") < result.page.index("mailto:"), "it stands at the foot"
        assert body in result.text
    champion = desk.last(ANN)
    desk.answer(ANN, "retire", champion)
    assert "somebody else" not in words(desk.last(ANN))
    assert "you are champion no longer" in words(desk.last(ANN))
    desk.answer(ANN, "no", desk.last(ANN))
    assert "You stay champion." in words(desk.last(ANN))


@pytest.mark.parametrize(
    "text",
    a_few(
        [
            "draw, nvm, keep",
            "draw. On reflection, keep",
            "draw, ach nein, keep",
            "draw. Let me keep instead",
            "draw (no, keep)",
            "draw → keep",
            "draw. undo",
            "Should I draw? lol no. keep",
        ],
        3,
    ),
)
def test_a_second_thought_in_any_words_plays_neither(desk: Desk, text: str) -> None:
    desk.begin()
    desk.answer(ANN, "cut 10, pick 3")
    desk.answer(ANN, text)
    assert said(desk) == ["cut 10", "pick 3"]
    assert desk.last(ANN).kind == "refused"


@pytest.mark.parametrize(
    "text", a_few(["Yes, wait, no!", "Yes I want to stay", "Yes\nno wait, I stay in", "yes, but no"])
)
def test_a_yes_with_a_second_thought_gives_nothing_up(desk: Desk, text: str) -> None:
    desk.begin()
    desk.answer(ANN, "resign")
    desk.answer(ANN, text, desk.last(ANN))
    assert record(desk) == []
    assert "I could not tell whether that is a yes" in words(desk.last(ANN))
    desk.answer(ANN, "yes", desk.last(ANN))
    assert said(desk) == ["resign"]


def test_undo_takes_back_what_was_played_after_a_mail_that_was_refused(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 10")
    desk.answer(ANN, "cut 60")
    desk.answer(ANN, "undo, cut 20, pick 3")
    assert said(desk) == ["cut 10", "cut 20", "pick 3"]


def test_i_meant_after_a_refused_mail_corrects_that_and_undo_takes_back_what_was_played(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 10")
    desk.answer(ANN, "pick 12")
    desk.answer(ANN, "undo, cut 20")
    assert said(desk) == ["cut 10", "cut 20"]
    desk.answer(ANN, "pick 12")
    desk.answer(ANN, "Sorry, I meant 3")
    assert said(desk) == ["cut 10", "cut 20", "pick 3"]


def test_taking_back_what_waits_opens_no_old_question(make_desk: MakeDesk) -> None:
    desk = make_desk(game="bluffjack")
    desk.begin()
    cleo = "cleo@example.net"
    order = [each for each in (ANN, BOB, cleo) if desk.last(each).asks]
    first = desk.last(order[0])
    desk.answer(order[0], "raise 10")
    desk.answer(order[0], "hit", desk.last(order[0]))
    others = [each for each in (BOB, cleo, ANN) if each != order[0]]
    second = next(each for each in others if desk.last(each).asks)
    desk.answer(second, "raise 20")
    third = next(each for each in others if each != second)
    desk.answer(third, "call")
    assert desk.last(order[0]).asks
    before = said(desk)
    desk.answer(order[0], "undo, call", first)
    assert said(desk) == before


def test_a_move_beside_a_no_to_resigning_is_played(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "resign")
    desk.answer(ANN, "no, sorry, cut 7 please")
    assert said(desk) == ["cut 7"]
    desk.answer(ANN, "resign")
    desk.answer(ANN, "still playing, pick 3")
    assert said(desk) == ["cut 7", "pick 3"]
    desk.answer(ANN, "resign")
    desk.answer(ANN, "No, I was only angry.")
    assert "You stay in the game." in words(desk.last(ANN))


def test_an_absence_moves_the_deadline_before_it_is_told(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "When do I have to answer? I am on holiday until Tuesday")
    told = words(desk.last(ANN))
    assert told.index("No deadline of yours runs meanwhile") < told.index("You have until")
    assert "in 48 hours" not in told


def test_who_would_correct_what_was_played_is_told_what_stands(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 20")
    desk.answer(ANN, "nah, make it 30")
    told = words(desk.last(ANN))
    assert "Not played: “make it 30”" in told
    assert (
        "What you said before, cut 20, stands. While nobody has been shown anything new, the word undo takes it back."
        in told
    )
    desk.answer(ANN, "undo")
    desk.answer(ANN, "no, make it a hundred")
    assert "What you said before" not in words(desk.last(ANN))
    desk.answer(ANN, "cut 20")
    desk.answer(ANN, "pick 77")
    assert "stands" not in words(desk.last(ANN)).split("Which card")[0]
    assert said(desk) == ["cut 20", "cut 20"]
