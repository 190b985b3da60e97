"""Whole episodes of every game by tapping links, in process: they end, and no letter or log tells what is hidden."""

import json
import logging
import random
import re
from datetime import timedelta
from typing import Any

import pytest

from host.demo.robot import ReadLetter, tap, write_link
from host.engine.cards import face
from host.engine.game import encode_event, usual_seats
from host.games import GAMES
from host.store.episodes import dump_state, episode_of_code, record_texts
from host.table.play import events_of, load_play
from host.table.work import Work
from host.turn.question_bank import add_entries, starter
from tests.games.test_contract import cards_in
from tests.size import a_few, size
from tests.turn.conftest import MakeDesk
from tests.turn.desk import OPERATOR, Desk

every_game = pytest.mark.parametrize("slug", a_few(GAMES))
MOVES = 2500
FACE = re.compile(r"(?:10|[2-9JQKA])[♣♦♥♠]")


class Tapper:
    """Plays one episode: each letter that asks is answered by one of its links, sometimes with something sent ahead."""

    def __init__(self, desk: Desk, seed: int) -> None:
        self.desk, self.random = desk, random.Random(seed)
        self.known = {entry.ask: entry.answers[0] for entry in starter(desk.game)}
        self.told: dict[int, int] = {}
        self.waiting: dict[int, list[Any]] = {}

    def begin(self) -> None:
        if self.desk.game.bank:
            with self.desk.store.transaction() as session:
                add_entries(Work(session, self.desk.services, self.desk.now), self.desk.game, starter(self.desk.game))
        self.desk.begin()

    def play(self) -> None:
        """To the end, looking at each letter as it comes."""
        seen = next(at for at, (_, letter, _) in enumerate(self.desk.sent) if letter.kind == "begin")
        for _ in range(MOVES):
            fresh = self.desk.sent[seen:]
            seen = len(self.desk.sent)
            self.look(fresh)
            queue = [(to, letter) for to, letter, _ in fresh if letter.asks or (to == OPERATOR and letter.links)]
            if not queue and any(letter.kind == "result" for _, letter, _ in fresh):
                return
            for address, letter in queue:
                self.answer(address, letter)
        raise AssertionError("no end in sight")

    def answer(self, address: str, letter: ReadLetter) -> None:
        raw = tap(letter, address, "Somebody", self.random, self.known)
        assert raw is not None
        self.desk.deliver(raw)

    def look(self, fresh: list[tuple[str, ReadLetter, bytes]]) -> None:
        """No letter shows a card that its reader may not see now and was not just told of."""
        with self.desk.store.reading() as session:
            episode = episode_of_code(session, f"{self.desk.game.code}-1")
            if episode is None:
                return
            play = load_play(episode)
            happened = events_of(Work(session, self.desk.services, self.desk.now), play, self.told.get(episode.id, 0))
            events = [event for _, event in happened]
            for seat in episode.seats:
                letters = [letter for to, letter, _ in fresh if to == seat.contestant.address]
                self.waiting.setdefault(seat.seat, []).extend(events)
                if letters and letters[-1].kind != "result":
                    told = [encode_event(each) for each in play.game.news(self.waiting.pop(seat.seat), seat.seat)]
                    known = cards_in(dict(play.game.view(play.state, seat.seat))) | cards_in(told)
                    everything = cards_in(dump_state(play.game, play.state))
                    hidden = {face(card).replace("\ufe0e", "") for card in everything - known}
                    for letter in letters:
                        shown = set(FACE.findall((letter.text + letter.page).replace("\ufe0e", "")))
                        assert not shown & hidden, (seat.name, letter.kind, shown & hidden)
                        assert episode.seed.hex() not in letter.text + letter.page
            self.told[episode.id] = max((number for number, _ in happened), default=self.told.get(episode.id, 0))


def desk_for(slug: str, make_desk: MakeDesk) -> Desk:
    """A desk of this game, with two contestants at least."""
    return make_desk(game=slug, games={slug: {"seats": seats(slug)}})


def seats(slug: str) -> int:
    return max(usual_seats(GAMES[slug]), 2)


def lines_of(desk: Desk) -> list[dict[str, str]]:
    with desk.store.reading() as session:
        episode = episode_of_code(session, f"{desk.game.code}-1")
        assert episode is not None
        return [json.loads(text) for text in record_texts(session, episode.id)]


@every_game
def test_link_tapping_plays_an_episode_to_its_end_and_nothing_hidden_is_told(
    slug: str, make_desk: MakeDesk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    desk = desk_for(slug, make_desk)
    tapper = Tapper(desk, 1)
    tapper.begin()
    tapper.play()
    results = [letter for _, letter, _ in desk.sent if letter.kind == "result"]
    assert len(results) == seats(slug)
    assert not [letter for _, letter, _ in desk.sent if letter.kind == "refused"]
    log = caplog.text
    assert not FACE.findall(log)
    assert not any(letter.headers["message-id"].strip("<>").partition("@")[0] in log for _, letter, _ in desk.sent)
    if seats(slug) > 2:
        assert_nobody_is_told_of_each_move(desk)


def assert_nobody_is_told_of_each_move(desk: Desk) -> None:
    """Who need not act is not written to at each move of the others."""
    moves = sum("say" in line and line["from"] != "host" for line in lines_of(desk))
    unasked = [letter for _, letter, _ in desk.sent if letter.kind == "news" and not letter.asks]
    unasked = [letter for letter in unasked if letter.headers["auto-submitted"] == "auto-generated"]
    assert len(unasked) < moves


@every_game
def test_nobody_gets_two_mails_where_one_would_do(slug: str, make_desk: MakeDesk) -> None:
    """One command of one contestant leads to at most one letter for each."""
    desk = desk_for(slug, make_desk)
    tapper = Tapper(desk, 3)
    tapper.begin()
    for _ in range(size(15, 30)):
        asking = {to: letter for to, letter, _ in desk.sent if to != OPERATOR}
        address = next((to for to, letter in asking.items() if letter.asks and letter.kind != "confirm"), None)
        if address is None:
            break
        before = len(desk.sent)
        tapper.answer(address, asking[address])
        new = [to for to, letter, _ in desk.sent[before:] if letter.kind != "alert"]
        assert len(new) == len(set(new))


@pytest.mark.parametrize(("pause", "news"), a_few([(timedelta(minutes=5), 1), (timedelta(hours=25), 4)]))
def test_who_is_out_is_told_how_it_goes_once_a_day_at_most(make_desk: MakeDesk, pause: timedelta, news: int) -> None:
    desk = make_desk(game="champion-poker", games={"champion-poker": {"seats": 3}})
    bob = "bob@example.net"
    desk.begin()
    desk.answer(bob, "resign")
    desk.answer(bob, "resign yes")
    before, choice = len(desk.letters(bob)), random.Random(3)
    while desk.last(bob).kind != "result":
        desk.now += pause
        for address in ("ann@example.net", "cleo@example.net"):
            if desk.last(address).links:
                desk.deliver(write_link(choice.choice(desk.last(address).links), address, "Somebody"))
    assert [each.kind for each in desk.letters(bob)[before:]] == ["news"] * news + ["result"]
    assert all("Cleo: " in each.text for each in desk.letters(bob)[before:]), "it shows the table"
