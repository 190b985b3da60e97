"""Shell: who is told what of an episode. In: the play, the questions that opened, the mail to answer. Out: letters.

One letter tells a contestant all that happened since their last one. Who is asked gets a `turn`; who wrote gets an
answer; the others hear only what concerns them and no question will tell soon.
"""

import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from host.engine.game import HOST, Choice, amount, decode_event, unusual_options
from host.engine.vocabulary import MORE
from host.mail.outbound.draft import Ask, Draft, Transcript
from host.mail.outbound.formatting import first_up, listed
from host.mail.outbound.render import table_text, tell, time_left
from host.play.premoves import order_of, whole_offers
from host.play.terms import new_terms
from host.states import LetterKind
from host.store.mails import has_news_since
from host.store.roster import barred
from host.store.schema import Letter, PremoveRow, QuestionRow, Seat
from host.store.seasons import place_in_chain
from host.table.clocks import due_for, foresee, is_over, outage_notice
from host.table.letters import alert, game_ask, send, table_for
from host.table.play import WINS_OPTION, Change, Play, events_of, history, record_file
from host.table.talk import talk_for
from host.table.time_told import files_of, told_of_zone, who_is_away
from host.table.work import Services, Turn, Work

NEWS_EVERY = timedelta(days=1)
"""How often somebody who need not act is written to at most."""
PUT_TO_ALL = (
    "It is not your turn yet. You may answer now all the same: nobody sees it before your turn comes, and you can change it "
    "until then. To hear the others first, just wait; your time does not run."
)
MOST_TOLD_AGAIN = 5
"""Lines in which a result tells the game."""
MOST_TOLD = 40
"""Lines in which another letter tells what happened; of more, it tells the latest."""
LATEST_TOLD = 3


OBJECT = Choice(("host ",), "Object", "host and what went wrong", "host", text="I had answered.")
CAN_UNDO = "While nobody has been shown anything new, the word undo takes it back."
UNDO = Choice(("undo",), "Take it back", "the word undo, while nobody has been shown anything new", "undo")


@dataclass(frozen=True)
class Notice:
    """Parts of letters besides the events.

    `answering` is the turn of a mail of `writer` (a seat), `transcript` what became of it, `must_answer` that it wants an
    answer even where nothing is asked, `shows_table` that it asked how things stand, `can_undo` that what it said may be taken
    back; `late` does what the mail wants besides
    once it is played, and gives more of the tail; `lead` are opening paragraphs by seat;
    `timed_out` is the seat whose deadline passed; `everyone` forces a letter to each seat; `next_up` are contestants whose next
    question goes out right after this.
    """

    answering: Turn | None = None
    writer: int | None = None
    transcript: Transcript | None = None
    lead: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    tail: tuple[str, ...] = ()
    late: Callable[[Play], tuple[str, ...]] | None = None
    must_answer: bool = False
    shows_table: bool = False
    can_undo: bool = False
    timed_out: int | None = None
    everyone: bool = False
    next_up: frozenset[int] = frozenset()
    is_beginning: bool = False


