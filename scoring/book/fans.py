"""The fans in the book: definition, examples and exclusions by rulebook, filters, and how often they were made here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from typing import Final

from django.http import QueryDict

from scoring.book.data import FOLDER, Row, build_all, read_rows
from scoring.book.terms import Chinese, Term, chinese_of, glossary, matches, read_chinese, search_words
from scoring.engine.exclusions import HIGHEST, NON_REPEAT, Exclusion
from scoring.engine.fans import FANS, Fan, FanType, find_fan, type_of
from scoring.engine.hand import Hand
from scoring.engine.names import Names
from scoring.engine.notation import parse
from scoring.engine.rulebooks import RULEBOOKS, Rulebook, definition_clause

_ROWS: Final = FOLDER / "fans"
_RELATIONS: Final = {fan for fan in FANS if type_of(fan) is FanType.CHOWS} - {
    Fan.ALL_CHOWS,
    Fan.KNITTED_STRAIGHT,
} | {
    Fan.DOUBLE_PUNG,
    Fan.MIXED_SHIFTED_PUNGS,
    Fan.TRIPLE_PUNG,
    Fan.PURE_SHIFTED_PUNGS,
    Fan.FOUR_PURE_SHIFTED_PUNGS,
}
"""Fans that relate two to four sets and compete for them (MCR principles 2 to 5)."""


@dataclass(frozen=True, slots=True)
class Example:
    """A hand that counts the fan."""

    notation: str
    source: str
    """The rule book's own example, as ``"MCR 37, example 9"``; "" for a hand of ours."""
    ruling: str
    """The key of the disputed rule that it shows; "" for none."""

    @property
    def hand(self) -> Hand:
        return parse(self.notation)


@dataclass(frozen=True, slots=True)
class FanEntry:
    """A fan in the book."""

    fan: Fan
    text: Names
    """Its definition, in a sentence or two."""
    term: Term | None
    """The term in the glossary, whose text is used unless the fan has one of its own."""
    examples: tuple[Example, ...]
    aliases: tuple[str, ...] = ()
    """Names in Latin letters that the glossary does not have."""
    other_chinese: tuple[Chinese, ...] = ()
    search: tuple[str, ...] = ()
    """What players also type for it, which is no name of it."""

    @property
    def key(self) -> str:
        return self.fan.key

    @property
    def type(self) -> FanType | None:
        return type_of(self.fan)

    @property
    def names(self) -> tuple[str, ...]:
        """All names in Latin letters."""
        return (self.fan.en, *self.aliases, *(self.term.aliases if self.term else ()))

    @property
    def other_names(self) -> tuple[str, ...]:
        """All names but the usual one."""
        return self.names[1:]

    @property
    def chinese(self) -> tuple[Chinese, ...]:
        return (chinese_of(self.fan), *self.other_chinese)


@dataclass(frozen=True, slots=True)
class FanPoints:
    """The points of a fan in a rulebook and the clause that defines it; None where the rulebook does not have it."""

    rulebook: Rulebook
    points: int | None
    clause: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A clause by which one fan is not counted beside another."""

    other: Fan
    clause: str
    at_most: int
    """How many of the excluded fan are removed; 0 means all."""
    rulebooks: tuple[Rulebook, ...]
    """The rulebooks with this clause, in their order."""

    @property
    def implied(self) -> bool:
        """Whether it follows from the non-repeat principle."""
        return self.clause == NON_REPEAT

    @property
    def everywhere(self) -> bool:
        return self.rulebooks == RULEBOOKS


@cache
def entries() -> Mapping[Fan, FanEntry]:
    """Return every fan in the order of the rule book, which is by points; Botzone's own fan comes last."""
    terms = {term.fan: term for term in glossary().terms if term.fan and term.name == term.fan.en}
    by_fan = {
        entry.fan: entry
        for path in sorted(_ROWS.glob("*.toml"))
        for entry in build_all(read_rows(path, "fans"), lambda row: _entry(row, terms))
    }
    return {fan: by_fan[fan] for fan in FANS}


def points_by_rulebook(fan: Fan) -> tuple[FanPoints, ...]:
    return tuple(
        FanPoints(book, book.points.get(fan), definition_clause(fan, book.key)) for book in RULEBOOKS
    )


def bars(fan: Fan) -> tuple[Bar, ...]:
    """Return the exclusions by this fan."""
    return _group_bars((bar.bars, bar, book) for book, bar in _exclusions() if bar.fan is fan)


def barred_by(fan: Fan) -> tuple[Bar, ...]:
    """Return the exclusions of this fan."""
    return _group_bars((bar.fan, bar, book) for book, bar in _exclusions() if bar.bars is fan)


def _exclusions() -> Iterator[tuple[Rulebook, Exclusion]]:
    return ((book, bar) for book in RULEBOOKS for bar in book.exclusions)


def _group_bars(bars_found: Iterator[tuple[Fan, Exclusion, Rulebook]]) -> tuple[Bar, ...]:
    """Return one line for each fan and clause, highest-scoring fans first, the clause of most rulebooks first."""
    ordered = sorted(
        bars_found, key=lambda row: (-row[0].points, row[0].number, RULEBOOKS.index(row[2]), row[1].clause)
    )
    several: dict[tuple[Fan, str, int], list[Rulebook]] = {}
    for other, bar, book in ordered:
        several.setdefault((other, bar.clause, bar.at_most), []).append(book)
    return tuple(Bar(*which, tuple(books)) for which, books in several.items())


