"""Pure: how mail programs write (`programs.toml`). In: a section, its lists. Out: an expression for any of their words."""

from host.engine.word_files import table


def any_of(section: str, *lists: str) -> str:
    """An expression that finds any of the words in these lists of a section."""
    found = table("host.mail.inbound", "programs.toml")[section]
    return f"(?:{'|'.join(each for name in lists for each in found[name])})"
