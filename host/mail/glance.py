"""Pure: a mail at a glance. In: its raw bytes, from anybody. Out: the tokens and the sender that its headers seem to name.

Cheap and never wrong in a way that matters: it only says which mails belong in one lane. What a mail is, `reply` says.
"""

import re

HEAD = 64 * 1024
MOST_TOKENS = 20
_TOKEN = re.compile(rb"(?<![a-z2-7])[a-z2-7]{26}(?![a-z2-7])", re.IGNORECASE)
_WORD = rb"[^\s\x00-\x1f<>,;:\"()@]"
_FROM = re.compile(rb"^From:[^\r\n]*?(" + _WORD + rb"{1,64}@" + _WORD + rb"{1,255})", re.IGNORECASE | re.MULTILINE)
_END = re.compile(rb"\r?\n\r?\n")


def glance(raw: bytes) -> tuple[tuple[str, ...], str]:
    """The words in the headers that look like tokens, lower case, and the address of the first sender."""
    end = _END.search(raw, 0, HEAD)
    head = raw[: end.start() if end else HEAD]
    tokens = tuple(dict.fromkeys(each.decode("ascii").lower() for each in _TOKEN.findall(head)))
    sender = _FROM.search(head)
    return tokens[:MOST_TOKENS], sender[1].decode("ascii", "replace").lower() if sender else ""
