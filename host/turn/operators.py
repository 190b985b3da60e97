"""Shell: mail of operators. In: an operator's reply. Out: words passed on to a contestant, or a command carried out."""

from collections.abc import Sequence

from host.mail.outbound.draft import Draft
from host.store.desk_access import see_to_words
from host.store.schema import Contestant, Letter
from host.turn.admin import AdminError
from host.turn.incoming import Verdict
from host.turn.letters import Answering, send
from host.turn.notify import repeat_questions
from host.turn.operator_commands import by_mail, is_command
from host.turn.play import load_play
from host.turn.work import Work


def from_operator(work: Work, answering: Answering, letter: Letter, lines: Sequence[str]) -> Verdict:
    """An operator's reply: to what a contestant wrote, it goes back to them; to an alert, it is the host's command.

    Commands that name their episode, and nothing else beside them, are carried out whatever they answer.
    """
    if letter.address.lower() not in {each.lower() for each in work.config.host.operators}:
        return Verdict("refused", "no longer an operator; not answered")
    if letter.purpose == "host" and not (lines and all(is_command(work, line) for line in lines)):
        if not lines:
            return Verdict("refused", "an operator's reply with nothing typed")
        try:
            contestant = contestant_of(work, letter)
        except AdminError:
            return Verdict("refused", "who wrote that is not registered any more; not answered")
        pass_on(work, letter, contestant, lines, letter.address)
        return Verdict("answered", f"passed on to {contestant.called}")
    answers = [by_mail(work, letter, line) for line in _unwrapped(lines)] or ["There was nothing typed in your mail."]
    draft = Draft(kind="alert", headline="What your mail did", lead=tuple(answers), services=False)
    play = load_play(work.episode(letter.episode_id)) if letter.episode_id is not None else None
    send(work, draft, letter.address, play, purpose="operator", answering=answering)
    return Verdict("answered", "; ".join(answers)[:400])


def _unwrapped(lines: Sequence[str]) -> list[str]:
    """The lines, a question that a mail program wrapped made one again: it has an equals sign, and answers after it."""
    joined: list[str] = []
    for line in lines:
        before = joined[-1].split() if joined else []
        is_asking = [each.lower() for each in before[:2] if each.lower() != "say"][:1] == ["ask"]
        if is_asking and ("=" not in joined[-1] or before[-1][-1] in "=|" or line.startswith("|") or " | " in line):
            joined[-1] += f" {line}"
        else:
            joined.append(line)
    return joined


def contestant_of(work: Work, letter: Letter) -> Contestant:
    """Whose words a letter to the host brought. Raises `AdminError` where they are gone."""
    contestant = work.session.get(Contestant, letter.about_id) if letter.about_id is not None else None
    if contestant is None:
        raise AdminError("Who wrote that is not registered any more; there is nobody to answer.")
    return contestant


def pass_on(work: Work, letter: Letter, contestant: Contestant, lines: Sequence[str], who: str) -> None:
    """The host's answer to a contestant whose words `letter` brought; `who` is the operator that gives it."""
    see_to_words(work.session, letter, work.now, who)
    lead = (f"{work.config.host.name} answers:", *lines)
    headline = f"A word from {work.config.host.name}"
    if letter.episode_id is not None:
        play = load_play(work.episode(letter.episode_id))
        seat = play.seat_of(contestant.id)
        if seat and play.episode.over_at is None:
            repeat_questions(work, play, seat, "help", lead=lead, headline=headline)
            return
    draft = Draft(kind="help", headline=headline, lead=lead)
    send(work, draft, contestant)
