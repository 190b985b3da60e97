"""Letters of which only the envelope is left (`keep_letters`): which they are, and that replies to them are played."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from host.daemon import steps
from host.demo.robot import ReadLetter, write
from host.store.queues import put_off
from host.store.schema import AskRow, Letter, QuestionRow
from host.table.work import Work
from host.turn import admin
from host.turn.admin import AdminError
from tests.turn.desk import ADDRESS, Desk

ANN, BOB = "ann@example.net", "bob@example.net"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path, database={"keep_letters": "1h"})
    made.begin()
    made.answer(ANN, "cut 7")
    yield made
    made.store.close()


def kept(desk: Desk) -> list[int]:
    """The letters that are whole."""
    with desk.store.reading() as session:
        return list(session.scalars(select(Letter.id).where(Letter.packed.is_not(None)).order_by(Letter.id)))


def asking(desk: Desk) -> list[int]:
    """The letters that ask what is open."""
    with desk.store.reading() as session:
        found = select(AskRow.letter_id).join(QuestionRow).where(QuestionRow.closed_at.is_(None))
        return sorted(set(session.scalars(found)))


def reply(letter: ReadLetter, words: str) -> bytes:
    """Words above the letter, quoted."""
    body = "\n".join((words, "", *(f"> {line}" for line in letter.text.splitlines())))
    return write(ANN, "Ann", letter.headers["reply-to"], "Re: x", body, letter.headers["message-id"])


def test_what_asks_something_open_is_kept_and_the_rest_let_go_of(desk: Desk) -> None:
    everything = kept(desk)
    assert 0 < len(asking(desk)) < len(everything)
    assert not steps.forget_mails(desk.services, desk.now + timedelta(hours=1))
    assert kept(desk) == everything
    assert not steps.forget_mails(desk.services, desk.now + timedelta(hours=1, microseconds=1))
    assert kept(desk) == asking(desk)


def test_it_is_done_some_at_a_time(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "FORGOTTEN_AT_ONCE", 2)
    rounds = 1
    while steps.forget_mails(desk.services, desk.now + timedelta(hours=2)):
        rounds += 1
    assert kept(desk) == asking(desk)
    assert rounds > 2


def test_nothing_is_let_go_of_where_the_host_does_not_say_so(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.begin()
    everything = kept(desk)
    desk.later(days=400)
    assert not steps.forget_mails(desk.services, desk.now)
    assert kept(desk) == everything
    desk.store.close()


def unsent(desk: Desk) -> int:
    """A letter that waits to be sent, and asks nothing."""
    desk.keep(write("zoe@example.net", "Zoe Zed", ADDRESS, desk.game.title, "Hello"), desk.now)
    desk.work_off()
    with desk.store.reading() as session:
        number = session.scalars(select(Letter.id).where(Letter.state == "queued")).one()
    assert number not in asking(desk)
    return number


def test_what_is_still_to_be_sent_is_kept(desk: Desk) -> None:
    number = unsent(desk)
    steps.forget_mails(desk.services, desk.now + timedelta(hours=2))
    assert kept(desk) == sorted([number, *asking(desk)])


def test_replies_to_letters_that_were_let_go_of_are_played(desk: Desk) -> None:
    old = next(letter for letter in desk.letters(ANN) if letter.kind == "begin")
    latest = desk.last(ANN)
    desk.later(hours=2)
    steps.forget_mails(desk.services, desk.now)
    assert desk.deliver(reply(old, "status")).state == "answered"
    with desk.store.transaction() as session:
        session.execute(update(Letter).values(packed=None))
    mail = desk.deliver(reply(latest, "pick 5"))
    assert (mail.state, mail.lines) == ("played", ["pick 5"])
    assert desk.last(ANN).headers["in-reply-to"]


def test_a_letter_that_was_let_go_of_is_not_sent_again(desk: Desk) -> None:
    number = unsent(desk)
    with desk.store.transaction() as session:
        put_off(session, number, "failed", "550 no", desk.now)
    steps.forget_mails(desk.services, desk.now + timedelta(hours=2))
    assert number not in kept(desk)
    with desk.store.transaction() as session, pytest.raises(AdminError, match="none that failed and is kept"):
        admin.retry(Work(session, desk.services, desk.now), "letter", number)
