"""until when a game waits for its champion, apart from how long it waits for objections; which episodes pages do not count

Revision ID: 0022
Revises: 0021
"""

import sqlalchemy as sa
from alembic import op

from host.store.schema.base import Instant

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward. A game that waited for its champion goes on waiting until then, as for an objection."""
    op.add_column("lobbies", sa.Column("champion_waits_until", Instant(), nullable=True))
    where = sa.text("is_unlisted")
    op.create_index("ix_episodes_unlisted", "episodes", ["game"], sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    """Back."""
    op.drop_index("ix_episodes_unlisted", "episodes")
    op.execute("ALTER TABLE lobbies DROP COLUMN champion_waits_until")
