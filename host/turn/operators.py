"""Shell: mail of operators. In: an operator's reply. Out: words passed on to a contestant, or a command carried out."""

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from host.engine.grammar import is_polite
from host.engine.words import pattern, plain
from host.games import GAMES
from host.mail.outbound.draft import Ask
from host.play.clauses import shortened
from host.play.deadlines import span_in
from host.play.services import is_closing
from host.states import Right, suffices
from host.store.company import called_anyhow
from host.store.desk_access import see_to_words
from host.store.episodes import episode_of_code
from host.store.schema import Contestant, Episode, Letter
from host.table.letters import write
from host.table.notify import repeat_questions
from host.table.play import load_play, seated
from host.table.work import Turn, Verdict, Work
from host.turn import admin
from host.turn.admin import AdminError
from host.turn.login import mail_link
from host.turn.operator_commands import CODE, COMMANDS, PEOPLE_COMMANDS, OperatorCommand, out_of_right
from host.turn.outcome import host_questions
from host.turn.service_words import more_time

_IN_SHORT = pattern(r"\b(\d{1,3})(h|d)\b")
_CODE = pattern(r"[A-Za-z]{2}-\d{1,9}")
_CODE_LATER = pattern(r"(?i)^([a-z]+) (\S+),? (?:from|in|of|at) (?:episode )?([a-z]{2}-\d{1,9})\b[,:]?(.*)$")
_EPISODE = pattern(r"(?i)\bepisode (?=[a-z]{2}-\d)")
_LEADING = pattern(r"(?i)^[\s*•>–—-]*(?:(?:please|pls|ok|okay|podium)\b[\s,:]*)*")
_PODIUM = pattern(r"(?i)^podium\s+(?=\S)")
"""Before a command as alerts tell it."""
_ASKING = pattern(r"(?i)^\W*(?:(?:can|could|would|will) you(?: please)? )?|\?\W*$")
_QUOTED = pattern(r"\s*([\"“”`'])(.+)[\"“”`']\s*")
_REASON = pattern(r"(?i)^[\s:,;–—-]*(?:because\b(?: of\b)?[\s:,;–—-]*)?")
"""What stands before a reason."""
_SMALL = {"extend": "by for in all everybody everyone", "resend": "to for all everybody everyone", "back": "to"}
"""Words that people put into a command."""
_ABOUT_PEOPLE = frozenset("withdraw hush warn seat resend".split())
LOOKING = frozenset("status queue episode mail people season".split())
"""Commands that only show something: they are no words to a contestant."""
ELSEWHERE = LOOKING | frozenset("add announce backup export import questions retry site".split())
"""First words of commands that no mail carries out."""

HOW = (
    "A line of it can be pause, resume, extend NAME 24h, resend NAME, back LINE, withdraw NAME WHY, warn NAME WHY, hush NAME or "
    "write NAME TEXT; a game's own command is for the letter that asks it."
)
_ELSEWHERE = pattern(
    r"(?i)(?:people add|season (?:begin|close)\b|questions (?:import|list)\b|(?:site|backup|announce) \S+$"
    r"|retry (?:mail|letter) \d|say [a-z]{2}-\d|write season\b)"
)
"""How these begin, where they are no sentence to somebody."""


def from_operator(turn: Turn, letter: Letter) -> Verdict:
    """An operator's reply: to what a contestant wrote, it goes back to them; to an alert, it is the host's command.

    Commands that name their episode, and nothing else beside them, are carried out whatever they answer.
    """
    work, lines = turn.work, turn.lines
    commands = [_command_of(line) for line in _without_ends(lines)]
    right = work.config.host.right_of(letter.address)
    if right is None:
        return Verdict("refused", "no longer an operator; not answered")
    if (
        letter.purpose == "host"
        and suffices(right, "host")
        and not (commands and all(_is_command(work, line) for line in commands))
    ):
        if not lines:
            return Verdict("refused", "an operator's reply with nothing typed")
        try:
            contestant = contestant_of(work, letter)
        except AdminError:
            return Verdict("refused", "who wrote that is not registered any more; not answered")
        others = _names_at(work, letter) - {plain(contestant.called)}
        if command := next((line for line in lines if _is_like_a_command(work, line, others)), ""):
            told = (
                f"Nothing was done, and nothing was sent to {contestant.called}: “{shortened(command)}” is like a command. "
                "Commands stand alone in a mail and name their episode, such as pause CC-12, or answer an alert; words to "
                f"{contestant.called} begin otherwise."
            )
            write(turn, letter.address, "Words, or a command?", told, kind="alert", purpose="operator", services=False)
            return Verdict("refused", "like a command, in answer to a contestant; not passed on")
        pass_on(work, letter, contestant, lines, letter.address)
        _tell_of_the_deadline(work, letter, contestant, lines)
        return Verdict("answered", f"passed on to {contestant.called}")
    if doubtful := _begins_behind_words(work, commands):
        answers = [f"Nothing was done: “{doubtful}” may belong to the words above it. Send it in a mail of its own."]
    else:
        answers = [_by_mail(work, letter, right, line) for line in _unwrapped(work, commands)]
    answers = answers or [f"There is no command in your mail. {HOW}"]
    play = load_play(work.episode(letter.episode_id)) if letter.episode_id is not None else None
    headline = "What your mail did"
    write(turn, letter.address, headline, *answers, about=play, kind="alert", purpose="operator", services=False)
    return Verdict("answered", "; ".join(answers)[:400])


