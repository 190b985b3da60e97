"""Edge: how many rows there are. In: a statement that gives them, how far to count. Out: their number."""

from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session


def count(session: Session, rows: Select[Any], most: int | None = None) -> int:
    """Count the rows of a statement, up to `most` where that is given: so far and no further the database looks."""
    return session.scalar(select(func.count()).select_from(rows.limit(most).subquery())) or 0
