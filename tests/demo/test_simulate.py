"""Simulated episodes: what was given together, ahead or by orders leads to the record of the same answers one by one."""

import pytest

from host.demo.simulate import WAYS, SimulatedTable, Way, play
from host.engine.game import HOST
from host.engine.record import Header, Replay, Say
from host.games import GAMES
from host.turn.question_bank import starter
from tests.size import a_few, size


def said(table: SimulatedTable) -> list[Say]:
    """What was said, as the lines of a record; seats are named `0`, `1`, ..."""
    return [Say("host" if seat == HOST else str(seat), text) for seat, text in table.said]


@pytest.mark.parametrize("slug", a_few(sorted(GAMES)))
@pytest.mark.parametrize("way", WAYS)
def test_one_answer_after_the_other_leads_to_the_same_table(slug: str, way: Way) -> None:
    game = GAMES[slug]
    for number in range(size(3, 1000)):
        table = play(game, way, f"{slug}:{number}", starter(game))
        header = Header(slug, table.chance.seed, tuple(map(str, table.seats)), dict(game.named_options), "")
        replay = Replay(game, header)
        for line in said(table):
            assert not replay.step(line), line
        assert game.result(table.state)
        assert replay.state == table.state


@pytest.mark.parametrize("slug", a_few(sorted(GAMES)))
def test_standing_orders_save_answers(slug: str) -> None:
    game = GAMES[slug]
    replies = {way: sum(play(game, way, str(n), starter(game)).replies.total() for n in range(4)) for way in WAYS}
    assert replies["orders"] < replies["alone"]


@pytest.mark.parametrize("slug", size(["champ-cards"], sorted(GAMES)))
def test_a_time_bank_saves_deadlines(slug: str) -> None:
    game = GAMES[slug]
    tables = {
        bank: [play(game, "tapping", str(n), starter(game), bank) for n in range(size(10, 300))]
        for bank in (None, 0, 3)
    }
    passed = {bank: sum(each.timeouts for each in found) for bank, found in tables.items()}
    assert passed[None] == 0 < passed[3] < passed[0]
    assert all(game.result(each.state) for found in tables.values() for each in found)
    assert all(min(each.bank) >= 0 for each in tables[3])


def test_a_line_of_the_host_stands_in_the_record_as_the_hosts() -> None:
    game = GAMES["split-decision"]
    table = play(game, "tapping", "a", starter(game))
    assert any(isinstance(line, Say) and line.player == "host" and line.text.startswith("ask ") for line in said(table))
