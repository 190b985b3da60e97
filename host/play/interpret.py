"""Pure: reading a mail's lines in an episode. In: the game, its state, who writes, the lines. Out: an `Interpretation`.

Every clause is accounted for: it is a command, takes one back, says one again, asks the service, is a courtesy or talk; or it
stops the rest and is asked about, and what was plain before it stands. `clauses` parts the text, `reading` reads one clause;
here stands how the clauses of a mail go together.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from host.engine.chance import Chance
from host.engine.frames import NEUTRAL, UNCERTAIN
from host.engine.game import HOST, Event, Game, Illegal, Invalid, NotYet, Refusal
from host.engine.grammar import is_polite, nearest, plain, words
from host.engine.ordinary import FIRST_NAMES
from host.engine.spelling import put_right
from host.play.clauses import MAX_CLAUSES, Clause, clauses, pieces, shortened
from host.play.reading import Moves, Reading, Unreadable, read_clause
from host.play.services import service_in, take_host_text

MOST_AHEAD = 20
"""Commands of a seat that may be kept until they are asked for."""
TOO_MANY_AHEAD = f"No more than {MOST_AHEAD} commands can wait to be played; this one was not kept."
STALE = "That question was settled before this reply came, so nothing of it was played."
SENT_BEFORE = "You sent that before, in reply to the same letter."
OUTDATED = "What that letter told of has changed since, so this was not played."
PUT_ANSWER_FIRST = "If that is your answer, write the word answer before it."
IS_THAT_IT = "Is “{}” your answer? Then send it with the word answer before it."
WHICH_LINE = "I could not tell which line is your answer: write the word answer before it."
TOOK_BACK = "You took back “{}”, and I could not tell what you want in its place."
TWO_ANSWERS = "“{}” and “{}” answer the same question, so I played neither: say which one you mean."
WHICH_MOVE = "I could not tell whether “{}” is a move of yours."
CONDITION = "“{}” depends on “{}”, and a move cannot wait for that: say what you want now."

_LIMITS_BEFORE = re.compile(
    r"(?:unless|except|but only|only if|provided|if|when|as long as|but not|or)\b", re.IGNORECASE
)
_ANEW = re.compile(r"(?:then|again|once more|afterwards|after that|a second time)", re.IGNORECASE)
_EXCLUDING = re.compile(
    r"(?:so |but )?(?:not|instead of|rather than|anything but|anything except|everything but|just not)\b(.*)"
)
_ASKS = re.compile(
    r"(?:who|what|where|when|why|how|which|can|could|may|do|does|did|will|would|should|is there|are there|am i|shall)\b",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"(?:i|we|you|he|she|they|please|don'?t|sorry|let me|can'?t|my (?!answer|guess|final)|i(?:'m|'ve|'ll|'d))\b(?! (?:think|believe|guess|say|go|would))",
    re.IGNORECASE,
)
LONGEST_ANSWER = 12
"""Words: what is longer is no answer that somebody typed without the word answer."""


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
    """A clause that stopped the rest: as it was typed, why it was not played, the rule that says so.

    `readings` are commands that it may mean, in canonical words.
    """

    line: str
    reason: str
    clause: str = ""
    readings: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReadAs:
    """How something was read that did not say it in so many words: what was typed, and the command.

    `instead_of` is what was typed before it and taken back, empty where nothing was.
    """

    typed: str
    command: str
    instead_of: str = ""


@dataclass(frozen=True)
class Interpretation:
    """What became of a mail's lines.

    `said` are the accepted commands in canonical words, `services` what was asked of the host's service, in order and
    once each; `leaving` is the rest of a `leave` line, `to_host` the text for the operators. `chat` are clauses passed
    over as talk. `ahead` are commands to keep until they are asked for; `is_cancelling` drops those kept before.
    `read_as` are commands that were made out, or that replaced another.
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
    read_as: tuple[ReadAs, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Did the mail say nothing that could be acted on?"""
        return not (self.said or self.ahead or self.refused or self.services or self.to_host)


@dataclass(frozen=True)
class _Step:
    """A clause that was accepted: how things stood before it, and the command it led to."""

    before: Interpretation
    clause: Clause
    command: str
    is_ahead: bool


def interpret(
    game: Game[Any, Any], state: Any, seat: int, lines: Sequence[str], reply: ReplyContext, chance: Chance
) -> Interpretation:
    """Take the lines of one mail, in order. Questions that open while it is read are its own too."""
    rest, to_host = take_host_text(lines)
    reader = _Reader(game, state, seat, reply, chance, to_host)
    found = clauses("\n".join(rest), game.split, Moves(game, state, seat).put_right)
    for at, clause in enumerate(found):
        reader.take(clause, found[at + 1 :])
    return reader.finished(rest[:MAX_CLAUSES])


class _Reader:
    """A mail while it is read, clause by clause. `steps` are the commands accepted so far, `open` what is yet to be explained."""

    def __init__(
        self, game: Game[Any, Any], state: Any, seat: int, reply: ReplyContext, chance: Chance, to_host: str
    ) -> None:
        self.game, self.began, self.seat, self.reply, self.chance = game, state, seat, reply, chance
        self.now = Interpretation(state, to_host=to_host)
        self.steps: list[_Step] = []
        self.mark = ""
        self.left: list[tuple[Clause, Unreadable]] = []
        self.condition: Clause | None = None
        self.in_pieces = False
        self.is_unread = False
        self.excluded: set[str] = set()
        self.unfinished: list[tuple[Clause, str]] = []
        self.moves_of: tuple[Any, Moves] | None = None
        self.asked_before = frozenset(question.key for question in game.questions(state))

    # What a clause is

    def take(self, clause: Clause, rest: Sequence[Clause]) -> None:
        """Account for one more clause."""
        if (
            is_polite(clause.fragment)
            and plain(clause.fragment) != "?"
            and not (clause.fragment and self._is_move(clause))
        ):
            self._take_mark(clause)
            return
        service, argument = service_in(clause.fragment, (self.game.title, self.game.slug, self.game.code))
        if not service and clause.is_question:
            service, argument = service_in(f"{clause.fragment}?", (self.game.title, self.game.slug, self.game.code))
        if service:
            self._serve(service, argument)
        elif self.now.refused and not self._makes_good(clause):
            self.now = replace(self.now, untried=(*self.now.untried, clause.typed))
        elif not self.now.refused:
            self._take_mark(clause)
            self._command(clause, rest)

    def _makes_good(self, clause: Clause) -> bool:
        """`pass. No wait, keep it`: what could not be read is replaced by a command behind words that take it back."""
        if not (clause.mark and self.is_unread):
            return False
        try:
            reading = read_clause(clause, self._moves(self.now.state))
        except (Unreadable, Refusal):
            return False
        refused, untried = self.now.refused, self.now.untried
        self.now, self.is_unread = replace(self.now, refused=None, untried=()), False
        if self._play(clause, reading, self.game.say(reading.command)):
            return True
        self.now = replace(self.now, refused=refused, untried=untried)
        return True

    def _is_move(self, clause: Clause) -> bool:
        """Words of politeness, or signs, that are a move here (`I'm in`, a thumb)."""
        try:
            read_clause(clause, self._moves(self.now.state))
        except (Unreadable, Refusal):
            return False
        return True

    def _take_mark(self, clause: Clause) -> None:
        """Words that take something back count for the next command; alone at the end they leave nothing in its place."""
        if clause.mark and self.steps:
            self.mark = f"{self.mark} {clause.mark}".strip()
            if not clause.fragment and clause.takes_back:
                self._withdraw()

    def _withdraw(self) -> None:
        """What was said last does not count; a later clause may say what does."""
        if not self.withdrawn:
            self.withdrawn = self.steps[-1]

    withdrawn: _Step | None = None

    def _serve(self, service: str, argument: str) -> None:
        now = self.now
        if service == "cancel":
            now = replace(now, ahead=(), is_cancelling=True)
            self.steps = [step for step in self.steps if not step.is_ahead]
        services = now.services if service in now.services else (*now.services, service)
        self.now = replace(now, services=services, leaving=argument if service == "leave" else now.leaving)

    # Commands

    def _moves(self, state: Any) -> Moves:
        if self.moves_of is None or self.moves_of[0] is not state:
            self.moves_of = (state, Moves(self.game, state, self.seat))
        return self.moves_of[1]

    def _command(self, clause: Clause, rest: Sequence[Clause]) -> None:
        if self.mark and self._correct(clause):
            return
        if self._limits_what_was_said(clause):
            return
        try:
            reading = read_clause(clause, self._moves(self.now.state))
        except Unreadable as unread:
            parts = [] if self.in_pieces else pieces(clause, self.game.split)
            if parts:
                self._take_apart(parts, rest)
            else:
                self._unread(clause, unread, rest)
            return
        except Illegal as refusal:
            self._refuse(clause, refusal.reason, refusal.clause)
            return
        text = self.game.say(reading.command)
        if self.excluded & set(text.lower().split()):
            self._refuse(clause, WHICH_MOVE.format(shortened(clause.typed)))
            return
        if self._is_part_of_talk(clause, reading, rest):
            self._pass_over(clause, Unreadable("talk", WHICH_MOVE.format(shortened(clause.typed)), True))
            return
        if self.condition is not None and not clause.begins:
            self._refuse(clause, CONDITION.format(shortened(clause.typed), shortened(self.condition.typed)))
            return
        if self._says_again(clause, text, reading):
            return
        for _ in range(reading.times):
            if not self._play(clause, reading, text):
                break

    def _take_apart(self, parts: Sequence[Clause], rest: Sequence[Clause]) -> None:
        self.in_pieces = True
        for at, part in enumerate(parts):
            self.take(part, (*parts[at + 1 :], *rest))
        self.in_pieces = False

    def _is_part_of_talk(self, clause: Clause, reading: Reading, rest: Sequence[Clause]) -> bool:
        """A value without a verb, in the middle of a sentence that goes on about something else, is no answer."""
        if self._names_its_move(clause, reading) or not words(clause.fragment):
            return False
        following = next(iter(rest), None)
        if following is None or following.begins or is_polite(following.fragment):
            return not clause.begins and bool(self.left) and self.left[-1][0].line == clause.line and self.in_pieces
        try:
            read_clause(following, self._moves(self.now.state))
        except Unreadable:
            return not following.mark
        except Refusal:
            return False
        return False

    def _names_its_move(self, clause: Clause, reading: Reading) -> bool:
        """Does it hold a word that names the move, and not only a value?"""
        if not re.search(r"\d", self.game.say(reading.command)):
            return True
        vocabulary, phase = self.game.vocabulary, self._moves(self.now.state).state.phase
        verb = self.game.say(reading.command).split()[0]
        return any(vocabulary.head(word, phase) == verb for word in words(clause.fragment))

    def _says_again(self, clause: Clause, text: str, reading: Reading) -> bool:
        """The same wish in other words counts once; the same words again are counted (`hit, hit, stand`)."""
        if not self.steps or self.steps[-1].command != text or reading.times > 1:
            return False
        last = self.steps[-1]
        if _ANEW.search(clause.marked or clause.fragment):
            return False
        is_counted = (
            words(last.clause.fragment) == words(clause.fragment) and plain(clause.fragment).strip(".!* ") == text
        )
        is_list = not clause.begins or clause.line != last.clause.line
        return not (is_counted and is_list and self._is_legal_now(reading.command))

    def _is_legal_now(self, command: Any) -> bool:
        try:
            self.game.apply(self.now.state, self.seat, command, self.chance)
        except Refusal:
            return False
        return True

    def _play(self, clause: Clause, reading: Reading, text: str) -> bool:
        before = self.now
        try:
            self.now = self._played(before, reading.command)
        except Illegal as refusal:
            if not self._contradicts(clause, reading, text):
                if self.mark and self.steps:
                    self._withdraw()
                self._refuse(clause, refusal.reason + self._hint(clause, refusal), refusal.clause)
            return False
        if self.now.ahead != before.ahead:
            if self._contradicts(clause, reading, text):
                return False
            if not self._names_its_move(clause, reading):
                self.now = before
                self._pass_over(clause, Unreadable("talk", WHICH_MOVE.format(shortened(clause.typed)), True))
                return False
        self._accept(before, clause, text, is_literal=reading.is_literal)
        return True

    def _accept(
        self, before: Interpretation, clause: Clause, text: str, is_literal: bool, instead_of: str = ""
    ) -> None:
        if not is_literal or instead_of:
            self.now = replace(self.now, read_as=(*self.now.read_as, ReadAs(shortened(clause.typed), text, instead_of)))
        self.steps.append(_Step(before, clause, text, self.now.ahead != before.ahead))
        self.mark, self.withdrawn = "", None

    def _contradicts(self, clause: Clause, reading: Reading, text: str) -> bool:
        """Does this answer again, and otherwise, what the command before it has answered? Then neither is played."""
        if not self.steps or self.steps[-1].command == text or self.steps[-1].is_ahead:
            return False
        last = self.steps[-1]
        try:
            self.game.apply(last.before.state, self.seat, reading.command, self.chance)
        except Refusal:
            return False
        reason = TWO_ANSWERS.format(shortened(last.clause.typed), shortened(clause.typed))
        self._undo_last()
        self.now = replace(
            self.now, refused=RefusedLine(clause.typed, reason, readings=(last.command, text)), untried=self.now.untried
        )
        return True

    def _undo_last(self) -> None:
        """Back to before the last command, but for what was asked of the service since."""
        last = self.steps.pop()
        self.now = replace(last.before, services=self.now.services, leaving=self.now.leaving, to_host=self.now.to_host)
        self.withdrawn = None

    # What takes back, limits, repeats

    def _correct(self, clause: Clause) -> bool:
        """A command behind `no wait`, `sorry`, `I mean`: in place of the latest one that it can replace."""
        for at in range(len(self.steps) - 1, -1, -1):
            step = self.steps[at]
            reading = self._read_in_place_of(step, clause)
            if reading is None:
                continue
            text = self.game.say(reading.command)
            if text == step.command:
                if _ANEW.search(clause.fragment):
                    return False
                self.mark, self.withdrawn = "", None
                return True
            try:
                replaced = self._played(step.before, reading.command)
            except Illegal:
                continue
            taken_back = shortened(step.clause.typed)
            self.now = replace(replaced, services=self.now.services, leaving=self.now.leaving)
            del self.steps[at:]
            self._accept(step.before, clause, text, reading.is_literal, taken_back)
            return True
        return False

    def _read_in_place_of(self, step: _Step, clause: Clause) -> Reading | None:
        moves = self._moves(step.before.state)
        try:
            return read_clause(clause, moves)
        except (Unreadable, Refusal):
            return self._with_another_value(step, clause)

    def _with_another_value(self, step: _Step, clause: Clause) -> Reading | None:
        """The command of a step with one of its values replaced by the clause, where that is one legal command."""
        verb, *values = step.command.split()
        found = [each for each in words(clause.fragment) if each not in NEUTRAL]
        if not values or not 1 <= len(found) <= 3:
            return None
        fitting: dict[str, Any] = {}
        for at in range(len(values)):
            text = " ".join((verb, *values[:at], *found, *values[at + 1 :]))
            command = self._moves(step.before.state).parsed(text)
            if command is None or self.game.say(command) == step.command:
                continue
            try:
                self.game.apply(step.before.state, self.seat, command, self.chance)
            except Refusal:
                continue
            fitting[self.game.say(command)] = command
        return Reading(next(iter(fitting.values())), is_literal=False) if len(fitting) == 1 else None

    def _limits_what_was_said(self, clause: Clause) -> bool:
        """`hit, unless he bluffs`: a condition in the same sentence belongs to the command before it."""
        if not self.steps or not _LIMITS_BEFORE.match(clause.fragment):
            return False
        is_behind = not clause.begins or clause.fragment.startswith(("unless", "but ", "except", "only", "provided"))
        if not is_behind or clause.fragment.startswith(("if i may", "if you please", "if possible")):
            return False
        last = self.steps[-1]
        self._undo_last()
        self._refuse(clause, CONDITION.format(shortened(last.clause.typed), shortened(clause.typed)))
        return True

    # What could not be read

    def _unread(self, clause: Clause, unread: Unreadable, rest: Sequence[Clause]) -> None:
        if self._excludes(clause, rest) or self._is_said_again(clause):
            return
        is_talk = unread.trouble == "talk" or not unread.touches or bool(self.steps and _is_signature(clause))
        if not UNCERTAIN.isdisjoint(plain(clause.fragment).split()):
            self.condition = clause
        if self.mark and self.steps and unread.touches:
            self._withdraw()
            self._pass_over(clause, unread)
            return
        if is_talk or (not clause.begins and not any(each.isalpha() for each in clause.fragment)):
            self._pass_over(clause, unread)
            return
        verb = self._verb_alone(clause)
        if verb:
            self.unfinished.append((clause, unread.reason))
            return
        if self._moves(self.now.state).takes_text and not self.steps:
            self._pass_over(clause, unread)
            return
        self._refuse(clause, unread.reason)
        self.is_unread = True

    def _verb_alone(self, clause: Clause) -> str | None:
        """The verb of a clause that names nothing but a verb that takes a value (`Attack!`)."""
        found = words(clause.fragment)
        return self._moves(self.now.state).verb_named(found[0]) if len(found) == 1 and not clause.is_question else None

    def _pass_over(self, clause: Clause, unread: Unreadable) -> None:
        self.left.append((clause, unread))
        self.now = replace(self.now, chat=(*self.now.chat, clause.typed))

    def _is_said_again(self, clause: Clause) -> bool:
        """Does it say, as things stood before the last command, just that command again? Another one contradicts it."""
        if not self.steps:
            return False
        last = self.steps[-1]
        again = self._read_in_place_of(last, clause)
        if again is None:
            return False
        text = self.game.say(again.command)
        if text != last.command and not last.is_ahead:
            reason = TWO_ANSWERS.format(shortened(last.clause.typed), shortened(clause.typed))
            self._undo_last()
            self.now = replace(self.now, refused=RefusedLine(clause.typed, reason, readings=(last.command, text)))
        return text == last.command or not last.is_ahead

    def _excludes(self, clause: Clause, rest: Sequence[Clause]) -> bool:
        """`not 5`, `anything but 13`: a value that somebody does not want, beside another one that they do."""
        found = _EXCLUDING.match(plain(clause.fragment))
        if not found or not (self.steps or rest):
            return False
        moves = self._moves(self.steps[-1].before.state if self.steps else self.now.state)
        value = [each for each in words(found[1]) if each not in NEUTRAL]
        if len(value) > 3 or any(moves.verb_named(each) for each in value):
            return False
        if self.steps and set(value) & set(self.steps[-1].command.lower().split()):
            return False
        self.excluded |= set(value)
        return True

    def _refuse(self, clause: Clause, reason: str, rule: str = "") -> None:
        self.now = replace(self.now, refused=RefusedLine(clause.typed, reason, rule))

    def _hint(self, clause: Clause, refusal: Illegal) -> str:
        is_answer = isinstance(refusal, NotYet) and self.reply.takes_text and not self.steps
        return (
            f" {PUT_ANSWER_FIRST}"
            if is_answer and self.game.lone_answer(self.now.state, self.seat, clause.typed)
            else ""
        )

    # The end of the mail

    def finished(self, lines: Sequence[str]) -> Interpretation:
        """The interpretation, when every clause was taken."""
        if self.withdrawn and self.withdrawn in self.steps:
            last = self.withdrawn
            del self.steps[self.steps.index(last) + 1 :]
            self._undo_last()
            self._refuse(last.clause, TOOK_BACK.format(shortened(last.clause.typed)))
        elif self.left and not (self.steps or self.now.refused):
            self._explain_talk(lines)
        for clause, reason in self.unfinished:
            verb = words(clause.fragment)[0]
            if not self.now.refused and not any(self._is_of(step, verb) for step in self.steps):
                self._refuse(clause, reason)
        return self.now

    def _is_of(self, step: _Step, word: str) -> bool:
        return self.game.vocabulary.head(word, step.before.state.phase) == step.command.split()[0]

    def _explain_talk(self, lines: Sequence[str]) -> None:
        """A mail that holds nothing but talk is asked about, unless it asks a service or writes to the host."""
        answer = self._free_text(lines)
        if answer is not None:
            return
        if self.now.services or self.now.to_host:
            return
        clause, unread = next((each for each in self.left if each[1].touches), self.left[0])
        shown = (
            replace(clause, typed=shortened(" ".join(each.typed for each, _ in self.left), 160))
            if len(self.left) < 4
            else clause
        )
        self.now = replace(self.now, chat=())
        self._refuse(shown, unread.reason)

    def _free_text(self, lines: Sequence[str]) -> bool | None:
        """What is left of a mail as an answer in free text; None where none is asked for."""
        moves = self._moves(self.now.state)
        if not self.reply.takes_text or not moves.takes_text:
            return None
        found = self._answers([clause for clause, _ in self.left], lines)
        if not found:
            return None
        if self.now.services or self.now.to_host:
            return None
        typed = found[-1].typed
        answer = self.game.lone_answer(self.now.state, self.seat, typed)
        if len(found) > 1:
            readings = tuple(
                each for clause in found[:3] if (each := self.game.lone_answer(self.now.state, self.seat, clause.typed))
            )
            shown = shortened(" ".join(each.typed for each in found), 160)
            self.now = replace(self.now, chat=(), refused=RefusedLine(shown, WHICH_LINE, readings=readings))
            return False
        if not answer or self._is_no_answer(found[0], answer):
            shown = answer or f"answer {' '.join(typed.split())}"
            reason = IS_THAT_IT.format(shortened(shown.removeprefix("answer ")))
            self.now = replace(self.now, chat=(), refused=RefusedLine(typed, reason, readings=(shown[:200],)))
            return False
        clause = replace(found[0], fragment=answer, typed=typed)
        self.now = replace(self.now, chat=tuple(each for each in self.now.chat if each not in typed))
        try:
            command = self.game.parse(answer, self.now.state, self.seat)
        except Invalid as refusal:
            self._refuse(clause, refusal.reason)
            return False
        return self._play(clause, Reading(command, is_literal=typed in answer), self.game.say(command))

    def _answers(self, left: list[Clause], lines: Sequence[str]) -> list[Clause]:
        """What in a mail may be the answer: what says so, what stands last behind words that take back, or all there is."""
        left = _joined(_without_signature(left), lines)
        says_so = [each for each in left if self._is_led_in(each.typed)]
        marked = [at for at, each in enumerate(left) if each.mark]
        if says_so and says_so[-1] is left[-1] and (len(says_so) == 1 or marked):
            return says_so[-1:]
        if marked and not left[-1].is_question:
            left = left[marked[-1] :][-1:]
        alike = {" ".join(words(each.typed)).casefold() for each in left}
        return left[-1:] if len(alike) == 1 else left

    def _is_led_in(self, typed: str) -> bool:
        """Does it begin with words such as `my answer is`?"""
        answer = self.game.lone_answer(self.now.state, self.seat, typed).removeprefix("answer ")
        return bool(answer) and not plain(typed).startswith(plain(answer)[:20])

    def _is_no_answer(self, clause: Clause, answer: str) -> bool:
        """A question, an excuse, a slip of another command: nothing to judge somebody by."""
        typed = clause.typed
        if clause.is_question and _ASKS.match(typed) and not self._is_led_in(typed):
            return True
        if len(typed.split()) > LONGEST_ANSWER or (_TELLS.match(plain(typed)) and not self._is_led_in(typed)):
            return True
        lexicon = self._moves(self.now.state).lexicon
        return any(put_right(word, (lexicon,), ()) != word for word in words(typed)[:1])

    # Playing

    def _played(self, now: Interpretation, command: Any) -> Interpretation:
        """The command played, or kept. Raises `Illegal`."""
        game, seat, reply = self.game, self.seat, self.reply
        if reply.blocked:
            raise Illegal(reply.blocked)
        mine = [question.key for question in game.questions(now.state) if question.seat == seat]
        if seat != HOST:
            self._require_fresh(now, mine)
            if game.say(command) in reply.sent_before:
                raise Illegal(SENT_BEFORE)
            if _is_outdated(game, self.began, command, reply):
                raise Illegal(OUTDATED)
        try:
            outcome = game.apply(now.state, seat, command, self.chance)
        except NotYet:
            may_wait = seat != HOST and (now.said or now.ahead or not mine)
            if not may_wait or not (reply.is_unasked or reply.fresh):
                raise
            if len(now.ahead) >= (MOST_AHEAD if now.is_cancelling else reply.room_ahead):
                raise Illegal(TOO_MANY_AHEAD) from None
            kept = SentAhead(game.say(command), game.scope(now.state, command))
            return replace(now, ahead=(*now.ahead, kept))
        return replace(
            now, state=outcome.state, events=(*now.events, *outcome.events), said=(*now.said, game.say(command))
        )

    def _require_fresh(self, now: Interpretation, mine: Sequence[str]) -> None:
        """Raise `Illegal` for a reply to a question that is settled, or was never put to this seat by this letter."""
        if self.reply.is_unasked or now.ahead:
            return
        if any(key in self.asked_before and key not in self.reply.fresh for key in mine):
            raise Illegal(STALE)
        if not self.reply.fresh and not now.said and not mine and not self.game.is_out(now.state, self.seat):
            raise Illegal(_not_asked(self.game, now.state))


def _is_outdated(game: Game[Any, Any], began: Any, command: Any, reply: ReplyContext) -> bool:
    """Was the letter written in another round, hand or question, or at another stake, than the mail found (`began`)?"""
    if reply.written_at is None:
        return False
    then, now = game.scope(reply.written_at, command), game.scope(began, command)
    return bool(then and now and then != now)


def _not_asked(game: Game[Any, Any], state: Any) -> str:
    return (
        "The episode is over."
        if game.result(state)
        else "That question was settled before, and nothing is asked of you now."
    )


def _is_signature(clause: Clause) -> bool:
    """One word behind the commands, without a number: a signature sooner than a misspelt command."""
    found = words(clause.fragment)
    return len(found) == 1 and found[0].isalpha()


def _without_signature(left: list[Clause]) -> list[Clause]:
    """The clauses without a name at their end that stands on a line, or in a sentence, of its own."""
    if len(left) > 1 and left[-1].typed[:1].isupper() and len(left[-1].typed.split()) <= 2 and left[-1].typed.isalpha():
        if left[-1].line != left[-2].line or left[-1].begins or left[-1].typed.casefold() in FIRST_NAMES:
            return left[:-1]
    return left


def _joined(left: list[Clause], lines: Sequence[str]) -> list[Clause]:
    """Clauses of one sentence as one: `Paris, France`."""
    joined: list[Clause] = []
    for clause in left:
        before = joined[-1] if joined else None
        if before and not clause.begins and not clause.mark and clause.line == before.line and clause.line < len(lines):
            text = lines[clause.line]
            start, end = text.find(before.typed), text.rfind(clause.typed)
            if 0 <= start < end:
                joined[-1] = replace(
                    before, typed=text[start : end + len(clause.typed)], is_question=clause.is_question
                )
                continue
        joined.append(clause)
    return joined


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
