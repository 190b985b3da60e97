"""Shell: episodes that began under former rules. In: the running ones, when the daemon starts. Out: they are paused.

Nobody is to be held to rules that they did not begin with: the host hears of each such episode, and what can be done.
"""

import logging
from datetime import datetime, timedelta
from typing import Any

from host.engine.game import Game, are_rules_of
from host.games import GAMES
from host.store.database import Session, is_passing
from host.store.episodes import running_under_other_rules
from host.turn import admin, alerts
from host.turn.outcome import RULES_CHANGED, drop_premoves
from host.turn.play import Play, has_todays_rules, load_play, replayed
from host.turn.work import Services, Work, begin

log = logging.getLogger("podium")

SOME = 1000
"""Episodes looked up at once."""
ONCE = timedelta(days=3650)
"""The host is told once of an episode and a version."""


def pause_all(services: Services, now: datetime) -> int:
    """Pause the running episodes that today's rules would play otherwise; gives how many the host was told of."""
    return sum(_pause_game(services, game, now) for game in GAMES.values())


def _pause_game(services: Services, game: Game[Any, Any], now: datetime) -> int:
    told, after = 0, 0
    while True:
        with services.store.reading() as session:
            found = running_under_other_rules(session, game.slug, game.version, after, SOME)
        for episode_id, version, options in found:
            if not are_rules_of(game, version, options):
                told += _guarded(services, episode_id, now)
        if len(found) < SOME:
            return told
        after = found[-1][0]


def _guarded(services: Services, episode_id: int, now: datetime) -> bool:
    """One that cannot be looked at must not keep the daemon from its start: the host is told."""
    try:
        with begin(services, now) as work:
            return _pause(work, episode_id)
    except Exception as error:
        if is_passing(error):
            raise
        log.exception("episode number %s, begun under other rules, could not be paused", episode_id)
        text = (
            f"Episode number {episode_id} of the database began under other rules, and could not be paused: "
            f"{type(error).__name__}. The log says more; nothing was changed."
        )
        with begin(services, now) as work:
            return alerts.alert(work, "An episode could not be paused", text)


def _pause(work: Work, episode_id: int) -> bool:
    episode = work.episode(episode_id)
    if episode.over_at is not None or has_todays_rules(episode):
        return False
    play = load_play(episode)
    drop_premoves(work, play, RULES_CHANGED)
    if episode.paused_at is None:
        admin.pause(work, episode.code)
    cause = f"rules {episode.code} {play.game.version}"
    text = (
        f"The rules of {play.game.title} are no longer those that {episode.code} began with, so it is paused and nobody's "
        f"time runs. {_what_to_do(work.session, play)} The Podium that it began with can play it to its end as it began."
    )
    return alerts.alert(work, f"{episode.code} began under other rules", text, play, every=ONCE, cause=cause)


def _what_to_do(session: Session, play: Play) -> str:
    code = play.episode.code
    try:
        replayed(session, play)
    except ValueError as error:
        return f"It cannot go on here: {error}. podium withdraw {code} NAME takes its players out, and so ends it."
    return f"podium resume {code} lets it go on under today's rules; its players are told so."
