"""an episode knows the number of the last line of its record, and of its last event

Revision ID: 0013
Revises: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

ENDS = """
UPDATE episodes SET
  last_line = COALESCE((SELECT max(line) FROM record_lines WHERE episode_id = episodes.id), 1),
  last_event = COALESCE((SELECT max(number) FROM happenings WHERE episode_id = episodes.id), 0)
"""


def upgrade() -> None:
    """Forward."""
    op.add_column("episodes", sa.Column("last_line", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("episodes", sa.Column("last_event", sa.Integer(), nullable=False, server_default="0"))
    op.execute(ENDS)


def downgrade() -> None:
    """Back."""
    op.execute("ALTER TABLE episodes DROP COLUMN last_line")
    op.execute("ALTER TABLE episodes DROP COLUMN last_event")
