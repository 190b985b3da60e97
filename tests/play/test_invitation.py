"""What an invitation says: addresses as people and mail programs write them, the game, whether pages show it."""

from host.play.invitation import Invitation, read_invitation
from tests.rows import every

BOB, CID = "bob@example.org", "cid@example.net"


@every(
    ("text", "read"),
    [
        (f"{BOB}, {CID} to Champ Cards", Invitation((BOB, CID), "Champ Cards", False, "")),
        (f"{BOB} and {CID} to Champ Cards in public.", Invitation((BOB, CID), "Champ Cards", True, "")),
        (f"Bob Ray <{BOB}> to Bluffjack", Invitation((BOB,), "Bluffjack", False, "")),
        (f'"Ray, Bob" <{BOB}>, Cid Orr <{CID.upper()}> to Bluffjack', Invitation((BOB, CID), "Bluffjack", False, "")),
        (f"{BOB} to Bluffjack, please!", Invitation((BOB,), "Bluffjack", False, "")),
        (f"{BOB} to Bluffjack in public, thanks", Invitation((BOB,), "Bluffjack", True, "")),
        (f"Bob and Cid <{CID}> to Bluffjack", Invitation((CID,), "Bluffjack", False, "Bob")),
        (f"Bob, {CID} to Bluffjack", Invitation((CID,), "Bluffjack", False, "Bob")),
        ("please", Invitation((), "", False, "")),
        ("", Invitation((), "", False, "")),
    ],
)
def test_an_invitation_is_read(text: str, read: Invitation) -> None:
    assert read_invitation(text) == read
