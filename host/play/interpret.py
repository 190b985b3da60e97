"""Pure: a reply in an episode. In: the game, its state, who writes, the lines. Out: an `Interpretation`.

It is read first, in the state as its writer sees it (`reading`), and played then, in order, up to the first command that the
rules refuse (`playing.play_plan`). Nothing is read again after something was shown.
"""

from collections.abc import Sequence
from typing import Any

from host.engine.chance import NO_CHANCE, Chance
from host.engine.game import Game, Invalid, NotYet, Refusal
from host.engine.grammar import nearest
from host.play import reading
from host.play.interpretation import Interpretation, Read, ReplyContext
from host.play.playing import Seated, play_plan
from host.play.seen import seen_by
from host.play.services import service_in

MOST_OFFERED = 5


def interpret(
    game: Game[Any, Any], state: Any, seat: int, lines: Sequence[str], reply: ReplyContext, chance: Chance
) -> Interpretation:
    """Read the lines of one mail, and play what they say. Questions that open while it is played are its own too."""
    return play_plan(Seated(game, state, seat, reply, chance), read(game, state, seat, lines, reply))


def read(game: Game[Any, Any], state: Any, seat: int, lines: Sequence[str], reply: ReplyContext) -> Read:
    """What the lines of one mail say, in the state as `seat` sees it."""
    return reading.read(seen_by(game, state, seat, reply.names), lines, reply.host_names, reply.takes_text)


def offered(
    game: Game[Any, Any], state: Any, seat: int, readings: Sequence[str], most: int = MOST_OFFERED
) -> tuple[str, ...]:
    """Those readings that are legal as far as `seat` can see, the first `most`."""
    looks = game.as_seen(state, seat)
    is_asked = any(question.seat == seat for question in game.questions(looks))
    return tuple(each for each in readings if _is_legal(game, looks, seat, each, is_asked))[:most]


def commands_of(game: Game[Any, Any], text: str) -> tuple[str, ...]:
    """The commands of a reading; what stands behind a verb of free text is one."""
    return (text,) if text.split()[0] in game.text_verbs else tuple(text.split(", "))


def _is_legal(game: Game[Any, Any], looks: Any, seat: int, text: str, is_asked: bool) -> bool:
    """Is the first command of a reading legal, or, of who is asked nothing, may it be sent ahead?"""
    try:
        game.apply(looks, seat, game.parse(commands_of(game, text)[0], looks, seat), NO_CHANCE)
    except NotYet:
        return not is_asked
    except Refusal:
        return False
    return True


def is_command(game: Game[Any, Any], state: Any, fragment: str, seat: int) -> bool:
    """Is this something that the game, or the service, would act on or refuse?"""
    if service_in(fragment)[0]:
        return True
    try:
        game.parse(fragment, state, seat)
    except Refusal as refusal:
        return not (isinstance(refusal, Invalid) and refusal.chatter)
    return True


def suggestions(
    game: Game[Any, Any], state: Any, seat: int, text: str, readings: Sequence[str] = ()
) -> tuple[str, ...]:
    """What `seat` could say now, `readings` and then what is most like `text` first, in canonical words; at most six."""
    legal: dict[str, None] = {}
    for question in game.questions(state):
        if question.seat == seat:
            for choice in game.choices(state, question):
                legal.setdefault(choice.say[0] + "…" if choice.text else choice.say[0])
    return tuple(dict.fromkeys((*readings, *nearest(text, tuple(legal)))))[:6]
