"""What the first word of a module's docstring promises: a `Pure:` module reaches no input or output by what it imports."""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

import host
from tests.rows import every

HOUSE = Path(host.__file__).parent
KINDS = ("Pure:", "Edge:", "Shell:")
NOTES = {"host", "host.mail", "host.mail.inbound", "host.mail.outbound", "host.demo"}
"""Packages whose docstring is a note about their modules; they hold no code."""

ALLOWED = frozenset(
    [
        # numbers, text and data, worked out from arguments alone
        *"base64 binascii bisect collections contextlib csv dataclasses difflib enum functools hashlib hmac html".split(),
        *"io.StringIO itertools json ipaddress math operator re textwrap tomllib types typing unicodedata urllib.parse".split(),
        # moments are arguments; that nobody asks which one is now, ruff holds
        "datetime",
        # mails as bytes and objects; not what looks at a clock, a generator or the name of the machine
        *"email.errors email.header email.headerregistry email.message email.message_from_bytes".split(),
        *"email.message_from_string email.parser email.policy".split(),
        *"codecs.lookup email.utils.format_datetime email.utils.formataddr".split(),
        *"email.utils.getaddresses email.utils.parseaddr email.utils.parsedate_to_datetime".split(),
        # readers of text and HTML that is handed to them; that css_inline fetches nothing is said where it is made
        *"css_inline flufl.bounce icalendar lxml markupsafe phevaluator quotequail rapidfuzz".split(),
        # keys are handed to it; it looks at the clock for `t=` and `x=`, which is known (docs/decisions/0013)
        "dkim",
    ]
)
"""What a pure module may import from outside the house: whole modules, or single names. What is not here does input or
output (asyncio, logging, os, pathlib, socket, sqlalchemy, subprocess, threading), tells a time (time), draws (random,
secrets), finds code (importlib), or nobody has needed it yet."""

KNOWN = {
    "host.engine.chance": {"secrets": "the only module that draws from the operating system: seeds, tokens, jitter"},
    "host.engine.words": {"importlib.resources": "reads the word lists and forms that lie beside the code"},
    "host.demo.robot": {
        "random": "whoever plays hands in the generator",
        "email.utils.make_msgid": "a Message-ID, from the clock and a generator",
    },
    "host.mail.inbound.dkim": {"sys.modules.setdefault": "keeps from loading what dkimpy would ask DNS with"},
    "host.games": {"importlib": "finds the rooms by their folders", "pkgutil": "finds the rooms by their folders"},
}
"""What pure modules import although they may not, and why."""


def name_of(file: Path) -> str:
    parts = file.relative_to(HOUSE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def trees() -> dict[str, ast.Module]:
    """All modules of the house by their names."""
    return {name_of(file): ast.parse(file.read_text("utf-8")) for file in sorted(HOUSE.rglob("*.py"))}


@functools.cache
def kind(module: str) -> str:
    return (ast.get_docstring(trees()[module]) or "").partition(" ")[0]


def pure() -> list[str]:
    return [module for module in trees() if kind(module) == "Pure:"]


def dotted(node: ast.expr) -> str:
    """`email.utils.parseaddr` as it is written, empty for what is no name with dots."""
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    return node.id if isinstance(node, ast.Name) else ""


def imported(tree: ast.Module) -> Iterator[str]:
    """The names that a module takes from others, wherever it imports them: `from a import b` and `import a` with `a.b`."""
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    written = {dotted(node) for node in ast.walk(tree) if isinstance(node, ast.expr) and id(node) not in inner}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, "an import names its module in full"
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Import):
            for each in node.names:
                bound, module = each.asname or each.name.partition(".")[0], each.name if each.asname else ""
                used = {
                    (module or bound) + name.removeprefix(bound)
                    for name in written
                    if f"{name}.".startswith(f"{bound}.")
                }
                yield from sorted(used) or [each.name]


def covers(entry: str, name: str) -> bool:
    return f"{name}.".startswith(f"{entry}.")


def is_allowed(name: str) -> bool:
    """Is it a pure module of the house, something in one, or allowed from outside?"""
    if covers("host", name):
        return kind(name if name in trees() else name.rpartition(".")[0] or name) == "Pure:"
    return any(covers(entry, name) for entry in ALLOWED)


def not_allowed(module: str) -> set[str]:
    return {name for name in imported(trees()[module]) if not is_allowed(name)}


def test_a_docstring_begins_with_the_kind_of_its_module() -> None:
    assert len(trees()) > 200
    assert [module for module in trees() if module not in NOTES and kind(module) not in KINDS] == []


@pytest.mark.parametrize("module", sorted(NOTES))
def test_a_note_holds_no_code(module: str) -> None:
    body = trees()[module].body
    assert not any(isinstance(node, ast.stmt) and not isinstance(node, ast.Expr | ast.Assign) for node in body)


def test_a_pure_module_imports_only_what_is_pure() -> None:
    for module in pure():
        entries = KNOWN.get(module, {})
        found = {name for name in not_allowed(module) if not any(covers(entry, name) for entry in entries)}
        assert found == set(), module


def test_a_pure_module_opens_no_file_and_no_terminal() -> None:
    for module in pure():
        called = {dotted(node.func) for node in ast.walk(trees()[module]) if isinstance(node, ast.Call)}
        assert called & {"open", "input", "print", "__import__", "exec", "eval"} == set(), module


@pytest.mark.parametrize(
    ("module", "entry"), [(module, entry) for module, entries in KNOWN.items() for entry in entries]
)
def test_each_exception_is_still_needed(module: str, entry: str) -> None:
    assert kind(module) == "Pure:"
    assert any(covers(entry, name) for name in not_allowed(module))


@every(
    "line",
    [
        *(
            "import os",
            "from os import environ",
            "import asyncio as a",
            "import time",
            "import io",
            "from io import open",
        ),
        *(
            "import sqlalchemy.orm",
            "from jinja2 import Environment",
            "import logging.handlers",
            "import urllib.request",
        ),
        *("import email.utils, random", "from email import utils", "from email.utils import make_msgid"),
        *("from pathlib import Path", "import subprocess", "import socket", "import threading", "import secrets"),
        *("from host.store import database", "from host.store.database import Store", "from host.config import Config"),
        *("from host.daemon import main", "import host.daemon.main", "import host", "from host import __version__"),
    ],
)
def test_what_is_not_pure_is_seen(line: str) -> None:
    assert not all(is_allowed(name) for name in imported(ast.parse(line)))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import email.utils\nemail.utils.parseaddr('')", {"email.utils.parseaddr"}),
        ("import io as i\nx = i.open('a').read()", {"io.open"}),
        ("def f():\n    import os.path\n    return os.getcwd()", {"os.getcwd"}),
        ("from email import utils as u\nu.localtime()", {"email.utils"}),
        ("from host import chance, cards", {"host.chance", "host.cards"}),
    ],
)
def test_names_are_found_however_they_are_imported(text: str, names: set[str]) -> None:
    assert set(imported(ast.parse(text))) == names
