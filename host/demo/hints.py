"""Pure: hints for somebody who has never seen the demo. In: their mailbox. Out: one or two sentences."""

from host.demo.inbox import Mail, Mailbox

_OPEN = "A letter came: open it. "
_UNREAD = {
    "confirm": f"{_OPEN}The host asks whether it was you who wrote; tap its first button, and press Send.",
    "registered": "You are registered. The robots register too; the first letter of the game comes in a moment.",
    "result": f"The game is over. {_OPEN}It tells who won; the record is attached. Then begin another game.",
    "reminder": f"{_OPEN}It reminds you of a move. Without it you forfeit.",
    "timeout": f"{_OPEN}You let a deadline pass; it says what that did.",
    "refused": f"{_OPEN}Not everything you wrote could be played; it says why and offers what can.",
}
_READ = {
    "confirm": "Tap the first button of the letter, then press Send.",
    "registered": "The robots register too; the first letter of the game comes in a moment.",
    "result": "The game is over. Begin another one, or the same once more.",
}


def hint(mailbox: Mailbox) -> str:
    """Say what to do next."""
    latest = mailbox.mails[-1]
    if latest.is_mine and (doubted := _unconfirmed(mailbox)) is not None:
        return f"The host waits until you say that it was you: open “{doubted.subject}” and tap its first button."
    if latest.is_mine:
        return "Sent. The host reads its mailbox, the robots think for a second or two; then a letter comes."
    if latest.number in mailbox.unread:
        return _about_unread(latest)
    if latest.letter.asks and latest.letter.kind not in _READ:
        return "It is your move: tap a button in the letter, or press Reply and say it in your own words."
    for mail in (each.shown for each in mailbox.conversations()):
        if mail.number in mailbox.unread and mail.letter.kind != "registered":
            return _about_unread(mail)
    return _READ.get(latest.letter.kind, "The others have their turn. Meanwhile you may begin a second game.")


def _unconfirmed(mailbox: Mailbox) -> Mail | None:
    """The letter that asks whether you registered, where it has no answer; before that the host answers nothing else."""
    latest = (each.latest for each in mailbox.conversations())
    return next((mail for mail in latest if not mail.is_mine and mail.letter.kind == "confirm"), None)


def _about_unread(mail: Mail) -> str:
    if mail.letter.asks and mail.letter.kind not in _UNREAD:
        return f"{_OPEN}It is your move: tap a button in it, then press Send."
    return _UNREAD.get(mail.letter.kind, f"{_OPEN}It tells how things stand.")
