"""Pure: what takes back, limits or completes what was said. In: a mail while it is read, a clause. Out: did it?"""

import re
from collections.abc import Sequence
from dataclasses import replace

from host.engine.frames import frames
from host.engine.game import Illegal, Refusal
from host.engine.grammar import FILLERS, plain, tokens, words
from host.play.clauses import Clause, shortened
from host.play.playing import answers, is_legal, played
from host.play.progress import ANEW, CONDITION, Progress, is_name
from host.play.reading import Reading, Unreadable, read_clause
from host.play.repeating import play

_LIMITS = re.compile(r"(?:unless|except|but only|only if|provided|if|when|as long as|but not|or)\b")
_LIMITS_A_SENTENCE_AGO = ("unless", "but ", "except", "only", "provided", "or ")
_REGRET = re.compile(r"\b(?:wrong|mistake|misread|mistyped|typo|meant|instead|changed?|regret|swap)\b", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(?:the|an?|my|that)\b")
_EXCHANGE = re.compile(
    r"\b(?:swap|change|switch|replace|make)\s+(?P<old>\w+)\s+(?:(?:for|to|into|with|by)\s+)?(?P<new>\w+)$"
)
_INSTEAD_OF = re.compile(r"\b(?P<new>\w+)\s+instead\s+(?:of\s+)?(?P<old>\w+)$")
_FLAT_NO = re.compile(r"\b(?:no+|nope|nah)\b\s*[,.!;:…–—-]|\bwait\b|\bh[ao](?:ng|ld) on\b", re.IGNORECASE)
_NO_THING = frozenset("nothing nobody none hardly never neither nor without".split())
_REST_OF_A_LIST = re.compile(r"((?:(?:or|nor|and) )?(?:the )?\w+(?: (?:or|nor|and) (?:the )?\w+)?)")
_EXCLUDING = re.compile(
    r"(?:so |but )?(?:just )?(?:not|instead of|rather than|anything but|anything except|everything but)\b(.*)"
)


def take_mark(mail: Progress, clause: Clause) -> None:
    """Words that take something back count for the next command; alone at the end they leave nothing in its place."""
    if clause.mark and mail.steps:
        mail.mark = f"{mail.mark} {clause.mark}".strip()
        if clause.takes_back and not clause.fragment:
            mail.withdraw()


def exchanges(mail: Progress, clause: Clause) -> bool:
    """`swap the 11 for a 10`, `13 instead of the 12`: one value of the last command in place of another."""
    if not mail.steps:
        return False
    folded = " ".join(words(_ARTICLE.sub(" ", plain(clause.fragment))))
    found = _EXCHANGE.search(folded) or _INSTEAD_OF.search(folded)
    if not found:
        return False
    step = mail.steps[-1]
    values = [found["new"] if each.lower() == found["old"] else each for each in step.command.split()]
    command = mail.moves(step.before.state).parsed(" ".join(values))
    if " ".join(values) == step.command or command is None or not is_legal(mail.who, step.before.state, command):
        return False
    mail.ask_which(len(mail.steps) - 1, clause, mail.game.say(command))
    return True


def correct(mail: Progress, clause: Clause) -> bool:
    """A command behind `no wait`, `sorry`, `I mean`: asked about, with the latest one that it can replace; neither is played."""
    for at in range(len(mail.steps) - 1, -1, -1):
        step = mail.steps[at]
        reading = mail.read_in_place_of(step, clause)
        if reading is None:
            continue
        text = mail.game.say(reading.command)
        if text == step.command:
            if ANEW.search(clause.fragment):
                return False
            if _FLAT_NO.search(mail.mark) and mail.left and mail.left[-1][1].touches:
                mail.withdraw()  # what replaces it could not be read
                return True
            mail.mark, mail.withdrawn = "", None
            return True
        mail.ask_which(at, clause, text)
        return True
    return False


def say_in_full(mail: Progress, clause: Clause) -> bool:
    """`continue, three flips`: the last command once more, with more of it said."""
    step = mail.steps[-1]
    reading = mail.read_in_place_of(step, clause)
    if reading is None:
        return False
    try:
        replaced = played(mail.who, mail.without_step(step.before), reading.command)
    except Illegal:
        return False
    mail.steps.pop()
    mail.now = replaced
    mail.accept(step.before, clause, mail.game.say(reading.command), reading.is_literal)
    return True


def limits_what_was_said(mail: Progress, clause: Clause) -> bool:
    """`hit, unless he bluffs`: a condition in the same sentence belongs to the command before it."""
    folded = plain(clause.fragment)
    if not mail.steps or not _LIMITS.match(folded):
        return False
    if clause.begins and not folded.startswith(_LIMITS_A_SENTENCE_AGO):
        return False
    last = mail.steps[-1]
    mail.undo_last()
    mail.refuse(clause, CONDITION.format(shortened(last.clause.typed), shortened(clause.typed)))
    return True


def excludes(mail: Progress, clause: Clause, rest: Sequence[Clause]) -> bool:
    """`not 5`, `anything but 13`: a value that somebody does not want, beside another one that they do."""
    found = _EXCLUDING.match(plain(clause.fragment))
    if not found and mail.is_excluding and not clause.begins:
        found = _REST_OF_A_LIST.fullmatch(plain(clause.fragment))
    mail.is_excluding = False
    if not found or not (mail.steps or rest):
        return False
    moves = mail.moves(mail.steps[-1].before.state if mail.steps else mail.now.state)
    value = {each for each in words(found[1]) if each not in frames().neutral}
    if len(value) > 3 or any(map(moves.verb_named, value)):
        return False
    if mail.steps and value & set(mail.steps[-1].command.lower().split()):
        return False
    mail.excluded |= value
    mail.is_excluding = True
    return True


def takes_back(mail: Progress, clause: Clause, unread: Unreadable) -> bool:
    """Does it take back what was said, though it does not say plainly what is wanted in its place?"""
    has_number = any(each.isdigit() for each in clause.fragment)
    if mail.mark:
        return unread.touches or has_number or _FLAT_NO.search(mail.mark) is not None
    return _REGRET.search(clause.fragment) is not None


def completes(mail: Progress, clause: Clause) -> bool:
    """Values on their own that the verb, or the command, before them lacks: `raise`, `by 25`; `bet 7`, `on the dealer`."""
    found = [each for each in words(clause.fragment) if each not in frames().neutral | frames().nouns]
    if not 1 <= len(found) <= 4 or clause.is_question or mail.mark or is_name(clause):
        return False
    if mail.unfinished and not mail.steps:
        text = " ".join((*words(mail.unfinished[-1][0].fragment), *found))
        command = mail.moves(mail.now.state).parsed(text)
        if command is None:
            return False
        before = mail.unfinished.pop()[0]
        whole = replace(clause, typed=f"{before.typed} {clause.typed}")
        return play(mail, whole, Reading(command, is_literal=False), mail.game.say(command))
    if not mail.steps:
        return False
    step = mail.steps[-1]
    if step.command.split()[0] in mail.game.text_verbs:
        return False
    command = mail.moves(step.before.state).parsed(" ".join((step.command, *found)))
    if command is None or mail.game.say(command) == step.command or step.is_ahead:
        return False
    try:
        mail.now = played(mail.who, mail.without_step(step.before), command)
    except Illegal:
        return False
    mail.steps.pop()
    whole = replace(clause, typed=f"{step.clause.typed} {clause.typed}")
    mail.accept(step.before, whole, mail.game.say(command), is_literal=False)
    return True


def note_in_its_place(mail: Progress, clause: Clause) -> None:
    """`pass. No wait, keep it`: the command that may stand for what could not be read is offered first.

    Where it answers what the last command did (`draw, ach nein, keep`), that is not played either.
    """
    again = mail.read_in_place_of(mail.steps[-1], clause) if mail.is_unread and mail.steps else None
    if again is not None and answers(mail.who, mail.steps[-1].before.state, again.command):
        mail.ask_which(len(mail.steps) - 1, clause, mail.game.say(again.command))
        return
    if not (clause.mark and mail.is_unread and mail.now.refused):
        return
    try:
        reading = read_clause(clause, mail.moves(mail.now.state))
    except (Unreadable, Refusal):
        return
    readings = (mail.game.say(reading.command), *mail.now.refused.readings)
    mail.now = replace(mail.now, refused=replace(mail.now.refused, readings=readings))


def is_bare_denial(clause: Clause) -> bool:
    """`But I won't.`: a no to what was said before it, and nothing else."""
    said = tokens(clause.fragment)
    is_no = not (frames().negations - _NO_THING).isdisjoint(said) or any(each.endswith("n't") for each in said)
    idle = frames().neutral | frames().negations | FILLERS | {"but"}
    return is_no and all(each in idle or not each.isalnum() for each in said if "'" not in each)
