"""Edge: people at the desk. In: a name, an address, a number. Out: contestants, queues and champions, the ledger."""

from starlette.responses import Response

from host.games import GAMES
from host.play.addresses import alike
from host.store import desk_pages
from host.store.database import Session
from host.store.mails import latest_mails
from host.store.people import count_waiting, ledger_of, lobbies, queue_of
from host.store.schema import Contestant, Registration
from host.turn.requests import forum_text
from host.web.desk.visitor import Visitor, both_ways, last_number
from host.web.pages import PageError


def list_of_them(visitor: Visitor, session: Session) -> Response:
    """All contestants, or those that are looked for."""
    wanted, before = visitor.asked_for("who")[:320], visitor.before
    if wanted:
        found, older = desk_pages.contestants_named(session, wanted), None
    else:
        found = desk_pages.newest(session, Contestant, before)
        older = last_number(found)
    shared = alike(each.address for each in found)
    return visitor.page(session, "contestants.html", people=found, wanted=wanted, older=older, shared=shared)


def one_of_them(visitor: Visitor, session: Session) -> Response:
    """A contestant: where they play and played, what they have won, their mail."""
    person = session.get(Contestant, visitor.number)
    if person is None:
        raise PageError(404, "There is no such contestant: the list has those there are.")
    return visitor.page(
        session,
        "contestant.html",
        person=person,
        addresses=desk_pages.addresses_of(session, person.id),
        registrations=desk_pages.newest(session, Registration, None, Registration.contestant_id == person.id),
        seats=desk_pages.seats_of(session, person.id),
        money=ledger_of(session, person),
        mails=both_ways(*latest_mails(session, desk_pages.A_PAGE, None, person)),
        titles={slug: game.title for slug, game in GAMES.items()},
    )


def queues(visitor: Visitor, session: Session) -> Response:
    """The queue of each game, and its champion."""
    config = visitor.web.services.config
    found = {row.game: row for row in lobbies(session)}
    lines = {slug: queue_of(session, slug, desk_pages.A_PAGE) for slug in config.games}
    people = [each.contestant for line in lines.values() for each in line]
    people += [row.champion for row in found.values() if row.champion]
    games = [
        {
            "game": GAMES[slug],
            "lobby": found.get(slug),
            "waiting": count_waiting(session, slug),
            "queue": lines[slug],
            "seats": visitor.web.services.seats(GAMES[slug]),
            "tables": settings.tables,
            "announcement": forum_text(config, GAMES[slug]),
        }
        for slug, settings in config.games.items()
    ]
    return visitor.page(session, "queues.html", games=games, shared=alike(each.address for each in people))


def ledger(visitor: Visitor, session: Session) -> Response:
    """The play money, entry by entry."""
    entries = desk_pages.ledger(session, visitor.before)
    older = last_number([entry for entry, _, _ in entries])
    return visitor.page(session, "ledger.html", entries=entries, older=older)
