"""The configuration: the example names every key, the environment lies over the file, a bad value gives one sentence."""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from host import __version__
from host.config import Config, ConfigError, GameSettings, OAuth, build, load, read_duration
from host.games import GAMES
from tests.rows import every

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "config.example.toml"
SLUGS = {slug: game.seats for slug, game in GAMES.items()} | {"split-decision": (4,)}
LEAST = """
[host]
address = "games@example.org"
[imap]
host = "imap.example.org"
username = "games@example.org"
[smtp]
host = "smtp.example.org"
"""


def built(more: str = "", folder: Path = Path("/etc"), environment: Mapping[str, str] | None = None) -> Config:
    return build(tomllib.loads(LEAST + more), environment or {}, folder / "podium.toml", SLUGS)


def with_value(section: str, key: str, value: Any, **environment: str) -> Config:
    data = tomllib.loads(LEAST)
    part = data
    for name in section.split("."):
        part = part.setdefault(name, {})
    part[key] = value
    return build(data, environment, Path("/etc/podium.toml"), SLUGS)


def problem(section: str, key: str, value: Any) -> str:
    with pytest.raises(ConfigError) as caught:
        with_value(section, key, value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("host", "address", "games@ex\u00e4mple.org"),
        ("web", "url", "https://games.example.org:99999"),
        ("imap", "host", "imap..example.org"),
        ("smtp", "host", ".example.org"),
        ("imap", "port", True),
        ("imap", "password", "secret\nbackup codes"),
        ("imap", "password", "\u00fc\x00"),
        ("smtp", "username", "a\r\nb"),
        ("database", "url", "sqlite:///x.db?timeout=abc"),
    ],
)
def test_what_no_mail_or_browser_could_use_is_refused(section: str, key: str, value: str) -> None:
    assert f"{section}.{key}" in problem(section, key, value)


# The example


def model_keys(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        kind = OAuth if name == "oauth" else field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from model_keys(kind, f"{prefix}{name}.")
        elif name == "games":
            yield from model_keys(GameSettings, "games.champ-cards.")
        else:
            yield prefix + name


def example_keys() -> list[str]:
    """The keys in the example, commented ones too."""
    found, section = [], ""
    for line in EXAMPLE.read_text("utf-8").splitlines():
        if head := re.match(r"(?:# )?\[([\w.-]+)\]", line):
            section = head[1]
        elif key := re.match(r"(?:# )?(\w+) = ", line):
            found.append(f"{section}.{key[1]}")
    return found


def test_the_example_names_every_key_once() -> None:
    assert sorted(example_keys()) == sorted(model_keys(Config))


def test_the_example_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("PODIUM_")]:
        monkeypatch.delenv(name)
    config = load(EXAMPLE, SLUGS)
    assert config.host.name == "The Millionaire"
    assert config.games["champ-cards"].seats == 2
    assert config.reply_within("champ-cards") == timedelta(days=2)


def test_the_example_loads_with_its_comments_undone() -> None:
    text = re.sub(r"^# (?=\w+ = |\[oauth\])", "", EXAMPLE.read_text("utf-8"), flags=re.MULTILINE)
    data = tomllib.loads(text)
    data["imap"]["password"] = data["smtp"]["password"] = data["oauth"]["client_secret"] = "secret"
    del data["look"]["logo"]  # it would have to be there
    assert build(data, {}, EXAMPLE, SLUGS).imap.password_file == Path("imap-password")


def test_defaults_are_those_that_the_example_tells() -> None:
    least, example = built(), build(tomllib.loads(EXAMPLE.read_text("utf-8")), {}, EXAMPLE, SLUGS)
    assert least.deadlines == example.deadlines
    assert least.security == example.security
    assert (least.imap.port, least.imap.security, least.imap.mailbox, least.imap.junk) == (993, "tls", "INBOX", "")
    assert (least.imap.poll_every, least.smtp.port, least.smtp.security) == (timedelta(seconds=60), 465, "tls")
    assert (least.host.name, least.host.operators, least.host.timezone) == ("The Millionaire", (), "UTC")
    assert least.smtp.username == ""
    assert least.games == {}


