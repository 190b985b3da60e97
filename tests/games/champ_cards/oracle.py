"""A second, independent Champ Cards, kept as plain as possible: the oracle of the comparison tests.

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
    NAMES,
    STRANGERS,
    Episode,
    Line,
    Play,
    Row,
    State,
    Stream,
    dress,
    refused_line,
    rows_of,
    shuffled,
)

TENS = "TJQK"

# Seeds whose first bonus hand lies on nine cards so low that one hand can hold them all without busting.
LOW_BONUS_SEEDS = [870803, 1237432, 1362242, 2770314, 2874916, 2919165, 3490193]
# Seeds whose first deck has a cut that lays nine very low cards, so that all spaces can become blank.
LOW_MAIN_SEEDS = [6566, 24995, 4354, 19722, 27640, 2447, 4016, 7835]


# Hands


def total_of(cards: list[str]) -> int:
    """The best total that does not bust, else the lowest."""
    total = 0
    aces = 0
    for card in cards:
        if card[0] == "A":
            aces += 1
            total += 1
        elif card[0] in TENS:
            total += 10
        else:
            total += int(card[0])
    if aces and total + 10 <= 21:
        total += 10
    return total


def is_blackjack(cards: list[str]) -> bool:
    if len(cards) != 2:
        return False
    ranks = [card[0] for card in cards]
    return "A" in ranks and any(rank in TENS for rank in ranks)


# The state


def new_state(header: Line) -> State:
    players = list(header["players"])
    state: State = {
        "seed": header["seed"],
        "players": players,
        "phase": "",
        "stage": "main",
        "round": 0,
        "rounds_won": dict.fromkeys(players, 0),
        "winnings": dict.fromkeys(players, 0),
        "turn": None,
        "winner": None,
        "bank": 0,
        "picked": None,
    }
    clear(state)
    start_round(state)
    return state


def clear(state: State) -> None:
    """Nothing is dealt."""
    state["spaces"] = [""] * 9
    state["up"] = [False] * 9
    state["hands"] = {player: [] for player in state["players"]}
    state["frozen"] = None
    state["stock"] = []
    state["house"] = []
    state["bet"] = 0
    state["offer"] = 0
    state["picked"] = None


def table_of(state: State) -> dict[str, Any]:
    spaces = []
    for card, up in zip(state["spaces"], state["up"], strict=True):
        spaces.append("" if card == "" else card if up else "??")
    return {
        "phase": state["phase"],
        "stage": state["stage"],
        "round": state["round"],
        "rounds_won": dict(state["rounds_won"]),
        "spaces": spaces,
        "hands": {player: list(hand) for player, hand in state["hands"].items()},
        "totals": {player: total_of(hand) for player, hand in state["hands"].items()},
        "frozen": state["frozen"],
        "stock": list(state["stock"]),
        "bank": state["bank"],
        "bet": state["bet"],
        "offer": state["offer"],
        "house": list(state["house"]),
    }


def waiting_of(state: State) -> list[str]:
    return [] if state["turn"] is None else [state["turn"]]


def other_of(state: State, player: str) -> str:
    first, second = state["players"]
    return str(second if player == first else first)


def total(state: State, player: str) -> int:
    return total_of(state["hands"][player])


def may_freeze(state: State, player: str) -> bool:
    """Whether the total and the opponent allow it; that it is the start of a turn is checked elsewhere."""
    return total(state, player) >= 12 and state["frozen"] is None


# The main game


def start_round(state: State) -> None:
    clear(state)
    state["round"] += 1
    state["stock"] = shuffled(state["seed"], f"round:{state['round']}:deck")
    state["turn"] = state["players"][0]
    state["phase"] = "cut"


def deal_spaces(state: State) -> None:
    state["spaces"] = state["stock"][:9]
    state["up"] = [False] * 9
    state["stock"] = state["stock"][9:]


def start_turn(state: State, player: str) -> None:
    """Ask the player, or take what there is no choice about."""
    state["turn"] = player
    state["phase"] = "pick"
    state["picked"] = None
    if may_freeze(state, player):
        return
    left = [at for at in range(9) if state["spaces"][at] != ""]
    if len(left) == 0:
        take_from_stock(state)
    elif len(left) == 1:
        pick(state, left[0])


def pick(state: State, at: int) -> None:
    state["up"][at] = True
    state["picked"] = at
    state["phase"] = "choose"


def keep(state: State) -> None:
    at = state["picked"]
    state["hands"][state["turn"]].append(state["spaces"][at])
    state["spaces"][at] = ""
    state["up"][at] = False
    after_card(state)


def take_from_stock(state: State) -> None:
    state["hands"][state["turn"]].append(state["stock"].pop(0))
    after_card(state)


def after_card(state: State) -> None:
    player = state["turn"]
    other = other_of(state, player)
    points = total(state, player)
    state["picked"] = None
    if state["stage"] == "bonus":
        if points > 21:
            finish(state, 0)
        elif points == 21:
            end_hand(state, True)
        else:
            start_turn(state, player)
    elif is_blackjack(state["hands"][player]):
        win_round(state, player, True)
    elif points == 21:
        win_round(state, player, False)
    elif points > 21:
        win_round(state, other, False)
    elif state["frozen"] == other:
        if points > total(state, other):
            win_round(state, player, False)
        else:
            start_turn(state, player)
    else:
        start_turn(state, other)


def freeze(state: State) -> None:
    player = state["turn"]
    state["frozen"] = player
    if state["stage"] == "bonus":
        while total_of(state["house"]) <= 16:
            state["house"].append(state["stock"].pop(0))
        house = total_of(state["house"])
        end_hand(state, house > 21 or house <= total(state, player))
        return
    other = other_of(state, player)
    if total(state, other) > total(state, player):
        win_round(state, other, False)
    else:
        start_turn(state, other)


def win_round(state: State, player: str, blackjack: bool) -> None:
    state["rounds_won"][player] += 1
    state["winnings"][player] += 5000 if blackjack else 2500
    if blackjack:
        start_bonus(state, player, 5000)
    elif state["rounds_won"][player] == 2:
        start_bonus(state, player, 2500)
    else:
        start_round(state)


def leave(state: State, player: str) -> None:
    """A timeout or a resignation of somebody who is still in."""
    if state["stage"] == "bonus":
        finish(state, 0)
        return
    other = other_of(state, player)
    state["winnings"][other] = max(state["winnings"][other], 5000)
    start_bonus(state, other, 2500)


# The bonus round


def start_bonus(state: State, player: str, stake: int) -> None:
    state["stage"] = "bonus"
    state["winner"] = player
    state["bank"] = stake
    state["round"] = 0
    start_hand(state)


def start_hand(state: State) -> None:
    clear(state)
    state["round"] += 1
    state["turn"] = state["winner"]
    state["phase"] = "bet"
    if lowest_bet(state) == state["bank"]:
        place_bet(state, state["bank"])


def lowest_bet(state: State) -> int:
    return int((state["bank"] + 1) // 2)


def place_bet(state: State, bet: int) -> None:
    state["bet"] = bet
    state["stock"] = shuffled(state["seed"], f"bonus:{state['round']}:deck")
    deal_spaces(state)
    state["house"] = state["stock"][:2]
    state["stock"] = state["stock"][2:]
    if state["house"][1][0] in TENS + "A":
        state["offer"] = first_offer(state)
        state["phase"] = "offer"
    else:
        start_turn(state, state["winner"])


def first_offer(state: State) -> int:
    bank = int(state["bank"])
    low = (bank + 99) // 100 * 50
    high = 3 * bank // 100 * 50
    if high < low:
        return bank
    return low + 50 * Stream(state["seed"], f"bonus:{state['round']}:offer").below((high - low) // 50 + 1)


def end_hand(state: State, won: bool) -> None:
    state["bank"] += state["bet"] if won else -state["bet"]
    if state["bank"] == 0 or state["round"] == 5:
        finish(state, state["bank"])
    else:
        start_hand(state)


def finish(state: State, amount: int) -> None:
    state["bank"] = amount
    state["winnings"][state["winner"]] += amount
    state["offer"] = 0
    state["phase"] = "over"
    state["turn"] = None


# Lines


def apply_line(state: State, line: Line) -> str | None:
    """Change the state by one line that is not `back_to`; the reason, where the line is refused."""
    if state["phase"] == "over":
        return "The episode is over."
    if "timeout" in line:
        player = line["timeout"]
        if player not in waiting_of(state):
            return "The game is not waiting for that player."
        leave(state, player)
        return None
    sender = line.get("from")
    words = str(line.get("say", "")).strip().lower().split()
    if sender == "host":
        return host_command(state, words)
    if sender not in state["players"]:
        return "Nobody of that name plays."
    return player_command(state, str(sender), words)


def number_of(word: str) -> int | None:
    return int(word) if re.fullmatch("[0-9]+", word) else None


def host_command(state: State, words: list[str]) -> str | None:
    if len(words) != 2 or words[0] != "offer":
        return "That is not a command of the host."
    amount = number_of(words[1])
    if state["phase"] != "offer":
        return "There is no offer to change."
    if amount is None or amount < 1:
        return "An offer is a whole number from 1."
    state["offer"] = amount
    return None


def player_command(state: State, player: str, words: list[str]) -> str | None:
    if words in (["status"], ["rules"], ["help"]):
        return None
    if state["stage"] == "bonus" and player != state["winner"]:
        return "You are out."
    if words == ["resign"]:
        leave(state, player)
        return None
    if player != state["turn"]:
        return "It is not your turn."
    phase = state["phase"]
    command = words[0] if words else ""
    if len(words) == 2 and command in ("cut", "pick", "bet"):
        number = number_of(words[1])
        if command == "cut" and phase == "cut" and number is not None and number <= 51:
            state["stock"] = state["stock"][number:] + state["stock"][:number]
            deal_spaces(state)
            start_turn(state, player)
            return None
        if command == "pick" and phase == "pick" and number is not None and 1 <= number <= 9:
            if state["spaces"][number - 1] == "":
                return "That space is blank."
            pick(state, number - 1)
            return None
        if command == "bet" and phase == "bet":
            number = {"all": state["bank"], "half": lowest_bet(state)}.get(words[1], number)
            if number is None or not lowest_bet(state) <= number <= state["bank"]:
                return "The bet is not allowed."
            place_bet(state, number)
            return None
    elif len(words) == 1:
        if phase == "choose" and command == "keep":
            keep(state)
            return None
        blank = all(card == "" for card in state["spaces"])
        if command == "draw" and (phase == "choose" or (phase == "pick" and blank)):
            take_from_stock(state)
            return None
        if command == "freeze" and phase == "pick" and may_freeze(state, player):
            freeze(state)
            return None
        if phase == "offer" and command == "accept":
            finish(state, state["offer"])
            return None
        if phase == "offer" and command == "decline":
            if is_blackjack(state["house"]):
                finish(state, 0)
            else:
                state["offer"] = 0
                start_turn(state, player)
            return None
    return "That is not legal now."


def winnings_of(state: State) -> dict[str, int]:
    won: dict[str, int] = state["winnings"]
    return won


def result_of(state: State) -> Row:
    return {
        "winner": state["winner"],
        "champion": state["winner"],
        "winnings": dict(state["winnings"]),
        "bonus": state["bank"],
    }


PLAY = Play(new_state, apply_line, waiting_of, winnings_of, table_of, result_of)


def replay(lines: list[Line]) -> list[Row]:
    """The rows that a replay of the record prints, without the file's name."""
    return rows_of(PLAY, lines)


