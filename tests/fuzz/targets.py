"""Edge: what is fuzzed, one function a target. In: bytes. Out: nothing; AssertionError or whatever else was raised is a finding.

`config` writes its bytes to a file, since that is how a configuration is read.
"""

import json
import random
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from host.config import Config, ConfigError, build, load
from host.engine import record
from host.games import GAMES
from host.mail.inbound.quotation import read_lines
from tests.fuzz.checks import check_hearing, check_mail, states, storable
from tests.fuzz.mails import Fuzzed, letters

SLUGS = {slug: game.seats for slug, game in GAMES.items()}


def mail(data: bytes) -> None:
    """A whole mail, to the end of hearing it."""
    findings = check_mail(Fuzzed(len(data), "guided", data, letters=letters("turn.eml")))
    assert not findings, findings


def text(data: bytes) -> None:
    """The text of a reply, held against a letter that was sent."""
    whole = data.decode("utf-8", "replace").replace("\0", "")
    rows = {" ".join(row[:998].split()) for row in whole.splitlines()}
    for sent in ((), letters("turn.eml")):
        typed = read_lines(whole, sent)
        for line in (*typed.lines, *typed.doubtful):  # or the part of one before a quotation on the same line
            assert line in rows or any(row.startswith(line) for row in rows), "a line that nobody wrote"
        assert not any(line.startswith(">") for line in typed.lines), "a marked line was taken for typed"


def commands(data: bytes) -> None:
    """Lines, heard in some state of a game; the first two bytes say which."""
    lines = data[2:].decode("utf-8", "replace").replace("\0", "").splitlines()
    findings = check_hearing(lines, random.Random(int.from_bytes(data[:2], "big")))
    assert not findings, findings


def episode_record(data: bytes) -> None:
    """The file of an episode record: read, replayed and verified, or refused with a sentence."""
    try:
        found = record.read(data, GAMES)
    except record.NotARecord as error:
        assert error.line >= 1
        assert error.reason.strip(), "refused without a sentence"
        return
    game = GAMES[found.header.game]
    rows = list(record.rows(game, found))
    assert all(row["ok"] or row["error"].strip() for row in rows if "ok" in row), "refused without a sentence"
    json.dumps(rows)
    verified = record.verify(game, found, None)
    assert [line for line, _ in verified.refused] == [row["line"] for row in rows if row.get("ok") is False]


def config(data: bytes) -> None:
    """A configuration file."""
    with tempfile.NamedTemporaryFile(suffix=".toml") as file:
        file.write(data)
        file.flush()
        check_config(lambda: load(Path(file.name), SLUGS))


def built_config(data: dict[str, Any], environment: Mapping[str, str]) -> None:
    """A configuration as TOML gives it, with variables laid over it."""
    check_config(lambda: build(data, environment, Path("/nowhere/podium.toml"), SLUGS))


def check_config(read: Callable[[], Config]) -> None:
    """Is it a configuration, or an error of one sentence?"""
    try:
        found = read()
    except ConfigError as error:
        assert str(error).strip().endswith("."), f"no sentence: {error}"
        return
    assert isinstance(found, Config)
    repr(found)
    assert not list(storable({"name": found.host.name, "address": found.host.address})), "what no letter can hold"


TARGETS: dict[str, Callable[[bytes], None]] = {
    "mail": mail,
    "text": text,
    "commands": commands,
    "record": episode_record,
    "config": config,
}


def warm_up() -> None:
    """Make what is made once, so that no single input is blamed for its time."""
    for slug in GAMES:
        states(slug)
    tomllib.loads("")
