"""What people write to Champ Cards: sayings by phase, the commands they mean, and what is not understood."""

from dataclasses import replace

import pytest

from host.cards import DECK
from host.game import Invalid
from host.games.champ_cards import GAME
from host.games.champ_cards.commands import GRAMMAR
from host.games.champ_cards.state import State
from host.grammar import is_polite
from tests.games.champ_cards.playing import bonus, choosing, new_game, say, table

OPEN = (True, True, *[False] * 7)
TABLES: dict[str, State] = {
    "cut": new_game(),
    "pick": table(spaces=["2c", "Td", "4c"], shown=OPEN, hands=(["Tc", "5c"], ["2d"])),
    "choose": choosing("Td", ["2c"], space=5),
    "bet": replace(bonus(), phase="bet", bet=0),
    "offer": bonus(house=["9c", "Kc"], phase="offer", offer=2600),
}

UNDERSTOOD: dict[str, dict[str, list[str]]] = {
    "cut": {
        "cut 26": [
            *(
                "cut 26",
                "26",
                "CUT 26",
                "Cut 26.",
                "cut: 26",
                "cut 26 cards",
                "cut at 26",
                "cut at twenty-six",
                "cut twenty six",
            ),
            *(
                "Cut the deck at 26 please",
                "I cut 26",
                "I'd like to cut at 26, please",
                "twenty six cards",
                "cut = 26",
                "#26",
            ),
            *("I'll cut 26 thanks!", "Hello! Cut 26.", "ok 26", "26 please", "the 26th", "  cut\t26  "),
        ],
        "cut 0": ["cut 0", "zero", "0", "cut zero", "cut zero cards please"],
        "cut 51": ["cut 51", "fifty-one", "cut fifty one", "51st"],
    },
    "pick": {
        "pick 5": [
            *(
                "pick 5",
                "Pick 5",
                "PICK 5!",
                "5",
                "#5",
                "5th",
                "five",
                "Five!",
                "fifth",
                "THE FIFTH",
                "the fifth card",
                "Space 5.",
            ),
            *(
                "I'll take number five, thanks!",
                "number five please",
                "card #5",
                "pick no 5",
                "5 pls",
                "5️⃣",
                "pick: 5",
                "pick #5",
            ),
            *(
                "show me 5",
                "flip 5",
                "flip over card five",
                "turn over 5",
                "reveal 5",
                "open 5",
                "open number five",
                "choose 5",
            ),
            *(
                "go with 5",
                "I'll go with number 5",
                "I go for 5",
                "let's try 5",
                "I choose 5",
                "select 5",
                "box 5",
                "I want 5",
            ),
            *(
                "5 for me",
                "I think 5",
                "let's do 5",
                "tile 5",
                "spot 5",
                "position five",
                "my lucky number 5",
                "play 5",
            ),
            *(
                "pick 5 (please)",
                "“pick 5”",
                "'pick 5'",
                "*pick 5*",
                "- pick 5",
                "pick 5…",
                "pick 5...",
                "pick=5",
                "Pick5",
                "pick  5",
            ),
            *(
                "Ｐｉｃｋ ５",
                "pick\u00a05",
                "pick\u200b 5",
                "PICK FIVE PLEASE",
                "Could I pick 5 please",
                "Hi host! Pick 5.",
                "i’ll take 5",
            ),
            *("I would like number five", "We'll take 5", "Let's open 5 now", "please, 5", "Good luck everyone, 5"),
        ],
        "pick 2": [
            *(
                "2",
                "10♦",
                "the 10♦",
                "10d",
                "10D",
                "Td",
                "ten of diamonds",
                "pick the ten of diamonds",
                "the 10 of diamonds please",
            ),
            *("take 10♦", "I'll take the ten of diamonds", "pick 10 ♦", "10♦️", "pick two", "second"),
        ],
        "freeze": [
            *(
                "freeze",
                "Freeze!",
                "FREEZE",
                "I freeze",
                "I'd like to freeze",
                "freeze please",
                "I'm freezing",
                "freeze now",
                "freeze it",
            ),
            *(
                "stay",
                "stand",
                "stick",
                "I'll stay",
                "I stand pat",
                "stay put",
                "stop",
                "stop here",
                "freeze at 15",
                "freeze on 15",
            ),
            *("I'm going to freeze", "Let's freeze", "freeze at fifteen please", "hold"),
        ],
        "draw": ["draw", "hit me", "draw a card"],
        "resign": ["resign", "I resign", "I'd like to resign, please"],
    },
    "choose": {
        "keep": [
            *(
                "keep",
                "keep it please",
                "Keep it!",
                "I'll keep it",
                "keep that",
                "keep this card",
                "keep the card",
                "hold it",
                "mine",
            ),
            *(
                "take it",
                "I'll take the card",
                "take",
                "take that card",
                "I'll take it, thanks",
                "I'll have it",
                "keep 5",
                "keep number 5",
            ),
            *(
                "keep 10♦",
                "keep the ten of diamonds",
                "keep Td",
                "keep this one",
                "I'd like to keep that one",
                "hold onto it",
            ),
        ],
        "draw": [
            *(
                "draw",
                "Draw!",
                "hit me",
                "hit",
                "Hit me!!!",
                "stock",
                "the stock please",
                "deck",
                "draw one",
                "draw a card",
                "leave it",
            ),
            *(
                "draw from the stock",
                "draw from the deck",
                "draw the top card",
                "next card",
                "another card",
                "new card",
                "a new card",
            ),
            *(
                "take from the stock",
                "take one from the deck",
                "I'll draw",
                "I'd rather draw",
                "top card",
                "take the top card",
            ),
            *("I'll take the next card", "leave the card", "pass on it"),
        ],
        "freeze": ["freeze", "stay"],
        "pick 3": ["pick 3", "take 3"],
    },
    "bet": {
        "bet 2500": [
            *(
                "bet 2500",
                "bet 2,500",
                "$2500",
                "2500",
                "$2,500",
                "Bet $2,500.",
                "2500 dollars",
                "I bet 2500",
                "wager 2500",
            ),
            *(
                "twenty-five hundred",
                "I'll risk 2500",
                "stake 2500",
                "2,500 bucks",
                "bet 2500 TGSF dollars",
                "I'd like to bet $2,500 please",
            ),
        ],
        "bet 2000": ["two thousand", "bet two grand", "two grand", "I'll wager two thousand", "€2000", "£2,000"],
        "bet all": [
            *(
                "bet all",
                "all",
                "all in",
                "All in!",
                "everything",
                "bet everything",
                "go all in",
                "I'm going all in",
                "bet it all",
            ),
            *("all of it", "the whole lot", "the whole bank", "max", "bet the maximum", "maximum", "risk it all"),
        ],
        "bet half": [
            "bet half",
            "half",
            "half please",
            "Half.",
            "minimum",
            "the minimum",
            "bet the minimum please",
            "half the bank",
            "half my bank",
        ],
    },
    "offer": {
        "accept": [
            *(
                "accept",
                "I accept",
                "Accept!",
                "accept the offer",
                "accept the deal",
                "deal",
                "DEAL!",
                "It's a deal",
                "ok deal",
                "yes",
            ),
            *(
                "yes please",
                "take the money",
                "I'll take the money",
                "take the deal",
                "take the offer",
                "I'll take it",
                "take cash",
                "cash out",
            ),
        ],
        "decline": [
            *(
                "decline",
                "I decline the offer",
                "no deal",
                "No Deal!",
                "No deal, thanks",
                "no",
                "no thanks",
                "No, thank you",
                "reject",
            ),
            *(
                "refuse",
                "I refuse",
                "refuse the offer",
                "reject the offer",
                "keep playing",
                "continue",
                "play on",
                "I'd rather play on",
            ),
            *("risk it", "pass", "I'll pass", "let's play on"),
        ],
        "offer 3000": ["offer 3000", "Offer $3,000", "offer three thousand", "offer 3000 dollars"],
    },
}

