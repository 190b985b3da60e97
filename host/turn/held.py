"""Shell: mail that may be somebody else's. In: a valid token with an address that does not go with it. Out: one question.

The mail is kept, the registered address is asked once; yes plays it as of its arrival. Adding an address by hand is
here too.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta

from host.grammar import is_polite, words
from host.mail.quotation import Typed
from host.mail.render import Draft
from host.mail.reply import open_headers
from host.play.episode import says_yes, take_host_text
from host.play.lobby import CONFIRM_WITHIN
from host.store.episodes import open_questions
from host.store.mails import count_letters_to, held_for
from host.store.people import contestant_of_address
from host.store.schema import Address, Contestant, Held, Inbound, Letter, Question
from host.store.store import Session
from host.turn.house import close_question
from host.turn.letters import Answering, open_question, plain_ask, send
from host.turn.mailturn import Opened, Turn

ADD_ADDRESS = re.compile(
    r"(?:add |my )?address:? <?([\w.%+'-]{1,64}@(?:[\w-]{1,63}\.)+[\w-]{2,63})>?[.!]?", re.IGNORECASE
)
LETTERS_TO_AN_ADDRESS = 3
"""How many letters a day ask an address whether it belongs to a contestant, and how many addresses are asked at once."""


def hold(turn: Turn, letter: Letter, contestant: Contestant) -> tuple[str, str]:
    """A valid token, but another address or an authentication that failed: keep the mail, ask the registered address once."""
    session, house = turn.session, turn.house
    if letter.purpose == "address":
        return "refused", "an address cannot vouch for itself; not answered"
    row = next(
        (
            each
            for each in open_questions(session, purpose="address", contestant_id=contestant.id)
            if each.key == turn.mail.sender[:120]
        ),
        None,
    )
    if row is None:
        row = open_question(
            session,
            house,
            turn.now,
            purpose="address",
            contestant=contestant,
            within=CONFIRM_WITHIN,
            key=turn.mail.sender[:120],
        )
        is_known = contestant_of_address(session, turn.mail.sender) is contestant
        sentence = (
            f"A reply to a letter of yours names your address {turn.mail.sender} as its sender, but the check of its "
            "sender failed. If that was you, say yes: what it said is then played as of when it came."
            if is_known
            else f"A reply to a letter of yours came from the address {turn.mail.sender}. If that was you, say yes: "
            "what it said is then played as of when it came, and I shall know the address from now on."
        )
        ask = plain_ask(
            "Was that you?",
            sentence,
            "yes",
            "Yes, that was me",
            row,
            "Without an answer nothing of it is played.",
        )
        draft = Draft(
            kind="confirm",
            headline="Did you write this?" if is_known else "Is this address yours too?",
            lead=("Nothing has been played yet.",),
            asks=(ask,),
            tail=(
                "If it was not you, do nothing. Do not pass letters of mine on: whoever has one can write in your "
                "name.",
            ),
        )
        send(session, house, draft, turn.now, contestant=contestant, purpose="address", questions=[row])
    doubtful = list(turn.opened.typed.doubtful)
    session.flush()
    session.add(Held(inbound_id=turn.inbound.id, question_id=row.id, letter_id=letter.id, doubtful=doubtful))
    why = "its authentication failed" if turn.opened.is_forged else f"not an address of {contestant.called}"
    return "held", f"from {turn.mail.sender}: {why}; asked them"


def release(turn: Turn, row: Question, contestant: Contestant) -> Iterator[tuple[Turn, Letter]]:
    """Yes: the mails that were held, each with the letter it answers; the address is remembered unless it is somebody's."""
    session = turn.session
    close_question(row, "yes", turn.now)
    if contestant_of_address(session, row.key) is None:
        session.add(Address(address=row.key, contestant_id=contestant.id, confirmed_at=turn.now))
    session.flush()
    for held in held_for(session, row.id):
        inbound = session.get_one(Inbound, held.inbound_id)
        mail = open_headers(inbound.raw or b"")
        opened = Opened(mail, Typed(tuple(inbound.lines), tuple(held.doubtful)))
        letter = session.get_one(Letter, held.letter_id)
        session.delete(held)
        yield Turn(session, turn.house, Answering(inbound, mail), opened, turn.now), letter


