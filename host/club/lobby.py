"""Shell: the queue and the throne of a game. In: who registered, who is champion, `again`, `leave`, `retire`. Out: places,
`ready` mails, the question whether to retire, and episodes that begin.

`run` is called after everything that may let an episode begin; it does nothing where none can.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from host.club import seasons
from host.config import Config
from host.engine.chance import Chance, commitment, new_seed
from host.engine.game import Game, new_options
from host.games import GAMES
from host.mail.outbound.draft import Ask
from host.mail.outbound.render import zone_of
from host.play import matchmaking, starts
from host.play.agreement import ASK_AGAIN_AFTER, THE_WORD, tries_word
from host.play.names import at_table, own
from host.play.subjects import words_of
from host.states import QuestionOutcome, RegistrationState
from host.store.database import Session
from host.store.episodes import asked_to_be_ready, dump_state, episode_with, open_questions
from host.store.people import (
    OPEN,
    count_waiting,
    is_away,
    place_in_line,
    queue_of,
    registration_of,
    registrations_of,
    registrations_to_ask_again,
    times_met,
)
from host.store.schema import Contestant, Episode, LobbyRow, QuestionRow, Registration, Seat
from host.store.standings import follow_throne
from host.table.clocks import open_question, reconcile_questions
from host.table.letters import alert, plain_ask, write
from host.table.notify import Notice, notify_all
from host.table.play import WINS_OPTION, Change, Play, store_events
from host.table.work import Turn, Work

TO_BE_FORGOTTEN = "You are to be forgotten, so you are in no queue. Register by a new mail once that is done."
FARTHEST_PLACE = 10_000
"""Somebody farther back is told no more than that: places are counted, and the queue may be long."""
TABLES_AT_ONCE = 16
"""Free tables that are filled together; it costs more the more there are."""
LONGEST_HOLD = timedelta(days=7)
"""How long a game waits for its champion who says `not now`: others wait with it."""


def place_of(session: Session, registration: Registration) -> str:
    """A registration's place in the queue, from 1, as letters say it."""
    place = place_in_line(session, registration, FARTHEST_PLACE + 1)
    return f"{FARTHEST_PLACE}+" if place > FARTHEST_PLACE else str(place)


