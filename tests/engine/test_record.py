"""The episode record: what is one, what each line does, and what verifying finds."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.engine import record
from host.engine.chance import Chance, commitment
from host.engine.game import HOST, Refusal
from host.engine.record import BackTo, Header, NotARecord, Record, Replay, Say, Timeout
from host.games import GAMES
from tests.rows import every

SEED = "00" * 32
GAME = GAMES["champ-cards"]
HEADER: dict[str, Any] = {
    "format": "podium-episode/1",
    "game": "champ-cards",
    "seed": SEED,
    "players": ["ann", "bob"],
    "options": {},
}


def file(*lines: object, **header: Any) -> bytes:
    """A record's bytes; a header key that is None is left out."""
    first = {key: value for key, value in (HEADER | header).items() if value is not None}
    rows = [json.dumps(line) if not isinstance(line, bytes) else line.decode("latin-1") for line in (first, *lines)]
    return "\n".join(rows).encode("latin-1")


def read(*lines: object, **header: Any) -> Record:
    return record.read(file(*lines, **header), GAMES)


def replay(*lines: object, **header: Any) -> list[dict[str, Any]]:
    return list(record.rows(GAME, read(*lines, **header)))


def said(player: str, text: str) -> dict[str, str]:
    return {"from": player, "say": text}


CUT = said("ann", "cut 5")
OVER = [{"timeout": "ann"}, {"timeout": "bob"}]


# What is a record


@every(
    ("data", "line", "why"),
    [
        (b"", 1, "empty"),
        (b"\n\n  \n", 1, "empty"),
        (b"\xef\xbb\xbf", 1, "empty"),
        (b"hello", 1, "JSON"),
        (b"{", 1, "JSON"),
        (b"\xff\xfe{}", 1, "UTF-8"),
        (b"[]", 1, "object"),
        (b"null", 1, "object"),
        (b"[" * 100_000, 1, "JSON"),
        (b"{}", 1, "format"),
        (file(format="podium-episode/2"), 1, "format"),
        (file(format=["podium-episode/1"]), 1, "format"),
        (file(format=None), 1, "format"),
        (file(game="chess"), 1, "champ-cards"),
        (file(game=None), 1, "champ-cards"),
        (file(game=5), 1, "champ-cards"),
        (file(game=["champ-cards"]), 1, "champ-cards"),
        (file(seed="00" * 31), 1, "64 hex digits"),
        (file(seed="00" * 33), 1, "64 hex digits"),
        (file(seed="zz" * 32), 1, "64 hex digits"),
        (file(seed="00" * 31 + "0\n"), 1, "64 hex digits"),
        (file(seed=5), 1, "64 hex digits"),
        (file(seed=None), 1, "64 hex digits"),
        (file(players=None), 1, "players"),
        (file(players="ann"), 1, "players"),
        (file(players=[1, 2]), 1, "players"),
        (file(players=["ann", ""]), 1, "players"),
        (file(players=["ann", "ann"]), 1, "different"),
        (file(players=["ann", "host"]), 1, "host"),
        (file(players=["ann", "\ud800"]), 1, "names"),
        (file(players=[]), 1, "two players"),
        (file(players=["ann"]), 1, "two players"),
        (file(players=["ann", "bob", "cleo"]), 1, "two players"),
        (file(options={"decks": 2}), 1, "options"),
        (file(options=[]), 1, "options"),
        (file(options="none"), 1, "options"),
        (file(game="bluffjack", options={"chips": 10**20}), 1, "at most 1000000000000000000"),
        (file(commitment=5), 1, "commitment"),
        (file(b"nonsense"), 2, "JSON"),
        (file(CUT, b"", CUT), 3, "JSON"),
        (file(CUT, b"\xff"), 3, "UTF-8"),
        (file(CUT, b'"pick 5"'), 3, "object"),
        (file(CUT, {}), 3, "a line holds"),
        (file(CUT, {"from": "ann"}), 3, "a line holds"),
        (file(CUT, {"say": "pick 5"}), 3, "a line holds"),
        (file(CUT, {"from": "ann", "say": 5}), 3, "a line holds"),
        (file(CUT, {"from": 5, "say": "pick 5"}), 3, "a line holds"),
        (file(CUT, {"timeout": 5}), 3, "a line holds"),
        (file(CUT, {"timeout": None}), 3, "a line holds"),
        (file(CUT, {"back_to": "1"}), 3, "a line holds"),
        (file(CUT, {"back_to": 1.0}), 3, "a line holds"),
        (file(CUT, {"back_to": True}), 3, "a line holds"),
        (file(CUT, HEADER), 3, "a line holds"),
    ],
)
def test_what_is_no_record_says_in_which_line(data: bytes, line: int, why: str) -> None:
    with pytest.raises(NotARecord) as caught:
        record.read(data, GAMES)
    assert caught.value.line == line
    assert why in caught.value.reason
    assert str(caught.value) == f"line {line}: {caught.value.reason}"


