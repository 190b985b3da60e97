"""Letters: text and HTML of one draft, headers, links, and a text that no mail program wraps and no reader plays."""

import email
import email.policy
import html
import re
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.engine.chance import commitment
from host.engine.game import Choice, Game, Refusal
from host.games import GAMES
from host.mail.inbound.sent_text import SentText
from host.mail.inbound.text_lines import words_of
from host.mail.outbound.draft import Ask, Draft, Envelope, TableView, Transcript, message_id
from host.mail.outbound.formatting import commands, continued, fold, money, shown
from host.mail.outbound.render import BLOCKS, Finished, deadline_words, due_words, finish, question_words, tell
from host.mail.outbound.templates import templates_folder
from tests.games.playouts import playout
from tests.rows import every
from tests.size import size

TOKEN = "o2ycnphhsavuqve3t6nr3wau5u"
NOW = datetime(2026, 11, 20, 14, 0, tzinfo=UTC)
DUE = NOW + timedelta(hours=48)
NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ida")
ENVELOPE = Envelope(
    token=TOKEN,
    host_name="The Millionaire",
    address="games@example.org",
    plus=True,
    recipient="ann@example.net",
    topic="Champ Cards: Ann v Bob",
    code="CC-12",
    timezone="America/New_York",
    written_at=NOW,
    episode="CC-12",
)
ASK = Ask(
    sentence="Which space do you turn over, or do you freeze at 15?",
    choices=(
        Choice(("pick 5",), "Pick 5", "the word pick and the number of a space", "pick"),
        Choice(("cut 5", "pick 1"), "Cut 5 & open 1", "the word cut, a comma, and pick", "cut and pick"),
        Choice(("freeze",), "Freeze at 15", "the word freeze", "freeze"),
    ),
    due_at=DUE,
    silence="If nothing comes by then, you are out.",
)
DRAFT = Draft(
    kind="turn",
    headline="Bob has 19. You have 15, Ann",
    lead=("Hello Ann, <good> news & more.",),
    transcript=Transcript(("pick 5",), "keep 9", "No card <there> lies turned over.", ("draw",)),
    story=("Bob turned over space 3.", "Bob kept the 7♥\ufe0e."),
    asks=(ASK,),
    tail=("Have fun & good luck.",),
    commitment=commitment(bytes(32)),
)


