"""Standing orders by mail: kept, secret, shown, played when they fit, replaced, dropped."""

from pathlib import Path

import pytest
from sqlalchemy import select

from host.store.schema import PremoveRow
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import Desk, words
from tests.turn.test_premoves import ANN, BOB, CLEO, asked, kept, record, said

KEEPING = "keep 8 or more, else draw"


def test_a_pick_carries_what_becomes_of_its_card(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5, pick 1, keep 8 or more")
    assert said(desk)[:2] == ["Ann: cut 5", "Ann: pick 1"]
    assert said(desk)[2] in ("Ann: keep", "Ann: draw")
    assert kept(desk) == [(KEEPING, "waiting")]
    desk.answer(BOB, "pick 2, draw")
    desk.answer(ANN, "pick 3")
    assert len(said(desk)) == 7
    assert said(desk)[6] in ("Ann: keep", "Ann: draw")


def test_an_order_alone_plays_at_once_what_it_fits(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5, pick 1")
    desk.answer(ANN, "Keep it if it's at least 2, otherwise draw. Thanks!")
    assert said(desk)[-1] == "Ann: keep"


def test_its_owner_sees_it_in_each_letter_and_drops_it_by_a_tap(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5, pick 1, keep 8 or more")
    desk.answer(BOB, "pick 2, draw")
    letter = desk.last(ANN)
    assert f"Your standing orders, seen by you alone: {KEEPING}." in words(letter)
    assert any(link.endswith("body=cancel") for link in letter.links)
    desk.answer(ANN, "cancel")
    assert kept(desk) == [(KEEPING, "cancelled")]
    desk.answer(ANN, "pick 3")
    assert said(desk)[-1] == "Ann: pick 3"


def test_the_others_cannot_tell_an_order_from_a_reply(tmp_path: Path, make_desk: MakeDesk) -> None:
    told = []
    for name, mail in (("order", "cut 5, pick 1, keep 2 or more"), ("reply", "cut 5, pick 1, keep")):
        (tmp_path / name).mkdir()
        desk = Desk(tmp_path / name)
        desk.begin()
        desk.answer(ANN, mail)
        told.append([(letter.kind, words(letter).partition("Ref:")[0]) for letter in desk.letters(BOB)[-1:]])
        assert said(desk) == ["Ann: cut 5", "Ann: pick 1", "Ann: keep"]
    assert told[0] == told[1]


def test_a_later_order_about_the_same_takes_the_place_of_the_first(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "keep 8 or more, freeze at 17")
    desk.answer(BOB, "keep 9 or more")
    assert [text for text, state in kept(desk) if state == "waiting"] == [
        "freeze 17 or more",
        "keep 9 or more, else draw",
    ]
    assert "keep 9 or more, else draw" in words(desk.last(BOB))


def test_an_order_once_is_gone_when_it_has_played(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5, pick 1, keep 8 or more once")
    assert kept(desk) == [(f"{KEEPING}, once", "played")]


def test_an_order_that_can_never_fire_is_refused_and_nothing_of_the_mail_is_played(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5, keep 15 or more")
    assert "would never do anything: the card is a number from 2 to 11" in words(desk.last(ANN))
    desk.answer(ANN, "cut 99 every round")
    assert "would never do anything: no cut is 99" in words(desk.last(ANN))
    assert (said(desk), kept(desk)) == ([], [])


def test_an_order_that_is_taken_back_in_the_same_mail_is_asked_about(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5, pick 1, keep 8 or more, no wait, 9 or more")
    assert (said(desk), kept(desk)) == ([], [])
    assert desk.last(ANN).asks


def test_an_order_that_makes_no_sense_any_more_is_dropped_with_a_line(make_desk: MakeDesk) -> None:
    desk = make_desk(game="champion-poker")
    desk.wanted = "turns"
    desk.begin()
    desk.answer(ANN, "bet 100 every hand")
    for _ in range(12):
        who = asked(desk)
        if who == ANN and "was dropped" in words(desk.last(ANN)):
            break
        desk.answer(who, "play" if "play" in words(desk.last(who)) else "check")
    assert any(text == "always bet 100" for text, _ in kept(desk))


def test_taking_a_move_back_drops_the_order_that_would_play_it_again(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 26 every round")
    assert said(desk) == ["Ann: cut 26"]
    desk.answer(ANN, "undo")
    assert kept(desk) == [("always cut 26", "cancelled")]
    assert "Taken back: cut 26" in words(desk.last(ANN))
    assert list(record(desk)[-1]) == ["back_to"]


def test_who_did_not_ask_for_receipts_gets_none(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.wanted = "turns"
    desk.begin()
    before = len(desk.letters(ANN))
    desk.answer(ANN, "cut 5, pick 1, keep")
    assert len(desk.letters(ANN)) == before
    desk.answer(BOB, "pick 2, draw")
    told = desk.last(ANN)
    assert told.kind == "turn"
    assert "You turned 1" in words(told)


def test_an_order_is_confirmed_where_no_question_shows_it(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.wanted = "turns"
    desk.begin()
    desk.answer(BOB, "keep anything from 8 up")
    assert desk.last(BOB).kind == "news" or KEEPING in words(desk.last(BOB))
    assert KEEPING in words(desk.last(BOB))


def test_an_order_after_the_end_or_of_who_is_out_is_refused_and_told_to_nobody_else(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.wanted = "turns"
    desk.begin()
    for who in (BOB, ANN):
        desk.answer(who, "resign")
        desk.answer(who, "yes")
        before = desk.count()
        desk.answer(who, "keep 8 or more")
        assert [(to, letter.kind) for to, letter, _ in desk.sent[before:]] == [(who, "refused")]
    assert "The episode is over." in words(desk.last(ANN))
    desk.answer(ANN, "keep 8 or more, else draw, keep, pick")
    assert "The episode is over." in words(desk.last(ANN)), "nothing is asked that could not be played"
    assert kept(desk) == []


def test_a_move_that_waits_is_replaced_by_a_later_one_and_that_is_told(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.wanted = "turns"
    desk.begin()
    desk.answer(BOB, "3, keep")
    desk.answer(BOB, "no wait, pick 7")
    assert kept(desk) == [("pick 3", "cancelled"), ("keep", "waiting"), ("pick 7", "waiting")]
    assert "That is kept in the place of pick 3." in words(desk.last(BOB))
    desk.answer(BOB, "good luck with your cards, Ann")
    assert "For you still waits: keep; pick 7." in words(desk.last(BOB))


def test_a_card_that_waits_takes_no_bets_place(make_desk: MakeDesk) -> None:
    desk = make_desk(game="bluffjack")
    desk.begin()
    waits = next(each for each in (ANN, BOB, CLEO) if each != asked(desk))
    desk.answer(waits, "call")
    desk.answer(waits, "hit")
    desk.answer(waits, "fold")
    assert kept(desk) == [("call", "cancelled"), ("hit", "waiting"), ("fold", "waiting")]


@pytest.mark.parametrize(
    ("game", "first", "others"),
    a_few(
        [
            ("bluffjack", "raise 10", ["raise 10", "fold", "call"]),
            ("game-of-champions", "throw rock", ["throw rock", "throw paper"]),
            ("champ-cards", "cut 5, pick 5, keep", ["pick 3", "keep", "cut 3"]),
            ("champion-poker", "sit", ["sit", "bet 5"]),
        ]
    ),
)
def test_what_was_answered_is_not_answered_ahead_by_another_reply(
    make_desk: MakeDesk, game: str, first: str, others: list[str]
) -> None:
    desk = make_desk(game=game)
    desk.wanted = "turns"
    desk.begin()
    who = asked(desk)
    letter = desk.last(who)
    desk.later(minutes=5)
    desk.answer(who, first, letter)
    before = said(desk)
    for each in others:
        desk.answer(who, each, letter)
        assert desk.last(who).kind == "refused"
        assert "settled before" in words(desk.last(who))
    assert (said(desk), kept(desk)) == (before, [])


def test_who_gets_no_receipt_sends_ahead_in_reply_to_the_last_letter_they_have(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.wanted = "turns"
    desk.begin()
    desk.later(minutes=5)
    desk.answer(ANN, "cut 5, pick 1, keep")
    desk.answer(ANN, "accept")
    assert kept(desk)[-1] == ("accept", "waiting")


def test_of_two_moves_that_are_sealed_the_last_counts(make_desk: MakeDesk) -> None:
    desk = make_desk(game="bluffjack")
    desk.begin()
    waits = next(each for each in (ANN, BOB, CLEO) if each != asked(desk))
    desk.answer(waits, "fold")
    desk.answer(waits, "call")
    assert kept(desk) == [("fold", "cancelled"), ("call", "waiting")]


def test_an_order_is_dropped_in_other_words_too(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5, pick 1, keep 8 or more")
    desk.answer(BOB, "pick 2, draw")
    desk.answer(ANN, "drop my standing orders, please")
    assert kept(desk) == [(KEEPING, "cancelled")]


def test_a_letter_after_a_hand_by_orders_tells_the_whole_hand(make_desk: MakeDesk) -> None:
    desk = make_desk(game="champion-poker", games={"champion-poker": {"seats": 2}})
    desk.begin()
    desk.answer(BOB, "bet 5\nalways bet 5\nalways play\nalways check")
    desk.answer(ANN, "bet 100\nplay\nraise")
    told = words(desk.last(ANN))
    assert "Hand 2 of 5" in told
    assert all(each in told for each in ("Your cards: ", "You played, for 100 more.", "After hand 1: "))
    assert "more things happened" not in told


@pytest.mark.parametrize(
    "text", ["pick 2, then ask me", "pick 2. I decide about it when I see it", "pick 2, no order this time"]
)
def test_who_wants_to_decide_behind_a_move_is_asked_whatever_stands(desk: Desk, text: str) -> None:
    desk.begin()
    desk.answer(ANN, "cut 26")
    desk.answer(ANN, "always keep 8 or more, else draw", desk.letters(ANN)[-1])
    desk.answer(ANN, text)
    assert record(desk)[-1] == {"from": "Ann", "say": "pick 2"}
    assert "What you had sent ahead is taken back: “keep 8 or more, else draw”." in words(desk.last(ANN))


@pytest.mark.parametrize("text", ["I choose 2", "pick 2. I see you are ahead, Bob", "pick 2, I know the rules by now"])
def test_what_stands_is_not_dropped_by_who_chooses_or_sees(desk: Desk, text: str) -> None:
    desk.begin()
    desk.answer(ANN, "cut 26")
    desk.answer(ANN, KEEPING, desk.letters(ANN)[-1])
    desk.answer(ANN, text)
    assert {"from": "Ann", "say": "pick 2"} in record(desk)
    assert "is taken back" not in words(desk.last(ANN))


@pytest.mark.parametrize(
    ("text", "lasting"),
    [
        ("pick 2, and if it's a ten or more keep it, otherwise draw", "keep 10 or more, else draw, once"),
        ("pick 2, keep 8 or more, else draw", "keep 8 or more, else draw"),
        ("pick 2. Always keep it if it's 8 or more, else draw", "keep 8 or more, else draw"),
    ],
)
def test_an_order_about_the_card_of_a_move_is_for_that_card(desk: Desk, text: str, lasting: str) -> None:
    desk.begin()
    desk.answer(ANN, "cut 26")
    desk.answer(ANN, text)
    with desk.store.reading() as session:
        assert [row.text for row in session.scalars(select(PremoveRow))] == [lasting]
