"""Pure: the grammar of Split Decision. It reads as a `Command` what somebody at a seat wrote in a state of play.

What stands behind `answer` and `ask` is text to the end of its line and keeps its letters as they are.

`VOCABULARY` is the table of verbs; `links` has what is offered to tap.
"""

import re

from host.engine.game import HOST, Entry, Invalid
from host.engine.grammar import AtTable, tokens, words
from host.engine.vocabulary import Command, Vocabulary
from host.engine.words import pattern
from host.games.split_decision.commands.links import AT_ONCE, ahead, choices
from host.games.split_decision.state import CODES, State, bet_limits, to_try

__all__ = ["VOCABULARY", "ahead", "at_hand", "choices", "entry_in", "parse", "prompt", "split"]

LONGEST_TEXT = 1000
_BETTING = pattern(r"^\W*(?:(?:i|i'll|i'd|please|ok)\s+)*(?:bet|wager|risk|stake|\$?\d)", re.IGNORECASE)
_ACE = pattern(
    r"\ba\b(?=\W*(?:please\W*)?$|\W+(?:high|low|and|ace|king|queen|jack|ten|[akqjt2-9]|10)\b)", re.IGNORECASE
)
"""An `a` that is no article but an ace: at the end of a bet, or before another rank."""
_TEXT = pattern(r"\s*(answer|ask)(?![a-z])[ \t]*[:]?[ \t]*(.*)", re.IGNORECASE | re.DOTALL)
_LONE_TEXT_VERB = pattern(r"(?:answer|ask)\s*:?", re.IGNORECASE)
"""Its text stands on the next line, as where somebody typed below what a link had filled in."""
_STRENGTH = "23456789TJQKA"
VOCABULARY = Vocabulary("host.games.split_decision")


def split(line: str) -> tuple[str, ...]:
    """The fragments of a mail's lines, each a command of its own; a line of text stays whole."""
    parts: list[str] = []
    plain: list[str] = []
    for each in line.split("\n"):
        if each.strip() and not plain and parts and _LONE_TEXT_VERB.fullmatch(parts[-1]):
            parts[-1] = f"{parts[-1]} {each.strip()}"
        elif _TEXT.match(each):
            parts.extend(VOCABULARY.split("\n".join(plain)))
            parts.append(each.strip())
            plain = []
        else:
            plain.append(each if len(VOCABULARY.split(each)) < 2 else _with_aces(each))
    return (*parts, *VOCABULARY.split("\n".join(plain)))


def _with_aces(text: str) -> str:
    return _ACE.sub("ace", text) if _BETTING.match(text) else text


def parse(fragment: str, state: State, seat: int) -> Command:
    """The command in one fragment. Raises `Invalid` where there is none; bare numbers, suits mean what is asked now."""
    text = _TEXT.match(fragment)
    if text and len(fragment) <= LONGEST_TEXT:
        return _with_text(text[1].lower(), " ".join(text[2].split()))
    fragment = _with_aces(fragment)
    at = AtTable(values={"least": bet_limits(state)[0]} if state.phase == "bet" else {})
    phase = "host" if seat == HOST else state.phase
    command = VOCABULARY.parse(fragment, phase, at, at_hand(state, seat))
    if command.verb == "codes" and command.word:
        return Command("codes", ("random",))
    count = {"codes": CODES, "choose": AT_ONCE}.get(command.verb, 0)
    if count and len(command.numbers) != count and command.verb not in words(fragment):
        raise VOCABULARY.refuse(fragment)
    if command.verb == "bet" and not {"between", "from", "to"}.isdisjoint(tokens(fragment)):
        return _from_above(command)
    return command


def _from_above(bet: Command) -> Command:
    """`500 from 4 to K`: the lower end of a range may come first; an ace is either."""
    amount, high, low = bet.values
    is_rising = "A" not in (high, low) and _STRENGTH.index(str(high)) < _STRENGTH.index(str(low))
    return Command("bet", (amount, low, high)) if is_rising else bet


def _with_text(verb: str, text: str) -> Command:
    if verb == "answer":
        if not text:
            raise Invalid("Write your answer behind the word answer.")
        return Command("answer", (text,))
    entry = entry_in(text)
    if entry is None:
        raise Invalid("A question is: ask PROMPT = ANSWER, with | between several answers that are right.")
    return Command("ask", (f"{entry.ask} = {' | '.join(entry.answers)}",))


def entry_in(text: str) -> Entry | None:
    """The question and its answers in `PROMPT = ANSWER | ANSWER`; None where there is no equals sign."""
    prompt, divider, answers = text.rpartition("=")
    return Entry(prompt.strip(), tuple(each.strip() for each in answers.split("|"))) if divider else None


def at_hand(state: State, seat: int) -> tuple[str, ...]:
    """The card that is turned up for somebody to place, keep or refuse."""
    is_seen = state.phase in ("free-ace", "head-start", "free-look", "peek", "place")
    return (state.card,) if state.card and is_seen else ()


def prompt(state: State, seat: int) -> str:
    """The question that somebody has a try at, or will have one."""
    is_open = state.phase in ("question", "judging") and seat in to_try(state) and state.question
    return state.question.ask if is_open and state.question else ""
