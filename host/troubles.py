"""Edge: what went wrong, in words. In: an exception of a server, the database or the disk. Out: its cause, and what to do.

The one place for that: the command line, the daemon, its log, `podium check` and `podium init` say the same of the same.
It knows exceptions by what they carry, so that it needs neither the database's library nor a mail server's.
"""

import errno
import socket
import ssl
from collections.abc import Iterator

NO_NAME = "no such name"
NO_TLS = "the server speaks no TLS at this port"
NO_LISTENER = "nothing listens there"
NO_ANSWER = "the server did not answer in time"
OF_OUR_OWN = "where it is one of your own, name its file in the environment as SSL_CERT_FILE"

_NOT_SIGNED_BY_ANY_KNOWN = frozenset({18, 19, 20, 21})
"""OpenSSL's numbers for a certificate that is self-signed, or whose issuer is unknown here."""
_UNREACHABLE = frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN})
_FULL = ("the disk is full", "make room, then try again")
_LOCKED = ("it is locked by another program", "close that program, then try again")
_SQLITE = {
    "SQLITE_BUSY": _LOCKED,
    "SQLITE_LOCKED": _LOCKED,
    "SQLITE_FULL": _FULL,
    "SQLITE_CANTOPEN": ("its file cannot be opened", "check [database] url and the rights of the file and its folder"),
    "SQLITE_READONLY": ("its file cannot be written", "give this user the right to write it and its folder"),
    "SQLITE_IOERR": ("the disk cannot be read or written", "look at the disk and at this machine's log"),
    "SQLITE_CORRUPT": ("its file is damaged", "put a copy in its place"),
    "SQLITE_NOTADB": ("its file is not one of Podium's", "check [database] url"),
}
"""By the beginning of SQLite's name for an error."""
_URL = "check [database] url"
_POSTGRESQL = {
    "password authentication failed": ("the server refuses the user or the password", _URL),
    "no password supplied": ("the server wants a password", _URL),
    "resolve host": (NO_NAME, f"{_URL} and this machine's network"),
    "translate host name": (NO_NAME, f"{_URL} and this machine's network"),
    "refused": (NO_LISTENER, f"{_URL}, and whether its server runs"),
    "timeout expired": (NO_ANSWER, f"{_URL}, and whether its server runs"),
    "does not support SSL": (NO_TLS, f"{_URL} and its sslmode"),
    "No space left": _FULL,
    "lock timeout": _LOCKED,
    "read-only transaction": ("it is read-only, as a standby is", f"{_URL}: it has to name the server that is written"),
}
"""By what stands in libpq's message; a line that cannot be had carries no SQLSTATE."""
_OF_THE_LINE = {"OperationalError", "InterfaceError", "ReadOnlySqlTransaction"}
"""Classes of psycopg's errors that are the server's or the line's, and no fault of ours."""


def cause(error: BaseException) -> str:
    """The cause in a few words; in its own where it is nothing that is known."""
    known = next((words for each in _chain(error) if (words := _of_server(each) or _of_database(each)[0])), "")
    return known or _own_words(error)


def sentence(error: BaseException) -> str:
    """The cause and what to do; empty for what is no fault of a disk, a network or a database, but one of ours."""
    for each in _chain(error):
        words, advice = _of_database(each)
        if words:
            return f"The database cannot be used ({words}): {advice}."
        if isinstance(each, OSError) and _is_full(each):
            return "The disk is full: make room, then try again."
        if isinstance(each, OSError) and each.filename:
            return f"{each.filename} cannot be used ({_own_words(each)}): check that it is there, and its rights."
    return ""


def for_log(error: BaseException) -> str:
    """The cause, for the middle of a line."""
    return sentence(error).removesuffix(".") or _own_words(error)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what it came from."""
    seen = set[int]()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = getattr(error, "orig", None) or error.__cause__ or error.__context__


def _of_server(error: BaseException) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        help_for_own = f"; {OF_OUR_OWN}" if error.verify_code in _NOT_SIGNED_BY_ANY_KNOWN else ""
        return f"the server's certificate is not good: {error.verify_message}{help_for_own}"
    if isinstance(error, ssl.SSLError):
        return NO_TLS if error.reason in ("WRONG_VERSION_NUMBER", "UNKNOWN_PROTOCOL", "HTTP_REQUEST") else ""
    if isinstance(error, socket.gaierror):
        return "DNS did not answer" if error.errno == socket.EAI_AGAIN else NO_NAME
    if isinstance(error, UnicodeError):
        return NO_NAME
    if isinstance(error, TimeoutError):
        return NO_ANSWER
    if isinstance(error, OSError) and error.errno in _UNREACHABLE:
        return "this machine's network does not reach it"
    if isinstance(error, ConnectionRefusedError) or "Connect call failed" in str(error):
        return NO_LISTENER
    return _FULL[0] if isinstance(error, OSError) and _is_full(error) else ""


def _is_full(error: OSError) -> bool:
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


def _of_database(error: BaseException) -> tuple[str, str]:
    """The cause and what to do, of an error of SQLite's or PostgreSQL's library; else nothing."""
    name: str = getattr(error, "sqlite_errorname", "")
    if name:
        return next((words for begin, words in _SQLITE.items() if name.startswith(begin)), ("", ""))
    if not hasattr(error, "sqlstate"):
        return "", ""
    if not {each.__name__ for each in type(error).__mro__} & _OF_THE_LINE:
        return "", ""
    known = (words for part, words in _POSTGRESQL.items() if part in str(error))
    return next(known, (_own_words(error), f"{_URL} and its server"))


def _own_words(error: BaseException) -> str:
    """The words of the database's own library, for its errors: SQLAlchemy adds the statement, and the address of a page."""
    words = getattr(error, "strerror", None) or str(getattr(error, "orig", None) or error)
    return " ".join(words.split())[:200] or type(error).__name__