SEVERAL: list[tuple[str, str, list[str]]] = [
    ("cut", "cut 26; pick 5", ["cut 26", "pick 5"]),
    ("cut", "cut 26, pick 5, keep", ["cut 26", "pick 5", "keep"]),
    ("cut", "Cut at twenty-six then take number five", ["cut 26", "pick 5"]),
    ("cut", "Cut 5 and open 1", ["cut 5", "pick 1"]),
    ("cut", "26, 5", ["cut 26", "pick 5"]),
    ("cut", "cut 26 & pick space 5 + keep", ["cut 26", "pick 5", "keep"]),
    ("pick", "pick five then keep", ["pick 5", "keep"]),
    ("pick", "Pick 5 and keep it, please!", ["pick 5", "keep"]),
    ("pick", "Pick 5. Keep it.", ["pick 5", "keep"]),
    ("pick", "5; hit me", ["pick 5", "draw"]),
    ("pick", "pick 5 and then draw", ["pick 5", "draw"]),
    ("pick", "Hi! I'd like number five, and I'll keep it. Thanks", ["pick 5", "keep"]),
    ("pick", "10♦, keep", ["pick 2", "keep"]),
]

NOT_UNDERSTOOD: dict[str, list[str]] = {
    "cut": [
        *(
            "cut",
            "cut -5",
            "cut 12.5",
            "cut 5 6",
            "cut half",
            "cut all",
            "cut the deck",
            "no cut",
            "don't cut",
            "cut 5 or 6",
        ),
        *("middle", "cut in the middle", "cut 5%5", "-5", "+5", "5.0", "cut 999999999999999999999", "discard"),
    ],
    "pick": [
        *(
            "pick",
            "pick a card",
            "pick -5",
            "pick 5.5",
            "-5",
            "pick 5 or 6",
            "5 or 6",
            "not 5",
            "anything but 5",
            "pick 5?",
            "Is 5 free?",
        ),
        *(
            "should I pick 5?",
            "Can I pick 5?",
            "I don't want to freeze",
            "don't freeze",
            "do not freeze",
            "I won't freeze",
            "no freeze",
        ),
        *(
            "can I freeze?",
            "what happens if I freeze?",
            "freeze at 14",
            "freeze at 16",
            "freeze 3",
            "freeze next turn",
            "not freeze",
        ),
        *(
            "4♣",
            "the four of clubs",
            "pick K♠",
            "king of spades",
            "middle",
            "top left",
            "pick",
            "discard",
            "+1 555 0100",
            "pick 2+3",
        ),
        *("take the last", "what is my total?", "pick five six", "bet", "cut", "offer", "bet half a lot", "pick all"),
    ],
    "choose": [
        *(
            "don't keep",
            "do not keep",
            "not keep",
            "no keep",
            "keep?",
            "keep 3",
            "keep the nine of clubs",
            "keep 2♠",
            "I don't want it",
        ),
        *(
            "don't draw",
            "no draw",
            "5",
            "discard",
            "swap",
            "yes",
            "no",
            "keep or draw",
            "keep both",
            "keep if it helps",
            "draw two cards",
        ),
        *("draw 2", "should I keep it?"),
    ],
    "bet": [
        *(
            "bet -5",
            "bet 12.5",
            "bet",
            "bet +2500",
            "bet something",
            "bet 1250 or 1300",
            "bet 1 250",
            "1.250",
            "bet 1250.00",
            "double",
        ),
        *(
            "not all",
            "not everything",
            "bet nothing",
            "no bet",
            "I don't bet",
            "bet all but 5",
            "bet more than half",
            "bet at least 1250",
        ),
        *("that's all", "bet 2500?", "half?", "all?", "all or nothing", "-2500", "$-2500"),
    ],
    "offer": [
        *(
            "don't accept",
            "I do not accept",
            "I can't accept",
            "I won't accept",
            "can I accept?",
            "accept?",
            "deal?",
            "deal or no deal",
        ),
        *(
            "not a deal",
            "what a deal",
            "no way",
            "never accept",
            "offer",
            "offer -5",
            "offer 12.5",
            "offer more",
            "discard",
            "don't decline",
        ),
    ],
}

