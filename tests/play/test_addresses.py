"""Which addresses deliver to one mailbox."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.play.addresses import alike, mailbox_of


@pytest.mark.parametrize(
    ("address", "mailbox"),
    [
        ("Ann.Lee+cards@googlemail.com", "annlee@gmail.com"),
        ("ann.lee@example.net", "ann.lee@example.net"),
        ("ann.lee+cards@example.net", "ann.lee@example.net"),
        ("+ann@example.net", "+ann@example.net"),
    ],
)
def test_a_mailbox(address: str, mailbox: str) -> None:
    assert mailbox_of(address) == mailbox


def test_those_that_share_a_mailbox_are_named() -> None:
    found = alike(["a.b@gmail.com", "ab@gmail.com", "ab+2@googlemail.com", "c@gmail.com"])
    assert found["ab@gmail.com"] == ("a.b@gmail.com", "ab+2@googlemail.com")
    assert "c@gmail.com" not in found
    assert alike(["a+1@x.example", "a+2@x.example"]) == {
        "a+1@x.example": ("a+2@x.example",),
        "a+2@x.example": ("a+1@x.example",),
    }


@given(st.text())
def test_any_address(address: str) -> None:
    assert mailbox_of(mailbox_of(address)) == mailbox_of(address)
