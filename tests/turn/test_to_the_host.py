"""What nobody here can answer goes to the operators, whole, with links to act; and its writer hears so."""

import pytest

from host.demo.robot import write, write_link
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import OPERATOR, Desk, words

ANN, BOB = "ann@example.net", "bob@example.net"
PLEA = "Dear Millionaire,\n\nI am in hospital until Thursday, and my leg hurts.\nCould I have until Friday?\n\nAnn"


def passed_on_to_bob(desk: Desk, text: str) -> list[str]:
    """What Bob, who wrote to the host, is sent for an operator's reply."""
    desk.begin()
    desk.answer(BOB, "host what now?")
    before = len(desk.letters(BOB))
    desk.answer(OPERATOR, text)
    return [words(letter) for letter in desk.letters(BOB)[before:]]


def to_operator(desk: Desk) -> list[str]:
    return [words(letter) for letter in desk.letters(OPERATOR)]


def answer_alert(desk: Desk, text: str) -> None:
    """The operator's answer to the alert about who did not answer in time."""
    desk.begin()
    desk.later(hours=49)
    desk.tick()
    desk.answer(OPERATOR, text)


@pytest.mark.parametrize("game", a_few(["champ-cards", "champion-poker", "split-decision"]))
def test_a_plea_reaches_the_host_whole_and_plays_nothing(make_desk: MakeDesk, game: str) -> None:
    desk = make_desk(game=game)
    desk.begin()
    asked = next(address for address in (ANN, BOB) if desk.last(address).links)
    due = desk.last(asked).headers["x-podium-reply-by"]
    row = desk.answer(asked, PLEA)
    assert row.state == "answered"
    for part in ("in hospital until Thursday, and my leg hurts.", "Could I have until Friday?"):
        assert part in to_operator(desk)[-1]
    answer = desk.last(asked)
    assert answer.kind == "help"
    assert "Your words went to the host" in words(answer)
    assert "Your deadline stays as it is until the host moves it." in words(answer)
    assert answer.headers["x-podium-reply-by"] == due


@pytest.mark.parametrize("talk", ["How much is the prize?", "Who is Bob?", "What happens if we both reach 21?"])
def test_a_question_beside_a_move_reaches_the_host_and_the_move_is_played(desk: Desk, talk: str) -> None:
    desk.begin()
    assert desk.answer(ANN, f"cut 5. {talk}").note == "cut 5"
    assert f"cut 5. {talk}" in to_operator(desk)[-1]
    assert "Your words went to the host" in words(desk.last(ANN))


def test_a_word_to_the_table_on_the_line_of_a_move_is_not_lost(desk: Desk) -> None:
    desk.begin()
    assert desk.answer(ANN, "cut 5, say good luck").note == "cut 5"
    assert "say good luck" in to_operator(desk)[-1]


@pytest.mark.parametrize("text", ['say CC-1 --as Ann "cut 5"', "say CC-1 --as Ann cut 5"])
def test_a_move_that_an_operator_says_for_somebody_is_no_answer_to_who_wrote(desk: Desk, text: str) -> None:
    passed_on = passed_on_to_bob(desk, text)
    assert "CC-1: cut 5, said for Ann." in to_operator(desk)[-1]
    assert not any("answers:" in each for each in passed_on)


@pytest.mark.parametrize("text", a_few(["status", "episode CC-1", "queue champ-cards", "people"]))
def test_an_operator_who_wants_to_look_is_told_where_and_nothing_is_passed_on(desk: Desk, text: str) -> None:
    assert passed_on_to_bob(desk, text) == []
    assert "shown by the desk" in to_operator(desk)[-1]


@pytest.mark.parametrize("text", ["call me Annie", "name Ann Lees"])
def test_a_name_is_not_changed_in_an_episode(desk: Desk, text: str) -> None:
    desk.begin()
    desk.answer(ANN, text)
    assert "nothing was changed: you are Ann here" in words(desk.last(ANN))


