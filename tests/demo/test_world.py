"""The demo's world without a screen: whoever registers is answered, and words to the host are left alone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from host.demo.robot import ReadLetter, write
from host.demo.world import ADDRESS, OPERATOR, YOU, Player, World, registration, robots
from host.games import GAMES
from host.store.episodes import running_episodes
from tests.demo.test_pages import NAMES
from tests.patience import SECONDS, until


@asynccontextmanager
async def world(seats: dict[str, int], heard: list[tuple[str, ReadLetter]]) -> AsyncIterator[World]:
    found = World(seats, robots(3), lambda address, letter, _: heard.append((address, letter)))
    async with found.running():
        yield found


@pytest.mark.storm
async def test_whatever_the_name_the_host_answers() -> None:
    heard: list[tuple[str, ReadLetter]] = []
    players = {f"player-{number}@example.net": name for number, name in enumerate(NAMES)}
    async with world({"champ-cards": 2}, heard) as here:
        for address, name in players.items():
            await here.register(Player(name, address), GAMES["champ-cards"])
        await until(lambda: len(heard) >= len(players))
    assert {address: letter.kind for address, letter in heard} == dict.fromkeys(players, "confirm")


async def test_the_demo_ends_though_a_robot_lost_its_cancellation() -> None:
    answering = asyncio.Event()

    class Deaf(World):
        async def send(self, raw: bytes, sender: str, to: str) -> None:
            if to == ADDRESS:  # a registration
                await super().send(raw, sender, to)
                return
            answering.set()
            with suppress(asyncio.CancelledError):  # as where the server answers at the same moment, in Python 3.11
                await asyncio.sleep(SECONDS)

    here = Deaf({"champ-cards": 2}, robots(1), lambda *_: None)
    async with asyncio.timeout(SECONDS / 2), here.running():
        await here.register(robots(1)[0], GAMES["champ-cards"])
        await answering.wait()


def test_a_registration_has_three_lines_whatever_the_name() -> None:
    for name in (*NAMES, "", "Lee,", ",", "\ud800"):
        lines = registration(name).splitlines()
        assert [line.partition(":")[0] for line in lines] == ["Name", "Name you go by at TGSF", "Hometown"]
    assert registration("Lee, Ann").splitlines()[1] == "Name you go by at TGSF: Ann"


async def test_what_you_write_to_the_host_is_left_to_whoever_sits_at_the_desk() -> None:
    heard: list[tuple[str, ReadLetter]] = []

    def of(who: str, kind: str) -> list[ReadLetter]:
        return [letter for address, letter in heard if address == who and letter.kind == kind]

    async with world({"champ-cards": 2}, heard) as here:
        await here.register(Player("Ann Lee", YOU), GAMES["champ-cards"])

        async def say(kind: str, body: str) -> None:
            await until(lambda: bool(of(YOU, kind)))
            to = of(YOU, kind)[0].headers["reply-to"]
            await here.send(write(YOU, "Ann Lee", to, "Re", body), YOU, to)

        await say("confirm", "confirm")
        await say("begin", "host may I have until Monday, please?")
        await until(lambda: any(address == OPERATOR for address, _ in heard))
        await say("begin", "help")
        await until(lambda: bool(of(YOU, "help")))  # the host has read all that was sent before
        with here.daemon.services.store.reading() as session:
            assert [each.paused_at for each in running_episodes(session, "champ-cards")] == [None]
    assert [letter.asks for address, letter in heard if address == OPERATOR] == [False]
    assert "until Monday" in next(letter.text for address, letter in heard if address == OPERATOR)
