"""A table of rows as one test. A test apart is collected, sent, set up and reported, which takes longer than most rows do."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest


def try_all(names: Sequence[str], rows: Iterable[Any], check: Callable[..., None], **given: Any) -> None:
    """Tries all rows; those that fail are told together."""
    failed, table = [], list(rows)
    for row in table:
        values = dict(zip(names, row, strict=True))
        try:
            check(**given, **values)
        except (Exception, pytest.fail.Exception) as fault:
            fault.add_note(f"where {values}")
            failed.append(fault)
    if failed:
        raise BaseExceptionGroup(f"{len(failed)} of {len(table)} rows", failed)


def every(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As `pytest.mark.parametrize`, for a test without fixtures: all rows are tried, and those that fail are told together."""
    named = [each.strip() for each in names.split(",")] if isinstance(names, str) else list(names)
    table = [[row] for row in rows] if isinstance(names, str) and len(named) == 1 else list(rows)

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        def test(**given: Any) -> None:
            try_all(named, table, check, **given)

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return decorate
