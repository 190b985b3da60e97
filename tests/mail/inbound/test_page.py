"""What becomes of an HTML page: hidden text goes, quotations and their headers are marked, nobody waits long."""

import email
import email.policy
import random
import re
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from host.mail.inbound.page import MAX_HTML, RULE, html_to_text, letter_to_text
from host.mail.inbound.quotation import read_lines
from tests.patience import not_for_ever
from tests.rows import every
from tests.size import size

UNKNOWN = "<div>Hello Ann,</div><div>this is a letter that nobody here remembers.</div><div>pick 7</div>"
LABELS = "<b>From:</b> Bob &lt;bob@example.org&gt;<br><b>Sent:</b> Friday<br><b>To:</b> ann@example.net<br><b>Subject:</b> Hi"


TESTS = Path(__file__).parents[2]
LETTERS = sorted(
    [*(TESTS / "mail" / "inbound" / "replies" / "letters").iterdir(), *(TESTS / "turn" / "golden").glob("*.html")]
)


def rows(page: str) -> list[str]:
    return [line.strip() for line in html_to_text(page).splitlines() if line.strip()]


@every(
    "hidden",
    [
        "<style>p{color:red}</style>",
        "<script>pick(7)</script>",
        "<title>pick 7</title>",
        "<template>pick 7</template>",
        "<!-- pick 7 -->",
        "<!--[if gte mso 9]><p>pick 7</p><![endif]-->",
        '<p hidden="">pick 7</p>',
        '<div style="display:none">pick 7</div>',
        '<div style="color:red; DISPLAY : NONE !important">pick 7</div>',
        '<div style="visibility: hidden">pick 7</div>',
        "<span style='mso-hide:all'>pick 7</span>",
        '<div style="font-size:0px;line-height:0">pick 7</div>',
        '<div style="max-height:0;overflow:hidden">pick 7</div>',
        '<div style="opacity:0">pick 7</div>',
        '<div style="opacity:.0">pick 7</div>',
        '<div style="height:0;overflow:hidden">pick 7</div>',
        '<div style="width:0px;overflow-x:hidden">pick 7</div>',
        '<div style="position:absolute; left:-9999px">pick 7</div>',
        '<div style="text-indent:-999em">pick 7</div>',
        '<div style="position:absolute;clip:rect(0 0 0 0)">pick 7</div>',
        '<div style="color:transparent">pick 7</div>',
        '<div style="color:#FFF;background:#fff">pick 7</div>',
        '<div style="background-color:rgb(1, 2, 3);color:rgb(1,2,3) !important">pick 7</div>',
        "<s>pick 7</s>",
        "<strike>pick 7</strike>",
        "<del>pick <b>7</b></del>",
        '<span style="text-decoration:line-through">pick 7</span>',
        '<span style="text-decoration: underline line-through">pick 7</span>',
        '<span style="color:red;text-decoration-line:line-through">pick 7</span>',
        '<div style="display:none"><div>pick <b>7</b></div></div>',
    ],
)
def test_what_nobody_sees_is_dropped_and_what_follows_is_kept(hidden: str) -> None:
    assert rows(f"<div>pick 5</div>{hidden}keep<div>freeze</div>") == ["pick 5", "keep", "freeze"]


@pytest.mark.parametrize(
    "box",
    [
        'pre class="moz-signature" cols="72"',
        'div class="gmail_signature"',
        'div id="Signature"',
        'div id="x_Signature"',
        'div id="_rc_sig"',
        'div id="ms-outlook-mobile-signature"',
        'div class="-x-evo-signature-wrapper"',
    ],
)
def test_what_a_mail_program_marks_as_a_signature_is_dropped(box: str) -> None:
    page = f"<p>keep</p><{box}>Ann Lee<br>Bridge Club</{box.split()[0]}><p>freeze</p>"
    assert rows(page) == ["keep", "freeze"]
    assert rows('<div class="signed design">keep</div>') == ["keep"]


