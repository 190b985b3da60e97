"""Mail that may be somebody else's: authentication, and addresses that a contestant adds."""

import pytest

from host.demo.robot import write
from host.mail.inbound.reply import open_mail
from host.store.schema import Inbound
from tests.turn.conftest import MakeDesk
from tests.turn.desk import ADDRESS, OPERATOR, Desk, words
from tests.turn.test_receive import record

ANN, BOB, EVE = "ann@example.net", "bob@example.net", "eve@example.com"
WORK = "ann.lee@work.example"
TRUSTED = {"security": {"authserv_id": "mx.example.org"}}
FAILED = b"Authentication-Results: mx.example.org; dmarc=fail header.from=example.net\r\n"
PASSED = b"Authentication-Results: mx.example.org; dmarc=pass header.from=example.net\r\n"


def reply(desk: Desk, body: str, sender: str = ANN) -> bytes:
    letter = desk.last(ANN)
    return write(sender, "Ann", letter.headers["reply-to"], "Re: x", body, letter.headers["message-id"])


def test_a_failed_authentication_plays_nothing_and_asks_whose_address_it_is(make_desk: MakeDesk) -> None:
    desk = make_desk(**TRUSTED)
    desk.begin()
    begin = desk.last(ANN)
    assert desk.deliver(FAILED + reply(desk, "cut 5")).state == "held"
    assert record(desk) == []
    ask = desk.last(ANN)
    assert ask.kind == "confirm"
    assert "the check of its sender failed" in words(ask)
    count = desk.count()
    raw = write(ANN, "Ann", begin.headers["reply-to"], "Re: x", "pick 3", begin.headers["message-id"])
    desk.deliver(FAILED + raw)
    assert desk.count() == count + 1, "it is shown before it is covered"
    row = desk.deliver(FAILED + reply(desk, "yes"))
    assert row.state == "played", "the letter that asks went to that address alone, so its token is proof"
    assert record(desk)[0] == '{"from":"Ann","say":"cut 5"}'


def test_a_pass_below_the_topmost_header_does_not_help(make_desk: MakeDesk) -> None:
    desk = make_desk(**TRUSTED)
    desk.begin()
    row = desk.deliver(
        FAILED + b"Received: from x by y; Sat, 21 Nov 2026 10:00:00 +0000\r\n" + PASSED + reply(desk, "cut 5")
    )
    assert row.state == "held"
    assert desk.deliver(PASSED + reply(desk, "no")).state in ("answered", "refused")
    assert record(desk) == []


def test_a_token_in_the_subject_alone_with_failed_authentication_is_refused(make_desk: MakeDesk) -> None:
    desk = make_desk(security={"authserv_id": "mx.example.org", "plus_addressing": False})
    desk.begin()
    letter = desk.last(ANN)
    count = desk.count()
    raw = write(ANN, "Ann", ADDRESS, "Re: " + letter.headers["subject"], "cut 5")
    assert open_mail(raw).is_only_in_subject
    row = desk.deliver(FAILED + raw)
    assert row.state == "refused"
    assert desk.count() == count
    assert record(desk) == []
    assert (
        desk.deliver(PASSED + write(ANN, "Ann", ADDRESS, "Re: " + letter.headers["subject"], "cut 5")).state == "played"
    )


def test_forged_mail_without_a_token_is_not_answered(make_desk: MakeDesk) -> None:
    desk = make_desk(**TRUSTED)
    desk.begin()
    count = desk.count()
    assert desk.deliver(FAILED + write(ANN, "Ann", ADDRESS, "hello", "host you are a fool")).state == "refused"
    assert desk.count() == count


def test_a_forged_registration_is_asked_to_confirm_even_where_nobody_is(make_desk: MakeDesk) -> None:
    desk = make_desk(security={"authserv_id": "mx.example.org", "confirm_registration": False})
    desk.deliver(FAILED + write(ANN, "Ann Lee", ADDRESS, desk.game.subject, "Name: Ann Lee"))
    assert desk.last(ANN).kind == "confirm"
    desk.answer(ANN, "confirm")
    assert desk.last(ANN).kind == "registered"


def test_an_operators_command_that_fails_authentication_does_nothing(make_desk: MakeDesk) -> None:
    desk = make_desk(**TRUSTED)
    desk.begin()
    desk.answer(ANN, "host hello there")
    alert = desk.last(OPERATOR)
    count = desk.count()
    raw = write(OPERATOR, "Boss", alert.headers["reply-to"], "Re", "hello yourself", alert.headers["message-id"])
    assert desk.deliver(FAILED + raw).state == "refused"
    assert desk.count() == count
    raw = write(OPERATOR, "Boss", alert.headers["reply-to"], "Re", "hello yourself", alert.headers["message-id"])
    desk.deliver(PASSED + raw)
    assert "hello yourself" in words(desk.last(ANN))


