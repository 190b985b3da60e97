"""Shell: what follows by itself. In: an outcome of the rules. Out: the outcome further on, with its record lines.

The game's question bank answers what the host is asked, and commands sent ahead are played when they are asked for;
both happen in the transaction of the change that led to them.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from host.engine import record
from host.engine.game import HOST, Entry, Outcome
from host.play.premoves import Premove, play_premoves
from host.store.bank import count_unseen, next_entry, use_entry
from host.store.database import Session
from host.store.premoves import waiting_commands
from host.turn import alerts
from host.turn.services import Play, Services

FEW_QUESTIONS = 30
WARN_EVERY = timedelta(days=1)
CAME_BACK = "the host took the episode back."
RULES_CHANGED = "the rules of the game were changed."


def go_on(
    session: Session, services: Services, play: Play, outcome: Outcome[Any], lines: Sequence[record.Line], now: datetime
) -> tuple[Outcome[Any], list[record.Line]]:
    """Play on as far as nobody has to be asked."""
    whole = list(lines)
    while True:
        asked = _supplied(session, services, play, outcome, now)
        if asked is not None:
            outcome, line = asked
            whole.append(line)
            continue
        outcome, played = _settled(session, play, outcome)
        if not played:
            return outcome, whole
        whole += played


def _supplied(
    session: Session, services: Services, play: Play, outcome: Outcome[Any], now: datetime
) -> tuple[Outcome[Any], record.Line] | None:
    """Where the host is asked for a question, the next of the bank that no contestant of the episode has seen."""
    bank = play.game.bank
    if bank is None or not any(each.phase == bank.phase for each in play.game.questions(outcome.state)):
        return None
    contestants = [seat.contestant_id for seat in play.episode.seats]
    entry = next_entry(session, play.game.slug, contestants)
    if entry is None:
        return None
    use_entry(session, entry, play.episode.id)
    session.flush()
    left = count_unseen(session, play.game.slug, contestants)
    if left < FEW_QUESTIONS:
        text = (
            f"Only {left} questions are left in the bank of {play.game.title} that the contestants of "
            f"{play.episode.code} have not seen. Add some with podium questions import FILE."
        )
        alerts.alert(
            session, services, now, "The question bank runs low", text, play, every=WARN_EVERY, cause="question bank"
        )
    said = bank.say(Entry(entry.ask, tuple(entry.answers)))
    command = play.game.parse(said, outcome.state, HOST)
    after = play.game.apply(outcome.state, HOST, command, play.chance)
    line = record.Say(record.HOST_NAME, play.game.say(command))
    return Outcome(after.state, (*outcome.events, *after.events)), line


def has_entry(session: Session, play: Play) -> bool:
    """Does the bank hold a question that nobody of this episode has seen?"""
    return next_entry(session, play.game.slug, [seat.contestant_id for seat in play.episode.seats]) is not None


def _settled(session: Session, play: Play, outcome: Outcome[Any]) -> tuple[Outcome[Any], list[record.Line]]:
    """What was sent ahead, as far as it is asked for now."""
    rows = {row.id: row for row in waiting_commands(session, play.episode.id)}
    if not rows:
        return outcome, []
    waiting = [Premove(row.id, row.seat, row.text, row.scope, row.inbound_id) for row in rows.values()]
    settled = play_premoves(play.game, outcome.state, waiting, play.chance)
    for each in settled.played:
        rows[each.id].state = "played"
    for each, why in settled.dropped:
        rows[each.id].state, rows[each.id].note = "dropped", why
    for each in settled.waiting:
        rows[each.id].scope = each.scope
    session.flush()
    lines: list[record.Line] = [record.Say(play.name(each.seat), each.text) for each in settled.played]
    return Outcome(settled.state, (*outcome.events, *settled.events)), lines


def drop_all(session: Session, play: Play, why: str) -> None:
    """What was sent ahead was meant for what no longer counts."""
    for row in waiting_commands(session, play.episode.id):
        row.state, row.note = "dropped", why


def cancel(session: Session, play: Play, seat: int) -> None:
    """A contestant takes back what they sent ahead."""
    for row in waiting_commands(session, play.episode.id, seat):
        row.state = "cancelled"
