"""Invitations: friends who are asked, say yes, no or nothing, and play alone; what cannot be asked; who is asked too often."""

import pytest
from sqlalchemy import select

from host.club import seasons
from host.demo.robot import write
from host.store import public_pages
from host.store.people import contestant_of_address, is_declined
from host.store.schema import Address, Contestant, Episode, LedgerEntry, LobbyRow, Standing
from host.table.work import begin
from host.turn import people
from host.turn.admin import AdminError
from tests.club.test_company import say
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import ADDRESS, Desk, words
from tests.turn.test_admin import ANN, BOB, CLEO, by_hand

DORA, ZED = "dora@example.net", "zed@example.org"
OPEN = {"games": {"champ-cards": {"tables": 3}, "bluffjack": {}}}


@pytest.fixture
def house(make_desk: MakeDesk) -> Desk:
    """Ann waits; she has a letter to answer."""
    desk = make_desk(**OPEN)
    desk.register(ANN, "Ann Lee")
    return desk


def named(desk: Desk) -> dict[str, str]:
    with desk.store.reading() as session:
        return {each.address: each.called for each in session.scalars(select(Contestant))}


def shown(desk: Desk) -> list[str]:
    with desk.store.reading() as session:
        return [each.code for each in public_pages.begun(session, 9)]


def test_a_stranger_who_says_yes_is_registered_and_plays_with_who_asked(house: Desk) -> None:
    told = say(house, ANN, f"invite {ZED} to Champ Cards")
    assert f"I have invited {ZED} to Champ Cards" in told
    letter = house.last(ZED)
    assert letter.kind == "ready"
    assert letter.headers["list-unsubscribe"]
    asked = words(letter)
    for part in (f"Ann ({ANN}) invites you to Champ Cards", "play money", "no public page shows it", "Name: Bob"):
        assert part in asked, part
    assert len(letter.links) == 2
    assert house.answer(ZED, "yes\nName: Zed Ray").state == "answered"
    assert [house.last(who).headers["x-podium-episode"] for who in (ANN, ZED)] == ["CC-1", "CC-1"]
    assert named(house)[ZED] == "Zed"
    assert shown(house) == []
    assert house.answer(ANN, "cut 26, pick 5").state == "played"


def test_who_waits_is_told_that_the_place_goes(house: Desk) -> None:
    gives_up = "When it begins you give up your place in the queue of Champ Cards."
    assert gives_up in say(house, ANN, f"invite {ZED} to Champ Cards")
    assert gives_up not in words(house.last(ZED))


def test_the_name_is_the_mails_where_none_is_said_and_asked_for_where_there_is_none(house: Desk) -> None:
    say(house, ANN, f"invite {ZED} to champ cards in public")
    assert "public pages show it" in words(house.last(ZED))
    letter = house.last(ZED)

    def reply(name: str, body: str) -> None:
        to, subject = letter.headers["reply-to"], "Re: " + letter.headers["subject"]
        house.deliver(write(ZED, name, to, subject, body, letter.headers["message-id"]))

    reply("", "yes")
    assert "What is your name?" in words(house.last(ZED))
    reply("Zed Zebulon", "yes, gladly")
    assert house.last(ZED).kind == "begin"
    assert named(house)[ZED] == "Zed"
    assert shown(house) == ["CC-1"]


def test_it_begins_when_all_said_yes_and_takes_nobody_else(house: Desk) -> None:
    say(house, ANN, f"invite {ZED}, {BOB} and {CLEO} to Bluffjack")
    assert "and 2 more" in words(house.last(BOB))
    house.register(DORA, "Dora")
    for who in (ZED, BOB, CLEO):
        assert house.last(who).kind == "ready"
        house.answer(who, f"yes\nName: {who.partition('@')[0]}")
    with house.store.reading() as session:
        of_game = session.scalars(select(Episode).where(Episode.game == "bluffjack")).one()
        assert sorted(each.name for each in of_game.seats) == ["Ann", "Bob", "Cleo", "Zed"]
        assert of_game.is_unlisted


