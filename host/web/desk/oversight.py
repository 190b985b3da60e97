"""Edge: episodes and people at the desk. In: a code, a name, a number. Out: lists of them, one whole, queues, the ledger.

What is hidden of an episode (cards, the seed, what was said in secret, the letters themselves) is shown on a form of its own,
which is logged, to the session that asked for it, for a quarter of an hour.
"""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.responses import Response

from host.club.lobby import next_start
from host.club.seasons import ends_now
from host.engine import record
from host.engine.game import HOST
from host.games import GAMES
from host.play.names import alike
from host.store import desk_access, desk_pages, people, roster
from host.store.company import latest_talk, seats_of
from host.store.database import Session
from host.store.episodes import decks_of, episode_of_code, record_rows
from host.store.mails import latest_mails
from host.store.schema import Contestant, Episode, QuestionRow, RecordLine, Registration
from host.table.play import Play, loaded
from host.table.work import Work
from host.turn import login
from host.turn.operator_commands import CODE, COMMANDS, PEOPLE_COMMANDS
from host.turn.reports import HIDDEN, secret_lines
from host.turn.requests import forum_text
from host.web.desk.needs import asked_of_host, line_words, log_words
from host.web.desk.visitor import Visitor, both_ways, last_number
from host.web.pages import PageError, board, hand, see

MAILS_SHOWN = 100


def episodes(visitor: Visitor, session: Session) -> Response:
    """The episodes that run, and those that are over."""
    before, code = visitor.before, visitor.asked_for("code")
    if code.replace("-", "").isalnum() and code.isascii():
        return see(f"{code.upper()}/")
    under_way = [] if before else desk_pages.episodes_under_way(session)
    asked = desk_pages.open_questions(session, [each.id for each in under_way])
    running = [_listed(each, asked[each.id]) for each in under_way]
    running.sort(key=lambda each: (each["due_at"] is None, each["due_at"] or visitor.now))
    over = desk_pages.episodes_over(session, before)
    return visitor.page(
        session,
        "episodes.html",
        running=running,
        over=[_listed(each, ()) for each in over],
        older=last_number(over),
        is_first=before is None,
    )


def _listed(episode: Episode, asked: Sequence[QuestionRow]) -> dict[str, Any]:
    """An episode in a list: of whom it waits, until when at the earliest."""
    names = [seat.name for seat in episode.seats]
    dues = [row.due_at for row in asked if row.due_at and row.stopped_at is None and episode.paused_at is None]
    return {
        "episode": episode,
        "title": GAMES[episode.game].title,
        "names": names,
        "waits": [names[row.seat] for row in asked if row.seat is not None],
        "due_at": min(dues, default=None),
    }


def _found(visitor: Visitor, session: Session) -> Episode:
    episode = episode_of_code(session, str(visitor.request.path_params["code"]))
    if episode is None:
        raise PageError(404, "There is no such episode: the list has those there are.")
    return episode


def episode(visitor: Visitor, session: Session) -> Response:
    """One episode: its tables, who is asked, the record, its mail, what operators did to it and can do."""
    episode = _found(visitor, session)
    play = loaded(episode)
    if play is None:
        raise PageError(409, f"{episode.code} cannot be shown: the rules of its game have changed since it began.")
    is_over = episode.over_at is not None
    shown_until = visitor.shown_until(session, episode.code)
    is_open = is_over or shown_until is not None
    audit = people.last_audit_entries(session, desk_pages.A_PAGE, episode.code)
    useless = {"back", "pause" if episode.paused_at else "resume"}  # `back` stands beside each line of the record
    return visitor.page(
        session,
        "episode.html",
        play=play,
        episode=episode,
        is_over=is_over,
        is_open=is_open,
        shown_until=shown_until,
        questions=desk_pages.open_questions(session, [episode.id])[episode.id],
        asked=asked_of_host(play) if not is_over else [],
        boards=_boards(play, is_over, is_open),
        decks=[(each, hand(episode.game, each.cards)) for each in decks_of(session, episode.id)] if is_open else [],
        steps=_steps(play, record_rows(session, episode.id), is_open),
        mails=both_ways(*latest_mails(session, MAILS_SHOWN, episode)),
        talk=[each for each in latest_talk(session, episode.id, MAILS_SHOWN) if is_open or each[0].to_seat is None],
        winnings=list(zip(play.names, play.game.winnings(play.state), strict=True)),
        commands=[
            each
            for each in COMMANDS
            if CODE in each.arguments and each.name not in useless and visitor.may(each.right) and not is_over
        ],
        audit=[(each, log_words(each.command, is_open)) for each in audit],
    )


