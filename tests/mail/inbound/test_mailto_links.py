"""What mail programs make of a letter's links: the mail that leaves has the token, the body and its lines.

Those that run in a terminal are driven here; what graphical ones sent is kept in `tests/mail/inbound/mailto`. How to drive them:
`tests/mail/inbound/programs/README.md`.
"""

import contextlib
import email
import email.policy
import os
import re
import select
import shutil
import signal
import subprocess
import termios
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from host.mail.inbound.reply import open_mail
from host.mail.outbound.draft import Envelope
from tests.mail.inbound.typed import typed_in
from tests.patience import SECONDS

ENVELOPE = Envelope(
    token="rdgsbjiy67xs5aeva2mdw6hkxm",
    host_name="The Millionaire",
    address="games@example.org",
    plus=True,
    recipient="ann@example.net",
    topic="Champ Cards: Ann v Bob",
    code="CC-1",
    timezone="UTC",
    written_at=datetime(2026, 11, 20, 12, tzinfo=UTC),
)
"""Of the letter whose link the kept mails come from."""
LINES = ("cut 5", "pick 1")
LINK = ENVELOPE.link("\n".join(LINES))
KEPT = sorted((Path(__file__).parent / "mailto").glob("*.eml"))
TAKES_PLUS_FOR_A_SPACE = pytest.mark.xfail(
    strict=True, reason="Sylpheed takes + for a space; %2B would suit it, but aerc 0.14 leaves %2B in the address"
)
"""Seconds for a program to start and send; it takes one or two, and much longer on a busy machine."""

CONTROLS = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[()][A-Z0-9]|[=>])")

MUTT = """
set realname="Ann Lee" from="ann@example.net" sendmail="{sendmail}" sendmail_wait=0 editor="true" record="" copy=no
set autoedit=yes edit_headers=yes abort_unmodified=no crypt_use_gpgme=no header_cache="" folder="{home}" spoolfile="{home}"
set postponed="" send_charset="utf-8"
"""
ALPINE = """
personal-name=Ann Lee
user-domain=example.net
customized-hdrs=From: Ann Lee <ann@example.net>
inbox-path={home}/inbox
sendmail-path={sendmail} -t
default-fcc=""
last-version-used=9.99
"""
AERC = """
[ann]
source = maildir://{home}/Maildir
outgoing = {sendmail}
from = Ann Lee <ann@example.net>
default = INBOX
"""
EMACS = """
(setq user-full-name "Ann Lee" user-mail-address "ann@example.net" mail-host-address "example.net"
      message-send-mail-function 'message-send-mail-with-sendmail sendmail-program "{sendmail}"
      message-signature nil message-confirm-send nil message-auto-save-directory nil
      message-directory "{home}/" message-default-charset 'utf-8)
"""


@dataclass(frozen=True)
class Program:
    """A mail program for the terminal: what it reads, how it opens a link, and what is typed when it shows what."""

    files: dict[str, str]
    command: tuple[str, ...]
    answers: tuple[tuple[str, bytes], ...]


MUTT_ANSWERS = (("Compose", b"y"),)
PROGRAMS = {
    "mutt": Program({"rc": MUTT}, ("mutt", "-n", "-F", "{home}/rc", LINK), MUTT_ANSWERS),
    "neomutt": Program({"rc": MUTT}, ("neomutt", "-n", "-F", "{home}/rc", LINK), MUTT_ANSWERS),
    "alpine": Program(
        {"rc": ALPINE},
        ("alpine", "-p", "{home}/rc", "-P", "/dev/null", "-url", LINK),
        (("pick 1", b"\x18"), ("Send message", b"y")),
    ),
    "aerc": Program(
        {".config/aerc/accounts.conf": AERC, ".config/aerc/aerc.conf": "[compose]\neditor=true\n"},
        ("aerc", LINK),
        (("Send this email", b"y"),),
    ),
    "emacs": Program(
        {"init.el": EMACS},
        ("emacs", "-nw", "-Q", "-l", "{home}/init.el", "--eval", f'(message-mailto "{LINK}")'),
        # Emacs 28 shows the carriage return before the line feed, and asks whether to delete it.
        (("pick 1", b"\x03\x03"), ("Non-printable", b"d")),
    ),
}


