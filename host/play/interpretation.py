"""Pure: what came of a mail. In: nothing. Out: the types that `interpret` takes and gives."""

from dataclasses import dataclass
from typing import Any

from host.engine.events import Event
from host.play.services import Service

MOST_AHEAD = 20
"""Commands of a seat that may be kept until they are asked for."""
NO_COMMAND = "I found no command in it."
"""What is said of a reply in which nothing was read."""


@dataclass(frozen=True)
class ReplyContext:
    """Which questions a mail may answer: `fresh` are the keys of those that its letter asked and that are open.

    A letter that asked nothing can be replied to with a command that is sent ahead: `is_unasked`; `written_at` is the
    state when it was written, where that is known. `sent_before` are the commands that earlier replies to it had, `settled` the
    verbs that answer what it asked, and those of its writer since.
    `blocked` is a sentence where no command may be played at all (paused, late), or None. `takes_text`: may a lone line
    be an answer? `room_ahead` is how many more commands may be kept until they are asked for. `names` are the players'
    by seat, where they are known, `host_names` what the host is called.
    """

    fresh: frozenset[str]
    is_unasked: bool = False
    sent_before: frozenset[str] = frozenset()
    settled: frozenset[str] = frozenset()
    blocked: str | None = None
    written_at: Any = None
    takes_text: bool = True
    room_ahead: int = MOST_AHEAD
    names: tuple[str, ...] = ()
    host_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class SentAhead:
    """A command that is kept until its player is asked: in canonical words, with the scope it is good for."""

    text: str
    scope: str


@dataclass(frozen=True)
class Planned:
    """A command that a mail gives: in canonical words, and what was typed for it."""

    text: str
    typed: str


@dataclass(frozen=True)
class Question:
    """The question of a mail that is not certain: one sentence, what was typed, and what it may mean, the likeliest first.

    A reading is one command in canonical words, or several with commas between them. `rest` can be given besides.
    `takes_back` tells whether a part of the mail takes another back.
    """

    reason: str
    typed: str
    readings: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    takes_back: bool = False


@dataclass(frozen=True)
class RefusedLine:
    """A clause that stopped the rest: as it was typed, why it was not played, the rule that says so.

    `readings` are commands that it may mean, in canonical words. `is_unread` where nobody here could read it.
    """

    line: str
    reason: str
    clause: str = ""
    readings: tuple[str, ...] = ()
    is_unread: bool = False


@dataclass(frozen=True)
class ReadAs:
    """How something was read that did not say it in so many words: what was typed, and the command."""

    typed: str
    command: str


@dataclass(frozen=True)
class Read:
    """A mail as read, before anything of it is played: the commands of its `plan`, or a `question`; never both.

    `services` are what was asked of the host's service, in order and once each; `leaving` is the rest of a `leave` line,
    `to_host` the text for the operators, `chat` are clauses passed over as talk. `is_cancelling` drops what was sent ahead
    before; `read_as` are commands that were made out, `orders` are standing orders in canonical words.
    """

    plan: tuple[Planned, ...] = ()
    question: Question | None = None
    services: tuple[Service, ...] = ()
    leaving: str = ""
    to_host: str = ""
    chat: tuple[str, ...] = ()
    is_cancelling: bool = False
    read_as: tuple[ReadAs, ...] = ()
    orders: tuple[str, ...] = ()


@dataclass(frozen=True)
class Interpretation(Read):
    """A mail as played: all that it says, and what came of it.

    `said` are the accepted commands in canonical words, `ahead` those to keep until they are asked for; `read_as` tells of no
    others. `untried` is what was typed behind the command that was `refused`.
    """

    state: Any = None
    events: tuple[Event, ...] = ()
    said: tuple[str, ...] = ()
    refused: RefusedLine | None = None
    untried: tuple[str, ...] = ()
    ahead: tuple[SentAhead, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Did the mail say nothing that could be acted on?"""
        return not (self.said or self.ahead or self.refused or self.services or self.to_host)
