"""Shell: the deadlines. In: what is due by now, and how far the mailboxes were read. Out: reminders, timeouts, a few a time.

Once a second one walk over everything that is due (`steps.keep_deadlines`). Of several processes the leader walks.
"""

from collections.abc import Callable

from host.daemon import steps
from host.daemon.leader import Leadership
from host.daemon.runtime import Runtime

EVERY = 1.0
"""Seconds from the end of one walk to the next."""


class DeadlineScheduler:
    """Works off deadlines and reminders, as long as this process has the lead in it.

    `look` lets the mailboxes be read at once: a deadline waits until mail that came in time would have been seen.
    """

    def __init__(self, runtime: Runtime, lead: Leadership, look: Callable[[], None]) -> None:
        self.runtime, self.lead, self.look = runtime, lead, look

    async def run(self) -> None:
        """Keep the deadlines until the daemon stops."""
        await self.runtime.repeat(self.walk, EVERY, "deadlines cannot be kept")

    async def walk(self) -> None:
        """One walk over everything that is due now; between two pieces of it other work has its turn."""
        runtime = self.runtime
        walk = steps.keep_deadlines(runtime.services, runtime.clock())
        while self.lead.is_held and not runtime.stopping.is_set() and (done := await runtime.piece(walk)) is not None:
            if done.has_letters:
                runtime.letters.set()
            if done.waits_for_mailbox:
                self.look()
