"""Shell: episodes that began under former rules. In: the running ones, when the daemon starts. Out: they are paused.

Nobody is to be held to rules that they did not begin with: the host hears of each such episode, and what can be done.
"""

from datetime import datetime, timedelta

from host.game import Game, are_rules_of
from host.games import GAMES
from host.store.episodes import running_under_other_rules, take_episode
from host.store.store import Session
from host.turn import alerts, hand, settling
from host.turn.house import House, Play, has_todays_rules, load_play, replayed

SOME = 100
"""Episodes looked up at once."""
ONCE = timedelta(days=3650)
"""The host is told once of an episode and a version."""


def pause_all(house: House, now: datetime) -> int:
    """Pause the running episodes that today's rules would play otherwise; gives how many the host was told of."""
    return sum(_pause_game(house, game, now) for game in GAMES.values())


def _pause_game(house: House, game: Game, now: datetime) -> int:  # type: ignore[type-arg]
    told, after = 0, 0
    while True:
        with house.store.reading() as session:
            found = running_under_other_rules(session, game.slug, game.version, after, SOME)
        for episode_id, version, options in found:
            if not are_rules_of(game, version, options):
                with house.store.transaction() as session:
                    told += _pause(session, house, episode_id, now)
        if len(found) < SOME:
            return told
        after = found[-1][0]


def _pause(session: Session, house: House, episode_id: int, now: datetime) -> bool:
    episode = take_episode(session, episode_id)
    if episode.over_at is not None or has_todays_rules(episode):
        return False
    play = load_play(episode)
    settling.drop_all(session, play, settling.RULES_CHANGED)
    session.flush()
    if episode.paused_at is None:
        hand.pause(session, house, episode.code, now)
    cause = f"rules {episode.code} {play.game.version}"
    text = (
        f"The rules of {play.game.title} are no longer those that {episode.code} began with, so it is paused and nobody's "
        f"time runs. {_what_to_do(session, play)} The Podium that it began with can play it to its end as it began."
    )
    return alerts.alert(
        session, house, now, f"{episode.code} began under other rules", text, play, every=ONCE, cause=cause
    )


def _what_to_do(session: Session, play: Play) -> str:
    code = play.episode.code
    try:
        replayed(session, play)
    except ValueError as error:
        return f"It cannot go on here: {error}. podium withdraw {code} NAME takes its players out, and so ends it."
    return f"podium resume {code} lets it go on under today's rules; its players are told so."
