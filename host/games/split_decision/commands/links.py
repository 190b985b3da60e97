"""Pure: the choices that links of Split Decision offer in a state."""

from host.engine.cards import SUIT_NAMES, SUITS, face
from host.engine.game import Choice, Question
from host.engine.vocabulary import one_word, with_value
from host.games.split_decision.state import (
    CODES,
    COLOURS,
    DEVIL,
    PLACES,
    State,
    bet_limits,
    fitting,
    in_round,
    rank_as,
    to_try,
)

AT_ONCE = 4
"""Places that are opened of the fifteen."""


def choices(state: State, question: Question) -> tuple[Choice, ...]:
    """Offers at least one answer for every kind of legal move, fit for a link."""
    seat = question.seat
    match question.phase:
        case "setup":
            return _setup_choices(state, seat)
        case "question":
            return (
                Choice(("answer ",), "Answer", "the word answer and your answer", "answer", text="I do not know"),
                one_word("skip", "Skip this question"),
            )
        case "judging":
            return (one_word("right"), one_word("wrong"))
        case "ask":
            usage = "the word ask, the question, an equals sign, and the answers that are right with | between them"
            return (Choice(("ask ",), "Ask a question", usage, "ask", text="How many sides has a cube? = six | 6"),)
        case "no-peek":
            return _no_peek_choices(state, seat)
        case "choose" | "bet" | "suit":
            return _bonus_choices(state)
        case _:
            return _card_choices(state, seat)


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


def _no_peek_choices(state: State, seat: int) -> tuple[Choice, ...]:
    others = [COLOURS[each] for each in in_round(state) if each != seat]
    passes = (with_value("pass", colour, f"Pass it to {colour}", "the word pass and a colour") for colour in others)
    return (one_word("keep", "Keep it unseen"), *passes)


def _bonus_choices(state: State) -> tuple[Choice, ...]:
    if state.phase == "choose":
        usage = f"the word choose and four different places from 1 to {PLACES}"
        fours = [[(place + step) % PLACES + 1 for step in range(AT_ONCE)] for place in range(PLACES)]
        return tuple(
            with_value("choose", " ".join(map(str, four)), f"Open {', '.join(map(str, four))}", usage, str(four[0]))
            for four in fours
        )
    if state.phase == "suit":
        usage, closed = "the word suit and c, d, h or s", [suit for suit in SUITS if suit not in state.opened]
        return tuple(with_value("suit", suit, SUIT_NAMES[suit].capitalize(), usage, suit) for suit in closed)
    least, most, step = bet_limits(state)
    high, low = widest(state)
    usage = f"the word bet, an amount from {least} to {most} in steps of {step}, the high card and the low card"
    amounts = dict.fromkeys((least, (least + most) // (2 * step) * step, most))
    return tuple(
        with_value("bet", f"{amount} {high} {low}", f"Bet ${amount:,} on {spoken(high)} and {spoken(low)}", usage)
        for amount in amounts
        if amount >= least
    )


def widest(state: State) -> tuple[str, str]:
    """The two of the shown cards that are furthest apart."""
    ranks = [rank for rank in state.shown if rank != DEVIL]
    high = max(ranks, key=lambda rank: rank_as(rank, "high"))
    ranks.remove(high)
    return high, min(ranks, key=lambda rank: rank_as(rank, "low"))


def spoken(rank: str) -> str:
    """A rank as people read it."""
    return "10" if rank == "T" else rank


def ahead(state: State, seat: int) -> tuple[Choice, ...]:
    """Offers what can be settled before it is asked: an answer, before it is one's try."""
    if state.phase not in ("question", "judging") or seat not in to_try(state) or seat == state.actor:
        return ()
    usage = "the word answer and then yours, which counts if the question comes to you"
    return (Choice(("answer ",), "Answer", usage, "answer", text="I do not know"),)
