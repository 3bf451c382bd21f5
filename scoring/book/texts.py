"""Where something is written, as readers are told, and where one part of the book leads to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from django.urls import NoReverseMatch, reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.book.data import Book, Cite, Part
from scoring.engine.fans import Fan
from scoring.engine.names import Names
from scoring.texts import clause_text, joined, joined_clauses


def translated(names: Names) -> str:
    """The text in the reader's language."""
    return names.in_language(get_language() or "en")


def cite_text(cite: Cite) -> str:
    """MCR, “Breaking the Wall” (000:270–271); the name alone of what has no lines."""
    if cite.book is None:
        return clause_text(cite.clause)
    if cite.part is None:
        return translated(cite.book.name)
    return _part_text(cite.book, cite.part, [cite.lines])


def _part_text(book: Book, part: Part, lines: Iterable[str]) -> str:
    return _("{book}, “{part}” ({lines})").format(
        book=translated(book.name), part=translated(part.name), lines=f"{book.key}:{joined(lines)}"
    )


def cites_text(cites: Iterable[Cite]) -> str:
    """All of them in a row, lines of the same part together."""
    return joined_clauses(_together(cites))


def _together(cites: Iterable[Cite]) -> Iterator[str]:
    for (book, part), several in groupby(cites, lambda cite: (cite.book, cite.part)):
        if book and part:
            yield _part_text(book, part, [cite.lines for cite in several])
        else:
            yield from map(cite_text, several)


def fan_link(fan: Fan | None) -> str:
    """The address of a fan's own page; empty while there are none, and for no fan."""
    if fan is None:
        return ""
    try:
        return reverse("book-fan", args=[fan.key])
    except NoReverseMatch:
        return ""
