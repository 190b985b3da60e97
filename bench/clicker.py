"""Shell: `python -m bench.clicker CONFIG`. In: a running daemon's configuration. Out: somebody who clicks through its desk.

Four pages a second, over and over, until it is ended; it says at the end how many there were and what they took.
"""

import re
import signal
import subprocess
import sys
import time
import tomllib
from itertools import cycle
from pathlib import Path
from statistics import median
from urllib.parse import urljoin

import httpx

from bench.servers import ROOT, environment

PAUSE = 0.25
PAGES = ("", "episodes/", "queues/", "contestants/", "ledger/", "bank/", "mail/", "mail/?way=out", "health/", "log/")


def log_in(client: httpx.Client, config: Path) -> None:
    """With a link that the shell makes."""
    command = [sys.executable, "-m", "host", "login-link", "--config", str(config)]
    link = subprocess.run(
        command, cwd=ROOT, env=environment(), capture_output=True, check=True, text=True
    ).stdout.strip()
    client.post(link, headers={"Origin": link.partition("/desk")[0]}).raise_for_status()


def click(client: httpx.Client, address: str) -> list[float]:
    """Page after page, and the first episode of each list; gives the seconds that each took."""
    took: list[float] = []
    episode = ""
    for page in cycle((*PAGES, "episode")):
        began = time.monotonic()
        try:
            answer = client.get(f"{address}/desk/{episode if page == 'episode' else page}")
        except (httpx.HTTPError, KeyboardInterrupt):
            return took
        took.append(time.monotonic() - began)
        found = re.search(r'href="([^"]*episodes/[A-Z]+-\d+/)"', answer.text)
        episode = urljoin(str(answer.url), found[1]).removeprefix(f"{address}/desk/") if found else episode
        time.sleep(PAUSE)
    return took


def main(config: Path) -> None:
    """Click until ended."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    address = "http://" + tomllib.loads(config.read_text("utf-8"))["web"]["listen"]
    took: list[float] = []
    with httpx.Client(follow_redirects=True, timeout=30) as client:
        try:
            log_in(client, config)
            sys.stdout.write("serving\n")
            sys.stdout.flush()
            took = click(client, address)
        except KeyboardInterrupt:
            pass
    if took:
        sys.stdout.write(f"{len(took)} pages, {median(took) * 1000:.0f} ms each, at most {max(took) * 1000:.0f} ms\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
