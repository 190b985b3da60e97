"""Pure: regular expressions that cost nothing until they are used. In: an expression. Out: its pattern, compiled at first use."""

import re
from collections.abc import Callable
from typing import Any, AnyStr, cast


class Lazy:
    """Stands for a compiled pattern; each of its methods is the pattern's own from the first time on that it is asked for."""

    def __init__(self, expression: str | bytes | Callable[[], str], flags: int) -> None:
        self.expression, self.flags = expression, flags

    def __getattr__(self, name: str) -> Any:
        """The pattern's own, once it is compiled."""
        expression = self.expression() if callable(self.expression) else self.expression
        found = getattr(re.compile(expression, self.flags), name)
        setattr(self, name, found)
        return found


def pattern(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, at the first use."""
    return cast(re.Pattern[AnyStr], Lazy(expression, flags))
