"""Pure: the grammar of Champ Cards. It reads as a `Command` what somebody at a seat wrote in a state of play.

`VOCABULARY` is the table of verbs; `links` has what is offered to tap.
"""

from host.engine.grammar import AtTable
from host.engine.vocabulary import Command, Vocabulary
from host.games.champ_cards.commands.links import ahead, choices
from host.games.champ_cards.state import State, hand_total, open_spaces

__all__ = ["VOCABULARY", "ahead", "at_hand", "choices", "parse", "split"]

VOCABULARY = Vocabulary("host.games.champ_cards")


def split(line: str) -> tuple[str, ...]:
    """The fragments of a line, each a command of its own."""
    return VOCABULARY.split(line)


def parse(fragment: str, state: State, seat: int) -> Command:
    """The command in one fragment. Raises `Invalid` where there is none; a card that lies open stands for its space."""
    command = VOCABULARY.parse(fragment, state.phase, _at_table(state), at_hand(state, seat))
    if command.verb == "pick" and command.number is None:
        raise VOCABULARY.refuse(fragment)
    return command


def _at_table(state: State) -> AtTable:
    """What may be named beside a move: the space of the card, the offer, the total one freezes at."""
    keep = {} if state.picked is None else {"keep": {str(state.picked + 1)}}
    offer = {"accept": {str(state.offer)}} if state.phase == "offer" else {}
    freeze = {"freeze": {str(hand_total(state, state.turn))}} if state.phase in ("pick", "choose") else {}
    shown = {state.spaces[place]: place + 1 for place in open_spaces(state) if state.shown[place]}
    return AtTable({**keep, **offer, **freeze}, values=shown)


def at_hand(state: State, seat: int) -> tuple[str, ...]:
    """The card that lies turned over."""
    return (state.spaces[state.picked],) if state.phase == "choose" and state.picked is not None else ()
