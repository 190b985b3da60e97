"""Pure: what stands in the way of a plan. In: a clause that is no command, those beside it. Out: does it leave them open?

What is said beside a move is an answer to it, a reason, a tale, a sum; or it holds the move back (`beside`), bounds it, or may be
another wish (`rivals`), and then the writer is asked.
"""

from collections.abc import Collection, Sequence

from host.engine.grammar import tokens, words
from host.engine.vocabulary import is_idle
from host.engine.words import frames, pattern, plain
from host.play.beside import is_foreseen, keeps_open
from host.play.certain import TOLD, UNCLEAR, Judged
from host.play.clauses import Clause, place
from host.play.doubts import COMES_ABOUT, PAST, speaks_of_answering
from host.play.ranking import SPEAKS, mentions_of, scored
from host.play.rivals import is_agreed_no, is_bound, is_hope, is_reason, is_remark, is_rival, is_sum
from host.play.seen import Seen
from host.play.values import in_part, is_strange, placing, values_in

_THE_REST = pattern(r"\b(?:rest|remaining|(?:all|every\w+) (?:the )?(?:others?|else))\b")
"""What stands beside it says which are not."""
_IS_SO = pattern(r"\b(\S+) is (?:an? )?\1\b")
"""`250 is 250` says nothing."""
_ONE = pattern(r"(?<=[a-z] )ones?\b")
"""A card, sooner than a number."""
_TOO = pattern(r"\btoo \w+ to (\w+)")
_ANOTHER_TIME = pattern(
    r"\b(?:then|afterwards?|after(?= \w)(?! all\b)|next(?! (?:to|question|letter|mail)\b)|once (?!in |upon |more\b|again\b)"
    r"|until|till|from now on|as soon as|whenever|when (?:the|my|any|dealer|cards?|i'm)|(?<!against )whatever(?! it is| happens)"
    r"|(?:each|every) (?:one|(?:single )?(?:hand|round|card|time|turn))|always (?:just |only )?(?:the|my)\b(?! same))\b"
)
"""Words for another moment than now."""
_LED_BY_THEN = pattern(r"[.!?\n]\s*then\W*$")
_OF_OURS = pattern(r"\b(?:whatever|when(?:ever)?|once|as soon as|after) (?:.{0,80} )?(?:i|i'll|i'd|we|we'll)\b")
"""What somebody does at another moment, be it of the game or not."""
_OF_THE_GAME = frozenset("card cards dealer hand hands round rounds turn turns flip one it him".split())
_OURS = frozenset("i i'm i'll i'd i've we we'll mine".split())
_MORE = frozenset("too more top or".split())
_DEPENDS = pattern(
    r"(?:(?!let|see|wonder|wait|off|away)\S+ ){0,2}(?:if|unless|until|till)\b"
    rf"|(?:once|as (?:soon|long) as) (?!it\b|you\b)(?:\w+ )?\w+ {COMES_ABOUT}\b"
)
"""With an `if` or an `until` near its beginning it says when the move in its sentence is meant."""


def is_in_the_way(
    clause: Clause, judged: Judged, text: str, steps: Sequence[tuple[Clause, Judged]], seen: Seen
) -> bool:
    """Does what is no command leave open what is meant: may it be another wish, or is there no plain command?

    `text` is the whole mail, `steps` are its commands.
    """
    is_beside = any(each.sentence == clause.sentence for each, _ in steps)
    is_one_denied = clause.fragment in seen.manifold and not frames().negations.isdisjoint(tokens(clause.fragment))
    if is_one_denied or is_foreseen(clause, text, steps, seen):  # `20 on the bonus, nothing on the blind`
        return True
    if is_bound(clause, text) or (is_beside and any(_THE_REST.search(plain(each.fragment)) for each, _ in steps)):
        return True
    if _changes_nothing(clause, text, steps, seen, is_beside):
        return False
    is_plain = len(steps) == 1 or any(each.kind == "command" for _, each in steps)
    if is_plain and judged is UNCLEAR and _says_again(clause, steps, seen):
        return False
    if keeps_open(clause, text, steps, seen) or _wants_another(clause, text, steps, seen):
        return True
    if is_beside and (_leaves_its_sentence_open(clause, steps, seen) or _is_told_another(clause, steps, seen)):
        return True
    if judged is not UNCLEAR:
        return is_beside and judged is not TOLD and _has_another_number(clause, steps, seen)
    commands = [each.command for _, each in steps]
    if not is_plain or is_rival(clause, commands, seen, is_beside):
        return True
    return _answers_the_next(clause, commands, seen)


