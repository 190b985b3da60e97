"""Shell: one mail on its way through the corridor. In: what was read in it. Out: what every step of the way asks for."""

import functools
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, NamedTuple

from host.engine.game import Game
from host.mail.inbound.mail import Mail, Typed
from host.mail.inbound.parsing import without_reference
from host.mail.outbound.draft import Draft
from host.states import LetterKind, LetterPurpose, MailState, Proof
from host.store.mails import count_answers_to
from host.store.schema import Contestant, Inbound, Letter, QuestionRow
from host.turn.letters import Answering, send
from host.turn.play import Play
from host.turn.work import Work

ANSWERS_AN_HOUR = 20
ANSWERS_A_DAY = 100
"""Answers to mails that played nothing, to one address; more would feed a mail loop."""
ANSWERS_WITHOUT_TOKEN = 5


class Verdict(NamedTuple):
    """The fate of a mail: its state, and a note for the host."""

    state: MailState
    note: str


@dataclass(frozen=True)
class Opened:
    """A mail as it was read.

    `typed` is what the person typed, `proof` how the check of its sender ended, `second` the command that the second reader
    takes it for, empty where that was not asked or did not help.
    """

    mail: Mail
    typed: Typed = field(default_factory=lambda: Typed(()))
    proof: Proof = "none"
    second: str = ""

    @property
    def is_forged(self) -> bool:
        """Did its authentication fail?"""
        return self.proof == "fail"


@dataclass(frozen=True)
class Turn:
    """One mail in its transaction: the `letters` of ours that it names, in their order, and the content keys `seen` before."""

    work: Work
    answering: Answering
    opened: Opened
    letters: Sequence[Letter] = ()
    seen: Collection[str | None] = ()

    @property
    def mail(self) -> Mail:
        """The mail, opened."""
        return self.answering.mail

    @property
    def inbound(self) -> Inbound:
        """Its row."""
        return self.answering.inbound

    @functools.cached_property
    def lines(self) -> Sequence[str]:
        """The typed lines, which others may be shown: no reference to a letter passes in them."""
        return tuple(filter(None, map(without_reference, self.opened.typed.lines)))

    def answer(
        self,
        to: Contestant | str,
        headline: str,
        *lead: str,
        about: Play | Game[Any, Any] | None = None,
        kind: LetterKind = "help",
        purpose: LetterPurpose = "lobby",
        questions: Sequence[QuestionRow] = (),
        **parts: Any,
    ) -> None:
        """Answer the mail by a letter of these paragraphs; `parts` are what else its `Draft` has."""
        draft = Draft(kind=kind, headline=headline, lead=lead, **parts)
        send(self.work, draft, to, about, purpose=purpose, questions=questions, answering=self.answering)

    def is_capped(self, address: str) -> bool:
        """Were there too many answers, this hour or this day, to mails of this address that played nothing?

        Mails that name no letter of ours have a small count of their own: whoever writes them must not be able to
        silence what an address hears of its true replies.
        """
        has_token = self.inbound.token is not None
        limits = ((timedelta(hours=1), ANSWERS_AN_HOUR), (timedelta(days=1), ANSWERS_A_DAY))
        if not has_token:
            limits = ((timedelta(hours=1), ANSWERS_WITHOUT_TOKEN), (timedelta(days=1), 3 * ANSWERS_WITHOUT_TOKEN))
        return any(
            count_answers_to(
                self.work.session, address, ("refused", "help"), self.work.now - within, self.work.now, has_token
            )
            >= most
            for within, most in limits
        )


@dataclass(frozen=True)
class Reply:
    """A contestant's reply to a letter of theirs, which asked the questions `asked`.

    `lines` are what the person typed but for what corrected their own registration, of which `said` tells.
    """

    turn: Turn
    letter: Letter
    contestant: Contestant
    lines: Sequence[str]
    said: tuple[str, ...]
    asked: Sequence[QuestionRow]

    @property
    def row(self) -> QuestionRow | None:
        """The open question besides play that the letter asked."""
        return next((each for each in self.asked if each.closed_at is None and each.purpose != "game"), None)
