"""What is hidden does not decide what a mail says; try more mails with `python -m tests.play.worlds 2000`."""

import random

import pytest

from host.cli.tools import reading
from host.games import GAMES
from host.play.taking_back import Said, may_take_back
from tests.games.playouts import playout
from tests.play.worlds import TAKING_BACK, disagreements, worlds

MAILS = 250
CORRECTIONS = 70


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_a_mail_is_read_alike_in_two_worlds_that_look_alike(slug: str) -> None:
    assert not list(disagreements(slug, MAILS))


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_of_a_command_that_may_be_taken_back_and_what_stands_behind_it_nothing_is_played(slug: str) -> None:
    rng, tried = random.Random(slug), 0
    for found in (each for number in range(9) for each in worlds(slug, number) if each.asked):
        first, then = rng.choice(found.asked), rng.choice(found.commands)
        if first == then:
            continue
        text = first + rng.choice(TAKING_BACK) + then
        for state in found.states:
            read = reading(found.game, state, found.seat, found.players, text)
            assert (read["commands"], read["ahead"]) == ([], []), f"{found.where}: {text}"
            assert read["ask"] or "resign" in text, f"{found.where}: {text}"
        tried += 1
        if tried == CORRECTIONS:
            return
    raise AssertionError(f"only {tried} corrections were tried")


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_what_may_be_taken_back_does_not_hang_on_what_its_writer_cannot_see(slug: str) -> None:
    rng, tried = random.Random(slug), 0
    for number in range(4):
        luck = playout(slug, number).chance
        for found in (each for each in worlds(slug, number) if each.asked):
            game, seats = found.game, len(found.players)
            text = game.say(game.parse(rng.choice(found.asked), found.states[0], found.seat))
            after = [game.apply(state, found.seat, game.parse(text, state, found.seat), luck) for state in found.states]
            if game.view(after[0].state, found.seat) != game.view(after[1].state, found.seat):
                continue
            here, there = (
                may_take_back(game, state, outcome.state, Said(found.seat, text, outcome.events), seats, luck)
                for state, outcome in zip(found.states, after, strict=True)
            )
            assert here == there, f"{found.where}: {text}"
            tried += 1
    assert tried
