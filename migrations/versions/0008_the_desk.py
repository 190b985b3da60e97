"""the desk: links to log in, sessions, forms that were sent, what was shown, what was seen to

New tables, empty, and two indexes of the few rows that an operator may have to look at.

Revision ID: 0008
Revises: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

ASKS_HOST = sa.text("host_question <> ''")
TO_HOST = sa.text("purpose = 'host'")


def upgrade() -> None:
    """Forward."""
    instant = sa.DateTime(timezone=True)
    op.create_table(
        "login_links",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("address", sa.String(320), nullable=False),
        sa.Column("made_at", instant, nullable=False),
        sa.Column("until", instant, nullable=False),
        sa.Column("used_at", instant, nullable=True),
        sa.PrimaryKeyConstraint("key", name="pk_login_links"),
    )
    op.create_index("ix_login_links_made_at", "login_links", ["made_at"])
    op.create_table(
        "web_sessions",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("address", sa.String(320), nullable=False),
        sa.Column("began_at", instant, nullable=False),
        sa.Column("seen_at", instant, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_web_sessions"),
    )
    op.create_table(
        "sent_forms",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("at", instant, nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_sent_forms"),
    )
    op.create_table(
        "reveals",
        sa.Column("session_key", sa.String(64), nullable=False),
        sa.Column("what", sa.String(40), nullable=False),
        sa.Column("until", instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["session_key"],
            ["web_sessions.key"],
            name="fk_reveals_session_key_web_sessions",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("session_key", "what", name="pk_reveals"),
    )
    op.create_table(
        "seen_to",
        sa.Column("what", sa.String(40), nullable=False),
        sa.Column("at", instant, nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("what", name="pk_seen_to"),
    )
    op.create_index(
        "ix_letters_host_question", "letters", ["episode_id"], sqlite_where=ASKS_HOST, postgresql_where=ASKS_HOST
    )
    op.create_index("ix_letters_to_host", "letters", ["id"], sqlite_where=TO_HOST, postgresql_where=TO_HOST)
    op.create_index("ix_contestants_name_lower", "contestants", [sa.text("lower(name)")])
    held = sa.text("state = 'held'")
    op.create_index("ix_inbound_held", "inbound", ["id"], sqlite_where=held, postgresql_where=held)
    bounced = sa.text("bounced_at IS NOT NULL")
    op.create_index(
        "ix_contestants_bounced", "contestants", ["bounced_at"], sqlite_where=bounced, postgresql_where=bounced
    )


def downgrade() -> None:
    """Back."""
    op.drop_index("ix_inbound_held", "inbound")
    op.drop_index("ix_contestants_bounced", "contestants")
    op.drop_index("ix_contestants_name_lower", "contestants")
    op.drop_index("ix_letters_to_host", "letters")
    op.drop_index("ix_letters_host_question", "letters")
    for table in ("seen_to", "reveals", "sent_forms", "web_sessions", "login_links"):
        op.drop_table(table)
