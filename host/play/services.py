"""Pure: what is asked of the host's service rather than of the game. In: what somebody wrote. Out: a service, the host's text.

A clause asks for a service where it has one of its forms in `services.toml` from end to end, courtesies aside. One look at its
words tells most clauses apart that ask for nothing.
"""

import itertools
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from typing import Literal

from host.engine.grammar import is_polite
from host.engine.words import pattern, plain, table, word_lists
from host.play.absence import absence_said
from host.play.deadlines import names_day
from host.play.forms import BETWEEN_SENTENCES, CLAUSE, WORD, contractions, forms, in_full
from host.play.terms import term_called, topic_of

WRAPPED = 40
"""Characters of a line from which on the next may go on with it."""
MOST_BARE = 2
"""Words of a line behind `say` that asks for a service all the same."""
LONGEST = 24
"""Words of a clause that may ask for a service; who writes more tells something."""
MOST_CLAUSES = 200
"""Lines and clauses of a mail that are looked at."""
MOST_ASKED = 20
"""Words of a question about the table or the rules."""
MOST_CLOSING = 4
"""Words of a line above a signature."""
LONGEST_WISH = 2_000
"""Characters of a line that may be a wish."""
GAME = "titleofgame"
"""What stands for the title of a game in folded words."""
MOST_BEHIND = 6
"""Places of a line, from its end, behind which a wish may stand, and from its beginning, before which."""
MOST_WITH_MORE = 40
"""Lines of a mail on which wishes may stand around something else."""
_BETWEEN = pattern(r"(?:[,;.!]\s+|(?<=\s)(?=and\b|then\b|also\b))(?:(?:and|then|also)\s+)*", re.IGNORECASE)
_HOST_LINE = pattern(
    r"\s*(?:host(?:\s*+:|\s)|(?:please |can you |could you )?(?:tell|ask) (?:the )?host(?: that)?\b[\s,:]*+)\s*+(?=[^\s,:])",
    re.IGNORECASE,
)


class Service(StrEnum):
    """A service that can be asked for; of two that a clause has forms of, the first."""

    RECORD = "record"
    SEASON = "season"
    STANDINGS = "standings"
    STATUS = "status"
    TIME = "time"
    QUEUE = "queue"
    RULES = "rules"
    AGAIN = "again"
    VERIFY = "verify"
    HELP = "help"
    RESIGN = "resign"
    LEAVE = "leave"
    RETIRE = "retire"
    CANCEL = "cancel"
    ZONE = "zone"
    QUIET = "quiet"
    REMIND = "remind"
    LETTERS = "letters"
    CALENDAR = "calendar"
    AWAY = "away"
    BACK = "back"
    BANK = "bank"
    EXPLAIN = "explain"
    MINE = "mine"
    HISTORY = "history"
    REPLAY = "replay"
    NAME = "name"
    SAY = "say"
    MUTE = "mute"
    UNMUTE = "unmute"
    REMATCH = "rematch"
    CALLS = "calls"
    INVITE = "invite"
    WATCH = "watch"
    UNWATCH = "stop watching"
    TAKE_OVER = "take over"
    PRIVATE = "private"
    PUBLIC = "public"
    FORGET = "forget me"
    WAIT = "wait"


@dataclass(frozen=True)
class Wish:
    """A service with the rest of its line: `zone Europe/Rome` has the value `Europe/Rome`, `bank` an empty one."""

    service: Service
    value: str


_BY_THE_WAY = (Service.CANCEL, Service.STATUS, Service.RULES, Service.HELP, Service.TIME, Service.MINE)
Asked = tuple[Service | Literal[""], str]
"""A service, and the game that it names; both empty where none is asked for."""


@dataclass(frozen=True)
class _Words:
    """Sets of words in `services.toml`: courtesies anywhere, at the beginning, at the end; what is asked about at a table;
    those with which a line above a signature begins."""

    courtesy: frozenset[str]
    before: frozenset[str]
    behind: frozenset[str]
    of_the_table: frozenset[str]
    before_a_question: frozenset[str]
    closing: frozenset[str]


@cache
def _words() -> _Words:
    return word_lists(_Words, table("host.play", "services.toml")["words"])


@cache
def _with_forms() -> tuple[Service, ...]:
    """The services that people ask for in many words."""
    return tuple(each for each in Service if each in table("host.play", "services.toml")["about"])


