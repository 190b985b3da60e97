"""Pure: who sees what of Champion Poker: a state as a seat may see it (None: all there is), in plain data.

Hidden: what is not yet turned over, another's cards in version 2, and answers until everybody has given theirs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from host.engine.cards import RANKS, Card, made_up
from host.engine.game import by_name, fields_of
from host.games.champion_poker.state import State, Wager, largest_bet


def view(state: State, seat: int | None) -> Mapping[str, Any]:
    """The table as `seat` may see it. `cards` are by seat, empty where there are none or they are another's."""
    seats = range(len(state.bankrolls))
    own = [each == seat or seat is None for each in seats]
    wagers = [state.wagers[each] if own[each] else state.shown_wagers[each] for each in seats]
    seen = fields_of(state, "phase hand missed gone broke winner")
    seen |= fields_of(state.options, "version paytable hands min_bet max_bet")
    return seen | {
        "largest_bet": 0 if seat is None or seat < 0 else largest_bet(state, seat, state.options.version == 2),
        "bankrolls": [state.bankrolls[each] if own[each] else state.shown_bankrolls[each] for each in seats],
        "wagers": [_wager(each) for each in wagers],
        "folded": [_has_folded(state, each) and (own[each] or state.phase == "raise") for each in seats],
        "cards": [list(state.cards[each]) if own[each] else _turned(state, seat, state.cards[each]) for each in seats],
        "shared_cards": list(state.cards[0]) if state.options.version == 1 else [],
        "dealer_cards": _turned(state, seat, state.dealer_cards),
        "community": _turned(state, seat, state.community),
        "is_dealt": bool(state.community),
        "has_answered": seat is not None and seat >= 0 and seat not in state.asked,
        "last": None if state.last is None else {"bonus": list(state.last[0]), "blind": list(state.last[1])},
    }


def _turned(state: State, seat: int | None, cards: Sequence[Card]) -> list[Card]:
    """Those cards that have been turned over; all of them for None."""
    return [card for card in cards if seat is None or card in state.turned]


def _has_folded(state: State, seat: int) -> bool:
    """Lost the Blind to a fold this hand, with the 5 Card Bonus still on (CP-12)."""
    wager = state.wagers[seat]
    return bool(wager.bonus) and not wager.blind and state.blind_net[seat] < 0


def _wager(wager: Wager) -> dict[str, Any]:
    return fields_of(wager, "bonus blind play") | {"raise": wager.raised, "side": wager.side}


def order_facts(seen: Mapping[str, Any], seat: int) -> dict[str, int | str]:
    """The facts of orders, from the view of a seat: a pair among its two cards or none, their higher rank, its bet."""
    facts: dict[str, int | str] = {"round": f"hand {seen['hand']}"}
    wager = seen["wagers"][seat]
    bet = f"{wager['bonus']} {wager['side']}" if wager["side"] and seen["version"] == 1 else wager["bonus"]
    facts |= {"bet": bet} if bet else {}
    cards = seen["cards"][seat] or seen["shared_cards"]
    if seen["phase"] in ("play", "raise") and len(cards) == 2:
        ranks = [RANKS.index(card[0]) + 2 for card in cards]
        facts |= {"hand": int(ranks[0] == ranks[1]), "high": max(ranks)}
    return facts


def as_seen(state: State, seat: int) -> State:
    """The state as if nobody else had answered and nobody else were asked, with cards made up. See `Game`."""
    seats = range(len(state.bankrolls))

    def own(mine: Sequence[Any], theirs: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(mine[each] if each == seat else theirs[each] for each in seats)

    shared = state.options.version == 1
    places = [seat >= 0 and (shared or each == seat) for each in seats]
    known = {*state.turned, *(state.cards[seat] if seat >= 0 else ())}
    piles = [*(() if mine else cards for mine, cards in zip(places, state.cards, strict=True))]
    hidden = [card for pile in (*piles, state.community, state.dealer_cards) for card in pile if card not in known]
    stands_for = dict(zip(dict.fromkeys(hidden), made_up(len(set(hidden)), known), strict=True))

    def up(cards: Sequence[Card]) -> tuple[Card, ...]:
        return tuple(stands_for.get(card, card) for card in cards)

    nothing = (0,) * len(seats)
    others = tuple(each for each in seats if not (each == seat or state.gone[each] or state.broke[each]))
    return replace(
        state,
        bankrolls=own(state.bankrolls, state.shown_bankrolls),
        wagers=own(state.wagers, state.shown_wagers),
        bonus_net=own(state.bonus_net, nothing),
        blind_net=state.blind_net if state.phase == "raise" else own(state.blind_net, nothing),
        cards=tuple(map(up, state.cards)),
        community=up(state.community),
        dealer_cards=up(state.dealer_cards),
        asked=(seat,) if seat in state.asked else others if state.phase != "over" else (),
    )


def table(state: State, names: Sequence[str]) -> dict[str, Any]:
    """All there is, nothing hidden, with players by name: the record's `table`."""
    last = state.last
    return fields_of(state, "phase hand") | {
        "bankrolls": by_name(names, state.bankrolls),
        "wagers": by_name(names, [_wager(each) for each in state.wagers]),
        "player_cards": list(state.cards[0]) if state.options.version == 1 else by_name(names, state.cards),
        "community": list(state.community),
        "dealer_cards": list(state.dealer_cards),
        "last": last and {"bonus": by_name(names, last[0]), "blind": by_name(names, last[1])},
    }
