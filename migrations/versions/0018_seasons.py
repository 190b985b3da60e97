"""seasons: chains of which an episode takes a link, what each seat gave for its seed

Revision ID: 0018
Revises: 0017
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    instant = sa.DateTime(timezone=True)
    op.create_table(
        "seasons",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("begins_at", instant, nullable=False),
        sa.Column("ends_at", instant, nullable=True),
        sa.Column("games", sa.JSON(), nullable=False),
        sa.Column("closed_at", instant, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_seasons"),
    )
    op.create_table(
        "chains",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("first", sa.LargeBinary(), nullable=False),
        sa.Column("end", sa.String(64), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name="fk_chains_season_id_seasons"),
        sa.PrimaryKeyConstraint("id", name="pk_chains"),
    )
    op.create_index("ix_chains_season_id", "chains", ["season_id"])
    op.add_column("contestants", sa.Column("message_id", sa.Text(), nullable=False, server_default=""))
    op.add_column("contestants", sa.Column("word", sa.String(40), nullable=False, server_default=""))
    op.create_table(
        "season_episodes",
        sa.Column("episode_id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("chain_id", sa.Integer(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("given", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["episode_id"], ["episodes.id"], name="fk_season_episodes_episode_id_episodes"),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name="fk_season_episodes_season_id_seasons"),
        sa.ForeignKeyConstraint(["chain_id"], ["chains.id"], name="fk_season_episodes_chain_id_chains"),
        sa.PrimaryKeyConstraint("episode_id", name="pk_season_episodes"),
        sa.UniqueConstraint("chain_id", "number", name="uq_season_episodes_chain_id_number"),
    )
    op.create_index("ix_season_episodes_season_id", "season_episodes", ["season_id"])


def downgrade() -> None:
    """Back."""
    for table in ("season_episodes", "chains", "seasons"):
        op.drop_table(table)
    for column in ("word", "message_id"):
        op.execute(f"ALTER TABLE contestants DROP COLUMN {column}")