def test_a_move_beside_a_plea_is_played(desk: Desk) -> None:
    desk.begin()
    row = desk.answer(ANN, "cut 5\nI won't be able to play until Monday, please wait")
    assert (row.state, row.note) == ("played", "cut 5")
    assert "until Monday" in to_operator(desk)[-1]
    assert "Your words went to the host" in words(desk.last(ANN))


def test_links_of_the_letter_extend_and_pause(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, PLEA)
    letter = desk.last(OPERATOR)
    assert [link.rpartition("=")[2] for link in letter.links] == ["extend%20CC-1%20Ann%2024h", "pause%20CC-1"]
    before = desk.last(ANN).headers["x-podium-reply-by"]
    desk.deliver(write_link(letter.links[0], OPERATOR, "Boss"))
    assert "You have more time" in desk.last(ANN).page
    assert desk.last(ANN).headers["x-podium-reply-by"] > before
    desk.deliver(write_link(letter.links[1], OPERATOR, "Boss"))
    assert "paused this episode" in words(desk.last(BOB))


def test_who_is_asked_nothing_is_offered_no_more_time(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "host may I tell you something?")
    assert [link.rpartition("=")[2] for link in desk.last(OPERATOR).links] == ["pause%20CC-1"]


@pytest.mark.parametrize("text", ["Sure, take two more days, Ann!", "48h"])
def test_words_that_promise_time_move_no_deadline_and_the_host_hears_it(desk: Desk, text: str) -> None:
    desk.begin()
    desk.answer(ANN, PLEA)
    before = desk.last(ANN).headers["x-podium-reply-by"]
    desk.answer(OPERATOR, text)
    assert text in words(desk.last(ANN))
    assert desk.last(ANN).headers["x-podium-reply-by"] == before
    told = desk.last(OPERATOR)
    assert "the deadline stays as it is" in words(told)
    desk.deliver(write_link(told.links[0], OPERATOR, "Boss"))
    assert desk.last(ANN).headers["x-podium-reply-by"] > before


def test_other_words_of_the_host_go_back_to_the_contestant_still(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, PLEA)
    row = desk.answer(OPERATOR, "Get well soon!\nextend CC-1 Ann 24h is what I shall do")
    assert (row.state, row.note) == ("answered", "passed on to Ann")
    assert "Get well soon!" in words(desk.last(ANN))
    assert "extend CC-1 Ann 24h is what I shall do" in words(desk.last(ANN))


def test_a_sentence_of_the_host_that_begins_like_a_command_is_none(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, PLEA)
    desk.answer(OPERATOR, "pause CC-1 is what I shall not do")
    assert "pause CC-1 is what I shall not do" in words(desk.last(ANN))
    assert "paused" not in words(desk.last(BOB))


@pytest.mark.storm
def test_a_very_long_mail_is_cut_and_says_so(desk: Desk) -> None:
    desk.begin()
    desk.answer(
        ANN, "\n".join([PLEA, *(f"line {number} of my long sad story about all that" for number in range(900))])
    )
    text = to_operator(desk)[-1]
    assert "line 1 of my long sad story" in text
    assert "line 899 of" not in text
    assert "(cut here: the mail is longer)" in text


def test_the_second_reply_in_a_row_that_is_not_understood_goes_to_the_host_once(desk: Desk) -> None:
    desk.begin()
    before = len(desk.letters(OPERATOR))
    desk.answer(ANN, "qwertz asdf 99 xx")
    assert len(desk.letters(OPERATOR)) == before
    row = desk.answer(ANN, "my cat walks over the keyboard\nzzz 99 xx")
    assert row.state == "refused"
    assert len(desk.letters(OPERATOR)) == before + 1
    assert "my cat walks over the keyboard" in to_operator(desk)[-1]
    assert "Your words went to the host" in words(desk.last(ANN))
    assert desk.last(ANN).links, "the question is put again"
    for _ in range(3):
        desk.answer(ANN, "qwertz asdf 98 yy")
        assert "went to the host" not in words(desk.last(ANN))
    assert len(desk.letters(OPERATOR)) == before + 1, "one letter is enough"


