"""Whole episodes behind Dovecot and a real SMTP server, with the daemon as a process of its own."""

import email
import json
import random
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from host.demo.robot import ReadLetter
from tests.patience import wait_until
from tests.wire.conftest import MakeWorld
from tests.wire.recorded import holds
from tests.wire.world import Person, World

pytestmark = pytest.mark.dovecot


def play(world: World, people: list[Person], until: int, kills: int = 0) -> list[ReadLetter]:
    """Everybody taps until `until` results reached the first person; the daemon is killed now and then."""
    dice = random.Random(11)
    letters: list[ReadLetter] = []
    next_kill = time.monotonic() + 1.0
    end = time.monotonic() + 240
    while sum(letter.kind == "result" for letter in letters) < until * 2:
        assert time.monotonic() < end, f"only {len(letters)} letters came"
        for person in people:
            letters += person.tap_all()
        if kills and time.monotonic() > next_kill:
            world.kill()
            kills -= 1
            world.run_daemon()
            next_kill = time.monotonic() + dice.uniform(0.8, 2.2)
        time.sleep(0.02)
    assert kills == 0, "the episodes were over before the last kill"
    return letters


def read_often(world: World) -> None:
    """A deadline falls once the mailbox was read after it."""
    world.imap["poll_every"] = "1s"
    world.write_config()


def records_of(person: Person) -> list[tuple[str, bytes]]:
    found = {}
    for raw in person.raw:
        for part in email.message_from_bytes(raw).walk():
            if part.get_content_type() == "application/jsonl":
                payload = part.get_payload(decode=True)
                assert isinstance(payload, bytes)
                found[str(part.get_filename())] = payload
    return sorted(found.items())


def words(letter: ReadLetter) -> str:
    return " ".join(letter.text.split())


def check_letters(people: list[Person]) -> None:
    """No Message-ID carries two different mails, and nobody got two mails where one would do."""
    for person in people:
        by_id: dict[str, bytes] = {}
        for letter, raw in zip(person.all, person.raw, strict=True):
            message_id = letter.headers["message-id"]
            assert by_id.setdefault(message_id, raw) == raw, f"{message_id} carries two mails"
        once = {letter.headers["message-id"]: letter for letter in person.all}.values()
        answered = [
            letter.headers["in-reply-to"] for letter in once if letter.headers["auto-submitted"] == "auto-replied"
        ]
        assert len(answered) == len(set(answered)), "a mail was answered twice"
        assert not [letter.text for letter in once if letter.kind == "refused"], "a tapped link was refused"


def check_commands(people: list[Person]) -> None:
    """Every command that was tapped stands in its episode's record once, in its order, and no other does."""
    for code, record in {entry for person in people for entry in records_of(person)}:
        lines = [json.loads(line) for line in record.decode().splitlines()[1:]]
        for person in people:
            said = [line["say"] for line in lines if line.get("from") == person.name.split()[0]]
            tapped = [command for episode, command in person.tapped if f"{episode}.jsonl" == code]
            assert holds(code, tapped, said, person.last.get(code.removesuffix(".jsonl"), 0)), (said, tapped)


def verify_all(world: World, people: list[Person]) -> None:
    """Each attached record verifies against the commitment in that contestant's first mail of the episode."""
    for person in people:
        records = records_of(person)
        for name, record in records:
            code = name.removesuffix(".jsonl")
            first = next(
                raw
                for letter, raw in zip(person.all, person.raw, strict=True)
                if letter.headers.get("x-podium-episode") == code
            )
            record_file, mail_file = world.folder / name, world.folder / f"{code}-{person.name}.eml"
            record_file.write_bytes(record)
            mail_file.write_bytes(first)
            done = world.podium("verify", str(record_file), "--mail", str(mail_file))
            assert done.returncode == 0, done.stdout + done.stderr


def test_an_episode_from_registration_to_result(make_world: MakeWorld) -> None:
    world = make_world()
    world.run_daemon(is_forked=False)
    ann, bob = Person(world, "Ann Lee", "ann@example.net"), Person(world, "Bob Ray", "bob@example.com")
    for person in (ann, bob):
        person.register()
    letters = play(world, [ann, bob], until=1)
    kinds = {letter.kind for letter in letters}
    assert {"confirm", "begin", "turn", "result"} <= kinds
    check_letters([ann, bob])
    check_commands([ann, bob])
    verify_all(world, [ann, bob])
    assert world.terminate() == 0
    assert "Traceback" not in world.log()


