"""Reading a mail whole: what goes over several lines or clauses."""

import pytest

from tests.play.judging import offered, plan
from tests.rows import every

ARMIES = "deploy Ks Td 6h Ad 5s 4h"


@pytest.mark.parametrize(
    "text",
    ["Ks 10d 6h / Ad 5s 4h", "K♠ 10♦ 6♥\nA♦ 5♠ 4♥", "Ks Td 6h\n\nAd 5s 4h\n\nThanks!", "deploy Ks Td 6h / Ad 5s 4h"],
)
def test_a_command_may_stand_in_several_pieces(text: str) -> None:
    assert plan("game-of-champions-deploy-1", text) == (ARMIES,)


@pytest.mark.parametrize("text", ["Ks Td 6h no Ad 5s 4h", "Ks Td 6h?\nAd 5s 4h?", "Ks Td 6h or Ad 5s 4h"])
def test_pieces_that_words_set_against_each_other_are_no_command(text: str) -> None:
    assert plan("game-of-champions-deploy-1", text) == ()


@pytest.mark.parametrize("text", ["max", "the max", "max. no fear"])
def test_a_value_that_is_a_first_name_too_is_a_value(text: str) -> None:
    assert plan("champion-poker-bet-1", text)[0].startswith("bet ")


def test_a_first_name_below_a_command_is_its_writers() -> None:
    assert plan("champion-poker-bet-1", "bet 5\n\nMax") == ("bet 5",)


def test_a_first_name_alone_is_asked_about() -> None:
    assert plan("champion-poker-bet-1", "Max") == ()


@every(
    ("name", "text", "wanted"),
    [
        ("champion-poker-raise-3", "another hundred", "raise"),
        ("champion-poker-raise-2", "+5", "raise"),
        ("champion-poker-raise-1", "I'll put in the 7 more", "raise"),
        ("champion-poker-play-4", "fine, 52 more. It's payday", "play"),
        ("champion-poker-play-1", "11 it is", "play"),
        ("bluffjack-bet-2", "I'll match her 20, nothing more", "call"),
        ("bluffjack-bet-3", "I'll pay Bob's 190", "call"),
        ("bluffjack-bet-3", "I'll put in everything I have left.", "call"),
    ],
)
def test_what_a_move_costs_names_it(name: str, text: str, wanted: str) -> None:
    assert plan(name, text) == (wanted,)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("champion-poker-raise-3", "Is it another hundred?"),
        ("bluffjack-bet-2", "20 lol, what a game"),
        ("bluffjack-card-1", "OMG 21!!"),
        ("bluffjack-bet-3", "everything is fine"),
        ("bluffjack-bet-3", "It is nearly all I have left."),
    ],
)
def test_a_figure_that_pays_for_nothing_is_no_move(name: str, text: str) -> None:
    assert plan(name, text) == ()


@every(
    "text",
    [
        *("26, 9", "26 and then card no. 9", "26. Number 9", "26, then card no. 9"),
        *("cut 26, number nine", "Take 26 off the top, and for my first card I'd like number nine."),
        *(
            "Cut it in half, and my first card: bottom right, number 9",
            "Cut in half, then I turn the bottom right one, 9",
        ),
    ],
)
def test_two_values_are_the_two_answers_that_the_letter_shows(text: str) -> None:
    assert plan("champ-cards-cut-1", text) == ("cut 26", "pick 9")


@pytest.mark.parametrize("text", ["26 or 9", "26? 9?", "26, no, 9", "26, no 9", "26, 9, 7", "cut 26. 31"])
def test_two_values_at_odds_are_asked_about(text: str) -> None:
    assert plan("champ-cards-cut-1", text) == ()


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("champion-poker-raise-3", "I won't raise this one", "check"),
        ("champion-poker-play-1", "I'm not folding", "play"),
        ("champ-cards-offer-1", "I don't accept", "decline"),
        ("champion-poker-raise-3", "I'd rather not add anything", "check"),
        ("bluffjack-card-1", "I won't take a card", "stand"),
        ("bluffjack-card-1", "I had better leave it alone", "stand"),
        ("champ-cards-choose-1", "I shall hang on to it", "keep"),
    ],
)
def test_a_no_to_one_of_two_moves_is_the_other(name: str, text: str, wanted: str) -> None:
    assert plan(name, text) == (wanted,)


