"""Pure: the episode record, `podium-episode/1`. The bytes of a JSON Lines file are read, replayed and checked.

A record is a header (game, seed, players, options) and one line for each thing that happened. It is enough for
anybody to redo the episode.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from host.engine.chain import LENGTH, Place
from host.engine.chance import Chance, commitment
from host.engine.events import Event
from host.engine.game import HOST, Game, Illegal, Invalid, Outcome, Refusal
from host.engine.grammar import is_polite, words
from host.engine.words import pattern

FORMAT = "podium-episode/1"
HOST_NAME = "host"
SERVICES = frozenset({"status", "rules", "help"})
"""Words that every game knows and that change nothing."""

_SEED = pattern(r"[0-9a-fA-F]{64}")
_SURROGATE = pattern("[\ud800-\udfff]")


class NotARecord(Exception):
    """The file is no episode record; `line` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


@dataclass(frozen=True)
class Header:
    """The first line of a record: `seed` is 32 bytes, `commitment` 64 hex digits where it was given, `chain` its place in one."""

    game: str
    seed: bytes
    players: tuple[str, ...]
    options: Mapping[str, Any]
    commitment: str | None = None
    chain: Place | None = None


@dataclass(frozen=True)
class Say:
    """A command of a player, or of the host under the name `host`."""

    player: str
    text: str


@dataclass(frozen=True)
class Timeout:
    """The deadline of a player passed."""

    player: str


@dataclass(frozen=True)
class BackTo:
    """The host went back to the state after `line`."""

    line: int


Line = Say | Timeout | BackTo


@dataclass(frozen=True)
class Record:
    """A whole record; the first of `lines` stands in line 2 of the file."""

    header: Header
    lines: tuple[Line, ...]


def read(data: bytes, games: Mapping[str, Game[Any, Any]]) -> Record:
    """The record in a file's bytes. Raises `NotARecord` with the line number and why."""
    rows = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    while rows and not rows[-1].strip():
        rows.pop()
    if not rows:
        raise NotARecord(1, "the file is empty; a record begins with its header")
    header = _read_header(_object(rows[0], 1), games)
    lines = tuple(_read_line(_object(row, at), at) for at, row in enumerate(rows[1:], 2))
    return Record(header, lines)


def _object(row: bytes, line: int) -> dict[str, Any]:
    try:
        value = json.loads(row.decode("utf-8"), parse_constant=int)  # `NaN` is no number, and no JSON
    except UnicodeDecodeError:
        raise NotARecord(line, "this is not UTF-8") from None
    except (ValueError, RecursionError):
        raise NotARecord(line, "this is not JSON") from None
    if not isinstance(value, dict):
        raise NotARecord(line, "a line of a record is a JSON object")
    return value


def _read_header(data: dict[str, Any], games: Mapping[str, Game[Any, Any]]) -> Header:
    if data.get("format") != FORMAT:
        raise NotARecord(1, f'the header must say "format": "{FORMAT}"')
    slug = data.get("game")
    game = games.get(slug) if isinstance(slug, str) else None
    if game is None:
        raise NotARecord(1, f"the game is not one of: {', '.join(sorted(games))}")
    seed = data.get("seed")
    if not isinstance(seed, str) or not _SEED.fullmatch(seed):
        raise NotARecord(1, "the seed must be 64 hex digits")
    players, options = data.get("players"), data.get("options", {})
    if not isinstance(players, list) or not all(isinstance(player, str) and player for player in players):
        raise NotARecord(1, "players must be a list of names")
    if len(set(players)) != len(players) or HOST_NAME in players or any(_SURROGATE.search(each) for each in players):
        raise NotARecord(1, f'players must have different names, none of them "{HOST_NAME}"')
    if not isinstance(options, dict):
        raise NotARecord(1, "options must be an object")
    promised = data.get("commitment")
    if promised is not None and not isinstance(promised, str):
        raise NotARecord(1, "the commitment must be 64 hex digits")
    chain = _read_chain(data["chain"]) if data.get("chain") is not None else None
    if chain and len(chain.given) != len(players):
        raise NotARecord(1, 'the chain must say what was "given" by each player: one text each')
    header = Header(game.slug, bytes.fromhex(seed), tuple(players), options, promised, chain)
    try:
        game.deal(len(players), options, Chance(header.seed))
    except (ValueError, TypeError) as error:
        raise NotARecord(1, str(error)) from None
    return header


