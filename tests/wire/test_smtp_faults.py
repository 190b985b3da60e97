"""An SMTP server that refuses, cuts or says nothing at each step: every letter goes out once that is over, as it was."""

import subprocess
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path

import pytest

from host.daemon.runtime import StartError
from host.mail.outbound import smtp
from tests.patience import wait_until
from tests.size import size
from tests.wire.inside import Bench, a_bench, short_waits

pytestmark = pytest.mark.dovecot
END_OF_DATA = r"^\.\r$"
TAKEN = "^250 delivered"
STEPS = ["^EHLO", "^AUTH", "^MAIL", "^RCPT", "^DATA"]
ABOUT_THE_LETTER = ("^RCPT", "^DATA")


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    """One daemon for all: each test's contestant is a new one."""
    with short_waits(), a_bench() as made:
        made.world.smtp_settings |= {"username": "games", "password": "secret"}
        made.world.write_config()
        with made.serving():
            yield made


@pytest.fixture(autouse=True)
def healed(bench: Bench) -> Iterator[None]:
    """Each test begins on a fresh connection, so that it sees every step, and with nobody's letters under way."""
    bench.smtp.heal()
    unsent = "select id from letters where state in ('queued', 'sending')"
    wait_until(lambda: not bench.rows(unsent), "the letters of the test before")
    bench.smtp.cut()
    yield
    bench.smtp.heal()


def alerts_about(bench: Bench, address: str) -> bool:
    bench.boss.new_letters()
    return any(letter.kind == "alert" and address in letter.text for letter in bench.boss.all)


@pytest.mark.parametrize("code", [451, 554])
@pytest.mark.parametrize("step", size(["^RCPT"], STEPS))
def test_a_refusal_at_any_step_loses_no_letter(bench: Bench, step: str, code: int) -> None:
    person = bench.somebody()
    is_final = code == 554 and step in ABOUT_THE_LETTER
    theirs = f"{step} TO:<{person.address}>" if step == "^RCPT" else step  # somebody else's episode may begin with it
    fault = bench.smtp.fault(theirs, "answer", words=f"{code} not now", times=1 if is_final else 2)
    bench.deliver(person)
    wait_until(fault.struck.is_set, "the refusal")
    if is_final:
        wait_until(lambda: alerts_about(bench, person.address), "the alert")
        assert person.new_letters() == []
        found = bench.rows("select state, response from letters where address = ?", person.address)
        assert found == [("failed", "554 not now")]
    else:
        bench.comes_out_once(person)


@pytest.mark.storm
@pytest.mark.parametrize("code", [451, 552, 554])
def test_a_refusal_after_the_last_byte(bench: Bench, code: int) -> None:
    person = bench.somebody()
    fault = bench.world.spool / f"fault-{person.address}"
    fault.write_text(f"{code} not this one")
    bench.deliver(person)

    def said() -> bool:
        found = bench.rows("select response from letters where address = ?", person.address)
        return bool(found) and str(found[0][0]).startswith(str(code))

    wait_until(said, "the refusal")
    fault.unlink()
    if code == 451:
        bench.comes_out_once(person)
    else:
        wait_until(lambda: alerts_about(bench, person.address), "the alert")
        assert person.new_letters() == []


@pytest.mark.parametrize("passes", size([True], [False, True]), ids=lambda passes: "after" if passes else "before")
@pytest.mark.parametrize("step", size([END_OF_DATA], [*STEPS, END_OF_DATA, "^QUIT"]))
def test_a_line_that_is_cut_at_any_step_loses_no_letter(bench: Bench, step: str, passes: bool) -> None:
    """Behind the end of the data the server's answer is what gets lost, else it may not have taken the letter either."""
    person = bench.somebody()
    is_answer_lost = passes and step == END_OF_DATA
    before = second_copies(bench)
    fault = bench.smtp.fault(TAKEN, side="server") if is_answer_lost else bench.smtp.fault(step, passes=passes)
    bench.deliver(person)
    if step != "^QUIT":
        wait_until(fault.struck.is_set, "the cut")
    bench.comes_out_once(person)
    if step == END_OF_DATA:
        wait_until(lambda: second_copies(bench) == before + passes, "the letter, twice where it was taken")


def second_copies(bench: Bench) -> int:
    """How many files in the spool are letters that are there already."""
    files = list(bench.world.spool.glob("*.eml"))
    return len(files) - len({message_from_bytes(file.read_bytes())["Message-ID"] for file in files})


@pytest.mark.parametrize("step", size(["^DATA"], [*STEPS, END_OF_DATA]))
def test_an_answer_that_never_comes(bench: Bench, step: str) -> None:
    person = bench.somebody()
    fault = bench.smtp.fault(step, "swallow", passes=step == END_OF_DATA)
    bench.deliver(person)
    wait_until(fault.struck.is_set, "the silence")
    bench.comes_out_once(person)


@pytest.mark.storm
def test_a_server_that_accepts_and_says_nothing(bench: Bench) -> None:
    person = bench.somebody()
    bench.smtp.is_silent = True
    bench.deliver(person)
    wait_until(lambda: bench.waiting(person), "a letter that waits")
    before = bench.smtp.connections
    wait_until(lambda: bench.smtp.connections > before + 1, "a second try")
    bench.smtp.heal()
    bench.comes_out_once(person)


@pytest.mark.storm
def test_a_server_that_nobody_listens_at(bench: Bench) -> None:
    people = [bench.somebody() for _ in range(3)]
    bench.smtp.refuse()
    for person in people:
        bench.deliver(person)
    wait_until(lambda: all(bench.waiting(person) for person in people), "letters that wait")
    bench.smtp.heal()
    for person in people:
        bench.comes_out_once(person)


