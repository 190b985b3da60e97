"""Shell: letters to operators. In: what they should know, or what a game asks of the host. Out: a letter to each of them."""

from datetime import timedelta

from host.engine.game import HOST, Question
from host.mail.outbound.draft import Ask, Draft, TableView
from host.mail.outbound.render import question_words
from host.states import LetterPurpose
from host.store.mails import has_alert
from host.turn.letters import Marks, send
from host.turn.play import Play
from host.turn.work import Work

ALERT_EVERY = timedelta(hours=1)


def alert(
    work: Work,
    headline: str,
    text: str,
    play: Play | None = None,
    purpose: LetterPurpose = "operator",
    about_id: int | None = None,
    every: timedelta = ALERT_EVERY,
    cause: str = "",
    asks: tuple[Ask, ...] = (),
) -> bool:
    """A letter to each operator; says whether one was written. One a `cause` (by default its text) and hour is enough.

    Messages of contestants (`purpose` host) are never held back. `asks` are commands that it offers as links.
    """
    cause = "" if purpose == "host" else (cause or text)[:200]
    if cause and has_alert(work.session, cause, work.now - every, work.now):
        return False
    for operator in work.config.host.operators:
        draft = Draft(kind="alert", headline=headline, lead=tuple(text.split("\n")), asks=asks, services=False)
        send(work, draft, operator, play, purpose=purpose, marks=Marks(about_id=about_id, cause=cause))
    return True


def ask_host(work: Work, play: Play, question: Question) -> None:
    """A game's question to the host goes to each operator, with a link for every kind of answer."""
    table = TableView(play.game.slug, play.game.view(play.state, None), play.names, HOST)
    said = question_words(play.game.slug, question.phase, table)
    ask = Ask(said.sentence, play.game.choices(play.state, question))
    for operator in work.config.host.operators:
        draft = Draft(
            kind="alert",
            headline=f"{play.episode.code} waits for you",
            asks=(ask,),
            tail=(said.silence,),
            services=False,
        )
        send(work, draft, operator, play, purpose="operator", marks=Marks(host_question=question.key))
