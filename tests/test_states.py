"""The states that are drawn are those of the types, and what the tests of the corridor watch would be seen."""

from pathlib import Path
from typing import Any, get_args

import pytest
from sqlalchemy import text

from host import states
from host.store import queues
from host.store.database import Store, open_store
from tests.states import (
    LETTER_TRANSITIONS,
    MAIL_TRANSITIONS,
    PAGE,
    QUESTION_OUTCOMES,
    QUESTION_TRANSITIONS,
    Transitions,
    allowed,
    changes,
    page,
    unexpected,
    watch,
)


def test_the_page_is_drawn_from_the_types() -> None:
    assert PAGE.read_text("utf-8") == page(), "run python -m tests.states"


@pytest.mark.parametrize(
    ("words", "transitions"),
    [
        (states.MailState, MAIL_TRANSITIONS),
        (states.LetterState, LETTER_TRANSITIONS),
        (states.QuestionState, QUESTION_TRANSITIONS),
    ],
)
def test_every_state_can_be_reached(words: Any, transitions: Transitions) -> None:
    reached: set[str | None] = set()
    new: set[str | None] = {None}
    while new:
        reached |= new
        new = {after for before in new for after in transitions.get(before, {}) if after not in reached}
    assert reached == {None, *get_args(words)}


def test_every_outcome_is_explained() -> None:
    assert set(QUESTION_OUTCOMES) == set(get_args(states.QuestionOutcome))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    queues.open_mailbox(store, "INBOX")
    watch(tmp_path / "a.db")
    return store


def keep(store: Store, state: str) -> None:
    columns = "mailbox, uidvalidity, uid, arrived_at, fetched_at, size, state, sender, lines, note"
    with store.transaction() as session:
        session.execute(
            text(
                f"INSERT INTO inbound ({columns}) VALUES ('INBOX', 0, 1, '2026-11-20', '2026-11-20', 1, '{state}', "
                "'', '[]', '')"
            )
        )


def becomes(store: Store, state: str) -> None:
    with store.transaction() as session:
        session.execute(text(f"UPDATE inbound SET state = '{state}'"))


def test_a_change_that_nobody_drew_is_seen(store: Store, tmp_path: Path) -> None:
    keep(store, "new")
    becomes(store, "quarantined")
    becomes(store, "new")
    becomes(store, "held")
    assert unexpected(tmp_path / "a.db") == []
    becomes(store, "quarantined")
    assert unexpected(tmp_path / "a.db") == ["inbound: held -> quarantined"]
    assert changes(tmp_path / "a.db") - allowed() == {("inbound", "held", "quarantined")}


def test_a_beginning_that_nobody_drew_is_seen(store: Store, tmp_path: Path) -> None:
    keep(store, "played")
    assert unexpected(tmp_path / "a.db") == ["inbound: nothing -> played"]


def test_a_word_that_is_none_of_the_type_is_seen(store: Store, tmp_path: Path) -> None:
    keep(store, "new")
    becomes(store, "broken")
    assert unexpected(tmp_path / "a.db") == ["inbound.state: 'broken'", "inbound: new -> broken"]
