"""What a person typed, over languages, mail programs and places; and where two readings of a mail disagree."""

from collections.abc import Iterator

import pytest
import quotequail

from host.mail.inbound.mail import Typed
from host.mail.inbound.quotation import may_quote, read_lines
from host.mail.inbound.sent_text import SentText
from tests.patience import not_for_ever
from tests.rows import every

LETTER = """Hello Ann,

Bob turned over space 3 and found 7♥. Bob kept it.

Ann has 9s 5d, which makes 14.
Bob has Tc 7h, which makes 17.

Your turn: turn over a space. For instance, write: pick 5
or, if you want to stop at 14: freeze

You have until Sunday 22 November, 20:00 in Berlin.

Good luck!
The Millionaire
"""
SENT = [SentText(LETTER)]
ME = "The Millionaire <games@example.org>"

LABELS = {
    "English": ("From", "Sent", "To", "Subject"),
    "German": ("Von", "Gesendet", "An", "Betreff"),
    "French": ("De\u00a0", "Envoyé\u00a0", "À\u00a0", "Objet\u00a0"),
    "Spanish": ("De", "Enviado el", "Para", "Asunto"),
    "Italian": ("Da", "Inviato", "A", "Oggetto"),
    "Portuguese": ("De", "Enviada em", "Para", "Assunto"),
    "Dutch": ("Van", "Verzonden", "Aan", "Onderwerp"),
    "Swedish": ("Från", "Skickat", "Till", "Ämne"),
    "Norwegian": ("Fra", "Sendt", "Til", "Emne"),
    "Danish": ("Fra", "Sendt", "Til", "Emne"),
    "Finnish": ("Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"),
    "Polish": ("Od", "Wysłano", "Do", "Temat"),
    "Czech": ("Od", "Odesláno", "Komu", "Předmět"),
    "Russian": ("От", "Отправлено", "Кому", "Тема"),
    "Turkish": ("Kimden", "Gönderilme", "Kime", "Konu"),
    "Japanese": ("差出人", "送信日時", "宛先", "件名"),
    "Chinese": ("发件人", "发送时间", "收件人", "主题"),
    "Korean": ("보낸 사람", "보낸 날짜", "받는 사람", "제목"),
    "Greek": ("Από", "Στάλθηκε", "Προς", "Θέμα"),
    "Hungarian": ("Feladó", "Elküldve", "Címzett", "Tárgy"),
}
GMAIL = {
    "English": f"On Fri, Nov 20, 2026 at 3:00 PM {ME} wrote:",
    "German": f"Am Fr., 20. Nov. 2026 um 15:00 Uhr schrieb {ME}:",
    "French": f"Le ven. 20 nov. 2026 à 15:00, {ME} a écrit :",
    "Spanish": "El vie, 20 nov 2026 a las 15:00, The Millionaire (<games@example.org>) escribió:",
    "Italian": f"Il giorno ven 20 nov 2026 alle ore 15:00 {ME} ha scritto:",
    "Portuguese": f"Em sex., 20 de nov. de 2026 às 15:00, {ME} escreveu:",
    "Dutch": f"Op vr 20 nov 2026 om 15:00 schreef {ME}:",
    "Swedish": f"Den fre 20 nov. 2026 kl 15:00 skrev {ME}:",
    "Norwegian": f"fre. 20. nov. 2026 kl. 15:00 skrev {ME}:",
    "Danish": f"Den fre. 20. nov. 2026 kl. 15.00 skrev {ME}:",
    "Finnish": f"pe 20. marrask. 2026 klo 15.00 {ME} kirjoitti:",
    "Polish": f"pt., 20 lis 2026 o 15:00 {ME} napisał(a):",
    "Czech": f"pá 20. 11. 2026 v 15:00 odesílatel {ME} napsal:",
    "Russian": f"пт, 20 нояб. 2026 г. в 15:00, {ME}:",
    "Turkish": f"{ME}, 20 Kas 2026 Cum, 15:00 tarihinde şunu yazdı:",
    "Japanese": f"2026年11月20日(金) 15:00 {ME}:",
    "Chinese": "The Millionaire <games@example.org> 于2026年11月20日周五 15:00写道：",
    "Korean": f"2026년 11월 20일 (금) 오후 3:00, {ME}님이 작성:",
    "Greek": f"Στις Παρ 20 Νοε 2026 στις 3:00 μ.μ., ο χρήστης {ME} έγραψε:",
    "Hungarian": f"{ME} ezt írta (időpont: 2026. nov. 20., P, 15:00):",
}
THUNDERBIRD = {
    "English": "On 11/20/26 15:00, The Millionaire wrote:",
    "German": "Am 20.11.26 um 15:00 schrieb The Millionaire:",
    "French": "Le 20/11/2026 à 15:00, The Millionaire a écrit\u00a0:",
    "Spanish": "El 20/11/26 a las 15:00, The Millionaire escribió:",
    "Italian": "Il 20/11/2026 15:00, The Millionaire ha scritto:",
    "Portuguese": "Em 20/11/2026 15:00, The Millionaire escreveu:",
    "Dutch": "Op 20-11-2026 om 15:00 schreef The Millionaire:",
    "Swedish": "Den 2026-11-20 kl. 15:00, skrev The Millionaire:",
    "Norwegian": "Den 20.11.2026 15:00, skrev The Millionaire:",
    "Danish": "Den 20.11.2026 kl. 15.00 skrev The Millionaire:",
    "Finnish": "The Millionaire kirjoitti 20.11.2026 klo 15.00:",
    "Polish": "W dniu 20.11.2026 o 15:00, The Millionaire pisze:",
    "Czech": "Dne 20. 11. 26 v 15:00 The Millionaire napsal(a):",
    "Russian": "20.11.2026 15:00, The Millionaire пишет:",
    "Turkish": "20.11.2026 15:00 tarihinde The Millionaire yazdı:",
    "Japanese": "On 2026/11/20 15:00, The Millionaire wrote:",
    "Chinese": "在 2026/11/20 15:00, The Millionaire 写道:",
    "Korean": "2026-11-20 오후 3:00에 The Millionaire 이(가) 쓴 글:",
    "Greek": "Στις 20/11/26 15:00, ο/η The Millionaire έγραψε:",
    "Hungarian": "2026. 11. 20. 15:00 keltezéssel, The Millionaire írta:",
}
APPLE = {
    "English": f"On Nov 20, 2026, at 3:00 PM, {ME} wrote:",
    "German": f"Am 20.11.2026 um 15:00 schrieb {ME}:",
    "French": f"Le 20 nov. 2026 à 15:00, {ME} a écrit :",
    "Spanish": f"El 20 nov 2026, a las 15:00, {ME} escribió:",
    "Italian": f"Il giorno 20 nov 2026, alle ore 15:00, {ME} ha scritto:",
    "Portuguese": f"No dia 20/11/2026, às 15:00, {ME} escreveu:",
    "Dutch": f"Op 20 nov 2026, om 15:00 heeft {ME} het volgende geschreven:",
    "Swedish": f"20 nov. 2026 kl. 15:00 skrev {ME}:",
    "Norwegian": f"20. nov. 2026 kl. 15:00 skrev {ME}:",
    "Danish": f"Den 20. nov. 2026 kl. 15.00 skrev {ME}:",
    "Finnish": f"{ME} kirjoitti 20.11.2026 kello 15.00:",
    "Polish": f"Wiadomość napisana przez {ME} w dniu 20 lis 2026, o godz. 15:00:",
    "Czech": f"20. 11. 2026 v 15:00, {ME}:",
    "Russian": f"20 нояб. 2026 г., в 15:00, {ME} написал(а):",
    "Turkish": f"{ME} şunları yazdı (20 Kas 2026 15:00):",
    "Japanese": f"2026/11/20 15:00、{ME}のメール:",
    "Chinese": f"在 2026年11月20日，下午3:00，{ME} 写道：",
    "Korean": f"2026. 11. 20. 오후 3:00, {ME} 작성:",
    "Greek": f"Στις 20 Νοε 2026, στις 3:00 μ.μ., ο χρήστης {ME} έγραψε:",
    "Hungarian": f"{ME} írta (2026. nov. 20., 15:00):",
}
YAHOO = {
    "English": f"On Friday, November 20, 2026 at 03:00:00 PM EST, {ME} wrote:",
    "German": f"Am Freitag, 20. November 2026 um 15:00:00 MEZ hat {ME} Folgendes geschrieben:",
    "French": f"Le vendredi 20 novembre 2026 à 15:00:00 UTC+1, {ME} a écrit :",
    "Spanish": f"El viernes, 20 de noviembre de 2026, 15:00:00 CET, {ME} escribió:",
    "Italian": f"Il venerdì 20 novembre 2026 alle ore 15:00:00 CET, {ME} ha scritto:",
    "Portuguese": f"Em sexta-feira, 20 de novembro de 2026 15:00:00 BRT, {ME} escreveu:",
    "Dutch": f"Op vrijdag 20 november 2026 15:00:00 CET schreef {ME}:",
    "Swedish": f"Den fredag 20 november 2026 15:00:00 CET, {ME} skrev:",
    "Norwegian": f"fredag 20. november 2026 kl. 15:00:00 CET skrev {ME} følgende:",
    "Danish": f"fredag den 20. november 2026 15.00.00 CET skrev {ME}:",
    "Finnish": f"perjantai 20. marraskuuta 2026 klo 15.00.00 EET {ME} kirjoitti:",
    "Polish": f"piątek, 20 listopada 2026 15:00:00 CET, {ME} napisał(a):",
    "Czech": f"V pátek 20. listopadu 2026 15:00:00 SEČ, uživatel {ME} napsal:",
    "Russian": f"пятница, 20 ноября 2026 г. в 15:00:00 GMT+3, {ME} написал:",
    "Turkish": f"20 Kasım 2026 Cuma 15:00:00 GMT+3 tarihinde {ME} şunu yazdı:",
    "Japanese": f"2026年11月20日金曜日 15:00:00 JST、{ME} さんが書きました:",
    "Chinese": "在 2026年11月20日星期五 下午03:00:00 [GMT+8]， The Millionaire<games@example.org> 寫道：",
    "Korean": f"2026년 11월 20일 금요일 오후 3:00:00 GMT+9, {ME} 님이 작성:",
    "Greek": f"Στις Παρασκευή 20 Νοεμβρίου 2026 στις 03:00:00 μ.μ. EET, ο χρήστης {ME} έγραψε:",
    "Hungarian": f"2026. november 20., péntek 15:00:00 CET, {ME} írta:",
}
PHONES = {
    "English": (
        "Sent from my iPhone",
        "Get Outlook for Android",
        "Sent from my iPhone, so please excuse any typos.",
        "Sent from my iPhone (please excuse typos!)",
        "Sent via the Samsung Galaxy S21 5G, an AT&T 5G smartphone",
        "Sent from my Verizon, Samsung Galaxy smartphone",
        "Sent from my Android device with K-9 Mail. Please excuse my brevity.",
    ),
    "German": ("Von meinem iPhone gesendet", "Gesendet von Outlook für iOS", "Gesendet mit der GMX Mail App"),
    "French": ("Envoyé de mon iPhone", "Envoyé depuis Outlook pour Android", "Obtenir Outlook pour iOS"),
    "Spanish": ("Enviado desde mi iPhone", "Obtener Outlook para Android"),
    "Italian": ("Inviato da iPhone", "Ottieni Outlook per iOS"),
    "Portuguese": ("Enviado do meu iPhone", "Obter o Outlook para Android"),
    "Dutch": ("Verstuurd vanaf mijn iPhone", "Outlook voor iOS downloaden"),
    "Swedish": ("Skickat från min iPhone", "Hämta Outlook för Android"),
    "Norwegian": ("Sendt fra min iPhone", "Skaff deg Outlook for iOS"),
    "Danish": ("Sendt fra min iPhone", "Hent Outlook til Android"),
    "Finnish": ("Lähetetty iPhonesta", "Hanki Outlook for Android"),
    "Polish": ("Wysłane z iPhone'a", "Pobierz aplikację Outlook dla systemu iOS"),
    "Czech": ("Odesláno z iPhonu", "Získat Outlook pro Android"),
    "Russian": ("Отправлено с iPhone", "Скачать Outlook для Android"),
    "Turkish": ("iPhone'umdan gönderildi", "Android için Outlook'u edinin"),
    "Japanese": ("iPhoneから送信", "Outlook for iOS を入手"),
    "Chinese": ("从我的 iPhone 发送", "发自我的iPhone", "從我的 iPhone 傳送", "获取 Outlook for Android"),
    "Korean": ("나의 iPhone에서 보냄", "Android용 Outlook 다운로드"),
    "Greek": ("Στάλθηκε από το iPhone μου", "Λήψη του Outlook για Android"),
    "Hungarian": ("Elküldve az iPhone-omról", "Az Outlook beszerzése iOS-re"),
}
DATES = {"Japanese": "2026年11月20日 15:00", "Chinese": "2026年11月20日 15:00"}


