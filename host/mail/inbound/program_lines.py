"""Pure: the lines that mail programs add to what was typed. In: the lines of a reply, who wrote it. Out: these lines, marked.

Over a quotation stands its header: an attribution (`On Monday Ann wrote:`, in any language), a block of labels (`From:`,
`Sent:`), or a rule. Where nothing below it is marked or known, all that follows is assumed to be quoted. Below the text
stands a signature: it begins with `--`, or with the writer's name over what stands on their card. `Sent from my phone`
lines count too.
"""

import functools
import itertools
import unicodedata
from collections.abc import Collection, Sequence

from host.engine.words import pattern, table
from host.mail.inbound.programs import any_of, words_pattern
from host.mail.inbound.text_lines import WORD, Line, has_colon, tells_who_wrote

MAX_BARE_WORDS = 8
"""Words in a header that has neither date nor address."""
MAX_INTRODUCING = 6
"""Words of a line that says that a mail follows."""
MAX_LABELS = 20
"""Lines of labels in the header of a quotation."""
MIN_KNOWN_SHARE = 0.5
"""So many of the words below a quotation header must be known for the rest to be believed typed."""
RULE = pattern(
    r"\s*(?:_{5,}|-{5,}|={5,}|[-_=*]{2,}\s?[\w&](?:[^-_=]|(?<=[^\W\d_])-(?=[^\W\d_])){2,60}\s?[-_=*]{2,})\s*$"
)
_LABEL = pattern(r"\s*(?:\*{0,2}([^\W\d_][^:：\d]{0,24}?)\*{0,2}\s?[:：]\*{0,2}|\|\s?([^\W\d_][^|\d]{0,24}?)\s?\|)(.*)")
_VALUE = pattern(r"\S@\S|\[[A-Z]{2,10}-\d|\d[/.]\d\d?[/.]\d\d")
_YEAR = pattern(r"\b(?:19|20)\d\d\b|(?:19|20)\d\d年")
_NUMBER = pattern(r"[\d\s.,%+-]{1,8}")
_RULE_AND_LABELS = pattern(r"[-_]{3,}[^-_]{2,60}[-_]{3}(?=[^:：]*[:：].*@)")
_RULED = pattern(r"[-_]{3,} ?(?=[^@]{1,200}@)(?=(?:\D{0,40}\d){4}).{10,240}[-_]{3,}\s*$")
"""An attribution between strokes, as Zoho writes it: `---- On Fri, 20 Nov ... wrote ----`."""
_DATED = pattern(r"\b20\d\d\b|\d{1,2}[:.h]\d\d")
_DIGITS = pattern(r"\d+")
_BEGUN_AS_EVER = words_pattern(lambda: any_of("attribution", "beginnings") + r"\b|[在于]")
"""How attributions begin: with a day, or the word before it."""
_EPISODE = pattern(r"\[[A-Z]{2,}-\d+")
MAX_CARD = 7
"""Lines of a signature below the name."""
_REACHED = pattern(
    r"[\w.+-]@[\w-]+\.\w|\bwww\.|https?://|^[+(0][\d\s()/.-]{5,40}\d$"
    r"|\b(?:tel|telephone|telefon|phone|fon|mobile?|mob|cell|fax|handy|office|[tmpf](?=[.:]))\W{0,4}\d[\d\s()/.-]{4,40}\d"
)
"""How to reach somebody: an address, a page, a telephone."""
_SIGNATURE = pattern(r"--\s?$")
_TELEPHONE = words_pattern(
    lambda: (
        rf"{any_of('telephones', 'sent')}[^,:;?!]{{0,60}}{any_of('telephones', 'with')}[^,:;?!.]{{0,60}}"
        rf"(?:\. (?=(?:\D+ ){{2}})\D{{6,90}}|, an? .{{3,40}}|, \D{{6,70}}| ?\(\D{{4,60}}\)|[.!])?$"
        rf"|{any_of('telephones', 'whole')}"
    )
)
"""Finds a line that telephones write below a mail, perhaps with a plea to excuse its brevity. Who tells that they sent
something names the telephone behind a comma or a colon, or a number behind the sentence."""
_LINK = pattern(r"[(\[<]?https?://[^\s()\[\]<>]{1,200}[)\]>]?")


