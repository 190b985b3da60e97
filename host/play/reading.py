"""Pure: what a mail says. In: a table as its writer sees it (`Seen`), the lines that they typed. Out: a plan, or a question.

A mail is read whole before anything of it is played. Each of its clauses is a command, a service, a courtesy or talk, and then
the commands are the plan; or one of them is unclear, takes another back, or answers what another has answered, and then nothing
is played: the writer is asked, with what the mail most likely means as buttons (`ranking`).
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from host.engine.cards import RANK_WORDS, aces_named, read_card
from host.engine.grammar import NUMBERS, is_polite, is_social, tokens, words
from host.engine.orders import DOUBTFUL, NeverFires
from host.engine.words import first_names, frames, in_english, pattern, plain
from host.play.against import is_in_the_way
from host.play.agreement import yes_or_no
from host.play.answers import answer_in, bared, takes_back
from host.play.beside import holds_back
from host.play.certain import TALK, UNCLEAR, Judged, is_free_text, judge
from host.play.clauses import NO_ONLY, Clause, clauses, has_second_thought, pieces, second_thought, shortened, unsigned
from host.play.doubts import LIMITS, answers_later, is_held_back, is_uncertain
from host.play.forms import without_pleas
from host.play.interpretation import Planned, Question, Read, ReadAs
from host.play.likely_answers import content, likely_answers
from host.play.listed import as_lines
from host.play.ranking import NAMED, likeliest, mentions_of, ranked, scored
from host.play.rivals import is_reason
from host.play.seen import Seen
from host.play.services import Service, asked_to_know, greets_host, service_in, take_host_text
from host.play.standing import orders_meant
from host.play.taking_back import asks_to_take_back
from host.play.together import (
    Parts,
    are_at_odds,
    as_written,
    in_turn,
    put_together,
    said_once,
    with_more_values,
    with_what_leads_to_it,
)
from host.play.values import values_in

WHICH = "I could not tell which move that is. Write {}."
NO_MOVE = "I could not tell which move that is."
NO_ANSWER = "Write your answer behind the word {}."
ONLY_THE_HOST = "That is a question for the host."
_GIVING_UP = frozenset((Service.RESIGN, Service.LEAVE, Service.RETIRE))
"""Services that may take a command back, behind words that do."""
_SEEN_BY_ALL = (Service.PRIVATE, Service.PUBLIC)
"""Services that change what everybody sees: where an answer in words is asked for, the word alone is asked about."""
_COUNT = pattern(
    rf"(?i)^\W*(?:(?:here|are|my|the|these|so|ok|as) )*(?:{'|'.join(NUMBERS)}|\d+)(?: (?:numbers|codes|places|cards|ones))?:"
    r"(?=\D{0,9}\d+\D+\d)"
)
"""How many follow: `My thirty: 1, 5, …`."""
_IN_THAT_CASE = pattern(r"(?:(?:so|and|well|ok|yes)\W+)*(?:in (?:that|which) case|if so)\b")
_WISHING = frozenset("want like love take keep meant mean wrong mistake".split())
_HANGING = (" is", " are", " was", " were", " be", " the", " a", " an", " of")
"""Where a piece ends so, it goes on behind it."""
_NO_INSTEAD = pattern(r"\bno\s*[:,–—-]+\s*$", re.IGNORECASE)
_ANOTHER_WAY = pattern(r"\b(?:make|change) (?:it|that)\W*$", re.IGNORECASE)
_OBJECTS = pattern(r"\b(?:i object|objections?|objecting)\b(?! to )")
"""A word to the host, whatever is not known besides: `I object, I never got your mail`."""
_EXCUSE = pattern(r"(?:for|about|it|if|that|this|to|i|we|my|was|were|am|but)\b")
"""With these words an excuse goes on behind `sorry`."""
LONGEST_APART = 500
"""Characters of a clause that is taken in pieces."""
MOST_ORDERS = 3
"""Readings with an order in them."""
MOST_USAGES = 5
"""Kinds of moves that a question names."""


def read(seen: Seen, lines: Sequence[str], host_names: Collection[str] = (), takes_text: bool = True) -> Read:
    """The plan of a mail, or the question that it leaves; and what it says to the service and the host.

    `host_names` are what the host is called; `takes_text` tells whether a line alone may be an answer in free text.
    """
    above, to_host = take_host_text(lines)
    rest, is_pleading = without_pleas(as_lines(unsigned(above), seen.plain_verb))
    named = aces_named if "ace" in seen.words.values and not seen.takes_text else str
    rest = typed = tuple(_in_english(named(_COUNT.sub("", line)), seen) for line in rest)
    doubt, orders = "", tuple[str, ...]()
    try:
        rest, orders = seen.take_orders(rest)
    except NeverFires as why:
        if str(why) != DOUBTFUL:
            return Read(question=Question(str(why), shortened(" ".join(rest))), to_host=to_host)
        doubt = DOUBTFUL
    mail, found, understood = _heard(seen, rest, takes_text, bool(to_host or orders))
    if understood.question and mail.takes_back:
        readings = tuple(dict.fromkeys((*filter(None, (mail.stands,)), *understood.question.readings)))
        understood = replace(understood, question=replace(understood.question, readings=readings, takes_back=True))
    if is_pleading and not any(is_free_text(plain(each.fragment), seen) for each in found):
        understood = _unless_a_plea(seen, understood)
    if not all(map(begins_with_its_verb, understood.plan)) and answers_later(above):
        meant = ", ".join(each.text for each in understood.plan)
        question = _asking(seen, understood.plan[0].typed, (meant, *seen.plain_commands))
        understood = replace(understood, plan=(), read_as=(), question=question)
    if orders and not (understood.question or mail.takes_back or has_second_thought(" ".join(typed))):
        understood = replace(understood, orders=orders)
    else:
        understood = _asking_of_orders(mail, understood, typed, NO_MOVE if orders else doubt)
    understood = replace(understood, to_host=to_host) if to_host else understood
    return _for_the_host(understood, lines, is_pleading, host_names)


def _heard(seen: Seen, lines: Sequence[str], takes_text: bool, has_more: bool) -> tuple[Parts, list[Clause], Read]:
    """What the clauses of a mail come to; `has_more` tells whether something of it was taken already."""
    text = "\n".join(lines)
    found = clauses(text, seen.split, seen.put_right, _free_text(seen))
    mail = Parts(seen, text)
    if not found and "".join(lines).strip() == "?":
        mail.services.append(Service.HELP)
    for at, clause in enumerate(found):
        is_below = at == len(found) - 1 and bool(mail.steps) and clause.line > found[at - 1].line
        if not (is_below and _is_signature(clause, seen)):
            _take(mail, clause)
    if mail.agreed:
        _agree(mail, *mail.agreed)
    put_together(mail, len(found))
    return mail, found, _understood(mail, found, lines, takes_text, has_more)


def begins_with_its_verb(planned: Planned) -> bool:
    """Is it a move beyond doubt, though its writer answers more of the mail tonight: `bet 20`?"""
    return plain(planned.typed).split()[:1] == planned.text.split()[:1]


def _unless_a_plea(seen: Seen, read: Read) -> Read:
    """Asks of an answer without its word, beside a plea for time, whether it is one (`Give me till tomorrow, promise`)."""
    answers = [each for each in read.plan if each.text.split()[0] == seen.answer_verb]
    if not answers:
        return read
    readings = (*(each.text for each in answers), *seen.plain_commands)
    return replace(read, plan=(), read_as=(), question=_asking(seen, answers[0].typed, readings))


def _asking_of_orders(mail: Parts, read: Read, lines: Sequence[str], doubt: str) -> Read:
    """The same, asked about where the mail may want something to stand. `doubt` is why it is asked in any case, if it is.

    All that may be meant to stand is the first reading, behind the moves that are plain.
    """
    is_text = any(judged.verb in mail.seen.text_verbs for _, judged in mail.steps)
    moves = [each.text for each in read.plan]
    is_talk = not (read.plan or read.question) or (read.question and read.question.reason == ONLY_THE_HOST)
    meant, rest = ((), ()) if is_text or (is_talk and not doubt) else orders_meant(lines, mail.seen, moves)
    if is_text or not (doubt or meant):
        return read
    question = read.question or Question(
        doubt or NO_MOVE, shortened(" ".join(lines)), (", ".join(moves),) if moves else ()
    )
    ways = dict.fromkeys((_side_by_side(mail.seen, meant), *((each,) for several in meant for each in several)))
    now = _besides(mail.seen, rest) if meant else ()
    readings = [", ".join(_texts_last(mail.seen, _once_each(now, way))) for way in ways if way][:MOST_ORDERS]
    return replace(
        read, plan=(), question=replace(question, readings=tuple(dict.fromkeys((*readings, *question.readings))))
    )


def _besides(seen: Seen, lines: Sequence[str]) -> tuple[str, ...]:
    """What is to be done now, of a mail without its orders: its plan, or its likeliest reading."""
    mail, _, read = _heard(seen, lines, seen.takes_text, has_more=True)
    if read.plan:
        return tuple(each.text for each in read.plan)
    return read.question.readings[:1] if read.question else likeliest([clause for clause, _ in mail.left], seen)


def likely(seen: Seen, lines: Sequence[str]) -> tuple[str, ...]:
    """Commands that the words of a mail name, the likeliest first, whatever its clauses say one by one."""
    return tuple(command for command, score in _scored(seen, lines) if score >= NAMED)


def is_value_open(seen: Seen, lines: Sequence[str]) -> bool:
    """Do the words of a mail speak for a verb alone: as much for one value of it as for the next?"""
    (one, best), (other, next_best) = (*_scored(seen, lines)[:2], ("", 0.0), ("", 0.0))[:2]
    return best == next_best and one != other and one.split()[:1] == other.split()[:1]


def _scored(seen: Seen, lines: Sequence[str]) -> list[tuple[str, float]]:
    text = "\n".join(lines)
    return scored(mentions_of(clauses(text, seen.split, seen.put_right, _free_text(seen)), seen), seen)


def _once_each(now: Sequence[str], orders: Sequence[str]) -> tuple[str, ...]:
    """Commands and orders, without the commands that an order gives now."""
    return (*(each for each in now if f"always {each}" not in orders), *orders)


def _texts_last(seen: Seen, commands: Sequence[str]) -> list[str]:
    """Commands with those at the end behind whose verb all is free text."""
    return sorted(commands, key=lambda each: each.split()[0] in seen.text_verbs)


def _side_by_side(seen: Seen, meant: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The likeliest order of each sentence; of those about the same the first, in whose place the others would stand."""
    found: dict[str, str] = {}
    for likely, *_ in meant:
        order = seen.orders.known(likely) if seen.orders else None
        found.setdefault(order.rules[0].fact if order and order.is_conditional else likely, likely)
    return tuple(found.values())


