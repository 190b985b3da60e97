"""What strangers, and people who write in the name of others, may cost: letters, time, names, deadlines."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from host.demo.robot import ReadLetter, write
from host.games import GAMES
from host.store import queues
from host.store.schema import Address, Contestant, HeldMail, Inbound, Letter, PremoveRow, QuestionRow, Registration
from host.table.letters import MAX_LETTER
from host.turn import held, registration
from tests.size import a_few, size
from tests.turn.conftest import MakeDesk
from tests.turn.desk import ADDRESS, OPERATOR, SUBJECT, Desk, words
from tests.turn.test_receive import record
from tests.turn.test_registration import queue

ANN, BOB, CLEO, EVE, VICTIM = (f"{name}@example.net" for name in ("ann", "bob", "cleo", "eve", "victim"))
WORK = "ann.lee@work.example"
TRUSTED: dict[str, Any] = {"security": {"authserv_id": "mx.example.org"}}
FAILED = b"Authentication-Results: mx.example.org; dmarc=fail\r\n"
PASSED = b"Authentication-Results: mx.example.org; dmarc=pass\r\n"


def form(sender: str, name: str = "Zed Zed", subject: str = SUBJECT) -> bytes:
    return write(sender, "X", ADDRESS, subject, f"Name: {name}")


def count(desk: Desk, model: Any, *which: Any) -> int:
    with desk.store.reading() as session:
        return session.scalar(select(func.count()).select_from(model).where(*which)) or 0


def states(desk: Desk) -> dict[str, int]:
    with desk.store.reading() as session:
        rows = session.execute(select(Inbound.state, func.count().label("number")).group_by(Inbound.state))
        return {row.state: row.number for row in rows}


def deliver_quickly(desk: Desk, raws: list[bytes]) -> None:
    for raw in raws:
        desk.keep(raw, desk.now)
    desk.work_off()
    desk.send()


# What is a stranger's is not opened


@pytest.mark.parametrize(
    "raw",
    [
        write(EVE, "Eve", ADDRESS, "hello", "pick 5"),
        write(EVE, "Eve", f"games+{'a' * 26}@example.org", "Re: x", "pick 5"),
        b"\xff\x00",
        b"From: x\r\n" * 50_000,
        b"Subject: Texas Contestant Registration\r\n\r\nhi",
    ],
)
def test_a_strangers_mail_is_stored_as_one_and_none_of_it_is_kept(
    desk: Desk, raw: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.begin()
    monkeypatch.setattr(Desk, "_open", lambda *_: pytest.fail("it was opened"))
    row = desk.deliver(raw)
    assert (row.state, row.raw, row.ordering_key, row.sender) == ("stranger", None, "", "")


@pytest.mark.parametrize(
    "raw",
    [
        write(ANN, "Ann", ADDRESS, "hello", "pick 5"),
        write(OPERATOR, "Boss", ADDRESS, "hello", "pause CC-1"),
        write(EVE, "Eve", ADDRESS, "=?utf-8?q?Champ_Cards_Contestant?= Registration", "Name: Eve Fox"),
        b"From: =?utf-8?q?Eve?=\r\n <eve@example.net>\r\nSubject: champ cards\r\n contestant registration\r\n\r\nName: Eve Fox",
    ],
)
def test_what_concerns_the_host_is_opened_though_it_names_no_letter(desk: Desk, raw: bytes) -> None:
    desk.begin()
    desk.keep(raw, desk.now)
    with desk.store.reading() as session:
        row = session.scalars(select(Inbound).order_by(Inbound.id.desc()).limit(1)).one()
        assert (row.state, row.is_known) == ("new", False)


def test_what_follows_a_registration_that_waits_is_no_strangers(desk: Desk) -> None:
    desk.keep(form(EVE), desk.now)
    desk.keep(write(EVE, "Eve", ADDRESS, "one more thing", "I look forward to it"), desk.now)
    desk.keep(write(BOB, "Bob", ADDRESS, "one more thing", "I look forward to it"), desk.now)
    assert states(desk) == {"new": 2, "stranger": 1}


def test_a_letter_quoted_in_a_bounce_or_a_forward_is_known_at_a_glance(desk: Desk) -> None:
    desk.begin()
    token = desk.last(ANN).headers["message-id"].strip("<>").partition("@")[0]
    quoted = f"It came back.\n\n> Ref: CC-1 {token}\n"
    desk.keep(write("mailer-daemon@elsewhere.example", "", ADDRESS, "Returned", quoted), desk.now)
    with desk.store.reading() as session:
        row = session.scalars(select(Inbound).order_by(Inbound.id.desc()).limit(1)).one()
        assert (row.state, row.is_known) == ("new", True)


def test_those_that_name_a_letter_are_claimed_apart_from_the_rest(desk: Desk) -> None:
    desk.begin()
    letter = desk.last(ANN)
    desk.keep(form(EVE), desk.now)
    desk.keep(write(ANN, "Ann", letter.headers["reply-to"], "Re", "cut 5", letter.headers["message-id"]), desk.now)
    known, others = (queues.claim_mails(desk.store, 16, (), is_known) for is_known in (True, False))
    assert len(known) == len(others) == 1
    assert known != others


# Registrations


def test_a_victim_of_forged_registrations_gets_one_letter(desk: Desk) -> None:
    deliver_quickly(desk, [form(VICTIM, f"Zed{number} Zed") for number in range(60)])
    assert [letter.kind for letter in desk.letters(VICTIM)] == ["confirm"]


@pytest.mark.storm
def test_a_victim_gets_one_letter_whatever_game_is_named(make_desk: MakeDesk) -> None:
    desk = make_desk(games={slug: {} for slug in GAMES})
    deliver_quickly(
        desk, [form(VICTIM, "Zed Zed", game.subject) for game in GAMES.values() for _ in range(size(4, 20))]
    )
    assert len(desk.letters(VICTIM)) == 1
    assert count(desk, Inbound, Inbound.state == "waiting") == registration.MOST_DEFERRED
    desk.answer(VICTIM, "confirm")
    assert registration.take_up_deferred(desk.services, desk.now) > 0
    desk.work_off()
    desk.send()
    assert [letter.kind for letter in desk.letters(VICTIM)] == ["confirm", "registered", "confirm"]


def test_so_many_registrations_are_answered_an_hour_and_the_rest_later(make_desk: MakeDesk) -> None:
    desk = make_desk(security={"registrations_an_hour": 9})
    deliver_quickly(desk, [form(f"s{number}@example.com") for number in range(24)])
    to_strangers = [to for to, _, _ in desk.sent if to != OPERATOR]
    assert len(to_strangers) == 9
    assert "More than 9 registrations" in words(desk.last(OPERATOR))
    assert len(desk.letters(OPERATOR)) == 1
    for answered in (18, 24):
        assert registration.take_up_deferred(desk.services, desk.now) == 0
        desk.later(hours=1, seconds=1)
        assert registration.take_up_deferred(desk.services, desk.now) > 0
        desk.work_off()
        desk.send()
        assert len({to for to, _, _ in desk.sent if to != OPERATOR}) == answered


def test_what_waits_and_proves_whose_it_is_goes_first(make_desk: MakeDesk) -> None:
    desk = make_desk(security={"authserv_id": "mx.example.org", "registrations_an_hour": 2})
    deliver_quickly(desk, [form(f"s{number}@example.com") for number in range(6)] + [PASSED + form(CLEO)])
    assert desk.letters(CLEO) == []
    desk.later(hours=1, seconds=1)
    registration.take_up_deferred(desk.services, desk.now)
    desk.work_off()
    desk.send()
    assert desk.letters(CLEO)


@pytest.mark.storm
def test_senders_whose_check_failed_have_fewer_answers(make_desk: MakeDesk) -> None:
    desk = make_desk(**TRUSTED)
    deliver_quickly(desk, [FAILED + form(f"s{number}@example.com") for number in range(20)])
    assert len({to for to, _, _ in desk.sent}) == 5
    deliver_quickly(desk, [form(CLEO)])
    assert desk.letters(CLEO)


@pytest.mark.storm
def test_a_contestant_is_answered_three_times_a_day_also_when_others_use_up_the_hour(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.later(days=1, seconds=1)
    deliver_quickly(desk, [form(f"s{number}@example.com") for number in range(40)])
    before = len(desk.letters(ANN))
    deliver_quickly(desk, [form(ANN) for _ in range(9)])
    assert len(desk.letters(ANN)) - before == 3


def test_where_letters_are_short_those_of_episodes_go_first(make_desk: MakeDesk) -> None:
    desk = make_desk(smtp={"letters_a_day": 50})
    desk.begin()
    for number in range(20):
        desk.keep(form(f"s{number}@example.com"), desk.now)
    desk.work_off()
    letter = desk.last(ANN)
    desk.keep(write(ANN, "Ann", letter.headers["reply-to"], "Re", "cut 5", letter.headers["message-id"]), desk.now)
    desk.work_off()
    first = queues.claim_letters(desk.store, desk.now, 1, is_short=True)
    assert [each.address for each in first] == [ANN]
    with desk.store.transaction() as session:
        session.query(Letter).where(Letter.purpose == "confirm").update({"state": "sent", "sent_at": desk.now})
    assert queues.may_answer_registrations(desk.store, desk.now, 50)
    assert not queues.may_answer_registrations(desk.store, desk.now, 40)
    rest = queues.claim_letters(desk.store, desk.now, 99, is_short=True, with_registrations=False)
    assert {each.address for each in rest} <= {ANN, BOB, OPERATOR}


def test_a_forged_form_names_nobody_for_ever(desk: Desk) -> None:
    desk.deliver(form(VICTIM, "Silly Billy"))
    desk.later(days=7, seconds=10)
    desk.tick()
    assert count(desk, Contestant) == count(desk, Registration) == count(desk, QuestionRow) == 0
    desk.deliver(form(VICTIM, "Vic Tim"))
    desk.answer(VICTIM, "confirm")
    assert queue(desk) == ["Vic"]


def test_until_something_is_confirmed_a_new_form_replaces_the_old(desk: Desk) -> None:
    desk.deliver(form(VICTIM, "Silly Billy"))
    desk.deliver(form(VICTIM, "Vic Tim"))
    desk.answer(VICTIM, "confirm")
    assert queue(desk) == ["Vic"]


def test_an_answer_to_a_registration_that_lapsed_says_how_to_register_anew(desk: Desk) -> None:
    desk.deliver(form(VICTIM))
    confirm = desk.last(VICTIM)
    desk.later(days=8)
    desk.tick()
    assert desk.answer(VICTIM, "confirm", confirm).state == "refused"
    assert "That registration is over" in desk.last(VICTIM).page
    assert SUBJECT in words(desk.last(VICTIM))


# A no is a no


@pytest.mark.parametrize(
    "text",
    a_few(
        [
            "no",
            "No.",
            "No, it was not me",
            "Hello,\nno, that was not me!",
            "not me",
            "stop",
            "Unsubscribe",
            "please remove me",
            "leave",
            "That wasn't me",
            "it wasn't me",
            "It was not me.",
            "Don't write to me",
        ],
        3,
    ),
)
def test_a_no_to_confirm_is_the_last_that_is_written(desk: Desk, text: str) -> None:
    desk.deliver(form(VICTIM))
    confirm = desk.last(VICTIM)
    assert desk.answer(VICTIM, text, confirm).state == "answered"
    assert queue(desk) == []
    assert count(desk, Contestant) == 0
    for _ in range(size(1, 3)):
        desk.later(days=2)
        desk.deliver(form(VICTIM))
        desk.deliver(form(VICTIM, "Zed Zed", GAMES["bluffjack"].subject))
        desk.tick()
    assert len(desk.letters(VICTIM)) == 1


def test_who_said_no_can_still_register_by_proving_who_they_are(make_desk: MakeDesk) -> None:
    desk = make_desk(**TRUSTED)
    desk.deliver(form(VICTIM))
    confirm = desk.last(VICTIM)
    desk.answer(VICTIM, "no", confirm)
    desk.deliver(form(VICTIM))
    assert len(desk.letters(VICTIM)) == 1
    desk.deliver(PASSED + form(VICTIM, "Vic Tim"))
    desk.answer(VICTIM, "confirm")
    assert queue(desk) == ["Vic"]


def test_who_said_no_by_mistake_says_so_in_reply(desk: Desk) -> None:
    desk.deliver(form(VICTIM))
    confirm = desk.last(VICTIM)
    desk.answer(VICTIM, "no", confirm)
    desk.answer(VICTIM, "sorry, I did register", confirm)
    assert SUBJECT in words(desk.last(VICTIM))
    desk.deliver(form(VICTIM, "Vic Tim"))
    desk.answer(VICTIM, "confirm")
    assert queue(desk) == ["Vic"]


@pytest.mark.parametrize(
    "text", a_few(["confirm", "yes please", "", "Thanks, count me in!", "No problem, count me in"], 3)
)
def test_a_courteous_reply_confirms(desk: Desk, text: str) -> None:
    desk.deliver(form(VICTIM, "Vic Tim"))
    desk.answer(VICTIM, text)
    assert queue(desk) == ["Vic"]


def quiet_ann(desk: Desk) -> ReadLetter:
    desk.register(ANN, "Ann Lee")
    desk.later(hours=80)
    desk.register(BOB, "Bob Ray")
    ready = desk.last(ANN)
    assert [link.rpartition("=")[2] for link in ready.links] == ["ready", "not%20now", "leave"]
    return ready


@pytest.mark.parametrize("text", a_few(["not now", "No", "no, I cannot play this week"]))
def test_not_now_keeps_the_place_and_asks_again(desk: Desk, text: str) -> None:
    ready = quiet_ann(desk)
    desk.answer(ANN, text, ready)
    assert "You keep your place" in words(desk.last(ANN))
    desk.tick()
    assert desk.last(BOB).kind == "registered", "nothing begins without her"
    assert queue(desk) == ["Ann", "Bob"]
    desk.later(days=2, seconds=10)
    desk.tick()
    assert desk.last(ANN).kind == "ready"
    assert desk.last(ANN) is not ready
    desk.answer(ANN, "ready")
    assert desk.last(BOB).kind == "begin"


def test_after_not_now_ready_brings_her_back_at_once_and_a_courtesy_does_not(desk: Desk) -> None:
    ready = quiet_ann(desk)
    desk.answer(ANN, "not now", ready)
    desk.answer(ANN, "I shall be away until Friday", ready)
    desk.tick()
    assert desk.last(BOB).kind == "registered"
    desk.answer(ANN, "I am ready", ready)
    assert desk.last(BOB).kind == "begin"


@pytest.mark.parametrize("text", ["leave", "Please remove me", "Stop"])
def test_who_does_not_want_to_play_at_all_is_let_go(desk: Desk, text: str) -> None:
    ready = quiet_ann(desk)
    desk.answer(ANN, text, ready)
    assert queue(desk) == ["Bob"]
    assert "You left the queue" in words(desk.last(ANN))


def champion_asked(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "resign")
    desk.answer(BOB, "yes")
    desk.answer(ANN, "resign")
    desk.answer(ANN, "yes")
    desk.later(hours=80)
    desk.register(CLEO, "Cleo Fox")
    assert desk.last(ANN).kind == "ready"


def test_a_champion_may_say_not_now_and_the_game_waits(desk: Desk) -> None:
    champion_asked(desk)
    desk.answer(ANN, "not now")
    desk.later(hours=1)
    desk.tick()
    assert desk.last(CLEO).kind == "registered"
    desk.later(days=2)
    desk.tick()
    assert desk.last(ANN).kind == "ready"
    desk.answer(ANN, "ready")
    assert desk.last(CLEO).kind == "begin"


def test_a_new_address_that_says_no_is_not_written_to_again(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    desk.answer(ANN, f"address {WORK}", begin)
    desk.answer(WORK, "That was not me", desk.last(WORK))
    desk.later(days=2)
    desk.answer(ANN, f"address {WORK}", begin)
    assert len(desk.letters(WORK)) == 1


# Mail in somebody's name


def test_a_forged_mail_without_a_token_does_not_make_anybody_present(desk: Desk) -> None:
    champion_asked(desk)
    before = desk.count()
    desk.write(ANN, ADDRESS, "hello", "I am here")
    desk.deliver(form(ANN))
    with desk.store.reading() as session:
        ann = session.scalars(select(Contestant).where(Contestant.address == ANN)).one()
        assert ann.wrote_at < desk.now - timedelta(hours=72)
    assert all(letter.kind != "begin" for _, letter, _ in desk.sent[before:])


@pytest.mark.parametrize(("proof", "is_present"), [(PASSED, True), (FAILED, False), (b"", False)])
def test_a_mail_without_a_token_counts_where_its_sender_passed_a_check(
    make_desk: MakeDesk, proof: bytes, is_present: bool
) -> None:
    desk = make_desk(**TRUSTED)
    desk.register(ANN, "Ann Lee")
    desk.later(hours=80)
    desk.deliver(proof + write(ANN, "Ann", ADDRESS, "hello", "I am here"))
    with desk.store.reading() as session:
        (ann,) = session.scalars(select(Contestant))
        assert (ann.wrote_at == desk.now) is is_present


def test_words_to_the_host_without_a_token_are_marked(desk: Desk) -> None:
    desk.begin()
    desk.write(ANN, ADDRESS, "hello", "host I give up, resign me")
    told = words(desk.last(OPERATOR))
    assert "This mail answers no letter of mine: anybody may have written it in the name of Ann." in told
    assert told.index("anybody may have") < told.index("I give up")
    desk.answer(ANN, "host I am well")
    assert "anybody may have written" not in words(desk.last(OPERATOR))


def test_an_address_writes_for_who_said_that_it_is_theirs_until_its_owner_says_no(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(BOB)
    desk.answer(BOB, "status", begin, sender=VICTIM)
    desk.answer(BOB, "yes")
    assert count(desk, Address) == 0
    assert [letter.kind for letter in desk.letters(VICTIM)] == ["confirm"]
    assert desk.answer(BOB, "status", begin, sender=VICTIM).state == "answered"
    desk.answer(VICTIM, "no", desk.letters(VICTIM)[0])
    assert count(desk, Address) == 0
    assert desk.answer(BOB, "status", begin, sender=VICTIM).state == "held"


@pytest.mark.parametrize("address", [OPERATOR, ADDRESS])
def test_nobody_takes_an_address_of_the_host(desk: Desk, address: str) -> None:
    desk.begin()
    begin = desk.last(BOB)
    before = len(desk.letters(address))
    desk.answer(BOB, "status", begin, sender=address)
    if desk.last(BOB).kind == "confirm":
        desk.answer(BOB, "yes")
    assert count(desk, Address) == 0
    assert all(letter.kind == "alert" for letter in desk.letters(address)[before:])


def test_an_owners_registration_takes_the_address_back(make_desk: MakeDesk) -> None:
    desk = make_desk(security={"confirm_registration": False})
    desk.begin()
    begin = desk.last(BOB)
    with desk.store.transaction() as session:
        bob = session.scalars(select(Contestant).where(Contestant.address == BOB)).one()
        session.add(Address(address=VICTIM, contestant_id=bob.id, confirmed_at=desk.now))
    desk.deliver(form(VICTIM, "Vic Tim"))
    assert desk.last(VICTIM).kind == "confirm", "asked even where nobody is"
    assert desk.answer(BOB, "status", begin, sender=VICTIM).state == "answered", "still Bob's"
    desk.answer(VICTIM, "confirm", next(each for each in desk.letters(VICTIM) if each.kind == "confirm"))
    assert count(desk, Address) == 0
    assert queue(desk) == ["Vic"]
    assert desk.answer(BOB, "status", begin, sender=VICTIM).state == "held"


def test_a_contestant_is_asked_before_somebody_registers_them_for_another_game(make_desk: MakeDesk) -> None:
    desk = make_desk(games={"champ-cards": {}, "bluffjack": {}})
    desk.register(ANN, "Ann Lee")
    desk.deliver(form(ANN, "Ann Lee", GAMES["bluffjack"].subject))
    assert desk.last(ANN).kind == "confirm"
    desk.answer(ANN, "no")
    assert "You are not registered for Bluffjack" in words(desk.last(ANN))
    assert queue(desk) == ["Ann"]


# What is held


def test_release_takes_no_mail_apart(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.begin()
    begin = desk.last(ANN)
    desk.answer(ANN, "cut 5", begin, sender=WORK)
    ask = desk.last(ANN)
    raw = write(ANN, "Ann", ask.headers["reply-to"], "Re", "yes", ask.headers["message-id"])
    desk.keep(raw, desk.now)
    (waiting,) = queues.claim_mails(desk.store, 5)
    opened = desk.opened(waiting.id)
    monkeypatch.setattr("host.mail.inbound.reply.parse", lambda *_: pytest.fail("a mail was parsed"))
    from host.turn import receive

    (taken,) = receive.receive(desk.services, [(waiting.id, opened)], desk.now)
    assert taken.state == "played"
    assert record(desk) == ['{"from":"Ann","say":"cut 5"}']


@pytest.mark.storm
def test_so_many_mails_are_held_for_a_question_and_so_many_questions_asked(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    for number in range(14):
        desk.answer(ANN, f"status {number}", begin, sender=WORK)
    assert count(desk, HeldMail) == held.MOST_HELD
    for number in range(6):
        desk.answer(ANN, "status", begin, sender=f"x{number}@example.com")
    assert count(desk, QuestionRow, QuestionRow.purpose == "address") == held.MOST_QUESTIONS


def test_a_yes_covers_what_was_shown_before_it(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    desk.answer(ANN, "cut 5", begin, sender=EVE)
    first = desk.last(ANN)
    assert "“cut 5”" in words(first)
    desk.answer(ANN, "resign", begin, sender=EVE)
    assert "“resign”" in words(desk.last(ANN))
    desk.answer(ANN, "yes", first)
    assert record(desk) == ['{"from":"Ann","say":"cut 5"}']
    assert count(desk, HeldMail) == 1
    assert desk.answer(ANN, "pick 3", begin, sender=EVE).state != "held", "the address is known as theirs"
    desk.answer(ANN, "no", next(each for each in reversed(desk.letters(ANN)) if "“resign”" in words(each)))
    assert count(desk, HeldMail) == 0


# Letters that grow


def test_a_service_is_served_once_a_mail(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.answer(ANN, "rules\n" * 900)
    assert len(desk.sent[-1][2]) < MAX_LETTER
    assert desk.last(ANN).text.count("CC-1 ") <= 1 or len(desk.last(ANN).text) < 40_000


def test_no_letter_is_longer_than_mail_programs_take(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "\n".join(f"host {'word ' * 190}{number}" for number in range(900)))
    desk.answer(ANN, "\n".join(f"{'frobnicate ' * 80}{number}" for number in range(900)))
    desk.answer(ANN, ", ".join(f"cut {number}" for number in range(900)))
    assert max(len(raw) for _, _, raw in desk.sent) < MAX_LETTER


def test_so_many_commands_of_a_seat_wait(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(BOB)
    desk.answer(BOB, ", ".join(f"pick {number % 9 + 1}, keep" for number in range(13)), begin)
    assert count(desk, PremoveRow, PremoveRow.state == "waiting") == 20
    assert "No more than 20 commands can wait" in words(desk.last(BOB))
    desk.answer(BOB, "keep")
    assert count(desk, PremoveRow, PremoveRow.state == "waiting") == 20
    desk.answer(BOB, "cancel\npick 4")
    assert count(desk, PremoveRow, PremoveRow.state == "waiting") == 1


@pytest.mark.storm
def test_resign_and_words_to_the_host_count_for_the_limits_on_answers(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    before = desk.count()
    for _ in range(60):
        desk.later(seconds=30)
        desk.answer(ANN, "resign", begin)
        desk.answer(ANN, "host are you there?", begin)
    assert desk.count() - before < 90
    desk.answer(ANN, "cut 5", begin)
    assert record(desk) == ['{"from":"Ann","say":"cut 5"}'], "what plays is played all the same"


# Tokens in what people type


def test_of_several_letters_the_one_that_went_to_the_sender_counts(desk: Desk) -> None:
    desk.begin()
    ann, bob = (desk.last(each).headers["message-id"].strip("<>").partition("@")[0] for each in (ANN, BOB))
    quoted = f"keep\n\n> Bob wrote:\n> Ref: CC-1 {bob}\n> Ref: CC-1 {ann}\n"
    row = desk.deliver(write(ANN, "Ann", ADDRESS, "my move", quoted))
    assert row.token == ann


def test_no_reference_passes_in_what_players_type(desk: Desk) -> None:
    desk.begin()
    token = desk.last(ANN).headers["message-id"].strip("<>").partition("@")[0]
    desk.answer(ANN, f"host hello Ref: CC-1 {token} there")
    assert token not in words(desk.last(OPERATOR))
    assert "hello" in words(desk.last(OPERATOR))


# Addresses and names that cannot be used


@pytest.mark.parametrize(
    "sender",
    ["ünï@example.net", "ann@bücher.example", '"ann lee"@example.net', "a..b@example.net", ".ann@example.net", "ann@-"],
)
def test_a_registration_from_an_address_that_cannot_be_written_to_is_told_to_the_operators(
    desk: Desk, sender: str
) -> None:
    raw = f"From: Ann Lee <{sender}>\r\nTo: {ADDRESS}\r\nSubject: {SUBJECT}\r\n\r\nName: Ann Lee\r\n".encode()
    assert desk.deliver(raw).state == "refused"
    assert {to for to, _, _ in desk.sent} == {OPERATOR}
    assert "cannot be" in words(desk.last(OPERATOR))


def test_a_message_id_with_control_characters_breaks_no_answer(desk: Desk) -> None:
    desk.begin()
    letter = desk.last(ANN)
    raw = write(ANN, "Ann", letter.headers["reply-to"], "Re", "status", letter.headers["message-id"])
    start = raw.index(b"Message-ID: ")
    raw = raw[:start] + b"Message-ID: <a\x01b\x7f\xc2\x9b@x>\r\n" + raw[raw.index(b"\r\n", start) + 2 :]
    assert desk.deliver(raw).state == "answered"


@pytest.mark.parametrize("nickname", a_few(["You", "yes", "nobody", "the-host", "The Millionaire", "THE-MILLIONAIRE"]))
def test_nobody_is_called_like_somebody_else(desk: Desk, nickname: str) -> None:
    desk.write(ANN, ADDRESS, SUBJECT, f"Name: Ann Lee\nNickname: {nickname}")
    desk.answer(ANN, "confirm")
    assert queue(desk) == ["Ann"]


def test_control_characters_reach_no_letter(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "host a\x1b[31mred\x9b1m\u202eevil\u2066x\u200fy")
    text = desk.last(OPERATOR).text
    assert "red" in text
    assert not set(text) & set("\x1b\x9b\u202e\u2066\u200f")
