"""`podium check` writes to itself and reads that back."""

import asyncio
import contextlib
import sqlite3

import pytest

from host.cli import check
from host.cli.terminal import SLUGS
from tests.patience import wait_until
from tests.wire import dovecot
from tests.wire.conftest import MakeWorld
from tests.wire.world import World

pytestmark = pytest.mark.dovecot


def strangers(world: World) -> int:
    with contextlib.closing(sqlite3.connect(world.folder / "podium.db", timeout=10)) as database:
        return int(database.execute("select count(*) from inbound where state = 'stranger'").fetchone()[0])


def test_mail_with_a_plus_comes_back(make_world: MakeWorld) -> None:
    world = make_world()
    found = world.podium("check")
    assert found.returncode == 0, found.stdout + found.stderr
    assert "with a plus and a token arrives here" in found.stdout
    assert "WRONG" not in found.stdout
    world.run_daemon()
    wait_until(lambda: strangers(world) == 2, "both to be read")
    assert world.terminate() == 0
    assert list(world.spool.glob("*.eml")) == [], "what check wrote is nobody's registration and gets no answer"


@pytest.mark.storm
def test_a_provider_without_plus_addresses_is_found_out(make_world: MakeWorld) -> None:
    world = make_world()
    world.dovecot.stop()
    file = world.dovecot.folder / "dovecot.conf"
    file.write_text(file.read_text().replace("recipient_delimiter = +", "recipient_delimiter = -"))
    world.dovecot.start()
    found = world.podium("check")
    assert found.returncode == 1
    assert "write plus_addressing = false in [security]" in found.stdout
    world.settings = "[security]\nplus_addressing = false\n"
    world.write_config()
    found = world.podium("check")
    assert found.returncode == 0, found.stdout
    assert f"what is written to {dovecot.ADDRESS} arrives in INBOX" in found.stdout


@pytest.mark.storm
def test_mail_that_goes_elsewhere_is_no_proof_but_is_said(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "SECONDS", 1.0)
    world = make_world()
    world.config.write_text(
        world.config.read_text().replace(f'address = "{dovecot.ADDRESS}"', 'address = "other@example.org"', 1)
    )
    found = asyncio.run(check.check(world.config, SLUGS))
    [note] = [each for each in found if each.is_good is not True]
    assert note.is_good is None
    assert "nothing arrived in INBOX" in note.words
