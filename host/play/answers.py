"""Pure: an answer in free text. In: the lines of a mail, the question, the players' names. Out: what is answered, if it is plain.

Greetings, thanks, doubt, labels, the words of the question and a signature are no part of an answer: they come off. What asks,
excuses or tells a story is none; where two things may be the answer, or none is, the writer is asked.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from host.engine.grammar import is_polite, is_social, is_thankful, number, tokens, words
from host.engine.words import FILLERS, first_names, foreign_numbers, frames, pattern, plain, table

LONGEST = 9
"""Words: what is longer is no answer that somebody typed without the word answer."""
SHORT = 4
"""Words: a sentence of fewer may be the answer beside one that begins as one does, or tells a story (`Six. It's late.`)."""
_ANSWERS = pattern(r"\b(?:answers?|guess|say|bet|response|solution)\b")
_NAMED = pattern(r"\banswer(?:'s|:| (?:is|was|(?:must|would|has to|should|can only) be)\b)|\bmy answer\W*$")
MOST_READ = 1_000
"""Characters of a mail in which an answer is looked for; what is longer is asked about."""
LONGEST_GUESS = 4
"""Words: `what is Paris?` may be meant as an answer, what is longer and asks is a question."""

_SENTENCE = pattern(
    r"\n+|(?<!\b[A-Z]\.)(?<!\b[A-Z][a-z]\.)(?<!\b[A-Z][a-z]{2}\.)(?<=[.!?…])(?<!\d\d\.(?=\s[a-z]))\s+(?=\S)"
    r"|(?<=\w:)\s+(?=(?:[Ii]t'?s|[Ii]t is|[Tt]he answer|[Mm]y)\b)"
    r"|(?<=\w),\s+(?=so: |(?:so|hence) (?:[Ii](?:'[md]|'ll)? (?:say|go|guess|take|pick|choose|answer)|my|the answer|it'?s)\b)"
    r"|(?<=\w)\s+(?=so (?:the (?:answer|word|name)|it)(?:'s| is)\b)"
    r"|(?<=\w),\s+(?=(?:[Mm]y|[Tt]he) answer\b|[Ii](?:'[md]|'ll)? (?:say|guess|think) (?!so\b|it\b)\w+(?: \w+){0,2}[.!]*$)"
)
"""Between sentences, and before what follows from one; a capital and a full stop are an initial, or a title."""
_LABEL = pattern(
    r"^(?:(?:option|letter|choice|number)\s+)?\(?([a-hA-H])\)?(?:[).:,]+\s*|\s+[-–]\s+)(?=\S)|^answer\s+\(?[a-hA-H]\)\s+"
)
_LETTER = pattern(
    r"(?:(?:is|it's|it is|the|my|answer|option|letter|choice) )*\(?([a-z])[).]*+"
    r"(?:,? (?:and )?not \(?[a-z][).]*+)?(?: (?:please|thanks))?[!.]*+"
)
"""The letter of a choice, alone or with a word for it."""
_ARROW = pattern(r"^.{1,30}?\s*(?:[-=]+>|→|⇒)\s*(?=\S)")
_LABELLED = r"(?<!\w)\(?{}\)?\s*[).:]\s*(.+?)(?=\s*(?:[,;/]\s*)?\(?\b[a-hA-H]\)?\s*[).:]\s|[?.]?\s*$)"
_ASIDE = pattern(r"(?<=\S)\s*[(\[][^()\[\]]*[)\]]|(?<!\s)\s++[:;=]-?[()dp]+(?=\s|$)|[^\w\s.,;:!?'\"’()$€£%°&+/*=<>@-]+")
_OR_ELSE = pattern(
    r"[(\[][^()\[\]]*(?:\?|\b(?:or|maybe|not|no|i mean|rather)\b)|[(\[](?:sorry|it'?s|it is|that is)\b|\d ?[(\[] ?\d+ ?[)\]]"
)
_PUTS_RIGHT = pattern(
    r"\W*(?:sorry|oops|typo|correction)\b[,:;.! ]*(?:typo[,:; ]*)?(?:it'?s |it is |i meant |the |make it )*"
    r"(?!for\b|about\b|i\b|to\b|it\b|this\b|that\b|late\b|my\b|but\b|if\b|we\b|no\b|not\b)[\w'-]+(?: [\w'-]+){0,2}[.! ]*"
)
"""A line that puts right what stood above it: `Sorry, it's the Seine`."""
_TAIL = pattern(
    r"(?<!\s)(?:[,;]\s*+|\s++[-–—]\s++|\s++)(?:and )?"
    r"(?:(?<=[,;–—-]\s)|(?<=[,;–—-])|(?=but\b|because\b|since\b|if (?:i|my)\b|as i\b|the one (?:with|who|from)\b))"
    r"(?:i|i'[a-z]+|we|my|our|he|she|they|you|but|because|cause|since|though|although|unless|if|as i|so i|bless|right|thanks?"
    r"|cheers|please|of course|obviously|no doubt|for sure|final answer|lol|haha|[a-z]+n't (?:it|he|she|they|that)"
    r"|correct|hope|hopefully|about|[a-z]+ing (?:in|on|at|from|to|the|a|my|it)"
    r"|(?:(?:an?|quite|such|too|so) )*(?:easy|simple|tough|tricky|hard|nice) (?:one|question)"
    r"|which|what (?:they|we|i|he|she|else)|that'?s|the one|the \w+ (?:one|thing)|not that"
    r"|in case)\b.*$",
)
"""What is added behind an answer, set off by a comma or a dash: a story, doubt, courtesies, more of it than was asked."""
_OPEN_END = pattern(r"\b(?:is|are|was|were|be|the|of)\W*$")
"""Behind these words the answer is still to come."""
_TAKES_BACK = pattern(
    r"\bno,? (?:wait|hang|hold|that|it|make)|\bwait\b|\bi mean|\bactually\b|\brather,|\bmake (?:that|it)\b"
    r"|\bscratch\b|\bcorrection\b|\boops\b"
    r"|\b(?:if|unless|otherwise)\b(?! (?:i|my) )|[.!?] sorry, (?!for\b|about\b|i\b)\w+(?: \w+)?[.!]*$"
    r"|(?<=\w)\s*[,.;:–—-]+\s*no,? (?!doubt|idea|clue|thanks?\b|worries|problem|question|matter|need|rush)\w"
    r"|\b(?:don't|do not) (?:lock|count|judge|enter)\b|\bbut let me\b|\blet me check\b"
    r"|\bwant(?:ed)? to say\b.*\bbut\b|\bbut (?:the answer|i(?:'ll)? (?:say|go with|answer))\b"
    r"|\b(?:was|were) (?:going|about) to (?:say|answer|write|guess|go)\b"
    r"|\bmy (?:first |initial )(?:guess|answer|thought|idea) was\b(?! right)|\bmy (?:guess|answer) was\b.*\b(?:but|now)\b"
    r"|\bi (?:was )?(?:first )?th(?:inking|ought) (?:of )?\w.*\bbut\b"
)
"""Words that may take an answer back, or on which it depends."""
_PIECE = pattern(r"(?<!\s)(?:\s*+[,;:]\s++|\s++[-–—/]++\s*+)|[!…]\s++")
"""Between the pieces of a sentence, of which those at its ends may be courtesies."""
_REPORTS = pattern(
    r"^(?!(?:i|we)\b)(?:(?:my|our|the|most|some) )?[\w-]+ (?:says?|said|thinks?|thought|reckons?|told (?:me|us)"
    r"|would (?:say|answer))\b(?= \w)",
    re.IGNORECASE,
)
"""What somebody else says is no answer of the writer's."""
_ASKS = pattern(r"(?:who|what|where|when|why|how|which|can|could|may|do|does|did|will|would|should|is|are|am|shall)\b")
_ASKS_MORE = pattern(
    r"(?:how (?:many|much|long|old|do|does|did)|which (?!is|way|was)\w+(?=\W*$)"
    r"|(?:can|could|do|does|did) (?:i|you|we|they|he|she))\b"
)
"""With these a question begins, however short; `what is Paris?` may be meant as an answer."""
_ASKS_LEAVE = pattern(r"(?:can|could|may|should|shall|must|do|did|am) i\b")
_ASKS_NUMBER = pattern(r"\b(?:years?|when|how (?:many|much|old|long|far|high)|numbers?|date)\b")
_COUNTS = pattern(r"\bhow (?:many|much|old|long|far|high|tall)\b|\b(?:which|what) (?:year|number)\b")
_SPELT = pattern(r"(?<![\w-])(?:[A-Za-z]-){2,}[A-Za-z](?![\w-])")
_COPULA = pattern(
    r"^(.+?)\s+(?:is|are|was|were|is called|are called|would be|must be|has|have|had|means?|=|[-–—])\s+(.+)$"
)
_WHAT_OF = pattern(r"(?:the )?([a-z]+) of \w")
"""`The capital of Hungary`, where a capital is asked for."""
_BESIDE = pattern(
    r"[,;:!?…–—@]|\s-|://|n't\b|\b(?:i|i'\w+|my|our|we|me|you|your|he|she|they"
    r"|host|is|are|was|were|do|does|did|can|could|will|would)\b"
)
"""In an answer of a few words: a remark, an address, somebody who speaks, or a sentence of its own."""
_CHOICES = pattern(r"[,:;?]\W{0,5}\w|\bor\b|\(")
"""In a question whose words may be an answer to it."""
_LIST = pattern(r"\w+(?: \w+)?,(?: \w+(?: \w+)?,)* (?:and )?\w+(?: \w+)? and \w+(?: \w+)?")
_WORD = pattern(r"\w+(?:'\w+)*")
_SMALL = frozenset(
    "the a an of in on at is are was were for to and called it its my your this that be been one name".split()
)
_PREPOSITIONS = frozenset("in on at by from for to".split())
_BETWEEN = pattern(r"\b(?:between|from) [\w-]+ (?:and|to) |\w{3} ?/ ?\w{3}")
"""Of two, or of all between them, one is to be taken."""
_FEW = frozenset("none zero no half both pair couple hundred thousand million infinite".split())
_TALKING = frozenset(
    "i i'm im i'll i've i'd me you don't can't won't please sorry thanks let wait hang hold we".split()
)


