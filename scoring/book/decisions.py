"""The disputed rules: what each text states, what Hule does, and why.

For the fans' rules the readings are in the rulebooks (`Rulebook.clauses`); here are the questions, the reasons, and
the Chinese texts of those clauses.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from scoring.book.data import (
    FOLDER,
    Citation,
    Passage,
    Row,
    build_all,
    read_citations,
    read_file,
    read_passage,
    read_rows,
)
from scoring.engine.names import Names

_FOLDER: Final = FOLDER / "decisions"
_GROUPS: Final = ("counting", "deal", "payments", "appeals", "fouls", "classical")


@dataclass(frozen=True, slots=True)
class Statement:
    """What one text states, or several alike."""

    text: Names
    sources: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """A disputed rule: the passage is what Hule does and why, `statements` are those of the texts."""

    passage: Passage
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Group:
    key: str
    heading: Names
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class RulebookEntry:
    """A rulebook's row in the table of rulebooks."""

    key: str
    name: Names
    fans: Names
    fouls: Names
    tournaments: Names


@cache
def rules() -> tuple[Passage, ...]:
    """Return the disputed rules of the fans; their keys are those of `Rulebook.clauses`."""
    return build_all(read_rows(_FOLDER / "rules.toml", "rules"), read_passage)


@cache
def groups() -> tuple[Group, ...]:
    """Return all other decisions, grouped by subject."""
    return build_all((read_file(_FOLDER / f"{name}.toml") for name in _GROUPS), _group)


@cache
def passages() -> Mapping[str, Passage]:
    """Return every decision by its key, which is its anchor, in the order of the page."""
    grouped = (decision.passage for group in groups() for decision in group.decisions)
    return {passage.key: passage for passage in (*rules(), *grouped)}


@cache
def clauses() -> Mapping[str, Names]:
    """Return the clauses of rulebooks in three languages, by their English text."""
    with read_file(_FOLDER / "clauses.toml") as root:
        clauses = build_all(
            root.rows("clauses"), lambda row: Names(row.word("en"), row.word("hans"), row.word("hant"))
        )
    return {names.en: names for names in clauses}


@cache
def rulebooks() -> tuple[RulebookEntry, ...]:
    """Return every rulebook, including those with fouls alone."""
    return build_all(read_rows(_FOLDER / "rulebooks.toml", "rulebooks"), _rulebook)


def _group(row: Row) -> Group:
    return Group(row.word("key"), row.names("heading"), build_all(row.rows("decisions"), _decision))


def _decision(row: Row) -> Decision:
    statements = build_all(
        row.rows("says"), lambda statement: Statement(statement.names("text"), read_citations(statement))
    )
    return Decision(read_passage(row), statements)


def _rulebook(row: Row) -> RulebookEntry:
    fans, fouls, tournaments = (row.names(name) for name in ("fans", "fouls", "tournaments"))
    return RulebookEntry(row.word("key"), row.names("name"), fans, fouls, tournaments)
