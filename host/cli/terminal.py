"""Shell: the terminal. In: what a command found. Out: lines that command no terminal, JSON; the store of a configuration."""

import argparse
import codecs
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from host import logs
from host.errors import PodiumError
from host.games import GAMES, OnDemand

if TYPE_CHECKING:
    from host.config import Config
    from host.engine.record import Record
    from host.store.database import Store

SLUGS = OnDemand(GAMES, lambda slug: GAMES[slug].seats)
"""The games of this Podium, and how many may play each."""


class Failure(PodiumError):
    """A command failed; the message is the sentence to print."""


def opened(arguments: argparse.Namespace, may_make: bool = False, may_migrate: bool = True) -> "tuple[Config, Store]":
    """The configuration, without passwords of mail, and its store. Raises `ConfigError`, `StoreError`.

    The store is made or migrated where it needs that; without `may_make` or `may_migrate` that is a `StoreError`.
    """
    from host.config import load

    config = load(arguments.config, SLUGS, with_secrets=False)
    if any(each.options or each.prizes for each in config.games.values()):
        check_options(config)
    from host.store.database import open_store  # a configuration that cannot be used is told without it

    return config, open_store(config.database.url, may_make, may_migrate)


def check_options(config: "Config") -> None:
    """Does each game allow its options and seats? Raises `ConfigError`."""
    from host.config import ConfigError
    from host.engine.chance import Chance
    from host.engine.game import new_options, usual_seats
    from host.table.play import WINS_OPTION

    faults: list[str] = []
    for slug, settings in config.games.items():
        game = GAMES[slug]
        try:
            own = {WINS_OPTION} if game.bank is None else {WINS_OPTION, "questions"}
            for name in own & set(settings.options):
                raise ValueError(f"the option {name} cannot be set here; take it out")
            for name in set(settings.prizes) - set(game.prizes):
                raise ValueError(f"there is no prize {name}; there are: {', '.join(game.prizes) or 'none'}")
            options = new_options(game, settings.options)
            game.deal(settings.seats or usual_seats(game), options, Chance(bytes(32)))
        except (ValueError, TypeError) as error:
            faults.append(f"games.{slug}: {error}.")
    if faults:
        raise ConfigError("\n".join(faults))


def content(file: str | Path) -> bytes:
    """All that is in a file. Raises `Failure`."""
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise Failure(f"{file} cannot be read: {error}.") from None


def is_text(typed: str) -> bool:
    """Is it UTF-8? Bytes that are not come to a program as halves of characters, which nothing can write."""
    return typed.encode("utf-8", "ignore").decode() == typed


def parts(text: str) -> list[str]:
    """The parts of a text between commas, each once."""
    return list(dict.fromkeys(each.strip() for each in text.split(",") if each.strip()))


def read_record(file: str) -> "Record":
    """The episode record in a file. Raises `Failure`."""
    from host.engine import record

    try:
        return record.read(content(file), GAMES)
    except record.NotARecord as error:
        raise Failure(f"{file} is not an episode record: {error}.") from None


def now() -> datetime:
    """This moment, UTC."""
    return datetime.now(UTC)


def tell(text: object, stream: TextIO | None = None) -> None:
    """The only way to the terminal: what others wrote is shown there, and not obeyed."""
    print(logs.visible(str(text), kept="\n"), file=stream, flush=True)


def json_line(value: object) -> str:
    """One line of JSON, in ASCII where the terminal is not of UTF-8."""
    line = logs.visible_json(value)
    is_utf_8 = codecs.lookup(sys.stdout.encoding or "ascii").name == "utf-8"
    return line if is_utf_8 else json.dumps(json.loads(line))


def print_json(value: object) -> None:
    """Shows it at once, as whoever talks to a command waits for it."""
    tell(json_line(value))


def show(arguments: argparse.Namespace, found: Any, in_words: Callable[[Any], str]) -> int:
    """Show what a command found: one JSON value with --json, else text for a person."""
    if arguments.json:
        print_json(found)
    else:
        tell(in_words(logs.all_visible(found)))
    return 0
