"""Registration, queue, champion, the check of who has been quiet."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from host.cli import format
from host.demo.robot import write
from host.store.schema import Episode, Registration
from host.table.work import Work
from host.turn import admin, reports
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import ADDRESS, OPERATOR, SUBJECT, Desk, words

ANN, BOB, CLEO = "ann@example.net", "bob@example.net", "cleo@example.net"


def queue(desk: Desk) -> list[str]:
    with desk.store.reading() as session:
        return [row["name"] for row in reports.queue(session, "champ-cards")]


def test_a_registration_is_confirmed_and_queued(desk: Desk) -> None:
    form = "Name (first and last, please): Ann Lee\nName you go by at TGSF (if you have one): Sparrow\nHometown: Springfield"
    desk.write(ANN, ADDRESS, "re:  champ CARDS contestant   registration ", form)
    confirm = desk.last(ANN)
    assert confirm.kind == "confirm"
    assert [link.rpartition("=")[2] for link in confirm.links] == ["confirm", "no"]
    assert "Name: Ann Lee; Nickname: Sparrow; Hometown: Springfield" in words(confirm)
    assert queue(desk) == []
    desk.answer(ANN, "oh yes, that was me")
    assert desk.last(ANN).kind == "registered"
    assert "number 1 in the queue" in words(desk.last(ANN))
    assert queue(desk) == ["Sparrow"]


def test_the_value_may_stand_on_the_next_line_and_the_order_is_free(desk: Desk) -> None:
    desk.write(
        ANN,
        ADDRESS,
        SUBJECT,
        "Hometown (town, state if possible):\nSpringfield\nNickname: Wren\nName (first and last, please):\nAnn Lee\n",
    )
    desk.answer(ANN, "confirm")
    assert queue(desk) == ["Wren"]


def test_without_a_name_the_sender_line_is_taken_and_that_is_said(desk: Desk) -> None:
    desk.write(ANN, ADDRESS, SUBJECT, "hello, count me in", name="Ann Lee")
    assert "“Ann Lee” from its sender line" in words(desk.last(ANN))


def test_without_any_name_the_answer_asks_and_a_reply_settles_it(desk: Desk) -> None:
    raw = f"From: {ANN}\r\nTo: {ADDRESS}\r\nSubject: {SUBJECT}\r\nMessage-ID: <1@x>\r\n\r\ncount me in\r\n".encode()
    desk.deliver(raw)
    asked = desk.last(ANN)
    assert asked.kind == "refused"
    assert "What is your name" in asked.page
    desk.answer(ANN, "Ann Lee")
    assert desk.last(ANN).kind == "confirm"
    desk.answer(ANN, "confirm")
    assert queue(desk) == ["Ann"]


def test_twice_says_so(desk: Desk) -> None:
    desk.write(ANN, ADDRESS, SUBJECT, "Name: Ann Lee")
    desk.write(ANN, ADDRESS, SUBJECT, "Name: Ann Lee")
    assert desk.last(ANN).kind == "confirm"
    desk.answer(ANN, "confirm")
    before = desk.count()
    desk.write(ANN, ADDRESS, SUBJECT, "count me in, please")
    assert desk.count() == before + 1
    assert "registered already: place 1" in words(desk.last(ANN))
    assert "Nothing was changed" in words(desk.last(ANN))
    assert queue(desk) == ["Ann"]


def test_who_plays_is_told_so(desk: Desk) -> None:
    desk.begin()
    desk.write(ANN, ADDRESS, SUBJECT, "Name: Ann Lee")
    assert "playing already, in episode CC-1" in words(desk.last(ANN))
    assert queue(desk) == []


def test_a_game_that_is_not_offered_gets_one_clear_answer(desk: Desk) -> None:
    desk.write(ANN, ADDRESS, "RE: Bluffjack  contestant registration", "Name: Ann Lee")
    assert desk.count() == 1
    assert "not played here" in words(desk.last(ANN))
    assert SUBJECT in words(desk.last(ANN))


def test_registered_is_left_out_where_the_episode_begins_at_once(desk: Desk) -> None:
    desk.begin()
    assert [letter.kind for letter in desk.letters(BOB)] == ["confirm", "begin"]
    assert [letter.kind for letter in desk.letters(ANN)] == ["confirm", "registered", "begin"]
    assert desk.last(ANN).asks
    assert not desk.last(BOB).asks
    for address in (ANN, BOB):
        assert len(desk.last(address).headers["x-podium-commitment"]) == 64


def test_an_unconfirmed_registration_lapses_after_a_week(desk: Desk) -> None:
    desk.write(ANN, ADDRESS, SUBJECT, "Name: Ann Lee")
    confirm = desk.last(ANN)
    desk.later(days=7, seconds=10)
    desk.tick()
    desk.answer(ANN, "confirm", confirm)
    assert queue(desk) == []


def test_a_known_address_need_not_confirm_again(make_desk: MakeDesk) -> None:
    desk = make_desk(security={"confirm_registration": True})
    desk.register(ANN, "Ann Lee")
    desk.answer(ANN, "leave champ cards")
    assert queue(desk) == []
    desk.write(ANN, ADDRESS, SUBJECT, "Name: Ann Lee")
    assert desk.last(ANN).kind == "registered"


def test_who_has_been_quiet_is_asked_and_goes_to_the_end(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.later(hours=80)
    desk.register(BOB, "Bob Ray")
    ready = desk.last(ANN)
    assert ready.kind == "ready"
    assert ready.links[0].endswith("body=ready")
    assert desk.last(BOB).kind == "registered"
    desk.later(hours=48, seconds=10)
    desk.tick()
    assert queue(desk) == ["Bob", "Ann"]
    assert "end of the queue" in words(desk.last(ANN))
    before = desk.count()
    for _ in range(5):
        desk.later(hours=1)
        desk.tick()
    assert desk.count() == before, "who was silent is not asked again and again"
    desk.register(CLEO, "Cleo Fox")
    assert desk.last(CLEO).kind == "begin"


def test_who_comes_back_is_told_so_while_the_other_is_asked(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.later(hours=80)
    desk.register(BOB, "Bob Ray")
    desk.later(hours=80)
    desk.tick()
    assert "end of the queue" in words(desk.last(ANN))
    before = desk.count()
    desk.answer(ANN, "ready")
    assert {to: letter.kind for to, letter, _ in desk.sent[before:]} == {ANN: "registered", BOB: "ready"}
    assert "You are in line again" in words(desk.last(ANN))


def test_ready_begins_the_episode(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.later(hours=80)
    desk.register(BOB, "Bob Ray")
    desk.tap(ANN, "ready")
    assert desk.last(ANN).kind == "begin"
    assert desk.last(BOB).kind == "begin"


def test_who_was_passed_over_comes_back_by_writing(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.later(hours=80)
    desk.register(BOB, "Bob Ray")
    desk.later(hours=48, seconds=10)
    desk.tick()
    desk.answer(ANN, "I am back!")
    desk.tick()
    assert desk.last(BOB).kind in ("begin", "ready")


def test_names_never_tell_a_surname_or_an_address(desk: Desk) -> None:
    for number, (name, body) in enumerate(
        [
            ("a", "Name: Ann Lee\nName you go by at TGSF: Ann Lee"),
            ("b", "Name: Ann Lee\nNickname: ann.lee@example.org"),
            ("c", "Name: Poe, Fay\nNickname: host"),
            ("d", "Name: José Müller"),
            ("e", "Name: Red Miller"),
        ]
    ):
        desk.write(f"{name}{number}@example.com", ADDRESS, SUBJECT, body)
    with desk.store.reading() as session:
        from host.store.schema import Contestant

        called = [row.called for row in session.query(Contestant).order_by(Contestant.id)]
    assert called == ["Ann", "Ann-2", "Fay", "Jose", "Red-2"]


def test_a_stranger_about_another_contest_is_left_alone(desk: Desk) -> None:
    row = desk.write("carol@example.com", ADDRESS, "Miss Texas Contestant Registration", "Dear Sirs")
    assert row.state == "stranger"
    assert desk.count() == 0


def test_words_to_the_host_do_not_answer_ready_or_confirm(desk: Desk) -> None:
    desk.write(ANN, ADDRESS, SUBJECT, "Name: Ann Lee")
    desk.answer(ANN, "host is this real money?")
    assert "is this real money?" in words(desk.last("boss@example.com"))
    assert queue(desk) == []
    confirm = next(letter for letter in desk.letters(ANN) if letter.kind == "confirm")
    desk.answer(ANN, "confirm", confirm)
    desk.later(hours=80)
    desk.register(BOB, "Bob Ray")
    ready = desk.last(ANN)
    assert ready.kind == "ready"
    desk.answer(ANN, "host I am ill this week", ready)
    assert desk.last(BOB).kind == "registered", "nothing begins"
    desk.answer(ANN, "leave", ready)
    assert queue(desk) == ["Bob"]
    assert "You left the queue" in words(desk.last(ANN))


def test_the_champion_retires(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "resign")
    desk.answer(BOB, "Resign yes")
    desk.answer(ANN, "resign")
    desk.answer(ANN, "Yes")
    assert desk.last(ANN).kind == "result"
    desk.answer(BOB, "retire")
    assert "Only a champion can retire" in words(desk.last(BOB))
    result = desk.last(ANN)
    desk.answer(ANN, "retire")
    asked = desk.last(ANN)
    assert "With 1 episode won" in words(asked).replace("with", "With")
    desk.answer(ANN, "retire", result)
    assert "give up the title" in words(desk.last(ANN)), "an old letter asks, too"
    desk.answer(ANN, "STOP", asked)
    assert "I could not tell what is to stop" in words(desk.last(ANN))
    desk.answer(ANN, "no", asked)
    assert "You stay champion" in words(desk.last(ANN))
    desk.answer(ANN, "retire yes", asked)
    assert "You retired as champion" in words(desk.last(ANN))
    with desk.store.reading() as session:
        assert reports.status(session, desk.services.config, desk.now)["games"]["champ-cards"]["champion"] is None


def test_a_champion_who_registers_again_corrects_their_name(desk: Desk) -> None:
    desk.begin()
    for address in (BOB, ANN):
        desk.answer(address, "resign")
        desk.answer(address, "yes")
    desk.write(ANN, ADDRESS, SUBJECT, "Name: Annabel Queen")
    told = words(desk.last(ANN))
    assert "You are the champion" in told
    assert "Nothing was changed" not in told
    desk.register(CLEO, "Cleo Fox")
    assert "You play against Annabel" in words(desk.last(CLEO))


def test_who_is_ready_hears_what_the_episode_waits_for(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.later(days=4)
    desk.register(BOB, "Bob Ray")
    asked = desk.last(ANN)
    assert asked.kind == "ready"
    desk.answer(BOB, "leave")
    desk.answer(ANN, "ready", asked)
    assert "1 more must register" in words(desk.last(ANN))


def test_a_cancel_is_neither_yes_nor_no_to_a_registration(desk: Desk) -> None:
    desk.write(ANN, ADDRESS, SUBJECT, "Name: Ann Lee")
    desk.answer(ANN, "cancel")
    assert "I could not tell whether “cancel” is a yes or a no" in words(desk.last(ANN))


def test_two_tables_have_one_champion(make_desk: MakeDesk) -> None:
    desk = make_desk(games={"champ-cards": {"tables": 2}})
    desk.begin()
    for name in ("cleo", "dov"):
        desk.register(f"{name}@example.net", f"{name.title()} Fox")
    assert desk.last("cleo@example.net").headers["x-podium-episode"] == "CC-2"
    for code_loser, winner in ((BOB, ANN), ("dov@example.net", "cleo@example.net")):
        for address in (code_loser, winner):
            desk.answer(address, "resign")
            desk.answer(address, "yes")
        assert desk.last(winner).kind == "result"
    with desk.store.reading() as session:
        assert reports.status(session, desk.services.config, desk.now)["games"]["champ-cards"]["champion"] == "Ann"


def test_who_registered_long_before_the_host_woke_is_asked_first(make_desk: MakeDesk) -> None:
    desk = make_desk(security={"confirm_registration": False})
    for address in (ANN, BOB):
        raw = write(address, "X", ADDRESS, SUBJECT, "Name: Somebody Here")
        desk.deliver(raw, arrived=desk.now - timedelta(days=4))
    assert desk.last(ANN).kind == "ready"
    assert desk.last(BOB).kind == "ready"
    desk.answer(ANN, "ready")
    desk.answer(BOB, "ready")
    assert desk.last(BOB).kind == "begin"


def test_where_the_host_says_when(make_desk: MakeDesk) -> None:
    desk = make_desk(games={"champ-cards": {"start": "host"}})
    for address, name in ((ANN, "Ann Lee"), (BOB, "Bob Ray"), (CLEO, "Cleo Fox")):
        desk.register(address, name)
    desk.tick()
    assert desk.last(BOB).kind == "registered"
    with desk.store.transaction() as session:
        admin.begin(Work(session, desk.services, desk.now), "champ-cards")
    desk.send()
    assert [desk.last(address).kind for address in (ANN, BOB, CLEO)] == ["begin", "begin", "registered"]


def test_a_number_stands_behind_a_name_only_where_two_at_one_table_share_it(make_desk: MakeDesk) -> None:
    desk = make_desk(games={"champ-cards": {"tables": 2}})
    for address, name in ((ANN, "Ann Lee"), (BOB, "Bob Ray"), (CLEO, "Ann Poe"), ("dov@example.net", "Ann Fox")):
        desk.register(address, name)
        called = name.split()[0]
        maybe = "" if address in (ANN, BOB) else f", with a number behind it where another {called} is"
        assert f"Others will call you {called}{maybe}." in words(desk.letters(address)[0])
    with desk.store.reading() as session:
        tables = [[seat.name for seat in episode.seats] for episode in session.query(Episode).order_by(Episode.id)]
    assert tables == [["Ann", "Bob"], ["Ann", "Ann-2"]]
    dov = desk.last("dov@example.net")
    desk.answer("dov@example.net", "host hello there", dov)
    assert "Ann-2 in CC-2 writes" in words(desk.last(OPERATOR))
    with desk.store.transaction() as session:
        admin.withdraw(Work(session, desk.services, desk.now), "CC-2", "Ann-2")


# As people write it

BOTH: dict[str, Any] = {"games": {"champ-cards": {}, "bluffjack": {}}}


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ("Jill Kane, Zappo, Fargo", "Name: Jill Kane; Nickname: Zappo; Hometown: Fargo"),
        (
            "Jill Kane\nZappo\nFargo\n\n> Name (first and last, please):\n> Name you go by at TGSF:\n> Hometown:",
            "Name: Jill Kane; Nickname: Zappo; Hometown: Fargo",
        ),
        (
            "> Name (first and last, please): Jill Kane\n> Name you go by at TGSF: Zappo\n> Hometown: Fargo",
            "Name: Jill Kane; Nickname: Zappo; Hometown: Fargo",
        ),
        ("Jill Kane here from Fargo", "Name: Jill Kane; Nickname: none; Hometown: Fargo"),
    ],
)
def test_a_form_without_labels_is_read_and_shown(desk: Desk, body: str, read: str) -> None:
    desk.write(ANN, ADDRESS, SUBJECT, body, name="j.k.")
    assert read in words(desk.last(ANN))
    assert "no name" not in words(desk.last(ANN))


def test_a_nickname_alone_is_enough_where_the_sender_line_has_no_name(desk: Desk) -> None:
    raw = f"From: {ANN}\r\nTo: {ADDRESS}\r\nSubject: {SUBJECT}\r\nMessage-ID: <1@x>\r\n\r\nNickname: Zappo\r\n".encode()
    desk.deliver(raw)
    assert desk.last(ANN).kind == "confirm"
    assert "I call you Zappo" in words(desk.last(ANN))
    desk.answer(ANN, "confirm")
    assert queue(desk) == ["Zappo"]


@pytest.mark.parametrize("nickname", a_few(["The Host", "Your", "You", "Red"]))
def test_a_nickname_that_cannot_be_had_is_taken_off_with_a_sentence(desk: Desk, nickname: str) -> None:
    desk.write(ANN, ADDRESS, SUBJECT, f"Name: Wes Ton\nNickname: {nickname}")
    assert f"“{nickname}”" in words(desk.last(ANN))
    desk.answer(ANN, "confirm")
    assert f"“{nickname}”" in words(desk.last(ANN))


@pytest.mark.parametrize(
    "body", ["Name: Ann Lee and Bob Ray", "Name: Rob Fox\nIt is for my husband, his address is rob@example.com"]
)
def test_one_address_registers_one_and_says_how_the_other_can(desk: Desk, body: str) -> None:
    desk.write(ANN, ADDRESS, SUBJECT, body)
    assert "an address of their own" in words(desk.last(ANN))
    desk.answer(ANN, "confirm")
    assert len(queue(desk)) == 1


def test_two_games_are_registered_for_in_one_mail(make_desk: MakeDesk) -> None:
    desk = make_desk(**BOTH)
    desk.write(ANN, ADDRESS, "Registration for Champ Cards and Bluffjack", "Name: Ann Lee")
    assert "registered this address for Champ Cards and Bluffjack" in words(desk.last(ANN))
    desk.answer(ANN, "confirm")
    assert "You are in: Champ Cards and Bluffjack" in words(desk.last(ANN))
    assert len(desk.letters(ANN)) == 2, "one letter says both"
    with desk.store.reading() as session:
        assert [reports.queue(session, slug)[0]["name"] for slug in BOTH["games"]] == ["Ann", "Ann"]


@pytest.mark.parametrize("answer", ["no", ""])
def test_a_registration_for_two_games_lapses_as_one(make_desk: MakeDesk, answer: str) -> None:
    desk = make_desk(**BOTH)
    desk.write(ANN, ADDRESS, "Registration for Champ Cards and Bluffjack", "Name: Ann Lee")
    if answer:
        desk.answer(ANN, answer)
    desk.later(days=7, seconds=10)
    desk.tick()
    with desk.store.reading() as session:
        assert session.scalars(select(Registration)).all() == []


def test_of_two_games_the_one_that_is_not_offered_is_told(desk: Desk) -> None:
    desk.write(ANN, ADDRESS, "Registration for Champ Cards and Bluffjack", "Name: Ann Lee")
    assert "The other game that you named is not played here" in words(desk.last(ANN))
    desk.answer(ANN, "confirm")
    assert queue(desk) == ["Ann"]


def test_a_second_registration_after_a_while_is_answered_once_more_and_not_a_third_time(desk: Desk) -> None:
    desk.write(ANN, ADDRESS, SUBJECT, "Name: Ann Lee")
    for letters in (2, 2, 2):
        desk.later(hours=2)
        desk.write(ANN, ADDRESS, SUBJECT, "Name: Ann Lee")
        assert len(desk.letters(ANN)) == letters
    assert "You registered before" in words(desk.last(ANN))
    desk.tap(ANN, "confirm")
    assert queue(desk) == ["Ann"]


# What stands beside it

QUESTION = "How long does a game take? I am away December 1 to 5."


def told(desk: Desk) -> list[str]:
    return [words(letter) for letter in desk.letters(OPERATOR)]


@pytest.mark.parametrize("is_known", [False, True])
def test_a_question_beside_a_registration_reaches_the_host_whole_and_once(desk: Desk, is_known: bool) -> None:
    if is_known:
        desk.register(ANN, "Ann Lee")
    desk.write(ANN, ADDRESS, SUBJECT, f"Name: Ann Lee\n{QUESTION}")
    assert [QUESTION in each for each in told(desk)] == [True]
    assert "What else you wrote went to the host" in words(desk.last(ANN))
    desk.answer(ANN, "confirm")
    assert queue(desk) == ["Ann"]
    assert len(told(desk)) == 1
    desk.answer(OPERATOR, "About five weeks.")
    assert "About five weeks." in words(desk.last(ANN))


def test_what_is_not_answered_is_not_passed_on(desk: Desk) -> None:
    for number in range(20):
        desk.write(ANN, ADDRESS, SUBJECT, f"Name: Ann Lee\n{QUESTION} {number}")
    assert len(told(desk)) == 1


@pytest.mark.parametrize(
    ("answer", "called"),
    [
        ("Yes, that was me, can my wife play too?", "Ann"),
        ("confirm\nand please call me Umbrella. Can my wife play too?", "Umbrella"),
    ],
)
def test_a_wish_beside_a_confirmation_is_done_or_reaches_the_host(desk: Desk, answer: str, called: str) -> None:
    desk.write(ANN, ADDRESS, SUBJECT, "Name: Ann Lee")
    desk.answer(ANN, answer)
    assert queue(desk) == [called]
    assert ["an my wife play too?" in each for each in told(desk)] == [True]
    assert "What else you wrote went to the host" in words(desk.last(ANN))


def test_what_the_program_can_do_itself_does_not_reach_the_host(desk: Desk) -> None:
    desk.write(ANN, ADDRESS, SUBJECT, "Name: Ann Lee")
    desk.answer(ANN, "yes and please call me Umbrella")
    assert queue(desk) == ["Umbrella"]
    assert told(desk) == []


@pytest.mark.parametrize("text", ["can my wife play too?", "Could you tell me who else waits there, my friends ask"])
def test_words_in_the_queue_reach_the_host_whole_and_once(desk: Desk, text: str) -> None:
    desk.register(ANN, "Ann Lee")
    row = desk.answer(ANN, text)
    assert row.state == "answered"
    assert [text in each for each in told(desk)] == [True]
    assert "Your words went to the host" in words(desk.last(ANN))


def test_words_beside_a_service_in_the_queue_reach_the_host(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.answer(ANN, "status\nCan my wife play too?")
    assert "You are number 1" in words(desk.last(ANN))
    assert "Your words went to the host" in words(desk.last(ANN))
    assert len(told(desk)) == 1


def test_who_comes_back_with_words_for_the_host_is_told_of_both(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.later(hours=80)
    desk.register(BOB, "Bob Ray")
    desk.later(hours=48, seconds=10)
    desk.tick()
    desk.register(CLEO, "Cleo Fox")
    desk.answer(ANN, "I had no power here for two days, was it long?")
    assert "in line" in desk.last(ANN).page
    assert "went to the host" in words(desk.last(ANN))


def test_the_queue_tells_who_shares_a_mailbox(make_desk: MakeDesk) -> None:
    desk = make_desk(games={"champ-cards": {"start": "host"}})
    for address in ("zoe.fox@gmail.com", BOB, "zoefox+cards@googlemail.com"):
        desk.register(address, "Zoe Fox")
    with desk.store.reading() as session:
        found = reports.queue(session, "champ-cards")
    assert [row["same_mailbox"] for row in found] == [["zoefox+cards@googlemail.com"], [], ["zoe.fox@gmail.com"]]
    assert "same mailbox as zoe.fox@gmail.com" in format.queue(found, None)


def test_another_first_name_in_place_of_the_first_is_told_of_one_address(desk: Desk) -> None:
    desk.register("berg@example.net", "Hans Berg")
    desk.write("berg@example.net", ADDRESS, SUBJECT, "Name: Helga Berg")
    assert "Before that you were Hans Berg. One address is one contestant." in words(desk.last("berg@example.net"))


def test_who_is_registered_and_asks_to_leave_by_the_same_subject_is_told_how_and_the_host_reads_it(desk: Desk) -> None:
    desk.register(CLEO, "Cleo")
    desk.write(CLEO, ADDRESS, SUBJECT, "please take me off the list")
    assert "reply to this letter with leave; then it is done" in words(desk.last(CLEO))
    assert "please take me off the list" in words(desk.last(OPERATOR))
    desk.answer(CLEO, "leave")
    assert "You left the queue" in words(desk.last(CLEO))


@pytest.mark.parametrize("text", a_few(["status", "zone Europe/Rome", "rules"]))
def test_what_waits_for_an_answer_stands_below_what_was_asked_beside(desk: Desk, text: str) -> None:
    desk.write(ANN, ADDRESS, SUBJECT, "Name: Ann Lee")
    asked = desk.last(ANN)
    desk.answer(ANN, text, asked)
    assert "asks whether you registered, by Friday, 27 November" in words(desk.last(ANN))
    desk.answer(ANN, "yes", asked)
    desk.answer(ANN, text)
    assert "asks whether" not in words(desk.last(ANN))


def test_cancel_of_who_waits_is_answered_with_how_things_stand(desk: Desk) -> None:
    desk.register(CLEO, "Cleo")
    desk.answer(CLEO, "cancel")
    assert "You are number 1 in the queue" in words(desk.last(CLEO))
