"""Edge: the rows of commands sent ahead. In: an episode, a seat, a letter. Out: what waits, and what became of the rest."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from host.store.schema import Kept


def waiting_commands(session: Session, episode_id: int, seat: int | None = None) -> Sequence[Kept]:
    """The commands that wait in an episode, in the order in which they came; of one seat, or of all."""
    query = select(Kept).where(Kept.episode_id == episode_id, Kept.state == "waiting")
    if seat is not None:
        query = query.where(Kept.seat == seat)
    return session.scalars(query.order_by(Kept.id)).all()


def untold_commands(session: Session, episode_id: int, seat: int) -> Sequence[Kept]:
    """The commands of a seat that were played or dropped, of which it has not been told."""
    return session.scalars(
        select(Kept)
        .where(
            Kept.episode_id == episode_id,
            Kept.seat == seat,
            Kept.state.in_(("played", "dropped")),
            Kept.is_told.is_(False),
        )
        .order_by(Kept.id)
    ).all()


def commands_replying_to(session: Session, letter_id: int) -> Sequence[str]:
    """What earlier replies to a letter sent ahead, those cancelled aside."""
    return session.scalars(select(Kept.text).where(Kept.letter_id == letter_id, Kept.state != "cancelled")).all()
