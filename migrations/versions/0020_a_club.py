"""a club: when a contestant's last mail arrived, whether they are called to a start, what a season's prizes are, and whether another follows

Revision ID: 0020
Revises: 0019
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.add_column("contestants", sa.Column("message_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("contestants", sa.Column("wants_calls", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("absences", sa.Column("is_taken_back", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index("ix_reigns_contestant_id", "reigns", ["contestant_id"])
    op.add_column("seasons", sa.Column("prizes", sa.Text(), nullable=False, server_default=""))
    op.add_column("seasons", sa.Column("repeats", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Back."""
    op.execute("ALTER TABLE seasons DROP COLUMN repeats")
    op.execute("ALTER TABLE seasons DROP COLUMN prizes")
    op.drop_index("ix_reigns_contestant_id", "reigns")
    op.execute("ALTER TABLE absences DROP COLUMN is_taken_back")
    op.execute("ALTER TABLE contestants DROP COLUMN wants_calls")
    op.execute("ALTER TABLE contestants DROP COLUMN message_at")
