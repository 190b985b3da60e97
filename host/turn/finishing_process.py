"""Edge: the process in which letters are finished. In: drafts with their envelopes, by a socket. Out: finished letters, there.

All of this runs in a process of its own, which `finishing` starts from the daemon; its theory stands there. It ends when the
daemon closes the socket, or has ended.
"""

import contextlib
import gc
import logging
import os
import pickle
import signal
import sys
from multiprocessing.connection import Connection

from host.mail.outbound.draft import Draft, Envelope
from host.mail.outbound.templates import prepare
from host.turn.finishing import READY, finish_here


def work(line: Connection) -> None:
    """Finish letters until nobody sends any more. None is the answer where one cannot be finished: that is told by who asked."""
    with contextlib.suppress(OSError, EOFError):
        line.send_bytes(READY)
        while True:
            number, letters = pickle.loads(line.recv_bytes())  # noqa: S301 - the daemon wrote it
            line.send_bytes(pickle.dumps((number, [_answer(*each) for each in letters]), pickle.HIGHEST_PROTOCOL))


def _answer(draft: Draft, envelope: Envelope) -> tuple[bytes, bytes] | None:
    try:
        finished = finish_here(draft, envelope)
    except Exception:
        return None
    return finished.message, finished.packed


def main() -> None:
    """Run as a process; its arguments are the number of its socket, and the games whose letters it will finish."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)  # it ends with the daemon, which may have letters to finish until then
    logging.disable(logging.CRITICAL)
    prepare(sys.argv[2:])
    gc.collect()
    gc.freeze()
    work(Connection(int(sys.argv[1])))
    os._exit(0)


if __name__ == "__main__":
    main()
