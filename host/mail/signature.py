"""Edge: DKIM, checked here for providers that add no Authentication-Results. In: a raw mail. Out: pass, fail or none.

Only signatures of the From domain or a domain above it count (RFC 6376; RFC 7489 section 3.1.1, without the list of
public suffixes). The keys come from DNS, in a thread. A mail that a list or a forwarder changed fails too.
"""

import asyncio
import re
import threading
import time
from collections.abc import Callable
from typing import Literal, Protocol

import dkim
import dns.resolver
from dkim.util import InvalidTagValueList, parse_tag_value

from host.mail.inbox import MAX_BYTES
from host.mail.sender import domain_of, is_under

LIFETIME = 4.0
LIMIT = 10.0
KEEP_KEY = 3600.0
KEEP_NOTHING = 300.0
MAX_SIGNATURES = 3
MAX_NAMES = 1000
# A key of 4096 bits has 800 bytes. Computing with a monstrous one would stop the whole process, whatever the limits.
MAX_RECORD = 1024
MAX_SIGNATURE = 4096
MAX_HEAD = 128 * 1024
MAX_LINES = 3000
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_PADDING = b" " * 250
_NAME = re.compile(rb"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")

Verdict = Literal["pass", "fail", "none"]


class Lookup(Protocol):
    """Asks DNS for the TXT record of `name`, blocking for at most `timeout` seconds; None where there is none."""

    def __call__(self, name: bytes, timeout: float) -> bytes | None:
        """Return the record, its strings joined. May raise whatever it likes; that is taken for a time-out."""


class _NoKey(Exception):
    pass


class Signatures:
    """Checks signatures and remembers keys. `steady` is a clock in seconds that never goes back; `limit` is seconds."""

    def __init__(
        self,
        lookup: Lookup | None = None,
        steady: Callable[[], float] = time.monotonic,
        limit: float = LIMIT,
    ) -> None:
        self._lookup = lookup or lookup_with()
        self._steady = steady
        self._limit = limit
        self._records: dict[bytes, tuple[float, bytes | None]] = {}
        self._lock = threading.Lock()

    async def check(self, raw: bytes, sender: str) -> Verdict:
        """Judge the mail `raw` with the lower-case From address `sender`. Never raises.

        pass: a signature verifies. fail: there are keys, and none of their signatures verifies. none: nothing to judge
        by (no aligned signature, no key, no DNS, too late, malformed, expired, `MAX_BYTES` or more).
        """
        if len(raw) >= MAX_BYTES or not _is_harmless(raw):
            return "none"
        asked: list[bytes] = []
        try:
            return await asyncio.wait_for(asyncio.to_thread(self._judge, raw, domain_of(sender), asked), self._limit)
        except TimeoutError:
            for name in asked[-1:]:
                self._remember(name, None)
            return "none"
        except Exception:  # dkimpy meets hostile bytes here
            return "none"

    def _judge(self, raw: bytes, domain: str, asked: list[bytes]) -> Verdict:
        verifier = dkim.DKIM(raw, timeout=LIFETIME)
        values = [value for name, value in verifier.headers if name.lower() == b"dkim-signature"]
        counting = [index for index, value in enumerate(values) if _counts(value, domain)]
        verdicts = set()
        for index in counting[:MAX_SIGNATURES]:
            verdicts.add(self._verify(verifier, index, asked))
            if "pass" in verdicts:
                return "pass"
        return "fail" if "fail" in verdicts else "none"

    def _verify(self, verifier: dkim.DKIM, index: int, asked: list[bytes]) -> Verdict:
        has_key = False

        def key(name: bytes, timeout: float) -> bytes:
            nonlocal has_key
            record = self._record(name.lower(), timeout, asked)
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

    def _record(self, name: bytes, timeout: float, asked: list[bytes]) -> bytes:
        with self._lock:
            until, record = self._records.get(name, (0.0, None))
            is_known = name in self._records and self._steady() < until
        if not is_known:
            asked.append(name)
            try:
                record = self._lookup(name, timeout=timeout)
            except Exception:
                record = None
            self._remember(name, record)
        if not record or len(record) > MAX_RECORD:
            raise _NoKey(name)
        return record

    def _remember(self, name: bytes, record: bytes | None) -> None:
        with self._lock:
            self._records.pop(name, None)
            if len(self._records) >= MAX_NAMES:
                del self._records[next(iter(self._records))]
            self._records[name] = (self._steady() + (KEEP_KEY if record else KEEP_NOTHING), record)


def lookup_with(resolver: dns.resolver.Resolver | None = None) -> Lookup:
    """A lookup by dnspython, with the system's resolver unless another is given. Raises `dns.exception.Timeout`."""

    def lookup(name: bytes, timeout: float) -> bytes | None:
        asked = resolver or dns.resolver.get_default_resolver()
        try:
            answer = asked.resolve(name.decode("ascii"), "TXT", lifetime=timeout, search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return None
        records = [b"".join(record.strings) for record in answer]
        return next((record for record in records if b"p=" in record), None)

    return lookup


def _is_harmless(raw: bytes) -> bool:
    """Is it a shape that dkimpy reads in good time? Its expressions are quadratic in folds and in runs of blanks."""
    head_end = _HEAD_END.search(raw, 0, MAX_HEAD)
    return (
        head_end is not None
        and raw.count(b"\n", 0, head_end.start()) < MAX_LINES
        and _PADDING not in raw.replace(b"\t", b" ")
    )


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