def test_passwords_are_not_shown() -> None:
    config = with_value("imap", "password", "geheim")
    assert config.imap.password == "geheim"
    assert "geheim" not in repr(config)


# The environment


@pytest.mark.parametrize(
    ("variable", "value", "path", "expected"),
    [
        ("PODIUM_IMAP__PASSWORD", "secret", "imap.password", "secret"),
        ("PODIUM_SMTP__PORT", "2525", "smtp.port", 2525),
        ("PODIUM_HOST__NAME", "Somebody", "host.name", "Somebody"),
        ("PODIUM_DEADLINES__REPLY_WITHIN", "30s", "deadlines.reply_within", timedelta(seconds=30)),
        ("PODIUM_SECURITY__PLUS_ADDRESSING", "false", "security.plus_addressing", False),
        ("PODIUM_DATABASE__URL", "postgresql://u:p@h/n", "database.url", "postgresql://u:p@h/n"),
    ],
)
def test_each_value_can_come_from_the_environment(variable: str, value: str, path: str, expected: object) -> None:
    found: Any = built(environment={variable: value})
    for name in path.split("."):
        found = getattr(found, name)
    assert found == expected


def test_the_environment_lies_over_the_file() -> None:
    assert with_value("imap", "port", 1, PODIUM_IMAP__PORT="2").imap.port == 2


@pytest.mark.parametrize("slug", list(SLUGS))
def test_hyphens_of_games_are_underscores(slug: str) -> None:
    name = slug.replace("-", "_").upper()
    config = built(environment={f"PODIUM_GAMES__{name}__REPLY_WITHIN": "15m", f"PODIUM_GAMES__{name}__START": "host"})
    assert config.games[slug].reply_within == timedelta(minutes=15)
    assert config.games[slug].start == "host"


def test_options_of_a_game_come_from_the_environment_too() -> None:
    start = "PODIUM_GAMES__BLUFFJACK__OPTIONS__"
    config = built(environment={f"{start}CHIPS": "100", f"{start}NO_HOUSE": "true", f"{start}OTHER": "12h"})
    assert config.games["bluffjack"].options == {"chips": 100, "no_house": True, "other": "12h"}


def test_it_lies_over_a_game_of_the_file() -> None:
    config = built("[games.champ-cards]\ntables = 2\n", environment={"PODIUM_GAMES__CHAMP_CARDS__SEATS": "2"})
    assert config.games["champ-cards"] == GameSettings(tables=2, seats=2)


def test_other_variables_are_left_alone() -> None:
    assert built() == built(
        environment={"PODIUM_CONFIG": "x", "PATH": "/bin", "PODIUM": "y", "XPODIUM_IMAP__PORT": "1"}
    )


@pytest.mark.parametrize(
    "variable", ["PODIUM_IMAP__PROT", "PODIUM_MAIL__HOST", "PODIUM_IMAP__HOST__NAME", "PODIUM_IMAP__"]
)
def test_a_variable_without_a_key_is_refused(variable: str) -> None:
    with pytest.raises(ConfigError):
        built(environment={variable: "5"})


def test_the_file_comes_from_the_environment_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(LEAST)
    monkeypatch.setenv("PODIUM_CONFIG", str(file))
    monkeypatch.setenv("PODIUM_HOST__NAME", "Somebody")
    assert load(None, SLUGS).host.name == "Somebody"
    monkeypatch.delenv("PODIUM_CONFIG")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=r"podium\.toml"):
        load(None, SLUGS)
    file.rename(tmp_path / "podium.toml")
    assert load(None, SLUGS).host.name == "Somebody"


# Bad values


