"""The picture of the demo for the README: `python -m tests.demo.pictures [FOLDER]`."""

import argparse
import random
from pathlib import Path

from tests.demo.served import demo, open_unread, register, tap
from tests.web.browser import chromium, looking

PICTURES = Path("docs/pictures")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=PICTURES)
    given = parser.parse_args()
    with demo() as (address, pages), chromium() as browser, looking(browser, 1200, 760) as looked:
        page = looked.page
        register(page, address, "champ-cards")
        open_unread(page, address, pages, "your place")
        tap(page, random.Random(1))
        open_unread(page, address, pages, "v Bob")
        page.wait_for_timeout(1500)
        page.screenshot(path=given.folder / "demo.png")


if __name__ == "__main__":
    main()
