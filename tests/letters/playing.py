"""Recorded episodes played through the real corridor: each mail at its time, and every letter that comes of it.

`moves/<room>.jsonl` holds an episode a line: its mails in their order, each with its seat (`HOST` is -1) and what it says. They
were chosen once by a robot that takes one of the moves that are offered, each kind as likely as the other. So the same
episodes are played however letters look and whatever links they have. `python -m tests.letters.playing` records what is
missing; after a change of a room's rules delete its file first.
"""

import hashlib
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select

from host.demo.robot import ReadLetter, write
from host.demo.simulate import pick_choice
from host.engine.chance import Chance
from host.engine.game import HOST, Question, usual_seats
from host.games import GAMES
from host.store.episodes import episode_of_code
from host.store.schema import AskRow, Letter, QuestionRow
from host.table.play import Play, load_play
from host.table.work import Work
from host.turn.question_bank import add_entries, starter
from tests.golden import the_same_every_time
from tests.turn.desk import ADDRESS, OPERATOR, Desk

MOVES = Path(__file__).parent / "moves"
EPISODES = 20
PATIENCE = 4
"""Mails of others after which a robot answers at the latest, so that nobody's time runs out."""
HOURS = (1, 9)
"""Between one mail and the next, at least and at most."""
LOOK_EVERY = 6
"""Hours between what the clock leads to."""
PEOPLE = (("Ann Lee", "Dayton, Ohio"), ("Bob Ray", "Reno, Nevada"), ("Cleo Fox", "Bangor, Maine"), ("Dov Orr", ""))
Mail = tuple[int, str]
"""A seat, and what it says."""


@dataclass(frozen=True)
class Shown:
    """A letter as it went out. `asked` are the phases, or else the purposes, of what it asks.

    `stage` is the part of the episode that its table is in, `outcome` how the episode went for its reader, `is_answer`
    whether it answers a mail.
    """

    room: str
    to: str
    letter: ReadLetter
    message: bytes
    asked: tuple[str, ...] = ()
    stage: str = ""
    outcome: str = ""

    @property
    def kind(self) -> str:
        """What its header says."""
        return self.letter.kind

    @property
    def is_answer(self) -> bool:
        """Does it answer a mail?"""
        return self.letter.headers["auto-submitted"] == "auto-replied"

    @property
    def episode(self) -> str:
        """The episode that it is about, empty for none."""
        return self.letter.headers.get("x-podium-episode", "")


class Table:
    """A desk of one game, which looks at each letter as it comes."""

    def __init__(self, folder: Path, slug: str, **settings: Any) -> None:
        seats = max(usual_seats(GAMES[slug]), 2)
        self.desk = Desk(folder, slug, games={slug: {"seats": seats, **settings}})
        self.slug, self.people = slug, PEOPLE[:seats]
        self.shown: list[Shown] = []
        if self.desk.game.bank:
            with self.desk.store.transaction() as session:
                work = Work(session, self.desk.services, self.desk.now)
                add_entries(work, self.desk.game, starter(self.desk.game))

    def register(self, name: str, hometown: str) -> str:
        """Somebody registers and confirms; gives their address."""
        address = f"{name.split()[0].lower()}@example.net"
        home = f"\nHometown: {hometown}" if hometown else ""
        self.deliver(write(address, name, ADDRESS, self.desk.game.subject, f"Name: {name}{home}"))
        self.answer(address, "confirm")
        return address

    def begin(self) -> None:
        """All who are needed register, and the first episode begins."""
        for name, hometown in self.people:
            self.register(name, hometown)

    def deliver(self, raw: bytes) -> str:
        """A mail arrives; gives its state then."""
        state = self.desk.deliver(raw).state
        self.look()
        return state

    def answer(self, address: str, body: str) -> str:
        """A reply to somebody's latest letter; gives its state then."""
        state = self.desk.answer(address, body).state
        self.look()
        return state

    def say(self, seat: int, body: str) -> str:
        """A seat of the latest episode, or the host, answers."""
        return self.answer(self.address(seat), body)

    def wait(self, hours: int) -> None:
        """Time passes, and what comes with it happens."""
        for at in range(hours):
            self.desk.later(hours=1)
            if (at and at % LOOK_EVERY == 0) or at == hours - 1:
                self.desk.tick()
                self.look()

    def address(self, seat: int) -> str:
        """Where a seat of the latest episode gets its letters."""
        return OPERATOR if seat == HOST else self.play().episode.seats[seat].contestant.address

    def questions(self) -> Sequence[Question]:
        """What is asked in the latest episode."""
        return self.desk.game.questions(self.play().state)

    def play(self, code: str = "") -> Play:
        """An episode as it stands, the first where no code is given."""
        with self.desk.store.reading() as session:
            episode = episode_of_code(session, code or f"{self.desk.game.code}-1")
            assert episode is not None
            for seat in episode.seats:
                assert seat.contestant.address
            return load_play(episode)

    def look(self) -> None:
        """Letters that are new are kept, with what is known about them now."""
        for to, letter, message in self.desk.sent[len(self.shown) :]:
            code = letter.headers.get("x-podium-episode", "")
            stage, outcome = self._standing(self.play(code), to) if code else ("", "")
            asked = self._asked(letter)
            self.shown.append(Shown(self.slug, to, letter, message, asked, stage, outcome))

    def _standing(self, play: Play, to: str) -> tuple[str, str]:
        seat = next((each.seat for each in play.episode.seats if each.contestant.address == to), None)
        result = play.game.result(play.state)
        stage = str(getattr(play.state, "stage", ""))
        if seat is None:
            return stage, ""
        if result is None:
            return stage, "out" if play.game.is_out(play.state, seat) else ""
        end = play.game.ending(play.state) or ""
        return stage, f"{end}-{'nobody' if result.winner is None else 'won' if result.winner == seat else 'lost'}"

    def _asked(self, letter: ReadLetter) -> tuple[str, ...]:
        token = letter.headers["message-id"].strip("<>").partition("@")[0]
        rows = select(QuestionRow).join(AskRow).join(Letter).where(Letter.token == token).order_by(QuestionRow.id)
        with self.desk.store.reading() as session:
            return tuple(row.phase or row.purpose for row in session.scalars(rows))


