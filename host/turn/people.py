"""Shell: the host's hand over contestants. In: a name or an address, a CSV file. Out: one sentence, what changed, letters.

As in `admin` each function is one transaction's work and raises `AdminError` where it cannot be done. An operator is answered for
what a contestant did not ask for: so that they know, a letter tells them.
"""

import csv
import io
from collections.abc import Sequence
from typing import Any

from host.club import company, invitations, lobby, privacy, taking_over
from host.club.naming import name_for, new_contestant
from host.engine.game import Game
from host.games import GAMES
from host.mail.inbound.mail import is_writable
from host.mail.outbound.formatting import listed, moment, were
from host.play.invitation import read_invitation
from host.play.names import mailbox_of, why_not
from host.play.prose import Form
from host.play.registration_form import MAX_FIELD
from host.store import roster
from host.store.company import called_anyhow, seated_as
from host.store.database import Session
from host.store.episodes import episode_of_code, episode_with, open_questions, running_with
from host.store.people import OPEN, contestant_of_address, is_declined, registration_of, registrations_of
from host.store.schema import Barred, Contestant, Letter
from host.store.seasons import latest_season, players_to_tell
from host.table import letters
from host.table.notify import repeat_questions
from host.table.work import Turn, Verdict, Work
from host.turn.admin import AdminError, find, seat_called, under_way
from host.turn.login import operator_of
from host.turn.registration import as_read

COLUMNS = ("address", "name", "nickname", "hometown")
"""Of a CSV file of contestants."""
SEASON = "season"
"""Stands for all who play in the season that began last."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings at which a spreadsheet would reckon instead of showing."""


def one(work: Work, who: str) -> Contestant:
    """The contestant of an address, of what letters call them, or of a name at a running table. Raises `AdminError`."""
    found = contestant_of_address(work.session, who.lower())
    if found is None:
        called = {each.id: each for each in (called_anyhow(work.session, who), *seated_as(work.session, who)) if each}
        if len(called) > 1:
            addresses = listed(sorted(each.address for each in called.values()))
            raise AdminError(f"More than one go by {who}, in letters or at a table: {addresses}. Write the address.")
        found = next(iter(called.values()), None)
    if found is None or found.is_gone:
        raise AdminError(f"There is no contestant {who}: podium people lists them.")
    return found


def invite(work: Work, slug: str, addresses: str) -> str:
    """Invite addresses, with a comma between them, to a table of their own, perhaps `in public`. No daily cap is the host's."""
    game, said = _game(work, slug), read_invitation(addresses)
    if said.game and lobby.named_game(said.game) != slug:
        raise AdminError(
            f"Nobody was invited. “to {said.game[:80]}” is no address: the game stands before the addresses."
        )
    if not (said.addresses or said.odd):
        raise AdminError(
            "Nobody was invited: write addresses such as bob@example.org, cid@example.org behind the game."
        )
    refused = invitations.why_nobody(work, None, said, slug)
    if refused:
        raise AdminError(f"Nobody was invited. {refused}")
    return invitations.send(work, None, said, game)


def _address(text: str) -> str:
    address = text.strip().lower()
    if not is_writable(address):
        raise AdminError(f"“{text[:80]}” is no address: write it as ann@example.org.")
    return address


def _name(text: str) -> str:
    name = " ".join(text.split())
    if not name or "@" in name or len(name) > MAX_FIELD:
        raise AdminError(f"“{name[:80]}” is no name: write one of 1 to {MAX_FIELD} characters, without @.")
    return name


def _game(work: Work, slug: str) -> Game[Any, Any]:
    if slug not in GAMES or slug not in work.config.games:
        raise AdminError(f"There is no game {slug} here; there are: {', '.join(work.config.games)}.")
    return GAMES[slug]


def listing(session: Session) -> list[dict[str, Any]]:
    """All contestants, as `podium people` shows them."""
    return [
        {
            "called": who.called,
            "name": who.name,
            "address": who.address,
            "hometown": who.hometown,
            "since": moment(who.created_at),
            "episodes": each.episodes,
            "wins": each.wins,
            "queues": each.queues,
            "playing": each.playing,
            "confirmed": who.confirmed_at is not None,
            "barred": each.is_barred,
            "private": who.is_private,
            "leaving": who.is_leaving,
        }
        for each in roster.all_contestants(session)
        for who in [each.contestant]
    ]


