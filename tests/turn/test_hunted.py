"""What a bug hunt found: each test is the smallest story of one bug."""

import json
from unittest.mock import patch

import pytest
from sqlalchemy import select

from host.club import lobby
from host.engine.game import Entry
from host.games import GAMES
from host.store.episodes import episode_of_code, open_questions, record_texts
from host.store.schema import PremoveRow, QuestionRow
from host.table.work import Work
from host.turn import admin, question_bank
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import OPERATOR, Desk, words

ANN, BOB, CLEO = "ann@example.net", "bob@example.net", "cleo@example.net"
ALL = (ANN, BOB, CLEO)


def fill(desk: Desk, count: int) -> None:
    entries = [Entry(f"Question number {at}?", (f"reply{at}number",)) for at in range(count)]
    with desk.store.transaction() as session:
        question_bank.add_entries(Work(session, desk.services, desk.now), desk.game, entries)


def asked(desk: Desk) -> list[QuestionRow]:
    with desk.store.reading() as session:
        return list(open_questions(session, purpose="game"))


def said(desk: Desk) -> list[str]:
    with desk.store.reading() as session:
        episode = episode_of_code(session, f"{desk.game.code}-1")
        assert episode is not None
        lines = [json.loads(text) for text in record_texts(session, episode.id)]
        return [f"{line['from']}: {line['say']}" for line in lines if "say" in line]


def kept(desk: Desk) -> list[tuple[str, str]]:
    with desk.store.reading() as session:
        return [(row.text, row.state) for row in session.scalars(select(PremoveRow).order_by(PremoveRow.id))]


def at_a_question(make_desk: MakeDesk, count: int = 60) -> tuple[Desk, str]:
    """Split Decision at its first question; gives who is asked (nobody where the bank is empty)."""
    desk = make_desk(game="split-decision")
    fill(desk, count)
    desk.once("question", lambda: to_a_question(desk))
    rows = asked(desk)
    return desk, ALL[rows[0].seat or 0] if rows else ""


def to_a_question(desk: Desk) -> None:
    desk.begin()
    for address in ALL:
        desk.answer(address, "codes random\ncut 5" if address == ANN else "codes random")
    while (rows := asked(desk)) and rows[0].phase != "question":
        desk.answer(ALL[rows[0].seat or 0], "refuse")


@pytest.mark.parametrize("slug", a_few(["bluffjack", "champion-poker"]))
def test_who_let_a_deadline_pass_and_is_asked_again_hears_it_in_the_same_letter(slug: str, make_desk: MakeDesk) -> None:
    desk = make_desk(game=slug)
    desk.begin()
    for address in ALL:
        if not desk.letters(address) or desk.last(address).kind == "registered":
            desk.register(address, f"{address[:4].strip('@').title()} Poe")
    for _ in range(4):
        desk.later(hours=49)
        desk.tick()
        assert all(row.asked_at is not None for row in asked(desk))
    assert slug in GAMES


def test_a_reply_to_the_letter_of_an_earlier_question_answers_no_later_one(make_desk: MakeDesk) -> None:
    desk, first = at_a_question(make_desk)
    letters = {address: desk.last(address) for address in ALL if address != first}
    for _ in ALL:
        desk.later(minutes=5)
        desk.answer(ALL[asked(desk)[0].seat or 0], "skip")
    desk.later(minutes=5)
    before = said(desk)
    for address, letter in letters.items():
        assert "Question number 0?" in words(letter)
        desk.answer(address, "Paris", letter)
        assert desk.last(address).kind == "refused"
    assert said(desk) == before
    assert kept(desk) == []


@pytest.mark.parametrize("line", a_few(["1984", "Seven", "yes", "High Noon", "six o'clock", "answer\n1984"], 4))
def test_a_lone_line_that_only_resembles_a_command_is_an_answer(line: str, make_desk: MakeDesk) -> None:
    desk, address = at_a_question(make_desk)
    desk.answer(address, line)
    assert any(each.endswith(f"answer {line.removeprefix('answer').strip()}") for each in said(desk))


def test_a_lone_command_that_may_be_an_answer_is_asked_as_one(make_desk: MakeDesk) -> None:
    desk, address = at_a_question(make_desk)
    desk.answer(address, "High")
    assert "I read this as “answer High”. Is that right?" in words(desk.last(address))
    assert desk.last(address).links[0].endswith("body=answer%20High")


