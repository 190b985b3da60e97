"""Authentication-Results as providers write them, and as nobody should."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.mail.inbound.authentication import domain_of, is_under, topmost_id, verdict
from tests.patience import not_for_ever
from tests.rows import every
from tests.size import size

ID = "mx.example.net"
ANN = "ann@x.org"
RECEIVED = ""
GOOGLE_PASS = """mx.google.com;
       dkim=pass header.i=@x.org header.s=20230601 header.b=AbC/d+E1;
       arc=pass (i=1 spf=pass spfdomain=x.org dkim=pass dkdomain=x.org dmarc=pass fromdomain=x.org);
       spf=pass (google.com: domain of ann@x.org designates 192.0.2.1 as permitted sender) smtp.mailfrom=ann@x.org;
       dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=x.org;
       dara=pass header.i=@gmail.com"""
GOOGLE_FAIL = """mx.google.com;\r
       spf=softfail (google.com: domain of transitioning ann@x.org does not designate 192.0.2.1 as permitted sender)
 smtp.mailfrom=ann@x.org;\r
       dmarc=fail (p=NONE sp=NONE dis=NONE) header.from=x.org"""
MICROSOFT_FAIL = (
    "spf=fail (sender IP is 192.0.2.1) smtp.mailfrom=x.org; dkim=none (message not signed) header.d=none;"
    "dmarc=fail action=oreject header.from=x.org;compauth=fail reason=000"
)
MICROSOFT_PASS = (
    "spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=x.org; dkim=pass (signature was verified) header.d=x.org;"
    "dmarc=pass action=none header.from=x.org;compauth=pass reason=100"
)
BOTH_FAIL = f"{ID}; dkim=fail header.d=x.org; spf=fail smtp.mailfrom=ann@x.org"


def failed(*headers: str, authserv_id: str = ID, sender: str = ANN) -> bool:
    return verdict(headers, authserv_id, sender) == "fail"


def test_no_configured_id_trusts_nobody() -> None:
    assert failed(f"{ID}; dmarc=fail")
    assert not failed(f"{ID}; dmarc=fail", authserv_id="")
    assert not failed("; dmarc=fail", authserv_id=" ")
    assert not failed(MICROSOFT_FAIL, authserv_id="")


def test_what_google_writes() -> None:
    assert not failed(GOOGLE_PASS, authserv_id="mx.google.com")
    assert failed(GOOGLE_FAIL, authserv_id="mx.google.com")


@pytest.mark.parametrize("configured", ["microsoft", "protection.outlook.com", "Office365.com"])
def test_what_microsoft_writes_is_believed_where_microsoft_is_configured(configured: str) -> None:
    assert failed(MICROSOFT_FAIL, authserv_id=configured)
    assert not failed(MICROSOFT_PASS, authserv_id=configured)
    assert failed(MICROSOFT_PASS.replace("compauth=pass", "compauth=fail"), authserv_id=configured)
    assert not failed(MICROSOFT_PASS.replace("dmarc=pass", "dmarc=bestguesspass"), authserv_id=configured)
    assert failed("dkim=fail header.d=x.org;spf=fail smtp.mailfrom=x.org;dmarc=none", authserv_id=configured)


def test_what_microsoft_writes_is_not_believed_elsewhere() -> None:
    assert not failed(MICROSOFT_FAIL)
    assert not failed(f"{ID}; dmarc=pass; compauth=fail")
    assert failed(MICROSOFT_FAIL, f"{ID}; dmarc=fail")


@pytest.mark.parametrize(
    "head",
    [ID, "MX.Example.NET", f"{ID} 1", f"\r\n\t{ID}\r\n\t1\r\n ", f"(who) {ID} (which) 1 (so)", f'"{ID}"', f"{ID} 2"],
)
def test_the_id_is_read_as_the_rfc_writes_it(head: str) -> None:
    assert failed(f"{head}; dmarc=fail")


@pytest.mark.parametrize(
    "head",
    ["example.net", f"x{ID}", f"{ID}.evil.example", f"evil.example {ID}", f"({ID}) evil.example", "", f"{ID} 1 1"],
)
def test_another_id_is_not_believed(head: str) -> None:
    assert not failed(f"{head}; dmarc=fail")


@every("result", ["pass", "none", "neutral", "temperror", "permerror", "quarantine", "failure", ""])
def test_only_fail_is_a_failure_of_dmarc(result: str) -> None:
    assert not failed(f"{ID}; dmarc={result}")
    assert failed(f"{ID}; dmarc={result}", f"{ID}; dmarc=fail")


def test_dmarc_decides_where_it_passed_and_dkim_and_spf_where_it_has_no_word() -> None:
    assert not failed(f"{BOTH_FAIL}; dmarc=pass header.from=x.org")
    assert failed(f"{BOTH_FAIL}; dmarc=none")
    assert failed(f"{BOTH_FAIL}; dmarc=temperror")
    assert failed(f"{ID}; dmarc=fail; dkim=pass header.d=x.org; spf=pass smtp.mailfrom=x.org")
    assert failed(f"{ID}; dmarc=pass header.from=x.org; dmarc=fail header.from=y.org")


@every(
    ("dkim", "spf", "wanted"),
    [
        ("dkim=fail", "spf=fail", True),
        ("dkim=fail", "spf=softfail smtp.mailfrom=x.org", True),
        ("dkim=FAIL", "SPF=HardFail", True),
        ("dkim=fail", "spf=neutral", False),
        ("dkim=fail", "spf=none", False),
        ("dkim=fail", "spf=temperror", False),
        ("dkim=none", "spf=fail", False),
        ("dkim=neutral (body hash did not verify)", "spf=fail", False),
        ("dkim=permerror", "spf=fail", False),
        ("dkim=fail", "x=y", False),
        ("x=y", "spf=fail", False),
        ("dkim=fail header.d=x.org; dkim=pass header.d=x.org", "spf=fail", False),
        ("dkim=fail header.d=x.org; dkim=pass header.i=@mail.x.org", "spf=fail", False),
        ("dkim=fail header.d=x.org; dkim=pass header.d=list.example", "spf=fail", True),
        ("dkim=fail header.d=x.org; dkim=pass header.d=org", "spf=fail", True),
        ("dkim=fail header.d=x.org; dkim=pass header.d=evilx.org", "spf=fail", True),
        ("dkim=fail header.d=x.org; dkim=pass", "spf=fail", True),
        ("dkim=fail", "spf=fail smtp.helo=x.org; spf=pass smtp.mailfrom=bounce@mail.x.org", False),
        ("dkim=fail", 'spf=fail smtp.helo=x.org; spf=pass smtp.mailfrom="ann b"@x.org', False),
        ("dkim=fail", "spf=fail smtp.helo=x.org; spf=pass smtp.mailfrom=x@list.example", True),
        ("dkim=fail", "spf=fail smtp.helo=x.org; spf=pass smtp.mailfrom=x.org@list.example", True),
    ],
)
def test_without_dmarc_both_must_fail_and_nothing_aligned_pass(dkim: str, spf: str, wanted: bool) -> None:
    assert failed(f"{ID}; {dkim}; {spf}") is wanted
    assert failed(f"{ID}; {spf}; {dkim}") is wanted
    assert failed(f"{ID}; junk; {dkim}; {spf}") is wanted


def test_what_the_domain_above_signed_cures() -> None:
    header = f"{ID}; dkim=fail; dkim=pass header.d=x.org; spf=fail"
    assert not failed(header, sender="ann@mail.x.org")
    assert failed(header, sender="ann@org")


def test_the_topmost_decides_and_the_next_can_only_add_failures() -> None:
    assert failed(f"{ID}; dmarc=fail", f"{ID}; dmarc=pass")
    assert failed(f"{ID}; dmarc=pass", f"{ID}; dmarc=fail")
    assert failed(f"{ID}; dkim=fail", f"{ID}; spf=fail")
    assert failed(BOTH_FAIL, f"{ID}; dkim=pass header.d=x.org")
    assert failed(BOTH_FAIL, f"{ID}; dmarc=pass")
    assert not failed(f"{ID}; dmarc=pass", BOTH_FAIL)
    assert not failed(f"{ID}; none", f"{ID}; none")


def test_nothing_below_the_next_received_counts() -> None:
    assert failed(RECEIVED, RECEIVED, f"{ID}; dmarc=fail", RECEIVED, f"{ID}; dmarc=pass")
    assert not failed(f"{ID}; dmarc=pass", RECEIVED, f"{ID}; dmarc=fail")
    assert not failed(f"{ID}; dkim=fail", RECEIVED, f"{ID}; spf=fail")
    assert failed(f"{ID}; dkim=fail", "other.example; dmarc=pass", f"{ID}; spf=fail")


@every(
    "header",
    [
        f"{ID}; spf=pass (dmarc=fail) smtp.mailfrom=x.org",
        f"{ID}; spf=pass (x; dmarc=fail; (deep; dmarc=fail) y) smtp.mailfrom=x.org",
        f"{ID}; spf=pass (\\) ; dmarc=fail; ) smtp.mailfrom=x.org",
        f'{ID}; spf=pass reason="; dmarc=fail; " smtp.mailfrom=x.org',
        f'{ID}; spf=pass reason="\\"; dmarc=fail; \\"" smtp.mailfrom=x.org',
        f"{ID}; spf=pass policy.dmarc=fail",
        f"{ID}; spf=pass dmarc=fail",
        f"{ID}; spf=pass x-dmarc=fail",
        f"{ID}; x-dmarc=fail",
        f"{ID}; dmarc-x=fail",
        f"{ID}; arc=pass (i=1 dmarc=fail)",
        f"{ID} (; dmarc=fail ); none",
        f"({ID}; dmarc=fail); none",
    ],
)
def test_a_result_in_a_comment_a_string_or_a_property_does_not_count(header: str) -> None:
    assert not failed(header)
    assert not failed(header + "; junk")
    assert not failed(header.removeprefix(f"{ID}; "), authserv_id="outlook")
    assert failed(f"{header}; dmarc=fail" if "none" not in header else f"{ID}; dmarc=fail")


@pytest.mark.parametrize(
    "pass_",
    ["(dmarc=pass)", '"dmarc=pass"', "policy.dmarc=pass", "reason=dmarc=pass", "(; dmarc=pass ;)", '"; dmarc=pass ;"'],
)
def test_a_pass_that_is_only_quoted_cures_nothing(pass_: str) -> None:
    assert failed(f"{ID}; dkim=fail {pass_}; spf=fail {pass_}")
    assert failed(f"{ID}; dkim=fail {pass_}; junk; spf=fail {pass_}")


@pytest.mark.parametrize(
    "sent_from", ['"x("@evil.example', "x(@evil.example", '"x)"@evil.example', '"((("@evil.example']
)
def test_what_a_provider_quotes_in_a_comment_hides_no_failure(sent_from: str) -> None:
    header = f"{ID}; spf=softfail (domain of {sent_from} does not say so) smtp.mailfrom=evil.example; dmarc=fail"
    assert failed(header)


def test_blanks_versions_and_folds_are_allowed() -> None:
    assert failed(f"{ID};\r\n\tdmarc = fail (p=none)")
    assert failed(f"{ID}; dmarc/1=fail")
    assert failed(f"{ID}; dmarc (why)=(not) fail(p=none)")
    assert failed(f"{ID};dkim=fail;spf=fail;junk;")
    assert failed(f"{ID}; dmarc=fail;")


def test_the_topmost_id() -> None:
    assert topmost_id([]) == ""
    assert topmost_id([RECEIVED, " "]) == ""
    assert topmost_id([RECEIVED, GOOGLE_PASS, MICROSOFT_PASS]) == "mx.google.com"
    assert topmost_id([MICROSOFT_PASS, GOOGLE_PASS]) == "microsoft"
    assert topmost_id(["(x) Mx.Example.Net 1; none"]) == ID
    assert topmost_id(["some words; dmarc=pass", GOOGLE_PASS]) == ""


def test_a_domain_is_under_itself_and_those_above() -> None:
    assert is_under("mail.x.org", "x.org")
    assert is_under("x.org", "x.org")
    assert not is_under("x.org", "mail.x.org")
    assert not is_under("evilx.org", "x.org")
    assert not is_under("x.org", "org")
    assert not is_under("", "")
    assert domain_of("<Ann@X.org.>") == "x.org"


HOSTILE = [
    "(" * 65536,
    ")" * 65536,
    '"' * 65535,
    "\\" * 65536,
    "((()" * 16384,
    "()" * 32768,
    '"\\' * 32768,
    '"("' * 21845,
    "=" * 65536,
    "; " * 32768,
    " " * 65536,
    "\r\n\t" * 21845,
    "a" * 65536,
    "a=" * 32768,
    "a.b=c " * 10922,
    "; dkim=fail" * 5957,
    "; dkim=pass header.d=x.org" * 2520,
    "; spf=fail (" * 5461,
    "\x00\udcff\u2028ſ" * 16384,
    "none;" * 13107,
]


@pytest.mark.parametrize("header", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("length", size([1 << 20], [4000, 1 << 20]))
def test_hostile_headers_neither_raise_nor_take_long(header: str, length: int) -> None:
    header *= length // len(header) + 1
    with not_for_ever():
        for head in ("", f"{ID}; ", f"{ID}; dkim=fail ", "dkim=fail "):
            for authserv_id in (ID, "outlook"):
                verdict([head + header[:length]], authserv_id, ANN)
            topmost_id([head + header[:length]])


def test_a_failure_behind_much_rubbish_is_found() -> None:
    assert failed(f"{ID}; x=y ({'a' * 50_000}); dmarc=fail")


PIECES = [ID, *';=()"\\/1 ', "dkim", "spf", "dmarc", "pass", "fail", "header.d=x.org", "\r\n "]


@settings(max_examples=size(80, 300), deadline=None)
@given(st.lists(st.one_of(st.lists(st.sampled_from(PIECES)).map("".join), st.text())), st.text(), st.text())
def test_nothing_raises(headers: list[str], authserv_id: str, sender: str) -> None:
    topmost_id(headers)
    for configured in (authserv_id, ID, "outlook"):
        assert verdict(headers, configured, sender) in ("pass", "fail", "none")


@settings(max_examples=size(80, 300), deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_what_stands_below_never_turns_a_failure_into_a_pass(below: str) -> None:
    assert failed(BOTH_FAIL, below)
    assert failed(f"{ID}; dmarc=fail", below, RECEIVED, f"{ID}; dmarc=pass")
