"""Edge: a small mail server on loopback. In: mail by SMTP. Out: the host's mailbox by IMAP, everybody else's mail to a callback.

pymap serves IMAP, aiosmtpd takes SMTP; both run in this process and forget everything when it ends. pymap is an extra of
the package and is imported when it is needed.
"""

import asyncio
from argparse import Namespace
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from aiosmtpd.smtp import SMTP, Envelope, Session

from host.daemon.main import now

if TYPE_CHECKING:
    from pymap.backend.dict import DictBackend

ADDRESS = "games@example.org"
PASSWORD = "loopback"  # noqa: S105 - the demo's own server, on loopback, for as long as it runs

Deliver = Callable[[str, bytes], Awaitable[None]]


def is_host(address: str) -> bool:
    """Is this the host's address, plain or with a token behind a plus?"""
    user, _, domain = address.lower().rpartition("@")
    return f"{user.partition('+')[0]}@{domain}" == ADDRESS


class DemoServer:
    """Both servers. `deliver` gets every mail for an address that is not the host's: (recipient, raw)."""

    def __init__(self, deliver: Deliver, imap_port: int = 0) -> None:
        self.deliver = deliver
        self._wanted_port = imap_port
        self._servers: list[asyncio.Server] = []
        self._backend: DictBackend
        self.imap_port = self.smtp_port = 0

    async def start(self) -> None:
        """Listen on loopback; ports the system chooses, unless one was given for IMAP."""
        from proxyprotocol.reader import ProxyProtocolReader
        from pymap.backend.dict import DictBackend
        from pymap.imap import IMAPServer

        arguments = Namespace(
            debug=False,
            host="127.0.0.1",
            port=0,
            tls=False,
            demo_data=False,
            demo_user=ADDRESS,
            demo_password=PASSWORD,
            **dict.fromkeys(("cert", "key", "proxy_protocol", "passlib_cfg", "inherited_sockets")),
        )
        self._backend, config = await DictBackend.init(arguments, invalid_user_sleep=0.0)
        config.apply_context()
        reader = ProxyProtocolReader(config.proxy_protocol)
        callback = reader.get_callback(IMAPServer(self._backend.login, config))
        imap = await asyncio.start_server(callback, "127.0.0.1", self._wanted_port)
        loop = asyncio.get_running_loop()
        smtp = await loop.create_server(lambda: SMTP(self, enable_SMTPUTF8=True, loop=loop), "127.0.0.1", 0)
        self._servers = [imap, smtp]
        self.imap_port, self.smtp_port = (server.sockets[0].getsockname()[1] for server in self._servers)

    async def stop(self) -> None:
        """Stop listening."""
        for server in self._servers:
            server.close()

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        """Deliver one mail (aiosmtpd's hook)."""
        content = envelope.content
        raw = content if isinstance(content, bytes) else (content or "").encode()
        for recipient in envelope.rcpt_tos:
            if is_host(recipient):
                await self._append(f"Delivered-To: {recipient}\r\n".encode() + raw)
            else:
                await self.deliver(recipient.lower(), raw)
        return "250 delivered"

    async def _append(self, raw: bytes) -> None:
        from pymap.parsing.message import AppendMessage

        async with self._backend.login.demo_user_identity.new_session() as session:
            inbox = await session.mailbox_set.get_mailbox("INBOX")
            await inbox.append(AppendMessage(raw, now(), frozenset()), recent=True)