def parsed(finished: Finished) -> EmailMessage:
    message = email.message_from_bytes(finished.message, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def bare(text: str) -> str:
    """Words without white space, and without the words that begin each further line of commands."""
    return re.sub(r"\s+", " ", re.sub(r"\n  (?:and|or): ", " ", text))


def seen(page: str) -> str:
    """What a person sees of a page."""
    body = re.sub(r"<(style|title)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return bare(html.unescape(re.sub(r"<[^>]+>", " ", body))).replace(" .", ".").replace(" ,", ",")


def links(page: str) -> list[str]:
    return [html.unescape(link) for link in re.findall(r'href="([^"]*)"', page)]


def facts(draft: Draft) -> list[str]:
    """All that a letter says, in both forms."""
    found = [*draft.lead, *draft.story, *draft.tail]
    for ask in draft.asks:
        found += [ask.sentence, ask.silence]
        if ask.due_at:
            found.append(due_words(ask.due_at, ENVELOPE.timezone, ask.within, ENVELOPE.written_at))
    if draft.transcript:
        told = draft.transcript
        found += [
            shown(", ".join(told.accepted)),
            told.refused,
            told.reason,
            ", ".join(told.untried),
            *(each.label for each in told.readings),
        ]
    return [bare(fact) for fact in found if fact]


# Text and HTML


def test_text_and_html_say_the_same() -> None:
    finished = finish(DRAFT, ENVELOPE)
    for fact in facts(DRAFT):
        assert fact in bare(finished.text), fact
        assert fact in seen(finished.page), fact


@pytest.mark.parametrize("services", [True, False])
def test_services_stand_in_words(services: bool) -> None:
    finished = finish(replace(DRAFT, services=services), ENVELOPE)
    for text in (bare(finished.text), seen(finished.page)):
        assert ("status, rules, help, resign, or host" in text) is services


def test_the_commitment_stands_in_both() -> None:
    finished = finish(DRAFT, ENVELOPE)
    assert DRAFT.commitment in finished.text.replace("\n", "")
    assert DRAFT.commitment in finished.page
    without = finish(replace(DRAFT, commitment=""), ENVELOPE)
    assert "seed" not in without.text + without.page
    assert parsed(without)["X-Podium-Commitment"] is None


def test_html_is_escaped() -> None:
    page = finish(
        replace(DRAFT, headline="<script>alert(1)</script>", story=("A <b>bold</b> & 'quoted' move",)), ENVELOPE
    ).page
    assert "<script>" not in page
    assert "&lt;b&gt;bold&lt;/b&gt; &amp;" in page
    assert "http://" not in page
    assert "https://" not in page
    assert "<img" not in page


def test_text_is_not_escaped() -> None:
    assert "<good> news & more." in finish(DRAFT, ENVELOPE).text


@pytest.mark.parametrize("headline", ["Hit or stand?", "It is your turn.", "Ann said “no!”", "Three left (of nine)?"])
def test_the_preheader_has_one_mark_where_its_sentence_ends(headline: str) -> None:
    made = finish(replace(DRAFT, headline=headline), ENVELOPE).page
    assert f"{html.escape(headline)} By Sunday 9:00 AM EST" in made


def test_the_preheader_is_in_html_only_and_first() -> None:
    page = finish(DRAFT, ENVELOPE).page
    said = f"{DRAFT.headline}. By Sunday 9:00 AM EST"
    assert page.index(said) < page.index("<h1")
    assert said not in finish(DRAFT, ENVELOPE).text
    assert "display:none" in page.replace(" ", "")


def test_the_order_is_the_same_in_both() -> None:
    finished = finish(DRAFT, ENVELOPE)
    (ask,) = DRAFT.asks
    order = [DRAFT.headline, ask.sentence, "Sunday 9:00 AM EST", ask.silence, "pick and the", DRAFT.story[0], "Ref:"]
    for form in (bare(finished.text), seen(finished.page).partition("</h1>")[2] or seen(finished.page)):
        places = [form.rindex(each) for each in order]
        assert places == sorted(places)


@pytest.mark.parametrize(("form", "without"), [("html", {"notes"}), ("txt", {"terms"})])
def test_each_block_of_a_letter_has_its_place_in_the_templates(form: str, without: set[str]) -> None:
    source = (templates_folder() / f"base.{form}").read_text("utf-8")
    assert set(re.findall(r'block == "(\w+)"', source)) == set(BLOCKS) - without


def test_the_reference_line_stands_in_both() -> None:
    finished = finish(DRAFT, ENVELOPE)
    assert f"Ref: CC-12 {TOKEN}" in finished.text.splitlines()
    assert f"Ref: CC-12 {TOKEN}" in seen(finished.page)


# Links


def test_there_is_one_link_for_each_choice_and_no_other() -> None:
    found = links(finish(DRAFT, ENVELOPE).page)
    assert found == [ENVELOPE.link("\n".join(choice.say)) for choice in ASK.choices]
    assert "mailto:" not in finish(DRAFT, ENVELOPE).text


def test_a_link_holds_address_subject_and_body() -> None:
    link = ENVELOPE.link("cut 5\npick 1")
    assert re.fullmatch(r"[!-~]+", link)
    address, _, query = link.removeprefix("mailto:").partition("?")
    values = dict(part.split("=") for part in query.split("&"))
    assert address == f"games+{TOKEN}@example.org"
    assert unquote(values["subject"]) == f"Champ Cards: Ann v Bob [CC-12 {TOKEN}]"
    assert values["body"] == "cut%205%0D%0Apick%201"


def test_odd_characters_are_percent_encoded() -> None:
    odd = replace(ENVELOPE, topic='Ann & Zoë: 100% "fun"?', address="ga&mes@example.org")
    link = odd.link("a & b=c #1\n♥")
    assert re.fullmatch(r"[A-Za-z0-9%+@:?&=._~-]+", link)
    assert link.count("&") == 1
    assert link.count("?") == 1
    assert unquote(link.partition("body=")[2]) == "a & b=c #1\r\n♥"
    assert unquote(link.partition("subject=")[2].partition("&body")[0]) == odd.tapped_subject


def test_ampersands_of_links_are_escaped_in_html() -> None:
    page = finish(DRAFT, ENVELOPE).page
    for link in re.findall(r'href="([^"]*)"', page):
        assert "&amp;body=" in link


def test_beside_each_link_stands_what_to_type() -> None:
    page = seen(finish(DRAFT, ENVELOPE).page)
    assert (
        "Tap a button and press Send, or reply in your own words: pick and the number of a space (pick 5); "
        "cut, a comma, and pick (cut 5, pick 1); freeze."
    ) in page


def test_the_text_says_each_kind_of_move_in_words() -> None:
    text = bare(finish(DRAFT, ENVELOPE).text)
    assert (
        "Reply with pick and the number of a space (pick 5) / cut, a comma, and pick (cut 5, pick 1) / freeze, "
        "or in your own words."
    ) in text


def test_a_ten_is_typed_as_people_write_it() -> None:
    choices = (Choice(("attack Kc Td",), "K♣ attacks 10♦", "the word attack, your commander, then theirs", "attack"),)
    finished = finish(replace(DRAFT, asks=(replace(ASK, choices=choices),)), ENVELOPE)
    assert links(finished.page) == [ENVELOPE.link("attack Kc 10d")]
    for form in (bare(finished.text), seen(finished.page)):
        assert "(attack Kc 10d)" in form
        assert "10d: ten of diamonds" in form
        assert "Td" not in form


def test_what_is_drawn_to_be_tapped_has_no_button_beside_it() -> None:
    found = playout("champ-cards", 0)
    table = TableView("champ-cards", found.game.view(found.start, 0), NAMES[:2], 0)
    choices = found.game.choices(found.start, found.game.questions(found.start)[0])
    page = finish(replace(DRAFT, table=table, asks=(replace(ASK, choices=choices),)), ENVELOPE).page
    assert sorted(links(page)) == sorted(ENVELOPE.link("\n".join(each.say)) for each in choices)
    assert len(re.findall(r'<td[^>]*class="tap"', page)) == sum(not each.spot for each in choices) == 3


# Headers


def test_headers() -> None:
    message = parsed(finish(DRAFT, ENVELOPE))
    assert dict(message.items()) | {"Content-Type": ""} == {
        "From": "The Millionaire <games@example.org>",
        "To": "ann@example.net",
        "Reply-To": f"games+{TOKEN}@example.org",
        "Subject": "Champ Cards: Ann v Bob [CC-12]",
        "Date": "Fri, 20 Nov 2026 14:00:00 +0000",
        "Message-ID": f"<{TOKEN}@example.org>",
        "References": f"<{TOKEN}@example.org>",
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "List-Unsubscribe": f"<mailto:games+{TOKEN}@example.org?body=leave>",
        "X-Podium-Kind": "turn",
        "X-Podium-Episode": "CC-12",
        "X-Podium-Reply-By": "2026-11-22T14:00:00Z",
        "X-Podium-Commitment": commitment(bytes(32)),
        "MIME-Version": "1.0",
        "Content-Type": "",
    }


def test_an_answer_says_so_and_threads() -> None:
    envelope = replace(
        ENVELOPE, answers=True, in_reply_to="<1@example.net>", references=("<0@example.net>", "<1@example.net>")
    )
    message = parsed(finish(DRAFT, envelope))
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["In-Reply-To"] == "<1@example.net>"
    assert message["References"].split()[:2] == ["<0@example.net>", "<1@example.net>"]


def test_without_plus_addressing_the_token_stands_in_the_subject() -> None:
    envelope = replace(ENVELOPE, plus=False)
    message = parsed(finish(DRAFT, envelope))
    assert message["Subject"] == f"Champ Cards: Ann v Bob [CC-12 {TOKEN}]"
    assert message["Reply-To"] == "games@example.org"
    assert envelope.link("keep").startswith("mailto:games@example.org?subject=")
    assert finish(DRAFT, envelope).subject == message["Subject"]


def test_without_plus_addressing_whoever_unsubscribes_writes_the_token_into_the_subject() -> None:
    found = parsed(finish(DRAFT, replace(ENVELOPE, plus=False)))["List-Unsubscribe"]
    assert found.startswith("<mailto:games@example.org?subject=Champ%20Cards")
    assert TOKEN in found
    assert found.endswith("&body=leave>")


def test_operators_have_nothing_to_unsubscribe_from() -> None:
    assert "List-Unsubscribe" not in parsed(finish(replace(DRAFT, kind="alert"), ENVELOPE))


def test_what_does_not_apply_is_left_out() -> None:
    message = parsed(finish(replace(DRAFT, asks=(), commitment=""), replace(ENVELOPE, episode="")))
    for name in ("X-Podium-Episode", "X-Podium-Reply-By", "X-Podium-Commitment", "In-Reply-To"):
        assert message[name] is None
    undue = parsed(finish(replace(DRAFT, asks=(replace(ASK, due_at=None),)), ENVELOPE))
    assert undue["X-Podium-Reply-By"] is None


def test_of_several_deadlines_the_first_is_told() -> None:
    later = replace(ASK, due_at=DUE + timedelta(hours=1))
    assert parsed(finish(replace(DRAFT, asks=(later, ASK)), ENVELOPE))["X-Podium-Reply-By"] == "2026-11-22T14:00:00Z"


def test_the_message_is_two_forms_and_is_ascii() -> None:
    finished = finish(DRAFT, ENVELOPE)
    message = parsed(finished)
    assert message.get_content_type() == "multipart/alternative"
    text, page = message.iter_parts()
    assert isinstance(text, EmailMessage)
    assert isinstance(page, EmailMessage)
    assert [part.get_content_type() for part in (text, page)] == ["text/plain", "text/html"]
    assert [part.get_content_charset() for part in (text, page)] == ["utf-8", "utf-8"]
    assert text.get_content().replace("\r\n", "\n") == finished.text
    assert page.get_content().replace("\r\n", "\n").rstrip("\n") == finished.page.rstrip("\n")
    finished.message.decode("ascii")
    assert finished.message.replace(b"\r\n", b"").count(b"\n") == 0


def test_an_attachment() -> None:
    record = '{"format":"x"}\n{"from":"Zoë"}\n'.encode()
    message = parsed(finish(replace(DRAFT, attachment=("CC-12.jsonl", record)), ENVELOPE))
    assert message.get_content_type() == "multipart/mixed"
    (attached,) = message.iter_attachments()
    assert isinstance(attached, EmailMessage)
    assert (attached.get_content_type(), attached.get_filename()) == ("application/jsonl", "CC-12.jsonl")
    assert attached.get_content() == record


def test_names_with_other_letters() -> None:
    message = parsed(finish(DRAFT, replace(ENVELOPE, host_name="Zoë “Die Große”, 李", topic="Champ Cards: Zoë v 李")))
    assert message["From"].addresses[0].display_name == "Zoë “Die Große”, 李"
    assert message["Subject"] == "Champ Cards: Zoë v 李 [CC-12]"


def test_a_name_from_right_to_left_is_kept_to_itself() -> None:
    told = "محمد $2,700, أحمد علي $425, you $5."
    kept = "\u2068محمد\u2069 $2,700, \u2068أحمد علي\u2069 $425, you $5."
    letter = finish(replace(DRAFT, lead=(told,)), ENVELOPE)
    assert kept in letter.text
    assert kept in letter.page
    said = 'Ann: “\u05e9\u05dc\u05d5\u05dd 5 \u05ea"\u05d0” and so on'
    assert f"Ann: \u2068{said[5:17]}\u2069 and so on" in finish(replace(DRAFT, lead=(said,)), ENVELOPE).text
    quoted = words_of(told)
    assert all(SentText(form).find(quoted) for form in (letter.text, told)), "who quotes it types no such signs"


def test_a_letter_is_the_same_when_it_is_written_again() -> None:
    first, second = finish(DRAFT, ENVELOPE), finish(DRAFT, ENVELOPE)
    assert first == second
    assert parsed(first)["Message-ID"] == message_id(TOKEN, ENVELOPE.address)


# Small things


@pytest.mark.parametrize(("amount", "words"), [(0, "$0"), (999, "$999"), (2500, "$2,500"), (1234567, "$1,234,567")])
def test_money(amount: int, words: str) -> None:
    assert money(amount) == words


def test_a_line_ends_between_two_commands() -> None:
    said = ["bet 500 K high 4 low", "always check", "hit until 17, else stand", "call 20 or less, else fold"]
    lines = continued(f"Sent ahead: {commands(said)}.", "and").splitlines()
    assert lines[0] == "Sent ahead: bet 500 K high 4 low, always check,"
    assert lines[1] == "  and: hit until 17, else stand,"


def test_folding() -> None:
    assert fold("short") == "short"
    lines = fold("word " * 40).splitlines()
    assert len(lines) > 2
    assert all(len(line) <= 60 for line in lines)
    assert fold("* " + "word " * 20).splitlines()[1].startswith("  ")
    assert fold("a\nb") == "a\nb"


WORDS = [
    "a",
    "bb",
    "episode,",
    "♥\ufe0e",
    "x\u00a0y",
    "-",
    "--",
    "-5",
    "x-y",
    "\u00a0",
    "*",
    "z" * 40,
    "q" * 55,
    "w" * 70,
]


@given(
    st.sampled_from(["", "* ", "- "]),
    st.lists(st.sampled_from(WORDS), max_size=40),
    st.sampled_from([" "] * 6 + ["  ", "\t", "\n", "\r", "\u2028", ""]),
)
@settings(deadline=None)
def test_folding_is_as_textwraps(mark: str, words: list[str], space: str) -> None:
    text = mark + " ".join(words[:20]) + space + " ".join(words[20:])
    hanging = "  " if text.startswith(("* ", "- ")) else ""
    expected = [
        textwrap.fill(line, 58, initial_indent=hanging if at else "", subsequent_indent=hanging)
        for at, line in enumerate(text.split("\n"))
    ]
    assert fold(text) == "\n".join(expected)
    said = f"Played: {text}".replace("\n", " ")
    assert continued(said, "and") == textwrap.fill(said, 58, subsequent_indent="  and: ").replace("\xa0", " ")


@every(
    ("due_at", "zone", "within", "words"),
    [
        (DUE, "UTC", 48, "Sunday, 22 November 2026, 2:00 PM UTC"),
        (DUE, "America/New_York", 48, "Sunday, 22 November 2026, 9:00 AM EST (14:00 UTC)"),
        (DUE, "Asia/Tokyo", 48, "Sunday, 22 November 2026, 11:00 PM JST (14:00 UTC)"),
        (
            datetime(2026, 11, 22, 2, 0, tzinfo=UTC),
            "America/New_York",
            48,
            "Saturday, 21 November 2026, 9:00 PM EST (Sunday 02:00 UTC)",
        ),
        (datetime(2026, 7, 1, 0, 5, 7, tzinfo=UTC), "UTC", 48, "Wednesday, 1 July 2026, 12:05 AM UTC"),
        (datetime(2026, 7, 1, 0, 5, 7, tzinfo=UTC), "UTC", 0.5, "Wednesday, 1 July 2026, 12:05:07 AM UTC"),
        (
            datetime(2026, 7, 1, 12, 5, 7, tzinfo=UTC),
            "Europe/Berlin",
            0.5,
            "Wednesday, 1 July 2026, 2:05:07 PM CEST (12:05:07 UTC)",
        ),
        (DUE, "Europe/London", 48, "Sunday, 22 November 2026, 2:00 PM GMT"),
    ],
)
def test_moments_in_words(due_at: datetime, zone: str, within: float, words: str) -> None:
    assert deadline_words(due_at, zone, timedelta(hours=within)) == words


@every(
    ("left", "zone", "within", "words"),
    [
        (timedelta(hours=48), "UTC", 48, "Sunday 2:00 PM UTC, in 48 hours"),
        (timedelta(hours=48), "America/New_York", 48, "Sunday 9:00 AM EST (14:00 UTC), in 48 hours"),
        (timedelta(hours=47, minutes=59, seconds=30), "UTC", 48, "Sunday 1:59 PM UTC, in 48 hours"),
        (timedelta(hours=44), "UTC+05:30", 48, "Sunday 3:30 PM UTC+05:30 (10:00 UTC), in 1 day 20 hours"),
        (timedelta(hours=44), "UTC-03:00", 48, "Sunday 7:00 AM UTC-03:00 (10:00 UTC), in 1 day 20 hours"),
        (timedelta(hours=25), "UTC", 48, "Saturday 3:00 PM UTC, in 1 day 1 hour"),
        (timedelta(hours=24), "UTC", 48, "Saturday 2:00 PM UTC, in 24 hours"),
        (timedelta(days=3), "UTC", 72, "Monday 2:00 PM UTC, in 3 days"),
        (timedelta(days=4, hours=23), "UTC", 72, "Wednesday 1:00 PM UTC, in 4 days 23 hours"),
        (timedelta(hours=5, minutes=40), "UTC", 48, "Friday 7:40 PM UTC, in 5 hours"),
        (timedelta(minutes=75), "UTC", 48, "Friday 3:15 PM UTC, in 76 minutes"),
        (timedelta(seconds=90), "UTC", 0.5, "Friday 2:01:30 PM UTC, in 2 minutes"),
        (timedelta(seconds=30), "UTC", 0.5, "Friday 2:00:30 PM UTC"),
        (timedelta(days=7), "Asia/Tokyo", 168, "Friday, 27 November, 11:00 PM JST (14:00 UTC), in 7 days"),
        (timedelta(days=-1), "UTC", 48, "Thursday, 19 November, 2:00 PM UTC"),
    ],
)
def test_deadlines_in_words(left: timedelta, zone: str, within: float, words: str) -> None:
    assert due_words(NOW + left, zone, timedelta(hours=within), NOW) == words


# Letters of each game

every_room = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def letters(game: Game[Any, Any], numbers: range = range(size(2, 6))) -> Iterator[tuple[Any, int, Draft]]:
    """A letter for each question of some playouts, and for each seat at the end."""
    for number in numbers:
        found = playout(game.slug, number)
        names = NAMES[: found.seats]
        for step in found.steps:
            state = step.after
            asked = game.questions(state)
            for seat in {each.seat for each in asked} or set(range(found.seats)):
                table = TableView(game.slug, game.view(state, seat), names, seat)
                asks = []
                for each in asked:
                    if each.seat == seat:
                        said = question_words(game.slug, each.phase, table)
                        choices = game.choices(state, each)
                        asks.append(Ask(said.sentence, choices, said.headline, DUE, timedelta(hours=48), said.silence))
                story = tell(game.slug, game.news(step.events, seat), names, seat)
                draft = Draft(
                    "turn",
                    asks[0].headline if asks else "It is over",
                    lead=(f"Hello {names[seat]},",),
                    transcript=Transcript((step.text,)),
                    story=story,
                    table=table,
                    asks=tuple(asks),
                    commitment=commitment(bytes(32)),
                )
                yield state, seat, draft


@every_room
def test_letters_of_a_game(game: Game[Any, Any]) -> None:
    for _state, _seat, draft in letters(game, range(size(1, 6))):
        finished = finish(draft, ENVELOPE)
        for line in finished.text.splitlines():
            assert len(line.replace("\ufe0e", "")) <= 60 or line == draft.commitment, line
            assert line == line.rstrip()
        for fact in facts(draft):
            assert fact in bare(finished.text), fact
            assert fact in seen(finished.page), fact
        offered = [ENVELOPE.link("\n".join(each.say)) for ask in draft.asks for each in ask.choices]
        assert sorted(links(finished.page)) == sorted(offered)
        assert "\n\n\n" not in finished.text
        assert "None" not in finished.text
        assert "??" not in finished.text
        for form in (finished.text, seen(finished.page)):
            assert "{" not in form
            assert " ." not in form
        assert len(finished.message) < 100_000
        for ask in draft.asks:
            assert ask.sentence.endswith((".", "?"))
            assert ask.silence.endswith(".")
        assert all(sentence.endswith(".") for sentence in draft.story)


@every_room
def test_no_line_of_a_letter_is_a_legal_command(game: Game[Any, Any]) -> None:
    for state, seat, draft in letters(game, range(size(1, 3))):
        lines = {line for line in finish(draft, ENVELOPE).text.splitlines() if "|" not in line and "$" not in line}
        for line in lines:
            for text in {line, line.removeprefix("* "), line.removeprefix("- ")}:
                try:
                    outcome = game.apply(state, seat, game.parse(text, state, seat), playout(game.slug, 0).chance)
                except Refusal:
                    continue
                raise AssertionError(f"{text!r} plays {outcome.events}")


@every_room
def test_every_event_is_told_to_everybody(game: Game[Any, Any]) -> None:
    for number in range(size(6, 40)):
        found = playout(game.slug, number)
        for step in found.steps:
            for seat in (*range(found.seats), None):
                told = tell(game.slug, step.events, NAMES[: found.seats], seat)
                assert len(told) == len(step.events)
                for sentence in told:
                    assert sentence[0].isupper()
                    assert sentence.endswith(".")
                    assert "  " not in sentence
                    assert "You was" not in sentence
                    assert "you's" not in sentence.lower()
