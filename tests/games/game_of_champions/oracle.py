"""A second, independent Game of Champions, kept as plain as possible: the oracle of the comparison tests.

`replay` gives the rows that a replay of one record has to print (without the file name), `normal` puts
the lists whose order is free into one order, so that two rows can be compared, and `random_record` builds
a record, refused lines included, from a number.  Only canonical commands are known here, so the records
use nothing else.  It shares no code with the real game on purpose.
"""

import random
import re
from typing import Any

from tests.games.oracle_kit import (
    DECK,
    FORMAT,
    GARBAGE,
    NAMES,
    STRANGERS,
    Episode,
    Line,
    Play,
    Row,
    State,
    dress,
    refused_line,
    rows_of,
    shuffled,
)

Unit = dict[str, Any]

FACES = "JQKA"
BEATS = {"rock": "scissors", "scissors": "paper", "paper": "rock"}
SMALL_TALK = (["status"], ["rules"], ["help"])

# Seeds whose first deal leaves somebody without a face card, and seeds whose first two deals do.
REDEAL_SEEDS = [895, 1190, 1241, 2256, 2436, 2713]
REDEAL_TWICE_SEEDS = [128906, 130677, 157649, 425460, 1064136]
# Seeds whose first deal gives somebody, or both, exactly one face card.
ONE_FACE_SEEDS = [8, 24, 33, 44, 137, 178, 310, 329, 395, 481]
BOTH_ONE_FACE_SEEDS = [132688, 137523, 283331, 552663, 607620]
# Seeds that end in a standstill of equal sums, if the player of seat 0 deals and both only ever fortify.
EQUAL_SEEDS = [98, 119, 145, 237, 252, 286, 326, 389, 415, 564]


# Cards


def is_face(card: str) -> bool:
    return card[0] in FACES


def worth(card: str) -> int:
    return 10 if card[0] == "T" else int(card[0])


def faces_of(cards: list[str]) -> list[str]:
    return [card for card in cards if is_face(card)]


def numbers_of(cards: list[str]) -> list[str]:
    return [card for card in cards if not is_face(card)]


def card_of(word: str) -> str | None:
    card = word[:1].upper() + word[1:].lower()
    return card if card in DECK else None


def strength(card: str, attacker: str | None) -> int:
    """What a card counts in a flip; `attacker` is the commander over it, if it attacks."""
    if attacker is not None and attacker[0] == "J" and card[0] == "2":
        return 10
    return worth(card)


# The state


def new_state(header: Line) -> State:
    players = list(header["players"])
    return {
        "seed": header["seed"],
        "players": players,
        "winnings": dict.fromkeys(players, 0),
        "phase": "roshambo",
        "match": "dealer",  # what the running match decides: dealer, first, flip or standstill
        "dealer": None,
        "turn": None,
        "winner": None,
        "ending": None,
        "deal": 0,
        "hands": {player: [] for player in players},
        "army": {player: [] for player in players},
        "casualties": {player: [] for player in players},
        "gone": {player: [] for player in players},
        "queue": {player: [] for player in players},
        "reserve": [],
        "drawn": None,
        "ends_turn": False,  # whether placing the drawn card ends the turn
        "sent": dict.fromkeys(players),  # deployments, later battle orders
        "used": [],  # the advantages of this turn
        "holds": 0,
        "battle": None,
        "fresh": [],  # the attacker's cards that have not fought yet
        "round": [],  # the defender's living cards, next to fight first
        "flip": None,  # the two cards of a tie
        "owed": 0,  # flips that were asked for and not made yet
    }


def table_of(state: State) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key in ("phase", "dealer", "turn", "hands", "army", "casualties", "gone", "reserve", "drawn", "battle"):
        table[key] = state[key]  # no copy: the states of an episode never change
    table["queued"] = {player: len(queue) for player, queue in state["queue"].items()}
    return table


def waiting_of(state: State) -> list[str]:
    phase = state["phase"]
    if phase == "over":
        return []
    if phase == "roshambo":
        return [player for player in state["players"] if not state["queue"][player]]
    if phase in ("deploy", "order"):
        return [player for player in state["players"] if state["sent"][player] is None]
    return [state["turn"]]


def other_of(state: State, player: str) -> str:
    first, second = state["players"]
    return str(second if player == first else first)


def units_of(state: State, player: str) -> list[Unit]:
    units: list[Unit] = state["army"][player]
    return units


def unit_of(state: State, player: str, commander: str) -> Unit | None:
    return next((unit for unit in units_of(state, player) if unit["commander"] == commander), None)


def holder_of(state: State, player: str, card: str) -> Unit | None:
    """The unit of the player in which a number card lies."""
    return next((unit for unit in units_of(state, player) if card in unit["cards"]), None)