@pytest.mark.storm
def test_two_episodes_with_a_returning_champion_and_eight_kills(make_world: MakeWorld) -> None:
    world = make_world()
    world.run_daemon()
    people = [
        Person(world, name, f"{name.split()[0].lower()}@example.net")
        for name in ("Ann Lee", "Bob Ray", "Cleo Fox", "Dov Orr")
    ]
    for person in people:
        person.register()
    play(world, people, until=2, kills=8)
    check_letters(people)
    check_commands(people)
    verify_all(world, people)
    status = world.podium("status")
    assert "Traceback" not in world.log(), world.log()[-3000:]
    assert status.returncode == 0
    played = [name for person in people for name, _ in records_of(person)]
    assert sorted(played) == ["CC-1.jsonl", "CC-1.jsonl", "CC-2.jsonl", "CC-2.jsonl"]


@pytest.mark.storm
def test_a_silent_contestant_is_reminded_then_forfeits(make_world: MakeWorld) -> None:
    settings = '[deadlines]\nreply_within = "9s"\nreminders = ["6s"]\nobjection = "1s"\n'
    settings += "[security]\nconfirm_registration = false\n"
    world = make_world(settings)
    read_often(world)
    world.run_daemon()
    ann, bob = Person(world, "Ann Lee", "ann@example.net"), Person(world, "Bob Ray", "bob@example.com")
    ann.register()
    wait_until(lambda: any(letter.kind == "registered" for letter in ann.new_letters()), "Ann's place")
    bob.register()
    begin = ann.wait_for("begin")
    assert begin.asks
    ann.wait_for("reminder")
    timeout = ann.wait_for("timeout")
    assert "$0" in words(timeout)
    turn = bob.wait_for("turn")
    assert "$5,000" in words(turn)
    result = bob.wait_for("result")
    assert "the bank of $2,500 is lost" in words(result)
    assert "$5,000 in all" in words(result)
    ann.wait_for("result")
    alerts = Person(world, "Boss", "boss@example.com").new_letters()
    assert {letter.kind for letter in alerts} == {"alert"}
    episode = world.podium("episode", "CC-1", "--json")
    assert '"bob": 5000' in episode.stdout.replace("Bob", "bob")


@pytest.mark.storm
def test_a_restart_forfeits_nobody_who_answered_in_time(make_world: MakeWorld) -> None:
    settings = '[deadlines]\nreply_within = "3s"\nreminders = []\n[security]\nconfirm_registration = false\n'
    world = make_world(settings)
    read_often(world)
    world.run_daemon()
    ann, bob = Person(world, "Ann Lee", "ann@example.net"), Person(world, "Bob Ray", "bob@example.com")
    ann.register()
    ann.wait_for("registered")
    bob.register()
    begin = ann.wait_for("begin")
    world.kill()
    ann.answer(begin, "cut 5")
    due = datetime.fromisoformat(begin.headers["x-podium-reply-by"])
    wait_until(lambda: datetime.now(UTC) > due + timedelta(seconds=1), "the deadline to be over")
    world.run_daemon()
    turn = ann.wait_for("turn")
    assert "cut the deck at 5" in words(turn)


@pytest.mark.storm
def test_a_second_daemon_is_refused(make_world: MakeWorld) -> None:
    world = make_world()
    world.run_daemon()
    wait_until(lambda: "serving" in world.log(), "the first daemon")
    second = world.podium("run")
    assert second.returncode == 1
    assert second.stderr.strip().splitlines()[-1].startswith("podium: Another podium run")


@pytest.mark.storm
def test_check_says_what_is_wrong(make_world: MakeWorld, tmp_path: Path) -> None:
    world = make_world()
    good = world.podium("check")
    assert good.returncode == 0, good.stdout + good.stderr
    text = world.config.read_text()
    world.config.write_text(text.replace('password = "pass', 'password = "wrong'))
    bad = world.podium("check")
    assert bad.returncode == 1
    assert "refused the login" in bad.stdout
    daemon = world.podium("run")
    assert daemon.returncode == 1
    assert "check [imap] username and password" in daemon.stderr
