"""Family names sent in capitals, as many lists write them, and the same names as people write them."""

import re

PARTICLES = {
    *("da", "das", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "e", "la", "le"),
    *("ten", "ter", "van", "von", "y", "zu", "zur"),
}
"""Small words in family names; they stay small when capitals are taken back, unless they come first."""


def soften_capitals(name: str) -> str:
    """
    >>> soften_capitals("DE LA CRUZ"), soften_capitals("O'NEILL-ĐẶNG"), soften_capitals("van den Berg")
    ('De la Cruz', "O'Neill-Đặng", 'van den Berg')
    """
    words = name.split(" ")
    return " ".join(
        word.lower() if index and word.lower() in PARTICLES else _softened(word)
        for index, word in enumerate(words)
    )


def is_shouted(name: str) -> bool:
    """Whether taking capitals back would change the name."""
    return soften_capitals(name) != name


def _softened(word: str) -> str:
    return (
        re.sub(r"\w+", lambda part: part[0].capitalize(), word) if len(word) > 1 and word.isupper() else word
    )
