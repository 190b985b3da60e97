"""Pure: turns of speech at a card table. In: what somebody said, without courtesies. Out: the idea behind it (`give up`, `more`, …).

They name no move: a room says, phase by phase, which of its moves an idea is (`Vocabulary.ideas`).
"""

import re
from functools import lru_cache
from typing import Literal

from host.engine.frames import NEUTRAL
from host.engine.grammar import FILLERS, NUMBER_WORDS

Idea = Literal["give up", "go along", "more", "enough", "no more", "to the end"]

_THING = r"(?:it|this|that|these|them|those|(?:the|my|this|that|these) (?:\w+ )?(?:hand|cards?|chips?|round|one|deck|ace|joker|lot|pile)|mine)"
_AM = r"(?:i'?m|i am|i'?ll be|i will be|we'?re)"
_CARD = r"(?:card|one|1|another|another (?:one|1|card)|one more(?: card)?|1 more(?: card)?|a card|the next(?: one| card| 1)?|next(?: one)?|a new one|more)"
_AMOUNT = r"(?:my )?(?:last |other |whole |final )?(?:\$?\d[\d,]*|chips?|lot|stack|money|all|everything)(?: chips?| dollars?| in)?"
_WHAT_I_HAVE = (
    rf"(?:{_THING}|that|what'?s? .{{1,30}}|(?:a |the |my )?(?:\d+|{'|'.join(sorted(NUMBER_WORDS))})(?:[ -]\w+)?|my \w+|(?:this|these|the) cards .{{1,20}})"
)

