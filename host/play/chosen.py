"""Pure: an answer to the question what a mail meant. In: its lines, how many readings were offered. Out: which is taken."""

from collections.abc import Sequence

from host.engine.words import pattern, plain
from host.play.agreement import is_answer, says_no, says_yes

NONE_OF_THEM = 0
"""Said of readings of which none is meant."""
_NUMBERS = ("1|one|first|1st", "2|two|second|2nd", "3|three|third|3rd", "4|four|fourth|4th", "5|five|fifth|5th")
_NAMED = pattern(
    r"(?:(?:number|no|nr|option|reading|button|the|i mean|i meant)\b[.:]? *|# *)*"
    + "(?:"
    + "|".join(f"(?P<n{at}>{words})" for at, words in enumerate(_NUMBERS, 1))
    + r")(?:[ ,]+(?:one|reading|please))*[\s.!)]*"
)
_NEITHER = pattern(
    r"(?:no[\s,.]+)?(?:something else|neither(?: of (?:them|these|those|the two))?|none(?: of (?:them|these|those))?)[\s.!]*"
)


def chosen(lines: Sequence[str], count: int) -> int | None:
    """The number of the reading that a reply takes, `NONE_OF_THEM`, or None where it says anything else."""
    text = plain(" ".join(lines)).strip()
    if named := _NAMED.fullmatch(text):
        number = int((named.lastgroup or "n0")[1:])
        return number if number <= count else None
    if _NEITHER.fullmatch(text):
        return NONE_OF_THEM
    if not text or not is_answer(text):
        return None
    return 1 if says_yes(lines) else NONE_OF_THEM if says_no(lines) else None
