"""Shell: `python -m bench.season`. In: how many contestants, how they behave, what one process carries. Out: a season's load.

What an episode takes comes from `podium simulate`; when people register and answer is assumed, each assumption an option.
Hour by hour, in Universal Time; some episodes are played, and each stands for as many as there would be.
"""

import argparse
import json
import math
import random
import sys
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from itertools import accumulate
from operator import add, sub
from pathlib import Path
from typing import Any

from bench.table import percentile
from host.demo.simulate import play as simulated
from host.engine.game import usual_seats
from host.games import GAMES
from host.turn.question_bank import starter

EVENING: Sequence[int] = range(18, 23)
NIGHT: Sequence[int] = (23, *range(7))
AT_NIGHT = 0.03
HAPPENINGS = ("mails_in", "letters_out", "registered", "begun", "over", "asked", "answered", "lapsed", "reminded")
MEASURED, ASSUMED, COMPUTED = "measured", "assumed", "computed"


@dataclass(frozen=True)
class Course:
    """One episode of the simulator: answering times one after the other; replies and letters of all seats."""

    steps: int
    replies: float
    letters: float


def _given(default: Any, kind: str, told: str) -> Any:
    return field(default=default, metadata={"kind": kind, "told": told})


@dataclass(frozen=True)
class Season:
    """What is measured and what is assumed. Hours, bytes, dollars; shares are of 1."""

    game: str = _given("champ-cards", ASSUMED, "the game everyone plays")
    contestants: int = _given(1_000_000, ASSUMED, "contestants, who register once and play one episode")
    days: int = _given(90, ASSUMED, "days in which they register")
    announced: float = _given(0.3, ASSUMED, "share that registers because of the announcement")
    announced_days: float = _given(2.0, ASSUMED, "days in which their number falls to a third")
    zones: str = _given("-8:15,-5:40,0:10,1:25,9:10", ASSUMED, "hours from UTC, and how many live there")
    evening: float = _given(0.6, ASSUMED, "share of a day's looks into the mailbox from 18 to 23, local time")
    looks: float = _given(2.0, ASSUMED, "looks a day; a letter is answered at the first")
    silent: float = _given(0.01, ASSUMED, "share of questions nobody answers, besides those seen too late")
    reply_within: float = _given(48.0, ASSUMED, "hours for an answer")
    reminders: str = _given("24,6", ASSUMED, "hours before a deadline when a reminder goes out")
    operators: int = _given(1, ASSUMED, "operators, each told of every deadline that lapses")
    lobbies: int = _given(1, ASSUMED, "lobbies, each with a champion who plays on")
    busy: float = _given(0.5, ASSUMED, "share of its capacity that a process is given")
    lobby_ms: float = _given(50.0, ASSUMED, "milliseconds a transaction holds a lobby's row")
    keep_mail: float = _given(30.0, ASSUMED, "days that `keep_mail` keeps mail as it came")
    bytes_a_mail: float = _given(6000.0, ASSUMED, "bytes of a reply with headers and quotation")
    bytes_an_episode: float = _given(40_000.0, ASSUMED, "bytes of an episode's other rows, indexes included")
    bytes_a_letter: float = _given(1_300.0, MEASURED, "bytes a letter takes in the database, indexes included")
    bytes_sent: float = _given(11_000.0, MEASURED, "bytes of a letter as it is sent")
    moves_a_second: float = _given(211.0, MEASURED, "replies a second that one process plays")
    letters_a_second: float = _given(421.0, MEASURED, "letters a second that one process sends while it plays")
    database_ms: float = _given(1.45, MEASURED, "milliseconds of PostgreSQL's own CPU a move")
    database_cores: int = _given(16, ASSUMED, "cores of the machine with PostgreSQL")
    price_letters: float = _given(0.10, ASSUMED, "dollars a thousand letters")
    price_machine: float = _given(50.0, ASSUMED, "dollars a machine and month, two cores")
    price_gigabyte: float = _given(0.10, ASSUMED, "dollars a gigabyte stored and month")

    @property
    def habits(self) -> "Habits":
        """When people look into their mailbox."""
        return Habits(self.evening, self.looks)

    @property
    def zone_shares(self) -> tuple[list[float], list[float]]:
        """Hours from UTC, and shares. Raises ValueError where they are not written as pairs."""
        pairs = [each.split(":") for each in self.zones.split(",")]
        return [float(hours) for hours, _ in pairs], [float(share) for _, share in pairs]

    @property
    def reminded_after(self) -> list[float]:
        """Hours after the question when a reminder is due."""
        before = [float(each) for each in self.reminders.split(",") if each]
        return sorted(self.reply_within - each for each in before if each < self.reply_within)


