"""What a command loads: only what it needs."""

import argparse
import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.cli.main import function, parser
from host.games import GAMES
from host.store.database import open_store
from host.turn.operator_commands import COMMANDS, PEOPLE_COMMANDS
from tests.size import size

RUN = """
import json, sys
from host.__main__ import main
try:
    status = main()
except SystemExit as leaving:
    status = leaving.code
print(json.dumps([status, sorted(sys.modules)]), file=sys.stderr)
"""
PLAYS = {"host.play.interpret", "host.mail.outbound.render", "host.table.work", "host.turn.outcome"}
HEAVY = {"alembic", "dkim", "jinja2", "lxml", "psycopg", "starlette", "structlog", "uvicorn"}


def loaded(folder: Path, *arguments: str) -> set[str]:
    """The modules that are loaded when a command is over. Each worked."""
    line = [sys.executable, "-c", RUN, *arguments]
    ran = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=True)
    status, modules = json.loads(ran.stderr.splitlines()[-1])
    assert status == 0, ran.stderr
    return set(modules)


def rooms(modules: set[str]) -> set[str]:
    return {name for name in modules if name.startswith("host.games.")}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "podium.toml").write_text(
        '[host]\naddress = "games@example.org"\n[imap]\nhost = "127.0.0.1"\nusername = "x"\n[smtp]\nhost = "127.0.0.1"\n'
        "[games.champ-cards]\n[games.split-decision]\n",
        "utf-8",
    )
    open_store(f"sqlite:///{tmp_path / 'podium.db'}").close()
    return tmp_path


@pytest.mark.parametrize("line", ["--version", "--help", "status --help", "extend --help"])
def test_help_loads_neither_configuration_nor_store(line: str, folder: Path) -> None:
    modules = loaded(folder, *line.split())
    assert not rooms(modules)
    assert not modules & (HEAVY | PLAYS | {"pydantic", "sqlalchemy", "asyncio", "ssl", "host.config", "host.store"})


@pytest.mark.parametrize(
    "line", ["status", "queue champ-cards", "mail", "status --json", "mail a@example.org"][: size(1, 5)]
)
def test_who_looks_at_rows_loads_no_room_and_nothing_that_plays(line: str, folder: Path) -> None:
    modules = loaded(folder, *line.split())
    assert "sqlalchemy" in modules
    assert not rooms(modules)
    assert not modules & (HEAVY | PLAYS)


def functions(found: argparse.ArgumentParser) -> Iterator[str]:
    """The names of what carries out its commands, and theirs."""
    name = found.get_default("function")
    if name:
        yield name
    for each in found._actions:
        if isinstance(each, argparse._SubParsersAction):
            for command in each.choices.values():
                yield from functions(command)


def test_each_command_has_its_function() -> None:
    names = set(functions(parser()))
    assert len(names) > 20
    assert [name for name in names if not callable(function(name))] == []
    for each in (*COMMANDS, *PEOPLE_COMMANDS):
        assert callable(getattr(importlib.import_module(f"host.turn.{each.module}"), each.name.split()[-1])), each.name


def test_a_room_is_found_by_its_slug() -> None:
    assert [game.slug for game in GAMES.values()] == list(GAMES)
    with pytest.raises(KeyError):
        GAMES["chess"]


def test_a_daemon_loads_neither_alembic_nor_pages_nor_what_opens_mails() -> None:
    code = "import host.daemon.main, json, sys; print(json.dumps(sorted(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(json.loads(ran.stdout))
    assert "host.turn.receive" in modules
    opens = {"dkim", "dns", "flufl.bounce", "html2text", "quotequail", "lxml"}
    assert not modules & (opens | {"alembic", "psycopg", "starlette", "uvicorn"})


def test_how_the_daemon_is_can_be_told_without_pages() -> None:
    code = "import host.web.health, host.web.server, json, sys; print(json.dumps(sorted(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(json.loads(ran.stdout))
    assert not modules & {"host.web.desk", "host.web.public", "host.web.pages", "jinja2", "PIL", "markdown_it"}
