"""A second, independent Champion Poker, kept as plain as possible: the oracle of the comparison tests.

`replay` gives the rows that a replay of one record has to print (without the file name), and
`random_record` builds a record, refused lines included, from a number.  Only canonical commands are
known here, so the records use nothing else.  It shares no code with the real game on purpose.
"""

import itertools
import random
import re
from typing import Any

from tests.games.oracle_kit import (
    FORMAT,
    RANKS,
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

SPOTS = ["bonus", "blind", "play", "raise"]
TEXAS = ["blind", "play", "raise"]
DEFAULTS: dict[str, Any] = {
    "version": 2,
    "paytable": "A",
    "bankroll": 1000,
    "hands": 5,
    "min_bet": 5,
    "max_bet": 100,
}

# What each kind of hand is counted as; a royal flush is kept apart for the sake of the bonus only.
HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL = range(10)
PAYS = {
    "A": {TWO_PAIR: 2, THREE: 4, STRAIGHT: 5, FLUSH: 6, FULL_HOUSE: 8, FOUR: 20, STRAIGHT_FLUSH: 40, ROYAL: 100},
    "B": {TWO_PAIR: 2, THREE: 3, STRAIGHT: 6, FLUSH: 8, FULL_HOUSE: 10, FOUR: 20, STRAIGHT_FLUSH: 50, ROYAL: 200},
}


# Hands of cards


def strength(five: list[str]) -> list[int]:
    """What five cards are worth: the kind of hand first, then what breaks a tie; a greater list wins."""
    ranks = [RANKS.index(card[0]) for card in five]
    by_count = sorted(set(ranks), key=lambda rank: (ranks.count(rank), rank), reverse=True)
    counts = [ranks.count(rank) for rank in by_count]
    flush = len({card[1] for card in five}) == 1
    straight = len(by_count) == 5 and max(ranks) - min(ranks) == 4
    if sorted(ranks) == [0, 1, 2, 3, 12]:
        straight = True
        by_count = [3, 2, 1, 0, -1]
    if straight and flush:
        kind = ROYAL if by_count[0] == 12 else STRAIGHT_FLUSH
    elif counts == [4, 1]:
        kind = FOUR
    elif counts == [3, 2]:
        kind = FULL_HOUSE
    elif flush:
        kind = FLUSH
    elif straight:
        kind = STRAIGHT
    elif counts == [3, 1, 1]:
        kind = THREE
    elif counts == [2, 2, 1]:
        kind = TWO_PAIR
    elif counts == [2, 1, 1, 1]:
        kind = PAIR
    else:
        kind = HIGH_CARD
    return [kind, *by_count]


def best_of_seven(cards: list[str]) -> list[int]:
    return max(strength(list(five)) for five in itertools.combinations(cards, 5))


def bonus_odds(five: list[str], paytable: str) -> int:
    """How many times the wager the bonus pays; 0 where it loses."""
    kind, rank = strength(five)[:2]
    if kind == PAIR:
        return 1 if rank >= RANKS.index("7") else 0
    return PAYS[paytable].get(kind, 0)


# The state


def new_state(header: Line) -> State:
    players = list(header["players"])
    options = DEFAULTS | header.get("options", {})
    state: State = {
        "seed": header["seed"],
        "players": players,
        "options": options,
        "phase": "",
        "hand": 0,
        "bankrolls": dict.fromkeys(players, options["bankroll"]),
        "last": None,
        "waiting": [],
        "withdrawn": [],
        "broke": [],
        "timeouts": dict.fromkeys(players, 0),
        "winner": None,
    }
    start_hand(state)
    return state


def table_of(state: State) -> dict[str, Any]:
    keys = ["phase", "hand", "bankrolls", "wagers", "player_cards", "community", "dealer_cards", "last"]
    return {key: copied(state[key]) for key in keys}


def smallest_wager(state: State) -> int:
    return int(state["options"]["min_bet"]) * (1 if state["options"]["version"] == 1 else 2)


def is_out(state: State, player: str) -> bool:
    return player in state["withdrawn"] or player in state["broke"]


def has_wager(state: State, player: str) -> bool:
    return any(state["wagers"][player][spot] > 0 for spot in SPOTS)


def cards_of(state: State, player: str) -> list[str]:
    cards = state["player_cards"]
    return list(cards if state["options"]["version"] == 1 else cards[player])


# A hand


def start_hand(state: State) -> None:
    players = state["players"]
    state["hand"] += 1
    state["wagers"] = {player: {"bonus": 0, "blind": 0, "play": 0, "raise": 0, "side": None} for player in players}
    state["player_cards"] = [] if state["options"]["version"] == 1 else {player: [] for player in players}
    state["community"] = []
    state["dealer_cards"] = []
    state["net"] = {"bonus": dict.fromkeys(players, 0), "blind": dict.fromkeys(players, 0)}
    state["phase"] = "bet"
    state["waiting"] = [player for player in players if not is_out(state, player)]


def go_on(state: State) -> None:
    """Move on as far as nobody has to be asked."""
    while state["phase"] != "over" and not state["waiting"]:
        bettors = [player for player in state["players"] if has_wager(state, player)]
        if not bettors:
            end_hand(state)
        elif state["phase"] == "bet":
            deal(state, bettors)
            start_play(state)
        elif state["phase"] == "play" and any(state["wagers"][player]["play"] for player in bettors):
            start_raise(state)
        else:
            settle(state)
            end_hand(state)


def deal(state: State, bettors: list[str]) -> None:
    deck = shuffled(state["seed"], f"hand:{state['hand']}:deck")
    if state["options"]["version"] == 1:
        state["player_cards"] = deck[:2]
        deck = deck[2:]
    else:
        for player in bettors:
            state["player_cards"][player] = deck[:2]
            deck = deck[2:]
    state["community"] = deck[:5]
    state["dealer_cards"] = deck[5:7]


def start_play(state: State) -> None:
    state["phase"] = "play"
    for player in state["players"]:
        blind = state["wagers"][player]["blind"]
        if blind > state["bankrolls"][player]:
            lose(state, player, TEXAS)
        elif blind > 0:
            state["waiting"].append(player)


def start_raise(state: State) -> None:
    state["phase"] = "raise"
    for player in state["players"]:
        wagers = state["wagers"][player]
        if wagers["play"] > 0 and wagers["blind"] <= state["bankrolls"][player]:
            state["waiting"].append(player)


def place(state: State, player: str, spot: str, amount: int) -> None:
    state["bankrolls"][player] -= amount
    state["wagers"][player][spot] = amount


def lose(state: State, player: str, spots: list[str]) -> None:
    pay(state, player, spots, -1)


def pay(state: State, player: str, spots: list[str], times: int) -> None:
    """Take the wagers off these spots, with `times` as much won: -1 where they lose and 0 for a tie."""
    wagers = state["wagers"][player]
    for spot in spots:
        net = times * wagers[spot]
        state["bankrolls"][player] += wagers[spot] + net
        state["net"]["bonus" if spot == "bonus" else "blind"][player] += net
        wagers[spot] = 0
    if wagers["blind"] == 0:
        wagers["side"] = None


def settle(state: State) -> None:
    for player in state["players"]:
        if state["wagers"][player]["bonus"] > 0:
            odds = bonus_odds(cards_of(state, player) + state["community"][:3], state["options"]["paytable"])
            pay(state, player, ["bonus"], odds if odds > 0 else -1)
    dealer = best_of_seven(state["dealer_cards"] + state["community"])
    for player in state["players"]:
        if state["wagers"][player]["blind"] > 0:
            hand = best_of_seven(cards_of(state, player) + state["community"])
            ahead = (hand > dealer) - (hand < dealer)
            pay(state, player, TEXAS, ahead if state["wagers"][player]["side"] == "player" else -ahead)


def end_hand(state: State) -> None:
    state["last"] = state["net"]
    state["waiting"] = []
    for player in state["players"]:
        if not is_out(state, player) and state["bankrolls"][player] < smallest_wager(state):
            state["broke"].append(player)
    if state["hand"] == state["options"]["hands"] or all(is_out(state, player) for player in state["players"]):
        finish(state)
    else:
        start_hand(state)


def finish(state: State) -> None:
    state["phase"] = "over"
    chips = state["bankrolls"]
    left = [player for player in state["players"] if player not in state["withdrawn"]]
    if left:
        state["winner"] = max(left, key=lambda player: (chips[player], -state["players"].index(player)))
    if len(state["players"]) == 1 and left and chips[left[0]] <= state["options"]["bankroll"]:
        state["winner"] = None


def withdraw(state: State, player: str) -> None:
    lose(state, player, SPOTS)
    state["withdrawn"].append(player)
    if player in state["waiting"]:
        state["waiting"].remove(player)
    go_on(state)


# Lines


def apply_line(state: State, line: Line) -> str | None:
    """Change the state by one line that is not `back_to`; the reason, where the line is refused."""
    if state["phase"] == "over":
        return "The episode is over."
    if "timeout" in line:
        return timeout(state, line["timeout"])
    sender = line.get("from")
    words = str(line.get("say", "")).strip().lower().split()
    if sender == "host":
        return "The host has nothing to say in this game."
    if sender not in state["players"]:
        return "Nobody of that name plays."
    if words in (["status"], ["rules"], ["help"]):
        return None
    error = player_command(state, str(sender), words)
    if error is None:
        state["timeouts"][sender] = 0
        go_on(state)
    return error


def timeout(state: State, player: str) -> str | None:
    if player not in state["waiting"]:
        return "The game is not waiting for that player."
    state["timeouts"][player] += 1
    if state["timeouts"][player] == 2:
        withdraw(state, player)
        return None
    state["waiting"].remove(player)
    if state["phase"] == "play":
        lose(state, player, TEXAS)
    go_on(state)
    return None


def player_command(state: State, player: str, words: list[str]) -> str | None:
    if is_out(state, player):
        return "You are out."
    if words == ["resign"]:
        withdraw(state, player)
        return None
    if player not in state["waiting"]:
        return "Nothing is asked of you."
    phase = state["phase"]
    if phase == "bet" and words[:1] == ["bet"]:
        return bet(state, player, words[1:])
    if phase == "play" and words == ["play"]:
        place(state, player, "play", state["wagers"][player]["blind"])
    elif phase == "play" and words == ["fold"]:
        lose(state, player, TEXAS)
    elif phase == "raise" and words == ["raise"]:
        place(state, player, "raise", state["wagers"][player]["blind"])
    elif (phase, words) not in [("bet", ["sit"]), ("raise", ["check"])]:
        return "That is not legal now."
    state["waiting"].remove(player)
    return None


def bet(state: State, player: str, words: list[str]) -> str | None:
    options = state["options"]
    if not words or not re.fullmatch("[0-9]+", words[0]):
        return "A wager is a whole number."
    if words[1:] not in ([], ["player"], ["dealer"]) or (words[1:] and options["version"] == 2):
        return "That is not a spot for a wager."
    amount = int(words[0])
    if not options["min_bet"] <= amount <= options["max_bet"]:
        return "The table does not take this wager."
    side = "player" if options["version"] == 2 else "".join(words[1:])
    if (2 * amount if side else amount) > state["bankrolls"][player]:
        return "You do not have that much."
    place(state, player, "bonus", amount)
    if side:
        place(state, player, "blind", amount)
        state["wagers"][player]["side"] = side
    state["waiting"].remove(player)
    return None


def waiting_of(state: State) -> list[str]:
    return [player for player in state["players"] if player in state["waiting"]]


def winnings_of(state: State) -> dict[str, int]:
    won: dict[str, int] = state["bankrolls"]
    return won


def result_of(state: State) -> Row:
    winner = state["winner"]
    return {"winner": winner, "champion": winner, "winnings": dict(state["bankrolls"])}


PLAY = Play(new_state, apply_line, waiting_of, winnings_of, table_of, result_of)


def replay(lines: list[Line]) -> list[Row]:
    """The rows that a replay of the record prints, without the file's name."""
    return rows_of(PLAY, lines)


# Random records

NAMES = ["ann", "bob", "cat", "dan", "eve", "Fay", "gus", "hal", "ida"]
GARBAGE = ["", "hello there", "bananas", "good morning everybody", "???", "xyzzy", "pick 5", "cut 7"]
CANONICAL = ["sit", "play", "fold", "raise", "check", "bet 10", "bet 10 player", "bet 5 dealer", "resign"]
MOST_LINES = 240

# Seeds by the number of those who get cards in the first hand (1 in version 1): one of them has a great bonus hand.
GREAT_SEEDS: list[dict[int, list[int]]] = [
    # royal flush
    {
        1: [718436, 811365, 2120262, 2229015],
        2: [677913, 1472924, 1660283],
        3: [34349, 430514, 1732291],
        4: [171748, 435704, 848870],
        6: [219360, 341654, 392003],
    },
    # straight flush
    {
        1: [9364, 9991, 27387, 51896],
        2: [99072, 201693, 278393],
        3: [60263, 142210, 272789],
        4: [14608, 36506, 68126],
        6: [6078, 7234, 9070],
    },
    # straight flush with the ace low
    {
        1: [124728, 235474, 1445391, 2095062],
        2: [426101, 429331, 652814],
        3: [35794, 132005, 423059],
        4: [136152, 258227, 521751],
        6: [53842, 209438, 745258],
    },
    # four of a kind
    {1: [154, 7350], 2: [3162, 5028], 3: [1168, 6299], 4: [956, 2258], 6: [802, 2515]},
    # full house
    {1: [117, 282], 2: [103, 440], 3: [293, 591], 4: [186, 218], 6: [56, 75]},
    # flush
    {1: [395, 1669], 2: [707, 738], 3: [32, 56], 4: [298, 473], 6: [181]},
    # straight with the ace low
    {1: [737, 2152], 2: [607, 1582], 3: [808, 1133], 4: [53, 1259], 6: [331, 347]},
]
# Seeds whose first hand, dealt to one, has both sides with the same sort of great hand: won, lost or tied late.
CLASH_SEEDS = [
    [2603, 4346, 507, 4352, 174, 364],  # straights
    [2035, 3273, 7942, 29288, 18698, 41732],  # straights, one with the ace low
    [873, 586, 106, 274, 329, 473, 855],  # flushes
    [1566, 3118, 902, 1373, 2130, 5616, 103],  # full houses
    [5028, 17683, 14372, 31291, 12671, 25763],  # four of a kind
]


def random_record(number: int) -> list[dict[str, Any]]:
    """A record, mostly legal lines, always the same for the same number."""
    rng = random.Random(number)
    plan = make_plan(rng)
    header: Line = {
        "format": FORMAT,
        "game": "champion-poker",
        "seed": plan["seed"],
        "players": rng.sample(NAMES, plan["players"]),
        "options": plan["options"],
    }
    lines = [header]
    episode = Episode(PLAY, header)
    went_back = 0

    def add(line: Line) -> None:
        if rng.random() < 0.01:
            line = line | {"note": "by mail"}
        lines.append(line)
        episode.feed(line)

    while len(lines) < MOST_LINES:
        state = episode.state
        if state["phase"] == "over":
            while rng.random() < 0.4:
                add(refused_line(rng, episode, doubtful_line))
            if went_back < 3 and rng.random() < 0.12:
                went_back += 1
                add({"back_to": rng.randint(1, len(lines))})
                continue
            break
        chance = rng.random()
        if chance < plan["refused"]:
            add(refused_line(rng, episode, doubtful_line))
        elif chance < plan["refused"] + 0.03:
            add({"from": rng.choice(state["players"]), "say": dress(rng, rng.choice(["status", "rules", "help"]))})
        elif chance < plan["refused"] + 0.037 and went_back < 3:
            went_back += 1
            add({"back_to": rng.randint(max(1, len(lines) - 30), len(lines))})
        elif rng.random() < plan["stop"]:
            break
        else:
            add(good_line(rng, state, plan))
    return lines


def make_plan(rng: random.Random) -> dict[str, Any]:
    """How one record is going to be played."""
    options = random_options(rng)
    full = DEFAULTS | options
    hands = range(1, min(full["hands"], 12) + 1)

    def some_hands(chance: float) -> list[int]:
        return [hand for hand in hands if rng.random() < chance]

    plan: dict[str, Any] = {
        "seed": f"{rng.getrandbits(256):064x}",
        "options": options,
        "players": rng.choice([1, 1, 2, 2, 3, 3, 4, 5, 6]),
        "refused": rng.choice([0.03, 0.1, 0.14, 0.18]),
        "stop": 0.02 if rng.random() < 0.08 else 0.0,
        "bets": rng.choice(["least", "any", "any", "most", "edge", "edge", "edge"]),
        "sit": rng.choice([0.0, 0.05, 0.1, 0.3]),
        "sides": rng.choice([["", "player", "dealer"], ["player", "dealer"], ["dealer"], ["player", "player", ""]]),
        "play": rng.choice([0.5, 0.8, 0.8, 0.97]),
        "raise": rng.choice([0.2, 0.5, 0.9]),
        "timeout": rng.choice([0.0, 0.02, 0.06, 0.15]),
        "again": rng.choice([0.1, 0.3, 0.6]),
        "resign": rng.choice([0.0, 0.005, 0.03]),
        "all_sit": some_hands(0.06),
        "one_bets": some_hands(0.08),
        "bonus_only": some_hands(0.05),
        "all_fold": some_hands(0.06),
        "flight": 0,
        "flight_phase": rng.choice(["bet", "play", "raise", ""]),
    }
    if rng.random() < 0.2:
        plan["flight"] = rng.choice(hands)
    if rng.random() < 0.07:
        plan["all_sit"] = list(range(1, full["hands"] + 1))
    chance = rng.random()
    if chance < 0.3:
        calm = {"sit": 0.0, "timeout": 0.0, "resign": 0.0, "flight": 0, "all_sit": [], "one_bets": [], "all_fold": []}
        if chance < 0.2:
            great = rng.choice([GREAT_SEEDS[0], *GREAT_SEEDS])
            cards = 1 if full["version"] == 1 else rng.choice(sorted(great))
            seed = rng.choice(great[cards])
        else:
            cards = 1
            seed = rng.choice(rng.choice(CLASH_SEEDS))
            calm |= {"play": 0.97, "bets": "least", "bonus_only": []}
        if full["version"] == 2:
            plan["players"] = cards
        plan |= calm | {"seed": f"{seed:064x}"}
    return plan


def random_options(rng: random.Random) -> dict[str, Any]:
    """Options that the game allows; those at their default are sometimes left out."""
    options: dict[str, Any] = {"version": rng.choice([1, 2]), "paytable": rng.choice("AB")}
    sort = rng.choice(["default", "small", "small", "small", "middle", "middle", "middle", "equal", "great"])
    least = rng.choice([1, 1, 2, 3, 5, 7, 10, 25])
    if sort != "default":
        most = {"small": least * rng.randint(1, 12), "middle": least + rng.randint(0, 90), "equal": least}
        options["min_bet"] = least
        options["max_bet"] = most.get(sort, 10 ** rng.randint(2, 12))
        smallest = least * options["version"]
        bankroll = smallest * rng.choice([1, 1, 2, 3, 5]) + rng.choice([0, 0, 1, least - 1, rng.randint(0, 2 * least)])
        if sort != "small":
            bankroll = smallest * rng.randint(1, 40) + rng.randint(0, 99)
        options["bankroll"] = bankroll if sort != "great" else 10 ** rng.randint(3, 15)
        options["hands"] = rng.choice([1, 2, 3, 4, 6, 8, 12])
        if sort == "small" and rng.random() < 0.3:
            options["hands"] = rng.choice([20, 100, 1_000_000])
    if sort == "default" and rng.random() < 0.15:
        return {}
    for key, value in DEFAULTS.items():
        if options.get(key) == value and rng.random() < 0.5:
            del options[key]
    return options


def doubtful_line(rng: random.Random, episode: Episode) -> Line:
    state = episode.state
    players = state["players"]
    asked = state["waiting"] or players
    idle = [player for player in players if player not in state["waiting"]] or players
    out = [player for player in players if is_out(state, player)] or idle
    anybody = rng.choice([rng.choice(asked), rng.choice(asked), rng.choice(idle)])
    kind = rng.randrange(14)
    if kind <= 1:
        return {"from": rng.choice(idle), "say": dress(rng, rng.choice([*CANONICAL, sure_bet(state)]))}
    if kind <= 3:
        return {"from": rng.choice(asked), "say": dress(rng, rng.choice(CANONICAL))}
    if kind == 4:
        return {"from": rng.choice(out), "say": dress(rng, rng.choice([*CANONICAL, "resign", "resign"]))}
    if kind <= 7:
        who = rng.choice(asked)
        return {"from": who, "say": dress(rng, rng.choice(wrong_bets(rng, state, who)))}
    if kind == 8:
        return {"from": anybody, "say": rng.choice(GARBAGE)}
    if kind == 9:
        host = [*CANONICAL, sure_bet(state), "status", "rules", "help", "offer 3000", "hello there"]
        return {"from": "host", "say": dress(rng, rng.choice(host))}
    if kind == 10:
        return {"from": rng.choice(STRANGERS), "say": dress(rng, rng.choice([*CANONICAL, sure_bet(state), "status"]))}
    if kind == 11:
        return {"timeout": rng.choice(["host", rng.choice(STRANGERS)])}
    if kind == 12:
        return {"timeout": rng.choice([*idle, *out])}
    this = len(episode.states) + 1
    return {"back_to": rng.choice([0, this, this + 1, this + rng.randint(2, 50)])}


def sure_bet(state: State) -> str:
    """A wager that is good for whoever may place one."""
    return f"bet {state['options']['min_bet']}"


def wrong_bets(rng: random.Random, state: State, player: str) -> list[str]:
    """Wagers that are wrong, or are where they have just been found to be."""
    least, most = state["options"]["min_bet"], state["options"]["max_bet"]
    chips = state["bankrolls"][player]
    wrong = ["bet", "bet 0", "bet -5", f"bet -{least}", "bet 12.5", f"bet {least}.5", f"bet {least - 1}"]
    wrong += [f"bet {most + 1}", f"bet {most + 1} player", f"bet {chips + 1}", f"bet {min(chips // 2 + 1, most)}"]
    wrong += [f"bet {min(chips // 2 + 1, most)} {side}" for side in ("player", "dealer")]
    wrong += [f"bet {rng.randint(least, most)} {side}" for side in ("player", "dealer")]
    if chips < 2 * most:
        wrong += 2 * [f"bet {min(chips + 1, most)}", f"bet {rng.randint(chips // 2 + 1, most)} player"]
    return wrong


def good_line(rng: random.Random, state: State, plan: dict[str, Any]) -> Line:
    """Something that may happen now: what one of those asked answers, a timeout, or somebody who leaves."""
    inside = [player for player in state["players"] if not is_out(state, player)]
    leaving = plan["resign"]
    if plan["flight"] == state["hand"] and plan["flight_phase"] in ("", state["phase"]):
        leaving = 0.5
    wagering = [player for player in inside if has_wager(state, player)]
    if wagering and state["hand"] in plan["one_bets"]:
        leaving = 0.25
    if rng.random() < leaving:
        if rng.random() < 0.6:
            return {"from": rng.choice(wagering or inside), "say": dress(rng, "resign")}
        return {"from": rng.choice(inside), "say": dress(rng, "resign")}
    player = rng.choice(state["waiting"])
    late = state["timeouts"][player] == 1
    if late and rng.random() < 0.05:
        return {"from": player, "say": dress(rng, rng.choice(["status", "rules", "help"]))}
    if rng.random() < (plan["again"] if late else plan["timeout"]):
        return {"timeout": player}
    if state["phase"] == "bet":
        say = bet_command(rng, state, plan, player)
    elif state["phase"] == "play":
        chance = 0.0 if state["hand"] in plan["all_fold"] else plan["play"]
        say = "play" if rng.random() < chance else "fold"
    else:
        say = "raise" if rng.random() < plan["raise"] else "check"
    return {"from": player, "say": dress(rng, say)}


def bet_command(rng: random.Random, state: State, plan: dict[str, Any], player: str) -> str:
    hand = state["hand"]
    alone = hand in plan["one_bets"] and any(has_wager(state, other) for other in state["players"])
    if alone or hand in plan["all_sit"] or rng.random() < plan["sit"]:
        return "sit"
    least, most = state["options"]["min_bet"], state["options"]["max_bet"]
    chips = state["bankrolls"][player]
    side = rng.choice(plan["sides"])
    bonus_only = side == "" or hand in plan["bonus_only"] or chips < 2 * least
    if state["options"]["version"] == 2:
        bonus_only = False
        side = ""
    top = min(most, chips if bonus_only else chips // 2)
    style = plan["bets"] if rng.random() < 0.9 else "any"
    if style == "edge":
        # Where two wagers are placed, more than a third leaves nothing to play with, and more than a fourth to raise.
        amount = rng.choice([top, chips // 3 + 1, chips // 3, chips // 4 + 1, chips // 4])
    else:
        amount = {"least": least, "most": top}.get(style, rng.randint(least, top))
    amount = min(max(amount, least), top)
    return f"bet {amount}" if bonus_only or side == "" else f"bet {amount} {side}"
