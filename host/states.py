"""Pure: the states, purposes, kinds and outcomes that rows carry, each written once. In: nothing. Out: types, transitions.

What may become of a mail, a letter and a question is data here: `docs/states.md` is drawn from it, and the tests of the
corridor hold every change that a database saw against it. An empty state stands for a row that was not there before.
"""

from typing import Literal

MailOutcome = Literal["played", "answered", "refused", "held", "silent", "stranger", "duplicate", "quarantined"]
"""What became of a mail that was worked off."""
MailState = Literal["new", "deferred", "waiting", MailOutcome]
"""`deferred`: a registration that waits until the limits on answers allow one. `waiting`: one that waits until its sender has
confirmed another."""
Proof = Literal["pass", "fail", "none"]
"""How the check of a mail's sender ended."""

LetterState = Literal["queued", "sending", "sent", "failed", "cancelled"]
"""`sending`: claimed by a process; on a SQLite file, which has one process, a letter stays `queued` meanwhile."""
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
"""What a letter is, as its header `X-Podium-Kind` says."""
QuestionPurpose = Literal["game", "ready", "confirm", "address", "new-address", "resign"]
"""What a question is about: a game's, is somebody ready to play, did they register, is a held mail theirs, is an address
theirs, do they really resign."""
LetterPurpose = Literal[QuestionPurpose, "lobby", "name", "registration", "operator", "host"]
"""What a letter was written for: to ask a question, or else to tell of a queue (`lobby`), to ask for a name or to answer a
registration otherwise, to tell operators something, to pass a contestant's words on to them (`host`)."""

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
"""Of a command that was sent ahead."""
RegistrationState = Literal["unconfirmed", "waiting", "playing", "played", "left", "expired"]
"""Of a place in the queue of a game."""
