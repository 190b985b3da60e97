"""What an operator sees and does at the desk: each command once and logged, nothing hidden unasked, nothing of what moved on."""

import re
from pathlib import Path
from typing import Any

import pytest

from host.store.episodes import episode_of_code
from host.store.people import last_audit_entries
from host.store.schema import Contestant, Letter
from host.table.play import load_play
from host.web.desk.visitor import FORM_LASTS
from host.web.pages import seconds
from host.web.public.watching import WENT_BACK
from tests.size import a_few
from tests.turn.desk import ADDRESS, OPERATOR, words
from tests.web.house import House

ANN, BOB = "ann@champ-cards.example.net", "bob@champ-cards.example.net"


def audit(house: House) -> list[tuple[str, str, str]]:
    with house.desk.store.reading() as session:
        return [(each.who, each.command, each.episode) for each in last_audit_entries(session, 50)]


def test_every_page_is_there(desk: House) -> None:
    for page in (
        "",
        "episodes/",
        "contestants/",
        "contestants/1/",
        "season/",
        "queues/",
        "ledger/",
        "bank/",
        "mail/",
        "health/",
        "log/",
    ):
        assert "<h1>" in desk.page(f"/desk/{page}")
    for slug in ("CC", "GC", "SD", "BJ", "CP"):
        assert "The table as everybody may see it" in desk.page(f"/desk/episodes/{slug}-1/")
    for missing in ("episodes/CC-99/", "contestants/999/", "mail/in/999/", "mail/sideways/1/", "bank/999/", "nothing/"):
        assert desk.get(f"/desk/{missing}").status_code == 404, missing


def test_addresses_of_one_mailbox_stand_with_a_note(desk: House) -> None:
    for address in ("zoe.fox@gmail.com", "zoefox+cards@googlemail.com"):
        desk.desk.register(address, "Zoe Fox")
    for page in ("queues/", "contestants/"):
        shown = re.sub(r"<[^>]+>", "", desk.page(f"/desk/{page}"))
        assert "same mailbox as zoe.fox@gmail.com" in shown
        assert "same mailbox as zoefox+cards@googlemail.com" in shown


def test_a_command_is_asked_once_done_once_and_logged(desk: House) -> None:
    asked = desk.client.get("/desk/confirm/", params={"command": "pause", "asked": "1", "code": "CC-1"})
    assert "You are about to do this:" in asked.text
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', asked.text))
    done = desk.client.post("/desk/do/", data=fields)
    assert done.url.path == "/desk/episodes/CC-1/"
    assert "CC-1 is paused." in done.text
    assert audit(desk)[0] == (OPERATOR, "pause CC-1", "CC-1")
    desk.desk.send()
    assert "has paused this episode" in " ".join(desk.desk.last(ANN).text.split())
    again = desk.client.post("/desk/do/", data=fields)
    assert again.status_code == 409
    assert "was done already" in again.text
    assert len([each for each in audit(desk) if each[1] == "pause CC-1"]) == 1
    assert "goes on" in desk.command("resume", code="CC-1").text


def test_what_is_typed_stands_in_no_address(desk: House) -> None:
    text = f"{'ж' * 1_000}\nand more"
    page = desk.page("/desk/confirm/?command=write&who=Ann")
    assert re.search(r'<form class="line" method="post" action="[./]*desk/typed/">', page)
    fields = {"command": "write", "asked": "1", "who": ANN, "text": text}
    asked = desk.send("/desk/typed/", on="/desk/confirm/?command=write&who=Ann", **fields)
    assert asked.status_code == 200
    assert asked.url.query == b""
    hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', asked.text.partition("Yes, do it")[0])
    desk.client.post("/desk/do/", data=dict(hidden))
    desk.desk.send()
    assert "and more" in desk.desk.last(ANN).text
    assert desk.client.post("/desk/typed/", data=fields).status_code == 403
    assert desk.client.get("/desk/typed/").status_code == 200


