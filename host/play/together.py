"""Pure: the clauses of a mail put together. In: those that are commands, those that are none. Out: its commands, in turn.

Clauses that are no command alone may be one together; what says again, or in full, what stands before it counts once; of two
commands that answer the same question one has to be meant, and then they are at odds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from host.engine.grammar import LONG_RANKS, tokens, words
from host.engine.words import AT_END, AT_FRONT, FILLERS, frames, plain
from host.play.certain import UNCLEAR, Judged, judge
from host.play.clauses import Clause, behind, place
from host.play.doubts import LIMITS, is_for_another_time, is_uncertain
from host.play.prices import TELLING
from host.play.rivals import is_remark, is_sum, leaves_open
from host.play.seen import Seen
from host.play.services import Service
from host.play.values import THIS_ONE, in_their_order, values_in, whole_values_in

LEAST_LISTED = 3
"""Values of an answer that is known by these alone."""
_AGAINST = frozenset("avoid avoided won lost used once why away call phone next free busy trains lottery".split())
_BETWEEN = frozenset(
    "before between ahead instead swap swapped except reverse reversed backwards other others rest".split()
)
_HOLDING = TELLING | frozenset(
    "hold holding held he she his her their they'll he'll she'll are is would too whatever how".split()
)
"""With one of these cards are told of."""
_THOSE = frozenset("that them these those it this which him her".split())


@dataclass
class Parts:
    """The parts of a mail: `steps` are its commands with their clauses, `left` the clauses that hold none.

    `agreed` is a yes, or a courtesy that is a command where nothing else is said (`ok`). `served` are sentences that ask for a
    service. `stands` is a command that may be meant as it is, though something may take it back.
    """

    seen: Seen
    text: str
    steps: list[tuple[Clause, Judged]] = field(default_factory=list)
    left: list[tuple[Clause, Judged]] = field(default_factory=list)
    services: list[Service] = field(default_factory=list)
    leaving: str = ""
    takes_back: bool = False
    stands: str = ""
    served: set[int] = field(default_factory=set)
    agreed: tuple[Clause, Judged] | None = None


def put_together(mail: Parts, count: int) -> None:
    """Clauses that are no command alone may be one together: a deployment with a line for each army; all, or what is unclear.

    One of them may be a command by itself, where it takes any number of values. `count` is how many clauses the mail has.
    """
    is_whole = count == len(mail.steps) == 1 and mail.steps[0][1].is_literal
    if is_whole or _whole_list(mail):
        return
    if mail.steps:
        _with_the_rest(mail)
        return
    at = [
        number
        for number, (clause, judged) in enumerate(mail.left)
        if judged is UNCLEAR and not (is_sum(clause) or is_remark(clause, mail.seen))
    ]
    for first, end in ((0, len(mail.left)), (at[0], at[-1] + 1) if at else (0, 0)):
        whole = _as_one([clause for clause, _ in mail.left[first:end]], mail.seen)
        if whole:
            mail.steps, mail.left = [whole], [*mail.left[:first], *mail.left[end:]]
            return
    if count == len(mail.left) == 1:
        _only_word(mail)


def _whole_list(mail: Parts) -> bool:
    """All values that are asked for, side by side, and no others, are the answer whatever leads to them.

    `Their birthdays: 2, 4, 8, 14`, where four spaces are to be chosen.
    """
    seen = mail.seen
    verb, size = _listed(seen)
    if not verb or mail.takes_back:
        return False
    beside = [each for each in mail.steps if each[1].verb != verb]
    others = [clause for clause, judged in (*mail.steps, *mail.left) if (clause, judged) not in beside]
    parts = sorted(others, key=lambda each: place(mail.text, each))
    listed = [(each, found) for each in parts if (found := whole_values_in(_without_ones(each), seen))]
    told, values = [each for each, _ in listed], [value for _, found in listed for value in found]
    is_of_cards = "alike" in seen.words.row(verb).kinds
    typed = "" if is_of_cards else seen.parsed(" ".join((verb, *(each.fragment for each in told))))
    command = typed or seen.filled(verb, values) if len(values) >= LEAST_LISTED else ""
    listed_all = len(command.split()) - 1
    is_whole = listed_all >= len(values) and size in (1, listed_all)
    is_said = any(judged.command == command for _, judged in mail.steps)
    is_meant, are_listed = (_is_said, _are_in_turn) if is_of_cards else (_is_meant, _are_side_by_side)
    if is_said or not is_whole or not all(is_meant(each, seen) for each in told) or not are_listed(told, seen):
        return False
    whole = replace(told[0], typed=" ".join(each.typed for each in told))
    mail.steps = [(whole, Judged("command", command, is_literal=False)), *beside]
    mail.left = [each for each in mail.left if each[0] not in told]
    return True


def _listed(seen: Seen) -> tuple[str, int]:
    """The verb behind which a list is asked for, and how many values; one where it is known to the rules alone."""
    for row in map(seen.words.row, seen.first_verbs):
        if row.is_list and row.kinds & {"number", "alike"}:
            sizes = {len(choice.say[0].split()) - 1 for choice in seen.offered if choice.say[0].split()[0] == row.verb}
            return (row.verb, sizes.pop()) if len(sizes) == 1 else ("", 0)
    return "", 0


def _without_ones(clause: Clause) -> str:
    return THIS_ONE.sub("it", plain(clause.fragment))


def _is_meant(clause: Clause, seen: Seen) -> bool:
    """Are the values of a clause neither denied, nor somebody else's, asked, put right or left open?"""
    some, folded = frames(), plain(clause.fragment)
    against = some.bygone | some.others | _AGAINST
    return _is_said(clause, seen) and against.isdisjoint(map(_bare, tokens(folded))) and not is_uncertain(folded)