@cache
def _about(service: Service) -> frozenset[str]:
    """The words of which a clause has to hold one to ask for a service."""
    return frozenset(table("host.play", "services.toml")["about"].get(service, "").split())


@cache
def words_of_services() -> frozenset[str]:
    """The words of which a clause has to hold one to ask for any service."""
    about = frozenset().union(*map(_about, Service))
    short = {word for word, full in contractions().items() if not about.isdisjoint(full.split())}
    return about | {f"{word}'s" for word in about} | short


def service_in(clause: str, titles: Collection[str] = ()) -> Asked:
    """The service that a clause asks for, and the game it names (`leave champ cards`); `("", "")` if none.

    Games are known by `titles`: title, slug or code of each.
    """
    found = WORD.findall(plain(clause))
    if not found:
        return (Service.HELP, "") if clause.strip(" !.") in ("?", "??", "???") else ("", "")
    if words_of_services().isdisjoint(found) or len(found) > LONGEST:
        return "", ""
    folded = _without_courtesy(in_full(found))
    named = _any_of(tuple(titles)).search(folded) if titles else None
    if named:
        folded = f"{folded[: named.start()]}{GAME} {folded[named.end() :]}"
    here = set(folded.split())
    for service in _with_forms():
        if not _about(service).isdisjoint(here) and _has_form(folded, service):
            return service, named[0].strip() if named else ""
    return "", ""


def _has_form(folded: str, service: Service) -> bool:
    found = forms("services", service)
    return any(found.fullmatch(each) for each in (folded, folded.removesuffix("again ")))


def gives_up(lines: Sequence[str]) -> bool:
    """Does a clause say `I give up`, which is a move in some rooms and may be a resignation in the others?"""
    clauses = (clause for line in lines[:MOST_CLAUSES] for clause in CLAUSE.findall(line))
    return any(
        forms("services", "giving up").fullmatch(_without_courtesy(in_full(WORD.findall(plain(each)))))
        for each in clauses
    )


def is_for_host(lines: Sequence[str]) -> bool:
    """Does a mail hold a regret, or kind words for somebody, which only a person can hear?"""
    return _says("".join(f"{word} " for word in in_full(WORD.findall(plain(" ".join(lines))))), "for the host")


def asked_to_know(clause: str) -> Service | Literal[""]:
    """The service that knows what somebody asks in words of their own: the rules, the queue, or how things stand."""
    folded = plain(clause).strip(" ?!.")
    said = in_full(WORD.findall(folded))
    text = "".join(f"{word} " for word in said)
    if not 1 < len(folded.split()) <= MOST_ASKED or not _begins_to_ask(said) or _says(text, "no wish to know"):
        return ""
    if _says(text, "of the rules"):
        return Service.RULES
    if _says(text, "of the queue"):
        return Service.QUEUE
    if _says(text, "of the time"):
        return Service.TIME
    return "" if _words().of_the_table.isdisjoint(said) else Service.STATUS


def _says(text: str, name: str) -> bool:
    return forms("services", name).search(text) is not None


def _begins_to_ask(said: Sequence[str]) -> bool:
    """Do these words begin as a question does, behind a courtesy perhaps?"""
    before = itertools.takewhile(_words().before_a_question.__contains__, said)
    begins = [said[at:] for at in range(len(list(before)) + 1)]
    return any(forms("services", "to know").match(" ".join((*each, ""))) for each in begins)


def services_in(lines: Sequence[str], titles: Collection[str] = ()) -> list[tuple[Service, str]]:
    """The services that these lines ask for, in order: each with the game that it names."""
    clauses = (clause for line in lines for clause in (line, *CLAUSE.findall(line)) if clause.strip())
    asked = [service_in(clause, titles) for clause in itertools.islice(clauses, MOST_CLAUSES)]
    return list(dict.fromkeys((service, game) for service, game in asked if service))


