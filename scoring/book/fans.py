"""The fans as the book has them: what each is, hands that count it, and what it bars, by rulebook.

A reader may ask for some of them, and how often they were made here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from typing import Final

from django.http import QueryDict

from scoring.book.data import FOLDER, Row, rows
from scoring.book.terms import Chinese, Term, chinese_of, fits, glossary, read_chinese
from scoring.engine.exclusions import HIGHEST, NON_REPEAT, Exclusion
from scoring.engine.fans import FANS, Fan, FanType, find_fan, type_of
from scoring.engine.hand import Hand
from scoring.engine.names import Names
from scoring.engine.notation import parse
from scoring.engine.rulebooks import RULEBOOKS, Rulebook, definition_clause

_ROWS: Final = FOLDER / "fans"
_TIED: Final = {fan for fan in FANS if type_of(fan) is FanType.CHOWS} - {
    Fan.ALL_CHOWS,
    Fan.KNITTED_STRAIGHT,
} | {
    Fan.DOUBLE_PUNG,
    Fan.MIXED_SHIFTED_PUNGS,
    Fan.TRIPLE_PUNG,
    Fan.PURE_SHIFTED_PUNGS,
    Fan.FOUR_PURE_SHIFTED_PUNGS,
}
"""Fans that tie two to four sets together, among which one chooses (MCR principles 2 to 5)."""


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
    """What it is, in a sentence or two."""
    term: Term | None
    """The glossary's word for it, whose text this is unless the fan has one of its own."""
    examples: tuple[Example, ...]
    aliases: tuple[str, ...] = ()
    """Other names in Latin letters, beside those that the glossary knows."""
    other_chinese: tuple[Chinese, ...] = ()

    @property
    def key(self) -> str:
        return self.fan.key

    @property
    def type(self) -> FanType | None:
        return type_of(self.fan)

    @property
    def names(self) -> tuple[str, ...]:
        """All that it is called in Latin letters."""
        return (self.fan.en, *self.aliases, *(self.term.aliases if self.term else ()))

    @property
    def other_names(self) -> tuple[str, ...]:
        """The same without the usual one."""
        return self.names[1:]

    @property
    def chinese(self) -> tuple[Chinese, ...]:
        return (chinese_of(self.fan), *self.other_chinese)


@dataclass(frozen=True, slots=True)
class Worth:
    """What a rulebook gives for a fan and where its text defines it; no points where it does not have it."""

    rulebook: Rulebook
    points: int | None
    clause: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One fan is not counted beside another, by one clause."""

    other: Fan
    clause: str
    at_most: int
    """How many of the barred fan go: 0 means all of them."""
    rulebooks: tuple[Rulebook, ...]
    """Whose clause it is, in their order."""

    @property
    def implied(self) -> bool:
        """Whether it follows from the non-repeat principle."""
        return self.clause == NON_REPEAT

    @property
    def everywhere(self) -> bool:
        return self.rulebooks == RULEBOOKS


@cache
def entries() -> Mapping[Fan, FanEntry]:
    """Every fan, in the order of the rule book: a later one is never lower, but for Botzone's, which is last."""
    known = {term.fan: term for term in glossary().terms if term.fan and term.name == term.fan.en}
    found = {
        entry.fan: entry
        for path in sorted(_ROWS.glob("*.toml"))
        for entry in (_entry(row, known) for row in rows(path, "fans"))
    }
    return {fan: found[fan] for fan in FANS}


def worths(fan: Fan) -> tuple[Worth, ...]:
    """What it is worth in each rulebook."""
    return tuple(Worth(book, book.points.get(fan), definition_clause(fan, book.key)) for book in RULEBOOKS)


def bars(fan: Fan) -> tuple[Bar, ...]:
    """What it bars."""
    return _together((bar.bars, bar, book) for book, bar in _exclusions() if bar.fan is fan)


def barred_by(fan: Fan) -> tuple[Bar, ...]:
    """What bars it."""
    return _together((bar.fan, bar, book) for book, bar in _exclusions() if bar.bars is fan)


def _exclusions() -> Iterator[tuple[Rulebook, Exclusion]]:
    return ((book, bar) for book in RULEBOOKS for bar in book.exclusions)


def _together(found: Iterator[tuple[Fan, Exclusion, Rulebook]]) -> tuple[Bar, ...]:
    """A line a fan and clause, the highest-scoring fans first, the clause of most rulebooks before others."""
    ordered = sorted(
        found, key=lambda row: (-row[0].points, row[0].number, RULEBOOKS.index(row[2]), row[1].clause)
    )
    several: dict[tuple[Fan, str, int], list[Rulebook]] = {}
    for other, bar, book in ordered:
        several.setdefault((other, bar.clause, bar.at_most), []).append(book)
    return tuple(Bar(*which, tuple(books)) for which, books in several.items())