def _answers_the_next(clause: Clause, commands: Collection[str], seen: Seen) -> bool:
    """May it answer the question that the letter shows beside the one that is answered: `First card: the one in the centre`?"""
    verbs = {command.split()[0] for command in commands}
    shown = [choice.say for choice in seen.offered if len(choice.say) == 2]
    following = {then.split()[0] for first, then in shown if first.split()[0] in verbs} - verbs
    said = tokens(plain(clause.fragment))
    named = {seen.verb_named(word) for word in said if not word.endswith("ed")}
    meant = (
        {each.command.partition(" ")[0] for each in mentions_of([clause], seen)} if following & named else set[str]()
    )
    return not following.isdisjoint(meant)


def _says_again(clause: Clause, steps: Sequence[tuple[Clause, Judged]], seen: Seen) -> bool:
    """Is one of the commands what it most likely means, without a doubt: `No cut for me, leave the deck as it is`?"""
    if _denies_it(clause, steps, seen):
        return False
    mentions = mentions_of([clause], seen)
    if clause.mark or any(each.is_asked or each.is_doubted for each in mentions):
        return False
    commands = [judged.command for _, judged in steps]
    verbs = {verb for each in mentions for verb in each.verbs}
    values = {value for each in mentions for value in each.values}
    if verbs and not values and not any(each.is_denied for each in mentions):
        return verbs <= {command.split()[0] for command in commands}  # `Give it away, to Bob please`
    likeliest, score = next(iter(scored(mentions, seen)), ("", 0.0))
    if score <= SPEAKS or likeliest not in commands:
        return False
    own = {value for word in likeliest.casefold().split() for value in (word, *in_part(word))}
    others = (seen.filled(likeliest.split()[0], [value]) for value in values - own)
    return all(seen.in_one_form(other) == seen.in_one_form(likeliest) for other in others)  # `all 280`


def _is_told_another(clause: Clause, steps: Sequence[tuple[Clause, Judged]], seen: Seen) -> bool:
    """Is it another player's name beside a move of which nobody says that it is theirs: `take it, Ann`, `Bob, hit me!`?"""
    is_name = clause.fragment in seen.others and not clause.mark
    moves = [judged.command.split()[-1] for each, judged in steps if _OURS.isdisjoint(tokens(each.fragment))]
    return is_name and bool(moves) and set(moves).isdisjoint(seen.seat_words)


def _changes_nothing(
    clause: Clause, text: str, steps: Sequence[tuple[Clause, Judged]], seen: Seen, is_beside: bool
) -> bool:
    """A sum, a hope, a remark on what may come, a reason, a no that agrees."""
    is_remark_only = is_sum(clause) or is_hope(clause, seen) or (not is_beside and is_remark(clause, seen))
    is_so = _IS_SO.search(plain(clause.fragment)) is not None
    return is_so or is_remark_only or is_reason(clause, text, steps) or is_agreed_no(clause, steps, seen)


def _wants_another(clause: Clause, text: str, steps: Sequence[tuple[Clause, Judged]], seen: Seen) -> bool:
    """Does it speak against a move (`too low to keep`), name another sum, all, a value that another move takes, an order?"""
    folded = plain(clause.typed)
    moves = {judged.verb for _, judged in steps}
    return (
        (bool(steps) and _is_of_another_time(clause, text, seen))
        or any(seen.move_named(word) in moves for word in _TOO.findall(folded))
        or _denies_it(clause, steps, seen)
        or _wants_another_sum(clause, seen)
        or _is_bare_value(clause, steps, seen)
        or _is_of_all(clause, steps, seen)
    )


def _is_of_another_time(clause: Clause, text: str, seen: Seen) -> bool:
    """Does it speak of the game, or of what the writer does, at another moment: `next hand 20`, `whatever I'm dealt I stay`?"""
    led = _LED_BY_THEN.search(plain(text), 0, max(0, place(text, clause)))
    folded = f"then {plain(clause.typed)}" if led else plain(clause.typed)
    said = tokens(folded)
    is_talk = clause.is_question or speaks_of_answering(folded) or not PAST.isdisjoint(said)
    if is_talk or not _ANOTHER_TIME.search(folded):
        return False
    is_of_game = any(word in _OF_THE_GAME or seen.move_named(word) for word in said)
    return is_of_game or bool(values_in(clause.fragment, seen)) or _OF_OURS.search(folded) is not None


