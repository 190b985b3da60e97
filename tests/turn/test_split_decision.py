"""Split Decision by mail: the bank, questions to all, lone answers, the host's judgement, champions and prizes."""

import json
from typing import Any
from urllib.parse import unquote

import pytest
from sqlalchemy import select, update

from host.demo.robot import ReadLetter
from host.engine.game import Entry
from host.games import GAMES
from host.store.episodes import episode_of_code, record_texts
from host.store.people import take_lobby
from host.store.schema import Episode, PremoveRow
from host.table.work import Work
from host.turn import interruptions
from host.turn.question_bank import add_entries, wake_all
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import OPERATOR, Desk, words

ANN, BOB, CLEO = "ann@example.net", "bob@example.net", "cleo@example.net"
EVERYBODY = (ANN, BOB, CLEO)
PARIS = Entry(
    "Which city stands on the Seine, and has a tower of iron that was to be taken down again after twenty years?",
    ("Paris",),
)


@pytest.fixture
def sd(make_desk: MakeDesk) -> Desk:
    return make_desk(game="split-decision")


def fill(desk: Desk, *entries: Entry) -> None:
    with desk.store.transaction() as session:
        add_entries(Work(session, desk.services, desk.now), desk.game, entries)


def record(desk: Desk, code: str = "SD-1") -> list[dict[str, Any]]:
    with desk.store.reading() as session:
        episode = episode_of_code(session, code)
        assert episode is not None
        return [json.loads(text) for text in record_texts(session, episode.id)]


def to_the_first_question(desk: Desk) -> list[str]:
    """Codes, cut, head starts refused; gives the players in the order of the buzz."""

    def tell() -> None:
        desk.begin()
        for address in EVERYBODY:
            desk.answer(address, "random codes" if address != ANN else "random codes, cut 20")
        for _ in range(6):
            address = next(each for each in EVERYBODY if desk.last(each).asks)
            if "refuse" not in desk.last(address).page:
                break
            desk.answer(address, "refuse")

    desk.once("to the first question", tell)
    order = [address for address in EVERYBODY if desk.last(address).asks]
    return order + [address for address in EVERYBODY if address not in order]


def body_lines(letter: ReadLetter) -> list[str]:
    return [line.strip() for line in letter.text.replace("\r\n", "\n").split("\n")]


def test_red_may_send_codes_and_cut_one_after_the_other(sd: Desk) -> None:
    sd.begin()
    begin = sd.last(ANN)
    due = begin.headers["x-podium-reply-by"]
    sd.later(hours=3)
    sd.answer(ANN, "codes random", begin)
    assert sd.last(ANN).kind == "turn"
    assert sd.last(ANN).headers["x-podium-reply-by"] == due
    sd.answer(ANN, "codes random", begin)
    assert sd.last(ANN).kind == "refused"
    sd.answer(ANN, "cut 20", begin)
    assert not sd.last(ANN).asks
    assert [line["say"] for line in record(sd)] == ["codes random", "cut 20"]


def test_codes_wrapped_over_lines_by_the_mail_program_are_one_list(sd: Desk) -> None:
    sd.begin()
    numbers = [str(3 * each + 1) for each in range(30)]
    wrapped = "codes " + " ".join(numbers[:14]) + "\n" + " ".join(numbers[14:27]) + "\n" + " ".join(numbers[27:])
    sd.answer(BOB, wrapped)
    assert record(sd)[0]["say"] == "codes " + " ".join(numbers)


def test_the_bank_puts_a_question_to_everybody_in_the_round(sd: Desk) -> None:
    fill(sd, PARIS)
    nearest, *others = to_the_first_question(sd)
    asked = sd.last(nearest)
    assert asked.asks
    assert "answer%20" in asked.page
    for address in EVERYBODY:
        text = body_lines(sd.last(address))
        start = next(at for at, line in enumerate(text) if line.startswith("Which city stands"))
        assert " ".join(text[start : start + 2]) == PARIS.ask
        assert "Target" in words(sd.last(address)) or address == nearest
    for address in others:
        assert not sd.last(address).asks
        assert sd.last(address).kind == "news"
    lines = record(sd)
    assert lines[-1] == {"from": "host", "say": f"ask {PARIS.ask} = Paris"}


