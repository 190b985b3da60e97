"""Shell: mail that may be somebody else's. In: a valid token with an address that does not go with it. Out: one question.

The mail is kept and shown to the registered address; yes plays it as of its arrival. An address is remembered as somebody's
only after it has answered a letter itself, here or where it is added by hand.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from host.engine.grammar import is_polite
from host.engine.words import pattern
from host.games import GAMES
from host.mail.inbound.mail import Mail, Typed
from host.mail.outbound.draft import Draft
from host.play.agreement import is_answer, says_no, says_yes
from host.play.matchmaking import CONFIRM_WITHIN
from host.play.services import take_host_text
from host.states import QuestionPurpose
from host.store.company import said_yes
from host.store.database import Session
from host.store.episodes import open_questions
from host.store.mails import count_letters_to, held_for
from host.store.people import (
    contestant_of_address,
    decline,
    is_declined,
    registered_at,
    take_back,
    undo_decline,
)
from host.store.schema import Address, Contestant, HeldMail, Inbound, Letter, QuestionRow
from host.table.clocks import due_for, open_question
from host.table.letters import plain_ask, send, write
from host.table.work import Opened, Reply, Turn, Verdict
from host.turn import service_words

_ADD_ADDRESS = pattern(r"(?i)(?:(?:add|my|new) )*+address:? <?([\w.%+'-]{1,64}@(?:[\w-]{1,63}\.)+[\w-]{2,63})>?[.!]?")
MOST_HELD, MOST_QUESTIONS = 10, 3
"""Mails held for one question, and such questions of one contestant that are open; more is refused."""
SHOWN_LINES = 30
"""Lines of a held mail that are shown to whom it is said to be from. No more of it is played."""
LONGEST_KEY = 120
"""Characters of an address that a question can be about."""
LETTERS_TO_AN_ADDRESS = 3
"""How many letters a day ask an address whether it belongs to a contestant, and how many addresses are asked at once."""


def hold(turn: Turn, letter: Letter, contestant: Contestant) -> Verdict:
    """A valid token, but another address or an authentication that failed: keep the mail, ask the registered address.

    A letter shows what it asks about, so a mail that comes while the question is open is shown by one more. All that its
    playing needs is kept now: nothing of a mail is parsed where mails are played.
    """
    work = turn.work
    if letter.purpose == "address":
        return Verdict("refused", "an address cannot vouch for itself; not answered")
    key = turn.mail.sender
    if len(key) > LONGEST_KEY:
        return Verdict("refused", f"from {key}: an address too long to be asked about; not answered")
    asked = open_questions(work.session, purpose="address", contestant_id=contestant.id)
    row = next((each for each in asked if each.key == key), None)
    if row is None and len(asked) >= MOST_QUESTIONS:
        return Verdict("refused", f"from {key}: {MOST_QUESTIONS} other addresses are asked about already; not answered")
    if row is not None and len(held_for(work.session, row.id)) >= MOST_HELD:
        return Verdict("refused", f"from {key}: {MOST_HELD} mails of it are held already; not answered")
    row = row or open_question(work, "address", contestant, CONFIRM_WITHIN, key=key)
    shown_by = _ask(turn, row, contestant, letter)
    work.session.flush()  # the question and the letter have their numbers
    work.session.add(
        HeldMail(
            inbound_id=turn.inbound.id,
            question_id=row.id,
            letter_id=letter.id,
            shown_by_id=shown_by.id,
            doubtful=list(turn.opened.typed.doubtful),
            message_id=turn.mail.message_id,
        )
    )
    why = "its authentication failed" if turn.opened.is_forged else f"not an address of {contestant.called}"
    return Verdict("held", f"from {key}: {why}; asked them")


def _ask(turn: Turn, row: QuestionRow, contestant: Contestant, answered: Letter) -> Letter:
    """The letter that shows a held mail, which answers another one, and asks whether it is theirs."""
    is_known = contestant_of_address(turn.work.session, row.key) is contestant
    sentence = (
        f"A reply to a letter of yours names your address {row.key} as its sender, but the check of its sender failed. If "
        "that was you, say yes: what it said is then played as of when it came."
        if is_known
        else f"A reply to a letter of yours came from the address {row.key}. If that was you, say yes: what it said is "
        "then played as of when it came, and I write to that address, so that I know it as yours once it has answered."
    )
    shown = turn.lines[:SHOWN_LINES]
    left = len(turn.lines) - len(shown)
    more = [f"... and {left} more lines, of which nothing is played in any case"] if left else []
    lead = (
        "It says:" if shown else "There is nothing typed in it.",
        *(f"“{line}”" for line in shown),
        *more,
        "Nothing of it has been played yet. A yes covers this mail, and those of this address that I showed you before.",
        *_runs_on(turn, contestant, answered),
    )
    ask = plain_ask(sentence, [("yes", "Yes, that was me")], row, "Without an answer nothing of it is played.")
    draft = Draft(
        kind="confirm",
        headline="Did you write this?" if is_known else "Is this address yours too?",
        lead=lead,
        asks=(ask,),
        tail=(
            "If it was not you, say no, or do nothing. Do not pass letters of mine on: whoever has one can write in your "
            "name.",
        ),
    )
    return send(turn.work, draft, contestant, purpose="address", questions=[row])


def _runs_on(turn: Turn, contestant: Contestant, answered: Letter) -> tuple[str, ...]:
    """Says until when a yes comes in time for what the held mail answers."""
    asked = (each for each in answered.questions if each.purpose == "game" and each.closed_at is None)
    due_at = min((each.due_at for each in asked if each.due_at), default=None)
    if due_at is None or due_at <= turn.work.now:
        return ()
    return (f"Your time runs on meanwhile: say yes until {due_for(turn.work, contestant, due_at)}.",)


def release(turn: Turn, row: QuestionRow, asked: Letter, contestant: Contestant) -> Iterator[tuple[Turn, Letter]]:
    """Yes to the letter `asked`: the mails that it, or one before it, showed, each with the letter it answers.

    The address is asked, too, whether it is theirs: only its owner can tell. What was shown later is asked about apart.
    """
    work = turn.work
    waiting = held_for(work.session, row.id)
    covered = [held for held in waiting if held.shown_by_id is None or held.shown_by_id <= asked.id]
    work.close_question(row, "yes")
    if later := [held for held in waiting if held not in covered]:
        apart = open_question(work, "address", contestant, CONFIRM_WITHIN, key=row.key)
        work.session.flush()  # it has its number
        for held in later:
            held.question_id = apart.id
            work.session.get_one(Letter, held.shown_by_id).questions = [apart]
    if contestant_of_address(work.session, row.key) is None:
        add(turn, contestant, row.key)
    for held in covered:
        inbound = work.session.get_one(Inbound, held.inbound_id)
        mail = Mail(inbound.sender, message_id=held.message_id)
        opened = Opened(mail, Typed(tuple(inbound.lines[:SHOWN_LINES]), tuple(held.doubtful)))
        letter = work.session.get_one(Letter, held.letter_id)
        work.session.delete(held)
        yield Turn(work, inbound, opened), letter


def drop(turn: Turn, row: QuestionRow, contestant: Contestant, besides: Sequence[str] = ()) -> Verdict:
    """No: nothing of what was held is played. `besides` are sentences about what else was said."""
    turn.work.close_question(row, "no")
    lapse(turn.work.session, row, f"{contestant.called} said that it was not theirs")
    write(turn, contestant, "Nothing of it is played", "Thank you. Nothing of that mail is played.", *besides)
    return Verdict("answered", f"{row.key} is not theirs")


def ask_once_more(turn: Turn, row: QuestionRow, contestant: Contestant, lead: Sequence[str]) -> Verdict:
    """Neither a plain yes nor a no: whether it was theirs is asked again."""
    if turn.is_capped(contestant.address):
        return Verdict("refused", "no plain yes or no to whose mail it was; not answered: too many answers this hour")
    ask = plain_ask(
        f"Did you write the mail from {row.key} that I showed you? Yes plays what it says, as it is; what you want instead is "
        "an answer to the letter of your turn.",
        [("yes", "Yes, that was me"), ("no", "No")],
        row,
        "Without an answer nothing of it is played.",
    )
    write(
        turn,
        contestant,
        "Was it you, yes or no?",
        *lead,
        kind="refused",
        purpose="address",
        questions=[row],
        asks=(ask,),
    )
    return Verdict("refused", "no plain yes or no to whose mail it was; asked once more")


def lapse(session: Session, row: QuestionRow, why: str = "nobody answered whether it was theirs") -> None:
    """Nothing of what was held is played."""
    for held in held_for(session, row.id):
        inbound = session.get_one(Inbound, held.inbound_id)
        inbound.state, inbound.note = "refused", why
        session.delete(held)


def asked_to_add(lines: Sequence[str]) -> str:
    """The address that a mail asks to add (`address ann@work.example`), and asks nothing else; or nothing."""
    spoken = [line for line in take_host_text(lines)[0] if not is_polite(line)]
    found = _ADD_ADDRESS.fullmatch(spoken[0].strip()) if len(spoken) == 1 else None
    return found[1].lower() if found else ""


def add(turn: Turn, contestant: Contestant, address: str) -> str:
    """Ask a new address whether it is this contestant's; gives the sentence about it."""
    work = turn.work
    owner = contestant_of_address(work.session, address)
    if owner is not None and owner.id == contestant.id:
        return f"I know the address {address} as yours already."
    asked = count_letters_to(work.session, address, work.now - timedelta(days=1), work.now, "confirm")
    waiting = open_questions(work.session, purpose="new-address", contestant_id=contestant.id)
    is_too_many = max(asked, len({row.key for row in waiting} - {address[:120]})) >= LETTERS_TO_AN_ADDRESS
    is_ours = address == work.config.host.address.lower() or work.config.host.right_of(address) is not None
    if owner is not None or is_ours or is_too_many or is_declined(work.session, address):
        return f"The address {address} cannot be added; nothing was changed."
    row = open_question(work, "new-address", contestant, CONFIRM_WITHIN, key=address[:120])
    ask = plain_ask(
        f"{contestant.called} wants to play from this address too. If that is you, answer this mail from here.",
        [("yes", "Yes, it is mine")],
        row,
        "Without an answer the address is not added.",
    )
    draft = Draft(kind="confirm", headline="One more address", asks=(ask,), services=False)
    send(work, draft, address, purpose="new-address", questions=[row]).about_id = contestant.id
    return f"I wrote to {address}: answer that mail from there, and I shall know the address from then on."