def _is_said(clause: Clause, seen: Seen) -> bool:
    """Are the values of a clause neither denied, nor asked, put right, left open, or another player's?"""
    some, folded = frames(), plain(clause.fragment)
    against = some.negations | some.uncertain | set(seen.names)
    is_open = bool(clause.mark or LIMITS.search(folded)) or leaves_open(clause) or is_for_another_time(folded)
    return not is_open and against.isdisjoint(map(_bare, tokens(folded)))


def _bare(word: str) -> str:
    return word.removesuffix("'s")


def _are_side_by_side(parts: Sequence[Clause], seen: Seen) -> bool:
    """Does nothing that means something stand behind the first value, and words for the first and the last beside these?"""
    said = [word for each in parts for word in tokens(_without_ones(each))]
    values = [at for at, word in enumerate(said) if values_in(word, seen)]
    around = frames().neutral | frames().nouns | FILLERS | AT_FRONT | AT_END
    behind = {word for word in said[values[0] :] if word.isalpha() and not values_in(word, seen)}
    return behind <= around and in_their_order(said, seen)


def _are_in_turn(parts: Sequence[Clause], seen: Seen) -> bool:
    """Does each part name cards in the order in which they stand, and follow the one before it?"""
    said = [tokens(plain(each.fragment)) for each in parts]
    is_first = all(AT_FRONT.isdisjoint(each) for each in said[1:])
    is_last = all(AT_END.isdisjoint(each) for each in said[:-1])
    inner = said[1:-1] if len(said) > 1 else said  # `3s 2c first. Next 9h 8d`
    is_in_order = all(in_their_order(each, seen) for each in inner)
    is_told = any(not _HOLDING.isdisjoint(each) for each in said)
    return is_first and is_last and is_in_order and not is_told and not any(map(_sets_in_between, said))


def _sets_in_between(said: Sequence[str]) -> bool:
    """Does it put a card somewhere else than behind the one before it: `the 8 before that`, `behind the nine`?"""
    is_after = any(word in ("after", "behind") and then not in _THOSE for word, then in pairwise((*said, "")))
    return is_after or not _BETWEEN.isdisjoint(said)


def _as_one(parts: Sequence[Clause], seen: Seen) -> tuple[Clause, Judged] | None:
    """Clauses as the one command that they are together; None where they are none, or words set them against each other."""
    if len(parts) < 2 or any(each.is_question or each.mark for each in parts):
        return None
    fragment, typed = (" ".join(getattr(each, name) for each in parts) for name in ("fragment", "typed"))
    whole = replace(parts[0], fragment=fragment, typed=typed)
    judged = judge(whole, seen)
    return (whole, judged) if judged.kind == "command" else None


