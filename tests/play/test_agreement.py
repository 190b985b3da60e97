"""Yes, no, later, ready, and which reading is meant: what people write to a letter that asks for one of them."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.play.agreement import (
    LONGEST_WAIT,
    NONE_OF_THEM,
    chosen,
    confirms,
    has_reservation,
    is_whole_yes,
    says_later,
    says_no,
    says_ready,
    says_yes,
    take_word,
    wait_in,
    wants_peace,
)
from tests.rows import every

SUNDAY = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
YES = """yes | Yes! | Yes please | Hello, yes | Hi Millionaire, yes | sure | Of course! | ok | Okay, thanks | Ja
| Ja, gerne | Jawohl | oui | Oui, bien sûr | D'accord | sí | Sí, por favor | claro | Sì | va bene | sim
| ja graag | javisst | tak | ano | да | Да, конечно | evet | はい | 是的 | 네 | 👍 | 👍🏽 | ✅ | Thanks 👍
| yes, that was me | Yes it is | Yeah, absolutely | yes I registered | Sorry, yes"""
NO = """no | No. | nope | No thanks | No, thank you! | Sorry, no | Nein | Nein danke | non merci | Non | nee
| nej tack | não | nie | ne | нет | hayır | いいえ | 不是 | 👎 | ❌ | not me | No, it was not me
| I did not register, go away | I didn't sign up for this | I never registered | Please remove me
| please remove me from your list | Unsubscribe | Stop | Stop writing to me! | go away | wrong person
| This was not me | Don't email me again | leave me alone | Who are you? I did not register.
| What is this? It wasn't me! | somebody else registered me | I don't want this | not interested
| I'm not interested, thanks | Take me off the list | no 👍"""
LATER = """not now | Not now please, next week would be better | next week | in two weeks | after the holidays
| tomorrow | Tomorrow please | not yet | I'm not ready yet | No, not now | not today | later
| Maybe later | on Monday | until Friday | not until Monday | Ask me again in ten days
| I am away until Friday | I'm on holiday until 5 December | I can't play this week
| I can't make it today | I won't be here next week | Sorry, I am busy | I have no time this week
| nicht jetzt | pas maintenant | mañana | не сейчас | another time | I need more time
| Can we start next week? | I will be back on Tuesday | maybe next month | I'm ill | yes, but not now"""
READY = """ready | I'm ready | I am ready! | Yes I'm ready | sure! | let's go | Let's do this! | count me in | 👍
| yes | go ahead | I'm in | I'm here | Hello, I am here | still here
| Don't start without me, I'm ready | Please don't remove me, I'm still here | I can't wait to play
| No problem, count me in | no worries, I'm in | ready when you are | Bereit | je suis prêt | listo
| game on | I'd love to play | Hi, ready"""
NEITHER = """what is this? | who are you? | Who is this | How did you get my address? | my cat is on the keyboard
| I like cards | are you ready? | Ann | hello | thanks | no problem | don't worry | maybe | yesterday
| is it yes? | spam | I am Ann | what do I have to do?"""


def each(block: str) -> list[str]:
    return [text.strip() for text in block.replace("\n|", " |").split(" | ")]


@every("text", each(YES))
def test_a_yes(text: str) -> None:
    assert says_yes([text, "Ann"])
    assert says_ready([text])
    assert confirms([text])
    assert not says_no([text])
    assert not says_later([text])


@every("text", each(NO))
def test_a_no(text: str) -> None:
    assert says_no([text, "Ann"])
    assert not says_yes([text])
    assert not says_ready([text])
    assert not confirms([text])


@every("text", each(LATER))
def test_a_later(text: str) -> None:
    assert says_later([text, "Ann"])
    assert not says_ready([text])
    assert not confirms([text])
    assert not wants_peace([text])


@every("text", ["1", "2.", "5th"])
def test_a_bare_number_is_no_later(text: str) -> None:
    assert not says_later([text])


@every("text", each(READY))
def test_somebody_is_ready(text: str) -> None:
    assert says_ready([text, "Ann"])
    assert not says_no([text])
    assert not says_later([text])


@every("text", each(NEITHER))
def test_neither_is_taken_for_neither(text: str) -> None:
    assert not says_yes([text])
    assert not says_no([text])
    assert not says_later([text])
    assert not says_ready([text])


@every(
    "text",
    [
        "",
        "Thanks!",
        "Thank you very much\nAnn Lee",
        "Hello,\nthanks\nAnn",
        "Great, thanks",
        "No problem",
        "That was me",
        "I did",
    ],
)
def test_courtesies_and_nothing_confirm(text: str) -> None:
    assert confirms(text.splitlines(), ["Ann Lee"])


@pytest.mark.parametrize(
    "text", ["what is this?", "who are you", "spam", "Ann", "How much does it cost?", "I like cards", "was it me?"]
)
def test_what_says_neither_does_not_confirm(text: str) -> None:
    assert not confirms([text])