def _agree(mail: Parts, clause: Clause, judged: Judged) -> None:
    """A yes is a command where no other is said; beside another one it is a courtesy, or the two are asked about."""
    is_yes = words(clause.fragment) == ("yes",)
    if is_yes and clause.sentence in mail.served:
        mail.left.append((clause, UNCLEAR))  # `yes, send me the rules please`
    elif not mail.steps and (is_yes or not mail.left):
        mail.steps.append((clause, judged))
    elif is_yes and all(other.verb != judged.verb for _, other in mail.steps):
        mail.takes_back = True


def _free_text(seen: Seen) -> re.Pattern[str] | None:
    """A pattern of a verb of free text with all behind it, to the end of its line; None where a game has no such verb."""
    verbs = "|".join(sorted(seen.text_verbs))
    return re.compile(rf"^[ \t]*(?:{verbs})(?![a-z])[^\n]*", re.IGNORECASE | re.MULTILINE) if verbs else None


def _in_english(line: str, seen: Seen) -> str:
    """A line in another language, all of it known, in English; a doubt, or an answer in free text, stays as it is."""
    english = "" if is_uncertain(plain(line)) else in_english(line, frozenset(seen.names))
    return line if seen.takes_text and not seen.parsed(english) else english or line


# Clause by clause


def _take(mail: Parts, clause: Clause) -> None:
    is_no_move = bool(mail.steps) and (
        asks_to_take_back(clause.typed) or is_held_back(plain(clause.marked or clause.typed)) or _says_no(mail, clause)
    )
    if is_no_move or ((mail.steps or mail.agreed) and clause.takes_back):
        mail.takes_back = True
        if not clause.fragment or is_no_move:
            return
    service, argument = _service(mail.seen, clause)
    if service:
        is_of_all = service is Service.CANCEL or (bool(clause.mark) and service in _GIVING_UP)
        mail.takes_back |= bool(mail.steps) and is_of_all
        mail.leaving = argument if service is Service.LEAVE else mail.leaving
        mail.served.add(clause.sentence)
        mail.services += [service] if service not in mail.services else []
        return
    is_either = _is_no_or_correction(mail, clause)
    mail.takes_back, mail.stands = mail.takes_back or is_either, mail.steps[-1][1].command if is_either else mail.stands
    clause = clause if is_either else _with_its_no(mail.seen, clause)
    judged = judge(clause, mail.seen) if clause.fragment else TALK
    if judged.command and not mail.seen.is_asked and _only_answers(clause, judged, mail.seen):
        judged = UNCLEAR
    if judged.command and (_may_be_a_name(mail, clause) or _follows_from_a_question(mail, clause)):
        judged = UNCLEAR
    mail.takes_back |= bool(mail.steps) and not judged.command and holds_back(clause)
    says_something = bool(judged.command) or judged is UNCLEAR or bool(values_in(clause.fragment, mail.seen))
    says_something = says_something or bool(clause.mark and mail.seen.is_order(clause.fragment))
    says_something = says_something or _names_another(mail.seen, clause) or _stands_behind(_NO_INSTEAD, clause)
    mail.takes_back |= bool(mail.steps and clause.mark) and says_something and not _goes_on(mail, clause, judged)
    mail.takes_back |= bool(mail.steps and judged.command) and _comes_first(mail, clause, judged)
    mail.takes_back |= mail.agreed is not None and _stands_behind(_ANOTHER_WAY, clause)
    agreeing = (("yes",),) if mail.seen.takes_text else (("yes",), ("right",))
    if judged.command and (is_polite(clause.fragment) or words(clause.fragment) in agreeing):
        mail.agreed = mail.agreed or (clause, judged)
    elif judged.command:
        mail.steps.append((clause, judged))
    elif is_polite(clause.fragment):
        return
    elif parts := _apart(mail.seen, clause, judged):
        for part, found in parts:
            (mail.steps if found.command else mail.left).append((part, found))
    elif not (mail.seen.takes_text or _OBJECTS.search(plain(mail.text))) and (wanted := asked_to_know(clause.fragment)):
        mail.services += [wanted] if wanted not in mail.services else []
    else:
        mail.left.append((clause, judged))


