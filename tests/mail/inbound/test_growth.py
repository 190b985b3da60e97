"""Nothing that meets mail takes more than linear time: patterns, readers and games, on what strangers may make.

How the processor's time grows where the size doubles is only measured in a storm. `make test` reads inputs so large that
what takes the square of their size does not end within the bound of `tests.patience` on any machine.
"""

import ast
import functools
import importlib
import inspect
import pkgutil
import re
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from email.header import decode_header
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import host
from host.engine import grammar, vocabulary
from host.engine.chance import Chance
from host.engine.words import Lazy, table
from host.games import GAMES
from host.mail.inbound.authentication import topmost_id, verdict
from host.mail.inbound.automatic import why_silent
from host.mail.inbound.bounce import read_bounce
from host.mail.inbound.mail import Mail
from host.mail.inbound.page import html_to_text
from host.mail.inbound.parsing import MAX_HEADERS, MAX_LEVELS, MAX_LINES, MAX_PARTS, encoded_words, own_parts, parse
from host.mail.inbound.peek import peek
from host.mail.inbound.quotation import may_quote, read_lines
from host.mail.inbound.reply import open_mail, read_typed, sent_texts
from host.mail.inbound.sent_text import SentText
from host.play import answers, doubts, reading, terms
from host.play.corrections import says_besides, take_correction
from host.play.form_words import phrase
from host.play.interpret import interpret
from host.play.interpretation import ReplyContext
from host.play.prose import Form
from host.play.registration_form import names_another, read_form
from host.play.subjects import wants_in, wish_in, wish_in_body
from tests.fuzz.checks import states
from tests.mail.inbound.attacks import attacks
from tests.mail.inbound.hostile import MAX_BYTES, SHAPES, TOKEN, body, head
from tests.patience import not_for_ever
from tests.size import size

Cost = Callable[[int], float]

FLOOR = 0.02
"""Seconds of the processor below which nothing is compared: they are noise."""
LONGEST = 0.6
"""Seconds after which no larger size is tried."""
STEEP = 3.0
"""Linear is 2, the square is 4."""
SECONDS = 3.0
"""What a mail of the largest size may take; the aim is a tenth of it."""


class TooLong(Exception):
    """The time of one step is over."""


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise TooLong


def seconds(action: Callable[[], object], tries: int = 2, longest: float = LONGEST) -> float:
    """The processor's time that an action takes, at best; no more than `longest`."""
    best = longest
    before = signal.signal(signal.SIGVTALRM, _stop)
    try:
        for _ in range(tries):
            signal.setitimer(signal.ITIMER_VIRTUAL, longest)
            since = time.process_time()
            try:
                action()
            except TooLong:
                return longest
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            best = min(best, time.process_time() - since)
            if best < FLOOR:
                break
    finally:
        signal.signal(signal.SIGVTALRM, before)
    return best


def growth(cost: Cost, size: int, largest: int) -> list[float]:
    """What each doubling of the size costs, where the cost is clearly more than doubled twice in a row; else nothing.

    What takes no time worth measuring at a large size is not measured further.
    """
    costs = [cost(size)]
    if costs[0] < FLOOR and cost(min(size * 16, largest)) < FLOOR:
        return []
    steep = 0
    while size < largest and costs[-1] < LONGEST:
        size *= 2
        costs.append(cost(size))
        steep = steep + 1 if costs[-2] >= FLOOR / 4 and costs[-1] > max(FLOOR, STEEP * costs[-2]) else 0
        if steep == 2:
            return costs
    has_leapt = costs[-1] >= LONGEST and (len(costs) == 1 or costs[-1] > 10 * costs[-2])
    return costs if has_leapt else []


def of(action: Callable[[Any], object], make: Callable[[int], Any]) -> Cost:
    """What an action costs on what is made."""

    def cost(size: int) -> float:
        made = make(size)
        return seconds(lambda: action(made))

    return cost


# Patterns

READS = ("mail", "play", "turn")
ROOM_READS = ("commands", "answers", "bank")
OWN_TEMPLATES, OWN_TABLES = {"host.mail.outbound.templates"}, {"host.play.form_words"}
"""Their patterns, or those written where they are used, read what is in the house."""
OTHERS = (
    "host.engine.grammar",
    "host.engine.words",
    "host.engine.vocabulary",
    "host.logs",
    "host.engine.game",
    "host.engine.cards",
)
SCANS = {"findall", "finditer", "sub", "subn", "split"}
USES = SCANS | {"search", "match", "fullmatch"}