def _tell_of_the_deadline(work: Work, letter: Letter, contestant: Contestant, lines: Sequence[str]) -> None:
    """Words that promise time move no deadline: whoever wrote them hears it, with a button that does."""
    said = _IN_SHORT.sub(lambda found: f"{found[1]} {'hours' if found[2] == 'h' else 'days'}", plain(" ".join(lines)))
    table, span = seated(work, letter.episode_id, contestant), span_in(said)
    if not (table and span and table[0].asked(table[1])):
        return
    play, seat = table
    choice = more_time(play, seat, max(1, round(span.total_seconds() / 3600)))
    told = f"{seat.name} has your words, and the deadline stays as it is: words move none. To move it, write {choice.say[0]}."
    headline = "Passed on; the deadline stands"
    asks = (Ask(told, (choice,)),)
    write(work, letter.address, headline, about=play, kind="alert", purpose="operator", asks=asks, services=False)


def _without_ends(lines: Sequence[str]) -> list[str]:
    """The lines without courtesies before them, and behind them where they tell nobody anything; without a signature."""
    left = list(lines)
    end = next((at for at in range(1, len(left)) if _is_signature(left[at:])), len(left))
    del left[end:]
    while left and _is_courtesy(left[0]):
        del left[0]
    is_telling = any(command and _tells(command) for command, _ in map(_named, left))
    while left and not is_telling and _is_courtesy(left[-1]):
        del left[-1]
    return left


def _is_signature(lines: Sequence[str]) -> bool:
    """Is it `Best,` or the like, and below it at most a name?"""
    first, *names = lines
    is_short = len(_bare_words(first)) < 3 and len(names) < 3 and all(len(each.split()) < 4 for each in names)
    return is_short and is_closing(first) and not any(_named(each)[0] for each in names)


def _bare_words(line: str) -> list[str]:
    return [word for each in line.split() if (word := each.strip('.,!?;:`"“”'))]


def _is_courtesy(line: str) -> bool:
    return all(map(is_polite, _bare_words(line)))


def _command_of(line: str) -> str:
    """A line as its command is written: `Please pause CC-1, thanks!` is `pause CC-1`; any other line as it is.

    Nothing of what a command tells somebody is left out.
    """
    quoted = _QUOTED.fullmatch(line)
    bare = re.sub(r"^([A-Za-z-]+)[.,!:]+", r"\1", _LEADING.sub("", quoted[2] if quoted else line).strip())
    command, _ = _named(bare)
    if command is None or bare.endswith("?"):
        link = " ".join(word for word in _bare_words(bare) if not is_polite(word))
        return link if _asks_for_link(link) else _PODIUM.sub("", line)
    if CODE in command.arguments:
        bare = _CODE_LATER.sub(r"\1 \3 \2 \4", _EPISODE.sub("", bare)).strip()
    if _tells(command):
        return bare
    first, *rest = _bare_words(bare)
    while rest and is_polite(rest[-1]):
        rest.pop()
    small = _SMALL.get(first.lower(), "").split()
    return " ".join((first, *(each for each in rest if each.lower() not in small)))


def _tells(command: OperatorCommand) -> bool:
    """Does it end with words to somebody?"""
    return any(each.is_wordy and each.read is str for each in command.arguments)


def _names_at(work: Work, letter: Letter) -> frozenset[str]:
    """What those at the table of a letter are called, folded."""
    if letter.episode_id is None:
        return frozenset()
    return frozenset(plain(seat.name) for seat in work.session.get_one(Episode, letter.episode_id).seats)


def _has_words(work: Work, line: str) -> bool:
    """Is it a command that tells somebody something, and has begun to?"""
    command, _, words = _parsed(work, line)
    return command is not None and _tells(command) and len(words) > 1


def _begins_behind_words(work: Work, lines: Sequence[str]) -> str:
    """The line that may be a command, or go on with the words of the one above it; empty where there is none.

    One that tells somebody as the one above it does is a command.
    """
    telling: OperatorCommand | None = None
    for line in lines:
        command, _ = _named(line)
        if telling and command not in (None, telling) and not _is_command(work, line):
            return line
        telling = command if _has_words(work, line) else telling if command is None else None
    return ""


