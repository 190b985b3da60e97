"""Shell: help of all kinds, made from the parser. In: it. Out: a command's help, a shell's completion, a man page."""

import argparse
from collections.abc import Iterator

from host import __version__
from host.cli.terminal import tell


def show_help(arguments: argparse.Namespace) -> int:
    """Print the same as `COMMAND --help`."""
    arguments.parser.parse_args([*arguments.words, "--help"])
    return 0


def show_completion(arguments: argparse.Namespace) -> int:
    """A script that knows all commands by itself: pressing Tab starts no Podium, which takes a second."""
    import shtab

    for _, command in _commands("podium", arguments.parser):
        for each in command._actions:
            named = str(each.metavar or "").partition(".")[0]
            kind = {"FILE": shtab.FILE, "FIRST": shtab.FILE, "FOLDER": shtab.DIRECTORY}.get(named)
            if kind is not None:
                each.complete = kind  # type: ignore[attr-defined] # where shtab looks for it
    tell(shtab.complete(arguments.parser, arguments.shell))
    return 0


def show_manual(arguments: argparse.Namespace) -> int:
    """A page for man(1): what every command's help says, one after the other."""
    lines = [
        f'.TH PODIUM 1 "" "Podium {__version__}"',
        ".SH NAME",
        f"podium \\- {(arguments.parser.description or '').rstrip('.')}",
    ]
    for name, command in _commands("podium", arguments.parser):
        words = command.format_help().replace("\\", "\\e").replace("-", "\\-")
        lines += [f".SH {name.upper()}", ".nf", *(f"\\&{line}" for line in words.splitlines()), ".fi"]
    tell("\n".join(lines))
    return 0


def _commands(name: str, parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """The parser and, by their whole names, those of its commands and of theirs."""
    yield name, parser
    for each in parser._actions:
        if isinstance(each, argparse._SubParsersAction):
            for word, command in each.choices.items():
                yield from _commands(f"{name} {word}", command)
