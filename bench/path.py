"""Figures of the structure: how far one reply goes through the house, and what stands in its way.

    python -m bench.path

Files and depth are those of one reply that plays a move: opened, matched, judged and written as a command by the reading
process, played, and its letter settled. Depth counts calls of the house's own functions within each other.
"""

import ast
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import host
from tests.turn.desk import Desk

HOUSE = Path(host.__file__).parent
LONG = 400
"""Lines of a module that is long."""
MANY = 6
"""Parameters that are many."""


class Walk:
    """Which files of the house run, and how deep its calls go."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.deepest: list[str] = []
        self._stack: list[str] = []

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """What `sys.setprofile` calls."""
        file = frame.f_code.co_filename
        if not file.startswith(str(HOUSE)) or file.startswith(str(HOUSE / "demo")) or event not in ("call", "return"):
            return
        if event == "call":
            self.files.add(file)
            self._stack.append(f"{file.removeprefix(str(HOUSE))[1:]}:{frame.f_code.co_name}")
            self.deepest = max(self.deepest, list(self._stack), key=len)
        elif self._stack:
            self._stack.pop()


def walk_of_a_reply() -> Walk:
    """One reply that plays a move, traced."""
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder))
        desk.begin()
        asked = next(to for to, letter, _ in reversed(desk.sent) if letter.kind == "begin" and letter.links)
        walk = Walk()
        sys.setprofile(walk)
        try:
            played = desk.answer(asked, "cut 5")
        finally:
            sys.setprofile(None)
        desk.store.close()
    if played.state != "played":
        raise RuntimeError(f"the reply was to play a move, and was {played.state}")
    return walk


def _trees(folder: str = "") -> Iterator[tuple[Path, ast.Module]]:
    for file in sorted((HOUSE / folder).rglob("*.py")):
        yield file, ast.parse(file.read_text("utf-8"))


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    found = [each.arg for each in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    return [name for name in found if name not in ("self", "cls")]


def figures() -> Iterator[tuple[str, object]]:
    """Each figure with its name."""
    walk = walk_of_a_reply()
    yield "files on a reply's path", len(walk.files)
    yield "calls within each other", len(walk.deepest)
    functions = [
        _parameters(node)
        for _, tree in _trees("turn")
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    yield "functions in turn", len(functions)
    carried = [each for each in functions if "session" in each and "now" in each and {"house", "services"} & set(each)]
    yield "of them carrying session, house, now", len(carried)
    yield f"of them with {MANY} parameters or more", sum(len(each) >= MANY for each in functions)
    nodes = [node for _, tree in _trees() for node in ast.walk(tree)]
    yield (
        "uses of session.info",
        sum(
            isinstance(node, ast.Attribute)
            and node.attr == "info"
            and isinstance(node.value, ast.Name)
            and node.value.id == "session"
            for node in nodes
        ),
    )
    yield (
        "flushes by hand",
        sum(
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "flush"
            and "session" in ast.dump(node.func.value)
            for node in nodes
        ),
    )
    aliases = [
        each.asname
        for folder in (HOUSE, HOUSE.parent / "tests", HOUSE.parent / "bench")
        for file in folder.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if (isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in ("host", "tests", "bench"))
        or (isinstance(node, ast.Import) and node.names[0].name.startswith("host"))
        for each in node.names
        if each.asname
    ]
    yield "imports of our own under another name", len(aliases)
    long = {str(file.relative_to(HOUSE)): len(file.read_text("utf-8").splitlines()) for file, _ in _trees()}
    yield f"modules over {LONG} lines", ", ".join(f"{file} {count}" for file, count in long.items() if count > LONG)


if __name__ == "__main__":
    for name, figure in figures():
        sys.stdout.write(f"{name}: {figure}\n")
