"""Pure: what is not a reply. In: a parsed mail, its sender's address, its bounce. Out: why nobody should answer it, or None.

RFC 3834 and the headers that programs really write; no header that ordinary mail programs write as well.
"""

import email.message
import re
import unicodedata

from host.mail.inbound.bounce import PROGRAM_FROM, REPORT, Parts
from host.mail.inbound.headers import content_type, header_values
from host.mail.inbound.mail import Bounce

MAX_RECEIVED = 30

_AUTOMATIC_FROM = re.compile(
    r"(?:[^@]{0,64}[-_.+])?(?:(?:no|do[-_.]?not)[-_.]?reply|auto[-_.]?(?:reply|responder|response))(?:[-_.+@\d])",
    re.IGNORECASE,
)
_AUTOMATIC_HEADERS = ("X-Autoreply", "X-Autorespond", "X-Autoresponse", "X-Mail-Autoreply", "X-Autoresponder")
_AUTOMATIC_PREFIXES = ("x-auto-reply", "x-autoreply-")
_COMMENT = re.compile(r"\([^()]*\)")
_TAG = re.compile(r"^(?:\s*(?:\[[^\[\]]{1,40}\]|\*{2,5}[^*]{1,40}\*{2,5}))+\s*")
_REPLY_METHOD = re.compile(r"\bmethod\s*=\s*\"?reply\b", re.IGNORECASE)
_RECEIPT = re.compile(r"\breport-type\s*=\s*\"?disposition-notification\b", re.IGNORECASE)

# How the subject of an out-of-office mail begins, as Exchange, Outlook, Gmail, Lotus Notes, GroupWise, Zimbra and
# web hosts write it. Not here: what people write as well, such as "on vacation".
_AWAY = """
automatic reply|automatic response|auto reply|auto-reply|autoreply|auto response|auto-response|autoresponse
auto responder|autoresponder|automated reply|automated response|out of office|out-of-office|out of the office
out of office autoreply|out of office auto-reply|out of office reply|out of office notification
out of office message|out of office response|vacation reply|vacation response|vacation message|away from my mail
away message|automatische antwort|abwesenheitsnotiz|abwesenheitsmeldung|abwesenheitsassistent|autoantwort
auto-antwort|automatische rückantwort|automatische abwesenheitsnotiz|réponse automatique|reponse automatique
réponse automatique d'absence|absence du bureau|message d'absence|notification d'absence|avis d'absence
respuesta automática|respuesta automatica|contestación automática|respuesta automática fuera de la oficina
fuera de la oficina|fuera de oficina|resposta automàtica|fora de l'oficina|erantzun automatikoa
resposta automática|resposta automatica|fora do escritório|ausência temporária|ausente do escritório
fora do escritorio|risposta automatica|fuori sede|fuori ufficio|assente dall'ufficio|assenza dall'ufficio
risposta automatica fuori sede|automatisch antwoord|automatisch bericht|automatische beantwoording|afwezigheid
afwezigheidsbericht|buiten kantoor|autosvar|automatiskt svar|automatiskt svar vid frånvaro|frånvaromeddelande
automatisk svar|automatisk svarbesked|automatisk svar ved fravær|fraværsbesked|ikke til stede på kontoret
fraværsmelding|sjálfvirkt svar|automaattinen vastaus|automaattivastaus|poissaoloilmoitus|automaatvastus
automaatne vastus|automātiskā atbilde|automātiska atbilde|automatinis atsakymas|automatinis pranešimas
odpowiedź automatyczna|autoodpowiedź|automatyczna odpowiedź|poza biurem|automatická odpověď|mimo kancelář
nepřítomnost v kanceláři|automatická odpoveď|mimo kancelárie|automatikus válasz|házon kívül
automatikus válasz házon kívül|răspuns automat|raspuns automat|în afara biroului|samodejni odgovor
samodejni odziv|automatski odgovor|automatski odgovor van ureda|аутоматски одговор|автоматски одговор
автоматичен отговор|автоматично отговаряне|извън офиса|автоответ|автоматический ответ|автоматическое уведомление
вне офиса|автоматична відповідь|автовідповідь|поза офісом|аўтаматычны адказ|автоматты жауап|αυτόματη απάντηση
εκτός γραφείου|otomatik yanıt|otomatik cevap|ofis dışında|avtomatik cavab|avtomatik javob|תשובה אוטומטית
מענה אוטומטי|מחוץ למשרד|רד תلقائي|رد تلقائي|الرد التلقائي|خارج المكتب|پاسخ خودکار|خودکار جواب|स्वचालित उत्तर
स्वतः उत्तर|ऑटो रिप्लाई|স্বয়ংক্রিয় উত্তর|স্বয়ংক্রিয় জবাব|தானியங்கு பதில்|ตอบกลับอัตโนมัติ
การตอบกลับอัตโนมัติ|trả lời tự động|thư trả lời tự động|tự động trả lời|balasan otomatis|balas otomatis
di luar kantor|balasan automatik|jawapan automatik|awtomatikong tugon|awtomatikong sagot|majibu ya kiotomatiki
outomatiese antwoord|ymateb awtomatig|自動応答|自動返信|不在通知|不在のお知らせ
自动回复|自动答复|自动回覆|不在办公室|自動回覆|自動答覆|自動回復|不在辦公室
자동 회신|자동회신|자동 응답|자동응답|부재중 알림|부재 중 자동 회신
"""


