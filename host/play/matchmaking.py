"""Pure: queue and champion. In: who waits, the game's settings. Out: what to do next."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType

QUIET_AFTER = timedelta(hours=72)
READY_WITHIN = timedelta(hours=48)
"""After a `not now`."""
CONFIRM_WITHIN = timedelta(days=7)
NOBODY_MET: Mapping[frozenset[int], int] = MappingProxyType({})


@dataclass(frozen=True)
class InQueue:
    """Somebody who could play the next episode. `asked`: a `ready` mail is out."""

    contestant: int
    wrote_at: datetime
    asked: bool = False


@dataclass(frozen=True)
class Plan:
    """The lobby's next step: begin an episode with these contestants in seat order, or ask these to be ready."""

    begin: tuple[int, ...] = ()
    ask: tuple[int, ...] = ()


def plan(
    queue: Sequence[InQueue], seats: int, now: datetime, tables: int = 1, met: Mapping[frozenset[int], int] = NOBODY_MET
) -> Plan:
    """Begin with the first `seats` of the queue (the champion stands first in it), once none of them has been quiet.

    Where several `tables` can begin, those who play now are the first of the queue still; who sits with whom is by how often two
    have `met`.
    """
    if len(queue) < seats:
        return Plan()
    here = list(itertools.takewhile(lambda each: not _is_quiet(each, now), queue[: seats * tables]))
    if len(here) < seats:
        return Plan(ask=to_ask(queue, seats, now))
    return Plan(begin=_table(here[: len(here) // seats * seats], seats, met))


def _table(playing: Sequence[InQueue], seats: int, met: Mapping[frozenset[int], int]) -> tuple[int, ...]:
    """The first table of all who play now: the first of them, and in turn whoever has met those seated least."""
    left = [each.contestant for each in playing]
    seated = [left.pop(0)]
    while len(seated) < seats:
        least = min(left, key=lambda each: sum(met.get(frozenset((each, other)), 0) for other in seated))
        left.remove(least)
        seated.append(least)
    return tuple(sorted(seated, key=[each.contestant for each in playing].index))


def to_ask(queue: Sequence[InQueue], count: int, at: datetime) -> tuple[int, ...]:
    """Those of the first `count` of the queue who are quiet at a moment, and are not asked yet whether they are ready."""
    return tuple(each.contestant for each in queue[:count] if _is_quiet(each, at) and not each.asked)


def _is_quiet(each: InQueue, at: datetime) -> bool:
    return each.asked or each.wrote_at <= at - QUIET_AFTER
