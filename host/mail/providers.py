"""Pure: providers of mailboxes that are known. In: a domain, the names of its mail exchangers. Out: a `Provider`, or None.

What stands here was published by the providers themselves or by lists of mail programs; what could not be established is
left out: `plus` is None then and tried by a letter, limits are 0 for none known.
"""

from dataclasses import dataclass
from typing import Literal, TypedDict

from host.mail.places import Place

Login = Literal["address", "local part"]


@dataclass(frozen=True)
class Provider:
    """A provider: whose domains and mail exchangers, where its servers are, what it wants and allows.

    `exchangers` are endings of MX names. `wants` is one sentence about what a host has to do or make first. With `oauth`
    it takes no password at all. `plus`: does mail to local+word@domain arrive? `refuses` says why there is no IMAP.
    """

    name: str
    imap: Place
    smtp: Place
    domains: tuple[str, ...] = ()
    exchangers: tuple[str, ...] = ()
    logins: tuple[Login, ...] = ("address",)
    wants: str = ""
    oauth: Literal["", "microsoft"] = ""
    tenant: str = "common"
    plus: bool | None = None
    letters_a_minute: int = 0
    letters_a_day: int = 0
    junk: str = ""
    refuses: str = ""


class _Servers(TypedDict):
    imap: Place
    smtp: Place


def _both(imap: str, smtp: str = "") -> _Servers:
    return {"imap": Place(imap, 993), "smtp": Place(smtp or imap, 465)}


def _submission(imap: str, smtp: str) -> _Servers:
    return {"imap": Place(imap, 993), "smtp": Place(smtp, 587, "starttls")}


_APP_PASSWORD = "It wants an app password, not the one of the account: make one at {}."  # noqa: S105 - a sentence
_TWO_STEPS = "With two-step login it wants an app password: make one in its settings."
_GOOGLE = (
    "It wants an app password, for which two-step login has to be on: make one at "
    "https://myaccount.google.com/apppasswords."
)
_MICROSOFT = (
    "It takes no password from programs: Podium is registered there once, and you consent in a browser (OAuth2)."
)
_YAHOO = _APP_PASSWORD.format("https://login.yahoo.com/account/security")
_NO_IMAP = "{} lets no mail program in: it has no IMAP. Take a mailbox of another provider for the games."
_NOWHERE: _Servers = {"imap": Place("", 993), "smtp": Place("", 465)}
_GMX_DOMAINS = ("gmx.net", "gmx.de", "gmx.at", "gmx.ch", "gmx.org", "gmx.eu", "gmx.info", "gmx.biz")
_YAHOO_ENDINGS = "com de it fr es se ca in ie gr ro co.uk co.nz co.in co.id com.au com.ar com.br com.mx com.sg".split()
_OUTLOOK = "com de fr it es at be dk ie jp cl cz pt sa sk com.ar com.au com.br com.tr co.id co.th".split()
_HOTMAIL = "com co.uk de fr it es be nl se no dk fi ca ch gr".split()
_LIVE = "com co.uk de fr it at be nl se no dk ca ie cl in com.au com.mx com.ar com.pt".split()
_YANDEX = ("yandex.com", "yandex.ru", "ya.ru", "yandex.by", "yandex.kz", "yandex.com.tr")

