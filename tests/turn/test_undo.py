"""`undo`: one's last command is taken back while nobody was shown anything new; else a sentence says why not."""

from datetime import datetime, timedelta

import pytest

from host.turn import admin, reports
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import OPERATOR, Desk, words
from tests.turn.test_admin import by_hand

ANN, BOB = "ann@example.net", "bob@example.net"


def record(desk: Desk, code: str) -> list[str]:
    with desk.store.reading() as session:
        found = reports.episode(session, code, True)
        assert found is not None
        return [row["text"] for row in found["record"]]


def test_codes_that_nobody_has_seen_are_taken_back(make_desk: MakeDesk) -> None:
    desk = make_desk(game="split-decision")
    desk.begin()
    assert desk.answer(BOB, f"codes {' '.join(map(str, range(1, 31)))}").state == "played"
    assert desk.answer(BOB, "undo").note.startswith("taken back: codes 1 2 3")


def test_a_cut_that_nobody_has_seen_is_taken_back(make_desk: MakeDesk) -> None:
    desk = make_desk(game="split-decision")
    desk.begin()
    desk.answer(ANN, "cut 5")
    assert desk.answer(ANN, "undo").note == "taken back: cut 5"


@pytest.mark.parametrize("text", a_few(["undo", "Oops!", "Take that back, please", "can I take that back?"]))
def test_a_bet_that_nobody_saw_is_taken_back_and_asked_again(make_desk: MakeDesk, text: str) -> None:
    desk = make_desk(game="champion-poker", games={"champion-poker": {"seats": 2}})
    desk.begin()
    due = desk.last(ANN).headers["x-podium-reply-by"]
    desk.later(hours=2)
    desk.answer(ANN, "bet 20")
    before = len(desk.letters(BOB))
    row = desk.answer(ANN, text)
    assert (row.state, row.note) == ("played", "taken back: bet 20")
    assert "Taken back: bet 20." in words(desk.last(ANN))
    assert desk.last(ANN).links, "the question is put again"
    assert desk.last(ANN).headers["x-podium-reply-by"] == due, "its time runs on"
    assert len(desk.letters(BOB)) == before
    desk.answer(ANN, "bet 30")
    assert record(desk, "CP-1") == ['{"from":"Ann","say":"bet 20"}', '{"back_to":1}', '{"from":"Ann","say":"bet 30"}']


@pytest.mark.parametrize(
    "text", a_few(["oops, I meant bet 30", "I meant bet 30", "undo\nbet 30", "Sorry, I meant to write: bet 30"])
)
def test_what_was_meant_is_played_in_its_place(make_desk: MakeDesk, text: str) -> None:
    desk = make_desk(game="champion-poker", games={"champion-poker": {"seats": 2}})
    desk.begin()
    desk.answer(ANN, "bet 20")
    row = desk.answer(ANN, text)
    assert (row.state, row.note) == ("played", "bet 30")
    assert "Taken back: bet 20." in words(desk.last(ANN))
    assert record(desk, "CP-1")[-2:] == ['{"back_to":1}', '{"from":"Ann","say":"bet 30"}']


def test_a_throw_is_taken_back_until_the_other_has_thrown(make_desk: MakeDesk) -> None:
    desk = make_desk(game="game-of-champions")
    desk.begin()
    desk.tap(ANN, "throw rock")
    desk.answer(ANN, "undo")
    assert "Taken back:" in words(desk.last(ANN))
    desk.tap(ANN, "throw paper")
    desk.tap(BOB, "throw rock")
    row = desk.answer(ANN, "undo")
    assert row.state == "refused"
    assert "cannot be taken back any more" in words(desk.last(ANN))


def test_more_throws_may_be_sent_in_answer_to_the_same_letter(make_desk: MakeDesk) -> None:
    desk = make_desk(game="game-of-champions")
    desk.begin()
    asked = desk.last(ANN)
    assert desk.answer(ANN, "throw rock", asked).state == "played"
    assert desk.answer(ANN, "throw paper", asked).state == "played"
    assert desk.answer(ANN, "throw paper scissors", asked).state == "played"