def plan(work: Work, game: Game[Any, Any]) -> matchmaking.Plan:
    """The lobby's next step in a game. As many of the queue are looked at as free tables can take.

    Where the game has `starts`, episodes begin from each on for a day; before it, who will have been quiet is asked. What the
    host requested waits for none.
    """
    row = work.lobby(game.slug)
    settings = work.services.settings(game.slug)
    if not _may_begin(work, row) or (settings.start == "host" and not row.begin_requested):
        return matchmaking.Plan()
    seats = work.services.seats(game)
    tables = 1 if row.begin_requested else min(settings.tables - row.running, TABLES_AT_ONCE)
    queue = _queue(work.session, game, row, work.now, max(*game.seats, seats * tables) + 1)
    if row.begin_requested:
        seats = max((count for count in game.seats if count <= len(queue)), default=min(game.seats))
    elif settings.starts is not None:
        zone = zone_of(work.config.host.timezone)
        if not settings.starts.is_open(work.now, zone):
            start = settings.starts.next_after(work.now, zone)
            count = min(tables, len(queue) // seats) * seats if work.now >= start - matchmaking.READY_WITHIN else 0
            return matchmaking.Plan(ask=matchmaking.to_ask(queue, count, start))
    step = matchmaking.plan(queue, seats, work.now, tables)
    if step.begin and tables > 1 and len(queue) >= 2 * seats:
        met = times_met(work.session, game.slug, [each.contestant for each in queue])
        return matchmaking.plan(queue, seats, work.now, tables, met)
    return step


def _may_begin(work: Work, row: LobbyRow) -> bool:
    """Is a table free, and does the game wait for nobody's objection, nor for its champion?"""
    if row.game not in work.config.games or row.running >= work.services.settings(row.game).tables:
        return False
    is_held = row.hold_until is not None and row.hold_until > work.now
    return not (is_held or waits_for_champion(work, row) or _is_champion_missed(work, row))


def waits_for_champion(work: Work, row: LobbyRow) -> bool:
    """Does a game wait for its champion, who said `not now`?"""
    return row.champion_waits_until is not None and row.champion_waits_until > work.now


def _is_champion_missed(work: Work, row: LobbyRow) -> bool:
    """Is the next episode the champion's, and are they away? What the host requested waits for nobody."""
    champion = row.champion
    if champion is None or champion.away_until is None or row.begin_requested:
        return False
    return is_away(work.session, champion.id, work.now) and not episode_with(work.session, row.game, champion.id)


def present(session: Session, row: LobbyRow, most: int) -> int:
    """How many could play a game now, those who wait counted up to `most`: with them its champion, unless they play already."""
    is_free = row.champion_id is not None and not episode_with(session, row.game, row.champion_id)
    return count_waiting(session, row.game, most) + is_free


def next_start(config: Config, slug: str, now: datetime) -> str:
    """The sentence that says when the next episodes of a game begin, empty where it has no `starts`."""
    settings, zone = config.games.get(slug), config.host.timezone
    if settings is None or settings.starts is None:
        return ""
    return starts.next_in_words(settings.starts, now, zone_of(zone), zone)


def _queue(
    session: Session, game: Game[Any, Any], row: LobbyRow, now: datetime, most: int
) -> list[matchmaking.InQueue]:
    """The first `most` in line. Who is away is left out; who was passed over, too."""
    line = queue_of(session, game.slug, most, here_at=now)
    waiting = [each.contestant for each in line]
    champion = row.champion
    if champion and not episode_with(session, game.slug, champion.id):
        waiting = [champion, *(each for each in waiting if each.id != champion.id)]
    asked = asked_to_be_ready(session, game.slug, [each.id for each in waiting])
    return [matchmaking.InQueue(each.id, each.wrote_at, each.id in asked) for each in waiting]


def run(work: Work, game: Game[Any, Any]) -> bool:
    """Begin an episode or ask who has been quiet, where that is due. Says whether anything was done."""
    step = plan(work, game)
    for contestant_id in step.ask:
        _ask_ready(work, game, work.session.get_one(Contestant, contestant_id))
    if step.begin:
        work.lobby(game.slug).begin_requested = False
        contestants = [work.session.get_one(Contestant, each) for each in step.begin]
        for contestant in contestants:
            for registration in registrations_of(work.session, contestant.id, ("waiting",), game.slug):
                registration.state = "playing"
        play, change = create(work, game, contestants)
        notify_all(work, play, change, Notice(is_beginning=True))
    elif not step.ask:
        _end_request(work, game)
    return bool(step.begin or step.ask)


def _end_request(work: Work, game: Game[Any, Any]) -> None:
    """The host wanted an episode to begin, and nobody else is asked: too few of those who wait are ready."""
    row = work.lobby(game.slug)
    if (
        row.begin_requested
        and _may_begin(work, row)
        and not open_questions(work.session, purpose="ready", game=game.slug)
    ):
        row.begin_requested = False
        told = f"Too few of those who wait for {game.title} are ready. podium begin {game.slug} asks them once more."
        alert(work, f"No episode of {game.title} begins", told)


def create(
    work: Work, game: Game[Any, Any], contestants: Sequence[Contestant], is_unlisted: bool = False
) -> tuple[Play, Change]:
    """A new episode with these contestants in seat order, dealt. `is_unlisted`: of friends alone, for no title or season."""
    lobby = work.lobby(game.slug)
    lobby.episodes += 1
    lobby.running += 1
    champion_id, wins = (None, 0) if is_unlisted else (lobby.champion_id, lobby.champion_wins)
    place, seed = (None, b"") if is_unlisted else seasons.take_place(work, game.slug, contestants)
    seed = seed or new_seed()
    options = new_options(game, work.services.settings(game.slug).options)
    if WINS_OPTION in game.options:
        is_champion = champion_id is not None and contestants[0].id == champion_id
        options[WINS_OPTION] = wins if is_champion else 0
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
        champion_before_id=champion_id,
        champion_wins_before=wins,
        is_unlisted=is_unlisted,
    )
    work.save(episode)
    if place is not None:
        place.episode_id = episode.id
        work.save(place)
    names = at_table([(each.name, each.nickname) for each in contestants], work.config.host.name)
    episode.seats = [
        Seat(episode_id=episode.id, seat=at, contestant_id=each.id, contestant=each, name=name, told=0, thread="")
        for at, (each, name) in enumerate(zip(contestants, names, strict=True))
    ]
    play = Play(episode, game, outcome.state)
    store_events(work.session, play, outcome.events)
    opened, still_open = reconcile_questions(work, play)
    return play, Change(opened, still_open, 0, list(enumerate(outcome.events, 1)))


