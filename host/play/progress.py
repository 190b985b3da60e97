"""Pure: a mail while it is read. In: who writes, the interpretation so far. Out: what was accepted, passed over, and waits."""

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from host.engine.frames import frames
from host.engine.game import Refusal
from host.engine.grammar import plain, words
from host.engine.ordinary import first_names
from host.play.clauses import Clause, shortened
from host.play.interpretation import Interpretation, ReadAs, RefusedLine
from host.play.moves import Moves
from host.play.playing import Seated, is_legal
from host.play.reading import Reading, Unreadable, read_clause
from host.play.services import Service

TAKEN_BACK = "“{}” may take back “{}”, so I played neither: say which one you want."
TWO_ANSWERS = "“{}” and “{}” answer the same question, so I played neither: say which one you mean."
WHICH_MOVE = "I could not tell whether “{}” is a move of yours."
CONDITION = "“{}” depends on “{}”, and a move cannot wait for that: say what you want now."
ANEW = re.compile(r"\b(?:then|again|once more|afterwards|after that|a second time)\b", re.IGNORECASE)
"""Words by which a wish is meant once more."""
_ENDS_IN_NO = re.compile(r"(?<![^\s,.!?;:…–—-])no\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class Step:
    """A clause that was accepted: how things stood before it, the command it led to, the clause's number in the mail."""

    before: Interpretation
    clause: Clause
    command: str
    is_ahead: bool
    number: int = 0


class Progress:
    """A mail while it is read, clause by clause.

    `steps` are the commands accepted so far; `left` what was passed over, to be explained where nothing else is found.
    `mark` are words that take something back and wait for the command that replaces it; `withdrawn` is the step that does not
    count any more. `condition` is a clause that what follows it may depend on; `excluded` are values that are not wanted.
    `unfinished` are verbs without their value, `in_pieces` tells that a clause is read part by part, `is_unread` that the
    refusal is for want of understanding, `is_excluding` that the clause before this one named what is not wanted.
    `number` counts the clauses that were taken. `stopped_by` is the clause that could not be understood; `skipped` are those, by
    what was typed, that are talk this time.
    """

    def __init__(
        self, who: Seated, now: Interpretation, skipped: Mapping[str, Unreadable] = MappingProxyType({})
    ) -> None:
        self.who, self.game, self.now = who, who.game, now
        self.steps: list[Step] = []
        self.left: list[tuple[Clause, Unreadable]] = []
        self.unfinished: list[tuple[Clause, str]] = []
        self.excluded: set[str] = set()
        self.mark = ""
        self.withdrawn: Step | None = None
        self.condition: Clause | None = None
        self.number = 0
        self.in_pieces = self.is_unread = self.is_excluding = False
        self.known: Moves | None = None
        self.skipped = skipped
        self.stopped_by: tuple[Clause, Unreadable] | None = None

    def moves(self, state: Any) -> Moves:
        """The moves of the seat in a state; the last ones are kept."""
        if self.known is None or self.known.state is not state:
            self.known = Moves(self.game, state, self.who.seat, self.who.reply.names)
        return self.known

    def with_its_no(self, clause: Clause) -> Clause:
        """`no deal`, `no more`: where the no is part of the move, it takes nothing back."""
        if not _ENDS_IN_NO.search(clause.mark):
            return clause
        marked = f"no {clause.fragment}"
        for state in (self.now.state, *(step.before.state for step in self.steps[-1:])):
            moves = self.moves(state)
            whole, rest = moves.parsed(marked), moves.parsed(clause.fragment)
            if whole is None:
                continue
            if rest is not None and self.game.say(rest).split()[0] == self.game.say(whole).split()[0]:
                break
            return replace(clause, fragment=marked, typed=f"no {clause.typed}", mark=clause.mark.rstrip()[:-2].rstrip())
        return clause

    def serve(self, service: Service, argument: str) -> None:
        """Note what is asked of the service."""
        now = self.now
        if service is Service.CANCEL:
            now = replace(now, ahead=(), is_cancelling=True)
            self.steps = [step for step in self.steps if not step.is_ahead]
        services = now.services if service in now.services else (*now.services, service)
        self.now = replace(now, services=services, leaving=argument if service is Service.LEAVE else now.leaving)

    def withdraw(self) -> None:
        """What was said last does not count; a later clause may say what does."""
        self.withdrawn = self.withdrawn or self.steps[-1]

    def accept(self, before: Interpretation, clause: Clause, text: str, is_literal: bool) -> None:
        """A command counts, as `now` stands."""
        if not is_literal or clause.is_respelt:
            self.now = replace(self.now, read_as=(*self.now.read_as, ReadAs(shortened(clause.typed), text)))
        self.steps.append(Step(before, clause, text, self.now.ahead != before.ahead, self.number))
        self.mark, self.withdrawn = "", None

    def names_its_move(self, clause: Clause, text: str) -> bool:
        """Does it hold a word that names the move, and not only a value?"""
        moves = self.moves(self.now.state)
        named = {self.game.vocabulary.head(moves.base(word), moves.state.phase) for word in words(clause.fragment)}
        return text.split()[0] in named or not any(each.isdigit() for each in text)

    def refuse_both(self, clause: Clause, text: str) -> None:
        """The last command and this one answer one question: neither counts."""
        last = self.steps[-1]
        self.undo_last()
        reason = TWO_ANSWERS.format(shortened(last.clause.typed), shortened(clause.typed))
        self.refuse(clause, reason, readings=(last.command, text))

    def ask_which(self, at: int, clause: Clause, text: str) -> None:
        """Words that may take back stand before this command: it, and what it may replace, are asked about."""
        step = self.steps[at]
        del self.steps[at:]
        self.now, self.mark = self.without_step(step.before), ""
        reason = TAKEN_BACK.format(shortened(clause.typed), shortened(step.clause.typed))
        self.refuse(clause, reason, readings=tuple(dict.fromkeys((text, step.command))))

    def undo_last(self) -> None:
        """Back to before the last command, but for what was asked of the service since."""
        last, refused = self.steps.pop(), self.now.refused
        self.now = replace(self.without_step(last.before), refused=refused)
        self.withdrawn = None

    def without_step(self, before: Interpretation) -> Interpretation:
        """How things stood before a command, with what was asked of the service and passed over since."""
        now = self.now
        return replace(
            before, services=now.services, leaving=now.leaving, to_host=now.to_host, chat=now.chat, unsure=now.unsure
        )

    def read_in_place_of(self, step: Step, clause: Clause) -> Reading | None:
        """The clause as it would have been read instead of a step's; a value alone is a value of the step's command."""
        try:
            return read_clause(clause, self.moves(step.before.state))
        except (Unreadable, Refusal):
            pass
        verb, *values = step.command.split()
        found = [each for each in words(clause.fragment) if each not in frames().neutral]
        if not values or not 1 <= len(found) <= 3:
            return None
        fitting: dict[str, Any] = {}
        for at, size in itertools.product(range(len(values)), {1, len(found)}):
            text = " ".join((verb, *values[:at], *found, *values[at + size :]))
            command = self.moves(step.before.state).parsed(text)
            if command is not None and is_legal(self.who, step.before.state, command):
                fitting[self.game.say(command)] = command
        if set(fitting) != {step.command} or len(found) > 1:
            fitting.pop(step.command, None)
        return Reading(next(iter(fitting.values())), is_literal=False) if len(fitting) == 1 else None

    def pass_over(self, clause: Clause, unread: Unreadable) -> None:
        """The clause is talk, unless nothing else is found in the mail."""
        self.left.append((clause, unread))
        self.now = replace(self.now, chat=(*self.now.chat, clause.typed))
        if unread.touches:
            self.now = replace(self.now, unsure=(*self.now.unsure, clause.typed))

    def refuse(
        self, clause: Clause, reason: str, rule: str = "", is_unread: bool = False, readings: tuple[str, ...] = ()
    ) -> None:
        """The clause stops the rest; `rule` is the number of the clause in the rules that says so."""
        self.now = replace(self.now, refused=RefusedLine(clause.typed, reason, rule, readings, is_unread))

    def answer(self, typed: str) -> str:
        """The command that a text is taken for as an answer in free text; empty for none."""
        return self.game.lone_answer(self.now.state, self.who.seat, typed)


def is_name(clause: Clause) -> bool:
    """A first name on a line, or in a sentence, of its own."""
    return clause.begins and plain(clause.fragment) in first_names()