def _names_another(seen: Seen, clause: Clause) -> bool:
    """Is it a player's name behind words that may take back who was named: `to Ann, no, Cleo`?"""
    is_excuse = clause.mark.strip(" ,.!").casefold() in ("sorry", "apologies")
    return bool(seen.seat_words) and clause.fragment in seen.names and not is_excuse


def _comes_first(mail: Parts, clause: Clause, judged: Judged) -> bool:
    """Is it to come before what was said, and may it: `attack Ks Kd. First spy 7c 9h`?"""
    last = mail.steps[-1][1].verb
    is_first = plain(clause.fragment).startswith(("first ", "firstly ", "before that "))
    return is_first and last in mail.seen.words.row(judged.verb).followed_by


def _stands_behind(mark: re.Pattern[str], clause: Clause) -> bool:
    """Does more than a courtesy stand behind such words: `no: last`, `yes, make it more`?"""
    is_courtesy = is_polite(clause.fragment) or is_social(clause.fragment)
    return mark.search(clause.mark) is not None and bool(clause.fragment) and not is_courtesy


def _says_no(mail: Parts, clause: Clause) -> bool:
    """Is it a polite no behind a move that is none itself: `call, no thanks`?"""
    is_no = NO_ONLY.fullmatch(clause.mark) is not None and is_polite(clause.fragment)
    return is_no and mail.steps[-1][1].command not in mail.seen.negative