@every(
    ("name", "text"),
    [
        ("champion-poker-raise-3", "I never raise with rubbish"),
        ("champion-poker-raise-3", "He won't raise"),
        ("champion-poker-raise-3", "Maybe I won't raise"),
        ("champion-poker-raise-3", "I don't do anything on Sundays"),
        ("bluffjack-card-1", "I can't stand this"),
        ("champion-poker-play-1", "No play today"),
        ("champion-poker-play-1", "I need one more coffee"),
        ("bluffjack-bet-2", "Call me at 8 pm"),
        ("bluffjack-bet-1", "I won't fold"),
    ],
)
def test_a_no_that_leaves_more_open_is_asked_about(name: str, text: str) -> None:
    assert plan(name, text) == ()


@pytest.mark.parametrize(
    "behind",
    ["If it goes wrong I'm blaming my brother.", "If it's a queen I shall tell everybody.", "If we lose, we lose."],
)
def test_a_sentence_on_what_may_come_is_no_condition(behind: str) -> None:
    assert plan("champ-cards-pick-1", f"Pick 5. {behind}") == ("pick 5",)


@pytest.mark.parametrize(
    "behind",
    ["If it's a queen, 7.", "If I have 17 or more don't bother.", "If you can, take 6.", "if it is gone then 6"],
)
def test_a_sentence_that_says_what_else_to_do_is_asked_about(behind: str) -> None:
    assert plan("champ-cards-pick-1", f"Pick 5. {behind}") == ()


@pytest.mark.parametrize("text", ["chk", "chck", "CHK"])
def test_a_word_without_vowels_is_read(text: str) -> None:
    assert plan("champion-poker-raise-1", text) == ("check",)


CHOSEN = ("choose 3 7 11 15",)


@pytest.mark.parametrize(
    "text",
    [
        "Their birthdays: 3, 7, 11 and 15.",
        "Here are mine: 3, 7, 11, 15 please",
        "I looked at the moon and it said nothing, so: 3, 7, 11 and 15",
    ],
)
def test_a_whole_list_is_the_answer_whatever_leads_to_it(text: str) -> None:
    assert plan("split-decision-choose-1", text) == CHOSEN


@pytest.mark.parametrize(
    "text",
    [
        "Not 3, 7, 11 or 15",
        "3, 7, 11, 15 is what they took",
        "The numbers 3, 7, 11 and 15 are unlucky",
        "I picked 3, 7, 11 and 15 last time",
        "We have 3 cats, 7 hens, 11 cows and 15 ducks",
        "3, 7, 11 and 15? Or 2?",
    ],
)
def test_a_list_of_which_more_is_told_is_asked_about(text: str) -> None:
    assert plan("split-decision-choose-1", text) == ()


@every(
    ("name", "text", "wanted"),
    [
        ("game-of-champions-order-1", "The 5 goes first. After it the 8, and the 6 closes.", ("order 5c 8c 6s",)),
        ("game-of-champions-order-1", "6s 5c first as they die anyway. Next 8c", ("order 6s 5c 8c",)),
        ("game-of-champions-order-1", "6s 5c. The 8 first.", ()),
        ("game-of-champions-order-1", "6s, 5c, 8c first", ()),
        ("game-of-champions-order-1", "6s and 5c, after the 8", ()),
        ("game-of-champions-order-1", "I have 6s, 5c. And 8c", ()),
        ("game-of-champions-roshambo-1", "stone and after that stone again", ("throw rock rock",)),
        (
            "game-of-champions-roshambo-1",
            "first paper, if tied then rock, if tied again paper",
            ("throw paper rock paper",),
        ),
        ("game-of-champions-roshambo-1", "paper, if it isn't a tie rock", ()),
        (
            "game-of-champions-roshambo-1",
            "throw rock; throw paper; throw rock",
            ("throw rock", "throw paper", "throw rock"),
        ),
        ("game-of-champions-roshambo-1", "throw rock\nthrow rock", ()),
        ("game-of-champions-battle-1", "continue; continue 2", ("continue", "continue 2")),
        ("game-of-champions-battle-1", "continue, two flips", ("continue 2",)),
    ],
)
def test_what_is_put_in_a_row(name: str, text: str, wanted: tuple[str, ...]) -> None:
    assert plan(name, text) == wanted


@every(
    ("name", "text", "first"),
    [
        ("bluffjack-card-1", "hit, then hit, then stand", "hit, hit, stand"),
        ("bluffjack-card-1", "hit\nhit", "hit, hit"),
        ("bluffjack-bet-1", "check, hit, hit", "check, hit, hit"),
        ("game-of-champions-battle-1", "continue, continue", "continue, continue"),
        ("game-of-champions-roshambo-1", "throw rock, throw rock", "throw rock rock"),
    ],
)
def test_the_same_twice_is_asked_about_as_it_is_written(name: str, text: str, first: str) -> None:
    assert plan(name, text) == ()
    assert offered(name, text)[0] == first