CHATTER = [
    *(
        "Hello Bob",
        "What a lovely morning here in Berlin",
        "My dog barked at the postman",
        "Ann Smith",
        "See my new hat",
        "Sorry for the delay",
    ),
    *("I was away over the weekend and only saw this today", "Have a great weekend", "Good game"),
]


def understood() -> list[tuple[str, str, str]]:
    return [(phase, text, wanted) for phase, by in UNDERSTOOD.items() for wanted, texts in by.items() for text in texts]


def commands(text: str, state: State) -> list[str]:
    """The commands in a line, small talk left out; the state stays as it is."""
    return [GAME.say(GAME.parse(part, state, 0)) for part in GAME.split(text) if not is_polite(part)]


@pytest.mark.parametrize(("phase", "text", "wanted"), understood())
def test_is_understood(phase: str, text: str, wanted: str) -> None:
    assert commands(text, TABLES[phase]) == [wanted]


@pytest.mark.parametrize(("phase", "text", "wanted"), SEVERAL)
def test_several_in_a_line(phase: str, text: str, wanted: list[str]) -> None:
    state = TABLES[phase]
    said = []
    for part in GAME.split(text):
        if not is_polite(part):
            said.append(GAME.say(GAME.parse(part, state, 0)))
            state = say(state, part, seat=0).state
    assert said == wanted


