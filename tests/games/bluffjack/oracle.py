"""A second, independent Bluffjack, kept as plain as possible: the oracle of the comparison tests.

`replay` gives the rows that a replay of one record has to print (without the file name), and
`random_record` builds a record, refused lines included, from a number.  Only canonical commands are
known here, so the records use nothing else.  It shares no code with the real game on purpose.
"""

import random
import re
from typing import Any

from tests.games.oracle_kit import (
    FORMAT,
    GARBAGE,
    STRANGERS,
    Episode,
    Line,
    Play,
    Row,
    State,
    copied,
    dress,
    refused_line,
    rows_of,
    shuffled,
)

TENS = "TJQK"
DEFAULTS: dict[str, Any] = {
    "chips": 200,
    "ante": 10,
    "double_every": 5,
    "max_hands": 0,
    "more_betting": False,
    "two_bets": False,
    "no_house": False,
    "charlie": 0,
    "longer_charlie": False,
    "best_hand": False,
}


# Hands


def total_of(cards: list[str]) -> int:
    """The best total that does not bust, else the lowest."""
    total = 0
    for card in cards:
        if card[0] == "A":
            total += 1
        elif card[0] in TENS:
            total += 10
        else:
            total += int(card[0])
    if any(card[0] == "A" for card in cards) and total + 10 <= 21:
        total += 10
    return total


def worth_of(cards: list[str], options: dict[str, Any]) -> tuple[int, ...] | None:
    """What a hand is worth at a showdown, the higher the better; None for a bust."""
    total = total_of(cards)
    if total > 21:
        return None
    if total == 21:
        if options["best_hand"] and len(cards) == 2:
            ten = next(card for card in cards if card[0] != "A")
            same_suit = cards[0][1] == cards[1][1]
            return (3, 2 * TENS.index(ten[0]) + int(same_suit))
        return (2, 0)
    if is_long_enough(cards, options):
        return (1, total, len(cards))
    return (0, total)


def is_long_enough(cards: list[str], options: dict[str, Any]) -> bool:
    """Whether a hand has as many cards as a charlie needs."""
    wanted = int(options["charlie"])
    if wanted and options["longer_charlie"]:
        return len(cards) >= wanted
    return len(cards) == wanted


# The state


def new_state(header: Line) -> State:
    players = list(header["players"])
    options = {**DEFAULTS, **header.get("options", {})}
    state: State = {
        "seed": header["seed"],
        "players": players,
        "options": options,
        "phase": "",  # bet, card or over
        "stage": "",  # what goes round the table: the first, second or final betting, or cards
        "hand": 0,
        "dealer": "",
        "turn": None,
        "chips": dict.fromkeys(players, options["chips"]),
        "in_pot": dict.fromkeys(players, 0),
        "cards": {player: [] for player in players},
        "deck": [],
        "order": [],  # who was dealt in, from the dealer's left
        "folded": [],
        "standing": [],
        "acted": [],  # who has acted in this betting round since the last raise
        "last": -1,  # the place in the order of who was asked last in this round
        "aside": 0,
        "out": [],
        "late": [],  # whose last doing was a timeout
        "winner": None,
    }
    start_hand(state)
    return state


def table_of(state: State) -> dict[str, Any]:
    turn = state["turn"]
    asked_to_pay = turn is not None and state["phase"] == "bet"
    return {
        "phase": state["phase"],
        "hand": state["hand"],
        "dealer": state["dealer"],
        "turn": turn,
        "cards": {player: list(cards) for player, cards in state["cards"].items()},
        "folded": [player for player in state["players"] if player in state["folded"]],
        "standing": [player for player in state["players"] if player in state["standing"]],
        "chips": dict(state["chips"]),
        "in_pot": dict(state["in_pot"]),
        "to_call": min(missing(state, turn), state["chips"][turn]) if asked_to_pay else 0,
        "aside": state["aside"],
    }


def waiting_of(state: State) -> list[str]:
    return [] if state["turn"] is None else [state["turn"]]


def ante_of(state: State) -> int:
    every = state["options"]["double_every"]
    doublings = (state["hand"] - 1) // every if every else 0
    return int(state["options"]["ante"] * 2**doublings)


