"""Pure: what is asked of the host's service rather than of the game. In: what somebody wrote. Out: a service, the host's text."""

import re
from collections.abc import Collection, Sequence

from host.engine.grammar import plain, words

HOST_LINE = re.compile(r"\s*host(?:\s*+:|\s)\s*+(?=[^\s,:])", re.IGNORECASE)
WRAPPED_FROM = 55
"""A line as long as this was probably wrapped by the mail program, so the next one belongs to it."""
SERVICES = {
    "status": (
        "status",
        "show status",
        "show table",
        "show board",
        "show me the table",
        "show me the board",
        "show me the status",
        "my status",
        "state",
        "standings",
        "where are we",
        "table",
        "board",
    ),
    "rules": ("rules", "show rules", "send rules", "the rules", "rule", "how play", "how do play"),
    "help": ("help", "help me", "commands", "show help", "what can say", "what can do", "menu", "?"),
    "resign": ("resign", "resign yes", "quit", "forfeit", "withdraw", "surrender", "concede"),
    "retire": ("retire",),
    "leave": ("leave", "leave queue", "unregister", "deregister", "leave game"),
    "cancel": ("cancel", "cancel it", "cancel that", "cancel all", "cancel everything", "cancel what sent ahead"),
}
_SERVICE_OF = {
    " ".join(words(phrase)) or phrase: service for service, phrases in SERVICES.items() for phrase in phrases
}


def service_in(fragment: str, titles: Collection[str] = ()) -> tuple[str, str]:
    """The service that a fragment asks for, and its argument (`leave champ cards`); `("", "")` if none.

    `leave` takes the name of a game, of which `titles` are known, or of the queue; `leave the ten` is no service.
    """
    text = " ".join(words(fragment)) or plain(fragment)
    if text in _SERVICE_OF:
        return _SERVICE_OF[text], ""
    if text.startswith("leave "):
        argument = text.removeprefix("leave ")
        known = {"".join(words(title)) for title in titles} | {"queue", "list", "line", "game"}
        if "".join(argument.replace("-", " ").split()) in known:
            return "leave", argument
    return "", ""


def take_host_text(lines: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """The lines without what is written to the host, and that text: from `host ` to the end of its (wrapped) line."""
    rest: list[str] = []
    texts: list[str] = []
    wrapped = False
    for line in lines:
        start = HOST_LINE.match(line)
        if start:
            texts.append(line[start.end() :].strip())
            wrapped = len(line) >= WRAPPED_FROM
        elif wrapped:
            texts[-1] += " " + line.strip()
            wrapped = len(line) >= WRAPPED_FROM
        else:
            rest.append(line)
    return tuple(rest), "\n".join(text for text in texts if text)
