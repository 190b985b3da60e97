"""Pure: which standing orders a mail may mean. In: its words, the table as its writer sees it. Out: orders in canonical words.

`engine.orders` reads what is an order and nothing else. Here sentences of any words are looked through for numbers that they
compare with, for words that say that something is to stand, and for the acts beside them. Nothing is kept for that: it is asked.
"""

import contextlib
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from host.engine.orders import Act, Fact, NeverFires, Order, Orders, scope_in
from host.engine.words import frames, pattern, plain
from host.play.forms import BETWEEN_SENTENCES
from host.play.seen import Seen

_COMPARES = pattern(
    r"(?P<until>\b(?:until|till)\b[^\d,]{0,30})?\b(?P<number>\d+) or (?P<than>more|less)\b"
    r"|\b(?P<till>until|till)\b[^\d,]{0,30}(?P<bound>\d+)\b|\b(?:with|have|hold|at|reach|got)\b[^\d,]{0,12}"
    r"(?P<bare>\d+)\b(?! or (?:more|less)\b)"
)
"""A number that a sentence compares with: 8 or more, until 17, at 18."""
_EVER = pattern(
    r"(?<!as )(?<!like )\balways\b|\b(?:whenever|from (?:now|here|the next \w+) on|after this|in future"
    r"|(?:every|each) (?:single )?(?:time|hand|round|turn|battle|fight|card|offer|one)|any (?:card|offer)"
    r"|whatever (?:comes|(?:i(?:'m| am|'ve)?|they|you|the house) \w+)"
    r"|(?:all|the rest of) (?:(?:my|the|other|next|later|coming|following|remaining) )+(?:hands|rounds|battles)"
    r"|all (?:hands|rounds|battles) (?:that|to) (?:come|follow))\b"
)
"""Words by which something is to stand."""
_AGAIN = pattern(
    r"\b(?:the )?same (?:again )?(?:for|in|on|at|every|each|from|always)\b|\bagain\W*$"
    r"|\b(?:that'?s|this is) how i (?:want|like) (?:it|this|that)\b"
)
"""Words by which it is what was said before."""
_DEPENDS = pattern(
    r"\b(?:if|unless|when|once|as (?:soon|long) as|until|till|only (?:with|from|at)|else|otherwise|from|up to|at (?:least|most)"
    r"|any(?:thing)? (?:(?!if\b)\w{1,20} )?(?:below|under|above|over|up|from|better|higher|lower|less|more than)"
    r"|(?:or|and) (?:more|better|higher|less|lower|below|above|under|up)|the rest)\b|[<>](?!3\b)"
)
"""Words by which something depends on a number."""
_DENIES = pattern(r"\b(?:unless|except|don'?t|do not|won'?t|will not)\b")
"""Words by which a number tells when an act is not wanted: it would be offered the other way round."""
_ELSE = pattern(
    r"\b(?:else|otherwise|if not|(?:the|all) (?:rest|others?)|(?:every|any)thing (?:else|in between)"
    r"|(?:(?:every|any)thing )?(?:above|below|over|under|(?:bigger|smaller|higher|lower|better|worse|more|less) than) that"
    r"|anything (?:bigger|smaller|higher|lower|worse|less)(?! (?:than )?\d)|what(?:ever)? (?:lies|is) (?:in )?between)\b"
)
_LETS_GO = pattern(
    r"\b(?:forget|scrap|cancel|delete|remove|ignore) (?:the|that|this|my|what|all|about|always)\b"
    r"|\b(?:drop|stop|undo|no more)\b.*\borders?\b"
)
"""Words that let go of what was to stand."""
_OURS = frozenset("i i'm im i've ive i'll ill i'd".split())
_PARTING = pattern(r"[,;:–—]\s|\s-\s|\s(?:and|then|but)\s")
"""Between a move and the order behind it."""
_BETWEEN_ORDERS = pattern(r",(?: (?:and|but|then))? |; | and | but ")
_WORD = pattern(r"[a-z']+")
_EACH = pattern(
    r"\b(\d+)(?: (?:now|and|on|a|the|this|one|for|in|too|chips?|here)){0,5}"
    r" (?:always|from now on|(?:every|each) (?:hand|round|time))\b"
)
"""A value right before the words by which it is to stand."""
_NOUN = pattern(r"\b(?:the|an?|my|this|that) $")
"""Before a word that is no act: `the next`."""
_NEVER = pattern(r"\b(?:never|no|not|don'?t|without)(?: any| ever| to)? $")
MOST = 3
"""Ways to read a sentence."""
MOST_SENTENCES, LONGEST, MOST_NUMBERS, MOST_NAMED = 6, 300, 3, 6
"""Sentences that are looked through, characters of one, numbers and acts in it: nobody says more of what is to stand."""