def _only_answers(clause: Clause, judged: Judged, seen: Seen) -> bool:
    """Is it a yes, a no or a turn of speech, which is a move where one is asked, and small talk else?"""
    said = words(clause.fragment)
    is_named = len(said) > 1 and any(map(seen.verb_named, said))
    return judged.kind == "turn of speech" or (not is_named and bool(yes_or_no(clause.fragment)))


def _goes_on(mail: Parts, clause: Clause, judged: Judged) -> bool:
    """Does a stroke alone stand before a command that may follow the last one (`Cut: 22 / Pick: 4`)?"""
    last = mail.steps[-1][1]
    is_next = bool(judged.command) and not mail.seen.excludes(last.verb, judged.verb)
    return clause.mark.strip() == "/" and (is_next or bool(with_more_values(mail.seen, last, clause, judged)))


def _is_signature(clause: Clause, seen: Seen) -> bool:
    """Is it one word on a line of its own that names no move: a name sooner than a value (`Jack`)?"""
    said = words(clause.fragment)
    is_name = clause.typed.strip(" .,!-").istitle() and clause.begins and not clause.mark
    return len(said) == 1 and said[0].isalpha() and is_name and not (seen.verb_named(said[0]) or read_card(said))


def _may_be_a_name(mail: Parts, clause: Clause) -> bool:
    """Is a word alone a name sooner than a value (`Max`, `King` behind something else), or a closing (`Yrs`)?"""
    said = words(clause.fragment)
    is_first = plain(mail.text).lstrip().startswith(clause.fragment)
    is_initial = len(clause.fragment) == 1 and clause.typed.isupper()
    is_name = clause.fragment in first_names() and clause.typed.strip(" .,!-").istitle()
    if (is_name and (not is_first or _is_signature(clause, mail.seen))) or (is_initial and not is_first):
        return True
    is_closing = clause.is_respelt and said == ("yes",)
    is_court_card = len(said) == 1 and RANK_WORDS.get(said[0], "2") in "JQKA"
    return (is_court_card or is_closing) and not is_first


