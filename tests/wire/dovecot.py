"""Dovecot, from Debian's packages, for one test: started unprivileged in a folder of its own, delivered to by LMTP.

Anybody may ask its `run/auth-client` who may log in, as Postfix does.
"""

import contextlib
import grp
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from tests.patience import SECONDS
from tests.ports import free_ports

PASSWORD = 'pass"word\\1'
ADDRESS = "games@example.org"

SETTINGS_2_3 = """
protocols = imap lmtp
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
first_valid_gid = 1
ssl = yes
ssl_cert = <{folder}/certificate.pem
ssl_key = <{folder}/key.pem
disable_plaintext_auth = no
auth_failure_delay = 0
recipient_delimiter = +
lmtp_save_to_detail_mailbox = no
mail_location = maildir:~/Maildir
mail_max_userip_connections = 50
listen = 127.0.0.1
namespace inbox {{
  inbox = yes
  mailbox Junk {{
    auto = create
    special_use = \\Junk
  }}
}}
passdb {{
  driver = passwd-file
  args = {folder}/users
}}
userdb {{
  driver = passwd-file
  args = {folder}/users
}}
service auth {{
  unix_listener auth-client {{
    mode = 0666
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap_port}
  }}
  inet_listener imaps {{
    port = {imaps_port}
    ssl = yes
  }}
}}
service lmtp {{
  chroot =
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp_port}
  }}
}}
service stats {{
  chroot =
}}
"""

SETTINGS_2_4 = """
dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
protocols {{
  imap = yes
  lmtp = yes
}}
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
first_valid_gid = 1
ssl = yes
ssl_server_cert_file = {folder}/certificate.pem
ssl_server_key_file = {folder}/key.pem
auth_allow_cleartext = yes
auth_failure_delay = 0
recipient_delimiter = +
mail_driver = maildir
mail_path = ~/Maildir
listen = 127.0.0.1
namespace inbox {{
  inbox = yes
  mailbox Junk {{
    auto = create
    special_use = \\Junk
  }}
}}
passdb passwd-file {{
  passwd_file_path = {folder}/users
}}
userdb passwd-file {{
  passwd_file_path = {folder}/users
}}
service auth {{
  unix_listener auth-client {{
    mode = 0666
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap_port}
  }}
  inet_listener imaps {{
    port = {imaps_port}
    ssl = yes
  }}
}}
service lmtp {{
  chroot =
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp_port}
  }}
}}
service stats {{
  chroot =
}}
"""


OAUTH_2_3 = """
auth_mechanisms = plain login xoauth2
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {folder}/oauth
}}
"""
OAUTH_FILE_2_3 = """
introspection_mode = post
introspection_url = {url}
username_attribute = username
active_attribute = active
active_value = true
"""
OAUTH_2_4 = """
auth_mechanisms = plain login xoauth2
oauth2 {{
  introspection_mode = post
  introspection_url = {url}
  username_attribute = username
  active_attribute = active
  active_value = true
}}
"""

QUOTA_2_3 = """
mail_plugins = quota
protocol imap {{
  mail_plugins = quota imap_quota
}}
plugin {{
  quota = maildir:User quota
  quota_rule = *:storage={kilobytes}K
}}
"""
QUOTA_2_4 = """
mail_plugins {{
  quota = yes
}}
protocol imap {{
  mail_plugins {{
    quota = yes
    imap_quota = yes
  }}
}}
quota "User quota" {{
  driver = maildir
  storage_size = {kilobytes}K
}}
"""


@dataclass
class Dovecot:
    folder: Path
    imap_port: int
    imaps_port: int
    lmtp_port: int
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        command = [binary(), "-F", "-c", str(self.folder / "dovecot.conf")]
        kwargs: dict[str, object] = {}
        if os.getuid() == 0:
            nobody = pwd.getpwnam("nobody")
            kwargs = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        output = (self.folder / "output").open("ab")
        self.process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True, **kwargs)  # type: ignore[call-overload]
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                for port in (self.imap_port, self.lmtp_port):
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            time.sleep(0.05)
        raise RuntimeError((self.folder / "output").read_text() + (self.folder / "log").read_text())

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(SECONDS)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)  # connections that it left to finish
            self.process = None


def binary() -> str:
    found = shutil.which("dovecot") or "/usr/sbin/dovecot"
    if not Path(found).exists():
        raise RuntimeError(
            "Dovecot is not installed: apt-get install dovecot-imapd dovecot-lmtpd, or make test WITHOUT=dovecot"
        )
    return found


def _make_certificate(folder: Path) -> None:
    """A certificate for localhost that nobody but the test trusts."""
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names, *files]
    subprocess.run(command, check=True, capture_output=True)


def make(folder: Path, introspection_url: str = "", quota_kilobytes: int = 0) -> Dovecot:
    """A Dovecot in `folder`, not started yet, with the one user of the host.

    With `introspection_url` it also takes access tokens, by XOAUTH2; with `quota_kilobytes` the mailbox is limited.
    """
    folder.mkdir(parents=True)
    account = pwd.getpwnam("nobody") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
    group = grp.getgrgid(account.pw_gid).gr_name
    home = folder / "home"
    home.mkdir()
    imap, imaps, lmtp = free_ports(3)
    server = Dovecot(folder, imap, imaps, lmtp)
    version = subprocess.run([binary(), "--version"], capture_output=True, text=True, check=True).stdout
    is_old = version.startswith("2.3")
    text = (SETTINGS_2_3 if is_old else SETTINGS_2_4).format(
        folder=folder,
        user=account.pw_name,
        group=group,
        imap_port=server.imap_port,
        imaps_port=server.imaps_port,
        lmtp_port=server.lmtp_port,
    )
    if introspection_url:
        text += (OAUTH_2_3 if is_old else OAUTH_2_4).format(folder=folder, url=introspection_url)
        (folder / "oauth").write_text(OAUTH_FILE_2_3.format(url=introspection_url))
    if quota_kilobytes:
        text += (QUOTA_2_3 if is_old else QUOTA_2_4).format(kilobytes=quota_kilobytes)
    (folder / "dovecot.conf").write_text(text)
    _make_certificate(folder)
    (folder / "users").write_text(f"{ADDRESS}:{{PLAIN}}{PASSWORD}:{account.pw_uid}:{account.pw_gid}::{home}\n")
    if os.getuid() == 0:
        for each in (folder, *folder.rglob("*")):
            os.chown(each, account.pw_uid, account.pw_gid)
        for parent in folder.parents:
            if parent.stat().st_uid == 0 and parent != Path("/") and parent.name.startswith("pytest"):
                parent.chmod(0o755)
    return server