@contextmanager
def table(slug: str, seed: str, **settings: Any) -> Iterator[Table]:
    """A table of its own, the same with the same seed."""
    with (
        tempfile.TemporaryDirectory() as folder,
        the_same_every_time(hashlib.sha256(f"letters:{slug}:{seed}".encode()).digest()),
    ):
        found = Table(Path(folder), slug, **settings)
        try:
            yield found
        finally:
            found.desk.store.close()


def recorded(slug: str) -> list[list[Mail]]:
    """The recorded episodes of a room."""
    file = MOVES / f"{slug}.jsonl"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [[(int(seat), text) for seat, text in json.loads(line)] for line in lines]


def letters_of(slug: str, number: int, mails: Sequence[Mail] | None = None) -> list[Shown]:
    """All letters of a recorded episode, from the registrations to the end, in the order in which they went out."""
    mails = recorded(slug)[number] if mails is None else mails
    hours = random.Random(f"hours:{slug}:{number}")
    with table(slug, str(number)) as found:
        found.begin()
        for seat, text in mails:
            found.wait(hours.randint(*HOURS))
            state = found.say(seat, text)
            if state != "played" and seat != HOST:
                raise ValueError(
                    f"{slug}, episode {number}: “{text}” of seat {seat} is not played any more, but {state}"
                )
        found.wait(max(HOURS))
        return found.shown


def record(slug: str, number: int) -> list[Mail]:
    """The mails of a new episode, as a robot writes them."""
    hours = random.Random(f"hours:{slug}:{number}")
    mails: list[Mail] = []
    since: dict[tuple[int, str], int] = {}
    with table(slug, str(number)) as found:
        found.begin()
        robots = Chance(found.play().episode.seed).stream("robots")
        while questions := found.questions():
            since = {(each.seat, each.key): since.get((each.seat, each.key), len(mails)) for each in questions}
            late = [each for each in questions if len(mails) - since[each.seat, each.key] >= PATIENCE]
            question = (late or questions)[0 if late else robots.below(len(questions))]
            found.wait(hours.randint(*HOURS))
            text = "\n".join(pick_choice(found.desk.game, found.play().state, question, robots))
            found.say(question.seat, text)
            mails.append((question.seat, text))
            if len(mails) > 400:
                raise RuntimeError(f"{slug}, episode {number} does not end: {mails[-3:]}, {questions}")
    return mails


def main() -> None:
    """Record the episodes that are missing."""
    for slug in GAMES:
        episodes = recorded(slug)
        for number in range(len(episodes), EPISODES):
            episodes.append(record(slug, number))
            text = "".join(json.dumps(each, ensure_ascii=False, separators=(",", ":")) + "\n" for each in episodes)
            (MOVES / f"{slug}.jsonl").write_text(text, "utf-8")
        sys.stdout.write(f"{slug}: {len(episodes)} episodes, {sum(map(len, episodes))} mails\n")


if __name__ == "__main__":
    main()
