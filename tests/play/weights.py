"""The weights of the ranking, measured on sayings and strangers' replies: `python -m tests.play.weights [--fit]`.

Of those that are asked about, and of which it is known what they mean: how often that is the first reading, and how often
one of the first three; for the half of them on which `--fit` looks for better weights, and for the half that is held back.
"""

import hashlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from host.cli.terminal import tell
from host.engine.record import Replay
from host.play import ranking
from host.play.clauses import clauses, unsigned
from host.play.interpret import legal, seen_by
from tests.play import strangers_now
from tests.play.judging import FILES, canonical, heard, position, sayings

STEPS = (-1.0, -0.5, -0.25, 0.25, 0.5, 1.0)


@dataclass(frozen=True)
class Case:
    """A saying that is asked about: each legal command with its features, and what is meant."""

    commands: Mapping[str, Mapping[str, float]]
    meant: str

    def place(self, weights: Mapping[str, float]) -> int:
        """The place of what is meant, from 1; 0 where it is not there."""
        scores = {
            command: sum(weights[name] * value for name, value in found.items())
            for command, found in self.commands.items()
        }
        ranked = sorted(scores, key=lambda command: -scores[command])
        return ranked.index(self.meant) + 1 if self.meant in scores else 0


def cases() -> Iterator[tuple[str, Case]]:
    """What is asked about though it means some commands, by its id."""
    for saying in (each for file in FILES for each in sayings(file)):
        found, _ = heard(saying)
        meant: list[str] = next((means["commands"] for means in saying.means if "commands" in means), [])
        if found.question and meant:
            header, replay = position(saying.position)
            commands = [canonical(saying, each) for each in meant]
            yield saying.id, _case(replay, header.players, saying.seat, saying.text, commands)
    for reply in (each for name in strangers_now.SETS for each in strangers_now.replies(name)):
        if strangers_now.judged(reply).place is not None:
            header, replay = strangers_now.position(reply)
            said, _ = strangers_now.play(replay, header.players.index(reply.seat), reply.meant)
            yield reply.id, _case(replay, header.players, reply.seat, reply.text, said)


def _case(replay: Replay, names: Sequence[str], name: str, text: str, meant: Sequence[str]) -> Case:
    seat = names.index(name)
    seen = seen_by(replay.game, replay.state, seat, names)
    text = "\n".join(unsigned(text.split("\n")))
    mentions = ranking.mentions_of(clauses(text, seen.split, seen.put_right), seen)
    can_be = legal(replay.game, replay.state, seat, [command for command, _ in ranking.scored(mentions, seen)])
    mail = ranking.Mail(mentions, seen)
    return Case({each.casefold(): mail.features(each) for each in can_be}, ", ".join(meant).casefold())


def figures(found: list[Case], weights: Mapping[str, float]) -> tuple[float, float]:
    """The shares of those in which what is meant stands first, and among three."""
    places = [each.place(weights) for each in found]
    return sum(place == 1 for place in places) / len(places), sum(0 < place <= 3 for place in places) / len(places)


def fitted(found: list[Case], weights: Mapping[str, float]) -> dict[str, float]:
    """Better weights, found by changing one after the other as long as that helps."""
    best = dict(weights)

    def worth(some: Mapping[str, float]) -> float:
        first, three = figures(found, some)
        return first + three / 2

    while True:
        tries = [{**best, name: best[name] + step} for name in best if name != "excluded" for step in STEPS]
        better = max(tries, key=worth)
        if worth(better) <= worth(best) + 1e-9:
            return best
        best = better


def main(arguments: list[str]) -> int:
    """Print how good the weights are, and with `--fit` better ones."""
    found = list(cases())
    halves: list[list[Case]] = [[], []]
    for name, case in found:
        halves[hashlib.sha256(name.encode()).digest()[0] % 2].append(case)
    weights = ranking.weights()
    sets = [("now", weights), *([("fitted", fitted(halves[0], weights))] if "--fit" in arguments else [])]
    for label, some in sets:
        for half, name in zip(halves, ("looked at", "held back"), strict=True):
            first, three = figures(half, some)
            tell(f"{label}, {name}: {len(half)} sayings, first {first:.0%}, among three {three:.0%}")
        if label == "fitted":
            tell("\n".join(f'"{name}" = {value}' for name, value in some.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
