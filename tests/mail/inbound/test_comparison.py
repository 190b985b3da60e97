"""The page of a reply beside the letter's page: whatever is typed, wherever the caret stood, comes out, and nothing else."""

import functools
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree
from lxml import html as markup

from host.games import GAMES
from host.mail.inbound.comparison import compare
from host.mail.inbound.mail import Typed
from host.mail.inbound.page import html_to_text, letter_to_text
from host.mail.inbound.reply import read_typed, sent_forms
from tests.mail.inbound.test_page import HOSTILE
from tests.patience import not_for_ever
from tests.size import a_few, size
from tests.turn.desk import Desk

TYPED = (
    ["cut 5"],
    ["pick 3", "keep"],
    ["status"],
    ["I fold, good luck to all"],
    ["host what time is it?"],
    ["raise 20"],
    ["Thanks!", "bet $500"],
    ["9"],
    ["Cut: 12", "Codes: random"],
)
LABELS = "".join(
    f"<div><b>{name}</b>: {value}</div>"
    for name, value in {
        "From": "The Millionaire &lt;games@example.org&gt;",
        "To": "ann@example.net",
        "Subject": "Champ Cards: Ann v Bob [CC-1]",
        "Date": "Fri, 20 Nov 2026 12:00:00 +0000",
    }.items()
)
PROGRAMS = {
    "Thunderbird": '{top}<div class="moz-cite-prefix">On 11/20/26 12:00, The Millionaire wrote:<br></div>'
    '<blockquote type="cite" cite="mid:x@example.org">{letter}</blockquote>{below}',
    "Roundcube": '{top}<p id="reply-intro">On 2026-11-20 12:00, The Millionaire wrote:</p>'
    '<blockquote><div id="replybody1">{letter}</div></blockquote>{below}',
    "Evolution": "{top}<div>On Fri, 2026-11-20 at 12:00 +0000, The Millionaire wrote:</div>"
    '<blockquote type="cite">{letter}</blockquote>{below}',
    "Evolution like Outlook": f"{{top}}<div>-----Original Message-----</div>{LABELS}<div><br></div>{{letter}}{{below}}",
    "Geary": "{top}<div>On Fri, 20 Nov, 2026 at 12:00 PM, The Millionaire &lt;games@example.org&gt; wrote:<br>"
    '<blockquote type="cite">{letter}</blockquote></div>{below}',
    "Outlook": f'{{top}}<hr><div id="divRplyFwdMsg" dir="ltr">{LABELS}</div><div>{{letter}}</div>{{below}}',
}


@functools.cache
def pages() -> dict[str, str]:
    """The first letters of an episode of each game."""
    found: dict[str, str] = {}
    for game in GAMES:
        with tempfile.TemporaryDirectory() as folder:
            desk = Desk(Path(folder), game)
            desk.begin()
            desk.store.close()
            found |= {f"{game} {at}": letter.page for at, (_, letter, _) in enumerate(desk.sent)}
    return found


def read(page: str, letter: str) -> Typed:
    return read_typed(html_to_text(page), page, "Ann Lee", sent_forms(letter_to_text(letter), letter))


def boxed(letter: str, top: str = "", below: str = "", program: str = "Thunderbird") -> str:
    body = PROGRAMS[program].format(letter=letter, top=top, below=below)
    return f"<html><body>{body}</body></html>"


# Carets at random


def is_shown(element: markup.HtmlElement) -> bool:
    return not any("display:none" in (each.get("style") or "") for each in (element, *element.iterancestors()))


def elements(lines: list[str], rng: random.Random) -> list[markup.HtmlElement]:
    """Typed lines as a mail program makes elements of them."""
    tag = rng.choice(("div", "p", "span"))
    found: list[markup.HtmlElement] = []
    for line in lines:
        found += [markup.Element("br")] if found and tag == "span" else []
        found.append(markup.Element(tag))
        found[-1].text = line
    return found


def put(found: list[markup.HtmlElement], parent: markup.HtmlElement, at: int, rest: str) -> None:
    for number, element in enumerate(found):
        parent.insert(at + number, element)
    found[-1].tail = rest


