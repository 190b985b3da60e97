"""Edge: the operator commands at the desk. In: a form with a command's arguments. Out: whether it is meant, then its deed.

The commands, their arguments and their words are those of the command line (`host.turn.operator_commands`). Each is asked
once before it is carried out. An episode that has moved on meanwhile is left alone: what the operator saw is no longer so.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import FormData, QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from host.engine import record
from host.store.database import Session
from host.store.episodes import episode_of_code, record_rows
from host.store.schema import Episode
from host.turn.operator_commands import CODE, COMMANDS, OperatorCommand
from host.turn.play import load_play
from host.turn.reports import HIDDEN, secret_lines
from host.turn.work import Work
from host.web.desk.forms import Visitor, seen, sent, text_of
from host.web.pages import PageError, Web, see

NAMED = {each.name: each for each in COMMANDS}


class MovedOn(Exception):
    """The episode is not as the operator saw it; `happened` are the record's lines since then."""

    def __init__(self, code: str, happened: list[str]) -> None:
        super().__init__(code)
        self.code, self.happened = code, happened


def routes(web: Web) -> list[Route]:
    """Asking, and doing."""
    return [seen(web, "confirm/", _confirm), sent(web, "do/", _do)]


def _confirm(visitor: Visitor, request: Request) -> Response:
    """Is it meant? Where an argument is missing or wrong, it is asked for.

    The form's word stands in the address: whoever comes back by the back button gets the form that was sent already.
    """
    command = _named(str(request.query_params.get("command", "")))
    typed = _typed(command, request.query_params)
    form = str(request.query_params.get("form", ""))
    if not form:
        return see(f"?{urlencode([*request.query_params.multi_items(), ('form', visitor.form)])}")
    problem = _problem(command, typed)
    with visitor.web.services.store.reading() as session:
        episode = _episode(session, command, typed)
        names = [seat.name for seat in episode.seats] if episode else []
        return visitor.page(
            session,
            "confirm.html",
            400 if problem and request.query_params.get("asked") else 200,
            command=command,
            typed=typed,
            problem=problem if request.query_params.get("asked") else "",
            is_ready=not problem,
            episode=episode,
            names=names,
            last=episode.last_line if episode else 0,
            words=log_words(command.audit_words(typed), is_open=True),
            word=form,
        )


def _do(visitor: Visitor, _request: Request, form: FormData) -> Response:
    command = _named(text_of(form, "command"))
    typed = {each.name: text_of(form, each.name).strip() for each in command.arguments}
    problem = _problem(command, typed)
    if problem:
        raise PageError(400, f"{problem} Nothing was done.")
    values = {each.name: each.read(typed[each.name]) for each in command.arguments}
    version, last = text_of(form, "version"), text_of(form, "last")
    seen = int(last) if last.isdecimal() and len(last) < 10 else 0

    def act(work: Work) -> str:
        episode = _episode(work.session, command, typed)
        if episode is not None and str(work.episode(episode.id).version) != version:
            raise MovedOn(
                episode.code,
                _lines_after(work.session, episode, seen),
            )
        return command.run(work, **values)

    code = typed.get("code", "").upper()
    try:
        done = visitor.carry_out(text_of(form, "form"), act, command.audit_words(typed), code)
    except MovedOn as moved:
        return visitor.page(None, "moved.html", 409, code=moved.code, happened=moved.happened)
    where = f"../episodes/{code}/" if code else "../queues/" if command.name == "begin" else "../"
    return see(f"{where}?done={done}")


def _named(name: str) -> OperatorCommand:
    if name not in NAMED:
        raise PageError(404, "There is no such command.")
    return NAMED[name]


def _typed(command: OperatorCommand, query: QueryParams) -> dict[str, str]:
    return {each.name: str(query.get(each.name, "")).strip() for each in command.arguments}


def _problem(command: OperatorCommand, typed: Mapping[str, str]) -> str:
    """What is wrong with the arguments, in a sentence; empty for nothing."""
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
            return f"{str(error)[:1].upper()}{str(error)[1:]}."
    return ""


def _episode(session: Session, command: OperatorCommand, typed: Mapping[str, Any]) -> Episode | None:
    if CODE not in command.arguments:
        return None
    found = episode_of_code(session, typed["code"])
    if found is None:
        raise PageError(404, "There is no such episode.")
    return found


def _lines_after(session: Session, episode: Episode, last: int) -> list[str]:
    """What was said and played since, in the record's words."""
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
