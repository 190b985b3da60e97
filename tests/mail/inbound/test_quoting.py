"""Whatever form of our letter a reply in HTML quotes, and however its program wraps that: only what was typed comes out."""

import random

import pytest

from host.mail.inbound.mail import Typed
from host.mail.inbound.reply import open_mail, sent_forms
from tests.mail.inbound.quoting import ANSWERS, FRAMES, LETTERS, WRAPPINGS, Letter, Shape, letter, mail, shapes
from tests.mail.inbound.typed import typed_in
from tests.rows import every
from tests.size import a_few


def read(shape: Shape, sent: Letter, typed: list[str]) -> Typed:
    return typed_in(open_mail(shape.reply(sent, typed)), sent_forms(sent.text, sent.page))


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("wrapping", a_few(WRAPPINGS, 4))
def test_what_was_typed_comes_out_and_nothing_of_ours(wrapping: str, frame: str) -> None:
    rng = random.Random(f"{wrapping} {frame}")
    for shape in shapes():
        if (shape.wrapping, shape.frame) == (wrapping, frame):
            typed = [] if shape.place == "nowhere" else rng.choice(ANSWERS)
            name = rng.choice(LETTERS)
            assert read(shape, letter(name), typed) == Typed(tuple(typed)), (shape, name)


@pytest.mark.parametrize("name", LETTERS)
def test_the_text_of_any_letter_is_ours(name: str) -> None:
    for place in ("above", "between", "below"):
        shape = Shape("pre", "as sent", "Thunderbird", "text", place, is_multipart=False)
        assert read(shape, letter(name), ["pick 1"]) == Typed(("pick 1",)), shape


@every("at", range(0, 24, 3))
def test_what_is_typed_after_any_line_of_our_text_comes_out(at: int) -> None:
    sent = letter("champ-cards/turn-pick-main")
    lines = sent.text.splitlines()
    shown = "\n".join([*lines[:at], "pick 1", *lines[at:]])
    page = f"<p>On Fri, Nov 20, 2026 The Millionaire wrote:</p><blockquote type='cite'><pre>{shown}</pre></blockquote>"
    raw = b"From: ann@example.net\nContent-Type: text/html; charset=utf-8\n\n" + page.encode()
    assert typed_in(open_mail(raw), sent_forms(sent.text, sent.page)) == Typed(("pick 1",))


@pytest.mark.parametrize(
    "struck", ["<s>{}</s>", "<strike>{}</strike>", '<span style="text-decoration:line-through">{}</span>']
)
@pytest.mark.parametrize("is_alone", [True, False])
def test_what_was_struck_out_was_not_said(struck: str, is_alone: bool) -> None:
    sent = letter("champ-cards/turn-pick-main")
    quoted = "" if is_alone else f"<blockquote type='cite'>{sent.page}</blockquote>"
    raw = mail(f"<p>{struck.format('pick 7')}</p><p>pick 5</p>{quoted}", "pick 7\npick 5\n")
    assert typed_in(open_mail(raw), sent_forms(sent.text, sent.page)) == Typed(("pick 5",))


@pytest.mark.parametrize(("place", "within"), [("above", ()), ("between", ("pick 1",)), ("below", ())])
def test_what_stands_within_the_quotation_is_told_from_what_stands_around_it(
    place: str, within: tuple[str, ...]
) -> None:
    for frame in ("Thunderbird", "Outlook"):
        shape = Shape("pre", "as sent", frame, "text", place, is_multipart=False)
        assert read(shape, letter("champ-cards/turn-pick-main"), ["pick 1"]).within == within