def battalions_of(state: State, player: str) -> list[Unit]:
    return [unit for unit in units_of(state, player) if unit["cards"]]


def bare_of(state: State, player: str) -> list[str]:
    return [unit["commander"] for unit in units_of(state, player) if not unit["cards"]]


def total_of(state: State, player: str) -> int:
    return sum(worth(card) for unit in units_of(state, player) for card in unit["cards"])


# Roshambo


def start_match(state: State, decides: str) -> None:
    state["phase"] = "roshambo"
    state["match"] = decides


def play_matches(state: State) -> None:
    """As long as a match is on and both sides have a throw, take one of each."""
    first, second = state["players"]
    queue = state["queue"]
    while state["phase"] == "roshambo" and queue[first] and queue[second]:
        one, two = queue[first].pop(0), queue[second].pop(0)
        if one != two:
            match_won(state, first if BEATS[one] == two else second)


def match_won(state: State, winner: str) -> None:
    decides = state["match"]
    state["match"] = None
    if decides == "dealer":
        state["dealer"] = winner
        deal(state)
    elif decides == "first":
        start_turn(state, winner)
    elif decides == "flip":
        end_flip(state, winner == state["turn"])
        flip_on(state)
    else:
        finish(state, winner, "standstill by a match")


# The opening


def deal(state: State) -> None:
    dealer = state["dealer"]
    other = other_of(state, dealer)
    while True:
        state["deal"] += 1
        deck = shuffled(state["seed"], f"deal:{state['deal']}")
        hands = {other: deck[0:30:2], dealer: deck[1:30:2]}
        if all(faces_of(hand) and numbers_of(hand) for hand in hands.values()):
            break
    state["hands"] = {player: hands[player] for player in state["players"]}
    state["reserve"] = deck[30:]
    state["phase"] = "deploy"
    for player in state["players"]:
        faces = faces_of(hands[player])
        if len(faces) == 1:
            state["sent"][player] = [{"commander": faces[0], "cards": numbers_of(hands[player])}]
    after_deployment(state)


def after_deployment(state: State) -> None:
    first, second = state["players"]
    if state["sent"][first] is None or state["sent"][second] is None:
        return
    count = {player: len(faces_of(state["hands"][player])) for player in state["players"]}
    state["army"] = {player: state["sent"][player] for player in state["players"]}
    state["hands"] = {player: [] for player in state["players"]}
    state["sent"] = dict.fromkeys(state["players"])
    if count[first] == count[second]:
        start_match(state, "first")
    else:
        start_turn(state, first if count[first] < count[second] else second)


def deploy(state: State, player: str, cards: list[str]) -> str | None:
    hand = state["hands"][player]
    if len(set(cards)) < len(cards):
        return "A card is named twice."
    if not set(cards) <= set(hand):
        return "A card is not in the hand."
    if not set(numbers_of(hand)) <= set(cards):
        return "A number card is missing."
    if not is_face(cards[0]):
        return "A deployment begins with a face card."
    units: list[Unit] = []
    for card in cards:
        if is_face(card):
            units.append({"commander": card, "cards": []})
        else:
            units[-1]["cards"].append(card)
    units += [{"commander": card, "cards": []} for card in faces_of(hand) if card not in cards]
    state["sent"][player] = units
    after_deployment(state)
    return None


# Turns


def start_turn(state: State, player: str) -> None:
    state["turn"] = player
    state["used"] = []
    draw(state, False)


def draw(state: State, ends_turn: bool) -> None:
    """The top card of the reserve pile, if there is one, finds its place or waits for it."""
    army = state["army"][state["turn"]]
    if state["reserve"]:
        card = state["reserve"].pop(0)
        if is_face(card):
            army.append({"commander": card, "cards": []})
        elif len(army) == 1:
            army[0]["cards"].append(card)
        else:
            state["drawn"] = card
            state["ends_turn"] = ends_turn
            state["phase"] = "place"
            return
    after_draw(state, ends_turn)


def after_draw(state: State, ends_turn: bool) -> None:
    if ends_turn:
        start_turn(state, other_of(state, state["turn"]))
    else:
        state["phase"] = "turn"


def place(state: State, player: str, cards: list[str]) -> str | None:
    unit = unit_of(state, player, cards[0]) if len(cards) == 1 else None
    if unit is None:
        return "A drawn card is placed under one commander of one's own."
    unit["cards"].append(state["drawn"])
    state["drawn"] = None
    after_draw(state, state["ends_turn"])
    return None


