"""Whether a text names somebody."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Any, Final

SPACED: Final = ("LATIN", "GREEK", "CYRILLIC", "ARABIC", "HEBREW", "DIGIT")
"""Scripts in which a space stands between words."""
LEAST: Final = 2
"""Characters of a name that is looked for in texts: one letter alone stands in every other word."""


def mentions(value: Any, names: Iterable[str]) -> bool:
    """Whether one of the names stands in it as words of their own, at whatever depth.

    A whole name in whatever case; a single word as it is written, for Mr Long is not in every long game.
    """
    wanted = [name for name in map(_normalised, names) if len(name) >= LEAST]
    return any(_stands_in(_normalised(text), name) for text in _texts(value) for name in wanted)


def _stands_in(text: str, name: str) -> bool:
    if " " in name:
        text, name = text.casefold(), name.casefold()
    if not any(unicodedata.name(char, "").startswith(SPACED) for char in name):
        return name in text
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _normalised(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _texts(value: Any) -> Iterable[str]:
    match value:
        case str():
            yield value
        case list() | tuple():
            for part in value:
                yield from _texts(part)
        case dict():
            for part in value.values():
                yield from _texts(part)
