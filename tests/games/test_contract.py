"""The contract that every room signs. A room brings `conserved.py` and a folder `endings`; nothing here names a room."""

import ast
import collections
import contextlib
import functools
import importlib
import json
import random
import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import host
from host.engine import record
from host.engine.chance import Chance
from host.engine.events import EVERY_GAME, Shuffled
from host.engine.game import HOST, Game, Illegal, Invalid, Refusal, decode_event, encode_event, new_options
from host.games import GAMES
from host.mail.outbound.templates import templates_folder
from host.play.interpret import interpret
from host.play.interpretation import ReplyContext
from host.store.episodes import dump_state, load_state
from tests.games.playouts import Playout, chance, names, playout, recorded, spoken
from tests.games.sayings import sayings_in
from tests.size import size
from tests.test_kinds import imported

PLAYOUTS = range(size(12, 200))
FEW = range(size(4, 30))
HERE = Path(__file__).parent
ROOMS = Path(host.__file__).parent / "games"
CARD = re.compile(r"(?:[2-9TJQKA][cdhs]|X[rb])")

every_room = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
AnyGame = Game[Any, Any]


def folder(game: AnyGame) -> str:
    return game.slug.replace("-", "_")


def some(game: AnyGame, numbers: range = FEW) -> list[Playout]:
    return [playout(game.slug, number) for number in numbers]


def states(game: AnyGame) -> list[Any]:
    """Some states of every phase."""
    by_phase: dict[tuple[str, ...], list[Any]] = collections.defaultdict(list)
    for found in some(game):
        for state in found.states:
            by_phase[tuple(question.phase for question in game.questions(state))].append(state)
    return [state for found in by_phase.values() for state in found[:8]]


@functools.cache
def words_of(slug: str) -> Sequence[str]:
    """Each word that stands in what people write to the room."""
    said = sayings_in(HERE / slug.replace("-", "_") / "sayings.toml", understood=True)
    return sorted({word for _, text, _ in said for word in text.split()})


@every_room
def test_its_words_in_any_order_crash_nothing(game: AnyGame) -> None:
    rng = random.Random(game.slug)
    verbs = sorted({step.text.split()[0] for found in some(game) for step in found.steps})
    tables = states(game)
    for _ in range(size(1_000, 20_000)):
        words = rng.choice((words_of(game.slug), ("all", "everything", "rest", "the", "none")))
        text = " ".join([rng.choice(verbs), *rng.choices(words, k=rng.randrange(4))])
        table = rng.choice(tables)
        seat = rng.choice([HOST, *range(len(game.winnings(table)))])
        with contextlib.suppress(Refusal):
            game.parse(text, table, seat)


# The shape of a room


ENGINE = (
    "host.engine.card_groups",
    "host.engine.cards",
    "host.engine.chance",
    "host.engine.events",
    "host.engine.game",
    "host.engine.grammar",
    "host.engine.orders",
    "host.engine.room",
    "host.engine.vocabulary",
    "host.engine.words",
)
MODULES = {"__init__.py", "state.py", "commands.py", "events.py", "rules.py", "view.py", "RULES.md", "data"}
PACKAGES = {"commands", "rules"}
"""What may be a package instead of one module."""
TEMPLATES = {"events.txt", "questions.txt", "board.txt", "board.html"}
TESTS = {"conserved.py", "oracle.py", "sayings.toml", "endings", "examples"}


def entries(place: Path) -> set[str]:
    return {each.name for each in place.iterdir() if each.name != "__pycache__"}


def modules(game: AnyGame) -> Iterator[Path]:
    yield from (ROOMS / folder(game)).rglob("*.py")


@every_room
def test_a_room_has_its_modules_and_no_other(game: AnyGame) -> None:
    """A question bank, where `GAME.bank` says that there is one, has a module that reads it and a file to start with.

    What a room guesses may be a module of its own.
    """
    found = {f"{name}.py" if name in PACKAGES else name for name in entries(ROOMS / folder(game))}
    bank = {"bank.py", game.bank.starter} if game.bank else set()
    assert found - {"guesses.py"} == MODULES | bank


