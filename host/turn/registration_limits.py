"""Shell: how many registrations are answered. In: one in somebody's name. Out: whether it must wait, and when it need not.

Anybody can register in anybody's name, so an address gets so many answers a day and everybody together so many an hour; the
rest is deferred, and a flood is not kept for weeks.
"""

from datetime import datetime, timedelta

from host.store.mails import count_deferred, count_registrations, deferred_mails, is_full
from host.store.schema import Contestant
from host.turn import alerts
from host.turn.incoming import Turn, Verdict
from host.turn.work import Services

FAILED_SHARE = 6
"""One in so many registrations that are answered in an hour may be of a sender whose check failed."""
MOST_DEFERRED = 3
"""Registrations of one address that wait to be answered."""
LONGEST_WAIT = 48
"""Hours for which a registration may wait to be answered: a flood is not kept for weeks."""
LOOKED_AT = 100
"""Registrations that wait, of which it is looked at once whether they may be answered."""


def must_wait(turn: Turn, contestant: Contestant | None) -> str:
    """Why a registration cannot be answered now; nothing where it can. The operators hear of it when all have to wait."""
    work, security = turn.work, turn.work.config.security
    day, hour = work.now - timedelta(days=1), work.now - timedelta(hours=1)
    if count_registrations(work.session, day, work.now, address=turn.mail.sender) >= security.registrations_a_day:
        return "this address had as many answers today as it gets"
    if contestant and contestant.confirmed_at is not None:
        return ""
    most = security.registrations_an_hour
    if count_registrations(work.session, hour, work.now) >= most:
        text = (
            f"More than {most} registrations came within an hour. The rest is answered when the hour is over, so many an "
            "hour; episodes go on as always. If these are people you expect, raise [security] registrations_an_hour."
        )
        alerts.alert(work, "Many registrations", text, cause="registrations")
        return "too many registrations this hour"
    if turn.opened.is_forged and count_registrations(work.session, hour, work.now, proof="fail") >= max(
        1, most // FAILED_SHARE
    ):
        return "too many registrations this hour whose senders could not be authenticated"
    return ""


def defer(turn: Turn, why: str) -> Verdict:
    """Let a registration wait; where too many wait already, refuse it."""
    if count_deferred(turn.work.session, turn.mail.sender) >= MOST_DEFERRED:
        return Verdict("refused", f"not answered: {why}, and {MOST_DEFERRED} mails of it wait already")
    most = LONGEST_WAIT * turn.work.config.security.registrations_an_hour
    if is_full(turn.work.session, most):
        return Verdict("refused", f"not answered: {why}, and {most} registrations wait already")
    return Verdict("deferred", f"waits: {why}")


def take_up_deferred(services: Services, now: datetime) -> int:
    """Registrations that waited are worked off again where the limits allow; gives how many."""
    with services.store.reading() as session:
        if not deferred_mails(session, 1):
            return 0
    security, taken = services.config.security, 0
    with services.store.transaction() as session:
        left = security.registrations_an_hour - count_registrations(session, now - timedelta(hours=1), now)
        for row in deferred_mails(session, LOOKED_AT):
            if taken >= left:
                break
            if count_registrations(session, now - timedelta(days=1), now, row.sender) < security.registrations_a_day:
                row.state, row.note, row.content_key, row.claimed_by = "new", "", None, None
                taken += 1
    return taken