def still_in(state: State) -> list[str]:
    """Who has not folded, from the dealer's left."""
    return [player for player in state["order"] if player not in state["folded"]]


def missing(state: State, player: str) -> int:
    """What the player lacks to the highest stake, whoever has put that in."""
    return int(max(state["in_pot"].values()) - state["in_pot"][player])


def pay(state: State, player: str, amount: int) -> None:
    amount = min(amount, state["chips"][player])
    state["chips"][player] -= amount
    state["in_pot"][player] += amount


def deal(state: State, player: str) -> None:
    state["cards"][player].append(state["deck"].pop(0))


# A hand


def start_hand(state: State) -> None:
    players = state["players"]
    state["hand"] += 1
    seat = len(players) - 1
    if state["hand"] > 1:
        seat = (players.index(state["dealer"]) + 1) % len(players)
        while players[seat] in state["out"]:
            seat = (seat + 1) % len(players)
    state["dealer"] = players[seat]
    around = players[seat + 1 :] + players[: seat + 1]
    state["order"] = [player for player in around if player not in state["out"]]
    state["deck"] = shuffled(state["seed"], f"hand:{state['hand']}:deck")
    state["cards"] = {player: [] for player in players}
    state["in_pot"] = dict.fromkeys(players, 0)
    state["folded"] = []
    state["standing"] = []
    for _ in range(1 if state["options"]["two_bets"] else 2):
        for player in state["order"]:
            deal(state, player)
    for player in state["order"]:
        pay(state, player, ante_of(state))
    open_betting(state)


def open_betting(state: State) -> None:
    """The forced first raise, and then the first betting round."""
    state["stage"] = "first"
    state["acted"] = []
    state["last"] = -1
    for at, player in enumerate(state["order"]):
        if state["chips"][player] > 0:
            pay(state, player, ante_of(state))
            state["acted"] = [player]
            state["last"] = at
            break
    ask_next_bettor(state)


def start_betting(state: State, stage: str) -> None:
    state["stage"] = stage
    state["acted"] = []
    state["last"] = -1
    ask_next_bettor(state)


def can_bet(state: State, player: str) -> bool:
    return player not in state["folded"] and state["chips"][player] > 0


def has_to_answer(state: State, player: str) -> bool:
    """Whether the player is asked to bet, if their turn comes now."""
    if not can_bet(state, player):
        return False
    if missing(state, player) > 0:
        return True
    others = [other for other in state["order"] if other != player and can_bet(state, other)]
    return bool(others) and (state["stage"] == "cards" or player not in state["acted"])


def ask(state: State, phase: str, at: int) -> None:
    state["phase"] = phase
    state["turn"] = state["order"][at]
    state["last"] = at


def ask_next(state: State) -> None:
    if state["stage"] == "cards":
        ask_next_in_cards(state)
    else:
        ask_next_bettor(state)


def ask_next_bettor(state: State) -> None:
    order = state["order"]
    for step in range(1, len(order) + 1):
        at = (state["last"] + step) % len(order)
        if has_to_answer(state, order[at]):
            ask(state, "bet", at)
            return
    after_betting(state)


def after_betting(state: State) -> None:
    if state["stage"] == "final":
        showdown(state)
    elif state["stage"] == "first" and state["options"]["two_bets"]:
        for player in still_in(state):
            deal(state, player)
        start_betting(state, "second")
    else:
        start_cards(state)


def start_cards(state: State) -> None:
    """A round of cards, in which everybody's turn comes once."""
    state["stage"] = "cards"
    state["last"] = -1
    ask_next_in_cards(state)


def ask_next_in_cards(state: State) -> None:
    order = state["order"]
    for at in range(state["last"] + 1, len(order)):
        if order[at] in still_in(state) and order[at] not in state["standing"]:
            ask(state, "card", at)
            return
        if bets_in_cards(state, order[at]):
            ask(state, "bet", at)
            return
    if all(player in state["standing"] for player in still_in(state)):
        start_betting(state, "final")
    else:
        start_cards(state)


def bets_in_cards(state: State, player: str) -> bool:
    return state["options"]["more_betting"] and has_to_answer(state, player)


def hit(state: State, player: str) -> None:
    deal(state, player)
    if not state["deck"]:
        state["standing"] = still_in(state)
    after_card(state, player)