@dataclass(frozen=True)
class _Telling:
    """One seat: the news of a change that it may hear, and the questions that it is asked."""

    work: Work
    play: Play
    notice: Notice
    seat: Seat
    change: Change | None = None

    @functools.cached_property
    def open(self) -> Sequence[QuestionRow]:
        """All questions that are open in the episode."""
        return self.change.open if self.change else self.play.episode.open_questions

    @functools.cached_property
    def asked(self) -> list[QuestionRow]:
        """The questions that the game asks the seat; none while the episode is paused."""
        if self.play.episode.paused_at is not None:
            return []
        return [row for row in self.open if row.seat == self.seat.seat and row.purpose == "game"]

    @functools.cached_property
    def untold(self) -> list[tuple[int, Any]]:
        """The events since the seat's last letter, each with its number; looked up before the next one is written."""
        episode, change, told = self.play.episode, self.change, self.seat.told
        before = change.before if change else episode.last_event
        stored = [row for row in episode.untold if told < row.number <= before]
        events = [(row.number, decode_event(self.play.game, row.event)) for row in stored]
        return [*events, *(each for each in (change.events if change else ()) if each[0] > told)]

    @functools.cached_property
    def news(self) -> Sequence[Any]:
        """The same, as the seat may see them."""
        return self.play.game.news([event for _, event in self.untold], self.seat.seat)

    @functools.cached_property
    def is_barred(self) -> bool:
        """Is nothing read that they reply?"""
        return barred(self.work.session, self.seat.contestant.address) is not None

    @property
    def hears_at_once(self) -> bool:
        """Does the contestant want a letter about what asks nothing of them, too?"""
        return self.seat.contestant.letters == "at once"

    @property
    def may_answer(self) -> bool:
        """Was something put to all that the seat, which is not asked, may answer before its turn?"""
        if not any(event.is_put_to_all for _, event in (self.change.events if self.change else ())):
            return False
        is_sent = any(
            not order_of(self.play.game, row.text) for row in self.play.episode.waiting_premoves(self.seat.seat)
        )
        return not (self.asked or is_sent) and bool(_ahead(self.play, self.seat))

    @property
    def is_champion(self) -> bool:
        """Did the seat win the title?"""
        result = self.play.result
        return result is not None and result.champion == self.seat.seat and self.play.is_about_throne


def notify_all(work: Work, play: Play, change: Change | None, notice: Notice) -> None:
    """Write the letters that one change of an episode needs, at most one a contestant."""
    if notice.late:
        notice = replace(notice, tail=(*notice.late(play), *notice.tail), late=None)
    for seat in play.episode.seats:
        this = _Telling(work, play, notice, seat, change)
        kind = _kind_for(this)
        if kind and not seat.contestant.is_gone:
            _letter(this, kind)


def _kind_for(this: _Telling) -> LetterKind | None:
    """Choose the letter that a seat gets; none where it need not hear of this yet."""
    notice, seat = this.notice, this.seat.seat
    if this.play.episode.over_at is not None:
        return "result"
    if notice.is_beginning:
        return "begin"
    if seat == notice.timed_out:
        return "timeout"
    is_writer = seat == notice.writer
    if is_writer and notice.transcript and notice.transcript.reason:
        return "refused"
    is_asked_anew = this.change is not None and any(row.seat == seat for row in this.change.opened)
    if is_asked_anew and not is_writer and this.play.episode.paused_at is None:
        return "turn"  # who is asked in a pause hears all when it is over
    is_answer = is_writer and (this.asked or notice.must_answer or this.hears_at_once)
    if is_answer or notice.everyone or seat in notice.lead or _must_hear(this):
        return "turn" if this.asked else "news"
    return None


def _must_hear(this: _Telling) -> bool:
    """Must a seat hear before its next question: is something put to all that it may answer, or is it out?

    Who wants letters at once hears of all that concerns them, but no more than once a day.
    """
    work, play, seat = this.work, this.play, this.seat
    is_end = any(event.ends_for(seat.seat) for event in this.news)
    if (is_end and play.game.is_out(play.state, seat.seat)) or this.may_answer:
        return True
    if not this.hears_at_once or not any(event.concerns(seat.seat) for event in this.news):
        return False
    return not has_news_since(work.session, seat.contestant_id, play.episode.id, work.now - NEWS_EVERY, work.now)


def has_news(work: Work, play: Play, seat: Seat) -> bool:
    """Did anything happen that a seat may hear, and that no letter has told it?"""
    return bool(_Telling(work, play, Notice(), seat).news)


def repeat_questions(
    by: Work | Turn,
    play: Play,
    seat: Seat,
    kind: LetterKind | None = None,
    *,
    lead: tuple[str, ...] = (),
    headline: str = "",
    transcript: Transcript | None = None,
    tail: tuple[str, ...] = (),
) -> Letter:
    """One letter to one seat that puts its open questions again: a reminder, a status, a refusal, a resend.

    Without a `kind` it is a turn, or news where nothing is asked. By a turn it answers the mail, of which `transcript` tells
    what became.
    """
    turn, work = (by, by.work) if isinstance(by, Turn) else (None, by)
    writer, leads = seat.seat if turn else None, {seat.seat: lead}
    notice = Notice(answering=turn, writer=writer, transcript=transcript, lead=leads, tail=tail)
    this = _Telling(work, play, notice, seat)
    return _letter(this, kind or ("turn" if this.asked else "news"), headline)


