"""Pure: the grammar of The Game of Champions. In: a fragment of what somebody wrote, the state, the seat. Out: a `Command`."""

from dataclasses import dataclass
from itertools import product

from host.cards import RANK_NAMES, SUIT_NAMES, Card, face, read_cards
from host.chance import Chance
from host.game import Choice, Question
from host.games.game_of_champions.state import (
    MOST_MOVES,
    THROWS,
    Battalion,
    State,
    battalions,
    has_advantage,
    is_face,
    other,
    strength,
)
from host.grammar import number, tokens, words
from host.vocabulary import Found, Phrase, Verb, Vocabulary

THROWS_IN_A_LINK = 10
ATTACKS_OFFERED = 6
_NOUNS = frozenset("on under onto to into behind card cards it commander the my battalion".split())
_THROW_OF = {each: each for each in THROWS} | {
    "r": "rock",
    "p": "paper",
    "s": "scissors",
    "stone": "rock",
    "scissor": "scissors",
}
_CARD_WORDS = (
    frozenset(RANK_NAMES.values())
    | frozenset(SUIT_NAMES.values())
    | frozenset(name[:-1] for name in SUIT_NAMES.values())
    | frozenset("of j q k a".split())
    | _NOUNS
)


@dataclass(frozen=True)
class Command:
    """One command: a verb, and the cards, throws, number or word (`continue all`) it takes."""

    verb: str
    cards: tuple[Card, ...] = ()
    throws: tuple[str, ...] = ()
    number: int | None = None
    word: str = ""


VOCABULARY = Vocabulary(
    (
        Verb(
            "throw",
            "throw and rock, paper or scissors, as many as you like",
            ("throws", "queue", "shoot"),
            takes_value=True,
        ),
        Verb(
            "deploy",
            "deploy, and each face card with its number cards after it",
            ("deployment", "put"),
            takes_value=True,
        ),
        Verb(
            "place",
            "place and one of your commanders",
            ("put it", "put", "add it", "lay it", "give it"),
            takes_value=True,
        ),
        Verb("general", "general, and each card with the commander it goes to", ("move",), takes_value=True),
        Verb("spy", "spy and two number cards of your opponent", ("swap", "exchange"), takes_value=True),
        Verb(
            "trade",
            "trade and a commander of yours without cards",
            ("trade in", "turn in", "discard"),
            takes_value=True,
        ),
        Verb("attack", "attack, your commander, then theirs", ("battle", "fight"), takes_value=True),
        Verb("fortify", "the word fortify", ("fortify again", "draw", "reinforce")),
        Verb("hold", "the word hold", meanings={"turn": ("pass", "wait", "stay")}),
        Verb(
            "order",
            "order and all your cards of the battalion, first to fight first",
            ("my order", "fight in order"),
            takes_value=True,
        ),
        Verb(
            "continue",
            "continue, continue and a number, or continue all",
            ("go on", "carry on", "keep fighting", "fight on", "flip"),
            takes_value=True,
            meanings={"battle": ("yes", "go", "next", "more")},
        ),
        Verb("stop", "the word stop", ("stop it", "break off", "retreat", "enough"), meanings={"battle": ("no",)}),
        Verb("resign", "the word resign"),
    )
)


def split(line: str) -> tuple[str, ...]:
    """The fragments of a line, each a command of its own; cards and throws belong to the verb before them."""
    return VOCABULARY.split(line, _is_value)


def _is_value(found: Phrase) -> bool:
    return all(
        each in _CARD_WORDS or each in _THROW_OF or number(each) is not None or read_cards((each,)) is not None
        for each in found
    )


def parse(fragment: str, state: State, seat: int) -> Command:
    """The command in one fragment. Raises `Invalid` where there is none; bare cards or throws mean what is asked now."""
    found = VOCABULARY.read(fragment, state.phase)
    command = _built(found, fragment) if found else _bare(fragment, state)
    if command is None:
        raise VOCABULARY.refuse(fragment)
    return command


