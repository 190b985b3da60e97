"""A real SMTP server in a process of its own: the host's mail goes on to Dovecot by LMTP, all other mail into a folder.

    python tests/smtp_server.py STARTED_FILE FOLDER LMTP_PORT ADDRESS PORT

A file `fault` in FOLDER makes it misbehave: its text (such as `451 try later`) answers DATA; `hang` never answers.
`fault-ann@example.net` does so for letters to that address.
With `certificate.pem` and `key.pem` in FOLDER at the start it speaks TLS from the first byte. Any login is let in.
"""

import asyncio
import itertools
import os
import smtplib
import ssl
import sys
from pathlib import Path

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session


class Handler:
    def __init__(self, folder: Path, lmtp_port: int, address: str) -> None:
        self.folder, self.lmtp_port = folder, lmtp_port
        self.user, _, self.domain = address.partition("@")
        self.numbers = itertools.count(1)

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        for fault in (self.folder / "fault", *(self.folder / f"fault-{address}" for address in envelope.rcpt_tos)):
            if fault.exists():
                said = fault.read_text().strip()
                if said == "hang":
                    (self.folder / "hanging").touch()
                    await asyncio.sleep(3600)
                return said
        raw = envelope.content if isinstance(envelope.content, bytes) else str(envelope.content).encode()
        for recipient in envelope.rcpt_tos:
            user, _, domain = recipient.partition("@")
            if user.partition("+")[0] == self.user and domain == self.domain:
                await asyncio.to_thread(self._to_dovecot, envelope.mail_from or "", recipient, raw)
            else:
                self._keep(recipient, raw)
        return "250 delivered"

    def _to_dovecot(self, sender: str, recipient: str, raw: bytes) -> None:
        with smtplib.LMTP("127.0.0.1", self.lmtp_port) as lmtp:
            lmtp.sendmail(sender, [recipient], raw)

    def _keep(self, recipient: str, raw: bytes) -> None:
        name = f"{next(self.numbers):06d}-{os.getpid()}-{recipient}.eml"
        part = self.folder / f"{name}.part"
        part.write_bytes(raw)
        part.rename(self.folder / name)


def _tls(folder: Path) -> ssl.SSLContext | None:
    if not (folder / "certificate.pem").exists():
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    return context


def _anybody(*_: object) -> AuthResult:
    return AuthResult(success=True)


async def serve(started_file: Path, folder: Path, lmtp_port: int, address: str, port: int) -> None:
    handler = Handler(folder, lmtp_port, address)
    loop = asyncio.get_running_loop()

    def made() -> SMTP:
        return SMTP(handler, enable_SMTPUTF8=True, auth_require_tls=False, authenticator=_anybody, loop=loop)

    server = await loop.create_server(made, "127.0.0.1", port, ssl=_tls(folder))
    started_file.touch()
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4], int(sys.argv[5])))
