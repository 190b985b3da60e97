"""Pure: the forms in which people ask for a service (`forms` reads them). In: nothing. Out: `SERVICES`, `PARTS`."""

from dataclasses import dataclass

GAME = "titleofgame"
"""What stands for the title of a game in folded words."""

PARTS = {
    "game": GAME,
    "can": "can | could | may | might | will | would",
    "we": "i | we",
    "my": "my | our | the | this | that | a | your | an",
    "want": "want | would like | would love | like | need | wish | have | would prefer | prefer | love",
    "wish": "<we> <want> to | <we> am going to | <we> have decided to | let me",
    "tell": "send | show | tell | give | mail | email | repeat | remind",
    "learn": "see | know | have | get | find | read | look at",
    "asking": "<can> (you | i | we) [<told> | <learn>] | <we> <want> [to] [<told> | <learn>] | <told>",
    "told": "<tell> [me | us] [about | of | at | for]",
    "ask": "[<asking>]",
    "know": """
        [<can> you] [<we> <want> to] (tell me | know | let me know | say) | do you know | i wonder | any idea""",
    "show": """
        <can> (i | we) (see | have | get | know) | [<can> you] (show | tell | send | give | remind) (me | us) [of] |
            <we> <want> to (see | know)""",
    "is": "is | are | was | am | look | looks | does",
    "it": """
        it | this | that | things | everything | we | i | [the | my | our | an | a | this] [next] <episode> | <game>""",
    "episode": "game | episode | show | match | one",
    "this game": "<my> [whole] (game | episode | show | match) | <game>",
    "any more": "any more | anymore | any longer | ever again",
    "score": """
        score | scores | status | standings | state | scoreboard | table | board | leaderboard | state of play""",
    "count": """
        points | balance | bank | total | money | winnings | chips | cards | hand | stack | situation | ranking""",
    "queue": "[<my>] [waiting | mailing | mail | email | <game>] (queue | list | line | lists | waitlist)",
    "line": "[<my>] (queue | waiting list | wait list | waitlist)",
    "when": "when | what time | what day | how soon | until when | at what time",
    "begin": """
        kick off | get going | get started | begin | begins | start | starts | begun | started | starting |
            beginning | happen | take place | commence""",
    "rules": """
        [(a | the) copy of] [<my>] [full | complete | whole | basic | game] (rules | rule | rulebook | rule book |
            instructions | manual) [(of | for) <game>]""",
    "of it": "(of | for | to) (<this game> | it | this)",
    "again": "again | once more | another time | one more time | next time",
    "next": """
        (the | your | any | a) (next | new | other | later | future) <episode> | another (game | episode | show) |
            <game>""",
    "next game": """
        (the | your | any | a) (next | new | other | later | future) (game | episode | show) | another (game |
            episode | show) | <game>""",
    "join": "join | register | sign up | enrol | enroll | reregister",
    "take part": "enter | take part in | participate in | be in | compete in | play in",
    "may i": "<can> <we> | <wish> | when can <we> | (how | where) (can | do | may | could) <we>",
    "enlist": "sign | put | count | add | register | enter | enrol | book | enlist",
    "me": "me | us | my name | my address | my email | my email address | our name",
    "quit": "resign | quit | surrender | concede | forfeit | withdraw | resigning | quitting | forfeiting",
    "stop": "stop | quit | give up",
}


@dataclass(frozen=True)
class Service:
    """A service: words of which a clause has to hold one, so that few are looked at closely, and its forms.

    Forms are parted by semicolons.
    """

    name: str
    about: frozenset[str]
    forms: str


