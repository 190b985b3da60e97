"""Pictures of letters as a phone shows them, for docs/ and the README: `python -m tests.letters.pictures [FOLDER]`.

They are the golden letters, one a room. With `--all FOLDER` every golden letter is drawn in light, in dark, without its style
sheet and wide, to be looked at.
"""

import argparse
import base64
import re
from pathlib import Path

from tests.letters.chromium import Chromium, chromium
from tests.letters.gallery import GOLDEN

PICTURES = Path("docs/pictures")
SHOWN = {
    "champ-cards": "champ-cards/turn-pick-main",
    "split-decision": "split-decision/turn-choose-answer",
    "game-of-champions": "game-of-champions/turn-battle-answer",
    "bluffjack": "bluffjack/turn-card-cards-answer",
    "champion-poker": "champion-poker/turn-play",
}
PHONE, WIDE = 390, 800
_STYLE = re.compile(r"<style.*?</style>", re.DOTALL)


def draw(browser: Chromium, page: str, width: int, file: Path, *, is_dark: bool = False) -> None:
    """A page from its top to its end, as a PNG."""
    features = [{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}]
    browser.call("Emulation.setEmulatedMedia", features=features)
    browser.resize(width, 200)
    browser.show(page)
    browser.resize(width, max(int(browser.run("document.documentElement.scrollHeight")), 200))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(base64.b64decode(browser.call("Page.captureScreenshot", format="png")["data"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=PICTURES)
    parser.add_argument("--all", action="store_true", help="every golden letter, in all the ways it may be seen")
    given = parser.parse_args()
    with chromium() as browser:
        if not given.all:
            for room, name in SHOWN.items():
                draw(browser, (GOLDEN / f"{name}.html").read_text("utf-8"), PHONE, given.folder / f"{room}.png")
            return
        for letter in sorted(GOLDEN.rglob("*.html")):
            name, page = "-".join(letter.relative_to(GOLDEN).with_suffix("").parts), letter.read_text("utf-8")
            draw(browser, page, PHONE, given.folder / f"{name}.png")
            draw(browser, page, PHONE, given.folder / f"{name}-dark.png", is_dark=True)
            draw(browser, page, WIDE, given.folder / f"{name}-wide.png")
            draw(browser, _STYLE.sub("", page), PHONE, given.folder / f"{name}-bare.png")


if __name__ == "__main__":
    main()
