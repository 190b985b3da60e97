"""Edge: lists that go on. In: a page's query, its rows. Out: the number that the page begins before, that of the next page."""

from collections.abc import Sequence
from typing import Any

from host.store.desk import A_PAGE
from host.web.pages import PageError


def before_of(request: Any) -> int | None:
    """Before which number a list begins; None for its newest. Raises `PageError` for what is no number."""
    text = str(request.query_params.get("before", ""))
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise PageError(400, "That is no page of this list: go back to its beginning.")
    return int(text)


def last_number(rows: Sequence[Any]) -> int | None:
    """The number after which the list goes on; None where it ends."""
    return rows[-1].id if len(rows) == A_PAGE else None
