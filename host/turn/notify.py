"""Shell: who is told what of an episode. In: the play, the questions that opened, the mail to answer. Out: letters.

One letter tells a contestant all that happened since their last one. Who is asked gets a `turn`; who wrote gets an
answer; the others hear only what concerns them and no question will tell soon.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from host.engine.game import HOST, Choice, amount, decode_event, unusual_options
from host.mail.outbound.draft import Ask, Draft, Transcript
from host.mail.outbound.formatting import first_up, listed
from host.mail.outbound.render import due_words, tell, time_left
from host.states import LetterKind
from host.store.mails import has_news_since
from host.store.schema import Letter, PremoveRow, QuestionRow, Seat
from host.turn.clocks import foresee, is_over, outage_notice
from host.turn.letters import alert, game_ask, send, table_for
from host.turn.play import WINS_OPTION, Change, Play, events_of, history, record_file
from host.turn.work import Services, Turn, Work

NEWS_EVERY = timedelta(days=1)
"""How often somebody who need not act is written to at most."""
MOST_TOLD_AGAIN = 5
"""Lines in which a result tells the game."""


OBJECT = Choice(("host ",), "Object", "host and what went wrong", "host", text="I had answered.")


@dataclass(frozen=True)
class Notice:
    """Parts of letters besides the events.

    `answering` is the turn of a mail of `writer` (a seat), `transcript` what became of it; `lead` are opening paragraphs by seat;
    `timed_out` is the seat whose deadline passed; `everyone` forces a letter to each seat; `next_up` are contestants
    whose next question goes out right after this.
    """

    answering: Turn | None = None
    writer: int | None = None
    transcript: Transcript | None = None
    lead: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    tail: tuple[str, ...] = ()
    timed_out: int | None = None
    everyone: bool = False
    next_up: frozenset[int] = frozenset()
    is_beginning: bool = False


@dataclass(frozen=True)
class _Round:
    """Facts that the letters about one change have in common, looked up once: questions that are open, events, what waits."""

    work: Work
    play: Play
    notice: Notice
    open: Sequence[QuestionRow]
    happened: Sequence[tuple[int, Any]]
    kept: Sequence[PremoveRow]
    _news: dict[int, Sequence[Any]] = field(default_factory=dict)

    def asked(self, seat: Seat) -> list[QuestionRow]:
        """The questions that the game asks a seat."""
        return [row for row in self.open if row.seat == seat.seat and row.purpose == "game"]

    def is_asked_nothing(self, seat: Seat) -> bool:
        """Has a seat nothing to do, or nothing now?"""
        return self.play.episode.paused_at is not None or not self.asked(seat)

    def news(self, seat: Seat) -> Sequence[Any]:
        """The events since a seat's last letter, as it may see them; asked before that letter is written."""
        if seat.seat not in self._news:
            untold = [event for number, event in self.happened if number > seat.told]
            self._news[seat.seat] = self.play.game.news(untold, seat.seat)
        return self._news[seat.seat]


def _round(
    work: Work,
    play: Play,
    notice: Notice,
    seats: Sequence[Seat],
    change: Change | None = None,
) -> _Round:
    first, before = min(seat.told for seat in seats), change.before if change else play.episode.last_event
    untold = [row for row in play.episode.untold if first < row.number <= before]
    stored = ((row.number, decode_event(play.game, row.event)) for row in untold)
    happened = [*stored, *(change.events if change else ())]
    asked = change.open if change else play.episode.open_questions
    kept = play.episode.premoves_to_tell
    return _Round(work, play, notice, asked, happened, kept)


def notify_all(work: Work, play: Play, change: Change | None, notice: Notice) -> None:
    """Write the letters that one change of an episode needs, at most one a contestant."""
    asked_seats = {row.seat for row in change.opened} if change else set()
    this = _round(work, play, notice, play.episode.seats, change)
    for seat in play.episode.seats:
        kind = _kind_for(this, seat, seat.seat in asked_seats)
        if kind:
            _letter(this, seat, kind)


def _kind_for(this: _Round, seat: Seat, is_newly_asked: bool) -> LetterKind | None:
    """Which letter a seat gets; none where it need not hear of this yet."""
    notice = this.notice
    if this.play.episode.over_at is not None:
        return "result"
    if notice.is_beginning:
        return "begin"
    if seat.seat == notice.timed_out:
        return "timeout"
    if seat.seat == notice.writer and notice.transcript and notice.transcript.refused:
        return "refused"
    if seat.seat == notice.writer:
        return "news" if this.is_asked_nothing(seat) else "turn"
    if is_newly_asked:
        return "turn"
    if notice.everyone or seat.seat in notice.lead or (_concerns(this, seat) and not _may_wait(this, seat)):
        return "news" if this.is_asked_nothing(seat) else "turn"
    return None


def _concerns(this: _Round, seat: Seat) -> bool:
    """Is there news that must not wait: the end of a round, an elimination?"""
    return any(event.concerns(seat.seat) for event in this.news(seat))


