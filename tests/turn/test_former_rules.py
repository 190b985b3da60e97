"""Episodes that began under former rules: paused when the daemon starts, shown to the host, gone on with or ended."""

from typing import Any

import pytest
from sqlalchemy import update

from host.games import GAMES
from host.store.episodes import episode_of_code
from host.store.schema import Episode
from host.turn import admin, interruptions
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import OPERATOR, Desk, words
from tests.turn.test_admin import by_hand
from tests.turn.test_premoves import ANN, BOB, CLEO, asked, kept, said

CODE = "BJ-1"


def began_before(make_desk: MakeDesk, options: dict[str, Any], *moves: tuple[str, str]) -> Desk:
    """An episode after these moves, as version 1 would have left it in the store."""
    desk = make_desk(game="bluffjack", games={"bluffjack": {"options": options}})
    desk.begin()
    for address, text in moves:
        desk.answer(address, text)
    as_of_version_one(desk)
    return desk


def as_of_version_one(desk: Desk, options: dict[str, Any] | None = None, **fields: Any) -> None:
    """Change the episode's row to what version 1 wrote: its state had other fields, its options one fewer."""
    state = dict(episode(desk).state)
    state.pop("served")
    state["options"] = {name: value for name, value in state["options"].items() if name != "longer_charlie"}
    state["options"].update(options or {})
    state.update({"has_hit": False, **fields})
    rewrite(desk, rules_version=1, state=state, **({"options": options} if options else {}))


def rewrite(desk: Desk, **fields: Any) -> None:
    with desk.store.transaction() as session:
        session.execute(update(Episode).values(**fields))


def episode(desk: Desk) -> Episode:
    with desk.store.reading() as session:
        found = episode_of_code(session, CODE)
        assert found is not None
        return found


def start(desk: Desk) -> int:
    """What the daemon does about it when it starts."""
    told = interruptions.pause_changed_games(desk.services, desk.now)
    desk.send()
    return told


def alerts(desk: Desk) -> list[str]:
    return [words(letter) for letter in desk.letters(OPERATOR) if letter.kind == "alert"]


CALLED = ((BOB, "call"), (CLEO, "call"))


@pytest.mark.parametrize(
    "options", a_few([{"more_betting": True}, {"charlie": 5}, {"charlie": 7, "more_betting": True}])
)
def test_it_is_paused_and_the_host_told_what_to_do(make_desk: MakeDesk, options: dict[str, Any]) -> None:
    desk = began_before(make_desk, options, *CALLED)
    assert start(desk) == 1
    assert episode(desk).paused_at == desk.now
    (told,) = alerts(desk)
    assert "The rules of Bluffjack are no longer those that BJ-1 began with, so it is paused" in told
    assert "podium resume BJ-1 lets it go on under today's rules" in told
    for address in (ANN, BOB, CLEO):
        assert "has paused this episode" in words(desk.last(address))
    desk.answer(ANN, "hit", next(each for each in reversed(desk.letters(ANN)) if each.asks))
    assert said(desk) == ["Bob: call", "Cleo: call"]
    desk.later(days=9)
    desk.tick()
    assert said(desk) == ["Bob: call", "Cleo: call"]


def test_when_it_is_resumed_everyone_hears_that_other_rules_hold(make_desk: MakeDesk) -> None:
    desk = began_before(make_desk, {"more_betting": True}, *CALLED)
    start(desk)
    by_hand(desk, admin.resume, CODE)
    for address in (ANN, BOB, CLEO):
        assert "Since it began the rules of Bluffjack were changed; from here on those of today hold." in words(
            desk.last(address)
        )
    assert episode(desk).rules_version == GAMES["bluffjack"].version
    assert start(desk) == 0
    assert episode(desk).paused_at is None
    desk.answer(ANN, "hit, raise 20")
    assert said(desk)[-2:] == ["Ann: hit", "Ann: raise 20"]
    by_hand(desk, admin.back, CODE, 3)
    assert asked(desk) == ANN


@pytest.mark.parametrize(
    "options", a_few([{}, {"best_hand": True, "two_bets": False, "no_house": True}, {"charlie": 0}])
)
def test_an_episode_for_which_nothing_changed_goes_on_untouched(make_desk: MakeDesk, options: dict[str, Any]) -> None:
    desk = began_before(make_desk, {**options, "max_hands": 1}, *CALLED, (ANN, "hit"))
    letters = len(desk.sent)
    assert start(desk) == 0
    assert len(desk.sent) == letters
    assert (episode(desk).rules_version, episode(desk).paused_at) == (1, None)
    desk.answer(BOB, "stand")
    desk.answer(CLEO, "stand")
    desk.answer(ANN, "stand, check")
    by_hand(desk, admin.back, CODE, 5)
    desk.answer(CLEO, "stand")
    desk.answer(ANN, "stand, check")
    desk.answer(BOB, "check")
    desk.answer(CLEO, "check")
    assert desk.last(ANN).kind == "result"


