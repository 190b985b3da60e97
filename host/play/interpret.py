"""Pure: a reply in an episode. In: the game, its state, who writes, the lines. Out: an `Interpretation`.

It is read first, in the state as its writer sees it (`reading`), and played then, in order, up to the first command that the
rules refuse (`play_plan`). Nothing is read again after something was shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from host.engine.chance import NO_CHANCE, Chance
from host.engine.game import HOST, Game, Illegal, Invalid, NotYet, Refusal
from host.engine.grammar import words
from host.engine.orders import lasts
from host.engine.words import pattern, plain
from host.play import reading
from host.play.clauses import has_second_thought, shortened
from host.play.doubts import is_uncertain
from host.play.interpretation import (
    MOST_AHEAD,
    Interpretation,
    Planned,
    Question,
    Read,
    ReadAs,
    RefusedLine,
    ReplyContext,
    SentAhead,
)
from host.play.premoves import is_instead_of, order_of
from host.play.seen import Seen
from host.play.services import Service, gives_up, service_in
from host.play.taking_back import leaves

READ_AS = "I read this as “{}”. Is that right?"
MOST_OFFERED = 5
"""Readings that a letter offers."""
MOST_GUESSED_FROM = 2000
"""Characters of a mail from which a room guesses."""
TOO_MANY_AHEAD = f"No more than {MOST_AHEAD} commands can wait to be played; this one was not kept."
IS_OVER = "The episode is over."
STALE = "That question was settled before this reply came, so nothing of it was played."
SENT_BEFORE = "You sent that before, in reply to the same letter."
OUTDATED = "What that letter told of has changed since, so this was not played."
OVER_BY_THEN = "What you wrote before it ended what this was meant for, so it was not played."

_WANTS_TO_KNOW = pattern(
    r"(?:(?:and|but|so|ok|hi|hello|sorry)\W+)*(?:how|what|why|when|where|who|if|do|does|is|are)\b[^?!\n]*\?+"
)
"""A mail that asks how things are, and so has no reading to say yes to: `how much can I raise?`"""

LONG_LIST = 5
"""Words of a command that are a long list: an army."""
_DIGITS = pattern(r"\d+(?:[.,]\d+)*")


def interpret(
    game: Game[Any, Any], state: Any, seat: int, lines: Sequence[str], reply: ReplyContext, chance: Chance
) -> Interpretation:
    """Read the lines of one mail, and play what they say. Questions that open while it is played are its own too."""
    return play_plan(Seated(game, state, seat, reply, chance), read(game, state, seat, lines, reply))


def read(game: Game[Any, Any], state: Any, seat: int, lines: Sequence[str], reply: ReplyContext) -> Read:
    """Reads the lines of one mail, in the state as `seat` sees it. The readings of a question are legal there."""
    seen = seen_by(game, state, seat, reply.names)
    found = reading.read(seen, lines, reply.host_names, reply.takes_text)
    if not found.question:
        found = _unless_guessed_otherwise(game, state, seat, lines, found)
        return _unless_refused(game, state, seat, lines, found, seen)
    if not found.services and gives_up(lines):
        return replace(found, question=None, services=(Service.RESIGN,))
    is_guessed = found.question.reason != reading.ONLY_THE_HOST and not found.question.takes_back
    guesses = _guessed(game, state, seat, lines) if is_guessed else ()
    if guesses and not (found.services or _wants_orders(game, found)) and _is_sure(game, state, seat, lines):
        typed = shortened(" ".join(lines))
        plan = tuple(Planned(each, typed) for each in commands_of(game, guesses[0]))
        return replace(found, question=None, plan=plan, read_as=(ReadAs(typed, guesses[0]),))
    readings = legal(game, state, seat, found.question.readings)
    part = set(commands_of(game, guesses[0])) if guesses else set()
    whole = [each for each in readings if part and part < set(commands_of(game, each))]  # what is guessed, and more
    likely = tuple(dict.fromkeys((*whole[:1], *guesses, *readings)))
    verbs = {each.split()[0] for each in likely}  # other moves, not more of the same
    rest = [each for each in legal(game, state, seat, found.question.rest) if each.split()[0] not in verbs]
    text = plain(" ".join(lines)).strip()
    is_told = bool(likely) and not (_WANTS_TO_KNOW.fullmatch(text) or _has_other_numbers(text, likely[0]))
    may_be_open = not guesses and len(readings) > 1 and readings[0].split()[0] == readings[1].split()[0]
    is_told = is_told and not (may_be_open and reading.is_value_open(seen, lines))
    reason = READ_AS.format(likely[0]) if is_told else found.question.reason
    return replace(found, question=replace(found.question, reason=reason, readings=(*likely, *rest), rest=()))


def _unless_guessed_otherwise(game: Game[Any, Any], state: Any, seat: int, lines: Sequence[str], found: Read) -> Read:
    """Of a long list the room, which reads the whole mail at once, may find more values: no card gets lost on the way. It is
    played so where the room is sure, else asked about."""
    long = [each.text for each in found.plan if len(each.text.split()) > LONG_LIST]
    guesses = _guessed(game, state, seat, lines) if len(long) == 1 == len(found.plan) else ()
    if not guesses or not set(long[0].split()) < set(guesses[0].split()):
        return found
    typed = shortened(" ".join(lines))
    if _is_sure(game, state, seat, lines):
        return replace(found, plan=(Planned(guesses[0], typed),), read_as=(ReadAs(typed, guesses[0]),))
    question = Question(READ_AS.format(guesses[0]), typed, (guesses[0], long[0]))
    return replace(found, plan=(), read_as=(), question=question)


def _unless_refused(game: Game[Any, Any], state: Any, seat: int, lines: Sequence[str], found: Read, seen: Seen) -> Read:
    """Of a mail whose first move is not said by its verb, and is one that the rules refuse at once (`weakest first, 4 5 7`), what
    else it may mean of the same values is asked."""
    if not found.plan:
        return found
    first, (verb, *values) = found.plan[0], found.plan[0].text.split()
    if any(verb in (word, seen.base(word), seen.move_named(word)) for word in words(plain(first.typed))):
        return found
    if legal(game, state, seat, (first.text,)):
        return found
    likely = reading.likely(seen, lines)
    found_in = legal(game, state, seat, (*_guessed(game, state, seat, lines), *likely))
    readings = tuple(each for each in found_in if not set(values).isdisjoint(each.split()[1:]))
    if not readings:
        return found
    question = Question(READ_AS.format(readings[0]), shortened(" ".join(lines)), readings)
    return replace(found, plan=(), read_as=(), question=question)


def _has_other_numbers(text: str, reading: str) -> bool:
    """Has a mail numbers, and a reading none that begins as one of them: `raise 10` for `raise 12.5`?"""
    said, read_as = (
        [each.replace(",", "").replace(".", "") for each in _DIGITS.findall(some)] for some in (text, reading)
    )
    return bool(said and read_as) and not any(each.startswith(number) for each in read_as for number in said)


def _guessed(game: Game[Any, Any], state: Any, seat: int, lines: Sequence[str]) -> tuple[str, ...]:
    """What the room makes of the whole mail of a seat that is asked, where it is legal or may wait for what comes before it."""
    looks = game.as_seen(state, seat)
    text = "\n".join(lines)[:MOST_GUESSED_FROM]
    found = [", ".join(map(game.say, each)) for each in game.guesses(looks, seat, text)]
    return legal(game, state, seat, found, may_wait=True) if found else ()


def _wants_orders(game: Game[Any, Any], found: Read) -> bool:
    """May a mail want something to stand?"""
    readings = found.question.readings if found.question else ()
    return bool(found.orders) or any(
        order_of(game, each) for reading in readings for each in commands_of(game, reading)
    )


def _is_sure(game: Game[Any, Any], state: Any, seat: int, lines: Sequence[str]) -> bool:
    """Is the room sure of its first guess, of a mail that it has whole, and in which nothing may be taken back?"""
    text = "\n".join(lines)
    is_whole = len(text) <= MOST_GUESSED_FROM and not (has_second_thought(text) or is_uncertain(plain(text)))
    return is_whole and game.is_sure(game.as_seen(state, seat), seat, text)


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
        orders=game.orders,
        order_facts=lambda: game.order_facts(game.view(looks, seat), seat),
    )


def legal(
    game: Game[Any, Any], state: Any, seat: int, readings: Sequence[str], may_wait: bool = False
) -> tuple[str, ...]:
    """Those readings that are legal as far as `seat` can see, each once. What cannot be played yet is if it `may_wait`."""
    looks = game.as_seen(state, seat)
    is_asked = not may_wait and any(question.seat == seat for question in game.questions(looks))
    return tuple(each for each in dict.fromkeys(readings) if _is_legal(game, looks, seat, each, is_asked))


def has_likely(refused: RefusedLine) -> bool:
    """Do the words of what was not certain speak for its first reading, so that it is asked about?"""
    return bool(refused.readings) and refused.reason == READ_AS.format(refused.readings[0])


def commands_of(game: Game[Any, Any], text: str) -> tuple[str, ...]:
    """The commands of a reading; all that stands behind a verb of free text is one."""
    parts, found, at = text.split(", "), list[str](), 0
    while at < len(parts):  # an order may have commas of its own
        ends = (end for end in range(len(parts), at, -1) if order_of(game, ", ".join(parts[at:end])))
        end = len(parts) if parts[at].partition(" ")[0] in game.text_verbs else next(ends, at + 1)
        found.append(", ".join(parts[at:end]))
        at = end
    return tuple(found)


def _is_legal(game: Game[Any, Any], looks: Any, seat: int, text: str, is_asked: bool) -> bool:
    """Are the commands of a reading legal one after the other, or, of who is asked nothing, may they be sent ahead?"""
    has_begun = False
    try:
        for each in commands_of(game, text):
            if order_of(game, each):
                continue
            looks = game.apply(looks, seat, game.parse(each, looks, seat), NO_CHANCE).state
            has_begun = True
    except NotYet:
        return has_begun or not is_asked
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


@dataclass(frozen=True)
class Seated:
    """The player of a mail: the game and its state when the mail was opened, the seat, what the mail may answer."""

    game: Game[Any, Any]
    began: Any
    seat: int
    reply: ReplyContext
    chance: Chance


def play_plan(who: Seated, read: Read) -> Interpretation:
    """Play what a mail says, in order, up to the first command that the rules refuse; nothing is read again.

    What is left where it played its writer out of the episode is no mistake of theirs, and falls away: a button for two steps may
    lead there with the first, or end with it the battle that the second is for.
    """
    before, now = who.began, Interpretation(**vars(read), state=who.began)
    if read.question:
        asked, over = read.question, out_of_it(who.game, now.state, who.seat)
        readings = () if over else asked.readings
        return replace(now, refused=RefusedLine(asked.typed, over or asked.reason, "", readings, is_unread=True))
    for at, each in enumerate(read.plan):
        is_last = at == len(read.plan) - 1 or bool(read.orders)  # an order may answer what is asked between
        try:
            command = who.game.parse(each.text, now.state, who.seat)
            _require_scope(who.game, before, now.state, command)
            before, now = now.state, _played(who, now, command, is_last)
        except Refusal as refusal:
            counted = {*now.said, *(kept.text for kept in now.ahead)}
            read_as = tuple(made for made in read.read_as if made.command in counted)
            is_needless = refusal.reason == OVER_BY_THEN and _is_button(who, read)
            if now.said and (is_needless or out_of_it(who.game, now.state, who.seat)):
                return replace(now, read_as=read_as, orders=())
            stopped = RefusedLine(each.typed, refusal.reason, getattr(refusal, "clause", ""))
            untried = tuple(later.typed for later in read.plan[at + 1 :])
            return replace(now, refused=stopped, untried=(*untried, *read.orders), read_as=read_as, orders=())
    return replace(now, orders=()) if now.said and out_of_it(who.game, now.state, who.seat) else _with_orders(who, now)


def _is_button(who: Seated, read: Read) -> bool:
    """Is a mail just what one button of the letter says?"""
    game, said = who.game, (*(each.text for each in read.plan), *read.orders)
    asked = (each for each in game.questions(who.began) if each.seat == who.seat)
    return any(
        choice.say == said
        for each in asked
        for choice in (*game.choices(who.began, each), *game.whole(who.began, each))
    )


def _with_orders(who: Seated, now: Interpretation) -> Interpretation:
    """The orders of a mail, kept behind its commands; one that an earlier reply to the same letter had stands already."""
    later = [now.orders[at + 1 :] for at in range(len(now.orders))]
    last = [
        text
        for text, after in zip(now.orders, later, strict=True)
        if not any(is_instead_of(who.game, each, text) for each in after)
    ]
    new = [text for text in last if text not in who.reply.sent_before]
    is_too_many = len(now.ahead) + len(new) > who.reply.room_ahead
    why_not = who.reply.blocked or out_of_it(who.game, now.state, who.seat) or (TOO_MANY_AHEAD if is_too_many else "")
    if new and why_not:
        return replace(now, refused=RefusedLine(new[0], why_not), untried=tuple(new[1:]), orders=())
    game = who.game
    facts = game.order_facts(game.view(game.as_seen(now.state, who.seat), who.seat), who.seat) if new else {}
    kept = (SentAhead(text, lasts(order, facts)) for text in new if (order := order_of(game, text)))
    return replace(now, ahead=(*now.ahead, *kept), orders=tuple(new))


def out_of_it(game: Game[Any, Any], state: Any, seat: int) -> str:
    """Says why nothing of this seat can be played any more, or nothing."""
    if game.result(state):
        return IS_OVER
    return "You are out of this episode." if seat != HOST and game.is_out(state, seat) else ""


def _played(who: Seated, now: Interpretation, command: Any, is_last: bool) -> Interpretation:
    """The command played, or kept until it is asked for. Raises `Illegal`.

    What answers no question that its writer is asked is kept where it ends the mail: it is not passed over for what follows.
    """
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
        if seat != HOST:
            _require_unsettled(who, now, command, mine)
        may_wait = seat != HOST and (((now.said or now.ahead) and is_last) or not mine)
        if not may_wait or not (reply.is_unasked or reply.fresh):
            raise
        if len(now.ahead) >= (MOST_AHEAD if now.is_cancelling else reply.room_ahead):
            raise Illegal(TOO_MANY_AHEAD) from None
        kept = SentAhead(game.say(command), game.scope(now.state, command))
        return replace(now, ahead=(*now.ahead, kept))
    return replace(now, state=outcome.state, events=(*now.events, *outcome.events), said=(*now.said, game.say(command)))


def _require_scope(game: Game[Any, Any], before: Any, state: Any, command: Any) -> None:
    """Raise `Illegal` where the command before it, played in `before`, ended the hand, the battle, the round it was meant for."""
    then, now = (game.scope(each, command).partition("-")[0] for each in (before, state))
    if then and then != now:
        raise Illegal(OVER_BY_THEN)


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


def _require_unsettled(who: Seated, now: Interpretation, command: Any, mine: Sequence[str]) -> None:
    """Raise `Illegal` for what would wait though the question that it answers is settled."""
    if who.game.say(command).split()[0] in who.reply.settled:
        raise Illegal(STALE)
    if who.reply.is_unasked or now.ahead:
        return
    if not who.reply.fresh and not now.said and not mine and not who.game.is_out(now.state, who.seat):
        is_over = who.game.result(now.state)
        raise Illegal(IS_OVER if is_over else "That question was settled before, and nothing is asked of you now.")
