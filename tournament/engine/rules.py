"""Everything a tournament plays by, gathered: the scoring rulebook, the foul book, and the tournament's own settings.

A tournament stores these as a snapshot when it is made (RULES §8: every line is a rulebook setting).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from penalties.engine import FoulBook, find_foul_book
from scoring.engine import Rulebook, find_rulebook
from tournament.engine.attendance import USUAL_ATTENDANCE, Attendance
from tournament.engine.criteria import DEFAULT_ORDER
from tournament.engine.rotation import APPENDIX_2, Chart, find_chart
from tournament.engine.table_points import STANDARD_SCALE
from tournament.engine.timing import USUAL, Timing


@dataclass(frozen=True)
class Rules:
    """A tournament's rules. `scale`: table points of the four places; `criteria`: what ranks, in order."""

    name: str
    scoring: Rulebook
    fouls: FoulBook
    chart: Chart = APPENDIX_2
    scale: tuple[Fraction, ...] = tuple(Fraction(points) for points in STANDARD_SCALE)
    criteria: tuple[str, ...] = DEFAULT_ORDER
    timing: Timing = USUAL
    attendance: Attendance = USUAL_ATTENDANCE

    def to_json(self) -> dict[str, Any]:
        """A snapshot that `from_json` reads back, whatever the code says by then."""
        return {
            "name": self.name,
            "scoring": self.scoring.to_json(),
            "fouls": self.fouls.to_json(),
            "chart": self.chart.key,
            "scale": [str(points) for points in self.scale],
            "criteria": list(self.criteria),
            "timing": self.timing.to_json(),
            "attendance": self.attendance.to_json(),
        }

    @classmethod
    def from_json(cls, snapshot: Mapping[str, Any]) -> Rules:
        return cls(
            name=snapshot["name"],
            scoring=Rulebook.from_json(snapshot["scoring"]),
            fouls=FoulBook.from_json(snapshot["fouls"]),
            chart=find_chart(snapshot["chart"]),
            scale=tuple(Fraction(points) for points in snapshot["scale"]),
            criteria=tuple(snapshot["criteria"]),
            # snapshots made before there was a timing played by the usual one
            timing=Timing.from_json(snapshot["timing"]) if "timing" in snapshot else USUAL,
            attendance=Attendance.from_json(snapshot["attendance"])
            if "attendance" in snapshot
            else USUAL_ATTENDANCE,
        )


_FOUL_BOOK_OF = {"botzone": "mcr"}
"""Rulebooks that know no fouls of their own: a server's players cannot be late."""


def rules_named(name: str) -> Rules:
    """The rules of a rulebook as they are today; LookupError when there is none of that name."""
    return Rules(name, find_rulebook(name), find_foul_book(_FOUL_BOOK_OF.get(name, name)))


def rules_from_snapshot(snapshot: Mapping[str, Any]) -> Rules:
    """The rules of a stored snapshot, parsed once however often they are asked for."""
    return _parsed(json.dumps(snapshot, sort_keys=True))


@lru_cache(maxsize=64)
def _parsed(text: str) -> Rules:
    return Rules.from_json(json.loads(text))
