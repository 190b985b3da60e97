"""Which piece of a mail may be an answer in free text: the likeliest first."""

from host.play.likely_answers import likely_answers
from tests.rows import every

PROMPT = "Which animal jumps?"
NAMES = frozenset(("ann", "bob", "cleo"))


@every(
    ("text", "first"),
    [
        ("kangarro! typing with one thumb, baby on the other arm", "kangarro"),
        ("kangaru (sorry for my spelling, I'm Polish)", "kangaru"),
        (
            "I had to put on my glasses, and then I laughed. The word is kangaroo. It is raining here.\nCleo P.",
            "kangaroo",
        ),
        ("Saw the film with the grandchildren, so: kangaroo. They hid behind the sofa.\n\nGrandma Cleo", "kangaroo"),
        (
            "I am thinking since yesterday and I try with 'kangaroo'. If it is wrong my teacher was not good.",
            "kangaroo",
        ),
        ("kangaroo! My tennis coach would be loud too", "kangaroo"),
        ("Nice one. It must be a Kangaroo! Easy one at last.", "a Kangaroo"),
        ("K-A-N-G-A-R-O-O !!! easy peasy", "KANGAROO"),
        ("Mt. Kangaroo of course, 50 bucks yay", "Mt. Kangaroo"),
    ],
)
def test_what_may_be_the_answer_comes_first(text: str, first: str) -> None:
    assert likely_answers(text.split("\n"), PROMPT, NAMES)[0] == first


@every(
    "text",
    [
        "wallaby or kangaroo",
        "either wallaby or kangaroo, one of the two",
        "It's wallaby or is it kangaroo?",
        "wallaby, or no, kangaroo",
    ],
)
def test_of_two_things_each_is_offered_alone(text: str) -> None:
    assert set(likely_answers([text], PROMPT, NAMES)[:2]) == {"wallaby", "kangaroo"}


def test_names_and_what_only_every_sentence_says_are_no_likely_answers() -> None:
    assert likely_answers(["What is it then? I don't know, sorry", "", "thanks, all the best"], PROMPT, NAMES) == ()
    assert likely_answers(["a hare, I would say", "Bob"], PROMPT, NAMES)[0] == "a hare"
