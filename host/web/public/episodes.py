"""Edge: the pages of an episode. In: its code. Out: how it stands as everybody may see it; once it is over all of it.

Of an episode that runs nothing is shown but `view(state, HOST)` and `news(events, HOST)`: no record, no seed, no hidden card.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from host.engine import record
from host.engine.game import HOST, Event, Game, decode_event
from host.games import GAMES
from host.logs import all_visible
from host.mail.outbound.formatting import shown
from host.mail.outbound.render import tell
from host.store import public_pages as public
from host.store.database import Session
from host.store.episodes import episode_of_code
from host.store.schema import Episode
from host.turn.outcome import host_questions
from host.turn.play import Play, history, load_play, record_file
from host.web.pages import PageError, Web
from host.web.public.document import Document, checked, document, pages_of, shown_name
from host.web.public.preview import KIND, drawn
from host.web.public.walk import Draw, Walk, walk

LATEST_EVENTS = 40
WENT_BACK = "The host took the episode back to here. What had come after it does not count."
STEPS = 25
"""Of a replay on one page: each has its table."""


@dataclass(frozen=True)
class Frame:
    """A step of a replay as it is shown: what was said, what it led to, the table after it."""

    number: int
    said: str
    told: tuple[str, ...]
    view: Any


def episode_page(web: Web, session: Session, code: str) -> Document:
    """How an episode stands; of one that is over its result, and what was drawn."""
    episode, play = _found(session, code)
    is_over = episode.over_at is not None
    names = [shown_name(seat.name) for seat in episode.seats]
    told, is_cut = _story(session, play, names, is_over) if play else ([], False)
    context: dict[str, Any] = {
        "episode": episode,
        "game": GAMES[episode.game],
        "names": names,
        "homes": [(seat.name, seat.contestant.hometown) for seat in episode.seats],
        "view": None if play is None else all_visible(play.game.view(play.state, None if is_over else HOST)),
        "winnings": () if play is None else play.game.winnings(play.state),
        "told": told,
        "is_cut": is_cut,
        "asked": [] if is_over else _asked(session, play, episode),
        "winner": next((seat.name for seat in episode.seats if seat.won), ""),
        "prizes": _prizes(play) if play is not None and is_over else {},
        "draws": None if play is None or not is_over else [_draw(draw) for draw in _walk(session, play).draws],
        "seed": episode.seed.hex() if is_over else "",
        "summary": _in_a_line(episode, names),
        "picture": f"episodes/{episode.code}/preview.png",
    }
    return document(web, "episode.html", f"episodes/{episode.code}/", **context)


def replay_page(web: Web, session: Session, code: str, page: int = 1, is_open: bool = False) -> Document:
    """An episode that is over, card by card: as everybody saw it, or with all cards open."""
    episode, play = _found(session, code, must_be_over=True)
    if play is None:
        raise PageError(404, f"{episode.code} was played under earlier rules, and cannot be replayed here.")
    walked = _walk(session, play)
    pages = pages_of(len(walked.steps), STEPS)
    shown_steps = walked.steps[(checked(page, pages) - 1) * STEPS : page * STEPS]
    names, seat = list(map(shown_name, play.names)), None if is_open else HOST
    frames = [
        Frame(
            step.number,
            _said(step.line),
            _told(play.game, step.events, names, is_open),
            all_visible(play.game.view(step.state, seat)),
        )
        for step in shown_steps
    ]
    path = f"episodes/{episode.code}/replay/" + ("open/" if is_open else "") + (f"{page}/" if page > 1 else "")
    context = {"page": page, "pages": pages, "is_open": is_open, "problem": walked.problem, "count": len(walked.steps)}
    return document(
        web,
        "replay.html",
        path,
        episode=episode,
        game=play.game,
        names=names,
        frames=frames,
        summary=f"{_in_a_line(episode, names)} Card by card.",
        picture=f"episodes/{episode.code}/preview.png",
        **context,
    )


def open_replay_page(web: Web, session: Session, code: str, page: int = 1) -> Document:
    """A replay with all cards open."""
    return replay_page(web, session, code, page, is_open=True)


def record_of(web: Web, session: Session, code: str) -> Document:
    """The record of an episode that is over, as its file."""
    episode, play = _found(session, code, must_be_over=True)
    if play is None:
        play = Play(episode, GAMES[episode.game], None)
    return Document("application/jsonl; charset=utf-8", record_file(session, play))


def preview_of(web: Web, session: Session, code: str) -> Document:
    """A picture for link previews: who played, how it stands, the cards on the table."""
    episode, play = _found(session, code)
    is_over = episode.over_at is not None
    view = {} if play is None else play.game.view(play.state, HOST)
    names = [shown_name(seat.name) for seat in episode.seats]
    winner = next((shown_name(seat.name) for seat in episode.seats if seat.won), "")
    standing = f"{winner} won" if winner else "Nobody won" if is_over else "On the table now"
    title = f"{GAMES[episode.game].title} {episode.code}"
    return Document(KIND, drawn(title, names, standing, view, web.services.config.host.name))


def _found(session: Session, code: str, must_be_over: bool = False) -> tuple[Episode, Play | None]:
    """An episode; None for its play where it began under rules that have changed since. Raises `PageError`."""
    episode = episode_of_code(session, code)
    if episode is None or episode.code != code or episode.game not in GAMES:
        raise PageError(
            404, "There is no such episode here. The first page lists the games, and each game its episodes."
        )
    if must_be_over and episode.over_at is None:
        raise PageError(404, f"{code} is not over yet. Its record and its replay can be seen when it is.")
    try:
        return episode, load_play(episode)
    except ValueError:
        return episode, None


def _story(session: Session, play: Play, names: Sequence[str], is_over: bool) -> tuple[list[str], bool]:
    """What happened last, as the letters tell it: what the host took back is left out, and that they did stands there.

    Says also whether there was more before.
    """
    rows = public.last_events(session, play.episode.id, LATEST_EVENTS)
    taken_back = history(session, play)
    if not taken_back:
        events = [decode_event(play.game, row.event) for row in rows]
        return list(_told(play.game, events, names, is_over)), bool(rows) and rows[0].number > 1
    found: list[str] = []
    for line, events_of_line in taken_back:
        if isinstance(line, record.BackTo):
            found.append(WENT_BACK)
        found += _told(play.game, events_of_line, names, is_over)
    return found[-LATEST_EVENTS:], len(found) > LATEST_EVENTS


def _told(game: Game[Any, Any], events: Sequence[Event], names: Sequence[str], is_open: bool) -> tuple[str, ...]:
    """What everybody was told; with all cards open what was told to any seat, too. The order of a deck is in the draws."""
    everybody = set(game.news(events, HOST))
    seen = [
        each
        for each in events
        if each in everybody or (is_open and any(each.may_be_told(seat) for seat in range(len(names))))
    ]
    return tuple(" ".join(each.split()) for each in tell(game.slug, seen, names, None))


def _asked(session: Session, play: Play | None, episode: Episode) -> list[dict[str, Any]]:
    found = [
        {"name": episode.seats[seat or 0].name, "due": due, "is_stopped": stopped_at is not None}
        for seat, due, stopped_at in public.asked_seats(session, episode.id)
    ]
    if play is not None and host_questions(play):
        found.append({"name": "", "due": None, "is_stopped": False})
    return found


def _prizes(play: Play) -> dict[str, str]:
    result = play.result
    prizes = {} if result is None else result.prizes
    return {play.game.prizes.get(prize, prize): play.names[seat] for prize, seat in prizes.items() if seat is not None}


def _draw(draw: Draw) -> dict[str, Any]:
    """A draw for a script, whose numbers are not long enough for ours."""
    return {
        "label": draw.label,
        "items": draw.items,
        "bounds": list(map(str, draw.bounds)),
        "found": list(map(str, draw.found)),
    }


def _walk(session: Session, play: Play) -> Walk:
    return _walked(record_file(session, play))


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


def _in_a_line(episode: Episode, names: Sequence[str]) -> str:
    title = GAMES[episode.game].title
    who = " v ".join(names)
    winner = next((shown_name(seat.name) for seat in episode.seats if seat.won), "")
    how = f"{winner} won." if winner else "It is over." if episode.over_at else "It is being played."
    return f"{title}, {who}. {how}"
