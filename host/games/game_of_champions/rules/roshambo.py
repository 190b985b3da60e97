"""Pure: Roshambo. The throws in a flow's queues meet, one of each side, as often as needed."""

from host.engine.game import Flow
from host.games.game_of_champions import events
from host.games.game_of_champions.state import THROWS, Match, State


def begin(flow: Flow[State], match: Match) -> None:
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