# Random records

MAIN_STYLES = ["sharp", "sharp", "timid", "random", "bust", "low", "low", "blackjack", "blackjack"]
BONUS_STYLES = ["sharp", "sharp", "sharp", "timid", "timid", "random", "bust", "low"]


def random_record(number: int) -> list[dict[str, Any]]:
    """A record, mostly legal lines, always the same for the same number.

    The play looks at hidden cards where that helps to reach the rarer states.
    """
    rng = random.Random(number)
    plan = make_plan(rng)
    header: Line = {
        "format": FORMAT,
        "game": "champ-cards",
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
                plan["quit_at"] = len(lines) + rng.randint(3, 40)
                continue
            break
        chance = rng.random()
        if chance < plan["refused"]:
            add(refused_line(rng, episode, doubtful_line))
        elif chance < plan["refused"] + 0.04:
            say = rng.choice(["status", "rules", "help"])
            add({"from": rng.choice(state["players"]), "say": dress(rng, say)})
        elif chance < plan["refused"] + 0.045 and went_back < 3:
            went_back += 1
            add({"back_to": rng.randint(1, len(lines))})
        elif rng.random() < plan["stop"]:
            break
        elif len(lines) >= plan["quit_at"]:
            plan["quit_at"] = len(lines) + rng.randint(2, 60)
            add(leaving_line(rng, state))
        else:
            add(good_line(rng, state, plan))
    return lines


def make_plan(rng: random.Random) -> dict[str, Any]:
    """How one record is going to be played."""
    plan: dict[str, Any] = {
        "seed": f"{rng.getrandbits(256):064x}",
        "main": rng.choice(MAIN_STYLES),
        "bonus": rng.choice(BONUS_STYLES),
        "refused": rng.choice([0.0, 0.1, 0.14, 0.18]),
        "accept": rng.choice([0.05, 0.2, 0.6]),
        "bets": rng.choice(["any", "any", "all", "nearly"]),
        "quit_at": 10_000,
        "stop": 0.02 if rng.random() < 0.05 else 0.0,
    }
    if rng.random() < 0.3:
        plan["quit_at"] = rng.randint(1, 12) if rng.random() < 0.3 else rng.randint(8, 70)
    if plan["bonus"] == "low" and rng.random() < 0.7:
        plan["seed"] = f"{rng.choice(LOW_BONUS_SEEDS):064x}"
        plan["accept"] = 0.0
    elif plan["main"] == "low" and rng.random() < 0.7:
        plan["seed"] = f"{rng.choice(LOW_MAIN_SEEDS):064x}"
    return plan


def low_cuts(deck: list[str]) -> list[int]:
    """The five cuts that lay the lowest cards."""
    worth = [hard(card) for card in deck]
    sums = [(sum(worth[(cut + at) % 52] for at in range(9)), cut) for cut in range(52)]
    return [cut for _, cut in sorted(sums)[:5]]


def hard(card: str) -> int:
    return 1 if card[0] == "A" else total_of([card])


def leaving_line(rng: random.Random, state: State) -> Line:
    if rng.random() < 0.5:
        return {"timeout": state["turn"]}
    who = state["turn"]
    if state["stage"] == "main" and rng.random() < 0.5:
        who = other_of(state, who)
    return {"from": who, "say": dress(rng, "resign")}


def doubtful_line(rng: random.Random, episode: Episode) -> Line:
    state = episode.state
    players = state["players"]
    turn = state["turn"] or rng.choice(players)
    idle = other_of(state, turn)
    anybody = rng.choice([turn, turn, turn, idle, idle])
    canonical = ["keep", "draw", "freeze", "accept", "decline", "bet all", "bet half"]
    canonical += [f"cut {rng.randint(0, 51)}", f"pick {rng.randint(1, 9)}", f"bet {rng.randint(1, 5000)}"]
    canonical += ["resign", "status", "rules", "help"]
    kind = rng.randrange(13)
    if kind <= 1:
        return {"from": idle, "say": dress(rng, rng.choice(canonical))}
    if kind <= 4:
        return {"from": turn, "say": dress(rng, rng.choice(canonical))}
    if kind == 5:
        wrong = ["pick 0", "pick 10", "pick 99", "cut 52", "cut 53", "cut 99", "bet 0", "bet 999999999"]
        wrong += [f"bet {state['bank'] + 1}", f"bet {max(lowest_bet(state) - 1, 0)}", "bet", "pick", "cut"]
        return {"from": anybody, "say": dress(rng, rng.choice(wrong))}
    if kind == 6:
        wrong = ["bet -5", "bet 12.5", "bet -2500", "bet 2000.5", "pick -3", "pick 3.5", "cut -1", "cut 7.5"]
        return {"from": anybody, "say": dress(rng, rng.choice(wrong))}
    if kind == 7:
        return {"from": rng.choice([anybody, anybody, "host"]), "say": rng.choice(GARBAGE)}
    if kind == 8:
        wrong = ["resign", "status", "offer 0", "offer -5", "offer 99.5", "offer", "offer 3000", "accept"]
        return {"from": "host", "say": dress(rng, rng.choice(wrong + canonical[:-2]))}
    if kind == 9:
        return {"from": anybody, "say": dress(rng, f"offer {rng.randint(1, 9000)}")}
    if kind == 10:
        return {"timeout": rng.choice([idle, idle, "host", rng.choice(STRANGERS)])}
    if kind == 11:
        return {"from": rng.choice(STRANGERS), "say": dress(rng, rng.choice(canonical))}
    this = len(episode.states) + 1
    return {"back_to": rng.choice([0, this, this + 1, this + rng.randint(2, 50)])}


def good_line(rng: random.Random, state: State, plan: dict[str, Any]) -> Line:
    """A legal line of whoever is waited for, or the host's word on the offer."""
    phase = state["phase"]
    if phase == "offer" and rng.random() < 0.25:
        amount = rng.choice([1, rng.randint(1, 9999), 50 * rng.randint(1, 200), 1_000_000])
        return {"from": "host", "say": dress(rng, f"offer {amount}")}
    if phase == "cut":
        say = f"cut {rng.choice([0, 51, rng.randint(0, 51), rng.randint(0, 51), rng.randint(0, 51)])}"
        if plan["main"] == "low" and rng.random() < 0.9:
            cuts = low_cuts(state["stock"])
            say = f"cut {rng.choice([cuts[0], cuts[0], cuts[0], *cuts])}"
    elif phase == "bet":
        say = bet_command(rng, state, plan)
    elif phase == "offer":
        say = "accept" if rng.random() < plan["accept"] else "decline"
    elif phase == "pick":
        say = pick_command(rng, state, plan)
    else:
        say = choose_command(rng, state, plan)
    return {"from": state["turn"], "say": dress(rng, say)}


def bet_command(rng: random.Random, state: State, plan: dict[str, Any]) -> str:
    low, bank = lowest_bet(state), state["bank"]
    if plan["bets"] == "all" and rng.random() < 0.7:
        return rng.choice(["bet all", f"bet {bank}"])
    if plan["bets"] == "nearly" and rng.random() < 0.7:
        return f"bet {max(bank - rng.choice([1, 1, 2, 30]), low)}"
    return rng.choice(["bet half", "bet all", f"bet {low}", f"bet {rng.randint(low, bank)}"])


def pick_command(rng: random.Random, state: State, plan: dict[str, Any]) -> str:
    player = state["turn"]
    style = plan[state["stage"]]
    hand = state["hands"][player]
    points = total_of(hand)
    left = [at for at in range(9) if state["spaces"][at] != ""]
    freezing = may_freeze(state, player)
    anything = f"pick {rng.choice(left) + 1}" if left else "draw"
    if rng.random() < (0.02 if style == "low" else 0.1):
        style = "random"
    if style == "random":
        return "freeze" if freezing and rng.random() < 0.3 else anything
    if style == "timid":
        return "freeze" if freezing and rng.random() < 0.75 else anything
    if style == "bust":
        return anything
    after = {at: total_of([*hand, state["spaces"][at]]) for at in left}
    if style == "low":
        if freezing and rng.random() < [0.3, 0.1, 0.1, 0.02][min(len(left), 3)]:
            return "freeze"
        safe = [at for at in left if after[at] < 21]
        if safe:
            return f"pick {min(safe, key=lambda at: hard(state['spaces'][at])) + 1}"
        return "freeze" if freezing and left else anything
    if style == "blackjack":
        for at in left:
            wanted = is_blackjack([*hand, state["spaces"][at]])
            if wanted or (not hand and state["spaces"][at][0] in TENS + "A"):
                return f"pick {at + 1}"
    exact = [at for at in left if after[at] == 21]
    if exact and rng.random() < 0.7:
        return f"pick {rng.choice(exact) + 1}"
    if freezing and points >= rng.choice([16, 17, 18, 19]):
        return "freeze"
    better = [at for at in left if points < after[at] < 21]
    if better:
        return f"pick {rng.choice(better) + 1}"
    return "freeze" if freezing else anything


def choose_command(rng: random.Random, state: State, plan: dict[str, Any]) -> str:
    style = plan[state["stage"]]
    hand = state["hands"][state["turn"]]
    kept = [*hand, state["spaces"][state["picked"]]]
    drawn = [*hand, state["stock"][0]]
    either = rng.choice(["keep", "draw"])
    if style in ("random", "timid") or rng.random() < (0.02 if style == "low" else 0.1):
        return either
    if style == "bust":
        return "keep" if total_of(kept) > total_of(drawn) else "draw"
    if style == "low":
        return "keep" if total_of(kept) < 21 or total_of(drawn) > 21 else "draw"
    if style == "blackjack":
        if is_blackjack(kept):
            return "keep"
        if is_blackjack(drawn):
            return "draw"
    for points in range(21, 11, -1):
        if total_of(kept) == points:
            return "keep"
        if total_of(drawn) == points:
            return "draw"
    return either
