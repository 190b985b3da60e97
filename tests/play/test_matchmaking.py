"""Registration forms, and who plays next."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.play.matchmaking import MAX_FIELD, QUIET_AFTER, Form, InQueue, Plan, plan, read_form

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
FULL = Form("Ann Smith", "Annie", "Berlin")


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Name: Ann Smith\nName you go by at TGSF: Annie\nHometown: Berlin", FULL),
        ("Hometown: Berlin\nName you go by at TGSF: Annie\nName: Ann Smith", FULL),
        ("name: Ann Smith\nNICKNAME: Annie\nhome town: Berlin", FULL),
        ("Full name: Ann Smith\nNick: Annie\nCity: Berlin", FULL),
        ("My name: Ann Smith\nHandle: Annie\nWhere you're from: Berlin", FULL),
        (
            "Name (first and last, please): Ann Smith\nName you go by at TGSF (if you have one): Annie\nHometown: Berlin",
            FULL,
        ),
        ("Name (first and\nlast, please): Ann Smith\nTGSF name: Annie\nTown: Berlin", FULL),
        ("Name:\nAnn Smith\nName you go by at TGSF:\nAnnie\nHometown:\nBerlin", FULL),
        ("Name (first and last, please):\nAnn Smith\nNick name:\n  Annie\nHometown:\nBerlin", FULL),
        ("* Name: Ann Smith\n- Nickname: Annie\n• Hometown: Berlin", FULL),
        ("**Name:** Ann Smith\n*Nickname*: Annie\nHometown: *Berlin*", FULL),
        ("> Name: Ann Smith\nNickname: Annie (that's me)\nHometown: Berlin (Germany)", FULL),
        ("Hello!\nI want to play.\nName: Ann Smith\nNickname: Annie\nHometown: Berlin\nThanks: bye", FULL),
        ("Name: Ann Smith\nNickname:\nHometown: Berlin", Form("Ann Smith", "", "Berlin")),
        ("Name: Ann Smith\nNickname: \nHometown: ", Form("Ann Smith")),
        ("Name: Ann\nName: Bob", Form("Ann")),
        ("Name: 10:30 Club", Form("10:30 Club")),
        ("Ann Smith\nBerlin", Form()),
        ("Name Ann Smith", Form()),
        ("", Form()),
        ("Name:", Form()),
    ],
)
def test_forms(text: str, form: Form) -> None:
    assert read_form(text.splitlines()) == form


def test_values_are_cut_and_clean() -> None:
    form = read_form(["Name: " + "x" * 500, "Hometown: Ber\x00lin\x07"])
    assert form == Form("x" * MAX_FIELD, "", "Berlin")


@given(st.lists(st.text(max_size=50), max_size=8))
def test_any_lines_are_a_form(lines: list[str]) -> None:
    form = read_form(lines)
    assert all(len(value) <= MAX_FIELD for value in (form.name, form.nickname, form.hometown))


def waiting(contestant: int, hours: float = 0, asked: bool = False, passed: bool = False) -> InQueue:
    return InQueue(contestant, NOW - timedelta(hours=hours), asked, passed)


@pytest.mark.parametrize(
    ("queue", "wanted"),
    [
        ([], Plan()),
        ([waiting(1)], Plan()),
        ([waiting(1), waiting(2)], Plan(begin=(1, 2))),
        ([waiting(1), waiting(2), waiting(3)], Plan(begin=(1, 2))),
        ([waiting(2), waiting(1)], Plan(begin=(2, 1))),
        ([waiting(1, 71), waiting(2)], Plan(begin=(1, 2))),
        ([waiting(1, 72), waiting(2)], Plan(ask=(1,))),
        ([waiting(1, 80), waiting(2, 80)], Plan(ask=(1, 2))),
        ([waiting(1, 80, asked=True), waiting(2, 80)], Plan(ask=(2,))),
        ([waiting(1, 80, asked=True), waiting(2)], Plan()),
        ([waiting(1, 0, asked=True), waiting(2)], Plan()),
        ([waiting(1, 80, asked=True), waiting(2), waiting(3)], Plan()),
        ([waiting(1, 80, passed=True), waiting(2), waiting(3)], Plan(begin=(2, 3))),
        ([waiting(1, 80, passed=True), waiting(2)], Plan()),
        ([waiting(1), waiting(2), waiting(3, 80)], Plan(begin=(1, 2))),
    ],
)
def test_who_plays_next(queue: list[InQueue], wanted: Plan) -> None:
    assert plan(queue, 2, NOW) == wanted


def test_quiet_is_three_days() -> None:
    assert timedelta(hours=72) == QUIET_AFTER


@given(
    st.lists(st.builds(waiting, st.integers(1, 99), st.integers(0, 200), st.booleans(), st.booleans()), max_size=6),
    st.integers(1, 4),
)
def test_a_plan_is_of_those_who_wait(queue: list[InQueue], seats: int) -> None:
    found = plan(queue, seats, NOW)
    assert not (found.begin and found.ask)
    assert len(found.begin) in (0, seats)
    assert set(found.begin + found.ask) <= {each.contestant for each in queue if not each.passed}