def test_the_host_invites_in_their_own_name(house: Desk) -> None:
    told = by_hand(house, people.invite, "champ-cards", f"Zed <{ZED}>, {BOB}")
    assert f"I have invited {ZED} and {BOB} to Champ Cards. It begins when all of them say yes" in told
    assert "The Millionaire invites you, and 1 more to Champ Cards" in words(house.last(ZED)).replace("\n", " ")
    house.answer(ZED, "yes\nName: Zed")
    house.answer(BOB, "yes\nName: Bob")
    assert [house.last(who).headers["x-podium-episode"] for who in (ZED, BOB)] == ["CC-1", "CC-1"]
    assert shown(house) == []


def test_the_host_invites_the_same_people_once(house: Desk) -> None:
    by_hand(house, people.invite, "champ-cards", f"Zed <{ZED}>, {BOB}")
    before = len(house.letters(BOB))
    with pytest.raises(AdminError, match="They have an invitation to Champ Cards"):
        by_hand(house, people.invite, "champ-cards", f"{BOB}, {ZED}")
    assert len(house.letters(BOB)) == before


@pytest.mark.parametrize(
    ("slug", "addresses", "said"),
    [
        ("champ-cards", "Bob", "Nobody was invited. “Bob” is no address"),
        ("champ-cards", f"{BOB} to Bluffjack", "Nobody was invited. “to Bluffjack” is no address"),
        ("champ-cards", ",", "Nobody was invited: write addresses"),
        ("champ-cards", BOB, "Champ Cards takes 2 players, and these are 1"),
        ("split-decision", f"{BOB}, {ZED}", "There is no game split-decision here"),
    ],
)
def test_what_the_host_cannot_invite_is_said(house: Desk, slug: str, addresses: str, said: str) -> None:
    with pytest.raises(AdminError, match=said):
        by_hand(house, people.invite, slug, addresses)


def test_a_no_to_the_host_ends_it_for_all(house: Desk) -> None:
    by_hand(house, people.invite, "champ-cards", f"{ZED}, {ANN}")
    house.answer(ZED, "no")
    assert "does not want to play now" in words(house.last(ANN))
    with pytest.raises(AdminError, match=f"{ZED} cannot be invited"):
        by_hand(house, people.invite, "champ-cards", f"{ZED}, {ANN}")


def end(house: Desk, *addresses: str) -> None:
    for address in addresses:
        house.answer(address, "resign")
        house.answer(address, "yes")


@pytest.mark.parametrize("where", a_few(["", " in public"]))
def test_what_friends_play_by_themselves_counts_for_nobody_else(house: Desk, where: str) -> None:
    with begin(house.services, house.now) as work:
        seasons.begin(work, "Winter", None, None, ())
    is_public = bool(where)
    for code, begun in (("CC-1", f"invite {ZED} to Champ Cards{where}"), ("CC-2", "again with Zed")):
        letter = house.last(ANN)
        house.answer(ANN, begun, letter)
        house.answer(ZED, "yes\nName: Zed" if code == "CC-1" else "yes")
        assert house.last(ZED).headers["x-podium-episode"] == code
        assert ("x-podium-chain" in house.last(ZED).headers) == is_public
        end(house, ANN, ZED)
        told = " ".join(words(each) for each in house.letters(ZED)[-3:])
        assert ("the champion" in told) == is_public
    with house.store.reading() as session:
        assert (len(session.scalars(select(Standing)).all()) > 0) == is_public
        assert (len(session.scalars(select(LedgerEntry)).all()) > 0) == is_public
        assert (session.scalars(select(LobbyRow.champion_id)).all() != [None]) == is_public
        assert [each.is_unlisted for each in session.scalars(select(Episode))] == [not is_public] * 2
        zed = session.scalars(select(Contestant).where(Contestant.address == ZED)).one()
        assert (public_pages.shown_contestant(session, zed.id) is not None) == is_public
    assert shown(house) == (["CC-2", "CC-1"] if is_public else [])


@pytest.mark.parametrize("text", a_few(["no", "No, thank you.", "leave", "unsubscribe", "leave me alone"]))
def test_after_a_no_a_stranger_hears_nothing_more_and_nothing_is_kept(house: Desk, text: str) -> None:
    say(house, ANN, f"invite {ZED} to Champ Cards")
    before = len(house.letters(ZED))
    house.answer(ZED, text)
    assert len(house.letters(ZED)) == before
    assert "Somebody who was invited does not want to play now" in words(house.last(ANN))
    assert ZED not in named(house)
    with house.store.reading() as session:
        assert is_declined(session, ZED)
    house.later(days=90)
    for address in (ZED, ZED.replace("@", "+cards@")):
        assert f"{address} cannot be invited by you now" in say(house, ANN, f"invite {address} to Champ Cards")
    house.answer(ZED, "what was that about?")
    assert len(house.letters(ZED)) == before
    house.answer(ZED, "yes after all")
    assert "That invitation is over" in words(house.last(ZED))
    with house.store.reading() as session:
        assert not is_declined(session, ZED)


