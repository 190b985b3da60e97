"""Pure: the grammar of Bluffjack. In: a fragment of what somebody wrote, the state, the seat. Out: a `Command`."""

import re
from dataclasses import dataclass

from host.game import Choice, Question
from host.games.bluffjack.state import State, ante_of, missing, to_call
from host.grammar import number, plain, words
from host.vocabulary import Verb, Vocabulary

_ALL = frozenset({"all", "all in", "everything", "all chips", "all i have", "it all", "max"})
_TO_A_NUMBER = re.compile(r"\bto\s+\S*\d")


@dataclass(frozen=True)
class Command:
    """One command: a verb, and for a raise an amount on top of the call, or the word `all`."""

    verb: str
    number: int | None = None
    word: str = ""


VOCABULARY = Vocabulary(
    (
        Verb(
            "fold",
            "the word fold",
            ("fold hand", "fold cards", "fold it", "drop out", "muck", "i fold", "folding", "out"),
        ),
        Verb(
            "call",
            "the word call",
            ("call it", "call bet", "call that", "match", "match it", "match bet", "see", "see it", "calling"),
        ),
        Verb("check", "the word check", ("check it", "checking", "knock"), meanings={"bet": ("pass",)}),
        Verb(
            "raise",
            "raise and a whole number of chips, or raise all",
            (
                "raise by",
                "raise it",
                "raise it by",
                "raise bet",
                "raise bet by",
                "bet",
                "bump",
                "bump it",
                "up",
                "up it",
            ),
            takes_value=True,
        ),
        Verb(
            "hit",
            "the word hit",
            (
                "hit it",
                "another",
                "another card",
                "1 more",
                "1 more card",
                "more",
                "next card",
                "card",
                "draw",
                "draw card",
            ),
            meanings={"card": ("yes", "take card", "take another", "take 1", "deal", "go on", "continue")},
        ),
        Verb(
            "stand",
            "the word stand",
            (
                "stay",
                "stick",
                "stand pat",
                "hold",
                "no more",
                "no more cards",
                "no card",
                "enough",
                "standing",
                "staying",
            ),
            meanings={"card": ("no", "stop", "done", "no thanks", "keep", "keep it", "pass", "freeze")},
        ),
        Verb("resign", "the word resign"),
    )
)


def split(line: str) -> tuple[str, ...]:
    """The fragments of a line, each a command of its own."""
    return VOCABULARY.split(
        line, lambda found: all(number(each) is not None or each in ("all", "in", "chips") for each in found)
    )


def parse(fragment: str, state: State, seat: int) -> Command:
    """The command in one fragment. Raises `Invalid` where there is none."""
    found = VOCABULARY.read(fragment, state.phase)
    if found is None:
        if state.phase == "bet" and " ".join(words(fragment)) in ("all in", "all-in"):
            return Command("raise", word="all")
        raise VOCABULARY.refuse(fragment)
    if found.verb != "raise":
        return Command(found.verb)
    if " ".join(found.rest) in _ALL:
        return Command("raise", word="all")
    values = [each for each in found.rest if each not in ("chips", "chip", "more", "another", "it")]
    amount = number(values[0]) if len(values) == 1 else None
    if amount is None or _TO_A_NUMBER.search(plain(fragment)):
        raise VOCABULARY.refuse(fragment)
    return Command("raise", amount)


def say(command: Command) -> str:
    """A command in canonical words."""
    value = command.word or ("" if command.number is None else str(command.number))
    return f"{command.verb} {value}".strip()


def choices(state: State, question: Question) -> tuple[Choice, ...]:
    """What may be answered, one at least for every kind of legal move, fit for a link."""
    if question.phase == "card":
        return (
            Choice(("hit",), "Hit", "the word hit", "hit"),
            Choice(("stand",), "Stand", "the word stand", "stand"),
        )
    seat = question.seat
    cost = to_call(state, seat)
    if cost:
        label = f"Call {cost}" if cost < state.chips[seat] else f"Call with all {cost}"
        first = Choice(("call",), label, "the word call", "call")
    else:
        first = Choice(("check",), "Check", "the word check", "check")
    return (first, *_raises(state, seat), Choice(("fold",), "Fold", "the word fold", "fold"))


def _raises(state: State, seat: int) -> tuple[Choice, ...]:
    spare = state.chips[seat] - missing(state, seat)
    ante = ante_of(state)
    usage = f"the word raise and a whole number from {ante} to {spare}"
    sizes = dict.fromkeys(size for size in (ante, 2 * ante, max(state.in_pot) // ante * ante) if ante <= size < spare)
    found = [Choice((f"raise {size}",), f"Raise by {size}", usage, "raise") for size in sizes]
    if spare > 0:
        found.append(Choice(("raise all",), f"Raise all-in (by {spare})", "the words raise all", "raise all"))
    return tuple(found)


def ahead(state: State, seat: int) -> tuple[Choice, ...]:
    """What can be settled before it is asked: the next turn of this hand."""
    if state.phase == "over" or not state.dealt[seat] or state.folded[seat] or state.turn == seat:
        return ()
    if state.phase == "card":
        return (
            ()
            if state.standing[seat]
            else (
                Choice(("stand",), "Stand", "the word stand", "stand"),
                Choice(("hit",), "Hit", "the word hit", "hit"),
            )
        )
    return (
        Choice(("call",), "Call whatever it is", "the word call", "call"),
        Choice(("fold",), "Fold", "the word fold", "fold"),
    )
