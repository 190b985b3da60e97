"""a letter is stored once, packed: its text and its HTML are read from the message when they are asked for

Each row of `letters` is written anew. On SQLite the file keeps its size, and what comes later fills it; VACUUM gives the
room back (docs/scale.md).

Revision ID: 0010
Revises: 0009
"""

import email
import email.policy

import sqlalchemy as sa
from alembic import op

from host.store.packing import pack, unpack

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

AT_ONCE = 200
KEPT = "packed IS NOT NULL"
LETTERS = sa.table(
    "letters",
    sa.column("id", sa.Integer),
    sa.column("packed", sa.LargeBinary),
    sa.column("message", sa.LargeBinary),
    sa.column("body", sa.Text),
    sa.column("page", sa.Text),
)


def upgrade() -> None:
    """Forward."""
    op.add_column("letters", sa.Column("packed", sa.LargeBinary(), nullable=True))
    # what is dropped is emptied before, for a dropped column of PostgreSQL keeps what it held
    empty = {"message": b"", "body": "", "page": ""}
    _each("message", lambda message: empty | {"packed": pack(message) if message else None})
    for name in ("message", "body", "page"):
        op.execute(f"ALTER TABLE letters DROP COLUMN {name}")
    op.create_index(
        "ix_letters_kept", "letters", ["created_at"], sqlite_where=sa.text(KEPT), postgresql_where=sa.text(KEPT)
    )


def downgrade() -> None:
    """Back. Letters that were let go of are empty."""
    op.drop_index("ix_letters_kept", "letters")
    for name, kind, nothing in (("body", sa.Text, "''"), ("page", sa.Text, "''"), ("message", sa.LargeBinary, None)):
        if nothing is None:
            nothing = "x''" if op.get_context().dialect.name == "sqlite" else "''::bytea"
        op.add_column("letters", sa.Column(name, kind(), server_default=sa.text(nothing), nullable=False))
    _each("packed", lambda packed: _whole(unpack(packed)) | {"packed": None} if packed else None)
    op.execute("ALTER TABLE letters DROP COLUMN packed")


def _each(column, change):
    """Write what `change` makes of a column into each row, some rows at a time."""
    connection = op.get_bind()
    after = 0
    some = sa.select(LETTERS.c.id, LETTERS.c[column]).order_by(LETTERS.c.id).limit(AT_ONCE)
    while rows := connection.execute(some.where(LETTERS.c.id > after)).all():
        changed = [{"b_id": number} | new for number, old in rows if (new := change(old)) is not None]
        if changed:
            values = {name: sa.bindparam(name) for name in changed[0] if name != "b_id"}
            connection.execute(LETTERS.update().where(LETTERS.c.id == sa.bindparam("b_id")).values(values), changed)
        after = rows[-1].id


def _whole(message):
    opened = email.message_from_bytes(message, policy=email.policy.default)
    text, page = opened.get_body(("plain",)), opened.get_body(("html",))
    return {
        "message": message,
        "body": text.get_content().replace("\r\n", "\n") if text else "",
        "page": page.get_content().replace("\r\n", "\n") if page else "",
    }
