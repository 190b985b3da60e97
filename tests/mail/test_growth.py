"""Nothing that meets mail takes more than linear time: patterns, readers and games, on what strangers may make.

Measured is how the processor's time grows where the size doubles, never how long something takes on this machine; only
what a whole mail may take has a limit in seconds, far above what it takes anywhere.
"""

import ast
import importlib
import inspect
import pkgutil
import re
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from types import FrameType, ModuleType
from typing import Any

import pytest

import host
from host import grammar
from host.chance import Chance
from host.games import GAMES
from host.mail.bounce import read_bounce
from host.mail.bounded import parse
from host.mail.glance import glance
from host.mail.page import html_to_text
from host.mail.quotation import SentText, may_quote, read_lines
from host.mail.reply import open_mail
from host.mail.sender import has_failed, topmost_id
from host.mail.silence import why_silent
from host.play.episode import Reply, hear
from host.play.lobby import read_form
from tests.fuzz.checks import states
from tests.mail.attacks import attacks
from tests.mail.hostile import MAX_BYTES, SHAPES, TOKEN

Cost = Callable[[int], float]

FLOOR = 0.02
"""Seconds of the processor below which nothing is compared: they are noise."""
LONGEST = 1.5
"""Seconds after which no larger size is tried."""
STEEP = 3.0
"""Linear is 2, the square is 4."""
SECONDS = 3.0
"""What a mail of the largest size may take; the aim is a tenth of it."""


class TooLong(Exception):
    """The time of one step is over."""


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise TooLong


def seconds(action: Callable[[], object], tries: int = 2) -> float:
    """The processor's time that an action takes, at best; no more than `LONGEST`."""
    best = LONGEST
    before = signal.signal(signal.SIGVTALRM, _stop)
    try:
        for _ in range(tries):
            signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
            since = time.process_time()
            try:
                action()
            except TooLong:
                return LONGEST
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            best = min(best, time.process_time() - since)
            if best < FLOOR:
                break
    finally:
        signal.signal(signal.SIGVTALRM, before)
    return best


def growth(cost: Cost, size: int, largest: int) -> list[float]:
    """What each doubling of the size costs, where the cost is clearly more than doubled twice in a row; else nothing.

    What takes no time worth measuring at a large size is not measured further.
    """
    first = min(size * 16, largest)
    if cost(size) < FLOOR and cost(first) < FLOOR:
        return []
    costs = [cost(size)]
    steep = 0
    while size < largest and costs[-1] < LONGEST:
        size *= 2
        costs.append(cost(size))
        steep = steep + 1 if costs[-2] >= FLOOR / 4 and costs[-1] > max(FLOOR, STEEP * costs[-2]) else 0
        if steep == 2:
            return costs
    return costs if costs[-1] >= LONGEST else []


def of(action: Callable[[Any], object], make: Callable[[int], Any]) -> Cost:
    """What an action costs on what is made."""

    def cost(size: int) -> float:
        made = make(size)
        return seconds(lambda: action(made))

    return cost


# Patterns

READS = ("mail", "play", "turn")
ROOM_READS = ("commands", "answers", "bank")
OTHERS = ("host.grammar", "host.vocabulary", "host.logs", "host.game", "host.cards")
SCANS = {"findall", "finditer", "sub", "subn", "split"}
USES = SCANS | {"search", "match", "fullmatch"}


def readers() -> list[ModuleType]:
    """The modules that meet mail, or text that people typed."""
    names = [
        each.name
        for each in pkgutil.walk_packages(host.__path__, "host.")
        if each.name.split(".")[1] in READS
        or (each.name.split(".")[1] == "games" and each.name.rpartition(".")[2] in ROOM_READS)
    ]
    return [importlib.import_module(name) for name in (*names, *OTHERS)]


def uses(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Names in a module, and which methods of patterns are taken from them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in USES:
            value = node.value
            if isinstance(value, ast.Name | ast.Attribute):
                yield (value.id if isinstance(value, ast.Name) else value.attr), node.attr


def inline(tree: ast.AST) -> Iterator[tuple[int, "re.Pattern[Any]", str]]:
    """Patterns that are written where they are used."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in USES:
            first = node.args[0] if node.args else None
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "re" and isinstance(first, ast.Constant):
                yield node.lineno, re.compile(first.value), node.func.attr


def patterns_in(name: str, value: object) -> Iterator[tuple[str, "re.Pattern[Any]"]]:
    """The patterns in the value of an attribute, in lists and tables too."""
    if isinstance(value, re.Pattern):
        yield name, value
    elif isinstance(value, Mapping):
        yield from (found for key, each in value.items() for found in patterns_in(f"{name}[{key!r}]", each))
    elif isinstance(value, tuple | list | set | frozenset):
        yield from (found for at, each in enumerate(value) for found in patterns_in(f"{name}[{at}]", each))


def collected() -> dict[str, tuple["re.Pattern[Any]", frozenset[str]]]:
    """Every pattern in these modules, with the methods that are used of it."""
    modules = readers()
    trees = {module.__name__: ast.parse(inspect.getsource(module)) for module in modules}
    used = {name: set(uses(tree)) for name, tree in trees.items()}
    anywhere = set().union(*used.values())
    found: dict[str, tuple[re.Pattern[Any], frozenset[str]]] = {}
    for module in modules:
        for attribute, value in vars(module).items():
            for name, pattern in patterns_in(attribute, value):
                own = {use for owner, use in used[module.__name__] if owner == attribute}
                methods = own or {use for owner, use in anywhere if owner == attribute}
                loose = {use for owner, use in used[module.__name__] if owner.islower() and owner != "re"}
                found[f"{module.__name__}.{name}"] = pattern, frozenset(methods or loose or {"search"})
        for line, pattern, use in inline(trees[module.__name__]):
            found[f"{module.__name__}:{line}"] = pattern, frozenset({use})
    return {name: each for name, each in found.items() if not name.startswith("host.mail.oauth.")}


PATTERNS = collected()


def use_of(pattern: "re.Pattern[Any]", method: str) -> Callable[[Any], object]:
    if method in SCANS:
        return lambda text: sum(1 for _ in pattern.finditer(text))
    found: Callable[[Any], object] = getattr(pattern, method)
    return found


def encoded(pattern: "re.Pattern[Any]", make: Callable[[int], str]) -> Callable[[int], Any]:
    return make if isinstance(pattern.pattern, str) else lambda size: make(size).encode("latin-1", "replace")


def steepest(pattern: "re.Pattern[Any]", methods: frozenset[str]) -> list[str]:
    """The strings on which a pattern takes more than linear time."""
    kinds = {"findall" if each in SCANS else each for each in methods}
    return [
        f"{kind} of {what}: {[round(each, 4) for each in costs]}"
        for what, make in attacks(pattern)
        for kind in sorted(kinds)
        if (costs := growth(of(use_of(pattern, kind), encoded(pattern, make)), 512, 65_536))
    ]


def test_the_patterns_are_found() -> None:
    names = set(PATTERNS)
    assert len(names) > 100
    assert {"host.mail.quotation._RULE", "host.play.lobby._LABELS[0][1]", "host.grammar._BREAK"} <= names


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_is_linear(name: str) -> None:
    pattern, methods = PATTERNS[name]
    found = steepest(pattern, methods)
    assert not found, f"{pattern.pattern!r}: " + "; ".join(found[:5])