def boxed(attribution: str) -> tuple[str, list[str]]:
    return attribution, [f"> {line}".rstrip() for line in LETTER.splitlines()]


def labelled(language: str, rule: str = "") -> tuple[str, list[str]]:
    sender, date, recipient, subject = LABELS[language]
    colon = "：" if language == "Chinese" else ":"
    when = DATES.get(language, "20 11 2026 15:00")
    block = [f"{sender}{colon} {ME}", f"{date}{colon} {when}", f"{recipient}{colon} Ann <ann@example.net>"]
    header = [*([rule] if rule else []), *block, f"{subject}{colon} Champ Cards: Ann v Bob [CC-12]", ""]
    return "\n".join(header), LETTER.splitlines()


def wrapped(attribution: str) -> str:
    """Broken before the address, as programs do that write 72 characters to a line."""
    return attribution.replace(" <", "\n<", 1)


def quotation(client: str, language: str) -> tuple[str, list[str]]:
    if client in ("Outlook", "Outlook web"):
        return labelled(language, "_" * 32 if client == "Outlook web" else "")
    if client == "Yahoo":
        return YAHOO[language], ["", *LETTER.splitlines()]
    if client == "Gmail, wrapped":
        return boxed(wrapped(GMAIL[language]))
    return boxed({"Gmail": GMAIL, "Thunderbird": THUNDERBIRD, "Apple": APPLE}[client][language])