def general(state: State, player: str, cards: list[str]) -> str | None:
    if "general" in state["used"]:
        return "The general has moved in this turn."
    if not any(unit["commander"][0] == "K" for unit in battalions_of(state, player)):
        return "No battalion is under a king."
    if len(cards) not in (2, 4, 6):
        return "One, two or three cards move, each to a commander."
    moved = cards[0::2]
    if len(set(moved)) < len(moved):
        return "A card moves once only."
    steps = []
    for card, commander in zip(moved, cards[1::2], strict=True):
        source, target = holder_of(state, player, card), unit_of(state, player, commander)
        if source is None or target is None:
            return "The general moves one's own number cards to one's own commanders."
        if source["commander"] == commander:
            return "The card lies there already."
        steps.append((card, source, target))
    for card, source, target in steps:
        source["cards"].remove(card)
        target["cards"].append(card)
    state["used"].append("general")
    return None


def spy(state: State, player: str, cards: list[str]) -> str | None:
    if "spy" in state["used"]:
        return "The spy has been out in this turn."
    if not any(unit["commander"][0] == "A" for unit in battalions_of(state, player)):
        return "No battalion is under an ace."
    if len(cards) != 2:
        return "The spy swaps two cards."
    other = other_of(state, player)
    one, two = holder_of(state, other, cards[0]), holder_of(state, other, cards[1])
    if one is None or two is None or one["commander"] == two["commander"]:
        return "The spy swaps number cards of two battalions of the opponent."
    one["cards"].remove(cards[0])
    two["cards"].remove(cards[1])
    one["cards"].append(cards[1])
    two["cards"].append(cards[0])
    state["used"].append("spy")
    return None


def trade(state: State, player: str, cards: list[str]) -> str | None:
    if len(cards) != 1 or cards[0] not in bare_of(state, player):
        return "One bare commander of one's own can be traded."
    if not state["reserve"]:
        return "The reserve pile is empty."
    dismiss(state, player, cards[0])
    draw(state, False)
    return None


def dismiss(state: State, player: str, commander: str) -> None:
    """A commander goes out of the game."""
    state["army"][player] = [unit for unit in state["army"][player] if unit["commander"] != commander]
    state["gone"][player].append(commander)


def hold(state: State, player: str) -> str | None:
    if state["reserve"]:
        return "There are cards in the reserve pile."
    state["holds"] += 1
    if state["holds"] < 6:
        start_turn(state, other_of(state, player))
        return None
    first, second = state["players"]
    difference = total_of(state, first) - total_of(state, second)
    state["turn"] = None
    if difference == 0:
        start_match(state, "standstill")
    else:
        finish(state, first if difference > 0 else second, "standstill by the sum")
    return None


# Battles


def attack(state: State, player: str, cards: list[str]) -> str | None:
    other = other_of(state, player)
    if len(cards) != 2:
        return "An attack names two commanders."
    mine, theirs = unit_of(state, player, cards[0]), unit_of(state, other, cards[1])
    if mine is None or theirs is None or not mine["cards"] or not theirs["cards"]:
        return "A battalion of one's own attacks a battalion of the opponent."
    state["holds"] = 0
    state["battle"] = {"attacker": cards[0], "defender": cards[1], "flips": 0}
    state["phase"] = "order"
    for owner, unit in ((player, mine), (other, theirs)):
        state["sent"][owner] = list(unit["cards"]) if len(unit["cards"]) == 1 else None
    after_order(state)
    return None


def own_battalion(state: State, player: str) -> Unit:
    """The player's battalion in the battle that is on."""
    side = "attacker" if player == state["turn"] else "defender"
    unit = unit_of(state, player, state["battle"][side])
    assert unit is not None
    return unit


def order(state: State, player: str, cards: list[str]) -> str | None:
    if sorted(cards) != sorted(own_battalion(state, player)["cards"]):
        return "The order names every card of the battalion once."
    state["sent"][player] = cards
    after_order(state)
    return None


def after_order(state: State) -> None:
    attacker = state["turn"]
    defender = other_of(state, attacker)
    if state["sent"][attacker] is None or state["sent"][defender] is None:
        return
    state["fresh"], state["round"] = list(state["sent"][attacker]), list(state["sent"][defender])
    state["sent"] = dict.fromkeys(state["players"])
    state["owed"] = 1
    flip_on(state)


def flip_on(state: State) -> None:
    """Make the flips that are owed, as far as there are cards, up to the next tie."""
    battle = state["battle"]
    while state["owed"] and state["fresh"] and state["round"]:
        state["owed"] -= 1
        battle["flips"] += 1
        mine, theirs = state["fresh"].pop(0), state["round"].pop(0)
        state["flip"] = [mine, theirs]
        difference = strength(mine, battle["attacker"]) - strength(theirs, None)
        if difference == 0:
            start_match(state, "flip")
            return
        end_flip(state, difference > 0)
    state["owed"] = 0
    if state["fresh"] and state["round"]:
        state["phase"] = "battle"
    else:
        end_battle(state)


