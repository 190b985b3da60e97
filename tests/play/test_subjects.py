"""What the subjects of new mails ask for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.games import GAMES
from host.play.subjects import Wish, is_empty, wants_in, wish_in, wish_in_body
from tests.rows import every

TITLES = {slug: game.title for slug, game in GAMES.items()}


def registers(slug: str) -> Wish:
    return Wish((slug,), is_registration=True)


def asks(*slugs: str) -> Wish:
    return Wish(slugs, is_registration=False)


@every(
    "subject",
    [
        "champ cards registration",
        "Champ Card Contestant Registration",
        "Contestant registration: Champ Cards",
        "Registration for Champ Cards",
        "CHAMP CARDS - SIGN UP",
        "Sign me up for champ cards please!",
        "Re: Champ Cards registration",
        "Fwd: RE: champ cards entry",
        "I want to play Champ Cards",
        "Can I join Champ Cards?",
        "Join ChampCards",
        "Chmap Cards Registraton",
        "champ crads contestent registration",
        "Champ-Cards Contestant-Registration",
        "Anmeldung zu Champ Cards",
        "Champ Cards – Anmeldung",
        "Inscription Champ Cards",
        "Inscripción a Champ Cards",
        "Iscrizione Champ Cards",
        "Inschrijving Champ Cards",
        "Inscrição no Champ Cards",
        "Rejestracja Champ Cards",
        "Anmälan till Champ Cards",
        "Tilmelding Champ Cards",
        "Регистрация Champ Cards",
        "Champ Cards 登録",
    ],
)
def test_nearly_right_is_a_registration(subject: str) -> None:
    assert wish_in(subject, TITLES) == registers("champ-cards")


@pytest.mark.parametrize(
    ("subject", "slug"),
    [
        ("Game of Champions registration", "game-of-champions"),
        ("The Game of Champion sign-up", "game-of-champions"),
        ("champion's poker registration", "champion-poker"),
        ("blufjack contestant", "bluffjack"),
        ("Bluff Jack entry", "bluffjack"),
        ("Spilt Decision Contestant Registration", "split-decision"),
        ("Split Decisions - apply", "split-decision"),
    ],
)
def test_each_title_may_be_misspelt(subject: str, slug: str) -> None:
    assert wish_in(subject, TITLES) == registers(slug)


@every(
    "subject",
    [
        "Champ Cards",
        "champ cards?",
        "Champ Card",
        "Question about Champ Cards",
        "How do I join Champ Cards?",
        "How can I register for champ cards",
        "How do I sign up for Champ Cards?",
        "Champ Cards: what is it?",
        "Fwd: Champ Cards",
    ],
)
def test_a_title_alone_or_a_question_about_it_asks_what_it_is(subject: str) -> None:
    assert wish_in(subject, TITLES) == asks("champ-cards")


@pytest.mark.parametrize("title", ["Bluffjack", "Blufjack"])
def test_two_games_are_a_registration_for_both(title: str) -> None:
    wanted = Wish(("champ-cards", "bluffjack"), is_registration=True)
    assert wish_in(f"Sign me up for Champ Cards and {title}", TITLES) == wanted


@pytest.mark.parametrize("subject", ["How do I sign up for the card show?", "how can I play on your show"])
def test_a_question_how_to_join_asks_about_all_games(subject: str) -> None:
    assert wish_in(subject, TITLES) == asks()


@every(
    ("subject", "is_so"),
    [
        *(
            (text, True)
            for text in ("", "Re: ", "(no subject)", "How can I join?", "how to participate", "Can I join?")
        ),
        *((text, False) for text in ("hi", "Can I leave?", "My cat can play the piano", "never sign up")),
        ("Wie kann ich mitmachen?", True),
    ],
)
def test_a_subject_that_leaves_it_to_the_body(subject: str, is_so: bool) -> None:
    assert is_empty(subject) is is_so


@pytest.mark.parametrize(
    ("body", "wish"),
    [
        ("I want to register for Champ Cards. Name: Wes Ton", registers("champ-cards")),
        ("Hello! Sign me up.\nGame: Champ Cards\nName: Wes Ton", registers("champ-cards")),
        ("How do I join Champ Cards?", asks("champ-cards")),
        ("Name: Wes Ton", None),
        ("Champ Cards\nName: Wes Ton", None),
        ("I do not want to play Champ Cards. Name: Wes Ton", None),
        ("Ten reasons why the new season of Champ Cards is worth your while, register for it today", None),
    ],
)
def test_what_a_body_asks_for(body: str, wish: Wish | None) -> None:
    assert wish_in_body(body.splitlines(), TITLES, has_form="Name:" in body) == wish


@every(
    "subject",
    [
        "",
        "Registration",
        "Miss Texas Contestant Registration",
        "Champion registration",
        "Cards registration",
        "Your cards have arrived",
        "Blackjack registration",
        "Re: Champ Cards",
        "Champ Cards: your place [CC]",
        "Re: Champ Cards: Ann v Bob [CC-12]",
        "Re: Champ Cards: your place [CC abcdefghijklmnopqrstuvwxyz]",
        "Cancel my Champ Cards registration",
        "I do not want to play Champ Cards",
        "Unregister Champ Cards",
        "Champ Cards bonus: win $1000 tonight at the casino",
        "Our newsletter: ten reasons why the new season of Champ Cards is worth your while, register for it today",
        "A split decision in the senate",
    ],
)
def test_anything_else_is_none(subject: str) -> None:
    assert wish_in(subject, TITLES) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Yes please, sign me up!", True),
        ("I would like to join", True),
        ("ich möchte mitspielen", True),
        ("how do I join?", False),
        ("I do not want to play", False),
        ("I can't play before January", False),
        ("unable to play this week", False),
        ("I can't wait to play!", True),
        ("Thanks for the information", False),
    ],
)
def test_who_wants_in(text: str, wanted: bool) -> None:
    assert wants_in([text]) is wanted


@given(st.text(max_size=300))
def test_any_subject(subject: str) -> None:
    wish_in(subject, TITLES)