class Habits:
    """When people look into their mailbox, by their own clock: the same every day."""

    def __init__(self, evening: float, looks: float) -> None:
        by_day = 1 - evening - AT_NIGHT
        shares = [by_day / (24 - len(EVENING) - len(NIGHT))] * 24
        for hours, share in ((EVENING, evening), (NIGHT, AT_NIGHT)):
            for hour in hours:
                shares[hour] = share / len(hours)
        self.looks = looks
        self._until = [0.0, *accumulate(shares)]
        self._until[24] = 1.0

    def at(self, share: float) -> float:
        """The hour of the day by which this share of a day's looks is done."""
        hour = min(bisect_right(self._until, share) - 1, 23)
        before, after = self._until[hour], self._until[hour + 1]
        return hour + (share - before) / (after - before)

    def delay(self, hour: float, patience: float) -> float:
        """Hours from `hour` of the day until the next look; `patience` is drawn with mean 1."""
        whole = int(hour)
        done = self._until[whole] + (self._until[whole + 1] - self._until[whole]) * (hour - whole)
        days, share = divmod(done + patience / self.looks, 1.0)
        return days * 24 + self.at(share) - hour


class Load:
    """What happens, by hour since the season began."""

    def __init__(self) -> None:
        self.hours: dict[str, list[float]] = {name: [] for name in HAPPENINGS}

    def add(self, name: str, at: float, weight: float) -> None:
        """Something happens at a time in hours."""
        hours, hour = self.hours[name], int(at)
        if hour >= len(hours):
            hours.extend([0.0] * (hour + 1 - len(hours)))
        hours[hour] += weight

    def level(self) -> None:
        """All hours are counted as long as anything happens."""
        longest = max(map(len, self.hours.values()))
        for hours in self.hours.values():
            hours.extend([0.0] * (longest - len(hours)))

    def running(self) -> list[float]:
        """Episodes under way at the end of each hour."""
        return list(accumulate(map(sub, self.hours["begun"], self.hours["over"])))

    def open(self) -> list[float]:
        """Questions that wait for an answer at the end of each hour."""
        closed = map(add, self.hours["answered"], self.hours["lapsed"])
        return list(accumulate(map(sub, self.hours["asked"], closed)))


def courses(slug: str, episodes: int, seed: str) -> list[Course]:
    """What this many episodes take, robots tapping what says most."""
    game = GAMES[slug]
    found = []
    for number in range(episodes):
        table = simulated(game, "tapping", f"{seed}:{number}", starter(game))
        found.append(Course(table.now, table.replies.total(), table.letters.total()))
    return found


