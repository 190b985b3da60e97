"""Episodes of a season: their seeds follow from a chain, and from what their contestants gave; standings."""

import json
import random
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import default
from email.utils import format_datetime
from html import escape
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select
from sqlalchemy.orm import undefer

from host.cli.main import main
from host.club import seasons
from host.demo.robot import ReadLetter, tap
from host.engine.chain import hashed, link_of, seed_of
from host.engine.chance import Chance
from host.store.schema import Chain, Contestant, Episode, Inbound, Letter, Reign, Season
from host.store.seasons import seasons_of
from host.table.work import begin
from host.turn import admin, people, reports
from host.turn.admin import AdminError
from tests.size import a_few, size
from tests.turn.conftest import MakeDesk
from tests.turn.desk import START, Desk, words

ANN, BOB = "ann@example.com", "bob@example.net"


def open_season(desk: Desk, **changes: Any) -> list[str]:
    wanted = {"name": "Winter", "begins_at": None, "ends_at": None, "games": ()} | changes
    with begin(desk.services, desk.now) as work:
        return [each.end for each in seasons.begin(work, **wanted)]


def registered(desk: Desk, *words: str) -> None:
    """Ann and Bob register; each confirms with one of these words."""
    for address, name, word in zip((ANN, BOB), ("Ann", "Bob"), words or ("", ""), strict=True):
        desk.write(address, "games@example.org", desk.game.subject, f"Name: {name}")
        desk.answer(address, f"confirm {word}".strip())


def report(desk: Desk) -> dict[str, Any]:
    """What is told of the season that began last."""
    with desk.store.reading() as session:
        return seasons.report(session, desk.config, seasons_of(session)[0])


def episode_of(desk: Desk) -> Episode:
    with desk.store.reading() as session:
        return session.scalars(select(Episode).order_by(Episode.id.desc()).limit(1)).one()


def played(desk: Desk) -> None:
    """Everybody taps links until the episode is over."""
    choice, over = random.Random(desk.count()), len([each for each in desk.sent if each[1].kind == "result"])
    for _ in range(600):
        desk.later(minutes=7)
        asked = [each for each in (desk.last(ANN), desk.last(BOB)) if each.asks]
        if len([each for each in desk.sent if each[1].kind == "result"]) >= over + 2:
            return
        letter = next(each for each in asked if not is_answered(desk, each))
        address = letter.headers["to"]
        desk.deliver(tap(letter, address, "Somebody", choice) or b"")
    raise AssertionError("it does not end")


def is_answered(desk: Desk, letter: ReadLetter) -> bool:
    """Does nothing that the letter asks wait any more?"""
    token = letter.headers["message-id"].strip("<>").partition("@")[0]
    with desk.store.reading() as session:
        row = session.scalars(select(Letter).where(Letter.token == token)).one()
        return all(each.closed_at is not None for each in row.questions)


def header_of(desk: Desk, address: str = ANN) -> dict[str, Any]:
    """The header of the record that a result brings."""
    (raw,) = [raw for to, letter, raw in desk.sent if to == address and letter.kind == "result"][-1:]
    (part,) = message_from_bytes(raw, policy=default).iter_attachments()
    found: dict[str, Any] = json.loads(part.get_content().splitlines()[0])
    return found


def test_an_episode_of_a_season_takes_the_links_in_order_and_its_first_letter_lists_what_was_given(desk: Desk) -> None:
    (end,) = open_season(desk)
    registered(desk, "pear", "")
    for address in (ANN, BOB):
        first = desk.last(address)
        assert first.headers["x-podium-chain"] == f"1 {end}"
        assert first.headers["x-podium-commitment"] == episode_of(desk).commitment
        given = [line for line in first.text.splitlines() if line.startswith("<")]
        assert len(given) == 2
        assert given[0].endswith("> pear")
        assert all(each in first.page.replace("&lt;", "<").replace("&gt;", ">") for each in given)
    assert seed_of(link_of(first_link(desk), 1), given) == episode_of(desk).seed


def first_link(desk: Desk) -> bytes:
    with desk.store.reading() as session:
        return session.scalars(select(Chain).order_by(Chain.id)).all()[0].first


def test_the_record_has_the_chain_when_the_episode_is_over(desk: Desk) -> None:
    end = season_of(desk, 1)
    first = next(each for each in desk.letters(ANN) if "x-podium-chain" in each.headers)
    chain = header_of(desk)["chain"]
    assert hashed(bytes.fromhex(chain["link"]), 1).hex() == end == chain["end"]
    assert seed_of(bytes.fromhex(chain["link"]), chain["given"]).hex() == header_of(desk)["seed"]
    assert chain["given"] == [line for line in first.text.splitlines() if line.startswith("<")]


# The script of docs, which uses nothing of the house

SCRIPT = Path(__file__).parents[2] / "docs" / "verify_episode.py"


