"""`podium interpret`: what a text would be read as at the end of a record."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from host.cli.main import main
from tests.play.judging import SAYINGS

Captured = pytest.CaptureFixture[str]

FIELDS = ["commands", "ahead", "ask", "suggest", "services", "to_host", "passed_over"]
CUT = str(SAYINGS / "positions" / "champ-cards-cut-1.jsonl")
PICK = str(SAYINGS / "positions" / "champ-cards-pick-1.jsonl")
QUESTION = str(SAYINGS / "positions" / "split-decision-question-1.jsonl")


def run(capsys: Captured, *arguments: str) -> tuple[int, str, str]:
    try:
        status = main(("interpret", *arguments))
    except SystemExit as ended:
        assert isinstance(ended.code, int)
        status = ended.code
    out, err = capsys.readouterr()
    return status, out, err


def read(capsys: Captured, text: str, file: str = CUT, name: str = "ann") -> dict[str, Any]:
    status, out, err = run(capsys, file, name, text, "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert list(found) == FIELDS
    return dict(found)


def asked(capsys: Captured, monkeypatch: pytest.MonkeyPatch, *lines: str) -> tuple[int, list[dict[str, Any]]]:
    """The status and the objects for rows on standard input."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    status, out, err = run(capsys, "--json")
    assert err == ""
    return status, [json.loads(line) for line in out.splitlines()]


def row(text: str, file: str = CUT, seat: str = "ann") -> str:
    return json.dumps({"record": file, "seat": seat, "text": text})


# One text


def test_commands_are_canonical_and_in_the_order_of_play(capsys: Captured) -> None:
    assert read(capsys, "Cut 26 and opne 4 pls") == {
        "commands": ["cut 26", "pick 4"],
        "ahead": [],
        "ask": None,
        "suggest": [],
        "services": [],
        "to_host": None,
        "passed_over": [],
    }


def test_what_is_not_asked_yet_is_kept(capsys: Captured) -> None:
    found = read(capsys, "pick 3", name="bob")
    assert (found["commands"], found["ahead"]) == ([], ["pick 3"])


@pytest.mark.parametrize(
    "text",
    [
        "CUT 26\n\n> cut 3\n",
        "On Monday Podium wrote:\n> cut 3\n\ncut 26",
        "cut 26\r\n\r\nOn Monday Podium wrote:\r\n> cut 3",
        "cut 26\n\n--\nSent from my iPhone 3",
    ],
)
def test_what_is_quoted_and_a_signature_are_no_part_of_a_reply(capsys: Captured, text: str) -> None:
    found = read(capsys, text)
    assert (found["commands"], found["ask"]) == (["cut 26"], None)


def test_nothing_is_kept_for_who_is_out_or_when_the_episode_is_over(capsys: Captured, tmp_path: Path) -> None:
    out, over = tmp_path / "out.jsonl", tmp_path / "over.jsonl"
    first = Path(CUT).read_bytes()
    out.write_bytes(first + b'{"from":"bob","say":"resign"}\n')
    over.write_bytes(out.read_bytes() + b'{"from":"ann","say":"resign"}\n')
    for file, name, why in ((out, "bob", "You are out of this episode."), (over, "ann", "The episode is over.")):
        found = read(capsys, "pick 3", str(file), name)
        assert (found["commands"], found["ahead"], found["ask"]) == ([], [], why)


def test_what_breaks_a_rule_is_read_all_the_same(capsys: Captured) -> None:
    found = read(capsys, "cut 99")
    assert found["commands"] == ["cut 99"]
    assert (found["ask"], found["suggest"]) == (None, [])


def test_of_a_correction_the_later_wish_is_offered_first(capsys: Captured) -> None:
    found = read(capsys, "cut 5, no wait, 7")
    assert (found["commands"], found["suggest"][0]) == ([], "cut 7")
    assert found["ask"] == "I read this as “cut 7”. Is that right?"


def test_what_holds_no_command_is_asked_back(capsys: Captured) -> None:
    found = read(capsys, "Lovely weather here in Norfolk.")
    assert found["commands"] == []
    assert found["ask"]
    assert found["suggest"]


def test_services_are_named(capsys: Captured) -> None:
    found = read(capsys, "what are the rules?")
    assert (found["services"], found["commands"], found["ask"]) == (["rules"], [], None)


def test_what_is_written_to_the_host_is_whole(capsys: Captured) -> None:
    found = read(capsys, "host I am in hospital.\n\nUntil Thursday.")
    assert found["to_host"] == "I am in hospital.\n\nUntil Thursday."
    assert found["ask"] is None


def test_talk_beside_a_command_is_passed_over(capsys: Captured) -> None:
    found = read(capsys, "What a lovely table this is.\ncut 26")
    assert found["commands"] == ["cut 26"]
    assert found["passed_over"] == ["What a lovely table this is"]


def test_taking_back_is_a_service(capsys: Captured) -> None:
    assert read(capsys, "undo")["services"] == ["undo"]
    found = read(capsys, "Oops, undo that\ncut 20")
    assert (found["services"], found["commands"]) == (["undo"], ["cut 20"])


