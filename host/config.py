"""Edge: the configuration. In: one TOML file and the environment. Out: a checked `Config`, or `ConfigError`, a sentence a fault.

The only module that reads TOML or the environment. `PODIUM_SECTION__KEY` overrides a scalar (hyphens as `_`).
"""

import contextlib
import os
import re
import shlex
import tomllib
from collections.abc import Mapping
from datetime import timedelta
from email.utils import parseaddr
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    field_validator,
    model_validator,
)

from host.errors import PodiumError

ENVIRONMENT_PREFIX = "PODIUM_"
DEFAULT_FILE = "podium.toml"
LMTP_MAILBOX = "LMTP"
"""What the store calls that which is delivered by LMTP."""

LONGEST = timedelta(days=3660)

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_URL_WITH_PASSWORD = re.compile(r"://[^/@]*:[^/@]+@|[?&][^=]*pass[^=]*=.", re.IGNORECASE)
_DURATION = re.compile(r"(?:\d+[smhd])+")


class ConfigError(PodiumError):
    """The configuration cannot be used; the message says what to change, on one line for each fault."""


def read_duration(value: object) -> timedelta:
    """A duration such as `30s`, `15m`, `48h`, `2d` or `1h30m`. Raises ValueError for anything else."""
    if isinstance(value, timedelta):
        return value
    if not isinstance(value, str) or not _DURATION.fullmatch(value.strip()):
        raise ValueError("write a duration such as 30s, 15m, 48h or 2d")
    parts = re.findall(r"(\d+)([smhd])", value)
    try:
        duration = sum((timedelta(**{_UNITS[unit]: int(count)}) for count, unit in parts), timedelta())
    except OverflowError:
        duration = timedelta.max
    if duration > LONGEST:
        raise ValueError(f"this duration is too long; {LONGEST.days} days are the most")
    return duration


def _read_address(value: object) -> str:
    address = parseaddr(value)[1] if isinstance(value, str) else ""
    if address != value or not re.fullmatch(r"[^@\s]+@[^@\s]+", address):
        raise ValueError("write a plain mail address such as games@example.org")
    return address


def _read_count(value: object) -> object:
    if isinstance(value, bool | float):
        raise ValueError("write a whole number")
    return value


def _read_network(value: object) -> str:
    try:
        return str(ip_network(value if isinstance(value, str) else ""))
    except ValueError:
        raise ValueError("write an address or a network such as 10.0.0.7 or 10.0.0.0/24") from None


Count = Annotated[int, BeforeValidator(_read_count), Field(ge=0)]
Duration = Annotated[timedelta, BeforeValidator(read_duration)]
Network = Annotated[str, BeforeValidator(_read_network)]
MailAddress = Annotated[str, BeforeValidator(_read_address)]
Transport = Literal["tls", "starttls", "none"]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Host(_Section):
    """Who the host is and in which time zone letters speak."""

    name: str = Field(default="The Millionaire", min_length=1)
    address: MailAddress
    operators: tuple[MailAddress, ...] = ()
    timezone: str = "UTC"
    community: str = Field(default="TGSF", min_length=1, max_length=24)

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (OSError, ValueError, KeyError):
            raise ValueError("write a time zone such as Europe/Berlin or America/New_York") from None
        return value

    @field_validator("name")
    @classmethod
    def _one_line(cls, value: str) -> str:
        if re.search(r"[\x00-\x1f\x7f]", value):
            raise ValueError("write the name on one line")
        return value

    @field_validator("community")
    @classmethod
    def _part_of_a_label(cls, value: str) -> str:
        if re.search(r"[\x00-\x1f\x7f:=(),;]", value) or value != value.strip():
            raise ValueError("write a name such as TGSF, without : = , ; and parentheses")
        return value


class Server(_Section):
    """A mail server: IMAP and SMTP have these in common."""

    host: str = Field(min_length=1)
    port: int = Field(ge=1, le=65535)
    security: Transport = "tls"
    username: str = ""
    password: str = Field("", repr=False)
    password_file: Path | None = None

    @model_validator(mode="after")
    def _secured(self) -> "Server":
        if self.security == "none" and not _is_loopback(self.host):
            raise ValueError('security = "none" is for a server on this machine only: write "tls" or "starttls"')
        return self


