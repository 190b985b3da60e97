"""Pure: the forms of a yes, a no, a later (`forms` reads them). In: nothing. Out: patterns of a clause without courtesies.

Numbers stand in it as `anumber`.
"""

import re

from host.play.forms import pattern

_PARTS = {
    "yes": """
        yes | yeah | yep | yup | y | sure | sure thing | absolutely | definitely | certainly | indeed | ok | okay |
            okey | of course | agreed | correct | right | true | affirmative | confirm | confirmed | i confirm [it |
            this | that] | gladly | ja | jawohl | jo | klar | gerne | natürlich | genau | oui | ouais | d'accord |
            bien sûr | volontiers | sí | si | claro | vale | supuesto | sì | certo | va bene | sim | com certeza |
            graag | ja hoor | javisst | tak | oczywiście | ano | jasně | да | конечно | evet | tamam | はい | ええ | 是 |
            是的 | 好 | 好的 | 네 | 예 | igen | kyllä | ναι | כן | نعم
        """,
    "no": """
        no | nope | nah | never | n | no thank | negative | rather not | i would rather not | not interested | no
            way | i am not interested | i do not | i do not want to [play | join | take part] | nein | nee | nej |
            nei | non | não | nao | nie | ne | nem | ei | нет | hayır | いいえ | 不 | 不是 | 不要 | 아니요 | όχι | לא | لا
        """,
    "me": "me | us | my address | my email | my email address | my mail address | my name",
    "write": "write | mail | email | contact | bother | spam | send",
    "mine": "me | us | mine | my registration | my doing",
    "week": "week | weekend | month | day",
    "weekday": "monday | tuesday | wednesday | thursday | friday | saturday | sunday",
    "month": """
        january | february | march | april | may | june | july | august | september | october | november | december
            | jan | feb | mar | apr | jun | jul | aug | sep | sept | oct | nov | dec
        """,
    "many": "a | an | one | two | three | four | five | six | seven | eight | nine | ten | a couple of | a few | some | <number>",
    "date": "[the] <number> [of <month>] | [the] <number> <month> | <month> [the] <number>",
    "number": "anumber",
    "holidays": "holidays | holiday | vacation | vacations | christmas | new year | easter | weekend | exams",
    "time": """
        [on | until | till | after | before | from | not before | not until | by | during | over] [then | the] [this
            | next | following | coming | end of] [the] (<weekday> | <week> | <holidays> | tomorrow | day after
            tomorrow | <date>) [on | evening | morning | night | afternoon] | [in | for | about | within | after |
            the next] [about] <many> (day | days | week | weeks | month | months | hours) [or so | from]
        """,
    "ill": """
        away | busy | ill | sick | travelling | traveling | on holiday | on holidays | on vacation | out of town |
            in hospital | abroad | not home | not at home | not here | not there | not around | not available | not
            free | at work
        """,
}
YES = re.compile(
    pattern(
        "<yes> [<yes>]; <yes> (that is (right | correct) | it (is | was) | i (am | did | do | will) | for me)",
        _PARTS,
    )
)
YESES = re.compile(f"^(?:{pattern('<yes>', _PARTS)})+")
AWAY = re.compile(f" (?:{pattern('<ill>', _PARTS)})")
YES_AND = re.compile(r"(?:yes|yeah|yep) (?!.*\b(?:not|no|never|but|later|nobody) )")
"""
        An English yes may have more behind it;
        a negation turns it round.
        """
