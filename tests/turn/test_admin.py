"""The host's hand."""

import json
from datetime import datetime, timedelta

import pytest

from host.club import lobby
from host.engine.cards import DECK
from host.engine.chance import Chance
from host.games import GAMES
from host.store.schema import Episode, LedgerEntry, LobbyRow
from host.table.work import Work
from host.turn import admin, people, reports
from host.turn.operator_commands import read_time
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import ADDRESS, OPERATOR, Desk, words
from tests.turn.test_receive import record

ANN, BOB, CLEO = "ann@example.net", "bob@example.net", "cleo@example.net"


def by_hand(desk: Desk, function: object, *values: object) -> str:
    with desk.store.transaction() as session:
        said: str = function(Work(session, desk.services, desk.now), *values)  # type: ignore[operator]
    desk.send()
    return said


def state(desk: Desk, code: str = "CC-1") -> dict[str, object]:
    with desk.store.reading() as session:
        found = reports.episode(session, code, False)
    assert found is not None
    return found


def test_extend_moves_the_deadline_and_says_so(desk: Desk) -> None:
    desk.begin()
    before = desk.last(ANN).headers["x-podium-reply-by"]
    by_hand(desk, admin.extend, "cc-1", "ann", timedelta(hours=24))
    letter = desk.last(ANN)
    assert "gave you more time" in words(letter)
    assert letter.headers["x-podium-reply-by"] > before
    desk.later(hours=71)
    desk.tick()
    assert desk.last(ANN).kind != "timeout"


def test_time_that_was_won_has_reminders_of_its_own(desk: Desk) -> None:
    desk.begin()
    for hours in (25, 18):
        desk.later(hours=hours)
        desk.tick()
        assert desk.last(ANN).kind == "reminder"
    by_hand(desk, admin.extend, "CC-1", "Ann", timedelta(hours=12))
    assert desk.last(ANN).kind != "reminder"
    desk.later(hours=12)
    desk.tick()
    assert desk.last(ANN).kind == "reminder", "the one of six hours; a day is longer than what was won"


def test_more_time_that_is_over_already_is_refused(desk: Desk) -> None:
    desk.begin()
    desk.later(hours=48, minutes=30)
    with pytest.raises(admin.AdminError, match="Give more time"):
        by_hand(desk, admin.extend, "CC-1", "Ann", timedelta(minutes=10))
    by_hand(desk, admin.pause, "CC-1")
    desk.later(days=4)
    assert "is paused" in by_hand(desk, admin.extend, "CC-1", "Ann", timedelta(days=1))


def test_extend_until_a_day_moves_the_deadline_to_its_end_and_never_earlier(desk: Desk) -> None:
    desk.begin()
    desk.later(hours=1)
    before = state(desk)["waiting"]
    said = by_hand(desk, admin.extend, "CC-1", "", read_time("until Wednesday"))
    assert "Wednesday, 25 November 2026, 11:59 PM EST" in said
    for day in ("today", "tuesday"):
        with pytest.raises(admin.AdminError, match="Name a later day"):
            by_hand(desk, admin.extend, "CC-1", "", day)
    with pytest.raises(admin.AdminError, match="Name a later day"):
        by_hand(desk, admin.extend, "CC-1", "", read_time(f"until {desk.now - timedelta(days=1):%B %d}"))
    assert state(desk)["waiting"] != before


@pytest.mark.parametrize(
    "line", a_few(["extend a day", "extend Ann a day", "extend CC-1 Ann 24 hours", "extend Ann until Friday"])
)
def test_an_operator_writes_time_as_people_do(desk: Desk, line: str) -> None:
    desk.begin()
    desk.answer(ANN, "host I need more time")
    desk.answer(OPERATOR, f"{line}" if "CC-1" in line else line.replace("extend", "extend CC-1"))
    assert "You have more time" in words(desk.last(ANN))