def end_flip(state: State, attacker_wins: bool) -> None:
    mine, theirs = state["flip"]
    attacker = state["turn"]
    loser = other_of(state, attacker) if attacker_wins else attacker
    lost = theirs if attacker_wins else mine
    if not attacker_wins:
        state["round"].append(theirs)
    own_battalion(state, loser)["cards"].remove(lost)
    state["casualties"][loser].append(lost)
    state["flip"] = None


def end_battle(state: State) -> None:
    attacker = state["turn"]
    defender = other_of(state, attacker)
    commander = state["battle"]["attacker"]
    for player in (attacker, defender):
        unit = own_battalion(state, player)
        if not unit["cards"]:
            dismiss(state, player, unit["commander"])
    state["battle"] = None
    state["fresh"], state["round"], state["owed"] = [], [], 0
    medic = unit_of(state, attacker, commander) if commander[0] == "Q" else None
    if medic is not None and state["casualties"][attacker]:
        medic["cards"].append(state["casualties"][attacker].pop())
    for player in (attacker, defender):
        if not battalions_of(state, player):
            finish(state, other_of(state, player), "last battalion")
            return
    start_turn(state, defender)


def finish(state: State, winner: str, ending: str) -> None:
    state["phase"] = "over"
    state["turn"] = None
    state["winner"] = winner
    state["ending"] = ending


# Lines


def apply_line(state: State, line: Line) -> str | None:
    """Change the state by one line that is not `back_to`; the reason, where the line is refused."""
    if state["phase"] == "over":
        return "The episode is over."
    if "timeout" in line:
        player = line["timeout"]
        if player not in waiting_of(state):
            return "The game is not waiting for that player."
        finish(state, other_of(state, player), "timeout")
        return None
    sender = line.get("from")
    if sender not in state["players"]:
        return "The sender does not play."
    error = player_command(state, str(sender), str(line.get("say", "")).lower().split())
    if error is None:
        play_matches(state)
    return error


def player_command(state: State, player: str, words: list[str]) -> str | None:
    if words in SMALL_TALK:
        return None
    if words == ["resign"]:
        finish(state, other_of(state, player), "resign")
        return None
    if words[:1] == ["throw"]:
        throws = words[1:]
        if not throws or not set(throws) <= set(BEATS):
            return "A throw is rock, paper or scissors."
        state["queue"][player] += throws
        return None
    if state["phase"] == "roshambo" or player not in waiting_of(state):
        return "The game does not wait for that."
    if words == ["hold"] and state["phase"] == "turn":
        return hold(state, player)
    if words == ["fortify"] and state["phase"] == "turn":
        if not state["reserve"]:
            return "The reserve pile is empty."
        draw(state, True)
        return None
    if state["phase"] == "battle":
        return battle_command(state, words)
    return card_command(state, player, words)


def battle_command(state: State, words: list[str]) -> str | None:
    if words == ["stop"]:
        end_battle(state)
        return None
    if words[:1] != ["continue"] or len(words) > 2:
        return "The battle goes on or stops."
    number = 1
    if words[1:] == ["all"]:
        number = len(state["fresh"])
    elif len(words) == 2:
        number = int(words[1]) if re.fullmatch("[0-9]+", words[1]) else 0
    if number == 0:
        return "The number of flips is a whole number from 1."
    state["owed"] = number
    flip_on(state)
    return None


CARD_COMMANDS: dict[tuple[str, str], Any] = {
    ("deploy", "deploy"): deploy,
    ("place", "place"): place,
    ("turn", "general"): general,
    ("turn", "spy"): spy,
    ("turn", "trade"): trade,
    ("turn", "attack"): attack,
    ("order", "order"): order,
}


def card_command(state: State, player: str, words: list[str]) -> str | None:
    run = CARD_COMMANDS.get((state["phase"], words[0] if words else ""))
    if run is None:
        return "That is not a command, or not now."
    cards = [card_of(word) for word in words[1:]]
    if not cards or None in cards:
        return "The command needs cards."
    error: str | None = run(state, player, cards)
    return error


def winnings_of(state: State) -> dict[str, int]:
    won: dict[str, int] = state["winnings"]
    return won


def result_of(state: State) -> Row:
    return {"winner": state["winner"], "champion": state["winner"], "winnings": dict(state["winnings"])}


PLAY = Play(new_state, apply_line, waiting_of, winnings_of, table_of, result_of)


def replay(lines: list[Line]) -> list[Row]:
    """The rows that a replay of the record prints, without the file's name."""
    return rows_of(PLAY, lines)


