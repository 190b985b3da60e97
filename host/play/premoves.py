"""Pure: commands sent ahead, and standing orders. In: an episode's state and what its players sent before they were asked.
Out: `PlayedPremoves`.

Such a command is played when its player is asked what it answers, and dropped where it is not legal then, or where what it
was meant for (its scope) is over. One that answers another question than the one asked goes on waiting. So does a standing
order, which gives a command whenever one of its rules fits what its seat sees, and goes on standing. Of a seat's, an order
with a condition comes first, then what was sent ahead, then what is always done.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from host.engine.chance import Chance
from host.engine.events import Event
from host.engine.game import Choice, Game, NotYet, Outcome, Question, Refusal
from host.engine.orders import Order, command_of, lasts

MOST_BUTTONS = 6
"""Buttons below a question; no more are seen at once on a phone. Those that say what follows, too, have the room that is left."""
OVER = "the table has changed since."


@dataclass(frozen=True)
class Premove:
    """A command that waits, or an order that stands: `text` in canonical words, `batch` the mail it came with.

    `id` grows in the order in which they came.
    """

    id: int
    seat: int
    text: str
    scope: str
    batch: int


@dataclass
class PlayedPremoves:
    """The outcome: the state and events, the commands played in order (seat, canonical words), those sent ahead that were
    played, those dropped and why, those still waiting."""

    state: Any
    events: list[Event] = field(default_factory=list)
    said: list[tuple[int, str]] = field(default_factory=list)
    played: list[Premove] = field(default_factory=list)
    dropped: list[tuple[Premove, str]] = field(default_factory=list)
    waiting: list[Premove] = field(default_factory=list)


def play_premoves(game: Game[Any, Any], state: Any, waiting: Sequence[Premove], chance: Chance) -> PlayedPremoves:
    """Play what can be played now, one command after the other, until somebody has to be asked."""
    settled = PlayedPremoves(state, waiting=list(waiting))
    while settled.waiting:
        _drop_outdated(game, settled)
        asked = {question.seat for question in game.questions(settled.state)}
        candidates = sorted(
            (each for each in settled.waiting if each.seat in asked), key=lambda each: _place(game, each)
        )
        if not any(_try(game, settled, each, chance) for each in candidates):
            break
    return settled


def order_of(game: Game[Any, Any], text: str) -> Order | None:
    """The standing order that a text is, None for a command."""
    return game.orders.known(text) if game.orders else None


def is_answered_anew(game: Game[Any, Any], new: str, text: str) -> bool:
    """Does a later mail's command take the place of one that waits: may only one of the two answer the same question?

    Verbs are of the same question where they have a phase in common; where the table does not tell, only what is put to all is.
    """
    if order_of(game, new) or order_of(game, text):
        return False
    later, waiting = (game.vocabulary.row(each.split()[0]) for each in (new, text))
    if later.verb != waiting.verb and later.phases and waiting.phases:
        is_same = not later.phases.isdisjoint(waiting.phases)
    else:
        is_same = later.verb == waiting.verb or any(kind.is_put_to_all for kind in game.event_types)
    return is_same and later.verb not in waiting.followed_by


def is_instead_of(game: Game[Any, Any], new: str, text: str) -> bool:
    """Does a new order take the place of one that stands: have they a verb in common, about the same fact?"""
    orders = [order for order in (order_of(game, new), order_of(game, text)) if order]
    facts = [order.rules[0].fact for order in orders]
    verbs = [{rule.command.split()[0] for rule in order.rules} for order in orders]
    return len(orders) == 2 and facts[0] == facts[1] and not verbs[0].isdisjoint(verbs[1])


def whole_offers(
    game: Game[Any, Any], state: Any, seat: int, phase: str, standing: Sequence[str]
) -> tuple[Choice, ...]:
    """What a seat is offered to say with its answer, or before it is asked, without orders in whose place others stand."""
    asked = (each for each in game.questions(state) if each.seat == seat)
    answers = [choice for question in asked for choice in game.choices(state, question)]
    alone = {choice.say[0] for choice in answers}
    room = MOST_BUTTONS - len({choice.kind for choice in answers if not choice.spot}) - bool(standing)
    found: dict[tuple[str, ...], Choice] = {}
    for choice in game.whole(state, Question(seat, "", phase)):
        said = tuple(text for text in choice.say if not any(is_instead_of(game, text, each) for each in standing))
        if len(said) > 1 or (said and said[0] not in alone):
            found.setdefault(said, replace(choice, say=said))
    return tuple(found.values())[: max(0, room)]


def beside(answers: Sequence[Choice], whole: Sequence[Choice], has_standing: bool) -> tuple[Choice, ...]:
    """The answers that have buttons beside those that say what follows, too: of each kind at least one, and what is drawn."""
    kept: list[Choice] = []
    room = MOST_BUTTONS - len(whole) - has_standing
    left = len({choice.kind for choice in answers if not choice.spot})
    for choice in answers:
        is_new = not choice.spot and choice.kind not in {each.kind for each in kept if not each.spot}
        left -= is_new
        if choice.spot or not whole or is_new or sum(not each.spot for each in kept) + left < room:
            kept.append(choice)
    return tuple(kept)


def order_now(game: Game[Any, Any], state: Any, seat: int, order: Order) -> str:
    """The command that an order gives now, empty for none: by the view of its seat, and the verbs that its seat is offered."""
    if game.orders is None:
        return ""
    asked = [question for question in game.questions(state) if question.seat == seat]
    offered = {choice.say[0].split()[0] for question in asked for choice in game.choices(state, question)}
    return command_of(order, game.orders, game.order_facts(game.view(state, seat), seat), offered)


def _place(game: Game[Any, Any], each: Premove) -> tuple[int, int]:
    order = order_of(game, each.text)
    return (1 if order is None else 0 if order.is_conditional else 2), each.id


def _drop_outdated(game: Game[Any, Any], settled: PlayedPremoves) -> None:
    for each in list(settled.waiting):
        is_gone = bool(game.result(settled.state)) or game.is_out(settled.state, each.seat)
        if is_gone or (each.scope and each.scope != _scope(game, settled.state, each)):
            _drop(settled, each, "" if order_of(game, each.text) else OVER)


def _scope(game: Game[Any, Any], state: Any, each: Premove) -> str:
    order = order_of(game, each.text)
    if order:
        return lasts(order, game.order_facts(game.view(state, each.seat), each.seat))
    try:
        return game.scope(state, game.parse(each.text, state, each.seat))
    except Refusal:
        return ""


def _drop(settled: PlayedPremoves, command: Premove, why: str) -> None:
    settled.waiting.remove(command)
    settled.dropped.append((command, why))


def _try(game: Game[Any, Any], settled: PlayedPremoves, command: Premove, chance: Chance) -> bool:
    """Play one; gives whether anything changed. What a mail says after a command that fails is dropped with it."""
    state, order, text = settled.state, order_of(game, command.text), command.text
    if order:
        text = order_now(game, state, command.seat, order)
        if not text:
            return False
    try:
        outcome: Outcome[Any] = game.apply(state, command.seat, game.parse(text, state, command.seat), chance)
    except NotYet:
        return False
    except Refusal as refusal:
        for each in [each for each in settled.waiting if each is command or (_follows(each, command) and not order)]:
            _drop(
                settled, each, refusal.reason if each is command else "it came after the one that could not be played."
            )
        return True
    settled.state = outcome.state
    settled.events.extend(outcome.events)
    settled.said.append((command.seat, text))
    if order and order.lasting != "once":
        return True
    settled.played.append(command)
    settled.waiting.remove(command)
    settled.waiting = [
        replace(each, scope=each.scope or _scope(game, settled.state, each)) if _follows(each, command) else each
        for each in settled.waiting
    ]
    return True


def _follows(each: Premove, command: Premove) -> bool:
    return each.seat == command.seat and each.batch == command.batch and each.id >= command.id
