"""Edge: the rows of commands sent ahead. In: an episode, a seat, a letter. Out: what waits, and what became of the rest."""

from collections.abc import Sequence

from sqlalchemy import and_, bindparam, or_, select
from sqlalchemy.orm import Session

from host.store.schema import Letter, PremoveRow

_WAITING = (
    select(PremoveRow)
    .where(PremoveRow.episode_id == bindparam("episode_id"), PremoveRow.state == "waiting")
    .order_by(PremoveRow.id)
)
_TO_TELL = (
    select(PremoveRow)
    .where(
        PremoveRow.episode_id == bindparam("episode_id"),
        or_(
            PremoveRow.state == "waiting",
            and_(PremoveRow.state.in_(("played", "dropped")), PremoveRow.is_told.is_(False)),
        ),
    )
    .order_by(PremoveRow.id)
)
_REPLIED = select(PremoveRow.text).where(
    PremoveRow.letter_id == bindparam("letter_id"), PremoveRow.state != "cancelled"
)


def waiting_premoves(session: Session, episode_id: int, seat: int | None = None) -> Sequence[PremoveRow]:
    """The commands that wait in an episode, in the order in which they came; of one seat, or of all."""
    rows = session.scalars(_WAITING, {"episode_id": episode_id}).all()
    return [row for row in rows if row.state == "waiting" and (seat is None or row.seat == seat)]


def premoves_to_tell(session: Session, episode_id: int) -> Sequence[PremoveRow]:
    """The commands in an episode that wait, and those played or dropped of which their seats have not been told."""
    return session.scalars(_TO_TELL, {"episode_id": episode_id}).all()


def premoves_replying_to(session: Session, letter: Letter) -> Sequence[str]:
    """What earlier replies to a letter sent ahead, those cancelled aside."""
    return session.scalars(_REPLIED, {"letter_id": letter.id}).all()
