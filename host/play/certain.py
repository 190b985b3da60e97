"""Pure: is a clause certain? In: a clause, what its writer sees. Out: the command that it can only mean, or talk, or unclear.

A clause is certain where it is a command as it stands, or nothing but one in a frame of courtesy: a greeting, thanks, a reason,
a label, a count. Talk says nothing of what is asked. Everything else is unclear, and is asked (`reading`).
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from host.engine.cards import RANK_WORDS, SUITS, read_card
from host.engine.grammar import NUMBER_WORDS, is_thankful, number, tokens, words
from host.engine.spelling import Ambiguous, respell
from host.engine.vocabulary import is_idle
from host.engine.words import (
    THANKS,
    first_names,
    frames,
    pattern,
    plain,
)
from host.play.agreement import yes_or_no
from host.play.answers import behind_its_word, says_none
from host.play.clauses import Clause
from host.play.doubts import (
    DEPENDING,
    PAST,
    REPORTING,
    REQUEST,
    doubts,
    is_for_another_time,
    is_held_back,
    is_uncertain,
)
from host.play.forms import idea_of, words_of_doing
from host.play.prices import may_be_paid, priced
from host.play.seen import Seen
from host.play.values import THIS_ONE, bidden, concerns, in_their_order, is_strange, named_cards, values_in
from host.play.wordings import ARTICLES, NO, is_label_of_something, with_it, wordings

Kind = Literal["command", "turn of speech", "talk", "told", "unclear"]
"""A turn of speech is a command that neither a verb nor a number names; what is told is what somebody else does, or did."""
LONGEST = 200
"""Characters: in a longer clause only a command as it stands is looked for."""
MOST_WORDS = 30

LEADING_ON = pattern(
    r"^\s*(?:(?:(?:\d{1,2}|[a-h])[.)](?=\s)|[-*•·–+>]+(?=\s))\s*|(?:but|and|so|then|also|plus|anyway|anyhow|well|ah|oh|finally"
    r"|lastly|let me|let us|in that case|after that|p\.?s|i mean|i meant)\b(?! (?:only|not|if|unless)\b)[\s,:]+)+"
)
"""What numbers or leads on to a clause."""
_BECAUSE = pattern(
    r"(?<![\s,])[\s,]++(?:because|'?cause|cuz|bc|cos|coz|since|seeing (?:as|that)|so that|hoping|in the hope)\b.*+$"
)
_ASKING = ("can", "could", "may", "would", "might")
_BEFORE_ASKING = frozenset("please and so then ok okay well hi hello good evening morning".split())
_FOR_ME = pattern(
    r"\b(?:good old|(?:for|4|from|with) (?:me|u)|for \w+(?:'s|s)? sake|(?:of )?course|no doubt|by all means|that'?s left"
    r"|with (?:(?:my|best|kind|warm|all) )*(?:greetings|compliments|love|regards|wishes|pleasure|thanks)(?: from (?:me|us))?"
    r"|as always|as usual|(?:right|straight) away|no hard feelings|to (?:begin|start) with|for starters"
    r"|(?:from|on|for) my (?:side|part|end)|after all|(?:have|need|got|ought|going|has) to"
    r"|(?:(?:for|in|on) )?(?:hand|round) (?:no\.? ?|number )?(?:[1-9]|one|two|three|four|five)\b(?! of)"
    r"|(?:for|in|on) (?:my|the|this) (?:last|first|next|final) (?:hand|bet|round|turn|go)"
    r"|(?:for|as) (?:my|the) (?:first|next) (?:card|pick|flip|one)"
    r"|(?:for|in|on) this (?:hand|round|turn|time|go)|this (?:time|turn)|(?:all|just) the same"
    r"|(?:at any|in any|in the) (?:rate|case|end))\b"
)
"""Turns of speech that change nothing."""
_THE_LAST = pattern(r"\blast (?=(?:one|hand|round|card|chips?)\b)")
"""It is still to come."""
_WORD = pattern(r"[a-z']+|\d+")
_ASKS = pattern(
    r"^(?:(?:and|so|but|then|ok|well) )*"
    r"(?:(?:what|which|who|how|where)(?:'s|s)?(?: \w+)? (?:is|are|was|do|does|did|would|will|happens)|what's|where's|how's"
    r"|(?:should|shall|must|do|does|did|is|are|am|was) (?:i|we|you|he|she|it|they|that|this|there|\d+)"
    r"|(?:can|could|may) i(?= \w+$))\b"
)
"""It asks, though no mark tells so."""
_WONDERS = pattern(
    r"^(?:(?:and|so|but|then|ok|well) )*would "
    r"(?:(?:you|he|she|they) \w+(?: \d+)?(?: here| now)?$"
    r"|(?!you\b|it\b|that\b)\w+(?: \d+)? be (?!ok|fine|possible|al+ ?right|nice))"
)
"""It asks what another would do, or which is better, and for nothing: `would you fold`."""
_OPERATOR = pattern(
    r"(?<!\d)(\d{1,6}) ?[+*×÷] ?(\d{1,6})\b|(?<![\w>!])[≠≥≤><!](?![>!]) ?(\d{1,6})\b"
    r"|^(?:over|under|above|below|(?:more|less) than) (\d{1,6})\b"
)
_BESIDE_A_VERB = pattern(r"\b(?:on|with|hand|move|round|i'm|i am|i have|i hold|holding) (\d+)\b")
_NEEDED = pattern(r"\b(?:have|has|need|got|ought) to\b|\bneedn't\b|\bfor (?:this|that|it)\b")
"""Of what need not be done, nothing is said; `I won't stand for this`."""
_OF_ANYTHING = ("more", "no more")
"""Ideas that may be about anything: `one more beer`."""
_STAYS = pattern(r"\b(?:stays?|leave|let|keep) (?:it )?(?:right )?(?:there|where|lie|on (?:the|its|space))\b")
"""A card is left on the table, or is it kept?"""
_LETS_SEE = pattern(r"\b(?:let'?s|let me|lemme) see\b")
_HAD_BETTER = pattern(r"\bi(?:'d| had) better\b(?! (?:luck|cards?|hands?|odds|chances|days|times|than)\b)")
_ALLOWED = pattern(
    r"\b((?:smallest|least|lowest|minimum|most|maximum|highest|biggest)(?: (?:bet|raise|stake|amount|sum))?)(?: that)?"
    r" (?:(?:you|i|we) (?:(?:can|may|will|would) )?(?:take|allow|accept|permit|bet|raise)|is (?:allowed|possible))(?=\W*$)"
)
"""`The smallest raise you allow`."""
_SLURRED = {"gimme": "give me", "lemme": "let me", "wanna": "want to", "gonna": "going to", "gotta": "have to"}
_COUNTED = pattern(r"\b(?:twice|two times|2 times|2x|x ?2|thrice|three times|3 times|3x|x ?3)\b")
_THEM = pattern(r"\b(?:them|these|those)\b(?! \w+ (?:is|are|were))")
_NUMBER_ONE = pattern(r"\b(?:1|1st|first|(?:number|space|square|box|spot|place|card) one)\b(?! more)")
_THIS_CARD = pattern(r"\b(?:this|that) card\b")
_AS_A_PERSON = pattern(
    r"\b(put|place|take|keep|set|lay|have|leave|send|stick|discard|with|[a-z]+ing) (?:him|her|them)\b(?! \w+ (?:card|slot))"
)
"""A court card is a person."""
_ANY_CARD = pattern(r"(?i)\b(?:an?|any) (?:new )?card\b")
_ASIDE = pattern(r"\(([^()]*)\)")
_NO_SUM = pattern(r"\bno \$?\d[\d,.]{2,}")
"""`no 5` may be number five, `no 2500` is none."""
_RANGE = pattern(r"\d ?[-/] ?\d")
"""`20-30`, a date, a telephone number."""
_A_RANK = pattern(r"\ban? (?:[2-9]|10|two|three|four|five|six|seven|eight|nine|ten)\b(?! (?:card|flip))")
"""Of what is numbered there is one: `I want a 9` is a wish for a card."""
_NO_SET_OFF = pattern(r"no\s*[.:–—-]+\s*(?=\w)")
_HAVING = pattern(r"(?:i|we)(?:'ve| have| still| got| see| hold)+ (?:the )?(?=\w)")
_GOT_A = pattern(r"\b(?:got|had|missed) an? (\w+)")
_THE_NUMBER = pattern(
    r"\b(?:the|this|that) (?:(?:open|shown|visible|uncovered|(?:face|turned)[- ]up) )?"
    r"(10|[2-9]|two|three|four|five|six|seven|eight|nine|ten)\b(?! of)"
)
_DENYING = frozenset("not don't dont won't wont".split())
"""Of negations those that say what somebody does not want: `I can't stand this` says something else."""
_AT_AN_HOUR = pattern(r"\b\d{1,2}(?:[:.]\d\d)? ?[ap]\.?m\b")
_TO_A_NUMBER = pattern(r"\bto\s+\S*\d")
"""`Raise to 60` says what it comes to, and no more what is added."""
_TELLERS = frozenset("i we i've we've had have".split())
_OF_ONESELF = frozenset("i i'll i'd we we'll".split())
_OTHERS = frozenset("he she they you he's she's they're you're".split())
_LEAVING = tuple("for from give let deal send".split())
"""Words before whoever is given something, or left to do it."""
_HER_OWN = pattern(r"\b(?:for|from) her(?= [a-z])")
"""`for her sake`."""
_UNTIL = pattern(r"\b(?:until|till|til)\b")


@dataclass(frozen=True)
class Judged:
    """A clause judged: its kind, the commands that it means in canonical words, how often, and whether as it stands."""

    kind: Kind
    command: str = ""
    times: int = 1
    is_literal: bool = True

    @property
    def verb(self) -> str:
        """The verb of the command, empty where there is none."""
        return self.command.partition(" ")[0]


UNCLEAR, TALK, TOLD = Judged("unclear"), Judged("talk"), Judged("told")


def judge(clause: Clause, seen: Seen) -> Judged:
    """The kind of a clause, and its command."""
    key = (clause.fragment, clause.typed if clause.is_respelt else "", clause.is_question)
    if key not in seen.judged:
        found, folded = _judge(clause, seen), plain(clause.fragment)
        is_open = bool(found.command) and (
            _may_be_another(found.command, clause.fragment, seen)
            or _was_open(clause, found.command, seen)
            or _is_for_somebody(folded, found.command, seen)
            or is_for_another_time(folded)
            or _has_its_number_from_beside(folded, found.command, seen)
            or _has_an_operator(folded, found.command)
        )
        seen.judged[key] = UNCLEAR if is_open else found
    judged: Judged = seen.judged[key]
    return judged


def _has_an_operator(folded: str, command: str) -> bool:
    """Is a number of the command said with a sign, or a word, that makes another of it: `2+3`, `over 5`, `≠5`?"""
    found = _OPERATOR.finditer(folded)
    signs = (each for each in found if each[1] is None or each[1] != each[2])  # `5+5` is a bet and a blind
    numbers = {value for each in signs for value in each.groups() if value}
    return not numbers.isdisjoint(command.split()[1:])


def _has_its_number_from_beside(folded: str, command: str, seen: Seen) -> bool:
    """Is the number before the verb none of its values: `with 13 raise`, `hand 30, raise`?"""
    beside = _BESIDE_A_VERB.search(folded)
    value = command.rpartition(" ")[2]
    return beside is not None and beside[1] == value and any(map(seen.verb_named, tokens(folded[beside.end() :])))


def _was_open(clause: Clause, command: str, seen: Seen) -> bool:
    """Is it left open by what slips were put right in (`20 Nov`, `3000-ish`), or by an aside (`pick 5 (test)`, `low (high)`)?"""
    is_undone = clause.is_respelt and doubts("not_done").search(plain(clause.typed)) is not None
    asides = _ASIDE.findall(plain(clause.fragment))
    is_denied = any(is_uncertain(each) or not frames().negations.isdisjoint(tokens(each)) for each in asides)
    said = (judge(Clause(part, part), seen).command for each in asides for part in each.split(":"))
    return is_undone or is_denied or any(_is_instead(each, command, seen) for each in said)


def _is_instead(other: str, command: str, seen: Seen) -> bool:
    """Is it another command that can be given now, and no other word for its value (`bet 2500 (half)`)?"""
    verb, _, value = other.partition(" ")
    is_of_words = command.startswith(verb) and value.isalpha()
    return verb in seen.verbs and other != command and not is_of_words


def _is_for_somebody(folded: str, command: str, seen: Seen) -> bool:
    """Is a move told of somebody else, or left to them: `card 5 for Bob`, `a yes from Cleo`, `let her play`, `keep it Cleo`?"""
    if not seen.others or command.split()[-1] in seen.seat_words:
        return False
    said = tokens(folded)
    if seen.seat_words and any(
        word in seen.others and said[at] not in (",", "thanks") for at, word in enumerate(said[1:])
    ):
        return True
    text = f" {_HER_OWN.sub(' ', ' '.join(tokens(folded)))} "
    return any(f" {before} {each} " in text for before in _LEAVING for each in (*seen.others, "him", "her", "them"))


def _may_be_another(command: str, fragment: str, seen: Seen) -> bool:
    """May `the 7` be a card that lies open, and so another command than the number; `one more card`, `20-30` no number at all?"""
    folded = plain(fragment)
    return (
        _NO_SUM.search(folded) is not None
        or ("1" in command.split() and _is_no_number(folded, command, seen))
        or (_RANGE.search(folded) is not None and not seen.parsed(fragment))
        or (_A_RANK.search(folded) is not None and "number" in seen.words.row(command.split()[0]).kinds)
        or (bool(seen.cards_at_hand) and _STAYS.search(folded) is not None)
        or _is_told(folded, command, seen)
        or _is_a_card(folded, command, seen)
        or ("put" in folded and may_be_paid(command, tokens(folded), seen))
        or (len(command.split()) > 3 and not in_their_order(tokens(folded), seen))
    )


def _is_told(folded: str, command: str, seen: Seen) -> bool:
    """Does it tell of a move or a card (`nice call`, `got a call`, `I still have Ks`), or deny the move (`no: raise`)?"""
    if any(_is_told_of(before, word, seen) for before, word in pairwise(tokens(folded))):
        return True
    no, having, got = _NO_SET_OFF.match(folded), _HAVING.match(folded), _GOT_A.search(folded)
    is_held = bool(having and values_in(folded[having.end() :].split()[0], seen)) and not seen.takes_value
    is_other = seen.parsed(folded[no.end() :] if no else "") not in ("", command)
    return is_held or is_other or bool(got and seen.verb_named(got[1]))


def _is_a_card(folded: str, command: str, seen: Seen) -> bool:
    """Is the number of a place also the rank of a card that lies open, in another place?"""
    said = _THE_NUMBER.search(folded)
    rank = RANK_WORDS[said[1]] if said else ""
    if not rank or any(card[0] == rank for card in seen.cards_at_hand):
        return False
    cards = (seen.parsed(f"{command.split()[0]} {rank}{suit}") for suit in SUITS)
    return any(found not in ("", command) and len(found.split()) == len(command.split()) for found in cards)


def _is_told_of(before: str, word: str, seen: Seen) -> bool:
    """Does a word name a move that is not made: `too low`, `nice bet 3000`, `I folded then`?"""
    is_past = before in _TELLERS and word.endswith("ed") and seen.base(word) != word
    is_judged = before == "too" or before in frames().praise
    return is_past or (is_judged and bool(seen.verb_named(word) or seen.move_named(word)))


def _is_no_number(folded: str, command: str, seen: Seen) -> bool:
    """Does `one` stand for a thing, sooner than for the place that is so numbered?"""
    is_place = command.split()[0] not in seen.verbs or any(
        choice.spot and choice.say[-1] == command for choice in seen.offered
    )
    is_numbered = "one" not in tokens(folded) or _NUMBER_ONE.search(folded) or words(folded) == ("1",)
    if any(value == "1" and phrase in folded for phrase, value in seen.phrases.items()):
        return False  # `the top left one`
    return bool(THIS_ONE.search(folded)) or (is_place and not is_numbered)


def _judge(clause: Clause, seen: Seen) -> Judged:
    fragment = seen.with_seats(clause.fragment)
    if seen.cards_at_hand:
        fragment = _AS_A_PERSON.sub(r"\1 it", _THIS_CARD.sub("it", _ANY_CARD.sub("another card", fragment)))
    folded = plain(fragment)
    if is_free_text(folded, seen):
        is_put_off = not clause.begins and says_none(folded)  # `Off to the kitchen, answer follows`
        return UNCLEAR if is_put_off else _of_free_text(fragment, seen)
    asks = (clause.is_question or bool(_ASKS.match(folded))) and not _is_request(folded, seen)
    asks = asks or _WONDERS.match(folded) is not None
    command = "" if asks else seen.parsed(fragment)
    if len(fragment) > LONGEST:
        return Judged("command", command) if command else TALK
    is_label = is_label_of_something(folded, seen)
    verb = command.partition(" ")[0]
    is_other = verb not in seen.verbs and verb not in words(folded)  # `I take 1,875` for a bet
    is_other = is_other and (seen.takes_value or bool(priced(tokens(folded), seen)))
    if command and not is_other and not is_label and not is_uncertain(folded):
        return _judged(command, folded, seen, is_literal=True)
    text = LEADING_ON.sub("", _THEM.sub("it", _in_full(folded)))
    text = _FOR_ME.sub(" ", REQUEST.sub("please", _BECAUSE.sub("", text).strip()))
    said = tokens(text)
    is_manifold = fragment in seen.manifold  # with a word less it may be one: `attack the king with the ace`
    is_open = asks or is_manifold or is_uncertain(text) or is_held_back(folded)
    denying = said[1:] if said and said[0] in NO else said
    is_blocked = (
        is_open or is_label or not frames().negations.isdisjoint(denying) or is_idle(REQUEST.sub("please", folded))
    )
    served = bidden(said, seen) if not is_open else ""
    if served and served == seen.parsed(text.strip()):
        return Judged("command", served, is_literal=False)  # `you draw the numbers for me`
    price = "" if is_blocked else priced(said, seen)
    if price:
        return Judged("command", price, is_literal=False)
    found = None if is_blocked or _has_slip_of_two(said, seen) else _framed(text, said, seen)
    found = found or (None if is_open or is_label or _NEEDED.search(folded) else _of_two(said, seen))
    if found or is_label:
        return found or TALK
    idea = "" if is_open and not _is_to_the_end(text, asks) else _turn_of_speech(text, said, seen)
    if idea:
        return Judged("turn of speech", idea, is_literal=False)
    return _without_command(said, seen)


def _is_to_the_end(text: str, asks: bool) -> bool:
    """Is `until` no condition here: `fight till it's over`?"""
    return not asks and idea_of(text) == "to the end" and not is_uncertain(_UNTIL.sub(" ", text))


def _turn_of_speech(text: str, said: Sequence[str], seen: Seen) -> str:
    """The command that a turn of speech is here; what is not wanted, or not now, wants no more."""
    is_bygone = not frames().bygone.isdisjoint(tokens(_THE_LAST.sub(" ", text)))
    ways = (text, *(" ".join(with_it(said, card)) for card in seen.cards_at_hand))
    idea = None if is_bygone else next((found for way in ways if (found := idea_of(way))), None)
    is_denied = not frames().negations.isdisjoint(said) and idea in ("more", "go along", "to the end")
    is_denied |= idea == "no more" and _is_of_none(said, seen)
    strange = (word for word in said if word not in words_of_doing() and is_strange(word, seen))
    is_of_else = idea in _OF_ANYTHING and any(strange)
    command = "" if is_denied or is_of_else else seen.behind(idea)
    if idea in ("enough", "leave") and not all(map(seen.parsed, (f"{command} {each}" for each in _amounts(said)))):
        return ""  # `stand on 17`, of who holds 12, is for later
    return command if command.partition(" ")[0] in seen.verbs else ""


def _amounts(said: Sequence[str]) -> Iterator[int]:
    """The numbers that are said, but for those of cards (`two cards are enough`), and a `one` that is a thing."""
    for word, behind in zip(said, (*said[1:], ""), strict=True):
        value = number(word)
        if value is not None and value > 1 and not behind.startswith("card"):
            yield value


def _is_of_none(said: Sequence[str], seen: Seen) -> bool:
    """Is it a move that wants nothing of which there is to be no more: `no more stopping`?"""
    wanting_none = {each.split()[0] for each in seen.negative}
    return any(seen.verb_named(word) in wanting_none for word in said if word not in frames().negations)


def _of_free_text(fragment: str, seen: Seen) -> Judged:
    """An answer behind its verb: all of it is text."""
    command = seen.parsed(fragment)
    verb, _, text = command.partition(" ")
    if command and seen.prompt and verb == seen.answer_verb:
        return Judged("command", seen.answering(behind_its_word(text, seen.prompt)) or command)
    return Judged("command", command) if command else UNCLEAR


def is_free_text(folded: str, seen: Seen) -> bool:
    """Does a verb with free text behind it begin a clause?"""
    return folded.startswith(tuple(seen.text_verbs)) and folded.split()[0].strip(":") in seen.text_verbs


def _in_full(folded: str) -> str:
    """`gimme 5` as `give me 5`."""
    said = _HAD_BETTER.sub("i will", _LETS_SEE.sub("let me", _ALLOWED.sub(r"\1", folded)))
    return " ".join(_SLURRED.get(word, word) for word in said.split(" "))


def _is_request(folded: str, seen: Seen) -> bool:
    """`Can I have 7?`, `could mine go low, please?`: asked, and meant. `Can I call?` asks whether it is allowed."""
    found = _WORD.findall(folded)
    begins = next((word for word in found if word not in _BEFORE_ASKING), "")
    if begins not in _ASKING:
        return False
    has_value = any(word[0].isdigit() or word in NUMBER_WORDS or word in seen.words.values for word in found)
    content = [word for word in words(folded) if word not in frames().neutral]
    return has_value or len(content) > 1 or not {"please", "another"}.isdisjoint(found)


def _has_slip_of_two(said: Sequence[str], seen: Seen) -> bool:
    """Is there a slip that may be one of two words?"""
    try:
        respell(said, seen.lexicon, seen.known)
    except Ambiguous:
        return not seen.takes_text
    return False


# In a frame


def _framed(text: str, said: Sequence[str], seen: Seen) -> Judged | None:
    """The command in a clause of which nothing else is left but what surrounds one; None for none."""
    if len(said) > MOST_WORDS or _is_talked_about(said, text, seen) or _TO_A_NUMBER.search(text):
        return None
    counted = _COUNTED.search(text)
    if counted:
        command = seen.parsed(f"{text[: counted.start()]}{text[counted.end() :]}".strip())
        times = 3 if "3" in counted[0] or "th" in counted[0] else 2
        verb = command.partition(" ")[0]
        is_one = command and len(command.split()) < 3  # `rock, paper x2` may be two papers
        is_one = is_one and verb in seen.words.row(verb).followed_by  # not so `bet twice the minimum`
        return Judged("command", command, times, is_literal=False) if is_one else UNCLEAR if command else None
    later = ""
    for form in wordings(text, said, seen):
        command = seen.parsed(form)
        if command.partition(" ")[0] in seen.verbs:
            return _judged(command, text, seen)
        later = later or command
    if later:
        return _judged(later, text, seen)
    agrees = yes_or_no(text) if len(said) <= 3 and not seen.takes_text else ""
    command = seen.parsed(agrees)
    named = {verb for word in words(text) if word != agrees and (verb := seen.verb_named(word))}
    is_agreed = bool(command) and named <= {command.split()[0]}
    return Judged("turn of speech", command, is_literal=False) if is_agreed else None


def _judged(command: str, text: str, seen: Seen, is_literal: bool = False) -> Judged:
    """A command with its kind: one for later has to be named by its verb, or by a value."""
    found = words(text)
    verb = command.split()[0]
    has_value = any(word[0].isdigit() or read_card((word,)) for word in found)
    is_sum = any(len(value) > 2 and value in seen.figures for value in command.split()[1:])
    if verb not in seen.verbs and verb not in found and (is_sum or not has_value):
        return UNCLEAR  # `I'll take 1,250`, which is offered
    is_bare_word = len(found) == 1 and found[0] in seen.words.values
    is_named = has_value or (is_literal and not is_bare_word) or any(map(seen.move_named, found))
    return Judged("command" if is_named else "turn of speech", command, is_literal=is_literal)


def _is_talked_about(said: Sequence[str], text: str, seen: Seen) -> bool:
    """Does somebody else act, is it some other time, is a move praised (`nice call`)?"""
    is_of_others = not set(said).isdisjoint(frames().others | frames().bygone) or _AT_AN_HOUR.search(text)
    if is_of_others or is_idle(text) or said[:1] == ("you",):
        return True
    if len(said) > 2 and said[0] in THANKS and said[1] == "for":
        return True
    is_of_none = not said or (said[0] not in seen.lexicon and not any(map(seen.verb_named, said)))
    if "for" in said and is_thankful(text) and is_of_none:
        return True
    return any(
        (
            seen.verb_named(word)
            and (before in frames().praise or before == "you" or before in first_names() or before in seen.names)
        )
        or (seen.verb_named(before) and word == "you")
        for before, word in pairwise(said)
    )


def _of_two(said: Sequence[str], seen: Seen) -> Judged | None:
    """Where one of two moves is all that can be given, a plain no to one of them is the other: `I won't raise this one`."""
    ways = seen.first_verbs
    if len(ways) != 2:
        return None
    around = frames().neutral | frames().nouns | frames().negations | frames().light | seen.card_words
    content = [word for word in words(" ".join(said)) if word not in around]
    if {"sure", "think", "kind", "better", "today", "tonight", "now"}.intersection(said) or said[:1] == ("please",):
        return None  # `I'm not sure I want to call`, `no play today`, `please don't fold for me`
    denied = sum(word in _DENYING for word in said) + _is_no_to(said, ways, seen)
    is_told = _is_talked_about(said, " ".join(said), seen)
    named = [(at, verb) for at, word in enumerate(said) if (verb := _way_named(word, ways, seen))]
    noes = [at for at, word in enumerate(said) if word in _DENYING]
    if len(noes) == 1 and len({verb for _, verb in named}) == 2:  # `draw not keep`, `don't keep draw`
        refused = next((verb for at, verb in named if at > noes[0]), "")
        meant = next(verb for verb in ways if verb != refused)
        is_plain = bool(refused) and not (is_told or "you" in said) and not set(content) - {said[at] for at, _ in named}
        return Judged("command", meant) if is_plain and not seen.words.row(meant).takes_value else UNCLEAR
    if denied != 1 or len(content) != 1 or is_told or "you" in said or seen.move_named(content[0]) not in ways:
        return None
    meant = next(verb for verb in ways if verb != seen.move_named(content[0]))
    return None if seen.words.row(meant).takes_value else Judged("command", meant, is_literal=False)


def _way_named(word: str, ways: Collection[str], seen: Seen) -> str:
    """Which of the moves does a word name, be it as common as `keep`?"""
    base = seen.base(word)
    return base if base in ways else seen.verb_named(word) if seen.verb_named(word) in ways else ""


def _is_no_to(said: Sequence[str], ways: Collection[str], seen: Seen) -> bool:
    """Does it begin with a no to one of the moves, in a word that names it: `no raise from me`?"""
    return len(said) > 1 and said[0] == "no" and seen.words.head(said[1], seen.phase) in ways


# Talk


def _without_command(said: Sequence[str], seen: Seen) -> Judged:
    """Talk, what is told of somebody, or what may mean a move and has to be asked about."""
    before, subject = next(
        ((before, word.removesuffix("'s")) for before, word in pairwise(("", *said)) if word not in frames().neutral),
        ("", ""),
    )
    is_name = before not in ARTICLES and (subject in seen.names or seen.words.is_first_name(subject))
    is_told = is_name or subject in _OTHERS or not PAST.isdisjoint(said)
    if bidden(said, seen):
        return UNCLEAR
    if said[-1:] == (":",) and frames().negations.isdisjoint(said) and not values_in(" ".join(said), seen):
        return TALK  # `I place them as follows:`
    depends = bool(said) and said[0] in DEPENDING
    if is_told and len(said) > 1 and REPORTING.isdisjoint(said) and not depends:
        return TOLD
    names_move = any(map(seen.verb_named, said))
    is_wish = is_own_wish(said, seen) or (names_move and not REPORTING.isdisjoint(said))
    is_doubt = not frames().uncertain.isdisjoint(said) and (names_move or bool(values_in(" ".join(said), seen)))
    return UNCLEAR if is_wish or is_doubt or depends or concerns(said, seen) or named_cards(said, seen) else TALK


def is_own_wish(said: Sequence[str], seen: Seen) -> bool:
    """Does somebody say of themselves, in no strange word, what they do: `I keep him this time`?"""
    does = len(said) > 1 and said[0] in _OF_ONESELF and frames().negations.isdisjoint(said)
    is_now = does and seen.base(said[1]) == said[1]  # not `I kept it`
    return is_now and bool(seen.move_named(said[1])) and not any(is_strange(word, seen) for word in said)