def test_options_may_be_left_out() -> None:
    assert read(options=None).header.options == {}


def test_a_seed_may_be_in_capitals() -> None:
    assert read(seed="AB" * 32).header.seed == b"\xab" * 32


@pytest.mark.parametrize(
    "data", [file(CUT) + b"\n\n\n", b"\xef\xbb\xbf" + file(CUT), file(CUT).replace(b"\n", b"\r\n")]
)
def test_line_ends_and_marks_do_not_matter(data: bytes) -> None:
    assert record.read(data, GAMES).lines == (Say("ann", "cut 5"),)


def test_unknown_keys_are_ignored() -> None:
    found = read(
        {**CUT, "at": "noon", "x": {"y": 1}}, {"timeout": "ann", "why": None}, {"back_to": 1, "by": "me"}, note="hello"
    )
    assert found.lines == (Say("ann", "cut 5"), Timeout("ann"), BackTo(1))


@given(st.binary(max_size=200))
def test_bytes_are_a_record_or_not(data: bytes) -> None:
    for whole in (data, file() + b"\n" + data):
        try:
            record.read(whole, GAMES)
        except NotARecord as error:
            assert error.line >= 1


# Replaying


def test_the_header_has_the_first_row() -> None:
    (row,) = replay()
    assert list(row) == ["line", "ok", "error", "waiting", "winnings", "over", "table"]
    assert (row["line"], row["ok"], row["error"], row["over"]) == (1, True, None, False)
    assert row["waiting"] == ["ann"]
    assert row["winnings"] == {"ann": 0, "bob": 0}


def test_a_refused_line_changes_nothing_and_says_why() -> None:
    first, refused, played = replay(said("bob", "cut 5"), CUT)
    assert (refused["ok"], played["ok"]) == (False, True)
    assert refused["error"].endswith(".")
    assert refused["table"] == first["table"]
    assert played["table"]["phase"] == "pick"


@every("text", ["status", "rules", "help", "STATUS", " Help ", "Status.", "rules, please"])
@every("player", ["ann", "bob"])
def test_services_are_accepted_and_change_nothing(player: str, text: str) -> None:
    first, second = replay(said(player, text))
    assert second["ok"]
    assert second["table"] == first["table"]


def test_services_are_for_whoever_is_out_too() -> None:
    *_, row = replay({"timeout": "ann"}, said("ann", "status"))
    assert row["ok"]


@every(
    ("player", "text"),
    [
        ("host", "status"),
        ("host", "pick 5"),
        ("host", ""),
        ("zoe", "status"),
        ("zoe", "cut 5"),
        ("Ann", "cut 5"),
        ("", "cut 5"),
        ("ann", ""),
        ("ann", "please"),
        ("ann", "hello there"),
        ("ann", "cut 5, pick 5"),
        ("ann", "cut 5\npick 5, keep"),
        ("ann", "cut -5"),
        ("ann", "offer 3000"),
        ("ann", "keep"),
        ("ann", "\ud800"),
        ("ann", "x" * 10_000),
    ],
)
def test_refused(player: str, text: str) -> None:
    first, second = replay(said(player, text))
    assert not second["ok"]
    assert second["table"] == first["table"]


@pytest.mark.parametrize("player", ["bob", "host", "zoe", ""])
def test_only_who_is_waited_for_times_out(player: str) -> None:
    _, row = replay({"timeout": player})
    assert not row["ok"]


def test_silence_eliminates() -> None:
    *_, row = replay({"timeout": "ann"})
    assert row["ok"]
    assert row["winnings"] == {"ann": 0, "bob": 5000}
    assert row["waiting"] == ["bob"]


def test_back_to_the_state_after_a_line() -> None:
    rows = replay(CUT, said("ann", "pick 5"), said("ann", "keep"), {"back_to": 3}, said("ann", "draw"), {"back_to": 1})
    assert [row["ok"] for row in rows] == [True] * 7
    assert rows[4]["table"] == rows[2]["table"]
    assert rows[5]["table"]["hands"] != rows[3]["table"]["hands"]
    assert rows[6]["table"] == rows[0]["table"]


def test_chance_is_drawn_again_as_it_was() -> None:
    rows = replay(CUT, {"back_to": 1}, CUT)
    assert rows[3]["table"] == rows[1]["table"]


def test_back_to_a_refused_line_and_to_a_going_back() -> None:
    rows = replay(CUT, said("bob", "pick 1"), {"back_to": 3}, {"back_to": 4})
    assert [row["ok"] for row in rows] == [True, True, False, True, True]
    assert rows[4]["table"] == rows[1]["table"]