def stand(state: State, player: str) -> None:
    state["standing"].append(player)
    after_card(state, player)


def after_card(state: State, player: str) -> None:
    """The second part of the same turn, else the next turn."""
    if bets_in_cards(state, player):
        ask(state, "bet", state["last"])
    else:
        ask_next_in_cards(state)


def call(state: State, player: str) -> None:
    pay(state, player, missing(state, player))
    state["acted"].append(player)
    ask_next(state)


def raise_by(state: State, player: str, amount: int) -> None:
    pay(state, player, missing(state, player) + amount)
    state["acted"] = [player]
    ask_next(state)


def fold(state: State, player: str) -> None:
    lay_down(state, player)
    after_leaving(state)


def withdraw(state: State, player: str) -> None:
    """The player leaves the episode, whether it is their turn or not."""
    lay_down(state, player)
    state["aside"] += state["chips"][player]
    state["chips"][player] = 0
    state["out"].append(player)
    after_leaving(state)


def lay_down(state: State, player: str) -> None:
    if player not in state["folded"]:
        state["folded"].append(player)
    if player in state["standing"]:
        state["standing"].remove(player)


def after_leaving(state: State) -> None:
    """Look again at who is asked, after somebody has folded or withdrawn."""
    left = still_in(state)
    turn = state["turn"]
    if len(left) == 1:
        state["chips"][left[0]] += sum(state["in_pot"].values())
        end_hand(state)
    elif turn in state["folded"] or (state["phase"] == "bet" and not has_to_answer(state, turn)):
        ask_next(state)


def showdown(state: State) -> None:
    chips, stakes, left = state["chips"], state["in_pot"], still_in(state)
    give_back(state)
    levels = sorted({stakes[player] for player in left})
    below = 0
    for level in levels:
        pot = sum(min(stake, level) - min(stake, below) for stake in stakes.values())
        below = level
        winners = best_of(state, [player for player in left if stakes[player] >= level])
        if not winners:
            state["aside"] += pot
            continue
        for player in winners:
            chips[player] += pot // len(winners)
        for player in winners[: pot % len(winners)]:
            chips[player] += 1
    state["aside"] += sum(max(stake - levels[-1], 0) for stake in stakes.values())
    end_hand(state)


def give_back(state: State) -> None:
    """The highest stake returns to the second highest, unless whoever put it in is gone."""
    stakes = state["in_pot"]
    second, first = sorted(stakes.values())[-2:]
    for player in still_in(state):
        if first > second and stakes[player] == first:
            stakes[player] = second
            state["chips"][player] += first - second


def best_of(state: State, players: list[str]) -> list[str]:
    """Those with the best hand, in the order given; nobody if all are bust."""
    worths = {player: worth_of(state["cards"][player], state["options"]) for player in players}
    best = max((worth for worth in worths.values() if worth is not None), default=None)
    return [player for player in players if best is not None and worths[player] == best]


def end_hand(state: State) -> None:
    players, chips = state["players"], state["chips"]
    rich = [player for player in players if chips[player] > 0]
    if not rich:
        at_showdown = still_in(state)
        finish(state, next(player for player in players if player in at_showdown))
    elif len(rich) == 1 or state["hand"] == state["options"]["max_hands"]:
        most = max(chips.values())
        finish(state, next(player for player in players if chips[player] == most))
    else:
        state["out"] = [player for player in players if chips[player] == 0]
        start_hand(state)


def finish(state: State, winner: str) -> None:
    state["phase"] = "over"
    state["turn"] = None
    state["winner"] = winner
    state["in_pot"] = dict.fromkeys(state["players"], 0)
    if state["options"]["no_house"]:
        state["chips"][winner] += state["aside"]
        state["aside"] = 0


# Lines


def apply_line(state: State, line: Line) -> str | None:
    """Change the state by one line that is not `back_to`; the reason, where the line is refused."""
    if state["phase"] == "over":
        return "The episode is over."
    if "timeout" in line:
        player = line["timeout"]
        if player not in waiting_of(state):
            return "The game is not waiting for that player."
        time_out(state, player)
        return None
    sender = line.get("from")
    words = str(line.get("say", "")).strip().lower().split()
    if sender == "host":
        return "The host has no commands in this game."
    if sender not in state["players"]:
        return "Nobody of that name plays."
    if words in (["status"], ["rules"], ["help"]):
        return None
    error = player_command(state, str(sender), words)
    if error is None and sender in state["late"]:
        state["late"].remove(sender)
    return error


