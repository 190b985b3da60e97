"""Shell: `podium init`. In: a mail address and a few answers, typed or given as options. Out: a host that can be run.

The servers are found and a login proves them before anything is written; then all is written at once, or nothing. Each file is
written whole under another name and then given its own. The password, beside the configuration, is readable by its owner alone
from the first moment. What was there before stays beside it as `.bak`.
"""

import argparse
import asyncio
import json
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from host.cli import asking, check
from host.cli.asking import NOTHING_WRITTEN, Asker, Mailbox, Question, given_servers, look_up
from host.cli.terminal import SLUGS, Failure, parts, tell
from host.config import Config, Host, Imap, Security, Server, Smtp, given_password, load
from host.engine.words import table
from host.games import GAMES
from host.mail.discovery import Network
from host.mail.outbound.announcement import registration_link
from host.mail.proving import Login, Unproved, knock, prove_imap, prove_smtp

PLUS_SECONDS = 12.0
SECRET, OPEN = 0o600, 0o644
WEB = "127.0.0.1:8025"
HEAD = "# Written by podium init. All keys there are, with their meaning: config.example.toml\n"
NO_LOGIN = "no login: the server is on this machine"
Check = Callable[[Path], object]
"""Reads a new file, and raises where it cannot be used."""


def run(arguments: argparse.Namespace, network: Network | None = None, asker: Asker | None = None) -> int:
    """Ask, find, prove, write, check. `network` and `asker` are others in tests."""
    file: Path = arguments.config
    network, asker = network or Network(), asker or Asker(arguments.yes)
    refuse_existing(file, arguments.force)
    servers = given_servers(arguments)
    asked = asking.questions(arguments)
    address = asker.answer(asked["--address"])
    mailbox = asyncio.run(look_up(address, servers, arguments.username, network))
    provider = mailbox.provider
    if provider.refuses:
        raise Failure(f"{provider.refuses} {NOTHING_WRITTEN.capitalize()}.")
    if mailbox.is_known:
        tell(f"This is a mailbox of {provider.name}. {provider.wants}".rstrip())
    password: str | None = None
    client_id = ""
    if provider.oauth:
        client_id = asker.answer(asked["--client-id"])
        imap, smtp = mailbox.unproved("")
    else:
        imap, smtp, password = _proved(arguments, mailbox.without_strangers(asker), network, asker)
    host, slugs, bank, has_web = _answered(asker, asked, address)
    has_plus, why = _plus(mailbox, imap, smtp, arguments.without_login)
    secret = password_file(file)
    login = {} if provider.oauth else {"password_file": str(secret.relative_to(file.parent))}
    tenant = mailbox.domain if provider.tenant == "common" else provider.tenant
    limits = {"letters_a_minute": provider.letters_a_minute, "letters_a_day": provider.letters_a_day}
    sections = {
        "host": host.model_dump(),
        "imap": _server(imap, login, {"junk": imap.junk}),
        "smtp": _server(smtp, login, limits),
        "oauth": {"provider": provider.oauth, "client_id": client_id, "tenant": tenant} if provider.oauth else {},
        "deadlines": {} if bank == "0" else {"time_bank": bank},
        "security": {"plus_addressing": has_plus},
        "web": {"listen": WEB} if has_web else {},
    }
    text = config_text(sections, slugs, why)
    kept = put(file, text, password, arguments.force, lambda each: load(each, SLUGS))
    for each in kept:
        tell(f"What was there before is {each}.")
    tell(f"{file} is written" + (f", the password to {secret}." if login else "."))
    named = shlex.quote(str(file))
    if provider.oauth:
        tell("\nNext:")
        if client_id == asking.LATER:
            tell(f"  register Podium at the provider as docs/oauth.md tells, and write client_id into {file}")
        tell(f"  podium login --config {named}    lets Podium into the mailbox")
        tell(f"  podium check --config {named}    says whether all works; then podium run")
        return 0
    status = 0
    if not arguments.without_login:
        tell("\npodium check says:")
        status = check.run(argparse.Namespace(config=file))
    wrong = f"Put right what is WRONG, in {file}, then: podium check --config {named}. After that:"
    tell(f"\n{wrong if status else 'Next:'}")
    if not host.operators:
        tell(f"  operators in {file}: nobody gets alerts, or may log in to the pages, until your address stands there")
    if any(GAMES[slug].bank is not None for slug in slugs):
        tell(f"  podium questions import starter --config {named}    questions to begin with")
    tell(f"  podium run --config {named}    starts the host; docs/podium.service has systemd run it always")
    tell(f"  {registration_link(GAMES[slugs[0]], host.address, 'TGSF')}")
    tell("    registers you, when you open it in your browser or mail program")
    return status


