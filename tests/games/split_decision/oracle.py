"""A second, independent Split Decision, kept as plain as possible: the oracle of the comparison tests.

`replay` gives the rows that a replay of one record has to print (without the file name), and
`random_record` builds a record, refused lines included, from a number.  Only canonical commands are
known here, so the records use nothing else.  It shares no code with the real game on purpose.
"""

import random
import re
import unicodedata
from typing import Any

from tests.games.oracle_kit import (
    DECK,
    FORMAT,
    GARBAGE,
    NAMES,
    RANKS,
    STRANGERS,
    SUITS,
    Episode,
    Line,
    Play,
    Row,
    State,
    Stream,
    copied,
    refused_line,
    rows_of,
    shuffled,
)

COLOURS = ["red", "gold", "blue"]
JOKERS = ["Xr", "Xb"]
FREE_ACE = "A*"
WITH_JOKERS = [*DECK, *JOKERS]
BOARD = ["A", "A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2", "Devil"]

ANSWER_PAY = {1: 100, 2: 50, 3: 100}
PLACE_PAY = {1: 250, 2: 125, 3: 500}
ROUND_PAY = {1: 1000, 2: 500, 3: 1000}
MULTIPLIERS = {4: 2, 5: 5}


# Chance


def drawn_codes(seed: str, seat: int) -> tuple[int, ...]:
    stream = Stream(seed, f"codes:{seat}")
    return tuple(stream.below(100) + 1 for _ in range(30))


# Hands


def as_high(card: str) -> int:
    """What the card counts in the high slot."""
    return 14 if card[0] in "AX" else RANKS.index(card[0]) + 2


def as_low(card: str) -> int:
    """What the card counts in the low slot."""
    return 1 if card[0] in "AX" else RANKS.index(card[0]) + 2


def fitting(hand: dict[str, Any], card: str) -> list[str]:
    """The open slots that can take the card."""
    high, low = hand["high"], hand["low"]
    found = []
    if high is None and (low is None or as_low(low) < as_high(card)):
        found.append("high")
    if low is None and (high is None or as_high(high) > as_low(card)):
        found.append("low")
    return found


def effect(hand: dict[str, Any], card: str) -> str:
    """What the card does in the hand: "push", "win", "fits" or "unusable"."""
    high, low = hand["high"], hand["low"]
    joker = card in JOKERS
    for placed in (high, low):
        if placed is None or joker:
            continue
        if placed[0] == card[0] or (placed in JOKERS and card[0] == "A"):
            return "push"
    if high is not None and low is not None:
        if joker or (card[0] != "A" and as_low(low) < as_low(card) < as_high(high)):
            return "win"
        return "unusable"
    return "fits" if fitting(hand, card) else "unusable"


# Answers


NUMBERS = {
    **{"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9},
    **{"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16},
    **{"seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50},
    **{"sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90},
}


def without_article(text: str) -> list[str]:
    """The words of an answer that count for the comparison."""
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c)[0] != "M")
    text = "".join(" " if unicodedata.category(c)[0] in "PS" else c for c in text.casefold())
    words = text.split()
    if len(words) > 1 and words[0] in ("a", "an", "the"):
        words = words[1:]
    return words


def plain(text: str) -> str:
    """What is left of an answer for the comparison."""
    return "".join(without_article(text))


def with_digits(text: str) -> list[str]:
    """The words of an answer as the fair judge compares them."""
    return [str(NUMBERS[word]) if word in NUMBERS else word for word in without_article(text)]


def is_within(some: list[str], more: list[str]) -> bool:
    """Are they there, side by side in the same order, with one among them that says something?"""
    for start in range(len(more) - len(some) + 1):
        if all(more[start + i] == word for i, word in enumerate(some)):
            return any(len(word) > 2 or all(unicodedata.category(c) == "Nd" for c in word) for word in some)
    return False


def distance(one: str, other: str) -> int:
    """The Levenshtein distance."""
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        before, row = row, [i]
        for j, right in enumerate(other, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right)))
    return row[-1]


def verdict(state: State, text: str) -> str:
    """What the game itself thinks of an answer: "right", "wrong", or "ask" where the host decides."""
    given = plain(text)
    if given == "":
        return "wrong"
    answers = [plain(answer) for answer in state["answers"]]
    if given in answers:
        return "right"
    if state["judge"] == "host":
        return "ask"
    if state["judge"] == "fair":
        said = with_digits(text)
        accepted = [with_digits(answer) for answer in state["answers"]]
        if said in accepted:
            return "right"
        if any(is_within(said, words) or is_within(words, said) for words in accepted):
            return "ask"
    if state["judge"] in ("near", "fair"):
        for answer in answers:
            allowed = 2 if len(answer) >= 9 else 1 if len(answer) >= 5 else 0
            if allowed and distance(given, answer) <= allowed:
                return "ask"
    return "wrong"


# The state.  Tuples never change and are shared between its copies.


def new_state(header: Line) -> State:
    players = list(header["players"])
    options = header.get("options", {})
    state: State = {
        "seed": header["seed"],
        "players": players,
        "champion_wins": options.get("champion_wins", 0),
        "judge": options.get("judge", "near"),
        "dry": options.get("dry", 0),
        "questions": tuple(tuple(question["answers"]) for question in options.get("questions", [])),
        "winnings": dict.fromkeys(players, 0),
        "payments": 0,
        "reached": dict.fromkeys(players, 0),
        "late": dict.fromkeys(players, False),
        "withdrawn": [],
        "codes": dict.fromkeys(players),
        "cut": None,
        "stock": shuffled(header["seed"], "deck", WITH_JOKERS),
        "reshuffles": 0,
        "asked": 0,
        "answers": (),
        "set": 0,
        "round_winners": {},
        "second_order": [],
        "long_first": False,
        "bank": None,
        "bet": None,
        "shown": [],
        "opened": [],
        "bonus": 0,
        "winner": None,
        "turn": None,
        "head_cards": 0,
    }
    lay_round(state, 1, players)
    state["phase"] = "setup"
    return state


