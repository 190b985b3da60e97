"""A host with episodes of all five games, and its pages as a browser asks for them, without servers."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import httpx
from starlette.testclient import TestClient

from host.games import GAMES
from host.table.work import begin
from host.turn import login
from host.turn.question_bank import add_entries, starter
from host.web.app import web_app
from host.web.pages import Web
from tests.turn.desk import ADDRESS, OPERATOR, Desk

LISTEN = "127.0.0.1:8025"
ORIGIN = f"http://{LISTEN}"
PEOPLE = ("Ann Lee", "Bob Ray", "Cleo Fox")
_FORM = re.compile(r'name="form" value="([^"]+)"')


class House:
    """A host of all games and its pages. `client` is a browser; `log_in` lets it in to the desk."""

    def __init__(self, folder: Path, **changes: Any) -> None:
        self._is_of(self._made(folder, **changes))

    @classmethod
    def of(cls, desk: Desk) -> "House":
        """The pages of a host that is there."""
        house = cls.__new__(cls)
        house._is_of(desk)
        return house

    def _is_of(self, desk: Desk) -> None:
        self.desk = desk
        self.web = Web(desk.services, lambda: desk.now)
        self.address = desk.config.web.address
        self.client = self.browser()

    @staticmethod
    def _made(folder: Path, **changes: Any) -> Desk:
        games: dict[str, Any] = {slug: {} for slug in GAMES}
        web = {"listen": LISTEN} | changes.pop("web", {})
        desk = Desk(folder, games=games, web=web, **changes)
        bank = next(game for game in GAMES.values() if game.bank)
        with begin(desk.services, desk.now) as work:
            add_entries(work, bank, list(starter(bank))[:40])
        return desk

    def browser(self) -> TestClient:
        """Another browser, logged in nowhere."""
        headers = {"origin": self.address, "sec-fetch-site": "same-origin"}
        return TestClient(web_app(self.web), base_url=self.address, headers=headers, follow_redirects=True)

    def log_in(self, client: TestClient | None = None, who: str = OPERATOR) -> None:
        """Use a link of the operator's, or of somebody else of the house."""
        with begin(self.desk.services, self.desk.now) as work:
            link = login.make_link(work, who)
        answer = (client or self.client).post(link.removeprefix(self.address))
        assert answer.status_code == 200, answer.text

    def begin_all(self) -> None:
        """An episode of each game begins, with people of its own."""
        self.desk.once("begin all", self._begin_all)

    def _begin_all(self) -> None:
        for slug, game in GAMES.items():
            for name in PEOPLE[: self.desk.services.seats(game)]:
                address = f"{name.split()[0].lower()}@{slug}.example.net"
                self.desk.write(address, ADDRESS, game.subject, f"Name: {name}\nHometown: Dayton, Ohio")
                if self.desk.last(address).kind == "confirm":
                    self.desk.answer(address, "confirm")

    def get(self, path: str) -> httpx.Response:
        """A page."""
        return cast(httpx.Response, self.client.get(path))

    def page(self, path: str) -> str:
        """A page that is there."""
        answer = self.client.get(path)
        assert answer.status_code == 200, (path, answer.status_code, answer.text)
        return str(answer.text)

    def form(self, path: str) -> str:
        """The word of a form on a page."""
        found = _FORM.search(self.page(path))
        assert found, path
        return str(found[1])

    def send(self, path: str, on: str = "/desk/", **fields: Any) -> httpx.Response:
        """A form, sent with the word of one that stands on the page `on`."""
        return cast(httpx.Response, self.client.post(path, data={"form": self.form(on), **fields}))

    def command(self, command: str, **typed: Any) -> httpx.Response:
        """A command, through the page that asks whether it is meant."""
        return cast(httpx.Response, self.client.post("/desk/do/", data=self.asked(command, **typed)))

    def asked(self, command: str, **typed: Any) -> dict[str, str]:
        """The form of the page that asks whether a command is meant."""
        asked = self.client.get("/desk/confirm/", params={"command": command, "asked": "1", **typed})
        hidden = r'<input type="hidden" name="(\w+)" value="([^"]*)">'
        return dict(re.findall(hidden, asked.text.partition("Yes, do it")[0]))


def later(house: House, **duration: float) -> datetime:
    """Let time pass, with all that comes with it."""
    house.desk.now += timedelta(**duration)
    house.desk.tick()
    return house.desk.now.astimezone(UTC)