@dataclass(frozen=True)
class _Named:
    """An act that a sentence names, and where."""

    act: Act
    at: int


def orders_meant(
    lines: Sequence[str], seen: Seen, moves: Sequence[str] = ()
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """For each sentence that may hold some, the orders that it may mean in canonical words, the likeliest first; and the lines
    without them: a sentence ends before the part of it that makes an order of what follows (`Turn 8, and if it is ...`). `moves`
    are what the mail is read as besides, which may be what is to stand (`100. And the same in every hand`)."""
    found: list[tuple[str, ...]] = []
    orders = seen.orders
    if orders is None or any(_LETS_GO.search(plain(line)) for line in lines):
        return (), tuple(lines)
    rest: list[str] = []
    looked_at = 0
    for line in lines:
        kept: list[str] = []
        for typed in BETWEEN_SENTENCES.split(line):
            sentence = plain(typed)
            begins = _begin_of_order(sentence) if len(sentence) <= LONGEST and looked_at < MOST_SENTENCES else None
            looked_at += begins is not None
            parts = () if begins is None else _parts(sentence, orders, seen)
            ways = [each for part in parts if (each := _orders_in(part, orders, seen))]
            if parts and not ways and _EVER.search(sentence) and _AGAIN.search(sentence):
                ways = _the_same(" ".join(map(plain, (*kept, typed))), moves, orders, seen)
            found += ways
            kept.append(typed[: begins if len(sentence) == len(typed) else 0] if ways else typed)
        rest.append(" ".join(filter(None, kept)))
    return tuple(found), tuple(rest)


def _the_same(said: str, moves: Sequence[str], orders: Orders, seen: Seen) -> list[tuple[str, ...]]:
    """What was said before as an order that is always done, or the moves that were made of it."""
    forms = (*_orders_in(said, orders, seen), *(f"always {each}" for each in moves))
    found = [each for each in forms if (order := orders.known(each)) and not order.is_conditional]
    return [(each,) for each in found[:1]]


def _begin_of_order(sentence: str) -> int | None:
    """Where the part of a sentence begins that may hold an order; None where none does."""
    words = [found.start() for found in (_EVER.search(sentence), _DEPENDS.search(sentence)) if found]
    if sentence.endswith("?") or not words:
        return None
    return max((found.start() for found in _PARTING.finditer(sentence, 0, min(words) + 1)), default=0)


def _parts(sentence: str, orders: Orders, seen: Seen) -> Sequence[str]:
    """The parts of a sentence of which each is an order of its own, about something else: `always play, and always check`."""
    said = orders.compared(sentence)
    if len(_EVER.findall(said)) + len(_COMPARES.findall(said)) < 2:
        return (sentence,)
    parts, about = list[str](), frozenset[str]()
    for at, each in enumerate(_BETWEEN_ORDERS.split(said)):
        order = orders.known(next(iter(_orders_in(each, orders, seen)), ""))
        topic = _topic(order, orders) if order else frozenset[str]()
        if at == 0 or (topic and about and topic.isdisjoint(about)):
            parts.append(each)
        else:
            parts[-1] += f", {each}"
        about = topic or about
    return parts if len(parts) > 1 else (sentence,)


def _topic(order: Order, orders: Orders) -> frozenset[str]:
    """What an order is about: its fact, its acts and what is done otherwise, which answer the same question."""
    acts = [orders.acts[rule.command] for rule in order.rules if rule.command in orders.acts]
    facts = [rule.fact for rule in order.rules if rule.fact]
    named = {word for act in acts for word in (act.command, act.otherwise) if word}
    return frozenset((*facts, *named) or (order.text,))


def _orders_in(sentence: str, orders: Orders, seen: Seen) -> tuple[str, ...]:
    """The orders that a sentence may hold in canonical words, the likeliest first."""
    facts, found = seen.order_facts(), dict[str, None]()
    lasting = scope_in(sentence)
    for form in _ways(sentence, orders, seen):
        with contextlib.suppress(NeverFires):
            order = orders.read(form, facts)
            if order and order.is_conditional and lasting:
                order = orders.read(f"{order.text}, {lasting}", facts)
            found |= {order.text: None} if order else {}
    return tuple(found)[:MOST]


def _ways(sentence: str, orders: Orders, seen: Seen) -> Iterator[str]:
    """Forms in which a sentence may hold an order, most of which are none."""
    said = orders.compared(sentence)
    named = sorted(_named(said, orders, seen), key=lambda each: each.at)[:MOST_NAMED]
    ats = [each.at for each in named]
    numbers = [each for each in _COMPARES.finditer(said) if not _is_of_others(said, each.start(), seen, ats)][
        :MOST_NUMBERS
    ]
    if numbers and not _DENIES.search(said):
        turning = _turning(said, numbers)
        again = next((each for each in numbers[1:] if _bound(each) == _bound(numbers[0])), None)
        if again and again.start() < turning:  # `hit 16 or less, and from 17 up I stop`
            turning = max(said.rfind(",", 0, again.start()), numbers[0].end())
            numbers = [again if again["bound"] else numbers[0]]
        is_last = len(numbers) == 1 and turning < len(said) and not any(one.at > turning for one in named)
        behind = [one.at for one in named if one.at >= numbers[0].end()] if is_last else []
        if behind and named[0].at < numbers[0].start():  # `high if it's 10 or more, low otherwise`
            turning = behind[-1] - 1
        spans = [range(each.start(), each.end()) for each in numbers]  # the `more` of `17 or more` names no act
        acts = [one for one in named if one.at < turning and not any(one.at in span for span in spans)]
        rules = [_rules(said, each, acts, orders) for each in numbers]
        whole = _one_of_each(rules)
        rest = [one.act.command for one in named if one.at > turning and one.act.command not in whole]
        if turning < len(said) and not any(orders.acts[command].otherwise for command in whole):
            rest = rest or _letting_go(orders, seen, whole)
            yield from (", ".join((*whole.values(), f"else {command}")) for command in rest)
        yield ", ".join(whole.values())
        yield from itertools.chain.from_iterable(each.values() for each in rules)
    stands = _EVER.search(said)
    if stands and not _is_of_others(said, stands.start(), seen, ats):
        yield from _always(said, stands.start(), named, orders, seen)


def _letting_go(orders: Orders, seen: Seen, whole: Mapping[str, str]) -> list[str]:
    """The act that wants nothing, for what is done otherwise where none is named: `the rest no`, `the rest away`."""
    left = [act for act in orders.acts.values() if act.command not in whole and act.of]
    wanted = [act for act in left if act.command in seen.negative] or [act for act in reversed(left) if act.instead]
    return [act.command for act in wanted[:1]]


def _always(said: str, at: int, named: Sequence[_Named], orders: Orders, seen: Seen) -> Iterator[str]:
    """What is always done, that which stands nearest behind the words that say so first."""
    found = [(each.at, f"always {each.act.command}") for each in named]
    for name, row in orders.always.items():
        form = row.get("said", "") or re.escape(name).replace(r"\{n\}", r"(\d+)")
        hits = itertools.islice(re.finditer(rf"\b(?:{form})\b", said), MOST_NUMBERS)
        found += [(each.start(), f"always {each[0]}") for each in hits]
        if name.endswith("{n}") and name.split()[0] in seen.first_verbs:  # `ten now and ten every hand`
            found += [(hit.start(), f"always {name.replace('{n}', hit[1])}") for hit in _EACH.finditer(said)]
    wanted = [each for each in found if not _NEVER.search(said[: each[0]])]
    yield from (form for _, form in sorted(wanted, key=lambda each: (each[0] < at, abs(each[0] - at))))


def _named(said: str, orders: Orders, seen: Seen) -> Iterator[_Named]:
    for found in _WORD.finditer(said):
        act = orders.acts.get(seen.words.head(seen.base(found[0]), seen.phase) or "")
        if act and not _NOUN.search(said[: found.start()]):
            yield _Named(act, found.start())
    for act in orders.acts.values():
        yield from (_Named(act, found.start()) for found in re.finditer(rf"\b(?:{act.said})\b", said))


def _is_of_others(said: str, at: int, seen: Seen, acts: Sequence[int]) -> bool:
    """Does what a number counts belong to somebody else: to whoever is named last before it in its clause? Not behind an act
    of one's own: `if Bob bets, call 30 or less`."""
    others = (frames().others | set(seen.names)) - {"them"}  # cards, sooner
    for each in reversed(list(_WORD.finditer(said, said.rfind(",", 0, at) + 1, at))):
        if each.start() in acts or each[0] in _OURS:
            return False
        if each[0] in others:
            return True
    return False


def _turning(said: str, numbers: Sequence[re.Match[str]]) -> int:
    """Where that begins which is done otherwise, with its clause; the end of the sentence where nothing is."""
    turning = next((each.start() for each in _ELSE.finditer(said) if each.start() > numbers[0].start()), len(said))
    if turning == len(said):
        return turning
    comma = said.rfind(",", max(each.end() for each in numbers if each.start() < turning), turning)
    return comma if comma >= 0 else turning


def _bound(found: re.Match[str]) -> int:
    """The least number above what is less: `16 or less` and `17 or more` have the same."""
    return int(found["number"] or found["bound"] or found["bare"]) + (found["than"] == "less")


def _one_of_each(rules: Sequence[Mapping[tuple[str, str], str]]) -> dict[str, str]:
    """The likeliest rule of each number by its act, which no number before it has."""
    whole: dict[str, str] = {}
    for each in rules:
        form = next(((act, form) for (act, _), form in each.items() if act not in whole), None)
        whole |= dict([form]) if form else {}
    return whole


def _rules(said: str, found: re.Match[str], named: Sequence[_Named], orders: Orders) -> dict[tuple[str, str], str]:
    """A number with each act and fact, that act first which stands nearest to it in its clause."""
    number, than = found["number"] or found["bound"] or found["bare"], found["than"] or "more"
    until = found["until"] or found["till"]

    def distance(each: _Named) -> int:
        between = said[min(each.at, found.start()) : max(each.at, found.start())]
        return len(between) + 60 * between.count(",")

    acts = dict.fromkeys(each.act for each in sorted(named, key=distance) if each.act.of)
    if until:
        return {(act.command, ""): f"{act.command} until {number}" for act in orders.acts.values() if act.until}
    ways: dict[tuple[str, str], str] = {}
    before = said[: found.start()].rpartition(",")[2]
    for act in acts:
        for name, fact in orders.facts.items():
            is_own = name == act.of
            if not _can_be(fact, int(number), orders) or not (is_own or _is_named(fact, before)):
                continue
            if act.until and than == "less":
                ways[act.command, ""] = f"{act.command} until {int(number) + 1}"
            ways[act.command, name] = f"{act.command}{'' if is_own else f' if {name} is'} {number} or {than}"
    return ways


def _can_be(fact: Fact, number: int, orders: Orders) -> bool:
    """Can the number be what a fact counts, or another fact with words of its own: an ace, and somebody plays with a pair?"""
    facts = [fact, *(each for each in orders.facts.values() if fact.words and each.words)]
    return any(each.least <= number <= each.most for each in facts)


def _is_named(fact: Fact, before: str) -> bool:
    """Does a name of it stand just before a number?"""
    return any(found[0] != "it" for found in re.finditer(rf"\b(?:{fact.names})\b(?=[^\d:]{{0,24}}$)", before))