def _read_chain(data: object) -> Place:
    match data:
        case {"n": int(number), "end": str(end), "link": str(link), "given": list(given)}:
            is_whole = (
                1 <= number <= LENGTH
                and not isinstance(number, bool)
                and _SEED.fullmatch(end)
                and _SEED.fullmatch(link)
            )
            if is_whole and all(isinstance(each, str) and not _SURROGATE.search(each) for each in given):
                return Place(number, end, tuple(given), bytes.fromhex(link))
    raise NotARecord(1, 'the chain must hold a number "n", "end" and "link" of 64 hex digits, and the texts "given"')


def _read_line(data: dict[str, Any], line: int) -> Line:
    match data:
        case {"from": str(player), "say": str(text)}:
            return Say(player, text)
        case {"timeout": str(player)}:
            return Timeout(player)
        case {"back_to": int(target)} if not isinstance(target, bool):
            return BackTo(target)
    raise NotARecord(line, 'a line holds "from" and "say", or "timeout", or "back_to"')


def write_header(header: Header) -> str:
    """The header as its line of JSON, with the commitment."""
    found = {
        "format": FORMAT,
        "game": header.game,
        "seed": header.seed.hex(),
        "commitment": header.commitment or commitment(header.seed),
        "players": list(header.players),
        "options": dict(header.options),
    }
    if header.chain:
        at = header.chain
        found["chain"] = {"n": at.number, "end": at.end, "link": at.link.hex(), "given": list(at.given)}
    return _json(found)


def write_line(line: Line) -> str:
    """A line as JSON."""
    match line:
        case Say(player, text):
            return _json({"from": player, "say": text})
        case Timeout(player):
            return _json({"timeout": player})
        case BackTo(target):
            return _json({"back_to": target})


def read_line(text: str) -> Line:
    """The line that `write_line` wrote. Raises `NotARecord`."""
    return _read_line(_object(text.encode(), 0), 0)


def renamed(text: str, old: str, name: str) -> str:
    """A line as JSON, of one who is called otherwise now."""
    match read_line(text):
        case Say(player, said) if player == old:
            return write_line(Say(name, said))
        case Timeout(player) if player == old:
            return write_line(Timeout(name))
    return text


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Replay:
    """An episode as it is replayed, line by line; the state after each line is kept, so that it can go back.

    `events` are what the last line led to, the deal before the first. `chance` is by default the seed's.
    """

    def __init__(self, game: Game[Any, Any], header: Header, chance: Chance | None = None) -> None:
        self.game = game
        self.header = header
        self.chance = chance or Chance(header.seed)
        dealt = game.deal(len(header.players), header.options, self.chance)
        self.states: list[Any] = [dealt.state]
        self.events: tuple[Event, ...] = dealt.events

    @property
    def state(self) -> Any:
        """The state after the last line."""
        return self.states[-1]

    def step(self, line: Line) -> str | None:
        """Play the next line. Gives None, or the sentence that says why it was refused; the state is then as before."""
        try:
            outcome = self._next(line)
        except Refusal as refusal:
            self.states.append(self.state)
            self.events = ()
            return refusal.reason
        self.states.append(outcome.state)
        self.events = outcome.events
        return None

    def _next(self, line: Line) -> Outcome[Any]:
        if isinstance(line, BackTo):
            if not 1 <= line.line <= len(self.states):
                raise Illegal(f"There is no line {line.line} before this one to go back to.")
            return Outcome(self.states[line.line - 1], ())
        if self.game.result(self.state):
            raise Illegal("The episode is over.")
        if isinstance(line, Say) and is_service(line, self.header.players):
            return Outcome(self.state, ())
        return play(self.game, self.state, self.header.players, line, self.chance)