@every_room
def test_a_room_imports_the_engine_and_itself(game: AnyGame) -> None:
    """That it imports nothing that reads or writes, `tests/test_kinds.py` holds by `Pure:`."""
    for file in modules(game):
        tree = ast.parse(file.read_text("utf-8"))
        assert (ast.get_docstring(tree) or "").startswith("Pure:"), file
        for name in imported(tree):
            is_of_the_house = f"{name}.".startswith("host.")
            assert not is_of_the_house or name.startswith((f"host.games.{folder(game)}.", *ENGINE)), (file, name)


@every_room
def test_a_room_has_its_templates_and_its_tests(game: AnyGame) -> None:
    assert entries(templates_folder() / folder(game)) - {"style.css"} == TEMPLATES
    tests = entries(HERE / folder(game))
    assert tests >= TESTS
    assert {"test_rules.py", "test_commands.py", "test_small_talk.py"} <= tests


@every_room
def test_slug_code_and_folder_agree(game: AnyGame) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", game.slug)
    assert re.fullmatch(r"[A-Z]{2,3}", game.code)
    assert (ROOMS / folder(game)).is_dir()


# Dealing


@every_room
def test_deals_for_every_number_of_seats_it_allows(game: AnyGame) -> None:
    assert game.seats == tuple(sorted(set(game.seats)))
    for seats in game.seats:
        state = game.deal(seats, {}, chance(1)).state
        assert game.questions(state)
        assert len(game.winnings(state)) == seats
        assert game.currency != "$" or set(game.winnings(state)) == {0}
        assert game.result(state) is None
        assert game.ending(state) is None


@every_room
def test_refuses_other_numbers_of_seats(game: AnyGame) -> None:
    for seats in {-1, 0, *range(1, max(game.seats) + 3), 100} - set(game.seats):
        with pytest.raises(ValueError):
            game.deal(seats, {}, chance(1))


@every_room
def test_options_are_those_it_has(game: AnyGame) -> None:
    seats = game.seats[0]
    game.deal(seats, dict(game.options), chance(1))
    assert set(game.named_options) <= set(game.options)
    game.deal(seats, new_options(game, {}), chance(1))
    for options in ({"no such option": 1}, {"": None}, {**game.options, "deck": []}):
        with pytest.raises(ValueError):
            game.deal(seats, options, chance(1))


# Playing


@every_room
def test_random_play_always_ends(game: AnyGame) -> None:
    for found in some(game, PLAYOUTS):
        assert game.questions(found.end) == ()
        result = game.result(found.end)
        assert result is not None
        assert game.ending(found.end) in game.endings
        for seat in (result.winner, result.champion):
            assert seat is None or 0 <= seat < found.seats
        for state in found.states[:-1]:
            assert game.questions(state)
            assert game.result(state) is None
            assert game.ending(state) is None


@every_room
def test_questions_are_for_players_of_known_phases_with_keys_of_their_own(game: AnyGame) -> None:
    for found in some(game):
        open_before: frozenset[str] = frozenset()
        closed: set[str] = set()
        for state in found.states:
            asked = game.questions(state)
            keys = [question.key for question in asked]
            assert len(set(keys)) == len(keys)
            assert all(question.phase in game.phases for question in asked)
            for seat in (question.seat for question in asked):
                assert seat == HOST or (0 <= seat < found.seats and not game.is_out(state, seat))
                assert seat != HOST or len(asked) == 1, "`host.turn.reports` looks for it where no player is asked"
            closed |= open_before - set(keys)
            assert not closed & set(keys), "a key came back"
            open_before = frozenset(keys)


@every_room
def test_every_choice_is_legal_as_it_stands(game: AnyGame) -> None:
    for found in some(game):
        for state in found.states:
            for question in game.questions(state):
                choices = game.choices(state, question)
                assert choices
                assert len({choice.say for choice in choices}) == len(choices)
                for choice in choices:
                    assert choice.label
                    assert choice.type_instead
                    assert choice.kind
                    after = state
                    for text in spoken(choice):
                        command = game.parse(text, after, question.seat)
                        assert game.say(command) == text
                        after = game.apply(after, question.seat, command, found.chance).state
                    assert question.key not in {each.key for each in game.questions(after)}


