"""Pure: words of doubt. In: a clause, folded. Out: is it left open what is meant, or is it not meant?

They are conditions, choices, and what says that something is not done, or not yet; most are data (`doubts.toml`).
"""

import functools
import re
from collections.abc import Sequence

from host.engine.grammar import tokens
from host.engine.words import frames, pattern, plain, table
from host.play.forms import BETWEEN_SENTENCES

REQUEST = pattern(
    r"\b(?:can|could|may|might) (?:i|we|you|mine|it|my|the)\b"
    r"|\bwould you (?:please |kindly )?be (?:so )?(?:good|kind)(?: enough)?(?: as)? to\b"
    r"|\b(?:mine|it|my \w+|that) should (?:be|go)\b|\bput me down for\b"
    r"|\bwould (?:you|it be (?:ok|okay|alright|all right|possible|fine)(?: to)?)\b"
    r"|\b(?:(?:i|we) )?(?:may|might) as well\b|\b(?:i|we) should (?:really )?like\b"
)
"""Words of doubt that are none: somebody asks for a move."""
COMES_ABOUT = r"(?:has|is|have|are|agrees?|says?|gets?|comes?|answers?|confirms?|knows?|pays?)"
"""What somebody else is waited for to do (`once Bob agrees`)."""
ALL_ELSE = pattern(r"\b(?:(?:every|any|some|no)(?:thing|body| ?one)|all|what|who|why) else\b")
"""Of others, and no condition."""
LIMITS = pattern(
    r"\b(?:but|and) (?:only|if|not|when|unless)\b|\b(?:all|none|nothing) but\b"
    r"|\b(?:any|every|each|which|what)\w*(?: (?:number|card|one|space|place|amount|other|of them))? but\b"
    r"|^(?:to )?\w+(?: \d+)? (?:is|would be|might be|looks|seems) (?:better|best|right|safer|wiser|smarter)(?: \w+)? but\b"
    r"|\bmeans?\b|\b(?:decide|deciding|torn|hesitating|choice|choose) between\b"
    r"|\b(?:i'd|i would|i want to|i wanted to) (?!rather|like|prefer|sooner)(?:\w+ ){1,6}but\b"
)
"""What is said in one piece: a condition, an exception, a wish that is not followed."""
DEPENDING = frozenset("if unless whenever whether otherwise depends depending provided".split())
PAST = frozenset("was were had did been went came saw got told".split())
REPORTING = frozenset("says say said thinks think thought wants want told tells reckons suggests".split())


_LATER = pattern(
    r"\b(?:tonight|tomorrow|later|this (?:evening|afternoon|weekend|week)|in the (?:morning|evening|afternoon)|till|until"
    r"|(?:over|after|before|during|from) (?:lunch|dinner|breakfast|supper|tea|work|school|home)|(?:after|before) (?:the|my) \w+"
    r"|(?:when|once|as soon as) (?:i|we|my|the)(?:'m| am|'ve| have| get)?|on \w+day)\b"
)
_NOT_NOW = pattern(
    r"\b(?:in|on|at|for|from|until|till) (?:the )?(?:(?:next|following|coming|second|third|fourth|fifth|last)"
    r" (?:hand|round|turn|battle|fight|game|question|episode|deal)|(?:hand|round|turn|battle|game|question) (?:number )?\d+)\b"
    r"|\bnext time\b|\btomorrow\b|^(?:and |then )*(?:the )?next (?:hand|round|battle|fight|game|episode|deal)\b(?! card)"
)
_ANSWERING = pattern(
    r"\b(?:i|i'll|we'll|will|shall|can|let me|gonna)(?: (?!not\b)[\w']+){0,2}? (?:answer|reply|respond|write|mail|send"
    r"|choose|decide|look|think|chew|ponder|sleep|(?:get|come) back|let you know|tell you|ask|(?<=can )play)\b"
)
_ASKING_FOR_TIME = pattern(
    r"\b(?:give me|need|(?:can|may|could) i have|an? (?:bit|little)|some more) (?:\w+ ){0,3}(?:time|till|until)\b"
)
_KEPT = 256
"""Texts of which the answer is kept: of one mail each is asked of several times."""


@functools.cache
def doubts(name: str) -> re.Pattern[str]:
    """A pattern of what says that something is not done, or not meant."""
    return re.compile("|".join(table("host.play", "doubts.toml")[name]))


@functools.lru_cache(maxsize=_KEPT)
def is_held_back(folded: str) -> bool:
    """Is what stands before these words not meant, or not yet, or is that not decided?"""
    return doubts("held_back").search(folded) is not None


@functools.lru_cache(maxsize=_KEPT)
def is_uncertain(folded: str) -> bool:
    """Does it hold a condition, a choice, a doubt, or something that is not done (`too good to fold`)?"""
    if doubts("not_done").search(folded) or is_held_back(folded):
        return True
    said = tokens(ALL_ELSE.sub(" ", REQUEST.sub(" ", folded)))
    return not frames().uncertain.isdisjoint(said) or "but" in said[1:]


def is_for_another_time(folded: str) -> bool:
    """Is a move in such a clause for another moment of the game: `fold in hand 9`, `cut 20 in the next round`?"""
    return _NOT_NOW.search(folded) is not None


def speaks_of_answering(folded: str) -> bool:
    """Does its writer tell when or how they answer: `I'll think about the next one tonight`?"""
    return _ANSWERING.search(folded) is not None


def answers_later(lines: Sequence[str]) -> bool:
    """Does a sentence of a mail say that its writer answers, or decides, at another time, or ask for time?"""
    sentences = (plain(each) for line in lines for each in BETWEEN_SENTENCES.split(line))
    return any(
        _ASKING_FOR_TIME.search(each) or (_LATER.search(each) and speaks_of_answering(each)) for each in sentences
    )
