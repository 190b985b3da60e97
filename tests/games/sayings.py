"""The files in which each room lists what people write: by phase, the commands they mean, and what is not understood."""

import tomllib
from pathlib import Path


def sayings_in(file: Path, understood: bool) -> list[tuple[str, str, str]]:
    """Phase, saying and command of each entry of a sayings.toml."""
    found = []
    for phase, by in tomllib.loads(file.read_text("utf-8")).items():
        for wanted, block in by.items():
            if understood == (wanted != "not understood"):
                found += [(phase, text, wanted) for line in block.splitlines() for text in line.split(" | ")]
    return found
