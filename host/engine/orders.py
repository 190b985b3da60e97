"""Pure: standing orders: what a seat wants done by itself, on conditions. In: a room's table of acts, what somebody wrote, what
the seat sees. Out: an `Order` in canonical words, the command that it gives now.

`keep 8 or more, else draw` is a rule and what is done otherwise; `always bet 20` is done whenever it can be. A condition
compares a number that the seat sees (`facts` of the room) with one of its own; an act is a command that the question at hand
takes. A rule whose fact is not there, or whose act is no answer now, is passed over, so an order waits until it fits.
"""

import contextlib
import functools
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from host.engine.grammar import NUMBERS, is_polite
from host.engine.words import pattern, plain, table

Facts = Mapping[str, int | str]
"""What a seat sees, as numbers and words for orders; `round` names the round or hand."""
Lasting = Literal["", "once", "this round"]

_NUMBER = r"(?:\$ ?)?(\d[\d,]*|[a-z]+)(?: (?:dollars|chips|points|bucks))?"
_SAID_AS = (
    (r">= ?(\d[\d,]*)", "{} or more", 0),
    (r"<= ?(\d[\d,]*)", "{} or less", 0),
    (r"> ?(\d[\d,]*)", "{} or more", 1),
    (r"<(?!3\b) ?(\d[\d,]*)", "{} or less", -1),
    (rf"(?:at least|minimum|no less than|not less than) {_NUMBER}", "{} or more", 0),
    (rf"from {_NUMBER} (?:up|upwards?|on|onwards?)\b", "{} or more", 0),
    (rf"{_NUMBER} (?:at least|minimum)\b", "{} or more", 0),
    (rf"{_NUMBER} (?:at most|maximum|at the most)\b", "{} or less", 0),
    (rf"(?:at most|maximum|up to|no more than|not more than) {_NUMBER}", "{} or less", 0),
    (rf"{_NUMBER}(?: and| or) (?:more|better|higher|up|upwards|above|over|bigger|greater)\b", "{} or more", 0),
    (rf"{_NUMBER}(?: and| or) (?:less|lower|below|under|smaller|worse|fewer)\b", "{} or less", 0),
    (r"(\d+)\+", "{} or more", 0),
    (r"(\d+)-(?=,|$| )", "{} or less", 0),
    (rf"(?:more than|higher than|greater than|better than|above|over|exceeds) {_NUMBER}", "{} or more", 1),
    (rf"(?:less than|lower than|worse than|fewer than|below|under) {_NUMBER}", "{} or less", -1),
)
"""How people compare, in canonical words, with what their number is more or less by."""
_UNTIL = pattern(r"\b(?:un)?till?\b")
_COMPARED = r"(?P<number>-?\d+) or (?P<than>more|less)"
_GATE = pattern(
    r"\b(?:or|and) (?:more|less|better|higher|lower|up|above|below|over|under|worse|upwards|smaller|bigger)\b"
    r"|\b(?:un)?till?\b|\balways\b|\bevery\b|\beach\b|\bat (?:least|most|\d+)\b|\bup to\b"
    r"|\b(?:more|less|higher|lower|better) than\b"
    r"|\d\+|\bfrom \w+ (?:up|on)"
    r"|\b(?:below|under|above|over) \$?\d|\bwith an? \w+ or\b|\bsame \w+ "
)
"""Words of which a line has one that holds an order: most hold none, and are not looked at closely."""
_ELSE = pattern(
    r"^(?:(?:and|or|but)? ?(?:else|otherwise|if not|then)|or else|(?:beyond|above|below|more than|less than) that)[, ]+"
    r"(?:i'?ll |i'?m |i )?"
    r"|^i'?m (?=out)| (?:the (?:rest|others?)|(?:every|any)thing else|all (?:the )?others)$"
)
_EVERY = pattern(
    r"^always (?P<act>.+)$|^(?P<act2>.+?)"
    r" (?:always|(?:in |at |for )?(?:every|each) (?:single )?(?:time|hand|round|turn|game|battle))$"
)
_EVERY_TIME = pattern(r"^always |,? (?:always|every time|each time)$")
_SCOPE = (
    r"(?:^|(?<!\bif)(?<!\bwhen)(?<!\buntil)(?<!\bunless)(?<!\bnot)(?<!\bnot only)(?<!\bnot just)[, ]+)(?:just |only )?(?:{})"
    r"(?: only)?(?! (?:is|makes?|has|reach\w*|counts?|gets?|goes|adds)\b)(?:$|(?=, )|[:, ]+)"
)
"""Words at the beginning of an order, at its end, or before what is done otherwise; no part of a condition, as in `if this hand
is 17 or more`."""
_FROM_NOW_ON = (
    r"from now on|until i say (?:otherwise|stop)|until further notice|by default|for (?:this|the) (?:whole )?episode"
    r"|for the rest of (?:it|the game|the episode)"
)
_LASTING: tuple[tuple[re.Pattern[str], Lasting], ...] = (
    (pattern(_SCOPE.format(r"once$|this (?:one )?time|this once")), "once"),
    (pattern(_SCOPE.format(r"(?:for |in )?this (?:round|hand|battle|game of cards)")), "this round"),
    (pattern(_SCOPE.format(_FROM_NOW_ON)), ""),
)
"""How long an order lasts."""
_FOR_GOOD = pattern(rf"\balways\b|{_FROM_NOW_ON}")
_COURTESY = pattern(
    r"^(?:(?:please|pls|and|then|also|but|so|ok|okay|only|i'll|i will|i'd like to|i want to|let me|let's|just)[, ]+)+"
    r"|[, ]+(?:please|pls|thanks|thank you)$"
)
_BETWEEN = pattern(
    r"(\s*(?:[,;]|\.(?=\s|$)|!|\band\b(?! (?:more|up|above|over|below|under|higher|lower|better|less))|\bthen\b)\s*)"
)
_ENDS = pattern(r"[.!;]")
_STANDING = pattern(r"^(?:always|never) |(?:every|each) (?:time|hand|round|turn|battle)$")
"""A part of a sentence that is meant to stand, though it may be no order that is known."""
DOUBTFUL = "I could not tell whether that is to stand as an order. Write it alone on a line, as a letter shows it."
LONGEST = 400
"""Characters of a line in which an order is looked for."""
MOST_PARTS = 8
"""Parts of a line that one order may have."""