def test_what_cannot_be_done_is_said_and_changes_nothing(desk: House) -> None:
    answer = desk.command("withdraw", code="CC-1", name="Zoe")
    assert answer.status_code == 409
    assert "Zoe does not play in CC-1; there are Ann, Bob." in answer.text
    assert not [each for each in audit(desk) if "Zoe" in each[1]]
    for typed, sentence in (
        ({"code": "CC-1", "by": "soon"}, "write how much more time"),
        (
            {"code": "CC-1", "by": ""},
            "Something is missing: “How much more time, such as 24 hours, a day or until Monday”.",
        ),
    ):
        refused = desk.client.get("/desk/confirm/", params={"command": "extend", "asked": "1", **typed})
        assert refused.status_code == 400
        assert sentence.lower() in refused.text.lower()
        form = desk.form("/desk/")
        assert desk.client.post("/desk/do/", data={"form": form, "command": "extend", **typed}).status_code == 400
    assert desk.client.get("/desk/confirm/?command=dance").status_code == 404
    assert desk.client.get("/desk/confirm/?command=pause&asked=1&code=XX-9").status_code == 404


@pytest.mark.parametrize(
    ("command", "typed", "said"),
    a_few(
        [
            ("extend", {"code": "CC-1", "name": "Ann", "by": "24h"}, "Ann until"),
            ("resend", {"code": "CC-1"}, "sent again to Ann, Bob"),
            ("withdraw", {"code": "BJ-1", "name": "Cleo"}, "Cleo is withdrawn"),
            ("say", {"code": "CC-1", "as_name": "Ann", "text": "cut 12"}, "cut 12, said for Ann"),
            ("warn", {"code": "CC-1", "name": "Ann", "why": "no insults"}, "Ann is warned in CC-1"),
            ("write", {"who": "champ-cards", "text": "Hello all"}, "It goes to 2 contestants"),
            ("people add", {"name": "Zed", "address": "zed@example.net", "game": "", "hometown": ""}, "is registered"),
            ("people bar", {"address": ANN, "why": "no insults"}, "podium withdraw CC-1 Ann ends it"),
        ],
        4,
    ),
)
def test_the_command_lines_commands_are_here(desk: House, command: str, typed: dict[str, str], said: str) -> None:
    answer = desk.command(command, **typed)
    assert answer.status_code == 200, answer.text
    assert said in answer.text
    assert audit(desk)[0][0] == OPERATOR
    assert audit(desk)[0][2] == typed.get("code", "")


def test_what_was_said_at_a_table_is_read_and_stopped(desk: House) -> None:
    for text in ("say Hello <b>all</b>", "say to Bob you are good"):
        desk.desk.answer(ANN, text)
    page = desk.page("/desk/episodes/CC-1/")
    assert "Hello &lt;b&gt;all&lt;/b&gt;" in page
    assert "you are good" not in page, "that is between the two"
    assert "of what was said in CC-1" in desk.command("hush", code="CC-1", name="Ann").text
    assert "(stopped)" in desk.page("/desk/episodes/CC-1/")
    desk.send("/desk/episodes/CC-1/show/", on="/desk/episodes/CC-1/")
    assert "you are good" in desk.page("/desk/episodes/CC-1/")


def test_going_back_stands_beside_each_line(desk: House) -> None:
    desk.desk.answer(ANN, "cut 12")
    assert "Back to after line 2" in desk.page("/desk/episodes/CC-1/")
    assert "as after line 1" in desk.command("back", code="CC-1", line="1").text
    with desk.desk.store.reading() as session:
        found = episode_of_code(session, "CC-1")
        assert found is not None
        assert load_play(found).state.phase == "cut"


def wrote(desk: House, text: str) -> int:
    """Ann writes to the host: the number of the form that answers it."""
    desk.desk.answer(ANN, f"host {text}")
    return int(re.findall(r'action="[^"]*desk/words/(\d+)/"', desk.page("/desk/"))[0])


