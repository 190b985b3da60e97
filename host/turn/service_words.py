"""Shell: services. In: what a contestant asks of the service, or writes to the host. Out: it is done or passed on, and told."""

import functools
import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from host.club import absences, calls, company, invitations, lobby, looking_up, privacy, taking_over
from host.club.own_time import OWN_TIME
from host.engine.chance import NO_CHANCE
from host.engine.game import HOST, Choice, Game, amount
from host.engine.grammar import is_polite
from host.engine.words import pattern, plain, table
from host.games import GAMES
from host.mail.outbound.draft import Ask
from host.mail.outbound.formatting import first_up, listed, many, money
from host.mail.outbound.render import tell
from host.play.agreement import is_answer, says_ready
from host.play.corrections import says_besides
from host.play.interpretation import Interpretation
from host.play.premoves import order_of
from host.play.services import Service, Wish, service_in, services_in, take_host_text
from host.store.company import watched_by
from host.store.database import Session
from host.store.episodes import episode_with, open_questions
from host.store.people import OPEN, ledger_of, registrations_of
from host.store.schema import Contestant, LobbyRow, QuestionRow, Seat
from host.table import talk
from host.table.clocks import due_for, open_question
from host.table.letters import alert, plain_ask, write
from host.table.play import Play, load_play, room_text
from host.table.served import Request, Served
from host.table.work import Reply, Turn, Verdict, Work
from host.turn import explaining, last_chances, verifying

NOTHING = Interpretation()
REPLY_GOES = "Your reply to this letter goes to"
"""Begins the line behind a contestant's words in a letter to the host."""
MOST_PASSED_ON = 20_000
"""Characters of what somebody writes to the host that a letter holds."""


def _words() -> Mapping[str, Any]:
    """The words about services in `services.toml`: their headlines, their lines in the help, how to play, how to verify."""
    return table("host.turn", "services.toml")


@functools.cache
def titles() -> tuple[str, ...]:
    """The games by all that people call them: title, slug and code."""
    return tuple(name for game in GAMES.values() for name in (game.title, game.slug, game.code))


def asked_for(lines: Sequence[str]) -> list[Service]:
    """The services that a mail asks for, beside what it says to the host."""
    return [service for service, _ in services_in(take_host_text(lines)[0], titles())]


def asks_of_another(lines: Sequence[str], slug: str) -> bool:
    """Does a mail of one line look something up of another game than its letter's (`standings of Bluffjack`)?"""
    service, named = service_in(lines[0], titles()) if len(lines) == 1 else ("", "")
    return service in _LOOKED_UP and lobby.named_game(named) not in ("", slug)


def rules_of(game: Game[Any, Any]) -> tuple[str, ...]:
    """The rules of a game as paragraphs, headings and lists: in short, then clause by clause from its RULES.md."""
    blocks = [" ".join(block.split()) for block in re.split(r"\n\n|\n(?=- )", room_text(game, "RULES.md"))]
    clauses = (re.sub(r"^#+\s*", "# ", re.sub(r"\*+|`", "", block)) for block in blocks if block)
    return (game.summary, *(f"- {each}" for each in game.how), "# The clauses", *list(clauses)[1:])


def serve(
    turn: Turn, play: Play, seat: Seat, understood: Interpretation = NOTHING, wishes: Sequence[Wish] = ()
) -> Served:
    """Do what the services of a reply in an episode need, and its wishes, and say what its answer has to add."""
    is_more = understood.said or understood.ahead or understood.refused or understood.leaving or understood.to_host
    is_alone = not is_more and len(understood.services) == 1
    request = Request(turn, seat.contestant, play.game, "", understood.services, is_alone, play, seat)
    found: list[Served] = []
    if understood.to_host:
        forward(turn.work, seat.contestant, understood.to_host, play)
        moves = any(each.service is Service.AWAY for each in wishes)
        still_asked = None if understood.said or moves else play
        found.append(Served((received(turn.work, still_asked, seat),), headline="Your words to the host"))
    leaving = understood.leaving
    named = [(each, leaving if each is Service.LEAVE else "") for each in understood.services]
    for service, value in (*_in_turn(wishes), *named):  # an absence moves the deadline that `time` tells
        served = SERVICES[service](replace(request, named=value))
        headline = _words()["services"][service].get("headline", "")
        found.append(replace(served, headline=headline.format(game=play.game.title)))
    return Served(
        tuple(itertools.chain.from_iterable(each.paragraphs for each in found)),
        next((each.standing for each in found if each.standing), ()),
        next((each.headline for each in found if each.headline), ""),
        bool(found) and all(each.is_settled for each in found),
    )


