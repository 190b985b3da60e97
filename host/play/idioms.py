"""Pure: turns of speech at a card table. In: what somebody said. Out: the idea behind it (`give up`, `more`, …).

They name no move: a room says, phase by phase, which of its moves an idea is (`Vocabulary.ideas`). Their forms are written
    as those
of services are (`forms`).
"""

import re
from functools import lru_cache

from host.engine.frames import NEUTRAL
from host.engine.grammar import FILLERS, NUMBER_WORDS
from host.engine.vocabulary import Idea
from host.play.forms import WORD, in_full, pattern

MOST_WORDS = 16
"""Words: what is longer is a story."""
PARTS = {
    "any": r"\S+",
    "number": rf"\d+ | {' | '.join(sorted(NUMBER_WORDS))}",
    "the": "the | my | this | that | these | those",
    "thing": """
        it | this | that | these | them | those | mine | <the> [<any>] (hand | card | cards | chip | chips | round | one |
            deck | ace |
            joker | lot | pile)""",
    "what i have": """
        <thing> | what [is] <any> [<any>] [<any>] | [a | the | my] <number> [<any>] | my <any> | (this | these | the) cards
            <any> [<any>]
            [<any>]""",
    "am": "i am | i will be | we are",
    "very": "more than | quite | very | perfectly | pretty | really | so | all",
    "one": """
        one | 1 | card | a card | another [one | card | 1] | (one | 1) more [card] | the next [one | card] | next [one] | a
            new one | more""",
    "amount": """
        [my | the] [last | other | whole | final] (<number> | chip | chips | lot | stack | money | all | everything) [chips
            | dollars | in]""",
    "place": """
        here | there | right here | where i am | as i am | as it is | how i am | like this | tight | put | pat | still | firm""",
    "out": "out [of (this | here | it | that | <thing>)]",
    "them": "it | that | this | him | her | them | the bet | the raise | their bet | his bet | her bet | those | up",
    "end": "[the] [very | bitter | sweet] (end | death | finish)",
    "over": "it is (over | done | finished) | (he | she | one of us) (is | drops | falls) [<any>] | the last (card | man)",
}
SAYINGS: dict[Idea, str] = {
    "give up": """
        [(that | it | this) is] [a bit | much | far | way] too (rich | much | steep | expensive | dear | pricey | risky | hot
            | high) [<any>]
            [<any>] [<any>];
        (let | letting) <thing> (go | slide) [by]; (let | letting) <thing> (pass | pass by);
        <am> (out | gone | done with <thing>) [of (this | here | it | that | <thing>)];
        (deal | leave | count | get | let) me <out>; skip me;
        (throw | throwing | toss | tossing | chuck | chucking | lay | laying | turn | turning | hand | give | giving)
            <thing> (away | in |
            down | up | back | into the muck);
        (throw | throwing | toss | tossing | chuck | chucking | lay | laying | give | giving) (away | in | down | up) <thing>;
        (bow | bowing | back | backing | drop | dropping | bail | bailing | get | getting | step | stepping | opt | opting
            | duck) <out>;
        (run | running | walk | walking | step | stepping | back | backing) (away | off | down) [from <thing>];
        (give | giving) [it | this | that] up [on <thing>];
        away with <thing>; [be | get] rid of <thing>; (surrender | dump | dumping | ditch | ditching | bin | muck) <thing>;
        not worth (it | that | the <any>); not paying [that | it | for it]; (save | saving | keep | keeping) my (chips | money);
        [just | only] (watch | watching | sit | sitting) [<thing>] [out]; not (in | playing) <thing>;
        [i | i will] pass [on (it | this | that)]; into the (muck | bin | bucket) with <thing>; next question;
        throw in the towel; chicken out; discretion is the better part of (valour | valor)""",
    "go along": """
        <am> [still] in [(for | with) (it | this | that | <amount>)]; [still | all] in [(for | with) <amount>];
        (stay | staying | keep | keeping | stick | sticking | hang | hanging) (in | with (it | him | her | them | this
            hand)) [(for | with)
            <any> [<any>] [<any>]];
        (go | going | come | coming) along [with <them>];
        (see | seeing | look up | pay | paying | match | matching | cover | covering) <them> [through | out | all | then]
            [to the end];
        (pay | paying) (to see | the price | for (it | that | the flop)) [<any>] [<any>];
        here (is | are | comes | come | go) <amount>;
        (put | putting | throw | throwing | shove | shoving | push | pushing) (me | mine | it | them | <amount>) [all] in
            [the pot];
        (count | deal) me in; keep (him | her | them | everybody | you) honest; why fold [<any>] [<any>] [<any>];
        call (his | her | their | the | your | that) bluff""",
    "more": """
        (give | gimme | deal | send | slide | pass | hand | show | throw | draw | get | turn | let) [me | us] [have] <one>
            [<any>] [<any>] [<any>];
        (take | taking | have | having | draw | drawing | need | want | try | trying | risk | risking | chance) <one>
            [<any>] [<any>] [<any>];
        another [one | card] [<any>]; other (one | card); (one | 1) (more | card) [<any>];
        (hit | smack | slap | feed | bust) (me | em) [baby] [again | up | now | then] [one more time | 1 more time | with
            <any> [<any>]];
        (bring | bringing) it [on]; (go | going) for (it | another | one more | 1 more);
        (pile | add | top | stick) (another | one more | 1 more | me) [on | up] [<any>];
        (take | taking) (a | my) (chance | chances) [<any>] [<any>]; (chance | risk | gamble on | try) (it | my luck | another);
        i take [it | 1 | one]; keep them coming; raise the roof""",
    "enough": """
        [<am>] [<very>] (happy | content | satisfied | comfortable | pleased) ((with | at | on) <what i have> | <place>);
        <am> [<very>] (done | good | fine | okay | ok | set | finished | through) ((with | at | on) <what i have> | <place>);
        <am> [<very>] (happy | content | satisfied | comfortable | done | good | set | finished | full) [here | now | thanks];
        [<any>] [<any>] [<any>] (will | would | should | has to | must | does) [have to] (do | suffice | be enough | be fine
            | be plenty) [me]
            [nicely | fine | just fine | well | very well | for now];
        [<any>] [<any>] [<any>] (is | are) (me done | enough | plenty | [good | far | close | high] enough) [for (me | now |
            today)];
        (leave | leaving | let | keep | keeping) (<thing> | things | everything | well | what (i have | there is))
            [<thing>] (as (it | they |
            things) (is | are | stand) | at (that | this | <number>) | there | be | alone | like (this | that) | lie | where
                (it | they)
            (is | are) | well alone);
        i (like | love) (my hand | what i have [got] | these cards | my cards | this hand);
        (stay | staying | stick | sticking | stop | stopping | sit | sitting | stand | standing | rest | resting | hold |
            holding | remain |
            remaining) (<place> | (with | at | on) <what i have>) [<place>];
        (quit | quitting | stop) while i am ahead; (play | playing) [it] safe; better safe than sorry;
        (do not | will not | not going to | not) (touch | touching | move | push | change) (anything | my luck | a thing |
            <thing>)""",
    "no more": """
        (no | not | without | not one | not a single | not any) [single | other] (more | extra | extras | another | further
            | card | cards | penny |
            chip | chips | cent | dollar) [cards | chips | money] [<any>] [<any>] [<any>];
        (do not (give | deal | send | need | want) [me] [any] | [i] (need | want) no) (more | extra | another | further |
            card | cards | chips)
            [cards | chips] [<any>] [<any>];
        nothing [more | else | further | extra] [from me | for me | this time | at all | added | on top]; none [for me];
            [i] do nothing [now]""",
    "to the end": """
        [go | fight | flip | keep going | keep fighting | keep at it | carry on | continue | see it through | going | go on |
            play it out]
            [on] [right | all the way] (to | till | until) (<end> | <over>);
        finish (him | her | it | them | this) [off]; all the way; no mercy; [go] the whole way; no (stopping | retreat |
            surrender | quarter);
        never stop; do or die; [take] no prisoners; on and on [and on];
        (keep | carry | go) (going | fighting | flipping | on) (until | till | to) <any> [<any>] [<any>] [<any>]""",
}
_FORMS = tuple((idea, re.compile(pattern(forms, PARTS))) for idea, forms in SAYINGS.items())
_COURTESY = (NEUTRAL | FILLERS) - frozenset(
    """that those these it in out on enough good happy fine done one take having have go going get let us here there
        nothing all again more i
    am my you your him her them no not with for of the a at as is will would do does mine what keep this bring and""".split()
)
"""What may stand around a saying without being a part of it."""
_BEFORE = _COURTESY | frozenset("nah nope go i will would and so then just let us me think guess for to am".split())
_PLUS = re.compile(r"\+ ?(\d)")


@lru_cache(maxsize=1024)
def idea_of(text: str) -> Idea | None:
    """The idea that a folded clause says, and nothing else; None where it says none."""
    said = in_full(WORD.findall(_PLUS.sub(r"\1 more", text)))
    if not 0 < len(said) <= MOST_WORDS:
        return None
    while True:
        whole = " ".join((*said, ""))
        for idea, form in _FORMS:
            if form.fullmatch(whole):
                return idea
        if len(said) > 2 and said[-2] == "this" and said[-1] in ("time", "hand", "round", "one"):
            said = said[:-2]
        elif len(said) > 1 and said[-1] in _COURTESY:
            said = said[:-1]
        elif len(said) > 1 and said[0] in _BEFORE:
            said = said[1:]
        else:
            return None