@pytest.mark.parametrize(
    ("section", "key", "value", "told"),
    [
        ("host", "operators", "me@example.org", "host.operators: write a list in brackets"),
        ("deadlines", "reminders", "24h", "deadlines.reminders: write a list in brackets"),
        ("reader", "timeout", "3m", "reader.timeout: that is too long or too short"),
        ("security", "authserv_id", "a b", "security.authserv_id: it cannot be written so"),
    ],
)
def test_a_value_of_another_shape_says_what_to_write(section: str, key: str, value: object, told: str) -> None:
    assert told in problem(section, key, value)


@every(
    ("section", "key", "value"),
    [
        ("host", "address", "games"),
        ("host", "address", "Games <games@example.org>"),
        ("host", "address", "a@b@c"),
        ("host", "address", ""),
        ("host", "address", 5),
        ("host", "operators", ["me"]),
        ("host", "operators", ["games@example.org"]),
        ("host", "operators", "me@example.org"),
        ("host", "timezone", "Mars/Olympus"),
        ("host", "timezone", ""),
        ("host", "community", ""),
        ("host", "community", "a club: ours"),
        ("host", "community", "x" * 25),
        ("host", "timezone", "../etc"),
        ("host", "name", ""),
        ("host", "name", "two\nlines"),
        ("imap", "host", ""),
        ("imap", "port", 0),
        ("imap", "port", 65536),
        ("imap", "port", "many"),
        ("imap", "security", "ssl"),
        ("imap", "security", "none"),
        ("imap", "username", ""),
        ("imap", "mailbox", ""),
        ("imap", "poll_every", 60),
        ("smtp", "security", "none"),
        ("smtp", "port", -1),
        ("smtp", "connections", 0),
        ("smtp", "connections", 21),
        ("smtp", "connections", 2.0),
        ("database", "url", "mysql://x"),
        ("database", "url", "podium.db"),
        ("deadlines", "reply_within", "soon"),
        ("deadlines", "reply_within", "0s"),
        ("deadlines", "reply_within", 48),
        ("deadlines", "reply_within", "-2h"),
        ("deadlines", "reply_within", "1.5h"),
        ("deadlines", "reply_within", "9999999999999d"),
        ("deadlines", "reminders", "24h"),
        ("deadlines", "reminders", ["24"]),
        ("deadlines", "objection", ""),
        ("deadlines", "time_bank", "three days"),
        ("deadlines", "grace", 6),
        ("deadlines", "weekends", "sometimes"),
        ("deadlines", "holidays", ["Christmas"]),
        ("deadlines", "holidays", [20261225]),
        ("deadlines", "holidays", "2026-12-25"),
        ("security", "plus_addressing", "perhaps"),
        ("games.champ-cards", "seats", 0),
        ("games.champ-cards", "seats", 3),
        ("games.champ-cards", "tables", 0),
        ("games.champ-cards", "start", "never"),
        ("games.champ-cards", "starts", "weekly"),
        ("games.champ-cards", "options", []),
        ("games.champ-cards", "reply_within", "x"),
        ("games.chess", "tables", 1),
        ("host", "nmae", "x"),
        ("mail", "host", "x"),
    ],
)
def test_a_bad_value_gives_one_sentence_that_names_the_key(section: str, key: str, value: object) -> None:
    said = problem(section, key, value)
    assert said.startswith("/etc/podium.toml: ")
    assert said.endswith(".")
    assert "\n" not in said
    wanted = section.split(".")[-1] if section in ("games.chess", "mail") or value == "none" else key
    assert wanted in said


def test_all_faults_are_told_at_once_a_sentence_each() -> None:
    data = tomllib.loads(LEAST)
    data["imap"] |= {"port": 0, "nmae": "x"}
    del data["host"]["address"], data["smtp"]
    data["games"] = {"chess": {}, "champ-cards": {"seats": 7}, "bluffjack": {"tables": 0}}
    with pytest.raises(ConfigError) as caught:
        build(data, {}, Path("podium.toml"), SLUGS)
    lines = str(caught.value).splitlines()
    assert all(line.startswith("podium.toml: ") and line.endswith(".") for line in lines)
    keys = [
        "host.address",
        "imap.port",
        "imap.nmae",
        "smtp is",
        "bluffjack.tables",
        "[games.chess]",
        "champ-cards.seats",
    ]
    assert [each for each in keys if each not in str(caught.value)] == []
    assert len(lines) == len(keys)


