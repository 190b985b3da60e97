"""What people write, with what they mean by it, held against what the reader makes of it."""

import functools
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from host.engine import record
from host.engine.game import Refusal
from host.games import GAMES
from host.play.interpret import MOST_OFFERED, Seated, play_plan, read
from host.play.interpretation import Read, ReplyContext
from host.play.taking_back import asked_instead

SAYINGS = Path(__file__).parent / "sayings"
KNOWN = SAYINGS / "known.toml"
FILES = sorted(file.stem for file in SAYINGS.glob("*.jsonl"))

Verdict = Literal["played", "answered", "asked", "misread"]
"""Of a saying: `played` as it is meant; nothing was played, as is right, and it was asked, served or passed on: `answered`;
`asked`, or played in part, though it is plain; something was played that it does not mean: `misread`."""


@dataclass(frozen=True)
class Saying:
    """What the player `seat` writes at the end of a record, and what a kind and careful host would accept.

    `means` are outcomes, the best first: `commands` in order, `ask` (with the commands that are plain all the same),
    `services`, `to_host`, `nothing`. `never` are commands that it does not mean, whatever else it may.
    """

    id: str
    position: str
    seat: str
    kind: str
    text: str
    means: Sequence[Mapping[str, Any]]
    never: Sequence[str] = ()


def sayings(file: str) -> Iterator[Saying]:
    """The sayings of a room and phase, by the name of their file."""
    for line in (SAYINGS / f"{file}.jsonl").read_text("utf-8").splitlines():
        yield Saying(**json.loads(line))


def known() -> tuple[list[str], dict[str, str]]:
    """The ids of sayings that are asked back though they are plain, and of those that are misread, with a word why."""
    found = tomllib.loads(KNOWN.read_text("utf-8"))
    return found["asked"], found["misread"]


def plan(name: str, text: str) -> tuple[str, ...]:
    """The commands that are played at once of what the first who is asked at the end of a record of the sayings writes."""
    return tuple(each.text for each in _reading(name, text).plan)


def offered(name: str, text: str) -> tuple[str, ...]:
    """The readings that are offered of it, where it is asked about."""
    question = _reading(name, text).question
    return question.readings if question else ()


def _reading(name: str, text: str) -> Read:
    header, replay = position(name)
    asked = next(each.seat for each in replay.game.questions(replay.state))
    seat, context = seated(header, replay, header.players[asked])
    return read(replay.game, replay.state, seat, text.split("\n"), context)


@functools.cache
def played_to_its_end(file: Path) -> tuple[record.Header, record.Replay]:
    """A record, played to its end."""
    found = record.read(file.read_bytes(), GAMES)
    replay = record.Replay(GAMES[found.header.game], found.header)
    for line in found.lines:
        refused = replay.step(line)
        assert refused is None, f"{file.stem}: {refused}"
    return found.header, replay


def position(name: str) -> tuple[record.Header, record.Replay]:
    """A record of `sayings/positions`, played to its end."""
    return played_to_its_end(SAYINGS / "positions" / f"{name}.jsonl")


def seated(header: record.Header, replay: record.Replay, name: str) -> tuple[int, ReplyContext]:
    """The seat of a player at the end of a record, and a reply to its letter where nothing else was written before."""
    seat = header.players.index(name)
    mine = frozenset(each.key for each in replay.game.questions(replay.state) if each.seat == seat)
    return seat, ReplyContext(mine, is_unasked=not mine, names=header.players)


BETTER_ASKED = frozenset(("correction", "condition", "negation", "repetition"))
"""Kinds of sayings that a careful host asks about, though most people would guess right."""


def heard(saying: Saying) -> tuple[Read, tuple[str, ...]]:
    """A saying as it is read where nothing else was written before, and the readings that would be offered."""
    header, replay = position(saying.position)
    seat, reply = seated(header, replay, saying.seat)
    lines = saying.text.split("\n")
    instead = asked_instead(lines)
    found = read(replay.game, replay.state, seat, lines if instead is None else instead, reply)
    readings = found.question.readings if found.question else ()
    return found, readings[:MOST_OFFERED]


def judged(saying: Saying) -> tuple[Verdict, tuple[str, ...]]:
    """What became of a saying, and the commands of it that the rules took, or keep until they are asked for."""
    found, _ = heard(saying)
    header, replay = position(saying.position)
    seat, reply = seated(header, replay, saying.seat)
    played = play_plan(Seated(replay.game, replay.state, seat, reply, replay.chance), found)
    said = (*played.said, *(each.text for each in played.ahead))
    return _verdict(saying, found, tuple(map(str.casefold, said))), said


def rank(saying: Saying) -> int | None:
    """The place of what is meant among the readings of a saying that is asked about, from 1; 0: not there; None: not asked."""
    found, readings = heard(saying)
    meant = next((means["commands"] for means in saying.means if "commands" in means), None)
    if not found.question or meant is None:
        return None
    wanted = ", ".join(canonical(saying, each) for each in meant)
    places = [each.casefold() for each in readings]
    return places.index(wanted) + 1 if wanted in places else 0


def _verdict(saying: Saying, found: Read, said: tuple[str, ...]) -> Verdict:
    never = {canonical(saying, each) for each in saying.never}
    wanted = [
        (tuple(canonical(saying, each) for each in means.get("commands", ())), "ask" in means) for means in saying.means
    ]
    if said:
        if not never.isdisjoint(said):
            return "misread"
        if any(said == commands or (may_ask and commands[: len(said)] == said) for commands, may_ask in wanted):
            return "played"
        return "asked" if any(commands[: len(said)] == said for commands, _ in wanted) else "misread"
    if found.question and saying.kind in BETTER_ASKED:
        return "answered"
    return "answered" if any(_is_answered(saying, means, found) for means in saying.means) else "asked"


def _is_answered(saying: Saying, means: Mapping[str, Any], found: Read) -> bool:
    """Is this outcome one in which nothing is played, and did it come about?"""
    if "services" not in means:
        return "commands" not in means or "ask" in means
    served = {*found.services, *(("host",) if found.to_host else ())}
    if asked_instead(saying.text.split("\n")) is not None:
        served.add("undo")
    return served.issuperset(means["services"])


def canonical(saying: Saying, command: str) -> str:
    """A command as the room says it, folded; as it stands where it is none."""
    header, replay = position(saying.position)
    try:
        parsed = replay.game.parse(command, replay.state, header.players.index(saying.seat))
    except Refusal:
        return command.casefold()
    return replay.game.say(parsed).casefold()