def _follows_from_a_question(mail: Parts, clause: Clause) -> bool:
    """Does it hang on the answer to the question before it: `Could they stretch to 3,500? In that case yes`?"""
    is_asked = bool(mail.left) and mail.left[-1][0].is_question
    return is_asked and _IN_THAT_CASE.match(plain(clause.marked or clause.typed)) is not None


def _service(seen: Seen, clause: Clause) -> tuple[Service | None, str]:
    asked = f"{clause.fragment.rstrip('? ')}?" if clause.is_question else clause.fragment
    service, argument = service_in(asked, seen.titles)
    is_greeting = service is Service.AGAIN and words(clause.fragment) == () and is_social(clause.fragment)
    is_move = service is Service.MINE and bool(judge(clause, seen).command)  # where a card can be kept
    is_answer = seen.takes_text and service in _SEEN_BY_ALL and len(words(clause.fragment)) == 1
    return (None, "") if is_greeting or is_move or is_answer or not service else (service, argument)


def _is_no_or_correction(mail: Parts, clause: Clause) -> bool:
    """May it as well say that this is meant in place of the move before it: `call, no fold`? Not behind a move that wants
    nothing: `check, no raise`."""
    seen, (step, last) = mail.seen, mail.steps[-1] if mail.steps else (clause, UNCLEAR)
    is_set_off = step is not clause and step.sentence == clause.sentence and clause.mark.strip().casefold() == "no"
    if not is_set_off or last.command in seen.negative:
        return False
    command = seen.parsed(clause.fragment)
    verb, is_said = command.partition(" ")[0], plain(clause.fragment).strip(" .!") == command
    return is_said and not clause.begins and verb != last.verb and {verb, last.verb} <= set(seen.first_verbs)


