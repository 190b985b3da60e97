"""Pure: the grammar of Split Decision: a line becomes a `Command`, a question the choices that links offer.

What stands behind `answer` and `ask` is text to the end of its line and keeps its letters as they are.
"""

import re
from dataclasses import replace

from host.engine.cards import SUIT_NAMES, SUITS, face
from host.engine.game import HOST, Choice, Entry, Invalid, MoreThanOne, Question
from host.engine.grammar import LONG_RANKS, AtTable, Phrase, number, tokens, words
from host.engine.vocabulary import Command, Vocabulary, one_word, with_orders, with_value
from host.engine.words import pattern, plain
from host.games.split_decision.guesses import series
from host.games.split_decision.state import (
    CODES,
    COLOURS,
    DEVIL,
    HIGHEST_CODE,
    PLACES,
    State,
    bet_limits,
    fitting,
    in_round,
    rank_as,
    to_try,
)

LONGEST_TEXT = 1000
_BETTING = pattern(r"^\W*(?:(?:i|i'll|i'd|please|ok)\s+)*(?:bet|wager|risk|stake|\$?\d)", re.IGNORECASE)
_ACE = pattern(
    r"\ba\b(?=\W*(?:please\W*)?$|\W+(?:high|low|and|ace|king|queen|jack|ten|[akqjt2-9]|10)\b)", re.IGNORECASE
)
"""An `a` that is no article but an ace: at the end of a bet, or before another rank."""
_TEXT = pattern(r"\s*(answer|ask)(?![a-z])[ \t]*[:]?[ \t]*(.*)", re.IGNORECASE | re.DOTALL)
_LONE_TEXT_VERB = pattern(r"(?:answer|ask)\s*:?", re.IGNORECASE)
"""Its text stands on the next line, as where somebody typed below what a link had filled in."""
AT_ONCE = 4
"""Places that are opened of the fifteen."""
_KEEPS_THIS = pattern(r"\bkeep(?:ing|s)?\b.{0,20}\b(?:it|this|that|card|him|her|chips?)\b(?!.{0,20}\b(?:high|low)\b)")
"""So one keeps the open card, or chips, and no card of later that nobody has seen."""
_STRENGTH = "23456789TJQKA"
_HIGH = frozenset("high higher highest top upper above over".split())
_LOW = frozenset("low lower lowest bottom below under beneath".split())
"""Words that say which card of a bet is which."""
_SOME_PLACES = pattern(
    r"\b(first|last) (?:four|4)\b(?: (?:places|spaces|numbers|cards|ones))?(?: (?:in|of) (?:the|that) (?:row|line))?",
    re.IGNORECASE,
)
_CHAIN = pattern(r"(?<![-–/.\d])\d{1,2}(?: ?[-–/.] ?\d{1,2}){3}(?![-–/.]?\d)")
"""Four numbers, whatever joins them."""
_AT_AN_END = {"first": "1 2 3 4", "last": "12 13 14 15"}
_AS_A_SIDE = pattern(
    rf"(?:, ?)?(?:\b(?:with|and|the) ){{0,3}}\b({'|'.join(LONG_RANKS)}|a)"
    r" (?:as|being|for|is) (?:the |my )?(high|top|upper|higher|low|bottom|lower)(?: card| one)?\b",
    re.IGNORECASE,
)
"""`With the ace as the high card`."""
_RANGE = pattern(
    r"(?<![-–\d])(?:from )?(\d{1,2})(?: ?(?:up to|to|through|thru) ?|[-–]| [-–] )(\d{1,3})(?!\d| ?[-–])", re.IGNORECASE
)
"""Numbers from one to another; `1-2-3` is none, nor `6 -7`."""
_STAKE = pattern(r"\b(?:bet|wager|risk|stake|hundred|thousand|dollars)\b|\d{3}|\dk\b", re.IGNORECASE)
_TAKEN = frozenset("it place put take set in there place yes that have want use for 1 the here spot slot".split())
"""Words for placing a card that has one place to go."""
_CUT = pattern(r"\bcut\D{0,20}(\d{1,2})\b")
_ASKED = {"setup": ("codes", CODES, HIGHEST_CODE), "choose": ("choose", AT_ONCE, PLACES)}
"""The verb behind which a phase asks for numbers, how many, and the largest."""
_BY_RANK = "high 10 or more, low 4 or less"
_PLACING, _AT_NO_COST = f"{_BY_RANK}, else discard", f"{_BY_RANK}, else refuse"
"""An order that letters offer."""
VOCABULARY = Vocabulary("host.games.split_decision")