def drop(turn: Turn, row: Question, contestant: Contestant) -> tuple[str, str]:
    """No: nothing of what was held is played."""
    close_question(row, "no", turn.now)
    for held in held_for(turn.session, row.id):
        inbound = turn.session.get_one(Inbound, held.inbound_id)
        inbound.state, inbound.note = "refused", f"{contestant.called} said that it was not theirs"
        turn.session.delete(held)
    lead = ("Thank you. Nothing of that mail is played.",)
    draft = Draft(kind="help", headline="Nothing of it is played", lead=lead)
    send(turn.session, turn.house, draft, turn.now, contestant=contestant, answering=turn.answering)
    return "answered", f"{row.key} is not theirs"


def lapse(session: Session, row: Question) -> None:
    """Nobody said whose it was: nothing of what was held is played."""
    for held in held_for(session, row.id):
        inbound = session.get_one(Inbound, held.inbound_id)
        inbound.state, inbound.note = "refused", "nobody answered whether it was theirs"
        session.delete(held)


def asked_to_add(lines: Sequence[str]) -> str:
    """The address that a mail asks to add (`address ann@work.example`), and asks nothing else; or nothing."""
    spoken = [line for line in take_host_text(lines)[0] if not is_polite(line)]
    found = ADD_ADDRESS.fullmatch(spoken[0].strip()) if len(spoken) == 1 else None
    return found[1].lower() if found else ""


def add(turn: Turn, contestant: Contestant, address: str) -> str:
    """Ask a new address whether it is this contestant's; gives the sentence about it."""
    session, house, now = turn.session, turn.house, turn.now
    owner = contestant_of_address(session, address)
    if owner is not None and owner.id == contestant.id:
        return f"I know the address {address} as yours already."
    asked = count_letters_to(session, address, ("confirm",), now - timedelta(days=1), now)
    waiting = open_questions(session, purpose="new-address", contestant_id=contestant.id)
    is_too_many = max(asked, len({row.key for row in waiting} - {address[:120]})) >= LETTERS_TO_AN_ADDRESS
    if owner is not None or address == house.config.host.address.lower() or is_too_many:
        return f"The address {address} cannot be added; nothing was changed."
    row = open_question(
        session, house, now, purpose="new-address", contestant=contestant, within=CONFIRM_WITHIN, key=address[:120]
    )
    ask = plain_ask(
        "Is this address yours?",
        f"{contestant.called} wants to play from this address too. If that is you, answer this mail from here.",
        "yes",
        "Yes, it is mine",
        row,
        "Without an answer the address is not added.",
    )
    draft = Draft(kind="confirm", headline="One more address", asks=(ask,), services=False)
    letter = send(session, house, draft, now, address=address, purpose="new-address", questions=[row])
    letter.about_id = contestant.id
    return f"I wrote to {address}: answer that mail from there, and I shall know the address from then on."


def confirm(turn: Turn, letter: Letter, row: Question | None) -> tuple[str, str]:
    """The new address answered: it belongs to its contestant from now on."""
    contestant = turn.session.get_one(Contestant, letter.about_id)
    if row is None or contestant_of_address(turn.session, letter.address) is not None:
        return "refused", "the address was added or taken before; not answered"
    if not says_yes(turn.lines):
        if words(" ".join(turn.lines[:1]))[:1] == ("no",):
            close_question(row, "no", turn.now)
        return "refused", f"did not say yes to being {contestant.called}'s; not answered"
    close_question(row, "yes", turn.now)
    turn.session.add(Address(address=letter.address, contestant_id=contestant.id, confirmed_at=turn.now))
    lead = (f"From now on I know the address {letter.address} as yours. Letters go on to {contestant.address}.",)
    draft = Draft(kind="help", headline="One more address is yours", lead=lead)
    send(turn.session, turn.house, draft, turn.now, contestant=contestant, answering=turn.answering)
    return "answered", f"{letter.address} is an address of {contestant.called}"
