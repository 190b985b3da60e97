"""Pure: the events of Split Decision, one frozen class each, as the letters tell them.

Seats are 0 red, 1 gold, 2 blue; cards are codes; amounts dollars. `by` is say, timeout or game, where not told otherwise.
"""

from host.engine.events import Acted, Event, OfSeat, WithCard


class CodesSent(OfSeat, is_private=True):
    codes: tuple[int, ...]
    by: str


class CutSent(OfSeat, is_private=True):
    """The deck will be cut there."""

    count: int
    by: str


class RoundBegan(Event):
    """`order` are its players."""

    round: int
    order: tuple[int, ...]


class AcePlaced(OfSeat):
    """The free ace."""

    slot: str
    by: str


class CardShown(WithCard):
    """`why`: head-start, free-look, peek, keep or passed."""

    why: str


class Pushed(WithCard):
    amount: int


class Placed(WithCard):
    slot: str
    amount: int
    by: str


class Refused(WithCard):
    by: str


class Discarded(WithCard):
    """`chips`: how many are left."""

    chips: int
    by: str


class Reshuffled(Event):
    """The stock was empty; `count` cards make the new one."""

    count: int


class QuestionPut(Event, is_put_to_all=True):
    """`buzz` are the players of the round, nearest to the target first."""

    number: int
    ask: str
    target: int
    buzz: tuple[int, ...]

    def concerns(self, seat: int) -> bool:
        """Everybody in the round may send an answer."""
        return seat in self.buzz


class Answered(OfSeat):
    """`verdict`: right, wrong or near (the host has to say)."""

    text: str
    verdict: str


class Judged(OfSeat):
    """The host's word on a near answer."""

    text: str
    is_right: bool


class Paid(OfSeat):
    """For a right answer."""

    amount: int


class Skipped(Acted):
    """A try given up."""


class NobodyKnew(Event):
    """`answer` would have been right."""

    answer: str


class TookControl(OfSeat):
    """The nearest, without pay: nobody had got any of `questions` in a row."""

    questions: int


class Kept(OfSeat):
    """A card face down."""


class Passed(OfSeat):
    """A card face down, to `to`."""

    to: int


class GoneUnseen(OfSeat):
    """No word came in a No Peek: the card is gone."""


class OutOfRound(OfSeat, is_notable=True):
    """The card could not be used, and there was no chip."""

    round: int
    card: str


class RoundWon(OfSeat, is_notable=True):
    """`by`: card, joker, default (nobody else was left) or absence (the other was not there)."""

    round: int
    by: str
    card: str
    amount: int


class NobodyWon(Event, is_notable=True):
    """A round without players."""

    round: int


class Consoled(OfSeat, is_notable=True):
    """The loser of round 2 gets the consolation prize."""


class Withdrew(Acted, is_notable=True):
    """`by`: timeout or resign."""


class BonusBegan(OfSeat, is_notable=True):
    bank: int
    day: int
    times: int


class HandBegan(Event):
    """`hand` 5 is the Last Call, for which `added` came to the bank."""

    hand: int
    bank: int
    added: int


class PlacesOpened(OfSeat):
    places: tuple[int, ...]
    ranks: tuple[str, ...]


class BetPlaced(OfSeat):
    amount: int
    high: str
    low: str


class CardTurned(Event):
    """`outcome`: won, push or lost; `devil`: a match lost because of the Devil. `is_second`: the second chance."""

    card: str
    outcome: str
    devil: bool
    is_second: bool


class SuitOpened(OfSeat):
    """`what`: chance, no or again."""

    suit: str
    what: str


class HandOver(Event):
    """`outcome`: won, push or lost."""

    hand: int
    outcome: str
    bet: int
    bank: int


class Helped(Event):
    """The bank fell below the least bet for the first time: `amount` was added."""

    amount: int
    bank: int


class CalledEarly(Event):
    """It fell there again: straight on to the Last Call."""

    bank: int


class BonusOver(Acted, is_notable=True):
    """`by`: hands, timeout or resign. It paid `times` the bank."""

    bank: int
    times: int
    paid: int
    winnings: int


class Retired(OfSeat, is_notable=True):
    """Five episodes in a row."""


class AllWithdrew(Event, is_notable=True):
    """Nobody is left before round 1."""
