"""Replies in HTML that quote a letter's text, its page, or both, as mail programs wrap what they quote.

A program that shows mail as plain text and writes HTML quotes the text of a letter in whatever it makes lines of. A shape
is such a wrapping in the box and under the header of a program, with what was typed above, below or between.
"""

import functools
import itertools
import random
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from html import escape

from lxml import etree
from lxml import html as markup

from tests.letters import gallery

TOKEN = "o2ycnphhsavuqve3t6nr3wau5u"
LETTERS = (
    "bluffjack/turn-bet-opening",
    "bluffjack/begin-opening",
    "champ-cards/turn-pick-main",
    "champ-cards/turn-cut-main",
    "champ-cards/turn-choose-main-answer",
    "champ-cards/not-understood-refused",
    "champion-poker/turn-bet-answer",
    "game-of-champions/turn-order-answer",
    "game-of-champions/begin-roshambo",
    "split-decision/turn-choose-answer",
    "split-decision/turn-free-ace",
    "registering/registers-confirm",
)
ANSWERS = (
    ["cut 5"],
    ["pick 3", "keep"],
    ["I fold, good luck to all"],
    ["accept"],
    ["raise 20"],
    ["Thanks!", "bet $500"],
)
PLACES = ("above", "below", "between", "nowhere")
FORMS = ("text", "page", "text page", "page text")


@dataclass(frozen=True)
class Letter:
    """A letter of ours, as it was sent."""

    text: str
    page: str


@functools.cache
def letter(name: str) -> Letter:
    """A golden letter, with a token for the word that stands there for one."""
    kept = gallery.GOLDEN / name
    head, text = kept.with_suffix(".txt").read_text("utf-8").split("\n\n", 1)
    assert head.startswith("to: ")
    page = kept.with_suffix(".html").read_text("utf-8")
    return Letter(re.sub(r"\btoken\b", TOKEN, text), re.sub(r"\btoken\b", TOKEN, page))


# How a program makes elements of lines


def _spaced(line: str) -> str:
    """Spaces that HTML would fold, kept."""
    return re.sub(r"^ +| {2,}", lambda found: "\u00a0" * (len(found[0]) - 1) + " ", escape(line, quote=False))


def _each(line: str, blank: str) -> Callable[[Sequence[str]], str]:
    return lambda lines: "\n".join(line.format(_spaced(each)) if each.strip() else blank for each in lines)


def _marked(lines: Sequence[str]) -> str:
    return "<br>\n".join(f"&gt; {_spaced(each)}".rstrip() for each in lines)


WRAPPINGS: dict[str, Callable[[Sequence[str]], str]] = {
    "pre": lambda lines: "<pre>" + escape("\n".join(lines)) + "\n</pre>",
    "pre of Thunderbird": lambda lines: (
        '<pre wrap="" class="moz-quote-pre">' + escape("\n".join(lines), quote=False) + "\n</pre>"
    ),
    "kept white space": lambda lines: (
        '<div style="white-space: pre-wrap">' + escape("\n".join(lines), quote=False) + "</div>"
    ),
    "divs": _each("<div>{}</div>", "<div><br></div>"),
    "breaks": _each("{}<br>", "<br>"),
    "MsoPlainText": _each('<p class="MsoPlainText">{}<o:p></o:p></p>', '<p class="MsoPlainText"><o:p>&nbsp;</o:p></p>'),
    "converted": lambda lines: '<p><font size="2">' + _each("{}<br>", "<br>")(lines) + "</font></p>",
    "marked": _marked,
}


def _paragraphs(lines: Sequence[str]) -> Iterator[list[str]]:
    """Lines that belong together: what begins with a sign or a space begins anew, as programs see it."""
    block: list[str] = []
    for line in lines:
        if block and (not line.strip() or line[0] in " *-" or not block[-1].strip()):
            yield block
            block = []
        block.append(line)
    yield block


def _rewrapped(lines: Sequence[str], width: int) -> list[str]:
    """As a program wraps paragraphs anew."""
    return [
        each
        for block in _paragraphs(lines)
        for each in (textwrap.wrap(" ".join([block[0], *map(str.strip, block[1:])]), width) or [""])
    ]


def _broken(lines: Sequence[str], width: int) -> list[str]:
    """As a program breaks each line that is too long for it."""
    return [part for each in lines for part in (textwrap.wrap(each, width, break_long_words=False) or [""])]


LINES: dict[str, Callable[[Sequence[str]], Sequence[str]]] = {
    "as sent": lambda lines: lines,
    "at 72": lambda lines: _rewrapped(lines, 72),
    "flowed": lambda lines: _rewrapped(lines, 10_000),
    "broken at 40": lambda lines: _broken(lines, 40),
}

# The box and the header of a program