def normal(row: dict[str, Any]) -> dict[str, Any]:
    """The row with the lists of its table sorted that may stand in any order."""
    if "table" not in row:
        return row
    table = dict(row["table"])
    for key in ("hands", "gone"):
        table[key] = {player: sorted(cards) for player, cards in table[key].items()}
    table["army"] = {
        player: sorted((dict(unit, cards=sorted(unit["cards"])) for unit in units), key=lambda unit: unit["commander"])
        for player, units in table["army"].items()
    }
    return dict(row, table=table)


# Random records

THROWS = list(BEATS)
# How the two sides play: to win by battles, to lose by them, in peace up to a standstill, or as it comes.
STYLES = ["war", "war", "war", "losing", "peace", "peace", "medic", "cavalry", "random"]
DEPLOYMENTS = ["even", "even", "pile", "random", "twos", "queens", "specials"]
SPECIAL_SEEDS = [
    ("redeal", REDEAL_SEEDS),
    ("redeal twice", REDEAL_TWICE_SEEDS),
    ("one face", ONE_FACE_SEEDS),
    ("both one face", BOTH_ONE_FACE_SEEDS),
    ("equal", EQUAL_SEEDS),
    ("equal", EQUAL_SEEDS),
]


def random_record(number: int) -> list[dict[str, Any]]:
    """A record, mostly legal lines, always the same for the same number.

    The play looks at hidden cards and throws where that helps to reach the rarer states.
    """
    rng = random.Random(number)
    plan = make_plan(rng)
    header: Line = {
        "format": FORMAT,
        "game": "game-of-champions",
        "seed": plan["seed"],
        "players": rng.sample(NAMES, 2),
        "options": {},
    }
    lines = [header]
    episode = Episode(PLAY, header)

    def add(line: Line) -> None:
        lines.append(line)
        episode.feed(line)

    went_back = 0
    while len(lines) < 300:
        state = episode.state
        if state["phase"] == "over":
            while rng.random() < 0.4:
                add(refused_line(rng, episode, doubtful_line))
            if went_back < 3 and rng.random() < 0.12:
                went_back += 1
                add({"back_to": rng.randint(1, len(lines))})
                plan["quit_at"] = len(lines) + rng.randint(3, 60)
                plan["quit_in"] = None
                continue
            break
        chance = rng.random()
        refused = plan["refused"] * (4 if state["phase"] == "deploy" else 1)
        if chance < refused:
            add(refused_line(rng, episode, doubtful_line))
        elif chance < refused + 0.03:
            say = rng.choice(["status", "rules", "help"])
            add({"from": rng.choice(state["players"]), "say": dress(rng, say)})
        elif chance < refused + 0.034 and went_back < 3:
            went_back += 1
            add({"back_to": rng.randint(1, len(lines))})
        elif chance < refused + 0.034 + plan["spare"] and (state["dealer"] or not plan["equal"]):
            add({"from": rng.choice(state["players"]), "say": dress(rng, throw_command(rng, 4))})
        elif rng.random() < plan["stop"]:
            break
        elif len(lines) >= plan["quit_at"] and plan["quit_in"] in (None, state["phase"], state["match"]):
            plan["quit_at"] = len(lines) + rng.randint(2, 60)
            add(leaving_line(rng, state))
        else:
            add(good_line(rng, state, plan))
    return lines


def make_plan(rng: random.Random) -> dict[str, Any]:
    """How one record is going to be played."""
    plan: dict[str, Any] = {
        "seed": f"{rng.getrandbits(256):064x}",
        "style": rng.choice(STYLES),
        "deploy": [rng.choice(DEPLOYMENTS), rng.choice(DEPLOYMENTS)],
        "equal": False,
        "refused": rng.choice([0.0, 0.09, 0.12, 0.16]),
        "throws": rng.choice([1, 1, 2, 5, 9]),
        "repeat": rng.choice([0.1, 0.1, 0.6]),
        "spare": rng.choice([0.0, 0.02, 0.08]),
        "advantages": rng.choice([0.1, 0.3, 0.6]),
        "trades": rng.choice([0.0, 0.2, 0.7]),
        "quit_at": 10_000,
        "quit_in": None,
        "stop": 0.02 if rng.random() < 0.05 else 0.0,
    }
    if rng.random() < 0.25:
        plan["quit_at"] = rng.choice([1, rng.randint(1, 12), rng.randint(8, 70)])
        plan["quit_in"] = rng.choice(
            [None, "dealer", "first", "first", "flip", "deploy", "deploy", "place", "turn", "order", "battle"]
        )
        if plan["quit_in"] in ("dealer", "first", "deploy"):
            plan["quit_at"] = 1
    if rng.random() < 0.2:
        kind, seeds = rng.choice(SPECIAL_SEEDS)
        plan["seed"] = f"{rng.choice(seeds):064x}"
        if kind == "equal":
            plan.update(equal=True, style="peace", trades=0.0, throws=1)
            if rng.random() < 0.25:
                plan.update(quit_at=1, quit_in="standstill")
    return plan


