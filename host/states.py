"""Pure: the states, purposes, kinds and outcomes that rows carry, each written once. In: nothing. Out: types, transitions.

What may become of a mail, a letter and a question is data here. docs/states.md is drawn from it, and the tests of the
corridor hold every change that a database saw against it. The types are `Literal`s and no enums: a row holds the word itself,
and mypy checks the word where it is written.
"""

from collections.abc import Mapping
from typing import Literal, get_args

Role = Literal["inbox", "turns", "outbox", "clock", "web"]
"""The roles of a process: read mailboxes, play what was stored, send letters, keep deadlines, serve pages."""
ROLES: tuple[Role, ...] = get_args(Role)

MailOutcome = Literal["played", "answered", "refused", "held", "silent", "stranger", "duplicate", "quarantined"]
"""The fate of a mail that was worked off."""
MailState = Literal["new", "deferred", "waiting", MailOutcome]
"""`deferred`: a registration that waits until the limits on answers allow one. `waiting`: one that waits until its sender has
confirmed another."""
Proof = Literal["pass", "fail", "none"]
"""How the check of a mail's sender ended."""

LetterState = Literal["queued", "sent", "failed", "cancelled"]
"""`queued`: still to be sent, also while a process is sending it."""
LetterKind = Literal[
    "confirm",
    "registered",
    "ready",
    "begin",
    "turn",
    "news",
    "refused",
    "reminder",
    "timeout",
    "result",
    "help",
    "alert",
]
"""The kind of a letter, as its header `X-Podium-Kind` says."""
QuestionPurpose = Literal["game", "ready", "confirm", "address", "new-address", "resign", "retire"]
"""The matter of a question: a game's, is somebody ready to play, did they register, is a held mail theirs, is an address
theirs, do they really resign, do they really give up a title."""
LetterPurpose = Literal[QuestionPurpose, "lobby", "name", "registration", "operator", "host", "login"]
"""The reason for a letter: to ask a question, or else to tell of a queue (`lobby`), to ask for a name or to answer a
registration otherwise, to tell operators something, to pass a contestant's words on to them (`host`), to let one in to the
desk (`login`)."""

TriedOutcome = Literal["sent", "later", "refused", "away"]
"""How an attempt to send a letter ended: accepted, to be tried again, refused for good, the server could not be used."""
SendOutcome = Literal[TriedOutcome, "late"]
"""`late`: it was not tried any more."""

QuestionOutcome = Literal[
    "settled",
    "over",
    "timeout",
    "silence",
    "back",
    "answered",
    "yes",
    "no",
    "not now",
    "left",
    "playing",
    "retired",
    "undeliverable",
]
"""How a question was closed."""

PremoveState = Literal["waiting", "played", "dropped", "cancelled"]
"""States of a command that was sent ahead."""
RegistrationState = Literal["unconfirmed", "waiting", "playing", "played", "left", "expired"]
"""States of a place in the queue of a game."""

QuestionState = Literal["unasked", "running", "stopped", "closed"]
"""The state that a question's instants tell (`asked_at`, `stopped_at`, `closed_at`); it has no column of its own."""

MAIL_TRANSITIONS: Mapping[MailState | None, Mapping[MailState, str]] = {
    None: {
        "new": "stored, it may concern somebody here",
        "stranger": "stored without its bytes, it concerns nobody here",
    },
    "new": {
        "played": "something of it was played, or is kept to be played later",
        "answered": "nothing was to be played, and it was dealt with",
        "refused": "nothing of it was accepted",
        "held": "it may be somebody else's, its contestant is asked",
        "silent": "not to be answered, such as a bounce or an automatic reply",
        "stranger": "opened, it concerns nobody here",
        "duplicate": "a copy of a mail that was read before",
        "quarantined": "it could not be read or played, the operators are told",
        "deferred": "a registration beyond the limits on answers",
        "waiting": "a registration of an address that is asked about another",
    },
    "deferred": {"new": "the limits allow an answer again"},
    "waiting": {
        "deferred": "the address confirmed the other registration",
        "refused": "the other registration came to nothing",
    },
    "held": {
        "played": "its contestant said that it is theirs, and it was played",
        "answered": "its contestant said that it is theirs, and it was dealt with",
        "refused": "its contestant said no or nothing, or nothing of it was accepted",
    },
    "quarantined": {"new": "the host tries it again"},
}
"""States that may follow a state of a mail, and why; what follows None is a mail's first state."""

LETTER_TRANSITIONS: Mapping[LetterState | None, Mapping[LetterState, str]] = {
    None: {"queued": "written, in the transaction that made it necessary"},
    "queued": {
        "sent": "accepted by the server",
        "failed": "refused for good, or put off for too long",
        "cancelled": "a reminder whose question is closed",
    },
    "failed": {"queued": "the host tries it again"},
}
"""States that may follow a state of a letter, and why; what follows None is a letter's first state."""

QUESTION_TRANSITIONS: Mapping[QuestionState | None, Mapping[QuestionState, str]] = {
    None: {"unasked": "opened"},
    "unasked": {
        "running": "the server accepted a letter that asks it, its clock starts",
        "closed": "it ended before it was asked",
    },
    "running": {
        "stopped": "a letter to its contestant came back, its clock stands still",
        "closed": "it was answered, or ended otherwise",
    },
    "stopped": {
        "running": "its contestant wrote, or it stood still for as long as it may",
        "closed": "it was answered, or ended otherwise",
    },
}
"""States that may follow a state of a question, and why; what follows None is a question's first state."""

QUESTION_OUTCOMES: Mapping[QuestionOutcome, str] = {
    "settled": "of a game: the table goes on without it, because it was answered or no longer matters",
    "over": "its episode is over",
    "timeout": "of a game: its deadline passed, and the rules say what follows",
    "silence": "of no game: its deadline passed",
    "back": "the host took its episode back to before it",
    "answered": "its contestant confirmed, or is ready",
    "yes": "the answer was yes",
    "no": "the answer was no",
    "not now": "its contestant is not ready, and is asked again later",
    "left": "its contestant left the queue, or stepped down as champion",
    "playing": "an episode began with its contestant meanwhile",
    "retired": "the champion whom it asked retired",
    "undeliverable": "the letter that asked it came back, and nobody had confirmed that address",
}
"""How a question was closed."""