_WROTE = "On Fri, Nov 20, 2026 at 3:00 PM The Millionaire &lt;games@example.org&gt; wrote:"
_LABELS = {
    "From": "The Millionaire &lt;games@example.org&gt;",
    "Sent": "Friday, November 20, 2026 3:00 PM",
    "To": "ann@example.net",
    "Subject": "Champ Cards: Ann v Bob [CC-1]",
}
_BOLD = "<br>\n".join(f"<b>{name}:</b> {value}" for name, value in _LABELS.items())
_PLAIN = "<br>\n".join(f"{name}: {value}" for name, value in _LABELS.items())
FRAMES = {
    "Thunderbird": (
        f'{{top}}<div class="moz-cite-prefix">{_WROTE}<br></div>'
        '<blockquote type="cite" cite="mid:x@example.org">{quoted}</blockquote>{below}'
    ),
    "Gmail": (
        f'<div dir="ltr">{{top}}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{_WROTE}<br></div>'
        '<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex">'
        "{quoted}</blockquote></div>{below}"
    ),
    "Apple": f'{{top}}<div><br><blockquote type="cite"><div>{_WROTE}</div><br>{{quoted}}</blockquote></div>{{below}}',
    "Outlook on the web": (
        f'{{top}}<hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr">{_BOLD}<div>&nbsp;</div></div>'
        "<div>{quoted}</div>{below}"
    ),
    "Outlook": (
        '<div class="WordSection1">{top}<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in">'
        f'<p class="MsoNormal">{_BOLD}<o:p></o:p></p></div>{{quoted}}{{below}}</div>'
    ),
    "Original Message": f"{{top}}<p>-----Original Message-----<br>\n{_PLAIN}</p>{{quoted}}{{below}}",
    "labels": f"{{top}}<div>{_PLAIN}</div><div><br></div>{{quoted}}{{below}}",
    "wrote": f"{{top}}<p>{_WROTE}</p>{{quoted}}{{below}}",
    "nothing": "{top}<br>{quoted}{below}",
}


@dataclass(frozen=True)
class Shape:
    """How a mail program writes a reply."""

    wrapping: str
    lines: str
    frame: str
    form: str
    place: str
    is_multipart: bool

    def reply(self, sent: Letter, typed: Sequence[str]) -> bytes:
        """A reply of this shape."""
        answer = "".join(f"<p>{escape(line)}</p>\n" for line in typed)
        top = answer if self.place == "above" else ""
        below = answer if self.place == "below" else ""
        pieces = [self._text(sent.text, answer) if each == "text" else _page(sent.page) for each in self.form.split()]
        body = FRAMES[self.frame].format(top=top, quoted="\n".join(pieces), below=below)
        return mail(f"<html><body>{body}</body></html>", self._plain(sent.text, typed) if self.is_multipart else "")

    def _text(self, text: str, answer: str) -> str:
        wrap, lay = WRAPPINGS[self.wrapping], LINES[self.lines]
        if self.place != "between":
            return wrap(lay(text.splitlines()))
        first, rest = halves(text)
        return wrap(lay(first)) + answer + wrap(lay(rest))

    def _plain(self, text: str, typed: Sequence[str]) -> str:
        """The text that goes beside the page."""
        parts = {"above": ([], text.splitlines()), "between": halves(text)}.get(self.place, (text.splitlines(), []))
        before, after = ([f"> {line}".rstrip() for line in part] for part in parts)
        wrote = "On Fri, Nov 20, 2026 at 3:00 PM The Millionaire <games@example.org> wrote:"
        if self.place == "above":
            return "\n".join([*typed, "", wrote, *after]) + "\n"
        return "\n".join([wrote, *before, "", *(typed if self.place != "nowhere" else []), "", *after]) + "\n"


def halves(text: str) -> tuple[list[str], list[str]]:
    """The lines of a text above and below a blank line in its middle."""
    lines = text.splitlines()
    blanks = [at for at, line in enumerate(lines) if not line.strip()]
    at = blanks[len(blanks) // 2]
    return lines[: at + 1], lines[at + 1 :]


def _page(page: str) -> str:
    """A page as it is quoted: what stands in its body."""
    body = markup.document_fromstring(page.encode("utf-8"), parser=markup.HTMLParser(encoding="utf-8")).body
    return "".join(etree.tostring(each, encoding="unicode", method="html") for each in body)


def mail(page: str, text: str) -> bytes:
    """A reply of this page, with this text beside it, if any."""
    message = EmailMessage()
    message["From"] = "Ann Lee <ann@example.net>"
    message["To"] = f"games+{TOKEN}@example.org"
    message["Subject"] = "Re: Champ Cards: Ann v Bob [CC-1]"
    message["Message-ID"] = "<reply@example.net>"
    message["In-Reply-To"] = f"<{TOKEN}@example.org>"
    if text:
        message.set_content(text)
        message.add_alternative(page, subtype="html")
    else:
        message.set_content(page, subtype="html")
    return message.as_bytes()


def shapes() -> list[Shape]:
    """Each wrapping, in each frame, with the answer at each place; the rest is drawn, the same at each run."""
    rng = random.Random("shapes")
    found = []
    for wrapping, frame, place in itertools.product(WRAPPINGS, FRAMES, PLACES):
        forms = [form for form in FORMS if place != "between" or "text" in form]
        form = "text" if rng.random() < 0.5 else rng.choice(forms)
        found.append(Shape(wrapping, rng.choice(list(LINES)), frame, form, place, rng.random() < 0.4))
    return found
