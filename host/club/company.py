"""Shell: playing again with the same people, and reading along. In: `again with Bob`, `watch CC-12`. Out: letters, an episode.

A rematch is one question to each who is named; all of them have the same key, so that the last yes finds the others. Who
reads along is told what everybody may see, once the players' letters that tell it were accepted, and at most once a day.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from host.club import lobby
from host.engine.game import HOST, Game
from host.engine.grammar import is_polite
from host.games import GAMES
from host.mail.outbound.formatting import listed
from host.mail.outbound.render import tell
from host.play.agreement import says_later, says_no, says_ready
from host.play.matchmaking import CONFIRM_WITHIN
from host.play.services import Service
from host.states import QuestionOutcome
from host.store.company import (
    called_anyhow,
    muted_by,
    questions_about,
    unsent_to_players,
    watched_by,
    watchers_due,
    watchers_of,
)
from host.store.episodes import episode_known_to, episode_with, open_questions
from host.store.mails import count_letters_to
from host.store.people import OPEN, forget, registrations_of
from host.store.roster import barred
from host.store.schema import Contestant, Episode, QuestionRow, Watcher
from host.table.clocks import open_question
from host.table.letters import plain_ask, write
from host.table.notify import Notice, notify_all
from host.table.play import Play, events_of, load_play
from host.table.served import Request, Served
from host.table.work import Reply, Services, Verdict, Work, begin

A_WEEK, MOST_A_WEEK = timedelta(days=7), 3
"""Of such questions anybody gets so many."""
EVERY = timedelta(days=1)
"""How often somebody who reads along is written to at most."""
SOON = timedelta(minutes=10)
"""After what time it is tried again, where there is nothing to tell yet."""
MOST_WATCHED = 10
AFTER_ALL = "does not want to play after all"
ALL_TAKEN = "All tables are taken: write it again when an episode is over."
IN_PUBLIC = " public"
"""Behind the key of an invitation whose episode public pages may show."""
THE_HOST = "0"
"""In the key of an invitation in place of the contestant whose it is, where it is the host's."""
IN_PRIVATE = " private"
"""Behind the key of those who played by themselves before, and are asked whether they do once more."""
MOST_TOLD = 40
"""Lines of a letter to somebody who reads along."""
GROUP = 16


# Once more


def _rematch(request: Request) -> Served:
    work, game = request.work, request.game
    if game is None:
        return Served(("Reply to a letter of the game that you want to play again.",))
    if request.contestant.confirmed_at is None:
        return Served(("Confirm your registration first.",))
    others, why_not = _invited(request)
    everybody = (request.contestant, *others)
    why_not = why_not or cannot_begin(work, game, everybody, len(everybody), request.contestant)
    if not why_not and open_questions(
        work.session, purpose="rematch", game=game.slug, contestant_id=request.contestant.id
    ):
        why_not = "You are asked about one already: a yes to that letter begins it, a no ends it."
    for each in others if not why_not else ():
        asked = count_letters_to(work.session, each.address, work.now - A_WEEK, work.now, purpose="rematch")
        if open_questions(work.session, purpose="rematch", contestant_id=each.id):
            why_not = f"{each.called} is asked already whether to play once more."
        elif asked >= MOST_A_WEEK or request.contestant.id in muted_by(work.session, each.id):
            why_not = f"{each.called} cannot be asked now: play with them by the queue."
    if why_not:
        return Served((f"Nobody was asked. {why_not}",))
    ids = ",".join(str(each.id) for each in everybody)
    seated = {seat.contestant_id for seat in request.play.episode.seats} if request.play else set()
    is_private = bool(request.play and request.play.episode.is_unlisted) and {each.id for each in everybody} <= seated
    key = f"{ids} {work.now.timestamp():.0f}{IN_PRIVATE if is_private else ''}"
    for each in others:
        row = open_question(work, "rematch", each, CONFIRM_WITHIN, game=game.slug, key=key)
        rest = [other.called for other in others if other is not each]
        besides = f", with {listed(rest)} as well" if rest else ""
        ask = plain_ask(
            f"{request.contestant.called} wants to play {game.title} with you once more{besides}. Do you?",
            [("yes", "Yes, I play"), ("no", "No, not now")],
            row,
            "Without an answer it does not take place.",
        )
        headline = f"{game.title} once more with {request.contestant.called}?"
        write(work, each, headline, about=game, kind="ready", purpose="rematch", questions=[row], asks=(ask,))
    names = listed(each.called for each in others)
    return Served(
        (f"I have asked {names}. It begins when {'all of them say' if len(others) > 1 else names + ' says'} yes.",)
    )


