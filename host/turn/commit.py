"""Shell: one change of an episode, end to end. In: an outcome of the rules. Out: store, letters, the lobby going on."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from host.engine import record
from host.engine.game import HOST, Outcome, Question
from host.store.database import Session
from host.turn import alerts, lobby
from host.turn.notify import Notice, notify_all, tell_of_prizes
from host.turn.outcome import advance
from host.turn.services import Play, Services


def commit(
    session: Session,
    services: Services,
    play: Play,
    outcome: Outcome[Any],
    lines: Sequence[record.Line],
    told: Notice,
    now: datetime,
) -> Play:
    """Store an outcome, write its letters, and let the lobby go on where the episode is over."""
    was_over = play.episode.over_at is not None
    asked_host_before = {each.key for each in host_questions(play)}
    play, change = advance(session, services, play, outcome, lines, now)
    ended = play.episode.over_at is not None and not was_over
    if ended:
        session.flush()
        told = replace(told, next_up=frozenset(lobby.plan(session, services, play.game, now).begin))
    notify_all(session, services, play, change, told, now)
    for question in host_questions(play):
        if question.key not in asked_host_before:
            alerts.ask_host(session, services, play, question, now)
    if ended:
        session.flush()
        tell_of_prizes(session, services, play, now)
        lobby.run(session, services, play.game, now)
        session.flush()
    return play


def host_questions(play: Play) -> list[Question]:
    """What the game asks of the host now."""
    return [each for each in play.game.questions(play.state) if each.seat == HOST]
