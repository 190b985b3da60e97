"""Shell: mail of operators. In: an operator's reply. Out: words passed on to a contestant, or the hand at work."""

from collections.abc import Sequence
from datetime import datetime

from host.mail.outbound.draft import Draft
from host.store.database import Session
from host.store.episodes import take_episode
from host.store.schema import Contestant, Letter
from host.turn import admin
from host.turn.letters import Answering, send
from host.turn.notify import repeat_questions
from host.turn.services import Services, load_play


def from_operator(
    session: Session, services: Services, answering: Answering, letter: Letter, lines: Sequence[str], now: datetime
) -> tuple[str, str]:
    """An operator's reply: to what a contestant wrote, it goes back to them; to an alert, it is the host's command."""
    if letter.address.lower() not in {each.lower() for each in services.config.host.operators}:
        return "refused", "no longer an operator; not answered"
    if letter.purpose == "host":
        if not lines:
            return "refused", "an operator's reply with nothing typed"
        contestant = session.get(Contestant, letter.about_id) if letter.about_id is not None else None
        if contestant is None:
            return "refused", "who wrote that is not registered any more; not answered"
        _pass_on(session, services, letter, contestant, lines, now)
        return "answered", f"passed on to {contestant.called}"
    answers = [admin.by_mail(session, services, letter, line, now) for line in _unwrapped(lines)] or [
        "There was nothing typed in your mail."
    ]
    draft = Draft(kind="alert", headline="What your mail did", lead=tuple(answers), services=False)
    play = load_play(take_episode(session, letter.episode_id)) if letter.episode_id is not None else None
    send(session, services, draft, now, address=letter.address, purpose="operator", play=play, answering=answering)
    return "answered", "; ".join(answers)[:400]


def _unwrapped(lines: Sequence[str]) -> list[str]:
    """The lines, a question that a mail program wrapped made one again: it has an equals sign, and answers after it."""
    joined: list[str] = []
    for line in lines:
        before = joined[-1].split() if joined else []
        is_asking = [each.lower() for each in before[:2] if each.lower() != "say"][:1] == ["ask"]
        if is_asking and ("=" not in joined[-1] or before[-1][-1] in "=|" or line.startswith("|") or " | " in line):
            joined[-1] += f" {line}"
        else:
            joined.append(line)
    return joined


def _pass_on(
    session: Session, services: Services, letter: Letter, contestant: Contestant, lines: Sequence[str], now: datetime
) -> None:
    lead = (f"{services.config.host.name} answers:", *lines)
    headline = f"A word from {services.config.host.name}"
    if letter.episode_id is not None:
        play = load_play(take_episode(session, letter.episode_id))
        seat = play.seat_of(contestant.id)
        if seat and play.episode.over_at is None:
            repeat_questions(session, services, play, seat, "help", now, lead=lead, headline=headline)
            return
    draft = Draft(kind="help", headline=headline, lead=lead)
    send(session, services, draft, now, contestant=contestant)