def test_no_letter_gives_away_the_answer_or_a_question_to_come(sd: Desk) -> None:
    other = Entry("What comes after the question before it?", ("Timbuktu",))
    fill(sd, PARIS, other)
    to_the_first_question(sd)
    for _, letter, _ in sd.sent:
        assert "Paris" not in letter.text + letter.page
        assert other.ask not in letter.text


def test_an_answer_beside_a_plea_for_time_is_asked_about(sd: Desk) -> None:
    fill(sd, PARIS)
    nearest, *_ = to_the_first_question(sd)
    sd.answer(nearest, "Paris. Can I have two more days for the next one?")
    assert "I read this as “answer Paris”. Is that right?" in words(sd.last(nearest))
    assert "two more days" in words(sd.last(OPERATOR))


def test_what_was_judged_is_not_said_to_be_undone(sd: Desk) -> None:
    fill(sd, PARIS)
    nearest, *_ = to_the_first_question(sd)
    sd.answer(nearest, "Paris")
    for text in ("no thanks to you", "hold on, I meant Rome"):
        sd.answer(nearest, text)
        assert "takes it back" not in words(sd.last(nearest))


def test_a_lone_line_is_the_answer_and_two_lines_are_asked_about(sd: Desk) -> None:
    fill(sd, PARIS)
    nearest, *_ = to_the_first_question(sd)
    sd.answer(nearest, "London\nor is it Rome")
    assert sd.last(nearest).kind == "refused"
    assert "Is that right?" in words(sd.last(nearest))
    sd.answer(nearest, "I think it's Paris!")
    assert record(sd)[-1]["say"] == "answer Paris"
    assert "$100" in words(sd.last(nearest))


def test_a_signature_under_an_answer_is_no_second_line(sd: Desk) -> None:
    fill(sd, PARIS)
    nearest, *_ = to_the_first_question(sd)
    sd.answer(nearest, f"Paris\n\n{nearest.partition('@')[0].title()}")
    assert record(sd)[-1]["say"] == "answer Paris"


def test_an_answer_sent_ahead_counts_if_the_question_comes_to_its_sender(sd: Desk) -> None:
    fill(sd, PARIS)
    nearest, second, third = to_the_first_question(sd)
    sd.answer(second, "Paris")
    sd.answer(third, "Paris")
    assert "Sent ahead, seen by you alone: answer Paris." in words(sd.last(second))
    sd.answer(nearest, "answer London")
    said = [line["say"] for line in record(sd) if line.get("from") != "host"]
    assert said[-2:] == ["answer London", "answer Paris"]
    assert len([each for each in said if each == "answer Paris"]) == 1
    dropped = " ".join(words(letter) for address in (second, third) for letter in sd.letters(address)[-1:])
    assert "was dropped" in dropped or "was played" in dropped


def test_without_a_question_the_host_is_asked_and_the_episode_waits(sd: Desk) -> None:
    to_the_first_question(sd)
    alert = next(letter for letter in reversed(sd.letters(OPERATOR)) if letter.links)
    assert alert.kind == "alert"
    assert alert.links[0].endswith("body=ask%20")
    assert not any(sd.last(address).asks for address in EVERYBODY)
    sd.later(hours=100)
    sd.tick()
    assert not any("timeout" in line for line in record(sd))
    sd.answer(OPERATOR, "ask Two and two? = four | 4", alert)
    assert record(sd)[-1] == {"from": "host", "say": "ask Two and two? = four | 4"}
    assert any(sd.last(address).asks for address in EVERYBODY)
    sd.answer(OPERATOR, "ask Three and three? = six", alert)
    assert "is settled" in words(sd.letters(OPERATOR)[-1])
    assert record(sd)[-1]["say"] == "ask Two and two? = four | 4"


def test_an_import_wakes_an_episode_that_waits(sd: Desk) -> None:
    to_the_first_question(sd)
    assert not any(sd.last(address).asks for address in EVERYBODY)
    fill(sd, PARIS)
    wake_all(sd.services, sd.game, sd.now)
    sd.send()
    assert record(sd)[-1]["say"] == f"ask {PARIS.ask} = Paris"
    assert any(sd.last(address).asks for address in EVERYBODY)


