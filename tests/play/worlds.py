"""Mails read in two worlds that look alike to their writer: what is hidden must not decide what a mail says.

`python -m tests.play.worlds 2000` tries so many mails a room; `--from 7` begins with other episodes.
"""

import argparse
import importlib
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from host.cli.terminal import tell
from host.cli.tools import reading
from host.engine.game import Game, Question
from host.games import GAMES
from host.play.premoves import order_of
from host.store.episodes import dump_state, load_state
from tests.games.playouts import names, playout, spoken
from tests.games.test_contract import cards_in, renamed

MOST_CLAUSES = 4
_JOINED = (", ", ". ", "\n", " and ", ", then ", "; ", " - ", "! ")
TAKING_BACK = (
    ", no wait, ",
    " - actually ",
    ". Sorry, I meant ",
    ", or rather ",
    "... no, ",
    "\nscratch that, ",
    ", I mean ",
    ". Make that ",
    ", no, make it ",
    ". On second thought ",
)
_BOUND = (", unless ", " if not ", ", or ", ", but only if I have to ", ", otherwise ")
_AGAIN = (" twice", " again", ", {0}", ". Yes, {0}", ", and once more", ". {0}. {0}")
_TALK = (
    "Good luck all",
    "My wife says {0}",
    "Should I {0}?",
    "undo",
    "oops",
    "cancel",
    "what is left?",
    "not {0}",
    "instead",
)


@dataclass(frozen=True)
class Worlds:
    """Two states that look alike to `seat`, and the commands that are in the air there."""

    game: Game[Any, Any]
    where: str
    seat: int
    players: tuple[str, ...]
    states: tuple[Any, Any]
    asked: tuple[str, ...]
    commands: tuple[str, ...]


def worlds(slug: str, number: int) -> Iterator[Worlds]:
    """Every position of an episode, as it is and with what is hidden mixed, for each seat that is asked or may send ahead."""
    game, episode, rng = GAMES[slug], playout(slug, number), random.Random(f"{slug} {number}")
    players = names(episode.seats)
    for at, state in enumerate(episode.states[:-1]):
        for seat in range(episode.seats):
            own = sorted({step.text for step in episode.steps if step.seat == seat})
            other = mixed(game, state, seat, rng)
            if other == state or game.is_out(state, seat):
                continue
            mine = [
                choice for each in game.questions(state) if each.seat == seat for choice in game.choices(state, each)
            ]
            said = [text for choice in game.ahead(state, seat) for text in spoken(choice)]
            whole = game.whole(state, Question(seat, "", state.phase))
            said += [text for choice in whole for text in choice.say if order_of(game, text)]
            ever = {text.split()[0]: text for text in rng.sample(own, len(own))}
            asked = tuple(spoken(choice)[0] for choice in mine)
            commands = (*asked, *said, *ever.values(), "resign")
            yield Worlds(game, f"{slug} {number} step {at}", seat, players, (state, other), asked, commands)


def mixed(game: Game[Any, Any], state: Any, seat: int, rng: random.Random) -> Any:
    """A state that `seat` cannot tell from this one, in which something else comes next."""
    conserved = importlib.import_module(f"tests.games.{game.slug.replace('-', '_')}.conserved")
    mix = getattr(conserved, "unseen", None) or getattr(conserved, "shuffled", None)
    other = mix(state, seat, rng) if mix else state
    hidden = sorted(cards_in(dump_state(game, other)) - cards_in(dict(game.view(other, seat))))
    kind = getattr(conserved, "kind_of_card", bool)
    groups = [[card for card in hidden if kind(card) == each] for each in (True, False)]
    anew = {card: new for some in groups for card, new in zip(some, rng.sample(some, len(some)), strict=True)}
    other = load_state(game, renamed(dump_state(game, other), anew))
    return other if game.view(other, seat) == game.view(state, seat) else state


def mail(found: Worlds, rng: random.Random) -> str:
    """A mail of several clauses: lists, corrections, repetitions, conditions, undo, commands sent ahead, and talk."""
    if found.asked and rng.random() < 0.6:
        return rng.choice(found.asked) + rng.choice((*TAKING_BACK, *_JOINED)) + rng.choice(found.commands)
    text = ""
    for _ in range(rng.randint(2, MOST_CLAUSES)):
        clause = rng.choice(found.commands)
        kind = rng.random()
        if kind < 0.15:
            clause = rng.choice(_TALK).format(clause)
        elif kind < 0.3:
            clause += rng.choice(_AGAIN).format(clause)
        elif kind < 0.4:
            clause = clause.split(" ", 1)[-1]
        elif kind < 0.5:
            clause = rng.choice(("please {}", "I'll {}, thanks", "{} please", "ok {}")).format(clause)
        joint = rng.choice(TAKING_BACK if rng.random() < 0.4 else _BOUND if rng.random() < 0.15 else _JOINED)
        text += (joint if text else "") + clause
    return text


def disagreement(found: Worlds, text: str) -> str:
    """How a mail is read otherwise in the other world; empty where it is not."""
    here, there = (reading(found.game, state, found.seat, found.players, text) for state in found.states)
    return "" if here == there else f"{found.where} seat {found.seat}: {text!r}\n  {here}\n  {there}"


def disagreements(slug: str, mails: int, first: int = 0) -> Iterator[str]:
    """What is read otherwise among so many mails to random positions of a room, from episode `first` on."""
    rng, number, tried = random.Random(f"worlds {slug} {first}"), first, 0
    while tried < mails:
        for found in worlds(slug, number):
            if not found.asked and rng.random() < 0.8:
                continue
            for _ in range(4):
                tried += 1
                said = disagreement(found, mail(found, rng))
                if said:
                    yield said
            if tried >= mails:
                return
        number += 1


def main(arguments: Sequence[str]) -> int:
    """Try mails in all rooms; the status says whether any is read otherwise."""
    parser = argparse.ArgumentParser(prog="python -m tests.play.worlds")
    parser.add_argument("mails", type=int)
    parser.add_argument("--from", type=int, default=0, dest="first")
    given = parser.parse_args(arguments)
    status = 0
    for slug in GAMES:
        found = list(disagreements(slug, given.mails, given.first))
        for each in found[:5]:
            tell(each)
        tell(f"{slug}: {len(found)} of {given.mails} mails are read otherwise in the other world")
        status |= bool(found)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
