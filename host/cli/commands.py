"""Shell: operator commands. In: an episode, a name, a number. Out: one change of the house's, one audit entry, one sentence."""

import argparse
from typing import Any

from host.cli.terminal import opened, tell
from host.daemon.main import now
from host.turn import admin


def _by_hand(arguments: argparse.Namespace, words: str, function: Any, *values: Any) -> int:
    """One command of the host's hand: one transaction, one audit entry, one sentence."""
    _, services, store = opened(arguments)
    with store.transaction() as session:
        said = function(session, services, *values, now())
        admin.audit(session, admin.operator_name(), words, getattr(arguments, "code", "").upper()[:16], now())
    tell(said)
    return 0


def extend(arguments: argparse.Namespace) -> int:
    """Give more time."""
    words = f"extend {arguments.code} {arguments.name} --by {arguments.by}"
    return _by_hand(arguments, words, admin.extend, arguments.code, arguments.name, arguments.by)


def pause(arguments: argparse.Namespace) -> int:
    """Stop an episode's clocks."""
    return _by_hand(arguments, f"pause {arguments.code}", admin.pause, arguments.code)


def resume(arguments: argparse.Namespace) -> int:
    """Let a paused episode go on."""
    return _by_hand(arguments, f"resume {arguments.code}", admin.resume, arguments.code)


def withdraw(arguments: argparse.Namespace) -> int:
    """Take a player out of an episode."""
    words = f"withdraw {arguments.code} {arguments.name}"
    return _by_hand(arguments, words, admin.withdraw, arguments.code, arguments.name)


def resend(arguments: argparse.Namespace) -> int:
    """Send the table and the open question again."""
    words = f"resend {arguments.code} {arguments.name}".strip()
    return _by_hand(arguments, words, admin.resend, arguments.code, arguments.name)


def retry(arguments: argparse.Namespace) -> int:
    """Take a mail again, or send a failed letter again."""
    words = f"retry {arguments.what} {arguments.number}"
    return _by_hand(arguments, words, admin.retry, arguments.what, arguments.number)


def say(arguments: argparse.Namespace) -> int:
    """A host command of the game, or a player's in their place."""
    speaker = f" --as {arguments.as_name}" if arguments.as_name else ""
    words = f"say {arguments.code}{speaker} {arguments.text}"
    return _by_hand(arguments, words, admin.say, arguments.code, arguments.text, arguments.as_name)


def back(arguments: argparse.Namespace) -> int:
    """Return to the state after a line of the record."""
    words = f"back {arguments.code} {arguments.line}"
    return _by_hand(arguments, words, admin.back, arguments.code, arguments.line)


def begin(arguments: argparse.Namespace) -> int:
    """Begin an episode with those who wait."""
    return _by_hand(arguments, f"begin {arguments.game}", admin.begin, arguments.game)