def test_a_near_answer_goes_to_the_host_with_two_links(sd: Desk) -> None:
    fill(sd, Entry("Which animal has a trunk?", ("elephant",)))
    nearest, *_ = to_the_first_question(sd)
    sd.answer(nearest, "answer elephan")
    alert = next(letter for letter in reversed(sd.letters(OPERATOR)) if letter.links)
    assert [link.rpartition("body=")[2] for link in alert.links] == ["right", "wrong"]
    assert "elephan" in words(alert)
    assert "elephant" in words(alert)
    for address in EVERYBODY:
        assert "elephant" not in words(sd.last(address))
    sd.tap(OPERATOR, "right")
    assert record(sd)[-1] == {"from": "host", "say": "right"}


def test_a_long_question_of_the_bank_is_put_like_any_other(sd: Desk) -> None:
    long = Entry(f"Which word is missing here? {'lorem ' * 200}".strip(), ("ipsum",))
    fill(sd, long)
    nearest, *_ = to_the_first_question(sd)
    assert sd.last(nearest).asks
    assert record(sd)[-1] == {"from": "host", "say": f"ask {long.ask} = ipsum"}


@pytest.mark.storm
def test_a_warning_comes_when_few_questions_are_left(sd: Desk) -> None:
    fill(sd, *(Entry(f"Question number {number}?", ("yes",)) for number in range(30)))
    to_the_first_question(sd)
    warnings = [letter for letter in sd.letters(OPERATOR) if "has only 29 questions left" in words(letter)]
    assert len(warnings) == 1


@pytest.mark.storm
def test_a_question_is_not_put_again_to_somebody_who_saw_it(sd: Desk) -> None:
    fill(sd, PARIS, Entry("Two and two?", ("four",)))
    nearest, second, third = to_the_first_question(sd)
    for address in (nearest, second, third):
        sd.answer(address, "skip")
    asks = [line["say"] for line in record(sd) if line.get("from") == "host"]
    assert asks == [f"ask {PARIS.ask} = Paris", "ask Two and two? = four"]


def test_a_line_under_an_answer_is_no_part_of_it(sd: Desk) -> None:
    fill(sd, PARIS)
    nearest, *_ = to_the_first_question(sd)
    sd.answer(nearest, "answer Paris\nMy wife helped")
    assert {"from": nearest.partition("@")[0].title(), "say": "answer Paris"} in record(sd)


def test_after_a_dry_row_the_nearest_takes_control_and_knew_of_it_before(make_desk: MakeDesk) -> None:
    desk = make_desk(game="split-decision", games={"split-decision": {"options": {"dry": 1}}})
    fill(desk, PARIS)
    nearest, *others = to_the_first_question(desk)
    assert any(
        "In this episode: control to the nearest after 1 questions in a row that nobody gets right." in words(each)
        for each in desk.letters(nearest)
    )
    assert "If nobody gets it, you take control, unpaid." in words(desk.last(nearest))
    for _ in EVERYBODY:
        desk.answer(next(each for each in EVERYBODY if desk.last(each).asks), "skip")
    told = words(desk.last(nearest))
    assert "Nobody had known an answer, so you, the nearest still in the round, took control, unpaid." in told
    assert desk.last(nearest).asks
    name = nearest.partition("@")[0].title()
    for address in others:
        assert any(f"If nobody gets it, {name} takes control, unpaid." in words(each) for each in desk.letters(address))


@pytest.mark.storm
def test_the_host_who_judges_is_told_of_a_dry_row_too(make_desk: MakeDesk) -> None:
    desk = make_desk(game="split-decision", games={"split-decision": {"options": {"dry": 1, "judge": "host"}}})
    fill(desk, PARIS)
    nearest, *_ = to_the_first_question(desk)
    for text in ("skip", "skip", "answer Pariss"):
        desk.answer(next(address for address in EVERYBODY if desk.last(address).asks), text)
    name = nearest.partition("@")[0].title()
    assert f"nobody is left to try it, and {name} takes control, unpaid." in words(desk.letters(OPERATOR)[-1])


@pytest.mark.parametrize("text", a_few(["not right", "no way!"]))
def test_the_host_is_asked_in_words_that_no_yes_turns_round(make_desk: MakeDesk, text: str) -> None:
    desk = make_desk(game="split-decision", games={"split-decision": {"options": {"judge": "host"}}})
    fill(desk, PARIS)
    nearest, *_ = to_the_first_question(desk)
    desk.answer(nearest, "answer Lyon")
    judging = desk.letters(OPERATOR)[-1]
    desk.answer(OPERATOR, text, judging)
    told = words(desk.letters(OPERATOR)[-1])
    if "the host said wrong" not in told:
        assert "Write wrong" in told
        assert "Is that right?" not in told


