"""Canonical commands written as people write: slips, case, courtesies, repetitions, corrections. None may play another command.

`python -m tests.play.variants 50` tries fifty rounds with other episodes, `--from 7` begins with round 7. A round takes of each
room, phase and kind of move some commands that are offered somewhere in an episode, and of each of these twenty variants.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from host.cli.terminal import tell
from host.engine.chance import Chance
from host.engine.game import HOST, Game, Refusal
from host.games import GAMES
from host.play.interpret import interpret
from host.play.interpretation import ReplyContext
from tests.games.playouts import names, playout, spoken

VARIANTS = 20
"""Variants of a command."""
PLAYOUTS = 3
"""Episodes of a room in which a round looks."""
OF_A_KIND = 2
"""Commands of a phase and kind of move that a round tries."""
SLIPS_FROM = 5
"""Letters from which on a word gets any slip; in a shorter one two letters are swapped."""

_NEAR = {"a": "s", "e": "r", "i": "o", "o": "p", "u": "y", "t": "r", "n": "m", "r": "t", "s": "d", "l": "k", "c": "v"}
"""The key beside a key."""
_BEFORE = (
    "please {}",
    "I'd like to {}",
    "I would like to {}, please",
    "ok, {}",
    "Well then, {}",
    "hi, {}",
    "let me {}",
    "yes, {}",
    "Sure. {}",
    "Fine: {}",
    "all right - {}",
)
_BEHIND = (
    "{}, please",
    "{} please",
    "{}. Thank you!",
    "{}, thanks",
    "{}. Cheers",
    "{} if I may",
    "{}. Good luck everyone!",
    "{}. OK?",
    "{}, ok",
)
_EMOJI = ("{} 🙂", "{} 🙏", "😀 {}", "{}!! 🎉", "{} 🤞🤞")
_GREETINGS = ("Hi,", "Hello,", "Good evening,", "Dear all,", "Hey there!")
_SIGNATURES = ("Best,\n{}", "Thanks,\n{}", "Cheers\n{}", "-- \n{}", "Kind regards,\n{}", "{}")
_INSTEAD = (
    "{}, no wait, {}",
    "{}. Sorry, I meant {}",
    "{}... no, {}",
    "{}. No wait, {}",
    "{}\nSorry, I meant {}",
    "{} - scratch that, {}",
)


@dataclass(frozen=True)
class Offered:
    """Commands that a letter offers to `seat`, legal one after the other; `others` are single ones that it offers besides."""

    game: Game[Any, Any]
    where: str
    state: Any
    chance: Chance
    seat: int
    players: tuple[str, ...]
    commands: tuple[str, ...]
    has_text: bool
    others: tuple[str, ...]


@dataclass(frozen=True)
class Variant:
    """A text, and the commands that it means."""

    kind: str
    text: str
    means: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """A variant of which something was played that it does not mean."""

    where: str
    variant: Variant
    played: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{self.where}: {self.variant.kind} {self.variant.text!r} means {self.variant.means}, played {self.played}"
        )


@dataclass
class Tally:
    """By kind, how many variants there were, and how many of them played all that they mean; what is wrong."""

    tried: Counter[str] = field(default_factory=Counter)
    played: Counter[str] = field(default_factory=Counter)
    wrong: list[Finding] = field(default_factory=list)

    def count(self, variant: Variant, result: Finding | int) -> None:
        self.tried[variant.kind] += 1
        if isinstance(result, Finding):
            self.wrong.append(result)
        else:
            self.played[variant.kind] += result == len(variant.means)

    def __str__(self) -> str:
        shares = ", ".join(f"{kind} {self.played[kind]} of {count}" for kind, count in self.tried.items())
        whole = f"{self.played.total()} of {self.tried.total()} variants played as meant"
        return f"{whole} ({shares}), {len(self.wrong)} wrong"


def offered(slug: str, number: int) -> list[Offered]:
    """Commands of each phase and kind of move in round `number` of a room."""
    rng = random.Random(f"{slug} {number}")
    found: dict[tuple[str, str], list[Offered]] = {}
    seen: Counter[tuple[str, str]] = Counter()
    for which in range(number * PLAYOUTS, (number + 1) * PLAYOUTS):
        episode = playout(slug, which)
        for at, state in enumerate(episode.states):
            for question in episode.game.questions(state):
                choices = episode.game.choices(state, question)
                alone = tuple(dict.fromkeys(each.say[0] for each in choices if len(each.say) == 1 and not each.text))
                for choice in choices:
                    key = state.phase, choice.kind
                    seen[key] += 1
                    kept = found.setdefault(key, [])
                    place = len(kept) if len(kept) < OF_A_KIND else rng.randrange(seen[key])
                    if place < OF_A_KIND:
                        kept[place : place + 1] = [
                            Offered(
                                episode.game,
                                f"{slug} playout {which} step {at} {state.phase}",
                                state,
                                episode.chance,
                                question.seat,
                                names(episode.seats),
                                spoken(choice),
                                bool(choice.text),
                                tuple(each for each in alone if each not in choice.say),
                            )
                        ]
    return [each for kept in found.values() for each in kept]


def variants(offer: Offered, rng: random.Random) -> Iterator[Variant]:
    """`VARIANTS` ways to write an offered command, and what each means."""
    makers = _OF_TEXT if offer.has_text else _OF_COMMANDS
    if len(offer.commands) == 1 and _rivals(offer):
        makers = (*makers, *([("correction", _corrected)] * max(2, len(makers) // 2)))
    for at in range(VARIANTS):
        kind, make = makers[at % len(makers)]
        yield Variant(kind, make(offer, rng), offer.commands)


def tried(offer: Offered, variant: Variant) -> Finding | int:
    """How many of its commands a variant plays, or offers first where it corrects; or what is wrong where it plays other ones."""
    keys = frozenset(each.key for each in offer.game.questions(offer.state) if each.seat == offer.seat)
    reply = ReplyContext(keys, names=offer.players)
    found = interpret(offer.game, offer.state, offer.seat, variant.text.split("\n"), reply, offer.chance)
    played = (*found.said, *(each.text for each in found.ahead))
    means = canonical(offer, variant.means)
    if variant.kind == "correction" and found.refused and not played:  # it is asked, the later wish first
        return len(means) if found.refused.readings[:1] == means[:1] else 0
    if [each.casefold() for each in played] == [each.casefold() for each in means[: len(played)]]:
        return len(played)
    return Finding(offer.where, variant, played)


def canonical(offer: Offered, commands: Sequence[str]) -> tuple[str, ...]:
    """Commands as they are recorded, played one after the other."""
    found, state = [], offer.state
    for text in commands:
        command = offer.game.parse(text, state, offer.seat)
        found.append(offer.game.say(command))
        state = offer.game.apply(state, offer.seat, command, offer.chance).state
    return tuple(found)


def tally(slug: str, number: int) -> Tally:
    """Every variant of a round of a room."""
    rng, found = random.Random(f"variants {slug} {number}"), Tally()
    for offer in offered(slug, number):
        for variant in variants(offer, rng):
            found.count(variant, tried(offer, variant))
    return found


# Ways to write


def _line(offer: Offered, rng: random.Random) -> str:
    return rng.choice((", ", " and ", ", then ")).join(offer.commands)


def _slip(offer: Offered, rng: random.Random) -> str:
    """One slip in one word."""
    text = ", ".join(offer.commands)
    places = [(start, end) for start, end in _words(text) if end - start > 2]
    if not places:
        return text
    start, end = rng.choice([each for each in places if each[1] - each[0] >= SLIPS_FROM] or places)
    return text[:start] + _slipped(text[start:end], rng) + text[end:]


def _words(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for word in text.split(" "):
        letters = word.rstrip(",")
        if letters.isalpha():
            yield at, at + len(letters)
        at += len(word) + 1


def _slipped(word: str, rng: random.Random) -> str:
    at = rng.randrange(len(word) - 1)
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if len(word) < SLIPS_FROM:
        return swapped
    return rng.choice(
        (
            swapped,
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + _NEAR.get(word[at], "x") + word[at + 1 :],
        )
    )


def _cased(offer: Offered, rng: random.Random) -> str:
    return rng.choice((str.upper, str.lower, str.title))(_line(offer, rng))


def _courteous(offer: Offered, rng: random.Random) -> str:
    return rng.choice((*_BEFORE, *_BEHIND)).format(_line(offer, rng))


def _with_emoji(offer: Offered, rng: random.Random) -> str:
    return rng.choice(_EMOJI).format(_line(offer, rng))


def _letter(offer: Offered, rng: random.Random) -> str:
    """With a greeting and a signature on lines of their own; with several commands, one on each line."""
    signature = "Ann" if offer.seat == HOST else offer.players[offer.seat].title()
    body = "\n".join(offer.commands) if rng.random() < 0.5 or offer.has_text else _line(offer, rng)
    return f"{rng.choice(_GREETINGS)}\n\n{body}\n\n{rng.choice(_SIGNATURES).format(signature)}"


def _repeated(offer: Offered, rng: random.Random) -> str:
    text = ", ".join(offer.commands)
    return rng.choice((f"{text}! {text.capitalize()}!", f"{text.capitalize()}! {text}", f"{text}!! {text}!!"))


def _corrected(offer: Offered, rng: random.Random) -> str:
    return rng.choice(_INSTEAD).format(rng.choice(_rivals(offer)), offer.commands[0])


def _rivals(offer: Offered) -> tuple[str, ...]:
    """Other commands in whose place this one can stand: not both of them are wanted."""
    return tuple(each for each in offer.others if not _go_together(offer, each))


def _go_together(offer: Offered, other: str) -> bool:
    """Are both asked for, one after the other?"""
    try:
        canonical(offer, (other, *offer.commands))
    except Refusal:
        return False
    return other.split()[0] != offer.commands[0].split()[0]


_OF_COMMANDS: tuple[tuple[str, Callable[[Offered, random.Random], str]], ...] = (
    ("slip", _slip),
    ("case", _cased),
    ("slip", _slip),
    ("courtesy", _courteous),
    ("emoji", _with_emoji),
    ("letter", _letter),
    ("repetition", _repeated),
    ("courtesy", _courteous),
)
_OF_TEXT: tuple[tuple[str, Callable[[Offered, random.Random], str]], ...] = (("case", _cased), ("letter", _letter))


def main(arguments: Sequence[str]) -> int:
    """Try rounds; the status says whether anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.play.variants")
    parser.add_argument("rounds", type=int)
    parser.add_argument("--from", type=int, default=0, dest="first")
    given = parser.parse_args(arguments)
    whole = Tally()
    for number in range(given.first, given.first + given.rounds):
        for slug in GAMES:
            found = tally(slug, number)
            for each in found.wrong:
                tell(each)
            whole.tried += found.tried
            whole.played += found.played
            whole.wrong += found.wrong
        playout.cache_clear()
    tell(whole)
    return 1 if whole.wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
