"""Shell: what contestants look up. In: `mine`, `standings`, `history`, `my record`, `replay CC-12`. Out: it in words, a record.

Nothing hidden is told: of a running episode nothing but what its contestants are asked, and that to themselves.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from host.club import seasons
from host.club.lobby import named_game
from host.engine.game import Choice, Game, amount
from host.games import GAMES
from host.mail.outbound.draft import Waiting
from host.mail.outbound.formatting import listed, money, typed
from host.mail.outbound.render import due_words, tell
from host.play.services import Service
from host.store.company import place_in_standings, seats_of, waiting_on
from host.store.episodes import episode_known_to
from host.store.people import ledger_of
from host.store.public_pages import reigns, results_of, standings
from host.store.schema import Contestant, Episode, QuestionRow
from host.store.seasons import latest_season
from host.table.letters import game_ask, table_for, write
from host.table.play import events_of, load_play, record_file
from host.table.served import Request, Served
from host.table.work import Work

MOST_ROWS = 10
"""Rows of a list in a letter."""
MOST_TOLD = 60
"""Lines in which the story of an episode is told; its record has all of it."""
_ABOUT = {
    "ready": "whether you are ready to play",
    "confirm": "whether you registered",
    "new-address": "whether an address is yours",
    "address": "whether a mail is yours",
    "rematch": "whether you play once more",
    "invitation": "whether you play with who invites you",
    "forget": "whether I forget you",
    "move": "whether my letters go to another address",
    "seat": "whether a seat may change hands",
}
"""What questions besides play ask. Whether somebody resigns, or retires, waits for nobody: without a yes they stay."""


def _mine(request: Request) -> Served:
    """Sends all that waits for a contestant: what it is, until when, and buttons that answer the letter which asks it."""
    work = request.work
    found = [each for row in waiting_on(work.session, request.contestant.id) if (each := _waiting(work, *row))]
    if not found:
        return Served(("Nothing waits for you.",))
    headline = f"{len(found)} {'thing waits' if len(found) == 1 else 'things wait'} for you"
    if request.play and not request.is_alone:  # a move of the same mail may answer what waits
        return Served((f"{headline}:", *(f"- {each.sentence}" for each in found)))
    write(request.turn, request.contestant, headline, about=request.play or request.game, waiting=tuple(found))
    return Served(is_settled=True)


def asked_besides(work: Work, contestant: Contestant) -> tuple[Waiting, ...]:
    """The questions besides play that wait for a contestant."""
    rows = waiting_on(work.session, contestant.id)
    return tuple(found for row in rows if row[0].purpose in _ABOUT and (found := _waiting(work, *row)))


def _waiting(work: Work, row: QuestionRow, subject: str, token: str) -> Waiting | None:
    """A question, as it waits in the letter of this subject and token; None where nobody needs to answer it now."""
    until = ""
    if row.due_at is not None:
        until = f", by {due_words(row.due_at, work.config.host.timezone, timedelta(hours=1), work.now)}"
    if row.purpose != "game" or row.episode_id is None:
        if row.purpose not in _ABOUT:
            return None
        about = f"“{subject}” asks {_ABOUT[row.purpose]}{until}: reply yes or no to that letter."
        return Waiting(
            about, tuple(Choice((each,), each.capitalize(), each, each) for each in ("yes", "no")), token, subject
        )
    play = load_play(work.session.get_one(Episode, row.episode_id))
    live = any(each.key == row.key and each.seat == row.seat for each in play.questions)
    if not live or row.seat is None or play.episode.paused_at is not None:
        return None
    ask = game_ask(play, row, table_for(play, row.seat))
    by_kind = {each.kind: each for each in reversed(ask.choices)}
    choices = tuple(reversed(by_kind.values()))
    words = " or ".join(f"“{typed(', '.join(each.say)).strip()}”" for each in choices)
    about = f"{play.episode.code}: {ask.headline}{until}. Reply to the letter “{subject}”, for example with {words}."
    return Waiting(about, tuple(each for each in choices if not each.text), token, subject)


def _game_of(request: Request) -> Game[Any, Any] | None:
    """The game that is named, else the letter's."""
    named = named_game(request.named)
    return GAMES[named] if named else request.game


def _no_game(what: str) -> Served:
    return Served((f"Say of which game, such as: {what} of Champ Cards.",))


def _standings(request: Request) -> Served:
    game = _game_of(request)
    if game is None:
        return _no_game("standings")
    rows = standings(request.work.session, game.slug)[:MOST_ROWS]
    if not rows:
        return Served((f"No episode of {game.title} is over yet.",))
    lines = [f"- {at}. {each.name}: {_result(game, each)}" for at, each in enumerate(rows, 1)]
    own = place_in_standings(request.work.session, game.slug, request.contestant.id)
    yours = f"You are number {own[0]}: {_result(game, own[1])}" if own else "You have finished no episode yet."
    season = latest_season(request.work.session)
    lead: tuple[str, ...] = ()
    if season and season.closed_at is None:
        of_season = seasons.game_in_words(request.work, season, game, request.contestant.id)
        lead = (f"The season {season.name}:", *of_season) if of_season else ()
    return Served((*lead, f"The standings of {game.title}, of all time:", *lines, yours))


