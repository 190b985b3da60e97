"""Edge: the host's desk. In: a host's services and a clock. Out: the routes of its pages, which only the house may see.

Each page and form of the two tables asks who is there, and what they may do, before anything else (`visitor`).
"""

from starlette.routing import Route

from host.states import Right
from host.web.desk import correspondence, needs, oversight, question_editor, season
from host.web.desk.visitor import Act, Look, another_link, seen, sent, ways_in
from host.web.pages import Web

PAGES: dict[str, Look] = {
    "": needs.first_page,
    "confirm/": needs.ask,
    "episodes/": oversight.episodes,
    "episodes/{code}/": oversight.episode,
    "contestants/": oversight.contestants,
    "contestants/{number:int}/": oversight.contestant,
    "queues/": oversight.queues,
    "ledger/": oversight.ledger,
    "mail/": correspondence.mails,
    "mail/{way}/{number:int}/": correspondence.mail,
    "mail/{way}/{number:int}/page/": correspondence.page_within,
    "health/": correspondence.health,
    "log/": correspondence.log,
    "season/": season.season,
    "bank/": question_editor.bank,
    "bank/{number:int}/": question_editor.question,
}
FORMS: dict[str, Act] = {
    "link/": another_link,
    "words/{number:int}/": needs.answer,
    "typed/": needs.ask_typed,
    "do/": needs.do,
    "episodes/{code}/show/": oversight.show,
    "episodes/{code}/hide/": oversight.hide,
    "mail/{way}/{number:int}/show/": correspondence.show,
    "mail/{way}/{number:int}/aside/": correspondence.put_aside,
    "season/begin/": season.begin,
    "season/close/": season.close,
    "bank/import/": question_editor.import_questions,
    "bank/starter/": question_editor.import_starter,
    "bank/{number:int}/change/": question_editor.change,
    "bank/{number:int}/remove/": question_editor.remove,
}

FOR_JUDGES = ("", "confirm/", "episodes/", "episodes/{code}/", "link/", "typed/", "do/")
"""The pages and forms of those who only judge; `typed` and `do` look at the command."""
FOR_OWNERS = ("season/begin/", "season/close/")


def routes(web: Web) -> list[Route]:
    """All pages and forms of the desk."""
    return [
        *ways_in(web),
        *(sent(web, path, act, _needed(path)) for path, act in FORMS.items()),
        *(seen(web, path, look, _needed(path)) for path, look in PAGES.items()),
    ]


def _needed(path: str) -> Right:
    return "judge" if path in FOR_JUDGES else "owner" if path in FOR_OWNERS else "host"