@every(
    ("text", "days"),
    [
        ("not now", 2),
        ("tomorrow", 1),
        ("Not now please, next week would be better", 7),
        ("in two weeks", 14),
        ("in 10 days", 10),
        ("in a week", 7),
        ("a few days", 3),
        ("next month", 30),
        ("in three months", 30),
        ("on Monday", 1),
        ("until Friday", 5),
        ("next Sunday", 7),
        ("5 December", 13),
        ("until Dec 1st", 9),
        ("after the holidays", 14),
        ("the day after tomorrow", 2),
        ("on the weekend", 6),
        ("in 999 weeks", 30),
        ("on 31 February", 2),
    ],
)
def test_when_later_is(text: str, days: int) -> None:
    assert wait_in([text], SUNDAY) == timedelta(days=days)


@pytest.mark.parametrize(
    "text", ["in 0 days", "30 February", "29 February", "x" * 10_000, "monday " * 1000, "in 100000000000 days"]
)
def test_no_wait_is_longer_than_can_be(text: str) -> None:
    assert timedelta(0) < wait_in([text], SUNDAY) <= LONGEST_WAIT


@pytest.mark.parametrize(
    "text",
    [
        "yes, but I am away until Monday",
        "yes, if Bob plays",
        "yes, from next week on",
        "count me in, on Friday",
        "yes, I'm on holiday",
        "Yes, provided that it is short",
    ],
)
def test_a_yes_with_a_reservation(text: str) -> None:
    assert has_reservation([text])


@pytest.mark.parametrize("text", ["yes", "yes please, thanks", "Sure, count me in!", "I confirm."])
def test_a_yes_without_one(text: str) -> None:
    assert not has_reservation([text])


@every(
    ("text", "number"),
    [
        ("yes", 1),
        ("Yes please", 1),
        ("1", 1),
        ("#3", 3),
        ("number two", 2),
        ("No. 2", 2),
        ("The second one, please!", 2),
        ("option 3)", 3),
        ("I meant the third", 3),
        ("no", NONE_OF_THEM),
        ("Neither of them.", NONE_OF_THEM),
        ("something else", NONE_OF_THEM),
        ("no, something else", NONE_OF_THEM),
        ("4", None),
        ("yes, but keep", None),
        ("yes, two", None),
        ("no, draw", None),
        ("one or two", None),
        ("1?", None),
        ("2, or 3", None),
        ("(3)", 3),
        ("1, thanks!", 1),
        ("second thoughts", None),
        ("keep", None),
        ("thanks", None),
        ("", None),
    ],
)
def test_a_number_a_yes_and_a_no_choose_and_nothing_else_does(text: str, number: int | None) -> None:
    assert chosen([text], 3) == number
    assert chosen([text, ""], 3) == number


@every(
    ("line", "said", "word"),
    [
        ("confirm pineapple", "confirm", "pineapple"),
        ("  Confirm  Pineapple! ", "Confirm", "Pineapple"),
        ("ready 42", "ready", "42"),
        ("READY Straße", "READY", "Straße"),
        ("confirm " + "x" * 40, "confirm", "x" * 40),
        ("confirm: pineapple", "confirm", "pineapple"),
        ("Confirm, pineapple.", "Confirm", "pineapple"),
        ("confirm “pineapple”", "confirm", "pineapple"),
        ('ready "x-y"', "ready", "x-y"),
        ("confirm pin\u0303a", "confirm", "piña"),
    ],
)
def test_a_word_of_ones_own_stands_behind_confirm_or_ready(line: str, said: str, word: str) -> None:
    assert take_word(["Hello", line, "Ann"]) == (("Hello", said, "Ann"), word)


ORDINARY = """confirm | ready | confirm please | ready now | ready tomorrow | ready later | confirm it | Confirm, thanks
| ready not
| ready never | confirm no | confirm yes | confirm two words | confirm x- | confirm a_b | I confirm pineapple | confirmpear
| ready next week | ready Monday | ready soon | not ready"""


@every("text", [*each(ORDINARY), "confirm " + "x" * 41, "", "ready " + "y" * 5000])
def test_what_has_its_own_meaning_is_no_word(text: str) -> None:
    lines = [text]
    assert take_word(lines) == (lines, "")


@given(st.lists(st.text(max_size=60), max_size=4))
def test_taking_a_word_takes_nothing_else(lines: list[str]) -> None:
    rest, word = take_word(lines)
    assert len(rest) == len(lines)
    assert len(word) <= 40
    assert word == "" or (word[0].isalnum() and sum(a != b for a, b in zip(rest, lines, strict=True)) == 1)


@every(
    ("text", "is_reserved"),
    [
        ("yes, next month", True),
        ("yes, when I'm back", True),
        ("yes after Christmas", True),
        ("yes, but later", True),
        ("Yes, in two weeks", True),
        ("Yes! When does it start?", False),
        ("ready when you are", False),
        ("yes, once more!", False),
        ("Yes, until then!", False),
        ("Yes, talk to you later", False),
        ("Yes please, looking forward to it", False),
    ],
)
def test_a_yes_with_a_time_is_reserved(text: str, is_reserved: bool) -> None:
    assert has_reservation([text]) is is_reserved


@every(
    ("text", "is_whole"),
    [
        ("yes", True),
        ("Yes, I resign. Thanks for the game", True),
        ("ja", True),
        ("ok", False),
        ("yes to what?", False),
        ("yes, but not now", False),
        ("Yes. cut 5", False),
        ("no", False),
    ],
)
def test_a_whole_yes_says_nothing_besides_that_may_speak_against_it(text: str, is_whole: bool) -> None:
    assert is_whole_yes([text]) is is_whole
