"""Pure: mails begun in the composer. In: a letter and one of its links, or what is answered. Out: a draft; a letter to show.

A letter is shown with its mailto links turned into links of the demo's own composer. What is stored stays as it came.
"""

import re
from dataclasses import dataclass

from host.demo.inbox import Mail
from host.demo.robot import ReadLetter, opened


@dataclass(frozen=True)
class Draft:
    """A mail that is being written. `answers` is the number of the mail that it replies to, 0 for none."""

    to: str
    subject: str = ""
    body: str = ""
    answers: int = 0
    hint: str = ""


def page_to_show(mail: Mail) -> str:
    """A letter's page, whose links open the composer in the window around it."""
    numbers = iter(range(len(mail.letter.links)))
    return re.sub(
        r'href="mailto:[^"]+"',
        lambda _: f'href="/write?mail={mail.number}&amp;link={next(numbers)}" target="_top"',
        mail.letter.page,
    )


def of_link(letter: ReadLetter, link: int) -> Draft | None:
    """The mail that tapping a link of a letter begins; None where the letter has no such link."""
    if not 0 <= link < len(letter.links):
        return None
    to, subject, body = opened(letter.links[link])
    hint = "Finish the line, then press Send." if body.endswith(" ") else "The move is written already: press Send."
    return Draft(to, subject, body, hint=hint)


def reply(mail: Mail) -> Draft:
    """A reply that quotes as mail programs do."""
    quoted = "\n".join(f"> {line}" if line else ">" for line in mail.letter.text.rstrip().splitlines())
    said = f"On {mail.at:%a, %d %b %Y at %H:%M} UTC, {mail.who} wrote:"
    subject = mail.subject if mail.subject.lower().startswith("re:") else f"Re: {mail.subject}"
    hint = "Write a move in your own words above the quoted letter, then press Send."
    return Draft(mail.reply_to, subject, f"\n\n{said}\n{quoted}\n", mail.number, hint)
