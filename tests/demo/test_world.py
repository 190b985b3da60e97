"""The demo's world without a screen: whoever registers is answered, time passes and is no outage."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from host.demo.robot import ReadLetter, tap, write
from host.demo.travel import travel
from host.demo.world import OPERATOR, YOU, Player, World, registration, robots
from host.games import GAMES
from host.store.episodes import running_episodes
from tests.demo.test_pages import NAMES
from tests.patience import SECONDS

"""What nobody waits for."""


@asynccontextmanager
async def world(folder: Path, seats: dict[str, int], heard: list[tuple[str, ReadLetter]]) -> AsyncIterator[World]:
    found = World(seats, robots(3), folder, lambda address, letter, _: heard.append((address, letter)))
    async with found.running():
        yield found


async def test_whatever_the_name_the_host_answers(tmp_path: Path) -> None:
    heard: list[tuple[str, ReadLetter]] = []
    players = {f"player-{number}@example.net": name for number, name in enumerate(NAMES)}
    async with world(tmp_path, {"champ-cards": 2}, heard) as here:
        for address, name in players.items():
            await here.register(Player(name, address), GAMES["champ-cards"])
        async with asyncio.timeout(SECONDS):
            await here.rest()
    assert {address: letter.kind for address, letter in heard} == dict.fromkeys(players, "confirm")


def test_a_registration_has_three_lines_whatever_the_name() -> None:
    for name in (*NAMES, "", "Lee,", ",", "\ud800"):
        lines = registration(name).splitlines()
        assert [line.partition(":")[0] for line in lines] == ["Name", "Name you go by at TGSF", "Hometown"]
    assert registration("Lee, Ann").splitlines()[1] == "Name you go by at TGSF: Ann"


async def test_days_pass_a_reminder_comes_a_move_is_forfeited_and_nobody_gets_more_time(tmp_path: Path) -> None:
    heard: list[tuple[str, ReadLetter]] = []

    def yours() -> list[ReadLetter]:
        return [letter for address, letter in heard if address == YOU]

    async with asyncio.timeout(2 * SECONDS), world(tmp_path, {"champ-cards": 2}, heard) as here:
        you = Player("Ann Lee", YOU)
        await here.register(you, GAMES["champ-cards"])
        await here.rest()
        confirmed = tap(yours()[-1], YOU, you.name, here._random)
        assert confirmed is not None
        await here.send(confirmed, YOU, yours()[-1].headers["reply-to"])
        await here.rest()
        begin = yours()[-1]
        assert begin.kind == "begin"
        before = here.clock.now()
        await travel(here.clock, here.daemon, timedelta(hours=23), here.rest)
        assert yours()[-1] is begin
        await travel(here.clock, here.daemon, timedelta(hours=2), here.rest)
        reminder = yours()[-1]
        assert (reminder.kind, reminder.headers["x-podium-reply-by"]) == (
            "reminder",
            begin.headers["x-podium-reply-by"],
        )
        status = write(YOU, you.name, reminder.headers["reply-to"], "Re: x", "status")
        await here.send(status, YOU, reminder.headers["reply-to"])
        assert here.server.last_arrival is not None
        assert here.clock.now() - here.server.last_arrival < timedelta(minutes=1), "mail arrives when it is in the demo"
        await travel(here.clock, here.daemon, timedelta(hours=48), here.rest)
        assert timedelta(hours=73) <= here.clock.now() - before < timedelta(hours=74)
        assert [letter.kind for letter in yours()[-3:]] == ["reminder", "timeout", "result"]
        told = [letter.text for address, letter in heard if address == "operator@example.net"]
    assert len(told) == 1, "that you forfeited, and of no clock, outage or fault"
    assert "let a deadline pass" in " ".join(told[0].split())


async def test_what_you_write_to_the_host_is_left_to_whoever_sits_at_the_desk(tmp_path: Path) -> None:
    heard: list[tuple[str, ReadLetter]] = []
    async with asyncio.timeout(SECONDS), world(tmp_path, {"champ-cards": 2}, heard) as here:
        await here.register(Player("Ann Lee", YOU), GAMES["champ-cards"])
        await here.rest()
        for body in ("confirm", "host may I have until Monday, please?"):
            letter = [each for address, each in heard if address == YOU][-1]
            await here.send(
                write(YOU, "Ann Lee", letter.headers["reply-to"], "Re", body), YOU, letter.headers["reply-to"]
            )
            await here.rest()
        await here.rest()
        with here.daemon.services.store.reading() as session:
            assert [each.paused_at for each in running_episodes(session, "champ-cards")] == [None]
    assert [letter.asks for address, letter in heard if address == OPERATOR] == [False]
    assert "until Monday" in next(letter.text for address, letter in heard if address == OPERATOR)