def _in_turn(wishes: Sequence[Wish]) -> list[tuple[Service, str]]:
    """Wishes with their values, the one about a time zone first: others tell times in it."""
    return sorted(((each.service, each.value) for each in wishes), key=lambda each: each[0] is not Service.ZONE)


def received(work: Work, play: Play | None = None, seat: Seat | None = None) -> str:
    """The sentence for somebody whose words went to the host: that they did, and that a deadline runs on."""
    went = "Your words went to the host; the answer comes to you by mail."
    told = went if work.config.host.crew("host") else "Your words are kept for the host."
    rows = play.episode.open_questions if play else ()
    is_timed = any(seat and row.seat == seat.seat and row.due_at is not None for row in rows)
    return f"{told} Your deadline stays as it is until the host moves it." if is_timed else told


def whose_turn(work: Work, play: Play, reader: Contestant) -> tuple[str, ...]:
    """`It is up to Bob, until Sunday 9:13 AM EST`: whom the episode waits for, as a contestant is told it."""
    if play.episode.over_at is not None:
        return ("The episode is over.",)
    told = [
        f"{play.name(row.seat)}, until {due_for(work, reader, row.due_at)}"
        for row in play.episode.open_questions
        if row.seat is not None and row.purpose == "game" and row.due_at
    ]
    if any(each.seat == HOST for each in play.questions):
        told.append("the host, for whom no time runs")
    return (f"It is up to {'; '.join(told)}.",) if told else ()


# The services


PAUSED = "The episode is paused, and so are all deadlines."


def _status(request: Request) -> Served:
    standing = (*_standing(request.work, request.contestant), *_champion(request))
    if request.play:
        if request.play.episode.paused_at:
            return Served((PAUSED,), standing=standing)
        is_asked = request.seat is not None and bool(request.play.asked(request.seat))
        told = () if is_asked else whose_turn(request.work, request.play, request.contestant)
        return Served(told, standing=standing)
    in_none = ("You are in no queue at the moment. Write again to register for the next episode.",)
    under_way = _under_way(request)
    elsewhere = (
        f"{play.episode.code}: {sentence}"
        for play, seat in under_way
        if not play.asked(seat)
        for sentence in whose_turn(request.work, play, request.contestant)
    )
    places = () if under_way and not standing else standing or in_none
    return Served((*places, *elsewhere, *_where_playing(request.work.session, request.contestant)))


def _champion(request: Request) -> tuple[str, ...]:
    """Says who is champion of the game that is named, else of the letter's, else of each that has one."""
    session, slug = request.work.session, lobby.named_game(request.named) or request.slug
    rows = [(each, session.get(LobbyRow, each)) for each in ((slug,) if slug else request.work.config.games)]
    told = []
    for each, row in rows:
        if row and row.champion:
            who = "You are" if row.champion_id == request.contestant.id else f"{first_up(row.champion.public_name)} is"
            told.append(f"{who} the champion of {GAMES[each].title}.")
    return tuple(told) or ((f"{GAMES[slug].title} has no champion now.",) if slug else ())


def _time(request: Request) -> Served:
    """Says how long is left for what is asked of them; where nothing is, whose turn it is."""
    work, play, contestant = request.work, request.play, request.contestant
    if play and play.episode.paused_at is not None:
        return Served((PAUSED,))
    told = [
        f"You have until {due_for(work, contestant, row.due_at)}"
        f"{'' if play else f' for my question about {GAMES[row.game].title}'}."
        for row in open_questions(
            work.session, contestant_id=contestant.id, episode_id=play.episode.id if play else None
        )
        if row.due_at is not None
    ]
    waited_for = whose_turn(work, play, contestant) if play else ()
    return Served(tuple(told) or waited_for or ("Nothing is asked of you, so no time runs.",))


