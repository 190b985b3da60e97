"""The process that opens mails: what it answers, what it survives, what it leaves behind."""

import asyncio
import os
import pkgutil
import resource
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from encodings import __path__ as encodings_path
from encodings.aliases import aliases
from pathlib import Path

import pytest

from host.mail.inbound import sandbox
from host.mail.inbound.mail import Mail, Typed
from host.mail.inbound.reply import open_mail
from host.mail.inbound.sandbox import ReadingError, Sandbox, Unread
from host.mail.inbound.sandbox_process import MEMORY
from host.mail.outbound.render import message
from tests.mail.inbound.slow import TAKES_LONG, open_slowly
from tests.mail.inbound.test_reply import HOSTILE
from tests.patience import not_for_ever, until, wait_until
from tests.size import size

REPLIES = Path(__file__).parent / "replies"
LETTER = (REPLIES / "letters" / "turn.eml").read_bytes()
REPLY = (REPLIES / "outlook-com-top.eml").read_bytes()
CODECS = sorted({each.name for each in pkgutil.iter_modules(encodings_path)} | set(aliases) | set(aliases.values()))
MAX_BYTES = 2_000_000
"""What the inbox fetches of a mail."""


@pytest.fixture(autouse=True)
def one_mail_takes_long(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    open_slowly(monkeypatch, tmp_path)
    yield
    sandbox.PARENT.close()


@pytest.fixture
async def worker() -> AsyncIterator[Sandbox]:
    found = Sandbox()
    yield found
    await found.close()


def plain(body: bytes, kind: bytes = b"text/plain; charset=utf-8") -> bytes:
    return b"From: ann@example.net\r\nContent-Type: " + kind + b"\r\n\r\n" + body


def numbered(number: int) -> bytes:
    return plain(b"pick %d" % number)


async def take_long(worker: Sandbox) -> None:
    await worker.open(TAKES_LONG)


def forked() -> list[int]:
    """The processes that open mails: this test has a parent of its own."""
    parent = sandbox.PARENT._process
    return [] if parent is None else children_of(parent.pid)


def children_of(process: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def pid(worker: Sandbox) -> int:
    assert worker._process is not None
    (found,) = forked()
    return found


async def at_work(folder: Path, killed: set[int]) -> int:
    """A process, none of those that were killed, that has begun its job."""

    def begun() -> set[int]:
        return {int(each.name.partition("-")[2]) for each in folder.glob("begun-*")} - killed

    found: set[int] = await until(begun, "the job to be begun")
    return found.pop()


def is_alive(process: int) -> bool:
    """A process that has ended, but that nobody has waited for, is not alive."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def opened(
    found: Sequence[tuple[Mail, Typed | None, tuple[bytes, ...]] | ReadingError],
) -> list[tuple[Mail, Typed | None]]:
    assert not any(isinstance(each, ReadingError) for each in found)
    return [each[:2] for each in found if not isinstance(each, ReadingError)]


def typed(found: Sequence[Typed | ReadingError | None]) -> list[Typed | None]:
    assert not any(isinstance(each, ReadingError) for each in found)
    return [each for each in found if not isinstance(each, ReadingError)]


async def is_well(worker: Sandbox) -> None:
    assert await worker.open(REPLY) == open_mail(REPLY)


async def test_it_runs_the_same_code_and_has_no_passwords(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for module in ("host", "json"):
        (elsewhere / f"{module}.py").write_text("raise SystemExit('another module of this name')")
    monkeypatch.chdir(elsewhere)
    monkeypatch.setenv("PODIUM_IMAP__PASSWORD", "secret")
    worker = Sandbox()
    await is_well(worker)
    assert b"PODIUM_" not in Path(f"/proc/{pid(worker)}/environ").read_bytes()
    await worker.close()


# What it answers


async def test_a_mail_is_opened_as_without_the_process(worker: Sandbox) -> None:
    for raw in (REPLY, numbered(5), b"", b"\xff" * 100):
        assert await worker.open(raw) == open_mail(raw)


async def test_bounces_cross_the_pipe_whole(worker: Sandbox) -> None:
    raw = (REPLIES.parent / "automatic" / "exim-report.bounce.eml").read_bytes()
    found = await worker.open(raw)
    assert found.bounce is not None
    assert found == open_mail(raw)


async def test_many_mails_are_answered_in_their_order(worker: Sandbox) -> None:
    raws = [numbered(number) for number in range(20)] + [REPLY, b""]
    found = await worker.open_all(raws)
    assert [mail for mail, _ in opened(found)] == [open_mail(raw) for raw in raws]
    assert await worker.open_all([]) == []


async def test_mails_and_answers_larger_than_any_pipe_are_carried(worker: Sandbox) -> None:
    raws = [plain("ü".encode() * 500_000), plain(b"\xff" * 2_000_000)] * size(1, 8)
    with not_for_ever():
        found = await worker.open_all(raws)
    assert [mail for mail, _ in opened(found)] == [open_mail(raw) for raw in raws]


async def test_what_was_typed_is_told_at_once_where_the_mail_shows_it(worker: Sandbox) -> None:
    token = b"To: games+o2ycnphhsavuqve3t6nr3wau5u@example.org\r\n"
    header = b"\n\nOn Fri, Nov 20, 2026 at 3:00 PM The Millionaire <games@example.org> wrote:\n"
    marked = token + plain(b"pick 5" + header + b"> Hello Ann, here is the board of our game.\n> Good luck!")
    unmarked = token + plain(b"pick 5" + header + b"Hello Ann, here is the board of our game.\nGood luck!")
    raws = [token + numbered(5), marked, unmarked, unmarked.removeprefix(token)]
    found = [typed for _, typed in opened(await worker.open_all(raws))]
    assert [typed and typed.lines for typed in found] == [("pick 5",), ("pick 5",), None, ("pick 5",)]


async def test_texts_are_held_against_letters_and_more_are_asked_for_where_needed(worker: Sandbox) -> None:
    rows = ("Hello Ann, here is the board of our game.", "Your turn: say which space you want.")
    header = "On Fri, Nov 20, 2026 at 3:00 PM The Millionaire <games@example.org> wrote:"
    text = "\n".join(("pick 5", "", header, *rows))
    forms = (("Nothing of it.", "<p>Nor here.</p>"), ("\n".join(rows), ""), ("", "<br>".join(rows)))
    other, letter, page = (message([], *form, "mark") for form in forms)
    held_against: list[list[bytes]] = [[], [other], [letter], [other, page], [LETTER]]
    quoted = [Unread(text, letters, are_all=False) for letters in held_against]
    last = Unread("\n".join(rows), [other])
    inside = Unread("\n".join((header, f"> {rows[0]}", "pick 5", f"> {rows[1]}")), [letter])
    found = typed(await worker.read_all([*quoted, last, Unread("", [], are_all=False), inside]))
    lines = [each and each.lines for each in found]
    assert lines == [None, None, ("pick 5",), ("pick 5",), None, rows, (), ("pick 5",)]
    assert [each.within for each in found if each] == [(), (), (), (), ("pick 5",)]


async def test_letters_are_held_against_a_text(worker: Sandbox) -> None:
    assert (await worker.read(Unread(open_mail(REPLY).text, [LETTER, numbered(7)]))).lines == ("pick 5",)


async def test_without_letters_a_text_is_read_too(worker: Sandbox) -> None:
    assert (await worker.read(Unread("keep\n> pick 5", []))).lines == ("keep",)


async def test_calls_at_the_same_time_get_their_own_answers(worker: Sandbox) -> None:
    found = await asyncio.gather(*[worker.open(numbered(number)) for number in range(20)])
    assert [mail.text for mail in found] == [f"pick {number}" for number in range(20)]


async def test_processes_share_one_parent_and_hold_nothing_of_one_another() -> None:
    workers = [Sandbox(), Sandbox(), Sandbox()]
    await asyncio.gather(*[is_well(worker) for worker in workers])
    children = forked()
    assert len(children) == 3
    handles = [
        {link.readlink().name for link in Path(f"/proc/{each}/fd").iterdir() if "socket:" in str(link.readlink())}
        for each in children
    ]
    assert [len(each) for each in handles] == [1, 1, 1]
    assert not set.intersection(*handles)
    for worker in workers:
        await worker.close()
    assert forked() == []


async def test_a_parent_that_was_killed_has_a_successor(worker: Sandbox) -> None:
    await is_well(worker)
    assert sandbox.PARENT._process is not None
    before = sandbox.PARENT._process
    before.kill()
    before.wait()
    await is_well(worker)
    await worker.close()
    await is_well(worker)
    assert sandbox.PARENT._process is not before


# What it survives


async def test_what_takes_too_long_is_given_up_and_the_next_mail_is_read() -> None:
    worker = Sandbox(seconds=0.5)
    await is_well(worker)
    before = pid(worker)
    with not_for_ever(), pytest.raises(ReadingError, match="seconds"):
        await take_long(worker)
    assert not is_alive(before)
    await is_well(worker)
    assert pid(worker) != before
    await worker.close()


async def test_a_mail_that_takes_too_long_costs_no_other_mail_handed_over_with_it() -> None:
    worker = Sandbox(seconds=0.5)
    with not_for_ever():
        found = await worker.open_all([numbered(1), TAKES_LONG, numbered(2), REPLY])
    assert isinstance(found.pop(1), ReadingError)
    assert [mail.text for mail, _ in opened(found)] == ["pick 1", "pick 2", open_mail(REPLY).text]
    await worker.close()


async def test_a_process_that_was_killed_at_work_is_replaced(worker: Sandbox, tmp_path: Path) -> None:
    await is_well(worker)
    before = pid(worker)
    task = asyncio.create_task(take_long(worker))
    killed = set[int]()
    for _ in range(2):
        killed.add(process := await at_work(tmp_path, killed))
        os.kill(process, signal.SIGKILL)
    with pytest.raises(ReadingError):
        await task
    assert not is_alive(before)
    await is_well(worker)


async def test_a_process_that_is_killed_again_and_again_costs_no_mail_that_it_was_not_working_on(
    worker: Sandbox,
) -> None:
    job = asyncio.create_task(worker.open_all([numbered(number) for number in range(500)]))
    killed = set[int]()
    while not job.done() and len(killed) < 3:
        await asyncio.sleep(0.005)
        for process in set(forked()) - killed:
            killed.add(process)
            os.kill(process, signal.SIGKILL)
            await asyncio.sleep(0.3)
    found = await job
    assert len(found) == 500
    told = {at: each for at, each in enumerate(found) if not isinstance(each, ReadingError)}
    assert {at: mail.text for at, (mail, *_) in told.items()} == {at: f"pick {at}" for at in told}
    assert len(told) >= 498


async def test_a_process_that_was_killed_while_it_waited_costs_no_mail(worker: Sandbox) -> None:
    await is_well(worker)
    assert worker._process is not None
    os.kill(pid(worker), signal.SIGKILL)
    await worker._process.ended
    await is_well(worker)


async def test_a_process_whose_line_was_closed_a_moment_ago_has_a_successor(worker: Sandbox) -> None:
    await is_well(worker)
    assert worker._process is not None
    worker._process.jobs.transport.abort()
    await asyncio.sleep(0)
    await is_well(worker)


async def test_the_kernel_limits_its_memory_which_costs_no_other_mail(worker: Sandbox) -> None:
    await is_well(worker)
    assert resource.prlimit(pid(worker), resource.RLIMIT_AS) == (MEMORY, MEMORY)
    huge = plain("😀".encode() + b"\xf0\x9f\x98\x80" * 20_000_000)
    found = await worker.open_all([numbered(1), huge, numbered(2)])
    assert isinstance(found.pop(1), ReadingError)
    assert [mail.text for mail, _ in opened(found)] == ["pick 1", "pick 2"]


@pytest.mark.parametrize("is_begun", [False, True])
async def test_a_call_that_is_cancelled_leaves_the_next_its_own_answer(
    worker: Sandbox, is_begun: bool, tmp_path: Path
) -> None:
    await is_well(worker)
    task = asyncio.create_task(take_long(worker))
    await asyncio.sleep(0)
    if is_begun:
        await at_work(tmp_path, set())
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [(await worker.open(numbered(number))).text for number in range(3)] == ["pick 0", "pick 1", "pick 2"]


async def test_a_call_that_waits_for_its_turn_can_be_cancelled(worker: Sandbox) -> None:
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


async def test_a_process_without_a_job_ends_and_the_next_job_has_another(
    worker: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "IDLE_SECONDS", 0.0)
    await is_well(worker)
    await until(lambda: not forked(), "the process to end")
    await is_well(worker)


# What it leaves behind


async def test_closing_leaves_no_process() -> None:
    worker = Sandbox()
    await worker.close()
    await is_well(worker)
    before = pid(worker)
    await worker.close()
    assert not is_alive(before)
    await worker.close()


PARENT = """
import asyncio, sys
from host.mail.inbound import sandbox
async def main():
    worker = sandbox.Sandbox()
    await worker.open(b"From: a@b.c\\n\\nx")
    print(sandbox.PARENT._process.pid, flush=True)
    await asyncio.Event().wait()
asyncio.run(main())
"""


def test_a_daemon_that_is_killed_takes_the_process_along() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        process = int(parent.stdout.readline())
        (child,) = children_of(process)
        assert is_alive(process)
        assert is_alive(child)
        parent.kill()
    wait_until(lambda: not is_alive(process), "the process to end")
    wait_until(lambda: not is_alive(child), "the process that opens mails to end")


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
    "2 MB of one header": (b"From: ann@example.net\r\nSubject: " + b"=?utf-8?q?x?= " * 150_000)[:MAX_BYTES],
    "2 MB of parameters": (b"From: a@b.c\r\nContent-Type: text/plain" + b"; a=b" * 400_000)[:MAX_BYTES],
    "2 MB of split parameters": (
        b"From: a@b.c\r\nContent-Type: text/plain" + b"".join(b"; a*%d*=b" % at for at in range(160_000))
    )[:MAX_BYTES],
}


async def test_hostile_mails_are_read_within_the_limit_and_so_is_the_next(worker: Sandbox) -> None:
    await is_well(worker)
    before = pid(worker)
    for name, raw in HUGE.items():
        mail = await worker.open(raw)
        await worker.read(Unread(mail.text, [LETTER]))
        await is_well(worker)
        assert pid(worker) == before, name


@pytest.mark.storm
async def test_every_codec_that_python_knows_may_be_named_as_a_charset(worker: Sandbox) -> None:
    assert len(CODECS) > 300
    await is_well(worker)
    before = pid(worker)
    for name in CODECS:
        for body in (b"pick 5", bytes(range(256))):
            mail = await worker.open(plain(body, b"text/plain; charset=" + name.encode()))
            assert mail.problem is None
            assert isinstance((await worker.read(Unread(mail.text, []))).lines, tuple)
    await is_well(worker)
    assert pid(worker) == before


async def test_a_process_that_is_ended_in_the_middle_of_a_job_has_a_successor_that_does_it() -> None:
    worker = Sandbox()
    await worker.start()
    await until(forked, "the process")
    process = pid(worker)
    os.kill(process, signal.SIGSTOP)
    job = asyncio.create_task(worker.open(REPLY))
    await asyncio.sleep(0)
    assert worker._turn.locked()  # the job is on its way
    os.kill(process, signal.SIGKILL)
    assert await job == open_mail(REPLY)
    await worker.close()