def add_and_ask_to_move(turn: Turn, contestant: Contestant, address: str) -> None:
    """Ask a new address whether it is theirs, and them whether letters go there from now on; both have to say yes for that."""
    said = add(turn, contestant, address)
    is_theirs = contestant_of_address(turn.work.session, address) is contestant
    waits = any(each.key == address[:120] for each in _open(turn, contestant, "new-address"))
    if address == contestant.address or not (is_theirs or waits):
        write(turn, contestant, "One more address", said)
        return
    key = address[:120]
    row = next((each for each in _open(turn, contestant, "move") if each.key == key), None)
    row = row or open_question(turn.work, "move", contestant, CONFIRM_WITHIN, key=key)
    ask = plain_ask(
        f"Shall my letters go to {address} from now on, and not to {contestant.address} any more? You can write from both.",
        [("yes", "Yes, write to me there"), ("no", "No, only know it")],
        row,
        "Without an answer they go on to the address that they go to now.",
    )
    draft = Draft(kind="help", headline="One more address", lead=(said,), asks=(ask,), services=False)
    send(turn.work, draft, contestant, purpose="move", questions=[row], answering=turn)


def _open(turn: Turn, contestant: Contestant, purpose: QuestionPurpose) -> Sequence[QuestionRow]:
    return open_questions(turn.work.session, purpose=purpose, contestant_id=contestant.id)


