"""Help of all kinds: of a command, for a shell's Tab, for man."""

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.cli.main import main, parser

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


def completed(script: Path, *words: str) -> set[str]:
    """What bash offers for the last word."""
    typed = " ".join(f"'{each}'" for each in words)
    lines = (
        f"source {script}; COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; "
        f"COMP_LINE='{' '.join(words)}'; COMP_POINT=${{#COMP_LINE}}; _shtab_podium; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    shell = shutil.which("bash")
    assert shell is not None
    run = subprocess.run([shell, "-c", lines], cwd=script.parent, capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_bash_completes_commands_options_games_and_files(capsys: Captured, tmp_path: Path) -> None:
    script = tmp_path / "podium.bash"
    script.write_text(said(capsys, "completion", "bash"), "utf-8")
    assert completed(script, "podium", "epi") == {"episode"}
    assert completed(script, "podium", "episode", "--rev") == {"--reveal"}
    assert completed(script, "podium", "announce", "champ-") == {"champ-cards"}
    assert completed(script, "podium", "questions", "im") == {"import"}
    assert "podium.bash" in completed(script, "podium", "replay", "pod")


def test_zsh_has_every_command(capsys: Captured) -> None:
    script = said(capsys, "completion", "zsh")
    assert script.startswith("#compdef podium\n")
    offered = set(re.findall(r"^    ([a-z-]+):'", script, re.MULTILINE))
    assert set(named(parser())) - offered == set()


def test_the_manual_has_every_command(capsys: Captured) -> None:
    page = said(capsys, "manual")
    assert page.startswith(".TH PODIUM 1 ")
    assert [each for each in named(parser()) if f".SH PODIUM {each.upper()}\n" not in page] == []
    assert "\n.SH PODIUM QUESTIONS IMPORT\n" in page
    assert not [
        line
        for line in page.splitlines()
        if line.startswith((".", "'")) and line[:3] not in (".TH", ".SH", ".nf", ".fi")
    ]


def test_no_other_command_waits_for_what_writes_completions() -> None:
    code = "import sys, host.cli.main; host.cli.main.parser(); sys.exit('shtab' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
