"""What an episode adds up to is there when it ends, and is taken back with its end."""

from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import select

from host.club import lobby
from host.store import public_pages as public
from host.store.schema import Reign, Seat, Standing
from host.table.work import begin
from host.turn import admin
from tests.web.world import World

CODE = "CC-1"


def summed(world: World) -> tuple[list[tuple[str, int, int, int]], list[tuple[str, int, bool]]]:
    with world.desk.store.reading() as session:
        rows = public.standings(session, "champ-cards")
        ledger = public.standings(session, year=world.desk.now.year, by_money=True)
        assert sorted((row.name, row.winnings) for row in rows) == sorted((row.name, row.winnings) for row in ledger)
        reigns = session.scalars(select(Reign).order_by(Reign.id)).all()
        return (
            sorted((row.name, row.episodes, row.wins, row.winnings) for row in rows),
            [(each.contestant.called, each.wins, each.ended_at is None) for each in reigns],
        )


def test_a_year_is_the_host_s(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.desk.now = datetime(2026, 12, 30, tzinfo=UTC)
    world.play_first("champ-cards")
    assert world.desk.config.host.timezone == "America/New_York"
    with world.desk.store.transaction() as session:
        assert {row.year for row in session.scalars(select(Standing))} == {0, 2026}
    with begin(world.desk.services, datetime(2027, 1, 1, 1, 30, tzinfo=UTC)) as work:
        admin.back(work, CODE, 2)
        admin.withdraw(work, CODE, "Ann")
        admin.withdraw(work, CODE, "Bob")
    with world.desk.store.transaction() as session:
        assert {row.year for row in session.scalars(select(Standing))} == {0, 2026}


def test_an_end_counts_and_counts_no_more_when_it_is_taken_back(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.play_first("champ-cards")
    play = world.play(CODE)
    result, winnings = play.game.result(play.state), play.game.winnings(play.state)
    assert result is not None
    assert result.winner is not None
    winner = play.names[result.winner]
    wanted = sorted((name, 1, int(name == winner), winnings[seat]) for seat, name in enumerate(play.names))
    assert summed(world) == (wanted, [(winner, 1, True)])
    with begin(world.desk.services, world.desk.now) as work:
        admin.back(work, CODE, 2)
    assert summed(world) == ([], [])
    with world.desk.store.reading() as session:
        assert {(seat.won, seat.winnings) for seat in session.scalars(select(Seat))} == {(None, None)}
    world.desk.send()
    for _ in world.go_on(CODE, seed=1):
        pass
    again = world.play(CODE)
    result = again.game.result(again.state)
    assert result is not None
    assert result.winner is not None
    assert summed(world)[1] == [(again.names[result.winner], 1, True)]


def test_a_champion_who_steps_down_reigns_no_longer(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.play_first("champ-cards")
    (champion, wins, is_open) = summed(world)[1][0]
    assert (wins, is_open) == (1, True)
    with begin(world.desk.services, world.desk.now) as work:
        lobby.step_down(work, "champ-cards")
    assert summed(world)[1] == [(champion, 1, False)]