def time_out(state: State, player: str) -> None:
    if player in state["late"]:
        withdraw(state, player)
        return
    state["late"].append(player)
    if state["phase"] == "card":
        stand(state, player)
    elif missing(state, player) == 0:
        call(state, player)
    else:
        fold(state, player)


def player_command(state: State, player: str, words: list[str]) -> str | None:
    if player in state["out"]:
        return "You are out."
    if words == ["resign"]:
        withdraw(state, player)
        return None
    if player != state["turn"]:
        return "It is not your turn."
    if state["phase"] == "card":
        if words == ["hit"]:
            hit(state, player)
        elif words == ["stand"]:
            stand(state, player)
        else:
            return "That is not legal now."
        return None
    if words == ["fold"]:
        fold(state, player)
        return None
    if words == ["check"] and missing(state, player) > 0:
        return "There is something to pay."
    if words in (["call"], ["check"]):
        call(state, player)
        return None
    if len(words) == 2 and words[0] == "raise":
        return raise_command(state, player, words[1])
    return "That is not legal now."


def raise_command(state: State, player: str, word: str) -> str | None:
    most = state["chips"][player] - missing(state, player)
    if word == "all":
        if most <= 0:
            return "There are no chips for more than the call."
        raise_by(state, player, most)
        return None
    if not re.fullmatch("[0-9]+", word):
        return "A raise is a whole number."
    if int(word) < ante_of(state):
        return "A raise is at least the ante."
    if int(word) > most:
        return "There are not enough chips."
    raise_by(state, player, int(word))
    return None


def winnings_of(state: State) -> dict[str, int]:
    won: dict[str, int] = state["chips"]
    return won


def result_of(state: State) -> Row:
    return {
        "winner": state["winner"],
        "champion": state["winner"],
        "winnings": dict(state["chips"]),
        "house": state["aside"],
        "hands": state["hand"],
    }


PLAY = Play(new_state, apply_line, waiting_of, winnings_of, table_of, result_of)


def replay(lines: list[Line]) -> list[Row]:
    """The rows that a replay of the record prints, without the file's name."""
    return rows_of(PLAY, lines)


# Random records

NAMES = ["ann", "bob", "cat", "dan", "eve", "Fay", "gus", "hal", "ida", "joe"]
CANONICAL = ["fold", "call", "check", "hit", "stand", "raise all", "resign"]
TABLES = [*["mixed"] * 6, *["patient"] * 6, *["leaving"] * 4, *["reckless"] * 2, *["endless"] * 3]
TABLES += [*["stacked"] * 2, *["rivals"] * 2, "quiet"]
CARD_STYLES = ["sane", "sane", "sharp", "sharp", "random", "bust", "stand", "charlie", "charlie", "long"]
BET_STYLES = [*["call"] * 3, *["mixed"] * 5, "raise", "shove", "fold"]

# Seeds that give the first of two players a hand of seven or more cards below 21, if the other stands at once.
LONG_HAND_SEEDS = [36603, 6824, 59367, 50764, 50494, 42288, 41088, 39444]

# Seeds that give five cards to the first of two players and six to the second, all the way below 21: four seeds
# where both totals are the same, four where the second has the higher one, and four where the first has.
RIVAL_SEEDS = [18859, 102242, 115322, 179684, 116042, 123295, 214493, 226003, 5488, 121642, 146781, 212442]


