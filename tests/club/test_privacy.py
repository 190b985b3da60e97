"""Being private and being forgotten; a contestant's own address moves."""

import pytest
from sqlalchemy import select

from host.daemon import steps
from host.engine import record
from host.games import GAMES
from host.store.schema import AuditEntry, Contestant, Inbound, Letter, RecordLine, Seat, Talk
from host.table.letters import write
from host.table.work import begin
from host.turn import admin, people
from tests.club.test_company import ANN, BOB, say
from tests.turn.conftest import MakeDesk
from tests.turn.desk import Desk, words
from tests.turn.test_services import over

NEW = "bob@new.example"


def end(desk: Desk) -> None:
    for address in (BOB, ANN):
        desk.answer(address, "resign")
        desk.answer(address, "yes")


def stored(desk: Desk) -> str:
    """All that the database has, as text."""
    file = desk.store.file
    assert file is not None
    with desk.store.reading() as session:
        rows = [*session.execute(select(Contestant.name, Contestant.called, Contestant.hometown, Contestant.address))]
        rows += [*session.execute(select(Seat.name)), *session.execute(select(RecordLine.text))]
        rows += [*session.execute(select(Inbound.sender, Inbound.lines, Inbound.note, Inbound.ordering_key))]
        rows += [*session.execute(select(Letter.subject).where(Letter.address == "gone-2"))]
        rows += [*session.execute(select(Talk.text)), *session.execute(select(AuditEntry.command))]
    return "\n".join(map(repr, rows))