def leaving_line(rng: random.Random, state: State) -> Line:
    if rng.random() < 0.5:
        return {"timeout": rng.choice(waiting_of(state))}
    return {"from": rng.choice(state["players"]), "say": dress(rng, "resign")}


# Refused lines


def doubtful_line(rng: random.Random, episode: Episode) -> Line:
    state = episode.state
    players = state["players"]
    waiting = waiting_of(state) or players
    asked = rng.choice(waiting)
    idle = rng.choice([player for player in players if player not in waiting] or players)
    anybody = rng.choice(players)
    kind = rng.randrange(16)
    if kind <= 1:
        return {"from": idle, "say": dress(rng, any_command(rng, state, idle, state["phase"]))}
    if kind <= 3:
        return {"from": rng.choice([asked, idle]), "say": dress(rng, any_command(rng, state, asked))}
    if kind <= 7:
        return {"from": asked, "say": dress(rng, spoiled(rng, state, any_command(rng, state, asked, state["phase"])))}
    if kind <= 9 and state["phase"] == "turn":
        return {"from": asked, "say": dress(rng, tricky_command(rng, state, asked))}
    if kind == 10:
        wrong = ["throw", "throw lizard", "continue 0", "continue -1", "continue 2.5", "continue -3", "bet 500"]
        wrong += ["deploy", "order", "place", "attack", "general", "spy", "trade", "offer 3000", "cut 7"]
        return {"from": anybody, "say": dress(rng, rng.choice(wrong))}
    if kind == 11:
        return {"from": rng.choice([anybody, anybody, "host"]), "say": rng.choice(GARBAGE)}
    if kind == 12:
        wrong = ["resign", "status", "rules", "help", "throw rock", "offer 3000", any_command(rng, state, asked)]
        return {"from": "host", "say": dress(rng, rng.choice(wrong))}
    if kind == 13:
        return {"timeout": rng.choice([idle, idle, "host", rng.choice(STRANGERS)])}
    if kind == 14:
        wrong = ["resign", "status", throw_command(rng, 2), any_command(rng, state, asked, state["phase"])]
        return {"from": rng.choice(STRANGERS), "say": dress(rng, rng.choice(wrong))}
    this = len(episode.states) + 1
    return {"back_to": rng.choice([0, this, this + 1, this + rng.randint(2, 50)])}


def any_command(rng: random.Random, state: State, player: str, phase: str | None = None) -> str:
    """A command of the phase, with cards that are as right as may be."""
    if phase not in ("deploy", "place", "turn", "order", "battle"):
        phase = rng.choice(["deploy", "place", "turn", "turn", "order", "battle"])
    if phase == "deploy":
        return deploy_command(rng, state["hands"][player] or rng.sample(DECK, 15), "random")
    if phase == "order":
        cards = rng.sample(numbers_of(DECK), 3)
        if state["phase"] in ("order", "battle"):
            cards = own_battalion(state, player)["cards"]
        return " ".join(["order", *mixed(rng, cards)])
    if phase == "battle":
        return rng.choice(["continue", "continue all", f"continue {rng.randint(1, 9)}", "stop"])
    own = [unit["commander"] for unit in units_of(state, player)] or rng.sample(faces_of(DECK), 2)
    if phase == "place":
        return f"place {rng.choice(own)}"
    kind = rng.choice(["hold", "fortify", "trade", "attack", "attack", "general", "general", "spy", "spy"])
    if kind == "trade":
        return f"trade {rng.choice(bare_of(state, player) or own)}"
    if kind == "general":
        return general_command(rng, state, player) or f"general {rng.choice(numbers_of(DECK))} {rng.choice(own)}"
    if kind == "spy":
        return spy_command(rng, state, player) or " ".join(["spy", *rng.sample(numbers_of(DECK), 2)])
    if kind == "attack":
        mine = [unit["commander"] for unit in battalions_of(state, player)] or own
        theirs = [unit["commander"] for unit in battalions_of(state, other_of(state, player))]
        return f"attack {rng.choice(mine)} {rng.choice(theirs or faces_of(DECK))}"
    return kind