# Registering and naming


def add(work: Work, name: str, address: str, game: str = "", hometown: str = "") -> str:
    """Register somebody, confirmed, and put them in a queue where a game is named; they get a letter."""
    name, address = _name(name), _address(address)
    played = _game(work, game) if game else None
    known = _known(work, address)
    if known and (played is None or _is_in(work, played, known)):
        where = f", and waits for {played.title}, plays it or holds its title" if played else "; --game names a queue"
        raise AdminError(f"{address} is registered already, as {known.called}{where}.")
    if known and known.is_leaving:
        raise AdminError(
            f"{address} is to be forgotten, and is in no queue: add it when podium people lists it no more."
        )
    form = Form(name, hometown=" ".join(hometown.split())[:MAX_FIELD])
    contestant = known or new_contestant(work, address, form, work.now, work.now)
    lead = [f"{work.config.host.name} has registered you by hand."] + ([as_read(work, contestant)] if not known else [])
    said = f"{contestant.called} ({address}) {'was registered already' if known else 'is registered'}"
    if played:
        registration = lobby.enrol(work, contestant, played, "waiting", work.now)
        lobby.run(work, played)
        if registration.state != "waiting":
            return f"{said}, and plays {played.title} at once."
        place = lobby.place_of(work.session, registration)
        lead += [
            f"You are number {place} in the queue of {played.title}. The first letter comes by itself.",
            *filter(None, [lobby.next_start(work.config, played.slug, work.now)]),
            played.summary,
        ]
        said += f", and number {place} in the queue of {played.title}"
    tail = ("If you do not want this, write forget me: all that I know of you is erased.",)
    letters.write(work, contestant, "You are registered", *lead, about=played, kind="registered", tail=tail)
    return f"{said}."


def _known(work: Work, address: str) -> Contestant | None:
    """Who has an address and confirmed it; None where somebody may be registered by it. Raises `AdminError` else."""
    if address == work.config.host.address.lower():
        raise AdminError(f"{address} is the host's own address: name the contestant's.")
    if roster.barred(work.session, address):
        raise AdminError(f"{address} is barred: podium people unbar {address} first.")
    if is_declined(work.session, address):
        raise AdminError(
            f"The owner of {address} wrote that they did not register: they have to register by themselves."
        )
    found = contestant_of_address(work.session, address)
    if found is None or found.confirmed_at is not None:
        return found
    company.forget_stranger(work, found)
    return None


def _is_in(work: Work, game: Game[Any, Any], contestant: Contestant) -> bool:
    is_playing = episode_with(work.session, game.slug, contestant.id) is not None
    is_champion = work.lobby(game.slug).champion_id == contestant.id
    return is_playing or is_champion or registration_of(work.session, contestant.id, game.slug, *OPEN) is not None


def name(work: Work, who: str, new: str) -> str:
    """Correct what somebody is called: their nickname where they gave one, else their name. Episodes under way keep theirs."""
    contestant, new = one(work, who), _name(new)
    before = contestant.called
    full, nickname = (contestant.name, new) if contestant.nickname else (new, "")
    why = why_not(full, nickname or ("" if " " in new else new), work.config.host.name)
    if why:
        raise AdminError(f"“{new}” cannot be what somebody is called. {why}")
    contestant.name, contestant.nickname = full, nickname
    contestant.called = name_for(work, full, nickname, contestant)
    corrected = f"{work.config.host.name} has corrected your name. {as_read(work, contestant)}"
    letters.write(work, contestant, "Your name was corrected", corrected)
    return f"{before} is called {contestant.called} from now on; an episode under way keeps the name it began with."


# Barring