@every(
    ("name", "text", "wanted"),
    [
        ("game-of-champions-battle-1", "Two flips. I need a nine.", ("continue 2",)),
        ("champ-cards-pick-1", "The 4, fingers crossed for an ace or a two", ("pick 4",)),
        ("champ-cards-pick-1", "The 4. I need 8", ()),
        ("split-decision-choose-1", "3, 7, 11 and 15\nhope that's all of them", CHOSEN),
        ("split-decision-choose-1", "3, 7, 11 and 15. That makes four of them if I can count.", CHOSEN),
        ("split-decision-no-peek-1", "To red, with my compliments", ("pass red",)),
        ("champ-cards-cut-1", "cut 7. First card I turn: the one in the centre", ()),
        ("champ-cards-pick-1", "The 4, gets me to 14", ("pick 4",)),
        ("champ-cards-pick-1", "4, and may it be a seven!", ("pick 4",)),
        ("champ-cards-cut-1", "a dozen off the top", ("cut 12",)),
        ("champ-cards-cut-1", "cut two dozen", ("cut 24",)),
        ("champion-poker-bet-1", "I'm trailing. 50.", ("bet 50",)),
        ("bluffjack-bet-1", "all in, all my 40", ("raise all",)),
    ],
)
def test_what_is_hoped_counted_or_wished_beside_a_move(name: str, text: str, wanted: tuple[str, ...]) -> None:
    assert plan(name, text) == wanted


@every(
    ("name", "text"),
    [
        ("champion-poker-bet-1", "20, and whatever I'm dealt I go along with it"),
        ("champion-poker-play-1", "I play, and once the dealer's cards are up I don't add anything"),
        ("champion-poker-play-1", "Play. Once the dealer has turned his over put five more"),
        ("champ-cards-pick-1", "pick 5, and I keep him this time"),
        ("game-of-champions-turn-1", "I sell the jack of spades and then fortify"),
    ],
)
def test_a_move_for_later_or_before_it_in_other_words_is_not_passed_over(name: str, text: str) -> None:
    assert plan(name, text) == ()


@every(
    ("name", "text", "wanted"),
    [
        ("champion-poker-play-1", "play. You only live once", ("play",)),
        ("champ-cards-pick-1", "pick 5, and I'll keep it", ("pick 5", "keep")),
        ("champ-cards-pick-1", "pick 5. I kept the last one", ("pick 5",)),
        ("game-of-champions-turn-1", "Nice game. Then I fortify", ("fortify",)),
    ],
)
def test_what_only_sounds_like_another_move_changes_nothing(name: str, text: str, wanted: tuple[str, ...]) -> None:
    assert plan(name, text) == wanted


@every(
    ("name", "text", "wanted"),
    [
        ("champion-poker-raise-1", "I'd be daft to raise with a six high, so check.", ("check",)),
        ("bluffjack-bet-1", "I never fold, so call", ("call",)),
        ("bluffjack-bet-1", "My wife says raise, so call", ()),
        ("bluffjack-bet-1", "Maybe raise, so call", ()),
        ("champ-cards-offer-1", "250 more isn't worth it, decline", ("decline",)),
        ("champ-cards-cut-1", "Please put 31 cards to the bottom.", ("cut 31",)),
        ("champ-cards-cut-1", "take the top 12 off", ("cut 12",)),
        ("split-decision-setup-1", "You draw the numbers for me please and cut 33", ("codes random", "cut 33")),
    ],
)
def test_what_leads_to_a_move(name: str, text: str, wanted: tuple[str, ...]) -> None:
    assert plan(name, text) == wanted


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("game-of-champions-place-2", "J", "place Js"),
        ("game-of-champions-place-1", "the black jack", "place Jc"),
        ("game-of-champions-place-1", "to the diamond jack please", "place Jd"),
        ("game-of-champions-place-1", "Put the 3 with my ace", "place Ad"),
        ("game-of-champions-turn-1", "Ks on Kd", "attack Ks Kd"),
        ("split-decision-no-peek-1", "pass", "pass blue"),
    ],
)
def test_what_only_one_command_can_be_is_that_command(name: str, text: str, wanted: str) -> None:
    assert plan(name, text) == (wanted,)


@pytest.mark.parametrize(
    "text", ["the queen", "Regards,\nK", "Mr. J", "J?", "not the black jack", "the red queen or the ace"]
)
def test_what_may_be_another_or_a_name_is_asked_about(text: str) -> None:
    assert plan("game-of-champions-place-1", text) == ()


