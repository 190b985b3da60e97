"""Company behind Dovecot and a real SMTP server, with the daemon as a process of its own: commands, and a bad one of each."""

import pytest

from tests.wire.conftest import MakeWorld
from tests.wire.test_episode import words
from tests.wire.world import Person

pytestmark = pytest.mark.dovecot

CASES = (
    ("explain cut", "cut: To cut is to move"),
    ("explain bananas", "I have no explanation of “bananas”"),
    ("rules freeze", "Rule CC-6 With 12 or more"),
    ("mine", "1 thing waits for you"),
    ("standings", "No episode of Champ Cards is over yet."),
    ("my record", "CC-1: under way"),
    ("replay CC-1", "CC-1 is still being played"),
    ("replay CC-99", "There is no episode CC-99"),
    ("watch CC-1", "You play in CC-1 yourself"),
    ("say to Zed hello", "Nobody at your table is called Zed; there is Bob."),
    ("mute Zed", "I know nobody who is called Zed"),
    ("again with Bob", "Nobody was asked."),
    ("private", "No page of the web shows your name"),
)


@pytest.mark.storm
def test_what_contestants_ask_of_the_company(make_world: MakeWorld) -> None:
    world = make_world("[security]\nconfirm_registration = false\n")
    world.run_daemon()
    ann, bob = Person(world, "Ann Lee", "ann@example.net"), Person(world, "Bob Ray", "bob@example.net")
    ann.register()
    ann.wait_for("registered")
    bob.register()
    begun, other = ann.wait_for("begin"), bob.wait_for("begin")
    for asked, said in CASES:
        ann.answer(begun, asked)
        assert said in words(ann.wait_for("help")), asked
    ann.answer(begun, "say good luck, Bob\nand see www.evil.example")
    assert "Bob will read in the next letter" in words(ann.wait_for("help"))
    bob.answer(other, "say")
    heard = words(bob.wait_for("help"))
    assert "Nothing was said. Write say and your words" in heard
    assert "Ann says: “good luck, Bob and see (a link)”" in heard
    seen = world.podium("mail", "CC-1")
    assert "say" in seen.stdout
    stopped = world.podium("hush", "CC-1")
    assert stopped.returncode == 0, stopped.stderr
