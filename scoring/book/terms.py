"""The glossary: terms read from `glossary/`, and the search for them.

Terms are found in English, either script, pinyin with or without tones, and initials; static/js/book/filter.js and
static/js/desk/frame.js normalise what is typed in the same way.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final, Protocol

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from scoring.book.data import Book, BookDataError, Citation, Part, Row, read_rows
from scoring.engine.fans import Fan, find_fan, pinyin, spellings
from scoring.engine.names import Names
from scoring.texts import clause_text, folded, joined, joined_clauses, translated

FOLDER: Final = Path(__file__).parent / "glossary"
TAGS: Final = ("mcr", "classical", "japanese", "software")
"""Where a word is used: in these rules; in the classical game and its variants in China and the West; in the Japanese
game; in computer games. Most words belong to several."""
_KEY: Final = re.compile(r"[a-z]+(-[a-z]+)*")


@dataclass(frozen=True, slots=True)
class Chinese:
    """A Chinese word for a term."""

    hans: str
    hant: str
    pinyin: tuple[str, ...]
    """One syllable for each character, with its tone."""

    def in_language(self, code: str) -> str:
        return self.hant if code == "zh-hant" else self.hans


@dataclass(frozen=True, slots=True)
class Term:
    """A headword."""

    key: str
    """Its anchor on the page, as ``"pair-of-the-hand"``."""
    name: str
    """In English."""
    text: Names
    """What it means, in a sentence or two."""
    tags: tuple[str, ...]
    """Of TAGS, at least one."""
    chinese: tuple[Chinese, ...] = ()
    """The usual word first; none where Chinese has no word for it."""
    aliases: tuple[str, ...] = ()
    """Other names, in Latin letters."""
    see: tuple[str, ...] = ()
    """Keys of the terms to read on with."""
    fan: Fan | None = None
    """The fan of this name, or the fan scored for it."""
    search: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All names in Latin letters."""
        return (self.name, *self.aliases)


@dataclass(frozen=True)
class Glossary:
    """Every term, by its English name."""

    terms: tuple[Term, ...]

    @cached_property
    def by_key(self) -> Mapping[str, Term]:
        return {term.key: term for term in self.terms}


@lru_cache(maxsize=1)
def glossary() -> Glossary:
    """Return the glossary. Raises BookDataError for wrong data."""
    terms = [read_term(row) for path in sorted(FOLDER.glob("*.toml")) for row in read_rows(path, "terms")]
    return build_glossary(sorted(terms, key=lambda term: term.name.casefold()))


def build_glossary(terms: list[Term]) -> Glossary:
    """Return the glossary of these terms. Raises BookDataError for duplicate names and broken links."""
    if faults := [*_duplicate_names(terms), *_broken_links(terms)]:
        raise BookDataError("; ".join(faults))
    return Glossary(tuple(terms))


def anchor(name: str) -> str:
    """Return the anchor of a name: ``"earths-blessing"`` for ``"Earth’s Blessing"``."""
    return "-".join(re.findall(r"[a-z]+", name.casefold().replace("’", "")))


def _duplicate_names(terms: list[Term]) -> Iterator[str]:
    owners: dict[str, str] = {}
    for term in terms:
        for place in (term.key, *map(anchor, term.aliases)):
            if place in owners:
                yield f"{place} is in {owners[place]} and in {term.key}"
            owners[place] = term.key


def _broken_links(terms: list[Term]) -> Iterator[str]:
    keys = {term.key for term in terms}
    for term in terms:
        yield from (f"{term.key} leads to {key}" for key in term.see if key not in keys - {term.key})


def read_term(row: Row) -> Term:
    with row:
        fan = _fan(row)
        return Term(
            key=_checked_key(row, row.word("key")),
            name=row.word("term"),
            text=row.names("text"),
            tags=_tags(row),
            chinese=tuple(map(read_chinese, row.rows("chinese"))) or ((chinese_of(fan),) if fan else ()),
            aliases=row.words("aliases"),
            see=row.words("see"),
            fan=fan,
        )


def _checked_key(row: Row, key: str) -> str:
    if not _KEY.fullmatch(key):
        raise BookDataError(f"{row.where}: no key is spelt {key!r}")
    return key