def _denies_it(clause: Clause, steps: Sequence[tuple[Clause, Judged]], seen: Seen) -> bool:
    """Does it say no to a move beside it, or to its value: `stand. I never stand`, `pass red. Not red`?"""
    said = tokens(plain(seen.with_seats(clause.fragment)))
    no = next((at for at, word in enumerate(said) if word in frames().negations), len(said))
    denied = said[no + 1 : no + 3]
    moves = {judged.verb for _, judged in steps}
    values = {word for _, judged in steps for word in judged.command.casefold().split()[1:]}
    return any(seen.verb_named(word) in moves for word in denied) or not values.isdisjoint(
        values_in(" ".join(denied), seen)
    )


def _leaves_its_sentence_open(clause: Clause, steps: Sequence[tuple[Clause, Judged]], seen: Seen) -> bool:
    """Beside a command: is it a condition, another value, a place?"""
    is_place = bool(placing(tokens(clause.fragment), seen))
    return _DEPENDS.match(plain(clause.fragment)) is not None or is_place or _is_other_value(clause, steps, seen)


def _has_another_number(clause: Clause, steps: Sequence[tuple[Clause, Judged]], seen: Seen) -> bool:
    """Has it a number that is none of the commands', nor on the table: `Make it 3500 and we have a deal`?"""
    said = {value for each, _ in steps for value in values_in(each.fragment, seen)}
    values = {value for value in values_in(_ONE.sub("", clause.fragment), seen) if value.isdecimal()} - said
    if seen.cards_at_hand:  # nobody bargains for a card
        values = {value for value in values if seen.may_say(value)}
    return bool(values) and not seen.figures.issuperset(values)


def _wants_another_sum(clause: Clause, seen: Seen) -> bool:
    """Where a yes or a no is asked for: is it a sum that does not lie on the table, or a no to the one that does?

    `Accept. 3500 would be better`, `1250 is too little`, `not at 1250`.
    """
    if not seen.is_yes_or_no:
        return False
    said = tokens(plain(clause.fragment))
    sums = {each for each in values_in(clause.fragment, seen) if each.isdecimal() and len(each) > 2}
    is_denied = not (frames().negations | _MORE).isdisjoint(said) and "than" not in said and not clause.is_question
    return bool(sums) and (is_denied or not seen.figures.issuperset(sums))


def _is_bare_value(clause: Clause, steps: Sequence[tuple[Clause, Judged]], seen: Seen) -> bool:
    """Is it nothing but a value that another move could have, and none of them takes: `check, 20`?"""
    commands = [judged.command for _, judged in steps]
    value = plain(clause.typed).strip(" .!$")
    if not value.isdecimal() or not steps or not all(map(str.isalpha, commands)):
        return False
    return seen.may_say(value) and not any(seen.parsed(f"{each} {value}") == each for each in commands)


def _is_of_all(clause: Clause, steps: Sequence[tuple[Clause, Judged]], seen: Seen) -> bool:
    """Does it name all, or the least, beside a turn of speech that may be about as much: `Everything I've got. Shove it in`?"""
    is_loose = len(steps) == 1 and not steps[0][1].is_literal
    if not is_loose or clause.is_question or is_idle(clause.fragment):
        return False
    values = {"all", "least"}.intersection(values_in(clause.fragment, seen))
    return any(map(seen.may_say, values)) and not any(is_strange(word, seen) for word in words(clause.fragment))


def _is_other_value(clause: Clause, steps: Sequence[tuple[Clause, Judged]], seen: Seen) -> bool:
    """May it stand behind the verb of one of the commands, which it does not go with: `10, no blind`?"""
    said = " ".join(words(clause.fragment))
    for command in (judged.command for _, judged in steps):
        kinds = [kind for slot in seen.words.row(command.split()[0]).slots for kind in slot.kinds]
        meant = next((each[said] for kind in kinds if said in (each := seen.words.lists.get(kind, {}))), None)
        if meant is not None and str(meant) not in command.split() and seen.parsed(f"{command} {said}") != command:
            return True
    return False
