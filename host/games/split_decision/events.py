"""Pure: what can happen in Split Decision, as the letters tell it. In: nothing. Out: one frozen class an event.

Seats are 0 red, 1 gold, 2 blue; cards are codes; amounts dollars. `by` is say, timeout or game, where not told otherwise.
"""

from dataclasses import dataclass
from typing import ClassVar

from host.engine.game import DeckCut, Event, Shuffled


@dataclass(frozen=True)
class CodesSent(Event):
    """For the eyes of `seat`."""

    is_private: ClassVar[bool] = True
    seat: int
    codes: tuple[int, ...]
    by: str


@dataclass(frozen=True)
class CutSent(Event):
    """For the eyes of `seat`: the deck will be cut there."""

    is_private: ClassVar[bool] = True
    seat: int
    count: int
    by: str


@dataclass(frozen=True)
class RoundBegan(Event):
    """`order` are its players."""

    round: int
    order: tuple[int, ...]


@dataclass(frozen=True)
class AcePlaced(Event):
    """The free ace."""

    seat: int
    slot: str
    by: str


@dataclass(frozen=True)
class CardShown(Event):
    """`why`: head-start, free-look, peek, keep or passed."""

    seat: int
    card: str
    why: str


@dataclass(frozen=True)
class Pushed(Event):
    seat: int
    card: str
    amount: int


@dataclass(frozen=True)
class Placed(Event):
    seat: int
    card: str
    slot: str
    amount: int
    by: str


@dataclass(frozen=True)
class Refused(Event):
    seat: int
    card: str
    by: str


@dataclass(frozen=True)
class Discarded(Event):
    """`chips`: how many are left."""

    seat: int
    card: str
    chips: int
    by: str


@dataclass(frozen=True)
class Reshuffled(Event):
    """The stock was empty; `count` cards make the new one."""

    count: int


@dataclass(frozen=True)
class QuestionPut(Event):
    """`buzz` are the players of the round, nearest to the target first."""

    number: int
    ask: str
    target: int
    buzz: tuple[int, ...]

    def concerns(self, seat: int) -> bool:
        """Everybody in the round may send an answer."""
        return seat in self.buzz


@dataclass(frozen=True)
class Answered(Event):
    """`verdict`: right, wrong or near (the host has to say)."""

    seat: int
    text: str
    verdict: str


@dataclass(frozen=True)
class Judged(Event):
    """What the host said of a near answer."""

    seat: int
    text: str
    is_right: bool


@dataclass(frozen=True)
class Paid(Event):
    """For a right answer."""

    seat: int
    amount: int


@dataclass(frozen=True)
class Skipped(Event):
    seat: int
    by: str


@dataclass(frozen=True)
class NobodyKnew(Event):
    """`answer` would have been right."""

    answer: str


@dataclass(frozen=True)
class TookControl(Event):
    """The nearest, without pay: nobody had got any of `questions` in a row."""

    seat: int
    questions: int


@dataclass(frozen=True)
class Kept(Event):
    """A card face down."""

    seat: int


@dataclass(frozen=True)
class Passed(Event):
    """A card face down, to `to`."""

    seat: int
    to: int


@dataclass(frozen=True)
class GoneUnseen(Event):
    """No word came in a No Peek: the card is gone."""

    seat: int


@dataclass(frozen=True)
class OutOfRound(Event):
    """The card could not be used, and there was no chip."""

    is_notable: ClassVar[bool] = True
    seat: int
    round: int
    card: str


@dataclass(frozen=True)
class RoundWon(Event):
    """`by`: card, joker, default (nobody else was left) or absence (the other was not there)."""

    is_notable: ClassVar[bool] = True
    seat: int
    round: int
    by: str
    card: str
    amount: int


@dataclass(frozen=True)
class NobodyWon(Event):
    """A round without players."""

    is_notable: ClassVar[bool] = True
    round: int


@dataclass(frozen=True)
class Consoled(Event):
    """The loser of round 2 gets the consolation prize."""

    is_notable: ClassVar[bool] = True
    seat: int


@dataclass(frozen=True)
class Withdrew(Event):
    """`by`: timeout or resign."""

    is_notable: ClassVar[bool] = True
    seat: int
    by: str


@dataclass(frozen=True)
class BonusBegan(Event):
    is_notable: ClassVar[bool] = True
    seat: int
    bank: int
    day: int
    times: int


@dataclass(frozen=True)
class HandBegan(Event):
    """`hand` 5 is the Last Call, for which `added` came to the bank."""

    hand: int
    bank: int
    added: int


@dataclass(frozen=True)
class PlacesOpened(Event):
    seat: int
    places: tuple[int, ...]
    ranks: tuple[str, ...]


@dataclass(frozen=True)
class BetPlaced(Event):
    seat: int
    amount: int
    high: str
    low: str


@dataclass(frozen=True)
class CardTurned(Event):
    """`outcome`: won, push or lost; `devil`: a match lost because of the Devil. `is_second`: the second chance."""

    card: str
    outcome: str
    devil: bool
    is_second: bool


@dataclass(frozen=True)
class SuitOpened(Event):
    """`what`: chance, no or again."""

    seat: int
    suit: str
    what: str


@dataclass(frozen=True)
class HandOver(Event):
    """`outcome`: won, push or lost."""

    hand: int
    outcome: str
    bet: int
    bank: int


@dataclass(frozen=True)
class Helped(Event):
    """The bank fell below the least bet for the first time: `amount` was added."""

    amount: int
    bank: int


@dataclass(frozen=True)
class CalledEarly(Event):
    """It fell there again: straight on to the Last Call."""

    bank: int


@dataclass(frozen=True)
class BonusOver(Event):
    """`by`: hands, timeout or resign. It paid `times` the bank."""

    is_notable: ClassVar[bool] = True
    seat: int
    by: str
    bank: int
    times: int
    paid: int
    winnings: int


@dataclass(frozen=True)
class Retired(Event):
    """Five episodes in a row."""

    is_notable: ClassVar[bool] = True
    seat: int


@dataclass(frozen=True)
class AllWithdrew(Event):
    is_notable: ClassVar[bool] = True


EVENTS: tuple[type[Event], ...] = (
    Shuffled,
    DeckCut,
    CodesSent,
    CutSent,
    RoundBegan,
    AcePlaced,
    CardShown,
    Pushed,
    Placed,
    Refused,
    Discarded,
    Reshuffled,
    QuestionPut,
    Answered,
    Judged,
    Paid,
    Skipped,
    NobodyKnew,
    TookControl,
    Kept,
    Passed,
    GoneUnseen,
    OutOfRound,
    RoundWon,
    NobodyWon,
    Consoled,
    Withdrew,
    BonusBegan,
    HandBegan,
    PlacesOpened,
    BetPlaced,
    CardTurned,
    SuitOpened,
    HandOver,
    Helped,
    CalledEarly,
    BonusOver,
    Retired,
    AllWithdrew,
)
