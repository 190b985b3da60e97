"""What went wrong, in words: of servers, of the database, of the disk."""

import contextlib
import errno
import socket
import sqlite3
import ssl
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.exc import OperationalError

from host import troubles
from tests.rows import every


@contextlib.contextmanager
def locked(file: Path, how: str = "IMMEDIATE") -> Iterator[None]:
    """Another program has the database for itself."""
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute(f"BEGIN {how}")
        yield


def fault(*statements: str) -> sqlite3.Error:
    """What SQLite says of the last of these."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        try:
            for each in statements:
                connection.execute(each)
        except sqlite3.Error as error:
            return error
    raise AssertionError("it was done")


def wrapped(error: Exception) -> OperationalError:
    return OperationalError("UPDATE letters SET state = ?", {}, error)


def test_a_full_disk_says_to_make_room() -> None:
    full = fault("PRAGMA max_page_count = 2", "CREATE TABLE a (b)", "CREATE TABLE c (d)")
    assert str(full) == "database or disk is full"
    said = "The database cannot be used (the disk is full): make room, then try again."
    assert troubles.sentence(full) == troubles.sentence(wrapped(full)) == said
    assert troubles.sentence(OSError(errno.ENOSPC, "No space left on device")).startswith("The disk is full: make room")


def test_a_fault_of_ours_is_no_trouble() -> None:
    assert troubles.sentence(wrapped(fault("SELECT x"))) == ""
    assert troubles.sentence(ValueError("no")) == ""
    assert troubles.sentence(wrapped(psycopg.errors.UndefinedColumn('column "x" does not exist'))) == ""
    assert troubles.cause(wrapped(fault("SELECT x"))) == "no such column: x", "no statement, no page's address"


@every(
    ("message", "words"),
    [
        (
            'connection to server at "::1", port 5432 failed: FATAL:  password authentication failed for user "x"',
            "pass",
        ),
        ("failed to resolve host 'db.example.org': [Errno -2] Name or service not known", troubles.NO_NAME),
        ("connection to server failed: Connection refused\n\tIs the server running?", troubles.NO_LISTENER),
        ("connection timeout expired", troubles.NO_ANSWER),
        ("the server has a day off", "the server has a day off"),
        ("cannot execute INSERT in a read-only transaction", "it is read-only"),
    ],
)
@every("kind", [psycopg.OperationalError, psycopg.errors.CannotConnectNow, psycopg.errors.ReadOnlySqlTransaction])
def test_postgresql_is_told_by_what_its_library_says(kind: type[psycopg.Error], message: str, words: str) -> None:
    sentence = troubles.sentence(wrapped(kind(message)))
    assert sentence.startswith("The database cannot be used (")
    assert words in sentence
    assert "check [database] url" in sentence
    assert "\n" not in sentence


def certificate_fault(code: int) -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_code, error.verify_message = code, "so it is"
    return error


def test_a_certificate_of_ones_own_can_be_named() -> None:
    for code in (18, 19, 20):
        assert "SSL_CERT_FILE" in troubles.cause(certificate_fault(code))
    expired, other_name = 10, 62
    for code in (expired, other_name):
        assert troubles.cause(certificate_fault(code)) == "the server's certificate is not good: so it is"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), troubles.NO_NAME),
        (socket.gaierror(socket.EAI_AGAIN, "Temporary failure"), "DNS did not answer"),
        (ConnectionRefusedError(111, "Connect call failed ('127.0.0.1', 1)"), troubles.NO_LISTENER),
        (OSError("Multiple exceptions: [Errno 111] Connect call failed ('::1', 1, 0, 0), ..."), troubles.NO_LISTENER),
        (OSError(errno.ENETUNREACH, "Network is unreachable"), "this machine's network does not reach it"),
        (TimeoutError(), troubles.NO_ANSWER),
        (ConnectionResetError(errno.ECONNRESET, "Connection reset by peer"), "Connection reset by peer"),
    ],
)
def test_a_server_that_cannot_be_had_is_told_in_words(error: OSError, words: str) -> None:
    assert troubles.cause(error) == words
    wrapping = RuntimeError("a library's own words")
    wrapping.__cause__ = error
    assert troubles.cause(wrapping) in (words, "a library's own words")
