"""What broke a promise about strangers, held mail, registrations, a no, or limits, and does no longer."""

import asyncio
import base64
import quopri
import random
from collections.abc import Iterator

import pytest
from sqlalchemy import func, select

from host.daemon.inbound_worker import InboundWorker
from host.daemon.main import steady
from host.daemon.runtime import Runtime
from host.demo.robot import write
from host.games import GAMES
from host.mail.inbound.dkim_keys import Keys
from host.mail.inbound.parsing import without_reference
from host.play.agreement import says_no
from host.store import queues
from host.store.schema import Contestant, Declined, Inbound, QuestionRow, Registration
from host.table.letters import MAX_LETTER
from host.table.work import Work
from host.turn import interruptions, registration
from tests.mail.inbound.test_dkim import PUBLIC, signed
from tests.size import a_few, size
from tests.turn.conftest import MakeDesk
from tests.turn.desk import ADDRESS, OPERATOR, SUBJECT, Desk, words
from tests.turn.test_receive import record
from tests.turn.test_registration import queue
from tests.turn.test_strangers import (
    ANN,
    BOB,
    CLEO,
    EVE,
    VICTIM,
    WORK,
    count,
    deliver_quickly,
    form,
    quiet_ann,
    states,
)

NAMELESS = f"From: {EVE}\r\nTo: {ADDRESS}\r\nSubject: {SUBJECT}\r\n\r\ncount me in\r\n".encode()


def nameless(sender: str, number: int = 0) -> bytes:
    head = f"From: {sender}\r\nTo: {ADDRESS}\r\nSubject: {SUBJECT}\r\nMessage-ID: <{number}@x>\r\n\r\n"
    return head.encode() + b"count me in\r\n"


def naming(letter_to: str, sender: str, number: int, body: str = "hello") -> bytes:
    head = f"From: {sender}\r\nTo: {letter_to}\r\nSubject: Re\r\nMessage-ID: <{number}@example.com>\r\n\r\n"
    return (head + body + "\r\n").encode()


@pytest.fixture
def wiring(desk: Desk) -> Iterator[Runtime]:
    made = Runtime(desk.services, lambda: desk.now, steady)
    yield made
    made.close()


# Strangers hold up nobody, and no deadline


async def test_whoever_got_one_letter_holds_up_nobody(desk: Desk, wiring: Runtime) -> None:
    """A token of a letter to nobody registered gives as many ordering keys as there are senders to invent."""
    desk.begin()
    desk.deliver(NAMELESS)
    to = desk.last(EVE).headers["reply-to"]
    gate = asyncio.Event()

    async def silent(name: bytes) -> bytes:
        await gate.wait()
        return PUBLIC

    intake = InboundWorker(wiring)
    intake.reader.keys = Keys(silent)
    for number in range(70):
        raw = naming(to, f"x{number}@evil{number}.example", number)
        desk.keep(signed(raw, f"evil{number}.example".encode(), headers=(b"from", b"to", b"subject")), desk.now)
    letter = desk.last(ANN)
    desk.keep(write(ANN, "Ann", letter.headers["reply-to"], "Re", "cut 5", letter.headers["message-id"]), desk.now)
    await intake.take_new_mails()
    played = record(desk)
    gate.set()
    await intake.wait_aside()
    await intake.close()
    assert played == ['{"from":"Ann","say":"cut 5"}'], "she waits for mail that a stranger makes slow"


def test_no_deadline_waits_for_mail_that_cannot_answer_it(desk: Desk) -> None:
    """Mail to a letter outside of any episode answers no question of a game, but any stranger who has one can send it."""
    desk.begin()
    desk.deliver(form(EVE, "Eve Fox"))
    to = desk.last(EVE).headers["reply-to"]
    desk.later(hours=48, seconds=-5)
    desk.keep(naming(to, EVE, 1), desk.now)  # and takes ten seconds to read; six a minute are enough
    desk.later(seconds=25)
    desk.tick()
    assert "timeout" in "".join(record(desk))