def _unwrapped(work: Work, lines: Sequence[str]) -> list[str]:
    """The lines, what a mail program wrapped made one again: words to somebody; a question, which has an equals sign, and
    answers after it."""
    joined: list[str] = []
    for line in lines:
        if joined and _has_words(work, joined[-1]) and not (_named(line)[0] or _is_command(work, line)):
            joined[-1] += f" {line}"
            continue
        before = joined[-1].split() if joined else []
        is_asking = [each.lower() for each in before[:2] if each.lower() != "say"][:1] == ["ask"]
        if is_asking and ("=" not in joined[-1] or before[-1][-1] in "=|" or line.startswith("|") or " | " in line):
            joined[-1] += f" {line}"
        else:
            joined.append(line)
    return joined


def contestant_of(work: Work, letter: Letter) -> Contestant:
    """The contestant whose words a letter to the host brought. Raises `AdminError` where they are gone."""
    contestant = work.session.get(Contestant, letter.about_id) if letter.about_id is not None else None
    if contestant is None:
        raise AdminError("Who wrote that is not registered any more; there is nobody to answer.")
    return contestant


def pass_on(work: Work, letter: Letter, contestant: Contestant, lines: Sequence[str], who: str) -> None:
    """The host's answer to a contestant whose words `letter` brought; `who` is the operator that gives it."""
    see_to_words(work.session, letter, work.now, who)
    lead = (f"{work.config.host.name} answers:", *lines)
    headline = f"A word from {work.config.host.name}"
    table = seated(work, letter.episode_id, contestant)
    if table and table[0].episode.over_at is None:
        repeat_questions(work, *table, "help", lead=lead, headline=headline)
    else:
        write(work, contestant, headline, *lead)


def _parsed(work: Work, line: str) -> tuple[OperatorCommand | None, str, list[str]]:
    """The command that a line begins with, the episode that it names, and its other words."""
    command, rest = _named(line)
    if rest and (command is None or CODE in command.arguments) and episode_of_code(work.session, rest[0]):
        return command, rest[0].upper(), rest[1:]
    return command, "", rest


def _named(line: str) -> tuple[OperatorCommand | None, list[str]]:
    """The command that mails carry out which a line begins with, and the words behind it, or behind the first word."""
    words, lowered = line.split(), line.lower().split()
    named = [each for each in (*COMMANDS, *PEOPLE_COMMANDS) if each.name.split() == lowered[: len(each.name.split())]]
    command = named[0] if named and named[0].by_mail else None
    return command, words[len(command.name.split()) if command else 1 :]


def _is_command(work: Work, line: str) -> bool:
    """Is it a command for an episode that it names, such as `pause CC-12`, or `login-link`, and nothing more?"""
    command, code, words = _parsed(work, line)
    if command is None and code and _says(line):
        return True
    if command is None or CODE not in command.arguments or not code:
        return _asks_for_link(line) or _is_for_the_desk(line)
    try:
        return _values(command, words, line) is not None
    except AdminError:
        return False


def _is_like_a_command(work: Work, line: str, names: Collection[str]) -> bool:
    """Would it be a command, or several, if it stood alone or named its episode? It is about one, people (`names` are those at
    the table), a time or a game.

    So is a command that no mail carries out: it may hold what is nobody else's business.
    """
    if _is_command(work, _command_of(_ASKING.sub("", line))):
        return True
    bare = _PODIUM.sub("", line)
    for part in filter(None, (each.strip(" .,!") for each in bare.split(";"))):
        command, code, words = _parsed(work, part)
        if _ELSEWHERE.match(part) or (words and _writes_to(work, part, words[0])):
            return True
        if command and CODE in command.arguments and words and _CODE.fullmatch(words[0]):
            return True
        if command and code and len(words) <= len(command.arguments):  # more is a sentence
            return True
        if command and command.name in _ABOUT_PEOPLE and words and plain(words[0].strip(",:")) in names:
            return True
        try:
            values = _values(command, words, part) if command else None
        except AdminError:
            values = None
        if command is None or values is None:
            continue
        read = [each for each in command.arguments if each.name in values and (each.read is not str or each.choices)]
        is_read = any(not each.choices or values[each.name] in each.choices for each in read)
        if code or is_read or " " in command.name or episode_of_code(work.session, words[0] if words else ""):
            return True
    return False


def _writes_to(work: Work, line: str, who: str) -> bool:
    """Is it `write`, to somebody who is known, or to an address?"""
    return line.lower().startswith("write ") and ("@" in who or called_anyhow(work.session, who) is not None)


def _asks_for_link(line: str) -> bool:
    return line.lower().replace("-", " ").split() == ["login", "link"]


def _says(line: str) -> bool:
    return line.lower().split()[:1] == ["say"]