@every(
    ("name", "text"),
    [
        ("champ-cards-pick-1", "one more card"),
        ("champ-cards-pick-1", "choose one for me"),
        ("champ-cards-choose-1", "it stays there"),
        ("champ-cards-choose-1", "let it lie"),
        ("champ-cards-choose-1", "keep it on the board"),
        ("champ-cards-offer-1", "too good to refuse"),
        ("bluffjack-card-1", "too good to stand"),
        ("bluffjack-card-1", "I'm afraid to hit"),
        ("bluffjack-card-1", "No more letters please"),
        ("bluffjack-bet-1", "I am on a call right now"),
        ("bluffjack-bet-1", "it's your call"),
        ("bluffjack-bet-1", "Let me check my cards"),
        ("bluffjack-bet-1", "put me all in"),
        ("champion-poker-play-1", "too good to fold"),
        ("champion-poker-play-1", "play it safe"),
        ("champion-poker-bet-1", "10, no blind"),
        ("game-of-champions-order-1", "Td last, 8h first"),
        ("bluffjack-bet-1", "call, just kidding"),
        ("bluffjack-bet-1", "fold. NOT."),
        ("bluffjack-bet-1", "folding is for cowards"),
        ("bluffjack-bet-1", "thinking of folding"),
        ("bluffjack-card-1", "I don't have to hit"),
        ("bluffjack-card-1", "one more beer please"),
        ("bluffjack-card-1", "I would hit but I'm at 22"),
        ("champ-cards-pick-1", "one moment"),
        ("champ-cards-pick-1", "where is 5"),
        ("champ-cards-pick-1", "any but 5"),
        ("champ-cards-offer-1", "please accept my apologies"),
        ("split-decision-setup-1", "random, 26"),
    ],
)
def test_what_may_mean_the_opposite_or_another_is_asked_about(name: str, text: str) -> None:
    assert plan(name, text) == ()


@every(
    ("name", "text"),
    [
        ("bluffjack-card-1", "Hit. Better not."),
        ("bluffjack-card-1", "Hit me. No no. I don't think so."),
        ("bluffjack-card-1", "Hit. Please don't."),
        ("champ-cards-choose-1", "Keep it... hmm. I do not want it."),
        ("champ-cards-choose-1", "Draw. I won't."),
        ("champ-cards-pick-1", "5. Never mind."),
        ("champ-cards-offer-1", "Accept. I meant the opposite."),
        ("champion-poker-play-1", "Play. That's wrong."),
        ("split-decision-peek-1", "Low. It can go away."),
        ("split-decision-peek-1", "Low. Out with it."),
        ("bluffjack-card-1", "Stand. I never stand on that."),
        ("champ-cards-cut-1", "cut 20, pick 3. Not the 3"),
        ("split-decision-no-peek-1", "pass red. Not red"),
    ],
)
def test_a_sentence_that_denies_what_was_said_is_asked_about(name: str, text: str) -> None:
    assert plan(name, text) == ()


@every(
    ("name", "text", "wanted"),
    [
        ("bluffjack-card-1", "Hit. I don't mind.", "hit"),
        ("champ-cards-pick-1", "5. Never mind the weather.", "pick 5"),
        ("champ-cards-choose-1", "I don't want it", "draw"),
        ("champ-cards-choose-1", "Draw, I don't need that card.", "draw"),
        ("split-decision-peek-1", "I do not want it", "discard"),
        ("split-decision-peek-1", "Away with it", "discard"),
        ("split-decision-head-start-1", "Refuse. I don't need it.", "refuse"),
    ],
)
def test_a_no_that_agrees_with_a_move_or_speaks_of_something_else(name: str, text: str, wanted: str) -> None:
    assert plan(name, text) == (wanted,)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("bluffjack-card-1", "More time please"),
        ("champion-poker-bet-1", "I'll be back in 10"),
        ("split-decision-question-1", "One more day please"),
        ("split-decision-question-1", "Still thinking"),
        ("split-decision-question-1", "Home at 6"),
        ("split-decision-question-1", "More time please, promise"),
        ("split-decision-question-1", "Give me till tomorrow morning, I'll have a think, promise."),
    ],
)
def test_who_pleads_for_time_or_is_busy_plays_nothing(name: str, text: str) -> None:
    assert plan(name, text) == ()


