"""Steps of the daemon, beside what every story of `tests/turn` goes through."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import event, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from host.daemon import steps
from host.mail.inbound.sandbox import ReadingError
from host.mail.outbound.smtp import Sent
from host.store.schema import Inbound, Letter
from host.table.letters import alert
from host.table.work import Turn, Work
from host.turn import receive
from tests.turn.desk import Desk

ANN, BOB = "ann@example.net", "bob@example.net"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    made.begin()
    yield made
    made.store.close()


def two_mails(desk: Desk, body: str = "status") -> list[int]:
    """A mail of Ann's and one of Bob's, stored and not worked off; gives their numbers."""
    for sender in (ANN, BOB):
        letter = desk.last(sender)
        head = f"From: {sender}\r\nTo: {letter.headers['reply-to']}\r\nSubject: Re\r\n\r\n"
        desk.keep(f"{head}{body}\r\n".encode(), desk.now)
    with desk.store.reading() as session:
        return list(session.scalars(select(Inbound.id).where(Inbound.state == "new").order_by(Inbound.id)))


def states(desk: Desk, numbers: list[int]) -> list[str]:
    with desk.store.reading() as session:
        return [session.get_one(Inbound, number).state for number in numbers]


def fails_for(monkeypatch: pytest.MonkeyPatch, number: int, error: Exception) -> None:
    take = receive._take

    def taken(turn: Turn) -> tuple[str, str]:
        if turn.inbound.id == number:
            raise error
        return take(turn)

    monkeypatch.setattr(receive, "_take", taken)


def played(desk: Desk, mails: list[int]) -> list[steps.Played]:
    opened = [(number, desk.opened(number)) for number in mails]
    return [each for some in steps.play_mails(desk.services, opened, desk.now) for each in some]


def test_a_group_is_one_piece(desk: Desk) -> None:
    mails = [(number, desk.opened(number)) for number in two_mails(desk)]
    assert [len(some) for some in steps.play_mails(desk.services, mails, desk.now)] == [2]


def test_what_a_group_changes_is_written_at_its_end_at_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path, game="game-of-champions")
    desk.begin()
    mails = [(number, desk.opened(number)) for number in two_mails(desk, body="throw rock")]
    flushed: list[object] = []

    def note(session: Session, _context: object) -> None:
        flushed.append(session)

    event.listen(Session, "after_flush", note)
    assert [[each.state for each in some] for some in steps.play_mails(desk.services, mails, desk.now)] == [
        ["played"] * 2
    ]
    event.remove(Session, "after_flush", note)
    assert len(flushed) == 1
    desk.store.close()


def test_a_mail_that_raises_is_quarantined_and_the_others_of_its_group_are_played(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two_mails(desk)
    odd = ValueError("odd")
    fails_for(monkeypatch, first, odd)
    first_played, second_played = played(desk, [first, second])
    assert (first_played.id, first_played.state, first_played.fault) == (first, "quarantined", odd)
    assert (second_played.id, second_played.state, second_played.fault) == (second, "answered", None)
    assert states(desk, [first, second]) == ["quarantined", "answered"]


def test_trouble_of_the_database_is_no_mails_fault(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = two_mails(desk)
    fails_for(monkeypatch, second, OperationalError("COMMIT", {}, Exception("database is locked")))
    with pytest.raises(OperationalError):
        played(desk, [first, second])
    assert states(desk, [first, second]) == ["answered", "new"]


@pytest.mark.parametrize(("is_known", "state"), [(True, "quarantined"), (False, "stranger")])
def test_who_names_no_letter_hears_nothing_of_a_mail_that_cannot_be_read(
    desk: Desk, is_known: bool, state: str
) -> None:
    number, _ = two_mails(desk)
    hard = ReadingError("took more than a second")
    (some,) = steps.play_mails(desk.services, [(number, hard)], desk.now, is_known)
    assert [each.state for each in some] == [state]
    assert states(desk, [number]) == [state]


def test_what_the_desk_raises_is_what_a_turn_raised(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    _, second = two_mails(desk)
    fails_for(monkeypatch, second, ValueError("odd"))
    with pytest.raises(ValueError, match="odd"):
        desk.work_off()


def test_no_mail_is_claimed_while_deadlines_have_to_move(desk: Desk) -> None:
    desk.tick()
    two_mails(desk)
    desk.later(hours=3)
    assert steps.claim_mails(desk.services, desk.now, 16) == ([], {})
    assert not steps.begin_pass(desk.services, "Junk", desk.now), "the first mailbox comes first"
    assert steps.begin_pass(desk.services, "INBOX", desk.now)
    assert steps.claim_mails(desk.services, desk.now, 16)[0] != []


def test_at_the_providers_limit_no_letter_is_claimed(tmp_path: Path) -> None:
    desk = Desk(tmp_path, smtp={"letters_a_minute": 2}, host={"operators": [f"boss{n}@example.com" for n in range(3)]})
    with desk.store.transaction() as session:
        alert(Work(session, desk.services, desk.now), "Look", "Look at it")
    for _ in range(2):
        (letter,) = steps.claim_letters(desk.services, desk.now, 100) or []
        steps.settle_letters(desk.services, [(letter, Sent("sent", "250 ok"))], desk.now)
    assert steps.claim_letters(desk.services, desk.now, 100) is None
    desk.later(minutes=2)
    assert len(steps.claim_letters(desk.services, desk.now, 100) or []) == 1
    desk.store.close()


def test_a_letter_for_which_the_server_was_away_is_due_again_and_not_counted(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with desk.store.transaction() as session:
        alert(Work(session, desk.services, desk.now), "Look", "Look at it")
    (letter,) = steps.claim_letters(desk.services, desk.now, 100) or []
    steps.settle_letters(desk.services, [(letter, Sent("away", "no connection"))], desk.now, 8.0)
    with desk.store.reading() as session:
        row = session.get_one(Letter, letter.id)
        assert (row.state, row.attempts, row.try_at) == ("queued", 0, desk.now + timedelta(seconds=8))
    desk.store.close()


def test_a_walk_over_deadlines_that_is_left_in_the_middle_is_done_by_the_next(desk: Desk) -> None:
    desk.later(hours=49)
    desk.tick(read=False)
    assert next(steps.keep_deadlines(desk.services, desk.now)) == steps.Walked(), (
        "nothing fires before the mailbox is read"
    )
    assert steps.Walked(waits_for_mailbox=True) in list(steps.keep_deadlines(desk.services, desk.now))
    desk.tick()
    assert "timeout" in [each.kind for each in desk.letters(ANN)]
