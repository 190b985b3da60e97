"""Pure: reading a mail's lines in an episode. In: the game, its state, who writes, the lines. Out: an `Interpretation`.

A mail is read first and played then. It is read in the state as its writer sees it (`Game.as_seen`), with a chance that is the
same for all: nothing that is hidden, and nothing that a command of it leads to, can decide what it says. What came of that is
a plan of commands, which is played in order up to the first that the rules refuse (`playing.play_plan`).

Every clause is accounted for: it is a command, takes one back, says one again, asks the service, is a courtesy or talk; or it
stops the rest and is asked about, and what was plain before it stands. `clauses` parts the text, `reading` reads one clause,
`playing` plays a command, `repeating` and `replacing` tell how a clause stands to those before it; `progress` is what was read
so far. Here stands the order of it.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from host.engine.chance import NO_CHANCE, Chance
from host.engine.frames import frames
from host.engine.game import HOST, Game, Illegal, Invalid, Refusal
from host.engine.grammar import is_polite, is_social, nearest, number, plain, tokens, words
from host.play.clauses import MAX_CLAUSES, Clause, clauses, pieces, second_thought, shortened, unsigned
from host.play.foreign import translated, with_lines_whole
from host.play.free_text import answer_in, asks_something
from host.play.interpretation import Interpretation, Planned, RefusedLine, ReplyContext
from host.play.moves import Moves
from host.play.playing import Seated, answers, is_legal, play_plan
from host.play.pleas import without_pleas
from host.play.progress import ANEW, CONDITION, TAKEN_BACK, WHICH_MOVE, Progress, Step, is_name
from host.play.reading import Reading, Unreadable, read_clause
from host.play.repeating import (
    is_part_of_talk,
    is_said_again,
    is_set_against,
    only_leads_in,
    play,
    says_again,
)
from host.play.replacing import (
    completes,
    correct,
    exchanges,
    excludes,
    is_bare_denial,
    limits_what_was_said,
    note_in_its_place,
    say_in_full,
    take_mark,
    takes_back,
)
from host.play.services import Asked, Service, asked_to_know, greets_host, service_in, take_host_text
from host.play.taking_back import asks_to_take_back

IS_THAT_IT = "Is “{}” your answer? Then send it with the word answer before it."
WHICH_LINE = "I could not tell which line is your answer: write the word answer before it."
TOOK_BACK = "You took back “{}”, and I could not tell what you want in its place."
ONLY_THE_HOST = "That is a question for the host."
MOST_SKIPPED = 3
"""Clauses that speak of the game and are passed over for the sake of one plain wish."""
_GIVING_UP = frozenset((Service.RESIGN, Service.LEAVE, Service.RETIRE, Service.CANCEL))
"""Services that may take a command back, behind words that do."""
_CONDITION = frozenset("if unless when whenever until whether provided otherwise depending depends".split())
_INSTEAD = re.compile(r"(?<![\s,])[\s,]++instead\s*+[.!]*+$", re.IGNORECASE)
_COURTEOUS = re.compile(r"(?:many |so )?(?:thanks?|sorry|apologies|hope|hoping|greetings|merci|danke|gracias)\b")


def interpret(
    game: Game[Any, Any], state: Any, seat: int, lines: Sequence[str], reply: ReplyContext, chance: Chance
) -> Interpretation:
    """Read the lines of one mail, and play what they say. Questions that open while it is played are its own too."""
    return play_plan(Seated(game, state, seat, reply, chance), read(game, state, seat, lines, reply))


def read(game: Game[Any, Any], state: Any, seat: int, lines: Sequence[str], reply: ReplyContext) -> Interpretation:
    """What the lines of one mail say, in order, in the state as `seat` sees it; the `plan` is all that is to be played."""
    rest, to_host = take_host_text(lines)
    rest, is_pleading = without_pleas(unsigned(rest))
    who = Seated(game, game.as_seen(state, seat), seat, reply, NO_CHANCE)
    mail = Progress(who, Interpretation(who.began, to_host=to_host))
    moves = mail.moves(who.began)
    found = with_lines_whole(clauses("\n".join(rest), game.split, moves.put_right, _free_text(game)), rest, moves.names)
    if not found and "".join(rest).strip() == "?":
        mail.serve(Service.HELP, "")
    understood = _read(mail, found, rest)
    if understood.refused and mail.stopped_by and not (mail.steps or moves.takes_text):
        understood = _read_around_talk(mail, found, rest) or understood
    return _for_the_host(understood, lines, reply, is_pleading)


def _read(mail: Progress, found: Sequence[Clause], lines: Sequence[str]) -> Interpretation:
    for at, clause in enumerate(found):
        _take(mail, clause, found[at + 1 :])
    understood = _finished(mail, lines[:MAX_CLAUSES])
    return replace(understood, plan=tuple(Planned(step.command, step.clause.typed) for step in mail.steps))


def _read_around_talk(mail: Progress, found: Sequence[Clause], lines: Sequence[str]) -> Interpretation | None:
    """The mail with clauses passed over that speak of the game but can be no wish, where just one plain wish is left.

    `630 out there for my 190, that's better than three to one. Call.` None where more than that is in doubt.
    """
    skipped: dict[str, Unreadable] = {}
    for _ in range(MOST_SKIPPED):
        if mail.stopped_by is None or not mail.stopped_by[1].may_be_talk:
            return None
        clause, unread = mail.stopped_by
        skipped[clause.typed] = unread
        mail = Progress(mail.who, Interpretation(mail.who.began, to_host=mail.now.to_host), skipped)
        understood = _read(mail, found, lines)
        if mail.steps and not understood.refused:
            commands = [step.command for step in mail.steps]
            is_plain = all(unread.is_beside(commands) for unread in skipped.values())
            return understood if is_plain and _answers(mail, commands[0]) else None
        if mail.steps:
            return None
    return None


def _answers(mail: Progress, command: str) -> bool:
    """Does a command settle what is asked now, so that nothing else has to be meant?"""
    began = mail.who.began
    return answers(mail.who, began, mail.game.parse(command, began, mail.who.seat))


def _free_text(game: Game[Any, Any]) -> re.Pattern[str] | None:
    """What begins with a verb of free text, to the end of its line; None where a game has no such verb."""
    if not game.text_verbs:
        return None
    verbs = "|".join(sorted(game.text_verbs))
    return re.compile(rf"^[ \t]*(?:{verbs})(?![a-z])[^\n]*", re.IGNORECASE | re.MULTILINE)


def _for_the_host(
    found: Interpretation, lines: Sequence[str], reply: ReplyContext, is_pleading: bool
) -> Interpretation:
    """What only the host can answer goes there whole: a plea for time, a letter to the host that holds no command, a question,
    and words that stand beside a command.
    """
    is_unread = found.refused is not None and found.refused.is_unread and not (found.said or found.ahead)
    turns_to_host = any(greets_host(line, ("host", *reply.host_names)) for line in lines[:3])
    asks_host = is_unread and found.refused is not None and found.refused.reason == ONLY_THE_HOST
    if not (is_pleading or (is_unread and turns_to_host) or asks_host or _has_more_to_say(found)):
        return found
    if is_unread:
        found = replace(found, refused=None, untried=())
    return replace(found, to_host="\n".join(lines).strip())


def _has_more_to_say(found: Interpretation) -> bool:
    """Stand words beside a command that are more than a courtesy or a name?"""
    return bool(found.plan) and any(
        len(words(each)) > 2 and not (is_polite(each) or is_social(each)) for each in found.chat
    )


def _take(mail: Progress, clause: Clause, rest: Sequence[Clause]) -> None:
    """Account for one more clause; `rest` are those behind it."""
    mail.number += 1
    if mail.steps and asks_to_take_back(clause.typed):
        mail.mark = "undo"
        mail.withdraw()
        return
    service, argument = _service(mail, clause)
    if not service and is_polite(clause.fragment) and not (clause.fragment and _is_move(mail, clause)):
        take_mark(mail, clause)
        return
    clause = mail.with_its_no(clause)
    if service:
        is_behind = mail.steps and service is Service.CANCEL and not mail.steps[-1].is_ahead
        if is_behind or (mail.steps and clause.mark and service in _GIVING_UP):
            mail.mark = mail.mark or service
            mail.withdraw()
        mail.serve(service, argument)
    elif not mail.now.refused:
        take_mark(mail, clause)
        _command(mail, clause, rest)
    else:
        note_in_its_place(mail, clause)
        mail.now = replace(mail.now, untried=(*mail.now.untried, clause.typed))


def _service(mail: Progress, clause: Clause) -> Asked:
    titles = (mail.game.title, mail.game.slug, mail.game.code)
    asked = f"{clause.fragment.rstrip('? ')}?" if clause.is_question else clause.fragment
    service, argument = service_in(asked, titles)
    is_greeting = service is Service.AGAIN and words(clause.fragment) == () and is_social(clause.fragment)
    return ("", "") if is_greeting else (service, argument)


def _is_move(mail: Progress, clause: Clause) -> bool:
    """Words of politeness, or signs, that are a move here (`I'm in`, a thumb)."""
    try:
        read_clause(clause, mail.moves(mail.now.state))
    except (Unreadable, Refusal):
        return False
    return True


def _command(mail: Progress, clause: Clause, rest: Sequence[Clause]) -> None:
    """Account for a clause that asks for no service, and is no courtesy: it is a move, or it says why it is none."""
    if clause.typed in mail.skipped:
        mail.pass_over(clause, mail.skipped[clause.typed])
        return
    clause = _without_instead(mail, clause)
    if (
        exchanges(mail, clause)
        or (mail.mark and mail.steps and correct(mail, clause))
        or limits_what_was_said(mail, clause)
    ):
        return
    moves = mail.moves(mail.now.state)
    try:
        reading = read_clause(clause, moves)
    except Unreadable as unread:
        is_whole = mail.in_pieces or moves.takes_text
        split = mail.game.split
        parts = [] if is_whole else translated(clause, split, moves.names) or pieces(clause, split)
        if parts:
            _take_apart(mail, parts, rest)
        else:
            _unread(mail, clause, unread, rest)
    except Illegal as refusal:
        mail.refuse(clause, refusal.reason, refusal.clause)
    else:
        _read_as(mail, clause, reading, rest)


def _without_instead(mail: Progress, clause: Clause) -> Clause:
    """`bottom right instead`: the word takes back what was said before it, and is no part of the move."""
    fragment = _INSTEAD.sub("", clause.fragment)
    if fragment == clause.fragment:
        return clause
    if mail.steps:
        mail.mark = f"{mail.mark} instead".strip()
    return replace(clause, fragment=fragment)


def _read_as(mail: Progress, clause: Clause, reading: Reading, rest: Sequence[Clause]) -> None:
    """Play a clause that was read, unless what else the mail says speaks against it."""
    text = mail.game.say(reading.command)
    if (
        mail.steps
        and text.startswith(f"{mail.steps[-1].command} ")
        and not clause.begins
        and not ANEW.search(clause.marked)
    ):
        say_in_full(mail, clause)  # `continue, three flips`
    elif reading.is_weak and (mail.steps or _is_said_plainly(mail, rest)):
        _add_to_what_was_said(mail, clause, text)
    elif (mail.steps and is_name(clause)) or only_leads_in(mail, clause, text, rest):
        return
    elif mail.excluded & set(text.lower().split()) or any(unread.denies(text) for _, unread in mail.left):
        mail.refuse(clause, WHICH_MOVE.format(shortened(clause.typed)))
    elif is_part_of_talk(mail, clause, reading, rest):
        mail.pass_over(clause, Unreadable("talk", WHICH_MOVE.format(shortened(clause.typed)), True))
    elif mail.condition is not None and not clause.begins and not plain(clause.fragment).startswith("so "):
        mail.refuse(clause, CONDITION.format(shortened(clause.typed), shortened(mail.condition.typed)))
    elif mail.who.seat != HOST and (thought := _second_thought(mail, text)):
        mail.refuse(clause, TAKEN_BACK.format(*map(shortened, reversed(thought))), readings=thought[::-1])
    elif mail.steps and (mail.mark or is_set_against(mail, clause, reading)):
        mail.ask_which(len(mail.steps) - 1, clause, text)
    elif not says_again(mail, clause, reading, text, rest):
        for _ in range(reading.times):
            if not play(mail, clause, reading, text):
                break


def _second_thought(mail: Progress, command: str) -> tuple[str, str] | None:
    """The two commands of free text in which words take the first back; None where there is one."""
    verb, _, text = command.partition(" ")
    found = second_thought(text) if verb in mail.game.text_verbs else None
    return found and (f"{verb} {found[0]}", f"{verb} {found[1].removeprefix(verb).strip()}")


def _add_to_what_was_said(mail: Progress, clause: Clause, text: str) -> None:
    """A turn of speech beside a move in plain words is talk, or says more of it (`Don't stop! To the bitter end`)."""
    if mail.steps and text != mail.steps[-1].command and text.startswith(mail.steps[-1].command):
        say_in_full(mail, clause)
    else:
        mail.pass_over(clause, Unreadable("talk", WHICH_MOVE.format(shortened(clause.typed)), touches=False))


def _is_said_plainly(mail: Progress, rest: Sequence[Clause]) -> bool:
    """Does another clause of the mail name a move in plain words?"""
    moves = mail.moves(mail.now.state)
    for clause in rest[:5]:
        try:
            if not read_clause(clause, moves).is_weak:
                return True
        except (Unreadable, Refusal):
            continue
    return False


def _take_apart(mail: Progress, parts: Sequence[Clause], rest: Sequence[Clause]) -> None:
    mail.in_pieces = True
    for at, part in enumerate(parts):
        _take(mail, part, (*parts[at + 1 :], *rest))
    mail.in_pieces = False


def _unread(mail: Progress, clause: Clause, unread: Unreadable, rest: Sequence[Clause]) -> None:
    if excludes(mail, clause, rest) or is_said_again(mail, clause, unread):
        return
    wanted = "" if mail.steps or mail.moves(mail.now.state).takes_text else asked_to_know(clause.fragment)
    if wanted and not _is_said_plainly(mail, rest):
        mail.serve(wanted, "")
        return
    if not _CONDITION.isdisjoint(plain(clause.fragment).split()):
        mail.condition = clause
    if completes(mail, clause):
        return
    if mail.steps and is_bare_denial(clause):
        mail.withdraw()
        mail.pass_over(clause, unread)
        return
    if mail.steps and takes_back(mail, clause, unread):
        mail.mark = mail.mark or "regret"
        mail.withdraw()
        mail.pass_over(clause, unread)
    elif _is_verb_of_text(mail, clause):
        mail.refuse(clause, unread.reason, is_unread=True)
    elif _is_talk(mail, clause, unread) or (mail.moves(mail.now.state).takes_text and not mail.steps):
        mail.pass_over(clause, unread)
    elif unread.trouble == "negation" and mail.steps and _is_denial(mail.steps[-1].clause):
        mail.undo_last()  # `I don't want it low, and I'd rather not spend a chip either`
        mail.refuse(clause, unread.reason, is_unread=True)
    elif unread.trouble in ("question", "negation") and (rest or mail.steps) and len(unread.numbers) < 2:
        mail.pass_over(clause, unread)  # `Fold? Never. I'm not folding this. Call`
    elif _is_verb_alone(mail, clause):
        mail.unfinished.append((clause, unread.reason))
    else:
        mail.refuse(clause, unread.reason, is_unread=True)
        mail.is_unread, mail.stopped_by = True, (clause, unread)


def _is_talk(mail: Progress, clause: Clause, unread: Unreadable) -> bool:
    """Does it ask for nothing: small talk, a name behind the commands, a score in a sentence?

    What goes on behind an `and` with the name of a move does (`one more flip, and stop whatever happens`).
    """
    first = next(iter(words(clause.fragment)), "")
    if mail.steps and not clause.begins and mail.moves(mail.now.state).verb_named(first) and not unread.is_told:
        return False
    if unread.trouble == "talk" or not unread.touches or (mail.steps and _is_signature(clause)):
        return True
    return not clause.begins and not any(each.isalpha() for each in clause.fragment)


def _is_denial(clause: Clause) -> bool:
    """Does it only say what is not wanted?"""
    said = tokens(clause.fragment)
    return not frames().negations.isdisjoint(said) or any(each.endswith("n't") for each in said)


def _is_verb_of_text(mail: Progress, clause: Clause) -> bool:
    """Does it begin with a verb of free text, which nothing follows?"""
    return plain(clause.fragment).rstrip(": ") in mail.game.text_verbs


def _is_verb_alone(mail: Progress, clause: Clause) -> bool:
    """Does it name nothing but a verb that takes a value (`Attack!`)?"""
    found = words(clause.fragment)
    return len(found) == 1 and not clause.is_question and bool(mail.moves(mail.now.state).verb_named(found[0]))


def _finished(mail: Progress, lines: Sequence[str]) -> Interpretation:
    """The interpretation, when every clause was taken."""
    if mail.withdrawn and mail.withdrawn in mail.steps:
        last = mail.withdrawn
        del mail.steps[mail.steps.index(last) + 1 :]
        mail.undo_last()
        mail.refuse(last.clause, TOOK_BACK.format(shortened(last.clause.typed)))
    elif mail.left and not (mail.steps or mail.now.refused):
        _explain_what_is_left(mail, lines)
    elif mail.steps and _is_incomplete(mail):
        mail.undo_last()
    elif mail.steps and any(unread.denies(mail.steps[-1].command) for _, unread in mail.left):
        _undo_last_denied(mail)
    _undo_what_is_doubtful(mail)
    for clause, reason in mail.unfinished:
        phase, verb = mail.now.state.phase, words(clause.fragment)[0]
        is_done = any(mail.game.vocabulary.head(verb, phase) == step.command.split()[0] for step in mail.steps)
        if not (mail.now.refused or is_done):
            mail.refuse(clause, reason)
    return mail.now


def _undo_what_is_doubtful(mail: Progress) -> None:
    """A command is asked about where other words of the mail speak against it (`_speaks_against`)."""
    for at, step in enumerate(mail.steps):
        if step.command.split()[0] in mail.game.text_verbs:
            continue
        moves = mail.moves(step.before.state)
        for clause, unread in mail.left:
            rivals = _later_moves(mail, step, clause, unread, moves)
            if rivals or _speaks_against(mail, step, clause, unread, moves):
                del mail.steps[at:]
                mail.now = mail.without_step(step.before)
                reason = WHICH_MOVE.format(shortened(step.clause.typed))
                mail.refuse(clause, reason, readings=(*rivals, step.command))
                return


def _later_moves(mail: Progress, step: Step, clause: Clause, unread: Unreadable, moves: Moves) -> tuple[str, ...]:
    """The other answers that a later sentence names: `draw. Let me keep instead`."""
    if clause.sentence <= step.clause.sentence or unread.is_told:
        return ()
    said = {*map(moves.verb_named, words(clause.fragment))} - {each.command.split()[0] for each in mail.steps}
    named = [verb for verb in moves.first_verbs if verb in said]
    return tuple(mail.game.say(each) for each in map(moves.parsed, named) if each is not None) or tuple(named)


def _speaks_against(mail: Progress, step: Step, clause: Clause, unread: Unreadable, moves: Moves) -> bool:
    """A question about the move, another move in its sentence, a number that is no value of it.

    `Should I freeze? My wife says freeze, I say pick 3`; `Make it 3500 and we have a deal`; four places, and five numbers.
    """
    is_beside = clause.sentence == step.clause.sentence
    if not (clause.is_question or is_beside):
        return False
    said = words(clause.fragment)
    values = {value for each in mail.steps for value in (*words(each.command), *words(each.clause.fragment))}
    numbers = {each for each in said if number(each) is not None and each not in values}
    if clause.is_question and (unread.named or numbers or moves.takes_text):
        return True
    named = {verb for verb in map(moves.move_named, said) if verb} - {each.command.split()[0] for each in mail.steps}
    return bool(named) or (bool(numbers) and not clause.begins)


def _is_incomplete(mail: Progress) -> bool:
    """Did a sentence that was passed over hold a value that the last command could have had? Then both are asked about."""
    last = mail.steps[-1]
    moves = mail.moves(last.before.state)
    for clause, unread in mail.left:
        values = [word for word in words(clause.fragment) if word in mail.game.vocabulary.values]
        for value in values if unread.touches and not unread.is_told and len(last.command.split()) > 1 else ():
            command = moves.parsed(f"{last.command} {value}")
            if command is not None and is_legal(mail.who, last.before.state, command):
                readings = (last.command, mail.game.say(command))
                reason = WHICH_MOVE.format(shortened(clause.typed))
                mail.now = replace(mail.now, refused=RefusedLine(clause.typed, reason, readings=readings))
                return True
    return False


def _undo_last_denied(mail: Progress) -> None:
    """`Call. No, I'm not calling that`: what is said and denied is asked about."""
    clause, unread = next(each for each in mail.left if each[1].denies(mail.steps[-1].command))
    mail.undo_last()
    mail.refuse(clause, unread.reason, is_unread=True)


def _explain_what_is_left(mail: Progress, lines: Sequence[str]) -> None:
    """A mail of nothing but talk is asked about, unless it asks a service or writes to the host; or it is an answer."""
    if mail.now.services or mail.now.to_host:
        return
    if mail.who.reply.takes_text and mail.moves(mail.now.state).takes_text and _take_answer(mail, lines):
        return
    clause, unread = next((each for each in mail.left if each[1].touches), mail.left[0])
    if len(mail.left) < 4:
        clause = replace(clause, typed=shortened(" ".join(each.typed for each, _ in mail.left), 160))
    mail.now = replace(mail.now, chat=())
    is_question = any(each.is_question for each, _ in mail.left) and not any(each[1].touches for each in mail.left)
    mail.refuse(clause, ONLY_THE_HOST if is_question else unread.reason, is_unread=True)


def _take_answer(mail: Progress, lines: Sequence[str]) -> bool:
    """What is left of a mail as an answer in free text, or a question whether it is one."""
    found = answer_in(
        _without_courtesies([clause for clause, _ in mail.left]),
        lines,
        mail.answer,
        mail.moves(mail.now.state).names,
    )
    if found is None:
        return False
    typed = " ".join(found.lines)
    clause = replace(mail.left[0][0], typed=typed)
    if found.command and not _is_slip_of_a_verb(mail, typed):
        mail.now = replace(mail.now, chat=tuple(each for each in mail.now.chat if each not in typed))
        try:
            command = mail.game.parse(found.command, mail.now.state, mail.who.seat)
        except Invalid as refusal:
            mail.refuse(clause, refusal.reason)
        else:
            is_literal = typed in found.command
            play(mail, replace(clause, fragment=found.command), Reading(command, 1, is_literal), found.command)
        return True
    if len(found.lines) == 1 and asks_something(found.lines[0], any(each.is_question for each, _ in mail.left)):
        mail.now = replace(mail.now, chat=())
        mail.refuse(clause, ONLY_THE_HOST, is_unread=True)
        return True
    readings = tuple(mail.answer(line) or f"answer {' '.join(line.split())}"[:200] for line in found.lines[:3])
    reason = IS_THAT_IT.format(shortened(readings[0].removeprefix("answer "))) if len(readings) == 1 else WHICH_LINE
    mail.now = replace(
        mail.now, chat=(), refused=RefusedLine(shortened(typed, 160), reason, "", readings, is_unread=True)
    )
    return True


def _is_slip_of_a_verb(mail: Progress, typed: str) -> bool:
    moves = mail.moves(mail.now.state)
    first, *more = plain(typed).strip("!.,").split()
    is_verb = not more and any(row.verb == first for row in mail.game.vocabulary.rows)
    return is_verb or moves.slip_of(first)


def _without_courtesies(left: list[Clause]) -> list[Clause]:
    """The clauses without thanks and excuses, where anything else is left."""
    kept = [each for each in left if not _COURTEOUS.match(plain(each.fragment))]
    return kept or left


def _is_signature(clause: Clause) -> bool:
    """One word behind the commands, without a number: a signature sooner than a misspelt command."""
    found = words(clause.fragment)
    return len(found) == 1 and found[0].isalpha()


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
