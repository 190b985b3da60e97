"""the host's hand: addresses that are barred, episodes that no public page shows

Revision ID: 0019
Revises: 0018
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    instant = sa.DateTime(timezone=True)
    op.create_table(
        "barred",
        sa.Column("address", sa.String(320), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("at", instant, nullable=False),
        sa.Column("told_at", instant, nullable=True),
        sa.PrimaryKeyConstraint("address", name="pk_barred"),
    )
    op.add_column("episodes", sa.Column("is_unlisted", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Back."""
    op.execute("ALTER TABLE episodes DROP COLUMN is_unlisted")
    op.drop_table("barred")