@pytest.mark.parametrize("title", a_few(["Call Me Maybe", "Yes Please", "Help, please", "Genesis (band)"]))
def test_an_answer_behind_its_word_is_text_to_the_end_of_the_line(sd: Desk, title: str) -> None:
    fill(sd, Entry("Which title?", (title,)), PARIS)
    nearest, *_ = to_the_first_question(sd)
    sd.answer(nearest, f"answer {title}")
    assert any(line.get("say") == f"answer {title}" for line in record(sd))
    assert not any(each.kind == "alert" and "counts as right" in words(each) for each in sd.letters(OPERATOR))


@pytest.mark.storm
def test_a_year_in_words_behind_its_word_is_that_year(sd: Desk) -> None:
    fill(sd, Entry("In which year did the Wall fall?", ("1989",)), PARIS)
    nearest, *_ = to_the_first_question(sd)
    sd.answer(nearest, "answer nineteen eighty-nine")
    assert any(line.get("say") == "answer 1989" for line in record(sd))


def test_a_right_answer_among_other_words_goes_to_the_host_in_a_new_episode(sd: Desk) -> None:
    fill(sd, PARIS, Entry("Two and two?", ("four",)))
    nearest, *_ = to_the_first_question(sd)
    sd.answer(nearest, "answer Paris, France")
    asked = words(sd.letters(OPERATOR)[-1])
    assert "said “Paris, France”. What counts as right: “Paris”." in asked
    sd.answer(nearest, "status")
    assert not any("In this episode" in words(letter) for letter in sd.letters(nearest))


@pytest.mark.storm
def test_the_host_may_name_another_judge_and_the_contestants_are_told(make_desk: MakeDesk) -> None:
    desk = make_desk(game="split-decision", games={"split-decision": {"options": {"judge": "near"}}})
    fill(desk, PARIS, Entry("Two and two?", ("four",)))
    nearest, *_ = to_the_first_question(desk)
    assert any(
        "In this episode: answers judged by the rule “near” (write rules judge)." in words(each)
        for each in desk.letters(nearest)
    )
    desk.answer(nearest, "answer Paris, France")
    assert "answered “Paris, France”, which is wrong." in words(desk.last(nearest))


@pytest.mark.storm
def test_a_new_episode_has_dry_rows_and_its_letters_do_not_call_that_unusual(sd: Desk) -> None:
    fill(sd, *(Entry(f"Question number {number}?", ("yes",)) for number in range(2)))
    for address in to_the_first_question(sd):
        sd.answer(address, "skip")
    assert not any("In this episode" in words(letter) for letter in sd.letters(ANN))
    with sd.store.reading() as session:
        episode = episode_of_code(session, "SD-1")
        assert episode is not None
        assert episode.rules_version == GAMES["split-decision"].version
        assert episode.state["in_vain"] == 1


def test_an_episode_of_before_there_were_dry_rows_goes_on_without_them(sd: Desk) -> None:
    fill(sd, *(Entry(f"Question number {number}?", ("yes",)) for number in range(2)))
    order = to_the_first_question(sd)
    with sd.store.transaction() as session:
        episode = episode_of_code(session, "SD-1")
        assert episode is not None
        state = {name: value for name, value in episode.state.items() if name != "in_vain"}
        state["options"] = {name: value for name, value in state["options"].items() if name != "dry"}
        session.execute(update(Episode).values(state=state, options={"champion_wins": 0}, rules_version=1))
    assert interruptions.pause_changed_games(sd.services, sd.now) == 0
    for address in order:
        sd.answer(address, "skip")
    assert [line["say"] for line in record(sd)][-4:] == ["skip", "skip", "skip", "ask Question number 1? = yes"]
    with sd.store.reading() as session:
        episode = episode_of_code(session, "SD-1")
        assert episode is not None
        assert (episode.rules_version, episode.paused_at, episode.state["options"]["dry"]) == (1, None, 0)