SERVICES = (
    Service(
        "status",
        frozenset(
            """
            balance bank board cards chips deadline doing go going hand happened happening leaderboard left long
                many money much next points ranking score scoreboard scores situation stack standings state status
                table things time total turn when where who whose winning winnings
            """.split()
        ),
        """
        <ask> [<my>] [current | latest | present] <score> [of the game];
        [<know>] (what | which | how | where) <is> [<my>] [current | latest | present | overall] <score> [look |
            like | of the game];
        [<know>] (what | how | which) <is> (my | our) <count> [like];
        <show> (my | our) <count>;
        [<know>] what [<my>] [current] (<score> | <count>) (is | are);
        [<know>] how (much | many) [<count> | time] (do | does | have | has | are | is | am | did) [i | we | there |
            you | they | everybody | everyone | each player] [have] [got | won | earned | made] [left | now];
        <know> how (much | many) [<count> | time] <we> have [got | won | earned | made] [left];
        [<know>] (whose [turn | go] is it | whose turn it is);
        is it (my | our) (turn | go);
        [<know>] who (is | plays | goes | moves) [next | first | winning | leading | ahead | on | in | in the lead |
            in front | up];
        am i (winning | ahead | in the lead | in front | leading | losing | next | out | behind);
        [<know>] where (are we | am i | do we stand | do i stand | we are | i stand | we stand);
        [<know>] how (do | are | is | does) (things | it | the game | everything | i | we) (stand | standing | going
            | look | looking | doing | am);
        how (am | are) <we> doing;
        [<know>] what [is | has] (happening | going on | happened);
        [<know>] when is <my> deadline;
        [<know>] what is <my> deadline;
        [<know>] (when | until when | how long) (must | do | can | should) <we> [have] [to] (answer | reply |
            respond);
        [<know>] how long do <we> have [left | to (answer | reply | respond)]
        """,
    ),
    Service(
        "queue",
        frozenset(
            """
            begin beginning begins begun else line list long many next place position queue registered signed soon
                start started starting starts time wait waiting waitlist when
            """.split()
        ),
        """
        <ask> <line>;
        [<know>] <when> (does | do | will | is | are | can | did | would | shall | should) <it> [all] [going to |
            supposed to | expected to] (<begin> | play | be);
        [<know>] <when> is (the | my | our) [next] <episode>;
        <know> <when> <it> [will | can] (<begin> | play);
        [<know>] (has | have | will | is | does | are | am) <it> <begin> [soon];
        [<know>] how (long | soon | much longer) [is it | will it be | will it take | does it take] (until | till |
            before | to) <it> [will | can] (<begin> | play);
        [<know>] how (long | much longer) (do | must | will | should) <we> [have | need] [to] (wait | be waiting);
        do <we> have to wait [long | much longer];
        (is | are) there <queue>;
        what (number | place) am i [(in | on) <queue>];
        [<know>] how long is (<queue> | <my> wait);
        [<know>] where (am | are) <we> (in | on) <queue>;
        (am | are) <we> [in | on | next in | up in] (<queue> | registered | waiting | signed up);
        [<know>] (what | which | where) [is] (my | our) [queue] (place | position) [(in | on) <queue>] [is];
        [<ask> | what is | which is] (my | our) (place | position | number | spot) (in | on) <queue>;
        [<know>] (how many | who) [people | players | contestants | others | else] (are | is) [there] [waiting]
            [ahead | before | in front] [of] [me | us | in <queue> | on <queue>]
        """,
    ),
    Service(
        "rules",
        frozenset(
            """
            book instructions manual played rule rulebook rules
            """.split()
        ),
        """
        <ask> <rules> [again] [to me];
        (<asking> | what are | explain | where are) <rules> <of it>;
        [<know>] (what | where | which | how) (is | are | do) <rules>;
        <know> what <rules> (is | are);
        [<know>] where (can | do | could) <we> (find | see | get | read) <rules>;
        (do you have | is there | are there) [any] <rules>;
        <we> (do not | can not | never) (know | understand | remember | find | have | see) [any of] <rules>;
        <we> (forgot | need | lost) <rules>;
        [<can> you] (explain | repeat | resend) <rules> [again] [to me]
        """,
    ),
    Service(
        "again",
        frozenset(
            """
            again another back join line list more next once queue register rematch sign
            """.split()
        )
        | {GAME},
        """
        again;
        register <me> [again];
        [<can> you] <enlist> <me> [back] [up | down | in] (in | on | to | into | for) (<queue> [for <next>] |
            <next>) [again];
        [<can> you] (sign | put | enter) <me> [up | down | in] again;
        <may i> (<join> [in | for | on | to] [<next> | <queue>] | <take part> <next> | play <next game> | come back)
            [again];
        <may i> (play | be back | come back | take part | participate | compete) <again>;
        [<may i> (have | get) | <we> <want>] (another | one more) (game | episode | show);
        [<may i> have | <we> <want>] [a] rematch
        """,
    ),
    Service(
        "verify",
        frozenset(
            """
            verify verification commitment seed fair rigged fixed random shuffled shuffles sha prove proves proof cheat cheating
            """.split()
        ),
        """
        verify [it | this | that | everything | (the | my) (cards | deck | episode | game | shuffle | seed | record)];
        <may i> (verify | check) [it | this | that | (the | my) (cards | deck | episode | game | shuffle | seed | record)];
        [<know>] how (do | can | could) <we> (verify | check | know | prove) [that | if] [it | this | the (cards | deck |
            shuffle | game)] [is | are] [fair | random | not rigged | not fixed];
        [<know>] what (is | are | does) (the | this | that) (commitment | seed | sha | proof) [mean | prove | good] [for];
        [<know>] what (does | do) (the | this | that) (commitment | seed) (mean | prove);
        (is | are) (it | this | the (cards | deck | shuffle | game)) [really | truly] (fair | rigged | random | fixed | shuffled);
        [<know>] who (shuffled | shuffles) the (cards | deck)
        """,
    ),
    Service(
        "help",
        frozenset(
            """
            choices commands confused explain get help how idea know lost menu options stuck understand what
            """.split()
        ),
        """
        <ask> [some | any | a little | your] help [me | us] [out];
        <ask> [<my>] (commands | menu);
        <can> (you | somebody | someone) help [me | us] [out];
        [<know>] how (do | does | can | could | should | would | must | is | are) (<we> | you | <it> | one | people)
            [all] [supposed to | have to | need to | to] (play | work | answer | reply | respond | played | proceed
            | make a move | move) [this | it | that | here | <this game> | by mail | by email];
        [<know>] how (<it> | <we>) (works | work | play | answer | reply) [this | it];
        [<know>] what [exactly] (do | can | should | must | may | could | shall | am | are) <we> [have | need |
            supposed | got | expected] [to] (do | say | write | answer | reply | type) [next | here | to play];
        [<know>] what (to do | <we> (<can> | should | have to) do) [next | here];
        [<know>] (what | which) (are (my | our | the) (options | choices | commands) | (options | choices |
            commands) (do <we> have | are there));
        <we> (do | did | can) not (understand [<my> (question | letter | mail) | it | this | that | anything | <this
            game> | a word | a thing] | get (it | this | that));
        <we> (do | did | can) not (understand | know | get) (what to do | how to play | how to answer | how <it>
            works | what <we> <can> do | what <we> have to do | what to (write | say | answer)) [it | this | <this
            game> | next | here];
        [<we> have] no (idea | clue) (what to do | how to play | how <it> works | what to (write | say)) [it | this
            | <this game>];
        <we> am [totally | completely | a bit | a little | so | very | quite] (lost | confused | stuck);
        [<can> you] explain [it | this | that | <this game> | how <it> works | what to do] [to me | to us]
        """,
    ),
    Service(
        "resign",
        frozenset(
            """
            concede episode forfeit game match play playing quit quitting resign resigning show surrender withdraw
            """.split()
        ),
        """
        [<wish> | <we> | <we> am | <we> will | <we> (must | shall) | <we> hereby | <can> <we> | how (can | do) <we>]
            <quit> [from] [<this game>] [for good];
        resign yes;
        (<wish> | <we> will | <we>) <stop> (playing | <this game>) [<this game>] [for good];
        (<wish> | <can> <we>) (leave | get out of | drop out of | be out of | withdraw from) (<my> (game | episode |
            show | match)) [for good];
        <we> no longer want to play [<this game>];
        <we> (do not want | do not wish | am not going) to play (<this game> [<any more>] | <any more>) [for good];
        <we> (will | can) not (play | be playing) [<this game>] <any more>;
        <we> am (done | finished | through) (playing | with <this game>) [for good];
        <we> (am leaving | want out of) <my> (game | episode | show | match) [for good];
        [<can> you] let me out of <my> (game | episode | show | match);
        count me out of <my> (game | episode | show | match) [for good];
        [<can> you] (take | withdraw | remove) me (out of | from | off) <my> (game | episode | show | match) [for good]
        """,
    ),
    Service(
        "leave",
        frozenset(
            """
            alone cancel cross delete deregister email emails leave list mail mails opt queue registered remove
                removed stop strike take unregister unsubscribe unsubscribed write
            """.split()
        ),
        """
        [<can> you | <wish> | <can> <we>] (leave | exit) [<queue> | <my> game | <game> | <my> <game>];
        [<can> you] (remove | delete | unregister | deregister | unsubscribe) <me> [[out | off] [from | of] [here |
            there | <queue>]];
        [<can> you] (remove | delete | take | cross | strike | scratch | get) <me> (from | off | out of | off of)
            (<queue> | <game> | here | there);
        [<can> you] (take | cross | strike) me off;
        [<wish> | <can> <we> | how (do | can) <we>] (unsubscribe | unregister | deregister | opt out | be removed |
            be unsubscribed | be taken off) [from | of] [<queue> | here | this | <game>];
        [<can> you | <wish>] (cancel | delete | withdraw | remove) (my | our) (registration | place | application |
            entry | spot | subscription);
        <we> want (out of | off) <queue>;
        <we> (no longer want | do not want) to be ((in | on) <queue> | registered) [<any more>];
        [<can> you] (stop | quit) (writing | mailing | emailing | contacting | sending) [to] [me | us] [mail | mails
            | email | emails | letters | anything | this | these] [<any more>];
        do not (write | mail | email | contact | send) [to] (me | us) [mail | mails | email | emails | letters |
            anything] [<any more>];
        no more (mail | mails | email | emails | letters);
        leave me alone
        """,
    ),
    Service(
        "retire",
        frozenset(
            """
            abdicate champion retire retiring throne
            """.split()
        ),
        """
        [<wish> | <we> | <we> will | <we> am | <can> <we> | how (can | do) <we>] (retire | retiring | abdicate |
            step down) [as [<my>] (champion | champ)] [of <game>];
        [<wish> | <we> | <we> will] (give up | leave) <my> throne
        """,
    ),
    Service(
        "cancel",
        frozenset(
            """
            cancel
            """.split()
        ),
        """
        [<can> you] cancel [it | that | all | everything | what i [have] sent [ahead]]
        """,
    ),
)
