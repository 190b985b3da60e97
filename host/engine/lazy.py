"""Pure: regular expressions that cost nothing until they are used. In: an expression. Out: its pattern, compiled at first use."""

import re
from typing import Any, cast


class _Lazy:
    """Stands for a compiled pattern; each of its methods is the pattern's own from the first time on that it is asked for."""

    def __init__(self, expression: str, flags: int) -> None:
        self._expression, self._flags = expression, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self._expression, self._flags), name)
        setattr(self, name, found)
        return found


def pattern(expression: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, at the first use."""
    return cast(re.Pattern[str], _Lazy(expression, flags))
