"""Episodes of playouts in a store, without mail: whole or up to a step, as the corridor would have left them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select

from host.club import seasons
from host.config import Config
from host.engine import record
from host.engine.chance import commitment
from host.engine.game import encode_event
from host.games import GAMES
from host.store.database import Session, open_store
from host.store.episodes import dump_state
from host.store.schema import (
    Contestant,
    Episode,
    EventRow,
    LedgerEntry,
    LobbyRow,
    QuestionRow,
    RecordLine,
    SeasonEpisode,
    Seat,
)
from host.store.seasons import seasons_of
from host.store.standings import follow_throne
from host.table.play import Play
from host.table.work import Services, Work
from host.turn.outcome import score
from host.web.pages import Web
from tests.games.playouts import Playout, named, names

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
HOMES = ("Dayton, Ohio", "", "Bangor, Maine")


def web_of(url: str, **changes: Any) -> Web:
    """The pages of a host that offers all games, over a store of its own."""
    server = {"host": "127.0.0.1", "security": "none", "username": "games@example.org"}
    data: dict[str, Any] = {
        "host": {"name": "The Millionaire", "address": "games@example.org", "operators": ["boss@example.com"]},
        "imap": server,
        "smtp": server,
        "database": {"url": url},
        "web": {"listen": "127.0.0.1:8025", "url": "https://games.example.org"},
        "games": {slug: {} for slug in GAMES},
    }
    for section, values in changes.items():
        data[section] = values if section == "games" else data[section] | values
    return Web(Services(Config.model_validate(data), open_store(url)), lambda: NOW)


def web_in(folder: Path, **changes: Any) -> Web:
    """The same on SQLite."""
    return web_of(f"sqlite:///{folder / 'podium.db'}", **changes)


def contestant(session: Session, name: str, at: int, hometown: str = "") -> Contestant:
    """Somebody who registered; the same one for the same name."""
    address = f"{name.casefold()[:40].encode().hex()}@secret.example"
    found = session.query(Contestant).filter_by(address=address).first()
    if found is None:
        home = hometown or HOMES[at % len(HOMES)]
        found = Contestant(
            address=address,
            name=f"{name} Verysecret",
            nickname=name,
            hometown=home,
            called=name,
            created_at=NOW,
            wrote_at=NOW,
        )
        session.add(found)
        session.flush()
    return found


def store_episode(
    web: Web, found: Playout, steps: int | None = None, at: datetime = NOW, players: tuple[str, ...] = ()
) -> str:
    """An episode, played up to a number of steps; gives its code."""
    game, done = found.game, found.steps if steps is None else found.steps[:steps]
    state = done[-1].after if done else found.start
    players = players or names(found.seats)
    with web.services.store.transaction() as session:
        work = Work(session, web.services, at)
        lobby = work.lobby(game.slug)
        lobby.episodes += 1
        episode = Episode(
            code=f"{game.code}-{lobby.episodes}",
            game=game.slug,
            rules_version=game.version,
            options=dict(found.options),
            seed=found.chance.seed,
            commitment=commitment(found.chance.seed),
            state=dump_state(game, state),
            began_at=at - timedelta(days=3),
            champion_before_id=lobby.champion_id,
            champion_wins_before=lobby.champion_wins,
        )
        work.save(episode)
        episode.seats = [_seat(session, episode, seat, name) for seat, name in enumerate(players)]
        session.flush()
        for number, step in enumerate(done, 2):
            line = record.write_line(record.Say(named(players, step.seat), step.text))
            session.add(RecordLine(episode_id=episode.id, line=number, text=line, at=at))
        events = [*found.dealt, *(event for step in done for event in step.events)]
        for number, event in enumerate(events, 1):
            session.add(EventRow(episode_id=episode.id, number=number, event=encode_event(event)))
        _end(work, Play(episode, game, state), lobby)
        return episode.code


def in_a_season(web: Web, name: str = "Winter cup") -> None:
    """A season, to which all episodes so far belong."""
    with web.services.store.transaction() as session:
        work = Work(session, web.services, NOW)
        seasons.begin(work, name, NOW - timedelta(days=9), NOW + timedelta(days=9), (), "A mug & a plate")
        season = seasons_of(session)[0]
        for number in session.scalars(select(Episode.id)):
            session.add(SeasonEpisode(episode_id=number, season_id=season.id, given=[]))


def _seat(session: Session, episode: Episode, seat: int, name: str) -> Seat:
    who = contestant(session, name, seat)
    return Seat(episode_id=episode.id, seat=seat, contestant_id=who.id, contestant=who, name=name, told=0, thread="")


def _end(work: Work, play: Play, lobby: LobbyRow) -> None:
    episode, result = play.episode, play.game.result(play.state)
    if result is None:
        lobby.running += 1
        _ask(work, play)
        return
    episode.over_at = work.now
    for earning in play.game.earnings(play.state):
        who = episode.seats[earning.seat].contestant_id
        values = {"account": earning.account, "amount": earning.amount, "at": work.now, "note": "earned"}
        work.session.add(LedgerEntry(contestant_id=who, episode_id=episode.id, **values))
    score(work, play)
    champion = None if result.champion is None else episode.seats[result.champion].contestant
    is_again = champion is not None and champion.id == lobby.champion_id
    lobby.champion_wins = lobby.champion_wins + 1 if is_again else int(champion is not None)
    lobby.champion_id, lobby.champion = (champion.id, champion) if champion else (None, None)
    follow_throne(work.session, lobby, work.now)


def _ask(work: Work, play: Play) -> None:
    for question in play.game.questions(play.state):
        if question.seat >= 0:
            row = QuestionRow(
                purpose="game",
                contestant_id=play.episode.seats[question.seat].contestant_id,
                episode_id=play.episode.id,
                game=play.game.slug,
                seat=question.seat,
                key=question.key,
                phase=question.phase,
                opened_at=work.now,
                asked_at=work.now,
                due_at=work.now + timedelta(days=2),
                remind=[],
                outcome="",
            )
            work.session.add(row)
