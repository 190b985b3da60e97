"""Pure: taking back one's last command. In: what somebody wrote; an episode with and without the command. Out: may they?

A command can be taken back while it told nothing to anybody: no other seat may see or have heard anything of it, and to
its writer it showed nothing but itself. So the other seats' views without the command are what they are with it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from host.engine.chance import Chance
from host.engine.events import DeckCut, Event, Shuffled, news
from host.engine.game import HOST, Game, Refusal
from host.engine.words import pattern, plain

_CARD = pattern(r"[2-9TJQKA][cdhs]")
_SORRY = r"(?:(?:oops|ooops|whoops|oh|no|sorry|wait|please|argh|damn|hi|hello)\b[\s,.!…-]*)*"
_MAY_I = r"(?:(?:can|could|may) (?:i|we|you)\b(?: please)? |(?:i(?:'d| would) like to|i want to|let me|i) )?"
_LAST = r"(?:that|it|this|everything|my (?:last )?(?:move|command|answer|bet|reply|turn|mail)|(?:the )?last (?:one|move|command))"
_UNDO = rf"(?:undo(?: {_LAST})?|take {_LAST} back|take back {_LAST}|scratch that|un-?send(?: {_LAST})?)"
_ALONE = pattern(rf"{_SORRY}{_MAY_I}{_UNDO}(?:[\s,]+please)?[\s.!?…]*|(?:ooo*ps|whoops)[\s.!…]*")
_MEANT = r"meant(?: to (?:say|write))?[\s:,]+"
_WITH_MORE = pattern(rf"{_SORRY}(?:(?:{_MAY_I}{_UNDO})[\s,.!:;…-]+(?:and )?(?:(?:i )?{_MEANT})?|i {_MEANT})(?=\S)")


def asks_to_take_back(clause: str) -> bool:
    """Is it `undo`, `oops`, `take that back`, and nothing more?"""
    return _ALONE.fullmatch(plain(clause[:400])) is not None


def says_undo(line: str) -> bool:
    """Does a line begin with taking something back in so many words, and not with `I meant`?"""
    return re.match(rf"{_SORRY}{_MAY_I}{_UNDO}\b", plain(line[:400])) is not None


def asked_instead(lines: Sequence[str]) -> tuple[str, ...] | None:
    """The lines that a mail says instead of what it takes back at its beginning, perhaps none; None if it begins otherwise."""
    if not lines:
        return None
    if asks_to_take_back(lines[0]):
        return tuple(lines[1:])
    written, first = lines[0].strip(), plain(lines[0][:400])
    found = _WITH_MORE.match(first)
    shown = written if len(written) == len(first) else first  # as it was written, where folding moved nothing
    return (shown[found.end() :], *lines[1:]) if found else None


@dataclass(frozen=True)
class Said:
    """A command that was said: by which seat, in canonical words, and the events that it led to."""

    seat: int
    text: str
    events: tuple[Event, ...]


def may_take_back(game: Game[Any, Any], without: Any, now: Any, said: Said, seats: int, chance: Chance) -> bool:
    """May this command be taken back? `without` is the state as it would be without it, `now` as it is with it.

    The others may see that something was said, as long as any other legal command would have shown them the same.
    """
    others = [each for each in range(seats) if each != said.seat]
    said = replace(said, events=_telling(said.events))
    if any(isinstance(event, Shuffled) for event in said.events) or _asks_host(game, without) != _asks_host(game, now):
        return False
    if any(news(said.events, other) for other in others):
        return False
    if any(game.view(without, other) != game.view(now, other) for other in others) and not _is_one_of_many(
        game, without, now, said, others, chance
    ):
        return False
    return not _drawn_by(game, without, said) and not _shows_a_card(game, without, now, said)


def _is_one_of_many(
    game: Game[Any, Any], without: Any, now: Any, said: Said, others: Sequence[int], chance: Chance
) -> bool:
    """Would each other legal answer have left the others' views as they are now?"""
    asked = [question for question in game.questions(without) if question.seat == said.seat]
    ways = [choice.say for question in asked for choice in game.choices(without, question) if not choice.text]
    verb = said.text.split()[0]
    place = next((at for way in ways for at, each in enumerate(way) if each.split()[0] == verb), 0)  # codes and a cut
    texts = {way[place] for way in ways if len(way) > place}
    for text in texts:
        outcome = game.apply(without, said.seat, game.parse(text, without, said.seat), chance)
        if any(
            news(_telling(outcome.events), each) or game.view(outcome.state, each) != game.view(now, each)
            for each in others
        ):
            return False
    return bool(texts - {said.text})


def _telling(events: Sequence[Event]) -> tuple[Event, ...]:
    """The events without cuts, which show nobody anything: the deck lies face down."""
    return tuple(each for each in events if not isinstance(each, DeckCut))


def _drawn_by(game: Game[Any, Any], without: Any, said: Said) -> bool:
    """Does chance, or anything that the rules refuse now, come into the command?"""
    try:
        game.apply(without, said.seat, game.parse(said.text, without, said.seat), _NoChance(bytes(32)))
    except (_Drawn, Refusal):
        return True
    return False


class _Drawn(Exception):
    """Something was drawn."""


class _NoChance(Chance):
    """A chance of which nothing may be drawn."""

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__"):
            return super().__getattribute__(name)
        raise _Drawn


def _shows_a_card(game: Game[Any, Any], without: Any, now: Any, said: Said) -> bool:
    """Does the writer see a card that they did not see before, and did not name? All else follows from what they knew."""
    known = {*leaves(game.view(without, said.seat)), *re.findall(r"[^\s,;:=|]+", said.text)}
    told = [getattr(event, each.name) for event in news(said.events, said.seat) for each in fields(event)]
    shown = (*leaves(told), *leaves(game.view(now, said.seat)))
    return any(isinstance(each, str) and _CARD.fullmatch(each) and each not in known for each in shown)


def _asks_host(game: Game[Any, Any], state: Any) -> frozenset[str]:
    return frozenset(each.key for each in game.questions(state) if each.seat == HOST)


def leaves(value: Any) -> Iterator[Any]:
    """The plain values in a view, all of them."""
    if isinstance(value, Mapping):
        for each in value.values():
            yield from leaves(each)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for each in value:
            yield from leaves(each)
    else:
        yield value
