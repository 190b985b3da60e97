"""The log: one entry a line, what it is about, no tokens, whoever logs."""

import asyncio
import io
import json
import logging
import re
import threading
from collections.abc import Iterator
from contextvars import copy_context
from typing import Any, Literal

import pytest

from host.logs import about, configure, redact
from tests.rows import every

TOKEN = "abcdefghijklmnopqrstuvwxy7"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SHOWN = "abcd…"

log = logging.getLogger("podium")


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def text() -> io.StringIO:
    stream = io.StringIO()
    configure("text", stream)
    return stream


@pytest.fixture
def lines() -> io.StringIO:
    stream = io.StringIO()
    configure("json", stream)
    return stream


def entries(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


# Shape


def test_text_tells_time_level_logger_and_words(text: io.StringIO) -> None:
    log.warning("mailbox %s: %s", "INBOX", "gone")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d warning podium: mailbox INBOX: gone\n", text.getvalue())


def test_text_shows_what_an_entry_is_about(text: io.StringIO) -> None:
    with about(mail=12, sender="Ann Lee", empty=""):
        log.info("serving")
    log.info("later")
    first, second = text.getvalue().splitlines()
    assert first.endswith('podium: serving empty="" mail=12 sender="Ann Lee"')
    assert second.endswith("podium: later")


def test_json_is_one_object_a_line(lines: io.StringIO) -> None:
    with about(mail=12):
        log.warning("two\nlines of %s", "José")
    (entry,) = entries(lines)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", entry.pop("timestamp"))
    assert entry == {"level": "warning", "logger": "podium", "event": "two\nlines of José", "mail": 12}
    assert list(entries(lines)[0]) == ["timestamp", "level", "logger", "event", "mail"]


def test_debug_is_not_logged_and_configuring_again_does_not_double(text: io.StringIO) -> None:
    configure("text", text)
    log.debug("hidden")
    log.info("shown")
    assert text.getvalue().count("\n") == 1


def test_a_field_named_like_a_part_of_the_entry_does_not_replace_it(lines: io.StringIO) -> None:
    with about(level="none", event="other", logger="mine"):
        log.info("words")
    (entry,) = entries(lines)
    assert (entry["level"], entry["event"], entry["logger"]) == ("info", "words", "podium")


# Exceptions


def fail(words: str) -> None:
    try:
        raise ValueError(words)
    except ValueError:
        log.exception("mail %s could not be handled", 3)


def test_text_shows_a_traceback_below_the_entry(text: io.StringIO) -> None:
    fail("no sense")
    first, *below = text.getvalue().splitlines()
    assert first.endswith("error podium: mail 3 could not be handled")
    assert below[0] == "  Traceback (most recent call last):"
    assert below[-1] == "  ValueError: no sense"


def test_json_keeps_a_traceback_in_its_object(lines: io.StringIO) -> None:
    fail(f"no sense in games+{LETTERS}@example.org")
    (entry,) = entries(lines)
    assert entry["exception"].startswith("Traceback")
    assert entry["exception"].endswith(f"ValueError: no sense in games+{SHOWN}@example.org")


def test_nothing_a_mail_says_begins_an_entry(text: io.StringIO) -> None:
    forged = "x\n2026-11-21 13:00:00 error podium: all is lost\r\x1b[2J\u2028"
    log.info("subject %s", forged)
    with about(subject=forged):
        log.info("words")
    fail(forged)
    written = text.getvalue()
    assert not re.search(r"^2026-11-21 13:00:00 error podium: all is lost", written, re.MULTILINE)
    assert not set("\r\x1b\u2028") & set(written)


@pytest.mark.parametrize("format", ["text", "json"])
def test_nothing_a_mail_says_turns_the_log_round(format: Literal["text", "json"]) -> None:
    stream = io.StringIO()
    configure(format, stream)
    with about(subject="\u2066x\x9b\u202e"):
        log.info("from %s", "ann\u202e\x85\U000e0041")
    (line,) = stream.getvalue().splitlines()
    assert line.isprintable()
    if format == "json":
        assert json.loads(line)["event"] == "from ann\u202e\x85\U000e0041", "JSON gives what was written"
    else:
        assert r"from ann\u202e\x85\U000e0041" in line


# Tokens


@every(
    ("written", "shown"),
    [
        (TOKEN, SHOWN),
        (TOKEN.upper(), "ABCD…"),
        (f"games+{TOKEN}@example.org", f"games+{SHOWN}@example.org"),
        (f"games+{LETTERS}@example.org", f"games+{SHOWN}@example.org"),
        (f"<{LETTERS}@example.org>", f"<{SHOWN}@example.org>"),
        (f"mailto:games%2B{LETTERS}%40example.org?subject=x", f"mailto:games%2B{SHOWN}%40example.org?subject=x"),
        (f'href=3D"mailto:games=2B{TOKEN}=40x', f'href=3D"mailto:games=2B{SHOWN}=40x'),
        (f"[CC-12 {TOKEN}]", f"[CC-12 {SHOWN}]"),
        (f"[CC-12 {LETTERS}]", f"[CC-12 {SHOWN}]"),
        (f'boundary="=_{LETTERS}"', f'boundary="=_{SHOWN}"'),
        (f"--=_with_{LETTERS}", f"--=_with_{SHOWN}"),
        (repr(f"one\r\n{TOKEN}\n".encode()), f"b'one\\r\\n{SHOWN}\\n'"),
        (f"{TOKEN} and {TOKEN}", f"{SHOWN} and {SHOWN}"),
        (LETTERS, LETTERS),
        (f"{TOKEN}x", f"{TOKEN}x"),
        ("c" * 30 + "34", "c" * 30 + "34"),
        ("0123456789abcdef" * 4, "0123456789abcdef" * 4),
        (f"{LETTERS[:25]}9", f"{LETTERS[:25]}9"),
    ],
)
def test_a_token_is_cut_and_nothing_else(written: str, shown: str) -> None:
    assert redact(written) == shown


def test_tokens_are_cut_in_arguments_fields_and_entries_of_libraries(lines: io.StringIO) -> None:
    logging.getLogger("some.library").warning("sent %r to %s", {"a": TOKEN}, [f"games+{LETTERS}@example.org"])
    with about(tokens=[TOKEN, {"deep": (TOKEN, 1)}], error=ValueError(TOKEN), size=3, known=True, nothing=None):
        log.info("words")
    first, second = entries(lines)
    assert first["event"] == f"sent {{'a': '{SHOWN}'}} to ['games+{SHOWN}@example.org']"
    assert second["tokens"] == [SHOWN, {"deep": [SHOWN, 1]}]
    assert (second["error"], second["size"], second["known"], second["nothing"]) == (SHOWN, 3, True, None)
    assert TOKEN not in lines.getvalue()


def test_tokens_are_cut_in_text_too(text: io.StringIO) -> None:
    with about(address=f"games+{TOKEN}@example.org", tokens=[TOKEN]):
        fail(TOKEN)
    assert f"address=games+{SHOWN}@example.org" in text.getvalue()
    assert TOKEN not in text.getvalue()


# Libraries and threads


def test_libraries_that_talk_much_are_heard_from_warnings_on(text: io.StringIO) -> None:
    for name in ("apscheduler.executors.default", "alembic.runtime.migration", "httpx", "mail.log"):
        logging.getLogger(name).info("chatter")
        logging.getLogger(name).warning("trouble")
    assert "chatter" not in text.getvalue()
    assert text.getvalue().count("trouble") == 4


def test_a_job_that_still_lasts_is_no_warning(text: io.StringIO) -> None:
    logging.getLogger("apscheduler.scheduler").warning("skipped: maximum number of running instances reached")
    assert text.getvalue() == ""


def test_aioimaplib_cannot_be_made_to_tell_what_it_reads(text: io.StringIO) -> None:
    library = logging.getLogger("aioimaplib.aioimaplib")
    library.setLevel(logging.DEBUG)
    try:
        library.debug("Received : %s", "a whole mail")
        library.info("LOGIN secret")
        library.warning("trouble")
    finally:
        library.setLevel(logging.NOTSET)
    assert text.getvalue().count("\n") == 1
    assert "trouble" in text.getvalue()


async def test_fields_stay_with_their_task_and_follow_a_copied_context(lines: io.StringIO) -> None:
    async def one(number: int) -> None:
        with about(mail=number):
            await asyncio.sleep(0.01)
            context = copy_context()
            thread = threading.Thread(target=context.run, args=(log.info, "on the desk"))
            thread.start()
            thread.join()
            log.info("done")

    await asyncio.gather(one(1), one(2))
    found = sorted((entry["mail"], entry["event"]) for entry in entries(lines))
    assert found == [(1, "done"), (1, "on the desk"), (2, "done"), (2, "on the desk")]
