"""Commands sent ahead: kept, secret, shown back, played when asked, dropped with a word, cancelled, never twice."""

import json

import pytest
from sqlalchemy import select

from host.club import lobby
from host.demo.robot import write_link
from host.store.episodes import episode_of_code, record_texts
from host.store.schema import PremoveRow
from host.table.work import Work
from host.turn import admin
from tests.turn.conftest import MakeDesk
from tests.turn.desk import Desk, words

ANN, BOB, CLEO = "ann@example.net", "bob@example.net", "cleo@example.net"


def record(desk: Desk) -> list[dict[str, str]]:
    with desk.store.reading() as session:
        episode = episode_of_code(session, f"{desk.game.code}-1")
        assert episode is not None
        return [json.loads(text) for text in record_texts(session, episode.id)]


def said(desk: Desk) -> list[str]:
    return [f"{line['from']}: {line['say']}" for line in record(desk)]


def kept(desk: Desk) -> list[tuple[str, str]]:
    with desk.store.reading() as session:
        return [(row.text, row.state) for row in session.scalars(select(PremoveRow).order_by(PremoveRow.id))]


def test_a_command_sent_ahead_is_played_when_it_is_asked(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "pick 3")
    assert "Sent ahead, seen by you alone: pick 3." in words(desk.last(BOB))
    assert desk.last(BOB).kind == "news"
    before = len(desk.letters(BOB))
    desk.answer(ANN, "cut 5, pick 1, keep")
    assert said(desk) == ["Ann: cut 5", "Ann: pick 1", "Ann: keep", "Bob: pick 3"]
    letters = desk.letters(BOB)[before:]
    assert [letter.kind for letter in letters] == ["turn"]
    assert "What you had sent ahead was played: pick 3." in words(letters[0])
    assert "Sent ahead" not in words(letters[0])