@pytest.mark.parametrize(
    ("phase", "text"), [(phase, text) for phase, texts in NOT_UNDERSTOOD.items() for text in texts]
)
def test_is_not_understood(phase: str, text: str) -> None:
    state = TABLES[phase]
    with pytest.raises(Invalid) as caught:
        for part in GAME.split(text):
            GAME.parse(part, state, 0)
    assert caught.value.reason.endswith(".")


@pytest.mark.parametrize("phase", list(TABLES))
@pytest.mark.parametrize("text", CHATTER)
def test_small_talk_does_not_look_like_a_command(phase: str, text: str) -> None:
    with pytest.raises(Invalid) as caught:
        GAME.parse(text, TABLES[phase], 0)
    assert caught.value.chatter


@pytest.mark.parametrize("phase", list(TABLES))
@pytest.mark.parametrize(
    "text", ["pick", "bet 12.5", "don't freeze", "keep the queen", "cut -1", "frezze at noon", "acept?"]
)
def test_an_attempt_is_no_small_talk(phase: str, text: str) -> None:
    with pytest.raises(Invalid) as caught:
        GAME.parse(text, TABLES[phase], 0)
    assert not caught.value.chatter


@pytest.mark.parametrize(
    ("phase", "text", "reason"),
    [
        ("bet", "bet -5", "A bet is “bet” and a whole number of dollars, or “bet half”, or “bet all”."),
        ("pick", "pick five six", "“pick” takes one whole number, so I could not read “pick five six”."),
        ("pick", "freeze the lot", "“freeze” stands alone, so I could not read “freeze the lot”."),
        ("pick", "abracadabra", "I could not read “abracadabra” as a move."),
    ],
)
def test_the_reason_says_what_is_wrong(phase: str, text: str, reason: str) -> None:
    with pytest.raises(Invalid) as caught:
        GAME.parse(text, TABLES[phase], 0)
    assert caught.value.reason == reason


def test_a_long_text_is_shown_in_part() -> None:
    with pytest.raises(Invalid) as caught:
        GAME.parse("blah " * 1000, TABLES["pick"], 0)
    assert len(caught.value.reason) < 120


def test_a_face_down_card_cannot_be_named() -> None:
    state = table(spaces=["2c", "Td", "4c"])
    for card in ("2c", "ten of diamonds", "4♣"):
        with pytest.raises(Invalid):
            GAME.parse(card, state, 0)


@pytest.mark.parametrize("card", DECK)
def test_each_open_card_can_be_named(card: str) -> None:
    state = table(spaces=["", "", card], shown=(False, False, True, *[False] * 6))
    assert GAME.say(GAME.parse(f"pick {card}", state, 0)) == "pick 3"
    assert GAME.say(GAME.parse(f"keep {card}", choosing(card), 0)) == "keep"


@pytest.mark.parametrize("number", range(1000))
def test_numbers_in_digits_are_what_they_are(number: int) -> None:
    assert GAME.say(GAME.parse(f"bet {number}", TABLES["bet"], 0)) == f"bet {number}"


def test_canonical_words_mean_themselves_in_every_phase() -> None:
    said = [
        "keep",
        "draw",
        "freeze",
        "accept",
        "decline",
        "resign",
        "cut 5",
        "pick 5",
        "bet 5",
        "bet all",
        "bet half",
        "offer 5",
    ]
    assert {text.split()[0] for text in said} == {row.verb for row in GRAMMAR}
    for state in TABLES.values():
        for text in said:
            assert GAME.say(GAME.parse(text, state, 0)) == text


def test_each_kind_of_link_is_there() -> None:
    kinds = {
        phase: {choice.kind for choice in GAME.choices(state, GAME.questions(state)[0])}
        for phase, state in TABLES.items()
    }
    assert kinds == {
        "cut": {"cut", "cut and pick"},
        "pick": {"pick", "freeze"},
        "choose": {"keep", "draw"},
        "bet": {"bet"},
        "offer": {"accept", "decline"},
    }


def test_there_is_a_link_for_every_space() -> None:
    state = table(spaces=["2c", "", "4c"])
    said = [choice.say for choice in GAME.choices(state, GAME.questions(state)[0])]
    assert said == [(f"pick {space}",) for space in (1, 3, 4, 5, 6, 7, 8, 9)]


@pytest.mark.parametrize("bank", [2, 3, 4, 2500, 2501])
def test_links_to_bet_are_in_bounds_and_differ(bank: int) -> None:
    state = replace(TABLES["bet"], bank=bank)
    amounts = [int(choice.say[0].split()[1]) for choice in GAME.choices(state, GAME.questions(state)[0])]
    assert amounts == sorted(set(amounts))
    assert (amounts[0], amounts[-1]) == ((bank + 1) // 2, bank)
