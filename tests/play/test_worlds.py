"""What is hidden does not decide what a mail says; try more mails with `python -m tests.play.worlds 2000`."""

import random

import pytest

from host.cli.tools import reading
from host.games import GAMES
from host.play.premoves import order_now, order_of, whole_offers
from host.play.taking_back import Said, may_take_back
from tests.games.playouts import playout
from tests.play.worlds import TAKING_BACK, disagreements, worlds
from tests.size import size

MAILS = size(25, 250)
CORRECTIONS = size(16, 70)


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
    for number in range(size(2, 4)):
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


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_a_standing_order_gives_the_same_command_in_two_worlds_that_look_alike(slug: str) -> None:
    """And what letters offer with an answer is the same, too."""
    tried = 0
    for found in (each for number in range(size(1, 60)) for each in worlds(slug, number)):
        game, here, there = found.game, *found.states
        asked = {each.phase for each in game.questions(here) if each.seat == found.seat}
        offers = [whole_offers(game, state, found.seat, here.phase, ()) for state in found.states]
        assert offers[0] == offers[1], found.where
        orders = {text for choice in offers[0] for text in choice.say if order_of(game, text)} | ORDERS[slug]
        for text in orders if asked else ():
            order = order_of(game, text)
            assert order, text
            assert order_now(game, here, found.seat, order) == order_now(game, there, found.seat, order), found.where
            tried += bool(order_now(game, here, found.seat, order))
    assert tried


ORDERS = {
    "bluffjack": {"hit until 15, else stand", "call 20 or less, else fold", "always call"},
    "champ-cards": {"keep 8 or more, else draw", "freeze 15 or more", "accept 3000 or more, else decline"},
    "champion-poker": {
        "play with a pair or better, else fold",
        "play if high is 12 or more, else fold",
        "always check",
    },
    "game-of-champions": {"always strongest first", "always continue all", "always place on the weakest"},
    "split-decision": {"high 9 or more, low 5 or less, else discard", "always keep", "always any suit"},
}
