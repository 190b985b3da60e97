"""Shell: who is told what of an episode. In: the play, the questions that opened, the mail to answer. Out: letters.

One letter tells a contestant all that happened since their last one. Who is asked gets a `turn`; who wrote gets an
answer; the others hear only what concerns them and no question will tell soon.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from host.engine.game import HOST, Choice, amount, unusual_options
from host.mail.outbound.draft import Ask, Draft, Transcript
from host.mail.outbound.formatting import first_up, listed
from host.mail.outbound.render import tell
from host.play import deadlines
from host.states import LetterKind
from host.store.schema import Letter, PremoveRow, QuestionRow, Seat
from host.turn import alerts
from host.turn.changes import Change
from host.turn.clocks import outage_notice
from host.turn.letters import Answering, game_ask, send, table_for
from host.turn.play import WINS_OPTION, Play, events_of, record_file
from host.turn.work import Services, Work


@dataclass(frozen=True)
class Notice:
    """What letters have to say besides the events.

    `answering` is the mail of `writer` (a seat), with what became of it; `lead` are opening paragraphs by seat;
    `timed_out` is the seat whose deadline passed; `everyone` forces a letter to each seat; `next_up` are contestants
    whose next question goes out right after this.
    """

    answering: Answering | None = None
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
    """What the letters about one change have in common, looked up once: questions that are open, events, what waits."""

    work: Work
    play: Play
    notice: Notice
    open: Sequence[QuestionRow]
    happened: Sequence[tuple[int, Any]]
    kept: Sequence[PremoveRow]

    def asked(self, seat: Seat) -> list[QuestionRow]:
        """What the game asks a seat."""
        return [row for row in self.open if row.seat == seat.seat and row.purpose == "game"]

    def is_asked_nothing(self, seat: Seat) -> bool:
        """Has a seat nothing to do, or nothing now?"""
        return self.play.episode.paused_at is not None or not self.asked(seat)

    def news(self, seat: Seat) -> Sequence[Any]:
        """What happened since a seat's last letter, as it may see it."""
        return self.play.game.news([event for number, event in self.happened if number > seat.told], seat.seat)


def _round(
    work: Work,
    play: Play,
    notice: Notice,
    seats: Sequence[Seat],
    change: Change | None = None,
) -> _Round:
    first = min(seat.told for seat in seats)
    if change is None:
        asked, happened = work.open_questions(play.episode.id), events_of(work, play, first)
    else:
        asked = change.open
        untold = events_of(work, play, first, change.before) if first < change.before else []
        happened = [*untold, *change.events]
    kept = work.premoves_to_tell(play.episode.id)
    return _Round(work, play, notice, asked, happened, kept)


def notify_all(work: Work, play: Play, change: Change | None, notice: Notice) -> list[Letter]:
    """Write the letters that one change of an episode needs, at most one a contestant."""
    asked_seats = {row.seat for row in change.opened} if change else set()
    this = _round(work, play, notice, play.episode.seats, change)
    letters: list[Letter] = []
    for seat in play.episode.seats:
        kind = _kind_for(this, seat, seat.seat in asked_seats)
        if kind:
            letters.append(_letter(this, seat, kind))
    return letters


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
    if notice.everyone or seat.seat in notice.lead or _concerns(this, seat):
        return "news" if this.is_asked_nothing(seat) else "turn"
    return None


def _concerns(this: _Round, seat: Seat) -> bool:
    """Is there news that must not wait: the end of a round, an elimination?"""
    return any(event.concerns(seat.seat) for event in this.news(seat))


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


def _with_readings(asks: tuple[Ask, ...], transcript: Transcript | None) -> tuple[Ask, ...]:
    """The questions, with what the refused words may have meant first among the links."""
    if not (asks and transcript and transcript.readings):
        return asks
    meant = tuple(Choice((text,), first_up(text), text, "meant") for text in transcript.readings)
    return (replace(asks[0], choices=(*meant, *asks[0].choices)), *asks[1:])