@pytest.mark.parametrize("text", ["Not now, maybe next month", "next week"])
def test_a_later_of_a_stranger_ends_the_invitation_and_locks_nobody_out(house: Desk, text: str) -> None:
    say(house, ANN, f"invite {ZED} to Champ Cards")
    house.answer(ZED, text)
    assert "To play Champ Cards another time" in words(house.last(ZED))
    with house.store.reading() as session:
        assert not is_declined(session, ZED)


@pytest.mark.parametrize(
    "text", ["yes next month", "yes, but later", "Yes, in two weeks\nName: Zed", "yes after Christmas"]
)
def test_a_yes_with_a_time_begins_nothing_and_ends_nothing(house: Desk, text: str) -> None:
    say(house, ANN, f"invite {ZED} to Champ Cards")
    before = len(house.letters(ANN))
    house.answer(ZED, text)
    assert "a plain yes begins it" in words(house.last(ZED))
    assert len(house.letters(ANN)) == before
    house.answer(ZED, "yes\nName: Zed")
    assert house.last(ZED).headers["x-podium-episode"] == "CC-1"


@pytest.mark.parametrize("text", ["resign", "forget me", "leave champ cards", "unsubscribe"])
def test_whatever_else_a_stranger_wants_is_a_no(house: Desk, text: str) -> None:
    say(house, ANN, f"invite {ZED} to Champ Cards")
    row = house.answer(ZED, text)
    assert row.note == "no to an invitation"
    assert ZED not in named(house)


def test_silence_ends_it_and_a_late_yes_is_told_so(house: Desk) -> None:
    say(house, ANN, f"invite {ZED} to Champ Cards")
    house.later(days=8)
    house.tick()
    assert "gave no answer in time" in words(house.last(ANN))
    assert ZED not in named(house)
    assert len(house.letters(ZED)) == 1
    house.answer(ZED, "yes")
    assert "That invitation is over" in words(house.last(ZED))
    house.answer(ZED, "no", house.letters(ZED)[0])
    with house.store.reading() as session:
        assert is_declined(session, ZED)


def test_a_contestant_who_says_no_stays_one_and_is_not_invited_by_them_again(house: Desk) -> None:
    house.register(BOB, "Bob")
    for address in (BOB, ANN):
        house.answer(address, "resign")
        house.answer(address, "yes")
    say(house, ANN, f"invite {BOB} to Champ Cards")
    house.tap(BOB, "no")
    assert "Bob does not want to play now" in words(house.last(ANN))
    house.later(days=90)
    assert "cannot be invited by you now" in say(house, ANN, f"invite {BOB} to Champ Cards")
    assert named(house)[BOB] == "Bob"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("invite", "Write invite, addresses and the game"),
        ("invite bob to Champ Cards", "“bob” is no address"),
        (f"invite {ZED} to Chess", "There is no game Chess here"),
        (f"invite {ANN} to Champ Cards", "the others only"),
        (f"invite {ADDRESS} to Champ Cards", "the others only"),
        (f"invite {ZED}, {BOB} to Champ Cards", "takes 2 players, and you are 3"),
        (
            f"invite {ZED}, a@b.example, c@d.example, e@f.example, g@h.example, i@j.example to Bluffjack",
            "5 invitations a day",
        ),
    ],
)
def test_what_cannot_be_asked_says_what_to_write_and_asks_nobody(house: Desk, text: str, why: str) -> None:
    before = house.count()
    told = say(house, ANN, text)
    assert "Nobody was invited." in told
    assert why in told
    assert house.count() == before + 1
    assert list(named(house)) == [ANN]