def _ask_ready(work: Work, game: Game[Any, Any], contestant: Contestant) -> None:
    row = open_question(work, "ready", contestant, matchmaking.READY_WITHIN, game=game.slug)
    headline = f"Ready for {game.title}, {own(contestant.name, contestant.nickname, work.config.host.name)}?"
    asks = (_ready_ask(work, game, contestant, row),)
    write(work, contestant, headline, about=game, kind="ready", purpose="ready", questions=[row], asks=asks)


def ask_ready_once_more(turn: Turn, contestant: Contestant, row: QuestionRow, why: str, said: Sequence[str]) -> None:
    """A reply to a `ready` mail was no plain yes or no (`why`): the same question with its links. `said`: what it led to."""
    game = GAMES[row.game]
    lead = (why, "Nothing has begun, and your place is kept.", *said)
    write(
        turn,
        contestant,
        "Are you ready, or not now?",
        *lead,
        about=game,
        kind="refused",
        purpose="ready",
        questions=[row],
        asks=(_ready_ask(turn.work, game, contestant, row),),
    )


def unread(lines: Sequence[str]) -> str:
    """The sentence about a reply in which neither yes nor no was found."""
    shown = " ".join(lines)[:80]
    found = f"I could not tell whether “{shown}” is a yes or a no."
    if tries_word(lines):
        return f"{found} {THE_WORD}"
    return found if shown else "I found nothing in your mail that you had typed."


def _ready_ask(work: Work, game: Game[Any, Any], contestant: Contestant, row: QuestionRow) -> Ask:
    is_champion = work.lobby(game.slug).champion_id == contestant.id
    then = "step down as champion" if is_champion else "go to the end of the queue"
    return plain_ask(
        _and_when(
            work,
            game,
            f"The next episode of {game.title} can begin with you, and I have not heard from you for a while.",
        )
        + " Are you ready to play?",
        [("ready", "I am ready"), ("not now", "Not now, ask me again"), ("leave", "Take me out")],
        row,
        f"If nothing comes by then, you {then}.",
    )


def not_now(turn: Turn, contestant: Contestant, row: QuestionRow, wait: timedelta, said: Sequence[str]) -> str:
    """`not now` to a `ready` mail: the place is kept, and they are asked again after `wait`. A champion's game waits for them.

    `said`: what else the letter has to say.
    """
    game = GAMES[row.game]
    turn.work.close_question(row, "not now")
    kept = _postpone(turn.work, game, contestant, wait)
    write(turn, contestant, "Another time, then", kept, *said, about=game, kind="registered")
    return f"not now for {game.slug}"


def _postpone(work: Work, game: Game[Any, Any], contestant: Contestant, wait: timedelta) -> str:
    """They keep their place, and are asked again after `wait`; gives the sentence about it."""
    contestant.wrote_at = work.now - matchmaking.QUIET_AFTER  # heard, but not as somebody who is there to play
    seat = work.lobby(game.slug)
    if seat.champion_id == contestant.id:
        wait = min(wait, LONGEST_HOLD)
        seat.champion_waits_until = work.now + wait
    for registration in registrations_of(work.session, contestant.id, ("waiting",), game.slug):
        registration.is_passed, registration.passed_at, registration.ask_again_at = True, None, work.now + wait
    days = max(1, round(wait / timedelta(days=1)))
    return (
        f"You keep your place in {game.title}. I ask you again in {'a day' if days == 1 else f'{days} days'}; write ready to "
        "this letter when you can play before that."
    )


