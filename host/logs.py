"""Edge: the log. In: a format and a stream. Out: one entry a line, with what it is about, and no tokens.

Texts of others are made visible, so that no terminal obeys them; the command line uses that too. It is the standard logging
with a formatter, so that the entries of libraries come out in the same shape.
"""

import functools
import json
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from textwrap import indent
from types import MappingProxyType
from typing import Any, Literal, TextIO

from host.engine.chance import TOKEN, TOKEN_LENGTH

QUIET = ("alembic", "apscheduler", "httpcore", "httpx", "mail.log")
HEAD = ("timestamp", "level", "logger", "event")
NEVER_TALKATIVE = "aioimaplib"  # below WARNING it logs whole mails and logins
ABOUT_NOTHING = (
    "apscheduler.scheduler"  # below ERROR it tells that a job which still lasts is not begun a second time, as is meant
)

_ABOUT: ContextVar[Mapping[str, Any]] = ContextVar("about", default=MappingProxyType({}))
_AS_JSON = json.JSONEncoder(ensure_ascii=False).encode


@functools.cache
def _token() -> re.Pattern[str]:
    # it may follow an escaped sign: %2B in a link, =2B in a mail's source, \n in a quoted text
    begin = r"(?:(?<![a-z0-9])|(?<=[%=][0-9a-f]{2})|(?<=\\[nrt]))"
    return re.compile(rf"{begin}({TOKEN})(?![a-z0-9])", re.ASCII | re.IGNORECASE)


def redact(text: str) -> str:
    """The text with each token cut to its first four characters.

    A token is a word of 26 of a-z and 2-7 that holds a digit, follows a `+`, a letter's `Ref:` or the `=_` of its boundaries,
    or stands before an `@` or `]`.
    """

    def shown(found: re.Match[str]) -> str:
        word, before = found[1], text[max(found.start() - 40, 0) : found.start()]
        is_token = (
            any(sign.isdigit() for sign in word)
            or re.search(r"(?:\+|[%=]2b|=_(?:with_)?|Ref:\s+\S+\s+)\Z", before, re.IGNORECASE)
            or re.match(r"@|[%=]40|\]", text[found.end() : found.end() + 3])
        )
        return f"{word[:4]}…" if is_token else word

    return text if len(text) < TOKEN_LENGTH else _token().sub(shown, text)


def redacted(value: Any) -> Any:
    """The same value, as JSON has them, without tokens."""
    return _each(
        value, lambda each: each if each is None or isinstance(each, bool | int | float) else redact(str(each))
    )


def visible(text: str, kept: str = "") -> str:
    """The text with every sign escaped that cannot be printed (controls, what turns text round), those `kept` aside."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() or each in kept else each.encode("unicode_escape").decode("ascii") for each in text
    )


def all_visible(value: Any) -> Any:
    """The same value, as JSON has them, with all its texts made visible."""
    return _each(value, lambda each: visible(each) if isinstance(each, str) else each)


def _each(value: Any, change: Callable[[Any], Any]) -> Any:
    """The same value, with all in it changed that holds nothing itself."""
    if isinstance(value, dict):
        return {change(key): _each(held, change) for key, held in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_each(held, change) for held in value]
    return change(value)


def visible_json(value: object) -> str:
    """The value as JSON on one line, in which signs that cannot be printed are escaped as JSON does, all others as they are."""
    text = _AS_JSON(value)
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else json.dumps(each)[1:-1] for each in text)


@contextmanager
def about(**fields: Any) -> Iterator[None]:
    """Every entry that is logged inside carries these fields; another thread's do where it runs in a copied context."""
    outer = _ABOUT.set({**_ABOUT.get(), **fields})
    try:
        yield
    finally:
        _ABOUT.reset(outer)


def configure(format: Literal["text", "json"], stream: TextIO) -> None:
    """Log from INFO on to `stream`, as text (`2026-11-21 13:00:00 warning podium: words key=value`) or as JSON lines.

    Instants are UTC. Replaces the handlers that were there before.
    """
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_Formatter(visible_json if format == "json" else _as_text))
    handler.addFilter(_is_wanted)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name in (*QUIET, NEVER_TALKATIVE):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger(ABOUT_NOTHING).setLevel(logging.ERROR)


def _is_wanted(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.WARNING or record.name.partition(".")[0] != NEVER_TALKATIVE


class _Formatter(logging.Formatter):
    """An entry as `write` has it: when, how grave, whose and what, then the fields by name, all without tokens."""

    def __init__(self, write: Callable[[dict[str, Any]], str]) -> None:
        super().__init__()
        self._write = write

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        head = (at.replace("+00:00", "Z"), record.levelname.lower(), record.name, record.getMessage())
        fields = {**_ABOUT.get()}
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        if record.stack_info:
            fields["stack_info"] = record.stack_info
        entry = dict(zip(HEAD, head, strict=True))
        entry |= {name: fields[name] for name in sorted(fields.keys() - HEAD)}
        return self._write({name: redacted(value) for name, value in entry.items()})


def _as_text(entry: dict[str, Any]) -> str:
    at, level, logger, event = (entry.pop(name) for name in HEAD)
    below = [str(entry.pop(name)) for name in ("stack_info", "exception") if name in entry]
    words = [f"{at[:10]} {at[11:19]} {level} {logger}: {visible(str(event))}"]
    words += [f"{name}={_quoted(value)}" for name, value in entry.items()]
    return "\n".join([" ".join(words), *(indent(visible(each, kept="\t\n"), "  ") for each in below)])


def _quoted(value: Any) -> str:
    text = value if isinstance(value, str) else visible_json(value)
    if re.fullmatch(r"[^\s\"'=\\]+", text) or not isinstance(value, str):
        return visible(text)
    return visible_json(text)
