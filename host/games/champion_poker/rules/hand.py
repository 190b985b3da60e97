"""Pure: a hand from its wagers to its end. A flow comes to the next question, or past the hand's end.

The order is that of CP-5 to CP-20: wagers, Player cards, play or fold, Dealer cards, raise or check, flop, turn and river.
"""

from dataclasses import replace

from host.engine.cards import DECK
from host.engine.events import Event
from host.engine.game import Flow, Illegal
from host.engine.vocabulary import Command
from host.games.champion_poker import events
from host.games.champion_poker.rules.ranking import name, pays, rank
from host.games.champion_poker.state import State, Wager, largest_bet


def begin(flow: Flow[State], seats: tuple[int, ...]) -> None:
    """Ask `seats` for their wagers, side by side (CP-4)."""
    state = flow.state
    count = len(state.bankrolls)
    nothing = (Wager(),) * count
    flow.change(
        phase="bet",
        hand=state.hand + 1,
        asked=seats,
        wagers=nothing,
        shown_wagers=nothing,
        shown_bankrolls=state.bankrolls,
        bonus_net=(0,) * count,
        blind_net=(0,) * count,
        cards=((),) * count,
        community=(),
        dealer_cards=(),
        turned=(),
    )
    flow.tell(events.HandBegan(flow.state.hand, state.options.hands))


def go_on(flow: Flow[State]) -> bool:
    """Pass through what needs no answer. Gives whether the hand is over; else the seats in `asked` are."""
    while True:
        state = flow.state
        if state.phase != "bet" and not any(each.bonus or each.blind for each in state.wagers):
            return _end(flow)
        if state.asked:
            return False
        if state.phase == "bet":
            if not any(wager.bonus for wager in state.wagers):
                return _end(flow)
            _deal(flow)
        elif state.phase == "play":
            _show_dealer(flow)
        else:
            _settle(flow)
            return _end(flow)


def _wager(flow: Flow[State], seat: int, amount: int, **fields: object) -> None:
    """Move chips from the bankroll to the table."""
    flow.add(seat, bankrolls=-amount)
    flow.put(seat, wagers=replace(flow.state.wagers[seat], **fields))  # type: ignore[arg-type]


def _answer(flow: Flow[State], seat: int, event: Event) -> None:
    """Tells the answer of a seat, which is asked no more."""
    flow.tell(event)
    flow.change(asked=tuple(each for each in flow.state.asked if each != seat))


def bet(flow: Flow[State], seat: int, command: Command) -> None:
    """A wager on the 5 Card Bonus, and on a Blind (CP-5 to CP-7)."""
    options, number = flow.state.options, command.number or 0
    if options.version == 2 and command.word:
        raise Illegal("In this version the Blind is on your own hand: name no side.", "CP-5")
    side = "player" if options.version == 2 else command.word
    if not options.min_bet <= number <= options.max_bet:
        raise Illegal(f"A bet is a whole number from {options.min_bet} to {options.max_bet}.", "CP-7")
    if number > largest_bet(flow.state, seat, bool(side)):
        takes = f"{number} on each of two spots" if side else str(number)
        raise Illegal(f"You have {flow.state.bankrolls[seat]} chips, and that bet takes {takes}.", "CP-7")
    blind = number if side else 0
    _wager(flow, seat, number + blind, bonus=number, blind=blind, side=side or None)
    _answer(flow, seat, events.BetPlaced(seat, number, side))


def sit(flow: Flow[State], seat: int, by: str = "say") -> None:
    """Sit this hand out (CP-8)."""
    _answer(flow, seat, events.SatOut(seat, by))


def _deal(flow: Flow[State]) -> None:
    """Two cards to the Player or to each player, five to the middle, two to the Dealer (CP-10, CP-11)."""
    state = flow.state
    deck = flow.shuffle(f"hand:{state.hand}:deck", DECK)
    seats = tuple(seat for seat, wager in enumerate(state.wagers) if wager.bonus)
    flow.tell(
        events.BetsShown(
            seats,
            tuple(state.wagers[seat].bonus for seat in seats),
            tuple(state.wagers[seat].side or "" for seat in seats),
        )
    )
    cards = list(state.cards)
    dealt = 2
    if state.options.version == 1:
        cards = [deck[:2]] * len(cards)
        flow.tell(events.PlayerCards(deck[:2]))
        flow.change(turned=deck[:2])
    else:
        for at, seat in enumerate(seats):
            cards[seat] = deck[2 * at : 2 * at + 2]
            flow.tell(events.OwnCards(seat, cards[seat]))
        dealt = 2 * len(seats)
    flow.change(cards=tuple(cards), community=deck[dealt : dealt + 5], dealer_cards=deck[dealt + 5 : dealt + 7])
    _begin_phase(flow, "play", tuple(seat for seat, wager in enumerate(state.wagers) if wager.blind))