@pytest.mark.storm
def test_nobody_is_asked_too_often(house: Desk) -> None:
    say(house, ANN, f"invite {ZED} to Champ Cards")
    assert "cannot be invited by you now" in say(house, ANN, f"invite {ZED} to Champ Cards"), "one a month"
    for sender in (BOB, CLEO, DORA):
        by_hand(house, people.add, sender.partition("@")[0].title(), sender)
        told = say(house, sender, f"invite {ZED} to Champ Cards")
        assert ("cannot be invited" in told) == (sender == DORA), "three a month in all"
    for at in range(4):
        say(house, ANN, f"invite friend{at}@example.org to Champ Cards")
    assert "5 invitations a day, and have sent 5" in say(house, ANN, "invite more@example.org to Champ Cards")
    house.answer(ZED, "no")
    assert "Somebody who was invited does not want to play now" in words(house.last(CLEO))
    for sender in (ANN, BOB):
        assert "Somebody who was invited is not there any more" in words(house.last(sender)), "a no is for all"


def test_who_is_barred_is_not_invited_and_invites_nobody(house: Desk) -> None:
    by_hand(house, people.bar, ZED, "known")
    assert "cannot be invited by you now" in say(house, ANN, f"invite {ZED} to Champ Cards")
    say(house, ANN, f"invite {BOB} to Champ Cards")
    by_hand(house, people.bar, ANN, "rude")
    with house.store.reading() as session:
        assert contestant_of_address(session, BOB) is None
    assert len(house.letters(BOB)) == 1


def test_others_see_nothing_of_an_episode_among_friends(house: Desk) -> None:
    say(house, ANN, f"invite {ZED} to Champ Cards")
    house.answer(ZED, "yes\nName: Zed")
    by_hand(house, people.add, "Bob", BOB)
    assert "There is no episode CC-1" in say(house, BOB, "watch CC-1")
    for address in (ZED, ANN):
        house.answer(address, "resign")
        house.answer(address, "yes")
    assert "There is no episode CC-1" in say(house, BOB, "replay CC-1")
    assert "The story of CC-1" in say(house, ZED, "replay CC-1")


# Found by others


def test_a_no_that_was_held_is_heard_when_its_owner_says_that_it_was_theirs(house: Desk) -> None:
    say(house, ANN, f"invite {ZED} to Champ Cards")
    house.answer(ZED, "no thank you", sender="zed@work.example")
    assert house.answer(ZED, "yes").state == "played"
    assert "does not want to play now" in words(house.last(ANN))
    with house.store.reading() as session:
        assert contestant_of_address(session, ZED) is None


def test_a_guest_who_muted_somebody_can_say_no_or_nothing(house: Desk) -> None:
    say(house, ANN, f"invite {ZED} to Champ Cards")
    letter = house.last(ZED)
    house.answer(ZED, "mute Ann", letter)
    assert house.answer(ZED, "no", letter).state == "answered"
    with house.store.reading() as session:
        assert contestant_of_address(session, ZED) is None


def test_a_guest_asks_nobody_to_play_once_more(house: Desk) -> None:
    say(house, ANN, f"invite {ZED} to Champ Cards")
    assert "Confirm your registration first" in say(house, ZED, "again with Ann")


def test_one_who_says_no_ends_no_invitation_of_another(house: Desk) -> None:
    by_hand(house, people.add, "Dora", DORA)
    say(house, ANN, f"invite {ZED}, {CLEO} to Bluffjack")
    say(house, DORA, f"invite {ZED} to Champ Cards")
    house.answer(CLEO, "no")
    assert house.letters(ZED)[-1].kind == "ready"
    house.answer(ZED, "yes\nName: Zed")
    assert "CC-1" in house.last(ZED).headers["subject"]


@pytest.mark.parametrize("text", a_few(["Count me in!", "I am in", "with pleasure, yes"], 1))
def test_a_yes_in_other_words_is_one(house: Desk, text: str) -> None:
    say(house, ANN, f"invite {ZED} to Champ Cards")
    house.answer(ZED, f"{text}\nName: Zed")
    assert "CC-1" in house.last(ZED).headers["subject"]


@pytest.mark.parametrize("text", ["yes, but only next week", "what is that about then", "yes if Bob plays too"])
def test_what_is_neither_a_plain_yes_nor_a_no_is_asked_once_more(house: Desk, text: str) -> None:
    say(house, ANN, f"invite {ZED} to Champ Cards")
    invitation = house.last(ZED)
    house.answer(ZED, f"{text}\nName: Zed")
    assert house.last(ZED) is not invitation
    assert "Do you play, yes or no?" in words(house.last(ZED))
    assert house.last(ZED).headers["subject"].find("CC-1") < 0
    assert [link.rpartition("body=")[2] for link in house.last(ZED).links] == ["yes", "no"]