def test_who_is_forgotten_leaves_a_nickname_and_nothing_else(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.write(BOB, "games@example.org", desk.game.subject, "Name: Bob Ray\nHometown: Boise, Idaho")
    desk.answer(BOB, "confirm")
    say(desk, BOB, "say hello from Boise")
    with begin(desk.services, desk.now) as work:
        for command in (f"people name {BOB} Bob", "warn CC-1 Bob no bobbing", "people merge Bob Ray and Ann"):
            admin.audit(work, "boss", command, "")
    end(desk)
    desk.answer(BOB, "forget me")
    asked = words(desk.last(BOB))
    assert "gone-2" in asked
    assert "It is done at once" in asked
    desk.tap(BOB, "yes")
    assert "You will be forgotten" in words(desk.last(BOB))
    desk.tick()
    kept = stored(desk)
    for known in ("Bob", "Ray", "Boise", BOB):
        assert known not in kept, known
    assert "warn CC-1 gone-2 no bobbing" in kept
    assert "gone-2" in kept
    assert desk.answer(BOB, "status").state == "refused"
    with desk.store.reading() as session:
        lines = [record.read_line(text) for text in session.scalars(select(RecordLine.text))]
        assert record.Say("gone-2", "resign") in lines
        letters = session.scalars(select(Letter.packed).where(Letter.address == "gone-2")).all()
        assert letters
        assert not any(letters)
    told = say(desk, ANN, "standings")
    assert "gone-2" in told
    assert "Bob" not in told.partition("Ref")[0].replace("v Bob", "")


def test_the_record_of_who_is_forgotten_still_replays(desk: Desk) -> None:
    over(desk)
    desk.answer(BOB, "forget me")
    desk.tap(BOB, "yes")
    desk.tick()
    desk.answer(ANN, "replay CC-1")
    raw = desk.sent[-1][2]
    import email

    parts = [part for part in email.message_from_bytes(raw).walk() if part.get_filename() == "CC-1.jsonl"]
    data = parts[0].get_payload(decode=True)
    assert isinstance(data, bytes)
    found = record.read(data, GAMES)
    assert found.header.players == ("Ann", "gone-2")
    assert record.verify(GAMES["champ-cards"], found, None).is_over


def test_in_an_episode_it_waits_for_its_end(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "forget me")
    assert "It is done when CC-1 is over" in words(desk.last(BOB))
    desk.tap(BOB, "yes")
    desk.tick()
    assert "Bob" in stored(desk)
    desk.answer(BOB, "resign", next(each for each in desk.letters(BOB) if each.kind == "begin"))
    desk.answer(BOB, "yes")
    desk.answer(ANN, "resign")
    desk.answer(ANN, "yes")
    assert any(each.kind == "result" for each in desk.letters(BOB))
    desk.tick()
    assert "'Bob'" not in stored(desk)


def test_a_champion_who_is_forgotten_is_champion_no_longer(desk: Desk) -> None:
    over(desk)
    desk.answer(ANN, "forget me")
    desk.tap(ANN, "yes")
    desk.tick()
    told = say(desk, BOB, "history")
    assert "gone-1, from" in told
    assert "until now" not in told


def test_no_and_silence_erase_nothing_and_something_else_is_answered(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "forget me")
    desk.answer(BOB, "status")
    desk.answer(BOB, "forget me")
    desk.tap(BOB, "no")
    assert "All stays as it is" in words(desk.last(BOB))
    desk.later(days=30)
    desk.tick()
    assert "Bob" in stored(desk)


@pytest.mark.parametrize(
    "text",
    ["OK, then rather not", "ok, got it", "Sure, but first I want to finish the game", "yes cut 5", "Yes, but keep me"],
)
def test_only_a_yes_and_nothing_else_erases(desk: Desk, text: str) -> None:
    desk.register(ANN, "Ann Lee")
    desk.answer(ANN, "forget me")
    desk.answer(ANN, text)
    desk.tick()
    desk.later(hours=1)
    desk.tick()
    desk.answer(ANN, "status", desk.letters(ANN)[0])
    assert "Champ Cards" in words(desk.last(ANN))


def test_who_plays_may_take_it_back_until_it_is_done(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "forget me")
    desk.answer(BOB, "yes")
    assert "Until then the words keep me take it back." in words(desk.last(BOB))
    desk.answer(BOB, "No! I meant: keep me")
    assert "You are not forgotten." in words(desk.last(BOB))
    with desk.store.reading() as session:
        assert not any(each.is_leaving for each in session.scalars(select(Contestant)))


def test_who_is_leaving_plays_on_and_a_move_takes_nothing_back(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "forget me")
    desk.answer(ANN, "yes")
    letter = next(each for each in desk.letters(ANN) if each.kind == "begin")
    desk.answer(ANN, "cut 5, pick 2, keep it", letter)
    with desk.store.reading() as session:
        assert [row.text for row in session.scalars(select(RecordLine))][-1] == '{"from":"Ann","say":"keep"}'
        assert [each.is_leaving for each in session.scalars(select(Contestant)) if each.address == ANN] == [True]


def test_private_is_told_and_taken_back(desk: Desk) -> None:
    desk.begin()
    assert "No page of the web shows your name" in say(desk, BOB, "private")
    with desk.store.reading() as session:
        assert session.scalars(select(Seat).order_by(Seat.seat)).all()[1].public_name == "Player 2"
    assert "Pages of the web show" in say(desk, BOB, "public")


# The own address


def test_an_address_moves_when_both_said_yes(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, f"address {NEW}")
    assert "Shall my letters go to bob@new.example" in words(desk.last(BOB))
    desk.tap(BOB, "yes")
    assert "has answered my letter there" in words(desk.last(BOB))
    desk.answer(NEW, "yes")
    assert "My letters to you go to bob@new.example from now on" in words(desk.last(NEW))
    assert "go elsewhere" in desk.last(BOB).text
    desk.answer(ANN, "cut 26, pick 5, keep")
    assert desk.last(NEW).asks
    assert desk.answer(NEW, "pick 1").state == "played"


def test_a_reply_to_what_an_address_of_theirs_was_told_is_heard(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, f"address {NEW}")
    asked = desk.last(BOB)
    desk.answer(NEW, "yes\nhost is it my turn?")
    assert "is it my turn?" in words(desk.last("boss@example.com"))
    told = next(each for each in desk.letters(NEW) if "One more address" in each.text)
    assert desk.answer(NEW, "status", told).state == "answered"
    desk.answer(BOB, "yes", asked)
    elsewhere = desk.last(BOB)
    assert "go elsewhere" in elsewhere.text
    assert desk.answer(BOB, "status", elsewhere).state == "answered"
    desk.answer(BOB, "host please undo this", elsewhere)
    assert "please undo this" in words(desk.last("boss@example.com"))


def test_in_the_other_order_too(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, f"my new address: {NEW}")
    asked = desk.last(BOB)
    desk.answer(NEW, "yes")
    assert "I know the address bob@new.example as yours" in words(desk.last(BOB))
    desk.answer(BOB, "yes", asked)
    assert "from now on" in words(desk.last(NEW))


@pytest.mark.parametrize("who_says_no", [BOB, NEW])
def test_a_no_of_either_moves_nothing(desk: Desk, who_says_no: str) -> None:
    desk.begin()
    desk.answer(BOB, f"address {NEW}")
    desk.answer(who_says_no, "no")
    if who_says_no == BOB:
        desk.answer(NEW, "yes")
    else:
        desk.answer(BOB, "yes", next(each for each in desk.letters(BOB) if "Shall my letters" in each.text))
    desk.answer(ANN, "cut 26, pick 5, keep")
    assert desk.last(BOB).asks


@pytest.mark.parametrize("address", [ANN, "games@example.org", "boss@example.com"])
def test_what_is_somebody_elses_cannot_be_moved_to(desk: Desk, address: str) -> None:
    desk.begin()
    told = say(desk, BOB, f"address {address}")
    assert "cannot be added" in told
    assert not desk.last(BOB).links or "Shall my letters" not in told


def test_an_address_that_is_known_already_moves_at_once(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.begin()
    desk.answer(BOB, f"address {NEW}")
    desk.answer(NEW, "yes")
    begin = next(each for each in desk.letters(BOB) if each.kind == "begin")
    desk.answer(BOB, f"address {NEW}", begin)
    assert "I know the address" in words(desk.last(BOB))
    desk.tap(BOB, "yes")
    assert "from now on" in words(desk.last(NEW))


def test_who_resigns_and_is_forgotten_gets_no_more_letters_while_the_others_play_on(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "forget me")
    desk.tap(BOB, "yes")
    desk.answer(BOB, "resign", next(each for each in desk.letters(BOB) if each.kind == "begin"))
    desk.answer(BOB, "yes")
    desk.tick()
    desk.tick()
    assert "'Bob'" not in stored(desk), "Ann plays the bonus round"
    count = len(desk.letters(BOB))
    desk.answer(ANN, "resign")
    desk.answer(ANN, "yes")
    assert desk.last(ANN).kind == "result"
    assert len(desk.letters(BOB)) == count
    assert all("@" in to for to, _, _ in desk.sent)


def test_nobody_takes_the_name_of_the_forgotten_and_one_who_has_it_stops_nobody(desk: Desk) -> None:
    desk.write(BOB, "games@example.org", desk.game.subject, "Name: Bob Ray\nNickname: gone-2")
    desk.answer(BOB, "confirm")
    desk.answer(BOB, "leave")
    with desk.store.transaction() as session:
        bob = session.scalars(select(Contestant)).one()
        assert bob.called == "Bob"
        bob.called = "gone-2"  # from a time when it could be taken
    desk.register(ANN, "Ann Lee")
    desk.answer(ANN, "leave")
    desk.answer(ANN, "forget me")
    desk.answer(ANN, "yes")
    steps.run_lobbies(desk.services, desk.now)
    with desk.store.reading() as session:
        assert sorted(session.scalars(select(Contestant.called))) == ["gone-2", "gone-2-2"]


def test_a_letter_to_somebody_who_was_forgotten_is_not_sent(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.answer(ANN, "leave")
    desk.answer(ANN, "forget me")
    desk.answer(ANN, "yes")
    steps.run_lobbies(desk.services, desk.now)
    count = len(desk.sent)
    with begin(desk.services, desk.now) as work:
        letter = write(work, work.session.scalars(select(Contestant)).one(), "Hello")
        assert letter.state == "cancelled"
    desk.send()
    assert len(desk.sent) == count


def test_the_name_that_somebody_had_at_a_table_goes_out_of_its_log_too(desk: Desk) -> None:
    desk.begin()
    with begin(desk.services, desk.now) as work:
        people.name(work, BOB, "Robert Ray")
        admin.audit(work, "boss", "warn CC-1 Bob no insults", "CC-1")
        admin.audit(work, "boss", "warn CC-9 Bob no insults", "CC-9")
    end(desk)
    desk.answer(BOB, "forget me")
    desk.tap(BOB, "yes")
    desk.tick()
    kept = stored(desk)
    assert "warn CC-1 gone-2 no insults" in kept
    assert "warn CC-9 Bob no insults" in kept, "another Bob"
