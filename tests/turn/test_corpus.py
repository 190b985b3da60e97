"""Whole folders of mail through the corridor: automatic mail does nothing, people are heard, forgeries play nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest

from host.demo.robot import ReadLetter, write
from tests.size import size
from tests.turn.conftest import MakeDesk
from tests.turn.desk import ADDRESS, OPERATOR, Desk
from tests.turn.test_receive import record

MAIL = Path(__file__).parents[1] / "mail" / "inbound"
PLACEHOLDER = b"mfrggzdfmy2tqnrzgezdgnbvgy"
ANN, BOB, EVE = "ann@example.net", "bob@example.net", "eve@example.com"


def token(letter: ReadLetter) -> bytes:
    return letter.headers["message-id"].strip("<>").partition("@")[0].encode()


def test_no_automatic_mail_plays_or_is_answered_and_only_real_bounces_are_told(desk: Desk) -> None:
    desk.begin()
    letter = desk.last(ANN)
    files = sorted((MAIL / "automatic").glob("*.eml"))
    assert len(files) > 100
    files = files[:: size(3, 1)]
    told = 0
    for file in files:
        desk.later(hours=2)
        before = {who: len(desk.letters(who)) for who in (ANN, BOB, OPERATOR)}
        row = desk.deliver(file.read_bytes().replace(PLACEHOLDER, token(letter)))
        assert row.state in ("silent", "stranger"), file.name
        assert record(desk) == [], file.name
        after = {who: len(desk.letters(who)) for who in (ANN, BOB, OPERATOR)}
        assert (after[ANN], after[BOB]) == (before[ANN], before[BOB]), file.name
        if after[OPERATOR] != before[OPERATOR]:
            told += file.name.endswith(".bounce.eml")
            assert file.name.endswith((".bounce.eml", ".list.eml")), file.name
            assert ".delayed." not in file.name, file.name
            assert ".fine." not in file.name, file.name
    assert {to for to, _, _ in desk.sent} <= {ANN, BOB, OPERATOR}, "nobody else is written to"
    assert told >= size(7, 20)


def test_people_are_heard_whatever_their_programs_put_in_the_head(desk: Desk) -> None:
    desk.begin()
    letter = desk.last(ANN)
    files = sorted((MAIL / "person").glob("*.eml"))
    assert len(files) > 30
    outcomes = {}
    for file in files:
        desk.later(minutes=20)
        row = desk.deliver(file.read_bytes().replace(PLACEHOLDER, token(letter)))
        outcomes[file.name] = row.state
    assert set(outcomes.values()) <= {"played", "answered", "refused", "held"}, outcomes


Forge = Callable[[Desk, ReadLetter], bytes]


def plain(sender: str, to: str, letter: ReadLetter, body: str = "cut 5", name: str = "Ann Lee") -> bytes:
    return write(sender, name, to, "Re: " + letter.headers["subject"], body, letter.headers["message-id"])


def head(line: str, raw: bytes) -> bytes:
    return line.encode() + b"\r\n" + raw


FORGED: dict[str, Forge] = {
    "another address with the token": lambda _, letter: plain(EVE, letter.headers["reply-to"], letter),
    "another contestant with the token": lambda _, letter: plain(BOB, letter.headers["reply-to"], letter),
    "her address as the name of another": lambda _, letter: plain(
        EVE, letter.headers["reply-to"], letter, name='"ann@example.net"'
    ),
    "her address in a comment": lambda _, letter: plain(EVE, letter.headers["reply-to"], letter).replace(
        f"<{EVE}>".encode(), f"<{EVE}> (ann@example.net)".encode()
    ),
    "two senders in two headers": lambda _, letter: head(
        "From: eve@example.com", plain(ANN, letter.headers["reply-to"], letter)
    ),
    "two senders in one header": lambda _, letter: plain(ANN, letter.headers["reply-to"], letter).replace(
        b"From: Ann Lee <ann@example.net>", b"From: ann@example.net, eve@example.com"
    ),
    "sender as well as sender": lambda _, letter: plain(EVE, letter.headers["reply-to"], letter).replace(
        b"Subject:", b"Sender: ann@example.net\r\nReply-To: ann@example.net\r\nSubject:"
    ),
    "a token that was guessed": lambda _, letter: write(
        ANN, "Ann Lee", f"games+{'a' * 25}2@example.org", "Re", "cut 5"
    ),
    "no token at all": lambda _, letter: write(ANN, "Ann Lee", ADDRESS, "Champ Cards", "cut 5"),
    "half a token": lambda _, letter: write(
        ANN, "Ann Lee", letter.headers["reply-to"].replace("@", "@", 1)[:-20] + "@example.org", "Re", "cut 5"
    ),
    "an authentication that failed": lambda _, letter: head(
        "Authentication-Results: mx.example.org; dmarc=fail header.from=example.net",
        plain(ANN, letter.headers["reply-to"], letter),
    ),
    "a failed authentication with passes written below": lambda _, letter: head(
        "Authentication-Results: mx.example.org; dmarc=fail header.from=example.net\r\n"
        "Received: from a by b; Sat, 21 Nov 2026 10:00:00 +0000\r\n"
        "Authentication-Results: mx.example.org; dmarc=pass header.from=example.net",
        plain(ANN, letter.headers["reply-to"], letter),
    ),
    "a failed authentication with a pass in a comment": lambda _, letter: head(
        "Authentication-Results: mx.example.org; dmarc=fail (dmarc=pass) header.from=example.net",
        plain(ANN, letter.headers["reply-to"], letter),
    ),
    "the host's own address": lambda _, letter: plain(ADDRESS, letter.headers["reply-to"], letter),
    "the host's own letter, sent back": lambda desk, _: next(raw for to, _, raw in desk.sent if to == ANN),
    "the other's letter, forwarded with a command on top": lambda desk, letter: write(
        EVE, "Eve", letter.headers["reply-to"], "Fwd: x", "cut 5\n\n" + letter.text
    ),
}
ANSWERED_ONCE = {"no token at all", "a token that was guessed", "half a token"}
"""Mail of a contestant's own address without a token is told how to reply; nothing is played."""


