"""A season's load: nothing is lost in the sums, the same seed gives the same, and assumptions do what they say."""

import random
from dataclasses import replace
from statistics import mean

import pytest

import bench.season
from bench.season import ASSUMED, MEASURED, Course, Habits, Load, Season, courses, figures, in_words, longest_wait, main

COURSES = [Course(10, 12.0, 22.0), Course(20, 18.0, 42.0)]
SEASON = Season(contestants=20_000, days=30)


def play(season: Season = SEASON, played: int = 2000, seed: str = "a") -> Load:
    return bench.season.play(season, COURSES, played, seed)


def test_a_course_is_what_the_simulator_plays() -> None:
    found = courses("champ-cards", 5, "a")
    assert found == courses("champ-cards", 5, "a")
    assert all(each.steps > 0 and each.replies > 0 and each.letters > each.replies for each in found)
    assert len(set(found)) > 1


def test_every_question_is_answered_or_lapses() -> None:
    load = play()
    total = {name: sum(hours) for name, hours in load.hours.items()}
    assert total["asked"] == pytest.approx(total["answered"] + total["lapsed"])
    assert total["mails_in"] == pytest.approx(SEASON.contestants + total["answered"])
    assert total["begun"] == pytest.approx(total["over"])
    assert total["registered"] == pytest.approx(SEASON.contestants)
    assert min(load.open()) > -1e-6
    assert load.open()[-1] == pytest.approx(0, abs=1e-6)
    assert load.running()[-1] == pytest.approx(0, abs=1e-6)


def test_everyone_plays_once_and_champions_stay() -> None:
    load = play(replace(SEASON, lobbies=50))
    assert sum(play(replace(SEASON, lobbies=0)).hours["begun"]) == pytest.approx(10_000)
    begun = sum(load.hours["begun"])
    champions = 2 * begun - SEASON.contestants
    assert 50 < champions < 50 * 10
    with pytest.raises(ValueError, match="newcomers"):
        play(replace(SEASON, contestants=100, lobbies=50))


def test_the_same_seed_gives_the_same_load() -> None:
    assert play().hours == play().hours
    assert play(seed="b").hours != play().hours


@pytest.mark.storm
def test_a_part_of_the_episodes_stands_for_all() -> None:
    some, more = figures(SEASON, play(played=2500)), figures(SEASON, play(played=10_000))
    for name in ("letters_an_episode", "running_peak", "letters_out_mean"):
        assert some[name] == pytest.approx(more[name], rel=0.06)
    assert some["letters_out_peak"] == pytest.approx(more["letters_out_peak"], rel=0.2)


@pytest.mark.storm
def test_twice_the_contestants_are_twice_the_load() -> None:
    small = replace(SEASON, lobbies=0)
    once, twice = figures(small, play(small)), figures(small, play(replace(small, contestants=40_000)))
    assert twice["letters_out_peak"] == pytest.approx(2 * once["letters_out_peak"])
    assert twice["letters_an_episode"] == pytest.approx(once["letters_an_episode"])
    assert twice["contestants_a_process"] == pytest.approx(once["contestants_a_process"] / 2)


def test_people_look_into_their_mailbox_in_the_evening() -> None:
    habits, chance = Habits(0.6, 2.0), random.Random(1)
    hours = [8.0]
    for _ in range(5000):
        hours.append((hours[-1] + habits.delay(hours[-1], chance.expovariate(1.0))) % 24)
    assert mean(18 <= hour < 23 for hour in hours) == pytest.approx(0.6, abs=0.03)
    assert mean(hour < 7 for hour in hours) < 0.05
    assert habits.delay(23.5, 1e-9) == pytest.approx(0.0, abs=1e-3)
    assert habits.delay(12.0, 2.0) == pytest.approx(24.0)


@pytest.mark.storm
def test_who_never_answers_gets_two_reminders_and_lapses_two_days_later() -> None:
    season = replace(SEASON, silent=1.0)
    hours = play(season).hours
    questions = sum(hours["asked"]) - SEASON.contestants
    assert sum(hours["lapsed"]) == pytest.approx(questions)
    assert sum(hours["mails_in"]) == pytest.approx(2 * SEASON.contestants)
    assert figures(season, play(season))["days_an_episode"] == pytest.approx(
        2 * mean(each.steps for each in COURSES), 0.05
    )
    late = replace(season, looks=0.001)
    assert sum(play(late).hours["reminded"]) == pytest.approx(2 * questions, rel=0.02)


@pytest.mark.storm
def test_operators_are_told_of_each_deadline_that_lapses() -> None:
    alone, three = (figures(each, play(each)) for each in (replace(SEASON, operators=count) for count in (0, 3)))
    alerts = three["letters_an_episode"] - alone["letters_an_episode"]
    assert alerts * alone["episodes"] == pytest.approx(3 * sum(play().hours["lapsed"]))


@pytest.mark.storm
def test_the_announcement_makes_the_peak() -> None:
    flat, peaked = (figures(SEASON, play(replace(SEASON, announced=share))) for share in (0.0, 0.6))
    assert peaked["begun_peak"] > 3 * flat["begun_peak"]


def test_what_one_process_cannot_do_at_once_waits() -> None:
    assert longest_wait([10, 0, 0], 5) == 1
    assert longest_wait([10, 10, 0, 0], 5) == 2
    assert longest_wait([5, 5, 5], 5) == 0
    slow = replace(SEASON, letters_a_second=0.05)
    found = figures(slow, play(slow))
    assert found["letters_wait_hours"] > 1
    assert found["processes"] > 1


def test_mail_is_let_go_and_letters_are_not() -> None:
    found = figures(replace(SEASON, keep_mail=3), play())
    assert found["stored_mails_kept_gb"] < found["stored_mails_gb"] / 2
    assert found["stored_gb"] > found["stored_letters_gb"] + found["stored_mails_gb"]


def test_each_figure_is_shown_with_its_kind(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--contestants", "2000", "--simulated", "3", "--played", "200", "--letters-a-second", "77"])
    told = capsys.readouterr().out
    assert "contestants, who register once" in told
    (line,) = [line for line in told.splitlines() if line.startswith("letters a second that one process sends")]
    assert line.split()[-2:] == ["77.0", MEASURED]
    assert ASSUMED in in_words(SEASON, figures(SEASON, play()))


def test_wrong_words_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--game", "whist"])
    assert "champ-cards" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="newcomers"):
        main(["--contestants", "100", "--simulated", "2", "--lobbies", "1000"])
