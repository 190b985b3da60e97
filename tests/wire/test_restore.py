"""What docs/operations.md says of backups, step by step: a copy while people play, a lost database, the copy in its place."""

import json
import re
import subprocess
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from host.demo.robot import ReadLetter
from tests.patience import wait_until
from tests.store.server import Server, server
from tests.wire.conftest import MakeWorld
from tests.wire.recorded import as_recorded
from tests.wire.world import Person, World

OPERATIONS = Path(__file__).parents[2] / "docs" / "operations.md"
COPY = "copy.db"
AT_ONCE = "[security]\nconfirm_registration = false\n"

pytestmark = pytest.mark.dovecot


def lines_under(heading: str) -> list[str]:
    """The commands under a heading of the page."""
    section = OPERATIONS.read_text("utf-8").partition(f"\n{heading}\n")[2].partition("\n#")[0]
    block = re.search(r"(?:^    .*\n)+", section, re.MULTILINE)
    assert block, heading
    return textwrap.dedent(block[0]).splitlines()


def carry_out(world: World, heading: str, change: Callable[[str], str] = str) -> None:
    """Type the commands under a heading, but for `podium run`, which a world starts by itself."""
    for line in lines_under(heading):
        program, *arguments = change(line).split()
        if arguments == ["run"]:
            world.run_daemon()
        elif program == "podium":
            done = world.podium(*(str(world.folder / each) if each == COPY else each for each in arguments))
            assert done.returncode == 0, (line, done.stdout, done.stderr)
        else:
            subprocess.run(change(line), shell=True, check=True, cwd=world.folder, env=world.surroundings())


def next_question(people: Sequence[Person]) -> tuple[Person, ReadLetter]:
    """The next letter of an episode that asks, and whom."""

    def look() -> tuple[Person, ReadLetter] | None:
        new = [(person, letter) for person in people for letter in person.new_letters()]
        return next((each for each in new if each[1].asks and each[1].kind in ("begin", "turn")), None)

    found: tuple[Person, ReadLetter] = wait_until(look, "a question")
    return found


def offered(letter: ReadLetter) -> list[str]:
    """The commands that a letter's links write."""
    return [link.rpartition("body=")[2] for link in letter.links]


def lose_and_restore(world: World, change: Callable[[str], str], backup: str, restore: str) -> None:
    people = [Person(world, f"{name} Lee", f"{name.lower()}@example.net") for name in ("Ann", "Bob")]
    world.run_daemon()
    people[0].register()
    people[0].wait_for("registered")
    people[1].register()
    person, question = next_question(people)
    carry_out(world, backup, change)
    person.tap(question)
    person, lost = next_question(people)
    world.kill()
    before = {letter.headers["message-id"] for each in people for letter in each.all}
    carry_out(world, restore, change)

    # What was answered since the copy is read in the mailbox again. It leads to the same question, in another letter.
    again_person, again = next_question(people)
    assert again_person is person
    assert again.headers["message-id"] not in before
    assert again.headers["x-podium-episode"] == lost.headers["x-podium-episode"]
    assert offered(again) == offered(lost)
    # The lost letter cannot be answered any more: nothing is played, and the question comes once more.
    person.answer(lost, "status")
    refused = person.wait_for("refused")
    assert "no longer know the letter that you answered" in " ".join(refused.text.split())
    person.tap(refused)
    next_question(people)
    episode = json.loads(world.podium("episode", lost.headers["x-podium-episode"], "--json").stdout)
    assert episode["commitment"] == question.headers["x-podium-commitment"]
    said = [json.loads(line["text"])["say"] for line in episode["record"]]
    assert said == [as_recorded(command) for each in people for _, command in each.tapped]


def test_a_lost_file(make_world: MakeWorld) -> None:
    world = make_world(AT_ONCE)
    lose_and_restore(world, str, "### A copy of the file", "### The file is lost")


@pytest.mark.storm
@pytest.mark.postgresql
def test_a_lost_postgresql_database(make_world: MakeWorld) -> None:
    url = server().fresh()
    world = make_world(f'{AT_ONCE}[database]\nurl = "{url}"\n')
    lose_and_restore(world, in_place_of(server(), url), "### A copy of PostgreSQL", "### PostgreSQL is lost")


def in_place_of(running: Server, url: str) -> Callable[[str], str]:
    """Makes of the page's database the test's."""
    name = url.rpartition("/")[2]

    def changed(line: str) -> str:
        line = line.replace("-h db.example.org", f"-h 127.0.0.1 -p {running.port}")
        return re.sub(r"(?<=-d )podium|(?<= )podium$", name, line)

    return changed