def _invited(request: Request) -> tuple[list[Contestant], str]:
    """Those who are named, and why nobody can be asked, or nothing."""
    play, found = request.play, list[Contestant]()
    named = " ".join(request.named.strip(" .!?").split())
    for name in filter(None, map(str.strip, re.split(r",|&|\band\b", named, flags=re.IGNORECASE))):
        while " " in name and is_polite(name.rpartition(" ")[2]):
            name = name.rpartition(" ")[0]
        if found and is_polite(name):
            continue
        seats = [seat for seat in play.episode.seats if seat.name.casefold() == name.casefold()] if play else []
        who = seats[0].contestant if seats else called_anyhow(request.work.session, name)
        if who is None:
            return [], f"I know nobody who is called {name}."
        if who is request.contestant:
            return [], "Name the others only, not yourself."
        found += [who] if who not in found else []
    return found, "" if found else "Write again with and the names, such as again with Bob."


def cannot_begin(
    work: Work,
    game: Game[Any, Any],
    everybody: Sequence[Contestant],
    count: int,
    reader: Contestant | None = None,
    is_hosts: bool = False,
) -> str:
    """Says to a `reader` why these contestants, of `count`, cannot play a game now; empty where they can. `is_hosts`: the host
    wants it."""
    if game.slug not in work.config.games:
        return f"{game.title} is not played here now."
    if count not in game.seats:
        return f"{game.title} takes {_counts(game)} players, and {'these' if is_hosts else 'you'} are {count}."
    settings = work.services.settings(game.slug)
    if settings.start == "host" and not is_hosts:
        return "The host says when an episode begins: write again, and you are in the queue."
    for each in everybody:
        if each.is_gone or each.is_leaving or barred(work.session, each.address):
            return f"{each.called} does not play here any more."
        episode = episode_with(work.session, game.slug, each.id)
        if episode:
            who = "You are" if each is reader else f"{each.called} is"
            return f"{who} playing {game.title} in {episode.code}: that has to be over first."
    if work.lobby(game.slug).running >= settings.tables:
        return ALL_TAKEN
    return ""


def _counts(game: Game[Any, Any]) -> str:
    fewest, most = min(game.seats), max(game.seats)
    return str(fewest) if fewest == most else f"{fewest} to {most}"


def rematch(reply: Reply, row: QuestionRow) -> Verdict | None:
    """Take a reply to the question whether somebody plays once more; None for what is neither yes nor no."""
    work, game = reply.turn.work, GAMES[row.game]
    if says_no(reply.lines) or says_later(reply.lines):
        end_rematch(work, row, "no")
        write(
            reply.turn, reply.contestant, "It does not take place", "Thank you: the others have been told.", about=game
        )
        return Verdict("answered", f"no to once more: {row.key}")
    if not says_ready(reply.lines):
        return None
    rows = questions_about(work.session, row.purpose, row.key)
    everybody = _of_key(work, row.key)
    is_hosts = row.key.startswith(f"{THE_HOST},")
    is_whole = len(everybody) == row.key.count(",") + (not is_hosts)
    why_not = "" if is_whole else "Somebody is not there any more."
    why_not = why_not or cannot_begin(work, game, everybody, len(everybody), is_hosts=is_hosts)
    if why_not == ALL_TAKEN:
        write(reply.turn, reply.contestant, "Not yet", why_not, about=game, purpose=row.purpose, questions=[row])
        return Verdict("answered", "yes to play together, but all tables are taken; it stays open")
    if why_not:
        yours = cannot_begin(work, game, everybody, len(everybody), reply.contestant, is_hosts) if is_whole else ""
        end_rematch(work, row, "no", why_not, reply.contestant)
        write(reply.turn, reply.contestant, "It does not take place", yours or why_not, about=game)
        return Verdict("answered", "yes to play together, but it cannot begin")
    work.close_question(row, "yes")
    waiting = [each for each in rows if each.closed_at is None]
    if waiting:
        asked = [_shown(work.session.get_one(Contestant, each.contestant_id)) for each in waiting]
        names = listed(dict.fromkeys(asked))
        write(
            reply.turn,
            reply.contestant,
            "Good to have you",
            f"It begins when {names} {'say' if len(waiting) > 1 else 'says'} yes, too. A no takes your yes back.",
            about=game,
            purpose="rematch",
            questions=[row],
        )
        return Verdict("answered", "yes to play together; others are asked still")
    is_unlisted = row.key.endswith(IN_PRIVATE) or (row.purpose == "invitation" and not row.key.endswith(IN_PUBLIC))
    champion = work.lobby(game.slug).champion_id
    seated = sorted(everybody, key=lambda each: each.id != champion and not is_unlisted)
    for each in seated:
        lobby.give_up_place(work, game, each.id)
    play, change = lobby.create(work, game, seated, is_unlisted)
    notify_all(work, play, change, Notice(is_beginning=True))
    return Verdict("answered", f"yes to play together; {play.episode.code} begins")


