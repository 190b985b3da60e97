"""Debian's Chromium by Playwright: pages of a server on this machine, light and dark, wide and narrow, with script or without."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from starlette.types import ASGIApp

from host.web.server import WebServer
from tests.letters.chromium import axe
from tests.patience import SECONDS
from tests.ports import free_port as free_port

PROGRAM = shutil.which("chromium") or "/usr/bin/chromium"
WIDTHS = {"narrow": 320, "phone": 375, "wide": 1280}
SCROLLED = "document.documentElement.scrollWidth"
FINDINGS = """axe.run(document, {resultTypes: ["violations"]}).then(found => found.violations.map(
  each => each.id + ": " + each.nodes.map(node => node.html).slice(0, 3).join(" | ")))"""
IS_WITHOUT_SECURITY_POLICY = {"bypass_csp": True}
"""For what a test itself puts into a page; pages are looked at with their policy everywhere else."""


@contextmanager
def serving(app: ASGIApp, port: int) -> Iterator[str]:
    """The app on loopback for as long as it is needed; gives its address without a slash behind."""
    server = WebServer(("127.0.0.1", port), app, places=64)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.stop()


@contextmanager
def chromium(*arguments: str) -> Iterator[Browser]:
    """A browser. Skips nothing: a test that asks for it has the marker `chromium`."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=PROGRAM, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", *arguments]
        )
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Looked:
    """A page, and what went wrong in it: errors of scripts, what its policy forbade, what could not be fetched."""

    page: Page
    wrong: list[str]


@contextmanager
def looking(browser: Browser, width: int = 1280, height: int = 900, **options: Any) -> Iterator[Looked]:
    """One page of its own; `options` are a context's of Playwright (`color_scheme`, `java_script_enabled`, ...)."""
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    looked = Looked(context.new_page(), [])
    looked.page.on("console", lambda said: looked.wrong.append(said.text) if said.type == "error" else None)
    looked.page.on("pageerror", lambda error: looked.wrong.append(str(error)))
    looked.page.set_default_timeout(SECONDS * 1000)
    try:
        yield looked
    finally:
        context.close()


def findings(page: Page) -> list[str]:
    """What axe finds in a page, whose context was made with `IS_WITHOUT_SECURITY_POLICY`."""
    script = axe()
    assert script is not None, "axe is not installed: tests/letters/axe.lock"
    page.evaluate(script + "\n;undefined")
    found: list[str] = page.evaluate(FINDINGS)
    return found
