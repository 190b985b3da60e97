"""Shell: calls to former players. In: a start of a game that comes near, `invite off` and `invite on`. Out: a letter to those who
played it, the few that a start allows and none a month, whether they want any."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from host.engine.game import Choice, Game
from host.engine.words import plain
from host.games import GAMES
from host.mail.outbound.draft import Ask
from host.mail.outbound.render import zone_of
from host.play.agreement import has_reservation, puts_off, says_no, says_ready
from host.play.services import Service, Wish, services_in
from host.play.starts import day_in_words, hour_in_words
from host.store import roster
from host.store.database import Session
from host.store.mails import count_of_cause
from host.store.people import OPEN, registration_of
from host.store.schema import Contestant, LobbyRow
from host.table.letters import write
from host.table.served import Request, Served
from host.table.work import Reply, Services, Work, begin

CALL_WITHIN = timedelta(days=7)
"""How long before a start calls to it are written."""
A_MONTH = timedelta(days=30)
"""Nobody is called twice in it."""
GROUP = 16
"""Calls that are written in one transaction."""


def call(services: Services, now: datetime) -> None:
    """Write the calls that are due, to all games whose start is near."""
    zone = zone_of(services.config.host.timezone)
    for slug, settings in services.config.games.items():
        start = settings.starts.next_after(now, zone) if settings.starts else None
        if start is None or start - now > CALL_WITHIN:
            continue
        with services.store.reading() as session:
            left = len(_to_call(session, services, slug, start, now, settings.calls))
        while left > 0:
            with begin(services, now) as work:
                work.lobby(slug)
                for each in _to_call(work.session, services, slug, start, now, GROUP):
                    _call(work, GAMES[slug], each, start)
            left -= GROUP


def _cause(slug: str, start: datetime) -> str:
    return f"call {slug} {start:%Y-%m-%dT%H:%M}"


def _to_call(
    session: Session, services: Services, slug: str, start: datetime, now: datetime, most: int
) -> Sequence[Contestant]:
    left = services.settings(slug).calls - count_of_cause(session, _cause(slug, start))
    if left <= 0:
        return ()
    lobby = session.get(LobbyRow, slug)
    return roster.to_call(session, slug, lobby.champion_id if lobby else None, now - A_MONTH, min(left, most))


def _call(work: Work, game: Game[Any, Any], contestant: Contestant, start: datetime) -> None:
    zone = work.config.host.timezone
    day, hour = day_in_words(start, zone_of(zone)), hour_in_words(start, zone_of(zone))
    said = [(f"again {game.title}", "I play"), ("invite off", "No such letters")]
    choices = tuple(Choice((body,), label, f"the words {body}", body) for body, label in said)
    sentence = (
        f"You have played {game.title} here; the next episodes begin on {day}, {hour} ({zone}): do you play again?"
    )
    letter = write(
        work,
        contestant,
        f"{game.title} begins on {day}",
        about=game,
        kind="ready",
        purpose="call",
        asks=(Ask(sentence, choices),),
        services=False,
    )
    letter.cause = _cause(game.slug, start)


def is_put_off(lines: Sequence[str], contestant: Contestant) -> bool:
    """Is it `not now` and nothing else, but for the name of who writes?"""
    own = {plain(name) for name in (contestant.called, contestant.name, contestant.name.partition(" ")[0])}
    return puts_off([line for line in lines if plain(line).strip(" .,!-") not in own])


def as_meant(reply: Reply) -> Reply:
    """A reply to a call in the words of services: a yes asks to play again, a no wants no more calls.

    Others, and a yes with a but, are as they are.
    """
    lines, game = reply.lines, reply.letter.game
    is_going = any(service is Service.LEAVE for service, _ in services_in(lines))
    if says_no(lines) or is_going:
        waits = registration_of(reply.turn.work.session, reply.contestant.id, game, *OPEN)
        kept = () if is_going and not waits else lines
        return replace(reply, lines=kept, wishes=(*reply.wishes, Wish(Service.CALLS, "off")))
    if says_ready(lines) and not has_reservation(lines) and not services_in(lines):
        return replace(reply, lines=(f"again {GAMES[game].title}", *lines))
    return reply


def _calls(request: Request) -> Served:
    """`invite off`, `invite on`."""
    request.contestant.wants_calls = request.named.lower() == "on"
    if request.contestant.wants_calls:
        return Served(("When a game begins that you have played, you get a letter, one a month at most.",))
    return Served(("You get no letter any more when a game begins. Write invite on, and you do again.",))


SERVED: Mapping[Service, Callable[[Request], Served]] = {Service.CALLS: _calls}
