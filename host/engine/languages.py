"""Pure: what moves, cards and numbers are called in other languages. In: a clause. Out: it in English, if all of it is known.

Words that are English words too are left out, and so is what a dictionary of a few hundred words cannot tell apart: a clause with
one unknown word is not translated.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from host.engine.frames import FOREIGN, FOREIGN_NUMBERS
from host.engine.grammar import FILLERS, THANKS, plain
from host.engine.ordinary import ORDINARY_WORDS

_MEANS: Mapping[str, str] = {
    "another card": """
        noch eine karte | eine karte | noch eine | karte | encore une carte | une carte | encore une | otra carta |
        una carta más | otra más | un'altra carta | ancora una carta | mais uma carta | outra carta | nog een kaart |
        een kaart | ett kort till | et kort til | et kort til tak | jeszcze jedna karta | jeszcze jedną kartę |
        ještě jednu kartu | bir kart daha | vielä yksi kortti | lisää kortteja | még egy lapot | még egyet""",
    "stand": """
        bleiben | rester | quedarme |
        ich bleibe | bleibe | bleibe stehen | je reste | je m'arrête | me planto | me quedo | mi fermo | sto bene così |
        fico | eu fico | ik pas | ik blijf | jag stannar | stannar | jeg står | jeg bliver | zostaję | zůstávám |
        jään tähän | kalıyorum | maradok""",
    "fold": """
        passen | j'abandonne | j'abandonne cette main | abandonner | lascio la mano | me voy | me planto fuera |
        ich passe | passe | steige aus | ich steige aus | je me couche | me retiro | no voy | passo la mano | lascio |
        desisto | ik fold | jag lägger mig | lägger mig | jeg kaster | pasuję | skládám | passzolok | eldobom |
        eldobom a lapjaimat | скидаю | сбрасываю | пас""",
    "call": """
        mitgehen | ich geh mit | geh mit | suivre | igualo | ir |
        ich gehe mit | gehe mit | ich halte | je suis | je paie | pago | lo veo | vedo | ci sto | eu pago | ik ga mee |
        jag synar | synar | jeg syner | sprawdzam | dorovnávám | maksan | tartom""",
    "check": "ich schiebe|schiebe|je passe mon tour|je checke|busso|ik check|passar|πάσο|czekam",
    "raise": """
        erhöhen | erhöhen um | um |
        ich erhöhe | erhöhe | ich erhöhe um | erhöhe um | je relance | je relance de | relance | subo | subo en |
        rilancio | rilancio di | aumento | ik verhoog | verhoog | verhoog met | jag höjer | höjer | höjer med |
        jeg hæver | hæver | hæver med | jeg høyner | høyner | podbijam | przebijam | zvyšuji | artırıyorum | korotan |
        emelek | 我加注 | 加注""",
    "bet": """
        setzen | ich wette |
        ich setze | setze | je mise | mise | je parie | apuesto | punto | scommetto | aposto | ik zet in | ik zet |
        zet | jag satsar | satsar | jeg satser | satser | jeg sætter | stawiam | sázím | panostan | oynuyorum | teszek""",
    "cut": """
        ich hebe ab | hebe ab | abheben | karten abheben | hebe bei | je coupe | coupe | couper | corto | cortar |
        corto en | taglio | tagliare | ik coupeer | jag kuperar | jeg tager av | przekładam | sejmu""",
    "pick": """
        ich nehme feld | feld | aufdecken | öffne | ich öffne | ich decke auf | je retourne | je choisis | j'ouvre |
        ouvre | case | la case | abro | la casilla | casilla | elijo | escojo | apro | la casella | casella | scelgo |
        abro a casa | escolho | vak | ik kies | ik open | ruta | jag väljer | felt | jeg velger | jeg vælger | pole |
        wybieram | otwieram | vybírám""",
    "keep": """
        ich behalte | ich behalte sie | behalte | behalten | je garde | je la garde | garder | me la quedo |
        me quedo con | la tengo | tengo la carta | fico com | fico com ela | ik houd | ik hou | ik houd hem |
        ik hou hem | houden | jag behåller | behåller | behåller den | jeg beholder | beholder | beholder det |
        zatrzymuję | nechám si | pidän | megtartom""",
    "draw": """
        robo del mazo | del mazo | dal mazzo | de la pioche | nachziehen |
        ich ziehe | ziehe | ziehen | vom stapel | ich ziehe vom stapel | je pioche | piocher | tirer une carte |
        je tire | robo | robo una carta | pesco | pesco una carta | compro uma carta | ik trek | trek | van de stapel |
        jag drar | drar | jeg trekker | trekker | jeg trækker | dobieram | táhnu | nostan | húzok""",
    "freeze": "ich höre auf|je gèle|congelo|mi congelo|ik bevries|ik stop",
    "accept": """
        annehmen | accepter | aceptar | accettare |
        ich nehme an | nehme an | ich nehme das angebot an | angenommen | j'accepte | acepto | accetto | aceito |
        ik accepteer | ik neem het aan | jag accepterar | jeg accepterer | jeg godtar | akceptuję | biorę | přijímám |
        hyväksyn | kabul ediyorum | teklifi kabul ediyorum | elfogadom""",
    "refuse": """
        ablehnen | refuser | rechazar | rifiutare |
        ich lehne ab | lehne ab | abgelehnt | je refuse | refuse le joker | rechazo | no acepto | rifiuto | recuso |
        ik weiger | ik wijs af | jag avstår | jag tackar nej | jeg afslår | jeg avslår | odrzucam | odmítám |
        reddediyorum""",
    "skip": """
        überspringen | ich überspringe | weiter zur nächsten | je saute | je passe la question | salto | pulo |
        sla over | hoppa över | pomijam""",
    "discard": """
        abwerfen | ich werfe ab | wegwerfen | je jette | défausser | la jette | descarto | scarto | la scarto |
        gooi weg | weggooien | kasta | kasst | odrzucić""",
    "play": """
        spielen | jouer |
        ich spiele | spiele | je joue | juego | gioco | eu jogo | ik speel | jag spelar | jeg spiller | gram | hraji |
        pelaan | oynarım | 플레이 | 플레이할게요 | jugar""",
    "sit": "ich setze aus|setze aus|paso|je m'abstiens|sto fuori|ik sla over|står över",
    "continue": """
        дальше | продолжаю |
        weiter | weitermachen | mach weiter | on continue | je continue | continuer | sigo | seguimos | continuo |
        avanti | ga door | doorgaan | fortsätt | fortsett | dalej""",
    "all": """
        tutto quanto | до конца | дальше до конца | все |
        bis zum ende | zum ende | alles | alle | tout | le tout | jusqu'au bout | jusqu'à la fin | todo |
        hasta el final | tutto | fino alla fine | tudo | até o fim | alles inzetten | allt | till slutet | alt |
        wszystko | vše | kaikki""",
    "half": "hälfte|die hälfte|moitié|la moitié|mitad|la mitad|metà|la metà|metade|helft|de helft|hälften|halvparten|połowę",
    "stop": """
        aufhören | ich höre auf zu kämpfen | halt | on arrête | on arrête là | arrêter | je m'arrête là | paramos |
        mi fermo qui | stoppen | sluta | stopp""",
    "attack": """
        greift an | greift | angreifen | angriff | an | attaque | attaquer | ataca | atacar | attacca | attaccare |
        valt aan | aanvallen | angriper | attackerar""",
    "pass": """
        weitergeben | gib sie | ich gebe sie | gebe sie | passe la | je la passe | je la passe à | je passe | la passo |
        paso la carta | geef door | skicka vidare | ge den till""",
    "high": """
        hoch | nach oben | oben | ganz oben | en haut | haut | arriba | alto | in alto | alta | em cima | hoog | boven |
        högt | överst | upp | høyt | øverst | wysoko | na górę""",
    "low": """
        niedrig | tief | nach unten | unten | ganz unten | en bas | bas | abajo | bajo | in basso | basso | em baixo |
        embaixo | baixo | laag | onder | onderaan | lågt | underst | nederst | lavt | nisko""",
    "codes random": """
        zufällige codes | codes zufällig | zufallscodes | codes au hasard | au hasard | codes aléatoires |
        códigos al azar | al azar | códigos aleatorios | codici casuali | a caso | códigos aleatórios |
        willekeurige codes | slumpmässiga koder | tilfeldige koder | losowe kody | zufällig""",
    "rock": "stein|pierre|caillou|piedra|sasso|pedra|steen|sten|kamień|kámen|kivi|taş",
    "paper": "papier|feuille|papel|carta paper|pappret|påse|papir|papír|paperi|kağıt",
    "scissors": "schere|ciseaux|ciseau|tijeras|tijera|forbici|tesoura|schaar|sax|saks|nożyce|nožice|nůžky|sakset|makas",
    "clubs": "kreuz|trèfle|trèfles|tréboles|trébol|fiori|klaver|klaveren|klöver|kløver|trefl",
    "diamonds": "karo|carreau|carreaux|diamantes|quadri|ouros|ruiten|ruter",
    "hearts": "herz|coeur|cœur|coeurs|corazones|corazón|cuori|copas|harten|hjärter|hjerter|kier",
    "spades": "pik|pique|piques|picas|picche|espadas|schoppen|spader",
    "king": "könig|roi|rey|rei|koning|kung|konge|król",
    "queen": "dame|die dame|reine|reina|regina|dama|rainha|vrouw|drottning|dronning|królowa",
    "jack": "bube|valet|jota|fante|valete|boer|knekt|walet",
    "ace": "ass|l'as|asso|aas|äss|ess|dem ass",
    "dealer": "dem dealer|auf den dealer|dealeren|le croupier|croupier|el crupier|crupier",
    "player": "den spieler|spieler|le joueur|joueur|el jugador|jugador|spilleren",
    "joker": "den joker|le joker|il jolly|el comodín",
    "yes": "oui|ja|sí|sì|sim|tak|ano|evet|igen|joo",
    "no": "non|nein|nee|nej|nei|não|hayır|nem",
    "not": "nicht|pas|niet|inte|ikke|nie",
    "more": "mehr|dazu|plus de|más|di più|mais|meer|til|lisää|więcej",
    "then": "dann|und dann|puis|et puis|ensuite|luego|después|poi|depois|daarna|sedan|så|derefter|potem|pak",
    "and": "und|et|y|ed|og|och|oraz",
    "on": "auf|sur|sobre|su|em cima de|op",
    "under": "unter|sous|debajo de|debajo del|sotto|pod",
    "middle": "mitte|in der mitte|die mitte|au milieu|le milieu|del medio|en el medio|el medio|nel mezzo|in mezzo|no meio",
    "between": "entre|zwischen|tra|fra|tussen|mellan|mellem",
    "": """
        chips | dollar | dollars | euro | punkte | jetons | fichas | gettoni | karten | cartes | cartas | kaarten |
        korten | bitte | bitteschön | s'il vous plaît | s'il te plaît | svp | stp | por favor | per favore |
        alstublieft | alsjeblieft | tack så mycket | vær så snill | vennligst | lieber | liever | nur | nochmal |
        noch mal | gern | gerne | hallo | bonjour | bonsoir | hola | ciao | olá | salut | hej | hei | cześć | ahoj |
        guten tag | guten abend | buenos días | lg | vg | mfg | gruß | grüße | bien | merci bien | voilà | also | ok |
        dank u | dank je | mon | ma | mes | mein | meine | meinen | mi | mio | mia | minha | meu | mijn | min | mitt |
        der | dieser | diese | diesen | cette | ce | esta | este | questa | questo | deze | dit""",
}
COURTESIES = frozenset(" ".join(_MEANS[""].split("|")).split())
"""Words that carry no meaning in these languages."""
_FROM = {
    " ".join(phrase.split()): english
    for english, phrases in _MEANS.items()
    for phrase in phrases.split("|")
    if phrase.strip() and (not english or phrase.strip() not in ORDINARY_WORDS)
}
_TWICE = re.compile(r"\b([a-z]+)(?: \1\b)+")
"""`abro la casilla`: the verb and its noun are one word here."""
_GERMAN_SUITS = {"herz": "hearts", "karo": "diamonds", "pik": "spades", "kreuz": "clubs"}
_GERMAN_RANKS = {"könig": "king", "dame": "queen", "bube": "jack", "ass": "ace"}
_FROM |= {
    f"{suit}{rank}": f"{english_rank} of {english_suit}"
    for suit, english_suit in _GERMAN_SUITS.items()
    for rank, english_rank in _GERMAN_RANKS.items()
}
_ENGLISH = (
    ORDINARY_WORDS
    - {each for phrase in _FROM for each in phrase.split()}
    - {each for each in _MEANS if " " not in each}
)
_LONGEST = max(len(phrase.split()) for phrase in _FROM)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d[\d.,]*|\S")
_TENS = {
    **{"dix-sept": "17", "dix-huit": "18", "dix-neuf": "19", "vingt-cinq": "25"},
    **{"trente": "30", "dreißig": "30", "treinta": "30", "quaranta": "40"},
}
_TENS_OF = re.compile("|".join(map(re.escape, _TENS)))
MOST_WORDS = 24
"""Words: a longer clause is a story."""


@lru_cache(maxsize=256)
def in_english(clause: str, names: frozenset[str] = frozenset()) -> str:
    """The clause with the words of another language in English; empty where there are none, or some are not known.

    Words for numbers become digits; `names`, folded, and the codes of cards stay as they are.
    """
    found = _WORD.findall(_TENS_OF.sub(lambda match: _TENS[match[0]], plain(clause)))
    if len(found) > MOST_WORDS:
        return ""
    said: list[str] = []
    is_foreign = False
    at = 0
    while at < len(found):
        size = next(
            (size for size in range(min(_LONGEST, len(found) - at), 0, -1) if " ".join(found[at : at + size]) in _FROM),
            0,
        )
        word = found[at]
        if (name := _without_accents(word)) in names:
            said.append(name)
            size = 1
        elif size:
            phrase = " ".join(found[at : at + size])
            is_foreign = is_foreign or bool(_FROM[phrase]) or phrase not in ORDINARY_WORDS
            said.append(_FROM[phrase])
        elif word in FOREIGN_NUMBERS:
            is_foreign = is_foreign or word not in ORDINARY_WORDS
            said.append(FOREIGN_NUMBERS[word])
        elif word in _ENGLISH and word not in FOREIGN:
            return ""
        elif word not in FOREIGN and word not in THANKS and word not in FILLERS:
            if word.isalpha() and len(word) > 2:
                return ""
            said.append(word)
        at += size or 1
    english = " ".join(each for each in said if each)
    return _TWICE.sub(r"\1", english) if is_foreign else ""


def _without_accents(word: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFD", word) if not unicodedata.combining(each))
