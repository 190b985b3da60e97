"""Edge: what needs the host's hand. In: an operator, a form. Out: the desk's first page, answers to contestants, commands.

The commands, their arguments and their words are those of the command line (`host.turn.operator_commands`). Each is asked
once before it is carried out. An episode that has moved on meanwhile is left alone: what the operator saw is no longer so.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import FormData
from starlette.responses import Response

from host.club import lobby
from host.engine import record
from host.engine.game import HOST, Game
from host.engine.words import table
from host.games import GAMES
from host.logs import redact
from host.mail.outbound.draft import TableView
from host.mail.outbound.formatting import first_up
from host.mail.outbound.render import question_words
from host.store import desk_pages, mails
from host.store.database import Session
from host.store.desk_access import see_to_words
from host.store.episodes import episode_of_code, record_rows
from host.store.health import ALIVE_WITHIN, OVERDUE_WITHIN, UNSENT_WITHIN, Signs, vital_signs
from host.store.people import count_waiting
from host.store.schema import FAILED, HELD, QUARANTINED, Contestant, Episode, Inbound, Letter, LobbyRow, SeenTo
from host.table.play import Play, load_play, loaded
from host.table.work import Services, Work
from host.turn import admin, operators
from host.turn.admin import AdminError
from host.turn.operator_commands import CODE, COMMANDS, PEOPLE_COMMANDS, OperatorCommand, read_time
from host.turn.outcome import host_questions
from host.turn.reports import HIDDEN, audited, secret_lines
from host.turn.service_words import REPLY_GOES
from host.web.desk.visitor import Visitor, text_of
from host.web.pages import PageError, see

ANSWERED_FOR = timedelta(hours=12)
"""A contestant's words are shown so long after they were answered."""
NAMED = {each.name: each for each in (*COMMANDS, *PEOPLE_COMMANDS)}
LABELS: dict[str, str] = table("host.web.desk", "labels.toml")
"""What the fields of commands are called on pages, by the name that stands in for them on the command line, or their own."""
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
    """All that waits for the host, and how the work stands; for a judge, what games ask."""
    asking = [play for each in desk_pages.episodes_asking_host(session) if (play := loaded(each))]
    asked = [each for play in asking for each in asked_of_host(play)]
    if not visitor.may("host"):
        return visitor.page(session, "judge.html", asked=asked)
    words = [
        {"letter": letter, "who": who, "episode": episode, "text": _said_in(letter), "seen": seen}
        for letter, who, episode, seen in desk_pages.words_to_host(session, visitor.now - ANSWERED_FOR)
    ]
    return visitor.page(
        session,
        "needs.html",
        asked=asked,
        within={"alive": ALIVE_WITHIN, "overdue": OVERDUE_WITHIN, "unsent": UNSENT_WITHIN},
        beginnings=_beginnings(session, visitor.web.services),
        words=[each for each in words if not each["seen"]],
        answered=[each for each in words if each["seen"]],
        quarantined=desk_pages.unseen(session, Inbound, QUARANTINED),
        failed=desk_pages.unseen(session, Letter, FAILED),
        held=desk_pages.in_state(session, Inbound, HELD, desk_pages.A_LOOK),
        bounced=desk_pages.bounced_contestants(session),
        stopped=desk_pages.count_stopped(session),
        signs=signs_of(session, visitor),
        heartbeat=mails.heartbeat(session),
    )


def _beginnings(session: Session, services: Services) -> list[tuple[Game[Any, Any], int]]:
    """The games that begin when the host says so, and could now: how many wait."""
    found = []
    for slug, settings in services.config.games.items():
        if settings.start != "host":
            continue
        waiting, least = count_waiting(session, slug, desk_pages.A_PAGE), min(GAMES[slug].seats)
        if waiting == least - 1 and (row := session.get(LobbyRow, slug)):
            waiting = lobby.present(session, row, desk_pages.A_PAGE)
        if waiting and waiting >= least:
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
        words = f"{first_up(str(error))}. Nothing was done: go back, your answer is still there."
        raise PageError(400, words) from None

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


@dataclass(eq=False)
class MovedOn(Exception):
    """The episode is not as the operator saw it; `happened` are the record's lines since then."""

    code: str
    happened: list[str]


def ask(visitor: Visitor, session: Session) -> Response:
    """Is it meant? Where an argument is missing or wrong, it is asked for.

    The form's word stands in the address: whoever comes back by the back button gets the form that was sent already.
    """
    query = visitor.request.query_params
    word = query.get("form", "")
    if not visitor.may_send(word):
        others = [each for each in query.multi_items() if each[0] != "form"]
        return see(f"?{urlencode([*others, ('form', visitor.form)])}")
    return _asked(visitor, session, word, query)