@pytest.mark.parametrize("line", ["no", "take that"])
def test_a_lone_word_of_no_answer_is_asked_about(line: str, make_desk: MakeDesk) -> None:
    desk, address = at_a_question(make_desk)
    before = said(desk)
    desk.answer(address, line)
    assert said(desk) == before
    assert "Is that right?" in words(desk.last(address))


def test_the_word_answer_alone_is_no_answer(make_desk: MakeDesk) -> None:
    desk, address = at_a_question(make_desk)
    before = said(desk)
    desk.answer(address, "answer ")
    assert said(desk) == before
    assert "Write your answer behind the word answer." in words(desk.last(address))


def test_what_is_written_instead_of_a_resignation_is_no_answer(make_desk: MakeDesk) -> None:
    desk, address = at_a_question(make_desk)
    desk.answer(address, "resign")
    before = said(desk)
    desk.answer(address, "No, that was a joke of mine")
    assert said(desk) == before


def test_a_no_to_resigning_is_none_to_the_table_and_a_number_is_no_move(make_desk: MakeDesk) -> None:
    desk, address = at_a_question(make_desk)
    before = said(desk)
    desk.answer(address, "resign")
    asked = desk.last(address)
    for text in ("no", "No, sorry!", "I keep playing"):
        desk.answer(address, text, asked)
        assert "You stay in the game." in words(desk.last(address))
        desk.answer(address, "resign")
        asked = desk.last(address)
    for text in ("1", "2", "ok no"):
        desk.answer(address, text, asked)
        asked = desk.last(address)
        assert "I could not tell whether that is a yes" in words(asked)
    assert said(desk) == before
    desk.answer(address, "yes", asked)
    assert [line.partition(": ")[2] for line in said(desk)[len(before) :]] == ["resign"]


def test_high_behind_a_list_is_a_command_of_its_own(make_desk: MakeDesk) -> None:
    desk = make_desk(game="split-decision")
    desk.begin()
    desk.answer(ANN, "codes random, cut 5, high")
    assert kept(desk) == [("high", "waiting")]


def test_what_can_never_be_asked_again_is_not_kept(make_desk: MakeDesk) -> None:
    desk, _ = at_a_question(make_desk)
    desk.answer(BOB, "codes random")
    desk.answer(ANN, "cut 5")
    assert kept(desk) == []


def test_two_replies_to_a_letter_whose_question_is_still_open_keep_a_command_once(make_desk: MakeDesk) -> None:
    desk = make_desk(game="split-decision")
    desk.begin()
    letter = desk.last(ANN)
    due = asked(desk)[0].due_at
    desk.later(hours=1)
    desk.answer(ANN, "codes random\nhigh", letter)
    assert asked(desk)[0].due_at == due
    desk.answer(ANN, "cut 5\nhigh", letter)
    assert said(desk) == ["Ann: codes random", "Ann: cut 5"]
    assert [each for each in kept(desk) if each[1] == "waiting"] == [("high", "waiting")]


def test_an_operators_question_may_be_wrapped_by_the_mail_program(make_desk: MakeDesk) -> None:
    desk, nobody = at_a_question(make_desk, 0)
    assert nobody == ""
    desk.answer(
        OPERATOR, "ask Which is the longest river of the continent on which\nthe Nile flows? = Nile |\nthe Nile"
    )
    assert said(desk)[-1].endswith("on which the Nile flows? = Nile | the Nile")


def test_after_the_host_went_back_an_older_letter_judges_no_newer_answer(make_desk: MakeDesk) -> None:
    desk, address = at_a_question(make_desk)
    line = len(said(desk)) + 1
    desk.answer(address, "reply0numbr")
    letter = desk.last(OPERATOR)
    with desk.store.transaction() as session:
        admin.back(Work(session, desk.services, desk.now), "SD-1", line)
    desk.send()
    desk.answer(address, "reply0numbx")
    desk.answer(OPERATOR, "right", letter)
    assert said(desk)[-1].endswith("answer reply0numbx")
    desk.answer(OPERATOR, "wrong", next(each for each in reversed(desk.letters(OPERATOR)) if each.links))
    assert said(desk)[-1] == "host: wrong"


