"""Pure: what the command line shows a person. In: plain data. Out: text."""

import email
import email.policy
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from host.engine.chain import Place
    from host.engine.record import Verification

Row = Mapping[str, Any]
Columns = Mapping[str, str | Callable[[Row], object]]
"""By its head, a column: the key of a row, or what is made of the row."""


def _waiting_for(asked: Row) -> str:
    until = f" until {asked['until']}" if asked["until"] else ", without a deadline"
    stopped = f", whose clock stands still since {asked['stands_still_since']}" if asked["stands_still_since"] else ""
    return f"{asked['player']} ({asked['asked']}){until}{stopped}"


def _content(mail: Row) -> str:
    if mail["way"] == "in":
        return " / ".join(mail["read"])[:60]
    return f"{mail['kind']}" + (f", answer by {mail['answer_by']}" if mail["answer_by"] else "")


LOBBIES: Columns = {
    "game": "game",
    "episodes": "episodes",
    "champion": lambda row: row["champion"] or "-",
    "wins": lambda row: row["champion_wins"] or "",
    "waiting": "waiting",
    "next waits until": "next_waits_until",
    "next start": "next_start",
}
EPISODES: Columns = {
    "episode": "code",
    "state": "state",
    "players": lambda row: ", ".join(row["players"]),
    "waiting for": lambda row: "; ".join(map(_waiting_for, row["waiting"])),
}
AUDIT: Columns = {"at": "at", "who": "who", "the host's hand": "command"}
RECORD: Columns = {"line": "line", "at": "at", "record": "text"}
QUEUE: Columns = {
    "place": "place",
    "name": "name",
    "address": "address",
    "since": "since",
    "last wrote": "last_wrote",
    "ready?": lambda row: "asked" if row["asked_ready"] else "",
    "note": lambda row: f"same mailbox as {', '.join(row['same_mailbox'])}" if row["same_mailbox"] else "",
}
MAILS: Columns = {
    "number": "number",
    "": lambda row: "<-" if row["way"] == "in" else "->",
    "at": "at",
    "address": "address",
    "outcome": "outcome",
    "read / letter": _content,
    "why / server": lambda row: row["why"] if row["way"] == "in" else row["server_said"],
}


PEOPLE: Columns = {
    "called": "called",
    "address": "address",
    "hometown": "hometown",
    "since": lambda row: row["since"][:10],
    "episodes": "episodes",
    "wins": "wins",
    "where": lambda row: ", ".join([*(f"queue of {each}" for each in row["queues"]), *row["playing"]]),
    "note": lambda row: ", ".join(
        ([] if row["confirmed"] else ["not confirmed"])
        + [each for each in ("barred", "private", "leaving") if row[each]]
    ),
}


def table(rows: Sequence[Row], columns: Columns) -> str:
    """A table with a head."""
    cells: list[Sequence[str]] = [list(columns)]
    for row in rows:
        found = [row[key] if isinstance(key, str) else key(row) for key in columns.values()]
        cells.append(["" if cell is None else str(cell) for cell in found])
    widths = [max(len(row[at]) for row in cells) for at in range(len(columns))]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in cells)


def _part(rows: Sequence[Row], columns: Columns) -> list[str]:
    """A table below what was said, where there is anything in it."""
    return ["", table(rows, columns)] if rows else []


def status(found: Row) -> str:
    """All that is going on."""
    lines = [f"daemon last seen: {found['daemon_seen'] or 'never'}"]
    lines += [f"mailbox {name} read: {at or 'never'}" for name, at in found["mailboxes"].items()]
    lines.append(
        f"letters waiting: {found['letters_waiting']}, failed: {found['letters_failed']}; "
        f"mails that could not be read: {found['mails_broken']}"
    )
    asked = found["asked_back"]
    lines.append(
        f"letters that asked what a mail meant: {asked['letters']}; the first reading was right in {asked['first']}, "
        f"another in {asked['another']}, something else was written in {asked['otherwise']}"
    )
    if asked["second"]:
        lines.append(f"of these the second reader put {asked['second']} first; it was right in {asked['second_first']}")
    lines += _part([{"game": slug, **game} for slug, game in found["games"].items()], LOBBIES)
    lines += _part(found["episodes"], EPISODES) or ["", "no episode is under way"]
    return "\n".join(lines + _part(found["audit"], AUDIT))