def _folded(subject: str) -> str:
    plain = unicodedata.normalize("NFKC", subject).replace("’", "'").casefold()
    return unicodedata.normalize("NFKC", " ".join(plain.split()))


_AWAY_SUBJECT = re.compile(
    "(?:"
    + "|".join(sorted({re.escape(_folded(each)) for each in re.split(r"[|\n]", _AWAY) if each}, key=len, reverse=True))
    + r")(?:\s*[.!])?(?:\s*$|\s*:|\s+[-–—]|[-–—]\s)|auto: .{1,100} is out of the office"
)


def why_silent(message: email.message.Message, parts: Parts, sender: str, bounce: Bounce | None) -> str | None:
    """Why nobody should answer this mail: own, bounce, automatic, list; None where a person may have written it.

    `message` is parsed with compat32, `parts` are its own, `sender` is the address in its From, `bounce` what is read in
    it as a bounce. Never raises (RFC 3834 section 2).
    """
    if header_values(message, "X-Podium-Kind"):
        return "own"
    if len(header_values(message, "Received")) > MAX_RECEIVED or _is_receipt(message, parts):
        return "automatic"
    if _is_bounce(message, parts, sender, bounce):
        return "bounce"
    if _is_automatic(message, parts, sender):
        return "automatic"
    if header_values(message, "List-Id") or header_values(message, "List-Post"):
        return "list"
    if _words(message, "Precedence") & {"bulk", "list", "junk"}:
        return "list"
    return "automatic" if _is_away(message) else None


def _is_receipt(message: email.message.Message, parts: Parts) -> bool:
    """Does it only say that a mail was read (RFC 8098)?"""
    if any(content_type(part) == "message/disposition-notification" for part in parts):
        return True
    return content_type(message) == "multipart/report" and any(
        map(_RECEIPT.search, header_values(message, "Content-Type"))
    )


def _is_bounce(message: email.message.Message, parts: Parts, sender: str, bounce: Bounce | None) -> bool:
    if PROGRAM_FROM.match(sender) or header_values(message, "X-Failed-Recipients"):
        return True
    if content_type(message) == "multipart/report" or any(content_type(part) == REPORT for part in parts):
        return True
    if any(value.strip() == "<>" for value in header_values(message, "Return-Path")):
        # Responders send with a null return path too (RFC 3834 section 3.3).
        return not ("auto-replied" in _words(message, "Auto-Submitted") or _is_away(message) or _is_responders(message))
    return bounce is not None


def _is_automatic(message: email.message.Message, parts: Parts, sender: str) -> bool:
    if _words(message, "Auto-Submitted") - {"no", ""} or _words(message, "Precedence") & {"auto_reply", "auto-reply"}:
        return True
    return bool(_is_responders(message) or _AUTOMATIC_FROM.match(sender) or _is_invitation_answer(parts))


def _is_responders(message: email.message.Message) -> bool:
    """Has it one of the headers that only responders write?"""
    if any(value.strip().lower() != "no" for name in _AUTOMATIC_HEADERS for value in header_values(message, name)):
        return True
    return any(name.lower().startswith(_AUTOMATIC_PREFIXES) for name in message.keys())  # noqa: SIM118 - not a dict


def _is_invitation_answer(parts: Parts) -> bool:
    """Is it what a calendar sends when an invitation is accepted or declined (RFC 5546 section 3.2.3)?"""
    calendars = [part for part in parts if content_type(part) == "text/calendar"]
    return any(_REPLY_METHOD.search(value) for part in calendars for value in header_values(part, "Content-Type"))


def _is_away(message: email.message.Message) -> bool:
    return any(_AWAY_SUBJECT.match(_folded(_TAG.sub("", value))) for value in header_values(message, "Subject"))


def _words(message: email.message.Message, name: str) -> set[str]:
    """The first word of each value of this header, lower case, without comments and parameters."""
    return {_COMMENT.sub(" ", value).split(";")[0].strip().lower() for value in header_values(message, name)}
