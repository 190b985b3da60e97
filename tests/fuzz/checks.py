"""Pure: what must hold for any mail. In: a `Fuzzed`, or lines. Out: findings, a sentence each; none where all is well.

Each finding begins with what kind it is, so that the same one in a thousand mails is counted as one.
"""

import functools
import json
import random
import re
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

from host.engine.chance import Chance
from host.engine.game import HOST, Game
from host.games import GAMES
from host.mail.inbound.authentication import topmost_id, verdict
from host.mail.inbound.mail import Mail, Typed, mail_from_json
from host.mail.inbound.peek import HEAD, peek
from host.mail.inbound.quotation import may_quote
from host.mail.inbound.reply import open_mail
from host.play.interpret import interpret
from host.play.interpretation import Interpretation, ReplyContext
from tests.fuzz.mails import Fuzzed
from tests.games.playouts import playout
from tests.mail.inbound.typed import typed_in

T = TypeVar("T")
PLAYOUTS = 3
SHARE = 0.25
"""Of the mails, how many go through the dearer checks too: the headers alone, and a game that hears the lines."""
_TOKEN = re.compile(r"[a-z2-7]{26}")
_MARKER = re.compile(r" q\d+$")


class Raised(Exception):
    """Something under test raised; the message says where and what."""


def tried(where: str, action: Callable[[], T]) -> T:
    """What the action gives. Raises `Raised` for whatever it raises."""
    try:
        return action()
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        own = [each for each in frames if "/host/" in each.filename] or list(frames)
        place = f"{own[-1].filename.rpartition('/')[2]}:{own[-1].lineno}"
        raise Raised(f"{where} raised {type(error).__name__} at {place}: {str(error)[:120]!r}") from error


def check_mail(mail: Fuzzed) -> list[str]:
    """What is wrong with how this mail is read, heard and written down."""
    try:
        return list(_mail_findings(mail))
    except Raised as error:
        return [str(error)]


def _mail_findings(fuzzed: Fuzzed) -> Iterator[str]:
    rng = random.Random(fuzzed.number)
    mail = tried("open_mail", lambda: open_mail(fuzzed.raw))
    yield from _field_findings(mail)
    if mail.problem and "apart" in mail.problem and "RecursionError" not in mail.problem:
        yield f"problem: {mail.problem}"
    again = tried("JSON", lambda: mail_from_json(json.loads(json.dumps(asdict(mail), default=sorted))))
    if again != mail:
        yield "round trip: a mail differs after JSON"
    if len(tried("content_key", lambda: mail.content_key)) != 64:
        yield "content key: its length is not 64"
    seen = tried("peek", lambda: peek(fuzzed.raw))
    is_plain = (
        re.fullmatch(r"[\w.+-]+@[\w.-]+", mail.sender, re.ASCII) and mail.sender.encode() in fuzzed.raw[:HEAD].lower()
    )
    if not mail.problem and is_plain and mail.sender not in seen.senders:
        yield f"glance: {mail.sender!r} is not among {seen.senders!r}"
    trusted = rng.choice(
        ("mx.example.org", "microsoft", "", tried("topmost_id", lambda: topmost_id(mail.authentication)))
    )
    tried("verdict", lambda: verdict(mail.authentication, trusted, mail.sender))
    tried("may_quote", lambda: may_quote(mail.text))
    typed = tried("typed", lambda: typed_in(mail, fuzzed.letters))
    yield from _line_findings(fuzzed, mail, typed)
    if rng.random() < SHARE:
        yield from check_hearing(typed.lines, rng)


def _field_findings(mail: Mail) -> Iterator[str]:
    texts = {"sender": mail.sender, "display_name": mail.display_name, "subject": mail.subject}
    texts |= {"message_id": mail.message_id, "problem": mail.problem or "", "text": mail.text}
    texts |= {"references": " ".join(mail.references), "authentication": " ".join(mail.authentication)}
    if mail.bounce:
        texts |= {"said": mail.bounce.said, "recipients": " ".join(sorted(mail.bounce.recipients))}
    yield from storable(texts)
    for name, tokens in (("token", mail.tokens), ("bounce's token", mail.bounce.tokens if mail.bounce else ())):
        if not all(_TOKEN.fullmatch(token) for token in tokens):
            yield f"{name}: it is no token"
    if re.search(r"[\x00-\x20\x7f]", mail.sender):
        yield "sender: it holds a control character or white space"