def random_record(number: int) -> list[dict[str, Any]]:
    """A record, mostly legal lines, always the same for the same number.

    The play looks at hidden cards where that helps to reach the rarer states.
    """
    rng = random.Random(number)
    plan = make_plan(rng)
    header: Line = {
        "format": FORMAT,
        "game": "bluffjack",
        "seed": plan["seed"],
        "players": plan["players"],
        "options": plan["options"],
    }
    lines = [header]
    episode = Episode(PLAY, header)

    def add(line: Line) -> None:
        lines.append(line)
        episode.feed(line)

    went_back = 0
    while len(lines) < 245:
        state = episode.state
        plan["hurry"] = len(lines) > 150
        if state["phase"] == "over":
            while rng.random() < 0.4 and len(lines) < 245:
                add(refused_line(rng, episode, doubtful_line))
            if went_back < 3 and len(lines) < 130 and rng.random() < 0.12:
                went_back += 1
                add({"back_to": rng.randint(1, len(lines))})
                continue
            break
        chance = rng.random()
        if chance < plan["refused"]:
            add(refused_line(rng, episode, doubtful_line))
        elif chance < plan["refused"] + 0.03:
            who = rng.choice([*state["players"], *state["late"], *state["late"]])
            add({"from": who, "say": dress(rng, rng.choice(["status", "rules", "help"]))})
        elif chance < plan["refused"] + 0.036 and went_back < 3 and not plan["hurry"]:
            went_back += 1
            add({"back_to": rng.randint(rng.choice([1, max(1, len(lines) - 8)]), len(lines))})
        elif rng.random() < plan["stop"]:
            break
        elif rng.random() < (0.35 if state["turn"] in state["late"] else plan["timeouts"]):
            add({"timeout": state["turn"]})
        elif rng.random() < (plan["gaps"] if leaves_a_gap(state) else plan["resigns"]):
            add(leaving_line(rng, state))
        else:
            add(good_line(rng, state, plan))
    return lines


def make_plan(rng: random.Random) -> dict[str, Any]:
    """How one record is going to be played."""
    table = rng.choice(TABLES)
    count = rng.choice([2, 2, 3, 3, 4, 4, 5, 6, 7, 8])
    if table == "endless" and rng.random() < 0.7:
        count = 8
    players = rng.sample(NAMES, count)
    plan: dict[str, Any] = {
        "table": table,
        "seed": f"{rng.getrandbits(256):064x}",
        "players": players,
        "options": make_options(rng),
        "cards": {player: rng.choice(CARD_STYLES) for player in players},
        "bets": {player: rng.choice(BET_STYLES) for player in players},
        "refused": rng.choice([0.04, 0.1, 0.13, 0.16]),
        "timeouts": rng.choice([0.0, 0.0, 0.01, 0.03, 0.06]),
        "resigns": rng.choice([0.0, 0.0, 0.0, 0.005, 0.01, 0.02]),
        "gaps": rng.choice([0.0, 0.3, 0.6]),
        "stop": 0.02 if rng.random() < 0.06 else 0.0,
        "hurry": False,
    }
    if table == "reckless":
        plan["cards"] = dict.fromkeys(players, "bust")
        plan["bets"] = dict.fromkeys(players, "shove")
    elif table == "endless":
        plan["cards"] = dict.fromkeys(players, "hit")
        plan["bets"] = dict.fromkeys(players, rng.choice(["call", "mixed", "calm", "calm"]))
        plan["refused"] = 0.09
        plan["timeouts"] = 0.0
    elif table == "patient":
        plan["bets"] = {player: rng.choice(["call", "mixed", "mixed", "fold"]) for player in players}
        plan["options"]["max_hands"] = rng.choice([0, 0, 0, 0, 5, 8])
        plan["options"]["chips"] = rng.choice([5, 8, 12, 20]) * plan["options"].get("ante", 10)
    elif table == "leaving":
        plan["resigns"] = rng.choice([0.04, 0.06, 0.08])
        plan["gaps"] = 0.6
        plan["bets"] = {player: rng.choice(["mixed", "raise", "call", "call"]) for player in players}
        plan["bets"][rng.choice(players)] = "shove"
        plan["options"]["more_betting"] = rng.random() < 0.7
    elif table == "quiet":
        plan["cards"] = dict.fromkeys(players, "stand")
        plan["bets"] = dict.fromkeys(players, rng.choice(["call", "mixed"]))
    elif table == "stacked":
        plan_two_hands(rng, plan, LONG_HAND_SEEDS, ["long", "stand"])
        plan["options"]["charlie"] = rng.choice([5, 7, 7, 7, 10])
    elif table == "rivals":
        plan_two_hands(rng, plan, RIVAL_SEEDS, ["five", rng.choice(["five", "six", "six"])])
        plan["options"]["charlie"] = 5
    return plan