def _built(found: Found, fragment: str) -> Command | None:
    match found.verb:
        case "throw":
            return _throws(found.rest)
        case "continue":
            return _continue(found.rest)
        case "fortify" | "hold" | "stop" | "resign":
            return Command(found.verb)
    cards = _cards(found.rest)
    if not cards:
        return None
    if found.verb == "attack" and len(cards) == 2 and "with" in tokens(fragment):
        cards = (cards[1], cards[0])
    return Command(found.verb, cards=cards)


def _bare(fragment: str, state: State) -> Command | None:
    found = words(fragment)
    throws = _throws(found)
    if throws and (state.phase == "roshambo" or all(each in THROWS for each in found)):
        return throws
    verb = {"deploy": "deploy", "place": "place", "order": "order"}.get(state.phase)
    cards = _cards(found) if verb else None
    return Command(verb, cards=cards) if verb and cards else None


def _throws(rest: Phrase) -> Command | None:
    throws = tuple(_THROW_OF.get(each, "") for each in rest)
    return Command("throw", throws=throws) if throws and all(throws) else None


def _cards(rest: Phrase) -> tuple[Card, ...] | None:
    return read_cards([each for each in rest if each not in _NOUNS])


def _continue(rest: Phrase) -> Command | None:
    text = " ".join(each for each in rest if each not in ("flips", "flip", "more", "battle", "times", "cards"))
    if not text:
        return Command("continue")
    if text in ("all", "to end", "until end", "everything", "all way"):
        return Command("continue", word="all")
    value = number(text)
    return None if value is None else Command("continue", number=value)


def say(command: Command) -> str:
    """A command in canonical words."""
    value = command.word or ("" if command.number is None else str(command.number))
    return " ".join((command.verb, *command.cards, *command.throws, *([value] if value else [])))


def choices(state: State, question: Question) -> tuple[Choice, ...]:
    """What may be answered, one at least for every kind of legal move, fit for a link."""
    return _CHOICES[question.phase](state, question.seat)


def _throw_choices(state: State, seat: int) -> tuple[Choice, ...]:
    stream = Chance(bytes.fromhex(state.salt)).stream(f"{state.matches}:{seat}")
    ten = " ".join(THROWS[stream.below(len(THROWS))] for _ in range(THROWS_IN_A_LINK))
    usage = "the word throw and rock, paper or scissors, as many as you like: they are used one a match"
    singles = tuple(Choice((f"throw {each}",), f"Throw {each}", usage, "throw") for each in THROWS)
    return (*singles, Choice((f"throw {ten}",), "Throw ten at random", usage, "throw"))


def _deploy_choices(state: State, seat: int) -> tuple[Choice, ...]:
    hand = state.hands[seat]
    usage = "the word deploy, and each face card with the number cards behind it that it commands"
    faces = sorted((card for card in hand if is_face(card)), key=lambda card: "KAQJ".index(card[0]))
    numbers = sorted((card for card in hand if not is_face(card)), key=strength, reverse=True)
    spreads = {"Spread over all": faces, "Two strong battalions": faces[:2], "Three battalions": faces[:3]}
    found: dict[str, str] = {}
    for label, commanders in spreads.items():
        groups = [[commander, *numbers[at :: len(commanders)]] for at, commander in enumerate(commanders)]
        found.setdefault("deploy " + " ".join(card for group in groups for card in group), label)
    return tuple(Choice((text,), label, usage, "deploy") for text, label in found.items())


def _place_choices(state: State, seat: int) -> tuple[Choice, ...]:
    usage = "the word place and one of your commanders"
    return tuple(
        Choice((f"place {each.commander}",), f"Place under {face(each.commander)}", usage, "place")
        for each in state.army[seat]
    )


def _turn_choices(state: State, seat: int) -> tuple[Choice, ...]:
    rest = (
        Choice(("fortify",), "Fortify again", "the word fortify", "fortify")
        if state.reserve
        else Choice(("hold",), "Hold", "the word hold", "hold")
    )
    return (*_attacks(state, seat), rest, *_advantages(state, seat), *_trades(state, seat))