def let_go(turn: Turn, contestant: Contestant, row: QuestionRow, said: Sequence[str] = ()) -> str:
    """`leave` to a `ready` mail: out of the queue, or off the throne. `said`: what else the letter has to say."""
    work, game = turn.work, GAMES[row.game]
    work.close_question(row, "left")
    what = f"the queue of {game.title}"
    if work.lobby(game.slug).champion_id == contestant.id:
        step_down(work, game.slug)
        what = f"the throne of {game.title}"
    for registration in registrations_of(work.session, contestant.id, ("waiting",), game.slug):
        registration.state = "left"
    left = f"You left {what}. What you have won stays yours. Come back any time!"
    write(turn, contestant, "Until another time", left, *said, about=game, kind="registered")
    return f"left {game.slug}"


def ask_again(work: Work) -> None:
    """Let those who said `not now` long enough ago stand in line again."""
    for registration in registrations_to_ask_again(work.session, work.now):
        registration.is_passed, registration.ask_again_at = False, None


def missed_ready(work: Work, game: Game[Any, Any], row: QuestionRow) -> None:
    """A `ready` mail was not answered: the champion steps down, a contestant goes to the end of the queue.

    Who wrote something since is no silent one: they keep their place, and are asked again.
    """
    contestant = work.session.get_one(Contestant, row.contestant_id)
    if contestant.wrote_at >= row.opened_at:
        kept = _postpone(work, game, contestant, ASK_AGAIN_AFTER)
        wrote = "You wrote, but I could not tell whether you are ready to play."
        write(work, contestant, "Another time, then", wrote, kept, about=game, kind="registered")
        return
    seat = work.lobby(game.slug)
    if seat.champion_id == contestant.id:
        step_down(work, game.slug)
        lead = (
            "You did not answer in time, so you are champion no longer.",
            "What you have won stays yours. You can register again like anybody else.",
        )
        write(work, contestant, "You stepped down as champion", *lead, about=game, kind="registered")
        return
    for registration in registrations_of(work.session, contestant.id, ("waiting",), game.slug):
        registration.queued_at = registration.passed_at = work.now
        registration.is_passed = True
        moved = (
            f"Nothing came from you in time, so others play {game.title} first. You keep a place at the end of the queue; "
            "write anything in reply whenever you are back."
        )
        write(work, contestant, "You moved to the end of the queue", moved, about=game, kind="registered")


def give_up_place(work: Work, game: Game[Any, Any], contestant_id: int) -> bool:
    """Take somebody who plays after all out of the queue, and close what it asked them. Says whether they waited."""
    _close_asked(work, contestant_id, game.slug, "playing")
    waiting = registrations_of(work.session, contestant_id, OPEN, game.slug)
    for registration in waiting:
        registration.state = "left"
    return bool(waiting)


def _close_asked(work: Work, contestant_id: int, slug: str, outcome: QuestionOutcome) -> None:
    """Close what the queue of a game asked somebody."""
    for row in open_questions(work.session, contestant_id=contestant_id, game=slug):
        if row.purpose in ("ready", "confirm"):
            work.close_question(row, outcome)


def step_down(work: Work, slug: str) -> None:
    """The champion retires; the next episode begins without one."""
    set_champion(work, work.lobby(slug), None, 0)


def set_champion(work: Work, row: LobbyRow, champion_id: int | None, wins: int, is_taken_back: bool = False) -> None:
    """Somebody, or nobody, is champion of a game, after so many episodes won in a row."""
    if champion_id != row.champion_id:
        row.champion_waits_until = None
    row.champion_id, row.champion_wins = champion_id, wins
    row.champion = None if champion_id is None else work.session.get_one(Contestant, champion_id)
    follow_throne(work.session, row, work.now, is_taken_back=is_taken_back)