def _wait(request: Request) -> Served:
    """Hears the others first: an answer that waits for its turn is taken back. Nothing is said where that is all as it was."""
    play, seat = request.play, request.seat
    if play is None or seat is None or any(row.seat == seat.seat for row in play.episode.open_questions):
        return _time(request)
    is_sealed = any(kind.is_put_to_all for kind in play.game.event_types)
    sealed = [
        row for row in play.episode.waiting_premoves(seat.seat) if is_sealed and not order_of(play.game, row.text)
    ]
    for row in sealed:
        row.state = "cancelled"
    return Served(("Your answer is taken back; you hear the others first.",)) if sealed else Served(is_settled=True)


def _rules(request: Request) -> Served:
    if request.named and not lobby.named_game(request.named):
        return explaining.rules_about(request)
    return Served(rules_of(request.game) if request.game else ("Reply to a letter of a game to get its rules.",))


def _cancel(request: Request) -> Served:
    """Says nothing: commands that wait are dropped, and named, where the reply is read."""
    return Served()


def _resign(request: Request) -> Served:
    """Asks first; outside of an episode it means the queue."""
    if request.play and request.seat:
        if request.play.episode.paused_at is not None:
            return Served(("The episode is paused; resign when it goes on, if you still want to.",))
        if ask_resign(request.turn, request.play, request.seat):
            return Served(is_settled=True)
        return Served(("You cannot resign: you do not play in this episode any more.",))
    left = () if Service.LEAVE in request.beside else _leave(request).paragraphs
    under_way = _under_way(request)
    if len(under_way) == 1 and ask_resign(request.turn, *under_way[0], left):
        return Served(is_settled=True)
    return Served((*left, *(("To resign, reply to a letter of the episode.",) if under_way else ())))


def _under_way(request: Request) -> list[tuple[Play, Seat]]:
    """The episodes in which somebody plays, with their seat."""
    session, contestant = request.work.session, request.contestant
    found = (episode_with(session, slug, contestant.id) for slug in request.work.config.games)
    plays = [load_play(request.work.episode(each.id)) for each in found if each]
    seated = [(play, seat) for play in plays if (seat := play.seat_of(contestant.id))]
    return [(play, seat) for play, seat in seated if not play.game.is_out(play.state, seat.seat)]


def _again(request: Request) -> Served:
    sentence = lobby.again(request.turn, request.contestant, request.named, request.slug)
    return Served((sentence,)) if sentence else Served(is_settled=True)


_LEAVE = pattern(r"\W*(?:please )?(?:leave|unsubscribe|stop)(?: me)?(?: please)?\W*")
"""It names nothing that is left: of whoever reads along it ends that."""


def _leave(request: Request) -> Served:
    """Out of the queue; of a reply in an episode that says no more it may mean the episode, of one to who reads along that."""
    letter = request.turn.letter
    is_bare = _LEAVE.fullmatch(plain(" ".join(request.turn.lines))) is not None
    if letter and letter.purpose == "watch" and is_bare and watched_by(request.work.session, request.contestant.id):
        return company.stop_watching(request)
    is_playing = request.play is not None and request.play.episode.over_at is None
    plans = (
        "" if is_playing else company.take_back(request.work, request.contestant, lobby.named_game(request.named) or "")
    )
    slug = lobby.named_game(request.named) or request.slug
    waits = bool(plans or registrations_of(request.work.session, request.contestant.id, OPEN, slug))
    sentence = f"{plans} {lobby.leave(request.work, request.contestant, request.named, request.slug)}".lstrip()
    if sentence == lobby.ON_A_THRONE and not is_playing:
        lobby.ask_retire(request.turn, request.contestant, request.slug, (sentence,))
        return Served(is_settled=True)
    play, seat = request.play, request.seat
    may_ask = request.is_alone and play is not None and play.episode.paused_at is None
    is_asked = (
        may_ask and play and seat and ask_resign(request.turn, play, seat, (sentence,) if waits or not is_bare else ())
    )
    return Served((sentence,), is_settled=bool(is_asked))


def _retire(request: Request) -> Served:
    why_not = lobby.ask_retire(request.turn, request.contestant, request.slug)
    return Served((why_not,)) if why_not else Served(is_settled=True)


def _verify(request: Request) -> Served:
    return verifying.sheet(request) or Served(tuple(_words()["verify"]))


def _help(_: Request) -> Served:
    groups: dict[str, list[str]] = {}
    for service in _words()["services"].values():
        groups.setdefault(service.get("group", "Words for any letter"), []).extend(service.get("help", ()))
    lines = ((f"# {heading}", *(f"- {line}" for line in some)) for heading, some in groups.items() if some)
    return Served((_words()["how_to_play"], *itertools.chain.from_iterable(lines)))