def lay_round(state: State, number: int, order: list[str]) -> None:
    state["round"] = number
    state["question"] = 0
    state["unanswered"] = 0
    state["order"] = list(order)
    state["out"] = [player for player in order if player in state["withdrawn"]]
    state["slots"] = {player: {"high": None, "low": None} for player in order}
    state["chips"] = dict.fromkeys(order, 2)
    put_away(state)


def put_away(state: State) -> None:
    """Nothing is in play, nobody has buzzed in."""
    state["card"] = None
    state["buzz"] = []
    state["target"] = None


TABLE_KEYS = "phase round question order out slots chips card buzz target bank bet shown opened".split()


def table_of(state: State) -> dict[str, Any]:
    table = {key: copied(state[key]) for key in TABLE_KEYS}
    table["remaining"] = len(state["stock"])
    return table


def waiting_of(state: State) -> list[str]:
    if state["phase"] == "over":
        return []
    if state["phase"] in ("judging", "ask"):
        return ["host"]
    if state["phase"] == "setup":
        return [player for player in state["players"] if missing(state, player)]
    return [state["turn"]]


def missing(state: State, player: str) -> list[str]:
    """What the player has still to send before round 1."""
    if player in state["withdrawn"]:
        return []
    found = [] if state["codes"][player] is not None else ["codes"]
    if player == state["players"][0] and state["cut"] is None:
        found.append("cut")
    return found


def inside(state: State) -> list[str]:
    """Who is still in the round."""
    return [player for player in state["order"] if player not in state["out"]]


def is_out(state: State, player: str) -> bool:
    """Whether the episode is over for the player."""
    return player in state["withdrawn"] or (state["round"] >= 3 and player not in state["order"])


def pay(state: State, player: str, amount: int) -> None:
    state["winnings"][player] += amount
    state["payments"] += 1
    state["reached"][player] = state["payments"]


# The stock


def refill(state: State) -> None:
    """Lay a new stock if there is none."""
    if state["stock"]:
        return
    held = {card for hand in state["slots"].values() for card in hand.values()}
    state["reshuffles"] += 1
    free = [card for card in WITH_JOKERS if card not in held]
    state["stock"] = shuffled(state["seed"], f"reshuffle:{state['reshuffles']}", free)


def draw(state: State) -> str:
    refill(state)
    return str(state["stock"].pop(0))


# Before round 1


def settle_cut(state: State) -> None:
    if state["cut"] is None:
        state["cut"] = Stream(state["seed"], "cut").below(53) + 1


def leave_setup(state: State) -> None:
    """Begin round 1, if nobody is waited for."""
    if waiting_of(state):
        return
    cut = state["cut"]
    if len(state["withdrawn"]) < 3:
        state["stock"] = state["stock"][cut:] + state["stock"][:cut]
    begin_round(state, 1, state["players"])


# The rounds


def begin_round(state: State, number: int, order: list[str]) -> None:
    lay_round(state, number, order)
    left = inside(state)
    if len(left) == 1:
        win_round(state, left[0])
    elif not left and number == 2:
        third_round(state)
    elif not left:
        finish(state, None, 0)
    elif number == 2 and state["long_first"]:
        free_ace(state, order[0])
    else:
        head_start(state, 0)


def win_round(state: State, player: str) -> None:
    number = state["round"]
    put_away(state)
    pay(state, player, ROUND_PAY[number])
    state["round_winners"][number] = player
    if number == 1:
        state["long_first"] = state["question"] > 8
        two = [other for other in state["players"] if other != player]
        two.sort(key=lambda other: (-state["winnings"][other], state["reached"][other]))
        state["second_order"] = two
        begin_round(state, 2, two)
    elif number == 2:
        third_round(state)
    else:
        begin_bonus(state, player)


def third_round(state: State) -> None:
    begin_round(state, 3, [state["round_winners"][n] for n in (1, 2) if n in state["round_winners"]])


def leave_round(state: State, player: str) -> bool:
    """Put the player out of the round; whether that was the end of it."""
    state["out"] = [one for one in state["order"] if one == player or one in state["out"]]
    left = inside(state)
    if len(left) == 1:
        win_round(state, left[0])
        return True
    return False


def free_ace(state: State, player: str) -> None:
    state["phase"] = "free-ace"
    state["turn"] = player
    state["card"] = FREE_ACE


def take_free_ace(state: State, slot: str) -> None:
    player = state["turn"]
    state["slots"][player][slot] = FREE_ACE
    state["card"] = None
    if player == state["order"][0]:
        free_ace(state, state["order"][1])
    else:
        head_start(state, 0)


def head_start(state: State, place: int) -> None:
    """The head start of the player at that place of the order, or of the next who is there."""
    state["card"] = None
    while place < len(state["order"]):
        state["turn"] = state["order"][place]
        if state["turn"] not in state["out"]:
            state["head_cards"] = 0
            head_card(state)
            return
        place += 1
    next_question(state)


def next_head_start(state: State) -> None:
    head_start(state, state["order"].index(state["turn"]) + 1)


def head_card(state: State) -> None:
    player = state["turn"]
    while state["head_cards"] < 2:
        state["head_cards"] += 1
        state["card"] = draw(state)
        if effect(state["slots"][player], state["card"]) != "push":
            state["phase"] = "head-start"
            return
        pay(state, player, ANSWER_PAY[state["round"]])
    next_head_start(state)


# Questions


def next_question(state: State) -> None:
    put_away(state)
    state["question"] += 1
    state["asked"] += 1
    state["turn"] = None
    if state["questions"]:
        answers, *rest = state["questions"]
        state["questions"] = tuple(rest)
        put_question(state, answers)
    else:
        state["phase"] = "ask"


