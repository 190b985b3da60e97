"""Edge: salmon-mail in a virtual environment of its own. In: `salmon.lock`. Out: its Python; made on first use.

It is never among Podium's requirements. `make lock` writes the lock from `salmon.txt`.
"""

import fcntl
import subprocess
import sys

from bench.servers import ROOT

LOCK = ROOT / "bench" / "salmon.lock"
FOLDER = ROOT / "build" / "salmon"
PYTHON = FOLDER / "venv" / "bin" / "python"


def python() -> str:
    """The Python that has salmon-mail as the lock names it. Raises RuntimeError where that cannot be had."""
    made = FOLDER / "made-from"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests that run beside each other make it once
        if not made.exists() or made.read_text() != LOCK.read_text():
            made.unlink(missing_ok=True)
            _make()
            made.write_text(LOCK.read_text())
    return str(PYTHON)


def _make() -> None:
    install = [
        "-m",
        "pip",
        "--disable-pip-version-check",
        "install",
        "-q",
        "--require-hashes",
        "--only-binary",
        ":all:",
    ]
    for command in (
        [sys.executable, "-m", "venv", "--clear", str(FOLDER / "venv")],
        [str(PYTHON), *install, "-r", str(LOCK)],
    ):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(
                f"salmon-mail could not be installed; name --contenders without it to go on: {done.stderr.strip()}"
            )
