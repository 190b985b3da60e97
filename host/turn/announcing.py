"""Shell: who asks what a game is. In: a new mail whose subject names it. Out: its announcement, whose answer registers.

It goes to whoever the mail says that it is from, so it is counted with the answers to registrations; what may not be
answered now is not kept.
"""

from collections.abc import Sequence
from typing import Any

from host.config import Config
from host.engine.game import Choice, Game, unusual_options
from host.games import GAMES
from host.mail.outbound.announcement import announcement, form_of, how_to_register, in_short
from host.mail.outbound.draft import Ask, Draft
from host.play.registration_form import read_form
from host.play.subjects import wants_in
from host.states import LetterPurpose
from host.store.episodes import episode_with, open_questions
from host.store.people import contestant_of_address, is_declined, registered_at, registrations_of
from host.store.schema import Letter
from host.turn.incoming import Turn, Verdict
from host.turn.letters import send
from host.turn.registration_limits import must_wait
from host.turn.work import Work

PURPOSE: LetterPurpose = "registration"
"""By which these letters are counted."""


def is_new_mail(turn: Turn) -> bool:
    """Is it written to the host's own address, and in answer to nothing?"""
    mail = turn.mail
    return not mail.tokens and not mail.references and turn.work.config.host.address.lower() in mail.addressed


def concerns_play(turn: Turn) -> bool:
    """Does its sender wait, play or have something to answer? They do not ask what the game is."""
    session = turn.work.session
    contestant = contestant_of_address(session, turn.mail.sender)
    if contestant is None or contestant.confirmed_at is None:
        return False
    waits = registrations_of(session, contestant.id, ("waiting", "unconfirmed", "playing"))
    return bool(waits or open_questions(session, contestant_id=contestant.id))


def plays(turn: Turn, games: Sequence[Game[Any, Any]]) -> bool:
    """Does its sender play one of these games just now? What they write of it is about the game."""
    contestant = contestant_of_address(turn.work.session, turn.mail.sender)
    return contestant is not None and any(episode_with(turn.work.session, each.slug, contestant.id) for each in games)


def announce(turn: Turn, games: Sequence[Game[Any, Any]]) -> Verdict:
    """Tell whoever asked what these games are, and how to register."""
    note = "asked about " + ", ".join(game.slug for game in games)
    address = turn.mail.sender
    why = "its owner declined" if is_declined(turn.work.session, address) else ""
    why = why or must_wait(turn, registered_at(turn.work.session, address))
    if why:
        return Verdict("refused", f"{note}; not answered: {why}")
    send(turn.work, _draft(turn.work, games), address, games[0], purpose=PURPOSE, answering=turn.answering)
    return Verdict("answered", note)


def forum_text(config: Config, game: Game[Any, Any]) -> str:
    """The announcement of a game that is offered, for a forum or a page."""
    variants = unusual_options(game, config.games[game.slug].options)
    host = config.host
    return announcement(game, host.name, host.address, host.community, config.reply_within(game.slug), variants)


def _draft(work: Work, games: Sequence[Game[Any, Any]]) -> Draft:
    lead: list[str] = []
    for game in games:
        variants = unusual_options(game, work.services.settings(game.slug).options)
        lead += in_short(game, work.config.reply_within(game.slug), variants)
        lead.append(f"{how_to_register(game, work.config.host.address, work.config.host.community)}.")
    form = Choice(form_of(work.config.host.community), "Register", "your name, in answer to this letter", "register")
    ask = Ask("Then you can also just answer this letter with your name.", (form,))
    title = games[0].title
    asks = (ask,) if len(games) == 1 else ()
    headline = f"{title}: what it is, and how to register" if asks else "What is played here, and how to register"
    return Draft(kind="help", headline=headline, lead=tuple(lead), asks=asks, services=False)


def game_wanted(letter: Letter, lines: Sequence[str]) -> Game[Any, Any] | None:
    """The game that an answer to an announcement registers for: it says a name, or plainly that its sender wants to play."""
    is_announcement = letter.purpose == PURPOSE and letter.kind == "help" and letter.game in GAMES
    return GAMES[letter.game] if is_announcement and (read_form(lines).name or wants_in(lines)) else None