CLIENTS = ["Gmail", "Gmail, wrapped", "Thunderbird", "Apple", "Yahoo", "Outlook", "Outlook web"]
NUMBER_OF_LINES_ABOVE = 7


@every("language", list(LABELS))
def test_what_is_typed_in_any_language_program_and_place(language: str) -> None:
    for client in CLIENTS:
        header, quoted = quotation(client, language)
        parts = {
            "top": ["pick 5", "", header, *quoted],
            "bottom": [header, *quoted, "", "pick 5"],
            "inline": [header, *quoted[:NUMBER_OF_LINES_ABOVE], "", "pick 5", "", *quoted[NUMBER_OF_LINES_ABOVE:]],
        }
        for place, lines in parts.items():
            assert read_lines("\n".join(lines), SENT) == Typed(("pick 5",)), (client, place)


@every("language", list(LABELS))
def test_a_quotation_of_a_letter_that_is_not_known_is_not_typed(language: str) -> None:
    for client in CLIENTS:
        header, quoted = quotation(client, language)
        assert read_lines("\n".join(["pick 5", "", header, *quoted]), []).lines == ("pick 5",), client


@every(("language", "line"), [(name, line) for name, lines in PHONES.items() for line in lines])
def test_what_telephones_write_below_is_not_typed(language: str, line: str) -> None:
    header, quoted = quotation("Gmail", language)
    assert read_lines("\n".join(["pick 5", "", line, "", header, *quoted]), SENT) == Typed(("pick 5",))
    assert read_lines(f"pick 5\n\n{line}\n", []).lines == ("pick 5",)


