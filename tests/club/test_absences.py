"""Absences: in the words of the command and in people's own; deadlines keep what was left, the others are told."""

from datetime import datetime, timedelta

import pytest

from host.demo.robot import write
from host.store.schema import Absence, AuditEntry, LobbyRow
from host.turn import reports
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import OPERATOR, Desk, words

ANN, BOB = "ann@example.net", "bob@example.net"
MOST_MOVES = 200
"""More than an episode takes."""


def due(desk: Desk, address: str) -> datetime:
    return datetime.fromisoformat(desk.last(address).headers["x-podium-reply-by"])


def absences(desk: Desk) -> list[Absence]:
    with desk.store.reading() as session:
        return session.query(Absence).order_by(Absence.begins_at).all()


def test_an_absence_moves_a_running_deadline_and_keeps_what_was_left(desk: Desk) -> None:
    desk.begin()  # Friday, 7 in the morning in New York; until Sunday at 7
    before = due(desk, ANN)
    desk.later(hours=10)
    desk.answer(ANN, "away 21 Nov to 25 Nov")
    told = words(desk.last(ANN))
    assert "You are away from Saturday, 21 November 2026 to Wednesday, 25 November 2026." in told
    assert due(desk, ANN) == before + timedelta(days=5), "what was left stays left"
    assert "You now have until Friday, 27 November 2026, 7:00 AM EST" in told
    desk.later(days=4)
    desk.tick()
    assert "reminder" not in [each.kind for each in desk.letters(ANN)]
    desk.now = due(desk, ANN) - timedelta(minutes=1)
    desk.tick()
    assert desk.answer(ANN, "cut 5").state == "played"


def test_who_waits_hears_of_it_at_once_and_once(desk: Desk) -> None:
    desk.begin()
    desk.later(minutes=1)
    count = len(desk.letters(BOB))
    desk.answer(ANN, "away until Monday")
    told = words(desk.last(BOB))
    assert len(desk.letters(BOB)) == count + 1
    assert desk.last(BOB).kind == "news"
    assert "Ann is away from Friday, 20 November 2026 to Monday, 23 November 2026" in told
    desk.later(minutes=1)
    desk.answer(BOB, "status")
    assert "is away" not in words(desk.last(BOB))


def test_the_others_hear_of_an_absence_to_come_in_their_next_letter(desk: Desk) -> None:
    desk.begin()
    desk.later(minutes=1)
    count = len(desk.letters(BOB))
    desk.answer(ANN, "away 24 Dec to 6 Jan")
    assert len(desk.letters(BOB)) == count, "nobody waits longer for that"
    desk.answer(BOB, "status")
    assert "Ann is away from Thursday, 24 December 2026 to Wednesday, 6 January 2027" in words(desk.last(BOB))


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("I'm away from 24 to 27 December", "Thursday, 24 December 2026", "Sunday, 27 December 2026"),
        ("on holiday until Monday", "Friday, 20 November 2026", "Monday, 23 November 2026"),
        ("Hello!\nI will be travelling until Tuesday, so I can't answer.\nThank you, Ann", "Friday, 20", "Tuesday, 24"),
    ],
)
def test_an_absence_in_peoples_words(desk: Desk, text: str, first: str, last: str) -> None:
    desk.begin()
    desk.answer(ANN, text)
    told = words(desk.last(ANN))
    assert f"You are away from {first}" in told
    assert last in told
    assert not any("writes to the host" in each.text for each in desk.letters(OPERATOR))


