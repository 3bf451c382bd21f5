"""A foul, and a book of fouls: values with a JSON form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from penalties.engine.facts import Need, RepeatScope
from penalties.engine.rules import Rule, rule_from_json
from penalties.engine.sources import source_from_json
from scoring.engine.names import Names

MAX_NAME_LENGTH: Final = 80
MAX_DESCRIPTION_LENGTH: Final = 300
"""Limits in characters for the name and the description of a house foul."""


class Origin(StrEnum):
    """Where a foul of a tournament's book comes from."""

    BOOK = "book"
    """The rulebook."""
    CHANGED = "changed"
    """The rulebook, with a rule changed by the organiser."""
    HOUSE = "house"
    """Added by the organiser."""


@dataclass(frozen=True, slots=True)
class Foul:
    """One foul: its name, one sentence about it, the rule that sanctions it and the source of that rule."""

    key: str
    names: Names
    description: Names
    source: Names
    rule: Rule
    origin: Origin = Origin.BOOK

    @property
    def needs(self) -> frozenset[Need]:
        """The facts that the umpire has to state besides the offender."""
        return self.rule.needs

    @property
    def repeats(self) -> RepeatScope | None:
        """The scope within which repeats are counted; None if the sanction is always the same."""
        return self.rule.repeats

    def to_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "names": self.names.to_json(),
            "description": self.description.to_json(),
            "source": self.source.to_json(),
            "rule": self.rule.to_json(),
            **({} if self.origin is Origin.BOOK else {"origin": self.origin.value}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Foul:
        names, description = Names.from_json(data["names"]), Names.from_json(data["description"])
        origin = Origin(data.get("origin", Origin.BOOK))
        source, rule = source_from_json(data["source"]), rule_from_json(data["rule"])
        return cls(data["key"], names, description, source, rule, origin)


@dataclass(frozen=True, slots=True)
class FoulBook:
    """The fouls of one rulebook in display order."""

    key: str
    fouls: tuple[Foul, ...]

    def __post_init__(self) -> None:
        keys = [foul.key for foul in self.fouls]
        if len(set(keys)) != len(keys):
            raise ValueError(f"duplicate foul in {self.key}")

    def find(self, key: str) -> Foul | None:
        """Return the foul with this key, or None."""
        return next((foul for foul in self.fouls if foul.key == key), None)

    def with_fouls(self, *fouls: Foul) -> FoulBook:
        """Return a copy in which these fouls replace those of the same key; new keys are added at the end."""
        changed = {foul.key: foul for foul in fouls}
        entries = [changed.pop(foul.key, foul) for foul in self.fouls]
        return replace(self, fouls=(*entries, *changed.values()))

    def changes(self) -> tuple[Foul, ...]:
        """Return the changed fouls and the house fouls."""
        return tuple(foul for foul in self.fouls if foul.origin is not Origin.BOOK)

    def without(self, *keys: str) -> FoulBook:
        """Return a copy without the fouls of these keys."""
        return replace(self, fouls=tuple(foul for foul in self.fouls if foul.key not in keys))

    def to_json(self) -> dict[str, Any]:
        """Return a snapshot, from which `from_json` builds an equal book."""
        return {"key": self.key, "fouls": [foul.to_json() for foul in self.fouls]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> FoulBook:
        """Build the book from a snapshot of `to_json`. Raises KeyError or ValueError for other data."""
        return cls(data["key"], tuple(Foul.from_json(foul) for foul in data["fouls"]))
