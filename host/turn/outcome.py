"""Shell: what a turn changes in the store. In: an outcome of the rules. Out: state, record, events, questions, ledger.

No letters are written here; `telling` does that, in the same transaction.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from host.engine import record
from host.engine.chance import Chance, commitment, new_seed
from host.engine.game import DeckCut, Event, Game, Outcome, Shuffled, encode_event
from host.states import QuestionOutcome, RegistrationState
from host.store.database import Session
from host.store.episodes import deck_of, ends, has_ended_one_since, keep_deck, open_questions
from host.store.people import contestant_of_id, last_registration, ledger_sums, lobby_of
from host.store.schema import Contestant, Episode, EventRow, LedgerEntry, QuestionRow, RecordLine, Seat
from host.store.state_codec import dump_state
from host.turn import play_premoves
from host.turn.clocks import start_clocks
from host.turn.letters import open_question
from host.turn.services import WINS_OPTION, Play, Services, close_question, record_lines, replayed


@dataclass(frozen=True)
class Change:
    """What one change of an episode left: the questions that opened, all that are open, and its events with their numbers.

    `before` is how many events there were before it.
    """

    opened: Sequence[QuestionRow]
    open: Sequence[QuestionRow]
    before: int
    events: Sequence[tuple[int, Event]]


def create(
    session: Session, services: Services, game: Game[Any, Any], contestants: Sequence[Contestant], now: datetime
) -> tuple[Play, Change]:
    """A new episode with these contestants in seat order, dealt."""
    lobby = lobby_of(session, game.slug)
    lobby.episodes += 1
    lobby.running += 1
    seed = new_seed()
    options = dict(services.settings(game.slug).options)
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
        began_at=now,
        champion_before_id=lobby.champion_id,
        champion_wins_before=lobby.champion_wins,
    )
    session.add(episode)
    session.flush()
    episode.seats = [
        Seat(
            episode_id=episode.id, seat=at, contestant_id=each.id, contestant=each, name=each.called, told=0, thread=""
        )
        for at, each in enumerate(contestants)
    ]
    session.flush()
    play = Play(episode, game, outcome.state)
    events = _keep_events(session, play, outcome.events, 0)
    opened, still_open = _settle_questions(session, services, play, now)
    session.flush()
    return play, Change(opened, still_open, 0, events)


def advance(
    session: Session, services: Services, play: Play, outcome: Outcome[Any], lines: Sequence[record.Line], now: datetime
) -> tuple[Play, Change]:
    """Store what was played: record lines, events, state, questions; where the episode is over, its end.

    Gives the play as it stands, and what changed.
    """
    outcome, lines = play_premoves.go_on(session, services, play, outcome, lines, now)
    play = replace(play, state=outcome.state)
    play.episode.state = dump_state(play.game, outcome.state)
    last_line, last_event = ends(session, play.episode.id)
    for at, line in enumerate(lines, last_line + 1):
        session.add(RecordLine(episode_id=play.episode.id, line=at, text=record.write_line(line), at=now))
    events = _keep_events(session, play, outcome.events, last_event)
    opened, still_open = _settle_questions(session, services, play, now)
    if play.game.result(play.state) and play.episode.over_at is None:
        session.flush()
        _finish(session, play, now)
    return play, Change(opened, still_open, last_event, events)


def _keep_events(session: Session, play: Play, events: Sequence[Event], last: int) -> list[tuple[int, Event]]:
    numbered = list(enumerate(events, last + 1))
    for at, event in numbered:
        session.add(EventRow(episode_id=play.episode.id, number=at, event=encode_event(event)))
        if isinstance(event, Shuffled):
            keep_deck(session, play.episode.id, event.label, list(event.deck))
        elif isinstance(event, DeckCut):
            session.flush()
            deck = deck_of(session, play.episode.id, event.label)
            if deck:
                deck.cut = event.count
    return numbered


def _settle_questions(
    session: Session, services: Services, play: Play, now: datetime
) -> tuple[list[QuestionRow], list[QuestionRow]]:
    """Close the questions that are settled, and open those that are new; gives the latter, and all that are open."""
    live = {(each.seat, each.key): each.phase for each in play.game.questions(play.state)}
    still_open: list[QuestionRow] = []
    for row in open_questions(session, episode_id=play.episode.id):
        if play.game.result(play.state):
            _close(session, row, "over", now)
        elif row.purpose == "game" and (row.seat, row.key) not in live:
            _close(session, row, "settled", now)
        else:
            still_open.append(row)
    known = {(row.seat, row.key) for row in still_open if row.purpose == "game"}
    opened = [
        open_question(
            session,
            services,
            now,
            purpose="game",
            contestant=play.episode.seats[seat].contestant,
            within=services.config.reply_within(play.game.slug),
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


def _close(session: Session, row: QuestionRow, outcome: QuestionOutcome, now: datetime) -> None:
    """End a question; for how long its clock stood still counts, whoever answered it."""
    start_clocks(session, [row], now)
    close_question(row, outcome, now)


def _finish(session: Session, play: Play, now: datetime) -> None:
    """The end of an episode: ledger, champion, and its contestants free to register again."""
    episode, game = play.episode, play.game
    episode.over_at, episode.paused_at = now, None
    for earning in game.earnings(play.state):
        contestant_id = episode.seats[earning.seat].contestant_id
        _book(session, episode, contestant_id, earning.account, earning.amount, now, "earned")
    _set_playing(session, episode, "playing", "played")
    result = game.result(play.state)
    lobby = lobby_of(session, game.slug)
    lobby.running -= 1
    episode.champion_before_id, episode.champion_wins_before = lobby.champion_id, lobby.champion_wins
    if not play.is_about_throne:
        return
    champion = None if result is None or result.champion is None else episode.seats[result.champion].contestant_id
    is_champion_again = champion is not None and champion == lobby.champion_id
    lobby.champion_wins = lobby.champion_wins + 1 if is_champion_again else int(champion is not None)
    lobby.champion_id = champion
    lobby.champion = None if champion is None else contestant_of_id(session, champion)


def _set_playing(session: Session, episode: Episode, before: RegistrationState, after: RegistrationState) -> None:
    for seat in episode.seats:
        registration = last_registration(session, seat.contestant_id, episode.game, before)
        if registration:
            registration.state = after


def _book(
    session: Session, episode: Episode, contestant_id: int, account: str, amount: int, now: datetime, note: str
) -> None:
    session.add(
        LedgerEntry(
            contestant_id=contestant_id, episode_id=episode.id, account=account, amount=amount, at=now, note=note
        )
    )


def go_back(session: Session, services: Services, play: Play, line: int, now: datetime) -> tuple[Play, Change]:
    """The state as it was after `line` of the record; an episode that was over is under way again.

    Raises ValueError where there is no such line, or the record does not lead to the table with these rules.
    """
    lines = record_lines(session, play.episode)
    if not 1 <= line <= len(lines) + 1:
        raise ValueError(f"the record has lines 1 to {len(lines) + 1}; name one of them")
    replay = replayed(session, play)
    if play.episode.over_at is not None:
        _reopen(session, play, now)
    for row in open_questions(session, episode_id=play.episode.id):
        _close(session, row, "back", now)
    play_premoves.drop_all(session, play, play_premoves.CAME_BACK)
    session.flush()
    outcome: Outcome[Any] = Outcome(replay.states[line - 1], ())
    play, change = advance(session, services, play, outcome, [record.BackTo(line)], now)
    session.flush()
    _, told = ends(session, play.episode.id)
    for seat in play.episode.seats:
        seat.told = told
    return play, change


def _reopen(session: Session, play: Play, now: datetime) -> None:
    """Undo the end of an episode: ledger entries are balanced by their opposites, the champion is who it was before, unless
    there was a word about the throne since."""
    episode = play.episode
    for contestant_id, account, amount in ledger_sums(session, episode.id):
        if amount:
            _book(session, episode, contestant_id, account, -amount, now, "taken back")
    _set_playing(session, episode, "played", "playing")
    result = play.game.result(play.state)
    made = None if result is None or result.champion is None else episode.seats[result.champion].contestant_id
    lobby = lobby_of(session, episode.game)
    lobby.running += 1
    if play.is_about_throne and _is_last_word(session, episode, lobby.champion_id, made):
        lobby.champion_id, lobby.champion_wins = episode.champion_before_id, episode.champion_wins_before
        lobby.champion = None if lobby.champion_id is None else contestant_of_id(session, lobby.champion_id)
    episode.over_at = None


def _is_last_word(session: Session, episode: Episode, champion_id: int | None, made: int | None) -> bool:
    """Is the throne as the end of this episode left it, or empty because whom it had `made` champion stepped down?"""
    if champion_id is None:
        return made is None or made != episode.champion_before_id  # a champion of before it who stepped down stays down
    if champion_id != made or episode.over_at is None:
        return False
    return not has_ended_one_since(session, episode.game, champion_id, episode.over_at)
