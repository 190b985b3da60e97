"""Shell: mails are read, before their turns. In: their bytes, by number. Out: an `Opened` each, and what to ask the second
reader about it.

Opening and telling what was typed happen in worker processes, since mails are made by anybody; the store is only looked
at. Of the letters that a reply may quote, the one that it answers is fetched where the reply alone does not show what was
typed, and the others where that one does not show it either.

A mail has a second. One that takes longer, or whose signature needs a key that is not known yet, is `Slow`: whoever asked
for it goes on with the others, and comes back to it. So neither a hard mail nor a silent name server is in anybody's way.
"""

import asyncio
import re
import unicodedata
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from host.config import Config
from host.engine.words import pattern
from host.mail.inbound import authentication
from host.mail.inbound.dkim_keys import Keys
from host.mail.inbound.mail import Mail, Typed
from host.mail.inbound.sandbox import ReadingError, Sandbox, Unread
from host.mail.outbound.draft import TableView
from host.mail.outbound.render import question_words
from host.play.interpret import read
from host.play.ranking import MOST
from host.play.services import take_wishes
from host.play.taking_back import asked_instead
from host.second_reader import Ask
from host.states import Proof
from host.store.database import Store
from host.store.mails import SentLetter, letter_answered, letters_before, letters_named, raws_of
from host.store.schema import Episode, Inbound
from host.table.play import Play, load_play
from host.table.work import Opened, Reply, Services, Turn, Work
from host.turn.hearing import Heard, at_the_table, hear, lines_outside
from host.turn.receive import is_from

InThread = Callable[..., Awaitable[Any]]

LETTERS_REMEMBERED = 30
"""How many of the letters sent to a contestant their replies are compared with."""
QUICK_SECONDS = 1.0
"""The share of the processor's time that any mail has before it is put aside; whoever is not known here has no more."""
LONGEST = 2000
"""Characters of a mail that the second reader is shown."""
_LABELS = tuple(f"player {number}" for number in "one two three four five six seven eight".split())
_OF_NOBODY_ELSE = pattern(r"(?<!\S)[^\s@]*+@\S*+|\b(?:https?://|www\.)\S++|\b[a-z2-7]{26}\b", re.IGNORECASE)
"""Addresses, links and tokens."""


@dataclass(frozen=True)
class Slow:
    """A mail that takes longer than the others should wait: `read` reads it to the end."""

    read: Callable[[], Awaitable[Opened | ReadingError]]


def raw_mails(store: Store, inbound_ids: Sequence[int]) -> Mapping[int, bytes]:
    """The bytes of stored mails; none where they were let go."""
    with store.reading() as session:
        return raws_of(session, inbound_ids)


def letters_answered(store: Store, mails: Sequence[Mail]) -> Sequence[SentLetter | None]:
    """The letter that each mail answers."""
    with store.reading() as session:
        return [letter_answered(session, mail.tokens, mail.sender) for mail in mails]


def earlier_letters(store: Store, letters: Sequence[SentLetter]) -> Sequence[Sequence[SentLetter]]:
    """The letters sent before each of these to the same person."""
    with store.reading() as session:
        return [letters_before(session, letter, LETTERS_REMEMBERED - 1) for letter in letters]


def proof_of(config: Config, mail: Mail) -> Proof:
    """The verdict of the mail provider that the host trusts on a mail's sender; none where none is configured."""
    return authentication.verdict(mail.authentication, config.security.authserv_id, mail.sender)


@dataclass(frozen=True)
class _Read:
    """A mail that was opened, and the keys that tell who signed it."""

    mail: Mail
    typed: Typed
    keys: tuple[bytes, ...]