@pytest.mark.parametrize("key", ["host", "imap", "smtp"])
def test_a_missing_section_is_named(key: str) -> None:
    data = tomllib.loads(LEAST)
    del data[key]
    with pytest.raises(ConfigError, match=f"{key} is missing"):
        build(data, {}, Path("podium.toml"), SLUGS)


@pytest.mark.parametrize(
    ("section", "key"), [("host", "address"), ("imap", "host"), ("imap", "username"), ("smtp", "host")]
)
def test_a_missing_key_is_named(section: str, key: str) -> None:
    data = tomllib.loads(LEAST)
    del data[section][key]
    with pytest.raises(ConfigError, match=f"{section}.{key} is missing"):
        build(data, {}, Path("podium.toml"), SLUGS)


def test_secrets_do_not_stand_in_errors() -> None:
    data = tomllib.loads(LEAST)
    data["imap"] |= {"password": 12345678, "port": "geheim"}
    with pytest.raises(ConfigError) as caught:
        build(data, {}, Path("podium.toml"), SLUGS)
    assert "12345678" not in str(caught.value)
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize("text", [b"[host", b"a = 1\na = 2", b"name = The Millionaire"])
def test_what_is_no_toml(text: bytes, tmp_path: Path) -> None:
    file = tmp_path / "podium.toml"
    file.write_bytes(text)
    with pytest.raises(ConfigError) as caught:
        load(file, SLUGS)
    assert "is not TOML" in str(caught.value)


def test_a_file_as_editors_of_windows_save_it(tmp_path: Path) -> None:
    file = tmp_path / "podium.toml"
    file.write_bytes(LEAST.encode("utf-8-sig"))
    load(file, SLUGS, with_secrets=False)
    file.write_bytes(LEAST.encode("utf-16"))
    with pytest.raises(ConfigError, match="save it as UTF-8"):
        load(file, SLUGS)


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"podium init"):
        load(tmp_path / "none.toml", SLUGS)
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path, SLUGS)


def test_starts_show_their_forms_and_are_not_the_hosts() -> None:
    assert with_value("games.champ-cards", "starts", "Mondays 18:00").games["champ-cards"].starts is not None
    assert "starts: write when episodes begin: Mondays 18:00, or" in problem("games.champ-cards", "starts", "weekly")
    with pytest.raises(ConfigError, match="leave out start, or starts"):
        built('[games.champ-cards]\nstart = "host"\nstarts = "daily 18:00"\n')


# Durations


@every(
    ("text", "seconds"),
    [
        ("30s", 30),
        ("15m", 900),
        ("48h", 172800),
        ("2d", 172800),
        ("1h30m", 5400),
        ("0s", 0),
        ("1d12h", 129600),
        (" 5s ", 5),
    ],
)
def test_durations(text: str, seconds: int) -> None:
    assert read_duration(text) == timedelta(seconds=seconds)


def test_a_duration_stays_one() -> None:
    assert read_duration(timedelta(minutes=3)) == timedelta(minutes=3)


@every(
    "value",
    [
        "",
        "s",
        "5",
        "5 m",
        "5w",
        "-5s",
        "+5s",
        "1.5h",
        "5M",
        "h5",
        "5s later",
        5,
        5.0,
        None,
        True,
        ["5s"],
        "9" * 30 + "d",
    ],
)
def test_no_durations(value: object) -> None:
    with pytest.raises(ValueError):
        read_duration(value)


@given(st.text(max_size=10))
def test_a_text_is_a_duration_or_not(text: str) -> None:
    try:
        assert read_duration(text) >= timedelta()
    except ValueError as error:
        assert str(error)


@pytest.mark.parametrize("text", ["1s", "30s"])
def test_no_duration_is_too_short(text: str) -> None:
    assert with_value("deadlines", "reply_within", text).deadlines.reply_within == read_duration(text)


