"""Letters that an earlier version stored three times, and letters that were let go of: replies to them are read as ever."""

import email
import email.policy
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect, text

from host.demo.robot import write
from host.mail.inbound.sent_text import letter_forms
from host.store import packing
from host.store.database import Store, migrate
from tests.store.server import claiming, server
from tests.store.test_migrations import migrated
from tests.turn.desk import Desk

ANN, BOB = "ann@example.net", "bob@example.net"
BEFORE = "0009"
WHOLE = ("body", "page", "message")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgresql, pytest.mark.storm])])
def desk(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    if request.param == "postgresql":
        url = server().fresh()
        monkeypatch.setattr("tests.turn.desk.open_store", lambda _url: claiming(url))
    made = Desk(tmp_path)
    made.begin()
    yield made
    made.store.close()


def quoting(desk: Desk, words: str, mark: str = "") -> bytes:
    """Ann's reply to her first letter of the episode, which it quotes, with this before each line."""
    letter = next(each for each in desk.letters(ANN) if each.kind == "begin")
    quoted = "\n".join(mark + line for line in letter.text.splitlines())
    body = f"{words}\n\n{quoted}"
    return write(ANN, "Ann", letter.headers["reply-to"], "Re: x", body, letter.headers["message-id"])


def lines(desk: Desk, raw: bytes) -> list[Any]:
    """What is read in a mail that arrives."""
    mail = desk.deliver(raw)
    assert mail.state == "played", (mail.state, mail.note)
    return mail.lines


def columns(store: Store) -> set[str]:
    with store.engine.connect() as connection:
        return {each["name"] for each in inspect(connection).get_columns("letters")}


def stored(store: Store, *names: str) -> list[tuple[Any, ...]]:
    with store.engine.connect() as connection:
        rows = connection.execute(text(f"SELECT {', '.join(names)} FROM letters ORDER BY id"))
        return [tuple(bytes(each) if isinstance(each, memoryview) else each for each in row) for row in rows]


def by_the_library(message: bytes) -> bytes:
    """The same letter as a version before wrote it: made by the standard library, its lines ending in LF."""
    whole = email.message_from_bytes(message, policy=email.policy.default)
    body, page = whole.get_body(("plain",)), whole.get_body(("html",))
    assert body is not None
    assert page is not None
    made = EmailMessage()
    for name, value in whole.items():
        if name not in ("MIME-Version", "Content-Type"):
            made[name] = value
    made.set_content(body.get_content(), cte="base64")
    made.add_alternative(page.get_content(), subtype="html", cte="base64")
    return made.as_bytes()


def many_copies(store: Store, times: int) -> None:
    """So many letters that they are not converted at once."""
    names = ", ".join(sorted(columns(store) - {"id", "token"}))
    with store.engine.begin() as connection:
        for number in range(times):
            connection.execute(
                text(f"INSERT INTO letters (token, {names}) SELECT substr('{number}x' || token, 1, 32), {names} "
                     "FROM letters WHERE length(token) = 26")
            )  # fmt: skip


def test_an_old_database_is_converted_and_a_reply_to_an_old_letter_is_read_as_before(desk: Desk) -> None:
    written = [message for _, _, message in desk.sent]
    migrated(desk.store, BEFORE, back=True)
    assert columns(desk.store) >= {*WHOLE}
    before = stored(desk.store, *WHOLE)
    assert [row[2] for row in before] == written
    assert [row[:2] for row in before] == [letter_forms(each) for each in written]
    old = by_the_library(written[-1])
    with desk.store.engine.begin() as connection:
        changed = "UPDATE letters SET message = :old WHERE id = (SELECT max(id) FROM letters)"
        connection.execute(text(changed), {"old": old})
    many_copies(desk.store, 400 // len(written))
    migrate(desk.store)
    assert not columns(desk.store) & {*WHOLE}
    packed = [row[0] for row in stored(desk.store, "packed")]
    assert len(packed) > 400
    assert [packing.unpack(each) for each in packed[: len(written)]] == [*written[:-1], old]
    assert letter_forms(old) == before[-1][:2]
    assert sum(map(len, packed[: len(written) - 1])) < sum(map(len, written)) / 5
    assert lines(desk, quoting(desk, "cut 7")) == ["cut 7"]
    assert desk.answer(ANN, "pick 5").state == "played"


def test_a_conversion_that_stops_leaves_all_as_it_was(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    migrated(desk.store, BEFORE, back=True)
    before = stored(desk.store, "id", *WHOLE)
    left = iter(range(len(before) - 1))

    def fails(message: bytes) -> bytes:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return message

    monkeypatch.setattr(packing, "pack", fails)
    with pytest.raises(KeyboardInterrupt):
        migrate(desk.store)
    assert stored(desk.store, "id", *WHOLE) == before
    assert "packed" not in columns(desk.store)
    monkeypatch.undo()
    migrate(desk.store)
    assert [packing.unpack(row[0]) for row in stored(desk.store, "packed")] == [row[3] for row in before]