def standing(lines: Sequence[Line]) -> list[int]:
    """The numbers of the lines that count, in order, the deal's 1 first: without what was gone back over, with the going back."""
    kept, number = [], len(lines) + 1
    while number > 1:
        kept.append(number)
        line = lines[number - 2]
        number = min(line.line, number - 1) if isinstance(line, BackTo) else number - 1
    return [1, *reversed(kept)]


def is_service(line: Say, players: Sequence[str]) -> bool:
    """Is this `status`, `rules` or `help` of a player?"""
    return line.player in players and " ".join(words(line.text)) in SERVICES


def play(game: Game[Any, Any], state: Any, players: Sequence[str], line: Say | Timeout, chance: Chance) -> Outcome[Any]:
    """Play one command or timeout. Raises `Invalid` or `Illegal`."""
    if isinstance(line, Timeout):
        if line.player not in players:
            raise Illegal("Only a player has a deadline.")
        return game.timeout(state, players.index(line.player), chance)
    if line.player != HOST_NAME and line.player not in players:
        raise Illegal("This player does not play in this episode.")
    seat = HOST if line.player == HOST_NAME else players.index(line.player)
    fragments = [each for each in game.split(line.text) if not is_polite(each)]
    if len(fragments) != 1:
        raise Invalid("A line of a record says one command.")
    return game.apply(state, seat, game.parse(fragments[0], state, seat), chance)


def rows(game: Game[Any, Any], record: Record) -> Iterator[dict[str, Any]]:
    """The rows that `podium replay` prints for a record, without the file's name: one a line, and the result at the end."""
    replay = Replay(game, record.header)
    yield _row(replay, 1, None)
    for number, line in enumerate(record.lines, 2):
        yield _row(replay, number, replay.step(line))
    result = game.result(replay.state)
    if result:
        names = record.header.players
        yield {
            "result": {
                "winner": None if result.winner is None else names[result.winner],
                "champion": None if result.champion is None else names[result.champion],
                "winnings": dict(zip(names, game.winnings(replay.state), strict=True)),
                **result.extra,
                **{prize: None if seat is None else names[seat] for prize, seat in result.prizes.items()},
            }
        }


def _row(replay: Replay, number: int, error: str | None) -> dict[str, Any]:
    game, state, names = replay.game, replay.state, replay.header.players
    waiting = sorted({question.seat for question in game.questions(state)})
    return {
        "line": number,
        "ok": error is None,
        "error": error,
        "waiting": [HOST_NAME if seat == HOST else names[seat] for seat in waiting],
        "winnings": dict(zip(names, game.winnings(state), strict=True)),
        "over": game.result(state) is not None,
        "table": game.table(state, names),
    }


@dataclass(frozen=True)
class Verification:
    """The findings of `podium verify`: the seed's own commitment and the promised one, the refused lines, how far it goes.

    `faults` are sentences about a chain that does not hold, `chain` the place in it where there is one.
    """

    computed: str
    promised: str | None
    refused: tuple[tuple[int, str], ...]
    last_line: int
    is_over: bool
    faults: tuple[str, ...] = ()
    chain: Place | None = None

    @property
    def holds(self) -> bool:
        """Is the commitment kept, as far as one was given, every line accepted, and the chain whole?"""
        return not (self.refused or self.faults) and (self.promised is None or self.promised.lower() == self.computed)


def verify(game: Game[Any, Any], record: Record, promised: str | None) -> Verification:
    """Replay a record and check its seed against a commitment (given, or else the header's own)."""
    replay = Replay(game, record.header)
    steps = [(number, replay.step(line)) for number, line in enumerate(record.lines, 2)]
    refused = tuple((number, error) for number, error in steps if error is not None)
    is_over = game.result(replay.state) is not None
    return Verification(
        commitment(record.header.seed),
        promised or record.header.commitment,
        refused,
        last_line=len(record.lines) + 1,
        is_over=is_over,
        faults=record.header.chain.faults(record.header.seed) if record.header.chain else (),
        chain=record.header.chain,
    )