def test_what_answers_nothing_in_the_middle_of_a_mail_stops_the_rest(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5, pick 5, freeze, keep")
    assert said(desk) == ["Ann: cut 5", "Ann: pick 5"]
    assert kept(desk) == []
    assert "not tried" in words(desk.last(ANN)).lower()


@pytest.mark.parametrize("text", ["pick 77", "pick 0", "cut 60"])
def test_a_number_that_no_table_allows_is_not_kept(desk: Desk, text: str) -> None:
    desk.begin()
    desk.answer(BOB, text)
    assert "Not played" in words(desk.last(BOB))
    assert "Kept for later" not in words(desk.last(BOB))


def test_nobody_else_learns_of_it(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "pick 3")
    assert kept(desk) == [("pick 3", "waiting")]
    desk.answer(ANN, "status")
    desk.answer(ANN, "cut 5, pick 1, keep")
    assert kept(desk) == [("pick 3", "played")]
    for letter in desk.letters(ANN):
        assert "ahead" not in words(letter).replace("You may answer ahead", "")


def test_what_follows_the_answer_in_the_same_mail_is_kept(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5, pick 1, keep, pick 2, draw")
    assert said(desk) == ["Ann: cut 5", "Ann: pick 1", "Ann: keep"]
    assert "Sent ahead, seen by you alone: pick 2, draw." in words(desk.last(ANN))
    desk.answer(BOB, "pick 4, keep")
    assert said(desk)[3:] == ["Bob: pick 4", "Bob: keep", "Ann: pick 2", "Ann: draw"]
    assert kept(desk) == [("pick 2", "played"), ("draw", "played")]


def test_one_that_is_illegal_when_asked_is_dropped_with_a_word_and_the_rest_of_its_mail(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "freeze, pick 2")
    desk.answer(ANN, "cut 5, pick 1, keep")
    letter = desk.last(BOB)
    assert letter.kind == "turn"
    assert letter.asks
    assert "“freeze”, which you had sent ahead, was dropped: You may freeze from 12 on; you have 0." in words(letter)
    assert "“pick 2”, which you had sent ahead, was dropped" in words(letter)
    assert said(desk) == ["Ann: cut 5", "Ann: pick 1", "Ann: keep"]


def test_what_is_played_at_once_is_not_told_to_wait(make_desk: MakeDesk) -> None:
    desk = make_desk(game="champion-poker", games={"champion-poker": {"seats": 2}})
    desk.begin()
    desk.answer(ANN, "bet 5\nalways play\nalways check")
    desk.answer(BOB, "bet 5")
    desk.answer(BOB, "fold\nbet 5")
    told = words(desk.last(BOB))
    assert "What you had sent ahead was played: bet 5." in told
    assert "Kept for when it is asked" not in told


def test_cancel_takes_everything_back(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "pick 3")
    desk.answer(BOB, "cancel")
    assert "What you had sent ahead is taken back: “pick 3”" in words(desk.last(BOB))
    assert "Sent ahead" not in words(desk.last(BOB))
    desk.answer(ANN, "cut 5, pick 1, keep")
    assert said(desk)[-1] == "Ann: keep"
    assert kept(desk) == [("pick 3", "cancelled")]
    desk.answer(BOB, "cancel")
    assert "Nothing waited of what you had sent ahead." in words(desk.last(BOB))


def test_cancel_is_heard_where_no_more_is_answered(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.begin()
    desk.answer(BOB, "pick 3")
    monkeypatch.setattr("host.table.work.ANSWERS_AN_HOUR", 0)
    taken = desk.answer(BOB, "cancel")
    assert (taken.state, taken.note) == ("answered", "cancel; not answered: too many answers this hour")
    assert kept(desk) == [("pick 3", "cancelled")]


def test_cancel_and_something_else_in_one_mail(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "pick 3")
    desk.answer(BOB, "cancel\npick 4")
    desk.answer(ANN, "cut 5, pick 1, keep")
    assert said(desk)[-1] == "Bob: pick 4"


def test_a_second_reply_to_the_same_letter_does_not_send_it_twice(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(BOB)
    desk.answer(BOB, "pick 3", begin)
    desk.answer(BOB, "Pick 3, please!", begin)
    assert desk.last(BOB).kind == "refused"
    assert "You sent that before, in reply to the same letter." in words(desk.last(BOB))
    desk.answer(ANN, "cut 5, pick 1, keep")
    desk.answer(BOB, "pick 3", begin)
    assert said(desk).count("Bob: pick 3") == 1


def test_a_reply_to_an_older_letter_that_asked_nothing_plays_what_is_asked_now(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(BOB)
    desk.answer(ANN, "cut 5, pick 1, keep")
    desk.answer(BOB, "pick 3", begin)
    assert said(desk)[-1] == "Bob: pick 3"
    desk.answer(BOB, "pick 3", begin)
    assert said(desk).count("Bob: pick 3") == 1


def test_a_stale_reply_is_never_kept(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    desk.answer(ANN, "cut 5, pick 1, keep", begin)
    desk.answer(ANN, "pick 2", begin)
    assert desk.last(ANN).kind == "refused"
    assert kept(desk) == []


def asked(desk: Desk) -> str:
    """Whose latest letter asks something."""
    return next(each for each in (ANN, BOB, CLEO) if desk.letters(each) and desk.last(each).asks)


def test_it_is_dropped_when_the_hand_it_was_meant_for_is_over(make_desk: MakeDesk) -> None:
    desk = make_desk(game="bluffjack")
    desk.begin()
    first = asked(desk)
    waiting = next(each for each in (ANN, BOB, CLEO) if each != first and not desk.last(each).asks)
    desk.answer(waiting, "stand", next(each for each in desk.letters(waiting) if each.kind == "begin"))
    assert kept(desk) == [("stand", "waiting")]
    for _ in range(3):
        if kept(desk) == [("stand", "waiting")]:
            desk.answer(asked(desk), "fold")
    assert kept(desk) == [("stand", "dropped")]
    assert "the table has changed since" in " ".join(words(each) for each in desk.letters(waiting))


def test_a_call_sent_ahead_is_dropped_when_somebody_raises(make_desk: MakeDesk) -> None:
    """Nobody is all-in unasked."""
    desk = make_desk(game="bluffjack")
    desk.begin()
    first = asked(desk)
    waiting = next(
        each
        for each in (ANN, BOB, CLEO)
        if each != first
        and any("You owe" in words(letter) or "owes 10" in words(letter) for letter in desk.letters(each))
    )
    desk.answer(waiting, "call", next(each for each in desk.letters(waiting) if each.kind == "begin"))
    assert kept(desk) == [("call", "waiting")]
    desk.answer(first, "raise all")
    assert kept(desk) == [("call", "dropped")]
    assert not any("call" in line for line in said(desk))


def tap(desk: Desk, address: str, link: str) -> None:
    desk.deliver(write_link(link, address, "Somebody"))


def battle_begins(desk: Desk) -> tuple[str, str]:
    """The Game of Champions up to a turn with an attack; gives who attacks, and the link's body."""
    desk.begin()
    for _ in range(60):
        address = asked(desk)
        letter = desk.last(address)
        attack = next((each for each in letter.links if "body=attack" in each), None)
        if attack:
            return address, attack.rpartition("body=")[2].replace("%20", " ")
        tap(desk, address, [each for each in letter.links if "always" not in each][-1])
    raise AssertionError("no attack in twenty moves")


def test_a_whole_battle_in_one_mail(make_desk: MakeDesk) -> None:
    """The attack is played at once, the order too, and how to go on when the other side has ordered."""
    desk = make_desk(game="game-of-champions")
    address, attack = battle_begins(desk)
    desk.answer(address, f"{attack}\ncontinue all")
    while desk.last(asked(desk)).links and any("body=order" in each for each in desk.last(asked(desk)).links):
        other = asked(desk)
        tap(desk, other, next(each for each in desk.last(other).links if "body=order" in each))
    assert ("continue all", "played") in kept(desk) or ("continue all", "dropped") in kept(desk)
    lines = said(desk)
    assert any(attack in line for line in lines)


def test_after_the_host_went_back_nothing_waits(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5, pick 1, keep, pick 2")
    with desk.store.transaction() as session:
        admin.back(Work(session, desk.services, desk.now), "CC-1", 2)
    desk.send()
    assert kept(desk) == [("pick 2", "dropped")]
    assert "the host took the episode back" in words(desk.last(ANN))


def test_a_timeout_plays_what_others_sent_ahead(make_desk: MakeDesk) -> None:
    desk = make_desk(game="champion-poker", games={"champion-poker": {"seats": 2}})
    desk.begin()
    desk.answer(ANN, "bet 10, play, raise")
    desk.later(hours=49)
    desk.tick()
    assert said_or_timeouts(desk) == ["Ann: bet 10", "timeout Bob", "Ann: play", "Ann: raise"]


def said_or_timeouts(desk: Desk) -> list[str]:
    return [
        f"timeout {line['timeout']}" if "timeout" in line else f"{line['from']}: {line['say']}" for line in record(desk)
    ]


def test_what_may_be_said_at_any_time_is_played_once_from_each_letter(
    make_desk: MakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "new_seed", lambda: bytes(range(32)))  # in some deals nobody deploys at first
    desk = make_desk(game="game-of-champions")
    desk.begin()
    desk.answer(ANN, "throw rock")
    desk.answer(BOB, "throw paper")
    letter = desk.last(ANN)
    assert any("deploy" in each for each in letter.links)
    desk.answer(ANN, "throw scissors", letter)
    desk.answer(ANN, "Throw scissors.", letter)
    assert said(desk).count("Ann: throw scissors") == 1
    assert "You sent that before" in words(desk.last(ANN))
