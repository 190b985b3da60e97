"""Edge: the host's consent, once. In: a token server, a person who reads what is told. Out: a grant.

By a device code (RFC 8628), or by a browser that is sent back to this machine (RFC 8252).
"""

import asyncio
import contextlib
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from urllib.parse import parse_qs, urlencode, urlsplit

from host.engine.chance import new_token
from host.mail.oauth_server import LOOPBACK, Grant, OAuthError, Refused, TokenServer, number

CONSENT_SECONDS = 900.0
SLOW_DOWN_SECONDS = 5.0

DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
DENIED = "The consent was refused."
TOO_LATE = "The time for the consent ran out: run podium login again."
ENDED = {"access_denied": DENIED, "expired_token": TOO_LATE}
"""Errors that end the waiting for a device code."""


async def consent(server: TokenServer, tell: Callable[[str], None], by_browser: bool = False, port: int = 0) -> Grant:
    """The grant that the host consents to. Raises `OAuthError`, and `Refused` where the settings are wrong.

    By a device code where the provider has that and `by_browser` is not wanted; else by a browser that is sent back to
    `port` of this machine, 0 for any. `tell` gets what the host has to do, in words.
    """
    if server.endpoints.device_url and not by_browser:
        return await _by_device(server, tell)
    if not server.endpoints.authorize_url:
        raise OAuthError("This provider has no authorize_url: leave out --browser, or add it to [oauth].")
    return await _by_browser(server, tell, port)


async def _by_device(server: TokenServer, tell: Callable[[str], None]) -> Grant:
    asked = await server.post(server.endpoints.device_url, {"scope": " ".join(server.endpoints.scopes)})
    address = asked.get("verification_uri") or asked.get("verification_url")
    if not address or "device_code" not in asked or "user_code" not in asked:
        raise OAuthError("The server at device_url gave no code: check [oauth] device_url.")
    tell(f"Open {address} in a browser, anywhere, and enter the code {asked['user_code']}")
    interval = number(asked.get("interval"), 5.0)
    form = {"grant_type": DEVICE_GRANT, "device_code": str(asked["device_code"])}
    try:
        async with asyncio.timeout(number(asked.get("expires_in"), CONSENT_SECONDS)):
            while True:
                await asyncio.sleep(interval)
                try:
                    return await server.grant(form)
                except Refused as error:  # RFC 8628 section 3.5
                    if error.code in ENDED:
                        raise OAuthError(ENDED[error.code]) from None
                    if error.code not in ("authorization_pending", "slow_down"):
                        raise
                    interval += SLOW_DOWN_SECONDS if error.code == "slow_down" else 0.0
                except OAuthError as error:
                    if not error.is_passing:
                        raise
                    interval += SLOW_DOWN_SECONDS
    except TimeoutError:
        raise OAuthError(TOO_LATE) from None


async def _by_browser(server: TokenServer, tell: Callable[[str], None], port: int) -> Grant:
    state, verifier = new_token(), new_token() + new_token()
    answered: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()
    try:
        listener = await asyncio.start_server(
            lambda reader, writer: _take_answer(reader, writer, state, answered), LOOPBACK, port
        )
    except OSError as error:
        raise OAuthError(f"Port {port} of this machine cannot be used ({error.strerror}): name another.") from None
    redirect = f"http://{server.endpoints.redirect_host}:{listener.sockets[0].getsockname()[1]}"
    tell(f"Open this address in a browser on this machine:\n{_address(server, redirect, state, verifier)}")
    try:
        answer = await asyncio.wait_for(answered, CONSENT_SECONDS)
    except TimeoutError:
        raise OAuthError(TOO_LATE) from None
    finally:
        listener.close()
    if answer.get("error") == "access_denied":
        raise OAuthError(DENIED)
    if "code" not in answer:
        raise Refused(answer.get("error", "no code"), answer.get("error_description", ""))
    form = {"grant_type": "authorization_code", "code": answer["code"]}
    form |= {"redirect_uri": redirect, "code_verifier": verifier}
    return await server.grant(form)


def _address(server: TokenServer, redirect: str, state: str, verifier: str) -> str:
    """The address of the consent (RFC 6749 section 4.1.1), with the challenge of a verifier (RFC 7636 section 4.2)."""
    challenge = urlsafe_b64encode(sha256(verifier.encode("ascii")).digest()).rstrip(b"=").decode("ascii")
    asked = {
        "response_type": "code",
        "client_id": server.settings.client_id,
        "redirect_uri": redirect,
        "scope": " ".join(server.endpoints.scopes),
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        **server.endpoints.asked,
    }
    address = server.endpoints.authorize_url
    return f"{address}{'&' if urlsplit(address).query else '?'}{urlencode(asked)}"


async def _take_answer(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, state: str, answered: "asyncio.Future[dict[str, str]]"
) -> None:
    """Take what a browser is sent back with (RFC 6749 section 4.1.2); whatever has not our `state` changes nothing."""
    with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
        head = await reader.readuntil(b"\r\n\r\n")
        query = urlsplit(head.split()[1].decode("ascii")).query
        answer = {name: values[0] for name, values in parse_qs(query).items()}
        is_ours = answer.get("state") == state
        words = "You can close this page and go back to the terminal." if is_ours else "This is no answer to Podium."
        status = "200 OK" if is_ours else "404 Not Found"
        page = f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n{words}\n"
        writer.write(page.encode("ascii"))
        await writer.drain()
        if is_ours and not answered.done():
            answered.set_result(answer)
    writer.close()