class Imap(Server):
    """The mailbox that is read; `junk` is a second one, also read."""

    port: int = Field(993, ge=1, le=65535)
    username: str = Field(min_length=1)
    mailbox: str = Field("INBOX", min_length=1)
    junk: str = ""
    poll_every: Duration = timedelta(seconds=60)


NO_MAILBOX = Imap.model_construct(host="", username="")
"""What stands in for `[imap]` where mail comes by LMTP alone."""


class Lmtp(_Section):
    """Where an MTA delivers mail (nowhere where `listen` is empty), which MTAs besides this machine's, and how much may wait."""

    listen: str = ""
    peers: tuple[Network, ...] = ()
    most_waiting: Annotated[int, BeforeValidator(_read_count), Field(ge=1)] = 10_000

    @field_validator("listen")
    @classmethod
    def _known_kind(cls, value: str) -> str:
        if value and not value.startswith("unix:/"):
            try:
                _endpoint(value)
            except ValueError:
                raise ValueError(
                    "write an address and a port such as 127.0.0.1:8024, or unix:/run/podium/lmtp"
                ) from None
        return value

    @property
    def endpoint(self) -> tuple[str, int] | Path | None:
        """Address and port, or the socket's file, to listen at; None for off."""
        if self.listen.startswith("unix:"):
            return Path(self.listen.removeprefix("unix:"))
        return _endpoint(self.listen) if self.listen else None

    @property
    def networks(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """The peers, to compare addresses with."""
        return tuple(ip_network(each) for each in self.peers)


class Smtp(Server):
    """The server that letters go out through; no login where `username` is empty.

    The provider's limits, in letters; 0 for none. `connections` are the most at once, opened as letters wait for them.
    """

    port: int = Field(465, ge=1, le=65535)
    letters_a_minute: Count = 0
    letters_a_day: Count = 0
    connections: Annotated[int, BeforeValidator(_read_count), Field(ge=1, le=20)] = 2


class OAuth(_Section):
    """How access tokens are got, with which IMAP and SMTP log in by XOAUTH2 instead of with a password.

    The addresses and `scopes` are known for google and microsoft; given, they replace those.
    """

    provider: Literal["google", "microsoft", "other"]
    client_id: str = Field(min_length=1)
    client_secret: str = Field("", repr=False)
    client_secret_file: Path | None = None
    token_file: Path = Path("oauth-token.json")
    tenant: str = Field("common", pattern=r"^[A-Za-z0-9.-]+$")
    device_url: str = ""
    authorize_url: str = ""
    token_url: str = ""
    scopes: tuple[str, ...] = ()
    _config_file: Path = PrivateAttr(Path(DEFAULT_FILE))

    @field_validator("device_url", "authorize_url", "token_url")
    @classmethod
    def _secure(cls, value: str) -> str:
        address = urlsplit(value)
        is_secure = address.scheme == "https" or (address.scheme == "http" and _is_loopback(address.hostname or ""))
        if value and not (is_secure and address.hostname and address.port != 0):
            raise ValueError("write an address that begins with https:// (http:// only to this machine)")
        return value

    @model_validator(mode="after")
    def _complete(self) -> "OAuth":
        if self.provider == "other" and not (
            self.token_url and self.scopes and (self.device_url or self.authorize_url)
        ):
            raise ValueError('provider = "other" needs token_url, scopes, and device_url or authorize_url')
        return self

    @property
    def login_command(self) -> str:
        """What the host types to consent anew."""
        return f"podium login --config {shlex.quote(str(self._config_file))}"

    def found_at(self, file: Path, with_secrets: bool = True) -> "OAuth":
        """The same, as it stands in the configuration `file`: paths absolute, the secret read. Raises `ConfigError`."""
        found = self.model_copy(update={"token_file": (file.parent / self.token_file).resolve()})
        found._config_file = file
        if self.client_secret or not self.client_secret_file or not with_secrets:
            return found
        secret = _secret_in(file.parent / self.client_secret_file, "oauth.client_secret_file").strip()
        return found.model_copy(update={"client_secret": secret})


class Database(_Section):
    """Where the store is: a SQLAlchemy URL, `sqlite:///file` or `postgresql://...`.

    `keep_mail`: how long mail is kept as it came, after it was worked off; None for ever. `keep_letters`:
    how long letters are kept whole; after that only to whom they went, when, and their token.
    """

    url: str = "sqlite:///podium.db"
    keep_mail: Duration | None = None
    keep_letters: Duration | None = None

    @field_validator("url")
    @classmethod
    def _known_kind(cls, value: str) -> str:
        if not re.match(r"(sqlite:///|postgresql(\+psycopg)?://)", value):
            raise ValueError("write sqlite:///podium.db or postgresql://user:password@host/name")
        return value


class Deadlines(_Section):
    """How long a contestant has, when they are reminded, and how long a forfeit can be objected to."""

    reply_within: Duration = timedelta(hours=48)
    reminders: tuple[Duration, ...] = (timedelta(hours=24), timedelta(hours=6))
    objection: Duration = timedelta(hours=6)

    @field_validator("reply_within")
    @classmethod
    def _some_time(cls, value: timedelta) -> timedelta:
        if value <= timedelta():
            raise ValueError("write a duration above zero")
        return value


class Security(_Section):
    """How a contestant is known, and how many registrations are answered: to one address a day, to all an hour.

    Anybody can register in anybody's name, so answers to registrations are letters that strangers make us write.
    """

    plus_addressing: bool = True
    confirm_registration: bool = True
    authserv_id: Annotated[str, Field(pattern=r"^\S*$")] = ""
    registrations_a_day: Annotated[int, BeforeValidator(_read_count), Field(ge=1)] = 3
    registrations_an_hour: Annotated[int, BeforeValidator(_read_count), Field(ge=1)] = 30


class Health(_Section):
    """Where the daemon tells how it is (nowhere where `listen` is empty), and what its log looks like."""

    listen: str = ""
    log_format: Literal["text", "json"] = "text"

    @field_validator("listen")
    @classmethod
    def _on_loopback(cls, value: str) -> str:
        if value:
            host, _ = _endpoint(value)
            if not _is_loopback(host):
                raise ValueError("this is for programs on this machine only: write 127.0.0.1:9471 or [::1]:9471")
        return value

    @property
    def endpoint(self) -> tuple[str, int] | None:
        """Address and port to listen at; None for off."""
        return _endpoint(self.listen) if self.listen else None


class Web(_Section):
    """Where the desk and the public pages are served (nowhere where `listen` is empty), and under which address outside.

    `public`: anybody may see the public pages; the desk always asks for a login.
    """

    listen: str = ""
    url: str = ""
    public: bool = True

    @field_validator("listen")
    @classmethod
    def _known_place(cls, value: str) -> str:
        if value:
            _endpoint(value)
        return value

    @field_validator("url")
    @classmethod
    def _reached_safely(cls, value: str) -> str:
        address = urlsplit(value)
        is_safe = address.scheme == "https" or (address.scheme == "http" and _is_loopback(address.hostname or ""))
        if value and not (is_safe and address.hostname and not (address.query or address.fragment or address.username)):
            raise ValueError("write an address such as https://games.example.org (http:// only for this machine)")
        return value.rstrip("/")

    @model_validator(mode="after")
    def _behind_a_proxy(self) -> "Web":
        if self.listen and not _is_loopback(_endpoint(self.listen)[0]) and not self.url.startswith("https://"):
            raise ValueError(
                "listen beyond this machine needs a reverse proxy with TLS before it: write its address in url, or listen at "
                "127.0.0.1"
            )
        return self

    @property
    def endpoint(self) -> tuple[str, int] | None:
        """Address and port to listen at; None for off."""
        return _endpoint(self.listen) if self.listen else None

    @property
    def address(self) -> str:
        """The address that people open, without a slash at its end."""
        return self.url or f"http://{self.listen}"


class GameSettings(_Section):
    """How one game is offered. `seats` is None for the game's fewest."""

    reply_within: Duration | None = None
    seats: int | None = Field(None, ge=1)
    tables: int = Field(1, ge=1)
    start: Literal["auto", "host"] = "auto"
    options: dict[str, Any] = {}
    prizes: dict[str, str] = {}


class Config(_Section):
    """The whole configuration."""

    host: Host
    imap: Imap
    smtp: Smtp
    lmtp: Lmtp = Lmtp()
    oauth: OAuth | None = None
    database: Database = Database()
    deadlines: Deadlines = Deadlines()
    security: Security = Security()
    health: Health = Health()
    web: Web = Web()
    games: dict[str, GameSettings] = {}
    _secret_files: tuple[Path, ...] = PrivateAttr(())

    @property
    def secret_files(self) -> tuple[Path, ...]:
        """The files that hold a secret: those that are named for one, and the configuration's own where one is in it."""
        return self._secret_files

    @property
    def mailboxes(self) -> tuple[str, ...]:
        """What is read, under the names that the store has for it; the first is the one whose outages count."""
        read = (self.imap.mailbox, self.imap.junk) if self.imap.host else ()
        return tuple(each for each in (*read, LMTP_MAILBOX if self.lmtp.listen else "") if each)

    def reply_within(self, slug: str) -> timedelta:
        """How long a contestant of this game has for an answer."""
        settings = self.games.get(slug)
        return (settings.reply_within if settings else None) or self.deadlines.reply_within


def notify_socket(environment: Mapping[str, str] = os.environ) -> str:
    """Where the service manager wants to hear how the daemon is (sd_notify(3)); empty where there is none."""
    return environment.get("NOTIFY_SOCKET", "")


def given_password(environment: Mapping[str, str] = os.environ) -> str:
    """The mailbox's password, where the environment has it; else nothing."""
    return environment.get(f"{ENVIRONMENT_PREFIX}IMAP__PASSWORD", "")


def machine_timezone(environment: Mapping[str, str] = os.environ, etc: Path = Path("/etc")) -> str:
    """The time zone of this machine: of the environment, else of its files, else UTC."""
    named = [environment.get("TZ", "").removeprefix(":")]
    with contextlib.suppress(OSError):
        named.append(str((etc / "localtime").readlink()))
    with contextlib.suppress(OSError, UnicodeDecodeError):
        named.append((etc / "timezone").read_text("utf-8").strip())
    for each in named:
        zone = each.rpartition("zoneinfo/")[2]
        if zone and not problem_in(Host, {"address": "games@example.org", "timezone": zone}):
            return zone
    return "UTC"


def problem_in(section: type[_Section], values: Mapping[str, Any]) -> str:
    """What is wrong with the values of a section, in a sentence that says what to write; empty where nothing is."""
    try:
        section.model_validate(values)
    except ValidationError as error:
        return error.errors()[0]["msg"].removeprefix("Value error, ")
    return ""


def load(path: Path | None, slugs: Mapping[str, tuple[int, ...]], with_secrets: bool = True) -> Config:
    """The configuration in `path` (default `$PODIUM_CONFIG`, else podium.toml), the environment laid over it.

    `slugs` are the games there are, with the numbers of seats each allows. Without `with_secrets` files that hold a secret
    are not read: only who speaks to a mail server needs them. Raises `ConfigError`.
    """
    file = path or Path(os.environ.get("PODIUM_CONFIG") or DEFAULT_FILE)
    try:
        data = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise ConfigError(
            f"There is no {file}: podium init writes one (config.example.toml shows all of it), or name one with --config FILE."
        ) from None
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} is not TOML: {error}.") from None
    return build(data, dict(os.environ), file, slugs, with_secrets)


