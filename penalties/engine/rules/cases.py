"""A foul whose sanction depends on how it happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from penalties.engine.facts import Facts, Need, Reason
from penalties.engine.rules.base import Outcome, capped, missing, victim_needed
from penalties.engine.sanctions import Sanction
from scoring.engine.names import Names
from scoring.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class Case:
    """One way a foul can have happened, and its sanction."""

    key: str
    names: Names
    sanction: Sanction


@dataclass(frozen=True, slots=True)
class Cases:
    """By circumstance. With ``fact`` HU_WAS_VALID the keys are ``valid`` and ``invalid``."""

    kind: ClassVar[str] = "cases"
    cases: tuple[Case, ...]
    fact: Need = Need.CIRCUMSTANCE
    repeats: ClassVar[None] = None

    def __post_init__(self) -> None:
        keys = [case.key for case in self.cases]
        if len(set(keys)) != len(keys) or not keys:
            raise ValueError(f"cases need different keys: {keys}")
        if self.fact is Need.HU_WAS_VALID and set(keys) != {"valid", "invalid"}:
            raise ValueError(f"a hu is valid or invalid: {keys}")
        if self.fact not in (Need.HU_WAS_VALID, Need.CIRCUMSTANCE):
            raise ValueError(f"no cases of {self.fact}")

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset({self.fact}) | victim_needed(*(case.sanction for case in self.cases))

    def problems(self, facts: Facts) -> tuple[Problem, ...]:
        needed = {self.fact}
        key = self._key(facts)
        if key is None:
            return missing(needed, facts)
        case = self._find(key)
        if case is None:
            allowed = ", ".join(case.key for case in self.cases)
            params: dict[str, str | int] = {"circumstance": key, "allowed": allowed}
            return (Problem("circumstance_unknown", self.fact.value, params),)
        return missing(victim_needed(case.sanction), facts)

    def outcome(self, facts: Facts, occurrence: int) -> Outcome:
        case = self._find(self._key(facts))
        if case is None:
            raise ValueError("facts with problems have no outcome")
        return capped(case.sanction, facts), Reason("case", {"case": case.key})

    def to_json(self) -> dict[str, Any]:
        cases = [
            {"key": case.key, "names": case.names.to_json(), "sanction": case.sanction.to_json()}
            for case in self.cases
        ]
        return {"kind": self.kind, "fact": self.fact.value, "cases": cases}

    def _key(self, facts: Facts) -> str | None:
        if self.fact is Need.CIRCUMSTANCE:
            return facts.circumstance
        return None if facts.hu_was_valid is None else "valid" if facts.hu_was_valid else "invalid"

    def _find(self, key: str | None) -> Case | None:
        return next((case for case in self.cases if case.key == key), None)
