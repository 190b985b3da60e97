"""contestants have a clock, reminders and absences of their own; a time bank, a last chance, calendar files

Revision ID: 0016
Revises: 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

DAILY = sa.text("daily_at IS NOT NULL")
COLUMNS = {
    "contestants": (
        sa.Column("zone", sa.Text(), nullable=False, server_default=""),
        sa.Column("zone_from", sa.Text(), nullable=False, server_default=""),
        sa.Column("quiet", sa.Text(), nullable=False, server_default=""),
        sa.Column("remind", sa.Text(), nullable=False, server_default=""),
        sa.Column("calendar", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("letters", sa.Text(), nullable=False, server_default="turns"),
        sa.Column("daily_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("away_until", sa.DateTime(timezone=True), nullable=True),
    ),
    "seats": (sa.Column("bank_used", sa.Integer(), nullable=False, server_default="0"),),
    "questions": (
        sa.Column("drawn", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("was_graced", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("in_calendar", sa.Boolean(), nullable=False, server_default=sa.false()),
    ),
}


def upgrade() -> None:
    """Forward."""
    for table, columns in COLUMNS.items():
        for column in columns:
            op.add_column(table, column)
    op.create_index("ix_contestants_daily", "contestants", ["daily_at"], sqlite_where=DAILY, postgresql_where=DAILY)
    op.create_table(
        "absences",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("contestant_id", sa.Integer(), nullable=False),
        sa.Column("begins_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["contestant_id"], ["contestants.id"], name="fk_absences_contestant_id_contestants"),
        sa.PrimaryKeyConstraint("id", name="pk_absences"),
    )
    op.create_index("ix_absences_contestant", "absences", ["contestant_id", "ends_at"])


def downgrade() -> None:
    """Back."""
    op.drop_table("absences")
    op.drop_index("ix_contestants_daily", "contestants")
    for table, columns in COLUMNS.items():
        for column in reversed(columns):
            op.execute(f"ALTER TABLE {table} DROP COLUMN {column.name}")
