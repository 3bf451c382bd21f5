"""Whether a text names somebody."""

from __future__ import annotations

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
    wanted = [_plain(name) for name in names if len(_plain(name)) >= LEAST]
    return any(_names(_plain(text), name) for text in _texts(value) for name in wanted)


def _names(text: str, name: str) -> bool:
    if " " in name:
        text, name = text.casefold(), name.casefold()
    if not any(unicodedata.name(char, "").startswith(SPACED) for char in name):
        return name in text
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _texts(value: Any) -> Iterable[str]:
    match value:
        case str():
            yield value
        case list() | tuple():
            for one in value:
                yield from _texts(one)
        case dict():
            for one in value.values():
                yield from _texts(one)