def _letter(this: _Round, seat: Seat, kind: LetterKind, headline: str = "") -> Letter:
    work, play, notice = this.work, this.play, this.notice
    rows = this.asked(seat)
    if kind == "result" or play.episode.paused_at is not None:
        rows = []
    rows = [row for row in rows if row.due_at is None or not deadlines.is_late(work.now, row.due_at)]
    table = table_for(play, seat.seat)
    asks = _with_readings(tuple(game_ask(play, row, table) for row in rows), notice.transcript)
    story = tell(play.game.slug, this.news(seat), play.names, seat.seat)
    seat.told = max((number for number, _ in this.happened), default=seat.told)
    writing = seat.seat == notice.writer
    is_first = not seat.thread
    sent_ahead = [row for row in this.kept if row.seat == seat.seat]
    lead = (
        *_opening(play, seat, kind, notice),
        *(() if notice.is_beginning else outage_notice(work)),
        *notice.lead.get(seat.seat, ()),
        *_of_what_was_sent_ahead([row for row in sent_ahead if row.state != "waiting"]),
    )
    ahead = tuple(row.text for row in sent_ahead if row.state == "waiting")
    draft = Draft(
        kind="begin" if is_first else kind,
        headline=headline or _headline(play, seat, kind, asks, notice),
        preheader=story[-1] if story and not asks else (asks[0].sentence if asks else ""),
        lead=lead,
        transcript=notice.transcript if writing else None,
        story=story,
        table=table,
        asks=asks,
        tail=(*(notice.tail if writing else ()), *_closing(this, seat, kind)),
        ahead=ahead,
        may_resign=play.episode.over_at is None and not play.game.is_out(play.state, seat.seat),
        could_send=_could_send(play, seat) if not (rows or ahead) and kind in ("begin", "news") else (),
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


def _of_what_was_sent_ahead(rows: Sequence[PremoveRow]) -> tuple[str, ...]:
    """What became of commands sent ahead since the last letter."""
    for row in rows:
        row.is_told = True
    played = [row.text for row in rows if row.state == "played"]
    dropped = [f"“{row.text}”, which you had sent ahead, was dropped: {row.note}" for row in rows if row.note]
    if played:
        dropped.insert(0, f"What you had sent ahead was played: {', '.join(played)}.")
    return tuple(dropped)


def _could_send(play: Play, seat: Seat) -> tuple[str, ...]:
    if play.episode.over_at is not None or play.episode.paused_at is not None:
        return ()
    return tuple(dict.fromkeys(choice.type_instead for choice in play.game.ahead(play.state, seat.seat)))


def _opening(play: Play, seat: Seat, kind: LetterKind, notice: Notice) -> tuple[str, ...]:
    others = listed([name for name in play.names if name != seat.name]) or "the house"
    if notice.is_beginning:
        first = play.episode.champion_before_id
        champion = next((each for each in play.episode.seats if each.contestant_id == first), None)
        role = ""
        if champion is not None:
            role = " You are the champion." if champion.seat == seat.seat else f" {champion.name} is the champion."
        return (
            f"Welcome to {play.game.title}, {seat.name}! You play against {others}.{role}",
            play.game.summary,
            *_unusual_options(play),
        )
    if kind == "timeout":
        return ("Your deadline passed and no answer of yours had reached the mailbox.",)
    if kind == "result" and seat.seat == notice.timed_out:
        return ("Your deadline passed and no answer of yours had reached the mailbox, so the episode ended here.",)
    return ()


def _unusual_options(play: Play) -> tuple[str, ...]:
    """What this host plays otherwise than usual; what the house sets by itself aside."""
    chosen = {name: value for name, value in play.episode.options.items() if name != WINS_OPTION}
    spelt = unusual_options(play.game, chosen)
    return (f"In this episode: {spelt}.",) if spelt else ()


def _prizes(services: Services, play: Play) -> list[tuple[int, str, str]]:
    """Who gets a prize in kind: seat, the prize's name, and what it is."""
    result = play.game.result(play.state)
    given = result.prizes if result else {}
    texts = {**play.game.prizes, **services.settings(play.game.slug).prizes}
    return [(seat, prize, texts[prize]) for prize, seat in given.items() if seat is not None]


def _champion(play: Play, seat: Seat) -> tuple[str, ...]:
    """Who comes back for the next episode."""
    result = play.game.result(play.state)
    if result is None or result.champion is None or not play.is_about_throne:
        return ()
    if result.champion == seat.seat:
        return ("You are the champion, and play in the next episode without registering again.",)
    return (f"{play.names[result.champion]} is the champion, and comes back for the next episode.",)


def tell_of_prizes(work: Work, play: Play) -> None:
    """The operators hear who is to get a prize."""
    for seat, prize, text in _prizes(work.services, play):
        who = play.episode.seats[seat].contestant
        words = f"{who.called} ({who.address}) gets the {prize} prize of {play.episode.code}: {text}."
        alerts.alert(work, f"The {prize} prize of {play.episode.code}", words, play, cause=words)


def _closing(this: _Round, seat: Seat, kind: LetterKind) -> tuple[str, ...]:
    work, play, notice = this.work, this.play, this.notice
    closing: list[str] = []
    if kind == "result":
        closing.append(
            "The record of the whole episode is attached, with the seed that its cards came from. Anybody can replay "
            "it and hold it against the commitment in your first letter."
        )
        closing.extend(_champion(play, seat))
        for winner, prize, text in _prizes(work.services, play):
            whose = "You get" if winner == seat.seat else f"{play.names[winner]} gets"
            closing.append(f"{whose} the {prize} prize: {text}.")
        if play.game.currency:
            closing.append("Play money is play money: nothing of it is real, and all of it is yours to boast about.")
        if seat.contestant_id in notice.next_up:
            closing.append("The next episode begins at once: your next question is already on its way.")
    elif kind in ("news", "timeout") and play.game.is_out(play.state, seat.seat):
        closing.append("You are out of this episode now. When it is over you get the result and the whole record.")
    elif kind in ("news", "begin") and not any(row.seat == seat.seat for row in this.open):
        waiting = sorted({question.seat for question in play.game.questions(play.state)} - {seat.seat})
        if waiting and play.episode.over_at is None:
            names = listed(["the host" if each == HOST else play.names[each] for each in waiting])
            closing.append(f"Now it is up to {names}. You need not do anything; you will hear from me.")
    return tuple(closing)


def _headline(play: Play, seat: Seat, kind: LetterKind, asks: Sequence[Ask], notice: Notice) -> str:
    if kind == "result":
        return _result_line(play, seat)
    if notice.is_beginning:
        return f"{play.game.title} begins" + (": the first move is yours" if asks else "")
    if kind == "refused":
        return "Not everything was played" if notice.transcript and notice.transcript.accepted else "Nothing was played"
    if kind == "timeout":
        return "Your time ran out"
    if asks:
        return "Your turn"
    return "You are out" if play.game.is_out(play.state, seat.seat) else "News of your episode"


def _result_line(play: Play, seat: Seat) -> str:
    result: Any = play.game.result(play.state)
    won = amount(play.game.winnings(play.state)[seat.seat], play.game.currency)
    if result.winner == seat.seat:
        return f"You won the episode, with {won}" if won else "You won the episode"
    if result.winner is None:
        return "The episode is over, without a winner" + (f"; you have {won}" if won else "")
    return f"{play.names[result.winner]} won the episode" + (f"; you leave with {won}" if won else "")
