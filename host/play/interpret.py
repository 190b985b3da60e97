"""Pure: reading a mail's lines in an episode. In: the game, its state, who writes, the lines. Out: an `Interpretation`.

Every clause is accounted for: it is a command, takes one back, says one again, asks the service, is a courtesy or talk; or it
stops the rest and is asked about, and what was plain before it stands. `clauses` parts the text, `reading` reads one clause,
`playing` plays a command; here stands how the clauses of a mail go together.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from host.engine.chance import Chance
from host.engine.frames import NEGATIONS, NEUTRAL, NOUNS
from host.engine.game import Game, Illegal, Invalid, NotYet, Refusal
from host.engine.grammar import FILLERS, is_polite, is_social, nearest, plain, tokens, words
from host.engine.ordinary import FIRST_NAMES
from host.play.agreement import says_yes
from host.play.clauses import MAX_CLAUSES, Clause, clauses, pieces, shortened, unsigned
from host.play.free_text import answer_in, asks_something
from host.play.interpretation import Interpretation, ReadAs, RefusedLine, ReplyContext
from host.play.moves import Moves
from host.play.playing import Seated, answers, is_legal, played
from host.play.pleas import without_pleas
from host.play.reading import Reading, Unreadable, read_clause
from host.play.services import greets_host, service_in, take_host_text

PUT_ANSWER_FIRST = "If that is your answer, write the word answer before it."
IS_THAT_IT = "Is “{}” your answer? Then send it with the word answer before it."
WHICH_LINE = "I could not tell which line is your answer: write the word answer before it."
TOOK_BACK = "You took back “{}”, and I could not tell what you want in its place."
TWO_ANSWERS = "“{}” and “{}” answer the same question, so I played neither: say which one you mean."
ONLY_THE_HOST = "That is a question for the host."
WHICH_MOVE = "I could not tell whether “{}” is a move of yours."
CONDITION = "“{}” depends on “{}”, and a move cannot wait for that: say what you want now."

_LIMITS = re.compile(r"(?:unless|except|but only|only if|provided|if|when|as long as|but not|or)\b")
_LIMITS_A_SENTENCE_AGO = ("unless", "but ", "except", "only", "provided")
_CONDITION = frozenset("if unless when whenever until whether provided otherwise depending depends".split())
_ANEW = re.compile(r"\b(?:then|again|once more|afterwards|after that|a second time)\b", re.IGNORECASE)
_REGRET = re.compile(r"\b(?:wrong|mistake|misread|mistyped|typo|meant|instead|changed?|regret|swap)\b", re.IGNORECASE)
_FLAT_NO = re.compile(r"\b(?:no+|nope|nah)\b\s*[,.!;:…–—-]|\bwait\b|\bh[ao](?:ng|ld) on\b", re.IGNORECASE)
_ENDS_IN_NO = re.compile(r"(?<![^\s,.!?;:…–—-])no\s*$", re.IGNORECASE)
_COURTEOUS = re.compile(r"(?:many |so )?(?:thanks?|sorry|apologies|hope|hoping|greetings|merci|danke|gracias)\b")
_REST_OF_A_LIST = re.compile(r"((?:(?:or|nor|and) )?(?:the )?\w+(?: (?:or|nor|and) (?:the )?\w+)?)")
_EXCLUDING = re.compile(
    r"(?:so |but )?(?:just )?(?:not|instead of|rather than|anything but|anything except|everything but)\b(.*)"
)


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
    rest, is_pleading = without_pleas(unsigned(rest))
    who = Seated(game, state, seat, reply, chance)
    reader = _Reader(who, Interpretation(state, to_host=to_host))
    found = clauses("\n".join(rest), game.split, reader.moves(state).put_right, _free_text(game))
    if not found and "".join(rest).strip() == "?":
        reader.serve("help", "")
    for at, clause in enumerate(found):
        reader.take(clause, found[at + 1 :])
    return _for_the_host(reader.finished(rest[:MAX_CLAUSES]), lines, reply, is_pleading)


def _free_text(game: Game[Any, Any]) -> re.Pattern[str] | None:
    """What begins with a verb of free text, to the end of its line; None where a game has no such verb."""
    if not game.text_verbs:
        return None
    verbs = "|".join(sorted(game.text_verbs))
    return re.compile(rf"^[ \t]*(?:{verbs})(?![a-z])[^\n]*", re.IGNORECASE | re.MULTILINE)


def _for_the_host(
    found: Interpretation, lines: Sequence[str], reply: ReplyContext, is_pleading: bool
) -> Interpretation:
    """What only the host can answer goes there whole: a plea for time, a letter to the host that holds no command, a question."""
    is_unread = found.refused is not None and found.refused.is_unread and not (found.said or found.ahead)
    turns_to_host = any(greets_host(line, ("host", *reply.host_names)) for line in lines[:3])
    asks_host = is_unread and found.refused is not None and found.refused.reason == ONLY_THE_HOST
    if not (is_pleading or (is_unread and turns_to_host) or asks_host):
        return found
    if is_unread:
        found = replace(found, refused=None, untried=())
    return replace(found, to_host="\n".join(lines).strip())


class _Reader:
    """A mail while it is read, clause by clause.

    `steps` are the commands accepted so far; `left` what was passed over, to be explained where nothing else is found.
    `mark` are words that take something back and wait for the command that replaces it; `withdrawn` is the step that does not
    count any more. `condition` is a clause that what follows it may depend on; `excluded` are values that are not wanted.
    """

    def __init__(self, who: Seated, now: Interpretation) -> None:
        self.who, self.game, self.now = who, who.game, now
        self.steps: list[_Step] = []
        self.left: list[tuple[Clause, Unreadable]] = []
        self.unfinished: list[tuple[Clause, str]] = []
        self.excluded: set[str] = set()
        self.mark = ""
        self.withdrawn: _Step | None = None
        self.condition: Clause | None = None
        self.in_pieces = self.is_unread = self.is_excluding = False
        self.known: Moves | None = None

    def moves(self, state: Any) -> Moves:
        """The moves of the seat in a state; the last ones are kept."""
        if self.known is None or self.known.state is not state:
            self.known = Moves(self.game, state, self.who.seat, self.who.reply.names)
        return self.known

    # What a clause is

    def take(self, clause: Clause, rest: Sequence[Clause]) -> None:
        """Account for one more clause; `rest` are those behind it."""
        service, argument = self._service(clause)
        if not service and is_polite(clause.fragment) and not (clause.fragment and self._is_move(clause)):
            self._take_mark(clause)
            return
        clause = self._with_its_no(clause)
        if service:
            self.serve(service, argument)
        elif not self.now.refused:
            self._take_mark(clause)
            self._command(clause, rest)
        elif not self._makes_good(clause):
            self.now = replace(self.now, untried=(*self.now.untried, clause.typed))

    def _with_its_no(self, clause: Clause) -> Clause:
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

    def _service(self, clause: Clause) -> tuple[str, str]:
        titles = (self.game.title, self.game.slug, self.game.code)
        asked = f"{clause.fragment.rstrip('? ')}?" if clause.is_question else clause.fragment
        service, argument = service_in(asked, titles)
        is_greeting = service == "again" and words(clause.fragment) == () and is_social(clause.fragment)
        return ("", "") if is_greeting else (service, argument)

    def serve(self, service: str, argument: str) -> None:
        """Note what is asked of the service."""
        now = self.now
        if service == "cancel":
            now = replace(now, ahead=(), is_cancelling=True)
            self.steps = [step for step in self.steps if not step.is_ahead]
        services = now.services if service in now.services else (*now.services, service)
        self.now = replace(now, services=services, leaving=argument if service == "leave" else now.leaving)

    def _is_move(self, clause: Clause) -> bool:
        """Words of politeness, or signs, that are a move here (`I'm in`, a thumb)."""
        try:
            read_clause(clause, self.moves(self.now.state))
        except (Unreadable, Refusal):
            return False
        return True

    def _take_mark(self, clause: Clause) -> None:
        """Words that take something back count for the next command; alone at the end they leave nothing in its place."""
        if clause.mark and self.steps:
            self.mark = f"{self.mark} {clause.mark}".strip()
            if clause.takes_back and not clause.fragment:
                self._withdraw()

    def _withdraw(self) -> None:
        """What was said last does not count; a later clause may say what does."""
        self.withdrawn = self.withdrawn or self.steps[-1]

    # Commands

    def _command(self, clause: Clause, rest: Sequence[Clause]) -> None:
        if (self.mark and self.steps and self._correct(clause)) or self._limits_what_was_said(clause):
            return
        try:
            reading = read_clause(clause, self.moves(self.now.state))
        except Unreadable as unread:
            is_whole = self.in_pieces or self.moves(self.now.state).takes_text
            parts = [] if is_whole else pieces(clause, self.game.split)
            if parts:
                self._take_apart(parts, rest)
            else:
                self._unread(clause, unread, rest)
            return
        except Illegal as refusal:
            self._refuse(clause, refusal.reason, refusal.clause)
            return
        text = self.game.say(reading.command)
        if (self.steps and _is_name(clause)) or self._only_leads_in(clause, text, rest):
            return
        if self.excluded & set(text.lower().split()) or any(unread.denies(text) for _, unread in self.left):
            self._refuse(clause, WHICH_MOVE.format(shortened(clause.typed)))
        elif self._is_part_of_talk(clause, reading, rest):
            self._pass_over(clause, Unreadable("talk", WHICH_MOVE.format(shortened(clause.typed)), True))
        elif self.condition is not None and not clause.begins and not plain(clause.fragment).startswith("so "):
            self._refuse(clause, CONDITION.format(shortened(clause.typed), shortened(self.condition.typed)))
        elif not self._says_again(clause, reading, text, rest):
            for _ in range(reading.times):
                if not self._play(clause, reading, text):
                    break

    def _only_leads_in(self, clause: Clause, text: str, rest: Sequence[Clause]) -> bool:
        """`OK, stand`, `call, yes`: a yes before a command in its place, or behind one in its line, is passed over.

        `Yes, decline` contradicts itself, and is asked about.
        """
        if text.split()[0] in words(clause.fragment) or not says_yes([clause.fragment]):
            return False
        moves = self.moves(self.now.state)
        following = next((self._with_its_no(each) for each in rest if not is_polite(each.fragment)), None)
        command = moves.parsed(following.fragment) if following is not None else None
        instead = "" if command is None or not is_legal(self.who, self.now.state, command) else self.game.say(command)
        is_behind = bool(self.steps) and self.steps[-1].clause.line == clause.line
        if not (is_behind or instead):
            return False
        if following and not (is_behind or is_polite(clause.fragment) or instead.split()[0] == text.split()[0]):
            reason = TWO_ANSWERS.format(shortened(clause.typed), shortened(following.typed))
            self._refuse(clause, reason, readings=(text, instead))
        else:
            self._pass_over(clause, Unreadable("talk", WHICH_MOVE.format(shortened(clause.typed)), touches=False))
        return True

    def _take_apart(self, parts: Sequence[Clause], rest: Sequence[Clause]) -> None:
        self.in_pieces = True
        for at, part in enumerate(parts):
            self.take(part, (*parts[at + 1 :], *rest))
        self.in_pieces = False

    def _play(self, clause: Clause, reading: Reading, text: str) -> bool:
        before = self.now
        try:
            self.now = played(self.who, before, reading.command)
        except Illegal as refusal:
            if not self._names_its_move(clause, text) and self._is_another_value(clause):
                return False
            if not self._contradicts(clause, reading, text, not isinstance(refusal, NotYet)):
                if self.mark and self.steps:
                    self._withdraw()
                self._refuse(clause, refusal.reason + self._hint(clause, refusal), refusal.clause)
            return False
        if self._is_either_or(before, clause, reading, text):
            self.now = before
            self._refuse_both(clause, text)
            return False
        if self.now.ahead != before.ahead:
            if self._contradicts(clause, reading, text):
                return False
            if not self._names_its_move(clause, text):
                self.now = before
                self._pass_over(clause, Unreadable("talk", WHICH_MOVE.format(shortened(clause.typed)), True))
                return False
        self._accept(before, clause, text, is_literal=reading.is_literal)
        return True

    def _accept(
        self, before: Interpretation, clause: Clause, text: str, is_literal: bool, instead_of: str = ""
    ) -> None:
        if not is_literal or instead_of or clause.is_respelt:
            self.now = replace(self.now, read_as=(*self.now.read_as, ReadAs(shortened(clause.typed), text, instead_of)))
        self.steps.append(_Step(before, clause, text, self.now.ahead != before.ahead))
        self.mark, self.withdrawn = "", None

    def _names_its_move(self, clause: Clause, text: str) -> bool:
        """Does it hold a word that names the move, and not only a value?"""
        moves = self.moves(self.now.state)
        named = {self.game.vocabulary.head(moves.base(word), moves.state.phase) for word in words(clause.fragment)}
        return text.split()[0] in named or not any(each.isdigit() for each in text)

    def _is_part_of_talk(self, clause: Clause, reading: Reading, rest: Sequence[Clause]) -> bool:
        """A value without a verb, in the middle of a sentence that goes on about something else, is no answer."""
        if not words(clause.fragment) or self._names_its_move(clause, self.game.say(reading.command)):
            return False
        following = next(iter(rest), None)
        if following is None or following.begins or is_polite(following.fragment):
            is_behind_talk = bool(self.left) and self.left[-1][0].line == clause.line
            return self.in_pieces and not clause.begins and is_behind_talk
        try:
            read_clause(following, self.moves(self.now.state))
        except Unreadable as unread:
            return not following.mark and not unread.touches
        except Refusal:
            return False
        return False

    def _says_again(self, clause: Clause, reading: Reading, text: str, rest: Sequence[Clause]) -> bool:
        """The same wish in other words counts once; the same words in a list are counted (`hit, hit, stand`)."""
        if not self.steps or self.steps[-1].command != text or reading.times > 1:
            return False
        last = self.steps[-1].clause
        anew = _ANEW.search(clause.marked)
        if anew and (anew[0].lower() == "then" or is_legal(self.who, self.now.state, reading.command)):
            return False
        is_canonical = plain(clause.fragment).strip(".!* ") == text == plain(last.fragment).strip(".!* ")
        is_listed = not clause.begins or clause.line != last.line
        if not (is_canonical and is_listed):
            return True
        return not self._goes_on(text, rest) and not is_legal(self.who, self.now.state, reading.command)

    def _goes_on(self, text: str, rest: Sequence[Clause]) -> bool:
        """Does another command follow in the mail, so that this is a list of them?"""
        for clause in rest:
            try:
                command = self.game.parse(clause.fragment, self.now.state, self.who.seat)
            except Refusal:
                continue
            if self.game.say(command) != text:
                return True
        return False

    def _contradicts(self, clause: Clause, reading: Reading, text: str, is_illegal: bool = False) -> bool:
        """Does this answer again, and otherwise, what the command before it has answered? Then neither is played."""
        if not self.steps or self.steps[-1].command == text or self.steps[-1].is_ahead:
            return False
        is_other_verb = text.split()[0] != self.steps[-1].command.split()[0]
        is_listed = not clause.begins or (not is_other_verb and clause.line != self.steps[-1].clause.line)
        is_sequence = reading.is_literal and bool(is_listed or _ANEW.search(clause.marked))
        is_over = self.steps[-1].before.state.phase != self.now.state.phase
        if is_sequence and not (is_other_verb and is_illegal and is_over) and self._names_its_move(clause, text):
            return False
        if not answers(self.who, self.steps[-1].before.state, reading.command):
            return False
        self._refuse_both(clause, text)
        return True

    def _is_another_value(self, clause: Clause) -> bool:
        """`1250... ah, what the heck, 2500`: another value for the command before it; then both are asked about."""
        again = self._read_in_place_of(self.steps[-1], clause) if self.steps else None
        if again is None or self.game.say(again.command) == self.steps[-1].command:
            return False
        self._refuse_both(clause, self.game.say(again.command))
        return True

    def _is_either_or(self, before: Interpretation, clause: Clause, reading: Reading, text: str) -> bool:
        """`high, low`: another answer to the question that has just been answered, though it could answer the next one too."""
        if (
            not self.steps
            or self.steps[-1].is_ahead
            or _ANEW.search(clause.marked)
            or clause.line != self.steps[-1].clause.line
        ):
            return False
        base = self.steps[-1].before.state
        is_other = text.split()[0] != self.steps[-1].command.split()[0]
        return is_other and base.phase != before.state.phase and answers(self.who, base, reading.command)

    def _refuse_both(self, clause: Clause, text: str) -> None:
        last = self.steps[-1]
        self._undo_last()
        reason = TWO_ANSWERS.format(shortened(last.clause.typed), shortened(clause.typed))
        self._refuse(clause, reason, readings=(last.command, text))

    def _undo_last(self) -> None:
        """Back to before the last command, but for what was asked of the service since."""
        last, refused = self.steps.pop(), self.now.refused
        self.now = replace(self._without_step(last.before), refused=refused)
        self.withdrawn = None

    def _without_step(self, before: Interpretation) -> Interpretation:
        now = self.now
        return replace(
            before, services=now.services, leaving=now.leaving, to_host=now.to_host, chat=now.chat, unsure=now.unsure
        )

    # What takes back and limits

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
                replaced = played(self.who, self._without_step(step.before), reading.command)
            except Illegal:
                continue
            del self.steps[at:]
            self.now = replaced
            self._accept(step.before, clause, text, reading.is_literal, shortened(step.clause.typed))
            return True
        return False

    def _read_in_place_of(self, step: _Step, clause: Clause) -> Reading | None:
        """The clause as it would have been read instead of a step's; a value alone is a value of the step's command."""
        try:
            return read_clause(clause, self.moves(step.before.state))
        except (Unreadable, Refusal):
            pass
        verb, *values = step.command.split()
        found = [each for each in words(clause.fragment) if each not in NEUTRAL]
        if not values or not 1 <= len(found) <= 3:
            return None
        fitting: dict[str, Any] = {}
        for at in range(len(values)):
            text = " ".join((verb, *values[:at], *found, *values[at + 1 :]))
            command = self.moves(step.before.state).parsed(text)
            if command is not None and is_legal(self.who, step.before.state, command):
                fitting[self.game.say(command)] = command
        if set(fitting) != {step.command} or len(found) > 1:
            fitting.pop(step.command, None)
        return Reading(next(iter(fitting.values())), is_literal=False) if len(fitting) == 1 else None

    def _limits_what_was_said(self, clause: Clause) -> bool:
        """`hit, unless he bluffs`: a condition in the same sentence belongs to the command before it."""
        folded = plain(clause.fragment)
        if not self.steps or not _LIMITS.match(folded):
            return False
        if clause.begins and not folded.startswith(_LIMITS_A_SENTENCE_AGO):
            return False
        last = self.steps[-1]
        self._undo_last()
        self._refuse(clause, CONDITION.format(shortened(last.clause.typed), shortened(clause.typed)))
        return True

    def _excludes(self, clause: Clause, rest: Sequence[Clause]) -> bool:
        """`not 5`, `anything but 13`: a value that somebody does not want, beside another one that they do."""
        found = _EXCLUDING.match(plain(clause.fragment))
        if not found and self.is_excluding and not clause.begins:
            found = _REST_OF_A_LIST.fullmatch(plain(clause.fragment))
        self.is_excluding = False
        if not found or not (self.steps or rest):
            return False
        moves = self.moves(self.steps[-1].before.state if self.steps else self.now.state)
        value = {each for each in words(found[1]) if each not in NEUTRAL}
        if len(value) > 3 or any(map(moves.verb_named, value)):
            return False
        if self.steps and value & set(self.steps[-1].command.lower().split()):
            return False
        self.excluded |= value
        self.is_excluding = True
        return True

    # What could not be read

    def _unread(self, clause: Clause, unread: Unreadable, rest: Sequence[Clause]) -> None:
        if self._excludes(clause, rest) or self._is_said_again(clause, unread):
            return
        if not _CONDITION.isdisjoint(plain(clause.fragment).split()):
            self.condition = clause
        if self._completes(clause):
            return
        if self.steps and _is_bare_denial(clause):
            self._withdraw()
            self._pass_over(clause, unread)
            return
        if self.steps and self._takes_back(clause, unread):
            self.mark = self.mark or "regret"
            self._withdraw()
            self._pass_over(clause, unread)
        elif self._is_verb_of_text(clause):
            self._refuse(clause, unread.reason, is_unread=True)
        elif self._is_talk(clause, unread) or (self.moves(self.now.state).takes_text and not self.steps):
            self._pass_over(clause, unread)
        elif unread.trouble in ("question", "negation") and (rest or self.steps):
            self._pass_over(clause, unread)  # `Fold? Never. I'm not folding this. Call`
        elif self._is_verb_alone(clause):
            self.unfinished.append((clause, unread.reason))
        else:
            self._refuse(clause, unread.reason, is_unread=True)
            self.is_unread = True

    def _takes_back(self, clause: Clause, unread: Unreadable) -> bool:
        """Does it take back what was said, though it does not say plainly what is wanted in its place?"""
        has_number = any(each.isdigit() for each in clause.fragment)
        if self.mark:
            return unread.touches or has_number or _FLAT_NO.search(self.mark) is not None
        is_corrected = bool(self.now.read_as) and self.now.read_as[-1].instead_of != ""
        return _REGRET.search(clause.fragment) is not None and not is_corrected

    def _completes(self, clause: Clause) -> bool:
        """Values on their own that the verb, or the command, before them lacks: `raise`, `by 25`; `bet 7`, `on the dealer`."""
        found = [each for each in words(clause.fragment) if each not in NEUTRAL | NOUNS]
        if not 1 <= len(found) <= 4 or clause.is_question or self.mark or _is_name(clause):
            return False
        if self.unfinished and not self.steps:
            text = " ".join((*words(self.unfinished[-1][0].fragment), *found))
            command = self.moves(self.now.state).parsed(text)
            if command is None:
                return False
            before = self.unfinished.pop()[0]
            whole = replace(clause, typed=f"{before.typed} {clause.typed}")
            return self._play(whole, Reading(command, is_literal=False), self.game.say(command))
        if not self.steps:
            return False
        step = self.steps[-1]
        command = self.moves(step.before.state).parsed(" ".join((step.command, *found)))
        if command is None or self.game.say(command) == step.command or step.is_ahead:
            return False
        try:
            self.now = played(self.who, self._without_step(step.before), command)
        except Illegal:
            return False
        self.steps.pop()
        whole = replace(clause, typed=f"{step.clause.typed} {clause.typed}")
        self._accept(step.before, whole, self.game.say(command), is_literal=False)
        return True

    def _is_talk(self, clause: Clause, unread: Unreadable) -> bool:
        """Does it ask for nothing: small talk, a name behind the commands, a score in a sentence?"""
        if unread.trouble == "talk" or not unread.touches or (self.steps and _is_signature(clause)):
            return True
        return not clause.begins and not any(each.isalpha() for each in clause.fragment)

    def _is_verb_of_text(self, clause: Clause) -> bool:
        """Does it begin with a verb of free text, which nothing follows?"""
        return plain(clause.fragment).rstrip(": ") in self.game.text_verbs

    def _is_verb_alone(self, clause: Clause) -> bool:
        """Does it name nothing but a verb that takes a value (`Attack!`)?"""
        found = words(clause.fragment)
        return len(found) == 1 and not clause.is_question and bool(self.moves(self.now.state).verb_named(found[0]))

    def _is_said_again(self, clause: Clause, unread: Unreadable) -> bool:
        """Does it say, as things stood before the last command, just that command again? Another one contradicts it."""
        if not self.steps or not unread.touches or _is_name(clause):
            return False
        again = self._read_in_place_of(self.steps[-1], clause)
        if again is None or self.steps[-1].is_ahead:
            return again is not None and self.game.say(again.command) == self.steps[-1].command
        text = self.game.say(again.command)
        if text != self.steps[-1].command:
            if self.mark:
                return False
            self._refuse_both(clause, text)
        return True

    def _makes_good(self, clause: Clause) -> bool:
        """`pass. No wait, keep it`: what could not be read is replaced by a command behind words that take it back."""
        if not (clause.mark and self.is_unread):
            return False
        try:
            reading = read_clause(clause, self.moves(self.now.state))
        except (Unreadable, Refusal):
            return False
        refused, untried = self.now.refused, self.now.untried
        self.now, self.is_unread = replace(self.now, refused=None, untried=()), False
        if not self._play(clause, reading, self.game.say(reading.command)):
            self.now = replace(self.now, refused=refused, untried=untried)
        return True

    def _pass_over(self, clause: Clause, unread: Unreadable) -> None:
        self.left.append((clause, unread))
        self.now = replace(self.now, chat=(*self.now.chat, clause.typed))
        if unread.touches:
            self.now = replace(self.now, unsure=(*self.now.unsure, clause.typed))

    def _refuse(
        self, clause: Clause, reason: str, rule: str = "", is_unread: bool = False, readings: tuple[str, ...] = ()
    ) -> None:
        self.now = replace(self.now, refused=RefusedLine(clause.typed, reason, rule, readings, is_unread))

    def _hint(self, clause: Clause, refusal: Illegal) -> str:
        is_answer = isinstance(refusal, NotYet) and self.who.reply.takes_text and not self.steps
        return f" {PUT_ANSWER_FIRST}" if is_answer and self._answer(clause.typed) else ""

    def _answer(self, typed: str) -> str:
        return self.game.lone_answer(self.now.state, self.who.seat, typed)

    # The end of the mail

    def finished(self, lines: Sequence[str]) -> Interpretation:
        """The interpretation, when every clause was taken."""
        if self.withdrawn and self.withdrawn in self.steps:
            last = self.withdrawn
            del self.steps[self.steps.index(last) + 1 :]
            self._undo_last()
            self._refuse(last.clause, TOOK_BACK.format(shortened(last.clause.typed)))
        elif self.left and not (self.steps or self.now.refused):
            self._explain_what_is_left(lines)
        elif self.steps and self._is_incomplete():
            self._undo_last()
        elif self.steps and any(unread.denies(self.steps[-1].command) for _, unread in self.left):
            self._undo_last_denied()
        for clause, reason in self.unfinished:
            phase, verb = self.now.state.phase, words(clause.fragment)[0]
            is_done = any(self.game.vocabulary.head(verb, phase) == step.command.split()[0] for step in self.steps)
            if not (self.now.refused or is_done):
                self._refuse(clause, reason)
        return self.now

    def _is_incomplete(self) -> bool:
        """Did a sentence that was passed over hold a value that the last command could have had? Then both are asked about."""
        last = self.steps[-1]
        moves = self.moves(last.before.state)
        for clause, unread in self.left:
            values = [word for word in words(clause.fragment) if word in self.game.vocabulary.values]
            for value in values if unread.touches and len(last.command.split()) > 1 else ():
                command = moves.parsed(f"{last.command} {value}")
                if command is not None and is_legal(self.who, last.before.state, command):
                    readings = (last.command, self.game.say(command))
                    reason = WHICH_MOVE.format(shortened(clause.typed))
                    self.now = replace(self.now, refused=RefusedLine(clause.typed, reason, readings=readings))
                    return True
        return False

    def _undo_last_denied(self) -> None:
        """`Call. No, I'm not calling that`: what is said and denied is asked about."""
        clause, unread = next(each for each in self.left if each[1].denies(self.steps[-1].command))
        self._undo_last()
        self._refuse(clause, unread.reason, is_unread=True)

    def _explain_what_is_left(self, lines: Sequence[str]) -> None:
        """A mail of nothing but talk is asked about, unless it asks a service or writes to the host; or it is an answer."""
        if self.now.services or self.now.to_host:
            return
        if self.who.reply.takes_text and self.moves(self.now.state).takes_text and self._take_answer(lines):
            return
        clause, unread = next((each for each in self.left if each[1].touches), self.left[0])
        if len(self.left) < 4:
            clause = replace(clause, typed=shortened(" ".join(each.typed for each, _ in self.left), 160))
        self.now = replace(self.now, chat=())
        is_question = any(each.is_question for each, _ in self.left) and not any(each[1].touches for each in self.left)
        self._refuse(clause, ONLY_THE_HOST if is_question else unread.reason, is_unread=True)

    def _take_answer(self, lines: Sequence[str]) -> bool:
        """What is left of a mail as an answer in free text, or a question whether it is one."""
        found = answer_in(
            _without_courtesies([clause for clause, _ in self.left]),
            lines,
            self._answer,
            self.moves(self.now.state).names,
        )
        if found is None:
            return False
        typed = " ".join(found.lines)
        clause = replace(self.left[0][0], typed=typed)
        if found.command and not self._is_slip_of_a_verb(typed):
            self.now = replace(self.now, chat=tuple(each for each in self.now.chat if each not in typed))
            try:
                command = self.game.parse(found.command, self.now.state, self.who.seat)
            except Invalid as refusal:
                self._refuse(clause, refusal.reason)
            else:
                is_literal = typed in found.command
                self._play(replace(clause, fragment=found.command), Reading(command, 1, is_literal), found.command)
            return True
        if len(found.lines) == 1 and asks_something(found.lines[0], any(each.is_question for each, _ in self.left)):
            self.now = replace(self.now, chat=())
            self._refuse(clause, ONLY_THE_HOST, is_unread=True)
            return True
        readings = tuple(self._answer(line) or f"answer {' '.join(line.split())}"[:200] for line in found.lines[:3])
        reason = IS_THAT_IT.format(shortened(readings[0].removeprefix("answer "))) if len(readings) == 1 else WHICH_LINE
        self.now = replace(
            self.now, chat=(), refused=RefusedLine(shortened(typed, 160), reason, "", readings, is_unread=True)
        )
        return True

    def _is_slip_of_a_verb(self, typed: str) -> bool:
        moves = self.moves(self.now.state)
        return any(moves.slip_of(word) for word in words(typed)[:1])


def _without_courtesies(left: list[Clause]) -> list[Clause]:
    """The clauses without thanks and excuses, where anything else is left."""
    kept = [each for each in left if not _COURTEOUS.match(plain(each.fragment))]
    return kept or left


def _is_bare_denial(clause: Clause) -> bool:
    """`But I won't.`: a no to what was said before it, and nothing else."""
    said = tokens(clause.fragment)
    is_no = not NEGATIONS.isdisjoint(said) or any(each.endswith("n't") for each in said)
    return is_no and all(
        each in NEUTRAL | NEGATIONS | FILLERS | {"but"} or not each.isalnum() for each in said if "'" not in each
    )


def _is_signature(clause: Clause) -> bool:
    """One word behind the commands, without a number: a signature sooner than a misspelt command."""
    found = words(clause.fragment)
    return len(found) == 1 and found[0].isalpha()


def _is_name(clause: Clause) -> bool:
    """A first name on a line, or in a sentence, of its own."""
    return clause.begins and plain(clause.fragment) in FIRST_NAMES


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