def _letter(this: _Telling, kind: LetterKind, headline: str = "") -> Letter:
    work, play, notice, seat = this.work, this.play, this.notice, this.seat
    rows = [row for row in this.asked if kind != "result" and not is_over(row, work.now)]
    for row in rows:
        foresee(work, row, seat.contestant)
    table = table_for(play, seat.seat)
    standing = [row.text for row in play.episode.waiting_premoves(seat.seat) if order_of(play.game, row.text)]
    asks = tuple(
        game_ask(play, row, table, whole_offers(play.game, play.state, seat.seat, row.phase, standing)) for row in rows
    )
    if notice.transcript and notice.transcript.readings:
        asks = tuple(replace(ask, above=notice.transcript.readings) for ask in asks)
    story = _story(this, kind)
    seat.told = max((number for number, _ in this.untold), default=seat.told)
    writing = seat.seat == notice.writer
    is_first = not seat.thread
    sent_ahead = [row for row in play.episode.premoves_to_tell if row.seat == seat.seat]
    lead = (
        *_opening(this, kind),
        *(() if notice.is_beginning else outage_notice(work)),
        *notice.lead.get(seat.seat, ()),
        *who_is_away(work, play, seat),
        *_of_what_was_sent_ahead([row for row in sent_ahead if row.state != "waiting"]),
    )
    waiting = [row.text for row in sent_ahead if row.state == "waiting"]
    orders = tuple(text for text in waiting if order_of(play.game, text))
    ahead = tuple(text for text in waiting if text not in orders)
    ahead_choices: tuple[Choice, ...] = ()
    if not (rows or ahead) and kind in ("begin", "news"):
        whole = whole_offers(play.game, play.state, seat.seat, play.state.phase, standing)
        ahead_choices = (*_ahead(play, seat), *whole) if _ahead(play, seat) else ()
    headline = headline or _headline(this, kind, asks, story)
    put = asks
    if this.may_answer and ahead_choices:
        put, ahead_choices = (Ask(PUT_TO_ALL, ahead_choices),), ()
    board = table_text(table) if put else ""
    draft = Draft(
        kind="begin" if is_first else kind,
        headline=headline,
        lead=lead,
        transcript=_to_tell(notice.transcript, story, waiting) if writing else None,
        asks=put,
        links=(_links(this, kind) or ahead_choices) if not put else (),
        table=table if put or kind != "news" or not writing or notice.shows_table else None,
        story=tuple(sentence for sentence in story if not _is_said(sentence, headline, asks)),
        tail=(
            *(notice.tail if writing else ()),
            *_closing(this, kind),
            *(told_of_zone(seat.contestant) if rows else ()),
        ),
        ahead=ahead,
        orders=orders,
        may_resign=play.episode.over_at is None and not play.game.is_out(play.state, seat.seat),
        could_send=_usages(ahead_choices),
        talk=talk_for(work, play, seat),
        board=board,
        terms=_terms(play, seat, put, board, is_first),
        services=bool(put) or is_first or kind != "news",
        commitment=play.episode.commitment if is_first else "",
        chain=place_in_chain(work.session, play.episode) if is_first else None,
        seat=seat.seat if play.episode.began_at == work.now else None,  # who takes a seat over gave nothing
        calendar=files_of(work, play, seat, rows, asks),
        attachment=(f"{play.episode.code}.jsonl", record_file(work.session, play)) if kind == "result" else None,
    )
    return send(
        work,
        draft,
        seat.contestant,
        play,
        purpose="game",
        questions=rows,
        answering=notice.answering if writing else None,
    )


def _terms(play: Play, seat: Seat, asks: Sequence[Ask], board: str, is_first: bool) -> tuple[tuple[str, str], ...]:
    """Explain terms that no letter to this seat explained, those of the question before those of the table below it."""
    words = "\n".join((*map(_words_of, asks), board))
    found = new_terms(play.game.slug, words, seat.terms, is_first) if asks else ()
    if found:
        seat.terms = [*seat.terms, *(term.name for term in found)]
    return tuple((term.name, term.says) for term in found)