def test_a_games_own_time_comes_first() -> None:
    config = built(
        '[deadlines]\nreply_within = "3h"\n[games.champ-cards]\n[games.split-decision]\nreply_within = "1h"\n'
    )
    assert config.reply_within("champ-cards") == timedelta(hours=3)
    assert config.reply_within("split-decision") == timedelta(hours=1)
    assert config.reply_within("chess") == timedelta(hours=3)


# Files beside it


def test_a_password_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("  ge heim \r\n", "utf-8")
    more = 'password_file = "secret"\n'
    assert built(more, tmp_path).smtp.password == "  ge heim "
    assert built(more + 'password = "other"\n', tmp_path).smtp.password == "other"
    assert built(more, tmp_path, {"PODIUM_SMTP__PASSWORD": "third"}).smtp.password == "third"
    assert built(f'password_file = "{tmp_path}/secret"\n', Path("/etc")).smtp.password == "  ge heim "


def test_a_file_without_a_name_is_none() -> None:
    assert built('password_file = ""\n[reader]\nkey_file = ""\n', Path("/etc")).reader.key_file is None


def test_a_password_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"smtp\.password_file"):
        built('password_file = "secret"\n', tmp_path)
    data = tomllib.loads(LEAST)
    for each in ("imap", "smtp"):
        data[each]["password_file"] = "secret"
    data["look"] = {"logo": "nothing.png"}
    with pytest.raises(ConfigError, match=r"toml: look\.logo.*\n.*imap\.password_file.*\n.*toml: smtp\.password_file"):
        build(data, {}, tmp_path / "podium.toml", SLUGS)
    del data["look"]
    assert build(data, {}, tmp_path / "podium.toml", SLUGS, with_secrets=False).imap.password == ""


def test_a_password_file_has_one_line_and_may_be_of_windows(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"\xef\xbb\xbfopen sesame\r\n")
    data = tomllib.loads(LEAST)
    data["imap"]["password_file"] = "secret"
    assert build(data, {}, tmp_path / "podium.toml", SLUGS).imap.password == "open sesame"
    (tmp_path / "secret").write_bytes(b"open sesame\nbackup codes: 1234\n")
    with pytest.raises(ConfigError, match=r"imap\.password_file: .*secret is no single line of text"):
        build(data, {}, tmp_path / "podium.toml", SLUGS)


@pytest.mark.parametrize(
    ("variable", "said"),
    [
        ("PODIUM_SMPT__PASSWORD", r"PODIUM_SMPT__PASSWORD: smpt: there is no such key"),
        ("PODIUM_OAUTH__CLIENT_SECRET", r"PODIUM_OAUTH__CLIENT_SECRET: oauth\.provider is missing"),
        ("PODIUM_IMAP__PASSWORT", r"PODIUM_IMAP__PASSWORT: imap\.passwort: there is no such key"),
    ],
)
def test_a_fault_of_the_environment_names_the_variable(variable: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        built(environment={variable: "x"})


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("sqlite:///podium.db", "sqlite:///{folder}/podium.db"),
        ("sqlite:///data/podium.db", "sqlite:///{folder}/data/podium.db"),
        ("sqlite:////var/podium.db", "sqlite:////var/podium.db"),
        ("postgresql://u:p@h/n", "postgresql://u:p@h/n"),
        ("postgresql+psycopg://u:p@h/n", "postgresql+psycopg://u:p@h/n"),
    ],
)
def test_a_relative_database_is_beside_the_file(url: str, wanted: str, tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    assert built(f'[database]\nurl = "{url}"\n', folder).database.url == wanted.format(folder=folder)


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "127.1.2.3", "::1"])
def test_no_encryption_to_this_machine(name: str) -> None:
    config = with_value("smtp", "security", "none", PODIUM_SMTP__HOST=name)
    assert config.smtp.security == "none"


