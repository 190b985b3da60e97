"""Pure: registration, queue and champion. In: a form's lines, who waits, the game's settings. Out: what to do next."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

QUIET_AFTER = timedelta(hours=72)
READY_WITHIN = timedelta(hours=48)
"""After a `not now`."""
CONFIRM_WITHIN = timedelta(days=7)

_LABELS = (
    (
        "nickname",
        re.compile(
            r"(?:name you go by\b[^:(]*|nick ?name|nick|handle|alias|screen ?name|user ?name|name at tgsf|tgsf name)",
            re.I,
        ),
    ),
    ("hometown", re.compile(r"(?:home ?town|town|city|home|from|where you(?:'re| are) from)", re.I)),
    ("name", re.compile(r"(?:(?:my |full |real |your )?name)", re.I)),
)
_ASIDE = re.compile(r"\([^()]*\)")
MAX_FIELD = 100


@dataclass(frozen=True)
class Form:
    """What a registration said; empty where it did not."""

    name: str = ""
    nickname: str = ""
    hometown: str = ""


def read_form(lines: Sequence[str]) -> Form:
    """The fields of a registration: `Label: value`, or the value on the next line; text in parentheses is ignored."""
    values: dict[str, str] = {}
    waiting: str | None = None
    for line in _join_asides(lines):
        field, value = _labelled(line)
        if field:
            waiting = None
            if value:
                values.setdefault(field, value)
            elif field not in values:
                waiting = field
        elif waiting:
            value = _clean(line)
            if value:
                values.setdefault(waiting, value)
                waiting = None
    return Form(**values)


def _join_asides(lines: Sequence[str]) -> list[str]:
    """A parenthesis that a mail program wrapped over two lines is one."""
    joined: list[str] = []
    for line in lines:
        if joined and joined[-1].count("(") > joined[-1].count(")"):
            joined[-1] += " " + line
        else:
            joined.append(line)
    return joined


def _labelled(line: str) -> tuple[str, str]:
    plain = _ASIDE.sub("", line).lstrip("*•-> \t")
    label, colon, value = plain.partition(":")
    for field, pattern in _LABELS:
        if colon and pattern.fullmatch(label.strip(" *")):
            return field, _clean(value)
    return "", ""


def _clean(value: str) -> str:
    value = _ASIDE.sub("", value).strip(" *\t")
    return re.sub(r"[\x00-\x1f\x7f]", "", value)[:MAX_FIELD].strip()


@dataclass(frozen=True)
class InQueue:
    """Somebody who could play the next episode. `asked`: a `ready` mail is out; `passed`: silent when last asked."""

    contestant: int
    wrote_at: datetime
    asked: bool = False
    passed: bool = False


@dataclass(frozen=True)
class Plan:
    """What the lobby does next: begin an episode with these contestants in seat order, or ask these to be ready."""

    begin: tuple[int, ...] = ()
    ask: tuple[int, ...] = ()


def plan(queue: Sequence[InQueue], seats: int, now: datetime) -> Plan:
    """Begin with the first `seats` of the queue (the champion stands first in it), once none of them has been quiet."""
    first = [each for each in queue if not each.passed][:seats]
    if len(first) < seats:
        return Plan()
    quiet = [each for each in first if each.asked or each.wrote_at <= now - QUIET_AFTER]
    if quiet:
        return Plan(ask=tuple(each.contestant for each in quiet if not each.asked))
    return Plan(begin=tuple(each.contestant for each in first))