@pytest.mark.storm
def test_a_line_that_trickles(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "TIMEOUT", 30.0)
    person = bench.somebody()
    bench.smtp.trickle = 0.0001
    bench.deliver(person)
    bench.comes_out_once(person)


@pytest.mark.storm
def test_an_operator_without_a_mailbox_makes_no_storm_of_alerts(bench: Bench) -> None:
    person = bench.somebody()
    [(last,)] = bench.rows("select max(id) from letters")
    bench.smtp.fault(f"^RCPT TO:<({person.address}|boss@example.com)>", "answer", words="550 nobody", times=1000)
    bench.deliver(person)
    wait_until(
        lambda: bench.rows("select id from letters where state='failed' and kind='alert' and id > ?", last or 0),
        "an alert that fails",
    )
    before = bench.rows("select count(*) from letters where kind = 'alert'")
    lucky = bench.somebody()
    bench.deliver(lucky)
    bench.comes_out_once(lucky)
    assert bench.rows("select count(*) from letters where kind = 'alert'") == before


def certificate(folder: Path, days: int) -> None:
    """key.pem and certificate.pem for localhost; expired where `days` is -1."""
    request = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "request.pem"), "-subj", f"/CN={folder.name}"]
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    made = ["openssl", "req", "-newkey", "rsa:2048", "-nodes", *request, *names]
    subprocess.run(made, check=True, capture_output=True)
    files = ["-signkey", str(folder / "key.pem"), "-in", str(folder / "request.pem")]
    signed = ["openssl", "x509", "-req", "-days", str(days), *files, "-copy_extensions", "copyall"]
    subprocess.run([*signed, "-out", str(folder / "certificate.pem")], check=True, capture_output=True)


@pytest.fixture
def secured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """A bench whose servers speak TLS; `good` and `expired` beside it hold certificates that are both trusted."""
    bundle = tmp_path / "trusted.pem"
    for name, days in (("good", 2), ("expired", -1)):
        (tmp_path / name).mkdir()
        certificate(tmp_path / name, days)
        with bundle.open("a") as file:
            file.write((tmp_path / name / "certificate.pem").read_text())
    monkeypatch.setenv("SSL_CERT_FILE", str(bundle))
    with short_waits(), a_bench() as made:
        made.imap.behind = made.world.dovecot.imaps_port
        for each in (made.world.imap, made.world.smtp_settings):
            each |= {"host": "localhost", "security": "tls"}
        made.world.write_config()
        yield made


def give(bench: Bench, folder: Path, imap: bool = False, submission: bool = False) -> None:
    """A server begins anew with another certificate."""
    if imap:
        bench.world.dovecot.stop()
        for name in ("key.pem", "certificate.pem"):
            (bench.world.dovecot.folder / name).write_bytes((folder / name).read_bytes())
        bench.world.dovecot.start()
        bench.imap.cut()
    if submission:
        bench.world.stop_smtp()
        for name in ("key.pem", "certificate.pem"):
            (bench.world.spool / name).write_bytes((folder / name).read_bytes())
        bench.world.start_smtp()
        bench.smtp.cut()


@pytest.mark.storm
@pytest.mark.parametrize("server", ["imap", "smtp"])
def test_an_expired_certificate_is_named_at_the_start(secured: Bench, server: str, tmp_path: Path) -> None:
    give(secured, tmp_path / "good", imap=True, submission=True)
    give(secured, tmp_path / "expired", **{"imap": {"imap": True}, "smtp": {"submission": True}}[server])
    with pytest.raises(StartError, match=r"certificate") as refused, secured.serving():
        pass
    sentence = str(refused.value)
    assert server.upper() in sentence
    assert "expired" in sentence
    assert "\n" not in sentence


@pytest.mark.storm
def test_a_certificate_that_expires_while_the_daemon_runs(
    secured: Bench, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    give(secured, tmp_path / "good", imap=True, submission=True)
    with secured.serving():
        first, second = secured.somebody(), secured.somebody()
        give(secured, tmp_path / "expired", imap=True)
        secured.deliver(first)
        wait_until(lambda: "mailbox INBOX: the server's certificate is not good" in caplog.text, "the IMAP fault")
        give(secured, tmp_path / "good", imap=True)
        secured.comes_out_once(first)
        give(secured, tmp_path / "expired", submission=True)
        secured.deliver(second)
        wait_until(lambda: "SMTP: no connection" in caplog.text and "expired" in caplog.text, "the SMTP fault")
        give(secured, tmp_path / "good", submission=True)
        secured.comes_out_once(second)


@pytest.mark.storm
@pytest.mark.parametrize("server", ["imap", "smtp"])
def test_a_name_that_nobody_knows_is_one_sentence_at_the_start(server: str) -> None:
    with short_waits(start_tries=1), a_bench() as made:
        settings = made.world.imap if server == "imap" else made.world.smtp_settings
        settings |= {"host": "mail.invalid", "security": "tls"}
        made.world.write_config()
        with pytest.raises(StartError, match=r"mail\.invalid") as refused, made.serving():
            pass
    assert server.upper() in str(refused.value)
    assert f"check [{server}] host" in str(refused.value)


@pytest.mark.storm
def test_one_address_that_the_server_puts_off_holds_up_nobody_else(bench: Bench) -> None:
    poor, lucky = bench.somebody(), bench.somebody()
    fault = bench.smtp.fault(f"^RCPT.*{poor.address}", "answer", words="421 4.7.0 later for this one", times=1000)
    bench.deliver(poor)
    wait_until(fault.struck.is_set, "the refusal")
    bench.deliver(lucky)
    bench.comes_out_once(lucky)
    bench.smtp.heal()
    bench.comes_out_once(poor)
