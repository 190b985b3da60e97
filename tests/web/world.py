"""A host that plays all games: the corridor without servers, robots that answer letters, and the public pages over it."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from host.demo.simulate import pick_choice
from host.engine.chance import Chance
from host.engine.game import HOST
from host.games import GAMES
from host.store.episodes import episode_of_code
from host.table.play import Play, load_play
from host.table.work import Work
from host.turn.question_bank import add_entries, starter
from host.web.pages import Web
from host.web.public.paths import document_at
from tests.turn.desk import ADDRESS, OPERATOR, Desk

PEOPLE = (("Ann Quillon", "Dayton, Ohio"), ("Bob Zorrilla", ""), ("Cleo Xanthos", "Bangor, Maine"))
MOST_MAILS = 600


class World:
    """A desk with every game; `web` are its pages at the desk's own time."""

    def __init__(self, folder: Path, **changes: Any) -> None:
        games = {slug: {"seats": max(2, min(game.seats))} for slug, game in GAMES.items()}
        address = {"listen": "127.0.0.1:8025", "url": "https://games.example.org"}
        self.desk = Desk(
            folder, "champ-cards", games=games, web=address, security={"registrations_a_day": 50}, **changes
        )
        self.web = Web(self.desk.services, lambda: self.desk.now)
        with self.desk.store.transaction() as session:
            for game in GAMES.values():
                if game.bank:
                    add_entries(Work(session, self.desk.services, self.desk.now), game, starter(game))

    def register(self, slug: str, people: tuple[tuple[str, str], ...] = PEOPLE) -> None:
        """As many as the game needs register, and an episode begins."""
        for name, hometown in people[: self.desk.services.seats(GAMES[slug])]:
            address = f"{name.split()[0].lower()}@post.example"
            home = f"\nHometown: {hometown}" if hometown else ""
            self.desk.write(address, ADDRESS, GAMES[slug].subject, f"Name: {name}{home}")
            if self.desk.last(address).kind == "confirm":
                self.desk.answer(address, "confirm")

    def play(self, code: str) -> Play:
        """An episode as it stands."""
        with self.desk.store.reading() as session:
            episode = episode_of_code(session, code)
            assert episode is not None, code
            for seat in episode.seats:
                assert seat.contestant.address
            return load_play(episode)

    def go_on(self, code: str, seed: int = 0) -> Iterator[Play]:
        """Robots play an episode to its end; gives it after each mail."""
        robots = Chance(random.Random(f"{code}:{seed}").randbytes(32)).stream("robots")
        for _ in range(MOST_MAILS):
            play = self.play(code)
            yield play
            asked = play.game.questions(play.state)
            if not asked:
                return
            question = asked[robots.below(len(asked))]
            address = OPERATOR if question.seat == HOST else play.episode.seats[question.seat].contestant.address
            letters = [each for each in self.desk.letters(address) if each.headers.get("x-podium-episode") == code]
            self.desk.later(minutes=20)
            self.desk.answer(address, "\n".join(pick_choice(play.game, play.state, question, robots)), letters[-1])
        raise AssertionError(f"{code} does not end")

    def play_first(self, slug: str) -> None:
        """The first episode of a game, to its end; of a new world it is played once and copied."""
        self.desk.once(f"play {slug}", lambda: self._play_first(slug))

    def _play_first(self, slug: str) -> None:
        self.register(slug)
        for _ in self.go_on(f"{GAMES[slug].code}-1"):
            pass

    def page(self, path: str) -> str:
        """What stands at a public path."""
        return document_at(self.web, path).body.decode()
