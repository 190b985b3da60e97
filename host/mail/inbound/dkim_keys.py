"""Edge: the public keys of DKIM, from DNS. In: names. Out: their TXT records; answers and failures are remembered.

A domain whose name servers are silent costs those whose mail names it, and nobody else: a name that did not answer is not
asked again for a while.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import dns.asyncresolver

LIFETIME = 4.0
"""Seconds that DNS has for one name."""
LIMIT = 6.0
"""Seconds that a mail waits for its keys, also where many wait."""
KEEP_KEY, KEEP_NOTHING = 3600.0, 300.0
"""Seconds for which a record is remembered, and that there was none or no answer."""
MAX_NAMES = 1000
AT_ONCE = 8
"""Names asked for at the same time."""

Lookup = Callable[[bytes], Awaitable[bytes | None]]
"""Asks DNS for the TXT record of a name, its strings joined; None where there is none. What it raises is taken for silence."""


class Keys:
    """Looks up keys and remembers them. `steady` is a clock in seconds that never goes back; `limit` is seconds."""

    def __init__(
        self, lookup: Lookup | None = None, steady: Callable[[], float] = time.monotonic, limit: float = LIMIT
    ) -> None:
        self._lookup = lookup or lookup_with()
        self._steady = steady
        self._limit = limit
        self._records: dict[bytes, tuple[float, bytes | None]] = {}
        self._asking = asyncio.Semaphore(AT_ONCE)

    def known(self, names: Collection[bytes]) -> dict[bytes, bytes | None] | None:
        """The records of these names, None each where there is none; None for all where one is not remembered."""
        moment = self._steady()
        found = {name: self._records[name] for name in names if name in self._records}
        if len(found) < len(set(names)) or any(until <= moment for until, _ in found.values()):
            return None
        return {name: record for name, (_, record) in found.items()}

    async def look_up(self, names: Collection[bytes]) -> dict[bytes, bytes | None]:
        """The records of these names, asked for where they are not remembered. What does not answer in time is None."""
        await asyncio.gather(*(self._ask(name) for name in dict.fromkeys(names) if self.known([name]) is None))
        return {name: (self.known([name]) or {}).get(name) for name in names}

    async def _ask(self, name: bytes) -> None:
        record = None
        with contextlib.suppress(Exception):
            async with asyncio.timeout(self._limit), self._asking:
                record = await self._lookup(name)
        self._records.pop(name, None)
        if len(self._records) >= MAX_NAMES:
            del self._records[next(iter(self._records))]
        self._records[name] = (self._steady() + (KEEP_KEY if record else KEEP_NOTHING), record)


def lookup_with(resolver: "dns.asyncresolver.Resolver | None" = None) -> Lookup:
    """A lookup by dnspython, with the system's resolver unless another is given."""

    async def lookup(name: bytes) -> bytes | None:
        import dns.asyncresolver

        asked = resolver or dns.asyncresolver.get_default_resolver()
        answer = await asked.resolve(name.decode("ascii"), "TXT", lifetime=LIFETIME, search=False)
        records = [b"".join(record.strings) for record in answer]
        return next((record for record in records if b"p=" in record), None)

    return lookup