def _with_its_no(seen: Seen, clause: Clause) -> Clause:
    """`no deal`, `no more`: where the no is part of the move, it takes nothing back."""
    if re.search(r"\bno\s+$", clause.mark, re.IGNORECASE) and clause.fragment:
        mark = clause.mark.rstrip()[:-2].rstrip()
        return replace(clause, fragment=f"no {clause.fragment}", typed=f"no {clause.typed}", mark=mark)
    return clause


def _apart(seen: Seen, clause: Clause, judged: Judged) -> list[tuple[Clause, Judged]]:
    """A clause without a command in pieces, where each of them is clear; talk only where a piece is a command. Else nothing."""
    folded = plain(clause.typed)
    is_whole = seen.takes_text or len(folded) > LONGEST_APART or LIMITS.search(folded) or is_held_back(folded)
    parts = [] if is_whole else pieces(clause, seen.split)
    found = [(part, judge(part, seen)) for part in parts if not is_polite(part.fragment)]
    found = [(part, TALK if is_reason(part, clause.typed, found) else each) for part, each in found]
    is_clear = all(_is_clear(seen, part.fragment, each) for part, each in found)
    return found if is_clear and (judged is UNCLEAR or any(each.command for _, each in found)) else []


def _is_clear(seen: Seen, piece: str, judged: Judged) -> bool:
    """Is a piece whole, and a command that is asked for, or named by its verb, or talk without a doubt?"""
    verb = judged.verb
    is_sure = verb in seen.verbs or verb in words(piece) if verb else judged is not UNCLEAR and not is_uncertain(piece)
    return is_sure and not piece.endswith(_HANGING)


# The whole of it


def _understood(mail: Parts, found: Sequence[Clause], lines: Sequence[str], takes_text: bool, has_more: bool) -> Read:
    seen = mail.seen
    read = Read(services=tuple(mail.services), leaving=mail.leaving, is_cancelling=Service.CANCEL in mail.services)
    steps = in_turn(said_once(mail), seen)
    left = [clause for clause, _ in mail.left]
    may_answer = seen.takes_text and takes_text and not any(is_free_text(plain(c.fragment), seen) for c, _ in steps)
    answers = [each for each in left if not (steps and _is_courtesy(each))]
    if may_answer and answers:
        return _with_answer(mail, read, steps, answers, lines)
    if may_answer and steps and seen.is_asked and seen.verbs.isdisjoint(judged.verb for _, judged in steps):
        typed = " ".join(clause.typed for clause, _ in steps)  # a move that cannot be meant, and may be an answer
        return replace(read, question=_asking(seen, typed, (seen.answering(typed), *seen.plain_commands)))
    unclear = [clause for clause, judged in mail.left if is_in_the_way(clause, judged, mail.text, steps, seen)]
    thoughts = [thought for clause, judged in steps if (thought := _second_thought(seen, clause, judged))]
    said = tuple(judged.command for _, judged in steps if judged.verb in seen.text_verbs)
    if said and (instead := _later_answers(seen, left)):
        thoughts.append((*instead, *said))
    if thoughts:
        return replace(read, question=_question(seen, found, thoughts[0]))
    if not steps:
        if not mail.left or ((mail.services or has_more) and not unclear):
            return replace(read, chat=tuple(clause.typed for clause in left))
        is_question = any(clause.is_question for clause in left) and not unclear
        return replace(read, question=_question(seen, found, is_for_host=is_question))
    if _is_no_and_more(steps, mail.left):
        return replace(read, question=_question(seen, found))
    first = steps[0][1].command
    # `No idea, sorry, I'll skip`
    is_said_again = len(mail.steps) > 1 and len(steps) == 1 and all(judged.command == first for _, judged in mail.steps)
    if any(each.kind == "turn of speech" and at.begins and each.command != first for at, each in steps[1:]):
        return replace(read, question=_question(seen, found))  # `Continue. This is too much fun.`
    if unclear or (mail.takes_back and not is_said_again):
        return replace(read, question=_question(seen, found))
    if are_at_odds(steps, mail.text, seen):
        return replace(read, question=_question(seen, found, as_written(steps, seen)))  # `hit, hit`
    commands = [each for clause, judged in steps for each in _as_often(clause, judged, seen)]
    whole = with_what_leads_to_it(seen, commands)
    plan = tuple(Planned(command, clause.typed) for clause, command in whole)
    made_out = [
        ReadAs(shortened(clause.typed), _as_often(clause, judged, seen)[0][1])
        for clause, judged in steps
        if not judged.is_literal or clause.is_respelt
    ]
    if len(whole) > len(commands):
        made_out = [ReadAs(shortened(whole[-1][0].typed), ", ".join(command for _, command in whole))]
    chat = tuple(f"{clause.typed}?" if clause.is_question else clause.typed for clause in left)
    return replace(read, plan=plan, chat=chat, read_as=tuple(made_out))


