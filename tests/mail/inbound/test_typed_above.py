"""What people type above a quotation that looks like what mail programs write: labels with values, signs alone."""

import base64
import itertools
import quopri
from collections.abc import Sequence

import pytest

from host.mail.inbound.mail import Typed
from host.mail.inbound.program_lines import is_header
from host.mail.inbound.quotation import read_lines
from host.mail.inbound.reply import open_mail
from host.mail.inbound.text_lines import is_drawn
from tests.mail.inbound.test_quotation import CLIENTS, GMAIL, LABELS, LETTER, SENT, labelled, quotation
from tests.mail.inbound.typed import typed_in
from tests.rows import every
from tests.size import a_few

ANSWERS = [
    ["Cut: 12", "Codes: random"],
    ["Codes: random"],
    ["Cut: 12", "Codes: red", "Bet: 250"],
    ["A: 12", "B: 7", "C: 3"],
    ["To: 5", "Subject: 7"],
    ["Answer: Paris", "Name of the host: nobody knows", "Guess: 44"],
]
SIGNS = ["♠", "✊", "❤️", "5️⃣", "👍", "?", "+", "♥", "✌️", "☝🏽", "\u200d♠\u200b", "!", "👍👍"]
DECORATION = ["-----", "* * *", "____", "=====", "~~~", "+-----+-----+", "––––", "• • •", "...", "│", "-- --"]


@pytest.mark.parametrize("language", a_few(list(LABELS), 5))
def test_labels_typed_above_any_quotation_are_typed(language: str) -> None:
    for client, answer, gap in itertools.product(CLIENTS, ANSWERS, ([], [""])):
        header, quoted = quotation(client, language)
        text = "\n".join([*answer, *gap, header, *quoted])
        assert read_lines(text, SENT) == Typed(tuple(answer)), client
        assert read_lines(text, []).lines == tuple(answer), client


@every("language", list(LABELS))
def test_labels_typed_below_a_quotation_are_typed(language: str) -> None:
    for header, quoted in (quotation("Gmail", language), labelled(language)):
        text = "\n".join([header, *quoted, "", "Cut: 12", "Codes: random"])
        assert read_lines(text, SENT) == Typed(("Cut: 12", "Codes: random"))


def test_a_header_in_a_language_that_nobody_knows_is_told_by_its_values() -> None:
    header = [
        "Zendulo: The Millionaire <games@example.org>",
        "Wakati: 20.11.2026 15:00",
        "Kwa: Ann",
        "Mada: Ann v Bob [CC-12]",
    ]
    text = "\n".join(["Cut: 12", "Codes: random", "", *header, "", LETTER])
    assert read_lines(text, SENT) == Typed(("Cut: 12", "Codes: random"))


@every("number", ["2001", "2.50", "7:30", "12 45"])
@every("language", ["English", "German", "French", "Japanese"])
def test_a_number_right_above_an_attribution_is_typed(language: str, number: str) -> None:
    header, quoted = quotation("Gmail", language)
    assert read_lines("\n".join([number, header, *quoted]), SENT) == Typed((number,))


@pytest.mark.parametrize(
    "line", ["From: Ann", "*Von:* Ann", "Envoyé\u00a0: lundi", "件名: CC", "X-Own: [CC-12]", "De : a@b.org"]
)
def test_labels_of_mails_are_known(line: str) -> None:
    assert is_header(line)


@pytest.mark.parametrize(
    "line", ["Cut: 12", "Codes: random", "To: 5", "answer: 1984", "no label", "5: red", "I said: no"]
)
def test_other_labels_are_not(line: str) -> None:
    assert not is_header(line)


# Signs alone


@every("client", CLIENTS)
@every("sign", SIGNS)
def test_a_sign_alone_is_typed_wherever_it_stands(sign: str, client: str) -> None:
    header, quoted = quotation(client, "English")
    for gap in ([], [""]):
        text = "\n".join([sign, *gap, header, *quoted])
        assert read_lines(text, SENT) == Typed((sign,))
        assert read_lines(text, []).lines == (sign,)
    below = "\n".join([header, *quoted, "", sign])
    assert read_lines(below, SENT) == Typed((sign,))
    inline = "\n".join([header, *quoted[:7], "", sign, "", *quoted[7:]])
    assert read_lines(inline, SENT) == Typed((sign,))


