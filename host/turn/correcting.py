"""Shell: who is called something else. In: what a contestant corrects of their form. Out: it stored, and the sentences about it.

An episode under way goes on with the names that its record began with.
"""

from collections.abc import Sequence

from host.play.corrections import take_correction
from host.play.names import called, own, why_not
from host.play.registration_form import Form
from host.play.services import take_host_text
from host.store.episodes import episode_with
from host.store.people import is_called
from host.store.schema import Contestant, Letter
from host.turn.incoming import Turn
from host.turn.work import Work

HOW = (
    "To correct it, answer with one of these lines: name and your name; call me and a nickname; hometown and your town."
)


def correct_by_reply(turn: Turn, letter: Letter, contestant: Contestant) -> tuple[Sequence[str], tuple[str, ...]]:
    """Correct a registration as a reply says; gives its other lines, and the sentences about it."""
    rest, _ = take_host_text(turn.lines)
    if letter.episode_id is not None or letter.kind not in ("confirm", "registered", "ready", "help", "refused"):
        return turn.lines, ()
    found = take_correction(rest, Form(contestant.name, contestant.nickname, contestant.hometown))
    if found.rest == rest or turn.is_capped(contestant.address):
        return turn.lines, ()
    to_host = [line for line in turn.lines if line not in rest]
    return (*found.rest, *to_host), correct(turn.work, contestant, found.form)


def correct(work: Work, contestant: Contestant, form: Form) -> tuple[str, ...]:
    """Put what a form says in place of what is known. Says what it is now; nothing where the form says nothing new."""
    name = contestant.name if not form.name or "@" in form.name else form.name
    now = (name, form.nickname or contestant.nickname, form.hometown or contestant.hometown)
    if now == (contestant.name, contestant.nickname, contestant.hometown):
        return () if not form.says_something else (f"That is what I have already. {as_read(work, contestant)}",)
    contestant.name, contestant.nickname, contestant.hometown = now
    contestant.called = name_for(work, now[0], now[1], contestant)
    return (f"Corrected. {as_read(work, contestant)}", *_where_it_stays(work, contestant))


def name_for(work: Work, name: str, nickname: str, but_for: Contestant | None = None) -> str:
    """The name by which the host knows somebody among all that ever registered."""
    so_far = but_for.called.lower() if but_for else None

    def is_taken(candidate: str) -> bool:
        return candidate.lower() != so_far and is_called(work.session, candidate)

    return called(name, nickname, is_taken, work.config.host.name)


def as_read(work: Work, contestant: Contestant) -> str:
    """A form's values, as they were read."""
    fields = {"Name": contestant.name, "Nickname": contestant.nickname, "Hometown": contestant.hometown}
    read = "; ".join(f"{label}: {value or 'none'}" for label, value in fields.items())
    why = "".join(f" {each}" for each in why_not_so(work, contestant))
    return f"I read: {read}.{why} Others will call you {own_name(work, contestant)}."


def why_not_so(work: Work, contestant: Contestant) -> tuple[str, ...]:
    """Why somebody is not called by their nickname, where that is so."""
    why = why_not(contestant.name, contestant.nickname, work.config.host.name)
    return (why,) if why else ()


def own_name(work: Work, contestant: Contestant) -> str:
    """The name by which letters address somebody: a number comes behind it only where two at one table are called so."""
    return own(contestant.name, contestant.nickname, work.config.host.name)


def _where_it_stays(work: Work, contestant: Contestant) -> tuple[str, ...]:
    """The episodes under way keep the names that they began with."""
    playing = [episode_with(work.session, slug, contestant.id) for slug in work.config.games]
    return tuple(
        f"In episode {episode.code}, which is under way, you stay {seat.name}."
        for episode in playing
        if episode is not None
        for seat in episode.seats
        if seat.contestant_id == contestant.id and seat.name != own_name(work, contestant)
    )
