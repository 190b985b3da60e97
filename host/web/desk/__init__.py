"""Edge: the host's desk. In: a host's services and a clock. Out: the routes of its pages.

Whoever asks has to be logged in (`entry`); each page and form says so by being `seen` or `sent` (`forms`).
"""

from starlette.routing import Route

from host.web.desk import bank, commands, entry, episodes, mails, needs, people
from host.web.pages import Web


def routes(web: Web) -> list[Route]:
    """All pages and forms of the desk."""
    return [each for part in (entry, needs, commands, episodes, people, mails, bank) for each in part.routes(web)]