@pytest.mark.parametrize(
    "name", ["smtp.example.org", "10.0.0.1", "localhost.example.org", "0.0.0.0", "::", "2130706433"]
)
def test_no_encryption_to_no_other_machine(name: str) -> None:
    with pytest.raises(ConfigError, match="tls"):
        with_value("smtp", "security", "none", PODIUM_SMTP__HOST=name)


# LMTP


def without_mailbox(imap: Mapping[str, Any] | None, listen: str = "127.0.0.1:8024", **environment: str) -> Config:
    data = tomllib.loads(LEAST) | {"lmtp": {"listen": listen}}
    del data["imap"]
    if imap is not None:
        data["imap"] = dict(imap)
    return build(data, environment, Path("/etc/podium.toml"), SLUGS)


@pytest.mark.parametrize("imap", [None, {}, {"host": ""}, {"host": "", "username": "", "junk": ""}])
def test_mail_by_lmtp_needs_no_mailbox(imap: Mapping[str, Any] | None) -> None:
    config = without_mailbox(imap)
    assert (config.imap.host, config.imap.mailbox, config.imap.junk) == ("", "INBOX", "")
    with pytest.raises(ConfigError, match="imap"):
        without_mailbox(imap, listen="")
    assert without_mailbox(imap, "", PODIUM_LMTP__LISTEN="127.0.0.1:8024").lmtp == config.lmtp


def test_mail_by_lmtp_can_come_besides_a_mailbox() -> None:
    config = with_value("lmtp", "listen", "127.0.0.1:8024")
    assert config.imap.host == "imap.example.org"
    assert config.lmtp.endpoint == ("127.0.0.1", 8024)


@pytest.mark.parametrize("imap", [{"hots": "imap.example.org"}, {"host": "imap.example.org"}, 5])
def test_a_mailbox_that_is_meant_is_looked_at(imap: Any) -> None:
    data = tomllib.loads(LEAST) | {"lmtp": {"listen": "127.0.0.1:8024"}, "imap": imap}
    with pytest.raises(ConfigError, match="imap"):
        build(data, {}, Path("/etc/podium.toml"), SLUGS)


@pytest.mark.parametrize(
    ("listen", "endpoint"),
    [
        ("", None),
        ("0.0.0.0:24", ("0.0.0.0", 24)),
        ("[::1]:8024", ("::1", 8024)),
        ("unix:/run/podium/lmtp", Path("/run/podium/lmtp")),
    ],
)
def test_where_lmtp_listens(listen: str, endpoint: object) -> None:
    assert with_value("lmtp", "listen", listen).lmtp.endpoint == endpoint


def test_lmtp_is_off_unless_it_is_wanted() -> None:
    settings = built().lmtp
    assert (settings.endpoint, settings.networks, settings.most_waiting) == (None, (), 10_000)


def test_peers_are_addresses_and_networks() -> None:
    settings = with_value("lmtp", "peers", ["10.0.0.7", "10.1.0.0/16", "2001:db8::/32"]).lmtp
    assert settings.networks == (ip_network("10.0.0.7/32"), ip_network("10.1.0.0/16"), ip_network("2001:db8::/32"))


@every(
    ("key", "value"),
    [
        ("listen", "8024"),
        ("listen", "127.0.0.1"),
        ("listen", "unix:lmtp"),
        ("listen", "127.0.0.1:99999"),
        ("peers", "10.0.0.7"),
        ("peers", ["mx.example.org"]),
        ("peers", ["10.0.0.7/8"]),
        ("peers", [167772167]),
        ("most_waiting", 0),
        ("most_waiting", 1.5),
    ],
)
def test_a_bad_lmtp_value_is_named(key: str, value: object) -> None:
    said = problem("lmtp", key, value)
    assert f"lmtp.{key}" in said
    assert said.endswith(".")


# OAuth2

TOKENS = {
    "provider": "other",
    "client_id": "x",
    "token_url": "https://login.example.org/token",
    "device_url": "https://login.example.org/device",
    "scopes": ["mail"],
}