def test_what_showed_a_card_cannot_be_taken_back(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5\npick 2")
    row = desk.answer(ANN, "oops, I meant pick 3")
    assert row.state == "refused"
    assert "cannot be taken back any more" in words(desk.last(ANN))
    assert len(record(desk, "CC-1")) == 2, "nothing was played in its place"


def test_only_ones_own_command_is_taken_back_also_where_another_came_later(make_desk: MakeDesk) -> None:
    desk = make_desk(game="champion-poker", games={"champion-poker": {"seats": 3}})
    desk.begin()
    desk.answer(ANN, "bet 20")
    desk.answer(BOB, "bet 30")
    row = desk.answer(ANN, "undo")
    assert (row.state, row.note) == ("played", "taken back: bet 20")
    assert record(desk, "CP-1")[-2:] == ['{"back_to":1}', '{"from":"Bob","say":"bet 30"}']


def test_nothing_is_taken_back_when_the_time_for_the_question_is_over(make_desk: MakeDesk) -> None:
    desk = make_desk(game="champion-poker", games={"champion-poker": {"seats": 2}})
    desk.begin()
    desk.answer(ANN, "bet 20")
    desk.later(hours=49)
    row = desk.answer(ANN, "undo")
    assert row.state == "refused"
    assert "the time for that answer is over" in words(desk.last(ANN))
    assert record(desk, "CP-1") == ['{"from":"Ann","say":"bet 20"}']


def test_what_was_sent_ahead_is_taken_back_mail_by_mail(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "pick 1, keep")
    desk.answer(BOB, "freeze")
    desk.answer(BOB, "undo")
    assert "Taken back: freeze." in words(desk.last(BOB))
    desk.answer(BOB, "undo")
    assert "Taken back: pick 1, keep." in words(desk.last(BOB))
    desk.answer(BOB, "undo")
    assert "nothing of yours to take back" in words(desk.last(BOB))


def test_what_was_meant_by_a_mail_that_played_nothing_is_played(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 99")
    row = desk.answer(ANN, "I meant cut 9")
    assert (row.state, row.note) == ("played", "cut 9")


def test_the_receipt_of_what_can_be_taken_back_has_a_button_for_it(make_desk: MakeDesk) -> None:
    desk = make_desk(game="game-of-champions")
    desk.begin()
    desk.answer(ANN, "letters at once")
    desk.tap(ANN, "throw rock")
    receipt = desk.last(ANN)
    assert "Take it back" in receipt.page
    desk.tap(ANN, "undo")
    assert "Taken back:" in words(desk.last(ANN))
    desk.tap(ANN, "throw paper")
    before = desk.count()
    desk.tap(BOB, "throw rock")
    later = [letter for _, letter, _ in desk.sent[before:]]  # to Ann there is none where she has nothing to lay out
    assert later
    assert not any(link.endswith("body=undo") for letter in later for link in letter.links)


def test_a_letter_that_tells_what_waits_has_the_button_for_what_was_played(make_desk: MakeDesk) -> None:
    desk = make_desk(game="game-of-champions")
    desk.begin()
    desk.answer(ANN, "throw rock\nattack Kh Kd")
    letter = desk.last(ANN)
    assert "Sent ahead, seen by you alone: attack" in words(letter)
    assert any(link.endswith("body=undo") for link in letter.links)


def test_orders_that_are_dropped_with_it_are_named(make_desk: MakeDesk) -> None:
    desk = make_desk(game="champion-poker", games={"champion-poker": {"seats": 2}})
    desk.begin()
    desk.answer(ANN, "bet 20, always play")
    desk.answer(ANN, "undo")
    assert "Taken back: bet 20. Your standing orders are dropped with it: always play." in words(desk.last(ANN))


def test_no_undo_is_promised_where_an_order_may_play_on(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 26\nalways pick the next\nkeep 8 or more, else draw\nfreeze 17 or more")
    assert len(record(desk, "CC-1")) > 1
    assert all("the word undo takes it back" not in words(each) for each in desk.letters(ANN))


def test_who_takes_back_what_waits_hears_that_nothing_waits_in_its_place(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "pick 5")
    desk.answer(BOB, "oops, I meant 7, not 5")
    told = words(desk.last(BOB))
    assert "Taken back: pick 5. Nothing is kept in its place." in told
    assert "I meant 7, not 5" in words(desk.last(OPERATOR))


def test_what_is_said_several_times_is_taken_back_at_once_and_then_there_is_nothing_left(make_desk: MakeDesk) -> None:
    desk = make_desk(game="game-of-champions")
    desk.begin()
    desk.answer(ANN, "rock x3")
    assert "You added rock, rock and rock to your queue" in words(desk.last(ANN))
    desk.answer(ANN, "undo")
    assert "Taken back: throw rock rock rock" in words(desk.last(ANN))
    desk.answer(ANN, "undo")
    assert "nothing of yours to take back" in words(desk.last(ANN))


def test_one_undo_after_the_other_takes_back_what_is_left(make_desk: MakeDesk) -> None:
    desk = make_desk(game="game-of-champions")
    desk.begin()
    desk.answer(ANN, "throw rock")
    desk.answer(ANN, "throw paper", desk.letters(ANN)[-2])
    desk.answer(ANN, "undo")
    desk.answer(ANN, "undo")
    desk.tap(ANN, "throw scissors")
    assert record(desk, "GC-1")[-1] == '{"from":"Ann","say":"throw scissors"}'


@pytest.fixture
def answered(make_desk: MakeDesk) -> Desk:
    """Ann has bet, Bob not yet; the clocks stand for 47 hours, by a pause or an outage."""
    desk = make_desk(game="champion-poker", games={"champion-poker": {"seats": 2}})
    desk.begin()
    desk.tick()
    desk.answer(ANN, "bet 60")
    return desk


def until_due(desk: Desk) -> timedelta:
    return datetime.fromisoformat(desk.last(ANN).headers["x-podium-reply-by"]) - desk.now


def test_a_question_that_is_asked_again_has_the_time_that_a_pause_gave_the_others(answered: Desk) -> None:
    by_hand(answered, admin.pause, "CP-1")
    answered.later(hours=60)
    answered.tick()
    by_hand(answered, admin.resume, "CP-1")
    answered.answer(ANN, "undo")
    assert "Taken back: bet 60." in words(answered.last(ANN))
    assert until_due(answered) > timedelta(hours=47)


def test_a_question_that_is_asked_again_has_the_time_that_an_outage_gave_the_others(answered: Desk) -> None:
    answered.later(hours=46)
    answered.see_again()
    answered.answer(ANN, "undo")
    assert until_due(answered) > timedelta(hours=46)


def test_in_a_pause_nothing_is_taken_back_and_afterwards_the_same_words_do_it(answered: Desk) -> None:
    by_hand(answered, admin.pause, "CP-1")
    answered.answer(ANN, "oops, I meant bet 20")
    assert "The episode is paused, so nothing is taken back" in words(answered.last(ANN))
    answered.later(hours=2)
    by_hand(answered, admin.resume, "CP-1")
    assert answered.answer(ANN, "oops, I meant bet 20").note == "bet 20"
