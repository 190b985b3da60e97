"""Shell: who lets a deadline pass can object to it. In: this work. Out: how, and until when."""

from datetime import timedelta

from host.engine.game import Choice
from host.mail.outbound.render import due_words
from host.turn.work import Work

LINK = Choice(("host ",), "Object", "host and what went wrong", "host", text="I had answered.")


def how(work: Work) -> str:
    """That the host can take it back, and until when the next episode waits for that."""
    until = work.now + work.config.deadlines.objection
    moment = due_words(until, work.config.host.timezone, timedelta(hours=1), work.now)
    return (
        f"If that is wrong, reply with the word host and what happened by {moment}; until then the next episode waits."
    )
