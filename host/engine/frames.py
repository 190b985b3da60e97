"""Pure: the words around a move. In: nothing. Out: sets of words that say how a clause stands to what it names.

None of these names a move, in any room: they are what English puts around one.
"""

NEUTRAL = frozenset(
    """mine myself us our ours you your yours it's that those these am are been do does get got getting shall think thinking
    believe feel feeling feels like liking love hope hoping decide decided deciding choose choosing choice decision option want
    wants wanting wish better where there what whatever i've whatever's afraid sooner going gonna plan planning
    prefer happy glad able afraid here today tonight simply definitely certainly
    absolutely totally really very quite too also right away immediately time turn round move moves this please kindly
    go goes going just well oh ah um uh er erm hmm yeah yep yup aye sure okay ok alright alrighty fine wow haha
    lol hey hi hello dear thanks thank cheers ta yay man dude mate buddy folks sir madam boss friend anyway guess reckon
    figure figured say gut feeling as it is will would i'd ill
    so let lets let's because now then still only once again much obliged gladly delighted quickly quick best
    guys gentlemen ladies host sincerely regards yours truly faithfully case pleased trouble trying try game his her
    hers their theirs gets goes
    bc cuz cos coz obv obvs obviously srsly seriously tbh imo ngl lmao omg rn bro bruh yall y'all
    baby honey love darling lads ladies team xx xo xoxo w e thereafter afterwards
    with for of the a an and to-day from's mind moment ready final finally official officially verdict answer reply
    way any sort kind bit little one good evening morning afternoon night everyone everybody """.split()
)
"""Beside a move they change nothing."""
NOUNS = frozenset(
    """card cards space spaces number place spot position box square tile deck stock pile hand hands chip chips dollar dollars
    buck bucks money pot bank slot side table game round board amount """.split()
)
"""Things on a table: beside a move that is plain without them they change nothing."""
NEGATIONS = frozenset(
    """not no never none neither nor without don't dont doesn't didn't won't wont can't cant cannot couldn't wouldn't
    shouldn't isn't
    isnt aren't wasn't ain't haven't hasn't hardly nothing nobody nope""".split()
)
UNCERTAIN = frozenset(
    """if unless when whenever until till whether provided otherwise either or maybe perhaps might may could should
    depends depending
    unsure undecided tempted considering except than instead hypothetically suppose supposing else""".split()
)
"""With one of these a clause is a condition, a choice or a doubt."""
PRAISE = frozenset(
    """nice great good big lovely tough bad cool lucky awesome amazing beautiful perfect brave bold brilliant super terrible awful
    dull unlucky poor rotten what such best worst""".split()
)
"""Right before the name of a move it is talked about, not made: `nice call`."""
OTHERS = frozenset(
    """he he's hes she she's shes they they're theyre they've theyve them him who whoever someone somebody nobody you're
    you've you'd you'll wife husband mother father mum mom dad brother sister son daughter kids boss""".split()
)
"""Somebody else acts."""
BYGONE = frozenset(
    """was were had did been ago yesterday last earlier before previous previously already tomorrow later monday tuesday
    wednesday thursday friday saturday sunday week month year minutes minute hours hour days am pm o'clock""".split()
)
"""Some other time is meant."""
PICKING = frozenset(
    """under behind beneath what's whats open i i'd i'll ill id take taking have having pick picking go
    going try trying number numero nummer no nr my mine lucky
    favourite favorite choice for with the a an at it's its that is it please pls thanks thank you cheers one this time make give
    me say let's lets let us want would like love choose choosing guess think feeling card space at on opt will
    of from here today""".split()
)
"""What may stand beside a lone value that answers a question."""
LIGHT = frozenset("on at upon have take put get make keep lay set let".split())
"""Verbs and small words that add nothing to a move that is named beside them: `have it high`."""
SMALL = frozenset(
    "in out up down on off over under more next another card mine have hold add want top bottom above below".split()
)
"""Names of moves that are small words of every other sentence: in a longer one they name nothing."""
VALUE_NOUNS = frozenset(
    "card cards space number chip chips dollar dollars buck bucks place spot box square position tile".split()
)
"""Things on a table that are counted, or numbered: they may stand beside a value without a verb."""
CLOCK = frozenset(
    """uhr heures heure hora horas ore uur klockan minuten minutes minute stunden tage jours dias días giorni dagen
    bis jusqu jusqu'à
    hasta fino tot até do until till heute morgen demain mañana domani h pm am o'clock years old jahre ans años anni
    jaar""".split()
)
"""A number beside one of these tells a time, or an age."""
FOREIGN = frozenset(
    """je j' le la les de du des un une au aux à au sur avec pour s'il ich wir bei mit auf dem den der die das ein
    eine einen zu zur
    nehme bitte el los las en con por para una al il lo gli per da su con un'ik het op bij van met een graag eu o os
    na no em com uma
    jeg vi på med til og en et den jag och ett till vill poproszę na w z do proszę mně si dám na prosím ja minä kérem eu vă rog
    я на с и выбираю беру пожалуйста lütfen""".split()
)
"""Small words of other languages: a sentence with one of them, and none of English, is written in another one."""
FOREIGN_NUMBERS = {
    **dict.fromkeys("null zéro cero noll".split(), "0"),
    **dict.fromkeys("eins".split(), "1"),
    **dict.fromkeys("zwei deux dos due dois twee två".split(), "2"),
    **dict.fromkeys("drei trois tres tre três drie".split(), "3"),
    **dict.fromkeys("vier quatre cuatro quattro quatro fyra".split(), "4"),
    **dict.fromkeys("fünf cinq cinco cinque vijf".split(), "5"),
    **dict.fromkeys("sechs seis sei zes".split(), "6"),
    **dict.fromkeys("sieben siete sette sete zeven sju".split(), "7"),
    **dict.fromkeys("acht huit ocho otto oito åtta".split(), "8"),
    **dict.fromkeys("neun neuf nueve nove negen nio".split(), "9"),
    **dict.fromkeys("zehn dix diez dieci dez tio".split(), "10"),
    **dict.fromkeys("onze undici elva".split(), "11"),
    **dict.fromkeys("zwölf douze doce dodici doze twaalf tolv".split(), "12"),
    **dict.fromkeys("dreizehn treize trece tredici treze dertien tretton".split(), "13"),
    **dict.fromkeys("vierzehn quatorze catorce quattordici catorze veertien fjorton".split(), "14"),
    **dict.fromkeys("fünfzehn quinze quince quindici vijftien femton".split(), "15"),
    **dict.fromkeys("sechzehn seize dieciséis sedici dezesseis zestien sexton".split(), "16"),
    **dict.fromkeys("siebzehn diecisiete diciassette dezessete zeventien sjutton".split(), "17"),
    **dict.fromkeys("achtzehn dieciocho diciotto dezoito achttien arton".split(), "18"),
    **dict.fromkeys("neunzehn diecinueve diciannove dezenove negentien nitton".split(), "19"),
    **dict.fromkeys("zwanzig vingt veinte venti vinte twintig tjugo".split(), "20"),
}
"""Numbers to twenty in other languages; words that are English too are left out."""