def queued(work: Work, game: Game[Any, Any], contestant: Contestant) -> tuple[str, ...]:
    """The sentence for who waits in the queue of a game and is to play it with others."""
    waiting = registrations_of(work.session, contestant.id, OPEN, game.slug)
    return (f"When it begins you give up your place in the queue of {game.title}.",) if waiting else ()


def _of_key(work: Work, key: str) -> list[Contestant]:
    """All of a rematch, but for who is not there any more."""
    found = (work.session.get(Contestant, int(each)) for each in key.split()[0].split(","))
    return [each for each in found if each is not None]


def _shown(who: Contestant) -> str:
    """What the others read of somebody: nothing of a stranger."""
    return who.called if who.confirmed_at else "Somebody who was invited"


def end_rematch(
    work: Work, row: QuestionRow, outcome: QuestionOutcome, why: str = "", knows: Contestant | None = None
) -> None:
    """Somebody said no, or nothing, or it cannot begin: nobody else is asked any more, and all hear it but who `knows`."""
    game = GAMES[row.game]
    for each in questions_about(work.session, row.purpose, row.key):
        if each.closed_at is None:
            work.close_question(each, outcome)
    who = work.session.get_one(Contestant, row.contestant_id)
    why = why or f"{_shown(who)} {'does not want to play now' if outcome == 'no' else 'gave no answer in time'}."
    again = f"{game.title}{' once more' if row.purpose == 'rematch' else ''}"
    everybody = _of_key(work, row.key)
    for other in everybody:
        if other.confirmed_at and other is not knows and (other is not who or outcome in ("silence", "left")):
            lead = f"{again}: {why} Write again, and you are in the queue with everybody else."
            write(work, other, "It does not take place", lead, about=game, kind="registered")
    said_no = row.contestant_id if outcome == "no" else None
    for number in [each.id for each in everybody]:
        _let_go(work, number, is_for_good=number == said_no)


def _let_go(work: Work, number: int, is_for_good: bool) -> None:
    """A stranger is forgotten, unless another invitation stands; a no of their own ends all of these."""
    stranger = work.session.get(Contestant, number)
    if stranger is None or stranger.confirmed_at or registrations_of(work.session, number, OPEN):
        return
    if is_for_good:
        forget_stranger(work, stranger)
    elif not _is_asked(work, stranger):
        forget(work.session, stranger)


def forget_stranger(work: Work, stranger: Contestant) -> None:
    """Forget somebody who confirmed nothing, and end all that they are asked together with others."""
    number = stranger.id
    withdrawn(work, stranger)
    left = work.session.get(Contestant, number)  # the last plan with others may have been all that was known of them
    if left is not None:
        forget(work.session, left)


def _is_asked(work: Work, contestant: Contestant) -> bool:
    """Does another invitation of a stranger stand?"""
    standing = open_questions(work.session, purpose="invitation")
    return any(contestant in _of_key(work, each.key) for each in standing)


def withdrawn(
    work: Work, contestant: Contestant, why: str = "is not there any more", knows: bool = False, slug: str = ""
) -> bool:
    """Somebody is not to play, in one game or any: what they are asked, or have asked, together with others does not take
    place. Was there any?"""
    is_any = False
    asked = [*open_questions(work.session, purpose="rematch"), *open_questions(work.session, purpose="invitation")]
    for number in [each.id for each in asked]:
        row = work.session.get(QuestionRow, number)
        if row and row.closed_at is None and contestant in _of_key(work, row.key) and slug in ("", row.game):
            end_rematch(work, row, "left", f"{_shown(contestant)} {why}.", contestant if knows else None)
            is_any = True
    return is_any


def take_back(work: Work, contestant: Contestant, slug: str = "") -> str:
    """Somebody wants to play after all with nobody whom they asked, or said yes to; gives the sentence, if there was any."""
    is_any = withdrawn(work, contestant, AFTER_ALL, knows=True, slug=slug)
    return (
        "What you had planned with others does not take place; the contestants among them are told." if is_any else ""
    )


def second_thought(reply: Reply) -> Verdict | None:
    """A no of somebody who said yes to a plan for which others are asked still; None for any other reply."""
    work, contestant = reply.turn.work, reply.contestant
    if not (says_no(reply.lines) or says_later(reply.lines)):
        return None
    for row in reply.letter.questions:
        rows = questions_about(work.session, row.purpose, row.key) if row.outcome == "yes" else ()
        if any(each.closed_at is None for each in rows):
            end_rematch(work, row, "left", f"{_shown(contestant)} {AFTER_ALL}.", contestant)
            write(reply.turn, contestant, "It does not take place", "Thank you: the others have been told.")
            return Verdict("answered", f"a yes taken back: {row.key}")
    return None


# Reading along


