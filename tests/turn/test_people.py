"""The host's hand over contestants: who is registered, named, barred, made one, forgotten, written to; and bad input."""

import pytest
from sqlalchemy import func, select

from host.games import GAMES
from host.store import roster
from host.store.people import contestant_called, contestant_of_address, last_audit_entries, ledger_of
from host.store.schema import Absence, Contestant, Mute, Registration, Seat, Standing, Watcher
from host.table.work import Services
from host.turn import admin, people
from host.turn.admin import AdminError
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import ADDRESS, OPERATOR, Desk, words
from tests.turn.test_admin import ANN, BOB, CLEO, by_hand
from tests.turn.test_services import over

ANNA = "anna@example.net"
THREE = {"games": {"champ-cards": {"seats": 2, "tables": 3}}}


def listed(desk: Desk) -> dict[str, dict[str, object]]:
    with desk.store.reading() as session:
        return {str(each["called"]): each for each in people.listing(session)}


def test_the_list_says_what_they_did_and_where_they_are(desk: Desk) -> None:
    over(desk)
    desk.register(CLEO, "Cleo")
    desk.answer(BOB, "private")
    found = listed(desk)
    assert found["Bob"] | {"episodes": 1, "wins": 0, "private": True, "playing": []} == found["Bob"]
    assert found["Cleo"] | {"episodes": 0, "playing": ["CC-2"], "address": CLEO, "confirmed": True} == found["Cleo"]
    assert found["Ann"]["wins"] == 1


def test_who_is_called_so_by_a_letter_and_by_a_table_is_asked_for_by_address(desk: Desk) -> None:
    desk.begin()
    by_hand(desk, people.name, ANN, "Annabel")
    assert by_hand(desk, people.write, "Ann", "Hello") == f"It goes to Annabel ({ANN})."
    by_hand(desk, people.add, "Ann", CLEO)
    with pytest.raises(AdminError, match="Write the address") as refused:
        by_hand(desk, people.write, "ann", "Hello")
    assert ANN in str(refused.value)
    assert CLEO in str(refused.value)


# Registering and naming


def test_somebody_registered_by_hand_waits_and_plays_like_others(desk: Desk) -> None:
    assert "Cleo" in by_hand(desk, people.add, "Cleo Ray", "Cleo@Example.net", "champ-cards", "Fargo")
    letter = words(desk.last(CLEO))
    assert "number 1 in the queue" in letter
    assert "Hometown: Fargo" in letter
    assert "forget me" in letter
    assert listed(desk)["Cleo"]["queues"] == ["champ-cards"]
    desk.register(ANN, "Ann")
    assert desk.last(CLEO).kind == "begin"


@pytest.mark.parametrize(
    ("values", "why"),
    [
        (("Cleo", "nowhere"), "is no address"),
        (("Cleo", "a@b.example, c@d.example"), "is no address"),
        (("", CLEO), "is no name"),
        (("x" * 101, CLEO), "is no name"),
        (("cleo@example.net", CLEO), "is no name"),
        (("Cleo", CLEO, "chess"), "no game chess"),
        (("Cleo", CLEO, "bluffjack"), "no game bluffjack"),
        (("Cleo", ADDRESS), "own address"),
        (("Ann", ANN), "registered already, as Ann; --game"),
        (("Ann", ANN, "champ-cards"), "waits for Champ Cards, plays it"),
    ],
)
def test_who_cannot_be_registered_by_hand_is_said(desk: Desk, values: tuple[str, ...], why: str) -> None:
    desk.begin()
    before = desk.count()
    with pytest.raises(AdminError, match=why):
        by_hand(desk, people.add, *values)
    assert desk.count() == before


def test_who_said_that_they_did_not_register_is_not_registered_by_hand(desk: Desk) -> None:
    desk.write(CLEO, ADDRESS, desk.game.subject, "Name: Cleo")
    assert "Cleo" in by_hand(desk, people.add, "Cleo Ray", CLEO), "their own registration was not confirmed"
    desk.write(BOB, ADDRESS, desk.game.subject, "Name: Bob")
    desk.answer(BOB, "no")
    with pytest.raises(AdminError, match="did not register"):
        by_hand(desk, people.add, "Bob", BOB)