def _with_the_rest(mail: Parts) -> None:
    """A command that takes any number of values, with the unclear clauses around it: `king: 9s 8d, queen: both fours`."""
    verbs = {judged.verb for _, judged in mail.steps}
    unclear = [clause for clause, judged in mail.left if judged is UNCLEAR]
    takes_more = len(verbs) == 1 and mail.seen.words.row(*verbs).is_list
    said = [clause for clause, _ in mail.steps]
    if not unclear and len({judged.command for _, judged in mail.steps}) < len(said):
        return  # `throw rock, throw paper, throw rock`
    parts = sorted([*unclear, *said], key=lambda each: place(mail.text, each)) if unclear else said
    whole = _as_one(parts, mail.seen) if takes_more and not mail.takes_back else None
    if whole and whole[1].verb in verbs:
        mail.steps, mail.left = [whole], [each for each in mail.left if each[1] is not UNCLEAR]


def _only_word(mail: Parts) -> None:
    """A rank alone is a card, though it may be a name (`jack`), where there is one such card to choose; so is an initial."""
    [(clause, _)] = mail.left
    word = plain(clause.fragment).strip(" .!")
    if mail.seen.takes_text or clause.is_question:
        return
    found = set[str]()
    if word in LONG_RANKS and not word.isdigit() and clause.typed.islower():
        found = {command for verb in mail.seen.first_verbs if (command := mail.seen.parsed(f"{verb} {word}"))}
    elif len(word) == 1 and word.isalpha():
        found = {command for command in mail.seen.plain_commands if command.isalpha() and command[0] == word}
        found -= {mail.seen.behind("give up")}  # an `F` may be a sigh
    if len(found) == 1:
        mail.steps, mail.left = [(clause, Judged("command", found.pop(), is_literal=False))], []


def said_once(mail: Parts) -> list[tuple[Clause, Judged]]:
    """The commands with those left out that only say again, or in full, what stands before them."""
    plain_ones = [judged.command for _, judged in mail.steps if judged.kind == "command"]
    kept: list[tuple[Clause, Judged]] = []
    for clause, judged in mail.steps:
        last = kept[-1] if kept else None
        if last and _is_same_amount(last[1].command, clause, judged, mail.seen):
            kept[-1] = (last[0], judged)  # `All of it. 2500.`
            continue
        if last and mail.seen.words.row(judged.verb).includes == last[1].command and not clause.begins:
            kept.pop()  # `I match his ten and raise by 20`
            last = kept[-1] if kept else None
        is_weak = judged.kind == "turn of speech" and "again" not in tokens(clause.fragment)
        if last and _is_said_in_figures(last, clause, judged, mail.seen):
            continue  # `the middle one, 5`
        is_said_anew = clause.begins or plain(clause.fragment) == judged.command  # `continue; continue 2`
        if last and judged.command.startswith(f"{last[1].command} ") and not is_said_anew:
            kept[-1] = (last[0], judged)  # `continue, three flips`
        elif is_weak and any(each.startswith(judged.command) for each in plain_ones):
            continue
        elif last and (longer := with_more_values(mail.seen, last[1], clause, judged)):
            kept[-1] = (replace(last[0], typed=f"{last[0].typed} {clause.typed}"), replace(last[1], command=longer))
        elif not last or last[1].command != judged.command or _may_be_two(last[0], clause, judged.command, mail.seen):
            kept.append((clause, judged))
    return kept


def _is_same_amount(command: str, clause: Clause, judged: Judged, seen: Seen) -> bool:
    """Does a number alone say what a command before it comes to?"""
    is_number = judged.command.split()[-1].isdecimal() and not _names_move(seen, clause)
    return is_number and command != judged.command and seen.in_one_form(command) == seen.in_one_form(judged.command)


def _is_said_in_figures(last: tuple[Clause, Judged], clause: Clause, judged: Judged, seen: Seen) -> bool:
    """Does a value alone only say which one words before it mean?"""
    value = judged.command.split()[-1]
    is_bare = words(clause.fragment)[-1:] == (value,) and not _names_move(seen, clause)
    return is_bare and last[1].command.split()[1:] == [value] and value not in words(last[0].fragment)