@pytest.mark.parametrize(
    "line",
    [
        "pick 5, sent from Berlin",
        "send it",
        "von mir aus 5",
        "iphone 5",
        "hent 5",
        "Sent with love",
        "I like Outlook on Android",
        "Get me 13 from the top please, I am on my phone",
        "== cut 10 - pick 3 ==",
    ],
)
def test_what_people_write_like_a_telephone_is_typed(line: str) -> None:
    assert read_lines(f"pick 5\n{line}", []).lines == ("pick 5", line)


def test_a_line_that_introduces_a_mail_is_a_program_s_and_alone_the_person_s() -> None:
    labels = f"From: {ME}\nSent: Friday, November 20, 2026 3:00 PM\nTo: ann@example.net\nSubject: Champ Cards [CC-12]"
    block = f"{labels}\n\nYour turn."
    assert read_lines(f"pick 5\n\nBegin forwarded message:\n\n{block}", []).lines == ("pick 5",)
    assert read_lines(f"I want to keep:\n\n{block}", []).lines == ("I want to keep:",)


def test_spaces_that_are_none_and_signs_that_nobody_sees() -> None:
    text = "\u200bpick\u00a05\ufeff\n\n" + GMAIL["English"].replace(" ", "\u00a0") + "\n\u00a0>\u00a0" + LETTER
    assert read_lines(text, SENT).lines == ("\u200bpick 5\ufeff",)


def test_smart_quotes_and_suit_signs_are_the_letter_still() -> None:
    letter = 'Bob said: "I\'ll keep it", and kept 7♥ and T♠.\nYour turn, Ann: turn over a space.\npick 5\n'
    text = "keep\n\n" + letter.replace("\"I'll", "“I’ll").replace('it"', "it”").replace("♥", "❤️")
    assert read_lines(text.replace("♠", "?"), [SentText(letter)]).lines == ("keep",)


def test_an_older_reply_of_the_persons_own_further_down_is_not_typed() -> None:
    header, quoted = labelled("English")
    own = header.replace(ME, "Ann <ann@example.net>")
    newer = "Hello Ann,\n\nYou turned over space 3 and found a 2.\nDo you keep it, or hand it to Bob? Please say.\n"
    text = "\n".join(["keep", "", header, newer, "", own, "pick 3", "", header, *quoted])
    assert read_lines(text, [*SENT, SentText(newer)]) == Typed(("keep",))


# Quotations that were wrapped


