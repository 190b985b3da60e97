"""The fragments of a mail, and how they were typed."""

from host.play.clauses import clauses
from tests.rows import every


@every(
    ("text", "typed"),
    [
        ("King takes it.\nThen he marches on the jack.", ["King takes it", "he marches on the jack"]),
        ("Call. Then I stand there", ["Call", "I stand there"]),
        ("Throw in one of them. One, then one more", ["Throw in one of them", "One, then one more"]),
    ],
)
def test_a_clause_is_quoted_as_it_was_typed(text: str, typed: list[str]) -> None:
    def split(line: str) -> tuple[str, ...]:
        return tuple(part.strip().removeprefix("then ") for part in line.lower().split(".") if part.strip())

    assert [each.typed for each in clauses(text, split)] == typed