def _away(request: Request) -> Served:
    served = absences.away(request)
    if served is not None:
        return served
    forward(request.work, request.contestant, f"away {request.named}", request.play)
    most = f"{absences.MOST_DAYS} days a year, and {absences.MOST_PENDING} absences to come"
    return Served((f"Beyond {most}, the host decides.", received(request.work, request.play, request.seat)))


def _name(request: Request) -> Served:
    if request.seat is None:
        return Served(("To be called otherwise, write name and your name, such as name Ann Lee.",))
    how = "To be called otherwise in the next one, register again, or answer a letter of the queue with name and your name."
    return Served(
        (f"Names stay as they are in an episode, so nothing was changed: you are {request.seat.name} here.", how)
    )


SERVICES: Mapping[Service, Callable[[Request], Served]] = {
    Service.STATUS: _status,
    Service.TIME: _time,
    Service.QUEUE: _status,
    Service.RULES: _rules,
    Service.CANCEL: _cancel,
    Service.WAIT: _wait,
    Service.RESIGN: _resign,
    Service.AGAIN: _again,
    Service.LEAVE: _leave,
    Service.RETIRE: _retire,
    Service.VERIFY: _verify,
    Service.HELP: _help,
    **OWN_TIME,
    Service.AWAY: _away,
    Service.BACK: absences.back,
    Service.BANK: last_chances.bank,
    Service.NAME: _name,
    **explaining.SERVED,
    **looking_up.SERVED,
    **talk.SERVED,
    **company.SERVED,
    **privacy.SERVED,
    **invitations.SERVED,
    **calls.SERVED,
    **taking_over.SERVED,
}
"""The function that serves each; what letters say of it stands in `services.toml`."""


def _standing(work: Work, contestant: Contestant) -> tuple[str, ...]:
    """A contestant's places, what their queues wait for, and money over all episodes."""
    lines: list[str] = []
    for each in registrations_of(work.session, contestant.id, ("waiting",)):
        place = lobby.place_of(work.session, each)
        when = lobby.what_it_waits_for(work, each.game)
        lines.append(f"You are number {place} in the queue of {GAMES[each.game].title}. {when}")
    totals = ledger_of(work.session, contestant)
    if totals:
        parts = ", ".join(f"{money(won)} in the {account}" for account, won in totals.items())
        in_all = f": {money(sum(totals.values()))}" if len(totals) > 1 else ""
        lines.append(f"Over all episodes you have won {parts}{in_all}.")
    return tuple(lines)


_LOOKED_UP = (Service.STATUS, Service.STANDINGS, Service.HISTORY, Service.RULES)
"""Services that tell of any game."""
_MOVES = (Service.LEAVE, Service.RESIGN, Service.RETIRE, Service.AGAIN)
"""Services by which somebody goes out of a queue, off the throne, or into a queue: they are done before the others."""