def readers() -> list[str]:
    """The modules that meet mail, or text that people typed."""
    found = [
        each.name
        for each in pkgutil.walk_packages(host.__path__, "host.")
        if (each.name.split(".")[1] in READS and each.name not in OWN_TEMPLATES)
        or (each.name.split(".")[1] == "games" and each.name.rpartition(".")[2] in ROOM_READS)
    ]
    return [*found, *OTHERS]


def uses(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Names in a module, and which methods of patterns are taken from them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in USES:
            value = node.value.func if isinstance(node.value, ast.Call) else node.value
            if isinstance(value, ast.Name | ast.Attribute):
                yield (value.id if isinstance(value, ast.Name) else value.attr), node.attr


def inline(tree: ast.AST) -> Iterator[tuple[int, "re.Pattern[Any]", str]]:
    """Patterns that are written where they are used."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in USES:
            first = node.args[0] if node.args else None
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "re" and isinstance(first, ast.Constant):
                yield node.lineno, re.compile(first.value), node.func.attr


def patterns_in(name: str, value: object) -> Iterator[tuple[str, "re.Pattern[Any]"]]:
    """The patterns in the value of an attribute, in lists and tables too, and those that wait for their first use."""
    if isinstance(value, re.Pattern):
        yield name, value
    elif isinstance(value, Lazy):
        expression = value.expression() if callable(value.expression) else value.expression
        yield name, re.compile(expression, value.flags)
    elif callable(value) and hasattr(value, "cache_info"):
        signature = inspect.signature(value)
        if signature.return_annotation == re.Pattern[str] and not signature.parameters:
            yield name, value()
    elif isinstance(value, Mapping):
        yield from (found for key, each in value.items() for found in patterns_in(f"{name}[{key!r}]", each))
    elif isinstance(value, tuple | list | set | frozenset):
        yield from (found for at, each in enumerate(value) for found in patterns_in(f"{name}[{at}]", each))


@functools.cache
def patterns() -> dict[str, tuple["re.Pattern[Any]", frozenset[str]]]:
    """Every pattern in these modules, with the methods that are used of it."""
    modules = [importlib.import_module(name) for name in readers()]
    trees = {module.__name__: ast.parse(inspect.getsource(module)) for module in modules}
    used = {name: set(uses(tree)) for name, tree in trees.items()}
    anywhere = set().union(*used.values())
    found: dict[str, tuple[re.Pattern[Any], frozenset[str]]] = {}
    for module in modules:
        for attribute, value in vars(module).items():
            for name, pattern in patterns_in(attribute, value):
                own = {use for owner, use in used[module.__name__] if owner == attribute}
                methods = own or {use for owner, use in anywhere if owner == attribute}
                loose = {use for owner, use in used[module.__name__] if owner.islower() and owner != "re"}
                found[f"{module.__name__}.{name}"] = pattern, frozenset(methods or loose or {"search"})
        for line, pattern, use in () if module.__name__ in OWN_TABLES else inline(trees[module.__name__]):
            found[f"{module.__name__}:{line}"] = pattern, frozenset({use})
    for name in table("host.play", "doubts.toml"):
        found[f"host.play.doubts.doubts({name!r})"] = doubts.doubts(name), frozenset({"search"})
    found["host.engine.vocabulary.idle()"] = vocabulary.idle(), frozenset({"search"})
    for name in table("host.play", "registration.toml")["phrases"]:
        found[f"host.play.form_words.phrase({name!r})"] = phrase(name), frozenset({"finditer"})
    return found


def use_of(pattern: "re.Pattern[Any]", method: str) -> Callable[[Any], object]:
    if method in SCANS:
        return lambda text: sum(1 for _ in pattern.finditer(text))
    found: Callable[[Any], object] = getattr(pattern, method)
    return found


def encoded(pattern: "re.Pattern[Any]", make: Callable[[int], str]) -> Callable[[int], Any]:
    return make if isinstance(pattern.pattern, str) else lambda size: make(size).encode("latin-1", "replace")


def steepest(pattern: "re.Pattern[Any]", methods: frozenset[str], longest: int = 65_536) -> str:
    """A string on which a pattern takes more than linear time, and what it costs; empty where there is none up to `longest`."""
    kinds = {"findall" if each in SCANS else each for each in methods}
    for what, make in attacks(pattern):
        for kind in sorted(kinds):
            costs = growth(of(use_of(pattern, kind), encoded(pattern, make)), min(512, longest), longest)
            if costs:
                return f"{kind} of {what} takes {[round(each, 3) for each in costs]}"
    return ""


SHORT = {
    "host.play.answers._COPULA": answers.MOST_READ,
    "host.play.clauses._FINER": reading.LONGEST_APART,
    "host.play.terms._ABOUT": terms.LONGEST_TOPIC,
}
"""How long the text is at most that meets these, which take the square of it."""
SOME = size(1, 4)
"""Strings that `make test` tries on a pattern, spread over all that `attacks` makes."""
LONG = size(65_536, 131_072)
"""Letters of these: the square is 17 thousand million steps."""


def test_patterns_come_to_an_end() -> None:
    for name, (pattern, methods) in sorted(patterns().items()):
        tried = attacks(pattern)
        for what, make in tried[:: max(1, len(tried) // SOME)]:
            text = encoded(pattern, make)(min(LONG, SHORT.get(name, LONG)))
            for method in sorted({"findall" if each in SCANS else each for each in methods}):
                with not_for_ever(f"{name} on {what}"):
                    use_of(pattern, method)(text)


def test_the_patterns_are_found() -> None:
    names = set(patterns())
    assert len(names) > 100
    assert {
        "host.mail.inbound.program_lines.RULE",
        "host.play.form_words.phrase('name_is')",
        "host.engine.grammar._BREAK",
    } <= names
    assert [name for name, _ in patterns_in("table", (("name", re.compile("a")), {"b": re.compile("b")}))] == [
        "table[0][1]",
        "table[1]['b']",
    ]


@pytest.mark.storm
@pytest.mark.parametrize("module", readers())
def test_patterns_are_linear(module: str) -> None:
    for name, (pattern, methods) in patterns().items():
        if max((each for each in readers() if name.startswith(each)), key=len) == module:
            assert not steepest(pattern, methods, SHORT.get(name, 65_536)), (name, pattern.pattern)


@pytest.mark.storm
@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"(?:a+)+$", "match"),
        (r"[-_]{3,}[^-_]{2,60}[-_]{3,}.*[:：].*@", "match"),
        (r"\s*(?:,|;)\s*", "split"),
        (r"<.*?>", "findall"),
        (r"[!]+(?=\s|$)", "search"),
    ],
)
def test_a_pattern_that_is_not_linear_is_found_out(pattern: str, method: str) -> None:
    assert steepest(re.compile(pattern), frozenset({method}))


# Mails

SENT = sent_texts((Path(__file__).parent / "replies" / "letters" / "turn.eml").read_bytes())


@pytest.mark.parametrize("name", list(SHAPES)[:: size(30, 10)])
def test_the_largest_mails_are_opened(name: str) -> None:
    raw = SHAPES[name](MAX_BYTES)[:MAX_BYTES]
    with not_for_ever():
        mail = opened(raw)
    assert_known(mail, raw)


@pytest.mark.storm
@pytest.mark.parametrize("name", SHAPES)
def test_a_mail_is_opened_in_linear_time(name: str) -> None:
    make = SHAPES[name]
    raw = make(MAX_BYTES)[:MAX_BYTES]
    found: list[Mail] = []
    taken = seconds(lambda: found.append(opened(raw)), 1, SECONDS)
    assert taken < SECONDS
    assert taken < SECONDS / 2 or not growth(of(opened, make), MAX_BYTES // 128, MAX_BYTES)
    assert_known(found[0], raw)


def assert_known(mail: Mail, raw: bytes) -> None:
    """What stands before all that a shape repeats is found."""
    assert raw.startswith(b"From: MAILER") or mail.tokens[:1] == (TOKEN.decode(),)
    assert mail.sender in ("ann@example.net", "mailer-daemon@example.net") or mail.problem


def opened(raw: bytes) -> Mail:
    """A mail, after all that the process which opens mails does with it."""
    mail = open_mail(raw)
    may_quote(mail.text)
    read_typed(mail.text, mail.page, mail.display_name, SENT if mail.page else ())
    return mail


def test_what_the_bounds_leave_out_is_not_read_and_what_stands_before_is() -> None:
    lines = b"pick 5\r\n" + b"x\r\n" * MAX_LINES + b"late"
    mail = open_mail(body(lines))
    assert mail.text.startswith("pick 5\nx\n")
    assert "late" not in mail.text
    parts = b"--b\r\n\r\npick 5\r\n" + b"--b\r\nContent-Type: a/b\r\n\r\nx\r\n" * MAX_PARTS + b"--b\r\n\r\nlate\r\n"
    assert open_mail(body(parts, b"multipart/mixed; boundary=b")).text == "pick 5"
    many = head(b"Subject: x", *[b"X-A: b"] * MAX_HEADERS, b"Message-ID: <late@x>")
    assert (open_mail(many).sender, open_mail(many).subject, open_mail(many).message_id) == ("ann@example.net", "x", "")


def test_what_lies_too_deep_is_not_read_and_what_lies_beside_it_is() -> None:
    inner = b"".join(
        b"--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n" % (at, at + 1) for at in range(MAX_LEVELS + 5)
    )
    deep = inner + b"--b%d\r\n\r\nlate\r\n--b0\r\n\r\npick 5\r\n--b0--\r\n" % (MAX_LEVELS + 5)
    assert open_mail(body(deep, b"multipart/mixed; boundary=b0")).text == "pick 5"


@pytest.mark.parametrize("name", ["idna", "punycode", "-punycode", "PUNYCODE-", "[idna"])
def test_codecs_of_host_names_are_no_charsets(name: str) -> None:
    mail = open_mail(body(b"pick 5-", b'text/plain; charset="' + name.encode() + b'"'))
    assert mail.text == "pick 5-"


@pytest.mark.parametrize(
    "value",
    [
        "plain",
        "=?utf-8?q?Zo=C3=AB?= Lee",
        "=?utf-8?q?open",
        "=?utf-8?q?a?= =?utf-8?q?b?=\r\n =?utf-8?q?c?= =?utf-8?q?open\r\n end?=",
        "=?utf-8?b?5p2O?= =? x ?= =?utf-16?b?AGE=?= =?utf-8?q?",
        "=?=?=?utf-8?q?x?=?=",
    ],
)
def test_encoded_words_are_those_of_the_standard_library(value: str) -> None:
    assert encoded_words(value) == decode_header(value)


def test_links_in_brackets_are_left_out() -> None:
    text = "a <https://x.example/y> b (mailto:c@d) [ http://e) <mailto:f (https://g> h <https://i"
    assert open_mail(body(text.encode())).text == "a   b       h <https://i"
    assert open_mail(body(b"<https:" + b"x" * 5_000 + b">")).text.startswith("<https:x")


# What is read of a mail, and what its lines lead to


def lines_of(piece: str) -> Callable[[int], str]:
    return lambda size: piece * (size // len(piece))


LETTER = SentText("Which space do you turn over?\nThe card is the card that the card is.\n" * 30)
TEXTS = {
    "the card ": "the card ",
    "lines of the card": "the card\n",
    "lines of words": "space over turn do\n",
    "half lines": "Which space do\n",
    "whole lines": "Which space do you turn over?\n",
    "headers": "On 2026 12:30 a@b wrote:\n",
    "wrapped": "Which space do you\nturn over?\n",
    "rules": "--- ab ---: @\n",
    "rules in long lines": "---ab---:" * 100 + "\n",
    "marks": "> x\nx\n",
    "labels": "Turn: x\n",
}


@pytest.mark.storm
@pytest.mark.parametrize("name", TEXTS)
def test_what_was_typed_is_told_in_linear_time(name: str) -> None:
    assert not growth(of(lambda text: read_lines(text, [LETTER] * 2), lines_of(TEXTS[name])), 4_000, 32_000)


RESULTS = ["a=b;", "(", '"', '"\\', "()", '""', "a ", ";", "a=b c=d ", "\\", '"a', "dkim=pass header.d=x;"]


@pytest.mark.storm
@pytest.mark.parametrize("piece", RESULTS)
def test_results_of_authentication_are_read_in_linear_time(piece: str) -> None:
    def judge(value: str) -> None:
        verdict([f"example.org;{value}", value], "example.org", "ann@example.net")
        topmost_id([value])

    assert not growth(of(judge, lines_of(piece)), 4_000, 128_000)


PARSERS: dict[str, Callable[[bytes], object]] = {
    "a glance": peek,
    "silence": lambda raw: why_silent((mail := parse(raw)), own_parts(mail), "ann@example.net", None),
    "a bounce": lambda raw: read_bounce((mail := parse(raw)), own_parts(mail)),
    "a page": lambda raw: html_to_text(raw.decode("utf-8", "replace")),
}
PIECES = [b"a", b" ", b"<", b"<a ", b"From:", b"From: a@", b"\n", b"\r\n\r", b"a2" * 13, b"a@b", b"=?u?q?", b"; a*0=b"]


@pytest.mark.storm
@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_is_linear(name: str, piece: bytes) -> None:
    for start in (b"", b"From: ", b"Subject: x\nContent-Type: text/plain"):
        cost = of(PARSERS[name], lambda size, start=start: start + piece * (size // len(piece)))  # type: ignore[misc]
        assert not growth(cost, 16_000, 128_000)


SAID = (
    *(
        "a",
        " ",
        "5",
        "!",
        ".",
        ",",
        "the ",
        "no. ",
        "and ",
        "a, ",
        "ok, ",
        "5, ",
        "pick 5, ",
        "raise 5, 6, ",
        "two ",
        "hi ",
    ),
    *(
        " \u200b",
        "\u0300",
        "\ufdfa",
        "(",
        "()",
        "ah, ",
        "a: ",
        "the answer is ",
        "leave it ",
        "give me ",
        "2,000",
        "'a",
    ),
    *(
        "ace ",
        "7h ",
        "7h-",
        "high low ",
        "bet ",
        "bet 5 blind ",
        "call and raise ",
        "please",
        "if ",
        "? ",
        "hold on ",
        "$-+",
    ),
    *(
        "host x",
        "host: ",
        "rock ",
        "attack ",
        "deploy ",
        "one of ",
        "thank you ",
        "for me ",
        "a king ",
        "1.1",
        "[",
        "x | ",
    ),
)
HEARD = ("5, ", "if a, ", "7h, ", " \u200b")
HEARD_IN_LINES = ("5", "answer x")
GRAMMAR: dict[str, Callable[[str], object]] = {
    "split_line": grammar.split_line,
    "words": grammar.words,
    "is_social": grammar.is_social,
    "number": grammar.number,
    "resembles": lambda text: grammar.resembles(text, frozenset({"pick", "freeze", "a" * 20})),
    "a form": lambda text: read_form([text, f"Name: {text}", text.replace(" ", ":")]),
    "another person": lambda text: names_another([text], ()),
    "what stands besides": lambda text: says_besides([text]),
    "a correction": lambda text: take_correction([f"name Bo. {text}"], Form("Bob Ray")),
    "a wish": lambda text: wish_in_body([text], TITLES, has_form=True),
    "a form in lines": lambda text: read_form([text[at : at + 60] for at in range(0, len(text), 60)]),
}


@pytest.mark.storm
@pytest.mark.parametrize("name", GRAMMAR)
def test_grammar_is_linear(name: str) -> None:
    for piece in SAID:
        assert not growth(of(GRAMMAR[name], lines_of(piece)), 2_000, 16_000), piece


TITLES: dict[str, str] = {slug: game.title for slug, game in GAMES.items()}
SUBJECTS = (
    "champ cards ",
    "champ card registratio ",
    "registratio ",
    "a",
    "'a",
    "re: ",
    "re[1]:",
    "[cc-1",
    "sign up ",
    " ",
)


@pytest.mark.storm
@pytest.mark.parametrize("piece", SUBJECTS)
def test_a_subject_is_read_in_linear_time(piece: str) -> None:
    def judge(subject: str) -> None:
        wish_in(subject, TITLES)
        wants_in([subject, *subject.split(" ")])

    assert not growth(of(judge, lines_of(piece)), 2_000, 64_000)


@pytest.mark.storm
@pytest.mark.parametrize("slug", GAMES)
def test_a_game_hears_in_linear_time(slug: str) -> None:
    game = GAMES[slug]
    state = next(each for each in states(slug) if game.questions(each))
    question = game.questions(state)[0]
    verb = game.choices(state, question)[0].say[0]

    def heard(text: str) -> None:
        interpret(
            game, state, question.seat, text.split("\n"), ReplyContext(frozenset({question.key})), Chance(bytes(32))
        )

    for piece in (*HEARD, f"{verb}, ", *(f"{each}\n" for each in HEARD_IN_LINES)):
        assert not growth(of(heard, lines_of(piece)), 1_000, 4_000), piece
