"""What a phone shows of the letters that ask, before anybody scrolls.

`python -m tests.letters.phone --episodes 20` prints the figures; `--axe N` looks at every Nth letter with axe, every rule and
best practice. What stands on the first screen: the whole first line of the question, the whole of the first button, the whole
of the deadline. Where the fonts of phones are not installed, those that stand in for them are wider: it is rather harder here.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from host.games import GAMES
from tests.letters.chromium import Chromium, axe, chromium
from tests.letters.playing import EPISODES, Shown, letters_of
from tests.turn.desk import OPERATOR

WIDTH, HEIGHT, NARROW = 375, 667, 320
QUESTION = ".question, .asked > p"
"""Where a letter puts its question; what is asked first in it is looked for."""
BUTTON = 'a[href^="mailto:"]'
"""A link that answers. One within a sentence is no button, unless it is drawn as one."""
CARD = "a.spot"
"""A drawn card that is tapped: it counts as a button on the first screen, and not among the six."""
DEADLINE = ".deadline, .until"
MOST_BUTTONS = 6
GOALS = {"question": 0.95, "button": 0.95, "deadline": 0.90, "few": 0.99, "narrow": 1.0}
"""The least shares: question, first button and deadline on the first screen, at most six buttons, no sideways scroll."""

_LOOK = """(() => {
  const drawn = style => style.backgroundColor !== 'rgba(0, 0, 0, 0)' || parseFloat(style.borderTopWidth) > 0;
  const seen = node => node.getClientRects().length > 0;
  const first = node => { const range = document.createRange(); range.selectNodeContents(node);
    return [...range.getClientRects()].find(box => box.height > 0) || node.getBoundingClientRect(); };
  const question = [...document.querySelectorAll(QUESTION)].find(seen);
  const deadline = [...document.querySelectorAll(DEADLINE)].find(seen);
  const buttons = [...document.querySelectorAll(BUTTON)].filter(link => seen(link)
    && (!link.closest('p, li') || drawn(getComputedStyle(link))));
  return {
    question: question ? first(question).bottom + scrollY : null,
    button: buttons.length ? buttons[0].getBoundingClientRect().bottom + scrollY : null,
    deadline: deadline ? deadline.getBoundingClientRect().bottom + scrollY : null,
    buttons: buttons.filter(link => !link.matches(CARD)).length,
  };
})()"""
LOOK = _LOOK.replace("QUESTION", json.dumps(QUESTION)).replace("DEADLINE", json.dumps(DEADLINE))
LOOK = LOOK.replace("BUTTON", json.dumps(BUTTON)).replace("CARD", json.dumps(CARD))
SCROLLED = "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
AXE = """axe.run(document, {resultTypes: ['violations'], runOnly: {type: 'tag', values:
  ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}}).then(found => found.violations.map(each =>
  each.id + ' (' + each.impact + '): ' + each.help))"""


@dataclass(frozen=True)
class Look:
    """What a phone shows of one letter: where the first question, button and deadline end in CSS pixels, None for no such thing;
    how many buttons there are; how wide the page is on a narrow phone."""

    name: str
    question: float | None
    button: float | None
    deadline: float | None
    buttons: int
    width: int

    def holds(self, goal: str) -> bool:
        """Does it do as it should?"""
        if goal == "few":
            return self.buttons <= MOST_BUTTONS
        if goal == "narrow":
            return self.width <= NARROW
        end: float | None = getattr(self, goal)
        return end is not None and end <= HEIGHT


def asking(episodes: Sequence[tuple[str, int]]) -> list[Shown]:
    """All letters of these recorded episodes that ask a contestant something of their game."""
    with ProcessPoolExecutor() as pool:
        played = list(pool.map(letters_of, *zip(*episodes, strict=True)))
    return [each for some in played for each in some if each.episode and each.letter.asks and each.to != OPERATOR]


def looks(browser: Chromium, shown: Iterable[Shown]) -> Iterator[Look]:
    """Each letter as the phone shows it."""
    for each in shown:
        browser.resize(WIDTH, HEIGHT)
        browser.show(each.letter.page)
        found: dict[str, Any] = browser.run(LOOK)
        browser.resize(NARROW, HEIGHT)
        name = f"{each.room} {each.kind} {'+'.join(each.asked)}"
        yield Look(name, width=browser.run(SCROLLED), **found)


def findings(browser: Chromium, pages: Iterable[str], script: str) -> Counter[str]:
    """What axe finds, and in how many pages."""
    found: Counter[str] = Counter()
    browser.resize(WIDTH, HEIGHT)
    for page in pages:
        browser.show(page)
        browser.run(f"{script}; 0")
        found.update(browser.run(AXE))
    return found


def share(some: Sequence[Look], goal: str) -> float:
    """How many of these do as they should."""
    return sum(each.holds(goal) for each in some) / len(some)


def report(found: Sequence[Look]) -> Iterator[str]:
    """The figures, a line a room and one for all, and the goals below."""
    yield f"{'of letters that ask':20} {'letters':>8} {'question':>9} {'button':>9} {'deadline':>9} {'<=6':>9} {'320 px':>9} most"
    rooms = {slug: [each for each in found if each.name.startswith(f"{slug} ")] for slug in GAMES}
    for name, some in (*rooms.items(), ("all", list(found))):
        if some:
            shares = " ".join(f"{share(some, goal):9.1%}" for goal in GOALS)
            yield f"{name:20} {len(some):8} {shares} {max(each.buttons for each in some):4}"
    yield f"{'goals':20} {'':8} " + " ".join(f"{least:9.1%}" for least in GOALS.values())


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.letters.phone", description=__doc__.split("\n")[0])
    parser.add_argument("--episodes", type=int, default=EPISODES, help="of each room, of those recorded")
    parser.add_argument("--axe", type=int, default=10, help="every so many letters, axe looks at one; 0: at none")
    given = parser.parse_args()
    shown = asking([(slug, number) for slug in GAMES for number in range(given.episodes)])
    with chromium() as browser:
        for line in report(list(looks(browser, shown))):
            sys.stdout.write(f"{line}\n")
        script = axe()
        if given.axe and script:
            sample = [each.letter.page for each in shown[:: given.axe]]
            sys.stdout.write(f"axe, {len(sample)} letters:\n")
            for finding, count in findings(browser, sample, script).most_common() or [("nothing", 0)]:
                sys.stdout.write(f"  {count:5} {finding}\n")
        elif given.axe:
            sys.stdout.write("axe is not installed\n")


if __name__ == "__main__":
    main()
