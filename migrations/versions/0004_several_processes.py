"""lanes and leases of mails, leases of roles, indexes of what is in work

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
    op.drop_column("letters", "lease_until")
    op.add_column("mailboxes", sa.Column("blind_until", INSTANT, nullable=True))
    op.execute("UPDATE mailboxes SET blind_until = seen_at WHERE blind_from IS NOT NULL")
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
    unsent, runs = "state IN ('queued', 'sending')", "closed_at IS NULL AND asked_at IS NOT NULL AND stopped_at IS NULL"
    for name, table, columns, where in (
        ("ix_letters_due", "letters", ["try_at", "id"], unsent),
        ("ix_questions_due", "questions", ["due_at", "id"], runs),
        ("ix_questions_remind", "questions", ["remind_at", "id"], runs),
        ("ix_questions_stopped", "questions", ["stopped_at"], "closed_at IS NULL AND stopped_at IS NOT NULL"),
        ("ix_episodes_running", "episodes", ["game", "id"], "over_at IS NULL"),
    ):
        op.drop_index(name, table)
        _partial(name, table, columns, where)
    _partial("ix_letters_unsent", "letters", ["id"], unsent)
    _partial("ix_letters_waiting", "letters", ["address", "id"], unsent)
    _partial("ix_episodes_paused", "episodes", ["id"], "paused_at IS NOT NULL")
    op.drop_index("ix_registrations_queue", "registrations")
    op.create_index("ix_registrations_queue", "registrations", ["game", "state", "queued_at", "id"])
    op.add_column("lobbies", sa.Column("running", sa.Integer(), server_default="0", nullable=False))
    op.execute(
        "UPDATE lobbies SET running = (SELECT count(*) FROM episodes WHERE game = lobbies.game AND over_at IS NULL)"
    )
    op.add_column("registrations", sa.Column("is_passed", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.execute(
        "UPDATE registrations SET is_passed = true WHERE passed_at > "
        "(SELECT wrote_at FROM contestants WHERE id = contestant_id)"
    )
    op.create_index("ix_registrations_line", "registrations", ["game", "state", "is_passed", "queued_at", "id"])
    _partial("ix_registrations_passed", "registrations", ["contestant_id"], "is_passed")
    op.create_index("ix_contestants_called_lower", "contestants", [sa.text("lower(called)")])
    op.create_index("ix_inbound_contestant", "inbound", ["contestant_id", "id"])
    _partial("ix_inbound_kept", "inbound", ["fetched_at"], "raw IS NOT NULL AND state NOT IN ('new', 'held', 'broken')")
    op.create_index("ix_audit_episode", "audit", ["episode", "id"])
