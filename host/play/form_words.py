"""Pure: how people label and begin what they say of themselves. In: nothing. Out: patterns for folded text (`fold`).

The languages are those in which registrations are written; what is missing here is left unset, never guessed.
"""

import re
import unicodedata

_QUOTES = str.maketrans({"‘": "'", "’": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})

LABELS = {
    "name": """
        name, full name, my name, my full name, your name, real name, my real name, first and last name, first name
        and last name, first & last name, name and surname, contestant name, contestant, vor- und nachname, vor und
        nachname, vorname und nachname, vorname nachname, vorname name, nom et prenom, nom complet, prenom et nom,
        nom, nombre completo, nombre y apellido, nombre y apellidos, nombre, nome e cognome, nome completo, nome e
        sobrenome, nome, volledige naam, voor- en achternaam, voornaam en achternaam, naam, imie i nazwisko, for-
        och efternamn, fullstandigt namn, namn, fulde navn, fullt navn, for- og efternavn, for- og etternavn, navn,
        koko nimi, nimi, cele jmeno, jmeno a prijmeni, teljes nev, nev, nume complet, nume, имя и фамилия, фио, ad
        soyad, adi soyadi, isim, 名前, 氏名, 姓名""",
    "given": """
        first name, given name, christian name, vorname, prenom, nombre de pila, voornaam, imie, fornamn, fornavn,
        etunimi, jmeno, keresztnev, prenume, имя""",
    "surname": """
        last name, family name, surname, nachname, familienname, nom de famille, apellido, apellidos, cognome,
        sobrenome, achternaam, nazwisko, efternamn, efternavn, etternavn, sukunimi, prijmeni, vezeteknev, фамилия,
        soyad""",
    "nickname": """
        nickname, nick name, nick, handle, alias, screen name, screenname, user name, username, name at tgsf, tgsf
        name, forum name, player name, known as, goes by, i go by, spitzname, benutzername, surnom, pseudo,
        pseudonyme, apodo, mote, sobrenombre, soprannome, bijnaam, roepnaam, alcunha, pseudonim, ksywa, przezwisko,
        smeknamn, kaldenavn, kallenavn, lempinimi, prezdivka, becenev, porecla, прозвище, ник, takma ad, lakap,
        ニックネーム, 昵称""",
    "hometown": """
        hometown, home town, home city, town, city, home, from, where you're from, where you are from, where i'm
        from, where i am from, where i live, wohnort, heimatort, heimatstadt, stadt, ort, ville, ville natale,
        domicile, ciudad, ciudad natal, localidad, pueblo, citta, citta natale, citta di residenza, residenza,
        woonplaats, stad, plaats, cidade, cidade natal, localidade, miasto, miejscowosc, miejsce zamieszkania,
        hemort, hemstad, bostadsort, hjemby, hjemsted, bosted, by, kotikaupunki, kotipaikka, paikkakunta, mesto,
        bydliste, lakohely, varos, oras, город, sehir, memleket, 出身地, 城市""",
    "apelido": "apelido",
}
"""What stands before a value, by field. `apelido` is a surname in Portugal and a nickname in Brazil."""
SHORT = frozenset("by from home ort city town contestant nev nick".split())
"""Labels that are words of other sentences too: only where a line or a part of it begins."""
NONE = frozenset(
    """none no n/a na nope nil nothing same - -- --- / . keine keiner kein aucun aucune ninguno ninguna nessuno
        nessuna geen nenhum brak ingen ei nincs нет""".split()
)
"""What people write where a value is none."""

PARTICLES = frozenset(
    "van der den de het ten ter te von vom zu zum zur la le las los di da dos das do du del della bin al".split()
)
"""Parts of names and places that are written small."""
STOPS = frozenset(
    """and but from i i'm im i've i'd my people they everyone everybody friends living live please aka call who
        here there on at und ich wohne aber et je j'habite y yo vivo e abito vivo en ik woon moro i mieszkam och og
        jeg jag bor ja a и also am is we our folks some most all just you""".split()
)
"""Words with which something new begins behind a value."""
NO_VALUE = frozenset(
    """a an and are as at back be been by can crazy do for get going good had happy has have he her here him his
        how if important in it its just later like me more not now of off ok on once one or out play playing ready
        really she so soon some something still sure that the their then there these this those to too up very was
        well what when whenever where which who why will with would again anytime any time today tomorrow tonight
        monday tuesday wednesday thursday friday saturday sunday thanks thank cheers hello hi dear""".split()
)
"""Words that are nobody's name: sentences go on with them."""

