"""a letter that asks what a mail meant knows its readings, and which of them was taken

Revision ID: 0014
Revises: 0013
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

ASKED = sa.text("readings <> ''")


def upgrade() -> None:
    """Forward."""
    op.add_column("letters", sa.Column("readings", sa.Text(), nullable=False, server_default=""))
    op.add_column("letters", sa.Column("taken", sa.Integer(), nullable=True))
    op.create_index("ix_letters_asked", "letters", ["taken", "id"], sqlite_where=ASKED, postgresql_where=ASKED)


def downgrade() -> None:
    """Back."""
    op.drop_index("ix_letters_asked", "letters")
    op.execute("ALTER TABLE letters DROP COLUMN taken")
    op.execute("ALTER TABLE letters DROP COLUMN readings")
