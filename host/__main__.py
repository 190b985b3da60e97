"""Shell: the way in. In: the command line. Out: its exit status.

Importing all of Podium takes a second; a daemon that is told to stop meanwhile ends as it would later.
"""

import os
import signal
import sys


def main() -> int:
    """Run one command; gives its exit status."""
    if sys.argv[1:2] == ["run"]:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup
                # until the daemon listens; a migration is one transaction
                signal.signal(number, lambda *_: os._exit(0))
    import host.cli.main

    return host.cli.main.main()


if __name__ == "__main__":
    sys.exit(main())