def spoiled(rng: random.Random, state: State, say: str) -> str:
    """A command with something wrong about its cards."""
    command, *cards = say.split()
    if command in ("hold", "fortify", "stop", "continue") or not cards:
        return rng.choice(["continue 0", "continue -2", "continue 1.5"])
    change = rng.randrange(7)
    at = rng.randrange(len(cards))
    if change == 0:
        cards.insert(rng.randint(0, len(cards)), cards[at])
    elif change == 1:
        cards.pop(at)
    elif change == 2:
        cards[at] = rng.choice(DECK)
    elif change == 3:
        cards[at] = rng.choice(cards)
    elif change == 4:
        cards.insert(at, rng.choice(DECK))
    elif change == 5:
        other = rng.choice(state["players"])
        cards[at] = rng.choice([card for unit in units_of(state, other) for card in unit["cards"]] or DECK)
    else:
        cards.reverse()
    return " ".join([command, *cards])


def tricky_command(rng: random.Random, state: State, player: str) -> str:
    """Something that is close to legal in a turn."""
    other = other_of(state, player)
    mine, theirs = battalions_of(state, player), battalions_of(state, other)
    strong = [unit["commander"] for unit in mine]
    weak = [unit["commander"] for unit in theirs]
    kind = rng.randrange(9)
    if kind == 0:
        return "hold" if state["reserve"] else "fortify"
    if kind == 1:
        return f"trade {rng.choice(strong + bare_of(state, other))}"
    if kind == 2:
        return f"attack {rng.choice(strong)} {rng.choice(bare_of(state, other) or strong)}"
    if kind == 3:
        return f"attack {rng.choice(bare_of(state, player) or weak)} {rng.choice(weak)}"
    if kind == 4:
        return f"trade {rng.choice(bare_of(state, player) or weak)}"
    if kind == 5:
        unit = rng.choice(rng.choice([mine, theirs]))
        return " ".join(["spy", *rng.sample(unit["cards"], min(2, len(unit["cards"])))])
    if kind == 6:
        unit = rng.choice(mine)
        return f"general {rng.choice(unit['cards'])} {unit['commander']}"
    cards = [card for unit in mine for card in unit["cards"]]
    chosen = rng.sample(cards, min(4, len(cards)))
    if kind == 7:
        chosen = [chosen[0], chosen[0]]
    words = ["general"]
    for card in chosen:
        goals = [unit["commander"] for unit in units_of(state, player) if card not in unit["cards"]]
        words += [card, rng.choice(goals or strong)]
    return " ".join(words)


# Legal lines


def mixed(rng: random.Random, cards: list[str]) -> list[str]:
    return rng.sample(cards, len(cards))


def throw_command(rng: random.Random, most: int) -> str:
    return " ".join(["throw", *(rng.choice(THROWS) for _ in range(rng.randint(1, most)))])


def good_line(rng: random.Random, state: State, plan: dict[str, Any]) -> Line:
    """A legal line of somebody who is waited for."""
    player = rng.choice(waiting_of(state))
    phase = state["phase"]
    if phase == "roshambo":
        say = match_command(rng, state, plan, player)
    elif phase == "deploy":
        say = deploy_command(rng, state["hands"][player], plan["deploy"][state["players"].index(player)])
    elif phase == "place":
        say = place_command(rng, state, plan, player)
    elif phase == "turn":
        say = turn_command(rng, state, plan, player)
    elif phase == "order":
        say = order_command(rng, state, plan, player)
    else:
        say = flip_command(rng, state, plan)
    return {"from": player, "say": dress(rng, say)}


def match_command(rng: random.Random, state: State, plan: dict[str, Any], player: str) -> str:
    if plan["equal"] and state["match"] == "dealer":
        return "throw rock" if player == state["players"][0] else "throw scissors"
    queue = state["queue"][other_of(state, player)]
    if queue and rng.random() < plan["repeat"]:
        return f"throw {queue[0]}"
    return throw_command(rng, plan["throws"])


def deploy_command(rng: random.Random, hand: list[str], how: str) -> str:
    faces, numbers = mixed(rng, faces_of(hand)), mixed(rng, numbers_of(hand))
    if not faces:
        faces = [rng.choice(faces_of(DECK))]
    under: dict[str, list[str]] = {face: [] for face in faces}
    for at, card in enumerate(numbers):
        goals = faces
        if how == "even":
            goals = [faces[at % min(len(faces), 3)]]
        elif how == "pile":
            goals = [faces[0]]
        elif how == "twos" and card[0] == "2":
            goals = [face for face in faces if face[0] == "J"] or faces
        elif how == "queens":
            goals = [face for face in faces if face[0] == "Q"] or faces
        elif how == "specials":
            goals = [face for face in faces if face[0] in "KA"] or faces
        under[rng.choice(goals)].append(card)
    words = ["deploy"]
    for face in faces:
        if under[face] or rng.random() < 0.5:
            words += [face, *under[face]]
    return " ".join(words)