@dataclass(frozen=True)
class Act:
    """A command as an order may give it: `said` is its pattern, `of` the fact that a bare number compares with, `otherwise` the
    act that is done where the condition does not hold; empty: the seat is asked. `instead` are acts that stand for it in
    other questions. `way` is the only comparison (`more`, `less`) that makes sense with `of`: nobody folds at a low price."""

    command: str
    said: str
    of: str = ""
    having: str = ""
    otherwise: str = ""
    until: bool = False
    way: str = ""
    instead: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fact:
    """A number that a condition may be about: its names (a pattern), the least and the most that it can be, words for some."""

    names: str
    least: int = 0
    most: int = 1_000_000
    words: Mapping[str, int] | None = None


@dataclass(frozen=True)
class Rule:
    """`command` is given where `fact` lies between `least` and `most`; always, where there is no fact. Facts stand in it in
    braces; `words` say it to people, where it has others for that."""

    command: str
    fact: str = ""
    least: int = 0
    most: int = 0
    words: str = ""


@dataclass(frozen=True)
class Order:
    """A standing order: its rules in order, how long it lasts (empty: until it is dropped), its canonical words."""

    rules: tuple[Rule, ...]
    lasting: Lasting
    text: str

    @property
    def is_conditional(self) -> bool:
        """Does it depend on what is seen?"""
        return any(rule.fact for rule in self.rules)


def _certain(sentence: Sequence["Order | str"], parsed: Callable[[str], str]) -> Sequence["Order | str"]:
    """A sentence with its orders. Raises `NeverFires` where something in it leaves open whether they are meant."""
    rest = [each for each in sentence if isinstance(each, str)]
    is_doubtful = any(not (is_polite(each) or parsed(each)) for each in rest)
    is_standing = any(_STANDING.search(each) and not parsed(each) for each in rest)
    if (is_doubtful and len(rest) < len(sentence)) or (is_standing and any(map(parsed, rest))):
        raise NeverFires(DOUBTFUL)
    return sentence


class NeverFires(Exception):
    """An order whose condition can never hold; the sentence says why."""


