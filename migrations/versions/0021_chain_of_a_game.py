"""of which game the episodes are that a chain serves

Revision ID: 0021
Revises: 0020
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward. Chains that were drawn before serve any game, as they did."""
    op.add_column("chains", sa.Column("game", sa.String(40), nullable=False, server_default=""))


def downgrade() -> None:
    """Back."""
    op.execute("ALTER TABLE chains DROP COLUMN game")
