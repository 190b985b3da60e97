"""mail that names a letter before the rest, what a held mail needs, registrations deferred, declined and asked again

Revision ID: 0006
Revises: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)


def _partial(name: str, table: str, columns: list[str], where: str) -> None:
    op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def upgrade() -> None:
    """Forward."""
    op.add_column("inbound", sa.Column("is_known", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column("inbound", sa.Column("proof", sa.String(length=8), server_default="none", nullable=False))
    op.drop_index("ix_inbound_new", "inbound")
    _partial("ix_inbound_new", "inbound", ["is_known", "arrived_at", "id"], "state = 'new'")
    _partial("ix_inbound_deferred", "inbound", ["id"], "state = 'deferred'")
    with op.batch_alter_table("held") as held:
        held.add_column(sa.Column("shown_by_id", sa.Integer(), nullable=True))
        held.add_column(sa.Column("message_id", sa.Text(), server_default="", nullable=False))
        held.create_foreign_key(op.f("fk_held_shown_by_id_letters"), "letters", ["shown_by_id"], ["id"])
    _partial("ix_letters_registration", "letters", ["created_at"], "purpose IN ('confirm', 'name', 'registration')")
    _partial("ix_letters_about", "letters", ["about_id"], "about_id IS NOT NULL")
    op.add_column("registrations", sa.Column("ask_again_at", INSTANT, nullable=True))
    _partial("ix_registrations_again", "registrations", ["ask_again_at"], "ask_again_at IS NOT NULL")
    op.create_table(
        "declined",
        sa.Column("address", sa.String(length=320), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("address", name=op.f("pk_declined")),
    )