def with_oauth(folder: Path = Path("/etc"), **changes: Any) -> OAuth:
    data = tomllib.loads(LEAST) | {"oauth": TOKENS | changes}
    config = build(data, {}, folder / "podium.toml", SLUGS)
    assert config.oauth is not None
    return config.oauth


def test_there_is_no_oauth_without_its_section() -> None:
    assert built().oauth is None


def test_the_token_file_and_the_secret_are_beside_the_configuration(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    (folder / "secret").write_text("geheim\n")
    found = with_oauth(folder, client_secret_file="secret")
    assert found.token_file == folder / "oauth-token.json"
    assert found.client_secret == "geheim"
    assert "geheim" not in repr(found)
    assert found.login_command == f"podium login --config {folder}/podium.toml"
    assert with_oauth(folder, token_file="/var/t.json").token_file == Path("/var/t.json")
    assert with_oauth(folder / "a b").login_command == f"podium login --config '{folder}/a b/podium.toml'"


def test_a_secret_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"oauth\.client_secret_file"):
        with_oauth(tmp_path, client_secret_file="secret")
    data = tomllib.loads(LEAST) | {"oauth": TOKENS | {"client_secret_file": "secret"}}
    assert build(data, {}, tmp_path / "podium.toml", SLUGS, with_secrets=False).oauth is not None


def test_the_secret_comes_from_the_environment() -> None:
    data = tomllib.loads(LEAST) | {"oauth": dict(TOKENS)}
    config = build(data, {"PODIUM_OAUTH__CLIENT_SECRET": "geheim"}, Path("/etc/podium.toml"), SLUGS)
    assert config.oauth is not None
    assert config.oauth.client_secret == "geheim"


@every(
    ("key", "value"),
    [
        ("provider", "yahoo"),
        ("client_id", ""),
        ("tenant", "a/b"),
        ("token_url", "http://login.example.org/token"),
        ("device_url", "http://10.0.0.1/device"),
        ("authorize_url", "ftp://127.0.0.1/"),
        ("authorize_url", "login.example.org"),
        ("authorize_url", "https://"),
        ("authorize_url", "https://login.example.org:99999/"),
        ("token_url", ""),
        ("device_url", ""),
        ("scopes", []),
    ],
)
def test_a_bad_oauth_value_is_named(key: str, value: object) -> None:
    with pytest.raises(ConfigError) as caught:
        with_oauth(Path("/etc"), **{key: value})
    assert f"oauth.{key}: " in str(caught.value) or (not value and key in str(caught.value))


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]"])
def test_oauth_without_encryption_to_this_machine(name: str) -> None:
    assert with_oauth(token_url=f"http://{name}:8080/token").token_url.startswith("http:")


@pytest.mark.parametrize("provider", ["google", "microsoft"])
def test_known_providers_need_no_addresses(provider: str) -> None:
    with_oauth(provider=provider, token_url="", device_url="", scopes=[])


# Where secrets are


@pytest.mark.parametrize(
    ("more", "environment", "names"),
    [
        ("", {}, []),
        ("", {"PODIUM_IMAP__PASSWORD": "x", "PODIUM_DATABASE__URL": "postgresql://podium:x@db/podium"}, []),
        ("", {"PODIUM_SMTP__PASSWORD_FILE": "/run/secret"}, ["/run/secret"]),
        ('password = "x"', {}, ["/etc/podium.toml"]),
        ('password_file = "one"\n[imap]\npassword_file = "/run/two"', {}, ["/run/two", "/etc/one"]),
        ('password_file = "one"\n[imap]\npassword_file = "one"', {}, ["/etc/one"]),
        ('[database]\nurl = "postgresql://podium:x@db/podium"', {}, ["/etc/podium.toml"]),
        ('[database]\nurl = "postgresql://podium@db/podium?password=x"', {}, ["/etc/podium.toml"]),
        ('[database]\nurl = "postgresql://podium@db:5432/podium"', {}, []),
        ('[database]\nurl = "sqlite:///a:b@c.db"', {}, []),
        (
            '[oauth]\nprovider = "google"\nclient_id = "x"\nclient_secret = "y"',
            {},
            ["/etc/podium.toml", "/etc/oauth-token.json"],
        ),
        (
            '[oauth]\nprovider = "google"\nclient_id = "x"\nclient_secret_file = "secret"',
            {},
            ["/etc/secret", "/etc/oauth-token.json"],
        ),
    ],
)
def test_the_files_that_hold_secrets_are_known(
    more: str, environment: dict[str, str], names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "read_text", lambda *_: "y")
    head, between, section = more.partition("\n[imap]\n")
    text = LEAST.replace("[smtp]", f"{section}\n[smtp]") if between else LEAST
    found = build(tomllib.loads(text + head), environment, Path("/etc/podium.toml"), SLUGS)
    assert [str(each) for each in found.secret_files] == names


