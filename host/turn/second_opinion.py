"""Shell: the second reader's mails. In: mails as they were opened. Out: what to ask about each that will be asked back.

A mail is read here as its turn will read it, from a look at the store that changes nothing. The turn reads it anew, so a table
that has changed meanwhile costs no more than the opinion.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import replace

from host.engine.lazy import pattern
from host.mail.inbound.parsing import without_reference
from host.mail.outbound.draft import TableView
from host.mail.outbound.render import question_words
from host.play.interpret import READ_AS, read
from host.play.interpretation import Interpretation, ReplyContext
from host.play.taking_back import asked_instead
from host.second_reader import Ask
from host.store.database import Session
from host.store.episodes import episode_of_id
from host.store.mails import letters_named
from host.store.people import contestant_of_address
from host.store.schema import Letter
from host.turn.incoming import Opened
from host.turn.play import Play, load_play
from host.turn.work import Services

MOST_COMMANDS = 12
"""Commands that the second reader chooses among; a letter shows the first five."""
LONGEST = 2000
"""Characters of a mail that leave the house."""
_LABELS = tuple(f"player {number}" for number in "one two three four five six seven eight".split())
_OF_NOBODY_ELSE = pattern(r"(?<!\S)[^\s@]*+@\S*+|\b(?:https?://|www\.)\S++|\b[a-z2-7]{26}\b", re.IGNORECASE)
"""Addresses, links and tokens."""


def opinions_wanted(services: Services, mails: Mapping[int, Opened]) -> dict[int, Ask]:
    """What to ask about each of these mails; those are left out that are certain, or of which there is nothing to choose."""
    with services.store.reading() as session:
        letters = letters_named(session, {token for opened in mails.values() for token in opened.mail.tokens})
        wanted = {number: _wanted(services, session, opened, letters) for number, opened in mails.items()}
    return {number: ask for number, ask in wanted.items() if ask}


def put_first(understood: Interpretation, command: str) -> Interpretation:
    """The same, where nothing was understood, with this reading before the others if it is one of them."""
    refused = understood.refused
    if refused is None or not refused.is_unread or command not in refused.readings:
        return understood
    readings = tuple(dict.fromkeys((command, *refused.readings)))
    return replace(understood, refused=replace(refused, reason=READ_AS.format(command), readings=readings))


def _wanted(services: Services, session: Session, opened: Opened, letters: Mapping[str, Letter]) -> Ask | None:
    mail, named = opened.mail, [letters[token] for token in opened.mail.tokens if token in letters]
    author = contestant_of_address(session, mail.sender)
    letter = next((each for each in named if author and each.contestant_id == author.id), None)
    if letter is None or letter.episode_id is None or mail.silence or mail.problem or opened.is_forged:
        return None
    if any(row.closed_at is None and row.purpose != "game" for row in letter.questions):
        return None
    play = load_play(episode_of_id(session, letter.episode_id))
    seat = play.seat_of(letter.contestant_id)
    asked = next((each for each in play.questions if seat and each.seat == seat.seat), None)
    if seat is None or asked is None or play.episode.paused_at is not None:
        return None
    host = services.config.host.name
    lines = tuple(filter(None, map(without_reference, opened.typed.lines)))
    instead = asked_instead(lines)
    lines = lines if instead is None else tuple(instead)
    reply = ReplyContext(frozenset(), takes_text=letter.purpose == "game", names=play.names, host_names=(host,))
    question = read(play.game, play.state, seat.seat, lines, reply).question
    meant = question.readings[:MOST_COMMANDS] if question else ()
    if len(meant) < 2:
        return None
    neutral = _without_names(play, host)
    # the table as everybody sees it: a hand that is the writer's alone is theirs to tell of
    table = TableView(play.game.slug, play.game.view(play.state, None), _LABELS[: len(play.names)], seat.seat)
    words = question_words(play.game.slug, asked.phase, table).sentence
    commands = {neutral(each): each for each in meant}
    return Ask(neutral(words), commands, neutral("\n".join(lines))[:LONGEST])


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
