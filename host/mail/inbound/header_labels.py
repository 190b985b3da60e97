"""Pure: the labels of a mail's header as mail programs write them over a quotation. In: a line. Out: is it of a header?

`From: Ann <ann@example.org>` is, and so is a label in no language known here, where an address, a date or the name of an
episode stands behind it. `Cut: 12` is not: somebody typed that.
"""

import re
import unicodedata

_LABEL = re.compile(r"\s*\*{0,2}([^\W\d_][^:：\d]{0,24}?)\*{0,2}\s?[:：]\*{0,2}(.*)")
_VALUE = re.compile(r"\S@\S|\[[A-Z]{2,10}-\d|\d[/.]\d\d?[/.]\d\d")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b|(?:19|20)\d\d年")
_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(r"[\d\s.,%+-]{1,8}")

_NAMES = """
    from; sent; sent at; sent on; date; to; cc; bcc; subject; reply-to; reply to; importance; priority; attachments;
    attachment; organization; organisation; sender; newsgroups; message-id; resent-from; sensitivity; received
    | von; gesendet; gesendet am; datum; an; kopie; blindkopie; betreff; antwort an; antwort-an; wichtigkeit; priorität; anlagen;
    anhang; anhänge; absender; empfänger
    | de; envoyé; envoyé le; envoyé de; date d'envoi; à; copie à; objet; répondre à; pièces jointes; pièce jointe; expéditeur;
    destinataire; destinataires; importance; envoyé par
    | enviado; enviado el; fecha; para; asunto; responder a; importancia; datos adjuntos; adjuntos; remitente; destinatario
    | da; inviato; inviato il; data; a; oggetto; rispondi a; priorità; allegati; mittente; destinatario; per conto di
    | enviada; enviada em; enviado em; data de envio; assunto; responder para; prioridade; anexos; data
    | van; verzonden; verzonden op; aan; onderwerp; antwoord aan; urgentie; bijlagen; bijlage; afzender
    | från; skickat; skickat den; till; kopia; ämne; svar till; prioritet; bifogade filer; avsändare
    | fra; sendt; til; kopi; emne; svar til; vedlegg; vedhæftede filer; vedhæftet; dato; prioritet
    | lähettäjä; lähetetty; lähetyspäivä; vastaanottaja; vastaanottajat; kopio; aihe; päivämäärä; päiväys; liitteet; tärkeys
    | od; wysłano; data; do; dw; udw; temat; nadawca; adresat; odbiorca; odpowiedź do; załączniki; ważność; dnia
    | odesláno; datum; komu; kopie; předmět; odesílatel; příjemce; přílohy; důležitost
    | odoslané; odoslaný; dátum; komu; kópia; predmet; odosielateľ; príjemca; prílohy
    | от; от кого; отправлено; дата; кому; копия; тема; отправитель; получатель; вложения; важность
    | від; від кого; надіслано; відправлено; дата; кому; копія; тема
    | изпратено; до; относно; копие; подател
    | kimden; gönderen; gönderilme; gönderme tarihi; gönderildi; tarih; kime; alıcı; bilgi; konu; ekler; önem
    | 差出人; 送信者; 送信日時; 日時; 日付; 宛先; 件名; 添付ファイル; 重要度; 送信元; 送信先
    | 发件人; 发送时间; 发送日期; 日期; 时间; 收件人; 抄送; 主题; 附件; 重要性
    | 寄件者; 寄件人; 寄件日期; 傳送時間; 收件者; 副本; 主旨; 主題; 日期
    | 보낸 사람; 보낸사람; 보낸 날짜; 보낸날짜; 날짜; 받는 사람; 받는사람; 참조; 제목; 첨부 파일; 중요도; 발신; 수신
    | από; αποστολέας; στάλθηκε; εστάλη; αποστολή; ημερομηνία; προς; κοιν; κοινοποίηση; θέμα; συνημμένα
    | feladó; elküldve; küldve; küldés ideje; dátum; címzett; másolatot kap; másolat; tárgy; mellékletek
    | de la; expeditor; trimis; către; catre; subiect; data; destinatar
    | šalje; poslano; poslato; šalje se; prima; primatelj; predmet; naslov; datum; za; kome; zadeva; pošiljatelj
    | saatja; saadetud; saatmisaeg; kellele; adressaat; teema; kuupäev; koopia
    | no; nosūtīts; kam; tēma; datums; nuo; išsiųsta; kam; tema; siųsta; kopija
    | מאת; נשלח; תאריך; אל; עותק; נושא
    | من; تاريخ; التاريخ; أرسل; تم الإرسال; مرسل; إلى; نسخة; الموضوع
    | từ; đã gửi; ngày; ngày gửi; đến; tới; chủ đề; tiêu đề
    | dari; dikirim; tanggal; kepada; ke; perihal; subjek; kirim
    | จาก; ส่ง; ส่งเมื่อ; วันที่; ถึง; เรื่อง; หัวข้อ; สำเนา
    | enviat; enviat el; per a; assumpte; data
"""
"""A line a language or so, as Outlook, Apple, Thunderbird and web mail name them."""
NAMES = frozenset(
    unicodedata.normalize("NFKC", " ".join(name.split())).casefold() for name in re.split(r"[;|]", _NAMES)
)


def is_labelled(text: str) -> bool:
    """Does a line begin with a label of any kind, a word or some and a colon?"""
    return _LABEL.match(text) is not None


def is_header(text: str) -> bool:
    """Is it a line of a mail's header: a label that headers have, or one before an address, a date, an episode's name?

    A number behind a label is what somebody answered, whatever the label.
    """
    found = _LABEL.match(text)
    if found is None:
        return False
    value = found[2].strip()
    if _NUMBER.fullmatch(value):
        return False
    name = unicodedata.normalize("NFKC", " ".join(found[1].split())).casefold().strip("* ")
    is_dated = _YEAR.search(value) is not None and len(_DIGITS.findall(value)) > 1
    return name in NAMES or is_dated or _VALUE.search(value) is not None
