"""Debian's Chromium without a window, by its debugging protocol over two pipes: pages of a size, and scripts in them."""

import fcntl
import json
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")
_FREE = 10
"""The first number for our ends of the pipes, so that 3 and 4 are free in the browser."""


class Chromium:
    """One browser with one page."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = commands, answers
        self._number, self._rest, self._session = 0, b"", ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self._frame = self.call("Page.getFrameTree")["frameTree"]["frame"]["id"]

    def call(self, method: str, **params: Any) -> Any:
        """One command and what it gives. Raises RuntimeError where the browser refuses it."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        left = json.dumps(message).encode() + b"\0"
        while left:
            left = left[os.write(self._commands, left) :]
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = os.read(self._answers, 1 << 16)
            if not more:
                raise RuntimeError("Chromium ended")
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(line)
        return found

    def resize(self, width: int, height: int) -> None:
        """A phone of this size from now on."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=True)

    def show(self, page: str) -> None:
        """Put an HTML page in place of the one that is there."""
        self.call("Page.setDocumentContent", frameId=self._frame, html=page)

    def run(self, script: str) -> Any:
        """What an expression gives in the page, waited for where it is a promise."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"].get("exception", {}).get("description", "the script failed"))
        return found["result"].get("value")


@contextmanager
def chromium() -> Iterator[Chromium]:
    """A browser for as long as it is needed. Raises FileNotFoundError where Chromium is not installed."""
    if PROGRAM is None:
        raise FileNotFoundError("Chromium is not installed")
    to_browser, from_browser = _pipe(), _pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [PROGRAM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        command += ["--remote-debugging-pipe", "--no-first-run", "--hide-scrollbars", f"--user-data-dir={folder}"]
        silent = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
        pipes = [(os.POSIX_SPAWN_DUP2, to_browser[0], 3), (os.POSIX_SPAWN_DUP2, from_browser[1], 4)]
        environment = {"HOME": folder, "PATH": os.environ.get("PATH", os.defpath)}
        process = os.posix_spawn(PROGRAM, command, environment, file_actions=[*silent, *pipes], setpgroup=0)
        os.close(to_browser[0])
        os.close(from_browser[1])
        try:
            yield Chromium(to_browser[1], from_browser[0])
        finally:
            os.killpg(process, signal.SIGKILL)
            os.waitpid(process, 0)
            os.close(to_browser[1])
            os.close(from_browser[0])


def _pipe() -> tuple[int, int]:
    ends = os.pipe()
    above = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _FREE) for end in ends)
    for end in ends:
        os.close(end)
    return above[0], above[1]


def axe() -> str | None:
    """The script of axe, from a package that brings it along; None where none is installed."""
    for package in ("axe_playwright_python", "axe_core_python"):
        found = find_spec(package)
        if found and found.submodule_search_locations:
            return (Path(found.submodule_search_locations[0]) / "axe.min.js").read_text("utf-8")
    return None