@pytest.mark.storm
def test_the_champions_wins_stand_in_the_header(make_desk: MakeDesk) -> None:
    desk = make_desk(game="split-decision")
    desk.begin()
    with desk.store.transaction() as session:
        episode = episode_of_code(session, "SD-1")
        assert episode is not None
        assert episode.options == {"dry": 12, "judge": "fair", "champion_wins": 0}
    for address in (BOB, CLEO):
        desk.answer(address, "resign")
        desk.answer(address, "resign yes")
    desk.answer(ANN, "codes random, cut 5")
    for _ in range(60):
        letter = desk.last(ANN)
        if letter.kind == "result":
            break
        desk.later(hours=50)
        desk.tick()
    assert desk.last(ANN).kind == "result"
    with desk.store.reading() as session:
        assert take_lobby(session, "split-decision").champion_wins == 1


@pytest.mark.parametrize(("wins", "retires"), a_few([(4, True), (3, False)]))
def test_a_fifth_win_retires_the_champion(make_desk: MakeDesk, wins: int, retires: bool) -> None:
    desk = make_desk(game="split-decision")
    for address, name in ((ANN, "Ann Lee"), (BOB, "Bob Ray")):
        desk.register(address, name)
    with desk.store.transaction() as session:
        lobby = take_lobby(session, "split-decision")
        from host.store.people import contestant_of_address, queue_of

        ann = contestant_of_address(session, ANN)
        assert ann is not None
        lobby.champion_id, lobby.champion, lobby.champion_wins = ann.id, ann, wins
        queue_of(session, "split-decision")[0].state = "played"
    desk.register(CLEO, "Cleo Fox")
    desk.register("dov@example.net", "Dov Orr") if desk.last(ANN).kind != "begin" else None
    with desk.store.reading() as session:
        episode = episode_of_code(session, "SD-1")
        assert episode is not None
        assert episode.options["champion_wins"] == wins
    for address in (BOB, CLEO):
        desk.answer(address, "resign")
        desk.answer(address, "resign yes")
    desk.answer(ANN, "codes random, cut 5")
    for _ in range(20):
        if desk.last(ANN).kind == "result":
            break
        desk.later(hours=50)
        desk.tick()
    with desk.store.reading() as session:
        lobby = take_lobby(session, "split-decision")
        assert (lobby.champion_id is None) == retires
        assert lobby.champion_wins == (0 if retires else wins + 1)
    assert ("retired" in words(desk.last(ANN))) == retires


@pytest.mark.storm
def test_the_consolation_prize_is_told_and_the_host_hears_of_it(make_desk: MakeDesk) -> None:
    games = {"split-decision": {"prizes": {"consolation": "a mug with a devil on it"}}}
    desk = make_desk(game="split-decision", games=games)
    desk.begin()
    for address in (BOB, CLEO):
        desk.answer(address, "resign")
        desk.answer(address, "resign yes")
    desk.answer(ANN, "codes random, cut 5")
    for _ in range(20):
        if desk.last(ANN).kind == "result":
            break
        desk.later(hours=50)
        desk.tick()
    alerts = [words(letter) for letter in desk.letters(OPERATOR)]
    winners = [address for address in EVERYBODY if "You get the consolation prize" in words(desk.last(address))]
    assert bool(winners) == any("a mug with a devil on it" in text for text in alerts)


def sealed(desk: Desk) -> list[str]:
    with desk.store.reading() as session:
        return [row.text for row in session.scalars(select(PremoveRow)) if row.state == "waiting"]


def test_a_question_is_put_to_all_who_may_come_to_it_in_one_letter_each(sd: Desk) -> None:
    """They may answer at once, sealed; their clock does not run before their turn."""
    fill(sd, PARIS)
    nearest, second, third = to_the_first_question(sd)
    for address in (second, third):
        letter = sd.last(address)
        assert letter.kind == "news"
        assert PARIS.ask in " ".join(words(letter).split())
        assert "nobody sees it before your turn comes" in words(letter)
        assert "x-podium-reply-by" not in letter.headers
        assert any(link.endswith("answer%20") for link in letter.links)
    assert sd.last(nearest).kind == "turn"


def test_who_waits_hears_the_others_first(sd: Desk) -> None:
    """A word for that is no answer, and takes back one that is sealed; of two sealed the last counts."""
    fill(sd, PARIS)
    _, second, third = to_the_first_question(sd)
    before = len(sd.letters(third))
    sd.answer(third, "wait")
    assert len(sd.letters(third)) == before
    sd.answer(second, "answer Rome")
    sd.answer(second, "answer Paris")
    assert sealed(sd) == ["answer Paris"]
    sd.answer(second, "I'll wait for the others")
    assert "Your answer is taken back" in words(sd.last(second))
    assert sealed(sd) == []