_YES_OR_NO = pattern(
    r"(?:^|[.,:] )(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|true or false)\b[^.]*$"
)
"""A question that a no answers."""


_HUNDRED_AND = pattern(r"(?i)\b(hundred|thousand|million) and\b")


@dataclass(frozen=True)
class Answer:
    """An answer: `text`, where it is plain; else whether there may be one (`is_possible`), and whether the mail asks (`asks`).

    `is_named`: it is called the answer (`my answer is six`).
    """

    text: str = ""
    is_possible: bool = False
    asks: bool = False
    is_named: bool = False


@cache
def _forms(name: str) -> re.Pattern[str]:
    """A pattern of the forms that stand before an answer, behind it, or in what is none."""
    forms = "|".join(table("host.play", "answers.toml")[name])
    if name == "before":
        return re.compile(rf"^(?:{forms})(?:\b|(?<=[:,]))[\s,:.!…-]+(?=\S)")
    return re.compile(rf"[\s,.!?…-]+(?:{forms})[.!?\s]*$" if name == "behind" else forms)


def answer_in(lines: Sequence[str], prompt: str, names: Collection[str]) -> Answer:
    """The answer to the question `prompt` among lines that hold no command. `names` are the players', folded."""
    if sum(map(len, lines)) > MOST_READ:
        return Answer()
    lines = [spelt_out(line) for line in lines]
    found = list(_sentences(lines, names))
    if len(found) == 1 and words(found[0]) == ("no",) and _YES_OR_NO.search(plain(prompt)):
        return Answer("no", True, is_named=True)
    asked = [each for each in found if _is_question(each)]
    candidates = [each for each in found if each not in asked]
    bare = {each: bared(_REPORTS.sub("", bared(each, prompt)), prompt) for each in candidates}
    led_in = [each for each in candidates if _is_led_in(each, bare[each])]
    declared = [each for each in led_in if len(bare[each].split()) <= SHORT and _TALKING.isdisjoint(tokens(bare[each]))]
    led_in = declared if len({bare[each] for each in declared}) == 1 else led_in
    typed = " ".join(lines)
    if is_social(typed) or is_thankful(typed):
        candidates = [each for each in candidates if not _is_name(bare[each], names)]  # `Thanks, Cleo`
    plainly = [each for each in candidates if not _is_talk(bare[each], each in led_in)]
    is_led = len(led_in) == 1 and not _is_talk(bare[led_in[0]], True)
    apart = [each for each in plainly if each not in led_in and len(each.split()) < SHORT]
    alone = [each for each in apart if not (each.startswith("(") or each.endswith(",") or _is_name(each, names))]
    is_weak = is_led and alone and not _ANSWERS.search(plain(led_in[0]))
    chosen = led_in if is_led and not is_weak else plainly
    said_twice = [each for at, each in enumerate(plainly) if bare[each] in {bare[other] for other in plainly[:at]}]
    chosen, alone = (said_twice, []) if len(said_twice) == 1 else (chosen, alone)
    readings = list(dict.fromkeys(bare[each] for each in (*(alone if is_weak else ()), *chosen)))
    is_reported = any(map(_REPORTS.search, plainly))
    is_open = (
        bool(asked)
        or is_reported
        or bool(_OR_ELSE.search(plain(typed)))
        or takes_back(typed)
        or any(_PUTS_RIGHT.fullmatch(plain(line)) for line in lines[1:])
        or any(says_none(each) for each in found)
    )
    is_open |= counts(prompt) and not any(map(has_number, readings))
    is_open |= any(_is_mislabelled(each, prompt) or _goes_against(each) for each in chosen)
    if len(readings) == 1:
        said = plain(readings[0].removesuffix(" here"))
        is_addressed = len(found) > 1 and any(plain(typed).rstrip(" .!").endswith(f"{said}, {name}") for name in names)
        is_open |= said in names or is_addressed or _says_nothing_new(readings[0], prompt)
    if len(readings) == 1 and not (is_open or _is_choice(readings[0])) and _is_bare(readings[0], names):
        return Answer(readings[0], True, is_named=any(each in led_in and _NAMED.search(plain(each)) for each in chosen))
    return Answer("", bool(readings or plainly), asks=bool(asked) and not readings)


