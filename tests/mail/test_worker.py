"""The process that opens mails: what it answers, what it survives, what it leaves behind."""

import asyncio
import contextlib
import os
import pkgutil
import resource
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from encodings import __path__ as encodings_path
from encodings.aliases import aliases
from pathlib import Path

import pytest

from host.mail.opener import MEMORY
from host.mail.reply import open_mail
from host.mail.worker import ReadingError, Worker
from tests.mail.test_reply import HOSTILE
from tests.patience import not_for_ever

REPLIES = Path(__file__).parent / "replies"
LETTER = (REPLIES / "letters" / "turn.eml").read_bytes()
REPLY = (REPLIES / "outlook-com-top.eml").read_bytes()
CODECS = sorted({each.name for each in pkgutil.iter_modules(encodings_path)} | set(aliases) | set(aliases.values()))
MAX_BYTES = 2_000_000
"""What the inbox fetches of a mail."""


@pytest.fixture
async def worker() -> AsyncIterator[Worker]:
    found = Worker()
    yield found
    await found.close()


def plain(body: bytes, kind: bytes = b"text/plain; charset=utf-8") -> bytes:
    return b"From: ann@example.net\r\nContent-Type: " + kind + b"\r\n\r\n" + body


def numbered(number: int) -> bytes:
    return plain(b"pick %d" % number)


def slow_letters() -> dict[int, bytes]:
    """Letters that take seconds to be taken apart, and are no more than large."""
    page = b"<table>" + b"<tr><td>pick <b>5</b></td><td>on</td></tr>" * 4_500 + b"</table>"
    return {number: plain(page, b"text/html; charset=utf-8") for number in range(60)}


class Fetching:
    """The store of letters, and what was asked of it."""

    def __init__(self, messages: Mapping[int, bytes]) -> None:
        self.messages = messages
        self.asked: list[list[int]] = []

    async def __call__(self, letters: Sequence[int]) -> Mapping[int, bytes]:
        self.asked.append(list(letters))
        return {letter: self.messages[letter] for letter in letters if letter in self.messages}


async def take_long(worker: Worker) -> None:
    messages = slow_letters()
    await worker.read("keep\n" * 50, list(messages), Fetching(messages))


def pid(worker: Worker) -> int:
    assert worker._process is not None
    return worker._process.pid