def test_a_name_is_corrected_but_in_the_episode_under_way(desk: Desk) -> None:
    desk.begin()
    assert by_hand(desk, people.name, "ann", "Anna Lee").startswith("Ann is called Anna from now on")
    assert "Name: Anna Lee" in words(desk.last(ANN))
    with desk.store.reading() as session:
        assert session.scalars(select(Seat.name)).all() == ["Ann", "Bob"]
        assert contestant_called(session, "Anna")
    for bad in ("", "  ", "a@b.example", "x" * 101):
        with pytest.raises(AdminError, match="is no name"):
            by_hand(desk, people.name, BOB, bad)
    with pytest.raises(AdminError, match="no contestant Zoe: podium people lists"):
        by_hand(desk, people.name, "Zoe", "Zoa")


# Barring


def test_a_barred_contestant_hears_it_once_and_nothing_more_is_played(make_desk: MakeDesk) -> None:
    desk = make_desk(**THREE)
    over(desk)
    desk.register(CLEO, "Cleo")
    assert listed(desk)["Cleo"]["playing"] == ["CC-2"]
    said = by_hand(desk, people.bar, ANN, "rude to others")
    assert "podium withdraw CC-2 Ann ends it" in said
    assert "rude to others" in words(desk.last(ANN))
    assert desk.last(ANN).headers["list-unsubscribe"]
    before = desk.count()
    begin = next(each for each in desk.letters(ANN) if each.headers["subject"].endswith("[CC-2]"))
    for text in ("cut 26, pick 5", "status", "host let me in"):
        row = desk.answer(ANN, text, begin)
        assert (row.state, row.note) == ("refused", "its address is barred; not answered")
    assert desk.write(ANN, ADDRESS, desk.game.subject, "Name: Ann").state == "refused"
    assert desk.count() == before
    with desk.store.reading() as session:
        assert contestant_called(session, "Ann")
    found = listed(desk)["Ann"]
    assert found["barred"]
    with pytest.raises(AdminError, match="is barred already"):
        by_hand(desk, people.bar, ANN, "again")
    by_hand(desk, people.unbar, ANN)
    assert desk.answer(ANN, "cut 26, pick 5", begin).state == "played"
    with pytest.raises(AdminError, match="is not barred"):
        by_hand(desk, people.unbar, ANN)


def test_who_is_barred_leaves_queue_and_throne(desk: Desk) -> None:
    over(desk)
    by_hand(desk, people.bar, ANN, "rude")
    desk.register(CLEO, "Cleo")
    assert listed(desk)["Cleo"]["queues"] == ["champ-cards"], "no champion is there any more"
    by_hand(desk, people.bar, CLEO, "rude, too")
    assert not listed(desk)["Cleo"]["queues"]


def test_who_is_barred_in_an_episode_wins_no_throne_with_it(desk: Desk) -> None:
    desk.begin()
    by_hand(desk, admin.withdraw, "CC-1", "Bob")
    by_hand(desk, people.bar, ANN, "rude")
    by_hand(desk, admin.withdraw, "CC-1", "Ann")
    desk.register(CLEO, "Cleo")
    assert listed(desk)["Ann"]["wins"] == 1
    assert listed(desk)["Cleo"]["queues"] == ["champ-cards"], "no champion is there to play"


def test_a_stranger_who_is_barred_is_told_when_they_register_and_once(desk: Desk) -> None:
    by_hand(desk, people.bar, "Zed@example.net", "known from elsewhere")
    assert desk.count() == 0
    for _ in range(3):
        assert desk.write("zed@example.net", ADDRESS, desk.game.subject, "Name: Zed").state == "refused"
    assert ["known from elsewhere" in words(each) for each in desk.letters("zed@example.net")] == [True]
    with pytest.raises(AdminError, match="is barred: podium people unbar"):
        by_hand(desk, people.add, "Zed", "zed@example.net")


@pytest.mark.parametrize(
    ("barred", "writes"),
    a_few(
        [
            ("al@example.net", "al+y@example.net"),
            ("al+x@example.net", "al@example.net"),
            ("al+x@example.net", "al+y@example.net"),
            ("bo.b@gmail.com", "b.ob+y@googlemail.com"),
        ]
    ),
)
def test_who_is_barred_is_so_with_every_tag(desk: Desk, barred: str, writes: str) -> None:
    desk.register(writes, "Al")
    before = desk.count()
    assert "barred and told so" in by_hand(desk, people.bar, barred, "rude")
    assert [to for to, _, _ in desk.sent[before:]] == [writes]
    assert listed(desk)["Al"]["queues"] == []
    assert "rude" in words(desk.last(writes))
    assert desk.write(writes, ADDRESS, desk.game.subject, "Name: Al").state == "refused"
    with desk.store.reading() as session:
        assert roster.of_game(session, desk.game.slug) == []
    assert "barred no more" in by_hand(desk, people.unbar, writes)
    assert desk.write(writes, ADDRESS, desk.game.subject, "Name: Al").state == "answered"