def note_introductions(lines: Sequence[Line], signers: Collection[tuple[str, ...]]) -> None:
    """Note the short lines that end with a colon above a quotation, be it further down, or at the end of all."""
    has_quoted, is_end = False, True
    for line in reversed(lines):
        is_short = 1 < len(line.words) <= MAX_BARE_WORDS and has_colon(line.text)
        if is_short and not line.quoted and (has_quoted or is_end):
            line.introduces = any(set(signer) <= set(line.words) for signer in signers) if signers else None
        has_quoted, is_end = has_quoted or line.certain, is_end and not line.words


def mark_headers(lines: Sequence[Line]) -> None:
    """Mark what mail programs write over a quotation; without marks or known text below it, all that follows is quoted.

    What stands between one header and the next, before anything known, is an older reply of the person's own.
    """
    at = 0
    since: int | None = None
    while at < len(lines):
        length = _header_length(lines, at)
        if not length:
            since = None if lines[at].certain else since
            at += 1
            continue
        for line in [] if since is None else lines[since:at]:
            line.quoted = True
        since = at + length
        for line in lines[at : at + length]:
            line.quoted = True
        below = lines[at + length :]
        total = sum(len(line.words) for line in below)
        known = sum(len(line.words) for line in below if line.quoted)
        is_boxed = bool(below) and (
            below[0].marked or (lines[at + length - 1].introduces and any(line.marked for line in below))
        )
        if not is_boxed and known < MIN_KNOWN_SHARE * total:
            for line in below:
                line.assumed = line.assumed or not line.quoted
                line.quoted = True
        at += length


def _header_length(lines: Sequence[Line], at: int) -> int:
    """How many lines from here are a quotation header: a rule, a block of labels, or an attribution; 0 if none."""
    if lines[at].quoted:
        return 0
    rules = 1 if RULE.match(lines[at].text) else 0
    start = at + rules
    if not rules and has_colon(lines[at].text) and len(lines[at].words) <= MAX_INTRODUCING:
        block = _block_length(lines, at + 1)  # `Begin forwarded message:`; alone it would be what was typed
        is_header_below = block >= 3 and any("@" in line.text for line in lines[at + 1 : at + 1 + block])
        if is_header_below and any(line.words and not line.quoted for line in lines[:at]):
            return 1 + block
    block = _block_length(lines, start)
    if block >= 3 and any("@" in line.text or _EPISODE.search(line.text) for line in lines[start : start + block]):
        return rules + block
    if rules and block >= 1 and start + block < len(lines):
        return rules + block
    length = _attribution_length(lines, start)
    if length:
        return rules + length
    if rules and start < len(lines) and lines[start].quoted:
        return rules
    return 0


def _block_length(lines: Sequence[Line], start: int) -> int:
    """How many lines from here are a block of labels that begins and ends with one that mails have; 0 if none."""
    length = 0
    for count, line in enumerate(lines[start : start + MAX_LABELS], start=1):
        if line.quoted or not is_labelled(line.shape):
            break
        if is_header(line.shape):
            length = count
        elif not length:
            break
    return length


def _attribution_length(lines: Sequence[Line], start: int) -> int:
    """How many lines from here are one attribution, of three at most; 0 if none."""
    for length in (1, 2, 3):
        part = lines[start : start + length]
        if len(part) < length or any(line.quoted for line in part) or part[-1].row != part[0].row + length - 1:
            return 0
        following = lines[start + length : start + length + 1]
        if _is_attribution(part, following):
            alone = length > 1 and _is_attribution(part[1:], following)
            return length if length == 1 or _is_begun(part[0], part[1], alone) else 0
    return 0


