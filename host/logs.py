"""Edge: the log. In: a format and a stream. Out: one entry a line, with what it is about, and no tokens.

What others wrote is made visible, so that no terminal obeys it; the command line uses that too. structlog over the
standard logging, so that the entries of libraries come out in the same shape; commands that log nothing do without it.
"""

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from textwrap import indent
from typing import TYPE_CHECKING, Any, Literal, TextIO

from host.engine.chance import TOKEN, TOKEN_LENGTH

if TYPE_CHECKING:
    from structlog.typing import EventDict, Processor

QUIET = ("alembic", "apscheduler", "httpcore", "httpx", "mail.log")
HEAD = ("timestamp", "level", "logger", "event")
NEVER_TALKATIVE = "aioimaplib"  # below WARNING it logs whole mails and logins
ABOUT_NOTHING = (
    "apscheduler.scheduler"  # below ERROR it tells that a job which still lasts is not begun a second time, as is meant
)

# A token may follow an escaped sign: %2B in a link, =2B in a mail's source, \n in a quoted text.
_WORD = re.compile(
    rf"(?:(?<![a-z0-9])|(?<=[%=][0-9a-f]{{2}})|(?<=\\[nrt]))({TOKEN})(?![a-z0-9])", re.ASCII | re.IGNORECASE
)
_PLUS = re.compile(r"(?:\+|[%=]2b|=_(?:with_)?)\Z", re.IGNORECASE)
_REFERENCE = re.compile(r"Ref:\s+\S+\s+\Z", re.IGNORECASE)
_AT = re.compile(r"@|[%=]40|\]")
_AS_JSON = json.JSONEncoder(ensure_ascii=False).encode
_PLAIN = re.compile(r"[^\s\"'=\\]+")


def redact(text: str) -> str:
    """The text with each token cut to its first four characters.

    A token is a word of 26 of a-z and 2-7 that holds a digit, follows a `+`, a letter's `Ref:` or the `=_` of its boundaries,
    or stands before an `@` or `]`.
    """

    if len(text) < TOKEN_LENGTH:
        return text

    def shown(found: re.Match[str]) -> str:
        word = found[1]
        is_token = (
            any(sign.isdigit() for sign in word)
            or _PLUS.search(text, max(found.start() - 7, 0), found.start())
            or _AT.match(text, found.end())
            or _REFERENCE.search(text, max(found.start() - 40, 0), found.start())
        )
        return f"{word[:4]}…" if is_token else word

    return _WORD.sub(shown, text)


def redacted(value: Any) -> Any:
    """The same value, as JSON has them, without tokens."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, dict):
        return {redact(str(key)): redacted(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [redacted(each) for each in value]
    return redact(str(value))


def visible(text: str, kept: str = "") -> str:
    """The text with every sign escaped that cannot be printed (controls, what turns text round), those `kept` aside."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() or each in kept else each.encode("unicode_escape").decode("ascii") for each in text
    )


def all_visible(value: Any) -> Any:
    """The same value, as JSON has them, with all its texts made visible."""
    if isinstance(value, dict):
        return {all_visible(key): all_visible(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [all_visible(each) for each in value]
    return visible(value) if isinstance(value, str) else value


def visible_json(value: object) -> str:
    """The value as JSON on one line, in which signs that cannot be printed are escaped as JSON does, all others as they are."""
    text = _AS_JSON(value)
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else json.dumps(each)[1:-1] for each in text)


@contextmanager
def about(**fields: Any) -> Iterator[None]:
    """Every entry that is logged inside carries these fields; another thread's do where it runs in a copied context."""
    from structlog.contextvars import bound_contextvars

    with bound_contextvars(**fields):
        yield


def configure(format: Literal["text", "json"], stream: TextIO) -> None:
    """Log from INFO on to `stream`, as text (`2026-11-21 13:00:00 warning podium: words key=value`) or as JSON lines.

    Instants are UTC. Replaces the handlers that were there before.
    """
    import structlog

    finish: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.format_exc_info,
        _dated,
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        _ordered,
        _redacted,
        structlog.processors.JSONRenderer(lambda entry, **_: visible_json(entry)) if format == "json" else _as_text,
    ]
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.contextvars.merge_contextvars], processors=finish
        )
    )
    handler.addFilter(_is_wanted)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name in (*QUIET, NEVER_TALKATIVE):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger(ABOUT_NOTHING).setLevel(logging.ERROR)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
    )


def _is_wanted(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.WARNING or record.name.partition(".")[0] != NEVER_TALKATIVE


def _dated(_logger: Any, _method: str, entry: "EventDict") -> "EventDict":
    """When it was logged, to the millisecond; structlog's own stamp is the moment of writing, to the microsecond."""
    at = datetime.fromtimestamp(entry["_record"].created, UTC)
    entry["timestamp"] = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return entry


def _ordered(_logger: Any, _method: str, entry: "EventDict") -> "EventDict":
    """First what every entry has, then the rest by name: context variables have no order."""
    return {name: entry[name] for name in (*HEAD, *sorted(entry.keys() - HEAD))}


def _redacted(_logger: Any, _method: str, entry: "EventDict") -> "EventDict":
    return {name: redacted(value) for name, value in entry.items()}


def _as_text(_logger: Any, _method: str, entry: "EventDict") -> str:
    at, level, logger, event = (entry.pop(name) for name in HEAD)
    below = [str(entry.pop(name)) for name in ("stack_info", "exception") if name in entry]
    words = [f"{at[:10]} {at[11:19]} {level} {logger}: {visible(str(event))}"]
    words += [f"{name}={_quoted(value)}" for name, value in entry.items()]
    return "\n".join([" ".join(words), *(indent(visible(each, kept="\t\n"), "  ") for each in below)])


def _quoted(value: Any) -> str:
    text = value if isinstance(value, str) else visible_json(value)
    if _PLAIN.fullmatch(text) or not isinstance(value, str):
        return visible(text)
    return visible_json(text)