def build(
    data: dict[str, Any],
    environment: Mapping[str, str],
    file: Path,
    slugs: Mapping[str, tuple[int, ...]],
    with_secrets: bool = True,
) -> Config:
    """The checked configuration of parsed TOML. Raises `ConfigError`, which names each key and what to write."""
    is_secret = _holds_secret(data)
    _overlay(data, environment, slugs)
    if _has_no_mailbox(data):
        data["imap"] = NO_MAILBOX
    faults = _game_faults(data.get("games"), slugs)
    try:
        config = Config.model_validate(data)
    except ValidationError as error:
        faults = [*_faults(error), *faults]
    if faults:
        raise ConfigError("\n".join(f"{file}: {each}" for each in faults))
    if config.oauth is not None:
        config = config.model_copy(update={"oauth": config.oauth.found_at(file.resolve(), with_secrets)})
    found = _resolved(config, file.resolve().parent, with_secrets)
    found._secret_files = ((file.resolve(),) if is_secret else ()) + _named_for_secrets(config, file.resolve().parent)
    return found


def _holds_secret(data: Mapping[str, Any]) -> bool:
    """Is a password in the file itself?"""
    sections = {name: part for name, part in data.items() if isinstance(part, dict)}
    keys = (("imap", "password"), ("smtp", "password"), ("oauth", "client_secret"))
    url = str(sections.get("database", {}).get("url", ""))
    return any(sections.get(name, {}).get(key) for name, key in keys) or bool(_URL_WITH_PASSWORD.search(url))


