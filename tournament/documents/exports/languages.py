"""The language a document is in, or the two that stand beside each other in it: "Table / 桌"."""

from __future__ import annotations

import re
from calendar import day_abbr, day_name, month_abbr, month_name
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.utils import translation
from django.utils.translation import trans_real

BETWEEN: Final = " / "
LONGEST: Final = 60
"""Characters of a label; what is longer is told, and told once."""
_FIGURES: Final = re.compile(r"%\((n|number|place)\)s")
"""What a label may have in it. A name may be in both languages already."""
_DATES: Final = frozenset(
    name
    for names in (month_name, month_abbr, day_name, day_abbr)
    for each in names
    for name in (each, each.lower())
)
_CONTEXT: Final = "\x04"
"""Between the context of a text and the text: what has one is a part of something longer."""


class Two:
    """A catalogue of two: what `gettext` asks. Headings, the heads of columns and the labels of forms are in both; the
    sentences, dates and figures, and what joins them, are in the first."""

    def __init__(self, first: Any, second: Any) -> None:
        self.first, self._second = first, second

    def gettext(self, message: str) -> str:
        return _beside(message, self.first.gettext(message), self._second.gettext(message))

    def ngettext(self, one: str, many: str, n: int) -> str:
        return _beside(one, self.first.ngettext(one, many, n), self._second.ngettext(one, many, n))

    def __getattr__(self, name: str) -> Any:
        """Everything else, as which language it is, is the first's."""
        return getattr(self.first, name)


@contextmanager
def in_languages(first: str, second: str = "") -> Iterator[None]:
    """All texts in `first`, labels in `second` too."""
    with translation.override(first):
        if second and second != first:
            # Where `activate` puts the one catalogue Django knows; `override` takes it away again.
            trans_real._active.value = Two(trans_real.translation(first), trans_real.translation(second))  # type: ignore[attr-defined]
        yield


@contextmanager
def first_alone() -> Iterator[None]:
    """The first language by itself, where there is no room for both, as in a drawing."""
    both = getattr(trans_real._active, "value", None)  # type: ignore[attr-defined]
    if not isinstance(both, Two):
        yield
        return
    trans_real._active.value = both.first  # type: ignore[attr-defined]
    try:
        yield
    finally:
        trans_real._active.value = both  # type: ignore[attr-defined]


def _beside(message: str, first: str, second: str) -> str:
    return f"{first}{BETWEEN}{second}" if first != second and _is_label(message) else first


def _is_label(message: str) -> bool:
    """Whether it stands by itself: a few words with one figure at most; no sentence, no day and no month."""
    words = _FIGURES.sub("", message, count=1)
    return (
        not any(mark in words for mark in (_CONTEXT, "%(", "{"))
        and len(message) <= LONGEST
        and message not in _DATES
        and not words.rstrip().endswith((".", ":"))
        and any(character.isalpha() for character in words)
    )