@every(
    ("name", "text", "wanted"),
    [
        ("champ-cards-choose-1", "I'll take a card", ("draw",)),
        ("champ-cards-pick-1", "number one please", ("pick 1",)),
        ("game-of-champions-order-1", "first 8h, Td last", ("order 8h Td",)),
        ("game-of-champions-roshambo-1", "rock, paper x2", ("throw rock", "throw paper paper")),
        ("bluffjack-bet-1", "raise 20 - can I have more time for the next one?", ("raise 20",)),
        ("split-decision-question-1", "Hi all, my answer is seven", ("answer seven",)),
        ("split-decision-question-1", "After some thought, my answer is seven", ("answer seven",)),
        ("split-decision-question-1", "Hi all, I think seven", ("answer seven",)),
        ("split-decision-question-1", "no, eight", ("answer eight",)),
        ("split-decision-no-peek-1", "We take the card ourselves. Eight hours of rain and counting.", ("keep",)),
        ("split-decision-peek-1", "Pls put it low, and good luck to all", ("low",)),
        ("split-decision-peek-1", "Discard it, I don't want this one", ("discard",)),
        ("split-decision-free-look-1", "Next card please, I don't want this one", ("refuse",)),
        ("split-decision-setup-1", "You draw the numbers for me, please", ("codes random",)),
        ("champ-cards-bet-1", "2000, that's two thirds of it", ("bet 2000",)),
        ("champ-cards-offer-1", "Deal. 1250 is better than nothing", ("accept",)),
        ("champ-cards-offer-1", "yes ok i take the offer", ("accept",)),
        ("champ-cards-offer-1", "Thanks but no thanks, I came here to play.", ("decline",)),
        ("champ-cards-bet-1", "the least possible", ("bet half",)),
        ("champ-cards-bet-1", "All of it. 2500", ("bet 2500",)),
        ("champion-poker-raise-1", "just checking, thx", ("check",)),
        ("game-of-champions-roshambo-1", "good old rock", ("throw rock",)),
        ("bluffjack-card-1", "Bob, I stand", ("stand",)),
        ("split-decision-no-peek-1", "keep it. Sorry, Cleo", ("keep",)),
        ("split-decision-no-peek-1", "pass it to Cleo, sorry Ann", ("pass blue",)),
        ("champ-cards-bet-1", "1,5k please", ("bet 1500",)),
        ("split-decision-question-1", "I'm going to say seven.", ("answer seven",)),
        ("split-decision-question-1", "We're going to go with 7", ("answer 7",)),
        ("bluffjack-card-1", "S", ("stand",)),
        ("champion-poker-raise-1", "r.", ("raise",)),
        ("split-decision-peek-1", "l", ("low",)),
        ("champ-cards-cut-1", "don't cut them at all", ("cut 0",)),
        ("champ-cards-cut-1", "none, leave the deck uncut", ("cut 0",)),
        ("split-decision-head-start-1", "I'd rather see the second card", ("refuse",)),
        ("split-decision-free-look-1", "Show me the other one, please", ("refuse",)),
        ("split-decision-peek-1", "chuck her out", ("discard",)),
        ("champ-cards-bet-1", "half, 1250 that is", ("bet 1250",)),
        ("champ-cards-cut-1", "cut 31 please and for my first card turn number 8", ("cut 31", "pick 8")),
        ("champ-cards-cut-1", "I cut 7 cards and I open the space in the center", ("cut 7", "pick 5")),
        ("champion-poker-bet-1", "Twenty on the bonus and twenty on the blind, so 40 in all", ("bet 20",)),
        ("split-decision-suit-1", "s please", ("suit s",)),
        ("split-decision-suit-1", "Spades, please, they have been good to me all week.", ("suit s",)),
        ("split-decision-setup-1", "Thirty numbers! Please pick at random.", ("codes random",)),
        (
            "split-decision-setup-1",
            "every number from 35 to 64, that makes thirty",
            (f"codes {' '.join(map(str, range(35, 65)))}",),
        ),
        ("split-decision-free-look-1", "Low, please. A narrow gap but never mind.", ("low",)),
        ("game-of-champions-turn-1", "i wait this turn", ("hold",)),
        ("game-of-champions-order-1", "5c, 6s, 8c in this order. thx", ("order 5c 6s 8c",)),
        ("game-of-champions-roshambo-1", "rock twice then paper", ("throw rock rock", "throw paper")),
        (
            "game-of-champions-roshambo-1",
            "S R R P in that order (scissors, rock, rock, paper)",
            ("throw scissors rock rock paper",),
        ),
        ("game-of-champions-roshambo-1", "R\nP\nS\nS", ("throw rock paper scissors scissors",)),
        ("bluffjack-bet-1", "smallest raise you allow", ("raise 20",)),
        ("bluffjack-bet-1", "raise by the minimum", ("raise 20",)),
        ("champion-poker-bet-1", "the least I can bet", ("bet 5",)),
        ("champ-cards-pick-1", "7 will do me nicely", ("pick 7",)),
        ("champ-cards-bet-1", "2000 will do", ("bet 2000",)),
        (
            "game-of-champions-roshambo-1",
            "rock, then paper, then rock again if we tie some more",
            ("throw rock paper rock",),
        ),
        ("game-of-champions-roshambo-1", "rock rock paper (if it goes on that long)", ("throw rock rock paper",)),
    ],
)
def test_what_stands_before_or_behind_changes_nothing(name: str, text: str, wanted: tuple[str, ...]) -> None:
    assert plan(name, text) == wanted