def welcome_back(turn: Turn, contestant: Contestant, is_ready: bool, said: Sequence[str] = ()) -> bool:
    """Somebody who was passed over writes: they are in line again. False where they were not.

    Who had said `not now` has to say that they are ready; a champion's game waits no longer. `said`: what else their letter has
    to say.
    """
    work = turn.work
    thrones = [row for slug in work.config.games if (row := work.lobby(slug)).champion_id == contestant.id]
    for row in thrones if is_ready else ():
        if waits_for_champion(work, row):
            row.champion_waits_until, game = None, GAMES[row.game]
            if contestant.id not in plan(work, game).begin:
                heard = _and_when(
                    work, game, f"Good to hear from you! The next episode of {game.title} waits for you no longer."
                )
                write(turn, contestant, "You are back", heard, *said, about=game, kind="registered")
            run(work, game)
            return True
    waiting = registrations_of(work.session, contestant.id, ("waiting",))
    back = [each for each in waiting if (is_ready if each.ask_again_at is not None else each.passed_at is not None)]
    for registration in back:
        registration.passed_at, registration.ask_again_at, registration.is_passed = None, None, False
        game = GAMES[registration.game]
        run(work, game)
        if registration.state == "waiting":  # else the first letter of the episode answers
            place = place_of(work.session, registration)
            heard = _and_when(
                work, game, f"Good to hear from you! You are number {place} in the queue of {game.title}."
            )
            write(turn, contestant, "You are in line again", heard, *said, about=game, kind="registered")
    return bool(back)


ON_A_THRONE = "You are in no queue, as the champion plays without registering."


def leave(work: Work, contestant: Contestant, argument: str, game: str) -> str:
    """`leave GAME`: out of its queue at once; gives the sentence about it. Without a name it is the letter's game."""
    slug = named_game(argument) or game
    chosen = registrations_of(work.session, contestant.id, OPEN, slug)
    if not chosen and any(work.lobby(each).champion_id == contestant.id for each in work.config.games):
        return ON_A_THRONE
    if not chosen:
        of_game = f" of {GAMES[slug].title}" if slug and registrations_of(work.session, contestant.id, OPEN) else ""
        return f"You are in no queue{of_game}, so there is nothing to leave. To leave an episode that is under way, write resign."
    for each in chosen:
        each.state = "left"
        _close_asked(work, contestant.id, each.game, "left")
    return f"You left the queue of {' and '.join(GAMES[each.game].title for each in chosen)}. Come back any time!"


def named_game(argument: str) -> str:
    """The slug of the game that a title, slug or code names; or nothing."""
    wanted = "".join(words_of(argument.removeprefix("the ")))
    for slug, game in GAMES.items():
        if wanted and wanted in ("".join(words_of(game.title)), "".join(words_of(slug)), game.code.lower()):
            return slug
    return ""


def again(turn: Turn, contestant: Contestant, argument: str, slug: str) -> str:
    """`again`: into the queue of the letter's game, as a registration would; gives the sentence about it.

    It is empty where an episode begins at once: its first letter tells of it. Who answers a letter need not confirm.
    """
    work, game = turn.work, GAMES.get(named_game(argument) or slug)
    if game is None or game.slug not in work.config.games:
        return "To play again, reply with again to a letter of the game, or write to me with the subject that was announced."
    if contestant.is_leaving:
        return TO_BE_FORGOTTEN
    if contestant.confirmed_at is None:
        return f"Confirm your registration first; then you have your place in the queue of {game.title}."
    registration = registration_of(work.session, contestant.id, game.slug, *OPEN)
    episode = episode_with(work.session, game.slug, contestant.id)
    if episode:
        return f"You have a seat in {episode.code} of {game.title}, which is being played still. Write again when it is over."
    if work.lobby(game.slug).champion_id == contestant.id:
        return f"You are the champion of {game.title}: you play the next episode without registering."
    if registration and registration.state == "waiting":
        place = place_of(work.session, registration)
        return _and_when(work, game, f"You are registered already: place {place} in the queue of {game.title}.")
    if registration:
        return f"Your registration for {game.title} waits to be confirmed: answer the letter that asked."
    registration = enrol(work, contestant, game, "waiting", turn.inbound.arrived_at)
    is_beginning = contestant.id in plan(work, game).begin
    run(work, game)
    if is_beginning:
        return ""
    place = place_of(work.session, registration)
    return _and_when(work, game, f"You are in again: number {place} in the queue of {game.title}.")