def test_who_is_asked_what_they_meant_and_has_no_deadline_reads_of_none(sd: Desk) -> None:
    fill(sd, PARIS)
    _, second, _ = to_the_first_question(sd)
    sd.answer(second, "answer harp")
    sd.answer(second, "Actually, make that a cello")
    asked = sd.last(second)
    assert asked.text.startswith("I read this as “answer a cello”.")
    assert "Until then nothing is played." in words(asked)
    assert "your time runs on" not in asked.page


def test_what_becomes_of_a_card_comes_with_the_answer(sd: Desk) -> None:
    fill(sd, PARIS)
    nearest, _, _ = to_the_first_question(sd)
    sd.answer(nearest, "high 8 or more, low 7 or less, else discard\nanswer Paris")
    said = [line["say"] for line in record(sd) if line.get("from") == nearest.partition("@")[0].title()]
    assert said[said.index("answer Paris") + 1] in ("high", "low", "discard")


@pytest.mark.parametrize("word", a_few(["History", "time", "bank", "standings"]))
def test_a_word_alone_that_is_a_service_is_one_and_says_how_it_would_be_the_answer(sd: Desk, word: str) -> None:
    fill(sd, PARIS)
    nearest, *_ = to_the_first_question(sd)
    before = record(sd)
    assert sd.answer(nearest, word).state == "answered"
    assert record(sd) == before
    assert f"If that was your answer, write answer {word}." in words(sd.last(nearest))
    sd.answer(nearest, f"answer {word}")
    assert record(sd)[-1]["say"] == f"answer {word}"


@pytest.mark.parametrize(
    ("word", "told"),
    a_few(
        [
            ("Mine", "for example with “answer” or “skip”"),
            ("leave", "Do you really want to resign?"),
            ("forget me", "Shall I forget you?"),
        ]
    ),
)
def test_a_service_with_a_letter_of_its_own_brings_no_second_one(sd: Desk, word: str, told: str) -> None:
    fill(sd, PARIS)
    nearest, *_ = to_the_first_question(sd)
    before = len(sd.letters(nearest))
    sd.answer(nearest, word)
    (letter,) = sd.letters(nearest)[before:]
    assert told in words(letter)


@pytest.mark.parametrize("word", a_few(["Private", "Public"]))
def test_a_word_alone_that_changes_what_all_see_is_offered_as_the_answer(sd: Desk, word: str) -> None:
    fill(sd, PARIS)
    nearest, *_ = to_the_first_question(sd)
    before = record(sd)
    sd.answer(nearest, word)
    assert f"I read this as “answer {word}”. Is that right?" in words(sd.last(nearest))
    assert record(sd) == before
    sd.answer(nearest, "yes")
    assert record(sd)[-1]["say"] == f"answer {word}"


@pytest.mark.parametrize(
    "text", a_few(["answer Rome\nsorry, I mean Paris", "answer Rome\nmake that Paris", "Rome\nno wait, Paris"])
)
def test_of_an_answer_that_the_next_line_takes_back_nothing_counts_and_the_later_is_offered_first(
    sd: Desk, text: str
) -> None:
    fill(sd, PARIS)
    nearest, *_ = to_the_first_question(sd)
    before = record(sd)
    sd.answer(nearest, text)
    assert record(sd) == before
    assert [unquote(each.partition("body=")[2]) for each in sd.last(nearest).links][:2] == [
        "answer Paris",
        "answer Rome",
    ]


@pytest.mark.parametrize(
    "text", a_few(["answer Paris\nSorry for the late reply", "answer Paris\nsorry it took so long"])
)
def test_an_excuse_behind_an_answer_takes_nothing_back(sd: Desk, text: str) -> None:
    fill(sd, PARIS)
    nearest, *_ = to_the_first_question(sd)
    sd.answer(nearest, text)
    assert record(sd)[-1]["say"] == "answer Paris"


def test_who_waits_for_a_question_of_the_host_hears_that(sd: Desk) -> None:
    sd.begin()
    for address in EVERYBODY:
        sd.answer(address, "random codes" if address != ANN else "random codes, cut 20")
    for _ in range(6):
        address = next((each for each in EVERYBODY if sd.last(each).asks and "refuse" in sd.last(each).page), "")
        if address:
            sd.answer(address, "refuse")
    sd.answer(BOB, "time")
    assert "It is up to the host, for whom no time runs." in words(sd.last(BOB))
