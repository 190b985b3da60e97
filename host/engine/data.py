"""Pure: data that comes with the code. In: a package and the name of a file in it. Out: what stands there, read once."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def table(package: str, name: str) -> Mapping[str, Any]:
    """A TOML file of a package."""
    return tomllib.loads(files(package).joinpath(name).read_text("utf-8"))