def _watch(request: Request) -> Served:
    work, contestant = request.work, request.contestant
    code = coded(request)
    episode = episode_known_to(work.session, code, contestant.id)
    if episode is None:
        return Served(
            (f"There is no episode {code or 'without a code'}: write watch and a code, such as watch CC-12.",)
        )
    if episode.over_at is not None:
        return Served((f"{episode.code} is over: write replay {episode.code}, and you get its story.",))
    if any(seat.contestant_id == contestant.id for seat in episode.seats):
        return Served((f"You play in {episode.code} yourself: your own letters tell you all that you may see.",))
    if contestant.confirmed_at is None:
        return Served(("Confirm your registration first.",))
    watched = {code for _, code in watched_by(work.session, contestant.id)}
    if episode.code in watched:
        return Served((f"You read along in {episode.code} already; stop watching ends it.",))
    if len(watched) >= MOST_WATCHED:
        return Served(
            (f"You read along in {MOST_WATCHED} episodes, which is the most: write stop watching and a code.",)
        )
    row = Watcher(episode_id=episode.id, contestant_id=contestant.id, told=0, next_at=work.now, contestant=contestant)
    work.session.add(row)
    names = listed(seat.public_name for seat in episode.seats)
    return Served(
        (
            f"You read along in {episode.code}, played by {names}: a letter a day at most. Write stop watching to end it.",
        )
    )


def coded(request: Request) -> str:
    """The code that they name; a number alone is of the letter's game."""
    named = request.named.strip(" .!?").upper()
    if named.isdigit() and request.game:
        named = f"{request.game.code}-{named}"
    return re.sub(r"^([A-Z]+)[ -]?(\d+)$", r"\1-\2", named)


def stop_watching(request: Request) -> Served:
    """Somebody reads along no more, in the episode that they name or in any."""
    code = coded(request)
    rows = [(row, each) for row, each in watched_by(request.work.session, request.contestant.id) if code in ("", each)]
    for row, _ in rows:
        request.work.session.delete(row)
    if not rows:
        return Served((f"You do not read along in {code or 'any episode'}.",))
    return Served((f"You do not read along in {listed(each for _, each in rows)} any more.",))


def stop_reading(work: Work, contestant: Contestant) -> None:
    """Somebody reads along no more."""
    for row, _ in watched_by(work.session, contestant.id):
        work.session.delete(row)


def tell_watchers(services: Services, now: datetime) -> None:
    """Write to those who read along and may be told something, a few at a time."""
    with services.store.reading() as session:
        due = [(row.episode_id, row.contestant_id) for row in watchers_due(session, now, GROUP)]
    for episode_id, contestant_id in due:
        with begin(services, now) as work:
            row = work.session.get(Watcher, (episode_id, contestant_id))
            if row is not None and row.next_at <= now:
                _tell(work, row, work.session.get_one(Episode, episode_id))


def _tell(work: Work, row: Watcher, episode: Episode) -> None:
    """Tell somebody who reads along what is new to them: no more than was told to all who play, in letters that were accepted."""
    play = load_play(episode)
    row.next_at = work.now + SOON
    if unsent_to_players(work.session, episode.id, [seat.contestant_id for seat in episode.seats]):
        return
    until = told_to_all(play)
    events = [event for _, event in events_of(work, play, row.told, until)] if until > row.told else []
    public = [event for event in play.game.news(events, HOST) if not event.is_minor]
    story = tell(play.game.slug, public, play.public_names, None)
    if episode.over_at is None and not story:
        row.told = max(row.told, until)
        return
    left = max(0, len(story) - MOST_TOLD)
    more = (f"{left} lines before these are left out.",) if left else ()
    headline = f"{episode.code}, {' v '.join(play.public_names)}{': it is over' if episode.over_at else ''}"
    end = (
        f"For all of it write replay {episode.code}."
        if episode.over_at
        else "Write stop watching, and no more of these come."
    )
    story = story[-MOST_TOLD:]
    write(
        work, row.contestant, headline, *more, about=play.game, kind="news", purpose="watch", story=story, tail=(end,)
    )
    if episode.over_at is not None:
        work.session.delete(row)
    else:
        row.told, row.next_at = until, work.now + EVERY


def told_to_all(play: Play) -> int:
    """The number of the last event that letters have told all who still play; of an episode that is over its last."""
    if play.episode.over_at is not None:
        return play.episode.last_event
    seats = [seat.told for seat in play.episode.seats if not play.game.is_out(play.state, seat.seat)]
    return min(seats, default=play.episode.last_event)


def wake_watchers(work: Work, episode: Episode) -> None:
    """An episode is over: those who read along hear it as soon as its players have."""
    for row in watchers_of(work.session, episode.id):
        row.next_at = work.now


SERVED: Mapping[Service, Callable[[Request], Served]] = {
    Service.REMATCH: _rematch,
    Service.WATCH: _watch,
    Service.UNWATCH: stop_watching,
}