def bar(work: Work, address: str, why: str) -> str:
    """Bar an address, and with a contestant's all of theirs: out of all queues, off all thrones, told once."""
    address = _address(address)
    if operator_of(work.services, address) or address == work.config.host.address.lower():
        raise AdminError(
            f"{address} is the host's, or of one of the house: take it out of [host] in the configuration first."
        )
    if roster.barred(work.session, address):
        raise AdminError(f"{address} is barred already: podium people unbar {address} lets it write again.")
    if not why.strip():
        raise AdminError("Write why, too: the address is told it, once.")
    contestants = roster.of_mailbox(work.session, address)
    addresses = _addresses_of(work, contestants)
    told_at = work.now if contestants else None
    for each in dict.fromkeys((address, *addresses, *map(mailbox_of, (address, *addresses)))):
        if work.session.get(Barred, each) is None:
            work.session.add(Barred(address=each, why=" ".join(why.split()), at=work.now, told_at=told_at))
    work.session.flush()
    if not contestants:
        return f"{address} is barred; it is told so when it next writes, once."
    still = "".join(_put_out(work, each, why) for each in contestants)
    return f"{listed(addresses)} {'are' if len(addresses) > 1 else 'is'} barred and told so.{still}"


def _addresses_of(work: Work, contestants: Sequence[Contestant]) -> list[str]:
    return list(dict.fromkeys(each for who in contestants for each in roster.addresses_of(work.session, who)))


def _put_out(work: Work, contestant: Contestant, why: str) -> str:
    """Out of all queues and off all thrones, and told so; says what they still play."""
    playing = privacy.still_playing(work, contestant)
    company.withdrawn(work, contestant)
    company.stop_reading(work, contestant)
    privacy.out_of_queues(work, contestant)
    _tell_barred(work, contestant.address, why)
    ways = [f"podium withdraw {code} {name}" for code, name in playing.items()]
    return (
        f" {contestant.called} still plays, and gets the letters of that: {', '.join(ways)} ends it." if playing else ""
    )


def _tell_barred(work: Work, address: str, why: str) -> None:
    sentence = f"{work.config.host.name} does not let this address take part any more, and nothing that it sends is played: {why}"
    letters.write(work, address, "You cannot take part", sentence, services=False)


def unbar(work: Work, address: str) -> str:
    """Let a barred address, and the others of its contestant, write again; places in queues are not given back."""
    address = _address(address)
    if not roster.barred(work.session, address):
        raise AdminError(f"{address} is not barred.")
    contestants = roster.of_mailbox(work.session, address)
    for row in roster.bars_of(work.session, {address, *_addresses_of(work, contestants)}):
        work.session.delete(row)
    work.session.flush()
    plays = any(privacy.still_playing(work, each) for each in contestants)
    return f"{address} is barred no more" + (", and plays on." if plays else "; to play, they register again.")


def refused(turn: Turn, letter: Letter | None) -> Verdict | None:
    """What becomes of a mail from a barred address, or in answer to a letter that went to one; None where it is none.

    It is told so once.
    """
    work = turn.work
    row = roster.barred(work.session, turn.mail.sender, *([letter.address.lower()] if letter else []))
    if row is None:
        return None
    if row.told_at is None:
        row.told_at = work.now
        is_same = mailbox_of(turn.mail.sender) == mailbox_of(row.address)
        _tell_barred(work, turn.mail.sender if is_same else row.address, row.why)
    return Verdict("refused", "its address is barred; not answered")


# Queues, one of two, forgetting


def leave(work: Work, who: str, slug: str) -> str:
    """Take somebody out of a queue; they are told."""
    contestant = one(work, who)
    if not any(each.game == slug for each in registrations_of(work.session, contestant.id, OPEN)):
        raise AdminError(
            f"{contestant.called} does not wait for {_game(work, slug).title}: podium queue {slug} lists who does."
        )
    game = GAMES[slug]  # it may be taken out of the configuration by now
    lobby.leave(work, contestant, game.title, slug)
    told = f"{work.config.host.name} has taken you out of the queue of {game.title}. To play, register again."
    letters.write(work, contestant, "You are not in the queue any more", told, about=game, kind="registered")
    return f"{contestant.called} is out of the queue of {game.title}."


