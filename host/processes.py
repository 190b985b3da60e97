"""Edge: how a process of our own is begun. In: a module of ours, its arguments. Out: a command line, an environment.

It runs the code that this process runs, wherever either was begun: Python would look for modules in the current directory first,
where anything may lie. The host's settings, which hold passwords, are not for it.
"""

import os
import sys

_PATH = os.pathsep.join(each or os.getcwd() for each in sys.path)


def command(module: str, *arguments: str) -> list[str]:
    """The command line that runs a module."""
    return [sys.executable, "-m", module, *arguments]


def environment() -> dict[str, str]:
    """The environment for it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PODIUM_")}
    return kept | {"PYTHONPATH": _PATH, "PYTHONSAFEPATH": "1"}