def test_what_was_understood_in_between_begins_the_count_anew(desk: Desk) -> None:
    desk.begin()
    before = len(desk.letters(OPERATOR))
    for text in ("qwertz asdf 99 xx", "status", "qwertz asdf 99 xx", "cut 99", "qwertz asdf 98 xx"):
        desk.answer(ANN, text)
    assert len(desk.letters(OPERATOR)) == before
    desk.answer(ANN, "cut 5")
    desk.answer(ANN, "qwertz asdf 97 xx")
    assert len(desk.letters(OPERATOR)) == before, "another question"
    desk.answer(ANN, "qwertz asdf 96 xx")
    assert len(desk.letters(OPERATOR)) == before + 1


@pytest.mark.parametrize(
    "line",
    a_few(
        [
            "people bar bob@example.net insults others",
            "people forget Bob",
            "extend Ann 24h",
            "write CC-1 we begin at six",
            "back CC-1 1; pause CC-1",
            "podium begin champ-cards",
            "people add Cleo cleo@example.com",
            "season begin Winter",
            "podium backup copy.db",
            "write Bob hello",
            "say SD-1 --as Ann cut 5",
            "withdraw Bob because he cheats",
            "hush Bob",
            "extend CC-1 24h Ann",
            "withdraw CC-1",
            "Can you withdraw Ann from CC-1",
            "Pause CC-1?",
        ],
        5,
    ),
)
def test_what_is_like_a_command_goes_to_no_contestant(desk: Desk, line: str) -> None:
    desk.begin()
    desk.answer(ANN, PLEA)
    before = desk.count()
    row = desk.answer(OPERATOR, line)
    ((to, letter, _),) = desk.sent[before:]
    assert (row.state, to) == ("refused", OPERATOR)
    assert f"nothing was sent to Ann: “{line}” is like a command" in words(letter)


@pytest.mark.parametrize(
    "line",
    a_few(
        [
            "begin again",
            "people say so",
            "write again soon",
            "seat yourself",
            "back it up, I say",
            "extend it",
            "Hush Ann, all is well",
        ],
        4,
    ),
)
def test_words_that_only_begin_so_go_to_the_contestant(desk: Desk, line: str) -> None:
    desk.begin()
    desk.answer(ANN, PLEA)
    assert desk.answer(OPERATOR, line).note == "passed on to Ann"


@pytest.mark.parametrize(
    "text",
    a_few(
        [
            "please pause CC-1",
            "Pause CC-1. Thanks!",
            "please pause episode CC-1",
            "`pause CC-1`",
            "Hi,\n\npause CC-1\n\nBest,\nThe Boss",
        ],
        3,
    ),
)
def test_a_command_is_heard_with_courtesies_around_it(desk: Desk, text: str) -> None:
    desk.begin()
    desk.answer(ANN, PLEA)
    assert desk.answer(OPERATOR, text).note == "CC-1 is paused."


@pytest.mark.parametrize(
    ("text", "told"),
    a_few(
        [
            ("extend CC-1 Bob by 24h", "CC-1: Bob until"),
            ("extend Bob 24h.", "CC-1: Bob until"),
            ("extend all 24h, please", "CC-1: Bob until"),
            ("pause.", "CC-1 is paused."),
            ("back to 1", "CC-1 stands as after line 1"),
            ("withdraw Bob, please", "Bob is withdrawn from CC-1."),
            ("warn Bob please", "write warn CODE NAME WHY"),
            ("write Bob hello\nhow are you", "It goes to Bob"),
            ("write Bob I may have to\nwithdraw Bob for that", "Nothing was done: “withdraw Bob for that” may belong"),
            ("write Bob hello\nwrite Ann hello", "It goes to Ann"),
            ("back by 1", "write back CODE LINE"),
            ("pause?", "nothing was changed"),
            ("write Bob I am going to\npause", "Nothing was done: “pause” may belong"),
            ("yes", "A line of it can be pause, resume, extend NAME 24h"),
        ],
        6,
    ),
)
def test_an_alert_takes_commands_as_people_write_them(desk: Desk, text: str, told: str) -> None:
    answer_alert(desk, text)
    assert told in words(desk.last(OPERATOR))


