"""Pure: the states, purposes, kinds and outcomes that rows carry, each written once. In: nothing. Out: types.

The types are `Literal`s and no enums: a row holds the word itself, and mypy checks the word where it is written. Which state may
follow which stands in docs/states.toml.
"""

from typing import Literal, get_args

Role = Literal["inbox", "turns", "outbox", "clock", "web"]
"""The roles of a process: read mailboxes, play what was stored, send letters, keep deadlines, serve pages."""
ROLES: tuple[Role, ...] = get_args(Role)

Right = Literal["judge", "host", "owner"]
"""What somebody of the house may do; each may what those before may. A judge answers what games ask the host, a host runs the
games, an owner also begins and closes seasons, merges and forgets contestants."""
RIGHTS: tuple[Right, ...] = get_args(Right)


def suffices(right: Right, needed: Right) -> bool:
    """May whoever has `right` do what takes `needed`?"""
    return RIGHTS.index(right) >= RIGHTS.index(needed)


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
QuestionPurpose = Literal[
    "game",
    "ready",
    "confirm",
    "address",
    "new-address",
    "resign",
    "retire",
    "rematch",
    "invitation",
    "forget",
    "move",
    "seat",
]
"""The matter of a question: a game's, is somebody ready to play, did they register, is a held mail theirs, is an address
theirs, do they really resign, do they really give up a title, do they play once more with somebody, do they play with who
invites them, are they to be forgotten, do letters go to another address of theirs from now on, may a seat change hands."""
LetterPurpose = Literal[QuestionPurpose, "lobby", "name", "registration", "operator", "host", "login", "call", "watch"]
"""The reason for a letter: to ask a question, or else to tell of a queue (`lobby`), to ask for a name or to answer a
registration otherwise, to tell operators something, to pass a contestant's words on to them (`host`), to let one in to the
desk (`login`), to call a former player to a start (`call`), to tell one who reads along what is new (`watch`)."""

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