def test_an_answer_and_more_time_are_one_step_and_one_letter(desk: House) -> None:
    number = wrote(desk, "May I have a day more?")
    before, due = len(desk.desk.letters(ANN)), desk.desk.last(ANN).headers["x-podium-reply-by"]
    answer = desk.send(f"/desk/words/{number}/", text="Of course.", more="24 hours")
    assert "Your answer goes to Ann-2. CC-1: Ann until" in answer.text
    desk.desk.send()
    assert len(desk.desk.letters(ANN)) == before + 1
    letter = desk.desk.last(ANN)
    assert "Of course." in words(letter)
    assert "The host gave you more time." in words(letter)
    assert letter.headers["x-podium-reply-by"] > due
    assert [command for _, command, _ in audit(desk)[:2]] == [
        f"answer words {number}: Of course.",
        "extend CC-1 Ann --by 24 hours",
    ]


def test_an_answer_with_a_time_that_cannot_be_given_does_nothing(desk: House) -> None:
    number = wrote(desk, "May I have a day more?")
    before = len(desk.desk.letters(ANN))
    assert desk.send(f"/desk/words/{number}/", text="Yes.", more="soon").status_code == 400
    assert desk.send(f"/desk/words/{number}/", text="Yes.", more="900d").status_code == 409
    desk.desk.send()
    assert len(desk.desk.letters(ANN)) == before
    assert f"desk/words/{number}/" in desk.page("/desk/")


def test_what_was_answered_stays_in_sight_with_its_links(desk: House) -> None:
    number = wrote(desk, "May I have a day more?")
    desk.send(f"/desk/words/{number}/", text="Let me see.")
    page = desk.page("/desk/")
    assert "May I have a day more?" in page
    assert f"{OPERATOR} saw to it" in page
    assert "command=extend&amp;code=CC-1&amp;name=Ann" in page
    assert "desk/words/" not in page
    desk.desk.later(hours=13)
    assert "May I have a day more?" not in desk.page("/desk/")


def test_the_desk_says_no_words_of_the_shell_or_the_machine(desk: House) -> None:
    desk.command("extend", code="CC-1", name="Ann", by="a day")
    desk.command("say", code="CC-1", as_name="Ann", text="cut 12")
    asked = desk.client.get("/desk/confirm/", params={"command": "say", "code": "CC-1", "as_name": "Ann", "text": "x"})
    for page in (
        asked.text,
        *(desk.page(f"/desk/{each}") for each in ("log/", "episodes/CC-1/", "confirm/?command=say&code=CC-1")),
    ):
        assert "--" not in re.sub(r"<[^>]*>", "", page)
        assert not re.search(r"told \d+ event", page)
    assert "extend CC-1 Ann by a day" in desk.page("/desk/log/")


def test_a_mail_says_in_words_how_long_it_took_and_what_became_of_it(desk: House) -> None:
    desk.desk.answer(ANN, "cut 12")
    number = max(numbers(desk, "/desk/mail/", "in"))
    page = desk.page(f"/desk/mail/in/{number}/")
    assert re.search(r"fetched (less than a second|\d+ seconds?) later from INBOX", page)
    assert [seconds(each) for each in (0.2, 4, 61, 150, 7300, 300_000)] == [
        "less than a second",
        "4 seconds",
        "61 seconds",
        "2 minutes",
        "2 hours",
        "3 days",
    ]


def test_letters_of_podium_check_are_called_that(desk: House) -> None:
    check = f"From: {ADDRESS}\r\nTo: {ADDRESS}\r\nSubject: podium check [CHECK {'a' * 26}]\r\n\r\nA check.\r\n".encode()
    desk.desk.deliver(check)
    page = desk.page("/desk/mail/")
    assert "concerns nobody here: Podium&#39;s own letter, by which podium check or podium init" in page


def story(house: House, code: str) -> list[str]:
    """What the public page of an episode tells."""
    whole = house.page(f"/episodes/{code}/").partition('<ul class="story">')[2].partition("</ul>")[0]
    return re.findall(r"<li>(.*?)</li>", whole)