def _goes_against(text: str) -> bool:
    """Does more than a doubt stand behind `but`: `Strange sentence, but you want Hogwarts`?"""
    behind = plain(text).rpartition(" but ")
    return bool(behind[1]) and not small_words().issuperset(tokens(behind[2]))


def _is_mislabelled(text: str, prompt: str) -> bool:
    """Does a label name another choice than the words behind it?"""
    label = _LABEL.match(text)
    choice = plain(_choice(label[1], prompt)) if label and label[1] else ""
    said = plain(text[label.end() :]).strip(" .!") if label else ""
    return bool(choice and said) and choice not in said and said not in choice


def _says_nothing_new(text: str, prompt: str) -> bool:
    """Are all words those of a question that names nothing to choose from, or such as make no answer? `The Who` is a title."""
    said = tokens(text)
    is_title = len(said) > 1 and text.istitle()
    is_empty = small_words().issuperset(said) and not (is_title or (counts(prompt) and has_number(text)))
    return is_empty or (set(tokens(prompt)).issuperset(said) and not _CHOICES.search(plain(prompt)))


@cache
def small_words() -> frozenset[str]:
    """Words of every other sentence, which make no answer by themselves."""
    sets = frames()
    listed = table("host.play", "answers.toml")["small"].split()
    around = sets.neutral | sets.negations | sets.uncertain | sets.others | sets.bygone
    return frozenset(listed) | _SMALL | _TALKING | FILLERS | around


