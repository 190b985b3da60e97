"""What the states in a store did, held against docs/states.toml; and docs/states.md, drawn from it.

`python -m tests.states` writes docs/states.md anew.
"""

import sqlite3
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from textwrap import fill
from typing import get_args

from host import states

PAGE = Path(__file__).parents[1] / "docs" / "states.md"
DRAWN = tomllib.loads(PAGE.with_suffix(".toml").read_text("utf-8"))

Transitions = Mapping[str | None, Mapping[str, str]]
"""The states that may follow a state, and why; what follows None is a first state."""


def _transitions(table: str) -> Transitions:
    return {None if before == "first" else before: following for before, following in DRAWN[table].items()}


MAIL_TRANSITIONS, LETTER_TRANSITIONS = _transitions("mail"), _transitions("letter")
QUESTION_TRANSITIONS: Transitions = _transitions("question")
QUESTION_OUTCOMES: Mapping[str, str] = DRAWN["outcomes"]
"""How a question was closed."""

WORDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("inbound", "state"): get_args(states.MailState),
    ("inbound", "proof"): get_args(states.Proof),
    ("letters", "state"): get_args(states.LetterState),
    ("letters", "kind"): get_args(states.LetterKind),
    ("letters", "purpose"): get_args(states.LetterPurpose),
    ("questions", "purpose"): get_args(states.QuestionPurpose),
    ("questions", "outcome"): ("", *get_args(states.QuestionOutcome)),
    ("registrations", "state"): get_args(states.RegistrationState),
    ("kept", "state"): get_args(states.PremoveState),
}
"""The words that a column may hold."""

_QUESTION = (
    "CASE WHEN {0}.closed_at IS NOT NULL THEN 'closed' WHEN {0}.stopped_at IS NOT NULL THEN 'stopped' "
    "WHEN {0}.asked_at IS NOT NULL THEN 'running' ELSE 'unasked' END"
)
LIVES: dict[str, tuple[str, Transitions]] = {
    "inbound": ("{0}.state", MAIL_TRANSITIONS),
    "letters": ("{0}.state", LETTER_TRANSITIONS),
    "questions": (_QUESTION, QUESTION_TRANSITIONS),
}
"""By table: what says the state of a row, and what may follow what."""

Change = tuple[str, str | None, str]
"""A table, the state before (None: the row is new), and the state after."""


def watch(file: Path) -> None:
    """Have a SQLite database note every change of a state from now on, and every word it is given."""
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript("\n".join(_triggers()))


def _triggers() -> Iterator[str]:
    yield "CREATE TABLE seen_words (place TEXT, word TEXT, UNIQUE (place, word) ON CONFLICT IGNORE);"
    yield "CREATE TABLE seen_changes (place TEXT, before TEXT, after TEXT, UNIQUE (place, before, after));"
    for table, column in WORDS:
        note = f"INSERT INTO seen_words VALUES ('{table}.{column}', NEW.{column});"
        yield f"CREATE TRIGGER {table}_{column}_new AFTER INSERT ON {table} BEGIN {note} END;"
        yield f"CREATE TRIGGER {table}_{column}_set AFTER UPDATE OF {column} ON {table} BEGIN {note} END;"
    for table, (expression, _) in LIVES.items():
        before, after = expression.format("OLD"), expression.format("NEW")
        note = f"INSERT OR IGNORE INTO seen_changes VALUES ('{table}',"
        yield f"CREATE TRIGGER {table}_begins AFTER INSERT ON {table} BEGIN {note} '', {after}); END;"
        yield (
            f"CREATE TRIGGER {table}_changes AFTER UPDATE ON {table} WHEN {before} <> {after} "
            f"BEGIN {note} {before}, {after}); END;"
        )


def changes(file: Path) -> set[Change]:
    """The changes of states that a watched database saw."""
    with closing(sqlite3.connect(file)) as connection:
        return {
            (table, before or None, after) for table, before, after in connection.execute("SELECT * FROM seen_changes")
        }


def allowed() -> set[Change]:
    """The changes that docs/states.toml has."""
    return {
        (table, before, after)
        for table, (_, transitions) in LIVES.items()
        for before, following in transitions.items()
        for after in following
    }


def unexpected(file: Path) -> list[str]:
    """What a watched database saw and docs/states.toml does not have, in words."""
    with closing(sqlite3.connect(file)) as connection:
        words = connection.execute("SELECT place, word FROM seen_words").fetchall()
    wrong = [f"{place}: {word!r}" for place, word in words if word not in WORDS[_place(place)]]
    return wrong + [f"{table}: {before or 'nothing'} -> {after}" for table, before, after in changes(file) - allowed()]


def _place(name: str) -> tuple[str, str]:
    table, _, column = name.partition(".")
    return table, column


def page() -> str:
    """docs/states.md, as docs/states.toml has it."""
    parts = [
        "# States",
        "What becomes of a mail, a letter and a question. Drawn from `docs/states.toml` by `python -m tests.states`: change "
        "that file, then run this. While the tests of the corridor run, the database notes every change of a state, and "
        "each has to be here.",
        "## A mail",
        "The column `inbound.state`, which `podium mail` shows as a mail's outcome.",
        _diagram(MAIL_TRANSITIONS),
        "## A letter",
        "The column `letters.state`, which `podium mail` shows as a letter's outcome. On a SQLite file a letter "
        "stays `queued` while it is sent.",
        _diagram(LETTER_TRANSITIONS),
        "## A question",
        "What `asked_at`, `stopped_at` and `closed_at` of a question say. The host's pause of an episode is not "
        "among them: while it lasts, no clock of the episode runs, whatever the state.",
        _diagram(QUESTION_TRANSITIONS),
        "How a question was closed is its `outcome`:",
        "\n".join(
            [
                "| outcome | when |",
                "| --- | --- |",
                *(f"| `{each}` | {why} |" for each, why in QUESTION_OUTCOMES.items()),
            ]
        ),
    ]
    return "\n\n".join(each if "\n" in each else fill(each, 120) for each in parts) + "\n"


def _diagram(transitions: Transitions) -> str:
    lines = ["```mermaid", "stateDiagram-v2"]
    for before, following in transitions.items():
        lines += [f"    {before or '[*]'} --> {after}: {why}" for after, why in following.items()]
    ends = dict.fromkeys(after for following in transitions.values() for after in following if after not in transitions)
    lines += [f"    {each} --> [*]" for each in ends]
    return "\n".join([*lines, "```"])


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