class Orders:
    """The orders that a room takes, as `data/orders.toml` of its package lists them.

    `[facts.card]` has the fields of a `Fact`, `[acts.keep]` those of an `Act` (by default said as it is called), `[always]` what
    is done without a condition, in canonical words with `{n}` for a number, from `least` to `most`: `said` is its pattern,
    `does` the command, in which a fact stands in braces (`order {strongest}`). `same` in its place says which words it is,
    with facts of the moment in which the order is given.
    """

    def __init__(self, package: str) -> None:
        self.package = package

    @functools.cached_property
    def facts(self) -> Mapping[str, Fact]:
        """The facts by name."""
        return {name: Fact(**row) for name, row in table(self.package, "orders.toml").get("facts", {}).items()}

    @functools.cached_property
    def acts(self) -> Mapping[str, Act]:
        """The acts by their command."""
        rows = table(self.package, "orders.toml").get("acts", {})
        found = {}
        for command, row in rows.items():
            instead = tuple(row.get("instead", "").split())
            found[command] = Act(command, **{"said": command} | row | {"instead": instead})
        return found

    @functools.cached_property
    def always(self) -> Mapping[str, Mapping[str, str]]:
        """What is always done: its words, and how they are said and what they do."""
        rows: Mapping[str, Mapping[str, str]] = table(self.package, "orders.toml").get("always", {})
        return rows

    def read(self, text: str, seen: Facts | None = None) -> Order | None:
        """The order of a text, None where it is none. `seen` fills in what is known when the order is given.

        Raises `NeverFires`.
        """
        said, lasting = _without_scope(_normal(text, self._words))
        rules = self._always(said, seen or {}) or self._conditional(_EVERY_TIME.sub("", said))
        return Order(rules, lasting, self._say(rules, lasting)) if rules else None

    @functools.cached_property
    def _words(self) -> Mapping[str, int]:
        return {word: value for fact in self.facts.values() for word, value in (fact.words or {}).items()}

    @functools.lru_cache(maxsize=256)  # noqa: B019 - one a room, for the life of the process
    def known(self, text: str) -> Order | None:
        """The order whose canonical words these are, None for a command."""
        with contextlib.suppress(NeverFires):
            order = self.read(text) if _GATE.search(text) else None
            return order if order and order.text == text else None
        return None

    def compared(self, text: str) -> str:
        """A folded text, what it compares in canonical words and values by name as numbers, in whatever words these stand."""
        said = self._names.sub(lambda found: str(self._values[found[1]]), text)
        return _normal(re.sub(r"\b(?:an?|the|my) (?:only )?(?=\d)", "", said), self._words)

    @functools.cached_property
    def _values(self) -> Mapping[str, int]:
        named = {word: value for word, value in self._words.items() if len(word) > 1}  # `hold the K` compares nothing
        return {word: value for word, value in NUMBERS.items() if value > 1 and len(word) > 2} | named

    @functools.cached_property
    def _names(self) -> re.Pattern[str]:
        return re.compile(rf"\b({'|'.join(sorted(map(re.escape, self._values), key=len, reverse=True))})(?:e?s)?\b")

    def parted(self, line: str, seen: Facts, parsed: Callable[[str], str]) -> tuple["Order | str", ...]:
        """The orders of a line, and what stands between them; what is a command as it stands is no order.

        Nothing is an order that shares its sentence with what is neither a command, nor an order, nor a courtesy: a doubt, a
        denial, somebody else's words. Raises `NeverFires` then.
        """
        parts = _BETWEEN.split(plain(line).strip())
        found: list[Order | str] = []
        sentence: list[Order | str] = []
        at = 0
        while at < len(parts):
            for end in range(min(len(parts), at + 2 * MOST_PARTS - 1), at, -2):
                part = "".join(parts[at:end])
                order = None if parsed(part) else self.read(part, seen)
                if order:
                    sentence.append(order)
                    at = end - 1
                    break
            else:
                sentence += [parts[at]] if parts[at].strip() else []
            is_end = at + 1 >= len(parts) or _ENDS.search(parts[at + 1])
            if is_end:
                found += _certain(sentence, parsed)
                sentence = []
            at += 2
        return tuple(found)

    @staticmethod
    def is_meant(part: str) -> bool:
        """Is a part of a sentence meant to stand, be it an order or not?"""
        return _STANDING.search(plain(part).strip()) is not None

    @staticmethod
    def may_hold(line: str) -> bool:
        """May there be an order in a line? Most hold none, and are not looked at closely."""
        return len(line) <= LONGEST and _GATE.search(plain(line)) is not None

    def _always(self, said: str, seen: Facts) -> tuple[Rule, ...]:
        found = _EVERY.match(said)
        wanted = (found["act"] or found["act2"]).strip(" ,") if found else said if said.startswith("same ") else ""
        if not wanted:
            return ()
        for name, row in self.always.items():
            form = row.get("said", "") or re.escape(name).replace(r"\{n\}", r"(\d+)")
            match = re.fullmatch(form, wanted) or re.fullmatch(re.escape(name).replace(r"\{n\}", r"(\d+)"), wanted)
            if match and "same" in row:
                return self._always(f"always {_now(row['same'], seen)}", seen)
            if match:
                n = next(filter(None, match.groups()), "")
                if n and not int(row.get("least", "0")) <= int(n) <= int(row.get("most", str(_MOST))):
                    raise NeverFires(f"That order would never do anything: no {name.partition(' ')[0]} is {n}.")
                return (Rule(row["does"].replace("{n}", n), words=name.replace("{n}", n)),)
        act = self._act(wanted)
        return (Rule(act.command),) if act and not act.of else ()

    def _act(self, said: str) -> Act | None:
        return next((act for act in self.acts.values() if re.fullmatch(rf"(?:{act.said})(?: it)?", said)), None)

    def _conditional(self, said: str) -> tuple[Rule, ...]:
        """The rules of `keep 8 or more, else draw`; none where a part of it is no rule."""
        rules: list[Rule] = []
        said = re.sub(
            r"((?:^|, )(?:if|when|whenever|once|as soon as) [^,]*\d or (?:more|less)),? (?:then )?", r"\1 ", said
        )
        parts = re.split(
            r"[,;]? (?=(?:(?:and )?(?:else|otherwise|then)|or else|if not)\b)|[,;] (?:and )?|(?<=more|less) and ", said
        )
        for at, part in enumerate(parts):
            otherwise = _ELSE.sub("", part)
            if at == len(parts) - 1 and otherwise != part and rules:
                act = self._act(otherwise)
                is_next = part.startswith("then") and act and act.command != self.acts[rules[-1].command].otherwise
                return (*rules, Rule(act.command)) if act and not is_next else ()  # `hit until 17, then call`
            rule = self._rule(part)
            if rule is None or (rules and rule.fact != rules[0].fact):
                return ()
            rules.append(rule)
        act = self.acts[rules[0].command]
        is_whole = len(rules) == 1 and act.otherwise
        return (*rules, Rule(act.otherwise)) if is_whole else tuple(rules)

    def _rule(self, part: str) -> Rule | None:
        """`keep 8 or more`, `keep if the card is 8 or more`, `if the card is 8 or more keep`, `hit until 17`, `freeze at 18`."""
        about = "|".join(f"(?P<{name}>{fact.names})" for name, fact in self.facts.items())
        before, behind = "the|my|your|its|an?|this|it|it's|that|that's", "is|costs|counts|are|makes|it is|it's"
        fact = rf"(?:(?:{before}) )*(?:{about})?(?: (?:{behind}))*"
        for act in self.acts.values():
            said = rf"(?:i |i'll )?(?:{act.said})(?: (?:it|anything|everything|any|all|cards?|the card|only))*"
            forms = (
                rf"{said}(?P<having> with)?(?: of| from| on| at| an?| for| offers?)* {_COMPARED}",
                rf"{said},? (?:if|when|whenever|once|on|with) {fact} ?{_COMPARED}(?: (?:it|or so|in it|card))?",
                rf"(?:if|when|whenever|once|on|with) {fact} ?{_COMPARED},? (?:then )?{said}",
                rf"{said} (?:(?P<how>until|to|till)|at|from|on|once|when|as soon as) {fact} ?(?P<bare>\d+)(?: or more)?",
            )
            for form in forms:
                found = re.fullmatch(form, part)
                if found is None:
                    continue
                groups = found.groupdict()
                of = next((name for name in self.facts if groups.get(name)), act.of)
                of = act.having if groups.get("having") and act.having else of
                if not of:
                    continue
                if groups.get("bare"):
                    is_until = bool(groups["how"])
                    if (is_until and not act.otherwise) or (act.until and not is_until):
                        continue  # `freeze until 18`, `hit at 17`
                    bound = int(groups["bare"])
                    return self._checked(Rule(act.command, of, *((_LEAST, bound - 1) if is_until else (bound, _MOST))))
                bound = int(groups["number"])
                if act.way and of == act.of and groups["than"] != act.way:
                    raise NeverFires(DOUBTFUL)
                return self._checked(
                    Rule(act.command, of, *((bound, _MOST) if groups["than"] == "more" else (_LEAST, bound)))
                )
        return None

    def _say(self, rules: tuple[Rule, ...], lasting: Lasting) -> str:
        """The canonical words of these rules, which read as themselves."""
        said = []
        for rule in rules:
            if not rule.fact:
                said.append(f"{'else' if len(rules) > 1 else 'always'} {rule.words or rule.command}")
                continue
            act, names = self.acts[rule.command], self.facts[rule.fact].words or {}
            bound = rule.most if rule.least == _LEAST else rule.least
            word = next((word for word, value in names.items() if value == bound), "")
            compared = f"{bound} or {'less' if bound == rule.most else 'more'}"
            if word and act.of == rule.fact and self.facts[rule.fact].most == len(names):
                said.append(f"{act.command} with a {word} or {'worse' if bound == rule.most else 'better'}")
            elif act.until and bound == rule.most:
                said.append(f"{act.command} until {bound + 1}")
            else:
                said.append(f"{act.command}{'' if act.of == rule.fact else f' if {rule.fact} is'} {compared}")
        return ", ".join((*said, *((lasting,) if lasting else ())))

    def _checked(self, rule: Rule) -> Rule:
        """The rule; of a value by name that its fact never is (a pair, and somebody says `an ace`), about the fact that is."""
        fact = self.facts[rule.fact]
        named = (replace(rule, fact=name) for name, other in self.facts.items() if fact.words and other.words)
        if not self._is_possible(rule):
            rule = next(filter(self._is_possible, named), rule)
        if not self._is_possible(rule):
            raise NeverFires(
                f"That order would never do anything: the {rule.fact} is a number from {fact.least} to {fact.most}."
            )
        return rule

    def _is_possible(self, rule: Rule) -> bool:
        fact = self.facts[rule.fact]
        return rule.least <= fact.most and rule.most >= fact.least