def split(line: str) -> tuple[str, ...]:
    """The fragments of a mail's lines, each a command of its own; a line of text stays whole."""
    parts: list[str] = []
    others: list[str] = []
    for each in line.split("\n"):
        if _STAKE.search(each) and not _TEXT.match(each):
            each = _sided(each)
        if each.strip() and not others and parts and _LONE_TEXT_VERB.fullmatch(parts[-1]):
            parts[-1] = f"{parts[-1]} {each.strip()}"
        elif _TEXT.match(each):
            parts.extend(VOCABULARY.split("\n".join(others)))
            parts.append(each.strip())
            others = []
        else:
            others.append(each if len(VOCABULARY.split(each)) < 2 else _with_aces(each))
    return (*parts, *VOCABULARY.split("\n".join(others)))


def _sided(line: str) -> str:
    """A bet with the side of a card beside its name: `the three and the ace high` for `..., with the ace as the high card`."""
    named = tokens(_AS_A_SIDE.sub(" ", line))
    found = [(rank, side) for rank, side in _AS_A_SIDE.findall(line) if rank.lower() in named]
    line = _AS_A_SIDE.sub(lambda each: " " if each[1].lower() in named else f" {each[1]} {each[2]}", line)
    for rank, side in found:
        line = re.sub(rf"\b{rank}\b", f"{rank} {side}", line, count=1, flags=re.IGNORECASE)
    return line


def _with_aces(text: str) -> str:
    return _ACE.sub("ace", text) if _BETTING.match(text) else text


def parse(fragment: str, state: State, seat: int) -> Command:
    """The command in one fragment. Raises `Invalid` where there is none; bare numbers, suits mean what is asked now."""
    text = _TEXT.match(fragment)
    if text:
        return _with_text(text[1].lower(), " ".join(text[2].split()))
    fragment = _with_aces(fragment)
    if state.phase == "choose":
        fragment = _CHAIN.sub(lambda found: " ".join(re.findall(r"\d+", found[0])), fragment)
        fragment = _SOME_PLACES.sub(lambda found: _AT_AN_END[found[1].lower()], fragment)
    by_rule = _by_rule(fragment, state, is_all=True)
    if by_rule:
        return by_rule
    if state.phase in _ASKED:
        fragment = _RANGE.sub(_in_full, fragment)
    at = AtTable(values={"least": bet_limits(state)[0]} if state.phase == "bet" else {})
    phase = "host" if seat == HOST else state.phase
    side = _only_side(fragment, state, seat)
    if side:
        return Command(side)
    if at_hand(state, seat) and _KEEPS_THIS.search(plain(fragment)):
        raise MoreThanOne("I could not tell which card you would keep.")
    command = VOCABULARY.parse(fragment, phase, at, at_hand(state, seat))
    if command.verb == "codes" and command.word and {CODES}.issuperset(command.numbers):
        return Command("codes", ("random",))
    if command.verb == "codes" and command.word:
        raise VOCABULARY.refuse(fragment)
    count = next((count for verb, count, _ in _ASKED.values() if verb == command.verb), 0)
    if count and len(command.numbers) != count and command.verb not in words(fragment):
        raise VOCABULARY.refuse(fragment)
    if command.verb == "bet" and "ace" in words(fragment) and "A" not in command.values:
        raise VOCABULARY.refuse(fragment)
    if command.verb == "bet":
        return _as_named(command, tokens(fragment))
    return command


def _in_full(spread: re.Match[str]) -> str:
    """The numbers of a range; what goes down stays as it is."""
    first, last = int(spread[1]), int(spread[2])
    return " ".join(map(str, range(first, last + 1))) if first < last else spread[0]


def _only_side(fragment: str, state: State, seat: int) -> str:
    """The one place that an open card can take, where no more is said than that it is taken."""
    sides = fitting(state, seat, state.card) if seat >= 0 and at_hand(state, seat) else ()
    said = set(words(fragment))
    earned = {word for word in said if number(word) is not None}
    is_taken = "chip" not in fragment and bool(said & {"place", "put", "take"}) and said <= _TAKEN | earned
    return sides[0] if len(sides) == 1 and is_taken else ""


