"""Everything a tournament plays by, gathered: the scoring rulebook, the foul book, and the tournament's own settings.

A tournament stores these as a snapshot when it is made (RULES §8: every line is a rulebook setting).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from penalties.engine import FOUL_BOOKS, FoulBook, find_foul_book
from penalties.engine.rules import Late
from scoring.engine import RULEBOOKS, Rulebook, find_rulebook
from tournament.base.engine.attendance import USUAL_ATTENDANCE, Attendance
from tournament.base.engine.criteria import DEFAULT_ORDER
from tournament.base.engine.rotation import APPENDIX_2, Chart, find_chart
from tournament.base.engine.table_points import STANDARD_SCALE
from tournament.base.engine.timing import USUAL, Timing

LATE: Final = "late"
"""The foul whose rule says what lateness costs."""


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

    def with_held_out_waits(self, counted: bool | None) -> Rules:
        """The same, but for whether a tile whose four copies one holds oneself is a wait; None changes nothing."""
        if counted is None:
            return self
        return replace(self, scoring=replace(self.scoring, held_out_waits=counted))

    @property
    def lateness(self) -> Late | None:
        """What lateness costs by minutes; None where the foul book has no such rule."""
        foul = self.fouls.find(LATE)
        return foul.rule if foul and isinstance(foul.rule, Late) else None

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


PLAYABLE: Final = tuple(rulebook.key for rulebook in RULEBOOKS if rulebook.key in FOUL_BOOKS)
"""The rulebooks a tournament can choose: those that have fouls as well as fans, the default first.

`botzone` has no fouls, since a server's players cannot be late; `china1998` is a book of fouls alone.
"""


def rules_named(name: str) -> Rules:
    """The rules of a rulebook as they are today; KeyError for one that no tournament can be played by."""
    return Rules(name, find_rulebook(name), find_foul_book(name))


def rules_from_snapshot(snapshot: Mapping[str, Any]) -> Rules:
    """The rules of a stored snapshot, parsed once however often they are asked for."""
    return _parsed(json.dumps(snapshot, sort_keys=True))


@lru_cache(maxsize=64)
def _parsed(text: str) -> Rules:
    return Rules.from_json(json.loads(text))
