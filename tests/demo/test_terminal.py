"""The demo as somebody uses it who types in a terminal, and what its robots' mails look like."""

import asyncio
import email
import email.policy
import io
import subprocess
import sys

import pytest

from host.demo import terminal
from host.demo.robot import write
from host.games import GAMES
from tests.patience import SECONDS
from tests.size import a_few, size


@pytest.mark.parametrize("name", a_few(["Smith, Ann", 'Ann "Ace" <lee>', "Zoë\x1b[2J \udcff(the first)", "...", " "]))
async def test_whatever_name_is_typed_a_letter_comes(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{name}\n"))
    await asyncio.wait_for(terminal.in_terminal(GAMES["champ-cards"]), SECONDS)
    assert "your reply>" in capsys.readouterr().out


@pytest.mark.storm
async def test_a_name_that_no_contestant_may_have_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("ann@example.net\nAnn\n"))
    await asyncio.wait_for(terminal.in_terminal(GAMES["champ-cards"]), SECONDS)
    out = capsys.readouterr().out
    assert out.count("What is your name?") == 2
    assert "your reply>" in out


@pytest.mark.parametrize("name", ["Smith, Ann", 'Ann "Ace" Lee', "a\\b", "Ann <lee>", "Zoë", "Lee; Ann: x", "安娜"])
def test_a_mail_says_who_wrote_it_whatever_the_name(name: str) -> None:
    raw = write("ann@example.net", name, "games@example.org", "Re: x", "cut 5")
    message = email.message_from_bytes(raw, policy=email.policy.default)
    (sender,) = message["From"].addresses
    assert (sender.display_name, sender.addr_spec) == (name, "ann@example.net")


@pytest.mark.parametrize("name", ["Ann\r\nBcc: x", "Ann\x00\x1b[2J", "Ann\ud800", "\x85Ann\u2028"])
def test_a_name_and_a_subject_take_one_line_of_a_mail(name: str) -> None:
    message = email.message_from_bytes(
        write("ann@example.net", name, "games@example.org", name, "cut 5\ud800"), policy=email.policy.default
    )
    assert message.keys() == "From To Subject Message-ID MIME-Version Content-Type Content-Transfer-Encoding".split()
    assert str(message["Subject"]).startswith("Ann")
    assert message.get_content().strip() == "cut 5?"


@pytest.mark.parametrize("how", ["'demo'", "'demo', '--terminal'", "'demo', '--headless', 'champ-cards'"][: size(1, 3)])
def test_without_its_extra_the_demo_says_what_to_install(how: str) -> None:
    code = f"import sys; sys.modules['pymap'] = None; from host.cli.main import main; sys.exit(main([{how}]))"
    done = subprocess.run([sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    words = 'The demo needs one more library: pip install "podium-host[demo]".\n'
    assert (done.returncode, done.stdout, done.stderr.endswith(words)) == (1, "", True)
    assert done.stderr.count("\n") == 1