def test_two_addresses_of_one_contestant_are_one_seat(house: Desk) -> None:
    by_hand(house, people.add, "Bob", BOB)
    with house.store.transaction() as session:
        bob = contestant_of_address(session, BOB)
        assert bob is not None
        session.add(Address(address="bob@work.example", contestant_id=bob.id, confirmed_at=house.now))
    assert "are one contestant's" in say(house, ANN, f"invite {BOB}, bob@work.example to Bluffjack")


def test_who_is_to_be_forgotten_is_seated_nowhere(house: Desk) -> None:
    say(house, ANN, f"invite {ZED} to Champ Cards")
    house.answer(ANN, "forget me")
    house.answer(ANN, "yes")
    house.answer(ZED, "yes\nName: Zed")
    assert not [letter for _, letter, _ in house.sent if "[CC-1" in letter.headers["subject"]]


# Second thoughts


@pytest.mark.parametrize("text", a_few(["no", "leave", "No, sorry, I cannot after all."]))
def test_a_yes_is_taken_back_while_others_are_asked(house: Desk, text: str) -> None:
    say(house, ANN, f"invite {BOB}, {ZED} to Bluffjack")
    house.answer(BOB, "yes\nName: Bob")
    asked = next(each for each in house.letters(BOB) if each.kind == "ready")
    before = house.count()
    house.answer(BOB, text, asked)
    assert "It does not take place" in words(house.last(BOB))
    assert "Bob does not want to play after all" in words(house.last(ANN))
    assert sorted({to for to, _, _ in house.sent[before:]}) == [ANN, BOB], "a stranger hears nothing"
    assert house.answer(ZED, "yes\nName: Zed").state == "refused"


def test_an_invitation_is_taken_back_by_who_sent_it(house: Desk) -> None:
    say(house, ANN, f"invite {BOB}, {ZED} to Bluffjack")
    house.answer(BOB, "yes\nName: Bob")
    assert "What you had planned with others does not take place" in say(house, ANN, "leave")
    assert "Ann does not want to play after all" in words(house.last(BOB))
    assert house.answer(ZED, "yes\nName: Zed").state == "refused"


def test_the_receipt_of_a_yes_takes_a_no(house: Desk) -> None:
    say(house, ANN, f"invite {BOB}, {ZED} to Bluffjack")
    house.answer(BOB, "yes\nName: Bob")
    assert "A no takes your yes back" in words(house.last(BOB))
    house.answer(BOB, "no")
    assert "Bob does not want to play after all" in words(house.last(ANN))


@pytest.mark.storm
def test_a_no_to_one_plan_takes_no_other_back_and_loses_nothing_else(house: Desk) -> None:
    say(house, ANN, f"invite {BOB} to Champ Cards")
    old = house.last(BOB)
    house.answer(BOB, "yes\nName: Bob")
    house.register(CLEO, "Cleo Fox")
    say(house, CLEO, f"invite {BOB}, {DORA} to Bluffjack")
    new = house.last(BOB)
    house.answer(BOB, "yes", new)
    house.answer(BOB, "No, thank you all, that was fun", old)
    assert "after all" not in words(house.last(CLEO))
    house.answer(BOB, "no\nremind off\nhost I broke my arm", new)
    assert "Bob does not want to play after all" in words(house.last(CLEO))
    assert "I broke my arm" in words(house.last("boss@example.com"))
    with house.store.reading() as session:
        assert session.scalars(select(Contestant.remind).where(Contestant.address == BOB)).all() == ["off"]


def test_leaving_the_queue_of_one_game_ends_no_plan_of_another(house: Desk) -> None:
    say(house, ANN, f"invite {BOB}, {ZED} to Bluffjack")
    say(house, ANN, "leave Champ Cards")
    assert house.answer(ZED, "yes\nName: Zed").state == "answered"


def test_a_no_after_it_has_begun_takes_nothing_back(house: Desk) -> None:
    say(house, ANN, f"invite {BOB} to Bluffjack")
    asked = house.last(BOB)
    house.answer(BOB, "yes\nName: Bob")
    house.answer(BOB, "no", asked)
    assert "does not take place" not in words(house.last(ANN)) + words(house.last(BOB))
    with house.store.reading() as session:
        assert session.scalars(select(Episode.over_at)).all() == [None]
