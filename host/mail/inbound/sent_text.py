"""Pure: a letter that was sent, to be compared with. In: what was kept of it. Out: its forms; its words, and who signed it."""

import functools
import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from email.message import Message

from host.engine.chance import TOKEN_LENGTH
from host.engine.words import pattern
from host.mail.inbound.parsing import decoded_text, own_parts, parse
from host.mail.inbound.text_lines import fold, words_of

MIN_RUN_WORDS = 6
"""Words that stand in a letter one after the other, in two lines of it: so many are quoted, wherever they stand."""
MAX_TAIL_WORDS = 3
"""Words that go on with what is quoted, but stand outside of it, or are only the tail of a line: so few may be typed."""
MIN_BROKEN_WORD = 20
"""Letters and digits in a word that a mail program may break, as it has no line that would hold it."""
REFERENCE = "ref"
"""The last line of a letter begins with it, and ends with a token."""
_SHOWN = pattern("“([^“”]+)”")
Place = tuple[int, int]
"""An end of a line in a letter: the words before it, and the characters of a word that is broken there."""


class SentText:
    """One letter that we sent, ready to be compared with: its text, taken apart into words once they are asked for.

    `page` is its HTML, where the text is what that shows.
    """

    def __init__(self, text: str, page: str = "") -> None:
        self.text = text
        self.page = page

    @functools.cached_property
    def words(self) -> list[str]:
        """All words, in order."""
        return [word for line in self._lines for word in line]

    @functools.cached_property
    def ends(self) -> set[int]:
        """The places behind the last word of each line."""
        return set(itertools.accumulate(len(line) for line in self._lines))

    @functools.cached_property
    def starts(self) -> set[int]:
        """The places of the first word of each line."""
        return {0, *self.ends} - {len(self.words)}

    @functools.cached_property
    def places(self) -> dict[str, list[int]]:
        """The places of each word."""
        places: dict[str, list[int]] = {}
        for place, word in enumerate(self.words):
            places.setdefault(word, []).append(place)
        return places

    @functools.cached_property
    def _lines(self) -> list[tuple[str, ...]]:
        return [words for line in self.text.splitlines() if (words := words_of(line))]

    @functools.cached_property
    def shown(self) -> frozenset[tuple[str, ...]]:
        """The words of each thing that it shows in quotation marks: what can be typed, and what was."""
        return frozenset(words_of(each) for each in _SHOWN.findall(self.text))

    @functools.cached_property
    def signers(self) -> frozenset[tuple[str, ...]]:
        """The words of the line above its reference, which name who signed it."""
        return frozenset(signers_in(self._lines))

    def may_hold(self, words: Collection[str]) -> bool:
        """Could all these words stand in it? False only where they do not."""
        return all(word in self._folded for word in words)

    @functools.cached_property
    def _folded(self) -> str:
        return fold(self.text)

    def find(self, words: Sequence[str]) -> list[int]:
        """The places of these words, one after the other."""
        found = self.places.get(words[0], ())
        return [at for at in found if self.words[at : at + len(words)] == list(words)]

    def follow(self, words: Sequence[str], place: Place) -> Place | None:
        """The end of these words if they stand at this place, the first and the last perhaps parts of a word."""
        at, inside = place
        for number, word in enumerate(words, start=1):
            rest = self.words[at][inside:] if at < len(self.words) else ""
            if word == rest:
                at, inside = at + 1, 0
            elif number == len(words) and rest.startswith(word):
                inside += len(word)
            else:
                return None
        return at, inside

    def breaks_long(self, place: Place) -> bool:
        """Is a word broken here that is so long that a mail program must break it?"""
        return place[1] > 0 and len(self.words[place[0]]) >= MIN_BROKEN_WORD


def signers_in(lines: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """The words of each line above a letter's reference: its end, which begins with this word and ends with a token."""
    for above, line in itertools.pairwise(lines):
        if above and line and line[0] == REFERENCE and len(line) > 2 and len(line[-1]) == TOKEN_LENGTH:
            yield above


def letter_forms(raw: bytes) -> tuple[str, str]:
    """The text and the HTML of a letter that was sent, by this version, by an older one, or as somebody kept it."""
    found = {"text/plain": "", "text/html": ""}
    for part in own_parts(parse(raw)):
        kind = part.get_content_type()
        if kind in found:
            found[kind] += decoded_text(payload(part), part.get_content_charset())
    return found["text/plain"].replace("\r\n", "\n"), found["text/html"].replace("\r\n", "\n")


def payload(part: Message) -> bytes:
    """The bytes of a part, decoded."""
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""
