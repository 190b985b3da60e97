"""Edge: the operator commands at the desk. In: a form with a command's arguments. Out: whether it is meant, then its deed.

The commands, their arguments and their words are those of the command line (`host.turn.operator_commands`). Each is asked
once before it is carried out. An episode that has moved on meanwhile is left alone: what the operator saw is no longer so.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import FormData
from starlette.responses import Response

from host.engine import record
from host.mail.outbound.formatting import first_up
from host.store.database import Session
from host.store.episodes import episode_of_code, record_rows
from host.store.schema import Episode
from host.turn.operator_commands import CODE, COMMANDS, OperatorCommand
from host.turn.play import load_play
from host.turn.reports import HIDDEN, secret_lines
from host.turn.work import Work
from host.web.desk.visitor import Visitor, text_of
from host.web.pages import PageError, see

NAMED = {each.name: each for each in COMMANDS}


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
    command = _named(query.get("command", ""))
    word = query.get("form", "")
    if not word:
        return see(f"?{urlencode([*query.multi_items(), ('form', visitor.form)])}")
    typed = {each.name: visitor.asked_for(each.name) for each in command.arguments}
    problem, is_asked = _problem(command, typed), bool(query.get("asked"))
    episode = _episode(session, command, typed)
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
        last=episode.last_line if episode else 0,
        words=log_words(command.audit_words(typed), is_open=True),
        word=word,
    )


def do(visitor: Visitor, form: FormData) -> Response:
    """Carry a command out, unless its episode has moved on since it was asked about."""
    command = _named(text_of(form, "command"))
    typed = {each.name: text_of(form, each.name).strip() for each in command.arguments}
    problem = _problem(command, typed)
    if problem:
        raise PageError(400, f"{problem} Nothing was done.")
    values = {each.name: each.read(typed[each.name]) for each in command.arguments}
    last = text_of(form, "last")
    seen = int(last) if last.isdecimal() and len(last) < 10 else 0

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
        if not text:
            return f"Write {each.shown} too."
        if each.choices and text not in each.choices:
            return f"For {each.shown} there are: {', '.join(each.choices)}."
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
    before, said_as, rest = command.partition(" --as ")
    if said_as and not is_open:
        rest = f"{rest.partition(' ')[0]} {HIDDEN}"
    return f"{before}{said_as}{rest}".replace(" --as ", " as ").replace(" --by ", " by ")


def line_words(line: record.Line) -> str:
    """A line of a record as people read it."""
    if isinstance(line, record.Say):
        return f"{line.player}: {line.text}"
    if isinstance(line, record.Timeout):
        return f"{line.player} did not answer in time"
    return f"the host went back to after line {line.line}"
