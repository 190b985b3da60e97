"""mail that cannot be handled is `quarantined`, and what orders mails is their `ordering_key`

No table is rewritten: a column is renamed, few rows are changed, and three indexes of rows in work are made anew.

Revision ID: 0007
Revises: 0006
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def _partial(name: str, columns: list[str], where: str) -> None:
    op.create_index(name, "inbound", columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def upgrade() -> None:
    """Forward."""
    _rename("broken", "quarantined", "lane", "ordering_key")


def downgrade() -> None:
    """Back."""
    _rename("quarantined", "broken", "ordering_key", "lane")


def _rename(state: str, new_state: str, column: str, new_column: str) -> None:
    op.drop_index("ix_inbound_kept", "inbound")
    inbound, old, new = sa.table("inbound", sa.column("state")), op.inline_literal(state), op.inline_literal(new_state)
    op.execute(inbound.update().where(inbound.c.state == old).values(state=new))
    op.drop_index(f"ix_inbound_{state}", "inbound")
    _partial(f"ix_inbound_{new_state}", ["id"], f"state = '{new_state}'")
    _partial("ix_inbound_kept", ["fetched_at"], f"raw IS NOT NULL AND state NOT IN ('new', 'held', '{new_state}')")
    op.execute(f"ALTER TABLE inbound RENAME COLUMN {column} TO {new_column}")
    if op.get_context().dialect.name == "postgresql":
        op.execute(f"ALTER INDEX ix_inbound_{column} RENAME TO ix_inbound_{new_column}")
    else:  # SQLite renames no index
        op.drop_index(f"ix_inbound_{column}", "inbound")
        _partial(f"ix_inbound_{new_column}", [new_column, "arrived_at", "id"], "state = 'new'")