def _answered(asker: Asker, asked: dict[str, Question], address: str) -> tuple[Host, list[str], str, bool]:
    """The host, the games, the time bank, and whether there are pages: all that the mailbox does not tell. Raises `Failure`."""
    asked["--operator"] = asking.other_than(asked["--operator"], address)
    name, games, operator, timezone = (
        asker.answer(asked[option]) for option in ("--name", "--games", "--operator", "--timezone")
    )
    bank = asker.answer(asked["--time-bank"]) if asker.is_quiet or asker.may_ask(2) else "0"  # and the pages
    web = asker.answer(asked["--web"])
    operators = () if operator == asking.NOBODY else tuple(parts(operator))
    host = Host(name=name, address=address, operators=operators, timezone=timezone)
    return host, list(GAMES) if games == asking.ALL else parts(games), bank, web.lower() in asking.YES


def _server(settings: Server, login: dict[str, str], more: Mapping[str, object]) -> dict[str, object]:
    """The section of a server; there is no login without a username, and what is empty of `more` is left out."""
    found: dict[str, object] = settings.model_dump(include={"host", "port", "security", "username"})
    return found | (login if settings.username else {}) | {key: value for key, value in more.items() if value}


def _proved(arguments: argparse.Namespace, mailbox: Mailbox, network: Network, asker: Asker) -> tuple[Imap, Smtp, str]:
    """Settings that a login proved, and the password. Raises `Failure`."""
    question = asking.password_question(mailbox.address, _given_password(arguments))
    password = asker.answer(question)
    if arguments.without_login:
        return *mailbox.unproved(password), password
    for _ in range(asking.MAX_TRIES + 2):  # a password may be wrong, and two servers
        tell(f"Logging in as {mailbox.usernames[0]} ...")
        try:
            imap, smtp = asyncio.run(_log_in(mailbox, password, network))
        except Unproved as error:
            sentence = mailbox.in_words(error)
            if error.is_refusal and question.given is None and asker.may_ask(0):
                tell(sentence)
                password = asker.answer(question)
            elif not error.is_refusal and asker.may_ask() and error.protocol not in mailbox.given:
                tell(sentence)
                mailbox = mailbox.asked_for(error.protocol, asker)
            else:
                raise Failure(f"{sentence} {NOTHING_WRITTEN.capitalize()}.") from None
        else:
            tell(
                f"Logged in: IMAP {imap.host}:{imap.port} ({imap.security}), SMTP {smtp.host}:{smtp.port} ({smtp.security})."
            )
            return imap, smtp, password
    raise Failure(f"No login worked; {NOTHING_WRITTEN}.")


async def _log_in(mailbox: Mailbox, password: str, network: Network) -> tuple[Imap, Smtp]:
    """Both servers. Raises `Unproved`."""
    login = Login(mailbox.usernames, password)
    places = mailbox.places
    found = {protocol: await knock(protocol, places[protocol], network.seconds) for protocol in places}
    return await prove_imap(found["imap"], login), await prove_smtp(found["smtp"], login)


def _given_password(arguments: argparse.Namespace) -> str | None:
    """The password of --password-file or the environment. Raises `Failure`."""
    if arguments.password_file is None:
        return given_password() or None
    try:
        text: str = arguments.password_file.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise Failure(f"--password-file: {arguments.password_file} cannot be read; {NOTHING_WRITTEN}.") from None
    return text.rstrip("\r\n")


def _plus(mailbox: Mailbox, imap: Imap, smtp: Smtp, is_unproved: bool) -> tuple[bool, str]:
    """Does mail to the address with a plus arrive? And how that is known."""
    has_plus, name, address = mailbox.provider.plus, mailbox.provider.name, mailbox.address
    if has_plus is not None:
        return has_plus, f"{name} {'takes' if has_plus else 'takes no'} mail to addresses with a plus"
    if is_unproved:
        return False, "not tried"
    user, _, domain = address.rpartition("@")
    tell(f"Writing two letters to ourselves, one to {user}+...@{domain}, to see whether both arrive ...")
    config = Config(host=Host(address=address), imap=imap, smtp=smtp, security=Security(plus_addressing=True))
    has_plus = asyncio.run(check.has_plus(config, PLUS_SECONDS))
    words = "mail to an address with a plus arrived" if has_plus else "mail to an address with a plus did not arrive"
    tell(f"  {words}: plus_addressing = {'true' if has_plus else 'false, the token stands in the subject instead'}.")
    return has_plus, f"tried: {words}"