def _attacks(state: State, seat: int) -> tuple[Choice, ...]:
    usage = "the word attack, your commander, then theirs"
    mine = sorted(battalions(state, seat), key=_power, reverse=True)
    theirs = sorted(battalions(state, other(seat)), key=_power)
    pairs = sorted(product(range(len(mine)), range(len(theirs))), key=sum)[:ATTACKS_OFFERED]
    return tuple(
        Choice(
            (f"attack {mine[my].commander} {theirs[their].commander}",),
            f"{face(mine[my].commander)} attacks {face(theirs[their].commander)}",
            usage,
            "attack",
        )
        for my, their in pairs
    )


def _power(found: Battalion) -> int:
    return sum(strength(card) for card in found.cards)


def _advantages(state: State, seat: int) -> tuple[Choice, ...]:
    found: list[Choice] = []
    army = state.army[seat]
    if has_advantage(state, seat, "K") and len(army) > 1:
        king = next(each for each in battalions(state, seat) if each.commander[0] == "K")
        home = max(battalions(state, seat), key=lambda each: (len(each.cards), each != king))
        target = next(each for each in army if each != home)
        card = max(home.cards, key=strength)
        usage = "the word general, a number card of yours and the commander it goes to, up to three such pairs"
        label = f"General: {face(card)} to {face(target.commander)}"
        found.append(Choice((f"general {card} {target.commander}",), label, usage, "general"))
    theirs = battalions(state, other(seat))
    if has_advantage(state, seat, "A") and len(theirs) > 1:
        strongest = max(theirs[0].cards, key=strength)
        weakest = min(theirs[1].cards, key=strength)
        usage = "the word spy and two number cards of your opponent in two battalions"
        label = f"Spy: swap {face(strongest)} and {face(weakest)}"
        found.append(Choice((f"spy {strongest} {weakest}",), label, usage, "spy"))
    return tuple(found)


def _trades(state: State, seat: int) -> tuple[Choice, ...]:
    if not state.reserve:
        return ()
    usage = "the word trade and a commander of yours without cards"
    bare = [each.commander for each in state.army[seat] if not each.cards]
    return tuple(Choice((f"trade {card}",), f"Trade in {face(card)}", usage, "trade") for card in bare[:MOST_MOVES])


def _order_choices(state: State, seat: int) -> tuple[Choice, ...]:
    battle = state.battle
    commander = "" if battle is None else battle.attacker if seat == state.turn else battle.defender
    cards = next((each.cards for each in state.army[seat] if each.commander == commander), ())
    usage = "the word order and all number cards of the battalion, first to fight first"
    orders = {
        "Strongest first": sorted(cards, key=strength, reverse=True),
        "Weakest first": sorted(cards, key=strength),
    }
    found: dict[str, str] = {}
    for label, order in orders.items():
        found.setdefault(f"order {' '.join(order)}", label)
    return tuple(Choice((text,), label, usage, "order") for text, label in found.items())


def _battle_choices(state: State, seat: int) -> tuple[Choice, ...]:
    return (
        Choice(("continue all",), "Fight to the end", "the words continue all", "continue all"),
        Choice(("continue",), "One more flip", "the word continue, and a number for so many flips", "continue"),
        Choice(("stop",), "Stop the battle", "the word stop", "stop"),
    )


_CHOICES = {
    "roshambo": _throw_choices,
    "deploy": _deploy_choices,
    "place": _place_choices,
    "turn": _turn_choices,
    "order": _order_choices,
    "battle": _battle_choices,
}


def ahead(state: State, seat: int) -> tuple[Choice, ...]:
    """What can be settled before it is asked: how a battle goes on, while the other side orders its cards."""
    battle = state.battle
    if state.phase != "order" or battle is None or state.turn != seat or battle.orders[0] is None:
        return ()
    return (Choice(("continue all",), "Fight to the end", "the words continue all", "continue all"),)
