"""Edge: the peer: a handler on salmon-mail. In: mails, from a Maildir or by LMTP. Out: one row and two letters for each.

    python -m bench.salmon_app SMTP_PORT LETTER_FILE DATABASE --maildir FOLDER
    python -m bench.salmon_app SMTP_PORT LETTER_FILE DATABASE --lmtp PORT

It runs in salmon's own virtual environment (`bench.peer`), so it imports nothing of ours. Salmon parses and routes the
mail, writes the letters and sends them, each by the means that its documentation shows; the row is the floor's (SQLite,
WAL, synchronous FULL). One letter goes to who wrote, with In-Reply-To, one to somebody else.
"""

import argparse
import email
import sqlite3
import sys
import threading
from email.utils import make_msgid
from pathlib import Path

from salmon.mail import MailRequest, MailResponse
from salmon.routing import nolocking, route, stateless
from salmon.server import LMTPReceiver, QueueReceiver, Relay

OTHER = "other@example.com"
LOOKS = 0.01
"""Seconds between looks into an empty Maildir."""


class Desk:
    """What the handler needs: the table, the relay, the two forms of a letter."""

    def __init__(self, smtp_port: int, letter: Path, database: Path) -> None:
        self.relay = Relay(host="127.0.0.1", port=smtp_port)
        self.text, self.page = (
            part.get_payload()
            for part in email.message_from_bytes(letter.read_bytes()).walk()
            if not part.is_multipart()
        )
        self.lock = threading.Lock()
        self.database = sqlite3.connect(database, isolation_level=None, check_same_thread=False)
        self.database.execute("PRAGMA journal_mode=WAL")
        self.database.execute("PRAGMA synchronous=FULL")
        self.database.execute(
            "CREATE TABLE mails (id INTEGER PRIMARY KEY, sender TEXT, subject TEXT, lines TEXT, raw BLOB)"
        )

    def answer(self, message: MailRequest, address: str, host: str) -> None:
        """One mail: stored, answered, and told to somebody else."""
        row = (message["From"], message["Subject"], message.body(), message.Data)
        with self.lock:
            self.database.execute("BEGIN IMMEDIATE")
            self.database.execute("INSERT INTO mails (sender, subject, lines, raw) VALUES (?, ?, ?, ?)", row)
            self.database.execute("COMMIT")
        for to in (message["From"], OTHER):
            letter = MailResponse(To=to, From=message.To, Subject="Re: " + message["Subject"])
            letter["Message-ID"] = make_msgid(domain="example.org")
            if to != OTHER:
                letter["In-Reply-To"] = message["Message-ID"]
            letter.Body, letter.Html = self.text, self.page
            self.relay.deliver(letter)


def main() -> None:
    """Serve for ever."""
    parser = argparse.ArgumentParser(prog="salmon_app")
    parser.add_argument("smtp_port", type=int)
    parser.add_argument("letter", type=Path)
    parser.add_argument("database", type=Path)
    parser.add_argument("--maildir", type=Path)
    parser.add_argument("--lmtp", type=int)
    asked = parser.parse_args()
    desk = Desk(asked.smtp_port, asked.letter, asked.database)

    def handle(message: MailRequest, address: str, host: str) -> None:
        desk.answer(message, address, host)

    route("(address)@(host)", address=".+", host=".+")(stateless(nolocking(handle)))
    receiver = LMTPReceiver(port=asked.lmtp) if asked.lmtp else QueueReceiver(str(asked.maildir), sleep=LOOKS)
    sys.stdout.write("serving\n")
    sys.stdout.flush()
    receiver.start()


if __name__ == "__main__":
    main()
