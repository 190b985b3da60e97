"""Pure: commands sent ahead. In: an episode's state and what its players sent before they were asked. Out: `Settled`.

Such a command is played when its player is asked what it answers, and dropped where it is not legal then, or where what it
was meant for (its scope) is over. One that answers another question than the one asked goes on waiting.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from host.engine.chance import Chance
from host.engine.events import Event
from host.engine.game import Game, NotYet, Outcome, Refusal

OVER = "what it was meant for is over."


@dataclass(frozen=True)
class Premove:
    """A command that waits: `text` in canonical words, `batch` the mail it came with.

    `id` grows in the order in which they came.
    """

    id: int
    seat: int
    text: str
    scope: str
    batch: int


@dataclass
class PlayedPremoves:
    """The outcome: the state and events, the commands played in order, those dropped and why, those still waiting."""

    state: Any
    events: list[Event] = field(default_factory=list)
    played: list[Premove] = field(default_factory=list)
    dropped: list[tuple[Premove, str]] = field(default_factory=list)
    waiting: list[Premove] = field(default_factory=list)


def play_premoves(game: Game[Any, Any], state: Any, waiting: Sequence[Premove], chance: Chance) -> PlayedPremoves:
    """Play what can be played now, one command after the other, until somebody has to be asked."""
    settled = PlayedPremoves(state, waiting=list(waiting))
    while settled.waiting:
        _drop_outdated(game, settled)
        asked = {question.seat for question in game.questions(settled.state)}
        if not any(_try(game, settled, each, chance) for each in list(settled.waiting) if each.seat in asked):
            break
    return settled


def _drop_outdated(game: Game[Any, Any], settled: PlayedPremoves) -> None:
    for each in list(settled.waiting):
        is_gone = bool(game.result(settled.state)) or game.is_out(settled.state, each.seat)
        if is_gone or (each.scope and each.scope != _scope(game, settled.state, each)):
            _drop(settled, each, OVER)


def _scope(game: Game[Any, Any], state: Any, each: Premove) -> str:
    try:
        return game.scope(state, game.parse(each.text, state, each.seat))
    except Refusal:
        return ""


def _drop(settled: PlayedPremoves, command: Premove, why: str) -> None:
    settled.waiting.remove(command)
    settled.dropped.append((command, why))


def _try(game: Game[Any, Any], settled: PlayedPremoves, command: Premove, chance: Chance) -> bool:
    """Play one; gives whether anything changed. What a mail says after a command that fails is dropped with it."""
    state = settled.state
    try:
        outcome: Outcome[Any] = game.apply(state, command.seat, game.parse(command.text, state, command.seat), chance)
    except NotYet:
        return False
    except Refusal as refusal:
        for each in [each for each in settled.waiting if _follows(each, command)]:
            _drop(
                settled, each, refusal.reason if each is command else "it came after the one that could not be played."
            )
        return True
    settled.state = outcome.state
    settled.events.extend(outcome.events)
    settled.played.append(command)
    settled.waiting.remove(command)
    settled.waiting = [
        replace(each, scope=each.scope or _scope(game, settled.state, each)) if _follows(each, command) else each
        for each in settled.waiting
    ]
    return True


def _follows(each: Premove, command: Premove) -> bool:
    return each.seat == command.seat and each.batch == command.batch and each.id >= command.id