@every(
    "style",
    [
        "font-size:0.9em",
        "font-size:10px",
        "opacity:0.5",
        "max-height:0.5em;overflow:hidden",
        "max-height:0",
        "display:block",
        "visibility:visible",
        "height:0",
        "opacity:.5",
        "text-indent:-18.0pt;margin-left:-1in",
        "left:0;top:-1px",
        "color:inherit;background-color:inherit",
        "color:#000;background:#fff",
        "background-color:transparent",
        "text-decoration:underline",
    ],
)
def test_what_is_small_or_pale_is_kept(style: str) -> None:
    assert rows(f'<div class="gmail_default" style="{style}">pick 5</div>') == ["pick 5"]


def test_a_size_given_within_a_cell_of_no_size_shows_again() -> None:
    assert rows('<div style="font-size:0"><p style="font-size:13px">pick 5</p></div>') == ["pick 5"]


def test_what_a_letter_of_ours_hides_is_kept_for_comparing() -> None:
    page = '<div style="display:none">Bob kept 7.</div><p>Hello Ann</p>'
    assert html_to_text(page).split() == ["Hello", "Ann"]
    assert letter_to_text(page).split() == ["Bob", "kept", "7.", "Hello", "Ann"]


def page_of(raw: bytes) -> str:
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    part = message.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def words(text: str) -> list[str]:
    """The lines that have a word in them, with nothing but their words."""
    return [found for row in text.splitlines() if (found := " ".join(re.findall(r"[^\W_]+", row)))]


@pytest.mark.parametrize("file", LETTERS, ids=lambda file: file.stem)
def test_a_letter_of_ours_has_the_words_and_lines_that_any_reader_would_find(file: Path) -> None:
    page = file.read_text("utf-8") if file.suffix == ".html" else page_of(file.read_bytes())
    seen = re.sub(r"display:none|max-height:0|mso-hide:all", "", page)
    assert words(letter_to_text(page)) == words(html_to_text(seen))
    assert len(words(letter_to_text(page))) > 10


def test_signs_in_words_and_attributes_of_a_letter_are_read_right() -> None:
    page = '<table><tr><td title="a > b">1 &lt; 2 &amp; 3</td><th>P<b>ic</b>k</th></tr></table>one<br/>two<hr>three'
    assert words(letter_to_text(page)) == words(html_to_text(page)) == ["1 2 3 Pick", "one", "two", "three"]


@pytest.mark.parametrize(
    "box",
    [
        '<blockquote type="cite">{}</blockquote>',
        '<blockquote class="gmail_quote" style="margin:0;border-left:1px solid">{}</blockquote>',
        '<blockquote class="gmail_quote" style="border:none">{}</blockquote>',
        '<blockquote style="border:none;border-left:solid #CCCCCC 1.0pt">{}</blockquote>',
        '<blockquote class="protonmail_quote" type="cite">{}</blockquote>',
        '<blockquote class="tutanota_quote">{}</blockquote>',
        '<div data-marker="__QUOTED_TEXT__">{}</div>',
    ],
)
def test_what_stands_in_the_box_of_a_mail_program_is_marked_and_what_stands_around_it_is_not(box: str) -> None:
    page = f"<div>pick 1</div>{box.format(UNKNOWN)}<div>pick 2</div>{box.format(UNKNOWN)}<div>pick 3</div>"
    assert [row for row in rows(page) if not row.startswith(">")] == ["pick 1", "pick 2", "pick 3"]
    assert sum(row.startswith("> pick 7") for row in rows(page)) == 2


def test_what_somebody_indents_is_not_marked() -> None:
    box = '<blockquote style="margin:0 0 0 40px;border:none;padding:0px">pick 5</blockquote>'
    assert rows(box) == ["pick 5"]