@pytest.mark.parametrize("text", ["I'm away for a while until I know more", "Can I have until Monday, please?"])
def test_other_pleas_go_to_the_host_as_before(desk: Desk, text: str) -> None:
    desk.begin()
    desk.answer(ANN, text)
    assert absences(desk) == []
    assert text in words(desk.last(OPERATOR))


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("1 Nov to 5 Nov", "That absence was over on Thursday, 5 November 2026: only time to come can be kept free."),
        (
            "6 Jan to 24 Dec",
            "That absence would end on Thursday, 24 December 2026, before it begins on Wednesday, 6 January",
        ),
        ("25 Dec to 26 Dec", "You are away from Thursday, 24 December 2026 to Saturday, 26 December 2026 already"),
        ("with the fairies", "I found no days in “with the fairies”. Write such as away 24 Dec to 6 Jan"),
    ],
)
def test_a_bad_absence_changes_nothing_and_says_why(desk: Desk, value: str, told: str) -> None:
    desk.begin()
    desk.answer(ANN, "away 24 Dec to 26 Dec")
    before = due(desk, ANN)
    desk.answer(ANN, f"away {value}")
    assert told in words(desk.last(ANN))
    assert len(absences(desk)) == 1
    assert due(desk, ANN) == before


@pytest.mark.storm
def test_beyond_thirty_days_a_year_and_three_to_come_the_host_decides(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "away 1 Jan to 31 Jan")
    assert "Beyond 30 days a year, and 3 absences to come, the host decides." in words(desk.last(ANN))
    assert "away 1 Jan to 31 Jan" in words(desk.last(OPERATOR))
    assert absences(desk) == []
    for each in ("1 Dec to 5 Dec", "20 Dec to 10 Jan", "5 Feb"):
        desk.answer(ANN, f"away {each}")
    assert len(absences(desk)) == 3, "17 days of one year, 11 of the other"
    desk.answer(ANN, "away 1 Mar")
    assert "the host decides" in words(desk.last(ANN))
    desk.answer(ANN, "away")
    told = words(desk.last(ANN))
    assert "From Sunday, 20 December 2026 to Sunday, 10 January 2027." in told
    assert "On Friday, 5 February 2027." in told


def test_back_early_ends_it_and_moves_nothing(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "back early")
    assert "You are not away" in words(desk.last(ANN))
    desk.answer(ANN, "away until Monday")
    moved = due(desk, ANN)
    desk.later(hours=20)
    desk.answer(ANN, "back early")
    assert "is over" in words(desk.last(ANN))
    assert due(desk, ANN) == moved, "it only moves later"
    desk.answer(ANN, "cut 5")
    desk.answer(ANN, "draw")
    desk.answer(ANN, "away 24 Dec")
    desk.answer(ANN, "back early")
    desk.answer(ANN, "away")
    assert "You are not away." in words(desk.last(ANN))


@pytest.mark.parametrize(
    "text", a_few(["back", "Hi, I'm back!", "We are back home already, thanks", "I am back from holiday early"])
)
def test_who_is_away_and_says_that_they_are_back_is_back(desk: Desk, text: str) -> None:
    desk.begin()
    desk.answer(ANN, text)
    assert "over" not in words(desk.last(ANN)), "they were not away"
    desk.answer(ANN, "away until Monday")
    desk.answer(ANN, text)
    assert "is over" in words(desk.last(ANN))


@pytest.mark.parametrize("text", ["cut 5, pick 4, keep\naway tomorrow", "cut 5, pick 4, keep, I'm away tomorrow"])
def test_an_absence_beside_a_move_is_about_the_table_after_it(make_desk: MakeDesk, text: str) -> None:
    desk = make_desk()
    desk.wanted = "turns"
    desk.begin()
    desk.later(minutes=5)
    before = desk.count()
    desk.answer(ANN, text)
    assert [(to, letter.kind) for to, letter, _ in desk.sent[before:]] == [(ANN, "news"), (BOB, "turn")]
    assert "You are away on" in words(desk.last(ANN))
    assert "You now have until" not in words(desk.last(ANN)), "what was asked is answered"
    assert "Ann is away on" in words(desk.last(BOB))


def test_who_says_when_they_are_back_is_away_still(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "away until Monday")
    desk.answer(ANN, "I am back on Friday evening")
    desk.answer(ANN, "away")
    assert "You are away:" in words(desk.last(ANN))


def test_a_deadline_that_opens_within_an_absence_waits_for_its_end(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "away 21 Nov to 30 Nov")
    desk.later(hours=1)
    desk.answer(ANN, "cut 5, pick 5")
    for _ in range(20):
        if desk.last(BOB).asks:
            break
        desk.answer(ANN, "keep")
        desk.answer(ANN, "pick 7")
    assert due(desk, BOB) > datetime.fromisoformat("2026-12-01T05:00:00+00:00")