def is_alive(process: int) -> bool:
    """A process that has ended, but that nobody has waited for, is not alive."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def ends(process: int, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while is_alive(process) and time.monotonic() < until:
        time.sleep(0.05)
    return not is_alive(process)


async def is_well(worker: Worker) -> None:
    assert await worker.open(REPLY) == open_mail(REPLY)


# What it answers


async def test_a_mail_is_opened_as_without_the_process(worker: Worker) -> None:
    for raw in (REPLY, numbered(5), b"", b"\xff" * 100):
        assert await worker.open(raw) == open_mail(raw)


async def test_bounces_cross_the_pipe_whole(worker: Worker) -> None:
    raw = (REPLIES.parent / "automatic" / "exim-report.bounce.eml").read_bytes()
    found = await worker.open(raw)
    assert found.bounce is not None
    assert found == open_mail(raw)


async def test_each_letter_is_fetched_once(worker: Worker) -> None:
    fetching = Fetching({1: LETTER, 2: numbered(7), 3: numbered(8)})
    text = open_mail(REPLY).text
    for letters in ([1, 2], [2, 1], [1, 3], [3]):
        await worker.read(text, letters, fetching)
    assert fetching.asked == [[1, 2], [3]]
    assert (await worker.read(text, [1], fetching)).lines == ("pick 5",)


async def test_without_letters_nothing_is_fetched(worker: Worker) -> None:
    fetching = Fetching({})
    assert (await worker.read("keep\n> pick 5", [], fetching)).lines == ("keep",)
    assert fetching.asked == []


async def test_a_letter_that_is_gone_is_none(worker: Worker) -> None:
    assert (await worker.read("keep", [1], Fetching({}))).lines == ("keep",)


async def test_a_new_process_asks_for_the_letters_anew(worker: Worker) -> None:
    fetching = Fetching({1: LETTER})
    await worker.read("keep", [1], fetching)
    await worker.close()
    assert (await worker.read("keep", [1], fetching)).lines == ("keep",)
    assert fetching.asked == [[1], [1]]


async def test_calls_at_the_same_time_get_their_own_answers(worker: Worker) -> None:
    found = await asyncio.gather(*[worker.open(numbered(number)) for number in range(20)])
    assert [mail.text for mail in found] == [f"pick {number}" for number in range(20)]


# What it survives


async def test_what_takes_too_long_is_given_up_and_the_next_mail_is_read() -> None:
    worker = Worker(seconds=0.5)
    await is_well(worker)
    before = pid(worker)
    with not_for_ever(), pytest.raises(ReadingError, match="seconds"):
        await take_long(worker)
    assert not is_alive(before)
    await is_well(worker)
    assert pid(worker) != before
    await worker.close()


async def test_a_process_that_was_killed_at_work_is_replaced(worker: Worker) -> None:
    await is_well(worker)
    task = asyncio.create_task(take_long(worker))
    await asyncio.sleep(0.3)
    os.kill(pid(worker), signal.SIGKILL)
    with pytest.raises(ReadingError):
        await task
    await is_well(worker)


async def test_a_process_that_was_killed_while_it_waited_costs_no_mail(worker: Worker) -> None:
    await is_well(worker)
    assert worker._process is not None
    os.kill(pid(worker), signal.SIGKILL)
    await worker._process.wait()
    await is_well(worker)


async def test_the_kernel_limits_its_memory(worker: Worker) -> None:
    await is_well(worker)
    assert resource.prlimit(pid(worker), resource.RLIMIT_AS) == (MEMORY, MEMORY)
    with pytest.raises(ReadingError):
        await worker.open(plain("😀".encode() + b"\xf0\x9f\x98\x80" * 20_000_000))
    await is_well(worker)


@pytest.mark.parametrize("after", [0.0, 0.01, 0.1, 0.5])
async def test_a_call_that_is_cancelled_leaves_the_next_its_own_answer(worker: Worker, after: float) -> None:
    await is_well(worker)
    task = asyncio.create_task(take_long(worker))
    await asyncio.sleep(after)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [(await worker.open(numbered(number))).text for number in range(3)] == ["pick 0", "pick 1", "pick 2"]


async def test_a_call_that_waits_for_its_turn_can_be_cancelled(worker: Worker) -> None:
    await is_well(worker)
    first = asyncio.create_task(worker.open(REPLY))
    second = asyncio.create_task(worker.open(numbered(1)))
    third = asyncio.create_task(worker.open(numbered(2)))
    await asyncio.sleep(0)
    second.cancel()
    assert await first == open_mail(REPLY)
    assert (await third).text == "pick 2"
    with pytest.raises(asyncio.CancelledError):
        await second


# What it leaves behind


async def test_closing_leaves_no_process() -> None:
    worker = Worker()
    await worker.close()
    await is_well(worker)
    before = pid(worker)
    await worker.close()
    assert not is_alive(before)
    await worker.close()


PARENT = """
import asyncio, sys
from host.mail.worker import Worker
async def main():
    worker = Worker()
    await worker.open(b"From: a@b.c\\n\\nx")
    print(worker._process.pid, flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""


def test_a_daemon_that_is_killed_takes_the_process_along() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        process = int(parent.stdout.readline())
        assert is_alive(process)
        parent.kill()
    assert ends(process, 5)


# Hostile mails, one after the other, in one process


HUGE = {
    **HOSTILE,
    "64 KB of On in a known letter": plain(b"On the other hand\n" * 3_700),
    "a 50 MB attachment, cut": plain(
        b"--b\r\nContent-Type: text/plain\r\n\r\npick 5\r\n--b\r\nContent-Type: application/zip\r\n"
        b"Content-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        + (b"QUJD" * 19 + b"\r\n")
        * 640_000,
        b"multipart/mixed; boundary=b",
    )[:MAX_BYTES],
    "2 MB of text": plain(b"pick 5\n" * 300_000)[:MAX_BYTES],
    "2 MB of one line": plain(b"pick 5 " * 300_000)[:MAX_BYTES],
    "2 MB of HTML": plain(b"<p>x<div><b>" * 170_000, b"text/html")[:MAX_BYTES],
    "2 MB of headers": (b"From: ann@example.net\r\n" + b"X-A: b\r\n" * 250_000)[:MAX_BYTES],
    "2 MB of references": (b"From: ann@example.net\r\nReferences: " + b"<a@b> " * 340_000)[:MAX_BYTES],
    "2 MB of senders": (b"From: " + b"a@b.c, " * 290_000)[:MAX_BYTES],
    "2 MB of open quotes": (b"From: " + b'"<(' * 700_000)[:MAX_BYTES],
    "2 MB of parts": plain(b"--b\r\n\r\n" * 290_000, b"multipart/mixed; boundary=b")[:MAX_BYTES],
}

SLOW = {
    "2 MB of one header": (b"From: ann@example.net\r\nSubject: " + b"=?utf-8?q?x?= " * 150_000)[:MAX_BYTES],
    "2 MB of parameters": (b"From: a@b.c\r\nContent-Type: text/plain" + b"; a=b" * 400_000)[:MAX_BYTES],
    "2 MB of split parameters": (
        b"From: a@b.c\r\nContent-Type: text/plain" + b"".join(b"; a*%d*=b" % at for at in range(160_000))
    )[:MAX_BYTES],
}


@pytest.mark.parametrize("name", list(HUGE))
async def test_a_hostile_mail_is_read_within_the_limit_and_so_is_the_next(worker: Worker, name: str) -> None:
    await is_well(worker)
    before = pid(worker)
    mail = await worker.open(HUGE[name])
    await worker.read(mail.text, [1], Fetching({1: LETTER}))
    await is_well(worker)
    assert pid(worker) == before


@pytest.mark.parametrize("name", list(SLOW))
async def test_a_mail_that_takes_too_long_is_given_up_and_the_next_is_read(name: str) -> None:
    worker = Worker(seconds=1)
    with not_for_ever(), contextlib.suppress(ReadingError):
        await worker.open(SLOW[name])
    await is_well(worker)
    await worker.close()


async def test_every_codec_that_python_knows_may_be_named_as_a_charset(worker: Worker) -> None:
    assert len(CODECS) > 300
    await is_well(worker)
    before = pid(worker)
    for name in CODECS:
        for body in (b"pick 5", bytes(range(256))):
            mail = await worker.open(plain(body, b"text/plain; charset=" + name.encode()))
            assert mail.problem is None
            assert isinstance((await worker.read(mail.text, [], Fetching({}))).lines, tuple)
    await is_well(worker)
    assert pid(worker) == before


async def test_a_process_that_is_ended_in_the_middle_of_a_job_has_a_successor_that_does_it() -> None:
    worker = Worker()
    await worker.start()
    assert worker._process is not None
    os.kill(worker._process.pid, signal.SIGSTOP)
    job = asyncio.create_task(worker.open(REPLY))
    await asyncio.sleep(0.2)
    os.kill(worker._process.pid, signal.SIGKILL)
    assert await job == open_mail(REPLY)
    await worker.close()