_SAYINGS: dict[Idea, tuple[str, ...]] = {
    "give up": (
        r"(?:(?:that'?s|it'?s|that is|it is|you(?:'re| are)|they(?:'re| are)) )?(?:a bit |much |far |way )?too (?:rich|much|steep|expensive|dear|pricey|risky|hot|high)(?: .{1,20})?",
        rf"(?:let|letting) {_THING} (?:go|slide|be gone)",
        rf"{_AM} (?:out|gone|done with {_THING})(?: of (?:this|here|it|that|{_THING}))?",
        rf"skip me|(?:deal|leave|count|get|let) me out(?: of (?:this|here|it|that|{_THING}))?",
        rf"(?:throw|throwing|toss|tossing|chuck|chucking|lay|laying|turn|turning|hand|handing|pack|give|giving) {_THING} ?(?:away|in|down|up|back|into the muck)",
        rf"(?:throw|throwing|toss|tossing|chuck|chucking|lay|laying|give|giving) (?:away|in|down|up) {_THING}",
        rf"(?:bow|bowing|back|backing|drop|dropping|bail|bailing|get|getting|step|stepping|opt|opting|duck|ducking) out(?: of (?:this|here|it|that|{_THING}))?",
        rf"(?:run|running|walk|walking|step|stepping|back|backing) (?:away|off|down)(?: from (?:this|here|it|that|{_THING}))?",
        r"(?:give|giving) (?:it |this |that )?up(?: on (?:it|this|that))?",
        rf"away with {_THING}|(?:be )?rid of {_THING}|(?:surrender|dump|dumping|ditch|ditching|bin|muck) {_THING}",
        r"not worth (?:it|that|the \w+)|not paying(?: (?:that|it|for it))?|(?:save|keep|saving|keeping) my (?:chips|money)",
        rf"(?:just |only )?(?:watch|watching|sit|sitting)(?: {_THING})?(?: out)?|(?:let|letting) {_THING} (?:go by|pass|pass by)|not (?:in|playing) {_THING}",
        r"throw(?:ing)? in the towel|chicken(?:ing)? out|discretion is the better part of valou?r",
    ),
    "go along": (
        rf"{_AM} (?:still )?in(?: (?:for|with) (?:it|this|that|{_AMOUNT}))?|(?:still |all )?in(?: (?:with|for) {_AMOUNT})?",
        rf"(?:stay|staying|keep|keeping|stick|sticking|hang|hanging) (?:in|with (?:it|him|her|them|this hand))(?: (?:for|with) .{{1,20}})?",
        r"(?:go|going|come|coming) along(?: with (?:it|that|this|him|her|them))?",
        r"(?:see|seeing|look up|looking up|pay|paying|match|matching|cover|covering) (?:it|that|this|him|her|them|the bet|the raise|their bet|his bet|her bet|those|up)(?: (?:through|out|all|then|to the end))*",
        r"(?:pay|paying) (?:to see|the price|for (?:it|that|the flop))(?: .{1,20})?",
        rf"here(?:'s| is| are| come| comes| go) (?:my|the) {_AMOUNT}",
        rf"(?:put|putting|throw|throwing|shove|shoving|push|pushing) (?:me|mine|it|them|{_AMOUNT}) (?:all )?in(?: .{{1,20}})?",
        r"(?:count|deal) me in|keep (?:him|her|them|everybody|you all) honest|why fold.*",
        r"call (?:his|her|their|the|your|that) bluff",
    ),
    "more": (
        rf"(?:give|gimme|deal|send|slide|pass|hand|show|throw|draw|get|turn|let) (?:me |us )?(?:have )?{_CARD}(?: .{{1,20}})?",
        rf"(?:take|taking|have|having|draw|drawing|need|want|try|trying|risk|risking|chance) {_CARD}(?: .{{1,20}})?",
        r"(?:an)?other (?:one|card)(?: .{1,12})?|(?:one|1) (?:more|card)(?: .{1,12})?|\+ ?1",
        r"(?:hit|smack|slap|feed|bust) me(?: (?:baby|again|up|one more time|1 more time|with .{1,20}|now|then|please))*",
        r"(?:bring|bringing) it(?: on)?|(?:go|going) for (?:it|another|one more|1 more)|(?:pile|add|top|stick) (?:another|one more|1 more|me)(?: \w+)?(?: (?:on|up))?",
        r"(?:take|taking) (?:a|my) chances?(?: .{1,20})?|(?:chance|risk|gamble on|try) (?:it|my luck|another)",
        r"(?:i )?take(?: (?:it|1|one))?|keep them coming|(?:raise|turn up) the (?:roof|heat)",
    ),
    "enough": (
        rf"(?:{_AM} )?(?:more than |quite |very |perfectly |pretty |really |so )*(?:happy|content|satisfied|comfortable|pleased)(?: (?:with|at|on) {_WHAT_I_HAVE}| (?:here|there|as i am|where i am|as it is|like this))",
        rf"{_AM} (?:more than |quite |very |perfectly |pretty |really |so |all )*(?:done|good|fine|okay|ok|set|finished|through)(?: (?:with|at|on) {_WHAT_I_HAVE}| (?:here|there|as i am|where i am|as it is|like this|now here))",
        rf"{_AM} (?:more than |quite |very |perfectly |pretty |really |so |all )*(?:happy|content|satisfied|comfortable|done|good|set|finished|full)(?: (?:here|now|thanks|there))?",
        r"(?:.{1,25} )?(?:will|would|'ll|should|has to|must|does|'d) (?:have to )?(?:do|suffice|be enough|be fine|be plenty)(?: (?:me|us|nicely|fine|just|well|very|for|now|for now))*",
        r"(?:.{1,25} )?(?:is|are|'s) (?:me done|enough|plenty|good enough|far enough|close enough|high enough)(?: (?:for|me|now|by|with|thanks))*",
        r"(?:that'?s|thats) (?:me done|enough|plenty|far enough|good enough|close enough)(?: for (?:me|now|today))?",
        rf"(?:leave|leaving|let|keep|keeping) (?:{_THING}|things|everything|well|well enough|what i (?:have|'ve got|got)|what there is)(?: {_THING})? ?(?:as (?:it|they|that|things) (?:is|are|stands?)|at .{{1,12}}|there|be|alone|like (?:this|that)|lie|where (?:it|they) (?:is|are)|how (?:it|they) (?:is|are)|well alone)",
        r"i (?:like|love) (?:my hand|what i (?:have|got)|what i'?ve got|these cards|my cards|this hand)",
        rf"(?:stay|staying|stick|sticking|stop|stopping|sit|sitting|stand|standing|rest|resting|hold|holding|remain|remaining)(?: (?:tight|put|pat|still|firm|right|here|there|where i am|as i am|how i am|like this)| (?:with|at|on) {_WHAT_I_HAVE})+",
        r"(?:quit|quitting|stop) while i'?m ahead|play(?:ing)? (?:it )?safe|better safe than sorry",
        rf"not touching {_THING}|(?:don'?t|do not|won'?t|not going to|not gonna) (?:touch|move|push|change) (?:it|anything|my luck|a thing|{_THING})",
    ),
    "no more": (
        r"(?:no|not|without|not one|not a single|not any|don'?t (?:give|deal|send|need|want)(?: me)?(?: any)?|(?:i )?(?:need|want) no) (?:single |other )?(?:more|extra|extras|another|further|card|cards|penny|chip|chips|cent|dollar|more (?:cards?|chips?|money))(?: .{1,20})?",
        r"nothing(?: (?:more|else|further|extra|from me|for me|this time|at all|added|on top))*|none(?: for me)?|(?:i )?(?:will )?do nothing(?: .{1,12})?",
    ),
    "to the end": (
        r"(?:(?:go|fight|flip|keep going|keep fighting|keep at it|carry on|on|all the way|continue|see it through|finish it|play it out|going|go on|right) )*(?:to|till|until) (?:the )?(?:(?:very|bitter|sweet) )?(?:end|death|finish|last (?:card|man|drop)|it'?s (?:over|done|finished)|it is (?:over|done|finished)|(?:he|she|bob|ann|one of us) (?:is|drops|falls)(?: \w+)?)",
        r"finish (?:him|her|it|them|this)(?: off)?|all the way|no mercy|(?:go )?the whole way|no (?:stopping|retreat|surrender|quarter)|never stop|don'?t stop(?: .{1,20})?|do or die|no prisoners|take no prisoners",
        r"(?:keep|carry|go) (?:going|fighting|flipping|on)(?: and (?:on|going))*(?: (?:until|till|to) .{1,30})|on and on(?: and on)*",
    ),
}
_FORMS = tuple((idea, re.compile("|".join(f"(?:{each})" for each in sayings))) for idea, sayings in _SAYINGS.items())
_COURTESY = (NEUTRAL | FILLERS) - frozenset(
    """that those these it in out on enough good happy fine done one take having have go going get let lets let's here there nothing all
    again more i i'm im am my you your him her them no not with for of the a at as is will would do does mine what keep this bring and""".split()
)
"""What may stand around a saying without being a part of it."""
_AROUND = frozenset("i i'll ill i'd id we we'll and so then just let's lets let me think guess for to".split())
_SIGN = re.compile(r"[^\w'+$ ]|(?<=\w)-(?=\w)")
MOST_WORDS = 14
"""Words: what is longer is a story."""


@lru_cache(maxsize=1024)
def idea_of(text: str) -> Idea | None:
    """The idea that a folded clause says, and nothing else; None where it says none."""
    said = _SIGN.sub(" ", text).split()
    if not 0 < len(said) <= MOST_WORDS:
        return None
    while True:
        whole = " ".join(said)
        for idea, form in _FORMS:
            if form.fullmatch(whole):
                return idea
        if len(said) > 1 and said[-1].strip(",.!") in _COURTESY:
            said = said[:-1]
        elif len(said) > 1 and said[0].strip(",.!") in _COURTESY | _AROUND:
            said = said[1:]
        else:
            return None
