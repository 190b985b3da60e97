"""Letters under way: limits of the provider, what goes first, what is kept of mails."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import event

from host.config import Config
from host.store import queues
from host.store.database import Store, open_store
from host.store.mails import may_be_answered
from host.store.packing import pack
from host.store.schema import AskRow, Contestant, Episode, Inbound, Letter, QuestionRow
from host.table.work import Services
from tests.store.mails import keep_mail

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def letter(
    store: Store,
    token: str,
    at: datetime,
    state: str = "queued",
    asks: bool = False,
    address: str = "ann@example.net",
    contestant_id: int | None = None,
    episode_id: int | None = None,
) -> int:
    with store.transaction() as session:
        row = Letter(
            token=token,
            kind="turn" if asks else "news",
            purpose="game",
            address=address,
            contestant_id=contestant_id,
            episode_id=episode_id,
            game="",
            subject="",
            packed=pack(f"Message-ID: <{token}@example.org>".encode()),
            created_at=at,
            state=state,
            attempts=0,
            try_at=at,
            response="",
            sent_at=at if state == "sent" else None,
        )
        session.add(row)
        session.flush()
        if asks:
            person = session.query(Contestant).first() or Contestant(
                address="ann@example.net",
                name="Ann",
                nickname="",
                hometown="",
                called="Ann",
                created_at=at,
                wrote_at=at,
            )
            session.add(person)
            session.flush()
            question = QuestionRow(
                purpose="game", contestant_id=person.id, game="", key="", phase="", opened_at=at, remind=[], outcome=""
            )
            session.add(question)
            session.flush()
            session.add(AskRow(letter_id=row.id, question_id=question.id))
        return row.id


def test_the_limits_are_counted_over_the_last_minute_and_day(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    assert queues.allowance(store, NOW, 0, 0) is None
    letter(store, "a", NOW - timedelta(hours=25), "sent")
    letter(store, "b", NOW - timedelta(hours=23), "sent")
    letter(store, "c", NOW - timedelta(seconds=59), "sent")
    letter(store, "d", NOW - timedelta(seconds=1))
    assert queues.allowance(store, NOW, 3, 0) == 2
    assert queues.allowance(store, NOW, 0, 3) == 1
    assert queues.allowance(store, NOW, 3, 3) == 1
    assert queues.allowance(store, NOW, 1, 0) == 0
    assert queues.allowance(store, NOW + timedelta(seconds=2), 1, 0) == 1
    store.close()


def test_no_letter_overtakes_an_earlier_one_that_was_put_off_for_now(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    first, second = letter(store, "a", NOW), letter(store, "b", NOW)
    [claimed] = queues.claim_letters(store, NOW, 5)
    assert claimed.id == first, "one address has one letter at a time"
    assert queues.claim_letters(store, NOW, 5, under_way=[first]) == []
    settle(store, first, "451 later", NOW + timedelta(minutes=1))
    assert queues.claim_letters(store, NOW, 5) == []
    later = NOW + timedelta(minutes=1)
    assert [each.id for each in queues.claim_letters(store, later, 5)] == [first]
    for _ in range(queues.ATTEMPTS_WAITED_FOR):
        settle(store, first, "451 later", NOW + timedelta(hours=1))
    assert [each.id for each in queues.claim_letters(store, NOW, 5)] == [second], "not for ever"
    store.close()


def settle(store: Store, number: int, said: str, try_at: datetime) -> None:
    with store.transaction() as session:
        queues.put_off(session, number, "queued", said, try_at)


def test_under_a_limit_letters_that_ask_go_before_news(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    news = letter(store, "a", NOW - timedelta(minutes=3))
    asking = letter(store, "b", NOW - timedelta(minutes=2), asks=True)
    assert [each.id for each in queues.claim_letters(store, NOW, 1, is_short=True)] == [asking]
    under_way = [asking]
    assert [each.id for each in queues.claim_letters(store, NOW, 5, is_short=True, under_way=under_way)] == [news]
    store.close()


def test_old_mail_is_let_go_of_but_not_what_waits(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    queues.begin_mailbox(store, "INBOX", 1, 0)
    for uid in (1, 2, 3):
        keep_mail(hosted(store), "INBOX", 1, uid, NOW, f"From: {uid}@example.net\r\n\r\nraw".encode(), NOW)
    with store.transaction() as session:
        session.get_one(Inbound, 1).state = "played"
        session.get_one(Inbound, 2).state = "quarantined"
    assert queues.forget_mails(store, NOW) == 0
    assert queues.forget_mails(store, NOW + timedelta(seconds=1)) == 1
    with store.transaction() as session:
        assert [row.raw for row in session.query(Inbound).order_by(Inbound.id)] == [
            None,
            b"From: 2@example.net\r\n\r\nraw",
            b"From: 3@example.net\r\n\r\nraw",
        ]
        assert queues.retry_mail(session, 2)
        assert not queues.retry_mail(session, 1)
    assert [each.id for each in queues.claim_mails(store, 5)] == [2, 3]
    store.close()


def test_a_letter_that_failed_for_good_can_be_sent_again(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    number = letter(store, "a", NOW, "failed")
    with store.transaction() as session:
        assert queues.retry_letter(session, number, NOW)
        assert not queues.retry_letter(session, number, NOW)
        assert not queues.retry_letter(session, 99, NOW)
    assert [each.id for each in queues.claim_letters(store, NOW, 5)] == [number]
    store.close()


def test_a_clock_set_back_makes_nothing_count_against_the_limits(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    letter(store, "a", NOW, "sent")
    assert queues.allowance(store, NOW - timedelta(days=1), 1, 1) == 1
    store.close()


def test_a_mailbox_that_was_made_anew_may_give_the_same_numbers_again(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    raw = b"From: a@example.net\r\n\r\nhi"
    numbers = []
    for validity in (1, 1, 2**32 - 1, 1):
        queues.begin_mailbox(store, "INBOX", validity, 0)
        number, uid = queues.watermark(store, "INBOX") or (0, 0)
        assert (queues.validity(number), uid) == (validity, 0)
        for uid in (7, 8):
            keep_mail(hosted(store), "INBOX", number, uid, NOW, raw, NOW)
            keep_mail(hosted(store), "INBOX", number, uid, NOW, raw, NOW)
        assert queues.watermark(store, "INBOX") == (number, 8)
        numbers.append(number)
    assert len(set(numbers)) == 4
    assert numbers[0] == 1, "as it was stored by earlier versions"
    with store.reading() as session:
        assert session.query(Inbound).count() == 8
    assert queues.latest_arrivals(store, "INBOX", numbers[2], 1) == {8: (NOW, NOW)}
    store.close()


def test_of_each_ordering_key_only_the_first_mail_is_taken(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    queues.begin_mailbox(store, "INBOX", 1, 0)
    mails = [("ann", 3), ("bob", 2), ("ann", 1), ("bob", 4)]
    for uid, (name, seconds) in enumerate(mails, 1):
        raw = f"From: {name.title()} <{name}@example.net>\r\n\r\nhi {uid}".encode()
        keep_mail(hosted(store), "INBOX", 1, uid, NOW - timedelta(minutes=1) + timedelta(seconds=seconds), raw, NOW)
    assert [each.id for each in queues.claim_mails(store, 5)] == [3, 2]
    assert [each.id for each in queues.claim_mails(store, 5, under_way=[3])] == [2]
    with store.transaction() as session:
        session.get_one(Inbound, 3).state = "played"
    assert [each.id for each in queues.claim_mails(store, 5, under_way=[2])] == [1]
    store.close()


def test_a_mail_whose_headers_name_one_episode_has_its_ordering_key(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    queues.begin_mailbox(store, "INBOX", 1, 0)
    with store.transaction() as session:
        session.add(person("ann@example.net"))
        for code in ("CC-1", "CC-2"):
            session.add(episode(code))
    first, second, own = "a" * 26, "b" * 26, "c" * 26
    letter(store, first, NOW, "sent", contestant_id=1, episode_id=1)
    letter(store, second, NOW, "sent", contestant_id=1, episode_id=2)
    letter(store, own, NOW, "sent", contestant_id=1)
    keys = {
        f"To: games+{first}@example.org": "e1",
        f"To: games@example.org\r\nSubject: Re: x [CC-1 {first}]\r\nReferences: <{first}@example.org>": "e1",
        f"To: games+{first}@example.org\r\nReferences: <{second}@example.org>": "a1",
        f"To: games+{own}@example.org": "c1",
        "To: games@example.org": "uann@example.net",
        f"To: games+{'d' * 26}@example.org": "uann@example.net",
        f"To: games@example.org\r\n\r\n> Ref: CC-1 {second}": "e2",
    }
    for uid, headers in enumerate(keys, 1):
        raw = f"From: Ann <Ann@example.net>\r\n{headers}\r\n\r\nhi".encode()
        keep_mail(hosted(store), "INBOX", 1, uid, NOW, raw, NOW)
    with store.reading() as session:
        assert [row.ordering_key for row in session.query(Inbound).order_by(Inbound.id)] == list(keys.values())
        for concerned, until, answer in ((1, 1, True), (3, 1, True), (None, 1, True), (1, 0, False)):
            assert may_be_answered(session, [concerned], NOW + timedelta(seconds=until)) is answer
    with store.transaction() as session:
        for row in session.query(Inbound).where(Inbound.ordering_key.not_like("e%")):
            row.state = "silent"
    with store.reading() as session:
        found = [may_be_answered(session, [each], NOW + timedelta(seconds=1)) for each in (1, 2, None)]
        assert found == [True, True, False]
    store.close()


def hosted(store: Store) -> Services:
    server = {"host": "127.0.0.1", "security": "none"}
    host = {
        "address": "games@example.org",
        "operators": [f"{each}@example.net" for each in ("1", "2", "3", "ann", "bob")],
    }
    data = {"host": host, "imap": server | {"username": "x"}, "smtp": server, "games": {"champ-cards": {}}}
    return Services(Config.model_validate(data), store)


def person(address: str) -> Contestant:
    return Contestant(
        address=address,
        name="Ann",
        nickname="",
        hometown="",
        called="Ann",
        created_at=NOW,
        wrote_at=NOW,
        confirmed_at=NOW,
    )


def episode(code: str) -> Episode:
    return Episode(
        code=code,
        game="champ-cards",
        rules_version=1,
        options={},
        seed=b"",
        commitment="",
        state={},
        began_at=NOW,
        champion_wins_before=0,
    )


def test_letters_that_mails_name_are_looked_up_once_when_they_are_stored(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    queues.begin_mailbox(store, "INBOX", 1, 0)
    letter(store, "a" * 26, NOW, address="stranger@example.net")
    asked: list[str] = []
    event.listen(store.engine, "before_cursor_execute", lambda *said: asked.append(said[2]))
    raw = f"From: stranger@example.net\r\nIn-Reply-To: <{'a' * 26}@example.org>\r\n\r\nraw".encode()
    keep_mail(hosted(store), "INBOX", 1, 1, NOW, raw, NOW)
    assert sum("letters.token IN" in each for each in asked) == 1
    with store.reading() as session:
        (row,) = session.query(Inbound)
        assert (row.state, row.ordering_key, row.is_known) == ("new", "ustranger@example.net", False)
    store.close()
