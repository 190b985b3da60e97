"""The demo in a thread of its own, for tests that drive a browser or ask by HTTP; moves made as somebody makes them."""

import asyncio
import html
import random
import re
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

import httpx
from playwright.sync_api import Page

from host.demo.browser import Pages, served
from host.demo.inbox import Mail
from host.games import GAMES
from tests.patience import SECONDS

MOVES = 400
"""More than any game takes."""
LINK = re.compile(r'href="(/write[^"]+)"')
FIELD = re.compile(r'name="(token|answers|to|subject)" value="([^"]*)"')
AREA = re.compile(r"<textarea[^>]*>\n(.*?)</textarea>", re.DOTALL)


@contextmanager
def demo(offered: Mapping[str, int] | None = None) -> Iterator[tuple[str, Pages]]:
    """A demo whose robots answer at once; its address, and what it holds."""
    started: Future[tuple[str, Pages, asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def run() -> None:
        ended = asyncio.Event()
        async with served(delay=0.0, offered=offered) as (address, pages):
            started.set_result((address.rstrip("/"), pages, asyncio.get_running_loop(), ended))
            await ended.wait()

    def serve() -> None:
        try:
            asyncio.run(run())
        except Exception as error:
            if started.done():
                raise
            started.set_exception(error)

    thread = threading.Thread(target=serve)
    thread.start()
    address, pages, loop, ended = started.result(SECONDS)
    try:
        yield address, pages
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(SECONDS)
        if thread.is_alive():
            for task in asyncio.all_tasks(loop):
                task.print_stack()
            raise AssertionError("the demo does not end")


def register(page: Page, address: str, slug: str, name: str = "Ann Lee") -> None:
    """Choose a game and send the registration that is written for it."""
    page.goto(f"{address}/games")
    page.fill("#name", name)
    page.click(f'button[value="{slug}"]')
    page.click(SEND)


SEND = 'button:text-is("Send")'


def unread(pages: Pages, title: str = "") -> Mail:
    """Wait until a letter is there that was not read, about a game where one is named: the latest one."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        mailbox = pages.mailbox
        for mail in reversed(mailbox.mails):
            if mail.number in mailbox.unread and title in mail.subject:
                return mail
        time.sleep(0.01)
    latest = pages.mailbox.mails[-1]
    raise AssertionError(f"no letter came after this one: {latest.letter.headers} {latest.letter.text}")


def open_unread(page: Page, address: str, pages: Pages, title: str = "") -> Mail:
    """Wait for a letter that was not read, and open it."""
    mail = unread(pages, title)
    page.goto(f"{address}/mail/{mail.number}")
    return mail


def tap(page: Page, choice: random.Random, words: str = "an answer") -> bool:
    """Tap one of the letter's links and send what it writes; False where it has none. Behind an open end go `words`."""
    links = page.frame_locator("iframe").locator('a[href^="/write"]')
    page.frame_locator("iframe").locator("body").wait_for()
    count = links.count()
    if not count:
        return False
    is_door = "confirm" in links.first.inner_text().lower() or "ready" in links.first.inner_text().lower()
    links.nth(0 if is_door else choice.randrange(count)).click()
    page.wait_for_url("**/write?*")
    if page.input_value("#body").endswith(" "):
        page.press("#body", "Control+End")
        page.type("#body", words)
    page.click(SEND)
    return True


def play(page: Page, address: str, pages: Pages, slug: str, choice: random.Random, by_hand: int = MOVES) -> None:
    """Play from the first letter to the result by tapping links: the first few and the result in the browser.

    The others are tapped by the same requests as a browser's, which a processor has six times as much room for.
    """
    with asking(address) as client:
        for number in range(MOVES):
            mail = unread(pages, GAMES[slug].title)
            if number < by_hand or mail.letter.kind == "result":
                page.goto(f"{address}/mail/{mail.number}")
            if mail.letter.kind == "result":
                return
            if mail.letter.kind in ("begin", "news") and not mail.letter.asks:
                client.get(
                    f"/mail/{mail.number}"
                ).raise_for_status()  # read; what it offers to send ahead is not tapped
            elif number < by_hand:
                tap(page, choice)
            else:
                tap_by_request(client, mail, choice)
    raise AssertionError("the game does not end")


def tap_by_request(client: httpx.Client, mail: Mail, choice: random.Random, words: str = "an answer") -> bool:
    """What a browser asks when a link is tapped and Send is pressed."""
    links = LINK.findall(client.get(f"/mail/{mail.number}/page").raise_for_status().text)
    if not links:
        return False
    is_door = mail.letter.kind in ("confirm", "ready")
    page = client.get(html.unescape(links[0] if is_door else choice.choice(links))).raise_for_status().text
    fields = fields_in(page)
    fields["body"] += words if fields["body"].endswith(" ") else ""
    client.post("/write", data=fields).raise_for_status()
    return True


def fields_in(page: str) -> dict[str, str]:
    """The fields of a composer, as a browser sends them."""
    fields = {name: html.unescape(value) for name, value in FIELD.findall(page)}
    return {**fields, "body": html.unescape(AREA.findall(page)[0])}


def play_by_requests(client: httpx.Client, pages: Pages, slug: str, choice: random.Random) -> Mail:
    """The same without a browser; gives the result."""
    for _ in range(MOVES):
        mail = unread(pages, GAMES[slug].title)
        client.get(f"/mail/{mail.number}")
        if mail.letter.kind == "result":
            return mail
        tap_by_request(client, mail, choice)
    raise AssertionError("the game does not end")


@contextmanager
def asking(address: str) -> Iterator[httpx.Client]:
    """Somebody who asks what the demo's own pages ask."""
    origin = {"Origin": address}
    with httpx.Client(base_url=address, follow_redirects=True, headers=origin, timeout=SECONDS) as client:
        yield client


def post(client: Any, path: str, pages: Pages, **fields: str) -> Any:
    """Send a form as the demo's own pages do."""
    return client.post(path, data={**fields, "token": pages.token})