def test_an_absence_that_was_sent_in_time_counts_although_it_is_read_late(desk: Desk) -> None:
    desk.begin()
    letter = desk.last(ANN)
    sent, desk.now = desk.now + timedelta(hours=47, minutes=59), desk.now + timedelta(hours=48, minutes=30)
    headers = letter.headers
    raw = write(
        ANN, "Ann", headers["reply-to"], "Re: " + headers["subject"], "away until Friday", headers["message-id"]
    )
    desk.deliver(raw, arrived=sent)
    desk.tick()
    assert "timeout" not in [each.kind for each in desk.letters(ANN)]
    assert due(desk, ANN) > desk.now + timedelta(days=4)


def test_the_host_sees_why_a_deadline_moved(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "away until Monday")
    with desk.store.reading() as session:
        shown = reports.episode(session, "CC-1", False) or {}
        entry = session.query(AuditEntry).one()
    assert "deadline of Ann moved to 2026-11-" in entry.command
    assert entry.command.endswith("away from Friday, 20 November 2026 to Monday, 23 November 2026")
    assert shown["audit"][0]["command"] == entry.command


def test_an_absence_goes_by_the_contestants_own_zone(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.begin()
    desk.answer(ANN, "zone Pacific/Auckland")
    desk.answer(ANN, "away 22 Nov")
    (found,) = absences(desk)
    assert found.begins_at == datetime.fromisoformat("2026-11-21T11:00:00+00:00")
    assert found.ends_at == datetime.fromisoformat("2026-11-22T11:00:00+00:00")


def test_what_stands_beside_an_absence_reaches_the_host_and_is_not_refused(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "Hi! I'm away until Tuesday, so I can't answer.\nCheers,\nAnn")
    assert desk.last(ANN).kind == "help"
    assert not any("writes to the host" in each.text for each in desk.letters(OPERATOR)), (
        "courtesies are nobody's business"
    )
    desk.answer(ANN, "I'm away from 24 to 27 December. My sister gets married at last!")
    assert desk.last(ANN).kind == "help"
    assert "My sister gets married at last!" in words(desk.last(OPERATOR))
    assert len(absences(desk)) == 2


def test_who_is_away_keeps_their_place_and_is_passed_over_meanwhile(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.answer(ANN, "away until Monday")
    assert "You are away from Friday, 20 November 2026 to Monday, 23 November 2026." in words(desk.last(ANN))
    desk.register(BOB, "Bob Ray")
    assert desk.last(BOB).kind == "registered", "nothing begins without Ann"
    desk.now = datetime.fromisoformat("2026-11-24T05:00:01+00:00")
    desk.answer(ANN, "thanks")
    desk.answer(BOB, "thanks")
    desk.tick()
    assert desk.last(ANN).kind == "begin"


def test_an_absence_that_is_taken_back_after_it_moved_a_deadline_has_cost_its_days(desk: Desk) -> None:
    """Else a deadline could be moved for ever."""
    desk.begin()
    desk.answer(ANN, "away 21 Nov to 15 Dec")
    moved = due(desk, ANN)
    desk.answer(ANN, "back early")
    assert "its days count as taken" in words(desk.last(ANN))
    desk.answer(ANN, "away 21 Nov to 15 Dec")
    assert due(desk, ANN) == moved
    desk.answer(ANN, "away")
    assert "You are not away" in words(desk.last(ANN))


def test_an_absence_beside_a_yes_is_kept_and_alone_it_is_no_answer(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.register(ANN, "Ann")
    desk.later(hours=80)
    desk.register("bob@example.net", "Bob")
    letter = desk.last(ANN)
    assert letter.kind == "ready"
    desk.answer(ANN, "away 24 Dec to 26 Dec", letter)
    assert [each.contestant_id for each in absences(desk)] == [1]
    assert "You are away" in words(desk.last(ANN))
    desk.answer(ANN, "yes\naway 28 Dec to 29 Dec", letter)
    assert len(absences(desk)) == 2
    assert any("[CC-1" in each.headers["subject"] for each in desk.letters(ANN))


@pytest.mark.storm
def test_nothing_begins_without_a_champion_who_is_away(desk: Desk) -> None:
    desk.begin()
    desk.answer("bob@example.net", "resign")
    desk.answer("bob@example.net", "yes")
    for _ in range(MOST_MOVES):
        if desk.last(ANN).kind == "result":
            break
        desk.tap(ANN, desk.last(ANN).links[0].rpartition("body=")[2].replace("%20", " "))
    assert desk.last(ANN).kind == "result"
    desk.answer(ANN, "away 19 Nov to 1 Dec")
    desk.later(hours=1)
    desk.register("cleo@example.net", "Cleo")
    assert "CC-2" not in desk.last("cleo@example.net").headers["subject"]
    desk.answer("cleo@example.net", "status")
    assert "The champion, Ann, is away; the next episode begins when they are back." in words(
        desk.last("cleo@example.net")
    )


@pytest.mark.storm
def test_an_absence_of_the_champion_shortens_no_hold(make_desk: MakeDesk) -> None:
    """Who objects to a forfeit has time, also where the champion plays at another table and is away."""
    desk = make_desk(games={"champ-cards": {"tables": 2}})
    desk.begin()
    with desk.store.transaction() as session:
        lobby = session.get_one(LobbyRow, "champ-cards")
        lobby.champion_id, lobby.hold_until = 1, desk.now + timedelta(days=5)
    desk.answer(ANN, "away 20 Nov to 22 Nov")
    desk.later(hours=1)
    for name in ("cleo", "dora"):
        desk.register(f"{name}@example.net", name.title())
    assert "CC-2" not in desk.last("dora@example.net").headers["subject"]


@pytest.mark.parametrize("text", ["away 26 Nov, cut 5", "away until Monday, cut 5", "away 3 days, cut 5"])
def test_a_move_behind_an_absence_on_its_line_is_played(desk: Desk, text: str) -> None:
    desk.begin()
    assert desk.answer(ANN, text).note == "cut 5"
    assert "You are away" in "".join(words(each) for each in desk.letters(ANN))


def test_an_absence_that_moved_nothing_costs_no_days_when_it_is_taken_back(desk: Desk) -> None:
    desk.begin()
    for _ in range(4):
        desk.answer(ANN, "away 10 Dec to 23 Dec")
        assert "You are away from" in words(desk.last(ANN))
        desk.answer(ANN, "back early")
        assert "is taken back." in words(desk.last(ANN))
        assert "count as taken" not in words(desk.last(ANN))


def test_days_of_an_absence_that_moved_a_deadline_count_however_soon_one_is_back(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "away 25 days")
    assert "You are away" in words(desk.last(ANN))
    desk.later(hours=25)
    desk.answer(ANN, "back early")
    assert "so all its days count as taken" in words(desk.last(ANN))
    due = desk.last(ANN).headers["x-podium-reply-by"]
    desk.answer(ANN, "away 25 days")
    assert "You are away" not in words(desk.last(ANN))
    assert desk.last(ANN).headers["x-podium-reply-by"] == due


def test_a_longer_absence_adds_its_days(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "away until Monday")
    desk.answer(ANN, "away until Wednesday")
    told = words(desk.last(ANN))
    assert "You are also away from Tuesday, 24 November 2026 to Wednesday, 25 November 2026" in told
    assert desk.last(ANN).headers["x-podium-reply-by"].startswith("2026-11-28T05:00")


def test_an_absence_that_is_told_again_moves_no_deadline_twice(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "away 23 Nov to 26 Nov")
    first = desk.last(ANN).headers["x-podium-reply-by"]
    desk.answer(ANN, "back early")
    desk.answer(ANN, "away 23 Nov to 26 Nov")
    assert desk.last(ANN).headers["x-podium-reply-by"] == first


def test_back_early_on_a_day_takes_nothing_back(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "away 22 Nov to 30 Nov")
    desk.answer(BOB, "I'm back early, on Wednesday")
    assert "taken back" not in words(desk.last(BOB))
