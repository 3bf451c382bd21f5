"""The disputed rules: what each text says, what Hule does, and why.

Of the fans' rules the readings are those of the rulebooks (`Rulebook.clauses`); here is the question, the reason, and
what those clauses are called in Chinese.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from scoring.book.data import FOLDER, Cite, Passage, Row, cites, read, read_passage, rows
from scoring.engine.names import Names

_FOLDER: Final = FOLDER / "decisions"
_GROUPS: Final = ("counting", "deal", "payments", "appeals", "fouls", "classical")


@dataclass(frozen=True, slots=True)
class Saying:
    """What one text says, or several alike."""

    text: Names
    sources: tuple[Cite, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """Its passage is what Hule does, and why; `says` what the texts say where they part."""

    passage: Passage
    says: tuple[Saying, ...]


@dataclass(frozen=True, slots=True)
class Group:
    key: str
    heading: Names
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class BookOfRules:
    """A rulebook as it is called everywhere, and what it has."""

    key: str
    name: Names
    fans: Names
    fouls: Names
    tournaments: Names


@cache
def rules() -> tuple[Passage, ...]:
    """The disputed rules of the fans, by the keys of `Rulebook.clauses`."""
    return tuple(map(_rule, rows(_FOLDER / "rules.toml", "rules")))


@cache
def groups() -> tuple[Group, ...]:
    """All other decisions, by what they are about."""
    return tuple(_group(read(_FOLDER / f"{name}.toml")) for name in _GROUPS)


@cache
def passages() -> Mapping[str, Passage]:
    """Every decision by its key, which is its place on the page, in the order of the page."""
    others = (decision.passage for group in groups() for decision in group.decisions)
    return {passage.key: passage for passage in (*rules(), *others)}


@cache
def clauses() -> Mapping[str, Names]:
    """What a rulebook's clause is called in three languages, by its English."""
    with read(_FOLDER / "clauses.toml") as whole:
        clauses = map(_clause, whole.rows("clauses"))
        return {names.en: names for names in clauses}


@cache
def rulebooks() -> tuple[BookOfRules, ...]:
    """Every rulebook, those of fouls alone among them."""
    return tuple(map(_rulebook, rows(_FOLDER / "rulebooks.toml", "rulebooks")))


def _rule(row: Row) -> Passage:
    with row:
        return read_passage(row)


def _clause(row: Row) -> Names:
    with row:
        return Names(row.word("en"), row.word("hans"), row.word("hant"))


def _group(row: Row) -> Group:
    with row:
        return Group(row.word("key"), row.names("heading"), tuple(map(_decision, row.rows("decisions"))))


def _decision(row: Row) -> Decision:
    with row:
        return Decision(read_passage(row), tuple(map(_saying, row.rows("says"))))


def _saying(row: Row) -> Saying:
    with row:
        return Saying(row.names("text"), cites(row))


def _rulebook(row: Row) -> BookOfRules:
    with row:
        fans, fouls, tournaments = (row.names(name) for name in ("fans", "fouls", "tournaments"))
        return BookOfRules(row.word("key"), row.names("name"), fans, fouls, tournaments)
