"""Edge: what a path answers. In: a status, words. Out: an `Answer`, which needs no server to be made."""

from dataclasses import dataclass
from http import HTTPStatus


@dataclass(frozen=True)
class Answer:
    """The answer of a path. `kind` is its media type."""

    status: HTTPStatus
    kind: str
    body: bytes


def sentence(status: HTTPStatus, words: str) -> Answer:
    """An answer of one line of text."""
    return Answer(status, "text/plain; charset=utf-8", f"{words}\n".encode())
