"""Lines that are a list: numbers tell their order, a no behind a dash what is not wanted."""

from host.play.listed import as_lines
from tests.rows import every

MOVES = frozenset(("keep", "draw"))


@every(
    ("lines", "wanted"),
    [
        (["2) rock", "1) paper"], ("paper", "rock")),
        (["Hi,", "1. play", "2. always raise", "Bye"], ("Hi,", "play", "always raise", "Bye")),
        (["3. keep"], ("3. keep",)),
        (["5. keep", "6. draw"], ("5. keep", "6. draw")),
        (["1. keep", "1. draw"], ("1. keep", "1. draw")),
        (["keep - no", "draw: YES!"], ("not keep", "draw")),
        (["my answer: no", "keep it - no, draw"], ("my answer: no", "keep it - no, draw")),
        ([], ()),
    ],
)
def test_a_list_is_read_as_its_items(lines: list[str], wanted: tuple[str, ...]) -> None:
    assert as_lines(lines, MOVES.__contains__) == wanted
