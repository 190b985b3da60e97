"""commands sent ahead, the question bank, the host's questions

Revision ID: 0002
Revises: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.add_column("letters", sa.Column("host_question", sa.String(length=120), server_default="", nullable=False))
    op.create_table(
        "kept",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("episode_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.Column("inbound_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("scope", sa.String(length=40), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("is_told", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["episode_id"], ["episodes.id"], name=op.f("fk_kept_episode_id_episodes")),
        sa.ForeignKeyConstraint(["inbound_id"], ["inbound.id"], name=op.f("fk_kept_inbound_id_inbound")),
        sa.ForeignKeyConstraint(["letter_id"], ["letters.id"], name=op.f("fk_kept_letter_id_letters")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_kept")),
    )
    op.create_index("ix_kept_episode_seat_state", "kept", ["episode_id", "seat", "state"], unique=False)
    op.create_index(op.f("ix_kept_letter_id"), "kept", ["letter_id"], unique=False)
    op.create_table(
        "bank_entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("ask", sa.Text(), nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bank_entries")),
        sa.UniqueConstraint("game", "ask", name=op.f("uq_bank_entries_game_ask")),
    )
    op.create_table(
        "bank_uses",
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("episode_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["entry_id"], ["bank_entries.id"], name=op.f("fk_bank_uses_entry_id_bank_entries")),
        sa.ForeignKeyConstraint(["episode_id"], ["episodes.id"], name=op.f("fk_bank_uses_episode_id_episodes")),
        sa.PrimaryKeyConstraint("entry_id", "episode_id", name=op.f("pk_bank_uses")),
    )
    op.create_index(op.f("ix_bank_uses_episode_id"), "bank_uses", ["episode_id"], unique=False)
