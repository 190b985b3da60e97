"""Shell: talk at a table. In: what somebody says. Out: a row, which the next letters to the others carry.

The host reads all of it as part of the mail that said it (`podium mail`, the desk), and stops it with `hush CODE`; `talk =
false` under `[host]` allows none.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta

from host.mail.outbound.formatting import listed
from host.play.services import Service
from host.play.talk import LONGEST, MOST_A_DAY, Said, read_talk
from host.store.company import called_anyhow, count_talk, muted_by, talk_since
from host.store.schema import Contestant, Mute, Seat, Talk
from host.table.play import Play
from host.table.served import Request, Served
from host.table.work import Work

A_DAY = timedelta(days=1)


def talk_for(work: Work, play: Play, seat: Seat) -> tuple[tuple[str, str], ...]:
    """What a letter to a seat carries of the talk since its last one: who says it to whom, and the words."""
    if seat.heard >= play.episode.last_talk:
        return ()
    muted = muted_by(work.session, seat.contestant_id)
    found = talk_since(work.session, play.episode.id, seat.heard)
    seat.heard = play.episode.last_talk
    return tuple(
        (f"{name} says{'' if talk.to_seat is None else ' to you alone'}", talk.text)
        for talk, name in found
        if talk.contestant_id not in {seat.contestant_id, *muted}
        and not talk.is_stopped
        and talk.to_seat in (None, seat.seat)
    )


def _say(request: Request) -> Served:
    work, play, seat = request.work, request.play, request.seat
    if play is None or seat is None:
        return Served(("Nothing was said: reply to a letter of the episode with say and your words.",))
    others = [name for name in play.names if name != seat.name]
    said = read_talk(request.named, play.names)
    why_not = _why_not(request, play, seat, said, others)
    if why_not:
        return Served((f"Nothing was said. {why_not}",))
    to = play.names.index(said.to) if said.to else None
    row = Talk(episode_id=play.episode.id, contestant_id=seat.contestant_id, to_seat=to, text=said.text, at=work.now)
    work.save(row)
    play.episode.last_talk = row.id
    _tell_at_once(request, play, to)
    return Served(
        (f"{said.to or listed(others)} will read in the next letter: “{said.text}” The host can read it, too.",)
    )


def _why_not(request: Request, play: Play, seat: Seat, said: Said, others: list[str]) -> str:
    """Says why something cannot be said, and what to write instead; empty where it can."""
    work = request.work
    if not work.config.host.talk:
        return "The host wants no talk at the table. Write host and your words, and the host gets them."
    if play.episode.over_at is not None:
        return "The episode is over, and no more letters of it go out."
    if not others:
        return "You play alone."
    if said.is_unknown:
        return (
            f"Nobody at your table is called {said.to}; there {'is' if len(others) == 1 else 'are'} {listed(others)}. "
            "Words go to one of them, or to all."
        )
    if said.to == seat.name:
        return "That is your own name."
    if not said.text:
        return "Write say and your words behind it, such as say good luck to all of you."
    if len(said.text) > LONGEST:
        return f"It has {len(said.text)} letters, and {LONGEST} is the most: say less."
    if not said.is_addressed and _takes_words(play, seat):
        return f"Your question waits for words, and “{said.text}” may be meant for it: write say to all, or answer, before them."
    if count_talk(work.session, seat.contestant_id, work.now - A_DAY) >= MOST_A_DAY:
        return f"You have said something {MOST_A_DAY} times in a day, which is the most: wait a while."
    return ""


def _takes_words(play: Play, seat: Seat) -> bool:
    """May words of a seat be an answer in free text, asked for or sealed?"""
    asked = [
        choice for each in play.questions if each.seat == seat.seat for choice in play.game.choices(play.state, each)
    ]
    return any(choice.text for choice in (*asked, *play.game.ahead(play.state, seat.seat)))


def _tell_at_once(request: Request, play: Play, to: int | None) -> None:
    """Write to whoever of the others wants letters at once; everybody else hears it in their next letter."""
    from host.table.notify import repeat_questions  # which carries talk

    for seat in play.episode.seats:
        is_for_them = seat is not request.seat and to in (None, seat.seat)
        is_muted = request.contestant.id in muted_by(request.work.session, seat.contestant_id)
        if is_for_them and seat.contestant.letters == "at once" and not is_muted:
            repeat_questions(request.work, play, seat, "news", headline="A word from your table")


def _named(request: Request) -> tuple[Contestant | None, str]:
    """The contestant whom somebody names, at their table before all others; else the sentence that says there is none."""
    name = request.named.strip(" .,!")
    if not name:
        return None, "Write the name behind it, such as mute Bob."
    at_table = (
        [seat for seat in request.play.episode.seats if seat.name.casefold() == name.casefold()] if request.play else []
    )
    found = at_table[0].contestant if at_table else called_anyhow(request.work.session, name)
    if found is None:
        return None, f"I know nobody who is called {name}; nothing was changed."
    return (None, "That is yourself; nothing was changed.") if found is request.contestant else (found, "")


def _mute(request: Request) -> Served:
    who, why_not = _named(request)
    if who is None:
        return Served((why_not,))
    request.work.session.merge(Mute(contestant_id=request.contestant.id, muted_id=who.id))
    return Served(
        (f"You read nothing more that {_called(request, who)} says; unmute {_called(request, who)} ends that.",)
    )


def _unmute(request: Request) -> Served:
    who, why_not = _named(request)
    if who is None:
        return Served((why_not,))
    row = request.work.session.get(Mute, (request.contestant.id, who.id))
    if row is None:
        return Served((f"You had not muted {_called(request, who)}.",))
    request.work.session.delete(row)
    return Served((f"You read again what {_called(request, who)} says.",))


def _called(request: Request, who: Contestant) -> str:
    seat = request.play.seat_of(who.id) if request.play else None
    return seat.name if seat else who.called


SERVED: Mapping[Service, Callable[[Request], Served]] = {
    Service.SAY: _say,
    Service.MUTE: _mute,
    Service.UNMUTE: _unmute,
}
