"""company: which terms a seat was told, table talk, who mutes and who watches, who is private or is to be forgotten

Revision ID: 0017
Revises: 0016
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    instant = sa.DateTime(timezone=True)
    op.add_column("seats", sa.Column("terms", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("seats", sa.Column("heard", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("episodes", sa.Column("last_talk", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("contestants", sa.Column("is_private", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("contestants", sa.Column("is_leaving", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "talk",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("episode_id", sa.Integer(), nullable=False),
        sa.Column("contestant_id", sa.Integer(), nullable=False),
        sa.Column("to_seat", sa.Integer(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", instant, nullable=False),
        sa.Column("is_stopped", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.ForeignKeyConstraint(["episode_id"], ["episodes.id"], name="fk_talk_episode_id_episodes"),
        sa.ForeignKeyConstraint(["contestant_id"], ["contestants.id"], name="fk_talk_contestant_id_contestants"),
        sa.PrimaryKeyConstraint("id", name="pk_talk"),
    )
    leaving = sa.text("is_leaving")
    op.create_index("ix_contestants_leaving", "contestants", ["id"], sqlite_where=leaving, postgresql_where=leaving)
    op.create_index("ix_talk_episode", "talk", ["episode_id", "id"])
    op.create_index("ix_talk_contestant", "talk", ["contestant_id", "at"])
    op.create_table(
        "mutes",
        sa.Column("contestant_id", sa.Integer(), nullable=False),
        sa.Column("muted_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["contestant_id"], ["contestants.id"], name="fk_mutes_contestant_id_contestants"),
        sa.ForeignKeyConstraint(["muted_id"], ["contestants.id"], name="fk_mutes_muted_id_contestants"),
        sa.PrimaryKeyConstraint("contestant_id", "muted_id", name="pk_mutes"),
    )
    op.create_table(
        "watchers",
        sa.Column("episode_id", sa.Integer(), nullable=False),
        sa.Column("contestant_id", sa.Integer(), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.Column("next_at", instant, nullable=False),
        sa.ForeignKeyConstraint(["episode_id"], ["episodes.id"], name="fk_watchers_episode_id_episodes"),
        sa.ForeignKeyConstraint(["contestant_id"], ["contestants.id"], name="fk_watchers_contestant_id_contestants"),
        sa.PrimaryKeyConstraint("episode_id", "contestant_id", name="pk_watchers"),
    )
    op.create_index("ix_watchers_next_at", "watchers", ["next_at"])
    op.create_index("ix_watchers_contestant_id", "watchers", ["contestant_id"])


def downgrade() -> None:
    """Back."""
    op.drop_index("ix_contestants_leaving", "contestants")
    for table in ("watchers", "mutes", "talk"):
        op.drop_table(table)
    for table, column in (
        ("contestants", "is_leaving"),
        ("contestants", "is_private"),
        ("episodes", "last_talk"),
        ("seats", "heard"),
        ("seats", "terms"),
    ):
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
