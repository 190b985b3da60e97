"""Edge: the first page of the desk. In: an operator. Out: all that needs the host, and answers to what contestants wrote."""

from datetime import datetime, timedelta
from typing import Any

from starlette.datastructures import FormData
from starlette.responses import Response

from host.engine.game import HOST, Game
from host.games import GAMES
from host.logs import redact
from host.mail.outbound.draft import TableView
from host.mail.outbound.formatting import first_up
from host.mail.outbound.render import question_words, time_left
from host.store import desk_pages, mails
from host.store.database import Session
from host.store.desk_access import see_to_words
from host.store.health import ALIVE_WITHIN, OVERDUE_WITHIN, UNSENT_WITHIN, Signs, vital_signs
from host.store.people import count_waiting
from host.store.schema import FAILED, HELD, QUARANTINED, Contestant, Heartbeat, Inbound, Letter, SeenTo
from host.turn import admin, operators
from host.turn.admin import AdminError
from host.turn.operator_commands import read_time
from host.turn.outcome import host_questions
from host.turn.play import Play, load_play
from host.turn.service_words import REPLY_GOES
from host.turn.work import Services, Work
from host.web.desk.visitor import Visitor, text_of
from host.web.pages import PageError, many

ANSWERED_FOR = timedelta(hours=12)
"""A contestant's words are shown so long after they were answered."""
LET_GO = "It is not kept any more."


def asked_of_host(play: Play) -> list[dict[str, Any]]:
    """The questions of an episode that wait for the host: in words, and what could be said."""
    table = TableView(play.game.slug, play.game.view(play.state, None), play.names, HOST)
    return [
        {
            "play": play,
            "words": question_words(play.game.slug, each.phase, table),
            "choices": play.game.choices(play.state, each),
        }
        for each in host_questions(play)
    ]


def signs_of(session: Session, visitor: Visitor) -> Signs:
    """The signs of how the work stands."""
    return vital_signs(session, visitor.now, visitor.web.services.config.mailboxes)


def first_page(visitor: Visitor, session: Session) -> Response:
    """All that waits for the host, and how the work stands."""
    asking = [load_play(each) for each in desk_pages.episodes_asking_host(session)]
    words = [
        {"letter": letter, "who": who, "episode": episode, "text": _said_in(letter), "seen": seen}
        for letter, who, episode, seen in desk_pages.words_to_host(session, visitor.now - ANSWERED_FOR)
    ]
    signs, beat = signs_of(session, visitor), mails.heartbeat(session)
    return visitor.page(
        session,
        "needs.html",
        asked=[each for play in asking for each in asked_of_host(play)],
        troubles=_troubles(signs, beat, visitor.now),
        beginnings=_beginnings(session, visitor.web.services),
        words=[each for each in words if not each["seen"]],
        answered=[each for each in words if each["seen"]],
        quarantined=desk_pages.unseen(session, Inbound, QUARANTINED),
        failed=desk_pages.unseen(session, Letter, FAILED),
        held=desk_pages.in_state(session, Inbound, HELD, desk_pages.A_LOOK),
        bounced=desk_pages.bounced_contestants(session),
        stopped=desk_pages.count_stopped(session),
        signs=signs,
        heartbeat=beat,
    )


def _troubles(signs: Signs, beat: Heartbeat | None, now: datetime) -> list[str]:
    """Sentences about what does not go on by itself as it should."""
    found = []
    if beat is None or now - beat.wall > ALIVE_WITHIN:
        seen = f"was last seen {time_left(now - beat.wall)} ago" if beat else "has not been seen yet"
        found.append(f"The daemon {seen}: is podium run running?")
    if signs.oldest_overdue_at and now - signs.oldest_overdue_at > OVERDUE_WITHIN:
        found.append(f"{many(signs.deadlines_overdue, 'deadline')} should have been worked off: see the daemon's log.")
    if signs.oldest_unsent_at and now - signs.oldest_unsent_at > UNSENT_WITHIN:
        waiting = time_left(now - signs.oldest_unsent_at)
        found.append(f"{many(signs.letters_unsent, 'letter')} could not be sent, one for {waiting}: see podium check.")
    return found


def _beginnings(session: Session, services: Services) -> list[tuple[Game[Any, Any], int]]:
    """The games that begin when the host says so, and could now: how many wait."""
    found = []
    for slug, settings in services.config.games.items():
        waiting = count_waiting(session, slug, desk_pages.A_PAGE) if settings.start == "host" else 0
        if waiting and waiting >= min(GAMES[slug].seats):
            found.append((GAMES[slug], waiting))
    return found


def _said_in(letter: Letter) -> str:
    """The words of a contestant that a letter brought to operators."""
    from host.mail.inbound.sent_text import letter_forms

    whole, _ = letter_forms(letter.message) if letter.message else (LET_GO, "")
    _, _, said = whole.partition("writes:")
    text, found, _ = said.rpartition(REPLY_GOES)
    return redact(text if found else whole).strip()


def answer(visitor: Visitor, form: FormData) -> Response:
    """Answer what a contestant wrote, or put it aside."""
    number = visitor.number
    text, more = text_of(form, "text").strip(), text_of(form, "more").strip()
    try:
        by = read_time(more) if more else None
    except ValueError as error:
        raise PageError(
            400, f"{first_up(str(error))}. Nothing was done: go back, your answer is still there."
        ) from None

    def act(work: Work) -> str:
        letter = work.session.get(Letter, number)
        if letter is None or letter.purpose != "host" or letter.about_id is None:
            raise AdminError("There are no such words of a contestant any more; nothing was done.")
        before = work.session.get(SeenTo, f"out {number}")
        if before is not None:
            raise AdminError(f"{before.who} has seen to this already; nothing was sent.")
        if not text and by is None:
            see_to_words(work.session, letter, work.now, visitor.address)
            return "It is put aside; nothing was written to them."
        contestant = operators.contestant_of(work, letter)
        lines, given = text.split("\n") if text else [], ""
        if by is not None:
            given = _give_time(work, letter, contestant, by, more, visitor.address)
            lines.append(admin.MORE_TIME)
        operators.pass_on(work, letter, contestant, lines, visitor.address)
        return f"Your answer goes to {contestant.called}. {given}".strip()

    return visitor.carry_out(form, act, f"answer words {number}: {text or 'nothing'}", then="../../")


def _give_time(work: Work, letter: Letter, contestant: Contestant, by: timedelta | str, more: str, who: str) -> str:
    """Move the deadline of whoever wrote; the letter that tells it is the answer."""
    play = load_play(work.episode(letter.episode_id)) if letter.episode_id is not None else None
    seat = play.seat_of(contestant.id) if play else None
    if play is None or seat is None:
        raise AdminError(f"{contestant.called} is in no episode that this was written about; nothing was done.")
    _, _, said = admin.give_time(work, play.episode.code, seat.name, by)
    admin.audit(work, who, f"extend {play.episode.code} {seat.name} --by {more}"[:400], play.episode.code)
    return said
