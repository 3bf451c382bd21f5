"""Words looked for in the rules, the decisions and the fouls: English, 简体 or 繁體, whatever the reader reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from penalties.engine import find_foul_book
from scoring.book import decisions, rules
from scoring.book.passages import Passage, plain
from scoring.book.texts import said
from scoring.engine.names import Names
from scoring.texts.folding import folded

LONGEST: Final = 80
"""Characters of a query."""
_AROUND: Final = 70
"""Characters shown on each side of what was found."""


@dataclass(frozen=True, slots=True)
class Hit:
    url: str
    heading: str
    place: str
    """The chapter it stands in."""
    excerpt: str


def search(query: str) -> list[Hit]:
    """Every passage that has all the words in one of the languages, in the order of the book; none for no word."""
    words = folded(query[:LONGEST]).split()
    if not words:
        return []
    return [
        Hit(url, said(heading), place, _excerpt(said(text), words))
        for url, place, heading, text in _everything()
        if _has_all(words, heading, text)
    ]


def _everything() -> Iterator[tuple[str, str, Names, Names]]:
    """Address, chapter, heading and text of all there is to find."""
    for chapter in rules.chapters():
        page = reverse("rules_chapter", args=[chapter.key])
        for section in chapter.sections:
            yield _found(page, said(chapter.heading), section.passage)
    page = reverse("rules_decisions")
    for passage in decisions.passages().values():
        yield _found(page, _("Disputed rules"), passage)
    page = reverse("foul_book")
    for foul in find_foul_book("mcr").fouls:
        yield f"{page}#{foul.key}", _("Foul book"), foul.names, foul.description


def _found(page: str, place: str, passage: Passage) -> tuple[str, str, Names, Names]:
    return f"{page}#{passage.key}", place, passage.heading, passage.text


def _has_all(words: list[str], *texts: Names) -> bool:
    for language in ("en", "zh_hans", "zh_hant"):
        whole = folded(plain(" ".join(getattr(text, language) for text in texts)))
        if all(word in whole for word in words):
            return True
    return False


def _excerpt(text: str, words: list[str]) -> str:
    """Where the first of the words stands, with what is around it; the beginning when they are another language's."""
    flat = " ".join(plain(text).split())
    at = max(
        0, min((found for word in words if (found := folded(flat).find(word)) >= 0), default=0) - _AROUND
    )
    until = at + 2 * _AROUND
    return f"{'…' if at else ''}{flat[at:until].strip()}{'…' if until < len(flat) else ''}"