_LEAST, _MOST = -1_000_000_000, 1_000_000_000


def _normal(text: str, words: Mapping[str, int]) -> str:
    """A text folded, its comparisons in canonical words."""
    said = _COURTESY.sub("", _UNTIL.sub("until", " ".join(plain(text).strip(" .!").split())))
    for word, value in words.items():
        said = re.sub(
            rf"\b(?:an? )?{re.escape(word)}(?= (?:or|and) (?:better|more|higher|less|worse|up))", str(value), said
        )
    for expression, form, more in _SAID_AS:

        def compared(found: re.Match[str], form: str = form, more: int = more) -> str:
            value = _value(found[1])
            return found[0] if value is None else form.format(value + more)

        said = re.sub(expression, compared, said)
    return said


def _without_scope(said: str) -> tuple[str, Lasting]:
    """A text without the words that say how long an order lasts, and how long that is."""
    for expression, how in _LASTING:
        shorter = expression.sub(" ", said)
        if shorter != said:
            return " ".join(shorter.replace(" ,", ",").split()).strip(" ,"), how
    return said, ""


def scope_in(text: str) -> Lasting:
    """How long an order lasts that somebody gives in a folded text; empty where it does not say, or says that it stands."""
    return "" if _FOR_GOOD.search(text) else _without_scope(text)[1]