@every(
    "header",
    [
        '<div class="gmail_attr" dir="ltr">{}<br></div>',
        '<div class="moz-cite-prefix">{}<br></div>',
        '<p class="yahoo-quoted-begin">{}</p>',
        '<div data-marker="__HEADERS__">{}</div>',
    ],
)
@every("text", ["On Friday, Bob wrote:", "金曜日 Bob：", "Bob kirjoitti:"])
def test_the_header_of_a_box_is_marked_in_any_language(header: str, text: str) -> None:
    found = rows(f"<p>pick 5</p>{header.format(text)}<blockquote type=cite>Hello</blockquote><p>keep</p>")
    assert [row for row in found if row.strip("> ")] == ["pick 5", f"> {text}", "> Hello", "keep"]


def test_what_is_typed_in_the_box_of_a_header_is_not_marked() -> None:
    assert rows('<div class="moz-cite-prefix">pick 5</div>') == ["pick 5"]


@pytest.mark.parametrize(
    "header",
    [
        f'<div id="divRplyFwdMsg" dir="ltr">{LABELS}</div>',
        f'<div id="x_divRplyFwdMsg" dir="ltr">{LABELS}</div>',
        f"<div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p>{LABELS}</p></div>",
        f'<div style="border-width: 1pt medium medium; border-style: solid none none"><p>{LABELS}</p></div>',
    ],
)
def test_the_header_of_an_outlook_gets_a_rule_and_what_follows_is_for_the_reader_to_judge(header: str) -> None:
    page = f"<p>pick 5</p><hr>{header}{UNKNOWN}"
    found = rows(page)
    assert found[found.index(RULE) + 1] == "From: Bob <bob@example.org>"
    assert "pick 7" in found
    assert read_lines(html_to_text(page), []).lines == ("pick 5",)


def test_the_header_of_yahoo_gets_a_rule() -> None:
    box = '<div class="yahoo_quoted" id="x"><div><div>Em 20 de nov, 2026, Bob &lt;b@example.org&gt; escreveu:</div>{}</div></div>'
    page = f"<div>pick 5</div>{box.format(UNKNOWN)}"
    assert RULE in rows(page)
    assert read_lines(html_to_text(page), []).lines == ("pick 5",)


def test_a_plain_border_gets_no_rule() -> None:
    assert rows("<div style='border:none;border-top:solid #E1E1E1 1.0pt'><p>pick 5</p></div>") == ["pick 5"]


TABLE = (
    "<table><caption>Round 1</caption><thead><tr><th>Player</th><th>Hand</th></tr></thead>"
    "<tbody><tr><th scope=row>Ann</th><td>7<b>H</b></td></tr><tr><td><p>Bob</p></td><td>no cards</td></tr></tbody></table>"
)


@pytest.mark.parametrize(
    "box", ["<blockquote type=cite>{}</blockquote>", '<div data-marker="__QUOTED_TEXT__">{}</div>']
)
@pytest.mark.parametrize(
    "page", [TABLE, f"<p>Score</p><div>{TABLE}</div>", f"<table><tr><td>{TABLE}</td></tr></table>"]
)
def test_every_line_of_a_table_in_a_quotation_is_marked(box: str, page: str) -> None:
    found = rows(f"<p>pick 5</p>{box.format(page)}<p>keep</p>")
    assert [row for row in found if not row.startswith(">")] == ["pick 5", "keep"]
    assert {"> Round 1", "> Player Hand", "> Ann 7H"} <= {" ".join(row.split()) for row in found}


def test_the_words_of_a_table_are_the_same_in_a_quotation() -> None:
    plain, quoted = html_to_text(TABLE), html_to_text(f"<blockquote>{TABLE}</blockquote>")
    assert quoted.replace(">", " ").split() == plain.split()


def test_the_numbers_of_a_list_are_nobodys_answers() -> None:
    assert rows("<ol><li>cut 5</li><li>pick 1</li></ol>") == ["* cut 5", "* pick 1"]


