"""Pure: data files that lie in the `data` folder of a package. In: the package, the file's name. Out: its words, its table.

A file is read when it is first asked for, and kept.
"""

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from importlib.resources import files
from typing import Any, TypeVar

Lists = TypeVar("Lists")


@functools.cache
def word_list(package: str, name: str) -> frozenset[str]:
    """The words of a text file."""
    return frozenset(_text(package, name).split())


@functools.cache
def table(package: str, name: str) -> dict[str, Any]:
    """The content of a TOML file."""
    return tomllib.loads(_text(package, name))


def word_lists(kind: type[Lists], found: Mapping[str, str]) -> Lists:
    """A table's lists as a dataclass of sets; commas part what has blanks in it. Raises KeyError for a list that is missing."""
    return kind(**{each.name: _parted(found[each.name]) for each in fields(kind)})  # type: ignore[arg-type]


def _parted(text: str) -> frozenset[str]:
    return frozenset(" ".join(each.split()) for each in text.split("," if "," in text else None))


def _text(package: str, name: str) -> str:
    return files(package).joinpath("data", name).read_text("utf-8")
