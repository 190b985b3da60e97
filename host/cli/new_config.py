"""Pure: the text of a new configuration. In: sections with their values, games. Out: TOML with comments."""

import json
from collections.abc import Mapping, Sequence

from host.engine.words import table

HEAD = "# Written by podium init. All keys there are, with their meaning: config.example.toml\n"
NO_LOGIN = "no login: the server is on this machine"


def text(sections: Mapping[str, Mapping[str, object]], slugs: Sequence[str], plus: str) -> str:
    """The whole file, without the sections that are empty. `plus` says why plus addressing is on or off."""
    parts = [f"\n[{name}]\n{_lines(values, plus)}" for name, values in sections.items() if values]
    return HEAD + "".join([*parts, *(f"\n[games.{slug}]\n" for slug in slugs)])


def _lines(values: Mapping[str, object], plus: str) -> str:
    comments = table("host.cli", "comments.toml") | {"plus_addressing": plus}
    if not values.get("username"):
        comments["username"] = NO_LOGIN
    lines = [(f"{key} = {value(each)}", comments.get(key)) for key, each in values.items()]
    width = max(len(line) for line, _ in lines)
    return "".join(f"{line:<{width}}  # {comment}\n" if comment else f"{line}\n" for line, comment in lines)


def value(each: object) -> str:
    """A value in TOML. A string of JSON is one of TOML, but for DEL, which TOML wants escaped."""
    if isinstance(each, Sequence) and not isinstance(each, str):
        return f"[{', '.join(map(value, each))}]"
    return json.dumps(each, ensure_ascii=False).replace("\x7f", "\\u007f")
