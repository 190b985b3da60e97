"""Pure: what a mail most likely means. In: its clauses, what its writer sees. Out: readings, the likeliest first.

Every command that the seat could give now, or send ahead, is scored by what the words say of it: the sum of its features, each
times its weight. `data/weights.toml` has the weights; `python -m tests.play.weights` measures them on the sayings.
"""

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from host.engine.grammar import tokens
from host.engine.words import frames, pattern, plain, table
from host.play.agreement import yes_or_no
from host.play.certain import judge
from host.play.clauses import MOST_READ, Clause
from host.play.doubts import ALL_ELSE, DEPENDING
from host.play.forms import idea_of
from host.play.seen import Seen
from host.play.values import bidden, in_part, whole_values_in

MOST = 12
"""Readings that are given; a letter shows the first five of those that are legal."""
MOST_VALUES = 40
"""Values of a mail that are tried with a verb."""
MOST_CHANGED = 4
"""Words of an offered command of which one is changed, and values that are put there."""
_PARTING = pattern(
    r"\b(?:but|so|because|cause|since|though|although|yet|therefore|hence)\b"
    r"|(?=\b(?:if|unless|until|till|provided|whenever|otherwise|else|(?:and )?in (?:which|that|this) case)\b)"
)
_RATHER_THAN = pattern(
    r"\b((?:rather|sooner|prefer)\b[^.?!]{1,60}?) (?:than|over|to)\b|\b(?:instead of|rather than|sooner than)\b"
)
_NOT_TO = pattern(r"\b(?:avoid|refuse to|(?:any|every)(?:thing|one)? but)\b ?")
"""Words of a choice, and of a denial: what stands behind them is not wanted."""
_CONDITIONS = frozenset("if unless until till provided whenever".split())
"""Words with which a condition begins; a move in it is the writer's only behind one of these."""
_TAKING = frozenset("take takes taking accept".split())
_THEIR_OWN = frozenset("hers theirs".split())
"""What somebody else has of the same: `my queen against hers`."""
_MINE = frozenset("i i'll i'd then :".split())


@functools.cache
def weights() -> Mapping[str, float]:
    """The weight of each feature."""
    found: Mapping[str, float] = table("host.play", "weights.toml")["weights"]
    return found


@dataclass(frozen=True)
class Mention:
    """A clause as heard: its words, the verbs that they name, its values, its command.

    `is_denied` where it says what is not wanted, but for the verbs of `by_no`, which a no names; `is_asked` where it asks.
    """

    clause: Clause
    said: tuple[str, ...]
    verbs: frozenset[str]
    values: tuple[str, ...]
    command: str
    is_denied: bool
    by_no: frozenset[str]
    is_asked: bool

    @property
    def is_doubted(self) -> bool:
        """Do its words doubt, or depend on something?"""
        return not frames().uncertain.isdisjoint(self.said)

    @property
    def is_condition(self) -> bool:
        """Does it begin with a condition?"""
        return self.said[:1] != () and self.said[0] in _CONDITIONS

    def speaks_for(self, verb: str) -> bool:
        """Does it name a verb, and not to deny it?"""
        return not self.is_denied or verb in self.by_no