def marked(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def test_the_rest_of_a_marked_line_that_was_wrapped_is_quoted() -> None:
    text = marked(
        "keep", "> Your turn: turn over a space. For", "instance, write:", "pick 5", "> or, if you want to stop"
    )
    assert read_lines(text, SENT) == Typed(("keep",))


def test_without_the_letter_nobody_knows_what_was_wrapped() -> None:
    text = marked("> Your turn: turn over a space. For", "instance, write: pick 5", "> or, if you want to stop")
    assert read_lines(text, []).lines == ("instance, write: pick 5",)


def test_the_rest_at_the_end_of_what_was_kept_is_quoted() -> None:
    text = marked("> Bob turned over space 3 and found", "7♥. Bob kept it.", "", "pick 5")
    assert read_lines(text, SENT).lines == ("pick 5",)


def test_a_few_words_below_what_was_kept_are_typed() -> None:
    text = marked("> Your turn: turn over a space. For instance, write:", "pick 5")
    assert read_lines(text, SENT).lines == ("pick 5",)


def test_the_words_of_the_letter_typed_above_themselves_are_typed() -> None:
    text = marked("> Your turn: turn over a space. For instance, write:", "pick 5", "> pick 5", "> or, if you want to")
    assert read_lines(text, SENT).lines == ("pick 5",)


@pytest.mark.parametrize("typed", ["freeze", "pick 5", "Bob kept it.", "14", "or, if you want to stop at 14: freeze"])
def test_what_is_typed_below_a_line_that_was_not_wrapped_is_typed(typed: str) -> None:
    quoted = "> Bob turned over space 3 and found 7♥. Bob kept it."
    assert read_lines(marked(quoted, typed, "> Ann has 9s 5d, which makes 14."), SENT).lines == (typed,)
    assert read_lines(marked(quoted, "", typed), SENT).lines == (typed,)


def test_what_stands_apart_from_a_marked_line_does_not_continue_it() -> None:
    text = marked("> Your turn: turn over a space. For instance, write:", "", "pick 5", "", "> Good luck!")
    assert read_lines(text, SENT).lines == ("pick 5",)


SEED = "514389a7761e3717360725b9825ad76b7e18dd556a9b2ea38e73378a94678b84"
PROVEN = f"""Nobody looked at it.
Here is the seed of this game, as a number that nobody can change:
{SEED}
That is all. Good luck!
"""


@pytest.mark.parametrize("width", [20, 30, 40, 63])
def test_a_long_word_that_was_broken_is_quoted(width: int) -> None:
    first, *others = (SEED[at : at + width] for at in range(0, len(SEED), width))
    above, before, _, after = PROVEN.splitlines()
    plain = marked("keep", above, before, first, *others, after)
    boxed = marked("keep", f"> {before}", f"> {first}", *others, f"> {after}")
    below = marked("keep", f"> {before}", ">", first, *others, f"> {after}")
    for text in (plain, boxed, below):
        assert read_lines(text, [SentText(PROVEN)]).lines == ("keep",)


def test_half_of_a_long_word_is_typed_where_the_other_half_is_missing() -> None:
    text = marked("> that nobody can change:", SEED[:30], "pick 5")
    assert read_lines(text, [SentText(PROVEN)]).lines == (SEED[:30], "pick 5")


def test_words_broken_at_a_column_are_quoted_where_the_quotation_goes_on() -> None:
    text = marked("> Bob turned over space 3 and fou", "nd 7♥. Bob kept it.", ">", "> Ann has 9s 5d", "pick 5")
    assert read_lines(text, SENT).lines == ("pick 5",)


# Headers, and what is typed above them

BARE = [
    *(
        f"The Millionaire {verb}:"
        for verb in ("wrote", "schrieb", "a écrit", "a écrit\u00a0", "escribió", "ha scritto")
    ),
    *(
        f"The Millionaire {verb}:"
        for verb in ("escreveu", "schreef", "skrev", "kirjoitti", "napisał(a)", "pisze", "napsal")
    ),
    *(
        f"The Millionaire {verb}:"
        for verb in ("написал", "пишет", "şunu yazdı", "さんが書きました", "님이 작성", "έγραψε", "írta")
    ),
    "The Millionaire 写道：",
    "On Sat wrote:",
    "*The Millionaire wrote:*",
]


@every("gap", ["\n", "\n\n"])
@every("header", BARE)
def test_moves_above_a_header_without_a_date_are_typed_and_the_header_is_not(header: str, gap: str) -> None:
    for above in ("cut 5\npick 1", "cut 5, pick 1", "status", "cut 5\n\nI had 2 fives and 1 six"):
        found = read_lines(f"{above}{gap}{header}{gap}> hello\n", [])
        assert found == Typed(tuple(filter(None, above.split("\n"))))


@every("language", list(LABELS))
@every("client", ["Gmail", "Gmail, wrapped", "Thunderbird", "Apple"])
def test_moves_right_above_a_header_are_typed(language: str, client: str) -> None:
    header, quoted = quotation(client, language)
    assert read_lines("\n".join(["cut 5", "pick 1", header, *quoted]), SENT) == Typed(("cut 5", "pick 1"))


def test_a_header_without_a_date_and_without_a_quotation_is_typed() -> None:
    assert read_lines("cut 5, pick 1\nOn Sat wrote:\n", []).lines == ("cut 5, pick 1", "On Sat wrote:")
    assert read_lines("cut 5\npick 1\nThe Millionaire wrote:\n", []).lines == (
        "cut 5",
        "pick 1",
        "The Millionaire wrote:",
    )


@pytest.mark.parametrize("header", [GMAIL["English"], wrapped(GMAIL["English"]), "The Millionaire wrote:"])
def test_what_is_typed_below_a_short_quotation_is_typed(header: str) -> None:
    text = f"{header}\n> Hello\n\npick 5\nkeep it, and the next one too\n"
    assert read_lines(text, []) == Typed(("pick 5", "keep it, and the next one too"))


NAMED = """Hello Ann,

Your turn: turn over a space. For instance, write: pick 5
You have until Sunday 22 November, 20:00 in Berlin.

The Millionaire
Ref: CC-12 o2ycnphhsavuqve3t6nr3wau5u
"""
QUOTED = "".join(f"> {row}\n" for row in NAMED.splitlines())


@pytest.mark.parametrize("header", ["The Millionaire writes:", "Thus spake The Millionaire <games@example.org>:"])
@pytest.mark.parametrize("typed", ["cut 5", "cut 5\npick 1"])
def test_a_header_that_names_who_signed_the_letter_is_not_typed_in_any_words(header: str, typed: str) -> None:
    lines = tuple(typed.split("\n"))
    for text in (
        f"{typed}\n\n{header}\n{QUOTED}",
        f"{header}\n\n{typed}\n{QUOTED}",
        f"{header}\n{QUOTED}\n{typed}\n",
        f"{header}\n{QUOTED.replace('> You have', f'{typed}{chr(10)}> You have')}",
    ):
        assert read_lines(text, []) == Typed(lines)


def test_who_signed_is_told_by_the_letter_where_the_quotation_does_not() -> None:
    text = "cut 5\n\nThe Millionaire writes:\n\n"
    assert read_lines(text, [SentText(NAMED)]) == Typed(("cut 5",))
    assert read_lines(text + "> Your turn: turn over a space.\n", [SentText(NAMED)]) == Typed(("cut 5",))
    assert read_lines(text, []).lines == ("cut 5", "The Millionaire writes:")


def test_a_line_that_ends_with_a_colon_and_names_nobody_is_typed() -> None:
    text = f"host please tell me:\n{QUOTED}"
    assert read_lines(text, [SentText(NAMED)]).lines == ("host please tell me:",)


@pytest.mark.parametrize(
    "header",
    [
        "\u200fנכתב על ידי The Millionaire, ב־20.11.2026 בשעה 7:00:\u200f",
        ":כתב The Millionaire, 2026-11-20 07:00 בתאריך",
        "\u202bכתב/ה The Millionaire בתאריך 20.11.2026 07:00:\u202c",
    ],
)
def test_a_header_from_right_to_left_is_not_typed(header: str) -> None:
    for text in (f"keep\n\n{header}\n\n{QUOTED}", f"{header}\n\n{QUOTED}\nkeep\n"):
        assert read_lines(text, []) == Typed(("keep",))


# What was typed right before what a program wrote


@pytest.mark.parametrize("typed", ["keep", "cut 5, pick 1", "host what now?"])
def test_what_is_typed_right_before_the_first_mark_is_typed(typed: str) -> None:
    text = f"{GMAIL['English']}\n\n{typed}{QUOTED}"
    assert read_lines(text, []) == Typed((typed,))
    assert read_lines(text.replace(typed, f"status\n{typed}"), []) == Typed(("status", typed))


@every("typed", ["keep", "cut 5, pick 1", "Thanks!"])
@every("client", ["Gmail", "Gmail, wrapped", "Thunderbird", "Apple"])
@every("language", ["English", "German", "French", "Dutch"])
def test_what_is_typed_right_before_a_header_is_typed(language: str, client: str, typed: str) -> None:
    header, quoted = quotation(client, language)
    assert read_lines("\n".join([f"{typed}{header}", "", *quoted]), SENT) == Typed((typed,))


@pytest.mark.parametrize("line", ["is 5 > 3?", "Bob -> Ann", "a => b", "<ann@example.net> is me"])
def test_a_sign_within_a_line_between_marked_lines_is_typed(line: str) -> None:
    assert read_lines(f"> Which?\n{line}\n> Good luck!\n", []).lines == (line,)


# Marks that are learnt from what is known


@pytest.mark.parametrize("mark", ["| ", "\t", "    ", "TM> ", ": "])
def test_what_begins_like_what_is_known_is_quoted(mark: str) -> None:
    rows = [*LETTER.splitlines(), "X-Header: of a mail", "  something of a page, side by side"]
    text = "pick 5\n\n" + "".join(f"{mark}{row}\n" for row in rows) + "\nkeep\n"
    assert read_lines(text, SENT).lines == ("pick 5", "keep")


def test_what_begins_like_nothing_known_is_typed() -> None:
    text = "    pick 5\n    keep\n| freeze\n"
    assert read_lines(text, SENT).lines == ("pick 5", "keep", "| freeze")


def test_a_title_right_over_the_quotation_is_quoted() -> None:
    title = "Ann has 9s 5d, which makes 14."
    text = f"keep\n\n{GMAIL['English']}\n\n{title}\n\n{LETTER}"
    assert read_lines(text, SENT) == Typed(("keep",))


# Signatures without dashes

CARDS = [
    "Ann Lee\nSpringfield Bridge Club",
    "Ann Lee\nHead Of Games\n12 Elm Street, Springfield\n+1 555 010 0199",
    "Ann Lee\nsecretary\nTel: 030 1234567\nBerlin",
    "Lee Ann\nann@example.net",
    "Ann Lee\nHead of the Bridge Club\n12 Elm Street\nSpringfield",
    "Ann Lee\nwww.example.net\nThe Other Club",
]


@pytest.mark.parametrize("card", CARDS)
def test_the_card_of_the_writer_is_not_typed(card: str) -> None:
    header, quoted = quotation("Gmail", "English")
    letter = "\n".join([header, *quoted])
    for text in (f"keep\n\n{card}\n\n{letter}", f"keep\n\n{letter}\n\n{card}", f"{letter}\nkeep\n\n{card}"):
        assert read_lines(text, SENT, "Ann Lee") == Typed(("keep",))


def test_the_card_of_the_writer_may_stand_right_behind_what_was_typed() -> None:
    assert read_lines(f"keep{CARDS[0]}", SENT, "Ann Lee").lines == ("keep",)
    assert read_lines("Thanks, Ann Lee\nkeep", SENT, "Ann Lee").lines == ("Thanks, Ann Lee", "keep")


@every(
    "typed",
    [
        "keep\nAnn Lee",
        "Ann Lee\nkeep",
        "Ann Lee\ncut 5\npick 1",
        "Ann Lee\nPick 5",
        "Ann Lee\nFreeze",
        "Ann Lee\nFreeze\nHit Me",
        "Ann Lee\nthank you very much",
        "ANN LEE\nFREEZE NOW",
        "Springfield Bridge Club\nkeep",
        "Bob Ray\nSpringfield Bridge Club",
    ],
)
def test_a_name_with_no_card_below_it_is_typed(typed: str) -> None:
    assert read_lines(typed, SENT, "Ann Lee").lines == tuple(typed.split("\n"))


# A second opinion


def test_lines_are_what_was_typed_whatever_the_second_opinion() -> None:
    text = "pick 5\n\n-- \nAnn\n"
    assert read_lines(text, SENT).lines == ("pick 5",)


UNKNOWN = "Here is another letter.\nYou may choose now.\npick 7\nThat is all there is to say of it.\n"


def test_a_header_that_only_we_see_leaves_doubt_about_what_stands_below() -> None:
    found = read_lines("pick 5\n\n" + labelled("Finnish")[0] + "\n" + UNKNOWN, SENT)
    assert found.lines == ("pick 5",)
    assert found.doubtful == tuple(UNKNOWN.splitlines())


def test_a_header_that_only_the_library_sees_leaves_doubt_about_what_stands_below() -> None:
    found = read_lines("pick 5\n\nOn Friday Bob wrote:\npick 7\n", SENT)
    assert found == Typed(("pick 5", "On Friday Bob wrote:", "pick 7"), ("pick 7",))


def test_a_header_that_both_see_leaves_none() -> None:
    found = read_lines("pick 5\n\n" + GMAIL["English"] + "\n" + UNKNOWN, SENT)
    assert found == Typed(("pick 5",))


def test_below_a_quotation_that_is_certain_there_is_no_doubt() -> None:
    assert read_lines("On Friday Bob wrote:\n> Well?\npick 7\n", SENT).doubtful == ()
    assert read_lines("On Friday Bob wrote:\n" + LETTER + "\npick 7\n", SENT).doubtful == ()


def test_a_signature_below_a_header_is_not_in_doubt() -> None:
    text = "pick 5\n\n" + labelled("Finnish")[0] + "\n" + UNKNOWN + "Sent from my iPhone\n-- \nAnn\n"
    assert read_lines(text, SENT).doubtful == tuple(UNKNOWN.splitlines())


def test_without_a_second_opinion_there_is_no_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object, **__: object) -> None:
        raise RecursionError

    monkeypatch.setattr(quotequail, "quote", failing)
    assert read_lines("pick 5\n\nOn Friday Bob wrote:\npick 7\n", SENT).doubtful == ()


