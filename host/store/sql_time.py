"""Edge: moments moved by the database itself, to the microsecond on both. In: three moments. Out: a piece of SQL."""

from datetime import datetime
from typing import Any

from sqlalchemy import FunctionElement, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler

from host.store.schema import Instant


class Shifted(FunctionElement[datetime]):
    """A moment, later by the time from `begin` to `end`; NULL where it is NULL. Each may be a column."""

    name = "shifted"
    type = Instant()
    inherit_cache = True

    def __init__(self, moment: Any, begin: Any, end: Any) -> None:
        super().__init__(
            *(literal(each, Instant()) if isinstance(each, datetime) else each for each in (moment, begin, end))
        )


@compiles(Shifted, "postgresql")
def _on_postgresql(element: Shifted, compiler: SQLCompiler, **options: Any) -> str:
    moment, begin, end = (compiler.process(each, **options) for each in element.clauses)
    return f"({moment} + (CAST({end} AS TIMESTAMPTZ) - {begin}))"


@compiles(Shifted, "sqlite")
def _on_sqlite(element: Shifted, compiler: SQLCompiler, **options: Any) -> str:
    """SQLite keeps moments as text, `2026-11-21 13:00:00.000000`, and reckons in milliseconds; so seconds and the rest apart."""
    moment, begin, end = (
        f"(strftime('%s', substr({each}, 1, 19)) * 1000000 + substr({each}, 21, 6))"
        for each in (compiler.process(each, **options) for each in element.clauses)
    )
    micros = f"({moment} + {end} - {begin})"
    return f"(strftime('%Y-%m-%d %H:%M:%S', {micros} / 1000000, 'unixepoch') || printf('.%06d', {micros} % 1000000))"
