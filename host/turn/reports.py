"""Shell: reports for the host's eyes. In: the store. Out: plain data, no tokens; seeds and hidden cards on request."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from host.config import Config
from host.engine import record
from host.engine.game import HOST
from host.engine.record import HOST_NAME
from host.games import GAMES
from host.mail.outbound.formatting import moment
from host.play.names import alike
from host.store.database import Session
from host.store.desk_pages import codes_over
from host.store.episodes import (
    asked_to_be_ready,
    decks_of,
    due_of_letter,
    episode_of_code,
    open_questions,
    record_rows,
    running_episodes,
)
from host.store.health import ALIVE_WITHIN, asked_back, work_waiting
from host.store.mails import heartbeat, latest_mails, mailboxes
from host.store.people import (
    contestant_called,
    contestant_of_address,
    count_waiting,
    last_audit_entries,
    ledger_of,
    lobbies,
    queue_of,
)
from host.store.schema import Episode, Inbound, Letter, LobbyRow, RecordLine
from host.table.play import Play, load_play

MAILS_SHOWN = 200
EPISODES_SHOWN = 1000
HIDDEN = "(hidden)"


def _time(at: datetime | None) -> str | None:
    return moment(at) if at else None


def status(session: Session, config: Config, now: datetime) -> dict[str, Any]:
    """The daemon, the mailboxes, the outbox, the games, and the first thousand episodes that are not over."""
    seen, rows = heartbeat(session), {row.game: row for row in lobbies(session)}
    under_way = [each for slug in GAMES for each in running_episodes(session, slug, EPISODES_SHOWN)]
    return {
        "daemon_seen": _time(seen.wall) if seen else None,
        "mailboxes": {row.name: _time(row.read_at) for row in mailboxes(session)},
        **work_waiting(session),
        "asked_back": asdict(asked_back(session)),
        "games": {
            slug: _lobby(session, slug, rows.get(slug)) | {"next_start": next_start(config, slug, now)}
            for slug in config.games
        },
        "audit": audit(session),
        "episodes": [_summary(session, each) for each in sorted(under_way, key=lambda each: each.id)[:EPISODES_SHOWN]],
    }


def next_start(config: Config, slug: str, now: datetime) -> str | None:
    """The moment at which episodes of a game begin next; None where it has no `starts`."""
    settings = config.games.get(slug)
    return (
        _time(settings.starts.next_after(now, ZoneInfo(config.host.timezone))) if settings and settings.starts else None
    )


def is_alive(found: dict[str, Any], now: datetime) -> bool:
    """Was a daemon seen lately, by what `status` tells?"""
    seen = found["daemon_seen"]
    return seen is not None and now - datetime.fromisoformat(seen) < ALIVE_WITHIN


def _lobby(session: Session, slug: str, row: LobbyRow | None) -> dict[str, Any]:
    """A game that is offered; of one that nobody has registered for there is no row yet."""
    champion = row.champion if row else None
    return {
        "episodes": row.episodes if row else 0,
        "champion": champion.called if champion else None,
        "champion_wins": row.champion_wins if row and champion else 0,
        "running": row.running if row else 0,
        "waiting": count_waiting(session, slug),
        "next_waits_until": _time(max(filter(None, (row.hold_until, row.champion_waits_until)), default=None))
        if row
        else None,
    }


def _summary(session: Session, episode: Episode) -> dict[str, Any]:
    names = [seat.name for seat in episode.seats]
    waiting = [
        {
            "player": names[row.seat or 0],
            "asked": row.phase,
            "until": _time(row.due_at),
            "stands_still_since": _time(row.stopped_at),
        }
        for row in open_questions(session, episode_id=episode.id, purpose="game")
    ]
    if not waiting:  # of the game's questions to the host no row tells, and a game that asks the host asks nobody else
        waiting = [
            {"player": HOST_NAME, "asked": each.phase, "until": None, "stands_still_since": None}
            for each in load_play(episode).questions
            if each.seat == HOST
        ]
    return {
        "code": episode.code,
        "game": episode.game,
        "players": names,
        "state": "over" if episode.over_at else "paused" if episode.paused_at else "playing",
        "began": _time(episode.began_at),
        "waiting": waiting,
    }


def episode(session: Session, code: str, reveal: bool) -> dict[str, Any] | None:
    """One episode: table, money, record, mails' deadlines. With `reveal` also seed, decks and hidden cards."""
    row = episode_of_code(session, code)
    if row is None:
        return None
    play = load_play(row)
    lines = record_rows(session, row.id)
    shown: dict[str, Any] = _summary(session, row) | {
        "over": _time(row.over_at),
        "commitment": row.commitment,
        "audit": audit(session, row.code, is_open=reveal),
        "winnings": dict(zip(play.names, play.game.winnings(play.state), strict=True)),
        "table": dict(play.game.view(play.state, HOST)),
        "record": [{"line": each.line, "text": each.text, "at": _time(each.at)} for each in lines],
    }
    if not (reveal or row.over_at):
        for each in secret_lines(play, lines):
            shown["record"][each]["text"] = json.dumps(
                {**json.loads(shown["record"][each]["text"]), "say": HIDDEN}, ensure_ascii=False, separators=(",", ":")
            )
    if reveal:
        decks = decks_of(session, row.id)
        shown["seed"] = row.seed.hex()
        shown["table"] = play.game.table(play.state, play.names)
        shown["decks"] = [{"label": each.label, "cards": each.cards, "cut": each.cut} for each in decks]
    return shown