def put_question(state: State, answers: tuple[str, ...]) -> None:
    state["phase"] = "question"
    state["answers"] = answers
    target = Stream(state["seed"], f"target:{state['asked']}").below(100) + 1
    state["target"] = target
    players = [player for player in state["players"] if player in inside(state)]
    for _ in range(30):
        away = {player: abs(state["codes"][player][state["set"]] - target) for player in players}
        state["set"] = (state["set"] + 1) % 30
        if len(set(away.values())) == len(players):
            break
    state["buzz"] = sorted(players, key=lambda player: away[player])
    state["turn"] = state["buzz"][0]


def next_nearest(state: State) -> None:
    """The one who was asked did not get it."""
    at = state["buzz"].index(state["turn"])
    for player in state["buzz"][at + 1 :]:
        if player not in state["out"]:
            state["turn"] = player
            state["phase"] = "question"
            return
    state["unanswered"] += 1
    if state["unanswered"] == state["dry"]:
        take_control(state, next(player for player in state["buzz"] if player not in state["out"]))
    else:
        next_question(state)


def right_answer(state: State) -> None:
    player = state["turn"]
    pay(state, player, ANSWER_PAY[state["round"]])
    take_control(state, player)


def take_control(state: State, player: str) -> None:
    state["turn"] = player
    state["unanswered"] = 0
    if state["question"] >= 6:
        show(state, player, "free-look")
    else:
        second_step(state)


def second_step(state: State) -> None:
    """After the free look, or without one."""
    player = state["turn"]
    if state["chips"][player]:
        show(state, player, "peek")
    else:
        refill(state)
        state["card"] = None
        state["phase"] = "no-peek"


def show(state: State, player: str, phase: str) -> None:
    """Turn the next card for the player, who is asked in the phase if there is a choice."""
    state["turn"] = player
    state["card"] = draw(state)
    happens = effect(state["slots"][player], state["card"])
    if happens == "push":
        pay(state, player, ANSWER_PAY[state["round"]])
        next_question(state)
    elif happens == "win":
        win_round(state, player)
    elif phase == "free-look":
        if happens == "fits":
            state["phase"] = phase
        else:
            second_step(state)
    elif happens == "unusable":
        if state["chips"][player] and phase != "keep":
            discard(state)
        elif not leave_round(state, player):
            next_question(state)
    else:
        slots = fitting(state["slots"][player], state["card"])
        without = phase == "keep" or not state["chips"][player]
        if without and len(slots) == 1:
            place(state, slots[0])
        else:
            state["phase"] = "place" if phase == "keep" else phase


def discard(state: State) -> None:
    state["chips"][state["turn"]] -= 1
    next_question(state)


def place(state: State, slot: str) -> None:
    player = state["turn"]
    state["slots"][player][slot] = state["card"]
    pay(state, player, PLACE_PAY[state["round"]])
    if state["phase"] == "head-start":
        next_head_start(state)
    else:
        next_question(state)


# Leaving


def withdraw(state: State, player: str) -> None:
    """A resignation, or the second timeout in a row, of somebody who is not out."""
    state["withdrawn"].append(player)
    phase = state["phase"]
    if phase == "setup":
        if player == state["players"][0]:
            settle_cut(state)
        leave_setup(state)
        return
    if state["round"] == 4:
        finish(state, player, 0)
        return
    if player not in inside(state) or leave_round(state, player) or player != state["turn"]:
        return
    if phase == "head-start":
        next_head_start(state)
    elif phase in ("question", "judging"):
        next_nearest(state)
    else:
        next_question(state)


def timeout(state: State, player: str) -> None:
    if state["late"][player] or state["round"] == 4:
        withdraw(state, player)
        return
    state["late"][player] = True
    phase = state["phase"]
    if phase == "setup":
        seat = state["players"].index(player)
        if state["codes"][player] is None:
            state["codes"][player] = drawn_codes(state["seed"], seat)
        if seat == 0:
            settle_cut(state)
        leave_setup(state)
    elif phase == "free-ace":
        take_free_ace(state, "high")
    elif phase == "head-start":
        next_head_start(state)
    elif phase == "question":
        next_nearest(state)
    elif phase == "free-look":
        second_step(state)
    elif phase == "peek":
        discard(state)
    elif phase == "no-peek":
        state["stock"].pop(0)
        next_question(state)
    elif phase == "place":
        place(state, "high")
    elif state["chips"][player]:
        discard(state)
    else:
        place(state, fitting(state["slots"][player], state["card"])[0])


# The bonus round


def begin_bonus(state: State, player: str) -> None:
    lay_round(state, 4, [player])
    state["slots"] = {}
    state["chips"] = {}
    state["winner"] = player
    state["turn"] = player
    state["stock"] = shuffled(state["seed"], "bonus:deck", WITH_JOKERS)
    state["bank"] = 1500
    state["helped"] = False
    state["suit_boards"] = 0
    lay_suits(state)
    begin_hand(state, 1)


def lay_suits(state: State) -> None:
    state["suit_boards"] += 1
    things = shuffled(state["seed"], f"bonus:suits:{state['suit_boards']}", ["chance", "no", "no", "again"])
    state["suits"] = dict(zip(SUITS, things, strict=True))
    state["opened"] = []


def begin_hand(state: State, hand: int) -> None:
    state["question"] = hand
    if hand == 5:
        state["bank"] += 1000
    state["board"] = tuple(shuffled(state["seed"], f"bonus:{hand}:board", BOARD))
    state["shown"] = []
    state["bet"] = None
    state["card"] = None
    state["phase"] = "choose"


def bonus_card(state: State) -> str:
    """What the next card makes of the bet: "won", "push" or "lost"."""
    card = state["card"] = state["stock"].pop(0)
    high, low = state["high"], state["low"]
    if card in JOKERS:
        return "won"
    if card[0] in (high, low):
        return "lost" if "Devil" in state["shown"] else "push"
    if card[0] != "A" and as_low(low) < as_low(card) < as_high(high):
        return "won"
    return "lost"


def place_bet(state: State, amount: int, high: str, low: str) -> None:
    state["high"] = high
    state["low"] = low
    state["bet"] = amount
    outcome = bonus_card(state)
    if outcome == "lost":
        state["phase"] = "suit"
    else:
        end_hand(state, amount if outcome == "won" else 0)