PROVIDERS = (
    Provider(
        "Gmail",
        **_both("imap.gmail.com", "smtp.gmail.com"),
        domains=("gmail.com", "googlemail.com"),
        wants=_GOOGLE,
        plus=True,
        letters_a_day=500,
        junk="[Gmail]/Spam",
    ),
    Provider(
        "Google Workspace",
        **_both("imap.gmail.com", "smtp.gmail.com"),
        exchangers=("aspmx.l.google.com", "googlemail.com", "smtp.google.com", "l.google.com"),
        wants=_GOOGLE,
        plus=True,
        letters_a_day=2000,
        junk="[Gmail]/Spam",
    ),
    Provider(
        "Outlook.com",
        **_submission("outlook.office365.com", "smtp-mail.outlook.com"),
        domains=(
            *(f"outlook.{each}" for each in _OUTLOOK),
            *(f"hotmail.{each}" for each in _HOTMAIL),
            *(f"live.{each}" for each in _LIVE),
            "msn.com",
            "windowslive.com",
            "passport.com",
        ),
        wants=f"{_MICROSOFT} Switch IMAP on first: in its settings, Mail, Forwarding and IMAP.",
        oauth="microsoft",
        tenant="consumers",
        plus=True,
        letters_a_minute=30,
    ),
    Provider(
        "Microsoft 365",
        **_submission("outlook.office365.com", "smtp.office365.com"),
        exchangers=("mail.protection.outlook.com", "mx.microsoft"),
        wants=f"{_MICROSOFT} An administrator has to allow this mailbox IMAP and authenticated SMTP.",
        oauth="microsoft",
        plus=True,
        letters_a_minute=30,
        letters_a_day=10000,
    ),
    Provider(
        "Fastmail",
        **_both("imap.fastmail.com", "smtp.fastmail.com"),
        domains=("fastmail.com", "fastmail.fm", "fastmail.net", "fastmail.org", "fastmail.de", "sent.com", "pobox.com"),
        exchangers=("messagingengine.com",),
        wants=_APP_PASSWORD.format("https://app.fastmail.com/settings/security"),
        plus=True,
    ),
    Provider(
        "iCloud",
        **_submission("imap.mail.me.com", "smtp.mail.me.com"),
        domains=("icloud.com", "me.com", "mac.com"),
        exchangers=("mail.icloud.com",),
        logins=("address", "local part"),
        wants=_APP_PASSWORD.format("https://account.apple.com"),
    ),
    Provider(
        "Yahoo",
        **_both("imap.mail.yahoo.com", "smtp.mail.yahoo.com"),
        domains=(*(f"yahoo.{each}" for each in _YAHOO_ENDINGS), "ymail.com", "rocketmail.com", "myyahoo.com"),
        exchangers=("yahoodns.net",),
        wants=_YAHOO,
        letters_a_day=500,
    ),
    Provider(
        "AOL",
        **_both("imap.aol.com", "smtp.aol.com"),
        domains=("aol.com", "aol.de", "aol.co.uk", "aol.fr", "aim.com"),
        wants=_APP_PASSWORD.format("https://login.aol.com/account/security"),
    ),
    Provider(
        "GMX",
        **_both("imap.gmx.net", "mail.gmx.net"),
        domains=_GMX_DOMAINS,
        exchangers=("gmx.net",),
        wants=f"IMAP has to be switched on in its settings, under POP3 and IMAP. {_TWO_STEPS}",
        plus=False,
    ),
    Provider(
        "GMX",
        **_both("imap.gmx.com", "mail.gmx.com"),
        domains=("gmx.com", "gmx.us", "gmx.co.uk", "gmx.fr", "gmx.es"),
        wants=f"IMAP has to be switched on in its settings, under POP3 and IMAP. {_TWO_STEPS}",
        plus=False,
    ),
    Provider(
        "WEB.DE",
        **_submission("imap.web.de", "smtp.web.de"),
        domains=("web.de", "email.de"),
        logins=("address", "local part"),
        wants=(
            "IMAP has to be switched on in its settings, under POP3 and IMAP; set its spam protection so that mail of unknown "
            f"people comes into the inbox. {_TWO_STEPS}"
        ),
        plus=False,
    ),
    Provider(
        "mail.com",
        **_both("imap.mail.com", "smtp.mail.com"),
        domains=("mail.com", "email.com", "usa.com", "post.com", "europe.com", "writeme.com", "consultant.com"),
        wants="IMAP is a part of its paid plans, and has to be switched on in its settings, under POP3 and IMAP.",
        plus=False,
    ),
    Provider(
        "mailbox.org",
        **_both("imap.mailbox.org", "smtp.mailbox.org"),
        domains=("mailbox.org",),
        exchangers=("mailbox.org",),
        wants=_TWO_STEPS,
        plus=True,
    ),
    Provider(
        "Posteo",
        **_both("posteo.de"),
        domains=(
            "posteo.de",
            "posteo.net",
            "posteo.org",
            "posteo.eu",
            "posteo.at",
            "posteo.ch",
            "posteo.us",
            "posteo.uk",
        ),
        plus=True,
    ),
    *(
        Provider(
            "Zoho Mail",
            **_both(f"{imap}.zoho.{place}", f"{smtp}.zoho.{place}"),
            domains=domains,
            exchangers=exchangers,
            wants=(
                "IMAP has to be switched on in its settings, under Mail Accounts; a free plan may not have it. With two-step "
                f"login it wants an app password: make one at https://accounts.zoho.{place}, under Security."
            ),
        )
        for place in ("com", "eu", "in")
        for imap, smtp, domains, exchangers in (
            ("imap", "smtp", (f"zohomail.{place}", f"zoho.{place}"), ()),
            ("imappro", "smtppro", (), (f"zoho.{place}",)),
        )
    ),
    Provider(
        "Proton Mail",
        imap=Place("127.0.0.1", 1143, "none"),
        smtp=Place("127.0.0.1", 1025, "none"),
        domains=("proton.me", "protonmail.com", "protonmail.ch", "pm.me"),
        exchangers=("protonmail.ch", "protonmail.com"),
        wants=(
            "It is reached by Proton Mail Bridge, a program that has to run on this machine; the password is the one that "
            "Bridge shows for this mailbox."
        ),
        plus=True,
    ),
    Provider(
        "Yandex",
        **_both("imap.yandex.com", "smtp.yandex.com"),
        domains=_YANDEX,
        exchangers=("mx.yandex.net", "mx.yandex.ru"),
        wants=(
            "It wants an app password: make one at https://id.yandex.com/security/app-passwords; IMAP has to be switched on "
            "in its settings, under Email clients."
        ),
        plus=True,
    ),
    Provider("Migadu", **_both("imap.migadu.com", "smtp.migadu.com"), exchangers=("migadu.com",)),
    Provider(
        "Purelymail",
        **_both("imap.purelymail.com", "smtp.purelymail.com"),
        domains=("purelymail.com",),
        exchangers=("purelymail.com",),
        wants=_TWO_STEPS,
    ),
    Provider(
        "Infomaniak",
        **_both("mail.infomaniak.com"),
        domains=("ik.me", "ikmail.com", "etik.com"),
        exchangers=("infomaniak.ch", "infomaniak.com"),
    ),
    Provider(
        "Runbox",
        **_both("mail.runbox.com"),
        domains=("runbox.com", "runbox.no"),
        exchangers=("runbox.com",),
        wants=_TWO_STEPS,
        plus=True,
    ),
    Provider("Hostinger", **_both("imap.hostinger.com", "smtp.hostinger.com"), exchangers=("hostinger.com",)),
    Provider(
        "IONOS", **_both("imap.ionos.de", "smtp.ionos.de"), exchangers=("ionos.de", "kundenserver.de", "schlund.de")
    ),
    Provider(
        "IONOS", **_both("imap.ionos.com", "smtp.ionos.com"), exchangers=("ionos.com", "1and1.com", "perfora.net")
    ),
    Provider("OVH", **_both("ssl0.ovh.net"), exchangers=("mail.ovh.net",)),
    Provider("Gandi", **_both("mail.gandi.net"), exchangers=("mail.gandi.net",)),
    Provider("Strato", **_both("imap.strato.de", "smtp.strato.de"), exchangers=("rzone.de",)),
    Provider("Namecheap", **_both("mail.privateemail.com"), exchangers=("privateemail.com",)),
    Provider(
        "T-Online",
        **_both("secureimap.t-online.de", "securesmtp.t-online.de"),
        domains=("t-online.de", "magenta.de"),
        wants="It wants a password for mail programs, which you set in the customer centre, under passwords.",
        plus=False,
    ),
    Provider(
        "Tuta",
        **_NOWHERE,
        domains=("tuta.com", "tuta.io", "tutamail.com", "tutanota.com", "tutanota.de", "keemail.me"),
        exchangers=("tutanota.de",),
        refuses=_NO_IMAP.format("Tuta"),
    ),
    Provider("HEY", **_NOWHERE, domains=("hey.com",), exchangers=("hey.com",), refuses=_NO_IMAP.format("HEY")),
)

HOSTS = frozenset(place.host for each in PROVIDERS for place in (each.imap, each.smtp) if place.host)
"""The servers of known providers, which are vouched for wherever they are named."""


def of_domain(domain: str) -> Provider | None:
    """The provider whose own domain this is."""
    wanted = domain.lower().rstrip(".")
    return next((each for each in PROVIDERS if wanted in each.domains), None)


def of_exchangers(names: tuple[str, ...]) -> Provider | None:
    """The provider to whose servers the mail of a domain goes; `names` are its MX records, the most wanted first."""
    for name in names:
        wanted = name.lower().rstrip(".")
        for each in PROVIDERS:
            if any(wanted == ending or wanted.endswith(f".{ending}") for ending in each.exchangers):
                return each
    return None
