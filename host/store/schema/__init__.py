"""Edge: the tables. In: nothing. Out: one class a table; instants are aware and UTC, money whole units.

migrations/ makes these tables; a test holds the two against each other.
"""

from host.store.schema.base import Base, Instant, Shifted
from host.store.schema.company import Mute, Talk, Watcher
from host.store.schema.episodes import (
    BankEntry,
    BankUse,
    Deck,
    Episode,
    EventRow,
    PremoveRow,
    QuestionRow,
    RecordLine,
    Seat,
)
from host.store.schema.house import AuditEntry, Heartbeat, Lease, LoginLink, Reveal, SeenTo, SentForm, WebSession
from host.store.schema.mails import (
    ANSWERS_REGISTRATION,
    ASKED,
    DEFERRED,
    FAILED,
    FORGETTABLE,
    HELD,
    NEW,
    QUARANTINED,
    REGISTRATION_PURPOSES,
    TO_HOST,
    UNSENT,
    AskRow,
    HeldMail,
    Inbound,
    Letter,
    Mailbox,
)
from host.store.schema.people import (
    PRIVATE,
    Absence,
    Address,
    Barred,
    Contestant,
    Declined,
    LedgerEntry,
    LobbyRow,
    Registration,
    Reign,
    Standing,
)
from host.store.schema.seasons import Chain, Season, SeasonEpisode