def _and_when(work: Work, game: Game[Any, Any], place: str) -> str:
    return f"{place} {next_start(work.config, game.slug, work.now)}".rstrip()


def enrol(
    work: Work, contestant: Contestant, game: Game[Any, Any], state: RegistrationState, queued_at: datetime
) -> Registration:
    """A new registration for a game."""
    registration = Registration(
        contestant_id=contestant.id,
        contestant=contestant,
        game=game.slug,
        state=state,
        created_at=work.now,
        queued_at=queued_at,
        passed_at=None,
    )
    work.save(registration)
    return registration


def what_it_waits_for(work: Work, slug: str) -> str:
    """Says when the next episode of a game begins, as far as that is known."""
    if slug not in work.config.games:
        return f"It is not played here at present, so no episode begins; to give your place up, write leave {slug}."
    row, settings = work.lobby(slug), work.services.settings(slug)
    needed = work.services.seats(GAMES[slug])
    in_line = [each.contestant_id for each in queue_of(work.session, slug, needed)]
    in_line += [row.champion_id] if row.champion_id is not None else []
    waiting = len(in_line)
    when = next_start(work.config, slug, work.now)
    if row.running >= settings.tables and not when:
        return "The next episode begins when the one that is being played is over and enough contestants wait."
    if settings.start == "host":
        return "The host says when the next episode begins."
    if waiting < needed:
        lacks = f"with {needed} contestants; {needed - waiting} more must register."
        return f"{when} An episode begins {lacks}" if when else f"The next episode begins {lacks}"
    if row.hold_until is not None and row.hold_until > work.now:
        return "The next episode waits a while, as somebody may object to how the last one ended."
    if row.champion and waits_for_champion(work, row):
        return f"The champion, {row.champion.called}, cannot play yet; the next episode waits for them, a week at the longest."
    if row.champion and _is_champion_missed(work, row):
        return f"The champion, {row.champion.called}, is away; the next episode begins when they are back."
    is_asked = bool(asked_to_be_ready(work.session, slug, in_line))
    others = (
        "those who were asked whether they are ready have answered" if is_asked else "enough who wait are there to play"
    )
    return when or f"The next episode begins as soon as {others}."


def ask_retire(turn: Turn, contestant: Contestant, of_letter: str, lead: tuple[str, ...] = ()) -> str:
    """`retire`: a letter asks the champion of the game, or of the first that they are champion of; else why nothing is asked."""
    work = turn.work
    thrones = [slug for slug in work.config.games if work.lobby(slug).champion_id == contestant.id]
    if not thrones:
        return (
            "Only a champion can retire. To leave a queue, write leave and the game; to leave an episode, write resign."
        )
    slug = of_letter if of_letter in thrones else thrones[0]
    title, wins = GAMES[slug].title, work.lobby(slug).champion_wins
    asked = open_questions(work.session, contestant_id=contestant.id, purpose="retire", game=slug)
    row = asked[0] if asked else open_question(work, "retire", contestant, None, game=slug)
    ask = plain_ask(
        f"You are the champion of {title}, with {wins} {'episode' if wins == 1 else 'episodes in a row'} won. If you retire, "
        "you are champion no longer: the next episode begins without you, and you register like anybody else. What you have "
        "won stays yours.",
        [("retire yes", "Yes, I retire"), ("no", "No, I stay")],
        row,
        "Without an answer you stay champion.",
    )
    headline, game = "Do you really want to give up the title?", GAMES[slug]
    write(turn, contestant, headline, *lead, about=game, purpose="retire", questions=[row], asks=(ask,), services=False)
    return ""


def retire(work: Work, row: QuestionRow, contestant: Contestant) -> str:
    """The champion said yes and steps down; gives the sentence about it. An episode under way is not touched."""
    work.close_question(row, "yes")
    if work.lobby(row.game).champion_id != contestant.id:
        return f"You are not the champion of {GAMES[row.game].title} any more."
    for each in open_questions(work.session, contestant_id=contestant.id, purpose="ready", game=row.game):
        work.close_question(each, "retired")
    step_down(work, row.game)
    run(work, GAMES[row.game])
    return "You retired as champion. Well played! What you have won stays yours."