def plan_two_hands(rng: random.Random, plan: dict[str, Any], seeds: list[int], cards: list[str]) -> None:
    """Two players who play the first hand to its showdown, as the seed has it."""
    plan["seed"] = f"{rng.choice(seeds):064x}"
    plan["players"] = first, second = plan["players"][:2]
    plan["cards"] = dict(zip(plan["players"], cards, strict=True))
    plan["bets"] = {first: rng.choice(["call", "raise", "shove"]), second: "call"}
    plan["options"]["longer_charlie"] = rng.random() < 0.5
    plan["options"]["two_bets"] = rng.random() < 0.3
    plan["timeouts"] = plan["resigns"] = plan["gaps"] = 0.0


def make_options(rng: random.Random) -> dict[str, Any]:
    """Some of the options, few chips for the ante more often than many."""
    options: dict[str, Any] = {}
    if rng.random() < 0.95:
        options["ante"] = rng.choice([1, 1, 2, 3, 5, 7, 10])
    ante = options.get("ante", 10)
    if ante != 10 or rng.random() < 0.9:
        options["chips"] = ante * rng.choice([1, 2, 3, 5, 8, 12, 20, 30]) + rng.randint(0, ante)
    choices: dict[str, list[Any]] = {
        "double_every": [0, 1, 1, 2, 3, 5, 7],
        "max_hands": [0, 0, 0, 0, 1, 2, 3, 4, 6],
        "more_betting": [True, True, False],
        "two_bets": [True, True, False],
        "no_house": [True, True, False],
        "charlie": [0, 5, 5, 7, 10],
        "best_hand": [True, True, False],
    }
    for name, values in choices.items():
        if rng.random() < 0.65:
            options[name] = rng.choice(values)
    if options.get("charlie") and rng.random() < 0.7:
        options["longer_charlie"] = rng.random() < 0.7
    names = list(options)
    rng.shuffle(names)
    return {name: options[name] for name in names}


def leaves_a_gap(state: State) -> bool:
    """Whether somebody who leaves now may take a question, or the only chips at the top, along."""
    if state["phase"] != "bet" or len(still_in(state)) < 3:
        return False
    stakes = sorted(state["in_pot"].values())
    bettors = [player for player in state["order"] if can_bet(state, player)]
    lapses = len(bettors) == 2 and missing(state, state["turn"]) == 0
    return lapses or (len(bettors) < 3 and stakes[-1] > stakes[-2])


def leaving_line(rng: random.Random, state: State) -> Line:
    """Somebody resigns, rather one whose leaving is awkward."""
    there = [player for player in state["players"] if player not in state["out"]]
    highest = max(state["in_pot"].values())
    awkward = [state["turn"]]
    awkward += [player for player in there if player in state["folded"] or state["chips"][player] == 0]
    awkward += [player for player in there if player in state["folded"]] * 4
    awkward += [player for player in there if state["in_pot"][player] == highest]
    for player in there:
        after = copied(state)
        lay_down(after, player)
        left = still_in(after)
        if len(left) < 2 or player == state["turn"]:
            continue
        lapses = state["phase"] == "bet" and not has_to_answer(after, state["turn"])
        if lapses or max(state["in_pot"][other] for other in left) < highest:
            awkward += [player] * 20
    who = rng.choice([state["turn"], rng.choice(there), *[rng.choice(awkward) for _ in range(4)]])
    return {"from": who, "say": dress(rng, "resign")}