def _cannot_be_one(work: Work, first: Contestant, second: Contestant) -> str:
    """Say why two contestants cannot be made one; empty where they can."""
    if first is second:
        return f"That is one contestant already, {first.called}."
    for each in (first, second):
        if each.confirmed_at is None:
            return f"{each.address} has confirmed nothing yet: nobody knows whose address it is."
        if each.is_leaving or roster.barred(work.session, each.address):
            return f"{each.called} is barred, or to be forgotten: two can be made one only where neither is."
    numbers = {str(each.id) for each in (first, second)}
    if any(not numbers.isdisjoint(row.key.split()[2:]) for row in open_questions(work.session, purpose="seat")):
        return (
            f"{first.called} or {second.called} is asked about a seat that changes hands: wait until that is settled."
        )
    shared = roster.episodes_of_both(work.session, first.id, second.id)
    if shared:
        return f"{first.called} and {second.called} played each other in {shared[0]}: they cannot be one."
    for slug in GAMES:
        for episode in running_with(work.session, slug, [first.id]):
            if episode_with(work.session, slug, second.id):
                both = f"{first.called} and {second.called} both play {GAMES[slug].title} now"
                return f"{both}: wait until {episode.code} is over, or podium withdraw one of them."
    return ""


def merge(work: Work, who: str, into: str) -> str:
    """Make one contestant of two: what the first has done and is asked goes to the second, who writes from both addresses."""
    first, second = one(work, who), one(work, into)
    why_not = _cannot_be_one(work, first, second)
    if why_not:
        raise AdminError(why_not)
    company.withdrawn(work, first)
    for row in open_questions(work.session, contestant_id=first.id):
        if row.purpose != "game":
            work.close_question(row, "left")
    for each, other in ((first, second), (second, first)):
        for registration in registrations_of(work.session, each.id, OPEN):
            if _is_in(work, GAMES[registration.game], other):
                registration.state = "left"
    for slug in work.config.games:
        work.lobby(slug)  # taken, as a champion may become another
    called, address = first.called, first.address
    roster.merge(work.session, first, second)
    second = one(work, second.called)
    told = f"{work.config.host.name} has made {called}, who wrote from {address}, and you one. You may write from both addresses."
    letters.write(work, second, "Two are one now", told)
    return f"{called} is {second.called} now, who writes from {listed(roster.addresses_of(work.session, second))}."


def forget(work: Work, who: str) -> str:
    """Forget somebody, as their own `forget me` does: when their last episode is over and their last letter is out."""
    contestant = one(work, who)
    if contestant.is_leaving:
        raise AdminError(f"{contestant.called} is to be forgotten already.")
    called = contestant.called
    if contestant.confirmed_at is None:
        company.forget_stranger(work, contestant)
        return f"{called}, who had confirmed nothing, is forgotten."
    privacy.leave(work, contestant)
    when = privacy.when_forgotten(work, contestant)
    letters.write(work, contestant, "You will be forgotten", when, services=False)
    playing = privacy.still_playing(work, contestant)
    return (
        f"{called} is forgotten {f'when {listed(playing)} is over' if playing else 'as soon as a last letter is out'}."
    )


# Writing


def seat(work: Work, code: str, name: str, who: str) -> str:
    """Ask whether somebody takes the seat of a player who left, or forfeited; the seat is theirs when all agree."""
    play, contestant = under_way(work, code), one(work, who)
    of = seat_called(play, name)
    why_not = taking_over.why_not(work, play, of, contestant)
    if why_not and play.game.is_out(play.state, of.seat):
        why_not += f" If that was a forfeit, podium back {code} LINE takes it back."
    if not why_not and taking_over.is_asked_about(work, play, of):
        why_not = f"Who plays on for {of.name} in {code} is being asked already."
    if why_not:
        raise AdminError(f"{why_not} Nothing was changed.")
    return taking_over.propose(work, play, of, contestant)


def warn(work: Work, code: str, name: str, why: str) -> str:
    """Warn a player of an episode, with why; the letter puts their open question again."""
    if not why.strip():
        raise AdminError("Write why, too.")
    play = under_way(work, code)
    seat = seat_called(play, name)
    lead = (
        f"{work.config.host.name} warns you: {why}",
        "Nothing else has changed. If it happens again, the host may take you out.",
    )
    repeat_questions(work, play, seat, "help", lead=lead, headline="A warning from the host")
    return f"{seat.name} is warned in {play.episode.code}."