def ranked(clauses: Sequence[Clause], seen: Seen) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The readings of a mail for which its words speak, the likeliest first, and what else is offered and not excluded.

    Of the rest what lacks a value that nobody said comes last; where the words exclude all there is, all is offered.
    """
    mentions = mentions_of(clauses, seen)
    scores = dict(scored(mentions, seen))
    excluded = {command for command, score in scores.items() if score <= EXCLUDED}
    likely = [command for command, score in scores.items() if score > SPEAKS]
    offered = dict.fromkeys(choice.say[0] for choice in seen.offered if not choice.text)
    rest = [each for each in offered if each not in likely and (each not in excluded or not likely)]
    return tuple(likely[:MOST]), tuple(sorted(rest, key=lambda each: scores.get(each, 0.0) < 0))[:MOST]


def likeliest(clauses: Sequence[Clause], seen: Seen) -> tuple[str, ...]:
    """The likeliest reading, where the words name its verb or its value, and not alone what it is called by."""
    best = scored(mentions_of(clauses, seen), seen)[:1]
    return tuple(command for command, score in best if score >= NAMED)


NAMED = 3.0
"""The score of a command of which nothing but its value is said."""
SPEAKS = 0.5
"""The score above which something in the words speaks for a command."""
EXCLUDED = -10.0
"""The score from which on down a command is excluded."""


def scored(mentions: Sequence[Mention], seen: Seen) -> list[tuple[str, float]]:
    """Each command that could be given, with its score, the highest first."""
    mail = Mail(mentions, seen)
    ways = dict.fromkeys((*mail.together, *candidates(mentions, seen)))
    weight = weights()
    found = {command: sum(weight[name] * value for name, value in mail.features(command).items()) for command in ways}
    return sorted(found.items(), key=lambda each: -each[1])


def mentions_of(clauses: Sequence[Clause], seen: Seen) -> list[Mention]:
    """Hears each clause. A correction without a verb has that of the clause before it (`raise 20, no, 30`)."""
    found: list[Mention] = []
    for clause in itertools.chain.from_iterable(map(_parted, clauses[:MOST_READ])):
        verb = next((each.command.split()[0] for each in reversed(found) if each.command), "")
        if not verb and clause.mark.strip().casefold() == "no":  # there is nothing to take back: `No raise from me`
            clause = replace(clause, fragment=clause.marked, mark="")
        found.append(_mention(clause, verb if clause.mark else "", seen))
    return found


def _parted(clause: Clause) -> Iterator[Clause]:
    """The parts of a clause, of which each may have a no of its own (`not great but I play`)."""
    folded = _NOT_TO.sub("not ", _RATHER_THAN.sub(r"\1 but not ", plain(clause.fragment)))
    parts = [part.strip() for part in _PARTING.split(ALL_ELSE.sub(" ", folded)) if part.strip()]
    if len(parts) < 2 and folded == plain(clause.fragment):
        return iter((clause,))
    return (replace(clause, fragment=part, mark=clause.mark if not at else "") for at, part in enumerate(parts))


def _mention(clause: Clause, before: str, seen: Seen) -> Mention:
    said = tokens(plain(seen.with_seats(clause.fragment)))
    if said and said[0] in _CONDITIONS:
        is_mine = [at for at, word in enumerate(said) if word in _MINE]
        own = said[is_mine[-1] + 1 :] if is_mine else [each for each in said[1:] if each in seen.words.values]
        return replace(_mention(replace(clause, fragment=" ".join(own)), before, seen), said=said)
    named = [(word, verb) for word in said if (verb := seen.verb_named(word))]
    verbs = frozenset(verb for _, verb in named)
    by_no = frozenset(verb for word, verb in named if word in frames().negations)
    values = whole_values_in(" ".join(said), seen)
    values += values[-1:] if not _THEIR_OWN.isdisjoint(said) else ()
    command = judge(clause, seen).command or bidden(said, seen) or seen.parsed(yes_or_no(" ".join(said)))
    is_denied = not command and not frames().negations.isdisjoint(said)
    if before and values and not verbs:
        command = seen.filled(before, values) or command
    command = command or _loosely(said, seen)
    if not command and len(verbs) == 1 and values:
        command = seen.filled(next(iter(verbs)), values[:1])  # `pick 4 or 5`
    if not (command or verbs or values):  # what is asked later: `I raise as well`
        command = next((each for each in said[:3] if seen.parsed(each) == each and each not in seen.verbs), "")
    return Mention(clause, said, verbs, values, command, is_denied, by_no, clause.is_question)


def _loosely(said: Sequence[str], seen: Seen) -> str:
    """The command of a clause, whatever keeps it from being certain."""
    first = said[: said.index("or")] if "or" in said[1:] else said  # of two that may be meant
    kept = [word for word in first if word not in frames().uncertain | frames().negations]
    text = " ".join(kept)
    found = (judge(Clause(text, text), seen).command if text else "") or seen.behind(idea_of(text))
    content = [word for word in kept if word not in frames().neutral]
    if found or len(content) > 3 or len(seen.first_verbs) > 2:
        return found
    ways = (seen.parsed(f"{verb} {' '.join(content)}") for verb in seen.first_verbs if seen.words.row(verb).takes_value)
    return next(filter(None, ways), "") if content else ""


def _together(mentions: Sequence[Mention], seen: Seen) -> list[str]:
    """All commands of a mail as one reading; of two that answer the same question the one behind words that take back."""
    found: list[str] = []
    is_marked = False
    named = {verb for each in mentions if each.command for verb in each.verbs}
    for each in mentions:
        command = "" if each.is_denied or each.is_asked else each.command
        verb = command.partition(" ")[0]
        is_marked = is_marked or bool(each.clause.mark)
        if not command or command in found[-1:] or (verb in named and not each.verbs and not is_marked):
            continue
        same = [at for at, other in enumerate(found) if at == len(found) - 1 or other.split()[0] == verb]
        at = next((at for at in same if seen.excludes(found[at].split()[0], verb)), None)
        if at is None and not (is_marked and found):
            found.append(command)
        elif is_marked:
            found[-1 if at is None else at] = command
        else:
            return []
        is_marked = False
    return found


def _corrected(mentions: Sequence[Mention], seen: Seen) -> str:
    """A command of several values with one of them changed: the one that is named again, else the last (`2 7 13. No, 12`)."""
    at = next((at for at, each in enumerate(mentions) if len(each.command.split()) > 2), len(mentions))
    later = mentions[at + 1 :]
    if not any(each.clause.mark or "instead" in each.said for each in later):
        return ""
    verb, *row = mentions[at].command.casefold().split()
    if any(len(each.values) >= min(3, len(row)) for each in later):
        return ""  # a list of its own
    said = dict.fromkeys(value for each in later for value in each.values)
    new = [value for value in said if value not in row]
    old = next((value for value in said if value in row), row[-1])
    place = len(row) - 1 - row[::-1].index(old)
    return seen.filled(verb, (*row[:place], new[0], *row[place + 1 :])) if len(new) == 1 else ""


def _with_the_unclear(mentions: Sequence[Mention], seen: Seen) -> list[str]:
    """All commands of a mail with those that its unclear clauses may be, as readings: which of them are legal shows later."""
    ways = itertools.islice(itertools.product(*(_as_commands(each, seen) for each in mentions)), MOST_VALUES)
    return [", ".join(found) for way in ways if len(found := _together(way, seen)) > 1]


def _as_commands(mention: Mention, seen: Seen) -> list[Mention]:
    """A clause that names values, more than its command has, with each command for which it speaks; else the clause."""
    said = {half for word in mention.command.casefold().split() for half in (word, *in_part(word))}
    if said.issuperset(mention.values) or mention.is_denied or mention.is_asked:
        return [mention]
    found = (each for each, score in scored([mention], seen) if score > SPEAKS and " " in each and ", " not in each)
    return [replace(mention, command=each) for each in found][:MOST] or [mention]


def candidates(mentions: Sequence[Mention], seen: Seen) -> Iterator[str]:
    """The commands that clauses say, each verb with the values that stand in the mail, and what is offered; each once."""
    said = (each.command for each in mentions if each.command)
    offered = (choice.say[0] for choice in seen.offered if not choice.text)
    return filter(None, dict.fromkeys(itertools.chain(said, _with_values(mentions, seen), offered)))


def _with_values(mentions: Sequence[Mention], seen: Seen) -> Iterator[str]:
    """Moves that are offered, with values of the mail instead: each alone, and those together that one button says."""
    values = list(itertools.islice((value for each in mentions for value in each.values), MOST_VALUES))
    is_choice = any("or" in each.said for each in mentions)  # between values of one move
    offered = [choice.say[:1] if is_choice else choice.say for choice in seen.offered if not choice.text]
    ways = [tuple(map(str.split, say)) for say in offered]
    shapes = dict.fromkeys(tuple((each[0], len(each) - 1) for each in way) for way in ways)
    shapes |= dict.fromkeys((move,) for shape in tuple(shapes) for move in shape)
    for shape in shapes:
        size = sum(many for _, many in shape)
        verb = shape[0][0]
        is_row = len(shape) == 1 and size and not is_choice
        if is_row and (whole := [each for each in values if seen.filled(verb, [each])]):
            for several in (whole, list(dict.fromkeys(whole))):
                yield _filled(((verb, len(several)),), several, seen)
        for at in range(len(values) - size + 1 if size else 0):
            yield _filled(shape, values[at : at + size], seen)
    for say in (way[0] for way in ways if len(way) == 1 and 2 < len(way[0]) <= MOST_CHANGED):
        yield from _changed(say, values, seen)


def _changed(say: Sequence[str], values: Sequence[str], seen: Seen) -> Iterator[str]:
    """What is offered with one of its values changed (`600` for `bet 50 Q 7`), or with all, in another order."""
    verb, *own = say
    for at, value in itertools.product(range(len(own)), values[:MOST_CHANGED]):
        yield seen.filled(verb, (*own[:at], value, *own[at + 1 :]))
    for some in itertools.permutations(values[: MOST_CHANGED if len(values) <= MOST_CHANGED else 0], len(own)):
        yield seen.filled(verb, some)


def _filled(shape: Sequence[tuple[str, int]], values: Sequence[str], seen: Seen) -> str:
    """The commands of these verbs with so many values each, empty where one of them is none."""
    left = iter(values)
    commands = [seen.filled(verb, itertools.islice(left, many)) for verb, many in shape]
    return ", ".join(commands) if all(commands) else ""


class Mail:
    """A mail as heard, whichever command is meant by it."""

    def __init__(self, mentions: Sequence[Mention], seen: Seen) -> None:
        self.mentions, self.seen = mentions, seen
        self.values = tuple(value for each in mentions for value in each.values)
        self.rows = frozenset() if any(map(_chooses, mentions)) else _rows(self.values, seen)
        self.otherwise = _otherwise(mentions)
        certain = [each for each in mentions[: self.otherwise] if not each.is_condition]
        commands = _together(certain, seen)
        is_row = bool(self.rows) and len({each.split()[0] for each in commands}) == 1
        together = [", ".join(commands)] if len(commands) > 1 and not is_row else []
        if len(mentions) > 1 and any(each.command for each in mentions):
            together += _with_the_unclear(certain, seen)
        self.corrected = _corrected(mentions, seen)
        self.together = tuple(dict.fromkeys(filter(None, (self.corrected, *together))))
        self.denied = {value for each in mentions if each.is_denied for value in each.values}
        marks = (
            at for at, each in enumerate(mentions) if each.clause.mark and (each.command or each.values or each.verbs)
        )
        self.last_mark = max(marks, default=0)
        has_no = any(each.is_denied and not (each.verbs - each.by_no) for each in mentions)
        self.negative = seen.negative if has_no else frozenset()

    def features(self, reading: str) -> dict[str, float]:
        """Weighs what the words say of a reading: each feature is from 0 to 1. Several commands have the mean of theirs."""
        is_text = reading.split()[0] in self.seen.text_verbs
        commands = [reading] if is_text else reading.split(", ")
        own = {value for word in reading.split() for value in (word.casefold(), *in_part(word))}
        found = [self._of_command(each) for each in commands]
        mean = {name: sum(each[name] for each in found) / len(found) for name in found[0]}
        others = sum(value not in own for value in self.values) if self.seen.has_values else 0
        return mean | {
            "other values": min(1.0, others / 3),
            "together": reading in self.together or reading in self.rows,
        }

    def _of_command(self, command: str) -> dict[str, float]:
        """The features of one command."""
        mentions = self.mentions
        verb, *values = command.casefold().split()
        whole = [each for each in mentions if each.command == command]
        speaking = whole or [each for each in mentions if verb in each.verbs]
        places = [at for at, each in enumerate(mentions) if each in speaking and each.speaks_for(verb)]
        left = list(self.values)
        said = sum(self._said(value, left) for value in values) / max(1, len(values))
        return {
            "whole": command in (*self.rows, self.corrected) or any(each.speaks_for(verb) for each in whole),
            "excluded": bool(speaking) and not places and self.denied.issuperset(values),
            "verb": any(verb in mentions[at].verbs for at in places),
            "values": said,
            "no values": bool(values) and not said,
            "no": command in self.negative,
            "hinted": any(self._hints(each, verb) for each in mentions),
            "doubted": bool(places) and all(mentions[at].is_doubted for at in places),
            "after a mark": bool(places) and self.last_mark > 0 and places[-1] >= self.last_mark,
            "before a mark": bool(places) and places[-1] < self.last_mark and command != self.corrected,
            "last": (places[-1] + 1) / len(mentions) if places else 0.0,
            "otherwise": bool(places) and places[0] >= self.otherwise,
        }

    def _hints(self, mention: Mention, verb: str) -> bool:
        """Has a clause that denies nothing a word of those that the verb alone is called by? Who takes hints at no no."""
        if verb in self.seen.negative and not _TAKING.isdisjoint(mention.said):
            return False
        return not mention.is_denied and not self.seen.hints.get(verb, frozenset()).isdisjoint(mention.said)

    def _said(self, value: str, left: list[str]) -> float:
        """How much of a value is said: half of a card whose rank, or suit, is (`the queen`), and is `left` for it."""
        if value in self.values:
            return 1.0
        halves = [half for half in in_part(value) if half in left]
        for half in halves:
            left.remove(half)
        return len(halves) / 2


def _chooses(mention: Mention) -> bool:
    """Does it want one value, and not another?"""
    return mention.is_denied or bool(mention.clause.mark) or "or" in mention.said


def _otherwise(mentions: Sequence[Mention]) -> int:
    """The place from which on mentions say what is done otherwise, behind a condition and what hangs on it."""
    is_said = False
    for at, each in enumerate(mentions):
        if is_said and each.said[:1] and each.said[0] in ("otherwise", "else"):
            return at
        is_said = is_said or bool(each.verbs or each.command)
        if is_said and not (DEPENDING | _CONDITIONS).isdisjoint(each.said):
            return at + 1
    return len(mentions)


def _rows(values: Sequence[str], seen: Seen) -> frozenset[str]:
    """The commands that take all values of a mail, in their order."""
    row = values[:MOST_VALUES] if len(values) > 1 else ()
    return frozenset(filter(None, (seen.filled(verb, row) for verb in seen.first_verbs if row)))