def _begin_phase(flow: Flow[State], phase: str, seats: tuple[int, ...]) -> None:
    """Ask those who have the chips; for the others the game folds or checks (CP-14)."""
    state = flow.state
    can = tuple(seat for seat in seats if state.bankrolls[seat] >= state.wagers[seat].blind)
    flow.change(phase=phase, asked=can, shown_bankrolls=state.bankrolls, shown_wagers=state.wagers)
    for seat in seats:
        if seat not in can:
            (fold if phase == "play" else check)(flow, seat, "game")


def play(flow: Flow[State], seat: int) -> None:
    """A Play wager as large as the Blind (CP-12)."""
    amount = flow.state.wagers[seat].blind
    _wager(flow, seat, amount, play=amount)
    _answer(flow, seat, events.Played(seat, amount))


def fold(flow: Flow[State], seat: int, by: str = "say") -> None:
    """The Blind is lost, the Bonus stays (CP-12)."""
    state = flow.state
    amount = state.wagers[seat].blind
    flow.put(seat, blind_net=-amount)
    _wager(flow, seat, 0, blind=0, side=None)
    _answer(flow, seat, events.Folded(seat, by, amount))


def _show_dealer(flow: Flow[State]) -> None:
    """The Dealer cards, and raise or check for those who play (CP-13); skipped where nobody does."""
    state = flow.state
    playing = tuple(seat for seat, wager in enumerate(state.wagers) if wager.play)
    before = [seat for seat, wager in enumerate(state.shown_wagers) if wager.blind]
    if before:
        flow.tell(
            events.PlaysShown(playing, tuple(seat for seat in before if seat not in playing and not state.gone[seat]))
        )
    if playing:
        flow.tell(events.DealerCards(state.dealer_cards))
        flow.change(turned=(*state.turned, *state.dealer_cards))
    _begin_phase(flow, "raise", playing)


def raise_wager(flow: Flow[State], seat: int) -> None:
    """A Raise wager as large as the Blind (CP-13)."""
    amount = flow.state.wagers[seat].blind
    _wager(flow, seat, amount, raised=amount)
    _answer(flow, seat, events.RaisePlaced(seat, amount))


def check(flow: Flow[State], seat: int, by: str = "say") -> None:
    """No Raise wager (CP-13)."""
    _answer(flow, seat, events.Checked(seat, by))


def _settle(flow: Flow[State]) -> None:
    """The flop settles the 5 Card Bonus; turn and river the rest (CP-15 to CP-20)."""
    state = flow.state
    playing = tuple(seat for seat, wager in enumerate(state.wagers) if wager.play)
    raised = tuple(seat for seat in playing if state.wagers[seat].raised)
    if playing:
        flow.tell(events.RaisesShown(raised, tuple(seat for seat in playing if seat not in raised)))
    flow.tell(events.Flop(state.community[:3]))
    for seat, wager in enumerate(state.wagers):
        if wager.bonus:
            _settle_bonus(flow, seat, wager.bonus)
    flow.tell(events.TurnAndRiver(state.community[3:]))
    flow.change(turned=(*flow.state.turned, *state.community))
    for seat in playing:
        _compare(flow, seat, state.wagers[seat])


def _settle_bonus(flow: Flow[State], seat: int, wager: int) -> None:
    state = flow.state
    five = (*state.cards[seat], *state.community[:3])
    times = pays(five, state.options.paytable)
    net = times * wager if times else -wager
    _wager(flow, seat, -(wager + net), bonus=0)
    flow.put(seat, bonus_net=net)
    flow.change(turned=(*state.turned, *state.cards[seat]))
    flow.tell(events.BonusSettled(seat, state.cards[seat], name(five), times, net))


def _compare(flow: Flow[State], seat: int, wager: Wager) -> None:
    state = flow.state
    own, dealer = (*state.cards[seat], *state.community), (*state.dealer_cards, *state.community)
    lead = rank(dealer) - rank(own)
    if wager.side == "dealer":
        lead = -lead
    stake = wager.on_the_hand
    net = stake if lead > 0 else -stake if lead < 0 else 0
    _wager(flow, seat, -(stake + net), blind=0, play=0, raised=0, side=None)
    flow.put(seat, blind_net=net)
    flow.tell(events.HandsCompared(seat, wager.side or "", state.cards[seat], name(own), name(dealer), net))


def withdraw(flow: Flow[State], seat: int, by: str) -> None:
    """Everything that a seat has on the table is lost, and the rest is sat out; it is asked nothing any more (CP-24)."""
    wager = flow.state.wagers[seat]
    flow.add(seat, bonus_net=-wager.bonus, blind_net=-wager.on_the_hand)
    flow.put(seat, gone=True, wagers=Wager())
    _answer(flow, seat, events.Withdrew(seat, by))


def _end(flow: Flow[State]) -> bool:
    state = flow.state
    flow.change(last=(state.bonus_net, state.blind_net), asked=())
    flow.tell(events.HandOver(state.hand, state.bankrolls))
    return True
