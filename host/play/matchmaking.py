"""Pure: queue and champion. In: who waits, the game's settings. Out: what to do next."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

QUIET_AFTER = timedelta(hours=72)
READY_WITHIN = timedelta(hours=48)
"""After a `not now`."""
CONFIRM_WITHIN = timedelta(days=7)


@dataclass(frozen=True)
class InQueue:
    """Somebody who could play the next episode. `asked`: a `ready` mail is out; `passed`: silent when last asked."""

    contestant: int
    wrote_at: datetime
    asked: bool = False
    passed: bool = False


@dataclass(frozen=True)
class Plan:
    """The lobby's next step: begin an episode with these contestants in seat order, or ask these to be ready."""

    begin: tuple[int, ...] = ()
    ask: tuple[int, ...] = ()


def plan(queue: Sequence[InQueue], seats: int, now: datetime) -> Plan:
    """Begin with the first `seats` of the queue (the champion stands first in it), once none of them has been quiet."""
    first = [each for each in queue if not each.passed][:seats]
    if len(first) < seats:
        return Plan()
    if any(_is_quiet(each, now) for each in first):
        return Plan(ask=to_ask(first, seats, now))
    return Plan(begin=tuple(each.contestant for each in first))


def to_ask(queue: Sequence[InQueue], count: int, at: datetime) -> tuple[int, ...]:
    """Those of the first `count` of the queue who are quiet at a moment, and are not asked yet whether they are ready."""
    first = [each for each in queue if not each.passed][:count]
    return tuple(each.contestant for each in first if _is_quiet(each, at) and not each.asked)


def _is_quiet(each: InQueue, at: datetime) -> bool:
    return each.asked or each.wrote_at <= at - QUIET_AFTER
