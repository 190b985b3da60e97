"""Edge: how a process of our own is begun. In: a module of ours, its arguments. Out: a command line, an environment.

It looks for modules where this process does: Python would look in the current directory first, where anything may lie.
Settings in the environment that may be passwords, Podium's and PostgreSQL's, are not handed to it.
"""

import os
import struct
import sys

LENGTH = struct.Struct(">I")
"""Before each job and each answer that goes between processes: its length in bytes."""
NUMBER = struct.Struct(">i")
"""An order to a process that forks others: the number of one to fork, or below zero of one to kill. And how one ended."""

_PATH = os.pathsep.join(each or os.getcwd() for each in sys.path)
_IS_PLAIN = not any(os.pathsep in each for each in sys.path)
"""Else it cannot be handed on, and Python looks where it always does."""
_SECRET = ("PODIUM_", "PG")


def command(module: str, *arguments: str) -> list[str]:
    """The command line that runs a module."""
    return [sys.executable, "-m", module, *arguments]


def environment() -> dict[str, str]:
    """The environment for it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_SECRET)}
    return kept | ({"PYTHONPATH": _PATH, "PYTHONSAFEPATH": "1"} if _IS_PLAIN else {})