def _may_wait(this: _Round, seat: Seat) -> bool:
    """Had they news within a day? Then the next letter tells this with it, unless it is that their game has ended."""
    work, play = this.work, this.play
    is_end = any(event.is_notable and getattr(event, "seat", None) == seat.seat for event in this.news(seat))
    if is_end and play.game.is_out(play.state, seat.seat):
        return False
    return has_news_since(work.session, seat.contestant_id, play.episode.id, work.now - NEWS_EVERY, work.now)


def repeat_questions(
    work: Work,
    play: Play,
    seat: Seat,
    kind: LetterKind,
    *,
    lead: tuple[str, ...] = (),
    notice: Notice | None = None,
    headline: str = "",
) -> Letter:
    """One letter to one seat that puts its open questions again: a reminder, a status, a refusal, a resend."""
    extra = notice or Notice()
    combined = Notice(
        answering=extra.answering,
        writer=extra.writer,
        transcript=extra.transcript,
        lead={seat.seat: (*lead, *extra.lead.get(seat.seat, ()))},
        tail=extra.tail,
    )
    return _letter(_round(work, play, combined, [seat]), seat, kind, headline)


def _letter(this: _Round, seat: Seat, kind: LetterKind, headline: str = "") -> Letter:
    work, play, notice = this.work, this.play, this.notice
    rows = this.asked(seat)
    if kind == "result" or play.episode.paused_at is not None:
        rows = []
    rows = [row for row in rows if not is_over(row, work.now)]
    for row in rows:
        foresee(row, work.now)
    table = table_for(play, seat.seat)
    asks = tuple(game_ask(play, row, table) for row in rows)
    if notice.transcript and notice.transcript.readings:
        asks = tuple(replace(ask, above=notice.transcript.readings) for ask in asks)
    story = _story(this, seat, kind)
    seat.told = max((number for number, _ in this.happened), default=seat.told)
    writing = seat.seat == notice.writer
    is_first = not seat.thread
    sent_ahead = [row for row in this.kept if row.seat == seat.seat]
    lead = (
        *_opening(this, seat, kind),
        *(() if notice.is_beginning else outage_notice(work)),
        *notice.lead.get(seat.seat, ()),
        *_of_what_was_sent_ahead([row for row in sent_ahead if row.state != "waiting"]),
    )
    ahead = tuple(row.text for row in sent_ahead if row.state == "waiting")
    ahead_choices = _ahead(play, seat) if not (rows or ahead) and kind in ("begin", "news") else ()
    headline = headline or _headline(this, seat, kind, asks, story)
    draft = Draft(
        kind="begin" if is_first else kind,
        headline=headline,
        lead=lead,
        transcript=_to_tell(notice.transcript, story) if writing else None,
        asks=asks,
        links=(_links(this, seat, kind) or ahead_choices) if not asks else (),
        table=table if asks or kind != "news" or not writing else None,
        story=tuple(sentence for sentence in story if not _is_said(sentence, headline, asks)),
        tail=(*(notice.tail if writing else ()), *_closing(this, seat, kind)),
        ahead=ahead,
        may_resign=play.episode.over_at is None and not play.game.is_out(play.state, seat.seat),
        could_send=_usages(ahead_choices),
        services=bool(asks) or is_first or kind != "news",
        commitment=play.episode.commitment if is_first else "",
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


def _is_said(sentence: str, headline: str, asks: Sequence[Ask]) -> bool:
    """Does the top of the letter say it already: as its headline, or as the question that was put?"""
    parts = sentence.split("\n\n")
    return sentence == headline or any(part in ask.sentence.split("\n\n") for ask in asks for part in parts)


def _to_tell(transcript: Transcript | None, story: Sequence[str]) -> Transcript | None:
    """Tell what became of a mail; nothing where all of it was played as it was meant, since the story tells that."""
    if transcript is None or not story or transcript.refused or transcript.read_as or transcript.ahead:
        return transcript
    return None


def _story(this: _Round, seat: Seat, kind: LetterKind) -> tuple[str, ...]:
    """Tell what happened since a seat's last letter; a result tells what was notable before that, too."""
    play, news = this.play, this.news(seat)
    if kind == "result" and len(news) > MOST_TOLD_AGAIN:
        news = tuple(event for event in news if event.is_notable or event is news[-1])  # the record has them all
    told = tell(play.game.slug, news, play.names, seat.seat)
    if kind != "result":
        return told
    counted = [event for _, events in history(this.work.session, play) for event in events]
    earlier = counted[: len(counted) - sum(number > seat.told for number, _ in this.happened)]
    if not counted:
        earlier = [event for _, event in events_of(this.work, play, 0, seat.told)]
    before = [event for event in earlier if event.is_notable]
    again = tell(play.game.slug, play.game.news(before, seat.seat), play.names, seat.seat)
    return (*again[max(0, len(again) - max(0, MOST_TOLD_AGAIN - len(told))) :], *told)


def _links(this: _Round, seat: Seat, kind: LetterKind) -> tuple[Choice, ...]:
    """Links for somebody who is asked nothing."""
    play = this.play
    if kind == "timeout":
        return (OBJECT,)
    if kind != "result" or seat.contestant_id in this.notice.next_up:
        return ()
    if _is_champion(play, seat):
        return (Choice(("retire",), "Give up the title", "the word retire", "retire"),)
    return (Choice(("again",), "Play again", "the word again", "again"),)


def _is_champion(play: Play, seat: Seat) -> bool:
    result = play.result
    return result is not None and result.champion == seat.seat and play.is_about_throne


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
    usages = (choice.type_instead for choice in choices)
    return tuple(dict.fromkeys(each.removeprefix("the word ").removeprefix("the words ") for each in usages))


def _opening(this: _Round, seat: Seat, kind: LetterKind) -> tuple[str, ...]:
    """The paragraphs before the question."""
    if this.notice.is_beginning:
        return (_table_mates(this.play, seat),)
    if seat.seat != this.notice.timed_out:
        return ()
    ended = ", so the episode ended here" if kind == "result" else ""
    return (f"Your deadline passed and no answer of yours had reached the mailbox{ended}. {how_to_object(this.work)}",)


def _table_mates(play: Play, seat: Seat) -> str:
    """Name the others at the table, their towns, and the champion."""
    mates = [_of_town(each) for each in play.episode.seats if each is not seat]
    champion = play.seat_of(play.episode.champion_before_id)
    role = "" if champion is None else f" {'You are' if champion is seat else f'{champion.name} is'} the champion."
    return f"You play against {listed(mates) or 'the house'}.{role}"


def _of_town(seat: Seat) -> str:
    town = seat.contestant.hometown
    return f"{seat.name} of {town}" if town else seat.name


def _unusual_options(play: Play) -> tuple[str, ...]:
    """Options of this host that are unusual; what the house sets by itself is left out."""
    chosen = {name: value for name, value in play.episode.options.items() if name != WINS_OPTION}
    spelt = unusual_options(play.game, chosen)
    return (f"In this episode: {spelt}.",) if spelt else ()


def _prizes(services: Services, play: Play) -> list[tuple[int, str, str]]:
    """The prizes in kind: seat, the prize's name, and what it is."""
    result = play.result
    given = result.prizes if result else {}
    texts = {**play.game.prizes, **services.settings(play.game.slug).prizes}
    return [(seat, prize, texts[prize]) for prize, seat in given.items() if seat is not None]


def _champion(this: _Round, seat: Seat) -> tuple[str, ...]:
    """Say who comes back for the next episode, after how many that they have won."""
    play = this.play
    result = play.result
    if result is None or result.champion is None or not play.is_about_throne:
        return ()
    wins = this.work.lobby(play.game.slug).champion_wins
    reign = f" for the {_ordinal(wins)} time in a row" if wins > 1 else ""
    if result.champion == seat.seat:
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


def _closing(this: _Round, seat: Seat, kind: LetterKind) -> tuple[str, ...]:
    work, play, notice = this.work, this.play, this.notice
    closing: list[str] = []
    if kind == "result":
        closing.extend(_money(play, seat))
        closing.extend(_champion(this, seat))
        for winner, prize, text in _prizes(work.services, play):
            whose = "You get" if winner == seat.seat else f"{play.names[winner]} gets"
            closing.append(f"{whose} the {prize} prize: {text}.")
        closing.append("All moves are in the attached record. The cards were fixed from the start (write verify).")
        if not (_is_champion(play, seat) or seat.contestant_id in notice.next_up):
            closing.append("To play again, write again.")
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
    stakes = ("What is won here is play money.",) if play.game.currency == "$" else ()
    in_short = [f"- {each}" for each in play.game.how] or [play.game.summary]
    return (
        "# The game in short",
        *in_short,
        *stakes,
        *_unusual_options(play),
        *((play.game.pace,) if play.game.pace else ()),
    )


def _headline(this: _Round, seat: Seat, kind: LetterKind, asks: Sequence[Ask], story: Sequence[str]) -> str:
    play, notice = this.play, this.notice
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
    return _in_one_line(story[-1]) if story else "Nothing to do for you now"


def _in_one_line(sentence: str) -> str:
    """A sentence that quotes something on lines of its own comes to what it quotes."""
    parts = sentence.split("\n\n")
    return parts[min(1, len(parts) - 1)]


def _result_line(play: Play, seat: Seat) -> str:
    result: Any = play.result
    won = amount(play.game.winnings(play.state)[seat.seat], play.game.currency)
    if result.winner == seat.seat:
        return f"You won the episode, with {won}" if won else "You won the episode"
    if result.winner is None:
        return "The episode is over, without a winner" + (f"; you have {won}" if won else "")
    return f"{play.names[result.winner]} won the episode" + (f"; you leave with {won}" if won else "")


def how_to_object(work: Work) -> str:
    """Tell that the host can take it back, and until when the next episode waits for that."""
    until = work.now + work.config.deadlines.objection
    moment = due_words(until, work.config.host.timezone, timedelta(hours=1), work.now)
    return (
        f"If that is wrong, reply with the word host and what happened by {moment}; until then the next episode waits."
    )