def principles(fan: Fan) -> tuple[int, ...]:
    """Return the numbers of MCR's principles that limit which fans this one combines with."""
    clauses = {bar.clause for bar in (*bars(fan), *barred_by(fan))}
    numbers = {number for number, clause in ((1, NON_REPEAT), (4, HIGHEST)) if clause in clauses}
    return tuple(sorted(numbers | {2, 3, 4, 5} if fan in _RELATIONS else numbers))


def by_points(entries_: list[FanEntry]) -> list[tuple[int, list[FanEntry]]]:
    """Return the fans grouped by points, lowest first."""
    ordered = sorted(entries_, key=lambda entry: (entry.fan.points, entry.fan.number))
    return [(points, list(fans)) for points, fans in groupby(ordered, lambda entry: entry.fan.points)]


def _entry(row: Row, terms: Mapping[Fan, Term]) -> FanEntry:
    fan = find_fan(row.word("key"))
    term = terms.get(fan)
    text = term.text if term and not row.has("text") else row.names("text")
    examples = build_all(row.rows("examples"), _example)
    chinese = tuple(map(read_chinese, row.rows("chinese")))
    entry = FanEntry(fan, text, term, examples, row.words("aliases"), chinese, row.words("search"))
    return replace(entry, search=(*entry.search, *_initials(entry.names)))


_SMALL_WORDS: Final = ("and", "of", "or", "the", "with")


def _initials(names: Iterable[str]) -> Iterator[str]:
    """Yield the initials of names of several words, with and without those of small words: "potoh", "pth"."""
    for name in names:
        words = search_words(name)
        for chosen in (words, [word for word in words if word not in _SMALL_WORDS]):
            if len(chosen) > 1:
                yield "".join(word[0] for word in chosen)


def _example(row: Row) -> Example:
    return Example(row.word("hand"), row.word("source", ""), row.word("ruling", ""))


POINTS: Final = sorted({fan.points for fan in FANS})
CONCEALED, ANY_HAND = "concealed", "any"
MAX_SEARCH_LENGTH: Final = 60
"""Maximum length of a search query."""


@dataclass(frozen=True, slots=True)
class FanFilter:
    """A filter of the fan list from a query string. Empty or invalid values do not filter."""

    words: str = ""
    points: int | None = None
    type: FanType | None = None
    hand: str = ""
    """CONCEALED: fans that only a concealed hand makes; ANY_HAND: all others."""

    @classmethod
    def from_query(cls, query: QueryDict) -> FanFilter:
        """Return the filter of ?q=hun yi se&points=6&type=suits&hand=any; invalid values are ignored."""
        points = {str(choice): choice for choice in POINTS}.get(query.get("points", ""))
        kind = {choice.value: choice for choice in FanType}.get(query.get("type", ""))
        hand = query.get("hand", "")
        words = " ".join(query.get("q", "")[:MAX_SEARCH_LENGTH].split())
        return cls(words, points, kind, hand if hand in (CONCEALED, ANY_HAND) else "")

    @property
    def narrows(self) -> bool:
        return self != FanFilter()

    def fans(self) -> list[FanEntry]:
        """Return the matching fans in the order of the rule book."""
        return [entry for entry in entries().values() if self._fits(entry)]

    def _fits(self, entry: FanEntry) -> bool:
        return (
            self.points in (None, entry.fan.points)
            and self.type in (None, entry.type)
            and self.hand in ("", CONCEALED if entry.fan.concealed else ANY_HAND)
            and matches(entry, self.words)
        )


@dataclass(frozen=True, slots=True)
class FanFrequency:
    """In how many won hands a fan occurred, and at how many tournaments."""

    hands: int
    tournaments: int


@dataclass(frozen=True)
class FanStatistics:
    """How often each fan was made in public hands."""

    wins: int = 0
    """Won hands whose fans are known."""
    tournaments: int = 0
    """Tournaments with such hands."""
    fans: Mapping[str, FanFrequency] = field(default_factory=dict)
    """By fan key. A fan that nobody made is missing."""

    @property
    def by_frequency(self) -> list[tuple[str, int]]:
        """(key, hands), the most frequent first."""
        return sorted(
            ((key, frequency.hands) for key, frequency in self.fans.items()),
            key=lambda item: (-item[1], item[0]),
        )

    def never(self, fans: Iterable[Fan]) -> list[Fan]:
        """Return the fans that nobody made."""
        return [fan for fan in fans if fan.key not in self.fans]


_providers: list[Callable[[], FanStatistics]] = []


def register_fan_statistics(count: Callable[[], FanStatistics]) -> None:
    """Register the function that counts fans; the package that stores hands calls this at startup."""
    _providers[:] = [count]


def fan_statistics() -> FanStatistics:
    """Return how often each fan was made here; empty when no function is registered."""
    return _providers[0]() if _providers else FanStatistics()
