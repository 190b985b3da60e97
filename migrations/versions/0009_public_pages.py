"""what finished episodes add up to: who won them, standings, reigns of champions; indexes for lists of finished episodes

Episodes that are over already are counted once, from their states as they are stored.

Revision ID: 0009
Revises: 0008
"""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

OVER = "over_at IS NOT NULL"
DOLLARS = ("champ-cards", "split-decision")
"""The games that are played for dollars, when this was written."""
AT_ONCE = 500


def upgrade() -> None:
    """Forward."""
    op.add_column("seats", sa.Column("won", sa.Boolean(), nullable=True))
    op.add_column("seats", sa.Column("winnings", sa.BigInteger(), nullable=True))
    _partial("ix_episodes_over", "episodes", ["over_at", "id"], OVER)
    _partial("ix_episodes_over_game", "episodes", ["game", "over_at", "id"], OVER)
    op.create_table(
        "standings",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("contestant_id", sa.Integer(), nullable=False),
        sa.Column("episodes", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("winnings", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["contestant_id"], ["contestants.id"], name="fk_standings_contestant_id_contestants"),
        sa.PrimaryKeyConstraint("game", "season", "contestant_id", name="pk_standings"),
    )
    op.create_index("ix_standings_wins", "standings", ["game", "season", "wins", "winnings", "contestant_id"])
    op.create_index("ix_standings_winnings", "standings", ["game", "season", "winnings", "contestant_id"])
    op.create_table(
        "reigns",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("contestant_id", sa.Integer(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["contestant_id"], ["contestants.id"], name="fk_reigns_contestant_id_contestants"),
        sa.PrimaryKeyConstraint("id", name="pk_reigns"),
    )
    op.create_index("ix_reigns_game", "reigns", ["game", "id"])
    _partial("ix_reigns_open", "reigns", ["game"], "ended_at IS NULL")
    _count_what_is_over(op.get_bind())


def downgrade() -> None:
    """Back."""
    op.drop_table("reigns")
    op.drop_table("standings")
    op.drop_index("ix_episodes_over_game", "episodes")
    op.drop_index("ix_episodes_over", "episodes")
    op.drop_column("seats", "winnings")
    op.drop_column("seats", "won")


def _partial(name: str, table: str, columns: list[str], where: str) -> None:
    op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def _count_what_is_over(connection: Any) -> None:
    after = 0
    standings: dict[Any, list[int]] = {}
    query = sa.text(
        "SELECT id, game, state, over_at, champion_before_id FROM episodes "
        "WHERE id > :after AND over_at IS NOT NULL ORDER BY id LIMIT :most"
    ).columns(over_at=sa.DateTime(timezone=True))
    while rows := connection.execute(query, {"after": after, "most": AT_ONCE}).all():
        after = rows[-1].id
        for row in rows:
            state = json.loads(row.state) if isinstance(row.state, str) else row.state
            _count(connection, row, state, standings)
    _write(connection, standings)
    _reigns(connection)


def _count(connection: Any, row: Any, state: Any, standings: dict[Any, list[int]]) -> None:
    winner, winnings = _winner(state), state.get("chips") or state.get("bankrolls") or state.get("winnings") or []
    if row.game in DOLLARS:
        winnings = state.get("winnings") or []
    seats = connection.execute(
        sa.text("SELECT seat, contestant_id FROM seats WHERE episode_id = :id ORDER BY seat"), {"id": row.id}
    ).all()
    for seat, contestant_id in seats:
        won, amount = seat == winner, int(winnings[seat]) if seat < len(winnings) else 0
        connection.execute(
            sa.text("UPDATE seats SET won = :won, winnings = :amount WHERE episode_id = :id AND seat = :seat"),
            {"won": won, "amount": amount, "id": row.id, "seat": seat},
        )
        for game in (row.game, "") if row.game in DOLLARS else (row.game,):
            for season in (0, row.over_at.year):
                found = standings.setdefault((game, season, contestant_id), [0, 0, 0])
                found[0], found[1], found[2] = found[0] + 1, found[1] + won, found[2] + amount


def _winner(state: Any) -> Any:
    winners = state.get("winners")
    return (winners[2] if len(winners) > 2 else None) if winners is not None else state.get("winner")


def _write(connection: Any, standings: dict[Any, list[int]]) -> None:
    insert = sa.text(
        "INSERT INTO standings (game, season, contestant_id, episodes, wins, winnings) "
        "VALUES (:game, :season, :contestant_id, :episodes, :wins, :winnings)"
    )
    for (game, season, contestant_id), (episodes, wins, winnings) in standings.items():
        values = {"game": game, "season": season, "contestant_id": contestant_id, "episodes": episodes}
        connection.execute(insert, values | {"wins": wins, "winnings": winnings})


def _reigns(connection: Any) -> None:
    """Champions as episodes found them when they ended, and those of today. What the record does not tell stays out."""
    insert = sa.text(
        "INSERT INTO reigns (game, contestant_id, began_at, ended_at, wins) VALUES (:game, :who, :began, :ended, :wins)"
    ).bindparams(
        sa.bindparam("began", type_=sa.DateTime(timezone=True)), sa.bindparam("ended", type_=sa.DateTime(timezone=True))
    )
    today = {
        row.game: row
        for row in connection.execute(sa.text("SELECT game, champion_id, champion_wins FROM lobbies")).all()
    }
    ended = sa.text(
        "SELECT game, over_at, champion_before_id AS who, champion_wins_before AS wins FROM episodes "
        "WHERE over_at IS NOT NULL ORDER BY game, over_at, id"
    ).columns(over_at=sa.DateTime(timezone=True))
    reigns: list[dict[str, Any]] = []
    before: dict[str, Any] = {}
    for row in connection.execute(ended):
        last = next((each for each in reversed(reigns) if each["game"] == row.game), None)
        if last is not None and last["ended"] is None and last["who"] != row.who:
            last["ended"] = row.over_at
        if row.who is not None:
            if last is None or last["ended"] is not None:
                last = {
                    "game": row.game,
                    "who": row.who,
                    "began": before.get(row.game, row.over_at),
                    "ended": None,
                    "wins": 0,
                }
                reigns.append(last)
            last["wins"] = max(last["wins"], row.wins)
        before[row.game] = row.over_at
    for game, row in today.items():
        last = next((each for each in reversed(reigns) if each["game"] == game), None)
        if last is not None and last["ended"] is None and last["who"] != row.champion_id:
            last["ended"] = before[game]
        if row.champion_id is None or game not in before:
            continue
        if last is None or last["ended"] is not None:
            reigns.append(
                {"game": game, "who": row.champion_id, "began": before[game], "ended": None, "wins": row.champion_wins}
            )
        else:
            last["wins"] = row.champion_wins
    for reign in reigns:
        connection.execute(insert, reign)