def _is_bare(text: str, names: Collection[str]) -> bool:
    """Is it a name or a thing and nothing beside it: a few words, a title in capitals, a place and what it lies in?"""
    said = text.split()
    is_title = len(said) <= LONGEST and all(each[0].isupper() or each in _SMALL for each in said)
    is_list = _LIST.fullmatch(plain(text)) is not None
    is_short = len(said) <= SHORT and _BESIDE.search(plain(text)) is None
    return (is_title or is_list or is_short) and (len(said) == 1 or set(names).isdisjoint(tokens(text)))


def _sentences(lines: Sequence[str], names: Collection[str]) -> Iterator[str]:
    """The sentences of a mail without courtesies, and without a name at the end."""
    parts = (part for part in _SENTENCE.split("\n".join(lines)) if part and part.strip(" .,!?"))
    said = [(part, _set_free(part, names)) for part in parts]
    while len(said) > 1 and any(_is_name(each, names) for each in said[-1]):
        said.pop()
    for _, each in said:
        is_courtesy = is_polite(each) or (is_social(each) and len(tokens(each)) < 5)
        if not is_courtesy or len(said) == 1:
            yield each


def _set_free(sentence: str, names: Collection[str]) -> str:
    """A sentence without the courtesies, the names and the stories that stand at its ends, set off from the rest."""
    rest = sentence.strip()
    while found := list(_PIECE.finditer(rest)):
        first, last = found[0], found[-1]
        head, behind, before = rest[: first.start()], rest[first.end() :], rest[: last.start()]
        if " " not in head and " and " in rest:
            break  # a list
        if behind and (
            _is_aside(head, names) or _is_story(head, behind) or (first[0].startswith(":") and _is_told(head))
        ):
            rest = behind
        elif before and _is_aside(rest[last.end() :], names):
            rest = before
        else:
            break
    return rest


