"""What registrations say, as people write them."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.mail.outbound.announcement import form_of
from host.play.prose import Form
from host.play.registration_form import MAX_FIELD, correction_in, names_another, read_form
from tests.rows import every

FORMS = tomllib.loads(Path(__file__).with_name("forms.toml").read_text("utf-8"))["form"]
FULL = Form("Ann Smith", "Annie", "Berlin")


@every("form", FORMS)
def test_a_form_as_people_write_it(form: dict[str, str]) -> None:
    wanted = Form(*(form.get(each, "") for each in ("name", "nickname", "hometown")))
    assert read_form(form["text"].splitlines()) == wanted


@every(
    ("text", "form"),
    [
        ("Name: Ann Smith\nName you go by at TGSF: Annie\nHometown: Berlin", FULL),
        ("Hometown: Berlin\nName you go by at TGSF: Annie\nName: Ann Smith", FULL),
        ("name: Ann Smith\nNICKNAME: Annie\nhome town: Berlin", FULL),
        ("Full name: Ann Smith\nNick: Annie\nCity: Berlin", FULL),
        ("My name: Ann Smith\nHandle: Annie\nWhere you're from: Berlin", FULL),
        ("Name: Ann Smith\nNickname at TGSF: Annie\nHometown: Berlin", FULL),
        (
            "Name (first and last, please): Ann Smith\nName you go by at TGSF (if you have one): Annie\nHometown: Berlin",
            FULL,
        ),
        ("Name (first and\nlast, please): Ann Smith\nTGSF name: Annie\nTown: Berlin", FULL),
        ("Name:\nAnn Smith\nName you go by at TGSF:\nAnnie\nHometown:\nBerlin", FULL),
        ("Name (first and last, please):\nAnn Smith\nNick name:\n  Annie\nHometown:\nBerlin", FULL),
        ("* Name: Ann Smith\n- Nickname: Annie\n• Hometown: Berlin", FULL),
        ("**Name:** Ann Smith\n*Nickname*: Annie\nHometown: *Berlin*", FULL),
        ("> Name: Ann Smith\nNickname: Annie (that's me)\nHometown: Berlin (Germany)", FULL),
        ("Hello!\nI want to play.\nName: Ann Smith\nNickname: Annie\nHometown: Berlin\nThanks: bye", FULL),
        ("Name: Ann Smith\nNickname:\nHometown: Berlin", Form("Ann Smith", "", "Berlin")),
        ("Name: Ann Smith\nNickname: \nHometown: ", Form("Ann Smith")),
        ("Name: Ann\nName: Bob", Form("Ann")),
        ("Name: 10:30 Club", Form("10:30 Club")),
        ("Ann Smith\nBerlin", Form("Ann Smith", "", "Berlin")),
        ("Jill Kane, Zappo, Fargo", Form("Jill Kane", "Zappo", "Fargo")),
        ("Jill Kane\nzappo77\nFargo, North Dakota", Form("Jill Kane", "zappo77", "Fargo, North Dakota")),
        ("Jill Kane - Zappo - Fargo", Form("Jill Kane", "Zappo", "Fargo")),
        ("Jill Kane\nnone\nFargo", Form("Jill Kane", "", "Fargo")),
        ("Jill Kane, Fargo, ND", Form("Jill Kane", "", "Fargo, ND")),
        (
            "Jill Kane\nZappo\nFargo\nName (first and last, please):\nNickname:\nHometown:",
            Form("Jill Kane", "Zappo", "Fargo"),
        ),
        ("Name:\nNickname:\nHometown:\nJill Kane\nZappo\nFargo", Form("Jill Kane", "Zappo", "Fargo")),
        ("Name: Jill Kane\nNickname:\nHometown:\nSalt Lake", Form("Jill Kane", "", "Salt Lake")),
        ("Jill Kane here from Fargo", Form("Jill Kane", "", "Fargo")),
        ("Hi, Jill here, from Fargo", Form("Jill", "", "Fargo")),
        ("Sounds fun, I am in. Zed Zeppelin, Tulsa", Form("Zed Zeppelin", "", "Tulsa")),
        ("Please register me: Jill Kane, Fargo. Thanks!", Form("Jill Kane", "", "Fargo")),
        ("Jill Kane\nDirector of Sales\nAcme Inc", Form("Jill Kane")),
        ("Name: Ann and Bob Lee", Form("Ann")),
        ("Champ Cards, please", Form()),
        ("Viele Grüße, Anna", Form()),
        ("Happy Birthday, Dear Host", Form()),
        ("Name Ann Smith", Form("Ann Smith")),
        ("Name of the game", Form()),
        ("", Form()),
        ("Name:", Form()),
    ],
)
def test_forms(text: str, form: Form) -> None:
    assert read_form(text.splitlines()) == form


def test_values_are_cut_and_clean() -> None:
    form = read_form(["Name: " + "x" * 500, "Hometown: Ber\x00lin\x07"])
    assert form == Form("X" + "x" * (MAX_FIELD - 1), "", "Berlin")


@given(st.lists(st.text(max_size=50), max_size=8))
def test_any_lines_are_a_form(lines: list[str]) -> None:
    form = read_form(lines)
    assert all(len(value) <= MAX_FIELD for value in (form.name, form.nickname, form.hometown))


@every(
    ("text", "form"),
    [
        ("name Mike Ray", Form("Mike Ray")),
        ("name mike ray", Form("Mike Ray")),
        ("Name: Mike Ray", Form("Mike Ray")),
        ("name Mike Ray and call me Lolo", Form("Mike Ray", "Lolo")),
        ("name Mike Ray, nickname Lolo, hometown Boise", Form("Mike Ray", "Lolo", "Boise")),
        ("Yes, but my name is Mike Ray!", Form("Mike Ray")),
        ("Change my name to Mike Ray please", Form("Mike Ray")),
        ("call me Lolo", Form("", "Lolo")),
        ("Confirm! Please call me lolo, thanks", Form("", "Lolo")),
        ("my hometown is Boise", Form("", "", "Boise")),
        ("I live in Boise, mail takes long here", Form()),
        ("I'm Ann Lee.", Form()),
        ("call me when it starts", Form()),
        ("what is my name?", Form()),
        ("the name of the game", Form()),
        ("don't call me Lolo", Form()),
    ],
)
def test_corrections(text: str, form: Form) -> None:
    assert correction_in(text.splitlines()) == form


@pytest.mark.parametrize("community", ["TGSF", "The Poker Club", "Bob's", "x" * 24])
def test_the_label_with_any_community_is_read_as_it_is_sent(community: str) -> None:
    lines = [f"{line}{value}" for line, value in zip(form_of(community), ("Ann Lee", "Sparrow", "Dayton"), strict=True)]
    assert read_form(lines) == Form("Ann Lee", "Sparrow", "Dayton")
    assert read_form(["Name: Ann Lee", "Name you go by at TGSF: Sparrow"]).nickname == "Sparrow"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("From: Bob Ray <bob@example.net>\nTo: x\n\nName: Bob Ray\nHometown: Reno", Form("Bob Ray", "", "Reno")),
        ("Name ....... Ann Lee\nHometown ....... Boise, ID", Form("Ann Lee", "", "Boise, ID")),
        ("Name: Ann Lee\nCity/State: Boise, ID", Form("Ann Lee", "", "Boise, ID")),
        ("Name: Ann Lee\nHometown: [Boise]", Form("Ann Lee", "", "Boise")),
        ("Name: Ann Lee\nHometown: none of your business", Form("Ann Lee", "", "")),
        ("Name: same as last time", Form("", "", "")),
        ("Name: Ann Lee\nHometown: Boise <ann@example.net>", Form("Ann Lee", "", "Boise")),
        ("My name... is hard to spell", Form("", "", "")),
    ],
)
def test_forms_as_people_fill_them(text: str, wanted: Form) -> None:
    assert read_form(text.split("\n")) == wanted


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("Name: Ann and Bob Lee", True),
        ("Name: Ann Lee\nName: Bob Ray", True),
        ("Jill Kane and Rob Kane", True),
        ("Please register me and my wife", True),
        ("for my husband, his address is rob@example.net", True),
        ("Name: Ann Lee\nE-mail: ann@example.net", False),
        ("Sign me up for Champ Cards and Bluffjack. Name: Ann Lee", False),
    ],
)
def test_who_speaks_of_somebody_else(text: str, is_so: bool) -> None:
    assert names_another(text.splitlines(), ["ann@example.net"]) is is_so
