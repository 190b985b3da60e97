"""Hostile mails of any size: each shape takes about how many bytes it shall have, and costs a careless reader the most."""

from collections.abc import Callable

MAX_BYTES = 2_000_000
"""What the inbox fetches of a mail."""
TOKEN = b"o2ycnphhsavuqve3t6nr3wau5u"
WHO = b"From: Ann <ann@example.net>\r\nTo: games+" + TOKEN + b"@example.org\r\n"

Shape = Callable[[int], bytes]


def head(*lines: bytes) -> bytes:
    """A mail of somebody, with these lines in its head."""
    return WHO + b"".join(line + b"\r\n" for line in lines) + b"\r\n"


def body(content: bytes, kind: bytes = b"text/plain; charset=utf-8") -> bytes:
    return head(b"Content-Type: " + kind) + content


def filled(piece: bytes, size: int) -> bytes:
    return piece * (size // len(piece))


def text(piece: str, kind: bytes = b"text/plain; charset=utf-8", end: str = "") -> Shape:
    return lambda size: body(filled(piece.encode(), size) + end.encode(), kind)


def value(name: bytes, piece: bytes, start: bytes = b"", end: bytes = b"") -> Shape:
    """One header, made long."""
    return lambda size: head(name + b": " + start + filled(piece, size) + end) + b"pick 5"


def headers(line: bytes, size: int) -> bytes:
    return WHO + filled(line + b"\r\n", size) + b"\r\npick 5"


def many(line: bytes) -> Shape:
    """One header, many times."""
    return lambda size: headers(line, size)


def numbered(name: bytes, start: bytes, piece: bytes) -> Shape:
    """One header of parameters that have numbers."""
    return lambda size: head(name + b": " + start + b"".join(piece % at for at in range(size // (len(piece) + 3))))


def nested(levels: int, line: bytes) -> Shape:
    """Multiparts within each other, then many lines, each of which may end any of them."""
    parts = b"".join(
        b"--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n" % (at, at + 1) for at in range(levels)
    )
    return lambda size: body(parts + filled(line, size - len(parts)), b"multipart/mixed; boundary=b0")


def parts(piece: bytes, kind: bytes = b"multipart/mixed; boundary=b") -> Shape:
    """Many parts of one kind."""
    return lambda size: body(filled(b"--b\r\n" + piece + b"\r\n", size), kind)


def big_parts(count: int, kind: bytes, piece: bytes) -> Shape:
    """Few parts, each of them large."""

    def made(size: int) -> bytes:
        part = b"--b\r\nContent-Type: " + kind + b"\r\n\r\n" + filled(piece, size // count) + b"\r\n"
        return body(part * count, b"multipart/mixed; boundary=b")

    return made


def many_boundaries(size: int) -> bytes:
    """Multiparts beside each other, each with a boundary of its own, which is a pattern of its own."""
    part = b"--b\r\nContent-Type: multipart/mixed; boundary=" + b"x" * 50 + b"%d\r\n\r\n"
    return body(b"".join(part % at for at in range(size // len(part))), b"multipart/mixed; boundary=b")


def boxes(size: int) -> bytes:
    """Mails within mails."""
    return body(filled(b"Content-Type: message/rfc822\r\n\r\n", size), b"message/rfc822")


def heads_of_parts(size: int) -> bytes:
    """As many parts as are looked at, each with a large head."""
    part = b"--b\r\nContent-Type: text/plain" + filled(b"; a*0=b", size // 220) + b"\r\n\r\nx\r\n"
    return body(part * 200, b"multipart/mixed; boundary=b")


def bounce(lines: bytes, start: bytes = b"") -> Shape:
    """A mail from a mail server, as text."""
    head = b"From: MAILER-DAEMON@example.net\r\nSubject: Undelivered Mail Returned to Sender\r\n\r\n" + start
    return lambda size: head + filled(lines, size)


def report(block: bytes) -> Shape:
    """A report of a mail server."""
    kind = b"multipart/report; report-type=delivery-status; boundary=b"
    start = b"--b\r\nContent-Type: message/delivery-status\r\n\r\n"
    return lambda size: body(start + filled(block, size) + b"\r\n--b--\r\n", kind)


def global_report(size: int) -> bytes:
    """A report whose blocks the parser leaves to the reader; the last holds a mail of its own."""
    levels = b"".join(
        b"--b%d\nContent-Type: multipart/mixed; boundary=b%d\n\n" % (at, at + 1) for at in range(min(500, size // 100))
    )
    inner = b"\n\n" * 120 + b"Content-Type: multipart/mixed; boundary=b0\n\n" + levels + filled(b"\n", size)
    return body(
        b"--b\r\nContent-Type: message/global-delivery-status\r\n\r\nA: b\r\n\r\n" + inner,
        b"multipart/report; boundary=b",
    )


FLOWED = b"text/plain; format=flowed"
HTML = b"text/html; charset=utf-8"
PARAMETERS = b"Content-Type"

SHAPES: dict[str, Shape] = {
    # heads
    "headers": many(b"X-A: b"),
    "empty headers": many(b"A:"),
    "folded lines": many(b"X-A: b\r\n " + b"\r\n c" * 50),
    "headers with eight bits": many(b"Subject: \xff"),
    "From": many(b"From: a@b.c"),
    "From with names": many(b"From: =?utf-8?q?x?= <a@b.c>"),
    "From without addresses": many(b"From: (((((((((("),
    "Subject": many(b"Subject: =?utf-8?q?x?= =?utf-8?q?x?="),
    "To with tokens": many(b"To: games+" + TOKEN + b"@example.org"),
    "Received": many(b"Received: from a by b"),
    "Authentication-Results": many(b"Authentication-Results: a; dkim=fail (((("),
    "Return-Path": many(b"Return-Path: <>"),
    "List-Id": many(b"Precedence: ((((((("),
    "Content-Type": many(b"Content-Type: multipart/mixed; boundary=b"),
    "a long Subject": value(b"Subject", b"x"),
    "a Subject of encoded words": value(b"Subject", b"=?utf-8?q?x?= "),
    "a Subject of encoded words, folded": value(b"Subject", b"=?utf-8?q?x?=\r\n "),
    "a Subject of open encoded words": value(b"Subject", b"=?utf-8?q?x"),
    "a Subject of half encoded words": value(b"Subject", b"=?"),
    "a Subject of encoded words that end once": value(b"Subject", b"=?u?q?", end=b"?="),
    "a Subject of tags": value(b"Subject", b"[x]"),
    "a Subject of stars": value(b"Subject", b"** "),
    "a Subject of blanks": value(b"Subject", b" ", b"x", b"x"),
    "References": value(b"References", b"<a@b> "),
    "open References": value(b"References", b"<"),
    "Precedence of comments": value(b"Precedence", b"("),
    "senders": value(b"From", b"a@b.c, "),
    "a group of senders": value(b"From", b"b@b,", b"a:"),
    "groups of senders": value(b"From", b"a:"),
    "open quotes of senders": value(b"From", b'"<('),
    "comments of senders": value(b"From", b"("),
    "closed comments of senders": value(b"From", b"()"),
    "routes of senders": value(b"From", b"<@"),
    "quoted senders": value(b"From", b'"a" ', end=b"<a@b.c>"),
    "senders of dots": value(b"From", b".", end=b"@b"),
    "results": value(b"Authentication-Results", b";a=b", b"example.org"),
    "results of comments": value(b"Authentication-Results", b"(", b"example.org;"),
    "results of strings": value(b"Authentication-Results", b'"', b"example.org;"),
    "results of escapes": value(b"Authentication-Results", b'"\\', b"example.org;"),
    # parameters
    "parameters": value(PARAMETERS, b"; a=b", b"text/plain"),
    "bare parameters": value(PARAMETERS, b";", b"text/plain"),
    "quoted parameters": value(PARAMETERS, b"; ", b'text/plain; a="'),
    "quotes of parameters": value(PARAMETERS, b'";"', b"text/plain; a="),
    "the same split parameter": value(PARAMETERS, b"; a*0=b", b"text/plain"),
    "split parameters": numbered(PARAMETERS, b"text/plain", b"; a*%d=b"),
    "encoded parameters": numbered(PARAMETERS, b"text/plain", b"; a*%d*=%%41"),
    "a split file name": numbered(b"Content-Disposition", b"inline", b"; filename*%d*=%%41"),
    "a long number of a parameter": value(PARAMETERS, b"1", b"text/plain; a*", b"=b"),
    "a long boundary": value(PARAMETERS, b"x", b"multipart/mixed; boundary="),
    "a long type": value(PARAMETERS, b"/"),
    "slashes in a type": value(PARAMETERS, b"/x", b"text"),
    "large heads of parts": heads_of_parts,
    # structure
    "300 nested multiparts and empty lines": nested(300, b"\n"),
    "300 nested multiparts and lines of two strokes": nested(300, b"--\n"),
    "900 nested multiparts": nested(900, b"\n"),
    "20 nested multiparts and empty lines": nested(20, b"\n"),
    "mails in mails": boxes,
    "empty lines": text("\n"),
    "carriage returns": text("\r"),
    "lines of one letter": text("a\r\n"),
    "empty parts": parts(b""),
    "parts": parts(b"\r\nx"),
    "parts with heads": parts(b"Content-Type: text/plain\r\n\r\nx"),
    "parts in parts": parts(b"Content-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\nx\r\n--c--"),
    "mails in parts": parts(b"Content-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\nx"),
    "reports in parts": parts(b"Content-Type: message/delivery-status\r\n\r\nAction: failed\r\n\r\nx"),
    "parts with parameters": parts(b"Content-Type: text/plain" + b"; a*0=b" * 100 + b"\r\n\r\nx"),
    "a digest": parts(b"\r\nSubject: x\r\n\r\nx", b"multipart/digest; boundary=b"),
    "boundaries": many_boundaries,
    "texts of parts": big_parts(20, b"text/plain", b"pick 5\n"),
    "pages of parts": big_parts(20, HTML, b"<p>x"),
    "links of parts": big_parts(20, HTML, b"<a href=x><b>"),
    # what text is made of
    "flowed lines": text("a \n", FLOWED),
    "flowed empty lines": text(" \n", FLOWED),
    "flowed lines, spaces deleted": text("a \n", FLOWED + b"; delsp=yes"),
    "words": text("pick 5 "),
    "a word": text("a"),
    "marks": text(">"),
    "lines of marks": text("> a\n"),
    "blanks": text(" ", end="x"),
    "hidden blanks": text(" \u200b", end="x"),
    "blank lines of hidden signs": text("\u200b\n", end="x"),
    "links": text("<mailto:"),
    "links, closed once": text("<mailto:", end=">"),
    "brackets": text("< "),
    "references": text("ref a "),
    "ref": text("ref "),
    "references, half": text("ref-a-"),
    "uuencoded": text("begin 644 a\r\n#86)C\r\n", b"text/plain\r\nContent-Transfer-Encoding: uuencode"),
    "quoted-printable": text("=\r\n=3D", b"text/plain\r\nContent-Transfer-Encoding: quoted-printable"),
    "base64": text("YQ==", b"text/plain\r\nContent-Transfer-Encoding: base64"),
    "base64 in short lines": text("Y\r\n", b"text/plain\r\nContent-Transfer-Encoding: base64"),
    "punycode": text("a", b"text/plain; charset=-punycode", end="-" + "b" * 9),
    "punycode without an end": text("ab9", b"text/plain; charset=punycode-"),
    "utf-7": text("+AGE-", b"text/plain; charset=utf-7"),
    "escapes": text("\\d", b"text/plain; charset=unicode_escape"),
    "utf-16": text("ab", b"text/plain; charset=utf-16"),
    "accents": text("\u0300", end="x"),
    "accents in disorder": text("\u0300\u0316"),
    "long compatibility forms": text("\ufdfa"),
    # quotations
    "attributions": text("On Mon, 20 Nov 2026 12:30 a@b wrote:\n"),
    "attributions over quotations": text("On Mon, 20 Nov 2026 12:30 a@b wrote:\n> x\n"),
    "On": text("On \n"),
    "On, wrote": text("On 2026 wrote: \n"),
    "labels": text("From: a@b 2026 12:30:\n"),
    "rules": text("-----\n"),
    "rules and labels": text("--- ab ---:@"),
    "rules that never end": text("---ab"),
    "rules in lines": text("--- ab --- cd " * 20 + "\n"),
    "rules, colons": text("---ab---:" * 50 + "\n"),
    "headers of quotations in lines": text("2020/1/1 " + "<@" * 95 + ">\n"),
    "headers of quotations that end wrongly": text("2020/1/1" + " <@>" * 47 + "x\n", b"text/plain\r\n\r\nhello:"),
    "Op heeft": text("Op " + "x heeft " * 23 + " geschreven\n", b"text/plain\r\n\r\nhello:"),
    "headers of quotations at the end": text("x\n", b"text/plain\r\n\r\nhello:"),
    "Op heeft geschreven": text("Op " + "x heeft " * 23 + " geschreven:\n"),
    "signatures": text("-- \nSent from my iPhone\n"),
    "phones": text("sent " * 30 + "\n"),
    "known words": text("the card "),
    "known words in lines": text("the card\n"),
    "known words in long lines": text("space " * 160 + "\n"),
    "a known word in lines": text("space\n"),
    "known words, two in a line": text("space over\n"),
    "known words below a header": text("turn over space\n", end=""),
    "half of a known line": text("Which space do you\nturn over?\n"),
    "known lines": text("Which space do you turn over?\n"),
    # pages
    "paragraphs": text("<p>x", HTML),
    "boxes": text("<p>x<div><b>", HTML),
    "deep boxes": text("<div>", HTML),
    "quotations": text("<blockquote>", HTML),
    "quotations, closed": text("<blockquote>x</blockquote>", HTML),
    "lists": text("<ul><li>", HTML),
    "tables": text("<table><tr><td>", HTML),
    "cells": text("<td>x", HTML),
    "hidden text": text("<p style='display:none'>x", HTML),
    "hidden signs between words": text("<b hidden></b>y", HTML),
    "hidden boxes between words": text("<b style=display:none>x</b>y", HTML),
    "hidden boxes in boxes": text("<div style=display:none>", HTML),
    "small text in boxes": text("<div style=font-size:0>", HTML),
    "small text over boxes": text("<div style=font-size:0><i><i><i><i><i>", HTML),
    "small text over boxes beside each other": text("<div style=font-size:0>" + "<i></i>" * 50, HTML),
    "cells with text behind them": text("<td>x</td>y", HTML),
    "rules over headers": text("<div id=divRplyFwdMsg></div>", HTML),
    "bold text in boxes": text("<div style='border-top:solid'><b><i><i><i><i><i><i><i><i><i>", HTML),
    "named quotations": text("<div name=quote><div>", HTML),
    "named quotations beside each other": text("<div name=quote><div></div></div>", HTML),
    "bold text in named quotations": text("<div name=quote><div><b><i>", HTML),
    "quotations in lists": text("<blockquote><ul>", HTML),
    "open quotation marks": text("<a b='", HTML),
    "accents in a page": text("\u00e9", HTML),
    "hard blanks": text("&nbsp;", HTML),
    "ends of boxes": text("</div>", HTML),
    "headings": text("<h1>", HTML),
    "definitions": text("<dl><dd>", HTML),
    "preformatted boxes": text("<pre>x\n", HTML),
    "abbreviations": text("<abbr title=x>y</abbr>", HTML),
    "open abbreviations": text("<abbr title=x>y", HTML),
    "quoted words": text("<q>", HTML),
    "rulers": text("<hr>", HTML),
    "options": text("<select><option>", HTML),
    "forms": text("<form><input>", HTML),
    "pictures": text("<img src=x alt=y>", HTML),
    "pages in pages": text("<html><body>", HTML),
    "frames": text("<frameset>", HTML),
    "drawings": text("<svg><math>", HTML),
    "small text": text("<p style='font-size:0'>", HTML),
    "small text beside each other": text("<p style='font-size:0'>x</p>", HTML),
    "styles": text("a:b;", HTML + b"\r\n\r\n<p style='", "'>x"),
    "attributes": text(" a=b", HTML + b"\r\n\r\n<p", ">x"),
    "comments": text("<!--", HTML),
    "deep boxes and comments": lambda size: body(
        b"<div>" * min(2_100, size // 10) + b"<!--" * min(2_890, size // 10), HTML
    ),
    "many boxes beside each other over a number": text("<p>", HTML, "&#" + "1" * 5_000),
    "boxes beside each other": text("<div style='border-top:solid'>" * 900, HTML + b"\r\n\r\n", "<i></i>" * 9_000),
    "declarations": text("<!x", HTML),
    "open tags": text("<", HTML),
    "half tags": text("<a ", HTML),
    "entities": text("&amp;", HTML),
    "unknown entities": text("&x", HTML),
    "numbers of entities": text("&#1", HTML),
    "scripts": text("<script>", HTML),
    "ends": text("</p>", HTML),
    "breaks": text("<br>", HTML),
    "rows of yahoo": text("<div class=yahoo_quoted><p>", HTML),
    "rows of yahoo beside each other": text("<div class=yahoo_quoted><p>x:</p></div>", HTML),
    "boxes of headers": text("<div class=gmail_attr>x", HTML),
    "bold labels": text("<div style='border-top:solid'><b>", HTML),
    "bold labels beside each other": text("<div style='border-top:solid'><b>a:</b><b>b:</b></div>", HTML),
    "a known word in a page": text("space ", HTML),
    "known words in a page": text("turn over a space ", HTML),
    "a known word in boxes": text("<p>space</p>", HTML),
    "a known line in boxes": text("<p>Your turn: turn over a space. For instance, write: pick 5</p>", HTML),
    "known words in quotations": text("<blockquote>a space you turn</blockquote>", HTML),
    "bars": text("| --- ", HTML),
    "lines of strokes": text("---|", HTML + b"\r\n\r\n<pre>"),
    "strokes": text("--- ", HTML + b"\r\n\r\n<pre>", "x"),
    "blanks in a page": text(" ", HTML + b"\r\n\r\n<pre>", "x"),
    "a page of empty lines": text("\n", HTML),
    "a paragraph of empty lines": text("\n", HTML + b"\r\n\r\n<p>x", "x"),
    "short blanks in a page": text("\n" * 99 + "x", HTML),
    "empty lines in a page": text("\n", HTML + b"\r\n\r\n<pre>", "x"),
    "escapes in a page": text("\\", HTML),
    "NULs in a page": text("<\0p>", HTML),
    # bounces
    "a bounce": bounce(b"550 5.1.1 <ann@example.net>: no such user\r\n"),
    "a bounce of addresses": bounce(b"<a@b> "),
    "a bounce of strokes": bounce(b"----- The following addresses had permanent fatal errors -----\r\n<a@b.c>\r\n"),
    "a bounce of failures": bounce(b"failed addresses follow:\r\n a@b.c\r\n", b"  ----- Failed\r\n"),
    "a bounce of blanks": bounce(b" ", b"x"),
    "a bounce of At": bounce(b"@" * 399 + b"\r\n"),
    "a bounce of To": bounce(b"To: " * 99 + b"\r\n"),
    "a bounce of words": bounce(b"did not reach the following recipient(s): " * 9 + b"\r\n"),
    "a bounce of quoted headers": bounce(b"message-id: <x@y>\r\n \t \r\n"),
    "a bounce of folds": bounce(b" \t > x\r\n", b"message-id: x\r\n"),
    "a bounce of Message-IDs": bounce(b"Message-ID: <" + TOKEN + b"@example.org>\r\n"),
    "a report": report(b"Final-Recipient: rfc822; a@b.c\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"),
    "a report of empty lines": report(b"\r\n"),
    "a report of one block": report(b"Final-Recipient: rfc822; a@b.c\r\n"),
    "a report of a long answer": report(b"Diagnostic-Code: " + b"x" * 5000 + b"; 550\r\n"),
    "a report of other letters": global_report,
    "returned letters": parts(b"Content-Type: text/rfc822-headers\r\n\r\nMessage-ID: <a@b>"),
    "large returned letters": big_parts(
        150, b"text/rfc822-headers", b"Content-Type: multipart/mixed; boundary=b\r\nMessage-ID: <a@b>\r\n"
    ),
}
"""By name. The size is about the number of bytes."""
