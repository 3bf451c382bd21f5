"""Rulebooks as data: what a fan is worth, what bars what, and the readings of disputed rules, a clause a
line.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from scoring.engine import clauses
from scoring.engine.clauses import BARS_OF_BOTZONE, BARS_OF_GUIDE, cited
from scoring.engine.exclusions import EXCLUSIONS, Exclusion
from scoring.engine.fans import FANS, Fan, find_fan

REVERSIBLE: Final = ("1p", "2p", "3p", "4p", "5p", "8p", "9p", "2s", "4s", "5s", "6s", "8s", "9s", "P")
"""Tiles that look the same upside down (MCR 36, Botzone "Reversible Tiles")."""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The scoring rules of one authority, complete: a snapshot of it scores the same for ever."""

    key: str
    name: str
    """What it is called everywhere, in English; `scoring.texts.rulebook_name` knows the other languages."""
    points: dict[Fan, int]
    """Points of each fan; a fan that is left out does not exist in this rulebook."""
    exclusions: tuple[Exclusion, ...]
    reversible: tuple[str, ...] = REVERSIBLE
    held_out_waits: bool = True
    """Whether a tile all of whose copies are in one's own hand still counts as another wait."""
    honour_hogs: bool = True
    """Whether four equal honours are a Tile Hog; snapshots made before it was asked counted them."""
    minimum: int = 8
    """Points a hand must reach to be declared (MCR rule 2)."""
    extra: int = 8
    """Points every loser pays on top (MCR, extra points)."""
    flowers_reach_minimum: bool = False
    """Whether flowers count towards the minimum (MCR 39: they don't)."""
    clauses: dict[str, str] = field(default_factory=dict)
    """Disputed rule to the clause that this rulebook follows."""

    def __hash__(self) -> int:
        return hash(self.key)

    def against_minimum(self, points: int, without_flowers: int) -> int:
        """Which of the two is held against the minimum."""
        return points if self.flowers_reach_minimum else without_flowers

    def to_json(self) -> dict[str, object]:
        """A snapshot that `from_json` reads back, in a later version too."""
        return {
            "key": self.key,
            "name": self.name,
            "points": {fan.key: points for fan, points in self.points.items()},
            "exclusions": [[e.fan.key, e.bars.key, e.clause, e.at_most] for e in self.exclusions],
            "reversible": list(self.reversible),
            "held_out_waits": self.held_out_waits,
            "honour_hogs": self.honour_hogs,
            "minimum": self.minimum,
            "extra": self.extra,
            "flowers_reach_minimum": self.flowers_reach_minimum,
            "clauses": dict(self.clauses),
        }

    @classmethod
    def from_json(cls, snapshot: Mapping[str, object]) -> "Rulebook":
        """The rulebook of a snapshot; ``KeyError`` or ``TypeError`` when it is none."""
        facts: dict[str, object] = dict(snapshot)
        facts["points"] = {find_fan(key): points for key, points in facts["points"].items()}  # type: ignore[attr-defined]
        facts["exclusions"] = tuple(
            Exclusion(find_fan(fan), find_fan(bars), clause, at_most)
            for fan, bars, clause, at_most in facts["exclusions"]  # type: ignore[attr-defined]
        )
        facts["reversible"] = tuple(facts["reversible"])  # type: ignore[arg-type]
        return cls(**facts)  # type: ignore[arg-type]


def _without(exclusions: tuple[Exclusion, ...], fan: Fan, bars: Fan) -> tuple[Exclusion, ...]:
    return tuple(e for e in exclusions if (e.fan, e.bars) != (fan, bars))


MCR: Final = Rulebook(
    key="mcr",
    name="MCR",
    points={fan: fan.points for fan in FANS},
    exclusions=EXCLUSIONS,
    clauses=clauses.MCR,
)

_POINTS_OF_81: Final[dict[Fan, int]] = {
    fan: fan.points for fan in FANS if fan is not Fan.MELDED_KONG_AND_CONCEALED_KONG
}
_EXCLUSIONS_OF_81: Final = tuple(e for e in EXCLUSIONS if {e.fan, e.bars} <= _POINTS_OF_81.keys())

MWT: Final = Rulebook(
    key="mwt",
    name="MCR to the letter",
    points=_POINTS_OF_81,
    exclusions=(
        *_without(_EXCLUSIONS_OF_81, Fan.NINE_GATES, Fan.PUNG_OF_TERMINALS_OR_HONORS),
        Exclusion(Fan.NINE_GATES, Fan.PUNG_OF_TERMINALS_OR_HONORS, "MCR 78"),
        Exclusion(Fan.SEVEN_PAIRS, Fan.ALL_TYPES, "MCR 55"),
    ),
    held_out_waits=False,
    honour_hogs=False,
    clauses=clauses.MWT,
)

BOTZONE: Final = replace(
    MCR,
    key="botzone",
    name="Botzone",
    exclusions=cited(EXCLUSIONS, BARS_OF_BOTZONE),
    held_out_waits=False,
    clauses=clauses.BOTZONE,
)

GUIDE: Final = replace(
    MWT,
    key="guide",
    name="Guide to Mahjong",
    exclusions=cited(
        _without(
            _without(MWT.exclusions, Fan.REVERSIBLE_TILES, Fan.ONE_VOIDED_SUIT),
            Fan.LESSER_HONORS_AND_KNITTED_TILES,
            Fan.FULLY_CONCEALED_HAND,
        ),
        BARS_OF_GUIDE,
    ),
    reversible=tuple(tile for tile in REVERSIBLE if tile != "3p"),
    clauses=clauses.GUIDE,
)

RULEBOOKS: Final = (MCR, MWT, BOTZONE, GUIDE)
"""Every rulebook, the default first."""


def find_rulebook(key: str) -> Rulebook:
    """The rulebook with this key; ``KeyError`` when there is none."""
    for rulebook in RULEBOOKS:
        if rulebook.key == key:
            return rulebook
    raise KeyError(key)
