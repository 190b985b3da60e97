"""Terms: every one is found in words, explained, and has clauses that there are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.games import GAMES
from host.play.services import Service, Wish, take_wishes
from host.play.terms import MOST_TOLD, clause_about, new_terms, term_called, terms_in, terms_of, topic_of
from host.turn.explaining import clauses_of
from tests.rows import every

SLUGS = list(GAMES)


@pytest.mark.parametrize("slug", SLUGS)
def test_each_term_says_something_in_two_lines_and_its_clauses_are_in_the_rules(slug: str) -> None:
    clauses = clauses_of(GAMES[slug])
    numbers = {each.split()[0] for each in clauses}
    own = [term for term in terms_of(slug) if term.rules]
    assert len(own) >= 10
    for term in own:
        assert 20 < len(term.says) < 260, term.name
        assert set(term.rules) <= numbers, term.name
        assert clause_about(slug, term.name.lower(), clauses).split()[0] in numbers


@pytest.mark.parametrize("slug", SLUGS)
def test_each_form_of_a_term_leads_to_it(slug: str) -> None:
    for term in terms_of(slug):
        for form in term.forms:
            found = term_called(slug, form.lower())
            assert found is not None, form
            if term.rules:
                assert terms_in(slug, f"There is {form}, and more."), form


def test_a_term_with_capitals_counts_only_with_them() -> None:
    assert [each.name for each in terms_in("champion-poker", "the Blind of 5")] == ["Blind"]
    assert terms_in("champion-poker", "a blind man") == ()
    assert terms_in("champ-cards", "refreeze") == ()


@pytest.mark.parametrize(
    ("asked", "topic"),
    [
        ("freeze", "freeze"),
        ("does freeze mean?", "freeze"),
        ("a blackjack", "blackjack"),
        ("the “Free Look” please", "free look"),
        ("about codes", "codes"),
        ("", ""),
        ("the", "the"),
    ],
)
def test_what_somebody_asks_about(asked: str, topic: str) -> None:
    assert topic_of(asked) in (topic, "")


@every(
    ("line", "wish"),
    [
        ("explain freeze", Wish(Service.EXPLAIN, "freeze")),
        ("Please explain: freeze", Wish(Service.EXPLAIN, "freeze")),
        ("what does freeze mean?", Wish(Service.EXPLAIN, "freeze mean?")),
        ("what is a blackjack?", Wish(Service.EXPLAIN, "a blackjack?")),
        ("rules freeze", Wish(Service.RULES, "freeze")),
        ("what is a good idea?", None),
        ("what does that mean?", None),
        ("rules", None),
        ("rules please", None),
        ("rules are rules", None),
        ("explain the rules", None),
    ],
)
def test_a_line_that_asks_what_something_means(line: str, wish: Wish | None) -> None:
    rest, wishes = take_wishes([line], "champ-cards")
    if wish is None and line == "explain the rules":
        assert wishes == (Wish(Service.EXPLAIN, "the rules"),) or rest == (line,)
        return
    assert wishes == ((wish,) if wish else ())
    assert rest == (() if wish else (line,))


def test_a_letter_explains_few_terms_and_each_once() -> None:
    words = "Freeze, or turn one of the nine, cut, blackjack, stock, offer, decline"
    first = new_terms("champ-cards", words, [])
    assert len(first) == MOST_TOLD
    known = [each.name for each in first]
    second = new_terms("champ-cards", words, known)
    assert second
    assert not {each.name for each in second} & set(known)
    assert "freeze" not in {each.name for each in new_terms("champ-cards", words, [], is_first=True)}


@pytest.mark.parametrize("slug", ["", *SLUGS])
@given(text=st.text(max_size=60))
def test_no_text_is_too_strange(slug: str, text: str) -> None:
    topic = topic_of(text)
    assert term_called(slug, topic) is None or topic
    if slug:
        assert isinstance(clause_about(slug, topic, clauses_of(GAMES[slug])), str)
        terms_in(slug, text)
