"""Stored mails are read, many at once: what is read in them, what the store is asked, what one bad mail costs."""

from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from host.demo.robot import write
from host.mail.inbound.dkim_keys import Keys
from host.mail.inbound.sandbox import ReadingError
from host.mail.inbound.sent_text import letter_forms
from host.store.schema import Inbound
from host.table.work import Opened
from host.turn import reading
from host.turn.reading import Reader, Slow
from tests.mail.inbound.slow import open_slowly
from tests.mail.inbound.test_dkim import PUBLIC, signed
from tests.turn.conftest import MakeDesk
from tests.turn.desk import Desk
from tests.turn.test_corpus import ANN

HEADER = "On Fri, Nov 20, 2026 at 3:00 PM The Millionaire <games@example.org> wrote:\n"


class Asked:
    """Does the store's work at once, and remembers what it was asked."""

    def __init__(self) -> None:
        self.names: list[str] = []

    async def __call__(self, function: Callable[..., Any], *arguments: Any) -> Any:
        self.names.append(function.__name__)
        return function(*arguments)


async def nothing(_name: bytes) -> bytes | None:
    return None


@pytest.fixture
async def reader(desk: Desk) -> AsyncIterator[Reader]:
    found = Reader(desk.config, desk.store, Asked(), keys=Keys(nothing))
    yield found
    await found.close()


def asked(reader: Reader) -> list[str]:
    assert isinstance(reader.work, Asked)
    return reader.work.names


def kept(desk: Desk, raw: bytes) -> int:
    """The number of a mail that is stored and not worked off."""
    desk.keep(raw, desk.now)
    with desk.store.reading() as session:
        return session.scalars(select(Inbound.id).order_by(Inbound.id.desc()).limit(1)).one()


def reply(desk: Desk, body: str, at: int = -1) -> bytes:
    letter = desk.letters(ANN)[at]
    return write(ANN, "Ann", letter.headers["reply-to"], "Re: x", body, letter.headers["message-id"])


async def to_the_end(reader: Reader, numbers: Sequence[int]) -> dict[int, Opened | ReadingError]:
    """What is read, also where it takes longer."""
    found = await reader.read_all(reading.raw_mails(reader.store, numbers))
    return {number: await each.read() if isinstance(each, Slow) else each for number, each in found.items()}


async def read(reader: Reader, number: int) -> Opened:
    found = (await to_the_end(reader, [number]))[number]
    assert isinstance(found, Opened)
    return found


def typed(found: Opened | ReadingError | Slow) -> tuple[str, ...]:
    assert isinstance(found, Opened)
    return found.typed.lines


async def test_many_mails_are_read_as_one_by_one_and_as_without_the_process(desk: Desk, reader: Reader) -> None:
    desk.begin()
    text = desk.last(ANN).text
    marked = "".join(f"> {row}\n" for row in text.splitlines())
    older = desk.letters(ANN)[0].text
    bodies = ["cut 5", f"cut 5\n\n{HEADER}{marked}", f"cut 5\n\n{HEADER}\n{text}", f"{text}\n\ncut 5"]
    bodies += [f"Hello,\nI cut at 5 please, and good luck!\n\n{HEADER}\n{text}\n{HEADER}\n{older}", ""]
    numbers = [kept(desk, reply(desk, body)) for body in bodies]
    numbers.append(kept(desk, write(ANN, "Ann", "games@example.org", "no token", bodies[2])))
    found = await reader.read_all(reading.raw_mails(desk.store, numbers))
    assert list(found) == numbers
    for number in numbers:
        assert found[number] == desk.opened(number) == await read(reader, number)
    assert [typed(found[number]) for number in numbers[:4]] == [("cut 5",)] * 4
    assert typed(found[numbers[4]]) == ("Hello,", "I cut at 5 please, and good luck!")


async def test_letters_are_fetched_only_for_mails_that_need_them(desk: Desk, reader: Reader) -> None:
    desk.begin()
    text = desk.last(ANN).text
    marked = "".join(f"> {row}\n" for row in text.splitlines())
    plain = [kept(desk, reply(desk, body)) for body in ("cut 5", f"cut 5\n\n{HEADER}{marked}")]
    unmarked = kept(desk, reply(desk, f"cut 5\n\n{HEADER}\n{text}"))
    above = kept(desk, reply(desk, f"{text}\n\ncut 5"))
    await reader.read_all(reading.raw_mails(desk.store, plain))
    assert asked(reader) == []
    await reader.read_all(reading.raw_mails(desk.store, [*plain, unmarked]))
    assert asked(reader) == ["letters_answered"]
    await reader.read_all(reading.raw_mails(desk.store, [*plain, unmarked, above, above]))
    assert asked(reader)[1:] == ["letters_answered", "earlier_letters"]
    assert await reader.read_all(reading.raw_mails(desk.store, [])) == {}


