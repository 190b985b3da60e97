"""Pure: hearing a mail's lines in an episode. In: the game, its state, who writes, the lines. Out: `Heard`.

Commands are taken in order, up to the first that is not understood or not legal; what came before that is played.
`status`, `rules`, `help` and what is written to the host are served whatever happens to the rest.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from host.engine.chance import Chance
from host.engine.game import HOST, Event, Game, Illegal, Invalid, NotYet, Refusal
from host.engine.grammar import is_polite, nearest, words
from host.play.services import service_in, take_host_text

MOST_AHEAD = 20
"""Commands of a seat that may be kept until they are asked for."""
TOO_MANY_AHEAD = f"No more than {MOST_AHEAD} commands can wait to be played; this one was not kept."
MAX_FRAGMENTS = 200
"""No mail has more commands than that; what is longer is no reply."""
MAX_SAID = 10_000
"""Characters in which they are looked for."""
STALE = "That question was settled before this reply came, so nothing of it was played."
SENT_BEFORE = "You sent that before, in reply to the same letter."
OUTDATED = "What that letter told of has changed since, so this was not played."
PUT_ANSWER_FIRST = "If that is your answer, write the word answer before it."
WHICH_LINE = "I could not tell which line is your answer: write the word answer before it."


@dataclass(frozen=True)
class ReplyContext:
    """Which questions a mail may answer: `fresh` are the keys of those that its letter asked and that are open.

    A letter that asked nothing can be replied to with a command that is sent ahead: `is_unasked`; `written_at` is the
    state when it was written, where that is known. `sent_before` are the commands that earlier replies to it had.
    `blocked` is a sentence where no command may be played at all (paused, late), or None. `takes_text`: may a lone line
    be an answer? `room_ahead` is how many more commands may be kept until they are asked for.
    """

    fresh: frozenset[str]
    is_unasked: bool = False
    sent_before: frozenset[str] = frozenset()
    blocked: str | None = None
    written_at: Any = None
    takes_text: bool = True
    room_ahead: int = MOST_AHEAD


@dataclass(frozen=True)
class SentAhead:
    """A command that is kept until its player is asked: in canonical words, with the scope it is good for."""

    text: str
    scope: str


@dataclass(frozen=True)
class RefusedLine:
    """A line that stopped the rest: what was written, why it was not played, the rule that says so."""

    line: str
    reason: str
    clause: str = ""


@dataclass(frozen=True)
class Interpretation:
    """What became of a mail's lines.

    `said` are the accepted commands in canonical words, `services` what was asked of the host's service, in order and
    once each; `leaving` is the rest of a `leave` line, `to_host` the text for the operators. `chat` are lines passed
    over as small talk. `ahead` are commands to keep until they are asked for; `is_cancelling` drops those kept before.
    """

    state: Any
    events: tuple[Event, ...] = ()
    said: tuple[str, ...] = ()
    refused: RefusedLine | None = None
    untried: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    leaving: str = ""
    to_host: str = ""
    chat: tuple[str, ...] = ()
    ahead: tuple[SentAhead, ...] = ()
    is_cancelling: bool = False

    @property
    def is_empty(self) -> bool:
        """Did the mail say nothing that could be acted on?"""
        return not (self.said or self.ahead or self.refused or self.services or self.to_host)


def interpret(
    game: Game[Any, Any], state: Any, seat: int, lines: Sequence[str], reply: ReplyContext, chance: Chance
) -> Interpretation:
    """Take the lines of one mail, in order. Questions that open while it is heard are its own too."""
    rest, to_host = take_host_text(lines)
    understood = Interpretation(state, to_host=to_host)
    pending = _fragments(game, state, seat, rest, reply)
    has_more_lines = sum(not is_polite(line) for line in rest[:MAX_FRAGMENTS]) > 1
    for at, fragment in enumerate(pending):
        service, argument = service_in(fragment, (game.title, game.slug, game.code))
        if service:
            understood = _served(understood, service, argument)
            continue
        if understood.refused:
            if not is_polite(fragment):
                understood = replace(understood, untried=(*understood.untried, fragment))
            continue
        try:
            understood = _played(game, understood, seat, fragment, reply, state, chance)
        except Invalid as refusal:
            is_chat = refusal.chatter or ((understood.said or understood.ahead) and _is_stray(fragment))
            if is_chat and not _stands_alone(game, understood, pending, at, seat):
                understood = replace(understood, chat=(*understood.chat, fragment))
            elif not understood.said and has_more_lines and game.lone_answer(understood.state, seat, fragment):
                understood = replace(understood, refused=RefusedLine(fragment, WHICH_LINE))
            else:
                understood = replace(understood, refused=RefusedLine(fragment, refusal.reason))
        except Illegal as refusal:
            may_be_answer = isinstance(refusal, NotYet) and reply.takes_text and len(pending) == 1
            hint = (
                f" {PUT_ANSWER_FIRST}" if may_be_answer and game.lone_answer(understood.state, seat, fragment) else ""
            )
            understood = replace(understood, refused=RefusedLine(fragment, refusal.reason + hint, refusal.clause))
    return understood


def _fragments(game: Game[Any, Any], state: Any, seat: int, lines: Sequence[str], reply: ReplyContext) -> list[str]:
    """The commands of a mail's lines; a lone line that holds none may be an answer as a whole."""
    split = (part for part in game.split("\n".join(lines)[:MAX_SAID]) if not is_polite(part) or service_in(part)[0])
    parts = list(itertools.islice(split, MAX_FRAGMENTS))
    spoken = [line for line in lines[:MAX_FRAGMENTS] if not is_polite(line)]
    if reply.takes_text and len(spoken) == 1 and not any(_is_understood(game, state, part, seat) for part in parts):
        answer = game.lone_answer(state, seat, spoken[0])
        return [answer] if answer else parts
    return parts