def test_pause_refuses_replies_and_moves_deadlines(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    by_hand(desk, admin.pause, "CC-1")
    desk.answer(ANN, "cut 5", begin)
    assert "paused" in words(desk.last(ANN))
    assert record(desk) == []
    desk.later(hours=100)
    desk.tick()
    by_hand(desk, admin.resume, "CC-1")
    desk.tick()
    desk.answer(ANN, "cut 5", begin)
    assert len(record(desk)) == 1, "mails stay fresh"


def test_who_is_asked_in_a_pause_hears_all_when_it_is_over(make_desk: MakeDesk) -> None:
    desk = make_desk(game="champion-poker", games={"champion-poker": {"seats": 2}})
    desk.begin()
    desk.answer(BOB, "bet 5")
    by_hand(desk, admin.pause, "CP-1")
    count = len(desk.letters(BOB))
    by_hand(desk, admin.say, "CP-1", "bet 5", "Ann")
    assert len(desk.letters(BOB)) == count
    by_hand(desk, admin.resume, "CP-1")
    assert [letter.kind for letter in desk.letters(BOB)[count:]] == ["turn"]
    assert desk.last(BOB).links


def test_a_question_that_comes_up_in_a_pause_gets_what_is_left_of_it(desk: Desk) -> None:
    desk.begin()
    by_hand(desk, admin.pause, "CC-1")
    desk.later(days=5)
    by_hand(desk, admin.say, "CC-1", "cut 5", "Ann")
    desk.later(minutes=1)
    by_hand(desk, admin.resume, "CC-1")
    due = datetime.fromisoformat(desk.last(ANN).headers["x-podium-reply-by"])
    assert due - desk.now < timedelta(hours=49)


def test_withdraw_is_a_resignation(desk: Desk) -> None:
    desk.begin()
    by_hand(desk, admin.withdraw, "CC-1", "Bob")
    assert record(desk) == ['{"from":"Bob","say":"resign"}']
    assert "withdrew you" in words(desk.last(BOB))


@pytest.mark.parametrize(("why", "told"), [("", "episode."), ("He insults others.", "episode: He insults others.")])
def test_all_hear_at_once_that_the_host_took_somebody_out_and_why(make_desk: MakeDesk, why: str, told: str) -> None:
    desk = make_desk(game="bluffjack", games={"bluffjack": {"seats": 3}})
    for address, name in ((ANN, "Ann"), (BOB, "Bob"), (CLEO, "Cleo")):
        desk.register(address, name)
    before = {each: len(desk.letters(each)) for each in (ANN, BOB, CLEO)}
    by_hand(desk, admin.withdraw, "BJ-1", "Bob", why)
    assert {each: len(desk.letters(each)) for each in before} == {each: count + 1 for each, count in before.items()}
    assert f"The host withdrew you from this {told}" in words(desk.last(BOB))
    for each in (ANN, CLEO):
        assert f"The host has taken Bob out of this {told}" in words(desk.last(each))


def test_say_for_a_player_sends_a_copy(desk: Desk) -> None:
    desk.begin()
    by_hand(desk, admin.say, "CC-1", "cut 7", "Ann")
    assert "in your place" in words(desk.last(ANN))
    assert record(desk) == ['{"from":"Ann","say":"cut 7"}']
    with pytest.raises(admin.AdminError, match="is refused"):
        by_hand(desk, admin.say, "CC-1", "cut 7", "Ann")
    with pytest.raises(admin.AdminError, match="does not play"):
        by_hand(desk, admin.say, "CC-1", "cut 7", "Zoe")
    with pytest.raises(admin.AdminError, match="no episode"):
        by_hand(desk, admin.say, "CC-9", "cut 7", "Ann")


def test_the_host_changes_an_offer(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "new_seed", seed_with_an_offer)
    desk.begin()
    by_hand(desk, admin.withdraw, "CC-1", "Bob")
    with pytest.raises(admin.AdminError, match="No offer is waiting"):
        by_hand(desk, admin.say, "CC-1", "offer 3333", "")
    desk.answer(ANN, "half of it please")
    old = desk.last(ANN)
    assert "The house offers" in words(old)
    by_hand(desk, admin.say, "CC-1", "offer 3333", "")
    assert desk.last(ANN).kind == "turn"
    assert "$3,333" in words(desk.last(ANN))
    desk.answer(ANN, "accept", old)
    assert "settled before" in words(desk.last(ANN))
    desk.answer(ANN, "deal!")
    assert desk.last(ANN).kind == "result"
    assert "paid $3,333" in words(desk.last(ANN))


def seed_with_an_offer() -> bytes:
    """A seed with a ten-valued up card in the first hand of the bonus round."""
    seeds = (bytes([number]) * 32 for number in range(256))
    return next(seed for seed in seeds if Chance(seed).shuffled("bonus:1:deck", DECK)[10][0] in "TJQKA")


def test_resend_repeats_the_question_with_its_deadline(desk: Desk) -> None:
    desk.begin()
    due = desk.last(ANN).headers["x-podium-reply-by"]
    desk.later(hours=3)
    by_hand(desk, admin.resend, "CC-1", "")
    assert desk.last(ANN).headers["x-podium-reply-by"] == due
    desk.answer(ANN, "cut 5")
    assert len(record(desk)) == 1


def test_back_undoes_a_forfeit(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5")
    stale = desk.last(ANN)
    desk.later(hours=49)
    desk.tick()
    desk.later(hours=49)
    desk.tick()
    assert state(desk)["state"] == "over"
    by_hand(desk, admin.back, "CC-1", 2)
    assert state(desk)["state"] == "playing"
    assert record(desk)[-1] == '{"back_to":2}'
    with desk.store.reading() as session:
        assert sum(row.amount for row in session.query(LedgerEntry)) == 0
        assert reports.status(session, desk.services.config, desk.now)["games"]["champ-cards"]["champion"] is None
    assert "took this episode back" in words(desk.last(BOB))
    desk.answer(ANN, "pick 3", stale)
    assert desk.last(ANN).kind == "refused", "old mails are stale"
    desk.answer(ANN, "pick 3")
    assert record(desk)[-1] == '{"from":"Ann","say":"pick 3"}'


def test_back_asks_nobody_who_was_forgotten(desk: Desk) -> None:
    desk.begin()
    win(desk, "CC-1", "Ann", "Bob")
    by_hand(desk, people.forget, "Bob")
    desk.later(hours=1)
    desk.tick()
    count, lines = desk.count(), record(desk)
    with pytest.raises(admin.AdminError, match="would play on, and was forgotten"):
        by_hand(desk, admin.back, "CC-1", 1)
    assert (desk.count(), record(desk), running(desk)) == (count, lines, [])


def test_back_lifts_the_hold_of_the_forfeit_that_it_undoes(desk: Desk) -> None:
    desk.begin()
    desk.later(hours=49)
    desk.tick()
    by_hand(desk, admin.back, "CC-1", 1)
    with desk.store.reading() as session:
        assert session.query(LobbyRow).one().hold_until is None


def test_back_leaves_somebody_the_time_that_they_were_given_before(desk: Desk) -> None:
    desk.begin()
    by_hand(desk, admin.extend, "CC-1", "Ann", timedelta(days=7))
    given = desk.last(ANN).headers["x-podium-reply-by"]
    desk.answer(ANN, "cut 3, pick 5")
    by_hand(desk, admin.back, "CC-1", 1)
    assert desk.last(ANN).kind == "turn"
    assert desk.last(ANN).headers["x-podium-reply-by"] == given


def test_back_to_where_it_stands_writes_to_nobody(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 3, pick 5")
    by_hand(desk, admin.back, "CC-1", 1)
    before = desk.count()
    with pytest.raises(admin.AdminError, match="stands as after line 1 already"):
        by_hand(desk, admin.back, "CC-1", 1)
    assert desk.count() == before


def test_back_to_no_line_changes_nothing(desk: Desk) -> None:
    desk.begin()
    with pytest.raises(admin.AdminError, match="lines 1 to 1"):
        by_hand(desk, admin.back, "CC-1", 7)


def test_begin_needs_enough_contestants(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    with pytest.raises(admin.AdminError, match="at least 2"):
        by_hand(desk, admin.begin, "champ-cards")


def test_operators_command_by_mail_only_in_a_reply(desk: Desk) -> None:
    desk.begin()
    desk.write(OPERATOR, "games@example.org", "pause CC-1", "pause CC-1")
    assert state(desk)["state"] == "playing"
    desk.later(hours=49)
    desk.tick()
    assert desk.last(OPERATOR).kind == "alert"
    desk.answer(OPERATOR, "pause")
    assert state(desk)["state"] == "paused"
    desk.answer(OPERATOR, "back 1")
    assert "stands as after line 1" in words(desk.last(OPERATOR))
    with desk.store.reading() as session:
        assert [row["who"] for row in reports.audit(session)] == [OPERATOR, OPERATOR]


def test_an_operators_reply_is_about_its_episode_unless_it_names_another(make_desk: MakeDesk) -> None:
    desk = make_desk(games={"champ-cards": {}, "bluffjack": {"seats": 2}})
    desk.begin()
    desk.later(hours=49)
    desk.tick()
    letter = desk.last(OPERATOR)
    for who, name in ((ANN, "Ann Lee"), (BOB, "Bob Ray")):
        desk.write(who, ADDRESS, GAMES["bluffjack"].subject, f"Name: {name}")
        if desk.last(who).kind == "confirm":
            desk.answer(who, "confirm")
    desk.answer(OPERATOR, "pause BJ-1", letter)
    assert (state(desk, "CC-1")["state"], state(desk, "BJ-1")["state"]) == ("playing", "paused")
    desk.answer(OPERATOR, "pause", letter)
    assert state(desk, "CC-1")["state"] == "paused"


def test_an_option_may_stand_in_an_operators_mail_as_on_the_command_line(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "host hello")
    desk.answer(OPERATOR, 'withdraw CC-1 Bob --why "he is away"')
    assert "The host has taken Bob out of this episode: he is away." in words(desk.last(ANN))


def test_the_host_sees_why_a_mail_was_refused(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "pick 44")
    with desk.store.reading() as session:
        rows = reports.mails(session, "CC-1")
    refused = next(row for row in rows if row["way"] == "in" and row["outcome"] == "refused")
    assert refused["read"] == ["pick 44"]
    assert "numbered 1 to 9" in refused["why"]
    text = str(rows)
    for _, letter, _ in desk.sent:
        assert letter.headers["message-id"][1:27] not in text


def test_episode_shows_nothing_that_players_may_not_see_yet(make_desk: MakeDesk) -> None:
    desk = make_desk(game="champion-poker", games={"champion-poker": {"seats": 2}})
    desk.begin()
    desk.answer(ANN, "bet 55")

    def shown(reveal: bool) -> str:
        with desk.store.transaction() as session:
            return json.dumps(reports.episode(session, "CP-1", reveal))

    assert "bet 55" not in shown(False)
    assert "(hidden)" in shown(False)
    assert "bet 55" in shown(True)
    desk.answer(BOB, "bet 66")
    assert "bet 55" in shown(False)


def test_episode_shows_no_codes_and_no_throws(make_desk: MakeDesk) -> None:
    desk = make_desk(game="split-decision")
    desk.begin()
    codes = " ".join(str(each) for each in range(41, 71))
    for address in (ANN, BOB, "cleo@example.net"):
        desk.answer(address, f"codes {codes}" + (", cut 5" if address == ANN else ""))
    with desk.store.transaction() as session:
        shown = json.dumps(reports.episode(session, "SD-1", reveal=False))
    assert "41 42 43" not in shown
    assert "cut 5" in shown


# Back behind an end


def win(desk: Desk, code: str, winner: str, loser: str) -> None:
    """The loser resigns, and so does the winner in the bonus round."""
    by_hand(desk, admin.withdraw, code, loser)
    by_hand(desk, admin.withdraw, code, winner)


def throne(desk: Desk) -> tuple[object, object]:
    with desk.store.reading() as session:
        lobby = reports.status(session, desk.services.config, desk.now)["games"]["champ-cards"]
    return lobby["champion"], lobby["champion_wins"]


def running(desk: Desk) -> list[str]:
    with desk.store.reading() as session:
        found = reports.status(session, desk.services.config, desk.now)
    assert found["games"]["champ-cards"]["running"] == len(found["episodes"])
    return [each["code"] for each in found["episodes"]]


def balance(desk: Desk, code: str) -> int:
    with desk.store.reading() as session:
        rows = session.query(LedgerEntry).join(Episode, Episode.id == LedgerEntry.episode_id)
        return sum(row.amount for row in rows.filter(Episode.code == code))


@pytest.mark.storm
def test_back_puts_nobody_into_two_episodes_of_a_game(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5")
    win(desk, "CC-1", "Ann", "Bob")
    desk.register(CLEO, "Cleo Fox")
    assert running(desk) == ["CC-2"]
    count, lines = desk.count(), record(desk)
    with pytest.raises(
        admin.AdminError, match=r"Ann plays in CC-2 now: wait .* \(podium withdraw CC-2 Ann\)"
    ) as refused:
        by_hand(desk, admin.back, "CC-1", 2)
    assert str(refused.value).count(".") == 1, "one sentence"
    assert (desk.count(), record(desk), running(desk)) == (count, lines, ["CC-2"]), "nothing was changed"
    by_hand(desk, admin.withdraw, "CC-2", "Ann")
    assert running(desk) == ["CC-2"], "Cleo is in the bonus round"
    by_hand(desk, admin.back, "CC-1", 2)
    assert running(desk) == ["CC-1", "CC-2"]
    again = desk.last(ANN)
    by_hand(desk, admin.withdraw, "CC-2", "Cleo")
    desk.answer(ANN, "pick 3", again)
    assert record(desk)[-1] == '{"from":"Ann","say":"pick 3"}'


@pytest.mark.storm
def test_back_takes_those_who_registered_again_out_of_the_queue(make_desk: MakeDesk) -> None:
    desk = make_desk(games={"champ-cards": {"tables": 2}}, deadlines={"objection": "0s"})
    desk.begin()
    win(desk, "CC-1", "Ann", "Bob")
    desk.answer(ANN, "retire")
    desk.answer(ANN, "retire yes")
    desk.register(BOB, "Bob Ray")
    assert "You are number 1 in the queue" in words(desk.last(BOB))
    by_hand(desk, admin.back, "CC-1", 1)
    assert "that place in the queue is given up" in words(desk.last(BOB))
    assert "given up" not in words(desk.last(ANN))
    desk.register(CLEO, "Cleo Fox")
    desk.tick()
    assert running(desk) == ["CC-1"], "Bob is not drawn into a second one"
    assert desk.last(CLEO).kind == "registered"


def test_back_undoes_the_throne_and_the_money_and_the_end_does_them_anew(desk: Desk) -> None:
    desk.begin()
    win(desk, "CC-1", "Ann", "Bob")
    assert throne(desk) == ("Ann", 1)
    money = balance(desk, "CC-1")
    by_hand(desk, admin.back, "CC-1", 1)
    assert throne(desk) == (None, 0)
    assert balance(desk, "CC-1") == 0
    assert running(desk) == ["CC-1"]
    win(desk, "CC-1", "Ann", "Bob")
    assert throne(desk) == ("Ann", 1)
    assert balance(desk, "CC-1") == money
    assert running(desk) == []


def test_a_result_after_going_back_tells_nothing_that_was_taken_back(desk: Desk) -> None:
    desk.begin()
    win(desk, "CC-1", "Ann", "Bob")
    first = [words(each) for each in desk.letters(ANN) if each.kind == "result"]
    by_hand(desk, admin.back, "CC-1", 1)
    win(desk, "CC-1", "Bob", "Ann")
    last = [words(each) for each in desk.letters(ANN) if each.kind == "result"][-1]
    assert "You won the main game" in first[-1]
    assert "Bob won the main game" in last
    assert "You won the main game" not in last


@pytest.mark.storm
def test_back_gives_the_throne_to_whom_it_was_taken_from_though_the_next_champion_stepped_down(desk: Desk) -> None:
    desk.begin()
    win(desk, "CC-1", "Ann", "Bob")
    desk.register(CLEO, "Cleo Fox")
    win(desk, "CC-2", "Cleo", "Ann")
    assert throne(desk) == ("Cleo", 1)
    desk.answer(CLEO, "retire")
    desk.answer(CLEO, "retire yes")
    assert throne(desk) == (None, 0)
    by_hand(desk, admin.back, "CC-2", 1)
    assert throne(desk) == ("Ann", 1)
    win(desk, "CC-2", "Ann", "Cleo")
    assert throne(desk) == ("Ann", 2)
    desk.answer(ANN, "retire")
    desk.answer(ANN, "retire yes")
    by_hand(desk, admin.back, "CC-2", 1)
    assert throne(desk) == (None, 0), "who retired stays so"


@pytest.mark.storm
def test_back_of_an_episode_beside_the_champions_leaves_the_throne_alone(make_desk: MakeDesk) -> None:
    desk = make_desk(games={"champ-cards": {"tables": 3}})
    desk.begin()
    win(desk, "CC-1", "Ann", "Bob")
    for address, name in ((CLEO, "Cleo Fox"), ("dov@example.net", "Dov Orr"), ("eve@example.net", "Eve Kim")):
        desk.register(address, name)
    assert running(desk) == ["CC-2", "CC-3"], "Ann and Cleo, Dov and Eve"
    win(desk, "CC-2", "Ann", "Cleo")
    desk.answer(ANN, "retire")
    desk.answer(ANN, "retire yes")
    assert throne(desk) == (None, 0)
    win(desk, "CC-3", "Dov", "Eve")
    assert throne(desk) == ("Dov", 1), "the throne was empty when CC-3 ended"
    by_hand(desk, admin.back, "CC-3", 1)
    assert throne(desk) == (None, 0), "as it was just before, not as when CC-3 began"


def test_an_episode_that_ended_while_it_was_paused_is_opened_running(desk: Desk) -> None:
    desk.begin()
    by_hand(desk, admin.pause, "CC-1")
    win(desk, "CC-1", "Ann", "Bob")
    by_hand(desk, admin.back, "CC-1", 1)
    assert state(desk)["state"] == "playing"
    desk.answer(ANN, "cut 5")
    assert record(desk)[-1] == '{"from":"Ann","say":"cut 5"}'


@pytest.mark.parametrize("line", ["pause CC-1 please", "extend CC-1 Ann 24h please"])
def test_a_courtesy_behind_a_command_spoils_it_not(desk: Desk, line: str) -> None:
    alerted(desk)
    desk.answer(OPERATOR, line)
    assert "CC-1 is paused" in words(desk.last(OPERATOR)) or "CC-1: Ann until" in words(desk.last(OPERATOR))


def test_an_episode_that_there_is_not_is_told(desk: Desk) -> None:
    desk.begin()
    desk.later(hours=49)
    desk.tick()
    desk.answer(OPERATOR, "pause XX-1")
    assert "there is no episode XX-1." in words(desk.last(OPERATOR))


def test_a_command_for_an_episode_that_there_is_not_goes_to_no_contestant(desk: Desk) -> None:
    alerted(desk)
    before = len(desk.letters(ANN))
    desk.answer(OPERATOR, "pause XX-1")
    assert len(desk.letters(ANN)) == before


def alerted(desk: Desk) -> None:
    """The operator has a letter to answer."""
    desk.begin()
    desk.answer(BOB, "resign")
    desk.answer(ANN, "host are you there?")