def _is_aside(piece: str, names: Collection[str]) -> bool:
    said = tokens(piece)
    is_addressed = len(said) < SHORT and bool(said) and said[0] in ("hi", "hello", "hey", "dear")
    return is_polite(piece) or is_social(piece) or is_addressed or plain(piece.strip(" .!")) in names


def _is_story(piece: str, behind: str) -> bool:
    """Does a piece tell something before what is short: `We learned this at school, six`?"""
    said = tokens(piece)
    is_telling = (
        len(said) >= SHORT - 1 and not _TALKING.isdisjoint(said) and not any(each.endswith("n't") for each in said)
    )
    return is_telling and len(behind.split()) < SHORT and not takes_back(piece) and not _is_led_in(piece, bared(piece))


def _is_told(piece: str) -> bool:
    """Is a piece before a colon more than a title, whose words have capitals: `Been there on our honeymoon: Paris`?"""
    said = piece.split()
    is_title = any(each.istitle() for each in said[1:])
    return len(said) >= SHORT and not (is_title or _ANSWERS.search(plain(piece)))


def _is_name(text: str, names: Collection[str]) -> bool:
    bare = plain(text.strip(" ,.-!"))
    return (
        bare in names
        or bare in first_names()
        or plain(text).startswith(("yours", "regards", "love", "best", "greetings"))
    )


def bared(text: str, prompt: str = "") -> str:
    """An answer without what only surrounds it; a label alone (`B`) is the choice that the question lists under it."""
    rest = " ".join(text.replace("’", "'").split())
    before = rest if len(rest) > MOST_READ else ""
    while rest != before:
        before = rest
        rest = _without(rest, prompt)
    return _choice(rest, prompt) or _in_digits(rest)


def behind_its_word(text: str, prompt: str) -> str:
    """An answer behind the word for it, as it is; a letter is the choice that it names, a number that is asked for in digits."""
    return _choice(text, prompt) or (_in_digits(text) if _ASKS_NUMBER.search(prompt.casefold()) else text)


def _in_digits(text: str) -> str:
    """A number in several words in digits (`twenty-nine`, `three hundred and sixty`), a year too (`nineteen eighty-nine`)."""
    apart = _HUNDRED_AND.sub(r"\1 ", text.replace("-", " "))
    said = words(apart)
    if not said or any(number(each) is None for each in said) or any(each.isdigit() for each in tokens(text)):
        return text
    is_year = len(said) == 2 and 10 <= int(said[0]) <= 20 and 10 <= int(said[1]) <= 99
    return "".join(said) if is_year or (len(said) == 1 and " " in apart.strip()) else text


