"""The glossary: the words of the game, as data in `glossary/`, read once, and found by what somebody types.

That is English, either script, pinyin with or without tones, or initials; static/js/book/narrow.js does the same to
what is typed.
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

from scoring.book.data import Book, BookFault, Cite, Part, Row, rows
from scoring.engine.fans import Fan, find_fan, pinyin, spellings
from scoring.engine.names import Names
from scoring.texts import clause_text, folded, joined, joined_clauses, translated

FOLDER: Final = Path(__file__).parent / "glossary"
TAGS: Final = ("mcr", "classical", "japanese", "software")
"""Where a word is used: in these rules; in the classical game and its kin in China and the West; in the Japanese
game; in computer games. Most of the game's own words belong to several."""
_KEY: Final = re.compile(r"[a-z]+(-[a-z]+)*")


@dataclass(frozen=True, slots=True)
class Chinese:
    """A Chinese word for it."""

    hans: str
    hant: str
    pinyin: tuple[str, ...]
    """A syllable a character, with its tone."""

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
    """The fan of this name, or the one that is scored for it."""

    @property
    def names(self) -> tuple[str, ...]:
        """All that it is called in Latin letters."""
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
    """The whole of it; `BookFault` says what is wrong with the data."""
    terms = [read_term(row) for path in sorted(FOLDER.glob("*.toml")) for row in rows(path, "terms")]
    return checked(sorted(terms, key=lambda term: term.name.casefold()))


def checked(terms: list[Term]) -> Glossary:
    """The terms, once nothing is named twice and every link leads somewhere."""
    if faults := [*_named_twice(terms), *_lost_links(terms)]:
        raise BookFault("; ".join(faults))
    return Glossary(tuple(terms))


def anchor(name: str) -> str:
    """Where a name is on the page: ``"Earth’s Blessing"`` at ``"earths-blessing"``."""
    return "-".join(re.findall(r"[a-z]+", name.casefold().replace("’", "")))


def _named_twice(terms: list[Term]) -> Iterator[str]:
    known: dict[str, str] = {}
    for term in terms:
        for place in (term.key, *map(anchor, term.aliases)):
            if place in known:
                yield f"{place} is in {known[place]} and in {term.key}"
            known[place] = term.key


def _lost_links(terms: list[Term]) -> Iterator[str]:
    keys = {term.key for term in terms}
    for term in terms:
        yield from (f"{term.key} leads to {key}" for key in term.see if key not in keys - {term.key})


def read_term(row: Row) -> Term:
    with row:
        fan = _fan(row)
        return Term(
            key=_matched(row, row.word("key")),
            name=row.word("term"),
            text=row.names("text"),
            tags=_tags(row),
            chinese=tuple(map(read_chinese, row.rows("chinese"))) or ((chinese_of(fan),) if fan else ()),
            aliases=row.words("aliases"),
            see=row.words("see"),
            fan=fan,
        )


def _matched(row: Row, key: str) -> str:
    if not _KEY.fullmatch(key):
        raise BookFault(f"{row.where}: no key is spelt {key!r}")
    return key


def _tags(row: Row) -> tuple[str, ...]:
    tags = row.words("tags")
    if not tags or not set(tags) <= set(TAGS):
        raise BookFault(f"{row.where}: tags are {tags!r}")
    return tags


def _fan(row: Row) -> Fan | None:
    if not row.has("fan"):
        return None
    try:
        return find_fan(row.word("fan"))
    except KeyError as unknown:
        raise BookFault(f"{row.where}: there is no fan {unknown}") from None


def read_chinese(row: Row) -> Chinese:
    with row:
        word = Chinese(row.word("hans"), row.word("hant"), tuple(row.word("pinyin").split()))
    if not len(word.hans) == len(word.hant) == len(word.pinyin):
        raise BookFault(f"{row.where}: {word.hans} has not one syllable a character")
    return word


def chinese_of(fan: Fan) -> Chinese:
    """A fan's own name: a term's too, where it says nothing else."""
    return Chinese(fan.zh_hans, fan.zh_hant, pinyin(fan))


HOW_HU_IS_WRITTEN = str.maketrans("胡糊", "和和")
"""How many write 和, read hú: "won"."""


def sought(text: str) -> list[str]:
    """The words to look for, as `haystack` has them: ``"Heaven’s fù-lù"`` is ``["heavens", "fu", "lu"]``."""
    return re.sub(
        r"[\W_]+", " ", folded(text).replace("'", "").replace("’", "").translate(HOW_HU_IS_WRITTEN)
    ).split()


class Named(Protocol):
    """What is looked for: a term, a fan's entry."""

    @property
    def names(self) -> tuple[str, ...]:
        """All that it is called in Latin letters."""

    @property
    def chinese(self) -> tuple[Chinese, ...]: ...

    def __hash__(self) -> int: ...


def _in_both_spellings(word: str) -> tuple[str, str]:
    """A word of `sought` as it is spelt in America and in Britain; most are the same in both."""
    american = word.replace("honour", "honor")
    return american, american.replace("honor", "honour")


@lru_cache(maxsize=1024)
def haystack(term: Named) -> str:
    """All that it is found by, each word once."""
    words = [form for name in term.names for word in sought(name) for form in _in_both_spellings(word)]
    for chinese in term.chinese:
        typed = (chinese.hans, chinese.hant, *spellings(chinese.pinyin))
        words += [word for form in typed for word in sought(form)]
    return " ".join(dict.fromkeys(words))


def fits(term: Named, words: str) -> bool:
    """Whether every word of what is wanted is part of a name; nothing wanted fits all."""
    return all(word in haystack(term) for word in sought(words))


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
