"""a letter knows which of its buttons the second reader put first

Revision ID: 0015
Revises: 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.add_column("letters", sa.Column("second", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    """Back."""
    op.execute("ALTER TABLE letters DROP COLUMN second")