def _words_of(ask: Ask) -> str:
    of_choices = (
        words for each in ask.choices for words in (each.label, *([each.type_instead] if each.group == MORE else []))
    )
    return "\n".join((ask.headline, ask.sentence, ask.silence, *of_choices))


def _is_said(sentence: str, headline: str, asks: Sequence[Ask]) -> bool:
    """Does the top of the letter say it already: as its headline, or as the question that was put?"""
    parts = sentence.split("\n\n")
    return sentence == headline or any(part in ask.sentence.split("\n\n") for ask in asks for part in parts)


def _to_tell(transcript: Transcript | None, story: Sequence[str], waiting: Collection[str]) -> Transcript | None:
    """Tell what became of a mail; nothing where all of it was played as it was meant, since the story tells that.

    Of what it sent ahead some may have been played already: only what waits still is kept.
    """
    if transcript is None:
        return None
    transcript = replace(transcript, ahead=tuple(each for each in transcript.ahead if each in waiting))
    if not story or transcript.reason or transcript.read_as or transcript.ahead:
        return transcript
    return None


def _story(this: _Telling, kind: LetterKind) -> tuple[str, ...]:
    """Tell what happened since a seat's last letter, what its silence led to first; a result what was notable before, too."""
    play, seat, news = this.play, this.seat, this.news
    if kind == "result" and len(news) > MOST_TOLD_AGAIN:
        news = tuple(event for event in news if event.is_notable or event is news[-1])  # the record has them all
    whole = [event for event in news if not event.is_minor]
    begun = [event for _, event in this.change.events] if this.change and kind == "timeout" else []
    effect = next((event for event in whole if any(event is each for each in begun)), None)
    first = () if effect is None else tell(play.game.slug, [effect], play.names, seat.seat)
    whole = [event for event in whole if event is not effect]
    told = tell(play.game.slug, whole, play.names, seat.seat)
    if kind != "result" and len(told) > MOST_TOLD:
        notable = [at for at, event in enumerate(whole) if event.is_notable][1 - LATEST_TOLD :]
        kept = sorted({*notable, *range(len(whole))[len(notable) - LATEST_TOLD :]})
        shown = tell(play.game.slug, [whole[at] for at in kept], play.names, seat.seat)
        return (*first, _how_much(this, len(told) - len(shown)), *shown)
    if kind != "result":
        return (*first, *told)
    counted = [event for _, events in history(this.work.session, play) for event in events]
    earlier = counted[: len(counted) - len(this.untold)]
    if not counted:
        earlier = [event for _, event in events_of(this.work, play, 0, seat.told)]
    before = [event for event in earlier if event.is_notable]
    again = tell(play.game.slug, play.game.news(before, seat.seat), play.names, seat.seat)
    return (*again[max(0, len(again) - max(0, MOST_TOLD_AGAIN - len(told))) :], *told)


def _how_much(this: _Telling, left_out: int) -> str:
    """Say how much a letter leaves out, and where it stands."""
    web = this.work.config.web
    where = (
        f"{web.url}/episodes/{this.play.episode.code}/"
        if web.url and web.public
        else "the record that comes in the end"
    )
    return f"{left_out} more things happened; all of them stand in {where}"


def _links(this: _Telling, kind: LetterKind) -> tuple[Choice, ...]:
    """Links for somebody who is asked nothing."""
    if kind == "timeout":
        return () if this.is_barred else (OBJECT,)
    if kind == "news" and this.notice.can_undo and this.seat.seat == this.notice.writer:
        return (UNDO,)
    if kind != "result" or this.seat.contestant_id in this.notice.next_up:
        return ()
    if this.is_champion:
        return (Choice(("retire",), "Give up the title", "the word retire", "retire"),)
    return (Choice(("again",), "Play again", "the word again", "again"),)


