"""Pictures of the desk for the README and the guide: `python -m tests.web.pictures [FOLDER]`.

Without script, which would count down by the clock of today.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import select

from host.games import GAMES
from host.store.database import Session
from host.store.schema import Letter
from host.table.work import begin
from host.turn.login import make_link
from host.web.app import web_app
from tests.turn.desk import ADDRESS, OPERATOR
from tests.web.browser import chromium, free_port, looking, serving
from tests.web.house import House, later

PICTURES = Path("docs/pictures")
PEOPLE = {"champ-cards": ("Ann Lee", "Bob Ray"), "split-decision": ("Dora Fox", "Eli Stone", "Flo Marsh")}
SHOWN = {"desk": ("", 760), "desk-episode": ("episodes/CC-1/", 900)}
"""Pages of the desk, and how much of each is drawn."""


def afternoon(house: House) -> None:
    """Two games are played. Somebody asks for time, and a server refused a letter for good."""
    desk = house.desk
    for slug, names in PEOPLE.items():
        for name in names:
            address = f"{name.split()[0].lower()}@example.net"
            desk.write(address, ADDRESS, GAMES[slug].subject, f"Name: {name}\nHometown: Dayton, Ohio")
            desk.answer(address, "confirm")
    desk.answer("ann@example.net", "cut 12")
    with desk.store.transaction() as session:
        letter = next(each for each in letters_of(session) if each.address == "eli@example.net")
        letter.state, letter.response = "failed", "552 5.2.2 the mailbox is full"
    later(house, hours=17)
    desk.answer("bob@example.net", "Could I have until Monday? My phone broke, and I am away until then.")
    later(house, hours=2)


def letters_of(session: Session) -> Sequence[Letter]:
    """All letters, the latest first."""
    return session.scalars(select(Letter).order_by(Letter.id.desc())).all()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=PICTURES)
    given = parser.parse_args()
    port = free_port()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        house = House(Path(folder), web={"listen": f"127.0.0.1:{port}"})
        afternoon(house)
        with serving(web_app(house.web), port) as address, looking(browser, 1000, java_script_enabled=False) as looked:
            page = looked.page
            with begin(house.desk.services, house.desk.now) as work:
                link = make_link(work, OPERATOR)
            page.goto(link)
            page.get_by_role("button").click()
            for name, (path, height) in SHOWN.items():
                page.set_viewport_size({"width": 1000, "height": height})
                page.goto(f"{address}/desk/{path}")
                page.screenshot(path=given.folder / f"{name}.png")
        house.desk.store.close()


if __name__ == "__main__":
    main()