def checked(*arguments: object) -> tuple[int, str]:
    ran = subprocess.run(
        [sys.executable, "-I", SCRIPT, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert not ran.stderr
    return ran.returncode, ran.stdout


def saved(desk: Desk, folder: Path) -> list[Path]:
    """The first letters and the results of all that is over, as a mail program saves them."""
    folder.mkdir(exist_ok=True)
    found = [raw for _, letter, raw in desk.sent if letter.kind == "result" or "x-podium-commitment" in letter.headers]
    return written(folder, found)


def written(folder: Path, mails: Sequence[bytes]) -> list[Path]:
    """These mails as files."""
    files = [folder / f"{at}.eml" for at in range(len(mails))]
    for file, raw in zip(files, mails, strict=True):
        file.write_bytes(raw)
    return files


def season_of(desk: Desk, episodes: int) -> str:
    """A season with so many episodes that are over; the end of its chain."""

    def tell() -> None:
        open_season(desk)
        registered(desk, "pear", "42")
        for at in range(episodes):
            if at:
                for address in (ANN, BOB):
                    desk.answer(address, "again")
            played(desk)

    desk.once(f"a season of {episodes}", tell)
    return chains(desk)[0].end


def ended(desk: Desk) -> None:
    """Ann resigns, then Bob in the bonus round."""
    for address in (ANN, BOB):
        desk.answer(address, "resign")
        desk.answer(address, "yes")


def test_episodes_are_checked_from_their_mails_alone(desk: Desk, tmp_path: Path) -> None:
    assert len(SCRIPT.read_text("utf-8").splitlines()) <= 60
    count = size(3, 100)
    end = season_of(desk, count)
    mails = saved(desk, tmp_path / "mails")
    assert len(mails) == 4 * count
    assert checked(end, *mails) == (0, f"{count} episodes: all that is here holds\n")
    status, said = checked(*mails[:4])
    assert (status, said.splitlines()[0]) == (2, "give the published end, too: else another chain is not noticed")
    status, said = checked("0" * 64, *mails)
    assert status == 1
    assert f"the end {end} was not published" in said
    without = [file for file in mails if b"X-Podium-Episode: CC-2\r" not in file.read_bytes()]
    assert len(without) == len(mails) - 4
    status, said = checked(end, *without)
    assert (status, said.splitlines()[0]) == (2, f"link 2 of {end}: no letter of it is here")


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The mails of two episodes: the first letters and results of both contestants."""
    desk = Desk(tmp_path_factory.mktemp("season"))
    season_of(desk, 2)
    found = [file.read_bytes() for file in saved(desk, tmp_path_factory.mktemp("mails"))]
    desk.store.close()
    return found


def with_header(raw: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    """A result whose record has another first line."""
    mail = message_from_bytes(raw, policy=default)
    for part in mail.iter_attachments():
        first, _, rest = part.get_content().decode().partition("\n")
        header = json.loads(first)
        change(header)
        content = f"{json.dumps(header)}\n{rest}".encode()
        part.set_content(content, maintype="application", subtype="jsonl", filename=part.get_filename())
    return mail.as_bytes()


def draws_again(header: dict[str, Any]) -> None:
    """Another link, from which all follows as it should, but for the end."""
    link = bytes(32)
    header["chain"]["link"] = link.hex()
    header["seed"] = seed_of(link, header["chain"]["given"]).hex()


def draws_a_seed(header: dict[str, Any]) -> None:
    header["seed"] = "ab" * 32


def skips_a_link(header: dict[str, Any]) -> None:
    chain = header["chain"]
    chain["n"] += 1


def swaps_two(header: dict[str, Any]) -> None:
    header["chain"]["given"].reverse()


def swaps_two_and_reckons(header: dict[str, Any]) -> None:
    swaps_two(header)
    header["seed"] = seed_of(bytes.fromhex(header["chain"]["link"]), header["chain"]["given"]).hex()


def changes_a_word(header: dict[str, Any]) -> None:
    header["chain"]["given"][0] = header["chain"]["given"][0].partition(" ")[0] + " apple"


def adds_a_line(header: dict[str, Any]) -> None:
    """A seat that is nobody's, by which the seed may be chosen."""
    header["chain"]["given"].append("<any@example.org>")
    header["seed"] = seed_of(bytes.fromhex(header["chain"]["link"]), header["chain"]["given"]).hex()


def puts_the_end_first(header: dict[str, Any]) -> None:
    """Link 0 is the end, which all know."""
    header["chain"] |= {"n": 0, "link": header["chain"]["end"]}


def plays_with_another(header: dict[str, Any]) -> None:
    header["players"][0] = "Zoe"


def leaves_it_out(header: dict[str, Any]) -> None:
    del header["chain"]


def tears_it(header: dict[str, Any]) -> None:
    header["chain"]["link"] = "no digits"


TRICKS: dict[Callable[[dict[str, Any]], None], str] = {
    draws_again: "does not lead to the end",
    draws_a_seed: "does not follow",
    skips_a_link: "different links",
    swaps_two: "lists something else",
    swaps_two_and_reckons: "the commitment is not kept",
    changes_a_word: "lists something else",
    adds_a_line: "a line of each seat",
    puts_the_end_first: "does not lead to the end",
    tears_it: "is not as Podium writes it",
    leaves_it_out: "different links",
}


@pytest.mark.parametrize("trick", a_few(TRICKS), ids=lambda each: each.__name__)
def test_a_host_who_cheats_is_caught(
    trick: Callable[[dict[str, Any]], None], honest: list[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mails = [with_header(raw, trick) if b"X-Podium-Kind: result" in raw else raw for raw in honest]
    files = written(tmp_path, mails)
    status, said = checked(*files)
    assert status == 1
    assert TRICKS[trick] in said
    result = next(message_from_bytes(raw, policy=default) for raw in mails if b"X-Podium-Kind: result" in raw)
    (part,) = result.iter_attachments()
    (tmp_path / "record.jsonl").write_bytes(part.get_content())
    first = next(file for file in files if b"X-Podium-Commitment" in file.read_bytes())
    assert main(["verify", str(tmp_path / "record.jsonl"), "--mail", str(first)]) in (1, 2)
    assert any(capsys.readouterr())


def changed_in_letters(honest: list[bytes], old: str, new: str) -> list[bytes]:
    return [re.sub(old.encode(), new.encode(), raw) for raw in honest]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    a_few(
        [
            (r"X-Podium-Chain: 2 ", "X-Podium-Chain: 1 ", "each once"),
            (r"X-Podium-Chain: 2 ", "X-Podium-Chain: 3 ", "different links"),
            (r"X-Podium-Chain: 1 .{4}", "X-Podium-Chain: 1 0000", "different links"),
            (r"X-Podium-Chain: [^\r]*\r\n", "", "different links"),
            (r"Date: [^\r]*\r\n", "", "is not as Podium writes it"),
            (r"(<[^\r]*>) pear\r\n", r"\1 pear\r\n<second@list.example>\r\n", "lists something else"),
            (r"(<[^\r]*>) pear\r\n", r"<other@list.example>\r\n\r\n\1 pear\r\n", "lists something else"),
        ],
        3,
    ),
)
def test_a_first_letter_that_tells_another_link_is_found(
    old: str, new: str, why: str, honest: list[bytes], tmp_path: Path
) -> None:
    files = written(tmp_path, changed_in_letters(honest, old, new))
    status, said = checked(*files)
    assert status == 1
    assert why in said


def sent_by(desk: Desk, folder: Path) -> list[Path]:
    """What contestants wrote, as it stands in their sent folders."""
    with desk.store.reading() as session:
        rows = session.scalars(select(Inbound).options(undefer(Inbound.raw)).order_by(Inbound.id)).all()
        files = [folder / f"sent{row.id}.eml" for row in rows]
        for file, row in zip(files, rows, strict=True):
            file.write_bytes(f"Date: {format_datetime(row.arrived_at)}\r\n".encode() + (row.raw or b""))
    return files


@pytest.fixture(scope="module")
def resigned(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[bytes], list[bytes]]:
    """An episode that two resignations ended: the end of its chain, its letters, and what was written to the host."""
    desk, folder = Desk(tmp_path_factory.mktemp("season")), tmp_path_factory.mktemp("mails")
    (end,) = open_season(desk)
    registered(desk, "pear", "")
    desk.later(minutes=7)
    ended(desk)
    letters, sent = ([file.read_bytes() for file in files] for files in (saved(desk, folder), sent_by(desk, folder)))
    desk.store.close()
    return end, letters, sent


def as_they_are(lines: list[str]) -> list[str]:
    return lines


def swapped(lines: list[str]) -> list[str]:
    return lines[::-1]


def with_another_word(lines: list[str]) -> list[str]:
    return [f"{line.partition(' ')[0]} apple" for line in lines]


def without_words(lines: list[str]) -> list[str]:
    return [line.partition(" ")[0] for line in lines]


def of_nobody(lines: list[str]) -> list[str]:
    return ["<any@example.org>", *lines[1:]]


def forge(monkeypatch: pytest.MonkeyPatch, forged: Callable[[list[str]], list[str]]) -> None:
    """The host writes other lines into letters and record alike."""

    def seed_of_forged(link: bytes, lines: list[str]) -> bytes:
        lines[:] = forged(lines)
        return seed_of(link, lines)

    monkeypatch.setattr("host.club.seasons.seed_of", seed_of_forged)


@pytest.mark.parametrize(
    ("forged", "status", "said"),
    a_few(
        [
            (as_they_are, 0, ""),
            (swapped, 1, "lists no mail of its reader's"),
            (with_another_word, 1, ": another word"),
            (without_words, 2, "compare by hand"),
            (of_nobody, 1, "lists no mail of its reader's"),
        ],
    ),
)
def test_a_host_who_writes_other_lines_into_letters_and_record_alike_is_caught_by_sent_mails(
    desk: Desk,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    forged: Callable[[list[str]], list[str]],
    status: int,
    said: str,
) -> None:
    forge(monkeypatch, forged)
    (end,) = open_season(desk)
    registered(desk, "pear", "42")
    desk.later(minutes=7)
    ended(desk)
    letters = saved(desk, tmp_path)
    assert checked(end, *letters)[0] == 0, "letters and record agree"
    found, told = checked(end, *letters, *sent_by(desk, tmp_path))
    assert found == status, told
    assert said in told


@pytest.mark.parametrize("hidden", a_few(["no seat", "early", "of another"]))
def test_letters_that_no_sent_mail_can_be_held_against_are_told(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hidden: str
) -> None:
    forge(monkeypatch, of_nobody)
    (end,) = open_season(desk)
    registered(desk)
    ended(desk)
    letters, sent = saved(desk, tmp_path), sent_by(desk, tmp_path)
    for file in letters:
        raw = file.read_bytes()
        raw = re.sub(rb"X-Podium-Seat: \d\r\n", b"", raw) if hidden == "no seat" else raw
        file.write_bytes(
            re.sub(rb"\nDate: [^\r]*", b"\nDate: Sat, 1 Jan 2000 00:00:00 +0000", raw) if hidden == "early" else raw
        )
    for file in sent if hidden == "of another" else ():
        file.write_bytes(re.sub(rb"\nFrom: [^\r]*", b"\nFrom: somebody@example.org", file.read_bytes()))
    status, told = checked(end, *letters, *sent)
    assert status == (1 if hidden == "early" else 2), told
    assert "compare by hand" in told


@pytest.mark.storm
@pytest.mark.parametrize(
    "change",
    a_few(
        [
            lambda raw: re.sub(rb"\nMessage-ID: ", b"\nMessage-ID:\r\n ", raw),
            lambda raw: raw.replace(b"confirm pear", b"confirm: Pear!"),
            lambda raw: raw.replace(b"confirm pear", b'confirm "pear"'),
            lambda raw: raw.replace(b"text/plain", b"text/html").replace(b"confirm pear", b"<div>confirm pear</div>"),
            lambda raw: raw.replace(b'charset="utf-8"', b'charset="x-unknown"'),
            lambda raw: raw.replace(b"Date: Thu, 19 Nov 2026 12:00", b"Date: Thu, 19 Nov 2026 12:01"),
        ]
    ),
)
def test_an_honest_host_is_not_accused_whatever_a_mail_program_writes(
    resigned: tuple[str, list[bytes], list[bytes]], tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    end, letters, sent = resigned
    status, told = checked(end, *written(tmp_path, [*letters, *map(change, sent)]))
    assert status in (0, 2), told


@pytest.mark.storm
def test_an_older_mail_of_a_reader_is_told(desk: Desk, tmp_path: Path) -> None:
    (end,) = open_season(desk)
    registered(desk)
    desk.later(minutes=7)
    ended(desk)
    first = next(each for each in desk.letters(ANN) if "x-podium-chain" in each.headers)
    later = tmp_path / "later.eml"
    later.write_bytes(f"Date: {first.headers['date']}\r\nFrom: {ANN}\r\nMessage-ID: <zz@x>\r\n\r\nhello".encode())
    status, told = checked(end, *saved(desk, tmp_path), *sent_by(desk, tmp_path), later)
    assert status == 2
    assert "compare by hand" in told


@pytest.mark.storm
def test_a_chain_is_of_one_game(make_desk: MakeDesk, tmp_path: Path) -> None:
    desk = make_desk(games={"champ-cards": {"tables": 2}, "bluffjack": {"options": {"max_hands": 1}}})
    open_season(desk)
    drawn = chains(desk)
    assert [each.game for each in drawn] == ["champ-cards", "champ-cards", "bluffjack"]
    registered(desk)
    assert desk.last(ANN).headers["x-podium-chain"] == f"1 {drawn[0].end}"
    desk.later(minutes=7)
    ended(desk)
    letters = saved(desk, tmp_path)
    assert checked(drawn[0].end, *letters)[0] == 0
    as_another = [tmp_path / f"bj{at}.eml" for at in range(len(letters))]
    for file, letter in zip(as_another, letters, strict=True):
        changed = letter.read_bytes().replace(b"CC-1", b"BJ-1").replace(b"X-Podium-Chain: 1 ", b"X-Podium-Chain: 2 ")
        file.write_bytes(changed)
    status, told = checked(drawn[0].end, *letters, *as_another)
    assert status == 1
    assert f"the end {drawn[0].end} was not published for ['BJ', 'CC']" in told


@pytest.mark.storm
def test_more_letters_of_an_episode_do_no_harm(desk: Desk, tmp_path: Path) -> None:
    """Its story and its sums bring the record again, of an episode whose first letter may not be here."""
    end = season_of(desk, 1)
    desk.answer(ANN, "verify CC-1", desk.letters(ANN)[0])
    desk.answer(ANN, "replay CC-1", desk.letters(ANN)[0])
    more = [tmp_path / f"more{at}.eml" for at in range(2)]
    for file, (_, _, raw) in zip(more, desk.sent[-2:], strict=True):
        file.write_bytes(raw)
    assert checked(end, *saved(desk, tmp_path / "mails"), *more) == (0, "1 episodes: all that is here holds\n")
    status, said = checked(end, *more)
    assert status == 1
    assert "CC-1: its first letter or its result is not here" in said


@pytest.mark.storm
def test_an_episode_that_no_chain_served_is_told_apart(desk: Desk, tmp_path: Path) -> None:
    registered(desk)
    ended(desk)
    status, said = checked("0" * 64, *saved(desk, tmp_path / "mails"))
    assert (status, said.splitlines()[0]) == (2, "CC-1: no chain served it, so its seed was drawn")


def test_links_that_are_not_used_in_order_are_found(honest: list[bytes], tmp_path: Path) -> None:
    files = [tmp_path / f"{at}.eml" for at in range(len(honest))]
    for file, raw in zip(files, honest, strict=True):
        late = (
            raw
            if b"X-Podium-Chain: 1 " not in raw
            else re.sub(rb"Date: [^\r]*", b"Date: Fri, 01 Jan 2027 12:00:00 +0000", raw)
        )
        file.write_bytes(late)
    status, said = checked(*files)
    assert status == 1
    assert "not used in order" in said


def test_podium_verify_holds_a_record_against_its_letter(
    honest: list[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, other = [raw for raw in honest if b"X-Podium-Chain" in raw][::2]
    result = next(message_from_bytes(raw, policy=default) for raw in honest if b"X-Podium-Kind: result" in raw)
    (part,) = result.iter_attachments()
    record_file, mail = tmp_path / "record.jsonl", tmp_path / "first.eml"
    record_file.write_bytes(part.get_content())
    mail.write_bytes(first)
    assert main(["verify", str(record_file), "--mail", str(mail)]) == 0
    assert "follows from link 1 of the chain" in capsys.readouterr().out
    mail.write_bytes(re.sub(rb"> pear", b"> plum", first))
    assert main(["verify", str(record_file), "--mail", str(mail)]) == 1
    assert "does not list what the record says" in capsys.readouterr().out
    mail.write_bytes(other)
    assert main(["verify", str(record_file), "--mail", str(mail)]) == 1
    assert "the first mail names 2" in capsys.readouterr().out


# The sums by mail


def text_file(desk: Desk) -> str:
    """The text that the last letter brings."""
    parts = list(message_from_bytes(desk.sent[-1][2], policy=default).iter_attachments())
    return next(str(part.get_content()) for part in parts if str(part.get_filename()).endswith(".txt"))


def test_verify_and_a_code_brings_each_value_on_the_way(desk: Desk) -> None:
    (end,) = open_season(desk)
    registered(desk, "pear", "42")
    desk.answer(ANN, "verify CC-1")
    assert "CC-1 is still being played" in desk.last(ANN).text
    assert episode_of(desk).seed.hex() not in "".join(letter.text for _, letter, _ in desk.sent)
    played(desk)
    desk.answer(ANN, "verify cc 1", desk.letters(ANN)[0])
    sheet = desk.last(ANN)
    flat = text_file(desk)
    header = header_of(desk)
    for value in (header["seed"], header["commitment"], header["chain"]["link"], end, *header["chain"]["given"]):
        assert value in flat
        assert escape(value, quote=False) in sheet.page
    numbers = Chance(bytes.fromhex(header["seed"])).stream("round:1:deck")
    assert f"round:1:deck: {numbers.below(1 << 64)}" in flat
    desk.answer(BOB, "verify CC-9")
    assert "There is no episode CC-9" in desk.last(BOB).text
    desk.answer(BOB, "verify")
    assert "SHA-256" in desk.last(BOB).text


@pytest.mark.storm
def test_the_file_of_the_sums_has_every_hash_and_the_letter_the_first_and_the_last(desk: Desk) -> None:
    open_season(desk)
    with desk.store.transaction() as session:
        session.scalars(select(Chain)).one().used = 100
    registered(desk)
    ended(desk)
    desk.answer(ANN, "verify CC-1", desk.letters(ANN)[0])
    link = bytes.fromhex(header_of(desk)["chain"]["link"])
    hashes = [hashed(link, at).hex() for at in range(102)]
    assert all(each in text_file(desk) for each in hashes)
    assert [at for at, each in enumerate(hashes) if each in desk.last(ANN).page] == [*range(30), *range(72, 102)]


@pytest.mark.storm
def test_the_sums_of_an_episode_without_a_season_say_that_its_seed_was_drawn(desk: Desk) -> None:
    registered(desk)
    assert "x-podium-chain" not in desk.last(ANN).headers
    ended(desk)
    assert "chain" not in header_of(desk)
    desk.answer(ANN, "verify CC-1")
    assert "was drawn by chance" in desk.last(ANN).page


# Which chain, which season


def begin_one(desk: Desk, *names: str) -> str:
    """An episode of people of these names."""
    for name in names:
        desk.register(f"{name}@example.com", name.title())
    return desk.last(f"{names[-1]}@example.com").headers.get("x-podium-chain", "")


@pytest.mark.storm
def test_no_chain_serves_two_episodes_at_a_time(make_desk: MakeDesk) -> None:
    """Whoever knows a link knows all before it: the second of two tables would tell the cards of the first."""
    desk = make_desk(games={"champ-cards": {"tables": 2}})
    ends = open_season(desk)
    assert len(set(ends)) == 2
    assert begin_one(desk, "ann", "bob") == f"1 {ends[0]}"
    assert begin_one(desk, "cid", "dan") == f"1 {ends[1]}"
    assert {each.used for each in chains(desk)} == {1}


def chains(desk: Desk) -> list[Chain]:
    with desk.store.reading() as session:
        return list(session.scalars(select(Chain).order_by(Chain.id)))


@pytest.mark.parametrize(
    ("changes", "is_served"),
    a_few(
        [
            ({}, True),
            ({"games": ("champ-cards",)}, True),
            ({"begins_at": START - timedelta(days=1), "ends_at": START + timedelta(days=1)}, True),
            ({"begins_at": START + timedelta(days=1)}, False),
            ({"games": ("bluffjack",)}, False),
        ],
        3,
    ),
)
def test_a_season_serves_its_games_in_its_time(make_desk: MakeDesk, changes: dict[str, Any], is_served: bool) -> None:
    desk = make_desk(games={"bluffjack": {}})
    open_season(desk, **changes)
    assert bool(begin_one(desk, "ann", "bob")) == is_served


def test_a_season_that_is_over_or_closed_serves_nobody(desk: Desk) -> None:
    open_season(desk, ends_at=START + timedelta(hours=1))
    desk.later(hours=2)
    assert begin_one(desk, "ann", "bob") == ""
    with begin(desk.services, desk.now) as work:
        seasons.close(work)
        with pytest.raises(seasons.SeasonError, match="No season is open"):
            seasons.close(work)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"name": " "}, "a name of at most 80"),
        ({"name": "x" * 81}, "a name of at most 80"),
        ({"name": "a\nb\x1b"}, "a name of at most 80"),
        ({"games": ("bluffjack",)}, "does not offer bluffjack"),
        ({"ends_at": START - timedelta(days=1)}, "over before it begins"),
        ({"repeats": True}, "has a last day"),
        ({"prizes": "x" * 501}, "in at most 500"),
        ({"begins_at": START + timedelta(days=2), "ends_at": START + timedelta(days=1)}, "over before it begins"),
    ],
)
def test_a_wrong_season_is_refused(desk: Desk, changes: dict[str, Any], why: str) -> None:
    with pytest.raises(seasons.SeasonError, match=why):
        open_season(desk, **changes)
    open_season(desk)
    with pytest.raises(seasons.SeasonError, match="Winter is not over"):
        open_season(desk)


def test_an_episode_that_ran_before_the_season_ends_under_its_old_commitment(desk: Desk) -> None:
    registered(desk)
    before = episode_of(desk)
    open_season(desk)
    ended(desk)
    assert (header_of(desk)["commitment"], header_of(desk)["seed"]) == (before.commitment, before.seed.hex())
    assert "chain" not in header_of(desk)


def test_a_ready_letter_takes_a_word_and_the_mail_that_answers_it_counts(desk: Desk) -> None:
    open_season(desk)
    desk.register(ANN, "Ann")
    desk.later(hours=80)
    desk.register(BOB, "Bob")
    assert desk.last(ANN).kind == "ready"
    answered = desk.answer(ANN, "Ready pear!")
    given = [line for line in desk.last(ANN).text.splitlines() if line.startswith("<")]
    raw = message_from_bytes(answered.raw or b"", policy=default)
    assert given[0] == f"{raw['Message-ID']} pear"


def test_the_mail_that_arrived_last_counts_in_whatever_order_they_are_read(desk: Desk) -> None:
    open_season(desk)
    desk.register(ANN, "Ann")
    letter, before = desk.last(ANN), desk.now
    desk.later(hours=1)
    raw = desk.answer(ANN, "status", letter).raw or b""
    newest = str(message_from_bytes(raw, policy=default)["Message-ID"])
    desk.deliver(re.sub(re.escape(newest.encode()), b"<old@mail.example>", raw), before)
    with desk.store.reading() as session:
        assert session.scalars(select(Contestant.message_id)).one() == newest


def test_the_standings_of_a_season_share_places_where_all_is_the_same(desk: Desk) -> None:
    season_of(desk, 1)
    found = report(desk)
    rows = found["standings"]["champ-cards"]
    assert [(row["place"], row["episodes"]) for row in rows] == [(1, 1), (2, 1)]
    assert sum(row["wins"] for row in rows) == 1
    assert sum(row["winnings"] for row in rows) == sum(row["winnings"] for row in found["all"])
    same = {"called": "Bo", "wins": 1, "winnings": 5, "episodes": 2}
    placed = seasons._placed([same, same | {"called": "Al"}, same | {"called": "Cy", "wins": 0}])
    assert [(row["place"], row["called"]) for row in placed] == [(1, "Al"), (1, "Bo"), (3, "Cy")]


# How a season ends


def test_closing_a_season_writes_one_letter_to_all_who_played(desk: Desk) -> None:
    open_season(desk, prizes="A mug for the winner.")
    registered(desk)
    desk.write("cid@example.com", "games@example.org", desk.game.subject, "Name: Cid")
    ended(desk)
    before = len(desk.sent)
    with begin(desk.services, desk.now) as work:
        season, running = seasons.close(work)
    desk.send()
    told = {address: letter for address, letter, _ in desk.sent[before:]}
    assert (season.name, running, set(told), len(desk.sent) - before) == ("Winter", 0, {ANN, BOB}, 2)
    found = report(desk)
    assert found["closed"]
    places = {row["name"]: row["place"] for row in found["standings"]["champ-cards"]}
    for address, name in ((ANN, "Ann"), (BOB, "Bob")):
        letter = told[address]
        assert (letter.kind, letter.asks) == ("news", False)
        assert f"Champ Cards: you are number {places[name]} of 2." in letter.text
        assert "Highest win: " in letter.text
        assert "A mug for the winner." in letter.text


def test_a_season_that_repeats_is_followed_at_its_end_and_closed_with_its_last_episode(make_desk: MakeDesk) -> None:
    desk = make_desk(host={"operators": ["host@example.org"]})
    open_season(desk, name="Winter 9", ends_at=START + timedelta(hours=30), repeats=True, prizes="A mug")
    registered(desk)
    desk.now = START + timedelta(hours=31)
    for _ in range(2):
        seasons.pass_on(desk.services, desk.now)
        desk.send()
        latest = all_seasons(desk)
        assert [(each.name, each.closed_at is None, each.repeats) for each in latest] == [
            ("Winter 10", True, True),
            ("Winter 9", True, False),
        ]
    begun = latest[0]
    assert (begun.begins_at, begun.ends_at) == (START + timedelta(hours=30), START + timedelta(hours=60))
    assert begun.prizes == "A mug"
    assert "The season Winter 10 has begun" in desk.last("host@example.org").text
    assert report(desk)["chains"]
    ended(desk)
    seasons.pass_on(desk.services, desk.now)
    desk.send()
    assert [each.closed_at is None for each in all_seasons(desk)] == [True, False]
    assert "The season Winter 9 is over" in desk.last(ANN).text


def test_a_season_is_as_long_as_the_one_before_however_long_the_host_was_away(make_desk: MakeDesk) -> None:
    desk = make_desk()
    open_season(desk, name="Week", ends_at=START + timedelta(hours=30), repeats=True)
    desk.now = START + timedelta(days=40)
    seasons.pass_on(desk.services, desk.now)
    latest = all_seasons(desk)[0]
    assert latest.name == "Week 2"
    assert latest.ends_at is not None
    assert latest.begins_at <= desk.now < latest.ends_at == latest.begins_at + timedelta(hours=30)


def test_a_champion_who_is_waited_for_keeps_no_season_open(make_desk: MakeDesk) -> None:
    desk = make_desk()
    open_season(desk, ends_at=START + timedelta(hours=30))
    with begin(desk.services, START) as work:
        work.lobby("champ-cards").champion_waits_until = START + timedelta(days=7)
    seasons.pass_on(desk.services, START + timedelta(hours=31))
    assert [each.closed_at is None for each in all_seasons(desk)] == [False]


def test_who_closes_a_season_closes_the_one_that_is_shown(make_desk: MakeDesk) -> None:
    desk = make_desk()
    open_season(desk, name="Winter 9", ends_at=START + timedelta(hours=30), repeats=True)
    registered(desk)
    desk.now = START + timedelta(hours=31)
    seasons.pass_on(desk.services, desk.now)
    with begin(desk.services, desk.now) as work:
        assert seasons.close(work)[0].name == "Winter 10"
    assert [(each.name, each.closed_at is None) for each in all_seasons(desk)] == [
        ("Winter 10", False),
        ("Winter 9", True),
    ]


def test_a_season_of_a_game_that_is_offered_no_more_is_not_followed(make_desk: MakeDesk) -> None:
    desk = make_desk(host={"operators": ["host@example.org"]}, games={"champ-cards": {}, "bluffjack": {}})
    open_season(desk, name="Cup", ends_at=START + timedelta(hours=30), repeats=True, games=["bluffjack"])
    del desk.services.config.games["bluffjack"]
    desk.now = START + timedelta(hours=31)
    seasons.pass_on(desk.services, desk.now)
    desk.send()
    assert [each.name for each in all_seasons(desk)] == ["Cup"]
    assert "No season follows Cup" in desk.last("host@example.org").text


@pytest.mark.storm
def test_a_season_stays_open_while_its_last_forfeit_may_be_taken_back(make_desk: MakeDesk) -> None:
    desk = make_desk()
    open_season(desk, name="Winter", ends_at=START + timedelta(hours=30))
    registered(desk)
    for _ in range(60):
        if any(each.kind == "result" for each in desk.letters(ANN)):
            break
        desk.later(hours=6)
        desk.tick()
        seasons.pass_on(desk.services, desk.now)
    desk.later(hours=5)
    seasons.pass_on(desk.services, desk.now)
    assert [each.closed_at is None for each in all_seasons(desk)] == [True]
    desk.later(hours=2)
    seasons.pass_on(desk.services, desk.now)
    assert [each.closed_at is None for each in all_seasons(desk)] == [False]


def all_seasons(desk: Desk) -> list[Season]:
    with desk.store.reading() as session:
        return list(seasons_of(session))


@pytest.mark.parametrize(
    ("name", "following"),
    [
        ("Winter", "Winter 2"),
        ("Season 9", "Season 10"),
        ("2027", "2028"),
        ("x" * 80, "x" * 78 + " 2"),
        ("x" * 78 + " 9", "x" * 78 + "10"),
    ],
)
def test_the_next_season_has_the_next_number(name: str, following: str) -> None:
    assert seasons.next_name(name) == following


def test_all_who_share_the_first_place_are_named() -> None:
    rows = [
        {"place": place, "called": f"No{at}", "is_private": False, "wins": 1, "winnings": 0, "contestant_id": at}
        for at, place in enumerate((1, 1, 1, 1, 5, 5))
    ]
    told = seasons._lines([("Champ Cards", "", rows)])
    assert [line.split(":")[0] for line in told[1:]] == ["- Place 1"] * 4


def test_a_season_is_told_by_mail(desk: Desk) -> None:
    registered(desk)
    desk.answer(ANN, "season")
    assert "There was no season yet" in desk.last(ANN).text
    open_season(desk)
    desk.answer(ANN, "how is the season going?")
    assert "No episode of it is over yet" in desk.last(ANN).text
    ended(desk)
    for address in (ANN, BOB):
        desk.answer(address, "again")
    ended(desk)
    desk.answer(BOB, "show me the season standings", desk.letters(BOB)[0])
    assert "Champ Cards: you are number" in desk.last(BOB).text
    desk.answer(BOB, "standings", desk.letters(BOB)[0])
    told = words(desk.last(BOB))
    assert (
        told.index("The season Winter:")
        < told.index("Place 1:")
        < told.index("The standings of Champ Cards, of all time:")
    )


@pytest.mark.storm
def test_the_host_writes_to_all_who_play_in_a_season(desk: Desk) -> None:
    desk.register("cleo@example.net", "Cleo")
    desk.answer("cleo@example.net", "leave")
    with begin(desk.services, desk.now) as work, pytest.raises(AdminError, match="Nobody has played in a season"):
        people.write(work, "season", "Hello")
    open_season(desk)
    registered(desk)
    before = desk.count()
    with begin(desk.services, desk.now) as work:
        assert people.write(work, "season", "The prizes are here.") == "It goes to 2 contestants."
    desk.send()
    assert sorted(to for to, _, _ in desk.sent[before:]) == [ANN, BOB]


def test_the_records_of_a_season_are_those_of_its_episodes(desk: Desk) -> None:
    season_of(desk, 3)
    found = report(desk)
    with desk.store.reading() as session:
        seats = [(each.code, seat) for each in session.scalars(select(Episode)).all() for seat in each.seats]
        best = max(seat.winnings or 0 for _, seat in seats)
    ends: dict[str, dict[bool, int]] = {}
    for code, seat in seats:
        ends.setdefault(code, {})[bool(seat.won)] = seat.winnings or 0
    margins = [each[True] - each[False] for each in ends.values() if len(each) == 2 and each[True] >= each[False]]
    highest, closest, longest = found["records"]
    assert f"${best:,}" in highest
    assert closest.endswith(f"by ${min(margins):,}.")
    assert "Longest reign: " in longest
    assert {row["game"] for row in found["reigns"]} == {"champ-cards"}


def test_no_link_is_told_before_the_end(desk: Desk) -> None:
    open_season(desk)
    registered(desk, "pear", "42")
    (chain,) = chains(desk)
    secrets = {link_of(chain.first, 1).hex(), chain.first.hex(), episode_of(desk).seed.hex()}
    with desk.store.reading() as session:
        told = json.dumps(
            [
                report(desk),
                reports.status(session, desk.config, desk.now),
            ],
            default=str,
        )
        told += json.dumps(reports.episode(session, "CC-1", False), default=str)
    told += "".join(raw.decode() for _, _, raw in desk.sent)
    assert not [each for each in secrets if each in told]


@pytest.mark.storm
def test_what_ends_behind_the_close_counts_no_more_and_a_reign_counts_its_wins_in_the_season(desk: Desk) -> None:
    registered(desk)
    ended(desk)
    open_season(desk)
    for address in (ANN, BOB):
        desk.answer(address, "again")
    ended(desk)
    with desk.store.reading() as session:
        (reign,) = session.scalars(select(Reign).where(Reign.ended_at.is_(None))).all()
        assert reign.wins == 2
    found = report(desk)
    assert found["records"][-1] == "Longest reign: Bob, 1 win in a row in Champ Cards."
    assert [(row["name"], row["wins"]) for row in found["reigns"]] == [("Bob", 1)]
    for address in (ANN, BOB):
        desk.answer(address, "again")
    desk.later(minutes=1)
    with begin(desk.services, desk.now) as work:
        season, running = seasons.close(work)
        assert "count in no season" in seasons.closed_in_words(season, running)
    desk.later(minutes=1)
    before = report(desk)
    ended(desk)
    after = report(desk)
    with begin(desk.services, desk.now) as work:
        told = admin.back(work, "CC-2", 1)
    assert told.endswith("The season Winter is closed: this episode counts in it no more.")
    assert (after["standings"], after["records"], after["reigns"]) == (
        before["standings"],
        before["records"],
        before["reigns"],
    )


def test_a_season_that_repeats_ends_at_midnight_on_either_side_of_a_clock_change(make_desk: MakeDesk) -> None:
    """New York changes its clocks on 14 March 2027."""
    zone = ZoneInfo("America/New_York")
    desk = make_desk()
    desk.now = datetime(2027, 3, 8, 12, 0, tzinfo=zone).astimezone(UTC)
    open_season(desk, name="March", ends_at=datetime(2027, 3, 14, tzinfo=zone), repeats=True)
    ends = []
    for _ in range(3):
        desk.later(days=7)
        seasons.pass_on(desk.services, desk.now)
        with desk.store.reading() as session:
            ends.append(session.scalars(select(Season.ends_at).order_by(Season.id.desc())).first())
    days = [each.astimezone(zone) for each in ends if each]
    assert [(each.day, each.hour) for each in days] == [(20, 0), (26, 0), (1, 0)]


def test_a_season_to_come_begins_and_has_not_begun(desk: Desk) -> None:
    registered(desk)
    open_season(desk, begins_at=START + timedelta(days=2))
    desk.answer(ANN, "season")
    assert "The season Winter begins on 22 November 2026." in words(desk.last(ANN))
    desk.later(days=2)
    desk.answer(ANN, "season")
    assert "The season Winter began on 22 November 2026." in words(desk.last(ANN))