def test_the_public_page_tells_of_going_back_and_of_nothing_that_was_taken_back(desk: House) -> None:
    desk.desk.answer(ANN, "cut 12")
    desk.desk.answer(ANN, "pick 3")
    before = story(desk, "CC-1")
    assert desk.command("back", code="CC-1", line="2").status_code == 200
    begun, cut = before[0], before[1]
    desk.desk.send()
    assert story(desk, "CC-1") == [begun, cut, WENT_BACK]
    desk.desk.answer(ANN, "pick 3")
    assert story(desk, "CC-1") == [begun, cut, WENT_BACK, *before[2:]]
    assert desk.command("back", code="CC-1", line="1").status_code == 200
    assert story(desk, "CC-1") == [begun, WENT_BACK]


def test_the_public_page_does_not_tell_that_a_player_took_a_move_back(desk: House) -> None:
    ann = "ann@game-of-champions.example.net"
    begun = story(desk, "GC-1")
    desk.desk.answer(ann, "throw rock")
    desk.desk.answer(ann, "undo")
    assert "Taken back" in words(desk.desk.last(ann))
    assert story(desk, "GC-1") == begun


def test_an_episode_that_moved_on_is_left_alone(desk: House) -> None:
    fields = desk.asked("withdraw", code="CC-1", name="Bob")
    desk.desk.answer(ANN, "cut 12")
    answer = desk.client.post("/desk/do/", data=fields)
    assert answer.status_code == 409
    assert "has moved on meanwhile" in answer.text
    assert "Ann: cut 12" in answer.text
    assert not [each for each in audit(desk) if "withdraw" in each[1]]


def test_a_form_of_somebody_else_or_of_yesterday_does_nothing(desk: House) -> None:
    other = desk.browser()
    desk.log_in(other)
    foreign = re.findall(r'name="form" value="([^"]+)"', other.get("/desk/").text)[0]
    own = desk.form("/desk/")
    for form in (foreign, "", "x", "a.b.c", own[:-1], own.replace(".", "0.", 1), "é.1.2"):
        answer = desk.client.post("/desk/do/", data={"form": form, "command": "pause", "code": "CC-1", "version": "1"})
        assert answer.status_code == 403, form
        assert "nothing was done" in answer.text
    desk.desk.now += FORM_LASTS
    late = desk.client.post("/desk/do/", data={"form": own, "command": "begin", "slug": "bluffjack"})
    assert late.status_code == 403
    assert "too old" in late.text


def test_what_is_hidden_is_shown_on_demand_logged_and_for_a_while(desk: House) -> None:
    with desk.desk.store.reading() as session:
        found = episode_of_code(session, "CP-1")
        assert found is not None
        seed = found.seed.hex()
    before = desk.page("/desk/episodes/CP-1/")
    assert seed not in before
    assert "nothing hidden" not in before
    shown = desk.send("/desk/episodes/CP-1/show/", on="/desk/episodes/CP-1/")
    assert "that is logged" in shown.text
    assert audit(desk)[0] == (OPERATOR, "show what is hidden of CP-1", "CP-1")
    after = desk.page("/desk/episodes/CP-1/")
    assert seed in after
    assert after.count("<h2>The table as") == 1 + len(found.seats)
    other = desk.browser()
    desk.log_in(other)
    assert seed not in other.get("/desk/episodes/CP-1/").text, "only to the session that asked"
    assert seed not in desk.page("/desk/episodes/CC-1/")
    desk.desk.later(minutes=15)
    assert seed not in desk.page("/desk/episodes/CP-1/")
    desk.send("/desk/episodes/CP-1/show/", on="/desk/episodes/CP-1/")
    assert seed in desk.page("/desk/episodes/CP-1/")
    desk.send("/desk/episodes/CP-1/hide/", on="/desk/episodes/CP-1/")
    assert seed not in desk.page("/desk/episodes/CP-1/")


def set_up(house: House) -> None:
    """Split Decision goes on to its first question."""
    for name in ("ann", "bob", "cleo"):
        house.desk.answer(
            f"{name}@split-decision.example.net", "codes random\ncut 5" if name == "ann" else "codes random"
        )
    for name in ("ann", "bob", "cleo") * 6:
        if "your head start" in words(house.desk.last(f"{name}@split-decision.example.net")).lower():
            house.desk.answer(f"{name}@split-decision.example.net", "refuse")


