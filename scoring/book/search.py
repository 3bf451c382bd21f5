"""Finding a term or a fan by what somebody types: English, either script, pinyin with or without tones, or initials.

static/js/book/narrow.js does the same to what is typed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Protocol

from scoring.book.terms import Chinese
from scoring.engine.fans import spellings
from scoring.texts.folding import folded

WON = str.maketrans("胡糊", "和和")
"""How many write 和, read hú: "won"."""


def sought(text: str) -> list[str]:
    """The words to look for, as `haystack` has them: ``"Heaven’s fù-lù"`` is ``["heavens", "fu", "lu"]``."""
    return re.sub(r"[\W_]+", " ", folded(text).replace("'", "").replace("’", "").translate(WON)).split()


class Named(Protocol):
    """What is looked for: a term, a fan's entry."""

    @property
    def names(self) -> tuple[str, ...]:
        """All that it is called in Latin letters."""

    @property
    def chinese(self) -> tuple[Chinese, ...]: ...

    def __hash__(self) -> int: ...


@lru_cache(maxsize=1024)
def haystack(term: Named) -> str:
    """All that it is found by, each word once."""
    words = [word for name in term.names for word in sought(name)]
    for chinese in term.chinese:
        typed = (chinese.hans, chinese.hant, *spellings(chinese.pinyin))
        words += [word for form in typed for word in sought(form)]
    return " ".join(dict.fromkeys(words))


def fits(term: Named, wanted: str) -> bool:
    """Whether every word of what is wanted is part of a name; nothing wanted fits all."""
    return all(word in haystack(term) for word in sought(wanted))
