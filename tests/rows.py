"""A table of rows as one test. A test apart is collected, sent, set up and reported, which takes longer than most rows do."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest


def every(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As `pytest.mark.parametrize`, for a test without fixtures: all rows are tried, and those that fail are told together."""
    named = [each.strip() for each in names.split(",")] if isinstance(names, str) else list(names)
    is_bare, table = isinstance(names, str) and len(named) == 1, list(rows)

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        def test(**given: Any) -> None:
            failed = []
            for row in table:
                values = dict(zip(named, [row] if is_bare else row, strict=True))
                try:
                    check(**given, **values)
                except (Exception, pytest.fail.Exception) as fault:
                    fault.add_note(f"where {values}")
                    failed.append(fault)
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(table)} rows", failed)

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return decorate
