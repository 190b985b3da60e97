"""Pure: what is said twice. In: a mail while it is read, a reading. Out: is it a wish said again, a contradiction, or played?"""

from collections.abc import Sequence
from typing import Any

from host.engine.frames import frames
from host.engine.game import Illegal, NotYet, Refusal
from host.engine.grammar import is_polite, number, plain, words
from host.play.agreement import says_yes
from host.play.clauses import Clause, shortened
from host.play.interpretation import Interpretation
from host.play.moves import Moves
from host.play.playing import answers, is_legal, played
from host.play.progress import ANEW, TWO_ANSWERS, WHICH_MOVE, Progress, is_name
from host.play.reading import Reading, Unreadable, read_clause

PUT_ANSWER_FIRST = "If that is your answer, write the word answer before it."


def only_leads_in(mail: Progress, clause: Clause, text: str, rest: Sequence[Clause]) -> bool:
    """`OK, stand`, `call, yes`: a yes before a command in its place, or behind one in its line, is passed over.

    `Yes, decline` contradicts itself, and is asked about.
    """
    if text.split()[0] in words(clause.fragment) or not says_yes([clause.fragment]):
        return False
    moves = mail.moves(mail.now.state)
    following = next((mail.with_its_no(each) for each in rest if not is_polite(each.fragment)), None)
    command = _command_of(following, moves) if following is not None else None
    instead = "" if command is None or not is_legal(mail.who, mail.now.state, command) else mail.game.say(command)
    is_behind = bool(mail.steps) and mail.steps[-1].clause.line == clause.line
    if not (is_behind or instead):
        return False
    if following and not (is_behind or is_polite(clause.fragment) or instead.split()[0] == text.split()[0]):
        reason = TWO_ANSWERS.format(shortened(clause.typed), shortened(following.typed))
        mail.refuse(clause, reason, readings=(text, instead))
    else:
        mail.pass_over(clause, Unreadable("talk", WHICH_MOVE.format(shortened(clause.typed)), touches=False))
    return True


def _command_of(clause: Clause, moves: Moves) -> Any | None:
    try:
        return read_clause(clause, moves).command
    except (Unreadable, Refusal):
        return None


def play(mail: Progress, clause: Clause, reading: Reading, text: str) -> bool:
    """Play what was read, `text` in canonical words, or say why not; is it accepted?"""
    before = mail.now
    try:
        mail.now = played(mail.who, before, reading.command)
    except Illegal as refusal:
        if isinstance(refusal, NotYet) and not mail.steps and _play_what_leads_to(mail, clause, text):
            return True
        if not mail.names_its_move(clause, text) and is_another_value(mail, clause):
            return False
        if not contradicts(mail, clause, reading, text, not isinstance(refusal, NotYet)):
            if mail.steps:
                # what the commands before it lead to decides, when it is played
                mail.accept(before, clause, text, is_literal=reading.is_literal)
                return True
            mail.refuse(clause, refusal.reason + _hint(mail, clause, refusal), refusal.clause)
        return False
    if is_either_or(mail, before, clause, reading, text):
        mail.now = before
        mail.refuse_both(clause, text)
        return False
    if mail.now.ahead != before.ahead:
        if contradicts(mail, clause, reading, text):
            return False
        if not mail.names_its_move(clause, text):
            mail.now = before
            mail.pass_over(clause, Unreadable("talk", WHICH_MOVE.format(shortened(clause.typed)), True))
            return False
    mail.accept(before, clause, text, is_literal=reading.is_literal)
    return True


def _play_what_leads_to(mail: Progress, clause: Clause, text: str) -> bool:
    """`pick 3` where the letter offers `cut 26, pick 3` as one: the whole of it, as a tap on that button."""
    moves = mail.moves(mail.now.state)
    whole = next((said for said in moves.said if len(said) > 1 and said[-1] == text), ())
    for each in whole:
        before, command = mail.now, mail.game.parse(each, mail.now.state, mail.who.seat)
        mail.now = played(mail.who, before, command)
        mail.accept(before, clause, mail.game.say(command), is_literal=each == text)
    return bool(whole)


def is_part_of_talk(mail: Progress, clause: Clause, reading: Reading, rest: Sequence[Clause]) -> bool:
    """A value without a verb, in the middle of a sentence that goes on about something else, is no answer.

    At the beginning of a sentence it is (`7, my lucky number`).
    """
    said = words(clause.fragment)
    is_value = any(each[0].isdigit() for each in said) or len(said) == 1
    if not is_value or mail.names_its_move(clause, mail.game.say(reading.command)):
        return False
    if (
        clause.begins
        and not mail.in_pieces
        and all(each in frames().value_nouns | frames().nouns or number(each) is not None for each in said)
    ):
        return False
    if clause.begins and len(mail.game.say(reading.command).split()) > 2:
        return False
    following = next(iter(rest), None)
    if following is None or following.begins or is_polite(following.fragment):
        is_behind_talk = bool(mail.left) and mail.left[-1][0].line == clause.line
        return mail.in_pieces and not clause.begins and is_behind_talk
    try:
        read_clause(following, mail.moves(mail.now.state))
    except Unreadable as unread:
        return not following.mark and not unread.touches
    except Refusal:
        return False
    return False


