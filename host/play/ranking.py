"""Pure: what a mail most likely means. In: its clauses, what its writer sees. Out: readings, the likeliest first.

Every command that the seat could give now, or send ahead, is scored by what the words say of it: the sum of its features, each
times its weight. `data/weights.toml` has the weights; `python -m tests.play.weights` measures them on the sayings.
"""

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from host.engine.frames import frames
from host.engine.grammar import plain, tokens
from host.engine.word_files import table
from host.play.agreement import says_no, says_yes
from host.play.certain import judge, values_in
from host.play.clauses import MOST_READ, Clause
from host.play.idioms import idea_of
from host.play.seen import Seen

MOST = 12
"""Readings that are given; a letter shows the first five of those that are legal."""
MOST_VALUES = 40
"""Values of a mail that are tried with a verb."""
_CONDITIONS = frozenset("if unless otherwise else when whenever should would".split())


@functools.cache
def weights() -> Mapping[str, float]:
    """The weight of each feature."""
    found: Mapping[str, float] = table("host.play", "weights.toml")["weights"]
    return found


@dataclass(frozen=True)
class Mention:
    """What one clause says: its words, the verbs that they name and whether plainly, its values, its command.

    `is_denied` where it says what is not wanted, `is_asked` where it asks, `is_bound` where it hangs on a condition.
    """

    clause: Clause
    said: tuple[str, ...]
    verbs: Mapping[str, bool]
    values: tuple[str, ...]
    command: str
    is_denied: bool
    is_asked: bool
    is_bound: bool


def ranked(clauses: Sequence[Clause], seen: Seen) -> tuple[str, ...]:
    """The readings of a mail, the likeliest first: its commands together, those that its words speak for, and what is offered.

    What the words exclude is left out.
    """
    mentions = mentions_of(clauses, seen)
    scores = scored(mentions, seen)
    excluded = {command for command, score in scores if score <= EXCLUDED}
    found = [command for command, score in scores if score > 0]
    whole = _together(mentions, seen)
    together = [", ".join(whole)] if len(whole) > 1 else []
    rest = [choice.say[0] for choice in seen.offered if not choice.text and choice.say[0] not in excluded]
    return tuple(dict.fromkeys((*together, *found, *rest)))[:MOST]


EXCLUDED = -10.0
"""The score from which on down a command is excluded."""


def scored(mentions: Sequence[Mention], seen: Seen) -> list[tuple[str, float]]:
    """Each command that could be given, with its score, the highest first."""
    found = {command: _score(features(command, mentions, seen)) for command in _candidates(mentions, seen)}
    return sorted(found.items(), key=lambda each: -each[1])


def _score(found: Mapping[str, float]) -> float:
    return sum(weights()[name] * value for name, value in found.items())


def mentions_of(clauses: Sequence[Clause], seen: Seen) -> list[Mention]:
    """What each clause says. A correction without a verb has that of the clause before it (`raise 20, no, 30`)."""
    found: list[Mention] = []
    sentence, is_bound = -1, False
    for clause in clauses[:MOST_READ]:
        said = tokens(plain(seen.with_seats(clause.fragment)))
        is_bound = (is_bound and clause.sentence == sentence) or not _CONDITIONS.isdisjoint(said)
        sentence = clause.sentence
        verb = next((each.command.split()[0] for each in reversed(found) if each.command), "")
        found.append(_mention(clause, said, verb if clause.mark else "", is_bound, seen))
    return found


def _mention(clause: Clause, said: tuple[str, ...], before: str, is_bound: bool, seen: Seen) -> Mention:
    verbs: dict[str, bool] = {}
    for word in said:
        verb = seen.verb_named(word)
        if verb:
            verbs[verb] = verbs.get(verb, False) or word == verb or word not in frames().small | frames().everyday
    values = values_in(" ".join(said), seen)
    command = judge(clause, seen).command or _agreeing(said, seen)
    is_denied = not command and not frames().negations.isdisjoint(said)
    if before and values and not verbs:
        command = seen.parsed(f"{before} {' '.join(values)}") or command
    return Mention(
        clause, said, verbs, values, command or _loosely(said, seen), is_denied, clause.is_question, is_bound
    )