def numbers(house: House, page: str, way: str) -> list[int]:
    return [int(each) for each in re.findall(rf"mail/{way}/(\d+)/", house.page(page))]


def test_a_letter_of_a_running_episode_is_shown_on_demand_without_tokens(desk: House) -> None:
    number = next(each for each in numbers(desk, "/desk/episodes/CP-1/", "out"))
    page = f"/desk/mail/out/{number}/"
    assert "Show it, and log that I looked" in desk.page(page)
    assert desk.get(f"{page}page/").status_code == 403
    assert "As it looked" in desk.send(f"{page}show/", on=page).text
    framed = desk.get(f"{page}page/")
    assert framed.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert framed.headers["x-frame-options"] == "SAMEORIGIN"
    assert "Champion Poker" in framed.text
    assert "mailto:" not in framed.text
    with desk.desk.store.reading() as session:
        from host.store.schema import Letter

        letter = session.get(Letter, number)
        assert letter is not None
        for text in (framed.text, desk.page(page)):
            assert letter.token not in text
            assert letter.token.upper() not in text


def test_a_mail_that_came_can_do_nothing(desk: House) -> None:
    hostile = (
        "From: Mallory <ann@champ-cards.example.net>\r\nTo: games@example.org\r\nSubject: status\r\nMIME-Version: 1.0\r\n"
        "Message-ID: <x@example.net>\r\nContent-Type: text/html\r\n\r\n<p>status</p><script>alert(1)</script>"
        "<img src=https://evil.example/x.png><a/href='https://evil.example/'>tap</a><meta http-equiv=refresh content='0;url=x'>"
    )
    to = desk.desk.last(ANN).headers["reply-to"]
    mail = desk.desk.deliver(hostile.replace("games@example.org", to).encode())
    page = f"/desk/mail/in/{mail.id}/"
    desk.send(f"{page}show/", on=page)
    shown = desk.page(page)
    assert "<script>alert" not in shown
    assert '<iframe sandbox title="The mail' in shown
    framed = desk.get(f"{page}page/").text
    assert "evil.example" not in framed
    assert "http-equiv" not in framed


def test_a_letter_that_lets_in_is_shown_to_nobody(desk: House) -> None:
    desk.client.post("/desk/login/", data={"address": OPERATOR})
    number = numbers(desk, "/desk/mail/?way=out", "out")[0]
    page = f"/desk/mail/out/{number}/"
    assert "nobody is shown it" in desk.page(page)
    assert desk.send(f"{page}show/", on="/desk/").status_code == 403
    assert desk.get(f"{page}page/").status_code == 403


def test_what_contestants_write_is_answered_or_put_aside(desk: House) -> None:
    desk.desk.answer(BOB, "host may I have until Monday? <b>Please!</b>")
    desk.desk.answer(ANN, "host thank you for this game")
    page = desk.page("/desk/")
    assert "may I have until Monday? &lt;b&gt;Please!&lt;/b&gt;" in page
    first, second = (int(each) for each in re.findall(r'action="[^"]*desk/words/(\d+)/"', page))
    assert "Your answer goes to Bob" in desk.send(f"/desk/words/{second}/", text="Until Monday it is.\nGet well!").text
    desk.desk.send()
    assert "Until Monday it is." in desk.desk.last(BOB).text
    assert "put aside" in desk.send(f"/desk/words/{first}/", text="").text
    assert "desk/words/" not in desk.page("/desk/")
    assert [each[1] for each in audit(desk)[:2]] == [
        f"answer words {first}: nothing",
        f"answer words {second}: Until Monday it is.\nGet well!",
    ]
    assert desk.send("/desk/words/1/", text="x").status_code == 409