READY = re.compile(
    pattern(
        """
        [i am | we are | all] [so] (ready | set | in | here | there | back | present | prepared | good to go) [to
            (play | begin | start | go) | to play | when you are | for it | for that | again | for the game];
        count me in;
        deal me in;
        let us (go | play | begin | start | do it | roll | do this);
        go ahead;
        go;
        go for it;
        game on;
        bring it on;
        play;
        begin;
        start;
        i [would] (want | like | love) to [play | join | take part | be in];
        i (can | will | am going to) play;
        i will be (there | here | in);
        happy to [play];
        (looking | i am looking | i look) forward [to (it | this | playing | the game | that)];
        i can not wait [to (play | begin | start)];
        bereit;
        ich bin bereit;
        ich bin dabei;
        los;
        los geht is;
        prêt;
        je suis prêt;
        allons y;
        listo;
        lista;
        estoy listo;
        estoy lista;
        vamos;
        pronto;
        sono pronto;
        andiamo;
        estou pronto;
        klaar;
        ik ben klaar;
        redo;
        jag är redo;
        jeg er klar;
        gotowy;
        gotowa;
        готов;
        готова;
        hazır;
        hazırım
        """,
        _PARTS,
    )
)
REGISTERED = re.compile(
    pattern(
        """
        (it | that | this) (was | is) [indeed] (me | correct | right | mine | my registration);
        i (did | registered | did register | signed up);
        all (correct | right | good);
        (that | this | everything) (looks | is) (good | right | correct | fine);
        the rest is fine;
        looks good
        """,
        _PARTS,
    )
)
NO = re.compile(
    pattern("<no> [<no>]; simply no; i say no; i have to say no; i must decline; i decline; count me out", _PARTS)
)
LEAVE_ALONE = re.compile(
    pattern(
        """
        not <mine>;
        (it | that | this) (was | is) not <mine>;
        not from me;
        (this | it | that) (was | is) not (by | from) me;
        stop [it | this | that];
        (stop | quit) (<write> | writing | mailing | emailing | spamming | contacting | bothering) [to] [me | us]
            [mails | emails | mail | letters | anything];
        unsubscribe [me | us];
        opt out;
        opt me out;
        leave [me | us] [alone | in peace];
        leave me be;
        [go | please go] away;
        get lost;
        (remove | delete | take | strike | cross) <me> [out | off | from | out of | off of] [my | your | the | this]
            [mailing] [list | lists | queue | system | database | game | records | file];
        i want to be removed;
        do not <write> [to] [me | us] [mails | emails | mail | letters | anything] [again | any more | anymore |
            ever again];
        (do not | never) <write> [to] me [again];
        i (did not | never | have not | have never) (register | registered | sign up | signed up | sign | signed |
            apply | applied | enter | entered | ask for this | ask for it | do this | do that | do it | ask) [for]
            [this | that | anything | any game | any of this | it | a game] [at all];
        i do not (know | want) (any of this | this | anything about this | anything about it | this game | your
            mails | your mail);
        wrong (person | address | one);
        [you have] the wrong (person | address);
        somebody else [did | did it | did that];
        (somebody | someone) else registered [me];
        i do not want to be (registered | in this | part of this) [any more | anymore];
        i am not interested
        """,
        _PARTS,
    )
)
LATER = re.compile(
    pattern(
        """
        [i am | we are] [sorry] not (now | yet | ready [yet] | today | tonight | this <week> | at the moment | right
            now) [<time>] [but <time>];
        [i am | i will be] not ready (until | till | before) <time>;
        [maybe] later [on | today | this week | maybe];
        [maybe] (another | some other) (time | day | week);
        [maybe] next time;
        [a bit | a little | some time] later;
        [maybe | rather | better | preferably | how about | let us say | let us do it | i could | i can] [ask me
            [again] | try [me] [again] | write [me] [again] | ready | play | i am back | i am ready | i will be back
            | i will be ready | i can [play]] <time> [would be (better | good | best | fine | great) | is (better |
            good | fine | best | possible) | suits me [better] | works [for me] | please];
        (ask | try | write | remind) [me] [again] (later | another time | soon | <time>);
        (can | could | may) (we | it | i) (do it | wait | start | begin | play) (later | <time>);
        i [will | shall] [am | be] <ill> [now | today | <time>] [<time>];
        i have [got] no time [now | today | <time>];
        no time [now | today | <time>];
        i (can | could | will) not (play | make it | come | be there | be here | begin | start | do it | answer |
            take part | manage) [now | yet | today | tonight | this <week> | at the moment | <time>];
        i (can | could) not [now | yet | today | tonight | <time>];
        i need [<many>] [more] (time | days | hours | weeks | a day | a week) [<time>];
        give me [<many>] [more] (time | days | hours | weeks | a day | a week);
        (nicht jetzt | jetzt nicht | noch nicht | später | nächste woche | morgen | pas maintenant | plus tard | pas
            encore | la semaine prochaine | demain | ahora no | más tarde | todavía no | mañana | non ora | più
            tardi | domani | agora não | mais tarde | amanhã | nu niet | nog niet | volgende week | inte nu | senare
            | ikke nu | senere | i morgon | i morgen | nie teraz | później | jutro | teď ne | později | zítra | не
            сейчас | позже | потом | завтра | şimdi değil | sonra | yarın)
        """,
        _PARTS,
    )
)
NEUTRAL = re.compile(
    pattern(
        """
        no (problem | problems | worries | worry | doubt | need to worry | hurry | rush | need);
        not a problem;
        do not worry;
        why not;
        kein problem;
        pas de problème;
        sin problema;
        nessun problema
        """,
        _PARTS,
    )
)
ALL = (YES, READY, REGISTERED, NO, LEAVE_ALONE, LATER, NEUTRAL)