def test_a_word_for_a_service_is_no_slip_of_a_move() -> None:
    assert plan("bluffjack-card-1", "standings") == ()


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("champ-cards-choose-1", "Keep. What happens if we both have 20?", "keep"),
        ("champ-cards-choose-1", "Keep. When does the next game start?", "keep"),
        ("champ-cards-cut-1", "33 thanks. When does the game start?", "cut 33"),
    ],
)
def test_a_question_about_something_else_does_not_spoil_a_move(name: str, text: str, wanted: str) -> None:
    assert plan(name, text) == (wanted,)


@pytest.mark.parametrize(
    "text", ["I wouldn't take 3 5 7 9", "anything but 3 5 7 9", "you couldn't pay me to take 3 5 7 9"]
)
def test_a_list_that_is_denied_is_no_answer(text: str) -> None:
    assert plan("split-decision-choose-1", text) == ()


@pytest.mark.parametrize("text", ["harp. How is the weather?", "harp\nit's late", "I think it will rain. harp"])
def test_a_short_answer_beside_a_sentence_that_begins_as_one_does_is_asked_about(text: str) -> None:
    assert plan("split-decision-question-1", text) == ()


@every(
    ("text", "army"),
    [
        ("King of spades: the ten, both sixes; Ace of diamonds: the rest", "deploy Ks Td 6h 6d Ad 8h 5s 4h 2h 2d"),
        ("Ks gets the ten and both sixes, Ad the eight", "deploy Ks Td 6h 6d Ad 8h"),
        ("Ks Td, the rest to Ad", "deploy Ks Td Ad 8h 6h 6d 5s 4h 2h 2d"),
    ],
)
def test_no_card_that_is_named_is_left_out_of_an_army(text: str, army: str) -> None:
    assert plan("game-of-champions-deploy-1", text) == (army,)


@pytest.mark.parametrize(
    "text", ["bottom row, the one in the middle", "the middle one in the bottom row", "Lower row, centre"]
)
def test_a_space_is_named_by_its_row_and_its_place_there(text: str) -> None:
    assert plan("champ-cards-pick-1", text) == ("pick 8",)


def test_a_row_beside_another_place_is_not_passed_over() -> None:
    assert plan("champ-cards-pick-1", "somewhere in the bottom row, or the one in the middle") == ()


@every(
    ("name", "text", "wanted"),
    [
        ("game-of-champions-deploy-1", "I should like to place them as follows:\nKs: Td 6h\nAd: 5s 4h", (ARMIES,)),
        ("split-decision-question-1", "No idea, sorry. I'll skip this one.", ("skip",)),
        ("split-decision-setup-1", "You draw the codes, and I cut 20.", ("codes random", "cut 20")),
        (
            "split-decision-setup-1",
            "codes random. I move 20 cards from the top to the bottom",
            ("codes random", "cut 20"),
        ),
        ("bluffjack-card-1", "Enough cards for me this time. I stay.", ("stand",)),
        ("game-of-champions-battle-1", "No more fighting for my poor men. Stop.", ("stop",)),
    ],
)
def test_what_leads_to_a_list_or_says_it_again_is_no_other_wish(name: str, text: str, wanted: tuple[str, ...]) -> None:
    assert plan(name, text) == wanted


def test_a_plea_beside_an_answer_with_its_word_is_a_plea() -> None:
    assert plan("split-decision-question-1", "More time please for the next one. answer Rome") == ("answer Rome",)


@every(
    ("text", "wanted"),
    [
        ("For the cut I say forty-one.", "cut 41"),
        ("I say twenty one for the cut", "cut 21"),
        ("I would say a hundred and one for the cut", ""),
    ],
)
def test_a_number_in_words_is_not_cut_off(text: str, wanted: str) -> None:
    found = plan("split-decision-setup-1", text)
    assert wanted in found if wanted else not any(each.startswith("cut") for each in found)


TEN_THREE_TIMES = "codes " + " ".join(map(str, (*range(1, 11), *range(41, 51), *range(91, 101))))


@every(
    ("text", "wanted"),
    [
        ("My numbers are 1 to 10, 41 to 50 and 91 to 100.", (TEN_THREE_TIMES,)),
        ("from 1 to 10, 41-50 and 91 to 100, cut 20", (TEN_THREE_TIMES, "cut 20")),
        ("1-10-41-50", ()),
        ("1-10, cut 20 to 25", ()),
    ],
)
def test_codes_may_go_from_one_number_to_another(text: str, wanted: tuple[str, ...]) -> None:
    assert plan("split-decision-setup-1", text) == wanted