def config_text(sections: Mapping[str, Mapping[str, object]], slugs: Sequence[str], plus: str) -> str:
    """The whole configuration file, without the sections that are empty. `plus` says why plus addressing is on or off."""
    parts = [f"\n[{name}]\n{_lines(values, plus)}" for name, values in sections.items() if values]
    return HEAD + "".join([*parts, *(f"\n[games.{slug}]\n" for slug in slugs)])


def _lines(values: Mapping[str, object], plus: str) -> str:
    comments = table("host.cli", "comments.toml") | {"plus_addressing": plus}
    if not values.get("username"):
        comments["username"] = NO_LOGIN
    lines = [(f"{key} = {_value(each)}", comments.get(key)) for key, each in values.items()]
    width = max(len(line) for line, _ in lines)
    return "".join(f"{line:<{width}}  # {comment}\n" if comment else f"{line}\n" for line, comment in lines)


def _value(each: object) -> str:
    """A value in TOML. A string of JSON is one of TOML, but for DEL, which TOML wants escaped."""
    if isinstance(each, Sequence) and not isinstance(each, str):
        return f"[{', '.join(map(_value, each))}]"
    return json.dumps(each, ensure_ascii=False).replace("\x7f", "\\u007f")


def password_file(file: Path) -> Path:
    """The place of the password of the configuration `file`."""
    return file.parent / f"{file.stem}-secrets" / "password"


def refuse_existing(file: Path, is_forced: bool) -> None:
    """Can `file` be written? Raises `Failure` before anybody is asked anything."""
    if not file.parent.is_dir():
        raise Failure(f"There is no folder {file.parent}: make it first, or name another file with --config.")
    if os.path.lexists(file) and not is_forced:
        raise Failure(f"There is a {file} already, and nothing was changed: --force replaces it and keeps it as .bak.")
    if os.path.lexists(file) and not file.is_file():
        raise Failure(f"{file} is no file: name another one with --config.")
    if not os.access(file.parent, os.W_OK | os.X_OK):
        raise Failure(
            f"Nothing can be written in {file.parent.resolve()}: look at its rights, or name another --config."
        )


def put(file: Path, text: str, password: str | None, is_forced: bool, check: Check) -> list[Path]:
    """Write the configuration and the password, if there is one; gives the copies of what was there before.

    `check` reads the new configuration before it gets its name, and raises where it cannot be used. Raises `Failure`.
    """
    kept: list[Path] = []
    try:
        with ExitStack() as undo:
            if password is not None:
                secret = password_file(file)
                if not secret.parent.is_dir():
                    secret.parent.mkdir(mode=0o700)
                    undo.callback(_remove_folder, secret.parent)
                kept += _put(secret, f"{password}\n", SECRET, undo)
            kept += _put(file, text, OPEN, undo, check, is_forced)
            undo.pop_all()
    except FileExistsError as error:
        raise Failure(f"There is a {error.filename2 or error.filename} already, and nothing was changed.") from None
    except OSError as error:
        raise Failure(f"{error.filename or file} cannot be written ({error.strerror}); nothing was changed.") from None
    return kept


def _put(
    file: Path, text: str, mode: int, undo: ExitStack, check: Check = Path.exists, may_replace: bool = True
) -> list[Path]:
    """Write a file with these rights, on the disk before it gets its name; gives the copy of what had that name, if any."""
    new = file.with_name(f".{file.name}.new-{os.getpid()}")
    undo.callback(new.unlink, missing_ok=True)
    with os.fdopen(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode), "w", encoding="utf-8", newline="") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    check(new)
    if not (may_replace and file.exists()):
        os.link(new, file)  # fails where somebody else has made it meanwhile
        undo.callback(file.unlink)
        new.unlink()
        return []
    names = [file.with_name(f"{file.name}.bak{number or ''}") for number in range(100)]
    backup = next((each for each in names if not os.path.lexists(each)), names[0])
    os.link(file, backup)
    undo.callback(backup.replace, file)
    new.replace(file)
    return [backup]


def _remove_folder(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()
