"""Shell: invitations. In: `invite bob@example.org to Champ Cards`, the answers. Out: letters, an episode of theirs.

An invitation is asked and ends as a rematch does (`company`). A stranger is a contestant who has confirmed nothing until they say
yes; of who says no, or nothing, nothing is kept but that the address is not to be written to, or was.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import timedelta
from typing import Any

from host.club import company, lobby
from host.club.naming import name_for, new_contestant
from host.engine.game import Game
from host.games import GAMES
from host.mail.outbound.draft import Ask
from host.mail.outbound.formatting import listed
from host.play.agreement import acknowledges, says_later, says_no, says_ready, wants_peace
from host.play.invitation import Invitation, read_invitation
from host.play.matchmaking import CONFIRM_WITHIN
from host.play.names import mailbox_of
from host.play.prose import Form
from host.play.registration_form import MAX_FIELD
from host.play.services import Service, services_in
from host.store import roster
from host.store.episodes import open_questions
from host.store.mails import count_letters_to
from host.store.people import contestant_of_address, decline, is_declined, undo_decline
from host.store.schema import Contestant, Letter, QuestionRow
from host.table.clocks import open_question
from host.table.letters import plain_ask, write
from host.table.served import Request, Served
from host.table.work import Reply, Turn, Verdict, Work

_GOING = (Service.LEAVE, Service.RESIGN, Service.FORGET)
"""To a stranger the last two are no more than a no: there is nothing else to resign, or to forget."""
DAY, MONTH = timedelta(days=1), timedelta(days=30)
MOST_A_DAY = 5
"""Invitations that one contestant may send in a day."""
MOST_A_MONTH = 3
"""Invitations that one address gets in a month, from whomever; from one contestant it is one."""


def _invite(request: Request) -> Served:
    said = read_invitation(request.named)
    slug = lobby.named_game(said.game) if said.game else request.slug
    if request.contestant.confirmed_at is None:
        return Served(("Nobody was invited. Confirm your registration first.",))
    why_not = why_nobody(request.work, request.contestant, said, slug)
    told = "" if why_not else send(request.work, request.contestant, said, GAMES[slug])
    return Served((told or f"Nobody was invited. {why_not}",))


def send(work: Work, sender: Contestant | None, said: Invitation, game: Game[Any, Any]) -> str:
    """Invite those whom nothing forbids to invite (`why_nobody`), for a contestant or for the host; says what was done."""
    invited = [
        contestant_of_address(work.session, each) or new_contestant(work, each, Form(), work.now)
        for each in said.addresses
    ]
    ids = ",".join((str(sender.id) if sender else company.THE_HOST, *(str(each.id) for each in invited)))
    key = f"{ids} {work.now.timestamp():.0f}{company.IN_PUBLIC if said.is_public else ''}"
    for each in invited:
        _ask(work, game, sender, each, len(invited), key)
    all_say = "all of them say" if len(invited) > 1 else "they say"
    pages = "Public pages show it." if said.is_public else "No public page shows it."
    as_whom = ", and told them your name and address" if sender else ""
    whom = f"I have invited {listed(said.addresses)} to {game.title}{as_whom}."
    begins = f"It begins when {all_say} yes, with nobody else."
    return " ".join((whom, begins, *(company.queued(work, game, sender) if sender else ()), pages))


def why_nobody(work: Work, sender: Contestant | None, said: Invitation, slug: str) -> str:
    """Says why nobody can be invited, by a contestant or by the host; empty where they can."""
    how = "Write invite, addresses and the game, such as: invite bob@example.org, cid@example.org to Champ Cards."
    if sender is None:
        how = "Write the game, and the addresses with a comma between them: bob@example.org, cid@example.org."
    if said.odd or not said.addresses:
        return f"“{said.odd[:80]}” is no address. {how}" if said.odd else how
    if slug not in work.config.games:
        return f"There is no game {said.game[:80]} here. {how}" if said.game else how
    ours = {work.config.host.address.lower(), *(roster.addresses_of(work.session, sender) if sender else ())}
    if not set(map(mailbox_of, ours)).isdisjoint(map(mailbox_of, said.addresses)):
        return "Name the addresses of the others only."
    known = [found.id for each in said.addresses if (found := contestant_of_address(work.session, each))]
    if len(set(known)) < len(known):
        return "Two of these addresses are one contestant's."
    sent = roster.count_invitations(work.session, sender.id, work.now - DAY) if sender else 0
    if sender and sent + len(said.addresses) > MOST_A_DAY:
        return f"You may send {MOST_A_DAY} invitations a day, and have sent {sent}: write it again tomorrow."
    shut = [each for each in said.addresses if not _may_be_invited(work, sender, each)]
    if shut:
        return (
            f"{listed(shut)} cannot be invited by you now: an address that said no gets no more invitations, and others get one "
            f"a month from one contestant, {MOST_A_MONTH} in all."
        )
    if sender is None and _is_asked(work, known, slug):
        return f"They have an invitation to {GAMES[slug].title} that they can still answer."
    asking = [sender] if sender else []
    count = len(said.addresses) + len(asking)
    return company.cannot_begin(work, GAMES[slug], asking, count, sender, is_hosts=sender is None)


def _is_asked(work: Work, invited: Collection[int], slug: str) -> bool:
    """Have just these contestants an open invitation of the host to a game?"""
    rows = (row for row in open_questions(work.session, purpose="invitation") if row.game == slug)
    keys = (row.key.partition(" ")[0].split(",") for row in rows)
    return any(host == company.THE_HOST and sorted(ids) == sorted(map(str, invited)) for host, *ids in keys)


def _may_be_invited(work: Work, sender: Contestant | None, address: str) -> bool:
    known, month = contestant_of_address(work.session, address), work.now - MONTH
    address = known.address if known else address
    return not (
        any(is_declined(work.session, each) for each in (address, mailbox_of(address)))
        or roster.barred(work.session, address)
        or (known and known.is_leaving)
        or (sender and known and roster.said_no_to(work.session, known.id, sender.id))
        or (sender and roster.count_invitations(work.session, sender.id, month, address))
        or count_letters_to(work.session, address, month, work.now, purpose="invitation") >= MOST_A_MONTH
    )


def _ask(work: Work, game: Game[Any, Any], sender: Contestant | None, to: Contestant, count: int, key: str) -> None:
    row = open_question(work, "invitation", to, CONFIRM_WITHIN, game=game.slug, key=key)
    others = f", and {count - 1} more" if count > 1 else ""
    shown = "public pages show it" if key.endswith(company.IN_PUBLIC) else "no public page shows it"
    is_stranger = to.confirmed_at is None
    name = sender.called if sender else work.config.host.name
    whose = f"{name} ({sender.address})" if sender else name
    lead = (
        f"{whose} invites you{others} to {game.title}, a card game that is played by mail with play money: you answer a letter "
        f"when it is your turn. Nobody else joins, and {shown}.",
        game.summary,
    )
    called = (
        "Say with your yes what you are to be called, in a line such as Name: Bob; else I take what your mail shows."
    )
    then = "you never hear from me again" if is_stranger else f"{name} cannot invite you again"
    enough = f"A no is enough: then {then}." if sender or is_stranger else "A no is enough."
    letter = write(
        work,
        to,
        f"{name} invites you to {game.title}",
        *lead,
        about=game,
        kind="ready",
        purpose="invitation",
        questions=[row],
        asks=(yes_or_no(game, row),),
        tail=(*((called,) if is_stranger else ()), *company.queued(work, game, to), enough),
        services=False,
    )
    letter.about_id = sender.id if sender else None


def yes_or_no(game: Game[Any, Any], row: QuestionRow) -> Ask:
    """The question whether somebody plays with who asked them."""
    links = [("yes", "Yes, I play"), ("no", "No, thank you")]
    return plain_ask(f"Do you play {game.title} with them?", links, row, "Without an answer it does not take place.")


def answer(reply: Reply, row: QuestionRow) -> Verdict | None:
    """Take a reply to an invitation; None for what is neither yes nor no. A stranger is registered by their yes."""
    turn, contestant, work = reply.turn, reply.contestant, reply.turn.work
    is_stranger, address = contestant.confirmed_at is None, contestant.address
    game = GAMES[row.game]
    asked = [service for service, _ in services_in(turn.lines, (game.title, game.slug, game.code))]
    is_going = not set(asked).isdisjoint(_GOING if is_stranger else _GOING[:1])
    is_no = says_no(reply.lines) or wants_peace(turn.lines) or is_going
    if is_no or says_later(reply.lines):
        if is_stranger and is_no:
            decline(work.session, address, work.now)
        company.end_rematch(work, row, "no")  # of a stranger nothing is left by it
        told = ["Thank you: the others have been told."]
        if is_stranger:
            told += [f"To play {game.title} another time, write to me with the subject “{game.subject}”."]
        if not (is_stranger and is_no):
            to = address if is_stranger else contestant
            write(turn, to, "It does not take place", " ".join(told), about=game, services=not is_stranger)
        return Verdict("answered", "no to an invitation")
    if not says_ready(reply.lines):
        return None
    if is_stranger:
        shown = turn.mail.display_name.strip("'\" ")[:MAX_FIELD]
        name = contestant.name or ("" if "@" in shown else shown)
        if not name:
            return _ask_name(reply, row)
        contestant.name, contestant.called = name, name_for(work, name, contestant.nickname, contestant)
        contestant.confirmed_at = work.now
        undo_decline(work.session, address)
    return company.rematch(reply, row)


def _ask_name(reply: Reply, row: QuestionRow) -> Verdict:
    """A yes without a name."""
    if reply.turn.is_capped(reply.contestant.address):
        return Verdict("refused", "yes to an invitation, without a name; not answered: too many answers this hour")
    game = GAMES[row.game]
    lead = "Good! Answer once more, with yes and a line that begins with Name: and what you want to be called."
    write(
        reply.turn,
        reply.contestant,
        "What is your name?",
        lead,
        about=game,
        kind="refused",
        purpose="invitation",
        questions=[row],
        asks=(yes_or_no(game, row),),
        services=False,
    )
    return Verdict("answered", "yes to an invitation, without a name")


def too_late(turn: Turn, letter: Letter) -> Verdict:
    """Take a stranger's answer to an invitation that has ended; to a no, nothing more."""
    if says_no(turn.lines):
        decline(turn.work.session, letter.address, turn.work.now)
        return Verdict("silent", "no to an invitation; not written to again")
    is_kept_out = is_declined(turn.work.session, letter.address) and not acknowledges(turn.lines)
    if is_kept_out or turn.is_capped(letter.address):
        return Verdict("refused", "answered an invitation that is over; not answered")
    undo_decline(turn.work.session, letter.address)
    game = GAMES[letter.game]
    over = "It does not stand any more: somebody said no, left, or did not answer in time."
    lead = f"{over} To play {game.title} with others, write to me with the subject “{game.subject}”."
    write(turn, letter.address, "That invitation is over", lead, about=game, kind="refused", services=False)
    return Verdict("refused", "answered an invitation that is over")


SERVED: Mapping[Service, Callable[[Request], Served]] = {Service.INVITE: _invite}
