"""Pure: which piece of a mail may be an answer in free text. In: its lines, the question, the players' names. Out: the pieces.

A mail falls into pieces at its punctuation; each is taken as it is, and behind the last word that leads in (`is`, `I say`),
without what surrounds an answer. `data/weights.toml` has the weights of what speaks for a piece.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from host.engine.grammar import is_polite, is_social, tokens
from host.engine.words import first_names, pattern, plain, table
from host.play.answers import MOST_READ, bared, counts, has_number, small_words, spelt_out

MOST = 5
_BETWEEN = pattern(
    r"\n++|(?<!\b[A-Z])(?<!\b[A-Z][a-z])(?<!\b[A-Z][a-z]{2})(?<![.!?…])[.!?…]++(?=\s|$)|(?<=[!?…])\s|,(?=\s)|[;:!?()\[\]\"“”]++|\s[-–—]++\s"
    r"|(?:^|(?<=\s))['‘](?=\w)|(?<=\w)['’](?=[\s.,!?]|$)"
)
"""Between pieces: punctuation, and quotes round one; a capital and a full stop are an initial, or a title."""
_OR = pattern(r"(?:^|(?<!\s)\s+)(?:or|either)\s+(?:(?:no|is it|was it|maybe|rather),?\s+)?", re.IGNORECASE)
_LEADS_IN = pattern(
    r".*\b(?:is|are|be|been|it's|its|that's|was|says?|said|called|means?|meant|answer|guess|think|believe|reckon|named?|so|then"
    r"|(?:go|going|went|try|stick|sticking|settle|settling) (?:with|for|on)|gets?|makes?|calls?|writes?|shout(?:s|ed)|put down"
    r")(?: (?:it|that|is|to be|her|him|them))*:?\s+(?=\S)"
)
_DETAIL = pattern(
    r"(?<!\s)\s+(?:with|because|but|though|for me|in (?:my|your|our)|i|who|which|that|if|unless|so|since|as|like"
    r"|and (?:if|with|for|when))\b.*$"
)
"""Words with which more begins than was asked."""
_ARTICLES = frozenset("a an the of".split())


def content(text: str) -> tuple[str, ...]:
    """The words of an answer without articles."""
    return tuple(word for word in tokens(text) if word not in _ARTICLES)


def likely_answers(lines: Sequence[str], prompt: str, names: Collection[str]) -> tuple[str, ...]:
    """The pieces that may be the answer to the question `prompt`. `names` are the players', folded."""
    weigh: Mapping[str, float] = table("host.play", "weights.toml")["answers"]
    scores = dict[str, float]()
    for form, features in candidates(lines, prompt, names):
        score = sum(weigh[name] * value for name, value in features.items())
        scores[form] = max(score, scores.get(form, score))
    return tuple(sorted(scores, key=lambda form: -scores[form])[:MOST])


def candidates(lines: Sequence[str], prompt: str, names: Collection[str]) -> Iterator[tuple[str, dict[str, float]]]:
    """Each piece with its features, none of which looks at what is right."""
    text = "\n".join(lines)
    pieces = [each for each in _pieces(spelt_out(text[:MOST_READ])) if not (is_polite(each[0]) or is_social(each[0]))]
    asked, counted = set(tokens(prompt)), counts(prompt)
    for at, (piece, mark) in enumerate(pieces):
        for form, is_cut in _forms(piece, prompt):
            said = content(form)
            is_number = has_number(form)
            is_empty = small_words().issuperset(said) and not (is_number and counted)
            if not said or is_empty or is_polite(form) or is_social(form):
                continue
            yield (
                form,
                {
                    "words": min(len(said), 6),
                    "small": sum(each in small_words() for each in said) / len(said),
                    "asked": sum(each in asked for each in said) / len(said),
                    "name": not set(names).isdisjoint(said) or said[0] in first_names(),
                    "capital": any(each[0].isupper() for each in form.split()[1:])
                    or (form.isupper() and len(form) > 1),
                    "colon": ":" in mark,
                    "quoted": bool(mark) and mark[-1] in "'‘\"“",
                    "later": at / len(pieces),
                    "signed": 0 < at == len(pieces) - 1 and mark.endswith("\n") and form[0].isupper() and len(said) < 4,
                    "number": is_number != counted,
                    "cut": is_cut,
                },
            )


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """The pieces of a text, each with the mark before it."""
    begin, mark = 0, ""
    for found in _BETWEEN.finditer(text):
        if piece := text[begin : found.start()].strip():
            yield piece, mark
            mark = ""
        begin, mark = found.end(), mark + found[0]
    if piece := text[begin:].strip():
        yield piece, mark


def _forms(piece: str, prompt: str) -> Iterator[tuple[str, bool]]:
    """What may be the answer in a piece, and whether detail behind it is left out."""
    found = dict[str, bool]()
    for each in _OR.split(piece):
        led = _LEADS_IN.match(each.casefold()) if len(each.casefold()) == len(each) else None
        for form in (bared(each, prompt), bared(each[led.end() :], prompt) if led else ""):
            detail = _DETAIL.search(form.casefold()) if form else None
            found.setdefault(form, False)
            if detail:
                found.setdefault(bared(form[: detail.start()], prompt), True)
    yield from ((form, is_cut) for form, is_cut in found.items() if form and plain(form))
