"""Edge: the sums of finished episodes. In: who won what, a champion. Out: rows of standings and of reigns, kept up to date.

An episode counts four times for each of its contestants: in its game and, where that is played for dollars, in all games
together; each in its year and over all years.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from host.store.database import insert_of
from host.store.schema import LobbyRow, Reign, Standing

ALL_GAMES = ""
ALL_YEARS = 0


@dataclass(frozen=True)
class Score:
    """A contestant's result in an episode; all of it negative where its end is taken back."""

    contestant_id: int
    episodes: int
    wins: int
    winnings: int


def add_scores(session: Session, slug: str, year: int, scores: Sequence[Score], is_money: bool) -> None:
    """An episode of a game is over, or not any more."""
    rows = [
        asdict(score) | {"game": game, "year": each_year}
        for score in sorted(scores, key=lambda each: each.contestant_id)  # two processes take rows in one order
        for game in ((slug, ALL_GAMES) if is_money else (slug,))
        for each_year in (ALL_YEARS, year)
    ]
    for row in rows:
        added = insert_of(session)(Standing).values(row)
        counts = {
            name: getattr(Standing, name) + getattr(added.excluded, name) for name in ("episodes", "wins", "winnings")
        }
        keys = ["game", "season", "contestant_id"]
        session.execute(added.on_conflict_do_update(index_elements=keys, set_=counts))


def follow_throne(session: Session, lobby: LobbyRow, now: datetime, is_taken_back: bool = False) -> None:
    """The champion of a game may be another now, or have won once more; the reigns follow.

    Where a change is taken back, the reign that it began is forgotten, and the one before it goes on.
    """
    reign = _latest(session, lobby.game)
    current = reign if reign is not None and reign.ended_at is None else None
    if current is not None and current.contestant_id != lobby.champion_id:
        if is_taken_back:
            session.delete(current)
            session.flush()
        else:
            current.ended_at = now
        current = None
    if lobby.champion_id is None:
        return
    if current is None and is_taken_back:
        before = _latest(session, lobby.game)
        if before is not None and before.contestant_id == lobby.champion_id:
            before.ended_at, current = None, before
    if current is None:
        current = Reign(game=lobby.game, contestant_id=lobby.champion_id, began_at=now, ended_at=None)
        session.add(current)
    current.wins = lobby.champion_wins


def _latest(session: Session, slug: str) -> Reign | None:
    number = session.scalar(select(func.max(Reign.id)).where(Reign.game == slug))
    return None if number is None else session.get(Reign, number)