async def test_what_stands_in_an_older_letter_alone_is_quoted_too(desk: Desk, reader: Reader) -> None:
    desk.begin()
    assert len(desk.letters(ANN)) > 1
    older = desk.letters(ANN)[0].text
    number = kept(desk, reply(desk, f"{older}\n\ncut 5"))
    assert typed(await read(reader, number)) == ("cut 5",)


async def test_letters_that_came_later_or_went_to_others_are_not_compared_with(desk: Desk, reader: Reader) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5")
    later, others = desk.last(ANN).text, desk.letters("bob@example.net")[-1].text
    for text in (later, others):
        first = next(row for row in text.splitlines() if len(row.split()) > 4)
        number = kept(desk, reply(desk, f"{text}\n\ncut 5", at=0))
        assert first in typed(await read(reader, number))


async def test_a_mail_that_cannot_be_read_costs_only_itself(
    desk: Desk,
    reader: Reader,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    desk.begin()
    reader.worker.seconds = reader.patient.seconds = 0.3
    good = kept(desk, reply(desk, f"{desk.last(ANN).text}\n\ncut 5"))
    bad = kept(desk, b"From: x@example.com\r\n\r\n")
    with desk.store.transaction() as session:
        session.get_one(Inbound, bad).raw = open_slowly(monkeypatch, tmp_path)
    found = await reader.read_all(reading.raw_mails(desk.store, [bad, good]))
    slow = found[bad]
    assert isinstance(slow, Slow)
    assert isinstance(await slow.read(), ReadingError)
    assert typed(found[good]) == ("cut 5",)


async def test_bytes_that_were_let_go_are_an_empty_mail(desk: Desk, reader: Reader) -> None:
    number = kept(desk, write(ANN, "Ann", "games@example.org", "x", "y"))
    with desk.store.transaction() as session:
        session.get_one(Inbound, number).raw = None
    found = await read(reader, number)
    assert (found.mail.text, found.mail.problem) == ("", "it names no sender")


async def test_only_mails_with_a_signature_that_name_a_letter_are_judged_by_it(desk: Desk, reader: Reader) -> None:
    desk.begin()
    asked_for: list[bytes] = []

    async def lookup(name: bytes) -> bytes:
        asked_for.append(name)
        return PUBLIC

    reader.keys = Keys(lookup)
    bare, forged, whole = reply(desk, "cut 5"), reply(desk, "cut 6"), reply(desk, "cut 7")
    numbers = [
        kept(desk, raw)
        for raw in (
            bare,
            signed(forged, b"example.net").replace(b"cut 6", b"cut 9"),
            signed(whole, b"example.net"),
        )
    ]
    first = await reader.read_all(reading.raw_mails(desk.store, numbers))
    assert [isinstance(each, Slow) for each in first.values()] == [False, True, True], (
        "a key is asked for beside the rest"
    )
    found = await to_the_end(reader, numbers)
    assert [isinstance(each, Opened) and each.proof for each in found.values()] == ["none", "fail", "pass"]
    assert not any(
        isinstance(each, Slow) for each in (await reader.read_all(reading.raw_mails(desk.store, numbers))).values()
    )
    assert len(asked_for) == 1
    of_others = Reader(desk.config, desk.store, Asked(), is_known=False, keys=Keys(lookup))
    stranger = kept(desk, signed(write(ANN, "Ann", "games@example.org", "x", "y"), b"example.net"))
    judged = (await of_others.read_all(reading.raw_mails(desk.store, [stranger])))[stranger]
    assert isinstance(judged, Opened)
    assert judged.proof == "none"
    assert len(asked_for) == 1
    await of_others.close()


async def test_where_a_provider_is_trusted_its_word_counts(make_desk: MakeDesk) -> None:
    desk = make_desk(security={"authserv_id": "mx.example.org"})
    desk.begin()
    failed = b"Authentication-Results: mx.example.org; dmarc=fail header.from=example.net\r\n"
    numbers = [kept(desk, raw) for raw in (failed + reply(desk, "cut 5"), reply(desk, "cut 5"))]
    reader = Reader(desk.config, desk.store, Asked())
    found = await reader.read_all(reading.raw_mails(desk.store, numbers))
    assert [isinstance(each, Opened) and each.is_forged for each in found.values()] == [True, False]
    await reader.close()


def test_earlier_letters_are_those_to_the_same_person_the_latest_first(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5")
    mail = desk.opened(kept(desk, reply(desk, desk.last(ANN).text))).mail
    (letter,) = reading.letters_answered(desk.store, [mail])
    assert letter is not None
    (before,) = reading.earlier_letters(desk.store, [letter])
    bodies = [letter_forms(each.message)[0].splitlines() for each in (letter, *before)]
    assert bodies == [each.text.splitlines() for each in reversed(desk.letters(ANN))]
    assert len(before) > 2
