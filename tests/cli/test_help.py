"""The help of a command."""

import argparse
from collections.abc import Iterator

import pytest

from host.cli.main import main

Captured = pytest.CaptureFixture[str]


def said(capsys: Captured, *arguments: str) -> str:
    try:
        status = main(arguments)
    except SystemExit as leaving:
        status = int(str(leaving.code))
    printed = capsys.readouterr()
    assert (status, printed.err) == (0, "")
    return printed.out


def named(found: argparse.ArgumentParser) -> Iterator[str]:
    for each in found._actions:
        if isinstance(each, argparse._SubParsersAction):
            yield from each.choices


@pytest.mark.parametrize("words", ["", "status", "questions", "questions import"])
def test_help_is_what_the_command_says_of_itself(words: str, capsys: Captured) -> None:
    assert said(capsys, "help", *words.split()) == said(capsys, *words.split(), "--help")


def test_help_of_what_is_no_command_is_wrong_use(capsys: Captured) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(["help", "nonsense"])
    assert leaving.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
