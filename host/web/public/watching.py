"""Edge: an episode as everybody may see it. In: its code. Out: its page; once it is over its replay, its record, its draws.

Of an episode that runs nothing is shown but `view(state, HOST)` and `news(events, HOST)`: no record, no seed, no hidden card. One
that is over is played again, step by step; with what is drawn then the check of the cards in a browser compares.
"""

import functools
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from host.engine import record
from host.engine.chance import Chance, Stream
from host.engine.events import Event
from host.engine.game import HOST, Game, T, decode_event
from host.games import GAMES
from host.logs import all_visible
from host.mail.outbound.formatting import shown
from host.mail.outbound.render import tell
from host.store import public_pages
from host.store.database import Session
from host.store.episodes import episode_of_code
from host.store.schema import Episode
from host.table.play import Play, history, loaded, record_file
from host.turn.outcome import host_questions
from host.web.health import Answer
from host.web.pages import PageError
from host.web.public.document import Asked, pages_of, shown_name

LATEST_EVENTS = 40
WENT_BACK = "The host took the episode back to here. What had come after it does not count."
STEPS = 25
"""Steps of a replay on one page: each has its table."""


@dataclass(frozen=True)
class Draw:
    """Something that was left to chance: `items` shuffled into `found`, or numbers `found`, each below its `bounds`."""

    label: str
    items: tuple[str, ...]
    bounds: tuple[int, ...]
    found: tuple[str | int, ...]


@dataclass(frozen=True)
class Step:
    """A line of the record: its number in the file, itself (None for the header), what it led to, and the state after it."""

    number: int
    line: record.Line | None
    events: tuple[Event, ...]
    state: Any


@dataclass(frozen=True)
class Walk:
    """A whole episode. `problem` says why it ends early: these rules do not allow a line."""

    steps: tuple[Step, ...]
    draws: tuple[Draw, ...]
    problem: str


@dataclass(frozen=True)
class Standing:
    """An episode as everybody may see it. There is no play, and no view, where it began under earlier rules."""

    episode: Episode
    play: Play | None
    names: Sequence[str]
    winner: str
    view: Any
    told: list[str]
    is_cut: bool
    asked: list[dict[str, Any]]
    prizes: dict[str, str]


def standing(session: Session, code: str) -> Standing:
    """How an episode stands: its table, what happened last, who is asked; of one that is over its prizes. Raises `PageError`."""
    episode, play, names, winner = _found(session, code)
    is_over = episode.over_at is not None
    told, is_cut = _story(session, play, names, is_over) if play else ([], False)
    return Standing(
        episode,
        play,
        names,
        winner,
        view=play and all_visible(play.game.view(play.state, None if is_over else HOST)),
        told=told,
        is_cut=is_cut,
        asked=[] if is_over else _waited_for(session, play, episode),
        prizes=_prizes(play) if play and is_over else {},
    )


def episode_page(asked: Asked, code: str) -> Answer:
    """An episode as it stands; of one that is over its result, and what was drawn."""
    found = standing(asked.session, code)
    episode, play, names = found.episode, found.play, found.names
    is_over = episode.over_at is not None
    draws = None
    if play and is_over:  # as texts: a script's own numbers are not long enough for ours
        draws = [
            {**asdict(each), "bounds": [*map(str, each.bounds)], "found": [*map(str, each.found)]}
            for each in _walked(_record(asked.session, play)).draws
        ]
    return asked.page(
        "episode.html",
        json="episode.json",
        episode=episode,
        game=GAMES[episode.game],
        names=names,
        homes=[
            (seat.public_name, "" if seat.contestant.is_private else seat.contestant.hometown) for seat in episode.seats
        ],
        view=found.view,
        winnings=play.game.winnings(play.state) if play else (),
        told=found.told,
        is_cut=found.is_cut,
        asked=found.asked,
        winner=next((seat.public_name for seat in episode.seats if seat.won), ""),
        prizes=found.prizes,
        draws=draws,
        seed=episode.seed.hex() if is_over else "",
        **_for_previews(episode, names, found.winner),
    )


