"""What a mail says beside what it was asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.play.besides import says_besides


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("Name: Ann Lee\nhow long does a game take? I am away December 1 to 5", True),
        ("My name is Ann and I am away until Monday", True),
        ("confirm, can my wife play too?", True),
        ("Name: Ann Lee\nPlease sign me up!\nThanks, I look forward to it!", False),
        ("Dear host,\nI would like to take part. My name is Ann Lee and I live in\nBoise.\nKind regards", False),
        ("Sounds fun, I am in. Zed Zeppelin, Tulsa", False),
        ("Yes, that was me. What are the rules?", False),
        ("Can I join Champ Cards?", False),
        ("Thank you!\nAnn Lee", False),
        ("yes and please call me Umbrella", False),
        ("", False),
    ],
)
def test_what_a_host_should_read(text: str, is_so: bool) -> None:
    assert says_besides(text.splitlines(), ("Champ Cards",), ("Ann Lee",)) is is_so


@given(st.lists(st.text(max_size=60), max_size=6))
def test_any_lines(lines: list[str]) -> None:
    says_besides(lines)
