"""The desk behind nginx, with the lines that docs/operations.md has for it."""

import os
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import httpx
import pytest

from host.table.work import begin
from host.turn.login import make_link
from host.web.app import web_app
from tests.patience import SECONDS, wait_until
from tests.size import a_few
from tests.turn.desk import OPERATOR
from tests.web.browser import free_port, serving
from tests.web.house import House

OPERATIONS = Path(__file__).parents[2] / "docs" / "operations.md"
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
WORKER = "user root;\n" if os.getuid() == 0 else ""  # who else could not write into a test's folder
FORM = re.compile(r'name="(\w+)" value="([^"]*)"')

pytestmark = pytest.mark.nginx


def blocks() -> list[str]:
    """What the page has for nginx: a server, and a location under a path."""
    section = OPERATIONS.read_text("utf-8").partition("\n## A reverse proxy\n")[2].partition("\n## ")[0]
    found = [dedent(each).lstrip() for each in re.findall(r"(?:^    .*\n|^\n(?=    ))+", section, re.MULTILINE)]
    return [each for each in found if "proxy_pass" in each]


@dataclass
class Behind:
    """A house behind nginx: who asks it from outside, and the path of a way in."""

    house: House
    client: httpx.Client
    origin: str
    path: str

    def log_in(self) -> httpx.Response:
        with begin(self.house.desk.services, self.house.desk.now) as work:
            link = make_link(work, OPERATOR)
        assert link.startswith(f"{self.origin}{self.path}desk/login/")
        return self.post(link.removeprefix(self.origin), {})

    def post(
        self, path: str, data: dict[str, str], origin: str = "", files: dict[str, bytes] | None = None
    ) -> httpx.Response:
        return self.client.post(path, data=data, files=files, headers={"Origin": origin or self.origin})


@contextmanager
def behind_nginx(folder: Path, certificate: tuple[Path, Path], url: str, server: str) -> Iterator[Behind]:
    """A house that says it is at `url`, behind nginx with this `server` block; where it listens stands in for the page's."""
    inside, outside = free_port(), free_port()
    origin, _, path = re.fullmatch(r"(https://([^/]+))(.*)", url).groups()  # type: ignore[union-attr]
    server = server.replace("127.0.0.1:8025", f"127.0.0.1:{inside}").replace("443 ssl", f"127.0.0.1:{outside} ssl")
    server = re.sub(r"/etc/\S+fullchain.pem", str(certificate[0]), server)
    server = re.sub(r"/etc/\S+privkey.pem", str(certificate[1]), server)
    paths = "".join(f"{each}_temp_path {folder};\n" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    file = folder / "nginx.conf"
    file.write_text(
        f"daemon off;\n{WORKER}pid {folder}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{server}}}\n"
    )
    house = House(folder, web={"listen": f"127.0.0.1:{inside}", "url": url})
    house.begin_all()
    trusted = ssl.create_default_context(cafile=str(certificate[0]))
    trusted.check_hostname = False  # the connection goes to this machine, and the name is in Host
    nginx = subprocess.Popen([NGINX, "-c", str(file), "-e", str(folder / "log")])
    try:
        with serving(web_app(house.web), inside), httpx.Client(verify=trusted, timeout=SECONDS) as client:
            client.base_url = httpx.URL(f"https://127.0.0.1:{outside}")
            client.headers["Host"] = origin.removeprefix("https://")
            _wait_for(client, path)
            yield Behind(house, client, origin, f"{path}/")
    finally:
        nginx.terminate()
        nginx.wait()
        house.desk.store.close()


def _wait_for(client: httpx.Client, path: str) -> None:
    def answers() -> bool:
        try:
            return client.get(f"{path}/desk/login/").status_code == 200
        except httpx.ConnectError:
            return False

    wait_until(answers, "nginx")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """One of our own making."""
    folder = tmp_path_factory.mktemp("certificate")
    made = folder / "certificate.pem", folder / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-days", "2", "-subj", "/CN=games.example.org", "-out", str(made[0]), "-keyout", str(made[1])]
    subprocess.run(command, check=True, capture_output=True)
    return made


@pytest.fixture(scope="module", params=a_few(["a path", "its own name"]))
def behind(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, certificate: tuple[Path, Path]
) -> Iterator[Behind]:
    server, location = blocks()[0], next(each for each in blocks() if each.startswith("location /games/"))
    url = "https://games.example.org"
    if request.param == "a path":
        url = "https://example.org/games"
        start = server.index("    location /")
        server = f"{server[:start]}{location}}}\n".replace("games.example.org;", "example.org;")
    with behind_nginx(tmp_path_factory.mktemp("house"), certificate, url, server) as made:
        yield made


def test_the_desk_is_worked_through_nginx(behind: Behind) -> None:
    path, client = behind.path, behind.client
    shut = client.get(f"{path}desk/")
    assert (shut.status_code, str(shut.next_request.url.path if shut.next_request else "")) == (
        303,
        f"{path}desk/login/",
    )
    way_in = behind.log_in()
    assert way_in.status_code == 303
    assert "Secure" in way_in.headers["set-cookie"]
    desk = client.get(f"{path}desk/")
    assert desk.status_code == 200
    assert "default-src 'none'" in desk.headers["content-security-policy"]
    assert desk.headers["cache-control"] == "no-store"
    style = re.search(r'rel="stylesheet" href="([^"]+)"', desk.text)
    assert style
    assert client.get(f"{path}desk/{style[1]}").headers["content-type"].startswith("text/css")

    question = {"command": "pause", "asked": "1", "code": "CC-1"}
    asked = client.get(f"{path}desk/confirm/", params=question, follow_redirects=True)
    fields = dict(FORM.findall(asked.text.partition("Yes, do it")[0]))
    assert behind.post(f"{path}desk/do/", fields, origin="https://elsewhere.example").status_code == 403
    done = behind.post(f"{path}desk/do/", fields)
    assert done.status_code == 303
    assert done.next_request is not None
    assert "CC-1 is paused" in client.get(done.next_request.url.raw_path.decode()).text
    assert behind.post(f"{path}desk/do/", fields).status_code == 409


def test_what_is_asked_through_nginx_comes_from_elsewhere(behind: Behind) -> None:
    assert behind.client.get(f"{behind.path}metrics").status_code == 404
    assert behind.client.get(f"{behind.path}desk/episodes").headers["location"].endswith("episodes/")


def test_a_question_bank_goes_through_nginx_up_to_2_mb(behind: Behind) -> None:
    behind.log_in()
    path = f"{behind.path}desk/bank/import/"
    too_much = behind.post(path, {}, files={"file": b"#" * 3_000_000})
    assert too_much.status_code == 413
    enough = behind.post(path, {"form": "none of ours"}, files={"file": b"#" * 1_900_000})
    assert enough.status_code in (400, 403)