# What others name


def test_compose_sets_keys_that_there_are_and_mounts_what_the_image_reads() -> None:
    text = (ROOT / "compose.yaml").read_text("utf-8")
    image = (ROOT / "Dockerfile").read_text("utf-8")
    named = dict(re.findall(r"(PODIUM_\w+__\w+)[:=] ?(\S+)", text))
    config = build(tomllib.loads(LEAST), named, Path("/data/podium.toml"), SLUGS)
    assert config.database.url == "postgresql://podium@database/podium"
    assert set(named) == {"PODIUM_DATABASE__URL", "PODIUM_IMAP__PASSWORD", "PODIUM_SMTP__PASSWORD"}
    assert ":/data/podium.toml:ro" in text
    assert "PODIUM_CONFIG=/data/podium.toml" in image
    assert "podium-data:/data\n" in text
    assert "VOLUME /data" in image


@pytest.mark.parametrize(("page", "words"), [("README.md", "git checkout v"), ("compose.yaml", "image: podium:")])
def test_the_version_that_is_named_is_this_one(page: str, words: str) -> None:
    assert f"{words}{__version__}\n" in (ROOT / page).read_text("utf-8")


# The second reader


def test_there_is_no_second_reader_without_its_address() -> None:
    assert (built().reader.url, built().reader.timeout) == ("", timedelta(seconds=20))


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:11434/v1",
        "http://[::1]:8080/v1/",
        "http://ollama:11434/v1",
        "http://192.168.1.7:8080/v1/chat/completions",
        "https://models.example.org/v1",
    ],
)
def test_a_second_reader_is_at_home_or_behind_tls(url: str) -> None:
    reader = built(f'[reader]\nurl = "{url}"\nmodel = "tiny"').reader
    assert reader.endpoint.endswith("/v1/chat/completions")
    assert reader.endpoint.count("/chat/completions") == 1


@pytest.mark.parametrize(
    "url", ["http://models.example.org/v1", "http://8.8.8.8/v1", "models", "ftp://x/", "http:///v1"]
)
def test_words_of_contestants_do_not_leave_in_the_clear(url: str) -> None:
    with pytest.raises(ConfigError, match=r"reader\.url: write an address that begins with https"):
        built(f'[reader]\nurl = "{url}"\nmodel = "tiny"')


def test_a_second_reader_has_a_model_and_no_more_than_two_minutes() -> None:
    with pytest.raises(ConfigError, match="write in model which"):
        built('[reader]\nurl = "http://127.0.0.1:1/v1"')
    with pytest.raises(ConfigError, match=r"reader\.timeout"):
        built('[reader]\ntimeout = "3m"')


def test_the_key_of_the_second_reader_stands_in_a_file_or_the_environment(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("geheim\n")
    found = built('[reader]\nkey_file = "key"\n', tmp_path)
    assert found.reader.key == "geheim"
    assert tmp_path / "key" in found.secret_files
    data = tomllib.loads(LEAST)
    assert build(data, {"PODIUM_READER__KEY": "offen"}, tmp_path / "podium.toml", SLUGS).reader.key == "offen"
    assert "geheim" not in repr(found)
