"""A room that the command has just written signs the contract as it stands, and nothing else in the house changes."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.new_room import ROOT, main, write

WANTED = (
    "host",
    "templates",
    "tests/__init__.py",
    "tests/rows.py",
    "tests/size.py",
    "tests/test_kinds.py",
    "tests/games",
    "pyproject.toml",
)
CONTRACT = ("test_contract.py", "test_clauses.py", "test_oracles.py", "blind_trade")


def run(house: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=house, env={"PYTHONPATH": str(house)}, capture_output=True, text=True)


def files(house: Path) -> dict[Path, bytes]:
    found = [each for each in house.rglob("*") if each.is_file() and "__pycache__" not in each.parts]
    return {each.relative_to(house): each.read_bytes() for each in found}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As much of the house as a room needs to be tested."""
    place = tmp_path_factory.mktemp("house")
    for name in WANTED:
        source = ROOT / name
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, place / name)
    return place


@pytest.mark.storm
def test_a_new_room_signs_the_contract(house: Path) -> None:
    before = files(house)
    written = run(house, "-m", "tests.games.new_room", "blind-trade", "Blind Trade")
    assert written.returncode == 0, written.stderr
    after = files(house)
    fresh = set(after) - set(before)
    assert {file: after[file] for file in before} == before
    assert {"/".join(file.parts[: 3 if file.parts[0] != "templates" else 2]) for file in fresh} == {
        "host/games/blind_trade",
        "templates/blind_trade",
        "tests/games/blind_trade",
    }
    named = [f"tests/games/{name}" for name in CONTRACT]
    which = "(blind-trade or blind_trade) and not long_and_odd"  # half the time, and not about what is written
    tested = run(house, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *named, "-k", which)
    assert tested.returncode == 0, tested.stdout
    lines = ["-m", "ruff", "check", "--no-cache", "host/games/blind_trade", "tests/games/blind_trade"]
    linted = run(house, *lines)
    assert linted.returncode == 0, linted.stdout


@pytest.mark.parametrize(
    ("slug", "title", "code", "fault"),
    [
        ("High Card", "High Card", "HC", "a slug is"),
        ("high-card", "High Card", "Hc", "a code is"),
        ("champ-cards", "Champ Cards", "ZZ", "is there already"),
        ("high-card", "High Card", "CC", "another game's"),
    ],
)
def test_a_name_that_is_none_or_taken_writes_nothing(slug: str, title: str, code: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        write(slug, title, code)
    assert not (ROOT / "host" / "games" / "high_card").exists()


def test_a_slug_that_is_no_room_is_refused_with_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["nothing-here"])
    assert "there is no room nothing-here: give its title too" in capsys.readouterr().err
