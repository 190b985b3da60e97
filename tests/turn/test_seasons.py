"""Episodes of a season: their seeds follow from a chain, and from what their contestants gave; standings."""

import json
import random
import subprocess
import sys
from collections.abc import Sequence
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from host.demo.robot import ReadLetter, tap
from host.engine import record
from host.engine.chain import end_of, hashed, link_of, seed_of
from host.games import GAMES
from host.store import seasons as rows
from host.store.schema import Chain, Episode, Letter
from host.turn import seasons
from host.turn.work import begin
from tests.turn.desk import Desk

ANN, BOB = "ann@example.com", "bob@example.net"


def open_season(desk: Desk, **changes: Any) -> list[str]:
    wanted = {"name": "Winter", "begins_at": None, "ends_at": None, "games": ()} | changes
    with begin(desk.services, desk.now) as work:
        return [each.end for each in seasons.begin(work, **wanted)]


def registered(desk: Desk, *words: str) -> None:
    """Ann and Bob register; each confirms with one of these words."""
    for address, name, word in zip((ANN, BOB), ("Ann", "Bob"), words or ("", ""), strict=True):
        desk.write(address, "games@example.org", desk.game.subject, f"Name: {name}")
        desk.answer(address, f"confirm {word}".strip())


def episode_of(desk: Desk) -> Episode:
    with desk.store.reading() as session:
        return session.scalars(select(Episode).order_by(Episode.id.desc()).limit(1)).one()


def played(desk: Desk) -> None:
    """Everybody taps links until the episode is over."""
    choice, over = random.Random(desk.count()), len([each for each in desk.sent if each[1].kind == "result"])
    for _ in range(600):
        desk.later(minutes=7)
        asked = [each for each in (desk.last(ANN), desk.last(BOB)) if each.asks]
        if len([each for each in desk.sent if each[1].kind == "result"]) >= over + 2:
            return
        letter = next(each for each in asked if not is_answered(desk, each))
        address = letter.headers["to"]
        desk.deliver(tap(letter, address, "Somebody", choice) or b"")
    raise AssertionError("it does not end")


def is_answered(desk: Desk, letter: ReadLetter) -> bool:
    """Does nothing that the letter asks wait any more?"""
    token = letter.headers["message-id"].strip("<>").partition("@")[0]
    with desk.store.reading() as session:
        row = session.scalars(select(Letter).where(Letter.token == token)).one()
        return all(each.closed_at is not None for each in row.questions)


def header_of(desk: Desk, address: str = ANN) -> dict[str, Any]:
    """The header of the record that a result brings."""
    (raw,) = [raw for to, letter, raw in desk.sent if to == address and letter.kind == "result"][-1:]
    (part,) = message_from_bytes(raw, policy=default).iter_attachments()
    found: dict[str, Any] = json.loads(part.get_content().splitlines()[0])
    return found


def test_an_episode_of_a_season_takes_the_links_in_order_and_its_first_letter_lists_what_was_given(desk: Desk) -> None:
    (end,) = open_season(desk)
    registered(desk, "pear", "")
    for address in (ANN, BOB):
        first = desk.last(address)
        assert first.headers["x-podium-chain"] == f"1 {end}"
        assert first.headers["x-podium-commitment"] == episode_of(desk).commitment
        given = [line for line in first.text.splitlines() if line.startswith("<")]
        assert len(given) == 2
        assert given[0].endswith("> pear")
        assert all(each in first.page.replace("&lt;", "<").replace("&gt;", ">") for each in given)
    assert seed_of(link_of(first_link(desk), 1), given) == episode_of(desk).seed


def first_link(desk: Desk) -> bytes:
    with desk.store.reading() as session:
        return session.scalars(select(Chain).order_by(Chain.id)).all()[0].first


def test_the_record_has_the_chain_when_the_episode_is_over(desk: Desk) -> None:
    (end,) = open_season(desk)
    registered(desk, "pear", "42")
    first = desk.last(ANN)
    played(desk)
    chain = header_of(desk)["chain"]
    assert hashed(bytes.fromhex(chain["link"]), 1).hex() == end == chain["end"]
    assert seed_of(bytes.fromhex(chain["link"]), chain["given"]).hex() == header_of(desk)["seed"]
    assert chain["given"] == [line for line in first.text.splitlines() if line.startswith("<")]
