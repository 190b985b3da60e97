"""What is read in headers: where they end, what their words say, the tokens in them."""

import email
from functools import partial

import pytest

from host.mail.inbound.parsing import (
    decoded_header,
    end_of_headers,
    header_values,
    own_parts,
    parted,
    tokens_in,
)

TOKEN = "mfrggzdfmy2tqnrzgezdgnbvgy"


@pytest.mark.parametrize(
    ("raw", "head", "body"),
    [
        (b"A: b\r\n\r\nhi\r\n\r\nyou", b"A: b\r\n", b"hi\r\n\r\nyou"),
        (b"A: b\n\nhi\n\nyou", b"A: b\n", b"hi\n\nyou"),
        (b"A: b\n\r\nhi\n\nyou", b"A: b\n", b"hi\n\nyou"),
        (b"A: b\r\n\nhi\r\n\r\n", b"A: b\r\n", b"hi\r\n\r\n"),
        (b"A: b\r\n", b"A: b\r\n", b""),
        (b"", b"", b""),
    ],
)
def test_headers_end_at_the_first_blank_line(raw: bytes, head: bytes, body: bytes) -> None:
    assert parted(raw) == (head, body)


def test_a_blank_line_that_stands_too_far_below_ends_no_headers() -> None:
    assert end_of_headers(b"A: b\r\n\r\n", within=8) == 6
    assert end_of_headers(b"A: b\r\n\r\n", within=7) == -1
    assert end_of_headers(b"A: b\n\n", within=5) == -1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"),
        ("=?utf-8?q?f=C3=BCnf?= and more", "fünf and more"),
        ("=?nonsense?q?f=C3=BCnf?=", "fünf"),
        ("=?us-ascii?q?f=FCnf?=", "fünf"),
        ("=?utf-8?b?A?=", "=?utf-8?b?A?="),
        ("=?utf-8?q?never ended", "=?utf-8?q?never ended"),
    ],
)
def test_encoded_words_are_decoded_whatever_their_charset_is_called(value: str, text: str) -> None:
    assert decoded_header(value) == text


def test_all_values_of_a_header_are_cut_before_they_are_decoded() -> None:
    message = email.message_from_string("To: abcdef\nTO: =?utf-8?q?=C3=BC?=\n\n")
    assert header_values(message, "to", 3) == ("abc", "=?u")
    assert header_values(message, "to") == ("abcdef", "ü")
    assert header_values(message, "cc") == ()


def test_mails_inside_a_mail_are_closed_boxes() -> None:
    message = email.message_from_string(
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhi\n--b\nContent-Type: message/rfc822\n\nA: b\n\nyou\n--b--\n"
    )
    kinds = [part.get_content_type() for part in own_parts(message)]
    assert kinds == ["multipart/mixed", "text/plain", "message/rfc822"]


def test_tokens_are_found_where_letters_carry_them_and_nowhere_else() -> None:
    places = {
        f"Games <games+{TOKEN.upper()}@example.org>": partial(tokens_in, "address"),
        f"<{TOKEN}@example.org> <x@example.org>": partial(tokens_in, "id"),
        f"Re: Your turn [CC-7 {TOKEN}]": partial(tokens_in, "subject"),
        f"> Ref: CC-7 {TOKEN}": partial(tokens_in, "text"),
    }
    for value in places:
        assert [find(value) for find in places.values()] == [
            [TOKEN] if find is places[value] else [] for find in places.values()
        ]
        assert not any(find(value.replace("mfrg", "mfr").replace("MFRG", "MFR")) for find in places.values())