def _of_what_was_sent_ahead(rows: Sequence[PremoveRow]) -> tuple[str, ...]:
    """Tell what became of commands sent ahead since the last letter."""
    for row in rows:
        row.is_told = True
    played = [row.text for row in rows if row.state == "played"]
    dropped = [f"“{row.text}”, which you had sent ahead, was dropped: {row.note}" for row in rows if row.note]
    if played:
        dropped.insert(0, f"What you had sent ahead was played: {', '.join(played)}.")
    return tuple(dropped)


def _ahead(play: Play, seat: Seat) -> tuple[Choice, ...]:
    """Commands that somebody who is asked nothing may send already."""
    if play.episode.over_at is not None or play.episode.paused_at is not None:
        return ()
    return play.game.ahead(play.state, seat.seat)


def _usages(choices: Sequence[Choice]) -> tuple[str, ...]:
    """The words to type instead of tapping, once for each kind of move."""
    usages = (choice.type_instead.replace("\n", " and below it ") for choice in choices)
    return tuple(dict.fromkeys(each.removeprefix("the word ").removeprefix("the words ") for each in usages))


def _opening(this: _Telling, kind: LetterKind) -> tuple[str, ...]:
    """The paragraphs before the question."""
    if this.notice.is_beginning:
        return (_table_mates(this.play, this.seat),)
    if this.seat.seat != this.notice.timed_out or this.is_barred:
        return ()
    ended = ", so the episode ended here" if kind == "result" else ""
    work, objection = this.work, this.work.config.deadlines.objection
    by = f" by {due_for(work, this.seat.contestant, work.now + objection)}" if objection else ""
    waits = "; until then the next episode waits" if objection and holds_the_next(work, this.play) else ""
    return (
        f"Your deadline passed before an answer of yours was played{ended}. If that is wrong, reply with the word "
        f"host and what happened{by}{waits}.",
    )


def holds_the_next(work: Work, play: Play) -> bool:
    """Does the next episode wait while a forfeit may be objected to: at many tables only where it is about the throne?"""
    slug = play.game.slug
    return work.services.settings(slug).tables == 1 or play.seat_of(work.lobby(slug).champion_id) is not None


def _table_mates(play: Play, seat: Seat) -> str:
    """Name the others at the table, their towns, and the champion."""
    towns = {each.name: each.contestant.hometown for each in play.episode.seats if each is not seat}
    mates = [f"{name} of {town}" if town else name for name, town in towns.items()]
    champion = play.seat_of(play.episode.champion_before_id)
    role = "" if champion is None else f" {'You are' if champion is seat else f'{champion.name} is'} the champion."
    return f"You play against {listed(mates) or 'the house'}.{role}"


def _prizes(services: Services, play: Play) -> list[tuple[int, str, str]]:
    """The prizes in kind: seat, the prize's name, and what it is."""
    result = play.result
    given = result.prizes if result else {}
    texts = {**play.game.prizes, **services.settings(play.game.slug).prizes}
    return [(seat, prize, texts[prize]) for prize, seat in given.items() if seat is not None]


def _champion(this: _Telling) -> tuple[str, ...]:
    """Say who comes back for the next episode, after how many that they have won."""
    play = this.play
    result = play.result
    if result is None or result.champion is None or not play.is_about_throne:
        return ()
    wins = this.work.lobby(play.game.slug).champion_wins
    reign = f" for the {_ordinal(wins)} time in a row" if wins > 1 else ""
    if this.is_champion:
        return (
            f"You are the champion{reign}, and play the next episode without registering: it begins when enough others have. "
            "Rather stop while you are ahead? Write retire, and I ask once more.",
        )
    return (f"{play.names[result.champion]} is the champion{reign}, and comes back for the next episode.",)


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _money(play: Play, seat: Seat) -> tuple[str, ...]:
    """Say what everybody goes home with."""
    if not play.game.currency or len(play.names) < 2:
        return ()
    won = zip(play.names, play.game.winnings(play.state), strict=True)
    named = [f"{'you' if name == seat.name else name} {amount(sum_won, play.game.currency)}" for name, sum_won in won]
    return (f"In all: {listed(named)}. It is play money.",)


