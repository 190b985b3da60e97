"""What a look-up must not miss in a transaction that has not written yet."""

import base64

from sqlalchemy import select

from host.demo.robot import ReadLetter, write
from host.store import queues
from host.store.schema import LobbyRow, QuestionRow
from host.table.letters import alert
from host.table.work import Work
from host.turn import receive
from tests.turn.conftest import MakeDesk
from tests.turn.desk import ADDRESS, OPERATOR, Desk, words
from tests.turn.test_premoves import kept, said

ANN, BOB, CLEO, DOV = (f"{name}@example.net" for name in ("ann", "bob", "cleo", "dov"))


def raw_reply(desk: Desk, address: str, body: str) -> bytes:
    letter = desk.last(address)
    return write(
        address,
        "Somebody",
        letter.headers["reply-to"],
        "Re: " + letter.headers["subject"],
        body,
        letter.headers["message-id"],
    )


def in_one_group(desk: Desk, *raws: bytes) -> list[receive.Taken]:
    for raw in raws:
        desk.keep(raw, desk.now)
    ids = [each.id for each in queues.claim_mails(desk.store, 16)]
    assert len(ids) == len(raws), "not one group"
    taken = receive.receive(desk.services, [(each, desk.opened(each)) for each in ids], desk.now)
    desk.send()
    return taken


def test_what_a_mail_takes_back_it_does_not_play(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "keep")
    desk.answer(ANN, "cut 5, pick 1, keep")
    assert kept(desk) == [("keep", "waiting")]
    desk.answer(BOB, "cancel\npick 4")
    assert kept(desk) == [("keep", "cancelled")]
    assert "Bob: keep" not in said(desk)


def by_text(address: str, letter: ReadLetter, body: str) -> bytes:
    """A reply whose headers lost everything: the token stands in the quotation alone, and cannot be seen at a glance."""
    quoted = "".join(f"> {line}\n" for line in letter.text.splitlines())
    head, _, text = write(address, "Somebody", ADDRESS, "my move", f"{body}\n\n{quoted}").partition(b"\r\n\r\n")
    kept = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"content-transfer-encoding")]
    return b"\r\n".join([*kept, b"Content-Transfer-Encoding: base64", b"", base64.encodebytes(text)])


def test_nobody_misses_what_two_mails_of_a_group_played_in_one_episode(make_desk: MakeDesk) -> None:
    desk = make_desk(game="bluffjack", games={"bluffjack": {"seats": 4}})
    desk.begin()
    cleo = desk.last(CLEO)
    in_one_group(desk, raw_reply(desk, BOB, "call\nfrobnicate"), by_text(CLEO, cleo, "call"))
    assert "Bob called" in words(desk.last(DOV))


def test_an_answer_shows_the_question_that_the_mail_before_it_opened(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.begin()
    in_one_group(desk, raw_reply(desk, ANN, "cut 5, pick 1, keep"), by_text(BOB, desk.last(BOB), "status"))
    assert desk.last(BOB).links
    assert "Reply by" in words(desk.last(BOB))


def questions(desk: Desk, purpose: str) -> list[QuestionRow]:
    with desk.store.reading() as session:
        return list(session.scalars(select(QuestionRow).where(QuestionRow.purpose == purpose)))


def test_who_is_asked_to_be_ready_is_asked_once(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.begin()
    desk.register(CLEO, "Cleo Fox")
    desk.register(DOV, "Dov Orr")
    desk.later(days=5)
    for each in (ANN, BOB):
        desk.answer(each, "resign")
        if each == ANN:
            desk.answer(ANN, "resign yes")
    in_one_group(
        desk, raw_reply(desk, BOB, "resign yes"), write(DOV, "Dov", ADDRESS, desk.game.subject, "Name: Dov Orr")
    )
    asked = [row.contestant_id for row in questions(desk, "ready")]
    assert asked
    assert len(asked) == len(set(asked))


def test_what_an_operator_could_not_do_leaves_no_lobby_behind(make_desk: MakeDesk) -> None:
    desk = make_desk(security={"confirm_registration": False})
    with desk.store.transaction() as session:
        alert(Work(session, desk.services, desk.now), "Look", "Look at it")
    desk.send()
    raws = [write(a, n, ADDRESS, desk.game.subject, f"Name: {n}") for a, n in ((ANN, "Ann Lee"), (BOB, "Bob Ray"))]
    in_one_group(desk, raw_reply(desk, OPERATOR, "begin champ-cards"), *raws)
    with desk.store.reading() as session:
        lobby = session.get(LobbyRow, "champ-cards")
        assert lobby is not None
        assert (lobby.episodes, lobby.running) == (1, 1)
