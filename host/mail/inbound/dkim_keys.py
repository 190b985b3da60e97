"""Edge: the public keys of DKIM, from DNS. In: names. Out: their TXT records; answers and failures are remembered.

A domain whose name servers are silent costs those whose mail names it, and nobody else: questions are asked in threads of
their own, and a name that did not answer is not asked again for a while.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import dns.resolver

LIFETIME = 4.0
"""Seconds that DNS has for one name."""
LIMIT = 6.0
"""Seconds that a mail waits for its keys, also where many wait."""
KEEP_KEY, KEEP_NOTHING = 3600.0, 300.0
"""Seconds for which a record is remembered, and that there was none or no answer."""
MAX_NAMES = 1000
AT_ONCE = 8
"""Names asked for at the same time."""


class Lookup(Protocol):
    """Asks DNS for the TXT record of `name`, blocking for at most `timeout` seconds; None where there is none."""

    def __call__(self, name: bytes, timeout: float) -> bytes | None:
        """Return the record, its strings joined. May raise whatever it likes; that is taken for a time-out."""


class Keys:
    """Looks up keys and remembers them. `steady` is a clock in seconds that never goes back; `limit` is seconds."""

    def __init__(
        self, lookup: Lookup | None = None, steady: Callable[[], float] = time.monotonic, limit: float = LIMIT
    ) -> None:
        self._lookup = lookup or lookup_with()
        self._steady = steady
        self._limit = limit
        self._records: dict[bytes, tuple[float, bytes | None]] = {}
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="dns")

    def known(self, names: Collection[bytes]) -> dict[bytes, bytes | None] | None:
        """The records of these names, None each where there is none; None for all where one is not remembered."""
        moment = self._steady()
        with self._lock:
            found = {name: self._records[name] for name in names if name in self._records}
        if len(found) < len(set(names)) or any(until <= moment for until, _ in found.values()):
            return None
        return {name: record for name, (_, record) in found.items()}

    async def look_up(self, names: Collection[bytes]) -> dict[bytes, bytes | None]:
        """The records of these names, asked for where they are not remembered. What does not answer in time is None."""
        loop = asyncio.get_running_loop()
        missing = [name for name in dict.fromkeys(names) if self.known([name]) is None]
        if missing:
            asked = {loop.run_in_executor(self._threads, self._ask, name): name for name in missing}
            _, late = await asyncio.wait(asked, timeout=self._limit)
            for job in late:
                job.cancel()
                self._remember(asked[job], None)
        return {name: (self.known([name]) or {}).get(name) for name in names}

    def _ask(self, name: bytes) -> None:
        try:
            record = self._lookup(name, timeout=LIFETIME)
        except Exception:
            record = None
        self._remember(name, record)

    def _remember(self, name: bytes, record: bytes | None) -> None:
        with self._lock:
            self._records.pop(name, None)
            if len(self._records) >= MAX_NAMES:
                del self._records[next(iter(self._records))]
            self._records[name] = (self._steady() + (KEEP_KEY if record else KEEP_NOTHING), record)

    def close(self) -> None:
        """Let the threads go; they end with what they are asking."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def lookup_with(resolver: "dns.resolver.Resolver | None" = None) -> Lookup:
    """A lookup by dnspython, with the system's resolver unless another is given. Raises `dns.exception.Timeout`."""

    def lookup(name: bytes, timeout: float) -> bytes | None:
        import dns.resolver

        asked = resolver or dns.resolver.get_default_resolver()
        try:
            answer = asked.resolve(name.decode("ascii"), "TXT", lifetime=timeout, search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return None
        records = [b"".join(record.strings) for record in answer]
        return next((record for record in records if b"p=" in record), None)

    return lookup
