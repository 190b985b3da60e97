"""Names and places with capitals of their own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.play.form_words import as_name, as_nickname, as_place
from tests.rows import every


@every(
    ("typed", "written"),
    [
        ("MIKE RAY", "Mike Ray"),
        ("mike ray", "Mike Ray"),
        ("ann o'neil", "Ann O'Neil"),
        ("ANN O’NEIL", "Ann O’Neil"),
        ("BOB MCDONALD", "Bob McDonald"),
        ("Bob McDonald", "Bob McDonald"),
        ("Jean DUPONT", "Jean DUPONT"),
        ("jean-luc picard", "Jean-Luc Picard"),
        ("jan van der berg", "Jan van der Berg"),
        ("VAN DER BERG, JAN", "Van der Berg, Jan"),
        ("john smith iii", "John Smith III"),
        ("j. r. ewing", "J. R. Ewing"),
        ("jd vance", "JD Vance"),
        ("SAMMY DAVIS JR.", "Sammy Davis Jr."),
        ("AJ", "AJ"),
        ("łukasz żak", "Łukasz Żak"),
        ("ОЛЬГА", "Ольга"),
        ("李 明", "李 明"),
        ("ann@example.org", "ann@example.org"),
        ("", ""),
    ],
)
def test_names(typed: str, written: str) -> None:
    assert as_name(typed) == written


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("lolo", "Lolo"),
        ("card shark", "Card Shark"),
        ("xX_ann_Xx", "xX_ann_Xx"),
        ("card_shark", "card_shark"),
        ("ann77", "ann77"),
    ],
)
def test_a_handle_stays_as_it_is(typed: str, written: str) -> None:
    assert as_nickname(typed) == written


@every(
    ("typed", "written"),
    [
        ("BOISE", "Boise"),
        ("boise, id", "Boise, ID"),
        ("BOISE ID", "Boise ID"),
        ("new york, usa", "New York, USA"),
        ("washington, d.c.", "Washington, D.C."),
        ("st. louis", "St. Louis"),
        ("STRATFORD-UPON-AVON", "Stratford-upon-Avon"),
        ("frankfurt am main", "Frankfurt am Main"),
        ("o'fallon", "O'Fallon"),
        ("LA", "La"),
        ("Den Haag", "Den Haag"),
    ],
)
def test_places(typed: str, written: str) -> None:
    assert as_place(typed) == written


@given(st.text(max_size=60))
def test_only_capitals_change(text: str) -> None:
    for written in (as_name(text), as_nickname(text), as_place(text)):
        assert written.casefold() == text.casefold() or not text.isascii()
        assert as_name(as_name(text)) == as_name(text) or not text.isascii()
