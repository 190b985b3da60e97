"""Pure: what is asked of the host's service rather than of the game. In: what somebody wrote. Out: a service, the host's text.

A clause asks for a service where it has one of its forms (`service_forms`) from end to end, courtesies aside. One look at its
words tells most clauses apart that ask for nothing.
"""

import itertools
import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from host.engine.grammar import plain
from host.play.forms import SHORT, WORD, in_full, pattern
from host.play.service_forms import GAME, PARTS, SERVICES

HOST_LINE = re.compile(r"\s*host(?:\s*+:|\s)\s*+(?=[^\s,:])", re.IGNORECASE)
LONGEST = 24
"""Words of a clause that may ask for a service; who writes more tells something."""
MOST_CLAUSES = 200
"""Lines and clauses of a mail that are looked at."""
_CLAUSE = re.compile(r"[^,;.!?]+[,;.!?]*")

_ABOUT = frozenset().union(*(each.about for each in SERVICES))
_FORMS = tuple((each.name, each.about, re.compile(f"(?:{pattern(each.forms, PARTS)})(?:again )?")) for each in SERVICES)
_ASKS_TO_KNOW = re.compile(
    r"(?:(?:please|pls|sorry|hi|hello|hey|and|so|but|ok|okay|can|could|may|would|will|might|you|u|i|we|just|kindly|quickly|do|again)\s+)*"
    r"(?:what|whats|which|who|whos|whose|where|wheres|how (?:many|much|far|does|do|is|are)|show|remind|tell"
    r"|send|resend|repeat|see|"
    r"did ?n[o']?t get|never got|lost|am i|is it|have i|do i|has|have we)\b"
)
"""How somebody begins who wants to know, or to see, something."""
_OF_RULES = re.compile(
    r"\brules?\b|\bhow (?:do|does|did|is|are|it|that|this|the)\b.*\b(?:works?|counts?|counted|scored|decided|played|beats?)\b"
    r"|\bwhat (?:does|do|did|is|are)\b.*\b(?:mean|means|worth|for|do|does)\b|\bhow counts?\b|\b(?:allowed|permitted|legal)\b"
)
_OF_THE_QUEUE = re.compile(
    r"\b(?:ahead of me|before me|in line|wait(?:ing)? ?list|in the queue|next show|next episode)\b"
)
_OF_THE_TABLE = frozenset(
    """score scores bank total totals points chips money cards card table board showing shown shows got left letter mail
    email message hand
    hands winning ahead leading turn next round everything stand standing status place everyone everybody others deadline pot
    stack throws
    queue game position army battalions commanders spaces""".split()
)
_NO_WISH_TO_KNOW = re.compile(r"\bto lose\b|\bwhat (?:else|a|an|the h\w+)\b|\bwho knows\b|\bwhat (?:luck|fun)\b|\bif\b")
MOST_ASKED = 20
"""Words of a question about the table or the rules."""
_COURTESY = frozenset(
    "please pls plz kindly just really actually simply maybe perhaps now still yet currently also then".split()
)
"""Words that change nothing, wherever they stand."""
_BEFORE = frozenset("hi hello hey dear host ok okay well oh ah so and but sorry thanks um hmm".split())
_BEHIND = frozenset("thanks thank you thx cheers host sir so far everybody all".split())
_GATE = (
    _ABOUT
    | {f"{word}'s" for word in _ABOUT}
    | {word for word, full in SHORT.items() if not _ABOUT.isdisjoint(full.split())}
)


def service_in(clause: str, titles: Collection[str] = ()) -> tuple[str, str]:
    """The service that a clause asks for, and the game it names (`leave champ cards`); `("", "")` if none.

    Games are known by `titles`: title, slug or code of each.
    """
    found = WORD.findall(plain(clause))
    if not found:
        return ("help", "") if clause.strip(" !.") in ("?", "??", "???") else ("", "")
    if _GATE.isdisjoint(found) or len(found) > LONGEST:
        return "", ""
    folded = _without_courtesy(in_full(found))
    argument = ""
    if titles:
        named = _any_of(tuple(titles)).search(folded)
        if named:
            argument = named[0].strip()
            folded = f"{folded[: named.start()]}{GAME} {folded[named.end() :]}"
    here = set(folded.split())
    for service, about, forms in _FORMS:
        if not about.isdisjoint(here) and forms.fullmatch(folded):
            return service, argument
    return "", ""


