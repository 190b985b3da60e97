"""Hearing a mail: order, the first refusal, small talk, text to the host, services, staleness."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.engine.chance import Chance
from host.engine.game import HOST
from host.games.champ_cards import GAME
from host.games.champion_poker import GAME as POKER
from host.play.agreement import says_no, says_yes
from host.play.interpret import STALE, Seated, interpret, play_plan
from host.play.interpretation import Interpretation, Planned, Read, ReplyContext
from host.play.services import service_in, take_host_text
from tests.games.champ_cards.playing import CHANCE, bonus, choosing, new_game, table
from tests.rows import every


def heard(
    state: Any, *lines: str, seat: int = 0, fresh: Sequence[str] | None = None, blocked: str | None = None
) -> Interpretation:
    keys = [question.key for question in GAME.questions(state)] if fresh is None else fresh
    return interpret(GAME, state, seat, lines, ReplyContext(frozenset(keys), blocked=blocked), CHANCE)


# Commands


def test_commands_are_taken_in_order() -> None:
    found = heard(new_game(), "cut 5", "pick 3, keep")
    assert found.said == ("cut 5", "pick 3", "keep")
    assert found.state.hands[0] == (found.state.deck[7],)
    assert [type(event).__name__ for event in found.events] == ["DeckCut", "CardTurned", "CardKept"]
    assert (found.refused, found.untried, found.chat) == (None, (), ())


def test_what_was_said_is_canonical() -> None:
    assert heard(new_game(), "I'd like to cut at twenty-six, please").said == ("cut 26",)


def test_the_first_refusal_stops_the_rest_and_what_stands_before_it_stands() -> None:
    found = heard(new_game(), "cut 5", "pick 12", "keep")
    assert found.said == ("cut 5",)
    assert found.refused is not None
    assert (found.refused.line, found.refused.clause) == ("pick 12", "CC-4")
    assert found.untried == ("keep",)
    assert found.state.phase == "pick"


def test_what_follows_falls_away_where_a_move_ended_the_game_for_its_writer() -> None:
    endings = []
    for number in range(20):
        chance = Chance(bytes([number]) * 32)
        state = POKER.deal(1, {"bankroll": 15}, chance).state
        state = POKER.apply(state, 0, POKER.parse("bet 5", state, 0), chance).state
        context = ReplyContext(frozenset(question.key for question in POKER.questions(state)))
        found = interpret(POKER, state, 0, ("play, bet 5",), context, chance)
        played = POKER.apply(state, 0, POKER.parse("play", state, 0), chance).state
        endings.append(is_over := POKER.result(played) is not None)
        assert (found.refused, found.untried) == (None, ())
        assert found.said == (("play",) if is_over else ("play", "bet 5"))
    assert set(endings) == {True, False}


def test_of_a_mail_that_is_not_certain_nothing_is_played() -> None:
    found = heard(new_game(), "cut 5, pick three four, keep")
    assert found.said == ()
    assert found.refused is not None
    assert (found.refused.line, found.refused.clause) == ("cut 5 pick three four keep", "")
    assert found.refused.readings[0].startswith("cut 5")


def test_a_stroke_between_two_moves_takes_nothing_back() -> None:
    assert heard(new_game(), "Cut: 22 / Pick: 4").said == ("cut 22", "pick 4")
    assert heard(new_game(), "cut 22 / cut 23").said == ()
    assert heard(new_game(), "cut 22 / 23").said == ()


def test_moves_that_one_button_says_together_are_offered_with_the_values_of_the_mail() -> None:
    found = heard(new_game(), "seven to the bottom my dear, granny is spry again, and overturn nine")
    assert found.refused is not None
    assert "cut 7, pick 9" in found.refused.readings[:3]
    found = heard(new_game(), "it is 5 or 6")
    assert found.refused is not None
    assert found.refused.readings[0] == "cut 5"


def test_two_commands_that_answer_one_question_are_asked_about() -> None:
    found = heard(table(), "pick 5", "pick 3")
    assert found.said == ()
    assert found.refused is not None
    assert set(found.refused.readings[:2]) == {"pick 5", "pick 3"}


def test_politeness_is_not_among_the_untried() -> None:
    found = heard(new_game(), "cut 99", "Thanks!", "pick 5", "Best regards")
    assert found.untried == ("pick 5",)


def test_what_follows_a_turn_that_passed_is_sent_ahead() -> None:
    found = heard(choosing("5c"), "keep", "pick 3", "keep")
    assert found.said == ("keep",)
    assert found.refused is None
    assert [each.text for each in found.ahead] == ["pick 3", "keep"]


def test_what_is_not_asked_first_is_refused_while_something_is_asked() -> None:
    found = heard(new_game(), "freeze")
    assert (found.said, found.ahead) == ((), ())
    assert found.refused is not None
    assert found.refused.clause == "CC-4"


def test_cancel_behind_a_command_is_asked_about() -> None:
    found = heard(choosing("5c"), "keep", "pick 3", "cancel", "pick 4")
    assert (found.said, found.ahead) == ((), ())
    assert found.refused is not None
    assert found.is_cancelling


def test_what_opens_while_it_is_heard_may_be_answered() -> None:
    found = heard(choosing("6c", ["Kc", "5c"]), "keep", "cut 5", "pick 1", "keep")
    assert found.said == ("keep", "cut 5", "pick 1", "keep")
    assert found.state.round == 2


# Staleness


def test_a_stale_mail_plays_nothing() -> None:
    found = heard(table(), "pick 5", "keep", fresh=())
    assert found.said == ()
    assert found.refused is not None
    assert found.refused.reason == STALE
    assert found.untried == ("keep",)


def test_a_mail_to_another_question_is_stale() -> None:
    found = heard(table(), "pick 5", fresh=("some other question",))
    assert found.refused is not None
    assert found.refused.reason == STALE


def test_a_mail_when_nothing_is_asked() -> None:
    found = heard(table(), "pick 5", seat=1, fresh=())
    assert found.refused is not None
    assert "nothing is asked of you" in found.refused.reason


@pytest.mark.parametrize(("command", "is_over"), [("accept", True), ("decline", False)])
def test_an_order_beside_the_move_that_ends_the_episode_falls_away(command: str, is_over: bool) -> None:
    state = bonus(house=["9c", "Kc"], phase="offer", offer=2600)
    mail = Read((Planned(command, command),), orders=("always keep",))
    reply = ReplyContext(frozenset(each.key for each in GAME.questions(state)))
    found = play_plan(Seated(GAME, state, 0, reply, CHANCE), mail)
    assert (found.said, found.refused, found.orders) == ((command,), None, () if is_over else ("always keep",))


def test_a_mail_when_it_is_over() -> None:
    over = heard(bonus(house=["9c", "Kc"], phase="offer", offer=2600), "accept").state
    found = heard(over, "accept", fresh=())
    assert found.refused is not None
    assert found.refused.reason == "The episode is over."


def test_who_is_out_is_told_so() -> None:
    found = heard(bonus(), "pick 5", seat=1, fresh=())
    assert found.refused is not None
    assert found.refused.clause == "CC-13"


def test_the_host_has_no_stale_mail() -> None:
    offered = bonus(house=["9c", "Kc"], phase="offer", offer=2600)
    assert heard(offered, "offer 3000", seat=HOST, fresh=()).said == ("offer 3000",)


def test_a_blocked_mail_plays_nothing_but_is_served() -> None:
    found = heard(table(), "pick 5", "status", blocked="The episode is paused.")
    assert found.said == ()
    assert found.refused is not None
    assert found.refused.reason == "The episode is paused."
    assert found.services == ("status",)
    assert found.state == table()


def test_a_blocked_mail_of_small_talk_is_no_refused_command() -> None:
    found = heard(table(), "Thanks!", blocked="The episode is paused.")
    assert found.is_empty


# Small talk


def test_small_talk_beside_a_command_is_passed_over() -> None:
    found = heard(table(), "Hello Bob", "pick 5", "What a lovely morning here in Berlin")
    assert found.said == ("pick 5",)
    assert found.chat == ("Hello Bob", "What a lovely morning here in Berlin")
    assert found.refused is None


def test_small_talk_alone_deserves_an_answer() -> None:
    found = heard(table(), "What a lovely morning here in Berlin")
    assert found.refused is not None
    assert found.refused.line == "What a lovely morning here in Berlin"
    assert not found.is_empty


def test_small_talk_beside_a_service_is_passed_over() -> None:
    found = heard(table(), "Lovely weather here in Berlin", "status")
    assert found.refused is None
    assert found.services == ("status",)


def test_a_failed_attempt_is_never_passed_over() -> None:
    found = heard(table(), "pick five six", "pick 5")
    assert found.said == ()
    assert found.refused is not None
    assert found.refused.readings[0] == "pick 5"


@pytest.mark.parametrize("lines", [[], [""], ["Thanks!"], ["Hello,", "thank you", "Best regards"], ["..."], [":-)"]])
def test_a_mail_that_says_nothing(lines: list[str]) -> None:
    found = heard(table(), *lines)
    assert found.is_empty
    assert found.state == table()


# Services


@every(
    ("line", "service"),
    [
        ("status", "status"),
        ("Status please!", "status"),
        ("show me the table", "status"),
        ("rules", "rules"),
        ("Could you send the rules, please", "rules"),
        ("help", "help"),
        ("HELP ME!", "help"),
        ("?", "help"),
        ("resign", "resign"),
        ("I resign", "resign"),
        ("resign yes", "resign"),
        ("I want to quit", "resign"),
        ("retire", "retire"),
        ("leave", "leave"),
    ],
)
def test_services(line: str, service: str) -> None:
    found = heard(table(), line)
    assert found.services == (service,)
    assert found.refused is None
    assert found.state == table()


def test_services_are_served_once_each_in_order_whatever_happens() -> None:
    found = heard(table(), "rules", "pick 99", "status", "keep", "rules", "help")
    assert found.services == ("rules", "status", "help")
    assert found.refused is not None
    assert found.untried == ("keep",)


@every(
    ("text", "service", "argument"),
    [
        ("leave champ cards", "leave", "champ cards"),
        ("Leave Champ-Cards please", "leave", "champ cards"),
        ("leave it", "", ""),
        ("leave the card", "", ""),
        ("leave that one", "", ""),
        ("pick 5", "", ""),
        ("the rules of this game are very long", "", ""),
        ("", "", ""),
    ],
)
def test_the_argument_of_a_service(text: str, service: str, argument: str) -> None:
    assert service_in(text, ("Champ Cards", "champ-cards", "CC")) == (service, argument)


def test_leaving_keeps_what_is_left() -> None:
    found = heard(table(), "leave champ cards")
    assert (found.services, found.leaving) == (("leave",), "champ cards")


def test_a_card_that_is_left_is_no_leaving() -> None:
    assert heard(choosing("5c"), "leave it").said == ("draw",)
    assert heard(choosing("5c"), "leave the card").said == ("draw",)


# To the host


@every(
    ("lines", "rest", "text"),
    [
        (["host hello there"], (), "hello there"),
        (["Host: I shall be late"], (), "I shall be late"),
        (["HOST : call me"], (), "call me"),
        (["  host   please wait"], (), "please wait"),
        (["pick 5", "host sorry for that"], ("pick 5",), "sorry for that"),
        (["pick 4", "host a", "pick 5", "host b"], ("pick 4",), "a\npick 5\nhost b"),
        (["hostess with the mostest"], ("hostess with the mostest",), ""),
        (["hosting is fun"], ("hosting is fun",), ""),
        (["host"], ("host",), ""),
        (["host:"], ("host:",), ""),
        (["Host, pick 5"], ("Host, pick 5",), ""),
        (["Hello host"], ("Hello host",), ""),
        (["host thanks"], (), "thanks"),
        (["host Dear Millionaire,", "", "I am ill.", "Ann"], (), "Dear Millionaire,\n\nI am ill.\nAnn"),
    ],
)
def test_text_to_the_host(lines: list[str], rest: tuple[str, ...], text: str) -> None:
    assert take_host_text(lines) == (rest, text)


def test_commands_in_the_text_to_the_host_are_not_played() -> None:
    found = heard(table(), "pick 4", "host may I pick 5, then keep?", "pick 6")
    assert found.to_host == "may I pick 5, then keep?\npick 6"
    assert found.said == ("pick 4",)


def test_text_to_the_host_is_kept_when_a_command_is_refused() -> None:
    found = heard(table(), "pick 99", "host sorry")
    assert found.to_host == "sorry"
    assert found.refused is not None
    assert not found.is_empty


# Yes, and what could be said


@every(
    "line",
    ["yes", "Yes, please", "YES!", "y", "Y ", "ja", "Ja bitte", "oui", "sí", "si", "confirm", "confirmed", " yes"],
)
def test_yes(line: str) -> None:
    assert says_yes([line, "Ann"])


def test_what_a_reply_says_first_counts_behind_a_greeting() -> None:
    assert says_yes(["Hello,", "", "Thanks, yes"])
    assert says_no(["Dear Millionaire,", "sorry, no."])
    assert not says_no(["No problem, count me in"])
    assert not says_yes([""])
    assert not says_no([])


@every("line", ["no", "yesterday", "you", "not yes", "maybe", "January", "since", "simply no"])
def test_not_yes(line: str) -> None:
    assert not says_yes([line, "yes"])
    assert not says_yes([])


@given(st.lists(st.text(max_size=60), max_size=6))
def test_any_lines_are_heard(lines: list[str]) -> None:
    for state in (new_game(), table(), choosing("5c"), replace(bonus(), phase="bet")):
        found = heard(state, *lines)
        assert all(found.said)
        assert found.said or found.state == state
        assert heard(state, *lines, blocked="The episode is paused.").state == state


@every(
    ("text", "is_told"),
    [
        ("how much may I bet?", False),
        ("bet 12.5 on it", False),
        ("hmm, bet 20 or 30", True),
    ],
)
def test_a_question_and_another_number_have_no_reading_to_say_yes_to(text: str, is_told: bool) -> None:
    state = POKER.deal(1, {}, CHANCE).state
    found = interpret(
        POKER, state, 0, [text], ReplyContext(frozenset(each.key for each in POKER.questions(state))), CHANCE
    )
    assert found.refused is not None
    assert found.refused.reason.startswith("I read this as") is is_told