def _agreeing(said: Sequence[str], seen: Seen) -> str:
    """The command that a yes or a no is, where a clause says no more than that."""
    whole = " ".join(said)
    return seen.parsed("yes" if says_yes([whole]) else "no") if says_yes([whole]) or says_no([whole]) else ""


def _loosely(said: Sequence[str], seen: Seen) -> str:
    """The command of a clause, whatever keeps it from being certain."""
    text = " ".join(word for word in said if word not in frames().uncertain | frames().negations)
    return (judge(Clause(text, text), seen).command if text else "") or seen.behind(idea_of(text))


def _together(mentions: Sequence[Mention], seen: Seen) -> list[str]:
    """All commands of a mail as one reading; of two that answer the same question the later one."""
    found: list[str] = []
    for each in mentions:
        command = each.command if not (each.is_denied or each.is_asked) else ""
        verb = command.split()[0] if command else ""
        if not command or command in found[-1:]:
            continue
        same = [at for at, other in enumerate(found) if at == len(found) - 1 or other.split()[0] == verb]
        at = next((at for at in same if _excludes(found[at].split()[0], verb, seen)), None)
        if at is None or not (each.clause.mark or found[at].split()[0] == verb):
            found.append(command)
        else:
            found[at] = command
    return found


def _excludes(verb: str, then: str, seen: Seen) -> bool:
    """May `then` not answer the question that `verb` has answered?"""
    is_answer = {verb, then} <= set(seen.first_verbs) or verb == then
    return is_answer and then not in seen.words.row(verb).followed_by


def _candidates(mentions: Sequence[Mention], seen: Seen) -> Iterator[str]:
    """What clauses say, each verb with the values that stand in the mail, and what is offered; each once."""
    said = (each.command for each in mentions if each.command)
    offered = (choice.say[0] for choice in seen.offered if not choice.text)
    return iter(dict.fromkeys(itertools.chain(said, _with_values(mentions, seen), offered)))


def _with_values(mentions: Sequence[Mention], seen: Seen) -> Iterator[str]:
    values = list(itertools.islice((value for each in mentions for value in each.values), MOST_VALUES))
    for row in seen.words.rows:
        if row.verb not in seen.verbs or not row.takes_value or row.verb in seen.text_verbs:
            continue
        sizes = {len(choice.say[0].split()) - 1 for choice in seen.offered if choice.say[0].split()[0] == row.verb}
        for size in sizes:
            for at in range(len(values) - size + 1 if size else 0):
                command = seen.parsed(f"{row.verb} {' '.join(values[at : at + size])}")
                if command:
                    yield command


def features(command: str, mentions: Sequence[Mention], seen: Seen) -> dict[str, float]:
    """What the words say of a command: each feature is from 0 to 1."""
    verb, *values = command.casefold().split()
    said = [value for each in mentions for value in each.values]
    whole = [each for each in mentions if each.command == command]
    named = [each for each in mentions if verb in each.verbs]
    speaking = whole or named
    plainly = [each for each in speaking if not each.is_denied]
    last = max((at for at, each in enumerate(mentions) if each in speaking), default=-1)
    marked = [
        at for at, each in enumerate(mentions) if each.clause.mark and (each.command or each.values or each.verbs)
    ]
    return {
        "whole": any(not each.is_denied for each in whole),
        "excluded": bool(speaking) and not plainly and not [value for value in values if value not in said],
        "verb": any(each.verbs.get(verb, False) for each in plainly),
        "small verb": any(verb in each.verbs for each in plainly),
        "values": len([value for value in values if value in said]) / max(1, len(values)),
        "no values": bool(values) and not set(values) & set(said),
        "other values": min(1.0, len([value for value in said if value not in values]) / 3) if seen.has_values else 0.0,
        "after a mark": bool(marked) and last >= marked[-1],
        "before a mark": bool(marked) and 0 <= last < marked[-1],
        "asked": bool(plainly) and all(each.is_asked for each in plainly),
        "bound": bool(plainly) and all(each.is_bound for each in plainly),
        "last": (last + 1) / len(mentions) if last >= 0 else 0.0,
        "offered": any(choice.say[0] == command for choice in seen.offered),
    }
