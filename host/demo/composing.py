"""Pure: what a composer opens with. In: a letter and one of its links, or what is answered. Out: a draft; a letter to show.

A letter is shown with its mailto links turned into links of the demo's own composer. What is stored stays as it came.
"""

import html
import re
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote

from host.demo.mailbox import Mail
from host.demo.robot import ReadLetter

_LINK = re.compile(r'href="mailto:[^"]+"')


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
    return _LINK.sub(
        lambda _: html.escape(f"/write?mail={mail.number}&link={next(numbers)}").join(('href="', '" target="_top"')),
        mail.letter.page,
    )


def of_link(letter: ReadLetter, link: int) -> Draft | None:
    """What a mail program opens when a mailto link is tapped (RFC 6068); None where the letter has no such link."""
    if not 0 <= link < len(letter.links):
        return None
    target, _, query = letter.links[link].removeprefix("mailto:").partition("?")
    fields = {name: values[0] for name, values in parse_qs(query, keep_blank_values=True).items()}
    body = fields.get("body", "").replace("\r\n", "\n")
    hint = "Finish the line, then press Send." if body.endswith(" ") else "The move is written already: press Send."
    return Draft(unquote(target), fields.get("subject", ""), body, hint=hint)


def reply(mail: Mail) -> Draft:
    """A reply that quotes as mail programs do."""
    quoted = "\n".join(f"> {line}" if line else ">" for line in mail.letter.text.rstrip().splitlines())
    said = f"On {mail.at:%a, %d %b %Y at %H:%M} UTC, {mail.who} wrote:"
    subject = mail.subject if mail.subject.lower().startswith("re:") else f"Re: {mail.subject}"
    hint = "Write a move in your own words above the quoted letter, then press Send."
    return Draft(mail.reply_to, subject, f"\n\n{said}\n{quoted}\n", mail.number, hint)
