"""Shell: operator commands at the shell. In: their table. Out: arguments; one change, one audit entry, one sentence."""

import argparse
from collections.abc import Callable
from typing import Any

from host.cli.terminal import opened, tell
from host.daemon.main import now
from host.turn import admin
from host.turn.operator_commands import COMMANDS, Argument, OperatorCommand
from host.turn.work import begin


def add_commands(add: Callable[..., argparse.ArgumentParser]) -> None:
    """Give each command of the table its arguments; `add` makes the parser of one, given its name, function and help."""
    for command in COMMANDS:
        parser = add(command.name, _run_of(command), command.help)
        for argument in command.arguments:
            _add_argument(parser, argument)


def _add_argument(parser: argparse.ArgumentParser, argument: Argument) -> None:
    options: dict[str, Any] = {"type": _text_of(argument), "metavar": argument.shown}
    if argument.choices:
        options["choices"] = argument.choices
    if argument.is_optional:
        options["default"] = ""
    if argument.option:
        parser.add_argument(argument.option, dest=argument.name, required=not argument.is_optional, **options)
    else:
        parser.add_argument(argument.name, nargs="?" if argument.is_optional else None, **options)


def _text_of(argument: Argument) -> Callable[[str], str]:
    """Takes an argument's text as it was typed, where the table can read it."""

    def take(text: str) -> str:
        try:
            argument.read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"{text}: {error}" if text not in str(error) else str(error)) from None
        return text

    return take


def _run_of(command: OperatorCommand) -> Callable[[argparse.Namespace], int]:
    def run(arguments: argparse.Namespace) -> int:
        typed = {each.name: str(getattr(arguments, each.name)) for each in command.arguments}
        values = {each.name: each.read(typed[each.name]) for each in command.arguments}
        _, services, _ = opened(arguments)
        with begin(services, now()) as work:
            said = command.run(work, **values)
            admin.audit(work, admin.operator_name(), command.audit_words(typed), typed.get("code", "").upper()[:16])
        tell(said)
        return 0

    return run
