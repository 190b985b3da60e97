"""Pure: Roshambo, and a battle from the attack to what it leaves. A flow comes to a question, or to the battle's end.

The throws in a flow's queues meet, one of each side, as often as needed.
"""

from dataclasses import replace

from host.engine.cards import Card
from host.engine.game import Flow, Illegal, other
from host.engine.vocabulary import Command
from host.games.game_of_champions import events
from host.games.game_of_champions.state import (
    ALL_FLIPS,
    THROWS,
    Battalion,
    Battle,
    Match,
    State,
    battalion,
    fighting,
    strength,
)


def begin_match(flow: Flow[State], match: Match) -> None:
    """A match for this; throws in the queues are for it (GC-1, GC-3)."""
    flow.change(phase="roshambo", match=match)


def queue(flow: Flow[State], seat: int, throws: tuple[str, ...]) -> None:
    """More throws at the end of a seat's queue (GC-2)."""
    queues = flow.state.queues
    flow.tell(events.Queued(seat, throws))
    flow.put(seat, queues=(*queues[seat], *throws))


def decide(flow: Flow[State]) -> int | None:
    """Let throws meet until they differ; gives the winner, or None where a throw is missing (GC-1, GC-3)."""
    while all(flow.state.queues):
        state = flow.state
        first, second = (each[0] for each in state.queues)
        lead = (THROWS.index(first) - THROWS.index(second)) % 3
        winner = (-1, 0, 1)[lead]
        flow.tell(events.ThrowsMet(state.match or "", (first, second), winner))
        flow.change(queues=(state.queues[0][1:], state.queues[1][1:]), matches=state.matches + 1)
        if lead:
            return winner
    return None


def attack(flow: Flow[State], seat: int, command: Command) -> None:
    """Name two battalions; both sides then order their cards (GC-21, GC-22)."""
    state = flow.state
    if len(command.named) != 2:
        raise Illegal("Name two commanders: yours, then the one you attack.", "GC-21")
    mine, theirs = (battalion(state, side, card) for side, card in zip((seat, other(seat)), command.named, strict=True))
    if mine is None or not mine.cards:
        raise Illegal("Attack with a battalion of yours: a commander that has number cards.", "GC-21")
    if theirs is None or not theirs.cards:
        raise Illegal("Attack one of your opponent's battalions: a commander that has number cards.", "GC-21")
    orders = tuple(each.cards if len(each.cards) == 1 else None for each in (mine, theirs))
    flow.tell(events.Attacked(seat, mine.commander, theirs.commander))
    flow.change(
        phase="order",
        holds=0,
        battles=state.battles + 1,
        battle=Battle(mine.commander, theirs.commander, (orders[0], orders[1])),
    )
    _begin_when_ordered(flow)


def order(flow: Flow[State], seat: int, command: Command) -> None:
    """All number cards of one's battalion, first to fight first (GC-22)."""
    state, battle = flow.state, _under_way(flow.state)
    is_attacker = seat == state.turn
    if sorted(command.named) != sorted(fighting(state, seat)):
        raise Illegal("Name every number card of the battalion once, first to fight first.", "GC-22")
    orders = (command.named, battle.orders[1]) if is_attacker else (battle.orders[0], command.named)
    flow.change(battle=replace(battle, orders=orders))
    _begin_when_ordered(flow)


def _under_way(state: State) -> Battle:
    if state.battle is None:
        raise Illegal("There is no battle.", "GC-22")
    return state.battle


def _begin_when_ordered(flow: Flow[State]) -> None:
    battle = _under_way(flow.state)
    attacking, defending = battle.orders
    if attacking is None or defending is None:
        return
    flow.change(phase="battle", battle=replace(battle, attacking=attacking, defending=defending, wanted=1))
    go_on(flow)


def go_on(flow: Flow[State]) -> None:
    """Flip as far as was asked for; the battle ends with its cards (GC-23 to GC-27)."""
    while flow.state.phase == "battle":
        battle = _under_way(flow.state)
        if not battle.attacking or not battle.defending:
            _finish(flow, battle)
        elif battle.wanted:
            _flip(flow, battle)
        else:
            return


