"""Pure: the grammar of Champion Poker. In: a fragment of what somebody wrote, the state, the seat. Out: a `Command`."""

from dataclasses import dataclass

from host.game import Choice, Question
from host.games.champion_poker.state import State, largest_bet, smallest_wager
from host.grammar import number, words
from host.vocabulary import Verb, Vocabulary

_NOUNS = frozenset("on chips chip dollars each per spot hand bonus blind with".split())
_SIDES = {"player": "player", "player's": "player", "players": "player", "dealer": "dealer", "dealer's": "dealer"}


@dataclass(frozen=True)
class Command:
    """One command: a verb, and for a bet its amount and the side of its Blind (empty without one)."""

    verb: str
    number: int | None = None
    side: str = ""


VOCABULARY = Vocabulary(
    (
        Verb("bet", "bet and a whole number of chips", ("wager", "stake", "put", "risk", "place"), takes_value=True),
        Verb(
            "sit",
            "the word sit",
            ("sit out", "sit it out", "sit hand out", "sitting out", "sit 1 out", "skip", "skip hand", "no bet"),
            meanings={"bet": ("pass", "out", "nothing", "fold")},
        ),
        Verb(
            "play",
            "the word play",
            ("play it", "play hand", "playing", "stay in"),
            meanings={"play": ("yes", "call", "in", "stay")},
        ),
        Verb(
            "fold",
            "the word fold",
            ("fold it", "fold hand", "folding", "fold cards", "muck"),
            meanings={"play": ("no", "out", "pass")},
        ),
        Verb(
            "raise",
            "the word raise",
            ("raise it", "raising"),
            meanings={"raise": ("yes", "more", "double", "up", "bet")},
        ),
        Verb(
            "check",
            "the word check",
            ("check it", "checking", "no raise"),
            meanings={"raise": ("no", "pass", "stay", "knock")},
        ),
        Verb("resign", "the word resign"),
    )
)


def split(line: str) -> tuple[str, ...]:
    """The fragments of a line, each a command of its own."""
    return VOCABULARY.split(
        line, lambda found: all(number(each) is not None or each in _NOUNS or each in _SIDES for each in found)
    )


def parse(fragment: str, state: State, seat: int) -> Command:
    """The command in one fragment. Raises `Invalid` where there is none; a bare number is a bet where one is asked for."""
    found = VOCABULARY.read(fragment, state.phase)
    if found and found.verb != "bet":
        return Command(found.verb)
    rest = found.rest if found else words(fragment) if state.phase == "bet" else ()
    sides = {_SIDES[each] for each in rest if each in _SIDES}
    values = [number(each) for each in rest if each not in _NOUNS and each not in _SIDES]
    if len(values) != 1 or values[0] is None or len(sides) > 1:
        raise VOCABULARY.refuse(fragment)
    return Command("bet", values[0], "".join(sides))


def say(command: Command) -> str:
    """A command in canonical words."""
    value = "" if command.number is None else f" {command.number}"
    return f"{command.verb}{value} {command.side}".strip()


def choices(state: State, question: Question) -> tuple[Choice, ...]:
    """What may be answered, one at least for every kind of legal move, fit for a link."""
    seat = question.seat
    blind = state.wagers[seat].blind
    if question.phase == "play":
        return (
            Choice(("play",), f"Play for {blind} more", "the word play", "play"),
            Choice(("fold",), "Fold", "the word fold", "fold"),
        )
    if question.phase == "raise":
        return (
            Choice(("raise",), f"Raise by {blind}", "the word raise", "raise"),
            Choice(("check",), "Check", "the word check", "check"),
        )
    return (*_bets(state, seat), Choice(("sit",), "Sit this hand out", "the word sit", "sit"))


def _bets(state: State, seat: int) -> tuple[Choice, ...]:
    options = state.options
    if options.version == 2:
        usage = f"the word bet and a number from {options.min_bet} to {largest_bet(state, seat, True)}"
        return tuple(
            Choice((f"bet {size}",), f"Bet {size} and {size}", usage, "bet") for size in _sizes(state, seat, True)
        )
    usage = f"the word bet and a number from {options.min_bet} to {largest_bet(state, seat, False)}"
    found = [Choice((f"bet {size}",), f"Bet {size}, no Blind", usage, "bet") for size in _sizes(state, seat, False)]
    if state.bankrolls[seat] >= 2 * smallest_wager(options):
        for side in ("player", "dealer"):
            most = largest_bet(state, seat, True)
            words_for_it = f"the word bet, a number from {options.min_bet} to {most}, and the word {side}"
            found += [
                Choice((f"bet {size} {side}",), f"Bet {size} and {size} on the {side}", words_for_it, f"bet {side}")
                for size in _sizes(state, seat, True)
            ]
    return tuple(found)


def _sizes(state: State, seat: int, is_double: bool) -> tuple[int, ...]:
    """The least, a middle and the largest bet."""
    least, most = state.options.min_bet, largest_bet(state, seat, is_double)
    return tuple(dict.fromkeys((least, (least + most) // 2, most)))


def ahead(state: State, seat: int) -> tuple[Choice, ...]:
    """What can be settled before it is asked."""
    if state.phase == "over" or seat in state.asked or state.gone[seat] or state.broke[seat]:
        return ()
    if state.phase == "play" and state.wagers[seat].play:
        return (
            Choice(("check",), "Check", "the word check", "check"),
            Choice(("raise",), "Raise", "the word raise", "raise"),
        )
    least = state.options.min_bet
    if state.phase == "bet" or state.hand == state.options.hands:
        return ()
    return (Choice((f"bet {least}",), f"Bet {least} in the next hand", "the word bet and a number", "bet"),)