def into_text(body: markup.HtmlElement, lines: list[str], rng: random.Random) -> None:
    """Between two words, or at either end of a piece of text, in the text itself or as elements.

    Not beside a lone dash or the back of a card, which nobody can tell from the bullet of what was
    typed; nor before the word that it begins with:
    of `host` and `host` nobody can tell which one was typed.
    """
    pieces = [(each, "text") for each in body.iter() if (each.text or "").strip(" \n–▒") and is_shown(each)]
    pieces += [
        (each, "tail")
        for each in body.iter()
        if (each.tail or "").strip(" \n–▒") and each is not body and is_shown(each)
    ]
    element, kind = rng.choice(pieces)
    text = getattr(element, kind)
    behind = next(iter(element), None) if kind == "text" else element.getnext()
    whole = f"{text} {'' if behind is None else behind.text_content()}"
    places = [0, len(text), *(at for at, sign in enumerate(text) if sign.isspace())]
    places = [at for at in places if whole[at:].split()[:1] != lines[0].split()[:1]]
    place = rng.choice(places)
    before, rest = text[:place], text[place:]
    if len(lines) == 1 and rng.random() < 0.5:
        setattr(element, kind, f"{before} {lines[0]} {rest}")
        return
    setattr(element, kind, f"{before} ")
    parent, at = (element, 0) if kind == "text" else (element.getparent(), element.getparent().index(element) + 1)
    put(elements(lines, rng), parent, at, f" {rest}")


def before_element(*tags: str) -> Callable[[markup.HtmlElement, list[str], random.Random], None]:
    def typed(body: markup.HtmlElement, lines: list[str], rng: random.Random) -> None:
        element = rng.choice([each for each in body.iter(*tags) if each.getparent() is not None])
        put(elements(lines, rng), element.getparent(), element.getparent().index(element), "")

    return typed


def into_cell(body: markup.HtmlElement, lines: list[str], rng: random.Random) -> None:
    """In a cell, in a box of its own, above all that stands there or below."""
    cell = rng.choice(list(body.iter("td", "th")))
    box = markup.Element("div")
    box.extend(elements(lines, rng))
    if rng.random() < 0.5:
        cell.append(box)
    else:
        put([box], cell, 0, cell.text or "")
        cell.text = None


CARETS = {
    "in the text": into_text,
    "in a cell": into_cell,
    "between two cells": before_element("td", "th"),
    "between two rows": before_element("tr"),
    "between two blocks": before_element("p", "table", "h1", "h2"),
}


def written_anew(body: markup.HtmlElement, rng: random.Random) -> None:
    """What mail programs do to a page they quote: styles dropped, rows boxed, texts wrapped, white space changed."""
    for element in list(body.iter()):
        if rng.random() < 0.5 and is_shown(element):
            element.attrib.pop("style", None)
        if rng.random() < 0.2 and (element.text or "").strip() and element.tag in ("p", "td", "th", "li"):
            span = markup.Element(rng.choice(("span", "font")))
            span.text, element.text = element.text, None
            element.insert(0, span)
        if rng.random() < 0.2 and element.text:
            element.text = element.text.replace(" ", "\u00a0", 1)
    for table in list(body.iter("table")):
        if rng.random() < 0.5 and all(each.tag == "tr" for each in table):
            rows = markup.Element("tbody")
            rows.extend(list(table))
            table.append(rows)
    hidden = next(each for each in body.iter("div") if not is_shown(each))
    if rng.random() < 0.3:
        hidden.drop_tree()
    elif rng.random() < 0.5:
        hidden.attrib.clear()


def quoted(page: str, rng: random.Random, caret: str = "", lines: list[str] | None = None) -> str:
    body = markup.document_fromstring(page).body
    written_anew(body, rng)
    if lines:
        CARETS[caret](body, lines, rng)
    return "".join(etree.tostring(each, encoding="unicode", method="html") for each in body)


@pytest.mark.parametrize("caret", list(CARETS))
@pytest.mark.parametrize("program", list(PROGRAMS))
def test_what_is_typed_anywhere_in_any_letter_comes_out(program: str, caret: str) -> None:
    rng = random.Random(f"{program} {caret}")
    for _ in range(size(2, 12)):
        name = rng.choice(list(pages()))
        lines, above = rng.choice(TYPED), rng.choice(([], ["hit", "stand"]))
        top = "".join(f"<div>{line}</div>" for line in above) + "<div><br></div>"
        page = boxed(quoted(pages()[name], rng, caret, lines), top, program=program)
        assert read(page, pages()[name]) == Typed((*above, *lines)), (name, page)