def _is_attribution(part: Sequence[Line], following: Sequence[Line]) -> bool:
    """`On ... somebody <address> wrote:` in any language: ends with a colon, has a date or an address, a quotation below.

    Above a quotation that is certain it may do with a name and a verb, or the name of who signed what is quoted.
    """
    text = " ".join(line.shape for line in part)
    if _RULE_AND_LABELS.match(text) or _RULED.match(text):
        return True
    if not has_colon(text) or len(text) > 400:
        return False
    if part[-1].introduces:
        return True
    dated = len(_DIGITS.findall(text)) >= 2
    if following and following[0].quoted:
        return dated or "@" in text or _is_bare(part)
    return dated and ("@" in text or "wrote" in text)


def _is_bare(part: Sequence[Line]) -> bool:
    """Is it a line like `Somebody wrote:`?"""
    if len(part) != 1 or not 1 < len(part[0].words) <= MAX_BARE_WORDS:
        return False
    return tells_who_wrote(unicodedata.normalize("NFC", part[0].text))


def _is_begun(line: Line, following: Line, alone: bool) -> bool:
    """Does an attribution begin with this line? It has the date, or the name at least; if the next would do alone, surely.

    Where that has a date of its own, a number above it is what somebody typed.
    """
    if following.text.startswith("<") or (_DATED.search(line.text) and not (alone and _DATED.search(following.text))):
        return True
    return not alone and ("@" in line.text or _BEGUN_AS_EVER.match(line.text.casefold()) is not None)


def is_labelled(text: str) -> bool:
    """Does a line begin with a label of any kind, a word or some and a colon?"""
    return _LABEL.match(text) is not None


def is_header(text: str) -> bool:
    """Is it a line of a mail's header: a label that headers have, or one before an address, a date, an episode's name?

    A number behind a label is what somebody answered, whatever the label.
    """
    found = _LABEL.match(text)
    if found is None:
        return False
    value = found[3].strip(" |")
    if _NUMBER.fullmatch(value):
        return False
    name = _folded(found[1] or found[2]).strip("* ")
    is_dated = _YEAR.search(value) is not None and len(_DIGITS.findall(value)) > 1
    return name in _labels() or is_dated or _VALUE.search(value) is not None


@functools.cache
def _labels() -> frozenset[str]:
    """The labels that headers have in any language."""
    languages = table("host.mail.inbound", "programs.toml")["header_labels"].values()
    return frozenset(_folded(name) for names in languages for name in names)


def _folded(label: str) -> str:
    return unicodedata.normalize("NFKC", " ".join(label.split())).casefold()


def signed(lines: Sequence[Line], writer: tuple[str, ...]) -> list[Line]:
    """The lines of signatures, and what telephones write below."""
    found: list[Line] = []
    signing = False
    for at, line in enumerate(lines):
        if line.quoted and not line.assumed:
            signing = False
        elif _SIGNATURE.match(line.text) or _is_card(lines, at, writer):
            signing = True
        if signing or (
            (not line.quoted or line.assumed) and _TELEPHONE.match(_LINK.sub("", line.text.casefold()).strip())
        ):
            found.append(line)
    return found


def _is_card(lines: Sequence[Line], at: int, writer: tuple[str, ...]) -> bool:
    """Does a signature begin with this line: the writer's name, and below it, to the end, what stands on their card?

    Lines of names, beside which a number may stand, or any lines as long as one of them tells how to reach the writer. A
    name of one word, which may be a command, counts among lines of more.
    """
    if not writer or sorted(lines[at].words) != sorted(writer):
        return False
    following = lines[at + 1 : at + MAX_CARD + 2]
    below = list(itertools.takewhile(lambda line: not line.quoted or line.assumed, following))
    if not 0 < len(below) <= MAX_CARD:
        return False
    many = sum(len(line.words) > 1 for line in below) > 1
    is_card = all(_is_named(line) and (many or len(line.words) > 1) for line in below)
    return is_card or any(_REACHED.search(line.text.casefold()) for line in below)


def _is_named(line: Line) -> bool:
    """Is it a line like `Springfield Bridge Club`, `12 Elm Street`: are most of its words written as names?"""
    words = WORD.findall(line.text)
    return 2 * len([word for word in words if word[0].isupper() and not word.isupper()]) > len(words)