def test_nobody_is_asked_about_a_mail_without_anything_like_a_header(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def asking(text: str, **_: object) -> list[tuple[bool, str]]:
        asked.append(text)
        return [(True, text)]

    monkeypatch.setattr(quotequail, "quote", asking)
    read_lines("pick 5\nGood luck!\n\n> Hello\n", SENT)
    read_lines("> On Friday Bob wrote:\n> Hello\n", SENT)
    assert asked == []
    read_lines("pick 5\nOn Friday Bob wrote:\n> Hello\n", SENT)
    assert asked == []
    read_lines("pick 5\nOn Friday Bob wrote:\nHello\n", SENT)
    assert len(asked) == 1


def test_a_short_text_need_not_be_compared() -> None:
    assert not may_quote("pick 5\nkeep")
    assert may_quote(LETTER)


# Mails that nobody should have to read

HOSTILE = {
    "64 KB of On": "On " * 22_000,
    "64 KB of On in lines": "On \n" * 22_000,
    "5000 lines of On Fri": "On Fri\n" * 5_000,
    "5000 headers": "On Fri 20 Nov 2026 a@b wrote:\n" * 5_000,
    "100000 newlines": "\n" * 100_000,
    "100000 dashes": "-" * 100_000,
    "100000 dashes in lines": "-----\n" * 20_000,
    "long lines of marks": (">" * 997 + "\n") * 65,
    "marks in lines": "> > > a\n" * 8_000,
    "schrieb": ("Am " + "schrieb " * 120 + "\n") * 65,
    "addresses": ("2026/1/1 " + " <@>" * 200 + " \n") * 80,
    "short addresses": ("2026/1/1 " + " <@>" * 46 + "\n") * 330,
    "labels": "From: a@b 2026 12:30:\n" * 3_000,
    "the letter": (LETTER + "\nOn Friday Bob wrote:\npick 5\n") * 150,
    "one word of the letter": "Line\n" * 13_000,
    "wrapped lines": "> the turn\nis yours\n" * 6_000,
    "dates in a line": ("x" + "On a b 1" * 120 + "\n") * 65,
    "the writer's name": "Ann Lee\n" * 8_000,
    "the writer's name in a line": ("Ann Lee" * 140 + "\n") * 65,
    "initials": "".join(f"a{at}> b\n" for at in range(8_000)),
    "blanks before marks": (" " * 900 + ">x\n") * 70,
    "telephones": ("tel " + "1 2 3 " * 160 + "\n") * 65,
}


@pytest.mark.parametrize("name", list(HOSTILE))
def test_no_mail_takes_long(name: str) -> None:
    rows = [f"Line {at} of a letter, and the turn is yours: pick 5\n" for at in range(200)]
    letters = [SentText("".join(rows[at:])) for at in range(5)]
    text = HOSTILE[name][: 64 * 1024]
    with not_for_ever():
        read_lines(text, letters, "Ann Lee")


# How many letters are looked at


HEADER = f"On Fri, Nov 20, 2026 at 3:00 PM {ME} wrote:"
MARKED = "\n".join(f"> {row}" for row in LETTER.splitlines())
OTHER = "Hello Ann,\n\nnothing of this stands anywhere else, not one line.\nReally nothing at all of it.\n"


@every(
    ("text", "looked_at"),
    [
        ("keep", 0),
        (f"keep\n\n{HEADER}\n{MARKED}", 0),
        (f"{MARKED}\n\nkeep", 2),
        (f"keep\nSent from my iPhone\n\n{HEADER}\n{MARKED}", 0),
        (f"keep\n\n{HEADER}\n\n{LETTER}", 1),
        (f"{LETTER}\n\nkeep", 3),
        (f"{MARKED}\nkeep", 3),
        (f"keep\n\n{HEADER}\n\n{OTHER}", 3),
        (f"keep\n\n{HEADER}\n\n{LETTER}\n\n{HEADER}\n\n{OTHER}", 3),
        ("I thought for a long time about this,\nbut now I keep it.", 3),
        (f"I thought for a long time about this,\nbut now I keep it.\n\n{HEADER}\n{MARKED}", 2),
        (f"I thought for a long time about this,\nbut now I keep it.\n\n{HEADER}\n\n{OTHER}", 3),
    ],
)
def test_letters_are_looked_at_only_while_they_could_tell_more(text: str, looked_at: int) -> None:
    asked = []

    def letters() -> Iterator[SentText]:
        for letter in (LETTER, "Hello Bob,\n\nthe round begins.\n", "Hello Ann,\n\nyour place is kept.\n"):
            asked.append(letter)
            yield SentText(letter)

    read_lines(text, letters())
    assert len(asked) == looked_at


def test_a_letter_is_the_same_however_its_lines_end() -> None:
    one, other = SentText(LETTER), SentText(LETTER.replace("\n", "\r\n") + "\n\n")
    assert (one.words, one.starts, one.ends, one.places) == (other.words, other.starts, other.ends, other.places)
    assert (one.words[:2], one.words[-1]) == (["hello", "ann"], "millionaire")
    assert (0 in one.starts, 2 in one.starts, 2 in one.ends, len(one.words) in one.ends) == (True,) * 4
    assert len(one.words) not in one.starts


def test_a_letter_without_words_has_no_lines() -> None:
    assert (SentText("").words, SentText("\n--\n").starts, SentText("").ends) == ([], set(), set())


def test_a_letter_holds_its_words_however_they_are_written() -> None:
    letter = SentText("Bob turned over ７♥ and said: “ÜBERALL”.")
    assert letter.may_hold(("bob", "7", "überall"))
    assert not letter.may_hold(("bob", "8"))


@pytest.mark.parametrize("text", ["pick 5\n-----", "pick 5\n_____\nfreeze", "pick 5\n=====\n\nfreeze"])
def test_a_row_of_strokes_is_nothing_that_was_typed(text: str) -> None:
    assert read_lines(text, SENT).lines == tuple(each for each in text.split("\n") if each[:1].isalpha())