def test_the_reason_of_a_withdrawal_is_told_without_what_stands_before_it(desk: Desk) -> None:
    answer_alert(desk, "withdraw Bob from CC-1 because he insults others")
    assert "The host has taken Bob out of this episode: he insults others." in words(desk.last(ANN))


def test_an_alert_takes_commands_as_podium_tells_them(desk: Desk) -> None:
    desk.begin()
    desk.later(hours=49)
    desk.tick()
    alert = desk.last(OPERATOR)
    assert "podium back CC-1 1" in words(alert)
    desk.answer(OPERATOR, "podium back CC-1 1", alert)
    assert "CC-1 stands as after line 1" in words(desk.last(OPERATOR))
    for line, told in (
        ("people add Cleo cleo@example.net", "is for the desk, or for podium in a terminal"),
        ("season close", "is for the desk, or for podium in a terminal"),
        ("backup copy.db", "is for the desk, or for podium in a terminal"),
        ("back CC-1", "write back CODE LINE"),
        ("withdraw CC-1", "write withdraw CODE NAME [WHY]"),
    ):
        desk.answer(OPERATOR, line, alert)
        assert told in words(desk.last(OPERATOR)), line


def test_words_to_a_table_go_to_that_table(desk: Desk) -> None:
    desk.begin()
    desk.register("cleo@example.net", "Cleo")
    desk.answer(ANN, "host help")
    before = desk.count()
    desk.answer(OPERATOR, "hush CC-1")
    desk.answer(OPERATOR, "write CC-1 champ-cards begins at six tonight", desk.last(OPERATOR))
    told = [to for to, letter, _ in desk.sent[before:] if "champ-cards begins at six tonight" in words(letter)]
    assert sorted(told) == [ANN, BOB]


def test_the_same_words_reach_the_host_once_an_hour(desk: Desk) -> None:
    desk.begin()
    for _ in range(3):
        desk.answer(BOB, "I am away and read my mail on Monday, kind regards")
    assert len([each for each in to_operator(desk) if "I am away" in each]) == 1
    desk.answer(BOB, "I am away, and this is another mail")
    assert "another mail" in to_operator(desk)[-1]


def test_the_host_hears_of_a_reply_that_looks_like_list_mail(desk: Desk) -> None:
    desk.begin()
    letter = desk.last(ANN)
    raw = write(ANN, "Ann", letter.headers["reply-to"], "Re: your turn", "cut 5", letter.headers["message-id"])
    row = desk.deliver(b"Precedence: bulk\r\n" + raw)
    assert row.state == "silent"
    assert "Ann answered a letter of mine, but the mail says that it comes from a list" in to_operator(desk)[-1]


@pytest.mark.parametrize(
    ("text", "told"),
    a_few(
        [
            ('write Bob "hello"', '"hello"'),
            (
                "write Bob Good news:\nBest of luck!\nThe next round is on Friday.",
                "Best of luck! The next round is on Friday.",
            ),
            ("write Bob ok\nyes\nplease", "ok yes please"),
            ("warn Bob CC-1 must go on", "warns you: CC-1 must go on"),
            ("withdraw Bob because: rude", "withdrew you from this episode: rude."),
        ],
        3,
    ),
)
def test_nothing_of_what_a_command_tells_is_lost(desk: Desk, text: str, told: str) -> None:
    answer_alert(desk, text)
    assert told in words(desk.last(BOB))