def is_set_against(mail: Progress, clause: Clause, reading: Reading) -> bool:
    """`hit, nvm, stand`: does something stand between two answers to one question? A list is joined by nothing, or by a then."""
    last = mail.steps[-1]
    if mail.number - last.number < 2 or ANEW.search(clause.marked) or mail.game.say(reading.command) == last.command:
        return False
    return answers(mail.who, last.before.state, reading.command)


def says_again(mail: Progress, clause: Clause, reading: Reading, text: str, rest: Sequence[Clause]) -> bool:
    """The same wish in other words counts once; the same words in a list are counted (`hit, hit, stand`)."""
    if not mail.steps or mail.steps[-1].command != text or reading.times > 1:
        return False
    last = mail.steps[-1].clause
    anew = ANEW.search(clause.marked)
    if anew and (anew[0].lower() == "then" or is_legal(mail.who, mail.now.state, reading.command)):
        return False
    is_canonical = plain(clause.fragment).strip(".!* ") == text == plain(last.fragment).strip(".!* ")
    is_listed = not clause.begins or clause.line != last.line
    if not (is_canonical and is_listed):
        return True
    return not _goes_on(mail, text, rest) and not is_legal(mail.who, mail.now.state, reading.command)


def _goes_on(mail: Progress, text: str, rest: Sequence[Clause]) -> bool:
    """Does another command follow in the mail, so that this is a list of them?"""
    for clause in rest:
        try:
            command = mail.game.parse(clause.fragment, mail.now.state, mail.who.seat)
        except Refusal:
            continue
        if mail.game.say(command) != text:
            return True
    return False


def contradicts(mail: Progress, clause: Clause, reading: Reading, text: str, is_illegal: bool = False) -> bool:
    """Does this answer again, and otherwise, what the command before it has answered? Then neither is played."""
    if not mail.steps or mail.steps[-1].command == text or mail.steps[-1].is_ahead:
        return False
    is_other_verb = text.split()[0] != mail.steps[-1].command.split()[0]
    is_listed = not clause.begins or (not is_other_verb and clause.line != mail.steps[-1].clause.line)
    is_sequence = reading.is_literal and bool(is_listed or ANEW.search(clause.marked))
    is_over = mail.steps[-1].before.state.phase != mail.now.state.phase
    if is_sequence and not (is_other_verb and is_illegal and is_over) and mail.names_its_move(clause, text):
        return False
    if not answers(mail.who, mail.steps[-1].before.state, reading.command):
        return False
    mail.refuse_both(clause, text)
    return True


def is_another_value(mail: Progress, clause: Clause) -> bool:
    """`1250... ah, what the heck, 2500`: another value for the command before it; then both are asked about."""
    again = mail.read_in_place_of(mail.steps[-1], clause) if mail.steps else None
    if again is None or mail.game.say(again.command) == mail.steps[-1].command:
        return False
    mail.refuse_both(clause, mail.game.say(again.command))
    return True


def is_either_or(mail: Progress, before: Interpretation, clause: Clause, reading: Reading, text: str) -> bool:
    """`high, low`: another answer to the question that has just been answered, though it could answer the next one too."""
    if (
        not mail.steps
        or mail.steps[-1].is_ahead
        or ANEW.search(clause.marked)
        or clause.line != mail.steps[-1].clause.line
    ):
        return False
    base = mail.steps[-1].before.state
    is_other = text.split()[0] != mail.steps[-1].command.split()[0]
    return is_other and base.phase != before.state.phase and answers(mail.who, base, reading.command)


def is_said_again(mail: Progress, clause: Clause, unread: Unreadable) -> bool:
    """Does it say, as things stood before the last command, just that command again? Another one contradicts it."""
    if not mail.steps or not unread.touches or is_name(clause):
        return False
    again = mail.read_in_place_of(mail.steps[-1], clause)
    if again is None or mail.steps[-1].is_ahead:
        return again is not None and mail.game.say(again.command) == mail.steps[-1].command
    text = mail.game.say(again.command)
    if text != mail.steps[-1].command:
        if mail.mark:
            return False
        mail.refuse_both(clause, text)
    return True


def _hint(mail: Progress, clause: Clause, refusal: Illegal) -> str:
    is_answer = isinstance(refusal, NotYet) and mail.who.reply.takes_text and not mail.steps
    return f" {PUT_ANSWER_FIRST}" if is_answer and mail.answer(clause.typed) else ""