def more(flow: Flow[State], seat: int, command: Command) -> None:
    """`continue`, `continue N`, `continue all` (GC-26)."""
    if command.number == 0:
        raise Illegal("Continue with one flip or more.", "GC-26")
    wanted = ALL_FLIPS if command.word == "all" else command.number or 1
    flow.change(battle=replace(_under_way(flow.state), wanted=wanted))
    go_on(flow)


def stop(flow: Flow[State], seat: int, command: Command) -> None:
    """The attacker breaks off (GC-26)."""
    flow.tell(events.Stopped(seat))
    _finish(flow, _under_way(flow.state))


def _flip(flow: Flow[State], battle: Battle) -> None:
    """One card of each (GC-23, GC-24)."""
    mine, theirs = battle.attacking[0], battle.defending[battle.at]
    as_ten = battle.attacker[0] == "J" and mine[0] == "2"
    lead = (10 if as_ten else strength(mine)) - strength(theirs)
    attacker = flow.state.turn or 0
    winner = -1 if not lead else attacker if lead > 0 else other(attacker)
    wanted = battle.wanted if battle.wanted == ALL_FLIPS else battle.wanted - 1
    flow.change(battle=replace(battle, flips=battle.flips + 1, wanted=wanted))
    flow.tell(events.Flipped(battle.flips + 1, mine, theirs, as_ten, winner))
    if lead:
        fell(flow, other(winner))
    else:
        begin_match(flow, "flip")


def fell(flow: Flow[State], loser: int, by_throws: bool = False) -> None:
    """The loser's card goes to its casualties; the next cards come up (GC-23, GC-25)."""
    state, battle = flow.state, _under_way(flow.state)
    is_attacker = loser == state.turn
    card = battle.attacking[0] if is_attacker else battle.defending[battle.at]
    if by_throws:
        flow.tell(events.TieBroken(loser, card))
    defending, at = battle.defending, battle.at
    if is_attacker:
        at += 1
    else:
        defending = (*defending[:at], *defending[at + 1 :])
    flow.put(loser, casualties=(*state.casualties[loser], card), army=without(state.army[loser], (card,)))
    flow.change(
        phase="battle",
        battle=replace(
            battle, attacking=battle.attacking[1:], defending=defending, at=at % len(defending) if defending else 0
        ),
    )


def without(army: tuple[Battalion, ...], gone: tuple[Card, ...]) -> tuple[Battalion, ...]:
    """An army without these number cards."""
    return tuple(replace(each, cards=tuple(card for card in each.cards if card not in gone)) for each in army)


def _finish(flow: Flow[State], battle: Battle) -> None:
    """Battalions without cards are defeated; the queen brings back a casualty (GC-28, GC-29)."""
    seat = flow.state.turn or 0
    sides = ((seat, battle.attacker), (other(seat), battle.defender))
    left = [battalion(flow.state, side, commander) for side, commander in sides]
    counts = [len(each.cards) if each else 0 for each in left]
    flow.tell(events.BattleOver(seat, *counts))
    for (side, commander), count in zip(sides, counts, strict=True):
        if not count:
            state = flow.state
            flow.tell(events.Defeated(side, commander))
            flow.put(
                side,
                army=tuple(each for each in state.army[side] if each.commander != commander),
                gone=(*state.gone[side], commander),
            )
    casualties = flow.state.casualties[seat]
    if battle.attacker[0] == "Q" and counts[0] and casualties:
        flow.tell(events.Revived(seat, casualties[-1], battle.attacker))
        flow.put(seat, casualties=casualties[:-1])
        add(flow, seat, casualties[-1], battle.attacker)
    flow.change(phase="turn", then="end", battle=None)


def add(flow: Flow[State], seat: int, card: Card, commander: Card) -> None:
    """A number card goes under a commander."""
    state = flow.state
    army = tuple(
        replace(each, cards=(*each.cards, card)) if each.commander == commander else each for each in state.army[seat]
    )
    flow.put(seat, army=army)