def open_suit(state: State, suit: str) -> None:
    state["opened"].append(suit)
    found = [state["suits"][one] for one in state["opened"]]
    if found[-1] == "again":
        return
    change = -state["bet"]
    if found[-1] == "chance":
        change = {"won": state["bet"], "push": 0, "lost": change}[bonus_card(state)]
    if "chance" in found or found.count("no") == 2:
        lay_suits(state)
    end_hand(state, change)


def end_hand(state: State, change: int) -> None:
    state["bank"] += change
    hand = state["question"] + 1
    if hand == 6:
        finish(state, state["winner"], state["bank"] * MULTIPLIERS.get(day_of(state), 1))
        return
    if hand <= 4 and state["bank"] < 250:
        if state["helped"]:
            hand = 5
        else:
            state["helped"] = True
            state["bank"] += 500
    begin_hand(state, hand)


def day_of(state: State) -> int:
    return int(state["champion_wins"]) + 1 if state["winner"] == state["players"][0] else 1


def finish(state: State, winner: str | None, bonus: int) -> None:
    state["winner"] = winner
    state["bonus"] = bonus
    if winner is not None:
        state["winnings"][winner] += bonus
    put_away(state)
    state["bet"] = None
    state["shown"] = []
    state["turn"] = None
    state["phase"] = "over"


def result_of(state: State) -> dict[str, Any]:
    winner = state["winner"]
    retired = winner is not None and day_of(state) == 5
    consolation = None
    if winner is not None and 2 in state["round_winners"]:
        consolation = next(player for player in state["second_order"] if player != state["round_winners"][2])
        if consolation == state["players"][0] and state["champion_wins"]:
            consolation = None
    return {
        "winner": winner,
        "champion": None if retired else winner,
        "winnings": dict(state["winnings"]),
        "consolation": consolation,
        "bonus": state["bonus"],
        "day": None if winner is None else day_of(state),
        "retired": retired,
    }


# Lines


def number_of(word: str) -> int | None:
    return int(word) if re.fullmatch("[0-9]+", word) else None


def apply_line(state: State, line: Line) -> str | None:
    """Change the state by one line that is not `back_to`; the reason, where the line is refused."""
    if state["phase"] == "over":
        return "The episode is over."
    if "timeout" in line:
        player = line["timeout"]
        if player == "host" or player not in waiting_of(state):
            return "No deadline of theirs is running."
        timeout(state, player)
        return None
    sender = line.get("from")
    say = str(line.get("say", "")).strip()
    word, _, rest = say.partition(" ")
    if sender == "host":
        return host_command(state, word.lower(), rest.strip())
    if sender not in state["players"]:
        return "Nobody of that name plays."
    return player_command(state, str(sender), word.lower(), rest.strip())


def host_command(state: State, word: str, rest: str) -> str | None:
    if word in ("right", "wrong") and not rest and state["phase"] == "judging":
        if word == "right":
            right_answer(state)
        else:
            next_nearest(state)
        return None
    if word == "ask" and state["phase"] == "ask":
        prompt, _, tail = rest.rpartition("=")
        answers = [answer.strip() for answer in tail.split("|")]
        if not prompt.strip() or not all(answers):
            return "A question needs a text and answers that are not empty."
        put_question(state, tuple(answers))
        return None
    return "The host cannot do that now."


def player_command(state: State, player: str, word: str, rest: str) -> str | None:
    if word in ("status", "rules", "help") and not rest:
        return None
    if is_out(state, player):
        return "They are out."
    if word == "resign" and not rest:
        withdraw(state, player)
        return None
    if state["phase"] == "setup":
        error = setup_command(state, player, word, rest)
    elif player not in waiting_of(state):
        error = "The game is not waiting for them."
    elif state["round"] == 4:
        error = bonus_command(state, word, rest.split())
    else:
        error = round_command(state, player, word, rest)
    if error is None:
        state["late"][player] = False
    return error


def setup_command(state: State, player: str, word: str, rest: str) -> str | None:
    if word not in missing(state, player):
        return "Nothing of the kind is expected from them."
    if word == "cut":
        number = number_of(rest)
        if number is None or not 1 <= number <= 53:
            return "A cut is from 1 to 53."
        state["cut"] = number
    elif rest.lower() == "random":
        state["codes"][player] = drawn_codes(state["seed"], state["players"].index(player))
    else:
        codes = [number_of(one) for one in rest.split()]
        if len(codes) != 30 or any(code is None or not 1 <= code <= 100 for code in codes):
            return "Thirty numbers from 1 to 100 are needed."
        state["codes"][player] = tuple(codes)
    leave_setup(state)
    return None


def choices(state: State) -> list[str]:
    """The words that the player who is asked can say about a card that is shown."""
    player = state["turn"]
    phase = state["phase"]
    if phase == "free-ace":
        return ["high", "low"]
    found = fitting(state["slots"][player], state["card"])
    if phase in ("head-start", "free-look"):
        found.append("refuse")
    elif phase == "peek" or (phase == "passed" and state["chips"][player]):
        found.append("discard")
    return found


def round_command(state: State, player: str, word: str, rest: str) -> str | None:
    phase = state["phase"]
    if phase == "question":
        return question_command(state, word, rest)
    if phase == "no-peek":
        return no_peek_command(state, player, word, rest)
    if rest or word not in choices(state):
        return "They cannot do that with this card."
    if phase == "free-ace":
        take_free_ace(state, word)
    elif word in ("high", "low"):
        place(state, word)
    elif word == "discard":
        discard(state)
    elif phase == "free-look":
        second_step(state)
    else:
        head_card(state)
    return None


def question_command(state: State, word: str, rest: str) -> str | None:
    if word == "skip" and not rest:
        next_nearest(state)
        return None
    if word != "answer" or not rest:
        return "An answer is wanted."
    opinion = verdict(state, rest)
    if opinion == "right":
        right_answer(state)
    elif opinion == "wrong":
        next_nearest(state)
    else:
        state["phase"] = "judging"
    return None


