"""A walk through an episode leads where its record leads, and notes all that was drawn, as Python draws it."""

import json
from pathlib import Path

import pytest

from host.engine import record
from host.engine.chance import Chance
from host.engine.game import encode_event
from host.games import GAMES
from host.web.public.watching import walk
from tests.games.playouts import playout, recorded

every_game = pytest.mark.parametrize("slug", list(GAMES))


@every_game
@pytest.mark.parametrize("number", [0, 1, 2, 5])
def test_a_walk_leads_where_the_episode_led(slug: str, number: int) -> None:
    found = playout(slug, number)
    whole = recorded(found)
    walked = walk(found.game, whole.header, whole.lines)
    assert walked.problem == ""
    assert [step.state for step in walked.steps] == found.states
    assert walked.steps[0].events == found.dealt
    assert [each.events for each in walked.steps[1:]] == [step.events for step in found.steps]
    assert [each.number for each in walked.steps] == list(range(1, len(found.steps) + 2))


@every_game
def test_every_draw_is_made_again(slug: str) -> None:
    found = playout(slug, 1)
    whole = recorded(found)
    walked = walk(found.game, whole.header, whole.lines)
    luck = Chance(found.chance.seed)
    assert walked.draws
    for draw in walked.draws:
        if draw.items:
            assert draw.found == luck.shuffled(draw.label, draw.items)
        else:
            stream = luck.stream(draw.label)
            assert draw.found == tuple(stream.below(bound) for bound in draw.bounds)
    labels = [draw.label for draw in walked.draws]
    assert len(set(labels)) == len(labels)
    shuffles = {
        encode_event(event)["label"] for step in walked.steps for event in step.events if hasattr(event, "deck")
    }
    assert shuffles <= set(labels)


@every_game
def test_going_back_and_services_are_steps(slug: str) -> None:
    found = playout(slug, 1)
    whole = recorded(found)
    lines = (*whole.lines[:4], record.Say("ann", "status"), record.BackTo(3))
    walked = walk(found.game, whole.header, lines)
    assert walked.problem == ""
    assert walked.steps[-2].state == walked.steps[-3].state
    assert walked.steps[-1].state == walked.steps[2].state


def test_a_line_that_is_refused_ends_a_walk() -> None:
    found = playout("champ-cards", 1)
    whole = recorded(found)
    for line in (record.Say("ann", "raise 5"), record.BackTo(9), record.Timeout("nobody")):
        walked = walk(found.game, whole.header, (whole.lines[0], line, whole.lines[1]))
        assert len(walked.steps) == 2
        assert walked.problem.startswith("line 3: ")


@every_game
def test_recorded_endings_are_walked(slug: str) -> None:
    folder = Path(__file__).parents[2] / "games" / slug.replace("-", "_") / "endings"
    for file in folder.glob("*.jsonl"):
        whole = record.read(file.read_bytes(), GAMES)
        walked = walk(GAMES[slug], whole.header, whole.lines)
        assert walked.problem == "", file.name
        assert GAMES[slug].result(walked.steps[-1].state) is not None
        assert json.loads(file.read_text("utf-8").splitlines()[0])["seed"] == whole.header.seed.hex()
