"""Pure: the wordings under which a clause may be a command. In: its words, what its writer sees. Out: texts to be parsed.

They leave out what surrounds a move: emphasis, a label, small words, the things on the table; and they put the move first.
"""

from collections.abc import Iterable, Iterator, Sequence

from host.engine.cards import read_cards, without_card
from host.engine.grammar import NUMBER_WORDS, is_social, is_thankful, number, tokens, words
from host.engine.words import FILLERS, first_names, foreign_doubts, foreign_numbers, frames, ordinary_words, pattern
from host.play.prices import TELLING
from host.play.seen import Seen
from host.play.values import is_among_cards

_ORDER = pattern(r"^(?:first|firstly|next|second|secondly|third|last)\b[\s,:]+(?=\w)|(?<![\s,])[\s,]++first$")
_LABELLED = pattern(r"^\W*([^\W\d][\w' ]{0,30}?)\s*(?:[:=]+|-?->|>>)\s*(.{1,60})$")
_SETS_OFF = pattern(r"[:=>]")
_LABELS = frozenset(
    """move decision action answer choice verdict reply response command play pick vote selection turn final mine me amount value
    stake order my the first 1""".split()
)
_SUIT_TWICE = pattern(r"\b((c|d|h|s)[a-z]*)[\s!,.]+\2\b")
"""`hearts` with its sign."""
_ME = pattern(r"(?<=[a-z]) me (?=(?:the|an?|that|this|number|space|card|top|bottom|\d+)\b)")
_EMPHASIS = pattern(r"\b([a-z]+(?: [a-z]+)?)(?:[\s!,.]+\1\b)+")
_YES_OR_NO = pattern(
    r"(?:(yes|no)(?: (?:please|thanks|thank you|thx|ty|ta)\b ?,? ?|, ?| )"
    r"|(yeah|yea|yep|yup|ya|yah|sure|okay|ok|nope|nah)\b[\s,!.]+)(?=\w)"
)
NO = ("nope", "nah")
_WHOLE = pattern(r"\b(?:all|the whole|my whole|full|exactly|just|only) (?=\$?\d)|\b(?:full stop|period)$")
_WILL_DO = pattern(r"^((?!any\b|either\b).+) will do(?: (?:for )?(?:me|us))?(?: (?:just )?(?:fine|nicely|well))?\W*$")
"""`The open four will do nicely`; `any card will do` names none."""
_ONE_OF = frozenset("1 off from another".split())
_LIMIT = pattern(r"\b(?:(?<=the )(?:max|min)|maximum|minimum)\b")
"""`One min` is a minute, and `Max` a name."""
ARTICLES = frozenset("the a an my his her your our their".split())
_POINTING = ARTICLES | {"this", "that"}


def wordings(text: str, said: Sequence[str], seen: Seen) -> Iterable[str]:
    """The texts under which a clause may be a command, the nearest to what was typed first, each once."""
    return dict.fromkeys((*_bare(text, seen), *_loosened(said, seen), *_lone_value(said, seen), *_only_one(said, seen)))


def is_label_of_something(folded: str, seen: Seen) -> bool:
    """Is it a label that names no move, with its value (`Round: 2`)?"""
    labelled = _LABELLED.match(folded) if _SETS_OFF.search(folded) else None
    if not labelled:
        return False
    label = words(labelled[1]) or tokens(labelled[1])
    is_of_a_move = any(seen.words.head(word, seen.phase) for word in label)
    value = labelled[2].strip(" .!*$")
    return (
        (number(value) is not None or value in ("no", "n", "none"))
        and not is_of_a_move
        and not set(label) <= _LABELS | frames().value_nouns
    )


def _bare(text: str, seen: Seen) -> Iterator[str]:
    """The clause without emphasis, a label, `yes` before a move, `all` before a number."""
    yield text
    yield _EMPHASIS.sub(r"\1", _SUIT_TWICE.sub(r"\1", text))
    yield _ME.sub(" ", text)
    yield " ".join(
        "their" if word.removesuffix("'s") in seen.names and word.endswith("'s") else word for word in tokens(text)
    )
    yield _ORDER.sub("", text)
    said = tuple(map(seen.base, tokens(text)))
    around = frames().neutral | FILLERS
    for each in (said, *filter(None, (with_it(said, card) for card in seen.cards_at_hand))):
        first = next((at for at, word in enumerate(each) if word not in around), 0)
        yield " ".join(each)
        yield " ".join(each[first:]) if each and seen.words.begins(each[first], seen.phase) else ""
    begins = _YES_OR_NO.match(text)
    if begins:
        rest, said_first = text[begins.end() :], seen.parsed(begins[1] or ("no" if begins[2] in NO else "yes"))
        yield rest if said_first in ("", seen.parsed(rest)) else ""
    yield _WHOLE.sub("", text)
    yield _WILL_DO.sub(r"\1", text)
    labelled = _LABELLED.match(text) if _SETS_OFF.search(text) else None
    if labelled:
        label, value = words(labelled[1]), labelled[2].strip(" .!*")
        heads = [word for word in label if seen.verb_named(word)]
        if heads and value in ("yes", "y"):
            yield heads[0]
        elif len(heads) == len(label) == 1:
            yield f"{heads[0]} {value}"
        elif not heads and (set(label) <= _LABELS | frames().neutral | frames().nouns or labelled[1] == seen.name):
            yield value


