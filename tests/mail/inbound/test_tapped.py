"""What a tap on a button writes is typed, however many of its words the letter holds in a row."""

import html
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from host.mail.inbound.mail import Typed
from host.mail.inbound.reply import read_typed, sent_forms
from host.mail.inbound.sent_text import SentText
from tests.rows import every

GOLDEN = Path(__file__).parents[2] / "letters" / "golden"
LINK = re.compile(r'href="mailto:[^"]*body=([^"&]+)"')
LETTERS = sorted(GOLDEN.glob("*/*.html"))
ORDER = "call 40 or less, else fold\r\nhit until 17, else stand"
PAGE = '<p>Do you call?</p><a href="mailto:x@example.org?subject=x&amp;body={}">Go</a>'
EARLIER = SentText("Your standing orders:\ncall 40 or less, else fold\nhit until 17, else stand\nThey answer for you.")
"""Another letter to the same, which holds the words of the button, line by line."""


def bodies(page: str) -> list[str]:
    return [unquote(html.unescape(each)) for each in LINK.findall(page)]


def heard(body: str, text: str, page: str) -> Typed:
    return read_typed(body, "", "Ann Lee", (*sent_forms(text, page), EARLIER))


@every("file", LETTERS)
def test_each_button_of_a_letter_is_heard(file: Path) -> None:
    text, page = file.with_suffix(".txt").read_text("utf-8"), file.read_text("utf-8")
    for body in bodies(page):
        assert heard(body, text, page).lines == tuple(each.strip() for each in body.splitlines())


@pytest.mark.parametrize("below", ["", "\r\n\r\nSent from my iPhone", "\r\n\r\n-- \r\nAnn Lee\r\nAccounts"])
def test_a_button_whose_words_stand_in_the_letter_is_heard(below: str) -> None:
    page = PAGE.format("call%2040%20or%20less%2C%20else%20fold%0D%0Ahit%20until%2017%2C%20else%20stand")
    assert heard(ORDER + below, "Do you call?", page).lines[:2] == tuple(ORDER.splitlines())


@every("file", LETTERS)
def test_what_a_letter_shows_in_quotation_marks_is_typed_line_by_line_and_heard(file: Path) -> None:
    text, page = file.with_suffix(".txt").read_text("utf-8"), file.read_text("utf-8")
    shown = [" ".join(each.split()) for each in re.findall("“([^“”]+)”", text)]
    for below in ("", "\n\nOn Friday the host wrote:\n" + "\n".join(f"> {line}" for line in text.splitlines())):
        assert heard("\n".join(shown) + below, text, page).lines == tuple(shown)


def test_a_line_of_the_letter_with_its_quotation_marks_is_no_typed_one() -> None:
    text = "Or answer what comes next, too:\n“bet 1250”,\n“always decline, whatever is offered”\nGood luck!"
    assert heard("keep\n\n" + text, text, "").lines == ("keep",)


def test_what_no_button_writes_is_compared_as_ever() -> None:
    assert heard(ORDER, "Do you call?", PAGE.format("call")).lines == ()


def test_a_button_whose_lines_the_text_of_its_letter_holds_is_heard() -> None:
    """The text is compared first, and is enough for everything to count as quoted; the buttons are in the page."""
    page = PAGE.format("call%2040%20or%20less%2C%20else%20fold%0D%0Ahit%20until%2017%2C%20else%20stand")
    text = f"You wrote: “{' '.join(ORDER.split())} answer”."
    assert heard(ORDER, text, page).lines == tuple(ORDER.splitlines())