def episode(found: Row) -> str:
    """One episode."""
    over = f", over {found['over']}" if found["over"] else ""
    lines = [f"{found['code']} ({found['game']}): {found['state']}, began {found['began']}{over}"]
    lines.append(f"commitment {found['commitment']}")
    if "seed" in found:
        lines.append(f"seed {found['seed']}")
        lines += [f"deck {deck['label']}: {' '.join(deck['cards'])} (cut {deck['cut']})" for deck in found["decks"]]
    lines += [f"waiting for {_waiting_for(each)}" for each in found["waiting"]]
    lines += [f"{name} has won {amount}" for name, amount in found["winnings"].items()]
    lines += [f"{key}: {value}" for key, value in found["table"].items()]
    return "\n".join([*lines, "", table(found["record"], RECORD), *_part(found["audit"], AUDIT)])


def queue(found: Sequence[Row], start: str | None) -> str:
    """The contestants who wait, and when the game begins next where that is known."""
    waiting = table(found, QUEUE) if found else "nobody waits"
    return f"{waiting}\nnext start {start}" if start else waiting


def mails(found: Sequence[Row]) -> str:
    """Each mail in and out."""
    return table(found, MAILS) if found else "no mail"


def verification(file: str, verified: "Verification") -> str:
    """The findings of `podium verify` in one file."""
    said = [f"line {number} is refused: {why}" for number, why in verified.refused]
    if verified.promised is None:
        said.append(f"the commitment of its seed is {verified.computed}")
    elif verified.promised.lower() == verified.computed:
        said.append(f"the seed keeps the commitment {verified.computed}")
    else:
        words = f"promised {verified.promised}, computed {verified.computed}"
        said.append(f"the seed does not keep the commitment: {words}")
    said += verified.faults
    if verified.chain and not verified.faults:
        said.append(
            f"the seed follows from link {verified.chain.number} of the chain that ends with {verified.chain.end}"
        )
    if not verified.is_over:
        so_far = ", and holds so far" if verified.holds else ""
        said.append(f"the episode is not over: its record ends with line {verified.last_line}{so_far}")
    return "\n".join(f"{file}: {each}" for each in said)


def commitment_in(raw: bytes) -> str | None:
    """The commitment that a first mail carries."""
    value = email.message_from_bytes(raw).get("X-Podium-Commitment", "")
    text = str(value).strip().lower()
    return text if len(text) == 64 and not set(text) - set("0123456789abcdef") else None


def chain_of_letter(raw: bytes, chain: "Place | None") -> tuple[str, ...]:
    """The sentences about where a first mail tells another chain, or another list of what was given, than a record has."""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    told = str(message.get("X-Podium-Chain", "")).lower().split()
    if chain is None:
        return ("the first mail names a chain, the record has none",) if told else ()
    found = []
    if told != [str(chain.number), chain.end.lower()]:
        found.append(f"the first mail names {' '.join(told) or 'no chain'}, the record {chain.number} {chain.end}")
    part = message.get_body(("plain",))
    blocks = str(part.get_content()).replace("\r\n", "\n").split("\n\n") if part else []
    if [each.strip("\n") for each in blocks if each.lstrip("\n").startswith("<")] != ["\n".join(chain.given)]:
        found.append("the first mail does not list what the record says the contestants gave")
    return tuple(found)


def questions(found: Sequence[Row]) -> str:
    """The question bank, a line a question."""
    if not found:
        return "The bank is empty: podium questions import starter brings the questions that come with Podium."
    lines = [
        f"{row['number']:>5}  put {row['episodes']:>2}x  {row['ask']}  = {' | '.join(row['answers'])}" for row in found
    ]
    unused = sum(not row["episodes"] for row in found)
    return "\n".join([*lines, f"{len(found)} question{'s' * (len(found) != 1)}, {unused} of them never put."])


def people(rows: Sequence[Row]) -> str:
    """All contestants."""
    return table(rows, PEOPLE) if rows else "Nobody has registered yet."
