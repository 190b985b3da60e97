"""Edge: alembic's entry. In: a connection from `host.store.database.migrate`. Out: the migrations run on it, in its transaction."""

import warnings
from typing import Any, Literal

from alembic import context
from sqlalchemy.exc import SAWarning

from host.store.schema import Base, Instant


def _render(kind: str, item: Any, _context: Any) -> str | Literal[False]:
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, Instant) else False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    render_item=_render,
    transactional_ddl=False,
)
with warnings.catch_warnings():
    # an index of an expression is none that a table made anew by SQLAlchemy could get: the migration itself makes it
    warnings.filterwarnings("ignore", "Skipped unsupported reflection of expression-based index", SAWarning)
    context.run_migrations()
