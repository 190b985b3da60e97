"""Pure: the question bank's files. TOML or CSV is read into entries, each fault named with its line.

TOML: `[[question]]` with `ask` and `answers`. CSV: the columns `ask` and `answers`, the latter split at `|`.
"""

import csv
import io
import tomllib
from collections.abc import Iterator
from typing import Any

from host.engine.game import Entry
from host.engine.words import pattern
from host.games.split_decision.state import State

MOST_FAULTS = 20
_UNSEEN = pattern(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]")


def read(name: str, text: str) -> tuple[Entry, ...]:
    """The entries of a file. Raises ValueError with a sentence a line, `line 3: …`, for all that is wrong with it."""
    rows = _toml(text) if name.lower().endswith(".toml") else _csv(text)
    entries: list[Entry] = []
    faults: list[str] = []
    for line, prompt, answers in rows:
        fault = _fault(prompt, answers)
        if fault:
            faults.append(f"line {line}: {fault}")
        else:
            entries.append(Entry(prompt.strip(), tuple(each.strip() for each in answers)))
    if faults:
        more = [f"and {len(faults) - MOST_FAULTS} more"] if len(faults) > MOST_FAULTS else []
        raise ValueError("\n".join([*faults[:MOST_FAULTS], *more]))
    return tuple(entries)


def _fault(prompt: Any, answers: Any) -> str:
    if not isinstance(prompt, str) or not prompt.strip():
        return "ask is missing or empty"
    if "\n" in prompt.strip() or "\r" in prompt.strip():
        return "ask has a line break; write it in one line"
    if not isinstance(answers, list) or not answers:
        return "answers are missing"
    if any(map(_UNSEEN.search, (prompt, *filter(lambda each: isinstance(each, str), answers)))):
        return "it has a sign that nobody can see, or that turns the text around; type it anew"
    for each in answers:
        if not isinstance(each, str) or not each.strip():
            return "an answer is empty"
        if not any(map(str.isalnum, each)):
            return f"the answer {each.strip()!r} has no letter and no digit, so nobody could give it"
        if any(sign in each.strip() for sign in "=|\n\r"):
            return f"the answer {each.strip()!r} has =, | or a line break, which would not survive in a record"
    return ""


def _toml(text: str) -> Iterator[tuple[int, Any, Any]]:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"not TOML: {error}") from None
    found = data.get("question")
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise ValueError("line 1: there is no [[question]]; each one needs ask and answers")
    lines = [at for at, line in enumerate(text.splitlines(), 1) if "".join(line.split()).startswith("[[question]]")]
    places = lines if len(lines) == len(found) else [0] * len(found)
    for line, each in zip(places, found, strict=True):
        yield line, each.get("ask"), each.get("answers")


def _csv(text: str) -> Iterator[tuple[int, Any, Any]]:
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    before = 0
    try:
        columns = [each.strip().lower() for each in next(reader, [])]
        if not {"ask", "answers"} <= set(columns) or len(set(columns)) < len(columns):
            raise ValueError("line 1: the columns have to be named ask and answers")
        before = reader.line_num
        for row in reader:
            if row:
                if len(row) != len(columns):
                    quote = "quote a field that has a comma in it"
                    raise ValueError(f"line {before + 1}: {len(row)} fields under {len(columns)} columns; {quote}")
                found = dict(zip(columns, row, strict=True))
                yield before + 1, found["ask"], found["answers"].split("|")
            before = reader.line_num
    except csv.Error as error:
        raise ValueError(f"line {before + 1}: {error}") from None


def say(entry: Entry) -> str:
    """The host's command that puts this question."""
    return f"ask {' '.join(entry.ask.split())} = {' | '.join(entry.answers)}"


def solve(state: State) -> str:
    """The right answer to the question that is put; empty where none is."""
    return state.question.answers[0] if state.question else ""
