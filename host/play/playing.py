"""Pure: playing one command of a mail. In: the interpretation so far, a command. Out: the interpretation with it; `Illegal`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from host.engine.chance import Chance
from host.engine.game import HOST, Game, Illegal, NotYet, Refusal
from host.play.interpretation import MOST_AHEAD, Interpretation, Read, RefusedLine, ReplyContext, SentAhead

TOO_MANY_AHEAD = f"No more than {MOST_AHEAD} commands can wait to be played; this one was not kept."
STALE = "That question was settled before this reply came, so nothing of it was played."
SENT_BEFORE = "You sent that before, in reply to the same letter."
OUTDATED = "What that letter told of has changed since, so this was not played."


@dataclass(frozen=True)
class Seated:
    """Who plays in a mail: the game and its state when the mail was opened, the seat, what the mail may answer."""

    game: Game[Any, Any]
    began: Any
    seat: int
    reply: ReplyContext
    chance: Chance


def play_plan(who: Seated, read: Read) -> Interpretation:
    """Play what a mail says, in order, up to the first command that the rules refuse; nothing is read again."""
    now = Interpretation(
        who.began,
        services=read.services,
        leaving=read.leaving,
        to_host=read.to_host,
        chat=read.chat,
        is_cancelling=read.is_cancelling,
        read_as=read.read_as,
        plan=read.plan,
    )
    if read.question:
        asked = read.question
        return replace(now, refused=RefusedLine(asked.typed, asked.reason, "", asked.readings, is_unread=True))
    for at, each in enumerate(read.plan):
        try:
            now = played(who, now, who.game.parse(each.text, now.state, who.seat))
        except Refusal as refusal:
            stopped = RefusedLine(each.typed, refusal.reason, getattr(refusal, "clause", ""))
            counted = {*now.said, *(kept.text for kept in now.ahead)}
            read_as = tuple(made for made in read.read_as if made.command in counted)
            untried = tuple(later.typed for later in read.plan[at + 1 :])
            return replace(now, refused=stopped, untried=untried, read_as=read_as)
    return now


def played(who: Seated, now: Interpretation, command: Any) -> Interpretation:
    """The command played, or kept until it is asked for. Raises `Illegal`."""
    game, seat, reply = who.game, who.seat, who.reply
    if reply.blocked:
        raise Illegal(reply.blocked)
    mine = [question.key for question in game.questions(now.state) if question.seat == seat]
    if seat != HOST:
        _require_fresh(who, now, mine)
        if game.say(command) in reply.sent_before:
            raise Illegal(SENT_BEFORE)
        if _is_outdated(who, command):
            raise Illegal(OUTDATED)
    try:
        outcome = game.apply(now.state, seat, command, who.chance)
    except NotYet:
        may_wait = seat != HOST and (now.said or now.ahead or not mine)
        if not may_wait or not (reply.is_unasked or reply.fresh):
            raise
        if len(now.ahead) >= (MOST_AHEAD if now.is_cancelling else reply.room_ahead):
            raise Illegal(TOO_MANY_AHEAD) from None
        kept = SentAhead(game.say(command), game.scope(now.state, command))
        return replace(now, ahead=(*now.ahead, kept))
    return replace(now, state=outcome.state, events=(*now.events, *outcome.events), said=(*now.said, game.say(command)))


def _is_outdated(who: Seated, command: Any) -> bool:
    """Was the letter written in another round, hand or question, or at another stake, than the mail found?"""
    if who.reply.written_at is None:
        return False
    then, now = who.game.scope(who.reply.written_at, command), who.game.scope(who.began, command)
    return bool(then and now and then != now)


def _require_fresh(who: Seated, now: Interpretation, mine: Sequence[str]) -> None:
    """Raise `Illegal` for a reply to a question that is settled, or was never put to this seat by this letter."""
    if who.reply.is_unasked or now.ahead:
        return
    asked_before = {question.key for question in who.game.questions(who.began)}
    if any(key in asked_before and key not in who.reply.fresh for key in mine):
        raise Illegal(STALE)
    if not who.reply.fresh and not now.said and not mine and not who.game.is_out(now.state, who.seat):
        raise Illegal(_not_asked(who.game, now.state))


def _not_asked(game: Game[Any, Any], state: Any) -> str:
    return (
        "The episode is over."
        if game.result(state)
        else "That question was settled before, and nothing is asked of you now."
    )
