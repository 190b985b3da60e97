"""Pure: the shape of a game: the types that every room, and everything around a room, speaks.

A game is one frozen record: functions, and facts about them. It never sees mail, clocks, stores or templates; chance comes in as
an argument. A sixth game is a folder that makes one more `Game`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from host.engine.chance import Chance
from host.engine.events import Event, Shuffled, news

if TYPE_CHECKING:
    from host.engine.orders import Orders
    from host.engine.vocabulary import Vocabulary

HOST: Final = -1
"""The seat number that stands for the host, who may command but has no seat."""


class Refusal(Exception):
    """A command that plays nothing. `reason` is one sentence for the person who wrote it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Invalid(Refusal):
    """Not understood. `chatter` tells that it does not even look like an attempt at a command."""

    def __init__(self, reason: str, chatter: bool = False) -> None:
        super().__init__(reason)
        self.chatter = chatter


class MoreThanOne(Invalid):
    """What is named may be more than one thing of the table."""


class Illegal(Refusal):
    """Understood, not allowed now. `clause` is the number of the rule that says so, such as `CC-7`."""

    def __init__(self, reason: str, clause: str = "") -> None:
        super().__init__(reason)
        self.clause = clause


class NotYet(Illegal):
    """Understood, but nothing that this seat is asked now. It may be sent ahead: kept, and played when it is asked."""


@dataclass(frozen=True)
class Question:
    """One question that a seat is asked now. `key` is unique in the episode and ends with it; `phase` names its macro."""

    seat: int
    key: str
    phase: str


@dataclass(frozen=True)
class Choice:
    """One legal answer to a question, fit for a one-tap link.

    `say` are commands that are legal one after the other; `label` is what the link shows; `type_instead` says in words
    what to type; `kind` is the kind of move, of which a letter shows at least one. Where the last command takes free text
    (`answer `), `text` is an example of it: the link ends where the text goes. Where the room's board draws what one taps
    on, `spot` names it there, and there is no button beside it. `group` is the line above a button and those that follow it.
    `also` is another command for the same move: `bet all`, where that is 2,500.
    """

    say: tuple[str, ...]
    label: str
    type_instead: str
    kind: str
    text: str = ""
    spot: str = ""
    group: str = ""
    also: str = ""


@dataclass(frozen=True)
class Earning:
    """Play money that a seat earned in one part (`account`) of an episode."""

    seat: int
    account: str
    amount: int