def move(reply: Reply, row: QuestionRow) -> Verdict | None:
    """Take a reply to the question whether letters go to another address; None for what is neither yes nor no."""
    turn, contestant = reply.turn, reply.contestant
    if says_no(reply.lines):
        turn.work.close_question(row, "no")
        write(turn, contestant, "Letters stay here", f"Letters go on to {contestant.address}.")
        return Verdict("answered", f"letters do not go to {row.key}")
    if not says_yes(reply.lines):
        return None
    turn.work.close_question(row, "yes")
    if contestant_of_address(turn.work.session, row.key) is contestant:
        _move(turn, contestant, row.key)
    else:
        wait = f"As soon as {row.key} has answered my letter there, my letters go to it."
        write(turn, contestant, "Your new address", wait)
    return Verdict("answered", f"letters are to go to {row.key}")


def _move(turn: Turn, contestant: Contestant, address: str) -> None:
    """Letters go to another address of theirs; the old one is known as theirs still, and hears it."""
    session, old = turn.work.session, contestant.address
    take_back(session, address)
    contestant.address = address
    session.add(Address(address=old, contestant_id=contestant.id, confirmed_at=turn.work.now))
    moved = f"My letters to you go to {address} from now on. You can write from {old}, too."
    write(turn, contestant, "Your letters come here now", moved)
    write(turn, old, "Your letters go elsewhere now", moved, services=False)


