"""Deadlines that are worked off in groups: as if each were alone, with fewer look-ups and one letter to the operators."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from host.demo.robot import write
from host.store.database import Session
from host.store.episodes import take_questions
from host.store.schema import Episode, QuestionRow
from host.turn import expire
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import OPERATOR, Desk, words

NAMES = ("ann", "bob", "cleo", "dov", "eve", "fay", "gil", "hal")


@pytest.fixture
def desk(make_desk: MakeDesk) -> Desk:
    """Four episodes at the same time, in each of which one is asked."""
    desk = make_desk(games={"champ-cards": {"tables": 4}})
    for name in NAMES:
        desk.register(f"{name}@example.net", f"{name.title()} Fox")
    desk.later(hours=49)
    return desk


def kinds(desk: Desk, name: str) -> list[str]:
    return [letter.kind for letter in desk.letters(f"{name}@example.net")]


def who_timed_out(desk: Desk) -> list[str]:
    return [name for name in NAMES if "timeout" in kinds(desk, name)]


def test_operators_get_one_letter_about_all_forfeits_of_a_group(desk: Desk) -> None:
    before = len(desk.letters(OPERATOR))
    desk.tick()
    timed_out = who_timed_out(desk)
    assert len(timed_out) == 4
    assert all(kinds(desk, name)[-1] == "turn" for name in NAMES if name not in timed_out)
    told = words(desk.last(f"{timed_out[0]}@example.net"))
    assert "reply with the word host and what happened by" in told
    assert "next episode waits" not in told, "the other tables go on"
    (alert,) = desk.letters(OPERATOR)[before:]
    assert alert.headers["subject"].endswith("[HOST]")
    for number, name in enumerate(timed_out, 1):
        assert f"{name.title()} let a deadline pass in CC-{number}" in words(alert)
        assert f"podium back CC-{number} 1 takes it back" in words(alert)
    desk.answer(OPERATOR, "back CC-2 1\npause CC-3", alert)
    assert kinds(desk, timed_out[1])[-1] == "turn", "asked again"
    with desk.store.reading() as session:
        assert session.get_one(Episode, 3).paused_at is not None
    desk.tick()
    assert who_timed_out(desk) == timed_out
    assert all(kinds(desk, name).count("timeout") == 1 for name in timed_out), "each fires once"


def test_a_stored_mail_holds_back_its_own_deadline_alone(desk: Desk) -> None:
    letter = desk.last("cleo@example.net")
    reply = write("cleo@example.net", "Cleo", letter.headers["reply-to"], "Re", "cut 5", letter.headers["message-id"])
    desk.keep(reply, desk.now - timedelta(hours=2))
    desk.tick()
    assert who_timed_out(desk) == ["ann", "eve", "gil"]


@pytest.mark.parametrize("number", a_few([1, 4]))
def test_where_one_of_a_group_raises_the_others_fire_alone(desk: Desk, number: int) -> None:
    with desk.store.transaction() as session:
        session.get_one(Episode, number).state = {"nonsense": True}
    before = len(desk.letters(OPERATOR))
    desk.tick()
    assert len(who_timed_out(desk)) == 3
    alerts = [words(each) for each in desk.letters(OPERATOR)[before:]]
    assert sum("could not be worked off" in each for each in alerts) == 1
    assert sum("let a deadline pass" in each for each in alerts) == 3, "what was undone with the group is told once"


@pytest.mark.storm
def test_what_was_settled_since_the_look_is_passed_over(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def take_later(session: Session, ids: Sequence[int]) -> dict[int, QuestionRow]:
        rows = take_questions(session, ids)
        rows[ids[0]].closed_at, rows[ids[0]].outcome = desk.now, "settled"
        return {number: row for number, row in rows.items() if number != ids[1]}

    monkeypatch.setattr(expire, "take_questions", take_later)
    desk.see_again()
    assert list(expire.expire_due(desk.services, desk.now)) == [2]


@pytest.mark.storm
def test_all_who_are_asked_in_one_episode_may_let_it_pass_at_once(make_desk: MakeDesk) -> None:
    desk = make_desk(game="bluffjack", games={"bluffjack": {"seats": 3}})
    for name in NAMES[:3]:
        desk.register(f"{name}@example.net", f"{name.title()} Fox")
    for _ in range(4):
        desk.later(hours=49)
        desk.tick()
    assert not any("could not be worked off" in words(each) for each in desk.letters(OPERATOR))
    with desk.store.reading() as session:
        assert session.query(QuestionRow).filter_by(outcome="timeout").count() > 3


@pytest.mark.parametrize("text", ["objection, I did not get any letter", "I object, I never got your mail"])
def test_an_objection_reaches_the_host_whatever_it_says_besides(desk: Desk, text: str) -> None:
    desk.begin()
    desk.later(hours=49)
    desk.tick()
    desk.answer("ann@example.net", text)
    assert text in words(desk.last(OPERATOR))