def take_wishes(
    lines: Sequence[str],
    game: str = "",
    is_text_asked: bool = False,
    is_move: Callable[[str], object] = lambda line: False,
) -> tuple[tuple[str, ...], tuple[Wish, ...]]:
    """The lines without those that are wishes, and the wishes; nothing behind `host` is one, since all of that goes there.

    `game` is the slug of the letter's: what somebody asks to have explained in words of their own has to be a term of it. Where
    free text is asked for, nothing stands beside a wish. Behind `say` all is said but lines that are another wish or a move.
    """
    above, to_host = take_host_text(lines)
    left: list[str] = []
    wishes: list[Wish] = []
    is_said = is_closed = False
    for at, line in enumerate(above):
        is_closed = is_said and (is_closed or is_closing(line))
        if is_closed:
            continue
        other = _wish(line, game) if is_said else None
        is_said = is_said and not (other or is_move(line) or _is_order_of_one(line, above[at - 1]))
        if is_said:
            wishes[-1] = Wish(Service.SAY, f"{wishes[-1].value} {line}".strip())
            continue
        rest, found = ("", (other,)) if other else _wishes_in(line, game, is_text_asked, at < MOST_WITH_MORE)
        is_said = bool(found) and found[-1].service is Service.SAY
        left += [rest] if rest or not found else []
        wishes += found
    return (*left, *(lines[len(above) :] if to_host else ())), tuple(wishes)


def _is_order_of_one(line: str, before: str) -> bool:
    """Is a line a service that harms nobody, and hardly a word more (`cancel please`)? A long one before it may go on with it."""
    return len(before) <= WRAPPED and len(line.split()) <= MOST_BARE and service_in(line)[0] in _BY_THE_WAY


def is_closing(line: str) -> bool:
    """Is it a short line such as stands above a signature, which is for nobody else at the table?"""
    said = WORD.findall(plain(line))
    return 0 < len(said) <= MOST_CLOSING and said[0] in _words().closing


def _wishes_in(line: str, game: str, is_text_asked: bool, has_more: bool) -> tuple[str, Sequence[Wish]]:
    """What is left of a line, and its wishes: it is one, or sentences of it tell an absence, or some stand around the rest, where
    there may be some (`has_more`)."""
    wish = _whole_wish(line) or _wish(line, game)
    may_be_more = (
        has_more and wish and wish.service in _whole_forms() and not is_text_asked and (_before(line) or _behind(line))
    )
    if wish and not may_be_more:
        return (not is_text_asked and _away_first(line, wish)) or ("", (wish,))
    away = [(each, absence_said(each)) for each in BETWEEN_SENTENCES.split(line)]
    if not any(when for _, when in away):  # or it begins or ends a sentence, set off by a comma
        begin, end = line.partition(", "), line.rpartition(", ")
        away = [(each, absence_said(each)) for each in (begin[::2] if absence_said(begin[0]) else end[::2])]
    wishes = [Wish(Service.AWAY, when) for _, when in away if when]
    line = " ".join(each for each, when in away if not when) if wishes else line
    if is_text_asked or not has_more or len(line) > LONGEST_WISH:
        return line, wishes
    while found := _behind(line):
        line, wish = found
        wishes.insert(0, wish)
    before: list[Wish] = []
    while found := _before(line):
        line, wish = found
        before.append(wish)
    last = (_whole_wish(line) or _wish(line, game)) if before or wishes else None
    return ("", [*before, last, *wishes]) if last else (line, [*before, *wishes])


def _away_first(line: str, wish: Wish) -> tuple[str, Sequence[Wish]] | None:
    """An absence before a comma, and what stands behind it that names no day (`away until Monday, cut 5`)."""
    head, _, tail = line.partition(", ")
    if wish.service is not Service.AWAY or not tail[:1].isalpha() or names_day(plain(tail)):
        return None
    away = _whole_wish(head) or _wish(head, "")
    return (tail, (away,)) if away and away.value else None


def _before(line: str) -> tuple[str, Wish] | None:
    """A wish of a whole form that stands before more than a word of something else, and that; None for no such."""
    for between in reversed(list(itertools.islice(_BETWEEN.finditer(line), MOST_BEHIND))):
        wish, rest = _whole_wish(line[: between.start()]), line[between.end() :]
        if wish and len(rest.split()) > 1 and not is_polite(rest):
            return rest, wish
    return None


def _behind(line: str) -> tuple[str, Wish] | None:
    """A wish of a whole form that stands behind something else on its line, and what stands before it; None for no such."""
    for between in list(_BETWEEN.finditer(line))[-MOST_BEHIND:]:
        rest = line[between.end() :]
        when = absence_said(rest)
        wish = Wish(Service.AWAY, when) if when else _whole_wish(rest)
        if wish:
            return line[: between.start()].rstrip(), wish
    return None