@every(
    ("name", "text", "wanted"),
    [
        ("split-decision-bet-1", "500, seven high, ace low", ("bet 500 7 A",)),
        ("champion-poker-bet-1", "Give me the max. If I go down I go down in flames.", ("bet 20",)),
        ("champion-poker-bet-1", "I'll go with the minimum", ("bet 5",)),
        ("champion-poker-bet-1", "give me one min", ()),
        ("champion-poker-bet-1", "thanks Max", ()),
    ],
)
def test_a_limit_and_a_number_in_digits_stand_alone(name: str, text: str, wanted: tuple[str, ...]) -> None:
    assert plan(name, text) == wanted


@every(
    ("name", "text", "wanted"),
    [
        ("champion-poker-raise-1", "No raise from me this time.", ("check",)),
        ("champion-poker-raise-1", "no raise for me, thanks", ("check",)),
        ("split-decision-free-look-1", "no thanks, too low for up there", ("refuse",)),
        ("split-decision-free-look-1", "no, too low", ("refuse",)),
        ("split-decision-free-look-1", "I pass on that one, kind sir", ("refuse",)),
        ("split-decision-peek-1", "too low", ()),
        (
            "champion-poker-play-1",
            "I had the same cards before and I folded then and the board came jack king ace.",
            (),
        ),
        ("split-decision-bet-1", "400 with 7 as high card and the 5 as low. thanks, Bob", ("bet 400 7 5",)),
        ("split-decision-choose-1", "3, 7, 11 and 15. Four it should be.", ("choose 3 7 11 15",)),
    ],
)
def test_a_no_and_a_too_and_what_was(name: str, text: str, wanted: tuple[str, ...]) -> None:
    assert plan(name, text) == wanted


@every(
    ("name", "text", "wanted"),
    [
        ("split-decision-suit-1", "clubs thx", "suit c"),
        ("split-decision-suit-1", "hearts ❤️", "suit h"),
        ("game-of-champions-place-1", "To the A♥ please", "place Ah"),
        ("game-of-champions-place-1", "A of hearts", "place Ah"),
        ("game-of-champions-place-1", "a♥", "place Ah"),
        ("split-decision-place-1", "I'm placing him high", "high"),
        ("split-decision-place-1", "up with her", "high"),
        ("split-decision-place-1", "Low, and thanks for the 500 bucks", "low"),
        ("split-decision-place-1", "I'll have it up high, and the $125 with it", "high"),
        ("split-decision-place-1", "low 4 me thx", "low"),
        ("split-decision-choose-1", "nr 6, nr 7, nr 8, nr 10. tnx", "choose 6 7 8 10"),
        ("split-decision-choose-1", "12-13-14-15 and may the Devil be elsewhere", "choose 12 13 14 15"),
        ("split-decision-choose-1", "My four: 2, 7, 13 and 15", "choose 2 7 13 15"),
        ("split-decision-question-1", "N and O -> SIX", "answer SIX"),
        ("champ-cards-pick-1", "Turn me the one in the top right corner", "pick 3"),
        ("game-of-champions-roshambo-1", "3x rock", "throw rock rock rock"),
        ("game-of-champions-place-1", "Please give the three to my spy", "place Ad"),
    ],
)
def test_it_is_plain_in_whatever_signs(name: str, text: str, wanted: str) -> None:
    assert plan(name, text) == (wanted,)


@pytest.mark.parametrize("text", ["yes, skip", "Yes. Skip please", "yes skip"])
def test_a_yes_beside_a_move_is_no_answer_to_a_question_in_words(text: str) -> None:
    assert plan("split-decision-question-1", text) == ("skip",)


def test_who_takes_a_card_is_not_offered_a_no_first() -> None:
    assert offered("split-decision-head-start-1", "take it")[0] in ("high", "low")


