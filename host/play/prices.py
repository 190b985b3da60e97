"""Pure: a move that is named by what it costs. In: the words of a clause, what its writer sees. Out: the command, if plain.

`I'll match her ten` is a call of ten, `another hundred` a raise that costs a hundred, `20 more on top` a raise by twenty.
"""

from collections.abc import Sequence

from host.engine.grammar import ROUND_NUMBERS, words
from host.engine.words import frames
from host.play.seen import Seen

_PAYING = frozenset("pay paying pays match matching see seeing cover covering owe".split())
_ADDING = frozenset(
    """more another extra further higher add adding put putting throw chip stick pump bump chuck toss on top of plus in full
    whole other last""".split()
)
_MORE = frozenset("more another extra further higher add adding top plus".split())
TELLING = frozenset("have has got am need was back than i've ive".split())
"""With one of these a sum is told of."""


def priced(said: Sequence[str], seen: Seen) -> str:
    """The move whose price is said, and nothing but that it is paid, else one that takes the sum that is added; or nothing.

    Where a number is also a move of its own (`raise 10`), words of paying name the price, and words of adding that move.
    To want no more costs nothing.
    """
    if not frames().bygone.isdisjoint(said) or not TELLING.isdisjoint(said):
        return ""
    around = frames().neutral | frames().nouns | {"yes"}
    kept = words(" ".join(said).replace("+", "more "))
    content = [word for word in kept if word not in around and word.removesuffix("'s") not in seen.names]
    sums = [word for word in content if word in ROUND_NUMBERS or word[0].isdigit()]
    if len(sums) != 1:
        return ""
    price = sums[0] if sums[0][0].isdigit() else str(ROUND_NUMBERS[sums[0]])
    bare = [verb for verb in seen.first_verbs if not seen.words.row(verb).takes_value]
    moves = [verb for verb in bare if verb not in seen.negative and seen.parsed(f"{verb} {price}") == verb]
    amounts = [found for verb in seen.first_verbs if verb not in bare and (found := seen.parsed(f"{verb} {price}"))]
    rest = set(content) - set(sums)
    is_plain = bool(rest) or any(each <= {*said, *kept} for each in ({"it", "is"}, {"just", "the"}, {"yes"}))
    if len(moves) == 1 and is_plain and rest <= (_PAYING if amounts else _PAYING | _ADDING):
        return moves[0]
    is_added = len(amounts) == 1 and not moves and bool(rest) and rest <= _ADDING
    return amounts[0] if is_added else ""


def may_be_paid(command: str, said: Sequence[str], seen: Seen) -> bool:
    """May the sum of a move, which is only put in, be what another one costs: `put 10 in`, where a call is 10?"""
    price = command.split()[-1]
    bare = [verb for verb in seen.first_verbs if not seen.words.row(verb).takes_value and verb not in seen.negative]
    is_put = not {"put", "putting"}.isdisjoint(said) and _MORE.isdisjoint(said) and price.isdecimal()
    return is_put and any(seen.parsed(f"{verb} {price}") == verb for verb in bare)