def outside_play(reply: Reply, gone: str = "", answers_it: bool = False) -> Verdict:
    """A reply to a letter that belongs to no episode, or to one that is `gone`: the queue, the host, help, what it wishes.

    Below stands what else waits, unless the mail `answers_it`.
    """
    turn, letter, contestant, lines, said = reply.turn, reply.letter, reply.contestant, reply.lines, reply.said
    work, is_capped = turn.work, turn.is_capped(contestant.address)
    rest, _ = take_host_text(lines)
    game = GAMES.get(letter.game)
    named: dict[Service, str] = {}
    for service, title in services_in(rest, titles()):
        named.setdefault(service, title)
    wishes = () if is_capped else reply.wishes
    wanted = [*named, *(wish.service for wish in wishes)]
    paragraphs: list[str] = list(said)
    notes: list[str] = ["corrected what was registered"] if said else []
    playing = _where_playing(work.session, contestant)
    is_lost = not (wanted or said or playing or is_answer("\n".join(rest)) or all(map(is_polite, rest)))
    passed_on = () if is_capped else pass_on(turn, contestant, lines if wishes else turn.lines, is_all=is_lost)
    if passed_on:
        paragraphs += [received(work)]
        notes.append("a message to the host")
    served = Served()
    asked = [*sorted(named.items(), key=lambda each: each[0] not in _MOVES), *_in_turn(wishes)]
    for service, value in asked:
        served = SERVICES[service](Request(turn, contestant, game, value, wanted))
        paragraphs += served.paragraphs
    if game and not {Service.LEAVE, Service.RESIGN}.isdisjoint(wanted):
        lobby.run(work, game)
    if len(wanted) == 1 and served.is_settled and not passed_on:
        note = "the episode begins" if wanted == [Service.AGAIN] else "asked first"
        return Verdict("answered", f"{wanted[0]}; {note}")
    notes += wanted
    if rest and all(map(is_polite, rest)) and not paragraphs and not wanted:
        return Verdict("answered", "small talk")
    is_other = not wanted and not said
    if is_other and _is_back(turn, contestant, says_ready(rest), paragraphs):
        return Verdict("answered", "back in the queue")
    refused = is_other and not gone and not passed_on and (bool(playing) or not rest)
    if is_other:
        paragraphs.extend(playing)
    first = _nothing_done(rest, reply.row is not None) if refused else gone * (is_other or Service.RESIGN in wanted)
    paragraphs = [*([first] if first else []), *paragraphs]
    if is_capped:
        return Verdict("refused", "not answered: too many answers this hour")
    is_free = is_other and not (gone or refused or passed_on)
    if is_free and (ready := open_questions(work.session, contestant_id=contestant.id, purpose="ready")):
        row = ready[0]
        lobby.ask_ready_once_more(turn, contestant, row, "What you answered is settled, and this is not.", paragraphs)
        return Verdict("answered", f"a settled question; asked once more about {row.game}")
    headline = "Nothing was changed" if refused else "Your words to the host" if passed_on else "How things stand"
    if not (refused or passed_on or paragraphs):
        headline, paragraphs = "Nothing is asked of you now", [*_standing(work, contestant)]
    waiting = () if answers_it else looking_up.asked_besides(work, contestant)
    write(turn, contestant, headline, *paragraphs, about=game, kind="refused" if refused else "help", waiting=waiting)
    return Verdict(("refused" if refused else "answered"), "; ".join(notes) or "nothing understood")


def _nothing_done(lines: Sequence[str], is_open: bool) -> str:
    shown = " ".join(lines)[:80]
    why = "what that letter asked is open still" if is_open else "that letter asked nothing, or its question is settled"
    return (
        f"I could not do anything with “{shown}”: {why}."
        if shown
        else "I found nothing in your mail that you had typed."
    )


def _is_back(turn: Turn, contestant: Contestant, is_ready: bool, said: Sequence[str]) -> bool:
    """Is somebody in line again, who was passed over or away?"""
    if is_ready:
        absences.end_now(turn.work, contestant)
    return lobby.welcome_back(turn, contestant, is_ready, said)


def _where_playing(session: Session, contestant: Contestant) -> tuple[str, ...]:
    on_its_way = "Your next question is already on its way, or in your mailbox: reply to that letter, please."
    return (on_its_way,) if open_questions(session, contestant_id=contestant.id, purpose="game") else ()


def pass_on(
    turn: Turn, contestant: Contestant, lines: Sequence[str], is_proved: bool = True, is_all: bool = False
) -> tuple[str, ...]:
    """Pass on what a mail says to the host, or beside what it was asked; gives the sentence about it.

    Such words go there whole. `lines`: those of the mail that may say more than what they led to; `is_all` where nobody
    here could do anything with them.
    """
    rest, _ = take_host_text(lines)
    _, to_host = take_host_text(turn.lines)
    is_besides = is_all or says_besides(rest, titles(), (contestant.name, contestant.called))
    if not to_host and not is_besides:
        return ()
    forward(turn.work, contestant, "\n".join(turn.lines) if is_besides else to_host, is_proved=is_proved)
    if turn.work.config.host.crew("host"):
        return ("What else you wrote went to the host; the answer comes to you by mail.",)
    return ("What else you wrote is kept for the host.",)


def forward(work: Work, contestant: Contestant, text: str, play: Play | None = None, is_proved: bool = True) -> None:
    """Send what a contestant wrote to the operators, the same words once an hour: a responder has no others."""
    where = f" in {play.episode.code}" if play else ""
    seat = play.seat_of(contestant.id) if play else None
    name = seat.name if seat else contestant.called
    doubt = f"This mail answers no letter of mine: anybody may have written it in the name of {name}.\n"
    shown = text if len(text) <= MOST_PASSED_ON else f"{text[:MOST_PASSED_ON]}… (cut here: the mail is longer)"
    written = f"{'' if is_proved else doubt}{name}{where} writes:\n{shown}\n{REPLY_GOES} {name}, word for word."
    asks = _acts(play, contestant) if play and is_proved else ()
    cause = f"{contestant.id} writes {sha256(written.encode()).hexdigest()}"
    alert(work, f"{name} writes to the host", written, play, "host", contestant.id, cause=cause, asks=asks)


