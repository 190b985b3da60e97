"""Pure: the bonus round, up to five hands against the house. Its functions take a flow further on."""

from host.engine.cards import DECK, is_blackjack, is_ten, total
from host.engine.game import Flow, Illegal
from host.engine.vocabulary import Command
from host.games.champ_cards import events
from host.games.champ_cards.rules import turns
from host.games.champ_cards.state import BONUS_HANDS, SPACES, State, bet_limits, hand_total

STAKE = 2500
BLACKJACK_STAKE = 5000
HOUSE_STANDS_FROM = 17
OFFER_STEP = 50


def begin_hand(flow: Flow[State], hand: int) -> None:
    """Ask for the bet; a bank that allows one bet only is bet by the game (CC-15)."""
    flow.reset("spaces shown hands picked frozen deck stock bet offer house hole_shown")
    flow.change(phase="bet", round=hand, turn=flow.state.winner)
    smallest, largest = bet_limits(flow.state.bank)
    if smallest == largest:
        _deal(flow, largest, by_game=True)


def place_bet(flow: Flow[State], command: Command) -> None:
    """At least half of the bank, at most all of it (CC-15)."""
    smallest, largest = bet_limits(flow.state.bank)
    amount = {"all": largest, "half": smallest}.get(command.word, command.number)
    if amount is None or not smallest <= amount <= largest:
        raise Illegal(f"Bet a whole number of dollars from {smallest} to {largest}.", "CC-15")
    _deal(flow, amount, by_game=False)


def _deal(flow: Flow[State], amount: int, by_game: bool) -> None:
    """Nine spaces, the hole card, the up card (CC-16); an up card of ten or ace brings an offer (CC-17)."""
    state = flow.state
    flow.tell(events.BetPlaced(state.turn, state.round, amount, state.bank, by_game))
    deck = flow.shuffle(f"bonus:{state.round}:deck", DECK)
    house = deck[SPACES : SPACES + 2]
    flow.tell(events.HandDealt(state.round, house[1]))
    flow.change(bet=amount, deck=deck, spaces=deck[:SPACES], house=house, stock=deck[SPACES + 2 :])
    if house[1][0] == "A" or is_ten(house[1]):
        offer = _drawn_offer(flow)
        flow.tell(events.OfferMade(offer, state.bank, by_host=False))
        flow.change(phase="offer", offer=offer)
    else:
        turns.begin(flow, after_card)


def _drawn_offer(flow: Flow[State]) -> int:
    bank = flow.state.bank
    low = -(-bank // (2 * OFFER_STEP)) * OFFER_STEP
    high = 3 * bank // (2 * OFFER_STEP) * OFFER_STEP
    if high < low:
        return bank
    steps = (high - low) // OFFER_STEP + 1
    return low + OFFER_STEP * flow.chance.below(f"bonus:{flow.state.round}:offer", steps)


def change_offer(flow: Flow[State], command: Command) -> None:
    """The host puts another amount in place of an offer that is not answered yet (CC-18)."""
    if flow.state.phase != "offer":
        raise Illegal("No offer is waiting for an answer.", "CC-18")
    if not command.number:
        raise Illegal("An offer is a whole number of dollars, 1 or more.", "CC-18")
    flow.tell(events.OfferMade(command.number, flow.state.bank, by_host=True))
    flow.change(offer=command.number)


def accept(flow: Flow[State], command: Command) -> None:
    """Take the money: it is paid in place of the bank (CC-19)."""
    state = flow.state
    flow.tell(events.OfferAccepted(state.turn, state.offer, *state.house[:2]))
    flow.change(hole_shown=True)
    finish(flow, "accepted", paid=state.offer)


def decline(flow: Flow[State], command: Command) -> None:
    """Play on: the hole card is shown, and a house blackjack takes the bank (CC-20)."""
    state = flow.state
    flow.tell(events.OfferDeclined(state.turn, state.offer, *state.house[:2]))
    flow.change(hole_shown=True, offer=0)
    if is_blackjack(state.house):
        finish(flow, "house-blackjack", paid=0)
    else:
        turns.begin(flow, after_card)


def after_card(flow: Flow[State], how: turns.Verdict) -> None:
    """Over 21 loses everything, 21 wins the hand at once (CC-22)."""
    if how == "bust":
        finish(flow, "busted", paid=0)
    elif how == "goes on":
        turns.begin(flow, after_card)
    else:
        _win_hand(flow, how)


def after_freeze(flow: Flow[State]) -> None:
    """The house shows its hole card and draws to 17; a tie is the player's (CC-23)."""
    house, stock = flow.state.house, flow.state.stock
    while total(house) < HOUSE_STANDS_FROM:
        house, stock = (*house, stock[0]), stock[1:]
    flow.tell(events.HousePlayed(house, total(house)))
    flow.change(house=house, stock=stock, hole_shown=True)
    state = flow.state
    points = hand_total(state, state.turn)
    if total(house) > 21 or total(house) <= points:
        _win_hand(flow, "house-bust" if total(house) > 21 else "higher")
        return
    bank = state.bank - state.bet
    flow.tell(events.HandLost(state.turn, state.round, points, total(house), state.bet, bank))
    flow.change(bank=bank)
    if bank:
        _next_hand(flow)
    else:
        finish(flow, "bank-gone", paid=0)


def _win_hand(flow: Flow[State], by: str) -> None:
    state = flow.state
    bank = state.bank + state.bet
    flow.tell(events.HandWon(state.turn, state.round, by, hand_total(state, state.turn), state.bet, bank))
    flow.change(bank=bank)
    _next_hand(flow)


def _next_hand(flow: Flow[State]) -> None:
    if flow.state.round == BONUS_HANDS:
        finish(flow, "five-hands", paid=flow.state.bank)
    else:
        begin_hand(flow, flow.state.round + 1)


def finish(flow: Flow[State], by: str, paid: int) -> None:
    """The bonus round is paid into the winnings, by silence or `resign` nothing; the episode is over (CC-24 to CC-26)."""
    state = flow.state
    flow.add(state.turn, winnings=paid)
    lost = 0 if paid else state.bank
    flow.tell(events.BonusOver(state.turn, by, lost, paid, flow.state.winnings[state.turn]))
    flow.change(phase="over", bank=paid, paid=paid, offer=0, picked=None, ending=by)