def storable(texts: dict[str, str]) -> Iterator[str]:
    """Whatever a database refuses: surrogates cannot be UTF-8, and PostgreSQL has no NUL in its texts."""
    for name, text in texts.items():
        if "\0" in text:
            yield f"{name}: it holds NUL"
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            yield f"{name}: it holds a lone surrogate"


def _line_findings(fuzzed: Fuzzed, mail: Mail, typed: Typed) -> Iterator[str]:
    yield from storable({"lines": "\n".join(typed.lines), "doubtful": "\n".join(typed.doubtful)})
    if fuzzed.quoted and any(_MARKER.search(line) for line in typed.lines):
        yield "quotation: a line marked with > was taken for typed"
    if not fuzzed.reading:
        return
    reading = fuzzed.reading
    found = (mail.sender, mail.silence, mail.tokens[0] if mail.tokens and not reading.silence else None)
    wanted = (reading.sender, reading.silence, reading.token if not reading.silence else None)
    if found != wanted:
        yield f"carried otherwise: {reading.name} gives {found}"
    if reading.lines is not None and typed.lines != reading.lines:
        yield f"carried otherwise: {reading.name} has the lines {typed.lines}"


# Hearing


@functools.cache
def states(slug: str) -> tuple[Any, ...]:
    """States of a game that was played at random, from the deal to the end."""
    return tuple(state for number in range(PLAYOUTS) for state in playout(slug, number).states)


def check_hearing(lines: Sequence[str], rng: random.Random, slug: str = "") -> list[str]:
    """What is wrong with how these lines are heard, in some state of a game (any where `slug` is empty)."""
    game = GAMES[slug or rng.choice(list(GAMES))]
    state = rng.choice(states(game.slug))
    questions = game.questions(state)
    seat = rng.choice([*[each.seat for each in questions] * 3, HOST, *range(len(game.winnings(state)))])
    reply = ReplyContext(
        frozenset(question.key for question in questions if rng.random() < 0.8),
        is_unasked=rng.random() < 0.2,
        sent_before=frozenset({"resign yes", "fold"}) if rng.random() < 0.1 else frozenset(),
        blocked="The episode is paused." if rng.random() < 0.1 else None,
        written_at=rng.choice((None, state, rng.choice(states(game.slug)))),
        takes_text=rng.random() < 0.7,
    )
    chance = Chance(bytes(32))
    try:
        heard = tried(f"hear in {game.slug}", lambda: interpret(game, state, seat, lines, reply, chance))
        return list(_heard_findings(game, state, seat, heard, reply, chance))
    except Raised as error:
        return [str(error)]


def _heard_findings(
    game: Game[Any, Any], state: Any, seat: int, heard: Interpretation, reply: ReplyContext, chance: Chance
) -> Iterator[str]:
    if (reply.blocked or not heard.said) and (heard.state != state or heard.events):
        yield f"hearing: {game.slug} changed without a command"
    played = state
    for text in heard.said:
        command = tried(f"canonical words of {game.slug}", functools.partial(game.parse, text, played, seat))
        played = tried(f"what {game.slug} played", functools.partial(game.apply, played, seat, command, chance)).state
    if played != heard.state:
        yield f"hearing: {game.slug} played something other than it said"
    for view in (None, HOST, 0):
        tried(f"view of {game.slug}", functools.partial(game.view, heard.state, view))
    for question in tried(f"questions of {game.slug}", lambda: game.questions(heard.state)):
        if not tried(f"choices of {game.slug}", functools.partial(game.choices, heard.state, question)):
            yield f"hearing: {game.slug} asks what cannot be answered"
    if any(amount < 0 for amount in tried("winnings", lambda: game.winnings(heard.state))):
        yield f"hearing: winnings of {game.slug} are below zero"
    texts = {"said": "\n".join(heard.said), "to_host": heard.to_host, "leaving": heard.leaving}
    texts |= {"chat": "\n".join((*heard.chat, *heard.untried)), "ahead": "\n".join(each.text for each in heard.ahead)}
    texts |= {"scope": "\n".join(each.scope for each in heard.ahead)}
    if heard.refused:
        texts |= {"refused": heard.refused.line + heard.refused.reason}
    yield from (f"heard {each}" for each in storable(texts))