def test_an_operators_command_does_not_wait_for_mail_forged_in_the_operators_name(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.answer(ANN, "host hello")
    letter = desk.last(OPERATOR)
    for number in range(3):
        desk.keep(nameless(OPERATOR, number), desk.now)
    desk.keep(
        write(OPERATOR, "Boss", letter.headers["reply-to"], "Re", "hello", letter.headers["message-id"]), desk.now
    )
    assert len(queues.claim_mails(desk.store, 16, (), True)) == 1


def test_what_strangers_write_is_not_kept_for_ever(desk: Desk) -> None:
    """A row each; but a registration that comes to nothing keeps 128 kB, and nobody told how long."""
    desk.deliver(form(VICTIM))
    confirm = desk.last(VICTIM)
    desk.answer(VICTIM, "no", confirm)
    for number in range(5):
        desk.deliver(form(VICTIM, f"Zed{number}") + b"x" * 100_000)
    with desk.store.reading() as session:
        kept = session.scalar(select(func.sum(func.length(Inbound.raw))).where(Inbound.state == "silent")) or 0
    assert kept < 10_000


@pytest.mark.storm
def test_deferred_registrations_are_bounded(make_desk: MakeDesk) -> None:
    """A flood in invented names is kept whole, and thirty an hour of it are answered for weeks."""
    desk = make_desk(security={"registrations_an_hour": 1})
    deliver_quickly(desk, [form(f"s{number}@example.com") for number in range(200)])
    a_week = 24 * 7
    assert count(desk, Inbound, Inbound.state == "deferred") <= a_week, (
        "nobody waits longer than a confirmation is good for"
    )


# Registrations


def take_up(desk: Desk, hours: int) -> None:
    for _ in range(hours):
        desk.later(hours=1, seconds=1)
        registration.take_up_deferred(desk.services, desk.now)
        desk.work_off()
        desk.send()


@pytest.mark.storm
def test_deferred_registrations_that_cannot_be_answered_yet_hold_up_nobody(make_desk: MakeDesk) -> None:
    """The oldest hundred are looked at; those of addresses that were asked, and stay silent, stand there for a week."""
    desk = make_desk(games={slug: {} for slug in GAMES})
    for number in range(34):
        deliver_quickly(desk, [form(f"s{number}@example.com", "Zed Zed", game.subject) for game in GAMES.values()])
        desk.later(minutes=2, seconds=1)
    deliver_quickly(desk, [form(f"t{number}@example.com") for number in range(30)] + [form(CLEO, "Cleo Fox")])
    take_up(desk, 100)
    assert desk.letters(CLEO)


def test_a_game_that_was_not_confirmed_leaves_nothing_that_asks_again(make_desk: MakeDesk) -> None:
    desk = make_desk(games={slug: {} for slug in GAMES})
    deliver_quickly(desk, [form(VICTIM, "Zed Zed", game.subject) for game in GAMES.values()])
    for _ in range(30):
        desk.later(days=1)
        registration.take_up_deferred(desk.services, desk.now)
        desk.work_off()
        desk.send()
        desk.tick()
    assert len(desk.letters(VICTIM)) == 1, "she never answered"


def test_who_registers_without_a_name_is_asked_once(desk: Desk) -> None:
    for day in range(5):
        deliver_quickly(desk, [nameless(VICTIM, 10 * day + number) for number in range(5)])
        desk.later(days=1, seconds=1)
    assert len(desk.letters(VICTIM)) <= 5


@pytest.mark.parametrize("text", ["no", "No, that was not me"])
def test_a_no_to_the_question_for_a_name_is_a_no(desk: Desk, text: str) -> None:
    desk.deliver(nameless(VICTIM))
    desk.answer(VICTIM, text)
    assert len(desk.letters(VICTIM)) == 1
    assert count(desk, Contestant) == 0
    assert count(desk, Declined) == 1


def test_a_no_to_a_letter_about_a_game_that_is_not_offered_is_a_no(desk: Desk) -> None:
    other = GAMES["bluffjack"].subject
    desk.deliver(form(VICTIM, "Zed Zed", other))
    desk.answer(VICTIM, "no, that was not me, stop")
    desk.later(days=2)
    desk.deliver(form(VICTIM, "Zed Zed", other))
    assert len(desk.letters(VICTIM)) == 1


def test_a_no_does_not_fail_while_a_mail_of_hers_is_held(desk: Desk) -> None:
    """She registers here and answers from another address; the question about that is still open."""
    desk.deliver(form(ANN, "Ann Lee"))
    confirm = desk.last(ANN)
    assert desk.answer(ANN, "confirm", confirm, sender=WORK).state == "held"
    desk.keep(write(ANN, "Ann", confirm.headers["reply-to"], "Re", "no", confirm.headers["message-id"]), desk.now)
    desk.work_off()
    assert count(desk, Contestant) == 0


def test_a_registration_lapses_while_a_mail_of_hers_is_held(desk: Desk) -> None:
    desk.deliver(form(ANN, "Ann Lee"))
    confirm = desk.last(ANN)
    desk.later(hours=1)
    assert desk.answer(ANN, "confirm", confirm, sender=WORK).state == "held"
    desk.later(days=7, minutes=-30)
    desk.tick()
    assert [headline for to, letter, _ in desk.sent if to == OPERATOR for headline in [letter.headers["subject"]]] == []
    assert count(desk, Contestant) == 0


def test_a_new_address_answers_after_its_contestant_is_forgotten(desk: Desk) -> None:
    desk.deliver(form(ANN, "Ann Lee"))
    confirm = desk.last(ANN)
    desk.answer(ANN, "status", confirm, sender=WORK)
    desk.answer(ANN, "yes")  # the held mail only asked for something; her other address is written to
    asked = desk.last(WORK)
    desk.answer(ANN, "no", confirm)
    assert desk.answer(WORK, "yes", asked).state == "refused"


@pytest.mark.parametrize("text", ["Hello Podium team,\nleave", "Good morning everybody here\nplease remove me\nleave"])
def test_a_no_below_a_greeting_leaves_nothing_behind(desk: Desk, text: str) -> None:
    desk.deliver(form(VICTIM))
    desk.answer(VICTIM, text)
    assert (count(desk, Contestant), count(desk, Registration)) == (0, 0)


def test_a_confirm_letter_that_the_server_refuses_leaves_nothing_behind(desk: Desk) -> None:
    """An invented address: its question is never asked, so it never lapses, and its name is taken for ever."""
    desk.keep(form("nobody@example.com"), desk.now)
    desk.work_off()
    (claimed,) = queues.claim_letters(desk.store, desk.now, 5)
    with desk.store.transaction() as session:
        row = queues.put_off(session, claimed.id, "failed", "550 no such user", desk.now)
        interruptions.came_back(Work(session, desk.services, desk.now), row, "550 no such user")
    desk.later(days=30)
    desk.tick()
    assert count(desk, Contestant) == count(desk, QuestionRow) == 0


def test_operators_are_not_told_of_each_invented_address(desk: Desk) -> None:
    for number in range(20):
        desk.keep(form(f"nobody{number}@example.com"), desk.now)
    desk.work_off()
    for claimed in queues.claim_letters(desk.store, desk.now, 50):
        with desk.store.transaction() as session:
            row = queues.put_off(session, claimed.id, "failed", "550 no such user", desk.now)
            interruptions.came_back(Work(session, desk.services, desk.now), row, "550 no such user")
    desk.send()
    assert len(desk.letters(OPERATOR)) <= 1


def test_who_said_no_to_a_second_address_can_still_register(desk: Desk) -> None:
    """With the default configuration no registration proves itself, and no letter of theirs can be answered."""
    desk.begin()
    desk.answer(ANN, f"address {VICTIM}", desk.last(ANN))
    asked = desk.last(VICTIM)
    desk.answer(VICTIM, "no, that is not me", asked)
    desk.later(days=30)
    desk.deliver(form(VICTIM, "Vic Tim"))
    desk.answer(VICTIM, "I want to register", asked)
    assert len(desk.letters(VICTIM)) > 1, "she never hears how"


def test_who_said_no_once_and_registers_themselves_hears_something(desk: Desk) -> None:
    desk.deliver(form(VICTIM))
    desk.answer(VICTIM, "no")
    desk.later(days=365)
    desk.deliver(form(VICTIM, "Vic Tim"))
    assert len(desk.letters(VICTIM)) == 2 or desk.letters(OPERATOR)


# A no, and what is none


@pytest.mark.parametrize(
    "text",
    a_few(
        [
            "Sorry, no",
            "Thanks, but no thanks",
            "I did not register for this.",
            "I never signed up for this",
            "Hello Podium,\nno",
            "Dear Sir or Madam,\nplease remove my address",
            "Wrong person",
            "Not interested",
        ]
    ),
)
def test_a_no_in_other_words_does_not_confirm(desk: Desk, text: str) -> None:
    desk.deliver(form(VICTIM))
    desk.answer(VICTIM, text)
    assert queue(desk) == []


@pytest.mark.parametrize(
    "text",
    a_few(
        [
            "No objections, confirm",
            "No changes, confirm",
            "No need to ask, it was me",
            "Don't worry, it was me",
            "Please remove the nickname, the rest is fine. Confirm",
            "Leave the nickname out, please. Confirm",
            "That's not my hometown, it is Springfield, but yes",
            "Don't start without me! Confirm",
            "I did not register, but sounds fun, count me in",
        ]
    ),
)
def test_a_yes_is_not_taken_for_a_last_no(desk: Desk, text: str) -> None:
    desk.deliver(form(VICTIM, "Vic Tim"))
    desk.answer(VICTIM, text)
    assert count(desk, Declined) == 0


@pytest.mark.parametrize(
    "text",
    a_few(
        [
            "I am not ready",
            "Sorry, not now",
            "Not until Friday",
            "I can't this week",
            "Later please",
            "Next week",
            "Take me out",
            "Hello Podium,\nnot now",
        ]
    ),
)
def test_who_is_not_ready_does_not_begin_an_episode(desk: Desk, text: str) -> None:
    ready = quiet_ann(desk)
    desk.answer(ANN, text, ready)
    desk.tick()
    assert all(letter.kind != "begin" for _, letter, _ in desk.sent)


@pytest.mark.parametrize("text", ["Don't start without me, I'm ready", "Please don't remove me, I'm still here"])
def test_who_is_ready_is_not_let_go(desk: Desk, text: str) -> None:
    assert not says_no([text])
    ready = quiet_ann(desk)
    desk.answer(ANN, text, ready)
    assert desk.last(BOB).kind == "begin"


def test_take_me_out_is_what_the_link_says(desk: Desk) -> None:
    """The label of the link, typed."""
    ready = quiet_ann(desk)
    assert "Take me out" in words(ready) or "Take me out" in ready.page
    desk.answer(ANN, "Take me out", ready)
    desk.tick()
    assert queue(desk) == ["Bob"]


def test_after_not_now_still_not_ready_is_no_ready(desk: Desk) -> None:
    ready = quiet_ann(desk)
    desk.answer(ANN, "not now", ready)
    desk.answer(ANN, "I am still not ready", ready)
    desk.tick()
    assert desk.last(BOB).kind == "registered"


def test_not_now_holds_also_for_who_was_silent_before(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.later(hours=80)
    desk.register(BOB, "Bob Ray")
    desk.later(hours=49)
    desk.tick()  # she was silent
    assert desk.last(ANN).kind == "registered"
    desk.answer(ANN, "status")  # she is back, without a word about it
    desk.later(hours=80)
    desk.answer(BOB, "status", next(each for each in desk.letters(BOB) if each.kind in ("registered", "ready")))
    desk.tick()
    ready = next(each for each in reversed(desk.letters(ANN)) if each.kind == "ready")
    desk.answer(ANN, "not now", ready)
    desk.tick()
    assert all(letter.kind != "begin" for _, letter, _ in desk.sent)
    desk.answer(ANN, "rules", ready)
    desk.tick()
    assert all(letter.kind != "begin" for _, letter, _ in desk.sent), "she said not now, and only asked for the rules"


@pytest.mark.parametrize("text", ["Hi,\nyes", "Sorry, yes that was me"])
def test_a_yes_in_other_words_releases(desk: Desk, text: str) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5", desk.last(ANN), sender=WORK)
    desk.answer(ANN, text)
    assert record(desk) == ['{"from":"Ann","say":"cut 5"}']


# Held mail


def test_a_yes_covers_only_the_lines_that_were_shown(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    desk.answer(ANN, "\n".join(["hello there friend"] * 40 + ["cut 5"]), begin, sender=EVE)
    assert "cut 5" not in words(desk.last(ANN))
    desk.answer(ANN, "yes")
    assert record(desk) == []


def test_a_line_that_is_shown_in_part_says_so(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    desk.answer(ANN, "hello " * 35 + ", cut 5", begin, sender=EVE)
    shown = words(desk.last(ANN))
    assert "cut 5" in shown or "…" in shown or "..." in shown


def test_a_long_address_is_asked_as_a_whole(desk: Desk) -> None:
    desk.begin()
    sender = f"{'a' * 60}@{'b' * 45}.example.com.evil-{'c' * 40}.example"
    begin = desk.last(ANN)
    desk.answer(ANN, "status", begin, sender=sender)
    desk.answer(ANN, "yes")
    assert {to for to, _, _ in desk.sent} <= {ANN, BOB, OPERATOR, sender}


# Limits


WORDS = ["pick 99\nhost spam {}", "pick 99\nresign", "cancel\nhost spam {}"]


@pytest.mark.parametrize("text", size(WORDS[:1], WORDS))
def test_words_to_the_host_are_limited_beside_anything_else(desk: Desk, text: str) -> None:
    desk.begin()
    begin = desk.last(BOB)
    before = desk.count()
    for number in range(60):
        desk.later(seconds=30)
        desk.answer(BOB, text.format(number), begin)
    assert desk.count() - before <= 45


def test_no_letter_is_too_long_in_characters_that_take_many_bytes(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "\n".join(f"{'🂡' * 980}{number}" for number in range(60)))
    desk.answer(ANN, "\n".join(f"host {'🂡' * 980}{number}" for number in range(60)))
    desk.answer(ANN, "\n".join(f"{'<&' * 480}{number}" for number in range(60)))
    desk.answer(ANN, ", ".join("frob" + "é" * 900 for _ in range(60)))
    assert max(len(raw) for _, _, raw in desk.sent) <= MAX_LETTER


# Tokens in what people type


def test_no_reference_is_left_when_one_was_taken_out() -> None:
    inner, token = "b" * 26, "a" * 26
    line = without_reference(f"hello Ref: CC-1 Ref: CC-1 {inner} {token}")
    assert without_reference(line) == line
    assert token not in line


# Honest people who lose out


@pytest.mark.parametrize("shape", ["quoted-printable", "subject"])
def test_a_reply_from_another_address_that_names_its_letter_less_plainly_is_held(desk: Desk, shape: str) -> None:
    """Read, each of these names its letter; at a glance none does."""
    desk.begin()
    token = desk.last(ANN).headers["message-id"].strip("<>").partition("@")[0]
    text = f"cut 5\r\n\r\n> Ref: CC-1 {token}\r\n"
    page = f"<p>cut 5</p><blockquote style=margin:0><p style=color:grey>Ref: CC-1 {token}</p></blockquote>"
    subject = "=?utf-8?B?" + base64.b64encode(f"Réponse : [CC-1 {token}]".encode()).decode() + "?="
    kind, encoding, body = {
        "base64": ("text/plain; charset=utf-8", "base64", base64.encodebytes(text.encode())),
        "quoted-printable": ("text/html; charset=utf-8", "quoted-printable", quopri.encodestring(page.encode())),
        "utf-16": ("text/plain; charset=utf-16", "base64", base64.encodebytes(text.encode("utf-16"))),
        "upper case": ("text/plain", "7bit", text.upper().encode()),
        "subject": ("text/plain", "7bit", b"cut 5\r\n"),
    }[shape]
    head = (
        f"From: Ann <{WORK}>\r\nTo: {ADDRESS}\r\nSubject: {subject if shape == 'subject' else 'Re: my turn'}\r\n"
        f"Message-ID: <1@x>\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    )
    assert desk.deliver(head.encode() + body).state == "held"


def test_what_relays_write_above_hides_no_letter(desk: Desk) -> None:
    """30 kB of base64 in headers, as large providers write them, look like more than twenty tokens."""
    desk.begin()
    rng = random.Random(2)
    lines = ["\r\n ".join(base64.b64encode(rng.randbytes(51)).decode() for _ in range(40)) for _ in range(12)]
    above = "".join(f"X-Relay-Data: {each}\r\n" for each in lines)
    to = desk.last(ANN).headers["reply-to"]
    desk.keep(above.encode() + naming(to, WORK, 1, "cut 5"), desk.now)
    assert states(desk).get("new") == 1


def test_a_bounce_whose_returned_letter_comes_late_stops_the_clock(desk: Desk) -> None:
    desk.begin()
    token = desk.last(ANN).headers["message-id"].strip("<>").partition("@")[0]
    raw = (
        "From: postmaster@outlook.example\r\nTo: games@example.org\r\nSubject: Undeliverable: Champ Cards\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\nMessage-ID: <n@x>\r\n\r\n'
        "--b\r\nContent-Type: text/html\r\n\r\n" + "<p style='color:red'>failed</p>\r\n" * 2300 + "\r\n--b\r\n"
        "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n"
        f"Final-Recipient: rfc822; {ANN}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b\r\n"
        f"Content-Type: message/rfc822\r\n\r\nMessage-ID: <{token}@example.org>\r\n\r\nx\r\n--b--\r\n"
    )
    desk.deliver(raw.encode())
    assert count(desk, QuestionRow, QuestionRow.stopped_at.is_not(None)) == 1
