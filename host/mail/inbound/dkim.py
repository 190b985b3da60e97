"""Pure: DKIM, checked here for providers that add no Authentication-Results. In: a raw mail, keys. Out: pass, fail or none.

Only signatures of the From domain or a domain above it count (RFC 6376; RFC 7489 section 3.1.1, without the list of
public suffixes). `host.mail.inbound.dkim_keys` has the keys. A mail that a list or a forwarder changed fails too.
"""

import contextlib
import sys
from collections.abc import Iterator, Mapping
from types import ModuleType

# Keys are given: the resolver that dkimpy would load is a third of what a process holds that opens mails.
_no_resolver = ModuleType("dkim.dnsplug")
vars(_no_resolver)["get_txt"] = None
sys.modules.setdefault(_no_resolver.__name__, _no_resolver)

import dkim
from dkim.util import InvalidTagValueList, parse_tag_value

from host.engine.words import pattern
from host.mail.inbound.authentication import domain_of, is_under
from host.mail.inbound.mail import MAX_BYTES
from host.mail.inbound.parsing import end_of_headers
from host.states import Proof

MAX_SIGNATURES = 3
# A key of 4096 bits has 800 bytes. Computing with a monstrous one would stop the whole process, whatever the limits.
MAX_RECORD = 1024
MAX_SIGNATURE = 4096
MAX_HEAD = 128 * 1024
MAX_LINES = 3000
_PADDING = b" " * 250
_NAME = pattern(rb"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")


class _NoKey(Exception):
    pass


def key_names(raw: bytes, sender: str) -> tuple[bytes, ...]:
    """The DNS names of the keys that tell whether `raw` is from the lower-case address `sender`; at most three.

    Empty where there is nothing to judge by: no aligned signature, or malformed, or expired. Never raises.
    """
    asked: list[bytes] = []

    def note(name: bytes, timeout: float) -> bytes:
        asked.append(name.lower())
        raise _NoKey(name)

    try:
        for verifier, index in _counting(raw, sender):
            with contextlib.suppress(Exception):
                verifier.verify(index, dnsfunc=note)
    except Exception:  # dkimpy meets hostile bytes here
        return ()
    return tuple(dict.fromkeys(asked))


def judge(raw: bytes, sender: str, records: Mapping[bytes, bytes | None]) -> Proof:
    """Judge the mail `raw` with the lower-case From address `sender`, given the TXT records of its keys. Never raises.

    pass: a signature verifies. fail: there are keys, and none of their signatures verifies. none: nothing to judge by
    (no aligned signature, no key, malformed, expired, `MAX_BYTES` or more).
    """
    verdicts: set[Proof] = set()
    try:
        for verifier, index in _counting(raw, sender):
            verdicts.add(_verify(verifier, index, records))
            if "pass" in verdicts:
                return "pass"
    except Exception:  # dkimpy meets hostile bytes here
        return "none"
    return "fail" if "fail" in verdicts else "none"


def _counting(raw: bytes, sender: str) -> Iterator[tuple[dkim.DKIM, int]]:
    """The first signatures that count, each as its number in a verifier."""
    if len(raw) >= MAX_BYTES or b"dkim-signature" not in raw[:MAX_HEAD].lower() or not _is_harmless(raw):
        return
    verifier = dkim.DKIM(raw)
    values = [value for name, value in verifier.headers if name.lower() == b"dkim-signature"]
    counting = [index for index, value in enumerate(values) if _counts(value, domain_of(sender))]
    for index in counting[:MAX_SIGNATURES]:
        yield verifier, index


def _verify(verifier: dkim.DKIM, index: int, records: Mapping[bytes, bytes | None]) -> Proof:
    has_key = False

    def key(name: bytes, timeout: float) -> bytes:
        nonlocal has_key
        record = records.get(name.lower())
        if not record or len(record) > MAX_RECORD:
            raise _NoKey(name)
        _refuse_unusable(name, record)
        has_key = True
        return record

    try:
        return "pass" if verifier.verify(index, dnsfunc=key) else "fail"
    except dkim.ValidationError:
        # Before it asks for the key this means a malformed or expired signature, afterwards another body.
        return "fail" if has_key else "none"
    except Exception:
        return "none"


def _is_harmless(raw: bytes) -> bool:
    """Is it a shape that dkimpy reads in good time? Its expressions are quadratic in folds and in runs of blanks."""
    end = end_of_headers(raw, MAX_HEAD)
    return end > 0 and raw.count(b"\n", 0, end) <= MAX_LINES and _PADDING not in raw.replace(b"\t", b" ")


def _counts(value: bytes, domain: str) -> bool:
    """Is this DKIM-Signature one that covers the From, the whole body, and is made by the From domain or above it?"""
    if len(value) > MAX_SIGNATURE:
        return False
    try:
        tags = parse_tag_value(value)
    except InvalidTagValueList:
        return False
    signer, selector = tags.get(b"d", b""), tags.get(b"s", b"")
    signed = {name.strip().lower() for name in tags.get(b"h", b"").split(b":")}
    return (
        bool(_NAME.fullmatch(signer) and _NAME.fullmatch(selector))
        and is_under(domain, signer.decode("ascii").lower())
        and b"from" in signed
        and b"l" not in tags
        and tags.get(b"a") in (b"rsa-sha256", b"ed25519-sha256")  # RFC 8301 forbids SHA-1
    )


def _refuse_unusable(name: bytes, record: bytes) -> None:
    """Raise `_NoKey` where nothing can be verified with a key (revoked, broken, too short, not for mail)."""
    try:
        key, size, kind, is_for_reports = dkim.evaluate_pk(name, record)
    except Exception as error:  # dkimpy takes its own kinds for a signature that does not verify
        raise _NoKey(name) from error
    if key is None or is_for_reports or size < (1024 if kind == b"rsa" else 256):
        raise _NoKey(name)