def _without(text: str, prompt: str) -> str:
    folded = text.casefold()
    led = _forms("before").match(folded)
    if led and led.end() < len(text):
        return text[led.end() :].strip()
    tail = _TAIL.search(folded)
    if tail and tail.start() > 0 and not _OPEN_END.search(folded[: tail.start()]):
        return text[: tail.start()].rstrip(" ,;-–—")
    behind = _forms("behind").search(folded)
    if behind and behind.start() > 0:
        return text[: behind.start()]
    aside = _ASIDE.sub("", text).strip()
    if aside and aside != text:
        return aside
    label = _ARROW.match(text) or _LABEL.match(text)
    if label and label.end() < len(text) and "answer" not in folded[:6]:
        return text[label.end() :].strip()
    return _without_the_question(text.lstrip(" =:-–—>").strip(' ,;:!?…"“”').rstrip("."), prompt)


def _without_the_question(text: str, prompt: str) -> str:
    """`The capital of France is Paris`, `six sides`: the words of the question come off."""
    asked = {*_WORD.findall(prompt.casefold()), *_SMALL}
    found = _COPULA.match(text)
    for side, other in ((found[1], found[2]), (found[2], found[1])) if found else ():
        repeated, rest = set(_WORD.findall(side.casefold())), set(_WORD.findall(other.casefold()))
        named = _WHAT_OF.match(side.casefold())
        is_asked = repeated <= asked or (named is not None and named[1] in asked)
        if is_asked and "," not in side and repeated - _SMALL - frames().others and rest - asked:
            return other
    preposition, _, behind = text.partition(" ")
    if behind and preposition.casefold() in _PREPOSITIONS and plain(prompt).startswith(f"{preposition.casefold()} "):
        return behind  # `in Berlin`, where it is asked in which city
    said = words(text)
    is_counted = len(said) > 1 and number(said[0]) is not None and asked.issuperset(said[1:])
    return said[0] if is_counted and prompt else text


def _choice(text: str, prompt: str) -> str:
    """The choice that a question lists under a letter."""
    named = _LETTER.fullmatch(plain(text).strip()) if prompt else None
    if named is None:
        return ""
    upper = named[1].upper()
    found = pattern(_LABELLED.format(upper)).search(prompt)
    has_more = pattern(r"(?<!\w)\(?[A-H]\)?\s*[).:]\s").findall(prompt)
    return found[1].strip(" ,;") if found and len(has_more) > 1 else ""


def _is_led_in(typed: str, bare: str) -> bool:
    """Does it begin with words such as `my answer is`?"""
    return not plain(typed).startswith(plain(bare)[:20]) and not _LABEL.match(typed)


def _is_question(text: str) -> bool:
    folded = plain(text)
    if _ASKS_LEAVE.match(folded) or ("?" in text and _ASKS_MORE.match(folded)):
        return True
    return (
        bool(_ASKS.match(folded))
        and ("?" in text or not folded.startswith(("is ", "are ", "may ", "will ")))
        and len(folded.split()) > LONGEST_GUESS
    )


def _is_talk(text: str, is_led_in: bool) -> bool:
    """An excuse, a story: nothing to judge somebody by."""
    said = tokens(text)
    is_telling = not _TALKING.isdisjoint(said) or any(each.endswith("n't") for each in said)
    return says_none(text) or (is_telling and not is_led_in) or len(text.split()) > LONGEST + 3 * is_led_in


def says_none(text: str) -> bool:
    """Does it ask for time, or say nothing?"""
    return _forms("none").search(f" {plain(text)}") is not None


def takes_back(text: str) -> bool:
    """Are there words in it that may take an answer back, or on which it depends?"""
    return _TAKES_BACK.search(plain(text)) is not None


def spelt_out(text: str) -> str:
    """Letters between hyphens as the word that they spell: `R-O-C-K-E-T`."""
    return _SPELT.sub(lambda letters: letters[0].replace("-", ""), text)


def counts(prompt: str) -> bool:
    """Is a number the answer to a question?"""
    return _COUNTS.search(plain(prompt)) is not None


def has_number(text: str) -> bool:
    """Is there a number in it, in digits or in words?"""
    known = _FEW | foreign_numbers().keys()
    return any(each.isdigit() or number(each) is not None or each in known for each in words(text))


def _is_choice(text: str) -> bool:
    """Are two things named, of which one is to be taken?"""
    folded = f" {plain(text)} "
    is_between = _BETWEEN.search(folded) is not None
    return is_between or (
        len(folded.split()) > 1 and (" or " in folded or " no " in folded or folded.startswith(" not "))
    )
