"""The host's hand over people, and invitations, behind Dovecot and a real SMTP server beside a running daemon."""

import pytest

from tests.wire.conftest import MakeWorld
from tests.wire.test_episode import words
from tests.wire.world import Person

pytestmark = pytest.mark.dovecot

ZED = "zed@example.net"


def test_a_friend_is_invited_warned_and_barred(make_world: MakeWorld) -> None:
    world = make_world("[security]\nconfirm_registration = false\n")
    world.run_daemon()
    ann, zed = Person(world, "Ann Lee", "ann@example.net"), Person(world, "Zed Ray", ZED)
    ann.register()
    waits = ann.wait_for("registered")
    ann.answer(waits, "invite zed to Champ Cards")
    assert "Nobody was invited. “zed” is no address" in words(ann.wait_for("help"))
    ann.answer(waits, f"invite {ZED} to Champ Cards")
    assert f"I have invited {ZED}" in words(ann.wait_for("help"))
    asked = zed.wait_for("ready")
    assert "Ann (ann@example.net) invites you to Champ Cards" in words(asked)
    zed.answer(asked, "yes")
    begun = zed.wait_for("begin")
    for line, status in (
        (["warn", "CC-1", "Zed", "no insults, please"], 0),
        (["warn", "CC-1", "Bob", "no insults, please"], 1),
        (["write", "CC-1", "The show moves to Monday."], 0),
        (["people", "bar", ZED, "insults others"], 0),
        (["people", "bar", ZED, "insults others"], 1),
        (["people", "bar", ZED], 2),
        (["people", "merge", "Zed", "Ann"], 1),
        (["people"], 0),
    ):
        done = world.podium(*line)
        assert done.returncode == status, (line, done.stderr)
        assert len(done.stderr.splitlines()) == (status != 0), line
    assert "barred" in done.stdout
    told = [words(zed.wait_for("help")) for _ in range(3)]
    for part in ("warns you: no insults, please", "The show moves to Monday.", "insults others"):
        assert any(part in each for each in told), part
    zed.answer(begun, "pick 5")
    done = world.podium("withdraw", "CC-1", "Zed")
    assert done.returncode == 0, done.stderr
    assert "Zed has resigned" in words(ann.wait_for("turn", "news", "result")) or ann.wait_for("result")
    assert "its address is barred" in world.podium("mail", ZED).stdout
