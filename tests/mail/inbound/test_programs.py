"""Replies that real mail programs wrote, above, below and inside the letter they answer: each is read to the letter."""

import json
from pathlib import Path
from typing import Any

from host.mail.inbound.mail import Typed
from host.mail.inbound.reply import open_mail, sent_texts
from host.mail.inbound.sandbox import ReadingError, Sandbox, Unread
from tests.mail.inbound.typed import typed_in
from tests.rows import every

PROGRAMS = Path(__file__).parent / "programs"
NAMES = sorted(file.stem for file in PROGRAMS.glob("*.eml"))


def wanted(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((PROGRAMS / f"{name}.json").read_text("utf-8"))
    return found


def raw(name: str) -> bytes:
    return (PROGRAMS / f"{name}.eml").read_bytes()


def letter(name: str) -> bytes:
    """The letter that a reply answers, as it was sent."""
    return (PROGRAMS / "letters" / str(wanted(name)["letter"])).read_bytes()


def test_each_reply_has_its_reading_and_each_letter_is_answered() -> None:
    assert sorted(file.stem for file in PROGRAMS.glob("*.json")) == NAMES
    assert len(NAMES) > 70
    assert {wanted(name)["letter"] for name in NAMES} == {file.name for file in (PROGRAMS / "letters").iterdir()}
    assert all(set(wanted(name)) == {"letter", "typed", "how"} for name in NAMES)


@every("name", NAMES)
def test_what_was_typed_comes_out_and_nothing_else(name: str) -> None:
    typed = typed_in(open_mail(raw(name)), sent_texts(letter(name)))
    assert typed == Typed(tuple(wanted(name)["typed"]))


async def test_the_process_reads_them_the_same() -> None:
    worker = Sandbox()
    opened = await worker.open_all([raw(name) for name in NAMES])
    unread = []
    for name, each in zip(NAMES, opened, strict=True):
        assert not isinstance(each, ReadingError)
        mail, typed, _ = each
        assert typed is None or list(typed.lines) == wanted(name)["typed"]
        unread.append(Unread(mail.text, [letter(name)], False, mail.page, mail.display_name))
    found = await worker.read_all(unread)
    await worker.close()
    for name, read in zip(NAMES, found, strict=True):
        assert read is None or (isinstance(read, Typed) and list(read.lines) == wanted(name)["typed"])
    assert found.count(None) < len(NAMES) / 10