def play(season: Season, courses: Sequence[Course], most: int, seed: str) -> Load:
    """The season's load, from at most about `most` played episodes. The same seed gives the same load.

    Raises ValueError where champions would need more newcomers than there are.
    """
    table = _Table(season, courses, random.Random(seed))
    seats = usual_seats(GAMES[season.game])
    champions = table.champions(seats)
    newcomers = season.contestants - champions * (seats - 1)
    if newcomers < 0:
        raise ValueError(f"{season.lobbies} champions would play more newcomers than register")
    drawn = min(max(newcomers // seats, 1), most) * seats
    queue = sorted(table.register(season.contestants / drawn) for _ in range(drawn))
    weight = newcomers / drawn
    for first in range(0, drawn, seats):
        waiting = queue[first : first + seats]
        table.episode(waiting[-1][0], [zone for _, zone in waiting], weight)
    table.load.level()
    return table.load


class _Table:
    """Where episodes are played."""

    def __init__(self, season: Season, courses: Sequence[Course], chance: random.Random) -> None:
        self.season, self.courses, self.chance = season, courses, chance
        self.habits, self.zones, self.load = season.habits, season.zone_shares, Load()
        self.after = season.reminded_after

    def zone(self) -> float:
        """Where somebody lives, in hours from UTC."""
        hours, shares = self.zones
        return self.chance.choices(hours, shares)[0]

    def register(self, weight: float) -> tuple[float, float]:
        """Two mails and two letters; gives when the second mail comes, and where they live."""
        season, chance, zone = self.season, self.chance, self.zone()
        day = season.days * chance.random()
        if chance.random() < season.announced:
            day = min(chance.expovariate(1 / season.announced_days), day)
        asks = max(int(day) * 24 + self.habits.at(chance.random()) - zone, 0.0)
        confirms = asks + self.habits.delay((asks + zone) % 24, chance.expovariate(1.0))
        for at in (asks, confirms):
            self.load.add("mails_in", at, weight)
            self.load.add("letters_out", at, weight)
        self.load.add("asked", asks, weight)
        self.load.add("answered", confirms, weight)
        self.load.add("registered", confirms, weight)
        return confirms, zone

    def champions(self, seats: int) -> int:
        """The episodes of those who won and stay, one after the other while people register; gives how many."""
        count = 0
        for _ in range(self.season.lobbies if seats > 1 else 0):
            now = 24.0
            while now < self.season.days * 24:
                now = self.episode(now, [self.zone() for _ in range(seats)], 1.0)
                count += 1
        return count

    def episode(self, begins: float, zones: Sequence[float], weight: float) -> float:
        """One episode from its first letters to its last; gives when it is over."""
        season, load, chance = self.season, self.load, self.chance
        course = chance.choice(self.courses)
        width = weight * course.replies / course.steps
        answers = weight * (course.letters - len(zones)) / course.steps
        now = begins
        load.add("begun", now, weight)
        load.add("letters_out", now, weight * len(zones))
        for step in range(course.steps):
            local = (now + zones[step % len(zones)]) % 24
            delay = self.habits.delay(local, chance.expovariate(1.0))
            load.add("asked", now, width)
            is_late = delay > season.reply_within or chance.random() < season.silent
            delay = season.reply_within if is_late else delay
            for after in self.after:
                if delay > after:
                    load.add("reminded", now + after, width)
                    load.add("letters_out", now + after, width)
            now += delay
            load.add("lapsed" if is_late else "answered", now, width)
            if not is_late:
                load.add("mails_in", now, width)
            alerts = width * season.operators if is_late else 0.0
            load.add("letters_out", now, answers + alerts)
        load.add("over", now, weight)
        return now


def longest_wait(hours: Sequence[float], an_hour: float) -> float:
    """Hours that the last in line waits at the worst, where so many are worked off in an hour."""
    waiting, worst = 0.0, 0.0
    for each in hours:
        waiting = max(waiting + each - an_hour, 0.0)
        worst = max(worst, waiting / an_hour)
    return worst


Figures = dict[str, float]


def figures(season: Season, load: Load) -> Figures:
    """What follows from the load. Rates a second are those of the worst hour."""
    hours = load.hours
    episodes, letters, mails = sum(hours["begun"]), sum(hours["letters_out"]), sum(hours["mails_in"])
    peak = {name: max(each) for name, each in hours.items()}
    lobby = [
        sum(each) / 3600 for each in zip(*(hours[k] for k in ("registered", "begun", "over", "lapsed")), strict=True)
    ]
    moves, sent = season.moves_a_second, season.letters_a_second
    database, mail_bytes = season.database_cores * 1000 / season.database_ms, season.bytes_a_mail
    room = min(moves * 3600 / peak["mails_in"], sent * 3600 / peak["letters_out"])
    found: Figures = {
        "episodes": episodes,
        "mails_an_episode": mails / episodes,
        "letters_an_episode": letters / episodes,
        "days_an_episode": sum(load.running()) / 24 / episodes,
    }
    for name in ("mails_in", "letters_out", "begun"):
        found[f"{name}_mean"] = sum(hours[name]) / len(hours[name])
        found[f"{name}_p99"] = percentile(hours[name], 0.99)
        found[f"{name}_peak"] = peak[name]
    return found | {
        "running_peak": max(load.running()),
        "open_peak": max(load.open()),
        "lapses_a_day": max(_days(hours["lapsed"])),
        "lapses_a_minute": peak["lapsed"] / 60,
        "reminders_a_minute": peak["reminded"] / 60,
        "lapses_a_minute_bound": peak["asked"] / 60,
        "due_a_minute_most": sent * 60 * sum(hours["asked"]) / letters,
        "mails_in_a_second": peak["mails_in"] / 3600,
        "letters_out_a_second": peak["letters_out"] / 3600,
        "processes": math.ceil(1 / room / season.busy),
        "mails_wait_hours": longest_wait(hours["mails_in"], moves * 3600),
        "letters_wait_hours": longest_wait(hours["letters_out"], sent * 3600),
        "contestants_a_process": season.contestants * room * season.busy,
        "database_moves_a_second": database,
        "contestants_a_database": season.contestants * database * 3600 / peak["mails_in"] * season.busy,
        "database_log_mb": database * (mail_bytes + letters / mails * season.bytes_a_letter) / 1e6,
        "lobby_a_second": max(lobby),
        "lobbies_needed": math.ceil(max(lobby) * season.lobby_ms / 1000 / season.busy),
        **_stored(season, load),
        **_thousand(season, letters / episodes, mails / episodes),
    }


def _days(hours: Sequence[float]) -> list[float]:
    return [sum(hours[first : first + 24]) for first in range(0, len(hours), 24)]


def _stored(season: Season, load: Load) -> Figures:
    letters, mails, over = (_days(load.hours[name]) for name in ("letters_out", "mails_in", "begun"))
    gigabyte = 1e9
    raw = [each * season.bytes_a_mail for each in mails]
    kept = round(season.keep_mail)
    rest = sum(letters) * season.bytes_a_letter + sum(over) * season.bytes_an_episode
    growth = [
        sent * season.bytes_a_letter + came * season.bytes_a_mail + begun * season.bytes_an_episode
        for sent, came, begun in zip(letters, mails, over, strict=True)
    ]
    return {
        "letters_a_day_peak": max(letters),
        "letters_a_day_mean": sum(letters) / len(letters),
        "growth_a_day_mean_gb": sum(growth) / len(growth) / gigabyte,
        "growth_a_day_peak_gb": max(growth) / gigabyte,
        "stored_letters_gb": sum(letters) * season.bytes_a_letter / gigabyte,
        "stored_mails_gb": sum(raw) / gigabyte,
        "stored_gb": (rest + sum(raw)) / gigabyte,
        "stored_mails_kept_gb": max(sum(raw[first : first + kept]) for first in range(len(raw))) / gigabyte,
        "sent_megabits": max(load.hours["letters_out"]) * season.bytes_sent * 8 / 3600 / 1e6,
    }


def _thousand(season: Season, letters: float, mails: float) -> Figures:
    """A thousand episodes begun a day, day after day, for a month of thirty."""
    a_day = 1000 * (letters * season.bytes_a_letter + mails * season.bytes_a_mail + season.bytes_an_episode) / 1e9
    return {
        "thousand_letters_a_day": 1000 * letters,
        "thousand_letters_dollars": 30 * letters * season.price_letters,
        "thousand_gb_a_day": a_day,
        "thousand_storage_dollars": 30 * a_day * season.price_gigabyte,
        "thousand_machine_dollars": season.price_machine,
    }


SHOWN = (
    ("episodes", "episodes", "{:,.0f}"),
    ("mails_an_episode", "mails in an episode, registrations among them", "{:.1f}"),
    ("letters_an_episode", "letters an episode, reminders among them", "{:.1f}"),
    ("days_an_episode", "days an episode", "{:.1f}"),
    ("mails_in_mean", "mails in an hour, mean", "{:,.0f}"),
    ("mails_in_p99", "mails in an hour, 99th percentile", "{:,.0f}"),
    ("mails_in_peak", "mails in an hour, peak", "{:,.0f}"),
    ("letters_out_mean", "letters an hour, mean", "{:,.0f}"),
    ("letters_out_p99", "letters an hour, 99th percentile", "{:,.0f}"),
    ("letters_out_peak", "letters an hour, peak", "{:,.0f}"),
    ("begun_peak", "episodes begun an hour, peak", "{:,.0f}"),
    ("running_peak", "episodes under way, peak", "{:,.0f}"),
    ("open_peak", "open deadlines, peak", "{:,.0f}"),
    ("lapses_a_day", "deadlines lapsing a day, peak; as many alerts to each operator", "{:,.0f}"),
    ("lapses_a_minute", "deadlines lapsing a minute in the worst hour", "{:,.0f}"),
    ("reminders_a_minute", "reminders a minute in the worst hour", "{:,.0f}"),
    ("lapses_a_minute_bound", "... were nobody to answer: deadlines a minute", "{:,.0f}"),
    ("due_a_minute_most", "... that one process can have asked for in a minute", "{:,.0f}"),
    ("mails_in_a_second", "mails in a second in the worst hour", "{:.1f}"),
    ("letters_out_a_second", "letters a second in the worst hour", "{:.1f}"),
    ("sent_megabits", "megabits a second sent then", "{:.1f}"),
    ("mails_wait_hours", "with one process: longest wait of a mail, hours", "{:.1f}"),
    ("letters_wait_hours", "with one process: longest wait of a letter, hours", "{:.1f}"),
    ("processes", "processes needed, each given its share", "{:,.0f}"),
    ("contestants_a_process", "contestants that one process carries in such a season", "{:,.0f}"),
    ("database_moves_a_second", "moves a second that PostgreSQL's cores can do", "{:,.0f}"),
    ("database_log_mb", "... and MB a second of mails and letters it writes then", "{:,.0f}"),
    ("contestants_a_database", "contestants that one PostgreSQL carries in such a season", "{:,.0f}"),
    ("lobby_a_second", "transactions a second that take the lobby, peak", "{:.1f}"),
    ("lobbies_needed", "lobbies needed for that", "{:,.0f}"),
    ("letters_a_day_mean", "letters a day, mean", "{:,.0f}"),
    ("letters_a_day_peak", "letters a day, peak", "{:,.0f}"),
    ("growth_a_day_mean_gb", "the database grows a day by GB, mean", "{:.1f}"),
    ("growth_a_day_peak_gb", "the database grows a day by GB, peak", "{:.1f}"),
    ("stored_gb", "GB stored at the end, all kept", "{:,.0f}"),
    ("stored_letters_gb", "... of which letters", "{:,.0f}"),
    ("stored_mails_gb", "... of which mail as it came", "{:,.0f}"),
    ("stored_mails_kept_gb", "... and with keep_mail, at the most", "{:,.0f}"),
    ("thousand_letters_a_day", "1,000 episodes a day: letters a day", "{:,.0f}"),
    ("thousand_letters_dollars", "1,000 episodes a day: letters, $ a month", "{:,.0f}"),
    ("thousand_gb_a_day", "1,000 episodes a day: GB a day", "{:.2f}"),
    ("thousand_storage_dollars", "1,000 episodes a day: a month's growth stored, $ a month", "{:,.1f}"),
    ("thousand_machine_dollars", "1,000 episodes a day: one machine, $ a month", "{:,.0f}"),
)


def in_words(season: Season, found: Figures) -> str:
    """What went in and what came out, a line each, with what kind of figure it is."""
    given = [(each.metadata["told"], f"{getattr(season, each.name)}", each.metadata["kind"]) for each in fields(Season)]
    shown = [(title, shape.format(found[name]), COMPUTED) for name, title, shape in SHOWN]
    return "\n".join(f"{title:<76} {value:>27}  {kind}" for title, value, kind in given + shown)


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """The command line: an option for each figure of `Season`."""
    parser = argparse.ArgumentParser(prog="bench.season", description="The load of a season, hour by hour.")
    for each in fields(Season):
        told = f"{each.metadata['told']} ({each.metadata['kind']}; {each.default})"
        parser.add_argument(
            f"--{each.name.replace('_', '-')}", type=type(each.default), default=each.default, help=told
        )
    parser.add_argument("--simulated", type=int, default=300, help="episodes of the simulator that load is taken from")
    parser.add_argument("--played", type=int, default=50_000, help="episodes of the season that are played, at most")
    parser.add_argument("--seed", default="season")
    parser.add_argument("--json", type=Path, help="write all figures there")
    asked = parser.parse_args(words)
    if asked.game not in GAMES:
        parser.error(f"there is no game {asked.game}; there are {', '.join(sorted(GAMES))}")
    return asked


def main(words: Sequence[str]) -> None:
    """Simulate the season that is asked for."""
    asked = arguments(words)
    season = Season(**{each.name: getattr(asked, each.name) for each in fields(Season)})
    try:
        load = play(season, courses(season.game, asked.simulated, asked.seed), asked.played, asked.seed)
    except ValueError as error:
        sys.exit(f"bench.season: {error}")
    found = figures(season, load)
    sys.stdout.write(in_words(season, found) + "\n")
    if asked.json:
        asked.json.write_text(json.dumps({"season": vars(season), "figures": found, "hours": load.hours}))


if __name__ == "__main__":
    main(sys.argv[1:])