def ask_typed(visitor: Visitor, form: FormData) -> Response:
    """The same, of what was typed there: it stands in no address, where it would be cut, and logged by every server between."""
    word = text_of(form, "form")
    visitor.key_of_form(word)
    with visitor.web.services.store.reading() as session:
        return _asked(visitor, session, word, {name: text_of(form, name) for name in form})


def _asked(visitor: Visitor, session: Session, word: str, fields: Mapping[str, str]) -> Response:
    """The page that asks whether a command is meant; `word` is that of its form."""
    command = _named(fields.get("command", ""))
    typed = {each.name: fields.get(each.name, "").strip() for each in command.arguments}
    visitor.must(command.right_needed(typed))
    problem, is_asked = _problem(command, typed), bool(fields.get("asked"))
    episode = _episode(session, command, typed)
    version = fields.get("version", "")
    if episode is not None and version and version != str(episode.version):
        happened = _lines_after(session, episode, _line(fields.get("last", "")))
        return visitor.page(None, "moved.html", 409, code=episode.code, happened=happened)
    return visitor.page(
        session,
        "confirm.html",
        400 if problem and is_asked else 200,
        command=command,
        typed=typed,
        problem=problem if is_asked else "",
        is_ready=not problem,
        episode=episode,
        names=[seat.name for seat in episode.seats] if episode else [],
        version=episode.version if episode else 0,
        last=episode.last_line if episode else 0,
        words=log_words(command.audit_words(typed), is_open=True),
        word=word,
        labels=LABELS,
    )


def do(visitor: Visitor, form: FormData) -> Response:
    """Carry a command out, unless its episode has moved on since it was asked about."""
    command = _named(text_of(form, "command"))
    typed = {each.name: text_of(form, each.name).strip() for each in command.arguments}
    visitor.must(command.right_needed(typed))
    problem = _problem(command, typed)
    if problem:
        raise PageError(400, f"{problem} Nothing was done.")
    values = {each.name: each.read(typed[each.name]) for each in command.arguments}
    seen = _line(text_of(form, "last"))

    def act(work: Work) -> str:
        episode = _episode(work.session, command, typed)
        if episode is not None and str(work.episode(episode.id).version) != text_of(form, "version"):
            raise MovedOn(episode.code, _lines_after(work.session, episode, seen))
        return command.run(work, **values)

    code = typed.get("code", "").upper()
    where = f"../episodes/{code}/" if code else "../queues/" if command.name == "begin" else "../"
    try:
        return visitor.carry_out(form, act, command.audit_words(typed), code, then=where)
    except MovedOn as moved:
        return visitor.page(None, "moved.html", 409, code=moved.code, happened=moved.happened)


def _line(text: str) -> int:
    """The number of a record's line, as a page had it."""
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _named(name: str) -> OperatorCommand:
    if name not in NAMED:
        raise PageError(404, "There is no such command.")
    return NAMED[name]


def _problem(command: OperatorCommand, typed: Mapping[str, str]) -> str:
    """A sentence about what is wrong with the arguments; empty for nothing."""
    for each in command.arguments:
        text = typed[each.name]
        if not text and each.is_optional:
            continue
        label = LABELS.get(each.shown) or LABELS[each.name]
        if not text:
            return f"Something is missing: “{label}”."
        if each.choices and text not in each.choices:
            return f"“{label}” is one of: {', '.join(each.choices)}."
        try:
            each.read(text)
        except ValueError as error:
            return f"{first_up(str(error))}."
    return ""


def _episode(session: Session, command: OperatorCommand, typed: Mapping[str, Any]) -> Episode | None:
    if CODE not in command.arguments:
        return None
    found = episode_of_code(session, typed["code"])
    if found is None:
        raise PageError(404, "There is no such episode.")
    return found


def _lines_after(session: Session, episode: Episode, last: int) -> list[str]:
    """The lines of the record that were added since."""
    rows = record_rows(session, episode.id)
    secret = set(secret_lines(load_play(episode), rows)) if episode.over_at is None else set()
    return [
        HIDDEN if at in secret else line_words(record.read_line(row.text))
        for at, row in enumerate(rows)
        if row.line > last
    ]


def log_words(command: str, is_open: bool) -> str:
    """A command of the log, without the shell's signs; what was said in a player's place is theirs alone while they play."""
    return audited(command, is_open).replace(" --as ", " as ").replace(" --by ", " by ")


def line_words(line: record.Line) -> str:
    """A line of a record as people read it."""
    if isinstance(line, record.Say):
        return f"{line.player}: {line.text}"
    if isinstance(line, record.Timeout):
        return f"{line.player} did not answer in time"
    return f"the host went back to after line {line.line}"