def test_nobody_bars_an_operator_or_without_a_reason(desk: Desk) -> None:
    desk.begin()
    for address, why, told in (
        (OPERATOR, "x", "one of the house"),
        (ADDRESS, "x", "host's"),
        (BOB, " ", "Write why"),
        ("Bob", "x", "is no address"),
    ):
        with pytest.raises(AdminError, match=told):
            by_hand(desk, people.bar, address, why)


# Queues, one of two, forgetting


def test_somebody_is_taken_out_of_a_queue(desk: Desk) -> None:
    desk.register(ANN, "Ann")
    by_hand(desk, people.leave, "Ann", "champ-cards")
    assert "taken you out of the queue of Champ Cards" in words(desk.last(ANN))
    assert not listed(desk)["Ann"]["queues"]
    with pytest.raises(AdminError, match="does not wait for Champ Cards"):
        by_hand(desk, people.leave, "Ann", "champ-cards")


def test_two_who_are_one_have_together_what_each_had(make_desk: MakeDesk) -> None:
    desk = make_desk(**THREE)
    over(desk)
    with desk.store.transaction() as session:
        ann = contestant_called(session, "Ann")
        assert ann is not None
        money = ledger_of(session, ann)
    for words_ in ("retire", "yes"):
        desk.answer(ANN, words_)
    desk.register(ANNA, "Anna")
    desk.answer(BOB, "again")
    assert "Anna" in listed(desk)
    with desk.store.transaction() as session:
        anna, bob = contestant_called(session, "Anna"), contestant_called(session, "Bob")
        assert anna
        assert bob
        for who in (1, anna.id):
            session.add(Mute(contestant_id=who, muted_id=bob.id))
            if who == anna.id:
                session.add(Mute(contestant_id=who, muted_id=1))
        for who in (1, anna.id):  # told from both addresses
            session.add(Absence(contestant_id=who, begins_at=desk.now, ends_at=desk.now, told_at=desk.now))
    desk.answer(ANN, "resign")
    desk.answer(ANN, "yes")
    desk.answer(ANNA, "resign")
    desk.answer(ANNA, "yes")
    before = listed(desk)
    said = by_hand(desk, people.merge, ANNA, "ann")
    assert said == f"Anna is Ann now, who writes from {ANN} and {ANNA}."
    assert "Two are one now" in words(desk.last(ANN))
    after = listed(desk)
    assert "Anna" not in after
    for what in ("episodes", "wins"):
        assert after["Ann"][what] == before["Ann"][what] + before["Anna"][what]  # type: ignore[operator]
    with desk.store.reading() as session:
        ann = contestant_called(session, "Ann")
        assert ann is not None
        assert sum(ledger_of(session, ann).values()) >= sum(money.values())
        assert session.scalar(select(func.count(Standing.year)).where(Standing.contestant_id != ann.id)) == 4
        assert session.scalars(select(Mute.muted_id)).all() == [bob.id]
        assert session.scalars(select(Absence.contestant_id)).all() == [ann.id]
        assert not session.scalars(select(Watcher)).all()
    assert desk.answer(ANNA, "status", sender=ANNA).state == "answered"


def test_two_at_one_table_are_not_made_one(desk: Desk) -> None:
    desk.begin()
    with pytest.raises(AdminError, match="Ann and Bob played each other in CC-1"):
        by_hand(desk, people.merge, "Ann", "Bob")
    with pytest.raises(AdminError, match="one contestant already"):
        by_hand(desk, people.merge, "Ann", ANN)
    with pytest.raises(AdminError, match="no contestant Zoe"):
        by_hand(desk, people.merge, "Ann", "Zoe")