@pytest.mark.parametrize("name", FORGED)
def test_a_forgery_plays_nothing_and_writes_to_nobody_but_whose_address_it_is(make_desk: MakeDesk, name: str) -> None:
    desk = make_desk(security={"authserv_id": "mx.example.org"})
    desk.begin()
    letter = desk.last(ANN)
    before = desk.count()
    row = desk.deliver(FORGED[name](desk, letter))
    assert record(desk) == []
    assert row.state not in ("played", "answered")
    new = [(to, each.kind) for to, each, _ in desk.sent[before:]]
    if row.state == "held":
        assert new == [(ANN, "confirm")]
    elif name in ANSWERED_ONCE:
        assert new == [(ANN, "refused")]
    else:
        assert [each for each in new if each != (OPERATOR, "alert")] == []


REPLAYED: dict[str, Callable[[bytes], bytes]] = {
    "the very same mail": lambda raw: raw,
    "other line ends": lambda raw: raw.replace(b"\r\n", b"\n"),
    "another hop": lambda raw: b"Received: from a by b; Sat, 21 Nov 2026 10:00:00 +0000\r\n" + raw,
    "a new Message-ID": lambda raw: raw.replace(b"Message-ID: <", b"Message-ID: <again"),
    "no Message-ID": lambda raw: b"\r\n".join(
        each for each in raw.split(b"\r\n") if not each.lower().startswith(b"message-id")
    ),
    "a friendly word more": lambda raw: raw.rstrip() + b"\r\n\r\nThanks a lot!\r\n",
}


@pytest.mark.parametrize("name", REPLAYED)
def test_a_replay_plays_nothing_twice(desk: Desk, name: str) -> None:
    desk.begin()
    raw = plain(ANN, desk.last(ANN).headers["reply-to"], desk.last(ANN))
    assert desk.deliver(raw).state == "played"
    lines = record(desk)
    assert lines
    later = desk.deliver(REPLAYED[name](raw))
    assert later.state in ("duplicate", "refused")
    assert record(desk) == lines


def test_stale_replies_are_told_how_things_stand(desk: Desk) -> None:
    desk.begin()
    first = desk.last(ANN)
    desk.answer(ANN, "cut 5", first)
    lines = record(desk)
    count = desk.count()
    assert desk.answer(ANN, "cut 9", first).state == "refused"
    assert record(desk) == lines
    assert desk.count() == count + 1
    assert desk.last(ANN).kind == "refused"
    assert desk.last(ANN).links, "the open question with its links"