def write(work: Work, who: str, text: str) -> str:
    """Write to one contestant, to the players of an episode, or to all of a game or of the season that began last."""
    headline, lead = f"A word from {work.config.host.name}", (f"{work.config.host.name} writes:", *text.splitlines())
    if not text.strip():
        raise AdminError("Write what the letter is to say, too.")
    if episode_of_code(work.session, who):
        play = find(work, who)
        is_over = play.episode.over_at is not None
        seats = [seat for seat in play.episode.seats if not seat.contestant.is_gone]
        seats = [each for each in seats if not (is_over and roster.barred(work.session, each.contestant.address))]
        if not seats:
            raise AdminError(
                f"All who played {play.episode.code} are barred or forgotten: there is nobody to write to."
            )
        for seat in seats:
            if is_over:
                letters.write(work, seat.contestant, headline, *lead, about=play)
            else:
                repeat_questions(work, play, seat, "help", lead=lead, headline=headline)
        return f"It goes to {listed([each.name for each in seats])} of {play.episode.code}."
    if who in GAMES:
        people = roster.of_game(work.session, who)
        if not people:
            raise AdminError(
                f"Nobody waits for {_game(work, who).title} or has played it: there is nobody to write to."
            )
    elif who.lower() == SEASON:
        season = latest_season(work.session)
        people = players_to_tell(work.session, season) if season else []
        if not people:
            where = f"the season {season.name}" if season else "a season"
            raise AdminError(f"Nobody has played in {where} yet: there is nobody to write to.")
    else:
        people = [one(work, who)]
    for each in people:
        if roster.barred(work.session, each.address):
            raise AdminError(f"{each.called} is barred and gets no letters: podium people unbar {each.address} first.")
        letters.write(work, each, headline, *lead, about=GAMES.get(who))
    to_one = f"{people[0].called} ({people[0].address})"
    return f"It goes to {to_one if len(people) == 1 else f'{len(people)} contestants'}."


# Files


def to_csv(session: Session) -> str:
    """All contestants, as a CSV file that `from_csv` takes."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for each in roster.all_contestants(session):
        if each.contestant.confirmed_at is not None:
            rows.writerow([_shown(getattr(each.contestant, column)) for column in COLUMNS])
    return text.getvalue()


def _shown(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def from_csv(work: Work, text: str) -> str:
    """Register all of a CSV file, confirmed; who is registered already is left as they are.

    Raises `AdminError` with each line that is wrong, and then nothing is imported.
    """
    rows = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    wrong, new, known = list[str](), 0, 0
    try:
        head = [each.strip().lower() for each in next(rows, [])]
        if not {"address", "name"} <= set(head) <= set(COLUMNS):
            raise AdminError(f"Nothing was imported: the first line names the columns, {', '.join(COLUMNS)}.")
        for row in filter(any, rows):
            try:
                is_new = _import(work, head, row)
                new, known = new + is_new, known + (not is_new)
            except AdminError as error:
                wrong.append(f"line {rows.line_num}: {error}")
    except csv.Error as error:
        wrong.append(f"line {rows.line_num}: {error}; quote a field that has a comma or a quotation mark in it.")
    if wrong:
        raise AdminError("Nothing was imported.\n" + "\n".join(wrong))
    return f"{were(new, 'contestant')} added" + (
        f", {known} {'was' if known == 1 else 'were'} registered already." if known else "."
    )


def _import(work: Work, head: Sequence[str], row: Sequence[str]) -> bool:
    """Register the contestant of a row; says whether they are new."""
    if len(row) != len(head):
        raise AdminError(f"It has {len(row)} fields, and the first line names {len(head)}.")
    fields = {
        key: each[each[:1] == "'" and each[1:].startswith(_FORMULA) :] for key, each in zip(head, row, strict=True)
    }
    address, name = _address(fields["address"]), _name(fields["name"])
    found = contestant_of_address(work.session, address)
    if (found and found.confirmed_at is not None) or _known(work, address):
        return False
    nickname, hometown = (" ".join(fields.get(key, "").split()) for key in ("nickname", "hometown"))
    if len(nickname) > MAX_FIELD or len(hometown) > MAX_FIELD:
        raise AdminError(f"A nickname or a hometown has {MAX_FIELD} characters at most.")
    new_contestant(work, address, Form(name, nickname, hometown), work.now, work.now)
    return True
