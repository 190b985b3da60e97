"""Pure: a reply in an episode. In: the game, its state, who writes, the lines. Out: an `Interpretation`.

It is read first, in the state as its writer sees it (`reading`), and played then, in order, up to the first command that the
rules refuse (`playing.play_plan`). Nothing is read again after something was shown.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from host.engine.chance import NO_CHANCE, Chance
from host.engine.game import HOST, Game, Invalid, NotYet, Refusal
from host.play import reading
from host.play.interpretation import Interpretation, Read, ReplyContext
from host.play.playing import Seated, play_plan
from host.play.seen import Seen
from host.play.services import service_in
from host.play.taking_back import leaves

READ_AS = "I read this as “{}”. Is that right?"
MOST_OFFERED = 5
"""Readings that a letter offers."""


def interpret(
    game: Game[Any, Any], state: Any, seat: int, lines: Sequence[str], reply: ReplyContext, chance: Chance
) -> Interpretation:
    """Read the lines of one mail, and play what they say. Questions that open while it is played are its own too."""
    return play_plan(Seated(game, state, seat, reply, chance), read(game, state, seat, lines, reply))


def read(game: Game[Any, Any], state: Any, seat: int, lines: Sequence[str], reply: ReplyContext) -> Read:
    """What the lines of one mail say, in the state as `seat` sees it. The readings of a question are legal there."""
    found = reading.read(seen_by(game, state, seat, reply.names), lines, reply.host_names, reply.takes_text)
    if not found.question:
        return found
    likely = legal(game, state, seat, found.question.readings)
    verbs = {each.split()[0] for each in likely}  # other moves, not more of the same
    rest = [each for each in legal(game, state, seat, found.question.rest) if each.split()[0] not in verbs]
    reason = READ_AS.format(likely[0]) if likely else found.question.reason
    return replace(found, question=replace(found.question, reason=reason, readings=(*likely, *rest), rest=()))


def seen_by(game: Game[Any, Any], state: Any, seat: int, names: Sequence[str] = ()) -> Seen:
    """The table as `seat` sees it; what it cannot see is made up (`Game.as_seen`)."""
    looks = game.as_seen(state, seat)
    asked = [question for question in game.questions(looks) if question.seat == seat]
    answers = tuple(choice for question in asked for choice in game.choices(looks, question))
    return Seen(
        seat=seat,
        phase=looks.phase,
        words=game.vocabulary,
        parse=lambda text: game.say(game.parse(text, looks, seat)),
        split=game.split,
        offered=answers if asked or seat == HOST else game.ahead(looks, seat),
        is_asked=bool(asked),
        prompt=game.prompt(looks, seat),
        looks=lambda: leaves(game.view(looks, seat)),
        text_verbs=game.text_verbs,
        seat_words=game.seat_words,
        cards_at_hand=game.at_hand(looks, seat),
        names=tuple(name.casefold() for name in names),
        titles=(game.title, game.slug, game.code),
    )


def legal(game: Game[Any, Any], state: Any, seat: int, readings: Sequence[str]) -> tuple[str, ...]:
    """Those readings that are legal as far as `seat` can see, each once."""
    looks = game.as_seen(state, seat)
    is_asked = any(question.seat == seat for question in game.questions(looks))
    return tuple(each for each in dict.fromkeys(readings) if _is_legal(game, looks, seat, each, is_asked))


def commands_of(game: Game[Any, Any], text: str) -> tuple[str, ...]:
    """The commands of a reading; what stands behind a verb of free text is one."""
    return (text,) if text.split()[0] in game.text_verbs else tuple(text.split(", "))


def _is_legal(game: Game[Any, Any], looks: Any, seat: int, text: str, is_asked: bool) -> bool:
    """Are the commands of a reading legal one after the other, or, of who is asked nothing, may they be sent ahead?"""
    try:
        for each in commands_of(game, text):
            looks = game.apply(looks, seat, game.parse(each, looks, seat), NO_CHANCE).state
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