NAME_IS = re.compile(
    r"\b(?:name(?: is|'s| should be)|change my name to)(?: really| actually| spelled| spelt)?"
    r"|\bmein name ist|\bich hei(?:ss|ß)e|\bje m'appelle|\bmon nom est|\bme llamo|\bmi nombre es|\bmi chiamo"
    r"|\bil mio nome e|\bmijn naam is|\bik heet|\bmeu nome e|\b(?:eu )?me chamo|\bchamo-me|\bnazywam sie|\bmam na imie"
    r"|\bjag heter|\bmitt namn ar|\bjeg h(?:edder|eter)|\bmit navn er|\bnimeni on|\bjmenuji se|\ba nevem"
    r"|\bменя зовут|\b(?:benim )?adim|\bnumele meu este|\bma numesc"
)
"""After this stands a name."""
I_AM = re.compile(
    r"(?<![\w'])(?:i'm|i am|this is|it's|ich bin|je suis|soy|sono|ik ben|(?:eu )?sou|jestem|jag ar|jeg er|olen|jsem)(?![\w'])"
)
"""After this may stand a name, or anything else."""
CALLED = re.compile(
    r"(?<!not )(?<!n't )(?<!never )\bcalls? me|\bknown as|\baka|\ba\.k\.a\.|(?<!you )\bgo(?:es|ing)? by(?: the name(?: of)?)?"
    r"|\bunder the name(?: of)?"
    r"|\bmy (?:nick ?name|nick|handle|alias|screen ?name)(?: at tgsf| there| here)? is|\bnick ?name is"
    r"|\bnenn(?:en|t)? mich|\bmein spitzname ist|\bon m'appelle|\bappelez-moi"
    r"|\bmon surnom est|\bme dicen|\bllamame|\bmi apodo es|\bmi chiamano|\bchiamami|\bil mio soprannome e|\bnoem me"
    r"|\bze noemen me|\bmijn bijnaam is|\bme chamam(?: de)?|\bmeu apelido e|\bmowia na mnie|\bkalla mig|\bkaldes|\bменя называют"
)
"""After this stands a nickname."""
LIVES = re.compile(
    r"\b(?:live|living|reside|residing|based) in|\b(?:i'?m|i am|we're|come|coming|hail|hailing) from"
    r"|\b(?:my )?home ?town is|\bmy town is|\bmy city is|\bmy home is|\bwohne (?:ich )?in|\blebe (?:ich )?in|\bkomme (?:ich )?aus"
    r"|\bhabite (?:a|en|au)|\bvis (?:a|en|au)|\bviens d(?:e |')|\bvivo en|\bsoy de|\babito a|\bvivo a|\bvengo da|\bsono di"
    r"|\bwoon in|\bkom uit|\bmoro (?:em|no|na)|\bvivo em|\bsou d[eoa]|\bmieszkam we?|\bjestem ze?|\bbor (?:i|pa)"
    r"|\bkommer fran?|\bbydlim ve?|\bживу в|\bя из"
)
"""After this stands a place."""
BARE = re.compile(
    r"(?:^|\n|[,;] ?|\band )(?:my )?(?:new )?(?:(?P<name>name)|(?P<nickname>nick ?name|nick)|(?P<hometown>home ?town)) +"
)
"""A label that no sign follows."""
TOWN_IS = re.compile(r"\b(?:my )?(?:home ?town|town|city) is")
HERE = re.compile(r",? (?:here|hier|ici|aqui|qui)\b")
"""Behind a name: it is the writer's."""
FROM = re.compile(r",? +(?:and )?(?:from|aus|uit) +")
"""Behind a name: what follows is a place."""
GOES_ON = re.compile(
    r",? (?:from|aus|uit)\b|,? and (?:i(?:'m| am)? (?:from|live|come|go)|my|people|they|every|friends)"
    r"|,? (?:und|et|y|e|en|och|og) "
)
"""What follows a single name, where it is one."""


def fold(text: str) -> str:
    """A text of the same length, in small letters without accents, and with plain quotes."""
    return "".join(_folded(each) for each in text.translate(_QUOTES))


def _folded(character: str) -> str:
    if character.isascii():
        return character.lower()
    plain = unicodedata.normalize("NFKD", character)[:1].lower()[:1]
    return {"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "a", "–": "-", "—": "-", "\u00a0": " "}.get(
        plain, plain
    ) or character


def label_pattern() -> re.Pattern[str]:
    """Any label in folded text; the group that matched is its field, or `short_` and its field for one of `SHORT`."""
    alternatives = [
        r"(?P<asked>name you(?:'d| would)?(?: like to| want to)? (?:go by|be called)"
        r"(?: [^:(,;=]{1,30}(?=[:=])| (?:at|on|in)(?: the)? [^\s:(,;=]+)?)"
    ]
    for field, listed in LABELS.items():
        phrases = [" ".join(fold(each).split()) for each in listed.split(",")]
        for group, is_short in ((field, False), (f"short_{field}", True)):
            some = [re.escape(each).replace(r"\ ", " +") for each in phrases if (each in SHORT) is is_short]
            if some:
                alternatives.append(f"(?P<{group}>{'|'.join(sorted(some, key=len, reverse=True))})")
    return re.compile(rf"(?<![\w'-])(?:{'|'.join(alternatives)})(?![\w'-])")