def confirm(turn: Turn, letter: Letter) -> Verdict | None:
    """The new address answered: it belongs to its contestant from now on. None for what else it says where it does already."""
    row = next((each for each in letter.questions if each.closed_at is None), None)
    contestant = turn.work.session.get(Contestant, letter.about_id) if letter.about_id is not None else None
    if contestant is None:
        return Verdict("refused", "the contestant whose address it was to be is gone; not answered")
    if is_declined(turn.work.session, letter.address) and not says_no(turn.lines):
        return _changed_mind(turn, letter)
    owner = contestant_of_address(turn.work.session, letter.address)
    if owner is contestant and not is_answer(" ".join(turn.lines)):
        return None
    if row is None or owner is not None:
        return Verdict("refused", "the address was added or taken before; not answered")
    if not says_yes(turn.lines):
        if says_no(turn.lines):
            turn.work.close_question(row, "no")
            decline(turn.work.session, letter.address, turn.work.now)
        return Verdict("refused", f"did not say yes to being {contestant.called}'s; not answered")
    turn.work.close_question(row, "yes")
    turn.work.session.add(Address(address=letter.address, contestant_id=contestant.id, confirmed_at=turn.work.now))
    service_words.pass_on(turn, contestant, turn.lines)
    session = turn.work.session
    is_open = any(each.key == letter.address[:120] for each in _open(turn, contestant, "move"))
    is_wanted = not is_open and said_yes(session, "move", contestant.id, letter.address[:120])
    if is_wanted and registered_at(session, letter.address) is None:
        _move(turn, contestant, letter.address)
        return Verdict("answered", f"{letter.address} is the address of {contestant.called} now")
    lead = f"From now on I know the address {letter.address} as yours. Letters go on to {contestant.address}."
    write(turn, contestant, "One more address is yours", lead)
    return Verdict("answered", f"{letter.address} is an address of {contestant.called}")


def _changed_mind(turn: Turn, letter: Letter) -> Verdict:
    """Lift the block on an address whose owner once declined; tell them how to register."""
    undo_decline(turn.work.session, letter.address)
    offered = "; ".join(f"“{GAMES[slug].subject}” for {GAMES[slug].title}" for slug in turn.work.config.games)
    lead = f"To play yourself, write to me with one of these subjects: {offered}."
    write(turn, letter.address, "How to play yourself", lead, kind="refused", services=False)
    return Verdict("refused", "said no before, and answers again")
