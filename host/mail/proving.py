"""Edge: which of the places is the mail server. In: places to try, a login. Out: settings that a login proved, or why none.

First all places are knocked at together, without a name or a password: is there a server, and does it encrypt? Then the
first good one is logged in to. A refusal ends it: the password is shown to no other server. It never goes unencrypted to
another machine.
"""

import asyncio
import contextlib
import itertools
import ssl
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from aiosmtplib import SMTPAuthenticationError, SMTPException

from host import troubles
from host.config import Imap, Smtp
from host.mail.inbound.imap import Inbox, InboxError
from host.mail.outbound.smtp import Outbox, describe
from host.mail.places import Place, Protocol

LOGIN_SECONDS = 20.0
GRACE_SECONDS = 0.5
"""How long the less wanted places are waited for, once there is a good one."""
MAX_LINES = 100
NAMES: dict[Protocol, str] = {"imap": "IMAP", "smtp": "SMTP"}
Kind = Literal["away", "plain", "certificate"]
Settings = TypeVar("Settings", Imap, Smtp)


class Unproved(Exception):
    """No server could be logged in to. `is_refusal`: there is one, and it refused the name or the password."""

    def __init__(self, protocol: Protocol, sentence: str, is_refusal: bool = False) -> None:
        super().__init__(sentence)
        self.protocol = protocol
        self.is_refusal = is_refusal


@dataclass(frozen=True)
class Trouble:
    """Why a place is not good."""

    place: Place
    kind: Kind
    words: str


@dataclass(frozen=True)
class Login:
    """A login: names to try one after the other, one password."""

    usernames: tuple[str, ...]
    password: str


async def knock(protocol: Protocol, places: Sequence[Place], seconds: float) -> list[Place | Trouble]:
    """Find the places that have a server that encrypts, all asked at once; a good one is not kept waiting for the rest."""
    asked = [asyncio.create_task(_knock(protocol, place, seconds)) for place in places]
    try:
        for each in asked:
            if isinstance(await each, Place):
                await asyncio.wait(asked, timeout=GRACE_SECONDS)
                break
    finally:
        late = [each for each in asked if not each.done()]
        for each in late:
            each.cancel()
        await asyncio.gather(*late, return_exceptions=True)
    return [each.result() for each in asked if each not in late]


async def prove_imap(places: Sequence[Place | Trouble], login: Login) -> Imap:
    """The settings with which the mailbox can be read, its junk folder among them. Raises `Unproved`."""
    return await _prove("imap", Imap, _read, places, login)


async def prove_smtp(places: Sequence[Place | Trouble], login: Login) -> Smtp:
    """The settings with which letters can be sent. Raises `Unproved`."""
    return await _prove("smtp", Smtp, _write, places, login)


async def _prove(
    protocol: Protocol,
    kind: type[Settings],
    log_in: Callable[[Settings], Awaitable[Settings]],
    places: Sequence[Place | Trouble],
    login: Login,
) -> Settings:
    """Try the places one after the other, each with all names, until one lets us in, or refuses that."""
    found = [each for each in places if isinstance(each, Trouble)]
    good = [each for each in places if isinstance(each, Place)]
    # one on this machine also unencrypted, where its certificate may be nobody's
    ways = [[each, each.without_tls()] if each.is_here and each.security == "starttls" else [each] for each in good]
    for place in itertools.chain(*ways):
        error: Exception = OSError()
        for username in login.usernames:
            settings = kind.model_validate(place.settings | {"username": username, "password": login.password})
            try:
                async with asyncio.timeout(LOGIN_SECONDS):
                    return await log_in(settings)
            except (InboxError, SMTPException, OSError) as failure:
                error = failure
            if not _is_refusal(error):
                break
        if _is_refusal(error):
            said = (error.said if isinstance(error, InboxError) else describe(error)).rstrip(".") or "nothing"
            names = " and ".join(login.usernames)
            words = f"The {NAMES[protocol]} server {place} refused the login of {names}; it said: {said}"
            raise Unproved(protocol, words, is_refusal=True)
        if place.is_here and protocol == "smtp":
            # a server on this machine may take letters without asking who sends them
            with contextlib.suppress(SMTPException, OSError):
                async with asyncio.timeout(LOGIN_SECONDS):
                    return await log_in(kind.model_validate(place.settings))
        words = str(error) if isinstance(error, InboxError) else describe(error)
        found.append(Trouble(place, "certificate" if "certificate" in words else "away", words))
    raise Unproved(protocol, _nowhere(protocol, found))