@pytest.mark.parametrize("caret", [caret for caret in CARETS if caret != "in the text"])
@pytest.mark.parametrize("program", list(PROGRAMS))
def test_a_sign_on_a_line_of_its_own_comes_out(program: str, caret: str) -> None:
    rng = random.Random(f"{program} {caret} sign")
    for sign in a_few(("✊", "♠", "❤️", "?", "👍")):
        name = rng.choice(list(pages()))
        page = boxed(quoted(pages()[name], rng, caret, [sign]), program=program)
        assert read(page, pages()[name]) == Typed((sign,)), (name, page)


@pytest.mark.parametrize("program", list(PROGRAMS))
def test_where_nothing_is_typed_nothing_comes_out(program: str) -> None:
    rng = random.Random(program)
    for name, letter in list(pages().items())[:: size(12, 1)]:
        assert read(boxed(quoted(letter, rng), program=program), letter) == Typed(()), name
        for top, below in (("<p>freeze</p>", ""), ("", "<p>freeze</p>")):
            assert read(boxed(quoted(letter, rng), top, below, program), letter) == Typed(("freeze",)), name


# What is changed, left out, older

LETTER = (
    "<html><head><title>Your turn</title></head><body><table><tr><td><p>CHAMP CARDS</p><h1>Your turn, Ann</h1>"
    "<p>Bob turned over space 3 and found the seven of hearts.</p>"
    "<table><tr><th>Player</th><th>Total</th></tr><tr><td>Ann</td><td>14</td></tr><tr><td>Bob</td><td>17</td></tr></table>"
    "<p>Which space do you turn over?</p>"
    "<table><tr><td><a href='mailto:x'>Pick 5</a><br><span>or type: pick 5</span></td>"
    "<td><a href='mailto:x'>Freeze</a><br><span>or type: freeze</span></td></tr></table>"
    "<p>Good luck to both of you!</p></td></tr></table></body></html>"
)
BODY = LETTER[LETTER.index("<body>") + 6 : LETTER.index("</body>")]


@pytest.mark.parametrize(
    ("was", "now", "doubtful"),
    [
        ("or type: pick 5", "or type: pick 7", "or type: pick 7"),
        ("Pick 5", "Pick 59", "Pick 59"),
        ("<td>14</td>", "<td>149</td>", "149"),
        ("Pick 5", "Pick 7", "Pick 7"),
        ("Which space do you turn over?", "Which space do you mean?", "Which space do you mean?"),
    ],
)
def test_what_was_changed_is_neither_typed_nor_quoted_for_sure(was: str, now: str, doubtful: str) -> None:
    for program in PROGRAMS:
        found = read(boxed(BODY.replace(was, now, 1), program=program), LETTER)
        assert found.lines == ()
        assert doubtful in found.doubtful


@pytest.mark.parametrize(
    ("was", "now", "typed"),
    [
        ("Good luck to both of you!", "Good luck to both of you!pick 7", "pick 7"),
        ("Good luck to both of you!", "Good luck pick 7 to both of you!", "pick 7"),
        ("<th>Total</th>", "<th>Totalpick 7</th>", "pick 7"),
        ("<th>Total</th>", "<th>pick 7Total</th>", "pick 7"),
        ("<td>14</td>", "<td>14</td>pick 7", "pick 7"),
        ("<p>Which space do you turn over?</p>", "<p>pick 5</p>", "pick 5"),
        ("Pick 5</a><br><span>or type: pick 5</span>", "pick 5</a>", "pick 5"),
        ("<p>Good luck to both of you!</p>", "<p>pick 7, and good luck to you!</p>", "pick 7, and good luck to you!"),
        ("<p>CHAMP CARDS</p>", "<p>CHAMP CARDS</p>freeze", "freeze"),
        ("<p>CHAMP CARDS</p>", "freeze<p>CHAMP CARDS</p>", "freeze"),
        ("Bob turned over", "Bob turned turned over over", "turned over"),
    ],
)
def test_what_stands_beside_the_letter_or_in_place_of_it_is_typed(was: str, now: str, typed: str) -> None:
    for program in PROGRAMS:
        assert read(boxed(BODY.replace(was, now, 1), program=program), LETTER) == Typed((typed,)), program


