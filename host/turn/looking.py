"""Shell: what is going on, for the host's eyes. In: the store. Out: plain data, without seeds, tokens or hidden cards."""

from datetime import datetime
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from host.store.schema import (
    Ask,
    AuditEntry,
    Contestant,
    Deck,
    Episode,
    Heartbeat,
    Inbound,
    Letter,
    Mailbox,
    Question,
    RecordLine,
)
from host.turn import lobby
from host.turn.house import House, contestant_of_address, count_rows, episode_of_code, load_play, lobby_of, open_questions
from host.turn.serving import ledger_of

MAILS_SHOWN = 200


def _time(at: datetime | None) -> str | None:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ") if at else None


def status(session: Session, house: House) -> dict[str, Any]:
    """The daemon, the mailboxes, the outbox, the games, and the episodes that are not over."""
    heartbeat = session.get(Heartbeat, 1)
    episodes = session.scalars(select(Episode).where(Episode.over_at.is_(None)).order_by(Episode.id)).all()
    return {
        "daemon_seen": _time(heartbeat.wall) if heartbeat else None,
        "mailboxes": {row.name: _time(row.read_at) for row in session.scalars(select(Mailbox))},
        "letters_waiting": count_rows(session, Letter.id, Letter.state.in_(("queued", "sending"))),
        "letters_failed": count_rows(session, Letter.id, Letter.state == "failed"),
        "mails_broken": count_rows(session, Inbound.id, Inbound.state == "broken"),
        "games": {slug: _lobby(session, slug) for slug in house.config.games},
        "episodes": [_summary(session, episode) for episode in episodes],
    }


def _lobby(session: Session, slug: str) -> dict[str, Any]:
    row = lobby_of(session, slug)
    return {
        "episodes": row.episodes,
        "champion": row.champion.called if row.champion else None,
        "champion_wins": row.champion_wins if row.champion else 0,
        "waiting": len(lobby.waiting(session, slug)),
        "next_waits_until": _time(row.hold_until),
    }


def _summary(session: Session, episode: Episode) -> dict[str, Any]:
    play = load_play(episode)
    asked = open_questions(session, episode_id=episode.id, purpose="game")
    return {
        "code": episode.code,
        "game": episode.game,
        "players": list(play.names),
        "state": "over" if episode.over_at else "paused" if episode.paused_at else "playing",
        "began": _time(episode.began_at),
        "waiting": [{"player": play.name(row.seat or 0), "asked": row.phase, "until": _time(row.due_at)} for row in asked],
    }


def episode(session: Session, code: str, reveal: bool) -> dict[str, Any] | None:
    """One episode: table, money, record, mails' deadlines. With `reveal` also seed, decks and hidden cards."""
    row = episode_of_code(session, code)
    if row is None:
        return None
    play = load_play(row)
    lines = session.scalars(select(RecordLine).where(RecordLine.episode_id == row.id).order_by(RecordLine.line)).all()
    shown: dict[str, Any] = _summary(session, row) | {
        "over": _time(row.over_at),
        "commitment": row.commitment,
        "winnings": dict(zip(play.names, play.game.winnings(play.state), strict=True)),
        "table": dict(play.game.view(play.state, 0)),
        "record": [{"line": each.line, "text": each.text, "at": _time(each.at)} for each in lines],
    }
    if reveal:
        decks = session.scalars(select(Deck).where(Deck.episode_id == row.id)).all()
        shown["seed"] = row.seed.hex()
        shown["table"] = play.game.table(play.state, play.names)
        shown["decks"] = [{"label": each.label, "cards": each.cards, "cut": each.cut} for each in decks]
    return shown


def queue(session: Session, slug: str) -> list[dict[str, Any]]:
    """Who waits for a game, first in line first."""
    asked = {row.contestant_id for row in open_questions(session, purpose="ready", game=slug)}
    return [
        {
            "place": at,
            "name": each.contestant.called,
            "address": each.contestant.address,
            "since": _time(each.queued_at),
            "last_wrote": _time(each.contestant.wrote_at),
            "asked_ready": each.contestant_id in asked,
            "money": ledger_of(session, each.contestant),
        }
        for at, each in enumerate(lobby.waiting(session, slug), 1)
    ]


def mails(session: Session, wanted: str) -> list[dict[str, Any]]:
    """Mails in and out, oldest first: of one episode, of one address or contestant, or the latest of all."""
    incoming, outgoing = select(Inbound), select(Letter)
    if wanted:
        found = episode_of_code(session, wanted)
        person = contestant_of_address(session, wanted.lower()) or session.scalar(
            select(Contestant).where(Contestant.called == wanted)
        )
        if found:
            incoming = incoming.where(Inbound.episode_id == found.id)
            outgoing = outgoing.where(Letter.episode_id == found.id)
        elif person:
            incoming = incoming.where(or_(Inbound.contestant_id == person.id, Inbound.sender == person.address))
            outgoing = outgoing.where(Letter.contestant_id == person.id)
        else:
            incoming = incoming.where(Inbound.sender == wanted.lower())
            outgoing = outgoing.where(Letter.address == wanted.lower())
    rows = [_mail_in(each) for each in session.scalars(incoming.order_by(Inbound.id.desc()).limit(MAILS_SHOWN))]
    rows += [_mail_out(session, each) for each in session.scalars(outgoing.order_by(Letter.id.desc()).limit(MAILS_SHOWN))]
    return sorted(rows, key=lambda row: str(row["at"]))


def _mail_in(row: Inbound) -> dict[str, Any]:
    return {
        "way": "in",
        "at": _time(row.arrived_at),
        "fetched": _time(row.fetched_at),
        "address": row.sender or None,
        "mailbox": row.mailbox,
        "outcome": row.state,
        "read": row.lines,
        "why": row.note or None,
    }


def _mail_out(session: Session, row: Letter) -> dict[str, Any]:
    until = session.scalar(
        select(Question.due_at).join(Ask, Ask.question_id == Question.id).where(Ask.letter_id == row.id).limit(1)
    )
    return {
        "way": "out",
        "at": _time(row.created_at),
        "sent": _time(row.sent_at),
        "address": row.address,
        "kind": row.kind,
        "subject": row.subject.rpartition(" [")[0] or row.subject,
        "outcome": row.state,
        "answer_by": _time(until),
        "server_said": row.response or None,
        "tries": row.attempts,
    }


def audit(session: Session, limit: int = 50) -> list[dict[str, Any]]:
    """What the host's hand did last."""
    rows = session.scalars(select(AuditEntry).order_by(AuditEntry.id.desc()).limit(limit)).all()
    return [{"at": _time(row.at), "who": row.who, "command": row.command, "episode": row.episode} for row in reversed(rows)]