def asked_to_know(clause: str) -> str:
    """What somebody wants to know who asks in words of their own: `rules` or `status`; empty for neither."""
    folded = plain(clause).strip(" ?!.")
    found = folded.split()
    if not 1 < len(found) <= MOST_ASKED or not _ASKS_TO_KNOW.match(folded) or _NO_WISH_TO_KNOW.search(folded):
        return ""
    if _OF_RULES.search(folded):
        return "rules"
    if _OF_THE_QUEUE.search(folded):
        return "queue"
    return "" if _OF_THE_TABLE.isdisjoint(in_full(WORD.findall(folded))) else "status"


def services_in(lines: Sequence[str], titles: Collection[str] = ()) -> list[tuple[str, str]]:
    """What the clauses of these lines ask of the service, in order: each service with the game that it names."""
    clauses = (clause for line in lines for clause in (line, *_CLAUSE.findall(line)) if clause.strip())
    asked = [service_in(clause, titles) for clause in itertools.islice(clauses, MOST_CLAUSES)]
    return list(dict.fromkeys(each for each in asked if each[0]))


def _without_courtesy(found: list[str]) -> str:
    """The words with a blank behind each, those left out that only make them polite."""
    begin, end = 0, len(found)
    while begin < end and (found[begin] in _BEFORE or found[begin] in _COURTESY):
        begin += 1
    while end > begin and (found[end - 1] in _BEHIND or found[end - 1] in _COURTESY):
        end -= 1
    return "".join(f"{word} " for word in found[begin:end] if word not in _COURTESY)


@lru_cache(maxsize=64)
def _any_of(titles: tuple[str, ...]) -> re.Pattern[str]:
    """What finds any of these titles in folded words, however they are joined."""
    split = [WORD.findall(plain(title)) for title in titles]
    spelt = {form for each in split if each for form in (" ".join(each), "".join(each))}
    return re.compile(rf"(?<!\S)(?:{'|'.join(map(re.escape, sorted(spelt, key=len, reverse=True)))}) ")


def greets_host(line: str, names: Collection[str] = ()) -> bool:
    """Does a line begin by turning to the host: `Dear host,`, `To the host:`, `Hi Millionaire,` (one of `names`)?"""
    return _turning_to(names).match(line) is not None


def addressed_to_host(lines: Sequence[str], names: Collection[str] = ()) -> tuple[tuple[str, ...], str] | None:
    """What is written to the host from a line `host TEXT` on: the lines before it, and all the rest. None where nothing is.

    With `names`, a line that turns to the host (`greets_host`) begins it too: for who knows that no command follows.
    """
    for at, line in enumerate(lines):
        start = HOST_LINE.match(line)
        if start:
            first = line[start.end() :].strip()
            return tuple(lines[:at]), "\n".join((first, *lines[at + 1 :])).strip()
        turned = _turning_to(names).match(line) if names else None
        if turned:
            text = "\n".join((line[turned.end() :].strip(), *lines[at + 1 :])).strip()
            if text:
                return tuple(lines[:at]), text
    return None


def take_host_text(lines: Sequence[str], names: Collection[str] = ()) -> tuple[tuple[str, ...], str]:
    """The lines before what is written to the host, and that text: from `host ` to the end of the mail."""
    return addressed_to_host(lines, names) or (tuple(lines), "")


@lru_cache(maxsize=16)
def _turning(names: tuple[str, ...]) -> re.Pattern[str]:
    called = {"host", "the host", "game host", "game master", "gamemaster"} | {name.casefold() for name in names}
    called |= {name.removeprefix("the ") for name in called}
    any_name = "|".join(re.escape(each) for each in sorted(called, key=len, reverse=True))
    greeting = r"(?:dear|hi|hello|hey|to|for|attention|attn|message (?:to|for)|good (?:morning|day|evening|afternoon))"
    return re.compile(
        rf"\s*(?:{greeting}[\s,:]+(?:mr\.?|ms\.?|mrs\.?)?\s*(?:{any_name})\b\s*(?:[,:;.!–—-]+\s*|$)|(?:{any_name})\s*[,:]\s*)",
        re.IGNORECASE,
    )


def _turning_to(names: Collection[str]) -> re.Pattern[str]:
    return _turning(tuple(names))