def tell_of_prizes(work: Work, play: Play) -> None:
    """The operators hear who is to get a prize."""
    for seat, prize, text in _prizes(work.services, play):
        who = play.episode.seats[seat].contestant
        words = f"{who.called} ({who.address}) gets the {prize} prize of {play.episode.code}: {text}."
        alert(work, f"The {prize} prize of {play.episode.code}", words, play, cause=words)


def _closing(this: _Telling, kind: LetterKind) -> tuple[str, ...]:
    play, notice, seat = this.play, this.notice, this.seat
    closing: list[str] = []
    if kind == "news" and notice.can_undo and seat.seat == notice.writer:
        closing.append(CAN_UNDO)
    if kind == "result":
        closing.extend(_money(play, seat))
        closing.extend(_champion(this))
        for winner, prize, text in _prizes(this.work.services, play):
            whose = "You get" if winner == seat.seat else f"{play.names[winner]} gets"
            closing.append(f"{whose} the {prize} prize: {text}.")
        closing.append("All moves are in the attached record. The cards were fixed from the start (write verify).")
        if not (this.is_champion or seat.contestant_id in notice.next_up):
            closing.append("To play once more, write the word again.")
        if seat.contestant_id in notice.next_up:
            closing.append("The next episode begins at once: its first letter is on its way.")
    elif notice.is_beginning:
        closing.extend(_introduction(play))
    if kind in ("news", "timeout") and play.game.is_out(play.state, seat.seat):
        closing.append("You are out of this episode: well played. When it is over you get the result and the record.")
    elif kind in ("news", "begin") and not any(row.seat == seat.seat for row in this.open):
        waiting = sorted({question.seat for question in play.questions} - {seat.seat})
        if waiting and play.episode.over_at is None:
            names = listed(["the host" if each == HOST else play.names[each] for each in waiting])
            closing.append(f"It is up to {names} now.")
    return tuple(closing)


def _introduction(play: Play) -> tuple[str, ...]:
    """The game in short, for a contestant's first letter."""
    stakes = "What is won here is play money." if play.game.currency == "$" else ""
    in_short = [f"- {each}" for each in play.game.how] or [play.game.summary]
    # what the house sets by itself is no choice of this host
    chosen = {name: value for name, value in play.episode.options.items() if name != WINS_OPTION}
    unusual = unusual_options(play.game, chosen)
    others = (stakes, unusual and f"In this episode: {unusual}.", play.game.pace)
    return ("# The game in short", *in_short, *filter(None, others))


def _headline(this: _Telling, kind: LetterKind, asks: Sequence[Ask], story: Sequence[str]) -> str:
    play, notice, seat = this.play, this.notice, this.seat
    if kind == "result":
        return _result_line(play, seat)
    if notice.is_beginning:
        return f"{play.game.title} begins" + (f". {asks[0].headline}" if asks else "")
    if kind == "refused" and notice.transcript and notice.transcript.is_asked:
        of_question = asks[0].headline if asks else "What do you mean?"
        return notice.transcript.reason if notice.transcript.readings else of_question
    if kind == "refused":
        return "Not everything was played" if notice.transcript and notice.transcript.accepted else "Nothing was played"
    if kind == "timeout":
        return story[0] if story else "Your time ran out"
    if kind == "reminder" and asks and asks[0].due_at:
        return f"{first_up(time_left(asks[0].due_at - this.work.now))} left. {asks[0].headline}"
    if asks:
        return asks[0].headline
    if play.game.is_out(play.state, seat.seat):
        return "You are out of the episode"
    # of a sentence that quotes something on lines of its own, what it quotes
    return story[-1].split("\n\n")[:2][-1] if story else "Nothing to do for you now"


def _result_line(play: Play, seat: Seat) -> str:
    result: Any = play.result
    won = amount(play.game.winnings(play.state)[seat.seat], play.game.currency)
    if result.winner == seat.seat:
        return f"You won the episode, with {won}" if won else "You won the episode"
    if result.winner is None:
        return "The episode is over, without a winner" + (f"; you have {won}" if won else "")
    return f"{play.names[result.winner]} won the episode" + (f"; you leave with {won}" if won else "")