def _tags(row: Row) -> tuple[str, ...]:
    tags = row.words("tags")
    if not tags or not set(tags) <= set(TAGS):
        raise BookDataError(f"{row.where}: tags are {tags!r}")
    return tags


def _fan(row: Row) -> Fan | None:
    if not row.has("fan"):
        return None
    try:
        return find_fan(row.word("fan"))
    except KeyError as unknown:
        raise BookDataError(f"{row.where}: there is no fan {unknown}") from None


def read_chinese(row: Row) -> Chinese:
    with row:
        word = Chinese(row.word("hans"), row.word("hant"), tuple(row.word("pinyin").split()))
    if not len(word.hans) == len(word.hant) == len(word.pinyin):
        raise BookDataError(f"{row.where}: {word.hans} has not one syllable a character")
    return word


def chinese_of(fan: Fan) -> Chinese:
    """Return a fan's own Chinese name, the default for its term."""
    return Chinese(fan.zh_hans, fan.zh_hant, pinyin(fan))


VARIANTS: Final = str.maketrans("胡糊么", "和和幺")
"""Common spellings of 和 (read hú: "won") and of 幺."""


def search_words(text: str) -> list[str]:
    """Return the normalised words of a text: ``"Heaven’s fù-lù"`` is ``["heavens", "fu", "lu"]``."""
    return re.sub(r"[\W_]+", " ", folded(text).replace("'", "").replace("’", "").translate(VARIANTS)).split()


class Searchable(Protocol):
    """What can be searched for: a term or a fan's entry."""

    @property
    def names(self) -> tuple[str, ...]:
        """All names in Latin letters."""

    @property
    def chinese(self) -> tuple[Chinese, ...]: ...

    @property
    def search(self) -> tuple[str, ...]:
        """What else is typed for it."""

    def __hash__(self) -> int: ...


def _in_both_spellings(word: str) -> tuple[str, str]:
    """Return a search word in American and British spelling, mostly the same."""
    american = word.replace("honour", "honor")
    return american, american.replace("honor", "honour")


@lru_cache(maxsize=1024)
def haystack(term: Searchable) -> str:
    """Return the searchable text of a term."""
    words = [
        form
        for name in (*term.names, *term.search)
        for word in search_words(name)
        for form in _in_both_spellings(word)
    ]
    for chinese in term.chinese:
        typed = (chinese.hans, chinese.hant, *spellings(chinese.pinyin))
        words += [word for form in typed for word in search_words(form)]
    return joined_words(words)


def joined_words(words: Iterable[str]) -> str:
    """Return words as a text to search, without those that are part of another: it finds parts of words too."""
    distinct = list(dict.fromkeys(words))
    return " ".join(word for word in distinct if not any(word in other != word for other in distinct))


def matches(term: Searchable, words: str) -> bool:
    """Return whether every word of the query is part of a name. An empty query matches all."""
    return all(word in haystack(term) for word in search_words(words))


def cite_text(citation: Citation) -> str:
    """Return a citation in words: MCR, “Breaking the Wall” (000:270–271). Without lines it is the name alone."""
    if citation.book is None:
        return clause_text(citation.clause)
    if citation.part is None:
        return translated(citation.book.name)
    return _part_text(citation.book, citation.part, [citation.lines])


def _part_text(book: Book, part: Part, lines: Iterable[str]) -> str:
    return _("{book}, “{part}” ({lines})").format(
        book=translated(book.name), part=translated(part.name), lines=f"{book.key}:{joined(lines)}"
    )


def cites_text(citations: Iterable[Citation]) -> str:
    """Return all citations in a row, lines of the same part together."""
    return joined_clauses(_citation_texts(citations))


def _citation_texts(citations: Iterable[Citation]) -> Iterator[str]:
    for (book, part), several in groupby(citations, lambda citation: (citation.book, citation.part)):
        if book and part:
            yield _part_text(book, part, [citation.lines for citation in several])
        else:
            yield from map(cite_text, several)


def fan_link(fan: Fan | None) -> str:
    """Return the URL of a fan's page; empty without a fan, or where these pages are not installed."""
    if fan is None:
        return ""
    try:
        return reverse("book-fan", args=[fan.key])
    except NoReverseMatch:
        return ""