@every("sign", SIGNS)
def test_a_sign_without_any_quotation_is_typed(sign: str) -> None:
    assert read_lines(f"{sign}\n", []) == Typed((sign,))
    assert read_lines(f"{sign}\n\nSent from my iPhone\n", []).lines == (sign,)


@every("client", CLIENTS)
@every("stroke", DECORATION)
def test_strokes_beside_a_quotation_are_decoration(stroke: str, client: str) -> None:
    header, quoted = quotation(client, "English")
    assert read_lines("\n".join(["pick 5", "", stroke, header, *quoted]), SENT) == Typed(("pick 5",))
    assert read_lines("\n".join([header, *quoted, stroke, "", "pick 5"]), SENT) == Typed(("pick 5",))


@every("stroke", DECORATION)
def test_strokes_are_drawn(stroke: str) -> None:
    assert is_drawn(stroke)


def test_a_sign_of_the_letter_within_its_quotation_is_quoted() -> None:
    letter = "Bob turned over space 3 and found this card:\n♥\nBob kept it, and has seventeen now.\n"
    header, _ = labelled("English")
    assert read_lines(f"keep\n\n{header}\n{letter}", []).lines == ("keep",)
    assert not is_drawn("♥")


def encoded(body: str, how: str, kind: str = "text/plain", flowed: str = "") -> bytes:
    """A mail of one part, written as this encoding wants it."""
    raw = body.replace("\n", "\r\n").encode()
    shown = {"8bit": raw, "base64": base64.encodebytes(raw), "quoted-printable": quopri.encodestring(raw)}[how]
    head = [
        "From: Ann <ann@example.net>",
        "To: games@example.org",
        "Subject: Re: Champ Cards [CC-12]",
        "MIME-Version: 1.0",
        f"Content-Type: {kind}; charset=utf-8{flowed}",
        f"Content-Transfer-Encoding: {how}",
    ]
    return "\r\n".join([*head, "", ""]).encode() + shown


def typed(raw: bytes) -> Sequence[str]:
    lines = typed_in(open_mail(raw), SENT).lines
    return [line.strip("\u200b\u200d") for line in lines]


@every("how", ["8bit", "base64", "quoted-printable"])
@every("flowed", ["", "; format=flowed", "; format=flowed; delsp=yes"])
@every("sign", SIGNS)
def test_a_sign_arrives_through_every_encoding(sign: str, flowed: str, how: str) -> None:
    quoted = "".join(f"> {line}\n" for line in LETTER.splitlines())
    for body in (f"{sign}\n", f"{sign}\n\n{GMAIL['English']}\n{quoted}", f"{GMAIL['English']}\n{quoted}\n{sign}\n"):
        assert typed(encoded(body, how, flowed=flowed)) == [sign.strip("\u200b\u200d")]


@every("how", ["8bit", "base64", "quoted-printable"])
@every("answer", [*SIGNS, "Cut: 12<br>Codes: random"])
def test_a_sign_arrives_in_a_page_alone(answer: str, how: str) -> None:
    paragraphs = "".join(f"<p>{line}</p>" for line in LETTER.splitlines() if line)
    gmail = (
        f'<div dir="ltr">{answer}</div><br><div class="gmail_quote"><div class="gmail_attr">On Fri, Nov 20, 2026 at 3:00 PM '
        f"The Millionaire &lt;games@example.org&gt; wrote:<br></div><blockquote>{paragraphs}</blockquote></div>"
    )
    outlook = (
        f'<div>{answer}</div><hr><div id="divRplyFwdMsg"><b>From:</b> The Millionaire &lt;games@example.org&gt;<br>'
        f"<b>Sent:</b> Friday<br><b>To:</b> Ann<br><b>Subject:</b> Champ Cards [CC-12]</div><div>{paragraphs}</div>"
    )
    apple = (
        f'<body>{answer}<div><br><blockquote type="cite"><div>On Nov 20, 2026, at 3:00 PM, The Millionaire '
        f"&lt;games@example.org&gt; wrote:</div>{paragraphs}</blockquote></div></body>"
    )
    for page in (f"<p>{answer}</p>", gmail, outlook, apple):
        expected = [line.strip("\u200b\u200d") for line in answer.split("<br>")]
        assert typed(encoded(page, how, "text/html")) == expected