def with_it(said: Sequence[str], card: str) -> tuple[str, ...]:
    """The words with `it` where they name the card that the question is about: `be rid of the old queen of hearts`."""
    left = without_card(said, card)
    if len(left) == len(said):
        return ()
    at = next((at for at, (one, other) in enumerate(zip(said, left, strict=False)) if one != other), len(left))
    begins = next((back for back in range(at - 1, max(-1, at - 4), -1) if left[back] in _POINTING), at)
    return (*left[:begins], "it", *left[at:])


def _loosened(said: Sequence[str], seen: Seen) -> Iterator[str]:
    """The words that carry meaning, the move first: with the things on the table, and without."""
    if len(said) > 1 and (said[-1] in seen.names or said[-1] in first_names()):
        said = said[:-1]
    kept = (
        "ace" if _is_an_ace(said, at) else each
        for at, each in enumerate(said)
        if each not in frames().neutral
        or seen.verb_named(each)
        or each in seen.words.values
        or is_among_cards(said, at)
        or _ends_a_number(said, at)
        or _is_an_ace(said, at)
    )
    content = words(" ".join(map(seen.base, kept)))
    has_move = any(seen.verb_named(each) for each in content)
    whole = " ".join(said)
    if not has_move and (
        seen.takes_text or is_social(whole) or is_thankful(whole) or (len(content) == 1 and content[0].isdigit())
    ):
        return
    nouns = frames().nouns | frames().light if has_move else frames().value_nouns
    bare = tuple(each for each in content if nouns.isdisjoint(_forms_of(each)) or seen.verb_named(each))
    forms = dict.fromkeys((content, bare, *(without_card(bare, card) for card in seen.cards_at_hand)))
    for each in forms:
        yield " ".join(each)
        yield " ".join(_move_first(each, seen))
    only = [each for each in content if each not in frames().nouns]
    if not has_move and seen.words.values.issuperset(only):
        yield " ".join(only)


def _forms_of(word: str) -> tuple[str, ...]:
    """A word, and what it is without its ending (`placing`)."""
    stem = word.removesuffix("ing")
    return (word, stem, f"{stem}e") if len(stem) < len(word) else (word,)


def _only_one(said: Sequence[str], seen: Seen) -> Iterator[str]:
    """What only one of the commands offered can be: by a card (`king`), by two (`Ac on Jh`), by what is left out (`pass`)."""
    content = [word for word in words(" ".join(said)) if word not in frames().neutral]
    if len(seen.first_verbs) == 1 and len(content) < 4 and not first_names().issuperset(content):
        verb = seen.first_verbs[0]
        if all(slot.kinds == ("card",) for slot in seen.words.row(verb).slots):
            yield " ".join((verb, *content))
    cards = read_cards([word for word in content if word not in seen.words.nouns]) or ()
    offered = [choice.say[0].split() for choice in seen.offered if len(choice.say) == 1]
    same = [each for each in offered if len(cards) > 1 and tuple(each[1:]) == cards]
    same += [each for each in offered if len(each) == 2 and each[:1] == content and _is_of_the_room(each[0], seen)]
    if len(same) == 1:
        yield " ".join(same[0])


def _is_of_the_room(verb: str, seen: Seen) -> bool:
    """Do only values of the room's own stand behind a verb, such as its seats?"""
    return seen.words.lists.keys() >= seen.words.row(verb).kinds


def _is_an_ace(said: Sequence[str], at: int) -> bool:
    """Is an `a` no article, since a number stands before it and another or nothing behind it?"""
    is_behind = at + 1 == len(said) or number(said[at + 1]) is not None
    return said[at] == "a" and at > 0 and number(said[at - 1]) is not None and is_behind


def _ends_a_number(said: Sequence[str], at: int) -> bool:
    """Is it the end of a number in words (`one` in `forty-one`)?"""
    return said[at] in NUMBER_WORDS and bool(
        NUMBER_WORDS.intersection(each for each in said[max(0, at - 2) : at] if each != "-")
    )


def _move_first(kept: Sequence[str], seen: Seen) -> tuple[str, ...]:
    """`7 I pick` as `pick 7`; words that name the same move count once. Nothing where two moves are named."""
    named = {word: verb for word in kept if (verb := seen.verb_named(word))}
    if len(set(named.values())) != 1:
        return ()
    first = next(word for word in kept if word in named)
    rest = tuple(word for word in kept if word not in named)
    takes = any(row.takes_value for row in seen.words.rows if row.verb == named[first])
    return (first,) if not takes and set(rest) <= _ONE_OF else (first, *rest)


def _lone_value(said: Sequence[str], seen: Seen) -> Iterator[str]:
    """A number or a limit, alone among words of choosing; in another language, in a short sentence."""
    said = tuple(foreign_numbers().get(word, word) for word in said)
    whole = " ".join(said)
    values = [word for word in words(whole) if number(word) is not None]
    values += (limit for limit in _LIMIT.findall(whole) if limit in seen.words.values)
    if len(values) != 1 or not seen.takes_value:
        return
    rest = {word for word in said if (word.isalpha() or "'" in word) and word not in (*NUMBER_WORDS, *values)}
    against = frames().clock | frames().bygone | TELLING | {"see"}
    if any(f" {each} " in f" {whole} " for each in foreign_doubts()):
        return
    if not rest.isdisjoint(against) or any(map(seen.verb_named, rest)) or ("no" in rest and len(values[0]) > 2):
        return
    if rest <= frames().picking | frames().value_nouns | frames().neutral or (
        len(rest) < 8 and rest.isdisjoint(ordinary_words() - frames().foreign) and rest & frames().foreign
    ):
        yield values[0]
