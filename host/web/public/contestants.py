"""Edge: the page of a contestant. In: the store, a contestant's number. Out: what they played and won, their reigns."""

from host.games import GAMES
from host.store import public_pages
from host.store.schema import Contestant
from host.web.health import Answer
from host.web.pages import PageError
from host.web.public.document import Asked

MOST = 20
"""Reigns, and episodes, that the page lists."""


def contestant(asked: Asked, number: int) -> Answer:
    """A contestant: results in each game, reigns, latest episodes. Nobody has one who wants to be private."""
    person = shown(asked, number)
    episodes = [each for each in public_pages.shown_episodes(asked.session, number, MOST) if each.game in GAMES]
    return asked.page(
        "contestant.html",
        json="contestant.json",
        person=person,
        results=public_pages.results_of(asked.session, number, list(GAMES)),
        reigns=[each for each in public_pages.reigns_of(asked.session, number, MOST) if each.game in GAMES],
        running=[each for each in episodes if each.over_at is None],
        finished=[each for each in episodes if each.over_at is not None],
        games=GAMES,
        summary=f"What {person.called} played and won.",
    )


def shown(asked: Asked, number: int) -> Contestant:
    """A contestant who has a page. Raises `PageError`."""
    person = public_pages.shown_contestant(asked.session, number)
    if person is None:
        raise PageError(404, "There is no such contestant, or they want no page.")
    return person