def no_peek_command(state: State, player: str, word: str, rest: str) -> str | None:
    if word == "keep" and not rest:
        show(state, player, "keep")
        return None
    colour = rest.lower()
    if word != "pass" or colour not in COLOURS:
        return "The card can be kept or passed."
    receiver = state["players"][COLOURS.index(colour)]
    if receiver == player or receiver not in inside(state):
        return "The card cannot go to them."
    show(state, receiver, "passed")
    return None


def bonus_command(state: State, word: str, rest: list[str]) -> str | None:
    phase = state["phase"]
    if word == phase == "choose":
        places = [number_of(one) for one in rest]
        if len(places) != 4 or len(set(places)) != 4 or any(p is None or not 1 <= p <= 15 for p in places):
            return "Four different places from 1 to 15 are needed."
        state["shown"] = [state["board"][p - 1] for p in places if p is not None]
        state["phase"] = "bet"
        return None
    if word == phase == "bet":
        if len(rest) != 3:
            return "A bet is an amount, a high card and a low card."
        amount = number_of(rest[0])
        high, low = rest[1].upper(), rest[2].upper()
        if amount is None or not bet_allowed(state, amount):
            return "That amount cannot be bet."
        if (high, low) not in pairs(state):
            return "Those two cards do not do."
        place_bet(state, amount, high, low)
        return None
    if word == phase == "suit":
        suit = rest[0].lower() if len(rest) == 1 else ""
        if suit not in list(SUITS) or suit in state["opened"]:
            return "That suit cannot be opened."
        open_suit(state, suit)
        return None
    return "That is not legal now."


def bet_allowed(state: State, amount: int) -> bool:
    bank = int(state["bank"])
    if state["question"] == 5:
        return amount % 25 == 0 and bank <= 2 * amount and amount <= bank
    return amount % 50 == 0 and 250 <= amount <= bank


def pairs(state: State) -> list[tuple[str, str]]:
    """The high and low cards that can be named."""
    cards = [card for card in state["shown"] if card != "Devil"]
    return [
        (high, low)
        for i, high in enumerate(cards)
        for j, low in enumerate(cards)
        if i != j and as_high(high) > as_low(low)
    ]


def winnings_of(state: State) -> dict[str, int]:
    won: dict[str, int] = state["winnings"]
    return won


PLAY = Play(new_state, apply_line, waiting_of, winnings_of, table_of, result_of)


def replay(lines: list[Line]) -> list[Row]:
    """The rows that a replay of the record prints, without the file's name."""
    return rows_of(PLAY, lines)


# Random records

QUESTIONS = [
    ("The city with the Eiffel Tower", ["Paris"]),
    ("Which insect makes honey", ["a bee", "the honey-bee", "bees"]),
    ("Solve 3x = 12", ["4", "four"]),
    ("Lewis Carroll's girl", ["Alice", "Alice in Wonderland"]),
    ("The longest word of the weather report", ["thunderstorm"]),
    ("A drink with foam", ["cappuccino", "café crème"]),
    ("Munich in German", ["München"]),
    ("Big in German", ["groß"]),
    ("How many are a hundred and eleven squared", ["12321"]),
    ("A vowel", ["a", "e", "i", "o", "u"]),
    ("Article in front of a consonant", ["a", "the"]),
    ("A sign of surprise", ["!", "exclamation mark"]),
    ("Three letters for a feline", ["cat"]),
    ("A card game with a split", ["Split Decision", "decision"]),
    ("Shop that sells $ and € notes", ["Bureau de change", "bank & trust"]),
    ("The keeper of the light", ["the lighthouse keeper"]),
    ("Seven times eight", ["fifty-six"]),
    ("The jury in the film", ["12 angry men"]),
    ("Colours of the rainbow", ["seven"]),
    ("The dozen of a baker", ["13 loaves", "a baker's dozen"]),
    ("A fairy tale with bears", ["Goldilocks and the Three Bears"]),
]
PLAY_STYLES = ["wide", "wide", "wide", "tight", "tight", "random", "random", "never"]


def random_record(number: int) -> list[dict[str, Any]]:
    """A record, mostly legal lines, always the same for the same number.

    The play looks at hidden cards where that helps to reach the rarer states.
    """
    rng = random.Random(number)
    players = rng.sample(NAMES, 3)
    header: Line = {
        "format": FORMAT,
        "game": "split-decision",
        "seed": f"{rng.getrandbits(256):064x}",
        "players": players,
        "options": make_options(rng),
    }
    plan = make_plan(rng, players)
    if header["options"].get("dry") and rng.random() < 0.4:
        plan["right"] = rng.choice([0.0, 0.1, 0.2])
    lines = [header]
    episode = Episode(PLAY, header)

    def add(line: Line) -> None:
        lines.append(line)
        episode.feed(line)

    went_back = 0
    while len(lines) < plan["longest"]:
        state = episode.state
        if state["phase"] == "over":
            while rng.random() < 0.4:
                add(refused_line(rng, episode, doubtful_line))
            if went_back < 3 and rng.random() < 0.1:
                went_back += 1
                add({"back_to": rng.randint(1, len(lines))})
                continue
            break
        if plan["burn"] and state["reshuffles"] >= plan["burn"]:
            plan.update(burn=0, no_peek=["keep", "pass"], styles=dict.fromkeys(players, "wide"))
        chance = rng.random()
        if chance < plan["refused"]:
            add(refused_line(rng, episode, doubtful_line))
        elif chance < plan["refused"] + 0.03:
            say = rng.choice(["status", "rules", "help"])
            add({"from": rng.choice(players), "say": dress(rng, say)})
        elif chance < plan["refused"] + 0.034 and went_back < 3:
            went_back += 1
            add({"back_to": rng.randint(1, len(lines))})
        elif rng.random() < plan["stop"]:
            break
        else:
            add(leaving_line(rng, state, plan) or good_line(rng, state, plan))
    return lines