def replayed(asked: Asked, code: str, page: int = 1) -> dict[str, Any]:
    """An episode that is over, card by card: as everybody saw it, or with all cards open. Raises `PageError`."""
    episode, play, names, winner = _found(asked.session, code, must_be_over=True)
    if play is None:
        raise PageError(404, f"{episode.code} was played under earlier rules, and cannot be replayed here.")
    is_open = asked.path.startswith(f"/episodes/{code}/replay/open/")
    walked = _walked(_record(asked.session, play))
    pages = pages_of(len(walked.steps), STEPS, page)
    frames = [
        {
            "number": step.number,
            "said": _said(step.line),
            "told": _told(play.game, step.events, names, is_open),
            "view": all_visible(play.game.view(step.state, None if is_open else HOST)),
        }
        for step in walked.steps[(page - 1) * STEPS : page * STEPS]
    ]
    return {
        "episode": episode,
        "game": play.game,
        "names": names,
        "frames": frames,
        "page": page,
        "pages": pages,
        "is_open": is_open,
        "problem": walked.problem,
        "count": len(walked.steps),
        **_for_previews(episode, names, winner, " Card by card."),
    }


def replay_page(asked: Asked, code: str, page: int = 1) -> Answer:
    """The page on which an episode that is over is seen card by card."""
    return asked.page("replay.html", json="replay.json", **replayed(asked, code, page))


def record_of(asked: Asked, code: str) -> Answer:
    """The record of an episode that is over, as its file."""
    episode, play, _, _ = _found(asked.session, code, must_be_over=True)
    play = play or Play(episode, GAMES[episode.game], None)
    return Answer("application/jsonl; charset=utf-8", _record(asked.session, play))


def _record(session: Session, play: Play) -> bytes:
    return record_file(session, play, play.public_names)


def preview_of(asked: Asked, code: str) -> Answer:
    """A picture for link previews, or smaller as a badge: who played, how it stands, the cards on the table."""
    from host.web.public import preview

    episode, play, names, winner = _found(asked.session, code)
    standing = f"{winner} won" if winner else "Nobody won" if episode.over_at else "On the table now"
    title, host = f"{GAMES[episode.game].title} {episode.code}", asked.web.services.config.host.name
    view = play.game.view(play.state, HOST) if play else {}
    width = preview.BADGE_WIDTH if asked.path.endswith("/badge.png") else preview.WIDTH
    return Answer(preview.KIND, preview.drawn(title, names, standing, view, host, width))


def _found(session: Session, code: str, must_be_over: bool = False) -> tuple[Episode, Play | None, Sequence[str], str]:
    """An episode, its play, the names of its players and of its winner as pages show them. Raises `PageError`.

    There is no play where it began under rules that have changed since.
    """
    episode = episode_of_code(session, code)
    if episode is None or episode.is_unlisted or episode.code != code or episode.game not in GAMES:
        words = "There is no such episode here. The first page lists the games, and each game its episodes."
        raise PageError(404, words)
    if must_be_over and episode.over_at is None:
        raise PageError(404, f"{code} is not over yet. Its record and its replay can be seen when it is.")
    play = loaded(episode)
    winner = next((seat.public_name for seat in episode.seats if seat.won), "")
    return episode, play, [shown_name(seat.public_name) for seat in episode.seats], shown_name(winner)


def _for_previews(episode: Episode, names: Sequence[str], winner: str, more: str = "") -> dict[str, str]:
    """The line and the picture that a link preview shows."""
    how = f"{winner} won." if winner else "It is over." if episode.over_at else "It is being played."
    summary = f"{GAMES[episode.game].title}, {' v '.join(names)}. {how}{more}"
    return {"summary": summary, "picture": f"episodes/{episode.code}/preview.png"}


