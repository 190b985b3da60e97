"""A mail that takes long to open, however well mails are read: the process that opens mails is told never to finish it."""

import os
from pathlib import Path

import pytest

from host import processes
from host.mail.inbound import sandbox

TAKES_LONG = b"From: ann@example.net\r\nX-Takes-Long: yes\r\n\r\npick 5"
AT_ITS_START = """
import os
from host.mail.inbound import reply

was = reply.open_mail


def open_mail(raw):
    if b"X-Takes-Long" in raw:
        open(f"{os.path.dirname(__file__)}/begun-{os.getpid()}", "w").close()
    while b"X-Takes-Long" in raw:
        pass
    return was(raw)


reply.open_mail = open_mail
"""


def open_slowly(monkeypatch: pytest.MonkeyPatch, folder: Path) -> bytes:
    """The mail; processes that are started from now on never finish it, and leave `begun-<pid>` in the folder."""
    (folder / "sitecustomize.py").write_text(AT_ITS_START)
    monkeypatch.setattr(processes, "_PATH", os.pathsep.join((str(folder), processes._PATH)))
    monkeypatch.setattr(sandbox, "PARENT", sandbox.Parent())
    return TAKES_LONG