@every_room
def test_cards_and_money_are_conserved(game: AnyGame) -> None:
    conserved = importlib.import_module(f"tests.games.{folder(game)}.conserved")
    for found in some(game, PLAYOUTS):
        for state in found.states:
            conserved.check(state)
            earned = [0] * found.seats
            for earning in game.earnings(state):
                earned[earning.seat] += earning.amount
            assert game.currency != "$" or tuple(earned) == tuple(game.winnings(state))
            assert all(type(amount) is int for amount in game.winnings(state))


@every_room
def test_nothing_is_changed_in_place(game: AnyGame) -> None:
    for found in some(game):
        for step in found.steps:
            before = dump_state(game, step.before)
            game.apply(step.before, step.seat, game.parse(step.text, step.before, step.seat), found.chance)
            assert dump_state(game, step.before) == before


@every_room
def test_the_same_seed_and_commands_give_the_same_events(game: AnyGame) -> None:
    for found in some(game):
        again = game.deal(found.seats, found.options, Chance(found.chance.seed))
        assert again.events == found.dealt
        for step in found.steps:
            outcome = game.apply(again.state, step.seat, game.parse(step.text, again.state, step.seat), found.chance)
            assert outcome.events == step.events
            assert outcome.state == step.after
            again = outcome


@every_room
def test_another_seed_deals_another_deck(game: AnyGame) -> None:
    decks = {event.deck for found in some(game) for event in found.dealt if isinstance(event, Shuffled)}
    if any(isinstance(event, Shuffled) for event in playout(game.slug, 0).dealt):
        assert len(decks) >= len(FEW)


@every_room
def test_states_round_trip_through_json(game: AnyGame) -> None:
    for found in some(game):
        for state in found.states:
            data = json.loads(json.dumps(dump_state(game, state)))
            assert load_state(game, data) == state
            assert type(load_state(game, data)) is game.state_type


@every_room
def test_a_state_that_does_not_fit_is_refused(game: AnyGame) -> None:
    data = dump_state(game, playout(game.slug, 0).start)
    for key in data:
        with pytest.raises(ValueError):
            load_state(game, {**data, key: {"no": "such value"}})


@every_room
def test_events_round_trip_through_json(game: AnyGame) -> None:
    for found in some(game):
        for event in (*found.dealt, *(event for step in found.steps for event in step.events)):
            assert type(event) in game.event_types
            assert decode_event(game, json.loads(json.dumps(encode_event(event)))) == event


# What is refused


def others(found: Playout, state: Any) -> list[int]:
    asked = {question.seat for question in found.game.questions(state)}
    return [seat for seat in (*range(found.seats), HOST) if seat not in asked]


@every_room
def test_a_seat_that_is_not_asked_cannot_answer(game: AnyGame) -> None:
    any_time = set(importlib.import_module(f"tests.games.{folder(game)}.conserved").ANY_TIME)
    for found in some(game):
        for step in found.steps:
            for seat in others(found, step.before):
                if seat != HOST and step.text.split()[0] in any_time:
                    continue
                with pytest.raises((Illegal, Invalid)) as caught:
                    game.apply(step.before, seat, game.parse(step.text, step.before, seat), found.chance)
                assert caught.value.reason.endswith(".")


@every_room
def test_silence_of_a_seat_that_is_not_asked_is_refused(game: AnyGame) -> None:
    for found in some(game):
        for state in found.states:
            for seat in {*others(found, state), HOST, found.seats}:
                with pytest.raises(Illegal):
                    game.timeout(state, seat, found.chance)


@every_room
def test_the_clause_of_a_refusal_is_one_of_the_room(game: AnyGame) -> None:
    said = {step.text for found in some(game) for step in found.steps}
    for state in states(game):
        for text in sorted(said)[:60]:
            try:
                game.apply(state, 0, game.parse(text, state, 0), chance(0))
            except Illegal as refusal:
                assert re.fullmatch(rf"{game.code}-\d+", refusal.clause), refusal.reason
            except Invalid as refusal:
                assert refusal.reason.endswith(".")


@every_room
def test_silence_moves_the_game_on(game: AnyGame) -> None:
    for found in some(game):
        for state in found.states:
            for question in game.questions(state):
                if question.seat == HOST:
                    continue
                outcome = game.timeout(state, question.seat, found.chance)
                assert outcome.state != state
                assert outcome.events
                assert question.key not in {each.key for each in game.questions(outcome.state)}