def in_turn(steps: list[tuple[Clause, Judged]], seen: Seen) -> list[tuple[Clause, Judged]]:
    """`26, then number 5`: a value alone behind another is the second of the two answers that the letter shows side by side."""
    values = [judged.command.split()[1:] for _, judged in steps]
    if len(steps) != 2 or any(len(each) != 1 for each in values):
        return steps
    (first, one), (second, other) = steps
    verb = one.verb
    is_said_anew = _names_move(seen, second) or any(each.marked.startswith("no") for each in (first, second))
    shown = [choice.say[1] for choice in seen.offered if len(choice.say) == 2 and choice.say[0].split()[0] == verb]
    command = next((each for each in shown if each.split()[1:] == values[1]), "")
    is_next = command and other.verb == verb and not is_said_anew
    return [steps[0], (second, replace(other, command=command))] if is_next else steps


def _names_move(seen: Seen, clause: Clause) -> bool:
    return any(map(seen.move_named, words(clause.fragment)))


def _may_be_two(one: Clause, another: Clause, command: str, seen: Seen) -> bool:
    """May the same command, said twice, be meant twice?"""
    verb = command.split()[0]
    return verb in seen.words.row(verb).followed_by and words(one.fragment) == words(another.fragment)


def are_at_odds(steps: Sequence[tuple[Clause, Judged]], text: str, seen: Seen) -> bool:
    """Do two commands side by side answer the same question, as with a stroke between (`hit / stand`), or is one said twice?"""
    verbs = [judged.verb for _, judged in steps]
    is_named = verbs[0] in words(steps[0][0].fragment)
    if verbs[0] not in seen.verbs and not is_named and not seen.verbs.isdisjoint(verbs):
        return True  # out of their order
    for (clause, one), (_, other) in pairwise(steps):
        ways = {one.verb, other.verb}
        if len(ways) > 1 and ways <= set(seen.first_verbs) and behind(text, clause).lstrip().startswith("/"):
            return True
        if one.kind != other.kind and other.verb not in seen.words.row(one.verb).followed_by:
            return True
        if one.command == other.command or seen.excludes(one.verb, other.verb):
            return True
    return False


def as_written(steps: Sequence[tuple[Clause, Judged]], seen: Seen) -> tuple[str, ...]:
    """The reading of several commands of which each may follow the one before it; nothing for others."""
    commands = [judged.command for _, judged in steps]
    verbs = [each.split()[0] for each in commands]
    follows = (
        then in seen.words.row(verb).followed_by or (then != verb and not seen.excludes(verb, then))
        for verb, then in pairwise(verbs)
    )
    if len(verbs) < 2 or not all(follows):
        return ()
    if len({*verbs}) == 1 and seen.words.row(verbs[0]).is_list:
        commands = [commands[0], *(each.partition(" ")[2] for each in commands[1:])]
        return (" ".join(commands),)
    return (", ".join(commands),)


def with_what_leads_to_it(seen: Seen, commands: list[tuple[Clause, str]]) -> list[tuple[Clause, str]]:
    """A move that one button alone offers, behind what leads to it, is played as a tap on that button is."""
    if len(commands) != 1:
        return commands
    [(clause, command)] = commands
    ways = [choice.say for choice in seen.offered if choice.say[-1] == command]
    return [(clause, each) for each in ways[0]] if len(ways) == 1 else commands


def with_more_values(seen: Seen, last: Judged, clause: Clause, judged: Judged) -> str:
    """A command with the values of a clause that holds only those (`deploy Kh 9d` and `Qc 8s`); empty where it takes no more."""
    verb, _, values = judged.command.partition(" ")
    said = tokens(plain(clause.fragment))
    is_added = (judged.is_literal or "again" in said) and AT_FRONT.isdisjoint(said)
    is_bare = is_added and bool(values) and not any(map(seen.move_named, words(clause.fragment)))
    is_once = last.times == judged.times == 1  # not so `rock twice, then paper`
    if last.command == judged.command and " " in values:
        return ""  # the same list, said again
    takes_more = is_bare and is_once and verb == last.verb and seen.words.row(verb).is_list
    return seen.parsed(f"{last.command} {values}") if takes_more else ""
