"""Edge: people at the desk. In: a name, an address, a number. Out: contestants, queues and champions, the ledger."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from host.games import GAMES
from host.play.addresses import alike
from host.store import desk
from host.store.letters import latest_mails
from host.store.people import contestant_of_id, count_waiting, ledger_of, lobbies, queue_of
from host.turn.announcing import forum_text
from host.web.desk.forms import Visitor, seen
from host.web.desk.paging import before_of, both_ways, last_number, number_of
from host.web.pages import PageError, Web


def routes(web: Web) -> list[Route]:
    """Contestants, queues, money."""
    return [
        seen(web, "contestants/", _list),
        seen(web, "contestants/{number:int}/", _one),
        seen(web, "queues/", _queues),
        seen(web, "ledger/", _ledger),
    ]


def _list(visitor: Visitor, request: Request) -> Response:
    wanted = str(request.query_params.get("who", "")).strip()[:320]
    with visitor.web.services.store.reading() as session:
        found = desk.contestants(session, wanted, before_of(request))
        older = None if wanted else last_number(found)
        shared = alike(each.address for each in found)
        return visitor.page(session, "contestants.html", people=found, wanted=wanted, older=older, shared=shared)


def _one(visitor: Visitor, request: Request) -> Response:
    with visitor.web.services.store.reading() as session:
        person = contestant_of_id(session, number_of(request))
        if person is None:
            raise PageError(404, "There is no such contestant: the list has those there are.")
        return visitor.page(
            session,
            "contestant.html",
            person=person,
            addresses=desk.addresses_of(session, person.id),
            registrations=desk.registrations_of(session, person.id),
            seats=desk.seats_of(session, person.id),
            money=ledger_of(session, person),
            mails=both_ways(*latest_mails(session, desk.A_PAGE, None, person)),
            titles={slug: game.title for slug, game in GAMES.items()},
        )


def _queues(visitor: Visitor, _request: Request) -> Response:
    config = visitor.web.services.config
    with visitor.web.services.store.reading() as session:
        found = {row.game: row for row in lobbies(session)}
        queues = {slug: queue_of(session, slug, desk.A_PAGE) for slug in config.games}
        people = [each.contestant for queue in queues.values() for each in queue]
        people += [row.champion for row in found.values() if row.champion]
        games = [
            {
                "game": GAMES[slug],
                "lobby": found.get(slug),
                "waiting": count_waiting(session, slug),
                "queue": queues[slug],
                "seats": visitor.web.services.seats(GAMES[slug]),
                "tables": config.games[slug].tables,
                "announcement": forum_text(config, GAMES[slug]),
            }
            for slug in config.games
        ]
        return visitor.page(session, "queues.html", games=games, shared=alike(each.address for each in people))


def _ledger(visitor: Visitor, request: Request) -> Response:
    with visitor.web.services.store.reading() as session:
        entries = desk.ledger(session, before_of(request))
        older = last_number([entry for entry, _, _ in entries])
        return visitor.page(session, "ledger.html", entries=entries, older=older)