def _as_named(bet: Command, said: Phrase) -> Command:
    """A bet whose cards are named in another order than high and low (`3 low, ace high`), or as a range."""
    amount, *ranks = bet.values
    marks = [word for word in said if word in _HIGH | _LOW]
    behind = [at for at, word in enumerate(said) if word in LONG_RANKS]
    is_low = len(marks) == 1 and marks[0] in _LOW
    is_between = is_low and len(behind) >= 2 and behind[0] < said.index(marks[0]) < behind[-1]
    is_canonical = said == tokens(_with_aces(str(bet)))
    is_empty = ranks == ["2", "A"] and not is_canonical and {*marks, "between", "from", "to"}.isdisjoint(said)
    if is_between or is_empty:  # `ace, low two`; `the 2 and the ace`, between which there is nothing
        raise MoreThanOne("I could not tell which of these is the high card.")
    if marks and len(behind) >= 2:
        is_of_first = len(marks) > 1 or said.index(marks[0]) < behind[-1]
        return Command("bet", (amount, *reversed(ranks))) if (marks[0] in _LOW) == is_of_first else bet
    return bet if {"between", "from", "to"}.isdisjoint(said) else _from_above(bet)


def _from_above(bet: Command) -> Command:
    """`500 from 4 to K`: the lower end of a range may come first; an ace that comes second is the upper one."""
    amount, high, low = bet.values
    is_rising = high != "A" and _STRENGTH.index(str(high)) < _STRENGTH.index(str(low))
    return Command("bet", (amount, low, high)) if is_rising else bet


def _with_text(verb: str, text: str) -> Command:
    if verb == "answer":
        if not text:
            raise Invalid("Write your answer behind the word answer.")
        if len(text) > LONGEST_TEXT:
            raise Invalid("An answer has at most a thousand characters.")
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
    is_seen = state.phase in ("free-ace", "head-start", "free-look", "peek", "place", "passed")
    return (state.card,) if state.card and is_seen else ()


def prompt(state: State, seat: int) -> str:
    """The question that somebody has a try at, or will have one."""
    is_open = state.phase in ("question", "judging") and seat in to_try(state) and state.question
    return state.question.ask if is_open and state.question else ""


def guesses(state: State, seat: int, text: str) -> tuple[tuple[Command, ...], ...]:
    """Numbers by a rule, among other words, with the cut behind them."""
    by_rule = _by_rule(text, state)
    cut = _CUT.search(plain(text)) if state.phase == "setup" and seat == 0 and not state.cut else None
    return ((by_rule, *([Command("cut", (int(cut[1]),))] if cut else [])),) if by_rule else ()


def _by_rule(text: str, state: State, is_all: bool = False) -> Command | None:
    """The numbers that are asked for, named by a rule; `is_all` where the text says nothing else."""
    verb, count, most = _ASKED.get(state.phase, ("", 0, 0))
    named = series(text, count, most, is_all) if verb else ()
    return Command(verb, named) if named else None


def choices(state: State, question: Question) -> tuple[Choice, ...]:
    """Offers at least one answer for every kind of legal move, fit for a link."""
    seat = question.seat
    match question.phase:
        case "setup":
            return _setup_choices(state, seat)
        case "question":
            return _tries("the word answer and your answer")
        case "judging":
            return (one_word("right"), one_word("wrong"))
        case "ask":
            usage = "the word ask, the question, an equals sign, and the answers that are right with | between them"
            return (Choice(("ask ",), "Ask a question", usage, "ask", text="How many sides has a cube? = six | 6"),)
        case "no-peek":
            others = [COLOURS[each] for each in in_round(state) if each != seat]
            usage = "the word pass and a colour"
            passes = (with_value("pass", colour, f"Pass it to {colour}", usage) for colour in others)
            return (one_word("keep", "Keep it unseen"), *passes)
        case "choose":
            usage = f"the word choose and four different places from 1 to {PLACES}"
            starts = range(1, PLACES + 1)
            fours = [[str((start + step - 1) % PLACES + 1) for step in range(AT_ONCE)] for start in starts]
            return tuple(
                with_value("choose", " ".join(four), f"Open {', '.join(four)}", usage, spot=four[0]) for four in fours
            )
        case "suit":
            usage, closed = "the word suit and c, d, h or s", [suit for suit in SUITS if suit not in state.opened]
            return tuple(with_value("suit", suit, SUIT_NAMES[suit].capitalize(), usage, suit) for suit in closed)
        case "bet":
            return _bets(state)
        case _:
            return _card_choices(state, seat)


