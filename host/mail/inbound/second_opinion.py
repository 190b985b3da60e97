"""Pure: a second opinion on what was typed, by quotequail. In: the lines of a reply as they were judged. Out: the doubtful.

Where no quotation is certain, a line that only one of the two readings drops is doubtful.
"""

from collections.abc import Sequence

import quotequail

from host.engine.words import pattern
from host.mail.inbound.signatures import signed
from host.mail.inbound.text_lines import Line

MAX_HEADER = 200
"""Characters in a row that is shown to quotequail, some of whose patterns need the square of them."""
MAX_ADDRESSES = 4
"""Signs that begin an address in such a row: one of the patterns needs the cube of them."""
_PERHAPS_HEADER = pattern(r"[> ]*(?:_{32}|--)")
_SHORT_DATE = pattern(r"\d/\d")


def doubtful(lines: Sequence[Line], rows: Sequence[str], writer: tuple[str, ...]) -> list[Line]:
    """Lines that only one of two readings drops, while no quotation that is certain speaks for either."""
    unsure = [line for line in lines if line.words and not line.certain and (line.assumed or not line.quoted)]
    header = next((at for at, row in enumerate(rows) if _is_perhaps_header(row)), len(rows))
    if not any(line.assumed or line.row > header for line in unsure):
        return []
    begins = _second_opinion(rows) if header < len(rows) else header
    if begins is None:
        return []
    sure = next((line.row for line in lines if line.certain and line.row >= begins), len(rows))
    below = {line.row for line in signed(lines, writer)}
    dropped = [line for line in unsure if line.assumed and line.row < begins and line.row not in below]
    is_seen = next((line.quoted for line in reversed(lines) if line.row < begins), False)
    kept = [line for line in unsure if not line.assumed and begins <= line.row < sure and not is_seen]
    return dropped + kept


def _is_perhaps_header(row: str) -> bool:
    """Has it what any of quotequail's patterns would need?"""
    end = row.rstrip()[-1:]
    return end == ":" or bool(_PERHAPS_HEADER.match(row)) or (end == ">" and bool(_SHORT_DATE.search(row)))


def _second_opinion(rows: Sequence[str]) -> int | None:
    """The row below which quotequail takes all for quotation; past the last if none, None if it fails."""
    shown = [row if len(row) <= MAX_HEADER and row.count("<") <= MAX_ADDRESSES else "-" for row in rows]
    try:
        typed = quotequail.quote("\n".join(shown), limit=len(shown) + 1)[0][1]
    except Exception:  # a second opinion is not worth a mail
        return None
    return len(typed.split("\n"))
