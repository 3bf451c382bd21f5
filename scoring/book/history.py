"""The story of the game as claims, each with its source, and its variants side by side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from scoring.book.data import Row, rows
from scoring.book.sources import FOLDER, Cite, cites
from scoring.engine.names import Names


@dataclass(frozen=True, slots=True)
class Claim:
    """What one source says; nothing here says that it is so."""

    key: str
    text: Names
    sources: tuple[Cite, ...]


@dataclass(frozen=True, slots=True)
class Question:
    key: str
    heading: Names
    claims: tuple[Claim, ...]
    note: Names | None
    """What can be said of the claims together."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A way of playing: its tiles, its special hands, and who pays."""

    key: str
    name: Names
    tiles: Names
    special: Names
    payers: Names
    sources: tuple[Cite, ...]


@cache
def questions() -> tuple[Question, ...]:
    return tuple(map(_question, rows(FOLDER / "history.toml", "questions")))


@cache
def variants() -> tuple[Variant, ...]:
    """The competition rules, and the nine variants of the source."""
    return tuple(map(_variant, rows(FOLDER / "variants.toml", "variants")))


def _question(row: Row) -> Question:
    with row:
        note = row.names("note") if row.has("note") else None
        return Question(row.word("key"), row.names("heading"), tuple(map(_claim, row.rows("claims"))), note)


def _claim(row: Row) -> Claim:
    with row:
        return Claim(row.word("key"), row.names("text"), cites(row))


def _variant(row: Row) -> Variant:
    with row:
        name, tiles, special, payers = (row.names(field) for field in ("name", "tiles", "special", "payers"))
        return Variant(row.word("key"), name, tiles, special, payers, cites(row))
