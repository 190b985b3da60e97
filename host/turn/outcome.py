"""Shell: the steps of a move, in their order. In: an outcome of the rules. Out: what it changed, its letters, the lobby.

1. What follows by itself is played on: the game's question bank answers what the host is asked, and premoves are played
   when they are asked for.
2. State, record and events are stored; questions that are settled close, new ones open (`changes`).
3. Where the episode is over, the ledger and the throne follow.
4. Letters tell it (`notify`), and the host is asked what only the host can answer.
5. The lobby goes on where the episode is over.

All of it is one work: a move and the letters that tell it are committed together.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from host.engine import record
from host.engine.game import HOST, Entry, Outcome, Question
from host.play.premoves import Premove, play_premoves
from host.store.bank import count_unseen, next_entry, use_entry
from host.store.database import Session
from host.store.episodes import dump_state
from host.store.schema import Contestant, RecordLine
from host.store.standings import follow_throne
from host.turn import alerts, lobby
from host.turn.changes import Change, book, reconcile_questions, score, set_playing, store_events
from host.turn.notify import Notice, notify_all, tell_of_prizes
from host.turn.play import Play
from host.turn.work import Work

FEW_QUESTIONS = 30
WARN_EVERY = timedelta(days=1)
CAME_BACK = "the host took the episode back."
RULES_CHANGED = "the rules of the game were changed."


def carry_out(
    work: Work,
    play: Play,
    outcome: Outcome[Any],
    lines: Sequence[record.Line],
    notice: Notice,
) -> Play:
    """Store an outcome, write its letters, and let the lobby go on where the episode is over."""
    was_over = play.episode.over_at is not None
    asked_host_before = {each.key for each in host_questions(play)}
    play, change = advance(work, play, outcome, lines)
    ended = play.episode.over_at is not None and not was_over
    if ended:
        notice = replace(notice, next_up=frozenset(lobby.plan(work, play.game).begin))
    notify_all(work, play, change, notice)
    for question in host_questions(play):
        if question.key not in asked_host_before:
            alerts.ask_host(work, play, question)
    if ended:
        tell_of_prizes(work, play)
        lobby.run(work, play.game)
    return play


def advance(work: Work, play: Play, outcome: Outcome[Any], lines: Sequence[record.Line]) -> tuple[Play, Change]:
    """Store what was played: record lines, events, state, questions; where the episode is over, its end.

    Gives the play as it stands, and what changed.
    """
    outcome, lines = _go_on(work, play, outcome, lines)
    play = replace(play, state=outcome.state)
    episode, last_event = play.episode, play.episode.last_event
    episode.state = dump_state(play.game, outcome.state)
    work.session.add_all(
        RecordLine(episode_id=episode.id, line=at, text=record.write_line(line), at=work.now)
        for at, line in enumerate(lines, episode.last_line + 1)
    )
    episode.last_line += len(lines)
    store_events(work.session, play, outcome.events)
    opened, still_open = reconcile_questions(work, play)
    if play.result and play.episode.over_at is None:
        _finish(work, play)
    return play, Change(opened, still_open, last_event, list(enumerate(outcome.events, last_event + 1)))


def _go_on(
    work: Work, play: Play, outcome: Outcome[Any], lines: Sequence[record.Line]
) -> tuple[Outcome[Any], list[record.Line]]:
    """Play on as far as nobody has to be asked."""
    whole = list(lines)
    while True:
        asked = _supplied(work, play, outcome)
        if asked is not None:
            outcome, line = asked
            whole.append(line)
            continue
        outcome, played = _premoves(work, play, outcome)
        if not played:
            return outcome, whole
        whole += played


def _supplied(work: Work, play: Play, outcome: Outcome[Any]) -> tuple[Outcome[Any], record.Line] | None:
    """Answer for the host, where a question is asked of them, with the next of the bank that no contestant has seen."""
    bank = play.game.bank
    if bank is None or not any(each.phase == bank.phase for each in play.game.questions(outcome.state)):
        return None
    contestants = [seat.contestant_id for seat in play.episode.seats]
    entry = next_entry(work.session, play.game.slug, contestants)
    if entry is None:
        return None
    use_entry(work.session, entry, play.episode.id)
    left = count_unseen(work.session, play.game.slug, contestants)
    if left < FEW_QUESTIONS:
        text = (
            f"Only {left} questions are left in the bank of {play.game.title} that the contestants of "
            f"{play.episode.code} have not seen. Add some with podium questions import FILE."
        )
        alerts.alert(work, "The question bank runs low", text, play, every=WARN_EVERY, cause="question bank")
    said = bank.say(Entry(entry.ask, tuple(entry.answers)))
    command = play.game.parse(said, outcome.state, HOST)
    after = play.game.apply(outcome.state, HOST, command, play.chance)
    line = record.Say(record.HOST_NAME, play.game.say(command))
    return Outcome(after.state, (*outcome.events, *after.events)), line


def _premoves(work: Work, play: Play, outcome: Outcome[Any]) -> tuple[Outcome[Any], list[record.Line]]:
    """Play what was sent ahead, as far as it is asked for now."""
    rows = {row.id: row for row in play.episode.waiting_premoves()}
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
    lines: list[record.Line] = [record.Say(play.name(each.seat), each.text) for each in settled.played]
    return Outcome(settled.state, (*outcome.events, *settled.events)), lines


def _finish(work: Work, play: Play) -> None:
    """The end of an episode: ledger, champion, and its contestants free to register again."""
    episode, game = play.episode, play.game
    episode.over_at, episode.paused_at = work.now, None
    for earning in game.earnings(play.state):
        contestant_id = episode.seats[earning.seat].contestant_id
        book(work, episode, contestant_id, earning.account, earning.amount, "earned")
    set_playing(work.session, episode, "playing", "played")
    result = game.result(play.state)
    lobby = work.lobby(game.slug)
    lobby.running -= 1
    episode.champion_before_id, episode.champion_wins_before = lobby.champion_id, lobby.champion_wins
    score(work, play)
    if not play.is_about_throne:
        return
    champion = None if result is None or result.champion is None else episode.seats[result.champion].contestant_id
    is_champion_again = champion is not None and champion == lobby.champion_id
    lobby.champion_wins = lobby.champion_wins + 1 if is_champion_again else int(champion is not None)
    lobby.champion_id = champion
    lobby.champion = None if champion is None else work.session.get(Contestant, champion)
    follow_throne(work.session, lobby, work.now)


def has_entry(session: Session, play: Play) -> bool:
    """Does the bank hold a question that nobody of this episode has seen?"""
    return next_entry(session, play.game.slug, [seat.contestant_id for seat in play.episode.seats]) is not None


def host_questions(play: Play) -> list[Question]:
    """Questions that the game asks of the host now."""
    return [each for each in play.questions if each.seat == HOST]


def drop_premoves(work: Work, play: Play, why: str) -> None:
    """Drop what was sent ahead: it was meant for what no longer counts."""
    for row in play.episode.waiting_premoves():
        row.state, row.note = "dropped", why


def cancel_premoves(work: Work, play: Play, seat: int) -> None:
    """A contestant takes back what they sent ahead."""
    for row in play.episode.waiting_premoves(seat):
        row.state = "cancelled"