def doubtful_line(rng: random.Random, episode: Episode) -> Line:
    state = episode.state
    players = state["players"]
    turn = state["turn"] or rng.choice(players)
    idle = rng.choice([player for player in players if player != turn])
    out = rng.choice(state["out"] or [idle])
    anybody = rng.choice([turn, turn, turn, turn, idle, out])
    ante = ante_of(state)
    most = max(state["chips"][turn] - missing(state, turn), 0)
    raises = [f"raise {rng.randint(1, 2 * ante)}", f"raise {ante}"]
    canonical = [*CANONICAL, *raises]
    kind = rng.randrange(14)
    if kind <= 1:
        return {"from": idle, "say": dress(rng, rng.choice(canonical))}
    if kind <= 4:
        return {"from": turn, "say": dress(rng, rng.choice([*canonical, "check", "raise all"]))}
    if kind <= 7:
        wrong = [f"raise {ante - 1}", f"raise {most + 1}", f"raise {most}", f"raise {most + ante}", "raise 0"]
        wrong += ["raise 999999999", f"raise {state['chips'][turn]}", "raise", "raise -5", "raise 12.5"]
        return {"from": anybody, "say": dress(rng, rng.choice(wrong))}
    if kind == 8:
        return {"from": rng.choice([anybody, anybody, "host"]), "say": rng.choice(GARBAGE)}
    if kind == 9:
        return {"from": "host", "say": dress(rng, rng.choice([*canonical, "status", "rules", "help"]))}
    if kind == 10:
        return {"timeout": rng.choice([idle, idle, out, "host", rng.choice(STRANGERS)])}
    if kind == 11:
        return {"from": rng.choice(STRANGERS), "say": dress(rng, rng.choice([*canonical, "status"]))}
    if kind == 12:
        return {"from": out, "say": dress(rng, rng.choice(["resign", *canonical]))}
    this = len(episode.states) + 1
    return {"back_to": rng.choice([0, this, this + 1, this + rng.randint(2, 50)])}


def good_line(rng: random.Random, state: State, plan: dict[str, Any]) -> Line:
    """A legal line of whoever is waited for."""
    say = bet_command(rng, state, plan) if state["phase"] == "bet" else card_command(rng, state, plan)
    return {"from": state["turn"], "say": dress(rng, say)}


def card_command(rng: random.Random, state: State, plan: dict[str, Any]) -> str:
    player = state["turn"]
    style = plan["cards"][player]
    cards, options = state["cards"][player], state["options"]
    total = total_of(cards)
    next_total = total_of([*cards, state["deck"][0]])
    if plan["table"] == "endless" and state["hand"] > 1:
        style = "sane"
    if plan["hurry"] and style == "hit":
        style = "bust"
    if plan["table"] not in ("endless", "stacked", "rivals") and rng.random() < 0.08:
        style = "random"
    wants = {
        "sane": total < 17,
        "sharp": next_total <= 21 and total < 21,
        "charlie": next_total < 21 and (options["longer_charlie"] or len(cards) != options["charlie"]),
        "long": next_total < 21,
        "five": next_total < 21 and len(cards) < 5,
        "six": next_total < 21 and len(cards) < 6,
        "random": rng.random() < 0.4,
        "bust": total <= 21,
        "stand": False,
        "hit": True,
    }
    return "hit" if wants[style] else "stand"


def bet_command(rng: random.Random, state: State, plan: dict[str, Any]) -> str:
    player = state["turn"]
    style = "shove" if plan["hurry"] else plan["bets"][player]
    due = missing(state, player)
    ante = ante_of(state)
    most = state["chips"][player] - due
    pass_on = rng.choice(["call", "check"]) if due == 0 else "call"
    if plan["table"] == "patient" and state["hand"] > 2 and rng.random() < 0.3:
        style = "shove"
    if plan["table"] == "mixed" and not plan["hurry"] and rng.random() < 0.15:
        style = "mixed"
    chance = rng.random()
    if style == "fold" and due > 0 and chance < 0.5:
        return "fold"
    if style == "mixed" and chance < (0.15 if due > 0 else 0.04):
        return "fold"
    if most <= 0:
        return pass_on
    if style == "shove" and chance < (0.8 if plan["hurry"] or plan["table"] == "reckless" else 0.3):
        return "raise all"
    if chance > {"raise": 0.5, "mixed": 0.8, "calm": 0.99}.get(style, 0.95):
        if most < ante or rng.random() < 0.06:
            return "raise all"
        low = min(max(ante, lowest_cover(state, player)), most)
        some = rng.randint(ante, min(3 * ante, most))
        return f"raise {rng.choice([ante, ante, ante, some, some, low, rng.choice([most, rng.randint(ante, most)])])}"
    return pass_on


def lowest_cover(state: State, player: str) -> int:
    """A raise that takes exactly all the chips of the poorest other player who can bet."""
    highest = max(state["in_pot"].values())
    others = [other for other in state["order"] if other != player and can_bet(state, other)]
    return int(min((state["in_pot"][other] + state["chips"][other] - highest for other in others), default=0))
