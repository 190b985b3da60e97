"""Edge: the question bank at the desk. In: a file or a text of questions, a question anew. Out: rows of the bank."""

import hashlib
from collections.abc import Callable, Sequence

from starlette.datastructures import FormData, UploadFile
from starlette.responses import Response

from host.engine.game import Entry
from host.store.bank import entries_with_uses, is_put
from host.store.database import Session
from host.store.desk_pages import A_PAGE
from host.store.schema import BankEntry
from host.table.work import Work
from host.turn import question_bank
from host.turn.admin import AdminError
from host.web.desk.visitor import Visitor, last_number, text_of
from host.web.pages import PageError


def bank(visitor: Visitor, session: Session, status: int = 200, problem: str = "", text: str = "") -> Response:
    """The questions of the bank, and how to add to it."""
    game = question_bank.game_with_a_bank()
    entries = entries_with_uses(session, game.slug, visitor.before, A_PAGE)
    older = last_number([entry for entry, _ in entries])
    return visitor.page(
        session, "bank.html", status, game=game, entries=entries, older=older, problem=problem, text=text
    )


def import_questions(visitor: Visitor, form: FormData) -> Response:
    """Add the questions of a file or of a text."""
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
        return _refused(visitor, "Choose a file, or paste the questions.")
    is_toml = any("".join(line.split()).startswith("[[question]]") for line in text.splitlines())
    try:
        entries = question_bank.read_entries(game, "bank.toml" if is_toml else "bank.csv", text)
    except ValueError as error:
        return _refused(visitor, str(error), text)
    return _add(visitor, form, entries, f"questions import {name or 'at the desk'}")


def _refused(visitor: Visitor, problem: str, text: str = "") -> Response:
    with visitor.web.services.store.reading() as session:
        return bank(visitor, session, 400, f"Nothing was imported. {problem}", text)


def import_starter(visitor: Visitor, form: FormData) -> Response:
    """Add the questions that come with Podium."""
    entries = question_bank.starter(question_bank.game_with_a_bank())
    return _add(visitor, form, entries, "questions import starter")


def _add(visitor: Visitor, form: FormData, entries: Sequence[Entry], command: str) -> Response:
    game = question_bank.game_with_a_bank()
    done = visitor.carry_out(form, lambda work: question_bank.add_in_words(work, game, entries), command)
    question_bank.wake_all(visitor.web.services, game, visitor.now)
    return done


def question(visitor: Visitor, session: Session) -> Response:
    """One question."""
    entry = session.get(BankEntry, visitor.number)
    if entry is None:
        raise PageError(404, "There is no such question in the bank.")
    return visitor.page(session, "question.html", entry=entry, seen=_as_seen(entry), is_put=is_put(session, entry.id))


def _as_seen(entry: BankEntry) -> str:
    """A word for a question as it stands: a form that was made before somebody else changed it has another."""
    return hashlib.sha256("\n".join((entry.ask, *entry.answers)).encode()).hexdigest()[:16]


def change(visitor: Visitor, form: FormData) -> Response:
    """Put a question, or its right answers, in other words."""
    number, game = visitor.number, question_bank.game_with_a_bank()
    ask = " ".join(text_of(form, "ask").split())
    answers = tuple(" ".join(each.split()) for each in text_of(form, "answers").split("\n") if each.strip())
    entry, seen = Entry(ask, answers), text_of(form, "seen")

    @_refusing
    def act(work: Work) -> str:
        row = work.session.get(BankEntry, number)
        if row is not None and _as_seen(row) != seen:
            raise ValueError("Nothing was changed: somebody else changed this question since you opened it.")
        return question_bank.change_entry(work, game, number, entry)

    return visitor.carry_out(form, act, f"questions change {number}: {ask}")


def remove(visitor: Visitor, form: FormData) -> Response:
    """Take a question out of the bank."""
    number = visitor.number
    act = _refusing(lambda work: question_bank.remove_entry(work, number))
    return visitor.carry_out(form, act, f"questions remove {number}", then="../../")


def _refusing(act: Callable[[Work], str]) -> Callable[[Work], str]:
    def tried(work: Work) -> str:
        try:
            return act(work)
        except ValueError as error:
            raise AdminError(str(error)) from None

    return tried
