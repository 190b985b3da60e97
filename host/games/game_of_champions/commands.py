"""Pure: the grammar of The Game of Champions: a line becomes a `Command`, a question the choices that links offer."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise, product

from host.engine.card_groups import spelled_out
from host.engine.cards import RANK_WORDS, Card, aces_named, face, read_card
from host.engine.chance import Chance
from host.engine.game import Choice, Invalid, MoreThanOne, Question, other
from host.engine.grammar import LONG_RANKS, AtTable, Phrase, tokens, words
from host.engine.vocabulary import Command, Vocabulary, one_word, with_orders, with_value
from host.engine.words import AT_END, AT_FRONT, pattern, plain
from host.games.game_of_champions.guesses import A_CARD, deployment, gives_each_once, order, turn
from host.games.game_of_champions.state import (
    THROWS,
    Battalion,
    State,
    asked,
    battalions,
    by_strength,
    fighting,
    has_advantage,
    is_face,
    strength,
)

_FIRST = "First, if you like (each once):"
_ENDS_THE_TURN = "Then one of these, which ends your turn:"
_TO_THE_END = Choice(("continue all",), "Fight to the end", "the words continue all", "continue all")
OFFERED = 6
"""Buttons of a question at most."""
VOCABULARY = Vocabulary("host.games.game_of_champions")
_LINK = pattern(r"(?i)(?<=[cdhs♣♦♥♠])[-–+](?=\w)|(?<=\bvs)\.|(?<=\d)[-–](?=\d)")
"""A sign that joins two cards in a list (`9c-4d`)."""
_OF_SUIT = pattern(r"(?i)\bfrom (?=(?:club|diamond|heart|spade)s?\b)")
_INSIDE = pattern(r"[(\[]([^()\[\]]*)[)\]]")
_THROW = r"\b(?:rock|paper|scissors?|stone)\b"
_IF_TIED = pattern(
    rf"(?i)({_THROW}.{{0,60}}{_THROW}(?: again)?)"
    r",? ?\(?(?:only )?(?:if|when|should)\b"
    r"(?![^,;.!?()]{0,30}(?:\bnot?\b|n't))[^,;.!?()]{0,20}\b(?:equal|ties?|tied|even|draws?|goes on|continues?)\b"
    r"(?: (?:again|some more|that long|on|further))*\)?(?=\W*$)"
)
"""Behind two throws it says when the last of them counts (GC-1)."""
_IF_EQUAL = pattern(
    r"(?i)[,;.\s]\s?(?:and |but )?"
    r"(?:(?:if|should|in case|when)\b(?![^,;.!?]{0,30}(?:\bnot?\b|n't))[^,;.!?]{0,20}|(?:on|for) (?:a|any) |still )"
    r"\b(?:equal|ties?|tied|level|even|same|draw)\b(?: again)?[,:]? (?:then |i throw |i take |the )*"
    rf"(?=(?:again )?{_THROW})"
)
"""What leads to a throw for a tie, which is the next one anyway (GC-1)."""
_ROLES = {"spy": "ace", "general": "king", "lady": "queen", "medic": "queen", "nurse": "queen", "cavalry": "jack"}
"""What commanders do, as letters call it."""
_ROLE = pattern(rf"(?i)(?<=\w )(?:{'|'.join(_ROLES)})\b")
_FROM_TO = pattern(
    r"(?i)(?<=[cdhs♣♦♥♠])(?<!attacks) (?:(?:away )?from|off)(?: (?:the|my))? [\w♣♦♥♠]{1,6}(?: of \w+)? (?:to|onto|over to)\b"
)
"""Where a card is now is said besides where it goes: `8h from Ks to Kh`."""
_TEN = pattern(r"\b10(?=[cdhs]\b)")
_INITIALS = pattern(r"(?i)(?<![\w.])[rps](?:[ ,/\n-]+[rps]){2,}(?![\w.]|\s*\?)")
"""Throws by their first letters: `S R R P`."""
_TIMES = pattern(r"(?i)\b([2-9]) ?x (rock|paper|scissors|stone)\b")
_CHANT = pattern(r"(?i)\brock\W+paper\W+scissors\W+(?:shoot|go|and go|on three)\b")
"""What is called out before a throw."""
_KEEP_GOING = pattern(r"\b(?:keep going|keep on|go on)\b")
THROWS_IN_A_LINK = 10
_BY_INITIAL = {throw[0]: throw for throw in THROWS}
_OPENED = str.maketrans("()", "  ")
"""The words of a link that stand in brackets are typed without them, or left out."""
_WITH = frozenset("with using from".split())
_STRONG = frozenset("strong stronger strongest big bigger biggest high higher highest large largest best".split())
_WEAK = frozenset("weak weaker weakest small smaller smallest low lower lowest little littlest worst".split())
_ROW = "order send play use fight take go with first front last then to from down up on ones cards card"
_IN_A_ROW = _STRONG.union(_WEAK, _ROW.split())
_AT_AN_END = pattern(r"\b(?:in|at|to) (?:the )?(?:very )?(front|end|rear|back)\b")
_TURNED_ROUND = frozenset("behind those these both them it".split())
_NOW = frozenset(("now",))
_AFTER_A_THROW = pattern(rf"\b(?:after|before) (?:the |a )?{_THROW}")
_GOING_ON = frozenset(("then", "next"))
_UNDER = frozenset("under beneath below to on onto into behind".split())


def split(line: str) -> tuple[str, ...]:
    """The fragments of a line, each a command of its own."""
    line = _INITIALS.sub(lambda found: " ".join(_BY_INITIAL[each] for each in found[0].lower() if each.isalpha()), line)
    line = _CHANT.sub(" ", line)
    line = _OF_SUIT.sub("of ", _IF_EQUAL.sub(", then ", _IF_TIED.sub(r"\1", line)))
    return VOCABULARY.split(_LINK.sub(" ", _INSIDE.sub(_opened, line)))


def _opened(brackets: re.Match[str]) -> str:
    """Cards and throws in brackets belong to the list (`K♥ (9♣, 4♦)`), unless they say it again; else they are an aside."""
    throws = VOCABULARY.lists["throw"]
    inside = words(brackets[1])
    said = [each for each in inside if each in throws]
    if said and said == [each for each in words(brackets.string[: brackets.start()]) if each in throws]:
        return " "
    is_list = bool(said) or any(read_card((each,)) for each in inside)
    return f" {brackets[1]} " if is_list else brackets[0]


def parse(fragment: str, state: State, seat: int) -> Command:
    """The command in one fragment. Raises `Invalid` where there is none; bare cards or throws mean what is asked now."""
    fragment = _in_full(fragment, state, max(seat, 0))
    said = tokens(fragment)
    is_turned = _is_turned(said)
    try:
        command = VOCABULARY.parse(
            fragment, state.phase, AtTable(cards=_pools(state, seat, is_turned)), at_hand(state, seat)
        )
    except Invalid:
        label = _labelled(words(fragment), state, seat)
        if not label:
            raise
        return parse(label, state, seat)
    if str(command).casefold() == _TEN.sub("t", plain(fragment)):
        return command  # as a button writes it
    cards, is_clear = command.named, True
    match command.verb:
        case "attack" if is_turned:
            cards = cards[::-1]
        case "general" if not _UNDER.isdisjoint(said) or "from" in said:
            is_clear = "from" not in said and not any(is_face(one) and is_face(then) for one, then in pairwise(cards))
            cards = _in_pairs(cards)
            is_clear = is_clear and bool(cards) and "" not in cards  # under whom? `8h and 10h to Kh and Ac`
        case "throw" if len(command.values) > 1:
            is_clear = _is_in_turn(said) and not _AFTER_A_THROW.search(plain(fragment))
        case "place":
            cards = cards[1:] if cards[:1] == (state.drawn,) else cards
        case "order":
            is_clear = _is_in_turn(said)
            if state.phase == "order" and seat >= 0:
                cards = _with_the_other(cards, said, fighting(state, seat))
        case "deploy":
            cards = _deployed(cards, state.hands[seat]) if seat >= 0 and "(" not in fragment else ()
            is_clear = bool(cards) and not A_CARD.search(plain(fragment))
    if not is_clear:
        why_not = VOCABULARY.refuse(fragment)
        raise MoreThanOne(why_not.reason) if command.verb == "order" else why_not
    return Command(command.verb, cards or command.values)


def _in_full(fragment: str, state: State, seat: int) -> str:
    """A fragment with the cards that it means where it names several at once, or a commander by what it does."""
    if state.phase == "roshambo":
        return _TIMES.sub(lambda found: " ".join([found[2]] * int(found[1])), fragment)
    if state.phase == "battle":
        return _KEEP_GOING.sub("continue", plain(fragment))
    if state.phase in ("turn", "place"):
        fragment = _FROM_TO.sub(" to ", fragment)
    if state.phase in ("deploy", "place"):
        fragment = _ROLE.sub(lambda found: _ROLES[found[0].lower()], fragment)
    if state.phase == "order":
        fragment = _AT_AN_END.sub(r"\1", plain(fragment))
    if state.phase in ("deploy", "order"):
        pool = state.hands[seat] if state.phase == "deploy" else fighting(state, seat)
        return spelled_out(fragment, by_strength(card for card in pool if not is_face(card)))
    return fragment


def _deployed(named: Sequence[str], hand: Sequence[Card]) -> tuple[Card, ...]:
    """A deployment as it is written down, each commander before its cards; nothing where it is not plain which are whose.

    Cards may stand before their commander instead (`9c and 4d under Kh`); `rest` is all that are not named.
    """
    left = [card for card in hand if not is_face(card) and card not in named]
    if named[-2:-1] == ("rest",) and is_face(named[0]):
        named = (*named[:-2], named[-1], "rest")  # the rest to Kh
    cards = [card for each in named for card in (by_strength(left) if each == "rest" else [each])]
    if not cards or is_face(cards[0]):
        return () if not cards or is_face(cards[-1]) else tuple(cards)
    pairs = _in_pairs(cards)
    armies: dict[Card, list[Card]] = {}
    for card, commander in zip(pairs[::2], pairs[1::2], strict=True):
        armies.setdefault(commander, []).append(card)
    return () if "" in armies else tuple(card for commander, army in armies.items() for card in (commander, *army))


def _is_in_turn(said: Phrase) -> bool:
    """Does `first` stand by the first of the cards, and nothing behind `last` (not so in `5d last, 9s first, then 7d`)?"""
    if not _TURNED_ROUND.isdisjoint(said):
        return False  # `the 2 behind the 7`, `those two first`
    is_at_end, count, throws = False, 0, VOCABULARY.lists["throw"]
    for word in said:
        if (word in AT_FRONT | _NOW and count > 1) or (word in AT_FRONT | _GOING_ON and is_at_end):
            return False
        is_at_end = is_at_end or word in AT_END
        count += word in LONG_RANKS or word in throws or read_card((word,)) is not None
    return True


def _with_the_other(cards: Sequence[Card], said: Phrase, both: Sequence[Card]) -> tuple[Card, ...]:
    """Of two cards that fight the one that is not named has the place that is left: `the 2 first`, `the 2 last`."""
    left = tuple(card for card in both if card not in cards)
    if len(both) != 2 or len(left) != 1 or "my" in said:  # `2 is my first love`
        return tuple(cards)
    if not AT_END.isdisjoint(said):
        return (*left, *cards)
    return (*cards, *left) if not AT_FRONT.isdisjoint(said) else tuple(cards)


def _is_turned(said: Phrase) -> bool:
    """Does `with` or the like stand behind a card: `attack the queen with my king`?"""
    at = next((at for at, word in enumerate(said) if word in _WITH), 0)
    return any((word != "a" and word in RANK_WORDS) or read_card((word,)) for word in said[:at])


def _in_pairs(cards: Sequence[Card]) -> tuple[Card, ...]:
    """`9c 4d Kh` as `9c Kh 4d Kh`: several cards go to the commander behind them."""
    behind = [next(filter(is_face, cards[at:]), "") for at in range(len(cards))]
    return tuple(
        each for card, commander in zip(cards, behind, strict=True) if not is_face(card) for each in (card, commander)
    )


def _labelled(said: Phrase, state: State, seat: int) -> str:
    """The command of a link whose words are typed: `strongest first`, `throw ten at random`; empty for none."""
    found = choices(state, Question(seat, "", state.phase)) if seat in asked(state) else ()
    said = _by_strength(said) or (said[1:] if said[:1] == ("order",) else said)
    ways = ((choice.say[0], way) for choice in found for way in (choice.label, choice.label.translate(_OPENED)))
    return next((command for command, way in ways if words(way) == said), "")


def _by_strength(said: Phrase) -> Phrase:
    """`big ones first`, `from the weakest to the strongest` as the label of an order says it; nothing where more is said."""
    ends = [word in _STRONG for word in said if word in _STRONG | _WEAK]
    if (
        not ends
        or not _IN_A_ROW.issuperset(said)
        or (len(ends) < 2 and not {"first", "front", "last"}.intersection(said))
    ):
        return ()
    is_strong = ends[0] != ("last" in said and "first" not in said)
    return ("strongest" if is_strong else "weakest", "first")


def _pools(state: State, seat: int, is_turned: bool) -> Mapping[str, Sequence[Sequence[Card]]]:
    """The cards that a rank alone may mean, by verb and place."""
    seat = max(seat, 0)
    them = other(seat)
    commanders = [each.commander for each in state.army[seat]]
    mine, theirs = ([each.commander for each in battalions(state, side)] for side in (seat, them))
    return {
        "attack": (theirs, mine) if is_turned else (mine, theirs),
        "place": (commanders,),
        "trade": ([each.commander for each in state.army[seat] if not each.cards],),
        "general": ([*commanders, *(card for each in state.army[seat] for card in each.cards)],),
        "spy": ([card for each in state.army[them] for card in each.cards],),
        "deploy": (state.hands[seat],),
        "order": (by_strength(fighting(state, seat)),),
    }


def at_hand(state: State, seat: int) -> tuple[Card, ...]:
    """The card that was drawn, and waits for its place."""
    return (state.drawn,) if state.phase == "place" and state.drawn else ()


def choices(state: State, question: Question) -> tuple[Choice, ...]:
    """Offers at least one answer for every kind of legal move, fit for a link."""
    seat = question.seat
    match question.phase:
        case "roshambo":
            return _throws(state, seat)
        case "deploy":
            return _deployments(state, seat)
        case "place":
            usage = "the word place and one of your commanders"
            strongest = [each.commander for each in sorted(state.army[seat], key=_power, reverse=True)]
            return tuple(with_value("place", card, f"Place under {face(card)}", usage) for card in strongest[:OFFERED])
        case "turn":
            bare = [each.commander for each in state.army[seat] if not each.cards and state.reserve]
            usage = "the word trade and a commander of yours without cards"
            trade = [with_value("trade", card, f"Trade in {face(card)}", usage, group=_FIRST) for card in bare[:1]]
            first = (*_advantages(state, seat), *trade)
            way, label = ("fortify", "Fortify: one more card") if state.reserve else ("hold", "Hold")
            rest = one_word(way, label, _ENDS_THE_TURN)
            return (*first, *_attacks(state, seat)[: OFFERED - len(first) - 1], rest)
        case "order":
            return _orders(state, seat)
        case _:
            some = Choice(
                ("continue 3",), "Three more flips", "the word continue and a number of flips", "continue some"
            )
            return (_TO_THE_END, one_word("continue", "One more flip"), some, one_word("stop", "Stop the battle"))


def _throws(state: State, seat: int) -> tuple[Choice, ...]:
    stream = Chance(bytes.fromhex(state.salt)).stream(f"{state.matches}:{seat}")
    ten = " ".join(THROWS[stream.below(len(THROWS))] for _ in range(THROWS_IN_A_LINK))
    usage = "the word throw and rock, paper or scissors, one or several in a row"
    singles = (with_value("throw", each, each.capitalize(), usage) for each in THROWS)
    return (*singles, with_value("throw", ten, "Ten at random", usage))


def _deployments(state: State, seat: int) -> tuple[Choice, ...]:
    hand = state.hands[seat]
    usage = "the word deploy, then each commander followed by its number cards, as in deploy Ks 10d 6c Qs 8s"
    faces = sorted((card for card in hand if is_face(card)), key=lambda card: "KAQJ".index(card[0]))
    numbers = sorted((card for card in hand if not is_face(card)), key=strength, reverse=True)
    spreads = {"Spread over all": faces, "Two strong battalions": faces[:2], "Three battalions": faces[:3]}
    found: dict[str, str] = {}
    for label, commanders in spreads.items():
        groups = [[commander, *numbers[at :: len(commanders)]] for at, commander in enumerate(commanders)]
        found.setdefault(" ".join(card for group in groups for card in group), label)
    return tuple(with_value("deploy", army, label, usage) for army, label in found.items())


def _attacks(state: State, seat: int) -> tuple[Choice, ...]:
    usage = "the word attack, your commander, then theirs"
    mine = sorted(battalions(state, seat), key=_power, reverse=True)
    theirs = sorted(battalions(state, other(seat)), key=_power)
    places = sorted(product(range(len(mine)), range(len(theirs))), key=sum)[:OFFERED]
    shown = {each.commander: f"{face(each.commander)} ({_power(each)})" for each in (*mine, *theirs)}
    pairs = [(mine[my].commander, theirs[their].commander) for my, their in places]
    return tuple(
        with_value("attack", f"{my} {their}", f"{shown[my]} attacks {shown[their]}", usage, group=_ENDS_THE_TURN)
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
        found.append(with_value("general", f"{card} {target.commander}", label, usage, group=_FIRST))
    theirs = battalions(state, other(seat))
    if has_advantage(state, seat, "A") and len(theirs) > 1:
        strongest = max(theirs[0].cards, key=strength)
        weakest = min(theirs[1].cards, key=strength)
        usage = "the word spy and two number cards of your opponent in two battalions"
        label = f"Spy: swap {face(strongest)} and {face(weakest)}"
        found.append(with_value("spy", f"{strongest} {weakest}", label, usage, group=_FIRST))
    return tuple(found)


def _orders(state: State, seat: int) -> tuple[Choice, ...]:
    cards = fighting(state, seat)
    usage = "the word order and all number cards of the battalion, first to fight first"
    found: dict[str, str] = {}
    for how, is_falling in (("Strongest first", True), ("Weakest first", False)):
        order = by_strength(cards, is_falling)
        found.setdefault(" ".join(order), f"{how} ({' '.join(str(strength(card)) for card in order)})")
    return tuple(with_value("order", order, label, usage) for order, label in found.items())


def guesses(state: State, seat: int, text: str) -> tuple[tuple[Command, ...], ...]:
    """The army, the turn or the order that a mail writes down in its own way."""
    if seat not in asked(state):
        return ()
    text = aces_named(text)
    if state.phase in ("turn", "place"):
        steps, _ = turn(text, state.army[seat], state.army[other(seat)], state.drawn or "")
        return (steps,) if steps else ()
    cards = deployment(text, state.hands[seat]) if state.phase == "deploy" else ()
    cards = order(text, fighting(state, seat)) if state.phase == "order" else cards
    return ((Command(state.phase, cards),),) if cards else ()


def is_sure(state: State, seat: int, text: str) -> bool:
    """Is an army, or a turn, that a mail writes down in its own way all that it can mean?"""
    if state.phase == "turn":
        return turn(aces_named(text), state.army[seat], state.army[other(seat)])[1]
    return state.phase == "deploy" and gives_each_once(aces_named(text), state.hands[seat])


def ahead(state: State, seat: int) -> tuple[Choice, ...]:
    """Offers what can be settled before it is asked: an attack once a card is placed, how a battle goes on once ordered."""
    if state.turn == seat and state.phase == "place" and state.then == "turn":
        return _attacks(state, seat)
    return (_TO_THE_END,) if state.phase == "order" and state.turn == seat else ()


def whole(state: State, question: Question) -> tuple[Choice, ...]:
    """Offers a place with the attack, an attack with its order and all its flips, an order for every battle."""
    seat = question.seat
    if question.phase == "order":
        if seat not in asked(state):
            return ()  # theirs is here already
        order = _orders(state, seat)[0].say
        rest = ("continue all",) if state.turn == seat else ()
        return with_orders((*order, *rest), "Strongest first, to the end", ("always strongest first",))
    attacks = _attacks(state, seat) if question.phase in ("place", "turn") else ()
    if not attacks:
        return ()
    attack = attacks[0]
    placed = (f"place {attack.say[0].split()[1]}",) if question.phase == "place" else ()
    orders = ("always strongest first", "always continue all")
    under = f"Under {face(attack.say[0].split()[1])}; {attack.label}" if placed else attack.label
    return with_orders((*placed, *attack.say), f"{under}, strongest first, to the end", orders)
