"""Postfix, from Debian's packages, for one test: an instance in a folder of its own, whatever else the machine runs."""

import json
import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.patience import SECONDS
from tests.ports import free_ports
from tests.wire.dovecot import ADDRESS, Dovecot

DOMAIN = ADDRESS.partition("@")[2]

MAIN = f"""
compatibility_level = 3.6
queue_directory = {{folder}}/queue
data_directory = {{folder}}/data
maillog_file = {{folder}}/log
maillog_file_prefixes = {{folder}}
mail_owner = postfix
setgid_group = postdrop
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.{DOMAIN}
mynetworks =
alias_database =
smtpd_peername_lookup = no
smtp_dns_support_level = disabled
relayhost = [127.0.0.1]:{{relay_port}}
smtpd_tls_cert_file = {{dovecot}}/certificate.pem
smtpd_tls_key_file = {{dovecot}}/key.pem
smtpd_sasl_type = dovecot
smtpd_sasl_path = {{dovecot}}/run/auth-client
smtpd_sender_login_maps = inline:{{{{ {{{{{ADDRESS} = {ADDRESS}}}}} }}}}
"""

MASTER = """
127.0.0.1:{mx_port} inet n - n - - smtpd
127.0.0.1:{starttls_port} inet n - n - - smtpd
  -o smtpd_tls_security_level=encrypt
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_sender_restrictions=reject_sender_login_mismatch
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
127.0.0.1:{tls_port} inet n - n - - smtpd
  -o smtpd_tls_wrappermode=yes
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_sender_restrictions=reject_sender_login_mismatch
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
lmtp unix - - n - - lmtp
error unix - - n - - error
retry unix - - n - - error
flush unix n - n 1000? 0 flush
showq unix n - n - - showq
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


@dataclass
class Postfix:
    """Mail from elsewhere comes to `mx_port`; whoever logs in sends by `starttls_port` or `tls_port`."""

    folder: Path
    mx_port: int
    starttls_port: int
    tls_port: int

    @property
    def settings(self) -> Path:
        """What is /etc/postfix elsewhere."""
        return self.folder / "etc"

    def start(self) -> None:
        self._run("postfix", "start")

    def stop(self) -> None:
        """End it; `postfix stop` looks once a second whether it has ended."""
        self._run("postfix", "abort")
        deadline = time.monotonic() + SECONDS
        while self.is_running():
            assert time.monotonic() < deadline, "Postfix does not end"
            time.sleep(0.02)

    def is_running(self) -> bool:
        command = [binary("postfix"), "-c", str(self.settings), "status"]
        return subprocess.run(command, capture_output=True, timeout=SECONDS).returncode == 0

    def flush(self) -> None:
        """Have everything tried again that waits."""
        self._run("postqueue", "-f")

    def queue(self) -> list[dict[str, Any]]:
        """The mails that are not delivered, as `postqueue` tells them."""
        return [json.loads(line) for line in self._run("postqueue", "-j").splitlines()]

    def log(self) -> str:
        return (self.folder / "log").read_text()

    def _run(self, name: str, *arguments: str) -> str:
        command = [binary(name), "-c", str(self.settings), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}: {done.stdout}{done.stderr}{self.log()}")
        return done.stdout


def binary(name: str) -> str:
    found = shutil.which(name) or f"/usr/sbin/{name}"
    if not Path(found).exists():
        raise RuntimeError("Postfix is not installed: apt-get install postfix, or make test WITHOUT=postfix")
    return found


def make(folder: Path, dovecot: Dovecot, relay_port: int, main: str, master: str = "", transport: str = "") -> Postfix:
    """A Postfix in `folder`, not started yet, that asks `dovecot` who may send and has all other mail relayed.

    `main`, `master` and `transport` are lines more for these files, with /etc/postfix where the folder's own is meant.
    """
    server = Postfix(folder, *free_ports(3))
    server.settings.mkdir(parents=True)
    (folder / "queue").mkdir()
    (folder / "data").mkdir()
    shutil.chown(folder / "data", "postfix")
    (folder / "log").touch()
    own, file = str(server.settings), server.settings / "main.cf"
    text = MAIN.format(folder=folder, relay_port=relay_port, dovecot=dovecot.folder)
    file.write_text(text + main.replace("/etc/postfix", own))
    os.utime(file, (0, 0))  # Postfix does not read what was written less than two seconds ago
    ports = {"mx_port": server.mx_port, "starttls_port": server.starttls_port, "tls_port": server.tls_port}
    (server.settings / "master.cf").write_text(MASTER.format(**ports) + master)
    if transport:
        table = server.settings / "transport"
        table.write_text(transport)
        subprocess.run([binary("postmap"), "-c", own, f"hash:{table}"], check=True, timeout=SECONDS)
    return server


def may_start() -> bool:
    """Its master hands each service the rights it needs, which takes root."""
    return os.getuid() == 0
