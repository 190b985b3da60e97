"""Edge: the floor: what the mail itself costs. In: an IMAP mailbox. Out: one row and one letter for each mail in it.

    python -m bench.floor IMAP_PORT SMTP_PORT LETTER_FILE [DATABASE]

The standard library alone, everything one after the other: fetch, parse, commit a row with the raw mail (SQLite, WAL,
synchronous FULL; left out without DATABASE), send a letter on one kept connection. Waits by IDLE (RFC 2177).
"""

import email
import email.policy
import imaplib
import re
import smtplib
import sqlite3
import sys
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path

from tests.wire.dovecot import ADDRESS, PASSWORD

_UIDS = re.compile(rb"\d+")


def open_database(file: str) -> sqlite3.Connection | None:
    """A table for raw mails; None where no file is named."""
    if not file:
        return None
    database = sqlite3.connect(file, isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE mails (uid INTEGER PRIMARY KEY, sender TEXT, subject TEXT, lines TEXT, raw BLOB)")
    return database


def wait_for_news(imap: imaplib.IMAP4) -> None:
    """IDLE until the server tells of a mail."""
    tag = imap._new_tag()
    imap.send(tag + b" IDLE\r\n")
    while b"EXISTS" not in imap.readline():
        pass
    imap.send(b"DONE\r\n")
    while not imap.readline().startswith(tag):
        pass


def take(imap: imaplib.IMAP4, smtp: smtplib.SMTP, database: sqlite3.Connection | None, uid: int, letter: bytes) -> None:
    """One mail: fetched, parsed, stored, answered."""
    _, data = imap.uid("FETCH", str(uid), "(UID INTERNALDATE BODY.PEEK[])")
    found = data[0]
    assert isinstance(found, tuple)
    mail = email.message_from_bytes(found[1], policy=email.policy.default)
    assert isinstance(mail, EmailMessage)
    body = mail.get_body(("plain",))
    text = body.get_content() if body else ""
    sender, subject, message_id = str(mail["From"]), str(mail["Subject"]), str(mail["Message-ID"])
    if database is not None:
        database.execute("BEGIN IMMEDIATE")
        database.execute("INSERT INTO mails VALUES (?, ?, ?, ?, ?)", (uid, sender, subject, text, found[1]))
        database.execute("COMMIT")
    head = (
        f"From: {ADDRESS}\r\nTo: {sender}\r\nSubject: Re: {subject}\r\nMessage-ID: {make_msgid(domain='example.org')}\r\n"
        f"In-Reply-To: {message_id}\r\n"
    )
    address = mail["From"].addresses[0].addr_spec
    smtp.sendmail(ADDRESS, [address], head.encode() + letter)


def main() -> None:
    """Serve for ever."""
    imap_port, smtp_port, letter_file = sys.argv[1:4]
    letter = Path(letter_file).read_bytes()
    database = open_database(sys.argv[4] if len(sys.argv) > 4 else "")
    smtp = smtplib.SMTP("127.0.0.1", int(smtp_port))
    imap = imaplib.IMAP4("127.0.0.1", int(imap_port))
    imap.login(ADDRESS, PASSWORD)
    imap.select("INBOX", readonly=True)
    sys.stdout.write("serving\n")
    sys.stdout.flush()
    last = 0
    while True:
        _, data = imap.uid("SEARCH", f"UID {last + 1}:*")
        new = [uid for uid in map(int, _UIDS.findall(data[0] or b"")) if uid > last]
        for uid in new:
            take(imap, smtp, database, uid, letter)
            last = uid
        if not new:
            wait_for_news(imap)


if __name__ == "__main__":
    main()
