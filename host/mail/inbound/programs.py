"""Pure: the words of mail programs (`programs.toml`). In: a section, its lists. Out: an expression for any of their words."""

import re
from collections.abc import Callable
from typing import cast

from host.engine.words import Lazy, table


def any_of(section: str, *lists: str) -> str:
    """An expression that finds any of the words in these lists of a section."""
    found = table("host.mail.inbound", "programs.toml")[section]
    return f"(?:{'|'.join(each for name in lists for each in found[name])})"


def words_pattern(expression: Callable[[], str], flags: int = 0) -> re.Pattern[str]:
    """A pattern with such words in it, made at its first use."""
    return cast(re.Pattern[str], Lazy(expression, flags))
