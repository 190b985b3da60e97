"""how long clocks stand still for a contestant of an episode, and until when

Revision ID: 0005
Revises: 0004
"""

from datetime import timedelta

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
LONGEST_STOP = timedelta(hours=48)
STOPPED = sa.text("closed_at IS NULL AND goes_on_at IS NOT NULL")


def upgrade() -> None:
    """Forward."""
    op.add_column("seats", sa.Column("stopped_seconds", sa.Integer(), server_default="0", nullable=False))
    op.add_column("questions", sa.Column("goes_on_at", INSTANT, nullable=True))
    questions = sa.table(
        "questions", sa.column("id"), sa.column("stopped_at", INSTANT), sa.column("goes_on_at", INSTANT)
    )
    connection = op.get_bind()
    stopped = sa.select(questions.c.id, questions.c.stopped_at).where(
        sa.text("closed_at IS NULL AND stopped_at IS NOT NULL")
    )
    for number, stopped_at in connection.execute(stopped).all():
        goes_on = sa.update(questions).where(questions.c.id == number).values(goes_on_at=stopped_at + LONGEST_STOP)
        connection.execute(goes_on)
    op.drop_index("ix_questions_stopped", "questions")
    op.create_index("ix_questions_stopped", "questions", ["goes_on_at"], sqlite_where=STOPPED, postgresql_where=STOPPED)