@every_room
def test_silence_alone_ends_an_episode(game: AnyGame) -> None:
    for number in FEW:
        seats = game.seats[number % len(game.seats)]
        state = game.deal(seats, {}, chance(number)).state
        rng = random.Random(number)
        for _ in range(1000):
            questions = game.questions(state)
            if not questions:
                break
            question = rng.choice(questions)
            if question.seat != HOST:
                state = game.timeout(state, question.seat, chance(number)).state
                continue
            choice = rng.choice(game.choices(state, question))
            command = game.parse(spoken(choice)[0], state, HOST)
            state = game.apply(state, HOST, command, chance(number)).state
        assert game.ending(state) in game.endings


@every_room
def test_a_player_may_resign_until_out(game: AnyGame) -> None:
    for state in states(game):
        if game.result(state):
            continue
        for seat in range(len(game.winnings(state))):
            command = game.parse("resign", state, seat)
            if game.is_out(state, seat):
                with pytest.raises(Illegal):
                    game.apply(state, seat, command, chance(0))
            else:
                after = game.apply(state, seat, command, chance(0)).state
                assert game.is_out(after, seat) or game.result(after)


@every_room
@given(data=st.data())
@settings(max_examples=size(30, 300), deadline=None)
def test_garbage_is_invalid_and_crashes_nothing(game: AnyGame, data: st.DataObject) -> None:
    table = data.draw(st.sampled_from(states(game)))
    seat = data.draw(st.sampled_from([HOST, *range(len(game.winnings(table)))]))
    in_its_words = st.lists(st.sampled_from(words_of(game.slug)), min_size=1, max_size=6).map(" ".join)
    odd = st.text("pickepdrawfz 0123456789,.;-+$♦\u20e3½²٣", max_size=40)
    text = data.draw(st.one_of(in_its_words, st.text(max_size=80), odd))
    for fragment in (text, *game.split(text)):
        try:
            command = game.parse(fragment, table, seat)
        except Invalid as refusal:
            assert refusal.reason
            continue
        assert game.parse(game.say(command), table, seat) == command
        try:
            game.apply(table, seat, command, chance(0))
        except Illegal as illegal:
            assert illegal.reason


SIGNS = set("♣♧♦♢♥♡❤♠♤🔟⬆↑🔼⬇↓🔽🛑🚫⛔✊👊🪨✌✂✋🖐🤚📄📃🧻")
"""Signs by which a word is meant."""


@every_room
@given(text=st.text(st.characters(exclude_categories=["L", "N"]), max_size=60))
@settings(max_examples=size(15, 100), deadline=None)
def test_without_letters_and_numbers_there_is_no_command(game: AnyGame, text: str) -> None:
    for table in states(game)[: size(4, 10)]:
        # a sign may be written for them: the telegraph sign ㋀ is a 1 and a letter
        if not SIGNS & set(text) and not any(map(str.isalnum, unicodedata.normalize("NFKC", text))):
            with pytest.raises(Refusal):
                game.parse(text, table, 0)


@every_room
@pytest.mark.parametrize(
    "text", ["", " ", "?", "a" * 100_000, "5 " * 20_000, "9" * 100_000, "\0", "\ud800", "bet " + "9" * 5000]
)
def test_long_and_odd_texts_are_invalid(game: AnyGame, text: str) -> None:
    for table in states(game)[: size(2, 10)]:
        with pytest.raises(Invalid):
            game.parse(text, table, 0)
        game.split(text)


@every_room
def test_what_is_said_parses_to_itself(game: AnyGame) -> None:
    for found in some(game):
        for step in found.steps:
            command = game.parse(step.text, step.before, step.seat)
            said = game.say(command)
            assert game.parse(said, step.before, step.seat) == command
            assert game.say(game.parse(said, step.before, step.seat)) == said
            assert [part.casefold() for part in game.split(said)] == [said.casefold()]
            loud = game.say(game.parse(said.upper(), step.before, step.seat))
            assert loud.casefold() == said.casefold()


