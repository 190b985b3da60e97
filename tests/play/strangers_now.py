"""Replies of people whom nobody had seen, and what is made of them: `python -m tests.play.strangers_now [-v]`.

`strangers/setN.jsonl` hold some 200 replies each, of all games, by writers who saw a letter and nothing of the reader.
`meant` are the commands that they mean; `fair` is what a careful host would do: `play`, `ask`, or `talk`, where there is no
move in it. A set is measured once before the reader is mended on what it shows; `docs/performance.md` has those figures.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from host.cli.terminal import tell
from host.cli.tools import typed_in
from host.engine import record
from host.engine.game import NotYet, Refusal
from host.engine.grammar import words
from host.engine.words import plain
from host.play.answers import bared
from host.play.interpret import MOST_OFFERED, commands_of, read
from host.play.premoves import order_of
from tests.play.judging import played_to_its_end, seated

FOLDER = Path(__file__).parent / "strangers"
SETS = tuple(f"set{number}" for number in range(1, 41))
NONSENSE = ("answer neither of them",)
"""Two wrong answers lead to the same table as this one, whatever they are."""
Verdict = Literal["played", "asked rightly", "asked though plain", "wrong"]


@dataclass(frozen=True)
class Reply:
    """What the player `seat` wrote at the end of a record."""

    id: str
    position: str
    seat: str
    text: str
    meant: Sequence[str]
    fair: Literal["play", "ask", "talk"]


@dataclass(frozen=True)
class Judged:
    """What was made of a reply: the verdict, the commands played, the place of what is meant among the buttons (0: none)."""

    verdict: Verdict
    played: tuple[str, ...]
    place: int | None = None


def replies(name: str) -> Iterator[Reply]:
    """The replies of a set."""
    for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines():
        yield Reply(**json.loads(line))


def position(reply: Reply) -> tuple[record.Header, record.Replay]:
    """The record whose last letter a reply answers."""
    return played_to_its_end(FOLDER / "positions" / f"{reply.position}.jsonl")


def judged(reply: Reply) -> Judged:
    """What is made of a reply, its standing orders included. A plan that the rules refuse at once plays nothing: it is asked."""
    header, replay = position(reply)
    game = replay.game
    seat, context = seated(header, replay, reply.seat)
    found = read(game, replay.state, seat, typed_in(reply.text).split("\n"), context)
    played, state = play(replay, seat, (*(each.text for each in found.plan), *found.orders))
    meant, wanted = play(replay, seat, reply.meant)
    is_known = wanted != play(replay, seat, NONSENSE)[1]

    def is_meant(said: Sequence[str], after: Any) -> bool:
        return _same(said) == _same(meant) or (after == wanted and (is_known or _is_text(said, meant)))

    if played:
        return Judged("played" if is_meant(played, state) and reply.fair != "talk" else "wrong", played)
    verdict: Verdict = "asked though plain" if reply.fair == "play" else "asked rightly"
    if not (found.question and meant):
        return Judged(verdict, ())
    buttons = [play(replay, seat, commands_of(game, each)) for each in found.question.readings[:MOST_OFFERED]]
    places = (place for place, (said, after) in enumerate(buttons, 1) if said and is_meant(said, after))
    return Judged(verdict, (), next(places, 0))


def _same(commands: Sequence[str]) -> tuple[object, ...]:
    """The commands without what makes no difference: the order of armies and of their cards, commanders without any, articles,
    a move that an order beside it gives at once (`always bet 5`)."""
    return tuple(
        _armies(each) if each.startswith("deploy ") else _words(each) if each.startswith("answer ") else each
        for each in commands
        if f"always {each}" not in commands
    )


def _words(answer: str) -> tuple[str, ...]:
    """An answer without articles, its numbers in digits."""
    return ("answer", *words(bared(answer.partition(" ")[2])))


def _is_text(played: Sequence[str], meant: Sequence[str]) -> bool:
    """Is what is played as free text in what is meant, or that in it?"""
    said, wanted = (
        [plain(each.partition(" ")[2]) for each in commands if each.startswith("answer ")]
        for commands in (played, meant)
    )
    return not (said and wanted) or said[0] in wanted[0] or wanted[0] in said[0]


def _armies(deployment: str) -> frozenset[tuple[str, frozenset[str]]]:
    armies: dict[str, set[str]] = {}
    for card in deployment.split()[1:]:
        if card[0] in "AKQJ":
            army = armies.setdefault(card, set())
        else:
            army.add(card)
    return frozenset((commander, frozenset(cards)) for commander, cards in armies.items() if cards)


def play(replay: record.Replay, seat: int, texts: Sequence[str]) -> tuple[tuple[str, ...], Any]:
    """The commands up to the first that the rules refuse with the orders behind them, and the state and the orders after them.

    The rules of an order stand in one row, whichever its writer had them in. That it is for one card alone is not told apart:
    those who wrote down what is meant knew no word for it.
    """
    game, state, said, orders = replay.game, replay.state, list[str](), set[str]()
    for text in texts:
        if order_of(game, text):
            text = text.removesuffix(", once")
            order = game.orders.read(text) if game.orders else None  # `queen or more` is 12 or more
            text = order.text if order else text
            orders.add(", ".join(sorted(text.split(", "), key=lambda rule: (rule.startswith("else"), rule))))
            continue
        try:
            command = game.parse(text, state, seat)
            state = game.apply(state, seat, command, replay.chance).state
        except NotYet:
            if not said:
                break
            command = game.parse(text, state, seat)
        except Refusal:
            break
        said.append(game.say(command))
    return (*said, *sorted(orders)), (state, orders)


def main(arguments: list[str]) -> int:
    """Print the figures of each set; with `-v` what is played wrong and what is asked though plain."""
    for name in SETS:
        verdicts = Counter[Verdict]()
        places: list[int] = []
        for reply in replies(name):
            found = judged(reply)
            verdicts[found.verdict] += 1
            places += [] if found.place is None else [found.place]
            if "-v" in arguments and found.verdict in ("wrong", "asked though plain"):
                tell(f"{found.verdict}: {reply.id} {reply.text!r} means {reply.meant}, played {found.played}")
        plain = sum(reply.fair == "play" for reply in replies(name))
        first, three = (sum(0 < place <= most for place in places) / len(places) for most in (1, 3))
        tell(
            f"{name}: wrong {verdicts['wrong'] / verdicts.total():.1%}, "
            f"asked though plain {verdicts['asked though plain'] / plain:.0%} of {plain}, "
            f"of {len(places)} asked the meant command first {first:.0%}, among three {three:.0%}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
