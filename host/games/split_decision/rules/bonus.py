"""Pure: Luck of the Draw, the bonus round (SD-36 to SD-45). Its functions take a flow further on."""

from host.engine.cards import DECK_WITH_JOKERS, JOKERS, SUITS, Card
from host.engine.game import Flow, Illegal
from host.engine.vocabulary import Command
from host.games.split_decision import events
from host.games.split_decision.state import (
    BONUS,
    DEVIL,
    LAST_CALL,
    LEAST_BET,
    PLACES,
    SEATS,
    State,
    bet_limits,
    rank_as,
)

STAKE = 1500
LAST_CALL_STAKE = 1000
HELP = 500
BOARD = (*"AAKQJT98765432", DEVIL)
SECOND_CHANCES = ("chance", "no", "no", "again")
TIMES = {4: 2, 5: 5}
DAYS_TO_RETIRE = 5


def times(day: int | None) -> int:
    """The number by which a day multiplies the bank (SD-44)."""
    return TIMES.get(day or 1, 1)


def begin(flow: Flow[State]) -> None:
    """A fresh deck for all hands, a bank, the first second-chance board (SD-36)."""
    state = flow.state
    seat = state.winners[2]
    deck = flow.shuffle("bonus:deck", DECK_WITH_JOKERS)
    day = state.options.champion_wins + 1 if seat == 0 else 1
    nobody = (False,) * SEATS
    flow.change(
        round=BONUS, order=(seat,), out=nobody, actor=seat, stock=deck, bank=STAKE, day=day, number=0, step="hand"
    )
    flow.tell(events.BonusBegan(seat, STAKE, day, times(day)))
    _lay_suits(flow)


def _lay_suits(flow: Flow[State]) -> None:
    number = flow.state.suit_boards + 1
    suits = flow.chance.shuffled(f"bonus:suits:{number}", SECOND_CHANCES)
    flow.change(suits=suits, suit_boards=number, opened="")


def begin_hand(flow: Flow[State]) -> None:
    """Fifteen places, newly mixed; the fifth hand is the Last Call (SD-36, SD-37)."""
    state = flow.state
    hand = LAST_CALL if state.is_called_early else state.number + 1
    added = LAST_CALL_STAKE if hand == LAST_CALL else 0
    bank = (state.bank or 0) + added
    places = flow.chance.shuffled(f"bonus:{hand}:board", BOARD)
    flow.tell(events.HandBegan(hand, bank, added))
    flow.change(phase="choose", step="", number=hand, bank=bank, places=places, shown=(), bet=0, between=(), card="")


def choose(flow: Flow[State], seat: int, command: Command) -> None:
    """Four different places are opened (SD-37)."""
    places = command.numbers
    if len(places) != 4 or len(set(places)) < 4 or not all(1 <= place <= PLACES for place in places):
        raise Illegal(f"Choose four different places from 1 to {PLACES}.", "SD-37")
    shown = tuple(flow.state.places[place - 1] for place in places)
    flow.tell(events.PlacesOpened(seat, places, shown))
    flow.change(phase="bet", shown=shown)


def bet(flow: Flow[State], seat: int, command: Command) -> None:
    """An amount on the span between two of the cards shown (SD-38, SD-39)."""
    state = flow.state
    high, low = command.named[-2:]
    shown = list(state.shown)
    for rank in (high, low):
        if rank not in shown:
            raise Illegal("Bet on two of the cards that were shown.", "SD-38")
        shown.remove(rank)
    if rank_as(high, "high") <= rank_as(low, "low"):
        raise Illegal("Name the high card first; it has to be above the low one.", "SD-38")
    least, most, step = bet_limits(state)
    amount = {"all": most, "half": -(-most // (2 * step)) * step}.get(command.word, command.number or 0)
    if not least <= amount <= most or amount % step:
        raise Illegal(f"Bet from ${least:,} to ${most:,}, in steps of ${step}.", "SD-39")
    flow.tell(events.BetPlaced(seat, amount, high, low))
    flow.change(bet=amount, between=(high, low))
    _turn(flow, is_second=False)


def _turn(flow: Flow[State], is_second: bool) -> None:
    """The deck's next card decides (SD-40, SD-41)."""
    state = flow.state
    card = state.stock[0]
    flow.change(stock=state.stock[1:])
    outcome = _judge(state, card)
    has_devil = outcome == "push" and DEVIL in state.shown
    outcome = "lost" if has_devil else outcome
    flow.tell(events.CardTurned(card, outcome, has_devil, is_second))
    if outcome == "lost" and not is_second:
        flow.change(phase="suit", card=card)
    else:
        _end_hand(flow, outcome)


def _judge(state: State, card: Card) -> str:
    """Won strictly between, a push on a match, else lost (SD-40)."""
    high, low = state.between
    if card in JOKERS:
        return "won"
    if card[0] in (high, low):
        return "push"
    return "won" if rank_as(low, "low") < rank_as(card, "high") < rank_as(high, "high") else "lost"


def open_suit(flow: Flow[State], seat: int, command: Command) -> None:
    """The second-chance board (SD-41, SD-42)."""
    state = flow.state
    suit = command.word
    if suit in state.opened:
        raise Illegal("That suit is open already: choose another.", "SD-42")
    what = state.suits[SUITS.index(suit)]
    opened = state.opened + suit
    flow.tell(events.SuitOpened(seat, suit, what))
    flow.change(opened=opened)
    found = [state.suits[SUITS.index(each)] for each in opened]
    if what == "chance" or found.count("no") == 2:
        _lay_suits(flow)
    if what == "chance":
        flow.change(card="")
        _turn(flow, is_second=True)
    elif what == "no":
        _end_hand(flow, "lost")


def _end_hand(flow: Flow[State], outcome: str) -> None:
    """The bank, and the help it may need (SD-43); the Last Call ends the bonus round."""
    state = flow.state
    bank = (state.bank or 0) + {"won": state.bet, "lost": -state.bet}.get(outcome, 0)
    flow.tell(events.HandOver(state.number, outcome, state.bet, bank))
    flow.change(bank=bank, card="", bet=0, step="hand")
    if state.number == LAST_CALL:
        finish(flow, "hands", times(state.day) * bank)
    elif state.number < LAST_CALL - 1 and bank < LEAST_BET:
        flow.change(helps=state.helps + 1)
        if state.helps:
            flow.tell(events.CalledEarly(bank))
            flow.change(is_called_early=True)
        else:
            flow.tell(events.Helped(HELP, bank + HELP))
            flow.change(bank=bank + HELP)


def finish(flow: Flow[State], by: str, paid: int) -> None:
    """The end of the last hand pays the bank, more on day 4 and 5; a fifth day retires the champion (SD-44, SD-45).

    Silence or `resign` is paid nothing (SD-46).
    """
    state = flow.state
    seat, is_last_day = state.actor, state.day == DAYS_TO_RETIRE
    flow.add(seat, winnings=paid)
    flow.tell(events.BonusOver(seat, by, state.bank or 0, times(state.day), paid, flow.state.winnings[seat]))
    if is_last_day:
        flow.tell(events.Retired(seat))
    flow.reset("step card bet shown")
    flow.change(phase="over", paid=paid, ending="retired" if is_last_day else by)
