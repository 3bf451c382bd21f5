"""The foul book: which fouls there are, under which rules, and where that is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from penalties.engine.facts import Need, RepeatScope
from penalties.engine.rules import Rule, rule_from_json
from penalties.engine.sources import source_from_json
from scoring.engine.names import Names

LONGEST_NAME: Final = 80
LONGEST_DESCRIPTION: Final = 300
"""Characters of what a house foul is called, and of the sentence about it."""


class Origin(StrEnum):
    """Who put a foul into the book as it stands there."""

    BOOK = "book"
    CHANGED = "changed"
    """In the rulebook, with a rule of this tournament's own."""
    HOUSE = "house"
    """In no rulebook."""


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
        """What the umpire must say besides who did it."""
        return self.rule.needs

    @property
    def repeats(self) -> RepeatScope | None:
        """Within what repeats are counted; None when every time costs the same."""
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
    """The fouls of one rulebook, in the order in which they are shown."""

    key: str
    fouls: tuple[Foul, ...]

    def __post_init__(self) -> None:
        keys = [foul.key for foul in self.fouls]
        if len(set(keys)) != len(keys):
            raise ValueError(f"a foul comes twice in {self.key}")

    def find(self, key: str) -> Foul | None:
        """Return the foul with this key, or None."""
        return next((foul for foul in self.fouls if foul.key == key), None)

    def having(self, *fouls: Foul) -> FoulBook:
        """Return the book with these fouls: a known key replaces its foul, others follow at the end."""
        changed = {foul.key: foul for foul in fouls}
        entries = [changed.pop(foul.key, foul) for foul in self.fouls]
        return replace(self, fouls=(*entries, *changed.values()))

    def changes(self) -> tuple[Foul, ...]:
        """Return the fouls that differ from the rulebook: changed ones and house fouls."""
        return tuple(foul for foul in self.fouls if foul.origin is not Origin.BOOK)

    def without(self, *keys: str) -> FoulBook:
        """Return the book without these fouls."""
        return replace(self, fouls=tuple(foul for foul in self.fouls if foul.key not in keys))

    def to_json(self) -> dict[str, Any]:
        """Return a snapshot, from which `from_json` builds an equal book."""
        return {"key": self.key, "fouls": [foul.to_json() for foul in self.fouls]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> FoulBook:
        """Build the book from `to_json`'s snapshot; raise KeyError or ValueError for anything else."""
        return cls(data["key"], tuple(Foul.from_json(foul) for foul in data["fouls"]))