def _as_often(clause: Clause, judged: Judged, seen: Seen) -> list[tuple[Clause, str]]:
    """A command as often as it is said, which is one of more values where it takes a list (`rock x3`)."""
    verb, *values = judged.command.split(" ")
    if values and seen.words.row(verb).is_list:
        return [(clause, " ".join((verb, *values * judged.times)))]
    return [(clause, judged.command)] * judged.times


def _is_courtesy(clause: Clause) -> bool:
    """Is it, beside a move, no answer: a yes, or short small talk?"""
    return words(clause.fragment) == ("yes",) or (is_social(clause.fragment) and len(clause.fragment) < 20)


def _is_no_and_more(steps: Sequence[tuple[Clause, Judged]], left: Sequence[tuple[Clause, Judged]]) -> bool:
    """Is a no that is a move said before another one, or a wish: `No, I like it. Low.`, `no, I want it`?"""
    no, judged = steps[0]
    if words(no.fragment) != ("no",):
        return False
    wishes = (set(tokens(plain(each.fragment))) for each, _ in left if each.sentence == no.sentence)
    is_wish = any(said & _WISHING and said.isdisjoint(frames().negations) for said in wishes)
    return is_wish or any(other.command != judged.command for _, other in steps[1:])


def _second_thought(seen: Seen, clause: Clause, judged: Judged) -> tuple[str, ...]:
    """The commands of free text in which words take the first back, the later first."""
    verb, _, text = clause.fragment.strip().partition(" ")
    verb = verb.casefold().rstrip(":")
    found = second_thought(text) if verb in seen.text_verbs and judged.command.startswith(verb) else None
    return (f"{verb} {found[1].removeprefix(verb).strip()}", f"{verb} {found[0]}") if found else ()


def _later_answers(seen: Seen, left: Sequence[Clause]) -> tuple[str, ...]:
    """What stands behind words that may take an answer back, the last first; an excuse is none (`sorry for the delay`)."""
    marked = (each for each in reversed(left) if each.mark and not _EXCUSE.match(plain(each.fragment)))
    answers = (answer_in([each.typed], seen.prompt, seen.names).text for each in marked)
    return tuple(command for text in answers if (command := seen.answering(text) if text else ""))


