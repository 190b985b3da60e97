"""What strangers wrote: nothing is played that they do not mean. `python -m tests.play.strangers_now -v` shows all of it."""

import functools

import pytest

from tests.play.strangers_now import SETS, Judged, judged, replies
from tests.size import size

WRONG = {
    "s3-cc-33": "a pick in answer to the first letter cuts as well, as its button does",
    "s7-gc-13": "cards of one rank in another order than the writer's",
    "s8-cc-10": "`ill take the card` for the next one of the stock",
    "s9-bj-40": "a yes to whether they take a card, which its writer calls small talk",
    "s11-bj-50": "the same",
    "s9-gc-05": "`keep going` for one more flip, and not to the end",
    "s7-sd-47": "the answer stays as it is spelt, and waits for the host",
    "s12-020": "cuts, as it says; that the numbers are to be drawn (`whatever numbers u want`) is not understood",
    "s12-058": "the answer stays as it is spelt, and waits for the host",
    "s12-061": "an answer in another language waits for the host with the words around it",
    "s12-105": "`go on` for one more flip, which its writer would have asked about",
    "s16-098": "a bet on two cards, the first the high one as its writer has them, who would have been asked which",
    "s19-034": "the answer stays as it is spelt, and waits for the host",
    "s19-133": "a bet on two cards, as in s16-098",
    "s23-159": "stops behind the three flips, as `not one more` says",
    "s25-164": "an answer in another language, in front of what may be its English word",
    "s25-187": "the answer stays as it is spelt, and waits for the host",
    "s28-062": "`draw the 5` draws, as it says; its writer would have been asked whether the five is kept",
    "s28-160": "as many flips as it says, of which there are fewer; its writer would have been asked",
    "s29-170": "the answer stays as it is spelt, and waits for the host",
    "s29-179": "an answer with more detail than is asked waits for the host",
    "s32-027": "a year in words is written in digits, which is judged alike",
    "s34-055": "the answer stays as it is spelt, and waits for the host",
    "s34-122": "a number with its unit waits for the host",
    "s34-127": "four words beside a question to the host, which may be a title",
    "s35-011": "the answer stays as it is spelt, and waits for the host",
    "s35-026": "an answer with more detail than is asked waits for the host",
    "s35-051": "a title, which its writer means as a joke beside the answer",
    "s36-163": "the answer stays as it is spelt, and waits for the host",
    "s36-183": "the answer stays as it is spelt, and waits for the host",
    "s3-cc-18": "an order in the form that letters show, which its writer would have been asked about",
    "s2-sd-18": "the answer stays as it is spelt, and waits for the host",
    "s37-164": "the answer stays as it is spelt, and waits for the host",
    "s38-079": "a bet told in an exclamation (`Five thousand dollars, I can't believe it!!`) before the one that is meant",
    "s38-173": "cuts, as it says; that the codes are to be drawn (`Roll the dice, maestro`) is not understood",
    "s40-139": "what somebody else does behind a move (`and then she attacks his queen`)",
    "s40-179": "how the answer is found, for the answer: it waits for the host",
    "s39-70": "a number that is an exclamation before the one that is meant (`oh well, 23, that's life. My birthday: 31`)",
    "s38-186": "the answer stays as it is spelt, and waits for the host",
}


@functools.cache
def outcomes(name: str) -> dict[str, Judged]:
    """What is made of each reply of a set, or of every seventh, by its id."""
    return {reply.id: judged(reply) for reply in list(replies(name))[:: size(7, 1)]}


@pytest.mark.parametrize("name", SETS)
def test_nothing_is_played_that_is_not_meant(name: str) -> None:
    assert {number for number, found in outcomes(name).items() if found.verdict == "wrong"} <= set(WRONG)


def test_what_is_meant_is_among_three_buttons_three_times_in_four() -> None:
    places = [found.place for name in SETS for found in outcomes(name).values() if found.place is not None]
    assert sum(0 < place <= 3 for place in places) > len(places) * 3 / 4
