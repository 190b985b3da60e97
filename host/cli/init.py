"""Shell: `podium init`. In: a mail address and a few answers, typed or given as options. Out: a host that can be run.

The servers are found and a login proves them before anything is written; then all is written at once, or nothing.
"""

import argparse
import asyncio
import shlex
from pathlib import Path

from host.cli import check, new_config, new_files, roundtrip
from host.cli.answers import Answers, answered, checked, password_question
from host.cli.asking import MAX_TRIES, NOTHING_WRITTEN, Asker
from host.cli.mailbox import Mailbox, choose, look_up, settings_without_login
from host.cli.new_config import NewHost, NewServer
from host.cli.terminal import SLUGS, Failure, tell
from host.config import Config, Host, Imap, Security, Smtp, given_password, load
from host.games import GAMES
from host.mail.discovery import Network
from host.mail.outbound.announcement import registration_link
from host.mail.proving import Login, Unproved, prove_imap, prove_smtp

PLUS_SECONDS = 12.0
LATER = "write-the-client-id-here"
WEB = "127.0.0.1:8025"


def run(arguments: argparse.Namespace, network: Network | None = None, asker: Asker | None = None) -> int:
    """Ask, find, prove, write, check. `network` and `asker` are others in tests."""
    file: Path = arguments.config
    network, asker = network or Network(), asker or Asker(arguments.yes)
    new_files.refuse_existing(file, arguments.force)
    given = checked(arguments)
    address = asker.answer(*given.address)
    mailbox = asyncio.run(look_up(address, given.servers, arguments.username, network))
    if mailbox.refuses:
        raise Failure(f"{mailbox.refuses} {NOTHING_WRITTEN.capitalize()}.")
    if mailbox.words:
        tell(mailbox.words)
    password: str | None = None
    client_id = ""
    if mailbox.oauth:
        client_id = asker.answer(*given.client_id)
        imap, smtp = settings_without_login(mailbox, "")
    else:
        imap, smtp, password = _proved(arguments, choose(mailbox, asker), network, asker)
    answers = answered(asker, given, address)
    new = _new_host(file, mailbox, answers, imap, smtp, client_id)
    if mailbox.plus is None and not arguments.without_login:
        new = _with_plus_tried(new, imap, smtp)
    kept = new_files.put(file, new_config.text(new), password, arguments.force, lambda each: load(each, SLUGS))
    for each in kept:
        tell(f"What was there before is {each}.")
    tell(
        f"{file} is written" + (f", the password to {new_files.password_file(file)}." if password is not None else ".")
    )
    if mailbox.oauth:
        return _tell_of_login(file, client_id)
    status = 0 if arguments.without_login else _check(file)
    _tell_what_is_next(file, new, status)
    return status


def _proved(arguments: argparse.Namespace, mailbox: Mailbox, network: Network, asker: Asker) -> tuple[Imap, Smtp, str]:
    """Settings that a login proved, and the password. Raises `Failure`."""
    question = password_question(mailbox.address)
    given = _given_password(arguments)
    password = asker.answer(question, given)
    if arguments.without_login:
        return *settings_without_login(mailbox, password), password
    for _ in range(MAX_TRIES + 2):  # a password may be wrong, and two servers
        tell(f"Logging in as {mailbox.usernames[0]} ...")
        try:
            imap, smtp = asyncio.run(_log_in(mailbox, password, network))
        except Unproved as error:
            sentence = mailbox.in_words(error)
            if error.is_refusal and given is None and asker.may_ask(0):
                tell(sentence)
                password = asker.answer(question, None)
            elif not error.is_refusal and asker.may_ask() and not mailbox.is_given(error.protocol):
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
    imap_places, smtp_places = await mailbox.knocked(network.seconds)
    imap, junk = await prove_imap(imap_places, login)
    smtp = await prove_smtp(smtp_places, login)
    return imap.model_copy(update={"junk": junk}), smtp


def _given_password(arguments: argparse.Namespace) -> str | None:
    """What --password-file or the environment has. Raises `Failure`."""
    if arguments.password_file is None:
        return given_password() or None
    try:
        text: str = arguments.password_file.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise Failure(f"--password-file: {arguments.password_file} cannot be read; {NOTHING_WRITTEN}.") from None
    return text.rstrip("\r\n")


def _new_host(file: Path, mailbox: Mailbox, answers: Answers, imap: Imap, smtp: Smtp, client_id: str) -> NewHost:
    secret = new_files.password_file(file)
    takes = "takes" if mailbox.plus else "takes no"
    return NewHost(
        name=answers.name,
        address=mailbox.address,
        operators=answers.operators,
        timezone=answers.timezone,
        imap=NewServer(imap.host, imap.port, imap.security, imap.username, junk=imap.junk),
        smtp=NewServer(
            smtp.host,
            smtp.port,
            smtp.security,
            smtp.username,
            letters_a_minute=mailbox.letters_a_minute,
            letters_a_day=mailbox.letters_a_day,
        ),
        games=answers.games,
        password_file="" if mailbox.oauth else str(secret.relative_to(file.parent)),
        has_plus=bool(mailbox.plus),
        plus="not tried" if mailbox.plus is None else f"{mailbox.provider_name} {takes} mail to addresses with a plus",
        web=WEB if answers.has_web else "",
        oauth=mailbox.oauth,
        client_id=client_id,
        tenant=mailbox.tenant,
    )


def _with_plus_tried(new: NewHost, imap: Imap, smtp: Smtp) -> NewHost:
    """The same, with plus addressing on where mail to an address with a plus arrives."""
    user, _, domain = new.address.rpartition("@")
    tell(f"Writing two letters to ourselves, one to {user}+...@{domain}, to see whether both arrive ...")
    host = Host(name=new.name, address=new.address, operators=new.operators, timezone=new.timezone)
    config = Config(host=host, imap=imap, smtp=smtp, security=Security(plus_addressing=True))
    has_plus = asyncio.run(roundtrip.has_plus(config, PLUS_SECONDS))
    words = "mail to an address with a plus arrived" if has_plus else "mail to an address with a plus did not arrive"
    tell(f"  {words}: plus_addressing = {'true' if has_plus else 'false, the token stands in the subject instead'}.")
    return new_config.with_plus(new, has_plus, f"tried: {words}")


def _check(file: Path) -> int:
    tell("\npodium check says:")
    return check.run(argparse.Namespace(config=file))


def _tell_of_login(file: Path, client_id: str) -> int:
    named = shlex.quote(str(file))
    tell("\nNext:")
    if client_id == LATER:
        tell(f"  register Podium at the provider as docs/oauth.md tells, and write client_id into {file}")
    tell(f"  podium login --config {named}    lets Podium into the mailbox")
    tell(f"  podium check --config {named}    says whether all works; then podium run")
    return 0


def _tell_what_is_next(file: Path, new: NewHost, status: int) -> None:
    named = shlex.quote(str(file))
    if status:
        tell(f"\nPut right what is WRONG, in {file}, then: podium check --config {named}. After that:")
    else:
        tell("\nNext:")
    if not new.operators:
        tell(f"  operators in {file}: nobody gets alerts, or may log in to the pages, until your address stands there")
    if any(GAMES[slug].bank is not None for slug in new.games):
        tell(f"  podium questions import starter --config {named}    questions to begin with")
    tell(f"  podium run --config {named}    starts the host; docs/podium.service has systemd run it always")
    tell(f"  {registration_link(GAMES[new.games[0]], new.address, 'TGSF')}")
    tell("    registers you, when you open it in your browser or mail program")
