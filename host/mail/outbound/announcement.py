"""Pure: words that tell people of a game. In: the game, the host's name and address, how it is played there. Out: a text.

It stands on a page or in a forum, and in a letter to somebody who asked.
"""

from datetime import timedelta
from typing import Any
from urllib.parse import quote

from host.engine.game import Game


def form_of(community: str) -> tuple[str, ...]:
    """The lines of a registration. `community` is where contestants have the nickname that is asked for."""
    return ("Name (first and last, please): ", f"{nickname_label(community)} (if you have one): ", "Hometown: ")


def nickname_label(community: str) -> str:
    """The label of the nickname. Whatever stands behind its `at` is read (`host.play.form_words`)."""
    return f"Name you go by at {community}"


def in_short(game: Game[Any, Any], within: timedelta, variants: str) -> tuple[str, ...]:
    """The game in short, a paragraph each. `within`: the time for an answer; `variants`: its unusual options, in words."""
    hours = int(within.total_seconds() // 3600)
    time = f"{hours} hours" if hours >= 2 else str(within)
    played = (f"Played here with: {variants}.",) if variants else ()
    return (
        f"{game.title} - played entirely by e-mail",
        game.summary,
        *played,
        "You need an e-mail address and nothing else: each letter shows the table and has links to tap for every move. You "
        f"have {time} for an answer. All money is play money.",
    )


def how_to_register(game: Game[Any, Any], address: str, community: str) -> str:
    """To whom to write, and what."""
    return (
        f"To register, write to {address} with the subject “{game.subject}” and the lines Name, {nickname_label(community)} "
        "(optional) and Hometown (optional)"
    )


def registration_link(game: Game[Any, Any], address: str, community: str) -> str:
    """A link that writes the registration."""
    form = "".join(f"{each}\r\n" for each in form_of(community))
    return f"mailto:{address}?subject={quote(game.subject)}&body={quote(form)}"


def announcement(
    game: Game[Any, Any], name: str, address: str, community: str, within: timedelta, variants: str, start: str
) -> str:
    """The text for a forum or a page, with a link that registers; `start` is the sentence when it begins, or nothing."""
    link = registration_link(game, address, community)
    how = f"{how_to_register(game, address, community)}, or use this link:"
    return "\n\n".join(filter(None, (*in_short(game, within, variants), start, how, link, name)))