@pytest.mark.storm
def test_one_whose_record_leads_elsewhere_cannot_go_on(make_desk: MakeDesk) -> None:
    """In version 1 a round of cards came before the bets."""
    desk = began_before(make_desk, {}, *CALLED, (ANN, "hit"), (BOB, "stand"), (CLEO, "stand"))
    as_of = {"phase": "bet", "stage": "between", "has_hit": True}
    rewrite(desk, state={**episode(desk).state, "served": []})
    as_of_version_one(desk, {"more_betting": True}, **as_of)
    assert start(desk) == 1
    (told,) = alerts(desk)
    assert "It cannot go on here: line 5 of the record is refused by these rules" in told
    assert "podium withdraw BJ-1 NAME takes its players out" in told
    assert "The Podium that it began with can play it to its end" in told
    with pytest.raises(admin.AdminError, match="began under other rules of Bluffjack and cannot go on: line 5"):
        by_hand(desk, admin.resume, CODE)
    assert episode(desk).paused_at is not None
    assert episode(desk).rules_version == 1
    for name in ("Ann", "Bob"):
        by_hand(desk, admin.withdraw, CODE, name)
    assert episode(desk).over_at is not None
    assert desk.last(CLEO).kind == "result"


@pytest.mark.storm
def test_nor_one_whose_record_is_accepted_but_leads_to_another_table(make_desk: MakeDesk) -> None:
    desk = began_before(make_desk, {"charlie": 5}, *CALLED)
    chips = episode(desk).state["chips"]
    as_was = {**episode(desk).state, "chips": [chips[1], chips[0], chips[2] - 1], "aside": 1}
    rewrite(desk, state=as_was)
    start(desk)
    assert "It cannot go on here: its record leads to another table under these rules." in alerts(desk)[0]
    with pytest.raises(admin.AdminError, match="leads to another table"):
        by_hand(desk, admin.resume, CODE)


@pytest.mark.parametrize(
    ("function", "values"), [(admin.say, ("hit", "Ann")), (admin.say, ("hit", "")), (admin.back, (2,))]
)
def test_nothing_is_played_or_taken_back_before_it_goes_on(
    make_desk: MakeDesk, function: object, values: tuple[Any, ...]
) -> None:
    desk = began_before(make_desk, {"charlie": 5}, *CALLED)
    start(desk)
    with pytest.raises(admin.AdminError, match="began under other rules of Bluffjack than today's"):
        by_hand(desk, function, CODE, *values)
    assert said(desk) == ["Bob: call", "Cleo: call"]


def test_what_was_sent_ahead_is_dropped_with_a_word(make_desk: MakeDesk) -> None:
    desk = began_before(make_desk, {"more_betting": True}, *CALLED, (BOB, "hit"))
    assert kept(desk) == [("hit", "waiting")]
    start(desk)
    assert kept(desk) == [("hit", "dropped")]
    assert "“hit”, which you had sent ahead, was dropped: the rules of the game were changed." in words(desk.last(BOB))


def test_the_host_is_told_once_of_one_that_was_paused_before(make_desk: MakeDesk) -> None:
    desk = began_before(make_desk, {"charlie": 5}, *CALLED)
    by_hand(desk, admin.pause, CODE)
    paused_at = episode(desk).paused_at
    desk.later(hours=1)
    assert start(desk) == 1
    assert episode(desk).paused_at == paused_at
    desk.later(days=40)
    assert start(desk) == 0
    assert len(alerts(desk)) == 1


def test_rules_newer_than_this_podium_knows_pause_it_too(make_desk: MakeDesk) -> None:
    desk = began_before(make_desk, {}, *CALLED)
    rewrite(desk, rules_version=GAMES["bluffjack"].version + 1)
    assert start(desk) == 1
    assert episode(desk).paused_at is not None


@pytest.mark.storm
def test_one_that_is_over_is_left_alone(make_desk: MakeDesk) -> None:
    desk = began_before(make_desk, {"charlie": 5, "max_hands": 1}, (BOB, "fold"), (CLEO, "fold"))
    assert episode(desk).over_at is not None
    assert start(desk) == 0
    with pytest.raises(admin.AdminError, match="began under other rules"):
        by_hand(desk, admin.back, CODE, 2)


@pytest.mark.storm
def test_all_of_many_are_found(make_desk: MakeDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interruptions, "SOME", 1)
    games = {"bluffjack": {"options": {"charlie": 5}, "seats": 2, "tables": 3}}
    desk = make_desk(game="bluffjack", games=games)
    for number in range(6):
        desk.register(f"p{number}@example.net", f"Player{number} Lee")
    rewrite(desk, rules_version=1)
    assert start(desk) == 3


@pytest.mark.storm
def test_one_that_cannot_be_read_does_not_stop_the_others(make_desk: MakeDesk) -> None:
    games = {"bluffjack": {"options": {"charlie": 5}, "seats": 2, "tables": 2}}
    desk = make_desk(game="bluffjack", games=games)
    for number in range(4):
        desk.register(f"p{number}@example.net", f"Player{number} Lee")
    rewrite(desk, rules_version=1)
    with desk.store.transaction() as session:
        session.execute(update(Episode).where(Episode.code == CODE).values(state={"no": "state"}))
    assert start(desk) == 2
    assert [("could not be paused" in told, "podium resume BJ-2" in told) for told in alerts(desk)] == [
        (True, False),
        (False, True),
    ]
    with desk.store.reading() as session:
        second = episode_of_code(session, "BJ-2")
        assert second is not None
        assert second.paused_at is not None