def test_who_confirmed_nothing_is_made_one_with_nobody_and_is_forgotten_at_once(make_desk: MakeDesk) -> None:
    desk = make_desk(security={"confirm_registration": True})
    desk.register(ANN, "Ann")
    desk.answer(ANN, "invite zed@example.org to Champ Cards")
    desk.write(BOB, "games@example.org", desk.game.subject, "Name: Bob")
    for who in (BOB, "zed@example.org"):
        with pytest.raises(AdminError, match="has confirmed nothing yet"):
            by_hand(desk, people.merge, who, "Ann")
        with pytest.raises(AdminError, match="has confirmed nothing yet"):
            by_hand(desk, people.merge, "Ann", who)
        assert "who had confirmed nothing, is forgotten" in by_hand(desk, people.forget, who)
        with desk.store.reading() as session:
            assert contestant_of_address(session, who) is None


@pytest.mark.storm
def test_who_waits_for_the_same_waits_once_when_made_one(make_desk: MakeDesk) -> None:
    desk = make_desk(games={"champ-cards": {"start": "host"}})
    desk.register(ANN, "Ann")
    desk.register(ANNA, "Anna")
    by_hand(desk, people.merge, "Anna", "Ann")
    assert listed(desk)["Ann"]["queues"] == ["champ-cards"]


def test_the_host_forgets_somebody_as_they_would_themselves(desk: Desk) -> None:
    over(desk)
    assert "as soon as a last letter is out" in by_hand(desk, people.forget, "Bob")
    desk.tick()
    assert list(listed(desk)) == ["Ann"]
    with pytest.raises(AdminError, match="no contestant Bob"):
        by_hand(desk, people.forget, "Bob")
    with desk.store.reading() as session:
        assert session.scalars(select(Contestant.called).order_by(Contestant.id)).all() == ["Ann", "gone-2"]


def test_who_plays_is_forgotten_when_that_is_over(desk: Desk) -> None:
    desk.begin()
    assert "when CC-1 is over" in by_hand(desk, people.forget, "Bob")
    with pytest.raises(AdminError, match="to be forgotten already"):
        by_hand(desk, people.forget, "Bob")


# Writing


def test_a_warning_comes_with_the_open_question_and_nothing_changes(desk: Desk) -> None:
    desk.begin()
    by_hand(desk, people.warn, "cc-1", "ann", "no insults, please")
    letter = desk.last(ANN)
    assert letter.kind == "help"
    assert "warns you: no insults, please" in words(letter)
    assert letter.links
    assert desk.answer(ANN, "cut 26, pick 5").state == "played"
    with pytest.raises(AdminError, match="Zoe does not play in CC-1"):
        by_hand(desk, people.warn, "CC-1", "Zoe", "x")
    with pytest.raises(AdminError, match="no episode CC-9"):
        by_hand(desk, people.warn, "CC-9", "Ann", "x")


def test_the_host_writes_to_one_to_a_table_and_to_all_of_a_game(desk: Desk) -> None:
    desk.begin()
    desk.register(CLEO, "Cleo")
    for who, told in (("Cleo", [CLEO]), ("cc-1", [ANN, BOB]), ("champ-cards", [ANN, BOB, CLEO]), (BOB, [BOB])):
        before = desk.count()
        by_hand(desk, people.write, who, "The show moves\nto Monday.")
        assert sorted(to for to, _, _ in desk.sent[before:]) == told
        assert all("The show moves" in words(each) and each.kind == "help" for _, each, _ in desk.sent[before:])
    desk.answer(CLEO, "leave")
    before = desk.count()
    by_hand(desk, people.write, "champ-cards", "Hello")
    assert sorted(to for to, _, _ in desk.sent[before:]) == [ANN, BOB], "who left is left alone"
    for who, text, why in (("Zoe", "x", "no contestant"), ("CC-1", " ", "Write what"), ("bluffjack", "x", "no game")):
        with pytest.raises(AdminError, match=why):
            by_hand(desk, people.write, who, text)


@pytest.mark.storm
def test_who_waits_for_a_game_that_is_not_played_any_more_is_told_so_and_can_be_taken_out(make_desk: MakeDesk) -> None:
    desk = make_desk(games={"champ-cards": {}, "bluffjack": {"seats": 3}})
    for address, name in ((ANN, "Ann"), (BOB, "Bob")):
        desk.write(address, ADDRESS, GAMES["bluffjack"].subject, f"Name: {name}")
        desk.answer(address, "confirm")
    games = {"champ-cards": desk.config.games["champ-cards"]}
    desk.config = desk.config.model_copy(update={"games": games})
    desk.services = Services(desk.config, desk.store)
    desk.answer(ANN, "status")
    assert (
        "It is not played here at present, so no episode begins; to give your place up, write leave bluffjack."
        in words(desk.last(ANN))
    )
    by_hand(desk, people.write, "bluffjack", "We stop.")
    assert "We stop." in words(desk.last(BOB))
    by_hand(desk, people.leave, "Bob", "bluffjack")
    assert "The Millionaire has taken you out of the queue of Bluffjack" in words(desk.last(BOB))
    desk.answer(ANN, "leave bluffjack")
    assert "You left the queue of Bluffjack" in words(desk.last(ANN))


