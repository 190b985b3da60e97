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
    "text",
    [
        "Bob said six",
        "My wife says six",
        "My wife says six but I say eight",
        "six. Sorry, eight",
        "six or eight",
        "either six or eight, one of the two",
        "six/eight sides",
        "Between six and eight",
        "Mine is 11, but the official one I'd need to check, six perhaps?",
        "It's six or is it eight?",
        "six, or no, eight",
        "Easy in Latin, hard in French, so in your own mother tongue it is six. Salutations, Bob",
    ],
)
def test_what_may_be_anothers_or_taken_back_is_asked_about(text: str) -> None:
    found = answer_in([text], PROMPT, NAMES)
    assert (found.text, found.is_possible) == ("", True)


@every("text", ["In the dentist's chair, I'll mail you mine", "Sitting in a waiting room, I will send mine from home"])
def test_who_says_when_the_answer_comes_has_not_answered(text: str) -> None:
    assert not answer_in([text], "Which animal jumps?", NAMES).text


def test_more_detail_than_is_asked_comes_off() -> None:
    prompt = "The vowels have been taken out of this capital city: B D P S T."
    assert answer_in(["The capital of Hungary - Budapest."], prompt, NAMES).text == "Budapest"


@every(
    "text",
    [
        "A hopping fella, Kangaroo",
        "Boodapest in their own country and tongue",
        "Ha, that's our Minka. A fat cat, of course!",
        "rock, paper; scissors and then some",
        "My answer is",
        "Saludos to Bob",
        "Hello? Is anybody there?",
        "I would like to ask the host: is a fat cat ok?",
        "I have moved to a new address: bob@new.example",
        "Ich bin bis 30.11. im Urlaub.",
        "Anything but a fat cat",
        "The last one",
        "It's hard",
        "Strange sentence, but I take it you want Fat Cat.",
        "haha rhyme!! we had one near the village, whole town went crazy",
    ],
)
def test_what_has_more_in_it_than_a_name_or_a_thing_or_nothing_of_its_own_is_asked_about(text: str) -> None:
    assert not answer_in([text], "Two words that rhyme", NAMES).text


def test_words_of_the_question_are_an_answer_where_it_names_what_to_choose_from() -> None:
    assert answer_in(["iron"], "Which is heavier, gold or iron?", NAMES).text == "iron"
    assert not answer_in(["iron"], "Which metal is heavier than iron?", NAMES).text


def test_a_label_of_another_choice_is_asked_about() -> None:
    prompt = "Which of these has strings? A) oboe B) viola C) tuba"
    assert answer_in(["B) viola"], prompt, NAMES).text == "viola"
    assert not answer_in(["B) tuba"], prompt, NAMES).text


def test_where_a_question_begins_with_in_an_answer_may() -> None:
    assert answer_in(["in Berlin"], "In which city does it stand?", NAMES).text == "Berlin"
    assert answer_in(["in Berlin"], "Complete the line: my last night ...", NAMES).text == "in Berlin"


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
        "The Who",
    ],
)
def test_an_answer_keeps_what_is_its_own(text: str) -> None:
    assert answer_in([text], "What is it called?", NAMES).text == text


@every(
    ("prompt", "text", "wanted"),
    [
        ("Is Paris in France?", "No.", "no"),
        ("Think well. Was Nero an emperor?", "no", "no"),
        ("Who wrote Hamlet?", "no", ""),
        ("Is Paris in France?", "no idea", ""),
    ],
)
def test_a_no_answers_what_can_be_answered_so(prompt: str, text: str, wanted: str) -> None:
    assert answer_in([text], prompt, NAMES).text == wanted


@every(
    ("text", "wanted"),
    [
        ("twenty-nine", "29"),
        ("it's twenty-two", "22"),
        ("three hundred and sixty-five", "365"),
        ("two hundred and forty", "240"),
        ("six", "six"),
        ("Marks and Spencer", "Marks and Spencer"),
    ],
)
def test_a_number_in_several_words_is_one_in_digits(text: str, wanted: str) -> None:
    assert answer_in([text], PROMPT if wanted != "Marks and Spencer" else "Which shop?", NAMES).text == wanted


@every(
    "lines",
    [
        ["five", "Sorry, six"],
        ["five", "Sorry, it's six"],
        ["five", "sorry, typo: six"],
        ["5 (6)"],
        ["five (it is six)"],
        ["five [no, six]"],
    ],
)
def test_what_a_line_below_or_a_bracket_puts_right_is_asked_about(lines: list[str]) -> None:
    assert answer_in(lines, PROMPT, NAMES).text == ""


def test_an_excuse_below_an_answer_puts_nothing_right() -> None:
    assert answer_in(["six", "Sorry for the delay"], PROMPT, NAMES).text == "six"
