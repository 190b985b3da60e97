"""a process claims mails and letters under its name and has one lease; whoever writes tells those that wait, on PostgreSQL

A letter stays `queued` while it is sent. Indexes of `letters` that no statement needs, or that another one serves as well,
are gone: each letter is written into five of them when it is written, and into six when it is accepted.

Revision ID: 0011
Revises: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

UNSENT, UNSENT_BEFORE = "state = 'queued'", "state IN ('queued', 'sending')"
OF_UNSENT = {"ix_letters_due": ["try_at", "id"], "ix_letters_waiting": ["address", "id"]}

ROOM = (
    "ALTER TABLE letters ALTER packed SET STORAGE EXTERNAL",
    "ALTER TABLE letters SET (fillfactor = 50, toast_tuple_target = 768)",
    "ALTER TABLE inbound SET (fillfactor = 50)",
)
"""A claim writes a row anew. It is put beside the old one, and no index hears of it, where its page has room; and what is
packed already is not copied with it."""
NO_ROOM = (
    "ALTER TABLE inbound RESET (fillfactor)",
    "ALTER TABLE letters RESET (fillfactor, toast_tuple_target)",
    "ALTER TABLE letters ALTER packed SET STORAGE EXTENDED",
)
TELL = """
CREATE FUNCTION podium_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_notify('podium', TG_ARGV[0]); RETURN NULL; END $$
"""
NOTICES = {"mails": ("inbound", "new"), "letters": ("letters", "queued")}
"""Of what is told, where it is written, and in which state it waits; `host.store.notices` hears it."""


def upgrade() -> None:
    """Forward."""
    op.execute("UPDATE letters SET state = 'queued' WHERE state IN ('queued', 'sending') AND state = 'sending'")
    for name, columns in OF_UNSENT.items():
        op.drop_index(name, "letters")
        _partial(name, columns, UNSENT)
    op.drop_index("ix_letters_unsent", "letters")
    op.drop_index("ix_letters_answers_id", "letters")
    op.drop_index("ix_letters_sent_at", "letters")
    _partial("ix_letters_sent_at", ["sent_at"], "sent_at IS NOT NULL")
    for table in ("letters", "inbound"):
        op.add_column(table, sa.Column("claimed_by", sa.String(40), nullable=True))
    op.execute("ALTER TABLE inbound DROP COLUMN lease_until")
    if op.get_context().dialect.name == "postgresql":
        for statement in ROOM:
            op.execute(statement)
        op.execute(TELL)
        for notice, (table, state) in NOTICES.items():
            named = f"EXECUTE FUNCTION podium_tell('{notice}')"
            others = f"current_setting('podium.{notice}', true) IS DISTINCT FROM 'own'"
            again = f"NEW.state = '{state}' AND OLD.state <> '{state}' AND {others}"
            op.execute(f"CREATE TRIGGER tell_new AFTER INSERT ON {table} FOR EACH STATEMENT WHEN ({others}) {named}")
            op.execute(
                f"CREATE TRIGGER tell_again AFTER UPDATE OF state ON {table} FOR EACH ROW WHEN ({again}) {named}"
            )


def downgrade() -> None:
    """Back."""
    if op.get_context().dialect.name == "postgresql":
        op.execute("DROP FUNCTION podium_tell CASCADE")
        for statement in NO_ROOM:
            op.execute(statement)
    op.add_column("inbound", sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True))
    for table in ("inbound", "letters"):
        op.execute(f"ALTER TABLE {table} DROP COLUMN claimed_by")
    op.drop_index("ix_letters_sent_at", "letters")
    op.create_index("ix_letters_sent_at", "letters", ["sent_at"])
    op.create_index("ix_letters_answers_id", "letters", ["answers_id"])
    for name, columns in (OF_UNSENT | {"ix_letters_unsent": ["id"]}).items():
        if name in OF_UNSENT:
            op.drop_index(name, "letters")
        _partial(name, columns, UNSENT_BEFORE)


def _partial(name: str, columns: list[str], where: str) -> None:
    op.create_index(name, "letters", columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))
