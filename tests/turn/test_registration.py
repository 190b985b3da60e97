"""Registration, queue, champion, the check of who has been quiet."""

from datetime import timedelta

from host.demo.robot import write
from host.store.schema import Episode
from host.turn import admin, reports
from host.turn.work import Work
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
        assert reports.status(session, desk.services)["games"]["champ-cards"]["champion"] is None


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
        assert reports.status(session, desk.services)["games"]["champ-cards"]["champion"] == "Ann"


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
        assert f"Others will call you {name.split()[0]}." in words(desk.letters(address)[0])
    with desk.store.reading() as session:
        tables = [[seat.name for seat in episode.seats] for episode in session.query(Episode).order_by(Episode.id)]
    assert tables == [["Ann", "Bob"], ["Ann", "Ann-2"]]
    dov = desk.last("dov@example.net")
    desk.answer("dov@example.net", "host hello there", dov)
    assert "Ann-2 in CC-2 writes" in words(desk.last(OPERATOR))
    with desk.store.transaction() as session:
        admin.withdraw(Work(session, desk.services, desk.now), "CC-2", "Ann-2")