def _is_for_the_desk(line: str) -> bool:
    """Is it a command that only shows something, with nothing but what it is to show behind it?"""
    first, *rest = line.lower().split() or [""]
    return first in LOOKING and all(not each.isalpha() or each in GAMES for each in rest)


def _by_mail(work: Work, letter: Letter, right: Right, line: str) -> str:
    """One line of an operator's reply to an alert. The episode is the letter's, unless the line names one."""
    command, code, words = _parsed(work, line)
    if not code and letter.episode_id is not None and (command is None or CODE in command.arguments):
        code = work.session.get_one(Episode, letter.episode_id).code
    try:
        with work.savepoint():
            said = _done(work, letter, right, command, code, words, line)
            admin.audit(work, letter.address, line[:400], code)
            return said
    except AdminError as error:
        return str(error)


def _done(
    work: Work,
    letter: Letter,
    right: Right,
    command: OperatorCommand | None,
    code: str,
    words: Sequence[str],
    line: str,
) -> str:
    if _asks_for_link(line):
        mail_link(work, letter.address, is_sure=True)
        return "A link to the desk comes in a mail of its own."
    if _is_for_the_desk(line):
        raise AdminError(f"“{line[:80]}”: what stands where is shown by the desk, and by podium in a terminal.")
    if command:
        values = _values(command, words, line)
        if values is None and CODE in command.arguments and words and _CODE.fullmatch(words[0]):
            raise AdminError(f"“{line[:80]}”: there is no episode {words[0].upper()}.")
        if values is None:
            raise AdminError(f"“{line[:80]}”: write {command.usage}.")
        if not suffices(right, command.right_needed(values)):
            raise AdminError(out_of_right(right))
        if CODE not in command.arguments:
            return command.run(work, **values)
        if code:
            return command.run(work, code=code, **values)
    elif line.lower().split()[0] in ELSEWHERE:
        raise AdminError(f"“{line[:80]}” is for the desk, or for podium in a terminal.")
    if not code:
        raise AdminError(f"“{line[:80]}”: name the episode too, such as pause CC-12.")
    return _of_the_game(work, letter, right, code, words, line)


def _of_the_game(work: Work, letter: Letter, right: Right, code: str, words: Sequence[str], line: str) -> str:
    """A host command of the game, or a player's in their place (`say CC-12 --as Ann pick 5`)."""
    asked = {each.key for each in host_questions(admin.find(work, code))} if letter.host_question else set()
    if letter.host_question and letter.host_question not in asked:
        raise AdminError(f"What that letter asked is settled; {code} stands as podium episode {code} shows it.")
    if not _says(line):
        try:
            return admin.say(work, code, line)
        except AdminError as error:
            raise AdminError(str(error) if letter.host_question else f"{error} {HOW}") from None
    as_name = words[1] if words[:1] == ["--as"] and len(words) > 2 else ""
    if as_name and not suffices(right, "host"):
        raise AdminError(out_of_right(right))
    return admin.say(work, code, " ".join(words[2:] if as_name else words).strip('"“”'), as_name)


def _values(command: OperatorCommand, words: Sequence[str], line: str) -> dict[str, Any] | None:
    """The values of a command's arguments but for the episode; None where there are not as many words as it takes.

    Each takes a word, an optional one as many as are left. Raises `AdminError` where a word cannot be read.
    """
    arguments = [each for each in command.arguments if each is not CODE]
    options = {each.option for each in arguments if each.option}
    words = [each.strip('"“”') for each in words if each not in options] if options.intersection(words) else words
    if arguments and arguments[-1].is_wordy:
        words = _last_joined(words, arguments[-1].read, sum(not each.is_optional for each in arguments[:-1]))
    is_reason = bool(arguments) and arguments[-1].name == "why" and len(words) == len(arguments)
    if is_reason and _is_courtesy(words[-1]):
        words = words[:-1]
    spare = len(words) - sum(not each.is_optional for each in arguments)
    if spare < 0 or (spare and not any(each.is_optional for each in arguments)):
        return None
    left, values = list(words), {}
    for argument in arguments:
        count = spare if argument.is_optional else 1
        text, left = " ".join(left[:count]), left[count:]
        try:
            text = _REASON.sub("", text) if argument.name == "why" else text if argument.is_wordy else text.strip(",;:")
            values[argument.name] = argument.read(text)
        except ValueError as error:
            raise AdminError(f"“{line[:80]}”: {error}.") from None
    return values


def _last_joined(words: Sequence[str], read: Callable[[str], Any], first: int) -> Sequence[str]:
    """The words, as many of the last made one as can be read together, but for the `first` ones."""
    for at in range(first, len(words)):
        try:
            read(" ".join(words[at:]))
        except ValueError:
            continue
        return [*words[:at], " ".join(words[at:])]
    return words
