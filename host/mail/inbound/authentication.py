"""Pure: whether a mail's sender is true, as far as its provider can tell. In: headers. Out: pass, fail or none.

Only Authentication-Results of the configured authserv-id count (RFC 8601); anybody can write the others. Missing is no
failure. Not every provider escapes what it quotes in a comment, so comments that do not close hide nothing.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from host.engine.words import pattern
from host.states import Proof

MICROSOFT = "microsoft"
MAX_HEADER = 64 * 1024
_MAX_ID = 1000
_MICROSOFT_IDS = (MICROSOFT, "outlook", "office365")
_DOMAINS = {"dkim": ("header.d", "header.i"), "spf": ("smtp.mailfrom", "smtp.helo")}
"""Where a method names the domain that it judged, the likelier place first."""
_METHOD_FIRST = pattern(r"\s*[a-z][a-z0-9-]*\s*=", re.IGNORECASE)
_SPECIAL = pattern(r'["()]')
_STRING = pattern(r'"([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)
_PARENTHESIS = pattern(r"\\.|[()]", re.DOTALL)
_NO_WORD = pattern(r"[^\w.@-]")


class _Result(NamedTuple):
    """One method's result, all in lower case. `domain` is whose signature or envelope it judged, `""` if not said."""

    method: str
    result: str
    domain: str


def verdict(authentication: Sequence[str], authserv_id: str, sender: str) -> Proof:
    """Decide whether a mail is from its From address `sender` (lower case), as far as the provider `authserv_id` says.

    `authentication` are the Authentication-Results from the top down, `""` where a Received stands between. The topmost
    of the provider decides; those between it and the next Received can only add failures. DMARC decides where it passed
    or failed (RFC 7489); else one of DKIM and SPF has to pass for an aligned domain, and both fail for a failure. An empty
    `authserv_id` trusts none.
    """
    wanted = authserv_id.strip().lower()
    found = _believed(authentication, wanted) if wanted else []
    if not found:
        return "none"
    failures = {
        method
        for results in found
        for method, result, _ in results
        if result == "fail" or (method == "spf" and result in ("softfail", "hardfail"))
    }
    passes = {
        one.result
        for one in found[0]
        if one.method == "dmarc" or (one.method in ("dkim", "spf") and _is_aligned(one.domain, domain_of(sender)))
    } & {"pass", "bestguesspass"}
    if "dmarc" in failures or ("compauth" in failures and _is_microsoft(wanted)):
        return "fail"
    if {"dkim", "spf"} <= failures and not passes:
        return "fail"
    return "pass" if "pass" in passes else "none"


def topmost_id(authentication: Sequence[str]) -> str:
    """The authserv-id of the topmost header, lower case: `""` if there is none, `"microsoft"` for Microsoft's form."""
    return next((_server(header) for header in authentication if header.strip()), "")


def domain_of(address: str) -> str:
    """The part after the last `@` (all of it where there is none), lower case, without a final dot."""
    return address.rpartition("@")[2].strip("<>").rstrip(".").lower()


def is_under(domain: str, parent: str) -> bool:
    """Is `domain` the same as `parent`, or below it? Both in lower case; a parent of one label has nobody below it."""
    return bool(parent) and (domain == parent or ("." in parent and domain.endswith("." + parent)))


def _is_aligned(one: str, other: str) -> bool:
    # RFC 7489 3.1 compares organisational domains, which needs the list of public suffixes; this is near enough to
    # excuse a mail.
    return is_under(one, other) or is_under(other, one)


def _is_microsoft(wanted: str) -> bool:
    return any(name in wanted for name in _MICROSOFT_IDS)


def _believed(authentication: Sequence[str], wanted: str) -> list[list[_Result]]:
    """The results in the topmost header of `wanted` and in its others down to the next Received."""
    found: list[list[_Result]] = []
    for header in authentication:
        if not header.strip():
            if found:
                break
            continue
        server = _server(header)
        if server == wanted or (server == MICROSOFT and _is_microsoft(wanted)):
            found.append(_results(header[:MAX_HEADER]))
    return found


def _server(header: str) -> str:
    """The authserv-id (RFC 8601 section 2.2), `MICROSOFT` where results come at once, `""` if it cannot be read."""
    head = _plain(header[:_MAX_ID]).partition(";")[0]
    if _METHOD_FIRST.match(head):
        return MICROSOFT
    words = head.lower().split()
    has_id = len(words) == 1 or (len(words) == 2 and words[1].isdigit())
    return words[0] if has_id and "=" not in words[0] else ""


def _results(header: str) -> list[_Result]:
    """Each clause is `method=result`, then `name=value` with anything between; what is neither is passed over."""
    plain = " ".join(_plain(header).lower().split())
    found = []
    for clause in plain.replace(" =", "=").replace("= ", "=").split(";"):
        words = [word.partition("=") for word in clause.split()]
        if words and words[0][1]:
            method, result = words[0][0].partition("/")[0], words[0][2]
            properties = {name: value for name, _, value in reversed(words[1:])}
            domain = next(
                (domain_of(properties[name]) for name in _DOMAINS.get(method, ()) if properties.get(name)), ""
            )
            found.append(_Result(method, result, domain))
    return found


def _plain(text: str) -> str:
    """Without comments and quotation marks (RFC 5322 section 3.2); in strings only what a word may hold is left.

    Linear: once a comment or a string does not close, the rest is read more simply.
    """
    pieces, at, nests, quotes = [], 0, True, True
    while special := _SPECIAL.search(text, at):
        pieces.append(text[at : special.start()])
        at, piece = special.end(), " "
        if special[0] == "(":
            end = _comment_end(text, at) if nests else 0
            nests = end > 0
            at = end or text.find(")", at) + 1 or at
        elif special[0] == '"' and quotes:
            string = _STRING.match(text, special.start())
            quotes = string is not None
            if string:
                at, piece = string.end(), _NO_WORD.sub("_", string[1])
        pieces.append(piece)
    return "".join(pieces) + text[at:]


def _comment_end(text: str, at: int) -> int:
    depth = 1
    for mark in _PARENTHESIS.finditer(text, at):
        depth += {"(": 1, ")": -1}.get(mark[0], 0)
        if depth == 0:
            return mark.end()
    return 0
