"""What the demo's mail program makes of mails: conversations, what was read, drafts, hints."""

from datetime import UTC, datetime

from host.demo.inbox import Mailbox, draft_of_link, hint, page_to_show, reply_to
from host.demo.robot import write
from tests.letters.gallery import GOLDEN

AT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
TOKEN = "abcdefghijklmnopqrstuvwxyz"
PAGE = (
    '<html><body><div style="display:none">Yours to cut. By Friday.</div><p>'
    f'<a href="mailto:games+{TOKEN}@example.org?subject=Cards%20%5BCC-1%20{TOKEN}%5D&amp;body=cut%205%0D%0Apick%201">a</a>'
    f'<a href="mailto:games+{TOKEN}@example.org?subject=x&amp;body=answer%20">b</a></p></body></html>'
)


def letter(kind: str, subject: str = "Cards [CC-1]", asks: bool = False) -> bytes:
    head = f"From: The Host <games@example.org>\r\nReply-To: games+{TOKEN}@example.org\r\nSubject: {subject}\r\n"
    head += f"X-Podium-Kind: {kind}\r\nMessage-ID: <1@example.org>\r\nMIME-Version: 1.0\r\n"
    head += "X-Podium-Reply-By: 2026-03-03T12:00:00Z\r\n" if asks else ""
    parts = [("plain", "Yours to cut.\n\nCut where?"), ("html", PAGE)]
    body = "".join(f'--x\r\nContent-Type: text/{how}; charset="utf-8"\r\n\r\n{text}\r\n' for how, text in parts)
    return f"{head}Content-Type: multipart/alternative; boundary=x\r\n\r\n{body}--x--\r\n".encode()


def sent(subject: str) -> bytes:
    return write("you@example.net", "Ann", "games@example.org", subject, "cut 5")


def test_a_conversation_is_what_has_one_subject_with_re_and_token_or_without() -> None:
    mailbox = Mailbox()
    mailbox.keep(letter("begin"), AT)
    mailbox.keep(sent("Re: Cards [CC-1]"), AT, is_mine=True)
    mailbox.keep(sent(f"Cards [CC-1 {TOKEN}]"), AT, is_mine=True)
    mailbox.keep(letter("begin", "Cards [CC-2]"), AT)
    assert [[mail.number for mail in each.mails] for each in mailbox.conversations()] == [[4], [3, 2, 1]]
    assert mailbox.conversations()[1].shown.number == 1


def test_who_opens_a_letter_has_read_those_before_it_in_its_conversation() -> None:
    mailbox = Mailbox()
    for subject in ("Cards [CC-1]", "Other [CC-2]", "Cards [CC-1]", "Cards [CC-1]"):
        mailbox.keep(letter("turn", subject), AT)
    assert mailbox.read(3) is not None
    assert mailbox.unread == {2, 4}
    assert (mailbox.read(0), mailbox.read(5)) == (None, None)


def test_a_list_shows_the_words_that_a_letter_hides_for_it() -> None:
    assert Mailbox().keep(letter("turn"), AT).preheader == "Yours to cut. By Friday."
    assert len(Mailbox().keep(write("a@b", "", "c@d", "", "word " * 100), AT, is_mine=True).preheader) == 141


def test_a_shown_letter_has_links_into_the_composer_and_the_stored_one_has_its_own() -> None:
    mail = Mailbox().keep(letter("turn"), AT)
    shown = page_to_show(mail)
    assert shown.count('href="/write?mail=1&amp;link=') == 2
    assert "mailto:" not in shown
    assert mail.letter.page.count("mailto:") == 2


def test_every_golden_letter_is_shown_without_a_mailto_link() -> None:
    pages = sorted(GOLDEN.rglob("*.html"))
    assert pages
    for file in pages:
        mail = Mailbox().keep(letter("turn").replace(PAGE.encode(), file.read_bytes()), AT)
        assert page_to_show(mail).count("/write?mail=1&amp;link=") == len(mail.letter.links), file


def test_a_link_opens_what_it_says_and_a_reply_quotes() -> None:
    mail = Mailbox().keep(letter("turn"), AT)
    first, open_end = (draft_of_link(mail.letter, number) for number in (0, 1))
    assert first is not None
    assert open_end is not None
    assert (first.to, first.subject, first.body) == (
        f"games+{TOKEN}@example.org",
        f"Cards [CC-1 {TOKEN}]",
        "cut 5\npick 1",
    )
    assert (open_end.body, "Finish the line" in open_end.hint) == ("answer ", True)
    assert draft_of_link(mail.letter, 2) is None
    answer = reply_to(mail)
    assert (answer.to, answer.subject) == (f"games+{TOKEN}@example.org", "Re: Cards [CC-1]")
    assert answer.body == ("\n\nOn Sun, 01 Mar 2026 at 12:00 UTC, The Host wrote:\n> Yours to cut.\n>\n> Cut where?\n")


def test_hints_go_by_what_came_last() -> None:
    mailbox = Mailbox()
    mailbox.keep(sent("Cards Registration"), AT, is_mine=True)
    assert hint(mailbox).startswith("Sent.")
    mailbox.keep(letter("confirm", "Cards: your place [CC]", asks=True), AT)
    assert "whether it was you" in hint(mailbox)
    mailbox.keep(sent("Other Registration"), AT, is_mine=True)
    assert "waits until you say that it was you" in hint(mailbox)
    mailbox.keep(sent("Re: Cards: your place [CC]"), AT, is_mine=True)
    assert hint(mailbox).startswith("Sent.")
    mailbox.keep(letter("registered", "Cards: your place [CC]"), AT)
    assert "You are registered" in hint(mailbox)
    mailbox.keep(letter("begin", asks=True), AT)
    assert "It is your move" in hint(mailbox)
    mailbox.read(6)
    assert hint(mailbox).startswith("It is your move")
    mailbox.keep(letter("result"), AT)
    assert "game is over" in hint(mailbox)
    mailbox.read(7)
    assert hint(mailbox).startswith("The game is over.")