def _named_for_secrets(config: Config, folder: Path) -> tuple[Path, ...]:
    named = [config.imap.password_file, config.smtp.password_file]
    if config.oauth is not None:
        named += [config.oauth.client_secret_file, config.oauth.token_file]
    return tuple(dict.fromkeys((folder / each).resolve() for each in named if each is not None))


def _overlay(data: dict[str, Any], environment: Mapping[str, str], slugs: Mapping[str, tuple[int, ...]]) -> None:
    for variable, value in sorted(environment.items()):
        if not variable.startswith(ENVIRONMENT_PREFIX) or "__" not in variable:
            continue
        keys = variable.removeprefix(ENVIRONMENT_PREFIX).lower().split("__")
        if keys[0] == "games" and len(keys) > 1:
            keys[1] = next((slug for slug in slugs if slug.replace("-", "_") == keys[1]), keys[1])
        section = data
        for key in keys[:-1]:
            section = section.setdefault(key, {})
            if not isinstance(section, dict):
                raise ConfigError(f"{variable} does not fit: {key} is no section of the configuration.")
        section[keys[-1]] = value


def _has_no_mailbox(data: Mapping[str, Any]) -> bool:
    """Does mail come by LMTP alone? Then `[imap]` may be absent, or have no host."""
    lmtp, imap = data.get("lmtp"), data.get("imap", {})
    is_fed = isinstance(lmtp, dict) and bool(lmtp.get("listen"))
    return is_fed and isinstance(imap, dict) and not imap.get("host") and imap.keys() <= Imap.model_fields.keys()


