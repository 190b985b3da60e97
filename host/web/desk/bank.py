"""Edge: the question bank at the desk. In: a file or a text of questions, a question anew. Out: rows of the bank."""

from collections.abc import Sequence

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from host.engine.game import Entry
from host.store import desk
from host.turn import question_bank
from host.turn.admin import AdminError
from host.turn.work import Work
from host.web.desk.forms import Visitor, seen, sent, text_of
from host.web.desk.paging import before_of, last_number, number_of
from host.web.pages import PageError, Web, many, see


def routes(web: Web) -> list[Route]:
    """The bank; adding to it, changing and taking out a question."""
    return [
        seen(web, "bank/", _list),
        sent(web, "bank/import/", _import),
        sent(web, "bank/starter/", _starter),
        seen(web, "bank/{number:int}/", _one),
        sent(web, "bank/{number:int}/change/", _change),
        sent(web, "bank/{number:int}/remove/", _remove),
    ]


def _list(visitor: Visitor, request: Request, status: int = 200, problem: str = "", text: str = "") -> Response:
    game = question_bank.game_with_a_bank()
    with visitor.web.services.store.reading() as session:
        entries = desk.bank_entries(session, game.slug, before_of(request))
        older = last_number([entry for entry, _ in entries])
        return visitor.page(
            session, "bank.html", status, game=game, entries=entries, older=older, problem=problem, text=text
        )


def _import(visitor: Visitor, request: Request, form: FormData) -> Response:
    game = question_bank.game_with_a_bank()
    name, text = "", text_of(form, "text")
    upload = form.get("file")
    if isinstance(upload, UploadFile) and upload.filename:
        name = upload.filename
        try:
            text = upload.file.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise PageError(400, "This file is not UTF-8 text, so nothing was imported: save it as UTF-8.") from None
    if not text.strip():
        return _list(visitor, request, 400, "Nothing was imported. Choose a file, or paste the questions.")
    is_toml = any("".join(line.split()).startswith("[[question]]") for line in text.splitlines())
    try:
        entries = question_bank.read_entries(game, "bank.toml" if is_toml else "bank.csv", text)
    except ValueError as error:
        return _list(visitor, request, 400, f"Nothing was imported. {error}", text)
    return _add(visitor, form, entries, f"questions import {name or 'at the desk'}")


def _starter(visitor: Visitor, _request: Request, form: FormData) -> Response:
    """The questions that come with Podium."""
    entries = question_bank.starter(question_bank.game_with_a_bank())
    return _add(visitor, form, entries, "questions import starter")


def _add(visitor: Visitor, form: FormData, entries: Sequence[Entry], command: str) -> Response:
    game = question_bank.game_with_a_bank()

    def act(work: Work) -> str:
        new, known = question_bank.add_entries(work, game, entries)
        return f"{_were(new)} added" + (f", {_were(known)} in the bank already." if known else ".")

    done = visitor.carry_out(text_of(form, "form"), act, command)
    question_bank.wake_all(visitor.web.services, game, visitor.now)
    return see(f"../?done={done}")


def _were(count: int) -> str:
    return f"{many(count, 'question')} {'was' if count == 1 else 'were'}"


def _one(visitor: Visitor, request: Request) -> Response:
    number = number_of(request)
    with visitor.web.services.store.reading() as session:
        entry = desk.bank_entry(session, number)
        if entry is None:
            raise PageError(404, "There is no such question in the bank.")
        return visitor.page(session, "question.html", entry=entry, is_put=desk.is_put(session, number))


def _change(visitor: Visitor, request: Request, form: FormData) -> Response:
    number = number_of(request)
    ask = " ".join(text_of(form, "ask").split())
    answers = [" ".join(each.split()) for each in text_of(form, "answers").split("\n") if each.strip()]
    game = question_bank.game_with_a_bank()

    def act(work: Work) -> str:
        try:
            return question_bank.change_entry(work, game, number, Entry(ask, tuple(answers)))
        except ValueError as error:
            raise AdminError(str(error)) from None

    done = visitor.carry_out(text_of(form, "form"), act, f"questions change {number}: {ask}")
    return see(f"../?done={done}")


def _remove(visitor: Visitor, request: Request, form: FormData) -> Response:
    number = number_of(request)

    def act(work: Work) -> str:
        try:
            return question_bank.remove_entry(work, number)
        except ValueError as error:
            raise AdminError(str(error)) from None

    done = visitor.carry_out(text_of(form, "form"), act, f"questions remove {number}")
    return see(f"../../?done={done}")