def principles(fan: Fan) -> tuple[int, ...]:
    """The numbers of MCR's principles that decide beside what the fan is counted."""
    clauses = {bar.clause for bar in (*bars(fan), *barred_by(fan))}
    numbers = {number for number, clause in ((1, NON_REPEAT), (4, HIGHEST)) if clause in clauses}
    return tuple(sorted(numbers | {2, 3, 4, 5} if fan in _TIED else numbers))


def by_points(some: list[FanEntry]) -> list[tuple[int, list[FanEntry]]]:
    """The fans under their points, the lowest first."""
    ordered = sorted(some, key=lambda entry: (entry.fan.points, entry.fan.number))
    return [(points, list(fans)) for points, fans in groupby(ordered, lambda entry: entry.fan.points)]


def _entry(row: Row, known: Mapping[Fan, Term]) -> FanEntry:
    with row:
        fan = find_fan(row.word("key"))
        term = known.get(fan)
        text = term.text if term and not row.has("text") else row.names("text")
        return FanEntry(
            fan,
            text,
            term,
            tuple(map(_example, row.rows("examples"))),
            row.words("aliases"),
            tuple(map(read_chinese, row.rows("chinese"))),
        )


def _example(row: Row) -> Example:
    with row:
        return Example(row.word("hand"), row.word("source", ""), row.word("ruling", ""))


POINTS: Final = sorted({fan.points for fan in FANS})
CONCEALED, ANY_HAND = "concealed", "any"
LONGEST_SEARCH: Final = 60
"""Characters of a search that are read."""


@dataclass(frozen=True, slots=True)
class FanFilter:
    """Which fans a reader asks for: a plain form's query, read forgivingly; what is empty asks for all."""

    words: str = ""
    points: int | None = None
    type: FanType | None = None
    hand: str = ""
    """CONCEALED: fans that only a concealed hand makes; ANY_HAND: all others."""

    @classmethod
    def from_query(cls, query: QueryDict) -> FanFilter:
        """From ?q=hun yi se&points=6&type=suits&hand=any; what is no choice is none."""
        points = {str(choice): choice for choice in POINTS}.get(query.get("points", ""))
        kind = {choice.value: choice for choice in FanType}.get(query.get("type", ""))
        hand = query.get("hand", "")
        words = " ".join(query.get("q", "")[:LONGEST_SEARCH].split())
        return cls(words, points, kind, hand if hand in (CONCEALED, ANY_HAND) else "")

    @property
    def narrows(self) -> bool:
        return self != FanFilter()

    def fans(self) -> list[FanEntry]:
        """The fans that fit, in the order of the rule book."""
        return [entry for entry in entries().values() if self._fits(entry)]

    def _fits(self, entry: FanEntry) -> bool:
        return (
            self.points in (None, entry.fan.points)
            and self.type in (None, entry.type)
            and self.hand in ("", CONCEALED if entry.fan.concealed else ANY_HAND)
            and fits(entry, self.words)
        )


@dataclass(frozen=True, slots=True)
class Made:
    """A fan: in how many hands won, and at how many tournaments."""

    hands: int
    tournaments: int


@dataclass(frozen=True)
class MadeHere:
    """Of all hands that anybody may read of."""

    wins: int = 0
    """Hands won whose fans are known."""
    tournaments: int = 0
    """Those with such hands."""
    fans: Mapping[str, Made] = field(default_factory=dict)
    """Key → how often; none for a fan that nobody made."""

    @property
    def by_frequency(self) -> list[tuple[str, int]]:
        """(key, hands), the most frequent first."""
        return sorted(
            ((key, one.hands) for key, one in self.fans.items()), key=lambda made: (-made[1], made[0])
        )

    def never(self, fans: Iterable[Fan]) -> list[Fan]:
        """Those of the fans that nobody made."""
        return [fan for fan in fans if fan.key not in self.fans]


_answers: list[Callable[[], MadeHere]] = []


def register_made_here(count: Callable[[], MadeHere]) -> None:
    """Let `count` say so from now on: whoever keeps hands registers when the program starts."""
    _answers[:] = [count]


def made_here() -> MadeHere:
    """How often each fan was made here, as far as anybody counts."""
    return _answers[0]() if _answers else MadeHere()