@every(
    ("name", "text"),
    [
        ("champion-poker-bet-1", "sit in hand 2"),
        ("champion-poker-bet-1", "sit in the next hand"),
        ("bluffjack-bet-1", "raise all in the next hand"),
        ("champ-cards-cut-1", "cut 20 in round 3"),
        ("game-of-champions-order-1", "8c 6s 5c next time"),
        ("game-of-champions-order-1", "8c 6s 5c tomorrow"),
        ("game-of-champions-turn-1", "attack Ks Kd. First spy 7c 9h."),
        ("game-of-champions-turn-1", "fortify; first spy 7c 9h"),
        ("game-of-champions-turn-1", "take 8h from Ks and put it under Kh"),
        ("game-of-champions-turn-1", "general 8h and Th to Kh and Ac respectively"),
        ("bluffjack-bet-1", "with 13 raise"),
        ("bluffjack-bet-1", "on 13 I raise"),
        ("champ-cards-choose-1", "keep 👎"),
        ("champ-cards-pick-1", "2+3"),
        ("game-of-champions-battle-1", "no more stopping"),
        ("bluffjack-card-1", "no more standing"),
        ("champ-cards-pick-1", "≠5"),
        ("champ-cards-pick-1", "over 5"),
        ("champion-poker-bet-1", "bet twice the minimum"),
        ("champion-poker-bet-3", "blind 7"),
        ("champion-poker-bet-3", "bet 7 on both"),
        ("game-of-champions-roshambo-1", "scissors after rock"),
        ("game-of-champions-roshambo-1", "paper last, rock first"),
        ("champ-cards-choose-1", "keep nicht"),
    ],
)
def test_what_is_for_another_moment_or_comes_first_or_is_denied_is_not_played(name: str, text: str) -> None:
    assert plan(name, text) == ()


@every(
    ("name", "text", "wanted"),
    [
        ("game-of-champions-turn-1", "move 8h from Ks to Kh", ("general 8h Kh",)),
        ("game-of-champions-turn-1", "attack from Ks to Kd", ("attack Ks Kd",)),
        ("game-of-champions-turn-1", "spy 7c 9h first, then attack Ks Kd", ("spy 7c 9h", "attack Ks Kd")),
        ("game-of-champions-roshambo-1", "2) rock\n1) paper", ("throw paper rock",)),
        ("champ-cards-cut-1", "1. cut 5\n2. pick 5", ("cut 5", "pick 5")),
        ("champ-cards-choose-1", "keep - no\ndraw - yes", ("draw",)),
        ("bluffjack-card-1", "hit: no\nstand: yes", ("stand",)),
        ("bluffjack-card-1", "hit / stand", ()),
        ("bluffjack-card-1", "one more and I'm over", ()),
        ("bluffjack-card-1", "one card more and I'm bust, so no", ()),
        ("bluffjack-card-1", "hit, and Bob wins", ()),
        ("bluffjack-card-1", "hit me, and I'm ready for it", ("hit",)),
        ("bluffjack-card-1", "hit till 18 and then raise 30", ()),
        ("bluffjack-bet-1", "call, hit until 17, raise 20", ()),
        ("bluffjack-bet-1", "call up to 20, hit until 17, raise 40", ()),
        ("bluffjack-bet-1", "call, hit until 17", ("call",)),
        ("bluffjack-card-1", "hit until 17, then call", ()),
        ("champion-poker-bet-1", "20 on the bonus, nothing on the blind", ()),
        ("champion-poker-bet-1", "no bonus, bet 20", ()),
        ("champ-cards-offer-1", "take the cards", ()),
        ("champ-cards-offer-1", "I keep the money", ()),
        ("champ-cards-offer-1", "stop it", ()),
        ("champ-cards-offer-1", "take the money", ("accept",)),
        ("split-decision-peek-1", "discard, I keep my chips", ("discard",)),
        ("split-decision-peek-1", "high, keep it please", ()),
        ("split-decision-no-peek-1", "keep it CLEO", ()),
        ("split-decision-no-peek-1", "keep it", ("keep",)),
        ("champion-poker-bet-1", "bet 20 (blind only)", ()),
        ("game-of-champions-roshambo-1", "rock paper scissors shoot! paper", ("throw paper",)),
        ("game-of-champions-order-1", "from last to first: 9h 7d 2c", ()),
    ],
)
def test_a_list_and_where_a_card_comes_from(name: str, text: str, wanted: tuple[str, ...]) -> None:
    assert plan(name, text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("stand on 17", ()),
        ("hit, then stand on 17", ()),
        ("good with 18", ()),
        ("stand on 16", ("stand",)),
        ("happy with my sixteen", ("stand",)),
        ("three cards are enough", ("stand",)),
    ],
)
def test_a_number_that_nobody_holds_is_for_later(text: str, wanted: tuple[str, ...]) -> None:
    assert plan("bluffjack-card-2", text) == wanted


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("bluffjack-card-2", "hittin", "hit"),
        ("split-decision-no-peek-1", "keepin' it", "keep"),
        ("game-of-champions-order-1", "♦2 ♥9 ♦7", "order 2d 9h 7d"),
    ],
)
def test_endings_without_g_and_suits_before_their_cards(name: str, text: str, wanted: str) -> None:
    assert plan(name, text) == (wanted,)