def place_command(rng: random.Random, state: State, plan: dict[str, Any], player: str) -> str:
    goals = [unit["commander"] for unit in units_of(state, player)]
    wanted = {"medic": "Q", "cavalry": "J"}.get(plan["style"], "")
    if state["drawn"][0] == "2" and rng.random() < 0.5:
        wanted = "J"
    liked = [commander for commander in goals if commander[0] == wanted]
    if liked and rng.random() < 0.7:
        goals = liked
    elif plan["advantages"] > 0.2 and rng.random() < 0.3:
        goals = [commander for commander in bare_of(state, player) if commander[0] in "AK"] or goals
    return f"place {rng.choice(goals)}"


def general_command(rng: random.Random, state: State, player: str) -> str | None:
    units = units_of(state, player)
    if not any(unit["commander"][0] == "K" for unit in battalions_of(state, player)) or len(units) < 2:
        return None
    cards = [card for unit in units for card in unit["cards"]]
    small = [unit["cards"] for unit in units if 1 <= len(unit["cards"]) <= 3]
    if small and rng.random() < 0.3:
        cards = rng.choice(small)
    words = ["general"]
    for card in mixed(rng, cards)[: rng.choice([1, 2, 3, 3, 3])]:
        words += [card, rng.choice([unit["commander"] for unit in units if card not in unit["cards"]])]
    return " ".join(words)


def spy_command(rng: random.Random, state: State, player: str) -> str | None:
    theirs = battalions_of(state, other_of(state, player))
    if not any(unit["commander"][0] == "A" for unit in battalions_of(state, player)) or len(theirs) < 2:
        return None
    one, two = rng.sample(theirs, 2)
    return f"spy {rng.choice(one['cards'])} {rng.choice(two['cards'])}"


def turn_command(rng: random.Random, state: State, plan: dict[str, Any], player: str) -> str:
    bare = bare_of(state, player)
    if bare and state["reserve"] and rng.random() < plan["trades"]:
        return f"trade {rng.choice(bare)}"
    if "general" not in state["used"] and rng.random() < plan["advantages"]:
        say = general_command(rng, state, player)
        if say is not None:
            return say
    if "spy" not in state["used"] and rng.random() < plan["advantages"]:
        say = spy_command(rng, state, player)
        if say is not None:
            return say
    style = plan["style"]
    quiet = {"war": 0.15, "losing": 0.1, "peace": 0.95, "random": 0.4}.get(style, 0.3)
    if plan["equal"] or rng.random() < quiet:
        return "fortify" if state["reserve"] else "hold"
    return attack_command(rng, state, style, player)


def attack_command(rng: random.Random, state: State, style: str, player: str) -> str:
    mine, theirs = battalions_of(state, player), battalions_of(state, other_of(state, player))
    one, two = rng.choice(mine), rng.choice(theirs)

    def power(unit: Unit) -> int:
        return sum(worth(card) for card in unit["cards"])

    if style in ("war", "peace") and rng.random() < 0.7:
        one, two = max(mine, key=power), min(theirs, key=power)
    elif style == "losing" and rng.random() < 0.8:
        one, two = min(mine, key=power), max(theirs, key=power)
    elif style in ("medic", "cavalry"):
        liked = [unit for unit in mine if unit["commander"][0] == ("Q" if style == "medic" else "J")]
        one = max(liked or mine, key=power)
        if rng.random() < 0.5:
            two = min(theirs, key=power)
    return f"attack {one['commander']} {two['commander']}"


def order_command(rng: random.Random, state: State, plan: dict[str, Any], player: str) -> str:
    cards = mixed(rng, own_battalion(state, player)["cards"])
    if plan["style"] in ("war", "cavalry") and rng.random() < 0.6:
        cards.sort(key=worth, reverse=rng.random() < 0.5)
    enemy = state["sent"][other_of(state, player)]
    if enemy is not None and rng.random() < 0.3:
        # Meet equals with equals, so that there are ties.
        left, cards = list(cards), []
        for card in [*enemy, *left]:
            match = next((own for own in left if own[0] == card[0]), None)
            if match is not None:
                left.remove(match)
                cards.append(match)
    return " ".join(["order", *cards])


def flip_command(rng: random.Random, state: State, plan: dict[str, Any]) -> str:
    left = len(state["fresh"])
    medic = state["battle"]["attacker"][0] == "Q"
    if rng.random() < (0.15 if medic or plan["style"] == "random" else 0.05):
        return "stop"
    if plan["style"] != "random" and rng.random() < 0.4:
        return "continue all"
    number = rng.choice([1, 2, 3, left, left + 1, rng.randint(1, 99)])
    return rng.choice(["continue", "continue all", f"continue {number}"])
