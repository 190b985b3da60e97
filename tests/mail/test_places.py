"""The table of providers: who is found by what, and that each entry can be written into a configuration."""

import pytest

from host.config import Imap, Smtp
from host.mail.places import Provider, of_domain, of_exchangers, providers
from tests.rows import every


@every(
    ("domain", "name"),
    [
        ("gmail.com", "Gmail"),
        ("GMail.com.", "Gmail"),
        ("outlook.com", "Outlook.com"),
        ("hotmail.co.uk", "Outlook.com"),
        ("fastmail.fm", "Fastmail"),
        ("me.com", "iCloud"),
        ("yahoo.co.uk", "Yahoo"),
        ("aol.com", "AOL"),
        ("gmx.at", "GMX"),
        ("web.de", "WEB.DE"),
        ("mailbox.org", "mailbox.org"),
        ("posteo.net", "Posteo"),
        ("zohomail.eu", "Zoho Mail"),
        ("proton.me", "Proton Mail"),
        ("ya.ru", "Yandex"),
        ("tuta.com", "Tuta"),
    ],
)
def test_a_domain_of_a_provider(domain: str, name: str) -> None:
    found = of_domain(domain)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("domain", ["example.org", "notgmail.com", "gmail.com.example.org", "", "com"])
def test_a_domain_of_nobody_known(domain: str) -> None:
    assert of_domain(domain) is None


@every(
    ("exchanger", "name"),
    [
        ("aspmx.l.google.com.", "Google Workspace"),
        ("smtp.google.com", "Google Workspace"),
        ("example-org.mail.protection.outlook.com", "Microsoft 365"),
        ("IN1-SMTP.messagingengine.com", "Fastmail"),
        ("mx01.mail.icloud.com", "iCloud"),
        ("mxext1.mailbox.org", "mailbox.org"),
        ("mx.zoho.eu", "Zoho Mail"),
        ("mail.protonmail.ch", "Proton Mail"),
        ("aspmx1.migadu.com", "Migadu"),
        ("mailserver.purelymail.com", "Purelymail"),
        ("mta-gw.infomaniak.ch", "Infomaniak"),
        ("mx1.hostinger.com", "Hostinger"),
        ("mx00.ionos.de", "IONOS"),
        ("mx1.mail.ovh.net", "OVH"),
    ],
)
def test_the_exchanger_of_a_provider(exchanger: str, name: str) -> None:
    found = of_exchangers(("mx.example.org", exchanger))
    assert found is not None
    assert found.name == name


def test_an_exchanger_that_only_ends_alike_is_nobodys() -> None:
    assert of_exchangers(("mx.notmailbox.org", "evilgoogle.com", "google.com.example.org")) is None
    assert of_exchangers(()) is None


@every("provider", providers())
def test_an_entry_can_be_written(provider: Provider) -> None:
    assert provider.domains or provider.exchangers
    if provider.refuses:
        assert not provider.imap.host
        return
    for kind, place in ((Imap, provider.imap), (Smtp, provider.smtp)):
        server = {"host": place.host, "port": place.port, "security": place.security, "username": "games"}
        kind.model_validate(server)
        assert place.security != "none" or place.is_here
    assert not provider.oauth or provider.wants
    assert provider.wants == "" or provider.wants.endswith(".")


def test_no_domain_belongs_to_two() -> None:
    domains = [domain for each in providers() for domain in each.domains]
    assert len(domains) == len(set(domains))