class Reader:
    """Reads mails, many at once. `work` runs a function on a thread of the store.

    `is_known`: of people whose mail names a letter of ours. What takes long has a worker of its own while it lasts;
    signatures are looked at where nothing else tells who sent a mail.
    """

    def __init__(
        self, config: Config, store: Store, work: InThread, is_known: bool = True, keys: Keys | None = None
    ) -> None:
        self.config, self.store, self.work, self.is_known = config, store, work, is_known
        self.worker = Sandbox(QUICK_SECONDS)
        self.patient = Sandbox()
        self.keys = keys or Keys()

    async def read_all(self, raws: Mapping[int, bytes]) -> dict[int, Opened | ReadingError | Slow]:
        """Open stored mails, by number; `ReadingError` for those that cannot be read within the limits.

        Raises OSError where no process can be started to read them.
        """
        found = await self._read(self.worker, raws)
        wants_keys = {number: each.keys for number, each in found.items() if isinstance(each, _Read) and each.keys}
        known = ((number, self.keys.known(keys)) for number, keys in wants_keys.items())
        signed = {number: records for number, records in known if records is not None}
        proofs = await self._judged(self.worker, raws, found, signed)
        opened: dict[int, Opened | ReadingError | Slow] = {}
        for number, each in found.items():
            is_slow = isinstance(each, ReadingError) or (number in wants_keys and number not in signed)
            if self.is_known and is_slow:
                opened[number] = Slow(partial(self._read_patiently, raws[number]))
            else:
                opened[number] = _opened(each, proofs.get(number, "none"), self.config)
        return opened

    async def close(self) -> None:
        """End the processes."""
        await asyncio.gather(self.worker.close(), self.patient.close())

    async def _read_patiently(self, raw: bytes) -> Opened | ReadingError:
        try:
            found = await self._read(self.patient, {0: raw})
            one = found[0]
            if isinstance(one, ReadingError) or not one.keys:
                return _opened(one, "none", self.config)
            records = await self.keys.look_up(one.keys)
            proofs = await self._judged(self.patient, {0: raw}, found, {0: records})
            return _opened(one, proofs[0], self.config)
        finally:
            await self.patient.close()  # the next one forks another

    async def _read(self, worker: Sandbox, raws: Mapping[int, bytes]) -> dict[int, _Read | ReadingError]:
        wants_keys = self.is_known and not self.config.security.authserv_id
        opened = dict(zip(raws, await worker.open_all(list(raws.values()), wants_keys), strict=True))
        whole = {number: each for number, each in opened.items() if not isinstance(each, ReadingError)}
        compared = await self._compared(
            worker, {number: mail for number, (mail, typed, _) in whole.items() if typed is None}
        )
        found: dict[int, _Read | ReadingError] = {}
        for number, each in opened.items():
            if isinstance(each, ReadingError):
                found[number] = each
                continue
            mail, told, keys = each
            typed = told or compared[number]
            found[number] = typed if isinstance(typed, ReadingError) else _Read(mail, typed, keys)
        return found

    async def _judged(
        self,
        worker: Sandbox,
        raws: Mapping[int, bytes],
        found: Mapping[int, _Read | ReadingError],
        records: Mapping[int, Mapping[bytes, bytes | None]],
    ) -> dict[int, Proof]:
        """Check the signatures of mails whose keys are at hand."""
        signed = [
            (number, each.mail.sender, records[number])
            for number, each in found.items()
            if isinstance(each, _Read) and number in records
        ]
        if not signed:
            return {}
        verdicts = await worker.judge_all([(raws[number], address, keys) for number, address, keys in signed])
        return {
            number: "none" if isinstance(verdict, ReadingError) else verdict
            for (number, _, _), verdict in zip(signed, verdicts, strict=True)
        }

    async def _compared(self, worker: Sandbox, mails: Mapping[int, Mail]) -> dict[int, Typed | ReadingError]:
        """Read what was typed in mails that do not show it without the letters."""
        if not mails:
            return {}
        answered = dict(zip(mails, await self.work(letters_answered, self.store, list(mails.values())), strict=True))
        texts = [
            _unread(mails[number], _messages(letter), are_all=letter is None) for number, letter in answered.items()
        ]
        found = dict(zip(mails, await worker.read_all(texts), strict=True))
        rest = {number: letter for number, letter in answered.items() if letter and found[number] is None}
        if rest:
            earlier = await self.work(earlier_letters, self.store, list(rest.values()))
            texts = [
                _unread(mails[number], _messages(letter, *before))
                for (number, letter), before in zip(rest.items(), earlier, strict=True)
            ]
            found |= zip(rest, await worker.read_all(texts), strict=True)
        return {number: each for number, each in found.items() if each is not None}


def _unread(mail: Mail, letters: Sequence[bytes], are_all: bool = True) -> Unread:
    return Unread(mail.text, letters, are_all, mail.page, mail.display_name)


