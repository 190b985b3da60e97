"""processes on one PostgreSQL tell each other nothing any more: each looks once a second for what others left

Revision ID: 0012
Revises: 0011
"""

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

TELL = """
CREATE FUNCTION podium_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_notify('podium', TG_ARGV[0]); RETURN NULL; END $$
"""
NOTICES = {"mails": ("inbound", "new"), "letters": ("letters", "queued")}


def upgrade() -> None:
    """Forward."""
    if op.get_context().dialect.name == "postgresql":
        op.execute("DROP FUNCTION podium_tell CASCADE")


def downgrade() -> None:
    """Back."""
    if op.get_context().dialect.name == "postgresql":
        op.execute(TELL)
        for notice, (table, state) in NOTICES.items():
            named = f"EXECUTE FUNCTION podium_tell('{notice}')"
            others = f"current_setting('podium.{notice}', true) IS DISTINCT FROM 'own'"
            again = f"NEW.state = '{state}' AND OLD.state <> '{state}' AND {others}"
            op.execute(f"CREATE TRIGGER tell_new AFTER INSERT ON {table} FOR EACH STATEMENT WHEN ({others}) {named}")
            op.execute(
                f"CREATE TRIGGER tell_again AFTER UPDATE OF state ON {table} FOR EACH ROW WHEN ({again}) {named}"
            )
