"""addresses that bounce, clocks that stand still, outages, what an alert is about

Revision ID: 0003
Revises: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)


def _partial(name: str, table: str, columns: list[str], where: str) -> None:
    op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def upgrade() -> None:
    """Forward."""
    op.add_column("contestants", sa.Column("bounced_at", INSTANT, nullable=True))
    op.add_column("questions", sa.Column("stopped_at", INSTANT, nullable=True))
    op.add_column("questions", sa.Column("was_stopped", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("letters", sa.Column("cause", sa.String(length=200), server_default="", nullable=False))
    op.add_column("held", sa.Column("doubtful", sa.JSON(), server_default="[]", nullable=False))
    op.add_column("mailboxes", sa.Column("seen_at", INSTANT, nullable=True))
    op.add_column("mailboxes", sa.Column("blind_from", INSTANT, nullable=True))
    _partial("ix_questions_stopped", "questions", ["stopped_at"], "stopped_at IS NOT NULL")
    _partial("ix_letters_failed", "letters", ["id"], "state = 'failed'")
    _partial("ix_letters_cause", "letters", ["cause", "created_at"], "cause <> ''")
    op.create_index("ix_letters_sent_at", "letters", ["sent_at"])
    _partial("ix_inbound_broken", "inbound", ["id"], "state = 'broken'")
    if op.get_bind().dialect.name == "postgresql":  # SQLite's integers are as long as they need to be
        for table, column in (
            ("inbound", "uidvalidity"),
            ("inbound", "uid"),
            ("inbound", "size"),
            ("mailboxes", "uidvalidity"),
            ("mailboxes", "uid"),
        ):
            op.alter_column(table, column, type_=sa.BigInteger(), existing_type=sa.Integer())
