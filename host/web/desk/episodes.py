"""Edge: episodes at the desk. In: a code. Out: those that run with the time that is left, those that are over, one whole.

What is hidden (cards, the seed, what was said in secret, the letters themselves) is shown on a form of its own, which is logged,
to the session that asked for it, for a quarter of an hour.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from host.engine import record
from host.engine.game import HOST
from host.games import GAMES
from host.store import desk
from host.store import web as rows
from host.store.database import Session
from host.store.episodes import decks_of, episode_of_code, record_rows
from host.store.letters import latest_mails
from host.store.people import last_audit_entries
from host.store.schema import Episode, QuestionRow, RecordLine
from host.turn import login
from host.turn.operator_commands import CODE, COMMANDS
from host.turn.play import Play, load_play
from host.turn.reports import HIDDEN, secret_lines
from host.web.boards import board, hand
from host.web.desk.commands import line_words, log_words
from host.web.desk.forms import SHOWN_FOR, Visitor, seen, sent, text_of
from host.web.desk.needs import asked_of_host
from host.web.desk.paging import before_of, both_ways, last_number
from host.web.pages import PageError, Web, see

MAILS_SHOWN = 100


@dataclass(frozen=True)
class Step:
    """A line of the record: its number, its words, when it was said. A hidden one has other words."""

    line: int
    words: str
    at: datetime
    is_hidden: bool


@dataclass(frozen=True)
class Listed:
    """An episode in a list: of whom it waits, until when at the earliest."""

    episode: Episode
    title: str
    names: tuple[str, ...]
    waits: tuple[str, ...]
    due_at: datetime | None

    @property
    def state(self) -> str:
        """How it stands, in a word."""
        return "over" if self.episode.over_at else "paused" if self.episode.paused_at else "running"


def routes(web: Web) -> list[Route]:
    """The lists, one episode, showing and hiding."""
    return [
        seen(web, "episodes/", _list),
        seen(web, "episodes/{code}/", _one),
        sent(web, "episodes/{code}/show/", _show),
        sent(web, "episodes/{code}/hide/", _hide),
    ]


def _list(visitor: Visitor, request: Request) -> Response:
    before, code = before_of(request), str(request.query_params.get("code", "")).strip()
    if code.replace("-", "").isalnum() and code.isascii():
        return see(f"{code.upper()}/")
    with visitor.web.services.store.reading() as session:
        running = [] if before else _listed(session, desk.running(session))
        running.sort(key=lambda each: (each.due_at is None, each.due_at or visitor.now))
        over = desk.finished(session, before)
        return visitor.page(
            session,
            "episodes.html",
            running=running,
            over=_listed(session, over),
            older=last_number(over),
            is_first=before is None,
        )


def _listed(session: Session, episodes: Any) -> list[Listed]:
    asked = desk.questions_open_in(session, [each.id for each in episodes if each.over_at is None])
    return [_one_listed(each, asked.get(each.id, [])) for each in episodes]


def _one_listed(episode: Episode, asked: list[QuestionRow]) -> Listed:
    names = tuple(seat.name for seat in episode.seats)
    running = [row for row in asked if row.stopped_at is None and episode.paused_at is None]
    dues = [row.due_at for row in running if row.due_at is not None]
    waits = tuple(names[row.seat] for row in asked if row.seat is not None)
    return Listed(episode, GAMES[episode.game].title, names, waits, min(dues, default=None))


def _found(session: Session, request: Request) -> Play:
    episode = episode_of_code(session, str(request.path_params["code"]))
    if episode is None:
        raise PageError(404, "There is no such episode: the list has those there are.")
    return load_play(episode)


def _one(visitor: Visitor, request: Request) -> Response:
    with visitor.web.services.store.reading() as session:
        play = _found(session, request)
        episode = play.episode
        is_over = episode.over_at is not None
        shown_until = visitor.shown_until(session, episode.code)
        is_open = is_over or shown_until is not None
        lines = record_rows(session, episode.id)
        return visitor.page(
            session,
            "episode.html",
            play=play,
            episode=episode,
            is_over=is_over,
            is_open=is_open,
            shown_until=shown_until,
            questions=desk.questions_open_in(session, [episode.id]).get(episode.id, []),
            asked=asked_of_host(play) if not is_over else [],
            boards=_boards(play, is_over, shown_until is not None),
            decks=[(each, hand(episode.game, each.cards)) for each in decks_of(session, episode.id)] if is_open else [],
            steps=_steps(play, lines, is_open),
            mails=both_ways(*latest_mails(session, MAILS_SHOWN, episode)),
            winnings=list(zip(play.names, play.game.winnings(play.state), strict=True)),
            commands=[each for each in COMMANDS if CODE in each.arguments and each.name not in _useless(episode)],
            audit=[
                (each, log_words(each.command, is_open))
                for each in last_audit_entries(session, desk.A_PAGE, episode.code)
            ],
        )


def _useless(episode: Episode) -> set[str]:
    """The commands that would be refused, and `back`, which stands beside each line of the record."""
    if episode.over_at is not None:
        return {each.name for each in COMMANDS}
    return {"back", "pause" if episode.paused_at else "resume"}


def _boards(play: Play, is_over: bool, is_shown: bool) -> list[tuple[str, Markup]]:
    """The table as everybody may see it, and where that is shown as each seat does, and all of it."""
    slug, view = play.game.slug, play.game.view
    if is_over:
        return [("The table, nothing hidden", board(slug, view(play.state, None), play.names, HOST))]
    found = [("The table as everybody may see it", board(slug, view(play.state, HOST), play.names, HOST))]
    if is_shown:
        found += [
            (f"The table as {name} sees it", board(slug, view(play.state, seat), play.names, seat))
            for seat, name in enumerate(play.names)
        ]
        found.append(("The table, nothing hidden", board(slug, view(play.state, None), play.names, HOST)))
    return found


def _steps(play: Play, lines: Any, is_open: bool) -> list[Step]:
    hidden = set() if is_open else set(secret_lines(play, lines))
    return [_step(row, at in hidden) for at, row in enumerate(lines)]


def _step(row: RecordLine, is_hidden: bool) -> Step:
    line = record.read_line(row.text)
    words = f"{line.player}: {HIDDEN}" if is_hidden and isinstance(line, record.Say) else line_words(line)
    return Step(row.line, words, row.at, is_hidden)


def _show(visitor: Visitor, request: Request, form: FormData) -> Response:
    """Show what is hidden of an episode."""
    with visitor.web.services.store.reading() as session:
        code = _found(session, request).episode.code

    def act(work: Any) -> str:
        rows.reveal(work.session, login.key_of(visitor.held), code, visitor.now + SHOWN_FOR)
        return f"What is hidden of {code} is shown to you for fifteen minutes; that is logged."

    done = visitor.carry_out(text_of(form, "form"), act, f"show what is hidden of {code}", code)
    return see(f"../?done={done}")


def _hide(visitor: Visitor, request: Request, form: FormData) -> Response:
    with visitor.web.services.store.reading() as session:
        code = _found(session, request).episode.code

    def act(work: Any) -> str:
        rows.hide(work.session, login.key_of(visitor.held), code)
        return f"What is hidden of {code} is hidden again."

    done = visitor.carry_out(text_of(form, "form"), act, f"hide again what is hidden of {code}", code)
    return see(f"../?done={done}")