@pytest.mark.parametrize("target", [0, -1, 3, 4, 100, 10**30])
def test_not_back_to_what_is_not_before(target: int) -> None:
    rows = replay(CUT, {"back_to": target})
    assert [row["ok"] for row in rows] == [True, True, False]
    assert rows[2]["table"] == rows[1]["table"]


def test_when_over_there_is_a_result_and_only_back_to_is_accepted() -> None:
    rows = replay(*OVER, said("ann", "status"), said("bob", "resign"), {"timeout": "bob"}, said("host", "offer 5"))
    assert [row.get("ok") for row in rows] == [True, True, True, False, False, False, False, None]
    assert rows[2]["over"]
    assert rows[2]["waiting"] == []
    assert rows[2]["table"]["phase"] == "over"
    assert rows[2]["table"]["turn"] is None
    assert rows[-1] == {"result": {"winner": "bob", "champion": "bob", "winnings": {"ann": 0, "bob": 5000}, "bonus": 0}}


def test_back_to_when_it_is_over() -> None:
    rows = replay(*OVER, {"back_to": 2}, said("bob", "bet all"))
    assert [row.get("ok") for row in rows] == [True] * 5
    assert not rows[3]["over"]
    assert "result" not in rows[-1]


def test_the_replay_says_who_plays_where() -> None:
    found = read(players=["bob", "ann"])
    game = Replay(GAME, found.header)
    assert game.step(Say("ann", "cut 5")) is not None
    assert game.step(Say("bob", "cut 5")) is None
    assert len(game.states) == 3


def test_playing_a_host_command() -> None:
    state = GAME.deal(2, {}, Chance(bytes(32))).state
    with pytest.raises(Refusal):
        record.play(GAME, state, ["ann", "bob"], Say("host", "offer 5"), Chance(bytes(32)))
    assert HOST < 0


# Writing


@given(
    st.lists(
        st.one_of(
            st.builds(Say, st.text(min_size=1, max_size=8), st.text(max_size=20)),
            st.builds(Timeout, st.text(min_size=1, max_size=8)),
            st.builds(BackTo, st.integers(-5, 500)),
        ),
        max_size=8,
    )
)
def test_what_is_written_is_read_back(lines: list[record.Line]) -> None:
    header = Header("champ-cards", bytes(range(32)), ("Ann Ö", "bob"), {})
    text = "\n".join([record.write_header(header), *map(record.write_line, lines)])
    found = record.read(text.encode(), GAMES)
    assert found.lines == tuple(lines)
    assert found.header == Header("champ-cards", bytes(range(32)), ("Ann Ö", "bob"), {}, commitment(bytes(range(32))))
    assert [record.read_line(record.write_line(line)) for line in lines] == lines


def test_a_written_line_is_one_line() -> None:
    text = record.write_line(Say("ann", 'a\nb\u2028"c"'))
    assert "\n" not in text
    assert json.loads(text) == {"from": "ann", "say": 'a\nb\u2028"c"'}


def test_read_line_refuses_what_is_none() -> None:
    for text in ("", "{}", "[]", '{"back_to": true}'):
        with pytest.raises(NotARecord):
            record.read_line(text)


# Verifying


def test_verifying_a_kept_promise() -> None:
    found = record.verify(GAME, read(CUT), commitment(bytes(32)).upper())
    assert found.holds
    assert found.computed == commitment(bytes(32))
    assert found.refused == ()


def test_verifying_without_a_promise() -> None:
    found = record.verify(GAME, read(CUT), None)
    assert found.promised is None
    assert found.holds


def test_verifying_against_the_header() -> None:
    assert record.verify(GAME, read(commitment=commitment(bytes(32))), None).holds
    assert not record.verify(GAME, read(commitment="0" * 64), None).holds
    assert record.verify(GAME, read(commitment="0" * 64), commitment(bytes(32))).holds


def test_verifying_finds_refused_lines() -> None:
    found = record.verify(GAME, read(CUT, CUT, said("ann", "pick 1")), None)
    assert [line for line, _ in found.refused] == [3]
    assert not found.holds


def test_what_was_gone_back_over_does_not_count_and_the_going_back_does() -> None:
    said = Say("ann", "cut 5")
    assert record.standing([]) == [1]
    assert record.standing([said, said]) == [1, 2, 3]
    assert record.standing([said, said, BackTo(2), said]) == [1, 2, 4, 5]
    assert record.standing([said, said, BackTo(2), BackTo(3)]) == [1, 2, 3, 5], "what was taken back may come back"
    assert record.standing([said, BackTo(1)]) == [1, 3]
    assert record.standing([said, BackTo(3)]) == [1, 2, 3], "there is no such line"