def make_options(rng: random.Random) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if rng.random() < 0.9:
        options["champion_wins"] = rng.choice([0, 0, 1, 2, 3, 3, 4, 4])
    if rng.random() < 0.85:
        options["judge"] = rng.choice(["near", "near", "host", "host", "auto", "fair", "fair", "fair"])
    if rng.random() < 0.8:
        many = rng.choice([0, 1, 5, 12, 60, 60, 60])
        pool = [rng.choice(QUESTIONS) for _ in range(many)]
        options["questions"] = [{"ask": prompt, "answers": list(answers)} for prompt, answers in pool]
    if rng.random() < 0.5:
        options["dry"] = rng.choice([0, 1, 1, 2, 2, 3, 4, 12])
    return options


def make_plan(rng: random.Random, players: list[str]) -> dict[str, Any]:
    """How one record is going to be played."""
    styles = {player: rng.choice(PLAY_STYLES) for player in players}
    if rng.random() < 0.4:
        styles = dict.fromkeys(players, rng.choice(PLAY_STYLES))
    plan: dict[str, Any] = {
        "styles": styles,
        "right": rng.choice([0.4, 0.7, 0.7, 0.9, 0.9]),
        "strange": rng.choice([0.2, 0.5, 0.8]),
        "judged_right": rng.choice([0.2, 0.5, 0.8]),
        "no_peek": rng.choice([["keep"], ["pass"], ["keep", "pass"], ["keep", "pass", "timeout"]]),
        "codes": rng.choice(["any", "any", "any", "same", "alike"]),
        "code_list": [rng.randint(1, 100) for _ in range(30)],
        "late": rng.choice([0.0, 0.01, 0.03, 0.05, 0.1]),
        "refused": rng.choice([0.08, 0.1, 0.12, 0.15]),
        "bets": rng.choice(["any", "all", "all", "least"]),
        "spread": rng.choice(["wide", "wide", "narrow", "narrow", "match", "any"]),
        "devil": rng.random() < 0.5,
        "stop": 0.02 if rng.random() < 0.05 else 0.0,
        "longest": 250,
        "setup_quit": {1: 0.0, 2: 0.15, 3: 0.6}.get(rng.randint(1, 12), 0.0),
        "quit": rng.choice([0.0, 0.0, 0.0, 0.005, 0.02, 0.04]),
        "quit_when": rng.choice(["", "", "passer", "second", "card", "judging", "ask", "sitting"]),
        "bonus_quit": 0.12 if rng.random() < 0.12 else 0.0,
        "silent": {},
        "burn": 0,
    }
    if rng.random() < 0.15:
        plan["silent"] = {rng.choice(players): rng.randint(1, 4)}
    kind = rng.random()
    if kind < 0.12:  # burn the whole stock, once or more
        plan["styles"] = dict.fromkeys(players, rng.choice(["tight", "never", "never"]))
        plan.update(no_peek=["timeout"], right=0.97, late=0.0, quit=0.0, quit_when="", setup_quit=0.0, silent={})
        plan.update(burn=rng.choice([1, 1, 2]), codes="any")
    elif kind < 0.3:  # throw the chips away, then play without seeing
        plan["styles"] = dict.fromkeys(players, "never")
        plan.update(no_peek=rng.choice([["pass"], ["pass", "keep"], ["keep"]]), right=0.95, setup_quit=0.0)
    return plan


def dress(rng: random.Random, say: str) -> str:
    """The same command in some case, sometimes with spaces around it."""
    say = rng.choice([say, say, say, say.upper(), say.capitalize(), say.title(), say.swapcase()])
    if rng.random() < 0.05:
        say = rng.choice([" ", "  "]) + say + rng.choice([" ", "   ", ""])
    return say


def leaving_line(rng: random.Random, state: State, plan: dict[str, Any]) -> Line | None:
    """Somebody's timeout or resignation, if it is time for one."""
    waiting = [player for player in waiting_of(state) if player != "host"]
    here = [player for player in state["players"] if not is_out(state, player)]
    phase = state["phase"]
    if state["round"] == 4:
        if rng.random() >= plan["bonus_quit"]:
            return None
        return rng.choice([{"timeout": here[0]}, {"from": here[0], "say": dress(rng, "resign")}])
    for player in waiting:
        if plan["silent"].get(player, 9) <= state["round"] and rng.random() < 0.6:
            return {"timeout": player}
    if waiting:
        player = rng.choice(waiting)
        if rng.random() < plan["late"] * (4 if state["late"][player] else 1):
            return {"timeout": player}
    quitters: list[str] = []
    if phase == "setup":
        quitters = here if rng.random() < plan["setup_quit"] else []
    elif rng.random() < plan["quit"]:
        quitters = here
    elif plan["quit_when"] and rng.random() < 0.5:
        quitters = special_quitters(state, plan["quit_when"], here)
    if not quitters:
        return None
    if rng.random() < 0.5:
        plan["quit_when"] = ""
    return {"from": rng.choice(quitters), "say": dress(rng, "resign")}


def special_quitters(state: State, when: str, here: list[str]) -> list[str]:
    """Who leaves in one of the situations that are rare."""
    phase, turn = state["phase"], state["turn"]
    if when == "second" and state["round"] == 2:
        return [player for player in here if player not in state["order"]]
    if when == "passer" and phase == "passed":
        return [player for player in inside(state) if player != turn] + [turn]
    if when == "card" and phase in ("free-look", "peek", "no-peek", "place"):
        return [turn, *inside(state)]
    if when == "judging" and phase == "judging":
        return [turn, *inside(state)]
    if when == "ask" and phase == "ask":
        return here
    if when == "sitting":
        return [player for player in state["out"] if player in here]
    return []