def test_of_a_letter_that_was_let_go_of_the_envelope_is_shown(desk: House) -> None:
    desk.desk.answer(BOB, "host may I have until Monday?")
    number = next(each for each in numbers(desk, "/desk/episodes/CP-1/", "out"))
    page = f"/desk/mail/out/{number}/"
    desk.send(f"{page}show/", on=page)
    assert "As it looked" in desk.page(page)
    with desk.desk.store.transaction() as session:
        session.query(Letter).update({"packed": None})
    shown = desk.page(page)
    assert "They were let go of." in shown
    assert "As it looked" not in shown
    assert "As text" not in shown
    assert desk.get(f"{page}page/").text == ""
    needs = desk.page("/desk/")
    assert "desk/words/" in needs
    assert "It is not kept any more." in needs


def test_words_answered_by_mail_need_nobody_any_more(desk: House) -> None:
    desk.desk.answer(BOB, "host may I have until Monday?")
    assert "desk/words/" in desk.page("/desk/")
    desk.desk.answer(OPERATOR, "Yes, you may.")
    assert "desk/words/" not in desk.page("/desk/")


def test_what_a_game_asks_of_the_host_is_asked_and_answered_here(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.log_in()
    with house.desk.store.transaction() as session:
        from sqlalchemy import delete

        from host.store.schema import BankEntry

        session.execute(delete(BankEntry))
    house.begin_all()
    set_up(house)
    page = house.page("/desk/")
    assert "Split Decision" in page
    assert "command=say" in page
    answer = house.command("say", code="SD-1", text="ask What is two and two? = 4 | four")
    assert "the host said ask" in answer.text


def test_the_bank_is_filled_changed_and_emptied(house: House) -> None:
    house.log_in()
    added = house.send(
        "/desk/bank/import/",
        on="/desk/bank/",
        text='[[question]]\nask = "Who <b>wrote</b> Hamlet?"\nanswers = ["Shakespeare"]',
    )
    assert "1 question was added" in added.text
    assert "Who &lt;b&gt;wrote&lt;/b&gt; Hamlet?" in added.text
    number = re.findall(r"desk/bank/(\d+)/", added.text)[0]

    def change(seen: str, **fields: str) -> Any:
        return house.send(f"/desk/bank/{number}/change/", on=f"/desk/bank/{number}/", seen=seen, **fields)

    def seen() -> str:
        return str(re.findall(r'name="seen" value="(\w+)"', house.page(f"/desk/bank/{number}/"))[0])

    first = seen()
    assert "is changed" in change(first, ask="Who wrote Hamlet?", answers="Shakespeare\nWilliam Shakespeare").text
    assert "somebody else changed" in change(first, ask="Who wrote Macbeth?", answers="Shakespeare").text
    assert "William Shakespeare" in house.page("/desk/bank/")
    for answers in ("", "a=b"):
        refused = change(seen(), ask="Who?", answers=answers)
        assert refused.status_code == 409
        assert "Nothing was changed" in refused.text
    assert "taken out" in house.send(f"/desk/bank/{number}/remove/", on=f"/desk/bank/{number}/").text
    assert "Hamlet" not in house.page("/desk/bank/")
    files = {"file": ("more.csv", b"ask,answers\nWho keeps the bank?,the host|me\n", "text/csv")}
    form = house.form("/desk/bank/")
    assert "1 question was added" in house.client.post("/desk/bank/import/", data={"form": form}, files=files).text
    for name, content, sentence in (
        ("x.csv", b"a,b\n1,2\n", "columns have to be named"),
        ("x.toml", b"\xff\xfe", "not UTF-8"),
    ):
        wrong = house.client.post(
            "/desk/bank/import/", data={"form": house.form("/desk/bank/")}, files={"file": (name, content)}
        )
        assert wrong.status_code == 400
        assert sentence in wrong.text


@pytest.mark.storm
def test_a_question_that_was_put_stays(desk: House) -> None:
    set_up(desk)
    number = re.findall(r"desk/bank/(\d+)/", desk.page("/desk/bank/"))[-1]
    assert "so it stays in the bank" in desk.page(f"/desk/bank/{number}/")
    assert desk.send(f"/desk/bank/{number}/remove/", on="/desk/").status_code == 409


def test_names_with_markup_and_signs_that_turn_text_round_are_shown_as_they_are(house: House) -> None:
    house.log_in()
    name = "<img src=x onerror=alert(1)> \u202eevil\u0007"
    house.desk.write(
        "ann@champ-cards.example.net", "games@example.org", house.desk.game.subject, f"Name: Ann Lee\nHometown: {name}"
    )
    for page in (
        "/desk/contestants/1/",
        "/desk/mail/",
        "/desk/contestants/?who=ann@champ-cards.example.net",
        "/desk/contestants/?who=<b>",
    ):
        text = house.page(page)
        assert "<img" not in text
        assert "<b>x" not in text
        assert "\u202e" not in text
        assert "\x07" not in text


@pytest.mark.parametrize("before", ["x", "-1", "1.5", "1" * 30, "%00", "1 OR 1=1"])
def test_a_list_begins_only_at_a_number(desk: House, before: str) -> None:
    assert desk.get(f"/desk/mail/?before={before}").status_code == 400


def test_a_failed_letter_and_a_quarantined_mail_are_tried_again(desk: House) -> None:
    from host.store.schema import Inbound, Letter

    with desk.desk.store.transaction() as session:
        letter, mail = session.get(Letter, 1), session.get(Inbound, 1)
        assert letter is not None
        assert mail is not None
        letter.state, letter.response = "failed", "550 no such user"
        mail.state, mail.note = "quarantined", "could not be read"
    page = desk.page("/desk/")
    assert "550 no such user" in page
    assert "could not be read" in page
    assert "taken again" in desk.command("retry", what="mail", number="1").text
    assert "Letter 1" in desk.command("retry", what="letter", number="1").text
    assert desk.command("retry", what="letter", number="1").status_code == 409


def test_a_contestants_page_offers_what_can_be_done_with_them(desk: House) -> None:
    page = desk.page("/desk/contestants/1/")
    for each in ("write&amp;who=", "people+bar&amp;address=", "people+merge&amp;who=", "people+forget&amp;who="):
        assert f"command={each}" in page, each
    assert "unbar" not in page
    with desk.desk.store.reading() as session:
        address = session.get_one(Contestant, 1).address
    desk.command("people bar", address=address, why="no insults")
    assert "command=people+unbar&amp;address=" in desk.page("/desk/contestants/1/")


@pytest.mark.storm
def test_a_season_is_begun_and_closed_at_the_desk(desk: House) -> None:
    def send(what: str, **fields: str) -> Any:
        return desk.client.post(f"/desk/season/{what}/", data={"form": desk.form("/desk/season/"), **fields})

    assert "No season yet" in desk.page("/desk/season/")
    assert send("close").status_code == 400
    assert send("close", sure="yes").status_code == 409
    for wrong in ({"name": " "}, {"name": "Winter", "to": "tomorrow"}, {"name": "Winter", "to": "2001-01-01"}):
        assert send("begin", **wrong).status_code in (400, 409), wrong
    assert "No season yet" in desk.page("/desk/season/")
    begun = send("begin", name="Winter <1>", prizes="A mug", **{"game-bluffjack": "yes"}, to="2126-12-31", repeat="yes")
    (end,) = set(re.findall("[0-9a-f]{64}", re.sub(r'value="[^"]*"', "", begun.text)))
    assert "Winter &lt;1&gt;" in begun.text
    assert "Another one follows." in begun.text
    assert audit(desk)[0] == (
        OPERATOR,
        "season begin Winter <1> --to 2126-12-31 --games bluffjack --prizes A mug --repeat",
        "",
    )
    assert "is not over" in send("begin", name="Another").text
    assert "told how it ended" in send("close", sure="yes", season="1").text
    assert end in desk.page("/desk/season/")
    send("begin", name="Spring", to="2126-12-31")
    followed = send("close", next="yes", sure="yes", season="2").text
    assert "The season Spring 2 has begun. Publish where its chains end: " in followed
    assert audit(desk)[0] == (OPERATOR, "season close --next", "")