@every_room
def test_the_labels_of_the_links_can_be_typed(game: AnyGame) -> None:
    """They lead where the links lead, whether by the same words or by other ones."""
    for state in states(game):
        for question in game.questions(state):
            for choice in game.choices(state, question):
                if choice.text or question.seat == HOST:
                    continue
                reply = ReplyContext(frozenset({question.key}))
                heard = interpret(game, state, question.seat, [choice.label], reply, chance(0))
                assert heard.refused is None, choice.label
                after = state
                for text in choice.say:
                    after = game.apply(after, question.seat, game.parse(text, after, question.seat), chance(0)).state
                assert heard.state == after, choice.label


# Who sees what


def cards_in(value: Any) -> set[str]:
    """The cards in plain data."""
    if isinstance(value, str):
        return {value} if CARD.fullmatch(value) else set()
    if isinstance(value, dict):
        return {card for each in value.values() for card in cards_in(each)}
    if isinstance(value, list | tuple):
        return {card for each in value for card in cards_in(each)}
    return set()


def renamed(value: Any, new: dict[str, str]) -> Any:
    """Plain data with some cards in each other's places."""
    if isinstance(value, str):
        return new.get(value, value)
    if isinstance(value, dict):
        return {key: renamed(each, new) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [renamed(each, new) for each in value]
    return value


def shuffled_hidden(game: AnyGame, state: Any, seat: int, hidden: set[str], rng: random.Random) -> Any:
    """A state that `seat` cannot tell from this one. A room may bring more ways to hide (`conserved.shuffled`)."""
    conserved = importlib.import_module(f"tests.games.{folder(game)}.conserved")
    if hasattr(conserved, "shuffled"):
        state = conserved.shuffled(state, seat, rng)
    cards = sorted(hidden)
    other = rng.sample(cards, len(cards))
    return load_state(game, renamed(dump_state(game, state), dict(zip(cards, other, strict=True))))


@every_room
def test_what_a_seat_cannot_see_does_not_show_in_its_view(game: AnyGame) -> None:
    rng = random.Random(0)
    hidden_at_all = 0
    for found in some(game):
        for state in found.states[:: size(2, 1)]:
            for seat in range(found.seats):
                seen = game.view(state, seat)
                hidden = cards_in(dump_state(game, state)) - cards_in(dict(seen))
                other = shuffled_hidden(game, state, seat, hidden, rng)
                hidden_at_all += other != state
                assert game.view(other, seat) == seen
                mine = [each for each in game.questions(state) if each.seat == seat]
                assert [each for each in game.questions(other) if each.seat == seat] == mine
                for question in mine:
                    assert game.choices(other, question) == game.choices(state, question)
    assert hidden_at_all


@every_room
def test_what_a_seat_sees_is_the_same_state_whatever_is_hidden(game: AnyGame) -> None:
    rng = random.Random(0)
    for found in some(game):
        for state in found.states[:: size(2, 1)]:
            for seat in (HOST, *range(found.seats)):
                seen = game.view(state, seat)
                made = game.as_seen(state, seat)
                assert game.view(made, seat) == seen
                assert load_state(game, dump_state(game, made)) == made
                assert [each for each in game.questions(made) if each.seat == seat] == [
                    each for each in game.questions(state) if each.seat == seat
                ]
                if seat != HOST:
                    hidden = cards_in(dump_state(game, state)) - cards_in(dict(seen))
                    other = shuffled_hidden(game, state, seat, hidden, rng)
                    assert game.as_seen(other, seat) == made


@every_room
def test_what_a_seat_cannot_see_does_not_show_in_its_news(game: AnyGame) -> None:
    rng = random.Random(0)
    for found in some(game):
        for step in found.steps[:: size(2, 1)]:
            for seat in range(found.seats):
                told = game.news(step.events, seat)
                known = cards_in(dict(game.view(step.before, seat))) | cards_in([encode_event(event) for event in told])
                hidden = cards_in(dump_state(game, step.before)) - known
                other = shuffled_hidden(game, step.before, seat, hidden, rng)
                command = game.parse(step.text, other, step.seat)
                try:
                    outcome = game.apply(other, step.seat, command, found.chance)
                except Illegal:  # the command names cards of the speaker's own, which have to stay
                    hidden -= cards_in(dict(game.view(step.before, step.seat)))
                    other = shuffled_hidden(game, step.before, seat, hidden, rng)
                    outcome = game.apply(other, step.seat, command, found.chance)
                assert game.news(outcome.events, seat) == told
                assert game.view(outcome.state, seat) == game.view(step.after, seat)


@every_room
def test_news_tells_no_deck_and_no_hidden_card(game: AnyGame) -> None:
    for found in some(game):
        for seat in range(found.seats):
            assert not any(isinstance(event, Shuffled) for event in game.news(found.dealt, seat))
        assert game.news(found.dealt, None) == found.dealt
        for step in found.steps:
            assert game.news(step.events, None) == step.events
            for seat in range(found.seats):
                news = game.news(step.events, seat)
                assert not any(isinstance(event, Shuffled) for event in news)
                assert set(news) <= set(step.events)


@every_room
def test_views_and_tables_are_plain_data(game: AnyGame) -> None:
    for found in some(game):
        for state in found.states:
            for seat in (None, *range(found.seats)):
                json.dumps(game.view(state, seat))
            table = game.table(state, names(found.seats))
            assert json.loads(json.dumps(table)) == table
            assert table["phase"] in (*game.phases, "over")
            assert (table["phase"] == "over") == (game.result(state) is not None)


# Records and templates


@every_room
def test_playouts_replay_from_their_records(game: AnyGame) -> None:
    for found in some(game):
        whole = recorded(found)
        text = "\n".join([record.write_header(whole.header), *map(record.write_line, whole.lines)])
        again = record.read(text.encode(), GAMES)
        rows = list(record.rows(game, again))
        assert all(row["ok"] for row in rows[:-1])
        assert rows[-2]["table"] == game.table(found.end, whole.header.players)
        assert "result" in rows[-1]


@every_room
def test_each_ending_has_one_recorded_episode(game: AnyGame) -> None:
    files = {file.stem for file in (HERE / folder(game) / "endings").iterdir()}
    assert files == set(game.endings)
    assert len(set(game.endings)) == len(game.endings)


@pytest.mark.parametrize(
    ("game", "ending"),
    [pytest.param(game, ending, id=f"{game.slug}-{ending}") for game in GAMES.values() for ending in game.endings],
)
def test_recorded_endings_end_so(game: AnyGame, ending: str) -> None:
    found = record.read((HERE / folder(game) / "endings" / f"{ending}.jsonl").read_bytes(), GAMES)
    replay = record.Replay(game, found.header)
    assert [replay.step(line) for line in found.lines] == [None] * len(found.lines)
    assert game.ending(replay.state) == ending
    assert game.result(replay.state)
    assert record.verify(game, found, None).holds


def macros(place: Path, signature: str) -> list[str]:
    """The macros of a template, each of which has to take what the house hands it."""
    text = place.read_text("utf-8")
    found = re.findall(r"{%-?\s*macro\s+(\w+)\((.*?)\)", text)
    assert {taken for _, taken in found} == {signature}
    return sorted(name for name, _ in found)


@every_room
def test_every_event_has_exactly_one_macro(game: AnyGame) -> None:
    """Those of every game have one for all rooms, and a room may have its own."""
    shared, signature = {kind.__name__ for kind in EVERY_GAME}, "event, who, whose"
    assert set(macros(templates_folder() / "events.txt", signature)) == shared
    own = macros(templates_folder() / folder(game) / "events.txt", signature)
    assert len(own) == len(set(own))
    assert set(own) | shared == {kind.__name__ for kind in game.event_types}


@every_room
def test_every_question_has_exactly_one_macro(game: AnyGame) -> None:
    wanted = sorted([*(phase.replace("-", "_") for phase in game.phases), "headline", "silence"])
    assert macros(templates_folder() / folder(game) / "questions.txt", "view, me, other, names") == wanted


@every_room
def test_all_phases_are_asked_and_most_events_happen(game: AnyGame) -> None:
    phases: set[str] = set()
    kinds: set[str] = {type(event).__name__ for found in some(game) for event in found.dealt}
    for found in some(game, PLAYOUTS):
        phases |= {question.phase for state in found.states for question in game.questions(state)}
        kinds |= {type(event).__name__ for step in found.steps for event in step.events}
    assert phases == set(game.phases)
    assert kinds <= {kind.__name__ for kind in game.event_types}
