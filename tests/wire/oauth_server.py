"""A provider on loopback for OAuth2 tests: an authorization server, and an SMTP server that takes its tokens."""

import base64
import hashlib
import itertools
import json
import threading
import time
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

from tests.ports import free_port
from tests.smtp_server import Handler

DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
CLIENT, SECRET = "podium-client", "client secret/1"


class Provider:
    """RFC 6749, 7636, 7662, 8628. `polls` are the errors that a device is told before its code is good."""

    def __init__(self, user: str) -> None:
        self.user = user
        self.life: float = 3600
        self.rotates = True
        self.fault = ""
        self.consents = True
        self.polls: list[str] = []
        self.device_life: float = 60
        self.refresh_tokens: set[str] = set()
        self.access_tokens: dict[str, float] = {}
        self.codes: dict[str, dict[str, str]] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.numbers = itertools.count(1)
        self.stopped = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (_Requests,), {"provider": self}))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def stop(self) -> None:
        self.stopped.set()
        self._server.shutdown()
        self._server.server_close()

    def settings(self, **changes: Any) -> dict[str, Any]:
        """The [oauth] section that leads here."""
        own = {"provider": "other", "client_id": CLIENT, "client_secret": SECRET, "scopes": ["mail", "offline_access"]}
        paths = {f"{name}_url": f"{self.url}/{name}" for name in ("device", "authorize", "token")}
        return own | paths | changes

    def grant(self) -> dict[str, Any]:
        """A fresh grant, as the token endpoint answers it."""
        number = next(self.numbers)
        access, refresh = f"access-{number}", f"refresh-{number}"
        self.access_tokens[access] = time.monotonic() + self.life
        self.refresh_tokens.add(refresh)
        return {"token_type": "Bearer", "access_token": access, "refresh_token": refresh, "expires_in": self.life}

    def revoke_access(self) -> None:
        """No access token is good any more, before its time."""
        self.access_tokens.clear()

    def grants(self) -> list[str]:
        """The kinds of grants that the token endpoint was asked for, in order."""
        return [form.get("grant_type", "") for path, form in list(self.asked) if path == "/token"]

    def is_good(self, access_token: str) -> bool:
        return self.access_tokens.get(access_token, 0.0) > time.monotonic()

    def device(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        assert form["scope"] == "mail offline_access"
        codes = {"device_code": "device-1", "user_code": "ABCD-EFGH", "verification_uri": "https://example.org/device"}
        return 200, codes | {"interval": 0.05, "expires_in": self.device_life}

    def token(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        kind = form.get("grant_type")
        if kind == DEVICE_GRANT and form.get("device_code") == "device-1":
            return (400, {"error": self.polls.pop(0)}) if self.polls else (200, self.grant())
        if kind == "authorization_code":
            asked = self.codes.pop(form.get("code", ""), None)
            digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            if asked and challenge == asked["code_challenge"] and form.get("redirect_uri") == asked["redirect_uri"]:
                return 200, self.grant()
        if kind == "refresh_token" and form.get("refresh_token") in self.refresh_tokens:
            answer = self.grant()
            if self.rotates:
                self.refresh_tokens.discard(form["refresh_token"])
            else:
                self.refresh_tokens.discard(answer.pop("refresh_token"))
            return 200, answer
        return 400, {"error": "invalid_grant", "error_description": "Token has been expired or revoked."}

    def authorize(self, form: dict[str, str]) -> str:
        """The address that the browser is sent back to."""
        answer = {"state": form["state"]}
        if self.consents:
            answer["code"] = f"code-{next(self.numbers)}"
            self.codes[answer["code"]] = form
        else:
            answer |= {"error": "access_denied"}
        return f"{form['redirect_uri']}?{urlencode(answer)}"

    def introspect(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        if self.is_good(form.get("token", "")):
            return 200, {"active": True, "username": self.user, "scope": "mail"}
        return 200, {"active": False}


class _Requests(BaseHTTPRequestHandler):
    provider: Provider

    def do_GET(self) -> None:
        self._answer(urlsplit(self.path).query)

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode())

    def _answer(self, text: str) -> None:
        provider, path = self.provider, urlsplit(self.path).path
        form = {name: values[0] for name, values in parse_qs(text).items()}
        provider.asked.append((path, form))
        if provider.fault and path != "/introspect":
            if provider.fault == "hang":
                self.close_connection = True
                provider.stopped.wait(30)
                return None
            return self._say(int(provider.fault), b"<html>out of order</html>", "text/html")
        if path == "/authorize":
            self.send_response(302)
            self.send_header("Location", provider.authorize(form))
            self.send_header("Content-Length", "0")
            return self.end_headers()
        if path in ("/device", "/token") and not self._is_client(form):
            status, held = 401, {"error": "invalid_client", "error_description": "Who are you?"}
        else:
            status, held = {"/device": provider.device, "/token": provider.token, "/introspect": provider.introspect}[
                path
            ](form)
        return self._say(status, json.dumps(held).encode(), "application/json")

    def _is_client(self, form: dict[str, str]) -> bool:
        basic = base64.b64encode(f"{CLIENT}:{SECRET.replace(' ', '%20').replace('/', '%2F')}".encode()).decode()
        is_basic = self.headers.get("Authorization") == f"Basic {basic}"
        return form.get("client_id") == CLIENT and (is_basic or form.get("client_secret") == SECRET)

    def _say(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class XOAuth2Handler(Handler):
    """Takes mail from the host's address only after XOAUTH2; `logins` are the tokens that were accepted."""

    def __init__(self, provider: Provider, folder: Path, lmtp_port: int, address: str) -> None:
        super().__init__(folder, lmtp_port, address)
        self.provider, self.address = provider, address
        self.logins: list[str] = []

    async def auth_XOAUTH2(self, server: SMTP, arguments: list[str]) -> AuthResult:  # noqa: N802
        user, bearer, *rest = base64.b64decode(arguments[1]).decode().split("\1")
        token = bearer.removeprefix("auth=Bearer ")
        if user == f"user={self.provider.user}" and rest == ["", ""] and self.provider.is_good(token):
            self.logins.append(token)
            return AuthResult(success=True)
        await server.challenge_auth('{"status":"401"}')
        return AuthResult(success=False, handled=False)

    async def handle_MAIL(  # noqa: N802
        self, _server: SMTP, session: Session, envelope: Envelope, address: str, options: Iterable[str]
    ) -> str:
        if address == self.address and not session.authenticated:
            return "530 5.7.0 log in first"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"


def smtp_server(handler: XOAuth2Handler) -> Controller:
    """That SMTP server, in a thread of its own, not started yet."""
    return Controller(handler, hostname="127.0.0.1", port=free_port(), enable_SMTPUTF8=True, auth_require_tls=False)