def _is_understood(game: Game[Any, Any], state: Any, fragment: str, seat: int) -> bool:
    if service_in(fragment)[0]:
        return True
    try:
        game.parse(fragment, state, seat)
    except Refusal as refusal:
        return not isinstance(refusal, Invalid)
    return True


def _played(
    game: Game[Any, Any],
    understood: Interpretation,
    seat: int,
    fragment: str,
    reply: ReplyContext,
    began: Any,
    chance: Chance,
) -> Interpretation:
    command = game.parse(fragment, understood.state, seat)
    if reply.blocked:
        raise Illegal(reply.blocked)
    mine = [question.key for question in game.questions(understood.state) if question.seat == seat]
    if seat != HOST:
        _require_fresh(game, understood, seat, mine, reply, frozenset(each.key for each in game.questions(began)))
        if game.say(command) in reply.sent_before:
            raise Illegal(SENT_BEFORE)
        if _is_outdated(game, began, command, reply):
            raise Illegal(OUTDATED)
    try:
        outcome = game.apply(understood.state, seat, command, chance)
    except NotYet:
        may_wait = seat != HOST and (understood.said or understood.ahead or not mine)
        if not may_wait or not (reply.is_unasked or reply.fresh):
            raise
        if len(understood.ahead) >= (MOST_AHEAD if understood.is_cancelling else reply.room_ahead):
            raise Illegal(TOO_MANY_AHEAD) from None
        kept = SentAhead(game.say(command), game.scope(understood.state, command))
        return replace(understood, ahead=(*understood.ahead, kept))
    return replace(
        understood,
        state=outcome.state,
        events=(*understood.events, *outcome.events),
        said=(*understood.said, game.say(command)),
    )


def _is_outdated(game: Game[Any, Any], began: Any, command: Any, reply: ReplyContext) -> bool:
    """Was the letter written in another round, hand or question, or at another stake, than the mail found (`began`)?"""
    if reply.written_at is None:
        return False
    then, now = game.scope(reply.written_at, command), game.scope(began, command)
    return bool(then and now and then != now)


def _require_fresh(
    game: Game[Any, Any],
    understood: Interpretation,
    seat: int,
    mine: Sequence[str],
    reply: ReplyContext,
    asked_before: frozenset[str],
) -> None:
    """Raise `Illegal` for a reply to a question that is settled, or was never put to this seat by this letter."""
    if reply.is_unasked or understood.ahead:
        return
    if any(key in asked_before and key not in reply.fresh for key in mine):
        raise Illegal(STALE)
    if not reply.fresh and not understood.said and not mine and not game.is_out(understood.state, seat):
        raise Illegal(_not_asked(game, understood.state))


def _not_asked(game: Game[Any, Any], state: Any) -> str:
    return (
        "The episode is over."
        if game.result(state)
        else "That question was settled before, and nothing is asked of you now."
    )


def _is_stray(fragment: str) -> bool:
    """One word behind the commands, without a number: a signature sooner than a misspelt command."""
    found = words(fragment)
    return len(found) == 1 and found[0].isalpha()


def _stands_alone(game: Game[Any, Any], understood: Interpretation, pending: Sequence[str], at: int, seat: int) -> bool:
    """Small talk is passed over only in a mail that says something else; alone it deserves an answer."""
    if understood.said or understood.ahead or understood.services or understood.to_host or understood.chat:
        return False
    return not any(is_command(game, understood.state, each, seat) for each in pending[at + 1 :])


def is_command(game: Game[Any, Any], state: Any, fragment: str, seat: int) -> bool:
    """Is this something that the game, or the service, would act on or refuse?"""
    if service_in(fragment)[0]:
        return True
    try:
        game.parse(fragment, state, seat)
    except Refusal as refusal:
        return not (isinstance(refusal, Invalid) and refusal.chatter)
    return True


def _served(understood: Interpretation, service: str, argument: str) -> Interpretation:
    if service == "cancel":
        understood = replace(understood, ahead=(), is_cancelling=True)
    services = understood.services if service in understood.services else (*understood.services, service)
    return replace(understood, services=services, leaving=argument if service == "leave" else understood.leaving)


def suggestions(game: Game[Any, Any], state: Any, seat: int, text: str) -> tuple[str, ...]:
    """What `seat` could say now, most like `text` first, in canonical words; at most six."""
    legal: dict[str, None] = {}
    for question in game.questions(state):
        if question.seat == seat:
            for choice in game.choices(state, question):
                legal.setdefault(choice.say[0] + "…" if choice.text else choice.say[0])
    return nearest(text, tuple(legal))[:6]