async def _read(settings: Imap) -> Imap:
    """Log in, and add the mailbox that the server says is for junk (RFC 6154), where its name is plain."""
    inbox = Inbox(settings, settings.mailbox)
    try:
        await inbox.connect()
        with contextlib.suppress(InboxError):
            return settings.model_copy(update={"junk": await inbox.junk()})
        return settings
    finally:
        inbox.abandon()


async def _write(settings: Smtp) -> Smtp:
    outbox = Outbox(settings)
    await outbox.connect()
    await outbox.close()
    return settings


def _is_refusal(error: Exception) -> bool:
    return error.is_login if isinstance(error, InboxError) else isinstance(error, SMTPAuthenticationError)


async def _knock(protocol: Protocol, place: Place, seconds: float) -> Place | Trouble:
    context = ssl.create_default_context() if place.security == "tls" else None
    writer = None
    try:
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection(place.host, place.port, ssl=context)
            return await _heard(protocol, place, reader, writer)
    except ssl.SSLCertVerificationError as error:
        return Trouble(place, "certificate", troubles.cause(error))
    except ssl.SSLError:
        return Trouble(place, "plain", troubles.NO_TLS)
    except TimeoutError:
        return Trouble(place, "away", "no answer")
    except (OSError, UnicodeError) as error:
        return Trouble(place, "away", troubles.cause(error))
    except ValueError:  # a line without end
        return Trouble(place, "away", f"no {NAMES[protocol]} server answers there")
    finally:
        if writer is not None:
            writer.transport.abort()


async def _heard(
    protocol: Protocol, place: Place, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> Place | Trouble:
    """Listen to the greeting; without TLS from the first byte, ask whether it can be switched to."""
    greeting = await _lines(reader, b"* " if protocol == "imap" else b"220 ")
    if not greeting or not greeting[-1].startswith(b"* OK" if protocol == "imap" else b"220"):
        return Trouble(place, "away", f"no {NAMES[protocol]} server answers there")
    if place.security != "starttls":
        return place
    writer.write(b"a CAPABILITY\r\n" if protocol == "imap" else b"EHLO podium\r\n")
    offers = b" ".join(await _lines(reader, b"a " if protocol == "imap" else b"250 ")).upper()
    if b"STARTTLS" in offers:
        return place
    if place.is_here:
        return place.without_tls()
    return Trouble(place, "plain", "the server offers no encryption (STARTTLS)")


async def _lines(reader: asyncio.StreamReader, last: bytes) -> list[bytes]:
    """Lines up to one that begins with `last`, or as many as there are."""
    lines: list[bytes] = []
    while len(lines) < MAX_LINES:
        line = await reader.readline()
        lines.append(line)
        if not line or line.startswith(last) or line[:1] in b"45":
            break
    return [line for line in lines if line]


def _nowhere(protocol: Protocol, found: Sequence[Trouble]) -> str:
    """The nearest miss in a sentence: a server that does not encrypt, one with a bad certificate, else all that was tried."""
    name, option = NAMES[protocol], f"--{protocol}-host"
    for each in sorted(found, key=lambda trouble: trouble.kind != "certificate"):
        what = f"The {name} server {each.place} cannot be used: {each.words}"
        if each.kind == "certificate":
            return f"{what}. Have it put right, or give the name that stands in the certificate with {option}."
        if each.kind == "plain":
            why = "and Podium sends no password that others could read"
            return f"{what}, {why}. Ask your provider for a server that encrypts, and give it with {option}."
    if len(found) == 1:
        [only] = found
        what = f"The {name} server {only.place} cannot be reached ({only.words})"
        return f"{what}: check its name and port, and this machine's network."
    by_words: dict[str, list[str]] = {}
    for each in found:
        place = each.place.host if each.words == troubles.NO_NAME else str(each.place)
        if place not in by_words.setdefault(each.words, []):
            by_words[each.words].append(place)
    tried = ", ".join(f"{', '.join(places)} ({words})" for words, places in by_words.items()) or "nothing"
    return f"No {name} server was found; tried: {tried}. Ask your provider for its name and give it with {option}."
