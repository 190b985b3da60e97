"""Edge: the configuration. In: one TOML file and the environment. Out: a checked `Config`, or `ConfigError`, a sentence a fault.

The only module that reads TOML or the environment. `PODIUM_SECTION__KEY` overrides a scalar (hyphens as `_`).
"""

import contextlib
import os
import re
import shlex
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from email.utils import parseaddr
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote, unquote, urlsplit
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    model_validator,
)

from host.errors import PodiumError
from host.look import READABLE, Look, contrast
from host.mail.places import Transport, is_loopback
from host.play.starts import Starts, read_starts
from host.states import RIGHTS, Right, suffices

ENVIRONMENT_PREFIX = "PODIUM_"
DEFAULT_FILE = "podium.toml"
LMTP_MAILBOX = "LMTP"
"""The store's name for that which is delivered by LMTP."""
SQLITE = "sqlite:///"
_WHITE, _SOFT, _GROUND, _SHEET, _NOTE = "#ffffff", "#57523f", "#e9e4d8", "#fffdf7", "#fbf1d6"
"""The words on buttons, the palest words on the ground, the ground, sheets on it, and notes, as the style sheets have them."""
_PICTURES = {b"\x89PNG\r\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}
_LARGEST_LOGO = 256 << 10
LONGEST = timedelta(days=3660)

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_SECRETS = (("imap", "password"), ("smtp", "password"), ("oauth", "client_secret"), ("reader", "key"))
"""Section and key of each secret that may stand in a file of its own, which `KEY_file` names."""


class ConfigError(PodiumError):
    """The configuration cannot be used; the message says what to change, on one line for each fault."""


def read_duration(value: object) -> timedelta:
    """A duration such as `30s`, `15m`, `48h`, `2d` or `1h30m`. Raises ValueError for anything else."""
    if isinstance(value, timedelta):
        return value
    if not isinstance(value, str) or not re.fullmatch(r"0|(?:\d+[smhd])+", value.strip()):
        raise ValueError("write a duration such as 30s, 15m, 48h or 2d")
    parts = re.findall(r"(\d+)([smhd])", value)
    try:
        duration = sum((timedelta(**{_UNITS[unit]: int(count)}) for count, unit in parts), timedelta())
    except OverflowError:
        duration = timedelta.max
    if duration > LONGEST:
        raise ValueError(f"this duration is too long; {LONGEST.days} days are the most")
    return duration


def _checked(is_good: Callable[[Any], object], words: str) -> Callable[[Any], Any]:
    """A check that takes what is good, as it is; `words` say what to write in place of anything else."""

    def check(value: Any) -> Any:
        with contextlib.suppress(OSError, ValueError, KeyError):
            if is_good(value):
                return value
        raise ValueError(words)

    return check


def _after(is_good: Callable[[Any], object], words: str) -> AfterValidator:
    return AfterValidator(_checked(is_good, words))


def _or_empty(is_good: Callable[[str], object], words: str) -> AfterValidator:
    return _after(lambda text: not text or is_good(text), words)


def _matching(pattern: str, words: str) -> AfterValidator:
    return _after(lambda text: re.fullmatch(pattern, text), words)


def _is_address(value: object) -> bool:
    is_plain = isinstance(value, str) and value.isascii() and parseaddr(value)[1] == value
    return is_plain and bool(re.fullmatch(r"[^@\s]+@[^@\s]+", str(value)))


def _is_day(value: object) -> bool:
    return isinstance(value, date) or (isinstance(value, str) and bool(date.fromisoformat(value)))


def _is_network(value: object) -> bool:
    return isinstance(value, str) and bool(ip_network(value))


def _is_secure(url: str) -> bool:
    address = urlsplit(url)
    here = address.hostname or ""
    return bool(here) and (address.scheme == "https" or (address.scheme == "http" and is_loopback(here)))


def _is_near_or_secure(url: str) -> bool:
    """Does an address need no TLS, as it is of a network of one's own, or has it?"""
    address = urlsplit(url)
    here = address.hostname or ""
    try:
        is_near = ip_address(here).is_private
    except ValueError:
        is_near = "." not in here
    return _is_secure(url) or (address.scheme == "http" and bool(here) and is_near)


def _is_page(url: str) -> bool:
    address = urlsplit(url)
    return _is_secure(url) and address.port != 0 and not (address.query or address.fragment or address.username)


_WHOLE = BeforeValidator(_checked(lambda value: not isinstance(value, bool | float), "write a whole number"))
_ADDRESS = "write a plain mail address such as games@example.org"
ONE_LINE = r"[^\x00\r\n\ud800-\udfff]*"
_NETWORK = "write an address or a network such as 10.0.0.7 or 10.0.0.0/24"
_DATABASE = "write sqlite:///podium.db or postgresql://user:password@host/name"
_HTTPS = "write an address that begins with https:// (http:// only to this machine)"
_PAGE = "write an address such as https://games.example.org (http:// only for this machine)"
_NEAR = "write an address that begins with https:// (http:// only within your own network)"
_LISTEN = "write an address of this machine and a port, such as 127.0.0.1:9471 or [::1]:9471"
_HERE = "this is for programs on this machine only: write 127.0.0.1:9471 or [::1]:9471"
_LMTP = "write an address and a port such as 127.0.0.1:8024, or unix:/run/podium/lmtp"

Slugs = Mapping[str, tuple[int, ...]]
"""The games there are, with the numbers of seats each allows."""
Count = Annotated[int, _WHOLE, Field(ge=0)]
Some = Annotated[int, _WHOLE, Field(ge=1)]
Port = Annotated[int, _WHOLE, Field(ge=1, le=65535)]
Text = Annotated[str, Field(min_length=1)]
ServerName = Annotated[
    Text, _after(lambda name: name.encode("idna"), "write the name of a server, such as imap.example.org")
]
_ON_ONE_LINE = _matching(ONE_LINE, "write it on one line, without control characters")
Login = Annotated[str, _ON_ONE_LINE]
Secret = Annotated[Login, Field(repr=False)]
Duration = Annotated[timedelta, BeforeValidator(read_duration)]
SomeTime = Annotated[Duration, _after(lambda time: time > timedelta(), "write a duration above zero")]
SomeFile = Annotated[Path | None, BeforeValidator(lambda value: None if value == "" else value)]
Day = Annotated[date, BeforeValidator(_checked(_is_day, "write a day such as 2026-12-25"))]
Name = Annotated[Text, _matching(r"[^\x00-\x1f\x7f]*", "write the name on one line")]
PartOfALabel = Annotated[
    Text,
    Field(max_length=24),
    _matching(r"(?!\s)[^\x00-\x1f\x7f:=(),;]*(?<!\s)", "write a name such as TGSF, without : = , ; and parentheses"),
]
Line = Annotated[str, Field(max_length=400), _after(str.isprintable, "write it on one line, in signs that can be seen")]
Colour = Annotated[str, _matching(r"(#[0-9A-Fa-f]{6})?", "write a colour such as #1f5c42"), AfterValidator(str.lower)]
Timezone = Annotated[str, _after(ZoneInfo, "write a time zone such as Europe/Berlin or America/New_York")]
MailAddress = Annotated[str, BeforeValidator(_checked(_is_address, _ADDRESS))]
Network = Annotated[str, BeforeValidator(_checked(_is_network, _NETWORK))]
DatabaseUrl = Annotated[str, _matching(r"(?s:sqlite:///[^?]*|postgresql(\+psycopg)?://.*)", _DATABASE)]
TokenServer = Annotated[str, _or_empty(lambda url: _is_secure(url) and urlsplit(url).port != 0, _HTTPS)]
Model = Annotated[str, _or_empty(lambda url: _is_near_or_secure(url) and urlsplit(url).port != 0, _NEAR)]
Page = Annotated[str, _or_empty(_is_page, _PAGE), AfterValidator(lambda url: url.rstrip("/"))]
Listen = Annotated[str, _or_empty(lambda text: _endpoint(text), _LISTEN)]
ListenHere = Annotated[Listen, _or_empty(lambda text: is_loopback(_endpoint(text)[0]), _HERE)]
LmtpListen = Annotated[str, _or_empty(lambda text: text.startswith("unix:/") or _endpoint(text), _LMTP)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class _Listening(_Section):
    """A service of the daemon, at `listen`, or nowhere where that is empty."""

    listen: Listen = ""

    @property
    def endpoint(self) -> tuple[str, int] | None:
        """Address and port to listen at; None for off."""
        return _endpoint(self.listen) if self.listen else None


class Host(_Section):
    """The host's name and addresses, and in which time zone letters speak."""

    name: Name = "The Millionaire"
    address: MailAddress
    operators: tuple[MailAddress, ...] = ()
    co_hosts: tuple[MailAddress, ...] = ()
    judges: tuple[MailAddress, ...] = ()
    timezone: Timezone = "UTC"
    community: PartOfALabel = "TGSF"
    talk: bool = True

    @model_validator(mode="after")
    def _one_right_each(self) -> "Host":
        twice = [each for each, count in Counter(each.lower() for each in self.crew()).items() if count > 1]
        if twice:
            raise ValueError(
                f"{twice[0]} stands twice among operators, co_hosts and judges: leave it where it may most"
            )
        if self.address.lower() in {each.lower() for each in self.crew()}:
            raise ValueError(
                f"{self.address} is the address of the games: write others for operators, co_hosts and judges"
            )
        return self

    def crew(self, needed: Right = "judge") -> tuple[str, ...]:
        """The addresses of those who have this right: operators are owners, `co_hosts` have a host's right."""
        having = {"judge": self.judges, "host": self.co_hosts, "owner": self.operators}
        return tuple(each for right in reversed(RIGHTS) if suffices(right, needed) for each in having[right])

    def right_of(self, address: str) -> Right | None:
        """What somebody may do; None for whoever is none of the house."""
        low = address.lower()
        rights = (right for right in reversed(RIGHTS) if low in map(str.lower, self.crew(right)))
        return next(rights, None)


class Server(_Section):
    """A mail server: IMAP and SMTP have these in common."""

    host: ServerName
    port: Port
    security: Transport = "tls"
    username: Login = ""
    password: Secret = ""
    password_file: SomeFile = None

    @model_validator(mode="after")
    def _secured(self) -> "Server":
        if self.security == "none" and not is_loopback(self.host):
            raise ValueError('security = "none" is for a server on this machine only: write "tls" or "starttls"')
        return self


class Imap(Server):
    """The mailbox that is read; `junk` is a second one, also read."""

    port: Port = 993
    username: Annotated[Text, _ON_ONE_LINE]
    mailbox: Text = "INBOX"
    junk: str = ""
    poll_every: Duration = timedelta(seconds=60)


NO_MAILBOX = Imap.model_construct(host="", username="")
"""Stands in for `[imap]` where mail comes by LMTP alone."""


class Lmtp(_Section):
    """The door for an MTA (none where `listen` is empty), which MTAs besides this machine's, and how much may wait."""

    listen: LmtpListen = ""
    peers: tuple[Network, ...] = ()
    most_waiting: Some = 10_000

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

    port: Port = 465
    letters_a_minute: Count = 0
    letters_a_day: Count = 0
    connections: Annotated[Some, Field(le=20)] = 2


class OAuth(_Section):
    """How access tokens are got, with which IMAP and SMTP log in by XOAUTH2 instead of with a password.

    The addresses and `scopes` are known for google and microsoft; given, they replace those.
    """

    provider: Literal["google", "microsoft", "other"]
    client_id: Text
    client_secret: Secret = ""
    client_secret_file: SomeFile = None
    token_file: Path = Path("oauth-token.json")
    tenant: str = Field("common", pattern=r"^[A-Za-z0-9.-]+$")
    device_url: TokenServer = ""
    authorize_url: TokenServer = ""
    token_url: TokenServer = ""
    scopes: tuple[str, ...] = ()
    _config_file: Path = PrivateAttr(Path(DEFAULT_FILE))

    @model_validator(mode="after")
    def _complete(self) -> "OAuth":
        if self.provider == "other" and not (
            self.token_url and self.scopes and (self.device_url or self.authorize_url)
        ):
            raise ValueError('provider = "other" needs token_url, scopes, and device_url or authorize_url')
        return self

    @property
    def login_command(self) -> str:
        """The command by which the host consents anew."""
        return f"podium login --config {shlex.quote(str(self._config_file))}"

    def found_at(self, file: Path) -> "OAuth":
        """The same, as it stands in the configuration `file`: the token's path absolute."""
        found = self.model_copy(update={"token_file": (file.parent / self.token_file).resolve()})
        found._config_file = file
        return found


class Database(_Section):
    """The place of the store: a SQLAlchemy URL, `sqlite:///file` or `postgresql://...`.

    `keep_mail`: how long mail is kept as it came, after it was worked off; None for ever. `keep_letters`:
    how long letters are kept whole; after that only to whom they went, when, and their token.
    """

    url: DatabaseUrl = "sqlite:///podium.db"
    keep_mail: Duration | None = None
    keep_letters: Duration | None = None

    @property
    def file(self) -> Path | None:
        """The file of SQLite, None for another database."""
        return Path(unquote(self.url.removeprefix(SQLITE))) if self.url.startswith(SQLITE) else None


class Deadlines(_Section):
    """How long a contestant has, when they are reminded, and how long a forfeit can be objected to.

    `time_bank` is what an episode gives each for deadlines that run out, `grace` how long a last chance is; on Saturdays and
    Sundays without `weekends`, and on `holidays`, in the host's time zone, no deadline runs.
    """

    reply_within: SomeTime = timedelta(hours=48)
    reminders: tuple[Duration, ...] = (timedelta(hours=24), timedelta(hours=6))
    objection: Duration = timedelta(hours=6)
    time_bank: Duration = timedelta()
    grace: Duration = timedelta()
    weekends: bool = True
    holidays: frozenset[Day] = frozenset()


class SecondReader(_Section):
    """A language model that is asked where a reply is not certain, and how long it may take; none where `url` is empty."""

    url: Model = ""
    model: str = ""
    key: Secret = ""
    key_file: SomeFile = None
    timeout: Annotated[SomeTime, Field(le=timedelta(minutes=2))] = timedelta(seconds=20)

    @model_validator(mode="after")
    def _named(self) -> "SecondReader":
        if self.url and not self.model:
            raise ValueError("write in model which of its models the endpoint should use")
        return self

    @property
    def endpoint(self) -> str:
        """The address that takes chat completions."""
        return self.url.rstrip("/").removesuffix("/chat/completions") + "/chat/completions"


class Security(_Section):
    """How a contestant is known, and how many registrations are answered: to one address a day, to all an hour.

    Anybody can register in anybody's name, so answers to registrations are letters that strangers make us write.
    """

    plus_addressing: bool = True
    confirm_registration: bool = True
    authserv_id: Annotated[str, Field(pattern=r"^\S*$")] = ""
    registrations_a_day: Some = 3
    registrations_an_hour: Some = 30


class Health(_Listening):
    """The place where the daemon tells how it is, and the shape of its log."""

    listen: ListenHere = ""
    log_format: Literal["text", "json"] = "text"


class Web(_Listening):
    """The desk and the public pages, and under which address they are reached from outside.

    `public`: anybody may see the public pages; the desk always asks for a login.
    """

    url: Page = ""
    public: bool = True

    @model_validator(mode="after")
    def _behind_a_proxy(self) -> "Web":
        if self.listen and not is_loopback(_endpoint(self.listen)[0]) and not self.url.startswith("https://"):
            raise ValueError(
                "listen beyond this machine needs a reverse proxy with TLS before it: write its address in url, or listen at "
                "127.0.0.1"
            )
        return self

    @property
    def address(self) -> str:
        """The address that people open, without a slash at its end."""
        return self.url or f"http://{self.listen}"


class OwnLook(_Section):
    """The host's own look. What is left empty looks as Podium's.

    `button` is the colour of buttons and links, `ground` that behind the sheets; `top` and `foot` are words of letters and
    pages, `logo` is the file of a picture on pages.
    """

    button: Colour = ""
    ground: Colour = ""
    logo: SomeFile = None
    top: Line = ""
    foot: Line = ""

    @model_validator(mode="after")
    def _can_be_read(self) -> "OwnLook":
        under_links = min(
            self.ground or _GROUND, _SHEET, _NOTE, key=lambda paper: contrast(self.button or _SOFT, paper)
        )
        for words, paper, advice in (
            (_WHITE, self.button, "button: white words on {} cannot be read: take a darker colour"),
            (_SOFT, self.ground, "ground: words on {} cannot be read: take a paler colour"),
            (
                self.button,
                under_links,
                "button: links of {} cannot be read on the ground: take a darker colour, or a paler ground",
            ),
        ):
            if words and paper and contrast(words, paper) < READABLE:
                raise ValueError(advice.format(self.button if "button" in advice else self.ground))
        return self

    @property
    def worn(self) -> Look:
        """What letters have of it."""
        return Look(self.button, self.ground, self.top, self.foot)

    def picture(self) -> tuple[str, bytes]:
        """The kind and the bytes of the logo. Raises `ConfigError`."""
        try:
            found = self.logo.read_bytes() if self.logo else b""
        except OSError as error:
            raise ConfigError(f"look.logo: {self.logo} cannot be read: {error.strerror}.") from None
        kind = next((kind for sign, kind in _PICTURES.items() if found.startswith(sign)), "")
        if not kind or len(found) > _LARGEST_LOGO:
            raise ConfigError(f"look.logo: {self.logo} is no PNG, JPEG or GIF of {_LARGEST_LOGO >> 10} KB at most.")
        return kind, found


class GameSettings(_Section):
    """How one game is offered. `seats` is None for the game's fewest; without `starts` an episode begins whenever it can.

    `calls` is how many former players are called to each start.
    """

    reply_within: SomeTime | None = None
    seats: Annotated[int, Field(ge=1)] | None = None
    tables: Annotated[int, Field(ge=1)] = 1
    start: Literal["auto", "host"] = "auto"
    starts: Annotated[Starts, BeforeValidator(read_starts)] | None = None
    calls: Count = 20
    options: dict[str, Any] = {}
    prizes: dict[str, str] = {}

    @model_validator(mode="after")
    def _begun_by_one(self) -> "GameSettings":
        if self.start == "host" and self.starts is not None:
            raise ValueError('with start = "host" you say yourself when an episode begins: leave out start, or starts')
        return self


class Config(_Section):
    """The whole configuration."""

    host: Host
    imap: Imap
    smtp: Smtp
    lmtp: Lmtp = Lmtp()
    oauth: OAuth | None = None
    database: Database = Database()
    deadlines: Deadlines = Deadlines()
    reader: SecondReader = SecondReader()
    security: Security = Security()
    health: Health = Health()
    web: Web = Web()
    look: OwnLook = OwnLook()
    games: dict[str, GameSettings] = {}
    _secret_files: tuple[Path, ...] = PrivateAttr(())

    @property
    def secret_files(self) -> tuple[Path, ...]:
        """The files that hold a secret: those that are named for one, and the configuration's own where one is in it."""
        return self._secret_files

    @property
    def mailboxes(self) -> tuple[str, ...]:
        """The mailboxes that are read, as the store names them; the first is the one whose outages count."""
        read = (self.imap.mailbox, self.imap.junk) if self.imap.host else ()
        return tuple(each for each in (*read, LMTP_MAILBOX if self.lmtp.listen else "") if each)

    def reply_within(self, slug: str) -> timedelta:
        """How long a contestant of this game has for an answer."""
        settings = self.games.get(slug)
        return (settings.reply_within if settings else None) or self.deadlines.reply_within


def notify_socket(environment: Mapping[str, str] = os.environ) -> str:
    """The place where the service manager hears how the daemon is (sd_notify(3)); empty where there is none."""
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
    """The fault of the values of a section, in a sentence that says what to write; empty where nothing is."""
    try:
        section.model_validate(values)
    except ValidationError as error:
        return error.errors()[0]["msg"].removeprefix("Value error, ")
    return ""


def load(path: Path | None, slugs: Slugs, with_secrets: bool = True) -> Config:
    """The configuration in `path` (default `$PODIUM_CONFIG`, else podium.toml), the environment laid over it.

    Without `with_secrets` files that hold a secret are not read: only who speaks to a mail server needs them. Raises
    `ConfigError`.
    """
    file = path or Path(os.environ.get("PODIUM_CONFIG") or DEFAULT_FILE)
    try:
        data = tomllib.loads(file.read_text("utf-8-sig"))
    except FileNotFoundError:
        raise ConfigError(
            f"There is no {file}: podium init writes one (config.example.toml shows all of it), or name one with --config FILE."
        ) from None
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{file} is not UTF-8 text: save it as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file} is not TOML: {error}.") from None
    return build(data, dict(os.environ), file, slugs, with_secrets)


def build(
    data: dict[str, Any], environment: Mapping[str, str], file: Path, slugs: Slugs, with_secrets: bool = True
) -> Config:
    """The checked configuration of parsed TOML. Raises `ConfigError`, which names each key and what to write."""
    is_secret = _holds_secret(data)
    laid_over = _overlay(data, environment, slugs)
    if _has_no_mailbox(data):
        data["imap"] = NO_MAILBOX
    faults = _game_faults(data.get("games"), slugs)
    try:
        config = Config.model_validate(data)
    except ValidationError as error:
        faults = [*_faults(error), *faults]
    if faults:
        raise ConfigError("\n".join(f"{_source(each, laid_over) or file}: {each}" for each in faults))
    try:
        return _found_at(config, file.resolve(), is_secret, with_secrets)
    except ValueError as error:
        raise ConfigError(f"{file}: a path in it can be none ({error}): write another.") from None


def _found_at(config: Config, file: Path, is_secret: bool, with_secrets: bool) -> Config:
    """The same, as it stands in this file: paths absolute, secrets read from their own files. Raises `ConfigError`."""
    folder, url = file.parent, config.database.url
    if config.database.file is not None:
        url = SQLITE + quote(str((folder / config.database.file).resolve()))
    sections: dict[str, Any] = {"database": config.database.model_copy(update={"url": url})}
    faults: list[str] = []
    if config.oauth is not None:
        sections["oauth"] = config.oauth.found_at(file)
    if config.look.logo is not None:
        sections["look"] = config.look.model_copy(update={"logo": (folder / config.look.logo).resolve()})
        try:
            sections["look"].picture()
        except ConfigError as fault:
            faults.append(f"{file}: {fault}")
    secret_files = [file] if is_secret else []
    for name, key in _SECRETS:
        section = sections.get(name) or getattr(config, name)
        named = getattr(section, f"{key}_file", None)
        if named is None:
            continue
        secret_files.append((folder / named).resolve())
        if not with_secrets or getattr(section, key):
            continue
        try:
            secret = (folder / named).read_text("utf-8-sig").rstrip("\r\n")
        except (OSError, UnicodeDecodeError):
            faults.append(f"{file}: {name}.{key}_file: {folder / named} cannot be read.")
            continue
        secret = secret if key == "password" else secret.strip()
        if not re.fullmatch(ONE_LINE, secret):
            faults.append(
                f"{file}: {name}.{key}_file: {folder / named} is no single line of text: leave the password alone in it."
            )
        else:
            sections[name] = section.model_copy(update={key: secret})
    if faults:
        raise ConfigError("\n".join(faults))
    if config.oauth is not None:
        secret_files.append(sections["oauth"].token_file)
    found = config.model_copy(update=sections)
    found._secret_files = tuple(dict.fromkeys(secret_files))
    return found


def _holds_secret(data: Mapping[str, Any]) -> bool:
    """Is a password in the file itself?"""
    sections = {name: part for name, part in data.items() if isinstance(part, dict)}
    url = str(sections.get("database", {}).get("url", ""))
    has_password = re.search(r"://[^/@]*:[^/@]+@|[?&][^=]*pass[^=]*=.", url, re.IGNORECASE)
    return bool(has_password) or any(sections.get(name, {}).get(key) for name, key in _SECRETS)


def _source(fault: str, laid_over: Mapping[str, str]) -> str:
    """The variable that the key of a fault, or the section that it is in, is from; empty for the file."""
    key = re.split(r"[: ]", fault)[0]
    while key not in laid_over and "." in key:
        key = key.rpartition(".")[0]
    return laid_over.get(key, "")


_OF_OPTIONS: Mapping[str, Any] = {"true": True, "false": False}


def _overlay(data: dict[str, Any], environment: Mapping[str, str], slugs: Slugs) -> dict[str, str]:
    """Lay the environment over the data; gives by key the variable that its value is from."""
    laid_over: dict[str, str] = {}
    for variable, value in sorted(environment.items()):
        if not variable.startswith(ENVIRONMENT_PREFIX) or "__" not in variable:
            continue
        keys = variable.removeprefix(ENVIRONMENT_PREFIX).lower().split("__")
        if keys[0] == "games" and len(keys) > 1:
            keys[1] = next((slug for slug in slugs if slug.replace("-", "_") == keys[1]), keys[1])
        section = data
        for depth, key in enumerate(keys[:-1], 1):
            if key not in section:
                section[key] = {}
                laid_over[".".join(keys[:depth])] = variable
            section = section[key]
            if not isinstance(section, dict):
                raise ConfigError(f"{variable} does not fit: {key} is no section of the configuration.")
        is_option = keys[0] == "games" and keys[2:-1] == ["options"]  # whose types the room knows
        laid_over[".".join(keys)] = variable
        section[keys[-1]] = (
            _OF_OPTIONS.get(value, int(value) if re.fullmatch(r"\d{1,9}", value) else value) if is_option else value
        )
    return laid_over


def _has_no_mailbox(data: Mapping[str, Any]) -> bool:
    """Does mail come by LMTP alone? Then `[imap]` may be absent, or have no host."""
    lmtp, imap = data.get("lmtp"), data.get("imap", {})
    is_fed = isinstance(lmtp, dict) and bool(lmtp.get("listen"))
    return is_fed and isinstance(imap, dict) and not imap.get("host") and imap.keys() <= Imap.model_fields.keys()


_TO_WRITE = {
    "tuple_type": 'write a list in brackets, such as ["…", "…"]',
    "model_type": "write a table, [{key}] on a line of its own",
    "dict_type": "write a table, [{key}] on a line of its own",
    "string_pattern_mismatch": "it cannot be written so; config.example.toml shows it",
}
"""What to write instead, by the kind of a fault for which pydantic has only its own words."""


def _faults(error: ValidationError) -> list[str]:
    """The faults, a sentence a key."""
    found: dict[str, str] = {}
    for each in error.errors():
        key = ".".join(str(part) for part in each["loc"])
        reason = each["msg"].removeprefix("Value error, ")
        if each["type"] == "extra_forbidden":
            words = f"{key}: there is no such key; see config.example.toml for the keys there are."
        elif each["type"] == "missing":
            words = f"{key} is missing; config.example.toml shows it."
        elif each["type"] in _TO_WRITE:
            words = f"{key}: {_TO_WRITE[each['type']].format(key=key)}."
        elif "timedelta" in reason:
            words = f"{key}: that is too long or too short; config.example.toml shows it."
        else:
            words = f"{key}: {reason[0].lower()}{reason[1:]}."
        found.setdefault(key, words)
    return list(found.values())


def _game_faults(games: object, slugs: Slugs) -> list[str]:
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


def _endpoint(value: str) -> tuple[str, int]:
    found = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\s:\[\]]+)):(\d{1,5})", value, re.ASCII)
    if not found or not 1 <= int(found[3]) <= 65535:
        raise ValueError(_LISTEN)
    return found[1] or found[2], int(found[3])
