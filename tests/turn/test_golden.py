"""Golden letters: a whole episode as mails in and mails out, reviewed as text. To accept a change, delete the file and run."""

from pathlib import Path

from host.demo.robot import ReadLetter
from tests.golden import check, the_same_every_time
from tests.turn.conftest import MakeDesk
from tests.turn.desk import ADDRESS, OPERATOR, SUBJECT, Desk

GOLDEN = Path(__file__).parent / "golden"
ANN, BOB = "ann@example.net", "bob@example.net"
SHOWN = (
    "to",
    "subject",
    "x-podium-kind",
    "x-podium-episode",
    "x-podium-reply-by",
    "x-podium-commitment",
    "auto-submitted",
)


class Scribe:
    """Writes down what goes in and out."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.lines, self.seen = desk, list[str](), 0

    def says(self, address: str, body: str) -> None:
        self.lines += [f">>>> {address}", body, ""]
        self.desk.answer(address, body)
        self.letters()

    def waits(self, **duration: float) -> None:
        self.lines += [f".... {duration}", ""]
        self.desk.later(**duration)
        self.desk.tick()
        self.letters()

    def letters(self) -> None:
        for _, letter, _ in self.desk.sent[self.seen :]:
            self.lines += ["<<<<", *_heads(letter), "", letter.text.replace("\r\n", "\n")]
        self.seen = len(self.desk.sent)


def _heads(letter: ReadLetter) -> list[str]:
    heads = [f"{name}: {letter.headers[name]}" for name in SHOWN if name in letter.headers]
    return [*heads, *(f"link: {link}" for link in letter.links[:2])]


def test_a_whole_episode(make_desk: MakeDesk) -> None:
    with the_same_every_time(bytes(range(32))):
        play(make_desk())


def play(desk: Desk) -> None:
    scribe = Scribe(desk)
    for address, name in ((ANN, "Ann Lee"), (BOB, "Bob Ray")):
        scribe.lines += [f">>>> {address} registers as {name}", ""]
        desk.write(address, ADDRESS, SUBJECT, f"Name: {name}\nHometown: Springfield")
        scribe.letters()
        scribe.says(address, "confirm")
    scribe.says(ANN, "cut 26, pick 5")
    scribe.says(ANN, "I'll take the card, thanks!")
    scribe.says(BOB, "number five please")
    scribe.says(BOB, "pick 1 then draw")
    scribe.waits(hours=25)
    scribe.says(ANN, "status")
    scribe.says(ANN, "pick 2\nkeep\nhost Is the board round?")
    scribe.lines += [f">>>> {OPERATOR} answers the alert", ""]
    desk.answer(OPERATOR, "It is square, Ann.")
    scribe.letters()
    scribe.says(BOB, "resign")
    scribe.says(BOB, "yes")
    for _ in range(12):
        letter = desk.last(ANN)
        if letter.kind == "result":
            break
        body = next(
            each
            for each in ("bet half", "decline", "draw", "freeze", "pick 1", "pick 2", "pick 3")
            if _fits(letter, each)
        )
        scribe.says(ANN, body)
    scribe.waits(hours=49)
    check(GOLDEN / "episode.txt", "\n".join(scribe.lines))
    for kind in ("turn", "refused", "result"):
        letter = next(each for _, each, _ in desk.sent if each.kind == kind)
        check(GOLDEN / f"{kind}.html", letter.page.replace("\r\n", "\n"))


def _fits(letter: ReadLetter, body: str) -> bool:
    wanted = "bet%20" if body.startswith("bet") else body.replace(" ", "%20")
    return any(f"body={wanted}" in link for link in letter.links)