def _messages(*letters: SentLetter | None) -> list[bytes]:
    """The kept bytes of these letters."""
    return [letter.message for letter in letters if letter and letter.message]


def _opened(found: _Read | ReadingError, proof: Proof, config: Config) -> Opened | ReadingError:
    if isinstance(found, ReadingError):
        return found
    return Opened(found.mail, found.typed, proof_of(config, found.mail) if config.security.authserv_id else proof)


# The second reader


def opinions_wanted(services: Services, mails: Mapping[int, Opened]) -> dict[int, Ask]:
    """The questions for the second reader, by mail; those are left out that are certain, of which there is nothing to
    choose, or that will have no answer.

    A mail is heard here as its turn will hear it, from a look at the store that changes nothing. The turn hears it anew, so a
    table that has changed meanwhile costs no more than the opinion.
    """
    with services.store.reading() as session:
        letters = letters_named(session, {token for opened in mails.values() for token in opened.mail.tokens})
        wanted: dict[int, Ask | None] = {}
        for number, opened in mails.items():
            inbound = session.get_one(Inbound, number)
            named = tuple(letters[token] for token in opened.mail.tokens if token in letters)
            wanted[number] = _wanted(Turn(Work(session, services, inbound.arrived_at), inbound, opened, named))
    return {number: ask for number, ask in wanted.items() if ask}


def _wanted(turn: Turn) -> Ask | None:
    heard = _heard(turn)
    if heard is None or heard.reading is not None or heard.context.blocked or heard.is_capped:
        return None
    play, seat = heard.play, heard.seat.seat
    asked = next((each for each in play.questions if each.seat == seat), None)
    question = read(play.game, play.state, seat, heard.own, heard.context).question
    meant = question.readings[:MOST] if question else ()
    if asked is None or len(meant) < 2:
        return None
    neutral = _without_names(play, turn.work.config.host.name)
    # the table as everybody sees it: a hand that is the writer's alone is theirs to tell of
    table = TableView(play.game.slug, play.game.view(play.state, None), _LABELS[: len(play.names)], seat)
    words = question_words(play.game.slug, asked.phase, table).sentence
    commands = {neutral(each): each for each in meant}
    return Ask(neutral(words), commands, neutral("\n".join(heard.lines))[:LONGEST])


def _heard(turn: Turn) -> Heard | None:
    """A mail as `replies.in_episode` hears it; None where it will not come there."""
    letter, mail = turn.letter, turn.mail
    if letter is None or letter.episode_id is None or mail.silence or mail.problem or turn.opened.is_forged:
        return None
    contestant = letter.contestant
    if contestant is None or not is_from(turn, contestant):
        return None
    rest, wishes = take_wishes(turn.lines, letter.game)
    reply = Reply(turn, letter, contestant, rest, (), letter.questions, wishes)
    play = load_play(turn.work.session.get_one(Episode, letter.episode_id))
    seat = play.seat_of(contestant.id)
    if reply.row or seat is None:
        return None
    reply = at_the_table(reply, play, seat)
    lines = lines_outside(reply, play, seat)
    instead = asked_instead(lines)
    return hear(reply, play, seat, lines if instead is None else instead)


def _without_names(play: Play, host: str) -> Callable[[str], str]:
    """Takes out of a text what tells who somebody is: names become those of seats."""
    called = {host.casefold(): "the host"}
    for seat, label in zip(play.episode.seats, _LABELS, strict=False):
        who = seat.contestant
        whole = (seat.name, who.called, who.name, who.nickname)
        for name in (*whole, *(part for each in whole for part in each.split())):
            bare = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
            called.update({name.casefold(): label, bare.casefold(): label})
        called.setdefault(who.hometown.casefold(), "a town")
    names = "|".join(re.escape(name) for name in sorted(called, key=len, reverse=True) if len(name) > 1)
    found = re.compile(rf"(?<![^\W\d_])(?:{names})(?![^\W\d_])", re.IGNORECASE)

    def neutral(text: str) -> str:
        shown = _OF_NOBODY_ELSE.sub("(left out)", unicodedata.normalize("NFKC", text))
        return found.sub(lambda each: called.get(each[0].casefold(), "somebody"), shown)

    return neutral
