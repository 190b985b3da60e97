"""What a reply corrects, and what it says besides."""

from hypothesis import given
from hypothesis import strategies as st

from host.play.corrections import Correction, says_besides, take_correction
from host.play.prose import Form
from tests.rows import every

LOLO = Form("", "Lolo")


@every(
    ("text", "correction"),
    [
        ("call me Lolo", Correction(LOLO, ())),
        ("Yes, call me Lolo", Correction(LOLO, ("Yes",))),
        ("No, call me Lolo", Correction(LOLO, ())),
        ("ready, and call me Lolo", Correction(LOLO, ("ready",))),
        ("status\ncall me Lolo", Correction(LOLO, ("status",))),
        ("name Ann Lee\ncall me Lolo\nHometown: Boise", Correction(Form("Ann Lee", "Lolo", "Boise"), ())),
        ("No, it was not me, my name is Ann Lee", Correction(Form(), ("it was not me",))),
        ("my name is Ann Lee\nI did not register", Correction(Form(), ("I did not register",))),
        ("Yes please", Correction(Form(), ("Yes please",))),
        ("", Correction(Form(), ())),
        ("it is spelled Huma", Correction(Form("Huma Gill"), ())),
        ("yes, it's spelt Huma", Correction(Form("Huma Gill"), ("yes",))),
        ("My name is spelled Huma!", Correction(Form("Huma Gill"), ())),
        ("It's Huma, not Uma", Correction(Form("Huma Gill"), ())),
        ("It is spelled Rebecca", Correction(Form(), ("It is spelled Rebecca",))),
        ("my name is written Rebecca", Correction(Form(), ("my name is written Rebecca",))),
        ("My name is spelled with a u: Uma", Correction(Form(), ("My name is spelled with a u: Uma",))),
        ("The name is fine", Correction(Form(), ("The name is fine",))),
        ("call me Ms. O'Neil", Correction(Form("", "Ms. O'Neil"), ())),
        ("yes, and my wife's name is Bea", Correction(Form(), ("yes, and my wife's name is Bea",))),
        ("my wife plays too, her name is Bea", Correction(Form(), ("my wife plays too, her name is Bea",))),
        ("call me Lolo. Can my wife play too?", Correction(LOLO, ("Can my wife play too?",))),
        ("yes and please call me Lolo", Correction(LOLO, ("yes",))),
    ],
)
def test_corrections_and_the_rest(text: str, correction: Correction) -> None:
    assert take_correction(text.splitlines(), Form("Uma Gill")) == correction


@given(st.lists(st.text(max_size=60), max_size=6))
def test_what_corrects_nothing_stays_as_it_is(lines: list[str]) -> None:
    found = take_correction(lines)
    assert found.form.says_something or found.rest == tuple(lines) or len(found.rest) < len(lines)


@every(
    ("text", "is_so"),
    [
        ("Name: Ann Lee\nhow long does a game take? I am away December 1 to 5", True),
        ("My name is Ann and I am away until Monday", True),
        ("confirm, can my wife play too?", True),
        ("Name: Ann Lee\nPlease sign me up!\nThanks, I look forward to it!", False),
        ("Dear host,\nI would like to take part. My name is Ann Lee and I live in\nBoise.\nKind regards", False),
        ("Sounds fun, I am in. Zed Zeppelin, Tulsa", False),
        ("Yes, that was me. What are the rules?", False),
        ("Can I join Champ Cards?", False),
        ("Thank you!\nAnn Lee", False),
        ("yes and please call me Umbrella", False),
        ("", False),
    ],
)
def test_what_a_host_should_read(text: str, is_so: bool) -> None:
    assert says_besides(text.splitlines(), ("Champ Cards",), ("Ann Lee",)) is is_so


@given(st.lists(st.text(max_size=60), max_size=6))
def test_any_lines(lines: list[str]) -> None:
    says_besides(lines)
