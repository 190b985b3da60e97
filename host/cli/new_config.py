"""Pure: the text of a new configuration. In: what a host answered and what was found out. Out: TOML with comments."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class NewServer:
    """A mail server; with no `username` there is no login. The limits are the provider's, 0 for none known."""

    host: str
    port: int
    security: str
    username: str
    junk: str = ""
    letters_a_minute: int = 0
    letters_a_day: int = 0


@dataclass(frozen=True)
class NewHost:
    """A host that is about to be. `password_file` is written as it stands, relative to the configuration.

    `plus` is why plus addressing is on or off, in words. With `oauth` (a provider) there is no password.
    """

    name: str
    address: str
    operators: tuple[str, ...]
    timezone: str
    imap: NewServer
    smtp: NewServer
    games: tuple[str, ...]
    password_file: str = ""
    has_plus: bool = True
    plus: str = ""
    web: str = ""
    oauth: str = ""
    client_id: str = ""
    tenant: str = ""


def with_plus(new: NewHost, has_plus: bool, why: str) -> NewHost:
    """The same with plus addressing on or off."""
    return replace(new, has_plus=has_plus, plus=why)


def text(new: NewHost) -> str:
    """The whole file."""
    parts = [_host(new), _imap(new), _smtp(new), _oauth(new), _security(new), _web(new), *map(_game, new.games)]
    head = "# Written by podium init. All keys there are, with their meaning: config.example.toml\n"
    return head + "".join(f"\n{part}" for part in parts if part)


def _host(new: NewHost) -> str:
    return _table(
        "host",
        ("name", new.name, "signs the letters"),
        ("address", new.address, "where contestants write to"),
        ("operators", list(new.operators), "who gets alerts, and may command by mail"),
        ("timezone", new.timezone, "letters tell times in it, and in UTC"),
        ("community", "TGSF", "where contestants have the nickname that the registration asks for"),
    )


def _imap(new: NewHost) -> str:
    junk = (("junk", new.imap.junk, "is read too, since replies may land there"),) if new.imap.junk else ()
    return _table("imap", *_server(new.imap, new.password_file), *junk)


def _smtp(new: NewHost) -> str:
    limits = [
        (key, value, f"what the provider lets through in a {unit}")
        for key, value, unit in (
            ("letters_a_minute", new.smtp.letters_a_minute, "minute"),
            ("letters_a_day", new.smtp.letters_a_day, "day"),
        )
        if value
    ]
    return _table("smtp", *_server(new.smtp, new.password_file), *limits)


def _server(server: NewServer, password_file: str) -> list[tuple[str, object, str]]:
    rows: list[tuple[str, object, str]] = [
        ("host", server.host, ""),
        ("port", server.port, ""),
        ("security", server.security, ""),
        ("username", server.username, "" if server.username else "no login: the server is on this machine"),
    ]
    if password_file and server.username:
        rows.append(("password_file", password_file, "for its owner's eyes only"))
    return rows


def _oauth(new: NewHost) -> str:
    if not new.oauth:
        return ""
    return _table(
        "oauth",
        ("provider", new.oauth, "docs/oauth.md tells how to register Podium there"),
        ("client_id", new.client_id, "the application (client) ID that you get there"),
        ("tenant", new.tenant, "consumers, or your organisation's domain"),
    )


def _security(new: NewHost) -> str:
    return _table("security", ("plus_addressing", new.has_plus, new.plus))


def _web(new: NewHost) -> str:
    return _table("web", ("listen", new.web, "the desk and the public pages, on this machine")) if new.web else ""


def _game(slug: str) -> str:
    return f"[games.{slug}]\n"


def _table(name: str, *rows: tuple[str, object, str]) -> str:
    lines = [(f"{key} = {value(each)}", comment) for key, each, comment in rows]
    width = max(len(line) for line, _ in lines)
    return f"[{name}]\n" + "".join(
        f"{line:<{width}}  # {comment}\n" if comment else f"{line}\n" for line, comment in lines
    )


def value(each: object) -> str:
    """A value in TOML. A string of JSON is one of TOML, but for DEL, which TOML wants escaped."""
    if isinstance(each, Sequence) and not isinstance(each, str):
        return f"[{', '.join(map(value, each))}]"
    return json.dumps(each, ensure_ascii=False).replace("\x7f", "\\u007f")