def _now(words: str, seen: Facts) -> str:
    """Words with the facts of this moment. Raises `NeverFires` where one of them is not there."""
    for name in re.findall(r"{(\w+)}", words):
        if name not in seen:
            raise NeverFires(f"There is no {name} yet that could be the same; write the {name} itself.")
    return words.format(**seen)


def _value(said: str) -> int | None:
    digits = said.replace(",", "")
    return int(digits) if digits.isdecimal() else NUMBERS.get(said)


def command_of(order: Order, orders: Orders, seen: Facts, offered: Collection[str]) -> str:
    """The command that an order gives now, empty for none: by what the seat sees, of the verbs that are `offered` to it."""
    is_about = any(rule.fact in seen for rule in order.rules if rule.fact)
    for rule in order.rules:
        if rule.fact:
            value = seen.get(rule.fact)
            if not isinstance(value, int) or not rule.least <= value <= rule.most:
                continue
        elif order.is_conditional and not is_about:
            continue
        act = orders.acts.get(rule.command)
        for command in (rule.command, *(act.instead if act else ())):
            names = re.findall(r"{(\w+)}", command)
            if command.split()[0] in offered and all(name in seen for name in names):
                return command.format(**seen)
    return ""


def lasts(order: Order, seen: Facts) -> str:
    """The scope of an order: the round that it was given for, empty where it outlives that."""
    return str(seen.get("round", "")) if order.lasting == "this round" else ""