@dataclass(frozen=True)
class Result:
    """How an episode ended. `winner` and `champion` are seats or None; `extra` are the game's own result keys.

    `prizes` are seats too: who gets which of the game's prizes in kind, None where nobody does.
    """

    winner: int | None
    champion: int | None
    extra: Mapping[str, Any] = field(default_factory=dict)
    prizes: Mapping[str, int | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """A question of a game's question bank, and the answers that are right."""

    ask: str
    answers: tuple[str, ...]


@dataclass(frozen=True)
class Bank:
    """How a game takes questions of the host from a bank: `phase` is the host's question that an entry answers.

    `read` gives the entries of a file (its name and text) and raises `ValueError` with a sentence a line; `say` makes the
    host's command of an entry; `starter` names a file of entries in the room. `solve` gives the right answer to the question
    that is put, empty where none is: for robots.
    """

    phase: str
    read: Callable[[str, str], tuple[Entry, ...]]
    say: Callable[[Entry], str]
    solve: Callable[[Any], str]
    starter: str


T = TypeVar("T")
State = TypeVar("State")
Command = TypeVar("Command")


def read_options(kind: type[T], given: Mapping[str, Any]) -> T:
    """A room's options, those not given at their defaults. Raises ValueError for one it does not have, or of another type."""
    defaults = {each.name: each.default for each in fields(kind)}  # type: ignore[arg-type]  # options are dataclasses
    for name, value in given.items():
        if name not in defaults:
            raise ValueError(f"there is no option {name}; there are {', '.join(defaults)}")
        if type(value) is not type(defaults[name]):
            raise ValueError(f"the option {name} is {_KINDS[type(defaults[name])]}")
        if isinstance(value, int) and abs(value) > MOST_OF_AN_OPTION:
            raise ValueError(f"the option {name} is at most {MOST_OF_AN_OPTION}")
    return kind(**given)


MOST_OF_AN_OPTION = 10**18
"""More is no table, and a number of thousands of digits cannot be written."""
_KINDS = {int: "a whole number", bool: "true or false", str: "a text"}


def by_name(names: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
    """Values in seat order under the players' names, as the record's `table` has them: lists for tuples."""
    return dict(zip(names, map(_as_lists, values), strict=True))


def fields_of(state: Any, names: str) -> dict[str, Any]:
    """Fields of a state, listed with blanks between them, as plain data under their names: lists for tuples."""
    return {name: _as_lists(getattr(state, name)) for name in names.split()}


def _as_lists(value: Any) -> Any:
    return [_as_lists(each) for each in value] if isinstance(value, tuple) else value


def put(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """Values in seat order, that of `seat` replaced."""
    return (*values[:seat], value, *values[seat + 1 :])


def other(seat: int) -> int:
    """The seat across a table for two."""
    return 1 - seat


@dataclass(frozen=True)
class Outcome(Generic[State]):
    """A command, a deal or a timeout led to this state, by these events."""

    state: State
    events: tuple[Event, ...]


@dataclass
class Flow(Generic[State]):
    """One step of play under way: rules `change` its state and `tell` events until somebody is asked."""

    chance: Chance
    state: State
    events: list[Event] = field(default_factory=list)

    def change(self, **fields: Any) -> None:
        """The state with some fields anew."""
        self.state = replace(self.state, **fields)  # type: ignore[type-var]  # states are dataclasses

    def put(self, seat: int, **fields: Any) -> None:
        """The state with some fields that are by seat anew for one seat."""
        self.change(**{name: put(getattr(self.state, name), seat, value) for name, value in fields.items()})

    def reset(self, names: str) -> None:
        """The state with some fields, listed with blanks between them, as they are in a new one."""
        defaults = {each.name: each.default for each in fields(self.state)}  # type: ignore[arg-type]  # a dataclass
        self.change(**{name: defaults[name] for name in names.split()})

    def add(self, seat: int, **amounts: int) -> None:
        """The state with some numbers that are by seat larger, or smaller, for one seat."""
        self.put(seat, **{name: getattr(self.state, name)[seat] + amount for name, amount in amounts.items()})

    def tell(self, event: Event) -> None:
        """One more thing that happened."""
        self.events.append(event)

    def shuffle(self, label: str, cards: Sequence[str]) -> tuple[str, ...]:
        """A deck of these cards, shuffled with the stream `label`."""
        deck = self.chance.shuffled(label, cards)
        self.tell(Shuffled(label, deck))
        return deck

    def outcome(self) -> Outcome[State]:
        """The state and the events that this step led to."""
        return Outcome(self.state, tuple(self.events))


def two_accounts(winnings: Sequence[int], player: int | None, paid: int) -> tuple[Earning, ...]:
    """Money of a main game and of the bonus round, apart: of what `player` won, the latter `paid`."""
    main_game = [
        Earning(seat, "main game", amount - (paid if seat == player else 0)) for seat, amount in enumerate(winnings)
    ]
    bonus = [] if player is None else [Earning(player, "bonus round", paid)]
    return tuple(each for each in (*main_game, *bonus) if each.amount)


@dataclass(frozen=True, kw_only=True)
class Facts:
    """The names of a game and all that there is in it. A room states its own in its `data/facts.toml`.

    - `slug` names the game everywhere (`high-card`); the room's folders are named alike, with `_` for `-`. `title` is for
      people, `code` (two or three capitals) begins its clauses and its episodes' names, `subject` is what a registration
      has for its subject, `summary` says the game in one or two sentences, `how` in at most ten for whoever plays it first,
      with what its words mean; `pace` how long an episode takes (`podium simulate`).
    - `seats` are the numbers of players it can be played with, ascending. `seats_by_default` is how many begin where the
      host does not say; 0: the fewest.
    - `options` are all options with their defaults, which are those of a record that does not name them. An option
      `champion_wins` is set by the house: how many episodes in a row seat 0 has won. `named_options` are those that a new
      episode names where the host does not: so rules can come for new episodes alone. `option_words` say in a letter what
      an option of another value means, `{}` for the value.
    - `phases` are the phases in which somebody is asked, one macro of `questions.txt` each; all of them happen.
    - `version` goes up with each change of the rules.
    - `currency` is `$`, a plural noun (`chips`), or empty where nothing is played for. `prizes` are prizes in kind, and
      what they are called.
    - `secret_verbs`: commands that begin so are for their sender's eyes until the episode is over.
    - `seat_words` are the words by which commands name the seats, where they do; players' names stand for them.
    - `text_verbs` are the verbs behind which stands free text, to the end of its line.
    - `streams` are the labels of `Chance` that the rules draw from, with `N` for a number (`hand:N:deck`). The record's
      reader needs them to redo an episode.
    """

    slug: str
    title: str
    code: str
    subject: str
    seats: tuple[int, ...]
    options: Mapping[str, Any]
    version: int
    currency: str
    summary: str
    phases: tuple[str, ...]
    streams: tuple[str, ...]
    named_options: Mapping[str, Any] = field(default_factory=dict)
    option_words: Mapping[str, str] = field(default_factory=dict)
    how: tuple[str, ...] = ()
    pace: str = ""
    seats_by_default: int = 0
    prizes: Mapping[str, str] = field(default_factory=dict)
    secret_verbs: frozenset[str] = frozenset()
    seat_words: tuple[str, ...] = ()
    text_verbs: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Game(Facts, Generic[State, Command]):
    """A game: its functions, and the facts about it. `host.engine.room.game_of` makes one of a room's five modules.

    No function changes what it is given, none reads or writes anything, and chance comes from the `Chance` that is handed
    in alone: the same seed and the same commands give the same episode, for ever. `seat` is 0, 1, ... or `HOST`.

    **State.** `state_type` is a frozen dataclass of plain values, tuples and frozen dataclasses, typed so that it goes
    through JSON and back. It has a `phase`: one of `phases`, or `"over"` when `result` is not None; and an `ending`: one of
    `endings` then, until then None.

    **Playing.** `deal` begins an episode, with somebody asked; it raises `ValueError` for seats and options that the game
    does not have. `apply` plays a command, `timeout` the silence of a seat whose deadline passed. Both raise `Illegal` with
    a sentence and the clause (`HC-2`) that says so. `NotYet` in its place means: may be sent ahead, and is kept until it is
    asked for. `timeout` raises `Illegal` for a seat that is not asked, and for the host, who has no deadline. Silence of
    everybody ends the episode.

    `resign` is a command of every game, whenever its seat is in it: after it the seat is out (`is_out`), or the episode is
    over. Who is out cannot resign and is asked nothing.

    **Questions.** `questions` are those that are open, one for each seat that is asked. A `key` belongs to one question:
    every answer, and silence, closes it, and it never comes back in the episode. The same `phase` may be asked again under
    another key.
    `choices` offers at least one legal answer of every kind, since links and random play know nothing else; what a link
    says is canonical. `ahead` are commands worth sending ahead by a seat. `scope` tells how long a command that was sent
    ahead is good: it is dropped when the scope is another. Up to a dash it names the round, the hand or the battle.

    **Commands.** `vocabulary` is the table of verbs. `split` parts a line into fragments, `parse` reads one and raises
    `Invalid` where it is none, with `chatter` for what is no attempt. It never raises anything else, whatever the text.
    `say` gives a command in canonical words, its `str`, which parse to itself in every phase; records hold nothing else.
    `at_hand` are the cards that a question is about, and that may be named beside the move (`keep the queen`). `prompt` is the
    question that a seat may answer in free text, empty for none. `guesses` are commands, one or several, that a
    whole mail most likely means where no part says so by itself: the first readings that are offered. The first of them is
    played unasked only where the room `is_sure`: where all is said, each thing once, and nothing is doubted.

    **Standing orders.** `orders` are those that the room takes; `order_facts` gives what their conditions are about, and what
    stands in braces in their acts, from the view of a seat and nothing else. Where a fact decides nothing now it is left out.
    `whole` are choices that answer a question and what follows it for the same seat: commands, some of which are kept until
    they are asked for, and orders behind them.

    **What is seen.** `view` is the table as a seat may see it, for `HOST` what everybody may see, for None all there is:
    plain data for the templates. A card that lies face down is `"??"`. `as_seen` is a state that looks to a seat (or `HOST`)
    as this one does, with all that it cannot see made up: the same for all states that look alike to it. Replies are read in
    it, so that what is hidden cannot decide what was said. `table` is all there is with players by name, for
    records. `news` are the events that a seat may be told: an event says so itself (`is_private`, `may_be_told`). What a
    seat cannot see changes neither its view, nor its news, nor its choices.

    **The end.** `ending` is the state's, `result` who won or None; both say so together, when nothing is asked any more.
    `winnings` are whole numbers by seat. With the currency `$` they begin at 0 and are the sum of `earnings`.

    **Rules that change.** `since` gives for the options of an episode the earliest `version` whose rules are for it what
    they are now; where a room does not say, only `version` itself is.

    **Beside it**, in `RULES.md`, `templates/` and `tests/games/`, a room has its clauses, a macro for each event
    (`Name(event, who, whose)`) and for each phase and `silence` (`phase(view, me, other, names)`), the boards, and a record
    for each ending. CONTRIBUTING.md goes through all of it, and `tests/games/test_contract.py` holds a room to it.
    """

    state_type: type[State]
    event_types: tuple[type[Event], ...]
    endings: tuple[str, ...]
    deal: Callable[[int, Mapping[str, Any], Chance], Outcome[State]]
    vocabulary: "Vocabulary"
    split: Callable[[str], tuple[str, ...]]
    parse: Callable[[str, State, int], Command]
    apply: Callable[[State, int, Command, Chance], Outcome[State]]
    timeout: Callable[[State, int, Chance], Outcome[State]]
    questions: Callable[[State], tuple[Question, ...]]
    choices: Callable[[State, Question], tuple[Choice, ...]]
    ahead: Callable[[State, int], tuple[Choice, ...]]
    view: Callable[[State, int | None], Mapping[str, Any]]
    as_seen: Callable[[State, int], State]
    table: Callable[[State, Sequence[str]], dict[str, Any]]
    winnings: Callable[[State], tuple[int, ...]]
    result: Callable[[State], Result | None]
    is_out: Callable[[State, int], bool]
    scope: Callable[[State, Command], str]
    say: Callable[[Command], str] = str
    ending: Callable[[State], str | None] = attrgetter("ending")
    news: Callable[[Sequence[Event], int | None], tuple[Event, ...]] = news
    earnings: Callable[[State], tuple[Earning, ...]] = lambda state: ()
    prompt: Callable[[State, int], str] = lambda state, seat: ""
    at_hand: Callable[[State, int], tuple[str, ...]] = lambda state, seat: ()
    since: Callable[[Mapping[str, Any]], int] | None = None
    bank: Bank | None = None
    orders: "Orders | None" = None
    order_facts: Callable[[Mapping[str, Any], int], Mapping[str, int | str]] = lambda view, seat: {}
    whole: Callable[[State, Question], tuple[Choice, ...]] = lambda state, question: ()
    guesses: Callable[[State, int, str], tuple[tuple[Command, ...], ...]] = lambda state, seat, text: ()
    is_sure: Callable[[State, int, str], bool] = lambda state, seat, text: False


def amount(value: int, currency: str) -> str:
    """`$2,500`, `240 chips`, `1 chip`; empty where a game is not played for anything."""
    if currency in ("$", ""):
        return f"${value:,}" if currency else ""
    return f"{value:,} {currency if value != 1 else currency.removesuffix('s')}"


def usual_seats(game: Game[Any, Any]) -> int:
    """With how many contestants an episode begins where the host does not say: the game's fewest, if it names no other."""
    return game.seats_by_default or min(game.seats)


def new_options(game: Game[Any, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a new episode: those that the host gives, and those that the game names by itself."""
    return {**game.named_options, **given}


def unusual_options(game: Game[Any, Any], options: Mapping[str, Any]) -> str:
    """The options that are not as in a new episode by itself, as `option_words` say them; empty where all are."""
    usual = {**game.options, **game.named_options}
    shown = {name: value for name, value in options.items() if name in usual and value != usual[name]}
    words = {name: game.option_words.get(name, f"{name.replace('_', ' ')} {{}}") for name in shown}
    return ", ".join(_counted(words[name], value) for name, value in shown.items())


def _counted(words: str, value: Any) -> str:
    text = words.format(value)
    return text.removesuffix("s") if value == 1 and not isinstance(value, bool) else text


def are_rules_of(game: Game[Any, Any], version: int, options: Mapping[str, Any]) -> bool:
    """Are the rules of the game what they were in `version` for an episode with these options?"""
    since = game.version if game.since is None else game.since(options)
    return since <= version <= game.version


def encode_event(event: Event) -> dict[str, Any]:
    """An event as JSON: its fields and, under `event`, its class name."""
    return {"event": type(event).__name__} | {each.name: getattr(event, each.name) for each in fields(event)}


def decode_event(game: Game[Any, Any], data: Mapping[str, Any]) -> Event:
    """The event that `encode_event` wrote. Raises `KeyError` for a class that the game does not have."""
    kinds = {kind.__name__: kind for kind in game.event_types}
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in data.items() if key != "event"}
    return kinds[data["event"]](**values)
