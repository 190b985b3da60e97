"""The second reader: a model at a real HTTP server orders the buttons of what is asked back, and does nothing else."""

import asyncio
import gzip
import json
import logging
import re
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote

import pytest
from sqlalchemy import select

from host.cli import format
from host.config import SecondReader
from host.daemon.inbound_worker import MOST_OPINIONS, InboundWorker
from host.daemon.main import steady
from host.daemon.runtime import Runtime
from host.demo.robot import write
from host.games import GAMES
from host.second_reader import SAMPLE, SecondReaderError, choose
from host.store.health import AskedBack, asked_back
from host.store.schema import Episode, Inbound, Letter
from host.table.play import load_play
from host.turn import reading, reports
from host.turn.reading import opinions_wanted
from tests.daemon.test_inbound_worker import HARD
from tests.patience import SECONDS
from tests.size import a_few, size
from tests.turn.desk import ADDRESS, Desk

ANN, BOB = "ann@example.net", "bob@example.net"
UNSURE = "cut 5, or 7 or 9\r\nBob Ray says so, mail bob@example.net\r\nAnn Lee"


def completion(content: Any) -> bytes:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode()


class Model:
    """An endpoint on this machine; `answer` gives what it says to a request, or says it itself to a handler."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.raw: list[bytes] = []
        self.answer: Callable[[Any], bytes | None] = lambda _: completion("none")
        self.status = 200
        self.done = Event()
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                model.raw.append(f"{self.path}\n{self.headers}".encode() + body)
                model.asked.append(json.loads(body))
                said = model.answer(self)
                if said is not None:
                    self.send_response(model.status)
                    self.send_header("Content-Length", str(len(said)))
                    self.end_headers()
                    self.wfile.write(said)

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                pass

        Server.model = self  # type: ignore[attr-defined]
        self.server = Server(("127.0.0.1", 0), Handler)
        self.thread = Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    @property
    def text(self) -> str:
        """What it was asked."""
        return str(self.asked[-1]["messages"][-1]["content"])

    @property
    def commands(self) -> list[str]:
        """The commands that it was asked to choose among."""
        return self.text.partition("Commands:\n")[2].partition("\nReply:")[0].splitlines()

    def close(self) -> None:
        self.done.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(SECONDS)


@pytest.fixture
def model() -> Iterator[Model]:
    made = Model()
    yield made
    made.close()


class House:
    def __init__(self, folder: Path, url: str, game: str = "champ-cards", timeout: str = "20s") -> None:
        settings = {"url": url, "model": "tiny", "key": "sesame", "timeout": timeout} if url else {}
        self.desk = Desk(folder, game, reader=settings)
        self.desk.begin()
        self.runtime = Runtime(self.desk.services, lambda: self.desk.now, steady)
        self.worker = InboundWorker(self.runtime)

    def keep(self, body: str, address: str = ANN) -> int:
        letter = self.desk.last(address)
        subject = "Re: " + letter.headers["subject"]
        raw = write(address, "Somebody", letter.headers["reply-to"], subject, body, letter.headers["message-id"])
        self.desk.keep(raw, self.desk.now)
        return self.desk.uid

    async def play(self) -> None:
        await self.worker.take_new_mails()
        await self.worker.wait_aside()
        await self.worker.take_new_mails()
        self.desk.send()

    def text(self) -> str:
        """The last letter to Ann, without its reference."""
        return self.desk.last(ANN).text.partition("\nRef:")[0]

    def readings(self) -> list[str]:
        """The readings that it offers, in their order."""
        bodies = (unquote(each.partition("body=")[2]) for each in self.desk.last(ANN).links)
        return list(dict.fromkeys(each for each in bodies if re.fullmatch(r"cut \d+", each)))

    def state(self) -> Any:
        with self.desk.store.reading() as session:
            return session.scalars(select(Episode)).one().state

    def second(self) -> str:
        latest = select(Letter.second).where(Letter.address == ANN).order_by(Letter.id.desc()).limit(1)
        with self.desk.store.reading() as session:
            return session.scalars(latest).one()

    def mail(self, uid: int) -> tuple[str, str]:
        with self.desk.store.reading() as session:
            row = session.execute(select(Inbound.state, Inbound.note).where(Inbound.uid == uid)).one()
            return row.state, row.note


@pytest.fixture
async def house(tmp_path: Path, model: Model) -> Any:
    houses: list[House] = []

    def make(**changes: Any) -> House:
        folder = tmp_path / str(len(houses))
        folder.mkdir()
        houses.append(House(folder, **({"url": model.url} | changes)))
        return houses[-1]

    yield make
    for each in houses:
        await each.worker.close()
        each.runtime.close()
        each.desk.store.close()


def slow(handler: Any) -> None:
    """A byte now and then, for ever."""
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.model.done.wait(0.05):
        handler.wfile.write(b" ")


def cut_off(handler: Any) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "5000")
    handler.end_headers()
    handler.wfile.write(completion("cut 7")[:20])
    handler.connection.shutdown(socket.SHUT_RDWR)


def endless(handler: Any) -> None:
    handler.send_response(200)
    handler.end_headers()
    for _ in range(10_000):
        handler.wfile.write(b"x" * 1024)


def unpacking_to_much(handler: Any) -> None:
    packed = gzip.compress(completion("cut 7" + " " * 10_000_000))
    handler.send_response(200)
    handler.send_header("Content-Encoding", "gzip")
    handler.send_header("Content-Length", str(len(packed)))
    handler.end_headers()
    handler.wfile.write(packed)


ANSWERS: dict[str, Callable[[Any], bytes | None]] = {
    "none of them": lambda _: completion("none"),
    "a command that it was not given": lambda _: completion("resign yes"),
    "a command that is not legal": lambda _: completion("cut 99"),
    "a command and more": lambda _: completion("cut 7\ncut 9"),
    "a sentence": lambda _: completion("They mean cut 7."),
    "markup": lambda _: completion("<a href='https://evil.example/'>cut 7</a><script>alert(1)</script>"),
    "headers": lambda _: completion("cut 7\r\nBcc: eve@example.com"),
    "no words": lambda _: completion(None),
    "a number": lambda _: completion(7),
    "no choices": lambda _: b'{"choices": []}',
    "a list": lambda _: b"[1, 2]",
    "no JSON": lambda _: b"cut 7",
    "nothing": lambda _: b"",
    "no text": lambda _: b"\xff\xfe\x00",
    "depth": lambda _: b"[" * 200_000,
    "a number without end": lambda _: b'{"choices": ' + b"9" * 100_000 + b"}",
    "10 MB": lambda _: completion("cut 7" + " " * 10_000_000),
    "10 MB without a length": endless,
    "10 MB, packed": unpacking_to_much,
    "half": cut_off,
    "drops": slow,
}


async def asked(house: House, body: str = UNSURE) -> tuple[int, float]:
    uid = house.keep(body)
    began = time.monotonic()
    await house.play()
    return uid, time.monotonic() - began


async def test_what_it_takes_a_reply_for_stands_first_and_is_not_played(house: Any, model: Model) -> None:
    without, there = house(url=""), house()
    await asked(without)
    before = without.readings()
    assert (before[0], without.second()) == ("cut 5", "")
    assert not model.asked
    model.answer = lambda _: completion("\n cut 9 \n")
    state = there.state()
    uid, _ = await asked(there)
    assert there.readings() == ["cut 9", *(each for each in before if each != "cut 9")]
    assert "I read this as “cut 9”. Is that right?" in there.text()
    assert there.second() == "cut 9"
    assert there.mail(uid)[0] == "refused"
    assert there.state() == state, "nothing was played"


async def test_the_host_sees_how_often_its_reading_was_right(house: Any, model: Model) -> None:
    there, model.answer = house(), lambda _: completion("cut 9")
    await asked(there)
    with there.desk.store.reading() as session:
        assert asked_back(session) == AskedBack(letters=1, second=1)
    await asked(there, "yes")
    with there.desk.store.reading() as session:
        assert asked_back(session) == AskedBack(letters=1, first=1, second=1, second_first=1)
        told = format.status(reports.status(session, there.desk.config, there.desk.now))
    assert "of these the second reader put 1 first; it was right in 1" in told


async def test_both_readers_may_agree(house: Any, model: Model) -> None:
    there, model.answer = house(), lambda _: completion("cut 5")
    await asked(there)
    assert (there.readings()[:2], there.second()) == (["cut 5", "cut 7"], "cut 5")


@pytest.mark.parametrize("said", list(ANSWERS)[:: size(5, 1)])
async def test_whatever_else_it_says_the_letter_goes_out_as_without_it(
    house: Any, model: Model, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    without, there = house(url=""), house(timeout="1s")
    await asked(without)
    model.answer = ANSWERS[said]
    with caplog.at_level(logging.INFO):
        uid, seconds = await asked(there)
    assert len(model.asked) == 1
    assert seconds < SECONDS / 2
    assert there.text() == without.text()
    assert (there.mail(uid), there.second()) == (without.mail(uid), "")
    assert "evil" not in caplog.text
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("status", a_few([301, 400, 401, 404, 429, 500, 503]))
async def test_an_answer_of_another_status_does_not_count(house: Any, model: Model, status: int) -> None:
    there = house()
    model.status, model.answer = status, lambda _: completion("cut 9")
    await asked(there)
    assert (there.readings()[0], there.second()) == ("cut 5", "")


async def test_one_that_is_down_is_in_nobodys_way(house: Any) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        there = house(url=f"http://127.0.0.1:{unused.getsockname()[1]}/v1")
        await asked(there)
        assert there.readings()[0] == "cut 5"


async def test_while_it_thinks_the_store_is_free_and_others_are_played(house: Any, model: Model) -> None:
    gate = Event()

    def think(_: Any) -> bytes:
        gate.wait(SECONDS)
        return completion("cut 9")

    there, model.answer = house(), think
    first = there.keep(UNSURE)
    await there.worker.take_new_mails()
    assert there.mail(first)[0] == "new"
    others = InboundWorker(there.runtime, is_known=False)
    there.desk.keep(write("eve@example.com", "Eve", ADDRESS, there.desk.game.subject, "Name: Eve Fox"), there.desk.now)
    await others.take_new_mails()
    await others.close()
    assert there.mail(first + 1)[0] == "answered"
    gate.set()
    await there.worker.wait_aside()
    there.desk.send()
    assert there.readings()[0] == "cut 9"


async def test_a_mail_that_took_long_to_read_is_asked_about_too(house: Any, model: Model) -> None:
    there, model.answer = house(), lambda _: completion("cut 9")
    there.worker.reader.worker.seconds = 0.02
    letter = there.desk.last(ANN)
    head = f"From: {ANN}\r\nTo: {letter.headers['reply-to']}\r\nSubject: Re\r\nContent-Type: text/html\r\n\r\n"
    there.desk.keep(f"{head}cut 5, or 7 or 9\r\n".encode() + HARD, there.desk.now)
    await there.play()
    assert len(model.asked) == 1
    assert there.second() == "cut 9"


async def test_at_the_end_nobody_waits_for_it(house: Any, model: Model) -> None:
    there, model.answer = house(), slow
    uid = there.keep(UNSURE)
    await there.worker.take_new_mails()
    async with asyncio.timeout(SECONDS / 2):
        await there.worker.close()
    assert there.mail(uid)[0] == "new", "the next start plays it"


async def test_no_more_are_asked_about_at_once_than_it_may_hold_up(house: Any, model: Model) -> None:
    there = house()
    there.worker._asking = MOST_OPINIONS
    await asked(there)
    assert not model.asked
    assert there.readings()[0] == "cut 5"


@pytest.mark.parametrize("body", a_few(["cut 5", "status", "thanks!", "host cut 5 or 7, what do you say?", "undo", ""]))
async def test_it_is_not_asked_about_what_is_not_asked_back(house: Any, model: Model, body: str) -> None:
    there = house()
    await asked(there, body)
    assert not model.asked


async def test_it_is_not_asked_about_what_will_have_no_answer(
    house: Any, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = house()
    monkeypatch.setattr("host.table.work.ANSWERS_AN_HOUR", 1)
    await asked(there)
    assert len(model.asked) == 1
    _, letters = await asked(there, "cut 8, no wait, 4"), len(there.desk.sent)
    assert len(model.asked) == 1
    await asked(there, "cut 6, no wait, 3")
    assert (len(model.asked), len(there.desk.sent)) == (1, letters)


@pytest.mark.parametrize("body", a_few(["2", "yes", "the second one", "something else"]))
async def test_it_is_not_asked_about_what_takes_an_offered_reading(house: Any, model: Model, body: str) -> None:
    there = house()
    await asked(there)
    there.desk.send()
    once = len(model.asked)
    await asked(there, body)
    assert len(model.asked) == once == 1


async def test_an_opinion_on_a_table_that_has_changed_meanwhile_is_dropped(house: Any, model: Model) -> None:
    there = house()

    def meanwhile(_: Any) -> bytes:
        there.desk.answer(ANN, "cut 3")
        return completion("cut 9")

    model.answer = meanwhile
    uid = there.keep(UNSURE)
    await there.worker.take_new_mails()
    await there.worker.wait_aside()
    there.desk.send()
    assert there.mail(uid)[0] == "refused"
    assert there.second() == ""


async def test_a_table_that_cannot_be_read_stops_no_mail(
    house: Any, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = house()
    monkeypatch.setattr("host.turn.reading.question_words", lambda *_: 1 / 0)
    await asked(there)
    assert not model.asked
    assert there.readings()[0] == "cut 5"


async def test_a_fault_of_ours_in_asking_stops_no_mail(
    house: Any, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = house()
    monkeypatch.setattr("host.daemon.inbound_worker.choose", lambda *_: 1 / 0)
    await asked(there)
    assert there.readings()[0] == "cut 5"


# What leaves the house


async def test_it_is_asked_what_the_letter_asks_the_commands_and_the_words_typed(house: Any, model: Model) -> None:
    there = house()
    await asked(there)
    assert model.commands[:3] == ["cut 5", "cut 7", "cut 9"]
    assert "How many cards go from the top of the deck" in model.text
    assert "cut 5, or 7 or 9" in model.text
    assert model.asked[0]["model"] == "tiny"
    assert model.raw[0].startswith(b"/v1/chat/completions\n")
    assert b"Bearer sesame" in model.raw[0]


async def test_no_name_address_or_token_leaves(house: Any, model: Model) -> None:
    there = house()
    token = there.desk.last(ANN).headers["reply-to"].partition("+")[2].partition("@")[0]
    typed = (
        f"asked bOb, and ray's wife, see https://evil.example/x?{token}\r\n{token.upper()} games+{token}@example.org"
    )
    await asked(there, f"{UNSURE}\r\n{typed}\r\nThe Millionaire knows")
    told = (model.raw[0] + json.dumps(model.asked[0], ensure_ascii=False).encode()).decode().casefold()
    for hidden in (
        "ann",
        "lee",
        "bob",
        "ray",
        "example.net",
        "example.org",
        "evil.example",
        token,
        "millionaire",
        "cc-1",
    ):
        assert hidden not in told.replace("another", ""), hidden
    assert "player two says so" in told


def test_a_name_is_found_however_it_is_written_and_in_no_time() -> None:
    who = SimpleNamespace(called="José", name="José Łucky-Li", nickname="xX_Jo_Xx", hometown="Graz")
    play: Any = SimpleNamespace(episode=SimpleNamespace(seats=[SimpleNamespace(name="José", contestant=who)]))
    neutral = reading._without_names(play, "Host (of it)")
    for name in ("JOSE", "José", "José", "jose_", "3jose's", "xX_Jo_Xx", "łucky-li", "@jose", "ｊｏｓｅ"):
        assert re.fullmatch(r"(3|)(player one|\(left out\))('s|_|)", neutral(name)), name
    assert neutral("host (OF it) in graz, josephine") == "the host in a town, josephine"
    began = time.process_time()
    neutral("x" * 65_536 + "@ " + "ab" * 30_000 + " https://" + "www." * 10_000)
    assert time.process_time() - began < 1


@pytest.mark.parametrize("game", a_few(sorted(GAMES), 2))
async def test_it_is_told_the_same_whatever_is_hidden_from_the_writer(
    house: Any, model: Model, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = house(game=game)
    room = GAMES[game]
    with there.desk.store.reading() as session:
        play = load_play(session.scalars(select(Episode)).one())
        seat = next(each.seat for each in play.questions if each.seat >= 0)
        question = next(each for each in play.questions if each.seat == seat)
        says = [choice.say[0] for choice in room.choices(play.state, question) if not choice.text] or ["cut 5"]
        address = play.episode.seats[seat].contestant.address
        hidden = play.episode.seed.hex()
    there.keep(f"{says[0]}, no wait, {says[-1]}? or {says[0]}", address)
    opened = {1: there.desk.opened(there.desk.uid)}
    told = opinions_wanted(there.desk.services, opened)
    monkeypatch.setattr(
        reading,
        "load_play",
        lambda episode: replace(found := load_play(episode), state=room.as_seen(found.state, seat)),
    )
    assert opinions_wanted(there.desk.services, opened) == told
    assert all(hidden not in each.text for each in told.values())
    assert told or len(set(says)) < 2


# Trying it


async def test_it_is_tried_with_a_reply_that_is_clear(model: Model) -> None:
    settings = SecondReader(url=model.url, model="tiny")
    model.answer = lambda _: completion("keep")
    assert await choose(settings, SAMPLE) == "keep"
    assert b"authorization" not in model.raw[0].lower()
    model.answer = lambda _: completion("none")
    assert await choose(settings, SAMPLE) == ""
    model.answer = lambda _: completion("Keep it!")
    with pytest.raises(SecondReaderError, match="none of the commands"):
        await choose(settings, SAMPLE)


@pytest.mark.parametrize(
    ("said", "seconds", "why"),
    [("10 MB", SECONDS, "too long"), ("drops", 0.5, "no answer within 0.5 s"), ("half", SECONDS, "broke off")],
)
async def test_it_says_why_it_gave_no_answer(model: Model, said: str, seconds: float, why: str) -> None:
    model.answer = ANSWERS[said]
    with pytest.raises(SecondReaderError, match=why):
        await choose(SecondReader(url=model.url, model="tiny", timeout=timedelta(seconds=seconds)), SAMPLE)


async def test_words_for_a_model_at_home_pass_no_proxy(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    model.answer = lambda _: completion("keep")
    assert await choose(SecondReader(url=model.url, model="tiny"), SAMPLE) == "keep"
