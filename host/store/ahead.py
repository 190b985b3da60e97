"""Edge: the rows of commands sent ahead. In: an episode, a seat, a letter. Out: what waits, and what became of the rest."""

from collections.abc import Sequence

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from host.store.schema import Kept


def waiting_commands(session: Session, episode_id: int, seat: int | None = None) -> Sequence[Kept]:
    """The commands that wait in an episode, in the order in which they came; of one seat, or of all."""
    query = select(Kept).where(Kept.episode_id == episode_id, Kept.state == "waiting")
    if seat is not None:
        query = query.where(Kept.seat == seat)
    return session.scalars(query.order_by(Kept.id)).all()


def commands_to_tell(session: Session, episode_id: int, seat: int) -> Sequence[Kept]:
    """The commands of a seat that wait, and those that were played or dropped and of which it has not been told."""
    is_news = and_(Kept.state.in_(("played", "dropped")), Kept.is_told.is_(False))
    return session.scalars(
        select(Kept)
        .where(Kept.episode_id == episode_id, Kept.seat == seat, or_(Kept.state == "waiting", is_news))
        .order_by(Kept.id)
    ).all()


def commands_replying_to(session: Session, letter_id: int) -> Sequence[str]:
    """What earlier replies to a letter sent ahead, those cancelled aside."""
    return session.scalars(select(Kept.text).where(Kept.letter_id == letter_id, Kept.state != "cancelled")).all()