def _boards(play: Play, is_over: bool, is_open: bool) -> list[tuple[str, Markup]]:
    """The table as everybody may see it, and where more is shown as each seat does, and all of it."""
    views = [("The table as everybody may see it", HOST, HOST)]
    views += [(f"The table as {name} sees it", seat, seat) for seat, name in enumerate(play.names)]
    whole = ("The table, nothing hidden", None, HOST)
    shown = [whole] if is_over else [*views, whole] if is_open else views[:1]
    return [
        (title, board(play.game.slug, play.game.view(play.state, eyes), play.names, me)) for title, eyes, me in shown
    ]


def _steps(play: Play, rows: Sequence[RecordLine], is_open: bool) -> list[dict[str, Any]]:
    """The lines of the record: number, words, moment; the words of what was said in secret are hidden."""
    hidden = set() if is_open else set(secret_lines(play, rows))
    lines = [record.read_line(row.text) for row in rows]
    words = [
        f"{line.player}: {HIDDEN}" if at in hidden and isinstance(line, record.Say) else line_words(line)
        for at, line in enumerate(lines)
    ]
    return [{"line": row.line, "words": said, "at": row.at} for row, said in zip(rows, words, strict=True)]


def show(visitor: Visitor, form: FormData) -> Response:
    """Show what is hidden of an episode."""
    code = _code(visitor)
    return visitor.reveal(form, code, f"What is hidden of {code} is", f"show what is hidden of {code}", code)


def hide(visitor: Visitor, form: FormData) -> Response:
    """Hide it again."""
    code = _code(visitor)

    def act(work: Work) -> str:
        desk_access.hide(work.session, login.key_of(visitor.held), code)
        return f"What is hidden of {code} is hidden again."

    return visitor.carry_out(form, act, f"hide again what is hidden of {code}", code)


def _code(visitor: Visitor) -> str:
    with visitor.web.services.store.reading() as session:
        return _found(visitor, session).code


def contestants(visitor: Visitor, session: Session) -> Response:
    """All contestants, or those that are looked for."""
    wanted, before = visitor.asked_for("who")[:320], visitor.before
    if wanted:
        found, older = desk_pages.contestants_named(session, wanted), None
    else:
        found = desk_pages.newest(session, Contestant, before)
        older = last_number(found)
    shared = alike(each.address for each in found)
    return visitor.page(session, "contestants.html", people=found, wanted=wanted, older=older, shared=shared)


def contestant(visitor: Visitor, session: Session) -> Response:
    """A contestant: where they play and played, what they have won, their mail."""
    person = session.get(Contestant, visitor.number)
    if person is None:
        raise PageError(404, "There is no such contestant: the list has those there are.")
    useless = "people bar" if roster.barred(session, person.address) else "people unbar"
    return visitor.page(
        session,
        "contestant.html",
        person=person,
        addresses=desk_pages.addresses_of(session, person.id),
        registrations=desk_pages.newest(session, Registration, None, Registration.contestant_id == person.id),
        seats=seats_of(session, person.id, desk_pages.A_PAGE),
        money=people.ledger_of(session, person),
        commands=[
            each
            for each in (*COMMANDS, *PEOPLE_COMMANDS)
            if each.arguments[0].name in ("who", "address") and each.name != useless and visitor.may(each.right)
        ],
        mails=both_ways(*latest_mails(session, desk_pages.A_PAGE, None, person)),
        titles={slug: game.title for slug, game in GAMES.items()},
    )


def queues(visitor: Visitor, session: Session) -> Response:
    """The queue of each game, and its champion."""
    config = visitor.web.services.config
    found = {row.game: row for row in people.lobbies(session)}
    lines = {slug: people.queue_of(session, slug, desk_pages.A_PAGE) for slug in config.games}
    listed = [each.contestant for line in lines.values() for each in line]
    listed += [row.champion for row in found.values() if row.champion]
    games = [
        {
            "game": GAMES[slug],
            "lobby": found.get(slug),
            "waiting": people.count_waiting(session, slug),
            "queue": lines[slug],
            "seats": visitor.web.services.seats(GAMES[slug]),
            "tables": settings.tables,
            "next_start": next_start(config, slug, visitor.now),
            "announcement": forum_text(config, GAMES[slug], visitor.now, ends_now(session, visitor.now, slug)),
        }
        for slug, settings in config.games.items()
    ]
    return visitor.page(session, "queues.html", games=games, shared=alike(each.address for each in listed))


def ledger(visitor: Visitor, session: Session) -> Response:
    """The play money, entry by entry."""
    entries = desk_pages.ledger(session, visitor.before)
    older = last_number([entry for entry, _, _ in entries])
    return visitor.page(session, "ledger.html", entries=entries, older=older)