def secret_lines(play: Play, lines: Sequence[RecordLine]) -> Iterator[int]:
    """The lines that may not be seen yet: what players send side by side, until all have, and what stays a secret."""
    replay = record.Replay(play.game, play.header)
    open_now = {each.key for each in play.questions}
    for at, row in enumerate(lines):
        line = record.read_line(row.text)
        speaker = line.player if isinstance(line, record.Say) else ""
        others = {each.key for each in play.game.questions(replay.state) if play.name(each.seat) != speaker}
        replay.step(line)
        if isinstance(line, record.Say) and (line.text.split()[0] in play.game.secret_verbs or others & open_now):
            yield at


def queue(session: Session, slug: str) -> list[dict[str, Any]]:
    """The queue of a game, first in line first. `same_mailbox`: who of them shares one, by their addresses."""
    waiting = queue_of(session, slug)
    shared = alike(each.contestant.address for each in waiting)
    return [
        {
            "place": at,
            "name": each.contestant.called,
            "address": each.contestant.address,
            "since": _time(each.queued_at),
            "last_wrote": _time(each.contestant.wrote_at),
            "asked_ready": bool(asked_to_be_ready(session, slug, [each.contestant_id])),
            "money": ledger_of(session, each.contestant),
            "same_mailbox": list(shared.get(each.contestant.address, ())),
        }
        for at, each in enumerate(waiting, 1)
    ]


def mails(session: Session, wanted: str) -> list[dict[str, Any]]:
    """Mails in and out, oldest first: of one episode, of one address or contestant, or the latest of all."""
    found = episode_of_code(session, wanted) if wanted else None
    person = contestant_of_address(session, wanted.lower()) or contestant_called(session, wanted) if wanted else None
    received, sent = latest_mails(session, MAILS_SHOWN, found, person, wanted.lower())
    rows = [*(_mail_in(each) for each in received), *(_mail_out(session, each) for each in sent)]
    return sorted(rows, key=lambda row: str(row["at"]))


def _mail_in(row: Inbound) -> dict[str, Any]:
    return {
        "way": "in",
        "number": row.id,
        "at": _time(row.arrived_at),
        "fetched": _time(row.fetched_at),
        "address": row.sender or None,
        "mailbox": row.mailbox,
        "outcome": row.state,
        "read": row.lines,
        "why": row.note or None,
    }


def _mail_out(session: Session, row: Letter) -> dict[str, Any]:
    return {
        "way": "out",
        "number": row.id,
        "at": _time(row.created_at),
        "sent": _time(row.sent_at),
        "address": row.address,
        "kind": row.kind,
        "subject": row.subject.rpartition(" [")[0] or row.subject,
        "outcome": row.state,
        "answer_by": _time(due_of_letter(session, row.id)),
        "server_said": row.response or None,
        "tries": row.attempts,
    }


def audit(session: Session, code: str = "", limit: int = 20, is_open: bool = False) -> list[dict[str, Any]]:
    """The latest entries of the audit log, oldest first; with `code` only in that episode. See `audited` for `is_open`."""
    rows = last_audit_entries(session, limit, code)
    over = codes_over(session, {row.episode for row in rows})
    return [
        {
            "at": _time(row.at),
            "who": row.who,
            "command": audited(row.command, is_open or not row.episode or row.episode in over),
            "episode": row.episode,
        }
        for row in reversed(rows)
    ]


def audited(command: str, is_open: bool) -> str:
    """A command of the audit log; what was said in a player's place is theirs alone, unless the episode is open to all."""
    before, said_as, rest = command.partition(" --as ")
    return f"{before}{said_as}{rest.partition(' ')[0]} {HIDDEN}" if said_as and not is_open else command
