"""Answers in free text: what comes off, what is asked about, what is none."""

from host.play.answers import answer_in
from tests.rows import every

PROMPT = "How many sides has a hexagon?"
NAMES = frozenset(("ann", "bob", "cleo"))


@every(
    "text",
    [
        "hi all, six",
        "six, Cleo",
        "six - Cleo",
        "Cleo: six",
        "haha six",
        "six :)",
        "six xx",
        "Greetings from Rome, six",
        "six, greetings from Rome",
        "Sorry for the late reply, six",
        "We learned this at school, six",
        "a hexagon has six",
        "it has six of them",
        "six the one with the most corners",
        "final answer six",
        "been there on our honeymoon: six",
        "s-i-x, what else",
        "six. s-i-x. easy money.",
        "six, easy one for a change",
    ],
)
def test_what_surrounds_an_answer_comes_off(text: str) -> None:
    assert answer_in([text], PROMPT, NAMES).text == "six"


@every(
    ("text", "first"),
    [
        ("Bob said six", "six"),
        ("My wife says six", "six"),
        ("My wife says six but I say eight", "eight"),
        ("six. Sorry, eight", "six"),
        ("six or eight", "six"),
    ],
)
def test_what_may_be_anothers_or_taken_back_is_asked_about(text: str, first: str) -> None:
    found = answer_in([text], PROMPT, NAMES)
    assert (found.text, found.readings[:1]) == ("", (first,))


@every("text", ["In the dentist's chair, I'll mail you mine", "Sitting in a waiting room, I will send mine from home"])
def test_who_says_when_the_answer_comes_has_not_answered(text: str) -> None:
    assert not answer_in([text], "Which animal jumps?", NAMES).text


@every("text", ["six or eight", "either six or eight, one of the two", "It's six or is it eight?", "six, or no, eight"])
def test_of_two_things_that_may_be_the_answer_each_is_offered_alone(text: str) -> None:
    assert answer_in([text], PROMPT, NAMES).readings == ("six", "eight")


def test_more_detail_than_is_asked_comes_off() -> None:
    prompt = "The vowels have been taken out of this capital city: B D P S T."
    assert answer_in(["The capital of Hungary - Budapest."], prompt, NAMES).text == "Budapest"


@every(
    ("text", "readings"),
    [
        (
            "A hopping fella, Kangaroo",
            ("Kangaroo", "A hopping fella", "A hopping fella, Kangaroo"),
        ),
        ("Kangaroos, hopping fellas", ("Kangaroos", "hopping fellas", "Kangaroos, hopping fellas")),
        ("Boodapest in their own country and tongue", ("Boodapest in their own country and tongue",)),
        ("Ha, that's our Minka. A fat cat, of course!", ("our Minka", "A fat cat")),
        ("rock, paper; scissors and then some", None),
        ("My answer is", None),
        ("Saludos to Bob", ("Saludos to Bob",)),
    ],
)
def test_what_has_more_in_it_than_a_name_or_a_thing_is_asked_about(text: str, readings: tuple[str, ...] | None) -> None:
    found = answer_in([text], "Two words that rhyme", NAMES)
    assert not found.text
    assert found.readings[-1] == text if readings is None else found.readings == readings


@every(
    "text",
    [
        "too easy",
        "Bless. Let me chew on it over breakfast.",
        "so hard",
        "a hint please",
        "Thinking...",
        "my answer is coming",
        "It is on its way",
    ],
)
def test_talk_is_no_answer(text: str) -> None:
    assert not answer_in([text], PROMPT, NAMES).text


@every(
    "text",
    [
        "red, yellow and blue",
        "Paris, Texas",
        "Ann-Margret",
        "Simon says",
        "The Lord of the Rings: The Two Towers",
        "Good, bad and ugly",
    ],
)
def test_an_answer_keeps_what_is_its_own(text: str) -> None:
    assert answer_in([text], "What is it called?", NAMES).text == text
