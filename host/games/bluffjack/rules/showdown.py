"""Pure: the end of a hand. Once nobody is asked any more, the pots of a flow go to whom they belong."""

from host.engine.cards import Card, total
from host.engine.game import Flow
from host.games.bluffjack import events
from host.games.bluffjack.state import Options, State, in_order, playing

Rank = tuple[int, int, int]
_PARTNERS = "TJQK"
_FINEST = 3
_TWENTY_ONE = 2
_CHARLIE = 1


def rank(cards: tuple[Card, ...], options: Options) -> Rank | None:
    """Ranks a hand, higher is better; None for a bust (BJ-19, BJ-31, BJ-32)."""
    points = total(cards)
    if points > 21:
        return None
    if points == 21:
        if options.best_hand and len(cards) == 2:
            ace, partner = sorted(cards, key=lambda card: card[0] != "A")
            return _FINEST, 2 * _PARTNERS.index(partner[0]) + (ace[1] == partner[1]), 0
        return _TWENTY_ONE, 0, 0
    if not _is_charlie(len(cards), options):
        return 0, points, 0
    return _CHARLIE, points, len(cards) if options.longer_charlie else 0


def _is_charlie(count: int, options: Options) -> bool:
    """Are these as many cards as a charlie has (BJ-31)?"""
    return count == options.charlie or (options.longer_charlie and count > options.charlie)


def win_unseen(flow: Flow[State], seat: int) -> None:
    """The last one left takes all of the pot and shows nothing (BJ-14)."""
    pot = sum(flow.state.in_pot)
    flow.tell(events.WonUnseen(seat, pot))
    flow.add(seat, chips=pot)


def show_down(flow: Flow[State]) -> None:
    """Unmatched chips go back, then each pot goes to its best hand (BJ-19 to BJ-22)."""
    _give_back(flow)
    state = flow.state
    left = playing(state)
    flow.change(showdown=left)
    ordered = [seat for seat in in_order(state, state.dealer + 1) if seat in left]
    for seat in ordered:
        flow.tell(events.Shown(seat, state.cards[seat], total(state.cards[seat])))
    below = 0
    for level in sorted({state.in_pot[seat] for seat in left}):
        amount = sum(min(stake, level) - min(stake, below) for stake in state.in_pot)
        _settle(flow, amount, [seat for seat in ordered if state.in_pot[seat] >= level])
        below = level
    rest = sum(max(stake - below, 0) for stake in state.in_pot)
    if rest:
        _lose(flow, rest, "unmatched")


def _give_back(flow: Flow[State]) -> None:
    """Chips that nobody matched go back to their owner first (BJ-20)."""
    state = flow.state
    seat = max(playing(state), key=lambda each: state.in_pot[each])
    others = max(stake for each, stake in enumerate(state.in_pot) if each != seat)
    extra = state.in_pot[seat] - others
    if extra > 0:
        flow.tell(events.Returned(seat, extra))
        flow.put(seat, in_pot=others)
        flow.add(seat, chips=extra)


def _settle(flow: Flow[State], amount: int, sharers: list[int]) -> None:
    """One pot: its best hand takes it, equal hands split it, odd chips go one by one (BJ-19, BJ-22)."""
    ranks = {seat: rank(flow.state.cards[seat], flow.state.options) for seat in sharers}
    best = max((each for each in ranks.values() if each is not None), default=None)
    if not amount:
        return
    if best is None:
        _lose(flow, amount, "bust")
        return
    winners = [seat for seat in sharers if ranks[seat] == best]
    share, odd = divmod(amount, len(winners))
    shares = tuple(share + (at < odd) for at in range(len(winners)))
    flow.tell(events.PotWon(amount, tuple(winners), shares))
    for seat, part in zip(winners, shares, strict=True):
        flow.add(seat, chips=part)


def _lose(flow: Flow[State], amount: int, by: str) -> None:
    flow.tell(events.PotLost(amount, by))
    flow.change(aside=flow.state.aside + amount)