def test_a_contestant_adds_an_address_which_has_to_answer(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    desk.answer(ANN, f"address {WORK}", begin)
    assert WORK in words(desk.last(ANN))
    ask = desk.last(WORK)
    assert ask.kind == "confirm"
    assert "Ann wants to play from this address too" in words(ask)
    assert desk.answer(WORK, "yes", ask).state == "answered"
    assert "as yours" in words(desk.last(ANN))
    assert desk.answer(ANN, "cut 5", begin, sender=WORK).state == "played"
    count = desk.count()
    assert desk.answer(WORK, "yes", ask).state == "refused"
    assert desk.count() == count


def test_an_address_is_not_added_by_another_nor_without_its_answer(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    desk.answer(ANN, f"address {WORK}", begin)
    ask = desk.last(WORK)
    assert desk.answer(WORK, "yes", ask, sender=EVE).state == "refused"
    assert desk.answer(ANN, "cut 5", begin, sender=WORK).state == "held", "not confirmed yet"
    desk.answer(ANN, f"address {BOB}", begin)
    assert "cannot be added" in words(desk.last(ANN))
    assert desk.last(BOB).kind != "confirm"


def test_nobody_can_be_pestered_with_questions_about_addresses(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    for _ in range(6):
        desk.answer(ANN, f"address {EVE}", begin)
        desk.later(seconds=1)
    assert len(desk.letters(EVE)) == 3


def test_a_held_mail_keeps_its_doubt(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    desk.answer(ANN, "cut 5\n\nOn Friday Bob wrote:\ncut 7\n", begin, sender=WORK)
    desk.answer(ANN, "yes", desk.last(ANN))
    assert record(desk) == []
    assert "could not tell whether you typed this" in words(desk.last(ANN))


@pytest.mark.parametrize(
    "text", ["yes but play cut 6 instead", "yes, that was my husband Bob", "Yes, and keep it if 8 or more"]
)
def test_a_yes_with_more_beside_it_is_asked_once_more(desk: Desk, text: str) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5", desk.last(ANN), sender=WORK)
    desk.answer(ANN, text, desk.last(ANN))
    assert record(desk) == []
    assert "You said yes, and something besides." in words(desk.last(ANN))
    desk.answer(ANN, "It's me", desk.last(ANN))
    assert record(desk) == ['{"from":"Ann","say":"cut 5"}']


@pytest.mark.parametrize("text", ["Yes, that was me.\n\nAnn", "yes, Ann Lee", "Hi, yes that was me, thanks! Ann"])
def test_a_yes_with_a_name_below_it_is_plain(desk: Desk, text: str) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5", desk.last(ANN), sender=WORK)
    desk.answer(ANN, text, desk.last(ANN))
    assert record(desk) == ['{"from":"Ann","say":"cut 5"}']


def test_a_no_with_a_move_beside_it_says_what_was_not_played(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5", desk.last(ANN), sender=WORK)
    desk.answer(ANN, "no, but cut 6", desk.last(ANN))
    assert record(desk) == []
    assert "Not played: no, but cut 6" in words(desk.last(ANN))


def test_two_held_mails_are_both_heard_after_yes(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    desk.answer(ANN, "cut 5", begin, sender=WORK)
    ask = desk.last(ANN)
    assert desk.last(ANN) is ask
    desk.answer(ANN, "host my second mail", begin, sender=WORK)
    desk.answer(ANN, "yes", desk.last(ANN))
    assert record(desk)[0] == '{"from":"Ann","say":"cut 5"}'
    assert "my second mail" in words(desk.last(OPERATOR))


def test_a_new_address_that_says_no_is_not_added(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    desk.answer(ANN, f"address {EVE}", begin)
    ask = desk.last(EVE)
    for body in ("What is this?", "No! I do not know any Ann. Stop writing to me."):
        assert desk.answer(EVE, body, ask).state == "refused"
    assert desk.answer(ANN, "cut 5", begin, sender=EVE).state == "held"
    assert desk.answer(EVE, "yes", ask).state == "refused", "no was the last word"


def test_an_address_in_a_signature_takes_no_move_away(desk: Desk) -> None:
    desk.begin()
    row = desk.answer(ANN, f"cut 5\n\nAnn Lee\nAddress: {WORK}")
    assert row.state != "answered"
    assert record(desk)[:1] == ['{"from":"Ann","say":"cut 5"}']
    assert desk.letters(WORK) == []


@pytest.mark.storm
def test_a_mail_about_addresses_counts_like_any_other_that_plays_nothing(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    for number in range(30):
        desk.answer(ANN, f"address friend+{number}@corp.example", begin)
    assert len([to for to, _, _ in desk.sent if to.endswith("corp.example")]) <= 3
    assert len(desk.letters(ANN)) < 25


def test_a_confirmation_with_the_token_in_the_subject_alone_and_failed_authentication_is_refused(
    make_desk: MakeDesk,
) -> None:
    desk = make_desk(**TRUSTED)
    desk.begin()
    desk.deliver(PASSED + reply(desk, "cut 5", sender=EVE))
    ask = desk.last(ANN)
    token = ask.headers["message-id"].strip("<>").partition("@")[0]
    row = desk.deliver(FAILED + write(ANN, "Ann", ADDRESS, f"Re: x [HOST {token}]", "yes"))
    assert row.state == "refused"
    assert record(desk) == []


def test_a_true_copy_counts_after_one_whose_authentication_failed(make_desk: MakeDesk) -> None:
    desk = make_desk(security={"authserv_id": "mx.example.org", "plus_addressing": False})
    desk.begin()
    raw = write(ANN, "Ann", ADDRESS, "Re: " + desk.last(ANN).headers["subject"], "cut 5")
    assert desk.deliver(FAILED + raw).state == "refused"
    assert desk.deliver(PASSED + raw).state == "played"


def test_what_is_held_lapses_with_its_question(desk: Desk) -> None:
    desk.begin()
    row = desk.answer(ANN, "cut 5", sender=WORK)
    desk.later(days=8)
    desk.tick()
    with desk.store.reading() as session:
        assert session.get_one(Inbound, row.id).state == "refused"


def test_the_letter_says_until_when_a_yes_comes_in_time_for_the_question(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5", sender="ann@work.example")
    asked = desk.last(ANN)
    assert asked.kind == "confirm"
    assert "Your time runs on meanwhile: say yes until Sunday 7:00 AM EST" in words(asked)
