"""Shell: what `podium init` asks besides the mailbox. In: options. Out: questions, and answers that can be used."""

import argparse
from dataclasses import dataclass

from host.cli.asking import Asker, Question
from host.cli.mailbox import GivenServers, given_servers
from host.cli.terminal import Failure
from host.config import Host, machine_timezone, problem_in
from host.games import GAMES

ALL, NOBODY = "all", "none"
_SOME_ADDRESS = "games@example.org"
_YES, _NO = ("yes", "y", "true", "on"), ("no", "n", "false", "off")
Asked = tuple[Question, str | None]


@dataclass(frozen=True)
class Given:
    """Each question with the answer that an option has, checked."""

    address: Asked
    client_id: Asked
    name: Asked
    games: Asked
    operator: Asked
    timezone: Asked
    web: Asked
    servers: GivenServers


@dataclass(frozen=True)
class Answers:
    """What the host said."""

    name: str
    games: tuple[str, ...]
    operators: tuple[str, ...]
    timezone: str
    has_web: bool


def checked(arguments: argparse.Namespace) -> Given:
    """The questions, and what the options answer. Raises `Failure` where an option holds what cannot be used."""
    web = None if arguments.web is None else _YES[0] if arguments.web else _NO[0]
    given = Given(
        address=(Question("--address", "Mail address of the games", _address_problem), arguments.address),
        client_id=(_client_id(), arguments.client_id),
        name=(Question("--name", "Your name as the host", _name_problem, "The Millionaire"), arguments.name),
        games=(
            Question("--games", f"Games, of {', '.join(sorted(GAMES))}", _games_problem, ALL),
            arguments.games,
        ),
        operator=(
            Question("--operator", "Your own address, for alerts and commands", _operator_problem, NOBODY),
            arguments.operator,
        ),
        timezone=(Question("--timezone", "Time zone", _zone_problem, machine_timezone()), arguments.timezone),
        web=(Question("--web", "Pages for you at http://127.0.0.1:8025", _yes_problem, _YES[0]), web),
        servers=given_servers(arguments),
    )
    for question, answer in (given.address, given.name, given.games, given.operator, given.timezone):
        problem = "" if answer is None else question.problem(answer)
        if problem:
            raise Failure(f"{question.option}: {problem}.")
    return given


def answered(asker: Asker, given: Given, address: str) -> Answers:
    """What the mailbox does not tell. Raises `Failure`."""
    name = asker.answer(*given.name)
    games = asker.answer(*given.games)
    operator = asker.answer(_other_than(given.operator[0], address), given.operator[1])
    zone = asker.answer(*given.timezone)
    web = asker.answer(*given.web)
    return Answers(
        name=name,
        games=tuple(GAMES) if games == ALL else tuple(dict.fromkeys(_parts(games))),
        operators=() if operator == NOBODY else tuple(dict.fromkeys(_parts(operator))),
        timezone=zone,
        has_web=web.lower() in _YES,
    )


def password_question(address: str) -> Question:
    """The password of the mailbox; what is typed is not shown."""
    return Question("--password-file", f"Password of {address} (not shown)", _password_problem, is_secret=True)


def _client_id() -> Question:
    return Question("--client-id", "Client ID of Podium at the provider", _name_problem, "write-the-client-id-here")


def _other_than(question: Question, address: str) -> Question:
    """The same question, to which the games' own address is no answer: alerts would be read as replies."""

    def problem(text: str) -> str:
        is_same = address.lower() in (each.lower() for each in _parts(text))
        return "write another address than that of the games" if is_same else question.problem(text)

    return Question(question.option, question.words, problem, question.default)


def _parts(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def _address_problem(text: str) -> str:
    return _writable(text) or problem_in(Host, {"address": text})


def _name_problem(text: str) -> str:
    return _writable(text) or problem_in(Host, {"address": _SOME_ADDRESS, "name": text})


def _zone_problem(text: str) -> str:
    return problem_in(Host, {"address": _SOME_ADDRESS, "timezone": text})


def _operator_problem(text: str) -> str:
    if text == NOBODY:
        return ""
    problem = _writable(text) or problem_in(Host, {"address": _SOME_ADDRESS, "operators": _parts(text)})
    return problem or ("" if _parts(text) else f"write an address, or {NOBODY}")


def _games_problem(text: str) -> str:
    unknown = [each for each in _parts(text) if each not in GAMES]
    is_good = text == ALL or (_parts(text) and not unknown)
    return "" if is_good else f"write {ALL}, or some of {', '.join(sorted(GAMES))} with commas between"


def _yes_problem(text: str) -> str:
    return "" if text.lower() in (*_YES, *_NO) else "write yes or no"


def _password_problem(text: str) -> str:
    if not text:
        return "write the password of the mailbox"
    return _writable(text) or ("" if text.isprintable() else "a password is one line without control characters")


def _writable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return "write it in UTF-8"
    return ""
