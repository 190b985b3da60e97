"""Letters under way: limits of the provider, what goes first, what is kept of mails."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from host.store import post
from host.store.schema import Ask, Contestant, Inbound, Letter, Question
from host.store.store import Store, open_store

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def letter(store: Store, token: str, at: datetime, state: str = "queued", asks: bool = False) -> int:
    with store.transaction() as session:
        row = Letter(
            token=token,
            kind="turn" if asks else "news",
            purpose="game",
            address="ann@example.net",
            game="",
            subject="",
            body="",
            page="",
            message=b"",
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
            question = Question(
                purpose="game", contestant_id=person.id, game="", key="", phase="", opened_at=at, remind=[], outcome=""
            )
            session.add(question)
            session.flush()
            session.add(Ask(letter_id=row.id, question_id=question.id))
        return row.id


def test_the_limits_are_counted_over_the_last_minute_and_day(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    assert post.allowance(store, NOW, 0, 0) is None
    letter(store, "a", NOW - timedelta(hours=25), "sent")
    letter(store, "b", NOW - timedelta(hours=23), "sent")
    letter(store, "c", NOW - timedelta(seconds=59), "sent")
    letter(store, "d", NOW - timedelta(seconds=1))
    assert post.allowance(store, NOW, 3, 0) == 2
    assert post.allowance(store, NOW, 0, 3) == 1
    assert post.allowance(store, NOW, 3, 3) == 1
    assert post.allowance(store, NOW, 1, 0) == 0
    assert post.allowance(store, NOW + timedelta(seconds=2), 1, 0) == 1
    store.close()


def test_no_letter_overtakes_an_earlier_one_that_was_put_off_for_now(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    first, second = letter(store, "a", NOW), letter(store, "b", NOW)
    [claimed, _] = post.claim_letters(store, NOW, 5)
    assert claimed.id == first
    with store.transaction() as session:
        post.settle_letter(session, first, "queued", "451 later", NOW, NOW + timedelta(minutes=1))
        post.settle_letter(session, second, "queued", "", NOW, NOW)
    assert post.claim_letters(store, NOW, 5) == []
    assert [each.id for each in post.claim_letters(store, NOW + timedelta(minutes=1), 5)] == [first, second]
    with store.transaction() as session:
        row = post.settle_letter(session, first, "queued", "451 later", NOW, NOW + timedelta(hours=1))
        row.attempts = post.ATTEMPTS_WAITED_FOR + 1
        post.settle_letter(session, second, "queued", "", NOW, NOW)
    assert [each.id for each in post.claim_letters(store, NOW, 5)] == [second], "not for ever"
    store.close()


def test_under_a_limit_letters_that_ask_go_before_news(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    news = letter(store, "a", NOW - timedelta(minutes=3))
    asking = letter(store, "b", NOW - timedelta(minutes=2), asks=True)
    assert [each.id for each in post.claim_letters(store, NOW, 1, asking_first=True)] == [asking]
    assert [each.id for each in post.claim_letters(store, NOW, 5, asking_first=True)] == [news]
    store.close()


def test_old_mail_is_let_go_of_but_not_what_waits(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    post.begin_mailbox(store, "INBOX", 1, 0)
    for uid in (1, 2, 3):
        post.keep_mail(store, "INBOX", 1, uid, NOW, 3, b"raw", NOW)
    with store.transaction() as session:
        session.get_one(Inbound, 1).state = "played"
        session.get_one(Inbound, 2).state = "broken"
    assert post.forget_mails(store, NOW) == 0
    assert post.forget_mails(store, NOW + timedelta(seconds=1)) == 1
    with store.transaction() as session:
        assert [row.raw for row in session.query(Inbound).order_by(Inbound.id)] == [None, b"raw", b"raw"]
        assert post.retry_mail(session, 2)
        assert not post.retry_mail(session, 1)
    assert post.new_mails(store) == {2: NOW, 3: NOW}
    store.close()


def test_a_letter_that_failed_for_good_can_be_sent_again(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    number = letter(store, "a", NOW, "failed")
    with store.transaction() as session:
        assert post.retry_letter(session, number, NOW)
        assert not post.retry_letter(session, number, NOW)
        assert not post.retry_letter(session, 99, NOW)
    assert [each.id for each in post.claim_letters(store, NOW, 5)] == [number]
    store.close()


def test_a_clock_set_back_makes_nothing_count_against_the_limits(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    letter(store, "a", NOW, "sent")
    assert post.allowance(store, NOW - timedelta(days=1), 1, 1) == 1
    store.close()