def test_operators_do_it_by_mail_too_and_it_is_logged(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "host Bob insults me")
    asked = desk.last(OPERATOR)
    desk.answer(OPERATOR, "warn CC-1 Bob no insults, please", asked)
    assert "warns you: no insults, please" in words(desk.last(BOB))
    desk.later(days=3)
    desk.tick()
    alert = next(each for each in reversed(desk.letters(OPERATOR)) if each is not asked and each.kind == "alert")
    desk.answer(OPERATOR, f"people bar {BOB} insults others", alert)
    assert "insults others" in words(desk.last(BOB))
    assert listed(desk)["Bob"]["barred"]
    with desk.store.reading() as session:
        said = [each.command for each in last_audit_entries(session, 9)]
    assert said[0] == f"people bar {BOB} insults others"
    assert "warn CC-1 Bob no insults, please" in said


# Files


def test_what_is_exported_can_be_imported_elsewhere(desk: Desk) -> None:
    desk.register(ANN, '"=SUM(1)" Lee, Ann')
    by_hand(desk, people.name, ANN, "=Ann")
    with desk.store.reading() as session:
        text = people.to_csv(session)
    assert text.splitlines()[0] == "address,name,nickname,hometown"
    assert f"{ANN},'=Ann" in text, "no spreadsheet reckons with it"
    assert by_hand(desk, people.from_csv, text) == "0 contestants were added, 1 was registered already."
    more = text.replace(ANN, CLEO)
    assert by_hand(desk, people.from_csv, "\ufeff" + more) == "1 contestant was added."
    with desk.store.reading() as session:
        names = {each.address: each.name for each in session.scalars(select(Contestant))}
        assert names == {ANN: "=Ann", CLEO: "=Ann"}
        assert roster.barred(session, ANN) is None


def test_a_file_with_a_bad_line_imports_nothing_and_says_each(desk: Desk) -> None:
    text = f"Address,Name\n{ANN},Ann\nnowhere,Bob\n{BOB}\n\n{CLEO},\n{ADDRESS},Host\n"
    with pytest.raises(AdminError) as caught:
        by_hand(desk, people.from_csv, text)
    told = str(caught.value).splitlines()
    assert told[0] == "Nothing was imported."
    assert [each.partition(":")[0] for each in told[1:]] == ["line 3", "line 4", "line 6", "line 7"]
    assert not listed(desk)


@pytest.mark.parametrize(
    "text", ["", "name\nAnn\n", "address,name,age\na@b.example,Ann,3\n", 'address,name\n"a@b.example,Ann\n']
)
def test_a_file_that_is_no_such_file_imports_nothing(desk: Desk, text: str) -> None:
    with pytest.raises(AdminError, match="Nothing was imported"):
        by_hand(desk, people.from_csv, text)


@pytest.mark.storm
def test_two_who_have_both_played_and_both_wait_are_one_with_the_sum_of_both(make_desk: MakeDesk) -> None:
    desk = make_desk(games={"champ-cards": {"tables": 2}})
    over(desk)
    desk.later(hours=60)
    desk.register(CLEO, "Cleo Fox")
    desk.register("dov@example.net", "Dov Orr")
    desk.tick()
    for address in (CLEO, ANN):
        desk.answer(address, "resign")
        desk.answer(address, "yes")
    desk.later(hours=60)
    desk.tick()
    desk.answer(BOB, "again")
    desk.answer(CLEO, "again")
    by_hand(desk, people.merge, "cleo", "bob")
    desk.answer(CLEO, "my record")
    assert "0 of 2 episodes won" in words(desk.last(BOB))
    with desk.store.reading() as session:
        bob = contestant_of_address(session, CLEO)
        assert bob is not None
        waiting = select(func.count(Registration.id)).where(
            Registration.contestant_id == bob.id, Registration.state == "waiting"
        )
        assert (bob.address, session.scalar(waiting)) == (BOB, 1)
