"""Shell: mails that answer no letter of ours. In: a subject, a body. Out: the games that their sender wants to play, or to
hear of.

Who asks what a game is gets its announcement, whose answer registers. It goes to whoever the mail says that it is from, so it is
counted with the answers to registrations; what may not be answered now is not kept.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from host.club import seasons
from host.club.lobby import next_start
from host.config import Config
from host.engine.game import Choice, Game, unusual_options
from host.games import GAMES
from host.mail.outbound.announcement import announcement, form_of, how_to_register, in_short
from host.mail.outbound.draft import Ask
from host.play.registration_form import read_form
from host.play.subjects import Wish, is_empty, wants_in, wish_in, wish_in_body, words_of
from host.store.episodes import episode_with, open_questions
from host.store.people import contestant_of_address, is_declined, registered_at, registrations_of
from host.store.schema import Letter
from host.table.letters import write
from host.table.work import Services, Turn, Verdict
from host.turn.registration import ANSWER, must_wait

CHAINS = "The seeds of the season {name} follow from a chain of hashes, drawn before it, whose end is:"


@dataclass(frozen=True)
class Request:
    """A wish to play these `games`, or to hear of `about`; with neither, to play what is not offered.

    `is_exact`: its subject holds the words that a registration has; else it is only like them, and counts in a new mail
    alone. `is_more`: it names a game besides that is not offered.
    """

    games: tuple[Game[Any, Any], ...] = ()
    is_exact: bool = True
    about: tuple[Game[Any, Any], ...] = ()
    is_more: bool = False


def request_in(services: Services, subject: str) -> Request | None:
    """Is this the subject of a registration (case, white space and `Re:` do not matter), or like one? None if not."""
    squeezed = "".join(words_of(subject))
    if any("".join(words_of(game.subject)) in squeezed for game in GAMES.values()):
        named = [game for game in GAMES.values() if "".join(words_of(game.title)) in squeezed]
        offered = tuple(game for game in named if game.slug in services.config.games)
        return Request(offered, is_more=bool(offered) and len(offered) < len(named))
    return _request(services, wish_in(subject, _titles()))


@functools.cache
def _titles() -> Mapping[str, str]:
    return {slug: game.title for slug, game in GAMES.items()}


def _request(services: Services, wish: Wish | None) -> Request | None:
    if wish is None:
        return None
    offered = tuple(GAMES[slug] for slug in wish.slugs or services.config.games if slug in services.config.games)
    if wish.is_registration:
        return Request(offered, is_exact=False, is_more=len(offered) < len(wish.slugs))
    return Request(is_exact=False, about=offered) if offered else None


def is_new_mail(turn: Turn) -> bool:
    """Is it written to the host's own address, and in answer to nothing?"""
    mail = turn.mail
    return not mail.tokens and not mail.references and turn.work.config.host.address.lower() in mail.addressed


def request_of(turn: Turn) -> Request | None:
    """Read what a mail that answers no letter asks for by its subject, or by its body where the subject says nothing, or asks."""
    services, subject, lines = turn.work.services, turn.mail.subject, turn.lines
    request = request_in(services, subject)
    is_new = is_new_mail(turn)
    if is_new and (is_empty(subject) or (request and request.about)):
        wish = wish_in_body(lines, _titles(), bool(read_form(lines).name), subject)
        said = _request(services, wish)
        contestant = contestant_of_address(turn.work.session, turn.mail.sender)
        games = said.games if said and contestant else ()
        if contestant and any(episode_with(turn.work.session, each.slug, contestant.id) for each in games):
            return None  # what they write of a game that they play is about the game
        request = said if said and not said.about else request or said
    if request is None or not (request.is_exact or is_new):
        return None
    return None if request.about and _concerns_play(turn) else request


def _concerns_play(turn: Turn) -> bool:
    """Does its sender wait, play or have something to answer? They do not ask what the game is."""
    session = turn.work.session
    contestant = contestant_of_address(session, turn.mail.sender)
    if contestant is None or contestant.confirmed_at is None:
        return False
    waits = registrations_of(session, contestant.id, ("waiting", "unconfirmed", "playing"))
    return bool(waits or open_questions(session, contestant_id=contestant.id))


def announce(turn: Turn, games: Sequence[Game[Any, Any]]) -> Verdict:
    """Tell whoever asked what these games are, and how to register."""
    config = turn.work.config
    lead: list[str] = []
    for game in games:
        variants = unusual_options(game, turn.work.services.settings(game.slug).options)
        lead += in_short(game, config.reply_within(game.slug), variants)
        lead += filter(None, [next_start(config, game.slug, turn.work.now)])
        lead.append(f"{how_to_register(game, config.host.address, config.host.community)}.")
        name, ends = seasons.ends_now(turn.work.session, turn.work.now, game.slug)
        lead += [CHAINS.format(name=name), *ends] if ends else []
    form = Choice(form_of(config.host.community), "Register", "your name, in answer to this letter", "register")
    ask = Ask("Then you can also just answer this letter with your name.", (form,))
    asks = (ask,) if len(games) == 1 else ()
    headline = (
        f"{games[0].title}: what it is, and how to register" if asks else "What is played here, and how to register"
    )
    note = "asked about " + ", ".join(game.slug for game in games)
    why_not = _answer(turn, headline, *lead, about=games[0], asks=asks)
    return Verdict("refused" if why_not else "answered", note + why_not)


def not_offered(turn: Turn) -> Verdict:
    """Answer a registration for a game that this host does not offer."""
    offered = [GAMES[slug] for slug in turn.work.config.games]
    listing = "; ".join(f"“{game.subject}” for {game.title}" for game in offered) or "none at the moment"
    lead = "Thank you for your registration, but this game is not played here, so nothing was changed."
    tail = (f"You can register with one of these subject lines: {listing}.",)
    why_not = _answer(turn, "This game is not offered here", lead, kind="refused", tail=tail)
    return Verdict("refused", "a registration for a game that is not offered" + why_not)


def _answer(turn: Turn, headline: str, *lead: str, **parts: Any) -> str:
    """Answer whoever the mail says that it is from; where they may not be answered now, say so in the note."""
    session, address = turn.work.session, turn.mail.sender
    why = "its owner declined" if is_declined(session, address) else must_wait(turn, registered_at(session, address))
    if why:
        return f"; not answered: {why}"
    write(turn, address, headline, *lead, purpose=ANSWER, services=False, **parts)
    return ""


def game_wanted(letter: Letter, lines: Sequence[str]) -> Game[Any, Any] | None:
    """The game that an answer to an announcement registers for: it says a name, or plainly that its sender wants to play."""
    is_announcement = letter.purpose == ANSWER and letter.kind == "help" and letter.game in GAMES
    return GAMES[letter.game] if is_announcement and (read_form(lines).name or wants_in(lines)) else None


def forum_text(
    config: Config, game: Game[Any, Any], now: datetime, season: tuple[str, tuple[str, ...]] = ("", ())
) -> str:
    """The announcement of a game that is offered, for a forum or a page, with its next start and a season's ends of chains."""
    variants = unusual_options(game, config.games[game.slug].options)
    host = config.host
    within, start = config.reply_within(game.slug), next_start(config, game.slug, now)
    text = announcement(game, host.name, host.address, host.community, within, variants, start)
    name, ends = season
    return "\n".join((text, "", CHAINS.format(name=name), *ends)) if ends else text