def test_the_header_of_gmx_gets_a_rule_though_it_was_cut() -> None:
    header = "<div><b>Von:</b> The Millionaire<br><b>Betreff:</b> Champ Cards</div>"
    page = f'<div>pick 5<div name="quote">{header}<div name="quoted-content">{UNKNOWN}</div></div></div>'
    assert RULE in rows(page)
    assert read_lines(html_to_text(page), []).lines == ("pick 5",)


# Pages that nobody should have to read

HOSTILE = {
    "nothing": "",
    "a blank": " \n",
    "a comment": "<!-- -->",
    "100000 boxes": "<div>" * 100_000 + "pick 5",
    "closed boxes": "<div>" * 20_000 + "pick 5" + "</div>" * 20_000,
    "40000 rows": "<table>" + "<tr><td>x</td></tr>" * 40_000 + "</table>",
    "rows": "<table>" + "<tr>" * 100_000,
    "quotations": "<blockquote>" * 25_000 + "x",
    "a long line in quotations": "<blockquote>" * 1_900 + "x" * 100_000,
    "lists": "<ul><li>" * 40_000,
    "lists again": ("<ul><li>" * 900) * 20,
    "paragraphs": "<p>x" * 80_000,
    "breaks": "<br>" * 80_000,
    "styles": "<style></style>x" * 18_000,
    "hidden": "<i hidden>x</i>y" * 18_000,
    "no size": "<b style='font-size:0'>" * 12_000,
    "signs": "<" * 300_000,
    "ampersands": "&#" * 150_000,
    "comments": "<!--" * 80_000,
    "sections": "<![CDATA[" * 30_000,
    "an open link": "<a href='" + "x" * 290_000,
    "attributes": "<a " + "x=1 " * 70_000 + ">pick",
    "a style": "<p style='" + "border-top:solid;" * 15_000 + "'>pick",
    "Yahoo in Yahoo": "<div class=yahoo_quoted>" * 1_500 + "x",
    "headers in headers": "<div class=gmail_attr>" * 1_500 + "x" * 2_000,
    "NULs": "\0" * 1_000 + "pick\0 5",
    "surrogates": "pick 5 \ud800",
}


@pytest.mark.parametrize("name", list(HOSTILE))
def test_no_page_takes_long_or_fails(name: str) -> None:
    with not_for_ever():
        assert isinstance(html_to_text(HOSTILE[name]), str)


def test_what_is_typed_before_a_pit_is_kept() -> None:
    assert "pick 5" in html_to_text("<p>pick 5</p>" + "<div>" * 40_000)
    assert "pick 5" in html_to_text("<p>pick 5</p>" + "<p>x" * 60_000)
    assert "pick 5" in html_to_text("<div>" * 5_000 + "pick 5" + "</div>" * 5_000)


def test_what_is_beyond_the_limit_is_cut() -> None:
    assert "pick" not in html_to_text("x" * MAX_HTML + "pick 5")


def test_nuls_and_surrogates_do_not_part_the_text() -> None:
    assert html_to_text("<p>pi\0ck 5</p>").strip() == "pick 5"
    assert html_to_text("<p>pick 5 \ud800</p>").strip().startswith("pick 5")


def test_without_the_parser_the_page_is_read_as_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object, **__: object) -> None:
        raise RecursionError

    monkeypatch.setattr(etree, "iterwalk", failing)
    assert rows("<p>pick&nbsp;5</p><p>keep</p>") == ["pick\u00a05", "keep"]


def test_broken_pages_are_read() -> None:
    pieces = (
        "<div> </div> <blockquote> </blockquote> <p> x <!-- --> <style> </style> <table> <tr> <td> & &#0; &#xd800; <br> "
        "<body> <html> <head> <title> <svg> <frameset> <ul> </li> < > \" '"
    ).split()
    chance = random.Random(5)
    for _ in range(300):
        assert isinstance(html_to_text("".join(chance.choices(pieces, k=20))), str)


@given(st.text(max_size=200))
@settings(max_examples=size(30, 100), deadline=None)
def test_any_text_is_read(page: str) -> None:
    assert isinstance(html_to_text(page), str)
