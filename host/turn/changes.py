"""Shell: what changes of an episode leave in the store. In: an outcome of the rules. Out: its events, its questions.

No letters are written here; `notify` does that, in the same transaction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from host.engine.chance import Chance, commitment, new_seed
from host.engine.events import DeckCut, Event, Shuffled
from host.engine.game import Game, encode_event, new_options
from host.play.names import at_table
from host.states import QuestionOutcome, RegistrationState
from host.store.database import Session
from host.store.episodes import deck_of, dump_state, keep_deck
from host.store.people import registration_of
from host.store.schema import Contestant, Episode, EventRow, LedgerEntry, QuestionRow, Seat
from host.store.standings import Score, add_scores
from host.turn.clocks import start_clocks
from host.turn.letters import open_question
from host.turn.play import WINS_OPTION, Play
from host.turn.work import Work


@dataclass(frozen=True)
class Change:
    """The effects of one change of an episode: the questions that opened, all that are open, and its events with their numbers.

    `before` is how many events there were before it.
    """

    opened: Sequence[QuestionRow]
    open: Sequence[QuestionRow]
    before: int
    events: Sequence[tuple[int, Event]]


def create(work: Work, game: Game[Any, Any], contestants: Sequence[Contestant]) -> tuple[Play, Change]:
    """A new episode with these contestants in seat order, dealt."""
    lobby = work.lobby(game.slug)
    lobby.episodes += 1
    lobby.running += 1
    seed = new_seed()
    options = new_options(game, work.services.settings(game.slug).options)
    if WINS_OPTION in game.options:
        is_champion = lobby.champion_id is not None and contestants[0].id == lobby.champion_id
        options[WINS_OPTION] = lobby.champion_wins if is_champion else 0
    outcome = game.deal(len(contestants), options, Chance(seed))
    episode = Episode(
        code=f"{game.code}-{lobby.episodes}",
        game=game.slug,
        rules_version=game.version,
        options=options,
        seed=seed,
        commitment=commitment(seed),
        state=dump_state(game, outcome.state),
        began_at=work.now,
        champion_before_id=lobby.champion_id,
        champion_wins_before=lobby.champion_wins,
    )
    work.save(episode)
    names = at_table([(each.name, each.nickname) for each in contestants], work.config.host.name)
    episode.seats = [
        Seat(episode_id=episode.id, seat=at, contestant_id=each.id, contestant=each, name=name, told=0, thread="")
        for at, (each, name) in enumerate(zip(contestants, names, strict=True))
    ]
    play = Play(episode, game, outcome.state)
    store_events(work.session, play, outcome.events)
    opened, still_open = reconcile_questions(work, play)
    return play, Change(opened, still_open, 0, list(enumerate(outcome.events, 1)))


def store_events(session: Session, play: Play, events: Sequence[Event]) -> None:
    """Store what happened, behind what happened before, and the decks that it shows."""
    for event in events:
        play.episode.last_event += 1
        play.episode.untold.append(EventRow(number=play.episode.last_event, event=encode_event(event)))
        if isinstance(event, Shuffled):
            keep_deck(session, play.episode.id, event.label, list(event.deck))
        elif isinstance(event, DeckCut):
            deck = deck_of(session, play.episode.id, event.label)
            if deck:
                deck.cut = event.count


def reconcile_questions(work: Work, play: Play) -> tuple[list[QuestionRow], list[QuestionRow]]:
    """Close the questions that are settled, and open those that are new; gives the latter, and all that are open."""
    live = {(each.seat, each.key): each.phase for each in play.questions}
    still_open: list[QuestionRow] = []
    for row in play.episode.open_questions:
        if play.result:
            close(work, row, "over")
        elif row.purpose == "game" and (row.seat, row.key) not in live:
            close(work, row, "settled")
        else:
            still_open.append(row)
    known = {(row.seat, row.key) for row in still_open if row.purpose == "game"}
    opened = [
        open_question(
            work,
            "game",
            play.episode.seats[seat].contestant,
            work.config.reply_within(play.game.slug),
            episode=play.episode,
            game=play.game.slug,
            seat=seat,
            key=key,
            phase=phase,
        )
        for (seat, key), phase in live.items()
        if seat >= 0 and (seat, key) not in known
    ]
    return opened, still_open + opened


def close(work: Work, row: QuestionRow, outcome: QuestionOutcome) -> None:
    """End a question; for how long its clock stood still counts, whoever answered it."""
    start_clocks(work, [row])
    work.close_question(row, outcome)


def set_playing(session: Session, episode: Episode, before: RegistrationState, after: RegistrationState) -> None:
    """The registrations of those who sit in an episode go from one state to another: `playing`, `played`."""
    for seat in episode.seats:
        registration = registration_of(session, seat.contestant_id, episode.game, before)
        if registration:
            registration.state = after


def score(work: Work, play: Play, is_taken_back: bool = False) -> None:
    """The end of an episode counts for its contestants' seats and standings; or does not, where it is taken back."""
    episode, sign = play.episode, -1 if is_taken_back else 1
    result = play.result
    if result is None or episode.over_at is None:
        return
    scores = []
    for seat, winnings in zip(episode.seats, play.game.winnings(play.state), strict=True):
        won = seat.seat == result.winner
        scores.append(Score(seat.contestant_id, sign, sign * int(won), sign * winnings))
        seat.won, seat.winnings = (None, None) if is_taken_back else (won, winnings)
    add_scores(work.session, episode.game, episode.over_at.year, scores, play.game.currency == "$")


def book(work: Work, episode: Episode, contestant_id: int, account: str, amount: int, note: str) -> None:
    """An entry in the ledger of play money."""
    work.session.add(
        LedgerEntry(
            contestant_id=contestant_id, episode_id=episode.id, account=account, amount=amount, at=work.now, note=note
        )
    )
