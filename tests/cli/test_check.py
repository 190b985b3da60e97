"""`podium check` where no server answers: what it says of files that others on the machine can read."""

import os
from pathlib import Path

import pytest

from host.cli.check import check
from host.cli.terminal import SLUGS
from host.store.database import open_store
from tests.ports import free_port

SETTINGS = """
[host]
address = "games@example.org"
[imap]
host = "127.0.0.1"
port = {port}
security = "none"
username = "games@example.org"
{imap}
[smtp]
host = "127.0.0.1"
port = {port}
security = "none"
{more}
"""


async def notes(folder: Path, imap: str = "", more: str = "") -> list[str]:
    file = folder / "podium.toml"
    text = SETTINGS.format(port=free_port(), imap=imap, more=more)
    if not file.exists() or file.read_text() != text:
        file.write_text(text)
    found = await check(file, SLUGS)
    return [each.words for each in found if each.is_good is None]


@pytest.fixture(autouse=True)
def _usual_umask() -> object:
    before = os.umask(0o022)
    yield
    os.umask(before)


async def test_what_podium_makes_and_a_file_without_secrets_need_no_word(tmp_path: Path) -> None:
    assert await notes(tmp_path) == []
    assert (tmp_path / "podium.db").exists()


async def test_a_database_that_everybody_can_read_is_told_with_what_lies_beside_it(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'podium.db'}")
    with store.transaction() as session:
        session.connection().exec_driver_sql("CREATE TABLE more (word TEXT)")
    names = ("podium.db", "podium.db-shm", "podium.db-wal")
    for name in names:
        (tmp_path / name).chmod(0o644)
    words = await notes(tmp_path)
    assert [each.partition("chmod")[2] for each in words] == [f" 600 {tmp_path / name}" for name in names]
    for name in names:
        (tmp_path / name).chmod(0o640)
    assert await notes(tmp_path) == [], "a group was meant"
    store.close()


async def test_a_configuration_with_a_password_is_told_until_it_is_closed(tmp_path: Path) -> None:
    (word,) = await notes(tmp_path, imap='password = "secret"')
    assert "podium.toml is open to everybody" in word
    assert word.endswith(f"chmod 600 {tmp_path / 'podium.toml'}")
    assert "secret" not in word


async def test_a_file_that_is_named_for_a_secret_is_told(tmp_path: Path) -> None:
    secret = tmp_path / "the password"
    secret.write_text("x")
    (word,) = await notes(tmp_path, imap='password_file = "the password"')
    assert word.endswith(f"chmod 600 '{secret}'")
    secret.chmod(0o600)
    assert await notes(tmp_path, imap='password_file = "the password"') == []
    more = '[oauth]\nprovider = "google"\nclient_id = "x"\nclient_secret_file = "client"\ntoken_file = "token"'
    for name in ("client", "token"):
        (tmp_path / name).write_text("{}")
    assert [each.rpartition("/")[2] for each in await notes(tmp_path, more=more)] == ["client", "token"]


async def test_the_second_reader_is_tried_where_there_is_one(tmp_path: Path) -> None:
    file = tmp_path / "podium.toml"
    port = free_port()
    file.write_text(SETTINGS.format(port=port, imap="", more=""))
    assert not [each for each in await check(file, SLUGS) if each.words.startswith("reader")]
    reader = f'[reader]\nurl = "http://127.0.0.1:{port}/v1"\nmodel = "tiny"'
    file.write_text(SETTINGS.format(port=port, imap="", more=reader))
    (found,) = [each for each in await check(file, SLUGS) if each.words.startswith("reader")]
    assert found.is_good is False
    assert found.words.startswith(f"reader: http://127.0.0.1:{port}/v1: it cannot be reached")
    assert found.words.endswith("letters go out as without it; check [reader]")


async def test_a_host_whose_mail_comes_by_lmtp_has_no_mailbox_to_be_looked_at(tmp_path: Path) -> None:
    text = SETTINGS.format(port=free_port(), imap="", more=f'[lmtp]\nlisten = "127.0.0.1:{free_port()}"')
    head, _, rest = text.partition("[imap]")
    (tmp_path / "podium.toml").write_text(head + "[smtp]" + rest.partition("[smtp]")[2])
    found = await check(tmp_path / "podium.toml", SLUGS)
    assert not [each for each in found if each.words.startswith("imap")]
    assert any("podium run takes mail by LMTP at 127.0.0.1:" in each.words for each in found)