def _story(session: Session, play: Play, names: Sequence[str], is_over: bool) -> tuple[list[str], bool]:
    """The latest news, as the letters tell it: what the host took back is left out, and that they did stands there.

    Says also whether there was more before.
    """
    rows = public_pages.last_events(session, play.episode.id, LATEST_EVENTS)
    taken_back = history(session, play)
    if not taken_back:
        events = [decode_event(play.game, row.event) for row in rows]
        return _told(play.game, events, names, is_over), bool(rows) and rows[0].number > 1
    found: list[str] = []
    for line, events_of_line in taken_back:
        if isinstance(line, record.BackTo):
            found.append(WENT_BACK)
        found += _told(play.game, events_of_line, names, is_over)
    return found[-LATEST_EVENTS:], len(found) > LATEST_EVENTS


def _told(game: Game[Any, Any], events: Sequence[Event], names: Sequence[str], is_open: bool) -> list[str]:
    """The news for everybody; with all cards open what was told to any seat, too. The order of a deck is in the draws."""
    everybody = set(game.news(events, HOST))
    seen = [
        each
        for each in events
        if each in everybody or (is_open and any(each.may_be_told(seat) for seat in range(len(names))))
    ]
    return [" ".join(each.split()) for each in tell(game.slug, seen, names, None)]


def _waited_for(session: Session, play: Play | None, episode: Episode) -> list[dict[str, Any]]:
    """The seats that are asked something, until when; the host has no name here."""
    found: list[dict[str, Any]] = [
        {"name": episode.seats[seat or 0].public_name, "due": due, "is_stopped": stopped_at is not None}
        for seat, due, stopped_at in public_pages.asked_seats(session, episode.id)
    ]
    if play is not None and host_questions(play):
        found.append({"name": "", "due": None, "is_stopped": False})
    return found


def _prizes(play: Play) -> dict[str, str]:
    prizes = play.result.prizes if play.result else {}
    return {
        play.game.prizes.get(prize, prize): play.episode.seats[seat].public_name
        for prize, seat in prizes.items()
        if seat is not None
    }


@functools.lru_cache(maxsize=32)
def _walked(data: bytes) -> Walk:
    """A record, played; what is played more than once is kept by what it is."""
    found = record.read(data, GAMES)
    return walk(GAMES[found.header.game], found.header, found.lines)


def _said(line: record.Line | None) -> str:
    match line:
        case record.Say(player, text):
            return f"{shown_name(player)}: {shown(text)}"
        case record.Timeout(player):
            return f"The deadline of {shown_name(player)} passed."
        case record.BackTo(number):
            return f"Taken back to line {number}"
    return "The deal"


@dataclass(frozen=True)
class _NotingChance(Chance):
    """Chance that notes what is drawn, each stream once: one that is used again gives the same."""

    shuffles: dict[str, Draw] = field(default_factory=dict)
    streams: dict[str, "_NotingStream"] = field(default_factory=dict)

    def stream(self, label: str) -> Stream:
        """A stream whose numbers are noted."""
        self.streams[label] = _NotingStream(self.seed, label)
        return self.streams[label]

    def shuffled(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """A shuffle, noted as one."""
        found = Stream(self.seed, label).shuffled(items)
        self.shuffles[label] = Draw(label, tuple(map(str, items)), (), tuple(map(str, found)))
        return found


class _NotingStream(Stream):
    def __init__(self, seed: bytes, label: str) -> None:
        super().__init__(seed, label)
        self.bounds: list[int] = []
        self.found: list[int] = []

    def below(self, bound: int) -> int:
        """The next number, noted."""
        found = super().below(bound)
        self.bounds.append(bound)
        self.found.append(found)
        return found


def walk(game: Game[Any, Any], header: record.Header, lines: Sequence[record.Line]) -> Walk:
    """The episode from its deal to its last line, or to the first that these rules refuse."""
    chance = _NotingChance(header.seed)
    replay = record.Replay(game, header, chance)
    steps = [Step(1, None, replay.events, replay.state)]
    problem = ""
    for number, line in enumerate(lines, 2):
        reason = replay.step(line)
        if reason is not None:
            problem = f"line {number}: {reason}"
            break
        steps.append(Step(number, line, replay.events, replay.state))
    numbers = [Draw(label, (), (*of.bounds,), (*of.found,)) for label, of in chance.streams.items() if of.found]
    return Walk(tuple(steps), (*chance.shuffles.values(), *numbers), problem)
