"""lanes and leases of mails, leases of roles

Revision ID: 0004
Revises: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)


def _partial(name: str, table: str, columns: list[str], where: str) -> None:
    op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def upgrade() -> None:
    """Forward."""
    op.add_column("inbound", sa.Column("lane", sa.String(length=340), server_default="", nullable=False))
    op.add_column("inbound", sa.Column("lease_until", INSTANT, nullable=True))
    op.create_table(
        "leases",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("holder", sa.String(length=120), nullable=False),
        sa.Column("until", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leases")),
    )
    op.drop_index("ix_inbound_new", "inbound")
    _partial("ix_inbound_new", "inbound", ["arrived_at", "id"], "state = 'new'")
    _partial("ix_inbound_lane", "inbound", ["lane", "arrived_at", "id"], "state = 'new'")
