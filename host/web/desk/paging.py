"""Edge: lists that go on. In: a page's query, its rows. Out: the number that the page begins before, that of the next page."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from host.store.desk import A_PAGE
from host.store.schema import Inbound, Letter
from host.turn.operator_commands import LARGEST
from host.web.pages import PageError


def before_of(request: Any) -> int | None:
    """Before which number a list begins; None for its newest. Raises `PageError` for what is no number."""
    text = str(request.query_params.get("before", ""))
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 10 or int(text) > LARGEST:
        raise PageError(400, "That is no page of this list: go back to its beginning.")
    return int(text)


def number_of(request: Any) -> int:
    """The number in a page's address. Raises `PageError` where no row can have it."""
    number = int(request.path_params["number"])
    if number > LARGEST:
        raise PageError(404, "There is no such page: the list has those there are.")
    return number


def both_ways(received: Sequence[Inbound], written: Sequence[Letter]) -> list[tuple[str, datetime, Inbound | Letter]]:
    """Mails in and out as one list, the latest first: which way, when, and the row."""
    mails: list[tuple[str, datetime, Inbound | Letter]] = [("in", each.arrived_at, each) for each in received]
    mails += [("out", each.created_at, each) for each in written]
    return sorted(mails, key=lambda each: each[1], reverse=True)


def last_number(rows: Sequence[Any]) -> int | None:
    """The number after which the list goes on; None where it ends."""
    return rows[-1].id if len(rows) == A_PAGE else None