def _season(request: Request) -> Served:
    """Tells the season that began last: who leads in each of its tables, a contestant's own places, the records."""
    work = request.work
    season = latest_season(work.session)
    if season is None:
        return Served(("There was no season yet.",))
    begins = "begins" if season.begins_at > work.now else "began"
    how = (
        f"was closed on {season.closed_at:%-d %B %Y}"
        if season.closed_at
        else f"{begins} on {season.begins_at:%-d %B %Y}"
    )
    told = seasons.in_words(work, season, request.contestant.id)
    return Served((f"The season {season.name} {how}.", *(told or ("No episode of it is over yet.",))))


def _result(game: Game[Any, Any], row: Any) -> str:
    """`3 of 5 episodes won, $12,500`."""
    won = amount(row.winnings, game.currency) if game.currency else ""
    return (
        f"{row.wins} of {row.episodes} {'episode' if row.episodes == 1 else 'episodes'} won{f', {won}' if won else ''}."
    )


def _history(request: Request) -> Served:
    game = _game_of(request)
    if game is None:
        return _no_game("history")
    rows = reigns(request.work.session, game.slug, most=MOST_ROWS)
    if not rows:
        return Served((f"{game.title} has had no champion yet.",))
    lines = [
        f"- {each.name}, from {each.began_at:%-d %B %Y} {f'to {each.ended_at:%-d %B %Y}' if each.ended_at else 'until now'}, "
        f"{each.wins} won."
        for each in rows
    ]
    return Served((f"The champions of {game.title}, the latest first:", *lines))


def _record(request: Request) -> Served:
    """Says what a contestant has played: results by game, the latest episodes, money."""
    session, contestant = request.work.session, request.contestant
    results = [
        f"- {GAMES[row.game].title}: {_result(GAMES[row.game], row)}"
        for row in results_of(session, contestant.id, list(GAMES))
    ]
    latest = []
    for seat in seats_of(session, contestant.id, MOST_ROWS):
        episode = seat.episode
        if episode.over_at is None:
            how = "under way"
        else:
            won = amount(seat.winnings or 0, GAMES[episode.game].currency) if GAMES[episode.game].currency else ""
            how = f"{'won' if seat.won else 'not won'}{f', {won}' if won else ''} ({episode.over_at:%-d %B %Y})"
        latest.append(f"- {episode.code}: {how}.")
    if not latest:
        return Served(("You have played no episode yet.",))
    totals = ledger_of(session, contestant)
    in_all = (f"In all you have won {money(sum(totals.values()))} of play money.",) if totals else ()
    return Served(
        (*results, *in_all, "Your latest episodes (write replay and the code for the story of one):", *latest)
    )


def _replay(request: Request) -> Served:
    """Sends the story of an episode that is over, and its record."""
    work, code = request.work, request.named.strip(" .!?").upper()
    if not code and request.play:
        code = request.play.episode.code
    episode = episode_known_to(work.session, code, request.contestant.id)
    if episode is None:
        unknown = f"There is no episode {code}. " if code else ""
        return Served((f"{unknown}Write replay and the code of an episode, such as replay CC-1.",))
    play = load_play(episode)
    if episode.over_at is None:
        return Served((f"{code} is still being played. Its record can be had when it is over.",))
    seat = play.seat_of(request.contestant.id)
    names = play.names if seat else play.public_names
    events = [event for _, event in events_of(work, play, 0)]
    story = tell(play.game.slug, events, names, seat.seat if seat else None)
    left = len(story) - MOST_TOLD
    more = (f"There are {left} more lines; the record has all of them.",) if left > 0 else ()
    write(
        request.turn,
        request.contestant,
        f"The story of {code}",
        f"{play.game.title}, played by {listed(names)}. It began on {episode.began_at:%-d %B %Y} and was over on "
        f"{episode.over_at:%-d %B %Y}.",
        about=play.game,
        story=story[-MOST_TOLD:],
        tail=(*more, "All moves are in the attached record."),
        attachment=(f"{episode.code}.jsonl", record_file(work.session, play, names)),
    )
    return Served(is_settled=True)


SERVED: Mapping[Service, Callable[[Request], Served]] = {
    Service.MINE: _mine,
    Service.SEASON: _season,
    Service.STANDINGS: _standings,
    Service.HISTORY: _history,
    Service.RECORD: _record,
    Service.REPLAY: _replay,
}