def more_time(play: Play, seat: Seat, hours: int) -> Choice:
    """The link by which an operator gives somebody more time."""
    body = f"extend {play.episode.code} {seat.name} {hours}h"
    return Choice((body,), f"Give {seat.name} {many(hours, 'hour')} more", body, body)


def _acts(play: Play, contestant: Contestant) -> tuple[Ask, ...]:
    """Links for all that an operator can do for whoever writes."""
    seat, code = play.seat_of(contestant.id), play.episode.code
    if seat is None or play.episode.over_at is not None:
        return ()
    body, label = (f"pause {code}", f"Pause {code}")
    if play.episode.paused_at is not None:
        body, label = (f"resume {code}", f"Let {code} go on")
    stops = Choice((body,), label, body, body)
    is_asked = play.episode.paused_at is None and play.asked(seat)
    choices = (more_time(play, seat, 24), stops) if is_asked else (stops,)
    return (Ask("A reply that says no more than one of these does it.", choices),)


def ask_resign(turn: Turn, play: Play, seat: Seat, lead: Sequence[str] = ()) -> bool:
    """Ask whether they really resign; False where they do not play any more."""
    if play.episode.over_at is not None or play.game.is_out(play.state, seat.seat):
        return False
    work, episode, contestant = turn.work, play.episode, seat.contestant
    cost = _cost_of_resigning(play, seat)
    row = None
    for asked in open_questions(work.session, episode_id=episode.id, purpose="resign", contestant_id=contestant.id):
        if asks_the_same(asked, play, seat):
            row = asked
        else:
            work.close_question(asked, "over")
    row = row or open_question(work, "resign", contestant, None, episode=episode, seat=seat.seat, key=_key_of(cost))
    ask = plain_ask(
        f"{cost} It cannot be taken back. Only a yes to this very letter resigns; anything else leaves "
        "you in the game.",
        [("resign yes", "Yes, I resign"), ("no", "No, I stay")],
        row,
        "Without an answer you stay in the game.",
    )
    headline = "Do you really want to resign?"
    write(turn, contestant, headline, *lead, about=play, purpose="resign", questions=[row], asks=(ask,), services=False)
    return True


def asks_the_same(row: QuestionRow, play: Play, seat: Seat) -> bool:
    """Does what a question whether to resign named still hold: what is kept, and who goes on?"""
    return row.key == _key_of(_cost_of_resigning(play, seat))


def _key_of(cost: str) -> str:
    return sha256(cost.encode()).hexdigest()[:16]


def _cost_of_resigning(play: Play, seat: Seat) -> str:
    """Tell what somebody keeps who resigns, and who goes on: by the rules, on the table as they see it."""
    game = play.game
    seen = game.as_seen(play.state, seat.seat)
    outcome = game.apply(seen, seat.seat, game.parse("resign", seen, seat.seat), NO_CHANCE)
    after, told = outcome.state, tell(game.slug, game.news(outcome.events, seat.seat)[:1], play.names, seat.seat)
    then = "".join(f" The letter that follows says: “{each}”" for each in told if len(each.split()) > 2)
    result, others = game.result(after), [name for name in play.names if name != seat.name]
    left = [name for at, name in enumerate(play.names) if not game.is_out(after, at)]
    keeps = (
        f"you leave with {amount(game.winnings(after)[seat.seat], game.currency)}" if game.currency else "you have lost"
    )
    if game.currency not in ("$", "") and left:
        # who is in it, and wins, may hang on answers and cards that are not on the table
        return f"If you resign, {keeps} and are out of this episode.{then}"
    if result is None:
        return f"If you resign, {keeps}, and {listed(left or others)} {'play' if len(left) > 1 else 'plays'} on.{then}"
    won = [] if result.winner in (None, seat.seat) else [f"{play.names[result.winner]} has won"]
    return f"If you resign, {listed([keeps, 'the episode is over', *won])}.{then}"
