"""Pure: words that people write in English. In: nothing. Out: sets of them; none of these is a slip of the pen.

`ordinary.txt` holds the 8,000 commonest of three letters and more in film subtitles, as pyspellchecker lists them (MIT),
`first_names.txt` common first names: a signature is no slip either.
"""

from host.engine.word_files import word_list


def ordinary_words() -> frozenset[str]:
    """Common English words."""
    return word_list("host.engine", "ordinary.txt")


def first_names() -> frozenset[str]:
    """Common first names, in small letters."""
    return word_list("host.engine", "first_names.txt")
