"""Pure: what the command line shows a person. In: plain data. Out: text."""

import email
from collections.abc import Sequence
from typing import Any

from host.engine.record import Verification


def columns(rows: Sequence[Sequence[object]], heads: Sequence[str]) -> str:
    """A table with a head."""
    cells = [[str("" if cell is None else cell) for cell in row] for row in (heads, *rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(heads))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells
    )


def status(found: dict[str, Any]) -> str:
    """What is going on."""
    lines = [f"daemon last seen: {found['daemon_seen'] or 'never'}"]
    lines += [f"mailbox {name} read: {at or 'never'}" for name, at in found["mailboxes"].items()]
    lines.append(
        f"letters waiting: {found['letters_waiting']}, failed: {found['letters_failed']}; "
        f"mails that could not be read: {found['mails_broken']}"
    )
    games = [
        (
            slug,
            game["episodes"],
            game["champion"] or "-",
            game["champion_wins"] or "",
            game["waiting"],
            game["next_waits_until"] or "",
        )
        for slug, game in found["games"].items()
    ]
    if games:
        lines += ["", columns(games, ("game", "episodes", "champion", "wins", "waiting", "next waits until"))]
    rows = [
        (
            each["code"],
            each["state"],
            ", ".join(each["players"]),
            "; ".join(map(_waiting_for, each["waiting"])),
        )
        for each in found["episodes"]
    ]
    lines += ["", columns(rows, ("episode", "state", "players", "waiting for")) if rows else "no episode is under way"]
    lines += _audit(found["audit"])
    return "\n".join(lines)


def _audit(entries: Sequence[dict[str, Any]]) -> list[str]:
    rows = [(each["at"], each["who"], each["command"]) for each in entries]
    return ["", columns(rows, ("at", "who", "the host's hand"))] if rows else []


def _waiting_for(asked: dict[str, Any]) -> str:
    until = f" until {asked['until']}" if asked["until"] else ", without a deadline"
    stopped = f", whose clock stands still since {asked['stands_still_since']}" if asked["stands_still_since"] else ""
    return f"{asked['player']} ({asked['asked']}){until}{stopped}"


def episode(found: dict[str, Any]) -> str:
    """One episode."""
    lines = [
        f"{found['code']} ({found['game']}): {found['state']}, began {found['began']}"
        + (f", over {found['over']}" if found["over"] else ""),
        f"commitment {found['commitment']}",
    ]
    if "seed" in found:
        lines.append(f"seed {found['seed']}")
        lines += [f"deck {deck['label']}: {' '.join(deck['cards'])} (cut {deck['cut']})" for deck in found["decks"]]
    lines += [f"waiting for {_waiting_for(each)}" for each in found["waiting"]]
    lines += [f"{name} has won {amount}" for name, amount in found["winnings"].items()]
    lines += [f"{key}: {value}" for key, value in found["table"].items()]
    lines += [
        "",
        columns([(each["line"], each["at"], each["text"]) for each in found["record"]], ("line", "at", "record")),
    ]
    lines += _audit(found["audit"])
    return "\n".join(lines)


def queue(found: Sequence[dict[str, Any]]) -> str:
    """Who waits."""
    if not found:
        return "nobody waits"
    rows = [
        (
            each["place"],
            each["name"],
            each["address"],
            each["since"],
            each["last_wrote"],
            "asked" if each["asked_ready"] else "",
            ("same mailbox as " + ", ".join(each["same_mailbox"])) if each["same_mailbox"] else "",
        )
        for each in found
    ]
    return columns(rows, ("place", "name", "address", "since", "last wrote", "ready?", "note"))


def mails(found: Sequence[dict[str, Any]]) -> str:
    """Each mail in and out."""
    if not found:
        return "no mail"
    rows = []
    for each in found:
        if each["way"] == "in":
            rows.append(
                (
                    each["number"],
                    "<-",
                    each["at"],
                    each["address"],
                    each["outcome"],
                    " / ".join(each["read"])[:60],
                    each["why"],
                )
            )
        else:
            what = f"{each['kind']}" + (f", answer by {each['answer_by']}" if each["answer_by"] else "")
            rows.append((each["number"], "->", each["at"], each["address"], each["outcome"], what, each["server_said"]))
    return columns(rows, ("number", "", "at", "address", "outcome", "read / letter", "why / server"))


def verification(file: str, verified: Verification) -> str:
    """What `podium verify` found in one file."""
    lines = [f"{file}: line {number} is refused: {why}" for number, why in verified.refused]
    if verified.promised is None:
        lines.append(f"{file}: the commitment of its seed is {verified.computed}")
    elif verified.promised.lower() == verified.computed:
        lines.append(f"{file}: the seed keeps the commitment {verified.computed}")
    else:
        lines.append(
            f"{file}: the seed does not keep the commitment: promised {verified.promised}, computed {verified.computed}"
        )
    if not verified.is_over:
        so_far = ", and holds so far" if verified.holds else ""
        lines.append(f"{file}: the episode is not over: its record ends with line {verified.last_line}{so_far}")
    return "\n".join(lines)


def commitment_in(raw: bytes) -> str | None:
    """The commitment that a first mail carries."""
    value = email.message_from_bytes(raw).get("X-Podium-Commitment", "")
    text = str(value).strip().lower()
    return text if len(text) == 64 and not set(text) - set("0123456789abcdef") else None


def questions(found: list[dict[str, Any]]) -> str:
    """The question bank, a line a question."""
    if not found:
        return "The bank is empty: podium questions import starter brings the questions that come with Podium."
    lines = [
        f"{row['number']:>5}  put {row['episodes']:>2}x  {row['ask']}  = {' | '.join(row['answers'])}" for row in found
    ]
    unused = sum(not row["episodes"] for row in found)
    return "\n".join([*lines, f"{len(found)} questions, {unused} of them never put."])