def _whole_wish(line: str) -> Wish | None:
    """The wish of a whole form that a line is, courtesies at its end aside."""
    if len(line) > LONGEST_WISH:
        return None
    words = line.split()
    while words and (is_polite(words[-1]) or is_polite(" ".join(words[-2:]))):
        del words[-1 if is_polite(words[-1]) else -2 :]
    wish = _wish(" ".join(words).rstrip(" ,.!"), "")
    form = _whole_forms().get(wish.service) if wish else None
    return wish if wish and form and form.fullmatch(wish.value) else None


@cache
def _whole_forms() -> dict[Service, re.Pattern[str]]:
    """The value of a wish that may stand behind something else, by service."""
    rows = table("host.play", "services.toml")["lines"].items()
    return {Service(name): re.compile(row["whole"], re.IGNORECASE) for name, row in rows if "whole" in row}


def _wish(line: str, game: str) -> Wish | None:
    if len(line) > LONGEST_WISH:
        return None
    for service, beginning in _beginnings().items():
        found = beginning.fullmatch(line.strip())
        if found:
            value = (found["value"] or "").strip()
            return Wish(service, value) if _is_wish(service, line, value, game) else None
    return None


def _is_wish(service: Service, line: str, value: str, game: str) -> bool:
    """Is it no service in people's own words (`rules please`), and no question that may be about anything?"""
    if service is Service.RULES:
        return not service_in(line)[0] and not is_polite(value)
    in_own_words = service is Service.EXPLAIN and plain(line).startswith(("what", "meaning"))
    return not in_own_words or term_called(game, topic_of(value)) is not None


@cache
def _beginnings() -> dict[Service, re.Pattern[str]]:
    """How the line of a wish is written, by service: its words, and behind them its value, as `services.toml` says."""
    rows = table("host.play", "services.toml").get("lines", {})
    courtesy = r"(?:(?:please|pls|and|also)[ ,]+)*+"
    found = {}
    for name, row in rows.items():
        value = rf"(?:[ :]+(?P<value>{row['value']}))" + ("?" if row.get("is_alone") else "")
        found[Service(name)] = re.compile(rf"{courtesy}(?:{row['said']}){value}[ .!]*", re.IGNORECASE)
    return found


def _without_courtesy(found: list[str]) -> str:
    """The words with a blank behind each, those left out that only make them polite."""
    words = _words()
    begin, end = 0, len(found)
    while begin < end and (found[begin] in words.before or found[begin] in words.courtesy):
        begin += 1
    while end > begin and (found[end - 1] in words.behind or found[end - 1] in words.courtesy):
        end -= 1
    return "".join(f"{word} " for word in found[begin:end] if word not in words.courtesy)


@lru_cache(maxsize=64)
def _any_of(titles: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern of any of these titles in folded words, however they are joined."""
    split = [WORD.findall(plain(title)) for title in titles]
    spelt = {form for each in split if each for form in (" ".join(each), "".join(each))}
    return re.compile(rf"(?<!\S)(?:{'|'.join(map(re.escape, sorted(spelt, key=len, reverse=True)))}) ")


def greets_host(line: str, names: Collection[str] = ()) -> bool:
    """Does a line begin by turning to the host: `Dear host,`, `To the host:`, `Hi Millionaire,` (one of `names`)?"""
    return _turning(tuple(names)).match(line) is not None


def take_host_text(lines: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """The lines before what is written to the host, and that text: from `host TEXT` to the end of the mail."""
    for at, line in enumerate(lines):
        if start := _HOST_LINE.match(line):
            return tuple(lines[:at]), "\n".join((line[start.end() :].strip(), *lines[at + 1 :])).strip()
    return tuple(lines), ""


@lru_cache(maxsize=16)
def _turning(names: tuple[str, ...]) -> re.Pattern[str]:
    called = {"host", "the host", "game host", "game master", "gamemaster"} | {name.casefold() for name in names}
    called |= {name.removeprefix("the ") for name in called}
    any_name = "|".join(re.escape(each) for each in sorted(called, key=len, reverse=True))
    greeting = r"(?:dear|hi|hello|hey|to|for|attention|attn|message (?:to|for)|good (?:morning|day|evening|afternoon))"
    return re.compile(
        rf"\s*(?:{greeting}[\s,:]+(?:mr\.?|ms\.?|mrs\.?)?\s*(?:{any_name})\b\s*(?:[,:;.!–—-]+\s*|$)|(?:{any_name})\s*[,:]\s*)",
        re.IGNORECASE,
    )