def test_the_host_has_a_seat(capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "to the host.jsonl"
    lines = Path(QUESTION).read_text("utf-8").splitlines()
    last = max(at for at, line in enumerate(lines) if '"say":"ask ' in line)
    file.write_text("\n".join(lines[:last]) + "\n", "utf-8")
    found = read(capsys, "ask How many legs has a spider? = eight | 8", str(file), "host")
    assert found["commands"] == ["ask How many legs has a spider? = eight | 8"]


def test_a_whole_text_is_shown_for_people(capsys: Captured) -> None:
    status, out, _ = run(capsys, CUT, "ann", "cut 26, pick\nwhat are the rules?")
    assert status == 0
    lines = out.splitlines()
    assert lines[0].startswith("Asked back: I read this as “cut 26")
    assert "Served: rules" in lines


def test_nothing_but_courtesy_is_said_so(capsys: Captured) -> None:
    status, out, _ = run(capsys, CUT, "ann", "Thanks!")
    assert (status, out.splitlines()[0]) == (0, "Asked back: I found no command in it.")


def test_what_somebody_wrote_cannot_command_a_terminal(capsys: Captured) -> None:
    _, out, _ = run(capsys, CUT, "ann", "cut 26 \x1b[2J\ncut \x1b[31m99")
    assert "\x1b" not in out


# What is wrong


@pytest.mark.parametrize(
    "arguments", [(), (CUT,), (CUT, "ann"), (CUT, "--json"), (CUT, "ann", "--json"), (CUT, "ann", "cut 5", "more")]
)
def test_wrong_use_is_status_2_and_one_line(arguments: tuple[str, ...], capsys: Captured) -> None:
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert len([line for line in err.splitlines() if line.startswith("podium")]) == 1


def test_who_does_not_play_is_status_1(capsys: Captured) -> None:
    status, out, err = run(capsys, CUT, "zoe", "cut 5")
    assert (status, out) == (1, "")
    assert "Nobody called zoe plays" in err
    assert "ann, bob" in err


def test_a_file_that_is_not_there_or_no_record_is_status_1(capsys: Captured, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text("Dear host,\n", "utf-8")
    for file, why in ((str(tmp_path / "none.jsonl"), "cannot be read"), (str(other), "is not an episode record")):
        status, out, err = run(capsys, file, "ann", "cut 5")
        assert (status, out) == (1, "")
        assert why in err


def test_a_record_that_does_not_hold_is_status_1_and_names_the_line(capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "broken.jsonl"
    lines = Path(PICK).read_text("utf-8").splitlines()
    file.write_text("\n".join([*lines[:3], '{"from":"ann","say":"pick 77"}']) + "\n", "utf-8")
    status, out, err = run(capsys, str(file), "ann", "cut 5")
    assert (status, out) == (1, "")
    assert "Line 4 of" in err
    assert "does not hold" in err


def test_nothing_is_written(capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "episode.jsonl"
    file.write_bytes(Path(CUT).read_bytes())
    read(capsys, "cut 5", str(file))
    assert file.read_bytes() == Path(CUT).read_bytes()
    assert list(tmp_path.iterdir()) == [file]


# Rows on standard input


def test_rows_are_answered_in_their_order(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["cut 26", "help", "cut 7, no wait, 8", "status"]
    status, found = asked(capsys, monkeypatch, *map(row, texts), "", row("skip", QUESTION, "cleo"))
    assert status == 0
    assert [(each["commands"], each["services"]) for each in found] == [
        (["cut 26"], []),
        ([], ["help"]),
        ([], []),
        ([], ["status"]),
        (["skip"], []),
    ]
    assert found[2]["suggest"][:2] == ["cut 8", "cut 7"]
    assert all(list(each) == FIELDS for each in found)


def test_a_row_does_not_change_the_next(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    _, found = asked(capsys, monkeypatch, row("cut 26"), row("cut 26"))
    assert found[0] == found[1]


def test_no_rows_are_no_answers(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked(capsys, monkeypatch) == (0, [])


@pytest.mark.parametrize("bad", ["cut 5", "[]", "7", '"cut"', "null", "{}", '{"record": "x.jsonl", "seat": "ann"}'])
def test_a_bad_row_has_a_problem_and_the_others_are_read(
    bad: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, found = asked(capsys, monkeypatch, row("cut 5"), bad, row("cut 6"))
    assert status == 1
    assert [list(each) for each in found] == [FIELDS, ["problem"], FIELDS]
    assert "record, seat and text" in found[1]["problem"]


def test_a_row_about_nobody_or_no_record_has_a_problem(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    missing = str(tmp_path / "none.jsonl")
    status, found = asked(capsys, monkeypatch, row("cut 5", seat="zoe"), row("cut 5", file=missing), row("cut 5"))
    assert status == 1
    assert "Nobody called zoe" in found[0]["problem"]
    assert "cannot be read" in found[1]["problem"]
    assert found[2]["commands"] == ["cut 5"]


def test_a_row_that_cannot_be_read_costs_no_other(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    good = json.dumps({"record": CUT, "seat": "Ann", "text": "cut 5"})
    odd = json.dumps({"record": "a\0b.jsonl", "seat": "Ann", "text": "cut 5"})
    status, found = asked(capsys, monkeypatch, odd, "[" * 5000, good)
    assert status == 1
    assert "cannot be read" in found[0]["problem"]
    assert "problem" in found[1]
    assert found[2]["commands"] == ["cut 5"]


def test_what_is_said_to_the_table_ends_before_a_command(capsys: Captured) -> None:
    found = read(capsys, "say good luck\ncut 5")
    assert (found["services"], found["commands"]) == (["say"], ["cut 5"])


def test_a_row_whose_values_are_no_strings_is_none(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    other = [json.dumps({"record": CUT, "seat": "ann", "text": each}) for each in (None, 5, ["cut 5"])]
    status, rows = asked(capsys, monkeypatch, f"\ufeff{row('cut 5')}", *other)
    assert status == 1
    assert rows[0]["commands"] == ["cut 5"]
    assert all(list(each) == ["problem"] for each in rows[1:])
