"""What people do besides playing, in every room and at the door: stories of mails, each step with a label for its letters."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from host.demo.robot import write, write_link
from host.engine.game import HOST
from host.table.work import Work
from host.turn import admin
from tests.letters.playing import Shown, Table, recorded, table
from tests.turn.desk import ADDRESS, OPERATOR
from tests.turn.test_bounces import notice

ANN, BOB, CLEO, EVE = (f"{name}@example.net" for name in ("ann", "bob", "cleo", "eve"))
FAR = 24
"""Mails of an episode after which nothing more is waited for."""
LATER = 25
"""Hours after which the first reminder has gone out, and twice which the time is over."""


@dataclass
class Story:
    """A table at which something is told, and the letters of each step: its label, and what went out then."""

    table: Table
    told: list[tuple[str, Shown]] = field(default_factory=list)

    @contextmanager
    def step(self, label: str) -> Iterator[Table]:
        """All letters that go out within belong to this step."""
        before = len(self.table.shown)
        yield self.table
        self.table.look()
        self.told += [(label, each) for each in self.table.shown[before:]]

    def says(self, label: str, address: str, body: str) -> None:
        """Somebody answers their latest letter."""
        with self.step(label):
            self.table.answer(address, body)

    def writes(self, label: str, address: str, subject: str, body: str) -> None:
        """Somebody writes anew."""
        with self.step(label):
            self.table.deliver(write(address, address.partition("@")[0].title(), ADDRESS, subject, body))

    def waits(self, label: str, hours: int) -> None:
        """Time passes."""
        with self.step(label):
            self.table.wait(hours)

    def host(self, label: str, deed: Callable[..., str], *values: Any) -> None:
        """The host does something by hand."""
        with self.step(label):
            desk = self.table.desk
            with desk.store.transaction() as session:
                deed(Work(session, desk.services, desk.now), *values)
            desk.send()


def visit(slug: str) -> list[tuple[str, Shown]]:
    """The services of a room, its refusals, reminders and timeouts, in the middle of its first recorded episode."""
    with table(slug, "0") as found:
        story = Story(found)
        found.begin()
        sent_ahead = _play_on(story, slug)
        if sent_ahead is not None:
            story.says("sent-ahead", *sent_ahead)
            story.says("cancel", sent_ahead[0], "cancel")
        seat = max(each.seat for each in found.questions())
        asked = found.address(seat)
        for word in ("status", "rules", "help"):
            story.says(word, asked, word)
        story.says("not-understood", asked, "bananas with cream")
        story.says("plea", asked, "host I am on the train all day, may I have until Friday?")
        story.says("host-answers", OPERATOR, "You may.")
        story.says("resign", asked, "resign")
        story.says("stays", asked, "no")
        story.waits("reminder", LATER)
        story.waits("timeout", LATER)
        story.waits("second-timeout", 2 * LATER)
        story.says("after", asked, "status")
        return story.told


def _play_on(story: Story, slug: str) -> tuple[str, str] | None:
    """Play until somebody can send something ahead; gives who, and what."""
    found = story.table
    for played, (seat, text) in enumerate(recorded(slug)[0][:FAR]):
        state = found.play().state
        waiting = {each.seat for each in found.questions()}
        for other in range(len(found.people)):
            offered = found.desk.game.ahead(state, other)
            if other not in waiting and HOST not in waiting and offered and played >= FAR // 4:
                return found.address(other), "\n".join(offered[0].say)
        found.wait(1)
        found.say(seat, text)
    return None


def registering() -> list[tuple[str, Shown]]:
    """At the door: questions, registrations, confirmations, the queue."""
    with table("champ-cards", "registering") as found:
        story = Story(found)
        subject = found.desk.game.subject
        story.writes("what-is-it", EVE, "Champ Cards", "how do I join?")
        with story.step("tapped"):
            found.deliver(write_link(found.desk.last(EVE).links[0], EVE, "Eve Fox"))
        story.writes("without-a-name", "dov@example.net", subject, "")
        story.writes("registers", ANN, subject, "Name: Ann Lee\nHometown: Dayton, Ohio")
        story.says("neither-yes-nor-no", ANN, "what is this?")
        story.says("confirms", ANN, "confirm")
        story.writes("again", ANN, subject, "Name: Ann Lee")
        story.says("corrects", ANN, "My hometown is Akron, Ohio")
        story.says("status", ANN, "status")
        story.says("leaves", ANN, "leave")
        story.says("returns", ANN, "again")
        story.writes("another", BOB, subject, "Name: Bob Ray\nHometown: Reno, Nevada")
        story.says("is-not-theirs", BOB, "No, it was not me")
        return story.told


def waiting() -> list[tuple[str, Shown]]:
    """Who waited long is asked whether they are ready."""
    with table("champ-cards", "waiting") as found:
        story = Story(found)
        found.register("Ann Lee", "Dayton, Ohio")
        found.wait(80)
        with story.step("asks"):
            found.register("Bob Ray", "Reno, Nevada")
        story.says("neither", ANN, "bananas")
        story.says("later", ANN, "not now, in three days")
        story.waits("asks-again", 80)
        story.waits("silence", 80)
        story.says("returns", ANN, "again")
        return story.told


def hosting() -> list[tuple[str, Shown]]:
    """What the host does, mail of others, and a champion's second episode."""
    with table("champ-cards", "hosting") as found:
        story = Story(found)
        with story.step("begins"):
            found.begin()
        code = found.play().episode.code
        story.host("extended", admin.extend, code, "ann", timedelta(hours=24))
        story.host("paused", admin.pause, code)
        story.says("while-paused", found.address(found.questions()[0].seat), "status")
        story.host("goes-on", admin.resume, code)
        letter = found.desk.last(ANN)
        to, subject = letter.headers["reply-to"], letter.headers["subject"]
        with story.step("of-another-address"):
            raw = write(EVE, "Eve", to, f"Re: {subject}", "cut 5", letter.headers["message-id"])
            found.deliver(raw)
        story.says("is-theirs", ANN, "yes")
        story.host("resent", admin.resend, code, "bob")
        story.says("plea", BOB, "host May I have a day more?")
        story.says("command", OPERATOR, f"extend {code} ann 24h")
        with story.step("bounces"):
            found.deliver(notice(found.desk.last(BOB), BOB))
        story.says("resigns", BOB, "resign")
        story.says("really", BOB, "yes")
        story.host("went-back", admin.back, code, 1)
        story.says("resigns-again", BOB, "resign")
        story.says("really-again", BOB, "yes")
        story.says("ends", ANN, "resign")
        story.says("really-ends", ANN, "yes")
        with story.step("next"):
            found.register("Cleo Fox", "Bangor, Maine")
        return story.told


HOUSE: dict[str, Callable[[], list[tuple[str, Shown]]]] = {
    "registering": registering,
    "waiting": waiting,
    "hosting": hosting,
}
"""The stories that are about no room."""
