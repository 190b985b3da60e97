"""Company: terms, what is looked up, talk, rematches, reading along; all by mail, with what people get wrong."""

import re

import pytest

from host.club.company import tell_watchers
from host.demo.robot import write
from host.table.work import begin
from host.turn.admin import hush
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import ADDRESS, Desk, words
from tests.turn.test_services import over

ANN, BOB, CLEO = "ann@example.net", "bob@example.net", "cleo@example.net"
OPEN = {"games": {"champ-cards": {"tables": 3}}}


@pytest.fixture(autouse=True)
def in_their_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody here wants letters of their own for what is said."""
    monkeypatch.setattr(Desk, "wanted", "turns")


def say(desk: Desk, who: str, text: str) -> str:
    """What comes back; one letter does."""
    before = len(desk.letters(who))
    row = desk.answer(who, text)
    assert row.state in ("answered", "played"), row.note
    assert len(desk.letters(who)) == before + 1
    return words(desk.last(who))


# Terms


def test_a_term_is_explained_once_in_the_letter_that_asks_with_it(desk: Desk) -> None:
    desk.begin()
    first = desk.last(ANN)
    assert "Words of the game:" in first.text
    assert "* cut:" in first.text
    assert "<details" in first.page
    assert "“cut”" in first.page
    assert "freeze" not in first.text.partition("Words of the game:")[2], "the game in short tells it"
    again = say(desk, ANN, "status")
    assert "* cut:" not in again
    assert "* stock:" in say(desk, ANN, "cut 26, pick 5")


def test_explain_says_what_a_term_means_and_shows_it_at_this_table(desk: Desk) -> None:
    desk.begin()
    told = say(desk, ANN, "explain cut")
    assert "cut: To cut is to move" in told
    assert "At your table" not in told
    say(desk, ANN, "cut 26")
    told = say(desk, BOB, "what does cut mean?")
    assert "cut: To cut is to move" in told
    assert "At your table: Ann cut the deck at 26." in told
    assert "write rules cut" in told


@pytest.mark.parametrize("text", ["explain", "explain quux", "explain   ", "define the meaning of life"])
def test_what_no_term_is_called_says_which_there_are(desk: Desk, text: str) -> None:
    desk.begin()
    assert "I can explain freeze, blackjack, stock" in say(desk, ANN, text)


def test_rules_of_a_topic_is_one_clause(desk: Desk) -> None:
    desk.begin()
    told = say(desk, ANN, "rules freeze")
    assert "Rule CC-6 With 12 or more you may freeze" in told
    assert "CC-7" not in told
    assert "source" not in told
    assert "CC-14" in say(desk, ANN, "rules cc-14")
    assert "I found nothing in the rules about “zebras”" in say(desk, ANN, "rules about zebras")
    assert "THE CLAUSES" in say(desk, ANN, "rules")
    assert "THE CLAUSES" in say(desk, ANN, "rules for Champ Cards")


# Looking up


def test_mine_lists_each_question_with_what_to_write(make_desk: MakeDesk) -> None:
    desk = make_desk(**OPEN)
    desk.begin()
    told = say(desk, ANN, "mine")
    assert "1 thing waits for you" in told
    assert "CC-1: Round 1: yours to cut" in told
    assert "“cut 13”" in told
    assert "Nothing waits for you." in say(desk, BOB, "what waits for me?")


def test_mine_answers_other_letters_by_a_tap(desk: Desk) -> None:
    desk.begin()
    asked = desk.last(ANN)
    desk.answer(ANN, "mine")
    told = desk.last(ANN)
    assert told.headers["message-id"] != asked.headers["message-id"]
    tap = next(link for link in told.links if link.endswith("body=cut%2013"))
    assert tap.replace("cut%2013", "") in {link.rpartition("body=")[0] + "body=" for link in asked.links}
    assert desk.tap(ANN, "cut 13").state == "played"


def test_mine_is_a_move_where_a_card_can_be_kept(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 26, pick 5")
    row = desk.answer(ANN, "mine")
    assert (row.state, row.note) == ("played", "keep")


def test_standings_history_and_my_record(desk: Desk) -> None:
    desk.begin()
    assert "No episode of Champ Cards is over yet." in say(desk, ANN, "standings")
    assert "has had no champion yet" in say(desk, ANN, "history")
    assert "CC-1: under way" in say(desk, ANN, "my record")
    for address in (BOB, ANN):
        desk.answer(address, "resign")
        desk.answer(address, "yes")
    told = say(desk, BOB, "standings")
    assert "1. Ann: 1 of 1 episode won" in told
    assert "You are number 2: 0 of 1 episode won, $0." in told
    assert "Ann, from 20 November 2026 until now, 1 won." in say(desk, BOB, "history")
    told = say(desk, BOB, "my record")
    assert "Champ Cards: 0 of 1 episode won" in told
    assert "CC-1: not won" in told


def test_replay_sends_the_story_and_the_record_of_an_episode_that_is_over(desk: Desk) -> None:
    desk.begin()
    assert "still being played" in say(desk, BOB, "replay CC-1")
    assert "There is no episode CC-9" in say(desk, BOB, "replay CC-9")
    assert "There is no episode BANANAS" in say(desk, BOB, "replay bananas")
    for address in (BOB, ANN):
        desk.answer(address, "resign")
        desk.answer(address, "yes")
    assert "Bob resigned" in say(desk, ANN, "replay cc-1")
    assert b'filename="CC-1.jsonl"' in desk.sent[-1][2]
    assert "Write replay and the code of an episode" in say(desk, ANN, "replay")


# Talk


def test_what_is_said_comes_with_the_next_letter_and_once(desk: Desk) -> None:
    desk.begin()
    before = desk.count()
    told = say(desk, ANN, "say hello <b>Bob</b>\nsee www.evil.example or ann@x.example")
    assert "Bob will read in the next letter: “hello <b>Bob</b> see (a link) or (an address)”" in told
    assert desk.count() == before + 1, "no letter of its own"
    heard = desk_status(desk, BOB)
    assert "Ann says: “hello <b>Bob</b> see (a link) or (an address)”" in heard
    assert "&lt;b&gt;Bob&lt;/b&gt;" in desk.last(BOB).page
    assert "<b>Bob</b>" not in desk.last(BOB).page
    assert "Ann says" not in desk_status(desk, BOB)
    assert "Ann says" not in desk_status(desk, ANN)


def desk_status(desk: Desk, who: str) -> str:
    return re.sub(r" says: ", " ", say(desk, who, "status")).replace("Ann “", "Ann says: “")


def test_what_is_said_to_one_is_read_by_one(make_desk: MakeDesk) -> None:
    desk = make_desk(game="bluffjack", games={"bluffjack": {"seats": 3}})
    desk.begin()
    assert "Bob will read" in say(desk, ANN, "say to Bob: I have nothing")
    assert "I have nothing" in say(desk, BOB, "status")
    assert "I have nothing" not in say(desk, CLEO, "status")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("say", "Write say and your words"),
        ("say to Bob", "Write say and your words"),
        ("say to Zed hello", "Nobody at your table is called Zed; there is Bob."),
        ("say to Ann hello", "That is your own name."),
        ("say " + "so " * 300, "600 is the most"),
    ],
)
def test_what_cannot_be_said(desk: Desk, text: str, why: str) -> None:
    desk.begin()
    told = say(desk, ANN, text)
    assert "Nothing was said." in told
    assert why in told


@pytest.mark.storm
def test_nobody_says_more_than_so_much_in_a_day(desk: Desk) -> None:
    desk.begin()
    for number in range(10):
        assert "will read" in say(desk, ANN, f"say number {number}")
    assert "10 times in a day" in say(desk, ANN, "say more")
    desk.later(hours=25)
    assert "will read" in say(desk, ANN, "say more")


def test_a_question_for_words_takes_them_before_the_table_does(make_desk: MakeDesk) -> None:
    desk = make_desk(game="split-decision")
    desk.begin()
    with desk.store.transaction() as session:
        from host.table.work import Work
        from host.turn.question_bank import add_entries, starter

        add_entries(Work(session, desk.services, desk.now), desk.game, starter(desk.game))
    for who in (ANN, BOB, CLEO):
        desk.answer(who, "codes random")
        if desk.last(who).kind != "news":
            desk.answer(who, "cut 20")
    for _ in range(12):
        for who in (ANN, BOB, CLEO):
            if "Question 1 is yours" in desk.last(who).text:
                assert "Your question waits for words" in say(desk, who, "say Paris")
                assert "will read" in say(desk, who, "say to all good luck")
                return
            if "Head Start" in desk.last(who).text and desk.last(who).kind == "turn":
                desk.answer(who, "refuse")
    raise AssertionError("no question came")


def test_a_host_who_wants_no_talk_has_none(make_desk: MakeDesk) -> None:
    desk = make_desk(host={"talk": False})
    desk.begin()
    assert "The host wants no talk at the table" in say(desk, ANN, "say hello")


def test_who_is_muted_is_not_read(desk: Desk) -> None:
    desk.begin()
    assert "nothing more that Ann says" in say(desk, BOB, "mute ann")
    say(desk, ANN, "say can you hear me")
    assert "can you hear me" not in say(desk, BOB, "status")
    assert "You read again what Ann says" in say(desk, BOB, "unmute Ann")
    assert "You had not muted Ann" in say(desk, BOB, "unmute Ann")
    say(desk, ANN, "say and now")
    assert "and now" in say(desk, BOB, "status")


@pytest.mark.parametrize(
    ("text", "why"),
    [("mute", "Write the name"), ("mute Zed", "called Zed"), ("unmute Zed", "called Zed"), ("mute Ann", "yourself")],
)
def test_who_cannot_be_muted(desk: Desk, text: str, why: str) -> None:
    desk.begin()
    assert why in say(desk, ANN, text)


# Once more


def test_a_rematch_begins_when_all_said_yes(desk: Desk) -> None:
    over(desk)
    assert "I have asked Ann." in say(desk, BOB, "again with Ann")
    assert desk.last(ANN).kind == "ready"
    assert "Bob wants to play Champ Cards with you once more" in words(desk.last(ANN))
    desk.tap(ANN, "yes")
    assert [desk.last(who).headers["x-podium-episode"] for who in (ANN, BOB)] == ["CC-2", "CC-2"]
    assert desk.last(ANN).kind == "begin"
    assert desk.last(ANN).asks, "the champion has the first seat"


def test_a_no_or_silence_ends_a_rematch(desk: Desk) -> None:
    over(desk)
    desk.answer(BOB, "again with Ann")
    desk.tap(ANN, "no")
    assert "Ann does not want to play now" in words(desk.last(BOB))
    desk.answer(BOB, "again with Ann")
    assert "is asked already" in say(desk, BOB, "again with Ann") or "asked about one already" in words(desk.last(BOB))
    desk.later(days=8)
    desk.tick()
    assert "Ann gave no answer in time" in words(desk.last(BOB))
    row = desk.answer(ANN, "yes")
    assert desk.last(ANN).headers.get("x-podium-episode") != "CC-2", row.note


@pytest.mark.parametrize(
    ("text", "why"),
    a_few(
        [
            ("again with Zed", "called Zed"),
            ("again with Bob", "not yourself"),
            ("again with Ann, Cleo", "called Cleo"),
            ("again with , and", "such as again with Bob"),
        ],
        2,
    ),
)
def test_with_whom_nobody_can_play_again(desk: Desk, text: str, why: str) -> None:
    over(desk)
    told = say(desk, BOB, text)
    assert "Nobody was asked." in told
    assert why in told


def test_a_rematch_needs_free_people_a_free_table_and_the_right_number(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.begin()
    assert "You are playing Champ Cards in CC-1: that has to be over first." in say(desk, ANN, "again with Bob")


# Reading along


def test_who_reads_along_hears_what_everybody_may_see_once_a_day(make_desk: MakeDesk) -> None:
    desk = make_desk(**OPEN)
    desk.wanted = "at once"
    desk.begin()
    desk.register(CLEO, "Cleo Fox")
    assert "You read along in CC-1, played by Ann and Bob" in say(desk, CLEO, "watch CC-1")
    desk.answer(ANN, "cut 26, pick 5, keep")
    desk.tick()
    seen = desk.last(CLEO)
    assert seen.kind == "news"
    assert "CC-1, Ann v Bob" in words(seen)
    assert "Ann cut the deck at 26" in words(seen)
    before = len(desk.letters(CLEO))
    desk.answer(BOB, "pick 1, keep")
    desk.later(hours=3)
    desk.tick()
    assert len(desk.letters(CLEO)) == before, "once a day"
    desk.later(hours=22)
    desk.tick()  # Ann is reminded
    desk.later(minutes=11)
    desk.tick()
    assert len(desk.letters(CLEO)) == before + 1
    assert "Bob turned 1" in words(desk.last(CLEO))
    for address in (BOB, ANN):
        desk.answer(address, "resign")
        desk.answer(address, "yes")
    desk.tick()
    desk.tick()
    assert "it is over" in words(desk.last(CLEO))
    assert "write replay CC-1" in words(desk.last(CLEO))
    count = len(desk.letters(CLEO))
    desk.later(days=3)
    desk.tick()
    assert len([each for each in desk.letters(CLEO)[count:] if each.kind == "news"]) == 0


def test_to_leave_in_answer_to_a_letter_for_who_reads_along_ends_that_and_keeps_the_queue(make_desk: MakeDesk) -> None:
    desk = make_desk(**OPEN)
    desk.wanted = "at once"
    desk.begin()
    desk.register(CLEO, "Cleo Fox")
    desk.answer(CLEO, "watch CC-1")
    desk.answer(ANN, "cut 26, pick 5, keep")
    desk.tick()
    assert "body=leave" in desk.last(CLEO).headers["list-unsubscribe"]
    letter = desk.last(CLEO)
    assert "You do not read along in CC-1 any more" in say(desk, CLEO, "leave")
    assert "You are number 1 in the queue" in say(desk, CLEO, "status")
    assert "You are in no queue of Bluffjack" in say(desk, CLEO, "leave Bluffjack")
    desk.answer(CLEO, "leave the queue", letter)
    assert "You left the queue of Champ Cards" in words(desk.last(CLEO))


def test_nobody_who_reads_along_hears_before_the_players_letters_were_accepted(make_desk: MakeDesk) -> None:
    desk = make_desk(**OPEN)
    desk.wanted = "at once"
    desk.begin()
    desk.register(CLEO, "Cleo Fox")
    desk.answer(CLEO, "watch CC-1")
    desk.tick()
    desk.later(days=2)
    before = len(desk.letters(CLEO))
    raw_send, desk.send = desk.send, lambda: None  # type: ignore[method-assign]  # the server accepts nothing

    letter = desk.last(ANN)
    desk.keep(
        write(ANN, "Ann", letter.headers["reply-to"], "Re: x", "cut 26, pick 5, keep", letter.headers["message-id"]),
        desk.now,
    )
    desk.work_off()
    tell_watchers(desk.services, desk.now)
    desk.send = raw_send  # type: ignore[method-assign]
    desk.send()
    assert not any("cut the deck" in words(each) for each in desk.letters(CLEO)[before:])
    desk.later(days=1)
    tell_watchers(desk.services, desk.now)
    desk.send()
    assert "Ann cut the deck at 26" in words(desk.last(CLEO))


@pytest.mark.storm
def test_what_cannot_be_watched(make_desk: MakeDesk) -> None:
    desk = make_desk(**OPEN)
    desk.begin()
    desk.register(CLEO, "Cleo Fox")
    assert "You play in CC-1 yourself" in say(desk, ANN, "watch CC-1")
    assert "There is no episode CC-77" in say(desk, CLEO, "watch cc77")
    assert "write watch and a code" in say(desk, CLEO, "watch")
    assert "You do not read along in any episode." in say(desk, CLEO, "stop watching")
    say(desk, CLEO, "watch 1")
    assert "already" in say(desk, CLEO, "watch CC-1")
    assert "You do not read along in CC-2." in say(desk, CLEO, "stop watching CC-2")
    assert "You do not read along in CC-1 any more." in say(desk, CLEO, "stop watching")
    for address in (BOB, ANN):
        desk.answer(address, "resign")
        desk.answer(address, "yes")
    assert "CC-1 is over: write replay CC-1" in say(desk, CLEO, "watch CC-1")


def test_a_stranger_watches_nothing(desk: Desk) -> None:
    desk.begin()
    before = desk.count()
    assert desk.write("eve@example.net", ADDRESS, "watch CC-1", "watch CC-1").state == "stranger"
    assert desk.count() == before


def test_the_host_stops_what_was_said(desk: Desk) -> None:
    desk.begin()
    say(desk, ANN, "say something rude")
    with begin(desk.services, desk.now) as work:
        assert hush(work, "CC-1", "bob").startswith("0 of")
        assert hush(work, "CC-1", "ann").startswith("1 of")
    assert "rude" not in say(desk, BOB, "status")


def test_the_help_lists_all_of_it_in_groups(desk: Desk) -> None:
    desk.begin()
    told = say(desk, ANN, "help")
    for word in ("COMPANY", "RULES AND RESULTS", "WHAT IS KNOWN OF YOU", "mine:", "watch CC-12:", "forget me:"):
        assert word in told, word


@pytest.mark.storm
def test_who_is_private_has_no_name_for_those_who_were_not_there(make_desk: MakeDesk) -> None:
    desk = make_desk(**OPEN)
    desk.begin()
    desk.register(CLEO, "Cleo Fox")
    say(desk, BOB, "private")
    assert "played by Ann and Player 2" in say(desk, CLEO, "watch CC-1")
    desk.answer(ANN, "cut 26, pick 5, keep")
    for address in (BOB, ANN):
        desk.answer(address, "resign")
        desk.answer(address, "yes")
    desk.tick()
    assert "Bob" not in words(desk.last(CLEO))
    assert "Player 2 resigned" in say(desk, CLEO, "replay CC-1")
    assert "Bob resigned" in say(desk, ANN, "replay CC-1")


def test_a_courtesy_behind_a_name_is_no_name(make_desk: MakeDesk) -> None:
    desk = make_desk(**OPEN)
    desk.begin()
    for address in (ANN, BOB):
        desk.answer(address, "resign")
        desk.answer(address, "yes")
    assert "I have asked Bob" in say(desk, ANN, "again with Bob please, thanks")


def test_a_signature_under_what_is_said_is_not_told(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "say good luck to all\nand see you\nKind regards\nBob Ray\nTel. +1 555 0100")
    desk.answer(ANN, "status")
    told = words(desk.last(ANN))
    assert "good luck to all and see you" in told
    assert "555" not in told


@pytest.mark.parametrize(
    "behind", a_few(["cut 26, pick 5, keep", "keep 9 or more, else draw", "zone Europe/Rome", "mute Bob"])
)
def test_what_is_said_to_the_table_ends_before_a_move_an_order_or_a_wish(desk: Desk, behind: str) -> None:
    desk.begin()
    told = say(desk, ANN, f"say good luck\nall of you\n{behind}")
    assert "Bob will read" in told
    desk.answer(BOB, "status")
    heard = " ".join(words(each) for each in desk.letters(BOB))
    assert "“good luck all of you”" in heard
    assert behind not in heard


def test_a_holiday_that_is_told_to_the_table_is_said(desk: Desk) -> None:
    desk.begin()
    say(desk, ANN, "say sorry all\nI am on holiday from Friday to Monday")
    assert "sorry all I am on holiday from Friday to Monday" in desk_status(desk, BOB)