def _with_answer(
    mail: Parts, read: Read, steps: Sequence[tuple[Clause, Judged]], left: Sequence[Clause], lines: Sequence[str]
) -> Read:
    """Takes what is left of a mail as an answer in free text, or a question whether it is one."""
    seen = mail.seen
    is_alone = not (steps or mail.services)
    chat = tuple(clause.typed for clause in left)
    said_in = lines if is_alone else chat
    found = answer_in(said_in, seen.prompt, seen.names)
    typed = shortened(" ".join(chat), 160)
    if plain(typed).strip(" :") in seen.text_verbs:
        return replace(read, question=Question(NO_ANSWER.format(plain(typed).strip(" :")), typed))
    if found.asks and is_alone:
        return replace(read, question=Question(ONLY_THE_HOST, typed))
    if not (found.is_possible or is_alone or mail.takes_back or any(map(takes_back, chat))):
        plan = tuple(Planned(judged.command, clause.typed) for clause, judged in steps)
        return replace(read, plan=plan, chat=chat)
    is_slip = _is_slip_of_a_verb(seen, words(found.text)) or bool(service_in(found.text)[0])
    is_put_off = is_held_back(plain(found.text))  # `weighing my options`
    likely = likely_answers(said_in, seen.prompt, seen.names)
    is_likely = found.is_named or content(found.text) == content(next(iter(likely), found.text))
    is_plain = is_alone and is_likely and not (is_slip or is_put_off)
    command = seen.answering(found.text) if found.text and is_plain else ""
    if command:
        made_out = () if found.text in lines else (ReadAs(typed, command),)
        return replace(read, plan=(Planned(command, typed),), read_as=made_out)
    later = _later_answers(seen, left)
    earlier = (bared(left[0].typed, seen.prompt),) if later and len(left) > 1 else ()
    answers = (command for text in (*likely, *earlier) if (command := seen.answering(text)))
    said = (judged.command for _, judged in steps)
    readings = tuple(dict.fromkeys((*later, *said, *answers, *seen.plain_commands)))
    return replace(read, question=_asking(seen, typed, readings))


def _is_slip_of_a_verb(seen: Seen, said: Sequence[str]) -> bool:
    """Is it a verb alone, or does it begin with one that is misspelt (`skpi this one`)?"""
    verbs = {row.verb for row in seen.words.rows}
    return bool(said) and (seen.words.is_near(said[0]) if said[0] not in verbs else len(said) == 1)


def _question(
    seen: Seen, found: Sequence[Clause], readings: tuple[str, ...] = (), is_for_host: bool = False
) -> Question:
    """The question of a mail that is not certain. `readings` are those that come before what is ranked."""
    typed = shortened(" ".join(clause.typed for clause in found[:4]), 160)
    if is_for_host:
        return Question(ONLY_THE_HOST, typed)
    likely, rest = ranked(found, seen)
    return _asking(seen, typed, tuple(dict.fromkeys((*readings, *likely))), rest)


def _asking(seen: Seen, typed: str, likely: tuple[str, ...], rest: tuple[str, ...] = ()) -> Question:
    """The question which move is meant; `rest` is what can be given besides what is likely."""
    usages = seen.usages[:MOST_USAGES]
    listed = f"{', '.join(usages[:-1])} or {usages[-1]}" if len(usages) > 1 else "".join(usages)
    which = WHICH.format(listed) if listed else NO_MOVE
    return Question(which, typed, likely, rest)


def _says_more(talk: str) -> bool:
    """Does what stands beside a command say more than a courtesy, so that somebody has to hear it?"""
    is_long = len(words(talk)) > 2 or (talk.endswith("?") and len(talk.split()) > 2)
    return talk.lower().startswith("say ") or (is_long and not (is_polite(talk) or is_social(talk)))


def _for_the_host(found: Read, lines: Sequence[str], is_pleading: bool, host_names: Collection[str]) -> Read:
    """Sends whole to the host what only a person can answer: a plea for time, a letter to the host, words beside a command."""
    turns_to_host = any(greets_host(line, ("host", *host_names)) for line in lines[:3])
    asks_host = found.question is not None and found.question.reason == ONLY_THE_HOST
    is_lost = found.question is not None and not found.question.readings and turns_to_host
    has_more = bool(found.plan) and any(map(_says_more, found.chat))
    if not (is_pleading or asks_host or is_lost or has_more):
        return found
    return replace(found, to_host="\n".join(lines).strip(), question=None if asks_host or is_lost else found.question)
