"""Replies: what is played, what is refused and how, what is left alone."""

from datetime import datetime, timedelta

import pytest

from host.daemon import steps
from host.demo.robot import ReadLetter, write
from host.games import GAMES
from host.store.schema import Inbound
from host.table.work import Work
from host.turn import admin, receive, reports
from tests.turn.conftest import MakeDesk
from tests.turn.desk import ADDRESS, OPERATOR, Desk, words

ANN, BOB = "ann@example.net", "bob@example.net"


def record(desk: Desk, code: str = "CC-1") -> list[str]:
    with desk.store.reading() as session:
        found = reports.episode(session, code, False)
        assert found is not None
        return [row["text"] for row in found["record"]]


def test_one_letter_tells_a_whole_turn(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5\npick 2")
    assert desk.last(ANN).kind == "turn"
    assert desk.last(BOB).kind == "begin", "an opponent gets no mail per step"
    desk.answer(ANN, "I'll take the card, thanks!")
    assert desk.last(ANN).kind == "news"
    turn = desk.last(BOB)
    assert turn.kind == "turn"
    for told in ("Ann cut the deck at 5", "Ann turned 2", "Ann kept the"):
        assert told in words(turn)
    assert record(desk) == [
        '{"from":"Ann","say":"cut 5"}',
        '{"from":"Ann","say":"pick 2"}',
        '{"from":"Ann","say":"keep"}',
    ]


def test_a_tapped_link_is_played(desk: Desk) -> None:
    desk.begin()
    desk.tap(ANN, "cut 13")
    assert "You cut the deck at 13." in words(desk.last(ANN))


def test_the_answer_to_a_mistake_says_everything(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5\npick 12\nkeep\nthen freeze")
    answer = desk.last(ANN)
    assert answer.kind == "refused"
    text = words(answer)
    assert "Played: cut 5." in text
    assert "Not played: “pick 12”. The spaces are numbered 1 to 9." in text
    assert "Not tried after that: keep, freeze." in text
    assert answer.asks
    assert any(link.endswith("body=pick%207") for link in answer.links)
    assert len(record(desk)) == 1


def test_a_second_reply_to_the_same_mail_plays_nothing(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    desk.answer(ANN, "cut 5", begin)
    row = desk.answer(ANN, "cut 9", begin)
    assert row.state == "refused"
    assert "settled before this reply came" in words(desk.last(ANN))
    assert desk.last(ANN).asks
    assert len(record(desk)) == 1


def test_a_copy_of_the_same_mail_is_passed_over(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    raw = write(ANN, "Ann", begin.headers["reply-to"], "Re", "cut 5\npick 3")
    desk.deliver(raw)
    before = desk.count()
    row = desk.deliver(b"Received: from elsewhere\r\n" + raw)
    assert row.state == "duplicate"
    assert desk.count() == before
    assert len(record(desk)) == 2


def test_when_it_is_not_your_turn_a_move_is_kept_and_nonsense_refused(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(BOB)
    desk.answer(BOB, "pick 3", begin)
    assert desk.last(BOB).kind == "news"
    assert "Sent ahead, seen by you alone: pick 3." in words(desk.last(BOB))
    desk.answer(BOB, "offer 300", begin)
    assert desk.last(BOB).kind == "refused"
    assert record(desk) == []


def test_empty_and_quotation_only_replies_are_told_so(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    quoted = "\n".join("> " + line for line in begin.text.splitlines())
    for body in ("", "On Fri, 20 Nov 2026, The Millionaire wrote:\n" + quoted):
        row = desk.answer(ANN, body, begin)
        assert row.state == "refused"
        assert row.lines == []
        assert "nothing above, between or below the quotation" in words(desk.last(ANN))
    assert record(desk) == []


def test_ten_screens_of_text_are_answered_once(desk: Desk) -> None:
    desk.begin()
    before = desk.count()
    desk.answer(ANN, "Let me tell you about my day and the weather here.\n" * 3000)
    assert desk.count() == before + 1
    assert desk.last(ANN).kind == "refused"


def test_another_address_is_held_asked_about_once_and_played_after_yes(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    other = "ann.lee@work.example.com"
    row = desk.answer(ANN, "cut 5", begin, sender=other)
    assert row.state == "held"
    ask = desk.last(ANN)
    assert ask.kind == "confirm"
    assert [link.rpartition("=")[2] for link in ask.links] == ["yes"]
    assert desk.letters(other) == []
    before = desk.count()
    desk.answer(ANN, "pick 3", begin, sender=other)
    assert desk.count() == before + 1, "what came later is shown before a yes covers it"
    shown = desk.last(ANN)
    assert "“cut 5”" in words(ask)
    assert "“pick 3”" in words(shown)
    assert record(desk) == []
    assert desk.letters(other) == []
    desk.answer(ANN, "yes", ask)
    assert record(desk) == ['{"from":"Ann","say":"cut 5"}'], "the yes covers what that letter showed"
    assert desk.answer(ANN, "yes", shown).state == "played", "what it showed is heard then"
    turn = desk.last(ANN)
    before = len(record(desk))
    assert desk.answer(ANN, "pick 4", turn, sender=other).state == "played", "they said that it is theirs"
    assert desk.answer(other, "yes", desk.last(other)).state == "answered"
    assert len(record(desk)) > before


def test_a_stranger_is_left_alone_and_not_kept(desk: Desk) -> None:
    row = desk.write("carol@example.com", ADDRESS, "Lunch?", "pick 5")
    assert row.state == "stranger"
    assert row.raw is None
    assert row.sender == ""
    assert desk.count() == 0


def test_a_contestant_without_a_token_is_told_how_to_reply(desk: Desk) -> None:
    desk.begin()
    desk.write(ANN, ADDRESS, "my move", "cut 5")
    answer = desk.last(ANN)
    assert answer.kind == "refused"
    assert "use Reply" in words(answer)
    assert answer.asks
    assert record(desk) == []


def test_the_token_is_found_wherever_it_survived(make_desk: MakeDesk) -> None:
    desk = make_desk(security={"plus_addressing": False})
    desk.begin()
    begin = desk.last(ANN)
    assert begin.headers["reply-to"] == ADDRESS
    assert begin.headers["subject"].endswith(begin.headers["message-id"][1:27] + "]")
    desk.write(ANN, ADDRESS, begin.headers["subject"], "cut 5")
    assert len(record(desk)) == 1
    turn = desk.last(ANN)
    desk.write(ANN, ADDRESS, "no idea", "pick 3\n\n" + "\n".join("> " + line for line in turn.text.splitlines()))
    assert len(record(desk)) == 2


def test_automatic_mail_is_never_played_or_answered(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    raw = write(ANN, "Ann", begin.headers["reply-to"], "Out of office", "cut 5")
    before = desk.count()
    for header in (
        b"Auto-Submitted: auto-replied\r\n",
        b"Precedence: bulk\r\n",
        b"List-Id: <x.example.org>\r\n",
        b"X-Podium-Kind: turn\r\n",
    ):
        row = desk.deliver(header + raw)
        assert row.state == "silent", header
    assert desk.count() == before + 1, "the host hears of list mail from a contestant, once"
    assert desk.sent[-1][0] == OPERATOR
    assert record(desk) == []


def test_a_mail_that_cannot_be_read_is_kept_and_shown(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    raw = write(ANN, "Ann", begin.headers["reply-to"], "Re", "cut 5")
    row = desk.deliver(b"From: evil@example.com\r\n" + raw)
    assert row.state == "quarantined"
    assert row.raw is not None
    assert "cannot be read" in words(desk.last(OPERATOR))
    assert record(desk) == []


def test_a_mail_that_was_played_meanwhile_is_not_quarantined(desk: Desk) -> None:
    desk.begin()
    row = desk.answer(ANN, "cut 5")
    count = desk.count()
    receive.quarantine(desk.services, row.id, "ValueError: of a process that stood still", desk.now)
    desk.send()
    with desk.store.reading() as session:
        assert session.get_one(Inbound, row.id).state == "played"
    assert desk.count() == count, "the operators hear of nothing"
    desk.keep(write(ANN, "Ann", desk.last(ANN).headers["reply-to"], "Re", "pick 3"), desk.now)
    receive.quarantine(desk.services, row.id + 1, "ValueError: of the mail itself", desk.now)
    with desk.store.reading() as session:
        assert session.get_one(Inbound, row.id + 1).state == "quarantined"


def test_words_to_the_host_go_there_and_back(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "pick 99\nhost my cat walked over the keyboard, sorry!")
    alert = desk.last(OPERATOR)
    assert alert.kind == "alert"
    assert "my cat walked over the keyboard, sorry!" in words(alert)
    assert "Your words went to the host" in words(desk.last(ANN))
    desk.answer(OPERATOR, "No harm done, Ann.\nGood luck!")
    reply = desk.last(ANN)
    assert reply.kind == "help"
    assert "No harm done, Ann. Good luck!" in words(reply)


def test_status_rules_and_help(desk: Desk) -> None:
    desk.begin()
    due = desk.last(ANN).headers["x-podium-reply-by"]
    desk.later(hours=1)
    for word, expected in (("status", "Round 1"), ("rules", "CC-12"), ("help", "in your own words")):
        desk.answer(BOB, word)
        assert desk.last(BOB).kind == "help"
        assert desk.last(BOB).headers["auto-submitted"] == "auto-replied"
        assert expected in words(desk.last(BOB))
    desk.answer(ANN, "status")
    assert desk.last(ANN).headers["x-podium-reply-by"] == due, "status does not move a deadline"


def test_resign_asks_once_and_only_yes_resigns(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "resign")
    ask = desk.last(BOB)
    assert ask.kind == "help"
    assert ask.links[0].endswith("body=resign%20yes")
    desk.answer(BOB, "no, I was joking", ask)
    assert record(desk) == []
    desk.answer(BOB, "yes, please", ask)
    assert record(desk) == ['{"from":"Bob","say":"resign"}']
    assert "out of this episode" in words(desk.last(BOB))
    assert "a stake of $2,500" in words(desk.last(ANN))


@pytest.mark.parametrize(
    "text",
    [
        "Yes please leave me in the game",
        "Yes of course I want to play on!",
        "Yes. cut 5",
        "yes to what?",
        "Yes tomorrow",
    ],
)
def test_a_yes_that_may_mean_something_else_is_asked_once_more(desk: Desk, text: str) -> None:
    desk.begin()
    desk.answer(ANN, "resign")
    row = desk.answer(ANN, text)
    assert row.state == "answered"
    assert "I could not tell whether that is a yes" in words(desk.last(ANN))
    assert record(desk) == []
    assert desk.answer(ANN, "yes, I resign. Thanks for the game").note == "resign"


def test_resign_yes_to_another_letter_only_asks(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "resign yes")
    assert record(desk) == []
    assert desk.last(BOB).kind == "help"


def test_a_late_reply_is_refused_and_an_in_time_one_counts(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    desk.later(hours=48, seconds=4)
    row = desk.answer(ANN, "cut 5", begin)
    assert row.state == "refused"
    late = desk.last(ANN)
    assert "after the deadline" in words(late)
    assert not late.links, "a question that is lost is not asked again"
    raw = write(ANN, "Ann", begin.headers["reply-to"], "Re", "cut 6")
    desk.deliver(raw, arrived=desk.now.replace(microsecond=0) - __import__("datetime").timedelta(seconds=1))
    assert record(desk) == ['{"from":"Ann","say":"cut 6"}']


def test_a_reply_is_in_time_while_it_is_not_stored_that_its_letter_was_accepted(desk: Desk) -> None:
    desk.begin()
    raw = write(ANN, "Ann", desk.last(ANN).headers["reply-to"], "Re", "cut 5")
    desk.keep(raw, desk.now)
    desk.work_off()
    claimed = steps.claim_letters(desk.services, desk.now, 50)
    asks = next(ReadLetter(each.message) for each in claimed or [] if each.address == ANN)
    desk.later(hours=72)
    assert desk.answer(ANN, "pick 2", asks).state == "played"
    assert record(desk) == ['{"from":"Ann","say":"cut 5"}', '{"from":"Ann","say":"pick 2"}']


def test_a_letter_that_was_not_accepted_yet_asks_again_however_long_it_waits(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    desk.keep(write(ANN, "Ann", begin.headers["reply-to"], "Re", "cut 5"), desk.now)
    desk.work_off()
    assert steps.claim_letters(desk.services, desk.now, 50), "on their way, and it is not known what became of them"
    desk.later(hours=72)
    desk.answer(ANN, "status", begin)
    again = desk.last(ANN)
    assert any(each.endswith("body=pick%202") for each in again.links)
    assert datetime.fromisoformat(again.headers["x-podium-reply-by"]) >= desk.now + timedelta(hours=48)


def test_too_many_mails_that_play_nothing_are_not_all_answered(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    before = desk.count()
    for number in range(40):
        desk.answer(ANN, f"blah {number}", begin)
    assert len([to for to, _, _ in desk.sent[before:] if to == OPERATOR]) == 1, "the second that nobody could read"
    assert len([to for to, _, _ in desk.sent[before:] if to == ANN]) <= 20
    desk.answer(ANN, "cut 5", begin)
    assert len(record(desk)) == 1, "a command is still played and answered"


def test_no_secret_reaches_a_letter_before_its_time(desk: Desk) -> None:
    desk.begin()
    with desk.store.reading() as session:
        found = reports.episode(session, "CC-1", True)
    assert found is not None
    for _, letter, raw in desk.sent:
        assert found["seed"].encode() not in raw
        assert found["seed"] not in letter.page
    with desk.store.reading() as session:
        rows = session.query(Inbound).count()
    assert rows == 4


def test_an_encoded_comma_in_a_name_is_no_second_sender(desk: Desk) -> None:
    desk.begin()
    to = desk.last(ANN).headers["reply-to"]
    raw = write(ANN, "X", to, "Re", "cut 5")
    named = raw.replace(f"From: X <{ANN}>".encode(), f"From: =?utf-8?q?M=C3=BCller=2C_J=C3=B6rg?= <{ANN}>".encode())
    assert named != raw
    assert desk.deliver(named).state == "played"


def test_an_address_hidden_in_a_name_deceives_nobody(desk: Desk) -> None:
    desk.begin()
    to = desk.last(ANN).headers["reply-to"]
    raw = write(ANN, "X", to, "Re", "cut 5")
    forged = raw.replace(f"From: X <{ANN}>".encode(), b"From: =?utf-8?q?ann=40example=2Enet_=28?= <evil@y.example>")
    row = desk.deliver(forged)
    assert row.state == "held"
    assert row.sender == "evil@y.example"
    assert record(desk) == []


def test_resign_yes_while_paused_or_out_is_answered_and_plays_nothing(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "resign")
    ask = desk.last(BOB)
    with desk.store.transaction() as session:
        admin.pause(Work(session, desk.services, desk.now), "CC-1")
    desk.send()
    paused = desk.last(BOB)
    assert not paused.asks, "no clock runs, so nothing is asked"
    row = desk.answer(BOB, "yes", ask)
    assert row.state in ("refused", "answered")
    assert record(desk) == []
    with desk.store.transaction() as session:
        admin.resume(Work(session, desk.services, desk.now), "CC-1")
        admin.withdraw(Work(session, desk.services, desk.now), "CC-1", "Bob")
    row = desk.answer(BOB, "yes", ask)
    assert row.state in ("refused", "answered")
    assert len(record(desk)) == 1


def test_leave_beside_a_command_plays_it_and_resigns_nothing(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 4")
    before = len(desk.letters(ANN))
    desk.answer(ANN, "pick 2\nleave")
    told = [words(letter) for letter in desk.letters(ANN)[before:]]
    assert len(told) == 1
    assert "You turned the" in told[0]
    assert "You are in no queue" in told[0]


def test_words_to_the_host_without_a_token_are_passed_on(desk: Desk) -> None:
    desk.begin()
    desk.write(ANN, ADDRESS, "help", "host I cannot reply, help!")
    assert "I cannot reply, help!" in words(desk.last(OPERATOR))


def test_no_to_an_address_drops_what_was_held(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    desk.answer(ANN, "cut 5", begin, sender="evil@y.example")
    desk.answer(ANN, "No, that was not me!")
    assert "Nothing of that mail is played" in words(desk.last(ANN))
    assert record(desk) == []


def test_where_two_readings_disagree_about_a_command_nothing_is_played_and_it_is_asked_for(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    row = desk.answer(ANN, "cut 5\n\nOn Friday Bob wrote:\ncut 7\n", begin)
    assert row.state == "refused"
    assert record(desk) == []
    letter = desk.last(ANN)
    assert "could not tell whether you typed this or quoted it" in words(letter)
    assert "cut 7" in words(letter)
    assert letter.links
    assert desk.answer(ANN, "cut 5", letter).state == "played"


WARNING = "CAUTION: This mail came from outside. Do not click links or open attachments unless you know the sender."
HEADER = "From: The Millionaire <games@example.org>\nSent: Friday\nTo: Ann\nSubject: Champ Cards [CC-1]"


def test_a_servers_warning_within_the_quotation_does_not_keep_the_command_from_being_played(desk: Desk) -> None:
    desk.begin()
    row = desk.answer(ANN, f"cut 5\n\n{HEADER}\n\n{WARNING}\n\n{desk.last(ANN).text}")
    assert (row.state, row.note) == ("played", "cut 5")


def test_a_command_within_the_quotation_is_heard_beside_one_above_it(desk: Desk) -> None:
    desk.begin()
    lines = desk.last(ANN).text.splitlines()
    quoted = "\n".join([*lines[:8], "", "pick 2", "", *lines[8:]])
    row = desk.answer(ANN, f"cut 5\n\n{HEADER}\n\n{quoted}")
    assert (row.state, row.note) == ("played", "cut 5, pick 2")


def test_what_is_no_command_within_the_quotation_is_heard_where_nothing_else_is(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, f"{HEADER}\n\n{WARNING}\n\n{desk.last(ANN).text}")
    assert record(desk) == []
    assert "Do not click links" in words(desk.last(ANN))


def test_doubt_about_small_talk_plays_the_command(desk: Desk) -> None:
    desk.begin()
    row = desk.answer(ANN, "cut 5\n\nOn Friday Bob wrote:\nSee you on Sunday, and good luck to both of you!\n")
    assert row.state == "played"
    assert record(desk)[0] == '{"from":"Ann","say":"cut 5"}'


def test_a_reply_in_the_junk_counts_and_the_host_hears_of_it(make_desk: MakeDesk) -> None:
    desk = make_desk(imap={"junk": "INBOX", "mailbox": "Other"})
    desk.begin()
    assert desk.answer(ANN, "cut 5").state == "played"
    assert "lay in INBOX" in " ".join(words(each) for each in desk.letters(OPERATOR))


@pytest.mark.storm
def test_mail_without_a_token_cannot_silence_the_answers_to_true_replies(desk: Desk) -> None:
    desk.begin()
    letter = desk.last(ANN)
    for number in range(25):
        desk.write(ANN, ADDRESS, "hello", f"pick {number}")
    assert len([each for each in desk.letters(ANN) if each.kind == "refused"]) == 5
    count = desk.count()
    desk.answer(ANN, "cut ninety", letter)
    assert desk.count() == count + 1


def test_the_same_form_for_another_game_is_no_copy(make_desk: MakeDesk) -> None:
    desk = make_desk(games={"champ-cards": {}, "bluffjack": {}})
    second = GAMES["bluffjack"].subject
    for subject, state in (("Champ Cards Contestant Registration", "answered"), (second, "waiting")):
        raw = write(ANN, "Ann Lee", ADDRESS, subject, "Name: Ann Lee")
        bare = b"\r\n".join(each for each in raw.split(b"\r\n") if not each.lower().startswith(b"message-id"))
        assert desk.deliver(bare).state == state


def test_a_mail_that_cannot_be_read_is_kept_where_it_answers_a_letter(desk: Desk) -> None:
    desk.begin()
    letter = desk.last(ANN)
    head = f"From: Ann <{ANN}>\r\nFrom: eve@example.com\r\nTo: {letter.headers['reply-to']}\r\nSubject: Re\r\n".encode()
    row = desk.deliver(head + b"\r\ncut 5\r\n")
    assert row.state == "quarantined"
    assert row.raw is not None
    assert "cannot be read" in words(desk.last(OPERATOR))
    stranger = desk.deliver(head.replace(ANN.encode(), b"zoe@example.com").replace(b"+", b"-") + b"\r\ncut 5\r\n")
    assert stranger.state == "stranger"


def test_a_mail_of_two_thousand_parts_in_each_other_is_read_as_far_as_it_goes(desk: Desk) -> None:
    desk.begin()
    letter = desk.last(ANN)
    nested = b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (at, at) for at in range(2000)
    )
    head = f"From: Ann <{ANN}>\r\nTo: {letter.headers['reply-to']}\r\nSubject: Re\r\nMIME-Version: 1.0\r\n".encode()
    assert desk.deliver(head + nested + b"Content-Type: text/plain\r\n\r\ncut 5\r\n").state == "refused"


def test_spam_that_names_two_senders_is_a_strangers(desk: Desk) -> None:
    desk.begin()
    count = desk.count()
    raw = b"From: a@example.com\r\n" + write("b@example.com", "B", ADDRESS, "Buy", "cut 5")
    assert desk.deliver(raw).state == "stranger"
    assert desk.count() == count