PHASE_WORDS = {
    "setup": ("cut", "codes"),
    "question": ("answer",),
    "ask": ("ask",),
    "no-peek": ("pass",),
    "choose": ("choose",),
    "bet": ("bet",),
    "suit": ("suit",),
    **dict.fromkeys(
        ["free-ace", "head-start", "free-look", "peek", "place", "passed"], ("high", "low", "refuse", "discard")
    ),
}


def some_codes(rng: random.Random, many: int = 30, odd: str = "") -> str:
    codes = [str(rng.randint(1, 100)) for _ in range(many)]
    if odd:
        codes[rng.randrange(many)] = odd
    return "codes " + " ".join(codes)


def wrong_values(rng: random.Random, state: State) -> list[str]:
    """Words that are never right, most of them for their numbers, colours, cards or texts."""
    wrong = ["cut 0", "cut 54", "cut 99", "cut", "cut -4", "cut 7.5", "codes", "codes 5", "answer", "ask"]
    wrong += [
        some_codes(rng, 29),
        some_codes(rng, 31),
        *(some_codes(rng, 30, odd) for odd in ("0", "101", "-7", "2.5")),
    ]
    wrong += ["ask Who", "ask Who =", "ask = Alice", "ask Who = Alice | | Bob", "ask Who = |", "pass", "pass green"]
    wrong += [f"pass {colour}" for colour in COLOURS] + ["high", "low", "refuse", "discard"]
    bank = state["bank"] or 1500
    high, low = rng.choice([*pairs(state), ("K", "4"), ("A", "A")])
    amounts = [bank + 50, bank + 25, 0, 200, 50, 260, 275, bank - 10, bank - 25, "-250", "300.5", bank // 2 - 25]
    wrong += [f"bet {amount} {high} {low}" for amount in amounts]
    for amount in (bank, bank // 100 * 50):
        wrong += [f"bet {amount} {one} {other}" for one, other in [(low, high), (high, high), ("Devil", low)]]
        wrong += [f"bet {amount} {rng.choice(RANKS)} {rng.choice(RANKS)}" for _ in range(4)]
    wrong += ["bet", f"bet {high} {low}"]
    wrong += ["choose 1 2 3", "choose 1 2 3 3", "choose 0 1 2 3", "choose 4 5 6 16", "choose 1 2 3 4 5", "choose"]
    wrong += ["choose -1 2 3 4", "choose 1.5 2 3 4", "suit x", "suit", "suit 5"]
    return wrong + [f"suit {suit}" for suit in SUITS for _ in range(3)]


def doubtful_line(rng: random.Random, episode: Episode) -> Line:
    state = episode.state
    players = state["players"]
    waiting = [player for player in waiting_of(state) if player != "host"]
    turn = rng.choice(waiting or players)
    idle = rng.choice([player for player in players if player != turn])
    anybody = rng.choice([turn, turn, idle])
    places = " ".join(map(str, rng.sample(range(1, 16), 4)))
    canonical = ["high", "low", "refuse", "discard", "keep", "skip", "answer Paris", "codes random", "resign"]
    canonical += [f"pass {rng.choice(COLOURS)}", f"cut {rng.randint(1, 53)}", f"choose {places}"]
    canonical += [f"suit {rng.choice(SUITS)}", f"bet {50 * rng.randint(5, 40)} K 4", some_codes(rng)]
    hosts = ["right", "wrong", "ask Who sang it = Alice | Bob"]
    kind = rng.randrange(14)
    if kind <= 1:
        return {"from": idle, "say": dress(rng, rng.choice(canonical))}
    if kind <= 4:
        return {"from": turn, "say": dress(rng, rng.choice(canonical))}
    if kind <= 8:
        wrong = wrong_values(rng, state)
        if rng.random() < 0.8:
            wrong = [say for say in wrong if say.split()[0] in PHASE_WORDS.get(state["phase"], ())] or wrong
        sender = rng.choice([turn, turn, turn, anybody]) if waiting else "host"
        return {"from": sender, "say": dress(rng, rng.choice(wrong))}
    if kind == 9:
        return {"from": rng.choice([anybody, anybody, "host"]), "say": rng.choice(GARBAGE)}
    if kind == 10:
        return {"from": "host", "say": dress(rng, rng.choice(["status", *canonical, *hosts * 4]))}
    if kind == 11:
        return {"from": anybody, "say": dress(rng, rng.choice(hosts))}
    if kind == 12:
        stranger = rng.choice(STRANGERS)
        if rng.random() < 0.4:
            return {"from": stranger, "say": dress(rng, rng.choice(canonical))}
        return {"timeout": rng.choice([idle, idle, "host", "host", stranger])}
    this = len(episode.states) + 1
    return {"back_to": rng.choice([0, this, this + 1, this + rng.randint(2, 50)])}


def good_line(rng: random.Random, state: State, plan: dict[str, Any]) -> Line:
    """A legal line of whoever is waited for."""
    phase = state["phase"]
    if phase == "judging":
        word = "right" if rng.random() < plan["judged_right"] else "wrong"
        return {"from": "host", "say": dress(rng, word)}
    if phase == "ask":
        prompt, answers = rng.choice(QUESTIONS)
        return {"from": "host", "say": dress(rng, f"ask {prompt} = {' | '.join(answers)}")}
    if phase == "setup":
        player = rng.choice(waiting_of(state))
        return {"from": player, "say": dress(rng, setup_words(rng, state, plan, player))}
    player = state["turn"]
    if phase == "question":
        say = answer_words(rng, state, plan)
    elif phase == "no-peek":
        move = rng.choice(plan["no_peek"])
        if move == "timeout" and not state["late"][player]:
            return {"timeout": player}
        others = [COLOURS[state["players"].index(one)] for one in inside(state) if one != player]
        say = f"pass {rng.choice(others)}" if move == "pass" else "keep"
    elif phase == "choose":
        say = choose_words(rng, state, plan)
    elif phase == "bet":
        say = bet_words(rng, state, plan)
    elif phase == "suit":
        say = f"suit {rng.choice([suit for suit in SUITS if suit not in state['opened']])}"
    else:
        say = card_word(rng, state, plan)
    return {"from": player, "say": dress(rng, say)}


def setup_words(rng: random.Random, state: State, plan: dict[str, Any], player: str) -> str:
    if rng.choice(missing(state, player)) == "cut":
        return f"cut {rng.choice([1, 53, rng.randint(1, 53), rng.randint(1, 53)])}"
    if plan["codes"] == "any":
        return rng.choice(["codes random", some_codes(rng), some_codes(rng)])
    codes = list(plan["code_list"])
    if plan["codes"] == "alike":
        for _ in range(3):
            codes[rng.randrange(30)] = rng.randint(1, 100)
    return "codes " + " ".join(map(str, codes))


def answer_words(rng: random.Random, state: State, plan: dict[str, Any]) -> str:
    answer = rng.choice(state["answers"])
    chance = rng.random()
    if chance < plan["right"]:
        return "answer " + (decorated(rng, answer) if rng.random() < plan["strange"] else answer)
    kind = rng.randrange(7)
    if kind == 0:
        return "skip"
    if kind == 6:
        return f"answer {reworded(rng, answer)}"
    if kind <= 2:
        letters = list(answer)
        for _ in range(rng.choice([1, 1, 2, 3])):
            at = rng.randrange(len(letters))
            letters[at] = rng.choice(["", "z", "5", letters[at] + "q"])
        text = "".join(letters).strip()
        return f"answer {text or 'z'}"
    if kind == 3:
        return f"answer {rng.choice(['!?', '...', '-', '€', '« »', '+ + +'])}"
    return (
        f"answer {rng.choice(['no idea', 'the', 'an', 'the a', '7', 'pass', '17, 5; or then 6 please', 'a | b = c'])}"
    )


def reworded(rng: random.Random, answer: str) -> str:
    """A part of the answer, the answer among other words, or its numbers otherwise."""
    words = answer.split()
    numbers = {word.casefold() for word in words} & {*NUMBERS, *map(str, NUMBERS.values())}
    kind = rng.choice([0, 1, 2, 3] if not numbers else [0, 1, 3, 4, 4, 4])
    if kind == 0:
        start = rng.randrange(len(words))
        return " ".join(words[start : start + rng.randint(1, 3)])
    if kind == 1:
        return (
            f"{rng.choice(['I think', 'the', 'no. 5,', 'a', 'is it'])} {answer}{rng.choice(['', ' perhaps', ', UK'])}"
        )
    if kind == 2:
        return " ".join(reversed(words))
    if kind == 3:
        return rng.choice(
            ["6", "fifty", "three", "50 six", "50-6", "56", "the 13", "of", "bears", "and the", "thirteen"]
        )
    number_words = {str(number): word for word, number in NUMBERS.items()}
    return " ".join(number_words.get(word, str(NUMBERS.get(word.casefold(), word))) for word in words)


def decorated(rng: random.Random, answer: str) -> str:
    """The same answer to whoever compares the plain texts."""
    kind = rng.randrange(8)
    if kind == 0:
        return f"the {answer}" if plain(answer) == plain(f"the {answer}") else answer
    if kind == 1:
        return f'"{answer}!"'
    if kind == 2:
        return "  ".join(answer.split())
    if kind == 3:
        return unicodedata.normalize("NFD", answer)
    if kind == 4:
        return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in answer)
    if kind == 5:
        return "".join(c + rng.choice(["", "", "\u0301", "-", "'"]) for c in answer)
    if kind == 6:
        return answer.replace("fi", "ﬁ").replace("a", "à").replace("ß", "ss")
    return answer.replace("ss", "ß").replace("-", " ")


def card_word(rng: random.Random, state: State, plan: dict[str, Any]) -> str:
    """What is done with a card that is shown."""
    legal = choices(state)
    style = plan["styles"][state["turn"]]
    slots = [word for word in legal if word in ("high", "low")]
    away = [word for word in legal if word not in slots]
    if style == "random" or rng.random() < 0.1:
        return rng.choice(legal)
    if away and style == "never":
        return away[0]
    value = as_low(state["card"]) if state["card"] != FREE_ACE else 1
    if len(slots) == 2:
        good = "high" if value >= 8 else "low"
        bad = "low" if value >= 8 else "high"
        return good if style == "wide" else bad
    hand = state["slots"][state["turn"]]
    if away and style == "wide":
        other = as_high(hand["high"]) if hand["high"] else as_low(hand["low"])
        return slots[0] if abs(other - value) >= rng.choice([2, 4, 6]) else away[0]
    return slots[0] if rng.random() < 0.5 or not away else away[0]


def choose_words(rng: random.Random, state: State, plan: dict[str, Any]) -> str:
    board = state["board"]
    places = rng.sample(range(15), 15)
    if rng.random() < 0.7:
        wanted = ["Devil"] if plan["devil"] else []
        if plan["spread"] == "match":
            wanted.append(state["stock"][0][0])
        if rng.random() < 0.3:
            wanted.append("A")
        places.sort(key=lambda place: board[place] not in wanted)
    four = places[:4]
    rng.shuffle(four)
    return "choose " + " ".join(str(place + 1) for place in four)


def bet_words(rng: random.Random, state: State, plan: dict[str, Any]) -> str:
    bank = state["bank"]
    amounts = [amount for amount in range(0, bank + 1, 25) if bet_allowed(state, amount)]
    kind = plan["bets"] if rng.random() < 0.85 else "any"
    amount = amounts[-1] if kind == "all" else amounts[0] if kind == "least" else rng.choice(amounts)
    found = pairs(state)
    rng.shuffle(found)
    found.sort(key=lambda pair: as_high(pair[0]) - as_low(pair[1]))
    high, low = rng.choice(found)
    if plan["spread"] == "wide":
        high, low = found[-1]
    elif plan["spread"] == "narrow":
        high, low = found[0]
    elif plan["spread"] == "match":
        matches = [pair for pair in found if state["stock"][0][0] in pair]
        high, low = rng.choice(matches or found)
    return f"bet {amount} {high} {low}"
