"""The corridor without servers: mails go in as bytes, letters come out of the outbox, the clock is ours."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from host.config import Config
from host.demo.robot import ReadLetter, read_letter, write, write_link
from host.games import GAMES
from host.mail.reply import open_mail, sent_texts
from host.store import post
from host.store.schema import Inbound
from host.store.store import Store, open_store
from host.turn import expire, letters, outage, reading, receive
from host.turn.house import House
from host.turn.mailturn import Opened

ADDRESS = "games@example.org"
OPERATOR = "boss@example.com"
START = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)
SUBJECT = "Champ Cards Contestant Registration"


class Desk:
    """A host of which every part but the servers is real."""

    def __init__(self, folder: Path, game: str = "champ-cards", **changes: Any) -> None:
        server = {"host": "127.0.0.1", "security": "none"}
        data: dict[str, Any] = {
            "host": {"address": ADDRESS, "operators": [OPERATOR], "timezone": "America/New_York"},
            "imap": server | {"username": ADDRESS},
            "smtp": server,
            "database": {"url": f"sqlite:///{folder / 'desk.db'}"},
            "games": {game: {}},
        }
        for section, values in changes.items():
            data[section] = data.get(section, {}) | values
        self.game = GAMES[game]
        self.config = Config.model_validate(data)
        self.store: Store = open_store(self.config.database.url)
        self.house = House(self.config, self.store)
        self.now = START
        self.uid = 0
        self.sent: list[tuple[str, ReadLetter, bytes]] = []
        post.begin_mailbox(self.store, "INBOX", 1, 0)

    def later(self, **duration: float) -> None:
        """Let time pass; nothing happens by itself."""
        self.now += timedelta(**duration)

    def deliver(self, raw: bytes, arrived: datetime | None = None) -> Inbound:
        """A mail arrives, is stored and worked off; gives its row."""
        self.uid += 1
        post.keep_mail(self.store, "INBOX", 1, self.uid, arrived or self.now, len(raw), raw, self.now)
        for inbound_id in post.new_mails(self.store):
            receive.receive(self.house, inbound_id, self.opened(inbound_id), self.now)
        self.send()
        with self.store.reading() as session:
            return session.get_one(Inbound, inbound_id)

    def opened(self, inbound_id: int) -> Opened:
        """A stored mail as the daemon's worker reads it, here without the process."""
        mail = open_mail(reading.raw_mail(self.store, inbound_id))
        letters = reading.letters_quoted(self.store, mail)
        messages = reading.messages(self.store, letters)
        sent = [each for letter in letters for each in sent_texts(messages[letter])]
        return Opened(mail, mail.typed(sent), reading.claims_falsely(self.config, mail))

    def send(self) -> None:
        """The SMTP server accepts everything that is due."""
        while claimed := post.claim_letters(self.store, self.now, 50):
            for letter in claimed:
                with self.store.transaction() as session:
                    row = post.settle_letter(session, letter.id, "sent", "250 ok", self.now, self.now)
                    letters.accepted(session, row, self.now)
                self.sent.append((letter.address, read_letter(letter.message), letter.message))

    def tick(self, read: bool = True) -> None:
        """What the daemon does once a second; `read`: the mailbox could be read."""
        if read:
            post.pass_ended(self.store, "INBOX", self.now)
        expire.remind_due(self.house, self.now, ["INBOX"])
        expire.expire_due(self.house, self.now, ["INBOX"])
        expire.run_lobbies(self.house, self.now)
        self.send()

    def see_again(self, *waiting: tuple[bytes, datetime]) -> None:
        """The mailbox is in reach again, with mails that came at these times: a whole pass, as `host.watch` makes it."""
        began = self.now
        for raw, arrived in waiting:
            self.uid += 1
            post.keep_mail(self.store, "INBOX", 1, self.uid, arrived, len(raw), raw, self.now)
        if outage.is_over(self.house, "INBOX", began):
            outage.make_up(self.house, "INBOX", began)
        for inbound_id in post.new_mails(self.store):
            receive.receive(self.house, inbound_id, self.opened(inbound_id), self.now)
        outage.tell(self.house, "INBOX", self.now)
        post.pass_ended(self.store, "INBOX", began)
        self.send()

    def letters(self, address: str) -> list[ReadLetter]:
        """All letters to an address, oldest first."""
        return [letter for to, letter, _ in self.sent if to == address]

    def last(self, address: str) -> ReadLetter:
        """The latest letter to an address."""
        return self.letters(address)[-1]

    def count(self) -> int:
        """How many letters went out so far."""
        return len(self.sent)

    def write(self, sender: str, to: str, subject: str, body: str, name: str = "") -> Inbound:
        """A new mail."""
        return self.deliver(write(sender, name or sender.partition("@")[0].title(), to, subject, body))

    def answer(self, address: str, body: str, letter: ReadLetter | None = None, sender: str = "") -> Inbound:
        """A reply to a letter, by default to the latest one to `address`."""
        letter = letter or self.last(address)
        subject = "Re: " + letter.headers["subject"]
        raw = write(
            sender or address, "Somebody", letter.headers["reply-to"], subject, body, letter.headers["message-id"]
        )
        return self.deliver(raw)

    def tap(self, address: str, label: str) -> Inbound:
        """Tap the link whose body is `label`, in the latest letter."""
        letter = self.last(address)
        from urllib.parse import quote

        link = next(each for each in letter.links if each.endswith("body=" + quote(label, safe="")))
        return self.deliver(write_link(link, address, "Somebody"))

    def register(self, address: str, name: str) -> None:
        """Register and confirm."""
        self.write(address, ADDRESS, self.game.subject, f"Name: {name}")
        if self.last(address).kind == "confirm":
            self.answer(address, "confirm")

    def begin(self) -> None:
        """Ann and Bob register; the first episode begins."""
        self.register("ann@example.net", "Ann Lee")
        self.register("bob@example.net", "Bob Ray")
        for name in ("Cleo Fox", "Dov Orr")[: self.house.seats(self.game) - 2]:
            self.register(f"{name.split()[0].lower()}@example.net", name)


def words(letter: ReadLetter) -> str:
    """A letter's text with its lines joined."""
    return " ".join(letter.text.split())