def test_questions_imported_during_a_pause_are_put_when_the_episode_goes_on(make_desk: MakeDesk) -> None:
    desk, _ = at_a_question(make_desk, 0)
    with desk.store.transaction() as session:
        admin.pause(Work(session, desk.services, desk.now), "SD-1")
    fill(desk, 5)
    question_bank.wake_all(desk.services, desk.game, desk.now)
    assert asked(desk) == []
    with desk.store.transaction() as session:
        admin.resume(Work(session, desk.services, desk.now), "SD-1")
    desk.send()
    assert [row.phase for row in asked(desk)] == ["question"]
    assert asked(desk)[0].asked_at is not None


@pytest.mark.parametrize("text", a_few(["yes", "no", "I'm good", "ok", "sure"]))
def test_a_small_word_of_who_is_asked_nothing_is_no_move_for_later(make_desk: MakeDesk, text: str) -> None:
    desk = make_desk(game="bluffjack")
    desk.begin()
    while (row := asked(desk)[0]).phase == "bet":
        who = ALL[row.seat or 0]
        desk.answer(who, "check" if "owe nothing" in words(desk.last(who)) else "call")
    waits = next(each for at, each in enumerate(ALL) if at != row.seat)
    desk.answer(waits, text)
    assert kept(desk) == []


def test_a_yes_to_an_answer_about_the_rules_confirms(desk: Desk) -> None:
    desk.write(ANN, "games@example.org", desk.game.subject, "Name: Ann Lee")
    desk.answer(ANN, "rules")
    assert desk.last(ANN).kind == "help"
    desk.answer(ANN, "yes, I confirm")
    assert desk.last(ANN).kind == "registered"


def test_one_letter_asks_whether_to_resign_where_an_answer_is_asked(make_desk: MakeDesk) -> None:
    desk = make_desk(game="split-decision")
    fill(desk, 3)
    desk.begin()
    while asked(desk)[0].phase != "question":
        for row in asked(desk):
            text = "codes random\ncut 13" if row.seat == 0 else "codes random"
            desk.answer(ALL[row.seat or 0], text if row.phase == "setup" else "refuse")
    who = ALL[asked(desk)[0].seat or 0]
    before = desk.count()
    desk.answer(who, "resign")
    assert [to for to, _, _ in desk.sent[before:]] == [who]
    assert "Do you really want to resign?" in words(desk.last(who))


@pytest.mark.storm
def test_who_loses_the_main_game_on_totals_hears_that_they_are_out(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.wanted = "turns"
    with patch.object(lobby, "new_seed", lambda: bytes([1]) * 32):
        desk.begin()
    desk.answer(ANN, "cut 5, pick 1\nkeep 8 or more, else draw\nfreeze at 17\nalways pick the next\nalways cut 5")
    desk.answer(BOB, "keep 8 or more, else draw\nfreeze 15 or more\nalways pick the next\nalways decline")
    with desk.store.reading() as session:
        episode = episode_of_code(session, "CC-1")
        assert episode is not None
        assert episode.state["stage"] == "bonus"
    loser = BOB if desk.last(ANN).kind == "turn" else ANN
    assert "You are out of this episode" in words(desk.last(loser))


def test_a_move_and_what_is_to_stand_are_one_button_the_move_first(make_desk: MakeDesk) -> None:
    desk, who = at_a_question(make_desk)
    desk.answer(who, "I say monkey. If a card comes: high from ten up, low up to four, otherwise throw it away")
    order = "high 10 or more, low 4 or less, else discard"
    assert f"1. Answer monkey; then {order}" in words(desk.last(who))
    desk.answer(who, "yes")
    assert said(desk)[-1].endswith(": answer monkey")
    assert f"Your standing orders, seen by you alone: {order}" in words(desk.last(who))


def test_a_line_that_is_typed_again_counts_again(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.begin()
    first = "cut 10 and pick 3 and keep it if the card is 8 or more, else draw"
    desk.answer(ANN, f"{first}\npick 77")
    desk.answer(ANN, f"{first}\npick 7")
    with desk.store.reading() as session:
        episode = episode_of_code(session, "CC-1")
        assert episode is not None
        assert not record_texts(session, episode.id)


CAUTION = (
    "CAUTION: This email originated from outside of the organization. Do not click links or open attachments unless you "
    "recognize the sender and know the content is safe."
)


def test_what_a_server_writes_round_all_mail_of_somebody_is_asked_about_once(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.begin()
    desk.answer(ANN, f"{CAUTION}\n\ncut 13")
    assert desk.answer(ANN, f"{CAUTION}\n\nyes").note == "cut 13"
    assert desk.answer(ANN, f"{CAUTION}\n\npick 5").note == "pick 5"
