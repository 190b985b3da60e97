"""The host's hand."""

import json
from datetime import timedelta

import pytest

from host.cards import DECK
from host.chance import Chance
from host.store.schema import LedgerEntry
from host.turn import changing, hand, looking
from tests.turn.conftest import MakeDesk
from tests.turn.desk import OPERATOR, Desk, words
from tests.turn.test_receive import record

ANN, BOB = "ann@example.net", "bob@example.net"


def by_hand(desk: Desk, function: object, *values: object) -> str:
    with desk.store.transaction() as session:
        said: str = function(session, desk.house, *values, desk.now)  # type: ignore[operator]
    desk.send()
    return said


def state(desk: Desk) -> dict[str, object]:
    with desk.store.reading() as session:
        found = looking.episode(session, "CC-1", False)
    assert found is not None
    return found


def test_extend_moves_the_deadline_and_says_so(desk: Desk) -> None:
    desk.begin()
    before = desk.last(ANN).headers["x-podium-reply-by"]
    by_hand(desk, hand.extend, "cc-1", "ann", timedelta(hours=24))
    letter = desk.last(ANN)
    assert "gave you more time" in words(letter)
    assert letter.headers["x-podium-reply-by"] > before
    desk.later(hours=71)
    desk.tick()
    assert desk.last(ANN).kind != "timeout"


def test_pause_refuses_replies_and_moves_deadlines(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    by_hand(desk, hand.pause, "CC-1")
    desk.answer(ANN, "cut 5", begin)
    assert "paused" in words(desk.last(ANN))
    assert record(desk) == []
    desk.later(hours=100)
    desk.tick()
    by_hand(desk, hand.resume, "CC-1")
    desk.tick()
    desk.answer(ANN, "cut 5", begin)
    assert len(record(desk)) == 1, "mails stay fresh"


def test_withdraw_is_a_resignation(desk: Desk) -> None:
    desk.begin()
    by_hand(desk, hand.withdraw, "CC-1", "Bob")
    assert record(desk) == ['{"from":"Bob","say":"resign"}']
    assert "withdrew you" in words(desk.last(BOB))


def test_say_for_a_player_sends_a_copy(desk: Desk) -> None:
    desk.begin()
    by_hand(desk, hand.say, "CC-1", "cut 7", "Ann")
    assert "in your place" in words(desk.last(ANN))
    assert record(desk) == ['{"from":"Ann","say":"cut 7"}']
    with pytest.raises(hand.HandError, match="is refused"):
        by_hand(desk, hand.say, "CC-1", "cut 7", "Ann")
    with pytest.raises(hand.HandError, match="does not play"):
        by_hand(desk, hand.say, "CC-1", "cut 7", "Zoe")
    with pytest.raises(hand.HandError, match="no episode"):
        by_hand(desk, hand.say, "CC-9", "cut 7", "Ann")


def test_the_host_changes_an_offer(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changing, "new_seed", seed_with_an_offer)
    desk.begin()
    by_hand(desk, hand.withdraw, "CC-1", "Bob")
    with pytest.raises(hand.HandError, match="No offer is waiting"):
        by_hand(desk, hand.say, "CC-1", "offer 3333", "")
    desk.answer(ANN, "half of it please")
    old = desk.last(ANN)
    assert "The house offers" in words(old)
    by_hand(desk, hand.say, "CC-1", "offer 3333", "")
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
    by_hand(desk, hand.resend, "CC-1", "")
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
    by_hand(desk, hand.back, "CC-1", 2)
    assert state(desk)["state"] == "playing"
    assert record(desk)[-1] == '{"back_to":2}'
    with desk.store.reading() as session:
        assert sum(row.amount for row in session.query(LedgerEntry)) == 0
        assert looking.status(session, desk.house)["games"]["champ-cards"]["champion"] is None
    assert "took this episode back" in words(desk.last(BOB))
    desk.answer(ANN, "pick 3", stale)
    assert desk.last(ANN).kind == "refused", "old mails are stale"
    desk.answer(ANN, "pick 3")
    assert record(desk)[-1] == '{"from":"Ann","say":"pick 3"}'


def test_back_to_no_line_changes_nothing(desk: Desk) -> None:
    desk.begin()
    with pytest.raises(hand.HandError, match="lines 1 to 1"):
        by_hand(desk, hand.back, "CC-1", 7)


def test_begin_needs_enough_contestants(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    with pytest.raises(hand.HandError, match="at least 2"):
        by_hand(desk, hand.begin, "champ-cards")


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
        assert [row["who"] for row in looking.audit(session)] == [OPERATOR, OPERATOR]


def test_the_host_sees_why_a_mail_was_refused(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "pick 44")
    with desk.store.reading() as session:
        rows = looking.mails(session, "CC-1")
    refused = next(row for row in rows if row["way"] == "in" and row["outcome"] == "refused")
    assert refused["read"] == ["pick 44"]
    assert "cut" in refused["why"]
    text = str(rows)
    for _, letter, _ in desk.sent:
        assert letter.headers["message-id"][1:27] not in text


def test_episode_shows_nothing_that_players_may_not_see_yet(make_desk: MakeDesk) -> None:
    desk = make_desk(game="champion-poker", games={"champion-poker": {"seats": 2}})
    desk.begin()
    desk.answer(ANN, "bet 55")

    def shown(reveal: bool) -> str:
        with desk.store.transaction() as session:
            return json.dumps(looking.episode(session, "CP-1", reveal))

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
        shown = json.dumps(looking.episode(session, "SD-1", reveal=False))
    assert "41 42 43" not in shown
    assert "cut 5" in shown
