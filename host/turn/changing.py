"""Shell: what a turn changes in the store. In: an outcome of the rules. Out: state, record, events, questions, ledger.

No letters are written here; `telling` does that, in the same transaction.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from host import record
from host.chance import Chance, commitment, new_seed
from host.game import DeckCut, Event, Game, Outcome, Shuffled, encode_event
from host.store.episodes import count_happenings, deck_of, is_later_one_over, keep_deck, last_line, open_questions
from host.store.people import contestant_of_id, last_registration, ledger_sums, lobby_of
from host.store.schema import Contestant, Episode, Happening, LedgerEntry, Question, RecordLine, Seat
from host.store.states import dump_state
from host.store.store import Session
from host.turn import settling
from host.turn.house import WINS_OPTION, House, Play, close_question, record_lines
from host.turn.letters import open_question


def create(
    session: Session, house: House, game: Game[Any, Any], contestants: Sequence[Contestant], now: datetime
) -> tuple[Play, list[Question]]:
    """A new episode with these contestants in seat order, dealt; gives its first open questions."""
    lobby = lobby_of(session, game.slug)
    lobby.episodes += 1
    seed = new_seed()
    options = dict(house.settings(game.slug).options)
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
    _keep_events(session, play, outcome.events)
    return play, _open_new_questions(session, house, play, now)


def advance(
    session: Session, house: House, play: Play, outcome: Outcome[Any], lines: Sequence[record.Line], now: datetime
) -> tuple[Play, list[Question]]:
    """Store what was played: record lines, events, state, questions; where the episode is over, its end.

    Gives the play as it stands and the questions that opened.
    """
    outcome, lines = settling.go_on(session, house, play, outcome, lines, now)
    play = replace(play, state=outcome.state)
    play.episode.state = dump_state(play.game, outcome.state)
    number = last_line(session, play.episode.id)
    for at, line in enumerate(lines, number + 1):
        session.add(RecordLine(episode_id=play.episode.id, line=at, text=record.write_line(line), at=now))
    _keep_events(session, play, outcome.events)
    _close_settled_questions(session, play, now)
    opened = _open_new_questions(session, house, play, now)
    if play.game.result(play.state) and play.episode.over_at is None:
        _finish(session, play, now)
    session.flush()
    return play, opened


def _keep_events(session: Session, play: Play, events: Sequence[Event]) -> None:
    number = count_happenings(session, play.episode.id)
    for at, event in enumerate(events, number + 1):
        session.add(Happening(episode_id=play.episode.id, number=at, event=encode_event(event)))
        if isinstance(event, Shuffled):
            keep_deck(session, play.episode.id, event.label, list(event.deck))
        elif isinstance(event, DeckCut):
            session.flush()
            deck = deck_of(session, play.episode.id, event.label)
            if deck:
                deck.cut = event.count
    session.flush()


def _live(play: Play) -> dict[tuple[int, str], str]:
    return {(each.seat, each.key): each.phase for each in play.game.questions(play.state)}


def _close_settled_questions(session: Session, play: Play, now: datetime) -> None:
    live = _live(play)
    for row in open_questions(session, episode_id=play.episode.id, purpose="game"):
        if (row.seat, row.key) not in live:
            close_question(row, "settled", now)
    if play.game.result(play.state):
        for row in open_questions(session, episode_id=play.episode.id):
            close_question(row, "over", now)


def _open_new_questions(session: Session, house: House, play: Play, now: datetime) -> list[Question]:
    rows = open_questions(session, episode_id=play.episode.id, purpose="game")
    known = {(row.seat, row.key) for row in rows}
    opened: list[Question] = []
    for (seat, key), phase in _live(play).items():
        if (seat, key) in known or seat < 0:
            continue
        opened.append(
            open_question(
                session,
                house,
                now,
                purpose="game",
                contestant=play.episode.seats[seat].contestant,
                within=house.config.reply_within(play.game.slug),
                episode=play.episode,
                game=play.game.slug,
                seat=seat,
                key=key,
                phase=phase,
            )
        )
    return opened


def _finish(session: Session, play: Play, now: datetime) -> None:
    """The end of an episode: ledger, champion, and its contestants free to register again."""
    episode, game = play.episode, play.game
    episode.over_at = now
    for earning in game.earnings(play.state):
        contestant_id = episode.seats[earning.seat].contestant_id
        _book(session, episode, contestant_id, earning.account, earning.amount, now, "earned")
    _set_playing(session, episode, "playing", "played")
    result = game.result(play.state)
    lobby = lobby_of(session, game.slug)
    if lobby.champion_id is not None and play.seat_of(lobby.champion_id) is None:
        return  # an episode without the champion, who plays elsewhere, is not about the throne
    champion = None if result is None or result.champion is None else episode.seats[result.champion].contestant_id
    is_champion_again = champion is not None and champion == lobby.champion_id
    lobby.champion_wins = lobby.champion_wins + 1 if is_champion_again else int(champion is not None)
    lobby.champion_id = champion
    lobby.champion = None if champion is None else contestant_of_id(session, champion)


def _set_playing(session: Session, episode: Episode, before: str, after: str) -> None:
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


def go_back(session: Session, house: House, play: Play, line: int, now: datetime) -> tuple[Play, list[Question]]:
    """The state as it was after `line` of the record; an episode that was over is under way again.

    Raises ValueError where there is no such line, or the record does not replay with these rules.
    """
    lines = record_lines(session, play.episode)
    if not 1 <= line <= len(lines) + 1:
        raise ValueError(f"the record has lines 1 to {len(lines) + 1}; name one of them")
    replay = record.Replay(play.game, play.header)
    for at, each in enumerate(lines, 2):
        refused = replay.step(each)
        if refused:
            raise ValueError(f"line {at} of the record is refused by these rules: {refused}")
    if play.episode.over_at is not None:
        _reopen(session, play, now)
    for row in open_questions(session, episode_id=play.episode.id):
        close_question(row, "back", now)
    settling.drop_all(session, play)
    outcome: Outcome[Any] = Outcome(replay.states[line - 1], ())
    play, opened = advance(session, house, play, outcome, [record.BackTo(line)], now)
    told = count_happenings(session, play.episode.id)
    for seat in play.episode.seats:
        seat.told = told
    return play, opened


def _reopen(session: Session, play: Play, now: datetime) -> None:
    """Undo the end of an episode: ledger entries are balanced by their opposites, the champion is who it was before."""
    episode = play.episode
    for contestant_id, account, amount in ledger_sums(session, episode.id):
        if amount:
            _book(session, episode, contestant_id, account, -amount, now, "taken back")
    _set_playing(session, episode, "played", "playing")
    result = play.game.result(play.state)
    made = None if result is None or result.champion is None else episode.seats[result.champion].contestant_id
    lobby = lobby_of(session, episode.game)
    if lobby.champion_id == made and not is_later_one_over(session, episode):
        lobby.champion_id, lobby.champion_wins = episode.champion_before_id, episode.champion_wins_before
        lobby.champion = None if lobby.champion_id is None else contestant_of_id(session, lobby.champion_id)
    episode.over_at = None
