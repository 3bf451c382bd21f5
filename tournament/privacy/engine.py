"""Find names in texts."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Any, Final

from tournament.base.engine.names import search_text

SPACED_SCRIPTS: Final = ("LATIN", "GREEK", "CYRILLIC", "ARABIC", "HEBREW", "DIGIT")
"""Scripts with spaces between words."""
MIN_LENGTH: Final = 2
"""Characters of a name that is searched for; a single letter would match too often."""


def mentions(value: Any, names: Iterable[str]) -> bool:
    """Whether one of the names occurs as whole words in a string, or in one nested in `value`.

    Names of several words match in any case and spelling, single words only as written: not every "long" is Mr Long.
    """
    search_names = [name for name in map(_normalised, names) if len(name) >= MIN_LENGTH]
    return any(_occurs_in(_normalised(text), name) for text in _strings(value) for name in search_names)


def _occurs_in(text: str, name: str) -> bool:
    if not any(unicodedata.name(char, "").startswith(SPACED_SCRIPTS) for char in name):
        return name.replace(" ", "") in text.replace(" ", "")
    if " " in name:
        text, name = search_text(text), search_text(name)
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _normalised(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _strings(value: Any) -> Iterable[str]:
    match value:
        case str():
            yield value
        case list() | tuple():
            for part in value:
                yield from _strings(part)
        case dict():
            for part in value.values():
                yield from _strings(part)
