"""The host's hand over people, and invitations, behind Dovecot and a real SMTP server beside a running daemon."""

import pytest

from tests.patience import wait_until
from tests.wire.conftest import MakeWorld
from tests.wire.test_episode import words
from tests.wire.world import Person

pytestmark = [pytest.mark.dovecot, pytest.mark.storm]

ZED = "zed@example.net"


def test_a_friend_is_invited_warned_and_barred(make_world: MakeWorld) -> None:
    world = make_world("[security]\nconfirm_registration = false\n")
    world.host = 'co_hosts = ["pat@example.com"]\n'
    world.write_config()
    world.run_daemon()
    pat = Person(world, "Pat Orr", "pat@example.com")
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
    for line, status, told in (
        (["warn", "CC-1", "Zed", "no insults, please"], 0, "warns you: no insults, please"),
        (["warn", "CC-1", "Bob", "no insults, please"], 1, ""),
        (["write", "CC-1", "The show moves to Monday."], 0, "The show moves to Monday."),
        (["people", "bar", ZED, "insults others"], 0, "insults others"),
        (["people", "bar", ZED, "insults others"], 1, ""),
        (["people", "bar", ZED], 2, ""),
        (["people", "merge", "Zed", "Ann"], 1, ""),
        (["people"], 0, ""),
    ):
        done = world.podium(*line)
        assert done.returncode == status, (line, done.stderr)
        assert len(done.stderr.splitlines()) == (status != 0), line
        if told:
            assert told in words(zed.wait_for("help")), line
    assert "barred" in done.stdout
    zed.answer(begun, "pick 5")
    wait_until(lambda: "its address is barred" in world.podium("mail", ZED).stdout, "the mail that is not played")
    ann.answer(waits, "host Zed is gone, what now?")
    pat.answer(pat.wait_for("alert"), "withdraw CC-1 Zed")
    assert "Zed resigned" in words(ann.wait_for("turn"))
    alert = pat.wait_for("alert")
    assert "Zed is withdrawn from CC-1" in words(alert)
    pat.answer(alert, "people forget Zed")
    assert "this is for an owner" in words(pat.wait_for("alert"))
    assert "pat@example.com" in world.podium("status").stdout