def sent(raw: bytes) -> EmailMessage:
    return email.message_from_bytes(raw, _class=EmailMessage, policy=email.policy.default)


def assert_obeys_the_link(raw: bytes) -> None:
    mail = sent(raw)
    assert [each.addr_spec for each in mail["To"].addresses] == [ENVELOPE.reply_to]
    assert mail["Subject"] == ENVELOPE.tapped_subject
    plain = mail.get_body(("plain",))
    assert isinstance(plain, EmailMessage)
    text = plain.get_content().replace("\r\n", "\n")
    assert "\r" not in text
    assert [line.strip() for line in text.split("\n") if line.strip()] == list(LINES)
    opened = open_mail(raw)
    assert ENVELOPE.token in opened.tokens
    assert typed_in(opened).lines == LINES


@contextlib.contextmanager
def running(command: Sequence[str], home: Path) -> Iterator[int]:
    """A program in a terminal of its own; gives what stands for the person before it."""
    person, terminal = os.openpty()
    termios.tcsetwinsize(terminal, (40, 100))
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "TERM": "linux", "LC_ALL": "C.UTF-8"}
    environment["XDG_RUNTIME_DIR"] = str(home)  # aerc listens there
    process = subprocess.Popen(
        ["setsid", "--ctty", *command], stdin=terminal, stdout=terminal, stderr=terminal, cwd=home, env=environment
    )
    os.close(terminal)
    try:
        yield person
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(person)


def drive(program: Program, home: Path) -> bytes:
    """Open the link, type the answers, and give the mail that the program hands to sendmail."""
    outgoing, sendmail = home / "outgoing", home / "sendmail"
    sendmail.write_text(f"#!/bin/sh\ncat > {outgoing}.part && mv {outgoing}.part {outgoing}\n")
    sendmail.chmod(0o755)
    for folder in ("cur", "new", "tmp"):
        (home / "Maildir" / folder).mkdir(parents=True)
    for name, text in program.files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text.format(home=home, sendmail=sendmail))
        (home / name).chmod(0o600)
    command = [part.replace("{home}", str(home)) for part in program.command]
    with running(command, home) as person:
        answer(person, program.answers, outgoing)
    return outgoing.read_bytes()


def answer(person: int, answers: Sequence[tuple[str, bytes]], outgoing: Path) -> None:
    waiting, shown = list(answers), ""
    end = time.monotonic() + SECONDS
    while not outgoing.exists():
        assert time.monotonic() < end, f"nothing was sent; still to be answered: {waiting}; shown: {shown!r}"
        if select.select([person], [], [], 0.05)[0]:
            with contextlib.suppress(OSError):  # the program has ended, and its terminal with it
                shown += os.read(person, 65536).decode(errors="replace")
        if waiting and waiting[0][0] in CONTROLS.sub("", shown):
            os.write(person, waiting.pop(0)[1])
            shown = ""


@pytest.mark.programs
@pytest.mark.parametrize("name", PROGRAMS)
def test_program_that_opens_a_link_sends_what_the_link_says(name: str, tmp_path: Path) -> None:
    if shutil.which(PROGRAMS[name].command[0]) is None:
        pytest.skip(f"{name} is not installed: sh tests/install-servers programs")
    assert_obeys_the_link(drive(PROGRAMS[name], tmp_path))


@pytest.mark.parametrize(
    "kept",
    [pytest.param(each, id=each.stem, marks=[TAKES_PLUS_FOR_A_SPACE] * (each.stem == "sylpheed")) for each in KEPT],
)
def test_kept_mail_that_a_graphical_program_made_of_the_link(kept: Path) -> None:
    assert_obeys_the_link(kept.read_bytes())