def _tries(usage: str) -> tuple[Choice, ...]:
    answer = Choice(("answer ",), "Answer", usage, "answer", text="I do not know")
    return (answer, one_word("skip", "Skip this question"))


def _setup_choices(state: State, seat: int) -> tuple[Choice, ...]:
    cuts = (13, 27, 40)
    codes_usage = f"the word codes and {CODES} numbers from 1 to 100, or codes random"
    cut_usage = "the word cut and a number from 1 to 53"
    if seat != 0 or state.cut:
        return (with_value("codes", "random", "Thirty random codes", codes_usage),)
    if state.codes[0]:
        return tuple(with_value("cut", each, f"Cut at {each}", cut_usage) for each in cuts)
    both = f"{codes_usage}; and {cut_usage}"
    return tuple(
        Choice(("codes random", f"cut {each}"), f"Random codes, cut at {each}", both, "codes and cut") for each in cuts
    )


def _card_choices(state: State, seat: int) -> tuple[Choice, ...]:
    """An open card: the slots that it fits, and how to be rid of it."""
    card = "ace" if state.phase == "free-ace" else face(state.card)
    found = [one_word(slot, f"Place {card} {slot}") for slot in fitting(state, seat, state.card)]
    if state.phase in ("head-start", "free-look"):
        found.append(one_word("refuse", "Refuse it"))
    elif state.phase in ("peek", "passed") and state.chips[seat]:
        found.append(one_word("discard", "Discard it for a chip"))
    return tuple(found)


def _bets(state: State) -> tuple[Choice, ...]:
    """Bets on the two of the shown cards that are furthest apart."""
    least, most, step = bet_limits(state)
    ranks = [rank for rank in state.shown if rank != DEVIL]
    high = max(ranks, key=lambda rank: rank_as(rank, "high"))
    ranks.remove(high)
    low = min(ranks, key=lambda rank: rank_as(rank, "low"))
    usage = f"the word bet, an amount from {least} to {most} in steps of {step}, the high card and the low card"
    said = f"{high} and {low}".replace("T", "10")
    amounts = dict.fromkeys((least, (least + most) // (2 * step) * step, most))
    return tuple(
        with_value("bet", f"{amount} {high} {low}", f"Bet ${amount:,} on {said}", usage)
        for amount in amounts
        if amount >= least
    )


def ahead(state: State, seat: int) -> tuple[Choice, ...]:
    """Offers what can be settled before it is asked: an answer, before it is one's try."""
    if state.phase not in ("question", "judging") or seat not in to_try(state) or seat == state.actor:
        return ()
    return _tries("the word answer and then yours, which counts if the question comes to you")


def whole(state: State, question: Question) -> tuple[Choice, ...]:
    """Offers an answer with what becomes of the card, codes with a rule for the Head Start, the bonus round by rule."""
    seat = question.seat
    if question.phase == "setup" and not state.codes[seat]:
        said = ("codes random", "cut 27") if seat == 0 and not state.cut else ("codes random",)
        return with_orders(said, "Random codes; place from 10 on high, to 4 low", (_AT_NO_COST, "always keep"))
    if question.phase == "question":
        found = with_orders((), "Answer; place from 10 on high, to 4 low", (_PLACING, "always keep"))
        usage = f"{_PLACING}\nanswer and yours"
        return tuple(
            replace(each, say=(*each.say, "answer "), text="I do not know", type_instead=usage) for each in found
        )
    if question.phase in ("head-start", "free-look", "peek", "passed"):
        rule = _PLACING if question.phase in ("peek", "passed") else _AT_NO_COST
        return with_orders((), "From 10 on high, to 4 low, else not", (rule, "always keep"))
    if question.phase == "choose":
        orders = ("always bet the least", "always any suit", "always open any places")
        return with_orders(
            (choices(state, question)[0].say[0],), "Open four; bet the least by itself, any suit", orders
        )
    return ()
