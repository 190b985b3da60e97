"""Bodies in the answers of servers, which name the mail before its literal or behind, and tell of other mails between."""

from host.mail.inbound.imap_syntax import Lines, bodies_in


def literal(text: bytes) -> bytearray:
    return bytearray(text)


def test_bodies_are_told_apart_by_the_uids_in_their_answers() -> None:
    lines: Lines = [
        b"4 FETCH (UID 31 BODY[]<0> {5}",
        literal(b"first"),
        b")",
        b"6 FETCH (BODY[]<0> {6}",
        literal(b"second"),
        b" UID 33)",
        b"5 FETCH (UID 32 BODY[]<0> {5}",
        literal(b"third"),
        b" FLAGS (\\Seen))",
    ]
    assert bodies_in(lines) == {31: b"first", 33: b"second", 32: b"third"}


def test_what_a_mail_says_is_no_answer() -> None:
    text = b"7 FETCH (UID 99 BODY[] {1}"
    assert bodies_in([b"1 FETCH (UID 5 BODY[]<0> {26}", literal(text), b")"]) == {5: text}


def test_news_of_flags_between_has_no_body() -> None:
    lines: Lines = [
        b"9 FETCH (FLAGS (\\Seen) UID 40)",
        b"1 FETCH (UID 5 BODY[]<0> {2}",
        literal(b"ab"),
        b")",
        b"9 FETCH (FLAGS () UID 40)",
    ]
    assert bodies_in(lines) == {5: b"ab"}
    assert bodies_in([b"1 FETCH (BODY[]<0> {2}", literal(b"ab"), b")"]) == {}, "nobody knows whose"