def _faults(error: ValidationError) -> list[str]:
    """What is wrong, a sentence a key."""
    found: dict[str, str] = {}
    for each in error.errors():
        key = ".".join(str(part) for part in each["loc"])
        reason = each["msg"].removeprefix("Value error, ")
        if each["type"] == "extra_forbidden":
            words = f"{key}: there is no such key; see config.example.toml for the keys there are."
        elif each["type"] == "missing":
            words = f"{key} is missing; config.example.toml shows it."
        else:
            words = f"{key}: {reason[0].lower()}{reason[1:]}."
        found.setdefault(key, words)
    return list(found.values())


def _game_faults(games: object, slugs: Mapping[str, tuple[int, ...]]) -> list[str]:
    """Which games there are not, and which are for other numbers of contestants; what else is wrong is told elsewhere."""
    found: list[str] = []
    for slug, values in games.items() if isinstance(games, dict) else ():
        if slug not in slugs:
            found.append(f"there is no game [games.{slug}]; the games are {', '.join(slugs)}.")
            continue
        with contextlib.suppress(ValidationError):
            seats = GameSettings.model_validate(values).seats
            if seats is not None and seats not in slugs[slug]:
                allowed = ", ".join(map(str, slugs[slug]))
                found.append(f"games.{slug}.seats: this game is for {allowed} contestants.")
    return found


def _resolved(config: Config, folder: Path, with_secrets: bool) -> Config:
    url = config.database.url
    if url.startswith("sqlite:///"):
        url = f"sqlite:///{(folder / url.removeprefix('sqlite:///')).resolve()}"
    database = config.database.model_copy(update={"url": url})
    servers: dict[str, Server] = {}
    faults: list[str] = []
    for name in ("imap", "smtp") if with_secrets else ():
        try:
            servers[name] = _with_password(getattr(config, name), name, folder)
        except ConfigError as error:
            faults.append(str(error))
    if faults:
        raise ConfigError("\n".join(faults))
    return config.model_copy(update={"database": database, **servers})


def _with_password(server: Server, name: str, folder: Path) -> Server:
    if server.password or not server.password_file:
        return server
    password = _secret_in(folder / server.password_file, f"{name}.password_file").rstrip("\r\n")
    return server.model_copy(update={"password": password})


def _secret_in(file: Path, key: str) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise ConfigError(f"{key}: {file} cannot be read.") from None


def _endpoint(value: str) -> tuple[str, int]:
    found = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\s:\[\]]+)):(\d{1,5})", value, re.ASCII)
    if not found or not 1 <= int(found[3]) <= 65535:
        raise ValueError("write an address of this machine and a port, such as 127.0.0.1:9471 or [::1]:9471")
    return found[1] or found[2], int(found[3])


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
