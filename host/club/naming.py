"""Shell: names. In: a name and a nickname. Out: what letters call somebody, which nobody else is called; somebody new."""

from datetime import datetime

from host.play.names import called
from host.play.prose import Form
from host.store.people import is_called
from host.store.schema import Contestant
from host.table.work import Work


def name_for(work: Work, name: str, nickname: str, but_for: Contestant | None = None) -> str:
    """The name by which the host knows somebody among all that ever registered."""
    so_far = but_for.called.lower() if but_for else None

    def is_taken(candidate: str) -> bool:
        return candidate.lower() != so_far and is_called(work.session, candidate)

    return called(name, nickname, is_taken, work.config.host.name)


def new_contestant(
    work: Work, address: str, form: Form, wrote_at: datetime, confirmed_at: datetime | None = None
) -> Contestant:
    """Somebody whom nobody here knew before; a guest, where they have no name yet."""
    contestant = Contestant(
        address=address,
        name=form.name,
        nickname=form.nickname,
        hometown=form.hometown,
        called=name_for(work, form.name or "Guest", form.nickname),
        created_at=work.now,
        wrote_at=wrote_at,
        confirmed_at=confirmed_at,
    )
    work.save(contestant)
    return contestant