@pytest.mark.parametrize(("shown", "typed"), [("<td>J♠</td><td>♠</td>", ("♠",)), ("<td>J</td><td>♠</td>", ())])
def test_a_sign_like_the_one_before_it_is_typed_unless_that_one_went(shown: str, typed: tuple[str, ...]) -> None:
    letter = LETTER.replace("<td>14</td>", "<td>J♠</td>")
    page = BODY.replace("<td>14</td>", shown)
    for program in PROGRAMS:
        assert read(boxed(page, program=program), letter) == Typed(typed), program


def test_what_was_left_out_is_not_missed() -> None:
    rest = BODY.replace("<p>Which space do you turn over?</p>", "").replace("<tr><td>Ann</td><td>14</td></tr>", "")
    for program in PROGRAMS:
        assert read(boxed(rest, "<p>pick 7</p>", program=program), LETTER) == Typed(("pick 7",))


def test_an_older_reply_around_the_quotation_is_not_typed() -> None:
    older = f"<p>pick 1</p><p>On 11/20/26 12:00, The Millionaire wrote:</p><blockquote>{BODY}</blockquote>"
    page = f"<p>freeze</p><p>On 11/20/26 13:00, Ann Lee wrote:</p><blockquote>{older}</blockquote>"
    assert read(page, LETTER) == Typed(("freeze",))
    within = read(page.replace("Good luck", "pick 2 Good luck"), LETTER)
    assert within.lines == ("freeze", "pick 2")


def test_what_was_typed_within_a_quotation_of_a_quotation_may_be_old() -> None:
    typed = BODY.replace("<p>Good luck", "<p>pick 2</p><p>Good luck")
    page = f"<p>freeze</p><blockquote><p>On 11/20/26 12:00, Bob wrote:</p><blockquote>{typed}</blockquote></blockquote>"
    assert read(page, LETTER) == Typed(("freeze",), ("pick 2",))


def test_a_page_that_quotes_nothing_of_the_letter_is_not_compared() -> None:
    assert compare("<p>pick 5</p><p>Which space? Good luck!</p>", LETTER) is None
    assert compare("", LETTER) is None
    assert compare(boxed(BODY), "") is None


def test_a_command_in_the_words_of_a_line_is_typed_where_the_letter_stands_below() -> None:
    assert read(boxed(BODY, "<div>Pick 5</div>"), LETTER) == Typed(("Pick 5",))
    assert read(boxed(BODY, "<div>or type: freeze</div>"), LETTER) == Typed(("or type: freeze",))


# Pages that nobody should have to read

MONSTERS = HOSTILE | {
    "the letter, again and again": BODY * 200,
    "words of the letter": "<p>or type: pick 5</p>" * 10_000,
    "one word of the letter": "<p>" + "or " * 90_000,
    "many words": "<p>" + " ".join(f"w{at}" for at in range(40_000)),
    "the letter and its words": BODY + "<p>" + "pick or type the freeze " * 8_000,
    "cells": BODY + "<table><tr>" + "<td>x</td>" * 9_000,
    "pieces": BODY + "<span>x</span>" * 18_000,
    "the letter in boxes": "<blockquote>" * 900 + BODY,
}


@pytest.mark.parametrize("name", list(MONSTERS)[:: size(3, 1)])
def test_no_page_takes_long_or_fails(name: str) -> None:
    longest = max(pages().values(), key=len)
    with not_for_ever():
        for letter in (LETTER, longest):
            read(MONSTERS[name][: size(30, 300) * 1024], letter)


@given(st.text(max_size=200))
@example("<blockquote>" + BODY)
@settings(max_examples=size(30, 100), deadline=None)
def test_any_text_is_compared(page: str) -> None:
    assert isinstance(read(page, LETTER), Typed)
    assert isinstance(read(BODY + page, LETTER), Typed)
